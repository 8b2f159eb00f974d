"""The core imports no extra: without any of them it works, and a command that needs one says so in a line."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import arcproof
from arcproof.process import extras
from arcproof.process.extras import EXTRAS, install, missing
from arcproof.transitions.errors import MissingPackage
from arcproof.transitions.library import system_names
from tests.conftest import ROOT, Result

pytestmark = pytest.mark.process

WITHOUT = """
import contextlib, importlib.util, io, json, sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec

class Nowhere(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            return ModuleSpec(name, Missing())

class Missing(Loader):
    def create_module(self, spec):
        raise ModuleNotFoundError(f"No module named {spec.name!r}", name=spec.name)

    def exec_module(self, module):
        pass

real = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name.partition(".")[0] in BLOCKED else real(name, package)

BLOCKED = set(json.loads(sys.argv[1]))
sys.meta_path.insert(0, Nowhere())
from arcproof.__main__ import main

for arguments in json.loads(sys.argv[2]):
    sys.argv = ["arcproof", *arguments]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = end.code
        except BaseException as error:
            code = repr(error)
    found = sorted(BLOCKED & {name.partition(".")[0] for name in sys.modules})
    print(json.dumps([code, out.getvalue(), err.getvalue(), found]))
"""
CORE = (
    ("list",),
    ("show", "arc-eager"),
    ("check", str(ROOT / "tests" / "machine" / "roots.tsys")),
    ("trace", "arc-eager", "--heads", "2,0,2"),
    ("explore", "arc-eager", "--words", "2"),
    ("verify", "arc-standard", "--words", "2", "--samples", "2", "--proofs", "none"),
    ("mutate", "arc-standard", "--words", "2", "--jobs", "1"),
    ("compare", "arc-eager", "arc-standard", "--words", "2"),
    ("coverage", "arc-eager", "--treebank", "artificial-test"),
    ("reach", "arc-eager", "|σ| > 2", "--words", "3"),
    ("why", "arc-standard", "SHIFT", "--words", "2"),
    ("repair", "arc-standard", "--words", "2"),
    ("oracle", "arc-eager", "--words", "2"),
    ("export", "arc-standard", "--to", "promela", "--words", "2"),
    ("evaluate", "artificial-test", "artificial-test"),
    ("report", "arc-standard", "--words", "2", "--samples", "2", "--proofs", "none", "--output", "page.html"),
    ("experiment", "--help"),
    ("train", "arc-eager", "artificial-train", "-o", "some.model"),
    ("parse", "some.model", "artificial-test", "-o", "parsed.conllu", "--json", "-"),
    ("evaluate", "artificial-test", "artificial-test", "artificial-test"),
)
EVERY = ("verify", *system_names(), "--words", "2", "--samples", "0", "--proofs", "none", "--json", "-")
NEEDING = {
    ("prove", "arc-standard", "--no-cache"): "prove",
    ("train", "arc-eager", "artificial-train", "--learner", "svc", "-o", "some.model"): "train",
    ("experiment", "arc-eager:svc", "--treebank", "artificial", "-o", "cells"): "train",
    ("oracle", "arc-eager", "--derive"): "train",
    ("lsp",): "editors",
    ("mutate", "arc-standard", "--words", "2", "--cluster", "local:2"): "cluster",
}


@cache
def run_without(
    folder: Path, commands: tuple[tuple[str, ...], ...], *more: str
) -> list[tuple[object, str, str, list[str]]]:
    """Exit code, what is printed, and modules that were imported all the same, for each command, without any extra and
    without these modules.
    """
    blocked = [*more, *(module for modules in EXTRAS.values() for module in modules)]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, json.dumps(blocked), json.dumps(commands)],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], tuple[object, str, str, list[str]]]:
    folder = tmp_path_factory.mktemp("without")
    commands = *CORE, *NEEDING
    return dict(zip(commands, run_without(folder, commands), strict=True))


@pytest.mark.parametrize("command", CORE, ids=" ".join)
def test_the_core_needs_no_extra(
    command: tuple[str, ...], without: dict[tuple[str, ...], tuple[object, str, str, list[str]]]
) -> None:
    code, out, err, found = without[command]

    assert code == 0, err
    assert out
    assert found == []


def test_the_interpreter_says_the_same_without_numpy(tmp_path: Path, arcproof: Callable[..., Result]) -> None:
    """Of every built-in system; in the browser there is no NumPy."""
    [(code, out, err, _)] = run_without(tmp_path, (EVERY,), "numpy")
    here = arcproof(*EVERY, "--engine", "interpreter")

    assert code == here.code, err
    assert timeless(out) == timeless(here.out)


def timeless(text: str) -> str:
    return re.sub(r'"seconds": [0-9.e-]+', '"seconds": 0', text)


@pytest.mark.parametrize("command", NEEDING, ids=" ".join)
def test_a_missing_extra_is_named_with_the_line_that_installs_it(
    command: tuple[str, ...], without: dict[tuple[str, ...], tuple[object, str, str, list[str]]]
) -> None:
    code, _, err, _ = without[command]

    assert code == 2
    assert re.fullmatch(rf"error: \w+ is not installed; {re.escape(install(NEEDING[command]))}\n", err)


def test_what_is_missing_is_told_of_extras_alone() -> None:
    assert missing(ModuleNotFoundError("no", name="z3.z3")) == f"z3 is not installed; {install('prove')}"
    assert missing(ModuleNotFoundError("no", name="somewhere")) is None


def test_in_a_checkout_the_extra_is_that_of_the_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for folder, line in ((ROOT, "pip install -e '.[prove]'"), (tmp_path, "pip install 'arcproof[prove]'")):
        monkeypatch.setattr(extras, "__file__", str(folder / "arcproof" / "process" / "extras.py"))
        assert install("prove") == line


def test_python_without_solvers_raises_what_is_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "z3", None)
    monkeypatch.setitem(sys.modules, "cvc5", None)

    with pytest.raises(MissingPackage, match=re.escape(install("prove"))):
        arcproof.prove("arc-hybrid-right", claim="length", no_cache=True)


def test_the_extras_are_those_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]

    assert set(extras) == {*EXTRAS, "all", "dev", "docs"}
    assert extras["all"] == [f"arcproof[{','.join(EXTRAS)}]"]

"""The repository itself: layers, start-up, and what must not be in it."""

import ast
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from fnmatch import fnmatch
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from arcproof.process.extras import EXTRAS
from tests.conftest import ROOT

FOLDERS = ("transitions", "properties", "generators", "classifiers")
HEAVY = (
    "z3",
    "cvc5",
    "cffi",
    "sklearn",
    "hypothesis",
    "networkx",
    "lark",
    "rich",
    "jinja2",
    "numpy",
    "conllu",
    "joblib",
    "pandas",
    "dask",
    "distributed",
    "pygls",
    "lsprotocol",
    "pygments",
)


@cache
def tracked() -> list[Path]:
    """The files under version control; in a plain copy, all that are not ignored by name."""
    if (ROOT / ".git").exists():
        done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
        return [ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").split()]
    return [path for path in sorted(ROOT.rglob("*")) if path.is_file() and not is_ignored(path, ignored)]


def is_ignored(path: Path, patterns: list[str]) -> bool:
    """Whether a part of the path has one of these names; what setuptools adds to an sdist is none of ours."""
    parts = path.relative_to(ROOT).parts
    return parts in (("PKG-INFO",), ("setup.cfg",)) or any(fnmatch(part, name) for part in parts for name in patterns)


@cache
def parsed(path: Path) -> ast.Module:
    """A file of ours, read once."""
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_folders_are_reached_through_the_package(folder: str) -> None:
    assert Path(str(import_module(f"arcproof.{folder}").__file__)).parent == ROOT / folder


@pytest.mark.process
def test_no_symbolic_link_is_committed() -> None:
    for path in tracked():
        assert not path.is_symlink(), path


def modules_of(*arguments: str) -> set[str]:
    """What a command imports."""
    code = (
        f"import sys; sys.argv = ['arcproof', *{arguments!r}]\nfrom arcproof.__main__ import main\ntry:\n    "
        "main()\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    return set(done.stderr.split())


@pytest.mark.process
def test_verify_imports_neither_hypothesis_nor_the_prover(tmp_path: Path) -> None:
    """For a figure of which no proof is kept; together they took longer than all that is asked."""
    figure = tmp_path / "mine.tsys"
    text = (ROOT / "transitions" / "systems" / "arc-eager.tsys").read_text(encoding="utf-8")
    figure.write_text(text.replace("SHIFT", "SHOVE"), encoding="utf-8")
    imported = modules_of("verify", str(figure), "--words", "2", "--claims-only", "--samples", "1")

    assert "arcproof.properties.engines.sampled" in imported
    assert imported.isdisjoint({"hypothesis", "z3", "cvc5", "scipy", "arcproof.properties.proving.prove"})
    assert imported.isdisjoint({"arcproof.properties.studies.repair", "arcproof.properties.studies.mutants"})


@pytest.mark.process
@pytest.mark.parametrize("arguments", [["--help"], ["list"], ["list", "--json"]])
def test_help_and_list_import_nothing_heavy(arguments: list[str]) -> None:
    imported = {name.split(".")[0] for name in modules_of(*arguments)}

    assert "click" in imported
    assert imported.isdisjoint(HEAVY)


def test_constraints_are_names_and_versions_only() -> None:
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line), line


def test_every_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [
        *project["dependencies"],
        *(entry for extra in project["optional-dependencies"].values() for entry in extra),
    ]
    wanted = {re.split(r"[<>=]", entry)[0] for entry in asked if not entry.startswith("arcproof[")}
    pinned = {line.split("==")[0].lower() for line in (ROOT / "constraints.txt").read_text().splitlines()}

    assert wanted <= pinned


@pytest.mark.long
def test_every_import_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    used = [*project["dependencies"], *(entry for name in EXTRAS for entry in extras[name])]
    declared = {re.split(r"[<>=]", entry)[0] for entry in used}
    distribution = {"sklearn": "scikit-learn", "z3": "z3-solver"}
    imported = {
        name
        for folder in ("arcproof", "transitions", "properties", "generators", "classifiers")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(parsed(path))
        for name in _imported(node)
    }
    foreign = {name for name in imported if name not in sys.stdlib_module_names and name != "arcproof"}
    tried = "".join((ROOT / "tools" / name).read_text() for name in ("audit.txt", "audit-alone.txt"))
    declared |= set(re.findall(r"^[a-z]+(?===)", tried, flags=re.MULTILINE))  # of drivers, which need them when used

    assert {"hypothesis", "networkx", "z3", "pytest", "conllu", "sklearn", "cffi", "scipy", "markupsafe"} <= foreign
    assert {distribution.get(name, name) for name in foreign} - declared == set()


def _imported(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names):
            return [name.name.partition(".")[0] for name in names]
        case ast.ImportFrom(str() as module):
            return [module.partition(".")[0]]
        case _:
            return []


def test_every_package_is_installed() -> None:
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for folder in ("arcproof", *FOLDERS)
        for path in (ROOT / folder).rglob("__init__.py")
    }

    packages = {name if name.startswith("arcproof") else f"arcproof.{name}" for name in found}
    assert {*packages, "arcproof.reports.templates"} == set(setuptools["packages"])


@pytest.mark.process
def test_no_engine_knows_a_system_by_name() -> None:
    from arcproof.transitions.library import system_names

    names = [name for name in system_names() if "-" in name] + [
        "covington",
        "attardi",
        "link2",
        "mh",
        "pointer",
        "spacy",
    ]
    for path in tracked():
        inside = path.relative_to(ROOT).parts[0]
        if path.suffix != ".py" or inside not in ("transitions", "generators", "properties", "classifiers"):
            continue
        code = re.sub(r'"""(.*?)"""|#.*', "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        for name in names:
            assert f'"{name}"' not in code, f"{path} names {name}"


@pytest.mark.process
def test_no_machine_path_and_no_download_address_is_committed() -> None:
    place = re.compile(r"(?<![\w.])/(work|tmp|root|farm)/\w|files\.pythonhosted|index-url|/opt/pypi")
    for path in tracked():
        if path.suffix in (".png", ".pdf") or path == Path(__file__):
            continue
        assert not place.search(path.read_text(encoding="utf-8")), path


@pytest.mark.process
def test_no_lock_file_and_no_pickle_is_committed() -> None:
    for path in tracked():
        assert path.suffix not in (".lock", ".pkl", ".pickle", ".joblib"), path


# the plan of a construct has the name of the construct
ONE_CONSTRUCT = {"transitions/syntax.py", "transitions/plan.py"}


def test_no_two_public_classes_have_the_same_name() -> None:
    """One name, one meaning."""
    places = defaultdict(set)
    for folder in (*FOLDERS, "arcproof"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in parsed(path).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].add(path.relative_to(ROOT).as_posix())

    assert len(places) > 300
    assert {name: found for name, found in places.items() if len(found) > 1 and found != ONE_CONSTRUCT} == {}


# --- the map of the code ---------------------------------------------------------------------------------------------

PLACE = re.compile(r"`((?:[\w*-]+/)*(?:[\w*-]+\.(?:py|c|h|md|txt|lark|lemmas|tsys|toml)|[\w*-]+/))`")
MEMBER = re.compile(r"`(?:\w+/)*(\w+)\.(\w+)`")
ENDINGS = ("py", "c", "h", "md", "txt", "lark", "lemmas", "tsys", "toml", "html", "json", "tex", "yml")


def missing_places(text: str) -> list[str]:
    """The files, folders and names in a map of the code that do not exist.

    In a row of a table, the name of a file without its folder belongs to the folder named before it.
    """
    files = [path.relative_to(ROOT).as_posix() for path in tracked()]
    missing = []
    for line in text.splitlines():
        folders: list[str] = []
        for place in PLACE.findall(line):
            pattern = place.replace("NAME", "*") + ("*" if place.endswith("/") else "")
            inside = "/" not in place.rstrip("/") and line.startswith("|") and folders
            wanted = [f"{folder}/{pattern}" for folder in folders] if inside else [pattern, f"*/{pattern}"]
            found = [file for file in files if any(fnmatch(file, one) for one in wanted)]
            if not found:
                missing.append(place)
            folders += {file[: file.rindex("/")] for file in found if "/" in file and not place.endswith("/")}
        for module, name in MEMBER.findall(line):
            if name not in ENDINGS and not has_member(module, name):
                missing.append(f"{module}.{name}")
    return missing


def has_member(owner: str, name: str) -> bool:
    """Whether a module or a class of this name has such a member; `levels.beside` is one of a class in `levels`."""
    for path in tracked():
        if path.suffix != ".py" or path.relative_to(ROOT).parts[0] == "tests":
            continue
        if path.stem == owner or f"class {owner}" in path.read_text(encoding="utf-8"):
            classes = [node for node in parsed(path).body if isinstance(node, ast.ClassDef)]
            of_module = [parsed(path), *classes] if path.stem == owner else []
            if any(defines(one, name) for one in (*of_module, *(one for one in classes if one.name == owner))):
                return True
    return False


def defines(node: ast.Module | ast.ClassDef, name: str) -> bool:
    return any(
        getattr(one, "name", None) == name or (isinstance(one, ast.AnnAssign | ast.Assign) and name in ast.unparse(one))
        for one in node.body
    )


@pytest.mark.process
def test_every_place_named_in_the_architecture_exists() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert len(PLACE.findall(text)) > 150
    assert missing_places(text) == []


@pytest.mark.process
def test_a_place_that_does_not_exist_is_noticed() -> None:
    row = "| what | `properties/exit_code.py`, `stored.py`, `levels.py`; `studies/why.py`, `system.Sistem`, `Programs.ask` |"
    assert missing_places(row) == ["levels.py", "system.Sistem"]

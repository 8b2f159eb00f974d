"""pytest run by pytest, and the plugin loaded as in a checkout that is not installed."""

import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import pytest
from hypothesis import settings

from arcproof.testing import checking
from tests.conftest import ROOT

Run: TypeAlias = Callable[..., pytest.RunResult]


def pytest_configure(config: pytest.Config) -> None:
    """Load pytester: `pytest_plugins` would say so, but is an error in a conftest that is not at the root.

    What pytester would have added to the command line is filled in, because that has been read by now.
    """
    for option, value in (("runpytest", "inprocess"), ("lsof", False)):
        if not hasattr(config.option, option):
            setattr(config.option, option, value)
    config.pluginmanager.import_plugin("pytester")


@pytest.fixture(autouse=True)
def modules_that_stay() -> Iterator[dict[str, ModuleType]]:
    """What is imported while pytester is used stays imported.

    pytester forgets it, and what was imported again differed from what others had: opcodes that no program knew, and
    classes that could not be pickled.
    """
    imported: dict[str, ModuleType] = {}
    yield imported
    sys.modules.update(imported)


@pytest.fixture
def pytester(modules_that_stay: dict[str, ModuleType], pytester: pytest.Pytester) -> Iterator[pytest.Pytester]:
    run = pytester.inline_run

    def inline_run(*arguments: Any, plugins: Sequence[object] = (), **others: Any) -> Any:
        return run(*arguments, plugins=[*plugins, Noted(pytester.path, modules_that_stay)], **others)

    pytester.inline_run = inline_run  # type: ignore[method-assign]
    yield pytester
    note_modules(pytester.path, modules_that_stay)


class Noted:
    """Notes at the end of a run of pytest what it has imported."""

    def __init__(self, folder: Path, modules: dict[str, ModuleType]) -> None:
        self._given = folder, modules

    def pytest_unconfigure(self) -> None:
        note_modules(*self._given)


def note_modules(folder: Path, modules: dict[str, ModuleType]) -> None:
    """Add what is imported now, unless it belongs to the folder of the test."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file is not None and not Path(file).is_relative_to(folder):
            modules.setdefault(name, module)


settings.register_profile("few", settings.get_profile("suite"), max_examples=10)


@pytest.fixture(autouse=True)
def few_examples() -> Iterator[None]:
    """Hypothesis draws little; a run of pytest in this process has the profile, too."""
    before = settings.get_current_profile_name()
    settings.load_profile("few")
    yield
    settings.load_profile(before)


@pytest.fixture(autouse=True)
def nothing_explored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test begins without the state spaces of others."""
    monkeypatch.setattr(checking, "_KEPT", OrderedDict())


@pytest.fixture
def write(pytester: pytest.Pytester) -> Callable[[str, str], Path]:
    """Write a file into the directory of the test."""

    def write(name: str, text: str) -> Path:
        path = pytester.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """Run pytest in this process, with little effort unless the arguments say otherwise."""

    def run(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_inprocess(*STRICT, *PLUGINS, "--arcproof-words=3", *arguments)

    return run


@pytest.fixture
def run_apart(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run pytest in a process of its own."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    monkeypatch.setenv("PYTHONPATH", path)
    return lambda *arguments: pytester.runpytest_subprocess(*STRICT, *PLUGINS, *arguments)


STRICT = ("-Werror", "-W", "ignore::pytest.PytestAssertRewriteWarning")
"""Where the suite is started outside the checkout, the plugin is imported before pytest could rewrite its asserts."""
PLUGINS = ("-p", "no:cacheprovider", "-p", "no:randomly", "-p", "arcproof.testing.plugin")

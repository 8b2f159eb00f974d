"""The lanes of the suite: `make check` runs the tests that need no tool, `make test` the others after them.

A tool is a compiler (numba), a solver (Z3, cvc5), a browser or another process.  A test that needs one has the mark of
that name, from its fixtures (`BY_FIXTURE`), its function, its parameters or its module; a module with such a mark is
not even imported in the quick lane.

In the quick lane no tool can be used: importing one, or starting a process, fails, and the test fails with it even if
the error is caught.  So a test that begins to need a tool cannot stay there unnoticed.  `--lane=idle` looks the other
way: it runs the marked tests without tools and names the functions none of whose tests asked for one.

    pytest --lane=quick     what needs no tool, and no tool is at hand
    pytest --lane=tools     the rest
    pytest --lane=idle      marks that nothing needs, an error
"""

import ast
import os
import sys
from collections.abc import Generator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

PACKAGES = {
    "numba": "compiler",
    "llvmlite": "compiler",
    "z3": "solver",
    "cvc5": "solver",
    "playwright": "browser",
}
"""The tool behind a package."""
STARTING = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "os.exec", "pty.spawn"}
"""Audit events of processes that are started."""
BY_FIXTURE = {"arcproof_apart": "process", "run_apart": "process"}
COSTLY = {"test_theorem_notes.py", "test_documents.py", "test_repair.py", "test_sampled.py", "test_mutation.py"}
"""What takes longest comes first, so that no worker is left alone with it at the end."""
TOOLS = {"compiler": "numba", "solver": "Z3 or cvc5", "browser": "a browser", "process": "a process of its own"}


class NeedsATool(BaseException):
    """A test in the quick lane needs a tool that its marks do not name; nothing that catches errors catches this."""


class Guard(MetaPathFinder):
    """Fails when a package of a tool is imported or a process is started, and remembers it."""

    def __init__(self) -> None:
        """At first processes may be started: workers of the suite are."""
        self.used: list[str] = []
        self.asked: dict[str, bool] = {}
        self.processes_are_free = True

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """No package of a tool is found."""
        tool = PACKAGES.get(fullname.partition(".")[0])
        if tool is not None:
            self.fail(tool, f"{fullname} is imported")
        return None

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        """No process is started during a test."""
        if event in STARTING and not self.processes_are_free:
            self.fail("process", f"{event}: {arguments[0] if arguments else ''}")

    def fork_exec(self, *arguments: Any) -> int:
        """In place of what joblib starts its workers with, which is not audited."""
        if not self.processes_are_free:
            self.fail("process", "a worker is started")
        started: int = _fork_exec(*arguments)
        return started

    def fail(self, tool: str, why: str) -> None:
        """Remember and raise."""
        self.used.append(f"{why}: the test needs {TOOLS[tool]}; give it the mark `{tool}` (tests/README.md)")
        raise NeedsATool(self.used[-1])


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--lane`."""
    parser.addoption("--lane", choices=("quick", "tools", "idle"), help="which tests, by the tools that they need")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marks; in the quick lane, put up the guard."""
    for name, what in TOOLS.items():
        config.addinivalue_line("markers", f"{name}: needs {what}")
    if config.getoption("lane") in ("quick", "idle"):
        guard = Guard()
        config.stash[GUARD] = guard
        sys.meta_path.insert(0, guard)
        sys.addaudithook(guard.audit)
        _posixsubprocess.fork_exec = guard.fork_exec


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Modules whose tests all need a tool are not imported without one."""
    if config.getoption("lane") == "quick" and collection_path.suffix == ".py" and marks_of(collection_path):
        return True
    return None


def marks_of(path: Path) -> set[str]:
    """The tools that a whole module needs: what its `pytestmark` names."""
    text = path.read_text(encoding="utf-8")
    for statement in ast.parse(text).body if "pytestmark" in text else ():
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "pytestmark":
            return {node.attr for node in ast.walk(statement.value) if isinstance(node, ast.Attribute)} & set(TOOLS)
    return set()


def pytest_itemcollected(item: pytest.Item) -> None:
    """The marks of the fixtures."""
    for fixture in set(getattr(item, "fixturenames", ())) & set(BY_FIXTURE):
        item.add_marker(BY_FIXTURE[fixture])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of the lane."""
    lane = config.getoption("lane")
    if lane is None:
        return
    with_a_tool = [item for item in items if needs_a_tool(item)]
    others = [item for item in items if not needs_a_tool(item)]
    items[:], deselected = (others, with_a_tool) if lane == "quick" else (with_a_tool, others)
    items.sort(key=lambda item: item.path.name not in COSTLY)
    config.hook.pytest_deselected(items=deselected)


def needs_a_tool(item: pytest.Item) -> bool:
    """Whether a mark says so."""
    return any(mark.name in TOOLS for mark in item.iter_markers())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """No processes while a test runs."""
    guard = item.config.stash.get(GUARD, None)
    if guard is None:
        return (yield)
    guard.processes_are_free = False
    try:
        return (yield)
    finally:
        guard.processes_are_free = True
        guard.used.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that used a tool fails, whatever became of the error; `idle` only wants to know which do."""
    report = yield
    guard = item.config.stash.get(GUARD, None)
    if guard is None or call.when == "teardown":
        return report
    if item.config.getoption("lane") == "quick":
        if guard.used and report.passed:
            report.outcome, report.longrepr = "failed", guard.used[0]
    else:
        function = item.nodeid.partition("[")[0]
        guard.asked[function] = guard.asked.get(function, False) or bool(guard.used)
        report.outcome, report.longrepr = "passed", None
    return report


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Marks that nothing needs are an error."""
    if session.config.getoption("lane") == "idle" and idle(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name them."""
    if config.getoption("lane") == "idle":
        for function in idle(config):
            terminalreporter.write_line(f"{function} needs no tool: take its mark away")


def idle(config: pytest.Config) -> list[str]:
    """The functions with a mark none of whose tests asked for a tool."""
    return [function for function, asked in config.stash[GUARD].asked.items() if not asked]


GUARD = pytest.StashKey[Guard]()
if os.name == "posix":
    import _posixsubprocess

    _fork_exec = _posixsubprocess.fork_exec

"""Divergences as a pytest file: one function each, which fails because of that divergence, using only the driver and
plain asserts.

The file imports the driver, and no more of arcproof than the driver itself does.  An alarm ends calls that may never
return.
"""

import textwrap
from collections.abc import Iterator
from keyword import iskeyword
from os.path import relpath
from pathlib import Path
from typing import Final, assert_never

from arcproof._version import __version__
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.conformance.conform import Conformance
from arcproof.properties.conformance.divergence import (
    About,
    ChangesState,
    CostIsWrong,
    Crashes,
    Divergence,
    EndsDifferently,
    Found,
    Hangs,
    OracleFails,
    OutputDiffers,
    Permits,
    Raises,
    Refuses,
    RepairFails,
    StateDiffers,
    TreeChanged,
    kind_of,
)
from arcproof.properties.conformance.lockstep import CONFIGURATION
from arcproof.properties.conformance.oracles import ENDLESS
from arcproof.properties.conformance.references import NamedDriver
from arcproof.properties.conformance.subject import ARCS
from arcproof.reports.divergences import run_text, sentence
from arcproof.reports.driver_expressions import heads_of, listed, name, plain, rooted
from arcproof.reports.oracle_test import mistake, oracle_body, repair_body
from arcproof.transitions.reading.spelling import ascii_name

WRITTEN: Final = "# Written by arcproof "
"""How the first line of every such file begins."""
WIDTH: Final = 110


@dataclass(frozen=True)
class Imported:
    """How a test imports the class of a driver: from `file`, or from a module; `folder` is where other modules are
    found.

    Both are relative to the folder of the test, so that test and driver can be moved together.
    """

    module: str
    kind: str
    wrapper: type | None = None
    file: str | None = None
    folder: str | None = None

    @staticmethod
    def by(driver: NamedDriver, test: str) -> "Imported":
        """Return how a test at this path imports the driver; one on standard output is taken to be in the current
        directory.
        """
        beside = Path(".") if test == "-" else Path(test).resolve().parent
        file = None if driver.path is None else _way(beside, driver.path)
        place = None if driver.path is not None and driver.folder == driver.path.resolve().parent else driver.folder
        folder = None if place is None else _way(beside, place)
        return Imported(driver.module, driver.kind.__name__, driver.wrapper, file, folder)

    @property
    def made(self) -> str:
        """The expression that creates a driver."""
        return f"{self.kind}()" if self.wrapper is None else f"{self.wrapper.__name__}({self.kind})"

    @property
    def name(self) -> str:
        """The name of the class, independent of where the test is."""
        return f"{self.module if self.file is None else Path(self.file).name}:{self.kind}"

    @property
    def _is_plain(self) -> bool:
        """Whether the module has a name that can be used in an import statement."""
        return all(part.isidentifier() and not iskeyword(part) for part in self.module.split("."))

    def modules(self) -> list[str]:
        """The imports from the standard library that this needs."""
        needed = {
            "from importlib import import_module": self.file is None and not self._is_plain,
            "from importlib.util import module_from_spec, spec_from_file_location": self.file is not None,
            "from pathlib import Path": self.file is not None or self.folder is not None,
        }
        return [line for line, is_needed in needed.items() if is_needed]

    def lines(self) -> Iterator[str]:
        """Yield the lines that import the class and its wrapper."""
        if self.wrapper is not None:
            yield f"from {self.wrapper.__module__} import {self.wrapper.__name__}"
            yield ""
        if self.file is not None:
            yield f"FILE = {_beside(self.file)}"
            yield from ("", "", *READ.split("\n"), "", "")
            found = "" if self.folder is None else f", {_beside(self.folder)}"
            yield f"{self.kind} = module_of(FILE{found}).{self.kind}"
            return
        if self.folder is not None:
            yield f"sys.path.insert(0, str({_beside(self.folder)}))"
            yield ""
        if self._is_plain:
            yield f"from {self.module} import {self.kind}" + ("  # noqa: E402" if self.folder is not None else "")
        else:
            yield f"{self.kind} = import_module({self.module!r}).{self.kind}"


def _way(start: Path, to: Path) -> str:
    """Return a relative path, with slashes; an absolute one if there is none, as between drives."""
    try:
        return Path(relpath(to.resolve(), start.resolve())).as_posix()
    except ValueError:
        return to.resolve().as_posix()


def _beside(way: str) -> str:
    """Return an expression for a path relative to the test."""
    here = "Path(__file__).resolve().parent"
    return here if way == "." else f"{here} / {way!r}"


def is_written_by_arcproof(path: str) -> bool:
    """Whether a test may overwrite a file: one that arcproof wrote, or an empty one."""
    with open(path, "rb") as file:
        first = file.readline()
    return not first or first.startswith(WRITTEN.encode())


def to_pytest(found: Conformance, driver: Imported) -> str:
    """The file."""
    tests = "".join("\n\n\n" + "\n".join(test) for test in _tests(found, driver.made))
    helpers = "".join(f"\n\n\n{text}" for text in _helpers(found, tests))
    own = "\n".join(driver.lines())
    whole = own + helpers + tests
    imports = [f"import {name}" for name in MODULES if f"{name}." in whole] + driver.modules()
    first = [
        f"{WRITTEN}conform {__version__}, which may overwrite it.",
        f'"""{_heading(found, driver)}"""',
        "",
        *imports,
        *([""] if imports else []),
    ]
    return "\n".join(first) + "\n" + whole + "\n"


def _heading(found: Conformance, driver: Imported) -> str:
    version = found.declared.version or "version unknown"
    cite = f" ({found.system.figure.cite})" if found.system.figure.cite else ""
    lines = textwrap.wrap(f"{driver.name} ({version}) compared with the figure {found.system.name}{cite}.", WIDTH)
    return _safe("\n".join([*lines, "", "Each test fails until its divergence is fixed.", ""]))


def _safe(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', "'''")


# --- helpers ---------------------------------------------------------------------------------------------------------

MODULES: Final = ("contextlib", "itertools", "multiprocessing", "signal", "sys", "sysconfig", "time")

READ: Final = '''def module_of(file, *folders):
    """The module of a file, whatever its name; it imports what lies beside it, whatever other tests have imported."""
    file = file.resolve()
    places = [str(place.resolve()) for place in (file.parent, *folders)]
    names = {one.stem for place in places for one in Path(place).glob("*.py")}
    names |= {one.parent.name for place in places for one in Path(place).glob("*/__init__.py")}

    def is_library(place):
        return place.startswith(sysconfig.get_path("stdlib")) or place.endswith("-packages")

    def is_foreign(name):
        path = Path(getattr(sys.modules.get(name), "__file__", None) or file)
        place = str(path.resolve().parents[path.name == "__init__.py"])
        return place not in places and not is_library(place)

    def those(names):
        return [name for name in sys.modules if name.partition(".")[0] in names]

    path, foreign = sys.path[:], set(filter(is_foreign, names))
    aside = {name: sys.modules.pop(name) for name in those(foreign)}
    sys.path[:] = [*filter(is_library, path), *places, *(place for place in path if not is_library(place))]
    try:
        spec = spec_from_file_location(f"driver_{file.stem}", file)
        module = sys.modules[spec.name] = module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path[:] = [*path, *places]
        for name in those(foreign):
            del sys.modules[name]
        sys.modules.update(aside)
    return module'''

WITHIN: Final = '''@contextlib.contextmanager
def within(seconds):
    """Fail if the block takes longer."""

    def late(number, frame):
        raise AssertionError(f"no answer in {seconds} s")

    begin = time.monotonic()
    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    assert time.monotonic() - begin < seconds'''

UNINTERRUPTED: Final = '''@contextlib.contextmanager
def uninterrupted():
    """Fail if the driver raises KeyboardInterrupt, which would end pytest."""
    try:
        yield
    except KeyboardInterrupt:
        raise AssertionError("the driver raises KeyboardInterrupt") from None'''

PERMITTED: Final = '''def permitted(driver, c):
    """Return the permissible transitions by name."""
    return {NAME: t for t in reversed(list(driver.permissible(c)))}'''

AFTER: Final = '''def after(driver, words, run):
    """Return the configuration after a run."""
    c = driver.start(words)
    for name in run:
        c = driver.apply(c, permitted(driver, c)[name])
    return c'''

IN_PLACE: Final = (
    "        c = driver.apply(c, permitted(driver, c)[name])",
    "        given = driver.apply(c, permitted(driver, c)[name])\n        c = c if given is None else given",
)
"""The replacement for drivers whose `apply` need not return the configuration it changes."""

SHOWN: Final = '''def shown(driver, c):
    """Return what the driver shows of a configuration, as text."""
    return repr((PARTS))'''

SURVIVES: Final = '''def survives(call):
    """Whether a call returns; one that ends its process does not, whatever the exit code."""
    context = multiprocessing.get_context("fork")
    answers, answer = context.Pipe(duplex=False)
    process = context.Process(target=lambda: (call(), answer.send(True)))
    process.start()
    process.join()
    return answers.poll()'''


def _helpers(found: Conformance, tests: str) -> Iterator[str]:
    """Yield the helper functions that the tests call."""
    if "within(" in tests:
        yield WITHIN
    if "uninterrupted(" in tests:
        yield UNINTERRUPTED
    if "permitted(" in tests or "after(" in tests:
        yield PERMITTED.replace("NAME", name(found, "t"))
    if "after(" in tests:
        yield AFTER.replace(*IN_PLACE) if found.declared.in_place else AFTER
    if "shown(driver" in tests:
        parts = {"components": "driver.components(c)", "arcs": "sorted(driver.arcs(c))"}
        yield SHOWN.replace("PARTS", ", ".join(text for part, text in parts.items() if part in found.methods))
    if "survives(" in tests:
        yield SURVIVES


# --- tests -----------------------------------------------------------------------------------------------------------


def _tests(found: Conformance, made: str) -> Iterator[list[str]]:
    for one in found.found:
        body = [f"driver = {made}", *_guarded(found, one.divergence)]
        yield [f"def {_title(one)}():", *_docstring(found, one), *(f"    {line}" for line in body)]


def _guarded(found: Conformance, divergence: Divergence) -> Iterator[str]:
    """The body, which must not end pytest."""
    match divergence.what:
        case Raises(error=error) | OracleFails(reason=error) | RepairFails(reason=error):
            is_interrupted = error.partition(":")[0] == KeyboardInterrupt.__name__
        case _:
            is_interrupted = False
    lines = _body(found, divergence)
    if is_interrupted:
        yield "with uninterrupted():"
    yield from (f"    {line}" if is_interrupted else line for line in lines)


def _title(one: Found) -> str:
    """Return a title from the kind and the detail, which no two divergences in a report share."""
    kind, detail = kind_of(one.divergence.what)
    return "test_" + "".join(letter if letter.isalnum() else "_" for letter in f"{kind.value} {detail}".strip())


def _docstring(found: Conformance, one: Found) -> list[str]:
    seen = f"  Seen in {found.declared.version}." if found.declared.version else ""
    lines = textwrap.wrap(_safe(f"{run_text(one.divergence)}: {sentence(one.divergence.what)}.{seen}"), WIDTH - 6)
    lines[0] = lines[0][:1].upper() + lines[0][1:]
    if len(lines) == 1:
        return [f'    """{lines[0]}"""']
    return [f'    """{lines[0]}', *(f"    {line}" for line in lines[1:]), '    """']


def _body(found: Conformance, divergence: Divergence) -> Iterator[str]:
    what = divergence.what
    match what:
        case Permits(transition):
            yield _there(divergence)
            yield f"assert {transition!r} not in permitted(driver, c)"
        case Refuses(transition):
            yield _there(divergence)
            yield f"assert {transition!r} in permitted(driver, c)"
        case StateDiffers():
            yield _there(divergence)
            yield from _state(what)
        case EndsDifferently(ends_in_figure):
            yield _there(divergence)
            yield f"assert {'' if ends_in_figure else 'not '}driver.is_terminal(c)"
        case OutputDiffers(figure=figure):
            yield _there(divergence)
            yield f"assert {heads_of(found, 'c')} == {rooted(found, figure)!r}"
        case OracleFails():
            yield from oracle_body(found, divergence, what)
        case RepairFails():
            yield from repair_body(found, divergence, what)
        case CostIsWrong():
            yield from _cost(divergence, what)
        case TreeChanged():
            yield from _encoding(what)
        case Raises(method=method, about=about):
            yield from _setting(divergence, method, about)
            yield _call(method, about, divergence.words)
        case Hangs(method=method, seconds=seconds, about=about):
            yield from _setting(divergence, method, about)
            yield f"with within({seconds:g}):"
            yield f"    {_call(method, about, divergence.words)}"
        case Crashes(method=method, about=about):
            yield from _setting(divergence, method, about)
            yield f"assert survives(lambda: {_call(method, about, divergence.words)})"
        case ChangesState():
            yield from _changes(divergence, what)
        case _:
            assert_never(what)


def _there(divergence: Divergence) -> str:
    return f"c = after(driver, {divergence.words}, {listed(divergence.run)})"


def _state(what: StateDiffers) -> Iterator[str]:
    if what.component == ARCS:
        yield f"assert set(driver.arcs(c)) == {plain(what.figure)}"
        return
    spelled = ascii_name(what.component)
    yield "shown = driver.components(c)"
    yield f"value = shown[{what.component!r} if {what.component!r} in shown else {spelled!r}]"
    kind = "list" if isinstance(what.figure, tuple) else "set" if isinstance(what.figure, frozenset) else ""
    yield f"assert {f'{kind}(value)' if kind else 'value'} == {plain(what.figure)}"


def _cost(divergence: Divergence, what: CostIsWrong) -> Iterator[str]:
    yield _there(divergence)
    yield f"t = permitted(driver, c)[{what.transition!r}]"
    if isinstance(what.said, bool):
        yield f"assert {'not ' if what.said else ''}driver.is_free(c, {what.gold!r}, t)"
    elif what.true is None:
        yield f"assert driver.cost(c, {what.gold!r}, t) > 0"
    else:
        yield f"assert driver.cost(c, {what.gold!r}, t) == {what.true}"


def _encoding(what: TreeChanged) -> Iterator[str]:
    yield f"heads, labels = driver.encode({what.gold!r}, {what.labels!r})"
    if what.decoded is None:
        yield f"assert tuple(heads) != {what.encoded[0]!r}"
        return
    yield "heads, labels = driver.decode(tuple(heads), tuple(labels))"
    yield f"assert (tuple(heads), tuple(labels)) == ({what.gold!r}, {what.labels!r})"


def _setting(divergence: Divergence, method: str, about: About) -> Iterator[str]:
    """Yield the lines that a call needs before it."""
    if method in ("encode", "decode", "accepts", "oracle", "start"):
        if method == "decode":
            yield f"heads, labels = driver.encode({about.gold!r}, {about.labels!r})"
        return
    if method == "repair":
        yield from mistake(divergence, about.gold)
        return
    yield _there(divergence)
    if about.transition is not None:
        yield f"t = permitted(driver, c)[{about.transition!r}]"


def _call(method: str, about: About, words: int = 0) -> str:
    match method:
        case "start":
            return f"driver.start({words})"
        case "apply":
            return "driver.apply(c, t)"
        case "cost" | "is_free":
            return f"driver.{method}(c, {about.gold!r}, t)"
        case "encode":
            return f"driver.encode({about.gold!r}, {about.labels!r})"
        case "decode":
            return "driver.decode(tuple(heads), tuple(labels))"
        case "accepts":
            return f"driver.accepts({about.gold!r})"
        case "oracle":
            return f"list(itertools.islice(driver.oracle({about.gold!r}), {ENDLESS}))"
        case "repair":
            return f"list(itertools.islice(driver.repair({about.gold!r}, done, wrong), {ENDLESS}))"
        case "name":
            return "[driver.name(t) for t in driver.permissible(c)]"
        case _:
            return f"list(driver.{method}(c))" if method in ("permissible", "arcs", "heads") else f"driver.{method}(c)"


def _changes(divergence: Divergence, what: ChangesState) -> Iterator[str]:
    yield from _setting(divergence, what.method, what.about)
    if what.shown == CONFIGURATION:
        yield "assert driver.apply(c, t) is not c"
        return
    if what.shown == what.method:
        asked = "list(permitted(driver, c))" if what.method == "permissible" else f"driver.{what.method}(c)"
        yield f"first, second = {asked}, {asked}"
        yield "assert first == second"
        return
    yield "before = shown(driver, c)"
    yield _call(what.method, what.about)
    if what.method != "apply":
        yield _call(what.method, what.about)
    yield "assert shown(driver, c) == before"

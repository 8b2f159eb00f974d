"""Reading a specification: text in, syntax tree out, or every mistake with its place.

A diagnostic is printed with file, line and column, the line with a caret, what is wrong and what would be right.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.suggestions import near
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import BadSpecification, Diagnostic, Place, UnreadableFile
from arcproof.transitions.polynomial import Polynomial
from arcproof.transitions.reading.build import Builder
from arcproof.transitions.reading.check import check
from arcproof.transitions.reading.files import MAX_BYTES, bytes_of
from arcproof.transitions.reading.resolve import Problems
from arcproof.transitions.reading.statements import Statement, TooLong, Unread, claim, statements, target

LARGEST_FILE: Final = MAX_BYTES["figure"]
MOST_DIAGNOSTICS: Final = 20
WIDEST_LINE: Final = 160
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def read_figure(text: str, source: str = "<text>", folder: Path | None = None) -> s.Figure:
    """The figure in a specification; `BadSpecification` names every mistake."""
    return read(text, source, folder).figure


@dataclass(frozen=True, slots=True)
class Reading:
    """A figure, and warnings to its author about the way it is written."""

    figure: s.Figure
    warnings: tuple[Diagnostic, ...]


def read(text: str, source: str = "<text>", folder: Path | None = None) -> Reading:
    """The figure in a specification, with warnings; if there are mistakes, both are in `BadSpecification`.

    The files that claims name must exist relative to `folder`; without a folder this is not checked.
    """
    text = with_newlines(text)
    _check_text(text, source)
    try:
        items = statements(text)
    except TooLong as error:
        raise _refused(source, str(error), "no figure is that long") from None
    if not items:
        raise _refused(source, "the specification is empty", "a figure begins with `system NAME`")
    problems = Problems([item.problem for item in items if isinstance(item, Unread) and item.problem is not None])
    builder = Builder(problems, folder)
    if any(isinstance(item, Statement) for item in items):
        builder.build(items)
        check(builder, problems)
    if problems.found:
        found = [*problems.found, *problems.warnings]
        raise BadSpecification(render(found, text, source), tuple(_in_order(found)))
    return Reading(_figure(builder), tuple(_in_order(problems.warnings)))


def _check_text(text: str, source: str) -> None:
    """Refuse a text that no file could contain: one longer than any figure, or with half of a character."""
    if len(text) > LARGEST_FILE:
        raise _refused(source, f"more than {LARGEST_FILE} characters", "no figure is that long")
    half = _SURROGATE.search(text)
    if half is not None:
        line, column = text.count("\n", 0, half.start()) + 1, half.start() - text.rfind("\n", 0, half.start())
        what, hint = f"U+{ord(half[0]):04X} is half of a character", "decode the text as UTF-8"
        problem = Diagnostic(Place(line, column, column + 1), what, hint)
        raise BadSpecification(f"{source}:{line}:{column}: error: {what}; {hint}", (problem,))


def _refused(source: str, message: str, hint: str) -> BadSpecification:
    """The error for a text that is refused before it is read; the problem is reported at its beginning."""
    return BadSpecification(f"{source}: {message}; {hint}", (Diagnostic(Place(1, 1, 2), message, hint),))


def _figure(builder: Builder) -> s.Figure:
    assert builder.start is not None
    assert builder.final is not None
    return s.Figure(
        builder.name,
        builder.cite,
        tuple(builder.notes),
        tuple(builder.parameters),
        builder.shared,
        tuple(builder.state),
        builder.start,
        builder.final,
        tuple(builder.rules),
        builder.default[0] if builder.default else None,
        tuple(builder.oracles),
        tuple(builder.claims),
        tuple(builder.invariants),
        tuple(builder.oracle_invariants),
        tuple(builder.measures),
        tuple(builder.lemmas),
        tuple(builder.dynamic_oracles),
        builder.several_heads,
        builder.rootless is not None,
    )


def read_target(text: str, figure: s.Figure, source: str = "condition") -> tuple[s.Condition, ...]:
    """Read a condition about a configuration and the run to it, such as `#SWAP = 2, |σ| >= 4, head(1)`, in the language
    of figures; `BadSpecification` names every mistake.

    Components go by their names, nodes by their numbers; `#SWAP` counts a transition of the run.
    """
    tree = target(text)
    problems = Problems([tree] if isinstance(tree, Diagnostic) else [])
    conditions: tuple[s.Condition, ...] = ()
    if not isinstance(tree, Diagnostic):
        conditions = Builder(problems).target(tree, figure)
    if problems.found:
        raise BadSpecification(render(problems.found, text, source), tuple(_in_order(problems.found)))
    return conditions


def bound_term(polynomial: Polynomial) -> s.Term:
    """A polynomial as the bound of a claim."""
    tree = claim(f"length <= {polynomial}")
    assert not isinstance(tree, Diagnostic)
    read = Builder(Problems([])).claim(tree)
    assert read is not None
    assert isinstance(read.statement, s.LengthBound)
    return read.statement.bound


_CLAIMED: Final = "complete "


def read_class(text: str, source: str = "class") -> s.GraphClass:
    """Read a class of graphs, such as `projective trees`; `BadSpecification` says what is wrong with it."""
    tree = claim(f"{_CLAIMED}{text}")
    problems = Problems([tree] if isinstance(tree, Diagnostic) else [])
    found = None if isinstance(tree, Diagnostic) else Builder(problems).claim(tree)
    if problems.found or found is None or not isinstance(found.statement, s.CompleteFor):
        diagnostics = [_of_class(one) for one in problems.found]
        raise BadSpecification(render(diagnostics, text, source), tuple(_in_order(diagnostics)))
    return found.statement.graphs


def _of_class(diagnostic: Diagnostic) -> Diagnostic:
    """Reword a message so that it is about the class alone, which was read as part of a claim `complete …`."""
    where, shift = diagnostic.where, len(_CLAIMED) if diagnostic.where.line == 1 else 0
    place = Place(where.line, max(1, where.column - shift), max(1, where.end - shift))
    message = diagnostic.message.replace("the statement ends", "the class ends")
    return Diagnostic(place, message, diagnostic.hint.replace(f"form is: {_CLAIMED}", "form is: "))


def read_text(path: Path) -> str:
    """The text of a specification file; `UnreadableFile` says in one line why it cannot be read."""
    try:
        if path.is_dir():
            raise UnreadableFile(f"{path}: this is a directory; a specification is a text file ending in .tsys")
        data = bytes_of(path, "figure")
    except UnreadableFile:
        raise
    except OSError as error:
        meant = _beside(path) if isinstance(error, FileNotFoundError) else ""
        raise UnreadableFile(f"{path}: {error.strerror or error}{meant}") from None
    try:
        return with_newlines(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8") from None


def _beside(path: Path) -> str:
    """For a file that is missing: what may have been meant, of the specifications beside it."""
    found = near(path.stem, (other.stem for other in path.parent.glob("*.tsys")), most=1)
    return f"; did you mean {path.with_name(found[0])}.tsys?" if found else ""


def with_newlines(text: str) -> str:
    """The text without a byte order mark and with Unix line endings."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    unique = dict.fromkeys(diagnostics)
    return sorted(unique, key=lambda d: (d.where.line, d.where.column))


def render(diagnostics: Iterable[Diagnostic], text: str, source: str) -> str:
    """All diagnostics as they are shown to a user."""
    ordered = _in_order(diagnostics)
    lines = text.split("\n")
    shown = [_render_one(diagnostic, lines, source) for diagnostic in ordered[:MOST_DIAGNOSTICS]]
    if len(ordered) > MOST_DIAGNOSTICS:
        shown.append(f"{source}: and {len(ordered) - MOST_DIAGNOSTICS} more")
    return "\n".join(shown)


def _render_one(diagnostic: Diagnostic, lines: list[str], source: str) -> str:
    where = diagnostic.where
    text = lines[where.line - 1].expandtabs(1) if where.line <= len(lines) else ""
    column = where.column
    if len(text) > WIDEST_LINE:
        begin = max(0, column - WIDEST_LINE // 2)
        before, after = "…" * (begin > 0), "…" * (begin + WIDEST_LINE < len(text))
        text, column = before + text[begin : begin + WIDEST_LINE] + after, column - begin + len(before)
    margin = " " * len(str(where.line))
    caret = " " * (column - 1) + "^" * max(1, min(where.end - where.column, len(text) - column + 1))
    return "\n".join(
        (
            f"{source}:{where.line}:{where.column}: {diagnostic.severity}: {_printable(diagnostic.message)}",
            f"  {where.line} | {_printable(text)}",
            f"  {margin} | {caret}",
            f"  help: {diagnostic.hint}",
        )
    )


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " if letter.isspace() else "�" for letter in text)

"""What a view consists of: a short text, the text of the command, HTML, JSON, a table, pictures, LaTeX.

A table is a part of the JSON document, so its columns have the names that they have there.  Text from files is escaped
where HTML is made, and nowhere else.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.printing.escape import for_terminal
from arcproof.transitions.printing.wording import counted

if TYPE_CHECKING:
    from pandas import DataFrame

    from arcproof.transitions.configuration import Transition
    from arcproof.transitions.graph import Graph

MOST_LINES: Final = 8
MOST_CHARACTERS: Final = 200
MOST_OF_A_TABLE: Final = 3000
"""How many characters of HTML a table may have; then no more rows are shown."""
MOST_IN_A_CELL: Final = 60
MOST_PICTURES: Final = 3
MOST_DRAWN: Final = 60
"""How many words a graph may have that is drawn in a notebook."""

Row = dict[str, Any]
Picture = tuple[str, "Graph", "Sequence[str] | None"]
"""A caption, the graph, and its words."""


@dataclass(frozen=True)
class DocumentTable:
    """A table within a document.

    `path` leads to the entries, one list within another; each row has the `columns` of an entry, after the columns
    `repeated` from the entries around it.  `derivations.mean` is a column inside another; the parts of the column
    `spread` become columns themselves.
    """

    path: tuple[str, ...]
    columns: tuple[str, ...]
    repeated: tuple[str, ...] = ()
    spread: str | None = None

    def rows(self, document: Any) -> list[Row]:
        """One row for each entry."""
        return list(self._rows(document, self.path, {}))

    def _rows(self, part: Any, path: tuple[str, ...], known: Row) -> Iterator[Row]:
        entries = part if path[0] == "" else _part(part, path[0]) or []
        for entry in entries:
            if len(path) == 1:
                yield known | dict(self._cells(entry))
            else:
                yield from self._rows(entry, path[1:], known | {name: entry[name] for name in self.repeated})

    def _cells(self, entry: Any) -> Iterator[tuple[str, Any]]:
        for column in self.columns:
            if column == self.spread:
                yield from entry[column].items()
            else:
                yield column, _part(entry, column)


def _part(entry: Any, column: str) -> Any:
    for name in column.split("."):
        entry = None if entry is None else entry.get(name)
    return entry


@dataclass(frozen=True)
class View:
    """How results of one type are shown; a form that is None is not available for them."""

    lines: Callable[[Any], Iterable[str]]
    text: Callable[[Any], str] | None = None
    document: Callable[[Any], object] | None = None
    written: Callable[[Any], str] | None = None
    table: DocumentTable | None = None
    pictures: Callable[[Any], Iterable[Picture]] | None = None
    typeset: Callable[[Any], str] | None = None
    page: Callable[[Any], Markup] | None = None

    def short(self, result: Any) -> str:
        """A few lines of bounded length."""
        lines = [_cut(for_terminal(line), MOST_CHARACTERS) for line in self.lines(result)]
        more = len(lines) - MOST_LINES
        return "\n".join(lines if more <= 0 else [*lines[:MOST_LINES], f"… and {more} more"])

    def full(self, result: Any) -> str:
        """What the command prints, without the final line end, which `print` adds."""
        return self.short(result) if self.text is None else self.text(result).removesuffix("\n")

    def json(self, result: Any) -> str:
        """The JSON document of the command."""
        from arcproof.documents.wire import json_text

        assert self.document is not None
        return json_text(self.document(result)) if self.written is None else self.written(result)

    def rows(self, result: Any) -> list[Row]:
        """The rows of the table."""
        from arcproof.documents.wire import json_value

        assert self.table is not None
        assert self.document is not None
        return self.table.rows(json_value(self.document(result)))

    def frame(self, result: Any) -> "DataFrame":
        """The table as a data frame, if pandas is installed."""
        try:
            from pandas import DataFrame
        except ModuleNotFoundError as error:
            from arcproof.interface.arguments import missing_package

            raise missing_package(error) from None
        assert self.table is not None
        rows = self.rows(result)
        return DataFrame(rows, columns=[*rows[0]] if rows else [*self.table.repeated, *self.table.columns])

    def svg(self, result: Any) -> str | None:
        """The first picture, if there is one."""
        return next((_drawn(*picture) for picture in self._pictures(result)), None)

    def latex(self, result: Any) -> str:
        """LaTeX, as the command prints it with --fragment."""
        assert self.typeset is not None
        return self.typeset(result)

    def html(self, result: Any) -> str:
        """The lines, the table and the pictures."""
        if self.page is not None:
            return self.page(result)
        parts = [Markup("<p>{}</p>").format(Markup("<br>").join(self.short(result).split("\n")))]
        if self.table is not None:
            parts.append(_html_table(self.rows(result)))
        parts += (
            Markup("<figure>{}<figcaption>{}</figcaption></figure>").format(Markup(_drawn(*picture)), picture[0])
            for picture in self._pictures(result)
        )
        return Markup('<div class="arcproof">{}</div>').format(Markup("").join(parts))

    def _pictures(self, result: Any) -> list[Picture]:
        """The pictures that a notebook shows: only a few, and none of long sentences."""
        found = [] if self.pictures is None else self.pictures(result)
        return [picture for picture in found if picture[1].words <= MOST_DRAWN][:MOST_PICTURES]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _drawn(title: str, graph: "Graph", words: "Sequence[str] | None") -> str:
    from arcproof.reports.arc_diagram import to_svg

    return to_svg(graph, words, title)


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.4g}"
        case str() | int():
            return _cut(for_terminal(str(value)), MOST_IN_A_CELL)
        case _:
            return _cut(for_terminal(_inner(value)), MOST_IN_A_CELL)


def _inner(value: object) -> str:
    """Lists and dictionaries without quotation marks."""
    match value:
        case dict():
            return ", ".join(f"{name}: {_inner(entry)}" for name, entry in value.items())
        case list() if any(isinstance(entry, list | dict) for entry in value):
            return "; ".join(map(_inner, value))
        case list():
            return ", ".join(map(_inner, value))
        case _:
            return "_" if value is None else str(value)


def _html_table(rows: list[Row]) -> Markup:
    """The first rows, as many as a notebook shows."""
    if not rows:
        return Markup("")
    titles = [column for column in rows[0] if any(row[column] is not None for row in rows)]
    head = Markup("").join(Markup("<th>{}</th>").format(title.replace("_", " ")) for title in titles)
    body: list[Markup] = []
    for row in rows:
        cells = Markup("").join(Markup("<td>{}</td>").format(_cell(row[title])) for title in titles)
        body.append(Markup("<tr>{}</tr>").format(cells))
        if sum(map(len, body)) > MOST_OF_A_TABLE:
            break
    more = len(rows) - len(body)
    rest = Markup("<p>… and {}</p>").format(counted(more, "more row")) if more else ""
    return Markup("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>{}").format(
        head, Markup("").join(body), rest
    )


def later(name: str) -> Callable[..., Any]:
    """A function such as `reports.why.to_text`, which is imported when it is called."""
    module, _, function = name.rpartition(".")

    def call(*arguments: Any, **named: Any) -> Any:
        return getattr(import_module(f"arcproof.{module}"), function)(*arguments, **named)

    return call


def run_text(transitions: "Iterable[Transition]") -> str:
    """The transitions of a run, in one line."""
    return " ".join(transition.instance for transition in transitions) or "(no transition)"


def picture_of(graph: "Graph", words: "Sequence[str] | None" = None) -> Picture:
    """A graph with itself as the caption."""
    return str(graph), graph, words

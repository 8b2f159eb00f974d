"""Views of programs that were checked against figures."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from arcproof.interface.views.view import DocumentTable, View, later
from arcproof.transitions.printing.wording import counted

if TYPE_CHECKING:
    from arcproof.properties.conformance.conform import Conformance
    from arcproof.properties.conformance.logs import LogCheck


def _lines_of_conformance(found: "Conformance") -> Iterator[str]:
    from arcproof.reports.conformance import title_of, verdict

    yield verdict(found)
    for one in found.found:
        yield f"  {title_of(one)}"


def _lines_of_log(found: "LogCheck") -> list[str]:
    sentences, faults = counted(found.sentences, "sentence"), counted(sum(found.counts.values()), "fault")
    return [f"{found.file} against {found.system.name}: {sentences}, {faults}"]


VIEWS: Final = {
    "Conformance": View(
        lines=_lines_of_conformance,
        text=later("reports.conformance.to_text"),
        document=later("documents.conform.document"),
        table=DocumentTable(("divergences",), ("kind", "detail", "words", "run", "text", "follows", "drawn", "replay")),
    ),
    "LogCheck": View(
        lines=_lines_of_log,
        text=later("reports.logs.to_text"),
        document=later("documents.conform_log.document"),
        table=DocumentTable(("faults",), ("kind", "line", "words", "position", "written", "permitted", "text")),
    ),
}

"""Views of theorems and of proofs that were checked."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from arcproof.interface.views.view import DocumentTable, View, later
from arcproof.transitions.printing.wording import counted

if TYPE_CHECKING:
    from arcproof.commands import results
    from arcproof.properties.proving.prove import ProofReport
    from arcproof.properties.proving.theorem import Theorem

_prove = later("documents.prove.document")
_check_proof = later("documents.check_proof.document")
_text_of = later("reports.proofs.text_of")


def _theorem_text(theorem: "Theorem") -> str:
    from arcproof.reports.proofs import theorem_text

    return f"{theorem.claim}: {theorem.verdict.value}: {theorem_text(theorem)}"


def _lines_of_report(report: "ProofReport") -> Iterator[str]:
    from arcproof.properties.verdict import Verdict

    proved = sum(theorem.verdict is Verdict.PROVED for theorem in report.theorems)
    yield f"{report.system.name}: {proved} of {counted(len(report.theorems), 'theorem')} proved, {report.seconds:.1f} s"
    for theorem in report.theorems:
        if theorem.verdict is not Verdict.PROVED:
            yield f"  {_theorem_text(theorem)}"


def _proofs(reports: "Callable[[Any], Sequence[ProofReport]]") -> View:
    def lines(found: Any) -> Iterator[str]:
        for report in reports(found):
            yield from _lines_of_report(report)
        if (ended_by := getattr(found, "ended_by", None)) is not None:
            yield ended_by

    columns = ("claim", "verdict", "solvers", "seconds", "kept", "detail")
    return View(
        lines=lines,
        text=lambda found: "\n".join(map(_text_of, reports(found))),
        document=lambda found: _prove(reports(found)),
        table=DocumentTable(("systems", "theorems"), columns, repeated=("system",)),
    )


def _lines_of_checked(found: "results.CheckedProofs") -> Iterator[str]:
    yield f"{len(found.files) - len(found.refused)} of {counted(len(found.files), 'proof')} accepted"
    for file in found.refused:
        yield f"{file.proof}: refused: {file.refused}"


VIEWS: Final = {
    "Theorem": View(lines=lambda theorem: [_theorem_text(theorem)]),
    "ProofReport": _proofs(lambda report: [report]),
    "ProvedSystems": _proofs(lambda found: found.reports),
    "CheckedProofs": View(
        lines=_lines_of_checked,
        document=lambda found: _check_proof(found.files, found.theorems, found.ended_by),
        table=DocumentTable(("proofs",), ("obligation", "proof", "accepted", "reason", "steps")),
    ),
}

"""`arcproof check-proof --json`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from arcproof._version import __version__
from arcproof.documents.shared import Natural
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.properties.proving.proof_files import CheckedFile, CheckedTheorem


@dataclass(frozen=True)
class CheckedFileJson:
    """An obligation, and whether the proof beside it is accepted."""

    obligation: str
    proof: str
    accepted: bool
    reason: str | None
    """Why the proof is refused; null if it is accepted."""
    steps: Natural
    """The number of steps of an accepted proof."""


@dataclass(frozen=True)
class CheckedTheoremJson:
    """A theorem of an index, and how many of its obligations were accepted."""

    system: str
    claim: str
    obligations: Natural
    accepted: Natural


@dataclass(frozen=True)
class CheckedProofsJson:
    """Proofs that were checked without a solver."""

    arcproof: str
    proofs: tuple[CheckedFileJson, ...]
    theorems: tuple[CheckedTheoremJson, ...]
    rules: Mapping[str, int]
    """How many steps each rule has taken in accepted proofs."""
    ended_by: str | None = None
    """What ended the work early, before all proofs were checked."""


DOCUMENT: TypeAlias = CheckedProofsJson


def document(
    checked: "Sequence[CheckedFile]", theorems: "Sequence[CheckedTheorem]", ended_by: str | None = None
) -> CheckedProofsJson:
    """Return the document for these files."""
    from arcproof.properties.proving.proof_files import rules_of

    return CheckedProofsJson(
        arcproof=__version__,
        proofs=tuple(
            CheckedFileJson(str(file.obligation), str(file.proof), file.refused is None, file.refused, file.steps)
            for file in checked
        ),
        theorems=tuple(CheckedTheoremJson(t.system, t.claim, t.obligations, t.accepted) for t in theorems),
        rules=dict(sorted(rules_of(checked).items())),
        ended_by=ended_by,
    )

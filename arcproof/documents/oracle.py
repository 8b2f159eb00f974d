"""`arcproof oracle --json`."""

from typing import TYPE_CHECKING, TypeAlias

from arcproof._version import __version__
from arcproof.documents.shared import CounterexampleJson, Natural, Sha256, Verdict, counterexample
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.properties.finding import Finding
    from arcproof.properties.studies.costs import CostStudy
    from arcproof.properties.studies.derivation import Derived


@dataclass(frozen=True)
class CostVerdictJson:
    """What was found about a dynamic oracle of the figure."""

    claim: str
    met: bool | None
    verdict: Verdict
    detail: str
    counterexample: CounterexampleJson | None


@dataclass(frozen=True)
class DerivedCostJson:
    """What a transition costs where a pattern matches."""

    transition: str
    pattern: str
    cost: str


@dataclass(frozen=True)
class UnfittedJson:
    """A transition for which no costs were found."""

    transition: str
    pattern: str
    why: str


@dataclass(frozen=True)
class DerivedCostsJson:
    """Costs that were found from the figure alone."""

    lines: tuple[DerivedCostJson, ...]
    unfitted: tuple[UnfittedJson, ...]
    learned: Natural
    """The number of words up to which all situations were used to find the costs."""
    exact: bool
    """Whether all situations were tried and nothing refutes them."""
    checked_beyond: bool
    """Whether that also held with more words than they were found from."""
    detail: str | None


@dataclass(frozen=True)
class CostsJson:
    """What is known about the costs of a figure's transitions."""

    arcproof: str
    system: str
    spec_sha256: Sha256
    graphs: str
    """The class of the gold graphs."""
    words: Natural
    verdicts: tuple[CostVerdictJson, ...]
    derived: DerivedCostsJson | None
    note: str | None
    """What ended the run early."""


DOCUMENT: TypeAlias = CostsJson


def document(found: "CostStudy") -> CostsJson:
    """Return the document for a study of costs."""
    from arcproof.transitions.printing.notation import class_text

    return CostsJson(
        arcproof=__version__,
        system=found.system.name,
        spec_sha256=found.system.sha256,
        graphs=class_text(found.graphs),
        words=found.words,
        verdicts=tuple(_verdict(found, finding) for finding in found.findings),
        derived=None if found.derived is None else _derived(found.derived),
        note=found.ended_by,
    )


def _verdict(found: "CostStudy", finding: "Finding") -> CostVerdictJson:
    from arcproof.properties.property import text_of
    from arcproof.reports.sentences import evidence_text

    evidence = finding.evidence[0]
    return CostVerdictJson(
        text_of(found.system, finding.question),
        finding.met,
        evidence.verdict.value,
        evidence_text(evidence),
        counterexample(finding.counterexample),
    )


def _derived(derived: "Derived") -> DerivedCostsJson:
    from arcproof.reports.costs import evidence
    from arcproof.transitions.printing.notation import SOURCE, cost_text, pattern_text

    def shown(pattern: "tuple[object, ...]") -> str:
        return ", ".join(pattern_text(part, SOURCE) for part in pattern)  # type: ignore[arg-type]

    return DerivedCostsJson(
        tuple(
            DerivedCostJson(line.transition, shown(line.pattern or ()), cost_text(line, SOURCE))
            for line in derived.lines
        ),
        tuple(UnfittedJson(one.transition, shown(one.pattern), one.why) for one in derived.unfitted),
        derived.learned,
        derived.is_exact,
        derived.is_checked_beyond,
        None if derived.oracle is None else evidence(derived),
    )

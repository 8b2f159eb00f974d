"""What is known about the costs of a figure's transitions: its dynamic oracles, checked against the true costs, or a
derived one.
"""

from collections.abc import Iterator

from arcproof.process.interruption import what_ended
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.shown import Shown, WithDocument, WithTable
from arcproof.properties.engines.engine import EngineName
from arcproof.properties.engines.levels import Levels
from arcproof.properties.evidence import CutShort, Exhausted, Open
from arcproof.properties.examine import check_claim
from arcproof.properties.finding import Finding
from arcproof.properties.studies.derivation import Derived, default_class, derive, levels_of
from arcproof.transitions import syntax as s
from arcproof.transitions.system import System


@dataclass(frozen=True, repr=False)
class CostStudy(Shown, WithDocument, WithTable):
    """The findings about each dynamic oracle, or the costs that were derived; `ended_by` says what ended the run
    early.
    """

    system: System
    graphs: s.GraphClass
    words: int
    findings: tuple[Finding, ...] = ()
    derived: Derived | None = None
    ended_by: str | None = None

    @property
    def exit_code(self) -> int:
        """0 if every cost is right, 1 if one is wrong, 3 if that is open."""
        if any(finding.met is False for finding in self.findings):
            return 1
        wanting = self.derived is not None and not self.derived.is_exact
        short = any(finding.met is None or finding.exhausted_to < self.words for finding in self.findings)
        return 3 if self.ended_by or wanting or short else 0

    @property
    def is_cut_short(self) -> bool:
        """Whether there were too many situations before the requested number of words was reached."""
        pieces = (piece for finding in self.findings for piece in finding.evidence)
        return any(isinstance(piece, Exhausted) and piece.words < self.words and piece.limit for piece in pieces)


def study(
    system: System, graphs: s.GraphClass | None, words: int, is_derived: bool, engine: EngineName = "interpreter"
) -> CostStudy:
    """Check the dynamic oracles of a figure, or derive one; Ctrl-C ends the study with what is known by then."""
    asked = system.class_with_parameters(default_class(system) if graphs is None else graphs)
    kinds = (s.Exact, s.Safe, s.NeverStuck)
    claims = [s.Claim(kind(oracle.name, asked)) for oracle in system.figure.dynamic_oracles for kind in kinds]
    findings: dict[s.Claim, Finding] = {}
    ended_by = None
    try:
        if is_derived:
            return CostStudy(system, asked, words, derived=derive(system, asked, words, engine=engine))
        levels = levels_of(system, words, engine)
        for claim in claims:
            for finding in _deeper_and_deeper(levels, claim):
                findings[claim] = finding
    except KeyboardInterrupt as interruption:
        ended_by = what_ended(interruption)
    if is_derived:
        claims = []
    shown = (findings.get(claim) or Finding(system, claim, (Open(None, CutShort(ended_by or "")),)) for claim in claims)
    return CostStudy(system, asked, words, tuple(shown), ended_by=ended_by)


def _deeper_and_deeper(levels: Levels, claim: s.Claim) -> Iterator[Finding]:
    """Yield what is found with 1, 2, … words, so that something is known when time runs out."""
    for words in range(1, levels.words + 1):
        finding = check_claim(levels.up_to(words), claim)
        yield finding
        if finding.met is False or 0 <= finding.exhausted_to < words:
            return

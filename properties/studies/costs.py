"""What is known about the costs of a figure's transitions: its dynamic oracles held against the truth, or one derived."""

from arcproof.properties.engines.engine import EngineName
from arcproof.properties.examine import check_claim
from arcproof.properties.finding import Finding
from arcproof.properties.studies.derivation import Derived, default_class, derive, levels_of
from arcproof.transitions import syntax as s
from arcproof.transitions.system import System

from arcproof.process.interruption import what_ended
from arcproof.process.lazy_dataclass import dataclass


@dataclass(frozen=True)
class CostStudy:
    """The findings about each dynamic oracle, or the costs that were derived; `ended_by` says what ended the work early."""

    system: System
    graphs: s.GraphClass
    words: int
    findings: tuple[Finding, ...] = ()
    derived: Derived | None = None
    ended_by: str | None = None

    @property
    def exit_code(self) -> int:
        """0 if everything is as it should be, 1 if a cost is wrong, 3 if that is open."""
        if any(finding.met is False for finding in self.findings):
            return 1
        wanting = self.derived is not None and not self.derived.is_exact
        return 3 if self.ended_by or wanting or self.is_cut_short or any(f.met is None for f in self.findings) else 0

    @property
    def is_cut_short(self) -> bool:
        """Whether there were too many situations before the number of words asked for."""
        return any(finding.met and finding.exhausted_to < self.words for finding in self.findings)


def study(
    system: System, graphs: s.GraphClass | None, words: int, is_derived: bool, engine: EngineName = "interpreter"
) -> CostStudy:
    """Check the dynamic oracles of a figure, or derive one; Ctrl-C ends it with what is known by then."""
    asked = system.class_with_parameters(default_class(system) if graphs is None else graphs)
    findings: list[Finding] = []
    try:
        if is_derived:
            return CostStudy(system, asked, words, derived=derive(system, asked, words, engine=engine))
        for oracle in system.figure.dynamic_oracles:
            for kind in (s.Exact, s.Safe, s.NeverStuck):
                findings.append(check_claim(levels_of(system, words, engine), s.Claim(kind(oracle.name, asked))))
    except KeyboardInterrupt as interruption:
        return CostStudy(system, asked, words, tuple(findings), ended_by=what_ended(interruption))
    return CostStudy(system, asked, words, tuple(findings))

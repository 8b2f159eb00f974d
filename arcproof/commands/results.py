"""The results of commands for which no study has a type: what commands print, and functions return."""

from typing import TYPE_CHECKING

from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.shown import Shown, WithDocument, WithLatex, WithPicture, WithTable

if TYPE_CHECKING:
    from arcproof.classifiers.experiment import ResultTable
    from arcproof.classifiers.graph_scores import GraphScores
    from arcproof.classifiers.parser import Parser
    from arcproof.classifiers.scores import Scores
    from arcproof.documents.evaluate import DifferenceJson, Tagging
    from arcproof.documents.evaluate_graphs import GraphDifferenceJson
    from arcproof.editors.diagnosis import Diagnosis
    from arcproof.generators.treebank import Tally
    from arcproof.properties.engines.engine import Engine
    from arcproof.properties.engines.levels import Levels
    from arcproof.properties.proving.proof_files import CheckedFile, CheckedTheorem
    from arcproof.properties.proving.prove import ProofReport
    from arcproof.properties.proving.theorem import Theorem
    from arcproof.properties.studies.compare import SystemComparison
    from arcproof.properties.studies.counts import LevelSummary
    from arcproof.properties.studies.coverage import Covered, GraphSpread, Spread
    from arcproof.properties.studies.mutation import MutationReport
    from arcproof.transitions.configuration import Derivation
    from arcproof.transitions.errors import ArcproofError, Diagnostic
    from arcproof.transitions.library import Entry
    from arcproof.transitions.system import System


@dataclass(frozen=True, repr=False)
class Listing(Shown, WithDocument, WithTable):
    """The built-in systems: name, citation and claims of each."""

    entries: "tuple[Entry, ...]"

    @property
    def names(self) -> tuple[str, ...]:
        """The names that `load` accepts."""
        return tuple(entry.name for entry in self.entries)


@dataclass(frozen=True, repr=False)
class CheckedSpecification(Shown, WithDocument, WithTable):
    """A specification with its problems, or with the error that kept it from being read."""

    file: str
    found: "Diagnosis | ArcproofError"

    @property
    def is_sound(self) -> bool:
        """Whether there are no errors; there may be warnings."""
        return not isinstance(self.found, Exception) and self.found.is_sound

    @property
    def system(self) -> "System | None":
        """The system, if there are no errors."""
        return None if isinstance(self.found, Exception) or not self.found.is_sound else self.found.system

    @property
    def problems(self) -> "tuple[Diagnostic, ...]":
        """The errors and warnings in the order of the text; none if there is nothing to read."""
        return () if isinstance(self.found, Exception) else self.found.diagnostics


@dataclass(frozen=True, repr=False)
class CheckedSpecifications(Shown, WithDocument, WithTable):
    """The specifications that were read."""

    files: tuple[CheckedSpecification, ...]

    @property
    def exit_code(self) -> int:
        """0 if there is no error, else 2."""
        return 0 if all(file.is_sound for file in self.files) else 2


@dataclass(frozen=True, repr=False)
class Trace(Shown, WithDocument, WithTable, WithPicture, WithLatex):
    """The derivation of a gold graph; without an oracle, a shortest run.  `forms` are the words, if known."""

    system: "System"
    oracle: str | None
    derivation: "Derivation"
    forms: tuple[str, ...] | None = None

    def to_tikz(self, *, steps: bool = False, full: bool = False, fragment: bool = False) -> str:
        """Draw the graph with tikz-dependency, or with `steps` each configuration; a fragment has no document class."""
        from arcproof.reports import tikz

        if steps:
            return tikz.steps_to_tikz(self.system, self.derivation, self.forms, full=full, fragment=fragment)
        return tikz.to_tikz(self.derivation.graph, self.forms, fragment=fragment)

    def to_beamer(self, *, full: bool = False, fragment: bool = False) -> str:
        """Return beamer slides, one for each step; a fragment has no document class."""
        from arcproof.reports.tikz import to_beamer

        return to_beamer(self.system, self.oracle, self.derivation, self.forms, full=full, fragment=fragment)

    def svg_steps(self, *, full: bool = False) -> list[str]:
        """Draw each configuration as an SVG image."""
        from arcproof.reports.steps import svg_steps

        return svg_steps(self.system, self.derivation, self.forms, full=full)

    def tikz_steps(self, *, full: bool = False, fragment: bool = False) -> list[str]:
        """Draw each configuration with tikz-dependency, in a text of its own; a fragment has no document class."""
        from arcproof.reports.tikz import tikz_steps

        return tikz_steps(self.system, self.derivation, self.forms, full=full, fragment=fragment)


@dataclass(frozen=True, repr=False)
class ExploredSystem(Shown, WithDocument, WithTable):
    """The levels of a system that were explored; `words` is how many were requested."""

    system: "System"
    engine: "Engine"
    levels: "tuple[LevelSummary, ...]"
    words: int
    ended_by: str | None = None

    @property
    def exit_code(self) -> int:
        """0 if every level is complete, else 3."""
        return 0 if len(self.levels) == self.words and self.levels[-1].complete else 3


@dataclass(frozen=True, repr=False)
class ProvedSystems(Shown, WithDocument, WithTable):
    """What was proved about systems; `ended_by` says what ended the work early."""

    reports: "tuple[ProofReport, ...]"
    ended_by: str | None = None

    @property
    def theorems(self) -> "tuple[Theorem, ...]":
        """The theorems of all systems."""
        return tuple(theorem for report in self.reports for theorem in report.theorems)

    @property
    def exit_code(self) -> int:
        """0 everything is proved, 1 something is refuted, 3 something is open; what a limit cut short is open."""
        codes = {report.exit_code for report in self.reports}
        return 1 if 1 in codes else max({*codes, *([3] if self.ended_by is not None else [])})


@dataclass(frozen=True, repr=False)
class CheckedProofs(Shown, WithDocument, WithTable):
    """The proofs that were checked, and for each theorem of an index how many of its obligations are accepted."""

    files: "tuple[CheckedFile, ...]"
    theorems: "tuple[CheckedTheorem, ...]"
    ended_by: str | None = None

    @property
    def refused(self) -> "tuple[CheckedFile, ...]":
        """The proofs that are not accepted."""
        return tuple(file for file in self.files if file.refused is not None)

    @property
    def exit_code(self) -> int:
        """0 if every proof is accepted, 1 if one is refused or missing, 3 if the work ended before all were checked."""
        if self.refused:
            return 1
        if self.ended_by is not None:
            return 3
        return 1 if any(theorem.accepted < theorem.obligations for theorem in self.theorems) else 0


@dataclass(frozen=True, repr=False)
class Mutations(Shown, WithDocument, WithTable):
    """The mutants of systems; `left` are the systems that were not reached before an interruption."""

    reports: "tuple[MutationReport, ...]"
    left: "tuple[System, ...]" = ()
    ended_by: str | None = None

    @property
    def exit_code(self) -> int:
        """0 if every mutant is decided, else 3."""
        return 3 if self.left else max(report.exit_code for report in self.reports)


@dataclass(frozen=True, repr=False)
class ComparedSystems(Shown, WithDocument, WithPicture):
    """A comparison of two systems, how far each was explored, and how many words were requested."""

    result: "SystemComparison"
    levels: "tuple[Levels, Levels]"
    words: int

    @property
    def relation(self) -> str:
        """How the graphs of the first system relate to those of the second: `equal`, `contained`, `contains`,
        `neither`.
        """
        return self.result.relation

    @property
    def exit_code(self) -> int:
        """0 if as many words were compared as requested, else 3."""
        return 0 if self.result.words >= self.words > 0 else 3


@dataclass(frozen=True, repr=False)
class TreebankCoverage(Shown, WithDocument, WithTable):
    """How much of treebanks the systems derive: trees, and graphs for figures with several heads."""

    trees: "tuple[tuple[str, Spread, list[Covered]], ...]"
    graphs: "tuple[tuple[str, Tally, GraphSpread, list[Covered]], ...]"
    is_complete: bool
    ended_by: str | None = None

    @property
    def exit_code(self) -> int:
        """0 if all files are done, else 3."""
        return 0 if self.is_complete else 3


@dataclass(frozen=True, repr=False)
class TrainedParser(Shown, WithDocument):
    """A parser and what it was trained on; `output` is the file it was written to, if any."""

    parser: "Parser"
    treebanks: tuple[str, ...]
    sentences: int
    seconds: float
    output: str | None = None


@dataclass(frozen=True, repr=False)
class ParsedTreebank(Shown, WithDocument):
    """The text of a parsed treebank, unless it was written to a file; `wrong` are contradictions, if it was checked."""

    parser: "Parser"
    treebank: str
    seconds: float
    wrong: tuple[str, ...] | None = None
    text: str | None = None

    @property
    def exit_code(self) -> int:
        """4 if the interpreter disagrees, else 0."""
        return 4 if self.wrong else 0


@dataclass(frozen=True, repr=False)
class Evaluation(Shown, WithDocument, WithTable):
    """The scores of each file, and how it differs from the first."""

    gold: str
    punctuation: bool
    results: "tuple[tuple[str, Scores], ...]"
    differences: "tuple[DifferenceJson | None, ...]"
    tagging: "tuple[Tagging, ...]"


@dataclass(frozen=True, repr=False)
class GraphEvaluation(Shown, WithDocument, WithTable):
    """The scores of each file of graphs, and how it differs from the first."""

    gold: str
    results: "tuple[tuple[str, GraphScores], ...]"
    differences: "tuple[GraphDifferenceJson | None, ...]"


@dataclass(frozen=True, repr=False)
class ExperimentResults(Shown, WithDocument, WithTable):
    """The cells of an experiment; its tables are in the folder `output`."""

    table: "ResultTable"
    output: str
    ended_by: str | None = None

    @property
    def exit_code(self) -> int:
        """0 if all cells are there, 3 if not, 4 if the interpreter finds fault with a parse."""
        if any(cell["wrong"] for cell in self.table.cells.values()):
            return 4
        return 0 if self.ended_by is None else 3

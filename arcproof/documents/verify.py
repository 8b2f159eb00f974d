"""`arcproof verify --json`."""

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from arcproof._version import __version__
from arcproof.documents import prove, repair
from arcproof.documents.shared import (
    Arcs,
    CounterexampleJson,
    Heads,
    Natural,
    Relation,
    Sha256,
    Verdict,
    counterexample,
    heads_and_arcs,
)
from arcproof.documents.wire import Limits
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.properties.checks.class_of import ClassRelation
    from arcproof.properties.checks.oracle_quality import OracleQuality
    from arcproof.properties.checks.preconditions import Need
    from arcproof.properties.checks.useful import Use
    from arcproof.properties.deepening import Deepened, Reach
    from arcproof.properties.finding import Finding
    from arcproof.properties.property import Question
    from arcproof.properties.report import Report, SystemReport


@dataclass(frozen=True)
class FindingJson:
    """A claim or a check, with its verdict."""

    claim: str
    """The kind of claim, such as `sound`."""
    of: str | None
    """What it is about, such as `projective forests`."""
    kind: Annotated[str, Limits(one_of=("plain", "negated", "refuted", "check"))]
    """`plain`: the figure claims it; `negated`: the figure claims that it is false; `refuted`: the figure says that a
    published claim is refuted; `check`: it is checked for every figure.
    """
    text: str
    """The claim as the figure writes it."""
    verdict: Verdict
    met: bool | None
    """Whether the claim is met; null if the verdict leaves that open."""
    words: Natural | None
    """Everything up to this many words was tried, or some of it if the verdict is `sampled`; a counterexample has
    exactly this many.
    """
    engine: str
    solvers: tuple[str, ...]
    seconds: float
    seed: int | None
    """The seed of the samples."""
    assumptions: tuple[str, ...]
    detail: str
    """What was examined, in words."""
    counterexample: CounterexampleJson | None
    proof: prove.TheoremJson | None
    """What the prover found, if it was asked."""
    reached: "ReachJson | None" = None
    """How far a self-deepening search got with this question."""
    convention: str | None = None
    """What the verdict takes for granted about words without a head; left out if it does not matter."""


@dataclass(frozen=True)
class ReachJson:
    """How far a question was tried, and what going further would cost."""

    words: Natural
    next_seconds: float | None
    """The seconds that one more word is expected to take; null if it would change nothing."""


@dataclass(frozen=True)
class NextLevelJson:
    """What one more word is expected to cost, for everything that got this far."""

    words: Natural
    configurations: Natural
    bytes: Natural
    seconds: float
    refused: str | None
    """Why memory does not allow it."""


@dataclass(frozen=True)
class DeepenedJson:
    """The course of a self-deepening search."""

    seconds: float
    """The time it was given."""
    words: Natural
    """The greatest number of words that was explored."""
    next_level: NextLevelJson | None
    """What the next level would cost; null if there is nothing more to do."""


@dataclass(frozen=True)
class UnexploredJson:
    """A level that was not explored."""

    words: Natural
    past_terminal: bool
    """Whether runs were followed beyond terminal configurations."""
    reason: str


@dataclass(frozen=True)
class ClassJson:
    """How the outputs relate to a class of graphs."""

    class_: str
    relation: Relation
    output_outside: Arcs | None
    """The smallest output that is not in the class."""
    member_missing: Heads | None
    """The smallest graph of the class that is not an output."""
    words: Natural
    missing_arcs: Arcs | None = None
    """The arcs of that graph, if it cannot be written as a list of heads."""


@dataclass(frozen=True)
class OracleJson:
    """Whether an oracle takes shortest derivations."""

    oracle: str
    class_: str
    shortest: bool
    longer_on: Heads | None
    """The smallest graph for which it takes more transitions than are needed."""
    taken: Natural
    needed: Natural
    words: Natural
    longer_arcs: Arcs | None = None
    """The arcs of that graph, if it cannot be written as a list of heads."""


@dataclass(frozen=True)
class UseJson:
    """Whether a transition is needed, and what for."""

    transition: str
    occurs: bool
    """Whether any run that ends takes it."""
    lost_without: Heads | None
    """The smallest output that is not derived without it."""
    words: Natural
    lost_arcs: Arcs | None = None
    """The arcs of that output, if it cannot be written as a list of heads."""
    line: Natural | None = None
    """The line of its case, if it has several, each of which is left out in turn."""
    breaks: str | None = None
    """The claim or check that fails without it although the same graphs are derived."""


@dataclass(frozen=True)
class NeedJson:
    """What dropping a precondition does."""

    transition: str
    precondition: str
    status: Literal["needed", "redundant", "free", "unknown"]
    breaks: str | None
    """The claim or check that fails without it."""
    words: Natural
    counterexample: CounterexampleJson | None
    problem: str | None = None
    """Why the figure without it is not valid."""
    line: Natural | None = None
    """The line of its case, if the transition has several."""


@dataclass(frozen=True)
class VerifiedJson:
    """Everything about one system."""

    system: str
    spec_sha256: Sha256
    words: Natural
    seconds: float
    note: str | None
    """Why the interpreter explored although native code was requested."""
    skipped: tuple[UnexploredJson, ...]
    claims: tuple[FindingJson, ...]
    checks: tuple[FindingJson, ...]
    """What is checked for every figure."""
    classes: tuple[ClassJson, ...]
    oracles: tuple[OracleJson, ...]
    transitions: tuple[UseJson, ...]
    preconditions: tuple[NeedJson, ...]
    redundancies: prove.RedundanciesJson | None
    """What is proved about preconditions; null if nothing is."""
    deepened: DeepenedJson | None = None
    """How far the search went by itself; only if no number of words was given."""
    repairs: tuple[repair.SuggestionJson, ...] | None = None
    """Figures one edit away that meet every claim, the best first; only where something is refuted."""
    convention: str | None = None
    """How words without a head are read where trees are required; left out if literally."""


@dataclass(frozen=True)
class VerificationJson:
    """Claims and their verdicts."""

    arcproof: str
    interrupted: bool
    systems: tuple[VerifiedJson, ...]


DOCUMENT: TypeAlias = VerificationJson


def document(report: "Report") -> VerificationJson:
    """Return the document for the whole report."""
    return VerificationJson(__version__, report.interrupted, tuple(map(_system, report.systems)))


def _system(report: "SystemReport") -> VerifiedJson:
    depth = report.depth
    return VerifiedJson(
        system=report.system.name,
        spec_sha256=report.system.sha256,
        words=report.words,
        seconds=round(report.seconds, 3),
        note=report.note,
        skipped=tuple(UnexploredJson(left.words, left.past_terminal, left.reason) for left in report.skipped),
        claims=tuple(finding(found, report.deepened) for found in report.claims),
        checks=tuple(finding(found, report.deepened) for found in report.checks),
        classes=tuple(map(_class, depth.classes)),
        oracles=tuple(map(_oracle, depth.qualities)),
        transitions=tuple(map(_use, depth.uses)),
        preconditions=tuple(map(_need, depth.needs)),
        redundancies=prove.redundancies(depth.redundancies),
        deepened=None if report.deepened is None else _deepened(report.deepened),
        repairs=None if depth.repairs is None else repair.suggestions(depth.repairs),
        convention=report.system.convention,
    )


def _deepened(found: "Deepened[Question | str]") -> DeepenedJson:
    level = found.next_level
    following = None
    if level is not None:
        seconds = round(level.seconds, 3)
        following = NextLevelJson(level.words, level.configurations, level.bytes, seconds, level.refused)
    return DeepenedJson(found.seconds, found.words, following)


def _reach(found: "Reach") -> ReachJson:
    return ReachJson(found.words, None if found.next_seconds is None else round(found.next_seconds, 3))


def finding(found: "Finding", deepened: "Deepened[Question | str] | None" = None) -> FindingJson:
    """Return the part of the document about one claim or one check."""
    from arcproof.reports.sentences import detail_text

    reach = None if deepened is None else deepened.reached.get(found.question)
    return FindingJson(
        claim=found.claim,
        of=found.of,
        kind=found.kind,
        text=found.text,
        verdict=found.verdict.value,
        met=found.met,
        words=found.words,
        engine=found.engine,
        solvers=found.solvers,
        seconds=round(found.seconds, 3),
        seed=found.seed,
        assumptions=found.assumptions,
        detail=detail_text(found),
        counterexample=counterexample(found.counterexample),
        proof=None if found.theorem is None else prove.theorem(found.system, found.theorem),
        reached=None if reach is None else _reach(reach),
        convention=found.convention,
    )


def _class(found: "ClassRelation") -> ClassJson:
    from arcproof.transitions.printing.notation import class_text

    outside = None if found.outside is None else tuple(found.outside.sorted_arcs())
    heads, arcs = heads_and_arcs(found.missing)
    return ClassJson(class_text(found.graphs), found.relation, outside, heads, found.words, arcs)


def _oracle(found: "OracleQuality") -> OracleJson:
    from arcproof.transitions.printing.notation import class_text

    heads, arcs = heads_and_arcs(found.longer_on)
    return OracleJson(
        oracle=found.oracle,
        class_=class_text(found.graphs),
        shortest=found.longer_on is None and found.derived > 0,
        longer_on=heads,
        taken=found.taken,
        needed=found.needed,
        words=found.words,
        longer_arcs=arcs,
    )


def _use(found: "Use") -> UseJson:
    heads, arcs = heads_and_arcs(found.lost)
    breaks = None if found.broken is None else found.broken.question
    return UseJson(found.transition, found.occurs, heads, found.words, arcs, found.line, breaks)


def _need(found: "Need") -> NeedJson:
    return NeedJson(
        transition=found.transition,
        precondition=found.precondition,
        status=found.status,
        breaks=found.breaks,
        words=found.words,
        counterexample=counterexample(found.counterexample),
        problem=found.problem,
        line=found.line,
    )

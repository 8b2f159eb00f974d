"""One object per property: everything about a kind of question is in its file.

A *question* is a statement that a figure may claim (`syntax.Statement`) or a check that every figure gets (`Check`).
Its property defines it, in the docstring of its file, and says how to check all configurations, a single run, or a
graph; how to prove it; what it is called; and whether a check counts.  The files are those of the packages `claims` and
`checks`; each lists its properties in `PROPERTIES`, and no other module has to know them.

Claims are ordered as in `syntax.Statement`; checks come after them, by their `place`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, ClassVar, Final, Generic, NamedTuple, TypeAlias, TypeVar, cast, get_args

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.long_runs import LongRuns, RunCheck
from arcproof.properties.engines.sampled_graphs import GraphCheck
from arcproof.properties.evidence import Counterexample, Evidence, WhyOpen
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Transition
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.graph import Arc, Graph, graph_of
from arcproof.transitions.printing.notation import claim_text, statement_text
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover
    from arcproof.properties.proving.theorem import Theorem

PACKAGES: Final = ("arcproof.properties.claims", "arcproof.properties.checks")


class Check:
    """A question that every figure is asked, whatever it claims; its fields say what it is about."""

    __slots__ = ()


Asked: TypeAlias = s.Statement | Check
Question: TypeAlias = s.Claim | Asked
Q = TypeVar("Q", bound=Asked)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table on the page: its title and its meaning."""

    title: str
    meaning: str


class Parts(NamedTuple):
    """What a question is called, and what it is about, as the JSON contract splits them."""

    name: str
    of: str | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """The name of a transition or of a system in a sentence."""

    name: str
    is_transition: bool = False


Sentence: TypeAlias = tuple[str | s.Term | s.GraphClass | Named, ...]
"""A statement as a mathematical sentence: words, formulas, classes and names, for reports to typeset."""

AMOUNTS: Final[dict[s.Bounding, str]] = {"=": "exactly", "<=": "at most", ">=": "at least"}


@dataclass(frozen=True, slots=True)
class GraphQuestion:
    """A question about random graphs of a class; `undecided` collects the graphs that the check cannot decide."""

    graphs: s.GraphClass
    check: GraphCheck
    undecided: list[Graph]


@dataclass(frozen=True, slots=True)
class SituationQuestion:
    """A question about a random run, complete or not, on the way to a random graph of a class."""

    graphs: s.GraphClass
    check: Callable[[Graph, tuple[Transition, ...]], Counterexample | None]


class Property(ABC, Generic[Q]):
    """A kind of question."""

    questions: ClassVar[tuple[type[Asked], ...]]
    column: ClassVar[Column | None] = None
    counts: ClassVar[bool] = False
    """Whether a failure of the check decides the exit code; that of a claim always does."""
    place: ClassVar[int] = 0
    """The position of a check among the checks."""
    follows_oracles: ClassVar[bool] = False
    """Whether the answer depends on the figure's oracles, and not on its runs alone."""
    is_costly: ClassVar[bool] = False
    """Whether checking it explores more than the figure itself."""
    goals_are_parts: ClassVar[bool] = False
    """Whether a proof goal that fails in a reachable configuration refutes the statement."""

    @abstractmethod
    def parts(self, system: System, question: Q) -> Parts:
        """The name of the question, and its subject."""

    @abstractmethod
    def check(self, levels: Levels, question: Q) -> Evidence:
        """Try everything up to the levels' number of words."""

    def sentence(self, question: Q) -> Sentence:
        """The claim as a sentence; a question that figures cannot claim has none."""
        raise TypeError(f"a figure cannot claim {type(question).__name__}")

    def said_of(self, system: System, question: Q) -> Sentence:
        """The claim as a sentence about a system; `sentence`, unless the figure changes what the claim means."""
        return self.sentence(question)

    def asked(self, system: System) -> Iterable[Q]:
        """The questions of this kind that are checked for a figure even though it does not claim them."""
        return ()

    def check_witness(self, levels: Levels, question: Q, witness: Graph) -> Evidence:
        """Whether a graph that the claim names refutes the statement."""
        raise TypeError(f"{type(question).__name__} has no witness: {levels.system.name}, {witness}")

    def run_check(self, system: System, question: Q) -> RunCheck | None:
        """The check of a single run; None if the question is not about individual runs."""
        return None

    def graph_check(self, runs: LongRuns, question: Q) -> GraphQuestion | None:
        """The check of a single graph; None if the question is not about individual graphs."""
        return None

    def situation_check(self, system: System, question: Q) -> SituationQuestion | None:
        """The check of a run on the way to a graph; None if the question is not about such runs.  `verify` does not
        sample them: each costs a search of its own.
        """
        return None

    def worth_sampling(self, question: Q, found: Evidence) -> bool:
        """Whether samples can add to what the exhaustive engine found."""
        return True

    def why_not_sampled(self, system: System, question: Q) -> WhyOpen | None:
        """Why samples would be inconclusive, if that is known in advance."""
        return None

    def prove(self, prover: "Prover", claim: s.Claim, question: Q) -> "Theorem":
        """A proof for sentences of every length, or the reason why there is none."""
        return prover.without_method(claim)

    def because(self, system: System, question: Q, found: Counterexample) -> str | None:
        """Anything else there is to say about the graph at fault."""
        return None

    def oracle(self, question: Q) -> str | None:
        """The oracle that the question is about."""
        return None


# --- the registry ----------------------------------------------------------------------------------------------------


class NoProperty(LookupError):
    """A kind of question that no file of `claims` or `checks` defines."""


@cache
def properties() -> dict[type[object], Property[Asked]]:
    """Every property, by the kinds of question that it answers, in order."""
    found: dict[type[object], Property[Asked]] = {}
    for package in PACKAGES:
        for module in iter_modules(import_module(package).__path__, f"{package}."):
            for known in _of(import_module(module.name)):
                found |= dict.fromkeys(known.questions, known)
    claims: Sequence[type[object]] = get_args(s.Statement)
    checks = sorted((kind for kind in found if kind not in claims), key=lambda kind: found[kind].place)
    return {kind: found[kind] for kind in (*(kind for kind in claims if kind in found), *checks)}


def _of(module: object) -> "tuple[Property[Asked], ...]":
    return getattr(module, "PROPERTIES", ())


def property_of(question: Q) -> Property[Q]:
    """The property that answers a statement or check."""
    kind: type[object] = type(question)
    known = properties().get(kind)
    if known is None:
        raise NoProperty(f"no property answers {type(question).__name__}")
    return cast(Property[Q], known)


def asked_of(question: Question) -> Asked:
    """The statement of a claim, negated or not; a check is its own question."""
    return question.statement if isinstance(question, s.Claim) else question


def parts_of(system: System, question: Question) -> Parts:
    """The name of a question and what it is about."""
    asked = asked_of(question)
    name, of = property_of(asked).parts(system, asked)
    return Parts(f"not {name}" if isinstance(question, s.Claim) and question.kind == "negated" else name, of)


def text_of(system: System, question: Question) -> str:
    """A claim as the figure writes it; a check by its name and what it is about."""
    if isinstance(question, s.Claim):
        return claim_text(question)
    name, of = parts_of(system, question)
    return name if of is None else f"{name}: {of}"


def convention_of(system: System, question: object) -> str | None:
    """What a verdict takes for granted about words without a head: with `root none`, that they attach to 0.

    For forests, soundness, completeness and arc-decomposability are about the outputs as they are.
    """
    asked = question.statement if isinstance(question, s.Claim) else question
    match asked:
        case s.SameOutputs(name) | s.SameTransitions(name):
            return system.convention or _convention_of_the_other(system, name)
        case s.Sound(graphs) | s.CompleteFor(graphs) | s.ArcDecomposable(graphs):
            matters = graphs.base == "trees"
        case _:
            matters = any(isinstance(part, s.GraphClass) for part in s.walk(asked))
    return system.convention if matters else None


def _convention_of_the_other(system: System, reference: str) -> str | None:
    """The convention of a system that a claim names; None if the system cannot be read: then the claim stays open."""
    try:
        return system.other(reference).convention
    except ArcproofError:
        return None


def title_of(system: System, question: Question) -> str:
    """A question as reports print it: `sound trees (words without a head attach to 0)`."""
    return qualified(text_of(system, question), convention_of(system, question))


def qualified(text: str, convention: str | None) -> str:
    """The text of a question, followed by what is taken for granted."""
    return text if convention is None else f"{text} ({convention})"


def counts(question: Question) -> bool:
    """Whether an answer decides the exit code: answers to claims do, and so do answers to some checks."""
    return isinstance(question, s.Claim) or property_of(question).counts


def checks_of(system: System) -> Iterator[Asked]:
    """Yield the checks that are made for every figure, as far as they concern this one."""
    for known in dict.fromkeys(properties().values()):
        yield from known.asked(system)


def columns() -> dict[Column, None]:
    """The columns of the table, in order."""
    return dict.fromkeys(known.column for known in properties().values() if known.column is not None)


# --- what statements have in common ----------------------------------------------------------------------------------


def is_claimed(system: System, kind: type[s.Statement]) -> bool:
    """Whether the figure claims, denies or reports something of this kind."""
    return any(isinstance(claim.statement, kind) for claim in system.figure.claims)


def named_by_words(statement: s.Statement) -> Parts:
    """The name of a statement without parts: its own text."""
    return Parts(statement_text(statement))


def witness_graph(claim: s.Claim) -> Graph:
    """The graph that a claim names."""
    assert claim.witness is not None, "it names none"
    by_arcs = [part for part in claim.witness if not isinstance(part, int)]
    if not by_arcs:
        return graph_of([part for part in claim.witness if isinstance(part, int)])
    arcs = frozenset(Arc(head, None, dependent) for head, dependent in by_arcs)
    return Graph(max(node for pair in by_arcs for node in pair), arcs)


def check_statement(levels: Levels, statement: Asked) -> Evidence:
    """Try everything up to the levels' number of words."""
    return property_of(statement).check(levels, statement)


def run_check(system: System, statement: Asked) -> RunCheck | None:
    """The check of a statement on a single run; None if it is not about individual runs."""
    return property_of(statement).run_check(system, statement)

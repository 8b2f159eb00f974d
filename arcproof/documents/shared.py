"""Parts that several documents share: counterexamples with their graphs and runs, verdicts, solvers, hashes, shares."""

from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

from arcproof.documents.wire import Limits, Part
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arcproof.properties import evidence
    from arcproof.transitions.configuration import Transition as Taken
    from arcproof.transitions.graph import Graph

Natural: TypeAlias = Annotated[int, Limits(minimum=0)]
Positive: TypeAlias = Annotated[int, Limits(minimum=1)]
Seconds: TypeAlias = Annotated[float, Limits(minimum=0)]
Share: TypeAlias = Annotated[float, Limits(minimum=0, maximum=1)]
Sha256: TypeAlias = Annotated[str, Limits(pattern="^[0-9a-f]{64}$")]

Heads: TypeAlias = Annotated[
    tuple[Natural | None, ...], Part("Heads", "The head of each word: 0 for the root, null for a word without a head.")
]
Arc: TypeAlias = Annotated[tuple[Natural, str | None, Natural], Part("Arc", "Head, label and dependent.")]
Arcs: TypeAlias = Annotated[tuple[Arc, ...], Part("Arcs", "The arcs of a graph, by dependent, head and label.")]
Run: TypeAlias = Annotated[
    tuple[str, ...], Part("Run", "The transitions of a run, with their choices and without their labels.")
]

SOLVERS: Final = ("z3", "cvc5")
Solver: TypeAlias = Annotated[str, Limits(one_of=SOLVERS), Part("Solver", "The name of an SMT solver.")]
VERDICTS: Final = ("refuted", "unknown", "unreached", "sampled", "exhausted", "proved")
Verdict: TypeAlias = Annotated[
    str, Limits(one_of=VERDICTS), Part("Verdict", "How much is known about a claim, from weakest to strongest.")
]
Relation: TypeAlias = Annotated[
    Literal["equal", "contained", "contains", "neither"],
    Part(
        "Relation",
        "How the first set of graphs relates to the second: equal, contained in it, containing it, or neither.",
    ),
]


@dataclass(frozen=True)
class CounterexampleJson:
    """Why a claim is false: the graph at fault, the run that leads there, and the reason in words."""

    words: Natural
    """The length of the sentence."""
    heads: Heads | None
    """The heads of the graph at fault; null if there is no graph, or it cannot be written as a list of heads."""
    arcs: Arcs | None
    """The arcs of the graph at fault, which may give a word two heads."""
    transitions: Run | None
    """The run; null if there is none."""
    reason: str
    other_transitions: Run | None = None
    """A second run, if it takes two to show what is wrong: another derivation, or a best ending."""
    best: Arcs | None = None
    """If the graph is a gold graph: the nearest output that could be reached, which is that of the second run."""


def heads_and_arcs(graph: "Graph | None") -> tuple[Heads | None, Arcs | None]:
    """Return the heads of a graph; its arcs instead if it cannot be written as a list of heads."""
    heads = None if graph is None else graph.heads_or_none
    return heads, None if graph is None or heads is not None else tuple(graph.sorted_arcs())


def run_of(transitions: "Iterable[Taken]") -> tuple[str, ...]:
    """The names of the transitions, without labels."""
    return tuple(transition.instance for transition in transitions)


def counterexample(found: "evidence.Counterexample | None") -> CounterexampleJson | None:
    """Return the counterexample of a verdict with its graph and its run, if there is one."""
    if found is None:
        return None
    graph, transitions, other = found.graph, found.transitions, found.other
    return CounterexampleJson(
        words=found.words,
        heads=None if graph is None else graph.heads_or_none,
        arcs=None if graph is None else tuple(graph.sorted_arcs()),
        transitions=None if transitions is None else run_of(transitions),
        reason=found.reason,
        other_transitions=None if other is None else run_of(other),
        best=None if found.best is None else tuple(found.best.sorted_arcs()),
    )

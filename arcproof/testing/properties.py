"""One Hypothesis property for each claim.

A property asks about a drawn sample what `verify` asks about its own samples (`Property.run_check`, `graph_check`): of
a run whether it violates the claim, of a graph whether there is what the claim promises for it.  Graphs are drawn by
`generators.strategies`.  Runs are drawn in three ways: transition by transition; by a policy (`engines.policies`) that
is drawn, which goes to extremes; and as a gold graph to which the oracles lead.  The interpreter takes them all.

Settings, seed, database and statistics are Hypothesis' own.  `target` drives runs to be long and deep and to have many
arcs and many of each transition, and graphs to be deep and to have long arcs and many of them.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from hypothesis import HealthCheck, Phase, given, reject, settings, target
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from arcproof.generators.drawn_run import DrawnRun
from arcproof.generators.enumeration import PROJECTIVE_TREES
from arcproof.generators.graph_classes import contains_graph
from arcproof.generators.graph_shapes import graph_shapes_of
from arcproof.generators.shapes import shapes_of
from arcproof.generators.strategies import graphs_of, runs, trees_of
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.checks.oracle_correct import complete_classes
from arcproof.properties.engines.engine import EngineName, default_engine
from arcproof.properties.engines.long_runs import InterpretedRuns, RunCheck, long_runs
from arcproof.properties.engines.policies import AnyRun, InTurn, LookAhead, Order, Policy, Prefer, taken
from arcproof.properties.engines.sampled import STEADINESSES
from arcproof.properties.engines.sampled_graphs import depth_of
from arcproof.properties.evidence import Cases, Counterexample, NoSampleEnds, Open, Refuted, Sampled, Underived
from arcproof.properties.finding import Finding
from arcproof.properties.property import GraphQuestion, Question, SituationQuestion, asked_of, property_of, text_of
from arcproof.testing.failures import HYPOTHESIS, failure_text
from arcproof.testing.subjects import NoSuchClaim, Subject, claim_of, subject_of
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import ArcproofError, BadArgument
from arcproof.transitions.graph import Graph, Heads, graph_of
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.syntax import GraphClass, SequenceComponent
from arcproof.transitions.system import System

MAX_WORDS: Final = 12
"""The number of words of the longest samples, unless everything is tried up to more."""
MORE_WORDS: Final = 4
"""How many more the longest samples have in any case, and always if a search is needed for each."""
MAX_STEPS: Final = 300
MAX_BITS: Final = 2**32 - 1

Sample: TypeAlias = "AnyRun | Heads | Graph | RunBesideGold"
G = TypeVar("G", Heads, Graph)
Fault: TypeAlias = Callable[[Sample], Counterexample | None]


# --- samples ---------------------------------------------------------------------------------------------------------


def gold_graphs(graphs: GraphClass, min_words: int, max_words: int) -> SearchStrategy[Heads | Graph]:
    """The graphs of a class, and extreme ones among them; those of trees and forests as heads, which are shorter to
    show.
    """
    if graphs.base == "graphs":
        return graphs_of(graphs, min_words=min_words, max_words=max_words) | shaped(
            graph_shapes_of(graphs), min_words, max_words
        )
    return trees_of(graphs, min_words=min_words, max_words=max_words) | shaped(shapes_of(graphs), min_words, max_words)


@st.composite
def shaped(draw: DrawFn, shapes: Sequence[Callable[[int], G | None]], min_words: int, max_words: int) -> G:
    """A graph of one of these shapes."""
    graph = draw(st.sampled_from(shapes))(draw(st.integers(min_words, max_words)))
    return reject() if graph is None else graph


def policies(system: System, max_words: int) -> SearchStrategy[Policy]:
    """Every kind of policy; it shrinks to the transitions in the order of the figure, and to no random decisions."""
    names: Order = tuple(system.transitions)
    orders = st.permutations(names).map(tuple)
    steady = st.builds(
        Prefer, orders, st.none() | orders, switch=st.integers(0, 3 * max_words), instance=st.sampled_from((0, -1))
    )
    draws = st.lists(st.integers(0, MAX_BITS), max_size=4 * max_words).map(tuple)
    wavering = st.builds(replace, steady, steadiness=st.sampled_from(STEADINESSES[::-1]), draws=draws)
    sequences = (k for k, component in enumerate(system.figure.state) if isinstance(component, SequenceComponent))
    looking = [LookAhead(measured, sign) for measured in (None, *sequences) for sign in (1, -1)]
    return steady | wavering | st.sampled_from([InTurn(names), *looking])


def runs_of(system: System, min_words: int, max_words: int, max_steps: int = MAX_STEPS) -> SearchStrategy[AnyRun]:
    """Runs of all kinds."""
    words = st.integers(min_words, max_words)
    by_policy = st.builds(taken, st.just(system), policies(system, max_words), words, st.just(max_steps))
    return runs(system, min_words=min_words, max_words=max_words, max_steps=max_steps) | by_policy


def runs_and_graphs(system: System, min_words: int, max_words: int) -> SearchStrategy[Sample]:
    """Runs, and graphs to which the oracles lead."""
    if not system.figure.oracles:
        return runs_of(system, min_words, max_words)
    anything = GraphClass((), "graphs" if system.figure.several_heads else "trees")
    classes = complete_classes(system) or [PROJECTIVE_TREES.graph_class, anything]
    gold = st.sampled_from([system.class_with_parameters(graphs) for graphs in classes]).flatmap(
        lambda graphs: gold_graphs(graphs, min_words, max_words)
    )
    return runs_of(system, min_words, max_words) | gold


@dataclass(frozen=True, slots=True)
class RunBesideGold:
    """A gold graph, and a run that need not lead to it; every third configuration of it is asked, since each takes a
    search, beginning with the one after `first` transitions.
    """

    gold: Heads | Graph
    run: AnyRun
    first: int = 0

    @property
    def words(self) -> int:
        """The number of words."""
        return self.run.words


@st.composite
def situations(draw: DrawFn, system: System, graphs: GraphClass, min_words: int, max_words: int) -> RunBesideGold:
    """Runs with graphs of a class; the run may lead to another graph."""
    gold = draw(gold_graphs(graphs, min_words, max_words))
    words = as_graph(gold).words
    return RunBesideGold(gold, draw(runs_of(system, words, words)), draw(st.integers(0, 2)))


def as_graph(gold: Heads | Graph) -> Graph:
    """A drawn gold graph as a graph."""
    return gold if isinstance(gold, Graph) else graph_of(gold)


# --- properties ------------------------------------------------------------------------------------------------------


class RefutedBySample(AssertionError):
    """A sample refutes the claim; the message draws it."""

    def __init__(self, subject: Subject, question: Question, evidence: Refuted) -> None:
        """Keep the evidence."""
        super().__init__(failure_text(subject, Finding(subject.system, question, (evidence,))))
        self.evidence = evidence


@dataclass
class SampleTally:
    """How many samples were checked, how many of the runs ended, the most words, and the first undecided graph."""

    checked: int = 0
    ended: int = 0
    longest: int = 0
    undecided: Graph | None = None


@dataclass(frozen=True)
class ClaimProperty:
    """What Hypothesis asks about a claim: where samples come from, and what is wrong with one.

    In a test of your own, with settings and examples of your own:

        complete = claim_property("my-system.tsys", "complete projective trees")

        @example((2, 0))
        @given(complete.samples)
        def test_complete(sample):
            complete.check(sample)
    """

    subject: Subject
    question: Question
    samples: SearchStrategy[Sample]
    fault: Fault
    what: str
    tally: SampleTally = field(default_factory=SampleTally)

    def check(self, sample: Sample) -> None:
        """Raise an `AssertionError` with the sample drawn if it refutes the claim.

        A sample is a run, or a gold graph: a graph, or its heads.  In a claim about runs, a gold graph stands for the
        runs of the oracles that lead to it.
        """
        __tracebackhide__ = True
        if not isinstance(sample, DrawnRun | RunBesideGold | Graph | tuple):
            raise BadArgument(f"{sample!r} is not a sample; a sample is a run, a graph, or heads as in (2, 0, 2)")
        self.tally.checked += 1
        self.tally.longest = max(self.tally.longest, _words(sample))
        found = self.fault(sample)
        if found is not None:
            raise RefutedBySample(self.subject, self.question, Refuted(HYPOTHESIS, found, self.tally.checked))

    @property
    def evidence(self) -> Sampled | Open:
        """What was found if no sample refuted the claim."""
        cases = Cases(self.tally.checked, self.what)
        if self.tally.undecided is not None:
            return Open(HYPOTHESIS, Underived(self.tally.undecided))
        if not self.tally.ended:
            return Open(HYPOTHESIS, NoSampleEnds(cases, self.tally.longest))
        return Sampled(HYPOTHESIS, self.tally.longest, cases, None)

    def as_test(self, parent: settings | None = None) -> Callable[[], None]:
        """A Hypothesis test without further arguments."""

        def test(sample: Sample) -> None:
            __tracebackhide__ = True
            drive(sample)
            self.check(sample)

        test.__name__ = self._name
        return settings_for(parent)(given(sample=self.samples)(test))

    @property
    def _name(self) -> str:
        """A name that no other claim has, because Hypothesis stores failing examples under it."""
        text = f"{self.subject.system.name} {text_of(self.subject.system, self.question)}"
        return f"test_{re.sub(r'[^a-zA-Z0-9]+', '_', text)}_{sha256(text.encode()).hexdigest()[:6]}"


def settings_for(parent: settings | None = None) -> settings:
    """What the profile, or `parent`, says, but without limits of time, which are for tests of what is fast, and without
    an explanation, which would name lines of arcproof.
    """
    chosen = parent or settings()
    phases = [phase for phase in chosen.phases if phase is not Phase.explain]
    return settings(parent=chosen, deadline=None, suppress_health_check=list(HealthCheck), phases=phases)


def _words(sample: Sample) -> int:
    return len(sample) if isinstance(sample, tuple) else sample.words


def drive(sample: Sample) -> None:
    """Tell Hypothesis how far a sample goes in each direction."""
    if isinstance(sample, DrawnRun):
        target(float(len(sample.transitions)), label="transitions")
        lengths = (len(value) for c in sample.configurations for value in c.values if isinstance(value, tuple))
        target(float(max(lengths, default=0)), label="longest sequence")
        target(float(len(sample.last.arcs)), label="arcs")
        for name, count in Counter(transition.name for transition in sample.transitions).items():
            target(float(count), label=f"#{name}")
        return
    if isinstance(sample, RunBesideGold):
        drive(sample.run)
        return
    graph = as_graph(sample)
    target(float(len(graph.arcs)), label="gold arcs")
    target(float(sum(abs(arc.head - arc.dependent) for arc in graph.arcs)), label="length of the gold arcs")
    if isinstance(sample, tuple):
        target(float(depth_of(sample)), label="depth of the gold graph")


def claim_property(system: str | Path | System, claim: str) -> ClaimProperty:
    """The property of a claim, which the figure need not make; `NoSuchClaim` if it is not a claim, or none about single
    runs or graphs.

    >>> claim_property("arc-hybrid", "complete projective trees").check((2, 0, 2))
    """
    subject = subject_of(system)
    found = property_about(subject, claim_of(subject.system, claim))
    if found is None:
        raise NoSuchClaim(f"`{claim}` is not about single runs or graphs, so there is nothing to draw")
    return found


def property_about(
    subject: Subject, question: Question, words: int = 0, engine: EngineName | None = None
) -> ClaimProperty | None:
    """The property of a question, for samples of more than this many words; None if samples cannot answer it."""
    if isinstance(question, s.Claim) and question.kind != "plain":
        return None
    system, asked = subject.system, asked_of(question)
    min_words, max_words = words + 1, max(MAX_WORDS, words + MORE_WORDS)
    try:
        check = property_of(asked).run_check(system, asked)
        if check is not None:
            return _about_runs(subject, question, check, runs_and_graphs(system, min_words, max_words))
        situation = property_of(asked).situation_check(system, asked)
        if situation is not None:
            drawn = situations(system, situation.graphs, min_words, words + MORE_WORDS)
            return _about_situations(subject, question, situation, drawn)
        if property_of(asked).why_not_sampled(system, asked) is not None:
            return None
        about = property_of(asked).graph_check(long_runs(system, engine or default_engine()), asked)
        if about is None:
            return None
        return _about_graphs(subject, question, about, gold_graphs(about.graphs, min_words, max_words))
    except (ArcproofError, ValueError):
        return None


def _about_runs(
    subject: Subject, question: Question, check: RunCheck, samples: SearchStrategy[Sample]
) -> ClaimProperty:
    system, tally = subject.system, SampleTally()
    interpreted = InterpretedRuns(system)

    def runs_to(sample: Sample) -> Iterator[AnyRun]:
        if isinstance(sample, DrawnRun):
            yield sample
            return
        assert not isinstance(sample, RunBesideGold), (
            "a run on the way to a graph is not an example of a claim about runs"
        )
        for oracle in system.figure.oracles:
            derived = interpreted.derive(as_graph(sample), oracle.name)
            if derived is not None:
                yield derived.run

    def fault(sample: Sample) -> Counterexample | None:
        for run in runs_to(sample):
            tally.ended += run.end == "terminal"
            found = check(run)
            if found is not None:
                graph = run.configurations[len(found.run)].graph
                return Counterexample(run.words, graph, found.run, found.reason)
        return None

    return ClaimProperty(subject, question, samples, fault, "runs", tally)


def _about_situations(
    subject: Subject, question: Question, about: SituationQuestion, samples: SearchStrategy[Sample]
) -> ClaimProperty:
    tally = SampleTally()

    def fault(sample: Sample) -> Counterexample | None:
        assert isinstance(sample, RunBesideGold), "an example is a run on the way to a graph"
        tally.ended += 1
        gold, run = as_graph(sample.gold), sample.run.transitions
        return next(
            filter(None, (about.check(gold, run[:steps]) for steps in range(sample.first, len(run) + 1, 3))), None
        )

    return ClaimProperty(subject, question, samples, fault, "situations", tally)


def _about_graphs(
    subject: Subject, question: Question, about: GraphQuestion, samples: SearchStrategy[Sample]
) -> ClaimProperty:
    tally = SampleTally()
    reasons: dict[Graph, str | None] = {}
    """Kept, because a check may be undecided about a graph when it is asked again, and Hypothesis repeats failures."""

    def fault(sample: Sample) -> Counterexample | None:
        assert not isinstance(sample, DrawnRun | RunBesideGold), "a run is not an example of a claim about graphs"
        gold = as_graph(sample)
        if not contains_graph(about.graphs, gold):
            raise ValueError(f"{gold} is not among the {class_text(about.graphs)}")
        if gold not in reasons:
            reasons[gold] = about.check(gold)
        tally.ended += 1
        tally.undecided = about.undecided[0] if about.undecided else None
        reason = reasons[gold]
        return None if reason is None else Counterexample(gold.words, gold, None, reason)

    return ClaimProperty(subject, question, samples, fault, "graphs", tally)

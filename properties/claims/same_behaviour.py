"""Two systems compared: the same transitions on a class, or the same outputs."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from arcproof.generators.graph_enumeration import all_graphs_of
from arcproof.properties.engines.engine import engine_for
from arcproof.properties.engines.exhaustive import ReplayFailed, retrace
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.long_runs import LongRuns, long_runs
from arcproof.properties.engines.output_sets import comparable, words_followed
from arcproof.properties.engines.own_labels import MAX_GRAPHS, takes_own_labels, told_apart
from arcproof.properties.evidence import Counterexample, Evidence
from arcproof.properties.property import Column, GraphQuestion, Named, Parts, Property, Sentence
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import BadGraph, NotDerivable
from arcproof.transitions.graph import Graph
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover
    from arcproof.properties.proving.theorem import Theorem


def difference(one: System, other: System, gold: Graph) -> str | None:
    """Where the first oracles of two systems diverge on a graph; None if they take the same transitions, whatever the
    labels and tags.
    """
    runs = []
    for system in (one, other):
        labelled, tags = told_apart(system, gold)
        try:
            runs.append(system.derive(labelled, tags=tags).transitions)
        except NotDerivable as failure:
            return str(failure)
        except BadGraph as error:
            return f"{system.name} does not derive {gold}: {error}"
    for count, (first, second) in enumerate(zip(*runs, strict=False), start=1):
        if first != second:
            return f"transition {count} is {first} in {one.name} and {second} in {other.name}"
    if len(runs[0]) != len(runs[1]):
        return f"{one.name} takes {len(runs[0])} transitions, {other.name} {len(runs[1])}"
    return None


def parting(one: LongRuns, other: LongRuns, gold: Graph) -> str | None:
    """Where native runs diverge; the interpreter must find every difference that native code finds."""
    first, second = (runs.derive(gold, runs.system.oracle().name) for runs in (one, other))
    if first is not None and second is not None and first.instances == second.instances:
        return None
    reason = difference(one.system, other.system, gold)
    if reason is None:
        raise ReplayFailed(f"{one.system.name}, {gold}: the interpreter finds no difference")
    return reason


def comparing(one: LongRuns, other: LongRuns) -> Callable[[Graph], str | None]:
    """The comparison of the runs to a graph: native if their labels need not be looked at."""
    if labels_agree(one.system, other.system):
        return lambda gold: parting(one, other, gold)
    return lambda gold: difference(one.system, other.system, gold)


def labels_agree(one: System, other: System) -> bool:
    """Whether equal runs of the first oracles have equal labels, because transitions of the same name do the same, and
    take the labels of the arcs that they add and the tags of the words that they tag.
    """
    figures = one.figure, other.figure
    if figures[0].state != figures[1].state or figures[0].start != figures[1].start:
        return False
    shared = one.transitions.keys() & other.transitions.keys()
    return all(_deeds(one.transitions[name]) == _deeds(other.transitions[name]) for name in shared) and all(
        takes_own_labels(system, system.oracle()) for system in (one, other)
    )


def _deeds(cases: Sequence[s.Rule]) -> list[s.Rule]:
    """What the cases of a transition do; which of several applies depends on their preconditions."""
    return [replace(case, preconditions=()) for case in cases] if len(cases) == 1 else list(cases)


def check_same_transitions(levels: Levels, reference: str, graphs: GraphClass) -> Evidence:
    """Derive every graph of the class with both systems."""
    runs = long_runs(levels.system, levels.explorer.name)
    others = runs.of(levels.system.other(reference))
    bounded = levels.system.class_with_parameters(graphs)
    cases = 0
    most = words_followed(bounded, levels.explored())
    compare, is_slow = comparing(runs, others), not labels_agree(runs.system, others.system)
    for words in range(1, most + 1):
        in_full = cases
        for gold in all_graphs_of(bounded, words):
            cases += 1
            if is_slow and cases > MAX_GRAPHS:
                return levels.exhausted(words - 1, in_full, class_text(bounded))
            reason = compare(gold)
            if reason is not None:
                return levels.refuted(cases, Counterexample(words, gold, None, reason))
    return levels.exhausted(most, cases, class_text(bounded))


def check_same_outputs(levels: Levels, reference: str) -> Evidence:
    """Compare all outputs of both systems."""
    system = levels.system.other(reference)
    explorer = levels.explorer
    with levels.other(system, lambda: engine_for(system, explorer.name, explorer.jobs)) as other:
        return _compared(levels, other)


def _compared(levels: Levels, other: Levels) -> Evidence:
    cases = 0
    for mine, theirs in zip(levels.spaces(), other.spaces(), strict=False):
        cases += len(mine.outputs)
        outputs = comparable(mine.outputs, theirs.outputs, (mine.system, theirs.system))
        for space, only, name in (
            (mine, outputs[0].minus(outputs[1]), other.system.name),
            (theirs, outputs[1].minus(outputs[0]), levels.system.name),
        ):
            if only.earliest is not None:
                run = space.run_to(only.earliest)
                graph = retrace(space.system, space.words, run).graph
                reason = f"{graph} is an output of {space.system.name} but not of {name}"
                found = Counterexample(mine.words, graph, run if space is mine else None, reason)
                return levels.refuted(cases, found)
    return levels.exhausted(min(levels.reached, other.reached), cases, "outputs")


_COLUMN: Final = Column("like", "behaves like, or derives the same graphs as, another system")


class LikeProperty(Property[s.SameTransitions]):
    """`like arc-standard-stack on projective trees`."""

    questions = (s.SameTransitions,)
    column = _COLUMN
    follows_oracles: ClassVar[bool] = True
    is_costly: ClassVar[bool] = True

    def parts(self, system: System, question: s.SameTransitions) -> Parts:
        """The class."""
        return Parts(f"like {question.system}", class_text(question.graphs))

    def sentence(self, question: s.SameTransitions) -> Sentence:
        """The claim as a sentence."""
        other = Named(question.system)
        return "On the ", question.graphs, " the oracle takes the same transitions as that of ", other, "."

    def check(self, levels: Levels, question: s.SameTransitions) -> Evidence:
        """Derive every graph of the class with both systems."""
        return check_same_transitions(levels, question.system, question.graphs)

    def prove(self, prover: "Prover", claim: s.Claim, question: s.SameTransitions) -> "Theorem":
        """Prove that both oracles run in lockstep."""
        from arcproof.properties.proving.methods.lockstep import like

        return like(prover, claim, question)

    def graph_check(self, runs: LongRuns, question: s.SameTransitions) -> GraphQuestion:
        """Derive a graph with both systems; the interpreter determines where they diverge."""
        others = runs.of(runs.system.other(question.system))
        graphs = runs.system.class_with_parameters(question.graphs)
        return GraphQuestion(graphs, comparing(runs, others), [])


class EquivalentProperty(Property[s.SameOutputs]):
    """`equivalent to attardi`."""

    questions = (s.SameOutputs,)
    column = _COLUMN
    is_costly: ClassVar[bool] = True

    def parts(self, system: System, question: s.SameOutputs) -> Parts:
        """A name, and the other system."""
        return Parts("equivalent", question.system)

    def sentence(self, question: s.SameOutputs) -> Sentence:
        """The claim as a sentence."""
        return "The outputs are those of ", Named(question.system), "."

    def check(self, levels: Levels, question: s.SameOutputs) -> Evidence:
        """Compare all outputs of both systems."""
        return check_same_outputs(levels, question.system)

    def prove(self, prover: "Prover", claim: s.Claim, question: s.SameOutputs) -> "Theorem":
        """Prove it by a class whose graphs are exactly the outputs of both systems."""
        from arcproof.properties.proving.methods.equivalence import equivalent

        return equivalent(prover, claim, question.system)


PROPERTIES: Final = (LikeProperty(), EquivalentProperty())

"""Two systems compared: the same transitions on a class, the same outputs."""

from arcproof.generators.enumeration import all_graphs
from arcproof.properties.compare import outputs_of
from arcproof.properties.exhausted import ENGINE, Levels, exhausted, retrace
from arcproof.properties.verdict import Counterexample, Outcome, refuted
from arcproof.transitions.errors import NotDerivable
from arcproof.transitions.graph import Heads, graph_of
from arcproof.transitions.notation import class_text
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import System, load


def difference(one: System, other: System, heads: Heads) -> str | None:
    """Where the first oracles of two systems part on a graph; None if they take the same transitions."""
    runs = []
    for system in (one, other):
        try:
            runs.append(system.derive(graph_of(heads)).transitions)
        except NotDerivable as failure:
            return str(failure)
    for count, (first, second) in enumerate(zip(*runs, strict=False), start=1):
        if first != second:
            return f"transition {count} is {first.instance} in {one.name} and {second.instance} in {other.name}"
    if len(runs[0]) != len(runs[1]):
        return f"{one.name} takes {len(runs[0])} transitions, {other.name} {len(runs[1])}"
    return None


def check_same_transitions(levels: Levels, reference: str, graphs: GraphClass) -> Outcome:
    """Derive every graph of the class with both systems."""
    other = load(reference)
    bounded = levels.system.class_with_parameters(graphs)
    cases = 0
    for words in range(levels.explored() + 1):
        for heads in all_graphs(bounded, words):
            cases += words > 0
            reason = difference(levels.system, other, heads)
            if reason is not None:
                return refuted(ENGINE, words, cases, Counterexample(words, graph_of(heads), None, reason))
    return exhausted(levels.reached, cases, class_text(bounded))


def check_same_outputs(levels: Levels, reference: str) -> Outcome:
    """Compare all outputs of both systems."""
    other = Levels(load(reference), levels.words, levels.limit)
    cases = 0
    for mine, theirs in zip(levels.spaces(), other.spaces(), strict=False):
        cases += len(mine.outputs) if mine.words > 0 else 0
        outputs = outputs_of(mine), outputs_of(theirs)
        for first, second, space, name, ours in (
            (outputs[0], outputs[1], mine, other.system.name, True),
            (outputs[1], outputs[0], theirs, levels.system.name, False),
        ):
            for output, number in first.items():
                if output in second:
                    continue
                run = space.run_to(number)
                graph = retrace(space.system, space.words, run).graph
                reason = f"{graph} is an output of {space.system.name} but not of {name}"
                return refuted(
                    ENGINE, mine.words, cases, Counterexample(mine.words, graph, run if ours else None, reason)
                )
    return exhausted(min(levels.reached, other.reached), cases, "outputs")

"""Two systems compared: the same transitions on a class, the same outputs."""

from arcproof.generators.enumeration import all_graphs
from arcproof.properties.engines.engine import engine_for
from arcproof.properties.engines.levels import Levels, retrace
from arcproof.properties.verdict import Counterexample, Outcome
from arcproof.transitions.errors import NotDerivable
from arcproof.transitions.graph import Heads, graph_of
from arcproof.transitions.printing.notation import class_text
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
                return levels.refuted(words, cases, Counterexample(words, graph_of(heads), None, reason))
    return levels.exhausted(levels.reached, cases, class_text(bounded))


def check_same_outputs(levels: Levels, reference: str) -> Outcome:
    """Compare all outputs of both systems."""
    system = load(reference)
    engine = engine_for(system, levels.explorer.name, levels.explorer.jobs)
    with levels.beside(system, system.name, levels.words, engine) as other:
        return _compared(levels, other)


def _compared(levels: Levels, other: Levels) -> Outcome:
    cases = 0
    for mine, theirs in zip(levels.spaces(), other.spaces(), strict=False):
        cases += len(mine.outputs) if mine.words > 0 else 0
        outputs = [space.outputs.rooted(space.system) for space in (mine, theirs)]
        for space, only, name in (
            (mine, outputs[0].minus(outputs[1]), other.system.name),
            (theirs, outputs[1].minus(outputs[0]), levels.system.name),
        ):
            if only.earliest is not None:
                run = space.run_to(only.earliest)
                graph = retrace(space.system, space.words, run).graph
                reason = f"{graph} is an output of {space.system.name} but not of {name}"
                found = Counterexample(mine.words, graph, run if space is mine else None, reason)
                return levels.refuted(mine.words, cases, found)
    return levels.exhausted(min(levels.reached, other.reached), cases, "outputs")

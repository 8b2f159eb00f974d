"""A shortest run to a given graph, or a proof that there is none, by native code where possible.

Native code explores the figure that is bound to the graph (`bound_to_graph`).  If that does not fit into machine words,
and where there is no native code, the interpreter searches (`shortest_derivation`); that is the definition.
"""

from typing import Final

from arcproof.properties.engines.bound_to_graph import bound_to
from arcproof.properties.engines.engine import Compiled, EngineName, engine_for
from arcproof.properties.engines.output_sets import Form, form_of, output_of
from arcproof.properties.engines.shortest_derivation import ArcsAreRemoved, shortest_derivation
from arcproof.properties.engines.spaces import Run, Space
from arcproof.transitions.configuration import Derivation, Step
from arcproof.transitions.graph import Graph
from arcproof.transitions.syntax import RemoveArcs
from arcproof.transitions.system import System

SWIFTER: Final = 5  # times as many configurations may be searched by native code
BRANCHING: Final = 2.0
FEW_WORDS: Final = 3  # up to which making a program takes longer than interpreting


def shortest_run(system: System, gold: Graph, most: int | None, engine: EngineName) -> Run | None:
    """A shortest run to the graph; None if no run has it as output.

    Raises `OutOfBounds` beyond `most` configurations, counted as those of the interpreter, and `ArcsAreRemoved` if the
    figure removes arcs.
    """
    if any(isinstance(effect, RemoveArcs) for effect in system.figure.effects):
        raise ArcsAreRemoved(f"{system.name} removes arcs")
    form: Form = "graph" if gold.heads_or_none is None else form_of(system)
    wanted = output_of(system.wanted(gold), form)
    if isinstance(wanted, frozenset):
        return None
    searched = engine == "compiled" and gold.words > FEW_WORDS
    space = _bound_space(system, gold, most) if searched else None
    if space is None:
        found = shortest_derivation(system, gold, most)
        return None if found is None else found.transitions
    outputs = space.outputs.as_all_graphs() if form == "graph" else space.outputs
    number = outputs.number_of(wanted)
    return None if number is None else space.run_to(number)


def searched_derivation(system: System, gold: Graph, most: int | None, engine: EngineName) -> Derivation | None:
    """A shortest run to the graph, step by step and with its labels; None if no run has it as output."""
    run = shortest_run(system, gold, most, engine)
    if run is None:
        return None
    labels = {(arc.head, arc.dependent): arc.label for arc in gold.arcs}
    c = initial = system.start(gold.words)
    steps: list[Step] = []
    for transition in run:
        step = system.step(c, transition)
        if step.added and system.takes_label(c, transition):
            arc = step.added[0]
            step = system.step(c, transition._replace(label=labels.get((arc.head, arc.dependent))))
        steps.append(step)
        c = step.configuration
    return Derivation(initial, tuple(steps))


def _bound_space(system: System, gold: Graph, most: int | None) -> Space | None:
    """All configurations of the bound figure; None if native code cannot explore it."""
    from arcproof.transitions.machine.packed.explorer import predicted_bytes
    from arcproof.transitions.machine.packed.layout import DoesNotFit

    bound, words = bound_to(system, system.wanted(gold)), gold.words
    engine = engine_for(bound, "compiled")
    if not isinstance(engine, Compiled):
        return None
    try:
        each = predicted_bytes(engine.programs, words, BRANCHING, keep=True)
    except DoesNotFit:
        return None
    space = engine.space(words, False, None if most is None else int(most * SWIFTER * each))
    return None if engine.until is not None else space

"""A shortest run to a given graph, or the certainty that there is none, by native code where it can.

Native code explores the figure that is bound to the graph (`bound_to_graph`).  Where that does not fit into machine words, and on a
computer without numba, the interpreter searches (`shortest_derivation`), which is the definition.
"""

from typing import Final

from arcproof.properties.engines.bound_to_graph import bound_to
from arcproof.properties.engines.engine import Compiled, EngineName, engine_for
from arcproof.properties.engines.outputs import codes_of
from arcproof.properties.engines.shortest_derivation import ArcsAreRemoved, shortest_derivation
from arcproof.properties.engines.spaces import Run, Space
from arcproof.transitions.graph import Heads, graph_of
from arcproof.transitions.syntax import RemoveArcs
from arcproof.transitions.system import System

SWIFTER: Final = 5  # times the interpreter's configurations in a search by native code
BRANCHING: Final = 2.0
FEW_WORDS: Final = 3  # for which it takes longer to make a program than to do without


def shortest_run(system: System, heads: Heads, most: int | None, engine: EngineName) -> Run | None:
    """A shortest run to the graph; None if no run has it as output.

    `OutOfBounds` if that takes more configurations than `most` of the interpreter's, `ArcsAreRemoved` if it cannot be searched.
    """
    if any(isinstance(effect, RemoveArcs) for effect in system.figure.effects):
        raise ArcsAreRemoved(f"{system.name} removes arcs")
    searched = engine == "compiled" and len(heads) > FEW_WORDS
    space = _bound_space(system, heads, most) if searched else None
    if space is None:
        found = shortest_derivation(system, graph_of(heads), most)
        return None if found is None else found.transitions
    wanted = system.wanted(graph_of(heads)).heads
    number = int(space.outputs.numbers_of(codes_of([wanted], len(wanted)))[0])
    return None if number < 0 else space.run_to(number)


def _bound_space(system: System, heads: Heads, most: int | None) -> Space | None:
    """All configurations of the bound figure; None if native code cannot do it."""
    from arcproof.transitions.machine.packed.explorer import predicted_bytes
    from arcproof.transitions.machine.packed.layout import DoesNotFit

    bound, words = bound_to(system, system.wanted(graph_of(heads)).heads), len(heads)
    engine = engine_for(bound, "compiled")
    if not isinstance(engine, Compiled):
        return None
    try:
        each = predicted_bytes(engine.programs, words, BRANCHING, keep=True)
    except DoesNotFit:
        return None
    space = engine.space(words, False, None if most is None else int(most * SWIFTER * each))
    return None if engine.until is not None else space

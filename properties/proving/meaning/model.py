"""A configuration as a finite model: what every symbol of `state` and `symbolic` means in it.

Outside the nodes 0..n and the cells of a sequence the functions take arbitrary values.  The place of a node in two
cells would be ambiguous; such configurations have no model.
"""

from collections.abc import Callable
from functools import lru_cache

from arcproof.properties.proving.meaning.state import GONE, Unsupported, symbol_name
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.errors import Contradiction
from arcproof.transitions.execute import connected, reaches
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import Arc
from arcproof.transitions.system import System

BEYOND = -7
"""The node in a cell beyond the height, on which no formula may depend."""


class InTwoCells(Contradiction):
    """A node in two cells: the language refuses figures that allow this, and the proofs depend on that."""


def model_of(system: System, c: Configuration) -> dict[str, object]:
    """The meaning of every symbol of an arbitrary state, in this configuration."""
    model: dict[str, object] = {"n": c.words}
    shared = system.figure.shared
    places: dict[int, tuple[int, int]] = {}
    number = 0
    for component, value in zip(system.figure.state, c.values, strict=True):
        name = symbol_name(component.name)
        match component:
            case s.SequenceComponent(_, _, side):
                assert isinstance(value, tuple)
                cells = value if side == "right" else value[::-1]
                model[f"cell_{name}"] = _cell(cells)
                model[f"height_{name}"] = len(cells)
                if shared:
                    model |= _whereabouts(name, cells, component.name)
                for position, node in enumerate(cells):
                    if node in places and not shared:
                        raise InTwoCells(f"{system.name}: {node} is in two cells of {c}")
                    places[node] = (number, position)
                number += 1
            case s.ValueComponent("set"):
                assert isinstance(value, frozenset)
                model[f"set_{name}"] = value.__contains__
                model[f"missing_{name}"] = _missing(value, c.words)
            case s.ValueComponent(kind):
                model[f"{kind}_{name}"] = value
    return {**model, **({} if shared else _places(places)), **_graph(c.words, c.arcs)}


def _whereabouts(symbol: str, cells: tuple[int, ...], name: str) -> dict[str, object]:
    positions = {node: position for position, node in enumerate(cells)}
    if len(positions) < len(cells):
        raise Unsupported(f"a node may occur twice in {name}, so it does not have a unique place there")
    return {
        f"inside_{symbol}": positions.__contains__,
        f"position_{symbol}": lambda node: positions.get(node, 0),
    }


def _cell(cells: tuple[int, ...]) -> Callable[[int], int]:
    return lambda index: cells[index] if 0 <= index < len(cells) else BEYOND


def _missing(members: frozenset[int], words: int) -> Callable[[int], int]:
    absent = [word for word in range(1, words + 1) if word not in members]
    return lambda k: sum(word <= k for word in absent)


def _places(places: dict[int, tuple[int, int]]) -> dict[str, object]:
    return {
        "place": lambda node: places[node][0] if node in places else GONE,
        "position": lambda node: places[node][1] if node in places else 0,
    }


@lru_cache(maxsize=5_000)
def _graph(words: int, built: frozenset[Arc]) -> dict[str, object]:
    """The part about arcs alone, which many configurations share."""
    c = Configuration(words, (), (), built)
    nodes = range(words + 1)
    arcs = {(arc.head, arc.dependent) for arc in built}
    closure = {(x, y) for x in nodes for y in nodes if reaches(c, x, y)}
    weak = {(x, y) for x in nodes for y in nodes if connected(c, x, y)}
    free = [word for word in nodes if word > 0 and word not in c.heads_of]
    return {
        "arc": lambda x, y: (x, y) in arcs,
        "headed": c.heads_of.__contains__,
        "reaches": lambda x, y: x == y or (x, y) in closure,
        "linked": lambda x, y: x == y or (x, y) in weak,
        "headless": lambda k: sum(word <= k for word in free),
        "arcs": len(arcs),
    }


def gold_model(gold: Gold) -> dict[str, object]:
    """The meaning of the symbols about the gold graph."""
    words = gold.graph.words
    heads = (None, *gold.heads)
    arcs = set(gold.arcs)

    def above(node: int) -> list[int]:
        path = [node]
        while (head := heads[path[-1]]) is not None:
            path.append(head)
        return path

    paths = {node: above(node) for node in range(words + 1)}
    return {
        "gold": lambda x, y: (x, y) in arcs,
        "gold_reaches": lambda x, y: x == y or (y in paths and x in paths[y]),
        "gold_head": lambda x: GONE if not 0 < x <= words or heads[x] is None else heads[x],
        "order": lambda x: gold.order[x] if 0 <= x <= words else x,
        "depth": lambda x: len(paths[x]) - 1 if x in paths else 0,
        "last": lambda x: max((y for y in paths if x in paths[y]), default=x),
    }


def domain(words: int) -> range:
    """The integers that quantifiers range over in a model: all nodes, all cells, and one more at either end."""
    return range(-1, words + 3)

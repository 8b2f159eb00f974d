"""The claims of a figure once more, written down plainly: by the reference interpreter and the definitions of the
classes alone.

This is what the buckets of mutants are compared with.  Nothing of the engines is used: configurations are visited one
by one, the lengths of all runs to a configuration are kept as a set, and graphs are enumerated as products of heads.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from math import lcm

from arcproof.generators import definitions
from arcproof.transitions import syntax as s
from arcproof.transitions.bounds import Bound
from arcproof.transitions.configuration import Configuration, Step
from arcproof.transitions.errors import NotDerivable
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import ROOT, Graph, graph_of
from arcproof.transitions.system import System, load

BEYOND = 300  # a sum that grows this large belongs to a loop

Pairs = frozenset[tuple[int, int]]


@dataclass
class Plain:
    """Every configuration of one number of words, with the steps from it."""

    system: System
    words: int
    steps: dict[Configuration, list[Step]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        todo = [self.system.start(self.words)]
        while todo:
            c = todo.pop()
            if c in self.steps:
                continue
            moves = [] if self.system.is_terminal(c) else self.system.permissible(c)
            self.steps[c] = [self.system.step(c, transition) for transition in moves]
            todo += [step.configuration for step in self.steps[c]]

    @cached_property
    def ends(self) -> list[Configuration]:
        return [c for c in self.steps if self.system.is_terminal(c)]

    @cached_property
    def outputs(self) -> set[Pairs]:
        return {pairs(c.graph) for c in self.ends}

    @cached_property
    def has_single_heads(self) -> bool:
        return all(len({dependent for _, dependent in output}) == len(output) for output in self.outputs)

    @cached_property
    def within_reach(self) -> dict[Configuration, set[Pairs]]:
        """The outputs that a run from a configuration can still end with."""
        found: dict[Configuration, set[Pairs]] = {c: set() for c in self.steps}
        for c in self.ends:
            found[c].add(pairs(c.graph))
        changed = True
        while changed:
            changed = False
            for c in reversed(self.steps):
                after = set().union(found[c], *(found[step.configuration] for step in self.steps[c]))
                changed = changed or after != found[c]
                found[c] = after
        return found

    @cached_property
    def numbered(self) -> list[list[tuple[str, int]]]:
        """The steps again: for each configuration, in the order of `steps`, names of transitions and numbers of
        configurations.
        """
        number = {c: k for k, c in enumerate(self.steps)}
        return [[(step.transition.name, number[step.configuration]) for step in found] for found in self.steps.values()]

    def sums(self, weights: dict[str, Fraction], otherwise: Fraction) -> set[Fraction]:
        """For every run to a terminal configuration the sum of the weights of its transitions, up to a size that only
        loops reach.
        """
        scale = lcm(otherwise.denominator, *(weight.denominator for weight in weights.values()))
        whole = {name: int(scale * weights.get(name, otherwise)) for name in self.system.transitions}
        found: list[set[int]] = [set() for _ in self.numbered]
        found[0] = {0}  # the first configuration visited is the start
        todo = deque([0])
        while todo:
            k = todo.popleft()
            for name, following in self.numbered[k]:
                new = {total + whole[name] for total in found[k] if abs(total) <= scale * BEYOND}
                if not new <= found[following]:
                    found[following] |= new
                    todo.append(following)
        ends = (totals for c, totals in zip(self.steps, found, strict=True) if self.system.is_terminal(c))
        return {Fraction(total, scale) for total in set().union(*ends)}

    @cached_property
    def lengths(self) -> tuple[Fraction | None, Fraction | None]:
        """The shortest and the longest run to an end; a length beyond everything is a loop's."""
        every = self.sums({}, Fraction(1))
        return (min(every), max(every)) if every else (None, None)


def pairs(graph: Graph) -> Pairs:
    return frozenset((arc.head, arc.dependent) for arc in graph.arcs)


def is_in(system: System, graphs: s.GraphClass, words: int, arcs: Pairs) -> bool:
    """Whether a graph is in a class, by the definitions; where there is no node 0, words without a head attach to it in
    trees.
    """
    bounded = system.class_with_parameters(graphs)
    return _is_in(bounded, words, arcs, bounded.base == "trees" and not system.has_root)


@cache
def _is_in(graphs: s.GraphClass, words: int, arcs: Pairs, rooted: bool) -> bool:
    if len({dependent for _, dependent in arcs}) < len(arcs) or any(dependent == ROOT for _, dependent in arcs):
        return False
    given = {dependent: head for head, dependent in arcs}
    graph = graph_of([given.get(word, ROOT if rooted else None) for word in range(1, words + 1)])
    base = definitions.is_tree if graphs.base == "trees" else definitions.is_forest
    return base(graph) and all(_meets(restriction, graph) for restriction in graphs.restrictions)


def _meets(restriction: s.Restriction, graph: Graph) -> bool:
    if restriction.name == "projective":
        return definitions.is_projective(graph)
    assert restriction.name == "edge-degree-2007"
    if isinstance(restriction.bound, s.Infinity):
        return True
    assert isinstance(restriction.bound, s.Number)
    return definitions.edge_degree_2007(graph) <= restriction.bound.value


def members(system: System, graphs: s.GraphClass, words: int) -> list[Pairs]:
    """All graphs of a class: of all ways to give each word a head or none, those that the definitions admit."""
    bounded = system.class_with_parameters(graphs)
    return _members(bounded, words, bounded.base == "trees" and not system.has_root)


@cache
def _members(graphs: s.GraphClass, words: int, rooted: bool) -> list[Pairs]:
    heads = [[None, *(head for head in range(rooted, words + 1) if head != word)] for word in range(1, words + 1)]
    every = (
        frozenset((head, word) for word, head in enumerate(chosen, start=1) if head is not None)
        for chosen in product(*heads)
    )
    return [arcs for arcs in every if _is_in(graphs, words, arcs, rooted)]


def violates(claim: s.Claim, plain: Plain) -> bool:
    """Whether a claim is false with this number of words."""
    assert claim.kind == "plain"
    system, words = plain.system, plain.words
    steps = [(c, step) for c, found in plain.steps.items() for step in found]
    match claim.statement:
        case s.Sound(graphs):
            second = any(step.clashes or any(arc.dependent == ROOT for arc in step.added) for _, step in steps)
            return second or any(not is_in(system, graphs, words, output) for output in plain.outputs)
        case s.CompleteFor(graphs):
            return not set(members(system, graphs, words)) <= plain.outputs
        case s.LengthBound(relation, term) | s.CountBound(_, relation, term):
            bound = Bound.of(term, system)
            counted = claim.statement.transition if isinstance(claim.statement, s.CountBound) else None
            own = Fraction(counted is None)
            weights = {
                name: (own if counted is None else Fraction(name == counted)) - bound.counts.get(name, 0)
                for name in system.transitions
            }
            limit = bound.at(words)
            compared = {"=": limit.__eq__, "<=": limit.__ge__, ">=": limit.__le__}[relation]
            return not all(compared(total) for total in plain.sums(weights, own))
        case s.SpaceBound("<=", term):
            most = Bound.of(term, system).at(words)
            return any(sum(len(v) for v in c.values) + len(c.arcs) > most for c in plain.steps)  # type: ignore[arg-type]
        case s.Incremental(""):
            return any(c["β"] == () and not system.is_terminal(c) for c in plain.steps) or any(
                len(step.configuration["β"]) > len(c["β"]) or not pairs(c.graph) <= pairs(step.configuration.graph)  # type: ignore[arg-type]
                for c, step in steps
            )
        case s.SameTransitions(name, graphs):
            other = load(name)
            return any(_run(system, arcs, words) != _run(other, arcs, words) for arcs in members(system, graphs, words))
        case s.SameOutputs(name):
            return plain.outputs != Plain(load(name), words).outputs
        case s.Exact(oracle, graphs):
            return plain.has_single_heads and any(
                said is None or said != true
                for gold in members(system, graphs, words)
                for said, true in costs(plain, oracle, gold)
            )
        case s.ArcDecomposable(graphs):
            return plain.has_single_heads and any(
                within and max(len(gold & output) for output in within) < len(gold & frozenset().union(*within))
                for gold in members(system, graphs, words)
                for within in plain.within_reach.values()
            )
    raise AssertionError(f"no plain reading of {claim}")


def costs(plain: Plain, name: str, gold: Pairs) -> Iterator[tuple[int | None, int | None]]:
    """What a dynamic oracle says of every step from where a run can still end, and the truth; None where there is no
    such number.
    """
    system = plain.system
    oracle = system.dynamic_oracle(name)
    heads = {dependent: head for head, dependent in gold}
    graph = Gold(graph_of([heads.get(word) for word in range(1, plain.words + 1)]))

    def loss(c: Configuration) -> int:
        return min(sum(_head(output, word) != heads.get(word) for word in words) for output in plain.within_reach[c])

    words = range(1, plain.words + 1)
    for c, steps in plain.steps.items():
        for step in steps if plain.within_reach[c] else ():
            after = step.configuration
            true = loss(after) - loss(c) if plain.within_reach[after] else None
            yield system.cost(c, step.transition, graph, oracle), true


def _head(arcs: Pairs, word: int) -> int | None:
    return next((head for head, dependent in arcs if dependent == word), None)


def _run(system: System, arcs: Pairs, words: int, oracle: str | None = None) -> object:
    heads = {dependent: head for head, dependent in arcs}
    try:
        return system.derive(graph_of([heads.get(word) for word in range(1, words + 1)]), oracle).transitions
    except NotDerivable:
        return None


def oracle_fails(system: System, oracle: str, graphs: s.GraphClass, words: int) -> bool:
    """Whether an oracle does not lead to every graph of a class."""
    return any(_run(system, arcs, words, oracle) is None for arcs in members(system, graphs, words))

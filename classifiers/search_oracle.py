"""A shortest derivation that uses only gold arcs: the oracle of a figure that has none.

The search is A*.  The number of remaining transitions is bounded from below by two quantities that every transition
changes by a known amount: the gold arcs that are missing, and, where the run ends with an empty buffer, the nodes in
the buffer.  A configuration is pruned where a missing gold arc has an end that is no longer in any sequence, because a
node that is gone never comes back.
"""

import heapq
from collections.abc import Iterator
from functools import cached_property

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.errors import NotDerivable
from arcproof.transitions.graph import ROOT, Arc, Graph
from arcproof.transitions.system import System

MOST_CONFIGURATIONS = 20_000


@dataclass(frozen=True)
class SearchOracle:
    """Searches for derivations; `limit` is how many configurations it may visit for one sentence."""

    system: System
    limit: int = MOST_CONFIGURATIONS

    @cached_property
    def _weights(self) -> tuple[tuple[float, float], ...]:
        """Pairs (a, b) such that no transition lowers a * missing arcs + b * length of the buffer by more than one."""
        changes = {(_arcs_of(rule), _shrinks(rule, self._buffer)) for rule in self.system.figure.rules}
        candidates = [(1.0, 1.0), (0.5, 0.5), (1.0, 0.0), (0.0, 1.0)]
        if self._buffer is None:
            candidates = [(1.0, 0.0)]
        most = max((arcs for arcs, _ in changes), default=0)
        return tuple(
            pair for pair in candidates if all(pair[0] * arcs + pair[1] * cells <= 1 for arcs, cells in changes)
        ) or ((1 / max(most, 1), 0.0),)

    @cached_property
    def _names_root(self) -> bool:
        """Whether a transition adds an arc at a node that it names by its number, so that 0 is never lost."""
        return any(isinstance(node, s.Number) for effect in _effects(self.system) for node in _nodes(effect))

    @cached_property
    def _buffer(self) -> int | None:
        """The buffer, if every run ends with an empty one."""
        for condition in self.system.figure.final:
            if isinstance(condition, s.SequenceIs) and condition.relation == "=" and not condition.value.ranges:
                names = [component.name for component in self.system.figure.state]
                return names.index(condition.segment)
        return None

    def derive(self, gold: Graph) -> list[Transition]:
        """The transitions of a shortest derivation, with their labels; `NotDerivable` if there is none or the search
        takes too long.
        """
        wanted = {(arc.head, arc.dependent): arc for arc in self.system.wanted(gold).arcs}
        start = self.system.start(gold.words)
        parents: dict[Configuration, tuple[Configuration, Transition] | None] = {start: None}
        lengths = {start: 0}
        todo: list[tuple[float, int, int, Configuration]] = [(self._at_least(start, wanted), 0, 0, start)]
        pushed = 0
        while todo:
            _, unmade, _, c = heapq.heappop(todo)
            length = -unmade
            if length > lengths[c]:
                continue
            if self.system.is_terminal(c):
                if len(c.arcs) == len(wanted):
                    return list(reversed(list(_back(parents, c))))
                continue
            for transition, after in self._steps(c, wanted):
                if length + 1 < lengths.get(after, length + 2):
                    parents[after], lengths[after] = (c, transition), length + 1
                    pushed += 1
                    heapq.heappush(todo, (length + 1 + self._at_least(after, wanted), -length - 1, pushed, after))
            if len(parents) > self.limit:
                message = f"no derivation of {gold} among the first {self.limit} configurations"
                raise NotDerivable(message, tuple(wanted.values()), ())
        raise NotDerivable(f"{self.system.name} cannot derive {gold}", tuple(wanted.values()), ())

    def _at_least(self, c: Configuration, wanted: dict[tuple[int, int], Arc]) -> float:
        missing = len(wanted) - len(c.arcs)
        value = c.values[self._buffer] if self._buffer is not None else ()
        length = len(value) if isinstance(value, tuple) else 0
        return max(arcs * missing + cells * length for arcs, cells in self._weights)

    def _steps(
        self, c: Configuration, wanted: dict[tuple[int, int], Arc]
    ) -> Iterator[tuple[Transition, Configuration]]:
        for step in self.system.steps(c):
            transition, after = step.transition, step.configuration
            if step.clashes or any((arc.head, arc.dependent) not in wanted for arc in step.added):
                continue
            if self._is_lost(after, wanted):
                continue
            labelled = [wanted[arc.head, arc.dependent].label for arc in step.added]
            takes_label = bool(labelled) and self.system.takes_label(c, transition)
            yield transition._replace(label=labelled[0] if takes_label else None), after

    def _is_lost(self, c: Configuration, wanted: dict[tuple[int, int], Arc]) -> bool:
        present = {node for value in c.values if isinstance(value, tuple | frozenset) for node in value}
        if self._names_root:
            present.add(ROOT)
        return any(
            head not in c.heads_of.get(word, ()) and not (head in present and word in present) for head, word in wanted
        )


def _effects(system: System) -> Iterator[s.Effect]:
    for rule in system.figure.rules:
        yield from rule.effects


def _nodes(effect: s.Effect) -> tuple[s.Node, ...]:
    match effect:
        case s.AddArc(head, _, dependent):
            return head, dependent
        case s.RemoveArcs(dependent):
            return (dependent,)
        case s.TagNode(node):
            return (node,)


def _arcs_of(rule: s.Rule) -> int:
    return sum(isinstance(effect, s.AddArc) for effect in rule.effects)


def _shrinks(rule: s.Rule, buffer: int | None) -> float:
    """The most nodes that the buffer can lose."""
    if buffer is None:
        return 0.0
    before, after = rule.before[buffer], rule.after[buffer]
    if not isinstance(before, s.SequenceOf) or not isinstance(after, s.SequenceOf):
        return float("inf")
    kept = {item.name for item in after.items if isinstance(item, s.Segment)}
    if any(isinstance(item, s.Segment) and item.name not in kept for item in before.items):
        return float("inf")
    cells = [sum(isinstance(item, s.Cell) for item in sequence.items) for sequence in (before, after)]
    return float(max(cells[0] - cells[1], 0))


def _back(
    parents: dict[Configuration, tuple[Configuration, Transition] | None], end: Configuration
) -> Iterator[Transition]:
    parent = parents[end]
    while parent is not None:
        before, transition = parent
        yield transition
        parent = parents[before]

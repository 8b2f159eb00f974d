"""The loss of one configuration by search, for sentences too long to explore: the nearest output, and a run to it.

Configurations are searched best first.  Those with the fewest *lost* words come first; among these, the one found last,
so that the search goes depth first, guided by the costs of a dynamic oracle or the advice of a static one if the figure
has one.  A word is lost if no run can still make it right:

- it has a wrong head and keeps it, because no rule removes arcs or because the word is no longer in any sequence;
- or its gold arc is missing and the word or its head is no longer in any sequence.  Whatever a rule puts into a
  sequence or between the ends of an arc was in a sequence before, or is given by its number.

A lost word stays lost, so the number of lost words never falls, and the first end that comes up is a nearest one.
Beyond a limit on the configurations that are expanded the loss is unknown; the number of lost words by then is a lower
bound.

If no rule removes arcs, and all that rules ask about arcs is which nodes have a head, a dependent or an arc between
them, then what can still happen depends only on the components, on the arcs into the nodes that are in sequences and
into 0 (which rules may name by its number), and on which of these nodes have a dependent.  Among configurations that
agree in all this, only the first is expanded.

With labels, a word is right if head and label are the gold ones; `labels` says which labels are tried.
"""

from collections.abc import Iterable
from functools import cached_property
from heapq import heappop, heappush
from typing import Final

from arcproof.process.interruption import go_on
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.labels import another, labelled_steps, unlabelled, without_labels
from arcproof.properties.engines.shortest_derivation import numbered_nodes
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Derivation, Step
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import ROOT, Arc, Graph
from arcproof.transitions.system import System

MOST_EXPANDED: Final = 50_000


@dataclass(frozen=True)
class NearestOutput:
    """What a search found from one configuration.

    `ending` is a run from there to the nearest output that was found, and `loss` the loss of that output.  No output is
    nearer than `least`.  If the search was `complete`, no other ending leads nearer, or no run ends at all.  Outputs in
    which a word has two heads, or 0 has one, do not count; `two_heads` says whether any were left out.
    """

    least: int
    loss: int | None
    ending: Derivation | None
    expanded: int
    complete: bool
    two_heads: bool = False

    @property
    def exact(self) -> int | None:
        """The loss of the configuration; None if it is unknown, or if no run ends."""
        return self.loss if self.complete else None

    @property
    def is_dead(self) -> bool:
        """Whether it is certain that no run ends."""
        return self.complete and self.loss is None


@dataclass(frozen=True)
class Aim:
    """A gold graph to approximate, with or without its labels."""

    system: System
    gold: Graph
    labelled: bool = False

    def nearest(self, c: Configuration, most: int = MOST_EXPANDED) -> NearestOutput:
        """The nearest output that some run from a configuration reaches; at most this many configurations are
        expanded.
        """
        return _Search(self, c if self.labelled else unlabelled(c)).run(most)

    def loss(self, output: Graph) -> int | None:
        """The number of wrong words in an output; None if a word has two heads."""
        graph = output if self.labelled else without_labels(output)
        if graph.heads_or_none is None:
            return None
        built = {arc.dependent: arc for arc in graph.arcs}
        return sum(built.get(word) != self.wanted.get(word) for word in range(1, graph.words + 1))

    @cached_property
    def wanted(self) -> dict[int, Arc]:
        """The gold arc of each word that has one, as the system builds it."""
        graph = self.system.wanted(self.gold)
        return {arc.dependent: arc for arc in (graph if self.labelled else without_labels(graph)).arcs}

    @cached_property
    def asked(self) -> Gold:
        """The gold graph as oracles see it."""
        return self.system.gold(self.gold)

    @cached_property
    def another(self) -> str:
        """A label that the gold graph does not have; it stands for all such labels."""
        return another(arc.label for arc in self.gold.arcs)

    @cached_property
    def numbered(self) -> frozenset[int]:
        """The nodes that rules name by their numbers."""
        return numbered_nodes(self.system)

    @cached_property
    def removes(self) -> bool:
        """Whether some rule removes arcs."""
        return any(isinstance(effect, s.RemoveArcs) for effect in self.system.figure.effects)

    @cached_property
    def keeps_all_arcs(self) -> bool:
        """Whether configurations with different arcs must be distinguished."""
        parts = s.walk((self.system.figure.rules, self.system.figure.final))
        return self.removes or any(isinstance(p, s.Reaches | s.Connected | s.Degree | s.ArcCount) for p in parts)

    def _present(self, c: Configuration) -> frozenset[int]:
        return self.numbered.union(*(value for value in c.values if isinstance(value, tuple)))

    def _lost(self, c: Configuration) -> int | None:
        """The number of words that are lost; None if no run from here has an output in which every word has at most one
        head.
        """
        present = self._present(c)
        built: dict[int, list[Arc]] = {}
        for arc in c.arcs:
            built.setdefault(arc.dependent, []).append(arc)
        for node, arcs in built.items():
            if (len(arcs) > 1 or node == ROOT) and not (self.removes and node in present):
                return None
        return sum(self._is_lost(word, built.get(word, []), present) for word in range(1, c.words + 1))

    def _is_lost(self, word: int, built: list[Arc], present: frozenset[int]) -> bool:
        gold = self.wanted.get(word)
        if built == ([] if gold is None else [gold]):
            return False
        if built and not (self.removes and word in present):
            return True
        return gold is not None and not (word in present and gold.head in present)

    def priority(self, c: Configuration) -> int | None:
        """A lower bound on the loss of any output reached from here, at an end the loss itself; None if no run can end
        well.
        """
        return self.loss(c.graph) if self.system.is_terminal(c) else self._lost(c)

    def key(self, c: Configuration) -> object:
        """A key: configurations with the same key have the same future."""
        if self.keeps_all_arcs:
            return c
        present = self._present(c) | {ROOT}
        arcs = frozenset(arc for arc in c.arcs if arc.dependent in present)
        return c.values, arcs, present.intersection(arc.head for arc in c.arcs)

    def steps(self, c: Configuration) -> Iterable[Step]:
        """The steps that must be tried, the most promising last."""
        steps = list(labelled_steps(self.system, c, self.wanted) if self.labelled else self.system.steps(c))
        steps.sort(key=lambda step: self._promise(c, step), reverse=True)
        return steps[::-1]

    def _promise(self, c: Configuration, step: Step) -> tuple[int, bool]:
        """The cost according to a dynamic oracle, if there is one; then whether the step builds a gold arc or follows a
        static oracle.
        """
        dynamic, static = self.system.figure.dynamic_oracles, self.system.figure.oracles
        said = self.system.cost(c, step.transition, self.asked, dynamic[0]) if dynamic else 0
        builds = any(self.wanted.get(arc.dependent) == arc for arc in step.added)
        advised = self.system.predict(c, self.asked, static[0]) if static and not builds else None
        is_advised = advised is not None and advised.instance == step.transition.instance
        return -self.gold.words if said is None else -said, builds or is_advised


@dataclass(frozen=True)
class _Found:
    """A configuration, how it was reached, and how many words are lost in it."""

    configuration: Configuration
    step: Step | None
    before: "_Found | None"
    lost: int

    @property
    def run(self) -> Derivation:
        steps: list[Step] = []
        found = self
        while found.before is not None:
            assert found.step is not None
            steps.append(found.step)
            found = found.before
        return Derivation(found.configuration, tuple(reversed(steps)))


class _Search:
    """One search from one configuration."""

    def __init__(self, aim: Aim, start: Configuration) -> None:
        self.aim = aim
        self.heap: list[tuple[int, int, _Found]] = []
        self.done: set[object] = set()
        self.best: _Found | None = None
        self.pushed = 0
        self.two_heads = False
        self.push(start, None, None)

    def push(self, c: Configuration, step: Step | None, before: _Found | None) -> None:
        lost = self.aim.priority(c)
        if lost is None:
            self.two_heads = True
            return
        found = _Found(c, step, before, lost)
        self.pushed += 1
        heappush(self.heap, (lost, -self.pushed, found))
        if self.aim.system.is_terminal(c) and (self.best is None or lost < self.best.lost):
            self.best = found

    def run(self, most: int) -> NearestOutput:
        expanded = least = 0
        while self.heap:
            least, _, found = heappop(self.heap)
            c = found.configuration
            if self.best is not None and self.best.lost <= least:
                return NearestOutput(least, least, self.best.run, expanded, True)
            key = self.aim.key(c)
            if key in self.done:
                continue
            if expanded >= most:
                best = self.best
                return NearestOutput(
                    least, None if best is None else best.lost, None if best is None else best.run, expanded, False
                )
            go_on()
            self.done.add(key)
            expanded += 1
            for step in self.aim.steps(c):
                self.push(step.configuration, step, found)
        return NearestOutput(least, None, None, expanded, True, self.two_heads)

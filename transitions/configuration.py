"""Configurations, transitions and derivations: the values that make up a run.

A configuration holds the components of the state in declared order, sequences in printed order, and the arcs built so
far: with `stack σ, buffer β` the top of the stack is `c["σ"][-1]` and the front of the buffer `c["β"][0]`. A transition
is named with its label, if it adds an arc or tags a word, and with its choice: one number for each segment of its
pattern but the rest, one more than the segment's length, so that `LEFT-ARC[2]` reaches past one node.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple, TypeAlias

from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.shown import Shown, WithPicture
from arcproof.transitions.graph import Arc, Graph
from arcproof.transitions.reading.spelling import ascii_name, canonical

Value: TypeAlias = tuple[int, ...] | bool | int | frozenset[int]


class Tag(NamedTuple):
    """A word and its tag."""

    node: int
    tag: str

    def __str__(self) -> str:
        """`1: NOUN`."""
        return f"{self.node}: {self.tag}"


@dataclass(frozen=True)
class Configuration:
    """An immutable value; two are equal if state, arcs with their labels, and tags are equal.

    `tags` are the tags that transitions gave to words, by node; like labels they guard nothing, and `permissible`
    transitions come without them.
    """

    words: int
    names: tuple[str, ...]
    values: tuple[Value, ...]
    arcs: frozenset[Arc] = frozenset()
    tags: tuple[Tag, ...] = ()

    def __getitem__(self, name: str) -> Value:
        """The value of a component, by its Greek or ASCII name."""
        name = canonical(name)
        if name not in self.names:
            raise KeyError(f"no component {name}; the state has {', '.join(self.names)}")
        return self.values[self.names.index(name)]

    @cached_property
    def heads_of(self) -> dict[int, tuple[int, ...]]:
        """For each node with an incoming arc, its heads; more than one only if the figure allows it, or is broken."""
        heads: dict[int, tuple[int, ...]] = {}
        for arc in self.arcs:
            heads[arc.dependent] = (*heads.get(arc.dependent, ()), arc.head)
        return heads

    @property
    def graph(self) -> Graph:
        """The graph (V, A)."""
        return Graph(self.words, self.arcs)

    @property
    def space(self) -> int:
        """Cells of all sequences plus arcs, plus one for each flag and counter, plus the members of sets."""
        return len(self.arcs) + sum(len(v) if isinstance(v, (tuple, frozenset)) else 1 for v in self.values)

    def __str__(self) -> str:
        """As papers print a configuration: `([0, 1], [2], {(1, 2)})`."""
        arcs = "{" + ", ".join(map(str, self.graph.sorted_arcs())) + "}"
        tags = ["{" + ", ".join(map(str, self.tags)) + "}"] if self.tags else []
        return "(" + ", ".join([*map(show_value, self.values), arcs, *tags]) + ")"

    def tagged(self, given: Iterable[Tag]) -> tuple[Tag, ...]:
        """The tags, updated with these."""
        return tuple(sorted({**{tag.node: tag for tag in (*self.tags, *given)}}.values()))

    def as_json(self) -> dict[str, list[int] | bool | int]:
        """The components by ASCII name."""
        return {ascii_name(name): json_value(value) for name, value in zip(self.names, self.values, strict=True)}


def show_value(value: Value) -> str:
    """`[0, 1]`, `true`, `2`, `{1}`."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case tuple():
            return "[" + ", ".join(map(str, value)) + "]"
        case frozenset():
            return "{" + ", ".join(map(str, sorted(value))) + "}"


def json_value(value: Value) -> list[int] | bool | int:
    """The value of a component for JSON: sequences and sets become lists, in printed order."""
    match value:
        case tuple():
            return list(value)
        case frozenset():
            return sorted(value)
        case _:
            return value


class Transition(NamedTuple):
    """A transition to take: its name, the label of the arc it adds or of the word it tags, its choice."""

    name: str
    label: str | None = None
    choice: tuple[int, ...] = ()

    @property
    def chosen(self) -> str:
        """The choice as it is written, `[2]`, or an empty string if there is none."""
        return f"[{','.join(map(str, self.choice))}]" if self.choice else ""

    @property
    def instance(self) -> str:
        """Name and choice without the label: `LEFT-ARC[2]`."""
        return f"{self.name}{self.chosen}"

    def __str__(self) -> str:
        """The transition in full: `LEFT-ARC[2](nsubj)`."""
        return self.instance if self.label is None else f"{self.instance}({self.label})"


@dataclass(frozen=True)
class Step:
    """A transition, the arcs it added, and the configuration after it.

    `clashes` are the added arcs whose dependent already had a head: violations of SINGLE-HEAD, even where the same arc
    was added again and the set of arcs does not show it.  In a figure with several heads they are the arcs whose
    dependent already had the same head, whatever the labels.
    """

    transition: Transition
    added: tuple[Arc, ...]
    configuration: Configuration
    clashes: tuple[Arc, ...] = ()

    def removed_from(self, before: Configuration) -> list[Arc]:
        """The arcs that the step removed."""
        return Graph(before.words, before.arcs - self.configuration.arcs).sorted_arcs()


@dataclass(frozen=True, repr=False)
class Derivation(Shown, WithPicture):
    """A run from the initial configuration."""

    initial: Configuration
    steps: tuple[Step, ...]

    @property
    def last(self) -> Configuration:
        """The configuration the run ends in."""
        return self.steps[-1].configuration if self.steps else self.initial

    @property
    def graph(self) -> Graph:
        """The graph of the last configuration."""
        return self.last.graph

    @property
    def tags(self) -> tuple[str | None, ...]:
        """The tag of each word in the last configuration; None for a word that has none."""
        found = dict(self.last.tags)
        return tuple(found.get(word) for word in range(1, self.last.words + 1))

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The transitions in order."""
        return tuple(step.transition for step in self.steps)

    @property
    def with_before(self) -> list[tuple[Configuration, Step]]:
        """Every step with the configuration it starts from."""
        befores = [self.initial, *(step.configuration for step in self.steps)]
        return list(zip(befores, self.steps, strict=False))

    def __len__(self) -> int:
        """The number of transitions."""
        return len(self.steps)

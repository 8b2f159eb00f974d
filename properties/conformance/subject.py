"""The two sides of a comparison: a driver whose calls are guarded, and a figure whose answers are cached.

The form of a driver's answers is checked.  An answer of the wrong form is a mistake in the driver, not in the parser:
`BadDriver` says what it should have been.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field
from functools import cached_property
from typing import Any, Final, TypeAlias, TypeVar

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.conformance.calls import Calls, as_text
from arcproof.properties.conformance.driver import BadDriver, DriverParts, Labels
from arcproof.transitions.configuration import Configuration, Transition, Value
from arcproof.transitions.errors import BadRun, NotPermissible
from arcproof.transitions.graph import ROOT, Heads
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.reading.spelling import canonical
from arcproof.transitions.runs import read_transitions
from arcproof.transitions.system import System

R = TypeVar("R")

ARCS: Final = "A"
"""The name under which arcs are shown among the components."""

Pairs: TypeAlias = frozenset[tuple[int, int]]
Shown: TypeAlias = Mapping[str, Value | Pairs]
"""What a driver shows of a configuration, by the figure's names."""


def transition_of(instance: str) -> Transition | None:
    """Parse a transition written `LEFT-ARC` or `LEFT-ARC[2]`; None if it is not a transition."""
    try:
        found = read_transitions(instance)
    except BadRun:
        return None
    return found[0] if len(found) == 1 and str(found[0]) == instance and found[0].label is None else None


# --- the figure ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """A configuration of the figure: whether it is terminal, and where its permissible transitions lead."""

    is_terminal: bool
    after: Mapping[str, Configuration]


@dataclass
class FigureSide:
    """The figure's interpreter, asked only once for each configuration."""

    system: System
    _seen: dict[Configuration, Seen] = field(default_factory=dict)

    def see(self, c: Configuration) -> Seen:
        """Look up a configuration.  As usual, a run ends at the first terminal one, where nothing is permissible."""
        if c not in self._seen:
            is_terminal = self.system.is_terminal(c)
            steps = [] if is_terminal else self.system.steps(c)
            self._seen[c] = Seen(is_terminal, {step.transition.instance: step.configuration for step in steps})
        return self._seen[c]

    def refusal(self, c: Configuration, instance: str) -> str:
        """Why a transition is not permissible."""
        transition = transition_of(instance)
        if self.system.is_terminal(c):
            return "the run has ended"
        try:
            self.system.step(c, transition or Transition(instance))
        except NotPermissible as refusal:
            return refusal.because or str(refusal)
        raise AssertionError(f"{instance} is permissible in {c}")

    def forget(self) -> None:
        """Clear the cache, to make room for other sentences."""
        self._seen.clear()

    def runs(self, words: int, most: int) -> int | None:
        """Return the number of runs, including unfinished ones; None if infinite or more than `most`."""
        counts: dict[Configuration, int | None] = {}

        def count(c: Configuration) -> int | None:
            if len(counts) > most:
                return None  # there are not fewer runs than configurations
            if c not in counts:
                counts[c] = None  # while it is being counted: returning here means there is a cycle
                parts = [count(after) for after in self.see(c).after.values()]
                known = [part for part in parts if part is not None]
                total = 1 + sum(known)
                counts[c] = total if len(known) == len(parts) and total <= most else None
            return counts[c]

        return count(self.system.start(words))


# --- the driver ------------------------------------------------------------------------------------------------------


@dataclass
class DriverSide:
    """A driver, called with a time limit; its answers are checked for their form."""

    parts: DriverParts[Any, Any]
    system: System
    calls: Calls

    @cached_property
    def names(self) -> frozenset[str]:
        """The transitions of the figure."""
        return frozenset(self.system.transitions)

    def gathered(self, method: str, call: Callable[[], Any], gather: Callable[[Any], R], form: str) -> R:
        """Collect what a method yields, within the same call; raise `BadDriver` if it is not iterable."""

        def answer() -> tuple[Any, R | None]:
            given = call()
            return given, gather(given) if _can_be_gathered(given, gather is dict) else None

        given, found = self.calls.ask(method, answer)
        if found is None:
            raise BadDriver(f"{method} gives {as_text(given)}; it must return {form}")
        return found

    def start(self, words: int) -> Any:
        """The initial configuration."""
        return self.calls.ask("start", lambda: self.parts.start(words))

    def apply(self, d: Any, t: Any) -> Any:
        """Return the configuration after a transition; if it is changed in place and nothing is returned, the one that
        was given.
        """
        after = self.calls.ask("apply", lambda: self.parts.apply(d, t))
        if after is not None or d is None:
            return after
        if not self.parts.declared.in_place:
            raise BadDriver(
                "apply gives None; it must return the configuration after the transition, "
                "or, if it changes the one it is given, the driver must set in_place = True"
            )
        return d

    def is_terminal(self, d: Any) -> bool:
        """Whether a run ends here."""
        return self._truth("is_terminal", lambda: self.parts.is_terminal(d))

    def permissible(self, d: Any) -> dict[str, Any]:
        """Return the transitions by name; among those that differ only in the label, the first."""
        found = self.gathered("permissible", lambda: self.parts.permissible(d), list, "a list of transitions")
        named: dict[str, Any] = {}
        for t in found:
            named.setdefault(self.name(t), t)
        return named

    def name(self, t: Any, whose: str = "the driver has a transition") -> str:
        """Return the figure's name of a transition that a method gave; `whose` begins the message about a transition
        that the figure does not have.
        """
        name = self.calls.ask("name", lambda: self.parts.name(t))
        transition = transition_of(name) if isinstance(name, str) else None
        if transition is None or transition.name not in self.names:
            known = ", ".join(self.system.transitions)
            raise BadDriver(
                f"{whose} {as_text(name)}, and {self.system.name} has none of that name; it has {known}. "
                "The driver's method name(t) must return the name in the figure, "
                "with a choice as in LEFT-ARC[2], without a label"
            )
        return str(name)

    def shown(self, d: Any) -> Shown:
        """Return components and arcs, as far as the driver shows them."""
        shown: dict[str, Value | Pairs] = {}
        if self.parts.components is not None:
            components = self.parts.components
            form = 'a dictionary with the components by their names, as in {"σ": [0], "β": [1, 2]}'
            given = self.gathered("components", lambda: components(d), dict, form)
            shown |= {self._component(name): _value(name, value) for name, value in given.items()}
        if self.parts.arcs is not None:
            arcs = self.parts.arcs
            pairs = self.gathered("arcs", lambda: arcs(d), list, "pairs of numbers (head, dependent)")
            shown[ARCS] = _pairs(pairs)
        return shown

    def _component(self, name: str) -> str:
        known = [component.name for component in self.system.figure.state]
        if not isinstance(name, str) or canonical(name) not in known:
            raise BadDriver(
                f"components gives {as_text(name)}, and {self.system.name} has no such component; "
                f"it has {', '.join(known)}"
            )
        return canonical(name)

    def output(self, d: Any, words: int) -> Heads | None:
        """Return the output; None if the driver does not give one."""
        heads = self.parts.heads
        if heads is None:
            return None
        form = "a list with the head of each word, None for a word without a head"
        given = self.gathered("heads", lambda: heads(d), list, form)
        return heads_in(given, words, "heads")

    def rooted(self, heads: Heads) -> Heads:
        """Return an output in the form in which it is compared: if the driver says so, words without a head are
        dependents of 0.
        """
        if self.parts.declared.headless == "none" and self.system.has_root:
            return heads
        return tuple(ROOT if head is None else head for head in heads)

    def accepts(self, heads: Heads) -> bool:
        """Whether the parser accepts a gold tree."""
        accepts = self.parts.accepts
        return accepts is None or self._truth("accepts", lambda: accepts(heads))

    def _truth(self, method: str, call: Callable[[], Any]) -> bool:
        def answer() -> tuple[Any, bool | None]:
            given = call()
            return given, bool(given) if given in (True, False) else None

        given, found = self.calls.ask(method, answer)
        if found is None:
            raise BadDriver(f"{method} gives {as_text(given)}; it must return True or False")
        return found


def _can_be_gathered(given: object, by_name: bool) -> bool:
    """Whether an answer has several parts, with names or without; a text has none."""
    if by_name or isinstance(given, Mapping):
        return by_name and hasattr(given, "keys")
    return not isinstance(given, str | bytes) and (hasattr(given, "__iter__") or hasattr(given, "__getitem__"))


def _value(name: str, value: object) -> Value:
    match value:
        case bool() | int():
            return value
        case AbstractSet():
            return frozenset(_node(name, node) for node in value)
        case Sequence() if not isinstance(value, str):
            return tuple(_node(name, node) for node in value)
        case _:
            raise BadDriver(
                f"components gives {as_text(value)} for {name}; "
                "it must be a list of nodes, a set, a number or a truth value"
            )


def _node(name: str, node: object) -> int:
    if isinstance(node, bool) or not hasattr(node, "__index__"):
        raise BadDriver(f"components gives {as_text(node)} as a node of {name}; nodes are numbers, 0 is the root")
    return int(node.__index__())


def _pairs(arcs: Sequence[Any]) -> Pairs:
    for arc in arcs:
        if not isinstance(arc, tuple) or len(arc) != 2 or not all(hasattr(node, "__index__") for node in arc):
            raise BadDriver(f"arcs gives {as_text(arc)}; an arc is a pair of numbers (head, dependent)")
    return frozenset((int(arc[0]), int(arc[1])) for arc in arcs)


def heads_in(found: Sequence[object], words: int, method: str) -> Heads:
    """Check and return the heads that a driver gave."""
    for head in found:
        if head is not None and (isinstance(head, bool) or not hasattr(head, "__index__")):
            raise BadDriver(
                f"{method} gives the head {as_text(head)}; heads are numbers, 0 is the root, None means no head"
            )
    if len(found) != words:
        raise BadDriver(
            f"{method} gives {counted(len(found), 'head')} for {counted(words, 'word')}; the root has no head and is left out"
        )
    return tuple(None if head is None else int(head) for head in found)  # type: ignore[call-overload]


def labels_in(found: Sequence[object], words: int, method: str) -> Labels:
    """Check and return the labels that a driver gave."""
    if len(found) != words or not all(isinstance(label, str) for label in found):
        raise BadDriver(
            f"{method} gives the labels {as_text(list(found))}; it must return a string for each of the {words} words"
        )
    return tuple(map(str, found))

"""stanza's transition-based dependency parser (`stanza.models.depparse.transition`): the system and both its oracles.

The figure, next to this file, says what the top of `transitions.py` says.  The static oracle is `build_gold_sequence`.
The dynamic one, `dynamic_oracle.repair`, answers some mistakes with a new gold sequence, "in which rewriting the
transition sequence after an error leads to one error" or to none; for the others training goes back to the gold one.

These three files need networkx only; they are loaded without the packages around them, which need PyTorch: `pip install
--no-deps stanza networkx`.  `model.py`, which does need PyTorch, decides which transitions are considered;
`_considered` does the same here.

Tried with stanza 1.15.0.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Final, NamedTuple

from arcproof.transitions.graph import ROOT, Heads

LABEL: Final = "dep"
PACKAGE: Final = "stanza.models.depparse.transition"


class NamedMove(NamedTuple):
    """A transition of stanza, which refers to words by number, with the figure's name, which refers to them by
    position.
    """

    name: str
    transition: Any

    def __str__(self) -> str:
        """The figure's name."""
        return self.name


class TransitionParser:
    """stanza's transition-based dependency parser and both its oracles.

    Gold trees have one root, since FINALIZE attaches one word to 0.
    """

    figure: ClassVar[str] = str(Path(__file__).with_name("stanza.tsys"))
    requires: ClassVar[str] = "stanza"
    golds: ClassVar[str] = "single-root trees"
    least_words: ClassVar[int] = 1
    not_modelled: ClassVar[tuple[str, ...]] = (
        "the network, which decides among the permissible transitions",
        "mistakes in the label only",
        "a second mistake after one that was repaired",
    )

    def __init__(self) -> None:
        """Load the files; `ImportError` if the library is missing."""
        self.transitions, self.state, self.dynamic_oracle = _loaded("transitions", "state", "dynamic_oracle")

    def version(self) -> str:
        """The installed release."""
        return f"stanza {version('stanza')}"

    def start(self, n: int) -> Any:
        """The state of a sentence that has not been parsed."""
        return self.state.state_from_text([f"w{word}" for word in range(1, n + 1)])

    def permissible(self, c: Any) -> list[NamedMove]:
        """The legal ones among those considered."""
        return [_move(c, t) for t in self._considered(c) if t.is_legal(c)]

    def apply(self, c: Any, t: NamedMove) -> Any:
        """The state after the transition."""
        return t.transition.apply(_copied(c))

    def is_terminal(self, c: Any) -> bool:
        """Whether FINALIZE was taken, which is always the last transition."""
        return bool(c.transitions) and isinstance(c.transitions[-1], self.transitions.Finalize)

    def components(self, c: Any) -> dict[str, Sequence[int]]:
        """The roots of the trees, and the words before and after the position in the sentence."""
        shifted = c.word_position + 1
        return {"σ": list(c.current_heads), "λ": range(1, shifted), "β": range(shifted, c.num_words + 1)}

    def arcs(self, c: Any) -> list[tuple[int, int]]:
        """The arcs so far; in stanza's graph they point to the head."""
        return [(head, dependent) for dependent, head in c.parsed_graph.edges]

    def heads(self, c: Any) -> list[int | None]:
        """The head of each word."""
        return [next(iter(c.parsed_graph.successors(word)), None) for word in range(1, c.num_words + 1)]

    def oracle(self, heads: Heads) -> Iterator[NamedMove]:
        """The gold sequence."""
        gold = self._gold(heads)
        return _moves(gold, gold.gold_sequence)

    def repair(self, heads: Heads, done: Sequence[NamedMove], wrong: NamedMove) -> Iterable[NamedMove] | None:
        """What follows the mistake in the new gold sequence."""
        c = self._gold(heads)
        for t in done:
            c = self.apply(c, t)
        _, sequence = self.dynamic_oracle.repair(c, c.gold_sequence[len(done)], wrong.transition)
        return None if sequence is None else _moves(self.apply(c, wrong), sequence[len(done) + 1 :])

    def _gold(self, heads: Heads) -> Any:
        from networkx import DiGraph

        graph = DiGraph()
        for word, head in enumerate(heads, 1):
            graph.add_edge(word, head, deprel="root" if head == ROOT else LABEL)
        return self.state.state_from_graph(graph)

    def _considered(self, c: Any) -> Iterator[Any]:
        """The transitions that the network chooses among, as `TransitionParser.idx_to_action` reads its outputs."""
        kinds = self.transitions
        yield from (kinds.Shift(), kinds.Finalize())
        if len(c.current_heads) < 2:
            return
        *others, before, _ = c.current_heads
        for head in range(1, c.word_position + 1):
            yield kinds.ProjectiveLeft(LABEL) if head == before else kinds.NonprojectiveLeft(LABEL, head)
        yield from (kinds.NonprojectiveRight(LABEL, word) for word in others)
        yield kinds.ProjectiveRight(LABEL)


_NAMES: Final = {
    "Shift": "SHIFT",
    "ProjectiveRight": "PROJECTIVE-RIGHT",
    "NonprojectiveRight": "NONPROJECTIVE-RIGHT",
    "ProjectiveLeft": "PROJECTIVE-LEFT",
    "NonprojectiveLeft": "NONPROJECTIVE-LEFT",
    "Finalize": "FINALIZE",
}


def _move(c: Any, t: Any) -> NamedMove:
    """Return a transition with the figure's name, which counts words from the right; a word not on the stack is given
    by number.
    """
    name = _NAMES[type(t).__name__]
    match name, c.current_heads:
        case "NONPROJECTIVE-LEFT", _:
            return NamedMove(f"{name}[{c.word_position - t.word_idx + 1}]", t)
        case "NONPROJECTIVE-RIGHT", [*others, _, _] if t.word_idx in others:
            return NamedMove(f"{name}[{len(others) - others.index(t.word_idx)}]", t)
        case "NONPROJECTIVE-RIGHT", _:
            return NamedMove(f"{name}({t.word_idx})", t)
        case _:
            return NamedMove(name, t)


def _moves(c: Any, sequence: Iterable[Any]) -> Iterator[NamedMove]:
    """Name the transitions of a sequence from a state on; one that cannot be applied (stanza raises) leaves the state
    as it is.
    """
    for t in sequence:
        yield _move(c, t)
        with suppress(AssertionError, IndexError, ValueError):
            c = t.apply(_copied(c))


def _copied(c: Any) -> Any:
    """A copy that shares nothing that transitions change."""
    return c._replace(
        transitions=list(c.transitions), parsed_graph=c.parsed_graph.copy(), current_heads=list(c.current_heads)
    )


# --- loading ---------------------------------------------------------------------------------------------------------


def _loaded(*names: str) -> list[ModuleType]:
    """Import modules of the package, without running the `__init__` of the packages around them."""
    found = find_spec("stanza")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError("No module named 'stanza'", name="stanza")
    with _empty_packages(Path(found.submodule_search_locations[0])):
        return [import_module(f"{PACKAGE}.{name}") for name in names]


@contextmanager
def _empty_packages(folder: Path) -> Iterator[None]:
    """Within this block, the packages have their modules but no code of their own; afterwards all is back to normal."""
    before = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "stanza"}
    _forget("stanza")
    parts = PACKAGE.split(".")
    for depth in range(1, len(parts) + 1):
        package = ModuleType(".".join(parts[:depth]))
        package.__path__ = [str(folder.joinpath(*parts[1:depth]))]
        sys.modules[package.__name__] = package
    try:
        yield
    finally:
        _forget("stanza")
        sys.modules.update(before)


def _forget(package: str) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]


DRIVERS: Final = (TransitionParser,)

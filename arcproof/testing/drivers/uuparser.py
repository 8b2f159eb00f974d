"""UUParser's arc-hybrid system with SWAP and its static-dynamic oracle (`uuparser.arc_hybrid`).

The figure is that of de Lhoneux, Stymne & Nivre 2017, root at the end of the buffer.  What is permissible stands in the
method that also asks the network; here the network scores everything alike, and DyNet is not needed:
`pip install --no-deps uuparser` with loguru, numpy and tqdm.

The oracle is static for SWAP and dynamic for the other transitions.  Training takes SWAP where the oracle asks for it and
nowhere else; so the oracle says nothing where a SWAP was left out or added, nor about the alternatives to a SWAP.  It
lists the gold dependents that can still be had, and the list depends on the run; so a configuration knows its run.

Tried with uuparser 2.4.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, ClassVar, Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.graph import ROOT, Heads

LABEL: Final = "dep"
TRANSITIONS: Final = ("LEFT-ARC", "RIGHT-ARC", "SHIFT", "SWAP")
SWAP: Final = TRANSITIONS.index("SWAP")


@dataclass(frozen=True)
class Run:
    """The transitions so far, and what they led to."""

    done: tuple[str, ...]
    entries: tuple[Any, ...]
    stack: Any
    buffer: Any


class ArcHybrid:
    """`ArcHybridLSTM` as it is trained."""

    figure: ClassVar[str] = str(Path(__file__).with_name("hybrid-swap.tsys"))
    requires: ClassVar[str] = "uuparser"
    golds: ClassVar[str] = "trees"
    least_words: ClassVar[int] = 1
    not_modelled: ClassVar[tuple[str, ...]] = (
        "the network, which decides among the permissible transitions",
        "that parsing, unlike training, attaches one word to 0 only and limits the number of SWAPs",
    )

    def __init__(self) -> None:
        """Import the library; `ImportError` if it is missing."""
        from loguru import logger
        from uuparser import arc_hybrid, utils

        logger.disable("uuparser")
        self.utils = utils
        vars(arc_hybrid).update(LEFT_ARC=0, RIGHT_ARC=1, SHIFT=2, SWAP=3, dy=SimpleNamespace(concatenate=list))
        self.parser = _without_network(arc_hybrid.ArcHybridLSTM)
        self._trained = lru_cache(maxsize=1 << 15)(self._trained_anew)
        self._sentence = lru_cache(maxsize=None)(self._read)

    def version(self) -> str:
        """The installed release."""
        return f"uuparser {version('uuparser')}"

    def start(self, n: int) -> Run:
        """The words and then the root in the buffer."""
        return self._start((ROOT,) * n)

    def permissible(self, c: Run) -> list[str]:
        """What the parser scores at all."""
        return [t for t, scored in zip(TRANSITIONS, self._scores(c), strict=True) if scored]

    def apply(self, c: Run, t: str) -> Run:
        """The configuration after the transition."""
        after = _copied(c, (*c.done, t))
        self.parser.apply_transition((LABEL, TRANSITIONS.index(t)), after.stack, after.buffer, 0)
        return after

    def is_terminal(self, c: Run) -> bool:
        """Only the root is left; `Train` and `Predict` go on until then."""
        return len(c.buffer) == 1 and len(c.stack) == 0

    def components(self, c: Run) -> dict[str, Sequence[int]]:
        """Stack and buffer."""
        return {"σ": [entry.id for entry in c.stack.roots], "β": [entry.id for entry in c.buffer.roots]}

    def arcs(self, c: Run) -> list[tuple[int, int]]:
        """The arcs so far."""
        return [(entry.pred_parent_id, entry.id) for entry in c.entries if entry.pred_parent_id is not None]

    def heads(self, c: Run) -> list[int | None]:
        """What is written into the file."""
        return [entry.pred_parent_id for entry in c.entries if entry.id != ROOT]

    def oracle(self, heads: Heads) -> Iterator[str]:
        """What training without exploration takes if everything is scored alike: the first transition without cost."""
        c = self._start(heads)
        while not self.is_terminal(c):
            t = TRANSITIONS[self._costs(c).index(0)]
            yield t
            c = self._explored(c, t)

    def is_free(self, c: Run, heads: Heads, t: str) -> bool | None:
        """Whether it costs nothing, as far as training goes."""
        trained = self._trained(heads, c.done)
        if trained is None:
            return None
        is_reordered = self._costs(trained)[SWAP] == 0
        return None if is_reordered != (t == "SWAP") else self._costs(trained)[TRANSITIONS.index(t)] == 0

    # --- training ----------------------------------------------------------------------------------------------------

    def _trained_anew(self, heads: Heads, done: tuple[str, ...]) -> Run | None:
        """The run with what the oracle has noted on the way; None if training does not take it."""
        if not done:
            return self._start(heads)
        before = self._trained(heads, done[:-1])
        if before is None or (self._costs(before)[SWAP] == 0) != (done[-1] == "SWAP"):
            return None
        return self._explored(before, done[-1])

    def _explored(self, c: Run, t: str) -> Run:
        """One step of `Train`."""
        noted = _copied(c, c.done)
        stack = noted.stack.roots
        best = (LABEL, TRANSITIONS.index(t))
        self.parser.oracle_updates(best, noted.buffer.roots[:1], stack[-1:], [i.id for i in stack], self._judged(c)[1])
        return self.apply(noted, t)

    def _costs(self, c: Run) -> tuple[int, ...]:
        costs: tuple[int, ...] = self._judged(c)[0]
        return costs

    def _judged(self, c: Run) -> Any:
        """Costs and the case of SHIFT."""
        stack, buffer = c.stack.roots, c.buffer.roots
        ids = [entry.id for entry in stack]
        return self.parser.calculate_cost(self._scores(c), stack[-1:], stack[-2:-1], buffer[:1], buffer[1:], ids)

    def _scores(self, c: Run) -> list[list[object]]:
        scores: list[list[object]] = self.parser._ArcHybridLSTM__evaluate(c.stack, c.buffer, True)
        return scores

    # --- sentences ---------------------------------------------------------------------------------------------------

    def _start(self, heads: Heads) -> Run:
        root, *words = (copy(entry) for entry in self._sentence(heads))
        entries = (*words, root)
        forests = self.utils.ParseForest([]), self.utils.ParseForest(entries)
        for entry in entries:
            entry.lstms = []
        return _copied(Run((), entries, *forests), ())

    def _read(self, heads: Heads) -> Sequence[Any]:
        """Read by the library, which prepares the oracle then."""
        rows = [f"{word}\tw\tw\tX\tX\t_\t{head}\t{LABEL}\t_\t_\n" for word, head in enumerate(heads, 1)]
        with TemporaryDirectory() as folder:
            path = Path(folder) / "gold.conllu"
            path.write_text("".join(rows) + "\n", encoding="utf-8")
            [sentence] = self.utils.read_conll(str(path))
        found: Sequence[Any] = sentence
        return found


class _Alike:
    """A network that scores everything alike."""

    def __call__(self, _: object) -> "_Alike":
        return self

    def __getitem__(self, _: int) -> float:
        return 0.0

    def value(self) -> list[float]:
        return [0.0] * 4


def _without_network(kind: Any) -> Any:
    parser = kind.__new__(kind)
    alike = _Alike()
    settings = {"k": 3, "irels": [LABEL], "rlMostFlag": False, "rlFlag": False}
    vars(parser).update(settings, unlabeled_MLP=alike, labeled_MLP=alike, feature_extractor=SimpleNamespace(empty=0.0))
    return parser


def _copied(c: Run, done: tuple[str, ...]) -> Run:
    """A run that shares nothing that training changes."""
    copies = {entry.id: copy(entry) for entry in c.entries}
    for entry in copies.values():
        entry.rdeps = list(entry.rdeps)
        if entry.id != ROOT:
            entry.parent_entry = copies[entry.parent_id]
    stack, buffer = copy(c.stack), copy(c.buffer)
    for forest in (stack, buffer):
        forest.roots = [copies[entry.id] for entry in forest.roots]
    return Run(done, tuple(copies.values()), stack, buffer)


DRIVERS: Final = (ArcHybrid,)

"""UUParser's arc-hybrid system with SWAP and its static-dynamic oracle (`uuparser.arc_hybrid`).

The figure is that of de Lhoneux, Stymne & Nivre 2017, with the root at the end of the buffer.  What is permissible is
decided in the method that also asks the network; here the network scores everything alike, and DyNet is not needed:
`pip install --no-deps uuparser` with loguru, numpy and tqdm.

The oracle is static for SWAP and dynamic for the other transitions: training takes SWAP where the oracle asks for it
and nowhere else, and a cost says what is lost if training continues that way.  In the figure a SWAP elsewhere may win
back what such a cost calls lost.  So the two can be compared only while nothing has been lost: there, what is free for
the oracle must be free.  The other costs are exact for runs with the oracle's SWAPs; the test of this driver shows
this.

When parsing, but not in training, 0 gets only one dependent: that variant has a figure of its own.

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
from warnings import catch_warnings

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.graph import ROOT, Heads

LABEL: Final = "dep"
TRANSITIONS: Final = ("LEFT-ARC", "RIGHT-ARC", "SHIFT", "SWAP")


@dataclass(frozen=True)
class Run:
    """The transitions so far, and what they led to."""

    done: tuple[str, ...]
    entries: tuple[Any, ...]
    stack: Any
    buffer: Any


class ArcHybridParsing:
    """UUParser's `ArcHybridLSTM` as it parses, without the network: 0 gets one dependent, the last word."""

    figure: ClassVar[str] = str(Path(__file__).with_name("hybrid-swap-one-root.tsys"))
    requires: ClassVar[str] = "uuparser"
    golds: ClassVar[str] = "single-root trees"
    least_words: ClassVar[int] = 1
    not_modelled: ClassVar[tuple[str, ...]] = (
        "the network, which decides among the permissible transitions",
        "the limit on SWAPs: twice as many as there are lines in the sentence, including the root's",
    )
    is_training: ClassVar[bool] = False

    def __init__(self) -> None:
        """Import the library; `ImportError` if it is missing."""
        from loguru import logger
        from uuparser import arc_hybrid, utils

        logger.disable("uuparser")
        self.utils = utils
        vars(arc_hybrid).update(LEFT_ARC=0, RIGHT_ARC=1, SHIFT=2, SWAP=3, dy=SimpleNamespace(concatenate=list))
        self.parser = _without_network(arc_hybrid.ArcHybridLSTM)
        self._sentence = lru_cache(maxsize=None)(self._read)

    def version(self) -> str:
        """The installed release."""
        return f"uuparser {version('uuparser')}"

    def start(self, n: int) -> Run:
        """The configuration with the words and then the root in the buffer."""
        return self.gold_start((ROOT,) * n)

    def permissible(self, c: Run) -> list[str]:
        """The transitions that the parser scores at all."""
        return [t for t, scored in zip(TRANSITIONS, self._scores(c), strict=True) if scored]

    def apply(self, c: Run, t: str) -> Run:
        """The configuration after the transition."""
        after = _copied(c, (*c.done, t))
        self.parser.apply_transition((LABEL, TRANSITIONS.index(t)), after.stack, after.buffer, 0)
        return after

    def is_terminal(self, c: Run) -> bool:
        """Whether only the root is left; `Train` and `Predict` continue until then."""
        return len(c.buffer) == 1 and len(c.stack) == 0

    def components(self, c: Run) -> dict[str, Sequence[int]]:
        """Stack and buffer."""
        return {"σ": [entry.id for entry in c.stack.roots], "β": [entry.id for entry in c.buffer.roots]}

    def arcs(self, c: Run) -> list[tuple[int, int]]:
        """The arcs so far."""
        return [(entry.pred_parent_id, entry.id) for entry in c.entries if entry.pred_parent_id is not None]

    def heads(self, c: Run) -> list[int | None]:
        """The heads as written into the file."""
        return [entry.pred_parent_id for entry in c.entries if entry.id != ROOT]

    def gold_start(self, heads: Heads) -> Run:
        """The initial configuration, with a gold tree."""
        root, *words = (copy(entry) for entry in self._sentence(heads))
        entries = (*words, root)
        forests = self.utils.ParseForest([]), self.utils.ParseForest(entries)
        for entry in entries:
            entry.lstms = []
        return _copied(Run((), entries, *forests), ())

    def _scores(self, c: Run) -> list[list[object]]:
        scores: list[list[object]] = self.parser._ArcHybridLSTM__evaluate(c.stack, c.buffer, self.is_training)
        return scores

    def _read(self, heads: Heads) -> Sequence[Any]:
        """Let the library read the tree, which prepares the oracle."""
        rows = [f"{word}\tw\tw\tX\tX\t_\t{head}\t{LABEL}\t_\t_\n" for word, head in enumerate(heads, 1)]
        with TemporaryDirectory() as folder:
            path = Path(folder) / "gold.conllu"
            path.write_text("".join(rows) + "\n", encoding="utf-8")
            with catch_warnings(action="ignore", category=ResourceWarning):  # it leaves the file open
                [sentence] = self.utils.read_conll(str(path))
        found: Sequence[Any] = sentence
        return found


class ArcHybrid(ArcHybridParsing):
    """UUParser's `ArcHybridLSTM` as it is trained, without the network, and its oracle."""

    figure = "hybrid-swap"
    golds = "trees"
    not_modelled = (
        "the network, which decides among the permissible transitions",
        "costs that are not 0, and costs after a mistake: they presuppose SWAPs where the oracle asks for them "
        "and nowhere else",
    )
    is_training = True

    def __init__(self) -> None:
        """Prepare to remember what the oracle records on the way to a configuration."""
        super().__init__()
        self._trained = lru_cache(maxsize=1 << 15)(self._trained_anew)

    def oracle(self, heads: Heads) -> Iterator[str]:
        """The transitions that training without exploration takes if all scores are equal: each time, the first without
        cost.
        """
        c = self.gold_start(heads)
        while not self.is_terminal(c):
            t = TRANSITIONS[self.judged_costs(c).index(0)]
            yield t
            c = self.trained(c, t)

    def is_free(self, c: Run, heads: Heads, t: str) -> bool | None:
        """True if the transition costs nothing after a run that cost nothing; otherwise None, because the oracle is not
        asked.
        """
        trained = self._trained(heads, c.done)
        return True if trained is not None and self.judged_costs(trained)[TRANSITIONS.index(t)] == 0 else None

    def _trained_anew(self, heads: Heads, done: tuple[str, ...]) -> Run | None:
        """The run, with what the oracle recorded on the way; None if it costs something."""
        if not done:
            return self.gold_start(heads)
        before, t = self._trained(heads, done[:-1]), done[-1]
        return (
            None if before is None or self.judged_costs(before)[TRANSITIONS.index(t)] != 0 else self.trained(before, t)
        )

    def trained(self, c: Run, t: str) -> Run:
        """One step of `Train`: the oracle notes what is lost, and the transition is applied."""
        noted = _copied(c, c.done)
        stack = noted.stack.roots
        best = (LABEL, TRANSITIONS.index(t))
        self.parser.oracle_updates(best, noted.buffer.roots[:1], stack[-1:], [i.id for i in stack], self._judged(c)[1])
        return self.apply(noted, t)

    def judged_costs(self, c: Run) -> tuple[int, ...]:
        """What each of the transitions costs, in a run with a gold tree."""
        costs: tuple[int, ...] = self._judged(c)[0]
        return costs

    def _judged(self, c: Run) -> Any:
        """The costs, and which case of SHIFT it is."""
        stack, buffer = c.stack.roots, c.buffer.roots
        ids = [entry.id for entry in stack]
        return self.parser.calculate_cost(self._scores(c), stack[-1:], stack[-2:-1], buffer[:1], buffer[1:], ids)


class _Alike:
    """A network that gives everything the same score."""

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
    """A copy that shares nothing that training changes."""
    copies = {entry.id: copy(entry) for entry in c.entries}
    for entry in copies.values():
        entry.rdeps = list(entry.rdeps)
        if entry.id != ROOT:
            entry.parent_entry = copies[entry.parent_id]
    stack, buffer = copy(c.stack), copy(c.buffer)
    for forest in (stack, buffer):
        forest.roots = [copies[entry.id] for entry in forest.roots]
    return Run(done, tuple(copies.values()), stack, buffer)


DRIVERS: Final = (ArcHybrid, ArcHybridParsing)

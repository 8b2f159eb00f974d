"""Microseconds of CPU time for a transition, by the length of the sentence: parsing with the fast learner, sentences of
the artificial treebank put together.

    python -m benchmarks.lengths [SYSTEM...]

Four sentences of a length advance together, as often as makes 20,000 words, three times, and the best is reported;
`m/n` is transitions for each word.  Short sentences also pay for the start of each batch.
"""

import sys
import time
from collections.abc import Sequence
from itertools import chain, cycle, islice
from typing import Final

from arcproof.classifiers import Parser
from arcproof.classifiers.artificial import on_board
from arcproof.classifiers.parsing import Counts
from arcproof.generators.treebank import Sentence, Token, read

LENGTHS: Final = (10, 30, 100, 300, 1000, 3000, 5000)
SYSTEMS: Final = (
    "arc-eager",
    "arc-standard",
    "list-projective",
    "list-nonprojective",
    "swap",
    "choi-palmer",
    "arc-swift",
    "nl-covington",
)
WORDS: Final = 20_000
TOGETHER: Final = 4
TIMES: Final = 3


def sentence(tokens: Sequence[Token], words: int) -> Sentence:
    """The tokens, repeated until there are this many."""
    return Sentence(1, 1, tuple(islice(cycle(tokens), words)), None, (), ())


def microseconds(parser: Parser, one: Sentence) -> tuple[float, float]:
    """For each transition, and how many transitions there are for each word."""
    best = float("inf")
    for _ in range(TIMES):
        parser.counts = Counts()
        started = time.process_time()
        for _ in range(max(1, WORDS // (TOGETHER * one.words))):
            parser.predict([one] * TOGETHER)
        best = min(best, (time.process_time() - started) / parser.counts.transitions)
    return 1e6 * best, parser.counts.transitions / parser.counts.words


def main(systems: Sequence[str]) -> None:
    """Print a table."""
    path = on_board("artificial-test")
    assert path is not None
    tokens = list(chain.from_iterable(s.tokens for s in read(path)))
    print(f"| words | {' | '.join(systems)} |\n|---|{'---|' * len(systems)}")
    parsers = [Parser(system).fit("artificial-train") for system in systems]
    for words in LENGTHS:
        found = [microseconds(parser, sentence(tokens, words)) for parser in parsers]
        print(f"| {words} | {' | '.join(f'{each:.1f} µs (m/n {slope:.1f})' for each, slope in found)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or SYSTEMS)

"""Sentences of a treebank in CoNLL-U or CoNLL-X: a source of gold graphs.

Both formats have a line for each word with ten columns, of which ID, FORM, HEAD and DEPREL stand in the same places, and an empty
line after each sentence.  Multiword tokens (ID `3-4`) and empty nodes (ID `8.1`) are no words and are passed over.
HEAD `_` is a word without head.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arcproof.transitions.errors import BadGraph, BadTreebank, UnreadableFile
from arcproof.transitions.graph import Graph, Heads, cycle_in, graph_of
from conllu import parse
from conllu.exceptions import ParseException

COLUMNS: Final = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
_HEAD: Final = re.compile(r"[0-9]{1,6}|_|")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its number in the file, the line it starts at, its words, its gold graph, and its size in the file."""

    number: int
    line: int
    forms: tuple[str, ...]
    graph: Graph
    size: int


def read_sentence(path: str | Path, number: int) -> Sentence:
    """The K-th sentence of a file; `BadTreebank` if there are fewer."""
    last = 0
    for count, line, block in _blocks(Path(path)):
        last = count
        if count == number:
            return _sentence(Path(path), count, line, block)
    raise BadTreebank(f"{path}: there is no sentence {number}; the file has {last}")


def sentences(path: str | Path) -> Iterator[Sentence]:
    """All sentences of a file, one at a time; `BadTreebank` if there is none."""
    count = 0
    for count, line, block in _blocks(Path(path)):
        yield _sentence(Path(path), count, line, block)
    if not count:
        raise BadTreebank(
            f"{path}: the file has no sentence in it; a treebank has a line for each word, in CoNLL-U or CoNLL-X"
        )


def _blocks(path: Path) -> Iterator[tuple[int, int, list[str]]]:
    """Number, first line and lines of each sentence."""
    block: list[str] = []
    count = first = 0
    for number, line in enumerate(_lines(path), start=1):
        if line.strip():
            first = first if block else number
            block.append(line)
        elif any(not text.startswith("#") for text in block):
            count += 1
            yield count, first, block
            block = []
    if any(not text.startswith("#") for text in block):
        yield count + 1, first, block


def _lines(path: Path) -> Iterator[str]:
    if path.is_dir():
        raise UnreadableFile(f"{path}: this is a directory; a treebank is a file in CoNLL-U or CoNLL-X")
    try:
        with path.open(encoding="utf-8-sig") as file:
            for line in file:
                yield line.rstrip("\n")
    except UnicodeDecodeError:
        raise _not_utf8(path) from None
    except OSError as error:
        raise UnreadableFile(f"{path}: {error.strerror or error}") from None


def _not_utf8(path: Path) -> BadTreebank:
    """The error with the first place that is not UTF-8; a file that can be read only once has none."""
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            byte = f"byte {line[error.start]:#04x} at column {error.start + 1}"
            return BadTreebank(f"{path}:{number}: not UTF-8: {byte}; save the file as UTF-8")
    return BadTreebank(f"{path}: not UTF-8; save the file as UTF-8")


def _as_written() -> dict[str, Callable[[list[str], int], object]]:
    """Parsers that leave the columns alone that a graph does not need; a fresh one each time, conllu writes into it."""
    return {name: lambda line, column: line[column] for name in ("feats", "deps", "misc", "xpos")}


def _is_word(line: str) -> bool:
    return not line.startswith("#") and line.split("\t", 1)[0].isdecimal()


def _sentence(path: Path, count: int, first: int, block: list[str]) -> Sentence:
    where = f"{path}:{first}: sentence {count}"
    for offset, line in enumerate(block):
        columns = len(line.split("\t"))
        if not line.startswith("#") and columns != len(COLUMNS):
            raise BadTreebank(
                f"{path}:{first + offset}: sentence {count}: {columns} columns instead of {len(COLUMNS)}, separated by tabs"
            )
        if _is_word(line) and not _HEAD.fullmatch(head := line.split("\t")[COLUMNS.index("head")]):
            word = line.split("\t", 1)[0]
            raise BadTreebank(
                f"{path}:{first + offset}: sentence {count}: the head of word {word} is `{head[:20]}`, which is no number"
            )
    words = [line for line in block if _is_word(line)]
    try:
        tokens = parse("\n".join(words) + "\n", fields=list(COLUMNS), field_parsers=_as_written())[0] if words else []
    except ParseException as error:
        raise BadTreebank(f"{where}: {error}") from None
    for expected, token in enumerate(tokens, start=1):
        if token["id"] != expected:
            raise BadTreebank(f"{where}: word {token['id']} where word {expected} should be")
    heads: Heads = tuple(token["head"] for token in tokens)
    labels = [None if token["deprel"] in ("_", None) else token["deprel"] for token in tokens]
    try:
        graph = graph_of(heads, labels)
    except BadGraph as error:
        raise BadTreebank(f"{where}: {error}") from None
    cycle = cycle_in(heads)
    if cycle is not None:
        raise BadTreebank(f"{where}: the heads form a cycle: {' -> '.join(map(str, [*cycle, cycle[0]]))}")
    size = sum(len(line.encode()) + 1 for line in block) + 1
    return Sentence(count, first, tuple(token["form"] for token in tokens), graph, size)

"""Treebanks in CoNLL-U, CoNLL-X and CoNLL-09, one sentence at a time, with the original lines.

They give gold graphs, and words to train and parse with.

Definitions
- A *word line* has a tab and a whole number as ID.  Multiword tokens (ID `3-4`), empty nodes (ID `8.1`) and comments
  are not words; they are kept as they are; the words of a multiword token must be there.  A line ends with a line feed,
  which a carriage return may precede.
- CoNLL-U and CoNLL-X have ten columns, of which those that are read stand in the same places.  A file whose first word
  line has twelve columns or more is CoNLL-09; there the predicted lemma, part of speech and features are taken where
  they are given, else the gold ones.
- *Gold* reading wants a tree: every word has a head from 0 to n, no cycle, some word hangs on 0.  Where a forest will
  do, HEAD `_` is a word without head.  Reading without gold ignores HEAD and DEPREL, whatever stands there.
- Writing changes the HEAD and DEPREL of word lines and nothing else, byte for byte: line ends, blank lines, a byte
  order mark at the beginning and whatever follows the last sentence stay.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from arcproof.transitions.errors import BadGraph, BadTreebank, UnreadableFile
from arcproof.transitions.graph import ROOT, Graph, Heads, cycle_in, graph_of
from arcproof.transitions.printing.wording import counted
from conllu.exceptions import ParseException
from conllu.parser import parse_line

from arcproof.process.lazy_dataclass import dataclass

TEN: Final = ("id", "form", "lemma", "cpos", "fpos", "feats", "head", "deprel", "ninth", "tenth")
FOURTEEN: Final = (
    "id", "form", "gold_lemma", "lemma", "gold_pos", "fpos", "gold_feats", "feats",
    "head", "phead", "deprel", "pdeprel", "fillpred", "pred",
)  # fmt: skip
LEAST_OF_CONLL_09: Final = 12
MOST_WORDS: Final = 100_000
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_BLANKS: Final = ("  ", "\ue000\ue000")
_NO_WORD: Final = re.compile(r"[0-9]+[-.][0-9]+")

OnBad: TypeAlias = Callable[[BadTreebank], None]
Shape: TypeAlias = Literal["tree", "forest"]


class Token(NamedTuple):
    """What the columns of a word line say of the word; `_` is the empty value."""

    form: str
    lemma: str
    cpos: str
    fpos: str
    feats: str


@dataclass(frozen=True, slots=True)
class Format:
    """The columns of a file by name."""

    name: str
    columns: tuple[str, ...]
    open_ended: bool

    @property
    def head(self) -> int:
        """The place of HEAD."""
        return self.columns.index("head")

    @property
    def deprel(self) -> int:
        """The place of DEPREL."""
        return self.columns.index("deprel")


CONLL_U: Final = Format("CoNLL-U or CoNLL-X", TEN, False)
CONLL_09: Final = Format("CoNLL-09", FOURTEEN, True)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its number in the file, the line of its first word, its words, its lines, and the file.

    The gold graph of the words is there if it was asked for.
    """

    number: int
    line: int
    tokens: tuple[Token, ...]
    gold: Graph | None
    lines: tuple[bytes, ...]
    rows: tuple[int, ...]
    format: Format = CONLL_U
    source: str = field(default="", compare=False)

    def place(self, word: int) -> str:
        """File, line and sentence of a word."""
        line = self.line + self.rows[word - 1] - self.rows[0]
        return f"{self.source}:{line}: sentence {self.number}"

    @property
    def words(self) -> int:
        """How many words there are."""
        return len(self.tokens)

    @property
    def first_line(self) -> int:
        """The line it starts at, a comment or a word."""
        start = self.line - self.rows[0]
        return next(start + row for row, line in enumerate(self.lines) if _bare(line, start + row).strip())

    @property
    def size(self) -> int:
        """Its bytes in the file."""
        return sum(map(len, self.lines))

    @property
    def forms(self) -> tuple[str, ...]:
        """The words as they are written."""
        return tuple(token.form for token in self.tokens)

    @property
    def graph(self) -> Graph:
        """The gold graph; only where it was read."""
        if self.gold is None:
            raise BadTreebank(f"sentence {self.number} was read without its gold graph")
        return self.gold

    @property
    def heads(self) -> tuple[int, ...]:
        """The gold head of each word."""
        return tuple(0 if head is None else head for head in self.graph.heads)

    @property
    def labels(self) -> tuple[str, ...]:
        """The gold label of each word."""
        by_word = {arc.dependent: arc.label or "_" for arc in self.graph.arcs}
        return tuple(by_word[word] for word in range(1, self.words + 1))

    def with_tree(self, heads: Sequence[int], labels: Sequence[str]) -> bytes:
        """The lines with these heads and labels and everything else as it was read."""
        lines = list(self.lines)
        for row, head, label in zip(self.rows, heads, labels, strict=True):
            body, end = _without_end(lines[row])
            fields = body.split(b"\t")
            fields[self.format.head] = str(head).encode()
            fields[self.format.deprel] = label.encode()
            lines[row] = b"\t".join(fields) + end
        return b"".join(lines)


def read_sentence(path: str | Path, number: int) -> Sentence:
    """The K-th sentence of a file with its gold graph, a forest; the others are not looked at.

    `BadTreebank` if there are fewer.
    """
    place, last = Path(path), 0
    for count, first, block in _blocks(_raw_lines(place)):
        last = max(last, count)
        if count and count == number:
            return _sentence(place, count, first, block, _format(place, count, first, block), "forest")
    raise BadTreebank(f"{path}: there is no sentence {number}; the file has {last}")


def read(
    path: str | Path,
    gold: bool = True,
    on_bad: OnBad | None = None,
    lines: Iterable[bytes] | None = None,
    forests: bool = False,
) -> Iterator[Sentence]:
    """All sentences of a file, one at a time; with `lines` of these, and `path` is what messages call them.

    With `forests` a word of a gold graph may be without head.  `BadTreebank` names file, line and sentence of the
    first problem; with `on_bad` it is given each of them, and the sentence is left out.
    `BadTreebank` also if there is no sentence in the file at all.
    """
    place = Path(path)
    shape: Shape | None = None if not gold else "forest" if forests else "tree"
    found = False
    waiting: Sentence | None = None
    format_ = None
    for number, first, block in _blocks(_raw_lines(place) if lines is None else lines):
        if number == 0:
            if waiting is not None:
                yield _followed_by(waiting, block)
            waiting = None
            continue
        found = True
        if waiting is not None:
            yield waiting
            waiting = None
        try:
            format_ = format_ or _format(place, number, first, block)
            waiting = _sentence(place, number, first, block, format_, shape)
        except BadTreebank as problem:
            if on_bad is None:
                raise
            on_bad(problem)
    if waiting is not None:
        yield waiting
    if not found:
        raise BadTreebank(
            f"{place}: the file has no sentence in it; "
            "a treebank has a line for each word, in CoNLL-U, CoNLL-X or CoNLL-09"
        )


def _followed_by(sentence: Sentence, lines: list[bytes]) -> Sentence:
    return replace(sentence, lines=(*sentence.lines, *lines))


def _raw_lines(path: Path) -> Iterator[bytes]:
    if path.is_dir():
        raise UnreadableFile(f"{path}: this is a directory; a treebank is a file in CoNLL-U, CoNLL-X or CoNLL-09")
    try:
        with path.open("rb") as file:
            yield from file
    except OSError as error:
        raise UnreadableFile(f"{path}: {error.strerror or error}") from None


def _blocks(raw: Iterable[bytes]) -> Iterator[tuple[int, int, list[bytes]]]:
    """Number, number of the first line, and lines of each sentence with the blank lines after it.

    Lines after the last sentence are number 0.
    """
    lines: list[bytes] = []
    count, first, has_words, ended = 0, 1, False, False
    for number, line in enumerate(raw, start=1):
        bare = _bare(line, number)
        blank = not bare.strip()
        if ended and not blank:
            count += 1
            yield count, first, lines
            lines, first, has_words, ended = [], number, False, False
        lines.append(line)
        if blank:
            ended = has_words
        elif not bare.startswith(b"#"):
            has_words = True
    if has_words:
        yield count + 1, first, lines
    elif lines:
        yield 0, first, lines


def _without_end(line: bytes) -> tuple[bytes, bytes]:
    body = line.rstrip(b"\r\n")
    return body, line[len(body) :]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _bare(line: bytes, number: int) -> bytes:
    """The line of this number without the byte order mark that the first may have."""
    return line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line


def _format(path: Path, number: int, first: int, lines: list[bytes]) -> Format:
    for offset, line in enumerate(lines):
        bare = _bare(line, first + offset)
        if bare.strip() and not bare.startswith(b"#"):
            columns = bare.count(b"\t") + 1
            if columns == len(TEN):
                return CONLL_U
            if columns >= LEAST_OF_CONLL_09:
                return CONLL_09
            raise _bad(
                path, first + offset, number, _columns(columns, "10 (CoNLL-U, CoNLL-X) or 14 and more (CoNLL-09)")
            )
    raise AssertionError("a sentence without a word line")


def _columns(found: int, wanted: str) -> str:
    return f"{counted(found, 'column')} instead of {wanted}, separated by tabs"


def _bad(path: Path, line: int, number: int, message: str) -> BadTreebank:
    return BadTreebank(f"{path}:{line}: sentence {number}: {message}")


def _as_written(line: list[str], column: int) -> str:
    return line[column]


_PARSERS: Final[dict[str, Callable[[list[str], int], Any]]] = dict.fromkeys({*TEN, *FOURTEEN}, _as_written)


def _sentence(
    path: Path, number: int, first: int, lines: list[bytes], format_: Format, shape: "Shape | None"
) -> Sentence:
    rows: list[int] = []
    ranges: list[tuple[int, str]] = []
    fields: list[dict[str, str]] = []
    for offset, line in enumerate(lines):
        bad = partial(_bad, path, first + offset, number)
        try:
            text = _without_end(_bare(line, first + offset))[0].decode("utf-8")
        except UnicodeDecodeError as error:
            raise bad(
                f"not UTF-8: byte {error.object[error.start]:#04x} at column {error.start + 1}; save the file as UTF-8"
            ) from None
        if not text.strip() or text.startswith("#"):
            continue
        _check_characters(text, bad)
        columns = text.count("\t") + 1
        if columns != len(format_.columns) and not (format_.open_ended and columns >= LEAST_OF_CONLL_09):
            raise bad(_columns(columns, f"{len(format_.columns)} ({format_.name})"))
        identifier = text.split("\t", 1)[0]
        if not _is_number(identifier):
            if not _NO_WORD.fullmatch(identifier):
                raise bad(f"the ID is `{identifier[:20]}`; words are numbered from 1")
            if "-" in identifier:
                ranges.append((offset, identifier))
            continue
        if len(identifier) > 6 or int(identifier) != len(rows) + 1:
            raise bad(f"word {identifier[:20]} where word {len(rows) + 1} should be")
        if len(rows) >= MOST_WORDS:
            raise bad(f"more than {MOST_WORDS} words in a sentence")
        fields.append(_fields(text, format_, bad))
        rows.append(offset)
    if not rows:
        raise _bad(path, first, number, "no line of it is a word")
    for offset, range_ in ranges:
        begin, end = (int(part) if len(part) <= 6 else MOST_WORDS + 1 for part in range_.split("-"))
        if not 1 <= begin <= end <= len(rows):
            what = f"the multiword token {range_[:20]} must be of words from 1 to {len(rows)}, the first one first"
            raise _bad(path, first + offset, number, what)
    tokens = tuple(_token(word, format_) for word in fields)
    graph = (
        None
        if shape is None
        else _gold(fields, shape, lambda word: partial(_bad, path, first + rows[word - 1], number))
    )
    return Sentence(number, first + rows[0], tokens, graph, tuple(lines), tuple(rows), format_, str(path))


def _check_characters(text: str, bad: Callable[[str], BadTreebank]) -> None:
    if text.startswith("\ufeff"):
        raise bad("a byte order mark in the middle of the file, where two files were joined; remove it")
    if "\r" in text:
        raise bad("a carriage return within the line; lines end with a line feed, or with both")


def _fields(text: str, format_: Format, bad: Callable[[str], BadTreebank]) -> dict[str, str]:
    double, placeholder = _BLANKS
    has_blanks = double in text
    try:
        parsed = parse_line(text.replace(double, placeholder) if has_blanks else text, format_.columns, _PARSERS)
    except ParseException as error:
        raise bad(str(error)) from None
    fields: dict[str, str] = {name: parsed.get(name, "_") for name in format_.columns}
    if has_blanks:
        fields = {name: value.replace(placeholder, double) for name, value in fields.items()}
    return fields


def _token(fields: dict[str, str], format_: Format) -> Token:
    if not format_.open_ended:
        return Token(fields["form"], fields["lemma"], fields["cpos"], fields["fpos"], fields["feats"])
    lemma = fields["gold_lemma"] if fields["lemma"] == "_" else fields["lemma"]
    pos = fields["gold_pos"] if fields["fpos"] == "_" else fields["fpos"]
    feats = fields["gold_feats"] if fields["feats"] == "_" else fields["feats"]
    return Token(fields["form"], lemma, pos, pos, feats)


def _gold(fields: list[dict[str, str]], shape: Shape, bad_at: Callable[[int], Callable[[str], BadTreebank]]) -> Graph:
    heads: list[int | None] = []
    for word, values in enumerate(fields, start=1):
        head = values["head"]
        if head in ("_", ""):
            if shape == "tree":
                raise bad_at(word)(f"word {word} has no head")
            heads.append(None)
            continue
        if not _is_number(head) or len(head) > 6:
            raise bad_at(word)(
                f"the head of word {word} is `{head[:20]}`; it must be a whole number from 0 to {len(fields)}"
            )
        if int(head) > len(fields):
            raise bad_at(word)(
                f"the head of word {word} is {head}; "
                f"with {counted(len(fields), 'word')} it must be from 0 to {len(fields)}"
            )
        heads.append(int(head))
    tree: Heads = tuple(heads)
    cycle = cycle_in(tree)
    if cycle is not None:
        path = " -> ".join(map(str, [*cycle, cycle[0]]))
        raise bad_at(cycle[0])(
            f"the heads form a cycle: {path}"
            + ("; and no word hangs on 0: there is no root" if shape == "tree" and ROOT not in heads else "")
        )
    try:
        return graph_of(tree, [None if values["deprel"] in ("_", "") else values["deprel"] for values in fields])
    except BadGraph as error:
        raise bad_at(1)(str(error)) from None

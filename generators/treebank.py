"""Treebanks in CoNLL-U, CoNLL-X, CoNLL-09 and SDP-style files, one sentence at a time, with the original lines.

They give gold graphs, and words to train and parse with.

Definitions
- A *word line* has a tab and a whole number as ID.  Multiword tokens (ID `3-4`), empty nodes (ID `8.1`) and comments
  are not words, and are kept as they are; the words of a multiword token must exist.  A line ends with a line feed,
  which a carriage return may precede.
- CoNLL-U and CoNLL-X have ten columns; those that are read are in the same places.  A file whose first word line has
  twelve columns or more is CoNLL-09; there the predicted lemma, part of speech and features are used if they are given,
  and otherwise the gold ones.  A file whose first word line has + or - in columns 5 and 6, or four columns, is an
  SDP-style file (`gold_columns`), in the form of 2015 if its first line is `#SDP 2015` or it has the column FRAME.
- *Gold* reading expects a tree: every word has a head from 0 to n, there is no cycle, and some word is attached to 0.
  Where a forest will do, HEAD `_` is a word without a head.  Where a *graph* is read, in which a word may have several
  heads, the arcs are those of DEPS or of an SDP-style file; a sentence with null nodes (ID `8.1`) is then left out, and
  `Tally` counts it. Reading without gold ignores these columns, whatever they contain.
- Writing changes HEAD and DEPREL, or DEPS, or the columns of an SDP-style file from TOP on, and nothing else, byte for
  byte: line ends, blank lines, a byte order mark at the beginning and whatever follows the last sentence stay.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from string import whitespace
from typing import Any, Final, NamedTuple, TypeAlias

from conllu.parser import parse_line

from arcproof.generators.formats import (
    BYTE_ORDER_MARK,
    CONLL_U,
    FOURTEEN,
    TEN,
    Format,
    TagColumn,
    bare,
    columns_wrong,
    format_of,
    without_end,
)
from arcproof.generators.gold_columns import (
    SDP_2015,
    Shape,
    deps_graph,
    deps_text,
    is_number,
    sdp_graph,
    sdp_lines,
    tree_of,
)
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.errors import BadTreebank, UnreadableFile
from arcproof.transitions.graph import Graph
from arcproof.transitions.printing.wording import size_text
from arcproof.transitions.reading.files import MAX_SENTENCE, lines_of, opened

MOST_WORDS: Final = 100_000
NOT_FOR_TREES: Final = (
    "this is an SDP-style file, in which a word may have several heads; it goes with figures that say `several heads` and "
    "assign no tags, and with `evaluate --graphs`"
)
_NO_WORD: Final = re.compile(r"[0-9]+[-.][0-9]+")

OnBad: TypeAlias = Callable[[BadTreebank], None]


class Token(NamedTuple):
    """What the columns of a word line say about the word; `_` is the empty value."""

    form: str
    lemma: str
    cpos: str
    fpos: str
    feats: str


@dataclass
class Tally:
    """The number of sentences seen in a file, and the number of those left out because they have null nodes."""

    sentences: int = 0
    with_null_nodes: int = 0


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its number in the file, the line of its first word, its words, its lines, and the file.

    The gold graph of the words is present if it was requested.
    """

    number: int
    line: int
    tokens: tuple[Token, ...]
    gold: Graph | None
    lines: tuple[bytes, ...]
    rows: tuple[int, ...]
    format: Format = CONLL_U
    source: str = field(default="", compare=False)
    null_nodes: int = 0

    def place(self, word: int) -> str:
        """The file, line and sentence of a word, for messages."""
        line = self.line + self.rows[word - 1] - self.rows[0]
        return f"{self.source}:{line}: sentence {self.number}"

    @property
    def words(self) -> int:
        """The number of words."""
        return len(self.tokens)

    @property
    def first_line(self) -> int:
        """The number of the line at which the sentence starts, with a comment or a word."""
        start = self.line - self.rows[0]
        return next(start + row for row, line in enumerate(self.lines) if bare(line, start + row).strip())

    @property
    def size(self) -> int:
        """The size in bytes in the file."""
        return sum(map(len, self.lines))

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms of the words, as they are written."""
        return tuple(token.form for token in self.tokens)

    @property
    def graph(self) -> Graph:
        """The gold graph; `BadTreebank` if it was not read."""
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

    @property
    def arc_labels(self) -> tuple[str, ...]:
        """The labels of the gold arcs, by dependent, then head."""
        return tuple(arc.label or "_" for arc in self.graph.sorted_arcs())

    @property
    def columns(self) -> list[list[str]]:
        """The columns of each word as they are written."""
        texts = (without_end(self.lines[row])[0].decode("utf-8") for row in self.rows)
        return [text.removeprefix("\ufeff").split("\t") for text in texts]

    def with_graph(self, graph: Graph) -> bytes:
        """The lines with the arcs of this graph, in DEPS or as in an SDP-style file, and everything else as it was
        read.
        """
        lines = list(self.lines)
        for row, columns in zip(self.rows, self._rewritten(graph), strict=True):
            lines[row] = "\t".join(columns).encode() + without_end(lines[row])[1]
        if self.lines[0].startswith(BYTE_ORDER_MARK) and not lines[0].startswith(BYTE_ORDER_MARK):
            lines[0] = BYTE_ORDER_MARK + lines[0]
        return b"".join(lines)

    def _rewritten(self, graph: Graph) -> Iterator[list[str]]:
        """The columns of each word line with the arcs of this graph."""
        if self.format.is_sdp:
            yield from sdp_lines(self.columns, len(self.format.columns), graph, self.gold)
            return
        if "deps" not in self.format.columns:
            raise BadTreebank(f"{self.place(1)}: {self.format.name} has no DEPS; graphs are written into CoNLL-U")
        place = self.format.columns.index("deps")
        for word, columns in enumerate(self.columns, start=1):
            if columns[place] != "_" and ":" not in columns[place]:
                raise BadTreebank(
                    f"{self.place(word)}: `{columns[place]}` is not DEPS but PHEAD, as in CoNLL-X; "
                    "graphs are written into DEPS of CoNLL-U"
                )
            arcs = [arc for arc in graph.sorted_arcs() if arc.dependent == word]
            if self.gold is None or {arc for arc in self.gold.arcs if arc.dependent == word} != set(arcs):
                columns[place] = deps_text(arcs)
            yield columns

    def tags(self, column: TagColumn = "upos") -> tuple[str, ...]:
        """The part of speech of each word: UPOS, or with `xpos` the finer, language-specific one."""
        return tuple(token.cpos if column == "upos" else token.fpos for token in self.tokens)

    def with_tree(
        self,
        heads: Sequence[int],
        labels: Sequence[str],
        tags: Sequence[str] | None = None,
        column: TagColumn = "upos",
    ) -> bytes:
        """The lines with these heads and labels, and tags if there are any, and everything else as it was read.

        `BadTreebank` for an SDP-style file, which has no place for them.
        """
        if self.format.is_sdp:
            raise BadTreebank(f"{self.place(1)}: {NOT_FOR_TREES}")
        lines = list(self.lines)
        for word, (row, head, label) in enumerate(zip(self.rows, heads, labels, strict=True)):
            body, end = without_end(lines[row])
            fields = body.split(b"\t")
            fields[self.format.head] = str(head).encode()
            fields[self.format.deprel] = label.encode()
            if tags is not None:
                fields[self.format.tag(column)] = tags[word].encode()
            lines[row] = b"\t".join(fields) + end
        return b"".join(lines)


def read_sentence(path: str | Path, number: int, graphs: bool = False) -> Sentence:
    """The K-th sentence of a file with its gold graph, a forest, or with `graphs` that of DEPS or an SDP-style file.

    The others are not read.  `BadTreebank` if there are fewer sentences.
    """
    place, last = Path(path), 0
    shape: Shape = "graph" if graphs else "forest"
    for count, first, block in _blocks(_raw_lines(place), place):
        last = max(last, count)
        if count and count == number:
            format_ = format_of(block, first, partial(_bad, place, count))
            found = _sentence(place, count, first, block, format_, shape)
            if graphs and found.null_nodes:
                raise BadTreebank(
                    f"{found.place(1)}: it has null nodes, which graphs cannot have; choose another sentence"
                )
            return found
    raise BadTreebank(f"{path}: there is no sentence {number}; the file has {last}")


def read(
    path: str | Path,
    gold: bool = True,
    on_bad: OnBad | None = None,
    lines: Iterable[bytes] | None = None,
    forests: bool = False,
    graphs: bool = False,
    tally: Tally | None = None,
) -> Iterator[Sentence]:
    """All sentences of a file, one at a time; if `lines` are given, they are read instead, and `path` is only their
    name in messages.

    With `forests` a word of a gold graph may have no head; with `graphs` gold graphs are those of DEPS or of an
    SDP-style file, and sentences with null nodes are left out, which `tally` counts.  `BadTreebank` names file, line
    and sentence of the first problem; if `on_bad` is given, it is called with every problem instead, and the sentence
    is left out.  It is also `BadTreebank` if the file has no sentences at all, or no arcs where graphs are read.
    """
    place = Path(path)
    shape: Shape | None = None if not gold else "graph" if graphs else "forest" if forests else "tree"
    counted_ = tally or Tally()
    found = has_arcs = False
    waiting: Sentence | None = None
    format_ = None
    for number, first, block in _blocks(_raw_lines(place) if lines is None else lines, place):
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
            format_ = format_ or format_of(block, first, partial(_bad, place, number))
            read_now = _sentence(place, number, first, block, format_, shape)
            counted_.sentences += 1
            if shape == "graph" and read_now.null_nodes:
                counted_.with_null_nodes += 1
                continue
            has_arcs = has_arcs or shape != "graph" or bool(read_now.graph.arcs)
            waiting = read_now
        except BadTreebank as problem:
            if on_bad is None:
                raise
            on_bad(problem)
    if waiting is not None:
        yield waiting
    if not found:
        raise BadTreebank(
            f"{place}: the file contains no sentences; "
            "a treebank has a line for each word, in CoNLL-U, CoNLL-X, CoNLL-09 or as in SDP"
        )
    if shape == "graph" and not has_arcs and counted_.sentences > counted_.with_null_nodes:
        raise BadTreebank(
            f"{place}: it contains no arcs; graphs are read from DEPS, column 9 of CoNLL-U, or from SDP-style files"
        )


def _followed_by(sentence: Sentence, lines: list[bytes]) -> Sentence:
    return replace(sentence, lines=(*sentence.lines, *lines))


def check_readable(path: Path) -> None:
    """`UnreadableFile` if a file cannot be opened; a pipe is left as it is."""
    if path.is_file() or path.is_dir() or not path.exists():
        next(_raw_lines(path), None)


def _raw_lines(path: Path) -> Iterator[bytes]:
    if path.is_dir():
        raise UnreadableFile(f"{path}: this is a directory; a treebank is a file in CoNLL-U, CoNLL-X or CoNLL-09")
    try:
        with opened(path) as file:
            yield from lines_of(file, path, "treebank")
    except UnreadableFile:
        raise
    except OSError as error:
        raise UnreadableFile(f"{path}: {error.strerror or error}") from None


def _blocks(raw: Iterable[bytes], place: Path) -> Iterator[tuple[int, int, list[bytes]]]:
    """For each sentence: its number, the number of its first line, and its lines with the blank lines after it.

    Lines after the last sentence get number 0.
    """
    lines: list[bytes] = []
    count, first, has_words, ended, size = 0, 1, False, False, 0
    for number, line in enumerate(raw, start=1):
        text = bare(line, number)
        blank = not text.strip()
        if ended and not blank:
            count += 1
            yield count, first, lines
            lines, first, has_words, ended, size = [], number, False, False, 0
        lines.append(line)
        size += len(line)
        if size > MAX_SENTENCE:
            raise UnreadableFile(
                f"{place}:{number}: more than {size_text(MAX_SENTENCE)} without the end of a sentence; "
                "sentences end with a blank line"
            )
        if blank:
            ended = has_words
        elif not text.startswith(b"#"):
            has_words = True
    if has_words:
        yield count + 1, first, lines
    elif lines:
        yield 0, first, lines


def _bad(path: Path, number: int, line: int, message: str) -> BadTreebank:
    return BadTreebank(f"{path}:{line}: sentence {number}: {message}")


def _sentence(
    path: Path, number: int, first: int, lines: list[bytes], format_: Format, shape: "Shape | None"
) -> Sentence:
    rows: list[int] = []
    null_nodes = 0
    ranges: list[tuple[int, str]] = []
    fields: list[dict[str, str]] = []
    for offset, line in enumerate(lines):
        bad = partial(_bad, path, number, first + offset)
        try:
            text = without_end(bare(line, first + offset))[0].decode("utf-8")
        except UnicodeDecodeError as error:
            raise bad(
                f"not UTF-8: byte {error.object[error.start]:#04x} at column {error.start + 1}; save the file as UTF-8"
            ) from None
        if not text.strip(whitespace) or text.startswith("#"):
            continue
        _check_characters(text, bad)
        columns = text.count("\t") + 1
        if not format_.accepts(columns):
            raise bad(columns_wrong(columns, f"{len(format_.columns)} ({format_.name})"))
        identifier = text.split("\t", 1)[0]
        if not is_number(identifier):
            if not _NO_WORD.fullmatch(identifier):
                raise bad(f"the ID is `{identifier[:20]}`; words are numbered from 1")
            if "-" in identifier:
                ranges.append((offset, identifier))
            null_nodes += "." in identifier
            continue
        if len(identifier) > 6 or int(identifier) != len(rows) + 1:
            raise bad(f"word {identifier[:20]} where word {len(rows) + 1} should be")
        if len(rows) >= MOST_WORDS:
            raise bad(f"more than {MOST_WORDS} words in a sentence")
        fields.append(_fields(text, format_))
        rows.append(offset)
    if not rows:
        raise _bad(path, number, first, "it has no word lines")
    for offset, range_ in ranges:
        begin, end = (int(part) if len(part) <= 6 else MOST_WORDS + 1 for part in range_.split("-"))
        if not 1 <= begin <= end <= len(rows):
            what = f"the multiword token {range_[:20]} must span words from 1 to {len(rows)}, in ascending order"
            raise _bad(path, number, first + offset, what)
    tokens = tuple(_token(word, format_) for word in fields)
    found = Sentence(number, first + rows[0], tokens, None, tuple(lines), tuple(rows), format_, str(path), null_nodes)
    if shape is None or (shape == "graph" and null_nodes):
        return found
    return replace(found, gold=_gold(found, fields, shape))


def _gold(sentence: Sentence, fields: list[dict[str, str]], shape: Shape) -> Graph:
    """The gold graph, read from the columns of its format."""

    def bad_at(word: int) -> Callable[[str], BadTreebank]:
        return lambda message: BadTreebank(f"{sentence.place(word)}: {message}")

    format_ = sentence.format
    if shape == "graph" and format_.is_sdp:
        return sdp_graph(sentence.columns, len(format_.columns), bad_at)
    if shape == "graph":
        if "deps" not in format_.columns:
            raise bad_at(1)(f"{format_.name} has no DEPS; graphs are read from CoNLL-U or from SDP-style files")
        return deps_graph(fields, bad_at)
    if format_.is_sdp:
        raise bad_at(1)(NOT_FOR_TREES)
    return tree_of(fields, shape, bad_at)


def _check_characters(text: str, bad: Callable[[str], BadTreebank]) -> None:
    if text.startswith("\ufeff"):
        raise bad("a byte order mark in the middle of the file, where two files were joined; remove it")
    if "\r" in text:
        raise bad("a carriage return within the line; lines end with a line feed, or with both")


def _fields(text: str, format_: Format) -> dict[str, str]:
    """The columns of a line by name.

    conllu takes two blanks for the end of a column, too; where a form has them, only tabs count.
    """
    columns = text.split("\t") if "  " in text else list(parse_line(text, format_.columns, _PARSERS).values())
    return {**dict.fromkeys(format_.columns, "_"), **dict(zip(format_.columns, columns, strict=False))}


def _as_written(line: list[str], column: int) -> str:
    return line[column]


_PARSERS: Final[dict[str, Callable[[list[str], int], Any]]] = dict.fromkeys({*TEN, *FOURTEEN, *SDP_2015}, _as_written)


def _token(fields: dict[str, str], format_: Format) -> Token:
    if format_.is_sdp:
        return Token(fields["form"], fields["lemma"], fields["fpos"], fields["fpos"], "_")
    if not format_.open_ended:
        return Token(fields["form"], fields["lemma"], fields["cpos"], fields["fpos"], fields["feats"])
    lemma = fields["gold_lemma"] if fields["lemma"] == "_" else fields["lemma"]
    pos = fields["gold_pos"] if fields["fpos"] == "_" else fields["fpos"]
    feats = fields["gold_feats"] if fields["feats"] == "_" else fields["feats"]
    return Token(fields["form"], lemma, pos, pos, feats)

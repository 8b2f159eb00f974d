"""The formats of treebanks: how many columns a line has, what they are called, and which format a file is in.

The format is recognised by the first sentence; `treebank` defines how.
"""

from collections.abc import Callable, Sequence
from string import whitespace
from typing import Final, Literal, TypeAlias, get_args

from arcproof.generators.gold_columns import SDP_2014, SDP_2015, looks_like_sdp, sdp_columns
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.errors import BadTreebank
from arcproof.transitions.printing.wording import counted

TEN: Final = ("id", "form", "lemma", "cpos", "fpos", "feats", "head", "deprel", "deps", "tenth")
FOURTEEN: Final = (
    "id", "form", "gold_lemma", "lemma", "gold_pos", "fpos", "gold_feats", "feats",
    "head", "phead", "deprel", "pdeprel", "fillpred", "pred",
)  # fmt: skip
TagColumn: TypeAlias = Literal["upos", "xpos"]
TAG_COLUMNS: Final[tuple[TagColumn, ...]] = get_args(TagColumn)
Bad: TypeAlias = Callable[[int, str], BadTreebank]
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Format:
    """The columns of a file by name; in an open-ended format a line may have more or fewer, but at least this many."""

    name: str
    columns: tuple[str, ...]
    least: int
    open_ended: bool = True

    def accepts(self, columns: int) -> bool:
        """Whether a line may have this many columns."""
        return columns == len(self.columns) or (self.open_ended and columns >= self.least)

    @property
    def is_sdp(self) -> bool:
        """Whether the file is SDP-style."""
        return "top" in self.columns

    @property
    def head(self) -> int:
        """The index of the column HEAD."""
        return self.columns.index("head")

    @property
    def deprel(self) -> int:
        """The index of the column DEPREL."""
        return self.columns.index("deprel")

    def tag(self, column: TagColumn) -> int:
        """The index of a part-of-speech column; CoNLL-09 has only one."""
        return self.columns.index("cpos" if column == "upos" and "cpos" in self.columns else "fpos")


CONLL_U: Final = Format("CoNLL-U or CoNLL-X", TEN, len(TEN), open_ended=False)
CONLL_09: Final = Format("CoNLL-09", FOURTEEN, 12)
SDP: Final[dict[tuple[str, ...], Format]] = {form: Format("SDP", form, 4) for form in (SDP_2014, SDP_2015)}


def without_end(line: bytes) -> tuple[bytes, bytes]:
    """A line without its line ending, and the ending."""
    body = line.rstrip(b"\r\n")
    return body, line[len(body) :]


def bare(line: bytes, number: int) -> bytes:
    """The line with this number, without the byte order mark that the first line may have."""
    return line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line


def columns_wrong(found: int, wanted: str) -> str:
    """The message for a line that has this many columns."""
    return f"{counted(found, 'column')} instead of {wanted}, separated by tabs"


def format_of(lines: Sequence[bytes], first: int, bad: Bad) -> Format:
    """The format of a sentence whose lines begin at this number; if there is none, raises the error that `bad` makes
    from line and message.
    """
    texts = [without_end(bare(line, number))[0].decode("utf-8", "replace") for number, line in enumerate(lines, first)]
    words = [(number, text.split("\t")) for number, text in enumerate(texts, first) if _is_word(text)]
    line, fields = words[0]
    if looks_like_sdp(fields):
        found = sdp_columns([columns for _, columns in words], any(text.startswith("#SDP 2015") for text in texts))
        if found is not None:
            return SDP[found]
        wanted = f"{len(SDP_2014)} (SDP 2014) or {len(SDP_2015)} (SDP 2015) and one for each predicate (+ in column 6)"
        raise bad(line, columns_wrong(len(fields), wanted))
    if len(fields) == len(TEN):
        return CONLL_U
    if len(fields) >= CONLL_09.least:
        return CONLL_09
    wanted = "10 (CoNLL-U, CoNLL-X) or 14 and more (CoNLL-09); or 6 and more, the fifth and sixth + or - (SDP)"
    raise bad(line, columns_wrong(len(fields), wanted))


def _is_word(text: str) -> bool:
    return bool(text.strip(whitespace)) and not text.startswith("#")

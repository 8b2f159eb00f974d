"""Files and streams from users: what is larger than anything of its kind is refused before it is in memory.

The limits are many times what real files need; a device, a sparse file or a line without end exceeds them.
"""

from collections.abc import Iterable, Iterator
from io import BufferedReader
from itertools import count
from pathlib import Path
from typing import BinaryIO, Final, Literal, TypeAlias

from arcproof.transitions.errors import UnreadableFile
from arcproof.transitions.printing.wording import size_text

Kind: TypeAlias = Literal[
    "figure", "feature model", "audit", "table", "file of certificates", "proof", "obligation", "index", "result", "log"
]
MAX_BYTES: Final[dict[Kind, int]] = {
    "figure": 100_000,
    "feature model": 2**20,
    "audit": 2**24,
    "table": 2**24,
    "file of certificates": 20_000_000,
    "proof": 2**26,
    "obligation": 2**26,
    "index": 2**24,
    "result": 2**24,
    "log": 2**28,
}
MAX_LINE: Final = 2**22
"""The longest line of a treebank or a log, in bytes."""
MAX_SENTENCE: Final = 2**26
"""The greatest number of bytes in the lines of one sentence of a treebank."""


def opened(path: Path) -> BufferedReader:
    """A file by its name, opened for reading; a named pipe is refused, since perhaps nobody ever writes into it.

    Pipes that the shell made, as /dev/stdin and /dev/fd/63, are read.
    """
    if path.is_fifo() and not path.is_relative_to("/dev") and not path.is_relative_to("/proc"):
        raise UnreadableFile(f"{path}: this is a named pipe; give a file, or /dev/stdin with `< {path}`")
    return path.open("rb")


def bytes_of(path: Path, kind: Kind) -> bytes:
    """What is in a file; `UnreadableFile` if that is too much, `OSError` if it cannot be read."""
    with opened(path) as file:
        data = file.read(MAX_BYTES[kind] + 1)
    if len(data) > MAX_BYTES[kind]:
        raise too_large(path, kind)
    return data


def text_of(path: Path, kind: Kind, advice: str = "") -> str:
    """The text of a file; `UnreadableFile` says why it cannot be read, and then the advice."""
    try:
        return bytes_of(path, kind).decode("utf-8")
    except UnreadableFile:
        raise
    except OSError as error:
        raise UnreadableFile(f"{path}: {error.strerror or error}{advice}") from None
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8{advice}") from None


def lines_of(stream: BinaryIO, place: object, kind: str) -> Iterator[bytes]:
    """Yield the lines of a stream; `UnreadableFile` if one is too long."""
    for number in count(1):
        line = stream.readline(MAX_LINE + 1)
        if len(line) > MAX_LINE:
            raise UnreadableFile(
                f"{place}:{number}: longer than {size_text(MAX_LINE)}; no line of a {kind} is that long"
            )
        if not line:
            return
        yield line


def limited(lines: Iterable[bytes], place: object, kind: Kind) -> Iterator[bytes]:
    """Yield the lines of a stream that is not to be longer than a file of this kind."""
    size = 0
    for line in lines:
        size += len(line)
        if size > MAX_BYTES[kind]:
            raise too_large(place, kind)
        yield line


def too_large(place: object, kind: Kind) -> UnreadableFile:
    """The error that says how large a file of this kind may be."""
    return UnreadableFile(f"{place}: larger than {size_text(MAX_BYTES[kind])}; no {kind} is that long")

"""Proof files: each obligation as SMT-LIB, `NAME.smt2`, with its proof next to it, `NAME.cpc`, and an index.

The name is the hash of the obligation, which several theorems may share.  `index.json` lists the obligations of each
theorem.  It is meant for readers, and nothing verifies it: `checker` accepts or refuses only the pairs of files,
without a solver.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arcproof.properties.proving.checker.proof import check
from arcproof.properties.proving.checker.terms import Refused
from arcproof.transitions.errors import ArcproofError, UnreadableFile
from arcproof.transitions.reading.files import bytes_of, opened

OBLIGATION: Final = ".smt2"
PROOF: Final = ".cpc"
INDEX: Final = "index.json"
FORMAT: Final = 1


class NoProofs(ArcproofError):
    """None of the given files is a proof or an obligation."""


@dataclass(frozen=True)
class CheckedFile:
    """An obligation on file, and the reason why its proof is refused, if it is; `rules` counts the steps of an accepted
    one.
    """

    obligation: Path
    refused: str | None
    rules: Mapping[str, int]

    @property
    def proof(self) -> Path:
        """The file of the proof."""
        return self.obligation.with_suffix(PROOF)

    @property
    def steps(self) -> int:
        """The number of steps of the proof."""
        return sum(self.rules.values())


@dataclass(frozen=True)
class CheckedTheorem:
    """The obligations of a theorem according to an index, and how many of them are accepted."""

    system: str
    claim: str
    obligations: int
    accepted: int


def obligations_in(given: Sequence[Path]) -> list[Path]:
    """The obligations whose proofs are to be checked: files of either kind, and all in a folder."""
    found: dict[Path, None] = {}
    for path in given:
        inside = sorted(p for p in path.rglob("*") if p.suffix in (OBLIGATION, PROOF)) if path.is_dir() else [path]
        if not inside:
            raise NoProofs(f"{path}: this folder contains no proofs; `arcproof prove --proof-objects` writes them")
        for file in inside:
            if file.suffix not in (OBLIGATION, PROOF):
                raise NoProofs(f"{file}: a proof ends in {PROOF}, the obligation beside it in {OBLIGATION}")
            found[file.with_suffix(OBLIGATION)] = None
    return list(found)


def check_file(obligation: Path) -> CheckedFile:
    """Check the proof beside an obligation."""
    try:
        # bytes, because reading text would turn a carriage return into a line break that solvers do not see
        texts = bytes_of(obligation, "obligation").decode(), bytes_of(obligation.with_suffix(PROOF), "proof").decode()
        return CheckedFile(obligation, None, dict(check(*texts).rules))
    except Refused as reason:
        return CheckedFile(obligation, str(reason), {})
    except UnreadableFile as error:
        return CheckedFile(obligation, str(error), {})
    except OSError as error:
        return CheckedFile(obligation, f"{Path(str(error.filename)).name} cannot be read: {error.strerror}", {})
    except UnicodeDecodeError:
        return CheckedFile(obligation, "not UTF-8 text", {})


def rules_of(checked: Sequence[CheckedFile]) -> Counter[str]:
    """The steps of all accepted proofs, by rule."""
    counted: Counter[str] = Counter()
    for file in checked:
        counted.update(file.rules)
    return counted


# --- the index -------------------------------------------------------------------------------------------------------


def index_text(system: str, sha256: str, theorems: Sequence[tuple[str, Sequence[tuple[str, str]]]]) -> str:
    """An index: the system, and for each theorem the names and the hashes of its obligations."""
    listed = [
        {"claim": claim, "obligations": [{"name": name, "sha256": digest} for name, digest in obligations]}
        for claim, obligations in theorems
    ]
    content = {"format": FORMAT, "system": system, "spec_sha256": sha256, "theorems": listed}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def theorems_in(given: Sequence[Path], checked: Sequence[CheckedFile]) -> Iterator[CheckedTheorem]:
    """The theorems of the indexes in folders; an obligation counts if its text has the hash that is listed."""
    accepted = {_hash(file.obligation) for file in checked if file.refused is None}
    for index in dict.fromkeys(path for folder in given for path in sorted(folder.rglob(INDEX))):
        yield from _indexed(index, accepted)


def _indexed(path: Path, accepted: set[str]) -> Iterator[CheckedTheorem]:
    try:
        index: Any = json.loads(bytes_of(path, "index"))
        for theorem in index["theorems"]:
            digests = [str(entry["sha256"]) for entry in theorem["obligations"]]
            if not digests:
                raise ValueError("a theorem without obligations")
            proved = sum(digest in accepted for digest in digests)
            yield CheckedTheorem(_shown(index["system"]), _shown(theorem["claim"]), len(digests), proved)
    except RecursionError:
        raise NoProofs(
            f"{path} is not an index written by `arcproof prove --proof-objects`: it is nested too deeply"
        ) from None
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise NoProofs(f"{path} is not an index written by `arcproof prove --proof-objects`: {error}") from error


def _shown(text: object) -> str:
    """The text on one line, so that no second line can pass for a message of the checker."""
    return " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())


def _hash(path: Path) -> str:
    with opened(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

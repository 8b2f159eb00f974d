"""The claims audit on a page: the summary table of a Markdown file such as `proofs_notes/claims.md`.

The table stands under the heading `Summary`; its columns are the entry, the claim, where it was made, and the verdict,
which begins with one of `VERDICTS`.
"""

import re
from pathlib import Path
from typing import Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.reading.files import text_of

VERDICTS: Final = {"confirmed": "exhausted", "one reading": "sampled", "refuted": "refuted", "open": "unknown"}
_VERDICT: Final = re.compile(rf"(?P<verdict>(?P<word>{'|'.join(VERDICTS)})[^:]*)(?::(?P<remark>.*))?", re.DOTALL)
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")


class BadAudit(ArcproofError, ValueError):
    """The file has no summary of audited claims."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An audited sentence; it gets the colour of the verdict `colour`, and `remark` is any further comment."""

    entry: str
    claim: str
    where: str
    verdict: str
    colour: str
    remark: str = ""


def read_audit(path: str) -> tuple[AuditEntry, ...]:
    """Read the rows of the summary table; `BadAudit` if there is none."""
    _, found, rest = text_of(Path(path), "audit").partition("\n## Summary\n")
    rows = [line for line in rest.split("\n## ")[0].splitlines() if line.startswith("|")]
    if not found or len(rows) < 3:
        raise BadAudit(
            f"{path} has no table under the heading `## Summary`; an audit is written as in proofs_notes/claims.md"
        )
    return tuple(_entry(path, row) for row in rows[2:])


def _entry(path: str, row: str) -> AuditEntry:
    cells = [_plain(cell) for cell in row.strip().strip("|").split("|")]
    if len(cells) != 4:
        raise BadAudit(
            f"{path}: a row of the summary has {len(cells)} columns; it must have entry, claim, where, verdict: {row}"
        )
    read = _VERDICT.fullmatch(cells[3])
    if read is None:
        raise BadAudit(f"{path}: `{cells[3]}` does not begin with a verdict; verdicts are {', '.join(VERDICTS)}")
    return AuditEntry(cells[0], cells[1], cells[2], read["verdict"], VERDICTS[read["word"]], read["remark"] or "")


def _plain(cell: str) -> str:
    return _LINK.sub(r"\1", cell).replace("**", "").replace("`", "").strip()

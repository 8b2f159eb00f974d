"""What was tried, how often, what failed and how long it took: rows of one table, and findings with their files."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Finding:
    """Something that must not happen: what, how it shows, and the input or the command that shows it."""

    part: str
    what: str
    how: str
    data: bytes = b""


@dataclass
class Row:
    """One line of the table; `skipped` is the reason why nothing was tried."""

    part: str
    what: str
    tried: int = 0
    seconds: float = 0.0
    note: str = ""
    skipped: str = ""
    findings: list[Finding] = field(default_factory=list)
    failures: int = 0

    def fail(self, what: str, how: str, data: bytes = b"") -> None:
        """One more failure; of those that look the same one is kept."""
        self.failures += 1
        if all(found.what != what for found in self.findings):
            self.findings.append(Finding(self.part, what, how, data))


def to_markdown(rows: Sequence[Row]) -> str:
    """The table."""
    lines = ["| part | what | tried | failures | seconds | |", "|---|---|---:|---:|---:|---|"]
    for row in rows:
        note = f"skipped: {row.skipped}" if row.skipped else row.note
        lines.append(
            f"| {row.part} | {_cell(row.what)} | {row.tried:,} | {row.failures:,} | {row.seconds:.0f} | {_cell(note)} |"
        )
    tried, failures = sum(row.tried for row in rows), sum(row.failures for row in rows)
    lines.append(f"| all | | {tried:,} | {failures:,} | {sum(row.seconds for row in rows):.0f} | |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def write_findings(rows: Sequence[Row], folder: Path) -> list[Path]:
    """Each finding as a file, and a list of all of them."""
    written = []
    listed = []
    for row in rows:
        for number, found in enumerate(row.findings, start=1):
            name = re.sub(r"[^A-Za-z0-9]+", "-", f"{row.part}-{row.what}-{number}-{found.what}").strip("-")[:120]
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{name}.input"
            path.write_bytes(found.data)
            path.with_suffix(".txt").write_text(
                f"{found.what}\n\n{found.how}\n", encoding="utf-8", errors="backslashreplace"
            )
            written.append(path)
            listed.append(f"{row.part} · {row.what}: {found.what} ({path.name})")
    if listed:
        (folder / "findings.txt").write_text("\n".join(listed) + "\n", encoding="utf-8", errors="backslashreplace")
    return written

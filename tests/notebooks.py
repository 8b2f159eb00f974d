"""Executes a notebook without Jupyter: the cells in order, and of the last expression of each what a notebook would
show.
"""

import ast
import json
import re
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

PICTURE = re.compile(r"<svg\b.*?</svg>", re.DOTALL)


@dataclass(frozen=True)
class Executed:
    """A cell: its source, what it printed, and what is shown of its value, as text and as HTML."""

    source: str
    printed: str
    text: str
    html: str

    @property
    def size(self) -> int:
        """Characters of the output, but for pictures."""
        return len(self.printed) + len(self.text) + len(PICTURE.sub("", self.html))


def cells(path: Path, kind: str = "code") -> list[dict[str, Any]]:
    """The cells of one kind."""
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == kind]


def execute(path: Path) -> list[Executed]:
    """Execute all cells of a notebook in one namespace."""
    known: dict[str, Any] = {"__name__": "__main__"}
    return [_execute("".join(cell["source"]), known, f"{path.name}, cell {cell['id']}") for cell in cells(path)]


def _execute(source: str, known: dict[str, Any], name: str) -> Executed:
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    printed = StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        exec(compile(ast.Module(body, []), name, "exec"), known)
        value = None if last is None else eval(compile(ast.Expression(last.value), name, "eval"), known)
    html = getattr(value, "_repr_html_", None)
    return Executed(
        source, printed.getvalue(), "" if value is None else repr(value), "" if html is None else str(html())
    )

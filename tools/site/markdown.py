"""Pieces of Markdown that generated pages are made of."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from arcproof.transitions.printing.escape import for_terminal

_MARKDOWN: Final = str.maketrans(
    {sign: f"\\{sign}" for sign in "\\`*_{}[]|~^$"} | {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
)


def for_markdown(text: str) -> str:
    r"""The text inside a cell of a GitHub table; characters that have no meaning between letters stay as they are.

    >>> print(for_markdown("LEFT-ARC[2](a|b)"))
    LEFT-ARC\[2\](a\|b)
    """
    return for_terminal(text).translate(_MARKDOWN).replace("://", "\\://").replace("www.", "www\\.")


def prose(text: str) -> str:
    r"""A text in which only `code` is marked up.

    >>> print(prose("`covington[d=1]` is not [a link]"))
    `covington[d=1]` is not \[a link\]
    """
    parts = re.split(r"(`[^`\n]+`)", re.sub(r"\s+", " ", text).strip())
    return "".join(part if part.startswith("`") and len(part) > 1 else for_markdown(part) for part in parts)


def cell(text: str) -> str:
    """A text in a cell of a table; a bar in code would end the cell."""
    return re.sub(r"`([^`\n]*[|][^`\n]*)`", lambda found: f"<code>{for_markdown(found[1])}</code>", prose(text))


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table whose cells are Markdown."""
    return [
        "| " + " | ".join(header) + " |",
        "|" + "---|" * len(header),
        *("| " + " | ".join(row) + " |" for row in rows),
    ]


def html(markup: str) -> list[str]:
    """Markup that a page of ours has, in a block of its own; no blank line may end the block."""
    return ['<div class="arcproof">', re.sub(r"\n\s*\n+", "\n", markup.strip("\n")), "</div>"]


def plain_fences(markdown: str) -> str:
    """The document without what a fence says besides the language: `slow` is for the tests.

    >>> plain_fences("```python slow")
    '```python'
    """
    return re.sub(r"^(```\w+) \w+$", r"\1", markdown, flags=re.MULTILINE)


def bars_in_code(line: str) -> str:
    r"""A row of a table as Python-Markdown reads it: a bar in code is not escaped there, as it is on GitHub.

    >>> print(bars_in_code(r"| `a\|b` | c\|d |"))
    | `a|b` | c\|d |
    """
    if not line.lstrip().startswith("|"):
        return line
    return re.sub(r"`[^`]*`", lambda found: found[0].replace("\\|", "|"), line)


def fenced_sessions(docstring: str) -> str:
    """The docstring with a fence around each example, which goes on to the next blank line.

    >>> fenced_sessions("Adds. >>> is not an example.")
    'Adds. >>> is not an example.'
    """
    return re.sub(r"^>>> .*(?:\n.+)*", lambda found: f"```pycon\n{found[0]}\n```", docstring, flags=re.MULTILINE)


def page(*lines: str) -> str:
    """The text of a page."""
    return "\n".join(lines) + "\n"

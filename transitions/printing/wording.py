"""Words that messages, reports and exported models share."""

import re
from typing import Final

HEADLESS_HANG_ON_ROOT: Final = "words without a head attach to 0"
"""The meaning of `root none`, in the words of verdicts."""
FORGOTTEN_ROOT: Final = "`start` has no 0; if words without a head are meant to attach to 0, say `root none`"
"""The hint for a figure whose words stay without a head."""


def case_text(transition: str, line: int | None) -> str:
    """The name of a transition; if it has several cases, with the line of this one.

    >>> case_text("REDUCE", 12), case_text("SHIFT", None)
    ('REDUCE, line 12', 'SHIFT')
    """
    return transition if line is None else f"{transition}, line {line}"


def counted(number: int, what: str) -> str:
    """`1 word`, `2 words`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def counted_of(number: int, plural: str) -> str:
    """A number of things that are named in the plural.

    >>> counted_of(2, "trees"), counted_of(1, "projective trees"), counted_of(1, "runs (1 to the end)")
    ('2 trees', '1 projective tree', '1 run (1 to the end)')
    """
    return f"{number} {plural if number != 1 else re.sub(r's(?= with | [(]|,|$)', '', plural, count=1)}"


def duration_text(seconds: float) -> str:
    """A duration as people say it.

    >>> duration_text(0.2), duration_text(42.4), duration_text(600), duration_text(90_000)
    ('less than 1 s', '42 s', '10 min', '25 h')
    """
    for unit, factor, until in (("s", 1, 120), ("min", 60, 7200), ("h", 3600, float("inf"))):
        if seconds < until:
            return f"{seconds / factor:.0f} {unit}" if seconds >= 1 else "less than 1 s"
    raise AssertionError(seconds)


def size_text(size: int) -> str:
    """A number of bytes as people write it.

    >>> size_text(1536 * 2**20)
    '1.5 GB'
    """
    for unit, factor in (("GB", 2**30), ("MB", 2**20), ("kB", 2**10)):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return counted(size, "byte")

"""Words that messages, reports and exported models share."""


def counted(number: int, what: str) -> str:
    """`1 word`, `2 words`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def size_text(size: int) -> str:
    """A number of bytes as people write it.

    >>> size_text(1536 * 2**20)
    '1.5 GB'
    """
    for unit, factor in (("GB", 2**30), ("MB", 2**20), ("kB", 2**10)):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return counted(size, "byte")

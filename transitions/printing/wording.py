"""Words that messages, reports and exported models share."""


def counted(number: int, what: str) -> str:
    """`1 word`, `2 words`."""
    return f"{number} {what}{'' if number == 1 else 's'}"

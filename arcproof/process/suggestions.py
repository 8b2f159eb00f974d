"""What was probably meant, where a name is not known."""

from collections.abc import Iterable


def near(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Names that a typing mistake may have meant, the nearest first."""
    from difflib import get_close_matches

    return get_close_matches(word, list(known), n=most, cutoff=0.6)


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """The question, or something else to say where nothing is near."""
    found = near(word, known)
    return f"did you mean {' or '.join(found)}?" if found else otherwise

"""Suggesting what was probably meant by an unknown name."""

from collections.abc import Iterable


def near(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The names that a typing mistake may have meant, nearest first."""
    from difflib import get_close_matches

    return get_close_matches(word, list(known), n=most, cutoff=0.6)


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """Ask whether a similar name was meant, or say something else if none is similar."""
    found = near(word, known)
    return f"did you mean {' or '.join(found)}?" if found else otherwise

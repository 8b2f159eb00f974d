"""What was probably meant, where a name is not known."""

from collections.abc import Iterable


def near(word: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Names that a typing mistake may have meant, the nearest first; upper and lower case are alike."""
    from difflib import get_close_matches

    names = {name.lower(): name for name in known}
    return [names[found] for found in get_close_matches(word.lower(), names, n=most, cutoff=0.6)]


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """The question, or something else to say where nothing is near."""
    found = near(word, known)
    return f"did you mean {' or '.join(found)}?" if found else otherwise


def perhaps(word: str, known: Iterable[str]) -> str:
    """The question as the end of a message that names what is known; nothing where nothing is near."""
    question = did_you_mean(word, known)
    return f"; {question}" if question else ""

"""Built-in figures without what they say about costs, for tests that change the rest of the text."""

import re

from arcproof.transitions.library import source_of

ABOUT_COSTS = re.compile(r"    (exact|safe|never stuck|arc-decomposable) .*\n")


def without_costs(name: str) -> str:
    """The text of a built-in figure without dynamic oracles and claims about them."""
    text = re.sub(r"  dynamic .*?(?=  claims)", "", source_of(name), flags=re.S)
    return ABOUT_COSTS.sub("", text)

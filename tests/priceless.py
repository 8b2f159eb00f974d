"""Built-in figures without what they say about costs, for tests that change the rest of the text; and costs to
change.
"""

import re

from arcproof.transitions.library import source_of

ABOUT_COSTS = re.compile(r"    (exact|safe|never stuck|arc-decomposable) .*\n")
EAGER = """
    cost LEFT-ARC   σ|s, b|β  = #{k in b|β: gold s -> k} + [gold head(s) in β]
    cost RIGHT-ARC  σ|s, b|β  = [gold head(b) in σ or gold head(b) in β] + #{k in σ|s: gold b -> k, no head(k)}
    cost REDUCE     σ|s, β    = #{k in β: gold s -> k}
    cost SHIFT      σ, b|β    = [gold head(b) in σ] + #{k in σ: gold b -> k, no head(k)}
"""
HYBRID = """
    cost LEFT-ARC   σ|t|s, b|β  = #{k in b|β: gold s -> k} + [gold t -> s or gold head(s) in β]
    cost RIGHT-ARC  σ|t|s, β    = #{k in β: gold s -> k} + [gold head(s) in β]
    cost SHIFT      σ|s, b|β    = #{k in σ|s: gold b -> k} + [gold head(b) in σ]
"""
"""The costs of Goldberg & Nivre for arc-eager and arc-hybrid, as lines of a dynamic oracle."""


def without_costs(name: str) -> str:
    """The text of a built-in figure without dynamic oracles and claims about them."""
    text = re.sub(r"  dynamic .*?(?=  claims)", "", source_of(name), flags=re.S)
    return ABOUT_COSTS.sub("", text)

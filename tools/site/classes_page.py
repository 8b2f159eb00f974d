"""The classes of trees with their definitions, how many trees they have, and pictures; all of it computed."""

from collections.abc import Iterator
from functools import cache

from arcproof.generators.classes import contains, known_classes
from arcproof.generators.enumeration import count_trees, unrank_tree
from arcproof.reports.arc_diagram import to_svg
from arcproof.reports.class_diagram import MOST_WORDS, inclusions
from arcproof.transitions.graph import Heads, format_heads, graph_of
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.reading.vocabulary import ADJECTIVES, MEASURES
from arcproof.transitions.syntax import GraphClass, Restriction
from tools.site.markdown import cell, html, page, table

INTRODUCTION = """\
# Classes of trees

A claim such as `sound projective trees` names a class of graphs.
[The language](language.md#classes-of-graphs) has the words for them; here is what they look like.
Everything on this page is computed from all trees of up to {words} words when the page is built.

*Trees* are graphs in which 0, the root, has no head, every word has exactly one, and there is no cycle;
0 may have several dependents.
*Forests* may have words without a head.
An arrow head marks the dependent; arcs that cross are dashed.

## What contains what

A line leads up from a class to the next larger ones.
Classes that have the same trees up to {words} words share a box.
"""


def classes_page() -> str:
    """The whole page."""
    lines = [INTRODUCTION.format(words=MOST_WORDS), *html(f'<div class="wide">{inclusions("trees")}</div>'), ""]
    lines += ["## How many trees", "", *_counts(), ""]
    for graphs in _shown():
        lines += _section(graphs)
    return page(*lines)


def _shown() -> list[GraphClass]:
    """The classes of trees, measures bounded by 1."""
    return [graphs for graphs in known_classes(bounds=(1,)) if graphs.base == "trees" and graphs.restrictions]


@cache
def _trees(words: int) -> tuple[Heads, ...]:
    return tuple(unrank_tree(words, rank) for rank in range(count_trees(words)))


def _counts() -> Iterator[str]:
    numbers = range(1, MOST_WORDS + 1)
    rows = [["trees", *(f"{count_trees(words):,}" for words in numbers)]]
    for graphs in _shown():
        counted = (sum(contains(graphs, heads) for heads in _trees(words)) for words in numbers)
        rows.append([f"[{cell(class_text(graphs))}](#{_anchor(graphs)})", *(f"{count:,}" for count in counted)])
    yield from table(["class", *(f"{words} word{'s' * (words > 1)}" for words in numbers)], rows)


def _anchor(graphs: GraphClass) -> str:
    return graphs.restrictions[0].name


def _section(graphs: GraphClass) -> Iterator[str]:
    name, word = class_text(graphs), _anchor(graphs)
    meaning = {**ADJECTIVES, **MEASURES}[word]
    yield from (f"## {_capital(name)} {{ #{word} }}", "", f"{cell(_capital(meaning))}.", "")
    inside, outside = _inside(graphs), _outside(graphs)
    pictures = _figure(inside, "in the class" + ", and not projective" * (not _is_projective(inside)))
    if outside is not None:
        pictures += _figure(outside, "not in the class, and no smaller tree is outside")
    yield from (*html(f'<div class="pair">{pictures}</div>'), "")
    if outside is None:
        yield from (f"Every tree of up to {MOST_WORDS} words is in the class.", "")


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _inside(graphs: GraphClass) -> Heads:
    """A small tree of the class that is not projective, or one of four words."""
    found = [heads for words in range(1, MOST_WORDS + 1) for heads in _trees(words) if contains(graphs, heads)]
    other = (heads for heads in found if len(heads) == 4)
    return next((heads for heads in found if not _is_projective(heads)), next(other))


def _outside(graphs: GraphClass) -> Heads | None:
    """The first tree that is not in the class."""
    trees = (heads for words in range(1, MOST_WORDS + 1) for heads in _trees(words))
    return next((heads for heads in trees if not contains(graphs, heads)), None)


def _is_projective(heads: Heads) -> bool:
    return contains(GraphClass((Restriction("projective"),), "trees"), heads)


def _figure(heads: Heads, said: str) -> str:
    picture = to_svg(graph_of(heads), None, f"The tree {format_heads(heads)}", True)
    caption = f"<figcaption><code>{format_heads(heads)}</code>: {said}</figcaption>"
    return f'<figure><div class="wide">{picture}</div>{caption}</figure>'

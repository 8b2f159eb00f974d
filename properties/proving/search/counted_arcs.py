"""Which gold arcs the summands of a dynamic oracle count, read off short sentences.

A summand may count arcs to the nodes that it counts, or arcs to one node of the pattern.  The first of these is taken
for which the summand counts only arcs that are lost, in every configuration of short sentences and with every gold
graph.  Nothing here needs to be trusted: the result is used in goals (`goals.costs`), which are proved.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from arcproof.properties.proving.goals.costs import Dependents, SummandPlace, lost, stands_for
from arcproof.properties.proving.goals.decomposability import Reach
from arcproof.properties.proving.goals.soundness import move_of
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import to_python
from arcproof.properties.proving.meaning.costs import CountedNodes, Price, Summand, prices
from arcproof.properties.proving.meaning.model import domain
from arcproof.properties.proving.meaning.steps import SymbolicStep, is_length
from arcproof.properties.proving.meaning.symbolic import Meanings
from arcproof.properties.proving.search.mining import Model
from arcproof.transitions import syntax as s


def counted_arcs(
    meanings: Meanings, oracle: s.DynamicOracle, reach: Reach, models: Sequence[tuple[Model, int]]
) -> tuple[Dependents, Summand | None]:
    """The dependent of the arcs of each summand, and the first summand for which no dependent was found."""
    found: dict[SummandPlace, str | None] = {}
    for step in meanings.steps:
        for price in prices(meanings, oracle, step):
            for number, summand in enumerate(price.summands):
                fitting = [
                    one
                    for one in _possible(summand, price)
                    if _fits(meanings, step, price, summand, one, reach, models)
                ]
                if not fitting:
                    return found, summand
                found[SummandPlace(step.name, price.number, number)] = fitting[0]
    return found, None


def _possible(summand: Summand, price: Price) -> Iterator[str | None]:
    if isinstance(summand, CountedNodes):
        yield None
    yield from price.nodes


def _fits(
    meanings: Meanings,
    step: SymbolicStep,
    price: Price,
    summand: Summand,
    dependent: str | None,
    reach: Reach,
    models: Sequence[tuple[Model, int]],
) -> bool:
    """Whether everything that a summand counts is lost in all models."""
    premises = (*(term for _, term in move_of(meanings, step).premises), *price.conditions)

    def wrongly(y: t.Term) -> t.Term:
        return t.conjunction(stands_for(summand, price, dependent, y), t.negation(lost(reach, meanings, step, y)))

    fails = t.conjunction(*premises, t.exists(wrongly))
    lengths = [symbol.name for symbol in t.symbols([fails]) if is_length(symbol)]
    value = to_python(fails)
    for model, words in models:
        for way in product(range(words + 2), repeat=len(lengths)):
            if value({**model, **dict(zip(lengths, way, strict=True))}, domain(words)):
                return False
    return True

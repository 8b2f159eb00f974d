"""Released parsers checked against their figures: skipped where the parser is not installed; `make audit-parsers`
installs them.
"""

from functools import cache

from arcproof.properties.conformance.conform import Conformance, Extent, compare
from arcproof.properties.conformance.divergence import Divergence, kind_of
from arcproof.properties.conformance.driver import parts_of
from arcproof.transitions.system import load


@cache
def held(driver: type, words: int, samples: int = 0) -> Conformance:
    """A driver checked against its figure, in this process."""
    return compare(load(driver.figure), driver.__name__, parts_of(driver), Extent(words, samples))  # type: ignore[attr-defined]


def found(driver: type, words: int, samples: int = 0) -> dict[tuple[str, str], Divergence]:
    """The smallest divergence of each kind and fault."""
    divergences = [one.divergence for one in held(driver, words, samples).found]
    divergences.sort(key=lambda one: (one.words, len(one.run)), reverse=True)
    return {(one.kind.value, kind_of(one.what)[1].partition(",")[0]): one for one in divergences}

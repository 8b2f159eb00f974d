"""Why a graph is outside a class: exactly for the graphs that are, and the arcs at fault are at fault."""

from itertools import product

from arcproof.generators.classes import contains, known_classes
from arcproof.generators.enumeration import all_graphs
from arcproof.generators.reasons import why_outside
from arcproof.transitions.syntax import GraphClass, Restriction


def test_there_is_a_reason_exactly_for_what_is_outside() -> None:
    for words in range(4):
        for heads in product([None, *range(words + 1)], repeat=words):
            if all(head != word for word, head in enumerate(heads, start=1)):
                for graphs in known_classes():
                    assert (why_outside(graphs, heads) is None) == contains(graphs, heads)


def a_reason(graphs: GraphClass) -> str | None:
    """The reason given for the first forest of up to 5 words that is outside for another reason than that it is not a tree."""
    forests = (heads for words in range(6) for heads in all_graphs(GraphClass((), "forests"), words))
    reasons = (why_outside(graphs, heads) for heads in forests)
    return next((reason for reason in reasons if reason is not None and "not a tree" not in reason), None)


def test_every_class_has_its_reason() -> None:
    told = {graphs: reason for graphs in known_classes() if (reason := a_reason(graphs)) is not None}

    for graphs in known_classes():
        for restriction in graphs.restrictions:
            if (
                restriction.name not in ("1-endpoint-crossing-words", "2-planar-words")
                and str(restriction.bound) != "2"
            ):
                assert graphs not in told or restriction.name in told[graphs]


def test_reasons_name_what_is_at_fault() -> None:
    def told(restriction: str, base: str, *heads: int | None) -> str | None:
        return why_outside(GraphClass((Restriction(restriction),), base), heads)  # type: ignore[arg-type]

    assert told("projective", "forests", None, 0) == (
        "not projective: the arc from 0 to 2 passes over 1, which 0 does not dominate"
    )
    assert told("planar", "forests", None, 0, 1) == "not planar: the arcs (0, 2) and (1, 3) cross"
    assert told("single-root", "trees", 0, 0) == "not single-root: 0 has 2 dependents"
    assert told("planar", "forests", 2, 1) == "not a forest: 1 → 2 → 1 is a cycle"
    assert told("planar", "trees", 0, None) == "not a tree: 2 has no head"

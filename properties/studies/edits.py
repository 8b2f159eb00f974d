"""The figures one edit away: what the author of a figure with a slip may have meant.

An *edit* is one of the mutation operators (`mutants.OPERATORS`), or the inverse of one: a precondition, a conjunct of
an oracle line, an alternative to one of these, a line of an oracle or a transition is added, an item is put anywhere in
a sequence, a flag or counter gets another value, or a condition or arc gets another node.  Additions use the
*vocabulary* of the figure: the conditions that occur in it, about any of the nodes and runs that the line has, and
those few that nearly every figure needs.

Trees that are equal to each other are made only once, and none that is equal to the figure.  An edit may produce
something that is not a valid figure; users of an edit read it back.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.studies import oracle_edits, rule_edits
from arcproof.properties.studies.cost_slips import COST_OPERATORS, Parts, each_cost_line
from arcproof.properties.studies.derivation import features_of
from arcproof.properties.studies.edit_vocabulary import names_of
from arcproof.properties.studies.mutants import OPERATORS, Made
from arcproof.properties.studies.new_rules import add_transition
from arcproof.transitions import syntax as s


@dataclass(frozen=True, slots=True)
class Edit:
    """A figure one edit away: which operator made it, in which transition, oracle or part of the figure, and whether
    only oracles differ.
    """

    operator: str
    where: str
    figure: s.Figure
    is_about_oracles: bool


def edits_of(figure: s.Figure, of_oracles: bool = True) -> Iterator[Edit]:
    """Yield every figure one small edit away, in the order of the operators and then of the figure."""
    operators = RULE_EDITS | (ORACLE_EDITS if of_oracles else {})
    return _made(figure, operators, lambda edit: of_oracles or not edit.is_about_oracles)


def alternatives_of(figure: s.Figure, of_oracles: bool) -> Iterator[Edit]:
    """Yield every figure in which a precondition, or with `of_oracles` a conjunct of an oracle line, may be replaced by
    another condition: `c` becomes `c or d`.
    """
    return _made(
        figure,
        {"add alternative": oracle_edits.add_alternative if of_oracles else rule_edits.add_alternative},
        lambda _: True,
    )


def new_lines_of(figure: s.Figure) -> Iterator[Edit]:
    """Yield every figure with one more oracle line."""
    return _made(figure, {"add oracle line": oracle_edits.add_line}, lambda _: True)


def cost_edits_of(figure: s.Figure) -> Iterator[Edit]:
    """Yield every figure with one small edit of the costs of a dynamic oracle."""
    return _made(figure, COST_EDITS, lambda _: True)


def _made(
    figure: s.Figure, operators: "dict[str, Callable[[s.Figure], Made]]", wanted: Callable[[Edit], bool]
) -> Iterator[Edit]:
    seen = {figure}
    for operator, make in operators.items():
        for where, _, changed in make(figure):
            same_runs = replace(changed, oracles=figure.oracles, dynamic_oracles=figure.dynamic_oracles) == figure
            edit = Edit(operator, where, changed, same_runs)
            if wanted(edit) and changed not in seen:
                seen.add(changed)
                yield edit


def new_rules_of(figure: s.Figure) -> Iterator[Edit]:
    """Yield every figure with one more transition of the usual kind (`new_rules`)."""
    return _made(figure, {"add transition": add_transition}, lambda _: True)


# --- costs -----------------------------------------------------------------------------------------------------------


def _add_summand(figure: s.Figure) -> Made:
    """Add one of the features from which costs are derived."""

    def change(line: s.CostLine) -> Iterator[Parts]:
        for feature in features_of(line.pattern or (), figure):
            yield (*line.parts, ("+", feature))

    return each_cost_line(figure, change)


def _add_condition_in_cost(figure: s.Figure) -> Made:
    """Add to a count the condition that the words have no head; to a truth value, that some node has none."""

    def change(line: s.CostLine) -> Iterator[Parts]:
        for k, (sign, part) in enumerate(line.parts):
            if isinstance(part, s.CountOf | s.TruthOf):
                nodes = (part.variable,) if isinstance(part, s.CountOf) else names_of(figure, line.pattern).nodes
                for condition in (s.Not(s.HasHead(s.Variable(node))) for node in nodes):
                    more = replace(part, conditions=(*part.conditions, condition))
                    yield (*line.parts[:k], (sign, more), *line.parts[k + 1 :])

    return each_cost_line(figure, change)


RULE_EDITS: Final[dict[str, Callable[[s.Figure], Made]]] = {
    **{name: make for name, make in OPERATORS.items() if name not in ("drop oracle line", *COST_OPERATORS)},
    **rule_edits.EDITS,
}
COST_EDITS: Final[dict[str, Callable[[s.Figure], Made]]] = {
    **COST_OPERATORS,
    "add condition in cost": _add_condition_in_cost,
    "add summand": _add_summand,
}
ORACLE_EDITS: Final[dict[str, Callable[[s.Figure], Made]]] = {
    "drop oracle line": OPERATORS["drop oracle line"],
    "off by one": OPERATORS["off by one"],
    **oracle_edits.EDITS,
}

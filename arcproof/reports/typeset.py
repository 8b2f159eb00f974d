"""A figure typeset for a page: each transition as a rule of inference, the configuration before over the configuration
after.

The result is markup: names are written using the `HTML` table of symbols, which escapes them.  Citations, notes and
everything else that is free text in a specification stays plain text, for the template engine to escape.
"""

import re
from typing import Final

from markupsafe import Markup

from arcproof.transitions import syntax as s
from arcproof.transitions.printing.figure import CostRow, OracleRow, RuleRow, Sheet, capitalized, sheet
from arcproof.transitions.printing.notation import HTML, bound_text, bounded_text, claim_frame, claim_text


def typeset(figure: s.Figure) -> Sheet[Markup]:
    """Typeset every part of a figure; the pattern of an oracle's line is the first of its conditions."""
    page = sheet(figure, HTML)
    return Sheet(
        page.name,
        page.cite,
        page.notes,
        tuple(map(_safe, page.parameters)),
        _safe(page.initial),
        _safe(page.terminal),
        tuple(map(_deduction, page.rules)),
        None if page.default is None else capitalized(page.default),
        tuple((name, tuple(map(_oracle_line, rows))) for name, rows in page.oracles),
        tuple(map(claim_markup, figure.claims)),
        tuple((_safe(sign), meaning) for sign, meaning in page.legend),
        tuple(map(_safe, page.invariants)),
        tuple((heading, None if said is None else _safe(said), written) for heading, said, written in page.helps),
        tuple((name, tuple(map(_cost_line, rows))) for name, rows in page.dynamic_oracles),
        tuple((name, _safe(loss)) for name, loss in page.losses),
        root=page.root,
        heads=page.heads,
    )


def component_name(component: s.Component) -> Markup:
    """`Stack σ`."""
    return Markup("{} {}").format(component.kind.capitalize(), variable(component.name))


def variable(name: str) -> Markup:
    """Typeset a name of the figure as mathematics does."""
    return _safe(HTML.name(name))


def claim_markup(claim: s.Claim) -> Markup:
    """Put the claim in words, and its bound in a formula."""
    statement = claim.statement
    if isinstance(statement, s.LengthBound | s.SpaceBound | s.CountBound):
        before, after = claim_frame(claim)
        what = bounded_text(statement)
        return Markup("{}{} {}{}").format(before, what, _safe(bound_text(statement, HTML)), after)
    return Markup("{}").format(claim_text(claim))


_TOKEN: Final = re.compile(
    r"(?P<gold>→G)|(?P<upper>[A-Z]{2,})|(?P<name>(?<![\w-])[A-Za-zͰ-Ͽ](?:[0-9₀-₉]+|'+)*(?![\w-]))|(?P<other>.)",
    re.DOTALL,
)


def formula_markup(text: str) -> Markup:
    """Typeset a formula given as text: letters as variables, words in capitals as small capitals; everything is
    escaped.
    """
    return Markup("").join(_formula_part(found) for found in _TOKEN.finditer(text))


def _formula_part(found: re.Match[str]) -> Markup:
    if found["gold"]:
        return Markup("→<sub><i>G</i></sub>")
    if found["upper"]:
        return Markup('<span class="sc">{}</span>').format(found["upper"].lower())
    return variable(found["name"]) if found["name"] else Markup("{}").format("−" if found[0] == "-" else found[0])


def _safe(markup: str) -> Markup:
    """Mark what the `HTML` notation has written as safe: it escapes names, and everything else in it is its own."""
    return Markup(markup.replace(" - ", " − "))


def _label(label: str | None) -> Markup | None:
    return None if label is None else variable(label)


def _deduction(row: RuleRow[str]) -> RuleRow[Markup]:
    return RuleRow(
        capitalized(row.name), _label(row.label), _safe(row.before), _safe(row.after), tuple(map(_safe, row.preconditions))
    )  # fmt: skip


def _cost_line(row: CostRow[str]) -> CostRow[Markup]:
    pattern = None if row.pattern is None else _safe(row.pattern)
    return CostRow(capitalized(row.name), _label(row.label), pattern, _safe(row.cost))


def _oracle_line(row: OracleRow[str]) -> OracleRow[Markup]:
    conditions = [] if row.pattern is None else [Markup("<i>c</i> = {}").format(_safe(row.pattern))]
    return OracleRow(capitalized(row.name), _label(row.label), None, (*conditions, *map(_safe, row.conditions)))

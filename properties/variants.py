"""Figures made from another by a change of the syntax tree, which may be figures no more.

Cases of a transition may overlap then, and the engines take different ones; so whoever explores such a tree asks first.
"""

from dataclasses import replace

from arcproof.transitions import syntax as s
from arcproof.transitions.errors import BadSpecification
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.reading.read import read_figure


def problem_of(figure: s.Figure) -> str | None:
    """Why it is not a figure: the first thing its reader says; None if it can be read."""
    try:
        read_figure(to_source(readable(figure)))
    except BadSpecification as error:
        return error.diagnostics[0].message if error.diagnostics else str(error)
    return None


def readable(figure: s.Figure) -> s.Figure:
    """Without what is not a mistake of the change.

    That is a claim that counts a transition which is gone, or a parameter that nothing uses now.
    """
    names = set(figure.transitions())
    claims = tuple(claim for claim in figure.claims if _counted(claim) <= names)
    parts = s.walk((figure.final, figure.rules, figure.oracles, claims))
    used = {node.name for node in parts if isinstance(node, s.Parameter)}
    parameters = tuple(parameter for parameter in figure.parameters if parameter.name in used)
    return replace(figure, claims=claims, parameters=parameters)


def _counted(claim: s.Claim) -> set[str]:
    return {node.transition for node in s.walk(claim) if isinstance(node, s.Count | s.CountBound)}

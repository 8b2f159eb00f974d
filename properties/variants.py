"""Figures made from another by changing the syntax tree, which may no longer be valid.

Cases of a transition may then overlap, and the engines would take different ones; so check before exploring such a
tree.
"""

from dataclasses import replace

from arcproof.transitions import syntax as s
from arcproof.transitions.errors import BadSpecification
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.reading.read import read_figure


def problem_of(figure: s.Figure) -> str | None:
    """Why this is not a valid figure: the first error; None if it can be read."""
    try:
        read_figure(to_source(readable(figure)))
    except BadSpecification as error:
        return error.diagnostics[0].message if error.diagnostics else str(error)
    return None


def readable(figure: s.Figure) -> s.Figure:
    """Without what is not the fault of the change.

    That is, a claim that counts a removed transition, or a parameter that is no longer used.
    """
    names = set(figure.transitions())
    claims = tuple(claim for claim in figure.claims if _counted(claim) <= names)
    parts = s.walk((figure.final, figure.rules, figure.oracles, claims))
    used = {node.name for node in parts if isinstance(node, s.Parameter)}
    parameters = tuple(parameter for parameter in figure.parameters if parameter.name in used)
    return replace(figure, claims=claims, parameters=parameters)


def _counted(claim: s.Claim) -> set[str]:
    return {node.transition for node in s.walk(claim) if isinstance(node, s.Count | s.CountBound)}

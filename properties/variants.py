"""Figures made from another one by changing the syntax tree; they may not be valid.

For example, cases of a transition may overlap, and engines would then take different ones; so check such a tree before
exploring it.
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
    """The figure without parts that are invalid only as a consequence of the change.

    These are claims that count a removed transition, and parameters that are no longer used.
    """
    names = set(figure.transitions())
    claims = tuple(claim for claim in figure.claims if _counted(claim) <= names)
    parts = s.walk((figure.final, figure.rules, figure.oracles, claims))
    used = {node.name for node in parts if isinstance(node, s.Parameter)}
    parameters = tuple(parameter for parameter in figure.parameters if parameter.name in used)
    return replace(figure, claims=claims, parameters=parameters)


def _counted(claim: s.Claim) -> set[str]:
    return {node.transition for node in s.walk(claim) if isinstance(node, s.Count | s.CountBound)}

"""Why a claim is not proved, line by line: what is open, the configuration that blocks it, drawn, and what would
exclude it.
"""

from typing import TYPE_CHECKING

from arcproof.reports.arc_diagram import to_text
from arcproof.transitions.configuration import show_value

if TYPE_CHECKING:
    from arcproof.properties.proving.explanation import Blocked, Explanation


def explanation_lines(found: "Explanation") -> list[str]:
    """Say all that is known, most informative first."""
    lines = [f"open in {found.about}: {goal}" for goal in found.goals] or [f"open: {found.about}"]
    if found.blocked is not None:
        lines += _drawn(found.blocked)
        lines += _excluders(found)
    elif found.goals:
        lines.append(
            "no configuration of up to 4 words blocks it: either the solvers missed a proof, or only longer "
            "sentences show what is wrong"
        )
    if found.shapes:
        lines.append("the functions V tried are linear combinations of:")
        lines += [f"  {shape}" for shape in found.shapes]
    if found.candidates:
        lines.append(f"{found.candidates} conditions that hold in short runs were tried as conjuncts of the invariant")
    return lines


def _drawn(blocked: "Blocked") -> list[str]:
    c = blocked.configuration
    state = [f"{name} = {show_value(value)}" for name, value in zip(c.names, c.values, strict=True)]
    runs = "run" if blocked.gold is None else "run on the way to the gold graph"
    whether = "a run reaches it" if blocked.reached else f"no {runs} is known to reach it"
    lines = [f"the smallest configuration in which it fails; {whether}:", f"  {', '.join(state)}"]
    lines += [*_diagram("A", to_text(c.graph) if c.arcs else "no arcs")]
    if blocked.gold is not None:
        lines += [*_diagram("gold", to_text(blocked.gold) if blocked.gold.arcs else "no arcs")]
    return lines


def _diagram(name: str, text: str) -> list[str]:
    first, *others = text.rstrip("\n").split("\n")
    margin = " " * (len(name) + 4)
    return [f"  {name}: {first}", *(f"{margin}{line}" for line in others)]


def _excluders(found: "Explanation") -> list[str]:
    lines = _offered(found, found.excluders)
    if found.unproved:
        lines.append(
            "the prover tried these conditions, which exclude it, but could not prove that the moves preserve them:"
        )
        lines += [f"  {name}" for name in found.unproved]
    if found.lost is not None:
        lines.append(f"`{found.lost.condition}` is lost by {found.lost.move}:")
        lines += _drawn(found.lost.blocked)
        lines += _offered(found, found.lost.excluders)
    return lines


def _offered(found: "Explanation", conditions: tuple[str, ...]) -> list[str]:
    if not conditions:
        return []
    heading = "invariant" if found.oracle is None else f"invariant of {found.oracle}:"
    told = "conditions that would exclude it (true in all runs of up to 3 words, but possibly false in longer ones):"
    return [told, *(f"  {heading} {condition}" for condition in conditions)]

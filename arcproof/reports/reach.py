"""The run to the requested configuration, drawn and as a table; or the statement that there is none."""

from arcproof.properties.studies.reach import Reached, Target
from arcproof.reports import arc_diagram, derivation_table
from arcproof.transitions.graph import format_graph
from arcproof.transitions.printing.escape import for_terminal
from arcproof.transitions.printing.notation import SOURCE, condition_text
from arcproof.transitions.printing.wording import counted


def condition_of(target: Target) -> str | None:
    """The requested conditions as a figure would write them; None if there are none."""
    return ", ".join(condition_text(condition, SOURCE) for condition in target.conditions) or None


def output_of(target: Target) -> str | None:
    """The requested output, written as a list of heads or of arcs."""
    return None if target.output is None else format_graph(target.output)


def asked_text(target: Target) -> str:
    """Name what is searched for: `a configuration with #SWAP = 2`, `the output 2,0,2`."""
    condition, output = condition_of(target), output_of(target)
    if output is None:
        return f"a configuration with {condition}"
    return f"the output {output}" + ("" if condition is None else f" with {condition}")


def sentence(found: Reached) -> str:
    """Say in one sentence what was found."""
    what, name = asked_text(found.target), found.system.name
    if found.run is not None:
        words, length = counted(found.run.initial.words, "word"), counted(len(found.run.steps), "transition")
        fewer = found.target.output is None and found.run.initial.words > 1
        shortest = "no run is shorter, and fewer words do not suffice" if fewer else "no run is shorter"
        return f"{name} reaches {what} with {words} in {length}; {shortest}"
    if found.exit_code == 1:
        up_to = "up to " if found.target.output is None else ""
        return f"{name} does not reach {what} with {up_to}{counted(found.asked, 'word')}: every run was tried"
    done = (
        "nothing was searched in full"
        if found.words < 1
        else f"there is none with up to {counted(found.words, 'word')}"
    )
    return f"whether {name} reaches {what} is open; {done}; {found.ended_by or found.note}"


def to_text(found: Reached) -> str:
    """The sentence, with the graph and the run below it."""
    lines = [for_terminal(sentence(found))]
    if found.run is not None:
        if found.run.graph.arcs:
            lines += ["", *arc_diagram.to_text(found.run.graph).rstrip("\n").split("\n")]
        lines += ["", *derivation_table.text_rows(found.system, found.run)]
    return "\n".join(lines) + "\n"

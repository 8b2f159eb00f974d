"""A program compared with a figure: the report for the terminal."""

from collections.abc import Iterator, Sequence
from typing import Final

from arcproof.properties.conformance.case import Taken
from arcproof.properties.conformance.conform import Conformance, Looked, Part
from arcproof.properties.conformance.divergence import Divergence, Found, kind_of
from arcproof.properties.conformance.lockstep import shown_text
from arcproof.reports import arc_diagram
from arcproof.reports.divergences import TITLES, graph_at_fault, replay_line, run_text, sentence
from arcproof.transitions.printing.escape import for_terminal
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.printing.wording import counted

PARTS: Final[dict[Part, tuple[str, str]]] = {
    "runs": ("lockstep", "run"),
    "oracle": ("oracle", "gold tree"),
    "repair": ("repairs", "mistake"),
    "cost": ("costs", "answer"),
    "encoding": ("encoding", "labelled tree"),
}
NOTHING: Final = "nothing was compared"
NOT_ASKED: Final = {
    ("components",): "components of the state",
    ("arcs",): "arcs built so far",
    ("heads",): "outputs",
    ("oracle",): "a static oracle",
    ("cost", "is_free", "repair"): "a dynamic oracle",
}


# --- sentences -------------------------------------------------------------------------------------------------------


def verdict(found: Conformance) -> str:
    """Return the verdict, in one sentence."""
    who = f"{found.driver}" + (f" ({found.declared.version})" if found.declared.version else "")
    match found.exit_code:
        case 0 if found.case is not None:
            return f"nothing diverged in this run; whether {who} conforms to {found.system.name} is open"
        case 0:
            return f"{who} conforms to {found.system.name}"
        case 1:
            return f"{who} does not conform to {found.system.name}: {counted(len(found.found), 'kind')} of divergence"
        case _:
            return f"whether {who} conforms to {found.system.name} is open"


def outside_lines(found: Conformance) -> list[str]:
    """Return what the oracle does with graphs outside its class: no divergence, but worth knowing before training."""
    return [f"outside its class, {sentence(one.divergence.what)}" for one in found.outside]


def looked_lines(found: Conformance) -> list[str]:
    """Return what was compared, one line per part."""
    both = " that both take" if found.found else ""
    return [
        line for part in PARTS for line in _looked_at(part, [one for one in found.looked if one.part == part], both)
    ]


def _looked_at(part: Part, looked: Sequence[Looked], both: str) -> Iterator[str]:
    title, case = PARTS[part]
    exhausted = [one for one in looked if one.way in ("all", "merged")]
    if exhausted:
        reached = exhausted[-1].words
        merged = [one.words for one in exhausted if one.way == "merged"]
        note = f"; runs to the same configuration merged from {counted(merged[0], 'word')} on" if merged else ""
        total = sum(one.cases for one in exhausted)
        which = both if part == "runs" else ""
        how_many = f"{counted(total, case)}, all{which}" if total else NOTHING
        yield f"{title}: {how_many} up to {counted(reached, 'word')}{note}"
    for one in looked:
        if one.way == "drawn":
            how_many = f"{counted(one.cases, case)} drawn," if one.cases else f"{NOTHING} at random"
            yield f"{title}: {how_many} up to {counted(one.words, 'word')}"
    yield from _cut_short(title, case, [one for one in looked if one.way == "partly"])


def _cut_short(title: str, case: str, looked: Sequence[Looked]) -> Iterator[str]:
    """Where a method was no longer called."""
    if looked:
        least, most, total = looked[0].words, looked[-1].words, sum(one.cases for one in looked)
        lengths = counted(most, "word") if least == most else f"{least} to {most} words"
        left = sum(one.left for one in looked)
        if left:
            unit = "configuration" if title == "costs" else "gold tree"
            yield f"{title}: {counted(total, case)} with {lengths}; {counted(left, unit)} left when time ran out"
            return
        how_many = f"{counted(total, case)} with {lengths}, and no more," if total else f"{NOTHING} with {lengths}"
        yield f"{title}: {how_many} because a method did not answer"


def remarks(found: Conformance) -> list[str]:
    """Return what was not compared, and why."""
    lines = [f"{method} failed to answer too often and was not called again" for method in found.given_up]
    lines += [
        f"{method} always gives None, so nothing was compared for it; is a return missing?" for method in found.silent
    ]
    if found.no_losses and any(method in found.methods for method in ("cost", "is_free", "repair")):
        words = ", ".join(map(str, found.no_losses))
        lines.append(f"costs are not defined with {words} words: a run can give a word two heads")
    if found.declared.least_words > 0:
        lines.append(f"sentences with fewer than {counted(found.declared.least_words, 'word')} were left out")
    if any(method in found.methods for method in ("oracle", "cost", "is_free", "repair")):
        lines.append(f"gold trees: {class_text(found.golds)}" + (", if accepted" if "accepts" in found.methods else ""))
    lines += outside_lines(found)
    missing = [what for methods, what in NOT_ASKED.items() if not {*methods} & {*found.methods}]
    if missing:
        lines.append(f"the driver does not show: {', '.join(missing)}")
    lines += [
        f"the driver has `{name}`, which arcproof does not use; did you mean `{meant}`?"
        for name, meant in found.declared.mistyped
    ]
    lines += [f"not modelled: {what}" for what in found.declared.not_modelled]
    if found.exit_code == 3 and found.ended_by is None:
        least = max(1, found.declared.least_words)
        lines.append(f"no sentence with a word was compared; --words {least} or more, or --samples, compares some")
    lines += [] if found.ended_by is None else [f"{found.ended_by}: whatever was not reached by then is open"]
    return lines


FOLLOWS: Final = "this may be the consequence of another divergence"
DRAWN: Final = "this is the smallest found among those drawn; there may be a smaller one"


def notes_on(divergence: Divergence) -> list[str]:
    """Return caveats about a divergence."""
    return [FOLLOWS] * divergence.follows + [DRAWN] * divergence.drawn


def title_of(found: Found) -> str:
    """Return the kind with its cause, and how often it was seen."""
    kind, cause = kind_of(found.divergence.what)
    return TITLES[kind] + (f": {cause}" if cause else "") + (f" ({found.count} times)" if found.count > 1 else "")


# --- terminal --------------------------------------------------------------------------------------------------------


def to_text(found: Conformance) -> str:
    """Return the verdict, what was compared, and every kind of divergence with its smallest case."""
    lines = [verdict(found)]
    lines += [f"  {line}" for line in (*looked_lines(found), *remarks(found))]
    lines += [line for one in found.found for line in ("", *_divergence(found, one))]
    lines += [line for step in found.steps for line in _step(step)]
    return "\n".join(map(for_terminal, lines)) + "\n"


def _divergence(found: Conformance, one: Found) -> Iterator[str]:
    yield f"✗ {title_of(one)}"
    yield f"    {run_text(one.divergence)}: {sentence(one.divergence.what)}"
    yield from (f"    {note}" for note in notes_on(one.divergence))
    graph = graph_at_fault(one.divergence.what)
    if graph is not None and found.case is None:
        yield from (f"    {line}" for line in arc_diagram.to_text(graph).rstrip("\n").split("\n"))
    if found.case is None:
        yield f"    replay: {replay_line(found, one.divergence)}"


def _step(step: Taken) -> Iterator[str]:
    yield ""
    yield step.transition or "start"
    yield f"  figure  {step.figure}  {_permits(step.ends_in_figure, step.figure_permits)}"
    if step.shown is None and step.driver_permits is None and step.ends_in_driver is None:
        yield "  driver  does not get this far"
        return
    shown = ", ".join(f"{name} = {shown_text(value)}" for name, value in (step.shown or {}).items())
    yield f"  driver  {shown or '(shows nothing)'}  {_permits(step.ends_in_driver, step.driver_permits or ())}"


def _permits(ends: bool | None, permitted: Sequence[str]) -> str:
    return "ends" if ends else f"permits {', '.join(permitted) or 'nothing'}"

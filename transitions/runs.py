"""Runs as text: `SHIFT LEFT-ARC[2](nsubj) REDUCE`, with spaces or commas between the transitions."""

import re
from collections.abc import Callable
from typing import Final

from arcproof.transitions.configuration import Derivation, Step, Transition
from arcproof.transitions.errors import BadRun, NotPermissible
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.system import System

_TRANSITION: Final = re.compile(
    r"(?P<name>[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*)(\[(?P<choice>[0-9]{1,6}(,[0-9]{1,6})*)\])?(\((?P<label>[^()\s]+)\))?"
)
_BETWEEN: Final = re.compile(r"[\s,]+")


def read_transitions(text: str) -> tuple[Transition, ...]:
    """The transitions of a run; `BadRun` says which part cannot be read."""
    found: list[Transition] = []
    rest = text.strip(" \t\n,")
    while rest:
        match = _TRANSITION.match(rest)
        between = None if match is None else _BETWEEN.match(rest, match.end())
        end = (
            len(rest) if match is not None and match.end() == len(rest) else None if between is None else between.end()
        )
        if match is None or end is None:
            written = rest.split()[0][:40]
            raise BadRun(f"`{written}` is not a transition; a run is written SHIFT LEFT-ARC[2](nsubj) REDUCE")
        choice = match["choice"]
        found.append(Transition(match["name"], match["label"], tuple(map(int, choice.split(","))) if choice else ()))
        rest = rest[end:]
    return tuple(found)


def take(system: System, words: int, run: tuple[Transition, ...], label: Callable[[Step], str | None]) -> Derivation:
    """The run from the start; `label` supplies the labels that are missing.  `BadRun` at a transition that is not
    permissible.
    """
    c = initial = system.start(words)
    steps: list[Step] = []
    for transition in run:
        so_far = f"after {counted(len(steps), 'transition')}"
        if system.is_terminal(c):
            raise BadRun(f"{so_far} the run has ended, in {c}; leave out the rest")
        if transition.name not in system.transitions:
            raise BadRun(str(system.refusal(c, transition)))
        try:
            step = system.step(c, transition)
        except NotPermissible as refusal:
            raise BadRun(f"{so_far} {refusal}") from None
        if transition.label is None and system.takes_label(c, transition):
            step = system.step(c, transition._replace(label=label(step)))
        steps.append(step)
        c = step.configuration
    return Derivation(initial, tuple(steps))

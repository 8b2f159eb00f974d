"""What a number in brackets means, `LEFT-ARC[2]`, where transitions with choices are shown."""

from collections.abc import Iterable

from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Transition
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.system import System


def choice_notes(system: System, transitions: Iterable[Transition]) -> list[str]:
    """For each transition, a line about its first instance with a choice: `LEFT-ARC[2]: τ has 1 node, one less than the
    number in brackets`.
    """
    first: dict[str, Transition] = {}
    for transition in transitions:
        if transition.choice:
            first.setdefault(transition.name, transition)
    return [note for transition in first.values() if (note := _note(system, transition)) is not None]


def _note(system: System, transition: Transition) -> str | None:
    cases = [s.choices(rule, system.figure.state) for rule in system.transitions.get(transition.name, ())]
    names = next(([name for _, name in case] for case in cases if len(case) == len(transition.choice)), None)
    if names is None:
        return None
    lengths = zip(names, transition.choice, strict=True)
    chosen = " and ".join(f"{name} has {counted(number - 1, 'node')}" for name, number in lengths)
    return f"{transition.instance}: {chosen}, one less than the number in brackets"

"""What was found about a log of transitions, in words."""

from collections.abc import Iterator
from typing import Final, assert_never

from arcproof.properties.conformance.logs import LogCheck, LogFault
from arcproof.transitions.printing.escape import for_terminal
from arcproof.transitions.printing.wording import counted

MOST_SHOWN: Final = 20
GUESSED: Final = "the numbers of words were inferred from the runs; specify them with --words or --treebank"


def verdict(found: LogCheck) -> str:
    """Summarize a check of a log in one sentence."""
    what = f"{found.file}: {counted(found.sentences, 'sentence')}, {counted(found.transitions, 'transition')}"
    match found.exit_code:
        case 0:
            gold = " that leads to its gold tree" if found.with_gold else ""
            return f"{what}; every line is a run of {found.system.name}{gold}"
        case 1:
            faults = sum(found.counts.values())
            is_not = "is not a run" if faults == 1 else "are not runs"
            gold = " to the gold tree" if found.with_gold else ""
            kinds = ", ".join(f"{kind} {count}" for kind, count in found.counts.items())
            return f"{what}; {counted(faults, 'line')} {is_not} of {found.system.name}{gold} ({kinds})"
        case _ if found.left:
            return f"{what}; whether every line is a run of {found.system.name} is open"
        case _:
            return f"{found.file}: no line has any transitions"


def sentence(fault: LogFault) -> str:
    """Say what is wrong with a line."""
    permitted = f"permitted: {', '.join(fault.permitted) or 'nothing'}"
    match fault.kind:
        case "refused":
            return (
                f"line {fault.line}, transition {fault.position}: {fault.written} is refused in {fault.configuration}: "
                f"{fault.because}; {permitted}"
            )
        case "goes on":
            where = f"line {fault.line}, transition {fault.position}"
            return f"{where}: {fault.written} comes after the end, {fault.configuration}"
        case "ends early":
            return f"line {fault.line}: the run stops in {fault.configuration}, which is not terminal; {permitted}"
        case "wrong tree":
            return f"line {fault.line}: the output is {fault.output}, the gold tree is {fault.gold}"
        case _:
            assert_never(fault.kind)


def _lines(found: LogCheck) -> Iterator[str]:
    yield from map(sentence, found.faults[:MOST_SHOWN])
    rest = sum(found.counts.values()) - MOST_SHOWN
    if rest > 0:
        yield f"and {counted(rest, 'more line')}"
    if found.faults and found.words_guessed:
        yield GUESSED
    if found.ended_by is not None:
        yield f"{found.ended_by}: {counted(found.left, 'more line')} not checked"


def to_text(found: LogCheck) -> str:
    """The verdict, and what is wrong with the first lines at fault."""
    return "\n".join(map(for_terminal, [verdict(found), *(f"  {line}" for line in _lines(found))])) + "\n"

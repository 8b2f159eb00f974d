"""How often `repair` finds the printed figure again: leave one out over the mutants of built-in systems.

    python -m tools.repair_rate [--words 3] [--every 10] [--first 0] [--jobs 2] [SYSTEM...]

Every killed mutant is repaired without knowing the original, one edit away.  The figure is *found again* if one of the
first three suggestions is the original, is shown beside one as behaving the same, or behaves as the original does: the
same configurations, transitions and oracle runs with up to three words.  A transition that was dropped may come back
under another name.
"""

import argparse
import time
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial

from arcproof.process.side_by_side import in_processes
from arcproof.properties.property import Question, checks_of, counts
from arcproof.properties.studies.faults import FEW_WORDS, behaviour
from arcproof.properties.studies.mutants import Mutant, mutants_of
from arcproof.properties.studies.repair import Repairs, repair
from arcproof.transitions.library import system_names
from arcproof.transitions.system import System, load

FIRST = 3


@dataclass(frozen=True)
class Attempt:
    """A mutant that is killed, and the place of the original among the suggestions, from 1; None if it is not among the
    first three.
    """

    system: str
    operator: str
    change: str
    place: int | None
    suggestions: int
    seconds: float


@cache
def _original(name: str) -> tuple[System, tuple[Question, ...], Hashable]:
    system = load(name)
    questions = (*system.figure.claims, *(question for question in checks_of(system) if counts(question)))
    return system, questions, behaviour(system, questions, FEW_WORDS)


def place_of(original: str, found: Repairs) -> int | None:
    """The place of the original among the first suggestions."""
    system, questions, known = _original(original)
    for place, suggestion in enumerate(found.suggestions[:FIRST], start=1):
        shown = [_renamed(one, system) for one in (suggestion.system, *suggestion.alike)]
        if any(one.figure == system.figure for one in shown) or behaviour(shown[0], questions, FEW_WORDS) == known:
            return place
    return None


def _renamed(system: System, original: System) -> System:
    """With the original's name for the transition in place of the invented one."""
    lost = [name for name in original.transitions if name not in system.transitions]
    made_up = [name for name in system.transitions if name not in original.transitions]
    if len(lost) != 1 or len(made_up) != 1:
        return system

    def name_of(name: str) -> str:
        return lost[0] if name == made_up[0] else name

    rules = tuple(replace(rule, name=name_of(rule.name)) for rule in system.figure.rules)
    oracles = tuple(
        replace(oracle, lines=tuple(replace(line, transition=name_of(line.transition)) for line in oracle.lines))
        for oracle in system.figure.oracles
    )
    return replace(system, figure=replace(system.figure, rules=rules, oracles=oracles))


def attempt(name: str, number: int, words: int, samples: int) -> Attempt | None:
    """Repair a mutant; None if it is not killed."""
    mutant = mutants(name)[number]
    began = time.process_time()
    found = repair(mutant.system(load(name)), words, edits=1, seconds=120, samples=samples)
    if not found.refuted:
        return None
    seconds = time.process_time() - began
    place = place_of(name, found)
    return Attempt(name, mutant.operator, mutant.description, place, len(found.suggestions), seconds)


@cache
def mutants(name: str) -> tuple[Mutant, ...]:
    """The mutants that are figures."""
    return tuple(mutant for mutant in mutants_of(load(name)) if mutant.problem is None)


def attempts(names: list[str], words: int, every: int, first: int, jobs: int, samples: int = 50) -> Iterator[Attempt]:
    """Every nth mutant of all systems."""
    work = [(name, number) for name in names for number in range(len(mutants(name)))][first::every]
    one = partial(attempt, words=words, samples=samples)
    found = in_processes(one, work, jobs) if jobs > 1 else (one(*place) for place in work)
    return (made for made in found if made is not None)


def main() -> None:
    """Print what is missed, and the rates."""
    parser = argparse.ArgumentParser(prog="repair_rate")
    parser.add_argument("systems", nargs="*", metavar="SYSTEM")
    for option, default in (("words", 4), ("every", 1), ("first", 0), ("jobs", 1)):
        parser.add_argument(f"--{option}", type=int, default=default)
    given = parser.parse_args()
    operators: Counter[tuple[str, bool]] = Counter()
    seconds: list[float] = []
    for one in attempts(given.systems or list(system_names()), given.words, given.every, given.first, given.jobs):
        operators[one.operator, one.place is not None] += 1
        seconds.append(one.seconds)
        if one.place is None:
            print(
                f"missed: {one.system}, {one.change} ({one.suggestions} suggestions, {one.seconds:.1f} s)", flush=True
            )
    for operator in dict.fromkeys(operator for operator, _ in operators):
        found = operators[operator, True]
        print(f"{operator}: {found} of {found + operators[operator, False]}")
    again = sum(count for (_, found), count in operators.items() if found)
    seconds.sort()
    share = f"{again} of {len(seconds)} found again, {again / len(seconds):.1%}"
    print(f"{share}; CPU seconds: median {seconds[len(seconds) // 2]:.1f}, most {seconds[-1]:.1f}")


if __name__ == "__main__":
    from tools.repair_rate import (
        main as of_the_module,  # what is sent to other processes must be importable by name
    )

    of_the_module()

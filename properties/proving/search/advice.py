"""Advice from stored certificates about steps of the same name: premises that a search tries first.

The nearest certificates are those that share the most steps with the problem.  Advice need not be trusted: a step is
checked as usual, only from fewer premises.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Final, TypeAlias

from arcproof.properties.proving.certificates.files import folder, identity, on_file
from arcproof.properties.proving.trusted.discharge import Certificate
from arcproof.properties.proving.trusted.problem import AT_THE_START, GOAL, Key, Problem, key_texts

Advice: TypeAlias = Callable[[Key], list[tuple[str, ...]]]
NEAREST: Final = 2
"""The number of certificates that are consulted."""


def nearest_advice(problem: Problem, candidates: Collection[str], found: Iterable[Certificate] = ()) -> Advice:
    """The premises that were used in certificates found for the same figure, and then in the nearest ones on file."""
    names = {*candidates, *(lemma.name for lemma in problem.lemmas), GOAL}
    places = {AT_THE_START, *(move.name for move in problem.moves), *(goal.name for goal in problem.goals)}

    def shared(certificate: Certificate) -> int:
        return sum(what in names and where in places for what, where in map(key_texts, certificate.cores))

    near = [(shared(certificate), certificate) for certificate in _on_file().values()]
    ranked = sorted(near, key=lambda one: (one[0] / len(one[1].cores), one[0]), reverse=True)
    return partial(_premises, [*found, *(certificate for count, certificate in ranked[:NEAREST] if count)])


def no_advice(_: Key) -> list[tuple[str, ...]]:
    """No advice."""
    return []


def _premises(certificates: Sequence[Certificate], key: Key) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(one.cores[key] for one in certificates if key in one.cores))


def certified(problem: Problem) -> Mapping[Key, tuple[str, ...]]:
    """The premises from which each step of exactly this problem was proved, if a certificate for it is stored."""
    certificate = _on_file().get(identity(problem))
    return {} if certificate is None else certificate.cores


@cache
def _on_file() -> dict[str, Certificate]:
    """The certificates of the built-in figures, by the problem that they solve."""
    found: dict[str, Certificate] = {}
    for path in sorted(folder().glob("*.json")):
        found |= {problem: one for problem, one in on_file(path.stem).items() if one.cores}
    return found

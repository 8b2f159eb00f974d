"""The bridge between goals and the interpreter: where a claim is violated, some goal must be false.

A goal that is too weak would let a false claim through.  So, in configurations of a few words, reachable or not, every
violation of the property of runs must make some goal false as solvers read it.  The other direction is not needed: a
goal that asks for too much cannot be proved.  The interpreter is right by definition.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from arcproof.properties.engines.spaces import RunProperty
from arcproof.properties.proving.language.evaluation import Evaluate
from arcproof.properties.proving.language.reading_back import as_read
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.meaning.model import domain, gold_model, model_of
from arcproof.properties.proving.trusted.problem import Goal
from arcproof.properties.proving.trusted.witness import lengths_of
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.errors import NotPermissible
from arcproof.transitions.gold import Gold
from arcproof.transitions.system import System


@dataclass(frozen=True)
class Goals:
    """Goals, ready to be evaluated as solvers read them."""

    goals: Sequence[Goal]

    def broken(self, model: Mapping[str, object], words: int) -> bool:
        """Whether some goal is false although its premises are true, for some choice of the lengths."""
        integers = domain(words)
        for terms, premises, conclusion in self._read:
            for lengths in lengths_of(terms, words):
                chosen = {**model, **lengths}
                if all(premise(chosen, integers) for premise in premises) and not conclusion(chosen, integers):
                    return True
        return False

    @cached_property
    def _read(self) -> list[tuple[list[Term], list[Evaluate], Evaluate]]:
        found = []
        for goal in self.goals:
            premises = [term for _, term in goal.premises]
            found.append(([*premises, goal.term], [as_read(term) for term in premises], as_read(goal.term)))
        return found


def goal_difference(
    system: System, goals: Sequence[Goal], watched: RunProperty, configurations: Iterable[Configuration]
) -> str | None:
    """A configuration in which a property of runs is violated although every goal is true."""
    read = Goals(goals)
    for c in configurations:
        objection = next(_objections(system, watched, c), None)
        if objection is not None and not read.broken(model_of(system, c), c.words):
            return f"every goal is true in {c}, but {objection}"
    return None


def _objections(system: System, watched: RunProperty, c: Configuration) -> Iterator[str]:
    terminal, permissible = system.is_terminal(c), system.permissible(c)
    objection = watched.at_configuration(c, terminal, permissible)
    if objection is not None:
        yield objection
    for transition in () if terminal else permissible:
        objection = watched.at_step(c, system.step(c, transition))
        if objection is not None:
            yield objection


def oracle_goal_difference(
    system: System, goals: Sequence[Goal], oracle: s.Oracle, configurations: Iterable[tuple[Configuration, Gold]]
) -> str | None:
    """A configuration in which an oracle fails its gold graph although every goal is true."""
    read = Goals(goals)
    for c, gold in configurations:
        objection = _oracle_objection(system, oracle, c, gold)
        if objection is not None and not read.broken({**model_of(system, c), **gold_model(gold)}, c.words):
            return f"every goal is true in {c} with {gold.graph}, but {objection}"
    return None


def _oracle_objection(system: System, oracle: s.Oracle, c: Configuration, gold: Gold) -> str | None:
    if system.is_terminal(c):
        built = {(arc.head, arc.dependent) for arc in c.arcs}
        return None if built == set(gold.arcs) else "it is terminal and has other arcs"
    transition = system.predict(c, gold, oracle)
    if transition is None:
        return "no line of the oracle matches"
    try:
        step = system.step(c, transition)
    except NotPermissible:
        return f"{transition.instance} is not permissible"
    return f"{transition.instance} adds an arc to a word that has a head" if step.clashes else None

"""What a specification states about an oracle's runs to gold graphs: its `invariant of` lines and its lemmas."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from arcproof.properties.checks.oracle_correct import complete_classes
from arcproof.properties.checks.oracle_invariant import OracleInvariance
from arcproof.properties.proving.arguments import WrongMeaning
from arcproof.properties.proving.goals.space import problem_of
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import to_python
from arcproof.properties.proving.library.given import lemmas_of
from arcproof.properties.proving.meaning.conditions import GOLD_SYMBOLS
from arcproof.properties.proving.meaning.model import domain, gold_model, model_of
from arcproof.properties.proving.methods.completeness import along, false_somewhere
from arcproof.properties.proving.theorem import Hindrance, LemmaHolds, Theorem, not_proved
from arcproof.properties.proving.trusted.facts import Lemma
from arcproof.properties.proving.trusted.problem import Goal
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover


def holds_on_the_way(prover: "Prover", about: OracleInvariance) -> Theorem:
    """Prove that a condition holds along an oracle's run to every graph of a class."""
    graphs = prover.system.class_with_parameters(about.graphs)
    goal = Goal(str(about), (), prover.meanings.says(about.given.condition, prover.meanings.before))
    if prover.kept is None:
        _confront(prover, about, graphs, goal)
    return along(prover, about, graphs, prover.system.oracle(about.given.oracle), goals=(goal,))


def _confront(prover: "Prover", about: OracleInvariance, graphs: s.GraphClass, goal: Goal) -> None:
    """Check the symbolic meaning of a condition on configurations of a few words, whether or not runs reach them."""
    value = to_python(goal.term)
    for c, gold in prover.situations(graphs):
        model = {**model_of(prover.system, c), **gold_model(gold)}
        if value(model, domain(c.words)) != prover.system.satisfies(c, about.given.condition, gold):
            raise WrongMeaning(f"{about}: its symbols and the interpreter differ in {c} with gold {gold.graph}")


def lemma_holds(prover: "Prover", about: LemmaHolds) -> Theorem:
    """Prove that a lemma holds in every configuration.

    A lemma about gold graphs holds along the first oracle's runs to those of the claimed classes.
    """
    found = lemmas_of(about.lemma, prover.system, prover.meanings.before, prover.meanings.start)
    goals = tuple(Goal(lemma.name, (), lemma.candidate.formula(prover.meanings.before)) for lemma in found)
    if not goals:
        return not_proved(about, Hindrance.NOTHING_TO_SHOW)
    symbols = {symbol.name for symbol in t.symbols([goal.term for goal in goals])}
    if symbols.isdisjoint(GOLD_SYMBOLS - {"n"}):
        argument = prover.argument(replace(problem_of(prover.meanings, goals), lemmas=_up_to(prover, found)))
        return false_somewhere(prover, about, goals, argument.models) or prover.theorem(about, argument)
    if not prover.system.figure.oracles:
        return not_proved(about, Hindrance.NO_ORACLE)
    theorem = not_proved(
        about, Hindrance.UNSUPPORTED, "a lemma about gold graphs in a figure that claims no completeness"
    )
    for graphs in map(prover.system.class_with_parameters, complete_classes(prover.system)):
        theorem = along(prover, about, graphs, prover.system.oracle(), goals=goals)
        if theorem.verdict is not Verdict.PROVED:
            break
    return theorem


def _up_to(prover: "Prover", found: Sequence[Lemma]) -> tuple[Lemma, ...]:
    """The lemmas of the specification up to the last of these."""
    names = [lemma.name for lemma in prover.lemmas]
    return prover.lemmas[: names.index(found[-1].name) + 1]

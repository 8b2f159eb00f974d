"""Proofs that an oracle takes the transitions that another system's oracle takes, on the graphs of a class."""

from dataclasses import replace
from typing import TYPE_CHECKING

from arcproof.properties.proving.arguments import WrongMeaning
from arcproof.properties.proving.goals.lockstep import lockstep
from arcproof.properties.proving.goals.objections import to_following
from arcproof.properties.proving.library.gold import gold_graphs
from arcproof.properties.proving.meaning.bridge import first_oracle_difference
from arcproof.properties.proving.methods.completeness import (
    MOST_WORDS_OF_GOLD,
    best_soundness,
    complete_by,
    oracle_runs,
)
from arcproof.properties.proving.methods.equivalence import joined
from arcproof.properties.proving.methods.lengths import terminates
from arcproof.properties.proving.theorem import Hindrance, Theorem, Topic, not_proved, topic_text
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover


def like(prover: "Prover", about: Topic, question: s.SameTransitions) -> Theorem:
    """Prove that the other system's first oracle derives every graph of the class, and that this system's first oracle
    follows it.
    """
    other = prover.beside(prover.system.other(question.system))
    if not prover.system.figure.oracles or not other.system.figure.oracles:
        return not_proved(about, Hindrance.NO_ORACLE)
    graphs = prover.system.class_with_parameters(question.graphs)
    leads = complete_by(other, about, graphs, other.system.oracle(), terminates(other))
    if leads.verdict is not Verdict.PROVED:
        return not_proved(about, Hindrance.OPEN_LEAD, question.system, leads.obstacle)
    theorem = _follows(prover, about, graphs, other, leads)
    return replace(theorem, method=replace(leads.method, like=question.system), values=other.named_values)


def _follows(prover: "Prover", about: Topic, graphs: s.GraphClass, other: "Prover", leads: Theorem) -> Theorem:
    own, leading = prover.system.oracle(), other.system.oracle()
    small = list(gold_graphs(prover.system, graphs, MOST_WORDS_OF_GOLD))
    differently = None if prover.kept is not None else first_oracle_difference(prover.meanings, own, small)
    if differently is not None:
        raise WrongMeaning(f"{topic_text(about)}: {differently}")
    goals = tuple(lockstep(prover.meanings, own, other.meanings, leading))
    prover.agree(goals, to_following(prover.system, own, other.system, leading, prover.situations(graphs)))
    sound, follower = best_soundness(other), prover.on_behalf(other)
    runs = oracle_runs(follower, about, graphs, leading, sound, own)
    problem = replace(runs.argument.problem, goals=goals)
    shown = follower.theorem(about, replace(runs.argument, problem=problem))
    prover.found.update(follower.found)
    prover.clock.note(follower.clock.has_decided)
    if shown.verdict is not Verdict.PROVED:
        return shown
    whole = joined(about, [leads, replace(shown, obligations=(*runs.steps, *shown.obligations))])
    return replace(whole, assumptions=runs.believed(whole))

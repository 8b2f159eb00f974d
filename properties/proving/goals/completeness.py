"""Completeness along the figure's own oracle, against an arbitrary gold graph of the class.

The moves are the lines of the oracle, each under the condition that it is the first to match.  The goals: as long as
the configuration is not terminal, some line matches; what it asks for is permissible; it adds an arc only to a word
that has none; and at a terminal configuration the arcs are the gold arcs.  That the oracle's run ends is handled in
`ranking`. Every configuration of the oracle's run is reachable, so the invariant that proves soundness holds there; it
is used as premises.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from arcproof.properties.proving.goals.soundness import ending, named, numbered
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import to_python
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.library.gold import axioms, gold_graphs
from arcproof.properties.proving.meaning.conditions import GOLD
from arcproof.properties.proving.meaning.model import domain, gold_model, model_of
from arcproof.properties.proving.meaning.steps import Added, SymbolicStep
from arcproof.properties.proving.meaning.symbolic import Advice, Meanings
from arcproof.properties.proving.trusted.facts import Candidate, Lemma
from arcproof.properties.proving.trusted.obligation import Premise
from arcproof.properties.proving.trusted.problem import WORDS_PREMISE, Goal, Move, Problem
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.errors import NotPermissible
from arcproof.transitions.gold import Gold
from arcproof.transitions.system import System

MOST_STEPS: Final = 200
MOST_WORDS: Final = 4
MOST_GOLD_GRAPHS: Final = 60


def gold_axioms(meanings: Meanings, graphs: s.GraphClass, *oracles: s.Oracle) -> list[Candidate]:
    """The axioms of the class, and those of the projective order if an oracle or one of its invariants asks for it."""
    names = {oracle.name for oracle in oracles}
    given = tuple(one for one in meanings.system.figure.oracle_invariants if one.oracle in names)
    lines = tuple(oracle.lines for oracle in oracles)
    ordered = any(isinstance(node, s.Precedes) for node in s.walk((lines, given)))
    return axioms(meanings.system, graphs, ordered)


def advised(meanings: Meanings, advice: Advice) -> tuple[Premise, ...]:
    """The premises that a line of the oracle is taken."""
    running = t.negation(t.conjunction(*meanings.terminal(meanings.before)))
    return (("the configuration is not terminal", running), *named("the oracle's line", advice.conditions))


def moves(meanings: Meanings, oracle: s.Oracle) -> Iterator[Move]:
    """Yield a move for everything that the oracle can do."""
    for advice in meanings.advice(oracle):
        for step in advice.steps:
            premises = (*advised(meanings, advice), *named("permissible", step.guard))
            yield Move(f"line {advice.number}, {step.name}", premises, step.after, step.facts)


def goals(meanings: Meanings, oracle: s.Oracle) -> Iterator[Goal]:
    """Yield the goals that make the oracle lead to the gold graph."""
    lines = meanings.advice(oracle)
    for advice in lines:
        guards = t.disjunction(*(t.conjunction(*step.guard) for step in advice.steps if _takes_label(advice, step)))
        name = f"line {advice.number}, {advice.line.transition}"
        yield Goal(f"{name} is permissible", advised(meanings, advice), guards)
        for step in advice.steps:
            premises = (*advised(meanings, advice), *named("permissible", step.guard))
            for which, added in numbered(step.added):
                what = f"line {advice.number}, {step.name} adds an arc{which}"
                yield Goal(f"{what} to a word that has no head", premises, t.negation(added.headed))
                yield Goal(f"{what} with its gold label", premises, _labelled(advice, step, added))
    running = ("the configuration is not terminal", t.negation(t.conjunction(*meanings.terminal(meanings.before))))
    yield Goal("some line of the oracle matches", (running,), some_line(lines))
    terminal = ending(meanings)
    arc = meanings.before.arc
    yield Goal("at the end every arc is gold", terminal, t.for_all(lambda x, y: t.implies(arc(x, y), GOLD.arc(x, y))))
    yield Goal(
        "at the end every gold arc is built", terminal, t.for_all(lambda x, y: t.implies(GOLD.arc(x, y), arc(x, y)))
    )


def _takes_label(advice: Advice, step: SymbolicStep) -> bool:
    """Whether a case accepts the label of the line, if it has one."""
    return advice.line.label is None or step.rule.label is not None


def _labelled(advice: Advice, step: SymbolicStep, added: Added) -> Term:
    """The condition that the arc added is the gold arc whose label the line takes; true if there are no labels."""
    if step.rule.label is None:
        return t.TRUE
    same = [t.conjunction(t.equal(added.head, h), t.equal(added.dependent, d)) for h, d in advice.labelled]
    return t.disjunction(*same)


def some_line(lines: Sequence[Advice]) -> Term:
    """The condition that the oracle asks for some transition, with some lengths."""
    return t.disjunction(*(advice.matches for advice in lines))


def completeness(
    meanings: Meanings, oracle: s.Oracle, gold: Sequence[Candidate], given: Sequence[Candidate], lemmas: Sequence[Lemma]
) -> Problem:
    """The problem whose goals are that the oracle derives every gold graph: `gold` is what is known about the gold
    graph, `given` what is known about the configurations.
    """
    return Problem(
        (WORDS_PREMISE,),
        meanings.before,
        meanings.start,
        tuple(moves(meanings, oracle)),
        tuple(goals(meanings, oracle)),
        tuple(given),
        tuple(gold),
        tuple(lemmas),
        ending(meanings),
    )


# --- the oracle's runs in short sentences ----------------------------------------------------------------------------


def oracle_run(system: System, oracle: s.Oracle, gold: Gold) -> Iterator[Configuration]:
    """Yield the configurations on the way to a gold graph, as far as the oracle gets."""
    c = system.start(gold.graph.words)
    for _ in range(MOST_STEPS):
        yield c
        if system.is_terminal(c):
            return
        transition = system.predict(c, gold, oracle)
        if transition is None:
            return
        try:
            c = system.apply(c, transition)
        except NotPermissible:
            return


def thinned_by_runs(
    meanings: Meanings, graphs: s.GraphClass, oracle: s.Oracle, candidates: Sequence[Candidate]
) -> list[Candidate]:
    """The candidates that hold in the configurations of the oracle's runs in short sentences."""
    system = meanings.system
    left = [(candidate, to_python(candidate.formula(meanings.before))) for candidate in candidates]
    for words in range(1, MOST_WORDS + 1):
        for gold in islice(gold_graphs(system, graphs, words), MOST_GOLD_GRAPHS):
            wanted = gold_model(gold)
            for c in oracle_run(system, oracle, gold):
                model = {**model_of(system, c), **wanted}
                left = [(candidate, value) for candidate, value in left if value(model, domain(words))]
    return [candidate for candidate, _ in left]

"""Arc-decomposability and the claims about dynamic oracles, proved by a formula for the arcs that are within reach.

The formula is read off short sentences (`search.within_reach`).  Its properties (`goals.decomposability`,
`goals.costs`) are proved in every configuration of every run, together with an arbitrary gold graph of the class.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import cycle
from typing import TYPE_CHECKING, Final, assert_never

from arcproof.properties.proving.arguments import Argument, WrongAxiom, WrongMeaning
from arcproof.properties.proving.goals.costs import exact, never_stuck, safe
from arcproof.properties.proving.goals.decomposability import decomposability
from arcproof.properties.proving.goals.objections import to_costs, to_decomposability
from arcproof.properties.proving.goals.soundness import ending
from arcproof.properties.proving.goals.space import problem_of
from arcproof.properties.proving.library.gold import (
    as_given,
    axioms,
    false_axiom,
    gold_graphs,
    has_axioms,
    lemmas,
    premises,
    proofs,
    without_what_has_no_axioms,
)
from arcproof.properties.proving.library.instances import instances
from arcproof.properties.proving.meaning.bridge import spread
from arcproof.properties.proving.meaning.costs import cost_difference
from arcproof.properties.proving.meaning.model import gold_model, model_of
from arcproof.properties.proving.meaning.state import Unsupported
from arcproof.properties.proving.methods.completeness import (
    MOST_GOLD_GRAPHS,
    RunsBesideGold,
    best_soundness,
)
from arcproof.properties.proving.methods.equivalence import joined
from arcproof.properties.proving.methods.lengths import terminates
from arcproof.properties.proving.search.counted_arcs import counted_arcs
from arcproof.properties.proving.search.induction import Guided
from arcproof.properties.proving.search.lost_arcs import LostArcs, lost_arcs
from arcproof.properties.proving.search.within_reach import LostCases, Unlike, WithinReach, within_reach
from arcproof.properties.proving.short_sentences import MOST_WORDS_AGAIN
from arcproof.properties.proving.theorem import (
    NO_METHOD,
    Hindrance,
    Method,
    Theorem,
    Topic,
    not_proved,
    topic_text,
)
from arcproof.properties.proving.trusted.facts import Lemma
from arcproof.properties.proving.trusted.problem import Goal
from arcproof.properties.proving.trusted.witness import configurations
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.gold import Gold
from arcproof.transitions.printing.notation import class_text

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover

NOT_EVERY_WORD: Final = "costs for gold graphs in which a word may have no head, so that an extra head is a loss too"
ARCS_FROM_0: Final = "gold arcs from 0 in a figure with `root none`, where words get them by never getting a head"


def arc_decomposable(prover: "Prover", about: Topic, graphs: s.GraphClass) -> Theorem:
    """Prove that gold arcs which can each still be built can be built together."""
    if graphs.base == "trees" and not prover.system.has_root:
        raise Unsupported(ARCS_FROM_0)
    reach = _reach(prover)
    if isinstance(reach, Unlike):
        return not_proved(about, Hindrance.NO_REACH, str(reach))
    ends = terminates(prover)
    if ends.verdict is not Verdict.PROVED:
        return replace(not_proved(about, Hindrance.OPEN_END, behind=ends.obstacle), explanation=ends.explanation)
    theorem = not_proved(about, Hindrance.NOTHING_TO_SHOW)
    for lost in _lost(prover, reach):
        goals = tuple(decomposability(prover.meanings, reach, LostArcs(prover.meanings, reach, lost)))
        prover.agree(goals, to_decomposability(prover.meanings, reach, prover.situations(graphs)))
        theorem = beside_gold(prover, about, graphs, goals, Method(reach=reach, lost=lost, ends=ends.gist), ends)
        if theorem.verdict is Verdict.PROVED:
            break
    return theorem


def _lost(prover: "Prover", reach: WithinReach) -> Iterator[LostCases]:
    """Yield the conditions under which transitions put arcs out of reach: those seen in short sentences, or else those
    that the state after the transition implies.
    """
    if prover.kept is not None:
        yield prover.kept.method.lost
        return
    found = lost_arcs(prover.meanings, reach, _configurations(prover))
    yield found
    if found:
        yield ()


def _reach(prover: "Prover") -> WithinReach | Unlike:
    """The formula for the arcs within reach, taken from the cached proof if there is one."""
    if prover.kept is not None and prover.kept.method.reach is not None:
        return prover.kept.method.reach
    return within_reach(prover.meanings.before, prover.spaces)


def of_dynamic_oracle(prover: "Prover", about: Topic, question: s.OfADynamicOracle) -> Theorem:
    """Prove that the costs are exact, that free transitions really cost nothing, or that some transition is always
    free.
    """
    graphs = prover.system.class_with_parameters(question.graphs)
    oracle = prover.system.dynamic_oracle(question.oracle)
    if prover.kept is None:
        _confront_costs(prover, about, graphs, oracle)
    match question:
        case s.NeverStuck():
            goals = tuple(never_stuck(prover.meanings, oracle))
            prover.agree(goals, to_costs(prover.meanings, oracle, question, None, prover.situations(graphs)))
            return beside_gold(prover, about, graphs, goals)
        case s.Exact() | s.Safe():
            return _costs(prover, about, graphs, oracle, question)
        case _:
            assert_never(question)


def _costs(
    prover: "Prover", about: Topic, graphs: s.GraphClass, oracle: s.DynamicOracle, question: s.Exact | s.Safe
) -> Theorem:
    """Prove claims about the costs, which rest on arc-decomposability."""
    if graphs.base != "trees" or not prover.system.has_root:
        raise Unsupported(NOT_EVERY_WORD)
    together = arc_decomposable(prover, about, graphs)
    if together.verdict is not Verdict.PROVED:
        theorem = not_proved(about, Hindrance.OPEN_DECOMPOSABILITY, behind=together.obstacle)
        return replace(together, obstacle=theorem.obstacle)
    reach = together.method.reach
    assert reach is not None
    if isinstance(question, s.Exact):
        found, apart = counted_arcs(prover.meanings, oracle, reach, _situations(prover, graphs))
        if apart is not None:
            return not_proved(about, Hindrance.NO_ARCS, apart.text)
        goals = tuple(exact(prover.meanings, oracle, reach, found))
    else:
        goals = tuple(safe(prover.meanings, oracle, reach))
    prover.agree(goals, to_costs(prover.meanings, oracle, question, reach, prover.situations(graphs)))
    return beside_gold(prover, about, graphs, goals, together.method, together)


def _situations(prover: "Prover", graphs: s.GraphClass) -> list[tuple[dict[str, object], int]]:
    """Every configuration of short sentences with every gold graph."""
    models = [(model, words) for model, words in _configurations(prover) if words <= MOST_WORDS_AGAIN]
    sizes = {words for _, words in models}
    golds = {words: list(map(gold_model, gold_graphs(prover.system, graphs, words))) for words in sizes}
    return [({**model, **gold}, words) for model, words in models for gold in golds[words]]


def _configurations(prover: "Prover") -> list[tuple[dict[str, object], int]]:
    """Every configuration of short sentences."""
    return [(model_of(prover.system, c), space.words) for space in prover.spaces for c in space.configurations]


def _confront_costs(prover: "Prover", about: Topic, graphs: s.GraphClass, oracle: s.DynamicOracle) -> None:
    """Check the symbolic meaning of costs on configurations of a few words, whether or not runs reach them."""
    wrong = cost_difference(prover.meanings, oracle, prover.situations(graphs))
    if wrong is not None:
        raise WrongMeaning(f"{topic_text(about)}: {wrong}")


# --- all runs, beside any gold graph ---------------------------------------------------------------------------------


def beside_gold(
    prover: "Prover",
    about: Topic,
    graphs: s.GraphClass,
    goals: tuple[Goal, ...],
    method: Method = NO_METHOD,
    *resting_on: Theorem,
) -> Theorem:
    """Prove goals in every configuration of every run, whichever graph of the class is the gold one.

    If the axioms do not characterise the class completely, the goals are shown for a class that contains it.  They may
    rest on other theorems, which are proved as well.
    """
    sound = best_soundness(prover)
    if sound.verdict is not Verdict.PROVED:
        theorem = not_proved(about, Hindrance.OPEN_SOUNDNESS, behind=sound.obstacle)
        return replace(theorem, explanation=sound.explanation)
    wider = graphs if has_axioms(graphs) else without_what_has_no_axioms(graphs)
    method = method if wider == graphs else replace(method, wider=class_text(wider))
    runs = _runs(prover, about, wider, goals, sound)
    theorem = prover.theorem(about, runs.argument, method)
    if theorem.verdict is not Verdict.PROVED:
        return theorem
    shown = replace(theorem, obligations=(*runs.steps, *theorem.obligations))
    whole = joined(about, [*resting_on, replace(sound, witnesses=(), invariant=(), dead=()), shown])
    return replace(whole, method=method, assumptions=runs.believed(whole))


def _runs(
    prover: "Prover", about: Topic, graphs: s.GraphClass, goals: tuple[Goal, ...], sound: Theorem
) -> RunsBesideGold:
    believed = axioms(prover.system, graphs)
    wrong = false_axiom(prover.system, graphs, premises(believed)) if prover.kept is None else None
    if wrong is not None:
        raise WrongAxiom(f"{topic_text(about)}: {wrong}")
    proved = lemmas(believed)
    steps = prover.discharge(proofs(believed, proved))
    known = {conjunct.name for conjunct in sound.invariant}
    problem = replace(
        problem_of(prover.meanings, goals),
        given=tuple(c for c in prover.candidates if c.name in known),
        background=tuple(as_given(believed, proved)),
        lemmas=_lemmas(prover),
        end=ending(prover.meanings),
    )
    candidates = [c for c in prover.candidates if c.name not in known]
    golds = partial(gold_graphs, prover.system, graphs)
    guided = Guided(golds, partial(_reached, prover))
    some, every = (partial(_models, prover, graphs, explored) for explored in (False, True))
    return RunsBesideGold(believed, steps, Argument(problem, candidates, some, every, guided))


def _lemmas(prover: "Prover") -> tuple[Lemma, ...]:
    meanings = prover.meanings
    return (*instances(meanings.before, meanings.start, meanings.special).lemmas, *prover.lemmas)


def _reached(prover: "Prover", gold: Gold) -> Iterable[Configuration]:
    """All reachable configurations, if there are few."""
    words = gold.graph.words
    return next((space.configurations for space in prover.spaces if space.words == words), ())


def _models(
    prover: "Prover", graphs: s.GraphClass, explored: bool, words: int
) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield reachable configurations, each with a gold graph: those of random runs, or all if there are few."""
    golds = list(gold_graphs(prover.system, graphs, words))
    some = spread(golds, MOST_GOLD_GRAPHS)
    system = prover.system
    spaces = [space.configurations for space in prover.spaces if space.words == words]
    found = (c for cs in spaces for c in cs) if explored else configurations(system, words)
    for c, gold in zip(found, cycle(some), strict=False):
        yield f"{c} with gold {gold.graph}", {**model_of(system, c), **gold_model(gold)}

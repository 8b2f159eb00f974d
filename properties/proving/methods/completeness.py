"""Soundness for a class, and completeness by an oracle that leads to every graph of it."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from arcproof.properties.checks.oracle_correct import check_oracle
from arcproof.properties.claims.sound import Soundness
from arcproof.properties.engines.engine import engine_for
from arcproof.properties.evidence import Counterexample
from arcproof.properties.proving.arguments import Argument, Models, WrongAxiom, WrongMeaning
from arcproof.properties.proving.goals.agreement import Goals, oracle_goal_difference
from arcproof.properties.proving.goals.completeness import completeness, gold_axioms, oracle_run, thinned_by_runs
from arcproof.properties.proving.goals.completeness import goals as oracle_goals
from arcproof.properties.proving.goals.soundness import TWO_PLANAR, soundness
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.library.gold import (
    as_given,
    false_axiom,
    gold_graphs,
    has_axioms,
    is_part,
    lemmas,
    premises,
    proofs,
    without_what_has_no_axioms,
)
from arcproof.properties.proving.library.instances import instances
from arcproof.properties.proving.meaning.bridge import first_oracle_difference, spread
from arcproof.properties.proving.meaning.conditions import GOLD_SYMBOLS
from arcproof.properties.proving.meaning.formulas import SUFFIX
from arcproof.properties.proving.meaning.model import gold_model, model_of
from arcproof.properties.proving.meaning.small_configurations import drawn, telling_words
from arcproof.properties.proving.meaning.state import SymbolicState, Unsupported
from arcproof.properties.proving.methods.lengths import terminates
from arcproof.properties.proving.methods.planes import sound_in_planes
from arcproof.properties.proving.search.induction import Guided
from arcproof.properties.proving.search.mining import Mine
from arcproof.properties.proving.short_sentences import MOST_WORDS_AGAIN
from arcproof.properties.proving.theorem import (
    Hindrance,
    Method,
    Theorem,
    Topic,
    judged,
    not_proved,
    topic_text,
)
from arcproof.properties.proving.trusted.discharge import Discharged
from arcproof.properties.proving.trusted.facts import Candidate, Lemma
from arcproof.properties.proving.trusted.obligation import Obligation
from arcproof.properties.proving.trusted.problem import Goal
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover

MOST_GOLD_GRAPHS: Final = 300
MOST_WORDS_OF_GOLD: Final = 3
MAX_WORDS_OF_GOLD: Final = 5
MOST_WORDS_OF_RUNS: Final = 4
MOST_CONFRONTED: Final = 200
MOST_WORDS_MINED: Final = 5
MOST_GRAPHS_MINED: Final = 60
MOST_SEARCHED: Final = 20_000
"""The most configurations that may be visited to find out where an oracle goes wrong."""
MOST_WORDS_LED_TO: Final = 6
SLOWER: Final = 10  # times fewer graphs are tried without native code
MOST_LED_TO: Final = 20_000
"""The most graphs of one length on which an oracle is tried before a completeness proof is searched for."""


def sound(prover: "Prover", about: Topic, graphs: s.GraphClass) -> Theorem:
    """Prove soundness for a class."""
    if any(restriction.name in TWO_PLANAR for restriction in graphs.restrictions):
        return sound_in_planes(prover, about, graphs)
    problem = prover.confronted(soundness(prover.meanings, graphs), Soundness(prover.system, graphs))
    return prover.theorem(about, prover.argument(problem))


def complete(prover: "Prover", about: Topic, graphs: s.GraphClass) -> Theorem:
    """Prove completeness by the first oracle that can be proved to lead to every graph of the class."""
    if graphs.base != "trees" and not prover.system.has_root:
        raise Unsupported("completeness for graphs with arcs from 0, which a figure with `root none` cannot add")
    attempts: list[Theorem] = []
    ends: Theorem | None = None
    oracles = prover.system.figure.oracles
    misleading = {oracle.name: _misled(prover, graphs, oracle) for oracle in oracles}
    for wider, oracle in product(_containing(prover, graphs), oracles):
        misled = misleading[oracle.name]
        beyond = _misled(prover, wider, oracle) if misled is None and wider != graphs else None
        if misled is not None:
            theorem = not_proved(about, Hindrance.WRONG_ORACLE, misled)
        elif beyond is not None:
            theorem = not_proved(about, Hindrance.WRONG_BEYOND, f"{class_text(wider)}: {beyond}")
        else:
            ends = ends or terminates(prover)
            theorem = complete_by(prover, about, wider, oracle, ends)
        if wider != graphs:
            theorem = replace(theorem, method=replace(theorem.method, wider=class_text(wider)))
        if theorem.verdict is Verdict.PROVED:
            return theorem
        attempts.append(theorem)
    return min(attempts, key=_distance, default=not_proved(about, Hindrance.NO_ORACLE))


def _distance(theorem: Theorem) -> int:
    """How far an attempt is from a proof: an oracle that is wrong is further than one about which goals are open."""
    wrong = (Hindrance.WRONG_BEYOND, Hindrance.WRONG_ORACLE)
    assert theorem.obstacle is not None
    kind = theorem.obstacle.kind
    return 1 + wrong.index(kind) if kind in wrong else 0


def complete_by(prover: "Prover", about: Topic, graphs: s.GraphClass, oracle: s.Oracle, ends: Theorem) -> Theorem:
    """Prove completeness by one oracle, if every run ends."""
    figure = prover.system.figure
    if figure.labels_arcs and any(isinstance(one, s.AddArc) and one.label is None for one in figure.effects):
        return not_proved(about, Hindrance.UNSUPPORTED, "completeness where only some arcs get the labels of gold arcs")
    if ends.verdict is not Verdict.PROVED:
        return replace(not_proved(about, Hindrance.OPEN_END, behind=ends.obstacle), explanation=ends.explanation)
    try:
        return _complete_by(prover, about, graphs, oracle, ends)
    except Unsupported as reason:
        theorem = not_proved(about, Hindrance.UNSUPPORTED, str(reason))
        return replace(theorem, method=Method(oracle=oracle.name))


def _misled(prover: "Prover", graphs: s.GraphClass, oracle: s.Oracle) -> str | None:
    """How the oracle fails on a graph of a few words, if it does: then searching for a proof is pointless."""
    if prover.kept is not None or prover.certificates is not None:
        return None
    engine = engine_for(prover.system, "compiled")
    most = MOST_LED_TO if engine.goes_far else MOST_LED_TO // SLOWER
    tried = check_oracle(prover.system, oracle.name, graphs, MOST_WORDS_LED_TO, engine, most)
    if tried.failure is None:
        return None
    mistake = tried.failure.mistake(prover.system, MOST_SEARCHED)
    if mistake is None:
        return tried.failure.reason
    taken = f"transition {mistake.number}, {mistake.transition.instance} in {mistake.before}"
    return (
        f"on the way to {tried.failure.graph}, {taken}, is a mistake: no run leads to that graph after it; "
        f"{tried.failure.reason}"
    )


def _containing(prover: "Prover", graphs: s.GraphClass) -> list[s.GraphClass]:
    """The class or, if it has no symbolic meaning as a class of gold graphs, those that contain it.

    These are the classes for which the figure claims to be complete, the narrowest first, and then the class without
    the restrictions that have no meaning.  Deriving every graph of a class includes deriving those of any subclass.
    """
    if has_axioms(graphs):
        return [graphs]
    claims = [
        c.statement.graphs
        for c in prover.system.figure.claims
        if c.kind == "plain" and isinstance(c.statement, s.CompleteFor)
    ]
    claimed = map(prover.system.class_with_parameters, claims)
    wider = [other for other in claimed if has_axioms(other) and is_part(graphs, other, prover.system.has_root)]
    wider.sort(key=lambda other: -len(other.restrictions))
    return list(dict.fromkeys((*wider, without_what_has_no_axioms(graphs))))


def _complete_by(prover: "Prover", about: Topic, graphs: s.GraphClass, oracle: s.Oracle, ends: Theorem) -> Theorem:
    return along(prover, about, graphs, oracle, ends)


def along(
    prover: "Prover",
    about: Topic,
    graphs: s.GraphClass,
    oracle: s.Oracle,
    ends: Theorem | None = None,
    goals: tuple[Goal, ...] | None = None,
) -> Theorem:
    """Prove what holds along an oracle's runs: that they lead to every graph of the class, for which they must end, or
    other goals.
    """
    if goals is not None:
        refuted = false_somewhere(prover, about, goals, _some_runs(prover, graphs, oracle))
        if refuted is not None:
            return refuted
    sound = best_soundness(prover)
    if sound.verdict is not Verdict.PROVED:
        theorem = not_proved(about, Hindrance.OPEN_SOUNDNESS, behind=sound.obstacle)
        return replace(theorem, explanation=sound.explanation)
    runs = oracle_runs(prover, about, graphs, oracle, sound)
    by = Method(oracle=oracle.name)
    argument = runs.argument
    if goals is not None:
        argument = replace(argument, problem=replace(argument.problem, goals=goals, end=()))
    theorem = prover.theorem(about, argument, by)
    if theorem.verdict is not Verdict.PROVED:
        return theorem
    last, work = ((), theorem.work) if ends is None else (ends.obligations, ends.work | theorem.work)
    whole = (*sound.obligations, *last, *runs.steps, *theorem.obligations)
    by = by if ends is None else replace(by, ends=ends.gist)
    found = judged(about, whole, theorem.witnesses, theorem.invariant, by, theorem.dead)
    return replace(found, work=sound.work | work, assumptions=runs.believed(theorem))


def _some_runs(prover: "Prover", graphs: s.GraphClass, oracle: s.Oracle) -> Models:
    return partial(_oracle_models, prover.system, graphs, oracle, MOST_GOLD_GRAPHS)


def false_somewhere(prover: "Prover", about: Topic, goals: Sequence[Goal], models: Models) -> Theorem | None:
    """A configuration of a short run in which a goal is false."""
    each = [(goal.name, Goals((goal,))) for goal in goals]
    for words in range(1, (MOST_WORDS_OF_RUNS if prover.kept is None else MOST_WORDS_AGAIN) + 1):
        for shown, model in models(words):
            for name, goal in each:
                if goal.broken(model, words):
                    found = Counterexample(words, None, None, f"{name}: false in {shown}")
                    return Theorem(about, None, counterexample=found)
    return None


@dataclass(frozen=True)
class RunsBesideGold:
    """What is known about runs together with gold graphs of a class: axioms about the graphs, what was proved from
    them, and the argument.
    """

    axioms: Sequence[Candidate]
    steps: Sequence[Discharged]
    argument: Argument

    def believed(self, theorem: Theorem) -> tuple[str, ...]:
        """The files of the axioms that a theorem about these runs uses."""
        shown = (entry.obligation for entry in (*self.steps, *theorem.obligations))
        used = {name for one in shown if isinstance(one, Obligation) for name, _ in one.premises}
        files = dict.fromkeys(axiom.source.removesuffix(SUFFIX) for axiom in self.axioms if axiom.name in used)
        return (f"the axioms about gold graphs in {', '.join(files)}",) if files else ()


def oracle_runs(
    prover: "Prover", about: Topic, graphs: s.GraphClass, oracle: s.Oracle, sound: Theorem, *others: s.Oracle
) -> RunsBesideGold:
    """The runs of an oracle, with the goals of completeness; `others` are oracles that are mentioned too."""
    axioms = gold_axioms(prover.meanings, graphs, oracle, *others)
    if prover.kept is None:
        _confront_gold(prover, about, graphs, oracle, axioms)
    proved = lemmas(axioms)
    steps = prover.discharge(proofs(axioms, proved))
    known = {conjunct.name for conjunct in sound.invariant}
    given = [c for c in prover.candidates if c.name in known]
    on_file = instances(prover.meanings.before, prover.meanings.start, prover.meanings.special)
    arguments = (*on_file.lemmas, *prover.lemmas)
    problem = completeness(prover.meanings, oracle, as_given(axioms, proved), given, arguments)
    guesses = [*prover.on_the_way(oracle), *on_file.guesses]
    about_runs = _wanted(prover.every_candidate, guesses, arguments, known)
    if prover.certificates is None:
        guesses = meaningful(guesses, axioms, prover.meanings.before)
        left = {c.name for c in thinned_by_runs(prover.meanings, graphs, oracle, [*about_runs, *guesses])}
        guesses = [c for c in guesses if c.name in left]
        about_runs = [c for c in about_runs if c.name in left]
    basic = _wanted(about_runs, guesses, arguments, known)
    models = _some_runs(prover, graphs, oracle)
    every = partial(_oracle_models, prover.system, graphs, oracle, None)
    guided = Guided(partial(gold_graphs, prover.system, graphs), partial(oracle_run, prover.system, oracle))
    mine = partial(_mined, prover, graphs, oracle)
    return RunsBesideGold(axioms, steps, Argument(problem, [*basic, *guesses], models, every, guided, mine))


def _mined(prover: "Prover", graphs: s.GraphClass, oracle: s.Oracle) -> list[Candidate]:
    """Clauses that are true in all runs of the oracle to graphs of a few words."""
    models = [
        (model, words)
        for words in range(1, MOST_WORDS_MINED + 1)
        for _, model in _oracle_models(prover.system, graphs, oracle, MOST_GRAPHS_MINED, words)
    ]
    return Mine(prover.meanings.before, models).candidates()


def meaningful(guesses: Sequence[Candidate], axioms: Sequence[Candidate], state: SymbolicState) -> list[Candidate]:
    """The guesses that mention only what some axiom about gold graphs mentions; nothing follows about anything else."""
    known = {symbol.name for symbol in t.symbols([axiom.formula(state) for axiom in axioms])}
    unknown = GOLD_SYMBOLS - known - {"n"}
    return [
        guess for guess in guesses if unknown.isdisjoint(symbol.name for symbol in t.symbols([guess.formula(state)]))
    ]


def _wanted(
    about_runs: Sequence[Candidate], guesses: Sequence[Candidate], lemmas: Sequence[Lemma], known: Container[str]
) -> list[Candidate]:
    """The candidates about all runs that are basic or are named by guesses and lemmas, and that are not known yet."""
    hinted = {name for c in (*guesses, *(lemma.candidate for lemma in lemmas)) for name in c.hints}
    return [c for c in about_runs if (c.basic or c.name in hinted) and c.name not in known]


def _confront_gold(
    prover: "Prover", about: Topic, graphs: s.GraphClass, oracle: s.Oracle, axioms: Sequence[Candidate]
) -> None:
    """Check the symbolic meaning of gold graphs on those of a few words."""
    words = min(telling_words(prover.system), MAX_WORDS_OF_GOLD)
    sizes = dict.fromkeys((MOST_WORDS_OF_GOLD, words))
    golds = {size: list(gold_graphs(prover.system, graphs, size)) for size in sizes}
    for small in golds.values():
        differently = first_oracle_difference(prover.meanings, oracle, small)
        if differently is not None:
            raise WrongMeaning(f"{topic_text(about)}: {differently}")
    wrong = false_axiom(prover.system, graphs, premises(axioms))
    if wrong is not None:
        raise WrongAxiom(f"{topic_text(about)}: {wrong}")
    goals = tuple(oracle_goals(prover.meanings, oracle))
    configurations = [*prover.small_configurations, *drawn(prover.system)]
    for size, small in golds.items():
        both = [(c, gold) for gold in spread(small, MOST_CONFRONTED) for c in configurations if c.words == size]
        differently = oracle_goal_difference(prover.system, goals, oracle, spread(both, MOST_CONFRONTED))
        if differently is not None:
            raise WrongMeaning(f"{topic_text(about)}: {differently}")


def best_soundness(prover: "Prover") -> Theorem:
    """Prove soundness for the strongest class claimed, or else for forests."""
    claimed = [c for c in prover.system.figure.claims if c.kind == "plain" and isinstance(c.statement, s.Sound)]
    for claim in (*claimed, s.Claim(s.Sound(s.GraphClass((), "forests")))):
        assert isinstance(claim.statement, s.Sound)
        try:
            theorem = sound(prover, claim, prover.system.class_with_parameters(claim.statement.graphs))
        except Unsupported as reason:
            theorem = not_proved(claim, Hindrance.UNSUPPORTED, str(reason))
        if theorem.verdict is Verdict.PROVED:
            break
    return theorem


def _oracle_models(
    system: System, graphs: s.GraphClass, oracle: s.Oracle, most: int | None, words: int
) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the configurations on the way to gold graphs, with the gold graphs."""
    for gold in islice(gold_graphs(system, graphs, words), most):
        wanted = gold_model(gold)
        for c in oracle_run(system, oracle, gold):
            yield f"{c} with gold {gold.graph}", {**model_of(system, c), **wanted}

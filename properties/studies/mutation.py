"""Break the figure: every mutant of it is verified against the claims of the original.

A mutant is in one of five buckets, up to this many words: *killed*: a claim of the original is refuted, with the
witness.  The figure's own oracles count as claims, because `verify` counts them too: an oracle that leads to every
graph of the classes for which completeness is claimed must still do so; *equivalent*: it has the same outputs, and on
every level the same shortest and the same longest run to a terminal configuration.  If it has dead ends or endless runs
that the original does not have, the remark says so; *alternative*: every claim still holds, but it differs; one
sentence says how, with a witness; *undecided*: no claim is refuted, but one is open, or not every level could be
explored: the reason says which; *invalid*: it is no longer a valid figure.

Mutants are checked only against claims that the original meets.  The *score* is the share of killed mutants among those
that are valid figures and not equivalent.

Levels are searched one after the other, fewest words first, and a mutant is given up at the first level that kills it.
One or two words kill nearly all of them, and sentences that short are left to the interpreter.  Claims that are more
expensive to check (other systems, oracles, witnesses) are checked only for the survivors.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from arcproof.process.interruption import what_ended
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.shown import Shown, WithDocument, WithTable
from arcproof.process.side_by_side import in_processes, worth_it
from arcproof.properties.checks.breaking import size_of
from arcproof.properties.checks.oracle_correct import LeadsTo
from arcproof.properties.engines.engine import Compiled, Engine, EngineName, default_engine, engine_for
from arcproof.properties.engines.exhaustive import retrace
from arcproof.properties.engines.exploration import MAX_NAMES_OF_STEPS
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.output_sets import OutputSet
from arcproof.properties.engines.shortest_derivation import ArcsAreRemoved
from arcproof.properties.engines.shortest_run import shortest_run
from arcproof.properties.engines.spaces import Heaviest, OutOfBounds, Run, Space
from arcproof.properties.evidence import Counterexample
from arcproof.properties.examine import check_claim, check_question
from arcproof.properties.finding import Finding
from arcproof.properties.property import Question, asked_of, checks_of, property_of, text_of, witness_graph
from arcproof.properties.studies.compare import witness_of
from arcproof.properties.studies.mutants import Mutant, mutants_of
from arcproof.properties.studies.stored_mutants import StoredMutants, StoredVerdict
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.engines.outputs import Outputs

Bucket = Literal["killed", "equivalent", "alternative", "undecided", "invalid"]
BUCKETS: Final[tuple[Bucket, ...]] = ("killed", "equivalent", "alternative", "undecided", "invalid")
MOST_MEMORY: Final = 2**30
MOST_SEARCHED: Final = 200_000
FEW_WORDS: Final = 2
ALONE: Final = 2.0  # seconds


@dataclass(frozen=True, slots=True)
class Judged:
    """A mutant and its bucket: the claim that is refuted, if any; the number of words of the witness, or up to which
    there is none; and the reason, in one sentence.

    If claims are open, that is the reason; the findings about them are `left_open`.
    """

    number: int
    mutant: Mutant
    bucket: Bucket
    words: int
    reason: str
    claim: Question | None = None
    witness: Counterexample | None = None
    remark: str | None = None
    left_open: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class MutationReport(Shown, WithDocument, WithTable):
    """All mutants of a system; `claims` are those that the original meets, and `not_met` the others, which are not
    checked for mutants; `ended_by` says what interrupted the run.
    """

    system: System
    words: int
    claims: tuple[Question, ...]
    not_met: tuple[Question, ...]
    mutants: tuple[Judged, ...]
    total: int
    seconds: float
    note: str | None = None
    ended_by: str | None = None

    @property
    def interrupted(self) -> bool:
        """Whether some mutants were not tried."""
        return len(self.mutants) < self.total

    def of(self, bucket: Bucket) -> tuple[Judged, ...]:
        """The mutants in a bucket."""
        return tuple(judged for judged in self.mutants if judged.bucket == bucket)

    @property
    def counts(self) -> dict[Bucket, int]:
        """How many mutants are in each bucket."""
        return {bucket: len(self.of(bucket)) for bucket in BUCKETS}

    @property
    def score(self) -> float | None:
        """The share of killed mutants among those that are valid figures and not equivalent; None if there are none."""
        counts = self.counts
        rest = counts["killed"] + counts["alternative"] + counts["undecided"]
        return counts["killed"] / rest if rest else None

    @property
    def exit_code(self) -> int:
        """3 if a mutant is undecided or was not tried, or if no claim could kill one; otherwise 0."""
        return 3 if self.interrupted or self.of("undecided") or not self.claims else 0


# --- the original ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LevelFacts:
    """The facts about a level that an equivalent mutant must share, and those that are noted if it does not share them.

    `shortest` and `longest` are such runs to a terminal configuration; both are None if no run ends, and `longest` is
    None if a cycle lies on the way.
    """

    words: int
    outputs: "Outputs | OutputSet"
    shortest: Run | None
    longest: Run | None
    has_dead_ends: bool
    is_endless: bool


def facts_of(space: Space) -> LevelFacts:
    """The facts of one level."""
    earliest = space.outputs.earliest
    longest = space.heaviest(lambda _: 1)
    return LevelFacts(
        space.words,
        space.outputs,
        None if earliest is None else space.run_to(earliest),
        longest.run if isinstance(longest, Heaviest) else None,
        space.dead_end_count > 0,
        space.cycle(only_useful=False) is not None,
    )


@dataclass(frozen=True)
class Standard:
    """The standard for mutants: the claims that the original meets, its correct oracles, and its levels up to this many
    words.
    """

    system: System
    words: int
    claims: tuple[s.Claim, ...]
    oracles: tuple[LeadsTo, ...]
    levels: tuple[LevelFacts, ...]
    engine: EngineName
    memory: int

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions that are asked about every mutant."""
        return (*self.claims, *self.oracles)


def standard_of(levels: Levels, engine: EngineName, memory: int) -> tuple[Standard, tuple[Question, ...]]:
    """The claims that the original meets, as the standard, and those that it does not."""
    system = levels.system
    facts = tuple(map(facts_of, levels.spaces()))
    met = [claim for claim in system.figure.claims if check_claim(levels, claim).met]
    oracles = [question for question in checks_of(system) if isinstance(question, LeadsTo)]
    correct = [oracle for oracle in oracles if check_question(levels, oracle).verdict is Verdict.EXHAUSTED]
    standard = Standard(system, levels.reached, tuple(met), tuple(correct), facts, engine, memory)
    asked: list[Question] = [*system.figure.claims, *oracles]
    return standard, tuple(question for question in asked if question not in standard.questions)


# --- one mutant ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found about a claim of the original: it holds, is refuted by a witness, or is open."""

    finding: Finding
    met: bool | None
    witness: Counterexample | None = None


def explorer(system: System, engine: EngineName, jobs: int = 1) -> Engine:
    """The engine for a figure that is examined once, and often with no more than two words."""
    found = engine_for(system, engine, jobs)
    if isinstance(found, Compiled) and len(system.transitions) <= MAX_NAMES_OF_STEPS:
        found.interpreted = FEW_WORDS
    return found


def judge(standard: Standard, mutant: Mutant, number: int) -> Judged:
    """Put a mutant into its bucket."""
    if mutant.problem is not None:
        return Judged(number, mutant, "invalid", 0, mutant.problem)
    system = mutant.system(standard.system)
    levels = Levels(system, standard.words, standard.memory, explorer(system, standard.engine))
    try:
        return _judge(standard, levels, mutant, number)
    except ArcproofError as error:
        return Judged(number, mutant, "undecided", 0, str(error))


def _judge(standard: Standard, levels: Levels, mutant: Mutant, number: int) -> Judged:
    same_runs = replace(mutant.figure, oracles=()) == replace(standard.system.figure, oracles=())
    left_open: list[Answer] = []
    for answers in _answers(standard, levels, same_runs):
        refuted = [(answer, answer.witness) for answer in answers if answer.met is False and answer.witness is not None]
        if refuted:
            answer, witness = min(refuted, key=lambda pair: size_of(pair[1]))
            claim = answer.finding.question
            failing = text_of(standard.system, claim)
            reason = f"`{failing}` fails with {counted(witness.words, 'word')}: {witness.reason}"
            return Judged(number, mutant, "killed", witness.words, reason, claim, witness)
        left_open = [answer for answer in answers if answer.met is None]
    if same_runs and not left_open:
        return Judged(
            number,
            mutant,
            "equivalent",
            standard.words,
            "the runs of the figure are those of the original; what its oracles take is not compared",
        )
    if levels.explored() < standard.words:
        skipped = "; ".join(f"with {counted(left.words, 'word')}, {left.reason}" for left in levels.skipped.values())
        return Judged(number, mutant, "undecided", levels.reached, f"not every level could be explored: {skipped}")
    if left_open:
        findings = tuple(answer.finding for answer in left_open)
        return Judged(number, mutant, "undecided", standard.words, "claims are open", left_open=findings)
    facts = [facts_of(space) for space in levels.spaces()]
    found = _difference(standard, levels, facts)
    if found is not None:
        return Judged(number, mutant, "alternative", found.words, found.reason, None, found)
    reason = f"the same outputs, shortest and longest runs up to {counted(standard.words, 'word')}"
    return Judged(number, mutant, "equivalent", standard.words, reason, remark=_remark(standard, facts))


def _answers(standard: Standard, levels: Levels, same_runs: bool) -> Iterator[list[Answer]]:
    """Yield the answers to the cheap questions, level by level, then to the rest.  The last list has those that are
    still open.
    """
    soon = [claim for claim in standard.claims if not is_costly(claim)]
    answers: list[Answer] = []
    if not same_runs:
        for words in range(1, standard.words + 1):
            levels.words = words
            answers = [_answer(levels, claim) for claim in soon]
            yield answers
            if levels.explored() < words:
                break
    levels.words = standard.words
    later = [claim for claim in standard.claims if is_costly(claim) and not (same_runs and _is_about_runs(claim))]
    yield [
        *answers,
        *(_answer(levels, claim) for claim in later),
        *(_oracle_answer(levels, oracle) for oracle in standard.oracles),
    ]


def is_costly(claim: s.Claim) -> bool:
    """Whether checking it explores more than the figure itself, or searches for something."""
    return claim.kind != "plain" or property_of(asked_of(claim)).is_costly


def _is_about_runs(claim: s.Claim) -> bool:
    """Whether it does not involve oracles."""
    return not property_of(asked_of(claim)).follows_oracles


def _answer(levels: Levels, claim: s.Claim) -> Answer:
    finding = check_claim(levels, claim)
    if finding.met is not None:
        return Answer(finding, finding.met, finding.counterexample)
    derived = derived_witness(levels, claim)
    return Answer(finding, None if derived is None else False, derived)


def derived_witness(levels: Levels, claim: s.Claim, most: int = MOST_SEARCHED) -> Counterexample | None:
    """A run to the graph that the claim says has none."""
    if claim.witness is None:
        return None
    try:
        witness = witness_graph(claim)
        found = shortest_run(levels.system, witness, most, levels.explorer.name)
    except (ArcsAreRemoved, OutOfBounds):
        return None
    if found is None:
        return None
    return Counterexample(witness.words, witness, found, f"{witness} should not be an output, but this run derives it")


def _oracle_answer(levels: Levels, oracle: LeadsTo) -> Answer:
    if oracle.oracle not in {kept.name for kept in levels.system.figure.oracles}:
        return Answer(Finding(levels.system, oracle, (levels.no_answer("the oracle has no lines left"),)), None)
    finding = check_question(levels, oracle)
    return Answer(finding, finding.met, finding.counterexample)


# --- how a mutant differs --------------------------------------------------------------------------------------------


def _difference(standard: Standard, levels: Levels, facts: list[LevelFacts]) -> Counterexample | None:
    """How a mutant differs on the first level with other outputs, or with another shortest or longest run: in a
    sentence, with what shows it.
    """
    for space, mine, original in zip(levels.spaces(), facts, standard.levels, strict=True):
        found = _other_outputs(space, mine, original, standard.system.name) or _other_lengths(
            space, mine, original, standard.system
        )
        if found is not None:
            return found
    return None


def _other_outputs(space: Space, mine: LevelFacts, original: LevelFacts, name: str) -> Counterexample | None:
    more = witness_of(space, mine.outputs.minus(original.outputs))
    lost = original.outputs.minus(mine.outputs).least
    if more is not None:
        but = "" if lost is None else f", but does not derive {lost}"
        reason = f"it derives {more.graph}, which {name} does not{but}"
        return Counterexample(more.words, more.graph, more.transitions, reason)
    if lost is not None:
        return Counterexample(space.words, lost, None, f"it does not derive {lost}, which {name} does")
    return None


def _other_lengths(space: Space, mine: LevelFacts, original: LevelFacts, system: System) -> Counterexample | None:
    """A different shortest or longest run although the outputs are the same; the run shown is the one that exceeds the
    other.
    """
    for what, one, other in (
        ("shortest", mine.shortest, original.shortest),
        ("longest", mine.longest, original.longest),
    ):
        if _length(one) == _length(other):
            continue
        if one is None or other is None:
            run, owner = _endless(space) if one is None else one, space.system
        else:
            ours = len(one) < len(other) if what == "shortest" else len(one) > len(other)
            run, owner = (one, space.system) if ours else (other, system)
        shown = "its own" if owner is space.system else f"that of {system.name}"
        reason = (
            f"with {counted(space.words, 'word')} the {what} run to an end has {_bound(one)}, in {system.name} "
            f"{_bound(other)}"
        )
        graph = retrace(owner, space.words, run).graph
        return Counterexample(space.words, graph, run, f"{reason}; the run shown is {shown}")
    return None


def _length(run: Run | None) -> int | None:
    return None if run is None else len(run)


def _bound(run: Run | None) -> str:
    return "no bound" if run is None else counted(len(run), "transition")


def _endless(space: Space) -> Run:
    """A run through a loop that can be repeated before the end."""
    looped = space.cycle(only_useful=True)
    assert looped is not None, "runs end, none is longest, and there is no loop"
    return (*looped[0], *looped[1])


def _remark(standard: Standard, facts: list[LevelFacts]) -> str | None:
    """A remark on what an equivalent mutant does and the original does not."""
    for mine, original in zip(facts, standard.levels, strict=True):
        if mine.has_dead_ends and not original.has_dead_ends:
            return f"with {counted(mine.words, 'word')} it has dead ends"
        if mine.is_endless and not original.is_endless:
            return f"with {counted(mine.words, 'word')} it has runs that never end"
    return None


# --- all of them -----------------------------------------------------------------------------------------------------


def mutate(
    system: System,
    words: int = 5,
    memory: int = MOST_MEMORY,
    jobs: int = 1,
    engine: EngineName | None = None,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> MutationReport:
    """Make every mutant and judge it; `progress` is told how many are done.  Ctrl-C ends the run with what is known by
    then.
    """
    began = time.perf_counter()
    chosen = engine or default_engine()
    levels = Levels(system, words, memory, explorer(system, chosen))
    standard, missed = standard_of(levels, chosen, min(memory // jobs, MOST_MEMORY))
    mutants = mutants_of(system) if standard.words > 0 else []
    done: list[Judged] = []
    ended_by = None
    try:
        for judged in _judge_all(standard, mutants, jobs):
            done.append(judged)
            progress(len(done), len(mutants))
    except KeyboardInterrupt as interruption:
        ended_by = what_ended(interruption)
    skipped = [f"with {counted(left.words, 'word')}, {left.reason}" for left in levels.skipped.values()]
    note = (
        f"the original was explored only up to {counted(standard.words, 'word')}: {'; '.join(skipped)}"
        if skipped
        else None
    )
    return MutationReport(
        system,
        standard.words,
        standard.questions,
        missed,
        tuple(done),
        len(mutants),
        time.perf_counter() - began,
        note,
        ended_by,
    )


def _judge_all(standard: Standard, mutants: list[Mutant], jobs: int) -> Iterator[Judged]:
    """Judge the mutants in order; stored verdicts are reused."""
    stored = StoredMutants(standard.system, standard.questions, standard.words, standard.engine, standard.memory)
    known = {
        number: _judged(standard, mutant, number, found)
        for number, mutant in enumerate(mutants, start=1)
        if (found := stored.recall(mutant)) is not None
    }
    new = _judge_new(standard, [(m, k) for k, m in enumerate(mutants, start=1) if k not in known], jobs)
    for number in range(1, len(mutants) + 1):
        if number in known:
            yield known[number]
            continue
        judged = next(new)
        match judged.bucket:
            case "killed" | "equivalent" | "alternative":
                claim = None if judged.claim is None else standard.questions.index(judged.claim)
                found = StoredVerdict(judged.bucket, judged.words, judged.reason, claim, judged.witness, judged.remark)
                stored.keep(judged.mutant, found)
            case "undecided" | "invalid":
                pass
        yield judged


def _judged(standard: Standard, mutant: Mutant, number: int, found: StoredVerdict) -> Judged:
    claim = None if found.claim is None else standard.questions[found.claim]
    return Judged(number, mutant, found.bucket, found.words, found.reason, claim, found.witness, found.remark)


def _judge_new(standard: Standard, mutants: list[tuple[Mutant, int]], jobs: int) -> Iterator[Judged]:
    """Judge the mutants in order, in as many processes as requested; since these take time to start, only once it is
    clear that they are needed.
    """
    work = partial(judge, standard)
    began = time.perf_counter()
    for place, (mutant, number) in enumerate(mutants):
        if worth_it(jobs, time.perf_counter() - began, ALONE):
            yield from in_processes(work, mutants[place:], jobs)
            return
        yield work(mutant, number)

"""A theorem: what it is about, how far it is proved, by which method, and what stands in the way if it is not.

The topic of a theorem is data, not text: a claim, an invariant of the specification, or a question that the prover asks
itself.  The verdict follows from the rest: there is a counterexample, or an obstacle, or neither, and then every
obligation was discharged.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from arcproof.process.shown import Shown
from arcproof.properties.checks.invariant import Invariance
from arcproof.properties.checks.oracle_invariant import OracleInvariance
from arcproof.properties.evidence import Counterexample
from arcproof.properties.proving.goals.ranking import Ranking
from arcproof.properties.proving.search.induction import Failure
from arcproof.properties.proving.search.within_reach import LostCases, WithinReach
from arcproof.properties.proving.trusted.discharge import Certificate, Discharged, solvers_of
from arcproof.properties.proving.trusted.witness import Witness
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.polynomial import Polynomial
from arcproof.transitions.printing.notation import claim_text, help_text

if TYPE_CHECKING:
    from arcproof.properties.proving.explanation import Explanation


@dataclass(frozen=True, slots=True)
class AttainedLength:
    """A better bound on the length than the one claimed, for n >= 1: the polynomial through the longest runs of up to
    this many words.
    """

    polynomial: Polynomial
    words: int

    def __str__(self) -> str:
        """The bound, with the evidence for it."""
        return f"length <= {self.polynomial} for n >= 1, which some run attains up to {self.words} words"


@dataclass(frozen=True, slots=True)
class Follows:
    """The statement that preconditions of a case of a transition follow from the others: the case, and the indices of
    those that are left out.
    """

    transition: str
    case: int
    dropped: tuple[int, ...]
    conditions: tuple[str, ...]

    def __str__(self) -> str:
        """The preconditions as the figure writes them."""
        return f"{self.transition}: {', '.join(self.conditions)}: redundant"


@dataclass(frozen=True, slots=True)
class OncePerPair:
    """The statement that a transition is performed at most once per pair of words."""

    pair: str

    def __str__(self) -> str:
        """The pair as it is written elsewhere."""
        return self.pair


@dataclass(frozen=True, slots=True)
class MeasureFalls:
    """The statement that a measure of the specification meets the demand of termination or of a claim about lengths,
    for n >= 1.
    """

    measure: s.GivenMeasure

    def __str__(self) -> str:
        """The measure as the specification writes it, and for which n."""
        return f"{help_text(self.measure)} for n >= 1"


@dataclass(frozen=True, slots=True)
class LemmaHolds:
    """The statement that a lemma of the specification holds in every configuration with words, or if it mentions a gold
    graph, in those along an oracle's run to it.
    """

    lemma: s.GivenLemma

    def __str__(self) -> str:
        """The lemma as the specification writes it, and for which n."""
        return f"{help_text(self.lemma)} for n >= 1"


Topic: TypeAlias = (
    s.Claim | Invariance | OracleInvariance | MeasureFalls | LemmaHolds | AttainedLength | Follows | OncePerPair
)


def topic_text(about: Topic) -> str:
    """What a theorem is about, in words."""
    return claim_text(about) if isinstance(about, s.Claim) else str(about)


class Hindrance(Enum):
    """The kinds of obstacles; their values are written to the cache."""

    UNSUPPORTED = "unsupported"
    NO_WITNESS = "no witness"
    NO_METHOD = "no method"
    NO_RANKING = "no ranking"
    NO_ORACLE = "no oracle"
    NO_PLANES = "no planes"
    NO_COMMON_CLASS = "no common class"
    NO_CERTIFICATE = "no certificate"
    MISFIT = "misfit"
    NOT_PRESERVED = "not preserved"
    NOTHING_TO_SHOW = "nothing to show"
    UNDISCHARGED = "undischarged"
    UNSATISFIED = "unsatisfied"
    ONE_SIZE = "one size"
    OPEN_END = "open end"
    OPEN_SOUNDNESS = "open soundness"
    OPEN_LEAD = "open lead"
    OPEN_DECOMPOSABILITY = "open decomposability"
    NO_REACH = "no reach"
    NO_ARCS = "no arcs"
    WRONG_ORACLE = "wrong oracle"
    WRONG_BEYOND = "wrong beyond"
    CUT_SHORT = "cut short"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why there is no proof: the kind of obstacle, what it is about, and the obstacle behind it if one theorem rests on
    another.
    """

    kind: Hindrance
    what: str = ""
    behind: "Obstacle | None" = None

    @property
    def decisive(self) -> "Obstacle":
        """The obstacle that all the others follow from."""
        return self if self.behind is None else self.behind.decisive


class Remedy(Enum):
    """What the author of a figure can do about a claim that is open."""

    MEASURE = "measure"
    INVARIANT = "invariant"
    ORACLE_INVARIANT = "invariant of"
    LEMMA = "lemma"
    EXPLAIN = "explain"
    MORE_TIME = "more time"
    RUN_AGAIN = "run again"
    AGAIN = "again"
    SEARCH = "search"
    ORACLE = "oracle"
    REPAIR = "repair"
    WITNESS = "witness"
    COMMON_CLASS = "common class"
    REACH = "reach"
    VERIFY = "verify"
    DERIVE = "derive"


@dataclass(frozen=True, slots=True)
class Gist:
    """The size of a proof that another proof rests on."""

    obligations: int
    conjuncts: int
    ranking: str | None


@dataclass(frozen=True, slots=True)
class Method:
    """How a claim was proved, or what was attempted: a ranking function, perhaps with a bound on one transition, or an
    oracle whose runs end.

    `wider` is a larger class for which the claim was shown instead; `exactly` is the class that the outputs of two
    systems form; `like` is the system whose oracle is followed.  `fits` is what a measure of the specification proves.
    `reach` says which arcs can still be built, and `lost` which of them each transition puts out of reach, as far as
    that was determined.  `planes` names the sequences by which the arcs of 2-planar graphs are divided.
    """

    ranking: str | None = None
    once: OncePerPair | None = None
    oracle: str | None = None
    ends: Gist | None = None
    wider: str | None = None
    exactly: str | None = None
    like: str | None = None
    fits: str | None = None
    reach: WithinReach | None = None
    lost: LostCases = ()
    planes: str | None = None


NO_METHOD: Final = Method()


@dataclass(frozen=True, slots=True)
class Conjunct:
    """Part of an invariant: its name, the formula in symbols, and the condition of the specification it comes from, if
    any.
    """

    name: str
    formula: str
    given: str | None = None


@dataclass(frozen=True)
class Solved:
    """What a proof of one problem was made from: a certificate, and the witnesses that its premises are satisfiable."""

    certificate: Certificate
    witnesses: tuple[Witness, ...]


@dataclass(frozen=True)
class Work:
    """What a proof can be rebuilt from without a search: the solved problems by identity, and the rankings tried."""

    solved: Mapping[str, Solved] = field(default_factory=dict)
    rankings: tuple[Ranking, ...] = ()

    def __or__(self, other: "Work") -> "Work":
        """Both."""
        return Work({**self.solved, **other.solved}, tuple(dict.fromkeys((*self.rankings, *other.rankings))))


NO_WORK: Final = Work()

_EXPLAINED: Final = (Hindrance.NOT_PRESERVED, Hindrance.NO_RANKING)
_REMEDIES: Final[dict[Hindrance, tuple[Remedy, ...]]] = {
    Hindrance.UNSUPPORTED: (Remedy.VERIFY,),
    Hindrance.NO_WITNESS: (Remedy.WITNESS, Remedy.VERIFY),
    Hindrance.NO_METHOD: (Remedy.VERIFY,),
    Hindrance.NO_RANKING: (Remedy.MEASURE,),
    Hindrance.NO_ORACLE: (Remedy.ORACLE,),
    Hindrance.NO_PLANES: (Remedy.VERIFY,),
    Hindrance.NO_COMMON_CLASS: (Remedy.COMMON_CLASS,),
    Hindrance.NO_CERTIFICATE: (Remedy.SEARCH,),
    Hindrance.MISFIT: (Remedy.SEARCH,),
    Hindrance.NOTHING_TO_SHOW: (Remedy.VERIFY,),
    Hindrance.UNDISCHARGED: (Remedy.LEMMA, Remedy.INVARIANT),
    Hindrance.UNSATISFIED: (Remedy.REACH,),
    Hindrance.ONE_SIZE: (Remedy.REACH,),
    Hindrance.WRONG_ORACLE: (Remedy.REPAIR,),
    Hindrance.WRONG_BEYOND: (Remedy.VERIFY,),
    Hindrance.OPEN_END: (Remedy.MEASURE,),
    Hindrance.OPEN_SOUNDNESS: (Remedy.INVARIANT,),
    Hindrance.OPEN_LEAD: (Remedy.ORACLE_INVARIANT,),
    Hindrance.OPEN_DECOMPOSABILITY: (Remedy.VERIFY,),
    Hindrance.NO_REACH: (Remedy.VERIFY,),
    Hindrance.NO_ARCS: (Remedy.DERIVE,),
    Hindrance.CUT_SHORT: (Remedy.MORE_TIME,),
    Hindrance.INTERRUPTED: (Remedy.RUN_AGAIN,),
}
"""What to do about each kind of obstacle that needs no further details."""


@dataclass(frozen=True, repr=False)
class Theorem(Shown):
    """What was asked, and how far it is proved.

    `work` is what the proof was made from.  `obligations` are everything that was shown.  `assumptions` are what was
    not shown: the files of axioms about gold graphs that obligations use.  `values` are the values of the figure's
    parameters, for which alone it was shown.  `failure` shows what an invariant lacks: a configuration in which a goal
    fails (`induction`).  `witness` is a run or a graph that shows that something fails, if that is claimed: one settles
    it for all n, without a solver.  `dead` lists moves that are proved never to happen.  `helped` lists the measures
    and lemmas of the specification that it uses.  `explanation` says more about the obstacle, on request.  `kept` if it
    was proved earlier and taken from the cache; `seconds` is the time that the proof took.  `timed_out` if the clock
    rather than the budget ended a solver call: then the claim may be open only because the machine was busy.
    """

    about: Topic
    obstacle: Obstacle | None
    method: Method = NO_METHOD
    invariant: tuple[Conjunct, ...] = ()
    obligations: tuple[Discharged, ...] = ()
    witnesses: tuple[Witness, ...] = ()
    assumptions: tuple[str, ...] = ()
    counterexample: Counterexample | None = None
    failure: Failure | None = None
    seconds: float = 0.0
    timed_out: bool = False
    kept: bool = False
    work: Work = NO_WORK
    witness: Counterexample | None = None
    dead: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    helped: tuple[str, ...] = ()
    explanation: "Explanation | None" = None

    @property
    def believed(self) -> tuple[str, ...]:
        """What was taken for granted: the values of the parameters, and the assumptions."""
        return (*self.values, *self.assumptions)

    @property
    def claim(self) -> str:
        """The topic, in words."""
        return topic_text(self.about)

    @property
    def verdict(self) -> Verdict:
        """The verdict, which follows from everything else."""
        if self.counterexample is not None:
            return Verdict.REFUTED
        if self.obstacle is None and (self.solvers or self.witness is not None):
            return Verdict.PROVED
        return Verdict.UNREACHED if self.failure is not None and not self.failure.reached else Verdict.UNKNOWN

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        """What to do next, if the claim is open."""
        if self.verdict in (Verdict.PROVED, Verdict.REFUTED) or self.obstacle is None:
            return ()
        kind = self.obstacle.decisive.kind
        helps: tuple[Remedy, ...]
        if kind is Hindrance.NOT_PRESERVED:
            first = Remedy.ORACLE_INVARIANT if self.method.oracle is not None else Remedy.INVARIANT
            ranked = self.method.ranking is not None or self.obstacle.kind is Hindrance.OPEN_END
            helps = (Remedy.MEASURE, Remedy.INVARIANT) if ranked else (first,)
        else:
            helps = _REMEDIES[kind]
        again = (Remedy.AGAIN,) if self.timed_out and kind not in (Hindrance.CUT_SHORT, Hindrance.INTERRUPTED) else ()
        explain = (Remedy.EXPLAIN,) if kind in _EXPLAINED and self.explanation is None else ()
        return (*helps, *explain, *again)

    @property
    def solvers(self) -> tuple[str, ...]:
        """The solvers that discharged every obligation."""
        return solvers_of(self.obligations)

    @property
    def stored(self) -> int:
        """The number of obligations that rest on answers from the run store."""
        return sum(done.stored for done in self.obligations)

    @property
    def given(self) -> tuple[str, ...]:
        """The help from the specification that it uses: conjuncts, measures, lemmas."""
        conjuncts = (conjunct.given for conjunct in self.invariant if conjunct.given is not None)
        return tuple(dict.fromkeys((*conjuncts, *self.helped)))

    @property
    def lemmas(self) -> tuple[str, ...]:
        """The lemmas that were proved on the way."""
        lemmas = (done.obligation.lemma for done in self.obligations)
        return tuple(dict.fromkeys(lemma for lemma in lemmas if lemma is not None))

    @property
    def gist(self) -> Gist:
        """The size of the proof, for theorems that rest on it."""
        return Gist(len(self.obligations), len(self.invariant), self.method.ranking)


def not_proved(about: Topic, kind: Hindrance, what: str = "", behind: Obstacle | None = None) -> Theorem:
    """A theorem with an obstacle."""
    return Theorem(about, Obstacle(kind, what, behind))


def judged(
    about: Topic,
    done: tuple[Discharged, ...],
    seen: tuple[Witness, ...],
    invariant: tuple[Conjunct, ...],
    method: Method = NO_METHOD,
    dead: tuple[str, ...] = (),
) -> Theorem:
    """The verdict on a complete set of obligations, including the proofs that some moves are dead."""
    timed_out = any(entry.timed_out for entry in done) or any(witness.timed_out for witness in seen)
    obstacle = _obstacle(done, seen, dead)
    return Theorem(about, obstacle, method, invariant, done, seen, timed_out=timed_out, dead=dead)


def idle_moves(seen: Iterable[Witness]) -> list[str]:
    """The moves that no witness shows to happen."""
    known = list(seen)
    return sorted({w.move for w in known} - {w.move for w in known if w.configuration is not None})


def _obstacle(done: tuple[Discharged, ...], seen: tuple[Witness, ...], dead: tuple[str, ...]) -> Obstacle | None:
    if not done:
        return Obstacle(Hindrance.NOTHING_TO_SHOW)
    if not solvers_of(done):
        hard = next(entry for entry in done if not (entry.by("z3") and entry.by("cvc5")))
        return Obstacle(Hindrance.UNDISCHARGED, hard.obligation.name)
    idle = [move for move in idle_moves(seen) if move not in dead]
    if not seen or idle:
        return Obstacle(Hindrance.UNSATISFIED, ", ".join(idle) or "anything")
    if len({w.words for w in seen if w.configuration is not None}) < 2:
        return Obstacle(Hindrance.ONE_SIZE)
    return None

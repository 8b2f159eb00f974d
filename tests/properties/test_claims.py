"""Claims checked by the exhaustive engine: known answers, and planted bugs that must be refuted with the smallest
witness.
"""

from functools import cache

import pytest

from arcproof.properties.claims.sound import Soundness
from arcproof.properties.engines.engine import ENGINES, EngineName, engine_for
from arcproof.properties.engines.exhaustive import ReplayFailed, replay
from arcproof.properties.engines.exploration import BYTES_A_CONFIGURATION, explore
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.engines.spaces import Heaviest, OutOfBounds
from arcproof.properties.evidence import Evidence
from arcproof.properties.property import check_statement
from arcproof.properties.report import Effort
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify_system
from arcproof.reports.sentences import evidence_text
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Transition
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.reading.read import read_figure
from arcproof.transitions.system import System, load


def changed(name: str, *changes: tuple[str, str]) -> System:
    """A built-in system with parts of its specification replaced."""
    text = to_source(load(name).figure)
    for old, new in changes:
        assert old in text, f"{name} has no {old!r}"
        text = text.replace(old, new)
    return load(text)


def claim(text: str, transitions: str = "SHIFT  σ, i|β => σ|i, β") -> s.Statement:
    """A statement from its text."""
    figure = read_figure(
        f"system x\nstate stack σ, buffer β\nstart [0], [1..n]\nfinal β = []\n{transitions}\nclaims\n{text}\n"
    )
    return figure.claims[0].statement


def check(system: System, text: str, words: int = 4) -> Evidence:
    return check_within(Levels(system, words), text)


def check_within(levels: Levels, text: str) -> Evidence:
    names = "\n".join(f"{name}  σ, i|β => σ|i, β" for name in levels.system.transitions)
    return check_statement(levels, claim(text, names))


@cache
def swap() -> Levels:
    """Up to four words, explored once."""
    return Levels(load("swap"), 4)


def run_of(outcome: Evidence) -> str:
    assert outcome.counterexample is not None
    assert outcome.counterexample.transitions is not None
    return " ".join(transition.instance for transition in outcome.counterexample.transitions)


MIXED_CASES = """system x
state stack σ, buffer β
start [], [1..n, 0]
final σ = [], β = [0]
SHIFT         σ, j|β    =>  σ|j, β                                  if j != 0
RIGHT-ARC(l)  σ|i, j|β  =>  σ|i|j, β  add i -l-> j
REDUCE        σ|i, β    =>  σ, β                                    if head(i)
REDUCE(l)     σ|k|i, β  =>  σ|k, β    add k -l-> i                  if no head(i)
oracle none
"""


class TestPlantedBugs:
    """Each bug is refuted, with the fewest words and the shortest run."""

    def test_a_dropped_precondition(self) -> None:
        """LEFT-ARC of arc-eager without `no head(i)`: the smallest run that gives a word two heads."""
        broken = changed("arc-eager", ("if i != 0, no head(i)", "if i != 0"))
        outcome = check(broken, "sound projective forests")

        assert outcome.verdict is Verdict.REFUTED
        assert run_of(outcome) == "RIGHT-ARC LEFT-ARC"
        assert outcome.counterexample is not None
        assert outcome.counterexample.words == 2
        assert outcome.counterexample.reason == "LEFT-ARC adds an arc to 1, which already has a head"

    def test_a_reversed_arc(self) -> None:
        """RIGHT-ARC of arc-standard-stack with head and dependent exchanged: one word is enough."""
        broken = changed("arc-standard-stack", ("add i -l-> j", "add j -l-> i"))
        outcome = check(broken, "sound projective trees")

        assert outcome.verdict is Verdict.REFUTED
        assert run_of(outcome) == "SHIFT RIGHT-ARC"
        assert outcome.words == 1

    def test_an_arc_that_can_be_added_twice_with_two_labels(self) -> None:
        """The set of arcs without labels does not change, so only the step shows it."""
        broken = changed("list-nonprojective", ("RIGHT-ARC(l)  λ1|i, λ2, j|β  =>  λ1, i|λ2, j|β", "RIGHT-ARC(l)  λ1|i, λ2, j|β  =>  λ1|i, λ2, j|β"), ("if no head(j), not j ->* i", "if not j ->* i"))  # fmt: skip
        outcome = check(broken, "sound forests")

        assert outcome.verdict is Verdict.REFUTED
        assert run_of(outcome) == "RIGHT-ARC RIGHT-ARC"
        assert outcome.counterexample is not None
        assert outcome.counterexample.graph is not None
        labels = {arc.label for arc in outcome.counterexample.graph.arcs}
        assert {"l1", "l2"} == labels, "the replay shows the arc twice, with two labels"

    @pytest.mark.compiler
    @pytest.mark.parametrize("engine", ENGINES)
    def test_a_dead_end_behind_a_case_without_a_label(self, engine: EngineName) -> None:
        """REDUCE carries a label in one of its cases; the run to the dead end takes the other."""
        system = load(MIXED_CASES)
        levels = Levels(system, 2, engine=engine_for(system, engine))
        outcome = check_statement(levels, s.NoDeadEnds())

        assert outcome.verdict is Verdict.REFUTED
        assert run_of(outcome) == "SHIFT RIGHT-ARC REDUCE"

    def test_a_missing_transition(self) -> None:
        text = "\n".join(line for line in to_source(load("arc-eager").figure).splitlines() if "REDUCE" not in line)
        outcome = check(load(text), "complete projective forests")

        assert outcome.verdict is Verdict.REFUTED
        assert outcome.counterexample is not None
        assert outcome.counterexample.words == 2
        assert str(outcome.counterexample.graph) in ("0,0", "_,0")
        assert str(outcome.counterexample.graph) == "0,0"

    def test_a_swap_that_can_be_undone_never_ends(self) -> None:
        broken = changed("swap", ("if 0 < i < j", "if 0 < i, 0 < j"))
        outcome = check(broken, "terminates", 3)

        assert outcome.verdict is Verdict.REFUTED
        assert outcome.counterexample is not None
        assert outcome.counterexample.words == 2

    def test_a_length_that_is_off_by_one(self) -> None:
        outcome = check(load("arc-standard-stack"), "length <= 2n - 1")

        assert outcome.verdict is Verdict.REFUTED
        assert outcome.words == 1

    def test_a_count_that_is_off_by_one(self) -> None:
        outcome = check(load("swap"), "#SWAP <= n(n - 1)/2 - 1", 3)

        assert outcome.verdict is Verdict.REFUTED

    def test_a_space_that_is_too_small(self) -> None:
        outcome = check(load("arc-eager"), "space <= 2n", 3)

        assert outcome.verdict is Verdict.REFUTED

    def test_a_dead_end(self) -> None:
        broken = changed(
            "arc-hybrid", ("SHIFT         σ, j|β    =>  σ|j, β", "SHIFT         σ, j|β    =>  σ|j, β  if σ = []")
        )
        outcome = check(broken, "no dead ends", 2)

        assert outcome.verdict is Verdict.REFUTED
        assert run_of(outcome) == ""

    @pytest.mark.parametrize(
        ("strength", "name", "holds"),
        [
            ("weakly incremental", "swap", True),
            ("incremental", "swap", False),
            ("incremental", "arc-standard", True),
            ("strictly incremental", "arc-standard", False),
            ("strictly incremental", "arc-eager", True),
        ],
    )
    def test_the_three_notions_of_incrementality_differ(self, strength: str, name: str, holds: bool) -> None:
        outcome = check(load(name), strength, 3)

        assert (outcome.verdict is Verdict.EXHAUSTED) is holds


class TestKnownAnswers:
    def test_arc_eager_with_5_words(self) -> None:
        space = explore(load("arc-eager"), 5)

        assert (space.size, space.transitions, len(space.outputs)) == (1715, 1776, 728)

    @pytest.mark.nightly
    def test_arc_eager_with_8_words(self) -> None:
        space = explore(load("arc-eager"), 8)

        assert (
            space.size,
            space.transitions,
            len(space.outputs),
        ) == (319_661, 334_930, 120_175)

    @pytest.mark.parametrize("words", [1, 2, 3, 4])
    def test_the_longest_swap_run_has_n_squared_plus_n_transitions(self, words: int) -> None:
        heaviest = swap().space(words).heaviest(lambda _: 1)

        assert isinstance(heaviest, Heaviest)
        assert words**2 + words == heaviest.weight == len(heaviest.run)

    def test_a_swap_run_has_exactly_2n_plus_2k_transitions(self) -> None:
        assert check_within(swap(), "length = 2n + 2 #SWAP").verdict is Verdict.EXHAUSTED
        assert check(load("swap"), "length = 2n + #SWAP", 3).verdict is Verdict.REFUTED

    def test_sp_takes_exactly_2n(self) -> None:
        assert check(load("arc-standard-stack"), "length = 2n", 5).verdict is Verdict.EXHAUSTED

    def test_swap_takes_exactly_sps_transitions_on_projective_trees_and_only_there(self) -> None:
        assert check_within(swap(), "like arc-standard-stack on projective trees").verdict is Verdict.EXHAUSTED
        assert check(load("swap"), "like arc-standard-stack on trees", 4).verdict is Verdict.REFUTED

    def test_an_output_only_one_system_has_refutes_equivalence(self) -> None:
        outcome = check(load("arc-standard"), "equivalent to arc-standard-stack", 2)

        assert outcome.verdict is Verdict.REFUTED
        assert check(load("list-nonprojective"), "equivalent to nl-covington").verdict is Verdict.EXHAUSTED


class TestVacuity:
    """A claim that held because nothing was checked is not a success."""

    def test_a_class_without_graphs(self) -> None:
        outcome = check(load("attardi"), "complete ill-nested trees", 3)

        assert outcome.verdict is Verdict.UNKNOWN
        assert evidence_text(outcome).startswith("nothing was checked")

    def test_a_system_that_never_ends(self) -> None:
        stuck = load("system x\nstate stack σ, buffer β\nstart [0], [1..n]\nfinal σ = []\nSHIFT σ, i|β => σ|i, β\n")

        assert check(stuck, "length <= 2n", 3).verdict is Verdict.UNKNOWN

    @pytest.mark.parametrize("text", ["length <= 2n", "sound trees", "#SHIFT <= n", "length = 7n"])
    def test_a_system_that_ends_only_without_words(self, text: str) -> None:
        """Of no words the start is terminal, and that once made every such claim a success."""
        stuck = load("system x\nstate stack σ, buffer β\nstart [0], [1..n]\nfinal β = []\nSHIFT σ, i|β => σ, i|β\n")
        outcome = check(stuck, text, 3)

        assert outcome.verdict in (Verdict.UNKNOWN, Verdict.REFUTED)
        assert outcome.verdict is Verdict.UNKNOWN

    def test_a_count_of_a_transition_that_never_occurs(self) -> None:
        never = changed("swap", ("if 0 < i < j", "if 0 < i < j, i = j"))

        assert check(never, "#SWAP <= n", 3).verdict is Verdict.UNKNOWN
        assert verify_system(never, Effort(3, Sampling(5, 8), in_depth=False)).claims[3].met is None

    @pytest.mark.long
    def test_samples_none_of_which_ends(self) -> None:
        stuck = (
            "system x\nstate stack σ, buffer β\nstart [0], [1..n]\nfinal β = []\nSTAY σ, i|β => σ, "
            "i|β\nclaims\nsound trees\n"
        )

        report = verify_system(load(stuck), Effort(2, Sampling(5, 8), in_depth=False))
        assert report.claims[0].verdict is Verdict.UNKNOWN

    def test_a_limit_that_stops_every_level(self) -> None:
        levels = Levels(load("swap"), 3, memory=0)

        assert check_statement(levels, claim("sound trees")).verdict is Verdict.UNKNOWN


def test_a_limit_stops_with_what_is_known() -> None:
    levels = Levels(load("swap"), 4, memory=200 * BYTES_A_CONFIGURATION)
    outcome = check_statement(levels, claim("sound trees"))

    assert outcome.verdict is Verdict.EXHAUSTED
    assert outcome.words == 3
    with pytest.raises(OutOfBounds):
        explore(load("swap"), 4, limit=200)


def test_a_counterexample_that_does_not_replay_is_noticed() -> None:
    system = load("arc-eager")
    prop = Soundness(system, s.GraphClass((), "forests"))

    with pytest.raises(ReplayFailed):
        replay(system, 2, (Transition("SHIFT"),), prop)


@pytest.mark.parametrize("step", ["k + 1", "k - 1"])
def test_a_counter_without_bound_is_seen_without_a_limit_of_memory(step: str) -> None:
    """Upwards or downwards; the limit is only there so that this test ends if it is not seen."""
    text = f"system x\nstate buffer β, counter k\nstart [1..n], 0\nfinal β = []\nA β, k => β, {step}\noracle none\n"

    with pytest.raises(OutOfBounds, match="grow without bound"):
        explore(load(text), 1, limit=5_000)


ROUND = """system round
state stack σ, buffer β
start [0], [1..n]
final β = []
SHIFT  σ, i|β    =>  σ|i, β
BACK   σ|i, β    =>  σ, i|β    if i != 0
TURN   σ|i|j, β  =>  σ|j|i, β  if 0 < i
oracle none
"""


@pytest.mark.compiler
@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(
    ("text", "turning", "loop"),
    [
        ("length = n + 2 #BACK", False, None),
        ("length <= n + 3 #BACK", False, None),
        ("length >= n + #BACK", False, None),
        ("#SHIFT = n + #BACK", False, None),
        ("length >= n + 3 #BACK", False, "SHIFT BACK"),
        ("length <= n + 3/2 #BACK", False, "SHIFT BACK"),
        ("#BACK <= n", False, "SHIFT BACK"),
        ("length = n + 2 #BACK", True, "TURN TURN"),
        ("length <= n + 3 #BACK", True, "TURN TURN"),
        ("length = n + 2 #BACK + #TURN", True, None),
    ],
)
def test_cycles_on_the_way_are_weighed(name: EngineName, text: str, turning: bool, loop: str | None) -> None:
    """A cycle refutes a bound if going round breaks it; one that is neutral or goes the other way does not leave it
    open, and does not hide another.
    """
    system = load(ROUND if turning else "\n".join(line for line in ROUND.splitlines() if "TURN" not in line))
    names = "\n".join(f"{transition}  σ, i|β => σ|i, β" for transition in system.transitions)
    outcome = check_statement(Levels(system, 3, engine=engine_for(system, name)), claim(text, names))

    if loop is None:
        assert outcome.verdict is Verdict.EXHAUSTED
    else:
        assert outcome.verdict is Verdict.REFUTED
        assert outcome.counterexample is not None
        assert f"can repeat {loop} arbitrarily often" in outcome.counterexample.reason


SINGLE_ROOT = """system single-root
  state stack σ, buffer β
  start [0], [1..n]
  final σ = [0], β = []{final}
  LEFT-ARC(l)    σ|i|j, β  =>  σ|j, β     add j -l-> i    if i != 0
  RIGHT-ARC(l)   σ|i|j, β  =>  σ|i, β     add i -l-> j    if i != 0 or β = []
  SHIFT          σ, i|β    =>  σ|i, β
"""


@pytest.mark.compiler
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("final", ["", ", dependent(0)"])
@pytest.mark.parametrize(
    "text",
    [
        "sound single-root projective trees",
        "complete single-root projective trees",
        "no dead ends",
        "length <= 3n - 1",
        "#SHIFT <= 2n - 1",
    ],
)
def test_nothing_is_claimed_about_a_sentence_without_words(engine: EngineName, final: str, text: str) -> None:
    """With n = 0 the empty graph is not single-root, a run that waits for a dependent of 0 is stuck, and 3n - 1 is less
    than 0.
    """
    system = load(SINGLE_ROOT.format(final=final))
    names = "\n".join(f"{name}  σ, i|β => σ|i, β" for name in system.transitions)

    assert (
        check_statement(Levels(system, 4, engine=engine_for(system, engine)), claim(text, names)).verdict
        is Verdict.EXHAUSTED
    )

"""A driver with a mistake of each kind is caught with the smallest case; a right one conforms."""

# ruff: noqa: ARG002 - drivers have the methods of the protocol
import importlib.util
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest

from arcproof.documents import conform as conform_document
from arcproof.documents import schema_of
from arcproof.documents.wire import json_text
from arcproof.properties.conformance.apart import conform
from arcproof.properties.conformance.calls import Calls, Told
from arcproof.properties.conformance.case import OneCase
from arcproof.properties.conformance.conform import Conformance, Extent, compare
from arcproof.properties.conformance.divergence import Divergence, Found, Kind, kind_of
from arcproof.properties.conformance.driver import BadDriver, parts_of
from arcproof.reports.conformance import to_text, verdict
from arcproof.reports.conformance_page import conformance_html
from arcproof.reports.divergence_test import to_pytest
from arcproof.reports.divergences import replay_line, sentence
from arcproof.testing import conforms
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.errors import BadGraph, NotPermissible
from arcproof.transitions.graph import Heads
from arcproof.transitions.system import System, load
from tests.properties.test_nearest_output import TWO_HEADS
from tests.testing import drivers as d

Run = tuple[str, ...]
SHORT = Extent(words=3, samples=0, call_seconds=1.0)


@cache
def arc_eager() -> System:
    return load("arc-eager")


@cache
def compared(kind: type, effort: Extent = SHORT) -> Conformance:
    return compare(arc_eager(), kind.__name__, parts_of(kind), effort)


def only(found: Conformance, kind: Kind, cause: str = "") -> Found:
    """The smallest divergence of this kind whose cause begins like this."""
    matching = [one for one in found.found if kind_of(one.divergence.what)[0] is kind]
    matching = [one for one in matching if kind_of(one.divergence.what)[1].startswith(cause)]
    return min(matching, key=lambda one: (one.divergence.words, len(one.divergence.run)))


RIGHT = (d.ArcEager, d.KnowsWhatIsFree, d.Repairs, d.Encodes, d.InPlace, d.GivesNothingBack)


@pytest.mark.long
@pytest.mark.parametrize("kind", RIGHT)
def test_a_right_driver_conforms(kind: type) -> None:
    found = compared(kind, Extent(words=3, samples=10))

    assert found.conforms, to_text(found)
    assert {one.part for one in found.looked} >= {"runs"}
    assert all(one.cases for one in found.looked)


def test_what_was_compared_is_counted_without_the_driver() -> None:
    """The figure has 65 runs of three words, ended or not, and there are 12 projective trees of three words."""
    looked = {(one.part, one.words): one.cases for one in compared(d.ArcEager).looked}

    assert looked["runs", 3] == 65
    assert looked["oracle", 3] == 12
    assert {one.way for one in compared(d.ArcEager).looked} == {"all"}


WRONG: list[tuple[type, Kind, str, int, Run, str]] = [
    (d.Permits, Kind.PERMITS, "", 1, (), "permits LEFT-ARC; the figure refuses it: the precondition `i != 0`"),
    (d.Refuses, Kind.REFUSES, "", 2, (), "the driver refuses RIGHT-ARC"),
    (d.StateDiffers, Kind.STATE, "", 3, ("RIGHT-ARC", "RIGHT-ARC", "REDUCE"), "σ is [0] in the driver"),
    (d.ArcsDiffer, Kind.STATE, "", 1, ("RIGHT-ARC",), "A is {(1, 0)} in the driver; the figure says {(0, 1)}"),
    (d.EndsLate, Kind.ENDS, "", 2, ("RIGHT-ARC", "RIGHT-ARC"), "ends for the figure but not for the driver"),
    (d.EndsEarly, Kind.ENDS, "", 0, (), "ends for the figure but not for the driver"),
    (d.OutputDiffers, Kind.OUTPUT, "", 1, ("SHIFT",), "the driver's output is 0; the figure's is _"),
    (d.OracleIsRefused, Kind.ORACLE, "refused by the figure", 2, ("SHIFT",), "the oracle gives REDUCE"),
    (d.RefusesItsOracle, Kind.ORACLE, "refused by the driver", 2, (), "which the driver itself refuses"),
    (d.OracleEndsEarly, Kind.ORACLE, "ends early", 1, (), "the oracle stops, but the run has not ended"),
    (d.OracleGoesOn, Kind.ORACLE, "goes on", 1, ("RIGHT-ARC",), "but the oracle gives SHIFT"),
    (d.OracleErrs, Kind.ORACLE, "wrong tree", 1, ("SHIFT",), "on the way to 0 the oracle leads to _"),
    (d.OracleNeverEnds, Kind.ORACLE, "never ends", 2, (), "on the way to 2,0 the oracle never ends"),
    (d.OracleRaises, Kind.ORACLE, "raises", 2, (), "the oracle raises IndexError: list index out of range"),
    (d.OracleHangs, Kind.ORACLE, "never ends", 2, (), "no answer in 1 s"),
    (d.RepairCannotBeApplied, Kind.REPAIR, "refused by the figure", 2, ("SHIFT",), "refuses its first transition"),
    (d.RepairCannotBeApplied, Kind.REPAIR, "ends early", 2, ("RIGHT-ARC", "REDUCE"), "the run has not ended"),
    (d.RepairCannotBeApplied, Kind.REPAIR, "goes on", 2, ("RIGHT-ARC", "RIGHT-ARC"), "the run ends after 0"),
    (d.RepairIsNotBest, Kind.REPAIR, "not the best", 2, ("SHIFT",), "2 heads are wrong; at best 1 would be"),
    (d.CallsFree, Kind.COST, "costly called free", 1, (), "SHIFT costs 0; the exact cost is 1; best: RIGHT-ARC"),
    (d.CallsEverythingFree, Kind.COST, "costly called free", 1, (), "SHIFT is free; the exact cost is 1"),
    (d.CallsCostly, Kind.COST, "free called costly", 2, ("RIGHT-ARC",), "REDUCE costs 1; the exact cost is 0"),
    (d.Miscounts, Kind.COST, "wrong number", 2, ("SHIFT",), "RIGHT-ARC costs 1; the exact cost is 2"),
    (d.LosesHeads, Kind.ENCODING, "heads", 2, (), "decoded as 0,0 (a,b)"),
    (d.LosesLabels, Kind.ENCODING, "labels", 1, (), "0 (b) is encoded as 0 (b|0) and decoded as 0 (a)"),
    (d.DoesNotEncode, Kind.ENCODING, "not encoded", 3, (), "3,0,0 (a,b,c), which is not among the projective trees"),
    (d.Raises, Kind.RAISES, "apply", 2, ("RIGHT-ARC",), "apply(REDUCE) raises KeyError: 'no head'"),
    (d.StartRaises, Kind.RAISES, "start", 0, (), "start raises ValueError: an empty sentence"),
    (d.CostRaises, Kind.RAISES, "cost", 2, ("RIGHT-ARC",), "cost(REDUCE, [0,0]) raises KeyError: 'REDUCE'"),
    (d.ComponentsRaise, Kind.RAISES, "components", 0, (), "components raises AttributeError: no stack"),
    (d.Exits, Kind.RAISES, "apply", 2, ("RIGHT-ARC",), "apply(REDUCE) raises SystemExit: 4"),
    (d.Hangs, Kind.HANGS, "permissible", 2, ("RIGHT-ARC",), "permissible does not answer within 1 s"),
    (d.Spoils, Kind.CHANGES, "apply", 1, (), "apply(RIGHT-ARC) changes σ from [0] to [0, 1]"),
    (d.SpoilsUnseen, Kind.CHANGES, "apply", 1, (), "set in_place = True"),
    (d.TerminalChanges, Kind.CHANGES, "is_terminal", 2, ("RIGHT-ARC", "RIGHT-ARC"), "from [0, 1, 2] to [0, 1]"),
    (
        d.PermissibleForgets,
        Kind.CHANGES,
        "permissible",
        1,
        (),
        "RIGHT-ARC, SHIFT at first and RIGHT-ARC when called again",
    ),
    (d.RefusesInPlace, Kind.REFUSES, "", 2, ("RIGHT-ARC",), "the driver refuses REDUCE"),
    (d.CostChanges, Kind.CHANGES, "cost", 2, (), "cost(RIGHT-ARC, [0,0]) changes σ from [0] to [0, 1]"),
]
OF_EACH_KIND = tuple({entry[1]: entry[0] for entry in reversed(WRONG)}.values())


@pytest.mark.long
@pytest.mark.parametrize(("driver", "kind", "detail", "words", "run", "text"), WRONG)
def test_a_wrong_driver_is_caught_with_the_smallest_case(
    driver: type, kind: Kind, detail: str, words: int, run: Run, text: str
) -> None:
    found = compared(driver)
    one = only(found, kind, detail).divergence

    assert (one.words, one.run) == (words, run)
    assert text in sentence(one.what)
    assert found.exit_code == 1


@pytest.mark.parametrize("driver", dict.fromkeys(entry[0] for entry in WRONG if entry[0] is not d.StateDiffers))
def test_nothing_else_is_said_of_it_but_what_may_follow(driver: type) -> None:
    """The oracles of these drivers take their own costs and `permissible`, so that they may fail with them."""
    meant = {entry[1] for entry in WRONG if entry[0] is driver}
    others = [one.divergence for one in compared(driver).found if one.divergence.kind not in meant]

    assert all(one.follows or one.kind in (Kind.ORACLE, Kind.REFUSES) for one in others)


@pytest.mark.long
def test_after_a_difference_of_state_everything_may_follow() -> None:
    found = compared(d.StateDiffers, Extent(words=4, samples=0))

    assert not only(found, Kind.STATE).divergence.follows
    assert only(found, Kind.REFUSES).divergence.follows
    assert only(found, Kind.OUTPUT).divergence.follows
    assert only(found, Kind.COST, "costly called free").divergence.follows


class TwoMistakes(d.StateDiffers):
    """What may follow from a wrong state gives way to what cannot, though that comes later."""

    def is_terminal(self, c: d.State) -> bool:
        wrong = c.stack == (0,) and len(c.buffer) == 1 and c.heads[:2] == (0, 1)
        return wrong or (super().is_terminal(c) and len(c.heads) != 4)


@pytest.mark.long
def test_what_follows_gives_way_to_what_does_not() -> None:
    assert only(compared(TwoMistakes), Kind.ENDS).divergence.follows
    assert not only(compared(TwoMistakes, Extent(words=4, samples=0)), Kind.ENDS).divergence.follows


def test_the_smallest_failure_of_an_oracle_is_not_that_of_the_first_tree() -> None:
    class EndsAnywhere(d.ArcEager):
        def oracle(self, heads: Heads) -> Iterator[str]:
            run = list(super().oracle(heads))
            return iter(run if len(run) < 3 else run[: 1 if heads[0] == 2 else -1])

    one = only(compared(EndsAnywhere), Kind.ORACLE, "ends early")

    assert one.count > 1
    assert len(one.divergence.run) == 1


class Around:
    """A driver that is the figure itself."""

    text: str
    golds = "trees"

    def __init__(self) -> None:
        system = load(self.text)
        self.start, self.permissible = system.start, system.permissible
        self.apply, self.is_terminal = system.apply, system.is_terminal

    def name(self, t: Transition) -> str:
        return t.instance


BACK = """system back
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  ATTACH(l)  σ|i, j|β  =>  σ|i, β  add i -l-> j
  SHIFT      σ, j|β    =>  σ|j, β
  UNSHIFT    σ|i, β    =>  σ, i|β  if i != 0
"""


@pytest.mark.parametrize("detours", [1, None])
def test_an_oracle_may_come_back_to_a_configuration_if_it_ends(detours: int | None) -> None:
    class ComesBack(Around):
        text = BACK

        def accepts(self, heads: Heads) -> bool:
            return heads == (0, 0)

        def oracle(self, heads: Heads) -> Iterator[Transition]:
            for _ in count() if detours is None else range(detours):
                yield from (Transition("SHIFT"), Transition("UNSHIFT"))
            yield from [Transition("ATTACH")] * len(heads)

    found = compare(load(BACK), "ComesBack", parts_of(ComesBack), Extent(words=2, samples=0))

    assert found.conforms == (detours is not None), to_text(found)
    if detours is None:
        only(found, Kind.ORACLE, "never ends")


def test_a_driver_may_fail_to_say_what_it_accepts_in_longer_sentences_only() -> None:
    class Chokes(d.ArcEager):
        def accepts(self, heads: Heads) -> bool:
            if len(heads) > 2:
                raise ValueError("too long")
            return True

    one = only(compared(Chokes, Extent(words=2, samples=10)), Kind.RAISES, "accepts")

    assert one.divergence.words == 3


@pytest.mark.parametrize("is_right", [True, False])
def test_outputs_are_compared_where_a_word_has_two_heads(is_right: bool) -> None:
    class GivesOne(Around):
        text = TWO_HEADS

        def heads(self, c: Configuration) -> Sequence[int | None]:
            heads = [max(c.heads_of[word]) if word in c.heads_of else None for word in range(1, c.words + 1)]
            return heads if is_right or len(c.heads_of.get(2, ())) < 2 else [2] * c.words

    found = compare(load(TWO_HEADS), "GivesOne", parts_of(GivesOne), Extent(words=2, samples=0))

    assert found.conforms == is_right, to_text(found)
    if not is_right:
        only(found, Kind.OUTPUT)


def test_each_transition_whose_costs_are_wrong_is_shown() -> None:
    causes = [kind_of(one.divergence.what)[1] for one in compared(d.CallsEverythingFree).found]

    assert causes == [f"costly called free, {name}" for name in ("LEFT-ARC", "REDUCE", "RIGHT-ARC", "SHIFT")]


def test_an_encoding_with_two_mistakes_shows_both() -> None:
    """One hides behind the other if labels are never all different."""
    causes = [kind_of(one.divergence.what)[1] for one in compared(d.LosesHeadsTwice).found]

    assert causes == ["heads, where labels differ", "heads, where labels repeat"]


def test_costs_are_asked_in_every_situation() -> None:
    """One situation of many thousands is enough."""
    found = compared(d.MiscountsOnce, Extent(words=4, samples=0))

    (one,) = found.found
    assert (one.count, one.divergence.words) == (4, 4)  # four sets of arcs lead to these nodes
    assert [(looked.way, looked.left) for looked in found.looked if looked.part == "cost"] == [("all", 0)] * 4


def test_when_the_time_is_over_what_is_left_is_said() -> None:
    found = compare(arc_eager(), "slow", parts_of(d.CostsTakeTime), Extent(words=3, samples=0, seconds=2.0))

    assert (found.exit_code, found.ended_by) == (3, "timed out")
    last = found.looked[-1]
    assert (last.part, last.way, last.left > 0) == ("cost", "partly", True)
    assert f"{last.left} configurations left when time ran out" in to_text(found)


def test_an_oracle_that_loops_outside_its_class_is_remarked_on() -> None:
    found = compared(d.LoopsOutside)

    assert found.conforms
    tree, remark = found.outside
    assert tree.divergence.words == 3
    assert kind_of(remark.divergence.what) == (Kind.ORACLE, "never ends, SHIFT")
    assert remark.divergence.words == 2
    assert "outside its class, on the way to 2,1 the oracle never ends" in to_text(found)
    again = compare(arc_eager(), "again", parts_of(d.LoopsOutside), SHORT, case=OneCase(2, (), (2, 1)))
    assert again.outside[0].divergence.what == remark.divergence.what


def test_a_replayed_tree_is_of_the_class_that_is_encoded() -> None:
    with pytest.raises(BadGraph, match="2,1 is not among the trees"):
        compare(arc_eager(), "x", parts_of(d.Encodes), SHORT, case=OneCase(2, (), (2, 1), ("a", "b")))


def test_a_method_that_hangs_is_given_up() -> None:
    found = compared(d.Hangs)

    assert found.given_up == ("permissible",)
    assert "partly" in {one.way for one in found.looked}
    assert "permissible failed to answer too often" in to_text(found)


# --- beyond the exhaustive part --------------------------------------------------------------------------------------


class LateMistake(d.ArcEager):
    """Wrong only with six words or more, and more than two on the stack."""

    def permissible(self, c: d.State) -> list[str]:
        late = len(c.heads) >= 6 and len(c.stack) > 2
        return [t for t in super().permissible(c) if not (late and t == "REDUCE")]

    def oracle(self, heads: tuple[int | None, ...]) -> list[str]:  # type: ignore[override]
        found = list(d.ArcEager().oracle(heads))
        return found[:-1] if heads.count(0) > 2 and len(heads) > 4 else found


@pytest.mark.long
def test_longer_sentences_are_drawn_and_made_smaller() -> None:
    assert compared(LateMistake).conforms

    found = compared(LateMistake, Extent(words=3, samples=100))
    refuses = only(found, Kind.REFUSES).divergence
    ends_early = only(found, Kind.ORACLE, "ends early").divergence

    assert (refuses.words, len(refuses.run)) == (6, 2)
    assert ends_early.words == 5
    assert refuses.drawn
    assert ends_early.drawn
    for report in (to_text(found), conformance_html(found)):
        assert report.count("is is the smallest found among those drawn") == len(found.found)
    assert all(one.drawn for one in conform_document.document(found).divergences)
    assert {one.words for one in found.looked if one.way == "drawn"} == {9}


@pytest.mark.long
def test_the_same_seed_finds_the_same() -> None:
    effort = Extent(words=2, samples=40, seed=7)

    assert compare(arc_eager(), "x", parts_of(LateMistake), effort) == compare(
        arc_eager(), "x", parts_of(LateMistake), effort
    )


@pytest.mark.long
def test_runs_are_merged_where_there_are_too_many() -> None:
    class Swap:
        def __init__(self) -> None:
            self.system = load("swap")
            self.start, self.permissible = self.system.start, self.system.permissible
            self.apply, self.is_terminal = self.system.apply, self.system.is_terminal

    found = compare(load("swap"), "swap", parts_of(Swap), Extent(words=4, samples=0))

    assert found.conforms
    assert [one.way for one in found.looked] == ["all"] * 4 + ["merged"]
    assert "runs to the same configuration merged from 4 words on" in to_text(found)


@pytest.mark.parametrize(
    ("driver", "method"), [(d.ArcEager, "cost"), (d.KnowsWhatIsFree, "is_free"), (d.Repairs, "repair")]
)
def test_a_method_that_never_answers_is_something_to_look_at(driver: type, method: str) -> None:
    forgets = type("Forgets", (driver,), {method: lambda *_: None})
    found = compare(arc_eager(), "x", parts_of(forgets), SHORT)
    remark = f"{method} always gives None, so nothing was compared for it; is a return missing?"

    assert found.silent == (method,)
    assert remark in to_text(found)
    assert remark in conformance_html(found)
    assert conform_document.document(found).silent == (method,)
    assert compared(driver).silent == ()


# --- limits ----------------------------------------------------------------------------------------------------------


def test_the_time_for_everything_ends_it_with_what_is_known() -> None:
    found = compare(arc_eager(), "x", parts_of(d.ArcEager), SHORT, Calls(ends=0.0))

    assert found.exit_code == 3
    assert "timed out: whatever was not reached by then is open" in to_text(found)


class AcceptsNothing(d.ArcEager):
    def accepts(self, heads: tuple[int | None, ...]) -> bool:
        raise LookupError(heads[0])


def test_what_cannot_be_asked_because_of_a_failure_is_reported() -> None:
    found = compared(AcceptsNothing)

    assert only(found, Kind.RAISES, "accepts").divergence.words == 1
    assert {one.cases for one in found.looked if one.part == "oracle"} == {0}


class TakesThree(d.ArcEager):
    least_words = 3
    golds = "single-root projective trees"
    not_modelled = ("labels",)

    def start(self, n: int) -> d.State:
        assert n >= 3
        return super().start(n)

    def oracle(self, heads: tuple[int | None, ...]) -> list[str]:  # type: ignore[override]
        assert heads.count(0) == 1
        assert heads[0] == 0
        return list(super().oracle(heads))

    def cost(self, c: d.State, heads: tuple[int | None, ...], t: str) -> int:
        assert heads[0] == 0
        return super().cost(c, heads, t)

    def accepts(self, heads: tuple[int | None, ...]) -> bool:
        return heads[0] == 0


def test_what_a_driver_declares_is_respected() -> None:
    found = compared(TakesThree, Extent(words=3, samples=20))

    assert found.conforms, to_text(found)
    assert {one.words for one in found.looked} == {3, 9}
    text = to_text(found)
    assert "fewer than 3 words were left out" in text
    assert "gold trees: single-root projective trees, if accepted" in text
    assert "not modelled: labels" in text


class RootsHeadless(d.OutputDiffers):
    headless = "root"

    def cost(self, c: d.State, heads: tuple[int | None, ...], t: str) -> int | None:  # type: ignore[override]
        return None

    def oracle(self, heads: tuple[int | None, ...]) -> list[str]:  # type: ignore[override]
        return list(d.ArcEager().oracle(heads))


def test_words_without_a_head_may_be_dependents_of_the_root() -> None:
    assert compared(RootsHeadless, Extent(words=2, samples=0)).conforms


# --- drivers that are not -------------------------------------------------------------------------------------------


class Unshowable:
    """It has no text and no truth value."""

    def __repr__(self) -> str:
        raise ValueError("no text")

    def __bool__(self) -> bool:
        raise ValueError("no truth value")


def answering(method: str, answer: object) -> type:
    return type("Answering", (d.ArcEager,), {method: lambda *_: answer})


@pytest.mark.parametrize(
    ("method", "answer"),
    [
        ("permissible", ["SH"]), ("name", None), ("is_terminal", None), ("permissible", None), ("accepts", None),
        ("permissible", Unshowable()), ("components", {"σ": Unshowable()}), ("name", Unshowable()),
        ("permissible", 3), ("apply", None), ("components", None), ("arcs", None), ("heads", None), ("oracle", None),
        ("components", {"stack": []}), ("components", {"σ": "01"}), ("components", {"σ": ["a"]}), ("arcs", [3]),
        ("heads", [0, 1, 2, 3, 4]), ("heads", ["0"]), ("cost", True), ("is_terminal", "no"),
        ("is_terminal", Unshowable()), ("accepts", "yes"), ("permissible", "SHIFT"), ("components", [[0], [1]]),
        ("heads", {1: 0}), ("heads", [0]), ("cost", 0.5), ("is_free", "yes"), ("oracle", ["POP"]),
    ],
)  # fmt: skip
def test_an_answer_of_the_wrong_form_is_a_mistake_of_the_driver(method: str, answer: object) -> None:
    with pytest.raises(BadDriver):
        compare(arc_eager(), "x", parts_of(answering(method, answer)), Extent(words=1, samples=0))


# --- one case again --------------------------------------------------------------------------------------------------


def case_of(divergence: Divergence) -> OneCase:
    from arcproof.reports.divergences import gold_of, labels_of

    return OneCase(divergence.words, divergence.run, gold_of(divergence.what), labels_of(divergence.what))


@pytest.mark.long
@pytest.mark.parametrize(("driver", "kind", "detail"), [entry[:3] for entry in WRONG if entry[0] in OF_EACH_KIND])
def test_a_case_can_be_taken_again(driver: type, kind: Kind, detail: str) -> None:
    case = case_of(only(compared(driver), kind, detail).divergence)

    again = compare(arc_eager(), driver.__name__, parts_of(driver), SHORT, case=case)

    assert not any(one.divergence.drawn for one in (*compared(driver).found, *again.found))

    assert kind in {one.divergence.kind for one in again.found}
    assert [step.transition for step in again.steps] == [None, *case.run]
    assert again.exit_code == 1


def test_a_case_that_the_figure_does_not_have() -> None:
    with pytest.raises(NotPermissible, match="i != 0"):
        compare(arc_eager(), "x", parts_of(d.ArcEager), SHORT, case=OneCase(2, ("LEFT-ARC",)))


# --- reports ---------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("driver", [d.ArcEager, *OF_EACH_KIND])
def test_reports_of_every_kind(driver: type) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    found = compared(driver)

    document = json.loads(json_text(conform_document.document(found)))
    jsonschema.validate(document, json.loads(schema_of("conform")))
    page = conformance_html(found)

    assert verdict(found).split(":")[0] in to_text(found)
    for one in found.found:
        command = replay_line(found, one.divergence)
        assert command in to_text(found)
    assert page.count('<article class="claim refuted"') == len(found.found)


def module_of(text: str, path: Path) -> ModuleType:
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def functions_in(module: ModuleType) -> dict[str, Callable[[], None]]:
    return {name: value for name, value in vars(module).items() if name.startswith("test_")}


def right_one(driver: type) -> type:
    return next(kind for kind in driver.__mro__[1:] if kind in RIGHT)


def written_for(found: Conformance, driver: type, path: Path) -> ModuleType:
    """The tests that are written for what was found, asking this driver."""
    return module_of(to_pytest(replace(found, driver=f"tests.testing.drivers:{driver.__name__}"), str(path)), path)


@pytest.mark.long
@pytest.mark.process
@pytest.mark.parametrize("driver", OF_EACH_KIND)
def test_the_tests_that_are_written_fail_with_the_driver_and_pass_with_a_right_one(
    driver: type, tmp_path: Path
) -> None:
    found = compared(driver)
    wrong = functions_in(written_for(found, driver, tmp_path / "test_wrong.py"))
    right = functions_in(written_for(found, right_one(driver), tmp_path / "test_right.py"))

    assert len(wrong) == len(found.found)
    for fails in wrong.values():
        with pytest.raises(AssertionError, match="does not conform"):
            fails()
    for passes in right.values():
        passes()


# --- processes -------------------------------------------------------------------------------------------------------


@pytest.mark.nightly
@pytest.mark.process
@pytest.mark.parametrize(
    ("driver", "kind", "text"),
    [
        (d.HearsNoAlarm, Kind.HANGS, "permissible does not answer within 0.2 s"),
        (d.Crashes, Kind.CRASHES, "apply(REDUCE) ends the process (signal 9)"),
    ],
)
def test_a_call_that_takes_the_process_with_it(driver: type, kind: Kind, text: str) -> None:
    found = conform(arc_eager(), "x", parts_of(driver), Extent(words=2, samples=0, call_seconds=0.2))
    (one,) = [one.divergence for one in found.found if one.divergence.kind is kind]

    assert (one.words, one.run) == (2, ("RIGHT-ARC",))
    assert text in sentence(one.what)


@pytest.mark.process
@pytest.mark.parametrize(
    "driver", [d.ExitsCleanly, d.CostExits, d.OracleExits, d.RepairExits, d.Slow, d.Interrupts, d.OracleInterrupts]
)
def test_the_written_test_of_a_call_that_ends_the_process_or_is_too_slow_fails(driver: type, tmp_path: Path) -> None:
    found = conform(arc_eager(), "x", parts_of(driver), Extent(words=2, samples=0, call_seconds=0.1))
    wrong = functions_in(written_for(found, driver, tmp_path / "test_wrong.py"))
    right = functions_in(written_for(found, right_one(driver), tmp_path / "test_right.py"))

    assert wrong
    for fails in wrong.values():
        with pytest.raises(AssertionError, match="does not conform"):
            fails()
    for passes in right.values():
        passes()


def test_a_call_that_is_being_written_down_is_not_one() -> None:
    """Whatever the memory holds when it is read between any two writes, it is one of the calls, or none."""
    told = Told()
    seen: list[tuple[int, str] | None] = []

    class Interrupted:
        def __init__(self, view: memoryview) -> None:
            self.view = view

        def __getitem__(self, at: int) -> int:
            return int(self.view[at])

        def __setitem__(self, at: int | slice, value: int | bytes) -> None:
            self.view[at] = value  # type: ignore[index, assignment]
            told._words, told._bytes, mine = words, memory, (told._words, told._bytes)
            seen.append(told.call)
            told._words, told._bytes = mine

    words, memory = told._words, told._bytes
    told._words, told._bytes = Interrupted(words), Interrupted(memory)  # type: ignore[assignment]
    told.begins(1, "permissible")
    told.begins(2, "apply")
    told.ends()

    assert len(seen) == 12
    assert {call for call in seen if call} == {(1, "permissible"), (2, "apply")}
    told._words, told._bytes = words, memory
    told.begins(3, "start")
    assert told.call == (3, "start")


@pytest.mark.process
def test_apart_and_here_the_same_is_found() -> None:
    said: list[str] = []
    apart = conform(arc_eager(), "Permits", parts_of(d.Permits), SHORT, said.append)

    assert apart == compared(d.Permits)
    assert "lockstep, 3 words" in said


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise ValueError


class Unwritable(Exception):
    def __str__(self) -> str:
        return "a\ud800b"


@pytest.mark.process
@pytest.mark.parametrize(
    ("error", "how"),
    [
        (KeyboardInterrupt, "KeyboardInterrupt"),
        (GeneratorExit, "GeneratorExit"),
        (Unspeakable, "Unsp"),
        (Unwritable, "Unwritable: a?b"),
    ],
)
def test_whatever_a_driver_raises_is_reported_as_such(error: type[BaseException], how: str) -> None:
    class Raising(d.ArcEager):
        def permissible(self, c: d.State) -> Sequence[str]:
            raise error

    found = conform(arc_eager(), "x", parts_of(Raising), SHORT)

    assert f"raises {how}" in sentence(only(found, Kind.RAISES, "permissible").divergence.what)
    assert found.ended_by is None


@pytest.mark.process
def test_mistakes_of_a_driver_are_reported_from_the_other_process() -> None:
    with pytest.raises(BadDriver, match="is_terminal gives None"):
        conform(arc_eager(), "x", parts_of(answering("is_terminal", None)), SHORT)


@pytest.mark.process
def test_conforms_and_assert_conforms() -> None:
    from arcproof.testing import assert_conforms

    assert assert_conforms("arc-eager", d.ArcEager, words=2, samples=5).conforms
    assert not conforms("arc-eager", d.Permits(), words=2, samples=0).conforms
    with pytest.raises(AssertionError, match="the driver permits LEFT-ARC"):
        assert_conforms("arc-eager", d.Permits, words=2, samples=0)

"""A label on a transition that adds no arc: `SHIFT(p)` tags the word it shifts (Bohnet & Nivre 2012)."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from arcproof.properties.engines.engine import ENGINES, EngineName, engine_for
from arcproof.properties.studies.counts import explore_level
from arcproof.transitions.configuration import Tag, Transition
from arcproof.transitions.export.promela import to_promela
from arcproof.transitions.graph import graph_of
from arcproof.transitions.library import source_of
from arcproof.transitions.plan import TRUE
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.reading.read import read_figure
from arcproof.transitions.runs import read_transitions, take
from arcproof.transitions.system import System, load
from tests.in_process import Result

BUILT_IN = ("arc-standard-stack", "arc-standard", "arc-eager", "arc-hybrid", "swap")


def tagging(name: str) -> str:
    """A built-in figure whose SHIFT tags the word it shifts."""
    text, rules = re.subn(
        r"^  SHIFT (.*σ, (\w)\|β.*=>.*)$", r"  SHIFT(p) \1  tag \2 p", source_of(name), flags=re.MULTILINE
    )
    text, lines = re.subn(r"^    SHIFT$", "    SHIFT(p) σ, i|β  if gold tag i p", text, flags=re.MULTILINE)
    assert rules == 1
    assert lines
    return text


@pytest.fixture
def system() -> System:
    return load(tagging("swap"))


# --- what it means ---------------------------------------------------------------------------------------------------


def test_the_label_becomes_the_tag_of_the_word(system: System) -> None:
    c = system.apply(system.start(2), Transition("SHIFT", "DET"))

    assert c.tags == (Tag(1, "DET"),)
    assert str(c) == "([0, 1], [2], {}, {1: DET})"


def test_a_word_that_is_shifted_again_is_tagged_again(system: System) -> None:
    run = take(system, 2, read_transitions("SHIFT(A) SHIFT(B) SWAP SHIFT(C)"), lambda _: None)

    assert run.tags == ("C", "B")


def test_tags_never_guard(system: System) -> None:
    plain = load("swap")
    c, d = system.start(3), plain.start(3)
    for name in ("SHIFT", "SHIFT", "SWAP", "SHIFT", "SHIFT"):
        assert system.permissible(c) == plain.permissible(d)
        label = "X" if name == "SHIFT" else None
        c, d = system.apply(c, Transition(name, label)), plain.apply(d, Transition(name))
    assert (c.values, c.arcs) == (d.values, d.arcs)


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_oracle_gives_gold_tags(name: str) -> None:
    found = load(tagging(name)).derive(graph_of((2, 0, 2)), tags=("D", "N", "V"))
    shifted = {step.added for step in found.steps if step.transition.name == "SHIFT"}

    assert shifted == {()}
    assert all(tag in (gold, None) for tag, gold in zip(found.tags, ("D", "N", "V"), strict=True))
    assert [t.name for t in found.transitions] == [t.name for t in load(name).derive(graph_of((2, 0, 2))).transitions]


# --- all meanings ignore tags, as they ignore labels -----------------------------------------------------------------


@pytest.mark.parametrize(
    "engine", [pytest.param(e, marks=pytest.mark.compiler if e == "compiled" else ()) for e in ENGINES]
)
@pytest.mark.parametrize("name", BUILT_IN)
def test_every_engine_counts_what_it_counts_without_tags(name: str, engine: EngineName) -> None:
    one, other = (explore_level(engine_for(load(x), engine), 3, None).counted for x in (name, tagging(name)))

    assert one is not None
    assert one == other


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_plan_has_the_same_rules_and_lines(name: str) -> None:
    plain, plan = load(name).plan, load(tagging(name)).plan

    assert [(r.match, r.guards, r.moves, r.arcs) for r in plan.rules] == [
        (r.match, r.guards, r.moves, r.arcs) for r in plain.rules
    ]
    assert sum(len(rule.tags) for rule in plan.rules) == 1
    assert [line.conditions for line in plan.oracles[0] if line.tagged] == [(TRUE,)]


def test_a_model_for_spin_leaves_them_out(system: System) -> None:
    plain = re.sub(r"/\*.*?\*/", "", to_promela(load("swap"), 3), flags=re.DOTALL)

    assert re.sub(r"/\*.*?\*/", "", to_promela(system, 3), flags=re.DOTALL) == plain


@pytest.mark.solver
def test_what_is_proved_without_them_is_proved_with_them() -> None:
    from arcproof.properties.proving.prove import prove
    from arcproof.properties.verdict import Verdict

    text = tagging("arc-hybrid").split("  claims")[0] + "  claims\n    length = 2n\n    terminates\n"

    assert {theorem.verdict for theorem in prove(text).theorems} == {Verdict.PROVED}


@pytest.mark.parametrize("name", BUILT_IN)
def test_it_is_printed_as_it_is_read(name: str) -> None:
    figure = read_figure(tagging(name))

    assert read_figure(to_source(figure)) == figure


# --- traces ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "tagging.tsys").write_text(tagging("swap"), encoding="utf-8")
    return "tagging.tsys"


def test_json_has_the_tag_of_each_word(arcproof: Callable[..., Result], file: str) -> None:
    shown = json.loads(arcproof("trace", file, "--heads", "2,0", "--tags", "DET,_", "--format", "json").out)

    assert shown["tags"] == ["DET", None]
    assert [step["label"] for step in shown["steps"] if step["transition"] == "SHIFT"] == ["DET", None]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("swap", "--heads", "2,0", "--tags", "A,B"), "swap assigns no tags; leave out --tags"),
        (("tagging.tsys", "--heads", "2,0", "--tags", "A"), "--tags has 1 entry, --heads 2"),
        (("tagging.tsys", "--conllu", "artificial-test", "--tags", "A"), "--tags is upos or xpos, not A"),
    ],
)
def test_tags_that_do_not_fit_are_refused(
    arcproof: Callable[..., Result], file: str, arguments: tuple[str, ...], said: str
) -> None:
    found = arcproof("trace", *arguments)

    assert file
    assert found.code == 2
    assert said in found.err

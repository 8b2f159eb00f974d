"""The plan says what the interpreter says: every configuration of short sentences, every transition, every oracle."""

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from itertools import islice
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from arcproof.generators.enumeration import FORESTS
from arcproof.transitions import plan as p
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.errors import BadParameter
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import graph_of
from arcproof.transitions.library import system_names
from arcproof.transitions.system import System, load
from tests.conftest import ROOT
from tests.transitions import plan_evaluator as evaluator
from tests.transitions.random_figures import figures
from tests.transitions.test_export import ENDS, EVERYTHING, TEXTS

PARAMETERS = ["covington[d=0]", "covington[d=1]", "attardi[d=1]", "attardi[d=inf]"]
RICH = [ROOT / "tests" / "transitions" / "rich.tsys", "mh[k=3]", "mh[k=inf]"]
MOST = 600
LARGEST = 30


def configurations(system: System, words: int, most: int = MOST) -> list[Configuration]:
    """What can be reached, also beyond terminal configurations; not all of it where there is no end.

    A random figure may double a sequence with every step, so what follows a large configuration is left out.
    """
    return list(islice(_walk(system, words), most))


def _walk(system: System, words: int) -> Iterator[Configuration]:
    todo = [system.start(words)]
    seen = set(todo)
    while todo:
        yield (c := todo.pop(0))
        if c.space > LARGEST:
            continue
        for transition in system.permissible(c):
            with suppress(BadParameter):
                if (after := system.apply(c, transition)) not in seen:
                    seen.add(after)
                    todo.append(after)


def compare(system: System, plan: p.Plan, words: int, most: int = MOST) -> None:
    """Terminal test, invariants, permissible transitions and successors in all configurations of this many words."""
    for c in configurations(system, words, most):
        view = evaluator.View(plan, c)
        assert evaluator.is_terminal(plan, c) == system.is_terminal(c), f"terminal: {c}"
        for planned, written in zip(plan.invariants, system.figure.invariants, strict=True):
            assert view.holds(planned) == system.satisfies(c, written), f"invariant in {c}"
        try:
            expected = [(t, system.apply(c, t)) for t in system.permissible(c)]
        except BadParameter:
            with pytest.raises(BadParameter):
                list(evaluator.successors(plan, c))
        else:
            assert list(evaluator.successors(plan, c)) == expected, f"successors of {c}"


def compare_oracles(system: System, plan: p.Plan, words: int, most: int = 25) -> None:
    """What the oracles ask for, in the first configurations and for all forests."""
    for c in configurations(system, words, most):
        for heads in FORESTS.graphs(words):
            gold = Gold(system.wanted(graph_of(heads)))
            for oracle, lines in zip(system.figure.oracles, plan.oracles, strict=True):
                expected = system.predict(c, gold, oracle)
                assert evaluator.advice(plan, lines, c, gold) == expected, f"{oracle.name} in {c} for {heads}"


@pytest.mark.long
@pytest.mark.parametrize("name", [*system_names(), *PARAMETERS, *RICH, *TEXTS.values()])
def test_the_plan_agrees_with_the_interpreter(name: str) -> None:
    system = load(name)
    for words in range(4):
        compare(system, system.plan, words)
    for words in range(3):
        compare_oracles(system, system.plan, words)


@pytest.mark.long
@given(figures())
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_plan_of_any_figure_agrees_with_the_interpreter(figure: s.Figure) -> None:
    values = {d.name: d.default.value if isinstance(d.default, s.Number) else math.inf for d in figure.parameters}
    system = System(figure, MappingProxyType(values), "")
    for words in range(3):
        compare(system, system.plan, words, 100)
    compare_oracles(system, system.plan, 2, 5)


# --- a plan that is wrong --------------------------------------------------------------------------------------------


def rewritten(node: Any, kind: type, change: Callable[[Any], Any]) -> Any:
    """A plan with everything of one kind changed."""
    if isinstance(node, tuple):
        return tuple(rewritten(part, kind, change) for part in node)
    if not is_dataclass(node) or isinstance(node, type | s.Rule):
        return node
    parts = {part.name: rewritten(getattr(node, part.name), kind, change) for part in fields(node)}
    inner = replace(node, **parts)
    return change(inner) if isinstance(node, kind) else inner


TURNED = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
WRONG: dict[str, tuple[type, Callable[[Any], Any]]] = {
    "cells are counted from one on": (p.Offset, lambda x: replace(x, cells=x.cells + 1)),
    "cells are counted from the other end": (p.Offset, lambda x: replace(x, end="head" if x.end == "tail" else "tail")),
    "chosen runs are passed over": (p.Offset, lambda x: replace(x, runs=())),
    "a rest is too long": (p.Rest, lambda x: replace(x, behind=0)),
    "a sequence need not be so long": (p.SequenceFits, lambda x: replace(x, cells=0)),
    "a chosen run takes no room": (p.SequenceFits, lambda x: replace(x, chosen=())),
    "the value of a flag is not asked": (p.FlagIs, lambda x: p.AnyValue(x.component)),
    "the value of a counter is not asked": (p.CounterIs, lambda x: p.AnyValue(x.component)),
    "comparisons are turned round": (p.Comparison, lambda x: replace(x, relation=TURNED[x.relation])),
    "what constants decide is decided wrongly": (p.Truth, lambda x: p.Truth(not x.value)),
    "a guard is lost": (p.RulePlan, lambda x: replace(x, guards=x.guards[1:])),
    "more stays than should": (p.SequenceBecomes, lambda x: replace(x, kept=min(x.kept + 1, len(x.items)))),
    "less stays than should": (p.SequenceBecomes, lambda x: replace(x, items=x.items[1:])),
    "arcs are turned round": (p.AddArc, lambda x: replace(x, head=x.dependent, dependent=x.head)),
    "arcs are not removed": (p.RulePlan, lambda x: replace(x, arcs=tuple(a for a in x.arcs if isinstance(a, p.AddArc)))),
    "a set keeps what it had": (p.SetBecomes, lambda x: replace(x, changes=())),
    "a set loses what it had": (p.SetBecomes, lambda x: replace(x, base=None)),
    "a quantifier is the other one": (
        p.Quantified, lambda x: replace(x, quantifier="all" if x.quantifier == "exists" else "exists"),
    ),
    "a sum is a difference": (p.Sum, lambda x: replace(x, sign="-" if x.sign == "+" else "+")),
    "a condition of the end is lost": (p.Not, lambda x: x.body),
}  # fmt: skip


@pytest.mark.parametrize("how", WRONG)
def test_a_wrong_plan_is_noticed(how: str) -> None:
    noticed = [text for text in (EVERYTHING, ENDS) if _is_noticed(load(text), *WRONG[how])]

    assert noticed


def _is_noticed(system: System, kind: type, change: Callable[[Any], Any]) -> bool:
    wrong = p.Plan(system.figure, system.parameters)
    wrong.__dict__["rules"] = rewritten(system.plan.rules, kind, change)
    wrong.__dict__["terminal"] = rewritten(system.plan.terminal, kind, change)
    assert (wrong.rules, wrong.terminal) != (system.plan.rules, system.plan.terminal) or system.name == "ends"
    try:
        for words in range(4):
            compare(system, wrong, words, 200)
    except (AssertionError, IndexError):
        return True
    return False


# --- what is decided -------------------------------------------------------------------------------------------------


def guards(text: str) -> tuple[p.Condition, ...]:
    """The guards of the rule of a figure with this condition, for d = 2 and m = ∞."""
    system = load(
        f"""
        system one
          parameter d = 2
          parameter m = inf
          state   stack σ, counter k
          start   [0..n], 0
          final   k = 9, |σ| < d, |σ| < m
          ONE     σ|i, k  =>  σ, k + 1  if {text}
        """
    )
    return system.plan.rules[0].guards


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("k < m", True), ("m <= k", False), ("m = m", True), ("m - 1 > d", True), ("d - m < k", True), ("m - m = k", False),
        ("m - m != k", True), ("d = 2", True), ("d + 1 < 3", False), ("i < m and d > 1", True), ("i = m or d < 1", False),
        ("not k = inf", True), ("all x in σ: x < m", True), ("exists x in σ: x > m - 5", False), ("0 < d < 3", True),
    ],
)  # fmt: skip
def test_what_parameters_and_infinity_decide_is_a_constant(text: str, truth: bool) -> None:
    assert guards(text) == (p.Truth(truth),)


def test_a_part_that_is_decided_vanishes_from_the_whole() -> None:
    assert guards("0 < k < m") == guards("0 < k")
    assert guards("head(i) and k < m") == guards("head(i)")
    assert guards("head(i) or k >= m") == guards("head(i)")


def test_a_number_remembers_how_it_is_written() -> None:
    [condition] = guards("|σ| <= d - 1")
    assert isinstance(condition, p.Comparison)
    assert condition.right == p.Number(1, s.Arithmetic("-", s.Parameter("d"), s.Number(1)))


def test_what_belongs_to_claims_has_no_plan() -> None:
    figure = load("arc-eager").figure
    for term in (s.Count("SHIFT"), s.Arithmetic("*", s.Words(), s.Number(2))):
        rule = replace(figure.rules[0], preconditions=(s.Comparison((term, s.Number(0)), ("=",)),))
        with pytest.raises(p.NotPlanned, match=f"{type(term).__name__} belongs to claims"):
            p.Plan(replace(figure, rules=(rule,)), {}).rules  # noqa: B018 - the plan is made when it is asked for

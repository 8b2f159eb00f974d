"""The costs of a dynamic oracle in symbols.

A line `cost TRANSITION PATTERN = …` is a sum of numbers, truth values and counts of nodes.  If there are several lines
for one transition, the first whose pattern matches applies; lengths that its pattern leaves open are those of the
transition.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, assert_never

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import Evaluate
from arcproof.properties.proving.language.reading_back import as_read
from arcproof.properties.proving.language.terms import Function, Term
from arcproof.properties.proving.meaning.conditions import Scene, holds
from arcproof.properties.proving.meaning.model import domain, gold_model, model_of
from arcproof.properties.proving.meaning.state import Unsupported
from arcproof.properties.proving.meaning.steps import SymbolicStep, length_name
from arcproof.properties.proving.meaning.symbolic import Meanings
from arcproof.transitions import plan as p
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.gold import Gold
from arcproof.transitions.printing.notation import SOURCE, cost_part_text


@dataclass(frozen=True)
class CountedNodes:
    """`#{k in b|β: …}`: each part of the sequence as a set of nodes, and the condition."""

    text: str
    members: tuple[Function, ...]
    condition: Function

    def holds(self, node: Term) -> Term:
        """The condition that a node is counted."""
        return t.conjunction(t.disjunction(*(member(node) for member in self.members)), self.condition(node))

    @property
    def is_nothing(self) -> Term:
        """The condition that no node is counted."""
        return t.for_all(lambda k: t.negation(self.holds(k)))


@dataclass(frozen=True)
class CountedTruth:
    """`[…]`: 1 if the condition holds."""

    text: str
    condition: Term

    @property
    def is_nothing(self) -> Term:
        """The condition that the summand is 0."""
        return t.negation(self.condition)


Summand = CountedNodes | CountedTruth


@dataclass(frozen=True)
class Price:
    """A line of a dynamic oracle for a step: when it applies, its number and its summands.

    `constant` is the sum of its numbers.  `nodes` are the nodes that its pattern names, in that order.
    """

    number: int
    conditions: tuple[Term, ...]
    constant: int
    summands: tuple[Summand, ...]
    nodes: dict[str, Term]


def prices(meanings: Meanings, oracle: s.DynamicOracle, step: SymbolicStep) -> Iterator[Price]:
    """Yield the lines that may give the cost of a step; raises `Unsupported` if there are none, if they have labels, or
    if something is subtracted.
    """
    if oracle.loss is not None:
        raise Unsupported(f"the costs of {oracle.name} are computed by an algorithm, which has no symbolic meaning")
    if oracle.is_labelled:
        raise Unsupported(f"{oracle.name} counts wrong labels, which proofs do not model")
    plan, state = meanings.system.plan, meanings.before
    lengths = tuple(step.lengths.values())
    earlier: list[Term] = []
    for number, line in enumerate(oracle.lines, start=1):
        if line.transition != step.rule.name:
            continue
        match, _ = plan.asked(line.pattern, ())
        if match.choices and len(match.choices) != len(lengths):
            continue
        scene = Scene(state, lengths if match.choices else ())
        matches = t.conjunction(*scene.matches(match))
        parts = [part for _, part in line.parts if not isinstance(part, s.Number)]
        if any(sign == "-" and part != s.Number(0) for sign, part in line.parts):
            raise Unsupported(f"the cost of {line.transition} in line {number} of {oracle.name} subtracts something")
        constant = sum(part.value for _, part in line.parts if isinstance(part, s.Number))
        summands = tuple(_summand(plan, line.pattern, part, scene) for part in parts)
        nodes = {cell.name: scene.node(cell) for cell in match.cells}
        yield Price(number, (*earlier, matches), constant, summands, nodes)
        earlier.append(t.negation(matches))


def _summand(plan: p.Plan, pattern: tuple[s.Pattern, ...] | None, part: s.CountOf | s.TruthOf, scene: Scene) -> Summand:
    text = cost_part_text(part, SOURCE)
    match part:
        case s.TruthOf(conditions):
            _, asked = plan.asked(pattern, conditions)
            return CountedTruth(text, t.conjunction(*(holds(condition, scene) for condition in asked)))
        case s.CountOf(variable, domain, conditions):
            _, (some,) = plan.asked(pattern, (s.Quantified("exists", variable, domain, s.And(conditions)),))
            if not isinstance(some, p.Quantified):
                return CountedNodes(text, (), lambda _: t.FALSE)
            body = some.body
            members = tuple(_membership(member, scene) for member in some.members)
            return CountedNodes(text, members, lambda k: holds(body, scene.with_node(k)))
        case _:
            assert_never(part)


def _membership(member: p.Member, scene: Scene) -> Function:
    if isinstance(member, p.Chosen | p.Rest):
        run = scene.run(member)
        return lambda k: scene.state.holds_node(run, k)
    node = scene.node(member)
    return lambda k: t.equal(k, node)


# --- compared with the interpreter -----------------------------------------------------------------------------------

_NODE: Final = t.constant("argument_1")


def cost_difference(
    meanings: Meanings, oracle: s.DynamicOracle, situations: Iterable[tuple[Configuration, Gold]]
) -> str | None:
    """A configuration with a gold graph in which the interpreter computes a different cost for some transition."""
    read = [_Read(step, list(prices(meanings, oracle, step))) for step in meanings.steps]
    system = meanings.system
    for c, gold in situations:
        model = {**model_of(system, c), **gold_model(gold)}
        for transition in system.permissible(c):
            said = {cost for one in read for cost in one.costs(transition, model, c.words)}
            wanted = system.cost(c, transition, gold, oracle)
            if said != {wanted}:
                shown = ", ".join(map(str, said))
                return f"{transition.instance} in {c} with {gold.graph} costs {shown} in symbols, not {wanted}"
    return None


@dataclass(frozen=True)
class _Read:
    """What a step costs, as solvers read it."""

    step: SymbolicStep
    prices: list[Price]

    def costs(self, transition: Transition, model: Mapping[str, object], words: int) -> Iterator[int | None]:
        """Yield what the lines say if the step is this transition: one cost, or None if no line applies."""
        if transition.name != self.step.rule.name or len(transition.choice) != len(self.step.lengths):
            return
        names = map(length_name, self.step.lengths)
        chosen = {**model, **{name: length - 1 for name, length in zip(names, transition.choice, strict=True)}}
        integers = domain(words)
        if self._guard(chosen, integers):
            costs = [cost(chosen, integers) for condition, cost in self._lines if condition(chosen, integers)]
            yield from costs
            if not costs:
                yield None

    @cached_property
    def _guard(self) -> Evaluate:
        return as_read(t.conjunction(*self.step.guard))

    @cached_property
    def _lines(self) -> list[tuple[Evaluate, Callable[[Mapping[str, object], range], int]]]:
        return [(as_read(t.conjunction(*price.conditions)), _sum_of(price)) for price in self.prices]


def _sum_of(price: Price) -> Callable[[Mapping[str, object], range], int]:
    amounts = [_amount_of(summand) for summand in price.summands]
    return lambda model, integers: price.constant + sum(amount(model, integers) for amount in amounts)


def _amount_of(summand: Summand) -> Callable[[Mapping[str, object], range], int]:
    """The value of a summand: a truth value as 0 or 1, or for a count, the number of parts of the sequence in which
    each node that satisfies the condition occurs.
    """
    if isinstance(summand, CountedTruth):
        holds_here = as_read(summand.condition)
        return lambda model, integers: int(bool(holds_here(model, integers)))
    condition = as_read(summand.condition(_NODE))
    members = [as_read(member(_NODE)) for member in summand.members]

    def counted(model: Mapping[str, object], integers: range) -> int:
        nodes = ({**model, "argument_1": node} for node in integers)
        wanted = [model for model in nodes if condition(model, integers)]
        return sum(bool(member(model, integers)) for model in wanted for member in members)

    return counted

"""The symbolic meaning of a figure: start, transitions (`steps`), terminal test and oracles, built from `conditions`.

These modules express as terms what `transitions.execute` does by running; the two are compared on every configuration
for small n.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.meaning.conditions import Scene, holds
from arcproof.properties.proving.meaning.state import LINKED, SymbolicState, Unsupported, arbitrary, initial
from arcproof.properties.proving.meaning.steps import SymbolicStep, forgets, length_constants, step_of
from arcproof.transitions import plan as p
from arcproof.transitions import syntax as s
from arcproof.transitions.system import System

# --- oracles ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Advice:
    """A line of an oracle in symbols: when it is taken, and the cases of the transition that it asks for.

    The conditions are about the lengths that the pattern leaves open; `matches` says that the line matches with some
    lengths, whichever line is taken.  The label of the transition is that of a gold arc (`labelled`, as head and
    dependent) or the gold tag of a node (`tagged`).
    """

    line: s.OracleLine
    number: int
    conditions: tuple[Term, ...]
    matches: Term
    steps: tuple[SymbolicStep, ...]
    labelled: tuple[tuple[Term, Term], ...]
    tagged: tuple[Term, ...]


def _line_matches(line: p.LinePlan, scene: Scene) -> tuple[Term, ...]:
    return (*scene.matches(line.match), *(holds(condition, scene) for condition in line.conditions))


def _matches_with(line: p.LinePlan, state: SymbolicState, lengths: tuple[Term, ...]) -> Term:
    return t.conjunction(*_line_matches(line, Scene(state, lengths)))


def with_some_lengths(match: p.Match, state: SymbolicState, holds_with: Callable[[tuple[Term, ...]], Term]) -> Term:
    """The condition that something holds for some lengths of the segments that a pattern leaves open.

    If there is one open segment, the condition has two cases: the segment has length 0, or some number of cells is left
    outside the pattern.  In the second, the cell at the other end of the segment is a variable, which solvers find more
    easily.
    """
    if not match.choices:
        return holds_with(())
    rests = tuple(t.fresh() for _ in match.choices)
    some = t.quantified("exists", rests, holds_with(_left_by(match, state, rests)))
    return t.disjunction(holds_with((t.Integer(0),)), some) if len(rests) == 1 else some


def _left_by(match: p.Match, state: SymbolicState, rests: Sequence[Term]) -> tuple[Term, ...]:
    """The lengths of open segments if this many cells of their sequences are left outside the pattern.

    If two of them are in one sequence, these are the lengths themselves.
    """
    lengths = list(rests)
    for test in match.tests:
        if isinstance(test, p.SequenceFits) and len(test.chosen) == 1:
            (choice,) = test.chosen
            name = state.components[test.component].name
            lengths[choice] = t.subtract(state.heights[name], t.add(test.cells, rests[choice]))
    return tuple(lengths)


def advice_of(plan: p.Plan, oracle: s.Oracle, state: SymbolicState) -> list[Advice]:
    """The lines of an oracle, each with the condition that it is the first to match, in its shortest form."""
    found: list[Advice] = []
    earlier: list[Term] = []
    for number, line in enumerate(map(plan.line, oracle.lines), start=1):
        if len(line.match.choices) > 1:
            raise Unsupported("an oracle line that chooses the lengths of two segments")
        scene = Scene(state, length_constants(line.match))
        conditions = [*earlier, *_line_matches(line, scene), *(_no_shorter(line, state, x) for x in scene.lengths)]
        matches = with_some_lengths(line.match, state, partial(_matches_with, line, state))
        labelled = tuple((scene.node(head), scene.node(dependent)) for head, dependent in line.labelled)
        tagged, steps = tuple(map(scene.node, line.tagged)), _asked_for(plan, line, scene)
        found.append(Advice(line.line, number, tuple(conditions), matches, steps, labelled, tagged))
        earlier.append(t.negation(matches))
    return found


def _no_shorter(line: p.LinePlan, state: SymbolicState, length: Term) -> Term:
    return t.for_all(
        lambda x: t.implies(t.within(0, x, length), t.negation(t.conjunction(*_line_matches(line, Scene(state, (x,))))))
    )


def _asked_for(plan: p.Plan, line: p.LinePlan, scene: Scene) -> tuple[SymbolicStep, ...]:
    """The cases of the transition of a line; each chosen length is that of the line's segment of the same name."""
    name = line.line.transition
    if len({plan.rules[case.rule].match.choices for case in line.cases}) > 1:
        raise Unsupported(f"an oracle line for {name}, whose cases choose different lengths")
    labels = dict(zip((case.rule for case in line.cases), _case_names(name, len(line.cases)), strict=True))
    return tuple(
        step_of(plan.rules[case.rule], labels[case.rule], scene.state, tuple(map(scene.length, case.lengths)))
        for case in line.cases
    )


# --- the whole figure ------------------------------------------------------------------------------------------------


def cases(plan: p.Plan) -> list[tuple[str, p.RulePlan]]:
    """The rules, each with its own name: cases of one transition are numbered."""
    found: list[tuple[str, p.RulePlan]] = []
    for name in plan.figure.transitions():
        rules = [rule for rule in plan.rules if rule.rule.name == name]
        found += zip(_case_names(name, len(rules)), rules, strict=True)
    return found


def _case_names(name: str, count: int) -> list[str]:
    return [name] if count == 1 else [f"{name}.{number}" for number in range(1, count + 1)]


@dataclass(frozen=True)
class Meanings:
    """A figure in symbols."""

    system: System
    before: SymbolicState
    start: SymbolicState
    steps: tuple[SymbolicStep, ...]

    def terminal(self, state: SymbolicState) -> tuple[Term, ...]:
        """The conditions under which a run ends."""
        return tuple(holds(condition, Scene(state)) for condition in self.system.plan.terminal)

    def says(self, condition: s.Condition, state: SymbolicState) -> Term:
        """A condition on the components, such as an invariant of the specification, in a state."""
        return holds(self.system.plan.condition(condition), Scene(state))

    @property
    def special(self) -> tuple[str, ...]:
        """Features that few figures have: a transition depends on which nodes are linked (`links`), or removes arcs
        (`removal`).
        """
        asked = (term for step in self.steps for term in step.guard)
        links = any(symbol.name == LINKED for symbol in t.symbols(asked))
        return (*(["links"] if links else []), *(["removal"] if any(map(forgets, self.steps)) else []))

    def advice(self, oracle: s.Oracle) -> list[Advice]:
        """What an oracle asks for in an arbitrary configuration."""
        return advice_of(self.system.plan, oracle, self.before)


def meanings_of(system: System) -> Meanings:
    """The symbolic meaning of a system; raises `Unsupported` if it has none."""
    before = arbitrary(system.figure.state, shared=system.figure.shared)
    steps = tuple(step_of(rule, name, before) for name, rule in cases(system.plan))
    return Meanings(system, before, initial(system.figure), steps)

"""The symbolic meaning of a figure: start, transitions (`steps`), terminal test and oracles, made of `conditions`.

These modules say in terms what `transitions.execute` says by running; the two are compared on every configuration for small n.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.meaning.conditions import Environment, Meaning, Scene, holds, match_patterns
from arcproof.properties.proving.meaning.state import Run, State, Unsupported, arbitrary, initial, symbol_name
from arcproof.properties.proving.meaning.steps import Step, step_of
from arcproof.transitions import syntax as s
from arcproof.transitions.system import System

# --- oracles ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Advice:
    """A line of an oracle in symbols: when it is the one that is taken, and the cases of the transition it asks for.

    `labelled` are the gold arcs, head and dependent, whose label the transition gets.
    """

    line: s.OracleLine
    number: int
    conditions: tuple[Term, ...]
    steps: tuple[Step, ...]
    labelled: tuple[tuple[Term, Term], ...]


def _line_matches(system: System, line: s.OracleLine, state: State, lengths: Mapping[str, Term]) -> tuple[Term, ...]:
    if line.pattern is None:
        scene = Scene(state, _by_name(state), system.parameters)
        return tuple(holds(c, scene) for c in line.conditions)
    matched = match_patterns(line.pattern, state, lengths)
    scene = Scene(state, matched.names, system.parameters)
    return (*matched.conditions, *(holds(c, scene) for c in line.conditions))


def _by_name(state: State) -> Environment:
    values: dict[str, Meaning] = {**state.flags, **state.counters, **state.sets}
    return {**values, **{c.name: state.whole(c.name) for c in state.sequences}}


def _chosen(line: s.OracleLine, state: State) -> list[str]:
    """The segments of a line whose lengths are chosen, in the order in which the shortest wins."""
    return [
        name
        for component, pattern in zip(state.components, line.pattern or (), strict=False)
        if isinstance(component, s.SequenceComponent) and isinstance(pattern, s.SequenceOf)
        for name in s.choice_segments(pattern, component.head)
    ]


def _some_way(system: System, line: s.OracleLine, state: State) -> Term:
    """Whether a line matches at all."""
    names = _chosen(line, state)
    if not names:
        return t.conjunction(*_line_matches(system, line, state, {}))
    if len(names) > 1:
        raise Unsupported("an oracle line with two segments of open length")
    return t.exists(lambda x: t.conjunction(*_line_matches(system, line, state, {names[0]: x})))


def advice_of(system: System, oracle: s.Oracle, state: State) -> list[Advice]:
    """The lines of an oracle, each with the condition that it is the first to match, in its shortest way."""
    found: list[Advice] = []
    earlier: list[Term] = []
    for number, line in enumerate(oracle.lines, start=1):
        names = _chosen(line, state)
        if len(names) > 1:
            raise Unsupported("an oracle line with two segments of open length")
        lengths = {name: t.constant(f"length_{symbol_name(name)}") for name in names}
        conditions = [*earlier, *_line_matches(system, line, state, lengths)]
        for name in names:
            conditions.append(_no_shorter(system, line, state, name, lengths[name]))
        steps = _asked_for(system, line, state, lengths)
        found.append(Advice(line, number, tuple(conditions), steps, _labelled(system, line, state, lengths)))
        earlier.append(t.negation(_some_way(system, line, state)))
    return found


def _no_shorter(system: System, line: s.OracleLine, state: State, name: str, length: Term) -> Term:
    return t.for_all(
        lambda x: t.implies(
            t.within(0, x, length), t.negation(t.conjunction(*_line_matches(system, line, state, {name: x})))
        )
    )


def _labelled(
    system: System, line: s.OracleLine, state: State, lengths: Mapping[str, Term]
) -> tuple[tuple[Term, Term], ...]:
    """The gold arcs of a line that bind the label of its transition."""
    names = _by_name(state) if line.pattern is None else match_patterns(line.pattern, state, lengths).names
    scene = Scene(state, names, system.parameters)
    bound = [c for c in line.conditions if isinstance(c, s.GoldArc) and c.label is not None and c.label == line.label]
    return tuple((scene.node(arc.head), scene.node(arc.dependent)) for arc in bound)


def _asked_for(system: System, line: s.OracleLine, state: State, lengths: Mapping[str, Term]) -> tuple[Step, ...]:
    """The cases of the transition of a line; each chosen length is that of the line's segment of that name."""
    names = _by_name(state) if line.pattern is None else match_patterns(line.pattern, state, lengths).names
    steps: list[Step] = []
    chosen = {tuple(s.choices(rule, state.components)) for _, rule in cases(system) if rule.name == line.transition}
    if len(chosen) > 1:
        raise Unsupported(f"cases of {line.transition} that leave different lengths open, in an oracle")
    for label, rule in cases(system):
        if rule.name != line.transition:
            continue
        wanted: dict[str, Term] = {}
        for _, segment in s.choices(rule, state.components):
            run = names.get(segment)
            if not isinstance(run, Run):
                raise Unsupported(f"{line.transition} in an oracle without a length for {segment}")
            wanted[segment] = run.length
        steps.append(step_of(system, rule, label, state, wanted))
    return tuple(steps)


# --- the whole figure ------------------------------------------------------------------------------------------------


def cases(system: System) -> list[tuple[str, s.Rule]]:
    """The rules, each with a name of its own: cases of one transition are numbered."""
    named: list[tuple[str, s.Rule]] = []
    for name, rules in system.transitions.items():
        for number, rule in enumerate(rules, start=1):
            named.append((name if len(rules) == 1 else f"{name}.{number}", rule))
    return named


@dataclass(frozen=True)
class Meanings:
    """A figure in symbols."""

    system: System
    before: State
    start: State
    steps: tuple[Step, ...]

    def terminal(self, state: State) -> tuple[Term, ...]:
        """When a run ends."""
        return tuple(self.says(condition, state) for condition in self.system.figure.final)

    def says(self, condition: s.Condition, state: State) -> Term:
        """A condition about the components, such as an invariant of the specification, in a state."""
        return holds(condition, Scene(state, _by_name(state), self.system.parameters))

    def advice(self, oracle: s.Oracle) -> list[Advice]:
        """What an oracle asks for in an arbitrary configuration."""
        return advice_of(self.system, oracle, self.before)


def meanings_of(system: System) -> Meanings:
    """The symbolic meaning of a system; `Unsupported` if it has none."""
    before = arbitrary(system.figure.state)
    steps = tuple(step_of(system, rule, name, before) for name, rule in cases(system))
    return Meanings(system, before, initial(system.figure), steps)

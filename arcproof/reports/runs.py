"""A run to step through: a row for each configuration, and one picture of which each row shows a part.

The picture has every arc that the run adds, and those of the graph it is meant for; the arcs of a row are named by
their numbers in it, those that cross another arc of the same row listed separately, because whether an arc crosses
depends on what is there.  A row also has the rule that led to it, with the values of its variables; in an
oracle's run, the line of the oracle that asked for it; and notes on what is wrong from there on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, Literal

from markupsafe import Markup

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.exhaustive import labelled
from arcproof.properties.engines.shortest_derivation import ArcsAreRemoved, shortest_derivation
from arcproof.properties.engines.spaces import OutOfBounds
from arcproof.properties.evidence import Counterexample
from arcproof.reports import arc_diagram
from arcproof.reports.typeset import component_name, variable
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Derivation, Step, Transition, Value, show_value
from arcproof.transitions.errors import ArcproofError, BadGraph, NotDerivable
from arcproof.transitions.graph import ROOT, Arc, Graph
from arcproof.transitions.system import System, most_transitions

MOST_SEARCHED: Final = 5_000

Words = Sequence[str] | None


@dataclass(frozen=True, slots=True)
class DrawnComponent:
    """A component of a configuration as drawn: a row of cells, with the end at which it grows, or a plain value."""

    kind: str
    name: Markup
    head: Literal["left", "right"] | None
    cells: tuple[tuple[int, str | None], ...]
    text: str


@dataclass(frozen=True, slots=True)
class RunRow:
    """A configuration, and how it was reached: the transition, the number of its rule in the figure, the values of its
    variables.

    `line` says which line of an oracle asked for the transition: the number of the oracle in the figure, and the number
    of the line.
    """

    transition: str
    rule: int | None
    bindings: Markup
    parts: tuple[DrawnComponent, ...]
    added: str
    shown: tuple[int, ...]
    crossing: tuple[int, ...]
    new: tuple[int, ...]
    notes: tuple[str, ...] = ()
    bad: bool = False
    line: tuple[int, int] | None = None

    @property
    def note(self) -> str:
        """All notes in one line."""
        return "; ".join(self.notes)


@dataclass(frozen=True, slots=True)
class RunView:
    """A run with its picture; `towards_gold` if it is meant to build a given graph, whose missing arcs are then shown
    faintly.

    `reason` is the note printed above the run; it is not repeated in the table.
    """

    picture: Markup
    components: tuple[Markup, ...]
    rows: tuple[RunRow, ...]
    towards_gold: bool
    instances: tuple[str, ...]
    reason: str = ""

    @property
    def transitions(self) -> str:
        """The run in one line, without labels."""
        return " ".join(self.instances) or "(no transition)"


def run_view(
    system: System,
    run: Derivation,
    words: Words = None,
    gold: Graph | None = None,
    title: str = "Run",
    oracle: s.Oracle | None = None,
) -> RunView:
    """Draw a run, with the lines of the oracle if an oracle chose its transitions for the gold graph."""
    configurations = [run.initial, *(step.configuration for step in run.steps)]
    arcs = frozenset().union(*(c.arcs for c in configurations), () if gold is None else gold.arcs)
    graph = Graph(run.initial.words, arcs)
    number = {arc: k for k, arc in enumerate(graph.sorted_arcs())}
    rows = [_row(system, run.initial, None, None, number, words)]
    for before, step in zip(configurations, run.steps, strict=False):
        row = _row(system, before, step, before, number, words)
        rows.append(row if oracle is None or gold is None else replace(row, line=_fired(system, before, gold, oracle)))
    rows = [_met_again(row, k, configurations) for k, row in enumerate(rows)]
    picture = Markup(arc_diagram.to_svg(graph, words, title, system.has_root))  # to_svg escapes words and labels
    components = tuple(map(component_name, system.figure.state))
    instances = tuple(step.transition.instance for step in run.steps)
    return RunView(picture, components, tuple(rows), gold is not None, instances)


def _row(
    system: System,
    c: Configuration,
    step: Step | None,
    before: Configuration | None,
    number: dict[Arc, int],
    words: Words,
) -> RunRow:
    after = c if step is None else step.configuration
    crossing = arc_diagram.crossing_arcs(after.graph)
    shown = tuple(sorted(number[arc] for arc in after.arcs))
    crossed = tuple(sorted(number[arc] for arc in crossing))
    parts = tuple(
        _part(component, value, words) for component, value in zip(system.figure.state, after.values, strict=True)
    )
    if step is None or before is None:
        return RunRow("", None, Markup(), parts, "", shown, crossed, ())
    rule, environment = system.permitted(before, step.transition)
    index = next(k for k, known in enumerate(system.figure.rules) if known is rule)
    removed = Graph(before.words, before.arcs - after.arcs).sorted_arcs()
    changed = [str(arc) for arc in step.added] + [f"removed {arc}" for arc in removed]
    return RunRow(
        str(step.transition), index, _bindings(rule, environment), parts, ", ".join(changed), shown, crossed,
        tuple(number[arc] for arc in step.added if arc in number),
        tuple(system.clash_text(arc, "already has a head") for arc in step.clashes), bool(step.clashes),
    )  # fmt: skip


def _fired(system: System, c: Configuration, gold: Graph, oracle: s.Oracle) -> tuple[int, int] | None:
    """Find the oracle line that decides in a configuration: the number of the oracle, and that of the line."""
    target = system.gold(gold)
    for number, line in enumerate(oracle.lines):
        if system.predict(c, target, replace(oracle, lines=(line,))) is not None:
            return system.figure.oracles.index(oracle), number
    return None


def _met_again(row: RunRow, number: int, configurations: Sequence[Configuration]) -> RunRow:
    """Add a note to the row if its configuration occurred before."""
    earlier = configurations.index(configurations[number])
    if earlier == number:
        return row
    where = f"after step {earlier}" if earlier else "at the start"
    return replace(row, notes=(*row.notes, f"the same configuration as {where}"))


def _bindings(rule: s.Rule, environment: dict[str, Value]) -> Markup:
    named = [
        item.name
        for pattern in rule.before
        if isinstance(pattern, s.SequenceOf)
        for item in pattern.items
        if isinstance(item, s.Cell) and item.is_variable
    ]
    return Markup(", ").join(
        Markup("{} = {}").format(variable(name), show_value(environment[name])) for name in dict.fromkeys(named)
    )


def _part(component: s.Component, value: Value, words: Words) -> DrawnComponent:
    head = component.head if isinstance(component, s.SequenceComponent) else None
    nodes = value if isinstance(value, tuple) else tuple(sorted(value)) if isinstance(value, frozenset) else ()
    cells = tuple((node, _word(node, words)) for node in nodes)
    return DrawnComponent(component.kind, variable(component.name), head, cells, show_value(value))


def _word(node: int, words: Words) -> str | None:
    if words is None:
        return None
    return "ROOT" if node == ROOT else words[node - 1]


# --- counterexamples -------------------------------------------------------------------------------------------------


def counterexample_view(system: System, found: Counterexample, oracle: str | None = None) -> RunView | None:
    """Draw the run of a counterexample; for a graph that is not derived, how far an oracle gets; None if there is
    nothing to step through.

    Unless named, the oracle is the first of the figure.
    """
    title = f"Counterexample: {found.reason}"
    if found.transitions is not None:
        return _blamed(run_view(system, _retraced(system, found), None, None, title), found.reason)
    if found.graph is None or not found.words or not system.figure.oracles:
        return None
    try:
        run = system.derive(found.graph, oracle)
    except NotDerivable as failure:
        if failure.run is None:
            return None
        view = towards(system, failure.run, found.graph, None, str(failure), system.oracle(oracle))
        return replace(view, reason=found.reason)
    except BadGraph:
        return None
    return run_view(system, run, None, found.graph, title, system.oracle(oracle))


def other_view(system: System, found: Counterexample) -> RunView | None:
    """Draw the second run of a counterexample that needs two."""
    if found.other is None:
        return None
    again = replace(found, transitions=found.other, other=None)
    if found.best is None:
        return counterexample_view(system, again)
    return run_view(system, _retraced(system, again), None, None, f"A best ending: it builds {found.best}")


def _retraced(system: System, found: Counterexample) -> Derivation:
    """Replay a run, without labels unless arcs differ only in their labels."""
    assert found.transitions is not None
    plain = _taken(system, found, with_labels=False)
    clash = any(step.clashes for step in plain.steps)
    return _taken(system, found, with_labels=True) if clash else plain


def _taken(system: System, found: Counterexample, with_labels: bool) -> Derivation:
    c = initial = system.start(found.words)
    steps: list[Step] = []
    for count, transition in enumerate(found.transitions or ()):
        steps.append(system.step(c, labelled(system, c, transition, count) if with_labels else transition))
        c = steps[-1].configuration
    return Derivation(initial, tuple(steps))


def _blamed(view: RunView, reason: str) -> RunView:
    *before, last = view.rows
    return replace(view, rows=(*before, _with_note(last, reason)), reason=reason)


def _with_note(row: RunRow, note: str) -> RunRow:
    """Mark the row, and put a note before its others, except those that the new one repeats."""
    return replace(row, notes=(note, *(other for other in row.notes if other not in note)), bad=True)


# --- runs towards a graph --------------------------------------------------------------------------------------------

Reachable = Literal["yes", "no", "open"]


def can_still_derive(system: System, c: Configuration, gold: Graph, limit: int = MOST_SEARCHED) -> Reachable:
    """Whether some run from here has the gold graph as output; open if the search would take too long."""
    if not system.figure.several_heads and any(len(heads) > 1 for heads in c.heads_of.values()):
        return "no"
    if any(oracle_continues(system, c, gold, oracle)[1] for oracle in system.figure.oracles):
        return "yes"
    try:
        return "no" if shortest_derivation(system, gold, limit, c) is None else "yes"
    except (ArcsAreRemoved, OutOfBounds):
        return "open"


def oracle_continues(
    system: System, c: Configuration, gold: Graph, oracle: s.Oracle
) -> tuple[tuple[Transition, ...], bool]:
    """Follow an oracle from a configuration as far as it gets; also say whether that leads to the gold graph."""
    target = system.gold(gold)
    wanted = target.graph
    taken: list[Transition] = []
    seen = {c}
    while not system.is_terminal(c) and len(taken) < most_transitions(gold.words):
        try:
            transition = system.predict(c, target, oracle)
            step = None if transition is None else system.step(c, transition)
        except ArcproofError:
            break
        if transition is None or step is None or step.clashes or step.configuration in seen:
            break
        c = step.configuration
        taken.append(transition)
        seen.add(c)
    built = {(arc.head, arc.dependent) for arc in c.arcs}
    reached = system.is_terminal(c) and built == {(arc.head, arc.dependent) for arc in wanted.arcs}
    return tuple(taken), reached


def first_unreachable(system: System, run: Derivation, gold: Graph) -> int | None:
    """Find the first configuration of a run from which the graph can no longer be derived; None if there is none, or it
    is unknown.
    """
    configurations = [run.initial, *(step.configuration for step in run.steps)]
    for number, c in enumerate(configurations):
        if can_still_derive(system, c, gold) == "no":
            return number
    return None


def staying_within_reach(system: System, c: Configuration, gold: Graph) -> tuple[Transition, ...]:
    """The permissible transitions after which the graph can still be derived, as far as that is known."""
    return tuple(
        transition
        for transition in system.permissible(c)
        if can_still_derive(system, system.step(c, transition).configuration, gold) == "yes"
    )


def _silent(
    system: System, c: Configuration, gold: Graph, oracle: s.Oracle, kept: tuple[Transition, ...]
) -> Iterator[str]:
    """Say why no line of an oracle asks for what would have kept the graph within reach."""
    target = system.gold(gold)
    names = {transition.name for transition in kept}
    for number, line in enumerate(oracle.lines, start=1):
        if line.transition in names:
            reason = system.why_silent(line, c, target)
            yield f"line {number}, {line.transition}, " + (
                "would ask for it, but an earlier line decides" if reason is None else f"does not ask for it: {reason}"
            )


def towards(
    system: System, run: Derivation, gold: Graph, words: Words, how_it_ends: str, oracle: s.Oracle | None = None
) -> RunView:
    """Draw a run that fails to build its graph, with a note on where the graph went out of reach and what would have
    kept it within reach.
    """
    view = run_view(system, run, words, gold, f"Towards {gold}", oracle)
    lost = first_unreachable(system, run, gold)
    rows = list(view.rows)
    rows[-1] = _with_note(rows[-1], how_it_ends)
    if lost == 0:
        rows[0] = _with_note(rows[0], "no run derives this graph at all")
    elif lost is not None:
        before = run.initial if lost == 1 else run.steps[lost - 2].configuration
        kept = staying_within_reach(system, before, gold)
        instead = f"; {' or '.join(t.instance for t in kept)} would have kept it within reach" if kept else ""
        silent = () if oracle is None else _silent(system, before, gold, oracle, kept)
        rows[lost] = _with_note(rows[lost], "; ".join((f"from here on, no run leads to this graph{instead}", *silent)))
    return replace(view, rows=tuple(rows))

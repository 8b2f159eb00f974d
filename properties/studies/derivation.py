"""Costs that are inferred rather than written down: a dynamic oracle for a figure that has none.

For every transition, a sum of *features* is sought that equals its exact cost (`losses`) in all situations up to a few
words: in every configuration from which a run can still end, for every gold graph of a class.  Features are counts and
truth values about the nodes and runs that the pattern of the transition names: for a node x and a run of cells R of one
sequence

- how many words of R are gold dependents of x, all of them or only those without a head: `#{k in R: gold x -> k, no
  head(k)}`;
- whether the gold head of x is in R, in any case or only while it has no head: `[gold head(x) in R, no head(x)]`;
- how many words of R have their gold head in another run of cells, all of them or only those without a head;
- whether x has a head, and the number 1.

Of all sums that fit, with coefficients up to 2, one with the fewest features is sought (an integer program, solved by
HiGHS); after a minute the best one so far is taken.  A pattern is tried as the rule writes it, then with one more node
named in a sequence, then with two; for sequences without such a node, a shorter pattern has its own line.  The result
is then checked with up to two more words than requested.  If that refutes it, or if a transition does not occur with
that few words, situations with more words are used too; the check does not go any further in that case, so it may not
reach beyond those words.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, product
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from arcproof.process.extras import need
from arcproof.process.interruption import go_on
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.claims.dynamic_oracle import check_dynamic_oracle, within_reason
from arcproof.properties.engines.defined_losses import UNREACHABLE
from arcproof.properties.engines.engine import EngineName
from arcproof.properties.engines.levels import Levels
from arcproof.properties.evidence import Evidence, Exhausted, Refuted
from arcproof.properties.studies.mutation import MOST_MEMORY, explorer
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.execute import Situation, environments
from arcproof.transitions.system import System

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from arcproof.properties.engines.losses import Losses

NAME: Final = "derived"
NEVER: Final = "with this few words, it does not occur in any configuration from which a run can still end"
MOST_NAMED: Final = 2
"""The most nodes that are named in addition to those of the rule."""
MOST_ROWS: Final = 20_000
SECONDS: Final = 60.0
GREATEST_COEFFICIENT: Final = 2
_LETTERS: Final = "xyzuvwpqrt"
_COUNTED: Final = "kmdecgfhl"

Pattern: TypeAlias = tuple[s.Pattern, ...]
Rows: TypeAlias = "npt.NDArray[np.int64]"


@dataclass(frozen=True, slots=True)
class Unfitted:
    """A transition for which no sum of features was found: the last pattern tried, and why no sum was found."""

    transition: str
    pattern: Pattern
    why: str


@dataclass(frozen=True)
class Derived:
    """The costs that were found, from situations up to `learned` words, and the result of the check."""

    system: System
    graphs: s.GraphClass
    lines: tuple[s.CostLine, ...]
    unfitted: tuple[Unfitted, ...]
    learned: int
    evidence: Evidence | None

    @property
    def oracle(self) -> s.DynamicOracle | None:
        """The dynamic oracle; None if a transition has no cost."""
        return None if self.unfitted else s.DynamicOracle(NAME, self.lines)

    @property
    def is_exact(self) -> bool:
        """Whether all situations were tried and none refutes it."""
        return isinstance(self.evidence, Exhausted)

    @property
    def is_checked_beyond(self) -> bool:
        """Whether situations with more words than it was found from were tried, and all of them."""
        return isinstance(self.evidence, Exhausted) and self.evidence.words > self.learned


def with_oracle(system: System, oracle: s.DynamicOracle) -> System:
    """The system with one more dynamic oracle."""
    return replace(
        system, figure=replace(system.figure, dynamic_oracles=(*system.figure.dynamic_oracles, oracle)), text=""
    )


# --- patterns --------------------------------------------------------------------------------------------------------


def extensions(rule: s.Rule) -> list[tuple[int, ...]]:
    """Numbers of additional nodes to name in each sequence, the fewest first."""
    ways = product(*(range(MOST_NAMED + 1 if _can_be_longer(part) else 1) for part in rule.before))
    return sorted((way for way in ways if sum(way) <= MOST_NAMED), key=sum)


def _can_be_longer(part: s.Pattern) -> bool:
    """Whether it has exactly one run of nodes, so that it is clear where the next node is."""
    return isinstance(part, s.SequenceOf) and len(part.items) - part.cells == 1


def patterns_of(rule: s.Rule, figure: s.Figure, named: tuple[int, ...]) -> list[Pattern]:
    """The pattern of a rule with this many more nodes named in each sequence, and shorter ones for sequences that have
    fewer.
    """
    letters = _free(_LETTERS, rule.before, figure)
    ways = [
        _longer(part, component, more, letters)
        for part, component, more in zip(rule.before, figure.state, named, strict=True)
    ]
    return _longest_first(product(*ways))


def _free(letters: str, pattern: Pattern, figure: s.Figure) -> Iterator[str]:
    """The letters that a pattern can use for a new variable."""
    taken = {item.name for part in pattern if isinstance(part, s.SequenceOf) for item in part.items}
    taken |= {part.name for part in pattern if isinstance(part, s.AnyValue)}
    taken |= {declared.name for declared in (*figure.state, *figure.parameters)}
    return (letter for letter in letters if letter not in taken)


def _longest_first(patterns: Iterable[Pattern]) -> list[Pattern]:
    return sorted(patterns, key=lambda pattern: -sum(map(_cells, pattern)))


def _longer(part: s.Pattern, component: s.Component, named: int, letters: Iterator[str]) -> list[s.Pattern]:
    """The pattern with `named` more nodes, if it can be longer, then with one fewer, and so on."""
    if not isinstance(part, s.SequenceOf) or not isinstance(component, s.SequenceComponent):
        return [part]
    found: list[s.Pattern] = [s.SequenceOf(tuple(_nameless(item, letters) for item in part.items))]
    for _ in range(named if _can_be_longer(part) else 0):
        shorter = found[0]
        assert isinstance(shorter, s.SequenceOf)
        at = next(k for k, item in enumerate(shorter.items) if isinstance(item, s.Segment))
        cell = s.Cell(next(letters))
        after = at + 1 if component.head == "right" else at
        found.insert(0, s.SequenceOf((*shorter.items[:after], cell, *shorter.items[after:])))
    return found


def _nameless(item: s.Item, letters: Iterator[str]) -> s.Item:
    return s.Cell(next(letters)) if item.name == "_" else item


def _cells(part: s.Pattern) -> int:
    return part.cells if isinstance(part, s.SequenceOf) else 0


# --- features --------------------------------------------------------------------------------------------------------


def features_of(pattern: Pattern, figure: s.Figure) -> list[s.CostPart]:
    """The features that may be summed where a pattern matches."""
    sequences = [part for part in pattern if isinstance(part, s.SequenceOf)]
    cells = (item for part in sequences for item in part.items if isinstance(item, s.Cell))
    nodes = [s.Variable(cell.name) for cell in cells if cell.is_variable]
    counted = next(_free(_COUNTED, pattern, figure))
    found: list[s.CostPart] = [s.Number(1), *(s.TruthOf((s.HasHead(node),)) for node in nodes)]
    regions = [region for part in sequences for region in _regions(part)]
    for node, region in product(nodes, regions):
        found += _about(node, region, counted)
    runs = [region for region in regions if region.cells < len(region.items)]
    for region, heads in product(runs, runs):
        found += _between(region, heads, counted)
    return list(dict.fromkeys(found))


def _regions(sequence: s.SequenceOf) -> Iterator[s.SequenceOf]:
    """Yield single nodes, and neighbouring items that include a run of nodes."""
    items = sequence.items
    for first in range(len(items)):
        for after in range(first + 1, len(items) + 1):
            region = s.SequenceOf(items[first:after])
            if len(region.items) == 1 or region.cells < len(region.items):
                yield region


def _about(node: s.Variable, region: s.SequenceOf, counted: str) -> Iterator[s.CostPart]:
    if region.cells == len(region.items) == 1:
        other = s.Variable(region.items[0].name)
        if other != node:
            yield from _arc(node, other)
        return
    if node.name in (region.items[0].name, region.items[-1].name):
        return  # the region without it says the same
    word = s.Variable(counted)
    arc = s.GoldArc(node, word, None)
    yield s.CountOf(counted, region, (arc,))
    yield s.CountOf(counted, region, (arc, s.Not(s.HasHead(word))))
    head = _gold_head(node, region)
    yield s.TruthOf((head,))
    yield s.TruthOf((head, s.Not(s.HasHead(node))))


def _between(region: s.SequenceOf, heads: s.SequenceOf, counted: str) -> Iterator[s.CostPart]:
    word = s.Variable(counted)
    head = _gold_head(word, heads)
    yield s.CountOf(counted, region, (head,))
    yield s.CountOf(counted, region, (head, s.Not(s.HasHead(word))))


def _gold_head(node: s.Variable, region: s.SequenceOf) -> s.Condition:
    return s.Quantified("exists", s.GOLD_HEAD, region, s.GoldArc(s.Variable(s.GOLD_HEAD), node, None))


def _arc(head: s.Variable, dependent: s.Variable) -> Iterator[s.CostPart]:
    arc = s.GoldArc(head, dependent, None)
    yield s.TruthOf((arc,))
    yield s.TruthOf((arc, s.Not(s.HasHead(dependent))))


# --- situations ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Situations:
    """All configurations up to some words from which a run can end, with every gold graph."""

    pieces: "tuple[Losses, ...]"

    @classmethod
    def up_to(cls, levels: Levels, graphs: s.GraphClass) -> "Situations":
        """The situations of those levels that are within reason."""
        from arcproof.properties.engines.losses import losses_for_class

        return cls(tuple(piece for space in within_reason(levels, graphs) for piece in losses_for_class(space, graphs)))

    @property
    def words(self) -> int:
        """The greatest number of words."""
        return max((piece.space.words for piece in self.pieces), default=0)

    def rows(self, system: System, name: str, wanted: Pattern, longer: Sequence[Pattern]) -> Rows:
        """The features of all situations in which a transition is permissible and a pattern matches, but none of the
        longer ones, with the true costs in the last column.
        """
        import numpy as np

        from arcproof.properties.engines.golds import Golds, costs

        features = features_of(wanted, system.figure)
        found: list[Rows] = [np.zeros((0, len(features) + 1), dtype=np.int64)]
        for piece in self.pieces:
            golds = Golds(piece.heads)
            for c, edge in _edges(piece, name):
                go_on()
                situation = _matched(system, c, piece.space.transition(edge), wanted, longer)
                if situation is not None:
                    columns = [costs(s.CostLine(name, None, (("+", one),)), situation, golds) for one in features]
                    found.append(_distinct(np.stack([*columns, piece.costs(edge).astype(np.int64)], axis=1)))
        return _distinct(np.concatenate(found))


def _distinct(rows: Rows) -> Rows:
    """Each distinct row once, in order.  NumPy's `unique` compares rows in a way that swallows Ctrl-C."""
    import numpy as np

    if not len(rows):
        return rows
    found = rows[np.lexsort(rows.T[::-1])]
    is_new = np.concatenate([[True], (found[1:] != found[:-1]).any(axis=1)])
    kept: Rows = found[is_new]
    return kept


def _edges(piece: "Losses", name: str) -> Iterator[tuple[Configuration, int]]:
    """The configurations that permit a transition after which a run can still end."""
    import numpy as np

    space = piece.space
    if not len(piece.golds):
        return
    number = list(space.system.transitions).index(name)
    for edge in map(int, np.flatnonzero(np.asarray(space.steps.names) == number)):
        if piece.table[space.steps.targets[edge], 0] != UNREACHABLE:
            source = int(np.searchsorted(space.steps.starts, edge, side="right")) - 1
            yield space.configuration(source), edge


def _matched(
    system: System, c: Configuration, transition: Transition, wanted: Pattern, longer: Sequence[Pattern]
) -> Situation | None:
    state = system.figure.state
    if any(environments(other, state, c) for other in longer):
        return None
    for choice, environment in environments(wanted, state, c):
        if not choice or choice == transition.choice:
            return Situation(c, environment, system.parameters)
    return None


# --- sums ------------------------------------------------------------------------------------------------------------


def fewest(rows: Rows) -> list[int] | None:
    """Coefficients for which the sums equal the last column, as few as possible of them other than 0; None if none are
    found.

    If the same feature values occur with two different costs, no sum fits.
    """
    values, wanted = rows[:, :-1], rows[:, -1]
    if not wanted.any():
        return [0] * values.shape[1]
    if len(_distinct(values)) < len(rows):
        return None
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp

    count, most = values.shape[1], GREATEST_COEFFICIENT
    used = np.eye(count) * most
    constraints = [
        LinearConstraint(np.hstack([values, np.zeros_like(values)]), wanted, wanted),
        LinearConstraint(np.hstack([np.eye(count), -used]), -np.inf, 0),
        LinearConstraint(np.hstack([np.eye(count), used]), 0, np.inf),
    ]
    bounds = Bounds([-most] * count + [0] * count, [most] * count + [1] * count)
    weights = np.concatenate([np.zeros(count), 1 + np.arange(count) / (100 * count)])
    solved = milp(
        weights, integrality=np.ones(2 * count), bounds=bounds, constraints=constraints, options={"time_limit": SECONDS}
    )
    return None if solved.x is None else [round(x) for x in solved.x[:count]]


def line_of(name: str, pattern: Pattern, coefficients: Sequence[int], figure: s.Figure) -> s.CostLine:
    """The sum as a line of a dynamic oracle."""
    parts: list[tuple[Literal["+", "-"], s.CostPart]] = [
        ("+" if coefficient > 0 else "-", part)
        for part, coefficient in zip(features_of(pattern, figure), coefficients, strict=True)
        for _ in range(abs(coefficient))
    ]
    parts.sort(key=lambda part: part[0] == "-")
    return s.CostLine(name, pattern, tuple(parts) or (("+", s.Number(0)),))


def fit(system: System, rules: Sequence[s.Rule], situations: Situations) -> list[s.CostLine] | Unfitted:
    """The lines for one transition, which may have several cases: with as few nodes named as possible."""
    name, pattern = rules[0].name, rules[0].before
    why = NEVER
    for named in dict.fromkeys(way for rule in rules for way in extensions(rule)):
        lines: list[s.CostLine] = []
        patterns = _longest_first(pattern for rule in rules for pattern in patterns_of(rule, system.figure, named))
        for place, pattern in enumerate(patterns):
            rows = situations.rows(system, name, pattern, patterns[:place])
            if not len(rows):
                continue
            if len(rows) > MOST_ROWS:
                return Unfitted(name, pattern, f"there are {len(rows)} different situations")
            coefficients = fewest(rows)
            if coefficients is None:
                why = "no sum of the features was found that equals the cost"
                break
            lines.append(line_of(name, pattern, coefficients, system.figure))
        else:
            if lines:
                return _without_repetition(lines)
    return Unfitted(name, pattern, why)


def _without_repetition(lines: list[s.CostLine]) -> list[s.CostLine]:
    """The lines without those whose cost is the same as that of the next line."""
    kept: list[s.CostLine] = []
    for line in reversed(lines):
        if not kept or kept[0].parts != line.parts:
            kept.insert(0, line)
    return kept


def derive(
    system: System, graphs: s.GraphClass, words: int, beyond: int = 2, engine: EngineName = "interpreter"
) -> Derived:
    """Derive costs from `words` words, or up to `beyond` more if need be, and check them with `beyond` more."""
    need("train", "scipy")
    bounded = system.class_with_parameters(graphs)
    learned = words
    while True:
        situations = Situations.up_to(levels_of(system, learned, engine), bounded)
        fitted = [fit(system, cases, situations) for cases in system.transitions.values()]
        lines = tuple(line for one in fitted if isinstance(one, list) for line in one)
        unfitted = tuple(one for one in fitted if isinstance(one, Unfitted))
        found = Derived(system, bounded, lines, unfitted, situations.words, None)
        if any(one.why == NEVER for one in unfitted) and learned < words + beyond:
            learned += 1
            continue
        if found.oracle is None:
            return found
        levels = levels_of(with_oracle(system, found.oracle), words + beyond, engine)
        evidence = check_dynamic_oracle(levels, s.Exact(NAME, bounded))
        if not isinstance(evidence, Refuted) or learned >= words + beyond or evidence.counterexample.words <= learned:
            return replace(found, evidence=evidence)
        learned = evidence.counterexample.words


def levels_of(system: System, words: int, engine: EngineName) -> Levels:
    """The levels up to this many words."""
    return Levels(system, words, MOST_MEMORY, explorer(system, engine))


def default_class(system: System) -> s.GraphClass:
    """The class of the first claim about a dynamic oracle; else the first class of trees or forests for which the
        figure claims to be complete, as trees.

    Without such a claim, all trees.
    """
    claimed = [claim.statement for claim in system.figure.claims if claim.kind == "plain"]
    about_costs = (one.graphs for one in claimed if isinstance(one, s.Exact | s.Safe | s.NeverStuck))
    complete = (one.graphs for one in claimed if isinstance(one, s.CompleteFor) and one.graphs.base != "graphs")
    as_trees = (replace(graphs, base="trees") for graphs in complete)
    return next(chain(about_costs, as_trees), s.GraphClass((), "trees"))

"""Each claim by its definition, decided for sentences of one length by looking at everything.

`Space` holds all configurations of n words that runs reach.  Every function below says whether a statement holds for
these sentences; `NotJudged` is raised where the definition gives no answer, or there is too much to look at.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import product

from arcproof.transitions import syntax as s
from tests.independent.classes import Arcs, graphs_of, is_in
from tests.independent.interpreter import (
    Arc,
    Configuration,
    Gold,
    NotJudged,
    Scene,
    Step,
    System,
    by_name,
    holds,
    number,
    related,
)

MAX_CONFIGURATIONS = 3_000
MAX_ASKED = 200_000
"""The most situations, each a configuration with a gold graph, that are looked at."""
LABELS = ("a", "b", "c")
"""The labels of gold arcs, and the tags: with up to this many words all may differ."""
OTHER = "other"
"""A label that no gold arc has."""


class Space:
    """The configurations that runs reach, breadth first, and the steps between them; a run ends in the first terminal
    configuration.
    """

    def __init__(self, system: System, words: int, labels: tuple[str, ...] = ()) -> None:
        self.system, self.words = system, words
        start = system.start(words)
        self.steps: dict[Configuration, list[Step]] = {}
        self.terminal: set[Configuration] = set()
        waiting = [start]
        while waiting:
            following: list[Configuration] = []
            for c in waiting:
                if c in self.steps:
                    continue
                if len(self.steps) >= MAX_CONFIGURATIONS:
                    raise NotJudged("too many configurations")
                if system.is_terminal(c):
                    self.terminal.add(c)
                self.steps[c] = [] if c in self.terminal else system.steps(c, labels)
                following += [step.after for step in self.steps[c]]
            waiting = following
        self.start = start

    @cached_property
    def outputs(self) -> set[Arcs]:
        return {c.output for c in self.terminal}

    @cached_property
    def ends_from(self) -> dict[Configuration, frozenset[Configuration]]:
        """The terminal configurations that runs from each configuration reach."""
        found = {c: frozenset({c} if c in self.terminal else ()) for c in self.steps}
        changed = True
        while changed:
            changed = False
            for c in reversed(self.steps):
                ends = found[c].union(*(found[step.after] for step in self.steps[c]))
                changed = changed or ends != found[c]
                found[c] = ends
        return found

    @cached_property
    def useful(self) -> list[Configuration]:
        """The configurations from which some run ends."""
        return [c for c in self.steps if self.ends_from[c]]


def holds_for(statement: s.Statement, system: System, words: int) -> bool:
    """Whether a statement is true of all sentences of this many words."""
    if hasattr(statement, "graphs"):
        statement = replace(statement, graphs=system.with_values(statement.graphs))
    match statement:
        case s.SameTransitions(other, graphs):
            return like(system, system.others[other], graphs, words)
        case s.SameOutputs(other):
            return equivalent(Space(system, words), Space(system.others[other], words))
    space = Space(system, words)
    match statement:
        case s.Sound(graphs):
            return sound(space, graphs)
        case s.CompleteFor(graphs):
            return {as_output_of_class(system, graphs, g) for g in graphs_of(graphs, words)} <= space.outputs
        case s.Terminates():
            return not has_cycle(space, list(space.steps))
        case s.LengthBound(relation, bound):
            return bounded(space, None, relation, bound)
        case s.CountBound(transition, relation, bound):
            return bounded(space, transition, relation, bound)
        case s.SpaceBound(relation, bound):
            return space_bounded(space, relation, bound)
        case s.Incremental(strength):
            return incremental(space, strength)
        case s.NoDeadEnds():
            return all(space.steps[c] for c in space.steps if c not in space.terminal)
        case s.Unambiguous():
            return unambiguous(space)
        case s.Exact() | s.Safe() | s.NeverStuck():
            return costs_are(statement, system, words)
        case s.ArcDecomposable(graphs):
            return arc_decomposable(space, graphs)
    raise NotJudged(f"{statement}")


# --- outputs ---------------------------------------------------------------------------------------------------------


def seen_by_class(system: System, graphs: s.GraphClass, output: Arcs, words: int) -> Arcs:
    """With `root none`, words without a head count as dependents of 0 in trees; other classes take outputs as they
    are.
    """
    if not system.figure.rootless or graphs.base != "trees":
        return output
    headed = {d for _, d in output}
    return output | {(0, word) for word in range(1, words + 1) if word not in headed}


def as_output_of_class(system: System, graphs: s.GraphClass, graph: Arcs) -> Arcs:
    """The output that would be this graph of the class."""
    if not system.figure.rootless or graphs.base != "trees":
        return graph
    several = {d for h, d in graph if h != 0}
    return frozenset((h, d) for h, d in graph if h != 0 or d in several)


def sound(space: Space, graphs: s.GraphClass) -> bool:
    """Every output is in the class, and no transition of any run adds an arc into 0 or a second head."""
    if any(step.into_root or step.clashes for steps in space.steps.values() for step in steps):
        return False
    system, words = space.system, space.words
    return all(is_in(graphs, seen_by_class(system, graphs, one, words), words) for one in space.outputs)


def equivalent(one: Space, other: Space) -> bool:
    """The same graphs can be derived; with `root none`, words without a head count as dependents of 0."""
    trees = s.GraphClass((), "trees")
    several = one.system.figure.several_heads or other.system.figure.several_heads

    def outputs(space: Space) -> set[Arcs]:
        if several:
            return space.outputs
        return {seen_by_class(space.system, trees, output, space.words) for output in space.outputs}

    return outputs(one) == outputs(other)


# --- runs ------------------------------------------------------------------------------------------------------------


def has_cycle(space: Space, among: list[Configuration]) -> bool:
    """Whether some configuration can be reached from itself: what remains when configurations without a successor are
    taken away, again and again.
    """
    left = set(among)
    while gone := {c for c in left if not any(step.after in left for step in space.steps[c])}:
        left -= gone
    return bool(left)


def bounded(space: Space, transition: str | None, relation: s.Bounding, bound: s.Term) -> bool:
    """Whether every run that ends has a length, or a count, in this relation to the bound."""
    seen: dict[tuple[Configuration, tuple[tuple[str, int], ...]], None] = {}
    waiting: list[tuple[Configuration, tuple[tuple[str, int], ...]]] = [(space.start, ())]
    useful = set(space.useful)
    # A round adds one at least to what it adds to, and has at most as many steps as there are configurations: so many
    # rounds exceed a bound such as 3n + 2.
    limit = (4 * space.words + 4) * len(space.steps) if has_cycle(space, space.useful) else None
    while waiting:
        c, counted = waiting.pop()
        if (c, counted) in seen or c not in useful:
            continue
        seen[c, counted] = None
        if len(seen) > MAX_ASKED:
            raise NotJudged("too many runs")
        counts = dict(counted)
        length = sum(counts.values())
        if c in space.terminal:
            value = length if transition is None else counts.get(transition, 0)
            if not related(Fraction(value), relation, number(bound, _empty(space), counts)):
                return False
        if limit is None or length < limit:
            waiting += [
                (step.after, tuple(sorted({**counts, name: counts.get(name, 0) + 1}.items())))
                for step in space.steps[c]
                for name in [step.transition.name]
            ]
    return True


def _empty(space: Space) -> Scene:
    return space.system.scene(Configuration(space.words, ()), {})


def size(c: Configuration) -> int:
    """Cells of all sequences plus arcs, plus flags, counters and members of sets."""
    return len(c.output) + sum(len(value) if isinstance(value, (tuple, frozenset)) else 1 for value in c.values)


def space_bounded(space: Space, relation: s.Bounding, bound: s.Term) -> bool:
    """The maximum over a run is within the bound; with `=`, it is the bound for some run."""
    limit = number(bound, _empty(space))
    most = max(map(size, space.steps))
    if relation == ">=":
        raise NotJudged("a lower bound on space")
    return bool(most <= limit if relation == "<=" else most == limit)


def incremental(space: Space, strength: str) -> bool:
    """Nivre 2008, Definition 6."""
    state = space.system.figure.state
    buffers = [k for k, part in enumerate(state) if isinstance(part, s.SequenceComponent) and part.kind == "buffer"]
    if len(buffers) != 1:
        raise NotJudged("a state without one buffer")
    for c, steps in space.steps.items():
        if strength != "weakly" and c not in space.terminal and not c.values[buffers[0]]:
            return False
        for step in steps:
            old, new = c.values[buffers[0]], step.after.values[buffers[0]]
            if not c.output <= step.after.output:
                return False
            if strength != "weakly" and len(new) > len(old):
                return False
            if strength == "strictly" and new != old[len(old) - len(new) :]:
                return False
    return True


def unambiguous(space: Space) -> bool:
    """Every output has exactly one derivation: runs are counted, longer and longer ones."""
    useful = set(space.useful)
    if has_cycle(space, space.useful):
        return False
    runs = {space.start: 1} if space.start in useful else {}
    derivations: dict[Arcs, int] = {}
    while runs:
        longer: dict[Configuration, int] = {}
        for c, many in runs.items():
            if c in space.terminal:
                derivations[c.output] = derivations.get(c.output, 0) + many
            for step in space.steps[c]:
                if step.after in useful:
                    longer[step.after] = longer.get(step.after, 0) + many
        runs = longer
    return all(many == 1 for many in derivations.values())


# --- oracles ---------------------------------------------------------------------------------------------------------


def golds_of(
    system: System, graphs: s.GraphClass, words: int, labels: tuple[str, ...] = (), tags: tuple[str, ...] = ()
) -> Iterator[Gold]:
    """The gold graphs of a class with every choice of labels and tags."""
    for graph in graphs_of(graphs, words):
        arcs = sorted(graph)
        for chosen in product(labels, repeat=len(arcs)) if labels else [(None,) * len(arcs)]:
            labelled = frozenset((h, label, d) for (h, d), label in zip(arcs, chosen, strict=True))
            for tagged in product(tags, repeat=words) if tags else [()]:
                yield system.gold(words, labelled, dict(enumerate(tagged, 1)))


def labels_of(*systems: System) -> tuple[str, ...]:
    """The labels that gold arcs have, if transitions have labels."""
    effects = [effect for system in systems for effect in system.figure.effects]
    has_labels = any(isinstance(one, s.AddArc) and one.label is not None for one in effects)
    return LABELS[:2] if has_labels else ()


def tags_of(*systems: System) -> tuple[str, ...]:
    """The tags that words have, if transitions give any."""
    return LABELS[:2] if any(system.figure.assigns_tags for system in systems) else ()


def oracle_correct(system: System, oracle: str, graphs: s.GraphClass, words: int) -> bool:
    """Whether an oracle leads to every graph of a class with its labels and tags, whatever they are."""
    (lines,) = (one for one in system.figure.oracles if one.name == oracle)
    labels = labels_of(system)
    golds = golds_of(system, system.with_values(graphs), words, labels, tags_of(system))
    return all(system.oracle_run(lines, gold) is not None for gold in golds)


def invariant_holds(space: Space, condition: s.Condition) -> bool:
    """Whether a condition holds in every configuration that runs reach."""
    system = space.system
    return all(holds(condition, system.scene(c, by_name(system.figure, c))) for c in space.steps)


def oracle_invariant_holds(system: System, given: s.OracleInvariant, graphs: s.GraphClass, words: int) -> bool:
    """Whether a condition holds in every configuration on an oracle's way to the graphs of a class."""
    (oracle,) = (one for one in system.figure.oracles if one.name == given.oracle)
    for gold in golds_of(system, system.with_values(graphs), words):
        run = system.oracle_run(oracle, gold)
        if run is None:
            raise NotJudged("an oracle that does not lead there")
        for c in (system.start(words), *(step.after for step in run)):
            if not holds(given.condition, system.scene(c, by_name(system.figure, c), gold)):
                return False
    return True


def like(one: System, other: System, graphs: s.GraphClass, words: int) -> bool:
    """Whether the first oracles take the same transitions, labels and choices included, for every gold graph."""
    labels, tags = labels_of(one, other), tags_of(one, other)
    if one.figure.rootless != other.figure.rootless:
        raise NotJudged("one figure with the root and one without")
    for gold in golds_of(one, graphs, words, labels, tags):
        runs = [system.oracle_run(system.figure.oracles[0], gold) for system in (one, other)]
        if None in runs or [step.transition for step in runs[0] or ()] != [step.transition for step in runs[1] or ()]:
            return False
    return True


# --- dynamic oracles -------------------------------------------------------------------------------------------------


def loss(output: frozenset[Arc], gold: Gold, labelled: bool) -> int:
    """The words whose head is not the gold one, or, with labels, whose head or label is not."""

    def of(arcs: frozenset[Arc], word: int) -> set[tuple[int, str | None]]:
        return {(h, label if labelled else None) for h, label, d in arcs if d == word}

    return sum(of(output, word) != of(gold.arcs, word) for word in range(1, gold.words + 1))


def two_heads(space: Space) -> bool:
    """Whether a run can end with a word that has two heads."""
    return any(len({d for _, d in output}) < len(output) or any(d == 0 for _, d in output) for output in space.outputs)


def costs_are(statement: s.OfADynamicOracle, system: System, words: int) -> bool:
    """Whether the costs are the true ones, what is free costs nothing, or something is always free; asked wherever a
    run can still end, for every gold graph.
    """
    (oracle,) = (one for one in system.figure.dynamic_oracles if one.name == statement.oracle)
    labelled = oracle.is_labelled
    if labelled and words > 2:
        raise NotJudged("labelled costs of many words")
    space = Space(system, words, (*LABELS[:2], OTHER) if labelled else ())
    if two_heads(space) or (labelled and any(step.clashes for steps in space.steps.values() for step in steps)):
        raise NotJudged("outputs with two heads")
    golds = list(golds_of(system, statement.graphs, words, LABELS[:2] if labelled else ()))
    if len(golds) * sum(map(len, space.steps.values())) > MAX_ASKED:
        raise NotJudged("too many situations")
    for gold in dict.fromkeys(golds_as_seen(golds)):
        nearest = {c: min(loss(end.arcs, gold, labelled) for end in space.ends_from[c]) for c in space.useful}
        for c in space.useful:
            if space.steps[c] and not _costs_are(statement, system, oracle, c, space.steps[c], gold, nearest):
                return False
    return True


def golds_as_seen(golds: list[Gold]) -> Iterator[Gold]:
    """Gold graphs without tags, which no cost asks for; they can be compared."""
    return (gold._replace(tags=()) for gold in golds)  # type: ignore[arg-type]


def _costs_are(
    statement: s.OfADynamicOracle, system: System, oracle: s.DynamicOracle, c: Configuration, steps: list[Step],
    gold: Gold, nearest: dict[Configuration, int],
) -> bool:  # fmt: skip
    free = False
    for step in steps:
        said = system.cost(oracle, c, step.transition, gold)
        if said is None:
            return False
        true = nearest[step.after] - nearest[c] if step.after in nearest else None
        if isinstance(statement, s.Exact) and said != true:
            return False
        if isinstance(statement, s.Safe) and said <= 0 and true != 0:
            return False
        free = free or said <= 0
    return free or not isinstance(statement, s.NeverStuck)


def arc_decomposable(space: Space, graphs: s.GraphClass) -> bool:
    """Wherever a run can still end: if each of some arcs of one gold graph is in an output that can be reached, one
    output has them all.
    """
    if two_heads(space):
        raise NotJudged("outputs with two heads")
    system, words = space.system, space.words
    golds = graphs_of(graphs, words)
    if len(golds) * len(space.steps) > MAX_ASKED:
        raise NotJudged("too many situations")
    for c in space.useful:
        ends = {seen_by_class(system, graphs, end.output, words) for end in space.ends_from[c]}
        for gold in golds:
            within_reach = {arc for arc in gold if any(arc in output for output in ends)}
            if not any(within_reach <= output for output in ends):
                return False
    return True

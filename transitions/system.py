"""A transition system: a figure with its parameters, ready to run.

`load` takes the name of a built-in system, the path of a specification, or its text:

>>> from arcproof.transitions.system import load
>>> system = load("arc-eager")
>>> print(system.start(3))
([0], [1, 2, 3], {})
"""

import hashlib
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.shown import Shown, WithDocument, WithLatex
from arcproof.process.suggestions import perhaps
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Derivation, Step, Transition, Value, show_value
from arcproof.transitions.errors import (
    BadArgument,
    BadGraph,
    BadParameter,
    NotDerivable,
    NotPermissible,
    UnknownOracle,
    UnknownSystem,
)
from arcproof.transitions.execute import (
    Environment,
    Quantity,
    Situation,
    cost,
    environments,
    evaluate,
    holds,
    matches,
    node_of,
    perform,
    start_value,
)
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import MOST_DIGITS, ROOT, Arc, Graph, Heads
from arcproof.transitions.library import SUFFIX, similar_names, source_of, system_names
from arcproof.transitions.loss_functions import LOSS_FUNCTIONS, sequences_of
from arcproof.transitions.plan import Plan
from arcproof.transitions.printing.notation import SOURCE, condition_text, pattern_text
from arcproof.transitions.printing.wording import FORGOTTEN_ROOT, HEADLESS_HANG_ON_ROOT, counted
from arcproof.transitions.reading.read import read_figure, read_text

_REFERENCE: Final = re.compile(r"(?P<name>[^\[\]]+)(?:\[(?P<parameters>[^\[\]]*)\])?")

LONGEST_NAME: Final = 255
"""The greatest length of a file name in bytes."""

Choose: TypeAlias = Callable[[Configuration], Transition]


@dataclass(frozen=True, repr=False)
class System(Shown, WithDocument, WithLatex):
    """A figure, the values of its parameters, and the text it was read from.

    In another process, `others` has the systems that claims name by file, since the files may be missing there.
    """

    figure: s.Figure
    parameters: Mapping[str, Quantity]
    text: str
    source: str | None = None
    others: "Mapping[str, System]" = field(default_factory=dict, compare=False, repr=False)

    @property
    def reference(self) -> str:
        """How to refer to this system on the command line: the path it was read from, or its name."""
        return self.name if self.source is None else self.source

    @property
    def folder(self) -> Path:
        """The folder of the files that its claims name: the one it was read from, or the current one."""
        if self.source is None:
            return Path()
        path = Path(self.source)
        return path.parent if path.suffix == SUFFIX else Path(self.source.rpartition("[")[0]).parent

    def other(self, reference: str) -> "System":
        """The system that one of its claims names: `attardi[d=2]`, `other.tsys`."""
        if reference in self.others:
            return self.others[reference]
        name, bracket, parameters = reference.partition("[")
        return load(f"{self.folder / name}{bracket}{parameters}" if name.endswith(SUFFIX) else reference)

    def __reduce__(self) -> "tuple[Callable[..., System], tuple[object, ...]]":
        """Pickle the system without its cached values, for another process."""
        named = {reference for claim in self.figure.claims for reference in s.references(claim)}
        files = sorted(reference for reference in named if reference.partition("[")[0].endswith(SUFFIX))
        others = {reference: self.other(reference)._parts for reference in files}
        return _again, (*self._parts, others)

    @property
    def _parts(self) -> "_Parts":
        return self.figure, dict(self.parameters), self.text, self.source

    @cached_property
    def name(self) -> str:
        """The name of the figure, with its parameters where they differ from the defaults: `covington[d=1]`."""
        changed = [
            f"{declared.name}={'∞' if value == math.inf else value}"
            for declared in self.figure.parameters
            if (value := self.parameters[declared.name]) != _quantity(declared.default)
        ]
        return self.figure.name + (f"[{','.join(changed)}]" if changed else "")

    @cached_property
    def figure_with_parameters(self) -> s.Figure:
        """The figure to be shown, with this system's parameters as its defaults."""
        declared = tuple(replace(p, default=_number(self.parameters[p.name])) for p in self.figure.parameters)
        return replace(self.figure, parameters=declared)

    @cached_property
    def sha256(self) -> str:
        """The hash of the specification's text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @cached_property
    def tree_sha256(self) -> str:
        """The hash of the tree with its parameters; the text it was read from does not matter."""
        return hashlib.sha256(repr((self.figure, sorted(self.parameters.items()))).encode()).hexdigest()

    @cached_property
    def transitions(self) -> dict[str, tuple[s.Rule, ...]]:
        """The rules by name, in the order of the figure."""
        return self.figure.transitions()

    @cached_property
    def _choices(self) -> dict[str, list[list[str]]]:
        """The segments whose lengths a transition chooses, for each case of each transition."""
        state = self.figure.state
        return {
            name: [[segment for _, segment in s.choices(case, state)] for case in cases]
            for name, cases in self.transitions.items()
        }

    @cached_property
    def plan(self) -> Plan:
        """The plan: what the rules do, worked out once for every meaning but the reference."""
        return Plan(self.figure, self.parameters)

    @cached_property
    def has_root(self) -> bool:
        """Whether 0 is a node like any other; if not (`root none`), words without a head count as dependents of 0."""
        return not self.figure.rootless

    @property
    def convention(self) -> str | None:
        """How words without a head are understood where trees are required; None if they are taken literally."""
        return HEADLESS_HANG_ON_ROOT if self.figure.rootless else None

    def with_parameters(self, values: Mapping[str, str]) -> "System":
        """The system with other values of its parameters, given as text; `BadParameter` if there is no such parameter
        or value.
        """
        changed = dict(self.parameters)
        for name, value in values.items():
            if name not in changed:
                if not changed:
                    raise BadParameter(f"{self.figure.name} has no parameter `{name}`; it has no parameters")
                known = ", ".join(changed)
                raise BadParameter(
                    f"{self.figure.name} has no parameter `{name}`; its parameters are: {known}{perhaps(name, changed)}"
                )
            changed[name] = _parameter_value(self.figure, name, value)
        return replace(self, parameters=MappingProxyType(changed))

    def class_with_parameters(self, graphs: s.GraphClass) -> s.GraphClass:
        """The class of a claim with this system's parameters filled in: `edge-degree-2007 <= d` becomes `<= 1`."""
        bounded = tuple(
            replace(r, bound=_number(self.parameters[r.bound.name])) if isinstance(r.bound, s.Parameter) else r
            for r in graphs.restrictions
        )
        return replace(graphs, restrictions=bounded)

    # --- configurations ----------------------------------------------------------------------------------------------

    def start(self, words: int) -> Configuration:
        """The initial configuration for a sentence of this many words."""
        if words < 0:
            raise ValueError(f"a sentence has 0 or more words, not {words}")
        names = tuple(component.name for component in self.figure.state)
        return Configuration(words, names, tuple(start_value(value, words) for value in self.figure.start))

    def is_terminal(self, c: Configuration) -> bool:
        """Whether a run ends here."""
        situation = self._situation(c, self._by_name(c))
        return all(holds(condition, situation) for condition in self.figure.final)

    def satisfies(self, c: Configuration, condition: s.Condition, gold: Gold | None = None) -> bool:
        """Whether a condition about the components, such as an invariant, holds in a configuration.

        An invariant of an oracle may refer to the gold graph towards which the run is heading.
        """
        return holds(condition, self._situation(c, self._by_name(c), gold))

    def measured(self, c: Configuration, term: s.Term) -> Quantity:
        """The value of a measure in a configuration."""
        return evaluate(term, self._situation(c, self._by_name(c)))

    def permissible(self, c: Configuration) -> list[Transition]:
        """The transitions whose pattern and preconditions hold, in the order of the figure, without labels."""
        return [transition for transition, _, _ in self._permissible(c)]

    def steps(self, c: Configuration) -> list[Step]:
        """The steps that `step` would return for the permissible transitions."""
        taken: dict[Transition, Step] = {}
        steps: list[Step] = []
        for transition, rule, situation in self._permissible(c):
            if transition not in taken:
                taken[transition] = perform(rule, situation, transition, self.figure.several_heads)
            steps.append(taken[transition])
        return steps

    def _permissible(self, c: Configuration) -> Iterator[tuple[Transition, s.Rule, Situation]]:
        """Each permissible transition with its rule and what the variables stand for; if cases overlap, the first one
        applies.
        """
        for rule in self.figure.rules:
            for choice, environment in environments(rule.before, self.figure.state, c):
                situation = self._situation(c, environment)
                if all(holds(condition, situation) for condition in rule.preconditions):
                    yield Transition(rule.name, None, choice), rule, situation

    def apply(self, c: Configuration, transition: Transition) -> Configuration:
        """The configuration after a transition; `NotPermissible` names the precondition that is violated."""
        return self.step(c, transition).configuration

    def step(self, c: Configuration, transition: Transition) -> Step:
        """Apply a transition like `apply`, but return the arcs that were added as well."""
        rule, environment = self.permitted(c, transition)
        if transition.label is not None and rule.label is None:
            raise NotPermissible(f"{transition.name} carries no label, but {transition.label} was given")
        return perform(rule, self._situation(c, environment), transition, self.figure.several_heads)

    def takes_label(self, c: Configuration, transition: Transition) -> bool:
        """Whether the case that applies here carries a label; `NotPermissible` if none applies."""
        rule, _ = self.permitted(c, transition)
        return rule.label is not None

    def clash_text(self, arc: Arc, second_head: str) -> str:
        """What is wrong with one of the clashing arcs of a step; `second_head` is the wording for a word that already
        has a head.
        """
        if self.figure.several_heads:
            return f"there is already an arc from {arc.head} to {arc.dependent}"
        return f"{arc.dependent} {second_head}"

    def _by_name(self, c: Configuration) -> Environment:
        return dict(zip(c.names, c.values, strict=True))

    def _situation(self, c: Configuration, environment: Environment, gold: Gold | None = None) -> Situation:
        return Situation(c, environment, self.parameters, gold)

    def _permits(self, rule: s.Rule, c: Configuration, environment: Environment) -> bool:
        situation = self._situation(c, environment)
        return all(holds(condition, situation) for condition in rule.preconditions)

    def permitted(self, c: Configuration, transition: Transition) -> tuple[s.Rule, Environment]:
        """The rule that permits a transition, and what its variables stand for."""
        for rule in self.transitions.get(transition.name, ()):
            for choice, environment in environments(rule.before, self.figure.state, c):
                if choice == transition.choice and self._permits(rule, c, environment):
                    return rule, environment
        raise self.refusal(c, transition)

    def refusal(self, c: Configuration, transition: Transition) -> NotPermissible:
        """Why a transition is not permissible."""
        cases = self.transitions.get(transition.name)
        if cases is None:
            there = ", ".join(self.transitions) + perhaps(transition.name, self.transitions)
            return NotPermissible(f"{self.name} has no transition {transition.name}; it has {there}")
        reasons = [self._violation(rule, c, transition.choice) for rule in cases]
        because = "; and ".join(dict.fromkeys(reasons))
        return NotPermissible(f"{transition.instance} is not permissible in {c}: {because}", because)

    def _violation(self, rule: s.Rule, c: Configuration, choice: tuple[int, ...]) -> str:
        mismatch = self._mismatch(rule.before, c)
        if mismatch is not None:
            return mismatch
        wanted = len(s.choices(rule, self.figure.state))
        if len(choice) != wanted:
            return f"it is written with {counted(wanted, 'choice')}" + (", as in [1]" if wanted == 1 else "")
        for found, environment in environments(rule.before, self.figure.state, c):
            if found == choice:
                violated, values = _first_false(rule.preconditions, self._situation(c, environment))
                return f"the precondition {violated} is violated{values}"
        return "no run of nodes is that long"

    def _mismatch(self, patterns: tuple[s.Pattern, ...], c: Configuration) -> str | None:
        for component, pattern, value in zip(self.figure.state, patterns, c.values, strict=True):
            if not matches(pattern, component, value):
                return f"{component.name} is not of the form {pattern_text(pattern, SOURCE)}"
        return None

    # --- runs --------------------------------------------------------------------------------------------------------

    def parse(self, words: int, choose: Choose, limit: int | None = None) -> Derivation:
        """The PARSE loop of Nivre 2008: ask `choose` for a transition until the configuration is terminal.

        `choose` may be any callable; with `limit`, `NotDerivable` is raised after that many transitions.
        """
        c = initial = self.start(words)
        steps: list[Step] = []
        while not self.is_terminal(c):
            if limit is not None and len(steps) >= limit:
                raise NotDerivable(f"no terminal configuration after {limit} transitions", (), ())
            step = self.step(c, choose(c))
            steps.append(step)
            c = step.configuration
        return Derivation(initial, tuple(steps))

    def oracle(self, name: str | None = None) -> s.Oracle:
        """The oracle of this name, or the first one."""
        if not self.figure.oracles:
            raise UnknownOracle(f"{self.name} has no oracle of its own (oracle none)")
        if name is None:
            return self.figure.oracles[0]
        for oracle in self.figure.oracles:
            if oracle.name == name:
                return oracle
        names = ", ".join(oracle.name for oracle in self.figure.oracles)
        if any(oracle.name == name for oracle in self.figure.dynamic_oracles):
            raise UnknownOracle(
                f"{name} is a dynamic oracle of {self.name}: it says what transitions cost; "
                f"the oracles that say which one to take are {names}"
            )
        meant = perhaps(name, [oracle.name for oracle in self.figure.oracles])
        raise UnknownOracle(f"{self.name} has no oracle {name}; it has {names}{meant}")

    def predict(self, c: Configuration, gold: Gold, oracle: s.Oracle) -> Transition | None:
        """The transition the oracle asks for, from the first line that matches; None if no line does."""
        for line in oracle.lines:
            transition = self._line(line, c, gold)
            if transition is not None:
                return transition
        return None

    def dynamic_oracle(self, name: str | None = None) -> s.DynamicOracle:
        """The dynamic oracle of this name, or the first."""
        known = self.figure.dynamic_oracles
        if not known:
            raise UnknownOracle(f"{self.name} has no dynamic oracle")
        found = next((oracle for oracle in known if name in (None, oracle.name)), None)
        if found is None:
            names = ", ".join(oracle.name for oracle in known)
            raise UnknownOracle(f"{self.name} has no dynamic oracle {name}; it has {names}")
        return found

    def cost(self, c: Configuration, transition: Transition, gold: Gold, oracle: s.DynamicOracle) -> int | None:
        """The cost of a transition on the way to a gold graph, by a dynamic oracle; None if no line matches."""
        if oracle.loss is not None:
            return self.loss(self.apply(c, transition), gold, oracle.loss) - self.loss(c, gold, oracle.loss)
        priced = self.priced(c, transition, oracle)
        if priced is None:
            return None
        line, environment = priced
        return cost(line, Situation(c, environment, self.parameters, gold, (transition.label,)))

    def loss(self, c: Configuration, gold: Gold, loss: s.LossOf) -> int:
        """The value of a loss function for a configuration."""
        return LOSS_FUNCTIONS[loss.function].value(c, sequences_of(c, loss), gold)

    def priced(
        self, c: Configuration, transition: Transition, oracle: s.DynamicOracle
    ) -> tuple[s.CostLine, Environment] | None:
        """The line of a dynamic oracle that gives the cost of a transition, and what its variables stand for.

        Where the pattern of a line leaves as many lengths open as the transition does, they are those of the
        transition.
        """
        for line in oracle.lines:
            if line.transition == transition.name:
                ways = environments(line.pattern, self.figure.state, c) if line.pattern else [((), self._by_name(c))]
                for choice, environment in ways:
                    if not choice or choice == transition.choice:
                        return line, environment
        return None

    def why_silent(self, line: s.OracleLine, c: Configuration, gold: Gold) -> str | None:
        """Why an oracle line does not ask for its transition; None if it does, assuming that no earlier line
        decides.
        """
        if self._line(line, c, gold) is not None:
            return None
        mismatch = None if line.pattern is None else self._mismatch(line.pattern, c)
        if mismatch is not None:
            return mismatch
        condition, values = _first_false(line.conditions, next(self._ways(line, c, gold)))
        return f"{condition} is false{values}"

    def _ways(self, line: s.OracleLine, c: Configuration, gold: Gold) -> Iterator[Situation]:
        """The environments in which the pattern of a line matches."""
        ways = [((), self._by_name(c))] if line.pattern is None else environments(line.pattern, self.figure.state, c)
        return (self._situation(c, environment, gold) for _, environment in ways)

    def _line(self, line: s.OracleLine, c: Configuration, gold: Gold) -> Transition | None:
        for situation in self._ways(line, c, gold):
            if all(holds(condition, situation) for condition in line.conditions):
                label = self._gold_label(line, situation)
                return Transition(line.transition, label, self._choice(line, c, situation.environment))
        return None

    def _choice(self, line: s.OracleLine, c: Configuration, environment: Mapping[str, Value]) -> tuple[int, ...]:
        """The lengths of the segments that the transition chooses; with several cases, those of the permissible one."""
        found = dict.fromkeys([_lengths(names, environment) for names in self._choices[line.transition]])
        if len(found) > 1:
            permitted = {t.choice for t in self.permissible(c) if t.name == line.transition}
            found = {choice: None for choice in found if choice in permitted} or found
        return next(iter(found))

    def _gold_label(self, line: s.OracleLine, situation: Situation) -> str | None:
        if line.label is None or situation.gold is None:
            return None
        for condition in line.conditions:
            if isinstance(condition, s.GoldArc) and condition.label == line.label:
                head, dependent = node_of(condition.head, situation), node_of(condition.dependent, situation)
                return situation.gold.arcs[head, dependent].label
            if isinstance(condition, s.GoldTag) and condition.label == line.label:
                return situation.gold.tag(node_of(condition.node, situation))
        raise AssertionError("a label that no gold arc and no gold tag binds passed the checks")

    def wanted(self, gold: Graph) -> Graph:
        """The output that corresponds to a gold graph: with `root none`, words attached only to 0 have no head."""
        if self.has_root:
            return gold
        headed = {arc.dependent for arc in gold.arcs if arc.head != ROOT} if self.figure.several_heads else set()
        return Graph(gold.words, frozenset(arc for arc in gold.arcs if arc.head != ROOT or arc.dependent in headed))

    def gold(self, gold: Graph, tags: Sequence[str | None] = ()) -> Gold:
        """The gold graph as the oracles see it; `BadGraph` if the figure cannot have it as a gold graph."""
        if not self.figure.several_heads:
            self._check_single_heads(gold)
        return Gold(self.wanted(gold), self.figure.several_heads, tuple(tags))

    def _check_single_heads(self, gold: Graph) -> None:
        heads: dict[int, set[int]] = {}
        for arc in gold.arcs:
            heads.setdefault(arc.dependent, set()).add(arc.head)
        for word, found in sorted(heads.items()):
            if len(found) > 1:
                *others, last = map(str, sorted(found))
                raise BadGraph(
                    f"word {word} has the heads {', '.join(others)} and {last}, but the gold graphs of {self.name} have "
                    "single heads; a figure with the line `several heads` may have such a gold graph"
                )

    def rooted(self, heads: Heads) -> Heads:
        """The heads of an output, read as a tree: with `root none`, words without a head attach to 0."""
        return heads if self.has_root else tuple(ROOT if head is None else head for head in heads)

    def derive(
        self, gold: Graph, oracle: str | None = None, tags: Sequence[str | None] = (), max_space: int | None = None
    ) -> Derivation:
        """The run in which the oracle derives the gold graph, giving words these tags if the figure assigns any.

        `NotDerivable` if it fails to, or gives a word another tag or none: its `missing` are the gold arcs that were
        not built, its `run` is the run up to that point.  With `root none` the words attached to 0 count as words
        without a head.  `BadGraph` if the configurations together take more than `max_space`.
        """
        target = self.gold(gold, tags)
        wanted = target.graph
        chosen = self.oracle(oracle)
        c = initial = self.start(gold.words)
        steps: list[Step] = []
        seen = {c}
        space = 0
        untagged: set[int] = set()

        def so_far() -> str:
            return counted(len(steps), "transition")

        def underivable(how: str) -> NotDerivable:
            return self._underivable(chosen, wanted, Derivation(initial, tuple(steps)), how)

        while not self.is_terminal(c):
            if len(steps) >= most_transitions(gold.words):
                raise underivable(f"there is no end in sight after {so_far()}")
            transition = self.predict(c, target, chosen)
            if transition is None:
                raise underivable(f"no line of it matches in {c}")
            try:
                step = self.step(c, transition)
            except NotPermissible as refusal:
                raise underivable(f"after {so_far()} {refusal}") from None
            untagged |= self._left_untagged(c, transition, target)
            steps.append(step)
            c = step.configuration
            space += 0 if max_space is None else c.space
            if max_space is not None and space > max_space:
                raise BadGraph(
                    f"{counted(gold.words, 'word')} are too many for a derivation that is kept with every "
                    f"configuration: the first {so_far()} have more than {max_space} cells and arcs"
                )
            if step.clashes:
                clash = "a second time" if self.figure.several_heads else "to a word that has a head"
                raise underivable(f"after {so_far()} it adds {_arcs(step.clashes)} {clash}")
            if c in seen:
                raise underivable(f"after {so_far()} it is back in {c}")
            seen.add(c)
        if c.arcs != wanted.arcs:
            raise underivable(f"it ends in {c}")
        for word, tag in c.tags:
            if target.tag(word) not in (None, tag):
                raise underivable(f"it tags {word} as {tag}, but the gold tag is {target.tag(word)}")
        for word in sorted(untagged.difference(word for word, _ in c.tags)):
            raise underivable(f"it leaves {word} without a tag, but the gold tag is {target.tag(word)}")
        return Derivation(initial, tuple(steps))

    def _left_untagged(self, c: Configuration, transition: Transition, gold: Gold) -> set[int]:
        """The words with a gold tag that a transition tags without one, because the oracle takes the gold tag of a node
        that has none, such as 0.
        """
        if transition.label is not None or not any(gold.tags):
            return set()
        rule, environment = self.permitted(c, transition)
        situation = self._situation(c, environment)
        tagged = (node_of(effect.node, situation) for effect in rule.effects if isinstance(effect, s.TagNode))
        return {word for word in tagged if gold.tag(word) is not None}

    def _underivable(self, oracle: s.Oracle, gold: Graph, run: Derivation, how: str) -> NotDerivable:
        built = run.last.arcs
        missing = tuple(Graph(gold.words, gold.arcs - built).sorted_arcs())
        wrong = tuple(Graph(gold.words, built - gold.arcs).sorted_arcs())
        message = f"{self.name} with oracle {oracle.name} does not derive {gold}"
        if missing:
            message += f"; it cannot build {_arcs(missing)}"
        if wrong:
            message += f"; it adds {_arcs(wrong)}, not in the gold graph"
        forgotten = self.figure.forgets_root and any(arc.head == ROOT for arc in missing)
        hint = f"; {FORGOTTEN_ROOT}" if forgotten else ""
        return NotDerivable(f"{message}: {how}{hint}", missing, wrong, run)


def most_transitions(words: int) -> int:
    """The number of transitions after which `derive` gives up: far beyond the quadratic length of any known system, for
    runs that grow without repeating a configuration.
    """
    return 1_000 + 10 * (words + 1) ** 2


def _arcs(arcs: tuple[Arc, ...]) -> str:
    shown = ", ".join(map(str, arcs[:10]))
    return f"the arc {shown}" if len(arcs) == 1 else f"the arcs {shown}" + (", …" if len(arcs) > 10 else "")


def _first_false(conditions: Sequence[s.Condition], situation: Situation) -> tuple[str, str]:
    """The first condition that is false, and the nodes for which it is."""
    false = next(condition for condition in conditions if not holds(condition, situation))
    nodes = [f"{name} = {show_value(node)}" for name, node in situation.environment.items() if isinstance(node, int)]
    return f"`{condition_text(false, SOURCE)}`", f" with {', '.join(nodes)}" if nodes else ""


def _lengths(names: list[str], environment: Mapping[str, Value]) -> tuple[int, ...]:
    segments = [environment[name] for name in names]
    return tuple([len(segment) + 1 for segment in segments if isinstance(segment, tuple)])


def _number(value: Quantity) -> s.Number | s.Infinity:
    return s.Infinity() if value == math.inf else s.Number(int(value))


def _quantity(value: s.Number | s.Infinity) -> Quantity:
    return math.inf if isinstance(value, s.Infinity) else value.value


_Parts: TypeAlias = tuple[s.Figure, dict[str, Quantity], str, str | None]

# --- loading ---------------------------------------------------------------------------------------------------------


def _again(
    figure: s.Figure, parameters: dict[str, Quantity], text: str, source: str | None, others: "dict[str, _Parts]"
) -> System:
    named = {reference: _again(*parts, {}) for reference, parts in others.items()}
    return System(figure, MappingProxyType(parameters), text, source, named)


def load(name_or_path_or_text: str | Path) -> System:
    """The built-in system with a name, or the system in a file or a text; parameters are written `covington[d=1]`."""
    if not isinstance(name_or_path_or_text, str | Path):
        raise BadArgument(
            "a system is given by its name, or by the path or the text of its specification, "
            f"not as {name_or_path_or_text!r:.60}"
        )
    if isinstance(name_or_path_or_text, str) and "\n" in name_or_path_or_text:
        return _system(read_figure(name_or_path_or_text), "", name_or_path_or_text)
    whole = Path(name_or_path_or_text)
    _check_length(whole)
    if whole.suffix == ".tsys" and whole.is_file():
        text = read_text(whole)
        return replace(_system(read_figure(text, str(whole), whole.parent), "", text), source=str(whole))
    reference = _REFERENCE.fullmatch(str(name_or_path_or_text).strip())
    if reference is None:
        raise UnknownSystem(
            f"`{name_or_path_or_text}` is not the name of a system; names are written arc-eager or covington[d=1]"
        )
    name, parameters = reference["name"].strip(), reference["parameters"] or ""
    if name in system_names():
        text = source_of(name)
        return _system(read_figure(text, f"{name}.tsys"), parameters, text)
    path = Path(name)
    if path.exists() or path.suffix == ".tsys":
        text = read_text(path)
        figure = read_figure(text, str(path), path.parent)
        return replace(_system(figure, parameters, text), source=str(name_or_path_or_text))
    raise UnknownSystem(_unknown(name))


def _check_length(path: Path) -> None:
    """Refuse a name that is longer than any file system allows; trying it would raise an unrelated error."""
    if any(len(part.encode("utf-8", "surrogatepass")) > LONGEST_NAME for part in path.parts):
        shown = f"{str(path)[:40]}…"
        raise UnknownSystem(f"`{shown}` is neither the name of a system nor that of a file: it is too long")


def _unknown(name: str) -> str:
    near = similar_names(name)
    advice = f"did you mean {' or '.join(near)}?" if near else "`arcproof list` shows the built-in systems"
    return f"there is no built-in system `{name}` and no such file; {advice}"


def system_of(figure: s.Figure, text: str, source: str | None = None) -> System:
    """The system of a figure read from this text, with the defaults of its parameters."""
    return replace(_system(figure, "", text), source=source)


def _system(figure: s.Figure, parameters: str, text: str) -> System:
    defaults = {declared.name: _quantity(declared.default) for declared in figure.parameters}
    system = System(figure, MappingProxyType(defaults), text)
    for entry in filter(None, map(str.strip, parameters.split(","))):
        name, _, value = entry.partition("=")
        system = system.with_parameters({name.strip(): value.strip()})
    return system


def _parameter_value(figure: s.Figure, name: str, value: str) -> Quantity:
    if value in ("∞", "inf"):
        return math.inf
    if value.isascii() and value.isdigit() and len(value) <= MOST_DIGITS:
        return int(value)
    raise BadParameter(
        f"`{value:.40}` is not a value for the parameter {name} of {figure.name}; "
        f"write a number from 0 to {10**MOST_DIGITS - 1} or inf"
    )

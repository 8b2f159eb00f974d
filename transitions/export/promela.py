"""A system as a model for SPIN, in Promela.

The state vector holds the configuration and nothing else that varies by itself:
- a sequence `σ` is an array `sigma_at` with its length `sigma_n`, from the tail (index 0) to the head, cells beyond the length 0;
- a flag is a bit, a counter an int, a set of nodes a mask with a bit for each node;
- the arcs are a bit matrix, `heads[d]` the mask of the heads of d, which stays right where a node has several;
- `above[d]` and `joined[d]`, there only for figures that ask `i ->* j` or `i <->* j`, are closures of the matrix.
  They are functions of the arcs, so they add no states; they are kept because SPIN evaluates a guard without loops.

A transition is one `d_step` whose first statement is its guard, so that the only control location is the head of the loop; a
transition with choices is one option for each choice.  Variables that keep a value during a step are `hidden`: not part of the state.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product, takewhile
from typing import ClassVar, Final, TypeVar, assert_never

from arcproof.transitions import syntax as s
from arcproof.transitions.execute import nodes_of, start_value
from arcproof.transitions.export.common import (
    Layout,
    Spot,
    check_words,
    figure_comment,
    is_unchanged,
    layout,
    mentions,
    minus,
    needed_helpers,
    negated,
    paragraphs,
    plus,
)
from arcproof.transitions.export.walk import Model, Scope, Signs
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.system import System

_T = TypeVar("_T")

_KEYWORDS: Final = """
    active assert atomic bit bool break byte c_code c_decl c_expr c_state c_track chan d_step do else empty enabled end eval false fi for
    full get_priority goto hidden if in init inline int len local ltl mtype nempty never nfull np_ od of pc_value pid printf printm
    priority proctype provided return run select set_priority short show skip timeout trace notrace true typedef unless unsigned xr xs
    auto case char const continue default double enum extern float long register signed sizeof static struct switch union void volatile
    while main now
"""
_VARIABLES: Final = "TERMINAL CAPACITY heads above joined held_index held_other parse"
_PARAMETERS: Final = "sequence store low size count keep node set head dependent left right word"

_SIGNS: Final = Signs(
    relations={"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="},
    comparison="({} {} {})",
    and_=" && ",
    or_=" || ",
    not_="!",
    true="true",
    false="false",
    has_head="HAS_HEAD({})",
    has_arc="HAS_ARC({}, {})",
    reaches="REACHES({}, {})",
    connected="CONNECTED({}, {})",
    degree="DEGREE({}, {})",
    in_set="IN_SET({}, {})",
    empty_set="0",
    with_node="({} | (1 << {}))",
    without_node="({} & ~(1 << {}))",
    parameter="#define {} {}",
)

_HELPERS: Final = {
    "HAS_HEAD": "#define HAS_HEAD(node) (heads[node] != 0)",
    "HAS_ARC": "#define HAS_ARC(head, dependent) (((heads[dependent] >> (head)) & 1) != 0)",
    "REACHES": "#define REACHES(node, other) ((node) == (other) || ((above[other] >> (node)) & 1) != 0)",
    "CONNECTED": "#define CONNECTED(node, other) ((node) == (other) || ((joined[other] >> (node)) & 1) != 0)",
    "IN_SET": "#define IN_SET(node, set) (((set >> (node)) & 1) != 0)",
    "BETWEEN": "#define BETWEEN(left, word, right) (((left) < word && word < (right)) || ((right) < word && word < (left)))",
    "WITHIN": "#define WITHIN(left, right) "
    "((left) < (right) -> (2 << (right)) - (1 << (left)) : (2 << (left)) - (1 << (right)))",
    "DEGREE": "#define DEGREE(left, right) ({degree})",
    "ADD_ARC": "#define ADD_ARC(head, dependent) heads[dependent] = heads[dependent] | (1 << (head))",
    "REMOVE_ARCS": "#define REMOVE_ARCS(dependent) heads[dependent] = 0",
    "DROP": "#define DROP(sequence) sequence##_n--; sequence##_at[sequence##_n] = 0",
    "CUT": """\
#define CUT(sequence, count) \\
    held_index = count; \\
    do \\
    :: held_index > 0 -> DROP(sequence); held_index-- \\
    :: else -> break \\
    od""",
    "CUT_TO": """\
#define CUT_TO(sequence, keep) \\
    do \\
    :: sequence##_n > keep -> DROP(sequence) \\
    :: else -> break \\
    od""",
    "PUSH": "#define PUSH(sequence, node) assert(sequence##_n < CAPACITY); sequence##_at[sequence##_n] = node; sequence##_n++",
    "HOLD": """\
#define HOLD(store, sequence, low, size) \\
    store##_n = 0; \\
    do \\
    :: store##_n < size -> store##_at[store##_n] = sequence##_at[low + store##_n]; store##_n++ \\
    :: else -> break \\
    od""",
    "PUSH_RUN": """\
#define PUSH_RUN(sequence, store) \\
    held_index = 0; \\
    do \\
    :: held_index < store##_n -> PUSH(sequence, store##_at[held_index]); held_index++ \\
    :: else -> break \\
    od""",
    "PUSH_RUN_TURNED": """\
#define PUSH_RUN_TURNED(sequence, store) \\
    held_index = store##_n; \\
    do \\
    :: held_index > 0 -> held_index--; PUSH(sequence, store##_at[held_index]) \\
    :: else -> break \\
    od""",
    "find_above": """\
/* above[d]: the nodes from which d can be reached in one or more steps */
inline find_above()
{{
    for (held_index : 0 .. {last}) {{ above[held_index] = heads[held_index] }};
    for (held_other : 0 .. {last}) {{
        for (held_index : 0 .. {last}) {{
            if
            :: above[held_index] & (1 << held_other) -> above[held_index] = above[held_index] | above[held_other]
            :: else
            fi
        }}
    }}
}}""",
    "find_joined": """\
/* joined[d]: the nodes that one or more arcs, in whichever direction, join to d */
inline find_joined()
{{
    for (held_index : 0 .. {last}) {{ joined[held_index] = heads[held_index] }};
    for (held_index : 0 .. {last}) {{
        for (held_other : 0 .. {last}) {{
            if
            :: heads[held_index] & (1 << held_other) -> joined[held_other] = joined[held_other] | (1 << held_index)
            :: else
            fi
        }}
    }};
    for (held_other : 0 .. {last}) {{
        for (held_index : 0 .. {last}) {{
            if
            :: joined[held_index] & (1 << held_other) -> joined[held_index] = joined[held_index] | joined[held_other]
            :: else
            fi
        }}
    }}
}}""",
}

_LOOPS: Final = ("CUT", "PUSH_RUN", "HOLD", "find_")
"""SPIN does not let the last statement of a `d_step` be a loop."""


def to_promela(system: System, words: int) -> str:
    """The model for a sentence of this many words."""
    check_words(words)
    return _Promela(system, words).text()


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of nodes: `size` cells of a stored sequence from index `low` on."""

    component: s.SequenceComponent
    stem: str
    low: str
    size: str

    def at(self, offset: int) -> str:
        return f"{self.stem}_at[{self.low} + {offset}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scope(Scope):
    """With the runs of nodes, and the macros made for a rule or for `final`, which all take `parameters`."""

    owner: str
    parameters: tuple[str, ...] = ()
    runs: dict[str, _Run] = field(default_factory=dict)
    macros: dict[str, str] = field(default_factory=dict)


class _Promela(Model[_Scope]):
    signs: ClassVar[Signs] = _SIGNS

    def __init__(self, system: System, words: int) -> None:
        super().__init__(system, words, _KEYWORDS, _VARIABLES, _PARAMETERS, *_HELPERS)
        cells = sum(len(nodes_of(value, words)) for value in self.figure.start if isinstance(value, s.LiteralSequence))
        self.capacity = max(1, cells, words + 1 if self.figure.shared else 0)
        self.mask = "byte" if words + 1 <= 8 else "short" if words + 1 <= 15 else "int"
        self.held: dict[str, str] = {}
        for component in self.figure.state:
            self._stem(component)

    # --- the whole text ----------------------------------------------------------------------------------------------

    def text(self) -> str:
        """Header, state, helpers, rules, and the loop that takes one of them at a time."""
        terminal = self._terminal()
        rules = [self._rule(number) for number in range(len(self.figure.rules))]
        code = "\n".join([terminal, *(text for text, _ in rules)])
        helpers = self._helpers(code)
        printed = self._under_comments(text for text, _ in rules)
        options = [option for _, options in rules for option in options]
        loop = ["active proctype parse()", "{", "end:", "    do", *(options or ["    :: false"]), "    od", "}"]
        before = [self._header(), self._state(), self._hidden(helpers + code), helpers, terminal]
        return paragraphs([*before, *printed, "\n".join(loop)])

    def _header(self) -> str:
        lines = [
            f"{self.system.name}, a sentence of {counted(self.words, 'word')}: a model for SPIN, written by arcproof.",
            *figure_comment(self.system),
            "With this text in model.pml:",
            "",
            "  spin -o2 -a model.pml",
            "  gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c",
            "  ./pan -n -b -m1000000",
            "",
            "Without -o2 SPIN would leave out a component that is written but never read.",
            '"states, stored" is the number of configurations that can be reached: the initial one counts, terminal ones are not',
            'expanded, labels are left out. "transitions" is one more than the number of permissible transitions in them.',
            "",
            "A sequence is stored from its tail, at index 0, to its head, the end it grows at. heads[d] has a bit for each head of d.",
        ]
        if self._needs(s.Reaches, s.Connected):
            lines.append("What follows from heads is stored too, because a guard has no loops; it adds no states.")
        if self.figure.shared:
            lines.append(
                "Nodes may be in several places, so a sequence may outgrow CAPACITY: then the assertion in PUSH fails."
            )
        return self._comment(lines)

    def _comment(self, lines: Sequence[str]) -> str:
        safe = [line.replace("*/", "* /").replace("/*", "/ *") for line in lines]
        if len(safe) == 1:
            return f"/* {safe[0]} */"
        return "\n".join(["/*", *(f" * {line}".rstrip() for line in safe), " */"])

    def _state(self) -> str:
        lines = [*self._parameters(), f"#define CAPACITY {self.capacity}", ""]
        for component, start in zip(self.figure.state, self.figure.start, strict=True):
            lines += self._declaration(component, start)
        lines.append(f"{self.mask} heads[{self.words + 1}];")
        lines += [f"{self.mask} above[{self.words + 1}];"] if self._needs(s.Reaches) else []
        lines += [f"{self.mask} joined[{self.words + 1}];"] if self._needs(s.Connected) else []
        return "\n".join(lines)

    def _needs(self, *kinds: type) -> bool:
        """Whether `final` or a transition holds a node of one of these kinds."""
        return any(isinstance(node, kinds) for node in s.walk((self.figure.final, self.figure.rules)))

    def _declaration(self, component: s.Component, value: s.StartValue) -> list[str]:
        start = start_value(value, self.words)
        stem = self._stem(component)
        match start:
            case tuple():
                assert isinstance(component, s.SequenceComponent)
                cells = _from_tail(start, component.head)
                padded = [*cells, *[0] * (self.capacity - len(cells))]
                return [
                    f"byte {stem}_at[CAPACITY] = {{{', '.join(map(str, padded))}}};",
                    f"byte {stem}_n = {len(cells)};",
                ]
            case bool():
                return [f"bit {stem} = {int(start)};"]
            case int():
                return [f"int {stem} = {start};"]
            case frozenset():
                return [f"{self.mask} {stem} = 0;"]
            case _:
                assert_never(start)

    def _hidden(self, body: str) -> str:
        counters = {name: "byte" for name in ("held_index", "held_other") if mentions(body, name)}
        return "\n".join(f"hidden {kind} {name};" for name, kind in (self.held | counters).items())

    def _helpers(self, body: str) -> str:
        """The helpers that the text needs, and those that they need."""
        degree = [
            f"(BETWEEN(left, {word}, right) && (heads[{word}] & WITHIN(left, right)) == 0)"
            for word in range(1, self.words + 1)
        ]
        filled = {"degree": " \\\n    + ".join(degree) or "0", "last": self.words}
        helpers = {name: text.format(**filled) if "{" in text else text for name, text in _HELPERS.items()}
        return needed_helpers(helpers, body)

    # --- names -------------------------------------------------------------------------------------------------------

    def _stem(self, component: s.Component) -> str:
        """The variable of a flag, counter or set; of a sequence, what `_at` and `_n` are added to."""
        if isinstance(component, s.SequenceComponent):
            return self.names.of(component, component.name, ("_at", "_n"))
        return self.names.of(component, f"{component.name}_{component.kind}")

    def _length(self, run: str) -> str:
        return self.names.of(("length", run), f"{run}_n")

    def _parameter(self, name: str) -> str:
        return self.names.of(("parameter", name), f"parameter_{name}")

    def _word_count(self) -> str:
        return str(self.words)

    def _size(self, segment: str, scope: _Scope) -> str:
        return f"({scope.runs[segment].size})"

    def _hold(self, kind: str, name: str) -> str:
        """The hidden variable that keeps a value while the state changes."""
        stem = self.names.of(("held", name), f"held_{name}", ("", "_at", "_n"))
        self.held |= {f"{stem}_at[CAPACITY]": "byte", f"{stem}_n": "byte"} if kind == "run" else {stem: kind}
        return stem

    def _macro(self, scope: _Scope, what: str, text: str) -> str:
        """Define a macro of the scope, and return its name."""
        name = self.names.of((scope.owner, len(scope.macros)), f"{scope.owner}_{what}")
        scope.macros[name] = f"#define {_call(name, scope.parameters)} {text}"
        return name

    # --- rules -------------------------------------------------------------------------------------------------------

    def _terminal(self) -> str:
        scope = _Scope(owner="TERMINAL")
        for component in self.figure.state:
            stem = self._stem(component)
            if isinstance(component, s.SequenceComponent):
                scope.runs[component.name] = _Run(component, stem, "0", f"{stem}_n")
            else:
                scope.names[component.name] = stem
        condition = " && ".join(self._condition(part, scope) for part in self.figure.final)
        return "\n".join([*scope.macros.values(), f"#define TERMINAL ({condition or 'true'})"])

    def _rule(self, number: int) -> tuple[str, list[str]]:
        """The macros and the step of a rule, and its options in the loop."""
        rule = self.figure.rules[number]
        name = self.names.of(("rule", number), rule.name, ("_permitted", "_step"))
        layouts = self._layouts(rule)
        lengths = tuple(self._length(run) for part in layouts if part for run in part.chosen)
        scope = _Scope(owner=name, parameters=lengths)
        guard = [
            text
            for parts in zip(self.figure.state, rule.before, layouts, strict=True)
            for text in self._match(*parts, scope)
        ]
        guard += [self._condition(condition, scope) for condition in rule.preconditions]
        lines = [
            f"#define {_call(f'{name}_permitted', lengths)} (" + " \\\n    && ".join(guard or ["true"]) + ")",
            f"inline {name}_step({', '.join(lengths)})",
            "{",
            ";\n".join(f"    {statement}" for statement in self._step(rule, scope)),
            "}",
        ]
        rest = "\n".join(lines)
        macros = [text for macro, text in scope.macros.items() if _is_used(macro, rest, scope.macros)]
        return "\n".join([*macros, rest]), [self._option(name, choice) for choice in self._choices(layouts)]

    def _layouts(self, rule: s.Rule) -> list[Layout | None]:
        return [
            layout(pattern, component.head)
            if isinstance(pattern, s.SequenceOf) and isinstance(component, s.SequenceComponent)
            else None
            for component, pattern in zip(self.figure.state, rule.before, strict=True)
        ]

    def _choices(self, layouts: Sequence[Layout | None]) -> Iterator[tuple[int, ...]]:
        """The lengths of all chosen runs for which there is room."""
        ways = []
        for part in filter(None, layouts):
            free = self.capacity - part.cells
            lengths = product(range(free + 1), repeat=len(part.chosen))
            ways.append([choice for choice in lengths if sum(choice) <= free])
        for combination in product(*ways):
            yield tuple(length for choice in combination for length in choice)

    def _option(self, name: str, choice: tuple[int, ...]) -> str:
        numbers = tuple(map(str, choice))
        guard = _call(f"{name}_permitted", numbers)
        return f"    :: d_step {{ !TERMINAL && {guard} -> {name}_step({', '.join(numbers)}) }}"

    def _match(self, component: s.Component, pattern: s.Pattern, part: Layout | None, scope: _Scope) -> Iterator[str]:
        """The conditions of a pattern; its names go to the scope."""
        stem = self._stem(component)
        match pattern:
            case s.SequenceOf():
                assert part is not None
                assert isinstance(component, s.SequenceComponent)
                for spot in part.spots:
                    self._bind(component, part, spot, scope)
                needed = plus(part.cells, map(self._length, part.chosen))
                if part.rest is None:
                    yield f"{stem}_n == {needed}"
                elif needed != "0":
                    yield f"{stem}_n >= {needed}"
            case s.AnyValue() | s.FlagLiteral() | s.CounterFrom():
                yield from self._match_value(stem, pattern, scope)
            case _:
                assert_never(pattern)

    def _bind(self, component: s.SequenceComponent, part: Layout, spot: Spot, scope: _Scope) -> None:
        stem = self._stem(component)
        runs = [self._length(run) for run in spot.runs]
        match spot.item:
            case s.Cell(name):
                if not spot.item.is_hole:
                    index = str(spot.cells) if spot.end == "tail" else minus(f"{stem}_n", spot.cells + 1, runs)
                    macro = self._macro(scope, name, f"{stem}_at[{index}]")
                    scope.names[name] = _call(macro, scope.parameters)
            case s.Segment(name) if spot is part.rest:
                size = minus(f"{stem}_n", part.cells, map(self._length, part.chosen))
                scope.runs[name] = _Run(component, stem, str(part.after_rest), size)
            case s.Segment(name):
                length = self._length(name)
                scope.runs[name] = _Run(component, stem, minus(f"{stem}_n", spot.cells, [*runs, length]), length)
            case _:
                assert_never(spot.item)

    # --- steps -------------------------------------------------------------------------------------------------------

    def _step(self, rule: s.Rule, scope: _Scope) -> list[str]:
        """What a transition does: first everything is read that is needed, then the state is written."""
        held = replace(scope, names=dict(scope.names))
        for name in dict.fromkeys(self._moved(rule)):
            held.names[name] = self._hold("byte", name)
        reads = [f"{held.names[name]} = {text}" for name, text in scope.names.items() if held.names[name] != text]
        writes: list[str] = []
        for component, before, after in zip(self.figure.state, rule.before, rule.after, strict=True):
            if is_unchanged(before, after):
                continue
            read, written = self._update(component, before, after, held)
            reads += read
            writes += written
        statements = [*dict.fromkeys(reads), *writes, *self._arcs(rule.effects, held)]
        return [*statements, "skip"] if not statements or statements[-1].startswith(_LOOPS) else statements

    def _moved(self, rule: s.Rule) -> Iterator[str]:
        """The nodes that are needed while the state is written."""
        for component, before, after in zip(self.figure.state, rule.before, rule.after, strict=True):
            if isinstance(before, s.SequenceOf) and isinstance(after, s.SequenceOf):
                assert isinstance(component, s.SequenceComponent)
                _, _, new = _changed(component, before, after)
                yield from (item.name for item in new if isinstance(item, s.Cell))
        yield from (node.name for node in s.walk(rule.effects) if isinstance(node, s.Variable))

    def _update(
        self, component: s.Component, pattern: s.Pattern, update: s.Update, scope: _Scope
    ) -> tuple[list[str], list[str]]:
        """What is read and what is written to give a component its new value."""
        stem = self._stem(component)
        match update:
            case s.SequenceOf():
                assert isinstance(component, s.SequenceComponent)
                assert isinstance(pattern, s.SequenceOf)
                return self._sequence_update(component, pattern, update, scope)
            case s.FlagLiteral(value):
                return [], [f"{stem} = {int(value)}"]
            case s.FlagFrom() | s.CounterFrom() | s.SetFrom():
                text = self._value(update, scope)
            case _:
                assert_never(update)
        if text.isdigit():
            return [], [f"{stem} = {text}"]
        assert isinstance(component, s.ValueComponent)
        store = self._hold({"flag": "byte", "counter": "int", "set": self.mask}[component.kind], stem)
        return [f"{store} = {text}"], [f"{stem} = {store}"]

    def _sequence_update(
        self, component: s.SequenceComponent, pattern: s.SequenceOf, update: s.SequenceOf, scope: _Scope
    ) -> tuple[list[str], list[str]]:
        """Cells at the tail that stay are left alone; beyond them cells are dropped, then pushed."""
        stem = self._stem(component)
        kept, dropped, new = _changed(component, pattern, update)
        reads: list[str] = []
        writes = self._cut(stem, kept, dropped)
        for item in new:
            match item:
                case s.Cell(name):
                    writes.append(f"PUSH({stem}, {scope.names[name]})")
                case s.Segment(name):
                    run, store = scope.runs[name], self._hold("run", name)
                    reads.append(f"HOLD({store}, {run.stem}, {run.low}, {run.size})")
                    turned = "" if run.component.head == component.head else "_TURNED"
                    writes.append(f"PUSH_RUN{turned}({stem}, {store})")
                case _:
                    assert_never(item)
        return reads, writes

    def _cut(self, stem: str, kept: Sequence[s.Item], dropped: Sequence[s.Item]) -> list[str]:
        runs = [item.name for item in dropped if isinstance(item, s.Segment)]
        if runs and not any(isinstance(item, s.Segment) for item in kept):
            return [f"CUT_TO({stem}, {len(kept)})"]
        if runs:
            return [f"CUT({stem}, {plus(len(dropped) - len(runs), map(self._length, runs))})"]
        return [f"DROP({stem})"] * len(dropped)

    def _arcs(self, effects: tuple[s.Effect, ...], scope: _Scope) -> list[str]:
        lines: list[str] = []
        for effect in effects:
            match effect:
                case s.AddArc(head, _, dependent):
                    lines.append(f"ADD_ARC({self._node(head, scope)}, {self._node(dependent, scope)})")
                case s.RemoveArcs(dependent):
                    lines.append(f"REMOVE_ARCS({self._node(dependent, scope)})")
                case _:
                    assert_never(effect)
        if effects:
            lines += ["find_above()"] if self._needs(s.Reaches) else []
            lines += ["find_joined()"] if self._needs(s.Connected) else []
        return lines

    # --- conditions --------------------------------------------------------------------------------------------------

    def _sequence_is(self, condition: s.SequenceIs, scope: _Scope) -> str:
        run, nodes = scope.runs[condition.segment], nodes_of(condition.value, self.words)
        equal = self.signs.false if len(nodes) > self.capacity else self._equal(run, nodes)
        return equal if condition.relation == "=" else negated(self.signs.not_, equal)

    def _equal(self, run: _Run, nodes: tuple[int, ...]) -> str:
        stored = _from_tail(nodes, run.component.head)
        cells = (f"({run.at(k)} == {node})" for k, node in enumerate(stored))
        return self.signs.all([f"({run.size} == {len(nodes)})", *cells])

    def _in_sequence(self, condition: s.InSequence, scope: _Scope) -> str:
        wanted = self._node(condition.node, scope)
        members = self._members(condition.sequence, scope)
        return self.signs.any(f"({there} && {wanted} == {found})" for there, found in members)

    def _members(self, sequence: s.SequenceOf, scope: _Scope) -> Iterator[tuple[str, str]]:
        """Every place in a run of nodes: the condition that there is such a place, and the node at it."""
        for item in sequence.items:
            match item:
                case s.Cell(name):
                    yield self.signs.true, scope.names[name]
                case s.Segment(name):
                    run = scope.runs[name]
                    for offset in range(self.capacity):
                        yield f"{run.size} > {offset}", run.at(offset)
                case _:
                    assert_never(item)

    def _quantified(self, condition: s.Quantified, scope: _Scope) -> str:
        """The body becomes a macro, which is asked at every place where there may be a node."""
        variable = self.names.of(("node", condition.variable), condition.variable)
        inner = replace(
            scope,
            parameters=(*scope.parameters, variable),
            names={**scope.names, condition.variable: variable},
        )
        body = self._macro(inner, condition.quantifier, self._condition(condition.body, inner))
        members = list(self._members(condition.domain, scope))
        calls = [(there, _call(body, (*scope.parameters, node))) for there, node in members]
        if condition.quantifier == "exists":
            return self.signs.any(f"({there} && {call})" for there, call in calls)
        return self.signs.all(f"(!({there}) || {call})" for there, call in calls)


# --- pieces of text --------------------------------------------------------------------------------------------------


def _call(name: str, arguments: Sequence[str]) -> str:
    return f"{name}({', '.join(arguments)})" if arguments else name


def _is_used(macro: str, text: str, macros: dict[str, str]) -> bool:
    return mentions(text, macro) or any(mentions(macros[name], macro) for name in macros if name != macro)


# --- the order of storage --------------------------------------------------------------------------------------------


def _from_tail(items: Sequence[_T], head: s.Side) -> Sequence[_T]:
    """What is printed from left to right, in the order in which it is stored."""
    return items if head == "right" else items[::-1]


def _changed(
    component: s.SequenceComponent, before: s.SequenceOf, after: s.SequenceOf
) -> tuple[Sequence[s.Item], Sequence[s.Item], Sequence[s.Item]]:
    """The items at the tail that stay where they are, those beyond that go, and those that come; each from the tail on."""
    old, new = _from_tail(before.items, component.head), _from_tail(after.items, component.head)
    kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    return old[:kept], old[kept:], new[kept:]

"""A system as a model for SPIN, in Promela.

The state vector holds the configuration and nothing else that varies independently:
- a sequence `σ` is an array `sigma_at` with its length `sigma_n`, from the tail (index 0) to the head, cells beyond the
  length 0;
- a flag is a bit, a counter an int, a set of nodes a mask with a bit for each node;
- the arcs are a bit matrix, `heads[d]` the mask of the heads of d, which also works where a node has several;
- `above[d]` and `joined[d]`, present only for figures that use `i ->* j` or `i <->* j`, are closures of the matrix.
  They are functions of the arcs, so they add no states; they are stored because SPIN cannot loop in a guard.

A transition is one `d_step` whose first statement is its guard, so that the only control location is the head of the
loop; a transition with choices is one option for each choice.  Variables that keep a value during a step are `hidden`:
not part of the state.
"""

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from itertools import product
from typing import ClassVar, Final, assert_never

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import plan as p
from arcproof.transitions import syntax as s
from arcproof.transitions.execute import nodes_of, start_value
from arcproof.transitions.export.common import (
    check_words,
    figure_comment,
    mentions,
    minus,
    needed_helpers,
    negated,
    paragraphs,
    plus,
)
from arcproof.transitions.export.walk import ExportScope, Model, Signs
from arcproof.transitions.plan import from_tail
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.system import System

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
    has_dependent="HAS_DEPENDENT({})",
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
    "HAS_DEPENDENT": "#define HAS_DEPENDENT(node) ((({heads} >> (node)) & 1) != 0)",
    "HAS_ARC": "#define HAS_ARC(head, dependent) (((heads[dependent] >> (head)) & 1) != 0)",
    "REACHES": "#define REACHES(node, other) ((node) == (other) || ((above[other] >> (node)) & 1) != 0)",
    "CONNECTED": "#define CONNECTED(node, other) ((node) == (other) || ((joined[other] >> (node)) & 1) != 0)",
    "IN_SET": "#define IN_SET(node, set) (((set >> (node)) & 1) != 0)",
    "BETWEEN": "#define BETWEEN(left, word, right) (((left) < word && word < (right)) || ((right) < word && word < "
    "(left)))",
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
    "PUSH": "#define PUSH(sequence, node) assert(sequence##_n < CAPACITY); sequence##_at[sequence##_n] = node; "
    "sequence##_n++",
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
class _Scope(ExportScope):
    """A scope that also keeps the runs of nodes, and the macros made for a rule or for `final`, which all take
    `parameters`.
    """

    owner: str
    parameters: tuple[str, ...] = ()
    runs: dict[p.Run, _Run] = field(default_factory=dict)
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
            '"states, stored" is the number of configurations that can be reached: the initial one counts, '
            "terminal ones are not",
            'expanded, labels are left out. "transitions" is one more than the number of permissible '
            "transitions in them.",
            "",
            "A sequence is stored from its tail, at index 0, to its head, the end it grows at. heads[d] has "
            "a bit for each head of d.",
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
        """Whether a node of one of these kinds occurs in `final` or in a transition."""
        return any(isinstance(node, kinds) for node in s.walk((self.figure.final, self.figure.rules)))

    def _declaration(self, component: s.Component, value: s.StartValue) -> list[str]:
        start = start_value(value, self.words)
        stem = self._stem(component)
        match start:
            case tuple():
                assert isinstance(component, s.SequenceComponent)
                cells = from_tail(start, component.head)
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
        heads = " | ".join(f"heads[{node}]" for node in range(self.words + 1))
        filled = {"heads": f"({heads})", "degree": " \\\n    + ".join(degree) or "0", "last": self.words}
        helpers = {name: text.format(**filled) if "{" in text else text for name, text in _HELPERS.items()}
        return needed_helpers(helpers, body)

    # --- names -------------------------------------------------------------------------------------------------------

    def _stem(self, component: s.Component) -> str:
        """The variable of a flag, counter or set; for a sequence, the stem to which `_at` and `_n` are added."""
        if isinstance(component, s.SequenceComponent):
            return self.names.of(component, component.name, ("_at", "_n"))
        return self.names.of(component, f"{component.name}_{component.kind}")

    def _variable(self, component: int) -> str:
        return self._stem(self.figure.state[component])

    def _sequence(self, component: int) -> s.SequenceComponent:
        declared = self.figure.state[component]
        assert isinstance(declared, s.SequenceComponent)
        return declared

    def _length(self, choice: p.Choice) -> str:
        return self.names.of(("length", choice.name), f"{choice.name}_n")

    def _parameter(self, name: str) -> str:
        return self.names.of(("parameter", name), f"parameter_{name}")

    def _word_count(self) -> str:
        return str(self.words)

    def _size(self, run: p.Run, scope: _Scope) -> str:
        return f"({self._run(run, scope).size})"

    def _run(self, run: p.Run, scope: _Scope) -> _Run:
        if isinstance(run, p.Rest) and run.is_whole:
            stem = self._variable(run.place.component)
            return _Run(self._sequence(run.place.component), stem, "0", f"{stem}_n")
        return scope.runs[run]

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
        condition = " && ".join(self._condition(part, scope) for part in self.plan.terminal)
        return "\n".join([*scope.macros.values(), f"#define TERMINAL ({condition or 'true'})"])

    def _rule(self, number: int) -> tuple[str, list[str]]:
        """The macros and the step of a rule, and its options in the loop."""
        rule = self.plan.rules[number]
        name = self.names.of(("rule", number), rule.rule.name, ("_permitted", "_step"))
        lengths = tuple(map(self._length, rule.match.choices))
        scope = _Scope(owner=name, parameters=lengths)
        guard = [text for test in rule.match.tests for text in self._match(test, scope)]
        guard += [self._condition(condition, scope) for condition in (*rule.match.roots, *rule.guards)]
        lines = [
            f"#define {_call(f'{name}_permitted', lengths)} (" + " \\\n    && ".join(guard or ["true"]) + ")",
            f"inline {name}_step({', '.join(lengths)})",
            "{",
            ";\n".join(f"    {statement}" for statement in self._step(rule, scope)),
            "}",
        ]
        rest = "\n".join(lines)
        macros = [text for macro, text in scope.macros.items() if _is_used(macro, rest, scope.macros)]
        return "\n".join([*macros, rest]), [self._option(name, choice) for choice in self._choices(rule.match)]

    def _choices(self, match: p.Match) -> Iterator[tuple[int, ...]]:
        """Every combination of lengths of the chosen runs for which there is room."""
        ways = []
        for test in match.sequences:
            free = self.capacity - test.cells
            lengths = product(range(free + 1), repeat=len(test.chosen))
            ways.append([choice for choice in lengths if sum(choice) <= free])
        for combination in product(*ways):
            yield tuple(length for choice in combination for length in choice)

    def _option(self, name: str, choice: tuple[int, ...]) -> str:
        numbers = tuple(map(str, choice))
        guard = _call(f"{name}_permitted", numbers)
        return f"    :: d_step {{ !TERMINAL && {guard} -> {name}_step({', '.join(numbers)}) }}"

    def _match(self, test: p.Test, scope: _Scope) -> list[str]:
        """The conditions of a pattern; its names are added to the scope."""
        if not isinstance(test, p.SequenceFits):
            return self._match_value(test)
        for item in test.items:
            self._bind(item, scope)
        stem = self._variable(test.component)
        needed = plus(test.cells, [scope.parameters[choice] for choice in test.chosen])
        if not test.has_rest:
            return [f"{stem}_n == {needed}"]
        return [f"{stem}_n >= {needed}"] if needed != "0" else []

    def _bind(self, item: p.Item, scope: _Scope) -> None:
        place = item.place
        component, stem = self._sequence(place.component), self._variable(place.component)
        runs = [scope.parameters[run] for run in place.runs]
        match item:
            case p.Cell(name):
                if not item.is_hole:
                    index = str(place.cells) if place.end == "tail" else minus(f"{stem}_n", place.cells + 1, runs)
                    macro = self._macro(scope, "root" if item.is_root else name, f"{stem}_at[{index}]")
                    scope.nodes[item] = _call(macro, scope.parameters)
            case p.Rest(_, _, behind):
                size = minus(f"{stem}_n", place.cells + behind, runs)
                scope.runs[item] = _Run(component, stem, str(behind), size)
            case p.Chosen(_, _, choice):
                length = scope.parameters[choice]
                scope.runs[item] = _Run(component, stem, minus(f"{stem}_n", place.cells, [*runs, length]), length)
            case _:
                assert_never(item)

    # --- steps -------------------------------------------------------------------------------------------------------

    def _step(self, rule: p.RulePlan, scope: _Scope) -> list[str]:
        """What a transition does: first read everything that is needed, then write the state."""
        held = replace(scope, nodes=dict(scope.nodes))
        for cell in dict.fromkeys(_moved(rule)):
            held.nodes[cell] = self._hold("byte", cell.name)
        reads = [f"{held.nodes[node]} = {text}" for node, text in scope.nodes.items() if held.nodes[node] != text]
        writes: list[str] = []
        for move in rule.moves:
            if not move.stays:
                read, written = self._update(move, held)
                reads += read
                writes += written
        statements = [*dict.fromkeys(reads), *writes, *self._arcs(rule.arcs, held)]
        return [*statements, "skip"] if not statements or statements[-1].startswith(_LOOPS) else statements

    def _update(self, move: p.Move, scope: _Scope) -> tuple[list[str], list[str]]:
        """The reads and the writes that give a component its new value."""
        stem = self._variable(move.component)
        match move:
            case p.SequenceBecomes():
                return self._sequence_update(move, scope)
            case p.FlagBecomes(_, p.Truth(value)):
                return [], [f"{stem} = {int(value)}"]
            case p.FlagBecomes():
                kind = "byte"
            case p.CounterBecomes():
                kind = "int"
            case p.SetBecomes():
                kind = self.mask
            case _:
                assert_never(move)
        text = self._value(move, scope)
        if text.isdigit():
            return [], [f"{stem} = {text}"]
        store = self._hold(kind, stem)
        return [f"{store} = {text}"], [f"{stem} = {store}"]

    def _sequence_update(self, move: p.SequenceBecomes, scope: _Scope) -> tuple[list[str], list[str]]:
        """Leave the cells at the tail that stay alone, drop the cells beyond them, then push the new ones."""
        stem, head = self._variable(move.component), self._sequence(move.component).head
        reads: list[str] = []
        writes = self._cut(move, scope)
        for item in move.items[move.kept :]:
            if isinstance(item, p.Cell):
                writes.append(f"PUSH({stem}, {scope.nodes[item]})")
            else:
                run, store = self._run(item, scope), self._hold("run", item.name)
                reads.append(f"HOLD({store}, {run.stem}, {run.low}, {run.size})")
                turned = "" if run.component.head == head else "_TURNED"
                writes.append(f"PUSH_RUN{turned}({stem}, {store})")
        return reads, writes

    def _cut(self, move: p.SequenceBecomes, scope: _Scope) -> list[str]:
        stem, kept = self._variable(move.component), move.items[: move.kept]
        if any(isinstance(item, p.Rest) for item in move.dropped):
            return [f"CUT_TO({stem}, {len(kept)})"]
        runs = [scope.parameters[item.choice] for item in move.dropped if isinstance(item, p.Chosen)]
        if runs:
            return [f"CUT({stem}, {plus(len(move.dropped) - len(runs), runs)})"]
        return [f"DROP({stem})"] * len(move.dropped)

    def _arcs(self, changes: tuple[p.ArcChange, ...], scope: _Scope) -> list[str]:
        lines: list[str] = []
        for change in changes:
            match change:
                case p.AddArc(head, dependent):
                    lines.append(f"ADD_ARC({self._node(head, scope)}, {self._node(dependent, scope)})")
                case p.RemoveArcs(dependent):
                    lines.append(f"REMOVE_ARCS({self._node(dependent, scope)})")
                case _:
                    assert_never(change)
        if changes:
            lines += ["find_above()"] if self._needs(s.Reaches) else []
            lines += ["find_joined()"] if self._needs(s.Connected) else []
        return lines

    # --- conditions --------------------------------------------------------------------------------------------------

    def _sequence_is(self, condition: p.SequenceIs, scope: _Scope) -> str:
        run, nodes = self._run(condition.run, scope), nodes_of(condition.value, self.words)
        equal = self.signs.false if len(nodes) > self.capacity else self._equal(run, nodes)
        return equal if condition.relation == "=" else negated(self.signs.not_, equal)

    def _equal(self, run: _Run, nodes: tuple[int, ...]) -> str:
        stored = from_tail(nodes, run.component.head)
        cells = (f"({run.at(k)} == {node})" for k, node in enumerate(stored))
        return self.signs.all([f"({run.size} == {len(nodes)})", *cells])

    def _in_sequence(self, condition: p.InSequence, scope: _Scope) -> str:
        wanted = self._node(condition.node, scope)
        members = self._members(condition.members, scope)
        return self.signs.any(f"({there} && {wanted} == {found})" for there, found in members)

    def _members(self, members: Sequence[p.Member], scope: _Scope) -> Iterator[tuple[str, str]]:
        """For every place in a sequence: the condition that it exists, and the node there."""
        for member in members:
            if isinstance(member, p.Chosen | p.Rest):
                run = self._run(member, scope)
                for offset in range(self.capacity):
                    yield f"{run.size} > {offset}", run.at(offset)
            else:
                yield self.signs.true, self._node(member, scope)

    def _quantified(self, condition: p.Quantified, scope: _Scope) -> str:
        """Turn the body into a macro, which is tested at every place where there may be a node."""
        variable = self.names.of(("node", condition.variable.name), condition.variable.name)
        inner = replace(
            scope,
            parameters=(*scope.parameters, variable),
            nodes={**scope.nodes, condition.variable: variable},
        )
        body = self._macro(inner, condition.quantifier, self._condition(condition.body, inner))
        members = list(self._members(condition.members, scope))
        calls = [(there, _call(body, (*scope.parameters, node))) for there, node in members]
        if condition.quantifier == "exists":
            return self.signs.any(f"({there} && {call})" for there, call in calls)
        return self.signs.all(f"(!({there}) || {call})" for there, call in calls)


def _moved(rule: p.RulePlan) -> Iterator[p.Cell]:
    """The nodes that are still needed while the state is written."""
    for move in rule.moves:
        if isinstance(move, p.SequenceBecomes):
            yield from (item for item in move.items[move.kept :] if isinstance(item, p.Cell))
    yield from (node for node in s.walk(rule.arcs) if isinstance(node, p.Cell))


# --- pieces of text --------------------------------------------------------------------------------------------------


def _call(name: str, arguments: Sequence[str]) -> str:
    return f"{name}({', '.join(arguments)})" if arguments else name


def _is_used(macro: str, text: str, macros: dict[str, str]) -> bool:
    return mentions(text, macro) or any(mentions(macros[name], macro) for name in macros if name != macro)

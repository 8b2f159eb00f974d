"""A system as a model for TLC, in TLA+.

A sequence is a TLA+ sequence in printed order, a flag a Boolean, a counter an integer, a set of nodes a set, and the
arcs are a set of pairs <<head, dependent>>.  The number of words is the constant `n`, given in the configuration file:
the module is the same for every n.

TLC finds a module by its file name.  `to_tla` names the module as told, or else after the system (`covington[d=1]`
becomes
`covington_d_1`); it must be saved as NAME.tla, with NAME.cfg next to it.
"""

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import field, replace
from itertools import groupby
from typing import ClassVar, Final, TypeAlias, assert_never

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import plan as p
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import CannotExport
from arcproof.transitions.export.common import (
    Identifiers,
    check_words,
    figure_comment,
    identifier,
    mentions,
    minus,
    needed_helpers,
    paragraphs,
    plus,
)
from arcproof.transitions.export.walk import ExportScope, Model, Signs
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.system import System

_MODULES: Final = """
    Bags FiniteSets Integers Naturals Peano ProtoReals Randomization Reals RealTime Sequences TLC TLCExt Json Toolbox
"""
_KEYWORDS: Final = """
    ACTION ASSUME ASSUMPTION AXIOM BY CASE CHOOSE CONSTANT CONSTANTS COROLLARY DEF DEFINE DEFS DOMAIN ELSE ENABLED EXCEPT EXTENDS FALSE HAVE
    HIDE IF IN INSTANCE LAMBDA LEMMA LET LOCAL MODULE NEW OBVIOUS OMITTED OTHER PICK PROOF PROPOSITION PROVE QED RECURSIVE SF_ STATE STEP
    SUBSET SUFFICES TAKE TEMPORAL THEN THEOREM TRUE UNCHANGED UNION USE VARIABLE VARIABLES WF_ WITH WITNESS BOOLEAN STRING
    Nat Int Seq Len Append Head Tail SubSeq SelectSeq Cardinality IsFiniteSet
"""
_OURS: Final = """
    n arcs Init Next Spec Terminal Holds Nodes Span HasHead HasDependent Reaches Connected Degree Above Joined
    condition sequence index first last node other nodes more arc left right low high word
"""

_SIGNS: Final = Signs(
    relations={"=": "=", "!=": "#", "<": "<", "<=": "<=", ">": ">", ">=": ">="},
    comparison="{} {} {}",
    and_=" /\\ ",
    or_=" \\/ ",
    not_="~",
    true="TRUE",
    false="FALSE",
    has_head="HasHead({})",
    has_dependent="HasDependent({})",
    has_arc="<<{}, {}>> \\in arcs",
    reaches="Reaches({}, {})",
    connected="Connected({}, {})",
    degree="Degree({}, {})",
    in_set="{} \\in {}",
    empty_set="{}",
    with_node="({} \\union {{{}}})",
    without_node="({} \\ {{{}}})",
    parameter="{} == {}",
)
_THEN: Final = " \\o "

_HELPERS: Final = {
    "Holds": "\\* TLC takes each part of a disjunction that holds, and each witness, as a step of its own; not so in an equation\n"
    "Holds(condition) == condition = TRUE",
    "Span": "Span(first, last) == [index \\in 1 .. (last - first + 1) |-> first + index - 1]",
    "Nodes": "Nodes(sequence) == {sequence[index] : index \\in 1 .. Len(sequence)}",
    "HasHead": "HasHead(node) == node \\in {arc[2] : arc \\in arcs}",
    "HasDependent": "HasDependent(node) == node \\in {arc[1] : arc \\in arcs}",
    "Above": """\
\\* the nodes from which one of these can be reached
RECURSIVE Above(_)
Above(nodes) ==
  LET more == nodes \\union {arc[1] : arc \\in {other \\in arcs : other[2] \\in nodes}}
  IN  IF more = nodes THEN nodes ELSE Above(more)""",
    "Reaches": "Reaches(node, other) == node \\in Above({other})",
    "Joined": """\
\\* the nodes that arcs, in whichever direction, join to one of these
RECURSIVE Joined(_)
Joined(nodes) ==
  LET more == nodes \\union UNION {{arc[1], arc[2]} : arc \\in {other \\in arcs : other[1] \\in nodes \\/ other[2] \\in nodes}}
  IN  IF more = nodes THEN nodes ELSE Joined(more)""",
    "Connected": "Connected(node, other) == other \\in Joined({node})",
    "Degree": """\
\\* words strictly between the two whose head lies outside the closed interval, or that have none
Degree(left, right) ==
  LET low == IF left < right THEN left ELSE right
      high == IF left < right THEN right ELSE left
  IN  Cardinality({word \\in (low + 1) .. (high - 1) :
                     ~\\E arc \\in arcs : arc[2] = word /\\ low <= arc[1] /\\ arc[1] <= high})""",
}


@dataclass(frozen=True, slots=True)
class TlaModel:
    """A module with its name, and the configuration file that TLC expects next to it."""

    name: str
    module: str
    configuration: str


def to_tla(system: System, words: int, name: str | None = None) -> TlaModel:
    """The model for a sentence of this many words; `name` is that of the module, and of its file."""
    check_words(words)
    module = Identifiers(_KEYWORDS, _MODULES).of("module", _safe(system.name)) if name is None else module_name(name)
    configuration = f"CONSTANT n = {words}\nINIT Init\nNEXT Next\n"
    return TlaModel(module, _Tla(system, words, module, configuration).text(), configuration)


def module_name(name: str) -> str:
    """The name, if it is a valid name for a module and its file."""
    if name != _safe(name) or name in f"{_MODULES} {_KEYWORDS}".split():
        raise CannotExport(
            f"`{name}` cannot be the name of a TLA+ module; use letters, digits and underscores, as in Model"
        )
    return name


def _safe(name: str) -> str:
    """An identifier for the name that does not begin like the fairness operators `WF_` and `SF_`."""
    return re.sub("^(?=[WS]F_)", "x", identifier(name))


@dataclass(frozen=True, slots=True)
class _Scope(ExportScope):
    """A scope that also keeps the runs of nodes, the definitions of names, and the choices of lengths."""

    runs: dict[p.Run, str] = field(default_factory=dict)
    definitions: dict[str, str] = field(default_factory=dict)
    choices: list[str] = field(default_factory=list)


class _Tla(Model[_Scope]):
    signs: ClassVar[Signs] = _SIGNS

    def __init__(self, system: System, words: int, module: str, configuration: str) -> None:
        super().__init__(system, words, _KEYWORDS, _OURS, _MODULES, module)
        self.module = module
        self.configuration = configuration
        self.variables = [self._name(component, component.name) for component in self.figure.state]
        self.rules = [self._name(("rule", number), rule.name) for number, rule in enumerate(self.figure.rules)]

    # --- the whole text ----------------------------------------------------------------------------------------------

    def text(self) -> str:
        """The module."""
        rules = [self._rule(number) for number in range(len(self.figure.rules))]
        helpers = needed_helpers(_HELPERS, "\n".join([self._init(), self._terminal(), *rules]))
        head = [f"---- MODULE {self.module} ----", self._header(), "EXTENDS Integers, Sequences, FiniteSets"]
        declared = f"CONSTANT n\nVARIABLES {', '.join([*self.variables, 'arcs'])}"
        before = ["\n".join(head), declared, "\n".join(self._parameters()), helpers, self._init(), self._terminal()]
        return paragraphs([*before, *self._under_comments(rules), self._next(), "===="])

    def _header(self) -> str:
        name = self.module
        return self._comment(
            [
                f"{self.system.name}: a model for TLC, written by arcproof.",
                *figure_comment(self.system),
                f"For a sentence of {counted(self.words, 'word')}, with this text in {name}.tla and beside it "
                f"in {name}.cfg",
                "",
                *(f"  {line}" for line in self.configuration.splitlines()),
                "",
                "run (with -deadlock TLC does not report the end of a run as a deadlock)",
                "",
                f"  java -XX:+UseParallelGC -cp tla2tools.jar tlc2.TLC -deadlock {name}",
                "",
                '"distinct states found" is the number of configurations that can be reached: the initial '
                "one counts, terminal ones",
                'are not expanded, labels are left out. "states generated" is one more than the number of '
                "permissible transitions in them.",
            ]
        )

    def _comment(self, lines: Sequence[str]) -> str:
        return "\n".join(f"\\* {line}".rstrip() for line in lines)

    def _init(self) -> str:
        values = [
            f"{name} = {self._start(value)}" for name, value in zip(self.variables, self.figure.start, strict=True)
        ]
        return _definition("Init", [*values, "arcs = {}"])

    def _terminal(self) -> str:
        conditions = [self._condition(condition, _Scope()) for condition in self.plan.terminal]
        return _definition("Terminal", conditions or ["TRUE"])

    def _next(self) -> str:
        return _definition("Next", ["~Terminal", "\\/ " + "\n     \\/ ".join(self.rules)])

    # --- names -------------------------------------------------------------------------------------------------------

    def _name(self, thing: Hashable, wanted: str) -> str:
        return self.names.of(thing, _safe(wanted))

    def _variable(self, component: int) -> str:
        return self.variables[component]

    def _parameter(self, name: str) -> str:
        return self._name(("parameter", name), name)

    def _word_count(self) -> str:
        return "n"

    def _size(self, run: p.Run, scope: _Scope) -> str:
        return f"Len({self._run(run, scope)})"

    def _run(self, run: p.Run, scope: _Scope) -> str:
        if isinstance(run, p.Rest) and run.is_whole:
            return self._variable(run.place.component)
        return scope.runs[run]

    def _length(self, choice: p.Choice) -> str:
        return self._name(("length", choice.name), f"{choice.name}_length")

    # --- rules -------------------------------------------------------------------------------------------------------

    def _rule(self, number: int) -> str:
        rule = self.plan.rules[number]
        scope = _Scope()
        guards: list[str] = []
        for test in rule.match.tests:
            guards += self._match(test, rule.match, scope)
        inner = [self._precondition(condition, scope) for condition in (*rule.match.roots, *rule.guards)]
        inner += self._updates(rule, scope)
        defined = [f"{name} == {text}" for name, text in scope.definitions.items() if mentions("\n".join(inner), name)]
        blocks = [[text] for text in inner]
        if defined or scope.choices:
            blocks = [_under(scope.choices, defined, _bullets(blocks))]
        lines = _bullets([*([guard] for guard in guards), *blocks])
        return "\n".join([f"{self.rules[number]} ==", *(f"  {line}" for line in lines)])

    def _match(self, test: p.Test, match: p.Match, scope: _Scope) -> list[str]:
        """The conditions of a pattern; its names and choices are added to the scope."""
        if not isinstance(test, p.SequenceFits):
            return self._match_value(test)
        size = f"Len({self._variable(test.component)})"
        lengths = list(map(self._length, match.choices))
        for index, choice in enumerate(test.chosen):
            most = minus(size, test.cells, (lengths[earlier] for earlier in test.chosen[:index]))
            scope.choices.append(f"\\E {lengths[choice]} \\in 0 .. ({most}) :")
        for item in test.items:
            self._bind(item, lengths, scope)
        if not test.has_rest:
            return [f"{size} = {test.cells}"]
        return [f"{size} >= {test.cells}"] if test.cells else []

    def _bind(self, item: p.Item, lengths: Sequence[str], scope: _Scope) -> None:
        place = item.place
        variable, head = self._variable(place.component), self._head(place.component)
        distance = place.cells, [lengths[run] for run in place.runs]
        match item:
            case p.Cell(name):
                if item.is_hole:
                    return
                at_left = (place.end == "head") == (head == "left")
                index = plus(distance[0] + 1, distance[1]) if at_left else minus(f"Len({variable})", *distance)
                scope.nodes[item] = self._name(("node", name), "root" if item.is_root else name)
                scope.definitions[scope.nodes[item]] = f"{variable}[{index}]"
            case p.Rest(name, _, behind):
                if not item.is_whole:
                    scope.runs[item] = self._name(("rest", name), f"{name}_rest")
                    scope.definitions[scope.runs[item]] = _between(head, variable, distance, (behind, []))
            case p.Chosen(name, _, choice):
                scope.runs[item] = self._name(("run", name), name)
                scope.definitions[scope.runs[item]] = _run(head, variable, distance, lengths[choice])
            case _:
                assert_never(item)

    def _head(self, component: int) -> s.Side:
        declared = self.figure.state[component]
        assert isinstance(declared, s.SequenceComponent)
        return declared.head

    # --- updates -----------------------------------------------------------------------------------------------------

    def _updates(self, rule: p.RulePlan, scope: _Scope) -> list[str]:
        """The new values, and what stays as it is."""
        same = [variable for variable, move in zip(self.variables, rule.moves, strict=True) if move.stays]
        lines = [
            f"{variable}' = {self._update(move, scope)}"
            for variable, move in zip(self.variables, rule.moves, strict=True)
            if not move.stays
        ]
        if rule.arcs:
            lines.append(f"arcs' = {self._arcs(rule.arcs, scope)}")
        else:
            same.append("arcs")
        return [*lines, f"UNCHANGED <<{', '.join(same)}>>"] if same else lines

    def _update(self, move: p.Move, scope: _Scope) -> str:
        match move:
            case p.SequenceBecomes(component, items):
                return self._sequence(items if self._head(component) == "right" else items[::-1], scope)
            case p.FlagBecomes(_, p.Truth(value)):
                return self.signs.truth(value)
            case p.FlagBecomes():
                return f"({self._value(move, scope)})"
            case p.CounterBecomes() | p.SetBecomes():
                return self._value(move, scope)
            case _:
                assert_never(move)

    def _arcs(self, changes: tuple[p.ArcChange, ...], scope: _Scope) -> str:
        text = "arcs"
        for change in changes:
            match change:
                case p.AddArc(head, dependent):
                    text = f"{text} \\union {{<<{self._node(head, scope)}, {self._node(dependent, scope)}>>}}"
                case p.RemoveArcs(dependent):
                    text = f"{{arc \\in {text} : arc[2] # {self._node(dependent, scope)}}}"
                case _:
                    assert_never(change)
        return text

    def _start(self, value: s.StartValue) -> str:
        match value:
            case s.LiteralSequence():
                return self._literal(value)
            case s.FlagLiteral(truth):
                return self.signs.truth(truth)
            case s.CounterFrom(term):
                return self._written(term)
            case s.SetFrom():
                return self.signs.empty_set
            case _:
                assert_never(value)

    def _literal(self, literal: s.LiteralSequence) -> str:
        return _joined(
            (str(part.first), True)
            if part.first == part.last
            else (f"Span({part.first}, {'n' if part.last is None else part.last})", False)
            for part in literal.ranges
        )

    def _sequence(self, members: Sequence[p.Member], scope: _Scope) -> str:
        return _joined(
            (self._run(member, scope), False)
            if isinstance(member, p.Chosen | p.Rest)
            else (self._node(member, scope), True)
            for member in members
        )

    # --- conditions --------------------------------------------------------------------------------------------------

    def _precondition(self, condition: p.Condition, scope: _Scope) -> str:
        text = self._condition(condition, scope)
        chain = isinstance(condition, p.And) and all(isinstance(part, p.Comparison) for part in condition.parts)
        return f"Holds{text}" if isinstance(condition, p.And | p.Or | p.Quantified) and not chain else text

    def _sequence_is(self, condition: p.SequenceIs, scope: _Scope) -> str:
        relation = self.signs.relations[condition.relation]
        return f"{self._run(condition.run, scope)} {relation} {self._literal(condition.value)}"

    def _in_sequence(self, condition: p.InSequence, scope: _Scope) -> str:
        return f"{self._node(condition.node, scope)} \\in Nodes({self._sequence(condition.members, scope)})"

    def _quantified(self, condition: p.Quantified, scope: _Scope) -> str:
        name = self._name(("node", condition.variable.name), condition.variable.name)
        inner = replace(scope, nodes={**scope.nodes, condition.variable: name})
        sign = "\\E" if condition.quantifier == "exists" else "\\A"
        domain = self._sequence(condition.members, scope)
        return f"({sign} {name} \\in Nodes({domain}) : {self._condition(condition.body, inner)})"


# --- pieces of text --------------------------------------------------------------------------------------------------

_Distance: TypeAlias = tuple[int, Sequence[str]]


def _between(head: s.Side, variable: str, from_head: _Distance, from_tail: _Distance) -> str:
    """The nodes between two places, each given by its distance from its end of the sequence."""
    left, right = (from_head, from_tail) if head == "left" else (from_tail, from_head)
    return f"SubSeq({variable}, {plus(left[0] + 1, left[1])}, {minus(f'Len({variable})', *right)})"


def _run(head: s.Side, variable: str, from_head: _Distance, length: str) -> str:
    """This many nodes, beginning at a place given by its distance from the head."""
    cells, runs = from_head
    if head == "left":
        return f"SubSeq({variable}, {plus(cells + 1, runs)}, {plus(cells, [*runs, length])})"
    size = f"Len({variable})"
    return f"SubSeq({variable}, {minus(size, cells - 1, [*runs, length])}, {minus(size, cells, runs)})"


def _definition(name: str, parts: Sequence[str]) -> str:
    return "\n".join([f"{name} ==", *(f"  {line}" for line in _bullets([[part] for part in parts]))])


def _bullets(parts: Sequence[Sequence[str]]) -> list[str]:
    """A conjunction with one bullet per part; each part is given as its lines."""
    return [("   " if index else "/\\ ") + line for part in parts for index, line in enumerate(part)]


def _under(choices: Sequence[str], definitions: Sequence[str], block: Sequence[str]) -> list[str]:
    """The lines of a block that chooses some names and defines others."""
    lines = list(block)
    if definitions:
        lines = [f"{'LET ' if not index else '    '}{line}" for index, line in enumerate(definitions)]
        lines += [f"{'IN  ' if not index else '    '}{line}" for index, line in enumerate(block)]
    return [*choices, *(f"  {line}" if choices else line for line in lines)]


def _joined(parts: Iterable[tuple[str, bool]]) -> str:
    """The concatenation of sequences and, where they are marked so, of single nodes."""
    groups = [(single, [text for text, _ in group]) for single, group in groupby(parts, key=lambda part: part[1])]
    return _THEN.join(f"<<{', '.join(texts)}>>" if single else _THEN.join(texts) for single, texts in groups) or "<<>>"

"""What the languages of the model checkers write in the same way, except for the symbols: conditions, terms, the values
of flags, counters and sets.

A language (`promela`, `tla`) adds its `Signs`, how it stores sequences and arcs, and what a step is.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import ClassVar, Generic, TypeAlias, TypeVar, assert_never

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import plan as p
from arcproof.transitions import syntax as s
from arcproof.transitions.export.common import Identifiers, finite, negated, outside_transitions, rule_comments
from arcproof.transitions.system import System


@dataclass(frozen=True, slots=True)
class Signs:
    """How a language writes conditions and terms: format strings and symbols."""

    relations: Mapping[s.Relation, str]
    comparison: str
    and_: str
    or_: str
    not_: str
    true: str
    false: str
    has_head: str
    has_dependent: str
    has_arc: str
    reaches: str
    connected: str
    degree: str
    in_set: str
    empty_set: str
    with_node: str
    without_node: str
    parameter: str

    def truth(self, value: bool) -> str:
        """A truth value."""
        return self.true if value else self.false

    def all(self, conditions: Iterable[str]) -> str:
        """The text of a conjunction."""
        return _joined(list(conditions), self.and_, self.true)

    def any(self, conditions: Iterable[str]) -> str:
        """The text of a disjunction."""
        return _joined(list(conditions), self.or_, self.false)


def _joined(parts: Sequence[str], sign: str, nothing: str) -> str:
    return parts[0] if len(parts) == 1 else f"({sign.join(parts)})" if parts else nothing


@dataclass(frozen=True, slots=True)
class ExportScope:
    """The names that a model uses for the nodes of a rule, or of `final`."""

    nodes: dict[p.Node, str] = field(default_factory=dict)


ScopeT = TypeVar("ScopeT", bound=ExportScope)
Value: TypeAlias = p.FlagBecomes | p.CounterBecomes | p.SetBecomes


class Model(ABC, Generic[ScopeT]):
    """Writes the model of one system for a sentence of this many words."""

    signs: ClassVar[Signs]

    def __init__(self, system: System, words: int, *reserved: str) -> None:
        """Start with the words that cannot be identifiers in the language, given as space-separated lists."""
        self.system = system
        self.figure = system.figure
        self.plan = system.plan
        self.words = words
        self.names = Identifiers(*reserved)

    # --- what a language says --------------------------------------------------------------------------------------

    @abstractmethod
    def text(self) -> str:
        """The whole model."""

    @abstractmethod
    def _comment(self, lines: Sequence[str]) -> str:
        """A comment with this text, which cannot end the comment."""

    @abstractmethod
    def _parameter(self, name: str) -> str:
        """The identifier of a parameter."""

    @abstractmethod
    def _variable(self, component: int) -> str:
        """The identifier of a flag, counter or set."""

    @abstractmethod
    def _word_count(self) -> str:
        """The number of words."""

    @abstractmethod
    def _size(self, run: p.Run, scope: ScopeT) -> str:
        """The length of a run of nodes."""

    @abstractmethod
    def _sequence_is(self, condition: p.SequenceIs, scope: ScopeT) -> str:
        """Whether a run of nodes equals a literal sequence."""

    @abstractmethod
    def _in_sequence(self, condition: p.InSequence, scope: ScopeT) -> str:
        """Whether a node is in a sequence."""

    @abstractmethod
    def _quantified(self, condition: p.Quantified, scope: ScopeT) -> str:
        """Whether a condition holds for some node of a sequence, or for all of them."""

    # --- what both say alike ---------------------------------------------------------------------------------------

    def _parameters(self) -> list[str]:
        """The definitions of the parameters, except ∞, which the plan has eliminated."""
        return [
            self.signs.parameter.format(self._parameter(declared.name), value)
            for declared in self.figure.parameters
            if isinstance(value := self.system.parameters[declared.name], int)
        ]

    def _under_comments(self, rules: Iterable[str]) -> list[str]:
        """The text of each rule under its line of the figure."""
        comments = rule_comments(self.system)
        return [f"{self._comment([line])}\n{text}" for line, text in zip(comments, rules, strict=True)]

    def _match_value(self, test: p.FlagIs | p.CounterIs | p.AnyValue) -> list[str]:
        """The condition that a flag, counter or set matches the pattern."""
        variable = self._variable(test.component)
        match test:
            case p.AnyValue():
                return []
            case p.FlagIs(_, value):
                return [variable if value else f"{self.signs.not_}{variable}"]
            case p.CounterIs(_, number):
                return [f"{variable} {self.signs.relations['=']} {number}"]
            case _:
                assert_never(test)

    def _value(self, move: Value, scope: ScopeT) -> str:
        """The new value of a flag, counter or set."""
        match move:
            case p.FlagBecomes(_, condition):
                return self._condition(condition, scope)
            case p.CounterBecomes():
                return self._term(finite(move), scope)
            case p.SetBecomes(_, base, changes):
                text = self.signs.empty_set if base is None else self._variable(base)
                for sign, node in changes:
                    changed = self.signs.with_node if sign == "+" else self.signs.without_node
                    text = changed.format(text, self._node(node, scope))
                return text
            case _:
                assert_never(move)

    def _condition(self, condition: p.Condition, scope: ScopeT) -> str:
        def node(part: p.Node) -> str:
            return self._node(part, scope)

        signs = self.signs
        match condition:
            case p.Truth(value):
                return signs.truth(value)
            case p.Comparison(left, relation, right):
                sign = signs.relations[relation]
                return signs.comparison.format(self._term(left, scope), sign, self._term(right, scope))
            case p.SequenceIs():
                return self._sequence_is(condition, scope)
            case p.HasHead(dependent):
                return signs.has_head.format(node(dependent))
            case p.HasDependent(head):
                return signs.has_dependent.format(node(head))
            case p.HasArc(head, dependent):
                return signs.has_arc.format(node(head), node(dependent))
            case p.Reaches(source, target):
                return signs.reaches.format(node(source), node(target))
            case p.Connected(one, other):
                return signs.connected.format(node(one), node(other))
            case p.IsSet(component):
                return self._variable(component)
            case p.InSet(member, component):
                return signs.in_set.format(node(member), self._variable(component))
            case p.InSequence():
                return self._in_sequence(condition, scope)
            case p.Quantified():
                return self._quantified(condition, scope)
            case p.Not(body):
                return negated(signs.not_, self._condition(body, scope))
            case p.And(parts):
                return signs.all(self._condition(part, scope) for part in parts)
            case p.Or(parts):
                return signs.any(self._condition(part, scope) for part in parts)
            case p.GoldArc() | p.Complete() | p.Precedes():
                raise outside_transitions(condition)
            case _:
                assert_never(condition)

    def _node(self, node: p.Node, scope: ScopeT) -> str:
        match node:
            case p.Fixed(number):
                return str(number)
            case p.Cell() | p.Each():
                return scope.nodes[node]
            case _:
                assert_never(node)

    def _term(self, term: p.Term, scope: ScopeT) -> str:
        match term:
            case p.Number(_, written):
                return self._written(written)
            case p.Fixed() | p.Cell() | p.Each():
                return self._node(term, scope)
            case p.Words():
                return self._word_count()
            case p.CounterOf(component):
                return self._variable(component)
            case p.Length(run):
                return self._size(run, scope)
            case p.Degree(left, right):
                return self.signs.degree.format(self._node(left, scope), self._node(right, scope))
            case p.Sum(sign, left, right):
                return f"({self._term(left, scope)} {sign} {self._term(right, scope)})"
            case p.GoldFunction() | p.ArcCount():
                raise outside_transitions(term)
            case _:
                assert_never(term)

    def _written(self, constant: s.Term) -> str:
        """A number as the figure writes it, with the names of parameters."""
        match constant:
            case s.Number(value):
                return str(value)
            case s.Parameter(name):
                return self._parameter(name)
            case s.Arithmetic(operator, left, right):
                return f"({self._written(left)} {operator} {self._written(right)})"
        raise AssertionError(f"{type(constant).__name__} is not a constant")

"""What the languages of model checkers write alike but for the signs: conditions, terms, the values of flags, counters and sets.

A language (`promela`, `tla`) adds its `Signs`, how it stores sequences and arcs, and what a step is.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Generic, TypeAlias, TypeVar, assert_never

from arcproof.transitions import syntax as s
from arcproof.transitions.export.common import (
    Identifiers,
    decided,
    finite_counter,
    negated,
    outside_transitions,
    rule_comments,
)
from arcproof.transitions.system import System


@dataclass(frozen=True, slots=True)
class Signs:
    """How a language writes conditions and terms: formats of what is to be filled in, and signs."""

    relations: Mapping[s.Relation, str]
    comparison: str
    and_: str
    or_: str
    not_: str
    true: str
    false: str
    has_head: str
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
class Scope:
    """What the names of a rule, or of `final`, stand for."""

    names: dict[str, str] = field(default_factory=dict)


ScopeT = TypeVar("ScopeT", bound=Scope)
ValueUpdate: TypeAlias = s.FlagFrom | s.CounterFrom | s.SetFrom


class Model(ABC, Generic[ScopeT]):
    """Writes the model of one system for a sentence of so many words."""

    signs: ClassVar[Signs]

    def __init__(self, system: System, words: int, *reserved: str) -> None:
        """Start with the words that are no identifiers of the language, lists of them separated by blanks."""
        self.system = system
        self.figure = system.figure
        self.words = words
        self.names = Identifiers(*reserved)

    # --- what a language says --------------------------------------------------------------------------------------

    @abstractmethod
    def text(self) -> str:
        """The whole model."""

    @abstractmethod
    def _comment(self, lines: Sequence[str]) -> str:
        """A comment that nothing in its lines can end."""

    @abstractmethod
    def _parameter(self, name: str) -> str:
        """The identifier of a parameter."""

    @abstractmethod
    def _word_count(self) -> str:
        """The number of words."""

    @abstractmethod
    def _size(self, segment: str, scope: ScopeT) -> str:
        """The length of a run of nodes."""

    @abstractmethod
    def _sequence_is(self, condition: s.SequenceIs, scope: ScopeT) -> str:
        """Whether a run of nodes is the one written out."""

    @abstractmethod
    def _in_sequence(self, condition: s.InSequence, scope: ScopeT) -> str:
        """Whether a node is in a sequence."""

    @abstractmethod
    def _quantified(self, condition: s.Quantified, scope: ScopeT) -> str:
        """Whether something holds of some node of a sequence, or of all."""

    # --- what both say alike ---------------------------------------------------------------------------------------

    def _parameters(self) -> list[str]:
        """What defines the parameters; ∞ is none of them, see `decided`."""
        return [
            self.signs.parameter.format(self._parameter(declared.name), value)
            for declared in self.figure.parameters
            if isinstance(value := self.system.parameters[declared.name], int)
        ]

    def _under_comments(self, rules: Iterable[str]) -> list[str]:
        """The text of each rule under its line of the figure."""
        comments = rule_comments(self.system)
        return [f"{self._comment([line])}\n{text}" for line, text in zip(comments, rules, strict=True)]

    def _match_value(
        self, variable: str, pattern: s.AnyValue | s.FlagLiteral | s.CounterFrom, scope: ScopeT
    ) -> Iterator[str]:
        """The condition that a flag, counter or set is as in the pattern; its name goes to the scope."""
        match pattern:
            case s.AnyValue(name):
                scope.names[name] = variable
            case s.FlagLiteral(value):
                yield variable if value else f"{self.signs.not_}{variable}"
            case s.CounterFrom(term):
                yield f"{variable} {self.signs.relations['=']} {self._term(term, scope)}"
            case _:
                assert_never(pattern)

    def _value(self, update: ValueUpdate, scope: ScopeT) -> str:
        """The new value of a flag, counter or set."""
        match update:
            case s.FlagFrom(condition):
                return self._condition(condition, scope)
            case s.CounterFrom():
                return self._term(finite_counter(update, self.system.parameters), scope)
            case s.SetFrom(base, changes):
                text = self.signs.empty_set if base is None else scope.names[base]
                for sign, node in changes:
                    changed = self.signs.with_node if sign == "+" else self.signs.without_node
                    text = changed.format(text, self._node(node, scope))
                return text
            case _:
                assert_never(update)

    def _condition(self, condition: s.Condition, scope: ScopeT) -> str:
        def node(part: s.Node) -> str:
            return self._node(part, scope)

        signs = self.signs
        match condition:
            case s.Comparison(terms, relations):
                pairs = zip(terms, relations, terms[1:], strict=False)
                return signs.all(self._comparison(left, relation, right, scope) for left, relation, right in pairs)
            case s.SequenceIs():
                return self._sequence_is(condition, scope)
            case s.HasHead(dependent):
                return signs.has_head.format(node(dependent))
            case s.HasArc(head, dependent):
                return signs.has_arc.format(node(head), node(dependent))
            case s.Reaches(source, target):
                return signs.reaches.format(node(source), node(target))
            case s.Connected(left, right):
                return signs.connected.format(node(left), node(right))
            case s.IsSet(flag):
                return scope.names[flag]
            case s.InSet(member, set_name):
                return signs.in_set.format(node(member), scope.names[set_name])
            case s.InSequence():
                return self._in_sequence(condition, scope)
            case s.Quantified():
                return self._quantified(condition, scope)
            case s.Not(body):
                return negated(signs.not_, self._condition(body, scope))
            case s.And(parts):
                return signs.all(self._condition(part, scope) for part in parts)
            case s.Or(parts):
                return signs.any(self._condition(part, scope) for part in parts)
            case s.GoldArc() | s.Complete() | s.Precedes():
                raise outside_transitions(condition)
            case _:
                assert_never(condition)

    def _comparison(self, left: s.Term, relation: s.Relation, right: s.Term, scope: ScopeT) -> str:
        truth = decided(left, relation, right, self.system.parameters)
        if truth is not None:
            return self.signs.truth(truth)
        sign = self.signs.relations[relation]
        return self.signs.comparison.format(self._term(left, scope), sign, self._term(right, scope))

    def _node(self, node: s.Node, scope: ScopeT) -> str:
        match node:
            case s.Number(value):
                return str(value)
            case s.Variable(name):
                return scope.names[name]
            case _:
                assert_never(node)

    def _term(self, term: s.Term, scope: ScopeT) -> str:
        match term:
            case s.Number() | s.Variable():
                return self._node(term, scope)
            case s.Words():
                return self._word_count()
            case s.CounterVariable(name):
                return scope.names[name]
            case s.Parameter(name):
                return self._parameter(name)
            case s.Size(segment):
                return self._size(segment, scope)
            case s.Degree(left, right):
                return self.signs.degree.format(self._node(left, scope), self._node(right, scope))
            case s.Arithmetic("+" | "-" | "*" as operator, left, right):
                return f"({self._term(left, scope)} {operator} {self._term(right, scope)})"
            case s.Arithmetic() | s.GoldFunction() | s.Count() | s.Infinity():
                raise outside_transitions(term)
            case _:
                assert_never(term)

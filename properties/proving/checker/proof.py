"""Proofs in the Cooperating Proof Calculus, step by step.

A proof is one list of commands: `(define @t () term)` names a term, `(assume @p formula)` takes an assertion of the
obligation, `(assume-push @p formula)` opens an assumption and `(step-pop @p :rule scope :premises (@q))` discharges the
last one, and `(step @p formula :rule name :premises (…) :args (…))` is a step.  The formula of a step may be omitted;
if it is given, it must be the one that follows.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Final

from arcproof.properties.proving.checker import arithmetic, clauses, quantifiers
from arcproof.properties.proving.checker.expressions import Expression, listed, read, word
from arcproof.properties.proving.checker.obligation import Script, read_obligation, sort_of
from arcproof.properties.proving.checker.schemata import Argument, Rule, schemata
from arcproof.properties.proving.checker.terms import (
    FALSE,
    OPERATORS,
    QUANTIFIERS,
    TRUE,
    Refused,
    Term,
    apply,
    integer,
    operator,
    purified,
    quantifier,
    rational,
    skolem,
    variable,
    whole_number,
)


@cache
def rules() -> Mapping[str, Rule]:
    """Every rule by its name, except `scope`, which discharges an assumption."""
    programs = [*clauses.RULES.items(), *arithmetic.RULES.items(), *quantifiers.RULES.items()]
    found: dict[str, Rule] = {**schemata(), **dict(programs)}
    if len(found) != len(schemata()) + len(programs):
        raise ValueError("two rules have the same name")
    return found


@dataclass(frozen=True)
class Checked:
    """A proof that was accepted: its steps by rule, and how many assertions it uses."""

    rules: Mapping[str, int]
    assumptions: int

    @property
    def steps(self) -> int:
        """The number of steps."""
        return sum(self.rules.values())


def check(obligation: str, proof: str) -> Checked:
    """Accept a proof that the assertions of an obligation contradict each other, or raise `Refused`."""
    try:
        checking = Checking(read_obligation(obligation))
        commands = read(proof)
        if len(commands) != 1:
            raise Refused("a proof is one list of commands")
        for command in listed(commands[0]):
            checking.obey(listed(command))
        return checking.end()
    except RecursionError:
        raise Refused("the proof is nested too deeply") from None


@dataclass
class _Scope:
    """An open assumption, and the names of the steps under it."""

    assumed: Term
    names: list[str] = field(default_factory=list)


@dataclass
class Checking:
    """What is known while a proof is read: its names, the formulas of the steps in scope, and the open assumptions."""

    obligation: Script
    defined: dict[str, Argument] = field(default_factory=dict)
    shown: dict[str, Term] = field(default_factory=dict)
    scopes: list[_Scope] = field(default_factory=list)
    used: set[Term] = field(default_factory=set)
    counted: Counter[str] = field(default_factory=Counter)
    last: Term | None = None

    def obey(self, command: list[Expression]) -> None:
        """Execute one command; if it is refused, say which."""
        try:
            self._obey(command)
        except Refused as reason:
            raise Refused(f"{_title(command)}: {reason}") from None

    def _obey(self, command: list[Expression]) -> None:
        match command:
            case ["define", str(name), [], value]:
                self._name(name)
                self.defined[name] = self._argument(value)
            case ["assume", str(name), formula]:
                self._assume(name, formula)
            case ["assume-push", str(name), formula]:
                self.scopes.append(_Scope(self._closed(formula)))
                self._conclude(name, self.scopes[-1].assumed)
            case ["step", str(name), ":rule", str(rule), *options]:
                self._step(name, None, rule, options)
            case ["step", str(name), formula, ":rule", str(rule), *options]:
                self._step(name, self._formula(formula), rule, options)
            case ["step-pop", str(name), ":rule", "scope", ":premises", [str(premise)]]:
                self._discharge(name, premise)
            case _:
                raise Refused("not a command of a proof")

    def end(self) -> Checked:
        """End the proof: the last step must be false, and no assumption may be open."""
        if self.scopes:
            raise Refused("an assumption is still open at the end")
        if self.last is not FALSE:
            raise Refused("the last step does not say false")
        return Checked(self.counted, len(self.used))

    # --- commands ----------------------------------------------------------------------------------------------------

    def _assume(self, name: str, formula: Expression) -> None:
        assumed = self._formula(formula)
        if assumed not in self.obligation.assertions:
            raise Refused("the assumption is not an assertion of the obligation")
        self.used.add(assumed)
        self._conclude(name, assumed)

    def _closed(self, formula: Expression) -> Term:
        assumed = self._formula(formula)
        if assumed.free:
            raise Refused("an assumption has a free variable")
        return assumed

    def _step(self, name: str, stated: Term | None, rule: str, options: list[Expression]) -> None:
        if rule not in rules():
            raise Refused("there is no such rule")
        conclusion = rules()[rule](*self._options(options))
        if stated is not None and stated is not conclusion:
            raise Refused("the stated formula does not follow")
        self.counted[rule] += 1
        self._conclude(name, conclusion)

    def _options(self, options: list[Expression]) -> tuple[tuple[Term, ...], tuple[Argument, ...]]:
        match options:
            case []:
                return (), ()
            case [":premises", list(names)]:
                return self._premises(names), ()
            case [":args", list(values)]:
                return (), tuple(map(self._argument, values))
            case [":premises", list(names), ":args", list(values)]:
                return self._premises(names), tuple(map(self._argument, values))
        raise Refused("a step has premises and arguments, in this order")

    def _premises(self, names: list[Expression]) -> tuple[Term, ...]:
        return tuple(self._premise(word(name)) for name in names)

    def _premise(self, name: str) -> Term:
        if name not in self.shown:
            raise Refused(f"there is no step {name} in scope")
        return self.shown[name]

    def _discharge(self, name: str, premise: str) -> None:
        if not self.scopes:
            raise Refused("there is no open assumption")
        shown = self._premise(premise)
        scope = self.scopes.pop()
        for inner in scope.names:
            del self.shown[inner]
        self.counted["scope"] += 1
        self._conclude(name, operator("=>", scope.assumed, shown))

    def _conclude(self, name: str, formula: Term) -> None:
        self._name(name)
        if formula.sort != "Bool":
            raise Refused("the conclusion is not a formula")
        self.shown[name] = formula
        self.last = formula
        if self.scopes:
            self.scopes[-1].names.append(name)

    def _name(self, name: str) -> None:
        if not name.startswith("@") or name in self.defined or name in self.shown or name in _BUILT_IN:
            raise Refused(f"{name} is not a new name")

    # --- terms -------------------------------------------------------------------------------------------------------

    def _formula(self, expression: Expression) -> Term:
        formula = self._term(expression)
        if formula.sort != "Bool":
            raise Refused("a formula was expected")
        return formula

    def _term(self, expression: Expression) -> Term:
        value = self._argument(expression)
        if not isinstance(value, Term):
            raise Refused("a term was expected, not a list")
        return value

    def _argument(self, expression: Expression) -> Argument:
        match expression:
            case str():
                return self._atom(expression)
            case ["@list", *parts]:
                return tuple(map(self._term, parts))
            case ["@var", str(name), sort] if name.startswith('"'):
                return variable(name[1:-1], sort_of(sort))
            case ["@purify", part]:
                return purified(self._term(part))
            case ["@quantifiers_skolemize", formula, place]:
                return skolem(self._term(formula), whole_number(self._term(place)))
            case [str(head), bound, body] if head in QUANTIFIERS:
                variables = self._argument(bound)
                if isinstance(variables, Term):
                    raise Refused("a list of variables was expected")
                return quantifier(head, variables, self._term(body))
            case [str(head), _, *_]:
                arguments = tuple(map(self._term, expression[1:]))
                if head in OPERATORS:
                    return operator(head, *arguments)
                return apply(head, arguments, self.obligation.signature)
        raise Refused("not a term")

    def _atom(self, text: str) -> Argument:
        if text in self.defined:
            return self.defined[text]
        if text in ("true", "false"):
            return TRUE if text == "true" else FALSE
        if _NUMBER.fullmatch(text):
            return rational(Fraction(text)) if "/" in text else integer(int(text))
        return apply(text, (), self.obligation.signature)


def _title(command: list[Expression]) -> str:
    """The command and its name, and the rule of a step."""
    words = [part for part in command[:5] if isinstance(part, str)]
    by = f", by {words[words.index(':rule') + 1]}" if ":rule" in words[:-1] else ""
    return " ".join(words[:2])[:80] + by


_NUMBER: Final = re.compile(r"-?[0-9]{1,999}(/[1-9][0-9]{0,999})?")
_BUILT_IN: Final = frozenset({"@list", "@var", "@purify", "@quantifiers_skolemize"})

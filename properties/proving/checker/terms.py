"""Terms over integers, rational numbers and truth values, each made only once, so that terms with the same text are the
same object.

Every function that makes a term checks its sorts, and raises `Refused` if they do not fit.  Conjunctions, disjunctions,
sums and products take any number of arguments; without any they are their neutral element.  `(or a)` is a term that is
not `a`, though it means the same.  No operator mixes integers and rational numbers; `to_real` and `to_int`, which
rounds down, convert between them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, TypeAlias
from weakref import WeakValueDictionary

Sort: TypeAlias = Literal["Bool", "Int", "Real"]
Kind: TypeAlias = Literal["number", "truth", "variable", "function", "operator", "quantifier", "skolem", "purified"]


class Refused(Exception):
    """The text is not a proof of the obligation, or not one that the rules allow."""


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class Term:
    """A term; `bound` are the variables of a quantifier and `free` those that occur free.

    For a Skolem term, the formula is the argument, and the head is the number of the variable it stands for.
    """

    kind: Kind
    head: str | int | Fraction
    bound: tuple["Term", ...]
    arguments: tuple["Term", ...]
    sort: Sort
    free: frozenset["Term"]

    def __str__(self) -> str:
        """The term in SMT-LIB."""
        match self.kind:
            case "variable" | "truth":
                return str(self.head)
            case "number":
                return f"{self.head}/1" if self.sort == "Real" and "/" not in str(self.head) else str(self.head)
            case "skolem":
                return f"(@quantifiers_skolemize {self.arguments[0]} {self.head})"
            case "purified":
                return f"(@purify {self.arguments[0]})"
        binder = [f"({' '.join(f'({x.head} {x.sort})' for x in self.bound)})"] if self.kind == "quantifier" else []
        parts = [str(self.head), *binder, *map(str, self.arguments)]
        return parts[0] if len(parts) == 1 else f"({' '.join(parts)})"

    def brief(self, depth: int = 3) -> str:
        """A short form for messages: the outermost symbols; a whole term with many shared parts may be too long to
        print.
        """
        if not self.arguments or depth == 0:
            return "…" if self.arguments else str(self)
        return f"({' '.join([str(self.head), *(argument.brief(depth - 1) for argument in self.arguments)])})"


Signature: TypeAlias = Mapping[str, tuple[tuple[Sort, ...], Sort]]
"""The sorts of the arguments and of the value of each function."""

_Key: TypeAlias = tuple[Kind, str | int | Fraction, tuple[Term, ...], tuple[Term, ...], Sort]
_known: Final[WeakValueDictionary[_Key, Term]] = WeakValueDictionary()


def _made(
    kind: Kind, head: str | int | Fraction, sort: Sort, arguments: tuple[Term, ...] = (), bound: tuple[Term, ...] = ()
) -> Term:
    key = (kind, head, bound, arguments, sort)
    known = _known.get(key)
    if known is not None:
        return known
    free: frozenset[Term] = frozenset().union(*(argument.free for argument in arguments)).difference(bound)
    term = Term(kind, head, bound, arguments, sort, free)
    if kind == "variable":
        object.__setattr__(term, "free", frozenset((term,)))
    _known[key] = term
    return term


def integer(value: int) -> Term:
    """An integer."""
    return _made("number", value, "Int")


def rational(value: Fraction) -> Term:
    """A rational number; 1 of the integers and 1 of the rational numbers are different terms."""
    return _made("number", value, "Real")


TRUE: Final = _made("truth", "true", "Bool")
FALSE: Final = _made("truth", "false", "Bool")
_ZERO: Final = integer(0)
_ONE: Final = integer(1)
NEUTRAL: Final = {"and": TRUE, "or": FALSE, "+": _ZERO, "*": _ONE}
"""The value of a variadic operator without arguments."""

_FIXED: Final[Mapping[str, tuple[tuple[Sort, ...], Sort]]] = {
    "not": (("Bool",), "Bool"),
    "=>": (("Bool", "Bool"), "Bool"),
    "to_real": (("Int",), "Real"),
    "to_int": (("Real",), "Int"),
}
_ORDER: Final = frozenset({"<", "<=", ">", ">="})
OPERATORS: Final = frozenset({*NEUTRAL, *_FIXED, *_ORDER, "=", "-", "ite"})
QUANTIFIERS: Final = frozenset({"forall", "exists"})
RESERVED: Final = OPERATORS | QUANTIFIERS | {"true", "false"}


def truth(value: bool) -> Term:
    """A truth value."""
    return TRUE if value else FALSE


def variable(name: str, sort: Sort) -> Term:
    """A variable; two variables with the same name and different sorts are different."""
    return _made("variable", name, sort)


def apply(name: str, arguments: tuple[Term, ...], signature: Signature) -> Term:
    """A declared function with its arguments."""
    if name not in signature:
        raise Refused(f"unknown symbol {name}")
    expected, sort = signature[name]
    if tuple(argument.sort for argument in arguments) != expected:
        raise Refused(f"the arguments of {name} have the wrong sorts")
    return _made("function", name, sort, arguments)


def operator(head: str, *arguments: Term) -> Term:
    """An interpreted operator with its arguments."""
    if head in NEUTRAL and not arguments:
        return NEUTRAL[head]
    sort = _sort_of(head, tuple(argument.sort for argument in arguments))
    if sort is None:
        raise Refused(f"the arguments of {head} have the wrong number or sorts")
    return _made("operator", head, sort, arguments)


def _sort_of(head: str, sorts: tuple[Sort, ...]) -> Sort | None:
    """The sort of an operator applied to arguments of these sorts; None if that is not possible."""
    match head, sorts:
        case (("and" | "or"), _):
            return "Bool" if set(sorts) == {"Bool"} else None
        case (("+" | "*"), (first, *_)):
            return first if first != "Bool" and len(set(sorts)) == 1 else None
        case "-", (first,) | (first, _):
            return first if first != "Bool" and len(set(sorts)) == 1 else None
        case (("<" | "<=" | ">" | ">="), (left, right)):
            return "Bool" if left == right != "Bool" else None
        case "=", (left, right):
            return "Bool" if left == right else None
        case "ite", ("Bool", then, otherwise):
            return then if then == otherwise else None
    expected, sort = _FIXED.get(head, (None, None))
    return sort if sorts == expected else None


def quantifier(head: str, bound: tuple[Term, ...], body: Term) -> Term:
    """∀ or ∃ over distinct variables, at least one."""
    if head not in QUANTIFIERS or body.sort != "Bool" or any(x.kind != "variable" for x in bound):
        raise Refused("not a quantified formula")
    if not bound or len(set(bound)) != len(bound):
        raise Refused(f"the variables of {head} are not distinct, or there are none")
    return _made("quantifier", head, "Bool", (body,), bound)


def skolem(formula: Term, place: int) -> Term:
    """A component of a counterexample to a closed ∀-formula."""
    if formula.kind != "quantifier" or formula.head != "forall" or formula.free:
        raise Refused("a Skolem term stands for a variable of a closed ∀-formula")
    if not 0 <= place < len(formula.bound):
        raise Refused(f"the formula of a Skolem term has no variable {place}")
    return _made("skolem", place, formula.bound[place].sort, (formula,))


def purified(term: Term) -> Term:
    """Another name for a term."""
    return _made("purified", "@purify", term.sort, (term,))


# --- short forms -----------------------------------------------------------------------------------------------------


def negation(term: Term) -> Term:
    """Not."""
    return operator("not", term)


def equation(left: Term, right: Term) -> Term:
    """The equation of two terms."""
    return operator("=", left, right)


def joined(head: str, parts: tuple[Term, ...]) -> Term:
    """The parts joined by a variadic operator; a single part stays as it is."""
    return parts[0] if len(parts) == 1 else operator(head, *parts)


def is_operator(term: Term, head: str) -> bool:
    """Whether this operator is the outermost."""
    return term.kind == "operator" and term.head == head


def arguments_of(term: Term, head: str, count: int | None = None) -> tuple[Term, ...]:
    """The arguments of a term whose outermost operator must be this one, with this many arguments."""
    if not is_operator(term, head) or (count is not None and len(term.arguments) != count):
        raise Refused(f"({head} …) was expected")
    return term.arguments


def sides(term: Term) -> tuple[Term, Term]:
    """The sides of an equation."""
    left, right = arguments_of(term, "=", 2)
    return left, right


def number(term: Term) -> int | Fraction:
    """The value of a term that must be a number."""
    if term.kind != "number" or isinstance(term.head, str):
        raise Refused("a number was expected")
    return term.head


def whole_number(term: Term) -> int:
    """The value of a term that must be an integer."""
    value = number(term)
    if not isinstance(value, int):
        raise Refused("an integer was expected")
    return value


def zero(sort: Sort) -> Term:
    """The number 0 of a sort."""
    return rational(Fraction(0)) if sort == "Real" else _ZERO


def with_arguments(term: Term, arguments: tuple[Term, ...]) -> Term:
    """The same function, operator or quantifier with new arguments of the same sorts."""
    if tuple(a.sort for a in arguments) != tuple(a.sort for a in term.arguments):
        raise Refused("the new arguments have different sorts")
    match term.kind:
        case "function" | "purified":
            return _made(term.kind, term.head, term.sort, arguments)
        case "operator":
            return operator(str(term.head), *arguments)
        case "quantifier":
            return quantifier(str(term.head), term.bound, arguments[0])
    raise Refused(f"{term.brief()} has no arguments to replace")


# --- substitution ----------------------------------------------------------------------------------------------------

Change: TypeAlias = Mapping[Term, Term]


def substitute(term: Term, change: Change) -> Term:
    """The term with its free variables replaced, all at once; refused if a quantifier would capture a variable."""
    for x, new in change.items():
        if x.kind != "variable" or x.sort != new.sort:
            raise Refused(f"{new.brief()} cannot stand for {x.brief()}")
    return _substituted(term, change, {})


def _substituted(term: Term, change: Change, done: dict[Term, Term]) -> Term:
    if term.free.isdisjoint(change):
        return term
    if term.kind == "variable":
        return change[term]
    if term not in done:
        if term.kind == "quantifier":
            done[term] = _under_quantifier(term, {x: new for x, new in change.items() if x in term.free})
        else:
            done[term] = with_arguments(term, tuple(_substituted(a, change, done) for a in term.arguments))
    return done[term]


def _under_quantifier(term: Term, change: Change) -> Term:
    if any(not new.free.isdisjoint(term.bound) for new in change.values()):
        raise Refused(f"a variable of {term.brief()} would be captured")
    return quantifier(str(term.head), term.bound, _substituted(term.arguments[0], change, {}))

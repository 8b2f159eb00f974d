"""The meaning of the formulas of lemma files (`language.lemmas`): terms about a state and a gold graph."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias, assert_never

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.lemmas import BadLemma, Tree, wrong
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.meaning.conditions import GOLD
from arcproof.properties.proving.meaning.state import GONE, WORDS, SymbolicState, between, is_node, is_word
from arcproof.properties.proving.trusted.obligation import Premise
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.reading.spelling import ascii_name

SUFFIX: Final = ".lemmas"
ARCS: Final = "A"
MISSING: Final = "missing"
POSITION: Final = "position"


class ManyPositions(ArcproofError):
    """An entry assumes that each node has a unique position, but some may have several: it does not apply to this
    figure.
    """


@dataclass(frozen=True)
class Macro:
    """A name for a formula."""

    parameters: tuple[str, ...]
    body: Tree
    opaque: bool


@dataclass(frozen=True)
class One:
    """A sequence of the figure."""

    name: str


@dataclass(frozen=True)
class Several:
    """Some sequences of the figure."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Counter:
    """A counter of the figure."""

    name: str


@dataclass(frozen=True)
class Flag:
    """A flag of the figure."""

    name: str


@dataclass(frozen=True)
class Members:
    """A set of the figure."""

    name: str


@dataclass(frozen=True)
class Region:
    """A set of nodes, and the names of regions that contain it."""

    name: str
    parameter: str
    body: Tree
    bound: Mapping[str, "Binding"]
    within: tuple[str, ...]


@dataclass(frozen=True)
class Root:
    """The end of the sentence at which 0 is: before all words, or after them."""

    last: bool


Binding: TypeAlias = One | Several | Counter | Flag | Members | Region | Root
"""What a name after `for` stands for."""


def shown(binding: Binding) -> str:
    """The name of what is bound, for a title."""
    match binding:
        case One(name) | Counter(name) | Flag(name) | Members(name) | Region(name):
            return name
        case Several(names):
            return ", ".join(names)
        case Root(last):
            return ", 0 being last" if last else ""
        case _:
            assert_never(binding)


@dataclass(frozen=True)
class FormulaScope:
    """The meanings of the names in a formula."""

    source: str
    state: SymbolicState
    start: SymbolicState | None
    macros: Mapping[str, Macro]
    bound: Mapping[str, Binding] = field(default_factory=dict)
    variables: Mapping[str, Term] = field(default_factory=dict)
    folded: bool = False

    def wrong(self, tree: Tree, message: str) -> BadLemma:
        """A mistake with its position."""
        return wrong(self.source, tree, message)

    def sequence(self, name: str, tree: Tree) -> str:
        """The component that a name stands for."""
        binding = self.bound.get(name)
        if not isinstance(binding, One):
            raise self.wrong(tree, f"{name} is not a sequence here; say `for {name}`")
        return binding.name

    def sequences(self, name: str, tree: Tree) -> tuple[str, ...]:
        """The components that a name stands for, one or several."""
        binding = self.bound.get(name)
        return binding.names if isinstance(binding, Several) else (self.sequence(name, tree),)

    def root(self, tree: Tree) -> Root:
        """The end at which 0 is."""
        found = [binding for binding in self.bound.values() if isinstance(binding, Root)]
        if len(found) != 1:
            raise self.wrong(tree, "this depends on where 0 is; say `for root R`")
        return found[0]

    def within_macro(self, parameters: Sequence[str], values: Sequence[Term]) -> "FormulaScope":
        """The scope of a definition's body, which mentions its parameters and single sequences.

        An opaque predicate is told from others by the sequences that it mentions (`_predicate`), so it must not mention
        anything else.
        """
        single = {name: binding for name, binding in self.bound.items() if isinstance(binding, One)}
        return replace(self, bound=single, variables=dict(zip(parameters, values, strict=True)))


def statement(tree: Tree, scope: FormulaScope) -> Term:
    """A formula as a term that is true or false."""
    return _of_sort(tree, True, scope)


def _meaning(tree: Tree, scope: FormulaScope) -> Term:
    """A formula or a number as a term about the state of the scope."""
    if tree.kind in _OPERATIONS:
        truth, operation = _OPERATIONS[tree.kind]
        return operation(*(_of_sort(part, truth, scope) for part in tree.trees()))
    return _NODES[tree.kind](tree, scope)


def _of_sort(tree: Tree, truth: bool, scope: FormulaScope) -> Term:
    term = _meaning(tree, scope)
    if t.is_truth(term) != truth:
        wanted, found = ("a statement", "a number") if truth else ("a number", "a statement")
        raise scope.wrong(tree, f"{found} where {wanted} was expected")
    return term


def _quantified(tree: Tree, scope: FormulaScope) -> Term:
    quantifier, *names = tree.words()
    not_reserved(names, tree, scope)
    variables = tuple(t.fresh() for _ in names)
    inner = replace(scope, variables={**scope.variables, **dict(zip(names, variables, strict=True))})
    body = _of_sort(tree.trees()[0], True, inner)
    return t.quantified("forall" if quantifier == "forall" else "exists", variables, body)


def not_reserved(names: Sequence[str], tree: Tree, scope: FormulaScope) -> None:
    """Check that n is not used as a variable: it is the number of words."""
    if "n" in names:
        raise scope.wrong(tree, "n is the number of words and cannot be a variable")
    if len(set(names)) < len(names):
        raise scope.wrong(tree, "two variables have the same name")


def _compared(tree: Tree, scope: FormulaScope) -> Term:
    if len(tree.parts) == 1:
        return _meaning(tree.trees()[0], scope)
    sides = [_of_sort(part, False, scope) for part in tree.trees()]
    return t.conjunction(*(_RELATIONS[sign](a, b) for a, sign, b in zip(sides, tree.words(), sides[1:], strict=False)))


def _arrow(tree: Tree, scope: FormulaScope) -> Term:
    source, target = (_of_sort(part, False, scope) for part in tree.trees())
    own, wanted = (scope.state.arc, scope.state.reaches), (GOLD.arc, GOLD.reaches)
    return (wanted if tree.kind == "gold" else own)[tree.words()[0] == "->*"](source, target)


def _inside(tree: Tree, scope: FormulaScope) -> Term:
    node = _of_sort(tree.trees()[0], False, scope)
    own = tree.words()[0]
    region = scope.bound.get(own)
    if isinstance(region, Region) and tree.kind == "inside":
        return _of_sort(region.body, True, replace(scope, bound=region.bound, variables={region.parameter: node}))
    if isinstance(region, Members) and tree.kind == "inside":
        return scope.state.sets[region.name](node)
    name = scope.sequence(own, tree)
    here = scope.state.inside(name, node)
    if tree.kind == "inside":
        return here
    return t.conjunction(here, t.less(scope.state.position_in(name, node), t.subtract(scope.state.heights[name], 1)))


def _empty(tree: Tree, scope: FormulaScope) -> Term:
    return t.conjunction(*(t.equal(scope.state.heights[s], 0) for s in scope.sequences(tree.words()[0], tree)))


def _name(tree: Tree, scope: FormulaScope) -> Term:
    name = tree.words()[0]
    if name == "n":
        return WORDS
    if name in scope.variables:
        return scope.variables[name]
    binding = scope.bound.get(name)
    if isinstance(binding, Counter):
        return scope.state.counters[binding.name]
    if isinstance(binding, Flag):
        return scope.state.flags[binding.name]
    raise scope.wrong(tree, f"{name} is not bound; say `forall {name}: …`")


def _size(tree: Tree, scope: FormulaScope) -> Term:
    name = tree.words()[0]
    if name == ARCS:
        return scope.state.arcs
    return t.add(*(scope.state.heights[sequence] for sequence in scope.sequences(name, tree)))


def _cell(tree: Tree, scope: FormulaScope) -> Term:
    name = scope.sequence(tree.words()[0], tree)
    state = scope.start if tree.kind == "start_cell" else scope.state
    if state is None:
        raise scope.wrong(tree, "the initial configuration is not known here")
    return state.cells[name](_of_sort(tree.trees()[0], False, scope))


def _applied(tree: Tree, scope: FormulaScope) -> Term:
    name = tree.words()[0]
    if name == MISSING:
        return _missing(tree, scope)
    if name == POSITION:
        return _position(tree, scope)
    given = [_of_sort(part, False, scope) for part in tree.trees()]
    if name in scope.macros:
        macro = scope.macros[name]
        _same_number(name, len(given), len(macro.parameters), tree, scope)
        if macro.opaque and scope.folded:
            return t.Apply(_predicate(name, len(given), scope), tuple(given))
        return _of_sort(macro.body, True, scope.within_macro(macro.parameters, given))
    if name in _IN_ORDER:
        arity, compare = _IN_ORDER[name]
        _same_number(name, len(given), arity, tree, scope)
        return compare(scope.root(tree).last, *given)
    if name not in _FUNCTIONS:
        known = ", ".join((*_FUNCTIONS, POSITION, MISSING, *_IN_ORDER, *scope.macros))
        raise scope.wrong(tree, f"{name} is unknown; the known ones are {known}")
    arity, function = _FUNCTIONS[name]
    _same_number(name, len(given), arity, tree, scope)
    return function(scope.state, *given)


def _position(tree: Tree, scope: FormulaScope) -> Term:
    """The cell of a node; if nodes may be in several sequences, the cell in the given one or in the only one bound."""
    first, *which = tree.trees()
    node = _of_sort(first, False, scope)
    if which:
        _same_number(POSITION, len(tree.trees()), 2, tree, scope)
        return scope.state.position_in(scope.sequence(which[0].words()[0], tree), node)
    if not scope.state.apart:
        return scope.state.position(node)
    names = [binding.name for binding in scope.bound.values() if isinstance(binding, One)]
    if len(names) != 1:
        raise ManyPositions("a node that may be in several sequences does not have a single position")
    return scope.state.position_in(names[0], node)


def _missing(tree: Tree, scope: FormulaScope) -> Term:
    """The number of words among 1..k that are not in a set."""
    _same_number(MISSING, len(tree.trees()), 2, tree, scope)
    which, k = tree.trees()
    own = which.words()[0] if which.kind == "name" else ""
    binding = scope.bound.get(own)
    if not isinstance(binding, Members):
        raise scope.wrong(tree, f"{MISSING}(U, k) is about a set; say `for set U`")
    return scope.state.missing[binding.name](_of_sort(k, False, scope))


def _same_number(name: str, given: int, wanted: int, tree: Tree, scope: FormulaScope) -> None:
    if given != wanted:
        raise scope.wrong(tree, f"{name} takes {wanted} arguments, not {given}")


def _placed(c: SymbolicState, x: Term) -> Term:
    if c.apart:
        return t.TRUE
    return t.conjunction(t.at_most(GONE, c.place(x)), t.at_most(c.place(x), len(c.sequences) - 1))


_FUNCTIONS: Final[dict[str, tuple[int, Callable[..., Term]]]] = {
    "gone": (1, lambda c, x: c.gone(x)),
    "here": (1, lambda c, x: c.here(x)),
    "placed": (1, _placed),
    "headed": (1, lambda c, x: c.headed(x)),
    "headless": (1, lambda c, k: c.headless(k)),
    "linked": (2, lambda c, x, y: c.linked(x, y)),
    "done": (2, lambda c, x, y: c.done(x, y)),
    "secondplane": (1, lambda c, x: c.second_plane(x)),
    "goldhead": (1, lambda _, x: GOLD.head(x)),
    "depth": (1, lambda _, x: GOLD.depth(x)),
    "order": (1, lambda _, x: GOLD.order(x)),
    "last": (1, lambda _, x: GOLD.last(x)),
    "node": (1, lambda _, x: is_node(x)),
    "word": (1, lambda _, x: is_word(x)),
    "between": (3, lambda _, x, w, y: between(x, w, y)),
}
"""Functions of a state and of this many terms."""


def _before(last: bool, x: Term, y: Term) -> Term:
    if not last:
        return t.less(x, y)
    return t.conjunction(t.differ(x, 0), t.disjunction(t.equal(y, 0), t.less(x, y)))


def _upto(last: bool, x: Term, y: Term) -> Term:
    if not last:
        return t.at_most(x, y)
    return t.disjunction(t.equal(y, 0), t.conjunction(t.differ(x, 0), t.at_most(x, y)))


def _amid(last: bool, x: Term, w: Term, y: Term) -> Term:
    """w is strictly between x and y; if 0 comes after the words, only nodes are between it and a word."""
    if not last:
        return between(x, w, y)
    forwards = t.conjunction(_before(last, x, w), _before(last, w, y))
    backwards = t.conjunction(_before(last, y, w), _before(last, w, x))
    to_root = t.disjunction(t.equal(x, 0), t.equal(y, 0))
    return t.conjunction(t.implies(to_root, is_node(w)), t.disjunction(forwards, backwards))


def _final(last: bool, x: Term) -> Term:
    """The last node that x dominates in gold; if 0 comes after the words, 0 is its own last node."""
    return t.choose(t.equal(x, 0), t.Integer(0), GOLD.last(x)) if last else GOLD.last(x)


_IN_ORDER: Final[dict[str, tuple[int, Callable[..., Term]]]] = {
    "before": (2, _before),
    "upto": (2, _upto),
    "amid": (3, _amid),
    "final": (1, _final),
}
"""Functions of whether 0 comes after the words, and of this many terms."""

_RELATIONS: Final[dict[str, Callable[[Term, Term], Term]]] = {
    "=": t.equal,
    "!=": t.differ,
    "<": t.less,
    "<=": t.at_most,
    ">": lambda a, b: t.less(b, a),
    ">=": lambda a, b: t.at_most(b, a),
}
_OPERATIONS: Final[dict[str, tuple[bool, Callable[..., Term]]]] = {
    "implies": (True, t.implies),
    "equivalent": (True, t.equivalent),
    "negated": (True, t.negation),
    "plus": (False, t.add),
    "minus": (False, t.subtract),
    "times": (False, t.product),
}
_NODES: Final[dict[str, Callable[[Tree, FormulaScope], Term]]] = {
    "statement": lambda tree, scope: _of_sort(tree.trees()[0], True, scope),
    "quantified": _quantified,
    "either": lambda tree, scope: _joined(t.disjunction, tree, scope),
    "both": lambda tree, scope: _joined(t.conjunction, tree, scope),
    "compared": _compared,
    "gold": _arrow,
    "built": _arrow,
    "inside": _inside,
    "inside_but_head": _inside,
    "empty": _empty,
    "number": lambda tree, _: t.Integer(int(tree.words()[0])),
    "name": _name,
    "size": _size,
    "cell": _cell,
    "start_cell": _cell,
    "applied": _applied,
}


def _joined(join: Callable[..., Term], tree: Tree, scope: FormulaScope) -> Term:
    parts = tree.trees()
    if len(parts) == 1:
        return _meaning(parts[0], scope)
    return join(*(_of_sort(part, True, scope) for part in parts))


# --- definitions -----------------------------------------------------------------------------------------------------


def macro_of(item: Tree, scope: FormulaScope) -> tuple[str, Macro]:
    """A definition; it may use only earlier ones, so that none is circular."""
    keyword, name, *parameters = item.words()
    not_reserved(parameters, item, scope)
    known = (*scope.macros, *_FUNCTIONS, *_IN_ORDER, MISSING, POSITION)
    if ascii_name(name) in map(ascii_name, known):
        raise scope.wrong(item, f"{name} is already defined")
    body = item.trees()[0]
    for used in _applications(body):
        if used.words()[0] not in known:
            raise scope.wrong(used, f"{used.words()[0]} is not defined above")
    return name, Macro(tuple(parameters), body, keyword == "opaque")


def _applications(tree: Tree) -> Iterator[Tree]:
    if tree.kind == "applied":
        yield tree
    for part in tree.trees():
        yield from _applications(part)


def definition(tree: Tree, scope: FormulaScope) -> Premise:
    """What an opaque predicate means."""
    name = tree.words()[0]
    if name not in scope.macros or not scope.macros[name].opaque:
        raise scope.wrong(tree, f"there is no `opaque {name}` above")
    macro = scope.macros[name]
    variables = tuple(t.fresh() for _ in macro.parameters)
    body = _of_sort(macro.body, True, scope.within_macro(macro.parameters, variables))
    symbol = _predicate(name, len(variables), scope)
    return f"definition of {name}", t.quantified("forall", variables, t.equivalent(t.Apply(symbol, variables), body))


def _predicate(name: str, arity: int, scope: FormulaScope) -> t.Symbol:
    """The unknown predicate of an opaque definition, one for every choice of the sequences that it mentions.

    Symbols are unique: no name has a dot, and no two files or definitions are spelled alike.
    """
    used = _words_in(scope.macros[name].body, scope.macros)
    which = ".".join(
        f"{ascii_name(own)}.{scope.state.number_of(binding.name)}"
        for own, binding in sorted(scope.bound.items())
        if own in used and isinstance(binding, One)
    )
    return t.Symbol(f"defined.{_spelled(scope.source.removesuffix(SUFFIX))}.{_spelled(name)}.{which}", arity, "Bool")


def _spelled(name: str) -> str:
    """A name as part of a symbol; characters other than ASCII letters, digits, `_` and `-` are spelled by their number.

    >>> _spelled("zα"), _spelled("zalpha")
    ('z!3b1!', 'zalpha')
    """
    return "".join(c if c.isascii() and (c.isalnum() or c in "_-") else f"!{ord(c):x}!" for c in name)


def _words_in(tree: Tree, macros: Mapping[str, Macro]) -> set[str]:
    """Every name in a formula, and in the definitions that it uses; a definition uses only earlier ones."""
    found = set(tree.words())
    for part in tree.trees():
        found |= _words_in(part, macros)
    if tree.kind == "applied" and tree.words()[0] in macros:
        found |= _words_in(macros[tree.words()[0]].body, macros)
    return found


# --- induction -------------------------------------------------------------------------------------------------------


def by_induction(stated: Tree, on: Tree, scope: FormulaScope) -> tuple[Term, Term]:
    """The hypothesis and the goal, about arbitrary constants in place of the outermost variables."""
    whole = stated.trees()[0]
    if whole.kind != "quantified" or whole.words()[0] != "forall":
        raise scope.wrong(whole, "a statement proved by induction must begin with forall")
    names = whole.words()[1:]
    body = whole.trees()[0]
    not_reserved(names, whole, scope)
    if on.kind == "name" and on.words()[0] not in names:
        raise scope.wrong(on, f"{on.words()[0]} is not among the outermost variables {', '.join(names)}")
    fixed = {name: t.constant(f"fixed_{index}") for index, name in enumerate(names)}

    def at(values: Mapping[str, Term]) -> FormulaScope:
        return replace(scope, variables=values)

    measure = _of_sort(on, False, at(fixed))
    goal = _of_sort(body, True, at(fixed))
    if on.kind == "name":
        before = {**fixed, on.words()[0]: t.subtract(measure, 1)}
        return t.implies(t.at_most(1, measure), _of_sort(body, True, at(before))), goal
    variables = tuple(t.fresh() for _ in names)
    others = dict(zip(names, variables, strict=True))
    smaller = t.within(0, _of_sort(on, False, at(others)), measure)
    return t.quantified("forall", variables, t.implies(smaller, _of_sort(body, True, at(others)))), goal

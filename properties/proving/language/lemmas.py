"""Lemma files: guesses at invariants and facts that follow, in the words of the proofs, for every sequence of a figure.

A *guess* is a candidate like those of `templates`: it may be false, and must be preserved by every move to be used; `using` says which
premises to try first.
A *lemma* follows, in one and the same configuration, from the premises that it names after `using`: axioms of the class, candidates,
lemmas above it.  The solvers are given these and no others.  `by induction on v` adds the statement for v - 1, where v is a
variable and v - 1 >= 0; `by induction on t` adds the statement for all values of its variables for which the term t is smaller and not negative.
Both are well-founded whatever the statement says.

`define f(x) as …` names a formula.  `opaque f(x) as …` does too, but within the proofs of lemmas f is an unknown predicate, so that a solver does
not get lost in it; `using definition of f` says what it is.  Outside of them, and in guesses, f is always written out.

`for X` repeats a guess or lemma for every sequence of the figure; `for X, Z` for every two.  `{X}` in a title is the name of the sequence.
A lemma that has no proof in some figure is not used there; nothing in a file is believed.

In formulas: `n`; `|X|` is a height and `X[p]` a cell, 0 the tail and |X| - 1 the head; `x in X`, `x in X but its head`, `gone(x)`;
`done(x, y)` a certain transition was performed with x and y; `x -> y` and `x ->* y` are built, `gold x -> y` and `gold x ->* y` are wanted; `headed(x)`, `goldhead(x)`, `depth(x)`, `order(x)` (the
projective order), `last(x)` (the last node that x dominates in gold); `node(x)`, `word(x)`, `between(x, w, y)`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from itertools import permutations
from typing import Final

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.library.templates import Candidate, between, is_node, is_word
from arcproof.properties.proving.meaning.conditions import GOLD
from arcproof.properties.proving.meaning.state import GONE, State
from arcproof.properties.proving.trusted.obligation import Premise
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.reading.spelling import ascii_name

LIBRARY: Final = "arcproof.properties.proving.library"
SUFFIX: Final = ".lemmas"
_PLACE: Final = re.compile(r"\{(\w+)\}")


class BadLemma(ArcproofError):
    """A lemma file that cannot be read; the message says where and why."""


@dataclass(frozen=True)
class Lemma:
    """A fact about a configuration.

    The candidate is the fact with everything written out, and its hints are what it follows from.  `folded` is the same with opaque predicates.
    `definitions` says what those are that may be unfolded, and `goal` gives the induction hypothesis, if any, and what is to be shown.
    """

    candidate: Candidate
    folded: Callable[[State], Term]
    definitions: Callable[[State], tuple[Premise, ...]]
    goal: Callable[[State], tuple[Term | None, Term]]

    @property
    def name(self) -> str:
        """Its title."""
        return self.candidate.name


@dataclass(frozen=True)
class LemmaFile:
    """What a file says about the sequences of a state."""

    guesses: tuple[Candidate, ...]
    lemmas: tuple[Lemma, ...]


# --- reading ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Macro:
    """A name for a formula."""

    parameters: tuple[str, ...]
    body: "Tree"
    opaque: bool


@dataclass(frozen=True)
class Tree:
    """A node of the syntax tree, with its place in the file."""

    kind: str
    parts: tuple["Tree | str", ...]
    line: int

    def trees(self) -> tuple["Tree", ...]:
        """The parts that are trees."""
        return tuple(part for part in self.parts if isinstance(part, Tree))

    def words(self) -> tuple[str, ...]:
        """The parts that are not."""
        return tuple(part for part in self.parts if isinstance(part, str))


@cache
def _parser() -> Callable[[str], object]:
    from lark import Lark

    grammar = files("arcproof.properties.proving.language").joinpath("lemmas.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", propagate_positions=True, maybe_placeholders=False).parse


def read(text: str, source: str) -> Tree:
    """The syntax tree of a lemma file."""
    from lark.exceptions import UnexpectedInput

    try:
        return _plain(_parser()(text), 1)
    except UnexpectedInput as problem:
        line, column = getattr(problem, "line", 0), getattr(problem, "column", 0)
        shown = problem.get_context(text, 40).rstrip()
        raise BadLemma(f"{source}:{line}:{column}: a lemma file cannot be read here:\n{shown}") from None


def _plain(tree: object, line: int) -> Tree:
    from lark import Tree as LarkTree

    assert isinstance(tree, LarkTree)
    own = line if tree.meta.empty else tree.meta.line
    parts = tuple(_plain(part, own) if isinstance(part, LarkTree) else str(part) for part in tree.children)
    return Tree(str(tree.data), parts, own)


@cache
def library() -> tuple[tuple[str, Tree], ...]:
    """Every lemma file on board, by name."""
    found = sorted((entry.name, entry) for entry in files(LIBRARY).iterdir() if entry.name.endswith(SUFFIX))
    return tuple((name, read(entry.read_text(encoding="utf-8"), name)) for name, entry in found)


# --- meaning ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scope:
    """What the names of a formula stand for."""

    source: str
    state: State
    macros: Mapping[str, Macro]
    sequences: Mapping[str, str]
    variables: Mapping[str, Term] = field(default_factory=dict)
    folded: bool = False

    def wrong(self, tree: Tree, message: str) -> BadLemma:
        """A mistake with its place."""
        return BadLemma(f"{self.source}:{tree.line}: {message}")

    def sequence(self, name: str, tree: Tree) -> str:
        """The component that a name stands for."""
        if name not in self.sequences:
            raise self.wrong(tree, f"{name} is no sequence here; say `for {name}` after the title")
        return self.sequences[name]


def meaning(tree: Tree, scope: Scope) -> Term:
    """A formula or a number as a term about the state of the scope."""
    if tree.kind == "quantified":
        return _quantified(tree, scope)
    if tree.kind in _OPERATIONS:
        sorts, operation = _OPERATIONS[tree.kind]
        return operation(*(_of_sort(part, sorts, scope) for part in tree.trees()))
    return _NODES[tree.kind](tree, scope)


def _of_sort(tree: Tree, truth: bool, scope: Scope) -> Term:
    term = meaning(tree, scope)
    if t.is_truth(term) != truth:
        wanted, found = ("a statement", "a number") if truth else ("a number", "a statement")
        raise scope.wrong(tree, f"{found} stands where {wanted} is wanted")
    return term


def _quantified(tree: Tree, scope: Scope) -> Term:
    quantifier, *names = tree.words()
    _not_reserved(names, tree, scope)
    variables = tuple(t.fresh() for _ in names)
    inner = replace(scope, variables={**scope.variables, **dict(zip(names, variables, strict=True))})
    body = _of_sort(tree.trees()[0], True, inner)
    return t.quantified("forall" if quantifier == "forall" else "exists", variables, body)


def _not_reserved(names: Sequence[str], tree: Tree, scope: Scope) -> None:
    """n is the number of words, and no variable."""
    if "n" in names:
        raise scope.wrong(tree, "n is the number of words and cannot be a variable")
    if len(set(names)) < len(names):
        raise scope.wrong(tree, "two variables have one name")


def _compared(tree: Tree, scope: Scope) -> Term:
    if len(tree.parts) == 1:
        return meaning(tree.trees()[0], scope)
    sides = [_of_sort(part, False, scope) for part in tree.trees()]
    return t.conjunction(*(_RELATIONS[sign](a, b) for a, sign, b in zip(sides, tree.words(), sides[1:], strict=False)))


def _arrow(tree: Tree, scope: Scope) -> Term:
    source, target = (_of_sort(part, False, scope) for part in tree.trees())
    own, wanted = (scope.state.arc, scope.state.reaches), (GOLD.arc, GOLD.reaches)
    return (wanted if tree.kind == "gold" else own)[tree.words()[0] == "->*"](source, target)


def _inside(tree: Tree, scope: Scope) -> Term:
    node = _of_sort(tree.trees()[0], False, scope)
    name = scope.sequence(tree.words()[0], tree)
    here = t.equal(scope.state.place(node), scope.state.number_of(name))
    if tree.kind == "inside":
        return here
    return t.conjunction(here, t.less(scope.state.position(node), t.subtract(scope.state.heights[name], 1)))


def _name(tree: Tree, scope: Scope) -> Term:
    name = tree.words()[0]
    if name == "n":
        return t.constant("n")
    if name not in scope.variables:
        raise scope.wrong(tree, f"{name} is not bound; say `forall {name}: …`")
    return scope.variables[name]


def _size(tree: Tree, scope: Scope) -> Term:
    return scope.state.heights[scope.sequence(tree.words()[0], tree)]


def _cell(tree: Tree, scope: Scope) -> Term:
    name = scope.sequence(tree.words()[0], tree)
    return scope.state.cells[name](_of_sort(tree.trees()[0], False, scope))


def _applied(tree: Tree, scope: Scope) -> Term:
    name = tree.words()[0]
    given = [_of_sort(part, False, scope) for part in tree.trees()]
    if name in scope.macros:
        macro = scope.macros[name]
        _same_number(name, len(given), len(macro.parameters), tree, scope)
        if macro.opaque and scope.folded:
            return t.Apply(_predicate(name, len(given), scope), tuple(given))
        return meaning(macro.body, replace(scope, variables=dict(zip(macro.parameters, given, strict=True))))
    functions = _functions(scope.state)
    if name not in functions:
        raise scope.wrong(tree, f"{name} is not known; there are {', '.join((*functions, *scope.macros))}")
    arity, function = functions[name]
    _same_number(name, len(given), arity, tree, scope)
    return function(*given)


def _predicate(name: str, arity: int, scope: Scope) -> t.Symbol:
    """The unknown predicate of an opaque definition, one for every choice of the sequences that it speaks of; no name has a dot."""
    used = _words_in(scope.macros[name].body, scope.macros)
    which = ".".join(
        f"{ascii_name(own)}.{scope.state.number_of(component)}"
        for own, component in sorted(scope.sequences.items())
        if own in used
    )
    return t.Symbol(
        f"defined.{ascii_name(scope.source.removesuffix(SUFFIX))}.{ascii_name(name)}.{which}", arity, "Bool"
    )


def _words_in(tree: Tree, macros: Mapping[str, Macro]) -> set[str]:
    """Every name in a formula, and in the definitions it uses; a definition uses only those above it."""
    found = set(tree.words())
    for part in tree.trees():
        found |= _words_in(part, macros)
    if tree.kind == "applied" and tree.words()[0] in macros:
        found |= _words_in(macros[tree.words()[0]].body, macros)
    return found


def _definition(tree: Tree, scope: Scope) -> Premise:
    """What an opaque predicate means."""
    name = tree.words()[0]
    if name not in scope.macros or not scope.macros[name].opaque:
        raise scope.wrong(tree, f"there is no `opaque {name}` above")
    macro = scope.macros[name]
    variables = tuple(t.fresh() for _ in macro.parameters)
    values = dict(zip(macro.parameters, variables, strict=True))
    body = _of_sort(macro.body, True, replace(scope, variables=values))
    symbol = _predicate(name, len(variables), scope)
    return f"definition of {name}", t.quantified("forall", variables, t.equivalent(t.Apply(symbol, variables), body))


def _same_number(name: str, given: int, wanted: int, tree: Tree, scope: Scope) -> None:
    if given != wanted:
        raise scope.wrong(tree, f"{name} takes {wanted} arguments, not {given}")


def _functions(state: State) -> dict[str, tuple[int, Callable[..., Term]]]:
    return {
        "gone": (1, lambda x: t.equal(state.place(x), GONE)),
        "headed": (1, state.headed),
        "position": (1, state.position),
        "done": (2, state.done),
        "goldhead": (1, GOLD.head),
        "depth": (1, GOLD.depth),
        "order": (1, GOLD.order),
        "last": (1, GOLD.last),
        "node": (1, is_node),
        "word": (1, is_word),
        "between": (3, between),
    }


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
_NODES: Final[dict[str, Callable[[Tree, Scope], Term]]] = {
    "either": lambda tree, scope: _joined(t.disjunction, tree, scope),
    "both": lambda tree, scope: _joined(t.conjunction, tree, scope),
    "compared": _compared,
    "gold": _arrow,
    "built": _arrow,
    "inside": _inside,
    "inside_but_head": _inside,
    "number": lambda tree, _: t.Number(int(tree.words()[0])),
    "name": _name,
    "size": _size,
    "cell": _cell,
    "applied": _applied,
}


def _joined(join: Callable[..., Term], tree: Tree, scope: Scope) -> Term:
    parts = tree.trees()
    if len(parts) == 1:
        return meaning(parts[0], scope)
    return join(*(_of_sort(part, True, scope) for part in parts))


# --- for the sequences of a figure -----------------------------------------------------------------------------------


def instances(state: State) -> LemmaFile:
    """Every guess and lemma on board, for the sequences of a state."""
    guesses: list[Candidate] = []
    lemmas: list[Lemma] = []
    for source, tree in library():
        found = instances_of(tree, source, state)
        guesses += found.guesses
        lemmas += found.lemmas
    names = [c.name for c in (*guesses, *(lemma.candidate for lemma in lemmas))]
    twice = next((name for index, name in enumerate(names) if name in names[:index]), None)
    if twice is not None:
        raise BadLemma(f"two guesses or lemmas have one title: {twice}")
    return LemmaFile(tuple(guesses), tuple(lemmas))


def instances_of(tree: Tree, source: str, state: State) -> LemmaFile:
    """The guesses and lemmas of one file."""
    macros: dict[str, Macro] = {}
    guesses: list[Candidate] = []
    lemmas: list[Lemma] = []
    for item in tree.trees():
        if item.kind == "define":
            name, macro = _macro(item, Scope(source, state, macros, {}))
            macros = {**macros, name: macro}
            continue
        for sequences in _choices(item, state):
            scope = Scope(source, state, macros, sequences)
            if item.kind == "lemma":
                lemmas.append(_lemma(item, scope))
                continue
            guess = _candidate(item, scope)
            if not isinstance(guess.formula(state), t.Truth):
                guesses.append(guess)
    return LemmaFile(tuple(guesses), tuple(lemmas))


def _macro(item: Tree, scope: Scope) -> tuple[str, Macro]:
    """A definition; it may use those above it only, so that none goes round in a circle."""
    keyword, name, *parameters = item.words()
    _not_reserved(parameters, item, scope)
    if ascii_name(name) in map(ascii_name, (*scope.macros, *_functions(scope.state))):
        raise scope.wrong(item, f"{name} is defined already")
    body = item.trees()[0]
    for used in _applications(body):
        if used.words()[0] not in (*scope.macros, *_functions(scope.state)):
            raise scope.wrong(used, f"{used.words()[0]} is not defined above")
    return name, Macro(tuple(parameters), body, keyword == "opaque")


def _applications(tree: Tree) -> Iterator[Tree]:
    if tree.kind == "applied":
        yield tree
    for part in tree.trees():
        yield from _applications(part)


def _choices(item: Tree, state: State) -> Iterator[dict[str, str]]:
    declared = next((part.words() for part in item.trees() if part.kind == "sequences"), ())
    names = [sequence.name for sequence in state.sequences]
    for some in permutations(names, len(declared)):
        yield dict(zip(declared, some, strict=True))


def _title(text: str, item: Tree, scope: Scope) -> str:
    """A title with the names of the sequences put in."""
    for name in _PLACE.findall(text):
        scope.sequence(name, item)
    return _PLACE.sub(lambda found: scope.sequences[found[1]], text[1:-1])


def _statement(item: Tree) -> Tree:
    return next(part for part in item.trees() if part.kind not in ("sequences", "using", "induction"))


def _candidate(item: Tree, scope: Scope) -> Candidate:
    statement = _statement(item)
    return Candidate(
        _title(item.words()[0], item, scope),
        lambda c: _of_sort(statement, True, replace(scope, state=c)),
        hints=tuple(
            _title(name, item, scope) for part in item.trees() if part.kind == "using" for name in part.words()
        ),
        source=scope.source,
    )


def _lemma(item: Tree, scope: Scope) -> Lemma:
    induction = next((part.trees()[0] for part in item.trees() if part.kind == "induction"), None)
    unfolded = [part for using in item.trees() if using.kind == "using" for part in using.trees()]
    statement = _statement(item)
    inner = replace(scope, folded=True)

    def folded(c: State) -> Term:
        return _of_sort(statement, True, replace(inner, state=c))

    def definitions(c: State) -> tuple[Premise, ...]:
        return tuple(_definition(part, replace(inner, state=c)) for part in unfolded)

    def goal(c: State) -> tuple[Term | None, Term]:
        if induction is None:
            return None, folded(c)
        return _by_induction(statement, induction, replace(inner, state=c))

    return Lemma(_candidate(item, scope), folded, definitions, goal)


def _by_induction(statement: Tree, on: Tree, scope: Scope) -> tuple[Term, Term]:
    """The hypothesis and the goal, about arbitrary constants in place of the outermost variables."""
    if statement.kind != "quantified" or statement.words()[0] != "forall":
        raise scope.wrong(statement, "a statement by induction begins with forall")
    names = statement.words()[1:]
    body = statement.trees()[0]
    _not_reserved(names, statement, scope)
    if on.kind == "name" and on.words()[0] not in names:
        raise scope.wrong(on, f"{on.words()[0]} is not among the outermost variables {', '.join(names)}")
    fixed = {name: t.constant(f"fixed_{index}") for index, name in enumerate(names)}

    def at(values: Mapping[str, Term]) -> Scope:
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

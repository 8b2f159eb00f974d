"""The entries of lemma files for the sequences and counters of a figure, and for a class of gold graphs."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from itertools import combinations, product
from typing import Final

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.lemmas import Tree, read, wrong
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.library import (
    ABOUT_GOLD,
    ABOUT_PLANES,
    ABOUT_RUNS,
    AXIOMS,
    CANDIDATES,
    SPECIAL,
)
from arcproof.properties.proving.meaning.conditions import GOLD_SYMBOLS
from arcproof.properties.proving.meaning.formulas import (
    ARCS,
    SUFFIX,
    Binding,
    Counter,
    Flag,
    FormulaScope,
    Macro,
    ManyPositions,
    Members,
    One,
    Region,
    Root,
    Several,
    by_induction,
    definition,
    macro_of,
    not_reserved,
    shown,
    statement,
)
from arcproof.properties.proving.meaning.state import SymbolicState, arbitrary
from arcproof.properties.proving.trusted.facts import Candidate, Lemma, no_two_of_one_name, worked_out_once
from arcproof.properties.proving.trusted.obligation import Premise
from arcproof.transitions.reading.spelling import ascii_name

LIBRARY: Final = "arcproof.properties.proving.library"
CLASS_WORDS: Final = ("trees", "rooted", "projective", "ordered", "planar", "single")
"""What `where` may require of the gold graphs."""

NOWHERE: Final = arbitrary(())
"""The state for statements about the gold graph alone."""

_PLACE: Final = re.compile(r"\{(\w+)\}|\{\|(\w+)\|\}")


@dataclass(frozen=True)
class Entries:
    """The contents of lemma files; an axiom is a candidate that need not be proved."""

    guesses: tuple[Candidate, ...] = ()
    lemmas: tuple[Lemma, ...] = ()
    axioms: tuple[Candidate, ...] = ()

    def __add__(self, other: "Entries") -> "Entries":
        """The entries of both."""
        return Entries(self.guesses + other.guesses, self.lemmas + other.lemmas, self.axioms + other.axioms)


@cache
def file(name: str) -> Tree:
    """A built-in lemma file.  Axioms are in files of axioms, which contain nothing else."""
    source = name + SUFFIX
    tree = read(files(LIBRARY).joinpath(source).read_text(encoding="utf-8"), source)
    for item in _entries(tree):
        if (item.kind == "axiom") != (name in AXIOMS):
            raise wrong(source, item, "axioms are believed: they belong in files of axioms, which hold nothing else")
    return tree


def read_library() -> None:
    """Read all files, so that processes started afterwards need not do so."""
    special = (name for both in SPECIAL.values() for names in both for name in names)
    for name in dict.fromkeys((*CANDIDATES, *ABOUT_RUNS, *ABOUT_PLANES, *ABOUT_GOLD, *AXIOMS, *special)):
        file(name)


def _entries(tree: Tree) -> Iterator[Tree]:
    for item in tree.trees():
        if item.kind == "block":
            yield from _entries(item)
        elif item.kind in ("guess", "lemma", "axiom"):
            yield item


# --- what is asked for -----------------------------------------------------------------------------------------------


def candidates(state: SymbolicState, start: SymbolicState, special: Collection[str] = ()) -> list[Candidate]:
    """Every candidate for the components of a state, whatever the gold graph; `special` holds words of `SPECIAL`."""
    further = (name for word in special for name in SPECIAL[word][0])
    found = list(_together((*CANDIDATES, *further), state, start).guesses)
    no_two_of_one_name([candidate.name for candidate in found])
    return found


def about_planes(state: SymbolicState, start: SymbolicState) -> tuple[Candidate, ...]:
    """Every guess about arcs in two planes."""
    return _together(ABOUT_PLANES, state, start).guesses


def lemmas_of_runs(state: SymbolicState, start: SymbolicState) -> tuple[Lemma, ...]:
    """Every lemma about the configurations of a run, whatever the gold graph."""
    return _together(ABOUT_RUNS, state, start).lemmas


def instances(state: SymbolicState, start: SymbolicState, special: Collection[str] = ()) -> Entries:
    """Every guess and lemma about configurations on the way to a gold graph; `special` holds words of `SPECIAL`."""
    further = (name for word in special for name in SPECIAL[word][1])
    found = _together((*ABOUT_GOLD, *further), state, start)
    about_gold = tuple(lemma for lemma in found.lemmas if not lemma.candidate.basic)
    lemmas = (*lemmas_of_runs(state, start), *about_gold)
    no_two_of_one_name([c.name for c in (*found.guesses, *(lemma.candidate for lemma in found.lemmas))])
    return replace(found, lemmas=lemmas)


def axioms_where(true: Collection[str]) -> list[Candidate]:
    """The axioms of the classes of gold graphs for which these words of `CLASS_WORDS` are true."""
    return list(_together(AXIOMS, NOWHERE, None, frozenset(true)).axioms)


@cache
def gold_lemmas() -> tuple[Lemma, ...]:
    """The basic lemmas, which are about the gold graph alone."""
    return tuple(lemma for lemma in _together(ABOUT_GOLD, NOWHERE, None).lemmas if lemma.candidate.basic)


def _together(
    names: Collection[str], state: SymbolicState, start: SymbolicState | None, true: Collection[str] = ()
) -> Entries:
    no_two_of_one_name([ascii_name(name) for name in names])
    found = Entries()
    for name in names:
        found += instances_of(file(name), name + SUFFIX, state, start, true)
    return found


def instances_of(
    tree: Tree,
    source: str,
    state: SymbolicState,
    start: SymbolicState | None = None,
    true: Collection[str] = (),
    bound: Mapping[str, Binding] | None = None,
) -> Entries:
    """The entries of one file for a state; `true` holds the words of `CLASS_WORDS` that are true of the gold graphs.

    `bound` says what names stand for throughout the file.
    """
    walk = _Walk(source, state, start, true)
    walk.items(tree, bound or {})
    return Entries(tuple(walk.guesses), tuple(walk.lemmas), tuple(walk.axioms))


# --- walking through a file ------------------------------------------------------------------------------------------


@dataclass
class _Walk:
    """The entries of a file so far, and the definitions and regions above the current position."""

    source: str
    state: SymbolicState
    start: SymbolicState | None
    true: Collection[str]
    macros: Mapping[str, Macro] = field(default_factory=dict)
    regions: list[Region] = field(default_factory=list)
    guesses: list[Candidate] = field(default_factory=list)
    lemmas: list[Lemma] = field(default_factory=list)
    axioms: list[Candidate] = field(default_factory=list)

    def items(self, tree: Tree, bound: Mapping[str, Binding]) -> None:
        """Read everything in a file or block."""
        for item in tree.trees():
            if item.kind == "define":
                if bound:
                    raise wrong(self.source, item, "a definition must be outside of blocks")
                name, macro = macro_of(item, self._scope({}))
                self.macros = {**self.macros, name: macro}
            elif item.kind == "region":
                self.regions.append(self._region(item, self._scope(bound)))
            elif item.kind != "binders":
                for inner in self._choices(item, bound):
                    self._item(item, inner)

    def _item(self, item: Tree, bound: Mapping[str, Binding]) -> None:
        scope = self._scope(bound)
        if not self._applies(item, scope) or not self._means_something(item, scope):
            return
        match item.kind:
            case "block":
                self.items(item, bound)
            case "lemma":
                self.lemmas.append(_lemma(item, scope))
            case "axiom":
                self.axioms.append(_about_gold(item, scope, _candidate(item, scope)))
            case "guess":
                guess = _candidate(item, scope)
                if not isinstance(guess.formula(self.state), t.TruthValue):
                    self.guesses.append(guess)

    def _means_something(self, item: Tree, scope: FormulaScope) -> bool:
        """Whether the figure has what the entry presupposes: a unique position for each node, or a single sequence."""
        if not self.state.apart or item.kind == "block":
            return True
        try:
            statement(_stated(item), scope)
        except ManyPositions:
            return False
        return True

    def _scope(self, bound: Mapping[str, Binding]) -> FormulaScope:
        return FormulaScope(self.source, self.state, self.start, self.macros, bound)

    def _choices(self, item: Tree, bound: Mapping[str, Binding]) -> Iterator[Mapping[str, Binding]]:
        """Yield every way to bind the names after `for`, in addition to those that are bound."""
        binders = item.part("binders")
        yield from self._bindings(() if binders is None else binders.trees(), bound)

    def _bindings(self, binders: tuple[Tree, ...], bound: Mapping[str, Binding]) -> Iterator[Mapping[str, Binding]]:
        if not binders:
            yield bound
            return
        first, *others = binders
        (name,) = first.words()
        if name in bound or name in ("n", ARCS):
            raise wrong(self.source, first, f"{name} already has a meaning")
        for one in self._range(first, bound):
            yield from self._bindings(tuple(others), {**bound, name: one})

    def _range(self, binder: Tree, bound: Mapping[str, Binding]) -> Iterator[Binding]:
        left = _left(self.state, bound)
        match binder.kind:
            case "one":
                yield from map(One, left)
            case "several":
                yield from (Several(some) for size in range(1, len(left) + 1) for some in combinations(left, size))
            case "rest":
                yield from (Several(tuple(left)),) if left else ()
            case "counter":
                yield from map(Counter, self.state.counters)
            case "flag":
                yield from map(Flag, self.state.flags)
            case "members":
                yield from map(Members, self.state.sets)
            case "area":
                yield from self.regions
            case "end":
                yield from (Root(last=False), *((Root(last=True),) if self._has_company() else ()))

    def _has_company(self) -> bool:
        """Whether 0 may come after words: at the start it is not alone in a sequence."""
        if self.start is None or self.start.apart:
            return True
        place = self.start.place(t.Integer(0))
        numbers = {sequence.name: self.start.number_of(sequence.name) for sequence in self.start.sequences}
        return any(
            place == t.Integer(number) and self.start.heights[name] != t.Integer(1) for name, number in numbers.items()
        )

    def _applies(self, item: Tree, scope: FormulaScope) -> bool:
        where = item.part("where")
        return where is None or all(self._holds(condition, scope) for condition in where.trees())

    def _holds(self, condition: Tree, scope: FormulaScope) -> bool:
        if condition.kind == "earlier":
            one, other = (scope.sequence(name, condition) for name in condition.words())
            return one < other
        if condition.kind == "last":
            binding = scope.bound.get(condition.words()[0])
            if not isinstance(binding, Root):
                raise scope.wrong(condition, f"{condition.words()[0]} is not a root here")
            return binding.last
        (word,) = condition.words()
        if word not in CLASS_WORDS:
            raise scope.wrong(
                condition, f"{word} is not a property of gold graphs; the properties are {', '.join(CLASS_WORDS)}"
            )
        return (word in self.true) == (condition.kind == "holds")

    def _region(self, item: Tree, scope: FormulaScope) -> Region:
        title, parameter = item.words()
        not_reserved((parameter,), item, scope)
        body, within = item.part("statement"), item.part("within")
        assert body is not None
        wider = [] if within is None else [name for whole in within.trees() for name in _wholes(whole, scope)]
        return Region(_title(title, item, scope), parameter, body, scope.bound, tuple(wider))


def _left(state: SymbolicState, bound: Mapping[str, Binding]) -> list[str]:
    """The sequences that no name stands for."""
    taken = {binding.name for binding in bound.values() if isinstance(binding, One)}
    return [sequence.name for sequence in state.sequences if sequence.name not in taken]


def _wholes(whole: Tree, scope: FormulaScope) -> Iterator[str]:
    """Yield the names of regions that contain this one, if need be one for each sequence that is left."""
    title, *names = whole.words()
    if not names:
        yield _title(title, whole, scope)
    for name in names:
        for sequence in _left(scope.state, scope.bound):
            yield _title(title, whole, replace(scope, bound={**scope.bound, name: One(sequence)}))


def _title(text: str, tree: Tree, scope: FormulaScope, instead: Mapping[str, str] | None = None) -> str:
    """A title with the names of what is bound put in, or other names `instead`."""

    def put_in(place: re.Match[str]) -> str:
        name, sized = place.groups()
        if sized:
            return " + ".join(f"|{sequence}|" for sequence in scope.sequences(sized, tree))
        if name not in scope.bound:
            raise scope.wrong(tree, f"{name} is not a sequence here; say `for {name}`")
        return (instead or {}).get(name) or shown(scope.bound[name])

    return _PLACE.sub(put_in, text[1:-1])


# --- entries ---------------------------------------------------------------------------------------------------------


def _own_title(item: Tree, scope: FormulaScope, instead: Mapping[str, str] | None = None) -> str:
    return _title(item.words()[0], item, scope, instead)


def _candidate(item: Tree, scope: FormulaScope) -> Candidate:
    stated = _stated(item)
    using = item.part("using")
    return Candidate(
        _own_title(item, scope),
        worked_out_once(lambda c: statement(stated, replace(scope, state=c))),
        tuple(_stronger(item, scope)),
        item.part("basic") is not None,
        () if using is None else tuple(_title(name, using, scope) for name in using.words()),
        scope.source,
    )


def _stated(item: Tree) -> Tree:
    stated = item.part("statement")
    assert stated is not None
    return stated


def _stronger(item: Tree, scope: FormulaScope) -> Iterator[str]:
    unless = item.part("unless")
    for part in () if unless is None else unless.trees():
        if part.kind == "titled":
            yield _title(part.words()[0], part, scope)
        else:
            yield from _of_wider_regions(item, scope)


def _of_wider_regions(item: Tree, scope: FormulaScope) -> Iterator[str]:
    """Yield the title with wider regions in place of some or all of those that are bound."""
    regions = {name: binding for name, binding in scope.bound.items() if isinstance(binding, Region)}
    every = product(*((region.name, *region.within) for region in regions.values()))
    next(every)
    for names in every:
        yield _own_title(item, scope, dict(zip(regions, names, strict=True)))


def _lemma(item: Tree, scope: FormulaScope) -> Lemma:
    stated = _stated(item)
    using, induction = item.part("using"), item.part("induction")
    unfolded = () if using is None else using.trees()
    inner = replace(scope, folded=True)

    folded = worked_out_once(lambda c: statement(stated, replace(inner, state=c)))

    def definitions(c: SymbolicState) -> tuple[Premise, ...]:
        return tuple(definition(part, replace(inner, state=c)) for part in unfolded)

    def goal(c: SymbolicState) -> tuple[Term | None, Term]:
        if induction is None:
            return None, folded(c)
        return by_induction(stated, induction.trees()[0], replace(inner, state=c))

    candidate = _candidate(item, scope)
    about = _about_gold(item, scope, candidate) if candidate.basic else candidate
    return Lemma(about, folded, definitions, goal, item.part("step") is not None)


def _about_gold(item: Tree, scope: FormulaScope, candidate: Candidate) -> Candidate:
    """The candidate, which must not mention the configuration, because it is used for every configuration."""
    term = candidate.formula(scope.state)
    strange = [symbol.name for symbol in t.symbols([term]) if symbol.name not in GOLD_SYMBOLS]
    if scope.bound or strange:
        raise scope.wrong(
            item, f"this must be about the gold graph alone, but mentions {', '.join(strange or scope.bound)}"
        )
    return replace(candidate, formula=lambda _: term)

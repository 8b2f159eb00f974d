"""Termination and lengths: a function of the sizes that every transition decreases.

A claim compares, for every run that ends, the sum of the weights of its transitions with a polynomial B(n); the weight
is 1 for `length`, or 1 for one transition and 0 for the others, minus the transition's coefficient in the bound.  Let V
be a polynomial in n and the *sizes*: the heights, the number of arcs |A|, the words in each set, the counters, and
flags, which count as 1 if true and 0 otherwise. If no transition decreases V by less than its weight, the sum is at
most V(start) - V(end); if at the end this is at most B(n), the claim is proved.  For `=`, every transition decreases V
by exactly its weight, and V(start) - V(end) is B(n); for `>=` both inequalities are reversed. A run *terminates* if V
decreases by at least 1 and is never negative.

V is found with Z3 from the steps of short sentences: first linear in n and the heights; then also with |A|, sets and
counters; then by cases of a flag (with products of flags and heights); then with products of n and those sums of
heights that every transition changes by a constant.  That V has the property for all n is an obligation for each
transition, in which the products cancel.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import lcm, prod
from typing import Any, Final, TypeAlias

from arcproof.properties.engines.exploration import StateSpace
from arcproof.properties.proving.goals.soundness import ending, move_of
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.meaning.conditions import compared
from arcproof.properties.proving.meaning.state import WORDS, SymbolicState
from arcproof.properties.proving.meaning.steps import SymbolicStep
from arcproof.properties.proving.meaning.symbolic import Meanings
from arcproof.properties.proving.trusted.problem import WORDS_PREMISE, Goal, Problem
from arcproof.transitions import syntax as s
from arcproof.transitions.bounds import Bound
from arcproof.transitions.configuration import Configuration, Value
from arcproof.transitions.polynomial import Polynomial
from arcproof.transitions.system import System

Factor = tuple[str, ...]
"""A sum of sizes, by the names of components, with `A` for the number of arcs; without any name it is n."""

Monomial = tuple[Factor, ...]
"""The product of its factors; without any factor it is the number 1."""

N: Factor = ()
ARCS: Final = "A"
MOST_WORDS_AT_THE_START: Final = 13
LARGEST_COEFFICIENTS: Final = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(6))
MAX_EFFORT: Final = 20_000_000
"""Z3's budget for one template: not time, so that a busy machine finds the same ranking."""
LONG: Final = (8, 13)
LONG_RUNS: Final = 10


@dataclass(frozen=True)
class Ranking:
    """A polynomial with rational coefficients in n and the sizes; `values` are the names of counters and flags."""

    coefficients: Mapping[Monomial, Fraction]
    values: frozenset[str] = frozenset()

    def __hash__(self) -> int:
        """Hash the terms as a set."""
        return hash(frozenset(self.coefficients.items()))

    def term(self, state: SymbolicState) -> Term:
        """A multiple of the polynomial by `scale`, as a term about a state, multiplied out."""
        parts: list[Term] = []
        for monomial, coefficient in self.coefficients.items():
            parts.append(t.times(int(coefficient * self.scale), _product(monomial, state)))
        return t.add(0, *parts)

    @property
    def scale(self) -> int:
        """The least factor that makes all coefficients integers."""
        return lcm(1, *(coefficient.denominator for coefficient in self.coefficients.values()))

    def __str__(self) -> str:
        """The text in the report."""
        parts = [self._shown(monomial, c) for monomial, c in self.coefficients.items() if c]
        return " + ".join(parts).replace("+ -", "- ") or "0"

    def _shown(self, monomial: Monomial, coefficient: Fraction) -> str:
        factors = [" + ".join(map(self.size, factor)) if factor else "n" for factor in monomial]
        text = "·".join(f"({factor})" if "+" in factor and len(factors) > 1 else factor for factor in factors)
        if not text:
            return str(coefficient)
        return text if coefficient == 1 else f"-{text}" if coefficient == -1 else f"{coefficient} {text}"

    def size(self, name: str) -> str:
        """The notation of a size."""
        return name if name in self.values else f"|{name}|"


def _product(monomial: Monomial, state: SymbolicState) -> Term:
    """The product of the factors as a term; a flag becomes a case distinction."""
    sizes = [factor for factor in monomial if not _is_flag(factor, state)]
    value = _expanded([t.add(*(_size(state, name) for name in factor)) if factor else WORDS for factor in sizes])
    for factor in monomial:
        if _is_flag(factor, state):
            value = t.choose(state.flags[factor[0]], value, t.Integer(0))
    return value


def _is_flag(factor: Factor, state: SymbolicState) -> bool:
    return len(factor) == 1 and factor[0] in state.flags


def _size(state: SymbolicState, name: str) -> Term:
    if name == ARCS:
        return state.arcs
    if name in state.missing:
        return t.subtract(WORDS, state.missing[name](WORDS))
    return state.counters[name] if name in state.counters else state.heights[name]


def _expanded(factors: Sequence[Term]) -> Term:
    """A product of sums, multiplied out, so that equal products cancel."""
    if not factors:
        return t.Integer(1)
    if len(factors) == 1:
        return factors[0]
    left, right = t.linear(factors[0]), t.linear(_expanded(factors[1:]))
    parts: list[Term] = [t.Integer(left[1] * right[1])]
    parts += [t.times(c * right[1], x) for x, c in left[0].items()]
    parts += [t.times(c * left[1], y) for y, c in right[0].items()]
    for x, c in left[0].items():
        for y, d in right[0].items():
            pair = sorted((x, y), key=t.to_smt)
            parts.append(t.times(c * d, t.Operation("*", (pair[0], pair[1]))))
    return t.add(*parts)


# --- what a claim asks for -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Demand:
    """Weights, the relation, and the polynomial in n."""

    weight: Callable[[str], Fraction]
    relation: s.Bounding
    polynomial: Polynomial | None

    def bound_at(self, words: int) -> Fraction:
        """The value of the polynomial."""
        return Fraction(0) if self.polynomial is None else self.polynomial.at(words)

    def sparing(self, transition: str, share: int, most: Polynomial) -> "Demand":
        """The demand with `share` less weight for a transition that is performed at most this many times.

        The bound is lowered accordingly.
        """
        polynomial = None if self.polynomial is None else self.polynomial - most.times(share)
        return Demand(lambda name: self.weight(name) - share * (name == transition), self.relation, polynomial)

    @property
    def bound(self) -> Ranking:
        """The polynomial."""
        assert self.polynomial is not None
        return Ranking({(N,) * k: c for k, c in enumerate(self.polynomial.coefficients)})


def demand_of(meanings: Meanings, claim: s.LengthBound | s.CountBound) -> Demand:
    """What a claim about lengths demands of a ranking."""
    bound = Bound.of(claim.bound, meanings.system)

    def weight(name: str) -> Fraction:
        own = 1 if isinstance(claim, s.LengthBound) else int(name == claim.transition)
        return own - bound.counts.get(name, Fraction(0))

    return Demand(weight, claim.relation, bound.polynomial)


TERMINATION = Demand(lambda _: Fraction(1), "<=", None)


# --- finding a ranking -----------------------------------------------------------------------------------------------


def monomials(meanings: Meanings) -> list[list[Monomial]]:
    """Templates for polynomials, small before large."""
    state = meanings.before
    names = [sequence.name for sequence in state.sequences]
    linear: list[Monomial] = [(), (N,), *(((name,),) for name in names)]
    sized: list[Monomial] = [*linear, ((ARCS,),), *(((name,),) for name in (*state.counters, *state.sets))]
    cases: list[Monomial] = [
        ((flag,), *factors) for flag in state.flags for factors in ((), (N,), *(((name,),) for name in names))
    ]
    sums = [some for size in range(1, len(names) + 1) for some in combinations(names, size)]
    steady: list[Factor] = [N, *(some for some in sums if _changes_by_constants(meanings, some))]
    pairs = [(a, b) for index, a in enumerate(steady) for b in steady[index:]]
    return [linear, sized, *([[*sized, *cases]] if cases else []), [*linear, *pairs]]


def _changes_by_constants(meanings: Meanings, factor: Factor) -> bool:
    def size(state: SymbolicState) -> Term:
        return t.add(*(state.heights[name] for name in factor))

    pairs = (fixed(meanings, step) for step in meanings.steps)
    return all(not t.linear(t.subtract(size(after), size(before)))[0] for before, after in pairs)


def rankings(meanings: Meanings, demand: Demand, seen: "Observed") -> Iterator[Ranking]:
    """Yield rankings that meet the demand in every observed step: one for each template and each way to solve it,
    without repetition.
    """
    known: list[Ranking] = []
    values = frozenset((*meanings.before.counters, *meanings.before.flags))
    for template in monomials(meanings):
        falls = _falls(template, demand, seen)
        ways = [_split_ends(template, demand, seen)]
        if demand.polynomial is not None:
            ways.append(_ends(template, demand, seen))
        for ends in ways:
            for shape in _shapes(meanings, template, demand):
                found = _solve(template, demand.relation, [*falls, *ends], shape)
                if found is not None and found not in known:
                    known.append(found)
                    yield replace(found, values=values)


Sizes: TypeAlias = tuple[int, ...]
"""What a ranking depends on in a configuration: n, |A|, and the sizes of the components."""
Seen: TypeAlias = tuple[Configuration, Configuration, str]
"""A step and the name of its transition."""


@dataclass(frozen=True)
class Shape:
    """Which coefficients are allowed: any, or those that make a polynomial of sizes natural.

    A polynomial is natural if no coefficient is negative, except those of sizes that are at most n (`most_n`), which
    the coefficient of n must outweigh, and those of flags (`most_one`), which the constant must outweigh.
    """

    natural: bool
    most_n: frozenset[str] = frozenset()
    most_one: frozenset[str] = frozenset()

    def allows(self, template: list[Monomial], unknowns: Sequence[Any], context: Any) -> list[Any]:
        """The constraints on the coefficients, apart from their limits."""
        if not self.most_n:
            return []
        named = list(zip(template, unknowns, strict=True))
        limits: dict[Monomial, Monomial] = {
            **{((name,),): (N,) for name in self.most_n},
            **{((name,),): () for name in self.most_one},
        }
        found = [u >= 0 for monomial, u in named if monomial not in limits]
        for limit in ((N,), ()):
            small = [u for monomial, u in named if limits.get(monomial) == limit]
            found += _outweighed(small, [u for monomial, u in named if monomial == limit], context)
        return found


def _outweighed(unknowns: Sequence[Any], above: Sequence[Any], context: Any) -> list[Any]:
    """The constraints that each of those above is at least as large as the sum of the negative ones."""
    import z3

    if not unknowns:
        return []
    negative = [z3.FreshReal("negative", context) for _ in unknowns]
    parts = zip(negative, unknowns, strict=True)
    return [c for part, u in parts for c in (part <= 0, part <= u)] + [z3.Sum([*above, *negative]) >= 0]


def _shapes(meanings: Meanings, template: list[Monomial], demand: Demand) -> list[Shape]:
    """Shapes to try, in order; for termination, where the ranking must be natural, the natural ones come first."""
    names = {name for monomial in template for factor in monomial for name in factor}
    most_n = names & {ARCS, *meanings.before.sets}
    shapes = [Shape(natural=True), Shape(natural=False)]
    if most_n:
        shape = Shape(natural=True, most_n=frozenset(most_n), most_one=frozenset(names & {*meanings.before.flags}))
        shapes.insert(1 if demand.polynomial is None else 2, shape)
    return shapes


@dataclass(frozen=True)
class Observed:
    """Steps and terminal configurations that a ranking must fit, by their sizes, each once.

    They are all those of short sentences, and some of long ones.
    """

    places: Mapping[str, int]
    starts: Mapping[int, Sizes]
    steps: Sequence[tuple[Sizes, Sizes, str]]
    ends: Sequence[Sizes]

    def values(self, template: Sequence[Monomial]) -> Callable[[Sizes], tuple[int, ...]]:
        """The values of monomials as a function of the sizes."""
        factors = [[[self.places[name] for name in factor] or [0] for factor in monomial] for monomial in template]
        return cache(lambda sizes: tuple(prod(sum(sizes[k] for k in some) for some in one) for one in factors))


def observe(system: System, levels: Sequence[StateSpace]) -> Observed:
    """All steps of the levels, and those of random runs in long sentences, so that no ranking fits only short
    sentences.
    """
    steps: list[Seen] = []
    ends: list[Configuration] = []
    for space in levels:
        c = space.configurations
        steps += [(c[edge.source], c[edge.target], edge.transition.name) for edge in space.all_edges()]
        ends += [c[number] for number in space.terminals]
    chance = random.Random(0)
    for words in LONG:
        for _ in range(LONG_RUNS):
            _observe_run(system, words, chance, steps, ends)
    starts = {words: _sizes(system.start(words)) for words in range(1, MOST_WORDS_AT_THE_START + 1)}
    places = {name: place for place, name in enumerate((ARCS, *system.start(1).names), start=1)}
    sizes = {id(c): _sizes(c) for step in steps for c in step[:2]}
    falls = dict.fromkeys((sizes[id(before)], sizes[id(after)], name) for before, after, name in steps)
    return Observed(places, starts, list(falls), list(dict.fromkeys(map(_sizes, ends))))


def observed_at(system: System, c: Configuration) -> Observed:
    """A single configuration, with the steps from it or as an end."""
    terminal = system.is_terminal(c)
    steps = [] if terminal else [(system.apply(c, one), one.name) for one in system.permissible(c)]
    places = {name: place for place, name in enumerate((ARCS, *c.names), start=1)}
    here = _sizes(c)
    falls = [(here, _sizes(after), name) for after, name in steps]
    return Observed(places, {c.words: _sizes(system.start(c.words))}, falls, [here] if terminal else [])


def _sizes(c: Configuration) -> Sizes:
    arcs = len({(arc.head, arc.dependent) for arc in c.arcs})
    return c.words, arcs, *map(_size_of, c.values)


def _size_of(value: Value) -> int:
    """The length of a sequence, the number of words in a set, or the number or truth value itself."""
    return len(value) if isinstance(value, tuple) else len(value - {0}) if isinstance(value, frozenset) else value


def _observe_run(
    system: System, words: int, chance: random.Random, steps: list[Seen], ends: list[Configuration]
) -> None:
    c = system.start(words)
    for _ in range(10 * words * words):
        if system.is_terminal(c):
            ends.append(c)
            return
        permissible = system.permissible(c)
        if not permissible:
            return
        transition = chance.choice(permissible)
        after = system.apply(c, transition)
        steps.append((c, after, transition.name))
        c = after


@dataclass(frozen=True)
class Inequality:
    """A sum of coefficients times numbers, compared with a number; `least` turns `<=` into `>=`."""

    vector: tuple[int, ...]
    number: Fraction
    least: bool


def _difference(left: Sequence[int], right: Sequence[int]) -> tuple[int, ...]:
    return tuple(a - b for a, b in zip(left, right, strict=True))


def _falls(template: list[Monomial], demand: Demand, seen: Observed) -> list[Inequality]:
    """The inequalities that V decreases by at least the weight in each step."""
    values = seen.values(template)
    falls = ((_difference(values(before), values(after)), demand.weight(name)) for before, after, name in seen.steps)
    return [Inequality(fall, weight, True) for fall, weight in dict.fromkeys(falls)]


def _ends(template: list[Monomial], demand: Demand, seen: Observed) -> list[Inequality]:
    """The inequalities that V has decreased by at most the bound at the end."""
    values = seen.values(template)
    ends = seen.ends if demand.polynomial is not None else ()
    falls = ((_difference(values(seen.starts[c[0]]), values(c)), demand.bound_at(c[0])) for c in ends)
    return [Inequality(fall, bound, False) for fall, bound in dict.fromkeys(falls)]


def _split_ends(template: list[Monomial], demand: Demand, seen: Observed) -> list[Inequality]:
    """The inequalities that V is at most the bound at the start, and not negative at the end (for termination,
    anywhere): a shape that fits all n.
    """
    values = seen.values(template)
    everywhere = [before for before, _, _ in seen.steps] if demand.polynomial is None else []
    found = [Inequality(least, Fraction(0), True) for least in dict.fromkeys(map(values, (*everywhere, *seen.ends)))]
    if demand.polynomial is not None:
        found += [Inequality(values(c), demand.bound_at(words), False) for words, c in seen.starts.items()]
    return found


def _solve(template: list[Monomial], relation: s.Bounding, rows: Sequence[Inequality], shape: Shape) -> Ranking | None:
    """A ranking whose coefficients have this shape and are integers or halves, small ones first; None if there is
    none.
    """
    import z3

    context = z3.Context()
    solver: Any = z3.SolverFor("QF_LIRA", ctx=context)
    solver.set("rlimit", MAX_EFFORT)
    halves = [z3.Int(f"c{index}", context) for index in range(len(template))]
    unknowns = [z3.ToReal(half) / 2 for half in halves]
    declared = "\n".join(f"(declare-const c{index} Int)" for index in range(len(template)))
    asked = "\n".join(f"(assert {_row(row, relation)})" for row in rows)
    solver.add(z3.parse_smt2_string(f"{declared}\n{asked}", ctx=context))
    solver.add(shape.allows(template, unknowns, context))
    for most in LARGEST_COEFFICIENTS:
        solver.push()
        limit = z3.RealVal(str(most), context)
        least = 0 if shape.natural and not shape.most_n else -limit
        solver.add([u <= limit for u in unknowns] + [u >= least for u in unknowns])
        if str(solver.check()) == "sat":
            return _read(solver.model(), template, halves)
        solver.pop()
    return None


def _row(row: Inequality, relation: s.Bounding) -> str:
    """An inequality between halves of the unknowns, in SMT-LIB."""
    total = " ".join(f"(* {_real(x)} (/ (to_real c{index}) 2.0))" for index, x in enumerate(row.vector))
    sign = "=" if relation == "=" else ">=" if row.least == (relation == "<=") else "<="
    return f"({sign} (+ {total}) {_real(row.number)})"


def _real(number: int | Fraction) -> str:
    value = Fraction(number)
    whole = f"{abs(value.numerator)}.0"
    size = whole if value.denominator == 1 else f"(/ {whole} {value.denominator}.0)"
    return size if value >= 0 else f"(- {size})"


def _read(model: Any, template: list[Monomial], halves: list[Any]) -> Ranking:
    values = [Fraction(model.evaluate(half, model_completion=True).as_long(), 2) for half in halves]
    return Ranking({m: c for m, c in zip(template, values, strict=True) if c})


# --- what must be proved ---------------------------------------------------------------------------------------------


def goals(meanings: Meanings, demand: Demand, ranking: Ranking) -> Iterator[Goal]:
    """Yield the goals that every step decreases the ranking as demanded, and that at the end it is within the bound."""
    before = ranking.term(meanings.before)
    for step in meanings.steps:
        old, new = fixed(meanings, step)
        fall = t.subtract(ranking.term(old), ranking.term(new))
        weight = demand.weight(step.rule.name) * ranking.scale
        scaled = t.times(weight.denominator, fall)
        goal = compared(t.Integer(weight.numerator), demand.relation, scaled)
        yield Goal(
            f"{step.name} lets {ranking} fall by {demand.relation} {demand.weight(step.rule.name)}",
            (*move_of(meanings, step).premises, *step.facts),
            goal,
        )
    if demand.polynomial is None:
        yield Goal(f"{ranking} is not negative", (), t.at_most(0, before))
        return
    bound = demand.bound
    scale = lcm(ranking.scale, bound.scale)
    ends = _known_heights(meanings.before, meanings.terminal(meanings.before))
    at_the_end = ranking.term(_put_in(meanings.before, ends))
    total = t.times(scale // ranking.scale, t.subtract(ranking.term(meanings.start), at_the_end))
    limit = t.times(scale // bound.scale, bound.term(meanings.before))
    yield Goal(
        f"at the end {ranking} has fallen by {demand.relation} {bound}",
        ending(meanings),
        compared(total, demand.relation, limit),
    )


def _known_heights(state: SymbolicState, conditions: Sequence[Term]) -> dict[Term, Term]:
    """The heights that conditions fix, such as that of the sequence in the pattern `[]`."""
    known: dict[Term, Term] = {}
    for part in (part for condition in conditions for part in t.conjuncts(condition)):
        if isinstance(part, t.Operation) and part.operator == "=":
            terms, number = t.linear(t.subtract(*part.arguments))
            for height in state.heights.values():
                if terms == {height: 1}:
                    known[height] = t.Integer(-number)
    return known


def _put_in(state: SymbolicState, known: Mapping[Term, Term]) -> SymbolicState:
    def changed(height: Term) -> Term:
        terms, number = t.linear(height)
        return t.add(number, *(t.times(c, known.get(term, term)) for term, c in terms.items()))

    return replace(state, heights={name: changed(height) for name, height in state.heights.items()})


def fixed(meanings: Meanings, step: SymbolicStep) -> tuple[SymbolicState, SymbolicState]:
    """The states before and after a step, in which the heights that its pattern fixes have been put in."""
    known = _known_heights(meanings.before, step.pattern)
    return _put_in(meanings.before, known), _put_in(step.after, known)


def ranking_problem(meanings: Meanings, demand: Demand, ranking: Ranking) -> Problem:
    """The problem whose goals are those of a ranking."""
    return Problem(
        (WORDS_PREMISE,),
        meanings.before,
        meanings.start,
        tuple(move_of(meanings, step) for step in meanings.steps),
        tuple(goals(meanings, demand, ranking)),
        end=() if demand.polynomial is None else ending(meanings),
    )

"""Symbolic configurations over a symbolic number of words n >= 1.

- The nodes are the integers 0..n.
- A sequence is a function from cells to nodes and a *height*.  Cell 0 is its tail and cell height - 1 its head,
  whichever side the paper draws the head on.  Cells beyond the height have no meaning.
- The arcs are a relation.  Three *ghosts* express the arcs in other ways, and are updated exactly for every graph:
  `headed(x)`, some arc points to x; `reaches(x, y)`, the reflexive and transitive closure; `linked(x, y)`, the closure
  of the arcs read in both directions.
- Ghosts count: `arcs` is the number of arcs, `headless(k)` the number of words among 1..k without a head, and
  `missing`, for each set, the number of words among 1..k that are not in it.
- Two ghosts say where a node is: `place(x)` is the number of the sequence that holds x, or GONE, and `position(x)` its
  cell.  They are meaningful only if no node is in two cells; that is an invariant to be proved like any other
  (`structure.lemmas`).
- If a node may be in two sequences (`shared`), each sequence has its own ghosts: `inside` says whether it holds x, and
  `position` in which cell.  In that case, every theorem includes a proof that no node occurs twice in one sequence
  (`agreement`).
- Two ghosts remember, each in one kind of proof; elsewhere they are false: `done(x, y)`, a certain transition was
  performed with x and y (`pairs`); `second_plane(x)`, the arc into x is in the second of two planes (`planes`).
- Flags are truth values, counters integers, sets predicates.

A state is a collection of functions from terms to terms.  The state of an arbitrary configuration applies uninterpreted
functions; the state after a transition is built by cases from the state before it; so neither needs arrays.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Function, Relation, Term
from arcproof.properties.proving.language.wording import Wording
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.reading.spelling import ascii_name

GONE: Final = -1
LINKED: Final = "linked"
SECOND_PLANE: Final = "second_plane"
WORDS: Final = t.constant("n")


def is_node(x: Term) -> Term:
    """0 <= x <= n."""
    return t.conjunction(t.at_most(0, x), t.at_most(x, WORDS))


def is_word(x: Term) -> Term:
    """1 <= x <= n."""
    return t.conjunction(t.at_most(1, x), t.at_most(x, WORDS))


def between(x: Term, w: Term, y: Term) -> Term:
    """w is strictly between x and y."""
    return t.disjunction(t.conjunction(t.less(x, w), t.less(w, y)), t.conjunction(t.less(y, w), t.less(w, x)))


class Unsupported(ArcproofError):
    """A construct without a symbolic meaning; the message says which."""


@dataclass(frozen=True)
class CellRun:
    """Consecutive cells of a sequence of the state: this many, from cell `first` on."""

    component: str
    first: Term
    length: Term


@dataclass(frozen=True)
class Whereabouts:
    """The nodes of one sequence when others may hold them too: which nodes it holds, and in which cell."""

    inside: Function
    position: Function


@dataclass(frozen=True)
class SymbolicState:
    """A configuration as functions from terms to terms."""

    components: tuple[s.Component, ...]
    cells: Mapping[str, Function]
    heights: Mapping[str, Term]
    flags: Mapping[str, Term]
    counters: Mapping[str, Term]
    sets: Mapping[str, Function]
    arc: Relation
    headed: Function
    reaches: Relation
    linked: Relation
    place: Function
    position: Function
    arcs: Term
    headless: Function
    missing: Mapping[str, Function] = field(default_factory=dict)
    apart: Mapping[str, Whereabouts] = field(default_factory=dict)
    done: Relation = lambda _x, _y: t.FALSE
    second_plane: Function = lambda _x: t.FALSE

    @property
    def sequences(self) -> tuple[s.SequenceComponent, ...]:
        """The components that hold nodes in order."""
        return tuple(c for c in self.components if isinstance(c, s.SequenceComponent))

    def number_of(self, name: str) -> int:
        """The number by which `place` identifies a sequence."""
        return [c.name for c in self.sequences].index(name)

    def inside(self, name: str, node: Term) -> Term:
        """Whether a sequence holds a node, by the ghosts."""
        if self.apart:
            return self.apart[name].inside(node)
        return t.equal(self.place(node), self.number_of(name))

    def position_in(self, name: str, node: Term) -> Term:
        """The cell of a node in a sequence that holds it."""
        return self.apart[name].position(node) if self.apart else self.position(node)

    def gone(self, node: Term) -> Term:
        """Whether no sequence holds a node."""
        if self.apart:
            return t.negation(self.here(node))
        return t.equal(self.place(node), GONE)

    def here(self, node: Term) -> Term:
        """Whether some sequence holds a node."""
        if self.apart:
            return t.disjunction(*(where.inside(node) for where in self.apart.values()))
        return t.at_most(0, self.place(node))

    def agreement(self) -> Iterator[tuple[str, Term]]:
        """Yield the conditions that cells and places agree, so that no node is twice in one sequence, for figures in
        which that needs a proof.
        """
        for name in self.apart:
            yield f"what is in a cell of {name} has its place there", self._cells_agree(name)
            yield f"what has its place in {name} is there", self._places_agree(name)

    def _cells_agree(self, name: str) -> Term:
        cell, height = self.cells[name], self.heights[name]

        def placed(p: Term) -> Term:
            return t.conjunction(self.inside(name, cell(p)), t.equal(self.position_in(name, cell(p)), p))

        return t.for_all(lambda p: t.implies(t.within(0, p, height), placed(p)))

    def _places_agree(self, name: str) -> Term:
        cell, height = self.cells[name], self.heights[name]

        def there(x: Term) -> Term:
            position = self.position_in(name, x)
            return t.conjunction(t.within(0, position, height), t.equal(cell(position), x))

        return t.for_all(lambda x: t.implies(self.inside(name, x), there(x)))

    def side(self, name: str) -> s.Side:
        """The side on which the head of a sequence is printed."""
        return next(c.head for c in self.sequences if c.name == name)

    def whole(self, name: str) -> CellRun:
        """All cells of a sequence."""
        return CellRun(name, t.Integer(0), self.heights[name])

    def holds_node(self, run: CellRun, node: Term) -> Term:
        """Whether a node is in the run, by the ghosts."""
        position = self.position_in(run.component, node)
        parts = [self.inside(run.component, node)]
        if run.first != t.Integer(0):
            parts.append(t.at_most(run.first, position))
        end = t.add(run.first, run.length)
        if end != self.heights[run.component]:
            parts.append(t.less(position, end))
        return t.conjunction(*parts)


@cache
def symbol_name(name: str) -> str:
    """A name as part of a symbol of SMT-LIB: in ASCII, with primes as dots, which no name of the language has, and
    letters that have no spelling given by number.

    >>> symbol_name("λ1'"), symbol_name("ϖ")
    ('lambda1.', '.3d6')
    """
    plain = ascii_name(name).replace("'", ".")
    return "".join(letter if letter.isascii() else f".{ord(letter):x}" for letter in plain)


def wording(components: tuple[s.Component, ...]) -> Wording:
    """The notation of papers for the symbols of an arbitrary configuration: `|σ|`, `σ[x]` (cell 0 is the tail), `x ∈
    σ`.
    """
    functions = dict(Wording().functions)
    values = {("place", GONE): "{} is gone"}
    sequences = [c.name for c in components if isinstance(c, s.SequenceComponent)]
    for number, name in enumerate(sequences):
        functions[f"cell_{symbol_name(name)}"] = f"{name}[{{}}]"
        functions[f"height_{symbol_name(name)}"] = f"|{name}|"
        values["place", number] = f"{{}} ∈ {name}"
    for component in components:
        if isinstance(component, s.ValueComponent):
            written = f"{{}} ∈ {component.name}" if component.kind == "set" else component.name
            functions[f"{component.kind}_{symbol_name(component.name)}"] = written
    return Wording(functions, values, {("place", 0): "{} is not gone"})


def distinct(names: Sequence[str]) -> None:
    """Refuse two names that would become the same symbol, such as α and alpha."""
    twice = next((name for index, name in enumerate(names) if name in names[:index]), None)
    if twice is not None:
        raise Unsupported(f"two names of the figure become {twice} in SMT-LIB")


def arbitrary(components: tuple[s.Component, ...], prefix: str = "", shared: bool = False) -> SymbolicState:
    """Any configuration: everything is uninterpreted."""

    def named(kind: str, name: str) -> str:
        return f"{prefix}{kind}_{symbol_name(name)}"

    sequences = [c.name for c in components if isinstance(c, s.SequenceComponent)]
    values = [c for c in components if isinstance(c, s.ValueComponent)]
    distinct([symbol_name(c.name) for c in components])
    return SymbolicState(
        components,
        {name: t.function(named("cell", name)) for name in sequences},
        {name: t.constant(named("height", name)) for name in sequences},
        {c.name: t.proposition(named("flag", c.name)) for c in values if c.kind == "flag"},
        {c.name: t.constant(named("counter", c.name)) for c in values if c.kind == "counter"},
        {c.name: t.predicate(named("set", c.name)) for c in values if c.kind == "set"},
        t.relation(f"{prefix}arc"),
        t.predicate(f"{prefix}headed"),
        t.relation(f"{prefix}reaches"),
        t.relation(f"{prefix}{LINKED}"),
        t.function(f"{prefix}place"),
        t.function(f"{prefix}position"),
        t.constant(f"{prefix}arcs"),
        t.function(f"{prefix}headless"),
        {c.name: t.function(named("missing", c.name)) for c in values if c.kind == "set"},
        {
            name: Whereabouts(t.predicate(named("inside", name)), t.function(named("position", name)))
            for name in (sequences if shared else ())
        },
    )


def words_up_to(k: Term) -> Term:
    """The number of words among 1..k."""
    return t.choose(t.at_most(k, 0), t.Integer(0), t.choose(t.at_most(k, WORDS), k, WORDS))


# --- literal sequences -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stretch:
    """The nodes low..high in consecutive cells from `offset` on, in ascending or descending order from the tail to the
    head.
    """

    offset: Term
    low: Term
    high: Term
    ascending: bool

    def node_at(self, cell: Term) -> Term:
        """The node in a cell of the stretch."""
        inside = t.subtract(cell, self.offset)
        return t.add(self.low, inside) if self.ascending else t.subtract(self.high, inside)

    def cell_of(self, node: Term) -> Term:
        """The cell of a node of the stretch."""
        inside = t.subtract(node, self.low) if self.ascending else t.subtract(self.high, node)
        return t.add(self.offset, inside)

    def holds(self, node: Term) -> Term:
        """Whether a node is in the stretch."""
        return t.conjunction(t.at_most(self.low, node), t.at_most(node, self.high))

    @property
    def end(self) -> Term:
        """The cell after the last one."""
        return t.add(self.offset, t.subtract(self.high, self.low), 1)


def stretches(literal: s.LiteralSequence, side: s.Side) -> list[Stretch]:
    """The nodes of `[1..n, 0]` from the tail on; n >= 1, so 1..n is not empty, and `[3..1]` has none."""
    filled = [part for part in literal.ranges if part.last is None or part.first <= part.last]
    parts = filled if side == "right" else filled[::-1]
    found: list[Stretch] = []
    offset: Term = t.Integer(0)
    for part in parts:
        high: Term = WORDS if part.last is None else t.Integer(part.last)
        if part.last is None and part.first > 1:
            raise Unsupported(f"the range {part.first}..n may be empty")
        found.append(Stretch(offset, t.Integer(part.first), high, side == "right"))
        offset = found[-1].end
    return found


def cell_of_literal(parts: list[Stretch], cell: Term) -> Term:
    """The node in a cell of a literal sequence."""
    if not parts:
        return t.Integer(GONE)
    node = parts[-1].node_at(cell)
    for part in reversed(parts[:-1]):
        node = t.choose(t.less(cell, part.end), part.node_at(cell), node)
    return node


def initial(figure: s.Figure) -> SymbolicState:
    """The initial configuration."""
    state = arbitrary(figure.state, shared=figure.shared)
    literals = {
        component.name: stretches(value, component.head)
        for component, value in zip(figure.state, figure.start, strict=True)
        if isinstance(component, s.SequenceComponent) and isinstance(value, s.LiteralSequence)
    }
    flags: dict[str, Term] = {}
    counters: dict[str, Term] = {}
    sets: dict[str, Function] = {}
    for component, value in zip(figure.state, figure.start, strict=True):
        match value:
            case s.FlagLiteral(truth):
                flags[component.name] = t.TruthValue(truth)
            case s.CounterFrom(s.Number(number)):
                counters[component.name] = t.Integer(number)
            case s.SetFrom():
                sets[component.name] = lambda _: t.FALSE

    def place(node: Term) -> Term:
        found: Term = t.Integer(GONE)
        for name, parts in literals.items():
            for part in parts:
                found = t.choose(part.holds(node), t.Integer(state.number_of(name)), found)
        return found

    def position(node: Term, among: Iterable[list[Stretch]] = tuple(literals.values())) -> Term:
        found: Term = t.Integer(0)
        for part in (part for parts in among for part in parts):
            found = t.choose(part.holds(node), part.cell_of(node), found)
        return found

    def where(parts: list[Stretch]) -> Whereabouts:
        return Whereabouts(
            lambda node: t.disjunction(*(part.holds(node) for part in parts)), lambda node: position(node, [parts])
        )

    def cells(parts: list[Stretch]) -> Function:
        return lambda cell: cell_of_literal(parts, cell)

    return replace(
        state,
        cells={name: cells(parts) for name, parts in literals.items()},
        heights={name: parts[-1].end if parts else t.Integer(0) for name, parts in literals.items()},
        flags=flags,
        counters=counters,
        sets=sets,
        arc=lambda _x, _y: t.FALSE,
        headed=lambda _: t.FALSE,
        reaches=t.equal,
        linked=t.equal,
        place=place,
        position=position,
        arcs=t.Integer(0),
        headless=words_up_to,
        missing=dict.fromkeys(sets, words_up_to),
        apart={name: where(parts) for name, parts in literals.items()} if figure.shared else {},
    )

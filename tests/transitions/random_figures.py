"""Random figures, well-scoped as the reader wants them: every name bound, every variable used, cases apart.

`figures()` draws whole syntax trees; the texts are never looked at.  Conditions and bounds are nested freely, because
where the printer must put parentheses is what these figures are for.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, get_args

from hypothesis import strategies as st

from arcproof.transitions import syntax as s
from arcproof.transitions.loss_functions import LOSS_FUNCTIONS
from arcproof.transitions.reading.vocabulary import adjectives_of, measures_of

SEQUENCES = ("σ", "β", "λ1", "S", "Q'")
VALUES = ("e", "k", "U", "ψ", "mark")
NODES = ("i", "j", "x1", "y'", "ab", "head", "complete", "i2")
RUNS = ("τ", "υ", "ρ1", "ω'")
PARAMETERS = ("d", "max")
TRANSITIONS = ("SHIFT", "LEFT-ARC", "RIGHT2", "no-arc", "x-1-y")
LABELS = ("l", "r1", "λ", "l'")
RELATIONS = ("=", "!=", "<", "<=", ">", ">=")
SIGNS: tuple[Literal["+"], Literal["-"]] = ("+", "-")
COUNTED = "counted"
SYSTEMS = ("arc-eager", "covington[d=1]", "attardi[d=inf]", "x")


@dataclass(frozen=True)
class Names:
    """The names in scope, by kind."""

    nodes: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    oracle: bool = False
    arcs: bool = False
    root: bool = False

    @property
    def items(self) -> list[s.Item]:
        """What sequences are made of."""
        roots = [s.Cell(s.ROOT_CELL)] * self.root
        return [*map(s.Cell, self.nodes), *map(s.Segment, self.runs), *roots]

    def of(self, kind: s.ValueKind) -> tuple[str, ...]:
        return {"flag": self.flags, "counter": self.counters, "set": self.sets}[kind]

    def with_value(self, kind: s.ValueKind, name: str) -> "Names":
        match kind:
            case "flag":
                return replace(self, flags=(*self.flags, name))
            case "counter":
                return replace(self, counters=(*self.counters, name))
            case "set":
                return replace(self, sets=(*self.sets, name))


def names_of(items: list[s.Item]) -> Names:
    """What the pattern of an oracle's line binds."""
    nodes = tuple(item.name for item in items if isinstance(item, s.Cell) and item.is_variable)
    runs = tuple(item.name for item in items if isinstance(item, s.Segment))
    return Names(nodes, runs, oracle=True, root=s.Cell(s.ROOT_CELL) in items)


def names_in(node: object) -> set[str]:
    """Every name that a tree mentions."""
    return {
        text
        for part in s.walk(node)
        for text in (getattr(part, field, None) for field in ("name", "flag", "set_name", "segment", "base"))
        if isinstance(text, str)
    }


# --- terms and conditions --------------------------------------------------------------------------------------------


@cache
def nodes(names: Names) -> st.SearchStrategy[s.Node]:
    root: st.SearchStrategy[s.Node] = st.just(s.Number(0))
    return st.one_of(root, st.sampled_from(names.nodes).map(s.Variable)) if names.nodes else root


@cache
def sequences(names: Names) -> st.SearchStrategy[s.SequenceOf]:
    items = names.items
    if not items:
        return st.just(s.SequenceOf(()))
    return st.lists(st.sampled_from(items), max_size=3).map(lambda drawn: s.SequenceOf(tuple(drawn)))


literals: st.SearchStrategy[s.LiteralSequence] = st.lists(
    st.builds(s.NodeRange, st.integers(0, 9), st.none() | st.integers(0, 9)), max_size=3
).map(lambda ranges: s.LiteralSequence(tuple(ranges)))


@cache
def primaries(names: Names) -> st.SearchStrategy[s.Term]:
    options: list[st.SearchStrategy[s.Term]] = [
        st.integers(0, 1_000_000).map(s.Number),
        st.just(s.Infinity()),
        st.just(s.Words()),
        st.sampled_from(PARAMETERS).map(s.Parameter),
        st.builds(s.Degree, nodes(names), nodes(names)),
    ]
    options += [st.sampled_from(names.nodes).map(s.Variable)] if names.nodes else []
    options += [st.sampled_from(names.counters).map(s.CounterVariable)] if names.counters else []
    options += [st.sampled_from(names.runs).map(s.Size)] if names.runs else []
    options += [st.just(s.ArcCount())] if names.arcs else []
    options += [st.builds(s.GoldFunction, st.just("mpc"), nodes(names))] if names.oracle else []
    return st.one_of(options)


def sums(first: st.SearchStrategy[s.Term], others: st.SearchStrategy[s.Term], least: int) -> st.SearchStrategy[s.Term]:
    """`a + b - c`, which the language reads from the left."""

    def build(term: s.Term, rest: list[tuple[s.Operator, s.Term]]) -> s.Term:
        for sign, other in rest:
            term = s.Arithmetic(sign, term, other)
        return term

    signs: st.SearchStrategy[s.Operator] = st.sampled_from(("+", "-"))
    return st.builds(build, first, st.lists(st.tuples(signs, others), min_size=least, max_size=2))


@cache
def comparisons(names: Names) -> st.SearchStrategy[s.Condition]:
    terms = sums(primaries(names), primaries(names), 0)
    relations: st.SearchStrategy[s.Relation] = st.sampled_from(RELATIONS)
    rest = st.lists(st.tuples(relations, terms), min_size=1, max_size=2)
    return st.builds(
        lambda first, rest: s.Comparison((first, *(term for _, term in rest)), tuple(sign for sign, _ in rest)),
        terms,
        rest,
    )


@cache
def atoms(names: Names) -> st.SearchStrategy[s.Condition]:
    node = nodes(names)
    options: list[st.SearchStrategy[s.Condition]] = [
        comparisons(names),
        st.builds(s.HasHead, node),
        st.builds(s.HasDependent, node),
        st.builds(s.HasArc, node, node),
        st.builds(s.Reaches, node, node),
        st.builds(s.Connected, node, node),
        st.builds(s.InSequence, node, sequences(names)),
    ]
    if names.runs:
        equal: st.SearchStrategy[s.Relation] = st.sampled_from(("=", "!="))
        options.append(st.builds(s.SequenceIs, st.sampled_from(names.runs), equal, literals))
    options += [st.sampled_from(names.flags).map(s.IsSet)] if names.flags else []
    options += [st.builds(s.InSet, node, st.sampled_from(names.sets))] if names.sets else []
    if names.oracle:
        options += [
            st.builds(s.GoldArc, node, node, st.none()),
            st.builds(s.Complete, node),
            st.builds(s.Precedes, node, node),
        ]
    return st.one_of(options)


@cache
@st.composite
def conditions(draw: st.DrawFn, names: Names, depth: int = 2) -> s.Condition:
    kind = draw(st.sampled_from(("atom", "not", "and", "or", "exists", "all"))) if depth else "atom"
    inner = conditions(names, depth - 1)
    match kind:
        case "not":
            return s.Not(draw(inner))
        case "and":
            return s.And(tuple(draw(st.lists(inner, min_size=2, max_size=3))))
        case "or":
            return s.Or(tuple(draw(st.lists(inner, min_size=2, max_size=3))))
        case "exists" | "all":
            free = [name for name in (*NODES, "z", "w") if name not in (*names.nodes, *names.counters)]
            variable = draw(st.sampled_from(free))
            body = draw(conditions(replace(names, nodes=(*names.nodes, variable)), depth - 1))
            if variable not in names_in(body):
                parts = (body, s.HasHead(s.Variable(variable)))
                body = s.And(parts) if draw(st.booleans()) else s.Or(parts)
            return s.Quantified(kind, variable, draw(sequences(names)), body)
        case _:
            return draw(atoms(names))


# --- rules and oracles -----------------------------------------------------------------------------------------------


@st.composite
def patterns(draw: st.DrawFn, state: tuple[s.Component, ...]) -> tuple[tuple[s.Pattern, ...], Names]:
    """Something before `=>` for every component, and the names it binds."""
    names = Names()
    built: list[s.Pattern] = []
    taken = {component.name for component in state}
    for component in state:
        if isinstance(component, s.SequenceComponent):
            free_nodes = [name for name in NODES if name not in names.nodes]
            free_runs = [component.name, *(name for name in RUNS if name not in names.runs)]
            cells = draw(st.lists(st.sampled_from(free_nodes), unique=True, max_size=2))
            runs = draw(st.lists(st.sampled_from(free_runs), unique=True, max_size=2))
            holes = draw(st.integers(0, 1))
            root = not names.root and draw(st.sampled_from([False, False, True]))
            others = [s.Cell("_")] * holes + [s.Cell(s.ROOT_CELL)] * root
            items: list[s.Item] = [*map(s.Cell, cells), *map(s.Segment, runs), *others]
            built.append(s.SequenceOf(tuple(draw(st.permutations(items)))))
            names = replace(names, nodes=(*names.nodes, *cells), runs=(*names.runs, *runs), root=names.root or root)
            continue
        kind = component.kind
        written: dict[str, list[s.Pattern]] = {
            "flag": [s.FlagLiteral(True), s.FlagLiteral(False)],
            "counter": [s.CounterFrom(s.Number(3))],
            "set": [],
        }
        fresh = next(name for name in ("v1", "v2", "v3", "v4") if name not in taken)
        pattern = draw(
            st.sampled_from([*written[kind], s.AnyValue("_"), s.AnyValue(component.name), s.AnyValue(fresh)])
        )
        built.append(pattern)
        if isinstance(pattern, s.AnyValue) and pattern.name != "_":
            taken.add(pattern.name)
            names = names.with_value(kind, pattern.name)
    return tuple(built), names


def value_updates(component: s.ValueComponent, pattern: s.Pattern, names: Names) -> st.SearchStrategy[s.Update]:
    """Something after `=>` for a flag, counter or set; a name of its own must not go to waste."""
    mine = pattern.name if isinstance(pattern, s.AnyValue) and pattern.name != "_" else None
    own = mine if mine != component.name else None
    match component.kind:
        case "flag":
            if own is not None:
                return st.just(s.FlagFrom(s.IsSet(own)))
            return st.one_of(st.booleans().map(s.FlagLiteral), conditions(names, 2).map(s.FlagFrom))
        case "counter":
            bases = st.sampled_from(names.counters).map(s.CounterVariable) if names.counters else None
            steps = primaries(names).filter(lambda t: not isinstance(t, (s.Infinity, s.Size, s.Degree)))
            if own is not None:
                return sums(st.just(s.CounterVariable(own)), steps, 0).map(s.CounterFrom)
            number: st.SearchStrategy[s.Term] = st.integers(0, 9).map(s.Number)
            return (number if bases is None else st.one_of(number, sums(bases, steps, 0))).map(s.CounterFrom)
        case "set":
            signs = st.sampled_from(("+", "-"))
            changes = st.lists(st.tuples(signs, nodes(names)), max_size=2).map(tuple)
            empty: st.SearchStrategy[s.Update] = st.just(s.SetFrom(None, ()))
            if own is not None:
                return st.builds(s.SetFrom, st.just(own), changes)
            return st.one_of(empty, st.builds(s.SetFrom, st.sampled_from(names.sets), changes)) if names.sets else empty


@st.composite
def effects(draw: st.DrawFn, names: Names, label: str | None) -> tuple[s.Effect, ...]:
    built: list[s.Effect] = []
    if names.nodes and label is not None and draw(st.booleans()):
        built.append(s.TagNode(s.Variable(draw(st.sampled_from(names.nodes))), label))
        label = None
    if names.nodes:
        for marked in [label is not None, *draw(st.lists(st.booleans(), max_size=1))]:
            dependent = s.Variable(draw(st.sampled_from(names.nodes)))
            others: list[s.Node] = [s.Number(0), *(s.Variable(name) for name in names.nodes if name != dependent.name)]
            head = draw(st.sampled_from(others))
            built.append(s.AddArc(head, label if marked else None, dependent))
        built += [s.RemoveArcs(node) for node in draw(st.lists(nodes(names), max_size=1))]
    return tuple(draw(st.permutations(built)))


@st.composite
def rules(draw: st.DrawFn, name: str, state: tuple[s.Component, ...], shared: bool) -> s.Rule:
    before, names = draw(patterns(state))
    label = draw(st.none() | st.sampled_from(LABELS)) if names.nodes else None
    left = names.items
    after: list[s.Update] = []
    for component, pattern in zip(state, before, strict=True):
        if isinstance(component, s.ValueComponent):
            after.append(draw(value_updates(component, pattern, names)))
            continue
        items = draw(st.lists(st.sampled_from(left), unique=not shared, max_size=3)) if left else []
        left = left if shared else [item for item in left if item not in items]
        after.append(s.SequenceOf(tuple(items)))
    preconditions = draw(st.lists(conditions(names), max_size=2))
    return s.Rule(name, label, before, tuple(after), draw(effects(names, label)), tuple(preconditions))


@st.composite
def oracle_lines(draw: st.DrawFn, rule: s.Rule) -> s.OracleLine:
    """A line with the pattern of its rule, so that it gives the lengths of all chosen runs; never an unconditional
    one.
    """
    pattern = tuple(s.AnyValue("_") if isinstance(part, s.AnyValue) else part for part in rule.before)
    found = [item for part in pattern if isinstance(part, s.SequenceOf) for item in part.items]
    names = names_of(found)
    bound = names.nodes
    built = draw(st.lists(conditions(names), min_size=1, max_size=2))
    if rule.label is not None:
        tags = any(isinstance(effect, s.TagNode) for effect in rule.effects)
        binder: s.Condition = s.GoldArc(draw(nodes(names)), draw(nodes(names)), rule.label)
        binder = s.GoldTag(draw(nodes(names).filter(lambda node: node != s.Number(0))), rule.label) if tags else binder
        built.insert(draw(st.integers(0, len(built))), binder)
    built += [s.HasHead(s.Variable(name)) for name in bound if name not in names_in(tuple(built))]
    return s.OracleLine(rule.name, rule.label, pattern, tuple(built))


@st.composite
def oracles(draw: st.DrawFn, name: str, choices: tuple[s.Rule, ...]) -> s.Oracle:
    lines = [draw(oracle_lines(rule)) for rule in draw(st.lists(st.sampled_from(choices), min_size=1, max_size=3))]
    bare = [
        rule
        for rule in choices
        if rule.label is None
        and not any(
            isinstance(part, s.SequenceOf) and sum(isinstance(item, s.Segment) for item in part.items) > 1
            for part in rule.before
        )
    ]
    if draw(st.booleans()) and bare:
        lines.append(s.OracleLine(draw(st.sampled_from(bare)).name, None, None, ()))
    return s.Oracle(name, tuple(lines))


@st.composite
def cost_parts(draw: st.DrawFn, names: Names) -> s.CostPart:
    within = replace(names, nodes=(*names.nodes, COUNTED))
    items = names.items
    options: list[st.SearchStrategy[s.CostPart]] = [
        st.integers(0, 9).map(s.Number),
        st.lists(conditions(names, 2), min_size=1, max_size=2).map(lambda some: s.TruthOf(tuple(some))),
    ]
    if items:
        domains = st.lists(st.sampled_from(items), unique=True, min_size=1, max_size=3)
        asked = st.lists(conditions(within, 2), max_size=2).map(tuple)
        options.append(st.builds(s.CountOf, st.just(COUNTED), domains.map(tuple).map(s.SequenceOf), asked))
    return draw(st.one_of(options))


@st.composite
def dynamic_oracles(
    draw: st.DrawFn, name: str, choices: tuple[s.Rule, ...], sequences: tuple[str, ...]
) -> s.DynamicOracle:
    """A cost for each transition, where its own pattern matches or anywhere; or a loss."""
    if draw(st.booleans()):
        arguments = draw(st.tuples(st.sampled_from(sequences), st.sampled_from(sequences)))
        return s.DynamicOracle(name, (), s.LossOf(draw(st.sampled_from(tuple(LOSS_FUNCTIONS))), arguments))
    lines = []
    for rule in choices:
        pattern = tuple(s.AnyValue("_") if isinstance(part, s.AnyValue) else part for part in rule.before)
        found = [item for part in pattern if isinstance(part, s.SequenceOf) for item in part.items]
        names = names_of(found)
        nodes = names.nodes
        parts = draw(st.lists(st.tuples(st.sampled_from(SIGNS), cost_parts(names)), min_size=1, max_size=3))
        label = rule.label if len(nodes) > 1 and draw(st.booleans()) else None
        if label is not None:
            head, dependent = map(s.Variable, draw(st.permutations(nodes))[:2])
            parts.append(("+", s.TruthOf((s.Not(s.GoldArc(head, dependent, label)),))))
        lines.append(s.CostLine(rule.name, pattern, tuple(parts), label))
    return s.DynamicOracle(name, tuple(lines))


# --- claims ----------------------------------------------------------------------------------------------------------


@cache
def polynomials(transitions: tuple[str, ...]) -> st.SearchStrategy[s.Term]:
    return _polynomials([st.sampled_from(transitions).map(s.Count)])


@cache
def measures(names: Names) -> st.SearchStrategy[s.Term]:
    sizes: list[st.SearchStrategy[s.Term]] = [st.sampled_from(names.runs).map(s.Size), st.just(s.ArcCount())]
    sizes += [st.sampled_from(names.counters).map(s.CounterVariable)] if names.counters else []
    sizes += [st.sampled_from(names.flags).map(s.FlagValue)] if names.flags else []
    return _polynomials(sizes)


def _polynomials(others: list[st.SearchStrategy[s.Term]]) -> st.SearchStrategy[s.Term]:
    leaves: st.SearchStrategy[s.Term] = st.one_of(
        st.integers(0, 20).map(s.Number), st.just(s.Words()), st.sampled_from(PARAMETERS).map(s.Parameter), *others
    )

    def grow(inner: st.SearchStrategy[s.Term]) -> st.SearchStrategy[s.Term]:
        signs: st.SearchStrategy[s.Operator] = st.sampled_from(("+", "-", "*"))
        return st.one_of(
            st.builds(s.Arithmetic, signs, inner, inner),
            st.builds(s.Arithmetic, st.just("/"), inner, st.integers(1, 9).map(s.Number)),
            st.builds(s.Arithmetic, st.just("^"), inner, st.integers(0, 9).map(s.Number)),
        )

    return st.recursive(leaves, grow, max_leaves=8)


bounds: st.SearchStrategy[s.Term] = st.one_of(
    st.integers(0, 9).map(s.Number), st.just(s.Infinity()), st.sampled_from(PARAMETERS).map(s.Parameter)
)


def classes_with(base: s.Base) -> st.SearchStrategy[s.GraphClass]:
    """The classes with one base."""
    return st.builds(
        lambda adjectives, measures: s.GraphClass((*adjectives, *measures), base),
        st.lists(st.sampled_from(sorted(adjectives_of(base))).map(s.Restriction), max_size=2),
        st.lists(st.builds(s.Restriction, st.sampled_from(sorted(measures_of(base))), bounds), max_size=2),
    )


of_single_heads = st.one_of(classes_with("forests"), classes_with("trees"))
graph_classes = st.one_of(of_single_heads, classes_with("graphs"))


@cache
def claims(transitions: tuple[str, ...]) -> st.SearchStrategy[s.Claim]:
    bound = polynomials(transitions)
    relations: st.SearchStrategy[s.Bounding] = st.sampled_from(("=", "<=", ">="))
    statements: st.SearchStrategy[s.Statement] = st.one_of(
        st.builds(s.Sound, graph_classes),
        st.builds(s.CompleteFor, graph_classes),
        st.just(s.Terminates()),
        st.builds(s.LengthBound, relations, bound),
        st.builds(s.CountBound, st.sampled_from(transitions), relations, bound),
        st.builds(s.SpaceBound, relations, bound),
        st.builds(s.Incremental, st.sampled_from(("weakly", "", "strictly"))),
        st.just(s.NoDeadEnds()),
        st.just(s.Unambiguous()),
        st.builds(s.SameTransitions, st.sampled_from(SYSTEMS), of_single_heads),
        st.builds(s.SameOutputs, st.sampled_from(SYSTEMS)),
    )
    kinds: st.SearchStrategy[Literal["plain", "negated", "refuted"]] = st.sampled_from(("plain", "negated", "refuted"))
    return st.builds(_claim, statements, kinds, st.sampled_from((None, (0,), (2, 3, 5, 0, 4, 0, 1))))


def _claim(
    statement: s.Statement, kind: Literal["plain", "negated", "refuted"], witness: tuple[int, ...] | None
) -> s.Claim:
    refutes = isinstance(statement, s.CompleteFor) and kind != "plain"
    return s.Claim(statement, kind, witness if refutes else None)


# --- whole figures ---------------------------------------------------------------------------------------------------


@st.composite
def states(draw: st.DrawFn) -> tuple[s.Component, ...]:
    built: list[s.Component] = []
    for name in draw(st.lists(st.sampled_from(SEQUENCES), unique=True, min_size=1, max_size=3)):
        kind = draw(st.sampled_from(get_args(s.SequenceKind)))
        built.append(s.SequenceComponent(kind, name, draw(st.sampled_from(("left", "right")))))
    for name in draw(st.lists(st.sampled_from(VALUES), unique=True, max_size=3)):
        built.append(s.ValueComponent(draw(st.sampled_from(("flag", "counter", "set"))), name))
    return tuple(draw(st.permutations(built)))


def start_values(component: s.Component, index: int) -> st.SearchStrategy[s.StartValue]:
    if isinstance(component, s.SequenceComponent):
        nodes_given = [[s.NodeRange(0, 0), s.NodeRange(1, None)], [s.NodeRange(0, None)], [s.NodeRange(1, None)], []]
        return st.sampled_from(nodes_given if index == 0 else [[]]).map(lambda part: s.LiteralSequence(tuple(part)))
    match component.kind:
        case "flag":
            return st.booleans().map(s.FlagLiteral)
        case "counter":
            return st.integers(0, 9).map(lambda value: s.CounterFrom(s.Number(value)))
        case "set":
            return st.just(s.SetFrom(None, ()))


texts = st.text(st.characters(exclude_characters='"\n\r', exclude_categories=["Cs"]), max_size=30)


@st.composite
def figures(draw: st.DrawFn) -> s.Figure:
    """A whole figure that the reader accepts."""
    state = draw(states())
    shared = draw(st.booleans())
    named = tuple(draw(st.lists(st.sampled_from(TRANSITIONS), unique=True, min_size=1, max_size=3)))
    built = tuple(draw(rules(name, state, shared)) for name in named)
    by_kind: dict[str, list[str]] = {"flag": [], "counter": [], "set": [], "sequence": []}
    for component in state:
        by_kind["sequence" if isinstance(component, s.SequenceComponent) else component.kind].append(component.name)
    runs, flags, counters, sets = (tuple(by_kind[kind]) for kind in ("sequence", "flag", "counter", "set"))
    everything = Names((), runs, flags, counters, sets)
    oracle_names = draw(st.lists(st.sampled_from(("static", "reduce-late", "x2")), unique=True, max_size=2))
    made = draw(st.lists(claims(named), max_size=3, unique_by=lambda claim: claim.statement))
    on_the_way = conditions(replace(everything, oracle=True, arcs=True), 2)
    lemmas = ('"a": n >= 0', '"b" for X: forall x: x in X => node(x) using "a", "c" by induction on x')
    sequence_places = [index for index, component in enumerate(state) if isinstance(component, s.SequenceComponent)]
    figure = s.Figure(
        name=draw(st.sampled_from(("toy", "arc-eager-2", "x"))),
        cite=draw(texts),
        notes=tuple(draw(st.lists(texts, max_size=2))),
        parameters=(),
        shared=shared,
        state=state,
        start=tuple(draw(start_values(part, index - sequence_places[0])) for index, part in enumerate(state)),
        final=tuple(draw(st.lists(conditions(everything, 2), min_size=1, max_size=2))),
        rules=built,
        default=draw(st.none() | st.sampled_from(named)),
        oracles=tuple(draw(oracles(name, built)) for name in oracle_names),
        claims=tuple(made),
        invariants=tuple(draw(st.lists(conditions(everything, 2), max_size=2))),
        oracle_invariants=tuple(s.OracleInvariant(name, draw(on_the_way)) for name in oracle_names),
        measures=tuple(
            s.GivenMeasure(name, draw(measures(everything))) for name in draw(st.sampled_from(((), ("V", "W"))))
        ),
        lemmas=tuple(map(s.GivenLemma, draw(st.lists(st.sampled_from(lemmas), max_size=2)))),
        dynamic_oracles=tuple(
            draw(dynamic_oracles(name, built, runs)) for name in draw(st.sampled_from(((), ("costs", "costs-2"))))
        ),
    )
    used = {part.name for part in s.walk(figure) if isinstance(part, s.Parameter)}
    defaults: st.SearchStrategy[s.Number | s.Infinity] = st.one_of(
        st.integers(0, 9).map(s.Number), st.just(s.Infinity())
    )
    declared = tuple(s.ParameterDeclaration(name, draw(defaults)) for name in PARAMETERS if name in used)
    for_trees = any(isinstance(part, (s.Precedes, s.GoldFunction, s.DynamicOracle)) for part in s.walk(figure))
    several_heads = not for_trees and draw(st.booleans())
    rootless = not several_heads and draw(st.booleans()) and not figure.uses_root
    return replace(figure, parameters=declared, several_heads=several_heads, rootless=rootless)

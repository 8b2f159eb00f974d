"""The syntax tree of a figure: data only.

A *figure* is what a paper prints of a transition system: state, start, final, the transitions with their preconditions;
here also its invariants, conditions that are claimed to hold in every reachable configuration, its oracles, its
fall-back transition, the claims made about it, and help for proving them: invariants of an oracle's runs, measures,
lemmas.  Every meaning is another module with one `match` per kind of node: `execute` runs the tree, `notation` prints
it, `check` finds mistakes in it; `plan` works out what all the others have in common.

Conventions
- Sequences are written as the papers print them; the *head* of a sequence is the end it grows at: right for a stack,
  left for a buffer, as declared for a list.  The other end is the *tail*.
- In a pattern a Latin name stands for one node (`Cell`), a Greek name or the name of a component for a run of nodes
  (`Segment`).  Of several segments in one pattern the one nearest to the tail is the *rest*; the lengths of the others
  are chosen, and a transition together with such a choice is written `LEFT-ARC[2]`: one more than the segment's length,
  counting, as papers do, from the node next to the head.
- Two trees are equal if they say the same; positions in the file (`where`) do not count.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, fields, is_dataclass, replace
from functools import cached_property
from typing import ClassVar, Final, Literal, TypeAlias, TypeVar, get_args

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.errors import NOWHERE, Place

T = TypeVar("T")


def _where() -> Place:
    return field(default=NOWHERE, compare=False, repr=False)


# --- state -----------------------------------------------------------------------------------------------------------

Side: TypeAlias = Literal["left", "right"]
SequenceKind: TypeAlias = Literal["stack", "buffer", "list"]
ValueKind: TypeAlias = Literal["flag", "counter", "set"]


@dataclass(frozen=True, slots=True)
class SequenceComponent:
    """`stack σ`, `buffer β`, `list λ1 head right`."""

    kind: SequenceKind
    name: str
    head: Side
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class ValueComponent:
    """`flag e`, `counter k`, `set U`: a truth value, an integer, a set of nodes."""

    kind: ValueKind
    name: str
    where: Place = _where()


Component: TypeAlias = SequenceComponent | ValueComponent


# --- sequences -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cell:
    """One node of a sequence, given by its variable; `_` is a node without a name, `0` is the root."""

    name: str
    where: Place = _where()

    @property
    def is_hole(self) -> bool:
        """Whether the node is matched but not named."""
        return self.name == "_"

    @property
    def is_variable(self) -> bool:
        """Whether the cell has a name that stands for whatever node is there."""
        return self.name not in ("_", ROOT_CELL)


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of nodes, possibly empty."""

    name: str
    where: Place = _where()


Item: TypeAlias = Cell | Segment
ROOT_CELL: Final = "0"
"""The name of a cell that only the root fits: `[0], j|β`."""


@dataclass(frozen=True)
class SequenceOf:
    """Items in printed order: a pattern before `=>`, an expression after it; no items is `[]`."""

    items: tuple[Item, ...]
    where: Place = _where()

    @cached_property
    def cells(self) -> int:
        """The number of items that are single nodes."""
        return sum(isinstance(item, Cell) for item in self.items)

    @cached_property
    def places(self) -> "tuple[tuple[str, int | slice], ...] | None":
        """The indices of the named items, counted from the left end or, after a segment, from the right; None where
        lengths must be chosen.
        """
        if len(self.items) - self.cells > 1:
            return None
        found: list[tuple[str, int | slice]] = []
        first_after = len(self.items)
        for number, item in enumerate(self.items):
            from_right = number - len(self.items)
            if isinstance(item, Segment):
                first_after = number + 1
                found.append((item.name, slice(number, from_right + 1 or None)))
            elif not item.is_hole:
                found.append((item.name, from_right if number >= first_after else number))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class NodeRange:
    """`1..n` or a single node such as `0`; None stands for n."""

    first: int
    last: int | None
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class LiteralSequence:
    """`[]`, `[0]`, `[1..n, 0]`: nodes given by number, in start and in comparisons."""

    ranges: tuple[NodeRange, ...]
    where: Place = _where()


# --- values of flags, counters, sets ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnyValue:
    """Before `=>`: a variable that takes the value of a flag, counter or set; `_` ignores it."""

    name: str
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class FlagLiteral:
    """`true` or `false`, before or after `=>`."""

    value: bool
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class FlagFrom:
    """After `=>`: `(β = [])`, the truth of a condition, or a flag variable by name."""

    condition: "Condition"
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class CounterFrom:
    """A number before `=>`, any term after it."""

    term: "Term"
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class SetFrom:
    """After `=>`: `U + b - s`, or `{}` when base is None."""

    base: str | None
    changes: tuple[tuple[Literal["+", "-"], "Node"], ...]
    where: Place = _where()


Pattern: TypeAlias = SequenceOf | AnyValue | FlagLiteral | CounterFrom
Update: TypeAlias = SequenceOf | FlagLiteral | FlagFrom | CounterFrom | SetFrom
StartValue: TypeAlias = LiteralSequence | FlagLiteral | CounterFrom | SetFrom


# --- terms -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    """A natural number; as a node, 0 is the root."""

    value: int
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Infinity:
    """`∞`: greater than every number; also written `inf`."""

    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Words:
    """`n`: the number of words of the sentence."""

    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Variable:
    """A node bound by a pattern or a quantifier."""

    name: str
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class CounterVariable:
    """The value of a counter, bound by a pattern."""

    name: str
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the system, such as the d of `covington[d=1]`."""

    name: str
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Size:
    """`|τ|`: the length of a segment, in `final` and `invariant` of a sequence."""

    segment: str
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class ArcCount:
    """`|A|`: the number of arcs, in `measure` and `invariant of`; two labels of one arc count once."""

    where: Place = _where()


@dataclass(frozen=True, slots=True)
class FlagValue:
    """A flag in a measure: 1 if it is true, otherwise 0."""

    name: str
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Degree:
    """`degree(i, j)`: how many words strictly between the two have no head, or a head outside the closed interval.

    This is the degree of an arc between i and j in the sense of Nivre 2007, Definition 3 (`generators.classes`).
    """

    left: "Node"
    right: "Node"
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class GoldFunction:
    """`mpc(i)`: a notion of the gold graph computed by an algorithm; `gold.GOLD_FUNCTIONS` lists them."""

    name: str
    argument: "Node"
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Count:
    """`#SWAP`: how often a transition occurs in a run; only in claims and for `reach`."""

    transition: str
    where: Place = _where()


Operator: TypeAlias = Literal["+", "-", "*", "/", "^"]


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`d - 1`; in claims also `2n`, `n(n - 1)/2`, `n^2`."""

    operator: Operator
    left: "Term"
    right: "Term"
    where: Place = _where()


Node: TypeAlias = Variable | Number
Term: TypeAlias = (
    Number
    | Infinity
    | Words
    | Variable
    | CounterVariable
    | Parameter
    | Size
    | ArcCount
    | FlagValue
    | Degree
    | GoldFunction
    | Count
    | Arithmetic
)


# --- conditions ------------------------------------------------------------------------------------------------------

Relation: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`i != 0`, `0 < i < j`: terms[0] relations[0] terms[1] relations[1] terms[2] …"""

    terms: tuple[Term, ...]
    relations: tuple[Relation, ...]
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class SequenceIs:
    """`β = []`, `σ != [0]`."""

    segment: str
    relation: Literal["=", "!="]
    value: LiteralSequence
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class HasHead:
    """`head(i)`: some arc of A points to i."""

    node: Node
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class HasDependent:
    """`dependent(i)`: some arc of A leaves i; `no dependent(0)` keeps a tree single-rooted."""

    node: Node
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class HasArc:
    """`i -> j`: A has an arc from i to j."""

    head: Node
    dependent: Node
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Reaches:
    """`i ->* j`: j can be reached from i over arcs of A, and every node from itself (the reflexive and transitive
    closure of A).
    """

    source: Node
    target: Node
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Connected:
    """`i <->* j`: i and j are in one weakly connected component of A."""

    left: Node
    right: Node
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class IsSet:
    """The name of a flag variable, as a condition."""

    flag: str
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class InSet:
    """`b in U`: membership in a set of the state."""

    node: Node
    set_name: str
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class InSequence:
    """`k in σ|i`: membership in a run of nodes."""

    node: Node
    sequence: SequenceOf
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Quantified:
    """`exists k in σ: …` and `all x in τ: …`: for some node, for every node; the body reaches as far to the right as it
    can.
    """

    quantifier: Literal["exists", "all"]
    variable: str
    domain: SequenceOf
    body: "Condition"
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Not:
    """`not …`: the condition does not hold; before `head` also `no`."""

    body: "Condition"
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class And:
    """`… and …`: both hold; `and` binds more tightly than `or`."""

    parts: tuple["Condition", ...]
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Or:
    """`… or …`."""

    parts: tuple["Condition", ...]
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class GoldArc:
    """`gold j -l-> i`: the gold graph has this arc; its label becomes l, or in costs must be l.  `gold j -> i` asks for
    any label.
    """

    head: Node
    dependent: Node
    label: str | None
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class GoldTag:
    """`gold tag i p`: the gold tag of i becomes the label p; this excludes nothing, and may be used only in oracle
    lines.
    """

    node: Node
    label: str
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Complete:
    """`complete(i)`: every gold dependent of i is attached to i in A (Nivre 2009: A_i ⊆ A_c)."""

    node: Node
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Precedes:
    """`i <G j`: i comes before j in the projective order of the gold graph (Nivre 2009, section 3.2)."""

    left: Node
    right: Node
    where: Place = _where()


Condition: TypeAlias = (
    Comparison
    | SequenceIs
    | HasHead
    | HasDependent
    | HasArc
    | Reaches
    | Connected
    | IsSet
    | InSet
    | InSequence
    | Quantified
    | Not
    | And
    | Or
    | GoldArc
    | GoldTag
    | Complete
    | Precedes
)


# --- transitions and oracles -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AddArc:
    """`add j -l-> i`, or `add j -> i` where the transition has no label."""

    head: Node
    label: str | None
    dependent: Node
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class RemoveArcs:
    """`remove * -> s`: all arcs into s."""

    dependent: Node
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class TagNode:
    """`tag i p`: the label p of the transition becomes the tag of i, whatever it was before (Bohnet & Nivre 2012)."""

    node: Node
    label: str
    where: Place = _where()


Effect: TypeAlias = AddArc | RemoveArcs | TagNode


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the figure: a transition, or one case of it when several lines share a name."""

    name: str
    label: str | None
    before: tuple[Pattern, ...]
    after: tuple[Update, ...]
    effects: tuple[Effect, ...]
    preconditions: tuple[Condition, ...]
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class OracleLine:
    """`LEFT-ARC(l)  σ|i, j|β  if gold j -l-> i`; without a pattern every component goes by its own name."""

    transition: str
    label: str | None
    pattern: tuple[Pattern, ...] | None
    conditions: tuple[Condition, ...]
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Oracle:
    """Ordered lines; the first that matches wins."""

    name: str
    lines: tuple[OracleLine, ...]
    where: Place = _where()


# --- dynamic oracles -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CountOf:
    """`#{k in b|β: gold s -> k, no head(k)}`: how many nodes of a sequence satisfy the conditions."""

    variable: str
    domain: SequenceOf
    conditions: tuple[Condition, ...]
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class TruthOf:
    """`[gold head(s) in β]`: 1 if the conditions hold, otherwise 0."""

    conditions: tuple[Condition, ...]
    where: Place = _where()


CostPart: TypeAlias = Number | CountOf | TruthOf
GOLD_HEAD: Final = "gold head"
"""The variable of the `exists` that `gold head(s) in β` stands for; no specification can use this name."""


@dataclass(frozen=True, slots=True)
class CostLine:
    """`cost LEFT-ARC  σ|s, b|β  = #{k in b|β: gold s -> k} + [gold head(s) in β]`: what a transition costs where the
    pattern matches.

    If a transition has several lines, the first one whose pattern matches applies. With a label, `cost LEFT-ARC(l) …`,
    the sum may ask whether l is the label of a gold arc: `[gold b -> s, not gold b -l-> s]`.
    """

    transition: str
    pattern: tuple[Pattern, ...] | None
    parts: tuple[tuple[Literal["+", "-"], CostPart], ...]
    label: str | None = None
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class LossOf:
    """`loss tabular(σ, β)`: instead of cost lines; the cost of a transition is how much it raises this function of the
    configuration.
    """

    function: str
    arguments: tuple[str, ...]
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class DynamicOracle:
    """The cost of every transition in every configuration: how many more heads will be wrong at best (Goldberg & Nivre
    2012).

    It has a cost line for every transition, or a loss. If any line has a label, a word with the wrong label counts as
    wrong, too.
    """

    name: str
    lines: tuple[CostLine, ...]
    loss: LossOf | None = None
    where: Place = _where()

    @property
    def is_labelled(self) -> bool:
        """Whether wrong labels count."""
        return any(line.label is not None for line in self.lines)


# --- claims ----------------------------------------------------------------------------------------------------------

Base: TypeAlias = Literal["forests", "trees", "graphs"]


@dataclass(frozen=True, slots=True)
class Restriction:
    """An adjective such as `projective`, or a measure with its bound: `with gap-degree <= 1`."""

    name: str
    bound: Term | None = None
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class GraphClass:
    """`projective forests`, `well-nested trees with gap-degree <= 1`, `acyclic graphs with heads <= 2`; the words are
    those of `vocabulary`.
    """

    restrictions: tuple[Restriction, ...]
    base: Base
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Sound:
    """Every output is in the class, and no transition of any run, even of one that does not end, adds an arc into 0 or
    to a word that already has a head.

    In a figure with `several heads`, a second head is allowed; the same arc twice is not.
    """

    graphs: GraphClass
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class CompleteFor:
    """Every graph of the class is an output."""

    graphs: GraphClass
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Bare:
    """A claim that is a single phrase; its rule in the grammar has the same name."""

    words: ClassVar[str]
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Terminates(Bare):
    """Every run ends."""

    words: ClassVar[str] = "terminates"


Bounding: TypeAlias = Literal["=", "<=", ">="]


@dataclass(frozen=True, slots=True)
class LengthBound:
    """`length <= 2n`, `length = 2n + 2 #SWAP`: the number of transitions to the terminal configuration."""

    relation: Bounding
    bound: Term
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class CountBound:
    """`#SWAP <= n(n - 1)/2`: how often one transition occurs in a run."""

    transition: str
    relation: Bounding
    bound: Term
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class SpaceBound:
    """`space <= 2n + 1`: cells of all sequences plus arcs (plus flags, counters and set members), the maximum over a
    run.
    """

    relation: Bounding
    bound: Term
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Incremental:
    """`incremental`, `weakly incremental`, `strictly incremental`: Nivre 2008, Definition 6, labels aside;
    `weakly`: arcs are never removed; `strictly`: also left to right.
    """

    strength: Literal["weakly", "", "strictly"]
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class NoDeadEnds(Bare):
    """`no dead ends`: wherever nothing is permissible, the configuration is terminal."""

    words: ClassVar[str] = "no dead ends"


@dataclass(frozen=True, slots=True)
class Unambiguous(Bare):
    """`unambiguous`: every output has exactly one derivation, that is, one sequence of transitions with their choices,
    labels aside.
    """

    words: ClassVar[str] = "unambiguous"


@dataclass(frozen=True, slots=True)
class SameTransitions:
    """`like arc-standard-stack on projective trees`: the oracles take exactly the same transitions there, with the same
    labels.

    A system that is not built in is named by its file, relative to the figure: `like other.tsys on projective trees`.
    """

    system: str
    graphs: GraphClass
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class SameOutputs:
    """`equivalent to attardi`, `equivalent to other.tsys`: the same graphs can be derived."""

    system: str
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Exact:
    """`exact NAME on projective trees`: wherever a run can still end, the costs of a dynamic oracle are the true
    ones.
    """

    oracle: str
    graphs: GraphClass
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Safe:
    """`safe NAME on projective trees`: a transition to which the dynamic oracle assigns a cost of 0 or less costs
    nothing.
    """

    oracle: str
    graphs: GraphClass
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class NeverStuck:
    """`never stuck NAME on projective trees`: wherever a run can still end, the dynamic oracle assigns some transition
    a cost of 0 or less.
    """

    oracle: str
    graphs: GraphClass
    where: Place = _where()


OfADynamicOracle: TypeAlias = Exact | Safe | NeverStuck


@dataclass(frozen=True, slots=True)
class ArcDecomposable:
    """`arc-decomposable on projective trees`: if each of some gold arcs can still be built, so can all of them
    together.
    """

    graphs: GraphClass
    where: Place = _where()


Statement: TypeAlias = (
    Sound
    | CompleteFor
    | Terminates
    | LengthBound
    | CountBound
    | SpaceBound
    | Incremental
    | NoDeadEnds
    | Unambiguous
    | SameTransitions
    | SameOutputs
    | Exact
    | Safe
    | NeverStuck
    | ArcDecomposable
)

BARE_STATEMENTS: Final[dict[str, type[Bare]]] = {
    kind.words.replace(" ", "_"): kind for kind in get_args(Statement) if issubclass(kind, Bare)
}
"""The claims that are a single phrase, by their rules in the grammar."""


Witness: TypeAlias = tuple[int, ...] | tuple[tuple[int, int], ...]
"""A graph given by the heads of its words, or by its arcs, each a head and a dependent."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement, its negation (`not …`), or one that was published and is false (`published …, refuted`).

    A claim that something is not complete may name a `witness` as a list of heads, `not complete trees, witness
    2,3,5,0,4,0,1`, or of a class of graphs by its arcs, `witness 0>1 2>1`: a graph of the class that is claimed not to
    be an output, so that no smaller sentences need to be searched.
    """

    statement: Statement
    kind: Literal["plain", "negated", "refuted"] = "plain"
    witness: Witness | None = None
    where: Place = _where()


# --- what helps to prove them ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OracleInvariant:
    """`invariant of eager: all i in σ: complete(i)`: what holds in every configuration along the oracle's run to a gold
    graph.

    The gold graphs are those of the classes for which the figure claims to be complete.
    """

    oracle: str
    condition: Condition
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class GivenMeasure:
    """`measure V = 2|β| + |σ|`: a function of the sizes that decreases along every run, for termination and bounds on
    lengths.
    """

    name: str
    term: Term
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class GivenLemma:
    """`lemma "title" for X: forall x: … using "…"`: a lemma in the language of lemma files, where components go by
    their names.
    """

    text: str
    """One line without the word `lemma`."""
    where: Place = _where()
    written: str = field(default="", compare=False, repr=False)
    """The text as it appears in the file, with its line breaks and preceded by as many line breaks as come before it,
    so that mistakes are reported at the right place.
    """


Help: TypeAlias = OracleInvariant | GivenMeasure | GivenLemma


# --- the whole figure ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ParameterDeclaration:
    """`parameter d = ∞`, with its default."""

    name: str
    default: Number | Infinity
    where: Place = _where()


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: the content of one file."""

    name: str
    cite: str
    notes: tuple[str, ...]
    parameters: tuple[ParameterDeclaration, ...]
    shared: bool
    state: tuple[Component, ...]
    start: tuple[StartValue, ...]
    final: tuple[Condition, ...]
    rules: tuple[Rule, ...]
    default: str | None
    oracles: tuple[Oracle, ...]
    claims: tuple[Claim, ...]
    invariants: tuple[Condition, ...] = ()
    oracle_invariants: tuple[OracleInvariant, ...] = ()
    measures: tuple[GivenMeasure, ...] = ()
    lemmas: tuple[GivenLemma, ...] = ()
    dynamic_oracles: tuple[DynamicOracle, ...] = ()
    several_heads: bool = False
    rootless: bool = False
    """`root none`: node 0 takes no part in runs, and words without a head count as its dependents."""

    @property
    def uses_root(self) -> bool:
        """Whether node 0 takes part in runs: it is in `start`, or a transition adds an arc from it."""
        return takes_part(0, self.start, self.effects)

    @property
    def forgets_root(self) -> bool:
        """Whether node 0 takes no part in runs and the figure does not say what that means."""
        return not self.uses_root and not self.rootless

    @property
    def labels_arcs(self) -> bool:
        """Whether transitions give arcs labels."""
        return any(isinstance(effect, AddArc) and effect.label is not None for effect in self.effects)

    @property
    def assigns_tags(self) -> bool:
        """Whether transitions give words their tags."""
        return any(isinstance(effect, TagNode) for effect in self.effects)

    @property
    def helps(self) -> tuple[Help, ...]:
        """Everything that is given to help prove the claims."""
        return (*self.oracle_invariants, *self.measures, *self.lemmas)

    @property
    def effects(self) -> "Iterator[Effect]":
        """What the transitions do to the arcs and tags."""
        return (effect for rule in self.rules for effect in rule.effects)

    def transitions(self) -> dict[str, tuple[Rule, ...]]:
        """The rules by name, in the order of the figure."""
        grouped: dict[str, tuple[Rule, ...]] = {}
        for rule in self.rules:
            grouped[rule.name] = (*grouped.get(rule.name, ()), rule)
        return grouped


def takes_part(node: int, start: Sequence[StartValue], effects: Iterable[Effect]) -> bool:
    """Whether a numbered node begins a range in `start`, or is the head of an arc that a transition adds."""
    starts = any(isinstance(part, NodeRange) and part.first == node for part in walk(tuple(start)))
    return starts or any(isinstance(effect, AddArc) and effect.head == Number(node) for effect in effects)


def line_of(figure: Figure, rule: Rule) -> int | None:
    """The line number of a case of a transition; None if its name identifies it, or if it was not read from a file."""
    if sum(other.name == rule.name for other in figure.rules) == 1:
        return None
    return rule.where.line or None


def choice_segments(sequence: SequenceOf, head: Side) -> tuple[str, ...]:
    """The segments of a pattern whose lengths are chosen, from the head on; this leaves out the rest."""
    names = [item.name for item in sequence.items if isinstance(item, Segment)]
    if head == "right":
        names.reverse()
    return tuple(names[:-1])


def choices(rule: Rule, state: Sequence[Component]) -> list[tuple[int, str]]:
    """The segments whose lengths a transition chooses: index of the component and name, in order."""
    return [
        (index, name)
        for index, (component, pattern) in enumerate(zip(state, rule.before, strict=True))
        if isinstance(component, SequenceComponent) and isinstance(pattern, SequenceOf)
        for name in choice_segments(pattern, component.head)
    ]


def references(node: object) -> Iterator[str]:
    """The other systems that claims name."""
    return (part.system for part in walk(node) if isinstance(part, SameTransitions | SameOutputs))


def walk(node: object) -> Iterator[object]:
    """The node and everything below it, in the order of the fields."""
    todo = [node]
    while todo:
        part = todo.pop()
        yield part
        below = part if isinstance(part, tuple) else [getattr(part, name) for name in _fields_of(type(part))]
        todo.extend(reversed(below))


_FIELDS: Final[dict[type, tuple[str, ...]]] = {}


def _fields_of(kind: type) -> tuple[str, ...]:
    if kind not in _FIELDS:
        names = [part.name for part in fields(kind)] if is_dataclass(kind) else []
        _FIELDS[kind] = tuple(name for name in names if name != "where")
    return _FIELDS[kind]


def transformed(node: T, change: Callable[[object], object]) -> T:
    """The tree with every node replaced by what the function returns for it, parts before the whole; `where` stays."""
    if isinstance(node, tuple):
        return tuple([transformed(part, change) for part in node])  # type: ignore[return-value]
    parts = {name: transformed(getattr(node, name), change) for name in _fields_of(type(node))}
    is_same = all(part is getattr(node, name) for name, part in parts.items())
    return change(node if is_same else replace(node, **parts))  # type: ignore[return-value, type-var]


def variants(
    node: T, alternatives: Callable[[object], Iterator[object]], is_whole: Callable[[object], bool] = lambda _: False
) -> Iterator[T]:
    """Yield the tree with exactly one of its nodes replaced by one of its alternatives, in every way; what is below a
    node that counts as a whole stays.
    """
    yield from alternatives(node)  # type: ignore[misc]
    if is_whole(node):
        return
    if isinstance(node, tuple):
        for k, part in enumerate(node):
            for changed in variants(part, alternatives, is_whole):
                yield (*node[:k], changed, *node[k + 1 :])  # type: ignore[misc]
    for name in _fields_of(type(node)):
        for changed in variants(getattr(node, name), alternatives, is_whole):
            yield replace(node, **{name: changed})  # type: ignore[type-var]

"""Resolve the names, sequences, terms and conditions of a statement; report those that do not resolve.

The place of a name determines what it means: in the pattern of a sequence a Latin name is a node, a Greek name or the
name of a component a run of nodes; in the place of a flag, counter or set it takes that value; elsewhere it must have
been bound.
"""

from collections.abc import Iterable
from dataclasses import field
from typing import Final, Literal, TypeAlias, cast

from lark import Token, Tree

from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.suggestions import perhaps
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import Diagnostic, Place
from arcproof.transitions.gold import GOLD_FUNCTIONS
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.reading.spelling import canonical, is_greek

Kind: TypeAlias = Literal["node", "sequence", "flag", "counter", "set"]
Branch: TypeAlias = Tree[Token]

RESERVED: Final = {
    "n": "stands for the number of words", "A": "stands for the set of arcs", "G": "stands for the gold graph",
    "inf": "stands for ∞", "true": "is the value of a flag", "false": "is the value of a flag",
    **dict.fromkeys(
        ("exists", "all", "and", "or", "not", "no", "in", "if", "add", "remove", "gold"), "is a word of the language"
    ),
}  # fmt: skip
NODE_CONDITIONS: Final = ("head", "dependent", "complete")
"""Functions of a node that are conditions."""
NODE_FUNCTIONS: Final = ("degree", *GOLD_FUNCTIONS)
"""Functions of nodes that have a value."""
GREATEST_NUMBER: Final = 1_000_000
RELATIONS: Final[dict[str, s.Relation]] = {
    "=": "=", "!=": "!=", "≠": "!=", "<=": "<=", "≤": "<=", ">=": ">=", "≥": ">=", "<": "<", ">": ">",
}  # fmt: skip


@dataclass(slots=True)
class Problems:
    """Collects diagnostics: mistakes in `found`, and acceptable oddities in `warnings`."""

    found: list[Diagnostic] = field(default_factory=list)
    warnings: list[Diagnostic] = field(default_factory=list)

    def add(self, where: Place, message: str, hint: str) -> None:
        """Report one problem and continue."""
        self.found.append(Diagnostic(where, message, hint))

    def warn(self, where: Place, message: str, hint: str) -> None:
        """Report something that is allowed but probably not intended."""
        self.warnings.append(Diagnostic(where, message, hint, "warning"))

    def unused(self, where: Place, name: str, hint: str, in_oracle: bool) -> None:
        """Report a name that is bound but never used: a warning in an oracle, an error elsewhere."""
        (self.warn if in_oracle else self.add)(where, f"{name} is not used", hint)


@dataclass(slots=True)
class Scope:
    """The names that a rule, an oracle line or `final` may use, and those it has used.

    In a target, a condition given from outside, nodes may be named by number, and transitions are counted.
    """

    bound: dict[str, Kind] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    owner: str = ""
    label: str | None = None
    arrow_labels: set[str] = field(default_factory=set)
    in_oracle: bool = False
    in_final: bool = False
    in_target: bool = False
    in_measure: bool = False
    in_costs: bool = False
    carries_label: bool = True
    counts_arcs: bool = False
    transitions: tuple[str, ...] = ()
    has_pattern: bool = True

    def names(self, *kinds: Kind) -> str:
        """The bound names of these kinds, as text for a hint."""
        return ", ".join(name for name, kind in self.bound.items() if kind in kinds)

    def binding_hint(self, *kinds: Kind) -> str:
        """A hint for a name that is not bound: what it could have been."""
        if not self.has_pattern:
            return "the line has no pattern that binds it"
        return f"the pattern binds {self.names(*kinds) or f'no {kinds[0]}'}"


def place_of(part: Branch | Token) -> Place:
    """The place of a part of a statement; if it spans several lines, only the first counts."""
    if isinstance(part, Token):
        line, column = part.line or 1, part.column or 1
        return Place(line, column, column + len(part))
    meta = part.meta
    if meta.empty:
        return Place(1, 1, 2)
    end = meta.end_column if meta.end_line == meta.line else meta.column + 1
    return Place(meta.line, meta.column, end)


def kind_of(component: s.Component) -> Kind:
    """The kind of thing that a name stands for in the place of this component."""
    return component.kind if isinstance(component, s.ValueComponent) else "sequence"


def all_of(conditions: tuple[s.Condition, ...], where: Place) -> s.Condition:
    """One condition for several: their conjunction."""
    return conditions[0] if len(conditions) == 1 else s.And(conditions, where)


def _is_numeric(tree: Branch) -> bool:
    return tree.data in ("size", "sum", "infinity", "count") or (tree.data == "call" and tree.children[0] == "degree")


def items_of(tree: Branch) -> list[Token]:
    """The names, holes and numbers of a sequence."""
    return [part for part in _tokens(tree.children) if part.type in ("NAME", "HOLE", "NUMBER")]


def _tokens(parts: Iterable[object]) -> list[Token]:
    return [part for part in parts if isinstance(part, Token)]


def token_of(part: object) -> Token:
    """The part, which must be a token."""
    assert isinstance(part, Token)
    return part


def branch(part: object) -> Branch:
    """The part, which must be a tree."""
    assert isinstance(part, Tree)
    return part


class Expressions:
    """Builds what rules, oracles, `final` and claims have in common; a part that cannot be built is None."""

    def __init__(self, problems: Problems) -> None:
        """Start with nothing declared."""
        self.problems = problems
        self.parameters: list[s.ParameterDeclaration] = []
        self.used_parameters: set[str] = set()
        self.state: list[s.Component] = []
        self.unread: set[str] = set()
        self.several_heads = False

    def _component(self, name: str) -> s.Component | None:
        return next((component for component in self.state if component.name == name), None)

    def state_hint(self) -> str:
        """The declared state, as text for a hint."""
        return "the state is " + ", ".join(f"{component.kind} {component.name}" for component in self.state)

    def reserved(self, name: str, where: Place) -> None:
        """Report that a name already stands for something else."""
        self.problems.add(where, f"`{name}` is reserved", f"it {RESERVED[name]}; use another name")

    def bind(self, token: Token, kind: Kind, scope: Scope) -> str:
        """Give a name its kind in this scope, and return its canonical spelling."""
        name, where = canonical(token), place_of(token)
        if name in RESERVED:
            self.reserved(name, where)
        elif name in scope.places:
            self.problems.add(where, f"{name} is bound twice", "every name stands for one thing; use another name")
        elif any(name == parameter.name for parameter in self.parameters):
            self.problems.add(where, f"{name} is a parameter", "use another name for the variable")
        scope.bound[name] = kind
        scope.places[name] = where
        return name

    def names_sequence(self, token: Token) -> bool:
        """Whether a name in a sequence stands for a run of nodes."""
        name = canonical(token)
        component = self._component(name)
        return isinstance(component, s.SequenceComponent) or (component is None and is_greek(name))

    def bind_item(self, token: Token, scope: Scope) -> s.Item:
        """A name, a hole or 0 in the pattern of a sequence."""
        where = place_of(token)
        if token.type == "HOLE":
            return s.Cell("_", where)
        if token.type == "NUMBER":
            return self._bind_root(token, scope)
        component = self._component(canonical(token))
        if isinstance(component, s.ValueComponent):
            self.problems.add(
                where,
                f"{component.name} is a {component.kind}",
                "a sequence is made of nodes and runs of nodes; use another name",
            )
            scope.bound.setdefault(component.name, "node")
            scope.used.add(component.name)
            return s.Cell(component.name, where)
        if self.names_sequence(token):
            return s.Segment(self.bind(token, "sequence", scope), where)
        return s.Cell(self.bind(token, "node", scope), where)

    def _bind_root(self, token: Token, scope: Scope) -> s.Item:
        """0 in the pattern of a sequence; it can be used like a name, but need not be."""
        where = place_of(token)
        self.node_token(token, scope)
        if s.ROOT_CELL in scope.bound:
            self.problems.add(where, "0 is in the pattern twice", "write it once; a second node is called j, if j = 0")
        scope.bound[s.ROOT_CELL] = "node"
        scope.places[s.ROOT_CELL] = where
        scope.used.add(s.ROOT_CELL)
        return s.Cell(s.ROOT_CELL, where)

    def use_sequence(self, tree: Branch, scope: Scope) -> s.SequenceOf | None:
        """An expression over bound names, such as `λ1·λ2|i`."""
        items: list[s.Item] = []
        complete = True
        for token in items_of(tree):
            where = place_of(token)
            if token.type == "HOLE":
                self.problems.add(where, "`_` has no value here", "name the node before => and write its name")
                complete = False
                continue
            if token.type == "NUMBER" and token not in scope.bound:
                self._not_taken(token, scope)
                complete = False
                continue
            segment = self.names_sequence(token)
            name = self.use_name(token, "sequence" if segment else "node", scope)
            complete = complete and name is not None
            if name is not None:
                items.append(s.Segment(name, where) if segment else s.Cell(name, where))
        return s.SequenceOf(tuple(items), place_of(tree)) if complete else None

    def _not_taken(self, token: Token, scope: Scope) -> None:
        """Report a number in a sequence that no pattern contains."""
        if self.node_token(token, scope) == s.Number(0):
            hint = "a sequence is made of what the pattern takes; write [0] or 0|σ there"
            self.problems.add(place_of(token), "0 is not in the pattern", hint)

    def use_name(self, token: Token, kind: Kind, scope: Scope) -> str | None:
        """The canonical spelling of a bound name of this kind, or None."""
        name, where = canonical(token), place_of(token)
        if name not in scope.bound:
            if scope.in_final:
                self.problems.add(where, f"unknown component {name}", self.state_hint())
            else:
                self.problems.add(where, f"{name} is not bound", scope.binding_hint(kind))
            return None
        scope.used.add(name)
        if scope.bound[name] == kind:
            return name
        hint = f"a {kind} is expected here" + (f": {scope.names(kind)}" if scope.names(kind) else "")
        if kind == "node" and is_greek(name):
            hint += "; a Greek name stands for a run of nodes, a node has a Latin name"
        self.problems.add(where, f"{name} is a {scope.bound[name]}, not a {kind}", hint)
        return None

    def literal(self, tree: Branch) -> s.LiteralSequence:
        """`[0]`, `[1..n]`."""
        ranges = tuple(self._range(branch(part)) for part in tree.children if part is not None)
        return s.LiteralSequence(ranges, place_of(tree))

    def _range(self, tree: Branch) -> s.NodeRange:
        first, where = self.number(token_of(tree.children[0])).value, place_of(tree)
        last = tree.children[1]
        if last is None:
            return s.NodeRange(first, first, where)
        token = token_of(last)
        if token.type == "NUMBER":
            return s.NodeRange(first, self.number(token).value, where)
        if token != "n":
            self.problems.add(
                place_of(token), f"the range ends at `{token}`", "a range ends at a number or at n, as in 1..n"
            )
        return s.NodeRange(first, None, where)

    def arrow_label(self, arrow: Token) -> str | None:
        """The label of an arrow `-l->`; None for an arrow without a label."""
        if arrow.type != "LABELLED_ARC":
            return None
        return canonical(arrow.replace("→", "").replace("->", "").strip("- \t"))

    def use_label(self, label: str, arrow: Token, scope: Scope) -> None:
        """Check the label that an arrow or a tag carries against the label declared with the transition."""
        scope.arrow_labels.add(label)
        if not scope.carries_label:
            self.problems.add(
                place_of(arrow),
                f"{scope.owner.removeprefix('cost ')} carries no label",
                "write gold i -> j, for any label",
            )
            return
        if scope.label is None:
            hint = f"declare it: {scope.owner}({label})"
            scope.label = label
        else:
            form = scope.label if arrow.type == "NAME" else f"-{scope.label}->"
            hint = f"the label of {scope.owner} is {scope.label}: write {form}"
        if label != scope.label or hint.startswith("declare"):
            self.problems.add(place_of(arrow), f"the label {label} is not declared", hint)

    def conditions(self, tree: object, scope: Scope, top: bool = True) -> tuple[s.Condition, ...]:
        """The conditions of an `if` part; those that cannot be built are left out."""
        if tree is None:
            return ()
        built = [self._condition(branch(part), scope, top) for part in branch(tree).children]
        return tuple(condition for condition in built if condition is not None)

    def _condition(self, tree: Branch, scope: Scope, top: bool = False) -> s.Condition | None:
        where = place_of(tree)
        parts = tree.children
        match tree.data:
            case "conditions":
                conditions = self.conditions(tree, scope, top and len(parts) == 1)
                return all_of(conditions, where) if conditions else None
            case "disjunction" | "conjunction":
                built = [self._condition(branch(part), scope) for part in parts if isinstance(part, Tree)]
                known = tuple(part for part in built if part is not None)
                if len(known) != len(built):
                    return None
                return s.Or(known, where) if tree.data == "disjunction" else s.And(known, where)
            case "negated":
                body = self._condition(branch(parts[1]), scope)
                return None if body is None else s.Not(body, where)
            case "quantified":
                return self._quantified(tree, scope)
            case "comparison":
                return self._comparison(tree, scope)
            case "flag":
                return self._flag(branch(parts[0]), scope)
            case "member":
                return self._member(tree, parts[2], scope)
            case "not_member":
                inner = self._member(tree, parts[3], scope)
                return None if inner is None else s.Not(inner, where)
            case "gold_arc":
                return self._gold_arc(tree, scope, top)
            case "gold_head_in":
                return self._gold_head_in(tree, scope)
            case "gold_tag":
                return self._gold_tag(tree, scope, top)
            case _:
                return self._between_nodes(tree, scope)

    def _between_nodes(self, tree: Branch, scope: Scope) -> s.Condition | None:
        first, sign, second = tree.children
        where = place_of(tree)
        left, right = self.node(first, scope), self.node(second, scope)
        if tree.data == "precedes":
            self._only_in_oracles(scope, where, "<G")
            self._only_of_single_heads(where, "<G", "the projective order is that of a tree")
        if left is None or right is None:
            return None
        match tree.data:
            case "reaches":
                return s.Reaches(left, right, where)
            case "connected":
                return s.Connected(left, right, where)
            case "precedes":
                return s.Precedes(left, right, where)
            case "has_arc":
                if self.arrow_label(token_of(sign)) is not None:
                    gold = "; the gold arc is written gold i -l-> j" if scope.in_oracle else ""
                    self.problems.add(
                        where, "a label in a condition", f"labels never guard a transition; write i -> j{gold}"
                    )
                return s.HasArc(left, right, where)
        raise AssertionError(tree.data)

    def _only_in_oracles(self, scope: Scope, where: Place, what: str) -> None:
        if not scope.in_oracle:
            self.problems.add(
                where,
                f"`{what}` refers to the gold graph outside an oracle",
                "leave it out" if scope.in_target else "a transition does not know the gold graph",
            )

    def _only_of_single_heads(self, where: Place, what: str, why: str) -> None:
        if self.several_heads:
            hint = f"{why}, and a gold graph may be any graph here; ask for arcs, as in gold i -> j"
            self.problems.add(where, f"`{what}` in a figure with several heads", hint)

    def _quantified(self, tree: Branch, scope: Scope) -> s.Condition | None:
        quantifier, token, _, domain, body = tree.children
        where = place_of(tree)
        sequence = self.use_sequence(branch(domain), scope)
        outer, places = scope.bound.copy(), scope.places.copy()
        variable = self.bind(token_of(token), "node", scope)
        inner = self._condition(branch(body), scope)
        if variable not in scope.used:
            hint = f"the condition does not mention {variable}"
            self.problems.unused(place_of(token_of(token)), variable, hint, scope.in_oracle)
        if variable not in outer:
            scope.used.discard(variable)
        scope.bound, scope.places = outer, places
        if is_greek(variable):
            self.problems.add(
                place_of(token_of(token)), f"{variable} is a Greek name", "a node has a Latin name, such as k"
            )
        if sequence is None or inner is None:
            return None
        kind: Literal["exists", "all"] = "exists" if str(quantifier) in ("exists", "∃") else "all"
        return s.Quantified(kind, variable, sequence, inner, where)

    def _comparison(self, tree: Branch, scope: Scope) -> s.Condition | None:
        where = place_of(tree)
        operands = [branch(part) for part in tree.children[::2]]
        relations = tuple(RELATIONS[str(part)] for part in tree.children[1::2])
        if any(operand.data == "literal" for operand in operands):
            return self._sequence_is(operands, relations, scope, where)
        names = {canonical(token_of(part.children[0])) for part in operands if part.data == "name"}
        if any(name in ("true", "false") or scope.bound.get(name) == "flag" for name in names):
            scope.used.update(names)
            self.problems.add(where, "a flag cannot be compared", "a flag is a condition by itself: e, or not e")
            return None
        numeric = any(_is_numeric(part) for part in operands) or "counter" in map(scope.bound.get, names)
        terms = [self._term(operand, scope, numeric) for operand in operands]
        if any(term is None for term in terms):
            return None
        return s.Comparison(tuple(term for term in terms if term is not None), relations, where)

    def _sequence_is(
        self, operands: list[Branch], relations: tuple[s.Relation, ...], scope: Scope, where: Place
    ) -> s.Condition | None:
        relation = relations[0]
        simple = len(operands) == 2 and operands[0].data == "name" and operands[1].data == "literal"
        if not simple or (relation != "=" and relation != "!="):
            self.problems.add(where, "a sequence cannot be compared like this", "write σ = [0] or σ != []")
            return None
        name = self.use_name(token_of(operands[0].children[0]), "sequence", scope)
        value = self.literal(operands[1])
        return None if name is None else s.SequenceIs(name, relation, value, where)

    def _flag(self, tree: Branch, scope: Scope) -> s.Condition | None:
        where = place_of(tree)
        if tree.data == "name":
            return self._flag_name(token_of(tree.children[0]), scope)
        if tree.data != "call":
            example = "#SWAP = 2" if tree.data == "count" else "|σ| < 2"
            self.problems.add(where, "this is a number, not a condition", f"compare it, as in {example}")
            return None
        function, arguments = token_of(tree.children[0]), tree.children[1:]
        if str(function) not in NODE_CONDITIONS:
            self.problems.add(
                place_of(function),
                f"{function} is not a condition",
                "conditions are head(i) and dependent(i), in oracles also complete(i)",
            )
            return None
        node = self.node(arguments[0], scope)
        if len(arguments) != 1:
            self.problems.add(where, f"{function} takes one node", f"write {function}(i)")
        if function == "complete":
            self._only_in_oracles(scope, where, "complete")
        if node is None:
            return None
        if function == "head":
            return s.HasHead(node, where)
        return s.HasDependent(node, where) if function == "dependent" else s.Complete(node, where)

    def _flag_name(self, token: Token, scope: Scope) -> s.Condition | None:
        name, where = canonical(token), place_of(token)
        kind = scope.bound.get(name)
        if kind is not None and kind != "flag":
            scope.used.add(name)
            hint = {"node": f"write head({name}) or {name} != 0", "sequence": f"write {name} = [] or |{name}| < 2"}
            self.problems.add(where, f"{name} is a {kind}, not a condition", hint.get(kind, "compare it"))
            return None
        found = self.use_name(token, "flag", scope)
        return None if found is None else s.IsSet(found, where)

    def _member(self, tree: Branch, domain: object, scope: Scope) -> s.Condition | None:
        where = place_of(tree)
        node = self.node(tree.children[0], scope)
        tokens = items_of(branch(domain))
        if len(tokens) == 1 and scope.bound.get(canonical(tokens[0])) == "set":
            name = self.use_name(tokens[0], "set", scope)
            return None if node is None or name is None else s.InSet(node, name, where)
        sequence = self.use_sequence(branch(domain), scope)
        return None if node is None or sequence is None else s.InSequence(node, sequence, where)

    def _gold_arc(self, tree: Branch, scope: Scope, top: bool) -> s.Condition | None:
        head, arrow, dependent = tree.children
        where = place_of(tree)
        self._only_in_oracles(scope, where, "gold")
        label = self.arrow_label(token_of(arrow))
        if label is not None and scope.in_final:
            self.problems.add(where, "a label in a condition", "an invariant allows any label; write gold i -> j")
        elif label is not None and scope.in_oracle:
            if label == scope.label and not top and not scope.in_costs:
                self.problems.add(
                    place_of(token_of(arrow)),
                    f"the label {label} cannot be determined here",
                    "the labelled gold arc is a condition of its own, outside of not, or and parentheses",
                )
            self.use_label(label, token_of(arrow), scope)
        source, target = self.node(head, scope), self.node(dependent, scope)
        return None if source is None or target is None else s.GoldArc(source, target, label, where)

    def _gold_tag(self, tree: Branch, scope: Scope, top: bool) -> s.Condition | None:
        """`gold tag i p`: the source of the label of a tagging line."""
        operand, token = tree.children[0], token_of(tree.children[1])
        where, label = place_of(tree), canonical(token)
        self._only_in_oracles(scope, where, "gold")
        if scope.in_oracle and (scope.in_final or scope.in_costs or not top):
            hint = "it says where the label of an oracle line comes from, as a condition of its own"
            self.problems.add(where, "a gold tag excludes nothing", hint)
        elif scope.in_oracle:
            self.use_label(label, token, scope)
        node = self.node(operand, scope)
        if node == s.Number(0):
            self.problems.add(where, "0 has no tag", "name the word that the transition tags")
        return None if node is None else s.GoldTag(node, label, where)

    def _gold_head_in(self, tree: Branch, scope: Scope) -> s.Condition | None:
        """`gold head(i) in β`: some node of the sequence is the gold head."""
        call, _, domain = tree.children
        where = place_of(tree)
        asked = branch(call)
        if asked.data != "call" or asked.children[0] != "head" or len(asked.children) != 2:
            self.problems.add(place_of(asked), "only the gold head is a node", "write gold head(i) in β")
            return None
        if not scope.in_costs:
            hint = "write exists k in β: gold k -> i"
            self.problems.add(where, "`gold head(i) in β` belongs to the costs of a dynamic oracle", hint)
        node, sequence = self.node(asked.children[1], scope), self.use_sequence(branch(domain), scope)
        if node is None or sequence is None:
            return None
        body = s.GoldArc(s.Variable(s.GOLD_HEAD, where), node, None, where)
        return s.Quantified("exists", s.GOLD_HEAD, sequence, body, where)

    def number(self, token: Token) -> s.Number:
        """A number of reasonable size."""
        if len(token) > len(str(GREATEST_NUMBER)) or int(token) > GREATEST_NUMBER:
            self.problems.add(place_of(token), "the number is too large", f"numbers go up to {GREATEST_NUMBER}")
            return s.Number(GREATEST_NUMBER, place_of(token))
        return s.Number(int(token), place_of(token))

    def node(self, part: object, scope: Scope) -> s.Node | None:
        """A node given by name, or 0."""
        tree = branch(part)
        if tree.data in ("name", "number"):
            return self.node_token(token_of(tree.children[0]), scope)
        self.problems.add(
            place_of(tree), "a node is expected here", f"write the name of a node, such as {scope.names('node') or 'i'}"
        )
        return None

    def node_token(self, token: Token, scope: Scope) -> s.Node | None:
        """The node that a token names, as for `node`."""
        if token.type == "NUMBER":
            number = self.number(token)
            if number.value != 0 and not scope.in_target:
                self.problems.add(
                    place_of(token), f"{token} is not a node of every sentence", "the only fixed node is 0"
                )
            return number
        name = self.use_name(token, "node", scope)
        return None if name is None else s.Variable(name, place_of(token))

    def _term(self, tree: Branch, scope: Scope, numeric: bool) -> s.Term | None:
        where = place_of(tree)
        match tree.data:
            case "number":
                return self.number(token_of(tree.children[0]))
            case "infinity":
                return s.Infinity(where)
            case "name":
                return self.name_term(token_of(tree.children[0]), scope, numeric)
            case "size":
                return self.size(tree, scope)
            case "call":
                return self._call(tree, scope)
            case "count":
                return self._count(token_of(tree.children[0]), scope)
            case "sum":
                left = self._term(branch(tree.children[0]), scope, numeric)
                right = self._term(branch(tree.children[2]), scope, numeric)
                sign = cast(s.Operator, str(tree.children[1]))
                return None if left is None or right is None else s.Arithmetic(sign, left, right, where)
        raise AssertionError(tree.data)

    def size(self, tree: Branch, scope: Scope) -> s.Term | None:
        """The length of a sequence, or the number of arcs."""
        token, where = token_of(tree.children[1]), place_of(tree)
        if token == "A" and scope.counts_arcs:
            return s.ArcCount(where)
        if token == "A":
            hint = "only `measure` and `invariant of` may use it; |σ| is the length of a sequence"
            self.problems.add(where, "the number of arcs is not known here", hint)
            return None
        name = self.use_name(token, "sequence", scope)
        return None if name is None else s.Size(name, where)

    def _count(self, token: Token, scope: Scope) -> s.Count | None:
        """The number of times that a transition occurs in the run to a configuration."""
        name = token.removeprefix("#")
        if not scope.in_target:
            self.problems.add(
                place_of(token),
                f"`{token}` refers to the run",
                "a condition is about one configuration; claims count transitions",
            )
            return None
        if name not in scope.transitions:
            hint = f"its transitions are {', '.join(scope.transitions)}{perhaps(name, scope.transitions)}"
            self.problems.add(place_of(token), f"the figure has no transition {name}", hint)
            return None
        return s.Count(name, place_of(token))

    def name_term(self, token: Token, scope: Scope, numeric: bool) -> s.Term:
        """A name as a term: node, counter, n or parameter."""
        name, where = canonical(token), place_of(token)
        kind = scope.bound.get(name)
        if kind == "node":
            scope.used.add(name)
            return s.Variable(name, where)
        if kind == "counter":
            scope.used.add(name)
            return s.CounterVariable(name, where)
        if kind == "flag" and scope.in_measure:
            return s.FlagValue(name, where)
        if kind is not None:
            scope.used.add(name)
            hint = {
                "sequence": f"|{name}| is its length; a sequence is compared with nodes, as in {name} = [0]",
                "set": f"write i in {name}, or i not in {name}",
            }
            self.problems.add(where, f"{name} is a {kind}, not a number", hint.get(kind, "a number is expected here"))
            return s.Number(0, where)
        if name == "n":
            return s.Words(where)
        if any(parameter.name == name for parameter in self.parameters):
            self.used_parameters.add(name)
            return s.Parameter(name, where)
        self._unknown_term(name, where, scope, numeric)
        return s.Number(0, where)

    def _unknown_term(self, name: str, where: Place, scope: Scope, numeric: bool) -> None:
        if numeric:
            if "parameter" in self.unread:
                return
            declared = ", ".join(parameter.name for parameter in self.parameters) or "none"
            self.problems.add(
                where,
                f"the parameter {name} is not declared",
                f"declare it: parameter {name} = 1 (declared: {declared})",
            )
        elif scope.in_final:
            self.problems.add(where, f"unknown component {name}", self.state_hint())
        else:
            self.problems.add(where, f"{name} is not bound", scope.binding_hint("node", "counter"))

    def _call(self, tree: Branch, scope: Scope) -> s.Term | None:
        function, arguments = token_of(tree.children[0]), tree.children[1:]
        where = place_of(tree)
        forms = {"degree": "degree(i, j)", **{name: f"{name}(i)" for name in GOLD_FUNCTIONS}}
        if str(function) not in forms:
            first, *others = forms.values()
            hint = f"functions with a value are {first}, in oracles also {', '.join(others)}"
            self.problems.add(place_of(function), f"unknown function {function}", hint)
            return None
        wanted = 2 if function == "degree" else 1
        nodes = [self.node(argument, scope) for argument in arguments]
        if len(nodes) != wanted:
            self.problems.add(where, f"{function} takes {counted(wanted, 'node')}", f"write {forms[function]}")
            return None
        if function != "degree":
            self._only_in_oracles(scope, where, str(function))
            self._only_of_single_heads(where, str(function), "its components are those of a tree")
        known_nodes = [node for node in nodes if node is not None]
        if len(known_nodes) != wanted:
            return None
        if function == "degree":
            return s.Degree(known_nodes[0], known_nodes[1], where)
        return s.GoldFunction(str(function), known_nodes[0], where)

"""From statements to the syntax tree: names are resolved here, and what does not resolve is reported.

A name means what its place says: in the pattern of a sequence a Latin name is a node, a Greek name or the name of a
component a run of nodes; in the place of a flag, counter or set it takes that value; elsewhere it must have been bound.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, cast

from lark import Token, Tree

from arcproof.transitions import syntax as s
from arcproof.transitions.errors import Diagnostic, Place
from arcproof.transitions.spelling import canonical, is_greek
from arcproof.transitions.statements import FORMS, Statement
from arcproof.transitions.vocabulary import ADJECTIVES, MEASURES

Kind: TypeAlias = Literal["node", "sequence", "flag", "counter", "set"]
Branch: TypeAlias = Tree[Token]

GOLD_FUNCTION_NAMES: Final = ("mpc",)
RESERVED: Final = {"n": "the number of words", "A": "the set of arcs", "G": "the gold graph"}
GREATEST_NUMBER: Final = 1_000_000
_RELATIONS: Final[dict[str, s.Relation]] = {
    "=": "=", "!=": "!=", "≠": "!=", "<=": "<=", "≤": "<=", ">=": ">=", "≥": ">=", "<": "<", ">": ">",
}  # fmt: skip


@dataclass(slots=True)
class Problems:
    """Collects diagnostics."""

    found: list[Diagnostic] = field(default_factory=list)

    def add(self, where: Place, message: str, hint: str) -> None:
        """Report one problem and go on."""
        self.found.append(Diagnostic(where, message, hint))


@dataclass(slots=True)
class Scope:
    """The names that a rule, an oracle line or `final` may use, and which of them it did use."""

    bound: dict[str, Kind] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    label: str | None = None
    in_oracle: bool = False
    in_final: bool = False

    def names(self, *kinds: Kind) -> str:
        """The bound names of these kinds, for a hint."""
        return ", ".join(name for name, kind in self.bound.items() if kind in kinds) or "none"


def place_of(part: Branch | Token) -> Place:
    """Where a part of a statement stands; of several lines only the first counts."""
    if isinstance(part, Token):
        line, column = part.line or 1, part.column or 1
        return Place(line, column, column + len(part))
    meta = part.meta
    if meta.empty:
        return Place(1, 1, 2)
    end = meta.end_column if meta.end_line == meta.line else meta.column + 1
    return Place(meta.line, meta.column, end)


class Builder:
    """Builds one figure; problems are collected, and a part that cannot be built is left out."""

    def __init__(self, problems: Problems) -> None:
        """Start with nothing declared."""
        self.problems = problems
        self.name = ""
        self.cite = ""
        self.notes: list[str] = []
        self.parameters: list[s.ParameterDeclaration] = []
        self.used_parameters: set[str] = set()
        self.shared = False
        self.state: list[s.Component] = []
        self.start: tuple[s.StartValue, ...] | None = None
        self.final: tuple[s.Condition, ...] | None = None
        self.rules: list[s.Rule] = []
        self.default: tuple[str, Place] | None = None
        self.oracles: list[s.Oracle] = []
        self.claims: list[s.Claim] = []
        self.attempted: set[str] = set()
        self.attempted_rules: set[str] = set()
        self._seen: dict[str, Place] = {}

    # --- statements, in two passes: declarations first, so that their order in the file does not matter ---------------

    def build(self, statements: Sequence[Statement], unreadable: Collection[str]) -> None:
        """Read declarations first, then everything that uses them; `unreadable` statements were there, but not as such."""
        self.attempted = {*unreadable, *(statement.rule for statement in statements)}
        self.attempted_rules = {str(statement.tree.children[0]) for statement in statements if statement.rule == "rule"}
        declarations = ("system", "cite", "note", "parameter", "shared", "state")
        for statement in statements:
            if statement.rule in declarations:
                self._declaration(statement)
        oracle: s.Oracle | None = None
        for statement in statements:
            if statement.rule == "oracle":
                oracle = self._oracle(statement)
            elif statement.rule == "oracle_line":
                line = self._oracle_line(statement.tree)
                if oracle is not None and line is not None:
                    oracle = s.Oracle(oracle.name, (*oracle.lines, line), oracle.where)
                    self.oracles[-1] = oracle
            elif statement.rule not in (*declarations, "claim"):
                self._use(statement)
        for statement in statements:
            if statement.rule == "claim":
                self._use(statement)

    def _once(self, statement: Statement) -> bool:
        earlier = self._seen.setdefault(statement.rule, statement.where)
        if earlier is statement.where:
            return True
        self.problems.add(
            statement.where,
            f"`{statement.rule}` is given twice",
            f"line {earlier.line} has it already; a figure has one",
        )
        return False

    def _declaration(self, statement: Statement) -> None:
        tree = statement.tree
        match statement.rule:
            case "system" if self._once(statement):
                self.name = str(tree.children[0])
            case "cite" if self._once(statement):
                self.cite = str(tree.children[0]).strip('"')
            case "note":
                self.notes.append(str(tree.children[0]).strip('"'))
            case "shared":
                self.shared = True
            case "parameter":
                self._parameter(tree)
            case "state" if self._once(statement):
                self._state(tree)

    def _use(self, statement: Statement) -> None:
        tree = statement.tree
        match statement.rule:
            case "start" if self._once(statement):
                self.start = self._start(tree)
            case "final" if self._once(statement):
                self.final = self._final(tree)
            case "default" if self._once(statement):
                token = _token(tree.children[0])
                self.default = (str(token), place_of(token))
            case "rule":
                rule = self._rule(tree)
                if rule is not None:
                    self.rules.append(rule)
            case "claim":
                claim = self._claim(tree)
                if claim is not None:
                    self.claims.append(claim)

    # --- declarations ------------------------------------------------------------------------------------------------

    def _parameter(self, tree: Branch) -> None:
        token, value = _token(tree.children[0]), _token(tree.children[1])
        name = canonical(token)
        if name in RESERVED:
            self._reserved(name, place_of(token))
        elif any(name == earlier.name for earlier in self.parameters):
            self.problems.add(place_of(token), f"the parameter {name} is declared twice", "declare it once")
        else:
            default = s.Infinity() if value.type == "INFINITY" else self._number(value)
            self.parameters.append(s.ParameterDeclaration(name, default, place_of(token)))

    def _reserved(self, name: str, where: Place) -> None:
        self.problems.add(where, f"`{name}` is not free", f"it stands for {RESERVED[name]}; use another name")

    def _state(self, tree: Branch) -> None:
        for part in tree.children:
            branch = _branch(part)
            kind, token = _token(branch.children[0]), _token(branch.children[1])
            name, where = canonical(token), place_of(token)
            if name in RESERVED:
                self._reserved(name, where)
            elif any(name == earlier.name for earlier in self.state):
                self.problems.add(where, f"the component {name} is declared twice", "give each component its own name")
            elif branch.data == "value_component":
                self.state.append(s.ValueComponent(cast(s.ValueKind, str(kind)), name, where))
            else:
                self._sequence_component(cast(s.SequenceKind, str(kind)), name, branch.children[2], where)

    def _sequence_component(self, kind: s.SequenceKind, name: str, side: object, where: Place) -> None:
        usual: dict[str, s.Side] = {"stack": "right", "buffer": "left"}
        head = cast(s.Side, str(side)) if side is not None else usual.get(kind)
        if head is None:
            self.problems.add(where, f"the list {name} has no head", f"say which end: list {name} head left, or head right")
            head = "right"
        self.state.append(s.SequenceComponent(kind, name, head, where))

    def _component(self, name: str) -> s.Component | None:
        return next((component for component in self.state if component.name == name), None)

    def _state_hint(self) -> str:
        return "the state is " + ", ".join(f"{component.kind} {component.name}" for component in self.state)

    # --- start and final ---------------------------------------------------------------------------------------------

    def _start(self, tree: Branch) -> tuple[s.StartValue, ...] | None:
        if not self._one_for_each(tree, "start gives"):
            return None
        values = []
        for component, part in zip(self.state, tree.children, strict=True):
            value = self._start_value(component, _branch(part))
            if value is None:
                return None
            values.append(value)
        return tuple(values)

    def _one_for_each(self, tree: Branch, what: str) -> bool:
        given, wanted = len(tree.children), len(self.state)
        if given == wanted:
            return True
        if self.state:
            values = "1 component" if given == 1 else f"{given} components"
            self.problems.add(
                place_of(tree), f"{what} {values}, the state has {wanted}", f"write all of them in order: {self._state_hint()}"
            )
        return False

    def _start_value(self, component: s.Component, part: Branch) -> s.StartValue | None:
        where = place_of(part)
        match component, part.data:
            case s.SequenceComponent(), "literal":
                return self._literal(part)
            case s.ValueComponent("flag"), "truth":
                return s.FlagLiteral(str(part.children[0]) == "true", where)
            case s.ValueComponent("counter"), "number":
                return s.CounterFrom(self._number(_token(part.children[0])), where)
            case s.ValueComponent("set"), "empty_set":
                return s.SetFrom(None, (), where)
        starts = {"flag": "true or false", "counter": "a number", "set": "{}"}
        wanted = starts.get(component.kind, "nodes in brackets, such as [0] or [1..n]")
        self.problems.add(where, f"this cannot be the start of the {component.kind} {component.name}", f"write {wanted}")
        return None

    def _literal(self, tree: Branch) -> s.LiteralSequence:
        ranges = tuple(self._range(_branch(part)) for part in tree.children if part is not None)
        return s.LiteralSequence(ranges, place_of(tree))

    def _range(self, tree: Branch) -> s.NodeRange:
        first, where = self._number(_token(tree.children[0])).value, place_of(tree)
        last = tree.children[1]
        if last is None:
            return s.NodeRange(first, first, where)
        token = _token(last)
        if token.type == "NUMBER":
            return s.NodeRange(first, self._number(token).value, where)
        if token != "n":
            self.problems.add(place_of(token), f"the range ends at `{token}`", "a range ends at a number or at n, as in 1..n")
        return s.NodeRange(first, None, where)

    def _final(self, tree: Branch) -> tuple[s.Condition, ...]:
        scope = Scope(in_final=True)
        for component in self.state:
            scope.bound[component.name] = _kind_of(component)
            scope.places[component.name] = component.where
        return self._conditions(tree.children[0], scope)

    # --- rules -------------------------------------------------------------------------------------------------------

    def _rule(self, tree: Branch) -> s.Rule | None:
        name, label, before, _, after, *rest = tree.children
        scope = Scope(label=self._label(label))
        patterns = self._patterns(_branch(before), scope, "the rule writes")
        if not self._one_for_each(_branch(after), "after => the rule writes") or patterns is None:
            return None
        updates = [
            self._update(component, _branch(part), scope)
            for component, part in zip(self.state, _branch(after).children, strict=True)
        ]
        effects = [self._effect(_branch(part), scope) for part in rest[:-1]]
        preconditions = self._conditions(rest[-1], scope)
        if scope.label is not None and not any(isinstance(e, s.AddArc) and e.label == scope.label for e in effects):
            self.problems.add(
                place_of(_branch(label)), f"the label {scope.label} is not used", f"use it: add i -{scope.label}-> j; or leave it out"
            )
        if any(update is None for update in updates) or any(effect is None for effect in effects):
            return None
        return s.Rule(
            str(name),
            scope.label,
            patterns,
            tuple(update for update in updates if update is not None),
            tuple(effect for effect in effects if effect is not None),
            preconditions,
            place_of(_token(name)),
        )

    def _label(self, tree: object) -> str | None:
        return None if tree is None else canonical(_token(_branch(tree).children[0]))

    def _patterns(self, tree: Branch, scope: Scope, what: str) -> tuple[s.Pattern, ...] | None:
        if not self._one_for_each(tree, what):
            return None
        patterns = [
            self._pattern(component, _branch(part), scope) for component, part in zip(self.state, tree.children, strict=True)
        ]
        if any(pattern is None for pattern in patterns):
            return None
        return tuple(pattern for pattern in patterns if pattern is not None)

    def _pattern(self, component: s.Component, part: Branch, scope: Scope) -> s.Pattern | None:
        where = place_of(part)
        match component, part.data:
            case s.SequenceComponent(), "sequence":
                return self._bind_sequence(part, scope)
            case s.ValueComponent("flag"), "truth":
                return s.FlagLiteral(str(part.children[0]) == "true", where)
            case s.ValueComponent("counter"), "number":
                return s.CounterFrom(self._number(_token(part.children[0])), where)
            case s.ValueComponent(), "sequence" if len(part.children) == 1 and part.children[0] is not None:
                token = _token(part.children[0])
                if token.type == "HOLE":
                    return s.AnyValue("_", where)
                return s.AnyValue(self._bind(token, _kind_of(component), scope), where)
        self._wrong_kind(component, where)
        return None

    def _wrong_kind(self, component: s.Component, where: Place) -> None:
        forms = {"flag": "true, false or a name", "counter": "a number or a name", "set": "a name"}
        wanted = forms.get(component.kind, "a sequence, such as σ|i")
        self.problems.add(where, f"{component.name} is a {component.kind}; this is something else", f"write {wanted} here")

    def _bind(self, token: Token, kind: Kind, scope: Scope) -> str:
        name, where = canonical(token), place_of(token)
        if name in RESERVED:
            self._reserved(name, where)
        elif name in scope.bound:
            self.problems.add(where, f"{name} is bound twice", "every name stands for one thing; use another name")
        elif any(name == parameter.name for parameter in self.parameters):
            self.problems.add(where, f"{name} is a parameter", "use another name for the variable")
        scope.bound[name] = kind
        scope.places[name] = where
        return name

    def _bind_sequence(self, tree: Branch, scope: Scope) -> s.SequenceOf:
        items: list[s.Item] = []
        for token in _items(tree):
            where = place_of(token)
            if token.type == "HOLE":
                items.append(s.Cell("_", where))
            elif self._names_sequence(token):
                items.append(s.Segment(self._bind(token, "sequence", scope), where))
            else:
                items.append(s.Cell(self._bind(token, "node", scope), where))
        return s.SequenceOf(tuple(items), place_of(tree))

    def _names_sequence(self, token: Token) -> bool:
        name = canonical(token)
        component = self._component(name)
        if isinstance(component, s.ValueComponent):
            self.problems.add(
                place_of(token), f"{name} is a {component.kind}, not a sequence", "a sequence is made of nodes and runs of nodes"
            )
        return is_greek(name) or isinstance(component, s.SequenceComponent)

    def _update(self, component: s.Component, part: Branch, scope: Scope) -> s.Update | None:
        where = place_of(part)
        match component, part.data:
            case s.SequenceComponent(), "sequence":
                return self._use_sequence(part, scope)
            case s.ValueComponent("flag"), "truth":
                return s.FlagLiteral(str(part.children[0]) == "true", where)
            case s.ValueComponent("flag"), "truth_of":
                return s.FlagFrom(_all_of(self._conditions(part.children[0], scope), where), where)
            case s.ValueComponent("counter"), "number":
                return s.CounterFrom(self._number(_token(part.children[0])), where)
            case s.ValueComponent("counter" | "set"), "changed":
                return self._changed(component, part, scope)
            case s.ValueComponent("set"), "empty_set":
                return s.SetFrom(None, (), where)
            case s.ValueComponent(), "sequence" if len(part.children) == 1 and part.children[0] is not None:
                return self._same_value(component, _token(part.children[0]), scope)
        self._wrong_kind(component, where)
        return None

    def _same_value(self, component: s.ValueComponent, token: Token, scope: Scope) -> s.Update | None:
        name = self._use_name(token, _kind_of(component), scope)
        if name is None:
            return None
        where = place_of(token)
        match component.kind:
            case "flag":
                return s.FlagFrom(s.IsSet(name, where), where)
            case "counter":
                return s.CounterFrom(s.CounterVariable(name, where), where)
            case "set":
                return s.SetFrom(name, (), where)

    def _changed(self, component: s.ValueComponent, part: Branch, scope: Scope) -> s.Update | None:
        first, *rest = [_token(child) for child in part.children]
        where = place_of(part)
        base = self._use_name(first, _kind_of(component), scope)
        if base is None:
            return None
        changes = [(cast(Literal["+", "-"], str(sign)), value) for sign, value in zip(rest[::2], rest[1::2], strict=True)]
        if component.kind == "set":
            nodes = [(sign, self._node_token(value, scope)) for sign, value in changes]
            return s.SetFrom(base, tuple((sign, node) for sign, node in nodes if node is not None), where)
        term: s.Term = s.CounterVariable(base, place_of(first))
        for sign, value in changes:
            term = s.Arithmetic(sign, term, self._counter_step(value, scope), where)
        return s.CounterFrom(term, where)

    def _counter_step(self, token: Token, scope: Scope) -> s.Term:
        if token.type == "NUMBER":
            return self._number(token)
        return self._name_term(token, scope, numeric=True)

    def _use_sequence(self, tree: Branch, scope: Scope) -> s.SequenceOf | None:
        items: list[s.Item] = []
        complete = True
        for token in _items(tree):
            where = place_of(token)
            if token.type == "HOLE":
                self.problems.add(where, "`_` has no value here", "name the node before => and write its name")
                complete = False
                continue
            segment = self._names_sequence(token)
            name = self._use_name(token, "sequence" if segment else "node", scope)
            complete = complete and name is not None
            if name is not None:
                items.append(s.Segment(name, where) if segment else s.Cell(name, where))
        return s.SequenceOf(tuple(items), place_of(tree)) if complete else None

    def _use_name(self, token: Token, kind: Kind, scope: Scope) -> str | None:
        name, where = canonical(token), place_of(token)
        if name not in scope.bound:
            if scope.in_final:
                self.problems.add(where, f"unknown component {name}", self._state_hint())
            else:
                self.problems.add(where, f"{name} is not bound", f"the pattern binds {scope.names(kind)}")
            return None
        scope.used.add(name)
        if scope.bound[name] != kind:
            self.problems.add(
                where, f"{name} is a {scope.bound[name]}, not a {kind}", f"a {kind} is wanted here: {scope.names(kind)}"
            )
            return None
        return name

    def _effect(self, tree: Branch, scope: Scope) -> s.Effect | None:
        where = place_of(tree)
        if tree.data == "remove_arcs":
            node = self._node(tree.children[1], scope)
            return None if node is None else s.RemoveArcs(node, where)
        head, arrow, dependent = tree.children
        source, target = self._node(head, scope), self._node(dependent, scope)
        label = self._arrow_label(_token(arrow))
        if label is not None and label != scope.label:
            self.problems.add(place_of(_token(arrow)), f"the label {label} is not declared", f"declare it: NAME({label})")
        if source is None or target is None:
            return None
        return s.AddArc(source, label, target, where)

    def _arrow_label(self, arrow: Token) -> str | None:
        if arrow.type != "LABELLED_ARC":
            return None
        return canonical(arrow.replace("→", "").replace("->", "").strip("- \t"))

    # --- oracles -----------------------------------------------------------------------------------------------------

    def _oracle(self, statement: Statement) -> s.Oracle | None:
        token = _token(statement.tree.children[0])
        if token == "none":
            return None
        if any(oracle.name == token for oracle in self.oracles):
            self.problems.add(place_of(token), f"there are two oracles named {token}", "give each its own name")
        oracle = s.Oracle(str(token), (), place_of(token))
        self.oracles.append(oracle)
        return oracle

    def _oracle_line(self, tree: Branch) -> s.OracleLine | None:
        name, label, pattern, conditions = tree.children
        scope = Scope(in_oracle=True, label=self._label(label))
        patterns = None
        if pattern is None:
            for component in self.state:
                scope.bound[component.name] = _kind_of(component)
        else:
            patterns = self._patterns(_branch(pattern), scope, "the oracle line writes")
            if patterns is None:
                return None
        built = self._conditions(conditions, scope)
        line = s.OracleLine(str(name), scope.label, patterns, built, place_of(_token(name)))
        self._unused_in_oracle(line, scope, label)
        return line

    def _unused_in_oracle(self, line: s.OracleLine, scope: Scope, label: object) -> None:
        for name, kind in scope.bound.items():
            if kind == "node" and name not in scope.used:
                self.problems.add(scope.places[name], f"{name} is not used", "write _ for a node that only has to be there")
        if line.label is None:
            return
        binders = [c for c in line.conditions if isinstance(c, s.GoldArc) and c.label == line.label]
        if len(binders) != 1:
            self.problems.add(
                place_of(_branch(label)),
                f"the label {line.label} must come from one gold arc",
                f"the line has {len(binders)}; write one condition of the form gold j -{line.label}-> i",
            )

    # --- conditions --------------------------------------------------------------------------------------------------

    def _conditions(self, tree: object, scope: Scope) -> tuple[s.Condition, ...]:
        if tree is None:
            return ()
        built = [self._condition(_branch(part), scope, top=True) for part in _branch(tree).children]
        return tuple(condition for condition in built if condition is not None)

    def _condition(self, tree: Branch, scope: Scope, top: bool = False) -> s.Condition | None:
        where = place_of(tree)
        parts = tree.children
        match tree.data:
            case "conditions":
                conditions = self._conditions(tree, scope)
                return _all_of(conditions, where) if conditions else None
            case "disjunction" | "conjunction":
                built = [self._condition(_branch(part), scope) for part in parts if isinstance(part, Tree)]
                known = tuple(part for part in built if part is not None)
                if len(known) != len(built):
                    return None
                return s.Or(known, where) if tree.data == "disjunction" else s.And(known, where)
            case "negated":
                body = self._condition(_branch(parts[1]), scope)
                return None if body is None else s.Not(body, where)
            case "quantified":
                return self._quantified(tree, scope)
            case "comparison":
                return self._comparison(tree, scope)
            case "flag":
                return self._flag(_branch(parts[0]), scope)
            case "member":
                return self._member(tree, parts[2], scope)
            case "not_member":
                inner = self._member(tree, parts[3], scope)
                return None if inner is None else s.Not(inner, where)
            case "gold_arc":
                return self._gold_arc(tree, scope, top)
            case _:
                return self._between_nodes(tree, scope)

    def _between_nodes(self, tree: Branch, scope: Scope) -> s.Condition | None:
        first, sign, second = tree.children
        where = place_of(tree)
        left, right = self._node(first, scope), self._node(second, scope)
        if tree.data == "precedes":
            self._only_in_oracles(scope, where, "<G")
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
                if self._arrow_label(_token(sign)) is not None:
                    self.problems.add(where, "a label in a condition", "labels never guard a transition; write i -> j")
                return s.HasArc(left, right, where)
        raise AssertionError(tree.data)

    def _only_in_oracles(self, scope: Scope, where: Place, what: str) -> None:
        if not scope.in_oracle:
            self.problems.add(
                where, f"`{what}` asks for the gold graph outside an oracle", "a transition does not know the gold graph"
            )

    def _quantified(self, tree: Branch, scope: Scope) -> s.Condition | None:
        quantifier, token, _, domain, body = tree.children
        where = place_of(tree)
        sequence = self._use_sequence(_branch(domain), scope)
        outer = scope.bound.copy()
        variable = self._bind(_token(token), "node", scope)
        inner = self._condition(_branch(body), scope)
        if variable not in scope.used:
            self.problems.add(place_of(_token(token)), f"{variable} is not used", f"the condition does not mention {variable}")
        scope.used.discard(variable)
        scope.bound = outer
        if is_greek(variable):
            self.problems.add(place_of(_token(token)), f"{variable} is a Greek name", "a node has a Latin name, such as k")
        if sequence is None or inner is None:
            return None
        kind: Literal["exists", "all"] = "exists" if str(quantifier) in ("exists", "∃") else "all"
        return s.Quantified(kind, variable, sequence, inner, where)

    def _comparison(self, tree: Branch, scope: Scope) -> s.Condition | None:
        where = place_of(tree)
        operands = [_branch(part) for part in tree.children[::2]]
        relations = tuple(_RELATIONS[str(part)] for part in tree.children[1::2])
        if any(operand.data == "literal" for operand in operands):
            return self._sequence_is(operands, relations, scope, where)
        numeric = any(_is_numeric(operand) for operand in operands)
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
        name = self._use_name(_token(operands[0].children[0]), "sequence", scope)
        value = self._literal(operands[1])
        return None if name is None else s.SequenceIs(name, relation, value, where)

    def _flag(self, tree: Branch, scope: Scope) -> s.Condition | None:
        where = place_of(tree)
        if tree.data == "name":
            name = self._use_name(_token(tree.children[0]), "flag", scope)
            return None if name is None else s.IsSet(name, where)
        if tree.data != "call":
            self.problems.add(where, "this is a number, not a condition", "compare it with something")
            return None
        function, arguments = _token(tree.children[0]), tree.children[1:]
        if str(function) not in ("head", "complete"):
            self.problems.add(
                place_of(function), f"{function} is not a condition", "conditions are head(i), in oracles also complete(i)"
            )
            return None
        node = self._node(arguments[0], scope)
        if len(arguments) != 1:
            self.problems.add(where, f"{function} takes one node", f"write {function}(i)")
        if function == "complete":
            self._only_in_oracles(scope, where, "complete")
        if node is None:
            return None
        return s.HasHead(node, where) if function == "head" else s.Complete(node, where)

    def _member(self, tree: Branch, domain: object, scope: Scope) -> s.Condition | None:
        where = place_of(tree)
        node = self._node(tree.children[0], scope)
        tokens = _items(_branch(domain))
        if len(tokens) == 1 and scope.bound.get(canonical(tokens[0])) == "set":
            name = self._use_name(tokens[0], "set", scope)
            return None if node is None or name is None else s.InSet(node, name, where)
        sequence = self._use_sequence(_branch(domain), scope)
        return None if node is None or sequence is None else s.InSequence(node, sequence, where)

    def _gold_arc(self, tree: Branch, scope: Scope, top: bool) -> s.Condition | None:
        head, arrow, dependent = tree.children
        where = place_of(tree)
        self._only_in_oracles(scope, where, "gold")
        label = self._arrow_label(_token(arrow))
        if label is not None and scope.in_oracle:
            if label != scope.label:
                self.problems.add(place_of(_token(arrow)), f"the label {label} is not declared", f"declare it: NAME({label})")
            elif not top:
                self.problems.add(
                    place_of(_token(arrow)), f"the label {label} is not certain here", "ask for it in a condition of its own"
                )
        source, target = self._node(head, scope), self._node(dependent, scope)
        return None if source is None or target is None else s.GoldArc(source, target, label, where)

    # --- terms -------------------------------------------------------------------------------------------------------

    def _number(self, token: Token) -> s.Number:
        if len(token) > len(str(GREATEST_NUMBER)) or int(token) > GREATEST_NUMBER:
            self.problems.add(place_of(token), "the number is too large", f"numbers go up to {GREATEST_NUMBER}")
            return s.Number(0, place_of(token))
        return s.Number(int(token), place_of(token))

    def _node(self, part: object, scope: Scope) -> s.Node | None:
        tree = _branch(part)
        if tree.data in ("name", "number"):
            return self._node_token(_token(tree.children[0]), scope)
        self.problems.add(place_of(tree), "a node is wanted here", f"write the name of a node, such as {scope.names('node')}")
        return None

    def _node_token(self, token: Token, scope: Scope) -> s.Node | None:
        if token.type == "NUMBER":
            number = self._number(token)
            if number.value != 0:
                self.problems.add(place_of(token), f"{token} is not a node of every sentence", "the only fixed node is 0")
            return number
        name = self._use_name(token, "node", scope)
        return None if name is None else s.Variable(name, place_of(token))

    def _term(self, tree: Branch, scope: Scope, numeric: bool) -> s.Term | None:
        where = place_of(tree)
        match tree.data:
            case "number":
                return self._number(_token(tree.children[0]))
            case "infinity":
                return s.Infinity(where)
            case "name":
                return self._name_term(_token(tree.children[0]), scope, numeric)
            case "size":
                name = self._use_name(_token(tree.children[1]), "sequence", scope)
                return None if name is None else s.Size(name, where)
            case "call":
                return self._call(tree, scope)
            case "sum":
                left = self._term(_branch(tree.children[0]), scope, numeric)
                right = self._term(_branch(tree.children[2]), scope, numeric)
                sign = cast(s.Operator, str(tree.children[1]))
                return None if left is None or right is None else s.Arithmetic(sign, left, right, where)
        raise AssertionError(tree.data)

    def _name_term(self, token: Token, scope: Scope, numeric: bool) -> s.Term:
        name, where = canonical(token), place_of(token)
        kind = scope.bound.get(name)
        if kind == "node":
            scope.used.add(name)
            return s.Variable(name, where)
        if kind == "counter":
            scope.used.add(name)
            return s.CounterVariable(name, where)
        if kind is not None:
            scope.used.add(name)
            self.problems.add(where, f"{name} is a {kind}, not a number", f"|{name}| is the length of a sequence")
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
            declared = ", ".join(parameter.name for parameter in self.parameters) or "none"
            self.problems.add(
                where, f"the parameter {name} is not declared", f"declare it: parameter {name} = 1 (declared: {declared})"
            )
        elif scope.in_final:
            self.problems.add(where, f"unknown component {name}", self._state_hint())
        else:
            self.problems.add(where, f"{name} is not bound", f"the pattern binds {scope.names('node', 'counter')}")

    def _call(self, tree: Branch, scope: Scope) -> s.Term | None:
        function, arguments = _token(tree.children[0]), tree.children[1:]
        where = place_of(tree)
        wanted = {"degree": 2, **dict.fromkeys(GOLD_FUNCTION_NAMES, 1)}.get(str(function))
        if wanted is None:
            known = ", ".join(("degree(i, j)", *(f"{name}(i)" for name in GOLD_FUNCTION_NAMES)))
            self.problems.add(place_of(function), f"unknown function {function}", f"functions with a value are {known}")
            return None
        nodes = [self._node(argument, scope) for argument in arguments]
        if len(nodes) != wanted:
            self.problems.add(where, f"{function} takes {wanted} node{'s' * (wanted > 1)}", f"{len(nodes)} given")
            return None
        if function != "degree":
            self._only_in_oracles(scope, where, str(function))
        known_nodes = [node for node in nodes if node is not None]
        if len(known_nodes) != wanted:
            return None
        if function == "degree":
            return s.Degree(known_nodes[0], known_nodes[1], where)
        return s.GoldFunction(str(function), known_nodes[0], where)

    # --- claims ------------------------------------------------------------------------------------------------------

    def _claim(self, tree: Branch) -> s.Claim | None:
        kinds: dict[str, Literal["plain", "negated", "refuted"]] = {"negated_claim": "negated", "refuted_claim": "refuted"}
        statement = self._statement(_branch(tree.children[0]))
        return None if statement is None else s.Claim(statement, kinds.get(tree.data, "plain"), place_of(tree))

    def _statement(self, tree: Branch) -> s.Statement | None:
        where = place_of(tree)
        parts = tree.children
        match tree.data:
            case "sound" | "complete":
                graphs = self._graphs(_branch(parts[0]))
                if graphs is None:
                    return None
                return s.Sound(graphs, where) if tree.data == "sound" else s.CompleteFor(graphs, where)
            case "terminates":
                return s.Terminates(where)
            case "length":
                return s.LengthBound(self._bounding(parts[0]), self._polynomial(_branch(parts[1])), where)
            case "space":
                return s.SpaceBound(self._bounding(parts[0]), self._polynomial(_branch(parts[1])), where)
            case "count_bound":
                name = str(parts[0])[1:]
                self.known_transition(name, place_of(_token(parts[0])))
                return s.CountBound(name, self._bounding(parts[1]), self._polynomial(_branch(parts[2])), where)
            case "incremental":
                strength = cast(Literal["weakly", "strictly"], str(parts[0])) if parts[0] is not None else ""
                return s.Incremental(strength, where)
            case "no_dead_ends":
                return s.NoDeadEnds(where)
            case "like":
                graphs = self._graphs(_branch(parts[1]))
                return None if graphs is None else s.SameTransitions(str(parts[0]), graphs, where)
            case "equivalent":
                return s.SameOutputs(str(parts[0]), where)
        raise AssertionError(tree.data)

    def known_transition(self, name: str, where: Place) -> bool:
        """Whether the figure has this transition; if not, say so."""
        if name not in self.attempted_rules:
            names = ", ".join(dict.fromkeys(rule.name for rule in self.rules)) or "none"
            self.problems.add(where, f"there is no transition {name}", f"the transitions are {names}")
        return name in self.attempted_rules

    def _bounding(self, part: object) -> s.Bounding:
        token = _token(part)
        relation = _RELATIONS[str(token)]
        if relation == "=" or relation == "<=" or relation == ">=":
            return relation
        self.problems.add(place_of(token), f"`{token}` is not used in claims", "a bound is written =, <= or >=")
        return "<="

    def _graphs(self, tree: Branch) -> s.GraphClass | None:
        words = [_token(part) for part in tree.children if isinstance(part, Token)]
        measures = [_branch(part) for part in tree.children if isinstance(part, Tree)]
        *adjectives, base = words
        restrictions = [*map(self._adjective, adjectives), *map(self._measure, measures)]
        if base == "forests" or base == "trees":
            if any(restriction is None for restriction in restrictions):
                return None
            known = tuple(restriction for restriction in restrictions if restriction is not None)
            return s.GraphClass(known, "forests" if base == "forests" else "trees", place_of(tree))
        self.problems.add(place_of(base), f"unknown class {base}", "a class ends with forests or trees, as in projective trees")
        return None

    def _adjective(self, token: Token) -> s.Restriction | None:
        if str(token) in ADJECTIVES:
            return s.Restriction(str(token), None, place_of(token))
        self.problems.add(place_of(token), f"unknown class {token}", f"the words for classes are {', '.join(ADJECTIVES)}")
        return None

    def _measure(self, tree: Branch) -> s.Restriction | None:
        word, relation, value = map(_token, tree.children)
        if str(word) not in MEASURES:
            self.problems.add(place_of(word), f"unknown measure {word}", f"the measures are {', '.join(MEASURES)}")
            return None
        if _RELATIONS[str(relation)] != "<=":
            self.problems.add(place_of(relation), f"`{relation}` is not used here", "a measure is bounded by <=")
        bound: s.Term
        match value.type:
            case "NUMBER":
                bound = self._number(value)
            case "INFINITY":
                bound = s.Infinity(place_of(value))
            case _:
                bound = self._name_term(value, Scope(), numeric=True)
        return s.Restriction(str(word), bound, place_of(tree))

    def _polynomial(self, tree: Branch) -> s.Term:
        where = place_of(tree)
        parts = tree.children
        match tree.data:
            case "number":
                return self._number(_token(parts[0]))
            case "name":
                return self._name_term(_token(parts[0]), Scope(), numeric=True)
            case "count":
                name = str(parts[0])[1:]
                self.known_transition(name, where)
                return s.Count(name, where)
            case "sum":
                sign = cast(s.Operator, str(parts[1]))
                return s.Arithmetic(sign, self._polynomial(_branch(parts[0])), self._polynomial(_branch(parts[2])), where)
            case "times" | "divided":
                operator: s.Operator = "*" if tree.data == "times" else "/"
                left, right = (self._polynomial(_branch(part)) for part in parts[:2])
                return s.Arithmetic(operator, left, right, where)
            case "squared":
                return s.Arithmetic("^", self._polynomial(_branch(parts[0])), s.Number(2), where)
            case "to_the":
                return s.Arithmetic("^", self._polynomial(_branch(parts[0])), self._number(_token(parts[1])), where)
        raise AssertionError(f"{tree.data} has no form in {FORMS['claim']}")


def _kind_of(component: s.Component) -> Kind:
    return component.kind if isinstance(component, s.ValueComponent) else "sequence"


def _all_of(conditions: tuple[s.Condition, ...], where: Place) -> s.Condition:
    return conditions[0] if len(conditions) == 1 else s.And(conditions, where)


def _is_numeric(tree: Branch) -> bool:
    return tree.data in ("size", "sum", "infinity") or (tree.data == "call" and tree.children[0] == "degree")


def _items(tree: Branch) -> list[Token]:
    return [part for part in _tokens(tree.children) if part.type in ("NAME", "HOLE")]


def _tokens(parts: Iterable[object]) -> list[Token]:
    return [part for part in parts if isinstance(part, Token)]


def _token(part: object) -> Token:
    assert isinstance(part, Token)
    return part


def _branch(part: object) -> Branch:
    assert isinstance(part, Tree)
    return part

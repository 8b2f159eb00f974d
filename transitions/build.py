"""From statements to the parts of a figure; problems are collected, and a part that cannot be built is left out."""

from collections.abc import Collection, Sequence
from typing import Literal, cast

from lark import Token

from arcproof.transitions import syntax as s
from arcproof.transitions.build_claims import Claims
from arcproof.transitions.errors import Place
from arcproof.transitions.resolve import (
    RESERVED,
    Branch,
    Problems,
    Scope,
    all_of,
    branch,
    items_of,
    kind_of,
    place_of,
    token_of,
)
from arcproof.transitions.spelling import canonical
from arcproof.transitions.statements import Statement


class Builder(Claims):
    """Builds one figure: declarations first, so that their order in the file does not matter, claims last."""

    def __init__(self, problems: Problems) -> None:
        """Start with nothing declared."""
        super().__init__(problems)
        self.name = ""
        self.cite = ""
        self.notes: list[str] = []
        self.shared = False
        self.start: tuple[s.StartValue, ...] | None = None
        self.final: tuple[s.Condition, ...] | None = None
        self.default: tuple[str, Place] | None = None
        self.oracles: list[s.Oracle] = []
        self.claims: list[s.Claim] = []
        self.attempted: set[str] = set()
        self._seen: dict[str, Place] = {}

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
                token = token_of(tree.children[0])
                self.default = (str(token), place_of(token))
            case "rule":
                rule = self._rule(tree)
                if rule is not None:
                    self.rules.append(rule)
            case "claim":
                claim = self.claim(tree)
                if claim is not None:
                    self.claims.append(claim)

    def _parameter(self, tree: Branch) -> None:
        token, value = token_of(tree.children[0]), token_of(tree.children[1])
        name = canonical(token)
        if name in RESERVED:
            self.reserved(name, place_of(token))
        elif any(name == earlier.name for earlier in self.parameters):
            self.problems.add(place_of(token), f"the parameter {name} is declared twice", "declare it once")
        else:
            default = s.Infinity() if value.type == "INFINITY" else self.number(value)
            self.parameters.append(s.ParameterDeclaration(name, default, place_of(token)))

    def _state(self, tree: Branch) -> None:
        for part in map(branch, tree.children):
            kind, token = token_of(part.children[0]), token_of(part.children[1])
            name, where = canonical(token), place_of(token)
            if name in RESERVED:
                self.reserved(name, where)
            elif any(name == earlier.name for earlier in self.state):
                self.problems.add(where, f"the component {name} is declared twice", "give each component its own name")
            elif part.data == "value_component":
                self.state.append(s.ValueComponent(cast(s.ValueKind, str(kind)), name, where))
            else:
                self._sequence_component(cast(s.SequenceKind, str(kind)), name, part.children[2], where)

    def _sequence_component(self, kind: s.SequenceKind, name: str, side: object, where: Place) -> None:
        usual: dict[str, s.Side] = {"stack": "right", "buffer": "left"}
        head = cast(s.Side, str(side)) if side is not None else usual.get(kind)
        if head is None:
            self.problems.add(
                where, f"the list {name} has no head", f"say which end: list {name} head left, or head right"
            )
            head = "right"
        self.state.append(s.SequenceComponent(kind, name, head, where))

    def _start(self, tree: Branch) -> tuple[s.StartValue, ...] | None:
        if not self._one_for_each(tree, "start gives"):
            return None
        values = []
        for component, part in zip(self.state, tree.children, strict=True):
            value = self._start_value(component, branch(part))
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
                place_of(tree),
                f"{what} {values}, the state has {wanted}",
                f"write all of them in order: {self.state_hint()}",
            )
        return False

    def _start_value(self, component: s.Component, part: Branch) -> s.StartValue | None:
        where = place_of(part)
        match component, part.data:
            case s.SequenceComponent(), "literal":
                return self.literal(part)
            case s.ValueComponent("flag"), "truth":
                return s.FlagLiteral(str(part.children[0]) == "true", where)
            case s.ValueComponent("counter"), "number":
                return s.CounterFrom(self.number(token_of(part.children[0])), where)
            case s.ValueComponent("set"), "empty_set":
                return s.SetFrom(None, (), where)
        starts = {"flag": "true or false", "counter": "a number", "set": "{}"}
        wanted = starts.get(component.kind, "nodes in brackets, such as [0] or [1..n]")
        self.problems.add(
            where, f"this cannot be the start of the {component.kind} {component.name}", f"write {wanted}"
        )
        return None

    def _final(self, tree: Branch) -> tuple[s.Condition, ...]:
        scope = Scope(in_final=True)
        for component in self.state:
            scope.bound[component.name] = kind_of(component)
            scope.places[component.name] = component.where
        return self.conditions(tree.children[0], scope)

    def _rule(self, tree: Branch) -> s.Rule | None:
        name, label, before, _, after, *rest = tree.children
        scope = Scope(label=self._label(label))
        patterns = self._patterns(branch(before), scope, "the rule writes")
        if not self._one_for_each(branch(after), "after => the rule writes") or patterns is None:
            return None
        updates = [
            self._update(component, branch(part), scope)
            for component, part in zip(self.state, branch(after).children, strict=True)
        ]
        effects = [self._effect(branch(part), scope) for part in rest[:-1]]
        preconditions = self.conditions(rest[-1], scope)
        if scope.label is not None and not any(isinstance(e, s.AddArc) and e.label == scope.label for e in effects):
            self.problems.add(
                place_of(branch(label)),
                f"the label {scope.label} is not used",
                f"use it: add i -{scope.label}-> j; or leave it out",
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
            place_of(token_of(name)),
        )

    def _label(self, tree: object) -> str | None:
        return None if tree is None else canonical(token_of(branch(tree).children[0]))

    def _patterns(self, tree: Branch, scope: Scope, what: str) -> tuple[s.Pattern, ...] | None:
        if not self._one_for_each(tree, what):
            return None
        patterns = [
            self._pattern(component, branch(part), scope)
            for component, part in zip(self.state, tree.children, strict=True)
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
                return s.CounterFrom(self.number(token_of(part.children[0])), where)
            case s.ValueComponent(), "sequence" if len(part.children) == 1 and part.children[0] is not None:
                token = token_of(part.children[0])
                if token.type == "HOLE":
                    return s.AnyValue("_", where)
                return s.AnyValue(self.bind(token, kind_of(component), scope), where)
        self._wrong_kind(component, where)
        return None

    def _wrong_kind(self, component: s.Component, where: Place) -> None:
        forms = {"flag": "true, false or a name", "counter": "a number or a name", "set": "a name"}
        wanted = forms.get(component.kind, "a sequence, such as σ|i")
        self.problems.add(
            where, f"{component.name} is a {component.kind}; this is something else", f"write {wanted} here"
        )

    def _bind_sequence(self, tree: Branch, scope: Scope) -> s.SequenceOf:
        items: list[s.Item] = []
        for token in items_of(tree):
            where = place_of(token)
            if token.type == "HOLE":
                items.append(s.Cell("_", where))
            elif self.names_sequence(token):
                items.append(s.Segment(self.bind(token, "sequence", scope), where))
            else:
                items.append(s.Cell(self.bind(token, "node", scope), where))
        return s.SequenceOf(tuple(items), place_of(tree))

    def _update(self, component: s.Component, part: Branch, scope: Scope) -> s.Update | None:
        where = place_of(part)
        match component, part.data:
            case s.SequenceComponent(), "sequence":
                return self.use_sequence(part, scope)
            case s.ValueComponent("flag"), "truth":
                return s.FlagLiteral(str(part.children[0]) == "true", where)
            case s.ValueComponent("flag"), "truth_of":
                return s.FlagFrom(all_of(self.conditions(part.children[0], scope), where), where)
            case s.ValueComponent("counter"), "number":
                return s.CounterFrom(self.number(token_of(part.children[0])), where)
            case s.ValueComponent("counter" | "set"), "changed":
                return self._changed(component, part, scope)
            case s.ValueComponent("set"), "empty_set":
                return s.SetFrom(None, (), where)
            case s.ValueComponent(), "sequence" if len(part.children) == 1 and part.children[0] is not None:
                return self._same_value(component, token_of(part.children[0]), scope)
        self._wrong_kind(component, where)
        return None

    def _same_value(self, component: s.ValueComponent, token: Token, scope: Scope) -> s.Update | None:
        name = self.use_name(token, kind_of(component), scope)
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
        first, *rest = [token_of(child) for child in part.children]
        where = place_of(part)
        base = self.use_name(first, kind_of(component), scope)
        if base is None:
            return None
        changes = [
            (cast(Literal["+", "-"], str(sign)), value) for sign, value in zip(rest[::2], rest[1::2], strict=True)
        ]
        if component.kind == "set":
            nodes = [(sign, self.node_token(value, scope)) for sign, value in changes]
            return s.SetFrom(base, tuple((sign, node) for sign, node in nodes if node is not None), where)
        term: s.Term = s.CounterVariable(base, place_of(first))
        for sign, value in changes:
            term = s.Arithmetic(sign, term, self._counter_step(value, scope), where)
        return s.CounterFrom(term, where)

    def _counter_step(self, token: Token, scope: Scope) -> s.Term:
        if token.type == "NUMBER":
            return self.number(token)
        return self.name_term(token, scope, numeric=True)

    def _effect(self, tree: Branch, scope: Scope) -> s.Effect | None:
        where = place_of(tree)
        if tree.data == "remove_arcs":
            node = self.node(tree.children[1], scope)
            return None if node is None else s.RemoveArcs(node, where)
        head, arrow, dependent = tree.children
        source, target = self.node(head, scope), self.node(dependent, scope)
        label = self.arrow_label(token_of(arrow))
        if label is not None and label != scope.label:
            self.problems.add(
                place_of(token_of(arrow)), f"the label {label} is not declared", f"declare it: NAME({label})"
            )
        if source is None or target is None:
            return None
        return s.AddArc(source, label, target, where)

    def _oracle(self, statement: Statement) -> s.Oracle | None:
        token = token_of(statement.tree.children[0])
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
                scope.bound[component.name] = kind_of(component)
        else:
            patterns = self._patterns(branch(pattern), scope, "the oracle line writes")
            if patterns is None:
                return None
        built = self.conditions(conditions, scope)
        line = s.OracleLine(str(name), scope.label, patterns, built, place_of(token_of(name)))
        self._unused_in_oracle(line, scope, label)
        return line

    def _unused_in_oracle(self, line: s.OracleLine, scope: Scope, label: object) -> None:
        for name, kind in scope.bound.items():
            if kind == "node" and name not in scope.used:
                self.problems.add(
                    scope.places[name], f"{name} is not used", "write _ for a node that only has to be there"
                )
        if line.label is None:
            return
        binders = [c for c in line.conditions if isinstance(c, s.GoldArc) and c.label == line.label]
        if len(binders) != 1:
            self.problems.add(
                place_of(branch(label)),
                f"the label {line.label} must come from one gold arc",
                f"the line has {len(binders)}; write one condition of the form gold j -{line.label}-> i",
            )

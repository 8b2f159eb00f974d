"""From statements to the parts of a figure; problems are collected, and parts that cannot be built are skipped."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Final, Literal, cast

from lark import Token

from arcproof.transitions import syntax as s
from arcproof.transitions.errors import NOWHERE, Place
from arcproof.transitions.loss_functions import LOSS_FUNCTIONS, LossFunction
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.reading.build_claims import Claims
from arcproof.transitions.reading.resolve import (
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
from arcproof.transitions.reading.spelling import canonical
from arcproof.transitions.reading.statements import Statement, Unread

_OF_ORACLES: Final = ("oracle", "oracle_line", "dynamic", "cost_line")
_LAST: Final = ("invariant", "measure", "lemma", "claim")
"""Statements that refer to the rest of the figure."""


class Builder(Claims):
    """Builds one figure: declarations first, so that their order in the file does not matter, claims last."""

    def __init__(self, problems: Problems, folder: Path | None = None) -> None:
        """Start with nothing declared."""
        super().__init__(problems, folder)
        self.name = ""
        self.cite = ""
        self.notes: list[str] = []
        self.shared = False
        self.rootless: Place | None = None
        self.start: tuple[s.StartValue, ...] | None = None
        self.final: tuple[s.Condition, ...] | None = None
        self.invariants: list[s.Condition] = []
        self.oracle_invariants: list[s.OracleInvariant] = []
        self.measures: list[s.GivenMeasure] = []
        self.lemmas: list[s.GivenLemma] = []
        self.default: tuple[str, Place] | None = None
        self.oracles: list[s.Oracle] = []
        self.claims: list[s.Claim] = []
        self.top = NOWHERE
        self.attempted: set[str] = set()
        self.attempted_oracles: set[str] = set()
        self.attempted_costs: dict[str, set[str]] = {}
        self.no_oracle: Place | None = None
        self.flawed: set[str] = set()
        self.mentioned: set[str] = set()
        self._seen: dict[str, Place] = {}

    def build(self, items: Sequence[Statement | Unread]) -> None:
        """Read declarations first, then everything that uses them."""
        self._survey(items)
        declarations = ("system", "cite", "note", "parameter", "shared", "several", "root", "state")
        statements = [item for item in items if isinstance(item, Statement)]
        for statement in statements:
            if statement.rule in declarations:
                self._declaration(statement)
        for statement in statements:
            if statement.rule not in (*declarations, *_LAST, *_OF_ORACLES):
                self._use(statement)
        self._build_oracles(item for item in items if item.rule in ("oracle", "oracle_line"))
        self._build_dynamic_oracles(item for item in statements if item.rule in ("dynamic", "cost_line"))
        for statement in statements:
            if statement.rule in _LAST:
                self._use(statement)

    def _survey(self, items: Sequence[Statement | Unread]) -> None:
        """Note what the figure tries to declare, whether or not it can be read."""
        self.attempted = {item.rule for item in items}
        self.top = next((item.where for item in items if item.rule == "system"), items[0].where)
        for item in items:
            if isinstance(item, Unread):
                self.unread.add(item.rule)
                if item.rule == "rule":
                    self.attempted_rules.append(item.word)
                    self.flawed.add(item.word)
                continue
            if item.rule == "rule":
                self.attempted_rules.append(str(item.tree.children[0]))
            if item.rule != "parameter":
                names = item.tree.scan_values(lambda part: isinstance(part, Token) and part.type == "NAME")
                self.mentioned.update(map(canonical, names))

    def _build_oracles(self, items: Iterator[Statement | Unread]) -> None:
        current: s.Oracle | None = None
        none: Place | None = None
        for item in items:
            if isinstance(item, Unread):
                if item.rule == "oracle":
                    current, none = None, None
                elif current is not None:
                    self.attempted_oracles.add(current.name)
            elif item.rule == "oracle":
                current = self._oracle(item.tree)
                none = place_of(item.tree) if current is None else None
                self.no_oracle = none or self.no_oracle
            else:
                line = self._oracle_line(item.tree)
                if none is not None:
                    self.problems.add(none, "`oracle none` has lines", "give the oracle a name, or leave out its lines")
                if current is not None:
                    self.attempted_oracles.add(current.name)
                    lines = current.lines if line is None else (*current.lines, line)
                    current = self.oracles[-1] = s.Oracle(current.name, lines, current.where)

    def _build_dynamic_oracles(self, items: Iterator[Statement]) -> None:
        for item in items:
            if item.rule == "dynamic":
                token = token_of(item.tree.children[0])
                if any(known.name == token for known in self.dynamic_oracles):
                    self.problems.add(
                        place_of(token), f"there are two dynamic oracles named {token}", "give each its own name"
                    )
                self.dynamic_oracles.append(s.DynamicOracle(str(token), (), None, place_of(token)))
            elif self.dynamic_oracles:
                self.dynamic_oracles[-1] = self._with_line(self.dynamic_oracles[-1], item.tree)

    def _with_line(self, oracle: s.DynamicOracle, tree: Branch) -> s.DynamicOracle:
        """Add a cost line, or a loss, to a dynamic oracle."""
        if tree.data == "loss_line":
            loss = self._loss(tree)
            if oracle.loss is not None:
                self.problems.add(place_of(tree), f"{oracle.name} has two losses", "leave one out")
            self.lossy.add(oracle.name)
            return oracle if loss is None else s.DynamicOracle(oracle.name, oracle.lines, loss, oracle.where)
        line = self._cost_line(tree)
        self.attempted_costs.setdefault(oracle.name, set()).add(str(tree.children[0]))
        lines = oracle.lines if line is None else (*oracle.lines, line)
        return s.DynamicOracle(oracle.name, lines, oracle.loss, oracle.where)

    def _once(self, statement: Statement) -> bool:
        earlier = self._seen.setdefault(statement.rule, statement.where)
        if earlier is statement.where:
            return True
        self.problems.add(
            statement.where,
            f"`{statement.rule}` is given twice",
            f"line {earlier.line} already has it; a figure has only one",
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
            case "several" if self._once(statement):
                self.several_heads = True
            case "root" if self._once(statement):
                self.rootless = statement.where
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
                self.final = self._about_components(tree)
            case "invariant" if tree.data == "invariant_of":
                self._invariant_of(tree)
            case "measure":
                self._measured(tree)
            case "lemma":
                self.lemmas.append(self._lemma(token_of(tree.children[0])))
            case "invariant":
                self.invariants += self._about_components(tree) or ()
            case "default" if self._once(statement):
                token = token_of(tree.children[0])
                self.default = (str(token), place_of(token))
            case "rule":
                earlier = len(self.problems.found)
                rule = self._rule(tree)
                if rule is not None:
                    self.rules.append(rule)
                if rule is None or len(self.problems.found) > earlier:
                    self.flawed.add(str(tree.children[0]))
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
            if part.data == "value_component":
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
        values = [
            self._start_value(component, branch(part))
            for component, part in zip(self.state, tree.children, strict=True)
        ]
        known = tuple(value for value in values if value is not None)
        return known if len(known) == len(values) else None

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

    def _about_components(self, tree: Branch) -> tuple[s.Condition, ...] | None:
        """The conditions of `final` or an invariant, which are about a single configuration."""
        if not self.state:
            return None
        scope = Scope(in_final=True)
        self._bind_components(scope)
        return self.conditions(tree.children[0], scope)

    def _invariant_of(self, tree: Branch) -> None:
        """Build an invariant of an oracle, which holds along its run to a gold graph."""
        token, conditions = tree.children
        self._known_oracle(token_of(token))
        if not self.state:
            return
        scope = Scope(in_final=True, in_oracle=True, counts_arcs=True)
        self._bind_components(scope)
        for condition in self.conditions(conditions, scope):
            self.oracle_invariants.append(s.OracleInvariant(str(token), condition, condition.where))

    def _known_oracle(self, token: Token) -> None:
        names = [oracle.name for oracle in self.oracles]
        if token in names or "oracle" in self.unread:
            return
        near = get_close_matches(token, names, n=1)
        there = f"the oracles are {', '.join(names)}" if names else "the figure has no oracle"
        hint = f"did you mean {near[0]}?" if near else there
        self.problems.add(place_of(token), f"there is no oracle {token}", hint)

    def _measured(self, tree: Branch) -> None:
        """Build a measure: a function of sizes."""
        token, polynomial = tree.children
        name, where = canonical(token_of(token)), place_of(token_of(token))
        if name in RESERVED:
            self.reserved(name, where)
        elif any(name == earlier.name for earlier in self.measures):
            self.problems.add(where, f"the measure {name} is given twice", "give each measure its own name")
        scope = Scope(in_final=True, in_measure=True, counts_arcs=True)
        self._bind_components(scope)
        self.measures.append(s.GivenMeasure(name, self.polynomial(branch(polynomial), scope), place_of(tree)))

    def _lemma(self, token: Token) -> s.GivenLemma:
        """Keep the lemma as text; the prover reads it."""
        where = place_of(token)
        written = "\n" * (where.line - 1) + " " * (where.column - 1) + str(token)
        text = " ".join(token.split()).removesuffix(".").rstrip()
        return s.GivenLemma(text, Place(where.line, where.column, where.column + len(token.split("\n")[0])), written)

    def target(self, tree: Branch, figure: s.Figure) -> tuple[s.Condition, ...]:
        """A condition on the configurations of a figure and the runs to them."""
        self.state, self.parameters = list(figure.state), list(figure.parameters)
        scope = Scope(in_final=True, in_target=True, transitions=tuple(figure.transitions()))
        self._bind_components(scope)
        return self.conditions(tree.children[0], scope)

    def _bind_components(self, scope: Scope) -> None:
        for component in self.state:
            scope.bound[component.name] = kind_of(component)
            scope.places[component.name] = component.where

    def _rule(self, tree: Branch) -> s.Rule | None:
        name, label, before, _, after, *rest = tree.children
        scope = Scope(owner=str(name), label=self._label(label))
        patterns = self._patterns(branch(before), scope, "the rule writes")
        if not self._one_for_each(branch(after), "after => the rule writes") or patterns is None:
            return None
        updates = [
            self._update(component, branch(part), scope)
            for component, part in zip(self.state, branch(after).children, strict=True)
        ]
        effects = [self._effect(branch(part), scope) for part in rest[:-1]]
        preconditions = self.conditions(rest[-1], scope)
        self._unused_values(patterns, scope)
        if scope.label is not None and not scope.arrow_labels:
            self.problems.add(
                place_of(branch(label)),
                f"the label {scope.label} is not used",
                f"use it: add i -{scope.label}-> j, or tag i {scope.label}; or leave it out",
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
                return s.SequenceOf(tuple(self.bind_item(token, scope) for token in items_of(part)), where)
            case s.ValueComponent("flag"), "truth":
                return s.FlagLiteral(str(part.children[0]) == "true", where)
            case s.ValueComponent("counter"), "number":
                return s.CounterFrom(self.number(token_of(part.children[0])), where)
            case s.ValueComponent(), "sequence" if len(part.children) == 1 and part.children[0] is not None:
                token = token_of(part.children[0])
                if token.type == "HOLE":
                    return s.AnyValue("_", where)
                if token.type == "NAME":
                    return s.AnyValue(self.bind(token, kind_of(component), scope), where)
        self._wrong_kind(component, where, {"flag": "true, false or a name", "counter": "a number or a name"})
        return None

    def _wrong_kind(self, component: s.Component, where: Place, forms: Mapping[str, str]) -> None:
        usual = "a name" if isinstance(component, s.ValueComponent) else "a sequence, such as σ|i or [0]"
        self.problems.add(
            where,
            f"this cannot match the {component.kind} {component.name}",
            f"write {forms.get(component.kind, usual)}",
        )

    def _unused_values(self, patterns: tuple[s.Pattern, ...], scope: Scope) -> None:
        for component, pattern in zip(self.state, patterns, strict=True):
            if isinstance(pattern, s.AnyValue) and pattern.name not in ("_", component.name, *scope.used):
                hint = f"write _ for any value, or {component.name}"
                self.problems.unused(pattern.where, pattern.name, hint, scope.in_oracle)

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
            case s.ValueComponent(), "sequence" if _is_one_name(part):
                return self._same_value(component, token_of(part.children[0]), scope)
        forms = {
            "flag": "true, false, a name or a condition in parentheses",
            "counter": "a number, a name or a sum such as k + 1",
            "set": "{}, a name or a change such as U + i",
        }
        self._wrong_kind(component, where, forms)
        return None

    def _same_value(self, component: s.ValueComponent, token: Token, scope: Scope) -> s.Update | None:
        where = place_of(token)
        if token.type == "HOLE":
            self.problems.add(where, "`_` has no value here", "name the value before => and write its name")
            return None
        name = self.use_name(token, kind_of(component), scope)
        if name is None:
            return None
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
        if tree.data == "tag_node":
            token = token_of(tree.children[1])
            self.use_label(canonical(token), token, scope)
            node = self.node(tree.children[0], scope)
            return None if node is None else s.TagNode(node, canonical(token), where)
        head, arrow, dependent = tree.children
        source, target = self.node(head, scope), self.node(dependent, scope)
        label = self.arrow_label(token_of(arrow))
        if label is not None:
            self.use_label(label, token_of(arrow), scope)
        if source is None or target is None:
            return None
        return s.AddArc(source, label, target, where)

    def _oracle(self, tree: Branch) -> s.Oracle | None:
        token = token_of(tree.children[0])
        if token == "none":
            return None
        if any(oracle.name == token for oracle in self.oracles):
            self.problems.add(place_of(token), f"there are two oracles named {token}", "give each its own name")
        oracle = s.Oracle(str(token), (), place_of(token))
        self.oracles.append(oracle)
        return oracle

    def _oracle_line(self, tree: Branch) -> s.OracleLine | None:
        name, label, pattern, conditions = tree.children
        if not self.state:
            return None
        scope = Scope(owner=str(name), label=self._label(label), in_oracle=True, has_pattern=pattern is not None)
        patterns = None
        if pattern is None:
            self._bind_components(scope)
        else:
            patterns = self._patterns(branch(pattern), scope, "the oracle line writes")
            if patterns is None:
                return None
        built = self.conditions(conditions, scope)
        self._unused_in_oracle(scope)
        if patterns is not None:
            self._unused_values(patterns, scope)
        line = s.OracleLine(str(name), scope.label, patterns, built, place_of(token_of(name)))
        if label is not None:
            self._label_from_gold(line, scope, place_of(branch(label)))
        return line

    def _cost_line(self, tree: Branch) -> s.CostLine | None:
        name, label, pattern, cost = tree.children
        token = token_of(name)
        self.known_transition(str(token), place_of(token))
        if not self.state:
            return None
        scope = Scope(
            owner=f"cost {name}",
            label=self._label(label),
            in_oracle=True,
            in_costs=True,
            has_pattern=pattern is not None,
        )
        cases = [rule for rule in self.rules if rule.name == name]
        scope.carries_label = not cases or str(name) in self.flawed or any(rule.label is not None for rule in cases)
        patterns = None
        if pattern is None:
            self._bind_components(scope)
        else:
            patterns = self._patterns(branch(pattern), scope, "the cost line writes")
            if patterns is None:
                return None
        parts = self._cost_parts(branch(cost), scope)
        if label is not None:
            self._label_in_costs(branch(label), scope)
        if parts is None:
            return None
        return s.CostLine(str(token), patterns, parts, scope.label, place_of(token))

    def _label_in_costs(self, label: Branch, scope: Scope) -> None:
        """Check that a label given in a line is used, and that the transition carries one."""
        where = place_of(label)
        if not scope.carries_label:
            self.problems.add(where, f"{scope.owner.removeprefix('cost ')} carries no label", "leave it out")
        elif not scope.arrow_labels:
            hint = f"use it, as in [gold j -> i, not gold j -{scope.label}-> i]; or leave it out"
            self.problems.add(where, f"the label {scope.label} is not used", hint)

    def _loss(self, tree: Branch) -> s.LossOf | None:
        name, *arguments = map(token_of, tree.children)
        known = self._loss_function(name)
        if known is None or not self.state:
            return None
        form = f"write loss {name}(…) with {', '.join(known.parameters)}"
        if len(arguments) != len(known.parameters):
            wanted, given = counted(len(known.parameters), "sequence"), len(arguments)
            self.problems.add(place_of(name), f"{name} takes {wanted}, not {given}", form)
            return None
        sequences = {part.name for part in self.state if isinstance(part, s.SequenceComponent)}
        named = tuple(canonical(token) for token in arguments)
        for token, argument in zip(arguments, named, strict=True):
            if argument not in sequences:
                hint = f"the sequences of the state are {', '.join(sorted(sequences)) or 'none'}"
                self.problems.add(place_of(token), f"{argument} is not a sequence of the state", hint)
        return s.LossOf(str(name), named, place_of(tree)) if sequences.issuperset(named) else None

    def _loss_function(self, name: Token) -> LossFunction | None:
        known = LOSS_FUNCTIONS.get(str(name))
        if known is None:
            near = get_close_matches(name, LOSS_FUNCTIONS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"the loss functions are {', '.join(LOSS_FUNCTIONS)}"
            self.problems.add(place_of(name), f"there is no loss function {name}", hint)
        return known

    def _cost_parts(self, tree: Branch, scope: Scope) -> "tuple[tuple[Literal['+', '-'], s.CostPart], ...] | None":
        first, *rest = tree.children
        signs = ["+" if first is None else str(first), *map(str, rest[1::2])]
        built = [self._cost_part(branch(part), scope) for part in rest[::2]]
        known = [part for part in built if part is not None]
        if len(known) < len(built):
            return None
        return tuple((cast(Literal["+", "-"], sign), part) for sign, part in zip(signs, known, strict=True))

    def _cost_part(self, tree: Branch, scope: Scope) -> s.CostPart | None:
        where = place_of(tree)
        match tree.data:
            case "number":
                return self.number(token_of(tree.children[0]))
            case "truth_value":
                return s.TruthOf(self.conditions(tree.children[0], scope, top=False), where)
            case "count_of":
                return self._count_of(tree, scope)
        raise AssertionError(tree.data)

    def _count_of(self, tree: Branch, scope: Scope) -> s.CountOf | None:
        token, _, domain, conditions = tree.children
        sequence = self.use_sequence(branch(domain), scope)
        outer, places = scope.bound.copy(), scope.places.copy()
        variable = self.bind(token_of(token), "node", scope)
        asked = self.conditions(conditions, scope, top=False)
        scope.bound, scope.places = outer, places
        return None if sequence is None else s.CountOf(variable, sequence, asked, place_of(tree))

    def _unused_in_oracle(self, scope: Scope) -> None:
        for name, kind in scope.bound.items():
            if kind == "node" and name not in scope.used:
                hint = "write _ for a node that only has to be present"
                self.problems.unused(scope.places[name], name, hint, in_oracle=True)

    def _label_from_gold(self, line: s.OracleLine, scope: Scope, where: Place) -> None:
        binders = [c for c in line.conditions if isinstance(c, s.GoldArc | s.GoldTag) and c.label == line.label]
        tags = any(isinstance(e, s.TagNode) for r in self.rules if r.name == line.transition for e in r.effects)
        form = f"gold tag i {line.label}" if tags else f"gold j -{line.label}-> i"
        source, others = ("gold tag", "leave out the others") if tags else ("gold arc", "the others gold j -> i")
        if not scope.arrow_labels:
            self.problems.add(
                where, f"the label {line.label} comes from no {source}", f"write a condition of the form {form}"
            )
        elif len(binders) > 1:
            self.problems.add(
                where,
                f"the label {line.label} comes from {len(binders)} {source}s",
                f"one condition has the form {form}, {others}",
            )
        elif tags != any(isinstance(binder, s.GoldTag) for binder in binders):
            what = "the tag of a word" if tags else "the label of an arc"
            self.problems.add(where, f"{line.label} is {what}", f"write {form}")


def _is_one_name(part: Branch) -> bool:
    return len(part.children) == 1 and part.children[0] is not None and token_of(part.children[0]).type != "NUMBER"

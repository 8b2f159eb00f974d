"""Build claims from their trees: classes of graphs, bounds, relations to other systems."""

from difflib import get_close_matches
from pathlib import Path
from typing import Final, Literal, cast

from lark import Token, Tree

from arcproof.transitions import syntax as s
from arcproof.transitions.errors import BadGraph, Place
from arcproof.transitions.graph import cycle_in, parse_arcs
from arcproof.transitions.library import SUFFIX, similar_names, system_names
from arcproof.transitions.reading.resolve import (
    RELATIONS,
    Branch,
    Expressions,
    Problems,
    Scope,
    branch,
    place_of,
    token_of,
)
from arcproof.transitions.reading.vocabulary import (
    ADJECTIVES,
    BASES,
    GRAPH_ADJECTIVES,
    GRAPH_MEASURES,
    MEASURES,
    ONLY_OF_FORESTS,
    ONLY_OF_GRAPHS,
    adjectives_of,
    measures_of,
)

GREATEST_EXPONENT: Final = 9


class Claims(Expressions):
    """Builds claims; the names of transitions must be known by then."""

    def __init__(self, problems: Problems, folder: Path | None = None) -> None:
        """Start without transitions; files are looked up in `folder`, if the location of the figure is known."""
        super().__init__(problems)
        self.folder = folder
        self.rules: list[s.Rule] = []
        self.attempted_rules: list[str] = []
        self.dynamic_oracles: list[s.DynamicOracle] = []
        self.lossy: set[str] = set()

    def claim(self, tree: Branch) -> s.Claim | None:
        """A claim; None if it cannot be built."""
        kinds: dict[str, Literal["plain", "negated", "refuted"]] = {
            "negated_claim": "negated",
            "refuted_claim": "refuted",
        }
        kind = kinds.get(tree.data, "plain")
        statement = self._statement(branch(tree.children[0]))
        witness = (
            self._witness(tree.children[1], statement) if kind != "plain" and tree.children[1] is not None else None
        )
        return None if statement is None else s.Claim(statement, kind, witness, place_of(tree))

    def _witness(self, part: object, statement: s.Statement | None) -> s.Witness:
        token = token_of(part)
        is_of_graphs = isinstance(statement, s.CompleteFor) and statement.graphs.base == "graphs"
        if ">" in token:
            return self._witness_by_arcs(token, is_of_graphs)
        heads = tuple(int(head) if len(head) < 6 else -1 for head in token.removeprefix("witness").strip().split(","))
        if statement is not None and not isinstance(statement, s.CompleteFor):
            self.problems.add(place_of(token), "only completeness has a witness", "leave it out")
        for word, head in enumerate(heads, start=1):
            if not 0 <= head <= len(heads) or head == word:
                hint = f"heads go from 0 to {len(heads)}, and no word is its own head"
                self.problems.add(place_of(token), f"word {word} of the witness cannot have this head", hint)
                return heads
        if cycle_in(heads) is not None and not is_of_graphs:
            self.problems.add(
                place_of(token), "the witness has a cycle", "a witness must be a tree, written as a list of heads"
            )
        return heads

    def _witness_by_arcs(self, token: Token, is_of_graphs: bool) -> s.Witness:
        try:
            graph = parse_arcs(token.removeprefix("witness").strip())
        except BadGraph as error:
            self.problems.add(place_of(token), f"the witness is not a graph: {error}", "it is written witness 0>1 2>1")
            return ()
        if not is_of_graphs:
            hint = "write the heads, witness 2,0,2; arcs are for claims that a class of graphs is not complete"
            self.problems.add(place_of(token), "this witness must be written as a list of heads", hint)
        return tuple((arc.head, arc.dependent) for arc in graph.sorted_arcs())

    def _statement(self, tree: Branch) -> s.Statement | None:
        where = place_of(tree)
        parts = tree.children
        if tree.data in s.BARE_STATEMENTS:
            return cast(s.Statement, s.BARE_STATEMENTS[tree.data](where))
        match tree.data:
            case "sound" | "complete":
                graphs = self._graphs(branch(parts[0]))
                if graphs is None:
                    return None
                return s.Sound(graphs, where) if tree.data == "sound" else s.CompleteFor(graphs, where)
            case "length":
                return s.LengthBound(self._bounding(parts[0]), self.polynomial(branch(parts[1])), where)
            case "space":
                return s.SpaceBound(self._bounding(parts[0]), self.polynomial(branch(parts[1])), where)
            case "count_bound":
                name = str(parts[0])[1:]
                self.known_transition(name, place_of(token_of(parts[0])))
                return s.CountBound(name, self._bounding(parts[1]), self.polynomial(branch(parts[2])), where)
            case "incremental":
                strength = cast(Literal["weakly", "strictly"], str(parts[0])) if parts[0] is not None else ""
                return s.Incremental(strength, where)
            case "like":
                graphs = self._graphs(branch(parts[1]))
                self._known_system(token_of(parts[0]))
                return None if graphs is None else s.SameTransitions(str(parts[0]), graphs, where)
            case "equivalent":
                self._known_system(token_of(parts[0]))
                return s.SameOutputs(str(parts[0]), where)
            case "exact" | "safe" | "never_stuck":
                return self._of_a_dynamic_oracle(tree.data, token_of(parts[0]), branch(parts[1]), where)
            case "arc_decomposable":
                graphs = self._graphs(branch(parts[0]))
                return None if graphs is None else s.ArcDecomposable(graphs, where)
        raise AssertionError(tree.data)

    def _known_system(self, token: Token) -> None:
        """Report a system that is neither built in nor a file relative to the figure."""
        name, where = token.partition("[")[0], place_of(token)
        if not name.endswith(SUFFIX):
            if name not in system_names():
                near = similar_names(name)
                hint = f"did you mean {' or '.join(near)}?" if near else f"a file is named by its path: {name}{SUFFIX}"
                self.problems.add(where, f"there is no built-in system {name}", hint)
        elif self.folder is not None and not (self.folder / name).is_file():
            files = sorted(path.name for path in self.folder.glob(f"*{SUFFIX}"))
            near = get_close_matches(name, files, n=1)
            hint = f"did you mean {near[0]}?" if near else "the path starts at the folder of this figure"
            self.problems.add(where, f"there is no file {name}", hint)

    def _of_a_dynamic_oracle(self, kind: str, token: Token, tree: Branch, where: Place) -> s.OfADynamicOracle | None:
        self.known_dynamic(token)
        graphs = self._graphs(tree)
        if graphs is None:
            return None
        kinds: dict[str, type[s.OfADynamicOracle]] = {"exact": s.Exact, "safe": s.Safe, "never_stuck": s.NeverStuck}
        return kinds[kind](str(token), graphs, where)

    def known_dynamic(self, token: Token) -> None:
        """Report an error if the figure has no dynamic oracle of this name."""
        names = [oracle.name for oracle in self.dynamic_oracles]
        if token in names or "dynamic" in self.unread:
            return
        near = get_close_matches(token, names, n=1)
        there = f"the dynamic oracles are {', '.join(names)}" if names else "the figure has none"
        hint = f"did you mean {near[0]}?" if near else there
        self.problems.add(place_of(token), f"there is no dynamic oracle {token}", hint)

    def known_transition(self, name: str, where: Place) -> bool:
        """Whether the figure has this transition; if not, report it."""
        if name not in self.attempted_rules:
            near = get_close_matches(name, self.attempted_rules, n=1)
            names = ", ".join(dict.fromkeys(self.attempted_rules)) or "none"
            hint = f"did you mean {near[0]}?" if near else f"the transitions are {names}"
            self.problems.add(where, f"there is no transition {name}", hint)
        return name in self.attempted_rules

    def _bounding(self, part: object) -> s.Bounding:
        token = token_of(part)
        relation = RELATIONS[str(token)]
        if relation == "=" or relation == "<=" or relation == ">=":
            return relation
        self.problems.add(place_of(token), f"`{token}` is not used in claims", "a bound is written =, <= or >=")
        return "<="

    def _graphs(self, tree: Branch) -> s.GraphClass | None:
        words = [token_of(part) for part in tree.children if isinstance(part, Token)]
        measures = [branch(part) for part in tree.children if isinstance(part, Tree)]
        *adjectives, last = words
        base = next((base for base in BASES if base == last), None)
        restrictions = [self._adjective(token, base) for token in adjectives]
        restrictions += [self._degree(measure, base) for measure in measures]
        if base is not None:
            if any(restriction is None for restriction in restrictions):
                return None
            known = tuple(restriction for restriction in restrictions if restriction is not None)
            return s.GraphClass(known, base, place_of(tree))
        kinds = [kind for kind in BASES if str(last) in adjectives_of(kind)]
        if kinds:
            missing = f"{', '.join(kinds[:-1])} or {kinds[-1]} is missing" if kinds[1:] else f"{kinds[0]} is missing"
            hint = "write " + ", or ".join(f"{last} {kind}" for kind in kinds)
            self.problems.add(place_of(last), missing, hint)
        else:
            hint = "a class ends with forests, trees or graphs, as in projective trees"
            self.problems.add(place_of(last), f"unknown class {last}", hint)
        return None

    def _adjective(self, token: Token, base: s.Base | None) -> s.Restriction | None:
        word = str(token)
        known = adjectives_of(base) if base is not None else ADJECTIVES | GRAPH_ADJECTIVES
        if word in known:
            return s.Restriction(word, None, place_of(token))
        if base is None or not self._of_another_base(token, base):
            near = get_close_matches(token, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"the words for classes are {', '.join(known)}"
            self.problems.add(place_of(token), f"unknown class {token}", hint)
        return None

    def _of_another_base(self, token: Token, base: s.Base) -> bool:
        """Whether a word is meant for other kinds of graphs; if so, report why it does not apply here."""
        word = str(token)
        if base == "graphs" and (word in ADJECTIVES or word in MEASURES):
            self.problems.add(place_of(token), f"{word} does not apply to graphs", ONLY_OF_FORESTS)
        elif base != "graphs" and word in ONLY_OF_GRAPHS:
            self.problems.add(place_of(token), f"{word} does not apply to {base}", ONLY_OF_GRAPHS[word])
        else:
            return False
        return True

    def _degree(self, tree: Branch, base: s.Base | None) -> s.Restriction | None:
        word, relation, value = map(token_of, tree.children)
        known = measures_of(base) if base is not None else MEASURES | GRAPH_MEASURES
        if str(word) not in known:
            if base is None or not self._of_another_base(word, base):
                hint = (
                    f"the measures are {', '.join(known)}" if len(known) > 1 else f"the measure is {next(iter(known))}"
                )
                self.problems.add(place_of(word), f"unknown measure {word}", hint)
            return None
        if RELATIONS[str(relation)] != "<=":
            self.problems.add(place_of(relation), f"`{relation}` is not used here", "a measure is bounded by <=")
        bound: s.Term
        match value.type:
            case "NUMBER":
                bound = self.number(value)
            case "INFINITY":
                bound = s.Infinity(place_of(value))
            case _:
                bound = self.name_term(value, Scope(), numeric=True)
        return s.Restriction(str(word), bound, place_of(tree))

    def polynomial(self, tree: Branch, scope: Scope | None = None) -> s.Term:
        """The bound of a claim; or, with a scope, a function of the names it binds."""
        scope = scope or Scope()
        where = place_of(tree)
        parts = tree.children
        match tree.data:
            case "number":
                return self.number(token_of(parts[0]))
            case "name":
                return self.name_term(token_of(parts[0]), scope, numeric=True)
            case "count":
                name = str(parts[0])[1:]
                if scope.in_measure:
                    self.problems.add(
                        where,
                        f"`{parts[0]}` refers to the run",
                        "a measure is about one configuration; claims count transitions",
                    )
                    return s.Number(0, where)
                self.known_transition(name, where)
                return s.Count(name, where)
            case "size":
                if not scope.in_measure:
                    hint = "bounds are about n and counts such as #SWAP; sizes belong in `measure`"
                    self.problems.add(where, "a claim is not about one configuration", hint)
                    return s.Number(0, where)
                return self.size(tree, scope) or s.Number(0, where)
            case "sum":
                sign = cast(s.Operator, str(parts[1]))
                return s.Arithmetic(
                    sign, self.polynomial(branch(parts[0]), scope), self.polynomial(branch(parts[2]), scope), where
                )
            case "times" | "divided":
                operator: s.Operator = "*" if tree.data == "times" else "/"
                left, right = (self.polynomial(branch(part), scope) for part in parts[:2])
                if operator == "/" and (not isinstance(right, s.Number) or right.value == 0):
                    self.problems.add(
                        place_of(branch(parts[1])), "this is not a valid divisor", "divide by a number other than 0"
                    )
                return s.Arithmetic(operator, left, right, where)
            case "squared":
                return s.Arithmetic("^", self.polynomial(branch(parts[0]), scope), s.Number(2), where)
            case "to_the":
                exponent = self.number(token_of(parts[1]))
                if exponent.value > GREATEST_EXPONENT:
                    self.problems.add(
                        exponent.where, "the exponent is too large", f"exponents go up to {GREATEST_EXPONENT}"
                    )
                return s.Arithmetic("^", self.polynomial(branch(parts[0]), scope), exponent, where)
        raise AssertionError(tree.data)

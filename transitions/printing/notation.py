"""Printing parts of a figure: one walk over the tree, one table of symbols for each notation.

`SOURCE` is the specification language itself: reading what it prints gives the same tree.  `TEXT` is what an author
would write in a plain-text e-mail, `LATEX` what a paper would typeset (in math mode), `HTML` the same for a page
(variables in `i`, small capitals in `span.sc`).
"""

from collections.abc import Callable
from typing import Final, assert_never

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import syntax as s
from arcproof.transitions.graph import format_heads
from arcproof.transitions.printing.escape import for_xml
from arcproof.transitions.reading.spelling import ascii_name, is_greek


@dataclass(frozen=True, slots=True)
class Notation:
    """The symbols of one notation; templates take their parts in order."""

    name: Callable[[str], str]
    relations: dict[str, str]
    conjunction: str
    disjunction: str
    negation: str
    has_head: str
    no_head: str
    has_dependent: str
    no_dependent: str
    has_arc: str
    reaches: str
    connected: str
    exists: str
    for_all: str
    member: str
    no_member: str
    gold_arc: str
    gold_labelled: str
    gold_tag: str
    complete: str
    precedes: str
    size: str
    degree: str
    gold_function: str
    count: str
    infinity: str
    bar: str
    dot: str
    hole: str
    truth: str
    flags: tuple[str, str]
    empty_set: str
    power: str
    spread: str
    empty_arcs: str
    united: str
    without: str
    tagged: str
    such_that: str
    count_of: str
    truth_of: str
    gold_head_in: str


def _latex_name(name: str) -> str:
    letter, rest = name[0], name[1:]
    primes = "'" * rest.count("'")
    rest = rest.replace("'", "")
    head = f"\\{ascii_name(letter)}" if is_greek(letter) else letter
    if rest and not rest.isdigit() and not is_greek(letter):
        return f"\\mathit{{{name.replace(chr(39), '')}}}{primes}"
    return head + (f"_{{{rest}}}" if rest else "") + primes


def _html_name(name: str) -> str:
    stem = name.replace("'", "")
    letters = stem.rstrip("0123456789₀₁₂₃₄₅₆₇₈₉")
    index = stem[len(letters) :]
    subscript = f"<sub>{for_xml(index)}</sub>" if index else ""
    return f"<i>{for_xml(letters)}</i>{subscript}{'′' * name.count(chr(39))}"


SOURCE: Final = Notation(
    name=str,
    relations={r: r for r in ("=", "!=", "<", "<=", ">", ">=")},
    conjunction=" and ",
    disjunction=" or ",
    negation="not {}",
    has_head="head({})",
    no_head="no head({})",
    has_dependent="dependent({})",
    no_dependent="no dependent({})",
    has_arc="{} -> {}",
    reaches="{} ->* {}",
    connected="{} <->* {}",
    exists="exists {} in {}: {}",
    for_all="all {} in {}: {}",
    member="{} in {}",
    no_member="{} not in {}",
    gold_arc="gold {} -> {}",
    gold_labelled="gold {} -{}-> {}",
    gold_tag="gold tag {} {}",
    complete="complete({})",
    precedes="{} <G {}",
    size="|{}|",
    degree="degree({}, {})",
    gold_function="{}({})",
    count="#{}",
    infinity="∞",
    bar="|",
    dot="·",
    hole="_",
    truth="({})",
    flags=("false", "true"),
    empty_set="{}",
    power="{}^{}",
    spread="{}..{}",
    empty_arcs="{}",
    united=" + ({})",
    without=" - (*, {})",
    tagged="[{} -> {}]",
    such_that=" with ",
    count_of="#{{{} in {}{}}}",
    truth_of="[{}]",
    gold_head_in="gold head({}) in {}",
)

_SIGNS: Final = {"=": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}

TEXT: Final = Notation(
    name=str,
    relations=_SIGNS,
    conjunction=" ∧ ",
    disjunction=" ∨ ",
    negation="¬({})",
    has_head="HEAD({})",
    no_head="¬HEAD({})",
    has_dependent="DEPENDENT({})",
    no_dependent="¬DEPENDENT({})",
    has_arc="({}, ·, {}) ∈ A",
    reaches="{} →* {}",
    connected="{} ↔* {}",
    exists="∃{} ∈ {}: {}",
    for_all="∀{} ∈ {}: {}",
    member="{} ∈ {}",
    no_member="{} ∉ {}",
    gold_arc="({}, ·, {}) ∈ G",
    gold_labelled="({}, {}, {}) ∈ G",
    gold_tag="{1} = π_G({0})",
    complete="COMPLETE({})",
    precedes="{} <G {}",
    size="|{}|",
    degree="DEGREE({}, {})",
    gold_function="{}({})",
    count="#{}",
    infinity="∞",
    bar="|",
    dot="·",
    hole="_",
    truth="[{}]",
    flags=("false", "true"),
    empty_set="∅",
    power="{}^{}",
    spread="{}, ..., {}",
    empty_arcs="∅",
    united=" ∪ {{({})}}",
    without=" \\ {{(·, ·, {})}}",
    tagged="[{} → {}]",
    such_that=" with ",
    count_of="#{{{} ∈ {}{}}}",
    truth_of="[{}]",
    gold_head_in="g({}) ∈ {}",
)

LATEX: Final = Notation(
    name=_latex_name,
    relations={"=": "=", "!=": "\\neq", "<": "<", "<=": "\\leq", ">": ">", ">=": "\\geq"},
    conjunction=" \\wedge ",
    disjunction=" \\vee ",
    negation="\\neg({})",
    has_head="\\textsc{{head}}({})",
    no_head="\\neg\\textsc{{head}}({})",
    has_dependent="\\textsc{{dependent}}({})",
    no_dependent="\\neg\\textsc{{dependent}}({})",
    has_arc="({}, \\cdot, {}) \\in A",
    reaches="{} \\rightarrow^{{*}} {}",
    connected="{} \\leftrightarrow^{{*}} {}",
    exists="\\exists {} \\in {}\\colon {}",
    for_all="\\forall {} \\in {}\\colon {}",
    member="{} \\in {}",
    no_member="{} \\notin {}",
    gold_arc="({}, \\cdot, {}) \\in G",
    gold_labelled="({}, {}, {}) \\in G",
    gold_tag="{1} = \\pi_G({0})",
    complete="\\textsc{{complete}}({})",
    precedes="{} <_{{G}} {}",
    size="|{}|",
    degree="\\textsc{{degree}}({}, {})",
    gold_function="\\textsc{{{}}}({})",
    count="\\#\\textsc{{{}}}",
    infinity="\\infty",
    bar="|",
    dot="\\cdot ",
    hole="\\_",
    truth="[{}]",
    flags=("\\mathit{false}", "\\mathit{true}"),
    empty_set="\\emptyset",
    power="{}^{{{}}}",
    spread="{}, \\ldots, {}",
    empty_arcs="\\emptyset",
    united=" \\cup \\{{({})\\}}",
    without=" \\setminus \\{{(\\cdot, \\cdot, {})\\}}",
    tagged="[{} \\to {}]",
    such_that="\\text{ with }",
    count_of="\\#\\{{{} \\in {}{}\\}}",
    truth_of="[{}]",
    gold_head_in="g({}) \\in {}",
)

HTML: Final = Notation(
    name=_html_name,
    relations={**_SIGNS, "<": "&lt;", ">": "&gt;"},
    conjunction=" ∧ ",
    disjunction=" ∨ ",
    negation="¬({})",
    has_head='<span class="sc">head</span>({})',
    no_head='¬<span class="sc">head</span>({})',
    has_dependent='<span class="sc">dependent</span>({})',
    no_dependent='¬<span class="sc">dependent</span>({})',
    has_arc="({}, ·, {}) ∈ <i>A</i>",
    reaches="{} →<sup>∗</sup> {}",
    connected="{} ↔<sup>∗</sup> {}",
    exists="∃{} ∈ {}: {}",
    for_all="∀{} ∈ {}: {}",
    member="{} ∈ {}",
    no_member="{} ∉ {}",
    gold_arc="({}, ·, {}) ∈ <i>G</i>",
    gold_labelled="({}, {}, {}) ∈ <i>G</i>",
    gold_tag="{1} = <i>π</i><sub><i>G</i></sub>({0})",
    complete='<span class="sc">complete</span>({})',
    precedes="{} &lt;<sub><i>G</i></sub> {}",
    size="|{}|",
    degree='<span class="sc">degree</span>({}, {})',
    gold_function='<span class="sc">{}</span>({})',
    count='#<span class="sc">{}</span>',
    infinity="∞",
    bar='<span class="bar">|</span>',
    dot=" · ",
    hole="_",
    truth="[{}]",
    flags=("<i>false</i>", "<i>true</i>"),
    empty_set="∅",
    power="{}<sup>{}</sup>",
    spread="{}, …, {}",
    empty_arcs="∅",
    united=" ∪ {{({})}}",
    without=" ∖ {{(·, ·, {})}}",
    tagged="[{} → {}]",
    such_that=" with ",
    count_of="#{{{} ∈ {}{}}}",
    truth_of="[{}]",
    gold_head_in="<i>g</i>({}) ∈ {}",
)


# --- sequences and values --------------------------------------------------------------------------------------------


def pattern_text(pattern: s.Pattern, notation: Notation) -> str:
    """What is written before `=>` for one component."""
    match pattern:
        case s.SequenceOf():
            return sequence_text(pattern, notation)
        case s.AnyValue(name):
            return notation.hole if name == "_" else notation.name(name)
        case s.FlagLiteral(value):
            return notation.flags[value]
        case s.CounterFrom(term):
            return term_text(term, notation)
        case _:
            assert_never(pattern)


def update_text(update: s.Update, notation: Notation) -> str:
    """What is written after `=>` for one component."""
    match update:
        case s.SequenceOf():
            return sequence_text(update, notation)
        case s.FlagLiteral(value):
            return notation.flags[value]
        case s.FlagFrom(s.IsSet(flag)):
            return notation.name(flag)
        case s.FlagFrom(condition):
            return notation.truth.format(condition_text(condition, notation))
        case s.CounterFrom(term):
            return term_text(term, notation)
        case s.SetFrom(base, changes):
            start = notation.empty_set if base is None else notation.name(base)
            return start + "".join(f" {sign} {term_text(node, notation)}" for sign, node in changes)
        case _:
            assert_never(update)


def start_text(value: s.StartValue, notation: Notation) -> str:
    """The value of one component in the initial configuration."""
    match value:
        case s.LiteralSequence():
            return literal_text(value, notation)
        case s.FlagLiteral() | s.CounterFrom() | s.SetFrom():
            return update_text(value, notation)
        case _:
            assert_never(value)


def sequence_text(sequence: s.SequenceOf, notation: Notation) -> str:
    """`σ|i`, `λ1·λ2|j`, `[]`, `[i]`, `[0]`."""
    text = ""
    for index, item in enumerate(sequence.items):
        if index:
            both = isinstance(item, s.Segment) and isinstance(sequence.items[index - 1], s.Segment)
            text += notation.dot if both else notation.bar
        text += _item_text(item, notation)
    return text if any(isinstance(item, s.Segment) for item in sequence.items) else f"[{text}]"


def _item_text(item: s.Item, notation: Notation) -> str:
    match item.name:
        case "_":
            return notation.hole
        case s.ROOT_CELL:
            return s.ROOT_CELL
        case name:
            return notation.name(name)


def literal_text(literal: s.LiteralSequence, notation: Notation) -> str:
    """`[0]`, `[1..n]`, `[]`."""
    return "[" + ", ".join(_range_text(part, notation) for part in literal.ranges) + "]"


def _range_text(part: s.NodeRange, notation: Notation) -> str:
    if part.first == part.last:
        return str(part.first)
    return notation.spread.format(part.first, notation.name("n") if part.last is None else part.last)


# --- terms -----------------------------------------------------------------------------------------------------------

_BINDS: Final = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
_BESIDE_A_NUMBER: Final = (s.Words, s.Parameter, s.Size, s.ArcCount, s.CounterVariable, s.FlagValue)


def term_text(term: s.Term, notation: Notation) -> str:
    """`d - 1`, `|τ|`, `n(n - 1)/2`."""
    match term:
        case s.Number(value):
            return str(value)
        case s.Infinity():
            return notation.infinity
        case s.Words():
            return notation.name("n")
        case s.Variable(name) | s.CounterVariable(name) | s.Parameter(name) | s.FlagValue(name):
            return notation.name(name)
        case s.Size(segment):
            return notation.size.format(notation.name(segment))
        case s.ArcCount():
            return notation.size.format(notation.name("A"))
        case s.Degree(left, right):
            return notation.degree.format(term_text(left, notation), term_text(right, notation))
        case s.GoldFunction(name, argument):
            return notation.gold_function.format(name, term_text(argument, notation))
        case s.Count(transition):
            return notation.count.format(transition)
        case s.Arithmetic():
            return _arithmetic_text(term, notation)
        case _:
            assert_never(term)


def _arithmetic_text(term: s.Arithmetic, notation: Notation) -> str:
    strength = _BINDS[term.operator]
    left = _operand_text(term.left, strength, notation)
    right = _operand_text(term.right, strength + 1, notation)
    match term.operator:
        case "+" | "-":
            return f"{left} {term.operator} {right}"
        case "/":
            return f"{left}/{right}"
        case "^":
            return notation.power.format(_operand_text(term.left, strength + 1, notation), right)
        case "*":
            return left + _times(term, right) + right
        case _:
            assert_never(term.operator)


def _times(product: s.Arithmetic, right: str) -> str:
    plain = isinstance(product.left, (s.Number, s.Words))
    if plain and right.startswith("("):
        return ""
    if isinstance(product.left, s.Number) and isinstance(product.right, _BESIDE_A_NUMBER):
        return ""
    if isinstance(product.left, s.Number) and isinstance(product.right, s.Count):
        return " "
    return " * "


def _operand_text(term: s.Term, strength: int, notation: Notation) -> str:
    text = term_text(term, notation)
    weaker = isinstance(term, s.Arithmetic) and _BINDS[term.operator] < strength
    return f"({text})" if weaker else text


# --- conditions ------------------------------------------------------------------------------------------------------


def condition_text(condition: s.Condition, notation: Notation) -> str:
    """The text of a condition: `i != 0`, `no head(i)`, `exists k in σ: gold k -> j`."""

    def term(part: s.Term) -> str:
        return term_text(part, notation)

    match condition:
        case s.Comparison(terms, relations):
            text = term(terms[0])
            for relation, part in zip(relations, terms[1:], strict=True):
                text += f" {notation.relations[relation]} {term(part)}"
            return text
        case s.SequenceIs(segment, relation, value):
            return f"{notation.name(segment)} {notation.relations[relation]} {literal_text(value, notation)}"
        case s.HasHead(node):
            return notation.has_head.format(term(node))
        case s.HasDependent(node):
            return notation.has_dependent.format(term(node))
        case s.HasArc(head, dependent):
            return notation.has_arc.format(term(head), term(dependent))
        case s.Reaches(source, target):
            return notation.reaches.format(term(source), term(target))
        case s.Connected(left, right):
            return notation.connected.format(term(left), term(right))
        case s.IsSet(flag):
            return notation.name(flag)
        case s.InSet(node, set_name):
            return notation.member.format(term(node), notation.name(set_name))
        case s.InSequence(node, sequence):
            return notation.member.format(term(node), sequence_text(sequence, notation))
        case s.Quantified("exists", s.GOLD_HEAD, domain, s.GoldArc(_, node)):
            return notation.gold_head_in.format(term(node), sequence_text(domain, notation))
        case s.Quantified(quantifier, variable, domain, body):
            template = notation.exists if quantifier == "exists" else notation.for_all
            return template.format(
                notation.name(variable), sequence_text(domain, notation), condition_text(body, notation)
            )
        case s.Not(body):
            return _negation_text(body, notation)
        case s.And(parts):
            return _joined(parts, notation.conjunction, (s.And, s.Or), notation)
        case s.Or(parts):
            return _joined(parts, notation.disjunction, (s.Or,), notation)
        case s.GoldArc(head, dependent, label):
            if label is None:
                return notation.gold_arc.format(term(head), term(dependent))
            return notation.gold_labelled.format(term(head), notation.name(label), term(dependent))
        case s.GoldTag(node, label):
            return notation.gold_tag.format(term(node), notation.name(label))
        case s.Complete(node):
            return notation.complete.format(term(node))
        case s.Precedes(left, right):
            return notation.precedes.format(term(left), term(right))
        case _:
            assert_never(condition)


def _negation_text(body: s.Condition, notation: Notation) -> str:
    match body:
        case s.HasHead(node):
            return notation.no_head.format(term_text(node, notation))
        case s.HasDependent(node):
            return notation.no_dependent.format(term_text(node, notation))
        case s.InSet(node, set_name):
            return notation.no_member.format(term_text(node, notation), notation.name(set_name))
        case s.InSequence(node, sequence):
            return notation.no_member.format(term_text(node, notation), sequence_text(sequence, notation))
    text = condition_text(body, notation)
    if notation is SOURCE and isinstance(body, (s.And, s.Or)):
        text = f"({text})"
    return notation.negation.format(text)


def _joined(
    parts: tuple[s.Condition, ...], sign: str, weaker: tuple[type[s.And] | type[s.Or], ...], notation: Notation
) -> str:
    texts = []
    for index, part in enumerate(parts):
        text = condition_text(part, notation)
        open_ended = index < len(parts) - 1 and _ends_with_quantifier(part)
        texts.append(f"({text})" if isinstance(part, weaker) or open_ended else text)
    return sign.join(texts)


def _ends_with_quantifier(condition: s.Condition) -> bool:
    match condition:
        case s.Quantified(_, variable):
            return variable != s.GOLD_HEAD
        case s.Not(body):
            return _ends_with_quantifier(body)
        case s.And(parts) | s.Or(parts):
            return _ends_with_quantifier(parts[-1])
    return False


# --- costs -----------------------------------------------------------------------------------------------------------


def cost_text(line: s.CostLine, notation: Notation) -> str:
    """The text of a cost: `#{k in b|β: gold s -> k} + [gold head(s) in β]`."""
    (sign, first), *rest = line.parts
    text = ("-" if sign == "-" else "") + cost_part_text(first, notation)
    return text + "".join(f" {sign} {cost_part_text(part, notation)}" for sign, part in rest)


def loss_text(loss: s.LossOf, notation: Notation) -> str:
    """`tabular(σ, β)`."""
    return notation.gold_function.format(loss.function, ", ".join(map(notation.name, loss.arguments)))


def cost_part_text(part: s.CostPart, notation: Notation) -> str:
    """A summand of a cost."""
    match part:
        case s.Number():
            return term_text(part, notation)
        case s.CountOf(variable, domain, conditions):
            asked = f": {_listed(conditions, notation)}" if conditions else ""
            return notation.count_of.format(notation.name(variable), sequence_text(domain, notation), asked)
        case s.TruthOf(conditions):
            return notation.truth_of.format(_listed(conditions, notation))
        case _:
            assert_never(part)


def _listed(conditions: tuple[s.Condition, ...], notation: Notation) -> str:
    return ", ".join(condition_text(condition, notation) for condition in conditions)


# --- claims ----------------------------------------------------------------------------------------------------------


def class_text(graphs: s.GraphClass, notation: Notation = SOURCE) -> str:
    """The text of a class: `well-nested trees with gap-degree <= 1`."""
    adjectives = [r.name for r in graphs.restrictions if r.bound is None]
    measures = [
        f"{r.name} {notation.relations['<=']} {term_text(r.bound, notation)}"
        for r in graphs.restrictions
        if r.bound is not None
    ]
    return " ".join([*adjectives, graphs.base]) + (" with " + " and ".join(measures) if measures else "")


def bound_text(claim: s.LengthBound | s.SpaceBound | s.CountBound, notation: Notation = SOURCE) -> str:
    """`<= 2n`."""
    return f"{notation.relations[claim.relation]} {term_text(claim.bound, notation)}"


def bounded_text(claim: s.LengthBound | s.SpaceBound | s.CountBound, notation: Notation = SOURCE) -> str:
    """The quantity that a bound limits: `length`, `space`, `#SWAP`."""
    match claim:
        case s.LengthBound():
            return "length"
        case s.SpaceBound():
            return "space"
        case s.CountBound(transition):
            return notation.count.format(transition)
        case _:
            assert_never(claim)


def statement_text(statement: s.Statement, notation: Notation = SOURCE) -> str:
    """The statement of a claim, without its negation."""
    match statement:
        case s.Sound(graphs):
            return f"sound {class_text(graphs, notation)}"
        case s.CompleteFor(graphs):
            return f"complete {class_text(graphs, notation)}"
        case s.LengthBound() | s.CountBound() | s.SpaceBound():
            return f"{bounded_text(statement, notation)} {bound_text(statement, notation)}"
        case s.Incremental(strength):
            return f"{strength} incremental".strip()
        case s.Bare():
            return statement.words
        case s.SameTransitions(system, graphs):
            return f"like {system} on {class_text(graphs, notation)}"
        case s.SameOutputs(system):
            return f"equivalent to {system}"
        case s.Exact(oracle, graphs):
            return f"exact {oracle} on {class_text(graphs, notation)}"
        case s.Safe(oracle, graphs):
            return f"safe {oracle} on {class_text(graphs, notation)}"
        case s.NeverStuck(oracle, graphs):
            return f"never stuck {oracle} on {class_text(graphs, notation)}"
        case s.ArcDecomposable(graphs):
            return f"arc-decomposable on {class_text(graphs, notation)}"
        case _:
            assert_never(statement)


def claim_text(claim: s.Claim, notation: Notation = SOURCE) -> str:
    """The text of a claim: `not complete trees`, `published complete trees, refuted`."""
    before, after = claim_frame(claim)
    return f"{before}{statement_text(claim.statement, notation)}{after}"


def claim_frame(claim: s.Claim) -> tuple[str, str]:
    """What comes before the statement of a claim, and what comes after it."""
    match claim.kind:
        case "plain":
            return "", ""
        case "negated":
            return "not ", _witness_text(claim)
        case "refuted":
            return "published ", f", refuted{_witness_text(claim)}"
        case _:
            assert_never(claim.kind)


def _witness_text(claim: s.Claim) -> str:
    if claim.witness is None:
        return ""
    by_arcs = [part for part in claim.witness if not isinstance(part, int)]
    if by_arcs:
        return ", witness " + " ".join(f"{head}>{dependent}" for head, dependent in by_arcs)
    return ", witness " + format_heads(part for part in claim.witness if isinstance(part, int))


# --- what helps to prove claims --------------------------------------------------------------------------------------


def help_text(given: s.Help, notation: Notation = SOURCE) -> str:
    """`measure V = 2|β| + |σ|`, as the specification writes it."""
    match given:
        case s.OracleInvariant(oracle, condition):
            return f"invariant of {oracle}: {condition_text(condition, notation)}"
        case s.GivenMeasure(name, term):
            return f"measure {notation.name(name)} = {term_text(term, notation)}"
        case s.GivenLemma(text):
            return f"lemma {text}"
        case _:
            assert_never(given)

"""The figure as a paper prints it: text, LaTeX, JSON.

All four show the same `Sheet`: start, terminal configurations, transitions with preconditions, oracles, claims, and a
legend of the notions that occur.
"""

from collections.abc import Callable, Iterator
from typing import Final, Generic, TypeVar, assert_never

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import syntax as s
from arcproof.transitions.gold import GOLD_FUNCTIONS
from arcproof.transitions.loss_functions import LOSS_FUNCTIONS
from arcproof.transitions.printing.escape import (
    LATEX_FRAGMENT_PREAMBLE,
    LATEX_PREAMBLE,
    for_latex,
    for_terminal,
)
from arcproof.transitions.printing.notation import (
    LATEX,
    SOURCE,
    TEXT,
    Notation,
    claim_text,
    condition_text,
    cost_text,
    literal_text,
    loss_text,
    pattern_text,
    start_text,
    term_text,
    update_text,
)
from arcproof.transitions.printing.source import aligned, effect_text, to_source
from arcproof.transitions.printing.wording import HEADLESS_HANG_ON_ROOT
from arcproof.transitions.reading.spelling import ascii_name

_I, _J = s.Variable("i"), s.Variable("j")
MEANINGS: Final[list[tuple[s.Condition | s.Degree, str]]] = [
    (s.HasHead(_I), "A has an arc into i"),
    (s.HasDependent(_I), "A has an arc from i"),
    (s.Reaches(_I, _J), "j can be reached from i in A, in zero or more steps"),
    (s.Connected(_I, _J), "i and j are in one weakly connected component of A"),
    (s.Degree(_I, _J), "words between i and j whose head is not from i to j, or that have none"),
    (s.GoldArc(_I, _J, None), "the gold graph"),
    (s.GoldTag(_I, "p"), "p is the gold tag of i; π has the tags given so far"),
    (s.Complete(_I), "every gold dependent of i is attached to i in A"),
    (s.Precedes(_I, _J), "i precedes j in the projective order of G, its inorder traversal"),
]


T = TypeVar("T", bound=str)
"""What a notation produces: plain text, or text marked as markup."""


@dataclass(frozen=True, slots=True)
class RuleRow(Generic[T]):
    """A transition as a row: name, label, the two configurations, preconditions."""

    name: str
    label: T | None
    before: T
    after: T
    preconditions: tuple[T, ...]


@dataclass(frozen=True, slots=True)
class OracleRow(Generic[T]):
    """An oracle line as a row: the transition, and when it is taken; a line with no pattern and no condition reads
    `otherwise`.
    """

    name: str
    label: T | None
    pattern: T | None
    conditions: tuple[T, ...]


RAISES: Final = "the cost of a transition is how much it raises"
SEVERAL_HEADS: Final = "a word may have several"


@dataclass(frozen=True, slots=True)
class CostRow(Generic[T]):
    """A line of a dynamic oracle as a row: the transition, where it matches, and what it costs there."""

    name: str
    label: T | None
    pattern: T | None
    cost: T


@dataclass(frozen=True, slots=True)
class Sheet(Generic[T]):
    """A figure with every part printed in one notation."""

    name: str
    cite: str
    notes: tuple[str, ...]
    parameters: tuple[T, ...]
    initial: T
    terminal: T
    rules: tuple[RuleRow[T], ...]
    default: str | None
    oracles: tuple[tuple[str, tuple[OracleRow[T], ...]], ...]
    claims: tuple[T, ...]
    legend: tuple[tuple[T, str], ...]
    invariants: tuple[T, ...]
    helps: tuple[tuple[str, T | None, str], ...] = ()
    """Help for proving the claims: a heading, and the content, in the notation or as written."""
    dynamic_oracles: tuple[tuple[str, tuple[CostRow[T], ...]], ...] = ()
    """The dynamic oracles that have a line for each transition."""
    losses: tuple[tuple[str, T], ...] = ()
    """The dynamic oracles that are given by a loss."""
    heads: str | None = None
    """A remark about the heads of words, if they are unusual."""
    root: str | None = None
    """A remark about the root, if it takes no part in runs."""


def sheet(figure: s.Figure, notation: Notation) -> Sheet[str]:
    """Print every part of a figure in a notation."""

    def conditions(parts: tuple[s.Condition, ...]) -> tuple[str, ...]:
        return tuple(condition_text(part, notation) for part in parts)

    tagging = figure.assigns_tags
    rules = tuple(
        RuleRow(
            rule.name,
            rule.label,
            _configuration([pattern_text(pattern, notation) for pattern in rule.before], *_built(tagging, notation)),
            _configuration(
                [update_text(update, notation) for update in rule.after],
                _arcs(rule.effects, notation),
                *_tags(rule.effects, notation) if tagging else (),
            ),
            conditions(rule.preconditions),
        )
        for rule in figure.rules
    )
    oracles = tuple(
        (
            oracle.name,
            tuple(
                OracleRow(
                    line.transition, line.label, _pattern(line.pattern, notation, tagging), conditions(line.conditions)
                )
                for line in oracle.lines
            ),
        )
        for oracle in figure.oracles
    )
    return Sheet(
        figure.name,
        figure.cite,
        figure.notes,
        tuple(f"{notation.name(p.name)} = {term_text(p.default, notation)}" for p in figure.parameters),
        _configuration(
            [start_text(value, notation) for value in figure.start], *[notation.empty_arcs] * (2 if tagging else 1)
        ),
        _terminal(figure, notation),
        rules,
        figure.default,
        oracles,
        tuple(claim_text(claim, notation) for claim in figure.claims),
        tuple(legend(figure, notation)),
        conditions(figure.invariants),
        tuple(_help(given, notation) for given in figure.helps),
        tuple(
            (
                oracle.name,
                tuple(
                    CostRow(
                        line.transition,
                        line.label,
                        _pattern(line.pattern, notation, tagging),
                        cost_text(line, notation),
                    )
                    for line in oracle.lines
                ),
            )
            for oracle in figure.dynamic_oracles
            if oracle.loss is None
        ),
        tuple((o.name, loss_text(o.loss, notation)) for o in figure.dynamic_oracles if o.loss is not None),
        SEVERAL_HEADS if figure.several_heads else None,
        f"none: {HEADLESS_HANG_ON_ROOT}" if figure.rootless else None,
    )


def _help(given: s.Help, notation: Notation) -> tuple[str, str | None, str]:
    match given:
        case s.OracleInvariant(oracle, condition):
            return f"Invariant of {oracle}", condition_text(condition, notation), ""
        case s.GivenMeasure(name, term):
            return "Measure", f"{notation.name(name)} = {term_text(term, notation)}", ""
        case s.GivenLemma(text):
            return "Lemma", None, text
        case _:
            assert_never(given)


def _configuration(parts: list[str], *built: str) -> str:
    """The components, then what a run builds: arcs, and tags where the figure assigns them."""
    return f"({', '.join([*parts, *built])})"


def _built(tagging: bool, notation: Notation) -> list[str]:
    return [notation.name("A"), *([notation.name("π")] if tagging else [])]


def _tags(effects: tuple[s.Effect, ...], notation: Notation) -> list[str]:
    """`π[i → p]`."""
    text = notation.name("π")
    for effect in effects:
        if isinstance(effect, s.TagNode):
            text += notation.tagged.format(term_text(effect.node, notation), notation.name(effect.label))
    return [text]


def _arcs(effects: tuple[s.Effect, ...], notation: Notation) -> str:
    text = notation.name("A")
    for effect in effects:
        match effect:
            case s.RemoveArcs(dependent):
                text += notation.without.format(term_text(dependent, notation))
            case s.AddArc(head, label, dependent):
                named = [] if label is None else [notation.name(label)]
                parts = [term_text(head, notation), *named, term_text(dependent, notation)]
                text += notation.united.format(", ".join(parts))
            case s.TagNode():
                pass
            case _:
                assert_never(effect)
    return text


def _pattern(patterns: tuple[s.Pattern, ...] | None, notation: Notation, tagging: bool) -> str | None:
    if patterns is None:
        return None
    return _configuration([pattern_text(pattern, notation) for pattern in patterns], *_built(tagging, notation))


def _terminal(figure: s.Figure, notation: Notation) -> str:
    fixed: dict[str, str] = {}
    others: list[str] = []
    for condition in figure.final:
        if isinstance(condition, s.SequenceIs) and condition.relation == "=" and condition.segment not in fixed:
            fixed[condition.segment] = literal_text(condition.value, notation)
        else:
            others.append(condition_text(condition, notation))
    parts = [fixed.get(component.name, notation.name(component.name)) for component in figure.state]
    text = _configuration(parts, *_built(figure.assigns_tags, notation))
    return f"{text}{notation.such_that}{', '.join(others)}" if others else text


def legend(figure: s.Figure, notation: Notation) -> Iterator[tuple[str, str]]:
    """The notions that occur in the figure, each with its meaning."""
    parts = (figure.final, figure.invariants, figure.helps, figure.rules, figure.oracles, figure.dynamic_oracles)
    nodes = list(s.walk(parts))
    if any(isinstance(node, s.Quantified) and node.variable == s.GOLD_HEAD for node in nodes):
        yield notation.gold_head_in.format(notation.name("i"), notation.name("β")), "the gold head of i is in β"
    for notion, meaning in MEANINGS:
        if any(isinstance(node, type(notion)) for node in nodes):
            yield _notion_text(notion, notation), meaning
    for name in dict.fromkeys(node.name for node in nodes if isinstance(node, s.GoldFunction)):
        yield term_text(s.GoldFunction(name, s.Variable("i")), notation), GOLD_FUNCTIONS[name].meaning
    for loss in dict.fromkeys(node for node in nodes if isinstance(node, s.LossOf)):
        yield loss_text(loss, notation), LOSS_FUNCTIONS[loss.function].meaning


def _notion_text(notion: s.Condition | s.Degree, notation: Notation) -> str:
    match notion:
        case s.Degree():
            return term_text(notion, notation)
        case s.GoldArc():
            return notation.name("G")
        case _:
            return condition_text(notion, notation)


# --- text ------------------------------------------------------------------------------------------------------------


def to_text(figure: s.Figure) -> str:
    """Aligned text, as papers print it."""
    page = sheet(figure, TEXT)
    lines = system_lines(figure)
    if page.default is not None:
        lines += ["", f"Default  {page.default}"]
    for name, rows in page.oracles:
        lines += ["", f"Oracle {name}", *aligned(map(_oracle_cells, rows), "  ")]
    if not page.oracles:
        lines += ["", "Oracle none"]
    for name, costs in page.dynamic_oracles:
        lines += ["", f"Dynamic oracle {name}", *aligned(map(_cost_cells, costs), "  ")]
    for name, loss in page.losses:
        lines += ["", f"Dynamic oracle {name}", f"  {RAISES} {loss}"]
    if page.claims:
        lines += ["", "Claims", *(f"  {claim}" for claim in page.claims)]
    if page.legend:
        lines += ["", *aligned(([sign, f"means: {meaning}"] for sign, meaning in page.legend))]
    return "\n".join(lines) + "\n"


def system_lines(figure: s.Figure) -> list[str]:
    """The system itself, without its claims: name, notes, parameters, start, end and transitions."""
    page = sheet(figure, TEXT)
    lines = [page.name + (f"   ({for_terminal(page.cite)})" if page.cite else "")]
    lines += [f"  {for_terminal(note)}" for note in page.notes]
    facts = [["Parameters", ", ".join(page.parameters)]] if page.parameters else []
    facts += [["Heads", page.heads]] if page.heads is not None else []
    facts += [["Initialization", page.initial], ["Terminal", page.terminal]]
    facts += [["Root", page.root]] if page.root is not None else []
    facts += [["Invariant", invariant] for invariant in page.invariants]
    facts += [[heading, said or written] for heading, said, written in page.helps]
    return [*lines, "", *aligned(facts), "", "Transitions", *(f"  {line}" for line in rule_lines(figure))]


def rule_lines(figure: s.Figure) -> list[str]:
    """The transitions alone, one per line, in columns."""
    return aligned(_rule_cells(row) for row in sheet(figure, TEXT).rules)


def _subscripted(name: str, label: str | None) -> str:
    return name if label is None else f"{name}_{label}"


def _rule_cells(row: RuleRow[str]) -> list[str]:
    return [_subscripted(row.name, row.label), row.before, "⇒", row.after, ", ".join(row.preconditions)]


def _oracle_cells(row: OracleRow[str]) -> list[str]:
    return [_subscripted(row.name, row.label), _when(row, lambda pattern: f"c = {pattern}")]


def _cost_cells(row: CostRow[str]) -> list[str]:
    return [
        f"cost of {_subscripted(row.name, row.label)}",
        "" if row.pattern is None else f"in {row.pattern}",
        f"= {row.cost}",
    ]


def _when(row: OracleRow[str], is_like: Callable[[str], str]) -> str:
    conditions = [is_like(row.pattern)] if row.pattern is not None else []
    conditions += row.conditions
    return "if " + ", ".join(conditions) if conditions else "otherwise"


# --- LaTeX -----------------------------------------------------------------------------------------------------------


def to_latex(figure: s.Figure) -> str:
    """A document that compiles as it is; the figure in it can be copied into a paper."""
    return "\n".join(
        [
            r"\documentclass{article}",
            r"\usepackage[a4paper,margin=2cm]{geometry}",
            r"\usepackage{amsmath,amssymb,graphicx}",
            LATEX_PREAMBLE.rstrip(),
            r"\begin{document}",
            to_latex_figure(figure).rstrip(),
            r"\end{document}",
            "",
        ]
    )


def to_latex_fragment(figure: s.Figure) -> str:
    """The figure for use in a document of your own; the first line names the packages it needs."""
    return f"% needs \\usepackage{{amsmath,amssymb,graphicx}}\n{LATEX_FRAGMENT_PREAMBLE}{to_latex_figure(figure)}"


def to_latex_figure(figure: s.Figure) -> str:
    """The figure environment alone; it needs the packages amsmath, amssymb and graphicx."""
    page = sheet(figure, LATEX)
    lines = [r"\begin{figure}[ht]", r"\centering", r"\resizebox{\textwidth}{!}{%", r"\begin{tabular}{@{}llcll@{}}"]
    lines += [rf"Heads & {prose(page.heads)} \\"] if page.heads is not None else []
    lines.append(rf"Initialization & ${page.initial}$ \\")
    lines.append(rf"Terminal & ${page.terminal}$ \\[1ex]")
    lines += [_latex_rule(row) for row in page.rules]
    lines += [r"\end{tabular}}"]
    lines += [_latex_oracle(name, rows) for name, rows in page.oracles]
    lines += [_latex_costs(name, costs) for name, costs in page.dynamic_oracles]
    lines += [rf"\par\medskip Dynamic oracle {name}: {RAISES} ${loss}$" for name, loss in page.losses]
    lines += [rf"\par\medskip {prose(heading)}: ${said}$" for heading, said, _ in page.helps if said is not None]
    caption = f"Transition system {page.name}" + (f" ({prose(page.cite)})" if page.cite else "")
    caption += f". Root {prose(page.root)}" if page.root is not None else ""
    caption += "".join(f". Parameter ${parameter}$" for parameter in page.parameters)
    lines += [rf"\caption{{{caption}.}}", rf"\label{{fig:{page.name}}}", r"\end{figure}"]
    return "\n".join(lines) + "\n"


def prose(text: str) -> str:
    """Running text in LaTeX, which breaks it at spaces and hyphens."""
    return for_latex(text).replace("\\ ", " ").replace("-{}", "-")


def capitalized(name: str) -> str:
    """`LEFT-ARC` as papers set it, in small capitals: `Left-Arc`."""
    return "-".join(part.capitalize() for part in name.split("-"))


def small_caps(name: str) -> str:
    """`LEFT-ARC` in LaTeX."""
    return rf"\textsc{{{capitalized(name)}}}"


def _latex_name(name: str, label: str | None) -> str:
    return small_caps(name) + (f"$_{{{label}}}$" if label is not None else "")


def _latex_rule(row: RuleRow[str]) -> str:
    preconditions = ", ".join(f"${condition}$" for condition in row.preconditions)
    return rf"{_latex_name(row.name, row.label)} & ${row.before}$ & $\Rightarrow$ & ${row.after}$ & {preconditions} \\"


def _latex_oracle(name: str, rows: tuple[OracleRow[str], ...]) -> str:
    body = [rf"{_latex_name(row.name, row.label)} & {_latex_when(row)} \\" for row in rows]
    return "\n".join(
        [
            rf"\par\medskip Oracle {name}: $o(c) = \left\{{",
            r"\begin{tabular}{@{}ll@{}}",
            *body,
            r"\end{tabular}\right.$",
        ]
    )


def _latex_costs(name: str, rows: tuple[CostRow[str], ...]) -> str:
    body = [rf"$c(${_latex_name(row.name, row.label)}$; {row.pattern or 'c'})$ & $= {row.cost}$ \\" for row in rows]
    return "\n".join([rf"\par\medskip Dynamic oracle {name}:\\", r"\begin{tabular}{@{}ll@{}}", *body, r"\end{tabular}"])


def _latex_when(row: OracleRow[str]) -> str:
    conditions = [f"$c = {row.pattern}$"] if row.pattern is not None else []
    conditions += [f"${condition}$" for condition in row.conditions]
    return "if " + ", ".join(conditions) if conditions else "otherwise"


# --- JSON ------------------------------------------------------------------------------------------------------------


def to_json(figure: s.Figure) -> dict[str, object]:
    """The figure with every part in the notation of the language."""
    page = sheet(figure, SOURCE)
    return {
        "name": page.name,
        "cite": page.cite,
        "notes": list(page.notes),
        "parameters": {p.name: term_text(p.default, SOURCE) for p in figure.parameters},
        "shared": figure.shared,
        "several_heads": figure.several_heads,
        "rootless": figure.rootless,
        "state": [
            {
                "kind": component.kind,
                "name": component.name,
                "ascii": ascii_name(component.name),
                "head": component.head if isinstance(component, s.SequenceComponent) else None,
            }
            for component in figure.state
        ],
        "start": [start_text(value, SOURCE) for value in figure.start],
        "final": [condition_text(condition, SOURCE) for condition in figure.final],
        "invariants": list(page.invariants),
        "oracle_invariants": [
            {"oracle": given.oracle, "condition": condition_text(given.condition, SOURCE)}
            for given in figure.oracle_invariants
        ],
        "measures": {given.name: term_text(given.term, SOURCE) for given in figure.measures},
        "lemmas": [given.text for given in figure.lemmas],
        "transitions": [
            {
                "name": rule.name,
                "label": rule.label,
                "before": [pattern_text(pattern, SOURCE) for pattern in rule.before],
                "after": [update_text(update, SOURCE) for update in rule.after],
                "arcs": _arcs(rule.effects, SOURCE),
                "tags": [effect_text(effect) for effect in rule.effects if isinstance(effect, s.TagNode)],
                "preconditions": list(row.preconditions),
            }
            for rule, row in zip(figure.rules, page.rules, strict=True)
        ],
        "default": figure.default,
        "oracles": [
            {
                "name": name,
                "lines": [
                    {
                        "transition": row.name,
                        "label": row.label,
                        "pattern": row.pattern,
                        "conditions": list(row.conditions),
                    }
                    for row in rows
                ],
            }
            for name, rows in page.oracles
        ],
        "dynamic_oracles": [
            {
                "name": name,
                "lines": [
                    {"transition": row.name, "label": row.label, "pattern": row.pattern, "cost": row.cost}
                    for row in costs
                ],
            }
            for name, costs in page.dynamic_oracles
        ],
        "losses": [{"name": name, "loss": loss} for name, loss in page.losses],
        "claims": list(page.claims),
        "source": to_source(figure),
    }

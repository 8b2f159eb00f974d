"""A figure as a specification: `read_figure(to_source(figure)) == figure`."""

from collections.abc import Iterable

from arcproof.transitions import syntax as s
from arcproof.transitions.printing.notation import (
    SOURCE,
    claim_text,
    condition_text,
    cost_text,
    help_text,
    loss_text,
    pattern_text,
    start_text,
    term_text,
    update_text,
)


def to_source(figure: s.Figure) -> str:
    """The specification, aligned as in the built-in systems."""
    lines = [f"system {figure.name}"]
    lines += [f"  cite    {_quoted(figure.cite)}"] if figure.cite else []
    lines += [f"  note    {_quoted(note)}" for note in figure.notes]
    lines += [f"  parameter {p.name} = {term_text(p.default, SOURCE)}" for p in figure.parameters]
    lines += ["  shared"] if figure.shared else []
    lines += ["  several heads"] if figure.several_heads else []
    lines.append("  state   " + ", ".join(map(_component, figure.state)))
    lines.append("  start   " + ", ".join(start_text(value, SOURCE) for value in figure.start))
    lines += ["  root    none"] if figure.rootless else []
    lines.append("  final   " + _conditions(figure.final))
    lines += [f"  invariant {condition_text(condition, SOURCE)}" for condition in figure.invariants]
    lines += [f"  {help_text(given, SOURCE)}" for given in figure.helps]
    lines += ["", *aligned((_rule(rule) for rule in figure.rules), "  ")]
    if figure.default is not None:
        lines += ["", f"  default {figure.default}"]
    for oracle in figure.oracles:
        lines += ["", f"  oracle {oracle.name}", *aligned(map(_oracle_line, oracle.lines), "    ")]
    if not figure.oracles:
        lines += ["", "  oracle none"]
    for dynamic in figure.dynamic_oracles:
        lines += ["", *dynamic_lines(dynamic)]
    if figure.claims:
        lines += ["", "  claims", *(f"    {claim_text(claim)}" for claim in figure.claims)]
    return "\n".join(lines) + "\n"


def dynamic_lines(oracle: s.DynamicOracle) -> list[str]:
    """A dynamic oracle as written in a specification."""
    loss = [] if oracle.loss is None else [f"    loss {loss_text(oracle.loss, SOURCE)}"]
    return [f"  dynamic {oracle.name}", *loss, *aligned(map(_cost_line, oracle.lines), "    ")]


def aligned(rows: Iterable[list[str]], margin: str = "") -> list[str]:
    """Columns padded to equal width; trailing spaces are removed."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)] if table else []
    return [
        (margin + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))).rstrip()
        for row in table
    ]


def _quoted(text: str) -> str:
    return f'"{text}"'


def _component(component: s.Component) -> str:
    if isinstance(component, s.ValueComponent):
        return f"{component.kind} {component.name}"
    usual = {"stack": "right", "buffer": "left"}.get(component.kind)
    return f"{component.kind} {component.name}" + ("" if component.head == usual else f" head {component.head}")


def _conditions(conditions: tuple[s.Condition, ...]) -> str:
    return ", ".join(condition_text(condition, SOURCE) for condition in conditions)


def _name(name: str, label: str | None) -> str:
    return name if label is None else f"{name}({label})"


def rule_text(rule: s.Rule) -> str:
    """One line of the figure, as it would be written in a specification."""
    return " ".join(filter(None, _rule(rule)))


def line_text(line: s.OracleLine) -> str:
    """One line of an oracle, as it would be written in a specification."""
    return " ".join(filter(None, _oracle_line(line)))


def _rule(rule: s.Rule) -> list[str]:
    return [
        _name(rule.name, rule.label),
        ", ".join(pattern_text(pattern, SOURCE) for pattern in rule.before),
        "=>",
        ", ".join(update_text(update, SOURCE) for update in rule.after),
        " ".join(map(effect_text, rule.effects)),
        f"if {_conditions(rule.preconditions)}" if rule.preconditions else "",
    ]


def effect_text(effect: s.Effect) -> str:
    """`add j -l-> i`."""
    match effect:
        case s.AddArc(head, None, dependent):
            return f"add {term_text(head, SOURCE)} -> {term_text(dependent, SOURCE)}"
        case s.AddArc(head, label, dependent):
            return f"add {term_text(head, SOURCE)} -{label}-> {term_text(dependent, SOURCE)}"
        case s.RemoveArcs(dependent):
            return f"remove * -> {term_text(dependent, SOURCE)}"
        case s.TagNode(node, label):
            return f"tag {term_text(node, SOURCE)} {label}"


def cost_line_text(line: s.CostLine) -> str:
    """`cost REDUCE σ|i, β = 0`."""
    return " ".join(filter(None, _cost_line(line)))


def _cost_line(line: s.CostLine) -> list[str]:
    pattern = "" if line.pattern is None else ", ".join(pattern_text(part, SOURCE) for part in line.pattern)
    label = "" if line.label is None else f"({line.label})"
    return [f"cost {line.transition}{label}", pattern, f"= {cost_text(line, SOURCE)}"]


def _oracle_line(line: s.OracleLine) -> list[str]:
    return [
        _name(line.transition, line.label),
        "" if line.pattern is None else ", ".join(pattern_text(pattern, SOURCE) for pattern in line.pattern),
        f"if {_conditions(line.conditions)}" if line.conditions else "",
    ]

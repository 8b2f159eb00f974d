"""Why a transition has its preconditions, as text and pictures."""

from arcproof.properties.proving.theorem import Theorem
from arcproof.properties.studies.why import Reason, Why
from arcproof.properties.verdict import Verdict
from arcproof.reports import arc_diagram, derivation_table
from arcproof.reports.choices import choice_notes
from arcproof.reports.proofs import theorem_text
from arcproof.reports.sentences import need_text
from arcproof.transitions.printing.escape import for_terminal
from arcproof.transitions.printing.source import rule_text
from arcproof.transitions.printing.wording import case_text, counted
from arcproof.transitions.syntax import Rule, line_of


def to_text(why: Why) -> str:
    """Print the rules, then each precondition: the run that goes wrong without it, drawn, with its table."""
    lines = _heading(why)
    for reason in why.reasons:
        lines += ["", *map(for_terminal, _sentences(reason))]
        if reason.run is not None:
            drawn = _drawn(reason)
            table = derivation_table.text_rows(reason.without, reason.run)
            notes = choice_notes(reason.without, reason.run.transitions)
            lines += [f"    {line}".rstrip() for line in [*drawn, *([""] if drawn else []), *table, *notes]]
        elif reason.need.counterexample is not None:
            lines += [f"    {line}".rstrip() for line in _drawn(reason)]
    return "\n".join(lines) + "\n"


def pictures(why: Why) -> dict[str, str]:
    """For each precondition that is needed, draw the graph at fault as SVG, by file name."""
    return {
        f"{why.transition}-{number}.svg": arc_diagram.to_svg(found.graph, title=f"Without {reason.need.precondition}")
        for number, reason in enumerate(why.reasons, start=1)
        if (found := reason.need.counterexample) is not None and found.graph is not None and found.words
    }


def _heading(why: Why) -> list[str]:
    rules = [_rule(rule, line_of(why.system.figure, rule)) for rule in why.system.transitions[why.transition]]
    lines = [f"{why.transition} of {why.system.name}", *rules]
    if why.ended_by is not None:
        count, of_all = (
            len(why.reasons),
            sum(len(rule.preconditions) for rule in why.system.transitions[why.transition]),
        )
        lines += ["", f"{why.ended_by}: {count} of {counted(of_all, 'precondition')} examined"]
    elif why.words < 1:
        lines += ["", "nothing was tried: not even sentences of one word were explored"]
    elif not why.reasons:
        lines += ["", f"{why.transition} has no preconditions"]
    return lines


def _rule(rule: Rule, line: int | None) -> str:
    where = "" if line is None else f"line {line}: "
    return f"  {where}{for_terminal(rule_text(rule))}"


def _sentences(reason: Reason) -> list[str]:
    need = reason.need
    sentences = [
        need_text(need) if need.line is None else f"{case_text(need.transition, need.line)}: {need_text(need)}"
    ]
    if reason.proof is not None:
        sentences.append(_proof_text(reason.proof))
    return sentences


def _proof_text(proof: Theorem) -> str:
    if proof.verdict is not Verdict.PROVED:
        return f"for sentences of every length this is {proof.verdict.value}: {theorem_text(proof)}"
    under = f", assuming {'; '.join(proof.believed)}" if proof.believed else ""
    return f"proved: it follows from the others for sentences of every length, by {' and '.join(proof.solvers)}{under}"


def _drawn(reason: Reason) -> list[str]:
    """Draw the graph at fault; for a run, with the labels from its table."""
    found = reason.need.counterexample
    graph = reason.run.graph if reason.run is not None else None if found is None else found.graph
    if found is None or graph is None or not found.words:
        return []
    return arc_diagram.to_text(graph).rstrip("\n").split("\n")

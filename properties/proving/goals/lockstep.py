"""Two oracles in lockstep: each takes the transitions that the other takes.

Both systems have the same state and start, so one configuration stands for both as long as they agree.  The moves are
those of the other system's oracle.  The goals: both systems end at the same time; and whenever the other oracle takes a
line, the first line of this oracle that matches names the same transition, the transition is permissible, and its label
is that of the same gold arc, or the gold tag of the same node.  What the transition does must be the same in both
figures, term by term.
"""

from collections.abc import Iterator

from arcproof.properties.proving.goals.completeness import advised
from arcproof.properties.proving.goals.soundness import named
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Term, to_smt
from arcproof.properties.proving.meaning.bridge import observations
from arcproof.properties.proving.meaning.state import SymbolicState, Unsupported
from arcproof.properties.proving.meaning.steps import SymbolicStep, is_length
from arcproof.properties.proving.meaning.symbolic import Advice, Meanings
from arcproof.properties.proving.trusted.problem import Goal
from arcproof.transitions import syntax as s


def lockstep(own: Meanings, oracle: s.Oracle, other: Meanings, leading: s.Oracle) -> Iterator[Goal]:
    """Yield the goals about the runs of the leading oracle, which is the other system's."""
    if own.system.figure.state != other.system.figure.state or not _same(own.start, other.start):
        raise Unsupported(f"{other.system.name} has a different state or start")
    if own.system.has_root != other.system.has_root:
        raise Unsupported(f"only one of {own.system.name} and {other.system.name} has `root none`")
    ends = (t.conjunction(*meanings.terminal(other.before)) for meanings in (own, other))
    yield Goal("both are at an end at the same time", (), t.equivalent(*ends))
    lines = [(advice, _only_case(own, advice)) for advice in own.advice(oracle)]
    for advice in other.advice(leading):
        step = _only_case(other, advice)
        premises = (*advised(other, advice), *named("permissible", step.guard))
        followed = [_followed(line, case, advice) for line, case in lines if _is_same(line, case, advice, step)]
        name = f"line {advice.number}, {advice.line.transition}: the oracle {oracle.name} asks for the same"
        yield Goal(name, premises, t.disjunction(*followed))


def _only_case(meanings: Meanings, advice: Advice) -> SymbolicStep:
    name = f"{advice.line.transition} of {meanings.system.name}"
    if len(advice.steps) != 1:
        raise Unsupported(f"{name} has several cases")
    (step,) = advice.steps
    if any(is_length(symbol) for symbol in t.symbols([*advice.conditions, *step.guard])):
        raise Unsupported(f"{name} chooses a length")
    return step


def _is_same(line: Advice, case: SymbolicStep, advice: Advice, step: SymbolicStep) -> bool:
    """Whether two lines name the same transition, both with a label or both without, and it does the same in both
    figures.
    """
    return (
        line.line.transition == advice.line.transition
        and (line.line.label is None) == (advice.line.label is None)
        and (len(line.labelled), len(line.tagged)) == (len(advice.labelled), len(advice.tagged))
        and (case.rule.label is None) == (step.rule.label is None)
        and _same(case.after, step.after)
    )


def _followed(line: Advice, case: SymbolicStep, advice: Advice) -> Term:
    """The condition that a line is taken, is permissible, and takes its label from the same gold arc or word."""
    sources = ([node for arc in one.labelled for node in arc] + list(one.tagged) for one in (line, advice))
    same = [t.equal(a, b) for a, b in zip(*sources, strict=True)]
    return t.conjunction(*line.conditions, *case.guard, *same)


def _same(one: SymbolicState, two: SymbolicState) -> bool:
    """Whether two states are the same, term by term."""
    texts = [{name: to_smt(term) for name, term in observations(state).items()} for state in (one, two)]
    return texts[0] == texts[1]

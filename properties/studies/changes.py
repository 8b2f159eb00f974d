"""How one figure differs from another, in the figure's own notation: the lines that differ, and what is different in
them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TypeVar

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import syntax as s
from arcproof.transitions.printing.notation import (
    SOURCE,
    condition_text,
    cost_text,
    pattern_text,
    start_text,
    update_text,
)
from arcproof.transitions.printing.source import cost_line_text, effect_text, line_text, rule_text

L = TypeVar("L", s.Rule, s.OracleLine, s.CostLine)


@dataclass(frozen=True, slots=True)
class Change:
    """One line that differs: where it is, how each figure writes it, and the part that differs; None if there is no
    such line or part.
    """

    where: str
    line_before: str | None
    line_after: str | None
    before: str | None
    after: str | None
    oracle: str | None = None

    def __str__(self) -> str:
        """The change as text: `REDUCE: `head(h)` → `head(i)``."""
        if self.before is None:
            return f"{self.where}: `{self.after}` is added"
        if self.after is None:
            return f"{self.where}: `{self.before}` is dropped"
        return f"{self.where}: `{self.before}` → `{self.after}`"


def changes(old: s.Figure, new: s.Figure) -> tuple[Change, ...]:
    """Every line that differs, in the order of the figure."""
    return tuple(_changes(old, new))


def _changes(old: s.Figure, new: s.Figure) -> Iterator[Change]:
    if old.start != new.start:
        yield _whole("start", _start(old), _start(new))
    if old.final != new.final:
        yield _whole("final", _conditions(old.final), _conditions(new.final))
    yield from _lines(old.rules, new.rules, rule_text, lambda rule: rule.name, _rule_parts)
    if old.default != new.default:
        yield _whole("default", old.default, new.default)
    oracles = {oracle.name: oracle.lines for oracle in new.oracles}
    for oracle in old.oracles:
        name = f"oracle {oracle.name}"
        found = _lines(oracle.lines, oracles.get(oracle.name, ()), line_text, lambda _, name=name: name, _line_parts)  # type: ignore[misc]
        yield from (replace(change, oracle=oracle.name) for change in found)
    dynamic = {oracle.name: oracle.lines for oracle in new.dynamic_oracles}
    for costs in old.dynamic_oracles:
        name = f"dynamic {costs.name}"
        found = _lines(costs.lines, dynamic.get(costs.name, ()), cost_line_text, lambda _, name=name: name, _cost_parts)  # type: ignore[misc]
        yield from (replace(change, oracle=costs.name) for change in found)


def _whole(keyword: str, old: str | None, new: str | None) -> Change:
    return Change(keyword, old and f"{keyword} {old}", new and f"{keyword} {new}", old, new)


def _lines(
    old: tuple[L, ...],
    new: tuple[L, ...],
    text: Callable[[L], str],
    where: Callable[[L], str],
    parts: Callable[[L], Iterable[Sequence[str]]],
) -> Iterator[Change]:
    matcher = SequenceMatcher(None, [text(line) for line in old], [text(line) for line in new], autojunk=False)
    for tag, first, after, other_first, other_after in matcher.get_opcodes():
        if tag == "equal":
            continue
        removed, added = old[first:after], new[other_first:other_after]
        for one, other in zip(removed, added, strict=False):
            yield Change(
                where(one), text(one), text(other), *_difference(parts(one), parts(other), text(one), text(other))
            )
        for one in removed[len(added) :]:
            yield Change(where(one), text(one), None, text(one), None)
        for one in added[len(removed) :]:
            yield Change(where(one), None, text(one), None, text(one))


def _difference(
    old: Iterable[Sequence[str]], new: Iterable[Sequence[str]], whole_old: str, whole_new: str
) -> tuple[str | None, str | None]:
    """The part of two lines that differs; if several parts do, the whole lines."""
    different = [(one, other) for one, other in zip(old, new, strict=True) if one != other]
    if len(different) != 1:
        return whole_old, whole_new
    gone = [part for part in different[0][0] if part not in different[0][1]]
    come = [part for part in different[0][1] if part not in different[0][0]]
    return (", ".join(gone) or None, ", ".join(come) or None) if gone or come else (whole_old, whole_new)


def _rule_parts(rule: s.Rule) -> Iterable[Sequence[str]]:
    """The parts of a rule that are named as a whole, and the preconditions, which are named one by one."""
    return (
        (rule.name,),
        (", ".join(pattern_text(pattern, SOURCE) for pattern in rule.before),),
        (", ".join(update_text(update, SOURCE) for update in rule.after),),
        tuple(map(effect_text, rule.effects)),
        tuple(condition_text(condition, SOURCE) for condition in rule.preconditions),
    )


def _line_parts(line: s.OracleLine) -> Iterable[Sequence[str]]:
    pattern = "" if line.pattern is None else ", ".join(pattern_text(part, SOURCE) for part in line.pattern)
    return (line.transition,), (pattern,), tuple(condition_text(condition, SOURCE) for condition in line.conditions)


def _cost_parts(line: s.CostLine) -> Iterable[Sequence[str]]:
    pattern = "" if line.pattern is None else ", ".join(pattern_text(part, SOURCE) for part in line.pattern)
    summands = (cost_text(replace(line, parts=(("+", part),)), SOURCE) for _, part in line.parts)
    return (
        (line.transition,),
        (pattern,),
        tuple(f"{sign} {text}" for (sign, _), text in zip(line.parts, summands, strict=True)),
    )


def _start(figure: s.Figure) -> str:
    return ", ".join(start_text(value, SOURCE) for value in figure.start)


def _conditions(conditions: tuple[s.Condition, ...]) -> str:
    return ", ".join(condition_text(condition, SOURCE) for condition in conditions)

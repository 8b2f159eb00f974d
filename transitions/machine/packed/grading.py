"""Whether every run to a configuration has the same length.

That is so if some sum of the lengths of the sequences and the number of arcs, each with a factor, grows by exactly 1 in every transition, whatever
the lengths of the runs of nodes in its pattern.  The factors are the unknowns of linear equations, one for each rule and one for each of its segments.
Then a configuration can only come again on the same frontier, and no transition leads back.
"""

from collections import Counter
from fractions import Fraction

from arcproof.transitions import syntax as s
from arcproof.transitions.system import System

Row = list[Fraction]


def is_graded(system: System) -> bool:
    """Whether the equations have a solution; if not, the lengths of runs may still agree, but that is not seen here."""
    rows: list[Row] = []
    for rule in system.figure.rules:
        equations = _equations(rule, system.figure.state)
        if equations is None:
            return False
        rows += equations
    return _solvable(rows)


def _equations(rule: s.Rule, state: tuple[s.Component, ...]) -> list[Row] | None:
    """Coefficients of the factors, one for each component and one for arcs, then the right side; None if arcs are removed."""
    if any(isinstance(effect, s.RemoveArcs) for effect in rule.effects):
        return None
    constant = [Fraction(0)] * (len(state) + 1)
    constant[-1] = Fraction(len(rule.effects))
    segments: dict[str, Row] = {}
    for index, (before, after) in enumerate(zip(rule.before, rule.after, strict=True)):
        if not isinstance(before, s.SequenceOf) or not isinstance(after, s.SequenceOf):
            continue
        for items, sign in ((before.items, -1), (after.items, 1)):
            constant[index] += sign * sum(isinstance(item, s.Cell) for item in items)
            for name, count in Counter(item.name for item in items if isinstance(item, s.Segment)).items():
                row = segments.setdefault(name, [Fraction(0)] * (len(state) + 1))
                row[index] += sign * count
    return [[*constant, Fraction(1)], *([*row, Fraction(0)] for row in segments.values())]


def _solvable(rows: list[Row]) -> bool:
    """Whether linear equations have a solution, by elimination."""
    rows = [row[:] for row in rows]
    done = 0
    for column in range(len(rows[0]) - 1 if rows else 0):
        pivot = next((k for k in range(done, len(rows)) if rows[k][column] != 0), None)
        if pivot is None:
            continue
        rows[done], rows[pivot] = rows[pivot], rows[done]
        for k, row in enumerate(rows):
            if k != done and row[column] != 0:
                factor = row[column] / rows[done][column]
                rows[k] = [a - factor * b for a, b in zip(row, rows[done], strict=True)]
        done += 1
    return not any(row[-1] != 0 and not any(row[:-1]) for row in rows)

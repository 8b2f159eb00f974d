"""Whether every run to a configuration has the same length.

It does if some sum of the lengths of the sequences and the number of arcs, each with a factor, grows by exactly 1 in
every transition, whatever the lengths of the runs of nodes in its pattern.  The factors are the unknowns of linear
equations, one for each rule and one for each of its segments. Then a configuration can recur only on the same frontier,
and no transition leads back.
"""

from fractions import Fraction

from arcproof.transitions import plan as p
from arcproof.transitions.system import System

Row = list[Fraction]


def is_graded(system: System) -> bool:
    """Whether the equations have a solution; if not, the lengths of runs may still agree, but this test cannot tell."""
    rows: list[Row] = []
    for rule in system.plan.rules:
        equations = _equations(rule)
        if equations is None:
            return False
        rows += equations
    return _solvable(rows)


def _equations(rule: p.RulePlan) -> list[Row] | None:
    """Coefficients of the factors, one for each component and one for arcs, then the right side; None if arcs are
    removed.
    """
    if any(isinstance(change, p.RemoveArcs) for change in rule.arcs):
        return None
    constant = [Fraction(0)] * (len(rule.moves) + 1)
    constant[-1] = Fraction(len(rule.arcs))
    runs: dict[p.Run, Row] = {}
    before = [(test.component, item, -1) for test in rule.match.sequences for item in test.items]
    moves = [move for move in rule.moves if isinstance(move, p.SequenceBecomes)]
    after = [(move.component, item, 1) for move in moves for item in move.items]
    for component, item, sign in before + after:
        if isinstance(item, p.Cell):
            constant[component] += sign
        else:
            runs.setdefault(item, [Fraction(0)] * len(constant))[component] += sign
    return [[*constant, Fraction(1)], *([*row, Fraction(0)] for row in runs.values())]


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

"""Ask Z3 what follows from many premises, and which of them it used: for the search alone.

Each formula is read once in the course of a search; each question has a solver of its own.  What the search takes from
here is a choice of premises.  It is discharged again like any other (`trusted.discharge`).
"""

import time
from functools import cached_property
from typing import Any

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.trusted.obligation import Obligation
from arcproof.properties.proving.trusted.solvers import SECONDS, Result, why_unknown


class Z3ForPremises:
    """Z3 in the course of one search."""

    def __init__(self) -> None:
        """Nothing is read yet."""
        self._read: dict[int, tuple[Term, Any]] = {}
        self._marks: list[Any] = []

    @cached_property
    def _context(self) -> Any:
        import z3

        return z3.Context()

    def ask(self, obligation: Obligation, rlimit: int, mbqi: bool) -> Result:
        """Which premises a proof by Z3 uses, if it finds one.

        Without `mbqi` Z3 gives up at once where matching finds no more instances; with it, it may find the proof or
        wander.
        """
        import z3

        began = time.perf_counter()
        solver: Any = z3.SimpleSolver(ctx=self._context)
        solver.set("rlimit", rlimit)
        solver.set("timeout", SECONDS * 1000)
        solver.set("random_seed", 0)
        solver.set("smt.mbqi", mbqi)
        names = [name for name, _ in obligation.premises]
        for index, (_, premise) in enumerate(obligation.premises):
            solver.assert_and_track(self._formula(premise), self._mark(index))
        solver.add(z3.Not(self._formula(obligation.goal), self._context))
        answer = str(solver.check())
        seconds = time.perf_counter() - began
        if answer == "unsat":
            used = {str(mark) for mark in solver.unsat_core()}
            core = tuple(name for index, name in enumerate(names) if f"used!{index}" in used)
            return Result("z3", "unsat", seconds, core=core)
        if answer == "sat":
            return Result("z3", "sat", seconds)
        return Result("z3", "unknown", seconds, why_unknown(str(solver.reason_unknown()), seconds))

    def _mark(self, index: int) -> Any:
        import z3

        while len(self._marks) <= index:
            self._marks.append(z3.Bool(f"used!{len(self._marks)}", self._context))
        return self._marks[index]

    def _formula(self, term: Term) -> Any:
        """The formula of a term, which is known by where it is in memory and is held there."""
        import z3

        if id(term) not in self._read:
            declared = "\n".join(map(t.declaration, t.symbols([term])))
            (formula,) = z3.parse_smt2_string(f"{declared}\n(assert {t.to_smt(term)})", ctx=self._context)
            self._read[id(term)] = term, formula
        return self._read[id(term)][1]

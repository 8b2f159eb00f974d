"""Ask Z3 what follows from many premises, and which of them it used; only for the search.

The search takes only a choice of premises from here.  That choice is discharged again like any other
(`trusted.discharge`).  Every call has its own context, so that the answer depends on nothing but the question; the same
question recurs for other goals, and is then answered from the cache.
"""

import time
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from arcproof.properties.proving.trusted.calls import SolverCalls
from arcproof.properties.proving.trusted.obligation import Obligation
from arcproof.properties.proving.trusted.solvers import SECONDS, Result, why_unknown

Question: TypeAlias = tuple[str, int, bool]
"""What the solver reads, the budget, and whether Z3 looks for models."""


@dataclass(frozen=True)
class Z3ForPremises:
    """Z3, with its answers so far and the indices of the premises it used."""

    known: dict[Question, tuple[Result, tuple[int, ...]]] = field(default_factory=dict)
    calls: SolverCalls = field(default_factory=SolverCalls)

    def begin(self, obligation: Obligation, rlimit: int, mbqi: bool) -> None:
        """Start the call in another process, if there is one."""
        question = obligation.commands, rlimit, mbqi
        if question not in self.known:
            self.calls.begin(_ask, *question)

    def ask(self, obligation: Obligation, rlimit: int, mbqi: bool) -> Result:
        """The premises that a proof by Z3 uses, if it finds one.

        Without `mbqi` Z3 gives up immediately when matching finds no more instances; with it, it may find the proof or
        diverge.
        """
        question = obligation.commands, rlimit, mbqi
        if question not in self.known:
            self.known[question] = self.calls.result(_ask, *question)
        result, used = self.known[question]
        if result.answer != "unsat":
            return result
        names = [name for name, _ in obligation.premises]
        return replace(result, core=tuple(names[place] for place in used if place < len(names)))


def _ask(commands: str, rlimit: int, mbqi: bool) -> tuple[Result, tuple[int, ...]]:
    import z3

    began = time.perf_counter()
    context = z3.Context()
    asserted = z3.parse_smt2_string(commands, ctx=context)
    solver: Any = z3.SimpleSolver(ctx=context)
    solver.set("rlimit", rlimit)
    solver.set("timeout", SECONDS * 1000)
    solver.set("random_seed", 0)
    solver.set("smt.mbqi", mbqi)
    for place, formula in enumerate(asserted):
        solver.assert_and_track(formula, z3.Bool(f"used!{place}", context))
    answer = str(solver.check())
    seconds = time.perf_counter() - began
    if answer == "unsat":
        used = sorted(int(str(name).removeprefix("used!")) for name in solver.unsat_core())
        return Result("z3", "unsat", seconds), tuple(used)
    if answer == "sat":
        return Result("z3", "sat", seconds), ()
    return Result("z3", "unknown", seconds, why_unknown(str(solver.reason_unknown()), seconds)), ()

"""Ask cvc5 when Z3 finds nothing, and which premises it used; only for the search.

The search takes only a choice of premises from here.  That choice is discharged again like any other
(`trusted.discharge`).  The same question recurs for other goals, and is then answered from the cache.
"""

import time
from dataclasses import dataclass, field, replace
from typing import Any, Final

from arcproof.properties.proving.trusted.calls import SolverCalls
from arcproof.properties.proving.trusted.obligation import Obligation
from arcproof.properties.proving.trusted.solvers import Result

RESOURCES: Final = 50_000
SECONDS: Final = 2
"""The clock is a last resort: on an idle machine the budget runs out first."""


@dataclass(frozen=True)
class Cvc5ForPremises:
    """Cvc5, with its answers so far and the indices of the premises it used."""

    known: dict[str, tuple[Result, tuple[int, ...]]] = field(default_factory=dict)
    calls: SolverCalls = field(default_factory=SolverCalls)

    def begin(self, obligation: Obligation) -> None:
        """Start the call in another process, if there is one."""
        if obligation.commands not in self.known:
            self.calls.begin(_ask, obligation.commands)

    def ask(self, obligation: Obligation) -> Result:
        """The premises that a short proof by cvc5 uses, if it finds one."""
        if obligation.commands not in self.known:
            self.known[obligation.commands] = self.calls.result(_ask, obligation.commands)
        result, used = self.known[obligation.commands]
        if result.answer != "unsat":
            return result
        names = [name for name, _ in obligation.premises]
        return replace(result, core=tuple(names[place] for place in used if place < len(names)))


def _ask(commands: str) -> tuple[Result, tuple[int, ...]]:
    import cvc5

    began = time.perf_counter()
    solver: Any = cvc5.Solver(cvc5.TermManager())
    options = {"enum-inst": "true", "produce-unsat-cores": "true", "rlimit": RESOURCES, "tlimit-per": SECONDS * 1000}
    for option, value in options.items():
        solver.setOption(option, str(value))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, commands.replace("(check-sat)\n", ""), "obligation")
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, symbols)
    result = solver.checkSat()
    if not result.isUnsat():
        reason = str(result.getUnknownExplanation()).rpartition(".")[2].lower() if result.isUnknown() else ""
        return Result("cvc5", "unknown" if result.isUnknown() else "sat", time.perf_counter() - began, reason), ()
    used = set(solver.getUnsatCore())
    places = (place for place, formula in enumerate(solver.getAssertions()) if formula in used)
    return Result("cvc5", "unsat", time.perf_counter() - began), tuple(places)

"""Ask cvc5 where Z3 finds nothing: what was used, for the search alone.

What the search takes from here is a choice of premises.  It is discharged again like any other (`trusted.discharge`).
"""

import time
from typing import Any, Final

from arcproof.properties.proving.trusted.obligation import Obligation
from arcproof.properties.proving.trusted.solvers import Result

RESOURCES: Final = 50_000
SECONDS: Final = 2
"""The clock is a last resort: the budget ends sooner on a machine that is not busy."""


def ask_cvc5_for_premises(obligation: Obligation) -> Result:
    """Which premises a short proof by cvc5 uses, if it finds one."""
    import cvc5

    began = time.perf_counter()
    solver: Any = cvc5.Solver(cvc5.TermManager())
    options = {"enum-inst": "true", "produce-unsat-cores": "true", "rlimit": RESOURCES, "tlimit-per": SECONDS * 1000}
    for option, value in options.items():
        solver.setOption(option, str(value))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(
        cvc5.InputLanguage.SMT_LIB_2_6, obligation.commands.replace("(check-sat)\n", ""), obligation.name
    )
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, symbols)
    result = solver.checkSat()
    if not result.isUnsat():
        reason = str(result.getUnknownExplanation()).rpartition(".")[2].lower() if result.isUnknown() else ""
        return Result("cvc5", "unknown" if result.isUnknown() else "sat", time.perf_counter() - began, reason)
    used = set(solver.getUnsatCore())
    asserted = solver.getAssertions()
    names = [name for name, _ in obligation.premises]
    core = tuple(name for name, formula in zip(names, asserted, strict=False) if formula in used)
    return Result("cvc5", "unsat", time.perf_counter() - began, core=core)

"""The solvers that discharge obligations: Z3 and cvc5.

Every call has its own solver and a resource budget, which, unlike a time limit, gives the same answer on every machine;
a wall-clock limit far above it is a last resort.  A Z3 context, in which terms are made but nothing is asserted, may be
shared by a fixed sequence of calls.  Anything but `unsat` proves nothing: `sat` and `unknown` are distinguished only
for the report.
"""

import time
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, Literal, TypeAlias

from arcproof.process.extras import missing
from arcproof.properties.proving.trusted.obligation import Obligation, SolverScript
from arcproof.transitions.errors import ArcproofError, MissingPackage

Answer: TypeAlias = Literal["unsat", "sat", "unknown"]

RLIMIT: Final = 3_000_000
SECONDS: Final = 60
CVC5_SECONDS: Final = 10
SEEDS: Final = (0, 1, 2)


class NoSolver(ArcproofError):
    """Z3 or cvc5 is installed, but cannot be loaded."""


@dataclass(frozen=True)
class Result:
    """A solver's answer; a search also asks for the `core`, the premises that were used.

    `effort` is the part of its budget that Z3 spent on a proof, if known.  `stored` if the answer was given earlier
    and is from the run store.
    """

    solver: str
    answer: Answer
    seconds: float
    reason: str = ""
    core: tuple[str, ...] | None = None
    effort: int = field(default=0, compare=False)
    stored: bool = field(default=False, compare=False)


OUT_OF_TIME: Final = "timeout"
"""The reason that both solvers give if the clock, rather than the budget, ended a call."""


@dataclass
class Clock:
    """Records whether the clock has ended a solver call in the course of a proof: then a claim may be open only because
    the machine was busy.
    """

    has_decided: bool = False

    def see(self, reason: str) -> None:
        """Record the reason for an answer."""
        self.note(reason == OUT_OF_TIME)

    def note(self, timed_out: bool) -> None:
        """Record what is already known."""
        self.has_decided = self.has_decided or timed_out


def import_solvers() -> None:
    """Import both solvers before forking processes, each of which would otherwise do so."""
    try:
        import cvc5  # noqa: F401
        import z3  # noqa: F401
    except ModuleNotFoundError as error:
        install = missing(error)
        if install is not None:
            raise MissingPackage(install, name=error.name) from None
        raise NoSolver(f"the solvers cannot be loaded: {error}") from None
    except Exception as error:  # Z3 raises its own exception if its library cannot be loaded
        raise NoSolver(f"the solvers cannot be loaded: {error}") from None


def installed_version(distribution: Literal["z3-solver", "cvc5"]) -> str | None:
    """The version of a solver that is installed, without importing it; None if there is none."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


# --- Z3 --------------------------------------------------------------------------------------------------------------


def ask_z3(
    obligation: Obligation | SolverScript, rlimit: int = RLIMIT, seed: int = 0, mbqi: bool = True, context: Any = None
) -> Result:
    """Discharge with Z3, in a new context if none is given.

    Without `mbqi` Z3 gives up immediately when matching finds no more instances; with it, it may find the proof or
    diverge.
    """
    import z3

    began = time.perf_counter()
    where = z3.Context() if context is None else context
    asserted = z3.parse_smt2_string(obligation.commands, ctx=where)
    solver: Any = z3.SimpleSolver(ctx=where)
    solver.set("rlimit", rlimit)
    solver.set("timeout", SECONDS * 1000)
    solver.set("random_seed", seed)
    solver.set("smt.mbqi", mbqi)
    solver.add(asserted)
    answer = str(solver.check())
    seconds = time.perf_counter() - began
    if answer == "unsat":
        effort = solver.statistics().get_key_value("rlimit count") if context is None else 0
        return Result("z3", "unsat", seconds, effort=effort)
    if answer == "sat":
        return Result("z3", "sat", seconds)
    return Result("z3", "unknown", seconds, why_unknown(str(solver.reason_unknown()), seconds))


def why_unknown(reason: str, seconds: float) -> str:
    """The reason for Z3's answer; Z3 itself says `canceled` for both the clock and the budget."""
    return OUT_OF_TIME if reason == "canceled" and seconds >= SECONDS else reason


def z3_context() -> Any:
    """A context for several calls: creating one takes as long as most answers."""
    import z3

    return z3.Context()


def z3_version() -> str:
    """The version of Z3."""
    import z3

    return str(z3.get_version_string())


# --- cvc5 ------------------------------------------------------------------------------------------------------------

CVC5_OPTIONS: Final[tuple[dict[str, str], ...]] = ({"enum-inst": "true"}, {}, {"mbqi": "true"})
"""Ways to run cvc5, tried in turn; arrays, which would need `arrays-exp`, do not occur."""


def ask_cvc5(obligation: Obligation | SolverScript, rlimit: int = RLIMIT, seed: int = 0) -> Result:
    """Discharge the same text with cvc5; if the clock ended one of the ways to run it, that is the reason why nothing
    was found.
    """
    spent = 0.0
    reasons: list[str] = []
    for options in CVC5_OPTIONS:
        result = _ask_cvc5(obligation, options, rlimit, seed)
        spent += result.seconds
        if result.answer != "unknown":
            return replace(result, seconds=spent)
        reasons.append(result.reason)
    reason = OUT_OF_TIME if OUT_OF_TIME in reasons else result.reason
    return replace(result, seconds=spent, reason=reason)


def _ask_cvc5(obligation: Obligation | SolverScript, options: dict[str, str], rlimit: int, seed: int) -> Result:
    import cvc5

    began = time.perf_counter()
    solver: Any = cvc5.Solver(cvc5.TermManager())
    limits = {"rlimit": str(rlimit), "tlimit-per": str(CVC5_SECONDS * 1000), "seed": str(seed)}
    for option, value in {**options, **limits}.items():
        solver.setOption(option, value)
    parser = cvc5.InputParser(solver)
    text = obligation.commands.replace("(check-sat)\n", "")
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, obligation.name)
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, symbols)
    result = solver.checkSat()
    seconds = time.perf_counter() - began
    if result.isUnsat():
        return Result("cvc5", "unsat", seconds)
    if result.isSat():
        return Result("cvc5", "sat", seconds)
    return Result("cvc5", "unknown", seconds, str(result.getUnknownExplanation()).rpartition(".")[2].lower())


def cvc5_version() -> str:
    """The version of cvc5."""
    import cvc5

    return str(cvc5.__version__)

"""Proofs as text, and their obligations as SMT-LIB files."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, assert_never

from arcproof.properties.verdict import Verdict
from arcproof.reports.explanation import explanation_lines
from arcproof.transitions.printing.wording import counted

if TYPE_CHECKING:
    from arcproof.properties.proving.proof_objects import ProofObjects
    from arcproof.properties.proving.prove import ProofReport
    from arcproof.properties.proving.redundancy import Redundancies
    from arcproof.properties.proving.theorem import Gist, Obstacle, Remedy, Theorem
    from arcproof.transitions.system import System

NOTHING_TO_PROVE: Final = "  nothing to prove: the figure has no claims"


def text_of(report: "ProofReport", invariants: bool = False, proofs: "ProofObjects | None" = None) -> str:
    """List the theorems, one per line; with `invariants` also what each rests on, with `proofs` whether every step is
    checked.
    """
    lines = [report.system.name]
    if not report.theorems:
        lines.append(NOTHING_TO_PROVE)
    for theorem in report.theorems:
        lines += theorem_lines(report.system, theorem, invariants, proofs)
    if report.redundancies is not None:
        lines += [f"  {line}" for line in redundancy_lines(report.redundancies)]
    return "\n".join(lines)


def title_of(system: "System", theorem: "Theorem") -> str:
    """Say what a theorem is about, including what it takes for granted about words without a head."""
    from arcproof.properties.property import convention_of, qualified

    return qualified(theorem.claim, convention_of(system, theorem.about))


def theorem_lines(
    system: "System", theorem: "Theorem", invariants: bool = False, proofs: "ProofObjects | None" = None
) -> list[str]:
    """Print a theorem on one line, with whatever else was requested below it."""
    by = f" by {' and '.join(theorem.solvers)}" if theorem.solvers else ""
    rests = ", kept" if theorem.kept else f", {theorem.stored} by stored answers" if theorem.stored else ""
    spent = f"{theorem.seconds:.1f} s{rests}"
    lines = [f"  {theorem.verdict.value:9} {title_of(system, theorem)}{by}: {theorem_text(theorem)} ({spent})"]
    if proofs is not None and theorem.verdict is Verdict.PROVED:
        lines.append(f"            {checked_text(theorem, proofs)}")
    given = [line for line in theorem.given if not theorem.claim.startswith(line)]
    if given and theorem.verdict is Verdict.PROVED:
        lines.append(f"            given in the figure, and proved: {'; '.join(given)}")
    if theorem.assumptions:
        lines.append(f"            assuming {'; '.join(theorem.assumptions)}")
    if invariants:
        lines += [f"            {conjunct.name}: {conjunct.formula}" for conjunct in theorem.invariant]
        lines += [f"            lemma: {name}" for name in theorem.lemmas]
    if theorem.explanation is not None:
        lines += [f"            {line}".rstrip() for line in explanation_lines(theorem.explanation)]
    return lines


def checked_text(theorem: "Theorem", proofs: "ProofObjects") -> str:
    """Say whether the checker accepted a proof of every obligation of a proved theorem."""
    from arcproof.properties.proving.proof_objects import every_step_is_checked, unchecked

    if every_step_is_checked(theorem, proofs):
        return "proved for every length; every step checked"
    unaccepted = unchecked(theorem, proofs)
    if not unaccepted:
        return "there is no obligation to check"
    name, reason = unaccepted[0]
    return f"not every step is checked: {len(unaccepted)} of {len(theorem.obligations)} obligations; {name}: {reason}"


def theorem_text(theorem: "Theorem") -> str:
    """Say in one sentence how it was proved, what refutes it, or why there is no proof."""
    if theorem.counterexample is not None:
        return theorem.counterexample.reason
    if theorem.obstacle is not None:
        failure = "" if theorem.failure is None else f"; {theorem.failure}"
        return f"{obstacle_text(theorem.obstacle)}{failure}{_tried(theorem)}{_next(theorem)}"
    given = f"for {', '.join(theorem.values)}: " if theorem.values else ""
    if theorem.witness is not None:
        return f"{given}by a witness: {theorem.witness.reason}"
    only = "" if len(theorem.solvers) == 2 else f"; by {theorem.solvers[0]} only"
    dead = f"; proved never to happen: {', '.join(theorem.dead)}" if theorem.dead else ""
    return f"{given}{_way(theorem)}{_size(theorem.gist)}{dead}{only}"


def _way(theorem: "Theorem") -> str:
    """Introduce the method; the result follows."""
    method = theorem.method
    if method.exactly is not None:
        return f"both systems are sound and complete for {method.exactly}: "
    if method.like is not None:
        return f"the oracle follows {method.oracle} of {method.like}, which derives every graph of the class: "
    wider = "" if method.wider is None else f"for all {method.wider}, "
    if method.reach is not None:
        return f"{wider}by the arcs that can still be built (x -> y can if {method.reach}): "
    if method.oracle is not None:
        if method.ends is None:
            return f"{wider}oracle {method.oracle}: "
        ranking = "" if method.ends.ranking is None else f"by V = {method.ends.ranking}: "
        return f"{wider}by the oracle {method.oracle}, which ends ({ranking}{_size(method.ends)}): "
    if method.planes is not None:
        return f"{wider}by {method.planes}, in which no arcs cross: "
    once = "" if method.once is None else f"{method.once}; "
    fits = "" if method.fits is None else f"for `{method.fits}`, "
    return f"{wider}{once}{fits}by V = {method.ranking}: " if method.ranking is not None else f"{wider}{once}"


def _tried(theorem: "Theorem") -> str:
    """Name the method that was tried."""
    way = _way(theorem).removesuffix(": ")
    return f"; tried {way}" if way.startswith(("by ", "for ")) else f"; tried with {way}" if way else ""


def _next(theorem: "Theorem") -> str:
    """Say what to do next."""
    told = [remedy_text(remedy) for remedy in theorem.remedies]
    return f"; next: {', or '.join(told)}" if told else ""


def remedy_text(remedy: "Remedy") -> str:
    """Name a way in which the author of a figure can help."""
    from arcproof.properties.proving.theorem import Remedy

    match remedy:
        case Remedy.MEASURE:
            return "give a function that decreases (`measure V = …`)"
        case Remedy.INVARIANT:
            return "state an invariant that excludes it (`invariant …`)"
        case Remedy.ORACLE_INVARIANT:
            return "say what excludes it along the oracle's runs (`invariant of ORACLE: …`)"
        case Remedy.LEMMA:
            return "give an intermediate step (`lemma …`)"
        case Remedy.EXPLAIN:
            return "see what blocks it (`prove --explain`)"
        case Remedy.MORE_TIME:
            return "allow more time (`--timeout-claim`, `--timeout`)"
        case Remedy.RUN_AGAIN:
            return "run the command again (proofs are kept unless the cache is not used)"
        case Remedy.AGAIN:
            return "try again when the computer is less busy"
        case Remedy.SEARCH:
            return "search for a proof (`prove` without `--check`)"
        case Remedy.ORACLE:
            return "give the figure an oracle that leads to every graph of the class"
        case Remedy.REPAIR:
            return "trace it to that graph (`trace`) and correct it, or look for a correction (`repair`)"
        case Remedy.WITNESS:
            return "name a graph that shows it (`…, witness 2,0,2`)"
        case Remedy.COMMON_CLASS:
            return "claim a class for which both are sound and complete"
        case Remedy.REACH:
            return "see whether it ever happens (`explore`, `reach`)"
        case Remedy.VERIFY:
            return "try all short sentences (`verify`)"
        case Remedy.DERIVE:
            return "see which costs fit (`oracle --derive`)"
        case _:
            assert_never(remedy)


def _size(gist: "Gist") -> str:
    return f"{counted(gist.obligations, 'obligation')}, {counted(gist.conjuncts, 'conjunct')}"


def obstacle_text(obstacle: "Obstacle") -> str:
    """Say why there is no proof."""
    from arcproof.properties.proving.theorem import Hindrance

    what, behind = obstacle.what, "" if obstacle.behind is None else obstacle_text(obstacle.behind)
    match obstacle.kind:
        case Hindrance.UNSUPPORTED:
            return f"the prover does not support this: {what}"
        case Hindrance.NO_WITNESS:
            return what or "the claim is that something fails, but no run or graph was found that shows it"
        case Hindrance.NO_COMMON_CLASS:
            return f"this figure and {what} do not both claim to be sound and complete for any one class"
        case Hindrance.NO_METHOD:
            because = f": {what}" if what else ""
            return f"there is no proof method for this kind of claim{because}"
        case Hindrance.NO_RANKING:
            return "no ranking function of the shapes tried decreases with every transition"
        case Hindrance.NO_PLANES:
            return "no two sequences were found that divide the arcs into planes without crossings in short runs"
        case Hindrance.NO_ORACLE:
            return "the figure has no oracle"
        case Hindrance.NO_CERTIFICATE:
            return "no certificate is stored for it"
        case Hindrance.MISFIT:
            return f"the stored certificate does not fit: {what}"
        case Hindrance.NOT_PRESERVED:
            return f"the invariant found is too weak to prove: {what}"
        case Hindrance.NOTHING_TO_SHOW:
            return "there is nothing to prove"
        case Hindrance.UNDISCHARGED:
            return f"neither solver discharges every obligation; open, for example: {what}"
        case Hindrance.UNSATISFIED:
            return (
                f"in no run that was tried are the premises satisfied with {what}: they are contradictory, or hold "
                "only in longer sentences"
            )
        case Hindrance.ONE_SIZE:
            return "the premises are satisfied for one sentence length only"
        case Hindrance.OPEN_END:
            return f"{behind}; it is therefore open whether the oracle's runs end"
        case Hindrance.OPEN_SOUNDNESS:
            return f"{behind}; soundness, which this rests on, is therefore open"
        case Hindrance.OPEN_DECOMPOSABILITY:
            return f"{behind}; arc-decomposability, which this rests on, is therefore open"
        case Hindrance.NO_REACH:
            return f"no formula was found for the arcs that can still be built: {what}"
        case Hindrance.NO_ARCS:
            return f"{what} does not count each lost gold arc exactly once"
        case Hindrance.WRONG_ORACLE:
            return f"the oracle is wrong: {what}"
        case Hindrance.WRONG_BEYOND:
            return f"the class has no axioms, and the oracle does not lead to all {what}"
        case Hindrance.OPEN_LEAD:
            return f"{behind}; it is therefore open whether the oracle of {what} derives every graph of the class"
        case Hindrance.CUT_SHORT | Hindrance.INTERRUPTED:
            return f"{what} before this was decided"
        case _:
            assert_never(obstacle.kind)


def summary(system: "System", theorem: "Theorem") -> str:
    """Describe a proof, or an attempt, in one sentence."""
    title = title_of(system, theorem)
    if theorem.verdict is not Verdict.PROVED:
        return f"{title}: {theorem.verdict.value}: {theorem_text(theorem)}"
    if theorem.witness is not None:
        return f"{title}: proved for all n, {theorem_text(theorem)}"
    slowest = max(theorem.obligations, key=lambda done: done.seconds)
    parts = [
        f"proved for all n by {' and '.join(theorem.solvers)}",
        theorem_text(theorem),
        f"{sum(done.seconds for done in theorem.obligations):.1f} s in the solvers, at most "
        f"{slowest.seconds:.1f} s for one obligation",
        *([f"given in the specification: {'; '.join(theorem.given)}"] if theorem.given else []),
        f"lemmas: {'; '.join(theorem.lemmas) or 'none'}",
        f"assumptions: {'; '.join(theorem.believed) or 'none'}",
        *(["proved earlier and cached"] if theorem.kept else []),
        *([f"{counted(theorem.stored, 'obligation')} by stored answers"] if theorem.stored else []),
    ]
    return f"{title}: {', '.join(parts)}"


def redundancy_lines(found: "Redundancies") -> list[str]:
    """Say what is redundant for all n, and from which preconditions the others follow."""
    lines = []
    for single in found.preconditions:
        what = f"{single.case}: `{single.precondition}`"
        if single.redundant:
            assert single.theorem is not None
            lines.append(f"{what} is redundant for all n, by {' and '.join(single.theorem.solvers)}")
        elif single.witness is not None:
            lines.append(f"{what} does not follow from the others: in {single.witness} it alone blocks the transition")
        elif single.theorem is not None:
            lines.append(f"{what}: it is open whether it follows from the others: {theorem_text(single.theorem)}")
    for sufficient in found.sets:
        if sufficient.dropped:
            kept = ", ".join(f"`{name}`" for name in sufficient.kept) or "the pattern alone"
            least = "" if sufficient.minimal else ", though fewer might do"
            lines.append(f"{sufficient.case}: sufficient for all n: {kept}{least}")
    return lines


def write_smt(report: "ProofReport", directory: Path) -> None:
    """Write every obligation as a file of its own: SYSTEM/CLAIM/NUMBER.smt2."""
    for theorem in report.theorems:
        folder = directory / safe_name(report.system.name) / safe_name(theorem.claim)
        for number, done in enumerate(theorem.obligations, start=1):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{number:04}.smt2").write_text(done.obligation.text, encoding="utf-8")


def safe_name(name: str) -> str:
    """Make a name safe for use in a path."""
    return re.sub(r"[^A-Za-z0-9.=-]+", "-", name).strip("-")

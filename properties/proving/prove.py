"""Prove the claims of a figure for sentences of every length.

What is done for a claim: (1) the interpreter tries to refute it up to a few words; (2) an invariant is searched (`houdini`) among candidates
that hold in every reachable configuration of short sentences; (3) everything that must be shown is built anew and discharged by both
solvers (`discharge`); (4) the premises are shown to be satisfiable, and every move to fire (`witness`).  *All n* means n = 0 by the interpreter and n >= 1 by
the solvers.  A claim is `proved` only if all of this succeeded; what is short of it is `unknown` with its reason.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from arcproof.properties.claims import check_statement
from arcproof.properties.exhausted import Levels
from arcproof.properties.proving.discharge import (
    Certificate,
    Discharged,
    discharge_all,
    obligations,
    solvers_of,
)
from arcproof.properties.proving.houdini import Found, Problem, search
from arcproof.properties.proving.obligation import RLIMIT
from arcproof.properties.proving.soundness import soundness
from arcproof.properties.proving.state import Unsupported
from arcproof.properties.proving.symbolic import Meanings, meanings_of
from arcproof.properties.proving.templates import Candidate, candidates
from arcproof.properties.proving.terms import to_text
from arcproof.properties.proving.thinning import MOST_CONFIGURATIONS, MOST_WORDS, spaces, thinned
from arcproof.properties.proving.witness import Witness, witnesses
from arcproof.properties.verdict import Counterexample, Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.notation import claim_text
from arcproof.transitions.system import System

Say = Callable[[str], None]


def _nothing(_: str) -> None:
    return None


@dataclass(frozen=True)
class Theorem:
    """A claim, and how far it is proved.

    `invariant` are the conjuncts by name and in symbols; `obligations` everything that was shown; `assumptions` what was not; `solvers` those
    that discharged every obligation.
    """

    claim: str
    verdict: Verdict
    detail: str
    seconds: float = 0.0
    invariant: tuple[tuple[str, str], ...] = ()
    obligations: tuple[Discharged, ...] = ()
    witnesses: tuple[Witness, ...] = ()
    solvers: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    counterexample: Counterexample | None = None


@dataclass(frozen=True)
class ProofReport:
    """What was proved about one system."""

    system: System
    theorems: tuple[Theorem, ...]
    seconds: float

    @property
    def exit_code(self) -> int:
        """0 everything is proved, 1 something is refuted, 3 something is open."""
        verdicts = {theorem.verdict for theorem in self.theorems}
        if Verdict.REFUTED in verdicts:
            return 1
        return 0 if verdicts == {Verdict.PROVED} else 3


@dataclass
class Prover:
    """The proofs about one system, with what they share."""

    system: System
    say: Say = _nothing
    rlimit: int = RLIMIT

    @cached_property
    def meanings(self) -> Meanings:
        """The system in symbols; `Unsupported` if it has no symbolic meaning."""
        return meanings_of(self.system)

    @cached_property
    def levels(self) -> Levels:
        """Short sentences, by the interpreter."""
        return Levels(self.system, MOST_WORDS, MOST_CONFIGURATIONS)

    @cached_property
    def candidates(self) -> list[Candidate]:
        """The candidates that hold in short sentences."""
        before, start = self.meanings.before, self.meanings.start
        return thinned(candidates(before, start), before, spaces(self.system))

    def claim(self, claim: s.Claim) -> Theorem:
        """Prove one claim, or say why not."""
        began = time.perf_counter()
        text = claim_text(claim)
        self.say(text)
        try:
            theorem = self._claim(claim, text)
        except Unsupported as reason:
            theorem = Theorem(text, Verdict.UNKNOWN, f"unsupported: {reason}")
        return replace(theorem, seconds=time.perf_counter() - began)

    def _claim(self, claim: s.Claim, text: str) -> Theorem:
        if claim.kind != "plain":
            return Theorem(text, Verdict.UNKNOWN, "only plain claims are proved; this one says that something fails")
        refutation = check_statement(self.levels, claim.statement)
        if refutation.verdict is Verdict.REFUTED:
            return Theorem(text, Verdict.REFUTED, refutation.detail, counterexample=refutation.counterexample)
        match claim.statement:
            case s.Sound(graphs):
                problem = soundness(self.meanings, self.system.class_with_parameters(graphs))
                return self.theorem(text, problem)
        return Theorem(text, Verdict.UNKNOWN, "no proof method for this kind of claim yet")

    def theorem(self, text: str, problem: Problem) -> Theorem:
        """Search an invariant for the goals, discharge everything, and make sure that it is not empty talk."""
        found = search(problem, self.candidates, self.rlimit, self.say)
        if found.failed:
            return self._open(text, found)
        certificate = Certificate(found.invariant, found.cores)
        todo = obligations(problem, certificate, self.candidates)
        done = discharge_all(todo, self.say, self.rlimit)
        pool = {candidate.name: candidate.formula(problem.before) for candidate in self.candidates}
        premises = [pool[name] for name in found.invariant] + [term for _, term in problem.axioms]
        seen = witnesses(self.system, problem.moves, premises)
        invariant = tuple((name, to_text(pool[name])) for name in found.invariant)
        return judged(text, tuple(done), tuple(seen), invariant)

    def _open(self, text: str, found: Found) -> Theorem:
        failed = "; ".join(f"{name}: {result.answer} {result.reason}".strip() for name, result in found.failed.items())
        return Theorem(text, Verdict.UNKNOWN, f"not proved from the candidates that are preserved: {failed}")


def judged(
    text: str, done: tuple[Discharged, ...], seen: tuple[Witness, ...], invariant: tuple[tuple[str, str], ...]
) -> Theorem:
    """The verdict on a complete set of obligations."""
    solvers = solvers_of(done)
    theorem = Theorem(text, Verdict.UNKNOWN, "", invariant=invariant, obligations=done, witnesses=seen, solvers=solvers)
    idle = sorted({w.move for w in seen} - {w.move for w in seen if w.configuration is not None})
    sizes = {w.words for w in seen if w.configuration is not None}
    if not seen or idle:
        what = ", ".join(idle) or "anything"
        return replace(theorem, detail=f"no configuration of a run was found that satisfies the premises with {what}")
    if len(sizes) < 2:
        return replace(theorem, detail="the premises are satisfied with one number of words only")
    if not solvers:
        hard = next(entry for entry in done if not (entry.by("z3") and entry.by("cvc5")))
        return replace(
            theorem, detail=f"no solver discharges every obligation; one that is open: {hard.obligation.name}"
        )
    only = "" if len(solvers) == 2 else f"; by {solvers[0]} only"
    detail = f"{len(done)} obligations, {len(invariant)} conjuncts{only}"
    return replace(theorem, verdict=Verdict.PROVED, detail=detail)


def prove(system: System, say: Say = _nothing) -> ProofReport:
    """Prove every claim of a figure."""
    began = time.perf_counter()
    prover = Prover(system, say)
    theorems = tuple(prover.claim(claim) for claim in system.figure.claims)
    return ProofReport(system, theorems, time.perf_counter() - began)

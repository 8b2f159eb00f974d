"""Proof objects: what a solver found, written down so that the solver need not be trusted.

cvc5 is asked for a proof of each obligation, with one set of options after another, until the checker accepts one
(`checker`).  An obligation without an accepted proof counts as unchecked.  The verdict `every step checked` rests, in
this module, on `proof_object` and `every_step_is_checked`, which say what was accepted.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from arcproof.process.progress import Say
from arcproof.process.side_by_side import in_processes
from arcproof.properties.proving.checker.proof import check
from arcproof.properties.proving.checker.terms import Refused
from arcproof.properties.proving.proof_files import INDEX, OBLIGATION, PROOF, index_text
from arcproof.properties.proving.prove import ProofReport
from arcproof.properties.proving.theorem import Theorem
from arcproof.properties.proving.trusted.obligation import Obligation, Written
from arcproof.properties.proving.trusted.solvers import CVC5_OPTIONS, RLIMIT, SECONDS
from arcproof.properties.verdict import Verdict

OPTIONS: Final = {"produce-proofs": "true", "proof-granularity": "dsl-rewrite", "proof-print-reference": "true"}
NO_PROOF: Final = "cvc5 finds no proof"


@dataclass(frozen=True)
class ProofObject:
    """A proof of an obligation: its text, the number of its steps, and why the checker refuses it, if it does."""

    text: str | None
    steps: int
    refused: str | None


ProofObjects: TypeAlias = Mapping[str, ProofObject]
"""Proof objects by the hash of their obligation."""


def proof_objects(theorems: Iterable[Theorem], say: Say, jobs: int = 1) -> dict[str, ProofObject]:
    """A checked proof of every obligation of these theorems."""
    wanted: dict[str, Obligation | Written] = {}
    for theorem in theorems:
        wanted.update({done.obligation.digest: done.obligation for done in theorem.obligations})
    texts = ((obligation.text,) for obligation in wanted.values())
    made = in_processes(proof_object, texts, jobs) if jobs > 1 else (proof_object(*text) for text in texts)
    found: dict[str, ProofObject] = {}
    for number, (obligation, entry) in enumerate(zip(wanted.values(), made, strict=True), start=1):
        say(f"proof {number}/{len(wanted)} {obligation.name}")
        found[obligation.digest] = entry
    return found


def proof_object(obligation: str, rlimit: int = RLIMIT) -> ProofObject:
    """The first of cvc5's proofs that the checker accepts, or else the last that it refuses."""
    last = ProofObject(None, 0, NO_PROOF)
    for text in _proofs(obligation, rlimit):
        try:
            return ProofObject(text, check(obligation, text).steps, None)
        except Refused as reason:
            last = ProofObject(text, 0, str(reason))
    return last


def _proofs(obligation: str, rlimit: int) -> Iterator[str]:
    """Yield proofs by cvc5, one for each way to run it that finds any."""
    import cvc5

    for way in CVC5_OPTIONS:
        solver: Any = cvc5.Solver(cvc5.TermManager())
        limits = {"rlimit": str(rlimit), "tlimit-per": str(SECONDS * 1000)}
        for option, value in {**way, **limits, **OPTIONS}.items():
            solver.setOption(option, value)
        parser = cvc5.InputParser(solver)
        text = obligation.replace("(check-sat)\n", "")
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
        symbols = parser.getSymbolManager()
        while not (command := parser.nextCommand()).isNull():
            command.invoke(solver, symbols)
        if solver.checkSat().isUnsat():
            printed = [solver.proofToString(proof, cvc5.ProofFormat.CPC) for proof in solver.getProof()]
            yield "".join(part.decode() if isinstance(part, bytes) else str(part) for part in printed)


def every_step_is_checked(theorem: Theorem, proofs: ProofObjects) -> bool:
    """Whether a theorem is proved and the checker accepted a proof of each of its obligations."""
    return theorem.verdict is Verdict.PROVED and bool(theorem.obligations) and not unchecked(theorem, proofs)


def unchecked(theorem: Theorem, proofs: ProofObjects) -> list[tuple[str, str]]:
    """The obligations of a theorem without an accepted proof, with the reasons."""
    missing = ProofObject(None, 0, NO_PROOF)
    entries = ((done.obligation, proofs.get(done.obligation.digest, missing)) for done in theorem.obligations)
    return [(obligation.name, entry.refused) for obligation, entry in entries if entry.refused is not None]


def write_proof_objects(report: ProofReport, proofs: ProofObjects, folder: Path) -> None:
    """Write every obligation with its proof next to it, and the index."""
    folder.mkdir(parents=True, exist_ok=True)
    listed: list[tuple[str, Sequence[tuple[str, str]]]] = []
    for theorem in report.theorems:
        obligations = [done.obligation for done in theorem.obligations]
        for obligation in obligations:
            path = folder / f"{obligation.digest}{OBLIGATION}"
            path.write_text(obligation.text, encoding="utf-8")
            proof = proofs[obligation.digest].text
            if proof is not None:
                path.with_suffix(PROOF).write_text(proof, encoding="utf-8")
        if obligations:
            listed.append((theorem.claim, [(obligation.name, obligation.digest) for obligation in obligations]))
    (folder / INDEX).write_text(index_text(report.system.name, report.system.sha256, listed), encoding="utf-8")

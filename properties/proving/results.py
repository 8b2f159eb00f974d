"""A report on proofs as text, as JSON, and its obligations as SMT-LIB files."""

import re
from pathlib import Path

from arcproof.properties.proving.obligation import cvc5_version, z3_version
from arcproof.properties.proving.prove import ProofReport, Theorem


def text_of(report: ProofReport, invariants: bool = False) -> str:
    """The theorems, one a line; with `invariants` also what each rests on."""
    lines = [f"{report.system.name} ({report.seconds:.1f} s)"]
    for theorem in report.theorems:
        by = f" by {' and '.join(theorem.solvers)}" if theorem.solvers else ""
        lines.append(f"  {theorem.verdict.value:9} {theorem.claim}{by}: {theorem.detail} ({theorem.seconds:.1f} s)")
        if theorem.assumptions:
            lines.append(f"            assuming {'; '.join(theorem.assumptions)}")
        if invariants:
            lines += [f"            {name}: {text}" for name, text in theorem.invariant]
    return "\n".join(lines)


def as_json(report: ProofReport) -> dict[str, object]:
    """One system, for machines."""
    return {
        "system": report.system.name,
        "spec_sha256": report.system.sha256,
        "solvers": {"z3": z3_version(), "cvc5": cvc5_version()},
        "seconds": round(report.seconds, 2),
        "theorems": [_theorem(theorem) for theorem in report.theorems],
    }


def _theorem(theorem: Theorem) -> dict[str, object]:
    return {
        "claim": theorem.claim,
        "verdict": theorem.verdict.value,
        "detail": theorem.detail,
        "seconds": round(theorem.seconds, 2),
        "solvers": list(theorem.solvers),
        "assumptions": list(theorem.assumptions),
        "invariant": [{"name": name, "formula": text} for name, text in theorem.invariant],
        "obligations": [
            {
                "name": done.obligation.name,
                "sha256": done.obligation.digest,
                "results": [
                    {"solver": r.solver, "answer": r.answer, "seconds": round(r.seconds, 3), "reason": r.reason}
                    for r in done.results
                ],
            }
            for done in theorem.obligations
        ],
        "witnesses": [{"move": w.move, "words": w.words, "configuration": w.configuration} for w in theorem.witnesses],
        "counterexample": None if theorem.counterexample is None else theorem.counterexample.reason,
    }


def write_smt(report: ProofReport, directory: Path) -> None:
    """Every obligation as a file of its own: SYSTEM/CLAIM/NUMBER.smt2."""
    for theorem in report.theorems:
        folder = directory / _safe(report.system.name) / _safe(theorem.claim)
        for number, done in enumerate(theorem.obligations, start=1):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{number:04}.smt2").write_text(done.obligation.text, encoding="utf-8")


def _safe(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.=-]+", "-", name).strip("-")

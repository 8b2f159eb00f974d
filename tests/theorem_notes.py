"""The part of each note in `proofs_notes/theorems` that is written by the prover.

A note names its system and claims in a comment, `<!-- SYSTEM: claim; claim -->`; what was proved of them stands between
that comment and
`<!-- end -->`.  `python -m tests.theorem_notes` checks the certificates on file and writes it.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from arcproof.properties.proving.certificates.files import on_file
from arcproof.properties.proving.prove import ProofReport, prove
from arcproof.properties.proving.theorem import Theorem
from arcproof.properties.proving.trusted.solvers import cvc5_version, z3_version
from arcproof.transitions.system import load

NOTES = Path(__file__).parent.parent / "proofs_notes" / "theorems"
END = "<!-- end -->"


def notes() -> list[Path]:
    return sorted(NOTES.glob("*-*.md"))


def subject(text: str) -> tuple[str, list[str]]:
    """The system and the claims of a note."""
    comment = next(line for line in text.splitlines() if line.startswith("<!-- "))
    system, _, claims = comment.removeprefix("<!-- ").removesuffix(" -->").partition(": ")
    return system, claims.split("; ")


def rewritten(text: str, report: ProofReport) -> str:
    """The note with the prover's part put in."""
    system, claims = subject(text)
    comment = f"<!-- {system}: {'; '.join(claims)} -->"
    before, _, rest = text.partition(comment)
    after = rest.partition(END)[2]
    theorems = {theorem.claim: theorem for theorem in report.theorems}
    parts = [line for claim in claims for line in _about(theorems[claim])]
    return before + "\n".join([comment, "", *parts, END]) + after


def _about(theorem: Theorem) -> Iterator[str]:
    solvers = " and ".join(
        {"z3": f"Z3 {z3_version()}", "cvc5": f"cvc5 {cvc5_version()}"}[name] for name in theorem.solvers
    )
    yield f"### `{theorem.claim}`: {theorem.verdict.value} for all n"
    yield ""
    yield (
        f"{len(theorem.obligations)} obligations, each discharged by {solvers}; assumptions: "
        f"{'; '.join(theorem.believed) or 'none'}."
    )
    ranking = theorem.method.ranking or (None if theorem.method.ends is None else theorem.method.ends.ranking)
    if ranking:
        yield f"Ranking function: `V = {ranking}`."
    yield ""
    if theorem.invariant:
        yield "| conjunct of the invariant | in symbols |"
        yield "| --- | --- |"
        yield from (f"| {c.name} | {c.formula.replace('|', chr(92) + '|')} |" for c in theorem.invariant)
        yield ""
    if theorem.lemmas:
        yield "Lemmas: " + "; ".join(theorem.lemmas) + "."
        yield ""


def main() -> None:
    """Prove, and write the notes again."""
    reports: dict[str, ProofReport] = {}
    for path in notes():
        text = path.read_text(encoding="utf-8")
        system, _ = subject(text)
        if system not in reports:
            print(system, file=sys.stderr)
            reports[system] = prove(load(system), certificates=on_file(system))
        path.write_text(rewritten(text, reports[system]), encoding="utf-8")


if __name__ == "__main__":
    main()

"""What the prover knows about each figure, as digests: a change of a lemma file shows as a change of `knowledge.json`.

A digest is over titles, SMT-LIB texts, what is stronger, basic, and named as premises, in order.  `python -m
tests.properties.proving.knowledge` writes the file anew; certificates name titles, so that those of a changed title
must be found again (`arcproof prove SYSTEM --certificates DIR`).
"""

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from itertools import product
from pathlib import Path

from arcproof.properties.proving.language.terms import to_smt
from arcproof.properties.proving.library.gold import as_given, axioms, lemmas, proofs
from arcproof.properties.proving.library.instances import NOWHERE, candidates, instances
from arcproof.properties.proving.meaning.state import SymbolicState, Unsupported
from arcproof.properties.proving.meaning.symbolic import Meanings, meanings_of
from arcproof.properties.proving.trusted.facts import Candidate, Lemma
from arcproof.transitions import syntax as s
from arcproof.transitions.library import system_names
from arcproof.transitions.system import System, load

FILE = Path(__file__).with_suffix(".json")
Digests = dict[str, dict[str, str]]
ROOTED, ROOTLESS = "arc-eager", "arc-eager-2003"


def knowledge() -> dict[str, Digests]:
    """The digests of every figure, and of every class of gold graphs."""
    return {"figures": dict(_figures()), "gold": dict(_classes())}


def _figures() -> Iterable[tuple[str, dict[str, str]]]:
    known: dict[object, dict[str, str]] = {}
    for system in map(load, system_names()):
        try:
            meanings = meanings_of(system)
        except Unsupported:
            continue
        start = system.figure.state, system.figure.start, meanings.special, system.figure.shared
        if start not in known:
            known[start] = {"candidates": of_runs(meanings), **along_oracles(meanings)}
        yield system.name, known[start]


def of_runs(meanings: Meanings) -> str:
    """The digest of the guesses about every run."""
    before, start = meanings.before, meanings.start
    return _digest(_candidate(c, before, start) for c in candidates(before, start, meanings.special))


def along_oracles(meanings: Meanings) -> dict[str, str]:
    """The digests of guesses and lemmas about the way to a gold graph."""
    before = meanings.before
    found = instances(before, meanings.start, meanings.special)
    return {
        "guesses": _digest(_candidate(c, before) for c in found.guesses),
        "lemmas": _digest(_lemma(lemma, before) for lemma in found.lemmas),
    }


def _classes() -> Iterable[tuple[str, dict[str, str]]]:
    projective = (s.Restriction("projective", None),)
    for name, restrictions, base, ordered in product(
        (ROOTED, ROOTLESS), ((), projective), ("forests", "trees"), (False, True)
    ):
        told = [*(r.name for r in restrictions), base, *(["ordered"] * ordered), *(["without 0"] * (name == ROOTLESS))]
        yield " ".join(told), _of_class(_system(name), s.GraphClass(restrictions, base), ordered)


def _of_class(system: System, graphs: s.GraphClass, ordered: bool) -> dict[str, str]:
    given = axioms(system, graphs, ordered)
    follow = lemmas(given)
    return {
        "axioms": _digest(_candidate(c, NOWHERE) for c in given),
        "lemmas": _digest(obligation.text for obligation in proofs(given, follow)),
        "given": _digest(_candidate(c, NOWHERE) for c in as_given(given, follow)),
    }


@cache
def _system(name: str) -> System:
    return load(name)


def _candidate(candidate: Candidate, *states: SymbolicState) -> str:
    marks = [candidate.stronger, candidate.basic, candidate.hints]
    return json.dumps([candidate.name, [to_smt(candidate.formula(c)) for c in states], marks], ensure_ascii=False)


def _lemma(lemma: Lemma, c: SymbolicState) -> str:
    hypothesis, goal = lemma.goal(c)
    texts = [lemma.folded(c), *(term for _, term in lemma.definitions(c)), *([hypothesis] if hypothesis else []), goal]
    return _candidate(lemma.candidate, c) + "\n".join(map(to_smt, texts))


def _digest(lines: Iterable[str]) -> str:
    whole = list(lines)
    return f"{len(whole)}: {hashlib.sha256(chr(10).join(whole).encode()).hexdigest()}"


if __name__ == "__main__":
    FILE.write_text(json.dumps(knowledge(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

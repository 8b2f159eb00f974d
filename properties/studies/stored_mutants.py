"""Mutants as pieces of the run store: verdicts are reused.

Only decided mutants are stored.  The evidence that killed a mutant is replayed by the interpreter before it is
believed: the run is taken again, or the graph is derived again.  If that does not settle it, the mutant is judged
again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Literal

from arcproof.process.code_digest import code_digest
from arcproof.process.codec import NotOfThisType, encoded
from arcproof.process.run_store import RunStore, current, key_of
from arcproof.properties.evidence import Counterexample
from arcproof.properties.property import Question
from arcproof.properties.stored import CODE, read, runs_on, shown_again, trees_of
from arcproof.properties.studies.faults import Fault, run_of, shows_again
from arcproof.properties.studies.mutants import Mutant
from arcproof.transitions import syntax as s
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.system import System

KIND: Final = "mutant"


@dataclass(frozen=True)
class StoredVerdict:
    """What is stored about a mutant: its bucket, the index of the claim that kills it, and what shows it."""

    bucket: Literal["killed", "equivalent", "alternative"]
    words: int
    reason: str
    claim: int | None
    witness: Counterexample | None
    remark: str | None


@dataclass
class StoredMutants:
    """The mutants of a figure, tried up to this many words against the claims that the figure meets."""

    system: System
    questions: Sequence[Question]
    words: int
    engine: str
    memory: int
    store: RunStore | None = field(default_factory=current)

    @cached_property
    def _depends(self) -> dict[str, object]:
        return {
            "figures": trees_of(self.system),
            "questions": [repr(question) for question in self.questions],
            "words": self.words,
            "engine": self.engine,
            "memory": self.memory,
            "code": code_digest(CODE),
            "runs on": runs_on(),
        }

    def recall(self, mutant: Mutant) -> StoredVerdict | None:
        """The stored verdict on a mutant, if it can be believed."""
        if self.store is None or mutant.problem is not None:
            return None
        key = self._key(mutant)
        value = self.store.recall(key)
        if value is None:
            return None
        try:
            found: StoredVerdict = read(StoredVerdict, value)
        except NotOfThisType:
            self.store.forget(key)
            return None
        if self._is_shown(mutant, found):
            return found
        self.store.forget(key)
        return None

    def keep(self, mutant: Mutant, found: StoredVerdict) -> None:
        """Store the verdict on a mutant, unless another figure has changed since."""
        if self.store is not None and trees_of(self.system) == self._depends["figures"]:
            text = f"{self.system.name}: {mutant.description}, {counted(self.words, 'word')}"
            self.store.keep(KIND, self._key(mutant), encoded(found), text)

    def _key(self, mutant: Mutant) -> str:
        return key_of(KIND, {**self._depends, "mutant": self._made(mutant).tree_sha256})

    def _made(self, mutant: Mutant) -> System:
        return replace(self.system, figure=mutant.figure, text="", source=None)

    def _is_shown(self, mutant: Mutant, found: StoredVerdict) -> bool:
        if found.claim is not None and not 0 <= found.claim < len(self.questions):
            return False
        made, witness = self._made(mutant), found.witness
        match found.bucket:
            case "killed":
                if found.claim is None or witness is None:
                    return False
                return _kills(made, self.questions[found.claim], witness)
            case "alternative":
                return witness is not None and _is_run_of_one(witness, made, self.system)
            case "equivalent":
                return found.claim is None and witness is None


def _kills(system: System, question: Question, witness: Counterexample) -> bool:
    if isinstance(question, s.Claim) and question.kind != "plain":
        return _derives(system, witness)
    return shown_again(system, question, witness) or shows_again(system, Fault(question, witness))


def _derives(system: System, witness: Counterexample) -> bool:
    """Whether the run leads to the graph that the claim says is not derivable."""
    if witness.transitions is None or witness.graph is None:
        return False
    run = run_of(system, witness.words, witness.transitions)
    return run is not None and run.end == "terminal" and _pairs(run.last.graph) == _pairs(witness.graph)


def _pairs(graph: Any) -> set[tuple[int, int]]:
    return {(arc.head, arc.dependent) for arc in graph.arcs}


def _is_run_of_one(witness: Counterexample, *systems: System) -> bool:
    """Whether the run, if there is one, is a run of the mutant or of the original."""
    if witness.transitions is None:
        return True
    return any(run_of(system, witness.words, witness.transitions, past_terminal=True) is not None for system in systems)

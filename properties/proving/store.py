"""Cached proofs: a theorem is taken from the cache only if proving it again would do exactly the same work.

A *key* holds everything the verdict depends on: the figure as it was read with its parameters, the claim, the budget,
the text of every module that takes part (process, transitions, generators, properties), Python and both solvers.  The
key is written into the entry and compared as a whole; the name of the file only serves to find it.  Entries are JSON.
Nothing in them is believed that can be checked: the checksum over the entry, the hash of each obligation's text, and
the verdict, which is recomputed from the solvers' answers.  Anything damaged, foreign or out of date is ignored.

An entry that says that a theorem is proved is not believed either.  The entry holds what its proof was made from
(`theorem.Work`), and the solvers' answers to each obligation.  The proof is rebuilt from the figure (`recall.known`),
and counts only if every obligation is among those that the solvers discharged.

Refutations are not cached, nor are proofs by a witness: a run or a graph is quickly found again.  Open results are
cached only if the clock did not influence them (`recall.recalled`): on a less busy machine the claim might be proved.
"""

import gzip
import hashlib
import io
import json
import sys
import zlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from arcproof.process.cache import MAX_BYTES, cache_folder, trusted_bytes
from arcproof.process.code_digest import code_digest as digest_of_code
from arcproof.process.replacing import replaced
from arcproof.properties.proving.goals.ranking import Ranking
from arcproof.properties.proving.kept import PROOFS, folder_of
from arcproof.properties.proving.search.induction import Failure
from arcproof.properties.proving.search.within_reach import Case, WithinReach
from arcproof.properties.proving.theorem import (
    Conjunct,
    Gist,
    Hindrance,
    Method,
    Obstacle,
    OncePerPair,
    Solved,
    Theorem,
    Topic,
    Work,
    judged,
)
from arcproof.properties.proving.trusted.discharge import Certificate, Discharged
from arcproof.properties.proving.trusted.obligation import Written
from arcproof.properties.proving.trusted.problem import key_of, key_texts
from arcproof.properties.proving.trusted.solvers import RLIMIT, Result, installed_version
from arcproof.properties.proving.trusted.witness import Witness
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.system import System

FORMAT: Final = 4
CODE: Final = (
    "arcproof.native",
    "arcproof.process",
    "arcproof.transitions",
    "arcproof.generators",
    "arcproof.properties",
)
_ANSWERS: Final = ("unsat", "sat", "unknown")
_KEPT: Final = (Verdict.PROVED, Verdict.UNKNOWN, Verdict.UNREACHED)


class _NotBelieved(Exception):
    """An entry that must not be believed."""


_DAMAGE: Final = (
    OSError, EOFError, zlib.error, ValueError, ArithmeticError, LookupError, TypeError, AttributeError, RecursionError,
    _NotBelieved,
)  # fmt: skip
"""Why an entry is passed over."""


@dataclass(frozen=True)
class Store:
    """A folder of theorems."""

    folder: Path
    rlimit: int = RLIMIT

    def recall(self, system: System, about: Topic) -> Theorem | None:
        """The theorem about this topic and this figure, as the present prover and solvers made it; None if there is
        none.
        """
        path = self.path(system, about)
        try:
            if not path.is_file() or not self._has_solvers(key := self.key(system, about)):
                return None
            with gzip.open(io.BytesIO(trusted_bytes(path))) as file:
                entry = json.loads(file.read(MAX_BYTES))
            return _believed(entry, key, about)
        except _DAMAGE:
            return None

    def keep(self, system: System, theorem: Theorem) -> None:
        """Cache a theorem; if it cannot be written, it is not cached."""
        if theorem.verdict not in _KEPT or theorem.counterexample is not None or theorem.witness is not None:
            return
        key = self.key(system, theorem.about)
        if not self._has_solvers(key):
            return
        content: dict[str, object] = {"key": key, "theorem": _to_json(theorem)}
        entry = {**content, "checksum": _checksum(content)}
        path = self.path(system, theorem.about)
        try:
            path.parent.mkdir(mode=0o700, exist_ok=True)
            replaced(path, gzip.compress(json.dumps(entry, ensure_ascii=False).encode(), mtime=0))
        except OSError:
            return

    def path(self, system: System, about: Topic) -> Path:
        """The path of an entry; there is one for each claim of a figure, so that an outdated entry is replaced."""
        return folder_of(system, self.folder) / f"{_hash(repr(about))[:32]}.json.gz"

    @staticmethod
    def _has_solvers(key: dict[str, object]) -> bool:
        """Whether both solvers are installed: without them, a proof is one of another environment."""
        return key["z3"] is not None and key["cvc5"] is not None

    def key(self, system: System, about: Topic) -> dict[str, object]:
        """Everything that the verdict depends on."""
        return {
            "format": FORMAT,
            "figure": system.tree_sha256,
            "others": [system.other(reference).tree_sha256 for reference in s.references(about)],
            "about": repr(about),
            "budget": self.rlimit,
            "code": code_digest(),
            "python": sys.version,
            "z3": installed_version("z3-solver"),
            "cvc5": installed_version("cvc5"),
        }


@dataclass(frozen=True)
class OnlyProved:
    """A store that caches only proved theorems, since a missing proof may not be the prover's fault."""

    store: Store

    def recall(self, system: System, about: Topic) -> Theorem | None:
        """The theorem, as `Store.recall` returns it."""
        return self.store.recall(system, about)

    def keep(self, system: System, theorem: Theorem) -> None:
        """Keep a theorem if it is proved."""
        if theorem.verdict is Verdict.PROVED:
            self.store.keep(system, theorem)


@dataclass(frozen=True)
class WriteOnly:
    """A store that is written to but not read."""

    store: Store

    def recall(self, system: System, about: Topic) -> Theorem | None:  # noqa: ARG002
        """Nothing."""
        return None

    def keep(self, system: System, theorem: Theorem) -> None:
        """Cache a theorem, as `Store.keep` does."""
        self.store.keep(system, theorem)


def default_store() -> Store | None:
    """The store in the user's cache; None if nothing can be cached."""
    folder = cache_folder(PROOFS)
    return None if folder is None else Store(folder)


def code_digest() -> str:
    """The hash of all modules that take part in a proof, and of the built-in lemmas."""
    return digest_of_code(CODE)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _checksum(content: dict[str, object]) -> str:
    return _hash(json.dumps(content, sort_keys=True))


# --- a theorem as JSON -----------------------------------------------------------------------------------------------


def _to_json(theorem: Theorem) -> dict[str, object]:
    return {
        "obstacle": None if theorem.obstacle is None else _obstacle_json(theorem.obstacle),
        "method": asdict(theorem.method),
        "seconds": theorem.seconds,
        "invariant": [asdict(conjunct) for conjunct in theorem.invariant],
        "obligations": [
            {
                "name": done.obligation.name,
                "sha256": done.obligation.digest,
                "text": done.obligation.text,
                "lemma": done.obligation.lemma,
                "results": [[r.solver, r.answer, r.seconds, r.reason] for r in done.results],
            }
            for done in theorem.obligations
        ],
        "witnesses": _witnesses_json(theorem.witnesses),
        "solvers": list(theorem.solvers),
        "assumptions": list(theorem.assumptions),
        "failure": None if theorem.failure is None else asdict(theorem.failure),
        "timed_out": theorem.timed_out,
        "dead": list(theorem.dead),
        "values": list(theorem.values),
        "helped": list(theorem.helped),
        "work": {
            "solved": {problem: _solved_json(solved) for problem, solved in theorem.work.solved.items()},
            "rankings": list(map(_ranking_json, theorem.work.rankings)),
        },
    }


def _ranking_json(ranking: Ranking) -> dict[str, object]:
    terms = [[list(map(list, monomial)), str(c)] for monomial, c in ranking.coefficients.items()]
    return {"terms": terms, "values": sorted(ranking.values)}


def _solved_json(solved: Solved) -> dict[str, object]:
    certificate = solved.certificate
    return {
        "invariant": list(certificate.invariant),
        "lemmas": list(certificate.lemmas),
        "steps": [[*key_texts(key), list(core)] for key, core in certificate.cores.items()],
        "witnesses": _witnesses_json(solved.witnesses),
    }


def _witnesses_json(witnesses: Iterable[Witness]) -> list[list[object]]:
    return [[w.move, w.words, w.configuration, w.timed_out] for w in witnesses]


def _obstacle_json(obstacle: Obstacle) -> list[object]:
    behind = None if obstacle.behind is None else _obstacle_json(obstacle.behind)
    return [obstacle.kind.value, obstacle.what, behind]


def _believed(entry: Any, key: dict[str, object], about: Topic) -> Theorem:
    """The theorem of an entry; raises `_NotBelieved` if anything about it is wrong."""
    content = {"key": entry["key"], "theorem": entry["theorem"]}
    _ask(set(entry) == {"key", "theorem", "checksum"}, "parts")
    _ask(entry["key"] == key, "key")
    _ask(entry["checksum"] == _checksum(content), "checksum")
    theorem = _from_json(entry["theorem"], about)
    _ask(list(theorem.solvers) == entry["theorem"]["solvers"], "solvers")
    _ask(theorem.verdict in _KEPT, "verdict")
    if theorem.obstacle is None:
        again = judged(about, theorem.obligations, theorem.witnesses, theorem.invariant, dead=theorem.dead)
        _ask(again.verdict is Verdict.PROVED, "judgement")
    return replace(theorem, kept=True)


def _ask(holds: bool, what: str) -> None:
    if not holds:
        raise _NotBelieved(what)


def _from_json(value: Any, about: Topic) -> Theorem:
    return Theorem(
        about,
        None if value["obstacle"] is None else _obstacle(value["obstacle"]),
        _method(value["method"]),
        tuple(Conjunct(_text(c["name"]), _text(c["formula"]), _maybe(c["given"])) for c in value["invariant"]),
        tuple(map(_discharged, value["obligations"])),
        _witnesses(value["witnesses"]),
        tuple(map(_text, value["assumptions"])),
        failure=None if value["failure"] is None else _failure(value["failure"]),
        seconds=float(value["seconds"]),
        timed_out=value["timed_out"] is True,
        work=_work(value["work"]),
        dead=tuple(map(_text, value["dead"])),
        values=tuple(map(_text, value["values"])),
        helped=tuple(map(_text, value["helped"])),
    )


def _witnesses(value: Any) -> tuple[Witness, ...]:
    return tuple(
        Witness(_text(move), int(words), _maybe(shown), timed_out is True) for move, words, shown, timed_out in value
    )


def _work(value: Any) -> Work:
    solved = {_text(problem): _solved(entry) for problem, entry in value["solved"].items()}
    return Work(solved, tuple(map(_ranking, value["rankings"])))


def _solved(value: Any) -> Solved:
    cores = {key_of(_text(what), _text(where)): tuple(map(_text, core)) for what, where, core in value["steps"]}
    certificate = Certificate(tuple(map(_text, value["invariant"])), tuple(map(_text, value["lemmas"])), cores)
    return Solved(certificate, _witnesses(value["witnesses"]))


def _ranking(value: Any) -> Ranking:
    terms = {tuple(tuple(map(_text, factor)) for factor in monomial): Fraction(c) for monomial, c in value["terms"]}
    return Ranking(terms, frozenset(map(_text, value["values"])))


def _obstacle(value: Any) -> Obstacle:
    kind, what, behind = value
    return Obstacle(Hindrance(kind), _text(what), None if behind is None else _obstacle(behind))


def _method(value: Any) -> Method:
    once, ends = value["once"], value["ends"]
    return Method(
        _maybe(value["ranking"]),
        None if once is None else OncePerPair(_text(once["pair"])),
        _maybe(value["oracle"]),
        None if ends is None else Gist(int(ends["obligations"]), int(ends["conjuncts"]), _maybe(ends["ranking"])),
        _maybe(value["wider"]),
        _maybe(value["exactly"]),
        _maybe(value["like"]),
        _maybe(value["fits"]),
        None if value["reach"] is None else WithinReach(_cases(value["reach"]["cases"])),
        tuple((_text(step), _cases(cases)) for step, cases in value["lost"]),
        _maybe(value["planes"]),
    )


def _cases(value: Any) -> tuple[Case, ...]:
    return tuple(tuple((_text(words), sign is True) for words, sign in case) for case in value)


def _failure(value: Any) -> Failure:
    return Failure(
        _text(value["goal"]),
        int(value["words"]),
        _text(value["configuration"]),
        _maybe(value["gold"]),
        value["reached"] is True,
        value["is_part"] is True,
    )


def _discharged(value: Any) -> Discharged:
    written = Written(_text(value["name"]), _text(value["text"]), _maybe(value["lemma"]))
    _ask(written.digest == value["sha256"], "obligation")
    return Discharged(written, tuple(map(_result, value["results"])))


def _result(value: Any) -> Result:
    solver, answer, seconds, reason = value
    _ask(answer in _ANSWERS, "answer")
    return Result(_text(solver), answer, float(seconds), _text(reason))


def _text(value: Any) -> str:
    _ask(isinstance(value, str), "text")
    return str(value)


def _maybe(value: Any) -> str | None:
    return None if value is None else _text(value)

"""Proofs that are kept: taken from the cache only if proving again would be the same work; nothing else is believed."""

import gzip
import json
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from arcproof.process.code_digest import code_digest as digest_of_code
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.finding import ProofOfAFalsehood
from arcproof.properties.proving import store as store_module
from arcproof.properties.proving.certificates.files import identity, on_file
from arcproof.properties.proving.goals.ranking import Ranking
from arcproof.properties.proving.goals.soundness import soundness
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.prove import prove
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.recall import known
from arcproof.properties.proving.recall import recalled as ask
from arcproof.properties.proving.search import first_opinion
from arcproof.properties.proving.store import OnlyProved, Store, code_digest, default_store
from arcproof.properties.proving.theorem import NO_METHOD, NO_WORK, Hindrance, Obstacle, Theorem, Work, judged
from arcproof.properties.proving.trusted import discharge as discharge_module
from arcproof.properties.proving.trusted import solvers
from arcproof.properties.proving.trusted.discharge import Certificate, Discharged, required
from arcproof.properties.proving.trusted.obligation import Written, script
from arcproof.properties.proving.trusted.problem import ForGoal
from arcproof.properties.proving.trusted.solvers import Result
from arcproof.properties.proving.trusted.witness import Witness
from arcproof.properties.report import Effort
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify_system
from arcproof.transitions import syntax as s
from arcproof.transitions.system import System, load
from tests.conftest import Result as CommandResult
from tests.planting import WAYS, plant
from tests.properties.proving.made_up import SHORT, discharged

FIGURE = SHORT
FIRST = load(FIGURE).figure.claims[0]
SECOND = s.Claim(s.LengthBound("=", s.Arithmetic("*", s.Number(2), s.Words())))
Tamper = Callable[[dict[str, Any]], object]


@pytest.fixture
def system() -> System:
    return load(FIGURE)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Theorem]:
    """A folder in which both claims are kept, and the first theorem."""
    folder = tmp_path_factory.mktemp("proofs")
    (found, _) = prove(load(FIGURE), memory=Store(folder)).theorems
    assert found.verdict is Verdict.PROVED
    assert not found.kept
    return folder, found


@pytest.fixture
def theorem(store: Store, proved: tuple[Path, Theorem]) -> Theorem:
    """The first claim, proved and kept."""
    folder, found = proved
    shutil.copytree(folder, store.folder, dirs_exist_ok=True)
    return found


def recalled(system: System, store: Store) -> Theorem | None:
    return store.recall(system, FIRST)


@pytest.mark.solver
def test_what_is_kept_is_what_was_proved(system: System, store: Store, theorem: Theorem) -> None:
    known = recalled(system, store)

    assert known is not None
    assert known.kept
    assert [(d.obligation.name, d.obligation.text, d.results) for d in known.obligations] == [
        (d.obligation.name, d.obligation.text, tuple(replace(r, core=None) for r in d.results)) for d in theorem.obligations
    ]  # fmt: skip
    same = replace(known, obligations=theorem.obligations, kept=False)
    assert same == theorem, "every field of a theorem is kept"


@pytest.mark.solver
def test_what_is_kept_is_not_proved_again(
    system: System, store: Store, theorem: Theorem, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in ((discharge_module, "ask_z3"), (first_opinion, "_ask")):
        monkeypatch.setattr(module, name, lambda *_, **__: pytest.fail("it was proved again"))

    assert [found.kept for found in prove(system, memory=store).theorems] == [True, True]
    with pytest.raises(pytest.fail.Exception):
        prove(system)
    assert theorem.claim == "length = n"


@pytest.mark.solver
@pytest.mark.parametrize(
    "changed",
    [
        FIGURE.replace("length = n\n", "length = n + 1\n"),
        FIGURE.replace("β = []", "β = [], σ != []"),
        FIGURE.replace("SHIFT   σ, i|β  =>  σ|i, β", "SHIFT   σ, i|β  =>  σ|i, β   if i != 0"),
        FIGURE.replace("[0], [1..n]", "[], [1..n]"),
        FIGURE.replace("stack σ", "list σ head left").replace("σ|i, β", "i|σ, β"),
    ],
)
def test_another_figure_does_not_matter(changed: str, store: Store, theorem: Theorem) -> None:
    other = load(changed)

    assert changed != FIGURE
    assert theorem.verdict is Verdict.PROVED
    assert all(store.recall(other, claim) is None for claim in other.figure.claims[:1])


@pytest.mark.solver
def test_a_figure_changed_in_memory_is_another(system: System, store: Store, theorem: Theorem) -> None:
    """Variants keep the text they were made from; the tree counts."""
    rule = replace(system.figure.rules[0], after=system.figure.rules[0].before)
    variant = replace(system, figure=replace(system.figure, rules=(rule,)))

    assert variant.sha256 == system.sha256
    assert theorem.verdict is Verdict.PROVED
    assert recalled(variant, store) is None


@pytest.mark.solver
@pytest.mark.parametrize("what", ["z3-solver", "cvc5", "code"])
def test_another_prover_does_not_matter(
    what: str, system: System, store: Store, theorem: Theorem, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert recalled(system, store) is not None
    if what == "code":
        monkeypatch.setattr(store_module, "code_digest", lambda: "another")
    else:
        versions = {"z3-solver": solvers.installed_version("z3-solver"), "cvc5": solvers.installed_version("cvc5")}
        monkeypatch.setattr(store_module, "installed_version", {**versions, what: "another"}.__getitem__)

    assert theorem.verdict is Verdict.PROVED
    assert recalled(system, store) is None


@pytest.mark.solver
def test_without_solvers_there_are_no_kept_proofs_and_nothing_fails(
    system: System, store: Store, theorem: Theorem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`verify` ended with "z3 is not installed" where another environment had kept a proof."""
    monkeypatch.setitem(sys.modules, "z3", None)
    monkeypatch.setitem(sys.modules, "cvc5", None)
    assert recalled(system, store) is not None, "no solver is imported for a kept proof"
    monkeypatch.setattr(store_module, "installed_version", lambda _: None)
    assert recalled(system, store) is None
    store.keep(system, theorem)


def test_the_code_is_all_of_it() -> None:
    assert len(code_digest()) == 64
    hashed = {name.rpartition(".")[2] for name in store_module.CODE}
    assert hashed == {"native", "process", "transitions", "generators", "properties"}
    files = [
        path for name in store_module.CODE for path in Path(str(import_module(name).__file__)).parent.rglob("*.py")
    ]
    imported = {room for path in files for room in re.findall(r"(?:from|import) arcproof\.(\w+)", path.read_text())}
    assert imported <= hashed


def test_a_change_in_any_module_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "somewhere"
    (package / "inner").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "inner" / "__init__.py").write_text("x = 1")
    monkeypatch.syspath_prepend(str(tmp_path))
    before = digest_of_code.__wrapped__(("somewhere",))
    (package / "inner" / "__init__.py").write_text("x = 2")

    assert digest_of_code.__wrapped__(("somewhere",)) != before


def rewritten(system: System, store: Store, tamper: Tamper, honest: bool) -> None:
    """Change the entry; with `honest`, bring its checksum up to date."""
    path = store.path(system, FIRST)
    entry = json.loads(gzip.decompress(path.read_bytes()))
    tamper(entry)
    if honest:
        entry["checksum"] = store_module._checksum({"key": entry["key"], "theorem": entry["theorem"]})
    path.write_bytes(gzip.compress(json.dumps(entry).encode()))


def _set(*path: str | int, to: object) -> Tamper:
    def tamper(entry: dict[str, Any]) -> None:
        *way, last = path
        inner: Any = entry
        for part in way:
            inner = inner[part]
        inner[last] = to

    return tamper


@pytest.mark.solver
@pytest.mark.parametrize(
    "tamper",
    [
        _set("theorem", "obstacle", to=["no ranking", "", None]),
        _set("theorem", "method", "ranking", to="better"),
        _set("theorem", "assumptions", to=["nothing"]),
        _set("theorem", "obligations", 0, "results", 0, 1, to="unknown"),
        _set("theorem", "seconds", to=0.0),
        _set("key", "z3", to="9.9"),
        _set("checksum", to=""),
        lambda entry: entry.pop("checksum"),
        lambda entry: entry.update(more=1),
        lambda entry: entry["theorem"]["obligations"].pop(),
    ],
)
def test_an_entry_that_was_changed_is_not_believed(
    tamper: Tamper, system: System, store: Store, theorem: Theorem
) -> None:
    assert theorem.verdict is Verdict.PROVED
    rewritten(system, store, tamper, honest=False)

    assert recalled(system, store) is None


@pytest.mark.solver
@pytest.mark.parametrize(
    "tamper",
    [
        _set("theorem", "obligations", to=[]),
        _set("theorem", "witnesses", to=[]),
        _set("theorem", "solvers", to=["cvc5"]),
        _set("theorem", "obstacle", to=["surely", "", None]),
        _set("theorem", "obstacle", to="no ranking"),
        _set("theorem", "method", to=None),
        _set("theorem", "obligations", 0, "text", to="(check-sat)"),
        _set("theorem", "obligations", 0, "results", to=[["z3", "sat", 0.1, ""], ["cvc5", "unsat", 0.1, ""]]),
        _set("theorem", "obligations", 0, "results", to=[["z3", "surely", 0.1, ""]]),
        _set("theorem", "obligations", to=3),
        _set("theorem", "witnesses", to=[["SHIFT", float("inf"), None, False]]),
        _set("theorem", "invariant", to=[["name"]]),
        _set("theorem", to=None),
        _set("key", "figure", to="0" * 64),
        _set("key", "about", to="length <= 0"),
        _set("key", "format", to=1),
    ],
)
def test_a_checksum_does_not_make_a_proof(tamper: Tamper, system: System, store: Store, theorem: Theorem) -> None:
    """What can be checked is checked, whoever wrote the entry."""
    assert theorem.verdict is Verdict.PROVED
    rewritten(system, store, tamper, honest=True)

    assert recalled(system, store) is None


@pytest.mark.solver
def test_the_tampering_itself_leaves_an_entry_believed(system: System, store: Store, theorem: Theorem) -> None:
    rewritten(system, store, lambda _: None, honest=False)

    assert theorem.verdict is Verdict.PROVED
    assert recalled(system, store) is not None


# --- a proof that is kept is built again -----------------------------------------------------------------------------


def forged(system: System, about: s.Claim) -> Theorem:
    """A theorem whose one obligation has nothing to do with the figure, with made-up answers."""
    done = (
        Discharged(
            Written("forged", script([t.FALSE], t.FALSE)), (Result("z3", "unsat", 0.1), Result("cvc5", "unsat", 0.1))
        ),
    )
    seen = tuple(Witness("SHIFT", words, str(system.start(words))) for words in (3, 5))
    return judged(about, done, seen, ())


@pytest.mark.solver
def test_a_forged_entry_is_not_believed(system: System, cached: Store) -> None:
    """Everything about it is right but that its obligation is not one of the figure's."""
    cached.keep(system, forged(system, FIRST))
    kept = cached.recall(system, FIRST)
    assert kept is not None
    assert kept.verdict is Verdict.PROVED, "the entry itself is in order"

    assert known(Prover(system), FIRST, cached, partial(Prover.about, topic=FIRST)) is None
    assert verify_system(system, replace(FEW, proofs="kept")).claims[0].verdict is Verdict.EXHAUSTED
    assert not ask(Prover(system), FIRST, cached, partial(Prover.about, topic=FIRST)).kept


@pytest.mark.solver
def test_a_forged_proof_of_a_false_claim_is_not_believed(cached: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every obligation is one of the figure's; only the answers are made up."""
    wrong = load(FIGURE.replace("length = n\n", "sound trees\n"))
    (claim, _) = wrong.figure.claims
    problem = soundness(Prover(wrong).meanings, s.GraphClass((), "trees"))
    nothing = Certificate((), (), {})
    forgery = {identity(problem): replace(nothing, cores=dict.fromkeys(required(problem, nothing), ()))}
    results = discharged("z3", "cvc5").results
    shown = partial(Prover.about, topic=claim)
    with monkeypatch.context() as patched:
        patched.setattr(Prover, "_refuted", lambda *_: None)
        patched.setattr(Prover, "discharge", lambda _, todo: [Discharged(one, results) for one in todo])
        cached.keep(wrong, shown(Prover(wrong, certificates=forgery)))
        assert known(Prover(wrong), claim, cached, shown) is not None, "it would be believed"

    assert known(Prover(wrong), claim, cached, shown) is None
    assert ask(Prover(wrong), claim, cached, shown).verdict is Verdict.REFUTED


@pytest.mark.solver
@pytest.mark.parametrize("how", [*WAYS, "in an open folder"])
def test_a_planted_entry_is_not_even_read(
    how: str, system: System, cached: Store, proved: tuple[Path, Theorem], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is right in every part: whose it is decides."""
    shutil.copytree(proved[0], cached.folder, dirs_exist_ok=True)
    assert cached.recall(system, FIRST) is not None
    if how == "in an open folder":
        cached.folder.chmod(0o777)
        assert default_store() is None
    else:
        plant(cached.path(system, FIRST), monkeypatch, how)
        assert cached.recall(system, FIRST) is None


@pytest.mark.solver
@pytest.mark.parametrize("about", [SECOND, s.Claim(s.Sound(s.GraphClass((), "trees")))])
def test_a_proof_of_something_else_is_not_believed(
    about: s.Claim, system: System, store: Store, theorem: Theorem
) -> None:
    """Work and answers of another claim, whichever the entry says it is about."""
    store.keep(system, replace(theorem, about=about))

    assert store.recall(system, about) is not None
    assert known(Prover(system), about, store, partial(Prover.about, topic=about)) is None


@pytest.mark.solver
@pytest.mark.parametrize("about", [0, 1])
def test_work_that_was_changed_is_not_believed(about: int, system: System, store: Store, theorem: Theorem) -> None:
    claim = system.figure.claims[about]
    kept = store.recall(system, claim)
    assert kept is not None
    assert theorem.work.solved
    shown = partial(Prover.about, topic=claim)
    assert known(Prover(system), claim, store, shown) is not None
    (problem, solved), *_ = kept.work.solved.items()
    certificate = solved.certificate
    for wrong in (
        replace(certificate, cores=dict.fromkeys(certificate.cores, ())),
        replace(
            certificate, cores={key: core for key, core in certificate.cores.items() if not isinstance(key, ForGoal)}
        ),
        replace(certificate, invariant=("0 is green",)),
    ):
        if wrong == certificate:
            continue
        work = Work({**kept.work.solved, problem: replace(solved, certificate=wrong)}, kept.work.rankings)
        store.keep(system, replace(kept, work=work))
        assert known(Prover(system), claim, store, shown) is None
    rising = Ranking({(("β",),): Fraction(-1)})
    for work in (NO_WORK, *((Work(kept.work.solved, (rising,)),) if kept.work.rankings else ())):
        store.keep(system, replace(kept, work=work))
        assert known(Prover(system), claim, store, shown) is None


FLAGGED = """system flagged
  cite "in no paper"
  state stack σ, buffer β, flag e
  start [0], [1..n], false
  final β = [], e

  SHIFT   σ, i|β, e      =>  σ|i, β, e
  END     σ, [], false   =>  σ, [], true

  claims
    length = n + 1
"""


@pytest.mark.solver
def test_a_ranking_with_a_flag_is_kept(store: Store) -> None:
    """All that a ranking has is needed to build its goals again."""
    system = load(FLAGGED)
    (first,) = prove(system, memory=store).theorems
    (again,) = prove(system, memory=store).theorems

    assert (first.verdict, first.kept, again.kept) == (Verdict.PROVED, False, True)
    assert "e" in (first.method.ranking or "")
    assert again.work == first.work


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["arc-eager-2003", "arc-hybrid", "swap"])
def test_every_kind_of_proof_is_built_again(name: str, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """An oracle, rankings, what is performed once, preconditions: all of it from the figure, and nothing is asked."""
    first = prove(name, memory=OnlyProved(store), certificates=on_file(name)).theorems
    proved = [theorem for theorem in first if theorem.verdict is Verdict.PROVED]
    assert len(proved) > 3
    monkeypatch.setattr(discharge_module, "ask_z3", lambda *_, **__: pytest.fail("it was proved again"))
    prover = Prover(load(name))
    for theorem in proved:
        again = known(prover, theorem.about, store, partial(Prover.about, topic=theorem.about))
        assert again is not None, theorem.claim
        assert again.kept
        assert [d.obligation.digest for d in again.obligations] == [d.obligation.digest for d in theorem.obligations]
        assert replace(again, obligations=theorem.obligations, kept=False) == theorem


def zipped(content: bytes) -> bytes:
    """Without the time, so that all workers have the same cases."""
    return gzip.compress(content, mtime=0)


@pytest.mark.solver
@pytest.mark.parametrize(
    "content",
    [b"", b"\x80\x04K\x01.", b"{}", *map(zipped, (b"[]", b"{}", b"[" * 100_000, b"\xff"))],
    ids=["nothing", "pickle", "not zipped", "list", "no keys", "deep", "not UTF-8"],
)
def test_what_is_not_an_entry_is_not_believed(content: bytes, system: System, store: Store, theorem: Theorem) -> None:
    path = store.path(system, FIRST)
    path.write_bytes(content)

    assert theorem.verdict is Verdict.PROVED
    assert recalled(system, store) is None


@pytest.mark.solver
def test_the_entry_of_another_claim_is_not_believed(system: System, store: Store, theorem: Theorem) -> None:
    first, second = (store.path(system, claim) for claim in system.figure.claims)
    first.write_bytes(second.read_bytes())

    assert theorem.verdict is Verdict.PROVED
    assert recalled(system, store) is None


@pytest.mark.solver
def test_a_refutation_is_not_kept(store: Store) -> None:
    wrong = load(FIGURE.replace("length = n\n", "length = n + 1\n"))
    (found, _) = prove(wrong, memory=store).theorems

    assert found.verdict is Verdict.REFUTED
    assert not store.path(wrong, wrong.figure.claims[0]).exists()


# --- in verify -------------------------------------------------------------------------------------------------------

FEW = Effort(3, Sampling(0), in_depth=False)


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("ARCPROOF_CACHE", str(tmp_path))
    found = default_store()
    assert found is not None
    return found


@pytest.mark.solver
def test_verify_takes_what_is_kept_and_proves_only_if_asked(system: System, cached: Store) -> None:
    first, kept, new, again, none = (
        verify_system(system, replace(FEW, proofs=proofs)) for proofs in ("kept", "kept", "new", "kept", "none")
    )

    assert [f.verdict for f in (*first.claims, *kept.claims)] == [Verdict.EXHAUSTED] * 4
    assert [(f.verdict, f.words, f.solvers) for f in new.claims] == [(Verdict.PROVED, None, ("z3", "cvc5"))] * 2
    assert [f.theorem is not None and f.theorem.kept for f in again.claims] == [True, True]
    assert [f.verdict for f in again.claims] == [Verdict.PROVED] * 2
    assert [f.verdict for f in none.claims] == [Verdict.EXHAUSTED] * 2
    assert cached.recall(system, FIRST) is not None


@pytest.mark.solver
def test_a_proof_of_what_is_refuted_is_a_contradiction(system: System, theorem: Theorem) -> None:
    wrong = load(FIGURE.replace("length = n\n", "length = n + 1\n"))
    finding = verify_system(wrong, FEW).claims[0]

    assert finding.verdict is Verdict.REFUTED
    with pytest.raises(ProofOfAFalsehood):
        finding.with_theorem(theorem)
    assert system.name == wrong.name


@pytest.mark.solver
def test_a_failed_proof_does_not_weaken_what_was_exhausted(system: System, theorem: Theorem) -> None:
    finding = verify_system(system, FEW).claims[0]
    open_theorem = replace(theorem, method=NO_METHOD, obstacle=Obstacle(Hindrance.NO_RANKING), obligations=())

    found = finding.with_theorem(open_theorem)
    assert (found.verdict, found.met) == (Verdict.EXHAUSTED, True)


@pytest.mark.solver
def test_what_is_kept_does_not_stop_who_has_no_solver(
    arcproof: Callable[..., CommandResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ARCPROOF_PROOFS")
    (tmp_path / "short.tsys").write_text(FIGURE, encoding="utf-8")
    assert arcproof("prove", "short.tsys").code == 0
    for name in ("z3", "cvc5"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(store_module, "installed_version", lambda _: None)
    verified = arcproof("verify", "short.tsys", "--words", "3", "--samples", "0", "--claims-only")

    assert (verified.code, verified.err) == (0, "")
    assert "proved, all n" not in verified.out


@pytest.mark.solver
def test_a_proof_about_two_figures_is_kept_for_both_of_them(tmp_path: Path) -> None:
    """What was proved beside another figure is not known any more when that one changes."""
    text = load("arc-eager").text
    (tmp_path / "mine.tsys").write_text(f"{text}\n    equivalent to theirs.tsys\n", encoding="utf-8")
    keys = []
    for theirs in (text, text.replace("no head(j)", "no head(i)"), text):
        (tmp_path / "theirs.tsys").write_text(theirs, encoding="utf-8")
        system = load(tmp_path / "mine.tsys")
        *others, about = system.figure.claims
        store = Store(tmp_path)
        keys.append((store.key(system, about), store.key(system, others[0])))
    (first, beside), (second, still), (third, _) = keys
    assert first == third
    assert first != second
    assert beside == still

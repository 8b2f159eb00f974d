"""Certificates on file: a proof is checked from them as it is found, and nothing in them is believed."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.proving import prover as proving
from arcproof.properties.proving.certificates import files as module
from arcproof.properties.proving.certificates.files import file_of, folder, from_text, on_file, to_text, write
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.prove import ProofReport, prove
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.search import advice, first_opinion
from arcproof.properties.proving.store import Store, default_store
from arcproof.properties.proving.trusted.calls import WorkerEnded
from arcproof.properties.proving.trusted.discharge import (
    BATCH,
    EASY,
    Answers,
    Certificate,
    Discharged,
    NotAnswered,
    discharge_all,
    worth_asking,
)
from arcproof.properties.proving.trusted.obligation import Obligation
from arcproof.properties.proving.trusted.solvers import SEEDS
from arcproof.properties.proving.trusted.solvers import Result as Answer
from arcproof.properties.proving.trusted.witness import Witness
from arcproof.properties.report import Effort
from arcproof.properties.studies.mutation import mutate
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify_system
from arcproof.reports.proofs import theorem_text
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.system import System, load
from tests.conftest import Result
from tests.properties.proving.made_up import CHAIN


@pytest.fixture(scope="module")
def system() -> System:
    return load(CHAIN)


@pytest.fixture(scope="module")
def searched(system: System) -> ProofReport:
    report = prove(system)
    assert [theorem.verdict for theorem in report.theorems] == [Verdict.PROVED] * 2
    assert any(theorem.invariant for theorem in report.theorems)
    return report


@pytest.mark.solver
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_checked_is_what_was_found(
    jobs: int, system: System, searched: ProofReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proving, "search", lambda *_: pytest.fail("it was searched"))
    checked = prove(system, certificates=from_text(to_text(system.name, searched.certificates)), jobs=jobs)

    for one, other in zip(searched.theorems, checked.theorems, strict=True):
        assert (one.claim, one.verdict, theorem_text(one), one.invariant) == (
            other.claim, other.verdict, theorem_text(other), other.invariant
        )  # fmt: skip
        assert [d.obligation.text for d in one.obligations] == [d.obligation.text for d in other.obligations]
        assert other.solvers == ("z3", "cvc5")


@pytest.mark.solver
def test_a_file_keeps_everything(searched: ProofReport) -> None:
    assert from_text(to_text("chain", searched.certificates)) == searched.certificates


@pytest.mark.solver
def test_a_search_tries_the_certificate_of_its_problem_first(
    system: System, searched: ProofReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "_on_file", lambda: searched.certificates)
    monkeypatch.setattr(first_opinion, "_ask", lambda *_: pytest.fail("other premises were tried"))
    again = prove(system)

    assert again.certificates == searched.certificates
    assert [theorem.verdict for theorem in again.theorems] == [Verdict.PROVED] * 2


@pytest.mark.solver
def test_a_search_does_without_a_certificate_that_is_wrong(
    system: System, searched: ProofReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = {name: without_premises(certificate) for name, certificate in searched.certificates.items()}
    monkeypatch.setattr(advice, "_on_file", lambda: wrong)
    again = prove(system)

    assert set(again.certificates) == set(searched.certificates)
    assert [theorem.verdict for theorem in again.theorems] == [Verdict.PROVED] * 2


@pytest.mark.parametrize("effort", [EASY, EASY + 1])
def test_what_was_asked_is_remembered(effort: int) -> None:
    obligation = Obligation("any", (), t.FALSE)
    first = Answer("z3", "unsat", 0.1, effort=effort)
    others = [Answer("z3", "unsat", 0.1) for _ in worth_asking(first, SEEDS)[1:]]
    done = Discharged(obligation, (first, *others, Answer("cvc5", "unsat", 0.1)))
    answers = Answers()
    assert answers.to(obligation, SEEDS) is None

    answers.keep(done, SEEDS)
    assert answers.to(obligation, SEEDS) == done
    assert answers.to(obligation, SEEDS[:1]) == replace(done, results=(first, done.results[-1]))


def without_a_conjunct(certificate: Certificate) -> Certificate:
    return replace(certificate, invariant=certificate.invariant[1:])


def without_a_step(certificate: Certificate) -> Certificate:
    return replace(certificate, cores=dict(list(certificate.cores.items())[1:]))


def without_premises(certificate: Certificate) -> Certificate:
    return replace(certificate, cores=dict.fromkeys(certificate.cores, ()))


def with_a_foreign_premise(certificate: Certificate) -> Certificate:
    return replace(certificate, cores={key: (*core, "0 = 1") for key, core in certificate.cores.items()})


def with_a_foreign_conjunct(certificate: Certificate) -> Certificate:
    return replace(certificate, invariant=(*certificate.invariant, "0 = 1"))


@pytest.mark.solver
@pytest.mark.parametrize(
    "tamper",
    [without_a_conjunct, without_a_step, without_premises, with_a_foreign_premise, with_a_foreign_conjunct],
)
def test_a_certificate_that_was_tampered_with_proves_nothing(
    tamper: Callable[[Certificate], Certificate], system: System, searched: ProofReport
) -> None:
    tampered = {name: tamper(certificate) for name, certificate in searched.certificates.items()}
    theorem = prove(system, certificates=tampered).theorems[0]

    assert theorem.verdict is Verdict.UNKNOWN


class Whatever(Mapping[str, Certificate]):
    """Has the same certificate for every problem."""

    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate

    def __getitem__(self, _: str) -> Certificate:
        return self.certificate

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 1


@pytest.mark.nightly
def test_a_broken_figure_is_not_proved_by_a_certificate_of_the_right_one(
    system: System, searched: ProofReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The prover is kept from refuting the claim first, and every certificate is offered for every problem."""
    monkeypatch.setattr(Prover, "_refuted", lambda *_: None)
    killed = [judged for judged in mutate(system, words=3).of("killed") if judged.words > 0]
    tried = 0
    for judged in killed[::3]:
        mutant = judged.mutant.system(system)
        for certificate in searched.certificates.values():
            theorems = prove(mutant, certificates=Whatever(certificate)).theorems
            tried += sum(theorem.claim == judged.claim for theorem in theorems)
            wrong = [t for t in theorems if t.claim == judged.claim and t.verdict is Verdict.PROVED]
            assert wrong == [], judged.mutant.description
    assert tried >= 5


@pytest.mark.solver
def test_what_has_no_certificate_is_not_searched(system: System) -> None:
    report = prove(system, certificates={})

    missing = "no certificate is stored for it; next: search for a proof (`prove` without `--check`)"
    assert missing in {theorem_text(theorem) for theorem in report.theorems}
    assert {theorem.verdict for theorem in report.theorems} == {Verdict.UNKNOWN}


MISFITS = (None, True, -1, 10**30, 0.5, "", "x", [], [[]], ["x"], {}, {"x": 1})


def misfit(value: Any, chance: Random) -> Any:
    """The same with another value in one place."""
    if isinstance(value, dict | list) and value and chance.random() < 0.8:
        keys = list(value) if isinstance(value, dict) else range(len(value))
        key = chance.choice(keys)
        return {**value, key: misfit(value[key], chance)} if isinstance(value, dict) else [
            *value[:key], misfit(value[key], chance), *value[key + 1 :]
        ]  # fmt: skip
    return chance.choice(MISFITS)


def test_values_where_others_belong_are_refused_or_harmless(tmp_path: Path) -> None:
    """A list where a name belongs was a TypeError later on; a negative number was a name from the end of the list."""
    right = json.loads((folder() / "arc-hybrid.json").read_text(encoding="utf-8"))
    refused = 0
    for seed in range(120):
        file_of("x", tmp_path).write_text(json.dumps(misfit(right, Random(seed))), encoding="utf-8")
        try:
            found = on_file("x", tmp_path)
        except ArcproofError:
            refused += 1
        else:
            assert from_text(to_text("x", found)) == found
    assert refused > 60


@pytest.mark.parametrize(
    "text",
    ["[" * 200_000, '{"a":' * 200_000, '{"format": ' + "[" * 200_000, '{"format": 1, "names": {"a": 1}, "proofs": []}'],
)
def test_a_file_that_is_nested_too_deeply_is_refused(
    arcproof: Callable[..., Result], tmp_path: Path, text: str
) -> None:
    """It was a RecursionError, and a dictionary of names a KeyError."""
    file_of("arc-hybrid", tmp_path).write_text(text, encoding="utf-8")
    done = arcproof("prove", "arc-hybrid", "--check", "--certificates", ".")

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: arc-hybrid.json is not a file of certificates")


# --- verify ----------------------------------------------------------------------------------------------------------

FEW = Effort(2, Sampling(0), in_depth=False, proofs="certified")


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("ARCPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "folder", lambda: tmp_path)
    found = default_store()
    assert found is not None
    return found


@pytest.mark.solver
def test_verify_checks_what_has_a_certificate(
    system: System, searched: ProofReport, cached: Store, tmp_path: Path
) -> None:
    before = verify_system(system, FEW).claims
    length = system.figure.claims[1]
    assert cached.recall(system, length) is None, "that there is no certificate is not kept"
    write(system.name, searched.certificates, tmp_path)
    after = verify_system(system, FEW).claims

    assert [(f.verdict, f.theorem) for f in before] == [(Verdict.EXHAUSTED, None)] * 2
    assert [(f.verdict, f.solvers) for f in after] == [(Verdict.PROVED, ("z3", "cvc5"))] * 2
    assert cached.recall(system, length) is not None


# --- the command line ------------------------------------------------------------------------------------------------


@pytest.mark.solver
def test_the_command_writes_and_checks(arcproof: Callable[..., Result], tmp_path: Path) -> None:
    figure, certificates = tmp_path / "chain.tsys", tmp_path / "certificates"
    figure.write_text(CHAIN, encoding="utf-8")

    assert arcproof("prove", str(figure), "--certificates", str(certificates)).code == 0
    assert sorted(path.name for path in certificates.iterdir()) == ["chain.json"]
    assert arcproof("prove", str(figure), "--check", "--certificates", str(certificates)).code == 0
    missing = arcproof("prove", str(figure), "--check")
    assert missing.code == 3
    assert "no certificate is stored for it" in missing.out


# --- built-in certificates --------------------------------------------------------------------------------------------


CERTIFIED = sorted(path.stem for path in folder().glob("*.json"))
SINGLE_ROOT = {"sound single-root projective trees", "complete single-root projective trees"}
OPEN = {
    "arc-eager-single-root": {*SINGLE_ROOT, "#ROOT = 1"},
    "arc-hybrid-single-root": SINGLE_ROOT,
    "arc-standard-single-root": SINGLE_ROOT,
    "attardi-extract": {"complete projective forests"},
    "mh": {"complete projective trees"},
    "nivre-2008b": {"length <= 4n"},
    "spacy": {"complete projective trees", "length <= 6n"},
    "two-planar": {"complete 2-planar forests"},
}
"""What has no proof; `proofs_notes/unprepared.md` says why."""


def checked(name: str) -> list[tuple[str, Verdict, tuple[str, ...]]]:
    report = prove(load(name), certificates=on_file(name))
    return [(theorem.claim, theorem.verdict, theorem.solvers) for theorem in report.theorems]


@pytest.mark.solver
def test_a_built_in_system_is_proved_from_its_certificate() -> None:
    assert {found[1:] for found in checked("arc-hybrid-right")} == {(Verdict.PROVED, ("z3", "cvc5"))}


@pytest.mark.solver
@pytest.mark.parametrize(
    "name",
    ["arc-hybrid-right", *(pytest.param(name, marks=pytest.mark.nightly) for name in CERTIFIED)],
)
def test_every_plain_claim_has_a_certificate_that_fits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The solvers are believed here: what is asked is whether everything that must be shown has a step on file."""
    answers = (Answer("z3", "unsat", 0.0), Answer("cvc5", "unsat", 0.0))

    def believed(todo: Sequence[Obligation], *asked: Any) -> list[Discharged]:
        done = [Discharged(obligation, answers) for obligation in todo]
        for one in done:
            asked[-1](one)
        return done

    monkeypatch.setattr(proving, "discharge_all", believed)
    monkeypatch.setattr(
        proving, "satisfied", lambda words, _, cases, *__: [Witness(case.name, words, "") for case in cases]
    )
    report = prove(name, certificates=on_file(name))
    plain = [
        theorem
        for theorem in report.theorems
        if isinstance(theorem.about, s.Claim) and theorem.about.kind == "plain"
        and isinstance(theorem.about.statement, s.Sound | s.CompleteFor | s.LengthBound | s.CountBound | s.SpaceBound)
    ]  # fmt: skip

    assert {theorem.claim for theorem in plain if theorem.verdict is not Verdict.PROVED} == OPEN.get(name, set())


@pytest.mark.nightly
@pytest.mark.parametrize("name", CERTIFIED)
def test_built_in_certificates_match_what_the_search_finds(name: str) -> None:
    """Which premises a step uses may depend on the lemmas that there were when a certificate was written."""
    report = prove(load(name))

    assert set(report.certificates) == set(on_file(name))
    assert [found[:2] for found in checked(name) if found[1] is Verdict.PROVED] == [
        (theorem.claim, theorem.verdict) for theorem in report.theorems if theorem.verdict is Verdict.PROVED
    ]


@dataclass(frozen=True)
class Fatal(Obligation):
    """An obligation that ends whoever asks for its commands, but not the one who made it."""

    maker: int = field(default_factory=os.getpid)

    @property
    def commands(self) -> str:
        """Never seen."""
        if os.getpid() != self.maker:
            os._exit(1)
        return ""


def test_an_obligation_without_an_answer_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where Python drops assertions."""
    monkeypatch.setattr(proving, "discharge_all", lambda *_: [])

    with pytest.raises(NotAnswered, match="left out"):
        Prover(load(CHAIN)).discharge([Obligation("left out", (), t.FALSE)])


@pytest.mark.solver
def test_a_process_that_ends_too_early_leaves_no_obligation_out() -> None:
    todo = [Fatal(f"obligation {number}", (), t.FALSE) for number in range(BATCH + 1)]
    with pytest.raises(WorkerEnded, match="--jobs 1"):
        discharge_all(todo, jobs=2)

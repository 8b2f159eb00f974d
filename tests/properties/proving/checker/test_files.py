"""Proofs on file, and the command that checks them; no solver is at hand here."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from arcproof.documents import schema_of
from arcproof.documents.prove import theorem as theorem_json
from arcproof.documents.wire import json_value
from arcproof.properties.proving.proof_files import INDEX, index_text
from arcproof.properties.proving.proof_objects import ProofObject, every_step_is_checked
from arcproof.properties.proving.prove import ProofReport
from arcproof.properties.proving.theorem import Hindrance, Obstacle, Theorem
from arcproof.properties.proving.trusted.discharge import Discharged
from arcproof.properties.proving.trusted.obligation import Written, digest_of
from arcproof.properties.proving.trusted.solvers import Result
from arcproof.reports.proofs import text_of
from arcproof.transitions import syntax as s
from arcproof.transitions.system import load
from tests.test_command_line import Run

HERE = Path(__file__).parent
OBLIGATION = (HERE / "reflexive.smt2").read_text(encoding="utf-8")
CHECKED = "proved for every length; every step checked"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two obligations with their proofs."""
    found = tmp_path / "proofs"
    found.mkdir()
    for name in ("one", "two"):
        for suffix in (".smt2", ".cpc"):
            shutil.copy(HERE / f"reflexive{suffix}", found / f"{name}{suffix}")
    return found


def test_accepted_proofs_are_counted(arcproof: Run, folder: Path) -> None:
    done = arcproof("check-proof", str(folder), "--jobs", "1")

    assert (done.code, done.out) == (0, "2 of 2 proofs accepted: 74 steps by 15 rules\n")
    for name in ("one.cpc", "one.smt2"):
        assert arcproof("check-proof", str(folder / name), "--jobs", "1").out.startswith("1 of 1 proofs accepted")
    both = [str(folder / name) for name in ("one.cpc", "one.smt2", "two.cpc")]
    assert arcproof("check-proof", *both, "--jobs", "1").out.startswith("2 of 2 proofs accepted")


def test_a_refused_proof_is_named_with_step_and_rule(arcproof: Run, folder: Path) -> None:
    text = (folder / "one.cpc").read_text(encoding="utf-8")
    (folder / "one.cpc").write_text(text.replace(":rule trans", ":rule trust"), encoding="utf-8")
    done = arcproof("check-proof", str(folder), "--jobs", "1")

    assert done.code == 1
    assert done.out.splitlines() == [
        f"{folder / 'one.cpc'}: refused: step @p8, by trust: there is no such rule",
        "1 of 2 proofs accepted: 37 steps by 15 rules",
    ]


def test_an_obligation_without_its_proof_is_not_accepted(arcproof: Run, folder: Path) -> None:
    (folder / "one.cpc").unlink()
    (folder / "two.smt2").write_bytes(b"\xff")
    done = arcproof("check-proof", str(folder), "--jobs", "1")

    assert done.code == 1
    assert "refused: one.cpc cannot be read: No such file or directory" in done.out
    assert "refused: not UTF-8 text" in done.out


def test_the_proof_of_another_obligation_is_refused(arcproof: Run, folder: Path) -> None:
    (folder / "one.smt2").write_text(
        OBLIGATION.replace("(reaches x0 x0)))\n;", "(reaches x0 0)))\n;"), encoding="utf-8"
    )
    done = arcproof("check-proof", str(folder / "one.cpc"), "--jobs", "1")

    assert done.code == 1
    assert "assume @p1: the assumption is not an assertion of the obligation" in done.out


@pytest.mark.parametrize("character", ["\0", "\x0b", "\r", "\x1e", "\x7f"])
@pytest.mark.parametrize("name", ["one.smt2", "one.cpc"])
def test_control_characters_are_refused_even_in_comments(
    arcproof: Run, folder: Path, name: str, character: str
) -> None:
    """Z3 ends the text at a NUL, so that it would read another obligation."""
    text = (folder / name).read_text(encoding="utf-8")
    (folder / name).write_text(f"; a{character}\n{text}", encoding="utf-8", newline="")
    done = arcproof("check-proof", str(folder / "one.cpc"), "--jobs", "1")

    assert done.code == 1
    assert f"refused: {character!r} is not a character of SMT-LIB" in done.out


def test_an_assertion_after_a_carriage_return_is_part_of_a_comment(arcproof: Run, folder: Path) -> None:
    """For Z3 and cvc5; the checker took it for an assertion, and accepted a proof about a satisfiable obligation."""
    (folder / "one.smt2").write_bytes(b"(set-logic ALL)\n; a remark\r(assert false)\n(check-sat)\n")
    (folder / "one.cpc").write_text("(\n(assume @p1 false)\n)\n", encoding="utf-8")
    done = arcproof("check-proof", str(folder / "one.cpc"), "--jobs", "1")

    assert done.code == 1
    assert "'\\r' is not a character of SMT-LIB" in done.out


def test_other_white_space_is_not_read_over(arcproof: Run, folder: Path) -> None:
    text = (folder / "one.smt2").read_text(encoding="utf-8")
    (folder / "one.smt2").write_text(text.replace("(assert (", "(assert\u00a0(", 1), encoding="utf-8")

    assert arcproof("check-proof", str(folder / "one.cpc"), "--jobs", "1").code == 1


def test_nothing_to_check_is_wrong_usage(arcproof: Run, folder: Path) -> None:
    (folder / "notes.txt").write_text("", encoding="utf-8")
    (folder / "empty").mkdir()

    assert arcproof("check-proof").code == 2
    assert arcproof("check-proof", str(folder / "none.cpc")).code == 2
    assert "a proof ends in .cpc" in arcproof("check-proof", str(folder / "notes.txt")).err
    assert "this folder contains no proofs" in arcproof("check-proof", str(folder / "empty")).err


def test_an_index_counts_obligations_by_their_text(arcproof: Run, folder: Path) -> None:
    listed = [("reflexive", digest_of(OBLIGATION)), ("another", "0" * 64)]
    (folder / INDEX).write_text(index_text("mine", "1" * 64, [("sound trees", listed)]), encoding="utf-8")
    done = arcproof("check-proof", str(folder), "--jobs", "1")

    assert done.out.splitlines()[0] == "mine: sound trees: 1 of 2 obligations"
    assert done.code == 1
    (folder / INDEX).write_text("{}", encoding="utf-8")
    assert "not an index" in arcproof("check-proof", str(folder), "--jobs", "1").err
    (folder / INDEX).write_text("[" * 100_000, encoding="utf-8")
    assert "it is nested too deeply" in arcproof("check-proof", str(folder), "--jobs", "1").err


def test_an_index_says_nothing_of_a_theorem_without_obligations(arcproof: Run, folder: Path) -> None:
    """It was shown as `0 of 0 obligations`, with the exit code of success."""
    (folder / INDEX).write_text(index_text("arc-eager", "1" * 64, [("length <= 0", [])]), encoding="utf-8")
    done = arcproof("check-proof", str(folder), "--jobs", "1")

    assert done.code == 2
    assert "a theorem without obligations" in done.err


def test_an_index_cannot_speak_for_the_checker(arcproof: Run, folder: Path) -> None:
    """Line breaks in a claim made a line of its own."""
    claim = "c: 0 of 1 obligations\n9 of 9 proofs accepted\x1b[8m"
    (folder / INDEX).write_text(
        index_text("mine", "1" * 64, [(claim, [("n", digest_of(OBLIGATION))])]), encoding="utf-8"
    )
    done = arcproof("check-proof", str(folder), "--jobs", "1")

    assert done.out.splitlines() == [
        "mine: c: 0 of 1 obligations 9 of 9 proofs accepted [8m: 1 of 1 obligations",
        "2 of 2 proofs accepted: 74 steps by 15 rules",
    ]


def test_json_follows_its_schema(arcproof: Run, folder: Path) -> None:
    (folder / "one.cpc").write_text("()", encoding="utf-8")
    (folder / INDEX).write_text(index_text("mine", "1" * 64, [("c", [("n", "0" * 64)])]), encoding="utf-8")
    printed = json.loads(arcproof("check-proof", str(folder), "--json", "-", "--jobs", "1").out)

    assert [*Draft202012Validator(json.loads(schema_of("check_proof"))).iter_errors(printed)] == []
    assert [proof["accepted"] for proof in printed["proofs"]] == [False, True]
    assert printed["proofs"][0]["reason"] == "the last step does not say false"
    assert printed["theorems"] == [{"system": "mine", "claim": "c", "obligations": 1, "accepted": 0}]


# --- what a verdict may say ------------------------------------------------------------------------------------------

RESULTS = (Result("z3", "unsat", 0.0), Result("cvc5", "unsat", 0.0))
ONE, TWO = Written("one", "(check-sat)\n"), Written("two", "(check-sat)")
ACCEPTED, REFUSED = ProofObject("()", 1, None), ProofObject("()", 0, "step @p1, by trust: there is no such rule")
THEOREM = Theorem(s.Claim(s.Terminates()), None, obligations=(Discharged(ONE, RESULTS), Discharged(TWO, RESULTS)))


def printed(theorem: Theorem, proofs: Mapping[str, ProofObject] | None) -> str:
    """What `prove` says of a theorem."""
    return text_of(ProofReport(load("arc-hybrid"), (theorem,), 0.0), proofs=proofs)


def test_every_step_is_checked_only_if_all_proofs_are_accepted() -> None:
    whole = {ONE.digest: ACCEPTED, TWO.digest: ACCEPTED}

    assert every_step_is_checked(THEOREM, whole)
    assert CHECKED in printed(THEOREM, whole)
    assert CHECKED not in printed(THEOREM, None)
    for proofs in ({}, {ONE.digest: ACCEPTED}, {**whole, TWO.digest: REFUSED}, {ONE.digest: REFUSED, "": ACCEPTED}):
        assert not every_step_is_checked(THEOREM, proofs)
        assert CHECKED not in printed(THEOREM, proofs)
        assert "not every step is checked: " in printed(THEOREM, proofs)
    assert "1 of 2 obligations; two: step @p1, by trust: there is no such rule" in printed(
        THEOREM, {**whole, TWO.digest: REFUSED}
    )


def test_what_is_not_proved_is_not_checked() -> None:
    whole = {ONE.digest: ACCEPTED, TWO.digest: ACCEPTED}
    unproved = replace(THEOREM, obstacle=Obstacle(Hindrance.ONE_SIZE))
    nothing = replace(THEOREM, obligations=())

    assert not every_step_is_checked(unproved, whole)
    assert CHECKED not in printed(unproved, whole)
    assert not every_step_is_checked(nothing, whole)


def test_json_says_whether_every_step_is_checked_where_proofs_were_asked_for() -> None:

    whole = {ONE.digest: ACCEPTED, TWO.digest: ACCEPTED}

    assert theorem_json(load("arc-hybrid"), THEOREM, whole).every_step_checked is True
    assert theorem_json(load("arc-hybrid"), THEOREM, {}).every_step_checked is False
    assert "every_step_checked" not in str(json_value(theorem_json(load("arc-hybrid"), THEOREM)))

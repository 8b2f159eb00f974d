"""Every kind of question has one property, and everybody finds it there."""

from collections import Counter
from typing import Any, get_args

import pytest

from arcproof.properties import verify as verifying
from arcproof.properties.engines import engine as engines
from arcproof.properties.engines.exploration import StateSpace
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.property import Check, NoProperty, checks_of, columns, properties, property_of, text_of
from arcproof.properties.proving import prover as proving
from arcproof.properties.proving import short_sentences
from arcproof.properties.report import Effort
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify_system
from arcproof.reports.appendix import statement_latex
from arcproof.transitions import syntax as s
from arcproof.transitions.system import load


def test_every_statement_has_a_property() -> None:
    missing = {kind.__name__ for kind in get_args(s.Statement) if kind not in properties()}

    assert missing == set()


def test_what_has_no_property_is_an_error_and_not_silence() -> None:
    class Nobodys(Check):
        pass

    with pytest.raises(NoProperty, match="Nobodys"):
        property_of(Nobodys())


def test_what_is_not_a_statement_is_a_check() -> None:
    checks = [kind for kind in properties() if kind not in get_args(s.Statement)]

    assert all(issubclass(kind, Check) for kind in checks)
    assert len({properties()[kind].place for kind in checks}) == len(checks), "each has its place"


@pytest.mark.parametrize("name", ["arc-eager", "covington[d=1]", "swap", "attardi"])
def test_every_question_of_a_figure_has_a_name_and_claims_have_a_sentence(name: str) -> None:
    system = load(name)

    texts = [text_of(system, question) for question in (*system.figure.claims, *checks_of(system))]
    assert all(texts)
    assert len(set(texts)) == len(texts)
    assert all(statement_latex(system, claim.statement).endswith(".") for claim in system.figure.claims)
    assert len({column.title for column in columns()}) == len(columns())


# --- each level once -------------------------------------------------------------------------------------------------


class Explored:
    """Counts which level of which figure is explored, by whom."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.levels: Counter[tuple[object, int, bool]] = Counter()
        original = engines.explore

        def explore(system: Any, words: int, past_terminal: bool = False, *limits: Any) -> Any:
            self.levels[system.figure, words, past_terminal] += 1
            return original(system, words, past_terminal, *limits)

        for module in (engines, short_sentences):
            monkeypatch.setattr(module, "explore", explore)


@pytest.mark.parametrize("name", ["arc-eager", "choi-nicolov"])
def test_every_level_is_explored_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The claims with a few words and then with more, the checks, the variants and the other system that a claim names
    look at the same spaces.

    Those past the end are given up when the claims are decided (`Levels.forget`), and a part that could be left out may
    ask for them again.
    """
    explored = Explored(monkeypatch)
    monkeypatch.setattr(verifying, "FEW_WORDS", 2)
    verify_system(load(name), Effort(3, Sampling(0), engine="interpreter"))

    assert load(name).figure in {figure for figure, _, _ in explored.levels}
    again = {level: count for level, count in explored.levels.items() if count > 1}
    assert {level: count for level, count in again.items() if not level[2]} == {}
    assert all(count == 2 for count in again.values())


@pytest.mark.nightly
@pytest.mark.solver
def test_the_prover_looks_at_what_is_explored(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("ARCPROOF_CACHE", str(tmp_path))
    explored = Explored(monkeypatch)
    system = load("arc-hybrid")
    found = verify_system(system, Effort(4, Sampling(0), in_depth=False, engine="interpreter", proofs="certified"))

    assert found.claims[0].verdict is Verdict.PROVED
    own = {(words, past): count for (figure, words, past), count in explored.levels.items() if figure == system.figure}
    assert {level: count for level, count in own.items() if count > 1} == {}


@pytest.mark.compiler
def test_an_engine_of_native_code_does_not_stand_in_for_the_interpreter() -> None:
    """The base case of a proof rests on the definition, so levels by native code are not shared with the prover."""
    system = load("arc-hybrid")
    levels = Levels(system, 3, engine=engines.engine_for(system, "compiled"))

    levels.explored()
    explored = proving.Prover(system, shared=levels).levels.space(3)
    assert isinstance(explored, StateSpace)
    assert explored is not levels.space(3)

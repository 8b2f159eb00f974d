"""The run store: what is stored, what is believed of it, and that it never costs more than it saves."""

import json
import os
import pickle
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from arcproof.documents.verify import document
from arcproof.documents.wire import json_value
from arcproof.generators import treebank
from arcproof.generators.treebank import Sentence, Tally
from arcproof.process import run_store
from arcproof.process.cache import HAS_OWNERS
from arcproof.process.code_digest import code_digest, versions_of
from arcproof.process.codec import NotOfThisType, encoded
from arcproof.process.progress import Say
from arcproof.process.run_store import FILE, RunStore, key_of, using
from arcproof.properties import stored, verify
from arcproof.properties.engines.engine import Interpreter
from arcproof.properties.engines.exploration import StateSpace
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.evidence import (
    Cases,
    Counterexample,
    CutShort,
    Evidence,
    Exhausted,
    NoAnswer,
    NoCase,
    Open,
    Refuted,
    Sampled,
)
from arcproof.properties.examine import check_claim
from arcproof.properties.finding import Finding
from arcproof.properties.report import Effort, Report
from arcproof.properties.stored import Pieces, is_final, read, shown_again
from arcproof.properties.studies.stored_coverage import File, covered_by, graphs_covered_by
from arcproof.properties.verify import verify_system
from arcproof.transitions.configuration import Transition
from arcproof.transitions.graph import Arc, Graph, graph_of
from arcproof.transitions.library import source_of
from arcproof.transitions.syntax import Claim
from arcproof.transitions.system import System, load
from tests.in_process import SETTINGS, Result, run_here
from tests.planting import WAYS, plant
from tests.stored_pieces import pieces_of, remove_pieces

KEY = key_of("test", {"what": 1})
FIGURE = """system lost
  cite "in no paper"
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  SHIFT          σ, i|β    =>  σ|i, β
  LEFT-ARC(l)    σ|i, j|β  =>  σ, j|β       add j -l-> i

  oracle none

  claims
    sound projective forests
    terminates
"""


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore(tmp_path)


@pytest.fixture
def system() -> System:
    return load(FIGURE)


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., Result]:
    """Run a command with a store of its own."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "lost.tsys").write_text(FIGURE, encoding="utf-8")

    def run(*arguments: str, **settings: str) -> Result:
        environment = {**SETTINGS, "ARCPROOF_STORE": "on", "ARCPROOF_CACHE": str(tmp_path / "cache"), **settings}
        return run_here(arguments, tmp_path / "work", environment=environment)

    return run


def without_times(value: Any) -> Any:
    match value:
        case dict():
            return {name: without_times(one) for name, one in value.items() if "seconds" not in name}
        case list():
            return [without_times(one) for one in value]
        case _:
            return value


# --- pieces ----------------------------------------------------------------------------------------------------------


def test_the_pieces_of_a_run_are_no_earlier_runs(store: RunStore) -> None:
    """A first run with an empty cache said that pieces were taken from earlier runs: it met its own."""
    store.keep("claim", "a" * 64, 1, "a claim")
    assert (store.recall("a" * 64), store.recalled) == (1, 0)
    worker = pickle.loads(pickle.dumps(store))
    assert (worker.recall("a" * 64), worker.recalled) == (1, 0)
    worker.close()
    later = RunStore(store.folder)
    assert (later.recall("a" * 64), later.recalled) == (1, 1)
    later.close()


def test_what_is_stored_is_recalled_by_another_process_or_later(store: RunStore) -> None:
    store.keep("test", KEY, {"b": [1, 2.5, None], "a": "ü\ud800"}, "something")
    store.close()

    later = RunStore(store.folder)
    assert later.recall(KEY) == {"b": [1, 2.5, None], "a": "ü\ud800"}
    assert list(later.recall(KEY)) == ["b", "a"]
    assert later.recall(key_of("test", {"what": 2})) is None
    assert later.recall(key_of("other", {"what": 1})) is None
    assert (later.recalled, later.problem) == (2, None)


# --- what is believed ------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    "forgery",
    [
        "UPDATE runs SET value = '2'",
        "UPDATE runs SET mac = 'x'",
        "UPDATE runs SET mac = x'00'",
        "UPDATE runs SET value = x'00'",
        "UPDATE secret SET bytes = x'00'",
    ],
)
def test_nothing_planted_is_believed(store: RunStore, forgery: str) -> None:
    store.keep("test", KEY, 1, "")
    store.close()
    assert store.folder is not None
    planted = sqlite3.connect(store.folder / FILE)
    planted.execute(forgery)
    planted.commit()
    planted.close()

    later = RunStore(store.folder)
    assert later.recall(KEY) is None
    assert later.problem is None
    later.keep("test", KEY, 3, "")
    assert later.recall(KEY) == 3


@pytest.mark.long
@pytest.mark.skipif(not HAS_OWNERS, reason="files have no owners here")
@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("name", [FILE, f"{FILE}-wal"])
def test_a_file_that_others_left_is_not_used(
    store: RunStore, monkeypatch: pytest.MonkeyPatch, name: str, how: str
) -> None:
    """It has its own key, and whoever wrote it knows the number of its inode."""
    store.keep("test", KEY, 1, "")
    assert store.folder is not None
    assert (store.folder / name).is_file()  # the log is there as long as the store is in use
    plant(store.folder / name, monkeypatch, how)

    later = RunStore(store.folder)
    assert later.recall(KEY) is None
    later.keep("test", KEY, 2, "")
    assert later.problem is not None
    assert name in later.problem
    assert "; delete it, and the next command makes a new store" in later.problem
    assert later.written == 0
    monkeypatch.undo()
    store.problem = "not used any more"
    store.close()


def test_a_store_from_elsewhere_is_not_believed(store: RunStore, tmp_path: Path) -> None:
    store.keep("test", KEY, 1, "")
    store.close()
    assert store.folder is not None
    (tmp_path / "copy").mkdir()
    shutil.copy(store.folder / FILE, tmp_path / "copy" / FILE)

    assert RunStore(store.folder).recall(KEY) == 1
    assert RunStore(tmp_path / "copy").recall(KEY) is None


EVIDENCE: list[Evidence] = [
    Refuted("compiled", Counterexample(2, graph_of([2, 0]), (Transition("SHIFT"), Transition("LEFT-ARC", "l", (2,))), "so"), 3),
    Refuted("samples", Counterexample(1, Graph(1, frozenset({Arc(0, "x", 1)})), None, "so", (), None), 3, 7),
    Exhausted("interpreter", 4, Cases(5, "configurations", "with every run"), "a limit"),
    Sampled("samples", 40, Cases(5, "runs"), 0),
    Open("interpreter", NoCase("oracles", 3)),
]  # fmt: skip


@pytest.mark.parametrize("evidence", EVIDENCE, ids=lambda one: type(one).__name__)
def test_evidence_comes_back_as_it_was(evidence: Evidence) -> None:
    assert read(Evidence, json.loads(json.dumps(encoded(evidence)))) == evidence
    assert is_final(evidence)


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        [],
        {"@": "Exhausted"},
        {"@": "System", "engine": "x"},
        {"@": "Exhausted", "engine": "x", "words": 4.0, "cases": encoded(Cases(1, "x")), "limit": None},
        {"@": "Exhausted", "engine": "x", "words": True, "cases": encoded(Cases(1, "x")), "limit": None},
        {"@": "Exhausted", "engine": "x", "words": 4, "cases": encoded(Cases(1, "x")), "limit": None, "more": 1},
        {"@": "Proved", "theorem": {}, "engine": "prover"},
        {"@": "Open", "engine": None, "why": {"@": "NoProof", "theorem": {}}},
        {
            "@": "Exhausted",
            "engine": "x",
            "words": 4,
            "cases": {"@": "Cases", "count": "1", "what": "x", "along": None},
        },
    ],
)
def test_what_does_not_fit_is_refused(value: Any) -> None:
    with pytest.raises(NotOfThisType):
        read(Evidence, value)


def test_what_is_not_final_is_not_stored() -> None:
    assert not is_final(Open(None, CutShort("Ctrl-C")))
    assert not is_final(Open("interpreter", NoAnswer("a worker ended")))


# --- what goes wrong -------------------------------------------------------------------------------------------------


def damage(path: Path) -> None:
    path.write_bytes(b"not a database" * 1000)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:1500])


def foreign(path: Path) -> None:
    path.unlink()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE theirs (a)")
    other.commit()
    other.close()


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def link(path: Path) -> None:
    path.rename(path.with_suffix(".away"))
    path.symlink_to(path.with_suffix(".away"))


@pytest.mark.long
@pytest.mark.parametrize("harm", [damage, cut, foreign, folder, link], ids=lambda harm: harm.__name__)
def test_a_store_that_cannot_be_used_costs_one_sentence(
    harm: Callable[[Path], None], command: Callable[..., Result], tmp_path: Path
) -> None:
    expected = command("explore", "arc-standard", "--words", "2", "--json")
    harm(tmp_path / "cache" / "runs" / FILE)

    again = command("explore", "arc-standard", "--words", "2", "--json")
    assert (again.code, again.out) == (expected.code, expected.out)
    assert again.err.startswith("runs are not stored: ")
    assert again.err.count("\n") == 1


@pytest.mark.parametrize("which", [".", "runs"])
def test_a_folder_that_others_can_write_to_costs_one_sentence(
    which: str, command: Callable[..., Result], tmp_path: Path
) -> None:
    place = tmp_path / "open" / which
    place.mkdir(parents=True, mode=0o700)
    place.chmod(0o777)
    done = command("explore", "arc-standard", "--words", "2", ARCPROOF_CACHE=str(tmp_path / "open"))
    assert done.code == 0
    assert done.err.startswith("warning: nothing is cached: others can write to ")
    assert done.err.count("\n") == 1


def test_a_store_that_somebody_holds_is_not_waited_for_forever(
    store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.keep("test", KEY, 1, "")
    assert store.folder is not None
    holder = sqlite3.connect(store.folder / FILE)
    holder.execute("BEGIN EXCLUSIVE")
    monkeypatch.setattr(run_store, "BUSY_SECONDS", 0.05)
    waiting = RunStore(store.folder)
    waiting.keep("test", key_of("test", {}), 1, "")
    assert waiting.problem is not None
    assert "locked" in waiting.problem
    waiting.keep("test", key_of("test", {}), 1, "")
    assert waiting.recall(KEY) is None
    holder.close()


# --- how much is stored ----------------------------------------------------------------------------------------------


def bytes_of(store: RunStore) -> int:
    assert store.folder is not None
    return sum(path.stat().st_size for path in store.folder.iterdir())


def filled(store: RunStore, count: int, size: int = 1000) -> list[str]:
    keys = [key_of("test", {"number": number}) for number in range(count)]
    for key in keys:
        store.keep("test", key, "x" * size, "")
    return keys


def test_what_was_not_used_for_longest_is_dropped_first(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = filled(store, 20, 20_000)
    store.close()
    assert bytes_of(store) > 400_000
    monkeypatch.setenv("ARCPROOF_STORE_SIZE", "100K")
    store = RunStore(store.folder)
    assert store.recall(keys[0]) is not None
    store.close()
    store = RunStore(store.folder)
    store.keep("test", KEY, 1, "")
    store.close()

    assert bytes_of(store) < 200_000
    entries = pieces_of(store)
    left = {entry.key for entry in entries}
    assert {KEY, keys[0], keys[-1]} <= left
    assert keys[1] not in left
    assert sum(entry.size for entry in entries) <= 100 * 1024


def test_what_is_old_is_dropped_and_a_clock_that_was_ahead_drops_nothing(
    store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr(run_store.time, "time", lambda: now + 10**9)
    filled(store, 1)
    monkeypatch.setattr(run_store.time, "time", lambda: now - 91 * 86_400)
    old = key_of("test", {"old": True})
    store.keep("test", old, 1, "")
    monkeypatch.setattr(run_store.time, "time", lambda: now)
    store.keep("test", KEY, 1, "")
    store.close()

    left = {entry.key for entry in pieces_of(store)}
    assert left == {KEY, key_of("test", {"number": 0})}


# --- verify ----------------------------------------------------------------------------------------------------------

EFFORT = Effort(3, Sampling(5, 8), in_depth=False, engine="interpreter")


def verified(system: System, store: RunStore | None, effort: Effort = EFFORT) -> Any:
    with using(store):
        report = verify_system(system, effort)
    return json_value(document(Report((report,))))


def test_what_was_verified_is_not_verified_again(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    system, effort = load("arc-standard"), replace(EFFORT, in_depth=True)
    expected = verified(system, None, effort)
    assert without_times(verified(system, store, effort)) == without_times(expected)
    monkeypatch.setattr(Interpreter, "space", lambda *_: pytest.fail("a level was explored"))
    again = RunStore(store.folder)
    assert without_times(verified(system, again, effort)) == without_times(expected)
    assert again.recalled > 10
    assert again.written == 0


def test_what_is_refuted_is_shown_again(store: RunStore, system: System) -> None:
    expected = verified(system, None)
    assert expected["systems"][0]["claims"][0]["verdict"] == "refuted"
    assert without_times(verified(system, store)) == without_times(expected)
    assert without_times(verified(system, RunStore(store.folder))) == without_times(expected)


@pytest.mark.parametrize("name", ["transitions", "words", "reason", "graph"])
def test_a_refutation_that_does_not_replay_is_not_believed(system: System, name: str) -> None:
    claim = system.figure.claims[0]
    finding = check_claim(Levels(system, 2), claim)
    found = finding.counterexample
    assert found is not None
    assert shown_again(system, claim, found)
    other = {"transitions": (Transition("SHIFT"),), "words": 2, "reason": "it is Monday", "graph": graph_of([0, 1])}
    changed = {part: getattr(found, part) for part in ("words", "graph", "transitions", "reason")} | {name: other[name]}
    assert not shown_again(system, claim, Counterexample(**changed))


@pytest.mark.parametrize(
    "spoil", [lambda _: 1, lambda v: {**v, "effects": None}, lambda v: {**v, "value": {"evidence": 1}}]
)
def test_a_value_that_does_not_fit_is_done_again(store: RunStore, system: System, spoil: Callable[[Any], Any]) -> None:
    expected = verified(system, store)
    for entry in pieces_of(store):
        store.keep(entry.kind, entry.key, spoil(entry.value), entry.about)
    again = RunStore(store.folder)
    assert without_times(verified(system, again)) == without_times(expected)
    assert again.recalled == 0


@pytest.mark.parametrize(
    "change",
    [
        lambda patch: patch.setattr(stored, "code_digest", lambda _: "other code"),
        lambda patch: patch.setattr(stored, "runs_on", lambda: {"python": "another"}),
    ],
    ids=["code", "python"],
)
def test_other_code_and_another_python_recall_nothing(
    store: RunStore, system: System, change: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    verified(system, store)
    change(monkeypatch)
    again = RunStore(store.folder)
    verified(system, again)
    assert again.recalled == 0


def test_code_that_was_changed_since_the_process_began_is_not_taken_for_what_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "some_code"
    package.mkdir()
    file = package / "__init__.py"
    file.write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    def digests(changed: float) -> set[str]:
        os.utime(file, (changed, changed))
        return {code_digest.__wrapped__(("some_code",)) for _ in range(2)}

    now = time.time()
    assert len(digests(now - 86_400)) == 1
    assert len(digests(now)) == 2
    assert digests(now - 86_400) == digests(now + 86_400), "the clock of a file server may be ahead"


def test_versions_are_those_of_the_installed_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are read off the names of folders, because `importlib.metadata` takes longer than many a command."""
    names = ("numpy", "networkx", "scikit-learn", "z3-solver", "hypothesis")
    (tmp_path / "some_library-1.5.dist-info").mkdir()
    monkeypatch.syspath_prepend(tmp_path)

    found = versions_of.__wrapped__((*names, "some-library", "some", "not-there"))
    assert {name: found.get(name) for name in names} == {name: version(name) for name in names}
    assert (found["some-library"], "some" in found, "not-there" in found) == ("1.5", False, False)


def test_cases_are_named_by_the_lines_that_they_have_now(store: RunStore) -> None:
    figure = FIGURE.replace(
        "  oracle none", "  LEFT-ARC(l)  σ|i, []  =>  σ, []  add 0 -l-> i  if i != 0\n  oracle none"
    )
    effort = replace(EFFORT, in_depth=True)

    def lines(text: str) -> list[int]:
        (found,) = verified(load(text), RunStore(store.folder), effort)["systems"]
        return [one["line"] for one in found["transitions"] if "line" in one]

    first = lines(figure)
    assert len(first) == 2
    assert lines(f"\n\n{figure}") == [line + 2 for line in first]


def test_nothing_is_stored_about_a_figure_that_was_changed_meanwhile(
    store: RunStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.tsys"
    other.write_text(FIGURE, encoding="utf-8")
    (tmp_path / "mine.tsys").write_text(f"{FIGURE}    equivalent to other.tsys\n", encoding="utf-8")
    system = load(tmp_path / "mine.tsys")

    def checked(levels: Levels, claim: Claim, progress: Say) -> Finding:
        other.write_text(FIGURE.replace("projective ", ""), encoding="utf-8")
        return check_claim(levels, claim, progress)

    monkeypatch.setattr(verify, "check_claim", checked)
    verified(system, store, replace(EFFORT, sampling=Sampling(0)))
    assert store.written == 0
    verified(system, store, replace(EFFORT, sampling=Sampling(0)))
    assert store.written > 0


def test_a_treebank_that_was_changed_meanwhile_is_not_stored(store: RunStore, tmp_path: Path) -> None:
    system, path = load("arc-standard"), tmp_path / "some.conllu"
    path.write_text("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")

    def sentences() -> Iterator[Sentence]:
        yield from treebank.read(path)
        path.write_text("", encoding="utf-8")

    with using(store):
        assert covered_by([system], File(path, sentences))[1][0].sentences == 1
    assert store.written == 0


def test_sentences_with_null_nodes_are_counted_once(store: RunStore, tmp_path: Path) -> None:
    word = "1\ta\t_\t_\t_\t_\t_\t_\t0:root\t_\n"
    path = tmp_path / "some.conllu"
    path.write_text(f"{word}\n{word}1.1\tb\t_\t_\t_\t_\t_\t_\t0:root\t_\n\n", encoding="utf-8")
    text = source_of("list-graph")
    for figure in (text, text.replace('cite    "', 'cite    "again: ')):
        tally, again = Tally(), RunStore(store.folder)
        with using(again):
            sentences = partial(treebank.read, path, graphs=True, tally=tally)
            graphs_covered_by([load(figure)], File(path, sentences, tally))
        assert (tally.sentences, tally.with_null_nodes) == (2, 1)
    assert again.recalled == 1


def test_another_figure_question_or_limit_recalls_nothing(store: RunStore, system: System) -> None:
    verified(system, store)
    other = load(FIGURE.replace("    terminates", "    terminates\n    no dead ends"))
    for what, effort in ((other, EFFORT), (system, replace(EFFORT, memory=10**9))):
        again = RunStore(store.folder)
        verified(what, again, effort)
        assert again.recalled == 0


def test_what_memory_refused_is_not_stored(store: RunStore) -> None:
    system = load("arc-standard")
    effort = Effort(6, Sampling(0), 200_000, in_depth=False, engine="interpreter")
    expected = verified(system, store, effort)
    assert expected["systems"][0]["skipped"]
    kept = [entry.about for entry in pieces_of(store)]
    assert not [about for about in kept if about.endswith("6 words")]
    assert without_times(verified(system, RunStore(store.folder), effort)) == without_times(expected)


def test_memory_is_left_as_in_a_run_without_interruption(store: RunStore) -> None:
    system = load("arc-standard")
    levels = Levels(system, 3, 10**8, Interpreter(system))
    pieces = Pieces(levels, store=store)
    claims = system.figure.claims
    for claim in claims:
        pieces.finding(levels, claim, lambda claim=claim: check_claim(levels, claim))
    later = Levels(system, 3, 10**8, Interpreter(system))
    again = Pieces(later, store=RunStore(store.folder))
    for claim in claims:
        again.finding(later, claim, lambda: pytest.fail("it is stored"))

    assert later.memory_left == levels.memory_left
    assert later.explorer.learnt == levels.explorer.learnt
    later.explored()
    assert later.memory_left == levels.memory_left
    later.forget()
    levels.forget()
    assert later.memory_left == levels.memory_left == 10**8


@pytest.mark.parametrize("lost", ["nothing", "what was asked of the last level", "the last level", "all but the first"])
def test_a_deepening_search_resumes_with_its_remaining_time(
    store: RunStore, lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    system, explore, spent = load(FIGURE.replace("-l-> i", "-l-> i  if i != 0")), Interpreter.space, 0.0
    effort = Effort(None, Sampling(0), in_depth=False, engine="interpreter", seconds=6.0)

    def counting(engine: Interpreter, words: int, past_terminal: bool, memory: int | None) -> StateSpace:
        """A clock that is driven by what is explored."""
        nonlocal spent
        space = explore(engine, words, past_terminal, memory)
        spent += space.size / 100
        return space

    monkeypatch.setattr(Interpreter, "space", counting)
    with using(store):
        first = verify_system(system, effort, clock=lambda: spent)
    assert first.words == 5
    gone = {
        "nothing": lambda _: False,
        "what was asked of the last level": lambda about: about.endswith("5 words") and "level" not in about,
        "the last level": lambda about: about.endswith("5 words"),
        "all but the first": lambda about: not about.endswith("level, 1 word"),
    }[lost]
    remove_pieces(store, [entry.key for entry in pieces_of(store) if gone(entry.about)])
    spent = 0.0
    with using(RunStore(store.folder)) as again:
        second = verify_system(system, effort, clock=lambda: spent)
    assert again is not None
    assert (spent == 0) == (lost == "nothing")
    assert [f.evidence for f in second.claims] == [f.evidence for f in first.claims]
    assert (second.words, second.note, second.skipped) == (first.words, first.note, first.skipped)
    assert second.deepened is not None
    assert first.deepened is not None
    assert second.deepened.next_level is not None
    assert first.deepened.next_level is not None
    assert second.deepened.next_level.seconds == pytest.approx(first.deepened.next_level.seconds)
    assert {k: r.words for k, r in second.deepened.reached.items()} == {
        k: r.words for k, r in first.deepened.reached.items()
    }


# --- commands --------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    "arguments",
    [
        ("explore", "arc-standard", "--words", "3", "--json"),
        ("coverage", "arc-standard", "--treebank", "artificial-test", "--json"),
        ("mutate", "lost.tsys", "--words", "2", "--jobs", "1", "--json", "-"),
        ("verify", "lost.tsys", "--words", "3", "--samples", "5", "--claims-only", "--json", "-"),
        ("repair", "lost.tsys", "--words", "2", "--edits", "1", "--samples", "5", "--jobs", "1", "--json", "-"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_says_what_it_took_from_the_store(arguments: tuple[str, ...], command: Callable[..., Result]) -> None:
    plain = command(*arguments, ARCPROOF_STORE="off")
    first, second, fresh = command(*arguments), command(*arguments), command(*arguments, "--fresh")
    documents = [without_times(json.loads(done.out)) for done in (plain, first, second, fresh)]
    assert all(one == documents[0] for one in documents)
    assert len({done.code for done in (plain, first, second, fresh)}) == 1
    assert plain.err == first.err == fresh.err
    assert "taken from the run store" in second.err

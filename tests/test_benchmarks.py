"""The benchmark harness, at a size that takes no time and with the contestants that are always there."""

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from arcproof.classifiers.learners.learner import Settings
from arcproof.classifiers.scores import evaluate
from arcproof.process.progress import silent
from arcproof.properties.engines.exploration import explore
from arcproof.transitions.errors import CannotExport
from arcproof.transitions.library import system_names
from arcproof.transitions.system import load
from benchmarks import mutants, new_figures, parsers, plain_python, proofs
from benchmarks.checkers import CheckerFailed, Finished, run, spin_missing
from benchmarks.contestants import HERE, Contestant, contestants, levels_of
from benchmarks.measure import Explored
from benchmarks.race import Disagreement, Results, Task, race
from benchmarks.results import Measured, chart_of, to_markdown
from benchmarks.run import SIZES, main
from tests.catalogue import FIRST, each
from tools.assemble import HOMES

SEARCH = ("--parts", "search", "--times", "1", "--output")


@pytest.mark.nightly
@pytest.mark.compiler
def test_it_measures_ours_and_plain_python(tmp_path: Path) -> None:
    arguments = ["--words", "3", "--systems", "arc-eager", "swap", "--only", "ours", "typed", "plain_python"]

    assert main([*arguments, "--parts", "search", "--times", "2", "--output", str(tmp_path)]) == 0

    text = (tmp_path / "RESULTS.md").read_text(encoding="utf-8")
    columns = "system | words | configurations | arcproof | arcproof explore, whole process | Python, written by hand"
    assert text.count(f"| {columns} |") == 4
    assert text.count("| arc-eager | 3 | 62 |") == 4
    assert text.count("| swap | 3 | 106 |") == 4
    assert "the median of 2 runs" in text
    assert text.count("Not run.") == 3
    ElementTree.parse(tmp_path / "results.svg")


@pytest.mark.nightly
@pytest.mark.process
def test_a_tool_that_is_not_there_is_listed_as_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")

    assert main(["--words", "2", "--systems", "arc-eager", *SEARCH, str(tmp_path)]) == 0

    text = (tmp_path / "RESULTS.md").read_text(encoding="utf-8")
    assert "Not run: SPIN, exported model: spin and gcc not found on PATH." in text
    assert "Not run: TLC, exported model: java not found on PATH." in text
    assert "written" in capsys.readouterr().out


class Exporting(Contestant):
    """One that needs a model, and counts nothing."""

    def prepare(self, system: str, words: int, directory: Path, known: int | None) -> float:  # noqa: ARG002
        if system == "swap":
            raise CannotExport(f"{system} is too clever")
        return float(known is not None)

    def explore(self, system: str, words: int, directory: Path) -> Explored:  # noqa: ARG002
        return Explored(10**words, 0, 10.0**words)


def test_a_system_that_cannot_be_exported_is_listed_with_the_reason() -> None:
    racers = [Exporting("one", "the first"), Exporting("spin", "SPIN")]
    results = race([Task("swap", 2), Task("arc-eager", 2)], racers, 2, 1e9)
    text = to_markdown(Measured(2, racers, {}, search=results))

    assert list(results.found) == [Task("arc-eager", 2)]
    assert "Not run: spin on swap, 2 words: swap is too clever." in text
    assert "| arc-eager | 2 | 100 |" in text


def test_a_contestant_that_prepares_later_knows_what_was_counted() -> None:
    racers = [Exporting("one", "the first"), Exporting("two", "the second")]
    results = race([Task("arc-eager", 2)], racers, 2, 1e9)

    assert [results.built(Task("arc-eager", 2), key) for key in ("one", "two")] == [0, 1]
    assert {key: len(runs) for key, runs in results.found[Task("arc-eager", 2)].items()} == {"one": 2, "two": 2}


def test_a_contestant_that_would_take_too_long_does_not_take_part() -> None:
    racers = [Exporting("one", "the first", {"arc-eager": 4}), Exporting("two", "the second")]
    results = race([Task("arc-eager", words) for words in (3, 4, 5)], racers, 1, 9_999)

    assert [list(found) for found in results.found.values()] == [["one", "two"], ["one"], ["two"]]


def test_a_contestant_that_counts_otherwise_is_not_accepted() -> None:
    results = Results()
    task = Task("arc-eager", 3)
    results.add(task, "ours", Explored(62, 62, 0.1))

    with pytest.raises(Disagreement, match="spin counts 61 configurations and 62 transitions, ours 62 and 62"):
        results.add(task, "spin", Explored(61, 62, 0.1))
    with pytest.raises(Disagreement):
        results.add(task, "spin", Explored(62, 63, 0.1))


def test_a_benchmark_with_a_disagreement_fails_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("benchmarks.contestants.Script.explore", lambda self, *_: Explored(len(self.key), 0, 0.1))
    arguments = ["--words", "2", "--systems", "arc-eager", "--only", "ours", "plain_python"]

    assert main([*arguments, *SEARCH, str(tmp_path / "out")]) == 1
    assert "THE CONTESTANTS DISAGREE" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_forecast_grows_with_the_configurations() -> None:
    results = Results()
    results.add(Task("x", 1), "slow", Explored(10, 10, 1.0))
    results.add(Task("x", 2), "slow", Explored(100, 100, 12.0))
    results.add(Task("x", 4), "fast", Explored(5000, 5000, 0.1))

    assert results.forecast(Task("x", 4), "slow") == pytest.approx(600)
    assert results.forecast(Task("x", 4), "nobody") == 0
    assert results.forecast(Task("x", 3), "slow") == 0
    assert results.forecast(Task("y", 4), "slow") == 0


def test_plain_python_is_arc_eager() -> None:
    for words in range(5):
        space = explore(load("arc-eager"), words)
        assert plain_python.explore(words) == (len(space.configurations), sum(map(len, space.edges)))


@pytest.mark.nightly
@pytest.mark.process
@pytest.mark.skipif(spin_missing() is not None, reason=str(spin_missing()))
@pytest.mark.parametrize("key", ["spin", "spin-tuned"])
def test_both_models_for_spin_are_arc_eager(key: str, tmp_path: Path) -> None:
    racer = next(racer for racer in contestants() if racer.key == key)

    assert racer.prepare("arc-eager", 4, tmp_path, None) > 0
    explored = racer.explore("arc-eager", 4, tmp_path)
    assert (explored.configurations, explored.transitions) == plain_python.explore(4)


@pytest.mark.nightly
@pytest.mark.process
def test_a_process_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    with pytest.raises(CheckerFailed, match="ended with -9"):
        run([sys.executable, "-c", "import time; time.sleep(100)"], tmp_path, limit=0.2)


def test_a_plot_shows_a_line_for_each_contestant() -> None:
    lines = {"one": [(3, 0.01), (4, 0.1)], "two": [(3, 1.0)]}
    root = ElementTree.fromstring(chart_of({"a < b": lines, "c": lines}))
    texts = [part.text for part in root.iter("{http://www.w3.org/2000/svg}text")]

    assert len(list(root.iter("{http://www.w3.org/2000/svg}polyline"))) == 4
    assert {"a < b", "one", "two", "CPU seconds", "words"} <= set(texts)


def test_a_plot_leaves_out_systems_of_one_size_where_others_have_more() -> None:
    several, single = {"one": [(3, 0.01), (4, 0.1)]}, {"one": [(3, 0.01)]}

    assert "single" not in chart_of({"several": several, "single": single})
    assert "single" in chart_of({"single": single})


def test_every_system_of_the_first_release_takes_part() -> None:
    assert set(SIZES) == set(FIRST)


def test_the_results_in_the_repository_name_every_contestant_and_every_system() -> None:
    text = (HERE / "RESULTS.md").read_text(encoding="utf-8")

    for name in (*(racer.title for racer in contestants()), *SIZES):
        assert name in text


# --- what a user waits for -------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("system", each(system_names()))
def test_a_figure_with_new_names_is_the_figure(system: str) -> None:
    old, new = load(system), load(new_figures.unseen(system, "N7"))

    assert new.name == f"{system}-n7"
    assert [name.removesuffix("-N7") for name in new.transitions] == list(old.transitions)
    assert set(new.transitions) != set(old.transitions)
    assert len(new.figure.claims) == len(old.figure.claims)
    spaces = [explore(each, 3) for each in (old, new)]
    assert len({(len(space.configurations), sum(map(len, space.edges))) for space in spaces}) == 1


def test_a_copy_of_the_package_has_all_of_it_and_no_machine_code(tmp_path: Path) -> None:
    new_figures.NewMachine.at(tmp_path / "new")
    copied = {path.relative_to(tmp_path / "new") for path in (tmp_path / "new").rglob("*") if path.is_file()}

    assert set(new_figures.PACKAGE) == {home for home in HOMES if HOMES[home].startswith("arcproof")}
    assert Path("transitions/systems/swap.tsys") in copied
    assert not [path for path in copied if "__pycache__" in path.parts]


@pytest.mark.nightly
@pytest.mark.process
def test_a_new_figure_is_answered_as_the_built_in_one(tmp_path: Path) -> None:
    machine = new_figures.NewMachine.at(tmp_path / "new")
    command = ("verify", "--words", "2", "--claims-only", "--engine", "interpreter", "--samples", "0")
    wait = new_figures.Waited("swap", command, False)
    wait.measure(machine, silent)
    expected = machine.built_in(command, "swap")

    assert "like arc-standard-stack on projective trees exhausted, n ≤ 2" in expected
    new_figures.check_answers(wait, expected)
    with pytest.raises(Disagreement, match="of a new swap answers"):
        new_figures.check_answers(wait, expected.replace("n ≤ 2", "n ≤ 3"))


def test_the_rows_of_explore_are_read() -> None:
    rows = [
        "swap",
        "  words  configurations  transitions  outputs",
        "  1      3       2       1",
        "  2      14      16      3",
    ]

    assert levels_of("\n".join(rows)) == {1: (3, 2), 2: (14, 16)}


@pytest.mark.nightly
@pytest.mark.process
def test_mutants_are_counted_by_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "SYSTEMS", ("arc-standard",))
    [found] = mutants.judged(2, 1)

    assert len(found.runs) == 2
    assert found.counts["total"] == sum(count for bucket, count in found.counts.items() if bucket != "total") > 0
    with pytest.raises(Disagreement, match="the mutants of arc-standard were"):
        found.add(found.runs[0], {**found.counts, "killed": 0})


def test_what_was_measured_is_in_the_tables() -> None:
    done = Finished("", "", 2.0, 4.0)
    results = Results()
    for key, elapsed in {"counting-1": 8.0, "counting-2": 5.0, "outputs-1": 9.0, "outputs-2": 6.0}.items():
        results.add(Task("swap", 8), key, Explored(1000, 1000, 7.0, elapsed=elapsed))
    text = to_markdown(
        Measured(
            3, [], {}, workers=results, left_out=[Task("arc-eager", 11)],
            waits=[new_figures.Waited("swap", ("explore", "--words", "5"), True, [done])],
            mutants=[mutants.Judged("swap", {"total": 80, "killed": 78}, [done])],
        )
    )  # fmt: skip

    assert "| swap | `arcproof explore --words 5` | nothing | 2.00 | 4.00 |" in text
    assert "| swap | 80 | 78 | 2.00 | 4.00 | 40 |" in text
    assert "| swap | counting alone | 8 | 1,000 | 8.00 | 5.00 | 1.6 | 7.00 | 7.00 |" in text
    assert "| swap | with outputs and derivations | 8 | 1,000 | 9.00 | 6.00 | 1.5 | 7.00 | 7.00 |" in text
    assert "| arc-eager | counting alone | 11 | – | – | – | – | – | – |" in text
    assert "Rows with – are run only with `--long`." in text


# --- parsers ---------------------------------------------------------------------------------------------------------

QUICK = Settings(epochs=1)
ARTIFICIAL = Path(parsers.__file__).parent.parent / "classifiers" / "treebanks"


def parsers_on_artificial(tmp_path: Path, *only: str, full: bool = False) -> str:
    output = tmp_path / "PARSERS.md"
    arguments = [
        "--treebanks",
        str(ARTIFICIAL),
        "--on",
        "artificial",
        "--kept",
        str(tmp_path / "kept"),
        "--only",
        *only,
    ]

    assert parsers.main([*arguments, *(["--full"] if full else []), "-o", str(output)]) == 0
    return output.read_text(encoding="utf-8")


@pytest.mark.nightly
@pytest.mark.process
def test_a_peer_that_is_not_installed_is_listed_as_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsers, "TRAINING", 50)
    text = parsers_on_artificial(tmp_path, "arcproof", "udpipe")

    assert "Not run: UDPipe (ufal.udpipe), defaults on artificial: ModuleNotFoundError" in text
    assert "| arcproof, arc-eager, fast learner, joined-stack |" in text


@pytest.mark.nightly
@pytest.mark.process
def test_a_peer_is_run_once_and_compared_with_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsers, "TRAINING", 50)
    runs = []

    def every_word_on_the_one_before(name: str, data: parsers.DividedTreebank, _: str) -> parsers.Measured:
        runs.append((name, len(data.train), len(data.development), len(data.test)))
        trees = [(tuple(range(sentence.words)), sentence.labels) for sentence in data.test]
        return parsers.measured(name, data, evaluate(data.test, trees), 5.0, 0.5)

    monkeypatch.setattr(parsers, "peer", every_word_on_the_one_before)
    first = parsers_on_artificial(tmp_path, "arcproof", "spacy")
    second = parsers_on_artificial(tmp_path, "arcproof", "spacy")

    assert runs == [("spacy", 50, 64, 100)]
    assert "Everything was measured in this run." in first
    assert "Kept from an earlier run: spacy on artificial (20" in second
    for text in (first, second):
        [line, mean] = [line for line in text.splitlines() if line.startswith("| spaCy")]
        assert "++" in line
        assert "++" in mean


@pytest.mark.nightly
@pytest.mark.process
def test_whole_files_train_and_each_technique_has_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        parsers, "FULL_SETTINGS", {name: {"system": "arc-eager", "settings": QUICK} for name in parsers.FULL_SETTINGS}
    )
    seen = []

    def every_word_on_the_one_before(name: str, data: parsers.DividedTreebank, _: str) -> parsers.Measured:
        seen.append((name, len(data.train), len(data.development)))
        trees = [(tuple(range(sentence.words)), sentence.labels) for sentence in data.test]
        return parsers.measured(name, data, evaluate(data.test, trees), 5.0, 0.5)

    monkeypatch.setattr(parsers, "peer", every_word_on_the_one_before)
    text = parsers_on_artificial(tmp_path, *parsers.FULL_SETTINGS, "udpipe", full=True)

    assert seen == [("udpipe", 300, 0)]
    assert "The whole train file of each treebank is used for training" in text
    for name in (*parsers.FULL_SETTINGS, "udpipe"):
        assert text.count(f"| {parsers.TITLES[name]} |") == 2


def test_the_treebanks_of_the_parsers_must_be_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert parsers.main(["--treebanks", str(tmp_path / "none")]) == 2
    assert "no such folder" in capsys.readouterr().err


def test_the_table_of_the_prover() -> None:
    used = {
        "check": [proofs.Used(cpu, 2 * cpu, 0) for cpu in (4.0, 3.0, 9.0)],
        "giving up": [proofs.Used(20.0, 1.0, 3)],
    }
    text = proofs.to_markdown(used, [(proofs.Used(1.0, 3.0, 0), proofs.Used(1.0, 2.0, 0))], ["a machine"])

    assert "| every claim of arc-eager, from its certificates | 4.0 | 3.0 | 9.0 | 3 | all proved |" in text
    assert "| 20.0 | 20.0 | 20.0 | 1 | one open |" in text
    assert "1.50 times as fast as with one job (2.0 and 3.0 seconds of wall-clock time)" in text
    assert proofs.COMMANDS.keys() == proofs.TITLES.keys()

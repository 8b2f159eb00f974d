"""The benchmark harness, at a size that takes no time and with the contestants that are always there."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from arcproof.classifiers.learners.learner import Settings
from arcproof.classifiers.scores import evaluate
from arcproof.process.progress import silent
from arcproof.properties.engines.exploration import explore
from arcproof.transitions.system import load
from benchmarks import mutants, new_figures, parsers, plain_python
from benchmarks.checkers import spin_missing
from benchmarks.contestants import HERE, contestants
from benchmarks.measure import Explored
from benchmarks.race import Disagreement, Results, Task
from benchmarks.run import SIZES, main

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


def test_the_results_in_the_repository_name_every_contestant_and_every_system() -> None:
    text = (HERE / "RESULTS.md").read_text(encoding="utf-8")

    for name in (*(racer.title for racer in contestants()), *SIZES):
        assert name in text


# --- what a user waits for -------------------------------------------------------------------------------------------


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


@pytest.mark.nightly
@pytest.mark.process
def test_mutants_are_counted_by_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "SYSTEMS", ("arc-standard",))
    [found] = mutants.judged(2, 1)

    assert len(found.runs) == 2
    assert found.counts["total"] == sum(count for bucket, count in found.counts.items() if bucket != "total") > 0
    with pytest.raises(Disagreement, match="the mutants of arc-standard were"):
        found.add(found.runs[0], {**found.counts, "killed": 0})


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

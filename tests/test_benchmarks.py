"""The benchmark harness, at a size that takes no time and with the contestants that are always there."""

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from arcproof.classifiers.scores import evaluate
from arcproof.properties.engines.exploration import explore
from arcproof.transitions.system import load

from benchmarks import parsers, plain_python
from benchmarks.checkers import CheckerFailed, run, spin_missing
from benchmarks.contestants import HERE, contestants
from benchmarks.measure import Explored
from benchmarks.race import Disagreement, Results, Task
from benchmarks.results import chart_of
from benchmarks.run import main


@pytest.mark.compiler
def test_it_measures_ours_and_plain_python(tmp_path: Path) -> None:
    arguments = [
        "--words",
        "2",
        "3",
        "--times",
        "2",
        "--systems",
        "arc-eager",
        "swap",
        "--only",
        "ours",
        "plain_python",
        "--output",
    ]

    assert main([*arguments, str(tmp_path)]) == 0

    text = (tmp_path / "RESULTS.md").read_text(encoding="utf-8")
    assert "## arc-eager" in text
    assert "| words | configurations | arcproof | Python, written by hand |" in text
    assert "| 3 | 62 |" in text
    assert "| 3 | 106 |" in text
    assert "the median of 2 runs" in text
    ElementTree.parse(tmp_path / "results.svg")


@pytest.mark.process
def test_a_tool_that_is_not_there_is_listed_as_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    arguments = ["--words", "2", "--times", "1", "--systems", "arc-eager", "--output", str(tmp_path)]

    assert main(arguments) == 0

    text = (tmp_path / "RESULTS.md").read_text(encoding="utf-8")
    assert "Not run: SPIN, exported model: spin and gcc not found on PATH." in text
    assert "Not run: TLC, exported model: java not found on PATH." in text
    assert "written" in capsys.readouterr().out


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
    arguments = ["--words", "2", "--times", "1", "--systems", "arc-eager", "--only", "ours", "plain_python", "--output"]

    assert main([*arguments, str(tmp_path / "out")]) == 1
    assert "THE CONTESTANTS DISAGREE" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_what_would_take_too_long_is_left_out() -> None:
    results = Results()
    results.add(Task("x", 1), "slow", Explored(10, 10, 1.0))
    results.add(Task("x", 2), "slow", Explored(100, 100, 10.0))
    results.add(Task("x", 2), "fast", Explored(100, 100, 0.01))
    results.add(Task("x", 3), "fast", Explored(1000, 1000, 0.1))

    assert results.forecast("x", "slow") == pytest.approx(1000)
    assert results.forecast("x", "fast") == pytest.approx(1)
    assert results.forecast("y", "slow") == 0


def test_plain_python_is_arc_eager() -> None:
    for words in range(5):
        space = explore(load("arc-eager"), words)
        assert plain_python.explore(words) == (len(space.configurations), sum(map(len, space.edges)))


@pytest.mark.process
@pytest.mark.skipif(spin_missing() is not None, reason=str(spin_missing()))
@pytest.mark.parametrize("key", ["spin", "spin-tuned"])
def test_both_models_for_spin_are_arc_eager(key: str, tmp_path: Path) -> None:
    racer = next(racer for racer in contestants() if racer.key == key)

    assert racer.prepare("arc-eager", 4, tmp_path) > 0
    explored = racer.explore("arc-eager", 4, tmp_path)
    assert (explored.configurations, explored.transitions) == plain_python.explore(4)


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


def test_the_results_in_the_repository_name_every_contestant() -> None:
    text = (HERE / "RESULTS.md").read_text(encoding="utf-8")

    for racer in contestants():
        assert racer.title in text


# --- parsers -----------------------------------------------------------------------------------------------------------

ARTIFICIAL = Path(parsers.__file__).parent.parent / "classifiers" / "treebanks"


def parsers_on_artificial(tmp_path: Path, *only: str) -> str:
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

    assert parsers.main([*arguments, "-o", str(output)]) == 0
    return output.read_text(encoding="utf-8")


@pytest.mark.process
def test_a_peer_that_is_not_installed_is_listed_as_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsers, "TRAINING", 50)
    text = parsers_on_artificial(tmp_path, "arcproof", "udpipe")

    assert "Not run: UDPipe (ufal.udpipe), defaults on artificial: ModuleNotFoundError" in text
    assert "| arcproof, arc-eager, fast learner, joined-stack |" in text


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
    assert "Kept from an earlier run: spacy on artificial." in second
    for text in (first, second):
        [line, mean] = [line for line in text.splitlines() if line.startswith("| spaCy")]
        assert "++" in line
        assert "++" in mean


def test_the_treebanks_of_the_parsers_must_be_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert parsers.main(["--treebanks", str(tmp_path / "none")]) == 2
    assert "no such folder" in capsys.readouterr().err

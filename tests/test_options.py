"""Options have one form and one meaning: which command has which, how values are written, where they may come from."""

import inspect
import json
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import click
import pytest
from jsonschema import Draft202012Validator

from arcproof.commands import COMMANDS, SUMMARIES, cli
from arcproof.commands.options import Duration, MemorySize
from arcproof.commands.results import ComparedSystems
from arcproof.interface.arguments import command_of
from arcproof.process.sizes import seconds_in
from arcproof.process.suggestions import did_you_mean
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.output_sets import OutputSet
from arcproof.properties.studies import compare, why
from arcproof.reports.why import to_text
from arcproof.transitions.system import load
from tests.in_process import Result

Run = Callable[..., Result]
COMMON = ("json", "timeout", "jobs", "memory", "seed")
HAS = {
    "list": "json",
    "show": "json",
    "check": "json",
    "new": "",
    "trace": "json",
    "explore": "json timeout jobs memory",
    "verify": "json timeout jobs memory seed",
    "prove": "json timeout jobs",
    "check-proof": "json timeout jobs",
    "mutate": "json timeout jobs memory",
    "why": "json timeout jobs memory",
    "repair": "json timeout jobs memory seed",
    "reach": "json timeout jobs memory",
    "oracle": "json timeout",
    "conform": "json timeout jobs seed",
    "compare": "json timeout jobs memory",
    "coverage": "json timeout jobs",
    "export": "",
    "report": "json timeout jobs memory seed",
    "train": "json memory seed",
    "parse": "json",
    "evaluate": "json",
    "experiment": "json timeout jobs seed",
    "lsp": "",
    "completion": "",
}
"""Which of the common options each command has; `new`, `export`, `lsp` and `completion` find nothing out."""
HELP = {
    "json": {"Print JSON and nothing else; with FILE"},
    "timeout": {"Stop after this long with what is known by then"},
    "jobs": {
        "Work in N processes; default all cores",
        "With --log: work in N processes; default all cores",
        "Train N parsers at a time",
    },
    "memory": {
        "Stop a level that would need more, e.g. 512M or 8G; default half of the RAM.",
        "With fast: refuse to learn what would need more, e.g. 512M or 8G; default half of the RAM.",
    },
    "seed": {"The same seed draws the same samples.", "With the fast learner: the same seed gives"},
}
METAVARS = {"json": "[FILE]", "timeout": "TIME", "jobs": "N", "memory": "SIZE", "seed": "N"}


ALL = {name: command_of(name) for name in COMMANDS}


def options_of(command: click.Command) -> dict[str, click.Option]:
    return {
        max(option.opts, key=len).removeprefix("--"): option
        for option in command.params
        if isinstance(option, click.Option)
    }


# --- which command has which option ----------------------------------------------------------------------------------


def test_the_table_has_every_command() -> None:
    assert set(HAS) == set(ALL)


@pytest.mark.parametrize("name", HAS)
def test_common_options_have_one_form_and_one_text(name: str) -> None:
    options = options_of(ALL[name])

    assert {key for key in COMMON if key in options} == set(HAS[name].split())
    for key in HAS[name].split():
        option = options[key]
        assert option.metavar == METAVARS[key]
        assert any((option.help or "").startswith(text) for text in HELP[key]), option.help


def test_every_duration_and_size_is_written_the_same_way() -> None:
    for name, command in ALL.items():
        for key, option in options_of(command).items():
            if "timeout" in key or key == "time":
                assert isinstance(option.type, Duration), f"{name} --{key}"
                assert option.metavar == "TIME"
            if key == "memory":
                assert isinstance(option.type, MemorySize), name


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("90s", 90), ("5m", 300), ("1h", 3600), ("1.5H", 5400), (" 2 m ", 120), ("0", 0), ("x", None), ("5d", None),
     ("-1", None), ("nan", None), ("inf", None), ("1e999", None), ("", None), ("s", None), ("5mm", None)],
)  # fmt: skip
def test_durations(text: str, seconds: float | None) -> None:
    assert seconds_in(text) == seconds


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--timeout", "soon", "`soon` is not a duration; write 90 or 90s, 5m or 1h"),
        ("--timeout", "nan", "`nan` is not a duration"),
        ("--timeout", "0", "`0` is too short; it must be more than 0 s"),
        ("--timeout", "1e9", "`1e9` is too long; it must be at most 100000000 s"),
        ("--time", "x", "`x` is not a duration"),
        ("--memory", "much", "`much` is not a size; write 500M or 8G"),
        ("--memory", "99999999T", "`99999999T` is too much; it must be at most 9223372036854775807 bytes"),
        ("--sample-words", "1000000", "`1000000` is not a whole number from 1 to 10000"),
        ("--seed", "-1", "`-1` is not a whole number, 0 or more"),
    ],
)
def test_values_that_cannot_be_meant(arcproof: Run, option: str, value: str, message: str) -> None:
    done = arcproof("verify", "swap", option, value)

    assert (done.code, done.out) == (2, "")
    assert message in done.err


# --- where files are written -----------------------------------------------------------------------------------------

FILES = [
    ("verify", "swap", "--json"),
    ("verify", "swap", "--html"),
    ("prove", "swap", "--json"),
    ("report", "swap", "--output"),
    ("export", "swap", "--to", "promela", "--words", "1", "--output"),
    ("new", "mine", "--output"),
    ("repair", "swap", "--write"),
    ("conform", "swap", "tests.testing.drivers:ArcEager", "--write-test"),
    ("train", "swap", "artificial-train", "--output"),
    ("parse", "no.model", "artificial-test", "--output"),
    ("experiment", "swap", "--treebank", "artificial", "--output", "results", "--json"),
    ("trace", "swap", "--heads", "0", "--json"),
]
FOLDERS = [
    ("trace", "swap", "--heads", "0", "--format", "svg", "--steps", "--output"),
    ("why", "arc-hybrid", "LEFT-ARC", "--words", "2", "--svg"),
    ("mutate", "arc-hybrid", "--words", "1", "--jobs", "1", "--keep"),
]


@pytest.mark.parametrize("arguments", FILES, ids=lambda words: f"{words[0]} {words[-1]}")
def test_no_folder_is_made_for_a_file(arcproof: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Before any work is done: a typing mistake in a path must not cost the work, nor make a folder."""
    (tmp_path / "a.py").touch()
    done = arcproof(*arguments[:-1], f"{arguments[-1]}=not/there/x.json")

    assert (done.code, done.out) == (2, "")
    assert (
        "not/there/x.json cannot be written: there is no folder not/there; make it first, or give another" in done.err
    )
    assert [path.name for path in tmp_path.iterdir()] == ["a.py"]


@pytest.mark.parametrize("arguments", FOLDERS, ids=lambda words: words[0])
def test_a_folder_that_a_command_fills_is_made(arcproof: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = arcproof(*arguments, "new/folder")
    (tmp_path / "file").touch()
    refused = arcproof(*arguments, "file")

    assert done.code != 2, done.err
    assert list((tmp_path / "new" / "folder").iterdir())
    assert (refused.code, refused.out) == (2, "")


def test_every_folder_says_that_it_is_made() -> None:
    for name, command in ALL.items():
        for key, option in options_of(command).items():
            is_read = "FOLDER` wrote" in (option.help or "")
            if option.metavar in ("DIR", "FOLDER") and not is_read:
                assert "made if it is missing" in (option.help or ""), f"{name} --{key}"


def test_the_report_has_a_folder_of_its_own(arcproof: Run, tmp_path: Path) -> None:
    assert arcproof("report", "swap", "--words", "0", "--samples", "0", "--jobs", "1").code in (0, 3)
    assert (tmp_path / "report" / "index.html").is_file()


# --- --json ----------------------------------------------------------------------------------------------------------


def schema(name: str) -> Draft202012Validator:
    return Draft202012Validator(
        json.loads(files("arcproof.schemas").joinpath(f"{name}.schema.json").read_text("utf-8"))
    )


TREE = "1\ta\t_\tN\tN\t_\t2\tdep\t2:dep\t_\n2\tb\t_\tN\tN\t_\t0\troot\t0:root\t_\n\n"
PRINTED = [
    ("list", ("list",)),
    ("show", ("show", "arc-hybrid")),
    ("check", ("check", "swap")),
    ("trace", ("trace", "swap", "--heads", "2,0,2")),
    ("explore", ("explore", "swap", "--words", "2")),
    ("verify", ("verify", "arc-hybrid", "--words", "1", "--samples", "0", "--claims-only")),
    ("verify", ("report", "arc-hybrid", "--words", "1", "--samples", "0", "-o", "page.html", "--jobs", "1")),
    ("mutate", ("mutate", "arc-hybrid", "--words", "1", "--jobs", "1")),
    ("why", ("why", "arc-hybrid", "LEFT-ARC", "--words", "2")),
    ("repair", ("repair", "arc-hybrid", "--words", "1", "--samples", "0")),
    ("reach", ("reach", "swap", "head(1)", "--words", "2")),
    ("oracle", ("oracle", "arc-hybrid", "--words", "1")),
    ("situation", ("oracle", "arc-hybrid", "--heads", "2,0")),
    ("conform_log", ("conform", "swap", "--log", "a.log", "--words", "1")),
    ("compare", ("compare", "arc-hybrid", "swap", "--words", "2")),
    ("coverage", ("coverage", "swap", "--treebank", "a.conllu")),
    ("evaluate", ("evaluate", "a.conllu", "a.conllu")),
    ("evaluate_graphs", ("evaluate", "a.conllu", "a.conllu", "--graphs")),
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "arguments"), PRINTED, ids=lambda value: value if isinstance(value, str) else None)
def test_json_alone_prints_the_document_and_with_a_file_both(
    arcproof: Run, tmp_path: Path, name: str, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "a.conllu").write_text(TREE, encoding="utf-8")
    (tmp_path / "a.log").write_text("SHIFT RIGHT-ARC\n", encoding="utf-8")
    printed, written = arcproof(*arguments, "--json"), arcproof(*arguments, "--json", "found.json")
    document = json.loads(printed.out)
    beside = json.loads((tmp_path / "found.json").read_text("utf-8"))

    assert printed.code == written.code != 2
    assert [*schema(name).iter_errors(document)] == [*schema(name).iter_errors(beside)] == []
    assert written.out
    assert not written.out.startswith(("{", "["))


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (("--json",), "-"),
        (("--json", "-"), "-"),
        (("--json=-",), "-"),
        (("--json", "a.json"), "a.json"),
        (("--json=a.json",), "a.json"),
        (("--json=plain",), "plain"),
        (("--json", "--words", "1"), "-"),
    ],
)
def test_what_follows_json_is_a_file_if_it_looks_like_one(
    arcproof: Run, tmp_path: Path, words: tuple[str, ...], file: str
) -> None:
    done = arcproof("explore", "swap", *words, "--words", "1")

    assert done.code == 0
    assert done.out.startswith("{") is (file == "-")
    assert [path.name for path in tmp_path.iterdir()] == ([] if file == "-" else [file])


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "--json", "arc-hybrid", "swap", "--words", "1"),
        ("compare", "--json", "covington[d=1]", "swap", "--words", "1"),
        ("check", "--json", "mine.tsys"),
        ("coverage", "swap", "--treebank", "a.conllu", "--json"),
        ("coverage", "swap", "--treebank", "a.conllu", "b.conllu", "--json", "arc-hybrid"),
        ("explore", "--words", "1", "--json", "--", "swap"),
    ],
)
def test_an_argument_after_json_stays_one(arcproof: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    names = ("mine.tsys", "a.conllu", "b.conllu")
    for name in names:
        (tmp_path / name).write_text(
            arcproof("new", "mine", "-o", "-").out if name == names[0] else TREE, encoding="utf-8"
        )
    done = arcproof(*words)

    assert done.code == 0
    json.loads(done.out)
    assert {path.name for path in tmp_path.iterdir()} == set(names)


@pytest.mark.parametrize("word", ["results", "out.txt", "/dev/null", "arc-eagr"])
def test_a_word_after_json_that_may_be_either_is_refused(arcproof: Run, tmp_path: Path, word: str) -> None:
    done = arcproof("verify", "swap", "--json", word)

    assert (done.code, done.out) == (2, "")
    assert f"write --json={word}" in done.err
    assert "put --json last" in done.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments", [("explore", "swap", "--open"), ("conform", "--drivers")])
def test_json_is_refused_where_there_is_no_document(arcproof: Run, arguments: tuple[str, ...]) -> None:
    done = arcproof(*arguments, "--json")

    assert (done.code, done.out) == (2, "")
    assert f"leave it out with {arguments[-1]}" in done.err


def test_json_as_the_value_of_another_option_is_its_value(arcproof: Run) -> None:
    done = arcproof("prove", "swap", "--claim", "--json")

    assert "no claim of swap contains '--json'" in done.err


def test_a_link_is_written_through(arcproof: Run, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link.json").symlink_to("real/found.json")
    arcproof("list", "--json", "link.json")

    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "real" / "found.json").read_text("utf-8"))


# --- time limits -----------------------------------------------------------------------------------------------------

LONG = [
    ("compare", "swap", "list-nonprojective", "--words", "7"),
    ("why", "swap", "SWAP", "--words", "6"),
    ("explore", "swap", "--words", "9"),
    ("report", "swap", "--words", "8", "--samples", "0", "-o", "page.html", "--jobs", "1"),
]


@pytest.mark.long
@pytest.mark.parametrize("arguments", LONG, ids=lambda arguments: arguments[0])
def test_a_time_limit_ends_with_what_is_known(arcproof: Run, arguments: tuple[str, ...]) -> None:
    done = arcproof(*arguments, "--timeout", "0.6s", "--engine", "interpreter", "--json")
    document = json.loads(done.out)

    assert done.code == 3
    assert "the time limit of 0.6 s was reached" in done.err + done.out
    if "words" in document:
        assert document["words"] < int(arguments[arguments.index("--words") + 1])


def test_a_level_counts_only_if_it_is_compared_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both systems are explored up to two words when the comparison of two words is interrupted."""
    calls = iter([False, True])
    common = OutputSet.common

    def interrupted(*outputs: Any) -> list[tuple[int, int]]:
        if next(calls):
            raise KeyboardInterrupt
        return common(*outputs)

    monkeypatch.setattr(OutputSet, "common", interrupted)
    levels = Levels(load("arc-hybrid"), 3), Levels(load("swap"), 3)
    found = compare.compare(*levels)
    monkeypatch.undo()

    assert (found.words, found.ended_by) == (1, "interrupted")
    assert found.common == compare.compare(*(replace(level, words=1) for level in levels)).common
    assert ComparedSystems(found, levels, 3).exit_code == 3


def test_preconditions_that_were_not_looked_at_are_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    needs_of = why.needs_of

    def interrupted(*arguments: Any) -> Iterator[Any]:
        yield next(iter(needs_of(*arguments)))
        raise KeyboardInterrupt

    monkeypatch.setattr(why, "needs_of", interrupted)
    found = why.why(load("arc-eager"), "LEFT-ARC", 2, engine="interpreter")

    assert (len(found.reasons), found.words, found.exit_code) == (1, 2, 3)
    assert "interrupted: 1 of 2 preconditions examined" in to_text(found)


# --- the environment -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("option", "value"), [("engine", "interpreter"), ("proofs", "none")])
def test_engine_and_proofs_may_come_from_the_environment(
    arcproof: Run, monkeypatch: pytest.MonkeyPatch, option: str, value: str
) -> None:
    monkeypatch.setenv(f"ARCPROOF_{option.upper()}", "nonsense")
    arguments = ("verify", "arc-hybrid", "--words", "1", "--samples", "0")
    refused = arcproof(*arguments)

    assert (refused.code, f"'--{option}'" in refused.err) == (2, True)
    assert arcproof(*arguments, f"--{option}", value).code == 0


def test_what_compare_prints_is_whole(arcproof: Run) -> None:
    done = arcproof("compare", "arc-hybrid", "swap", "--words", "1")

    assert done.out.splitlines()[0].endswith("derive the same graphs, up to 1 word (1 in common)")


# --- did you mean ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("verfy", "swap"), "there is no command verfy; did you mean verify?"),
        (("verify", "swap", "--sample-word", "3"), "there is no option --sample-word; did you mean --sample-words"),
        (("--versoin",), "there is no option --versoin; did you mean --version?"),
        (("show", "arc-eagr"), "did you mean arc-eager or"),
        (("zzz",), "there is no command zzz; see --help"),
        (("grade", "x"), "there is no command grade any more; use `arcproof conform --json` in a container"),
        (("verify", "swap", "--junit", "x.xml"), "there is no option --junit any more; use `pytest FIGURE.tsys"),
        (("mutate", "swap", "--markdown"), "there is no option --markdown any more; use the plain text"),
    ],
)
def test_what_was_probably_meant(arcproof: Run, arguments: tuple[str, ...], message: str) -> None:
    done = arcproof(*arguments)

    assert (done.code, message in done.err) == (2, True)


MEANT = [
    ("trace arc-eager --heads 0 --oracle reduce-lat", "reduce-late or reduce-early"),
    ("trace arc-eager --heads 0 --format latx", "latex"),
    ("show arc-eager --format sorce", "source"),
    ("show covington[D=1]", "d"),
    ("show arc-eagr", "arc-eager or arc-eager-2003 or arc-eager-graph"),
    ("explore swap --engine compild", "compiled"),
    ("verify swap --require provd", "proved"),
    ("verify swap --proofs kep", "kept"),
    ("why arc-eager left-ark", "LEFT-ARC"),
    ("reach arc-eager '#SHFT = 2'", "SHIFT"),
    ("oracle arc-eager --class 'projectiv trees'", "projective"),
    ("oracle arc-eager --heads 2,0 --run SHFT", "SHIFT"),
    ("conform arc-eager --log a.log", "SHIFT"),
    ("conform arc-eager --log a.log --names SH=SHFT", "SHIFT"),
    ("compare arc-eager swp", "swap"),
    ("coverage swap --treebank artificial-tst", "artificial-test"),
    ("coverage swap --treebank a.conlu", "a.conllu"),
    ("evaluate a.conllu artificial-tst", "artificial-test"),
    ("export swap --to tlaa --words 1", "tla"),
    ("train swap artificial-trian -o m", "artificial-train"),
    ("train swap a.conllu -o m --learner fsat", "fast"),
    ("train swap a.conllu -o m --features nivre-2008-stck", "nivre-2008-stack"),
    ("train swap a.conllu -o m --oracle laz", "lazy"),
    ("experiment swap:boostrap --treebank artificial -o x", "bootstrap"),
    ("experiment swap --treebank artificail -o x", "artificial"),
    ("completion bsh", "bash"),
]


@pytest.mark.parametrize(("line", "meant"), MEANT, ids=lambda value: value)
def test_what_was_probably_meant_by_a_name(arcproof: Run, tmp_path: Path, line: str, meant: str) -> None:
    (tmp_path / "a.conllu").write_text(TREE, encoding="utf-8")
    (tmp_path / "a.log").write_text("SHFT\n", encoding="utf-8")
    done = arcproof(*shlex.split(line))

    assert done.code == 2
    assert f"did you mean {meant}" in done.err


def test_nothing_is_suggested_that_is_not_near() -> None:
    assert did_you_mean("zzz", COMMANDS, "otherwise") == "otherwise"


# --- help ------------------------------------------------------------------------------------------------------------

STUMBLES = ("on board", "so many", "is said", " any more", "goes on", "hold against")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_has_an_example_that_can_be_read(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "proofs").mkdir()
    command = command_of(name)
    text = inspect.cleandoc(command.help or "")
    _, found, example = text.partition("\b\nExample:\n  ")
    program, called, *words = shlex.split(example)

    assert found
    assert (program, called) == ("arcproof", name)
    with click.Context(cli, info_name="arcproof") as above:
        command.make_context(name, words, parent=above)


def test_helps_have_one_style() -> None:
    """A summary is one sentence in the imperative; options begin with a capital and end with a full stop or a
    default.
    """
    for name, command in ALL.items():
        first, *_ = (command.help or "").split("\n\n")
        assert first.endswith((".", "?")), name
        assert not re.match(r"(?:What|The|A|Every) ", first), f"{name}: {first}"
        for key, option in options_of(command).items():
            text = option.help or ""
            assert text.rstrip().endswith((".", "]", ".)")), f"{name} --{key}: {text}"
            assert text[0].isupper() or text.split()[0].rstrip(":") in ("svc", "latex", "svg"), (
                f"{name} --{key}: {text}"
            )
            assert not [phrase for phrase in STUMBLES if phrase in text], f"{name} --{key}: {text}"
        assert not [phrase for phrase in STUMBLES if phrase in (command.help or "")], name


def test_summaries_are_imperative_and_fit() -> None:
    for name, summary in SUMMARIES.items():
        assert summary.split()[0] in VERBS, f"{name}: {summary}"
        assert len(name) + len(summary) <= 75


VERBS = {
    "break", "check", "compare", "count", "find", "list", "parse", "print", "prove", "read", "score", "show", "start",
    "train", "write",
}  # fmt: skip

"""The functions that stand for commands: the same names, defaults, messages and documents; and what results look
like.
"""

import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

import arcproof
from arcproof import ArcproofError, native
from arcproof.commands import COMMANDS
from arcproof.commands.results import ProvedSystems
from arcproof.interface import views
from arcproof.interface.arguments import COMMANDS_ONLY, command_of, keyword_of, only_prints
from arcproof.interface.functions import FUNCTIONS
from arcproof.interface.views import view
from arcproof.process.extras import install
from arcproof.process.shown import Shown, WithDocument, WithLatex, WithPicture, WithTable
from arcproof.properties.conformance.conform import Conformance
from arcproof.properties.conformance.logs import LogCheck
from arcproof.transitions.errors import MissingPackage
from arcproof.transitions.graph import graph_of
from tests.conftest import ROOT
from tests.testing.drivers import ArcEager

Quick = dict[str, Any]
INTERPRETED: Quick = {"engine": "interpreter"}
ALONE: Quick = {**INTERPRETED, "jobs": 1}
OPTIONAL_OUTPUT = {"new", "train", "parse", "export"}
"""What they make is returned, so that `output` need not be given; the commands write to a file or to standard
output.
"""
POSITIONAL_TOO = {"trace": {"heads"}, "oracle": {"heads"}, "reach": {"output"}}


def options_of(name: str) -> dict[str, click.Option]:
    found = {keyword_of(option): option for option in command_of(name).params if isinstance(option, click.Option)}
    return {keyword: option for keyword, option in found.items() if not only_prints(name, keyword)}


def arguments_of(name: str) -> list[click.Argument]:
    return [argument for argument in command_of(name).params if isinstance(argument, click.Argument)]


def test_every_command_has_a_function_or_a_reason_not_to() -> None:
    assert set(FUNCTIONS) | set(COMMANDS_ONLY) == set(COMMANDS)
    assert not set(FUNCTIONS) & set(COMMANDS_ONLY)
    for function in FUNCTIONS.values():
        assert getattr(arcproof, function.__name__) is function


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_has_the_options_and_defaults_of_its_command(name: str) -> None:
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    options, arguments = options_of(name), arguments_of(name)
    of_arguments = {str(argument.name) for argument in arguments}

    assert set(parameters) == set(options) | of_arguments
    for argument in arguments:
        parameter = parameters[str(argument.name)]
        if argument.nargs == -1:
            assert parameter.kind is inspect.Parameter.VAR_POSITIONAL
        elif argument.required:
            assert parameter.default is inspect.Parameter.empty
        else:
            assert parameter.default in (None, "")
    for keyword, option in options.items():
        parameter = parameters[keyword]
        by_place = keyword in POSITIONAL_TOO.get(name, ())
        assert parameter.kind is (parameter.POSITIONAL_OR_KEYWORD if by_place else parameter.KEYWORD_ONLY)
        assert has_default_of(parameter, option, name), f"{name}: {keyword}: {parameter.default!r}"


def has_default_of(parameter: inspect.Parameter, option: click.Option, name: str) -> bool:
    """A default that the machine or the environment decides is None, and the command is asked."""
    if parameter.name == "output" and name in OPTIONAL_OUTPUT:
        return parameter.default is None
    if option.required:
        return parameter.default is inspect.Parameter.empty
    if option.multiple:
        return parameter.default == ()
    default = option.to_info_dict()["default"]
    if callable(option.default) or option.envvar is not None or not isinstance(default, int | float | str):
        return parameter.default is None
    return bool(parameter.default == default and type(parameter.default) in (type(default), int))


# --- messages --------------------------------------------------------------------------------------------------------

MISTAKES: list[tuple[Callable[[], object], tuple[str, ...]]] = [
    (lambda: arcproof.verify("arc-eager", words=99), ("verify", "arc-eager", "--words", "99")),
    (lambda: arcproof.verify("swap", words=2, time=1), ("verify", "swap", "--words", "2", "--time", "1")),
    (lambda: arcproof.trace("swap", [2, 0], forms="a"), ("trace", "swap", "--heads", "2,0", "--forms", "a")),
    (lambda: arcproof.reach("swap", "head("), ("reach", "swap", "head(")),
    (lambda: arcproof.conform("arc-eager", log="x", gold="1"), ("conform", "arc-eager", "--log", "x", "--gold", "1")),
    (lambda: arcproof.evaluate("no", "no"), ("evaluate", "no", "no")),
    (lambda: arcproof.train("swap"), ("train", "swap", "-o", "model")),
]  # fmt: skip


@pytest.mark.parametrize(("call", "command"), MISTAKES, ids=[" ".join(command) for _, command in MISTAKES])
def test_a_mistake_raises_what_the_command_says(
    call: Callable[[], object], command: tuple[str, ...], arcproof: Any
) -> None:
    with pytest.raises(ArcproofError) as raised:
        call()

    done = arcproof(*command)
    assert (done.code, done.out) == (2, "")
    _, _, said = done.err.rpartition("\n\n") if done.err.startswith("Usage") else ("", "", done.err)
    assert said.removeprefix("error: ").rstrip("\n") == str(raised.value).rstrip("\n")


# --- documents -------------------------------------------------------------------------------------------------------

DOCUMENTS: list[tuple[Callable[[], Any], tuple[str, ...]]] = [
    (lambda: arcproof.check("covington[d=1]", "no.tsys"), ("check", "covington[d=1]", "no.tsys", "--json")),
    (lambda: arcproof.trace("swap", [2, 0]), ("trace", "swap", "--heads", "2,0", "--format", "json")),
    (
        lambda: verified(),
        ("verify", "arc-hybrid", "--words", "2", "--samples", "1", "--jobs", "1", "--engine", "interpreter", "--json", "-"),
    ),
    (
        lambda: arcproof.coverage("swap", treebank="artificial-test"),
        ("coverage", "swap", "--treebank", "artificial-test", "--json"),
    ),
]  # fmt: skip


@cache
def explored() -> Any:
    return arcproof.explore("arc-hybrid", words=2, **INTERPRETED)


@cache
def verified() -> Any:
    return arcproof.verify("arc-hybrid", words=2, samples=1, **ALONE)


@cache
def mutated() -> Any:
    return arcproof.mutate("arc-hybrid", words=1, **ALONE)


@cache
def refuted() -> Any:
    slip = arcproof.load("arc-hybrid").text.replace("add j -l-> i", "add i -l-> j", 1)
    return arcproof.verify(slip, words=2, samples=0, claims_only=True, **ALONE)


@pytest.mark.long
@pytest.mark.parametrize(("call", "command"), DOCUMENTS, ids=[command[0] for _, command in DOCUMENTS])
def test_the_document_is_that_of_the_command(call: Callable[[], Any], command: tuple[str, ...], arcproof: Any) -> None:
    found = call()

    assert without_times(found.to_json()) == without_times(arcproof(*command).out)
    assert len(repr(found)) < 2000
    assert len(repr(found).split("\n")) <= view.MOST_LINES + 1


def without_times(text: str) -> str:
    assert json.loads(text) is not None
    return re.sub(r'"(next_)?seconds": [0-9.e-]+', "", text).rstrip("\n")


def test_a_counterexample_is_said_and_drawn() -> None:
    found = refuted()

    assert "✗ sound projective trees: refuted, n = 2" in repr(found)
    assert found._repr_svg_().startswith("<svg")
    assert found._repr_html_().count("<svg") == 2
    assert verified()._repr_svg_() is None


# --- what is shown ---------------------------------------------------------------------------------------------------

CAPABILITIES = (Shown, WithDocument, WithTable, WithPicture, WithLatex)
HOSTILE = "<script>alert(1)</script>&\"'\x1b[2J"


def test_html_escapes_what_comes_from_files(tmp_path: Path) -> None:
    forms = [HOSTILE, "b"]
    traced = arcproof.trace("arc-eager", graph_of([2, 0], [HOSTILE, None]), forms=forms)
    file = tmp_path / "<b>.conllu"
    file.write_text((ROOT / "classifiers" / "treebanks" / "artificial-test.conllu").read_text(encoding="utf-8"))
    covered = arcproof.coverage("swap", treebank=file)
    figure = arcproof.load("arc-eager").text.replace('cite "', f'cite "{HOSTILE.replace(chr(34), "")[:-4]} ', 1)
    shown = [traced._repr_html_(), traced._repr_svg_(), covered._repr_html_(), arcproof.show(figure)._repr_html_()]

    for text in shown:
        assert "<script" not in text
        assert "<b>" not in text
        assert "\x1b" not in text
    assert "&lt;script" in shown[0]
    assert "&lt;b&gt;" in shown[2]


def test_a_table_in_a_notebook_is_bounded() -> None:
    page = mutated()._repr_html_()

    assert len(page) < 5000
    assert re.search(r"… and [0-9]+ more rows", page)
    assert "\x1b" not in repr(mutated())


def test_typeset_results_have_no_document_around_them() -> None:
    for result in (arcproof.show("swap"), arcproof.trace("swap", "2,0")):
        latex = result._repr_latex_()
        assert "documentclass" not in latex
        assert "document}" not in latex
        assert "\\begin{" in latex


def test_there_is_a_view_for_every_result() -> None:
    kinds = {
        kind
        for folder in ("arcproof", "transitions", "properties")
        for path in (ROOT / folder).rglob("*.py")
        if "from arcproof.process.shown import" in path.read_text(encoding="utf-8")
        for kind in vars(import_module(module_of(path))).values()
        if isinstance(kind, type) and issubclass(kind, CAPABILITIES) and kind not in CAPABILITIES
    }

    assert {kind.__qualname__ for kind in kinds} == set(views.VIEWS)
    for kind in kinds:
        view = views.view_of(kind)
        assert issubclass(kind, WithDocument) == (view.document is not None), kind
        assert issubclass(kind, WithTable) == (view.table is not None), kind
        assert issubclass(kind, WithPicture) == (view.pictures is not None), kind
        assert issubclass(kind, WithLatex) == (view.typeset is not None), kind


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts if parts[0] == "arcproof" else ("arcproof", *parts))


# --- tables ----------------------------------------------------------------------------------------------------------


def test_a_table_becomes_a_frame() -> None:
    pytest.importorskip("pandas")
    frame = verified().to_frame()

    assert list(frame["system"].unique()) == ["arc-hybrid"]
    assert list(frame["text"]) == [finding.text for finding in verified().systems[0].claims]
    assert list(explored().to_frame()["configurations"]) == [
        level.counted.configurations for level in explored().levels
    ]
    assert len(mutated().to_frame()) == mutated().reports[0].total
    steps = arcproof.trace("arc-standard", "2,0").to_frame()
    assert list(steps["transition"]) == ["SHIFT", "LEFT-ARC", "RIGHT-ARC", "SHIFT"]
    assert list(steps["sigma"]) == [[0, 1], [0], [], [0]]
    assert list(arcproof.list().to_frame()["name"]) == list(arcproof.list().names)
    assert ProvedSystems(()).to_frame().empty
    assert "claim" in ProvedSystems(()).to_frame().columns


@pytest.mark.parametrize(
    "call",
    [
        lambda: arcproof.train("swap", "artificial-test"),
        lambda: arcproof.experiment("swap", treebank="artificial", output="cells"),
    ],
)
def test_without_native_code_the_message_says_how_to_get_it(
    call: Callable[[], object], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(native, "IS_HERE", False)

    with pytest.raises(MissingPackage, match=re.escape(native.HOW_TO_MEND)):
        call()


def test_without_pandas_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)

    with pytest.raises(ArcproofError, match=re.escape(install("frames"))):
        explored().to_frame()


# --- what is given ---------------------------------------------------------------------------------------------------


def test_systems_are_names_paths_texts_or_objects(tmp_path: Path) -> None:
    file = tmp_path / "mine.tsys"
    file.write_text(arcproof.load("swap").text, encoding="utf-8")
    given = ["swap", file, str(file), arcproof.load("swap").text, arcproof.load("swap")]

    assert {str(file.system) for file in arcproof.check(*given).files} == {str(arcproof.show("swap"))}
    assert [len(arcproof.trace(one, [2, 0]).derivation) for one in given] == [4] * 5


def test_what_is_wrong_with_a_specification_is_a_result() -> None:
    found = arcproof.check("swap", arcproof.load("swap").text.replace("default SHIFT", "default SHFT"))

    assert found.exit_code == 2
    assert [file.is_sound for file in found.files] == [True, False]
    assert [problem.message for problem in found.files[1].problems] == ["there is no transition SHFT"]
    assert [one["problems"][0]["line"] for one in json.loads(found.files[1].to_json())] == [
        found.files[1].problems[0].where.line
    ]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"heads": (2, "x")}, "heads are written 2,0,2"),
        ({"heads": ["2", "0"]}, "heads are written 2,0,2"),
        ({"heads": 2}, "heads are written 2,0,2"),
        ({"heads": [2.0, 0]}, "heads are written 2,0,2"),
        ({"heads": [True, 0]}, "heads are written 2,0,2"),
        ({"heads": [2, 0], "forms": 5}, "forms are given as one text or as a list of texts, not as 5"),
        ({"heads": [2, 0], "forms": ["a", 5]}, "forms are given"),
        ({"heads": "2,0", "labels": [None, "a"]}, "labels are given"),
        ({"heads": [2, 0], "labels": 5}, "labels are given"),
        ({"heads": [2, 0], "labels": ["a"]}, "--labels has 1 entry, --heads 2"),
        ({"arcs": 5}, "arcs are written"),
        ({"conllu": 5}, "a file is given by its name or path, not as 5"),
    ],
)
def test_what_cannot_be_a_gold_graph_is_refused(given: Any, message: str) -> None:
    for function in (arcproof.trace, arcproof.oracle):
        with pytest.raises(ArcproofError, match=re.escape(message)):
            function("arc-eager", **given)


def test_a_specification_is_written_where_it_is_asked_for(tmp_path: Path) -> None:
    text = arcproof.new("mine", output=tmp_path / "mine.tsys")

    assert arcproof.load(tmp_path / "mine.tsys").text == text
    with pytest.raises(ArcproofError, match="exists already"):
        arcproof.new("mine", output=tmp_path / "mine.tsys")


def test_nothing_that_is_read_is_overwritten(tmp_path: Path) -> None:
    """Specifications were, by the model of `train` and by `export`."""
    file, text = tmp_path / "mine.tsys", arcproof.load("swap").text
    file.write_text(text, encoding="utf-8")
    for call in (
        lambda: arcproof.train(file, "artificial-test", output=file),
        lambda: arcproof.train(arcproof.load(file), "artificial-test", output=file),
        lambda: arcproof.export(file, to="promela", words=1, output=file),
        lambda: arcproof.prove(file, certificates=file),
    ):
        with pytest.raises(ArcproofError):
            call()
    with pytest.raises(ArcproofError, match="standard output"):
        arcproof.train(file, "artificial-test", output="-")

    assert file.read_text(encoding="utf-8") == text


@pytest.mark.process
@pytest.mark.parametrize("driver", [ArcEager, ArcEager(), "tests.testing.drivers:ArcEager"])
def test_drivers_are_classes_objects_or_names(driver: object) -> None:
    found = arcproof.conform("arc-eager", driver, words=1, samples=0)

    assert isinstance(found, Conformance)
    assert found.exit_code == 0
    assert len(repr(found)) < 300
    assert json.loads(found.to_json())["conforms"] is True


def test_a_log_is_checked_against_a_figure(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("SHIFT RIGHT-ARC\nSHIFT SHIFT\n", encoding="utf-8")
    found = arcproof.conform("arc-standard", log=log, words=1)

    assert isinstance(found, LogCheck)
    assert found.exit_code == 1
    assert repr(found).startswith(f"{log} against arc-standard: 2 sentences")
    assert len(found._repr_html_()) < 5000


@pytest.mark.process
def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys; before = set(sys.modules); import arcproof; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert set(done.stdout.split()) == {"arcproof", "arcproof._version"}


@pytest.mark.solver
@pytest.mark.process
def test_proofs_are_short(tmp_path: Path) -> None:
    file = tmp_path / "mine.tsys"
    arcproof.new("mine", output=file)
    found = arcproof.prove(file, claim="length", jobs=1, no_cache=True)

    assert found.exit_code == 0
    assert repr(found).startswith("mine: 1 of 1 theorem proved")
    assert len(found._repr_html_()) < 5000
    assert json.loads(found.to_json())["systems"][0]["theorems"][0]["verdict"] == "proved"
    assert len(repr(found.theorems[0])) < 500


@pytest.mark.compiler
def test_a_parser_is_trained_and_parses_without_files() -> None:
    trained = arcproof.train("arc-standard", "artificial-test", epochs=1)
    parsed = arcproof.parse(trained, "artificial-test")

    assert json.loads(trained.to_json())["sentences"] == 100
    assert parsed.text is not None
    assert parsed.text.count("\n\n") == 100
    assert repr(parsed).startswith("artificial-test: 100 sentences, 916 words")


@pytest.mark.compiler
def test_an_experiment_is_a_table(tmp_path: Path) -> None:
    found = arcproof.experiment("arc-standard", treebank="artificial", output=tmp_path, sentences=20)

    assert found.exit_code == 0
    assert repr(found).startswith("arc-standard on artificial: LAS ")
    assert [row["variant"] for row in views.view_of(type(found)).rows(found)] == ["arc-standard"]
    assert json.loads(found.to_json()) == json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("required", "code"),
    [((), 0), (("sampled",), 0), ((arcproof.Verdict.EXHAUSTED,), 0), (("exhausted",), 0), (("proved",), 3)],
)
def test_the_exit_code_of_a_report_takes_the_verdict_that_is_required_as_text_too(
    required: tuple[str | arcproof.Verdict, ...], code: int
) -> None:
    report = arcproof.verify("arc-hybrid", words=2, samples=0, proofs="none", **ALONE)
    assert report.exit_code(*required) == code


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: arcproof.load(None), "a system is given by its name, or by the path or the text .*, not as None"),  # type: ignore[arg-type]
        (lambda: arcproof.load(b"abc"), "not as b'abc'"),  # type: ignore[arg-type]
        (lambda: arcproof.reach("swap", 5), "condition is given as text, not as 5"),  # type: ignore[arg-type]
        (lambda: arcproof.why("swap", 5), "transition is given as text, not as 5"),  # type: ignore[arg-type]
        (lambda: arcproof.new(5), "name is given as text, not as 5"),  # type: ignore[arg-type]
        (lambda: arcproof.trace("swap", "2,0,2", oracle=5), "oracle is given as text, not as 5"),  # type: ignore[arg-type]
        (lambda: arcproof.explore("swap", words=2, jobs=1.5), "`1.5` is not a whole number"),  # type: ignore[arg-type]
    ],
)
def test_what_is_of_the_wrong_kind_is_a_mistake_in_what_is_given(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ArcproofError, match=message):
        call()

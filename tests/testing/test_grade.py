"""`arcproof grade`: right, wrong, broken and hostile submissions, the rule for points, reports and exit codes."""

import html
import json
import re
import shlex
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from arcproof.properties.conformance.divergence import Kind
from arcproof.properties.conformance.grades import Grade, Outcome, PointsRule, Submission, exit_code, points_of
from arcproof.properties.conformance.tasks import Aim, DriverTask, Performance
from arcproof.transitions.system import load

from arcproof.commands import grading
from arcproof.commands.grading import BadResult, GradingLimits, grades, read_result
from arcproof.commands.submissions import files_in, submissions_of
from arcproof.documents import schema_of
from arcproof.documents.grade import document
from arcproof.documents.wire import json_text
from arcproof.reports.conformance import compared_lines
from arcproof.reports.grades import Coursework, table_html, table_markdown, to_html, to_markdown
from tests.in_process import Result
from tests.testing.students import ALL_NAMES, DRIVER, RIGHT, STUBS, mistaken, parse_step

Command = Callable[..., Result]

WRONG = RIGHT.replace("self.stack.pop()))", "self.stack[-1]))\n            self.stack.pop(-2)")
SHOUTS = RIGHT.replace(
    "        if transition",
    "        import sys; print('x' * 10**6); print('error: 10 points', file=sys.stderr)\n"
    "        raise ValueError('<script>alert(1)</script>\\x1b[2J|`x`\\n```')\n        if transition",
)
DEAF = "import time\nwhile True:\n    try:\n        time.sleep(9)\n    except BaseException:\n        pass\n"
LIMITS = GradingLimits(words=2, samples=0, seed=0, seconds=20, call_seconds=2, memory=2**32)


def graded(source: str, limits: GradingLimits = LIMITS) -> Grade:
    """The grade of a file with this text."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "solution.py")
        path.write_text(source, encoding="utf-8")
        (found,) = grades("arc-standard-stack", submissions_of([str(path)], None), PointsRule(), limits)
        return found[1]


@cache
def known(source: str) -> Grade:
    return graded(source)


# --- the rule --------------------------------------------------------------------------------------------------------


def performance(aim: Aim, right: int = 3, wrong: int = 0, is_telling: bool = True) -> Performance:
    return Performance(DriverTask(aim), right, wrong, is_telling)


DONE = performance("ends")
LOST = performance("output", wrong=1)


@pytest.mark.parametrize(
    ("outcome", "tasks", "points"),
    [
        ("diverges", (DONE, LOST), 5),
        ("diverges", (DONE, DONE, LOST), 6),
        ("diverges", (DONE, performance("ends", is_telling=False)), 5),
        ("diverges", (DONE, performance("ends", right=0)), 5),
        ("diverges", (LOST,), 0),
        ("diverges", (), 0),
        ("diverges", (DONE,), 9),
        ("conforms", (DONE, performance("permits", right=0, is_telling=False)), 10),
        ("conforms", (DONE, performance("cost", right=0)), 5),
        ("conforms", (), 10),
        ("failed", (DONE,), 0),
        ("open", (DONE,), None),
    ],
)
def test_each_task_that_is_done_earns_its_share(
    outcome: Outcome, tasks: tuple[Performance, ...], points: int | None
) -> None:
    assert points_of(PointsRule(10), outcome, tasks) == points


def test_exit_codes() -> None:
    submission = Submission("a.py", "a")
    right, wrong, failed, left = (
        Grade(submission, outcome, None, 0.0) for outcome in ("conforms", "diverges", "failed", "open")
    )

    assert exit_code((right, right)) == 0
    assert exit_code((right, left, wrong)) == exit_code((failed,)) == 1
    assert exit_code((right, left)) == 3


# --- which class, which name -----------------------------------------------------------------------------------------


def test_reports_have_names_of_their_own(tmp_path: Path) -> None:
    given = [
        str(tmp_path / name) for name in ("alice/solution.py", "bob/solution.py", "bob/solution.PY.py", "grades.py")
    ]
    names = [one.name for one in submissions_of([*given, "../x y.py", "mod:Class"], "C")]

    assert len({name.lower() for name in names}) == len(names)
    assert "grades" not in names
    assert all(set(name) <= set(map(chr, range(33, 127))) - set("/\\: ") for name in names)
    for place in ("Zoé", "Zoë", "李明", "דנה־כהן"):
        (one,) = submissions_of([f"{unicodedata.normalize('NFD', place)}.py:A"], None)
        assert one.name == place.replace("־", "-")
    (one,) = submissions_of(["\udcff😀<b>\x00.py:A"], None)
    assert one.name == "b"
    (one,) = submissions_of([f"{'明' * 250}.py:A"], None)
    assert one.name == "明" * 40
    assert [one.name for one in submissions_of(given[:2], "C")] == ["alice-solution", "bob-solution"]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("class A:\n def parse_step(self, t): pass\nclass B: pass\n", ":A"),
        ("class A:\n def permissible(self, c): pass\n", ":A"),
        ("class Base: pass\nclass PartialParse(Base): pass\n", ":PartialParse"),
        ("class A:\n def parse_step(self): pass\nclass B:\n def parse_step(self): pass\n", "several classes"),
        ("x = 1\n", "no class with the method parse_step"),
        ("class A(\n", "it is not Python"),
        ("\0", "null bytes"),
        ("(" * 5000, "it is"),
    ],
)
def test_the_class_is_found_without_running_anything(tmp_path: Path, source: str, found: str) -> None:
    path = tmp_path / "s.py"
    path.write_text(source, encoding="utf-8")
    (submission,) = submissions_of([str(path)], None)

    assert found in (submission.reference or submission.problem)
    assert bool(submission.reference) != bool(submission.problem)


# --- submissions -----------------------------------------------------------------------------------------------------


@pytest.mark.process
def test_one_that_conforms() -> None:
    found = known(RIGHT)

    assert (found.outcome, found.points, found.shortfalls) == ("conforms", 10, ())
    assert sum(one.cases for one in found.looked) > 0


@pytest.mark.process
def test_one_that_diverges_and_its_reports() -> None:
    found = known(WRONG)
    course = Coursework(load("arc-standard-stack"), PointsRule())
    markdown, page = to_markdown(course, found), to_html(course, found)

    assert (found.outcome, found.points) == ("diverges", 6)
    first = found.shortfalls[0]
    assert (first.kind, first.words, first.run) == (Kind.STATE, 1, ("SHIFT", "RIGHT-ARC"))
    assert shlex.split(first.replay)[-4:] == ["--replay", "SHIFT RIGHT-ARC", "--words", "1"]
    assert "6 of 10 points" in markdown
    assert "ROOT  1\n" in markdown
    assert "RIGHT-ARC    [0]       []         (0, 1)" in markdown
    assert first.replay in markdown
    assert "<svg" in page
    assert "| what RIGHT-ARC does |" in markdown
    assert "Here 2 of 3 tasks earned their share." in page
    assert '<th scope="row">what RIGHT-ARC does</th>' in page


ARCS_AND_SHIFT = ("LEFT-ARC", "RIGHT-ARC", "SHIFT")
THREE = replace(LIMITS, words=3)


@pytest.mark.process
@pytest.mark.parametrize("source", STUBS.values(), ids=STUBS)
def test_a_stub_earns_nothing(source: str) -> None:
    assert graded(source, replace(LIMITS, words=3, samples=5)).points == 0


@pytest.mark.process
@pytest.mark.parametrize(
    ("source", "points", "lost"),
    [
        (DRIVER, 10, []),
        (mistaken("if stack[-2] == 0 else", "if stack[-1] == 0 else"), 8, ["permits LEFT-ARC"]),
        (mistaken('["SHIFT"] if buffer else []', '["SHIFT"]'), 8, ["permits SHIFT"]),
        (
            mistaken("return found", f"return {ALL_NAMES}"),
            6,
            ["permits LEFT-ARC", "permits RIGHT-ARC", "permits SHIFT"],
        ),
        (mistaken('-2 if t == "LEFT-ARC" else -1', "-1"), 8, ["does LEFT-ARC"]),
        (mistaken('-2 if t == "LEFT-ARC" else -1', "-2"), 7, ["does RIGHT-ARC", "output"]),
        (mistaken("not c[1] and len(c[0]) == 1", "False"), 7, ["ends", "output"]),
        (mistaken("[c[2].get(word) ", "[0 "), 8, ["output"]),
        (
            mistaken("(self, c):\n        return [c[2]", "(self, c):\n        raise KeyError\n        return [c[2]"),
            8,
            ["output"],
        ),
        (mistaken("return [c[2].get(word) ", "[c[2].get(word) "), 8, ["output"]),
        (mistaken("return [c[2].get(word) ", "return ['0' "), 8, ["output"]),
        (
            mistaken('return {"σ": c[0], "β": c[1]}', "pass"),
            6,
            ["does LEFT-ARC", "does RIGHT-ARC", "does SHIFT"],
        ),
        (
            mistaken("        return found", "        found"),
            1,
            [f"does {name}" for name in ARCS_AND_SHIFT] + [f"permits {name}" for name in ARCS_AND_SHIFT] + ["output"],
        ),
        (DRIVER + "    def oracle(self, heads):\n        pass\n", 8, ["oracle"]),
        (DRIVER + "    def oracle(self, heads):\n        return ['POP']\n", 8, ["oracle"]),
        (RIGHT, 10, []),
        (
            mistaken('elif transition == "LA":', 'elif transition == "LA":\n            raise KeyError', RIGHT),
            6,
            ["does LEFT-ARC"],
        ),
        (
            parse_step("self.stack.append(self.buffer.pop(0)) if transition == 'S' else None"),
            3,
            ["does LEFT-ARC", "does RIGHT-ARC"],
        ),
        (parse_step("self.stack.append(self.buffer.pop())"), 0, ["does LEFT-ARC", "does RIGHT-ARC", "does SHIFT"]),
    ],
)
def test_a_mistake_costs_the_tasks_that_it_spoils(source: str, points: int, lost: list[str]) -> None:
    found = graded(source, THREE)

    assert (
        found.points,
        [f"{one.task.aim} {one.task.transition}".strip() for one in found.tasks if not one.is_done],
    ) == (
        points,
        lost,
    )


@pytest.mark.process
def test_a_driver_of_another_figure_is_noted(arcproof: Command, tmp_path: Path) -> None:
    for name, figure in {"same": "arc-standard-stack", "other": "arc-eager", "none": None}.items():
        declares = mistaken("class Driver:", f"class Driver:\n    figure = {figure!r}")
        (tmp_path / f"{name}.py").write_text(declares, encoding="utf-8")
    done = arcproof("grade", "arc-standard-stack", ".", "-o", "out", "--words=1", "--samples=0")

    assert done.err == "note: other.py declares the figure arc-eager; it is compared with arc-standard-stack\n"


def test_a_file_that_is_given_twice_is_graded_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(RIGHT, encoding="utf-8")
    files = [str(tmp_path / "a.py"), f"{tmp_path}/../{tmp_path.name}/a.py", str(tmp_path), f"{tmp_path}/a.py:B"]

    assert files_in(files) == [str(tmp_path / "a.py"), f"{tmp_path}/a.py:B"]


@pytest.mark.process
def test_a_report_says_where_the_oracle_lost_the_tree_and_causes_come_first() -> None:
    oracle = """
    def oracle(self, heads):
        c = self.start(len(heads))
        while not self.is_terminal(c):
            t = self.permissible(c)[-1]
            yield t
            c = self.apply(c, t)
"""
    course = Coursework(load("arc-standard-stack"), PointsRule())
    found = graded(mistaken("-2 if t ==", "0 if t ==") + oracle, THREE)
    report = to_markdown(course, graded(DRIVER + oracle, THREE))

    assert "After transition 2, RIGHT-ARC, the gold tree can no longer be derived." in report
    assert [one.follows for one in found.shortfalls] == sorted(one.follows for one in found.shortfalls)


@pytest.mark.process
def test_a_report_is_in_the_words_of_the_assignment() -> None:
    course = Coursework(load("arc-standard-stack"), PointsRule())

    for text in (to_markdown(course, known(WRONG)), html.unescape(to_html(course, known(WRONG)))):
        assert 'apply(RIGHT-ARC): parse_step("RA")' in text.replace("\\", "")
        assert "the driver: the submission, as it is called by arcproof" in text
    assert "parse_step" not in to_markdown(course, graded(mistaken("[c[2].get(word) ", "[0 ")))


def test_advice_for_the_teacher_is_not_in_the_report(arcproof: Command, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    done = arcproof("grade", "arc-standard-stack", "a.py", "-o", "out")

    assert "note: a.py: it has no class with the method parse_step" in done.err
    assert "--class" in done.err
    assert "--class" not in (tmp_path / "out" / "a.md").read_text(encoding="utf-8")


@pytest.mark.process
def test_a_submission_that_shows_nothing_is_reported_so() -> None:
    shy = DRIVER.partition("    def components")[0]
    found = graded(shy)
    course = Coursework(load("arc-standard-stack"), PointsRule())

    assert (found.outcome, found.points) == ("conforms", 10)
    for text in (to_markdown(course, found), to_html(course, found)):
        assert "shows neither its state nor an output, so what its transitions do was not compared" in text
    assert "shows neither its state nor an output" in table_markdown(course, [found])
    assert "shows neither" not in to_markdown(course, known(RIGHT))


@pytest.mark.process
@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import os; os._exit(0)\n" + RIGHT, "exit code 0 and gave no result"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)\n" + RIGHT, "signal 11 and gave no result"),
        ("x = bytearray(2**40)\n" + RIGHT, "cannot be imported"),
    ],
)
def test_one_that_gives_no_result(source: str, reason: str) -> None:
    found = graded(source)

    assert (found.outcome, found.points) == ("failed", 0)
    assert reason in found.reason


@pytest.mark.process
def test_one_that_cannot_be_interrupted_is_ended() -> None:
    found = graded(DEAF + RIGHT, replace(LIMITS, seconds=4.0, grace=1.0))

    assert (found.outcome, found.points) == ("failed", 0)
    assert "it did not finish and was killed after " in found.reason


@pytest.mark.process
def test_one_that_is_never_imported() -> None:
    found = graded("while True: pass\n" + RIGHT, replace(LIMITS, seconds=2.0))

    assert (found.outcome, found.points, found.reason) == ("failed", 0, "it was not imported within 2 s")


@pytest.mark.process
@pytest.mark.parametrize(("source", "outcome", "points"), [(RIGHT, "open", None), (WRONG, "diverges", 3)])
def test_one_that_is_cut_off_is_told_so(source: str, outcome: str, points: int | None) -> None:
    slow = mistaken(
        "    def parse_step(self, transition):",
        "    def parse_step(self, transition):\n        import time; time.sleep(0.3)",
        source,
    )
    found = graded(slow, replace(LIMITS, seconds=2.0, words=6))
    course = Coursework(load("arc-standard-stack"), PointsRule())

    assert (found.outcome, found.points) == (outcome, points)
    for text in (to_markdown(course, found), to_html(course, found)):
        assert "not everything was compared within the 2 s that a submission may take" in text


HANGS = mistaken("        stack, buffer, _ = c\n", "        while True: pass\n        stack, buffer, _ = c\n")


@pytest.mark.process
@pytest.mark.parametrize(
    ("source", "compared"),
    [
        (
            parse_step("while True: pass"),
            [
                "lockstep: 4 runs, all that both take up to 3 words",
                "lockstep: nothing was compared at random up to 10 words",
                "lockstep: 1 run with 4 words, and no more, because a method did not answer",
            ],
        ),
        (
            HANGS + "    def oracle(self, heads):\n        return ['SHIFT', 'RIGHT-ARC']\n",
            [
                "lockstep: 4 runs, all that both take up to 3 words",
                "lockstep: nothing was compared at random up to 10 words",
                "lockstep: nothing was compared with 4 words because a method did not answer",
                "oracle: nothing was compared at random up to 10 words",
                "oracle: nothing was compared with 1 to 4 words because a method did not answer",
            ],
        ),
    ],
)
def test_only_what_was_compared_is_said_to_be(source: str, compared: list[str]) -> None:
    found = graded(source, replace(LIMITS, words=4, samples=9, call_seconds=0.1))

    assert list(compared_lines(found.looked, True)) == compared


@pytest.mark.process
def test_what_a_submission_says_means_nothing_in_any_report() -> None:
    found = known(SHOUTS)
    course = Coursework(load("arc-standard-stack"), PointsRule())
    nasty = replace(found, submission=Submission("<b>|`a`\x1b[2J.py", "a"))

    assert (found.outcome, found.points) == ("diverges", 0)
    for text in (to_html(course, nasty), table_html(course, [nasty])):
        assert "<script>alert" not in text
        assert "<b>|" not in text
    for text in (to_markdown(course, nasty), table_markdown(course, [nasty])):
        assert "\x1b" not in text
        assert "<script>" not in text
        assert "<b>" not in text


@pytest.mark.process
def test_a_verdict_that_the_exit_code_contradicts_is_not_believed() -> None:
    source = (
        "import atexit, os, sys\n"
        "place = sys.argv[sys.argv.index('--json') + 1]\n"
        'text = \'{"divergences": [], "looked": [], "tasks": [], "conforms": true, "note": null}\'\n'
        "open(place, 'w').write(text)\n"
        "os._exit(7)\n"
    )

    assert graded(source + RIGHT).outcome == "failed"


# --- results that are not what they should be ------------------------------------------------------------------------

LOOKED = {"part": "runs", "words": 2, "cases": 3, "way": "all"}
WRITTEN = {
    "kind": "state differs", "detail": None, "words": 1, "run": ["SHIFT"], "text": "is wrong", "follows": False,
    "drawn": False, "counts": [{"name": None, "count": 2}], "replay": "arcproof conform a.py:A", "gold": [0],
}  # fmt: skip


TASK = {"aim": "does", "transition": "SHIFT", "right": 3, "wrong": 0, "done": True}


def written(path: Path, **changed: object) -> Path:
    divergence = {**WRITTEN, **{name: value for name, value in changed.items() if name not in TASK}}
    task = {**TASK, **{name: value for name, value in changed.items() if name in TASK}}
    document = {"divergences": [divergence], "looked": [LOOKED], "tasks": [task], "conforms": False, "note": None}
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "changed",
    [
        {"gold": [7]}, {"gold": [1]}, {"gold": ["0"]}, {"gold": 3}, {"words": 10**9}, {"words": True}, {"kind": "odd"},
        {"run": [1]}, {"counts": None}, {"counts": [{"count": -1}]}, {"replay": None}, {"text": "x" * 10**5},
        {"labels": ["a", "b"]}, {"aim": "wins"}, {"transition": 3}, {"right": -1}, {"wrong": None},
    ],
)  # fmt: skip
def test_a_result_that_does_not_fit_is_ignored(tmp_path: Path, changed: dict[str, object]) -> None:
    assert read_result(written(tmp_path / "right.json"))[0] == "diverges"
    with pytest.raises(BadResult):
        read_result(written(tmp_path / "a.json", **changed))


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "[" * 100_000, "\udc80", "1" * 5000])
def test_what_is_not_a_result_at_all(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BadResult):
        read_result(path)


@pytest.mark.parametrize(
    "changed",
    [
        {"run": ["JUMP"]}, {"run": ["\ud800", "</script><b>"]}, {"replay": "\ud800\x1b[2J</code><b>"},
        {"text": "\ud800<b>|", "detail": "<b>\ud800"}, {"labels": ["\ud800<b>"]}, {"run": ["RIGHT-ARC"]}, {"transition": "\ud800<b>|"},
    ],
)  # fmt: skip
def test_whatever_a_result_says_there_are_reports(tmp_path: Path, changed: dict[str, object]) -> None:
    outcome, looked, shortfalls, tasks, reason = read_result(written(tmp_path / "a.json", **changed))
    (submission,) = submissions_of(["\udcff<b>.py:A"], None)
    found = Grade(submission, outcome, 7, 1.0, reason, looked, shortfalls, tasks)
    course = Coursework(load("arc-standard-stack"), PointsRule())
    texts = [to_html(course, found), to_markdown(course, found), table_html(course, [found])]
    texts += [table_markdown(course, [found]), json_text(document(course.system, course.rule, [found]))]

    for text in texts:
        text.encode("utf-8")
    for text in texts[:1] + texts[2:3]:
        assert "<b>.py" not in text
        assert "</code><b>" not in text


def test_what_was_not_reached_when_it_is_ended_is_open(
    arcproof: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(_: str, submissions: list[Submission], *_limits: object) -> Iterator[tuple[int, Grade]]:
        yield 2, Grade(submissions[2], "conforms", 10, 0.1)
        raise KeyboardInterrupt

    monkeypatch.setattr(grading, "grades", ended)
    for name in "abc":
        (tmp_path / f"{name}.py").write_text(RIGHT, encoding="utf-8")
    done = arcproof("grade", "arc-standard-stack", "a.py", "b.py", "c.py", "-o", "out")

    assert done.code == 3
    assert "3 submissions (1 conforms, 2 open)" in done.out
    report = (tmp_path / "out" / "a.md").read_text(encoding="utf-8")
    assert report.startswith("# a.py: open of 10 points")
    assert "grading ended before this submission was compared: interrupted" in report
    assert (tmp_path / "out" / "c.md").read_text(encoding="utf-8").startswith("# c.py: 10 of 10 points")


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.process
def test_a_course(arcproof: Command, tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    for name, source in {"right": RIGHT, "wrong": WRONG, "broken": "class PartialParse("}.items():
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    files = [str(tmp_path / f"{name}.py") for name in ("broken", "wrong", "right")]
    out = tmp_path / "out"
    done = arcproof("grade", "arc-standard-stack", *files, "-o", str(out), "--words", "2", "--samples", "0")

    assert done.code == 1, done.err
    assert done.out.startswith("arc-standard-stack: 3 submissions (1 conforms, 1 diverges, 1 failed)\n")
    document = json.loads((out / "grades.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, json.loads(schema_of("grade")))
    assert [one["points"] for one in document["submissions"]] == [0, 6, 10]
    reports = {path.name for path in out.iterdir()}
    names = ("grades", "broken", "wrong", "right")
    assert reports == {f"{name}.{ending}" for name in names for ending in ("md", "html", "json")}
    assert "[" in (out / "grades.md").read_text(encoding="utf-8")
    jsonschema.validate(json.loads((out / "wrong.json").read_text(encoding="utf-8")), json.loads(schema_of("grade")))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["arc-standard-stack", "no.py", "-o", "x"], "no.py: there is no such file"),
        (
            ["arc-standard-stack", __file__, "-o", __file__],
            "is a file, not a folder; give the name of a folder",
        ),
        (["no-such-system", __file__, "-o", "x"], "no-such-system"),
        (["arc-standard-stack", __file__, "-o", "x", "--memory", "1M"], "at least 512M"),
        (["arc-standard-stack", "-o", "x"], "SUBMISSIONS"),
        (
            ["swap", "a.py", "-o", "x"],
            "a.py: PartialParse has parse_step, whose transitions are those of arc-standard-stack",
        ),
        (["arc-eager", "a.py:PartialParse", "-o", "x"], "grade it with that figure, not with arc-eager"),
        (["arc-standard-stack", "solution", "-o", "x"], "solution: there is no such file or folder; a submission is"),
        (["arc-standard-stack", "solution.txt", "-o", "x"], "solution.txt: there is no such file or folder"),
        (["arc-standard-stack", "a.txt", "-o", "x"], "a.txt: the name of a submission ends in .py; rename the file"),
        (["arc-standard-stack", "empty", "-o", "x"], "empty: there are no Python files in this folder; give files"),
        (["arc-standard-stack", "none.py:Driver", "-o", "x"], "none.py: there is no such file"),
        (
            ["arc-standard-stack", "a.py:PartialParsed", "-o", "x"],
            "the file has no class PartialParsed; did you mean PartialParse?",
        ),
        (
            ["arc-standard-stack", "a.py", "b.py", "-o", "x", "--class", "Pars"],
            "--class Pars: no file has this class; there is PartialParse",
        ),
        (
            ["arc-standard-stack", "a.py", "-o", "x", "--class", "Other"],
            "--class Other: the file has no class Other; there is PartialP",
        ),
        (["arc-standard-stack", "no_such.module:Driver", "-o", "x"], "there is no module `no_such.module`"),
        (["arc-standard-stack", "json.no_such:Driver", "-o", "x"], "there is no module `json.no_such`"),
    ],
)
def test_wrong_usage(arcproof: Command, tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "empty").mkdir()
    for name in "ab":
        (tmp_path / f"{name}.py").write_text(f"import json\n{RIGHT}", encoding="utf-8")
    (tmp_path / "a.txt").write_text(RIGHT, encoding="utf-8")
    done = arcproof("grade", *arguments)

    assert done.code == 2
    assert message in done.err
    assert not (tmp_path / "x").exists()


def test_a_folder_stands_for_the_files_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "handed-in"
    (folder / "more").mkdir(parents=True)
    for name in ("b.py", "a.py", "_helper.py", ".hidden.py", "notes.txt", "more/c.py"):
        (folder / name).write_text(RIGHT, encoding="utf-8")

    assert files_in([str(folder), "json.decoder:JSONDecoder", "nltk"]) == [
        *(str(folder / name) for name in ("a.py", "b.py")),
        "json.decoder:JSONDecoder",
        "nltk",
    ]


@pytest.mark.parametrize(
    "source",
    ["class A: pass", "from json import *", "from json import JSONDecoder as A", "if 1:\n    A = type('A', (), {})"],
)
def test_a_class_that_one_of_the_files_may_have_is_asked_for(tmp_path: Path, source: str) -> None:
    for name, text in {"has": source, "lacks": RIGHT, "broken": "class ("}.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    has, lacks, broken = submissions_of([str(tmp_path / f"{name}.py") for name in ("has", "lacks", "broken")], "A")

    assert has.reference.endswith("has.py:A")
    assert lacks.problem == "the file has no class A; there is PartialParse"
    assert broken.problem.startswith("it is not Python")


@pytest.mark.process
def test_nothing_of_a_submission_reaches_another_or_the_working_directory(arcproof: Command, tmp_path: Path) -> None:
    leaves = f"{RIGHT}\nimport os; assert not os.path.exists('left'); open('left', 'w').write('x')\n"
    sources = {
        "random": leaves,  # also the name of a library
        "more": leaves,
        "copies": "from more import PartialParse as Right\nclass PartialParse(Right):\n    pass\n",
        "helped": f"import random\nfrom _helper import N\n{RIGHT}\nassert random.random() < N\n",
    }
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "_helper.py").write_text("N = 1", encoding="utf-8")
    for name, source in sources.items():
        (tmp_path / "in" / f"{name}.py").write_text(source, encoding="utf-8")
    done = arcproof("grade", "arc-standard-stack", "in", "-o", "out", "--words=2", "--samples=0", "--jobs=2")

    rows = [line.split(maxsplit=4) for line in done.out.splitlines()[2:]]
    assert [(row[0], row[1]) for row in rows] == [
        (f"in/{name}.py", points)
        for name, points in (("copies", "0"), ("helped", "10"), ("more", "10"), ("random", "10"))
    ]
    assert "in/copies.py cannot be imported: ModuleNotFoundError: more is another submission" in done.out
    assert {path.name for path in tmp_path.iterdir()} == {"in", "out"}


@pytest.mark.process
def test_a_case_is_shown_again_from_where_grading_was_started(arcproof: Command, tmp_path: Path) -> None:
    (tmp_path / "my figure.tsys").write_text(load("arc-standard-stack").text, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    arcproof("grade", "my figure.tsys", "wrong.py", "-o", "out", "--words=1", "--samples=0")
    found = json.loads((tmp_path / "out" / "wrong.json").read_text(encoding="utf-8"))
    command = found["submissions"][0]["divergences"][0]["replay"]

    assert shlex.split(command)[:4] == ["arcproof", "conform", "my figure.tsys", "wrong.py:PartialParse"]
    assert arcproof(*shlex.split(command)[1:]).code == 1


@pytest.mark.process
def test_reports_are_the_same_with_any_number_of_jobs(arcproof: Command, tmp_path: Path) -> None:
    sources = {"slow": f"import time; time.sleep(1)\n{RIGHT}", "wrong": WRONG, "broken": "class (", "right": RIGHT}
    for name, source in sources.items():
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")

    def reports(jobs: int) -> tuple[str, dict[str, str]]:
        files = [f"{name}.py" for name in sources]
        done = arcproof(
            "grade", "arc-standard-stack", *files, "-o", f"out{jobs}", "--words=2", "--samples=0", f"--jobs={jobs}"
        )
        return done.out, {path.name: untimed(path) for path in (tmp_path / f"out{jobs}").iterdir()}

    assert reports(1) == reports(3)


def untimed(path: Path) -> str:
    return re.sub(r'"seconds": [0-9.]+', "", path.read_text(encoding="utf-8"))

"""What stops somebody who writes a figure for the first time, each once, from the command line."""

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from arcproof.properties.evidence import Cases, Exhausted, Open, Underived
from arcproof.properties.finding import Finding
from arcproof.reports.scope import not_done
from arcproof.reports.sentences import short_text
from arcproof.transitions.graph import graph_of
from arcproof.transitions.system import load
from tests.conftest import ROOT, Result

Run = Callable[..., Result]
INTERPRETED = ("--words", "3", "--samples", "0", "--engine", "interpreter", "--proofs", "none", "--claims-only")
EAGER = (ROOT / "transitions" / "systems" / "arc-eager.tsys").read_text(encoding="utf-8")


def write(path: Path, *changes: tuple[str, str], text: str = EAGER) -> None:
    """A specification with these changes, each in one place."""
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def test_a_name_that_an_oracle_line_does_not_use_is_a_warning(arcproof: Run, tmp_path: Path) -> None:
    write(tmp_path / "mine.tsys", ("if head(i), not exists k in j|β: gold i -> k", "if head(i)"))
    result = arcproof("check", "mine.tsys")
    assert result.code == 0
    assert result.out.startswith("mine.tsys: ok: system arc-eager")
    assert "mine.tsys:23:25: warning: j is not used\n" in result.err
    assert "  help: write _ for a node that only has to be present" in result.err
    assert arcproof("trace", "mine.tsys", "--heads", "2,0,2", "--oracle", "reduce-early").code == 0


def test_a_claim_names_another_figure_as_seen_from_its_own(arcproof: Run, tmp_path: Path) -> None:
    folder = tmp_path / "figures"
    (folder / "others").mkdir(parents=True)
    write(folder / "others" / "theirs.tsys")
    claims = "\n    equivalent to others/theirs.tsys\n    like others/theirs.tsys on projective trees"
    write(folder / "mine.tsys", ("\n    incremental\n", f"\n    incremental{claims}\n"))
    write(folder / "others" / "worse.tsys", ("no head(j)", "no head(i)"))
    write(folder / "other.tsys", ("\n    incremental\n", "\n    equivalent to others/worse.tsys\n"))

    assert arcproof("check", "figures/mine.tsys").code == 0
    verdicts = verdicts_of(arcproof, "figures/mine.tsys")
    assert verdicts["equivalent to others/theirs.tsys"] == "exhausted"
    assert verdicts["like others/theirs.tsys on projective trees"] == "exhausted"
    assert verdicts_of(arcproof, "figures/other.tsys")["equivalent to others/worse.tsys"] == "refuted"


def verdicts_of(arcproof: Run, system: str, *options: str) -> dict[str, str]:
    """What `verify` says of each claim, by its text."""
    result = arcproof("verify", system, *INTERPRETED, *options, "--json", "-")
    assert result.code in (0, 1), result.err
    (report,) = json.loads(result.out)["systems"]
    return {entry["text"]: entry["verdict"] for entry in report["claims"]}


def test_an_unknown_name_in_a_claim_is_refused_with_a_caret(arcproof: Run, tmp_path: Path) -> None:
    write(tmp_path / "neighbour.tsys")
    cases = {
        "equivalent to arc-egaer": "there is no built-in system arc-egaer|did you mean arc-eager",
        "equivalent to qqq": "there is no built-in system qqq|a file is named by its path: qqq.tsys",
        "like neighbor.tsys on trees": "there is no file neighbor.tsys|did you mean neighbour.tsys?",
        "equivalent to x/y.tsys": "there is no file x/y.tsys|the path starts at the folder of this figure",
        "equivalent to covington[q=1]": "covington[q=1] cannot be read|",
    }
    for claim, said in cases.items():
        write(tmp_path / "mine.tsys", ("\n    incremental\n", f"\n    {claim}\n"))
        result = arcproof("check", "mine.tsys")
        what, hint = said.split("|")
        assert result.code == 2
        assert f"error: {what}\n" in result.err
        assert f"  help: {hint}" in result.err
        assert "^^^" in result.err


def test_a_figure_that_a_claim_names_must_be_one(arcproof: Run, tmp_path: Path) -> None:
    write(tmp_path / "theirs.tsys", ("no head(j)", "no head(k)"))
    write(tmp_path / "mine.tsys", ("\n    incremental\n", "\n    equivalent to theirs.tsys\n"))
    result = arcproof("check", "mine.tsys")
    assert result.code == 2
    assert "mine.tsys:37:5: error: theirs.tsys cannot be read\n" in result.err
    assert "  help: theirs.tsys:8:73: error: k is not bound" in result.err


def test_what_was_not_sampled_without_an_oracle_is_reported(arcproof: Run, tmp_path: Path) -> None:
    text = EAGER[: EAGER.index("  oracle reduce-late")] + "  oracle none\n\n  claims\n"
    claims = "    complete projective trees\n    sound projective forests\n"
    (tmp_path / "mine.tsys").write_text(text + claims, encoding="utf-8")
    options = (*INTERPRETED, "--samples", "20", "--sample-words", "8", "--html", "page.html", "--json", "found.json")
    result = arcproof("verify", "mine.tsys", *options)
    complete, sound = (line for line in result.out.splitlines() if " projective " in line)
    assert complete.endswith("exhausted, n ≤ 3  16 projective trees; longer ones were not sampled: no oracle")
    assert sound.endswith("+ samples")

    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    left = "longer projective trees were not sampled: the figure has no oracle that leads to them"
    assert left in page
    assert "Sentences of more than 3 words were not sampled, because the figure has no oracle;" in page
    (report,) = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))["systems"]
    assert [left in entry["detail"] for entry in report["claims"]] == [True, False]


def test_what_no_oracle_derives_is_not_passed_over() -> None:
    """An oracle that does not lead to a sample decides nothing; the line says so instead of leaving it out."""
    eager = load("arc-eager")
    claim = eager.figure.claims[1]
    looked = Exhausted("interpreter", 3, Cases(39, "projective forests"))
    finding = Finding(eager, claim, (looked,)).with_samples(Open("samples", Underived(graph_of((0, 1)))))
    assert short_text(finding) == "39 projective forests; not sampled: no oracle derives 0,1"
    assert not_done(finding).startswith("Sentences of more than 3 words were sampled in vain: no oracle derives 0,1;")


CASES = """system cases
  state   stack σ, buffer β
  start   [0], [1..n]
  final   σ = [0], β = []

  ATTACH(l)  [0], j|β   =>  [0], β     add 0 -l-> j
  SKIP       [0], j|β   =>  [0], β
  SHIFT      σ, j|β     =>  σ|j, β
  POP        σ|i, j|β   =>  σ, j|β     if i != 0
  POP        σ|i, []    =>  σ, []      if i != 0

  oracle none

  claims
"""


def verified(arcproof: Run, *options: str) -> list[str]:
    """What `verify` prints of `cases.tsys`, without the margin."""
    searched = [option for option in INTERPRETED if option != "--claims-only"]
    return list(map(str.strip, arcproof("verify", "cases.tsys", *searched, *options).out.splitlines()))


def test_cases_go_by_their_lines_and_are_measured_by_all_claims(arcproof: Run, tmp_path: Path) -> None:
    """Without line 10 the same graphs are derived, but a run gets stuck; that nobody claims it makes no difference."""
    (tmp_path / "cases.tsys").write_text(f"{CASES}    sound forests\n", encoding="utf-8")
    lines = verified(arcproof)
    stuck = "`no dead ends` fails with 1 word: nothing is permissible in ([0, 1], [], {}), and it is not terminal"
    assert "ATTACH is needed for 0" in lines
    assert (
        "POP, line 9 can be left out, up to 3 words: the same graphs are derived, and no claim or check breaks" in lines
    )
    assert f"POP, line 10 is needed although the same graphs are derived up to 3 words: without it {stuck}" in lines
    assert any(line.startswith("POP, line 9: `i != 0` is needed; without it `no dead ends` fails") for line in lines)
    assert "POP, line 10: `i != 0` is redundant; without it nothing changes, up to 3 words" in lines

    told = arcproof("why", "cases.tsys", "POP", "--words", "3", "--engine", "interpreter", "--json", "why.json")
    assert "  line 9: POP σ|i, j|β => σ, j|β if i != 0\n" in told.out
    assert "\nPOP, line 10: `i != 0` is redundant" in told.out
    reasons = json.loads((tmp_path / "why.json").read_text(encoding="utf-8"))["preconditions"]
    assert [(reason["line"], reason["status"]) for reason in reasons] == [(9, "needed"), (10, "redundant")]


def test_a_part_without_which_a_denial_is_not_shown_may_be_needed(arcproof: Run, tmp_path: Path) -> None:
    """Without SHIFT every run has n transitions; `not length = n` may still fail with more words, but that is not
    shown.
    """
    (tmp_path / "cases.tsys").write_text(f"{CASES}    not length = n\n", encoding="utf-8")
    lines = verified(arcproof)
    without = "without it `not length = n` is no longer confirmed, up to 3 words"
    assert f"SHIFT may be needed although the same graphs are derived up to 3 words: {without}" in lines


NO_SHIFT = (("SHIFT          σ, i|β    =>  σ|i, β", "SHIFT          [0], i|β  =>  [0|i], β"),)
REPLAYED = {
    "a class of which something is missing": ((*NO_SHIFT, ("no head(j)\n", "no head(j), i != 0\n")), ""),
    "a class of which something is missing, without an oracle": (NO_SHIFT, "oracle none"),
    "other transitions": (
        (("    sound        projective forests\n", "    like theirs.tsys on projective trees\n"),),
        "reduce-early",
    ),
    "fewer outputs than theirs": (
        (*NO_SHIFT, ("    sound        projective forests\n", "    equivalent to theirs.tsys\n")),
        "",
    ),
}


@pytest.mark.parametrize("what", REPLAYED)
def test_the_replay_command_says_what_the_finding_says(arcproof: Run, tmp_path: Path, what: str) -> None:
    changes, oracle = REPLAYED[what]
    late, early = EAGER.index("  oracle reduce-late"), EAGER.index("  oracle reduce-early")
    dynamic, claims = EAGER.index("  dynamic"), EAGER.index("  claims")
    bare = EAGER[:late], EAGER[claims:]
    oracles = {"": EAGER[late:dynamic], "oracle none": "  oracle none\n", "reduce-early": EAGER[early:dynamic]}
    text = bare[0] + oracles[oracle] + bare[1][: bare[1].index("    exact")]
    write(tmp_path / "mine.tsys", *changes, text=text)
    write(tmp_path / "theirs.tsys")
    result = arcproof("verify", "mine.tsys", *INTERPRETED)
    lines = list(map(str.strip, result.out.splitlines()))
    commands = [line.removeprefix("replay: arcproof ") for line in lines if line.startswith("replay: ")]
    assert commands, result.out
    replayed = [arcproof(*shlex.split(command)) for command in commands]
    said = " ".join(lines)
    match what:
        case "other transitions":
            (number, mine, theirs), *_ = re.findall(
                r"transition (\d+) is (\S+) in arc-eager and (\S+) in arc-eager", said
            )
            for run, wanted in zip(replayed[:2], (mine, theirs), strict=True):
                rows = run.out[run.out.index("Transition") :].splitlines()
                assert rows[1 + int(number)].split()[0] == wanted
        case "fewer outputs than theirs":
            assert [run.code for run in replayed[:2]] == [1, 0]
        case _:
            assert all(run.code == 1 and "is not the output of any run of arc-eager" in run.err for run in replayed)


def test_a_run_is_searched_where_there_is_no_oracle(arcproof: Run, tmp_path: Path) -> None:
    (tmp_path / "cases.tsys").write_text(f"{CASES}    sound forests\n", encoding="utf-8")
    result = arcproof("trace", "cases.tsys", "--heads", "0,_", "--labels", "a,_")
    assert result.code == 0
    assert "ATTACH(a)    [0]       [2]        (0, a, 1)" in result.out
    assert "no oracle was followed: this is a shortest run" in result.out
    none = arcproof("trace", "cases.tsys", "--heads", "_,1")
    assert (none.code, none.err) == (1, "not derivable: _,1 is not the output of any run of cases\n")
    removing = arcproof("trace", "spacy", "--heads", "0", "--search")
    assert removing.code == 2
    assert "removes arcs, which this search does not follow" in removing.err
    both = arcproof("trace", "arc-eager", "--heads", "0", "--search", "--oracle", "reduce-late")
    assert both.code == 2


def test_the_terminal_gives_the_reason_that_the_page_gives(arcproof: Run, tmp_path: Path) -> None:
    write(tmp_path / "mine.tsys", ("  REDUCE         σ|i, β    =>  σ, β                          if head(i)\n", DROP))
    outputs = ("--html", "page.html")
    result = arcproof("verify", "mine.tsys", *INTERPRETED, *outputs)
    because = "because it is not projective: the arc from 0 to 2 passes over 1, which 0 does not dominate"
    said = f"the output _,0 is not among the projective forests, {because}"
    assert f"    sound projective forests: {said}\n" in result.out
    assert said in (tmp_path / "page.html").read_text(encoding="utf-8")


DROP = "  REDUCE         σ|i, β    =>  σ, β\n"


def test_a_formula_that_explore_fits_may_start_at_two_words(arcproof: Run, tmp_path: Path) -> None:
    """With one word there is nothing to turn."""
    (tmp_path / "late.tsys").write_text(LATE, encoding="utf-8")
    result = arcproof("explore", "late.tsys", "--words", "5", "--engine", "interpreter")
    assert "  longest = n + 2 for 2 to 5 words (a conjecture beyond)\n" in result.out


LATE = """system late
  state   stack σ, buffer β, flag e
  start   [0], [1..n], false
  final   e

  SHIFT   σ, i|β, false        =>  σ|i, β, false
  TURN    [0|i|j], β, false    =>  [0|j|i], β, false   if i < j
  END     σ, [], false         =>  σ, [], true

  oracle none
"""


def test_a_number_in_brackets_is_explained_where_it_appears(arcproof: Run, tmp_path: Path) -> None:
    note = "LEFT-ARC[2]: τ has 1 node, one less than the number in brackets"
    assert note in arcproof("trace", "attardi", "--heads", "3,0,2").out.splitlines()
    assert "brackets" not in arcproof("trace", "arc-eager", "--heads", "3,0,2").out
    assert "LEFT-ARC[2] is a transition with a choice" in " ".join(arcproof("trace", "--help").out.split())

    text = (ROOT / "transitions" / "systems" / "attardi.tsys").read_text(encoding="utf-8")
    head = text[: text.index("  oracle")]
    (tmp_path / "mine.tsys").write_text(
        f"{head}  oracle none\n  claims\n    sound projective forests\n", encoding="utf-8"
    )
    result = arcproof("verify", "mine.tsys", *INTERPRETED, "--html", "page.html")
    run = next(line for line in result.out.splitlines() if line.strip().startswith("run: "))
    instance = next(word for word in run.split() if "[" in word)
    assert f"      {instance}: τ has {int(instance[-2]) - 1} node" in result.out
    assert "<dt><code>LEFT-ARC[2]</code></dt>" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_what_follows_a_class_is_explained_below(arcproof: Run, tmp_path: Path) -> None:
    (tmp_path / "cases.tsys").write_text(f"{CASES}    sound forests\n", encoding="utf-8")
    lines = verified(arcproof, "--html", "page.html")
    start = lines.index("which class is this, up to 3 words")
    end = lines.index("transitions")
    assert "(not _,1)" in lines[start + 1]
    legend = "(also …: a smallest output outside the class; not …: a smallest graph of the class that is not an output)"
    assert lines[end - 1] == legend
    assert "<dt>(also 2,0, not 0,1)</dt>" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "(also 2,0, not 0,1) gives a smallest output" in " ".join(arcproof("verify", "--help").out.split())

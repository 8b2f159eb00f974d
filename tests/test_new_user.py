"""What stops somebody who writes a figure for the first time, each once, from the command line."""

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

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

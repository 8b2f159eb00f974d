"""Every command once, small enough to be run hundreds of times; a test compares the list with the command line."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from random import Random

from arcproof.process.run_store import FOLDER
from tests.torture import bases
from tests.torture.children import CODES, Ended, files_of, run, surroundings, without_times

BROKEN = bases.SMALL.replace("if i != 0, no head(i)", "if i != 0").replace("terminates", "sound projective forests")


@dataclass(frozen=True)
class Command:
    """A command with its arguments; `pages` if what it writes has times in places that cannot be told apart."""

    arguments: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.arguments[0]


def _command(text: str) -> Command:
    return Command(tuple(text.split()))


COMMANDS = (
    *map(
        _command,
        (
            "list --json",
            "show arc-eager --format latex",
            "check small.tsys --json",
            "new mine -o -",
            "trace arc-eager --heads 2,0,2 --format json",
            "explore swap --words 5 --json",
            "verify arc-eager --words 4 --samples 200 --json out.json --html out.html",
            "prove small.tsys --no-cache --json out.json",
            "check-proof objects --json out.json",
            "mutate small.tsys --words 3 --json out.json",
            "why arc-eager LEFT-ARC --words 3 --json out.json",
            "repair broken.tsys --words 3 --edits 1 --samples 100 --json out.json",
            "oracle arc-hybrid --words 3 --json out.json",
            "conform arc-eager --log runs.log --words 3 --json out.json",
            "compare arc-eager arc-standard --words 4 --json",
            "coverage arc-eager swap --treebank train.conllu --json",
            "export arc-eager --to promela --words 3 -o model.pml",
            "report arc-eager --words 3 --samples 50 --proofs none -o page.html",
            "train arc-eager train.conllu -o new.model",
            "parse fast.model train.conllu -o parsed.conllu",
            "evaluate train.conllu train.conllu --details --json",
            "experiment arc-eager swap --treebank few --output cells --json",
            "completion bash",
            "lsp",
        ),
    ),
    Command(("reach", "swap", "#SWAP = 2", "--words", "4", "--json", "out.json")),
)


def workplace(folder: Path, kept: Path) -> Path:
    """A folder with everything that the commands read."""
    folder.mkdir(parents=True)
    for name in ("small.tsys", "train.conllu", "fast.model"):
        shutil.copy(kept / name, folder / name)
    for part in ("train", "test"):
        shutil.copy(kept / "train.conllu", folder / f"few-{part}.conllu")
    shutil.copytree(kept / "objects", folder / "objects")
    (folder / "broken.tsys").write_text(BROKEN, encoding="utf-8")
    (folder / "runs.log").write_text(
        "SHIFT LEFT-ARC SHIFT RIGHT-ARC\nRIGHT-ARC RIGHT-ARC RIGHT-ARC\n", encoding="utf-8"
    )
    return folder


@dataclass(frozen=True)
class Reference:
    """What a command prints and writes when nothing happens to it."""

    code: int
    out: str
    files: dict[str, str]
    seconds: float
    peak: int


def forget(cache: Path) -> None:
    """Empty the run store, so that a command has work to do; compiled code stays."""
    shutil.rmtree(cache / FOLDER, ignore_errors=True)


def reference(command: Command, folder: Path, kept: Path, cache: Path) -> Reference:
    """Run it undisturbed, with nothing stored."""
    forget(cache)
    ended = run(command.arguments, workplace(folder, kept), surroundings(cache))
    if ended.complaint or ended.left or ended.code not in CODES:
        raise RuntimeError(f"{' '.join(command.arguments)}: {ended.complaint or ended.left}\n{ended.err[-3000:]}")
    found = Reference(ended.code, without_times(ended.out), files_of(folder), ended.seconds, ended.peak)
    shutil.rmtree(folder)
    return found


def shuffled(expected: dict[Command, Reference], seed: int, what: str) -> list[tuple[Command, Reference]]:
    """In an order of the seed's: where the time is short, it is not always the same ones that are left out."""
    found = list(expected.items())
    Random(f"{seed}/{what}").shuffle(found)
    return found


def difference(expected: Reference, ended: Ended, folder: Path) -> str:
    """How a run and what it wrote differ from what they should be."""
    if ended.complaint:
        return ended.complaint
    if ended.left:
        return f"{len(ended.left)} processes stay behind"
    if ended.code != expected.code:
        return f"exit code {ended.code}, not {expected.code}"
    if without_times(ended.out) != expected.out:
        return "another report on standard output"
    found = files_of(folder)
    if found.keys() != expected.files.keys():
        more, less = sorted(found.keys() - expected.files.keys()), sorted(expected.files.keys() - found.keys())
        return f"other files: {', '.join(more) or 'none'} too many, {', '.join(less) or 'none'} missing"
    for name, content in expected.files.items():
        if found[name] != content:
            return f"another {name}"
    return ""

"""What each extra takes, and what works with it: the table of docs/install.md, measured in empty environments.

    python -m tools.sizes dist/arcproof-0.2.0-py3-none-any.whl [EXTRA...]

For the core and every extra an environment without pip is made outside the checkout, and the wheel is installed into it
with that extra alone.  In each a command that the extra is for must work, and a command whose extra is missing must end
with exit code 2 and the line that installs it.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arcproof.process.extras import EXTRAS

ROOT: Final = Path(__file__).resolve().parent.parent
CORE: Final = "core"
TO_FRAME: Final = "import arcproof; print(arcproof.verify('arc-eager', words=2).to_frame())"
HIGHLIGHTED: Final = "import pygments.lexers; print(pygments.lexers.get_lexer_by_name('arcproof'))"
COUNT: Final = (
    "import importlib.metadata as m; print(sum(one.metadata['Name'] != 'arcproof' for one in m.distributions()))"
)

WORKING: Final[dict[str, tuple[str, ...]]] = {
    CORE: ("arcproof list", "arcproof verify arc-eager --words 4 --proofs none --engine interpreter"),
    "speed": ("arcproof verify arc-eager --words 6 --proofs none --engine compiled",),
    "prove": ("arcproof prove arc-hybrid-right --claim length --no-cache",),
    "train": (
        "arcproof train arc-eager artificial-train -o some.model",
        "arcproof parse some.model artificial-test -o parsed.conllu",
        "arcproof oracle arc-hybrid --derive",
    ),
    "testing": ("arcproof show arc-eager --format source > mine.tsys && python -m pytest -q mine.tsys",),
    "cluster": ("arcproof mutate arc-standard --words 2 --cluster local:2",),
    "editors": (f'python -c "{HIGHLIGHTED}"', "arcproof lsp"),
    "frames": (f'python -c "{TO_FRAME}"',),
}
"""What each is for."""
LACKING: Final = {
    "arcproof prove arc-standard --no-cache": "prove",
    "arcproof train arc-eager artificial-train --learner svc -o other.model": "train",
    "arcproof mutate arc-standard --words 2 --cluster local:2": "cluster",
    "arcproof lsp": "editors",
}
"""The extra without which each does not run."""


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel and one extra, and a folder to work in."""

    extra: str
    folder: Path

    @property
    def binaries(self) -> Path:
        """Where its commands are."""
        return self.folder / "bin"

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run a command as a user would, who has nothing else."""
        work = self.folder / "work"
        work.mkdir(exist_ok=True)
        places = {"PATH": f"{self.binaries}:/usr/bin:/bin", "HOME": str(work), "ARCPROOF_CACHE": str(work / "cache")}
        return subprocess.run(command, shell=True, cwd=work, env=places, input="", capture_output=True, text=True)


def made(extra: str, wheel: Path, folder: Path) -> Installed:
    """Install the wheel with an extra into an environment of its own."""
    venv.EnvBuilder(with_pip=False, symlinks=True).create(folder)
    wanted = str(wheel) if extra == CORE else f"{wheel}[{extra}]"
    command = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "--quiet"]
    subprocess.run([*command, "--constraint", str(ROOT / "constraints.txt"), wanted], check=True)
    return Installed(extra, folder)


def measured(environment: Installed) -> tuple[int, int]:
    """Megabytes of all files, as `du` counts, and how many packages there are beside arcproof."""
    size = subprocess.run(["du", "-sm", environment.folder], capture_output=True, text=True, check=True).stdout
    packages = environment.run(f'python -c "{COUNT}"').stdout
    return int(size.split()[0]), int(packages)


def has(extra: str) -> tuple[str, ...]:
    """The extras that come with an extra."""
    return {CORE: (), "train": ("speed", "train"), "all": tuple(EXTRAS)}.get(extra, (extra,))


def tried(environment: Installed) -> list[str]:
    """A line for each command that was run; one that does not end as it must begins with FAILED."""
    works = (CORE, *has(environment.extra))
    lines = [_works(environment, command) for extra in works for command in WORKING[extra]]
    lacking = [_lacks(environment, command, extra) for command, extra in LACKING.items() if extra not in works]
    return lines + lacking


def _works(environment: Installed, command: str) -> str:
    done = environment.run(command)
    return (
        f"{'ok' if done.returncode == 0 else 'FAILED'}: {command}: {done.returncode}{_last(done.stdout, done.stderr)}"
    )


def _lacks(environment: Installed, command: str, extra: str) -> str:
    """One sentence, the line that installs it, exit code 2, nothing else."""
    done = environment.run(command)
    told = done.stderr.strip()
    right = (
        done.returncode == 2
        and "\n" not in told
        and " is not installed" in told
        and told.endswith(f"; pip install 'arcproof[{extra}]'")
    )
    return f"{'ok' if right else 'FAILED'}: {command}: {done.returncode}{_last(told)}"


def _last(*texts: str) -> str:
    lines = [line for text in texts for line in text.strip().splitlines()[-1:]]
    return "".join(f" | {line[:160]}" for line in lines)


def main() -> int:
    """Print the table, and what was tried; 1 if a command did not end as it must."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("extras", nargs="*", default=[CORE, *EXTRAS, "all"])
    given = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for extra in given.extras:
            environment = made(extra, given.wheel.resolve(), Path(folder) / extra)
            size, packages = measured(environment)
            lines = tried(environment)
            failed |= any(line.startswith("FAILED") for line in lines)
            print(f"| `{extra}` | {size} | {packages} |", *lines, sep="\n  ", flush=True)
            shutil.rmtree(environment.folder)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

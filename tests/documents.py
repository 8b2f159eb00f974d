"""Executes the examples in a document.

A block fenced with ```console is a session: lines that begin with `$ ` are commands, the lines under each are what it
prints, standard error included; lines that begin with `> ` right after a command belong to it.  A block fenced with
```python is executed as a doctest; one that begins with the name of a file, `# my_parser.py`, is written to that file.
All blocks of a document run in one directory, in order.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from unittest.mock import patch

from tests.conftest import ROOT
from tests.in_process import run_here

OPERATORS = {"|", ";", ">", "&&", "||", ">>"}
SHELL = set("`\\*\n")
"""What a shell would read in words that are handed over as they are; `$` may only stand in what follows them."""

_FILE = re.compile(r"# (\w+\.py)\n")
_BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Command:
    """A command of a session and what it should print."""

    line: str
    expected: str


def blocks(path: Path) -> list[tuple[str, str]]:
    """Language and content of each executable block."""
    return [(match[1], match[2]) for match in _BLOCK.finditer(path.read_text(encoding="utf-8"))]


def file_named(content: str) -> str | None:
    """The file that a block is written to."""
    found = _FILE.match(content)
    return None if found is None else found[1]


def commands(session: str) -> list[Command]:
    """The commands of one block."""
    found: list[Command] = []
    for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        first, *rest = part.split("\n")
        more = list(takewhile(lambda line: line == ">" or line.startswith("> "), rest))
        line = "\n".join([first, *(continued[2:] for continued in more)])
        found.append(Command(line, "\n".join(rest[len(more) :])))
    return found


def run(line: str, directory: Path) -> str:
    """What a command prints in this directory.

    `arcproof` runs in this process; what stands behind it in the line, a filter or a file, gets what it printed.
    """
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    words = list(lexer)
    own = list(takewhile(lambda word: word not in OPERATORS, words))
    imports_the_users_modules = "conform" in words[1:2]
    if words[0] != "arcproof" or "arcproof" in words[1:] or set(line) & SHELL or imports_the_users_modules:
        return run_apart(line, directory)
    with patch.dict(os.environ):
        os.environ.pop("ARCPROOF_ENGINE", None)
        done = run_here(tuple(own[1:]), directory, merged=own == words)
    if own == words:
        return done.out
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("out", done.out), ("err", done.err)):
            Path(folder, name).write_text(text, encoding="utf-8")
        told = f'arcproof() {{ cat "{folder}/out"; cat "{folder}/err" >&2; return {done.code}; }}'
        return run_apart(f"{told}\n{line}", directory)


def run_apart(line: str, directory: Path) -> str:
    """What a shell prints, with `arcproof` and `pytest` at hand, each in a process of its own."""
    launcher = directory / ".bin"
    launcher.mkdir(exist_ok=True)
    for name, module in (("arcproof", "arcproof"), ("pytest", "pytest"), ("python", "")):
        script = launcher / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {"-m " + module if module else ""} "$@"\n')
        script.chmod(0o755)
    environment = {
        **{name: value for name, value in os.environ.items() if name != "ARCPROOF_ENGINE"},
        "PATH": f"{launcher}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "COLUMNS": "100",
        "PYTEST_ADDOPTS": "-p no:randomly",  # of this suite, not of the user's
    }
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=directory,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=120,
    )
    return done.stdout

"""What commands print, in whole sessions; the one place where wording is expected.

A file of this folder holds commands, each behind `$ `, the lines that it prints below it, standard error included, and
its exit code in brackets unless that is 0.  `== NAME` writes the lines that follow to a file.  Times are left out, and
what click prints of the usage above a message.
`python -m tests.sessions` writes what is printed now; the difference is then to be read.
"""

import re
import shlex
from pathlib import Path

from tests.in_process import run_here

SESSIONS = sorted(Path(__file__).parent.glob("*.txt"))

_PART = re.compile(r"^(\$|==) (.*)\n", re.MULTILINE)
_USAGE = re.compile(r"^Usage: .*\nTry .*\n\n", re.MULTILINE)
_TIME = re.compile(r"\b\d+(?:\.\d+)? (?:ms|s|min)\b")


def played(text: str, folder: Path) -> str:
    """The session with what its commands print now."""
    head, *parts = _PART.split(text)
    lines = [head]
    for sign, line, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        lines.append(f"{sign} {line}\n")
        if sign == "==":
            path = folder / line
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(body, encoding="utf-8")
            lines.append(body)
        else:
            program, *arguments = shlex.split(line)
            assert program == "arcproof"
            done = run_here(tuple(arguments), folder, merged=True)
            lines += [_TIME.sub("… s", _USAGE.sub("", done.out)), f"[{done.code}]\n" if done.code else "", "\n"]
    return "".join(lines)

"""Links of a document, made right for the site.

Documents link to each other as they lie in the repository.  On the site some lie elsewhere, files that are not
documents are in a folder of their own, and folders are not there at all: of a link to a folder the text remains.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Final

_FENCE: Final = re.compile(r"^ {0,3}(```+|~~~+)")
_LINK: Final = re.compile(
    r"(?P<code>(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<mark>!?)\[(?P<text>(?:[^\[\]`]|`[^`]*`)*)\]\((?P<target>[^()\s]+)\)"
)


def outside_code(markdown: str, change: Callable[[str], str]) -> str:
    """The document with every line changed that is not in a fenced block."""
    lines, fence = [], ""
    for line in markdown.split("\n"):
        found = _FENCE.match(line)
        if fence:
            fence = "" if found and found[1].startswith(fence) and line.strip() == found[1] else fence
            lines.append(line)
        elif found:
            fence = found[1]
            lines.append(line)
        else:
            lines.append(change(line))
    return "\n".join(lines)


def targets(markdown: str) -> list[str]:
    """What a document links to, code left out."""
    found: list[str] = []

    def note(line: str) -> str:
        found.extend(link["target"] for link in _LINK.finditer(line) if link["target"])
        return line

    outside_code(markdown, note)
    return found


def is_elsewhere(target: str) -> bool:
    """Whether a link leads to another host or stays on its page."""
    return target.startswith("#") or bool(re.match(r"[a-z][a-z+.-]*:", target))


def in_repository(target: str, source: str) -> str:
    """The path that a link in a document leads to, from the root of the repository.

    >>> in_repository("../README.md#figures", "docs/tour.md")
    'README.md'
    """
    path = target.partition("#")[0]
    return normpath((PurePosixPath(source).parent / path).as_posix())


def linked_files(markdown: str, source: str, root: Path) -> Iterator[str]:
    """The files of the repository that a document links to."""
    for target in targets(markdown):
        if not is_elsewhere(target) and (root / (path := in_repository(target, source))).is_file():
            yield path


def on_the_site(markdown: str, source: str, places: Mapping[str, str], root: Path) -> str:
    """The document as a page: `source` is where it is in the repository, `places` says where everything is on the site.

    What leads nowhere stays as it is, for MkDocs to complain about.
    """
    here = PurePosixPath(places[source]).parent.as_posix()

    def link(found: re.Match[str]) -> str:
        target = found["target"]
        if found["code"] or is_elsewhere(target):
            return found[0]
        path, _, anchor = target.partition("#")
        there = in_repository(path, source)
        if (root / there).is_dir():
            return str(found["text"])
        if there not in places:
            return found[0]
        address = relpath(places[there], here) + f"#{anchor}" * bool(anchor)
        return f"{found['mark']}[{found['text']}]({address})"

    return outside_code(markdown, lambda line: _LINK.sub(link, line))

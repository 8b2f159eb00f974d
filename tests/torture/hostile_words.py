"""Hostile words in every field that a user or a file can fill, and every output looked at: nothing runs, nothing is
asked for, nothing moves the cursor.

Pages and pictures are opened in a browser, which reports scripts that run, errors, dialogs and requests.  What goes to
a terminal has no control characters and nothing that turns the direction of text; LaTeX and Markdown have no command
and no markup that came from a word.
"""

import os
import re
import shutil
import time
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from tests.torture.children import run, surroundings
from tests.torture.table import Row

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RAN = "torture-script-ran"
WORDS = (
    f"<script>console.error('{RAN}')</script>",
    f"<img/src=x/onerror=console.error('{RAN}')>",
    f"'\"><svg/onload=console.error('{RAN}')>",
    f"</title></style></script><script>console.error('{RAN}')</script>",
    f"javascript:console.error('{RAN}')",
    "]]><!--&lt;b&gt;--><b>&amp;",
    "{{7*7}}${7*7}#{7*7}",
    "\\input{/etc/passwd}\\write18{id}$x^2_3$&%#~{}",
    "![x](http://127.0.0.1:9/leak)|`[a](javascript:alert(1))",
    "\x1b[31mred\x1b]0;title\x07\x9b2J",
    "\u202eabc\u2066def\u200f",
    "\u0001\u007f\u0085\u2028\u2029\ufeff",
    "e" + "\u0301" * 60,
    "long" * 500,
    "=cmd|'/c'!A1",
)
TURNING = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")
PAGES = (".html", ".svg")


def treebank(word: str) -> str:
    """A sentence of three words in which everything is the word."""
    blank = re.sub(r"[\t\n\r\x85\u2028\u2029\x0b\x0c\x1c-\x1f ]", "", word) or "x"
    row = f"{blank}\t{blank}\t{blank}\t{blank}\tA={blank}"
    rows = (
        f"1\t{row}\t2\t{blank}\t2:{blank}\t{blank}",
        f"2\t{row}\t0\troot\t0:root\t{blank}",
        f"3\t{row}\t2\t{blank}x\t2:x\t_",
    )
    return f"# text = {blank}\n# sent_id = {blank}\n" + "\n".join(rows) + "\n\n"


def figure(word: str) -> str:
    """A figure whose texts are the word, with a claim that is refuted, so that there is a run to show."""
    from tests.torture.commands import BROKEN

    quoted = word.replace('"', "'").replace("\n", " ")
    return BROKEN.replace("A figure of the torture suite", quoted, 1).replace(
        "  state ", f'  note  "{quoted}"\n  state ', 1
    )


def commands(word: str) -> list[tuple[str, ...]]:
    """Every command that shows something a user gave it."""
    return [
        ("trace", "arc-eager", "--conllu", "words.conllu"),
        ("trace", "arc-eager", "--conllu", "words.conllu", "--format", "latex"),
        ("trace", "arc-eager", "--conllu", "words.conllu", "--format", "svg"),
        ("trace", "arc-eager", "--heads", "2,0", "--forms", f"{word} x"),
        ("oracle", "arc-hybrid", "--conllu", "words.conllu"),
        ("show", "figure.tsys"),
        ("show", "figure.tsys", "--format", "latex"),
        ("check", "figure.tsys"),
        ("check", "bad.tsys"),
        ("verify", "figure.tsys", "--words", "3", "--samples", "5", "--html", "verify.html"),
        ("report", "figure.tsys", "--words", "3", "--samples", "5", "--proofs", "none", "--treebank", "words.conllu", "--experiment", "results", "--audit", "audit.md", "-o", "report.html"),
        ("report", "figure.tsys", "--words", "2", "--samples", "5", "--proofs", "none", "--latex", "-o", "report.tex"),
        ("mutate", "figure.tsys", "--words", "2"),
        ("why", "figure.tsys", "LEFT-ARC", "--words", "3", "--svg", "why"),
        ("coverage", "arc-eager", "--treebank", "words.conllu"),
        ("evaluate", "words.conllu", "words.conllu", "--details"),
        ("conform", "arc-eager", "--log", "words.log", "--words", "2"),
        ("experiment", "arc-eager", "--treebank", "few", "--output", "experiment"),
        ("reach", "arc-eager", word.replace("\0", "")),
        ("show", word[:200]),
    ]  # fmt: skip


def prepare(folder: Path, word: str) -> None:
    """The files that the commands read."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "results").mkdir(parents=True)
    quoted = word.replace('"', '""')
    line = " ".join(word.split())
    texts = {
        "words.conllu": treebank(word),
        "few-train.conllu": treebank(word),
        "few-test.conllu": treebank(word),
        "figure.tsys": figure(word),
        "bad.tsys": figure(word).replace("LEFT-ARC(l)", word),
        "words.log": f"SHIFT LEFT-ARC:{line.replace(' ', '')} RIGHT-ARC\n",
        "words.features": f'features words\ncite "{line}"\nnote {line}\nstack[0] form cpos\nbuffer[0] form\n',
        "audit.md": f"## Summary\n\n| claim | verdict |\n|---|---|\n| {line} | {line} |\n",
        "results/table.csv": f'variant,treebank,LAS\n"{quoted}","{quoted}","{quoted}"\n',
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", errors="replace", newline="")


def torture(folder: Path, cache: Path, seconds: float, words: tuple[str, ...] = WORDS) -> list[Row]:
    """A row for what is written, one for what a browser makes of it, one for the page to play with."""
    written, opened, played = (
        Row("hostile words", what)
        for what in (
            "what commands print and write",
            "pages and pictures in a browser",
            "the page to play with, in a browser",
        )
    )
    began, pages = time.monotonic(), folder / "pages"
    pages.mkdir(parents=True, exist_ok=True)
    for number, word in enumerate(words):
        if time.monotonic() - began > seconds:
            written.note = f"{number} of {len(words)} words: the time was over"
            break
        _written(number, word, folder / "words", pages, cache, written)
    written.seconds = time.monotonic() - began
    began = time.monotonic()
    missing = no_browser()
    if missing:
        opened.skipped = played.skipped = missing
        return [written, opened, played]
    from tests.browser import launched

    with launched() as browser:
        for page in sorted(path for path in pages.iterdir() if path.suffix in PAGES):
            opened.tried += 1
            for complaint in visited(browser, page.as_uri()):
                opened.fail(complaint[:80], f"{page.name}: {complaint}", page.read_bytes())
        opened.seconds, began = time.monotonic() - began, time.monotonic()
        _played(browser, cache, words, played)
    played.seconds = time.monotonic() - began
    return [written, opened, played]


def no_browser() -> str:
    """Why there is none, or nothing."""
    path = os.environ.get("ARCPROOF_CHROMIUM") or shutil.which("chromium")
    return "" if path and Path(path).exists() else "no chromium on PATH and none in ARCPROOF_CHROMIUM"


def visited(browser: "Browser", address: str) -> list[str]:
    """What a page does that it must not: scripts that run, errors, requests, dialogs."""
    from tests.browser import Visit

    context = browser.new_context(viewport={"width": 1280, "height": 900})
    visit = Visit(context.new_page())
    visit.open(address)
    visit.page.wait_for_timeout(150)
    asked = [
        f"request: {url[:200]}"
        for url in visit.requests
        if url.partition("#")[0] != address.partition("#")[0] and not url.startswith("data:")
    ]
    found = [*visit.complaints, *asked]
    context.close()
    return found


def _written(number: int, word: str, folder: Path, pages: Path, cache: Path, row: Row) -> None:
    prepare(folder, word)
    for arguments in commands(word):
        ended = run(tuple(text.replace("\0", "") for text in arguments), folder, surroundings(cache))
        row.tried += 1
        shown = f"{' '.join(arguments)!r} with the word {word[:80]!r}"
        kind = arguments[arguments.index("--format") + 1] if "--format" in arguments else "terminal"
        problem = ended.complaint or wrong_text(ended.out, kind) or wrong_text(ended.err, "terminal")
        if kind == "svg":
            (pages / f"{number}-trace.svg").write_text(ended.out, encoding="utf-8")
        if problem:
            row.fail(
                f"{arguments[0]}: {problem}",
                f"{shown}\n\n{ended.out[:3000]}\n{ended.err[:3000]}",
                word.encode("utf-8", "replace"),
            )
    for path in sorted(folder.rglob("*")):
        kinds = {".md": "markdown", ".tex": "latex"}
        if path.suffix in PAGES:
            shutil.copy(path, pages / f"{number}-{path.parent.name}-{path.name}")
        elif path.suffix in kinds and path.name != "audit.md":
            problem = wrong_text(path.read_text(encoding="utf-8", errors="replace"), kinds[path.suffix])
            if problem:
                row.fail(f"{path.name}: {problem}", f"the word {word[:80]!r}", path.read_bytes())


def wrong_text(text: str, kind: str) -> str:
    """What must not be in a text of this kind."""
    if kind == "terminal":
        control = [c for c in text if unicodedata.category(c) in ("Cc", "Zl", "Zp") and c not in "\n\t"]
        turning = TURNING & set(text)
        if control or turning:
            return f"{(control or sorted(turning))[0]!r} goes to the terminal"
    if kind == "latex" and re.search(r"\\(input|write18)\b", text):
        return "a command of LaTeX came from a word"
    if kind == "markdown" and re.search(r"<(script|img|svg)|(?<!\\)\]\(javascript:|(?<!\\)!\[x\]\(http", text):
        return "markup came from a word"
    return ""


def _played(browser: "Browser", cache: Path, words: tuple[str, ...], row: Row) -> None:
    from tests.torture.serving import serving

    said: list[str] = []
    with serving("arc-eager", cache, said) as (port, _):
        for word in words:
            for query in (
                {"sentence": f"{word} x"},
                {"heads": word},
                {"run": word, "heads": "2,0"},
                {"oracle": word, "heads": "2,0"},
            ):
                address = f"http://127.0.0.1:{port}/?" + urlencode(query, errors="replace")
                row.tried += 1
                for complaint in visited(browser, address):
                    if (
                        "favicon" not in complaint
                        and "400 (Bad Request)" not in complaint
                        and not complaint.startswith(f"request: http://127.0.0.1:{port}/?")
                    ):
                        row.fail(complaint[:80], f"{query}: {complaint}", repr(query).encode())

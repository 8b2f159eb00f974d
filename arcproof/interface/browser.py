"""Answers for the page that runs the interpreter in a browser (`tools/playground`).

`answer` takes a question and returns an answer, both as JSON.  The answers are those of the commands
`check`, `explore --open` and `verify`: tests compare them.  Only the figure of the last question is cached.

>>> import json
>>> json.loads(answer(json.dumps({"ask": "check", "text": "system"})))["ok"]
False
"""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, Final

from arcproof.reports.playground import Playground
from arcproof.transitions.errors import ArcproofError, BadArgument

MOST_WORDS: Final = 4
MOST_CHARACTERS: Final = 100_000
BYTES: Final = 1 << 30
SOURCE: Final = "<text>"
"""What the text is called in messages."""


def answer(question: str) -> str:
    """Answer a question; a mistake in the question or the figure is answered with `problem`."""
    given = json.loads(question)
    try:
        text = given.get("text", "")
        if len(text) > MOST_CHARACTERS:
            raise BadArgument(f"the figure is longer than {MOST_CHARACTERS} characters")
        found = ASKED[given["ask"]](text, given)
    except ArcproofError as error:
        found = {"problem": str(error)}
    return json.dumps(found)


def checked(text: str, _: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of `check --json`, and the lines that `check` prints."""
    from arcproof.commands import check_command
    from arcproof.documents.check import document
    from arcproof.documents.wire import json_text
    from arcproof.editors.diagnosis import diagnose_text

    one = check_command.checked(SOURCE, partial(diagnose_text, text))
    (entry,) = json.loads(json_text(document([(SOURCE, one.found)])))
    told = [check_command.warnings_of(one)] if one.system is not None else check_command.errors_of(one)
    summary = [] if one.system is None else check_command.summary(SOURCE, one.system.figure)
    return {**entry, "told": "\n".join(filter(None, told)), "summary": summary}


def stepped(text: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the page of `explore --open`, without its frame."""
    status, html = _playground(text).body(given.get("query", {}))
    return {"status": status, "html": html}


def verified(text: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """As `verify --engine interpreter --samples 0 --proofs none`, up to a few words: the document, and the same to be
    shown.
    """
    from arcproof.documents.verify import document
    from arcproof.documents.wire import json_text
    from arcproof.properties.engines.sampled import Sampling
    from arcproof.properties.report import Effort, Report
    from arcproof.properties.verdict import Verdict
    from arcproof.properties.verify import verify_system
    from arcproof.reports.page import verified_html

    words = given.get("words")
    if not isinstance(words, int) or not 1 <= words <= MOST_WORDS:
        raise BadArgument(f"verify takes 1 to {MOST_WORDS} words here")
    effort = Effort(words, Sampling(0), BYTES, engine="interpreter", jobs=1, proofs="none")
    found = verify_system(_playground(text).system, effort)
    report = Report((found,))
    return {
        "document": json.loads(json_text(document(report))),
        "exit_code": report.exit_code(Verdict.EXHAUSTED),
        "html": verified_html(found, words),
    }


@lru_cache(maxsize=1)
def _playground(text: str) -> Playground:
    from arcproof.transitions.reading.read import read, with_newlines
    from arcproof.transitions.system import system_of

    return Playground(system_of(read(text, SOURCE).figure, with_newlines(text)))


ASKED: Final[dict[str, Callable[[str, Mapping[str, Any]], dict[str, Any]]]] = {
    "check": checked,
    "step": stepped,
    "verify": verified,
}

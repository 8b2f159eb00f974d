"""`explore --open --quiz`: nothing is given away, and choices are marked by what the interpreter says."""

import re
import threading
from collections.abc import Iterator
from functools import cache
from urllib.parse import parse_qs, urlsplit

import pytest

from arcproof.commands.serving import PlayServer
from arcproof.reports.playground import Address, BadState, Board, Playground
from arcproof.reports.quiz import QuizMark
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.graph import parse_heads
from arcproof.transitions.system import System, load
from tests.browser import Visit, launched
from tests.reports.test_browser import CONTRAST


@cache
def quiz(name: str = "arc-eager") -> Playground:
    return Playground(load(name), quiz=True)


def asked(heads: str, run: str = "", answer: str = "", name: str = "arc-eager", **more: str) -> Board:
    return quiz(name).question(Address.of({"heads": heads, "run": run, "answer": answer, **more}))


def mark(board: Board) -> QuizMark:
    assert board.quiz is not None
    assert board.quiz.mark is not None
    return board.quiz.mark


def query(link: str) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(link).query).items()}


def reaches(system: System, c: Configuration, heads: tuple[int | None, ...]) -> bool:
    """By trying everything."""
    if system.is_terminal(c):
        return c.graph.heads_or_none == heads
    return any(reaches(system, system.apply(c, transition), heads) for transition in system.permissible(c))


# --- marks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "heads"), [("arc-eager", "2,0,2"), ("arc-hybrid", "0,1,1"), ("arc-swift", "3,3,0")])
def test_every_choice_is_marked_as_trying_everything_says(name: str, heads: str) -> None:
    system, wanted = load(name), parse_heads(heads)
    c, run = system.start(3), ""
    seen = set()
    while not system.is_terminal(c):
        permissible = {transition.instance: transition for transition in system.permissible(c)}
        following = None
        for option in asked(heads, run, name=name).choices:
            right = option.name in permissible and reaches(system, system.apply(c, permissible[option.name]), wanted)
            found = mark(asked(heads, run, option.name, name))
            assert (found.verdict == "right") == right, (run, option.name)
            assert found.reason
            seen.add(found.verdict)
            following = option.name if right else following
        assert following is not None
        c, run = system.apply(c, permissible[following]), f"{run} {following}".strip()
    assert seen == {"right", "wrong"}
    assert asked(heads, run, name=name).ended


def test_a_run_that_has_left_the_gold_graph() -> None:
    board = asked("2,3,0", "RIGHT-ARC", sentence="the cat sleeps")

    assert board.quiz is not None
    assert board.quiz.task == (
        "After this run the gold graph can no longer be derived, so choose a transition that is permissible."
    )
    assert mark(asked("2,3,0", "RIGHT-ARC", "SHIFT")) == QuizMark("SHIFT", "right", "it is permissible")


def test_a_right_choice_is_taken_and_a_wrong_one_is_not() -> None:
    right, wrong = asked("2,0,2", answer="SHIFT"), asked("2,0,2", answer="REDUCE", right="4", wrong="1")

    assert [row.transition for row in right.view.rows] == ["", "SHIFT"]
    assert [row.transition for row in wrong.view.rows] == [""]
    assert right.quiz is not None
    assert wrong.quiz is not None
    assert (right.quiz.right, right.quiz.wrong) == (1, 0)
    assert (wrong.quiz.right, wrong.quiz.wrong) == (4, 2)
    assert wrong.choices[0].link is not None
    following = query(wrong.choices[0].link)
    assert (following["right"], following["wrong"], following["answer"]) == ("4", "2", "LEFT-ARC")


# --- nothing is given away -------------------------------------------------------------------------------------------


def section(heads: str, run: str = "") -> str:
    """The part of the page on which transitions are chosen, without the heads in its links."""
    status, text = quiz().page({"heads": heads, "run": run})
    assert status == 200
    found = re.findall(r'<div class="choices">.*?</div>', text, re.DOTALL)[0]
    return re.sub(r"heads=[^&]*", "", found.removeprefix('<div class="choices">'))


def test_the_choices_look_the_same_whatever_is_right() -> None:
    assert section("2,0,2") == section("0,1,1") == section("2,3,0")
    looks = [re.sub(r"[A-Z-]{5,}|\d", "", part) for part in section("2,0,2").split("</a>")[:-1]]
    assert len(set(looks)) == 1
    assert len(looks) == 4


@pytest.mark.parametrize(
    "given_away",
    [
        "<caption>Oracle",
        '<select name="oracle">',
        "reduce-early",
        "efault: ",
        "the gold head of",
        "to-the-end",
        "chip exhausted",
        "chip refuted",
    ],
)
def test_what_the_page_without_a_quiz_says_is_not_on_it(given_away: str) -> None:
    run = "SHIFT LEFT-ARC"
    plain = Playground(load("arc-eager")).page({"heads": "2,0,2", "run": run})[1]
    body = quiz().page({"heads": "2,0,2", "run": run})[1].partition("<main")[2]

    assert given_away in plain.partition("<main")[2]
    assert given_away not in body


# --- bad addresses ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"answer": "JUMP"}, "arc-eager has no transition JUMP"),
        ({"answer": "<script>"}, "is not a transition"),
        ({"right": "-1"}, "`right` is `-1`"),
        ({"wrong": "9" * 50}, "it should be a number of answers"),
        ({"run": "RIGHT-ARC RIGHT-ARC RIGHT-ARC", "answer": "SHIFT"}, "the run has ended"),
    ],
)
def test_an_address_that_describes_no_question(more: dict[str, str], message: str) -> None:
    with pytest.raises(BadState, match=re.escape(message)):
        quiz().question(Address.of({"heads": "0,1,2", **more}))
    assert quiz().page({"heads": "0,1,2", **more})[0] == 400


# --- in a browser ----------------------------------------------------------------------------------------------------


@pytest.fixture
def server() -> Iterator[PlayServer]:
    with PlayServer(quiz(), 0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.browser
def test_a_quiz_by_keyboard_and_mouse(server: PlayServer) -> None:
    with launched() as browser:
        visit = Visit(browser.new_page())
        page = visit.open(f"{server.address}?heads=2,0,2&sentence=<b>a</b> b c")
        assert page.locator("a.choice").count() == 4
        assert page.locator(".choice.oracle, .choice.loses, .choice.off").count() == 0
        page.keyboard.press("1")
        page.wait_for_url("**answer=LEFT-ARC**")
        assert page.locator(".mark .chip").inner_text() == "wrong"
        assert "is not permissible" in page.locator(".mark").inner_text()
        assert page.locator(".run tbody tr").count() == 1
        assert page.evaluate("document.activeElement.className") == "mark"
        page.keyboard.press("4")
        page.wait_for_url("**answer=SHIFT**")
        assert page.locator(".mark .chip").inner_text() == "right"
        assert page.locator(".score").inner_text() == "1 right, 1 wrong"
        page.reload()
        assert page.locator(".score").inner_text() == "1 right, 1 wrong"
        page.keyboard.press("u")
        page.wait_for_url(lambda address: "answer" not in address)
        assert page.locator(".run tbody tr").count() == 1
        page.locator("a.choice", has_text="SHIFT").focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**answer=SHIFT**")
        page.locator("input[name=heads]").focus()
        page.keyboard.type("1")
        assert "answer=SHIFT" in page.url
        page.locator("a.choice", has_text="LEFT-ARC").click()
        page.locator("a.choice", has_text="RIGHT-ARC").click()
        page.locator("a.choice", has_text="RIGHT-ARC").click()
        assert "the gold graph" in page.locator("section.next").inner_text()
        assert page.locator("main b").count() == 0
        visit.open(f"{server.address}?heads=2,0,2&answer=RIGHT-ARC")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert page.evaluate(CONTRAST) == []
        page.set_viewport_size({"width": 380, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert visit.complaints == []

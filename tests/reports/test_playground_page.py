"""The page that runs in the browser: in chromium, with nothing but files from the loopback address.

`make playground` builds it.  The pictures are kept where ARCPROOF_SCREENSHOTS names a folder.
"""

import os
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from arcproof.transitions.library import source_of
from tests.browser import Visit, launched
from tests.conftest import ROOT, Result

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

SITE = ROOT / "build" / "site"
PATIENCE = 120_000
ARC_EAGER = source_of("arc-eager")
MISTAKE = ARC_EAGER.replace("default SHIFT", "default SHFIT")
FALSE = ARC_EAGER.replace("<= 2n\n", "<= n\n", 1)


class Quiet(SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012 - as the base class has it
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    if not (SITE / "playground" / "index.html").is_file():
        pytest.skip("there is no build/site/playground: make playground builds it")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/playground/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def visit(address: str) -> Iterator[Visit]:
    """The page with its interpreter, started once; requests to anywhere else are refused and remembered."""
    with launched() as browser:
        context = browser.new_context(viewport={"width": 1200, "height": 900}, color_scheme="light")
        context.set_default_timeout(PATIENCE)
        context.route(lambda url: not url.startswith(address.removesuffix("playground/")), lambda route: route.abort())
        visit = Visit(context.new_page())
        opened(visit.open(address))
        yield visit
        context.close()


def opened(page: "Page") -> None:
    page.wait_for_selector("html[data-ready=yes]", timeout=PATIENCE)


def typed(page: "Page", text: str) -> None:
    page.fill("#text", text)
    page.wait_for_selector("#board.stale" if text == MISTAKE else "#board:not(.stale)")


def test_arc_eager_is_verified_up_to_four_words(visit: Visit) -> None:
    page = visit.page
    page.select_option("#words", "4")
    page.click("#start")
    page.wait_for_selector("#verified .verdict")

    assert "arc-eager: every claim is met" in page.inner_text("#verified .verdict")
    assert "up to 4 words" in page.inner_text("#verified .verdict")
    assert page.locator("#verified .claim:not(.check) .chip.exhausted").count() == 7


def test_a_mistake_is_shown_with_its_caret(visit: Visit, arcproof: Callable[..., Result], tmp_path: Path) -> None:
    page = visit.page
    typed(page, MISTAKE)
    page.wait_for_selector("#problems:not([hidden])")
    (tmp_path / "own.tsys").write_text(MISTAKE, encoding="utf-8")
    told = arcproof("check", "own.tsys").err

    shown = page.inner_text("#problems pre")
    assert "  12 |   default SHFIT\n     |           ^^^^^\n" in shown
    assert shown.strip() == told.replace("own.tsys", "<text>").strip()
    assert page.is_disabled("#start")
    page.click("#problems button >> text=line 12, column 11")
    assert (
        page.evaluate("getSelection().toString() || text.value.slice(text.selectionStart, text.selectionEnd)")
        == "SHFIT"
    )
    typed(page, ARC_EAGER)
    assert page.is_hidden("#problems")


def test_a_run_is_stepped_through_and_the_address_reproduces_it(visit: Visit, address: str) -> None:
    page = visit.page
    typed(page, ARC_EAGER)
    page.fill("#board [name=sentence]", "")
    page.fill("#board [name=heads]", "2,0,2")
    page.click("#board button[type=submit]")
    page.wait_for_selector("#board [name=heads][value='2,0,2']")
    for number, name in enumerate(("SHIFT", "LEFT-ARC", "RIGHT-ARC"), start=1):
        page.click(f"#board a.choice >> text={name}")
        page.wait_for_selector(f"#board .run output >> text={name}, {number} of {number}")
    assert page.inner_text("#board .run output") == "RIGHT-ARC, 3 of 3"
    page.click("#board [data-go=back]")
    assert page.inner_text("#board .run output") == "LEFT-ARC, 2 of 3"
    link = page.evaluate("location.href")
    page.go_back()
    page.wait_for_selector("#board .run output >> text=LEFT-ARC, 2 of 2")

    assert link.startswith(
        f"{address}#system=arc-eager&heads=2%2C0%2C2&oracle=reduce-late&run=SHIFT+LEFT-ARC+RIGHT-ARC"
    )


def test_a_claim_that_is_false_is_refuted_and_what_is_hostile_stays_text(visit: Visit) -> None:
    page = visit.page
    typed(page, FALSE.replace("Nivre 2003;", "<img src=x onerror=alert(1)> ${7*7};"))
    page.select_option("#words", "2")
    page.click("#start:not([disabled])")
    page.wait_for_selector("#verified .verdict .chip.refuted")

    assert "length ≤ n" in page.inner_text("#verified .claim.refuted")
    assert page.locator("#verified .claim.refuted .run").count() >= 1
    assert page.locator("img").count() == 0


def test_verifying_can_be_stopped_and_begun_again(visit: Visit) -> None:
    page = visit.page
    typed(page, source_of("two-planar"))
    page.select_option("#words", "4")
    page.click("#start:not([disabled])")
    page.click("#stop")
    page.wait_for_selector("#stop", state="hidden")
    assert page.inner_text("#progress") == "Stopped."
    page.select_option("#system", "arc-standard")
    page.wait_for_selector("#read >> text=arc-standard")
    page.select_option("#words", "1")
    page.click("#start:not([disabled])")
    page.wait_for_selector("#verified .verdict")

    assert "up to 1 word was tried" in page.inner_text("#verified .verdict")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 1200), ("light", 400)])
def test_nothing_is_cut_off(visit: Visit, scheme: str, width: int, tmp_path: Path) -> None:
    page = visit.page
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    folder = Path(os.environ.get("ARCPROOF_SCREENSHOTS", tmp_path))
    page.screenshot(path=folder / f"playground-{scheme}-{width}.png", full_page=True)

    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_nothing_was_asked_of_the_network_and_nobody_complained(visit: Visit, address: str) -> None:
    """Last: of all that the tests above did."""
    assert [url for url in visit.requests if not url.startswith((address, "data:"))] == []
    assert [text for text in visit.complaints if not text.startswith("log:")] == []

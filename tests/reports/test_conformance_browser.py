"""The page of a conformance run in a real browser."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arcproof.properties.conformance.conform import Extent, compare
from arcproof.properties.conformance.driver import parts_of
from arcproof.reports.conformance_page import conformance_html
from arcproof.transitions.system import load
from tests.browser import Visit, launched
from tests.testing.drivers import CallsFree, RefusesItsOracle, State

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    with launched() as found:
        yield found


@pytest.fixture
def visit(browser: "Browser") -> "Iterator[Visit]":
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield Visit(context.new_page())
    context.close()


class Hostile(RefusesItsOracle, CallsFree):
    not_modelled = (HOSTILE,)

    def version(self) -> str:
        return HOSTILE

    def heads(self, c: State) -> Sequence[int | None]:
        if c.heads:
            raise ValueError(HOSTILE)
        return c.heads


@pytest.fixture
def page(tmp_path: Path) -> Path:
    found = compare(load("arc-eager"), HOSTILE, parts_of(Hostile), Extent(words=3, samples=0))
    file = tmp_path / "index.html"
    file.write_text(conformance_html(found), encoding="utf-8")
    return file


def test_the_page_opens_without_a_complaint_and_hostile_texts_stay_text(visit: Visit, page: Path) -> None:
    visit.open(page.as_uri())

    assert not visit.complaints
    assert HOSTILE in visit.page.inner_text("h1")
    assert visit.page.locator("article.claim").count() >= 3


def test_the_run_can_be_stepped_through(visit: Visit, page: Path) -> None:
    visit.open(page.as_uri())
    run = visit.page.locator("figure.run").first
    run.get_by_role("button", name="First").click()

    assert "start" in run.locator("output").inner_text().lower()


def test_on_a_narrow_screen_nothing_is_cut(visit: Visit, page: Path) -> None:
    visit.page.set_viewport_size({"width": 360, "height": 800})
    visit.open(page.as_uri())

    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 360

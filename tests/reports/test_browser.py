"""The page in a real browser: it opens without a complaint, runs can be stepped through, hostile names stay text, and
it can be looked at.

The pictures that `test_pictures` takes are kept where ARCPROOF_SCREENSHOTS names a folder.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arcproof.generators.treebank import read
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.report import Effort, Report
from arcproof.properties.studies.coverage import cover
from arcproof.properties.studies.mutation import mutate
from arcproof.properties.verify import verify_system
from arcproof.reports.audit import AuditEntry
from arcproof.reports.experiment_results import Training
from arcproof.reports.page import Coverage, Extras, report_html
from arcproof.transitions.library import source_of
from arcproof.transitions.system import load
from tests.browser import Visit, launched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>'\"&amp;${7*7}{{7*7}}"
ARC_EAGER = source_of("arc-eager")
WITHOUT_HEAD = ARC_EAGER.replace("if head(i)", "if i != 0", 1)
WEAK_ORACLE = ARC_EAGER.replace("j|β   if head(i), exists k in σ: gold k -> j or gold j -> k", "_|β   if head(i)")
EFFORT = Effort(3, Sampling(2), engine="interpreter")


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    with launched() as found:
        yield found


@pytest.fixture
def visit(browser: "Browser") -> "Iterator[Visit]":
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    yield Visit(context.new_page())
    context.close()


@pytest.fixture(scope="module")
def report_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with everything on it: a sound system, two with mistakes, treebank, training, audit."""
    folder = tmp_path_factory.mktemp("page")
    systems = [load(text) for text in (source_of("swap"), WITHOUT_HEAD, WEAK_ORACLE)]
    (folder / "t.conllu").write_text("1\tHej\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    spread, covered = cover(systems, read(str(folder / "t.conllu"), forests=True))
    extras = Extras(
        tuple(mutate(s, 3) for s in systems[1:2]),
        (Coverage("t.conllu", spread, covered),),
        Training("grid", (("variant", "treebank", "LAS"), ("swap", "t", "71.00"))),
        (AuditEntry("N08.1", "Forests can be made trees", "Nivre 2008", "confirmed up to 5 words", "exhausted"),),
        "claims.md",
    )
    page = folder / "index.html"
    page.write_text(report_html(Report(tuple(verify_system(s, EFFORT) for s in systems)), extras), encoding="utf-8")
    return page


@pytest.fixture(scope="module")
def hostile_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Free text of a specification, names of files, of treebanks and of experiments that try to be markup."""
    text = ARC_EAGER.replace(
        '"Nivre 2003; Nivre 2008, Figure 5; Goldberg & Nivre 2012 (costs)"', f'"{HOSTILE.replace(chr(34), "")}"'
    )
    text = text.replace("  state ", f'  note "{HOSTILE.replace(chr(34), "")}"\n  state ', 1)
    folder = tmp_path_factory.mktemp("hostile")
    specification = folder / f"{HOSTILE.replace('/', '')}.tsys"
    specification.write_text(text.replace("if head(i)", "", 1), encoding="utf-8")
    extras = Extras((), (), Training(HOSTILE, (("variant", "treebank", "LAS"), (HOSTILE, HOSTILE, HOSTILE))),
        (AuditEntry(HOSTILE, HOSTILE, HOSTILE, "refuted", "refuted", f" {HOSTILE}"),), HOSTILE)  # fmt: skip
    report = Report((verify_system(load(str(specification)), EFFORT),))
    page = folder / "index.html"
    page.write_text(report_html(report, extras), encoding="utf-8")
    return page


def test_the_page_opens_without_a_complaint_and_asks_for_nothing(visit: Visit, report_file: Path) -> None:
    page = visit.open(report_file.as_uri())

    assert "3 transition systems" in page.inner_text("h1")
    assert visit.complaints == []
    assert [url for url in visit.requests if not url.startswith("data:")] == [report_file.as_uri()]


def test_a_page_with_an_error_in_its_script_is_noticed(visit: Visit, report_file: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.html"
    broken.write_text(
        report_file.read_text(encoding="utf-8").replace("function tips()", "function ()"), encoding="utf-8"
    )
    visit.open(broken.as_uri())

    assert visit.complaints


def stepped(page: "Page") -> "Locator":
    """The counterexample to soundness of the figure whose REDUCE asks too little."""
    run = page.locator(".claim.refuted .run").first
    run.scroll_into_view_if_needed()
    return run


def current(run: "Locator") -> str:
    return run.locator("tr[aria-current=step] td").first.inner_text()


def shown_arcs(run: "Locator") -> int:
    return run.locator(".arc:not(.absent)").count()


def test_stepping_changes_row_picture_and_state(visit: Visit, report_file: Path) -> None:
    page = visit.open(report_file.as_uri())
    run = stepped(page)
    assert current(run) == "RIGHT-ARC"
    assert shown_arcs(run) == 1
    assert run.locator(".drawn .now .seq").nth(0).get_attribute("aria-label") == "[0, 2]"
    assert "is not among the projective forests" in run.locator(".said").inner_text()

    run.get_by_role("button", name="Step back").click()

    assert current(run) == "REDUCE"
    assert shown_arcs(run) == 0
    assert run.locator(".drawn .now .seq").nth(0).get_attribute("aria-label") == "[0]"
    assert run.locator(".by .now .tname").inner_text() == "Reduce"
    assert "i = 1" in run.locator(".by").inner_text()
    run.get_by_role("button", name="First configuration").click()
    assert current(run) == "start"
    assert run.get_by_role("button", name="Step back").is_disabled()
    assert visit.complaints == []


@pytest.mark.nightly
def test_arrow_keys_step_too_and_the_ends_hold(visit: Visit, report_file: Path) -> None:
    run = stepped(visit.open(report_file.as_uri()))
    run.focus()
    seen = []
    for key in ("Home", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"):
        run.press(key)
        seen.append(current(run))

    assert seen == ["start", "start", "SHIFT", "REDUCE", "RIGHT-ARC", "RIGHT-ARC"]


@pytest.mark.nightly
def test_the_signs_of_the_summary_say_what_was_done(visit: Visit, report_file: Path) -> None:
    page = visit.open(report_file.as_uri())
    chip = page.locator(".matrix .chip.exhausted").first
    assert page.locator("#tip").is_hidden()
    chip.focus()

    assert page.locator("#tip").is_visible()
    assert re.search(
        r"all up to 3 words.*Sentences of more than 3 words were sampled", page.locator("#tip").inner_text(), re.S
    )
    page.keyboard.press("Escape")
    assert page.locator("#tip").is_hidden()


@pytest.mark.nightly
def test_everything_can_be_reached_by_keyboard_and_has_a_name(visit: Visit, report_file: Path) -> None:
    page = visit.open(report_file.as_uri())
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('a, button, select, input, [tabindex], svg, section')]
            .filter(part => !part.closest('[hidden]'))
            .filter(part => !(part.getAttribute('aria-label') || part.textContent.trim() || part.labels?.length))
            .map(part => part.outerHTML.slice(0, 100))"""
    )
    assert nameless == []
    doubled = page.evaluate(
        "() => { const ids = [...document.querySelectorAll('[id]')].map(part => part.id);"
        " return ids.filter((id, k) => ids.indexOf(id) !== k) }"
    )
    assert doubled == []
    dangling = page.evaluate(
        "() => [...document.querySelectorAll('a[href^=\"#\"]')].filter(a => "
        "!document.getElementById(decodeURIComponent(a.getAttribute('href').slice(1)))).map(a => a.href)"
    )
    assert dangling == []


CONTRAST = """() => {
  const luminance = (colour) => {
    const canvas = document.createElement('canvas').getContext('2d');
    canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(v => v / 255)
      .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
      .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
  };
  const behind = (part) => { for (; part; part = part.parentElement) { const b = getComputedStyle(part).backgroundColor; if (!/, 0\\)$|transparent/.test(b)) return b; } return 'white'; };
  return [...document.querySelectorAll('.chip, .facts, .quiet, h4, .reason, td, th, figcaption, summary, a')]
    .filter(part => part.checkVisibility() && part.textContent.trim())
    .map(part => { const [a, b] = [getComputedStyle(part).color, behind(part)].map(luminance).sort((x, y) => y - x); return [(a + 0.05) / (b + 0.05), part.className + ' ' + part.textContent.slice(0, 30)]; })
    .filter(([ratio, text]) => ratio < 4.5 && !text.startsWith('none')).slice(0, 5);
}"""


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_have_enough_contrast(visit: Visit, report_file: Path, scheme: str) -> None:
    page = visit.page
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    visit.open(report_file.as_uri())

    assert page.evaluate(CONTRAST) == []


@pytest.mark.nightly
def test_light_and_dark_can_be_switched(visit: Visit, report_file: Path) -> None:
    page = visit.open(report_file.as_uri())

    def background() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    light = background()
    page.get_by_role("button", name="Switch between light and dark").click()

    assert background() != light


def test_hostile_names_stay_text(visit: Visit, hostile_file: Path) -> None:
    page = visit.open(hostile_file.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
    page.wait_for_timeout(100)

    assert visit.complaints == []
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 1
    assert page.locator("text=<script>alert(1)</script>").count() >= 6
    assert page.locator("text={{7*7}}").count() >= 4


@pytest.mark.nightly
def test_without_scripts_everything_is_still_there(browser: "Browser", report_file: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report_file.as_uri())

    assert page.locator(".claim.refuted .run .rows tbody tr").first.is_visible()
    assert page.locator(".claim.refuted .run .arc").first.is_visible()
    assert page.locator(".claim.refuted .controls").first.is_hidden()
    context.close()


@pytest.mark.nightly
def test_on_a_narrow_screen_nothing_is_cut(visit: Visit, report_file: Path) -> None:
    page = visit.page
    page.set_viewport_size({"width": 400, "height": 900})
    visit.open(report_file.as_uri())
    cut = page.evaluate(
        """() => [...document.querySelectorAll('.bar-top a, .bar-top button, .bar-top select, .needs td')]
            .filter(part => part.getClientRects().length)
            .filter(part => { const place = part.getBoundingClientRect(); return place.right > innerWidth || place.left < 0; })
            .map(part => part.textContent)"""
    )

    assert page.locator(".needs td").count() > 0
    assert cut == []

"""The page in a real browser: it opens without a complaint, runs can be stepped through, hostile names stay text, and
it can be looked at.

The pictures that `test_pictures` takes are kept where ARCPROOF_SCREENSHOTS names a folder.
"""

import os
import re
import time
from collections.abc import Iterator
from dataclasses import replace
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
from tests.priceless import without_costs

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>'\"&amp;${7*7}{{7*7}}"
ARC_EAGER = source_of("arc-eager")
WITHOUT_HEAD = ARC_EAGER.replace("if head(i)", "if i != 0", 1)
WEAK_ORACLE = ARC_EAGER.replace("j|β   if head(i), exists k in σ: gold k -> j or gold j -> k", "_|β   if head(i)")
LOOPING = (
    without_costs("arc-eager")
    .split("  claims")[0]
    .replace("  SHIFT ", "  IDLE           σ, β       =>  σ, β\n  SHIFT ", 1)
    + "  claims\n    terminates\n"
)
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
def mistakes_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The claims of the figures with mistakes, nothing else."""
    effort = replace(EFFORT, in_depth=False)
    page = tmp_path_factory.mktemp("mistakes") / "index.html"
    report = Report(tuple(verify_system(load(text), effort) for text in (WITHOUT_HEAD, WEAK_ORACLE, LOOPING)))
    page.write_text(report_html(report), encoding="utf-8")
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
def test_keys_still_work_after_a_link_and_after_the_buttons(visit: Visit, mistakes_file: Path) -> None:
    """What has the focus steps: the run whose link was followed, or the button that was clicked, also where it can do
    no more.
    """
    page = visit.open(mistakes_file.as_uri())
    link = page.locator("#attention a").first
    run = stepped(page)
    for way in ("a new place", "the place where the page is"):
        link.click()
        page.locator(".run:focus").wait_for()
        page.keyboard.press("Home")
        assert current(run) == "start", way
    page.keyboard.press("ArrowRight")
    assert current(run) == "SHIFT"
    for name, key, expected in (
        ("Step back", "ArrowRight", "SHIFT"),
        ("First configuration", "ArrowRight", "SHIFT"),
        ("Last configuration", "ArrowLeft", "REDUCE"),
        ("Next step", "ArrowLeft", "REDUCE"),
    ):
        run.get_by_role("button", name=name).click()
        assert run.get_by_role("button", name=name).is_disabled()
        page.keyboard.press(key)
        assert current(run) == expected, name


PLACES = """(run) => {
  const [button, rules, notes] = ['[data-go=next]', '.by', '.notes'].map(part => run.querySelector(part).getBoundingClientRect());
  return [button.left, button.top + scrollY, rules.top + scrollY, rules.height, notes.height];
}"""


@pytest.mark.nightly
@pytest.mark.parametrize("width", [1280, 400])
def test_nothing_moves_from_step_to_step(visit: Visit, mistakes_file: Path, width: int) -> None:
    page = visit.open(mistakes_file.as_uri())
    page.set_viewport_size({"width": width, "height": 900})
    for run in (stepped(page), page.locator(".claim.refuted", has_text="oracle correct: reduce-late").locator(".run")):
        run.first.focus()
        page.keyboard.press("Home")
        places = set()
        for _ in range(run.first.locator("tbody tr").count()):
            places.add(tuple(run.first.evaluate(PLACES)))
            page.keyboard.press("ArrowRight")
        assert len(places) == 1


@pytest.mark.nightly
def test_one_transition_is_not_several(visit: Visit, tmp_path: Path) -> None:
    broken = load(ARC_EAGER.split("  claims")[0] + "  claims\n    #RIGHT-ARC <= 0\n")
    (tmp_path / "index.html").write_text(report_html(Report((verify_system(broken, EFFORT),))), encoding="utf-8")
    run = stepped(visit.open((tmp_path / "index.html").as_uri()))
    run.get_by_role("button", name="First configuration").click()

    assert run.locator("output").inner_text() == "start, then 1 transition"
    assert "1 transition;" in (run.get_attribute("aria-label") or "")


@pytest.mark.nightly
def test_clicking_a_row_goes_there(visit: Visit, report_file: Path) -> None:
    run = stepped(visit.open(report_file.as_uri()))
    run.locator("tbody tr").nth(1).click()

    assert current(run) == "SHIFT"


def failing_oracle(page: "Page") -> "Locator":
    """How far the oracle gets that reduces too early."""
    return page.locator(".claim.refuted", has_text="oracle correct: reduce-late").locator(".run").first


@pytest.mark.nightly
def test_the_line_of_the_oracle_and_what_it_should_have_done_are_shown(visit: Visit, mistakes_file: Path) -> None:
    run = failing_oracle(visit.open(mistakes_file.as_uri()))

    said = "SHIFT would have kept it within reach; line 4, SHIFT, would ask for it, but an earlier line decides"
    assert run.locator(".said").inner_text().endswith(said)
    run.focus()
    seen = []
    for key in ("Home", "ArrowRight", "ArrowRight"):
        run.press(key)
        seen.append(" ".join(run.locator(".by .now .asked").all_inner_texts()).split("\n"))
    assert [lines[:2] for lines in seen] == [
        [""], ["Oracle reduce-late, line 2:", "Right-Arcl"], ["Oracle reduce-late, line 3:", "Reduce"],
    ]  # fmt: skip
    assert "head(i)" in seen[-1][-1]


@pytest.mark.nightly
@pytest.mark.parametrize("width", [1280, 400])
def test_a_reason_has_a_row_of_its_own_and_is_said_twice_at_most(visit: Visit, mistakes_file: Path, width: int) -> None:
    page = visit.open(mistakes_file.as_uri())
    page.set_viewport_size({"width": width, "height": 900})
    for claim in page.locator(".claim.refuted").all():
        reason = claim.locator(".reason").inner_text().split(", because")[0]
        claim.locator(".run").first.focus()
        page.keyboard.press("End")
        assert 1 <= claim.inner_text().count(reason) <= 2
    run = failing_oracle(page)
    assert "would have kept" in run.locator("tr.why").inner_text()
    assert all((row.bounding_box() or {"height": 999})["height"] < 110 for row in run.locator("tbody tr").all())
    box, frame = run.locator("tr.why p").bounding_box(), run.locator(".wide").bounding_box()
    assert box is not None
    assert frame is not None
    assert box["x"] + box["width"] <= frame["x"] + frame["width"]
    run.locator("tr.why").click()
    assert current(run) == "REDUCE"


@pytest.mark.nightly
def test_a_loop_is_marked_and_the_root_is_drawn_though_no_arc_touches_it(visit: Visit, mistakes_file: Path) -> None:
    run = visit.open(mistakes_file.as_uri()).locator(".claim.refuted", has_text="terminates").locator(".run").first
    run.press("End")

    assert "the same configuration as at the start" in run.locator(".said").inner_text()
    assert run.locator(".arc").count() == 0
    assert run.locator("svg text", has_text="ROOT").count() == 1


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_gold_arcs_that_are_missing_can_be_seen(visit: Visit, mistakes_file: Path, scheme: str) -> None:
    visit.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    run = failing_oracle(visit.open(mistakes_file.as_uri()))
    run.press("Home")

    assert run.locator(".arc.absent").count() >= 3
    assert run.locator(".arc.absent").first.evaluate(SEEN) >= 3


@pytest.mark.nightly
def test_an_oracle_that_fails_is_shown_with_the_step_that_lost_the_graph(visit: Visit, report_file: Path) -> None:
    page = visit.open(report_file.as_uri())
    run = page.locator(".claim.refuted", has_text="oracle correct: reduce-late").locator(".run").first
    run.scroll_into_view_if_needed()

    assert "from here on, no run leads to this graph" in run.locator(".said").inner_text()
    assert current(run) == "REDUCE"


@pytest.mark.nightly
def test_crossing_arcs_are_marked_when_both_are_there(visit: Visit, report_file: Path) -> None:
    page = visit.open(report_file.as_uri())
    page.evaluate("document.querySelectorAll('#swap details').forEach(part => { part.open = true })")
    run = page.locator("#swap .run", has=page.locator("text=follows")).first
    assert run.locator(".arc.x").count() == 3
    run.get_by_role("button", name="First configuration").click()

    assert run.locator(".arc.x").count() == 0


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
def test_a_link_of_the_summary_opens_the_evidence(visit: Visit, report_file: Path) -> None:
    page = visit.open(report_file.as_uri())
    page.locator(".matrix .chip.refuted").first.click()

    assert page.locator(".claim.refuted .run").first.is_visible()


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


SEEN = """(arc) => {
  const luminance = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
  const style = getComputedStyle(arc.querySelector('path'));
  const [ink, paper] = [style.stroke, getComputedStyle(arc.closest('.run')).backgroundColor];
  if (Number(getComputedStyle(arc).opacity) < 1) return 0;
  const [a, b] = [ink, paper].map(luminance).sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
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
def test_pictures(browser: "Browser", report_file: Path, tmp_path: Path) -> None:
    """Wide and narrow, light and dark, and on paper; nothing sticks out at the side."""
    kept = Path(os.environ.get("ARCPROOF_SCREENSHOTS", tmp_path))
    kept.mkdir(parents=True, exist_ok=True)
    for name, width, scheme in (("light", 1280, "light"), ("dark", 1280, "dark"), ("narrow", 380, "light")):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(report_file.as_uri())
        page.screenshot(path=kept / f"report-{name}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        context.close()
    page = browser.new_page()
    page.goto(report_file.as_uri())
    page.pdf(path=kept / "report-print.pdf", format="A4", print_background=False)
    page.close()

    assert (kept / "report-print.pdf").read_bytes().startswith(b"%PDF")
    assert all((kept / f"report-{name}.png").stat().st_size > 20_000 for name in ("light", "dark", "narrow"))


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


@pytest.mark.nightly
def test_the_page_is_usable_immediately(visit: Visit, report_file: Path) -> None:
    """What is measured is written to standard output; a shared machine decides nothing."""
    began = time.perf_counter()
    page = visit.open(report_file.as_uri())
    stepped(page).get_by_role("button", name="Step back").click()
    print(f"opened and stepped after {time.perf_counter() - began:.2f} s")


@pytest.mark.nightly
def test_the_page_of_the_whole_library_is_small_and_opens(visit: Visit, tmp_path: Path) -> None:
    from arcproof.transitions.library import system_names

    systems = [load(name) for name in system_names()]
    effort = Effort(4, Sampling(5), engine="compiled", proofs="kept")
    page = report_html(
        Report(tuple(verify_system(system, effort) for system in systems)),
        Extras(tuple(mutate(system, 3, engine="compiled") for system in systems)),
    )
    path = tmp_path / "library.html"
    path.write_text(page, encoding="utf-8")
    began = time.perf_counter()
    opened = visit.open(path.as_uri())
    opened.locator(".matrix .chip").first.focus()
    assert opened.locator("#tip").is_visible()
    print(f"{path.stat().st_size} bytes, usable after {time.perf_counter() - began:.2f} s")

    assert path.stat().st_size < 5_000_000
    assert visit.complaints == []
    assert opened.locator("section.system").count() == len(systems)

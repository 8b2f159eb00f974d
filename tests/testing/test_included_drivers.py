"""The drivers that are included: what can be said of them where no library is installed, and the class of a course."""

import re
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from arcproof.properties.conformance.case import OneCase
from arcproof.properties.conformance.conform import Extent, compare
from arcproof.properties.conformance.divergence import Kind, StateDiffers, kind_of
from arcproof.properties.conformance.driver import MissingLibrary, parts_of
from arcproof.properties.conformance.references import included, included_names, named
from arcproof.testing import drivers
from arcproof.testing.drivers.course import Course
from arcproof.transitions.reading.read import read_class
from arcproof.transitions.system import load
from tests.conftest import ROOT
from tests.in_process import Result

FOLDER = Path(drivers.__file__).parent
INCLUDED = [driver for name in included_names() for driver in included(name)]
WITH_LIBRARY = [driver for driver in INCLUDED if hasattr(driver.kind, "requires")]


def test_every_module_has_drivers_or_wraps_a_class() -> None:
    assert included_names() == ("course", "nltk", "spacy", "stanza", "udpipe", "uuparser")
    assert {driver.module.rpartition(".")[2] for driver in INCLUDED} == {
        "nltk",
        "spacy",
        "stanza",
        "udpipe",
        "uuparser",
    }


@pytest.mark.parametrize("driver", INCLUDED, ids=lambda driver: driver.reference)
def test_a_driver_declares_a_figure_and_a_class_that_exist(driver: Any) -> None:
    system = load(driver.figure)

    assert system.figure.rules
    assert read_class(driver.kind.golds)


@pytest.mark.parametrize("driver", WITH_LIBRARY, ids=lambda driver: driver.reference)
def test_a_driver_names_the_release_it_was_tried_with(driver: Any) -> None:
    pins = "".join((ROOT / "tools" / name).read_text() for name in ("audit.txt", "audit-alone.txt"))
    library = driver.kind.requires
    assert library == driver.module.rpartition(".")[2]
    [pinned] = re.findall(rf"^{library}==(.*)$", pins, flags=re.MULTILINE)

    assert f"Tried with {library} {pinned}." in (import_module(driver.module).__doc__ or "")


@pytest.mark.parametrize("driver", WITH_LIBRARY, ids=lambda driver: driver.reference)
def test_a_missing_library_is_named(driver: Any) -> None:
    if find_spec(driver.kind.requires) is not None:
        pytest.skip(f"{driver.kind.requires} is installed")

    with pytest.raises(MissingLibrary, match=f"pip install '{driver.kind.requires}'"):
        parts_of(driver.driver)


@pytest.mark.parametrize("name", ["hybrid-swap-one-root", "stanza"])
def test_a_figure_beside_a_driver_meets_its_claims(name: str, arcproof: Callable[..., Result]) -> None:
    assert arcproof("verify", str(FOLDER / f"{name}.tsys"), "--words", "3", "--samples", "0").code == 0


# --- UDPipe's algorithms, transcribed --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Projective", "Swap", "LazySwap", "Link2"])
def test_oracles_of_udpipe_lead_to_their_gold_trees(name: str) -> None:
    (driver,) = [driver for driver in included("udpipe") if driver.kind.__name__ == name]
    found = compare(load(driver.figure), name, parts_of(driver.driver), Extent(words=4, samples=20))

    assert found.conforms
    assert {one.part for one in found.looked} >= {"runs", "oracle"}


def test_the_dynamic_oracle_of_udpipe_is_wrong_in_one_situation_of_five_words() -> None:
    driver = named("udpipe", "arc-standard-stack")
    case = OneCase(5, ("SHIFT", "SHIFT", "RIGHT-ARC"), (0, 3, 4, 5, 0))
    found = compare(load(driver.figure), "udpipe", parts_of(driver.driver), Extent(), case=case)

    (one,) = found.found
    assert kind_of(one.divergence.what) == (Kind.COST, "costly called free, SHIFT")


# --- a course's class ------------------------------------------------------------------------------------------------


class PartialParse:
    """As the assignment wants it."""

    def __init__(self, sentence: list[str]) -> None:
        self.sentence = sentence
        self.stack, self.buffer = ["ROOT"], list(sentence)
        self.dependencies: list[tuple[str, str]] = []

    def parse_step(self, transition: str) -> None:
        if transition == "S":
            self.stack.append(self.buffer.pop(0))
            return
        below, top = self.stack[-2:]
        self.dependencies.append((top, below) if transition == "LA" else (below, top))
        self.stack.pop(-2 if transition == "LA" else -1)


class PopsTheWrongNode(PartialParse):
    """RA removes the head."""

    def parse_step(self, transition: str) -> None:
        dependent = self.stack[-1]
        super().parse_step(transition)
        if transition == "RA":
            self.stack[-1] = dependent


def held(kind: type) -> Any:
    return compare(load(Course.figure), kind.__name__, parts_of(Course(kind)), Extent(words=3, samples=5))


def test_a_right_solution_conforms() -> None:
    assert held(PartialParse).conforms


def test_a_solution_that_pops_the_wrong_node_is_caught_with_one_word() -> None:
    first = next(one for one in held(PopsTheWrongNode).found if kind_of(one.divergence.what)[0] is Kind.STATE)

    assert (first.divergence.words, first.divergence.run) == (1, ("SHIFT", "RIGHT-ARC"))
    assert isinstance(first.divergence.what, StateDiffers)
    assert (first.divergence.what.figure, first.divergence.what.driver) == ((0,), (1,))


def test_the_class_is_recognised_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "a_course_solution.py"
    path.write_text("class PartialParse:\n    def parse_step(self, transition): ...\n\n\nclass Other: ...\n")

    found = named(f"{path}:PartialParse")
    assert isinstance(found.driver, Course)
    assert found.figure == "arc-standard-stack"
    assert named(f"{path}:Other").wrapper is None

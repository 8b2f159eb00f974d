"""Room for nodes that are in several places: as little as suffices, so that more words fit."""

import pytest

from arcproof.properties.engines.engine import Compiled, engine_for
from arcproof.properties.engines.exploration import explore
from arcproof.transitions.system import load

pytestmark = pytest.mark.compiler

TWO_PLANAR = "two-planar"


def test_room_is_taken_step_by_step() -> None:
    system = load(TWO_PLANAR)
    engine = engine_for(system, "compiled")
    assert isinstance(engine, Compiled)

    found = engine.count(3, None)

    assert (engine.programs.room, engine.until) == (2, None)
    assert found.configurations == explore(system, 3).size


def test_what_is_shared_by_two_stacks_fits_with_seven_words() -> None:
    system = load(TWO_PLANAR)
    engine = engine_for(system, "compiled")
    assert isinstance(engine, Compiled)
    roomier = engine.programs.with_room()

    start = system.start(7)

    assert roomier.layout(7).unpack(*roomier.layout(7).pack(start)) == start
    assert roomier.with_room().has_most_room

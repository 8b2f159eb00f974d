"""Places of a text in the units of a client and back."""

import pytest
from lsprotocol import types as lsp
from pygls.workspace import PositionCodec

from arcproof.editors.diagnosis import diagnose_text
from arcproof.editors.server import Places
from tests.editors.test_services import FIGURE

MANY_BYTES = FIGURE.replace("  parameter", '  note "𝜎𝜏 α" x\n  parameter')


@pytest.mark.parametrize(("encoding", "start"), [("utf-16", 16), ("utf-8", 21), ("utf-32", 14)])
def test_places_are_counted_in_the_units_of_the_client(encoding: str, start: int) -> None:
    """Letters beyond the basic plane are one character, two units of UTF-16 and four of UTF-8."""
    places = Places(MANY_BYTES, PositionCodec(lsp.PositionEncodingKind(encoding)))
    [found] = diagnose_text(MANY_BYTES).diagnostics
    told = places.range(found.where)

    assert told == lsp.Range(lsp.Position(1, start), lsp.Position(1, start + 1))
    assert places.place(told.start) == (found.where.line, found.where.column)
    assert places.place(lsp.Position(1, 99)) == (2, 16)
    assert places.place(lsp.Position(99, 0)) == (MANY_BYTES.count("\n") + 1, 1)

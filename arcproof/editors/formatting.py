"""A specification formatted like the built-in ones, if nothing is lost."""

from arcproof.transitions.errors import BadSpecification
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.reading.read import read_figure, with_newlines
from arcproof.transitions.reading.statements import code_of


class CannotFormat(Exception):
    """The text cannot be formatted; the message says why."""


def formatted(text: str) -> str:
    """Return the text in the form of `arcproof show --format source`; `CannotFormat` if it has errors, or comments
    would be lost.
    """
    try:
        figure = read_figure(text)
    except BadSpecification as error:
        where = error.diagnostics[0].where
        raise CannotFormat(f"not formatted: there is an error in line {where.line}; fix it first") from None
    for number, line in enumerate(with_newlines(text).split("\n"), start=1):
        if code_of(line) != line:
            raise CannotFormat(f"not formatted: the comment in line {number} would be lost")
    printed = to_source(figure)
    if read_figure(printed) != figure:
        raise CannotFormat("not formatted: the printed figure would not be the same; please report this")
    return printed

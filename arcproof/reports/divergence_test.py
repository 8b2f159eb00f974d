"""Divergences as a pytest file: one function each, which replays the case and fails until nothing in it diverges."""

import textwrap
from os.path import relpath
from pathlib import Path
from typing import Final

from arcproof._version import __version__
from arcproof.properties.conformance.conform import Conformance
from arcproof.properties.conformance.divergence import Found, kind_of
from arcproof.reports.divergences import case_options, run_text, sentence

WRITTEN: Final = "# Written by arcproof "
"""How the first line of every such file begins."""
WIDTH: Final = 106


def is_written_by_arcproof(path: str) -> bool:
    """Whether a test may overwrite a file: one that arcproof wrote, or an empty one."""
    with open(path, "rb") as file:
        first = file.readline()
    return not first or first.startswith(WRITTEN.encode())


def to_pytest(found: Conformance, path: str) -> str:
    """Return the file; one on standard output is taken to be in the current directory."""
    folder = Path(".") if path == "-" else Path(path).resolve().parent
    figure = None if found.system.reference == found.declared.figure else found.system.reference
    file, _, kind = found.driver.rpartition(":")
    driver = f"{_expression(file, folder)} + {f':{kind}'!r}" if file.endswith(".py") else repr(found.driver)
    names = f"FIGURE = {'None  # the one that the driver names' if figure is None else _expression(figure, folder)}"
    names += f"\nDRIVER = {driver}\n"
    imports = "from pathlib import Path\n\n" if "Path(" in names else ""
    return (
        f"{WRITTEN}conform {__version__}, which may overwrite it.\n"
        '"""Each test fails until its divergence is fixed."""\n\n'
        f"{imports}from arcproof.testing import assert_conforms\n\n{names}"
        + "".join(_test(found, one) for one in found.found)
    )


def _expression(name: str, folder: Path) -> str:
    """Return an expression for a name; that of a file is relative to the test, so that both can be moved together."""
    if not Path(name.partition("[")[0]).is_file():
        return repr(name)
    try:
        way = Path(relpath(Path(name).resolve(), folder.resolve())).as_posix()
    except ValueError:  # on another drive
        return repr(str(Path(name).resolve()))
    return f"str(Path(__file__).parent / {way!r})"


def _test(found: Conformance, one: Found) -> str:
    given = ", ".join(f"{name}={value!r}" for name, value in case_options(found, one.divergence))
    text = f"{run_text(one.divergence)}: {sentence(one.divergence.what)}."
    lines = textwrap.wrap(text.replace("\\", "\\\\").replace('"', "'"), WIDTH)
    docstring = "\n    ".join(lines) + ("\n    " if len(lines) > 1 else "")
    return f'\n\ndef {_title(one)}():\n    """{docstring}"""\n    assert_conforms(FIGURE, DRIVER, {given})\n'


def _title(one: Found) -> str:
    """Return a title from the kind and the detail, which no two divergences in a report share."""
    kind, detail = kind_of(one.divergence.what)
    return "test_" + "".join(letter if letter.isalnum() else "_" for letter in f"{kind.value} {detail}".strip())

"""What several commands share: naming systems, checking outputs, writing files."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from rich.console import Console

    from arcproof.transitions.system import System


def complete_system(
    ctx: click.Context,  # noqa: ARG001 - click
    param: click.Parameter,  # noqa: ARG001 - click
    incomplete: str,
) -> list[CompletionItem]:
    """The completions of a system's name for the shell: built-in names that begin like this, or else files."""
    from arcproof.transitions.library import system_names

    names = [CompletionItem(name) for name in system_names() if name.startswith(incomplete)]
    return names or [CompletionItem(incomplete, type="file")]


def load_system(reference: str) -> "System":
    """Load the system that a user named."""
    from arcproof.transitions.system import load

    if "\n" in reference:
        raise click.UsageError("a system is given by its name or by the path of its specification")
    return checked_system(load(reference))


def checked_system(system: "System") -> "System":
    """Return the same system, if everything that its claims and lemmas name can be read."""
    check_references(system)
    if system.figure.lemmas:
        from arcproof.properties.proving.library.given import check_lemmas

        check_lemmas(system)
    return system


def check_references(system: "System") -> None:
    """Refuse a claim about a system that cannot be read, or cannot have these parameters."""
    from arcproof.editors.diagnosis import reference_problems
    from arcproof.transitions.errors import BadSpecification
    from arcproof.transitions.reading.read import render

    problems = reference_problems(system)
    if problems:
        raise BadSpecification(render(problems, system.text, system.reference), tuple(problems))


def terminal() -> "Console":
    """The console on which findings are printed; a closed pipe is not a verdict, and is left to `main`."""
    from rich.console import Console

    class Terminal(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Terminal()


def check_place(path: str | None, folder: str | Path | None = None) -> None:
    """Check that a path can be written to, before any work is done; `-` is standard output.

    Its folder must exist, so that a typing mistake in a path makes none; one that the command fills may be missing.
    """
    if path is None or path == "-":
        return
    place = Path(path)
    if not path:
        raise click.UsageError(
            "a file without a name cannot be written; give the name of a file, or - for standard output"
        )
    if place.is_dir():
        raise click.UsageError(f"{path} cannot be written: this is a directory; give the name of a file")
    nearest = _nearest(place, path)
    if nearest != place.absolute().parent and (folder is None or not place.is_relative_to(folder)):
        raise click.UsageError(
            f"{path} cannot be written: there is no folder {place.parent}; make it first, or give another place"
        )
    if not os.access(place if place.exists() else nearest, os.W_OK):
        raise click.UsageError(f"{path} cannot be written: permission denied")


def check_folder(path: str | Path | None) -> None:
    """Check that a command can fill a folder, before any work is done; it is made if it is missing."""
    if path is None or Path(path).is_dir():
        return
    if Path(path).exists():
        raise click.UsageError(f"{path} is a file, not a folder; give the name of a folder")
    if not os.access(_nearest(Path(path), str(path)), os.W_OK):
        raise click.UsageError(f"{path} cannot be made: permission denied")


def _nearest(place: Path, path: str) -> Path:
    """The folder that exists nearest above a place."""
    nearest = next(folder for folder in place.absolute().parents if folder.exists())
    if not nearest.is_dir():
        raise click.UsageError(f"{path} cannot be written: {nearest.name} is a file, not a directory")
    return nearest


def check_outputs(
    outputs: Sequence[str | None], inputs: Iterable[str | Path], folder: str | Path | None = None
) -> None:
    """Refuse to write two outputs to one file, one over an input, or where nothing can be written.

    This is checked before any work is done. Symbolic and hard links lead to the same file; several outputs may go to a
    device. An input that is not a file, such as a built-in system or treebank, cannot be overwritten. A folder that the
    command fills with some of the outputs may be missing.
    """
    check_folder(folder)
    given = [path for path in outputs if path is not None]
    read = [path for path in inputs if Path(path).is_file()]
    for place, path in enumerate(given):
        check_place(path, folder)
        if Path(path).exists() and not Path(path).is_file():
            continue
        if any(_is_same_file(path, other) for other in given[:place]):
            raise click.UsageError(f"two outputs cannot both go to {path}; give each its own file")
        if path != "-" and any(_is_same_file(path, other) for other in read):
            raise click.UsageError(f"{path} is read by this command; give the name of another file")


def _is_same_file(one: str, other: str | Path) -> bool:
    if "-" in (one, other):
        return one == other
    if os.path.exists(one) and os.path.exists(other):
        return os.path.samefile(one, other)
    return Path(one).resolve() == Path(other).resolve()


def system_files(references: Iterable[str]) -> list[str]:
    """The systems that a user named by a file, without the values of their parameters.

    Built-in systems are left out.
    """
    from arcproof.transitions.library import system_names

    names = [
        reference if Path(reference).is_file() else reference.partition("[")[0].strip() for reference in references
    ]
    return [name for name in names if name not in system_names()]


def feature_files(references: Iterable[str]) -> list[str]:
    """The feature models that a user named by a file."""
    from arcproof.classifiers.features.model import built_in_names

    return [name for name in references if name not in built_in_names()]


def make_folder(path: str | Path) -> None:
    """Make a folder that is about to be filled."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"{path} cannot be made: {error.strerror}") from None


def write_file(path: str, text: str) -> None:
    """Write a text to a file, completely or not at all, or to standard output for -."""
    if path == "-":
        click.echo(text, nl=False)
        return
    from arcproof.process.replacing import destination

    place, content = Path(os.path.realpath(path)), text.encode("utf-8")
    try:
        try:
            with destination(place) as file:
                file.write(content)
        except PermissionError:
            if not place.is_file():
                raise
            place.write_bytes(content)  # the file may be written to, its folder may not
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror}") from None


def write_json(document: object, path: str | None) -> None:
    """Write a document (`arcproof.documents`) to a file, to standard output for -, or nowhere."""
    if path is not None:
        from arcproof.documents.wire import json_text

        write_file(path, json_text(document) + "\n")

"""`arcproof runs`."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from arcproof.commands import CommandGroup
from arcproof.commands.arguments import check_outputs, write_json
from arcproof.commands.command import Command
from arcproof.commands.options import json_option
from arcproof.process.suggestions import perhaps

if TYPE_CHECKING:
    from arcproof.process.run_store import RunStore, StoredPiece

SHOWN: Final = 12
"""How many characters of a key are printed."""


@click.group("runs", cls=CommandGroup)
def command() -> None:
    """Show or remove what earlier runs have stored.

    Every finished piece of work (a claim up to n words, a mutant, a cell of an experiment, the answer of a solver) is
    stored in a file of the cache folder, so that a command that was killed continues where it was. A piece is found by
    everything it depends on: the figure, the question, the code, the versions. --fresh does everything again;
    ARCPROOF_STORE=off does without the store, ARCPROOF_STORE_SIZE (2G) and ARCPROOF_STORE_DAYS (90) limit it.

    \b
    Example:
      arcproof runs size
    """


@command.command("list", cls=Command)
@click.option("--kind", metavar="KIND", help="Only pieces of this kind.")
@json_option
def list_runs(kind: str | None, json_file: str | None) -> None:
    """List the pieces, the most recently used first."""
    check_outputs([json_file], [])
    store = _opened()
    entries = _of_kind(_entries(store), kind)
    if json_file is not None:
        from arcproof.documents.runs import document

        write_json(document(store, entries), json_file)
    if json_file != "-":
        from arcproof.transitions.printing.source import aligned

        if entries:
            click.echo("\n".join(aligned([["key", "kind", "bytes", "last used", "about"], *map(_row, entries)], "")))
        click.echo(_total(entries))
    store.close()


@command.command("show", cls=Command)
@click.argument("key")
@json_option
def show_run(key: str, json_file: str | None) -> None:
    """Show a piece, given by the beginning of its KEY."""
    import json

    from arcproof.documents.runs import document, when

    check_outputs([json_file], [])
    store = _opened()
    entry = _named(_entries(store), key)
    with _refused():
        value, is_ours = store.value(entry.key)
    text = json.dumps(value, indent=1) if is_ours else None
    write_json(document(store, [entry], value=text), json_file)
    if json_file != "-":
        click.echo(f"{entry.key}\n{entry.kind}: {_printable(entry.about)}")
        click.echo(f"stored {when(entry.created)}, last used {when(entry.used)}, {entry.size} bytes")
        click.echo(text if is_ours else "it was not written here, so nothing uses it")
    store.close()


@command.command("remove", cls=Command)
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@click.option("--kind", metavar="KIND", help="All pieces of this kind.")
@click.option("--all", "everything", is_flag=True, help="All pieces; a store that cannot be read is replaced.")
def remove_runs(keys: tuple[str, ...], kind: str | None, everything: bool) -> None:
    """Remove pieces, given by the beginnings of their KEYs, by kind, or all."""
    from arcproof.process.run_store import BusyStore, ForeignStore, StoreUnusable
    from arcproof.transitions.printing.wording import counted

    if bool(keys) + (kind is not None) + everything != 1:
        raise click.UsageError("say what to remove: one or more keys, or --kind KIND, or --all")
    store = _opened()
    try:
        entries = store.entries()
    except StoreUnusable as why:
        if not everything or store.folder is None or isinstance(why, BusyStore | ForeignStore):
            raise click.UsageError(str(why)) from None
        store.remove_file()
        click.echo(f"the store could not be read, and was removed: {why}")
        return
    if keys:
        entries = list({entry.key: entry for entry in (_named(entries, key) for key in keys)}.values())
    elif kind is not None:
        entries = _of_kind(entries, kind)
    with _refused():
        removed = store.remove([entry.key for entry in entries])
    click.echo(f"{counted(removed, 'piece')} removed")
    store.close()


@command.command("size", cls=Command)
@json_option
def size_of_runs(json_file: str | None) -> None:
    """Show how much is stored, by kind."""
    from arcproof.documents.runs import document
    from arcproof.process.run_store import most_bytes
    from arcproof.transitions.printing.source import aligned
    from arcproof.transitions.printing.wording import size_text

    check_outputs([json_file], [])
    store = _opened()
    found = document(store, _entries(store), listed=False)
    write_json(found, json_file)
    if json_file != "-":
        rows = [[_printable(kind), str(some.pieces), str(some.bytes)] for kind, some in found.kinds.items()]
        if rows:
            click.echo("\n".join(aligned([["kind", "pieces", "bytes"], *rows], "")))
        click.echo(f"{found.file}: {size_text(found.bytes)} of at most {size_text(most_bytes())}")
    store.close()


def _opened() -> "RunStore":
    from arcproof.process.cache import cache_folder
    from arcproof.process.run_store import FOLDER, BadSetting, RunStore, check_settings

    try:
        check_settings()
    except BadSetting as why:
        raise click.UsageError(str(why)) from None
    return RunStore(cache_folder(FOLDER))


@contextmanager
def _refused() -> Iterator[None]:
    """Report what is wrong with the store, with exit code 2."""
    from arcproof.process.run_store import BusyStore, ForeignStore, StoreUnusable

    try:
        yield
    except (BusyStore, ForeignStore) as why:
        raise click.UsageError(str(why)) from None
    except StoreUnusable as why:
        raise click.UsageError(f"{why}; `arcproof runs remove --all` makes a new store") from None


def _entries(store: "RunStore") -> "list[StoredPiece]":
    if store.folder is None:
        click.echo("nothing is stored: there is no writable cache folder", err=True)
        return []
    with _refused():
        return store.entries()


def _named(entries: "list[StoredPiece]", key: str) -> "StoredPiece":
    if not key:
        raise click.UsageError("the key is empty; give the beginning of one, as `arcproof runs list` shows it")
    found = [entry for entry in entries if entry.key.startswith(key)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise click.UsageError(f"no piece has a key that begins with {key!r}; `arcproof runs list` names them")
    raise click.UsageError(f"{len(found)} keys begin with {key!r}; give more of it")


def _of_kind(entries: "list[StoredPiece]", kind: str | None) -> "list[StoredPiece]":
    """The pieces of one kind; if there are none, name the other kinds."""
    found = [entry for entry in entries if kind in (None, entry.kind)]
    if entries and not found:
        others = sorted({_printable(entry.kind) for entry in entries})
        meant = perhaps(kind or "", others)
        click.echo(f"nothing of the kind {kind!r} is stored; the kinds are: {', '.join(others)}{meant}", err=True)
    return found


def _row(entry: "StoredPiece") -> list[str]:
    from arcproof.documents.runs import when

    return [
        _printable(entry.key[:SHOWN]),
        _printable(entry.kind),
        str(entry.size),
        when(entry.used),
        _printable(entry.about),
    ]


def _printable(text: str) -> str:
    """Put the text on one line, without anything that a terminal would interpret."""
    return "".join(character if character.isprintable() else "?" for character in text)


def _total(entries: "list[StoredPiece]") -> str:
    from arcproof.transitions.printing.wording import counted, size_text

    return f"{counted(len(entries), 'piece')}, {size_text(sum(entry.size for entry in entries))}"

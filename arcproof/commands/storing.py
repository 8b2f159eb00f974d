"""The run store as commands use it, with a note at the end of what was taken from it."""

from collections.abc import Iterator
from contextlib import contextmanager

import click


@contextmanager
def stored_runs(fresh: bool, quiet: bool = False) -> Iterator[None]:
    """Use the run store in the block; at the end report what was taken from it, or why nothing is stored."""
    from arcproof.process.cache import is_refused
    from arcproof.process.run_store import FOLDER, BadSetting, default_store, using

    try:
        store = default_store(fresh)
    except BadSetting as why:
        raise click.UsageError(str(why)) from None
    try:
        with using(store):
            yield
    finally:
        if quiet:
            pass
        elif store is not None and store.problem is not None:
            if store.folder is not None or not is_refused(FOLDER):  # that has been reported
                click.echo(f"runs are not stored: {store.problem}", err=True)
        elif store is not None and store.recalled:
            pieces = "1 piece was" if store.recalled == 1 else f"{store.recalled} pieces were"
            click.echo(
                f"{pieces} taken from the run store, so some times are those of earlier runs; --fresh does "
                "everything again",
                err=True,
            )

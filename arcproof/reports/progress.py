"""The progress of long work, shown on standard error if that is a terminal; an interruption that was swallowed
elsewhere takes effect here.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from arcproof.process.interruption import go_on

if TYPE_CHECKING:
    from rich.progress import Progress

    from arcproof.generators.treebank import Sentence, Tally


class Tracker:
    """Shows how far the work has come and estimates the time left; without a progress bar, it shows nothing."""

    def __init__(self, progress: "Progress | None", title: str) -> None:
        """Set up one line for the whole job."""
        self._progress = progress
        self._task = None if progress is None else progress.add_task(title, total=None)

    def begin(self, description: str, total: float | None) -> None:
        """Move on to another part of the work."""
        go_on()
        if self._progress is not None and self._task is not None:
            self._progress.reset(self._task, total=total, description=description)

    def say(self, description: str) -> None:
        """Describe what is being done now."""
        go_on()
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, description=description)

    def show(self, text: str) -> None:
        """Print a result without disturbing the bar."""
        if self._progress is not None:
            self._progress.stop()
        print(text, flush=True)
        if self._progress is not None:
            self._progress.start()

    def advance(self, amount: float = 1) -> None:
        """Note that this much more is done."""
        go_on()
        if self._progress is not None and self._task is not None:
            self._progress.advance(self._task, amount)

    def sentences(self, path: str, graphs: bool = False, tally: "Tally | None" = None) -> "Iterator[Sentence]":
        """Yield the sentences of a file with their forests or, if `graphs`, with the graphs of DEPS or SDP; progress is
        measured by lines.
        """
        from arcproof.generators.treebank import read

        total = Path(path).stat().st_size if Path(path).is_file() else None
        self.begin(path, total)
        for sentence in read(path, forests=True, graphs=graphs, tally=tally):
            yield sentence
            self.advance(sentence.size)


@contextmanager
def tracked(title: str) -> Iterator[Tracker]:
    """Track progress for the duration of the block."""
    if not sys.stderr.isatty():
        yield Tracker(None, title)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield Tracker(progress, title)

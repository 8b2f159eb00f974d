"""Cells computed on machines without the user's files: figures, feature models and treebanks are sent as they were read
here.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from arcproof.classifiers.artificial import on_board
from arcproof.classifiers.experiment import Cell, CellPlan, computed, files_of
from arcproof.classifiers.features.model import built_in_names
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.library import system_names


@dataclass(frozen=True)
class Baggage:
    """Files by their names in a remote folder; `names` maps what the user wrote to these names."""

    files: dict[str, bytes]
    names: dict[str, str]

    @classmethod
    def of(cls, plans: Sequence[CellPlan]) -> "Baggage":
        """All files that the plans name and that are not built in."""
        baggage = cls({}, {})
        for plan in plans:
            figure = plan.variant.system.partition("[")[0].strip()
            for path in (plan.variant.system, figure):
                if path not in system_names() and Path(path).is_file():
                    baggage._add(path, Path(path))
                    break
            for path in plan.variant.files[1:]:
                if path not in built_in_names():
                    baggage._add(path, Path(path))
            if on_board(f"{plan.treebank}-train") is None:
                baggage._add(plan.treebank, *files_of(plan.treebank))
        return baggage

    def _add(self, written: str, *paths: Path) -> None:
        """Add files, which keep their names, in a numbered folder."""
        if written in self.names:
            return
        folder = str(len(self.names))
        self.names[written] = f"{folder}/{Path(written).name}"
        for path in paths:
            self.files[f"{folder}/{path.name}"] = path.read_bytes()

    def unpack(self, folder: Path) -> None:
        """Write the files."""
        for name, content in self.files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)

    def placed(self, plan: CellPlan, folder: Path) -> CellPlan:
        """The plan with the remote file names; what the cell says about itself is unchanged."""

        def there(written: str) -> str:
            return str(folder / self.names[written]) if written in self.names else written

        name, bracket, parameters = plan.variant.system.partition("[")
        whole = there(plan.variant.system)
        system = f"{there(name.strip())}{bracket}{parameters}" if whole == plan.variant.system else whole
        options = tuple(
            (option, there(value) if option == "features" else value) for option, value in plan.variant.options
        )
        return replace(
            plan, variant=replace(plan.variant, system=system, options=options), treebank=there(plan.treebank)
        )


def computed_there(baggage: Baggage, plan: CellPlan) -> Cell:
    """A cell, computed with the files that came along; no files are left behind."""
    with tempfile.TemporaryDirectory(prefix="arcproof-cell-") as folder:
        baggage.unpack(Path(folder))
        return computed(baggage.placed(plan, Path(folder)))

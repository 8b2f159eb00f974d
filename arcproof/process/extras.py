"""Optional dependencies: the extras of the package, and the message where one is missing."""

from importlib.util import find_spec
from typing import Final

EXTRAS: Final = {
    "speed": ("numba", "llvmlite", "numpy"),
    "prove": ("z3", "cvc5"),
    "train": ("sklearn", "scipy"),
    "testing": ("pytest", "_pytest"),
    "cluster": ("dask", "distributed"),
    "editors": ("pygls", "lsprotocol"),
    "frames": ("pandas",),
}
"""The modules of each extra.  Nothing imported without an extra imports one of its modules."""


def install(extra: str) -> str:
    """The line to copy."""
    return f"pip install 'arcproof[{extra}]'"


class MissingExtra(ModuleNotFoundError):
    """A module is not installed, and an extra provides it."""

    def __init__(self, module: str, extra: str) -> None:
        """The module that was looked for first."""
        super().__init__(f"No module named {module!r}", name=module)
        self.extra = extra


def need(extra: str, module: str) -> None:
    """`MissingExtra` without this module."""
    if find_spec(module) is None:
        raise MissingExtra(module, extra)


def missing(error: ImportError) -> str | None:
    """What is missing and how to get it; None if it does not belong to an extra."""
    module = (error.name or "").partition(".")[0]
    extra = next((name for name, modules in EXTRAS.items() if module in modules), None)
    extra = error.extra if isinstance(error, MissingExtra) else extra
    return None if extra is None else f"{module} is not installed; {install(extra)}"

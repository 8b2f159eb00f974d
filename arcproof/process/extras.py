"""Optional dependencies: the extras of the package, and the message where one is missing."""

from importlib.util import find_spec
from pathlib import Path
from typing import Final

EXTRAS: Final = {
    "prove": ("z3", "cvc5"),
    "train": ("sklearn", "scipy"),
    "testing": ("pytest", "_pytest"),
    "cluster": ("dask", "distributed"),
    "editors": ("pygls", "lsprotocol"),
    "frames": ("pandas",),
}
"""The modules of each extra.  Nothing imported without an extra imports one of its modules."""


def install(extra: str) -> str:
    """The command that installs an extra, ready to be copied; in a checkout it is for the root of the checkout."""
    is_checkout = (Path(__file__).parents[2] / "pyproject.toml").is_file()
    return f"pip install -e '.[{extra}]'" if is_checkout else f"pip install 'arcproof[{extra}]'"


class MissingExtra(ModuleNotFoundError):
    """A module is not installed that an extra provides."""

    def __init__(self, module: str, extra: str) -> None:
        """The missing module and its extra."""
        super().__init__(f"No module named {module!r}", name=module)
        self.extra = extra


def need(extra: str, module: str) -> None:
    """Raise `MissingExtra` if this module is not installed."""
    if find_spec(module) is None:
        raise MissingExtra(module, extra)


def missing(error: ImportError) -> str | None:
    """Say what is missing and how to get it; None if it does not belong to an extra."""
    module = (error.name or "").partition(".")[0]
    extra = next((name for name, modules in EXTRAS.items() if module in modules), None)
    extra = error.extra if isinstance(error, MissingExtra) else extra
    return None if extra is None else f"{module} is not installed; {install(extra)}"

"""Drivers by the names users give them: `package.module:Class`, `path/to/file.py:Class`, or the short name of an
included one.

The included ones are in `arcproof/testing/drivers`, one module each, whose `DRIVERS` are its classes.  `nltk:ArcEager`
names one of them; `nltk` alone is the one that follows the figure asked for, or the only one.

A class that is not a driver may follow a common template, as in a course.  A module then has a `WRAPPER`, a class of
drivers that wraps such a class and `recognises` it.
"""

import os
import sys
from hashlib import sha256
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Final

from arcproof.properties.conformance.calls import shown
from arcproof.properties.conformance.driver import BadDriver, MissingLibrary

from arcproof.process.lazy_dataclass import dataclass

INCLUDED: Final = "arcproof.testing.drivers"
PRIVATE: Final = "_arcproof_driver_"
"""What the name of a module begins with that was read from a file."""


@dataclass(frozen=True)
class NamedDriver:
    """A driver that was found: how a user names it, its class, and how Python imports that.

    `path` is the file that it was read from, `folder` where its module was found if that is the current directory.
    """

    reference: str
    kind: type
    module: str
    path: Path | None = None
    wrapper: type | None = None
    folder: Path | None = None

    @property
    def driver(self) -> Any:
        """The driver, or a class of drivers that needs no arguments."""
        return self.kind if self.wrapper is None else self.wrapper(self.kind)

    @property
    def figure(self) -> str | None:
        """The figure that it follows, if it says so."""
        figure = getattr(self.wrapper or self.kind, "figure", None)
        return figure if isinstance(figure, str) else None


def included_names() -> tuple[str, ...]:
    """The modules with drivers."""
    return tuple(sorted(module.name for module in iter_modules(import_module(INCLUDED).__path__)))


def included(name: str) -> tuple[NamedDriver, ...]:
    """The drivers of a module."""
    module = import_module(f"{INCLUDED}.{name}")
    return tuple(NamedDriver(f"{name}:{kind.__name__}", kind, module.__name__) for kind in module.DRIVERS)


def named(reference: str, figure: str | None = None) -> NamedDriver:
    """The driver of a name; `BadDriver` if there is none, `MissingLibrary` if it needs what is not installed."""
    place, _, kind = reference.rpartition(":") if ":" in reference else (reference, "", "")
    if place in included_names():
        return _included(place, kind, figure)
    if not kind:
        known = ", ".join(included_names()) or "none"
        raise BadDriver(
            f"there is no driver `{reference}`; write package.module:Class or path/to/file.py:Class, "
            f"or the name of one that is included: {known}"
        )
    path = Path(place) if place.endswith(".py") else None
    if path is not None:
        found = _class(_from_file(path), kind, reference)
        return NamedDriver(reference, found, path.stem, path, _wrapper(found))
    module = _imported(place)
    found = _class(module, kind, reference)
    return NamedDriver(reference, found, module.__name__, None, _wrapper(found), _folder(module))


def _wrapper(kind: type) -> type | None:
    """The wrapper that turns a class into a driver."""
    if callable(getattr(kind, "permissible", None)):
        return None
    modules = [import_module(f"{INCLUDED}.{name}") for name in included_names()]
    wrappers = [wrapper for module in modules if (wrapper := getattr(module, "WRAPPER", None)) is not None]
    return next((wrapper for wrapper in wrappers if wrapper.recognises(kind)), None)


def _included(name: str, kind: str, figure: str | None) -> NamedDriver:
    drivers = included(name)
    if not drivers:
        raise BadDriver(f"{name} is for your own class; write path/to/file.py:Class")
    names = ", ".join(driver.reference for driver in drivers)
    chosen = [driver for driver in drivers if not kind or driver.kind.__name__ == kind]
    if not chosen:
        raise BadDriver(f"{name} has no driver `{kind}`; it has {names}")
    of_figure = [driver for driver in chosen if driver.figure == figure]
    if len(of_figure) != 1 and len(chosen) != 1:
        raise BadDriver(f"{name} has several drivers; say which: {names}")
    return (of_figure or chosen)[0]


def _imported(name: str) -> ModuleType:
    """A module as `python -m` would find it, with the current directory first."""
    here = str(Path.cwd())
    sys.path[:0] = [] if here in sys.path or "" in sys.path else [here]
    try:
        return import_module(name)
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and f"{name}.".startswith(f"{error.name}."):
            raise BadDriver(
                f"there is no module `{name}`; modules are searched for in the current directory and on Python's path"
            ) from None
        raise _not_imported(name, error) from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise BadDriver(f"{name} cannot be imported: {shown(error)}") from None


def _folder(module: ModuleType) -> Path | None:
    """The current directory, if a module was found there."""
    path = Path(module.__file__ or "")
    parts = module.__name__.count(".") + (1 if path.name == "__init__.py" else 0)
    here = Path.cwd().resolve()
    return here if path.resolve().parents[parts : parts + 1] == (here,) else None


def imported_files() -> list[str]:
    """The files of all modules that have been imported by now."""
    files = [getattr(module, "__dict__", {}).get("__file__") for module in list(sys.modules.values())]
    return [file for file in files if isinstance(file, str)]


def _not_imported(name: str, error: ImportError, is_part: bool = False) -> BadDriver | MissingLibrary:
    """What the import needs and does not find, or else what was raised."""
    if isinstance(error, ModuleNotFoundError) and error.name is not None:
        library = error.name.partition(".")[0]
        return MissingLibrary(
            f"{name} needs {library}, which is not installed; pip install {library}, or name its folder in PYTHONPATH"
        )
    instead = "; it is part of a package, so name it package.module:Class" if is_part else ""
    return BadDriver(f"{name} cannot be imported: {shown(error)}{instead}")


def _from_file(path: Path) -> ModuleType:
    """The module of a file, under a name of its own: a driver called `random.py` must not take the place of a library.

    For the same reason files beside it come last where Python looks for modules.
    """
    if not path.is_file():
        raise BadDriver(f"{path}: there is no such file")
    name = f"{PRIVATE}{sha256(os.fsencode(path.resolve())).hexdigest()[:8]}_{path.stem}"
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    beside = str(path.parent.resolve())
    sys.path += [] if beside in sys.path else [beside]
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except ImportError as error:
        raise _not_imported(str(path), error, (path.parent / "__init__.py").exists()) from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise BadDriver(f"{path} cannot be imported: {shown(error)}") from None
    return module


def _class(module: ModuleType, kind: str, reference: str) -> type:
    found = getattr(module, kind, None)
    if isinstance(found, type):
        return found
    classes = [
        name for name, value in vars(module).items() if isinstance(value, type) and value.__module__ == module.__name__
    ]
    has = f"it has {', '.join(classes)}" if classes else "it has none"
    raise BadDriver(f"{reference}: {module.__name__} has no class `{kind}`; {has}")

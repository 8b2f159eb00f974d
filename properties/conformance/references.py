"""Finds drivers by the names users give: `package.module:Class`, `path/to/file.py:Class`, or the short name of an
included driver.

The included drivers are in `arcproof/testing/drivers`; each module lists its classes in `DRIVERS`.  `nltk:ArcEager`
names one of them; `nltk` alone means the one that follows the requested figure, or the only one.

A class that is not a driver may follow a common template, as in a course.  A module for it has a `WRAPPER`, a class of
drivers that `recognises` such classes and wraps them.
"""

import os
import site
import sys
from collections.abc import Iterable
from hashlib import sha256
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.suggestions import did_you_mean
from arcproof.properties.conformance.calls import PRIVATE, shown
from arcproof.properties.conformance.driver import BadDriver, MissingLibrary

INCLUDED: Final = "arcproof.testing.drivers"


@dataclass(frozen=True)
class NamedDriver:
    """A driver that was found: how a user names it, its class, its module, and what makes a driver of the class."""

    reference: str
    kind: type
    module: str
    wrapper: type | None = None

    @property
    def driver(self) -> Any:
        """The driver, or a class of drivers that needs no arguments."""
        return self.kind if self.wrapper is None else self.wrapper(self.kind)

    @property
    def figure(self) -> str | None:
        """The figure that the driver follows, if it names one."""
        figure = getattr(self.wrapper or self.kind, "figure", None)
        return figure if isinstance(figure, str) else None


def included_names() -> tuple[str, ...]:
    """Return the names of the modules with drivers."""
    return tuple(sorted(module.name for module in iter_modules(import_module(INCLUDED).__path__)))


def included(name: str) -> tuple[NamedDriver, ...]:
    """Return the drivers of a module."""
    module = import_module(f"{INCLUDED}.{name}")
    return tuple(NamedDriver(f"{name}:{kind.__name__}", kind, module.__name__) for kind in module.DRIVERS)


def named(reference: str, figure: str | None = None) -> NamedDriver:
    """Return the driver of this name; raise `BadDriver` if there is none, `MissingLibrary` if it needs a library that
    is not installed.
    """
    place, _, kind = reference.rpartition(":") if ":" in reference else (reference, "", "")
    if place in included_names():
        return _included(place, kind, figure)
    if not kind:
        forms = "package.module:Class, path/to/file.py:Class or the name of an included driver"
        known = f"write {forms}: {', '.join(included_names())}"
        raise BadDriver(f"there is no driver `{reference}`; {did_you_mean(reference, included_names(), known)}")
    if not place.endswith(".py") and Path(place).name != place:
        raise BadDriver(f"`{place}` is not a module; the name of a file must end in .py, as in {place}.py:{kind}")
    path = Path(place) if place.endswith(".py") else None
    found = _class(_imported(place) if path is None else _from_file(path), kind, reference)
    name = place if path is None else path.stem
    return NamedDriver(reference, found, name, _wrapper(found))


def _wrapper(kind: type) -> type | None:
    """Return the wrapper that turns a class into a driver, if there is one."""
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
        near = did_you_mean(kind, [driver.kind.__name__ for driver in drivers], f"it has {names}")
        raise BadDriver(f"{name} has no driver `{kind}`; {near}")
    of_figure = [driver for driver in chosen if driver.figure == figure]
    if len(of_figure) != 1 and len(chosen) != 1:
        raise BadDriver(f"{name} has several drivers; say which: {names}")
    return (of_figure or chosen)[0]


def _imported(name: str) -> ModuleType:
    """Import a module as `python -m` would find it, with the current directory first."""
    here = str(Path.cwd())
    sys.path[:0] = [] if here in sys.path or "" in sys.path else [here]
    try:
        return import_module(name)
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and f"{name}.".startswith(f"{error.name}."):
            places = "modules are searched for in the current directory and on Python's path"
            raise BadDriver(f"there is no module `{name}`; {did_you_mean(name, included_names(), places)}") from None
        raise _not_imported(name, error, _names_beside(name)) from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise BadDriver(f"{name} cannot be imported: {shown(error)}") from None


def _names_beside(module: str) -> list[str]:
    """The modules in the current directory and in the package of a module."""
    package = Path(*module.split(".")[:-1])
    return [one.stem for place in {Path(), package} for one in place.glob("*.py")]


def imported_files() -> list[str]:
    """Return the files of all modules imported so far."""
    files = [getattr(module, "__dict__", {}).get("__file__") for module in list(sys.modules.values())]
    return [file for file in files if isinstance(file, str)]


def reference_to(driver: object) -> str | None:
    """Return the name by which a command finds a class of drivers, or the class of an instance without state of its
    own.

    None if there is none, as for a class defined in a function or an instance with attributes of its own.
    """
    kind = driver if isinstance(driver, type) else type(driver)
    module = sys.modules.get(kind.__module__)
    if module is None or getattr(module, kind.__name__, None) is not kind:
        return None
    if driver is not kind and getattr(driver, "__dict__", None):
        return None
    if _is_found(module):
        return f"{module.__name__}:{kind.__name__}"
    file = Path(getattr(module, "__file__", None) or "")
    if file.suffix != ".py" or module.__package__:
        return None
    here = Path.cwd()
    return f"{file.relative_to(here) if file.is_relative_to(here) else file}:{kind.__name__}"


def _is_found(module: ModuleType) -> bool:
    """Whether another process can find a module by name, in the current directory or where libraries are found."""
    root = _root(module)
    known = [*site.getsitepackages(), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    is_included = module.__name__.startswith(f"{INCLUDED}.")
    return is_included or (root is not None and root in [Path.cwd(), *(Path(path).resolve() for path in known if path)])


def _root(module: ModuleType) -> Path | None:
    """Return the folder in which Python found a module or the package it belongs to; None if it has no file."""
    path = Path(getattr(module, "__file__", None) or "")
    parts = module.__name__.count(".") + (1 if path.name == "__init__.py" else 0)
    return path.resolve().parents[parts] if path.suffix == ".py" and len(path.parts) > parts + 1 else None


def _not_imported(
    name: str, error: ImportError, beside: Iterable[str] = (), is_part: bool = False
) -> BadDriver | MissingLibrary:
    """Return an error that says what the import needs and does not find, or else what was raised."""
    if isinstance(error, ModuleNotFoundError) and error.name is not None:
        library, dot, _ = error.name.partition(".")
        meant = did_you_mean(error.name.rpartition(".")[2], beside)
        if meant or dot:
            why = f"; {meant}" if meant else ""
            return BadDriver(f"{name} imports {error.name}, and there is no such module{why}")
        return MissingLibrary(
            f"{name} needs {library}, which is not installed; pip install {library}, or name its folder in PYTHONPATH"
        )
    instead = "; it is part of a package, so name it package.module:Class" if is_part else ""
    return BadDriver(f"{name} cannot be imported: {shown(error)}{instead}")


def _from_file(path: Path) -> ModuleType:
    """Import a file as a module under a name of its own: a driver called `random.py` must not replace a library.

    For the same reason, files beside it and files in the current directory come last in Python's search path.
    """
    if not path.is_file():
        raise BadDriver(f"{path}: there is no such file")
    name = f"{PRIVATE}{sha256(os.fsencode(path.resolve())).hexdigest()[:8]}_{path.stem}"
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    places = dict.fromkeys((str(path.parent.resolve()), str(Path.cwd())))
    sys.path += [place for place in places if place not in sys.path]
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except ImportError as error:
        raise _not_imported(
            str(path), error, [one.stem for one in path.parent.glob("*.py")], (path.parent / "__init__.py").exists()
        ) from None
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
    place = reference.rpartition(":")[0]
    raise BadDriver(f"{place} has no class `{kind}`; {did_you_mean(kind, classes, has)}")

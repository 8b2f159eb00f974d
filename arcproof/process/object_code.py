"""Machine code on disk and in memory: an object file that llvmlite loads without the compiler that built it.

A file has one line that describes it, then the object.  What is damaged, or was made of another text, by another
compiler, by another text of `building`, or for another processor, is rebuilt; where nothing can be written, machine
code is made for this process alone.

Two things are checked before machine code is loaded, because it will be run:

- *Who wrote it.*  The folder and the file are trusted (`process.cache`): they belong to the user or to root, and nobody
  else can write to them.  That is the only protection against planted code, and the same that protects the modules
  themselves, and Python's own files in `__pycache__`.
- *Whether it is what was written.*  The digest in the first line goes over everything else in the file and over the
  key, which says what the code was made of.  It protects from damage, and from a file that stands under another's
  name.  Whoever can write the file can write a digest that fits, so it says nothing about who did.
"""

import ctypes
import hashlib
import importlib.util
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import llvmlite.binding as llvm

from arcproof.process.cache import cache_folder, is_trusted, trusted_bytes
from arcproof.process.jit import NATIVES, Native
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.replacing import replaced

VERSIONS_KEPT: Final = 4
"""How many versions of a function stay on disk: computers may share folders."""
_engines: Final[list[Any]] = []
"""The engines that own the machine code; they live as long as the process, because addresses are passed on."""


@dataclass(frozen=True)
class ObjectFile:
    """An object file, the symbol of its function, and its unresolved symbols."""

    symbol: str
    needs: tuple[str, ...]
    content: bytes

    def to_bytes(self, key: str) -> bytes:
        """The bytes that are stored under a key."""
        about = {"symbol": self.symbol, "needs": self.needs, "sha256": self._digest(key)}
        return json.dumps(about).encode() + b"\n" + self.content

    @staticmethod
    def from_bytes(stored: bytes, key: str) -> "ObjectFile":
        """Read what `to_bytes` wrote for this key; raise an error for anything else."""
        line, _, content = stored.partition(b"\n")
        about = json.loads(line)
        found = ObjectFile(str(about["symbol"]), tuple(map(str, about["needs"])), content)
        if about["sha256"] != found._digest(key):
            raise ValueError("damaged")
        return found

    def _digest(self, key: str) -> str:
        return hashlib.sha256(json.dumps([key, self.symbol, self.needs]).encode() + self.content).hexdigest()


@dataclass(frozen=True)
class ObjectCode:
    """Machine code in memory."""

    address: int
    was_kept: bool


def loaded(native: Native) -> ObjectCode:
    """Return the machine code of a function, from the cache or built now."""
    name = f"{native.function.__module__.rpartition('.')[2]}.{native.function.__name__}"
    key = hashlib.sha256(f"{native.key}\n{_processor()}\n{_builder()}".encode()).hexdigest()
    file = f"{name}-{key[:24]}.o"
    for folder in _folders(native):
        with suppress(*_DAMAGE):
            return _linked(ObjectFile.from_bytes(trusted_bytes(folder / file), key), was_kept=True)
    from arcproof.process.building import build

    made = build(native)
    _keep(native, name, file, made.to_bytes(key))
    return _linked(made, was_kept=False)


_DAMAGE: Final = (OSError, ValueError, LookupError, TypeError, RecursionError)


def _folders(native: Native) -> Iterator[Path]:
    """The trusted folders: beside the source, where Python keeps its own, or else in the user's cache."""
    beside = _beside(Path(native.function.__code__.co_filename).absolute().parent)
    if beside is not None:
        yield beside
    user = cache_folder("machine")
    if user is not None:
        yield user


@cache
def _beside(package: Path) -> Path | None:
    """The `__pycache__` of a package, made if it is missing; None where it cannot be made, or is not trusted."""
    folder = package / "__pycache__"
    with suppress(OSError):
        folder.mkdir(mode=0o755, exist_ok=True)
    return folder if is_trusted(folder) else None


def _keep(native: Native, name: str, file: str, content: bytes) -> None:
    for folder in _folders(native):
        with suppress(OSError):
            replaced(folder / file, content, 0o644)
            earlier = sorted(folder.glob(f"{name}-*.o"), key=lambda path: path.stat().st_mtime)
            for path in earlier[:-VERSIONS_KEPT]:
                path.unlink()
            return


@cache
def _processor() -> str:
    """Describe what machine code depends on besides its source."""
    features = llvm.get_host_cpu_features().flatten()
    return (
        f"{sys.version} {_numba()} {llvm.llvm_version_info} {llvm.get_process_triple()} "
        f"{llvm.get_host_cpu_name()} {features}"
    )


@cache
def _builder() -> str:
    """The source of the code that builds machine code."""
    return "\n".join(Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("jit.py", "building.py"))


def _numba() -> str:
    """Describe the numba that is installed."""
    found = importlib.util.find_spec("numba")
    return "" if found is None or found.origin is None else Path(found.origin).with_name("_version.py").read_text()


@cache
def _target() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple()


def _linked(file: ObjectFile, was_kept: bool) -> ObjectCode:
    """Load an object file and the native functions that it calls.  Symbols missing in this process occur only in code
    that is never reached.
    """
    target = _target()
    never = ctypes.cast(ctypes.CDLL(None).abort, ctypes.c_void_p).value
    for symbol in file.needs:
        if symbol in NATIVES:
            llvm.add_symbol(symbol, NATIVES[symbol].code.address)
        elif llvm.address_of_symbol(symbol) is None:
            llvm.add_symbol(symbol, never)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target.create_target_machine(jit=True))
    _engines.append(engine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(file.content))
    engine.finalize_object()
    address: int = engine.get_function_address(file.symbol)
    if address == 0:
        raise ValueError(f"{file.symbol} is missing")
    return ObjectCode(address, was_kept)

"""What `setup.py` compiles: the C files of this folder as one module for each level of x86-64 processors.

The numbers that C shares with Python are written out from the Python files that define them, so that neither can differ
from the other.  Nothing here imports the package: it is not installed yet.
"""

import os
import platform
import runpy
import sys
from pathlib import Path
from typing import Any

from cffi import FFI

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]

CONSTANTS = {
    "transitions/machine/packed/signs.py": "SIGN_",
    "transitions/machine/codes.py": "",
    "transitions/machine/arrays/kernel.py": "ARRAY_",
    "transitions/machine/whole_runs.py": "RUN_",
    "classifiers/features/codes.py": "FEATURE_",
    "classifiers/codes.py": "",
}
"""Files with numbers that C needs under their names, and what is put before these."""


def constants() -> str:
    """Opcodes with their operands, and all other shared numbers, in C."""
    opcodes = runpy.run_path(str(ROOT / "transitions/machine/opcodes.py"))["Opcode"]
    lines = ["enum {"]
    lines += [f"    OP_{opcode.name} = {int(opcode)}," for opcode in opcodes]
    lines += ["};", "static const char *const OPERANDS[] = {"]
    lines += [f'    [OP_{opcode.name}] = "{opcode.operands}",' for opcode in opcodes if opcode >= 0]
    lines += ["};"]
    for path, prefix in CONSTANTS.items():
        for name, value in runpy.run_path(str(ROOT / path)).items():
            if name.isupper() and isinstance(value, int):
                lines.append(f"#define {prefix}{name} ((int64_t){value})")
    return "\n".join(lines)


def options(level: int) -> dict[str, Any]:
    """What the compiler is told."""
    if sys.platform == "win32":
        return {"extra_compile_args": ["/O2", "/std:c11", *(["/arch:AVX2"] if level == 3 else [])]}
    machine = {1: "x86-64-v2", 3: "x86-64-v3", 4: "x86-64-v4"}[level]
    if "zig" in os.environ.get("CC", ""):
        machine = machine.replace("-", "_")  # Zig takes what follows a hyphen for a feature
    arch = [f"-march={machine}"] if is_x86() else []
    # Python is often built with -O2, with which gcc hardly makes vector instructions.  Without contraction, sums of
    # products are the same on every processor.
    return {"extra_compile_args": ["-O3", "-std=c11", "-ffp-contract=off", "-Wall", "-Wextra", *arch]}


def is_x86() -> bool:
    """Whether this is a processor with levels."""
    return platform.machine().lower() in ("x86_64", "amd64")


def builder(name: str, level: int) -> FFI:
    """The module for one level; installation goes on where it cannot be compiled."""
    ffi = FFI()
    ffi.cdef((FOLDER / "interface.h").read_text(encoding="utf-8"))
    source = f'#include <stdint.h>\n{constants()}\n#include "all.c"\n'
    files = [str(path.relative_to(ROOT)) for path in sorted(FOLDER.glob("*.[ch]"))]
    ffi.set_source(
        f"arcproof.native.{name}", source, include_dirs=[str(FOLDER)], depends=files, optional=True, **options(level)
    )
    return ffi


any_processor = builder("any_processor", 1)
if is_x86():
    level_3 = builder("level_3", 3)
    level_4 = builder("level_4", 4)

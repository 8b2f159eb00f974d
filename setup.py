"""What pyproject.toml cannot say: the native code, compiled by the C compiler that is there, or by Zig's."""

import os
import platform
import shutil
import sysconfig
from pathlib import Path

from setuptools import setup

MODULES = ["any_processor"]
if platform.machine().lower() in ("x86_64", "amd64"):
    MODULES += ["level_3", "level_4"]


def use_zig() -> None:
    """Take the compiler that `pip install ziglang` brings, where there is no other one.

    It is looked for as a file: an isolated build does not import packages of the environment it builds for.
    """
    if os.name == "nt" or os.environ.get("CC") or any(map(shutil.which, ("cc", "gcc", "clang"))):
        return
    zig = Path(sysconfig.get_path("purelib")) / "ziglang" / "zig"
    if zig.is_file():
        os.environ["CC"] = f"{zig} cc"
        os.environ["LDSHARED"] = f"{zig} cc -shared"


use_zig()
setup(
    cffi_modules=[f"arcproof/native/build.py:{module}" for module in MODULES],
    options={"bdist_wheel": {"py_limited_api": "cp311"}, "build_ext": {"parallel": True}},
)

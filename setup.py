"""What pyproject.toml cannot say: the native code, compiled if there is a C compiler."""

import platform

from setuptools import setup

MODULES = (
    ["any_processor", "level_3", "level_4"] if platform.machine().lower() in ("x86_64", "amd64") else ["any_processor"]
)

setup(
    cffi_modules=[f"arcproof/native/build.py:{module}" for module in MODULES],
    options={"bdist_wheel": {"py_limited_api": "cp311"}, "build_ext": {"parallel": True}},
)

"""Native code under the sanitizers of gcc: `python -m tools.sanitize [planted] [address] [thread]`.

Each sanitizer compiles the C files in a copy of the tree, in build/sanitize, and runs the tests that compare native
code with the interpreter there.  A report ends the run with exit code 1.  `planted` makes the hash table too small
first: if nothing is reported then, the sanitizer looks at nothing.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
BUILD: Final = ROOT / "build" / "sanitize"
FOLDERS: Final = ("arcproof", "transitions", "generators", "properties", "classifiers", "tests", "docs", "proofs_notes")
FILES: Final = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
PLANTED: Final = ("arcproof/native/keep.c", "calloc(span, sizeof(u64))", "calloc(span / 2, sizeof(u64))")
FLAGS: Final = {
    "address": "-fsanitize=address,undefined -fno-sanitize-recover=undefined",
    "thread": "-fsanitize=thread",
}
LIBRARIES: Final = {"address": "libasan.so", "thread": "libtsan.so"}
TESTS: Final = {
    "address": ["tests/machine", "tests/classifiers", "tests/generators", "tests/properties/test_long_runs.py"],
    "thread": ["tests/machine/packed/test_engines.py", "-k", "workers"],
}
TESTS_OF_THE_TABLE: Final = ["tests/machine/packed/test_ranking.py"]
OPTIONS: Final = {
    "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1:abort_on_error=1",  # Python keeps memory until it ends
    "TSAN_OPTIONS": "halt_on_error=1:ignore_noninstrumented_modules=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}


def copy_of_the_tree(name: str) -> Path:
    """The files that the tests need, without anything that was compiled."""
    tree = BUILD / name
    shutil.rmtree(tree, ignore_errors=True)
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for file in FILES:
        shutil.copy(ROOT / file, tree / file)
    return tree


def run(name: str, tests: list[str], tree: Path) -> int:
    """Compile with a sanitizer, and run the tests; the exit code."""
    flags = f"{FLAGS[name]} -g -fno-omit-frame-pointer"
    compiling = {**os.environ, "CFLAGS": flags, "LDFLAGS": FLAGS[name]}
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=tree, env=compiling, check=True)
    library = subprocess.run(
        ["gcc", f"-print-file-name={LIBRARIES[name]}"], capture_output=True, text=True, check=True
    ).stdout.strip()
    running = {**os.environ, **OPTIONS, "LD_PRELOAD": library, "PYTHONPATH": str(tree), "PYTHONMALLOC": "malloc"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", "-x", *tests]
    return subprocess.run(command, cwd=tree, env=running, check=False).returncode


def plant(tree: Path) -> None:
    """Make the hash table of configurations too small for its slots."""
    path, right, wrong = PLANTED
    text = (tree / path).read_text(encoding="utf-8")
    assert text.count(right) == 1, path
    (tree / path).write_text(text.replace(right, wrong), encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Every sanitizer, or those that are named."""
    codes = []
    for name in arguments or ["planted", *FLAGS]:
        tree = copy_of_the_tree(name)
        if name == "planted":
            plant(tree)
            codes.append(0 if run("address", TESTS_OF_THE_TABLE, tree) else 1)
            print("the planted overflow was", "missed" if codes[-1] else "reported", flush=True)
        else:
            codes.append(run(name, TESTS[name], tree))
    return max(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

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
LEFT_OUT: Final = ("build", "report", "dist", ".*", "*.so", "*.egg-info", "__pycache__")
PLANTED: Final = ("arcproof/native/keep.c", "calloc(span, sizeof(u64))", "calloc(span / 2, sizeof(u64))")
FLAGS: Final = {
    "address": "-fsanitize=address,undefined -fno-sanitize-recover=undefined",
    "thread": "-fsanitize=thread",
}
LIBRARIES: Final = {"address": "libasan.so", "thread": "libtsan.so"}
TESTS: Final = {
    "address": ["tests/machine", "tests/classifiers", "tests/generators", "tests/properties/test_sampled.py"],
    "thread": ["tests/machine/packed/test_engines.py", "-k", "workers"],
}
TESTS_OF_THE_TABLE: Final = ["tests/machine/packed/test_ranking.py"]
REPORT: Final = BUILD / "report"
"""The beginning of the names of reports: pytest would capture what is printed."""
OPTIONS: Final = {
    "ASAN_OPTIONS": f"detect_leaks=0:halt_on_error=1:log_path={REPORT}",  # Python keeps memory until it ends
    "TSAN_OPTIONS": f"halt_on_error=1:ignore_noninstrumented_modules=1:log_path={REPORT}",
    "UBSAN_OPTIONS": f"print_stacktrace=1:log_path={REPORT}",
}


def copy_of_the_tree(name: str) -> Path:
    """The files that the tests need, without anything that was compiled."""
    tree = BUILD / name
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_OUT))
    return tree


def reports() -> list[str]:
    """What sanitizers have said since the last time, and remove it."""
    files = sorted(BUILD.glob(f"{REPORT.name}.*"))
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in files]
    for file in files:
        file.unlink()
    return texts


def is_clean(name: str, tests: list[str], tree: Path) -> bool:
    """Compile with a sanitizer, and run the tests; whether they pass without a report."""
    flags = f"{FLAGS[name]} -g -fno-omit-frame-pointer"
    compiling = {**os.environ, "CFLAGS": flags, "LDFLAGS": FLAGS[name]}
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=tree, env=compiling, check=True)
    library = subprocess.run(
        ["gcc", f"-print-file-name={LIBRARIES[name]}"], capture_output=True, text=True, check=True
    ).stdout.strip()
    running = {**os.environ, **OPTIONS, "LD_PRELOAD": library, "PYTHONPATH": str(tree), "PYTHONMALLOC": "malloc"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", "-x", *tests]
    passed = subprocess.run(command, cwd=tree, env=running, check=False).returncode == 0
    said = reports()
    print("\n".join(said)[:20_000], flush=True)
    return passed and not said


def plant(tree: Path) -> None:
    """Make the hash table of configurations too small for its slots."""
    path, right, wrong = PLANTED
    text = (tree / path).read_text(encoding="utf-8")
    assert text.count(right) == 1, path
    (tree / path).write_text(text.replace(right, wrong), encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Every sanitizer, or those that are named; the exit code."""
    failed = []
    for name in arguments or ["planted", *FLAGS]:
        tree = copy_of_the_tree(name)
        if name == "planted":
            plant(tree)
            as_expected = not is_clean("address", TESTS_OF_THE_TABLE, tree)
        else:
            as_expected = is_clean(name, TESTS[name], tree)
        print(f"{name}: {'as expected' if as_expected else 'NOT AS EXPECTED'}", flush=True)
        failed += [] if as_expected else [name]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

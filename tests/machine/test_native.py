"""The native code as it was built: every build says the same, and what it offers Python stays within its rules."""

import pickle
import re
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest

from arcproof import native
from arcproof.native import build
from arcproof.transitions.machine.figure_programs import Programs
from arcproof.transitions.machine.opcodes import Opcode
from arcproof.transitions.machine.packed.explorer import ExplorationSettings, explore
from arcproof.transitions.system import load
from tests.conftest import ROOT

pytestmark = pytest.mark.compiler


def builds() -> list[str]:
    """The builds that this processor can run."""
    level = native.library.processor_level() if native.IS_HERE else 1
    return ["any_processor", *(f"level_{k}" for k in (3, 4) if k <= level)]


@pytest.mark.parametrize("name", ["arc-eager", "swap", "list-graph"])
def test_every_build_says_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    explorations = []
    for module in map(import_module, [f"arcproof.native.{each}" for each in builds()]):
        monkeypatch.setattr(native, "ffi", module.ffi)
        monkeypatch.setattr(native, "library", module.lib)
        programs = Programs(load(name))
        kept = explore(programs, 4, ExplorationSettings())
        counted = explore(programs, 4, ExplorationSettings(keep=False))
        assert kept.edges is not None
        arrays = [kept.k0, kept.k1, kept.flags, kept.parents, kept.edges.targets, kept.edges.names]
        explorations.append(([array.tolist() for array in arrays], counted.configurations, counted.transitions))

    assert all(exploration == explorations[0] for exploration in explorations)


def test_no_function_has_more_than_eight_parameters() -> None:
    text = re.sub(r"/\*.*?\*/|\{[^}]*\}", "", (build.FOLDER / "interface.h").read_text(encoding="utf-8"), flags=re.S)
    parameters = {name: given.count(",") + 1 for name, given in re.findall(r"(\w+)\(([^)]*)\)", text)}

    assert parameters
    assert {name: count for name, count in parameters.items() if count > 8} == {}


def test_lines_of_c_are_within_120_columns() -> None:
    lines = [line for path in build.FOLDER.glob("*.[ch]") for line in path.read_text(encoding="utf-8").splitlines()]

    assert len(lines) > 3000
    assert [line for line in lines if len(line) > 120] == []


def test_c_has_the_numbers_of_python() -> None:
    text = build.constants()

    assert all(f"OP_{opcode.name} = {int(opcode)}," in text for opcode in Opcode)
    assert "#define SIGN_DEAD_END ((int64_t)2)" in text


def test_a_row_is_as_wide_as_in_c() -> None:
    program = Programs(load("arc-eager")).expansion(3)

    assert native.ffi.sizeof("struct row") == program.rows.itemsize * program.rows.shape[1]
    assert program.rows.dtype == np.int64


def test_compiled_files_are_not_in_the_repository() -> None:
    assert "*.so" in (ROOT / ".gitignore").read_text().splitlines()


def test_programs_that_ran_can_be_copied() -> None:
    programs = Programs(load("arc-eager"))
    explore(programs, 3, ExplorationSettings(keep=False))
    copied = pickle.loads(pickle.dumps(programs))

    assert explore(copied, 3, ExplorationSettings(keep=False)).configurations == 62


WITHOUT_MEMORY = """
import resource, sys
from arcproof.transitions.machine.figure_programs import Programs
from arcproof.transitions.machine.packed.explorer import ExplorationSettings, OutOfMemory, explore
from arcproof.transitions.system import load

programs = Programs(load("swap"))
programs.ranking, programs.expansion(6)
size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
for keep, room, step in ((False, 1 << 23, 1 << 16), (True, 1 << 25, 1 << 20)):
    for more in range(0, room, step):
        resource.setrlimit(resource.RLIMIT_AS, (size + more, resource.RLIM_INFINITY))
        try:
            assert explore(programs, 6, ExplorationSettings(keep=keep)).configurations == 252_006
        except (OutOfMemory, MemoryError):
            print(keep, "out of memory")
"""


@pytest.mark.process
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux how much memory a process has")
def test_a_search_without_memory_says_so_and_is_never_finished() -> None:
    """A count was said to be finished, with no configuration, if there was no memory for its first items."""
    done = subprocess.run([sys.executable, "-c", WITHOUT_MEMORY], capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    assert {"False out of memory", "True out of memory"} == set(done.stdout.splitlines())

"""The models for SPIN and TLC have exactly the configurations, and the transitions between them, that the interpreter
finds.

The models under `exported/` are those of arc-eager for two words, for reading: `arcproof export arc-eager --to promela
--words 2`. SPIN needs gcc, TLC needs Java and tla2tools.jar (see `benchmarks.checkers`); where a tool is missing its
tests are skipped and say so.
"""

import math
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from arcproof.properties.engines.exploration import OutOfBounds, explore
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import BadParameter
from arcproof.transitions.export.promela import to_promela
from arcproof.transitions.export.tla import to_tla
from arcproof.transitions.library import system_names
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.system import System, load
from benchmarks.checkers import CheckerFailed, build_spin, run_spin, run_tlc, spin_missing, tlc_missing
from tests.catalogue import each
from tests.conftest import Result
from tests.transitions.random_figures import figures

HERE = Path(__file__).parent
SEVERAL_HEADS = (HERE.parent / "machine" / "several-heads.tsys").read_text("utf-8")
Run = Callable[..., Result]
Counts = tuple[int, int]
T = TypeVar("T")

TWO_HEADS = """
system two-heads
  cite    "arc-eager without its preconditions"
  state   stack σ, buffer β
  start   [0], [1..n]
  final   β = []

  LEFT-ARC(l)    σ|i, j|β  =>  σ, j|β       add j -l-> i     if i != 0
  RIGHT-ARC(l)   σ|i, j|β  =>  σ|i|j, β     add i -l-> j
  REDUCE         σ|i, β    =>  σ, β                          if head(i)
  SHIFT          σ, i|β    =>  σ|i, β
"""

EVERYTHING = """
system everything
  cite    "nobody"
  note    "every construct that a transition may have"
  parameter d = 2
  parameter m = ∞
  state   stack σ, list λ head left, buffer β, flag e, counter k, set U
  start   [0], [], [1..n], false, 0, {}
  final   β = [], not exists x in σ: x in U and (e or head(x))

  LEFT(l)     σ|i|τ, λ, j|β, _, k, U     =>  σ·τ, i|λ, j|β, (exists x in τ|j: head(x)), k + 1, U + i
              add j -l-> i  if i != 0, no head(i) or k = 0, not i <->* j, |τ| + 1 <= d, 0 - 2 < k <= n
  RIGHT(l)    σ|i, λ, j|β, e, k, U       =>  σ|i|j, λ, β, (not e), k - 1, U - i + j
              add i -l-> j  if not j ->* i, degree(i, j) <= m, degree(i, j) < d + n, k > 0 - 2
  TURN        σ, α|x|ω|y, β, true, k, _  =>  σ|y, ω|x·α, β, false, k, {}
              remove * -> x  if all u in ω: all v in α: u != v, x != 0 or y -> x
  BACK        σ, [x], β, e, k, U         =>  σ|x, [], β, e, k - d, U  if x not in σ, σ != [0, 2], 0 < k < m
  PUT         σ|i, λ, β, e, 1, U         =>  σ, i|λ, β, false, 0, U   if i in U or (e and exists x in σ: i ->* x)
  SHIFT       σ, λ, j|β, e, _, U         =>  σ|j, λ, β, (β = []), 0, U                if λ != [2, 1] or dependent(j)
"""

ENDS = """
system ends
  cite    "patterns with cells at both ends"
  state   list λ head left, stack σ
  start   [0..n], []
  final   λ = [], σ = [2, 1]

  SWAP    x|ω|y, σ  =>  y|ω|x, σ    if x < y
  MOVE    x|ω|y, σ  =>  ω|x, σ|y
  BACK    λ, y|ω|x  =>  λ|x·ω, [y]  if |λ| < 2, |ω| > 0
"""


SYSTEMS = [*system_names(), "covington[d=0]", "covington[d=1]", "attardi[d=1]"]
ROOTS = (HERE.parent / "machine" / "roots.tsys").read_text(encoding="utf-8")
TEXTS = {
    "two-heads": TWO_HEADS,
    "everything": EVERYTHING,
    "ends": ENDS,
    "roots": ROOTS,
    "several-heads": SEVERAL_HEADS,
}
ALL = [*SYSTEMS, *TEXTS]
FOR_TLC = [
    "arc-eager", "arc-swift", "attardi[d=1]", "covington[d=1]", "nl-covington", "swap-max2", "easy-first", "mh", "pointer", "spacy", "tree-constrained",
    "two-planar",
]  # fmt: skip

TOO_LONG = 60
"""Seconds after which a model must have gone astray."""

needs_spin = pytest.mark.skipif(spin_missing() is not None, reason=str(spin_missing()))
needs_tlc = pytest.mark.skipif(tlc_missing() is not None, reason=str(tlc_missing()))


@cache
def system(name: str) -> System:
    return load(TEXTS.get(name, name))


def interpreter(of: System, words: int) -> Counts:
    space = explore(of, words)
    return len(space.configurations), sum(map(len, space.edges))


def spin(of: System, words: int, directory: Path) -> Counts:
    build_spin(to_promela(of, words), directory)
    found = run_spin(directory, limit=TOO_LONG)
    return found.configurations, found.transitions


def tlc(of: System, words: int, directory: Path) -> Counts:
    found = run_tlc(to_tla(of, words), directory, limit=TOO_LONG)
    return found.configurations, found.transitions


# --- counts ----------------------------------------------------------------------------------------------------------


@needs_spin
@pytest.mark.process
@pytest.mark.parametrize("name", [*each(SYSTEMS), *TEXTS])
def test_spin_finds_what_the_interpreter_finds(name: str, tmp_path: Path) -> None:
    for words in (2, 3):
        assert interpreter(system(name), words) == spin(system(name), words, tmp_path), words


@needs_tlc
@pytest.mark.process
@pytest.mark.parametrize("name", [*each(FOR_TLC), *TEXTS])
def test_tlc_finds_what_the_interpreter_finds(name: str, tmp_path: Path) -> None:
    assert interpreter(system(name), 3) == tlc(system(name), 3, tmp_path)


@needs_spin
@needs_tlc
@pytest.mark.process
@pytest.mark.nightly
@pytest.mark.parametrize("words", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("name", ALL)
def test_both_find_what_the_interpreter_finds(name: str, words: int, tmp_path: Path) -> None:
    ours = interpreter(system(name), words)

    assert ours == spin(system(name), words, tmp_path)
    assert ours == tlc(system(name), words, tmp_path)


def test_the_figure_with_everything_takes_every_transition() -> None:
    taken = {edge.transition.name for edge in explore(system("everything"), 3).all_edges()}

    assert taken == set(system("everything").transitions)


# --- random figures --------------------------------------------------------------------------------------------------


@st.composite
def lively_systems(draw: st.DrawFn) -> System:
    """Random figures, changed so that their runs go somewhere: all words are there at the start, patterns are open, few
    preconditions.
    """
    figure = draw(figures())
    first = next(index for index, part in enumerate(figure.state) if isinstance(part, s.SequenceComponent))
    everything = s.LiteralSequence((s.NodeRange(0, 0), s.NodeRange(1, None)))
    start = tuple(
        everything if index == first else s.LiteralSequence(()) if isinstance(value, s.LiteralSequence) else value
        for index, value in enumerate(figure.start)
    )
    empty = s.SequenceIs(figure.state[first].name, "=", s.LiteralSequence(()))
    rules = tuple(
        replace(
            rule,
            before=tuple(_open(index, part) for index, part in enumerate(rule.before)),
            preconditions=rule.preconditions if draw(st.booleans()) else (),
        )
        for rule in figure.rules
    )
    figure = replace(figure, start=start, final=(empty,), rules=rules, shared=False)
    values = {p.name: math.inf if isinstance(p.default, s.Infinity) else p.default.value for p in figure.parameters}
    return System(figure, MappingProxyType(values), to_source(figure))


def _open(index: int, pattern: s.Pattern) -> s.Pattern:
    if isinstance(pattern, s.SequenceOf) and not any(isinstance(item, s.Segment) for item in pattern.items):
        return s.SequenceOf((*pattern.items, s.Segment(f"ζ{index}")))
    return pattern


@needs_spin
@needs_tlc
@pytest.mark.process
@pytest.mark.nightly
def test_both_find_what_the_interpreter_finds_in_random_figures(tmp_path: Path) -> None:
    compared: set[str] = set()

    @settings(max_examples=300, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None)
    @given(lively_systems())
    def compare(of: System) -> None:
        twice = any(
            len(names) != len(set(names))
            for rule in of.figure.rules
            for names in [[item.name for part in rule.after if isinstance(part, s.SequenceOf) for item in part.items]]
        )
        if twice or of.text in compared:
            return
        try:
            space = explore(of, 2, limit=1000)
        except (OutOfBounds, BadParameter):
            return
        ours = len(space.configurations), sum(map(len, space.edges))
        if ours[0] < 3:
            return
        compared.add(of.text)
        assert ours == spin(of, 2, tmp_path)
        assert ours == tlc(of, 2, tmp_path)

    compare()
    assert len(compared) > 20


# --- what the models look like ---------------------------------------------------------------------------------------


def test_the_promela_model_of_arc_eager_reads_like_this() -> None:
    assert (HERE / "exported" / "arc_eager.pml").read_text(encoding="utf-8") == to_promela(system("arc-eager"), 2)


def test_the_tla_model_of_arc_eager_reads_like_this() -> None:
    assert (HERE / "exported" / "arc_eager.tla").read_text(encoding="utf-8") == to_tla(system("arc-eager"), 2).module


# --- hostile names ---------------------------------------------------------------------------------------------------

KEYWORDS = """
system Naturals
  cite    "*/ init { assert(false) } /* *) ==== --algorithm \\\\ ---- MODULE Evil ----"
  note    "#define TERMINAL true"
  note    "??/ \\"
  parameter N = 2
  state   stack end, buffer sigma, flag if', counter now, set LET
  start   [0], [1..n], false, 0, {}
  final   sigma = []

  do          end|heads, arc|sigma, false, now, LET  =>  end, arc|sigma, false, now, LET       add arc -> heads  if heads != 0, no head(heads)
  Init        end|index, len|sigma, run, now, LET    =>  end|index|len, sigma, run, now, LET   add index -> len  if all word in end: word != len
  od          end|x, sigma, true, _, LET             =>  end, sigma, false, 0, LET                               if head(x)
  od          end|x, sigma, false, k, LET            =>  end, sigma, true, k, LET + x                            if head(x), k < N
  WF-sigma    end|i|Seq, arcs|sigma, _, _, LET       =>  end|i|Seq|arcs, sigma, false, 1, LET                    if no head(i)
  at          end|at, n'|sigma, _, _, _              =>  end|at|n', sigma, false, 1, {}                          if not at ->* n'
"""


@cache
def keywords() -> System:
    return load(KEYWORDS)


def renamed(node: T, names: dict[str, str]) -> T:
    """The tree with every text that is a name in the mapping replaced."""
    if isinstance(node, tuple):
        return tuple(renamed(part, names) for part in node)  # type: ignore[return-value]
    if isinstance(node, str):
        return names.get(node, node)  # type: ignore[return-value]
    if not is_dataclass(node) or isinstance(node, type):
        return node
    return replace(node, **{part.name: renamed(getattr(node, part.name), names) for part in fields(node)})  # type: ignore[type-var]


@cache
def hostile() -> System:
    """Arc-eager with names that no specification could have, built from the tree."""
    figure = renamed(
        system("arc-eager").figure,
        {
            "σ": "σ*/ init { skip } /*",
            "β": "β\n====\n---- MODULE Evil ----",
            "i": "1 + \\* i'",
            "j": "",
            "LEFT-ARC": "*/\nbyte x; /*",
            "SHIFT": "x" * 3000,
            "REDUCE": "x" * 3000 + "y",
            "l": "*/ *)",
        },
    )
    return System(figure, MappingProxyType({}), "")


@needs_spin
@pytest.mark.process
@pytest.mark.parametrize("of", [keywords, hostile])
def test_no_name_breaks_the_promela_model(of: Callable[[], System], tmp_path: Path) -> None:
    assert interpreter(of(), 2) == spin(of(), 2, tmp_path)


@needs_tlc
@pytest.mark.process
@pytest.mark.parametrize("of", [keywords, hostile])
def test_no_name_breaks_the_tla_model(of: Callable[[], System], tmp_path: Path) -> None:
    assert interpreter(of(), 2) == tlc(of(), 2, tmp_path)


# --- what cannot be exported -----------------------------------------------------------------------------------------


@needs_spin
@pytest.mark.process
def test_a_sequence_that_outgrows_its_place_is_an_error_not_a_wrong_number(tmp_path: Path) -> None:
    growing = load(
        """
        system growing
          shared
          state   stack σ, counter k
          start   [0], 0
          final   k = 9
          MORE    σ|i, k  =>  σ|i|i, k + 1
        """
    )
    with pytest.raises(CheckerFailed, match="assertion violated"):
        spin(growing, 1, tmp_path)


# --- the command -----------------------------------------------------------------------------------------------------


def test_export_prints_a_model(arcproof: Run) -> None:
    promela = arcproof("export", "covington[d=1]", "--to", "promela", "--words", "3")
    tla = arcproof("export", "covington[d=1]", "--to", "tla", "--words", "3")

    assert (promela.code, promela.err, tla.code, tla.err) == (0, "", 0, "")
    assert promela.out == to_promela(system("covington[d=1]"), 3)
    assert tla.out == to_tla(system("covington[d=1]"), 3).module


def test_export_writes_the_configuration_beside_the_module(arcproof: Run, tmp_path: Path) -> None:
    done = arcproof("export", "swap", "--to", "tla", "--words", "3", "--output", "Swap3.tla")

    assert (done.code, done.out) == (0, "")
    assert (tmp_path / "Swap3.tla").read_text(encoding="utf-8") == to_tla(system("swap"), 3, "Swap3").module
    assert (tmp_path / "Swap3.cfg").read_text(encoding="utf-8") == "CONSTANT n = 3\nINIT Init\nNEXT Next\n"

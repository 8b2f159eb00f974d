"""Each claim with each feature that came late to the language: proved where it is true, never where it is false.

A false claim is true of short sentences wherever that is possible, and the interpreter is kept from refuting it, so
that the methods themselves must not prove it.
"""

from collections.abc import Iterator

import pytest

from arcproof.process.progress import silent
from arcproof.properties.proving.supervised import TimeLimits, prove_supervised
from arcproof.properties.verdict import Verdict
from arcproof.reports.proofs import obstacle_text
from arcproof.transitions.system import System
from tests.independent.judge import SEPARATOR, loaded, nobody_refutes
from tests.independent.test_features import FIGURES as SHORT_FIGURES
from tests.independent.test_features import STACK

SHARED = (
    STACK.replace("state stack σ, buffer β", "shared\n  state stack σ, stack τ, buffer β")
    .replace("[0], [1..n]", "[0], [], [1..n]")
    .replace(", β", ", τ, β")
    .replace(", i|β", ", τ, i|β")
    .replace("σ|i, τ, β\n  oracle", "σ|i, τ|i, β\n  oracle")
    .replace("final σ = [0], τ, β = []", "final σ = [0], β = []")
    .replace("stack σ, stack τ, τ, buffer", "stack σ, stack τ, buffer")
)
"""τ holds the words that were shifted, and nothing asks for them."""
CHAIN = """\
system chain
  state stack σ, buffer β
  start [0], [1..n]
  final β = []
  ARC(l)   σ|i, j|β  =>  σ|j, β  remove * -> j add i -l-> j
  BACK(l)  σ|i, j|β  =>  σ|j, β  remove * -> i add j -l-> i  if i != 0
  SHIFT    σ, j|β    =>  σ|j, β
  oracle o
    SHIFT
"""
MEASURE = "\n  measure V = |σ| + 2|β|\n"
REPLACING = STACK.replace("add j", "remove * -> i add j").replace("add i", "remove * -> j add i")


def late(text: str) -> str:
    """The figure with a dead end that only sentences of eight words reach; σ is what a pattern leaves of the stack."""

    def limited(line: str) -> str:
        least = "|σ| <= 6" if "σ|i|j" in line else "|σ| <= 8"
        return f"{line}, {least}" if " if " in line else f"{line}  if {least}"

    return "\n".join((*(limited(line) if "=>" in line else line for line in text.splitlines()), ""))


def with_parameter(text: str, value: str) -> str:
    return text.replace("system stack", f"system stack\n  parameter d = {value}")


FIGURES = {
    **SHORT_FIGURES,
    "shared": SHARED,
    "replaced arcs": REPLACING,
    "parameter": with_parameter(STACK.replace("\n  oracle", "  if |σ| <= d\n  oracle"), "∞"),
    "help": f"{STACK.rstrip()}{MEASURE}  invariant not head(0)\n",
    "wrong help": f"{STACK.rstrip()}\n  measure V = |σ| + |β|\n  invariant |σ| <= 8\n",
    "chain": CHAIN,
}
"""Figures in which the claims below are easily judged, by the feature that they have."""
LATE_FIGURES = {
    "tags": late(FIGURES["tags"]),
    "shared": late(SHARED),
    "replaced arcs": late(REPLACING),
    "parameter": with_parameter(late(STACK).replace("<= 8", "<= d"), "8"),
    "help": f"{late(STACK).rstrip()}{MEASURE}  invariant |σ| <= 8\n  invariant of o: |σ| <= 8\n",
}
"""Figures in which eight words on the stack are a dead end."""


def claiming(text: str, claim: str) -> System:
    return loaded(f"{text.rstrip()}\n  claims\n    {claim}\n{SEPARATOR}\n{STACK}")


@pytest.fixture
def blind() -> Iterator[None]:
    """Nobody tries to refute a claim, and no oracle is tried."""
    with nobody_refutes():
        yield


def verdict_of(system: System, seconds: float) -> tuple[Verdict, str]:
    """What is said of the first claim, and why it is open."""
    limits = TimeLimits(each=seconds)
    report, _ = prove_supervised(system, list(system.figure.claims), silent, lambda _: None, limits=limits)
    (theorem,) = report.theorems
    return theorem.verdict, "" if theorem.obstacle is None else obstacle_text(theorem.obstacle)


REFUSED = {
    ("several heads", "complete trees"): "words may have several heads",
    ("several heads", "complete graphs"): "words may have several heads",
    ("several heads", "like other.tsys on forests"): "words may have several heads",
    ("several heads", "unambiguous"): "several heads",
    ("unlabelled arcs", "complete projective trees"): "only some arcs get the labels",
    ("root none", "complete projective forests"): "arcs from 0",
    ("root none", "exact costs on projective trees"): "may have no head",
    ("root none", "safe costs on projective forests"): "may have no head",
    ("root none", "arc-decomposable on projective trees"): "gold arcs from 0",
    ("root none", "sound single-root trees"): "single-root",
    ("removed arcs", "unambiguous"): "removes arcs",
    ("removed arcs", "exact costs on projective forests"): "may have no head",
    ("removed arcs", "space = 2n + 1"): "space bounds other than",
}  # fmt: skip
"""Claims without a method, and the reason that is given."""


@pytest.mark.solver
@pytest.mark.process
@pytest.mark.parametrize(("feature", "claim"), REFUSED)
def test_what_has_no_method_is_refused_with_a_reason(feature: str, claim: str, blind: None) -> None:  # noqa: ARG001
    verdict, why = verdict_of(claiming(FIGURES[feature], claim), 60)

    assert verdict is not Verdict.PROVED
    assert REFUSED[feature, claim] in why


PROVED = {
    "tags": ("length = 2n", "no dead ends"),
    "wrong labels": ("#SHIFT = n",),
    "unlabelled arcs": ("terminates",),
    "several heads": ("sound graphs",),
    "root none": ("terminates",),
    "replaced arcs": ("length = 2n", "#SHIFT <= n"),
    "shared": ("length = 2n",),
    "parameter": ("terminates",),
    "help": ("terminates",),
    "wrong help": ("length = 2n",),
}
PROVED_SLOWLY = {
    "tags": ("complete projective trees",),
    "root none": ("sound projective trees", "complete projective trees"),
    "removed arcs": ("sound forests", "never stuck costs on projective trees"),
    "replaced arcs": ("no dead ends", "sound projective trees", "complete projective trees"),
    "chain": ("arc-decomposable on forests",),
    "shared": ("no dead ends", "sound projective trees"),
    "parameter": ("no dead ends", "complete projective trees"),
    "help": ("complete projective trees",),
    "wrong help": ("complete projective trees",),
}


def each(claims: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(feature, claim) for feature, some in claims.items() for claim in some]


SLOWLY = [pytest.param(*one, marks=pytest.mark.nightly) for one in each(PROVED_SLOWLY)]


@pytest.mark.solver
@pytest.mark.process
@pytest.mark.parametrize(("feature", "claim"), [*each(PROVED), *SLOWLY])
def test_what_is_true_is_proved(feature: str, claim: str) -> None:
    assert verdict_of(claiming(FIGURES[feature], claim), 300) == (Verdict.PROVED, "")


FALSE = {
    "tags": ("sound single-root trees", "length <= 2n - 1", "like other.tsys on projective trees"),
    "wrong tags": ("like other.tsys on projective trees",),
    "wrong labels": ("like other.tsys on projective trees",),
    "several heads": ("sound forests", "space <= 2n"),
    "root none": ("sound single-root trees", "length = 2n"),
    "root none, one left": ("arc-decomposable on projective trees",),
    "removed arcs": ("sound projective forests", "exact costs on projective trees"),
    "replaced arcs": ("unambiguous", "arc-decomposable on projective trees"),
    "shared": ("complete trees", "strictly incremental"),
    "parameter": ("complete trees", "incremental"),
    "help": ("complete trees",),
}
"""Claims that a few words refute."""


@pytest.mark.solver
@pytest.mark.process
@pytest.mark.parametrize(
    ("feature", "claim"),
    [
        pytest.param(feature, claim, marks=() if claim == FALSE[feature][0] else pytest.mark.nightly)
        for feature, claim in each(FALSE)
    ],
)
def test_what_is_false_is_not_proved_even_if_nobody_looks_for_what_refutes_it(
    feature: str,
    claim: str,
    blind: None,  # noqa: ARG001
) -> None:
    assert verdict_of(claiming(FIGURES[feature], claim), 6)[0] is not Verdict.PROVED


@pytest.mark.nightly
@pytest.mark.solver
@pytest.mark.process
@pytest.mark.parametrize("claim", ["no dead ends", "complete projective trees"])
@pytest.mark.parametrize("feature", LATE_FIGURES)
def test_what_only_eight_words_refute_is_not_proved(feature: str, claim: str, blind: None) -> None:  # noqa: ARG001
    assert verdict_of(claiming(LATE_FIGURES[feature], claim), 40)[0] is not Verdict.PROVED

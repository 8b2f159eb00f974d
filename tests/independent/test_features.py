"""Each claim on figures that have one feature each: every verdict is true by the independent interpreter.

The features are those that came late to the language, and each is easily forgotten by a claim: tags, labels, several
heads, `root none`, arcs that are removed, shared nodes, parameters, and ends that only sentences with words reach.
"""

from collections import Counter

import pytest

from arcproof.properties.engines.engine import ENGINES, EngineName
from arcproof.transitions.errors import BadSpecification
from tests.independent.judge import SEPARATOR, Truth, loaded, verified

STACK = """\
system stack
  state stack σ, buffer β
  start [0], [1..n]
  final σ = [0], β = []
  LEFT-ARC(l)    σ|i|j, β  =>  σ|j, β     add j -l-> i    if i != 0
  RIGHT-ARC(l)   σ|i|j, β  =>  σ|i, β     add i -l-> j
  SHIFT          σ, i|β    =>  σ|i, β
  oracle o
    LEFT-ARC(l)  σ|i|j, β if gold j -l-> i, complete(i)
    RIGHT-ARC(l) σ|i|j, β if gold i -l-> j, complete(j)
    SHIFT
"""
TAGS = STACK.replace("SHIFT          σ, i|β    =>  σ|i, β", "SHIFT(p)       σ, i|β    =>  σ|i, β   tag i p").replace(
    "    SHIFT\n", "    SHIFT(p) σ, i|β if gold tag i p\n"
)
FIGURES = {
    "plain": STACK,
    "tags": TAGS,
    "wrong tags": TAGS.replace("σ, i|β if gold tag i p", "σ|j, _|β if gold tag j p"),
    "wrong labels": STACK.replace(
        "oracle o", "oracle o\n    LEFT-ARC(l) σ|k|i|j, β if gold j -> i, gold j -l-> k, complete(i)"
    ),
    "unlabelled arcs": STACK.replace("RIGHT-ARC(l)", "RIGHT-ARC").replace("i -l-> j", "i -> j"),
    "parameters": STACK.replace("system stack", "system stack\n  parameter d = 2")
    .replace("σ|i|j, β", "σ|i|τ|j, β")
    .replace("σ|j, β ", "σ|τ|j, β ")
    .replace("σ|i, β     add", "σ|i|τ, β     add")
    .replace("if i != 0", "if i != 0, |τ| < d")
    .replace("add i -l-> j", "add i -l-> j if |τ| < d")
    .replace("complete(i)", "complete(i), |τ| < d")
    .replace("complete(j)", "complete(j), |τ| < d"),
    "no end without words": STACK.replace("β = []", "β = [], dependent(0)").replace(
        "add i -l-> j", "add i -l-> j  if i != 0 or β = []"
    ),
    "several heads": """\
system several
  several heads
  state stack σ, buffer β
  start [0], [1..n]
  final β = []
  LEFT(l)   σ|i, j|β => σ|i, j|β  add j -l-> i if i != 0, not j -> i
  RIGHT(l)  σ|i, j|β => σ|i, j|β  add i -l-> j if not i -> j
  POP       σ|i, β => σ, β
  SHIFT     σ, i|β => σ|i, β
  oracle o
    LEFT(l)  σ|i, j|β if gold j -l-> i, not j -> i
    RIGHT(l) σ|i, j|β if gold i -l-> j, not i -> j
    POP      σ|i, j|β if exists k in σ: gold k -> j or gold j -> k
    SHIFT
""",
    "root none": """\
system rootnone
  root none
  state stack σ, buffer β
  start [], [1..n]
  final β = []
  LEFT-ARC(l)    σ|i, j|β  =>  σ, j|β       add j -l-> i     if no head(i)
  RIGHT-ARC(l)   σ|i, j|β  =>  σ|i|j, β     add i -l-> j
  REDUCE         σ|i, β    =>  σ, β                          if head(i)
  SHIFT          σ, i|β    =>  σ|i, β
  oracle o
    LEFT-ARC(l)    σ|i, j|β   if gold j -l-> i
    RIGHT-ARC(l)   σ|i, j|β   if gold i -l-> j
    REDUCE         σ|i, j|β   if head(i), exists k in σ: gold k -> j or gold j -> k
    SHIFT
  dynamic costs
    cost LEFT-ARC    σ|s, b|β  = #{k in b|β: gold s -> k} + [gold head(s) in β]
    cost RIGHT-ARC   σ|s, b|β  = [gold head(b) in σ or gold head(b) in β] + #{k in σ|s: gold b -> k, no head(k)}
    cost REDUCE      σ|s, b|β  = #{k in b|β: gold s -> k}
    cost SHIFT       σ, b|β    = [gold head(b) in σ] + #{k in σ: gold b -> k, no head(k)}
""",
    "root none, one left": """\
system rootnone2
  root none
  state stack σ, buffer β
  start [], [1..n]
  final |σ| <= 1, β = []
  LEFT-ARC(l)   σ|s, b|β  =>  σ, b|β   add b -l-> s
  RIGHT-ARC(l)  σ|t|s, β  =>  σ|t, β   add t -l-> s
  SHIFT      σ, b|β    =>  σ|b, β
  oracle o
    LEFT-ARC(l)  σ|i, j|β if gold j -l-> i, complete(i)
    RIGHT-ARC(l) σ|i|j, β if gold i -l-> j, complete(j)
    SHIFT
""",
    "removed arcs": """\
system removes
  state stack σ, buffer β, flag f
  start [0], [1..n], false
  final β = []
  SHIFT     σ, j|β, f        =>  σ|j, β, f
  ARC(l)    σ|i, j|β, f      =>  σ|i, j|β, f       add i -l-> j   if no head(j)
  AGAIN     σ, j|β, false    =>  σ, j|β, true      remove * -> j  if head(j)
  POP       σ|i, j|β, f      =>  σ, j|β, f         if i != 0
  oracle o
    ARC(l) σ|i, j|β, f if gold i -l-> j, no head(j)
    POP    σ|i, j|β, f if exists k in σ: gold k -> j
    SHIFT
  dynamic costs
    cost SHIFT  σ, b|β, f = 0
    cost ARC    σ, b|β, f = 0
    cost AGAIN  σ, b|β, f = 0
    cost POP    σ, b|β, f = 0
""",
    "shared nodes": """\
system shared
  shared
  state stack σ, stack τ, buffer β
  start [0], [0], [1..n]
  final β = []
  ONE(l)  σ|i, τ, j|β => σ|i|j, τ|j, β add i -l-> j
  TWO(l)  σ, τ|i, j|β => σ|j, τ|j, β  add i -l-> j
  POP     σ|i, τ, j|β => σ, τ, j|β if i != 0
  POP2    σ, τ|i, j|β => σ, τ, j|β if i != 0
  NONE    σ, τ, j|β => σ|j, τ|j, β
  oracle o
    ONE(l)  σ|i, τ, j|β if gold i -l-> j
    TWO(l)  σ, τ|i, j|β if gold i -l-> j
    POP     σ|i, τ, j|β if exists k in σ: gold k -> j
    NONE
""",
}
CLASSES = ("trees", "projective trees", "forests", "projective forests", "single-root trees", "single-root projective trees",
           "graphs", "acyclic graphs", "planar forests")  # fmt: skip
CLAIMS = (
    *(f"{kind} {graphs}" for kind in ("sound", "complete") for graphs in CLASSES),
    "terminates", "no dead ends", "unambiguous", "incremental", "weakly incremental", "strictly incremental",
    "length <= 2n", "length = 2n", "length >= n", "length <= 2n - 1", "#SHIFT <= n", "#SHIFT = n",
    "space <= 2n + 1", "space = 2n + 1", "space <= 3n + 2",
    "equivalent to other.tsys", "like other.tsys on projective trees", "like other.tsys on forests",
    *(f"arc-decomposable on {graphs}" for graphs in ("projective trees", "trees", "forests")),
    *(f"{kind} costs on {graphs}" for kind in ("exact", "safe", "never stuck") for graphs in ("projective trees", "forests")),
)  # fmt: skip


def refused(text: str) -> bool:
    """Whether the reader refuses the figure with this claim."""
    try:
        loaded(text)
    except BadSpecification:
        return True
    return False


def with_claims(figure: str) -> str:
    """The figure with every claim that the reader takes."""
    text = f"{FIGURES[figure].rstrip()}\n  claims\n"
    other = f"{SEPARATOR}\n{STACK}"
    taken = [claim for claim in CLAIMS if not refused(f"{text}    {claim}\n{other}")]
    return text + "".join(f"    {claim}\n" for claim in taken) + other


@pytest.mark.compiler
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("figure", FIGURES)
def test_every_verdict_on_a_figure_with_a_feature_is_true(figure: str, engine: EngineName) -> None:
    """Some claims hold and some do not, whatever the feature."""
    words = 2 if figure == "several heads" else 3
    truth = Truth(loaded(with_claims(figure)), words)

    assert not list(verified(truth, engine))
    found = Counter(kind.partition(" ")[2] for kind in truth.tally.elements())
    assert found["exhausted"] >= 7
    assert found["refuted"] >= 7

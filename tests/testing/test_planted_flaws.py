"""The same planted flaws are found by `verify`, whose samples are native, and by the plugin, whose samples are those of
Hypothesis.

Both try everything up to `WORDS` words first, and most flaws show only with more.  `verify` does not sample oracles, so
it is given as many words as a flaw of an oracle needs.
"""

import pytest
from hypothesis import settings

from arcproof.properties.checks.oracle_correct import all_oracles
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.property import Question
from arcproof.properties.report import Effort
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify_system
from arcproof.testing.checking import examined
from arcproof.testing.properties import property_about
from arcproof.testing.subjects import Subject
from arcproof.transitions import syntax as s
from arcproof.transitions.library import source_of
from arcproof.transitions.system import System, load
from tests.testing import figures

pytestmark = pytest.mark.long

WORDS = 3
FIGURES = {"trees": figures.GOOD, "bounded": figures.PARAMETER}
BACK = "  BACK           σ|i, β     =>  σ, i|β      if |σ| >= 4, i != 0\n\n  oracle"
EXCHANGE = "  EXCHANGE       σ|i|j, β  =>  σ|j|i, β    if 0 < i < j, |σ| >= 3\n"
FLAWS: dict[str, tuple[str, str, str, str, int]] = {
    "the bound of Swap without the swaps": ("swap", "", "", "length = 2n", 3),
    "the bound 2n + 2k broken by a transition more": ("swap", "  default SHIFT\n", EXCHANGE, "length <= 2n + 2 #SWAP", 5),
    "a bound that holds for short sentences": ("swap", "", "", "length <= 2n + 12", 5),
    "a run that never ends": ("trees", "\n  oracle", BACK, "terminates", 5),
    "an arc into 0": ("trees", "if i != 0", "if i != 0 or |β| >= 4", "sound projective trees", 6),
    "an arc that crosses": ("swap", "if 0 < i < j", "if 0 < i < j, |σ| >= 3", "sound projective trees", 6),
    "a dead end": ("bounded", "d = 1", "d = 5", "no dead ends", 6),
    "a configuration that takes too much": ("arc-eager", "", "", "space <= n + 6", 6),
    "a graph that is no output": ("trees", "add i -l-> j", "add i -l-> j    if |σ| <= 3", "complete projective trees", 5),
    "an oracle that stops short": ("trees", "complete(j)", "complete(j), |σ| <= 4", "static on projective trees", 6),
    "an oracle that is too eager": ("trees", ", complete(j)", "", "static on projective trees", 2),
    "oracles that part": ("arc-hybrid", "-> j, complete(j)", "-> j, complete(j), |σ| <= 4", "like arc-hybrid on projective trees", 6),
    "a cost that is too low with a deep stack": ("arc-hybrid", "    cost RIGHT-ARC ", "    cost RIGHT-ARC   σ|u|v|w|t|s, β = 0\n    cost RIGHT-ARC ", "exact goldberg-nivre on projective trees", 5),
    "a cost that is too low": ("arc-hybrid", " + [gold head(s) in β]", "", "exact goldberg-nivre on projective trees", 2),
}  # fmt: skip

settings.register_profile("thorough", settings.get_profile("suite"), max_examples=100)


@pytest.fixture(autouse=True)
def as_many_examples_as_by_default(few_examples: None) -> None:  # noqa: ARG001
    settings.load_profile("thorough")


def flawed(name: str) -> tuple[System, Question]:
    """The figure with the flaw, and what it contradicts."""
    figure, old, new, text, _ = FLAWS[name]
    head = (FIGURES.get(figure) or source_of(figure)).partition("  claims\n")[0]
    assert old in head
    about_an_oracle = text.startswith("static on ")
    claim = text.replace("static on", "complete") if about_an_oracle else text
    system = load(head.replace(old, new, 1) + f"\n  claims\n    {claim}\n")
    return system, all_oracles(system)[0] if about_an_oracle else system.figure.claims[0]


@pytest.mark.parametrize("name", FLAWS)
def test_verify_finds_it(name: str) -> None:
    system, question = flawed(name)
    is_sampled = isinstance(question, s.Claim) and not isinstance(question.statement, s.Exact)
    words = WORDS if is_sampled else FLAWS[name][-1]

    report = verify_system(system, Effort(words, Sampling(50), in_depth=False))

    [finding] = [one for one in (*report.claims, *report.checks) if one.question == question]
    assert finding.verdict is Verdict.REFUTED


@pytest.mark.parametrize("name", FLAWS)
def test_hypothesis_finds_it(name: str) -> None:
    system, question = flawed(name)
    subject = Subject(system, None)
    about = property_about(subject, question, WORDS)

    found = examined(subject, question, WORDS, about, None if about is None else about.as_test())

    assert found.finding is not None
    assert found.finding.verdict is Verdict.REFUTED
    fewest = FLAWS[name][-1]
    assert ("Failing test case: " in (found.failure or "")) == (fewest > WORDS)

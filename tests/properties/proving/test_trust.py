"""What makes a `proved` trustworthy: nothing that is false is proved, whatever is broken on the way; who agrees is
said.
"""

import re
import sys
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files

import pytest

from arcproof import __main__ as command_line
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.property import check_statement
from arcproof.properties.proving import prover as prover_module
from arcproof.properties.proving.arguments import WrongMeaning
from arcproof.properties.proving.goals.completeness import gold_axioms
from arcproof.properties.proving.goals.soundness import soundness
from arcproof.properties.proving.goals.space import problem_of
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.lemmas import read
from arcproof.properties.proving.library import AXIOMS
from arcproof.properties.proving.library import instances as instances_module
from arcproof.properties.proving.library.gold import as_given, axioms, false_axiom, lemmas, premises
from arcproof.properties.proving.library.instances import NOWHERE, axioms_where, gold_lemmas
from arcproof.properties.proving.library.instances import file as file_of_library
from arcproof.properties.proving.meaning.state import SymbolicState
from arcproof.properties.proving.meaning.symbolic import Meanings, meanings_of
from arcproof.properties.proving.methods import completeness as completeness_module
from arcproof.properties.proving.methods.completeness import sound
from arcproof.properties.proving.prove import prove
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.search.houdini import search
from arcproof.properties.proving.trusted import discharge as discharge_module
from arcproof.properties.proving.trusted.facts import Candidate
from arcproof.properties.proving.trusted.obligation import Obligation
from arcproof.properties.proving.trusted.problem import Goal
from arcproof.properties.proving.trusted.solvers import Result
from arcproof.properties.proving.trusted.witness import NotAnInvariant
from arcproof.properties.report import Effort
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify_system
from arcproof.reports.proofs import theorem_text
from arcproof.reports.sentences import verdict_text
from arcproof.transitions.errors import BadSpecification
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.syntax import Claim, GraphClass, Restriction, Sound
from arcproof.transitions.system import System, load
from tests.properties.proving import made_up

SHORT = made_up.SHORT.replace("    space <= 2n + 1\n", "")
TWICE = """system twice
  cite "in no paper"
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  SHIFT   σ, i|β      =>  σ|i, β
  ARC(l)  σ|i, j|β    =>  σ|i|j, β   add i -l-> j
  AGAIN(l)  σ|i|j, β  =>  σ|i, β     add i -l-> j   if i -> j

  oracle none

  claims
    sound forests
"""
FEW = 200_000
PROJECTIVE = (Restriction("projective"),)
PLANAR = (Restriction("planar"),)
SINGLE_ROOT = (Restriction("single-root"),)


# --- a corpus that must never be proved ------------------------------------------------------------------------------


def mutants(name: str) -> list[tuple[str, str]]:
    """The figure with each precondition dropped, each arc reversed, and ending one word too early.

    What is not a figure any more, because two cases overlap or it has no β, is left out.
    """
    text = to_source(load(name).figure)
    found: list[tuple[str, str]] = []
    for line in text.split("  default")[0].split("\n"):
        if "=>" not in line:
            continue
        rule, _, conditions = line.partition(" if ")
        transition = line.split()[0]
        for condition in conditions.split(", ") if conditions else []:
            kept = ", ".join(other for other in conditions.split(", ") if other != condition)
            found.append(
                (f"{transition} without {condition}", text.replace(line, rule + (f" if {kept}" if kept else "")))
            )
        arc = re.search(r"add (\w+) -l-> (\w+)", line)
        if arc:
            turned = line.replace(arc[0], f"add {arc[2]} -l-> {arc[1]}")
            found.append((f"{transition} reversed", text.replace(line, turned)))
    final = next(line for line in text.split("\n") if line.startswith("  final"))
    found.append(("ends one word early", text.replace(final, "  final   |β| <= 1")))
    return [(title, text) for title, text in found if _is_a_figure(text)]


def _is_a_figure(text: str) -> bool:
    try:
        load(text)
    except BadSpecification:
        return False
    return True


@cache
def broken(name: str) -> list[tuple[str, str]]:
    """The mutants of which the interpreter refutes the first claim, soundness."""
    return [
        (title, text)
        for title, text in mutants(name)
        if check_statement(Levels(system := load(text), 4), system.figure.claims[0].statement).verdict
        is Verdict.REFUTED
    ]


CORPUS = {"arc-eager": 5, "arc-standard-stack": 4, "swap": 4}
LATER = {
    "attardi-extract": 12, "attardi-original": 8, "choi-mccallum": 14, "easy-first": 3, "hybrid-swap": 4, "link2": 7,
    "mh": 6, "nivre-2008b": 4, "nonmonotonic-2013": 6, "nonmonotonic-2015": 6, "planar": 7, "pointer": 3, "spacy": 2,
    "tree-constrained": 7, "two-planar": 7,
}  # fmt: skip
"""How many mutants are refuted with up to four words."""


def never_proved(system: System, rlimit: int) -> None:
    """Ask the prover itself, without the interpreter, which would refute the claim at once."""
    claim = system.figure.claims[0]
    assert isinstance(claim.statement, Sound)
    try:
        theorem = sound(Prover(system, rlimit=rlimit), claim, system.class_with_parameters(claim.statement.graphs))
    except NotAnInvariant:
        return
    assert theorem.verdict is not Verdict.PROVED


@pytest.mark.parametrize("name", CORPUS)
def test_there_are_mutants_to_refuse(name: str) -> None:
    assert len(broken(name)) >= CORPUS[name]


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(2))
def test_a_mutant_is_not_proved_even_if_the_interpreter_is_not_asked(number: int) -> None:
    title, text = broken("arc-standard-stack")[number]
    assert title
    never_proved(load(text), 20_000)


@pytest.mark.nightly
@pytest.mark.parametrize("name", CORPUS)
def test_no_mutant_is_proved(name: str) -> None:
    for _, text in broken(name):
        never_proved(load(text), FEW)


@pytest.mark.nightly
@pytest.mark.parametrize("name", LATER)
def test_no_mutant_of_a_later_system_is_proved(name: str) -> None:
    assert len(broken(name)) == LATER[name]
    for _, text in broken(name):
        never_proved(load(text), 20_000)


def test_an_arc_that_is_added_twice_is_not_proved() -> None:
    """As a relation the arcs stay the same; SINGLE-HEAD is a matter of the moment at which an arc is added."""
    system = load(TWICE)
    (theorem,) = prove(system).theorems

    assert theorem.verdict is Verdict.REFUTED
    assert "which already has a head" in theorem_text(theorem)


@pytest.mark.nightly
def test_an_arc_that_is_added_twice_is_not_proved_even_if_the_interpreter_is_not_asked() -> None:
    never_proved(load(TWICE), 20_000)


@pytest.mark.solver
@pytest.mark.parametrize("name", ["arc-eager", "swap", "list-projective"])
def test_false_is_not_proved(name: str) -> None:
    prover = Prover(load(name))
    absurd = problem_of(prover.meanings, (Goal("false", (), t.FALSE),))

    assert list(search(absurd, prover.candidates, 20_000).failed) == ["false"]


@pytest.mark.solver
def test_the_negation_of_a_theorem_is_not_proved() -> None:
    prover = Prover(load("arc-eager"))
    problem = soundness(prover.meanings, GraphClass(PROJECTIVE, "forests"))
    negated = tuple(Goal(f"not {g.name}", g.premises, t.negation(g.term)) for g in problem.goals[:4])

    assert len(search(replace(problem, goals=negated), prover.candidates, 20_000).failed) == len(negated)


# --- premises that are broken ----------------------------------------------------------------------------------------


@pytest.mark.solver
def test_a_candidate_that_contradicts_the_others_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A premise that is false in runs, slipped in as if it had been proved: the witnesses refuse it."""
    system = load("arc-standard")

    def slipped(meanings: Meanings, graphs: GraphClass) -> object:
        problem = soundness(meanings, graphs)
        return replace(problem, given=(Candidate("slipped in", lambda c: t.at_most(c.heights["σ"], 0)),))

    monkeypatch.setattr(completeness_module, "soundness", slipped)
    with pytest.raises(NotAnInvariant):
        sound(Prover(system), Claim(Sound(GraphClass((), "forests"))), GraphClass((), "forests"))


@pytest.mark.solver
@pytest.mark.parametrize("condition", ["i < i", "head(i)"])
def test_a_transition_that_is_proved_never_to_happen_is_accepted_and_named(condition: str) -> None:
    """`ARC` is dead: what is proved about it is empty, and the theorem says so."""
    arc = f"\n  ARC(l)  σ|i, j|β  =>  σ|i, β   add i -l-> j  if {condition}\n\n  oracle"
    (theorem,) = prove(load(SHORT.replace("\n\n  oracle", arc, 1))).theorems

    assert (theorem.verdict, theorem.dead) == (Verdict.PROVED, ("ARC",))
    assert theorem_text(theorem).endswith("; proved never to happen: ARC")
    assert {done.obligation.name for done in theorem.obligations} >= {"ARC never happens"}


@pytest.mark.solver
def test_a_transition_that_seldom_fires_is_not_taken_for_dead() -> None:
    """It happens with twelve words, further than the search looks, so neither is proved."""
    arc = "\n  LATE  σ|i, j|β  =>  σ|i|j, β  if j > 11\n\n  oracle"
    (theorem,) = prove(load(SHORT.replace("\n\n  oracle", arc, 1))).theorems

    assert (theorem.verdict, theorem.dead) == (Verdict.UNKNOWN, ())
    assert "LATE" in theorem_text(theorem)


def test_a_stale_ghost_is_not_a_way_to_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoding that forgets arcs would make everything sound, and did when only premises were compared with real
    runs.
    """
    system = load(TWICE)
    meanings = meanings_of(system)

    def forgetful(state: SymbolicState) -> SymbolicState:
        return replace(state, headed=meanings.before.headed, arc=meanings.before.arc, reaches=meanings.before.reaches)

    steps = tuple(
        replace(step, after=forgetful(step.after), added=tuple(replace(a, headed=t.FALSE) for a in step.added))
        for step in meanings.steps
    )
    monkeypatch.setattr(prover_module, "meanings_of", lambda _: replace(meanings, steps=steps))
    with pytest.raises(WrongMeaning):
        never_proved(system, FEW)


STRONG = [
    ("no word hangs on its right neighbour", "forall x: not gold x + 1 -> x"),
    ("depth is at most 4", "forall x: depth(x) <= 4"),
    ("0 has a dependent", "exists x: gold 0 -> x"),
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "formula"), STRONG)
@pytest.mark.parametrize("file_of_axioms", AXIOMS)
def test_a_false_axiom_planted_in_a_file_is_noticed(
    name: str, formula: str, file_of_axioms: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that only sentences of five words refute: for that the test of the axioms themselves goes to six."""
    system, graphs = load("arc-eager"), GraphClass(PROJECTIVE, "forests")
    words = 5 if name.startswith("depth") else 4
    planted = read(text_of(file_of_axioms) + f'axiom "{name}": {formula}.', "planted")
    monkeypatch.setattr(
        instances_module, "file", lambda own: planted if own == file_of_axioms else file_of_library(own)
    )
    given = premises(axioms_where({"rooted", "projective", "ordered", "planar"}))

    assert f"{name} is false of" in (false_axiom(system, graphs, given, words) or "")
    assert words == 4 or false_axiom(system, graphs, given, 4) is None


def text_of(name: str) -> str:
    return files(instances_module.LIBRARY).joinpath(f"{name}.lemmas").read_text(encoding="utf-8")


CLASSES = [
    (name, GraphClass(restrictions, base))
    for name in ("arc-eager", "arc-eager-2003")
    for restrictions in ((), PROJECTIVE, PLANAR, SINGLE_ROOT)
    for base in ("forests", "trees")
    if (name != "arc-eager-2003" or restrictions not in (PLANAR, SINGLE_ROOT))
    if (restrictions, base) != (SINGLE_ROOT, "forests")
]
"""Every class that axioms are about, for a system with node 0 and for one without."""


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "graphs"), CLASSES)
def test_every_gold_axiom_is_true_of_every_graph_up_to_six_words(name: str, graphs: GraphClass) -> None:
    system = load(name)

    assert false_axiom(system, graphs, premises(axioms(system, graphs, ordered=True)), 6) is None


@pytest.mark.long
@pytest.mark.parametrize(("name", "graphs"), CLASSES)
def test_every_gold_axiom_and_lemma_is_true_of_every_graph_of_four_words(name: str, graphs: GraphClass) -> None:
    system = load(name)
    given = axioms(system, graphs, ordered=True)

    assert false_axiom(system, graphs, premises(as_given(given, lemmas(given))), 4) is None


def test_every_axiom_and_basic_lemma_of_the_files_is_tested() -> None:
    tested = {
        (c.name, t.to_smt(c.formula(NOWHERE)))
        for name, graphs in CLASSES
        for given in [axioms(load(name), graphs, ordered=True)]
        for c in as_given(given, lemmas(given))
    }
    written = [item for name in AXIOMS for item in file_of_library(name).trees()]

    assert {item.kind for item in written} == {"axiom"}
    assert len(tested) == len(written) + len(gold_lemmas())


def test_the_projective_order_of_a_forest_is_not_projective_for_arcs_from_0() -> None:
    text = load("list-nonprojective").text.replace("if gold j -l-> i", "if gold j -l-> i, i <G j or j <G i", 1)
    system, graphs = load(text), GraphClass((), "forests")
    given = premises(gold_axioms(meanings_of(system), graphs, system.figure.oracles[0]))
    of_trees = dict(premises(axioms_where({"trees", "rooted", "ordered"})))
    name = "gold is projective in the projective order"

    assert name in dict(given)
    assert false_axiom(system, graphs, given) is None
    assert false_axiom(system, graphs, [(name, of_trees[name])]) is not None


# --- solvers ---------------------------------------------------------------------------------------------------------


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["arcproof", *arguments])
    with pytest.raises(SystemExit) as ended:
        command_line.main()
    assert isinstance(ended.value.code, int)
    return ended.value.code


def satisfied_with_everything(*_: object) -> Result:
    """A solver that finds a counterexample to everything; other processes are asked by its name."""
    return Result("cvc5", "sat", 0.0)


@pytest.mark.solver
def test_solvers_that_disagree_end_with_code_4(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path_factory.mktemp("solvers") / "short.tsys"
    path.write_text(SHORT, encoding="utf-8")
    assert run(monkeypatch, "prove", str(path), "--no-cache") == 0
    monkeypatch.setattr(discharge_module, "ask_cvc5", satisfied_with_everything)

    assert run(monkeypatch, "prove", str(path), "--no-cache") == 4
    assert "the engines contradict each other" in capsys.readouterr().err


@pytest.mark.solver
@pytest.mark.parametrize(("silent", "left"), [("cvc5", "z3"), ("z3", "cvc5")])
def test_a_proof_by_one_solver_says_so(silent: str, left: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def quiet(*_: object, **__: object) -> Result:
        return Result(silent, "unknown", 0.0, "told to be silent")

    monkeypatch.setattr(discharge_module, f"ask_{silent}", quiet)
    (theorem,) = prove(load(SHORT)).theorems
    finding = verify_system(load(SHORT), Effort(2, Sampling(0), in_depth=False, proofs="afresh")).claims[0]

    assert (theorem.verdict, theorem.solvers) == (Verdict.PROVED, (left,))
    assert theorem_text(theorem).endswith(f"by {left} only")
    assert verdict_text(finding) == f"proved, all n ({left} only)"


@pytest.mark.solver
def test_a_proof_that_needs_luck_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a proof took long, Z3 must discharge under every seed; of an easy one no other is asked."""
    real = discharge_module.ask_z3

    def lucky(effort: int, obligation: Obligation, rlimit: int, seed: int, **options: bool) -> Result:
        if seed == 2:
            return Result("z3", "unknown", 0.0, "no luck")
        return replace(real(obligation, rlimit, seed, **options), effort=effort)

    monkeypatch.setattr(discharge_module, "ask_z3", partial(lucky, discharge_module.EASY + 1))
    (theorem,) = prove(load(SHORT)).theorems
    assert theorem.solvers == ("cvc5",)
    monkeypatch.setattr(discharge_module, "ask_z3", partial(lucky, discharge_module.EASY))
    (theorem,) = prove(load(SHORT)).theorems
    assert theorem.solvers == ("z3", "cvc5")


@pytest.mark.solver
def test_no_solver_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("z3", "cvc5"):
        answer = Result(name, "unknown", 0.0)
        monkeypatch.setattr(discharge_module, f"ask_{name}", lambda *_, answer=answer, **__: answer)

    (theorem,) = prove(load(SHORT)).theorems
    assert (theorem.verdict, theorem.solvers) == (Verdict.UNKNOWN, ())


@pytest.mark.parametrize("end", ["\n", "\r", "\x0b", "\x85", "\u2028"])
def test_a_name_does_not_become_an_assertion(end: str) -> None:
    """Names are comments in what solvers read, and a comment ends with its line."""
    sly = f"harmless{end}(assert false)"
    obligation = Obligation(sly, ((sly, t.TRUE),), t.FALSE)

    assert [line for line in obligation.text.splitlines() if line.startswith("(assert")] == [
        "(assert true)",
        "(assert (not false))",
    ]

"""Good files of every kind, from which bad ones are made: built-in ones, and what short commands write."""

import json
import os
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SMALL = """system small
  cite  "A figure of the torture suite"
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  LEFT-ARC(l)   σ|i, j|β => σ, j|β    add j -l-> i  if i != 0, no head(i)
  RIGHT-ARC(l)  σ|i, j|β => σ|i|j, β  add i -l-> j  if no head(j)
  SHIFT         σ, i|β   => σ|i, β

  claims
    length <= 2n
    terminates
"""
SENTENCES = 12
LEARNERS = ("fast", "svc")
CONLLU = """# sent_id = 1
# text = A small tree grows
1\tA\ta\tDET\tDT\tDefinite=Ind\t3\tdet\t3:det\t_
2\tsmall\tsmall\tADJ\tJJ\tDegree=Pos\t3\tamod\t3:amod|4:x\t_
3\ttree\ttree\tNOUN\tNN\tNumber=Sing\t4\tnsubj\t4:nsubj\t_
4\tgrows\tgrow\tVERB\tVBZ\t_\t0\troot\t0:root\tSpaceAfter=No

1-2\tdont\t_\t_\t_\t_\t_\t_\t_\t_
1\tdo\tdo\tAUX\t_\t_\t3\taux\t_\t_
2\tnot\tnot\tPART\t_\t_\t3\tneg\t_\t_
3\tgo\tgo\tVERB\t_\t_\t0\troot\t0:root\t_
3.1\tand\t_\t_\t_\t_\t_\t_\t3:conj\t_

"""
CONLLX = """1\tEn\ten\tDET\tDT\t_\t2\tdet\t_\t_
2\tHund\thund\tN\tNN\tnum=sg|case=n\t3\tsubj\t_\t_
3\tgøer\tgø\tV\tVB\t_\t0\tROOT\t0\tROOT

1\tJa\tja\tI\tI\t_\t0\tROOT\t_\t_

"""
CONLL09 = """1\tThe\tthe\tthe\tDT\tDT\t_\t_\t2\t2\tNMOD\tNMOD\t_\t_\t_
2\tcat\tcat\tcat\tNN\tNN\t_\t_\t3\t3\tSBJ\tSBJ\t_\t_\tA0
3\tsleeps\tsleep\tsleep\tVBZ\tVBZ\t_\t_\t0\t0\tROOT\tROOT\tY\tsleep.01\t_

"""
SDP = """#SDP 2015
#20001001
1\tPierre\tPierre\tNNP\t-\t+\tnamed:x-c\t_\tARG1
2\tVinken\t_generic_proper_ne_\tNNP\t-\t-\t_\tcompound\t_
3\tjoined\tjoin\tVBD\t+\t+\tv:e-i-p\t_\t_

"""
LOG = """SHIFT LEFT-ARC:det SHIFT RIGHT-ARC~obj REDUCE
SHIFT RIGHT-ARC(root) SHIFT left_arc RIGHT-ARC
RIGHT-ARC RIGHT-ARC

SHIFT SHIFT SHIFT
"""


def folder() -> Path:
    """Where they are kept: TORTURE_BASES, which the run names to what it starts."""
    return Path(os.environ["TORTURE_BASES"])


def made(where: Path) -> Path:
    """The folder with everything in it; what is there already stays."""
    where.mkdir(parents=True, exist_ok=True)
    (where / "small.tsys").write_text(SMALL, encoding="utf-8")
    treebank = (ROOT / "classifiers" / "treebanks" / "artificial-train.conllu").read_text(encoding="utf-8")
    (where / "train.conllu").write_text("\n\n".join(treebank.split("\n\n")[:SENTENCES]) + "\n\n", encoding="utf-8")
    for learner in LEARNERS:
        if not (where / f"{learner}.model").exists():
            _run(where, "train", "arc-eager", "train.conllu", "-o", f"{learner}.model", "--learner", learner)
    if not (where / "objects").exists():
        _run(where, "prove", "small.tsys", "--proof-objects", "objects")
    return where


def _run(where: Path, *arguments: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ARCPROOF_PROOFS": "new"}
    subprocess.run(
        [sys.executable, "-m", "arcproof", *arguments], cwd=where, env=environment, check=True, capture_output=True
    )


@cache
def figures() -> tuple[str, ...]:
    """The texts of the built-in figures, and of some that are drawn at random."""
    from arcproof.transitions.library import source_of, system_names

    return (*(source_of(name) for name in system_names()), *random_figures(60))


def random_figures(many: int) -> list[str]:
    """Texts of random figures, the same ones each time."""
    from hypothesis import HealthCheck, Phase, given, seed, settings
    from hypothesis import strategies as st

    from arcproof.transitions.printing.source import to_source
    from tests.transitions.random_figures import figures as strategy

    found: list[str] = []

    @seed(1)
    @settings(
        max_examples=many,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def collect(data: Any) -> None:
        found.append(to_source(data.draw(strategy())))

    collect()
    return found


@cache
def lemma_files() -> tuple[str, ...]:
    """The prover's files, in pieces of a few entries."""
    folder = ROOT / "properties" / "proving" / "library"
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.lemmas"))]
    pieces = []
    for text in texts:
        parts = text.split("\n\n")
        pieces += ["\n\n".join(parts[k : k + 3]) + "\n" for k in range(0, len(parts), 3)]
    return tuple(pieces)


@cache
def feature_models() -> tuple[str, ...]:
    """The built-in feature models."""
    folder = ROOT / "classifiers" / "features" / "models"
    return tuple(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.features")))


@cache
def certificates() -> tuple[Any, ...]:
    """The first proofs of some of the built-in certificates."""
    found = []
    for name in ("arc-standard", "pointer", "easy-first"):
        value = json.loads(
            (ROOT / "properties" / "proving" / "certificates" / f"{name}.json").read_text(encoding="utf-8")
        )
        value["proofs"] = [{**proof, "steps": proof["steps"][:6]} for proof in value["proofs"][:3]]
        found.append(value)
    return tuple(found)


@cache
def proofs() -> tuple[tuple[str, str], ...]:
    """Obligations with their proofs."""
    ours = ROOT / "tests" / "properties" / "proving" / "checker"
    paths = [ours / "reflexive.smt2", *sorted((folder() / "objects").rglob("*.smt2"))]
    return tuple(
        (path.read_text(encoding="utf-8"), path.with_suffix(".cpc").read_text(encoding="utf-8")) for path in paths
    )


@cache
def models() -> dict[str, dict[str, bytes]]:
    """The parts of a model file of each learner."""
    found = {}
    for learner in LEARNERS:
        with zipfile.ZipFile(folder() / f"{learner}.model") as archive:
            found[learner] = {name: archive.read(name) for name in archive.namelist()}
    return found

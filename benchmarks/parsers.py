"""The trained parser against its peers: the same sentences, gold tags for all, one run.

    python -m benchmarks.parsers [--full] [--treebanks FOLDER] [--python PATH] [--only arcproof nltk udpipe spacy]
    [--kept FOLDER] [-o FILE]

The first 500 sentences of a train file train, the next 64 are development data for every choice, the whole test file is
parsed once.  CPU times are those of training and parsing alone, without reading files and compiling, by one worker.
Peers are run by `--python`, where `benchmarks/peers.txt` is installed; missing ones are reported.  NLTK runs on Danish
only.  What a peer did is stored, so that an interrupted run resumes; `PARSERS.md` is written from it.

With `--full` the whole train file trains and nothing is development data, UDPipe is the only peer, and
`PARSERS-FULL.md` says what each technique of ours brings.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

from arcproof.classifiers import Parser
from arcproof.classifiers.scores import (
    Scores,
    evaluate,
    interval,
    mark,
    mcnemar,
    randomisation,
    randomisation_of_means,
)
from arcproof.generators.treebank import Sentence, read
from benchmarks.conditions import machine

HERE: Final = Path(__file__).resolve().parent
TREEBANKS: Final = ("danish_ddt", "slovenian_ssj", "turkish_imst", "ancientgreek_perseus", "english_ewt")
TRAINING, DEVELOPMENT = 500, 64
SETTINGS: Final[dict[str, dict[str, Any]]] = {
    "arcproof": {"system": "arc-eager", "features": "joined-stack"},
    "arcproof-explore": {"system": "arc-eager", "features": "joined-stack", "explore": 1.0},
    "arcproof-2008": {"system": "arc-eager"},
}
TECHNIQUES: Final[dict[str, dict[str, Any]]] = {
    "beam": {"features": "morphology-stack", "pseudo_projective": "head", "beam": 8},
    "explore": {"features": "morphology-stack", "pseudo_projective": "head", "explore": 1.0},
    "morphology": {"features": "morphology-stack", "pseudo_projective": "head"},
    "head": {"features": "joined-stack", "pseudo_projective": "head"},
    "joined": {"features": "joined-stack"},
}
FULL_SETTINGS: Final = {name: {"system": "arc-eager", **settings} for name, settings in TECHNIQUES.items()}
PEERS: Final = ("nltk", "udpipe", "spacy")
FULL_PEERS: Final = ("udpipe",)
TITLES: Final = {
    "arcproof": "arcproof, arc-eager, fast learner, joined-stack",
    "arcproof-explore": "arcproof, the same with exploration",
    "arcproof-2008": "arcproof, the first line with the features of Nivre 2008",
    "beam": "arcproof, arc-eager, fast learner, morphology-stack, pseudo-projective (head), beam 8",
    "explore": "the same with exploration instead of a beam",
    "morphology": "the same without either",
    "head": "the same without single morphological features: joined-stack",
    "joined": "the same without pseudo-projective encoding",
    "nltk": "NLTK TransitionParser, arc-eager",
    "udpipe": "UDPipe (ufal.udpipe), defaults",
    "spacy": "spaCy, default tok2vec",
}
ONLY_ON: Final = {"nltk": ("danish_ddt",)}


@dataclass(frozen=True, slots=True)
class Measured:
    """What one parser did on one treebank."""

    parser: str
    treebank: str
    las: float
    uas: float
    words: int
    training: float
    parsing: float
    right: str
    by_sentence: list[tuple[int, int]]
    when: str

    @property
    def speed(self) -> float:
        """Words per second."""
        return self.words / self.parsing


@dataclass(frozen=True, slots=True)
class DividedTreebank:
    """A treebank, divided."""

    name: str
    train: list[Sentence]
    development: list[Sentence]
    test: list[Sentence]

    @staticmethod
    def of(folder: Path, name: str, full: bool = False) -> "DividedTreebank":
        """From its two files; `full`, the whole train file trains and no sentences are development data."""
        whole = list(read(folder / f"{name}-train.conllu"))
        test = list(read(folder / f"{name}-test.conllu"))
        if full:
            return DividedTreebank(name, whole, [], test)
        return DividedTreebank(name, whole[:TRAINING], whole[TRAINING : TRAINING + DEVELOPMENT], test)


def ours(name: str, data: DividedTreebank) -> Measured:
    """One of our own settings."""
    settings = {**SETTINGS, **FULL_SETTINGS}[name]
    Parser(**settings).fit(data.train[:5]).predict(data.test[:5])  # compiled before anything is measured
    parser = Parser(**settings)
    started = time.process_time()
    parser.fit(data.train)
    training = time.process_time() - started
    started = time.process_time()
    parsed = parser.predict(data.test)
    parsing = time.process_time() - started
    return measured(name, data, evaluate(data.test, [(p.heads, p.labels) for p in parsed]), training, parsing)


def peer(name: str, data: DividedTreebank, python: str) -> Measured:
    """A peer, in a process of its own; `PeerFailed` says why there is no result."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for part, sentences in (("train", data.train), ("development", data.development), ("test", data.test)):
            path = Path(folder) / part
            path.write_bytes(b"".join(b"".join(sentence.lines) for sentence in sentences))
            paths.append(str(path))
        private = {
            **os.environ,
            "TMPDIR": folder,
            "NLTK_DATA": folder,
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        output = str(Path(folder) / "parsed")
        command = [python, str(HERE / "peer_parsers.py"), name, *paths, output]
        done = subprocess.run(command, capture_output=True, text=True, env=private)
        if done.returncode:
            raise PeerFailed((done.stderr.strip().splitlines() or ["no reason given"])[-1])
        times = json.loads(done.stdout.strip().splitlines()[-1])
        trees = [(sentence.heads, sentence.labels) for sentence in read(output)]
    return measured(name, data, evaluate(data.test, trees), times["training"], times["parsing"])


class PeerFailed(Exception):
    """A peer that is not installed, or that did not finish."""


def measured(name: str, data: DividedTreebank, scores: Scores, training: float, parsing: float) -> Measured:
    """The numbers of a run."""
    right = "".join("01"[one] for one in scores.right_words)
    words = sum(sentence.words for sentence in data.test)
    when = f"{datetime.now(UTC):%Y-%m-%d}"
    return Measured(name, data.name, scores.las, scores.uas, words, training, parsing, right, scores.by_sentence, when)


def place(folder: Path, name: str, data: DividedTreebank) -> Path:
    """Where the results of a peer on these data with these settings are stored."""
    content = [(HERE / file).read_bytes() for file in ("peer_parsers.py", "peers.txt", "spacy.cfg")]
    content += [
        line for some in (data.train, data.development, data.test) for sentence in some for line in sentence.lines
    ]
    return folder / f"{data.name}-{name}-{hashlib.sha256(b''.join(content)).hexdigest()[:16]}.json"


def kept(path: Path, name: str, data: DividedTreebank, python: str) -> Measured:
    """The stored or new results of a peer."""
    if path.is_file():
        values = json.loads(path.read_text(encoding="utf-8"))
        values["by_sentence"] = [(right, words) for right, words in values["by_sentence"]]
        return Measured(**values)
    result = peer(name, data, python)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(result)), encoding="utf-8")
    return result


# --- what it says ----------------------------------------------------------------------------------------------------


def to_markdown(
    results: Sequence[Measured], absent: Sequence[str], earlier: Sequence[Measured], full: bool = False
) -> str:
    """The tables, and what one needs to know to read them: what did not run, and what is from an earlier run."""
    command = "python -m benchmarks.parsers" + (" --full" if full else "")
    lines = [
        "# Parsers compared" + (", trained on whole files" if full else ""),
        "",
        f"Measured on {datetime.now(UTC):%Y-%m-%d}; written by `{command}`, which `make "
        f"{'bench-parsers-full' if full else 'bench-parsers'}` calls.",
        "",
        *(f"- {fact}" for fact in machine()),
        "",
        *(_IN_FULL if full else _WITH_DEVELOPMENT),
        *_kept_from(earlier),
        *(["", *(f"Not run: {one}" for one in absent)] if absent else []),
    ]
    for treebank in dict.fromkeys(result.treebank for result in results):
        lines += ["", f"## {treebank}", "", *_table([result for result in results if result.treebank == treebank])]
    lines += ["", "## The mean of the treebanks", "", *_means(results)]
    return "\n".join(lines) + "\n"


_TESTED: Final = (
    "p: McNemar on words, randomisation by sentences, against the first row; + and ++ are p < 0.05 and p < 0.01.",
)
_WITH_DEVELOPMENT: Final = (
    f"The first {TRAINING} sentences of each train file are used for training,",
    f"the next {DEVELOPMENT} are development data for every choice, and the whole test file is parsed once.",
    "All parsers get gold tags; punctuation does not count.",
    "CPU time (user and system) of training and parsing alone, one worker.",
    "Peers and their versions: `benchmarks/peers.txt`; their settings: `benchmarks/peer_parsers.py`,",
    "`benchmarks/spacy.cfg`.",
    "spaCy's default tok2vec looks only at forms, so gold tags are of no use to it.",
    *_TESTED,
)
_IN_FULL: Final = (
    "The whole train file of each treebank is used for training, no sentences are held out,",
    "and the whole test file is parsed once.",
    "All parsers get gold tags; punctuation does not count.",
    "CPU time (user and system) of training and parsing alone, one worker.",
    "Each of our rows differs in one technique from the row above.",
    "Techniques were chosen on held-out parts of train files: the beam on Danish alone,",
    "single morphological features on nine treebanks and in an earlier form, exploration on seven.",
    "UDPipe's version: `benchmarks/peers.txt`; its settings are its defaults, without development data.",
    *_TESTED,
)


def _kept_from(earlier: Sequence[Measured]) -> list[str]:
    if not earlier:
        return ["Everything was measured in this run."]
    kept = ", ".join(f"{one.parser} on {one.treebank} ({one.when})" for one in earlier)
    return wrap(f"Kept from an earlier run: {kept}.", 120, break_long_words=False, break_on_hyphens=False)


def _table(results: Sequence[Measured]) -> Iterator[str]:
    base = results[0]
    yield "| parser | LAS | 95 % | UAS | training s | × | words a second | × | p (words) | p (sentences) |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for r in results:
        low, high = interval(r.by_sentence)
        p = mcnemar([bit == "1" for bit in r.right], [bit == "1" for bit in base.right]).p
        q = randomisation(r.by_sentence, base.by_sentence)
        tests = ["", ""] if r is base else [f"{value:.3g}{mark(value)}" for value in (p, q)]
        yield _row(
            TITLES[r.parser], f"{100 * r.las:.2f}", f"{100 * low:.1f}-{100 * high:.1f}", f"{100 * r.uas:.2f}", f"{r.training:.2f}",
            _factor(r.training / base.training), f"{r.speed:,.0f}", _factor(base.speed / r.speed), *tests,
        )  # fmt: skip


def _means(results: Sequence[Measured]) -> Iterator[str]:
    treebanks = list(dict.fromkeys(result.treebank for result in results))
    by_place = {(result.parser, result.treebank): result for result in results}
    names = dict.fromkeys(result.parser for result in results)
    whole = [name for name in names if all((name, treebank) in by_place for treebank in treebanks)]
    yield (
        "× says how many times as fast the first row is, over all treebanks; p: randomisation by sentences of the "
        "mean LAS."
    )
    yield ""
    yield "| parser | LAS | training s | × | words a second | × | p |"
    yield "|---|---|---|---|---|---|---|"
    base = [by_place[whole[0], treebank] for treebank in treebanks]
    for name in whole:
        mine = [by_place[name, treebank] for treebank in treebanks]
        p = randomisation_of_means(
            [(one.by_sentence, other.by_sentence) for one, other in zip(mine, base, strict=True)]
        )
        training, first = (sum(r.training for r in some) for some in (mine, base))
        speed, fast = (sum(r.words for r in some) / sum(r.parsing for r in some) for some in (mine, base))
        las = sum(r.las for r in mine) / len(mine)
        yield _row(
            TITLES[name], f"{100 * las:.2f}", f"{training:.1f}", _factor(training / first), f"{speed:,.0f}", _factor(fast / speed),
            "" if name == whole[0] else f"{p:.3g}{mark(p)}",
        )  # fmt: skip


def _factor(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument(
        "--treebanks", type=Path, default=HERE.parent.parent / "shared" / "treebanks", metavar="FOLDER"
    )
    options.add_argument("--full", action="store_true")
    options.add_argument("--on", nargs="+", default=TREEBANKS, metavar="TREEBANK")
    options.add_argument("--python", default=sys.executable, metavar="PATH")
    options.add_argument("--only", nargs="+", choices=[*SETTINGS, *FULL_SETTINGS, *PEERS])
    options.add_argument("--kept", type=Path, default=HERE.parent / "build" / "parsers", metavar="FOLDER")
    options.add_argument("-o", "--output", type=Path, metavar="FILE")
    given = options.parse_args(arguments)
    everybody = [*FULL_SETTINGS, *FULL_PEERS] if given.full else [*SETTINGS, *PEERS]
    output = given.output or HERE / ("PARSERS-FULL.md" if given.full else "PARSERS.md")
    if not given.treebanks.is_dir():
        print(f"{given.treebanks}: no such folder; the treebanks that the benchmark parses are in it", file=sys.stderr)
        return 2
    results, absent, earlier = [], [], []
    for treebank in given.on:
        data = DividedTreebank.of(given.treebanks, treebank, given.full)
        for name in given.only or everybody:
            if treebank not in ONLY_ON.get(name, given.on):
                continue
            path = place(given.kept, name, data)
            is_kept = path.is_file()
            try:
                result = kept(path, name, data, given.python) if name in PEERS else ours(name, data)
            except PeerFailed as reason:
                absent.append(f"{TITLES[name]} on {treebank}: {reason}")
                print(absent[-1], flush=True)
                continue
            results.append(result)
            earlier += [result] if is_kept else []
            print(
                f"{treebank} {name}: LAS {100 * result.las:.2f}, training {result.training:.2f} s, "
                f"{result.speed:.0f} words per second",
                flush=True,
            )
    output.write_text(to_markdown(results, absent, earlier, given.full), encoding="utf-8")
    print(f"{output} written")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The trained parser beside its peers: the same sentences, gold tags for everybody, one run.

    python -m benchmarks.parsers --treebank ../shared/treebanks/danish_ddt [--python PATH] [--only arcproof nltk udpipe]

The first 500 sentences of the train file train, the rest of it is for choices, the whole test file is parsed once.  CPU times are those of training
and parsing alone, without reading files.  Peers are run by `--python`, where nltk and ufal.udpipe may be installed; one that is missing is said to be.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from arcproof.classifiers import Parser
from arcproof.classifiers.scores import evaluate, interval, mark, mcnemar, randomisation
from arcproof.classifiers.treebank import Sentence, read

TRAINING = 500


def arcproof(train: list[Sentence], test: list[Sentence], features: str | None) -> tuple[list[Any], float, float]:
    """Our own: arc-eager with the fast learner."""
    parser = Parser("arc-eager", features=features)
    started = time.process_time()
    parser.fit(train)
    training = time.process_time() - started
    started = time.process_time()
    parsed = parser.predict(test)
    return [(p.heads, p.labels) for p in parsed], training, time.process_time() - started


def part(sentences: list[Sentence], path: Path) -> str:
    """A file with some of the sentences."""
    path.write_bytes(b"".join(b"".join(sentence.lines) for sentence in sentences))
    return str(path)


def main() -> int:
    """Print a table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--treebank", required=True)
    options.add_argument("--python", default=sys.executable)
    options.add_argument("--only", nargs="+", default=["arcproof", "arcproof-rich", "nltk", "udpipe"])
    given = options.parse_args()
    whole = list(read(f"{given.treebank}-train.conllu"))
    test = list(read(f"{given.treebank}-test.conllu"))
    train, development = whole[:TRAINING], whole[TRAINING:]
    words = sum(sentence.words for sentence in test)
    Parser("arc-eager", features="rich-stack").fit(train[:5]).predict(test[:5])  # compiled before anything is measured
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        paths = [
            part(train, Path(folder) / "train"),
            part(development, Path(folder) / "dev"),
            part(test, Path(folder) / "test"),
        ]
        for name in given.only:
            if name.startswith("arcproof"):
                trees, training, parsing = arcproof(train, test, "rich-stack" if name.endswith("rich") else None)
            else:
                output = str(Path(folder) / name)
                script = str(Path(__file__).with_name("peer_parsers.py"))
                private = {
                    **os.environ,
                    "TMPDIR": folder,
                }  # NLTK writes models to temporary folders of the user's own only
                done = subprocess.run(
                    [given.python, script, name, *paths, output], capture_output=True, text=True, env=private
                )
                if done.returncode:
                    print(f"{name}: not run: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
                    continue
                measured = json.loads(done.stdout.strip().splitlines()[-1])
                training, parsing = measured["training"], measured["parsing"]
                trees = [(s.heads, s.labels) for s in _lenient(output)]
            results[name] = evaluate(test, trees), training, parsing
            scores = results[name][0]
            low, high = interval(scores.by_sentence)
            base = results[given.only[0]][0]
            p = mcnemar(scores.right_words, base.right_words).p
            q = randomisation(scores.by_sentence, base.by_sentence)
            print(
                f"{name}: LAS {100 * scores.las:.2f} [{100 * low:.1f}, {100 * high:.1f}] UAS {100 * scores.uas:.2f}, "
                f"training {training:.2f} s, parsing {words / parsing:.0f} words a second; "
                f"against {given.only[0]}: McNemar p {p:.3g}{mark(p)}, randomisation p {q:.3g}",
                flush=True,
            )
    return 0


def _lenient(path: str) -> list[Sentence]:
    """Parsed sentences; a peer's cycle is its mistake, not the file's."""
    problems: list[Exception] = []
    found = list(read(path, on_bad=problems.append))
    if problems:
        raise SystemExit(f"{path}: {problems[0]}")
    return found


if __name__ == "__main__":
    sys.exit(main())

"""What is fuzzed: for each kind of file, how a bad one is drawn and who reads it.

A target has `draw`, which makes an input from random numbers, and `feed`, which raises what the reader raises, and
`WrongAnswer` where two things that must agree do not.  `TARGETS` is the list; a new kind of file is a class with these
two functions and a line there.
"""

import io
import json
import os
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing, nullcontext, suppress
from pathlib import Path
from random import Random
from typing import Any, Protocol

from tests.torture import bases
from tests.torture.mutation import TOKEN, changed_bytes, changed_json, changed_text, json_bytes
from tests.torture.worker import WrongAnswer

SEPARATOR = b"\n\x1e\n"
"""Between the files of an input that has several."""
ENGINES_EVERY = 40
"""One of so many figures that are read is explored by both engines; exploring takes a thousand times as long as
reading.
"""
SLOW = {"judged figures": 12.0, "model files": 3.0, "figures": 4.0, "lemma files": 2.0, "proofs on file": 2.0}
"""How much more time a target gets than one that is quick."""


class Target(Protocol):
    """A kind of file and its reader."""

    def draw(self, draw: Random) -> bytes: ...

    def feed(self, data: bytes) -> None: ...


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split())


def decoded(data: bytes) -> str:
    """A text as Python has it, halves of surrogate pairs too; what is not one, byte by byte."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def put(data: bytes, suffix: str) -> Path:
    """The data as a file, in memory where there is such a folder."""
    path = Path(SCRATCH) / f"input-{os.getpid()}{suffix}"
    path.write_bytes(data)
    return path


SCRATCH = os.environ.get("TORTURE_SCRATCH") or tempfile.gettempdir()
"""Where inputs are put that are read from files; the run names a folder in memory, and takes it away in the end."""


class Figures:
    """A specification that is read is printed and read again as the same tree; now and then both engines count it."""

    words = (
        *[
            "σ",
            "β",
            "i",
            "j",
            "k",
            "l",
            "0",
            "1",
            "n",
            "[]",
            "=>",
            "|",
            ",",
            "if",
            "no",
            "head",
            "not",
            "add",
            "remove",
            "all",
            "exists",
            "in",
            "gold",
            "->",
            "->*",
            "<=",
            ">=",
            "=",
            "!=",
            "<",
            "(",
            ")",
            "#",
            "∞",
            "_",
            ":",
        ],
        *[
            "system",
            "cite",
            "note",
            "state",
            "start",
            "final",
            "claims",
            "oracle",
            "default",
            "shared",
            "several",
            "heads",
            "root",
            "none",
            "invariant",
            "measure",
            "lemma",
            "loss",
        ],
        *[
            "stack",
            "buffer",
            "list",
            "flag",
            "counter",
            "set",
            "complete",
            "sound",
            "projective",
            "trees",
            "forests",
            "graphs",
            "terminates",
            "length",
            "space",
        ],
    )

    def __init__(self) -> None:
        from arcproof.transitions.system import load

        self.texts = bases.figures()
        for name in ("arc-eager", "two-planar", "easy-first"):  # compiles what all figures share
            engines_agree(load(name))

    def draw(self, draw: Random) -> bytes:
        return encoded(changed_text(draw, draw.choice(self.texts), self.texts, self.words))

    def feed(self, data: bytes) -> None:
        from arcproof.commands.arguments import check_references
        from arcproof.transitions.printing.source import to_source
        from arcproof.transitions.reading.read import read_figure
        from arcproof.transitions.system import load

        text = decoded(data)
        figure = read_figure(text)
        if read_figure(to_source(figure)) != figure:
            raise WrongAnswer("printed and read again it is another tree: ")
        system = load(text + "\n")
        check_references(system)
        system.start(2)
        if sum(data) % ENGINES_EVERY == 0:
            engines_agree(system)


def engines_agree(system: Any) -> None:
    """The same numbers at up to two words from native code and from the interpreter."""
    from arcproof.properties.engines.engine import OutOfBounds, engine_for

    found = []
    for name in ("compiled", "interpreter"):
        engine = engine_for(system, name, 1)
        try:
            found.append([engine.count(words, 2**28) for words in (1, 2)])
        except OutOfBounds:
            return
    if found[0] != found[1]:
        raise WrongAnswer(f"the engines count differently: {found}")


class JudgedFigures:
    """A random figure is verified; every verdict must be true by the independent interpreter.

    One of `PROVED_EVERY` figures is given to the prover too, claim by claim, and nobody refutes what is false: the
    prover itself must not prove it.  One in eight of these is proved as `prove` does it.  The first line of an input
    says what is done with the figure, and how.
    """

    SECONDS = 4.0
    WHOLE = 30.0
    """For a claim, in the processor; for a figure, by the clock: the watcher waits no longer than a minute."""
    PROVED_EVERY = 25
    MANY_WORDS_EVERY = 8

    def __init__(self) -> None:
        from arcproof.properties.proving.supervised import ready_to_prove

        ready_to_prove()
        self.counts: Counter[str] = Counter()

    def draw(self, draw: Random) -> bytes:
        from tests.independent.figures import drawn

        figure = drawn(str(draw.random()))
        words = 3 if draw.randrange(self.MANY_WORDS_EVERY) == 0 else 2
        engine = draw.choice(("compiled", "interpreter"))
        proves = draw.choice(("prove",) * 7 + ("prove refute",)) if draw.randrange(self.PROVED_EVERY) == 0 else ""
        return encoded(f"{words} {engine} {proves}\n{figure}")

    def feed(self, data: bytes) -> None:
        from tests.independent.judge import Truth, loaded, nobody_refutes, proved, verified

        how, _, text = decoded(data).partition("\n")
        truth = Truth(loaded(text), 3 if "3" in how else 2)
        for wrong in verified(truth, "compiled" if "compiled" in how else "interpreter"):
            raise WrongAnswer(str(wrong))
        self.counts["claims compared"] += truth.tally.total()
        if "prove" in how:
            self.counts["figures given to the prover"] += 1
            with nullcontext() if "refute" in how else nobody_refutes():
                for wrong in proved(truth, self.SECONDS, self.WHOLE):
                    raise WrongAnswer(str(wrong))
        for kind, many in truth.tally.items():
            self.counts[f"claims {kind.partition(' ')[2]}"] += many


class Lemmas:
    """A lemma file is read and has its instances for a figure."""

    def __init__(self) -> None:
        from arcproof.properties.proving.meaning.symbolic import meanings_of
        from arcproof.transitions.system import load

        self.texts = bases.lemma_files()
        self.words = sorted({token for text in self.texts for token in TOKEN.findall(text) if token.strip()})
        self.meanings = [meanings_of(load(name)) for name in ("arc-eager", "list-nonprojective", "swap")]

    def draw(self, draw: Random) -> bytes:
        return encoded(changed_text(draw, draw.choice(self.texts), self.texts, self.words))

    def feed(self, data: bytes) -> None:
        from arcproof.properties.proving.language.lemmas import read
        from arcproof.properties.proving.library.instances import instances_of

        text = decoded(data)
        meanings = self.meanings[len(data) % len(self.meanings)]
        instances_of(read(text, "file.lemmas"), "file.lemmas", meanings.before, meanings.start)


class LemmaLines:
    """Figures with `lemma` lines of their own, read as `arcproof check` reads them."""

    def __init__(self) -> None:
        self.texts = [
            "lemma \"σ is short\": |σ| <= n + 1", 'lemma "mine": all i in σ: i >= 0', 'lemma "b": for S in sequences: |S| >= 0',
            *(text.replace("\n", " ") for text in bases.lemma_files()),
        ]  # fmt: skip

    def draw(self, draw: Random) -> bytes:
        line = changed_text(draw, draw.choice(self.texts), self.texts)
        return encoded(bases.SMALL + "\n  " + line.replace("\n", " ") + "\n")

    def feed(self, data: bytes) -> None:
        from arcproof.properties.proving.library.given import check_lemmas, lemmas_of
        from arcproof.properties.proving.meaning.symbolic import meanings_of
        from arcproof.transitions.system import load

        system = load(decoded(data) + "\n")
        if len(data) % 200 == 0:  # all of it takes half a second
            check_lemmas(system)
        meanings = meanings_of(system)
        for line in system.figure.lemmas:
            for lemma in lemmas_of(line, system, meanings.before, meanings.start):
                lemma.candidate.formula(meanings.before)
                lemma.goal(meanings.before)
                lemma.definitions(meanings.before)


class FeatureModels:
    """A feature model is read and made a program for a figure."""

    words = _split(
        "form lemma cpos fpos feats suffix2 suffix3 shape deprel distance value join feats:Case feats:* ( ) "
        "[ ] head left right stack buffer"
    )

    def __init__(self) -> None:
        from arcproof.classifiers.features.vocabulary import Vocabulary
        from arcproof.generators.treebank import read
        from arcproof.transitions.system import load

        self.texts = bases.feature_models()
        sentences = list(read("base.conllu", lines=bases.CONLLU.encode().splitlines(keepends=True)))
        self.vocabulary = Vocabulary.of(sentences, spells=True)
        self.systems = [load(name) for name in ("arc-eager", "list-nonprojective", "swap", "two-planar")]

    def draw(self, draw: Random) -> bytes:
        return encoded(changed_text(draw, draw.choice(self.texts), self.texts, self.words))

    def feed(self, data: bytes) -> None:
        from arcproof.classifiers.features.model import program, read_model

        model = read_model(decoded(data))
        if read_model(model.text).features != model.features:
            raise WrongAnswer("a feature model differs when it is read again:  ")
        program(self.systems[len(data) % len(self.systems)], model, self.vocabulary)


class Treebanks:
    """Files of each format; with its own heads a sentence is written as it was read, and is read again as the same."""

    def __init__(self) -> None:
        self.texts = (bases.CONLLU, bases.CONLLU * 2, bases.CONLLX, bases.CONLL09, bases.SDP)

    def draw(self, draw: Random) -> bytes:
        data = encoded(
            changed_text(
                draw,
                draw.choice(self.texts),
                self.texts,
                ("_", "0", "1", "\t", "-", "1-2", "3.1", "1:x|0:root", "#", "+"),
            )
        )
        return changed_bytes(draw, data) if draw.random() < 0.25 else data

    def feed(self, data: bytes) -> None:
        from arcproof.generators.treebank import read

        lines = io.BytesIO(data).readlines()
        refusals: list[Exception] = []
        for options in ({}, {"forests": True}, {"graphs": True}, {"gold": False}):
            try:
                sentences = list(read("file.conllu", lines=lines, **options))
            except Exception as error:
                self._expected(error)
                refusals.append(error)
                continue
            for sentence in sentences:
                self._written(sentence, options)
        for bad in ([],):
            list(read("file.conllu", lines=lines, on_bad=bad.append, gold=False))
        if len(refusals) == 4:
            raise refusals[0]

    @staticmethod
    def _expected(error: Exception) -> None:
        from arcproof.transitions.errors import ArcproofError

        if not isinstance(error, ArcproofError):
            raise error

    @staticmethod
    def _written(sentence: Any, options: dict[str, bool]) -> None:
        from arcproof.generators.treebank import read

        if options.get("gold") is False or sentence.format.is_sdp:
            return
        if options.get("graphs"):
            again = list(read("again", lines=io.BytesIO(sentence.with_graph(sentence.graph)).readlines(), graphs=True))
            if [one.graph for one in again] != [sentence.graph]:
                raise WrongAnswer("a sentence with its own graph is read again as another: ")
        elif not options:
            data = sentence.with_tree(sentence.heads, sentence.labels)
            again = list(read("again", lines=io.BytesIO(data).readlines()))
            if [(one.heads, one.labels, one.forms) for one in again] != [
                (sentence.heads, sentence.labels, sentence.forms)
            ]:
                raise WrongAnswer("a sentence with its own heads is read again as another: ")


class Models:
    """Model files: an input is a list of changes to a good one, so that changes can be left out."""

    dtypes = (
        "<f8",
        "<f4",
        "<i8",
        "<i4",
        "|u1",
        "<u8",
        "|b1",
        "<c16",
        "|S3",
        "<U2",
        "|O",
        ">f8",
        "<M8[s]",
        "|V4",
        "<f2",
    )

    def __init__(self) -> None:
        from arcproof.generators.treebank import read

        self.models = bases.models()
        self.sentence = list(read("base.conllu", lines=bases.CONLLU.encode().splitlines(keepends=True)))[:1]
        for learner in bases.LEARNERS:  # compiles what all models share
            self.feed(json.dumps(["learner", learner]).encode())

    def draw(self, draw: Random) -> bytes:
        learner = draw.choice(bases.LEARNERS)
        changes = [self._change(draw, learner) for _ in range(1 + min(int(draw.expovariate(1.2)), 4))]
        return "\n".join(json.dumps(change) for change in [["learner", learner], *changes]).encode()

    def _change(self, draw: Random, learner: str) -> list[Any]:
        parts = self.models[learner]
        name = draw.choice([name for name in parts if name.endswith(".npy")])
        match draw.randrange(9):
            case 0 | 1 | 2:
                return ["description", draw.randrange(10**9)]
            case 3:
                return ["bytes", draw.choice(list(parts)), draw.randrange(10**9)]
            case 4:
                return ["left out", draw.choice(list(parts))]
            case 5:
                return ["dtype", name, draw.choice(self.dtypes)]
            case 6:
                shape = [draw.choice((0, 1, 2, 3, 7, 10**3, 10**6, 2**40, 2**63)) for _ in range(draw.randrange(4))]
                return ["shape", name, shape]
            case 7:
                return ["values", name, draw.choice((-1, 0, 1, 10**6, 2**62, "nan", "inf"))]
            case _:
                return ["archive", draw.randrange(10**9)]

    def feed(self, data: bytes) -> None:
        from arcproof.classifiers.parser import Parser

        parser = Parser.load(put(self.archive(data), ".model"))
        parser.predict(self.sentence)

    def archive(self, data: bytes) -> bytes:
        """The model file that the changes make."""
        try:
            changes = [json.loads(line) for line in data.splitlines()]
            learner = changes[0][1]
            parts = dict(self.models[learner])
        except (ValueError, IndexError, KeyError, TypeError):
            return data
        broken: list[int] = []
        for change in changes[1:]:
            self._apply(change, parts, broken)
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in parts.items():
                archive.writestr(name, content)
        found = file.getvalue()
        for number in broken:
            found = changed_bytes(Random(number), found)
        return found

    @staticmethod
    def _apply(change: list[Any], parts: dict[str, bytes], broken: list[int]) -> None:
        import numpy as np

        match change:
            case ["description", number]:
                try:
                    value = changed_json(Random(number), json.loads(parts["model.json"]), deep=True)
                except (ValueError, KeyError, RecursionError):  # changed before, or left out
                    return
                parts["model.json"] = json_bytes(Random(number), value)
            case ["bytes", name, number] if name in parts:
                parts[name] = changed_bytes(Random(number), parts[name])
            case ["left out", name]:
                parts.pop(name, None)
            case ["dtype", name, dtype] if name in parts:
                parts[name] = _with_header(parts[name], descr=dtype)
            case ["shape", name, shape] if name in parts:
                parts[name] = _with_header(parts[name], shape=tuple(shape))
            case ["values", name, value] if name in parts:
                try:
                    array = np.lib.format.read_array(io.BytesIO(parts[name]))
                    array.flat[:: max(1, array.size // 5)] = float(value) if isinstance(value, str) else value
                    out = io.BytesIO()
                    np.lib.format.write_array(out, array)
                    parts[name] = out.getvalue()
                except (ValueError, TypeError, OverflowError, MemoryError):
                    return
            case ["archive", number]:
                broken.append(number)


def _with_header(content: bytes, **changes: Any) -> bytes:
    """An array in NumPy's format whose header says something else."""
    if content[:6] != b"\x93NUMPY":
        return content
    length = int.from_bytes(content[8:10], "little")
    import ast

    try:
        header = ast.literal_eval(content[10 : 10 + length].decode("latin-1"))
    except (ValueError, SyntaxError):
        return content
    text = repr({**header, **changes}).encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return content[:8] + len(text).to_bytes(2, "little") + text + content[10 + length :]


class Certificates:
    """Files of certificates."""

    def draw(self, draw: Random) -> bytes:
        return json_bytes(draw, changed_json(draw, draw.choice(bases.certificates())))

    def feed(self, data: bytes) -> None:
        from arcproof.properties.proving.certificates.files import on_file, to_text

        path = put(data, ".json")
        to_text("x", on_file(path.stem, path.parent))


class Proofs:
    """Obligations and proofs: what is accepted must be unsatisfiable, says Z3, if the obligation was changed."""

    words = _split(
        "( ) assume step step-pop assume-push define :rule :premises :args refl eq_resolve false true not "
        "and or => = forall Int Bool @p1 @t1"
    )

    def __init__(self) -> None:
        self.pairs = bases.proofs()
        self.texts = [text for pair in self.pairs for text in pair]
        self.asserted = {obligation for obligation, _ in self.pairs}

    def draw(self, draw: Random) -> bytes:
        obligation, proof = draw.choice(self.pairs)
        if draw.random() < 0.15:
            proof = draw.choice(self.pairs)[1]
        if draw.random() < 0.5:
            obligation = changed_text(draw, obligation, self.texts, self.words)
        if draw.random() < 0.8:
            proof = changed_text(draw, proof, self.texts, self.words)
        return encoded(obligation) + SEPARATOR + encoded(proof)

    def feed(self, data: bytes) -> None:
        from arcproof.properties.proving.proof_files import check_file
        from arcproof.transitions.errors import ArcproofError

        obligation, _, proof = data.partition(SEPARATOR)
        path = put(obligation, ".smt2")
        put(proof, ".cpc")
        checked = check_file(path)
        if checked.refused is not None:
            raise ArcproofError(checked.refused)
        if decoded(obligation) not in self.asserted and not is_unsatisfiable(decoded(obligation)):
            raise WrongAnswer("a proof of what is satisfiable is accepted: ")


def is_unsatisfiable(obligation: str) -> bool:
    """What Z3 says; what it does not know, or reads differently, counts as unsatisfiable."""
    import z3

    assert "\0" not in obligation, "Z3 reads as far as a NUL"
    solver = z3.Solver()
    solver.set("timeout", 2000)
    try:
        solver.from_string(obligation.replace("(check-sat)", ""))
    except z3.Z3Exception:
        return True
    return bool(solver.check() != z3.sat)


class ProofIndexes:
    """`index.json` beside proofs."""

    def __init__(self) -> None:
        path = next((bases.folder() / "objects").rglob("index.json"))
        self.value = json.loads(path.read_text(encoding="utf-8"))
        self.place = Path(tempfile.mkdtemp(prefix="arcproof-torture-", dir=SCRATCH))

    def draw(self, draw: Random) -> bytes:
        return json_bytes(draw, changed_json(draw, self.value))

    def feed(self, data: bytes) -> None:
        from arcproof.properties.proving.proof_files import theorems_in

        self.place.mkdir(exist_ok=True)
        (self.place / "index.json").write_bytes(data)
        for theorem in theorems_in([self.place], []):
            if "\n" in theorem.claim + theorem.system or theorem.accepted:
                raise WrongAnswer("an index speaks for the checker: ")


class Logs:
    """Transition sequences of another program, with other names for transitions."""

    words = _split("SHIFT LEFT-ARC RIGHT-ARC REDUCE SWAP LEFT-ARC[2] RIGHT_ARC leftarc LA~x SH : ( ) ~ [ ] = 1 0 99")

    def __init__(self) -> None:
        from arcproof.transitions.system import load

        self.systems = [load(name) for name in ("arc-eager", "swap", "arc-swift", "attardi")]

    def draw(self, draw: Random) -> bytes:
        log = changed_text(draw, bases.LOG, (bases.LOG,), self.words)
        names = changed_text(draw, "SH=SHIFT LA=LEFT-ARC", (bases.LOG,), self.words) if draw.random() < 0.3 else ""
        data = encoded(names.replace("\n", " ") + "\n" + log)
        return changed_bytes(draw, data) if draw.random() < 0.1 else data

    def feed(self, data: bytes) -> None:
        from arcproof.commands.log_checking import _lines
        from arcproof.documents.conform_log import document
        from arcproof.documents.wire import json_text
        from arcproof.properties.conformance.logs import check_log, names_of
        from arcproof.reports.logs import to_text

        names, _, log = data.partition(b"\n")
        system = self.systems[len(data) % len(self.systems)]
        found = check_log(
            system, _lines(str(put(log, ".log"))), "log", names_of(decoded(names), system), (None, 3)[len(log) % 2]
        )
        to_text(found)
        json_text(document(found))


class SmallTexts:
    """What is given on the command line: heads, arcs, references with parameters, classes, conditions; the address of a
    page to play with.
    """

    texts = (
        "2,0,2", "0", "_,1,_", "2,0,2,3,0,1", "0>1 1>2 2>3", "0>1:root 1>2", "covington[d=1]", "attardi[d=∞]", "arc-eager", "projective trees",
        "single-root well-nested " "gap-degree <= 1 trees", "#SWAP = 2, |σ| >= 4, head(1)", "|β| = 0, exists i in σ: not head(i)",
    )  # fmt: skip
    words = (
        "projective",
        "trees",
        "forests",
        "graphs",
        "planar",
        "|σ|",
        "#SHIFT",
        "head(1)",
        "not",
        "or",
        ",",
        "<=",
        ">",
        "_",
        "0",
        "inf",
        "d=",
    )

    def __init__(self) -> None:
        from arcproof.reports.playground import Playground
        from arcproof.transitions.system import load

        self.systems = [load(name) for name in ("swap", "arc-eager", "two-planar")]
        self.play = Playground(self.systems[1])

    def draw(self, draw: Random) -> bytes:
        kind = draw.choice(("heads", "arcs", "system", "class", "condition", "page"))
        return encoded(f"{kind} {changed_text(draw, draw.choice(self.texts), self.texts, self.words)}")

    def feed(self, data: bytes) -> None:
        from arcproof.transitions.graph import format_heads, parse_arcs, parse_heads
        from arcproof.transitions.reading.read import read_class, read_target
        from arcproof.transitions.system import load

        kind, _, text = decoded(data).partition(" ")
        match kind:
            case "heads":
                heads = parse_heads(text)
                if parse_heads(format_heads(heads)) != heads:
                    raise WrongAnswer("heads are read differently when they are written again: ")
            case "arcs":
                parse_arcs(text)
            case "system":
                load(text.replace("\n", " "))
            case "class":
                read_class(text)
            case "condition":
                read_target(text, self.systems[len(data) % 3].figure)
            case _:
                many = text.split(" ", 1)
                query = {"heads": many[0], "sentence": many[-1], "run": "SHIFT " + many[-1], "oracle": ""}
                _, page = self.play.page(
                    {name: value for name, value in query.items() if len(data) % 3 or name == "heads"}
                )
                self.play._known.clear()
                if "<script>alert" in page:
                    raise WrongAnswer("markup of an address is in the page: ")


class KeptProofs:
    """Proofs in the cache: whatever is damaged is as if it were not there, and nothing is believed that is forged."""

    def __init__(self) -> None:
        from arcproof.properties.proving.store import Store
        from arcproof.transitions.system import load

        self.folder = Path(tempfile.mkdtemp(prefix="arcproof-torture-", dir=SCRATCH))
        self.system = load(bases.SMALL + "\n")
        self.store = Store(self.folder)
        self.value = self._kept()

    def _kept(self) -> Any:
        import gzip

        from arcproof.properties.proving.prove import prove

        theorems = prove(self.system)
        found = [theorem for theorem in _theorems(theorems) if theorem.verdict.name == "PROVED"]
        self.about = found[0].about
        self.store.keep(self.system, found[0])
        return json.loads(gzip.decompress(self.store.path(self.system, self.about).read_bytes()))

    def draw(self, draw: Random) -> bytes:
        value = changed_json(draw, self.value)
        if isinstance(value, dict) and draw.random() < 0.8:
            value["key"] = self.value["key"]
        return json_bytes(draw, value)

    def feed(self, data: bytes) -> None:
        import gzip

        from arcproof.properties.proving.store import _checksum
        from arcproof.transitions.errors import ArcproofError

        try:
            value = json.loads(data)
            value["checksum"] = _checksum({"key": value["key"], "theorem": value["theorem"]})
            data = json.dumps(value).encode()
        except (ValueError, KeyError, TypeError, RecursionError):
            value = None
        path = self.store.path(self.system, self.about)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(data, compresslevel=1, mtime=0))
        if self.store.recall(self.system, self.about) is None:
            raise ArcproofError("not believed")


def _theorems(found: Any) -> list[Any]:
    return list(getattr(found, "theorems", found))


class StoredRuns:
    """The run store: whatever is done to the file, a piece is what was written or is not there.

    An input is a list of changes, a line each: `byte PLACE VALUE`, `cut SIZE`, or `row NUMBER COLUMN VALUE` for what
    somebody writes with SQL.
    """

    columns = ("key", "kind", "about", "value", "mac", "size", "created", "used")

    def __init__(self) -> None:
        from arcproof.process.run_store import FILE, RunStore, key_of

        self.folder = Path(tempfile.mkdtemp(prefix="arcproof-torture-", dir=SCRATCH))
        self.pieces = {
            key_of("level", {"n": n}): {"words": n, "counts": [n, 2 * n], "text": "σ" * n} for n in range(1, 9)
        }
        store = RunStore(self.folder)
        for key, value in self.pieces.items():
            store.keep("level", key, value, "arc-eager")
        store.close()
        self.path = self.folder / FILE
        self.whole = self.path.read_bytes()
        if store.problem is not None or self._read() != len(self.pieces):
            raise RuntimeError(f"the store does not work: {store.problem}")

    def draw(self, draw: Random) -> bytes:
        return "\n".join(self._change(draw) for _ in range(1 + min(int(draw.expovariate(0.7)), 12))).encode()

    def _change(self, draw: Random) -> str:
        match draw.randrange(5):
            case 0:
                return f"cut {draw.choice((0, 1, 16, 100, 4096, 4097, draw.randrange(len(self.whole))))}"
            case 1 | 2:
                values = ("x", "null", "{}", "[" * 5000, '{"words": 9}', "-1", "\\ud800", "1e999", "0", "")
                return f"row {draw.randrange(8)} {draw.choice(self.columns)} {json.dumps(draw.choice(values))}"
            case _:
                place = draw.choice((draw.randrange(100), draw.randrange(len(self.whole))))
                return f"byte {place} {draw.randrange(256)}"

    def feed(self, data: bytes) -> None:
        from arcproof.transitions.errors import ArcproofError

        self._restore()
        for line in decoded(data).splitlines():
            self._apply(line.split(" ", 3))
        if self._read() < len(self.pieces):
            raise ArcproofError("not all of it is believed")

    def _restore(self) -> None:
        """The same file as before: what is written elsewhere and put in its place is not believed."""
        for beside in self.folder.glob("*.sqlite-*"):
            beside.unlink()
        with self.path.open("r+b") as file:
            file.write(self.whole)
            file.truncate()

    def _apply(self, change: list[str]) -> None:
        import sqlite3

        try:
            match change:
                case ["byte", place, value]:
                    with self.path.open("r+b") as file:
                        file.seek(int(place))
                        file.write(bytes([int(value)]))
                case ["cut", size]:
                    os.truncate(self.path, min(int(size), len(self.whole)))
                case ["row", number, column, value] if column in self.columns:
                    with suppress(sqlite3.Error), closing(sqlite3.connect(self.path)) as connection, connection:
                        row = f"SELECT rowid FROM runs ORDER BY rowid LIMIT 1 OFFSET {int(number)}"
                        connection.execute(f"UPDATE runs SET {column} = ? WHERE rowid = ({row})", (json.loads(value),))
        except (ValueError, OverflowError):
            return

    def _read(self) -> int:
        """How many pieces are recalled; `WrongAnswer` if one is another."""
        from arcproof.process.run_store import RunStore

        store = RunStore(self.folder)
        try:
            found = {key: store.recall(key) for key in self.pieces}
            store.keep("level", "0" * 64, {"a": 1}, "another")
        finally:
            store.close()
        for key, value in found.items():
            if value is not None and value != self.pieces[key]:
                raise WrongAnswer(f"a piece that was changed is believed: {key}")
        return sum(value is not None for value in found.values())


class Experiments:
    """`table.csv` of an experiment, which `report` reads."""

    text = "variant,treebank,LAS,UAS\narc-eager,artificial,81.2,90.1\nswap,artificial,80.0,88.8\n"

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="arcproof-torture-", dir=SCRATCH))

    def draw(self, draw: Random) -> bytes:
        data = encoded(changed_text(draw, self.text, (self.text,), ('"', "\n", ",", "LAS", "variant")))
        return changed_bytes(draw, data) if draw.random() < 0.2 else data

    def feed(self, data: bytes) -> None:
        from arcproof.reports.experiment_results import read_training

        (self.folder / "table.csv").write_bytes(data)
        read_training(str(self.folder)).scores()


TARGETS: dict[str, Callable[[], Target]] = {
    "figures": Figures,
    "judged figures": JudgedFigures,
    "lemma files": Lemmas,
    "lemma lines": LemmaLines,
    "feature models": FeatureModels,
    "treebanks": Treebanks,
    "model files": Models,
    "certificates": Certificates,
    "proofs on file": Proofs,
    "indexes of proofs": ProofIndexes,
    "conform logs": Logs,
    "small texts": SmallTexts,
    "kept proofs": KeptProofs,
    "stored runs": StoredRuns,
    "experiment tables": Experiments,
}

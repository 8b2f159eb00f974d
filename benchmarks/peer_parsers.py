"""One peer of the parser benchmark, in a process of its own: trains, parses, prints its CPU times as JSON.

    python benchmarks/peer_parsers.py nltk|udpipe|spacy TRAIN DEVELOPMENT TEST OUTPUT

Needs nothing from arcproof, so that peers can live in another environment.  All get gold words and tags; settings are
the peer's defaults. CPU times are those of training and parsing alone, without reading files.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path


def words_of(path: str) -> list[list[list[str]]]:
    """The word lines of each sentence, as columns."""
    sentences: list[list[list[str]]] = [[]]
    for line in Path(path).read_text(encoding="utf-8").split("\n"):
        if not line.strip():
            sentences.append([])
        elif not line.startswith("#") and line.split("\t")[0].isdecimal():
            sentences[-1].append(line.split("\t"))
    return [sentence for sentence in sentences if sentence]


def written(path: str, sentences: list[list[list[str]]]) -> None:
    """A file with these columns."""
    text = "".join("".join("\t".join(word) + "\n" for word in sentence) + "\n" for sentence in sentences)
    Path(path).write_text(text, encoding="utf-8")


def nltk(train: str, development: str, test: str, output: str) -> tuple[float, float]:  # noqa: ARG001
    """NLTK's TransitionParser, arc-eager; the best of its two, and the slower to train."""
    from nltk.parse import DependencyGraph
    from nltk.parse.transitionparser import TransitionParser

    def graphs(path: str) -> list[DependencyGraph]:
        found = []
        for sentence in words_of(path):
            rows = ["\t".join([w[0], w[1], w[2], w[3], w[3], w[5], w[6], w[7], "_", "_"]) for w in sentence]
            found.append(DependencyGraph("\n".join(rows), cell_separator="\t", top_relation_label="root"))
        return found

    parser = TransitionParser("arc-eager")
    with tempfile.TemporaryDirectory(
        dir=os.environ.get("NLTK_DATA")
    ) as folder:  # NLTK writes to its own data folders only
        model = str(Path(folder) / "model")
        gold = graphs(train)
        started = time.process_time()
        parser.train(gold, model, verbose=False)
        training = time.process_time() - started
        unknown = graphs(test)
        started = time.process_time()
        parsed = parser.parse(unknown, model)
        parsing = time.process_time() - started
    sentences = words_of(test)
    for sentence, graph in zip(sentences, parsed, strict=True):
        for word in sentence:
            node = graph.nodes[int(word[0])]
            word[6], word[7] = str(node["head"] or 0), node["rel"] or "root"
    written(output, sentences)
    return training, parsing


def udpipe(train: str, development: str, test: str, output: str) -> tuple[float, float]:
    """UDPipe 1 with its default parser, no embeddings given, gold tags."""
    import ufal.udpipe as u

    def read(path: str) -> "u.Sentences":
        reader = u.InputFormat.newConlluInputFormat()
        reader.setText("".join("".join("\t".join(w) + "\n" for w in s) + "\n" for s in words_of(path)))
        found, problem, sentence = u.Sentences(), u.ProcessingError(), u.Sentence()
        while reader.nextSentence(sentence, problem):
            found.push_back(sentence)
            sentence = u.Sentence()
        return found

    problem = u.ProcessingError()
    gold, heldout = read(train), read(development)
    started = time.process_time()
    trained = u.Trainer.train("morphodita_parsito", gold, heldout, "none", "none", "", problem)
    training = time.process_time() - started
    with tempfile.NamedTemporaryFile(suffix=".udpipe", delete=False) as file:
        file.write(trained)
    model = u.Model.load(file.name)
    unknown = read(test)
    started = time.process_time()
    for k in range(len(unknown)):
        model.parse(unknown[k], "", problem)
    parsing = time.process_time() - started
    sentences = words_of(test)
    for k, sentence in enumerate(sentences):
        for word in sentence:
            node = unknown[k].words[int(word[0])]
            word[6], word[7] = str(node.head), node.deprel
    written(output, sentences)
    return training, parsing


def spacy(train: str, development: str, test: str, output: str) -> tuple[float, float]:
    """spaCy's parser on its default tok2vec, stopped early by the development data; `spacy.cfg` is what `spacy init
    config` writes.

    The default tok2vec looks at forms, so that the gold tags that are given do not matter to it.
    """
    import spacy as library
    from spacy import util
    from spacy.tokens import Doc, DocBin
    from spacy.training.initialize import init_nlp
    from spacy.training.loop import train as train_loop

    def docs(nlp: "library.Language", path: str, gold: bool) -> list[Doc]:
        found = []
        for sentence in words_of(path):
            heads = [int(w[6]) - 1 if w[6] != "0" else k for k, w in enumerate(sentence)]
            tree = {"heads": heads, "deps": [w[7] for w in sentence]} if gold else {}
            starts = {} if gold else {"sent_starts": [k == 0 for k in range(len(sentence))]}
            tags = {"tags": [w[4] for w in sentence], "pos": [w[3] for w in sentence]}
            found.append(Doc(nlp.vocab, words=[w[1] for w in sentence], **tags, **tree, **starts))
        return found

    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for name, path in (("train", train), ("dev", development)):
            files[name] = str(Path(folder) / f"{name}.spacy")
            DocBin(docs=docs(library.blank("xx"), path, gold=True), store_user_data=False).to_disk(files[name])
        given = {"paths.train": files["train"], "paths.dev": files["dev"]}
        config = util.load_config(Path(__file__).with_name("spacy.cfg"), overrides=given, interpolate=False)
        started = time.process_time()
        nlp = init_nlp(config)
        (Path(folder) / "model").mkdir()
        nlp, _ = train_loop(nlp, Path(folder) / "model", use_gpu=-1, stdout=sys.stderr, stderr=sys.stderr)
        training = time.process_time() - started
        best = library.load(Path(folder) / "model" / "model-best")
        unknown = docs(best, test, gold=False)
        started = time.process_time()
        for _, component in best.pipeline:
            unknown = list(component.pipe(unknown, batch_size=1000))
        parsing = time.process_time() - started
    sentences = words_of(test)
    for sentence, doc in zip(sentences, unknown, strict=True):
        for word, token in zip(sentence, doc, strict=True):
            word[6], word[7] = ("0", "root") if token.head.i == token.i else (str(token.head.i + 1), token.dep_)
    written(output, sentences)
    return training, parsing


def main() -> None:
    """Run the peer that the command line names."""
    peer, *paths = sys.argv[1:]
    training, parsing = {"nltk": nltk, "udpipe": udpipe, "spacy": spacy}[peer](*paths)
    print(json.dumps({"training": training, "parsing": parsing}))


if __name__ == "__main__":
    main()

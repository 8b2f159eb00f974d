"""One peer of the parser benchmark, in a process of its own: trains, parses, prints its CPU times as JSON.

    python benchmarks/peer_parsers.py nltk|udpipe TRAIN DEVELOPMENT TEST OUTPUT

Needs nothing of arcproof, so that peers can live in another environment.  Everybody gets gold words and tags; settings are the peer's defaults.
"""

import json
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
            found.append(DependencyGraph("\n".join(rows), top_relation_label="root"))
        return found

    parser = TransitionParser("arc-eager")
    with tempfile.TemporaryDirectory() as folder:
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


def main() -> None:
    """Run the peer that the command line names."""
    peer, *paths = sys.argv[1:]
    training, parsing = {"nltk": nltk, "udpipe": udpipe}[peer](*paths)
    print(json.dumps({"training": training, "parsing": parsing}))


if __name__ == "__main__":
    main()

"""An artificial treebank from a small grammar, so that everything can be tried without a download.

The language has two word orders: after the particle `ka` the verb comes last, otherwise second.  A relative clause, or
the `lo` phrase of an object, may move away from its noun, past a verb to the end of the sentence, or to its beginning;
then arcs cross.  The ending of a word marks its kind: nouns in -o, verbs in -t, adjectives in -e; case is a suffix, so
that heads can be learned.

`on_board` finds the files `artificial-train` and `artificial-test`, which `conllu(…)` printed; the tests print them
again and compare.
"""

import random
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import Final

from arcproof.process.lazy_dataclass import dataclass

FOLDER: Final = Path(__file__).resolve().parent / "treebanks"
SIZES: Final = {"artificial-train": (300, 1), "artificial-test": (100, 2)}
NOUNS: Final = ("mano", "belo", "tiro", "saro", "keno", "luvo", "dapo", "gimo", "rufo", "velo", "nado", "pilo")
VERBS: Final = ("rapit", "lumat", "sokot", "benit", "tarut", "givat", "nolet", "kamut")
ADJECTIVES: Final = ("ruve", "sile", "make", "done", "pule", "tave")
ADVERBS: Final = ("xani", "xoli", "xemi", "xuti")


@dataclass
class Node:
    """A word of a tree whose order is not yet settled."""

    form: str
    lemma: str
    tag: str
    features: str
    label: str
    children: "list[Node]" = field(default_factory=list)


def _word(form: str, tag: str, label: str, features: str = "_", lemma: str | None = None) -> Node:
    return Node(form, lemma or form, tag, features, label)


def _noun_phrase(chance: random.Random, label: str, suffix: str, case: str) -> tuple[Node, list[Node]]:
    """The noun, and the words of its phrase in order."""
    lemma = chance.choice(NOUNS)
    noun = _word(lemma + suffix, "NOUN", label, f"Case={case}", lemma)
    words = [noun]
    if chance.random() < 0.5:
        adjective = _word(chance.choice(ADJECTIVES), "ADJ", "amod")
        noun.children.append(adjective)
        words.insert(0, adjective)
    if chance.random() < 0.6:
        determiner = _word(chance.choice(("na", "ti")), "DET", "det")
        noun.children.append(determiner)
        words.insert(0, determiner)
    return noun, words


def _phrase_of(chance: random.Random, head: Node) -> list[Node]:
    noun, words = _noun_phrase(chance, "nmod", "s", "Gen")
    particle = _word("lo", "ADP", "case")
    noun.children.append(particle)
    head.children.append(noun)
    return [particle, *words]


def _relative(chance: random.Random, head: Node) -> list[Node]:
    lemma = chance.choice(VERBS)
    verb = _word(lemma + "i", "VERB", "acl", "VerbForm=Part", lemma)
    pronoun = _word("qu", "PRON", "nsubj", "PronType=Rel")
    noun, words = _noun_phrase(chance, "obj", "m", "Acc")
    verb.children += [pronoun, noun]
    head.children.append(verb)
    return [pronoun, *words, verb]


def _clause(chance: random.Random) -> tuple[Node, list[Node]]:
    """The verb, and all words of the clause in order."""
    lemma = chance.choice(VERBS)
    verb = _word(lemma, "VERB", "root", "VerbForm=Fin", lemma)
    subject, subject_words = _noun_phrase(chance, "nsubj", "", "Nom")
    thing, object_words = _noun_phrase(chance, "obj", "m", "Acc")
    verb.children += [subject, thing]
    front: list[Node] = []
    end: list[Node] = []
    if chance.random() < 0.3:
        phrase = _phrase_of(chance, thing)
        if chance.random() < 0.25:
            front = phrase
        else:
            object_words += phrase
    if chance.random() < 0.25:
        owner, words = (subject, subject_words) if chance.random() < 0.5 else (thing, object_words)
        clause = _relative(chance, owner)
        if chance.random() < 0.4:
            end = clause
        else:
            words += clause
    adverb = []
    if chance.random() < 0.4:
        adverb = [_word(chance.choice(ADVERBS), "ADV", "advmod")]
        verb.children += adverb
    if chance.random() < 0.5:
        particle = _word("ka", "PART", "mark")
        verb.children.append(particle)
        middle = [particle, *front, *subject_words, *adverb, *object_words, verb]
    else:
        middle = [*front, *subject_words, verb, *adverb, *object_words]
    stop = _word("." if chance.random() < 0.9 else "!", "PUNCT", "punct")
    verb.children.append(stop)
    return verb, [*middle, *end, stop]


def trees(count: int, seed: int) -> Iterator[tuple[Node, list[Node]]]:
    """This many clauses; the same seed always gives the same ones."""
    chance = random.Random(seed)
    for _ in range(count):
        yield _clause(chance)


def conllu(count: int, seed: int) -> str:
    """The clauses as CoNLL-U."""
    sentences = []
    for number, (root, words) in enumerate(trees(count, seed), start=1):
        place = {id(word): k for k, word in enumerate(words, start=1)}
        heads = {id(child): place[id(word)] for word in words for child in word.children}
        heads[id(root)] = 0
        lines = [f"# sent_id = artificial-{seed}-{number}", f"# text = {' '.join(word.form for word in words)}"]
        lines += [
            f"{k}\t{w.form}\t{w.lemma}\t{w.tag}\t{w.tag}\t{w.features}\t{heads[id(w)]}\t{w.label}\t_\t_"
            for k, w in enumerate(words, start=1)
        ]
        sentences.append("\n".join(lines) + "\n\n")
    return "".join(sentences)


def on_board(name: str) -> Path | None:
    """The file of a built-in treebank; None if there is none of this name."""
    return FOLDER / f"{name}.conllu" if name in SIZES else None

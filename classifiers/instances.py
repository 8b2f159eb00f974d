"""From gold trees to training instances: what the oracle does in each configuration, and the features that a classifier
sees there.

A graph with several heads is not lifted: it loses the arcs that the oracle cannot build.

A *class* is a transition with its choice and its label, `LEFT-ARC[2](nsubj)`.  A tree that the oracle does not derive
is *lifted* (`projectivity`) and tried again, so that a projective system trains on all sentences; a tree that it does
not derive even then, or one that may not be lifted, is left out and counted.  A figure without an oracle follows a
`SearchOracle`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from arcproof import native
from arcproof.classifiers.features.model import Program
from arcproof.classifiers.features.vocabulary import Vocabulary, Whole
from arcproof.classifiers.projectivity import lift
from arcproof.classifiers.search_oracle import SearchOracle
from arcproof.classifiers.watching import SILENT, Watcher
from arcproof.generators.formats import TagColumn
from arcproof.generators.treebank import Sentence
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.configuration import Transition
from arcproof.transitions.errors import ArcproofError, NotDerivable
from arcproof.transitions.graph import Arc, Graph, graph_of
from arcproof.transitions.machine.arrays import kernel
from arcproof.transitions.system import System, most_transitions

if TYPE_CHECKING:
    from arcproof.transitions.machine.arrays.module import ArrayState, Runner

Rows: TypeAlias = np.ndarray[Any, np.dtype[np.int32]]


class NothingToLearn(ArcproofError, ValueError):
    """None of the training sentences can be derived."""


@dataclass(frozen=True, slots=True)
class Explored:
    """What exploration did: the probability with which the parser made its own choices, the rounds in which it did so,
    its transitions, those that were not free, and the configurations in which none was free, so that the cheapest was
    learned.

    `interpreted` says why the interpreter had to compute costs; None if native code did.
    """

    probability: float
    rounds: int
    transitions: int
    astray: int
    nothing_free: int
    interpreted: str | None


@dataclass
class Instances:
    """The instances: a row of columns and a class for each transition; the graph and the length of each derivation; the
    number of trees that were lifted and, where words may have several heads, of arcs that were dropped; the sentences
    that were left out, numbered from 1; how many times the parser's own runs have replaced the oracle's; and what
    exploration did.
    """

    rows: Rows
    targets: Whole
    classes: list[Transition]
    lengths: list[tuple[int, int]] = field(default_factory=list)
    derived: list[Graph] = field(default_factory=list)
    lifted: int = 0
    dropped: int = 0
    left_out: list[int] = field(default_factory=list)
    stages: int = 0
    explored: Explored | None = None


@dataclass(frozen=True)
class Trained:
    """One sentence as the oracle derived it: the rows, codes and labels of its transitions."""

    rows: Rows
    codes: Whole
    labels: Whole


def gold_arrays(runner: "Runner", vocabulary: Vocabulary, gold: Graph, tags: Sequence[int] | None) -> Whole:
    """The gold data that an oracle may ask for, with the numbers of labels and, where there are any, of tags."""
    if runner.several_heads:
        labels = {(arc.head, arc.dependent): vocabulary.label(arc.label) for arc in gold.arcs}
        rows = runner.gold_arcs(gold, labels)
    else:
        rows = runner.gold(gold, gold_labels(vocabulary, gold))
    if tags is not None:
        rows[kernel.GOLD_TAGS, 1:] = tags
    return rows


def gold_labels(vocabulary: Vocabulary, gold: Graph) -> list[int]:
    """The number of the label of each word; 0 for a word without a head."""
    labels = [0] * gold.words
    for arc in gold.arcs:
        labels[arc.dependent - 1] = vocabulary.label(arc.label)
    return labels


def tags_of(system: System, sentences: Iterable[Sentence], column: TagColumn = "upos") -> list[str]:
    """The distinct tags that a figure learns to assign; none if it assigns no tags."""
    if not system.figure.assigns_tags:
        return []
    return list(dict.fromkeys(tag for sentence in sentences for tag in sentence.tags(column)))


def gold_tags(runner: "Runner", vocabulary: Vocabulary, sentence: Sentence, column: TagColumn) -> list[int] | None:
    """The number of the tag of each word; None where the figure assigns no tags."""
    return list(map(vocabulary.label, sentence.tags(column))) if runner.system.figure.assigns_tags else None


def derivation(
    runner: "Runner",
    program: Program,
    vocabulary: Vocabulary,
    sentence: Sentence,
    gold: Graph,
    oracle: str | None = None,
    tags: TagColumn = "upos",
) -> Trained:
    """The oracle's run to a gold graph; `NotDerivable` if it leads elsewhere."""
    system = runner.system
    known = gold_arrays(runner, vocabulary, gold, gold_tags(runner, vocabulary, sentence, tags))
    tokens = vocabulary.tokens(sentence.tokens)
    if not system.figure.oracles and oracle is None:
        transitions = SearchOracle(system).derive(gold)
        state, trained = runner.state(gold.words), _room(len(transitions), program)
        trained.codes[:] = [runner.code(transition) for transition in transitions]
        trained.labels[:] = [vocabulary.label(transition.label) for transition in transitions]
        followed = state.sentence(known)
        count = native.library.record_given(followed, _record(program, tokens, trained))
    else:
        which = system.figure.oracles.index(system.oracle(oracle))
        room = 4 * gold.words + 16
        while True:
            state, trained = runner.state(gold.words), _room(room, program)
            followed = state.sentence(known)
            count = native.library.record_oracle(followed, which, _record(program, tokens, trained))
            if count != kernel.TOO_LONG or room > most_transitions(gold.words):
                break
            room *= 4
    if count < 0:
        missing = _missing(count, followed.registers, state, gold) if runner.several_heads else ()
        what = "graph" if runner.several_heads else "tree"
        raise NotDerivable(
            f"sentence {sentence.number}: {system.name} does not derive its {what} ({_REASONS[count]})", missing, ()
        )
    return Trained(trained.rows[:count], trained.codes[:count], trained.labels[:count])


def _missing(count: int, registers: Any, state: "ArrayState", gold: Graph) -> tuple[Arc, ...]:
    """The gold arcs that a run did not build, or the one whose transition was not permissible."""
    if count == kernel.NOT_PERMITTED:
        ends = {(registers[kernel.LABELLED_HEAD], registers[kernel.LABELLED_WORD])}
        return tuple(arc for arc in gold.arcs if (arc.head, arc.dependent) in ends)
    if count == kernel.OTHER_GRAPH:
        built = state.labels()
        return tuple(arc for arc in gold.arcs if (arc.head, arc.dependent) not in built)
    return ()


def corrected(
    runner: "Runner",
    program: Program,
    vocabulary: Vocabulary,
    sentence: Sentence,
    taken: Sequence[Transition],
    oracle: str | None,
    tags: TagColumn = "upos",
) -> Trained:
    """What the oracle would have done in each configuration that a parser went through (Choi & Palmer 2011,
    section 3).
    """
    system, gold = runner.system, sentence.graph
    which = system.figure.oracles.index(system.oracle(oracle))
    state = runner.state(gold.words)
    known = gold_arrays(runner, vocabulary, gold, gold_tags(runner, vocabulary, sentence, tags))
    tokens = vocabulary.tokens(sentence.tokens)
    advised = _room(len(taken), program)
    codes = np.array([runner.code(transition) for transition in taken], dtype=np.int64)
    labels = np.array([vocabulary.label(transition.label) for transition in taken], dtype=np.int64)
    run = Trained(advised.rows, codes, labels)
    default = -1 if system.figure.default is None else runner.names.index(system.figure.default)
    count = native.library.record_advice(
        state.sentence(known), state.sentence(known), which, default,
        _record(program, tokens, run), _record(program, tokens, advised),
    )  # fmt: skip
    assert count == len(taken), "a parser's run cannot be repeated"
    return advised


_REASONS = {
    kernel.NO_LINE: "no line of the oracle matches",
    kernel.NOT_PERMITTED: "the oracle asks for a transition that is not permissible",
    kernel.TOO_LONG: "the oracle never ends",
    kernel.OTHER_GRAPH: "it ends with another graph",
    kernel.DOES_NOT_FIT: "its sequences or counters grow without bound",
}


def _room(transitions: int, program: Program) -> Trained:
    """Room for a run."""
    rows = np.zeros((transitions, len(program.features)), dtype=np.int32)
    return Trained(rows, np.zeros(transitions, dtype=np.int64), np.zeros(transitions, dtype=np.int64))


def _record(program: Program, tokens: Whole, trained: Trained) -> Any:
    """Room for a run, as native code takes it."""
    return native.structure(
        "record", features=program.structure(), tokens=native.pointer(tokens), room=len(trained.codes),
        rows=native.pointer(trained.rows), codes=native.pointer(trained.codes), labels=native.pointer(trained.labels),
    )  # fmt: skip


def lifted_graph(sentence: Sentence) -> Graph | None:
    """The tree made projective by lifting; None if it is already projective."""
    lifted = lift(sentence.heads)
    return graph_of(lifted.heads, sentence.labels) if lifted.is_changed else None


def derivable(
    runner: "Runner", program: Program, vocabulary: Vocabulary, sentence: Sentence, oracle: str | None = None, skip_nonprojective: bool = False,
    tags: TagColumn = "upos",
) -> tuple[Trained, Graph]:  # fmt: skip
    """The oracle's run to the gold tree, or else to the lifted one, and which of the two it is; `NotDerivable` if it
    leads to neither.

    For a graph with several heads, the run to what is left of it without the arcs that the oracle cannot build.
    """
    if runner.several_heads:
        return _derivable_part(runner, program, vocabulary, sentence, oracle, skip_nonprojective)
    try:
        return derivation(runner, program, vocabulary, sentence, sentence.graph, oracle, tags), sentence.graph
    except NotDerivable:
        graph = None if skip_nonprojective else lifted_graph(sentence)
        if graph is None:
            raise
        return derivation(runner, program, vocabulary, sentence, graph, oracle, tags), graph


def _derivable_part(
    runner: "Runner", program: Program, vocabulary: Vocabulary, sentence: Sentence, oracle: str | None, whole: bool
) -> tuple[Trained, Graph]:
    graph = sentence.graph
    while True:
        try:
            return derivation(runner, program, vocabulary, sentence, graph, oracle), graph
        except NotDerivable as failure:
            if whole or not failure.missing or not runner.system.figure.oracles:
                raise
            graph = Graph(graph.words, graph.arcs - set(failure.missing))


def instances(
    runner: "Runner", program: Program, vocabulary: Vocabulary, sentences: Sequence[Sentence], oracle: str | None = None,
    skip_nonprojective: bool = False, watch: Watcher = SILENT, tags: TagColumn = "upos",
) -> Instances:  # fmt: skip
    """The instances of a treebank; `NothingToLearn` if there are none."""
    found: list[Trained] = []
    result = Instances(np.zeros((0, 0), dtype=np.int32), np.zeros(0, dtype=np.int64), [])
    watch.begin("oracle", len(sentences))
    for place, sentence in enumerate(sentences, start=1):
        watch.advance()
        try:
            trained, graph = derivable(runner, program, vocabulary, sentence, oracle, skip_nonprojective, tags)
        except NotDerivable:
            result.left_out.append(place)
            continue
        result.lifted += graph is not sentence.graph
        result.dropped += len(sentence.graph.arcs) - len(graph.arcs)
        found.append(trained)
        result.derived.append(graph)
        result.lengths.append((sentence.words, len(trained.codes)))
    if not found or not sum(len(trained.codes) for trained in found):
        raise NothingToLearn(
            f"{runner.system.name} derives none of the {len(result.left_out)} training sentences, so there is "
            "nothing to learn"
        )
    return together(runner, vocabulary, found, result)


def together(runner: "Runner", vocabulary: Vocabulary, found: Sequence[Trained], result: Instances) -> Instances:
    """Combine the instances of all sentences."""
    result.rows = np.concatenate([trained.rows for trained in found])
    codes = np.concatenate([trained.codes for trained in found])
    labels = np.concatenate([trained.labels for trained in found])
    result.targets, result.classes = classified(runner, vocabulary, codes, labels)
    return result


def classified(runner: "Runner", vocabulary: Vocabulary, codes: Whole, labels: Whole) -> tuple[Whole, list[Transition]]:
    """The class of each transition, and the list of classes: ordered by name as in the figure, then by choice, then by
    label.
    """
    pairs = np.stack([codes, labels], axis=1)
    unique, targets = np.unique(pairs, axis=0, return_inverse=True)
    return targets.reshape(-1).astype(np.int64), class_names(runner, vocabulary, unique)


def class_names(runner: "Runner", vocabulary: Vocabulary, pairs: Sequence[Sequence[int]] | Whole) -> list[Transition]:
    """The transitions that pairs of code and label stand for."""
    return [runner.transition(int(code), vocabulary.labels[int(label) - 1] if label else None) for code, label in pairs]

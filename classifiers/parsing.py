"""Parsing: the PARSE loop of Nivre 2008 with a classifier's choice in place of the oracle's.

All sentences of a batch advance together, one transition at a time, so that the classifier scores them together.  Two
policies of the papers say what happens to a choice that is not permissible:
- `permissible`: the best of the permissible transitions is taken;
- `default`: the figure's `default` transition is taken instead; where that is not permissible either, the best
  permissible one, and this is counted.

A sentence ends in a terminal configuration, where nothing is permissible, or after the number of transitions that the
figure claims to be enough (without such a claim, after `most_transitions`); the latter two are counted.  A model with a
beam searches each sentence by itself (`beam`).

Where the figure says `several heads`, the result is the graph it built, and a word may have no head.  With `root none`
a word without a head is attached to 0.

*Root attachment* makes trees: every word without a head becomes a dependent of 0 with the label that most dependents of
0 have in the training data.  This turns a forest into a tree, and a projective forest into a projective tree: none of
its words without a head is covered by an arc.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

import numpy as np

from arcproof import native
from arcproof.classifiers.features.vocabulary import Whole
from arcproof.classifiers.learners.weights import LinearClassifier
from arcproof.classifiers.projectivity import Scheme, decode
from arcproof.classifiers.trained_model import NoRoom, TrainedModel, roomier
from arcproof.generators.treebank import Sentence
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.configuration import Transition
from arcproof.transitions.graph import ROOT, Arc, Graph
from arcproof.transitions.machine.arrays import kernel
from arcproof.transitions.machine.codes import DOES_NOT_FIT

if TYPE_CHECKING:
    from arcproof.transitions.machine.arrays.module import ArrayState

Policy: TypeAlias = Literal["permissible", "default"]
POLICIES: Final = get_args(Policy)
BATCH_SENTENCES: Final = 512
BATCH_WORDS: Final = 30_000


@dataclass(frozen=True, slots=True)
class Parsed:
    """The result for a sentence: its tree, the heads before root attachment (None means no head), the transitions
    taken, and the tags if the figure assigns them.

    Where words may have several heads there is a graph instead, and the heads, labels and previous heads are empty.  A
    word without a tag gets the tag `_`.
    """

    heads: tuple[int, ...]
    labels: tuple[str, ...]
    before: tuple[int | None, ...]
    transitions: tuple[Transition, ...]
    is_terminal: bool
    graph: Graph | None = None
    tags: tuple[str, ...] | None = None


@dataclass
class Counts:
    """Counts of what happened while parsing."""

    sentences: int = 0
    words: int = 0
    transitions: int = 0
    not_permissible: int = 0
    default_refused: int = 0
    nothing_known: int = 0
    not_ended: int = 0
    attached: int = 0


def decoded(parsed: Parsed, scheme: Scheme | None) -> Parsed:
    """The tree that a pseudo-projective one stands for."""
    if scheme is None:
        return parsed
    heads, labels = decode(parsed.heads, parsed.labels, scheme)
    return replace(parsed, heads=heads, labels=labels)


def batches(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    """Batches of sentences that are parsed together."""
    batch: list[Sentence] = []
    size = 0
    for sentence in sentences:
        batch.append(sentence)
        size += sentence.words
        if len(batch) == BATCH_SENTENCES or size >= BATCH_WORDS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def views(states: Sequence["ArrayState"], tokens: Sequence[Whole]) -> Any:
    """Configurations with the attributes of their words, as native code takes them; they live as long as these."""
    return native.ffi.new(
        "struct view[]",
        [(state.structure[0], native.pointer(numbers)) for state, numbers in zip(states, tokens, strict=True)],
    )


def parse(model: TrainedModel, sentences: Sequence[Sentence], policy: Policy, counts: Counts) -> Iterator[Parsed]:
    """The trees of a batch: by the PARSE loop, or with the model's beam."""
    if model.beam == 1:
        return _with_room(model, sentences, policy, counts)
    return _parse_with_beam(model, sentences, counts)


def _with_room(model: TrainedModel, sentences: Sequence[Sentence], policy: Policy, counts: Counts) -> Iterator[Parsed]:
    """The PARSE loop, restarted with more room as long as a configuration does not fit."""
    while True:
        own = Counts()
        try:
            found = list(_parse(model, sentences, policy, own))
        except NoRoom:
            model = roomier(model, max(sentence.words for sentence in sentences), len(sentences))
            continue
        for name, number in asdict(own).items():
            setattr(counts, name, getattr(counts, name) + number)
        yield from found
        return


def _parse_with_beam(model: TrainedModel, sentences: Sequence[Sentence], counts: Counts) -> Iterator[Parsed]:
    from arcproof.classifiers.beam import Beam

    assert isinstance(model.classifier, LinearClassifier)
    beam = Beam(model, model.classifier.structure)
    for sentence in sentences:
        found = beam.parse(sentence)
        counts.not_ended += not found.is_terminal
        yield parsed_of(model, found.tree, found.run, found.is_terminal, counts)


def _parse(model: TrainedModel, sentences: Sequence[Sentence], policy: Policy, counts: Counts) -> Iterator[Parsed]:
    """The PARSE loop for a batch."""
    states = [model.runner.state(sentence.words) for sentence in sentences]
    tokens = [model.vocabulary.tokens(sentence.tokens) for sentence in sentences]
    most = np.array([model.most(sentence.words) for sentence in sentences], dtype=np.int64)
    size = len(sentences)
    rows = np.zeros((size, len(model.program.features)), dtype=np.int32)
    allowed = np.zeros((size, len(model.known)), dtype=np.bool_)
    found, fallbacks, defaults = (np.zeros(size, dtype=np.int64) for _ in range(3))
    active = np.arange(size, dtype=np.int64)
    codes = labels = np.full(size, -1, dtype=np.int64)
    native_model, batch = model.structure(), views(states, tokens)
    room = model.runner.state(max(sentence.words for sentence in sentences)).sentence()
    ended = np.zeros(size, dtype=np.bool_)
    taken: list[tuple[Whole, Whole, Whole]] = []
    while True:
        steps = native.structure(
            "steps", count=len(active), active=native.pointer(active), codes=native.pointer(codes), labels=native.pointer(labels),
            asks_defaults=policy == "default", rows=native.pointer(rows), allowed=native.pointer(allowed), counts=native.pointer(found),
            fallbacks=native.pointer(fallbacks), defaults=native.pointer(defaults),
        )  # fmt: skip
        if native.library.proceed(native_model, room, batch, steps) == DOES_NOT_FIT:
            raise NoRoom
        ended[active[found[: len(active)] == -1]] = True
        going = (found[: len(active)] > 0) & (most[active] > len(taken))
        active = active[going]
        if not len(active):
            break
        kept = np.flatnonzero(going)
        codes, labels = _choose(model, rows[kept], allowed[kept], fallbacks[kept], defaults[kept], policy, counts)
        taken.append((active, codes, labels))
    counts.not_ended += int((~ended).sum())
    yield from _results(model, states, taken, ended, counts)


def _choose(
    model: TrainedModel, rows: Any, allowed: Any, fallbacks: Whole, defaults: Whole, policy: Policy, counts: Counts
) -> tuple[Whole, Whole]:
    """The code and the label to take in each row."""
    scores = model.classifier.scores(rows)
    permissible = allowed[:, model.class_places]
    best = np.where(permissible, scores, -np.inf).argmax(axis=1)
    codes, labels = model.class_codes[best], model.class_labels[best]
    predicted = scores.argmax(axis=1)
    each = np.arange(len(rows))
    refused = ~permissible[each, predicted]
    counts.not_permissible += int(refused.sum())
    other = ~permissible.any(axis=1)
    counts.nothing_known += int(other.sum())
    use = fallbacks
    if policy == "default":
        has_default = defaults >= 0
        counts.default_refused += int((refused & ~has_default).sum())
        use = np.where(refused & has_default, defaults, fallbacks)
        other = other | (refused & has_default)
    for k in np.flatnonzero(other):
        codes[k] = use[k]
        labels[k] = model.label_of(int(use[k]))
    return codes, labels


def _results(
    model: TrainedModel,
    states: Sequence["ArrayState"],
    taken: list[tuple[Whole, Whole, Whole]],
    ended: Any,
    counts: Counts,
) -> Iterator[Parsed]:
    histories: list[list[tuple[int, int]]] = [[] for _ in states]
    for active, codes, labels in taken:
        for sentence, code, label in zip(active.tolist(), codes.tolist(), labels.tolist(), strict=True):
            histories[sentence].append((code, label))
    for state, run, has_ended in zip(states, histories, ended.tolist(), strict=True):
        yield parsed_of(model, state.tree, run, has_ended, counts)


def parsed_of(model: TrainedModel, tree: Whole, run: list[tuple[int, int]], ended: bool, counts: Counts) -> Parsed:
    """The result of a run of codes and labels; it is also counted."""
    if model.runner.several_heads:
        return _parsed_graph(model, tree, run, ended, counts)
    names = [None, *model.vocabulary.labels]
    heads = tree[kernel.HEAD, 1:].tolist()
    labels = tree[kernel.LABEL, 1:].tolist()
    counts.sentences += 1
    counts.words += len(heads)
    counts.transitions += len(run)
    counts.attached += sum(head < 0 for head in heads)
    return Parsed(
        tuple(ROOT if head < 0 else head for head in heads),
        tuple(
            model.root_label if head < 0 else names[label] or model.missing_label
            for head, label in zip(heads, labels, strict=True)
        ),
        tuple(None if head < 0 else head for head in heads),
        tuple(map(model.transition, run)),
        ended,
        tags=_tags(model, tree),
    )


def _parsed_graph(model: TrainedModel, tree: Whole, run: list[tuple[int, int]], ended: bool, counts: Counts) -> Parsed:
    """The graph that a run built; with `root none`, words without a head are attached to 0."""
    names = [None, *model.vocabulary.labels]
    built = tree[kernel.ARCS_OF :]
    words = tree.shape[1] - 1
    arcs = {Arc(int(h), names[built[d, h] - 1], int(d)) for d, h in zip(*np.nonzero(built), strict=True)}
    attached: set[Arc] = set()
    if not model.runner.system.has_root:
        headed = {arc.dependent for arc in arcs}
        attached = {Arc(ROOT, model.root_label, word) for word in range(1, words + 1) if word not in headed}
    counts.sentences += 1
    counts.words += words
    counts.transitions += len(run)
    counts.attached += len(attached)
    return Parsed((), (), (), tuple(map(model.transition, run)), ended, Graph(words, frozenset(arcs | attached)))


def _tags(model: TrainedModel, tree: Whole) -> tuple[str, ...] | None:
    """The tag of each word; None where the figure assigns none."""
    if not model.runner.system.figure.assigns_tags:
        return None
    names = [None, *model.vocabulary.labels]
    return tuple(names[tag] or "_" for tag in tree[kernel.TAG, 1:].tolist())

"""Gold graphs in the columns of a treebank: HEAD and DEPREL, the DEPS of CoNLL-U, and the columns of SDP-style files.

Definitions
- DEPS holds the arcs into a word, `4:nsubj|7:nsubj:xsubj`: head, colon, label.  `_` is a word without a head.  Two
  labels for the same two words make a single arc, whose label joins both: `4:nsubj|4:nsubj:xsubj` is an arc with the
  label `nsubj|nsubj:xsubj`, because a graph has at most one arc from one node to another.
- An *SDP-style* line has the columns ID, FORM, LEMMA, POS, TOP and PRED, in the form of 2015 also FRAME, and then one
  column for each *predicate* (a word with `+` in PRED), in the order of the words: it holds the label of the arc from
  that predicate, or `_`.  `+` in TOP is an arc from 0 with the label `top`.  Without these columns a sentence has only
  words.
- Writing keeps the column of a word whose arcs have not changed.  New arcs are written by head, then label.  A
  predicate of the gold graph that has no arguments stays a predicate, because arcs say nothing about it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from arcproof.transitions.errors import BadGraph, BadTreebank
from arcproof.transitions.graph import ROOT, Arc, Graph, Heads, cycle_in, graph_of
from arcproof.transitions.printing.wording import counted

Shape: TypeAlias = Literal["tree", "forest", "graph"]
BadAt: TypeAlias = Callable[[int], Callable[[str], BadTreebank]]
Fields: TypeAlias = Mapping[str, str]

NONE: Final = "_"
TOP: Final = "top"
YES: Final = "+"
NO: Final = "-"
SDP_WORDS: Final = ("id", "form", "lemma", "fpos")
SDP_2014: Final = (*SDP_WORDS, "top", "pred")
SDP_2015: Final = (*SDP_2014, "frame")


def is_number(text: str) -> bool:
    """Whether the text consists only of the digits 0 to 9."""
    return text.isascii() and text.isdigit()


def _node(text: str, words: int, what: str, bad: Callable[[str], BadTreebank]) -> int:
    """A node from 0 to n, read from text."""
    if not is_number(text) or len(text) > 6:
        raise bad(f"{what} is `{text[:20]}`; it must be a whole number from 0 to {words}")
    if int(text) > words:
        raise bad(f"{what} is {text}; with {counted(words, 'word')} it must be from 0 to {words}")
    return int(text)


# --- HEAD and DEPREL -------------------------------------------------------------------------------------------------


def tree_of(fields: Sequence[Fields], shape: Shape, bad_at: BadAt) -> Graph:
    """The gold graph of HEAD and DEPREL, a tree or a forest."""
    heads: list[int | None] = []
    for word, values in enumerate(fields, start=1):
        head = values["head"]
        if head in (NONE, ""):
            if shape == "tree":
                raise bad_at(word)(f"word {word} has no head")
            heads.append(None)
            continue
        heads.append(_node(head, len(fields), f"the head of word {word}", bad_at(word)))
    tree: Heads = tuple(heads)
    cycle = cycle_in(tree)
    if cycle is not None:
        path = " -> ".join(map(str, [*cycle, cycle[0]]))
        raise bad_at(cycle[0])(
            f"the heads form a cycle: {path}"
            + ("; and no word is attached to 0: there is no root" if shape == "tree" and ROOT not in heads else "")
        )
    try:
        return graph_of(tree, [None if values["deprel"] in (NONE, "") else values["deprel"] for values in fields])
    except BadGraph as error:
        raise bad_at(1)(str(error)) from None


# --- DEPS ------------------------------------------------------------------------------------------------------------


def deps_graph(fields: Sequence[Fields], bad_at: BadAt) -> Graph:
    """The gold graph of the column DEPS."""
    arcs = (arc for word, values in enumerate(fields, 1) for arc in _deps(values["deps"], word, len(fields), bad_at))
    return Graph(len(fields), frozenset(arcs))


def _deps(text: str, word: int, words: int, bad_at: BadAt) -> Iterator[Arc]:
    """The arcs into a word, one for each head."""
    if text in (NONE, ""):
        return
    labels: dict[int, list[str]] = defaultdict(list)
    for entry in text.split("|"):
        head, colon, label = entry.partition(":")
        if not colon or not label:
            raise bad_at(word)(
                f"DEPS of word {word} has `{entry[:20]}`; it must be head:label, as in 4:nsubj, joined by | "
                "where there are several"
            )
        node = _node(head, words, f"a head of word {word} in DEPS", bad_at(word))
        if node == word:
            raise bad_at(word)(f"word {word} is its own head in DEPS")
        if label in labels[node]:
            raise bad_at(word)(f"DEPS of word {word} has `{entry[:20]}` twice")
        labels[node].append(label)
    for head_node, each in labels.items():
        yield Arc(head_node, None if each == [NONE] else "|".join(each), word)


def deps_text(arcs: Sequence[Arc]) -> str:
    """The column DEPS of a word with these arcs."""
    return "|".join(f"{arc.head}:{label}" for arc in arcs for label in (arc.label or NONE).split("|")) or NONE


# --- SDP -------------------------------------------------------------------------------------------------------------


def looks_like_sdp(columns: Sequence[str]) -> bool:
    """Whether a word line is from an SDP-style file: TOP and PRED are + or -, or there are only words."""
    flags = columns[len(SDP_WORDS) : len(SDP_2014)]
    return len(columns) == len(SDP_WORDS) or (len(flags) == 2 and all(flag in (YES, NO) for flag in flags))


def sdp_columns(lines: Sequence[Sequence[str]], says_2015: bool) -> tuple[str, ...] | None:
    """The named columns of a sentence, judging by its number of predicates; None if there are too few or too many
    columns.
    """
    width = len(lines[0])
    if width == len(SDP_WORDS):
        return SDP_2015 if says_2015 else SDP_2014
    predicates = sum(columns[len(SDP_2014) - 1] == YES for columns in lines if len(columns) >= len(SDP_2014))
    forms = (SDP_2015,) if says_2015 else (SDP_2014, SDP_2015)
    return next((form for form in forms if width == len(form) + predicates), None)


def sdp_graph(lines: Sequence[Sequence[str]], named: int, bad_at: BadAt) -> Graph:
    """The gold graph of an SDP-style sentence, whose lines have this many named columns before those of the
    predicates.
    """
    top, predicate = SDP_2014.index("top"), SDP_2014.index("pred")
    for word, columns in enumerate(lines, start=1):
        if len(columns) < len(SDP_2014):
            raise bad_at(word)(f"word {word} has no gold columns: TOP, PRED and one for each predicate")
        for name, flag in (("TOP", columns[top]), ("PRED", columns[predicate])):
            if flag not in (YES, NO):
                raise bad_at(word)(f"{name} of word {word} is `{flag[:20]}`; it must be + or -")
    predicates = [word for word, columns in enumerate(lines, start=1) if columns[predicate] == YES]
    arcs: list[Arc] = []
    for word, columns in enumerate(lines, start=1):
        if len(columns) != named + len(predicates):
            raise bad_at(word)(
                f"{counted(len(columns), 'column')} instead of {named + len(predicates)}: "
                f"{named} and one for each of {counted(len(predicates), 'predicate')} (+ in PRED)"
            )
        arcs += [Arc(ROOT, TOP, word)] * (columns[top] == YES)
        for head, label in zip(predicates, columns[named:], strict=True):
            if label == NONE:
                continue
            if head == word:
                raise bad_at(word)(f"word {word} is its own argument")
            arcs.append(Arc(head, label, word))
    return Graph(len(lines), frozenset(arcs))


def sdp_lines(lines: Sequence[Sequence[str]], named: int, graph: Graph, gold: Graph | None) -> Iterator[list[str]]:
    """The columns of each word with these arcs; a predicate of the gold graph that has no arguments is kept."""
    flag = SDP_2014.index("pred")
    idle = set() if gold is None else {w for w, c in enumerate(lines, 1) if c[flag] == YES} - _heads(gold)
    predicates = sorted((_heads(graph) | idle) - {ROOT})
    labels = {(arc.head, arc.dependent): arc.label or NONE for arc in graph.arcs}
    for word, columns in enumerate(lines, start=1):
        frame = [columns[k] if k < len(columns) else NONE for k in range(len(SDP_2014), named)]
        flags = [YES if is_so else NO for is_so in ((ROOT, word) in labels, word in predicates)]
        yield [*columns[: len(SDP_WORDS)], *flags, *frame, *(labels.get((head, word), NONE) for head in predicates)]


def _heads(graph: Graph) -> set[int]:
    return {arc.head for arc in graph.arcs}

"""Feature models: which attributes of which nodes a classifier sees, defined in a file.

    features my-model
      cite "where it comes from"
      stack[0]        form fpos deprel      -- the node next to the head of the first stack; [1] the one behind it
      list2[-1]       fpos                  -- the last node of the second list, at its tail
      hd(stack[0])    form                  -- hd, ld, rd: head, leftmost and rightmost dependent so far
      buffer[0] + 1   fpos                  -- the next word of the sentence, wherever it is
      context(list1[0], buffer[0])[0] fpos  -- the roots of the graph between the two, the one closest to the first
      distance(stack[0], buffer[0])         -- how far apart two nodes are
      value(k)                              -- of a flag or counter
      join fpos(stack[0]) fpos(list2[-1])   -- two or three of the features above, joined by the fast learners

`stack`, `buffer` and `list` are the first component of that kind in the figure, `list2` the second; components may also
be given by name. Attributes of a word are `form lemma cpos fpos feats`, where `feats.Case` is one morphological feature
(`vocabulary`) and `feats.*` stands for each one in the training data (if there are more than 40, the most common ones);
in a join `feats.*` of several nodes is the same feature of each, so that agreement can be learned.  `suffix2`,
`suffix3` and `shape` follow from the form.  `deprel` is its label in the arcs built so far, `tag` the tag that a
transition gave it, `lval` and `rval` count its left and right dependents, `hval` its heads. Where a word may have
several heads, `hd` and `deprel` are those of the arc that was added last. A figure that assigns tags must not use a
model that looks at annotation other than the form: tags would be seen before they are predicted. Every feature has a
value in every configuration: a node that is missing, the root, and a word that is new to the model have values of their
own.  Binarisation makes a *column* of each pair of a feature and a value.  A model without `join` lines has all pairs
of its features joined.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from arcproof import native
from arcproof.classifiers.features import codes
from arcproof.classifiers.features.vocabulary import FIRST_SEEN, MISSING, SPELLED, STATIC, THE_ROOT, Vocabulary, Whole
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.suggestions import perhaps
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.plan import AddArc, Cell
from arcproof.transitions.reading.files import text_of
from arcproof.transitions.reading.spelling import canonical
from arcproof.transitions.system import System

FOLDER: Final = Path(__file__).resolve().parent / "models"
DYNAMIC: Final = {
    "deprel": codes.DEPREL,
    "tag": codes.TAG_OF,
    "lval": codes.VALENCY_LEFT,
    "rval": codes.VALENCY_RIGHT,
    "hval": codes.HEADS_OF,
}
ANNOTATED: Final = frozenset(STATIC) - {"form"}
ATTRIBUTES: Final = ", ".join([*STATIC, "feats.NAME", "feats.*", *SPELLED, *DYNAMIC])
FUNCTIONS: Final = {"hd": codes.HEAD_OF, "ld": codes.LEFTMOST_OF, "rd": codes.RIGHTMOST_OF}
MOST_FEATURES: Final = 200
MOST_JOINED: Final = 3
MOST_JOINS: Final = 100_000
MOST_NESTED: Final = 20
MOST_IN_A_LINE: Final = 10_000
MOST_NAMES: Final = 40
MAX_COLUMNS: Final = 2**31  # rows of columns are 32-bit
OF_FEATS: Final = "feats."
ALL_OF_FEATS: Final = "feats.*"
_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>\d+)|(?P<feats>feats\.(?:\*|[^\s()*=|]+))|(?P<name>[^\W\d][\w-]*)|(?P<sign>[\[\](),+-]))"
)


class BadFeatureModel(ArcproofError, ValueError):
    """A feature model that cannot be read, or that does not fit a figure."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One feature, as it is written: an attribute of an address, or a function of two."""

    attribute: str
    address: str
    other: str | None = None

    @property
    def is_static(self) -> bool:
        """Whether the feature is an attribute of the word alone."""
        return self.attribute in (*STATIC, *SPELLED) or self.is_annotated

    @property
    def is_annotated(self) -> bool:
        """Whether the feature is an annotation of the word, which a figure that assigns tags must not see."""
        return self.attribute in ANNOTATED or self.attribute.startswith(OF_FEATS)

    def __str__(self) -> str:
        """`fpos(stack[0])`."""
        return f"{self.attribute}({self.address}{'' if self.other is None else ', ' + self.other})"


@dataclass(frozen=True, slots=True)
class FeatureModel:
    """A list of features with a name and a source, and the text it was read from."""

    name: str
    cite: str
    features: tuple[Feature, ...]
    text: str
    joins: tuple[tuple[Feature, ...], ...] = ()

    @property
    def spells(self) -> bool:
        """Whether the model looks at the spelling of words."""
        return any(feature.attribute in SPELLED for feature in self.features)


def built_in_names() -> list[str]:
    """The names of the built-in feature models."""
    return sorted(path.stem for path in FOLDER.glob("*.features"))


def load_model(name_or_path: str) -> FeatureModel:
    """A built-in model, given by its name, or one from a file."""
    path = Path(name_or_path)
    if name_or_path in built_in_names():
        path = FOLDER / f"{name_or_path}.features"
    elif not path.is_file():
        raise BadFeatureModel(
            f"there is no feature model `{name_or_path}`; the built-in ones are "
            f"{', '.join(built_in_names())}; or give a file{perhaps(name_or_path, built_in_names())}"
        )
    return read_model(text_of(path, "feature model"), path.name)


def read_model(text: str, source: str = "feature model") -> FeatureModel:
    """The model of a text; `BadFeatureModel` names the line."""
    name = cite = ""
    features: list[Feature] = []
    joins: list[tuple[Feature, ...]] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = re.sub(r"(^|\s)--.*", "", raw).strip()
        keyword, _, rest = line.partition(" ")
        if not line:
            continue
        if keyword == "features" and not name:
            name = rest.strip()
        elif keyword in ("cite", "note"):
            cite = rest.strip().strip('"') if keyword == "cite" else cite
        else:
            try:
                if keyword == "join":
                    joins.append(_join(rest, features))
                else:
                    features += _line(line)
                if len(features) > MOST_FEATURES or len(joins) > MOST_JOINS:
                    raise BadFeatureModel(f"at most {MOST_FEATURES} features and {MOST_JOINS} joins are read")
            except BadFeatureModel as problem:
                raise BadFeatureModel(f"{source}:{number}: {problem}") from None
    if not name or not features:
        raise BadFeatureModel(f"{source}: a feature model begins with `features NAME` and has a line for each node")
    if all(feature.attribute.startswith(OF_FEATS) for feature in features):
        raise BadFeatureModel(
            f"{source}: it has only morphological features, which a treebank may lack; add another feature"
        )
    doubled = [feature for feature in features if features.count(feature) > 1]
    if doubled:
        raise BadFeatureModel(f"{source}: {doubled[0]} is given twice")
    return FeatureModel(name, cite, tuple(features), text, tuple(joins))


def _join(line: str, features: list[Feature]) -> tuple[Feature, ...]:
    parser = _Addresses(line)
    found = []
    while parser.peek() is not None:
        attribute = parser.take()
        parser.expect("(")
        address = parser.take() if attribute == "value" else parser.address()
        other = None
        if parser.peek() == ",":
            parser.expect(",")
            other = parser.address()
        parser.expect(")")
        feature = Feature(attribute, address, other)
        if feature not in features:
            raise BadFeatureModel(f"{feature} is joined, but is not one of the features above")
        found.append(feature)
    if len(set(found)) != len(found) or not 2 <= len(found) <= MOST_JOINED:
        raise BadFeatureModel(f"a join has two or three different features, not {len(set(found))}")
    return tuple(found)


def _line(line: str) -> list[Feature]:
    parser = _Addresses(line)
    if parser.peek() in ("distance", "value"):
        function = parser.take()
        parser.expect("(")
        first = parser.address() if function == "distance" else parser.take()
        second = None
        if function == "distance":
            parser.expect(",")
            second = parser.address()
        parser.expect(")")
        if parser.peek() is not None:
            raise BadFeatureModel(f"`{parser.peek()}` after {function}(…)")
        return [Feature(function, first, second)]
    address = parser.address()
    found = []
    while (attribute := parser.peek()) is not None:
        if attribute not in (*STATIC, *SPELLED, *DYNAMIC) and not attribute.startswith(OF_FEATS):
            raise BadFeatureModel(f"there is no attribute `{attribute}`; the attributes are {ATTRIBUTES}")
        found.append(Feature(parser.take(), address))
    if not found:
        raise BadFeatureModel(f"which attributes of {address}? The attributes are {ATTRIBUTES}")
    return found


class _Addresses:
    """Reads addresses and writes them in a canonical spelling."""

    def __init__(self, line: str) -> None:
        self._tokens: deque[str] = deque()
        self._depth = 0
        position = 0
        if len(line) > MOST_IN_A_LINE:
            raise BadFeatureModel(f"a line has at most {MOST_IN_A_LINE} characters")
        while position < len(line):
            found = _TOKEN.match(line, position)
            if found is None:
                raise BadFeatureModel(f"`{line[position:].strip()[:20]}` is not understood")
            self._tokens.append(found.group().strip())
            position = found.end()

    def peek(self) -> str | None:
        return self._tokens[0] if self._tokens else None

    def take(self) -> str:
        if not self._tokens:
            raise BadFeatureModel("the line ends too early")
        return self._tokens.popleft()

    def expect(self, wanted: str) -> None:
        found = self.take()
        if found != wanted:
            raise BadFeatureModel(f"`{found}` where `{wanted}` should be")

    def _number(self) -> str:
        sign = self.take() if self.peek() == "-" else ""
        number = self.take()
        if not number.isdecimal() or len(number) > 4:
            raise BadFeatureModel(f"`{number}` where a number should be")
        return f"{sign}{int(number)}"

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > MOST_NESTED:
            raise BadFeatureModel(f"an address may refer to a node through at most {MOST_NESTED} others")

    def address(self) -> str:
        """An address, in its canonical spelling."""
        depth = self._depth
        written = self._address()
        self._depth = depth
        return written

    def _address(self) -> str:
        self._deeper()
        name = self.take()
        if name in FUNCTIONS:
            self.expect("(")
            address = f"{name}({self.address()})"
            self.expect(")")
        elif name == "context":
            self.expect("(")
            first = self.address()
            self.expect(",")
            second = self.address()
            self.expect(")")
            self.expect("[")
            address = f"context({first}, {second})[{self._number()}]"
            self.expect("]")
        else:
            self.expect("[")
            address = f"{name}[{self._number()}]"
            self.expect("]")
        while self.peek() in ("+", "-"):
            self._deeper()
            sign = self.take()
            address += f" {sign} {self._number()}"
        return address


# --- a model, a figure and a vocabulary together ---------------------------------------------------------------------


@dataclass(frozen=True)
class Program:
    """The program that native code executes (`features.c`): where nodes are, which attribute of which node is used, and
    where the columns of each feature begin.
    """

    model: FeatureModel
    addresses: Whole
    features: Whole
    columns: int
    starts: tuple[int, ...]
    names_joins: bool

    @cached_property
    def joins(self) -> Whole | None:
        """The indices of the features of each join, after those of each single feature; None if the model does not name
        joins.
        """
        if not self.names_joins:
            return None
        alone = [(feature,) for feature in self.model.features]
        places = [[self.model.features.index(feature) for feature in join] for join in (*alone, *self.model.joins)]
        return np.array([[*place, *[-1] * (MOST_JOINED - len(place))] for place in places], dtype=np.int64)

    def structure(self) -> Any:
        """The program as native code takes it, with room to work in."""
        return native.structure(
            "features", addresses=native.ffi.from_buffer("struct address[]", self.addresses),
            address_count=len(self.addresses), features=native.ffi.from_buffer("struct feature[]", self.features),
            feature_count=len(self.features), nodes=native.pointer(np.empty(len(self.addresses), dtype=np.int64)),
        )  # fmt: skip

    def shown(self, row: Sequence[int], vocabulary: Vocabulary) -> list[tuple[str, str]]:
        """Each feature of a row with its value in words."""
        return [
            (str(feature), _value(feature, int(column) - start, vocabulary))
            for feature, column, start in zip(self.model.features, row, self.starts, strict=True)
        ]


def _value(feature: Feature, value: int, vocabulary: Vocabulary) -> str:
    if feature.attribute == "value":
        return str(value)
    if value == MISSING:
        return "(no node)"
    if feature.is_static:
        if value < FIRST_SEEN:
            return "(root)" if value == THE_ROOT else "(not seen in training)"
        return vocabulary.values_of(feature.attribute)[value - FIRST_SEEN]
    if feature.attribute == "deprel":
        return "(no head)" if value == 1 else "(no label)" if value == 2 else vocabulary.labels[value - 3]
    if feature.attribute == "tag":
        return "(no tag)" if value == 1 else vocabulary.labels[value - 2]
    if feature.attribute == "distance":
        return [
            *map(str, range(codes.NEAR + 1)),
            f"{codes.NEAR + 1}-{codes.FAR}",
            f"over {codes.FAR}",
        ][value - 1]
    return str(value - 1)


def _width(feature: Feature, vocabulary: Vocabulary) -> int:
    if feature.is_static:
        return len(vocabulary.values_of(feature.attribute)) + FIRST_SEEN
    match feature.attribute:
        case "deprel":
            return len(vocabulary.labels) + 3
        case "tag":
            return len(vocabulary.labels) + 2
        case "distance":
            return codes.NEAR + 4
        case "value":
            return codes.MOST_VALUE + 1
        case _:
            return codes.MOST_VALENCY + 2


@dataclass
class _Resolver:
    """Finds the components that addresses name, and numbers the addresses."""

    system: System
    rows: list[list[int]] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)

    def place(self, address: str) -> int:
        """The number of an address; the addresses that it refers to are numbered before it."""
        if address not in self.places:
            row = self._row(_Addresses(address))
            self.places[address] = len(self.rows)
            self.rows.append(row)
        return self.places[address]

    def _row(self, parser: _Addresses) -> list[int]:
        written = parser.address()
        beside = re.fullmatch(r"(.*[\])]) ([+-]) (\d+)", written)
        if beside is not None:
            offset = int(beside[3]) * (1 if beside[2] == "+" else -1)
            return [codes.BESIDE, self.place(beside[1]), offset, 0]
        context = re.fullmatch(r"context\((.*)\)\[(\d+)\]", written)
        if context is not None:
            inner = _Addresses(context[1])
            first = inner.address()
            inner.expect(",")
            return [codes.CONTEXT, self.place(first), self.place(inner.address()), int(context[2])]
        function = re.fullmatch(r"(hd|ld|rd)\((.*)\)", written)
        if function is not None:
            return [FUNCTIONS[function[1]], self.place(function[2]), 0, 0]
        cell = re.fullmatch(r"(.*)\[(-?\d+)\]", written)
        if cell is None:
            raise BadFeatureModel(f"`{written}` is not an address")
        index, k = self.component(cell[1], s.SequenceComponent), int(cell[2])
        return [codes.FROM_HEAD, index, k, 0] if k >= 0 else [codes.FROM_TAIL, index, -k - 1, 0]

    def component(self, name: str, kind: type[s.SequenceComponent] | type[s.ValueComponent]) -> int:
        """The index of a component, given by its name or its kind."""
        state = self.system.figure.state
        names = [component.name for component in state]
        if canonical(name) in names and isinstance(state[names.index(canonical(name))], kind):
            return names.index(canonical(name))
        described = re.fullmatch(r"(stack|buffer|list|flag|counter)(\d?)", name)
        if described is not None:
            places = [
                k for k, component in enumerate(state) if component.kind == described[1] and isinstance(component, kind)
            ]
            wanted = int(described[2] or 1)
            if 1 <= wanted <= len(places):
                return places[wanted - 1]
        has = ", ".join(f"{component.kind} {component.name}" for component in state)
        raise BadFeatureModel(f"{self.system.name} has no {name} for the feature model to look at; its state is {has}")


def written_out(model: FeatureModel, vocabulary: Vocabulary) -> FeatureModel:
    """The model with each morphological feature that `feats.*` stands for, without those that the vocabulary does not
    have.
    """
    names = list(vocabulary.morphological)
    features = [one for feature in model.features for [one] in _each([feature], names)]
    joins = [one for join in model.joins for one in _each(join, names)]
    return replace(model, features=tuple(dict.fromkeys(features)), joins=tuple(dict.fromkeys(joins)))


def _each(features: Sequence[Feature], names: list[str]) -> Iterator[tuple[Feature, ...]]:
    starred = any(feature.attribute == ALL_OF_FEATS for feature in features)
    for name in names[:MOST_NAMES] if starred else [""]:
        attribute = f"{OF_FEATS}{name}"
        chosen = [replace(f, attribute=attribute) if f.attribute == ALL_OF_FEATS else f for f in features]
        asked = [f.attribute.removeprefix(OF_FEATS) for f in chosen if f.attribute.startswith(OF_FEATS)]
        if all(one in names for one in asked):
            yield tuple(chosen)


def program(system: System, written: FeatureModel, vocabulary: Vocabulary) -> Program:
    """A model for a figure; `BadFeatureModel` if the figure lacks a component that the model names, or assigns tags
    that the model sees.
    """
    _check_tags(system, written)
    resolver, model = _Resolver(system), written_out(written, vocabulary)
    rows: list[list[int]] = []
    start = 0
    starts = []
    for feature in model.features:
        other = 0
        if feature.attribute == "value":
            place, attribute = resolver.component(feature.address, s.ValueComponent), codes.VALUE_OF
        elif feature.attribute == "distance":
            place, attribute, other = (
                resolver.place(feature.address),
                codes.DISTANCE,
                resolver.place(feature.other or ""),
            )
        else:
            place = resolver.place(feature.address)
            attribute = vocabulary.attribute(feature.attribute) if feature.is_static else DYNAMIC[feature.attribute]
        rows.append([place, attribute, other, start])
        starts.append(start)
        start += _width(feature, vocabulary)
    joins = len(model.joins) if written.joins else len(rows) * (len(rows) - 1) // 2
    if joins > MOST_JOINS:
        raise BadFeatureModel(
            f"{model.name} has {joins} joins of two or three features; at most {MOST_JOINS} can be learned"
        )
    if start >= MAX_COLUMNS:
        raise BadFeatureModel(f"{model.name} has {start} pairs of a feature and a value; leave out rare words")
    addresses = np.array(resolver.rows, dtype=np.int64).reshape(-1, 4)
    return Program(model, addresses, np.array(rows, dtype=np.int64), start, tuple(starts), bool(written.joins))


def _check_tags(system: System, model: FeatureModel) -> None:
    """Refuse a model that sees what is to be predicted."""
    if not system.figure.assigns_tags:
        tag = next((feature for feature in model.features if feature.attribute == "tag"), None)
        if tag is not None:
            raise BadFeatureModel(f"{system.name} assigns no tags, so the feature model {model.name} cannot use {tag}")
        return
    seen = next((feature for feature in model.features if feature.is_annotated), None)
    if seen is not None:
        raise BadFeatureModel(
            f"{system.name} assigns tags itself, so the feature model {model.name} must not look at {seen}; "
            f"it may look at form, {', '.join(SPELLED)}, and at tag, which has been predicted"
        )


def suggested_model(system: System) -> str:
    """A built-in model that fits a figure, chosen by the components that hold the ends of its arcs."""
    state = system.figure.state
    of_graphs = system.figure.several_heads
    added = [change for rule in system.plan.rules for change in rule.arcs if isinstance(change, AddArc)]
    cells = [[node for node in (arc.head, arc.dependent) if isinstance(node, Cell)] for arc in added]
    kinds = {frozenset(state[cell.place.component].kind for cell in ends) for ends in cells}
    if system.figure.assigns_tags:
        return _tagging_model(system, kinds)
    lists = sum(component.kind == "list" for component in state)
    if frozenset({"list", "buffer"}) in kinds:
        return "nivre-2008-list" if lists > 1 else "words-left-to-right"
    if frozenset({"stack", "buffer"}) in kinds:
        return "graph-stack" if of_graphs else "nivre-2008-stack"
    if frozenset({"stack"}) in kinds and any(component.kind == "buffer" for component in state):
        return "nivre-2009-stack"
    if frozenset({"list"}) in kinds:
        return "pending-list"
    raise BadFeatureModel(f"no built-in feature model fits {system.name}; give one with --features")


def _tagging_model(system: System, kinds: set[frozenset[s.SequenceKind | s.ValueKind]]) -> str:
    """A built-in model that fits a figure that assigns tags."""
    if frozenset({"stack", "buffer"}) in kinds:
        return "tagging-buffer"
    if frozenset({"stack"}) in kinds and any(component.kind == "buffer" for component in system.figure.state):
        return "tagging-stack"
    raise BadFeatureModel(f"no built-in feature model fits {system.name}, which assigns tags; give one with --features")

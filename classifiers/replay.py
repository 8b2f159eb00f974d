"""Check that a parse is valid by replaying it in the interpreter: legal at each step, in the class that the figure
claims, not too long, a tree.

Class and length are those of the figure's claims: before root attachment the output is in the claimed class, and no run
is longer than the claimed bound. Where words may have several heads, the graph is the interpreter's own.  Otherwise
after root attachment it is a tree, with the heads and labels of the interpreter's own graph; where arcs were encoded,
it is what decoding makes of that graph, and still a tree.
"""

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Final

from arcproof.classifiers.projectivity import Scheme, decode
from arcproof.generators.classes import is_projective, is_tree
from arcproof.generators.graph_classes import contains_graph
from arcproof.generators.treebank import Sentence
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.errors import NotPermissible
from arcproof.transitions.execute import Situation, evaluate
from arcproof.transitions.graph import ROOT, Arc, Graph, graph_of
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.classifiers.parser import Parser
    from arcproof.classifiers.parsing import Parsed

NO_LABEL: Final = "_"


def _is_in(system: System, class_: s.GraphClass, graph: Graph) -> bool:
    """Whether an output is in a class, as it is or with its headless words attached to 0."""
    heads = graph.heads_or_none
    if contains_graph(class_, graph) or heads is None:
        return contains_graph(class_, graph)
    return contains_graph(class_, graph_of(system.rooted(heads)))


def problems(parser: "Parser", sentence: Sentence, parsed: "Parsed") -> Iterator[str]:
    """What is wrong with a parse: a message for each problem."""
    system = parser.trained_system
    where = f"sentence {sentence.number}"
    c = yield from _replayed(system, where, sentence, parsed)
    if c is None:
        return
    if parsed.graph is not None:
        yield from _graph(system, where, c, parsed, parser.root_label)
        return
    heads = c.graph.heads
    if parsed.before != heads:
        yield f"{where}: the interpreter ends with other heads"
    if parsed.is_terminal:
        yield from _claims(system, where, c.graph, len(parsed.transitions))
    if parsed.tags is not None and parsed.tags != _tags(c):
        yield f"{where}: the interpreter ends with other tags"
    attached = tuple(0 if head is None else head for head in heads)
    if not is_tree(attached):
        yield f"{where}: after root attachment the graph is not a tree"
        return
    if is_projective(heads) and not is_projective(attached):
        yield f"{where}: root attachment made a projective graph non-projective"
    own = {arc.dependent: arc.label or parser.missing_label for arc in c.arcs}
    labels = tuple(own.get(word, parser.root_label) for word in range(1, sentence.words + 1))
    yield from _tree(parser.pseudo_projective, where, (attached, labels), parsed)


def _replayed(
    system: System, where: str, sentence: Sentence, parsed: "Parsed"
) -> Generator[str, None, Configuration | None]:
    """Yield what is wrong with a run; return its last configuration, or None if it is not a run at all."""
    c = system.start(sentence.words)
    for number, transition in enumerate(parsed.transitions, start=1):
        if system.is_terminal(c):
            yield f"{where}: the run continues past a terminal configuration, at transition {number}"
            return None
        try:
            step = system.step(c, transition)
        except NotPermissible as refusal:
            yield f"{where}: transition {number}: {refusal}"
            return None
        if step.clashes:
            what = "adds an arc that is there" if system.figure.several_heads else "gives a word a second head"
            yield f"{where}: transition {number} {what}"
            return None
        c = step.configuration
    if parsed.is_terminal != system.is_terminal(c):
        yield (
            f"{where}: the run is reported to be {'' if parsed.is_terminal else 'not '}at its end, but the "
            "interpreter disagrees"
        )
    return c


def _graph(system: System, where: str, c: Configuration, parsed: "Parsed", root_label: str) -> Iterator[str]:
    """What is wrong with a graph whose words may have several heads."""
    if parsed.is_terminal:
        yield from _claims(system, where, c.graph, len(parsed.transitions))
    headed = {arc.dependent for arc in c.arcs}
    loose = () if system.has_root else (word for word in range(1, c.words + 1) if word not in headed)
    if parsed.graph != Graph(c.words, c.arcs | {Arc(ROOT, root_label, word) for word in loose}):
        yield f"{where}: the interpreter ends with another graph"


def _tags(c: Configuration) -> tuple[str, ...]:
    given = dict(c.tags)
    return tuple(given.get(word, NO_LABEL) for word in range(1, c.words + 1))


def _tree(
    scheme: Scheme | None, where: str, attached: tuple[tuple[int, ...], tuple[str, ...]], parsed: "Parsed"
) -> Iterator[str]:
    heads, labels = attached if scheme is None else decode(*attached, scheme)
    if not is_tree(heads):
        yield f"{where}: after decoding the graph is not a tree"
    if parsed.heads != heads:
        decoded = "" if scheme is None else ", decoded"
        yield f"{where}: the tree is not the interpreter's graph with its headless words attached to 0{decoded}"
    if parsed.labels != labels:
        yield f"{where}: the interpreter ends with other labels"


def _claims(system: System, where: str, graph: Graph, length: int) -> Iterator[str]:
    situation = Situation(system.start(graph.words), {}, system.parameters)
    for claim in system.figure.claims:
        if claim.kind != "plain":
            continue
        match claim.statement:
            case s.Sound(graphs):
                class_ = system.class_with_parameters(graphs)
                if not _is_in(system, class_, graph):
                    yield f"{where}: the output is not in the class that the figure claims"
            case s.LengthBound(relation, bound) if not any(isinstance(part, s.Count) for part in s.walk(bound)):
                if relation in ("<=", "=") and length > evaluate(bound, situation):
                    yield f"{where}: {length} transitions are more than the figure claims"
            case _:
                pass

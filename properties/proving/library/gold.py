"""The gold graph in symbols: the axioms of its class, and what follows from them for every figure.

The axioms (`axioms-*.lemmas`) are the definition of the class, and are believed; each is checked on every graph of the
class for short sentences (`false_axiom`), so that none says too much.  Whatever follows from them only by induction is
a lemma with its own proof (`lemmas`, `proofs`).  For a figure with `root none`, gold trees lack the arcs from 0
(`System.derive`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from arcproof.generators.enumeration import all_graphs
from arcproof.properties.proving.language.reading_back import as_read
from arcproof.properties.proving.library.instances import NOWHERE, axioms_where, gold_lemmas
from arcproof.properties.proving.meaning.model import domain, gold_model
from arcproof.properties.proving.meaning.state import Unsupported
from arcproof.properties.proving.trusted.facts import Candidate, Lemma
from arcproof.properties.proving.trusted.obligation import Obligation, Premise
from arcproof.properties.proving.trusted.problem import lemma_from
from arcproof.transitions import syntax as s
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import ROOT, Graph, Heads, graph_of
from arcproof.transitions.system import System

MOST_WORDS: Final = 4
_ASKS_FOR_0: Final = {"planar": "planar", "single-root": "single"}
"""The restrictions on arcs from 0, each with its word in `instances.CLASS_WORDS`."""


def axioms(system: System, graphs: s.GraphClass, ordered: bool = False) -> list[Candidate]:
    """The definition of the class, for the gold graph; `ordered` if something uses the projective order."""
    return list(_axioms(frozenset(_true_of(system, graphs, ordered))))


@cache
def _axioms(true: frozenset[str]) -> tuple[Candidate, ...]:
    return tuple(axioms_where(true))


def _true_of(system: System, graphs: s.GraphClass, ordered: bool) -> Iterator[str]:
    """Yield the words (`instances.CLASS_WORDS`) that are true of the class; `where` asks for them."""
    if graphs.base == "graphs":
        raise Unsupported(
            "gold graphs in which words may have several heads, because the axioms (`axioms-*.lemmas`) say that no word has two"
        )
    if graphs.base == "trees":
        yield "trees"
    if system.has_root:
        yield "rooted"
    if ordered:
        yield "ordered"
    for restriction in graphs.restrictions:
        if restriction.name == "projective":
            yield "projective"
        elif restriction.name in _ASKS_FOR_0 and system.has_root:
            yield _ASKS_FOR_0[restriction.name]
        elif restriction.name in _ASKS_FOR_0 or not _is_stated(restriction):
            raise Unsupported(f"gold graphs that are {restriction.name} have no symbolic meaning yet")


def _is_stated(restriction: s.Restriction) -> bool:
    return restriction.name in ("projective", *_ASKS_FOR_0) or isinstance(restriction.bound, s.Infinity)


def has_axioms(graphs: s.GraphClass) -> bool:
    """Whether the axioms characterise a class completely."""
    return all(map(_is_stated, graphs.restrictions))


def without_what_has_no_axioms(graphs: s.GraphClass) -> s.GraphClass:
    """The narrowest class with axioms that contains a class."""
    return replace(graphs, restrictions=tuple(filter(_is_stated, graphs.restrictions)))


def is_part(graphs: s.GraphClass, whole: s.GraphClass, has_root: bool) -> bool:
    """Whether every graph of one class is in another, as far as their restrictions show.

    Every tree is a forest; but with `root none` a tree is derived without its arcs from 0.
    """
    same_base = graphs.base == whole.base or (has_root and (graphs.base, whole.base) == ("trees", "forests"))
    return same_base and all(r in graphs.restrictions or isinstance(r.bound, s.Infinity) for r in whole.restrictions)


def lemmas(given: Sequence[Candidate]) -> list[Lemma]:
    """The basic lemmas that follow from the axioms: those whose premises are given, or are earlier lemmas."""
    known = {axiom.name for axiom in given}
    found: list[Lemma] = []
    for lemma in gold_lemmas():
        if known.issuperset(lemma.candidate.hints):
            known.add(lemma.name)
            found.append(lemma)
    return found


def proofs(given: Sequence[Candidate], proved: Sequence[Lemma]) -> list[Obligation]:
    """The obligations of the lemmas, each from the premises it names: axioms, and earlier lemmas."""
    known = dict(premises(given))
    found: list[Obligation] = []
    for lemma in proved:
        used = [(name, known[name]) for name in lemma.candidate.hints]
        found.append(lemma_from(used, lemma, NOWHERE))
        known |= dict(premises([lemma.candidate]))
    return found


def premises(facts: Sequence[Candidate]) -> list[Premise]:
    """Statements about the gold graph, whatever the configuration."""
    return [(fact.name, fact.formula(NOWHERE)) for fact in facts]


def as_given(axioms_of_gold: Sequence[Candidate], proved: Sequence[Lemma]) -> list[Candidate]:
    """Axioms and lemmas in the form of conditions that are given in every configuration."""
    return [*axioms_of_gold, *(replace(lemma.candidate, hints=()) for lemma in proved)]


# --- the axioms say no more than the class ---------------------------------------------------------------------------


def gold_graphs(system: System, graphs: s.GraphClass, words: int) -> Iterator[Gold]:
    """Every gold graph of the class, as the oracle of the system sees it."""
    for heads in all_graphs(graphs, words):
        yield Gold(as_asked(system, heads))


def as_asked(system: System, heads: Heads) -> Graph:
    """The gold graph, without the arcs from 0 if the system has no node 0."""
    graph = graph_of(heads)
    if system.has_root:
        return graph
    return Graph(graph.words, frozenset(arc for arc in graph.arcs if arc.head != ROOT))


def false_axiom(
    system: System, graphs: s.GraphClass, premises: list[Premise], most_words: int = MOST_WORDS
) -> str | None:
    """An axiom that is false for some graph of the class; less would be proved than is claimed."""
    computed = [(name, as_read(term)) for name, term in premises]
    for words in range(1, most_words + 1):
        for gold in gold_graphs(system, graphs, words):
            model = {"n": words, **gold_model(gold)}
            for name, value in computed:
                if not value(model, domain(words)):
                    return f"{name} is false of {gold.graph}"
    return None

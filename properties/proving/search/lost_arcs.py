"""Which arcs a transition puts out of reach, as a formula about the configuration before it, read off short sentences.

The formula is about x -> y, as in `within_reach`, and about the nodes that the pattern of the transition names.  This
is easier for solvers than a formula about the configuration afterwards.  Nothing here needs to be trusted: that no
other gold arc is lost is a goal (`goals.decomposability`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

from arcproof.properties.proving.goals.decomposability import Reach, is_lost
from arcproof.properties.proving.goals.soundness import move_of
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import to_python
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.meaning.conditions import Scene
from arcproof.properties.proving.meaning.model import domain
from arcproof.properties.proving.meaning.state import SymbolicState
from arcproof.properties.proving.meaning.steps import SymbolicStep, is_length
from arcproof.properties.proving.meaning.symbolic import Meanings
from arcproof.properties.proving.search.mining import Model
from arcproof.properties.proving.search.within_reach import (
    DEPENDENT,
    HEAD,
    Atom,
    Case,
    LostCases,
    True_,
    Unlike,
    cover,
    some_case,
    tiers,
    told_apart,
    true_of,
)


@dataclass(frozen=True)
class LostArcs:
    """For each case of a transition, the arcs that it puts out of reach; if no formula says so, they are determined by
    the configuration after it.
    """

    meanings: Meanings
    reach: Reach
    cases: LostCases

    def __call__(self, step: SymbolicStep, x: Term, y: Term) -> Term:
        """The condition that a step may put x -> y out of reach."""
        found = dict(self.cases).get(step.name)
        if found is None:
            return is_lost(self.reach, self.meanings.before, step.after, x, y)
        known = {words: atom for tier in _tiers(self.meanings.before, step) for words, atom in tier.items()}
        return some_case(found, known, self.meanings.before, x, y)


def _tiers(state: SymbolicState, step: SymbolicStep) -> Iterator[Mapping[str, Atom]]:
    """Yield the properties of an arc before a step, in tiers."""
    scene = Scene(state, tuple(step.lengths.values()))
    nodes = {cell.name: scene.node(cell) for cell in step.plan.match.cells}
    first, *others = tiers(state)
    yield {**{words: atom for name, node in nodes.items() for words, atom in _is_node(name, node)}, **first}
    yield from others


def _is_node(name: str, node: Term) -> Iterator[tuple[str, Atom]]:
    yield f"x is {name}", partial(_is_head, node)
    yield f"y is {name}", partial(_is_dependent, node)


def _is_head(node: Term, _: SymbolicState, x: Term, _y: Term) -> Term:
    return t.equal(x, node)


def _is_dependent(node: Term, _: SymbolicState, _x: Term, y: Term) -> Term:
    return t.equal(y, node)


def lost_arcs(meanings: Meanings, reach: Reach, models: Sequence[tuple[Model, int]]) -> LostCases:
    """The arcs that each transition puts out of reach in short sentences, for transitions for which a formula describes
    them.
    """
    found = ((step.name, _cases(meanings, reach, step, models)) for step in meanings.steps)
    return tuple((name, cases) for name, cases in found if cases is not None)


def _cases(
    meanings: Meanings, reach: Reach, step: SymbolicStep, models: Sequence[tuple[Model, int]]
) -> tuple[Case, ...] | None:
    seen = list(_seen(meanings, reach, step, models))
    atoms: dict[str, Atom] = {}
    for tier in _tiers(meanings.before, step):
        atoms |= tier
        values = {words: to_python(atom(meanings.before, HEAD, DEPENDENT)) for words, atom in atoms.items()}
        shown = ((true_of(values, model, words), lost, "") for model, words, lost in seen)
        found: tuple[set[True_], set[True_]] | Unlike = told_apart(shown)
        if not isinstance(found, Unlike):
            return tuple(cover(*found, tuple(atoms)))
    return None


def _seen(
    meanings: Meanings, reach: Reach, step: SymbolicStep, models: Sequence[tuple[Model, int]]
) -> Iterator[tuple[Model, int, bool]]:
    """Yield every arc within reach in the models in which the step is permissible, and whether it is lost."""
    happens = to_python(t.conjunction(*(term for _, term in move_of(meanings, step).premises)))
    within = to_python(reach(meanings.before, HEAD, DEPENDENT))
    lost = to_python(is_lost(reach, meanings.before, step.after, HEAD, DEPENDENT))
    lengths = [symbol.name for symbol in t.symbols(step.guard) if is_length(symbol)]
    for model, words in models:
        for way in product(range(words + 2), repeat=len(lengths)):
            chosen = {**model, **dict(zip(lengths, way, strict=True))}
            if happens(chosen, domain(words)):
                for x, y in product(range(words + 1), range(1, words + 1)):
                    asked = {**chosen, "argument_1": x, "argument_2": y}
                    if x != y and within(asked, domain(words)):
                        yield asked, words, bool(lost(asked, domain(words)))

"""Dynamic oracles: are their costs correct, are the transitions that they call free really free, and do they always
call some transition free?

An oracle is asked in every configuration from which a run can still end, for every gold graph of the class and every
permissible transition.  The true cost of a transition is the amount by which it raises the loss (`losses`); it is
infinite if no run ends after the transition.  Where a run can end with a word that has two heads, there is no answer.

If a line of the oracle has a label, the true cost is the labelled one (`labels`), which is computed only for figures
that label freely: a gold arc with a label other than the gold one costs 1 more.  The labels themselves do not matter;
all that matters is which of the gold arcs have the label of the transition, and any of them may.

*Arc-decomposability* (Goldberg & Nivre 2013): in every configuration, if some arcs of one gold graph can each still be
built, they can all be built together, in one output.  With `root none` an arc from 0 to a word is built in the outputs
in which the word has no head.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final, assert_never

from arcproof.process.interruption import go_on
from arcproof.properties.engines.defined_costs import SAME, DefinedPrices, WrongCost
from arcproof.properties.engines.defined_losses import (
    UNREACHABLE,
    Apart,
    DefinedLosses,
    apart,
    arcs_within_reach,
    defined_losses,
    missed_arcs,
    wrong_heads,
)
from arcproof.properties.engines.exploration import StateSpace
from arcproof.properties.engines.labels import labels_freely
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.output_sets import size_of
from arcproof.properties.engines.spaces import Run, Space
from arcproof.properties.evidence import Counterexample, Evidence
from arcproof.properties.property import Column, Parts, Property, Sentence, SituationQuestion
from arcproof.properties.studies.situation import Situated, TransitionCost, situated
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Transition
from arcproof.transitions.graph import ROOT, Arc, Graph, graph_of
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.engines.losses import Losses
    from arcproof.properties.engines.prices import Prices
    from arcproof.properties.proving.prover import Prover
    from arcproof.properties.proving.theorem import Theorem

MOST_SITUATIONS: Final = 100_000_000
"""The most pairs of a configuration and a gold graph that are examined for one number of words."""
MAX_EXPANDED: Final = 2_000
"""The most configurations in a search for the loss of a sample."""
SITUATIONS: Final = "situations"
TOO_MANY: Final = "there are too many situations"
NOT_FREE: Final = "the labels of its arcs cannot be chosen freely, so label costs are not computed"
TWO_HEADS: Final = "a run can give a word two heads, and the loss of such an output is not defined"


def within_reason(levels: Levels, graphs: s.GraphClass, labelled: bool = False) -> Iterator[Space]:
    """Yield the levels, fewest words first, until there are too many pairs of configurations and gold graphs."""
    for space in levels.spaces():
        ways = 2**space.words if labelled else 1
        if space.size * size_of(graphs, space.words) * ways > MOST_SITUATIONS:
            return
        yield space


def tried_all(levels: Levels, reached: int, cases: int) -> Evidence:
    """The evidence after everything was tried up to this many words; larger levels, if there are any, have too many
    situations.
    """
    limit = TOO_MANY if reached < levels.reached else None
    return levels.exhausted(reached, cases, SITUATIONS, limit=limit)


def gives_two_heads(space: Space) -> bool:
    """Whether a run can end with a word that has two heads."""
    return len(space.ends[0]) < space.terminal_count


def check_dynamic_oracle(levels: Levels, question: s.OfADynamicOracle) -> Evidence:
    """Ask in every configuration, for every gold graph."""
    system = levels.system
    graphs = system.class_with_parameters(question.graphs)
    oracle = system.dynamic_oracle(question.oracle)
    labelled = oracle.is_labelled
    if labelled and not labels_freely(system.figure):
        return levels.no_answer(NOT_FREE)
    cases, reached = 0, 0
    for space in within_reason(levels, graphs, labelled):
        if gives_two_heads(space):
            return levels.no_answer(TWO_HEADS)
        for prices in prices_in(space, graphs, oracle):
            for number in prices.configurations():
                go_on()
                if labelled and any(step.clashes for step in system.steps(space.configuration(number))):
                    return levels.no_answer(NOT_FREE)
                fault = prices.fault(question, number)
                cases += prices.count
                if fault is not None:
                    return levels.refuted(cases, _counterexample(prices, number, fault))
        reached = space.words
    return tried_all(levels, reached, cases)


def prices_in(
    space: Space, graphs: s.GraphClass, oracle: s.DynamicOracle
) -> "Iterator[DefinedPrices] | Iterator[Prices]":
    """What the oracle says in a space, for every gold graph of a class, in batches: asked of the definition where the
    interpreter explored, otherwise computed with arrays.
    """
    if isinstance(space, StateSpace):
        return (DefinedPrices(losses, oracle) for losses in defined_losses(space, graphs))
    from arcproof.properties.engines.golds import Golds
    from arcproof.properties.engines.losses import losses_for_class
    from arcproof.properties.engines.prices import Prices

    listed = Golds.with_labels if oracle.is_labelled else lambda golds: golds
    return (Prices(losses, listed(Golds(losses.heads)), oracle) for losses in losses_for_class(space, graphs))


def _counterexample(prices: "DefinedPrices | Prices", number: int, fault: WrongCost) -> Counterexample:
    space = prices.losses.space
    place, labels = fault.place, fault.labels
    gold = graph_of(prices.heads(place), labels)
    labelled = "" if labels is None else f" with the labels {','.join(label or '_' for label in labels)}"
    where = f"in {space.configuration(number)} on the way to {gold}{labelled}"
    run = space.run_to(number)
    better = (*run, *ending(prices.losses, number, place // prices.ways))
    best = built(space, better, gold)
    if fault.edge is None:
        return Counterexample(space.words, gold, run, f"{where} the oracle says that nothing is free", better, best)
    transition = space.transition(fault.edge)
    takes_label = labels is not None and space.system.takes_label(space.configuration(number), transition)
    shown = transition._replace(label=SAME) if takes_label else transition
    said = "no line gives the cost of" if fault.said is None else f"the oracle says {fault.said} for"
    true = "after it no run ends" if fault.true is None else f"it costs {fault.true}"
    return Counterexample(space.words, gold, (*run, transition), f"{where} {said} {shown}; {true}", better, best)


def wrong_cost(
    system: System, question: s.OfADynamicOracle, gold: Graph, run: tuple[Transition, ...]
) -> Counterexample | None:
    """What is wrong after a run on the way to a gold graph; None also where a search takes too long."""
    here = situated(system, gold, " ".join(transition.instance for transition in run), MAX_EXPANDED)
    if here.nearest is None or here.nearest.exact is None:
        return None
    place = [oracle.name for oracle in here.oracles].index(system.dynamic_oracle(question.oracle).name)
    where = f"in {here.configuration} on the way to {gold}"
    said = [option.said[place] for option in here.options]
    for option, price in zip(here.options, said, strict=True):
        reason = _wrong_price(question, here, option, price)
        if reason is not None:
            return Counterexample(gold.words, gold, (*run, option.transition), f"{where} {reason}")
    if isinstance(question, s.NeverStuck) and said and all(price is not None and price > 0 for price in said):
        return Counterexample(gold.words, gold, run, f"{where} the oracle says that nothing is free")
    return None


def _wrong_price(question: s.OfADynamicOracle, here: Situated, option: TransitionCost, price: int | None) -> str | None:
    """Why a price is wrong; None if it is right or the cost is unknown."""
    if price is None:
        return f"no line gives the cost of {option.transition.instance}"
    cost, is_dead = here.cost(option), option.nearest is not None and option.nearest.is_dead
    match question:
        case s.Exact():
            is_wrong = is_dead or (cost is not None and cost != price)
        case s.Safe():
            is_wrong = price <= 0 and (is_dead or (cost is not None and cost > 0))
        case s.NeverStuck():
            is_wrong = False
        case _:
            assert_never(question)
    truth = "after it no run ends" if is_dead else f"it costs {cost}"
    return f"the oracle says {price} for {option.transition.instance}; {truth}" if is_wrong else None


def built(space: Space, run: Run, gold: Graph) -> Graph:
    """The graph that a run builds; its arcs that are gold get the gold labels."""
    c = space.system.start(space.words)
    for transition in run:
        c = space.system.apply(c, transition)
    labels = {(arc.head, arc.dependent): arc.label for arc in gold.arcs}
    arcs = (arc._replace(label=labels.get((arc.head, arc.dependent))) for arc in c.arcs)
    return Graph(space.words, frozenset(arcs))


def ending(losses: "DefinedLosses | Losses", number: int, place: int) -> Run:
    """The rest of a run from a configuration to an output that is as close to a gold graph as any that can be
    reached.
    """
    space, table = losses.space, losses.table
    run: list[Transition] = []
    seen = {number}
    while (first := int(space.steps.starts[number])) < (after := int(space.steps.starts[number + 1])):
        targets = [int(target) for target in space.steps.targets[first:after]]
        free = [k for k, t in enumerate(targets) if table[t][place] == table[number][place] and t not in seen]
        if not free:
            break
        run.append(space.transition(first + free[0]))
        number = targets[free[0]]
        seen.add(number)
    return tuple(run)


class DynamicOracleProperty(Property[s.OfADynamicOracle]):
    """`exact goldberg-nivre on projective trees`, and the weaker claims."""

    questions = (s.Exact, s.Safe, s.NeverStuck)
    column = Column("dynamic", "the costs of the dynamic oracles are as claimed")
    follows_oracles: ClassVar[bool] = True
    is_costly: ClassVar[bool] = True

    def parts(self, system: System, question: s.OfADynamicOracle) -> Parts:
        """A name, and the oracle with its class."""
        return Parts(_kind(question), f"{question.oracle} on {class_text(question.graphs)}")

    def sentence(self, question: s.OfADynamicOracle) -> Sentence:
        """The claim as a sentence."""
        on = " for every gold graph among the "
        match question:
            case s.Exact():
                return f"The costs of {question.oracle} are exact", on, question.graphs, "."
            case s.Safe():
                return f"What {question.oracle} calls free costs nothing", on, question.graphs, "."
            case s.NeverStuck():
                return f"{question.oracle} always calls some transition free", on, question.graphs, "."
            case _:
                assert_never(question)

    def check(self, levels: Levels, question: s.OfADynamicOracle) -> Evidence:
        """Ask in every configuration, for every gold graph."""
        return check_dynamic_oracle(levels, question)

    def prove(self, prover: "Prover", claim: s.Claim, question: s.OfADynamicOracle) -> "Theorem":
        """Prove it by the sets of arcs that the summands stand for."""
        from arcproof.properties.proving.methods.decomposable import of_dynamic_oracle

        return of_dynamic_oracle(prover, claim, question)

    def situation_check(self, system: System, question: s.OfADynamicOracle) -> SituationQuestion | None:
        """Search for the losses before and after every transition; labels are left to the exhaustive engine."""
        if system.dynamic_oracle(question.oracle).is_labelled:
            return None
        graphs = system.class_with_parameters(question.graphs)
        return SituationQuestion(graphs, lambda gold, run: wrong_cost(system, question, gold, run))

    def oracle(self, question: s.OfADynamicOracle) -> str:
        """The dynamic oracle."""
        return question.oracle


def _kind(question: s.OfADynamicOracle) -> str:
    match question:
        case s.Exact():
            return "exact"
        case s.Safe():
            return "safe"
        case s.NeverStuck():
            return "never stuck"
        case _:
            assert_never(question)


# --- arc-decomposability ---------------------------------------------------------------------------------------------


class ArcDecomposableProperty(Property[s.ArcDecomposable]):
    """`arc-decomposable on projective trees`."""

    questions = (s.ArcDecomposable,)
    column = Column("decomposable", "arcs that can be built one by one can be built together")
    is_costly: ClassVar[bool] = True

    def parts(self, system: System, question: s.ArcDecomposable) -> Parts:
        """The class."""
        return Parts("arc-decomposable", class_text(question.graphs))

    def sentence(self, question: s.ArcDecomposable) -> Sentence:
        """The claim as a sentence."""
        return (
            "In every configuration, arcs of one gold graph among the ",
            question.graphs,
            " that can each still be built can be built together.",
        )

    def check(self, levels: Levels, question: s.ArcDecomposable) -> Evidence:
        """Count the gold arcs within reach, and those of the closest output."""
        graphs = levels.system.class_with_parameters(question.graphs)
        attached = ROOT if graphs.base == "trees" and not levels.system.has_root else None
        cases, reached = 0, 0
        for space in within_reason(levels, graphs):
            if gives_two_heads(space):
                return levels.no_answer(TWO_HEADS)
            for found, tried, fault in batches_apart(space, graphs, attached):
                go_on()
                cases += tried
                if fault is not None:
                    return levels.refuted(cases, _not_together(found, attached, fault))
            reached = space.words
        return tried_all(levels, reached, cases)

    def prove(self, prover: "Prover", claim: s.Claim, question: s.ArcDecomposable) -> "Theorem":
        """Prove it by a formula for the arcs that are within reach."""
        from arcproof.properties.proving.methods.decomposable import arc_decomposable

        return arc_decomposable(prover, claim, prover.system.class_with_parameters(question.graphs))


def batches_apart(
    space: Space, graphs: s.GraphClass, attached: int | None
) -> "Iterator[tuple[DefinedLosses | Losses, int, Apart | None]]":
    """For batches of gold graphs: their losses, the number of situations, and the first configuration from which the
    gold arcs within reach cannot all be built.

    `attached` is the head of words without a head: 0 in the trees of a figure with `root none`, otherwise None.
    """
    blame = missed_arcs if attached is None else wrong_heads
    if not isinstance(space, StateSpace):
        from arcproof.properties.engines.losses import apart_in_arrays

        yield from apart_in_arrays(space, graphs, blame, attached)
        return
    within = arcs_within_reach(space)
    for found in defined_losses(space, graphs, blame):
        yield found, sum(loss != UNREACHABLE for row in found.table for loss in row), apart(found, within, attached)


def _not_together(found: "DefinedLosses | Losses", attached: int | None, fault: Apart) -> Counterexample:
    space, number, place = found.space, fault.number, fault.place
    heads = tuple(int(entry) - 1 if entry else attached for entry in found.heads[place])
    arcs = [Arc(head, None, word) for word, head in enumerate(heads, start=1) if head is not None]
    together = len(arcs) - int(found.table[number][place])
    shown = ", ".join(str(arc) for arc in arcs if arc.dependent in fault.within)
    reason = (
        f"in {space.configuration(number)} each of {shown} can still be built, but at most {together} of them together"
    )
    gold = graph_of(heads)
    run = space.run_to(number)
    better = (*run, *ending(found, number, place))
    return Counterexample(space.words, gold, run, reason, better, built(space, better, gold))


PROPERTIES: Final = (DynamicOracleProperty(), ArcDecomposableProperty())

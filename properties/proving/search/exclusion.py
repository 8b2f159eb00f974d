"""Conditions that would exclude a configuration, in the language of figures: they hold in every run and fail in it.

The conditions are those that a specification may give as an invariant, of a few shapes over the components of the
figure.  A condition is offered if it is false in the configuration and true in every configuration that runs of short
sentences reach, or, if it mentions gold graphs, that an oracle passes on its way; those with the fewest words come
first.  A condition is a guess: whether it is an invariant is for the prover to find out.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.gold import Gold
from arcproof.transitions.printing.notation import SOURCE, condition_text
from arcproof.transitions.system import System

MOST_SHOWN: Final = 4
_I, _J, _M = s.Variable("i"), s.Variable("j"), s.Variable("m")

Place = tuple[Configuration, Gold | None]


def excluders(system: System, at: Place, reached: Iterable[Place]) -> tuple[str, ...]:
    """The conditions that would exclude a configuration, fewest words first."""
    c, gold = at
    shown = {condition_text(one, SOURCE): one for one in vocabulary(system, gold is not None)}
    left = {text: one for text, one in shown.items() if not system.satisfies(c, one, gold)}
    for place, wanted in reached:
        left = {text: one for text, one in left.items() if system.satisfies(place, one, wanted)}
    return tuple(sorted(left, key=lambda text: (len(text.split()), text)))[:MOST_SHOWN]


def vocabulary(system: System, with_gold: bool) -> Iterator[s.Condition]:
    """The conditions that are tried."""
    names = [c.name for c in system.figure.state if isinstance(c, s.SequenceComponent)]
    states = list(_of_the_state(system))
    runs = [s.SequenceOf((s.Segment(name),)) for name in names]
    alone: list[s.Condition] = [s.Quantified("all", "i", run, atom) for run in runs for atom in _of_one(_I, with_gold)]
    pairs = [
        s.Quantified("all", "i", one, s.Quantified("all", "j", other, atom))
        for one, other in product(runs, repeat=2)
        for atom in _of_two(with_gold)
    ]
    guarded = [
        s.Quantified("all", "j", other, s.Or((known, s.Quantified("all", "i", one, atom))))
        for one, other in product(runs, repeat=2)
        for atom in _of_two(with_gold)
        for known in (s.HasHead(_J), _is_not_first(other))
    ]
    both = [
        s.Quantified(
            "all", "j", other, s.Or((s.HasHead(_J), _is_not_first(other), s.Quantified("all", "i", one, atom)))
        )
        for one, other in product(runs, repeat=2)
        for atom in _of_two(with_gold)
    ]
    yield from states
    yield from (*alone, *pairs, *guarded, *both)
    for state in states:
        yield from (s.Or((state, rest)) for rest in (*alone, *pairs, *guarded, *both))


def _is_not_first(run: s.SequenceOf) -> s.Condition:
    return s.Quantified("exists", "m", run, s.Comparison((_M, _J), ("<",)))


def _of_the_state(system: System) -> Iterator[s.Condition]:
    zero = s.Number(0)
    for component in system.figure.state:
        name = component.name
        match component.kind:
            case "flag":
                yield from (s.IsSet(name), s.Not(s.IsSet(name)))
            case "counter":
                k = s.CounterVariable(name)
                yield from (s.Comparison((k, zero), (relation,)) for relation in ("=", "!=", ">="))
            case "stack" | "buffer" | "list":
                empty = s.LiteralSequence(())
                yield from (s.SequenceIs(name, "=", empty), s.SequenceIs(name, "!=", empty))
            case "set":
                pass


def _of_one(node: s.Node, with_gold: bool) -> Iterator[s.Condition]:
    yield from (s.HasHead(node), s.Not(s.HasHead(node)), s.Not(s.HasDependent(node)))
    if with_gold:
        yield from (s.Complete(node), s.Not(s.GoldArc(s.Number(0), node, None)))


def _of_two(with_gold: bool) -> Iterator[s.Condition]:
    yield s.Comparison((_I, _J), ("<",))
    yield from (s.Not(s.HasArc(_I, _J)), s.Not(s.HasArc(_J, _I)), s.Not(s.Reaches(_I, _J)))
    if with_gold:
        for head, dependent in ((_I, _J), (_J, _I)):
            wanted = s.GoldArc(head, dependent, None)
            yield s.Not(wanted)
            yield s.Or((s.HasArc(head, dependent), s.Not(wanted)))
        yield s.Precedes(_I, _J)

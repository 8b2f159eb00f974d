"""Premises must be satisfiable: from a contradiction everything follows.

For every move, a configuration is shown in which all axioms and the whole invariant hold and the move fires: once with
three words, once with five; and if goals are about the ends of runs, also an end of a run.  The configurations come
from real runs.  Z3 confirms each: every symbol is *defined* by its value in that configuration, and the premises must
be valid; so nothing depends on how `terms` evaluates.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import to_python
from arcproof.properties.proving.language.terms import Symbol, Term
from arcproof.properties.proving.meaning.model import domain
from arcproof.properties.proving.meaning.steps import is_length
from arcproof.properties.proving.trusted.calls import SolverCalls
from arcproof.properties.proving.trusted.obligation import digest_of
from arcproof.properties.proving.trusted.problem import Move
from arcproof.properties.proving.trusted.solvers import OUT_OF_TIME, SECONDS
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.errors import Contradiction
from arcproof.transitions.system import System

SIZES: Final = (3, 5)
MOST_RUNS: Final = 300
MOST_STEPS: Final = 200
_FAR: Final = 10**6


class NotAnInvariant(Contradiction):
    """What the solvers proved to hold in every configuration is false in one that the interpreter reaches."""


@dataclass(frozen=True)
class Witness:
    """A configuration in which a move fires and all premises hold; `configuration` is None if none was found, perhaps
    because the clock ended the search.
    """

    move: str
    words: int
    configuration: str | None
    timed_out: bool = False


def configurations(system: System, words: int, seed: int = 0) -> Iterator[Configuration]:
    """The configurations of random runs."""
    chance = random.Random(seed)
    for _ in range(MOST_RUNS):
        c = system.start(words)
        for _ in range(MOST_STEPS):
            yield c
            permissible = [] if system.is_terminal(c) else system.permissible(c)
            if not permissible:
                break
            c = system.apply(c, chance.choice(permissible))


def satisfied(
    words: int,
    models: Iterator[tuple[str, Mapping[str, object]]],
    moves: Sequence[Move],
    premises: Sequence[Term],
    calls: SolverCalls | None = None,
) -> list[Witness]:
    """For each move, the first model in which it fires; the premises must hold there, or there is no witness."""
    asking = calls or SolverCalls()
    guards = {move.name: [term for _, term in move.premises] for move in moves}
    computed = {name: to_python(t.conjunction(*guard)) for name, guard in guards.items()}
    lengths = {name: lengths_of(guard, words) for name, guard in guards.items()}
    firing: dict[str, tuple[str, Callable[[], _Confirmation]]] = {}
    for text, model in models:
        for name, guard in computed.items():
            if name in firing:
                continue
            fires = next((chosen for chosen in lengths[name] if guard({**model, **chosen}, domain(words))), None)
            if fires is None:
                continue
            whole = {**model, **fires}
            confirmation = cache(partial(_confirmation, whole, words, [*premises, *guards[name]]))
            firing[name] = text, confirmation
            if asking.side_by_side and confirmation().names:
                asking.begin(_said_of, confirmation().script)
        if len(firing) == len(guards):
            break
    found: dict[str, Witness] = {}
    for name, (text, wanted) in firing.items():
        answer = _confirmed(wanted(), asking)
        if answer == "sat":
            raise NotAnInvariant(f"a premise that was proved to hold everywhere is false in {text} before {name}")
        found[name] = Witness(name, words, text if answer == "unsat" else None, answer == OUT_OF_TIME)
    return [found.get(name, Witness(name, words, None)) for name in guards]


def lengths_of(guard: Sequence[Term], words: int) -> list[dict[str, int]]:
    """Every choice of the lengths that a step leaves open."""
    names = [symbol.name for symbol in t.symbols(guard) if is_length(symbol)]
    ways: list[dict[str, int]] = [{}]
    for name in names:
        ways = [{**way, name: length} for way in ways for length in range(words + 2)]
    return ways


@dataclass(frozen=True)
class _Confirmation:
    """A script that defines the symbols by a model and negates formulas, and a name for each of these with its
    definitions.

    Formulas that Z3 has found true before, with the same definitions, are left out.
    """

    names: tuple[str, ...]
    script: str


def _confirmation(model: Mapping[str, object], words: int, formulas: Sequence[Term]) -> _Confirmation:
    definitions = {symbol: definition(symbol, model, words) for symbol in t.symbols(formulas)}
    asked = {_script(formula, definitions): formula for formula in formulas}
    new = tuple(script for script in asked if script not in _TRUE)
    lines = [*definitions.values(), *(f"(assert (not {t.to_smt(asked[script])}))" for script in new)]
    return _Confirmation(new, "\n".join(lines))


def _confirmed(wanted: _Confirmation, calls: SolverCalls) -> str:
    """`unsat` if Z3 finds every formula true when the symbols are defined by the model, `sat` if one is false,
    otherwise the reason why it is open.
    """
    said = calls.result(_said_of, wanted.script) if wanted.names else []
    _TRUE.update(name for name, answer in zip(wanted.names, said, strict=False) if answer == "unsat")
    others = [answer for answer in said if answer != "unsat"]
    return "sat" if "sat" in others else next(iter(others), "unsat")


def _said_of(script: str) -> list[str]:
    """Z3's answer about each assertion of a script, or the reason why it has none; up to the first that is satisfiable.

    Each is checked alone: proving all of them unsatisfiable together would be much harder.
    """
    import z3

    context = z3.Context()
    ends = time.monotonic() + SECONDS
    said: list[str] = []
    solver = z3.SimpleSolver(ctx=context)
    for assertion in z3.parse_smt2_string(script, ctx=context):
        solver.set("timeout", max(1, int(1000 * (ends - time.monotonic()))))
        solver.push()
        solver.add(assertion)
        answer, reason = str(solver.check()), str(solver.reason_unknown())
        solver.pop()
        said.append(answer if answer != "unknown" else OUT_OF_TIME if time.monotonic() >= ends else reason)
        if answer == "sat":
            break
    return said


def _script(formula: Term, definitions: Mapping[Symbol, str]) -> str:
    """A name for a formula with the definitions of its symbols."""
    own = [definitions[symbol] for symbol in t.symbols([formula])]
    return digest_of("\n".join([*own, t.to_smt(formula)]))


_TRUE: Final[set[str]] = set()
"""The formulas that Z3 has found true."""


def definition(symbol: Symbol, model: Mapping[str, object], words: int) -> str:
    """The definition of a symbol by its values in the model, for all integers."""
    meaning = model[symbol.name]
    arguments = " ".join(f"(a{index} Int)" for index in range(symbol.arity))
    return f"(define-fun {symbol.name} ({arguments}) {symbol.sort} {_body(symbol, meaning, words)})"


def _body(symbol: Symbol, meaning: object, words: int) -> str:
    if not callable(meaning):
        return t.to_smt(t.TruthValue(meaning) if isinstance(meaning, bool) else t.Integer(int(str(meaning))))
    integers = domain(words)
    if symbol.arity == 2:
        pairs = [(x, y) for x in integers for y in integers if x != y and meaning(x, y)]
        same = "(= a0 a1)" if meaning(_FAR, _FAR) else _points([(x, x) for x in integers if meaning(x, x)])
        return f"(or {same} {_points(pairs)})"
    if symbol.sort == "Bool":
        return _points([(x,) for x in integers if meaning(x)])
    text = f"(ite (< a0 0) {_far(meaning(-_FAR), -_FAR)} {_far(meaning(_FAR), _FAR)})"
    for x in integers:
        text = f"(ite (= a0 {t.to_smt(t.Integer(x))}) {t.to_smt(t.Integer(meaning(x)))} {text})"
    return text


def _far(value: int, argument: int) -> str:
    """The value of a function far from the nodes, where it is constant or its argument."""
    return "a0" if value == argument else t.to_smt(t.Integer(value))


def _points(points: Sequence[tuple[int, ...]]) -> str:
    """Membership in a finite set of tuples."""
    cases = (
        "(and true " + " ".join(f"(= a{k} {t.to_smt(t.Integer(x))})" for k, x in enumerate(point)) + ")"
        for point in points
    )
    return f"(or false {' '.join(cases)})"

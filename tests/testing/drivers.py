"""Drivers of parsers written for the tests: arc-eager in plain Python, and one with a mistake of each kind."""

# ruff: noqa: ARG002 - drivers have the methods of the protocol
import os
import signal
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from arcproof.transitions.graph import Heads


class State(NamedTuple):
    stack: tuple[int, ...]
    buffer: tuple[int, ...]
    heads: Heads

    def head(self, node: int) -> int | None:
        return self.heads[node - 1]

    def with_head(self, node: int, head: int) -> Heads:
        return (*self.heads[: node - 1], head, *self.heads[node:])


class ArcEager:
    """Arc-eager after Nivre 2008, with the costs of Goldberg and Nivre 2012; nothing of it comes from arcproof."""

    def start(self, n: int) -> State:
        return State((0,), tuple(range(1, n + 1)), (None,) * n)

    def permissible(self, c: State) -> Sequence[str]:
        found = []
        if c.stack and c.buffer:
            found += ["LEFT-ARC"] if c.stack[-1] != 0 and c.head(c.stack[-1]) is None else []
            found += ["RIGHT-ARC"]
        if c.stack and c.stack[-1] != 0 and c.head(c.stack[-1]) is not None:
            found.append("REDUCE")
        return [*found, "SHIFT"] if c.buffer else found

    def apply(self, c: State, t: str) -> State:
        match t:
            case "LEFT-ARC":
                return State(c.stack[:-1], c.buffer, c.with_head(c.stack[-1], c.buffer[0]))
            case "RIGHT-ARC":
                heads = c.with_head(c.buffer[0], c.stack[-1])
                return State((*c.stack, c.buffer[0]), c.buffer[1:], heads)
            case "REDUCE":
                return State(c.stack[:-1], c.buffer, c.heads)
            case _:
                return State((*c.stack, c.buffer[0]), c.buffer[1:], c.heads)

    def is_terminal(self, c: State) -> bool:
        return not c.buffer

    def components(self, c: State) -> Mapping[str, Sequence[int]]:
        return {"sigma": c.stack, "β": c.buffer}

    def arcs(self, c: State) -> Iterable[tuple[int, int]]:
        return [(head, word) for word, head in enumerate(c.heads, start=1) if head is not None]

    def heads(self, c: State) -> Sequence[int | None]:
        return c.heads

    def oracle(self, heads: Heads) -> Iterator[str]:
        c = self.start(len(heads))
        while not self.is_terminal(c):
            t = next(t for t in self.permissible(c) if self.cost(c, heads, t) == 0)
            yield t
            c = self.apply(c, t)

    def cost(self, c: State, heads: Heads, t: str) -> int:
        top, front = (c.stack or (None,))[-1], c.buffer[0]
        rest = c.buffer[1:]

        def children(node: int | None, among: Iterable[int]) -> int:
            return sum(heads[word - 1] == node and c.head(word) is None for word in among if word)

        def head_in(node: int, among: Iterable[int]) -> int:
            return sum(heads[node - 1] == other for other in among)

        match t:
            case "LEFT-ARC":
                assert top is not None
                return children(top, c.buffer) + head_in(top, rest)
            case "RIGHT-ARC":
                return children(front, c.stack) + head_in(front, (*c.stack[:-1], *rest))
            case "REDUCE":
                return children(top, c.buffer)
            case _:
                return children(front, c.stack) + head_in(front, c.stack)

    def version(self) -> str:
        return "plain 1.0"


# --- a mistake of each kind ------------------------------------------------------------------------------------------


class Permits(ArcEager):
    """LEFT-ARC into the root."""

    def permissible(self, c: State) -> Sequence[str]:
        extra = ["LEFT-ARC"] if c.stack == (0,) and len(c.buffer) == 1 else []
        return [*extra, *super().permissible(c)]

    def apply(self, c: State, t: str) -> State:
        return c._replace(stack=()) if t == "LEFT-ARC" and c.stack[-1] == 0 else super().apply(c, t)


class Refuses(ArcEager):
    """No RIGHT-ARC from the root while words are waiting."""

    def permissible(self, c: State) -> Sequence[str]:
        without = c.stack == (0,) and len(c.buffer) > 1
        return [t for t in super().permissible(c) if not (without and t == "RIGHT-ARC")]


class StateDiffers(ArcEager):
    """REDUCE pops two nodes where there are three."""

    def apply(self, c: State, t: str) -> State:
        return c._replace(stack=c.stack[:-2]) if t == "REDUCE" and len(c.stack) > 2 else super().apply(c, t)


class ArcsDiffer(ArcEager):
    """The arcs are the wrong way round."""

    def arcs(self, c: State) -> Iterable[tuple[int, int]]:
        return [(word, head) for head, word in super().arcs(c)]


class EndsLate(ArcEager):
    """A run ends when the stack is almost empty, too."""

    def is_terminal(self, c: State) -> bool:
        return not c.buffer and len(c.stack) < 3


class EndsEarly(ArcEager):
    """A run ends with one word in the buffer."""

    def is_terminal(self, c: State) -> bool:
        return len(c.buffer) < 2 and len(c.stack) > 1


class OutputDiffers(ArcEager):
    """Words without head become dependents of 0."""

    def heads(self, c: State) -> Sequence[int | None]:
        return [head or 0 for head in c.heads]


class OracleIsRefused(ArcEager):
    """REDUCE before the word has its head."""

    def oracle(self, heads: Heads) -> Iterator[str]:
        return iter(["SHIFT", "REDUCE"]) if heads == (2, 0) else super().oracle(heads)


class OracleEndsEarly(ArcEager):
    def oracle(self, heads: Heads) -> Iterator[str]:
        return iter(list(super().oracle(heads))[:-1])


class OracleGoesOn(ArcEager):
    def oracle(self, heads: Heads) -> Iterator[str]:
        yield from super().oracle(heads)
        yield "SHIFT"


class OracleErrs(ArcEager):
    """It shifts everything."""

    def oracle(self, heads: Heads) -> Iterator[str]:
        return iter(["SHIFT"] * len(heads))


class OracleNeverEnds(ArcEager):
    """It asks for LEFT-ARC again and again."""

    def oracle(self, heads: Heads) -> Iterator[str]:
        while heads == (2, 0):
            yield "LEFT-ARC"
        yield from super().oracle(heads)


class OracleRaises(ArcEager):
    def oracle(self, heads: Heads) -> Iterator[str]:
        if 2 in heads:
            raise IndexError("list index out of range")
        return super().oracle(heads)


class OracleHangs(ArcEager):
    def oracle(self, heads: Heads) -> Iterator[str]:
        while heads == (2, 0):
            time.sleep(0.01)
        return super().oracle(heads)


class RefusesItsOracle(Refuses):
    """The oracle of the parent class asks for what the driver refuses."""

    def oracle(self, heads: Heads) -> Iterator[str]:
        return ArcEager().oracle(heads)


class CallsFree(ArcEager):
    """The words on the stack that wait for the front are forgotten by SHIFT."""

    def cost(self, c: State, heads: Heads, t: str) -> int:
        return 0 if t == "SHIFT" else super().cost(c, heads, t)


class CallsCostly(ArcEager):
    """REDUCE counts words that have their head."""

    def cost(self, c: State, heads: Heads, t: str) -> int:
        return super().cost(c, heads, t) + (t == "REDUCE" and len(c.buffer) == 1)


class Miscounts(ArcEager):
    """No cost is more than one."""

    def cost(self, c: State, heads: Heads, t: str) -> int:
        return min(1, super().cost(c, heads, t))


class KnowsWhatIsFree(ArcEager):
    cost = None  # type: ignore[assignment]

    def oracle(self, heads: Heads) -> Iterator[str]:
        return ArcEager().oracle(heads)

    def is_free(self, c: State, heads: Heads, t: str) -> bool:
        return ArcEager().cost(c, heads, t) == 0


class CallsEverythingFree(KnowsWhatIsFree):
    def is_free(self, c: State, heads: Heads, t: str) -> bool:
        return True


class Repairs(ArcEager):
    """After a mistake, the best that can be done, by the costs."""

    def repair(self, heads: Heads, done: Sequence[str], wrong: str) -> Iterable[str] | None:
        c = self.start(len(heads))
        for t in (*done, wrong):
            c = self.apply(c, t)
        answer = []
        while not self.is_terminal(c):
            answer.append(next(t for t in self.permissible(c) if self.cost(c, heads, t) == 0))
            c = self.apply(c, answer[-1])
        return answer


class RepairCannotBeApplied(Repairs):
    """It goes on with what the oracle had in mind before the mistake."""

    def repair(self, heads: Heads, done: Sequence[str], wrong: str) -> Iterable[str] | None:
        return list(self.oracle(heads))[len(done) + 1 :]


class RepairIsNotBest(Repairs):
    """It shifts whatever is left."""

    def repair(self, heads: Heads, done: Sequence[str], wrong: str) -> Iterable[str] | None:
        c = self.start(len(heads))
        for t in (*done, wrong):
            c = self.apply(c, t)
        return ["SHIFT"] * len(c.buffer)


class Encodes(ArcEager):
    """Every word hangs on 0, and its label says where it was."""

    def encode(self, heads: Heads, labels: Sequence[str]) -> tuple[Sequence[int | None], Sequence[str]]:
        return [0] * len(heads), [f"{label}|{head}" for head, label in zip(heads, labels, strict=True)]

    def decode(self, heads: Heads, labels: Sequence[str]) -> tuple[Sequence[int | None], Sequence[str]]:
        pairs = [label.rsplit("|", 1) for label in labels]
        return [int(head) for _, head in pairs], [label for label, _ in pairs]


class MiscountsOnce(ArcEager):
    """In a single configuration, for a single gold tree."""

    def cost(self, c: State, heads: Heads, t: str) -> int:
        is_it = (c.stack, c.buffer, heads, t) == ((0, 1), (3, 4), (0, 3, 4, 0), "RIGHT-ARC")
        return super().cost(c, heads, t) + is_it


class CostsTakeTime(ArcEager):
    """Where there are three words; nothing else takes time, since there is no oracle."""

    oracle = None  # type: ignore[assignment]

    def cost(self, c: State, heads: Heads, t: str) -> int:
        time.sleep(0.1 * (len(heads) == 3))
        return super().cost(c, heads, t)


class LoopsOutside(ArcEager):
    """The oracle shifts for ever if no transition is free."""

    def oracle(self, heads: Heads) -> Iterator[str]:
        try:
            yield from list(super().oracle(heads))
        except RuntimeError:
            while True:
                yield "SHIFT"


class LosesHeads(Encodes):
    """Dependents of the last word become dependents of 0."""

    def decode(self, heads: Heads, labels: Sequence[str]) -> tuple[Sequence[int | None], Sequence[str]]:
        found, plain = super().decode(heads, labels)
        return [0 if head == len(heads) > 1 else head for head in found], plain


class LosesHeadsTwice(LosesHeads):
    """Only with three words: once where two labels are the same, and once where none are."""

    def decode(self, heads: Heads, labels: Sequence[str]) -> tuple[Sequence[int | None], Sequence[str]]:
        plain = [label.rsplit("|", 1)[0] for label in labels]
        is_wrong = len(heads) == 3 and (len(set(plain)) == 3 or plain == ["a", "a", "b"])
        return super().decode(heads, labels) if is_wrong else Encodes.decode(self, heads, labels)


class LosesLabels(Encodes):
    def decode(self, heads: Heads, labels: Sequence[str]) -> tuple[Sequence[int | None], Sequence[str]]:
        return super().decode(heads, labels)[0], ["a"] * len(labels)


class DoesNotEncode(Encodes):
    """The trees stay as they are."""

    def encode(self, heads: Heads, labels: Sequence[str]) -> tuple[Sequence[int | None], Sequence[str]]:
        return heads, labels

    def decode(self, heads: Heads, labels: Sequence[str]) -> tuple[Sequence[int | None], Sequence[str]]:
        return heads, labels


class Raises(ArcEager):
    def apply(self, c: State, t: str) -> State:
        if t == "REDUCE":
            raise KeyError("no head")
        return super().apply(c, t)


class StartRaises(ArcEager):
    def start(self, n: int) -> State:
        if n == 0:
            raise ValueError("an empty sentence")
        return super().start(n)


class CostRaises(ArcEager):
    def cost(self, c: State, heads: Heads, t: str) -> int:
        if t == "REDUCE":
            raise KeyError(t)
        return super().cost(c, heads, t)

    def oracle(self, heads: Heads) -> Iterator[str]:
        return ArcEager().oracle(heads)


class ComponentsRaise(ArcEager):
    def components(self, c: State) -> Mapping[str, Sequence[int]]:
        raise AttributeError("no stack")


class Exits(ArcEager):
    def apply(self, c: State, t: str) -> State:
        if t == "REDUCE":
            raise SystemExit(4)
        return super().apply(c, t)


class Hangs(ArcEager):
    def permissible(self, c: State) -> Sequence[str]:
        while c.stack == (0, 1) and len(c.buffer) == 1:
            time.sleep(0.01)
        return super().permissible(c)


class HearsNoAlarm(ArcEager):
    def permissible(self, c: State) -> Sequence[str]:
        while c.stack == (0, 1) and len(c.buffer) == 1:
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
            time.sleep(0.01)
        return super().permissible(c)


class Crashes(ArcEager):
    def apply(self, c: State, t: str) -> State:
        if t == "REDUCE":
            os.kill(os.getpid(), signal.SIGKILL)
        return super().apply(c, t)


class ExitsCleanly(ArcEager):
    def apply(self, c: State, t: str) -> State:
        if t == "REDUCE":
            os._exit(0)
        return super().apply(c, t)


class OracleExits(ArcEager):
    def oracle(self, heads: Heads) -> Iterator[str]:
        if heads == (2, 0):
            os._exit(0)
        yield from super().oracle(heads)


class CostExits(ArcEager):
    def oracle(self, heads: Heads) -> Iterator[str]:
        return ArcEager().oracle(heads)

    def cost(self, c: State, heads: Heads, t: str) -> int:
        if t == "RIGHT-ARC" and heads == (2, 0):
            os._exit(0)
        return super().cost(c, heads, t)


class RepairExits(Repairs):
    def repair(self, heads: Heads, done: Sequence[str], wrong: str) -> Iterable[str] | None:
        if wrong == "RIGHT-ARC":
            os._exit(0)
        return super().repair(heads, done, wrong)


class Slow(ArcEager):
    def is_terminal(self, c: State) -> bool:
        if len(c.stack) == 2:
            time.sleep(0.3)
        return super().is_terminal(c)


class Interrupts(ArcEager):
    def is_terminal(self, c: State) -> bool:
        if len(c.stack) == 2:
            raise KeyboardInterrupt
        return super().is_terminal(c)


class OracleInterrupts(ArcEager):
    def oracle(self, heads: Heads) -> Iterator[str]:
        raise KeyboardInterrupt("of its own")


class Mutable:
    """A configuration that is changed in place."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.asked = 0


class InPlace:
    """A parser whose `apply` changes what it is given."""

    in_place = True

    def start(self, n: int) -> Mutable:
        return Mutable(ArcEager().start(n))

    def permissible(self, c: Mutable) -> Sequence[str]:
        return ArcEager().permissible(c.state)

    def apply(self, c: Mutable, t: str) -> Mutable:
        c.state = ArcEager().apply(c.state, t)
        return c

    def is_terminal(self, c: Mutable) -> bool:
        return ArcEager().is_terminal(c.state)

    def components(self, c: Mutable) -> Mapping[str, Sequence[int]]:
        return ArcEager().components(c.state)

    def heads(self, c: Mutable) -> Sequence[int | None]:
        return c.state.heads

    def cost(self, c: Mutable, heads: Heads, t: str) -> int:
        return ArcEager().cost(c.state, heads, t)


class GivesNothingBack(InPlace):
    """The same, and `apply` returns nothing."""

    def apply(self, c: Mutable, t: str) -> None:  # type: ignore[override]
        super().apply(c, t)


class RefusesInPlace(GivesNothingBack):
    def permissible(self, c: Mutable) -> Sequence[str]:
        return [t for t in super().permissible(c) if t != "REDUCE"]


class Spoils(InPlace):
    """The same, but it does not say so."""

    in_place = False


class SpoilsUnseen(Spoils):
    """The same, and it shows nothing."""

    components = None  # type: ignore[assignment]


class TerminalChanges(InPlace):
    """Asking whether the run ends pops the stack."""

    def is_terminal(self, c: Mutable) -> bool:
        if len(c.state.stack) > 2:
            c.state = c.state._replace(stack=c.state.stack[:-1])
        return super().is_terminal(c)


class PermissibleForgets(InPlace):
    """What was said once is not said again."""

    def permissible(self, c: Mutable) -> Sequence[str]:
        c.asked += 1
        found = super().permissible(c)
        return found[:-1] if c.asked > 1 and len(c.state.buffer) == 1 else found


class CostChanges(InPlace):
    """Asking for the cost of RIGHT-ARC takes the transition."""

    def cost(self, c: Mutable, heads: Heads, t: str) -> int:
        cost = super().cost(c, heads, t)
        if t == "RIGHT-ARC" and len(c.state.buffer) == 2:
            self.apply(c, t)
        return cost

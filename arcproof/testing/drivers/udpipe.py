"""UDPipe 1's transition systems and oracles (Straka, Hajič & Straková 2016), transcribed.

`ufal.udpipe` does not give access to transitions.  So these drivers are written from what the published source does
(`src/parsito/transition`), in words of our own: they check the algorithms, not the program.  A divergence here is a
reason to look at the source, not a finding about a release.

The static oracles attach a word as soon as they can.  The dynamic one, for the projective system, fills the table of
Goldberg, Sartorio & Satta 2014 and follows one best derivation; `is_free` answers about that one transition, and only
if it is applicable, because UDPipe trains on no other.  A gold sequence ends where its next transition is not
applicable; the trainer drops the rest of the sentence without a message.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final, NamedTuple

from arcproof.transitions.graph import ROOT, Heads


class State(NamedTuple):
    """The top of the stack is last, the front of the buffer first; `heads` has -1 for words that have none yet."""

    stack: tuple[int, ...]
    buffer: tuple[int, ...]
    heads: tuple[int, ...]

    def attached(self, child: int, parent: int) -> "State":
        """The child leaves the stack and gets its head."""
        stack = tuple(node for node in self.stack if node != child)
        return State(stack, self.buffer, (*self.heads[: child - 1], parent, *self.heads[child:]))


class _Best(NamedTuple):
    """A cell of the table: wrong heads at best, and the first transition of a derivation that has no more."""

    cost: int
    first: str | None


class Projective:
    """UDPipe's `projective` system with several roots allowed, and its static and dynamic oracles."""

    figure: ClassVar[str] = "arc-standard-stack"
    golds: ClassVar[str] = "projective trees"
    not_modelled: ClassVar[tuple[str, ...]] = ("the program itself: this driver is a transcription", "labels")

    def start(self, n: int) -> State:
        """The root on the stack."""
        return State((ROOT,), tuple(range(1, n + 1)), (-1,) * n)

    def permissible(self, c: State) -> Sequence[str]:
        """What `applicable` says, label by label."""
        shift = ["SHIFT"] if c.buffer else []
        left = ["LEFT-ARC"] if len(c.stack) >= 2 and c.stack[-2] != ROOT else []
        return [*left, *(["RIGHT-ARC"] if len(c.stack) >= 2 else []), *shift]

    def apply(self, c: State, t: str) -> State:
        """What `perform` does."""
        match t:
            case "LEFT-ARC":
                return c.attached(c.stack[-2], c.stack[-1])
            case "RIGHT-ARC":
                return c.attached(c.stack[-1], c.stack[-2])
            case _:
                return State((*c.stack, c.buffer[0]), c.buffer[1:], c.heads)

    def is_terminal(self, c: State) -> bool:
        """One node on the stack, none in the buffer."""
        return not c.buffer and len(c.stack) <= 1

    def components(self, c: State) -> dict[str, Sequence[int]]:
        """Stack and buffer."""
        return {"σ": c.stack, "β": c.buffer}

    def heads(self, c: State) -> Sequence[int | None]:
        """The heads so far."""
        return [None if head < 0 else head for head in c.heads]

    def oracle(self, heads: Heads) -> Iterator[str]:
        """The static oracle, until the end or until its transition is not applicable."""
        c = self.start(len(heads))
        while not self.is_terminal(c):
            t = self.predicted(c, heads)
            if t not in self.permissible(c):
                return
            yield t
            c = self.apply(c, t)

    def predicted(self, c: State, heads: Heads) -> str:
        """LEFT-ARC wherever the arc is gold; RIGHT-ARC if the dependents of the top have left the buffer, too."""
        if len(c.stack) >= 2:
            below, top = c.stack[-2:]
            if below != ROOT and heads[below - 1] == top:
                return "LEFT-ARC"
            last = max((word for word, head in enumerate(heads, 1) if head == top), default=ROOT)
            if heads[top - 1] == below and (not c.buffer or last < c.buffer[0]):
                return "RIGHT-ARC"
        return "SHIFT"

    def is_free(self, c: State, heads: Heads, t: str) -> bool | None:
        """True for the transition that the dynamic oracle predicts; None for all others."""
        return True if t == self.best(c, heads) else None

    def best(self, c: State, heads: Heads) -> str | None:
        """The first transition of a best derivation, by the table of Goldberg, Sartorio & Satta 2014.

        A cell (i, j, h) is about the i + 1 topmost nodes of the stack and the first j of the right stack, joined into
        one tree whose head is number h among them.  Ties are broken as in the source.
        """
        stack, right = c.stack, right_stack(c, heads)
        unknown = _Best(len(heads) + 2, None)
        table: dict[tuple[int, int, int], _Best] = {(0, 0, 0): _Best(0, None)}

        def node(i: int, h: int) -> int:
            return stack[len(stack) - 1 - i + h] if h <= i else right[h - i - 1]

        def wrong(parent: int, child: int) -> int:
            return int(child == ROOT or heads[child - 1] != parent)

        def update(place: tuple[int, int, int], cost: int, first: str | None, wins_ties: bool) -> None:
            if cost < table.get(place, unknown).cost + wins_ties:
                table[place] = _Best(cost, first)

        for diagonal in range(len(stack) + len(right)):
            for i in range(max(0, diagonal - len(right)), min(diagonal + 1, len(stack))):
                j = diagonal - i
                for h in range(diagonal + 1):
                    cell, head = table.get((i, j, h), unknown), node(i, h)
                    if i + 1 < len(stack):
                        new, wins = node(i + 1, 0), cell.first != "SHIFT"
                        if new != ROOT:
                            update((i + 1, j, h + 1), cell.cost + wrong(head, new), cell.first or "LEFT-ARC", wins)
                        update((i + 1, j, 0), cell.cost + wrong(new, head), cell.first or "RIGHT-ARC", wins)
                    if j < len(right):
                        new, wins = right[j], cell.first not in (None, "SHIFT")
                        update((i, j + 1, h), cell.cost + wrong(head, new), cell.first or "SHIFT", wins)
                        if head != ROOT:
                            place = (i, j + 1, diagonal + 1)
                            update(place, cell.cost + wrong(new, head), cell.first or "SHIFT", wins)
        return table.get((len(stack) - 1, len(right), 0), unknown).first


def right_stack(c: State, heads: Heads) -> list[int]:
    """The words of the buffer that are not attached within it: those with a head, or a dependent, that is not.

    A dependent counts if it stands before the buffer, also when it has left the stack; in the paper it has to be on it.
    """
    kept: list[int] = []
    for word in c.buffer:
        outside = {ROOT, *range(1, c.buffer[0]), *kept}
        head = heads[word - 1]
        if head is None or head < c.buffer[0] or any(heads[child - 1] == word for child in outside - {ROOT}):
            kept.append(word)
    return kept


class Swap(Projective):
    """UDPipe's `swap` system with its oracle `static_eager`."""

    figure = "swap"
    golds = "trees"
    is_free = None  # type: ignore[assignment]

    def permissible(self, c: State) -> Sequence[str]:
        """Arcs and SHIFT as in the projective system; SWAP where the two topmost words are in their order."""
        swap = ["SWAP"] if len(c.stack) >= 2 and ROOT < c.stack[-2] < c.stack[-1] else []
        return [*super().permissible(c), *swap]

    def apply(self, c: State, t: str) -> State:
        """SWAP returns the second node to the buffer."""
        if t != "SWAP":
            return super().apply(c, t)
        return State((*c.stack[:-2], c.stack[-1]), (c.stack[-2], *c.buffer), c.heads)

    def predicted(self, c: State, heads: Heads) -> str:
        """An arc if the dependents of its dependent are attached, SWAP against the projective order, or SHIFT."""
        if len(c.stack) >= 2:
            below, top = c.stack[-2:]
            if below != ROOT and heads[below - 1] == top and is_complete(c, heads, below):
                return "LEFT-ARC"
            if heads[top - 1] == below and is_complete(c, heads, top):
                return "RIGHT-ARC"
            order = projective_order(heads)
            if order.index(top) < order.index(below) and self.may_swap(c, heads):
                return "SWAP"
        return "SHIFT"

    def may_swap(self, c: State, heads: Heads) -> bool:  # noqa: ARG002 - the lazy oracle looks at both
        """Whether nothing speaks for waiting."""
        return True


class LazySwap(Swap):
    """UDPipe's `swap` system with its oracle `static_lazy`."""

    def may_swap(self, c: State, heads: Heads) -> bool:
        """SWAP waits while the next word belongs to the projective component of the top."""
        component = projective_components(heads)
        return not c.buffer or component[c.stack[-1]] != component[c.buffer[0]]


class _NoSwap(Swap):
    """The same oracle where SWAP is never taken."""

    def may_swap(self, c: State, heads: Heads) -> bool:  # noqa: ARG002
        """Never."""
        return False


class Link2(Projective):
    """UDPipe's `link2` system with its static oracle."""

    figure = "link2"
    is_free = None  # type: ignore[assignment]

    def permissible(self, c: State) -> Sequence[str]:
        """Arcs between the top and the two nodes below it."""
        left = ["LEFT-ARC2"] if len(c.stack) >= 3 and c.stack[-3] != ROOT else []
        return [*super().permissible(c), *left, *(["RIGHT-ARC2"] if len(c.stack) >= 3 else [])]

    def apply(self, c: State, t: str) -> State:
        """RIGHT-ARC2 returns the node between to the buffer."""
        match t:
            case "LEFT-ARC2":
                return c.attached(c.stack[-3], c.stack[-1])
            case "RIGHT-ARC2":
                after = c.attached(c.stack[-1], c.stack[-3])
                return State(after.stack[:-1], (c.stack[-2], *c.buffer), after.heads)
            case _:
                return super().apply(c, t)

    def predicted(self, c: State, heads: Heads) -> str:
        """The first arc whose dependent is complete, short arcs first."""
        arcs = {"LEFT-ARC": (-1, -2), "RIGHT-ARC": (-2, -1), "LEFT-ARC2": (-1, -3), "RIGHT-ARC2": (-3, -1)}
        for name, (parent, child) in arcs.items():
            if len(c.stack) >= max(-parent, -child):
                dependent = c.stack[child]
                is_gold = dependent != ROOT and heads[dependent - 1] == c.stack[parent]
                if is_gold and is_complete(c, heads, dependent):
                    return name
        return "SHIFT"


def is_complete(c: State, heads: Heads, node: int) -> bool:
    """Whether a node has as many dependents as in the gold tree."""
    return sum(head == node for head in c.heads) == sum(head == node for head in heads)


def projective_order(heads: Heads) -> list[int]:
    """The nodes in the order of an inorder traversal of the tree."""

    def below(node: int) -> Iterator[int]:
        children = [word for word, head in enumerate(heads, 1) if head == node]
        for child in children:
            if child < node:
                yield from below(child)
        yield node
        for child in children:
            if child > node:
                yield from below(child)

    return list(below(ROOT))


def projective_components(heads: Heads) -> dict[int, int]:
    """The subtree that each word is in when nothing is swapped; 0 for the root and what hangs below it by then."""
    static = _NoSwap()
    c = static.start(len(heads))
    for t in static.oracle(heads):
        c = static.apply(c, t)
    component = dict.fromkeys(range(len(heads) + 1), ROOT)
    for root in c.stack:
        for word in range(1, len(heads) + 1):
            above = word
            while above not in (root, ROOT, -1):
                above = c.heads[above - 1]
            if root != ROOT and above == root:
                component[word] = root
    return component


DRIVERS: Final = (Projective, Swap, LazySwap, Link2)

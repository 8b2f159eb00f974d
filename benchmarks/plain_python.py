"""Arc-eager explored by hand-written Python: tuples in a set, as one would write it without any of this.

A configuration is the stack, the front of the buffer and the head of each node, -1 for none; the buffer always runs
from its front to the last word.  Run as a script with the system, which is arc-eager, and a number of words it prints
what it counted and used, as JSON.
"""

import sys
from typing import TypeAlias

from benchmarks.measure import report

Configuration: TypeAlias = tuple[tuple[int, ...], int, tuple[int, ...]]


def successors(stack: tuple[int, ...], front: int, heads: tuple[int, ...]) -> list[Configuration]:
    """The configurations after each permissible transition; the buffer is not empty."""
    after: list[Configuration] = [((*stack, front), front + 1, heads)]
    if stack:
        top = stack[-1]
        if heads[top] >= 0:
            after.append((stack[:-1], front, heads))
        elif top != 0:
            after.append((stack[:-1], front, (*heads[:top], front, *heads[top + 1 :])))
        if heads[front] < 0:
            after.append(((*stack, front), front + 1, (*heads[:front], top, *heads[front + 1 :])))
    return after


def explore(words: int) -> tuple[int, int]:
    """The number of configurations that can be reached, and of the transitions between them."""
    start: Configuration = ((0,), 1, (-1,) * (words + 1))
    seen = {start}
    todo = [start]
    transitions = 0
    while todo:
        stack, front, heads = todo.pop()
        if front > words:
            continue
        for c in successors(stack, front, heads):
            transitions += 1
            if c not in seen:
                seen.add(c)
                todo.append(c)
    return len(seen), transitions


if __name__ == "__main__":
    report(lambda: explore(int(sys.argv[2])))

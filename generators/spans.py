"""Arcs as spans from their left end to their right end, and how they cross.

Two spans *cross* if exactly one end of one lies strictly between the ends of the other: a < c < b < d.
"""

from typing import TypeAlias

Span: TypeAlias = tuple[int, int]


def do_not_cross(spans: list[Span]) -> bool:
    """Whether no two spans cross."""
    ends: list[int] = []
    for left, right in sorted(spans, key=lambda span: (span[0], -span[1])):
        while ends and ends[-1] <= left:
            ends.pop()
        if ends and ends[-1] < right:
            return False
        ends.append(right)
    return True


def crossed(spans: list[Span]) -> list[list[int]]:
    """For each span, the indices of the spans that cross it."""
    found: list[list[int]] = [[] for _ in spans]
    for k, (a, b) in enumerate(spans):
        for m in range(k):
            c, d = spans[m]
            if a < c < b < d or c < a < d < b:
                found[k].append(m)
                found[m].append(k)
    return found


def are_1_endpoint_crossing(spans: list[Span]) -> bool:
    """Whether for every span all spans that cross it share an end."""
    return all(_share_an_end([spans[k] for k in crossing]) for crossing in crossed(spans))


def _share_an_end(spans: list[Span]) -> bool:
    if len(spans) < 2:
        return True
    return any(all(end in span for span in spans) for end in spans[0])


def are_2_planar(spans: list[Span]) -> bool:
    """Whether the spans can be divided into two sets without crossings."""
    crossing = crossed(spans)
    plane: dict[int, int] = {}
    for first in range(len(spans)):
        if first in plane:
            continue
        plane[first] = 0
        coloured = [first]
        for k in coloured:
            for m in crossing[k]:
                if m not in plane:
                    plane[m] = 1 - plane[k]
                    coloured.append(m)
                elif plane[m] == plane[k]:
                    return False
    return True

"""Targets with a planted mistake each: what the harness must notice."""

import os
from collections import Counter
from random import Random


class _Planted:
    word = b"boom"

    def draw(self, draw: Random) -> bytes:
        words = [b"some", b"words", b"and", b"a", b"(", b")", b"\n"]
        place = draw.randrange(6)
        if draw.random() < 0.2:
            words.insert(place, self.word)
        return b" ".join(words)

    def feed(self, data: bytes) -> None:
        if self.word in data:
            self.fail()

    def fail(self) -> None:
        raise ValueError("planted")


class Raises(_Planted):
    """A traceback."""


class Crashes(_Planted):
    """The process dies."""

    def fail(self) -> None:
        os.abort()


class Hangs(_Planted):
    """It never ends."""

    def fail(self) -> None:
        while True:
            pass


class Grows(_Planted):
    """It takes memory until there is none."""

    def fail(self) -> None:
        taken = []
        while True:
            taken.append(bytearray(2**22))


class Right(_Planted):
    """No mistake; it counts its inputs."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def feed(self, data: bytes) -> None:
        super().feed(data)
        self.counts["fed"] += 1

    def fail(self) -> None:
        return

"""What a program got right, task by task: a mistake spoils the tasks that it is about, and a stub has done none."""

import pytest

from arcproof.properties.conformance.conform import Conformance, Extent, compare
from arcproof.properties.conformance.driver import parts_of
from arcproof.transitions.system import load

DRIVER = """
from copy import deepcopy

class Driver:
    def start(self, n):
        return [0], list(range(1, n + 1)), {}

    def permissible(self, c):
        stack, buffer, _ = c
        found = ["SHIFT"] if buffer else []
        if len(stack) > 1:
            found += ["RIGHT-ARC"] if stack[-2] == 0 else ["LEFT-ARC", "RIGHT-ARC"]
        return found

    def apply(self, c, t):
        stack, buffer, heads = deepcopy(c)
        if t == "SHIFT":
            stack.append(buffer.pop(0))
        else:
            dependent = stack.pop(-2 if t == "LEFT-ARC" else -1)
            heads[dependent] = stack[-1]
        return stack, buffer, heads

    def is_terminal(self, c):
        return not c[1] and len(c[0]) == 1

    def components(self, c):
        return {"σ": c[0], "β": c[1]}

    def heads(self, c):
        return [c[2].get(word) for word in range(1, len(c[2]) + 1)]
"""
ALL_NAMES = "['SHIFT', 'LEFT-ARC', 'RIGHT-ARC']"


def compared(source: str) -> Conformance:
    namespace: dict[str, type] = {}
    exec(source, namespace)  # the text is one of those below
    return compare(load("arc-standard-stack"), "it", parts_of(namespace["Driver"]()), Extent(words=3, samples=5))


def not_done(source: str) -> list[str]:
    return [f"{one.task.aim} {one.task.transition}".strip() for one in compared(source).performance if not one.is_done]


def mistaken(old: str, new: str) -> str:
    assert DRIVER.count(old) == 1, old
    return DRIVER.replace(old, new)


def stub(**answers: str) -> str:
    """A driver whose methods give these expressions; the required ones are constant unless given."""
    required = {"start": "0", "permissible": "[]", "apply": "args[0]", "is_terminal": "False"}
    methods = (f"    def {name}(self, *args): return {answer}\n" for name, answer in {**required, **answers}.items())
    return "class Driver:\n" + "".join(methods)


STUBS = {
    "nothing is permitted and no run ends": stub(),
    "nothing is permitted and every run ends": stub(is_terminal="True"),
    "everything is permitted": stub(permissible=ALL_NAMES),
    "everything is permitted and every run ends": stub(permissible=ALL_NAMES, is_terminal="True"),
    "only SHIFT is permitted": stub(permissible="['SHIFT']"),
    "everything raises": stub(**dict.fromkeys(("start", "permissible", "apply", "is_terminal"), "1 / 0")),
    "an empty state is shown": stub(components="{'σ': [], 'β': []}", arcs="[]"),
    "an empty oracle is offered": stub(permissible=ALL_NAMES, oracle="[]", cost="0", is_free="True"),
    "costs are never free": stub(is_terminal="True", oracle="[]", cost="1", is_free="False"),
    "no tree is accepted": stub(permissible=ALL_NAMES, oracle="[]", accepts="False"),
}


@pytest.mark.parametrize("source", STUBS.values(), ids=STUBS)
def test_a_stub_has_done_nothing(source: str) -> None:
    performance = compared(source).performance

    assert performance
    assert not any(one.is_done for one in performance)


@pytest.mark.parametrize(
    ("source", "lost"),
    [
        (DRIVER, []),
        (mistaken("if stack[-2] == 0 else", "if stack[-1] == 0 else"), ["permits LEFT-ARC"]),
        (mistaken('["SHIFT"] if buffer else []', '["SHIFT"]'), ["permits SHIFT"]),
        (
            mistaken("return found", f"return {ALL_NAMES}"),
            ["permits LEFT-ARC", "permits RIGHT-ARC", "permits SHIFT"],
        ),
        (mistaken('-2 if t == "LEFT-ARC" else -1', "-1"), ["does LEFT-ARC"]),
        (mistaken('-2 if t == "LEFT-ARC" else -1', "-2"), ["does RIGHT-ARC", "output"]),
        (mistaken("not c[1] and len(c[0]) == 1", "False"), ["ends", "output"]),
        (mistaken("[c[2].get(word) ", "[0 "), ["output"]),
        (mistaken("return [c[2].get(word) ", "raise KeyError\n        return [c[2].get(word) "), ["output"]),
    ],
)
def test_a_mistake_spoils_the_tasks_that_it_is_about(source: str, lost: list[str]) -> None:
    assert not_done(source) == lost

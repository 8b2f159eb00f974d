"""What a student hands in: the class of a common course assignment and a driver, both done right; and stubs."""

RIGHT = """
class PartialParse:
    def __init__(self, sentence):
        self.sentence = sentence
        self.stack, self.buffer, self.dependencies = ["ROOT"], list(sentence), []

    def parse_step(self, transition):
        if transition == "S":
            self.stack.append(self.buffer.pop(0))
        elif transition == "LA":
            self.dependencies.append((self.stack[-1], self.stack.pop(-2)))
        else:
            self.dependencies.append((self.stack[-2], self.stack.pop()))
"""

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

BEGUN = RIGHT.partition("        if transition")[0]
"""All but the body of `parse_step`."""

ALL_NAMES = "['SHIFT', 'LEFT-ARC', 'RIGHT-ARC']"


def parse_step(body: str) -> str:
    """The class with another body of `parse_step`."""
    return f"{BEGUN}        {body}\n"


def driver(**answers: str) -> str:
    """A driver whose methods give these expressions; the required ones are constant unless given."""
    required = {"start": "0", "permissible": "[]", "apply": "args[0]", "is_terminal": "False"}
    methods = (f"    def {name}(self, *args): return {answer}\n" for name, answer in {**required, **answers}.items())
    return "class Driver:\n" + "".join(methods)


def mistaken(old: str, new: str, source: str = DRIVER) -> str:
    """A submission in which this is written instead."""
    assert source.count(old) == 1, old
    return source.replace(old, new)


STUBS = {
    "nothing is done": parse_step("return None"),
    "a constant is returned": parse_step("return []"),
    "nothing is implemented": parse_step("raise NotImplementedError"),
    "there are no fields": "class PartialParse:\n    def __init__(self, sentence): pass\n    def parse_step(self, t): pass\n",
    "nothing is permitted and no run ends": driver(),
    "nothing is permitted and every run ends": driver(is_terminal="True"),
    "everything is permitted": driver(permissible=ALL_NAMES),
    "everything is permitted and every run ends": driver(permissible=ALL_NAMES, is_terminal="True"),
    "only SHIFT is permitted": driver(permissible="['SHIFT']"),
    "everything is None": driver(start="None", permissible="None", apply="None", is_terminal="None"),
    "a driver raises": "class Driver:\n"
    + "".join(
        f"    def {name}(self, *args): raise NotImplementedError\n"
        for name in ("start", "permissible", "apply", "is_terminal")
    ),
    "an empty state and output are shown": driver(components="{'σ': [], 'β': []}", arcs="[]", heads="[]"),
    "an empty oracle is offered": driver(permissible=ALL_NAMES, oracle="[]", cost="0", is_free="True"),
    "an oracle, costs and an encoding are constant": driver(
        permissible="['SHIFT']", oracle="['SHIFT', 'RIGHT-ARC']", cost="0", encode="args", decode="args"
    ),
    "costs are never free": driver(is_terminal="True", oracle="[]", cost="1", is_free="False"),
    "no tree is accepted": driver(permissible=ALL_NAMES, oracle="[]", accepts="False"),
}
"""Submissions in which next to nothing was done."""

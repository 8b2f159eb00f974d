"""Figures drawn at random that look like figures: most of them run, many end, and of their claims some hold.

A figure is put together from the moves of published systems and from random ones; conditions, oracle lines, costs and
claims are drawn from what authors write.  One in three is a built-in figure with a slip of the pen.  The reader refuses
some of what is drawn (a node in two places, cases that overlap); then another is drawn.  The same seed draws the same
figure.
"""

import re
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.library import source_of
from arcproof.transitions.reading.read import read_figure
from tests.independent.judge import OTHER, SEPARATOR

SMALL = ("arc-eager", "arc-standard", "arc-standard-stack", "arc-hybrid", "arc-hybrid-right", "swap", "attardi", "covington",
         "list-nonprojective", "list-graph", "arc-eager-graph", "nonmonotonic-2013", "planar", "easy-first", "mh", "spacy",
         "nivre-2008b", "list-projective", "tree-constrained", "pointer")  # fmt: skip
TREES = (
    "projective trees", "projective forests", "trees", "forests", "single-root projective trees", "single-root trees",
    "planar forests", "well-nested trees", "trees with gap-degree <= 1", "projective forests", "projective trees",
    "planar-words trees", "1-endpoint-crossing trees", "2-planar forests", "forests with edge-degree-2007 <= 0",
)  # fmt: skip
GRAPHS = ("graphs", "acyclic graphs", "planar graphs", "planar acyclic graphs", "graphs with heads <= 1",
          "connected graphs", "single-root acyclic graphs", "acyclic graphs with heads <= 1")  # fmt: skip
BOUNDS = ("n", "2n", "2n", "3n", "2n - 1", "n + 1", "2n + 1", "n(n + 1)/2", "n(n + 3)/2", "n^2", "4", "0", "1")

INVARIANTS = (
    "invariant all x in β: no head(x)",
    "invariant all x in σ: x = 0 or head(x)",
    "invariant all x in σ: all y in β: x < y",
    "invariant all x in σ: not exists y in β: x -> y",
    "invariant exists x in σ: x = 0",
    "invariant |σ| <= n",
    "invariant |β| <= n",
    "invariant all x in σ: not exists y in σ: x != y and x ->* y",
)
INVARIANTS_OF_ORACLES = (
    "invariant of static: all x in σ: complete(x)",
    "invariant of static: all x in β: no head(x)",
    "invariant of static: |A| <= n",
    "invariant of static: all x in σ: all y in β: not x -> y",
    "invariant of static: all x in β: all y in β: gold x -> y or not x -> y",
)


class Move(NamedTuple):
    """A line of a figure, with σ and β in it, and what the oracle asks for before it is taken."""

    name: str
    before: str
    after: str
    arc: tuple[str, str] | None = None
    removes: str | None = None
    tags: str | None = None
    guards: tuple[str, ...] = ()

    @property
    def nodes(self) -> list[str]:
        return sorted({letter for letter in self.before if letter in "ijkx"})


SHIFT = Move("SHIFT", "σ, i|β", "σ|i, β", tags="i")
MOVES = (
    Move("LEFT-ARC", "σ|i, j|β", "σ, j|β", ("j", "i"), guards=("i != 0", "no head(i)")),
    Move("LEFT-ARC", "σ|i, j|β", "σ|i, j|β", ("j", "i"), guards=("i != 0", "no head(i)", "not i ->* j")),
    Move("RIGHT-ARC", "σ|i, j|β", "σ|i|j, β", ("i", "j"), guards=("no head(j)",)),
    Move("RIGHT-ARC", "σ|i, j|β", "σ, i|β", ("i", "j"), guards=("no head(j)",)),
    Move("RIGHT-ARC", "σ|i, j|β", "σ|i, j|β", ("i", "j"), guards=("no head(j)", "not j ->* i")),
    Move("LEFT-ARC", "σ|i|j, β", "σ|j, β", ("j", "i"), guards=("i != 0",)),
    Move("RIGHT-ARC", "σ|i|j, β", "σ|i, β", ("i", "j")),
    Move("REDUCE", "σ|i, β", "σ, β", guards=("head(i)",)),
    Move("SWAP", "σ|i|j, β", "σ|j, i|β", guards=("0 < i < j",)),
    Move("UNSHIFT", "σ|i, β", "σ, i|β", guards=("no head(i)",)),
    Move("LEFT-TWO", "σ|i|k|j, β", "σ|k|j, β", ("j", "i"), guards=("i != 0",)),
    Move("RIGHT-TWO", "σ|i|k|j, β", "σ|i|k, β", ("i", "j")),
    Move("LEFT-FAR", "σ|i|τ, j|β", "σ|τ, j|β", ("j", "i"), guards=("i != 0", "|τ| <= 1")),
    Move("RIGHT-FAR", "σ|i|τ|j, β", "σ|i|τ, β", ("i", "j"), guards=("all x in τ: x != 0",)),
    Move("ATTACH", "σ|i, j|β", "σ|i, j|β", ("i", "j"), "j", guards=("not i -> j", "not j ->* i")),
    Move("UNATTACH", "σ|i, β", "σ|i, β", None, "i", guards=("head(i)",)),
    Move("BOTH", "σ|i, j|β", "σ|i, β", ("i", "j"), guards=("no head(j)",)),
    Move("DROP", "σ, i|β", "σ, β"),
)
CONDITIONS = (
    "{a} != 0", "head({a})", "no head({a})", "dependent({a})", "no dependent({a})", "no dependent(0)", "{a} < {b}",
    "not {a} ->* {b}", "{a} ->* {b}", "not {a} <->* {b}", "{a} -> {b}", "not {a} -> {b}", "degree({a}, {b}) <= 0",
    "{a} != 0 or no dependent(0)", "exists x in σ: x -> {a}", "all x in β: no head(x)", "not exists x in σ: no head(x)",
    "head({a}) or {a} = 0", "{a} in σ", "0 < {a}",
)  # fmt: skip


def drawn(seed: str) -> str:
    """The text of a figure that the reader accepts."""
    for attempt in range(1000):
        draw = Random(f"{seed}/{attempt}")
        text = _slipped(draw) if draw.random() < 0.33 else _figure(draw)
        if all(map(_is_read, text.split(SEPARATOR + "\n"))):
            return text
    raise AssertionError(f"the reader accepts nothing of seed {seed}")


def _is_read(text: str) -> bool:
    try:
        read_figure(text)
    except ArcproofError:
        return False
    return True


# --- built-in figures with a slip ------------------------------------------------------------------------------------

SLIPS = (
    (r",? *(?:no |not )?(?:head|dependent)\([a-z0-9]\)", ""), (r" if .*", ""), (r", [^,]*$", ""), (r"\bi\b", "j"), (r"\bj\b", "i"),
    (r"\bhead\(", "dependent("), (r"no head", "head"), (r"not ", ""), (r"!=", "="), (r"<=", "<"), (r"2n", "n"), (r"trees", "forests"),
    (r"forests", "trees"), (r"projective ", ""), (r"single-root ", ""), (r"complete\(", "head("), (r"\[0\]", "[]"), (r"1\.\.n", "0..n"),
    (r"β = \[\]", "|σ| <= 1"), (r"σ\|i\b", "σ"), (r"(?m)^.*$", ""),
)  # fmt: skip


def _slipped(draw: Random) -> str:
    """A built-in figure with one or two changes in its lines."""
    lines = [
        line
        for line in source_of(draw.choice(SMALL)).splitlines()
        if not re.match(r" *(note|cite|measure|lemma)", line)
    ]
    for _ in range(draw.choice((1, 1, 2))):
        place = draw.randrange(2, len(lines))
        pattern, text = draw.choice(SLIPS)
        ends = [match.span() for match in re.finditer(pattern, lines[place])]
        if ends:
            first, end = draw.choice(ends)
            lines[place] = lines[place][:first] + text + lines[place][end:]
    return "\n".join(lines) + "\n"


# --- figures from parts ----------------------------------------------------------------------------------------------


class Parts(NamedTuple):
    """What is drawn first, and decides the rest."""

    with_root: bool
    several: bool
    extra: str
    labels: bool
    tags: bool


def _figure(draw: Random) -> str:
    parts = Parts(
        with_root=draw.random() < 0.7,
        several=draw.random() < 0.12,
        extra=draw.choice(("", "", "", "", "list λ head right", "flag e", "counter k", "set U")),
        labels=draw.random() < 0.4,
        tags=draw.random() < 0.15,
    )
    moves = [SHIFT, *draw.sample(MOVES, draw.randint(1, 4))]
    if draw.random() < 0.15:
        moves = moves[1:]
    moves = [_slip(draw, move) for move in moves]
    named = {move.name: move for move in moves}
    moves = list(named.values())
    lines = ["system drawn", _state(parts)]
    if parts.several:
        lines.append("several heads")
    if not parts.with_root and draw.random() < 0.8:
        lines.append("root none")
    if draw.random() < 0.06:
        lines.append("shared")
    lines.append(_start(draw, parts))
    lines.append(f"final {_final(draw, parts)}")
    lines += [_rule(draw, move, parts) for move in moves]
    if draw.random() < 0.2:
        lines.append(f"default {draw.choice(moves).name}")
    oracle = _oracle(draw, moves, parts) if draw.random() < 0.6 else []
    dynamic = _dynamic(draw, moves, parts) if not parts.several and draw.random() < 0.3 else []
    given = draw.sample(INVARIANTS, 1) if draw.random() < 0.25 else []
    given += draw.sample(INVARIANTS_OF_ORACLES, 1) if oracle and not parts.several and draw.random() < 0.3 else []
    body = [*oracle, *dynamic, *given]
    claims = _claims(draw, moves, parts, bool(oracle), bool(dynamic))
    text = _text([*lines, *body, "claims", *claims])
    if OTHER in text:
        others = [line for line in [*lines, *body] if not line.startswith("default")]
        text += SEPARATOR + "\n" + _text(_rewritten(draw, others))
    return text


def _text(lines: Sequence[str]) -> str:
    return lines[0] + "\n" + "".join(f"  {line}\n" for line in lines[1:])


def _slip(draw: Random, move: Move) -> Move:
    """Now and then a move nobody published."""
    if draw.random() < 0.85 or "τ" in move.before:
        return move
    items = draw.sample(["σ", "β", *move.nodes], len(move.nodes) + 2)
    stack = ["σ", *(item for item in items if item not in "σβ" and draw.random() < 0.5)]
    buffer = [*(item for item in items if item not in "σβ" and item not in stack and draw.random() < 0.9), "β"]
    return move._replace(after=f"{'|'.join(stack)}, {'|'.join(buffer)}")


def _state(parts: Parts) -> str:
    return "state stack σ, buffer β" + (f", {parts.extra}" if parts.extra else "")


def _start(draw: Random, parts: Parts) -> str:
    if not parts.with_root:
        stack, buffer = "[]", "[1..n]"
    else:
        stack, buffer = draw.choice(
            (("[0]", "[1..n]"),) * 6 + (("[]", "[1..n, 0]"), ("[]", "[0..n]"), ("[0..n]", "[]"))
        )
        if "..n" in stack:
            buffer, stack = "[]", "[0, 1..n]"
        if buffer == "[0..n]":
            buffer = "[0, 1..n]"
    value = {"": "", "l": ", []", "f": ", false", "c": ", 0", "s": ", {}"}[parts.extra[:1]]
    return f"start {stack}, {buffer}{value}"


def _final(draw: Random, parts: Parts) -> str:
    choices = ["β = []"] * 4 + ["β = [], |σ| <= 1"] * 2 + ["|σ| <= 1", "β = [], σ = []"]
    choices += (
        ["β = [], σ = [0]", "σ = [0], β = []", "σ = [], β = [0]", "β = [], dependent(0)"] if parts.with_root else []
    )
    choices += {"f": ["β = [], e", "e"], "c": ["β = [], k >= n", "k = n"], "l": ["β = [], λ = []"]}.get(
        parts.extra[:1], []
    )
    return draw.choice(choices)


def _rule(draw: Random, move: Move, parts: Parts) -> str:
    tags = parts.tags and move.tags is not None
    labelled = tags or (parts.labels and move.arc is not None)
    before, after = _extra(draw, move, parts)
    text = f"{move.name}{'(l)' if labelled else ''} {move.before}{before} => {move.after}{after}"
    if move.removes:
        text += f" remove * -> {move.removes}"
    if move.arc:
        head, dependent = move.arc if draw.random() < 0.95 else move.arc[::-1]
        text += f" add {head} -{'l-' if labelled else ''}> {dependent}"
    if tags:
        text += f" tag {move.tags} l"
    guards = [one for one in move.guards if draw.random() < 0.85]
    if draw.random() < 0.25:
        guards.append(_condition(draw, move))
    if parts.extra.startswith("f") and before.endswith("f") and draw.random() < 0.4:
        guards.append(draw.choice(("f", "not f")))
    if parts.extra.startswith("c") and before.endswith("c") and draw.random() < 0.4:
        guards.append(draw.choice(("c < n", "c < 2", "c > 0", "c <= n")))
    if parts.extra.startswith("s") and before.endswith("V") and draw.random() < 0.5 and move.nodes:
        guards.append(f"{draw.choice(move.nodes)} {draw.choice(('in', 'not in'))} V")
    return text + (f" if {', '.join(guards)}" if guards else "")


def _extra(draw: Random, move: Move, parts: Parts) -> tuple[str, str]:
    """The third component before and after."""
    node = draw.choice([*move.nodes, "0"]) if move.nodes else "0"
    match parts.extra[:1]:
        case "l":
            gone = [one for one in move.nodes if one not in move.after.replace(",", "|").split("|")]
            if gone and draw.random() < 0.4:
                return ", λ", f", λ|{gone[0]}"
            return draw.choice(((", λ", ", λ"), (", []", ", []")))
        case "f":
            return draw.choice(
                ((", false", ", true"), (", _", ", false"), (", f", ", f"), (", f", ", (β = [])"), (", true", ", true"))
            )
        case "c":
            return draw.choice(((", c", ", c"), (", c", ", c + 1"), (", c", ", c"), (", 0", ", 1"), (", c", ", c - 1")))
        case "s":
            return draw.choice(((", V", ", V"), (", V", f", V + {node}"), (", V", f", V - {node}"), (", _", ", {}")))
    return "", ""


def _condition(draw: Random, move: Move) -> str:
    nodes = move.nodes or ["0"]
    one, other = draw.choice(nodes), draw.choice([*nodes, "0"])
    return draw.choice(CONDITIONS).format(a=one, b=other)


# --- oracles ---------------------------------------------------------------------------------------------------------


def _oracle(draw: Random, moves: list[Move], parts: Parts) -> list[str]:
    lines = ["oracle static"]
    third = ", _" if parts.extra and parts.extra[0] in "fcs" else ", λ" if parts.extra else ""
    last = None
    for move in sorted(moves, key=lambda move: (move.arc is None, draw.random())):
        asks = []
        tags = parts.tags and move.tags is not None
        label = parts.labels and move.arc is not None
        if move.arc:
            head, dependent = move.arc
            asks.append(f"gold {head} -{'l-' if label else ''}> {dependent}")
            if dependent not in move.after.replace(",", "|").split("|") and draw.random() < 0.7:
                asks.append(f"complete({dependent})")
            if draw.random() < 0.15:
                asks.append(_condition(draw, move))
        elif move.name == "REDUCE":
            asks.append(
                draw.choice(
                    ("head(i)", "head(i), complete(i)", "complete(i)", "head(i), not exists x in β: gold i -> x")
                )
            )
        elif move.name == "SWAP":
            asks.append(
                draw.choice(("j <G i", "j <G i, i < j", "j <G i, mpc(i) != mpc(j)")) if not parts.several else "i < j"
            )
        if tags:
            asks.insert(0, f"gold tag {move.tags} l")
        if move.name == "SHIFT" and not asks and not third and draw.random() < 0.9:
            last = "SHIFT"
            continue
        if not asks and draw.random() < 0.4:
            continue
        text = f"{move.name}{'(l)' if label or tags else ''} {move.before}{third}"
        if move.name == "SHIFT":
            last = text + (f" if {', '.join(asks)}" if asks else "")
        elif asks:
            lines.append(text + f" if {', '.join(asks)}")
    return [*lines, *([last] if last else [])]


def _dynamic(draw: Random, moves: list[Move], parts: Parts) -> list[str]:
    lines = ["dynamic costs"]
    third = ", _" if parts.extra and parts.extra[0] in "fcs" else ", λ" if parts.extra else ""
    for move in moves:
        nodes = move.nodes or ["0"]
        gone = [one for one in nodes if one not in move.after.replace(",", "|").split("|")]
        summands = []
        for one in gone or nodes[:1]:
            summands += [f"#{{y in β: gold {one} -> y}}"] if draw.random() < 0.7 else []
            summands += [f"[gold head({one}) in β]"] if draw.random() < 0.5 else []
        if move.name == "SHIFT" and draw.random() < 0.7:
            summands += ["[gold head(i) in σ]", "#{y in σ: gold i -> y, no head(y)}"]
        if draw.random() < 0.2:
            summands.append(f"[{_condition(draw, move)}]")
        label = ""
        if parts.labels and move.arc and draw.random() < 0.6:
            head, dependent = move.arc
            label = "(l)"
            summands.append(f"[gold {head} -> {dependent}, not gold {head} -l-> {dependent}]")
        if draw.random() < 0.15 or not summands:
            summands.append(str(draw.randint(0, 1)))
        lines.append(f"cost {move.name}{label} {move.before}{third} = {' + '.join(summands)}")
    return lines


def _rewritten(draw: Random, lines: list[str]) -> list[str]:
    """Another figure that does nearly the same."""
    found = [lines[0].replace("drawn", "other"), *lines[1:]]
    match draw.randint(0, 3):
        case 0:
            return found
        case 1:
            place = draw.randrange(len(found))
            found[place] = found[place].replace("complete", "head") if "gold" in found[place] else found[place]
        case 2:
            place = draw.randrange(len(found))
            head, separator, guards = found[place].partition(" if ")
            kept = [one for one in guards.split(", ") if draw.random() < 0.6 or "gold" in one]
            if separator and not any(mark in guards for mark in ("exists", "all ", "degree")):
                found[place] = head + (f" if {', '.join(kept)}" if kept else "")
        case _:
            place = draw.randrange(len(found))
            swapped = draw.choice(
                (("gold j -", "gold i -"), ("tag i", "tag j"), ("head(i)", "head(j)"), ("|i, j|", "|j, i|"))
            )
            found[place] = found[place].replace(*swapped)
    return found


# --- claims ----------------------------------------------------------------------------------------------------------


def _claims(draw: Random, moves: list[Move], parts: Parts, oracle: bool, dynamic: bool) -> list[str]:
    classes = TREES + GRAPHS[:4] if not parts.several else GRAPHS
    of_gold = TREES if not parts.several else GRAPHS
    relation = ("<=", "<=", "<=", "=", ">=")
    names = [move.name for move in moves]

    def graphs() -> str:
        return draw.choice(classes)

    made = [
        f"sound {graphs()}", f"sound {graphs()}", f"complete {graphs()}", f"complete {graphs()}", "terminates",
        f"length {draw.choice(relation)} {draw.choice(BOUNDS)}",
        f"length {draw.choice(relation)} {draw.choice(BOUNDS)} + {draw.choice(('', '2 '))}#{draw.choice(names)}",
        f"#{draw.choice(names)} {draw.choice(relation)} {draw.choice(BOUNDS)}",
        f"space {draw.choice(('<=', '<=', '='))} {draw.choice(('2n + 1', 'n + 1', '3n + 1', '2n', '3n'))}",
        f"{draw.choice(('', 'weakly ', 'strictly '))}incremental", "no dead ends", "unambiguous", f"equivalent to {OTHER}",
    ]  # fmt: skip
    if not parts.several:
        made += [f"arc-decomposable on {draw.choice(of_gold)}"] * 2
    if oracle:
        made += [f"like {OTHER} on {draw.choice(of_gold)}"] * 2
    some = draw.sample(made, draw.randint(3, 5))
    if dynamic:
        some += [f"{kind} costs on {draw.choice(of_gold)}" for kind in draw.sample(("exact", "safe", "never stuck"), 2)]
    chosen = list(dict.fromkeys(some))
    return [f"not {one}" if draw.random() < 0.08 else one for one in chosen]

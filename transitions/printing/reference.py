"""The reference of the specification language, as Markdown, from the grammar and from the docstrings of the syntax
tree.

Every rule of `grammar.lark` is printed with its terminals spelled out, and each group of rules is followed by what they
mean: the docstrings of the parts of the tree that they build.  `MEANS` says which those are; a rule missing from it is
an error, so that nothing goes undocumented.

`python -m arcproof.transitions.printing.reference` prints it; `docs/language.md` is kept equal to that by a test.
"""

import re
from collections.abc import Iterator
from importlib.resources import files
from textwrap import wrap
from typing import Final

from arcproof.transitions import syntax as s
from arcproof.transitions.gold import GOLD_FUNCTIONS
from arcproof.transitions.loss_functions import LOSS_FUNCTIONS
from arcproof.transitions.reading.spelling import GREEK
from arcproof.transitions.reading.vocabulary import ADJECTIVES, GRAPH_ADJECTIVES, GRAPH_MEASURES, MEASURES

from arcproof.process.lazy_dataclass import dataclass

_HEADING: Final = re.compile(r"^// --- (?P<title>.*?) -*$")
_RULE: Final = re.compile(r"^\??(?P<name>[a-z_]+) *:")
_TERMINAL: Final = re.compile(r"^(?P<name>_?[A-Z][A-Z_]*)(?:\.[0-9]+)? *: *(?P<body>.*)$")
_ALIAS: Final = re.compile(r" *-> (?P<name>[a-z_]+) *$")

Means = tuple[type | str, ...] | str

MEANS: Final[dict[str, Means]] = {
    "system": "the name of the system; a file holds one",
    "cite": "where the figure is printed",
    "note": "a remark that is printed with the figure; may be repeated",
    "parameter": "a parameter with its default; `covington[d=1]` gives another value",
    "shared": "a node may be in two sequences at the same time",
    "several": "a word may have several heads: a second head is not a violation, and any graph may be a gold graph, cycles included. Only adding the same "
    "arc again, whatever its label, and an arc into 0 are violations; `head(i)` asks for at least one head, `remove * -> i` removes all arcs into i",
    "state": "the components of a configuration; the arcs A are always part of it",
    "start": "the value of each component in the initial configuration",
    "root": (
        "node 0 takes no part in runs, and words without a head count as dependents of 0, in outputs and in gold graphs; "
        "every verdict on trees says so. A figure whose `start` has no 0 and that does not say `root none` is read "
        "literally: a word without a head has none, so no output with words is a tree, and `check` warns. "
        "(Ballesteros & Nivre 2013 compare root nodes at the beginning, at the end, and none.)"
    ),
    "final": "when a run ends: at the first configuration in which all of these hold",
    "invariant": "what the author says holds in every reachable configuration: it is checked, and the prover may use it "
    "once it is proved",
    "invariant_of": (
        s.OracleInvariant,
        "it may ask for the gold graph and `|A|`; it is checked, and the prover uses it once it is proved",
    ),
    "measure": (
        s.GivenMeasure,
        "the prover tries it before its own functions, and uses it only if it is proved to decrease",
    ),
    "lemma": (
        s.GivenLemma,
        "it must follow from what it names; `examples/helping-the-prover.md` shows how to help the prover",
    ),
    "default": "what a parser falls back to when the predicted transition is not permissible",
    "oracle": (s.Oracle,),
    "dynamic": (
        s.DynamicOracle,
        "where no line for a transition matches, its cost is undefined, and `exact`, `safe` and `never "
        "stuck` are all refuted",
    ),
    "claims": "the claims follow this word, one per line",
    "component": (),
    "sequence_component": (s.SequenceComponent,),
    "value_component": (s.ValueComponent,),
    "start_value": (),
    "truth": (s.FlagLiteral,),
    "number": (s.Number,),
    "empty_set": "the empty set",
    "rule": (s.Rule,),
    "oracle_line": (s.OracleLine,),
    "target": "what `arcproof reach` is asked for: components by their names, nodes by their numbers, `#SWAP` for how "
    "often a transition occurs in the run",
    "cost_line": (s.CostLine,),
    "loss_line": (s.LossOf, "the functions are listed at the end"),
    "cost": "a sum of counts, truth values and numbers",
    "cost_part": (),
    "count_of": (s.CountOf,),
    "truth_value": (s.TruthOf,),
    "label": "the label of the arc that the transition adds, or of the word that it tags; labels never guard a "
    "transition",
    "patterns": "one for each component, in declared order",
    "pattern": (s.AnyValue,),
    "updates": "one for each component, in declared order",
    "update": (),
    "changed": (s.CounterFrom, "after `=>`: `U + b - s`, the set with b and without s"),
    "truth_of": (s.FlagFrom,),
    "sequence": (s.SequenceOf,),
    "named": (s.Cell, s.Segment),
    "item": "after `=>` and in conditions, `0` only where the pattern has it",
    "effect": (),
    "add_arc": (s.AddArc,),
    "remove_arcs": (s.RemoveArcs,),
    "tag_node": (s.TagNode,),
    "arrow": (),
    "literal": (s.LiteralSequence,),
    "range": "`1..n`, or a single node such as `0`",
    "conditions": "all of them hold; the comma is a weak `and`",
    "disjunction": (s.Or,),
    "conjunction": (s.And,),
    "negation": (),
    "negated": (s.Not,),
    "quantified": (s.Quantified,),
    "atom": (),
    "flag": (s.IsSet,),
    "comparison": ("`i != 0`, `0 < i < j`: a chain of relations between terms", s.SequenceIs),
    "has_arc": (s.HasArc,),
    "reaches": (s.Reaches,),
    "connected": (s.Connected,),
    "precedes": (s.Precedes,),
    "member": (s.InSet, s.InSequence),
    "not_member": "the opposite",
    "gold_arc": (s.GoldArc,),
    "gold_tag": (s.GoldTag,),
    "gold_head_in": "the gold head of i is in the sequence; in costs only",
    "operand": (),
    "sum": (s.Arithmetic,),
    "primary": (),
    "infinity": (s.Infinity,),
    "name": (s.Variable, s.CounterVariable, s.FlagValue, s.Parameter, s.Words),
    "call": (
        s.HasHead,
        s.HasDependent,
        s.Complete,
        "`degree(i, j)`: how many words strictly between the two have no head, or a head outside i to j "
        "(Nivre 2007, Definition 3)",
        "`mpc(i)`: a notion of the gold graph computed by an algorithm; these are listed at the end",
    ),
    "size": (s.Size, s.ArcCount),
    "claim": (),
    "negated_claim": "the statement fails, and a counterexample is found; a witness may be given where the smallest is out of "
    "reach, by its heads or, of graphs, by its arcs: `witness 0>1 2>1`",
    "refuted_claim": "the statement was published; the claim is met when it is refuted, and not only by the sentence without "
    "words",
    "statement": (),
    "sound": (s.Sound,),
    "complete": (s.CompleteFor,),
    "length": (s.LengthBound,),
    "count_bound": (s.CountBound,),
    "space": (s.SpaceBound,),
    "incremental": (s.Incremental,),
    "like": (s.SameTransitions,),
    "equivalent": (s.SameOutputs,),
    "exact": (s.Exact,),
    "safe": (s.Safe,),
    "never_stuck": (s.NeverStuck,),
    "arc_decomposable": (s.ArcDecomposable,),
    "graphs": (s.GraphClass,),
    "degree": (s.Restriction,),
    "polynomial": (),
    "product": (),
    "times": "multiplication; the sign may be left out, as in `2n` and `n(n - 1)`",
    "divided": "division by a number",
    "power": (),
    "to_the": "a power",
    "squared": "the same as `^2`",
    "factor": (),
    "count": (s.Count,),
    **{rule: (kind,) for rule, kind in s.BARE_STATEMENTS.items()},
}


BASE_MEANINGS: Final[dict[s.Base, str]] = {
    "forests": "*Forests* are well-formed graphs: 0 has no head, no word has two heads, there is no cycle.",
    "trees": "*Trees* are forests in which every word has a head; 0 may have several dependents.",
    "graphs": "*Graphs* are all sets of arcs from a node to another one, none into 0, at most one from a node to another:\n"
    "words may have several heads, and there may be cycles, including from i to j and back.",
}


@dataclass(frozen=True, slots=True)
class Group:
    """The rules under one heading of the grammar."""

    title: str
    lines: tuple[str, ...]


def grammar_text() -> str:
    """The grammar."""
    return files("arcproof.transitions.reading").joinpath("grammar.lark").read_text(encoding="utf-8")


def groups(text: str) -> list[Group]:
    """The rules by heading; those before the first heading are the statements."""
    found: list[tuple[str, list[str]]] = [("statements", [])]
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading:
            found.append((heading["title"], []))
        elif not line.startswith(("//", "%")):
            found[-1][1].append(line.rstrip())
    return [Group(title, tuple(lines)) for title, lines in found]


def rule_names(group: Group) -> list[str]:
    """The names of rules and of their alternatives, in the order in which they occur."""
    names: list[str] = []
    for line in group.lines:
        names += [found["name"] for found in (_RULE.match(line), _ALIAS.search(line)) if found]
    return list(dict.fromkeys(names))


def terminals(text: str) -> dict[str, str]:
    """The words and symbols, each with its spellings."""
    found = (_TERMINAL.match(line) for line in text.splitlines())
    return {match["name"]: _spellings(match["body"]) for match in found if match}


def _spellings(body: str) -> str:
    """`/and\\b|∧/` is written `and` or `∧`; a pattern of characters stays as it is."""
    parts = re.findall(r'"[^"]*"|/(?:[^/\\]|\\.)*/', body)
    if not all(
        re.fullmatch(r'"[^"]*"|/(?:\([\w|]+\)|[\w∃∀∧∨¬∈∞])+(?:\\b)?(?:\|[^\w\\\[\](]+|\|\w+(?:\\b)?)*/', part)
        for part in parts
    ):
        return f"pattern `{body}`".replace("|", "\\|")
    words = [word for part in parts for word in re.split(r"[|()]", part.strip('"/').replace("\\b", "")) if word]
    if any(part.strip('"') == "|" for part in parts):
        words = ["|"]
    return " or ".join(f"`{word}`" for word in words).replace("`|`", "`\\|`")


def reference() -> str:
    """The whole document."""
    text = grammar_text()
    told: set[str] = set()
    return (
        "\n".join(
            [
                "# The specification language",
                "",
                "This page is generated from the grammar and the syntax tree (`make docs`), and the tests "
                "compare it with them.",
                "For a first figure of your own read [the tutorial](tutorial.md) instead.",
                "",
                "One file holds one figure, one statement per line.",
                "A line that begins with `=>`, `add`, `remove`, `if`, `and`, `or`, `+` or a comma continues the one before.",
                "`--` starts a comment.",
                "After `oracle NAME` come oracle lines, after `dynamic NAME` the costs of transitions, after `claims` come claims,",
                "up to the next keyword.",
                "",
                "```console",
                "$ arcproof new my-system",
                "my-system.tsys written; next: arcproof check my-system.tsys",
                "$ arcproof check my-system.tsys",
                "my-system.tsys: ok: system my-system, 3 transitions, oracles: static, 3 claims",
                "  LEFT-ARC drops i",
                "  RIGHT-ARC drops j",
                "```",
                "",
                "Names in Latin letters stand for one node, names in Greek letters and the names of components for a run of nodes.",
                *wrap(f"Greek letters may be spelled out: {', '.join(f'`{word}`' for word in sorted(GREEK))}.", 118),
                "In the grammar `[x]` may be left out, `x*` may be repeated or left out, `x+` may be repeated,",
                "and words in capitals are defined in the last section.",
                *(line for group in groups(text) for line in _section(group, text, told)),
                *_vocabulary(),
            ]
        )
        + "\n"
    )


def _section(group: Group, text: str, told: set[str]) -> Iterator[str]:
    yield from ("", f"## {group.title.capitalize()}", "")
    if group.title == "words and signs":
        yield from ("| word | is written as |", "|---|---|")
        yield from (f"| `{name}` | {spelled} |" for name, spelled in terminals(text).items())
        return
    yield from ("```", *_trimmed(group.lines), "```", "", "| part | means |", "|---|---|")
    for name in rule_names(group):
        if name in told:
            continue
        told.add(name)
        for meaning in meanings(name):
            yield f"| {name.replace('_', ' ')} | {_cell(meaning)} |"


def _trimmed(lines: tuple[str, ...]) -> list[str]:
    shown = [re.sub(r"^\?([a-z_]+)", r"\1 ", _ALIAS.sub("", line)).rstrip() for line in lines]
    while shown and not shown[0]:
        shown.pop(0)
    while shown and not shown[-1]:
        shown.pop()
    return shown


def meanings(name: str) -> list[str]:
    """What a rule of the grammar means, in sentences without a full stop; nothing where its alternatives say it."""
    means = MEANS[name]
    return [means] if isinstance(means, str) else [doc(part) for part in means]


def doc(part: type | str) -> str:
    """What a part of the tree means: its docstring, as one line without a full stop."""
    if isinstance(part, str):
        return part
    return " ".join((part.__doc__ or "").split()).removesuffix(".")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _vocabulary() -> Iterator[str]:
    yield from ("", "## Classes of graphs", "")
    yield from (BASE_MEANINGS["forests"], BASE_MEANINGS["trees"])
    yield "Adjectives stand before the base word, measures after it: `well-nested trees with gap-degree <= 1`."
    yield from ("", "| word | means |", "|---|---|")
    yield from (f"| `{word}` | {meaning} |" for word, meaning in ADJECTIVES.items())
    yield from (f"| `with {word} <= k` | {meaning} |" for word, meaning in MEASURES.items())
    yield from (
        "",
        BASE_MEANINGS["graphs"],
        "They have words of their own, `connected planar acyclic graphs with heads <= 2`;",
        "words about subtrees do not apply to them.",
        "A figure without `several heads` may claim classes of graphs as well, because a forest is a graph.",
    )
    yield from ("", "| word | means, for graphs |", "|---|---|")
    yield from (f"| `{word}` | {meaning} |" for word, meaning in GRAPH_ADJECTIVES.items())
    yield from (f"| `with {word} <= k` | {meaning} |" for word, meaning in GRAPH_MEASURES.items())
    yield from ("", "## Functions of the gold graph", "", "| function | means |", "|---|---|")
    yield from (f"| `{name}(i)` | {function.meaning} |" for name, function in GOLD_FUNCTIONS.items())
    yield from ("", "## Loss functions", "", "| function | of | counts |", "|---|---|---|")
    yield from (
        f"| `{name}` | {', '.join(function.parameters)} | {function.meaning} |"
        for name, function in LOSS_FUNCTIONS.items()
    )


if __name__ == "__main__":
    import sys

    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    print(reference(), end="")

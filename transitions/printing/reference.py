"""The reference of the specification language, as Markdown, from the grammar and from the docstrings of the syntax
tree.

A figure with remarks and a table of contents by task come first.  Then every construct has a row with an example and
its meaning, which is the docstring of the part of the tree that it builds.  `MEANS` says which part that is, `TOPICS`
in which section the row stands; a rule of `grammar.lark` that is missing from either is an error, so that nothing goes
undocumented.  The grammar itself, with its terminals spelled out, comes last.

`python -m arcproof.transitions.printing.reference` prints it; `docs/language.md` is kept equal to that by a test, and
another test reads every example.
"""

import re
from collections.abc import Iterator
from importlib.resources import files
from textwrap import wrap
from typing import Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import syntax as s
from arcproof.transitions.gold import GOLD_FUNCTIONS
from arcproof.transitions.loss_functions import LOSS_FUNCTIONS
from arcproof.transitions.reading.spelling import GREEK
from arcproof.transitions.reading.vocabulary import ADJECTIVES, GRAPH_ADJECTIVES, GRAPH_MEASURES, MEASURES

_HEADING: Final = re.compile(r"^// --- (?P<title>.*?) -*$")
_TERMINAL: Final = re.compile(r"^(?P<name>_?[A-Z][A-Z_]*)(?:\.[0-9]+)? *: *(?P<body>.*)$")
_ALIAS: Final = re.compile(r" *-> (?P<name>[a-z_]+) *$")
_CODE: Final = r"`[^`]+`(?:(?:, | and )`[^`]+`)*"
_SHOWN: Final = re.compile(rf"(?P<example>{_CODE})(?:[:;] (?P<text>.+))?")

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
        "node 0 takes no part in runs, and oracles see gold graphs without the arcs from 0. Words without a head count as "
        "dependents of 0 where an output is compared with trees or with the outputs of another system, and such a "
        "verdict says so; in classes of forests and of graphs they have no head, and no graph with an arc from 0 is an "
        "output. A figure whose `start` has no 0 and that does not say `root none` is read literally: a word without a "
        "head has none, so no output with words is a tree, and `check` warns. "
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
    "claims": "the claims follow this word, one per line; they are about sentences of at least one word",
    "component": (),
    "sequence_component": (
        s.SequenceComponent,
        "a sequence of nodes; its head, the end that transitions usually look at, is at the right of a stack, at the left of a "
        "buffer, and on the side given of a list",
    ),
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
    "loss_line": (s.LossOf, "the functions are listed under *Loss functions*"),
    "cost": "a sum of counts, truth values and numbers",
    "cost_part": (),
    "count_of": (s.CountOf,),
    "truth_value": (s.TruthOf,),
    "label": "the label of the arc that the transition adds, or of the word that it tags; labels never guard a "
    "transition",
    "patterns": "what the components look like before: a pattern for each, in the order of `state`",
    "pattern": (s.AnyValue,),
    "updates": "what the components are afterwards: an expression for each, in the order of `state`",
    "update": (),
    "changed": (
        "`k + 1`, `k - n`: after `=>`, the new value of a counter",
        "`U + b - s`: after `=>`, the set with b and without s",
    ),
    "truth_of": (s.FlagFrom,),
    "sequence": (s.SequenceOf,),
    "named": (s.Cell, s.Segment),
    "item": "an item is a node, a run of nodes, or `0`; after `=>` and in conditions, `0` may stand only where the pattern "
    "has it",
    "effect": (),
    "add_arc": (s.AddArc,),
    "remove_arcs": (s.RemoveArcs,),
    "tag_node": (s.TagNode,),
    "arrow": (),
    "literal": (s.LiteralSequence,),
    "range": "`1..n`, or a single node such as `0`",
    "conditions": "all of them hold; the comma is an `and` that binds less tightly than `or`",
    "disjunction": (s.Or, "at least one of them holds"),
    "conjunction": (s.And,),
    "negation": (),
    "negated": (s.Not,),
    "quantified": (s.Quantified,),
    "atom": (),
    "flag": (s.IsSet,),
    "comparison": (
        "`i != 0`, `0 < i < j`: a chain of relations between terms",
        s.SequenceIs,
        "whether a sequence consists of exactly these nodes",
    ),
    "has_arc": (s.HasArc,),
    "reaches": (s.Reaches,),
    "connected": (s.Connected,),
    "precedes": (s.Precedes,),
    "member": (s.InSet, s.InSequence),
    "not_member": "`b not in U`: not a member",
    "gold_arc": (s.GoldArc,),
    "gold_tag": (s.GoldTag,),
    "gold_head_in": "`gold head(i) in β`: the gold head of i is in the sequence; in costs only",
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
        "`mpc(i)`: a notion of the gold graph computed by an algorithm; all are listed under *Functions of the gold graph*",
    ),
    "size": (s.Size, s.ArcCount),
    "claim": (),
    "negated_claim": "the statement fails, and a counterexample is found; a witness may be given where the smallest is out of "
    "reach, as a list of heads or, for graphs, of arcs: `witness 0>1 2>1`",
    "refuted_claim": "the statement was published; the claim is met when it is refuted",
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
    "graphs": "`projective forests`, `well-nested trees with gap-degree <= 1`, `acyclic graphs with heads <= 2`: a class of graphs; "
    "all words are listed under *Classes of graphs*",
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


EXAMPLES: Final[dict[str, tuple[str, ...]]] = {
    "system": ("system arc-eager",),
    "cite": ('cite "Nivre 2008, Figure 5"',),
    "note": ('note "The root is at the end."',),
    "parameter": ("parameter d = 2",),
    "shared": ("shared",),
    "several": ("several heads",),
    "state": ("state stack σ, buffer β",),
    "start": ("start [0], [1..n]",),
    "root": ("root none",),
    "final": ("final β = []",),
    "invariant": ("invariant all i in β: no head(i)",),
    "default": ("default SHIFT",),
    "oracle": ("oracle reduce-late",),
    "dynamic": ("dynamic goldberg-nivre",),
    "claims": ("claims",),
    "truth": ("true",),
    "number": ("0",),
    "empty_set": ("{}",),
    "rule": ("SHIFT σ, i|β => σ|i, β",),
    "target": ("#SWAP = 2, σ = [0, 3, 1]",),
    "cost": ("#{k in β: gold s -> k} + 1",),
    "label": ("LEFT-ARC(l) σ|i, j|β => σ, j|β add j -l-> i",),
    "patterns": ("σ|i, j|β",),
    "pattern": ("k",),
    "updates": ("σ, j|β",),
    "truth_of": ("(β = [])",),
    "sequence": ("σ|i|j",),
    "named": ("i", "τ"),
    "item": ("σ|0",),
    "add_arc": ("add j -l-> i",),
    "range": ("[1..n]",),
    "conditions": ("i != 0, no head(i)",),
    "flag": ("e",),
    "name": ("i", "k", "e", "d"),
    "negated_claim": ("not complete trees, witness 2,3,5,0,4,0,1",),
    "refuted_claim": ("published complete trees, refuted",),
    "sound": ("sound projective forests",),
    "complete": ("complete projective forests",),
    "terminates": ("terminates",),
    "degree": ("trees with gap-degree <= 1",),
    "times": ("2n",),
    "divided": ("n(n - 1)/2",),
    "to_the": ("n^2",),
    "squared": ("n²",),
}
"""An example for each meaning that does not begin with one."""

FIGURE: Final = """\
system example                             -- the name; `--` starts a comment
  cite    "Author Year, Figure N"

  state   stack σ, buffer β                -- what a configuration consists of, besides the arcs
  start   [0], [1..n]                      -- the stack holds the root, the buffer the words 1 to n
  final   σ = [0], β = []                  -- a run ends as soon as this holds

  -- transitions: name, before => after, the arc that is added, preconditions
  LEFT-ARC(l)    σ|i, j|β  =>  σ, j|β      add j -l-> i   if i != 0
  RIGHT-ARC(l)   σ|i|j, β  =>  σ|i, β      add i -l-> j
  SHIFT          σ, i|β    =>  σ|i, β

  default SHIFT                            -- taken if the predicted transition is not permissible

  oracle static                            -- how to reach a gold graph: the first line that applies
    LEFT-ARC(l)    σ|i, j|β   if gold j -l-> i, complete(i)
    RIGHT-ARC(l)   σ|i|j, β   if gold i -l-> j, complete(j)
    SHIFT

  claims                                   -- what the author says is true
    sound        projective trees
    complete     projective trees
    length       = 2n
"""

_INTRODUCTION: Final = """\
# The specification language

A specification is a text file with one figure, written much as papers print it.
This page explains every line that such a file can have.
To write a first figure of your own, start with [the tutorial](tutorial.md).
This page is generated from the grammar and the syntax tree (`make docs`), and tests compare it with them.

- [A figure, line by line](#a-figure-line-by-line)
- [How to read a transition](#how-to-read-a-transition)
- [I want to say](#i-want-to-say): the constructs by task
- [Classes of graphs](#classes-of-graphs), [functions of the gold graph](#functions-of-the-gold-graph)
  and [loss functions](#loss-functions): what the words mean
- [The grammar](#the-grammar), in full

## A figure, line by line
"""

_READING: Final = """\
`arcproof new NAME` writes a file like this to start from, and `arcproof check FILE` reports every mistake in it:

```console
$ arcproof new my-system
my-system.tsys written; next: arcproof check my-system.tsys
$ arcproof check my-system.tsys
my-system.tsys: ok: system my-system, 3 transitions, oracles: static, 3 claims
  LEFT-ARC drops i
  RIGHT-ARC drops j
```

One statement takes one line.
A line that begins with `=>`, `add`, `remove`, `tag`, `if`, `and`, `or`, `+` or a comma continues the one before;
a line that begins with `using` or `by` continues a lemma.
Oracle lines follow `oracle NAME`, the costs of transitions follow `dynamic NAME`, and claims follow `claims`;
each of these sections ends at the next keyword.

## How to read a transition

```
LEFT-ARC(l)    σ|i, j|β  =>  σ, j|β      add j -l-> i   if i != 0
```

| part | says |
|---|---|
| `LEFT-ARC(l)` | the name; l stands for the label of the new arc |
| `σ\\|i, j\\|β` | the *pattern*, one part for each component in the order of `state`: the stack has a top node, call it i, and σ is everything below; the buffer has a first node, call it j, and β is everything after it |
| `=>` | before and after |
| `σ, j\\|β` | the components afterwards: i is gone from the stack, the buffer is as it was |
| `add j -l-> i` | adds the arc from j to i with the label l |
| `if i != 0` | a *precondition*: i is not the root |

The transition is *permissible* in a configuration if the pattern matches and every precondition holds.

- A *node* is a word, numbered 1 to n, or the root, 0.
- A name in Latin letters, such as i, stands for one node, or for the value of a flag, counter or set.
- A name in Greek letters, or the name of a component, stands for a run of nodes of any length, possibly empty:
  a *segment*.
  If a pattern has an open segment in its middle, as τ in `σ|i|τ`, its length is chosen:
  `LEFT-ARC[2]` skips one node.
- `|` separates the items of a sequence; `·` joins two segments.
  Items stand in the order in which the sequence is printed:
  the top of a stack is at the right, the front of a buffer at the left.
- Between conditions, a comma means *and*.
"""


@dataclass(frozen=True, slots=True)
class Topic:
    """A section of the reference: tasks with an example each, an introduction, and the rules that it explains."""

    title: str
    introduction: str
    tasks: tuple[tuple[str, str], ...]
    rules: tuple[str, ...]

    @property
    def anchor(self) -> str:
        """The address of the section on the page."""
        return self.title.lower().replace(" ", "-")


TOPICS: Final = (
    Topic(
        "Name a figure",
        "Every file begins with `system`; the other lines here are optional.",
        (
            ("what the system is called, and where it is printed", 'cite "Nivre 2008, Figure 5"'),
            ("that a number can be chosen when the system is run", "parameter d = 2"),
        ),
        ("system", "cite", "note", "parameter"),
    ),
    Topic(
        "Describe configurations",
        "`state` names the components of a configuration; `start` and `final` say where runs begin and end.\n"
        "The set A of arcs is always part of a configuration and is not declared.",
        (
            ("what a configuration consists of", "state stack σ, buffer β"),
            ("where a run starts", "start [0], [1..n]"),
            ("where a run ends", "final β = []"),
            ("that node 0 takes no part in runs", "root none"),
            ("that a word may have several heads", "several heads"),
        ),
        (
            "state", "sequence_component", "value_component", "start", "literal", "range", "truth", "number", "empty_set",
            "final", "root", "shared", "several",
        ),
    ),
    Topic(
        "Write a transition",
        "A transition says what the components look like before and after it, and what happens to the arcs.\n"
        "Several lines may have the same name; each is a case of that transition.",
        (
            ("that a transition moves a node", "SHIFT σ, i|β => σ|i, β"),
            ("that a transition adds an arc", "LEFT-ARC(l) σ|i, j|β => σ, j|β add j -l-> i"),
            ("that it looks past other nodes", "LEFT-ARC(l) σ|i|τ, j|β => σ|τ, j|β add j -l-> i"),
            ("that it replaces a head", "remove * -> i"),
            ("that it counts, or remembers a node", "U + i"),
            ("that it tags a word", "tag i p"),
        ),
        (
            "rule", "label", "patterns", "sequence", "named", "item", "pattern", "updates", "changed", "truth_of", "add_arc",
            "remove_arcs", "tag_node",
        ),
    ),
    Topic(
        "Write a condition",
        "Conditions follow `if` in transitions and oracle lines, and make up `final` and `invariant`.\n"
        "What `arcproof reach` looks for is a condition, too.",
        (
            ("that i is a word without a head", "i != 0, no head(i)"),
            ("that an arc would not close a cycle", "not i ->* j"),
            ("that two words are in the order of the sentence", "i < j"),
            ("that something holds for every node of a sequence", "all x in τ: head(x)"),
            ("how long a sequence is", "|τ| < d"),
        ),
        (
            "conditions", "conjunction", "disjunction", "negated", "quantified", "comparison", "flag", "has_arc", "reaches",
            "connected", "call", "member", "not_member", "precedes", "name", "size", "sum", "infinity", "count", "target",
        ),
    ),
    Topic(
        "Say what an oracle does",
        "An oracle is a list of lines under `oracle NAME`; in each configuration the first line that applies is followed.\n"
        "Its conditions are those above, and it may look at the gold graph: `gold j -l-> i`, `complete(i)`, `i <G j`.\n"
        "[A new oracle](new-oracle.md) shows how to write and check one.",
        (
            ("which transition leads to the gold graph", "LEFT-ARC(l) σ|i, j|β if gold j -l-> i"),
            ("that a word waits for its dependents", "complete(j)"),
            ("what a parser does if its prediction is not permissible", "default SHIFT"),
        ),
        ("oracle", "oracle_line", "gold_arc", "gold_tag", "default"),
    ),
    Topic(
        "Say what transitions cost",
        "A dynamic oracle gives the cost of every transition in every configuration, as sums or by a loss function.",
        (
            ("what a transition costs", "cost SHIFT σ, b|β = [gold head(b) in σ]"),
            ("that an algorithm computes the costs", "loss tabular(σ, β)"),
        ),
        ("dynamic", "cost_line", "cost", "count_of", "truth_value", "gold_head_in", "loss_line"),
    ),
    Topic(
        "Say what you claim",
        "Under `claims`, each line is a statement that `verify` checks and `prove` tries to prove.\n"
        "[Verdicts](verdicts.md) says what the answers mean.",
        (
            ("that every output is in a class", "sound projective trees"),
            ("that every graph of a class can be derived", "complete projective trees"),
            ("how many transitions a run takes", "length <= 2n"),
            ("how often a transition occurs", "#SWAP <= n(n - 1)/2"),
            ("that costs are right", "exact goldberg-nivre on projective trees"),
            ("that two systems derive the same graphs", "equivalent to attardi"),
            ("that a claim fails", "not complete trees"),
        ),
        (
            "claims", "sound", "complete", "terminates", "length", "count_bound", "space", "incremental", "no_dead_ends",
            "unambiguous", "like", "equivalent", "exact", "safe", "never_stuck", "arc_decomposable", "negated_claim",
            "refuted_claim", "graphs", "degree", "times", "divided", "to_the", "squared",
        ),
    ),
    Topic(
        "Help the prover",
        "These lines are never believed: each is checked, and used only if it is proved.\n"
        "[Helping the prover](../examples/helping-the-prover.md) goes through an example.",
        (
            ("what holds in every configuration", "invariant all i in β: no head(i)"),
            ("what holds on an oracle's way to a gold graph", "invariant of eager: all i in σ: complete(i)"),
            ("why every run ends", "measure V = 2|β| + |σ|"),
        ),
        ("invariant", "invariant_of", "measure", "lemma"),
    ),
)  # fmt: skip


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
    return "\n".join(_document()) + "\n"


def _document() -> Iterator[str]:
    text = grammar_text()
    yield from (_INTRODUCTION, "```", FIGURE + "```", "", _READING)
    yield from (*_greek(), "", "## I want to say", "", "| I want to say … | I write | more |", "|---|---|---|")
    for topic in TOPICS:
        for task, example in topic.tasks:
            yield f"| {task} | {_cell(f'`{example}`')} | [{topic.title}](#{topic.anchor}) |"
    for topic in TOPICS:
        yield from ("", f"## {topic.title}", "", topic.introduction, "", "| example | means |", "|---|---|")
        for name in topic.rules:
            yield from (f"| {_cell(example)} | {_cell(_sentence(meaning))} |" for example, meaning in rows(name))
    yield from _vocabulary()
    yield from ("", "## The grammar", "")
    yield "In the rules `[x]` may be left out, `x*` may be repeated or left out, `x+` may be repeated;"
    yield "words in capitals are those of the last table."
    for group in groups(text):
        yield from _group(group, text)


def _greek() -> list[str]:
    spelled = ", ".join(f"`{word}`" for word in sorted(GREEK))
    return wrap(f"Greek letters may be spelled out: {spelled}.", 118)


def _group(group: Group, text: str) -> Iterator[str]:
    yield from ("", f"### {group.title.capitalize()}", "")
    if group.title == "words and signs":
        yield from ("| word | is written as |", "|---|---|")
        yield from (f"| `{name}` | {spelled} |" for name, spelled in terminals(text).items())
    else:
        yield from ("```", *_trimmed(group.lines), "```")


def rows(name: str) -> list[tuple[str, str]]:
    """Examples of a rule of the grammar, each with its meaning."""
    examples = iter(EXAMPLES.get(name, ()))
    means = MEANS[name]
    parts = [means] if isinstance(means, str) else means
    found: list[tuple[str, str]] = []
    for part in parts:
        shown = _SHOWN.fullmatch(doc(part))
        if shown:
            found.append((shown["example"], shown["text"] or ""))
        elif found and isinstance(part, str):
            example, meaning = found[-1]
            found[-1] = (example, f"{_sentence(meaning)}. {_sentence(part)}" if meaning else part)
        else:
            found.append((f"`{next(examples)}`", doc(part)))
    return found


def _sentence(text: str) -> str:
    """It begins with a capital, unless that is the name of a node."""
    return text if text[1:2] == " " and text[0] != "a" else text[:1].upper() + text[1:]


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

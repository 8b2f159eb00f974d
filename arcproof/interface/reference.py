"""The reference of the Python interface, `docs/python.md`, from signatures, docstrings and the help of the commands.

python -m arcproof.interface.reference > docs/python.md
"""

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from textwrap import wrap
from typing import Any, Final

import click

from arcproof.commands import results
from arcproof.interface.arguments import COMMANDS_ONLY, PRINTING, command_of, keyword_of
from arcproof.interface.functions import FUNCTIONS
from arcproof.process.shown import Shown, WithDocument, WithLatex, WithPicture, WithTable

WIDTH: Final = 118

INTRODUCTION: Final = """\
# arcproof from Python

Every command that makes sense in Python is a function with the same name and the same defaults.
This page is generated from the docstrings by `make docs`; `examples/notebook.ipynb` shows the functions at work.

```python
>>> import arcproof
>>> arcproof.trace("arc-eager", [2, 0, 2], forms="We try it")
arc-eager, oracle reduce-late: 2,0,2 in 4 transitions
SHIFT LEFT-ARC RIGHT-ARC RIGHT-ARC
>>> explored = arcproof.explore("arc-standard", words=3)
>>> explored
arc-standard, 1 to 3 words
69 configurations, 30 outputs with 3 words
>>> [level.counted.outputs for level in explored.levels]
[2, 7, 30]
>>> arcproof.verify("arc-standard", "arc-hybrid", words=3, samples=0)
arc-standard: every claim is met (5 claims, 5 met, 0 refuted, 0 open)
arc-hybrid: every claim is met (5 claims, 5 met, 0 refuted, 0 open)

```

## Arguments

- A system is the name of a built-in one (`"covington[d=1]"`), the path of a specification, its text, or a `System`.
- Functions whose commands take several systems or files take several, one after the other.
- A gold graph is written (`"2,0,2"`), a list of heads (`[2, 0, 2]`, `None` for a word without a head), or a `Graph`.
- Options are given by name: `--sample-words` is `sample_words`, `--class` is `class_`.
- `None` leaves an option to the command: an environment variable, all cores, half of the memory.
- `memory` is a number of bytes or a text such as `"8G"`.

## What is raised

A mistake in what is given raises `ArcproofError`, in the words of the command line; nothing ends the process.

```python
>>> import arcproof
>>> arcproof.verify("arc-eager", words=99)
Traceback (most recent call last):
    ...
arcproof.transitions.errors.BadArgument: Invalid value for '--words': `99` is not a whole number from 0 to 20
>>> try:
...     arcproof.explore("arc-eagr")
... except arcproof.ArcproofError as error:
...     print(error)
there is no built-in system `arc-eagr` and no such file; did you mean arc-eager or arc-eager-2003 or arc-eager-graph?

```

`NotDerivable`, which `trace` raises, is an `ArcproofError` too, and so is `MissingPackage`, which says what to install.
That the engines contradict each other is a mistake of arcproof's, and raises `Contradiction`, which is not.
Ctrl-C and `timeout` end with a result that says what was known by then.

## What is returned

Results are frozen dataclasses.
`repr` is a few lines, `str` is what the command prints where there is a text for it, and a notebook shows HTML.
`exit_code` is that of the command; of a `Report` it is a method, which takes the verdict that is required,
as `--require` does (`"sampled"` by default), as text or as an `arcproof.Verdict`:

```python
>>> import arcproof
>>> arcproof.verify("arc-hybrid", words=3, samples=0).exit_code("exhausted")
0

```

{methods}
"""


def reference() -> str:
    """Return the whole page."""
    parts = [
        INTRODUCTION.format(methods="\n".join(_methods())),
        "## Functions\n",
        *map(_function, FUNCTIONS),
        "## Types of results\n",
        *(_result(kind) for kind in _own_results()),
        "## What has no function\n",
        *(_item(f"`arcproof {name}`: {reason}.") for name, reason in COMMANDS_ONLY.items()),
        "\nOptions that say how or where something is printed have no keyword:\n",
        *(_item(f"`{_option(name)}`: {instead}.") for name, instead in PRINTING.items()),
    ]
    return "\n".join(parts) + "\n"


def _option(name: str) -> str:
    command, _, keyword = name.rpartition(".")
    return f"{command} --{keyword.replace('_', '-')}".strip()


def _methods() -> Iterator[str]:
    rows = {
        WithDocument: ("to_json()", "the document of `--json`, as text"),
        WithTable: ("to_frame()", "a data frame of pandas (`pip install 'arcproof[frames]'`)"),
        WithPicture: ("_repr_svg_()", "the picture, or None if there is nothing to draw"),
        WithLatex: ("_repr_latex_()", "what `--format latex --fragment` prints"),
    }
    for base, (method, gives) in rows.items():
        kinds = sorted({f"`{kind.__name__}`" for kind in _kinds() if issubclass(kind, base)})
        yield _item(f"`{method}` gives {gives}, of {', '.join(kinds)}.")


def _kinds() -> list[type]:
    """Return all types of results, including those of studies."""
    from arcproof.properties.conformance.conform import Conformance
    from arcproof.properties.conformance.logs import LogCheck
    from arcproof.properties.finding import Finding
    from arcproof.properties.proving.prove import ProofReport
    from arcproof.properties.report import Report, SystemReport
    from arcproof.properties.studies.costs import CostStudy
    from arcproof.properties.studies.mutation import MutationReport
    from arcproof.properties.studies.reach import Reached
    from arcproof.properties.studies.repair import Repairs
    from arcproof.properties.studies.situation import Situated
    from arcproof.properties.studies.why import Why
    from arcproof.transitions.configuration import Derivation
    from arcproof.transitions.graph import Graph
    from arcproof.transitions.system import System

    studied: list[type] = [
        System, Graph, Derivation, Report, SystemReport, Finding, ProofReport, MutationReport, Why, Repairs, Reached,
        CostStudy, Situated, Conformance, LogCheck,
    ]  # fmt: skip
    return [*studied, *_own_results()]


def _own_results() -> list[type]:
    return [
        kind
        for kind in vars(results).values()
        if isinstance(kind, type) and issubclass(kind, Shown) and is_dataclass(kind)
    ]


def _function(name: str) -> str:
    function = FUNCTIONS[name]
    signature = inspect.signature(function)
    helps = {
        keyword_of(option): option.help or "" for option in command_of(name).params if isinstance(option, click.Option)
    }
    lines = [f"### `arcproof.{function.__name__}`\n", "```text", *_signature(function.__name__, signature), "```\n"]
    lines += [*_wrapped(str(inspect.getdoc(function))), ""]
    if "output" in signature.parameters and signature.parameters["output"].default is None and name != "reach":
        helps["output"] = "Where to write; without it nothing is written."
    told = [(keyword, helps[keyword]) for keyword in signature.parameters if helps.get(keyword)]
    lines += [_item(f"`{keyword}`: {_sentence(text)}") for keyword, text in told]
    return "\n".join([*lines, ""] if told else lines)


def _signature(name: str, signature: inspect.Signature) -> list[str]:
    """Return the signature without the types of parameters; editors find these in the source."""
    shown = [_parameter(parameter) for parameter in signature.parameters.values()]
    keywords = [p for p in signature.parameters.values() if p.kind is p.KEYWORD_ONLY]
    if keywords and not any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values()):
        shown.insert(len(shown) - len(keywords), "*")
    returned = signature.return_annotation
    returned = returned if isinstance(returned, str) else getattr(returned, "__name__", str(returned))
    text = f"{name}({', '.join(shown)}) -> {re.sub(r'arcproof[.a-z_]*[.]', '', returned)}"
    return wrap(text, WIDTH - 4, subsequent_indent="    ", break_on_hyphens=False, break_long_words=False)


def _parameter(parameter: inspect.Parameter) -> str:
    if parameter.kind is parameter.VAR_POSITIONAL:
        return f"*{parameter.name}"
    return parameter.name if parameter.default is parameter.empty else f"{parameter.name}={parameter.default!r}"


def _sentence(text: str) -> str:
    """Return the help of an option, with `--words` written as `words`."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"(?<![\w`])--([a-z]+(?:-[a-z]+)*)", lambda found: f"`{found[1].replace('-', '_')}`", text)
    return text if text.endswith((".", "]")) else f"{text}."


def _result(kind: Any) -> str:
    lines = [f"### `{kind.__name__}`\n", *_wrapped(str(inspect.getdoc(kind))), ""]
    known = [f"`{field.name}`" for field in fields(kind)]
    lines.append(_item(f"fields: {', '.join(known)}"))
    for name, member in vars(kind).items():
        if isinstance(member, property) and not name.startswith("_"):
            lines.append(_item(f"`{name}`: {_lower(str(inspect.getdoc(member)))}"))
        elif inspect.isfunction(member) and not name.startswith("_"):
            keywords = ", ".join(map(_parameter, [*inspect.signature(member).parameters.values()][1:]))
            lines.append(_item(f"`{name}({keywords})`: {_lower(str(inspect.getdoc(member)))}"))
    return "\n".join([*lines, ""])


def _lower(text: str) -> str:
    first, rest = text[:1], text[1:]
    return first.lower() + rest if rest[:1].islower() or rest[:1] == " " else text


def _item(text: str) -> str:
    return "\n".join(_wrapped(text, "- ", "  "))


def _wrapped(text: str, first: str = "", others: str = "") -> list[str]:
    return wrap(
        re.sub(r"\s+", " ", text), WIDTH, initial_indent=first, subsequent_indent=others, break_on_hyphens=False,
        break_long_words=False,
    )  # fmt: skip


if __name__ == "__main__":
    print(reference(), end="")

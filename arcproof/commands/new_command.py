"""`arcproof new`."""

import re
from pathlib import Path
from typing import Final

import click

from arcproof.commands.arguments import check_place
from arcproof.commands.command import Command

TEMPLATE: Final = """\
-- {name}: a transition system.  Lines like this one are comments.
-- `arcproof check {file}` looks for mistakes, `arcproof show {file}` prints the figure,
-- `arcproof trace {file} --heads 2,0,2` runs the oracle on a tree: word 1 hangs on 2, word 2 on 0, word 3 on 2.

system {name}
  cite    "Author Year, Figure N"

  -- The components of a configuration; the arcs A are always there.
  -- A stack has its head at the right, a buffer at the left; `list λ1 head right` says it for a list.
  -- There are also `flag e`, `counter k` and `set U`.  Names may be spelled σ or sigma.
  state   stack σ, buffer β

  -- Where a run starts, and when it ends.  Node 0 is the root, the words are 1..n.
  start   [0], [1..n]
  final   σ = [0], β = []

  -- What holds in every configuration, if you want it checked and used in proofs, one condition a line or several:
  -- invariant all i in β: no head(i)

  -- One transition a line: the configuration before and after, the arc it adds, its preconditions.
  -- Latin names stand for one node, Greek names for a run of nodes; every component is written on both sides.
  -- Preconditions: i != 0, 0 < i < j, head(i), no head(i), dependent(i), i ->* j (j can be reached from i), |σ| >= 2,
  -- all x in τ: head(x), exists x in τ: …, not, and, or.
  LEFT-ARC(l)    σ|i, j|β   =>  σ, j|β      add j -l-> i    if i != 0
  RIGHT-ARC(l)   σ|i|j, β   =>  σ|i, β      add i -l-> j
  SHIFT          σ, i|β     =>  σ|i, β

  -- What a parser does when the predicted transition is not permissible.
  default SHIFT

  -- How to reach a gold graph: the first line that matches wins.  `oracle none` if there is no such rule.
  -- Here you may also ask: gold j -l-> i, gold i -> j, complete(i) (all gold dependents of i are attached), i <G j.
  oracle static
    LEFT-ARC(l)    σ|i, j|β   if gold j -l-> i, complete(i)
    RIGHT-ARC(l)   σ|i|j, β   if gold i -l-> j, complete(j)
    SHIFT

  -- What you claim.  Classes: forests, trees, projective trees, … (`arcproof show` explains the words).
  -- Also: terminates, #SHIFT <= n, space <= 2n + 1, incremental, no dead ends, not complete trees.
  claims
    sound        projective trees
    complete     projective trees
    length       = 2n
"""

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")


@click.command("new", cls=Command)
@click.argument("name")
@click.option("-o", "--output", help="Where to write; default NAME.tsys here, - for standard output.")
def command(name: str, output: str | None) -> None:
    """Write a commented specification to start from, NAME.tsys: a small system that works.

    An existing file is never overwritten.

    \b
    Example:
      arcproof new my-system
    """
    if output == "-":
        click.echo(specification(name, f"{name}.tsys"), nl=False)
        return
    path = f"{name}.tsys" if output is None else output
    write_specification(name, path)
    click.echo(f"{path} written; next: arcproof check {path}")


def specification(name: str, file: str) -> str:
    """The text of a new specification; `file` is where it will be stored."""
    if not _NAME.fullmatch(name):
        raise click.UsageError(f"`{name}` is not a name for a system; use letters, digits and hyphens, as in my-system")
    return TEMPLATE.format(name=name, file=file)


def write_specification(name: str, path: str) -> str:
    """Write the specification to a new file; return the text."""
    text = specification(name, path)
    check_place(path)
    try:
        with Path(path).open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise click.UsageError(f"{path} exists already; choose another name or --output") from None
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror}") from None
    return text

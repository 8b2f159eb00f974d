"""A figure that holds, and ways to break it."""

from arcproof.transitions.library import source_of

GOOD = """\
system late-left
  state   stack σ, buffer β
  start   [0], [1..n]
  final   σ = [0], β = []

  LEFT-ARC(l)    σ|i|j, β   =>  σ, j|β      add j -l-> i    if i != 0
  RIGHT-ARC(l)   σ|i, j|β   =>  σ, i|β      add i -l-> j
  SHIFT          σ, i|β     =>  σ|i, β

  oracle static
    LEFT-ARC(l)    σ|i|j, β   if gold j -l-> i, complete(i)
    RIGHT-ARC(l)   σ|i, j|β   if gold i -l-> j, complete(j)
    SHIFT

  claims
    sound        projective trees
    complete     projective trees
    length       = 2n + #LEFT-ARC
"""

CLAIMS = ("sound projective trees", "complete projective trees", "length = 2n + #LEFT-ARC")


def changed(old: str, new: str, text: str = GOOD) -> str:
    """The figure with one thing changed; the change must be one."""
    assert old in text
    return text.replace(old, new)


def claiming(*claims: str) -> str:
    """The figure with these claims instead of its own."""
    head, _, _ = GOOD.partition("  claims\n")
    return head + ("  claims\n" + "".join(f"    {claim}\n" for claim in claims) if claims else "")


INCOMPLETE = changed("σ, j|β      add j", "σ|j, β      add j")
NO_PRECONDITION = changed("    if i != 0", "")
REVERSED_ARC = changed("add j -l-> i    if i != 0", "add i -l-> j    if i != 0")
ARC_TWICE = changed("=>  σ, i|β      add i -l-> j", "=>  σ|i, j|β    add i -l-> j")
WRONG_ORACLE = changed("gold i -l-> j, complete(j)", "gold i -l-> j")
ENDLESS = changed("final   σ = [0]", "final   |σ| >= 100")
BROKEN = changed("SHIFT          σ, i|β     =>  σ|i, β", "SHIFT          σ, i|β     =>  σ|k, β")
PARAMETER = """\
system bounded
  parameter d = 1
  state   stack σ, buffer β
  start   [0], [1..n]
  final   β = []

  SHIFT          σ, i|β     =>  σ|i, β      if |σ| <= d

  oracle none

  claims
    no dead ends
"""

SWAP = source_of("swap").partition("  claims\n")[0] + "  claims\n    complete non-projective trees\n"

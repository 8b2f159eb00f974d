"""Parts of theorems that nobody proved, for tests of what is said about them."""

from arcproof.properties.proving.trusted.discharge import Discharged
from arcproof.properties.proving.trusted.obligation import Written
from arcproof.properties.proving.trusted.solvers import Result


def discharged(*solvers: str) -> Discharged:
    """An obligation that these solvers are said to have discharged."""
    return Discharged(Written("made up", "(check-sat)"), tuple(Result(solver, "unsat", 0.1) for solver in solvers))


CHAIN = """system chain
  cite "in no paper"
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  SHIFT   σ, i|β    =>  σ|i, β
  ARC(l)  σ|i, j|β  =>  σ|j, β   add i -l-> j   if i < j

  oracle none

  claims
    sound projective forests
    length = n
"""
"""A figure whose proofs are short."""
SHORT = """system short
  cite "in no paper"
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  SHIFT   σ, i|β  =>  σ|i, β

  oracle none

  claims
    length = n
    space <= 2n + 1
"""

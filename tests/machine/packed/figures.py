"""Figures for the machine."""

MANY_LISTS = """system x
shared
state stack σ, buffer β, list a head left, list b head left, list c head left
start [0], [1..n], [1..n], [1..n], [1..n]
final β = []
LEFT(l)   σ|i, j|β, a, b, c => σ, j|β, a, b, c     add j -l-> i  if i != 0, no head(i)
RIGHT(l)  σ|i, j|β, a, b, c => σ|i|j, β, a, b, c   add i -l-> j  if no head(j)
REDUCE    σ|i, β, a, b, c   => σ, β, a, b, c                     if head(i)
SHIFT     σ, i|β, a, b, c   => σ|i, β, a, b, c
oracle static
  LEFT(l)   σ|i, j|β, a, b, c  if gold j -l-> i
  RIGHT(l)  σ|i, j|β, a, b, c  if gold i -l-> j
  REDUCE    σ|i, j|β, a, b, c  if head(i), exists k in σ: gold j -> k or gold k -> j
  SHIFT
claims
  complete projective forests
"""
"""For four words its configurations do not fit into two machine words."""

"""Proofs for every sentence length: the symbolic meaning of a figure, the invariants that are found, and the solvers
that check.
"""

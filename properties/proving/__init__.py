"""Proofs for every sentence length: the symbolic meaning of a figure, invariants that are found, solvers that check."""

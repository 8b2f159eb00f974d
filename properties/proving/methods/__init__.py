"""How claims are proved: one method per kind of claim, each a function of the `Prover`."""

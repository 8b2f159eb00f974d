"""How claims are proved: one method a kind of claim, each a function of the `Prover`."""

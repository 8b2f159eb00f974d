"""What the prover knows: candidates for invariants, gold axioms, lemmas."""

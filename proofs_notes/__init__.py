"""What was proved and how: notes for readers, and the lemma files that the prover reads."""

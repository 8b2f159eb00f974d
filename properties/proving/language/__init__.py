"""The language of the proofs: terms, how they print as SMT-LIB and for people, what they are in finite models, lemma files."""

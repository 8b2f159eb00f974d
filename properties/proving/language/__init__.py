"""The language of the proofs: terms, how they print as SMT-LIB and for people, their values in finite models, lemma
files.
"""

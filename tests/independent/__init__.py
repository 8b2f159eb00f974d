"""A second opinion on every verdict.

A tiny interpreter of figures, written from docs/language.md and the definitions of the papers, which imports nothing of
arcproof but the syntax tree; random figures; and what `verify` and `prove` say of them compared with what is true.

- `interpreter`: configurations, transitions, oracles, costs.
- `classes`: all graphs of a class, by brute force.
- `claims`: each claim by its definition, for one number of words.
- `figures`: figures drawn at random.
- `judge`: verdicts against the truth.
"""

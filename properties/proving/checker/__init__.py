"""A proof checker that trusts no solver: it accepts only what its rules allow.

An *obligation* is a script in SMT-LIB 2.6 over integers, truth values and uninterpreted functions (`obligation`).  A
*proof* is one in cvc5's Cooperating Proof Calculus, as cvc5 prints it with the granularity `dsl-rewrite` (`proof`).
Whoever believes that an accepted obligation is unsatisfiable believes this folder, and nothing else: it imports nothing
of the rest of arcproof, no solver, and nothing outside the standard library.

What a step says, and why the rules are sound:

- A step C under the open assumptions H₁ … Hₖ says that C is true **in every model of the assertions and of H₁ … Hₖ,
  whatever values the variables that are free in C have**.  Every rule preserves this.
- An assumption must be closed.  Otherwise an equation that holds for one value of a variable could be carried under a
  quantifier of that variable.
- `(@quantifiers_skolemize F i)` is a term only if F is a closed ∀-formula; it denotes component i of a counterexample
  to F, and anything if there is none.  `(@purify t)` denotes t.
- Every term is well sorted when it is made, and terms with the same text are the same object (`terms`).
- Substitution refuses to capture a variable.  It renames nothing.
- A name is bound before it is used, and to one thing at a time.  What was shown under an assumption is out of sight,
  and its name free again, when the assumption is discharged.
- The last step must say `false`, with no assumption open.  All else that it rests on are assertions of the obligation,
  so no model satisfies them.

Rules are of two kinds: schemata, which are data (`rules.txt`, read by `schemata`), and programs, for what a schema
cannot say (`clauses`, `arithmetic`, `quantifiers`).  A rule that is in neither is refused, and `trust` is in neither.
"""

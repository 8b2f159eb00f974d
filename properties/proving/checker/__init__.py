"""A proof checker that trusts no solver: it accepts only what its rules allow.

An *obligation* is a script in SMT-LIB 2.6 over integers, truth values and uninterpreted functions (`obligation`).  A
*proof* is one in cvc5's Cooperating Proof Calculus, as cvc5 prints it with the granularity `dsl-rewrite` (`proof`).  To
believe that an accepted obligation is unsatisfiable, one has to trust this folder and nothing else: it imports nothing
from the rest of arcproof, no solver, and nothing outside the standard library.

What a step says, and why the rules are sound:

- A step C under the open assumptions H₁ … Hₖ says that C is true **in every model of the assertions and of H₁ … Hₖ,
  whatever the values of the free variables of C**.  Every rule preserves this.
- An assumption must be closed.  Otherwise an equation that holds for one value of a variable could be carried under a
  quantifier of that variable.
- `(@quantifiers_skolemize F i)` is a term only if F is a closed ∀-formula; it denotes component i of a counterexample
  to F, or anything if there is none.  `(@purify t)` denotes t.
- Every term is well sorted when it is made, and terms with the same text are the same object (`terms`).
- Substitution refuses to capture a variable.  It renames nothing.
- A name is bound before it is used, and to one thing at a time.  When an assumption is discharged, what was shown under
  it goes out of scope, and its names are free again.
- The last step must say `false`, with no assumption open.  Everything else that it rests on is an assertion of the
  obligation, so no model satisfies all of them.

Rules are of two kinds: schemata, which are data (`rules.txt`, read by `schemata`), and programs, for what a schema
cannot say (`clauses`, `arithmetic`, `quantifiers`).  A rule that is in neither is refused, and `trust` is in neither.
"""

"""The trusted core: obligations as text, the solvers that read them, premises that are satisfiable.

It is part of what must be trusted, but not all of it.  To believe that a claim is proved is to trust

- the reader, which turns the text into a figure (`transitions`);
- the meaning: that the terms say what the figure does, and are written as SMT-LIB (`meaning`, `language.terms`);
- the goals: that they amount to the claim for n >= 1 (`goals`);
- the methods: that the problems and the theorems that they put together are those of the meta-theorem (`methods`,
  `prover`);
- the axioms about gold graphs, as they are read (`library/axioms-*.lemmas`, `library.instances`);
- this core, with both solvers, or with the one that the verdict names if the other does not discharge everything: that
  the obligations are all that must be shown, and that each was discharged; and the verdict drawn from them
  (`theorem.judged`, `prove`).

If the checker accepted a proof of every obligation (`proof_objects`), it is trusted instead of the solvers (`checker`).

The search, the guesses, the lemmas and the certificates need not be trusted.  The core depends on none of them.
"""

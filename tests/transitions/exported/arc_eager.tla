---- MODULE arc_eager ----
\* arc-eager: a model for TLC, written by arcproof.
\*
\*   arc-eager   (Nivre 2003; Nivre 2008, Figure 5; Goldberg & Nivre 2012 (costs))
\*
\*   Initialization  ([0], [1, ..., n], ∅)
\*   Terminal        (σ, [], A)
\*
\*   Transitions
\*     LEFT-ARC_l   (σ|i, j|β, A)  ⇒  (σ, j|β, A ∪ {(j, l, i)})    i ≠ 0, ¬HEAD(i)
\*     RIGHT-ARC_l  (σ|i, j|β, A)  ⇒  (σ|i|j, β, A ∪ {(i, l, j)})  ¬HEAD(j)
\*     REDUCE       (σ|i, β, A)    ⇒  (σ, β, A)                    HEAD(i)
\*     SHIFT        (σ, i|β, A)    ⇒  (σ|i, β, A)
\*
\* For a sentence of 2 words, with this text in arc_eager.tla and beside it in arc_eager.cfg
\*
\*   CONSTANT n = 2
\*   INIT Init
\*   NEXT Next
\*
\* run (with -deadlock TLC does not report the end of a run as a deadlock)
\*
\*   java -XX:+UseParallelGC -cp tla2tools.jar tlc2.TLC -deadlock arc_eager
\*
\* "distinct states found" is the number of configurations that can be reached: the initial one counts, terminal ones
\* are not expanded, labels are left out. "states generated" is one more than the number of permissible transitions in them.
EXTENDS Integers, Sequences, FiniteSets

CONSTANT n
VARIABLES sigma, beta, arcs

Span(first, last) == [index \in 1 .. (last - first + 1) |-> first + index - 1]
HasHead(node) == node \in {arc[2] : arc \in arcs}

Init ==
  /\ sigma = <<0>>
  /\ beta = Span(1, n)
  /\ arcs = {}

Terminal ==
  /\ beta = <<>>

\* LEFT-ARC_l  (σ|i, j|β, A)  ⇒  (σ, j|β, A ∪ {(j, l, i)})  i ≠ 0, ¬HEAD(i)
LEFT_ARC ==
  /\ Len(sigma) >= 1
  /\ Len(beta) >= 1
  /\ LET i == sigma[Len(sigma)]
         sigma_rest == SubSeq(sigma, 1, Len(sigma) - 1)
         j == beta[1]
     IN  /\ i # 0
         /\ ~HasHead(i)
         /\ sigma' = sigma_rest
         /\ arcs' = arcs \union {<<j, i>>}
         /\ UNCHANGED <<beta>>

\* RIGHT-ARC_l  (σ|i, j|β, A)  ⇒  (σ|i|j, β, A ∪ {(i, l, j)})  ¬HEAD(j)
RIGHT_ARC ==
  /\ Len(sigma) >= 1
  /\ Len(beta) >= 1
  /\ LET i == sigma[Len(sigma)]
         sigma_rest == SubSeq(sigma, 1, Len(sigma) - 1)
         j == beta[1]
         beta_rest == SubSeq(beta, 2, Len(beta))
     IN  /\ ~HasHead(j)
         /\ sigma' = sigma_rest \o <<i, j>>
         /\ beta' = beta_rest
         /\ arcs' = arcs \union {<<i, j>>}

\* REDUCE  (σ|i, β, A)  ⇒  (σ, β, A)  HEAD(i)
REDUCE ==
  /\ Len(sigma) >= 1
  /\ LET i == sigma[Len(sigma)]
         sigma_rest == SubSeq(sigma, 1, Len(sigma) - 1)
     IN  /\ HasHead(i)
         /\ sigma' = sigma_rest
         /\ UNCHANGED <<beta, arcs>>

\* SHIFT  (σ, i|β, A)  ⇒  (σ|i, β, A)
SHIFT ==
  /\ Len(beta) >= 1
  /\ LET i == beta[1]
         beta_rest == SubSeq(beta, 2, Len(beta))
     IN  /\ sigma' = sigma \o <<i>>
         /\ beta' = beta_rest
         /\ UNCHANGED <<arcs>>

Next ==
  /\ ~Terminal
  /\ \/ LEFT_ARC
     \/ RIGHT_ARC
     \/ REDUCE
     \/ SHIFT

====

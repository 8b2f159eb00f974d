/*
 * arc-eager, a sentence of 2 words: a model for SPIN, written by arcproof.
 *
 *   arc-eager   (Nivre 2003; Nivre 2008, Figure 5; Goldberg & Nivre 2012 (costs))
 *
 *   Initialization  ([0], [1, ..., n], ∅)
 *   Terminal        (σ, [], A)
 *
 *   Transitions
 *     LEFT-ARC_l   (σ|i, j|β, A)  ⇒  (σ, j|β, A ∪ {(j, l, i)})    i ≠ 0, ¬HEAD(i)
 *     RIGHT-ARC_l  (σ|i, j|β, A)  ⇒  (σ|i|j, β, A ∪ {(i, l, j)})  ¬HEAD(j)
 *     REDUCE       (σ|i, β, A)    ⇒  (σ, β, A)                    HEAD(i)
 *     SHIFT        (σ, i|β, A)    ⇒  (σ|i, β, A)
 *
 * With this text in model.pml:
 *
 *   spin -o2 -a model.pml
 *   gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c
 *   ./pan -n -b -m1000000
 *
 * Without -o2 SPIN would leave out a component that is written but never read.
 * "states, stored" is the number of configurations that can be reached: the initial one counts, terminal ones are not
 * expanded, labels are left out. "transitions" is one more than the number of permissible transitions in them.
 *
 * A sequence is stored from its tail, at index 0, to its head, the end it grows at. heads[d] has a bit for each head of d.
 */

#define CAPACITY 3

byte sigma_at[CAPACITY] = {0, 0, 0};
byte sigma_n = 1;
byte beta_at[CAPACITY] = {2, 1, 0};
byte beta_n = 2;
byte heads[3];

hidden byte held_j;
hidden byte held_i;

#define HAS_HEAD(node) (heads[node] != 0)
#define ADD_ARC(head, dependent) heads[dependent] = heads[dependent] | (1 << (head))
#define DROP(sequence) sequence##_n--; sequence##_at[sequence##_n] = 0
#define PUSH(sequence, node) assert(sequence##_n < CAPACITY); sequence##_at[sequence##_n] = node; sequence##_n++

#define TERMINAL ((beta_n == 0))

/* LEFT-ARC_l  (σ|i, j|β, A)  ⇒  (σ, j|β, A ∪ {(j, l, i)})  i ≠ 0, ¬HEAD(i) */
#define LEFT_ARC_i sigma_at[sigma_n - 1]
#define LEFT_ARC_j beta_at[beta_n - 1]
#define LEFT_ARC_permitted (sigma_n >= 1 \
    && beta_n >= 1 \
    && (LEFT_ARC_i != 0) \
    && !HAS_HEAD(LEFT_ARC_i))
inline LEFT_ARC_step()
{
    held_i = LEFT_ARC_i;
    held_j = LEFT_ARC_j;
    DROP(sigma);
    ADD_ARC(held_j, held_i)
}

/* RIGHT-ARC_l  (σ|i, j|β, A)  ⇒  (σ|i|j, β, A ∪ {(i, l, j)})  ¬HEAD(j) */
#define RIGHT_ARC_i sigma_at[sigma_n - 1]
#define RIGHT_ARC_j beta_at[beta_n - 1]
#define RIGHT_ARC_permitted (sigma_n >= 1 \
    && beta_n >= 1 \
    && !HAS_HEAD(RIGHT_ARC_j))
inline RIGHT_ARC_step()
{
    held_i = RIGHT_ARC_i;
    held_j = RIGHT_ARC_j;
    PUSH(sigma, held_j);
    DROP(beta);
    ADD_ARC(held_i, held_j)
}

/* REDUCE  (σ|i, β, A)  ⇒  (σ, β, A)  HEAD(i) */
#define REDUCE_i sigma_at[sigma_n - 1]
#define REDUCE_permitted (sigma_n >= 1 \
    && HAS_HEAD(REDUCE_i))
inline REDUCE_step()
{
    DROP(sigma)
}

/* SHIFT  (σ, i|β, A)  ⇒  (σ|i, β, A) */
#define SHIFT_i beta_at[beta_n - 1]
#define SHIFT_permitted (beta_n >= 1)
inline SHIFT_step()
{
    held_i = SHIFT_i;
    PUSH(sigma, held_i);
    DROP(beta)
}

active proctype parse()
{
end:
    do
    :: d_step { !TERMINAL && LEFT_ARC_permitted -> LEFT_ARC_step() }
    :: d_step { !TERMINAL && RIGHT_ARC_permitted -> RIGHT_ARC_step() }
    :: d_step { !TERMINAL && REDUCE_permitted -> REDUCE_step() }
    :: d_step { !TERMINAL && SHIFT_permitted -> SHIFT_step() }
    od
}

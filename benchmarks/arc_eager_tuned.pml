/*
 * Arc-eager for N words (at most 11), written by hand for speed: the best SPIN can do without giving up exactness.
 *
 * A configuration is one 64-bit word.  From the lowest bit on:
 *   N + 1 bits   the stack, a bit for each node on it: nodes are pushed in the order of the sentence, so the set tells the sequence
 *   4 bits       the first word of the buffer, N + 1 if it is empty: the buffer always runs to the last word
 *   N x 4 bits   for each word one more than its head, 0 if it has none
 */

c_decl {
    typedef unsigned long long configuration;
    \#define WORDS N

    \#define FRONT_AT (N + 1)
    \#define HEAD_AT(word) (N + 5 + 4 * ((word) - 1))

    \#define STACK(c) ((c) & ((1ULL << (N + 1)) - 1))
    \#define FRONT(c) ((int) ((c) >> FRONT_AT) & 15)
    \#define HEAD(c, word) ((int) ((c) >> HEAD_AT(word)) & 15)
    \#define TOP(c) (63 - __builtin_clzll(STACK(c)))

    \#define POP(c) ((c) ^ (1ULL << TOP(c)))
    \#define PUSH_FRONT(c) (((c) | (1ULL << FRONT(c))) + (1ULL << FRONT_AT))
    \#define ARC(c, head, word) ((c) | ((configuration) ((head) + 1) << HEAD_AT(word)))

    \#define GOES_ON (FRONT(now.c) <= N)
    \#define HAS_TOP (STACK(now.c) != 0)
    \#define TOP_IS_WORD (STACK(now.c) > 1)
    \#define TOP_HAS_HEAD (HEAD(now.c, TOP(now.c)) != 0)
}

c_state "configuration c" "Global" "1ULL | (1ULL << (WORDS + 1))"

active proctype parse()
{
end:
    do
    /* LEFT-ARC */
    :: d_step { c_expr { GOES_ON && TOP_IS_WORD && !TOP_HAS_HEAD } ->
                c_code { now.c = ARC(POP(now.c), FRONT(now.c), TOP(now.c)); } }
    /* RIGHT-ARC; the front of the buffer never has a head */
    :: d_step { c_expr { GOES_ON && HAS_TOP } ->
                c_code { now.c = ARC(PUSH_FRONT(now.c), TOP(now.c), FRONT(now.c)); } }
    /* REDUCE */
    :: d_step { c_expr { GOES_ON && TOP_IS_WORD && TOP_HAS_HEAD } -> c_code { now.c = POP(now.c); } }
    /* SHIFT */
    :: d_step { c_expr { GOES_ON } -> c_code { now.c = PUSH_FRONT(now.c); } }
    od
}

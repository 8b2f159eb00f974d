/* Configurations in arrays: one sentence of any number of words, and what may be asked of it.

   A question is answered by running the figure's program from an *entry* (`branching.c`).  The first registers hold
   what is asked: the label, and the lengths that a transition chooses, or the greatest ones that are tried; and then
   the answer.  All permissible transitions are listed by

       for (i64 at = begin_permitted(s, ARRAY_PERMITTED); (at = execute(s, at)) >= 0;) ... answer(s) ... */
#ifndef ARCPROOF_ARRAYS_H
#define ARCPROOF_ARRAYS_H

#include "native.h"

/* --- states ---------------------------------------------------------------------------------------------------- */

static inline i64 *cells_of(const struct state *t, i64 component) { return t->cells + component * t->capacity; }

/* What is known about each node. */
static inline i64 *tree_row(const struct state *t, i64 row) { return t->tree + row * t->nodes; }

/* One more than the label of each arc into a node, or 0, by head; only where words may have several heads. */
static inline i64 *arcs_into(const struct state *t, i64 node) { return tree_row(t, ARRAY_ARCS_OF + node); }

static inline int has_several_heads(const struct state *t) { return t->tree_rows != ARRAY_TREE_ROWS; }

/* What the gold graph says about a node; 0 where there is none. */
static inline i64 gold_at(const struct sentence *s, i64 row, i64 node) {
    return s->gold ? s->gold[row * s->state->nodes + node] : 0;
}

/* --- transitions ----------------------------------------------------------------------------------------------- */

/* The code that the program answered; below 0 for an irregular transition, which only loose programs find. */
static inline i64 answer(const struct sentence *s) { return s->registers[ARRAY_ANSWER]; }

/* The number of the name of a transition, whether it is regular or irregular. */
static inline i64 name_of(i64 code) { return (code >= 0 ? code : -1 - code) & NAME_MASK; }

/* The lengths that a transition chooses, and -1 where it chooses none. */
struct lengths {
    i64 of[ARRAY_MOST_CHOICES];
};

struct lengths lengths_of(i64 code);

/* Codes of transitions in ascending order; longer lengths than occur in them need not be tried. */
struct catalogue {
    const i64 *codes;
    i64 count;
    struct lengths limits;
};

struct catalogue catalogue_of(const i64 *codes, i64 count);

/* --- questions ------------------------------------------------------------------------------------------------- */

/* Where the answers to a question begin, or -1. */
i64 entry(const struct sentence *s, i64 kind, i64 number);

/* Whether a run ends here. */
int is_terminal(struct sentence *s);

/* What is permissible: how many transitions, the code of the first one, and that of the first one with the default's
   name; -1 for none. */
struct permissible {
    i64 count, first, usual;
};

struct permissible permitted(struct sentence *s, i64 default_name);
/* Which of the codes are permissible; returns how many.  `kind` is ARRAY_PERMITTED, or ARRAY_OFFERED: then `words` gets
   the word to which each permissible one adds a gold arc, or -1; it may be NULL. */
i64 permitted_among(struct sentence *s, i64 kind, const struct catalogue *known, uint8_t *allowed, i64 *words);
/* The code of the first permissible transition of this name, or -1. */
i64 default_code(struct sentence *s, i64 name);

#endif

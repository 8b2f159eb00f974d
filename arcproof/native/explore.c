/* Runs in which a classifier learns while making its own choices (Goldberg & Nivre 2012, 2013).

   In every configuration the permissible classes of least cost are right: the cost is what the dynamic oracle says,
   plus one where the transition adds a gold arc with a wrong label.  It is 0 or less for *free* classes; where none is
   free, the configuration is counted.  The best of the right classes is learned against the best of all others, as in
   `learn`.  Then the best permissible class is taken, right or not, or else the best right one: a draw decides. */

#include "arrays.h"
#include "linear.h"

/* A linear congruential generator modulo 2^64, of which 31 bits are used. */
#define MULTIPLIER ((u64)6364136223846793005u)
#define INCREMENT ((u64)1442695040888963407u)
#define DRAWN (((u64)1 << 31) - 1)

/* Room for one call, and what does not change in it. */
struct explorer {
    struct exploring *exploring;
    const struct classes *classes;
    struct catalogue known;
    struct state state; /* of the current lesson */
    struct scorer scorer;
    i64 *paid; /* by known code: what the transition costs */
    i32 *row;  /* features */
};

/* Classes, -1 for none. */
struct choice {
    i64 right; /* the best of those of least cost */
    i64 rival; /* the best of the others */
    i64 best;  /* of all that are permissible */
};

/* --- costs ------------------------------------------------------------------------------------------------------- */

/* Finds which transitions are permissible; 0 if none is known. */
static int find_offers(struct explorer *x) {
    struct exploring *e = x->exploring;
    return permitted_among(e->sentence, ARRAY_OFFERED, &x->known, e->allowed, e->words) > 0;
}

/* The cost of each permissible class: that of its transition, and one for a gold arc with a wrong label. */
static void find_costs(struct explorer *x) {
    struct exploring *e = x->exploring;
    struct sentence *s = e->sentence;
    for (i64 k = 0; k < x->known.count; k++) {
        if (!e->allowed[k]) continue;
        i64 done = performed(s, ARRAY_COST, x->known.codes[k], 0);
        x->paid[k] = done == ARRAY_DONE ? larger(-UNKNOWN_COST, smaller(answer(s), UNKNOWN_COST)) : UNKNOWN_COST;
    }
    for (i64 c = 0; c < x->classes->count; c++) {
        i64 place = x->classes->places[c];
        if (!e->allowed[place]) continue;
        i64 word = e->words[place];
        int is_wrong = word >= 0 && gold_at(s, ARRAY_GOLD_LABELS, word) != x->classes->labels[c];
        e->costs[c] = x->paid[place] + is_wrong;
    }
}

/* --- choices ----------------------------------------------------------------------------------------------------- */

static struct choice choose_classes(const struct explorer *x) {
    const struct exploring *e = x->exploring;
    const i64 *places = x->classes->places;
    const float *scores = x->scorer.scores;
    i64 least = INT64_MAX;
    for (i64 c = 0; c < x->classes->count; c++)
        if (e->allowed[places[c]]) least = smaller(least, e->costs[c]);
    struct choice best = {-1, -1, -1};
    for (i64 c = 0; c < x->classes->count; c++) {
        int is_allowed = e->allowed[places[c]];
        if (is_allowed && (best.best < 0 || scores[c] > scores[best.best])) best.best = c;
        i64 *kind = is_allowed && e->costs[c] == least ? &best.right : &best.rival;
        if (*kind < 0 || scores[c] > scores[*kind]) *kind = c;
    }
    return best;
}

/* Draws whether the parser makes its own choice. */
static int goes_astray(struct exploring *e) {
    e->chance = e->chance * MULTIPLIER + INCREMENT;
    return (double)(e->chance >> 33 & DRAWN) < e->explore * (double)(DRAWN + 1);
}

/* Learns from a configuration whose costs are known, and takes a transition; 0 if it has no room. */
static int learn_and_go_on(struct explorer *x) {
    struct exploring *e = x->exploring;
    extract(e->model->features, &x->state, e->lessons[e->order[e->done]].start.tokens, x->row);
    score_row(&x->scorer, x->row);
    struct choice choice = choose_classes(x);
    if (e->max_change > 0 && choice.rival >= 0)
        move_apart(&x->scorer, choice.right, choice.rival, (double)e->max_change, e->step++);
    i64 taken = goes_astray(e) ? choice.best : choice.right;
    e->astray += e->costs[taken] > 0;
    e->nothing_free += e->costs[choice.right] > 0;
    if (performed(e->sentence, ARRAY_STEP, x->classes->codes[taken], x->classes->labels[taken]) != ARRAY_DONE) return 0;
    e->taken++;
    e->transitions++;
    return 1;
}

/* --- lessons ----------------------------------------------------------------------------------------------------- */

/* The arrays of the sentence become those of a lesson, which is as long or shorter. */
static void enter_lesson(struct explorer *x) {
    struct exploring *e = x->exploring;
    const struct lesson *lesson = &e->lessons[e->order[e->done]];
    const struct state *room = e->sentence->state, *start = &lesson->start.state;
    x->state = *start;
    x->state.cells = room->cells;
    x->state.size = room->size;
    x->state.tree = room->tree;
    if (e->taken == 0 && !e->is_asked) copy_state(start, &x->state);
    e->sentence->gold = lesson->gold;
}

/* Goes on in a lesson: FINISHED, PAUSED, ASKED or DOES_NOT_FIT. */
static i64 go_through(struct explorer *x, i64 enough) {
    struct exploring *e = x->exploring;
    while (e->taken < e->lessons[e->order[e->done]].limit) {
        if (e->transitions >= enough) return PAUSED;
        if (!e->is_asked) {
            if (is_terminal(e->sentence) || !find_offers(x)) break;
            if (!e->is_priced) {
                e->is_asked = 1;
                return ASKED;
            }
            find_costs(x);
        }
        e->is_asked = 0;
        if (!learn_and_go_on(x)) return DOES_NOT_FIT;
    }
    return FINISHED;
}

static i64 go_through_all(struct explorer *x, i64 enough) {
    struct exploring *e = x->exploring;
    struct state *room = e->sentence->state;
    for (; e->done < e->count; e->done++, e->taken = 0) {
        enter_lesson(x);
        e->sentence->state = &x->state;
        i64 code = go_through(x, enough);
        e->sentence->state = room;
        if (code != FINISHED) return code;
    }
    return FINISHED;
}

int64_t explore(struct exploring *e, int64_t transitions) {
    const struct classes *classes = e->model->classes;
    struct explorer x = {.exploring = e, .classes = classes};
    x.known = catalogue_of(classes->known, classes->known_count);
    x.paid = malloc(sizeof(i64) * (classes->known_count + 1));
    x.row = malloc(sizeof(i32) * (e->model->features->feature_count + 1));
    int is_ready = scorer_begin(&x.scorer, e->model->linear) && x.paid && x.row;
    i64 code = is_ready ? go_through_all(&x, e->transitions + transitions) : OUT_OF_MEMORY;
    scorer_end(&x.scorer);
    free(x.paid);
    free(x.row);
    return code;
}

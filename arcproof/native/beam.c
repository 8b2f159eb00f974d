/* Beam search in one sentence: the best runs are continued side by side, and in training the weights change where the
   right run is lost.

   A *hypothesis* is a run with the sum of the scores of its transitions.  In each step every hypothesis of the beam is
   continued by each class that is permissible in its configuration, and the best of all continuations are the next
   beam; ties go to the one that was found first.  A run that has ended stays in the beam with its score, so that runs
   of different lengths are compared by their sums.  Where no known class is permissible, the default transition is
   taken, or else the first permissible one; it adds nothing to the sum.

   In training the right run is known (*early update*; Collins & Roark 2004, Zhang & Nivre 2011): as soon as it falls
   out of the beam, and at its end if it is not the best, the weights of its classes grow by one and those of the best
   hypothesis shrink by one, from the point where the two diverge, and the sentence is abandoned. */

#include "arrays.h"
#include "linear.h"

/* How a hypothesis continues one of the beam before: by a class, SEARCH_STAYS or SEARCH_FALLBACK - code. */
struct continuation {
    i64 item, by;
    double score;
};

struct beam {
    struct search *search;
    struct catalogue known;
    struct scorer scorer;
    struct state shape;        /* of every configuration */
    i64 size;                  /* numbers in a configuration */
    i64 *now, *next;           /* the configurations of this beam and of the next one */
    double *scores;            /* of this beam */
    i64 count;                 /* hypotheses in this beam */
    struct continuation *best; /* by step: the continuations that are the next beam, best first */
    i64 best_count;            /* of this step */
    i64 step;                  /* the number of steps that were made */
    i64 room;                  /* steps */
    uint8_t *allowed;
    i32 *row;
    /* Only in training, by step. */
    i64 *right;        /* the place of the right run in the beam; behind the last step, -1 if it is lost */
    i64 *value_counts; /* of each hypothesis that was continued by a class */
    i32 *values;       /* the rows of weights that its score is made of */
};

/* --- configurations ---------------------------------------------------------------------------------------------- */

/* Hypothesis x: its cells, then sizes, then what is known of nodes. */
static struct state hypothesis(const struct beam *b, i64 *room, i64 x) {
    struct state t = b->shape;
    t.cells = room + x * b->size;
    t.size = t.cells + t.components * t.capacity;
    t.tree = t.size + t.components;
    return t;
}

/* The sentence in this configuration. */
static struct sentence *sentence_in(const struct beam *b, struct state *t) {
    b->search->sentence->state = t;
    return b->search->sentence;
}

/* The continuations of one step. */
static struct continuation *best_of(const struct beam *b, i64 step) { return b->best + step * b->search->width; }

/* --- continuations ----------------------------------------------------------------------------------------------- */

/* Puts a continuation in its place among the best. */
static void offer(struct beam *b, i64 item, i64 by, double score) {
    i64 width = b->search->width, place = smaller(b->best_count, width - 1);
    struct continuation *best = best_of(b, b->step);
    if (b->best_count == width && score <= best[width - 1].score) return;
    for (; place > 0 && best[place - 1].score < score; place--) best[place] = best[place - 1];
    best[place] = (struct continuation){item, by, score};
    b->best_count = smaller(b->best_count + 1, width);
}

/* What continues a hypothesis where no known class is permissible. */
static i64 without_class(struct sentence *s, i64 default_name) {
    struct permissible p = permitted(s, default_name);
    if (p.count == 0) return SEARCH_STAYS;
    i64 usual = default_code(s, default_name);
    return SEARCH_FALLBACK - (usual < 0 ? p.first : usual);
}

/* Keeps what the score of hypothesis x is made of, to change it later. */
static void keep_values(struct beam *b, i64 x) {
    i64 place = b->step * b->search->width + x;
    i32 *values = b->values + place * b->scorer.linear->joins->count;
    b->value_counts[place] = b->scorer.count;
    for (i64 m = 0; m < b->scorer.count; m++) values[m] = (i32)(-1 - b->scorer.values[m]);
}

/* Continues hypothesis x by all that is permissible. */
static void continue_one(struct beam *b, i64 x) {
    const struct search *q = b->search;
    const struct classes *classes = q->model->classes;
    struct state t = hypothesis(b, b->now, x);
    struct sentence *s = sentence_in(b, &t);
    if (q->right) b->value_counts[b->step * q->width + x] = 0;
    if (is_terminal(s)) {
        offer(b, x, SEARCH_STAYS, b->scores[x]);
        return;
    }
    if (permitted_among(s, ARRAY_PERMITTED, &b->known, b->allowed, NULL) == 0) {
        offer(b, x, without_class(s, classes->default_name), b->scores[x]);
        return;
    }
    extract(q->model->features, &t, q->tokens, b->row);
    score_row(&b->scorer, b->row);
    if (q->right) keep_values(b, x);
    for (i64 c = 0; c < classes->count; c++)
        if (b->allowed[classes->places[c]]) offer(b, x, c, b->scores[x] + (double)b->scorer.scores[c]);
}

/* Makes the next beam of its continuations; 0 if a transition has no room. */
static int advance(struct beam *b) {
    const struct classes *classes = b->search->model->classes;
    const struct continuation *best = best_of(b, b->step - 1);
    for (i64 y = 0; y < b->best_count; y++) {
        i64 by = best[y].by;
        struct state t = hypothesis(b, b->next, y);
        memcpy(t.cells, b->now + best[y].item * b->size, sizeof(i64) * b->size);
        b->scores[y] = best[y].score;
        if (by == SEARCH_STAYS) continue;
        i64 code = by >= 0 ? classes->codes[by] : SEARCH_FALLBACK - by;
        i64 label = by >= 0 ? classes->labels[by] : classes->name_labels[code & NAME_MASK];
        if (performed(sentence_in(b, &t), ARRAY_STEP, code, label) != ARRAY_DONE) return 0;
    }
    i64 *before = b->now;
    b->now = b->next;
    b->next = before;
    b->count = b->best_count;
    return 1;
}

/* --- training ---------------------------------------------------------------------------------------------------- */

/* Finds the right run among the continuations. */
static void follow_right(struct beam *b) {
    const struct continuation *best = best_of(b, b->step);
    i64 right = -1;
    for (i64 y = 0; y < b->best_count; y++)
        if (best[y].item == b->right[b->step] && best[y].by == b->search->right[b->step]) right = y;
    b->right[b->step + 1] = right;
}

/* The step at which the best hypothesis leaves the right run. */
static i64 parting(const struct beam *b) {
    i64 y = 0;
    for (i64 step = b->step - 1; step >= 0; step--) {
        const struct continuation *c = &best_of(b, step)[y];
        if (c->item == b->right[step] && c->by == b->search->right[step]) return step + 1;
        y = c->item;
    }
    return 0;
}

/* Changes the weights that made the score of a class for hypothesis x of a step. */
static void change_weights(const struct beam *b, i64 step, i64 x, i64 class, double change) {
    const struct linear *f = b->scorer.linear;
    i64 place = step * b->search->width + x;
    const i32 *values = b->values + place * f->joins->count;
    for (i64 m = 0; m < b->value_counts[place]; m++) {
        float *weight = &f->full[values[m] * f->width + class], *sum = &f->sums[values[m] * f->width + class];
        *weight = (float)((double)*weight + change);
        *sum = (float)((double)*sum + (double)b->search->step * change);
    }
}

/* Moves the weights towards the right run, and away from the best hypothesis. */
static void update(struct beam *b) {
    i64 y = 0, last = parting(b);
    for (i64 step = b->step - 1; step >= last; step--) {
        const struct continuation *c = &best_of(b, step)[y];
        if (c->by >= 0) change_weights(b, step, c->item, c->by, -1.0);
        change_weights(b, step, b->right[step], b->search->right[step], 1.0);
        y = c->item;
    }
    b->search->is_changed = 1;
}

/* --- searching --------------------------------------------------------------------------------------------------- */

/* Room for what the next step needs; 0 if there is no memory. */
static int make_room_for_step(struct beam *b) {
    if (b->step < b->room) return 1;
    i64 room = smaller(2 * b->room + 64, b->search->limit), hypotheses = room * b->search->width;
    if (!LENGTHEN(b->best, hypotheses)) return 0;
    b->room = room;
    if (!b->search->right) return 1;
    return LENGTHEN(b->right, room + 1) && LENGTHEN(b->value_counts, hypotheses)
           && LENGTHEN(b->values, hypotheses * b->scorer.linear->joins->count);
}

/* Whether any of the continuations is one. */
static int goes_on(const struct beam *b) {
    for (i64 y = 0; y < b->best_count; y++)
        if (best_of(b, b->step)[y].by != SEARCH_STAYS) return 1;
    return 0;
}

/* Continues the beam until all its runs have ended, or the right one is lost. */
static i64 go_on_to_the_end(struct beam *b) {
    const struct search *q = b->search;
    while (b->step < q->limit) {
        if (!make_room_for_step(b)) return OUT_OF_MEMORY;
        b->best_count = 0;
        for (i64 x = 0; x < b->count; x++) continue_one(b, x);
        if (!goes_on(b)) break;
        if (q->right) follow_right(b);
        b->step++;
        if (q->right && b->right[b->step] < 0) break;
        if (!advance(b)) return DOES_NOT_FIT;
    }
    return FINISHED;
}

/* Writes the best run, a terminal one if there is any, and its last configuration; 0 if there is no memory. */
static int tell_best(struct beam *b, const struct state *to) {
    struct search *q = b->search;
    i64 best = 0;
    q->run = malloc(sizeof(i64) * (b->step + 1));
    if (!q->run) return 0;
    q->length = b->step;
    q->is_terminal = 0;
    for (i64 y = b->count - 1; y >= 0; y--) {
        struct state t = hypothesis(b, b->now, y);
        if (!is_terminal(sentence_in(b, &t))) continue;
        best = y;
        q->is_terminal = 1;
    }
    struct state last = hypothesis(b, b->now, best);
    copy_state(&last, to);
    for (i64 step = b->step - 1; step >= 0; step--) {
        q->run[step] = best_of(b, step)[best].by;
        best = best_of(b, step)[best].item;
    }
    return 1;
}

/* --- beginning and end ------------------------------------------------------------------------------------------- */

static int beam_begin(struct beam *b, struct search *q) {
    const struct state *start = q->sentence->state;
    const struct model *model = q->model;
    i64 size = start->components * (start->capacity + 1) + start->tree_rows * start->nodes;
    *b = (struct beam){.search = q, .shape = *start, .size = size, .count = 1};
    b->known = catalogue_of(model->classes->known, model->classes->known_count);
    b->now = malloc(sizeof(i64) * size * q->width);
    b->next = malloc(sizeof(i64) * size * q->width);
    b->scores = malloc(sizeof(double) * q->width);
    b->allowed = malloc(b->known.count + 1);
    b->row = malloc(sizeof(i32) * (model->features->feature_count + 1));
    b->right = q->right ? malloc(sizeof(i64)) : NULL;
    int is_ready = scorer_begin(&b->scorer, model->linear) && b->now && b->next && b->scores && b->allowed && b->row;
    if (!is_ready || (q->right && !b->right)) return 0;
    struct state first = hypothesis(b, b->now, 0);
    copy_state(start, &first);
    b->scores[0] = 0;
    if (q->right) b->right[0] = 0;
    return 1;
}

static void beam_end(struct beam *b) {
    scorer_end(&b->scorer);
    free(b->now);
    free(b->next);
    free(b->scores);
    free(b->best);
    free(b->allowed);
    free(b->row);
    free(b->right);
    free(b->value_counts);
    free(b->values);
}

int64_t search(struct search *q) {
    struct beam b;
    struct state *start = q->sentence->state;
    i64 code = beam_begin(&b, q) ? go_on_to_the_end(&b) : OUT_OF_MEMORY;
    q->is_changed = 0;
    if (code == FINISHED && !q->right && !tell_best(&b, start)) code = OUT_OF_MEMORY;
    if (code == FINISHED && q->right && b.right[b.step] != 0) update(&b);
    q->sentence->state = start;
    beam_end(&b);
    return code;
}

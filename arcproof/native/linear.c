/* Linear functions of rows: keys of joins, tables of them, scores, and learning.

   Learning is passive-aggressive, with several classes (Crammer et al. 2006, PA-I), and weights are averaged: where the
   margin between the right class and the best other one is less than one, both move.  Weights and scores are floats; a
   margin and what follows from it are computed in doubles. */

#include "linear.h"

/* --- keys -------------------------------------------------------------------------------------------------------- */

/* Keys of columns are below `columns`, those of pairs above, and those of triples above these. */
static inline u64 key_of(const i32 *row, const i64 *join, u64 columns) {
    u64 key = (u64)(i64)row[join[0]];
    if (join[1] >= 0) key = (key + 1) * columns + (u64)(i64)row[join[1]];
    if (join[2] >= 0) key = (key + 1) * columns + (u64)(i64)row[join[2]];
    return key;
}

/* The keys of all joins of a row. */
static void find_keys(const struct joins *j, const i32 *row, i64 *keys) {
    for (i64 m = 0; m < j->count; m++) keys[m] = (i64)key_of(row, j->places + 3 * m, (u64)j->columns);
}

/* Where the search for a key begins. */
static inline u64 first_slot(const struct key_table *t, i64 key) {
    return (u64)key * (u64)KEY_SCATTER >> 31 & (u64)(t->span - 1);
}

/* The slot of a key, or the empty one where it would go. */
static inline struct key_slot *slot_of(const struct key_table *t, i64 key) {
    u64 place = first_slot(t, key);
    while (t->slots[place].key != KEY_EMPTY && t->slots[place].key != key) place = (place + 1) & (u64)(t->span - 1);
    return &t->slots[place];
}

/* All keys of a row are hashed before any is looked up, so that the processor waits for memory once. */
static void fetch_slots(const struct key_table *t, const i64 *keys, i64 count) {
    for (i64 m = 0; m < count; m++) PREFETCH(&t->slots[first_slot(t, keys[m])], 0);
}

void enter_keys(const struct key_table *t, const int64_t *keys, const int64_t *values, int64_t count) {
    for (i64 k = 0; k < count; k++) *slot_of(t, keys[k]) = (struct key_slot){keys[k], values[k]};
}

int64_t count_keys(const struct joins *j, const struct rows *rows, const struct key_table *t, int64_t used) {
    i64 *keys = malloc(sizeof(i64) * j->count);
    if (!keys) return OUT_OF_MEMORY;
    for (i64 k = 0; k < rows->count && 2 * used <= t->span; k++) {
        find_keys(j, rows->columns + k * rows->features, keys);
        fetch_slots(t, keys, j->count);
        for (i64 m = 0; m < j->count && 2 * used <= t->span; m++) {
            struct key_slot *slot = slot_of(t, keys[m]);
            if (slot->key == KEY_EMPTY) {
                *slot = (struct key_slot){keys[m], 0};
                used++;
            }
            slot->value++;
        }
    }
    free(keys);
    return 2 * used <= t->span ? used : DOES_NOT_FIT;
}

int64_t number_joins(const struct joins *j, const struct key_table *t, const struct rows *rows, int32_t *numbers) {
    i64 *keys = malloc(sizeof(i64) * j->count);
    if (!keys) return OUT_OF_MEMORY;
    for (i64 k = 0; k < rows->count; k++, numbers += j->count) {
        find_keys(j, rows->columns + k * rows->features, keys);
        fetch_slots(t, keys, j->count);
        for (i64 m = 0; m < j->count; m++) {
            const struct key_slot *slot = slot_of(t, keys[m]);
            numbers[m] = slot->key == KEY_EMPTY ? -1 : (i32)(-1 - slot->value);
        }
    }
    free(keys);
    return FINISHED;
}

/* --- scores ------------------------------------------------------------------------------------------------------ */

int scorer_begin(struct scorer *s, const struct linear *f) {
    *s = (struct scorer){f, malloc(sizeof(i64) * f->joins->count), 0, malloc(sizeof(float) * f->width)};
    return s->values && s->scores;
}

void scorer_end(struct scorer *s) {
    free(s->values);
    free(s->scores);
}

/* Adds up the weights of all values. */
static void add_weights(struct scorer *s) {
    const struct linear *f = s->linear;
    float *scores = s->scores;
    memset(scores, 0, sizeof(float) * f->width);
    for (i64 m = 0; m < s->count; m++) {
        i64 value = s->values[m];
        if (value < 0) {
            const float *weights = f->full + (-1 - value) * f->width;
            for (i64 c = 0; c < f->width; c++) scores[c] += weights[c];
        } else {
            i64 begin = value >> KEY_COUNT_BITS, end = begin + (value & (((i64)1 << KEY_COUNT_BITS) - 1));
            for (i64 at = begin; at < end; at++) scores[f->classes[at]] += f->sparse[at];
        }
    }
}

void score_row(struct scorer *s, const i32 *row) {
    const struct linear *f = s->linear;
    find_keys(f->joins, row, s->values);
    fetch_slots(f->table, s->values, f->joins->count);
    s->count = 0;
    for (i64 m = 0; m < f->joins->count; m++) {
        const struct key_slot *slot = slot_of(f->table, s->values[m]);
        s->values[s->count] = slot->value;
        s->count += slot->key != KEY_EMPTY;
    }
    add_weights(s);
}

int64_t score(const struct linear *f, const struct rows *rows, int64_t classes, double *scores) {
    struct scorer s;
    int is_ready = scorer_begin(&s, f);
    for (i64 k = 0; is_ready && k < rows->count; k++) {
        score_row(&s, rows->columns + k * rows->features);
        for (i64 c = 0; c < classes; c++) scores[k * classes + c] = s.scores[c];
    }
    scorer_end(&s);
    return is_ready ? FINISHED : OUT_OF_MEMORY;
}

/* --- learning ---------------------------------------------------------------------------------------------------- */

void move_apart(const struct scorer *s, i64 right, i64 rival, double max_change, i64 step) {
    const struct linear *f = s->linear;
    double loss = 1 - (double)s->scores[right] + (double)s->scores[rival];
    if (!(loss > 0) || s->count == 0) return;
    double change = loss / (double)(2 * s->count);
    if (change > max_change) change = max_change;
    double sum = (double)step * change;
    for (i64 m = 0; m < s->count; m++) {
        float *weights = f->full + (-1 - s->values[m]) * f->width, *sums = f->sums + (-1 - s->values[m]) * f->width;
        weights[right] = (float)((double)weights[right] + change);
        weights[rival] = (float)((double)weights[rival] - change);
        sums[right] = (float)((double)sums[right] + sum);
        sums[rival] = (float)((double)sums[rival] - sum);
    }
}

/* The class with the highest score apart from the right one, the first of equals. */
static i64 best_other(const float *scores, i64 classes, i64 right) {
    i64 best = right == 0 ? 1 : 0;
    for (i64 c = 0; c < classes; c++)
        if (c != right && scores[c] > scores[best]) best = c;
    return best;
}

int64_t learn(const struct linear *f, const struct instances *given, const int64_t *order, int64_t count,
              double max_change, int64_t step) {
    struct scorer s;
    int is_ready = scorer_begin(&s, f);
    for (i64 k = 0; is_ready && k < count; k++) {
        const i32 *numbers = given->numbers + order[k] * f->joins->count;
        s.count = 0;
        for (i64 m = 0; m < f->joins->count; m++)
            if (numbers[m] >= 0) s.values[s.count++] = -1 - (i64)numbers[m];
        add_weights(&s);
        i64 right = given->classes[order[k]];
        move_apart(&s, right, best_other(s.scores, f->width, right), max_change, step + k);
    }
    scorer_end(&s);
    return is_ready ? FINISHED : OUT_OF_MEMORY;
}

void average(const struct linear *f, int64_t rows, int64_t steps) {
    for (i64 k = 0; k < rows * f->width; k++)
        f->full[k] = (float)((double)f->full[k] - (double)f->sums[k] / (double)steps);
}

/* A linear function applied to one row after another. */
#ifndef ARCPROOF_LINEAR_H
#define ARCPROOF_LINEAR_H

#include "native.h"

/* Room for one row: the values of the joins that have weights come first, and the scores are those of all classes. */
struct scorer {
    const struct linear *linear;
    i64 *values;
    i64 count;
    float *scores;
};

/* 0 if there is no memory. */
int scorer_begin(struct scorer *scorer, const struct linear *linear);
void scorer_end(struct scorer *scorer);
void score_row(struct scorer *scorer, const i32 *row);
/* Moves the weights of two classes apart, if the margin between their scores is less than one, but no more than
   `max_change`; `step` is the number of the step of learning. */
void move_apart(const struct scorer *scorer, i64 right, i64 rival, double max_change, i64 step);

#endif

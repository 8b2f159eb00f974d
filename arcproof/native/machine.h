/* The machine for packed configurations: a workspace, and one batch of configurations run through a program. */
#ifndef ARCPROOF_MACHINE_H
#define ARCPROOF_MACHINE_H

#include "native.h"

/* The successors of one batch, in the order of the program's EMIT rows, and of the lanes within each. */
struct emitted {
    u64 *first, *second;
    u64 *lane;
    i64 *label;
    i64 *marks;
};

/* One worker's registers, and room for what one batch leads to. */
struct workspace {
    const struct program *program;
    struct row *rows; /* of the program */
    i64 row_count;
    struct row *terminal_rows; /* only those on which the result `terminal` depends */
    i64 terminal_row_count;
    u64 *memory;
    u64 **registers; /* by number, LANES numbers each; an input may point to what lies elsewhere */
    u64 *inputs[2];  /* where the first two registers lie if they do not point elsewhere */
    struct emitted out;
    int is_counting; /* labels and marks of successors are left out */
};

struct workspace *workspace_new(const struct program *program);
void workspace_free(struct workspace *w);

/* Runs a batch through all rows; returns how many successors it wrote, or the code of a fault. */
i64 run(struct workspace *w, int count);
/* Runs a batch through the rows that decide whether a run ends. */
void run_terminal(struct workspace *w, int count);
/* Copies a batch into the registers, and runs it; of lanes beyond `count` nothing is known. */
i64 run_on(struct workspace *w, const u64 *first, const u64 *second, int count);

static inline const u64 *result(const struct workspace *w, i64 number) { return w->registers[number]; }

#endif

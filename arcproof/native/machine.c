/* The machine: rows of opcodes over LANES configurations at a time.

   A lane is one configuration, a register has one number for each lane, and an opcode writes one register.  So the
   work of dispatching an opcode is shared by all lanes, and the compiler turns its loop into vector instructions.
   - A truth is 0 or 1.
   - Loops that become vector instructions run over all lanes, those that do not over the first `count`.  Lanes in
     which a condition fails, and lanes beyond the batch, hold whatever is in their registers: no opcode may trap, every
     loop in a lane is bounded, and shifts are taken modulo 64.
   - Arcs as heads: `width` bits for each word, one more than its head or 0, the first word in the highest bits.
   - Arcs as a matrix: one bit for each pair; that of the arc from h to d is d (n + 1) + h.
   - Numbers by node: `width` bits for each node, 0 in the lowest ones (what a gold graph says of each node). */

#include "machine.h"

/* --- workspaces -------------------------------------------------------------------------------------------------- */

/* Copies the rows that are marked; returns how many there are. */
static i64 marked_rows(const struct program *p, const uint8_t *marked, struct row *to) {
    i64 count = 0;
    for (i64 k = 0; k < p->row_count; k++)
        if (marked[k]) to[count++] = p->rows[k];
    return count;
}

/* Marks the rows without which the result `terminal` cannot be computed.  They are never inside a SKIP, whose results
   cannot be used behind it. */
static void mark_terminal(const struct program *p, uint8_t *marked, uint8_t *needed) {
    needed[p->terminal] = 1;
    for (i64 k = p->row_count - 1; k >= 0; k--) {
        const struct row *row = &p->rows[k];
        if (row->opcode < 0 || !needed[row->to]) continue;
        marked[k] = 1;
        needed[row->to] = 0;
        const char *kinds = OPERANDS[row->opcode];
        for (int a = 0; kinds[a]; a++)
            if (kinds[a] == 'r') needed[row->operand[a]] = 1;
    }
}

static int select_rows(struct workspace *w, const struct program *p) {
    uint8_t *marked = calloc(p->row_count + 1, 1), *needed = calloc(p->registers + 1, 1);
    w->rows = malloc(sizeof(struct row) * (p->row_count + 1));
    w->terminal_rows = malloc(sizeof(struct row) * (p->row_count + 1));
    int done = marked && needed && w->rows && w->terminal_rows;
    if (done) {
        memcpy(w->rows, p->rows, sizeof(struct row) * p->row_count);
        w->row_count = p->row_count;
        if (p->terminal >= 0) {
            mark_terminal(p, marked, needed);
            w->terminal_row_count = marked_rows(p, marked, w->terminal_rows);
        }
    }
    free(marked);
    free(needed);
    return done;
}

struct workspace *workspace_new(const struct program *p) {
    struct workspace *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    i64 room = LANES * (p->emits + 1);
    w->program = p;
    w->memory = calloc(p->registers * LANES + 5 * room, sizeof(u64));
    w->registers = malloc(sizeof(u64 *) * p->registers);
    if (!w->memory || !w->registers || !select_rows(w, p)) {
        workspace_free(w);
        return NULL;
    }
    for (i64 k = 0; k < p->registers; k++) w->registers[k] = w->memory + k * LANES;
    w->inputs[0] = w->registers[0];
    w->inputs[1] = w->registers[1];
    u64 *out = w->memory + p->registers * LANES;
    w->out = (struct emitted){out, out + room, out + 2 * room, (i64 *)(out + 3 * room), (i64 *)(out + 4 * room)};
    return w;
}

void workspace_free(struct workspace *w) {
    if (!w) return;
    free(w->rows);
    free(w->terminal_rows);
    free(w->memory);
    free(w->registers);
    free(w);
}

/* A product of small numbers, as a distance to shift: with 32 bits there is a vector instruction for it. */
#define DISTANCE(place, width) ((u64)(u32)(place) * (u32)(width) & 63)

/* --- packed arcs ------------------------------------------------------------------------------------------------- */

/* The numbers that opcodes about heads take: those of words, the width of an entry, and its mask. */
struct heads {
    u64 words, width, mask;
};

static inline struct heads heads_of(const i64 *operand) {
    return (struct heads){(u64)operand[0], (u64)operand[1], (u64)operand[2]};
}

/* One more than the head of a node, or 0; node 0 has no entry, and nothing lies above the entry of the first word. */
static inline u64 entry_of(u64 arcs, u64 node, struct heads h) {
    return arcs >> ((h.words - node) * h.width & 63) & h.mask;
}

/* Whether a path of arcs leads from source to target, in all lanes together: all climb one arc, until none can. */
static void reach(u64 *to, const u64 *arcs, const u64 *source, const u64 *target, struct heads h) {
    u64 node[LANES], climbs[LANES];
    INDEPENDENT for (int k = 0; k < LANES; k++) {
        node[k] = target[k];
        to[k] = target[k] == source[k];
        climbs[k] = !to[k];
    }
    for (u64 step = 0; step < h.words; step++) {
        u64 any = 0;
        INDEPENDENT for (int k = 0; k < LANES; k++) {
            u64 above = arcs[k] >> DISTANCE(h.words - node[k], h.width) & h.mask;
            u64 climbed = climbs[k] & (above != 0);
            node[k] = climbed ? above - 1 : node[k];
            u64 arrives = climbed & (node[k] == source[k]);
            to[k] |= arrives;
            climbs[k] = climbed & ~arrives;
            any |= climbs[k];
        }
        if (!any) return;
    }
}

static u64 connected(u64 arcs, u64 left, u64 right, struct heads h) {
    u64 component = (u64)1 << (left & 63), before;
    do {
        before = component;
        u64 rest = arcs;
        for (u64 up = 0; up < h.words; up++, rest >>= h.width) {
            u64 above = rest & h.mask;
            if (above == 0) continue;
            u64 pair = (u64)1 << (h.words - up) | (u64)1 << ((above - 1) & 63);
            if (component & pair) component |= pair;
        }
    } while (component != before);
    return component >> (right & 63) & 1;
}

/* How many words strictly between two nodes have no head, or a head outside the closed interval. */
static u64 degree(u64 arcs, u64 left, u64 right, struct heads h) {
    u64 low = left < right ? left : right, high = left < right ? right : left, count = 0;
    if (high > h.words) high = h.words;
    for (u64 word = low + 1; word < high; word++) {
        u64 above = entry_of(arcs, word, h);
        count += above < low + 1 || above > high + 1;
    }
    return count;
}

static u64 lost(u64 before, u64 after, struct heads h) {
    u64 any = 0;
    for (u64 k = 0; k < h.words; k++, before >>= h.width, after >>= h.width)
        any |= (before & h.mask) != 0 && (before & h.mask) != (after & h.mask);
    return any;
}

/* Whether every gold dependent of a node is attached to it; gold heads are packed as arcs are. */
static u64 complete(u64 arcs, u64 node, u64 gold, struct heads h) {
    u64 missing = 0;
    for (u64 k = 0; k < h.words; k++, gold >>= h.width, arcs >>= h.width)
        missing |= (gold & h.mask) == node + 1 && (arcs & h.mask) != node + 1;
    return !missing;
}

static inline u64 row_mask(u64 words) { return ((u64)1 << (words + 1)) - 1; }

static u64 matrix_has_dependent(u64 arcs, u64 node, u64 words) {
    u64 any = 0;
    for (u64 word = 0; word <= words; word++) any |= arcs >> ((word * (words + 1) + node) & 63);
    return any & 1;
}

static u64 matrix_reaches(u64 arcs, u64 source, u64 target, u64 words) {
    u64 above = (u64)1 << (target & 63), before;
    do {
        before = above;
        for (u64 node = 0; node <= words; node++)
            if (above >> node & 1) above |= arcs >> (node * (words + 1) & 63) & row_mask(words);
    } while (above != before);
    return above >> (source & 63) & 1;
}

static u64 matrix_connected(u64 arcs, u64 left, u64 right, u64 words) {
    u64 component = (u64)1 << (left & 63), before;
    do {
        before = component;
        for (u64 node = 0; node <= words; node++) {
            u64 itself = (u64)1 << node, heads = arcs >> (node * (words + 1) & 63) & row_mask(words);
            if (component & itself) component |= heads;
            else if (component & heads) component |= itself;
        }
    } while (component != before);
    return component >> (right & 63) & 1;
}

/* How many words strictly between two nodes have no head in the closed interval. */
static u64 matrix_degree(u64 arcs, u64 left, u64 right, u64 words) {
    u64 low = left < right ? left : right, high = left < right ? right : left, count = 0;
    if (high > words) high = words;
    u64 inside = (((u64)1 << ((high - low + 1) & 63)) - 1) << (low & 63);
    for (u64 word = low + 1; word < high; word++) count += (arcs >> (word * (words + 1) & 63) & inside) == 0;
    return count;
}

/* Gold heads are packed as heads; `h` is about them. */
static u64 matrix_complete(u64 arcs, u64 node, u64 gold, struct heads h) {
    u64 all = 1;
    for (u64 up = 0; up < h.words; up++, gold >>= h.width)
        if ((gold & h.mask) == node + 1) all &= arcs >> (((h.words - up) * (h.words + 1) + node) & 63);
    return all & 1;
}

/* Runs of cells in reverse order, in all lanes together. */
static void turn(u64 *to, const u64 *cells, const u64 *length, u64 width, u64 mask) {
    u64 rest[LANES], longest = 0;
    INDEPENDENT for (int k = 0; k < LANES; k++) {
        rest[k] = cells[k];
        to[k] = 0;
        longest |= length[k] & 63; /* at least the greatest */
    }
    for (u64 step = 0; step < longest; step++) {
        INDEPENDENT for (int k = 0; k < LANES; k++) {
            to[k] = step < (length[k] & 63) ? to[k] << (width & 63) | (rest[k] & mask) : to[k];
            rest[k] >>= width & 63;
        }
    }
}

/* --- running ----------------------------------------------------------------------------------------------------- */

static u64 in_some_lane(const u64 *truth, int count) {
    u64 any = 0;
    for (int k = 0; k < count; k++) any |= truth[k];
    return any;
}

static u64 together_in_some_lane(const u64 *a, const u64 *b, int count) {
    u64 any = 0;
    for (int k = 0; k < count; k++) any |= a[k] & b[k];
    return any;
}

/* Writes the successors of the lanes where a truth holds, one after the other. */
static i64 emit(const struct workspace *w, const i64 *x, int count, i64 at) {
    const u64 *truth = w->registers[x[0]], *first = w->registers[x[1]], *second = w->registers[x[2]];
    struct emitted out = w->out;
    i64 before = at;
    for (int k = 0; k < count; k++) {
        out.first[at] = first[k];
        out.second[at] = second[k];
        out.lane[at] = k;
        at += truth[k];
    }
    if (w->is_counting) return at;
    for (i64 e = before; e < at; e++) out.label[e] = x[4];
    if (x[3] < 0)
        memset(out.marks + before, 0, sizeof(i64) * (at - before));
    else
        for (i64 e = before; e < at; e++) out.marks[e] = (i64)w->registers[x[3]][out.lane[e]];
    return at;
}

#define ALL_LANES(expression) \
    do { \
        INDEPENDENT for (int k = 0; k < LANES; k++) to[k] = (u64)(expression); \
    } while (0)
#define EACH_LANE(expression) \
    do { \
        for (int k = 0; k < count; k++) to[k] = (expression); \
    } while (0)

static i64 run_rows(struct workspace *w, const struct row *rows, i64 row_count, int count) {
    u64 *const *r = w->registers;
    i64 at = 0;
    for (const struct row *row = rows, *end = rows + row_count; row < end; row++) {
        const i64 *x = row->operand;
        u64 *to = row->to >= 0 ? r[row->to] : NULL;
        /* The registers that most opcodes read; for those that take numbers there, any register. */
        const char *kinds = row->opcode >= 0 ? OPERANDS[row->opcode] : "";
        const u64 *a = kinds[0] == 'r' ? r[x[0]] : NULL;
        const u64 *b = kinds[0] && kinds[1] == 'r' ? r[x[1]] : NULL;
        switch (row->opcode) {
        case OP_EMIT: at = emit(w, x, count, at); break;
        case OP_FAULT:
            if (together_in_some_lane(r[x[0]], r[x[1]], count)) return x[2];
            break;
        case OP_SKIP:
            if (!in_some_lane(r[x[0]], count)) row += x[1];
            break;
        case OP_CONSTANT: ALL_LANES(x[0]); break;
        case OP_PLUS: ALL_LANES(a[k] + b[k]); break;
        case OP_MINUS: ALL_LANES(a[k] - b[k]); break;
        case OP_PLUS_NUMBER: { u64 number = (u64)x[1]; ALL_LANES(a[k] + number); break; }
        case OP_TIMES_NUMBER: { u64 number = (u64)x[1]; ALL_LANES(a[k] * number); break; }
        case OP_EQUAL: ALL_LANES(a[k] == b[k]); break;
        case OP_LESS: ALL_LANES((i64)a[k] < (i64)b[k]); break;
        case OP_EQUAL_NUMBER: { u64 number = (u64)x[1]; ALL_LANES(a[k] == number); break; }
        case OP_LESS_NUMBER: { i64 number = x[1]; ALL_LANES((i64)a[k] < number); break; }
        case OP_MORE_NUMBER: { i64 number = x[1]; ALL_LANES((i64)a[k] > number); break; }
        case OP_BOTH: ALL_LANES(a[k] & b[k]); break;
        case OP_EITHER: ALL_LANES(a[k] | b[k]); break;
        case OP_NEGATED: ALL_LANES(a[k] ^ 1); break;
        case OP_CHOSEN: { const u64 *c = r[x[2]]; ALL_LANES(a[k] ? b[k] : c[k]); break; }
        case OP_FIELD: { int shift = (int)x[1]; u64 mask = (u64)x[2]; ALL_LANES(a[k] >> shift & mask); break; }
        case OP_FIELD_AT: { u64 mask = (u64)x[3]; ALL_LANES(a[k] >> DISTANCE(b[k], x[2]) & mask); break; }
        case OP_LOWEST: ALL_LANES(a[k] & (((u64)1 << DISTANCE(b[k], x[2])) - 1)); break;
        case OP_PUT_BELOW: { const u64 *c = r[x[2]]; int shift = (int)x[1]; ALL_LANES(a[k] << shift | c[k]); break; }
        case OP_PUT_BELOW_AT: { const u64 *c = r[x[3]]; ALL_LANES(a[k] << DISTANCE(b[k], x[2]) | c[k]); break; }
        case OP_WITH_BIT: ALL_LANES(a[k] | (u64)1 << (b[k] & 63)); break;
        case OP_WITHOUT_BIT: ALL_LANES(a[k] & ~((u64)1 << (b[k] & 63))); break;
        case OP_TURNED: turn(to, a, b, (u64)x[2], (u64)x[3]); break;
        case OP_ENTRY: {
            struct heads h = heads_of(x + 2);
            ALL_LANES(a[k] >> DISTANCE(h.words - b[k], h.width) & h.mask);
            break;
        }
        case OP_HUNG: {
            const u64 *node = r[x[2]];
            u64 words = (u64)x[3], width = (u64)x[4];
            ALL_LANES(a[k] | (b[k] + 1) << DISTANCE(words - node[k], width));
            break;
        }
        case OP_FREED: {
            struct heads h = heads_of(x + 2);
            ALL_LANES(a[k] & ~(h.mask << DISTANCE(h.words - b[k], h.width)));
            break;
        }
        case OP_HAS_DEPENDENT: {
            struct heads h = heads_of(x + 2);
            ALL_LANES(0);
            for (u64 word = 0; word < h.words; word++)
                ALL_LANES(to[k] | ((a[k] >> word * h.width & h.mask) == b[k] + 1));
            break;
        }
        case OP_REACHES: reach(to, a, b, r[x[2]], heads_of(x + 3)); break;
        case OP_CONNECTED: { struct heads h = heads_of(x + 3); EACH_LANE(connected(a[k], b[k], r[x[2]][k], h)); break; }
        case OP_DEGREE: { struct heads h = heads_of(x + 3); EACH_LANE(degree(a[k], b[k], r[x[2]][k], h)); break; }
        case OP_LOST: { struct heads h = heads_of(x + 2); EACH_LANE(lost(a[k], b[k], h)); break; }
        case OP_COMPLETE: { struct heads h = heads_of(x + 3); EACH_LANE(complete(a[k], b[k], r[x[2]][k], h)); break; }
        case OP_HEADS_IN: {
            u64 words = (u64)x[2];
            ALL_LANES(a[k] >> DISTANCE(b[k], words + 1) & row_mask(words));
            break;
        }
        case OP_JOINED: {
            const u64 *node = r[x[2]];
            u64 words = (u64)x[3];
            ALL_LANES(a[k] | (u64)1 << ((node[k] * (words + 1) + b[k]) & 63));
            break;
        }
        case OP_HEADLESS: {
            u64 words = (u64)x[2];
            ALL_LANES(a[k] & ~(row_mask(words) << DISTANCE(b[k], words + 1)));
            break;
        }
        case OP_MATRIX_HAS_DEPENDENT: EACH_LANE(matrix_has_dependent(a[k], b[k], (u64)x[2])); break;
        case OP_MATRIX_REACHES: EACH_LANE(matrix_reaches(a[k], b[k], r[x[2]][k], (u64)x[3])); break;
        case OP_MATRIX_CONNECTED: EACH_LANE(matrix_connected(a[k], b[k], r[x[2]][k], (u64)x[3])); break;
        case OP_MATRIX_DEGREE: EACH_LANE(matrix_degree(a[k], b[k], r[x[2]][k], (u64)x[3])); break;
        case OP_MATRIX_LOST: ALL_LANES((a[k] & ~b[k]) != 0); break;
        case OP_MATRIX_COMPLETE: {
            struct heads h = heads_of(x + 3);
            EACH_LANE(matrix_complete(a[k], b[k], r[x[2]][k], h));
            break;
        }
        /* Whether every gold dependent of a node is attached to it; gold arcs are packed as a matrix. */
        case OP_MATRIX_HAS_ALL: EACH_LANE(!matrix_has_dependent(r[x[2]][k] & ~a[k], b[k], (u64)x[3])); break;
        }
    }
    return at;
}

i64 run(struct workspace *w, int count) { return run_rows(w, w->rows, w->row_count, count); }

void run_terminal(struct workspace *w, int count) {
    run_rows(w, w->terminal_rows, w->terminal_row_count, count);
}

i64 run_on(struct workspace *w, const u64 *first, const u64 *second, int count) {
    w->registers[0] = w->inputs[0];
    w->registers[1] = w->inputs[1];
    memcpy(w->registers[0], first, sizeof(u64) * count);
    memcpy(w->registers[1], second, sizeof(u64) * count);
    return run(w, count);
}

/* --- questions of Python ----------------------------------------------------------------------------------------- */

/* Appends the successors of one batch, sorted by lane; `from` is the place of the first lane. */
static void append_in_order(const struct workspace *w, i64 written, i64 from, i64 at, struct successors *to) {
    const struct emitted *out = &w->out;
    i64 begins[LANES + 1] = {0};
    for (i64 e = 0; e < written; e++) begins[out->lane[e] + 1]++;
    for (int k = 0; k < LANES; k++) begins[k + 1] += begins[k];
    for (i64 e = 0; e < written; e++) {
        i64 place = at + begins[out->lane[e]]++;
        to->first[place] = out->first[e];
        to->second[place] = out->second[e];
        to->source[place] = from + (i64)out->lane[e];
        to->label[place] = out->label[e];
        to->marks[place] = out->marks[e];
    }
}

int64_t expand(const struct program *program, const uint64_t *first, const uint64_t *second, int64_t count,
               struct successors *successors, uint8_t *terminals) {
    struct workspace *w = workspace_new(program);
    if (!w) return OUT_OF_MEMORY;
    i64 made = 0;
    for (i64 from = 0; from < count; from += LANES) {
        int lanes = (int)smaller(LANES, count - from);
        i64 written = run_on(w, first + from, second + from, lanes);
        if (written < 0) {
            made = written;
            break;
        }
        for (int k = 0; k < lanes; k++) terminals[from + k] = result(w, program->terminal)[k] != 0;
        append_in_order(w, written, from, made, successors);
        made += written;
    }
    workspace_free(w);
    return made;
}

int ask(const struct program *program, int64_t truth, const uint64_t *first, const uint64_t *second, int64_t count,
        uint8_t *answers) {
    struct workspace *w = workspace_new(program);
    if (!w) return 0;
    for (i64 from = 0; from < count; from += LANES) {
        int lanes = (int)smaller(LANES, count - from);
        run_on(w, first + from, second + from, lanes);
        for (int k = 0; k < lanes; k++) answers[from + k] = result(w, truth)[k] != 0;
    }
    workspace_free(w);
    return 1;
}

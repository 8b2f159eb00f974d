/* Every reachable configuration, numbered breadth first in the order of the figure's transitions, with parents and
   edges.

   A frontier is expanded in batches.  Terminal configurations only run the rows that decide that they are; the others
   wait until they fill a batch.  What a batch leads to is sorted by the configuration it comes from and looked up in a
   hash table, whose slots hold one more than a number below and 32 bits of the hash above: the hash decides where to
   look, the words of the configuration whether it is the same.  In a graded system a configuration can recur only on
   the frontier where it first occurred, so the table forgets everything else. */

#include "machine.h"

struct table {
    u64 *slots;
    u64 span; /* a power of 2 */
};

struct keeper {
    struct program program;
    struct keep_settings settings;
    struct workspace *workspace;
    struct table table;
    i64 room, edge_room, frontier_room;
    i64 begin, end; /* of the frontier */
    i64 at;         /* the first configuration of the frontier that was not looked at */
    /* Configurations that wait to be expanded, with their numbers. */
    u64 *waiting[2];
    i64 *waiting_number;
    int waiting_count;
    /* Successors of a batch, sorted. */
    u64 *first, *second, *hash;
    uint8_t *name;
    i64 *source;
};

/* --- memory ------------------------------------------------------------------------------------------------------ */

static i64 needed_for(i64 configurations, i64 edges, u64 span) {
    return configurations * (16 + BYTES_KEPT + BYTES_ANALYSED) + edges * BYTES_AN_EDGE + (i64)span * SLOT_BYTES;
}

/* Fails if the memory allowed is not enough, or the machine's. */
static int make_room(struct kept *kept, i64 more, u64 span) {
    struct keeper *k = kept->keeper;
    i64 configurations = kept->configurations + more, edges = kept->edges + more;
    i64 needed = needed_for(configurations, edges, span);
    kept->needed = larger(kept->needed, needed);
    if (needed > k->settings.memory || larger(configurations, edges) > MAX_NUMBERED) return 0;
    if (configurations + 1 > k->room) {
        i64 room = larger(configurations + 1, k->room + k->room / 4);
        if (!LENGTHEN(kept->first, room) || !LENGTHEN(kept->second, room) || !LENGTHEN(kept->flags, room)
            || !LENGTHEN(kept->parents, room) || !LENGTHEN(kept->begins, room + 1))
            return 0;
        k->room = room;
    }
    if (edges > k->edge_room) {
        i64 room = larger(edges, k->edge_room + k->edge_room / 4);
        if (!LENGTHEN(kept->targets, room) || !LENGTHEN(kept->names, room)) return 0;
        k->edge_room = room;
    }
    return 1;
}

static u64 span_for(u64 span, i64 count) {
    if (!span) span = 1 << 10;
    while (2 * span < 3 * (u64)count) span *= 2;
    return span;
}

/* A table with this many slots, and in it what is known from number `from` on. */
static int refill(struct kept *kept, u64 span, i64 from) {
    struct table *table = &kept->keeper->table;
    u64 *slots = calloc(span, sizeof(u64));
    if (!slots) return 0;
    free(table->slots);
    *table = (struct table){slots, span};
    for (i64 number = from; number < kept->configurations; number++) {
        u64 hash = hashed(kept->first[number], kept->second[number]), place = hash & (span - 1);
        while (slots[place]) place = (place + 1) & (span - 1);
        slots[place] = hash >> 32 << 32 | (u64)(number + 1);
    }
    return 1;
}

/* --- one batch --------------------------------------------------------------------------------------------------- */

static i64 append_configuration(struct kept *kept, u64 first, u64 second, i64 parent) {
    i64 number = kept->configurations++;
    kept->first[number] = first;
    kept->second[number] = second;
    kept->parents[number] = (i32)parent;
    kept->begins[number + 1] = 0;
    return number;
}

/* Looks each successor up, appends it if it is new, and writes the edge to it. */
static void enter(struct kept *kept, i64 count) {
    struct keeper *k = kept->keeper;
    u64 *slots = k->table.slots, mask = k->table.span - 1;
    for (i64 e = 0; e < count; e++) k->hash[e] = hashed(k->first[e], k->second[e]);
    for (i64 e = 0; e < count; e++) PREFETCH(&slots[k->hash[e] & mask], 1);
    for (i64 e = 0; e < count; e++) {
        u64 place = k->hash[e] & mask, slot;
        i64 number = -1;
        while ((slot = slots[place]) != 0) {
            number = (i64)(slot & 0xFFFFFFFF) - 1;
            if ((slot ^ k->hash[e]) >> 32 == 0 && kept->first[number] == k->first[e]
                && kept->second[number] == k->second[e])
                break;
            place = (place + 1) & mask;
        }
        if (slot == 0) {
            number = append_configuration(kept, k->first[e], k->second[e], k->source[e]);
            slots[place] = k->hash[e] >> 32 << 32 | (u64)(number + 1);
        }
        kept->targets[kept->edges] = (i32)number;
        kept->names[kept->edges++] = k->name[e];
    }
}

/* The signs of a batch; `begins[lane + 1]` becomes the number of successors that are kept. */
static void sign(struct kept *kept, int count, i64 written, i64 *begins) {
    const struct keeper *k = kept->keeper;
    const struct workspace *w = k->workspace;
    const struct emitted *out = &w->out;
    const u64 *terminal = result(w, k->program.terminal), *empty = result(w, k->program.empty);
    const u64 *second = w->registers[1];
    i64 signs[LANES] = {0};
    uint8_t has_default[LANES] = {0};
    for (i64 e = 0; e < written; e++) {
        u64 lane = out->lane[e];
        if (terminal[lane] && !k->settings.past_terminal) {
            int goes_on = ((out->second[e] ^ second[lane]) & k->settings.arcs_mask) != 0;
            signs[lane] |= SIGN_PERMITS | (goes_on ? SIGN_GOES_ON : 0);
            continue;
        }
        begins[lane + 1]++;
        signs[lane] |= out->marks[e];
        has_default[lane] |= (out->label[e] & NAME_MASK) == k->settings.default_name;
    }
    for (int lane = 0; lane < count; lane++) {
        i64 sign = signs[lane];
        if (terminal[lane]) {
            if (!k->settings.look) sign &= ~(SIGN_PERMITS | SIGN_GOES_ON);
            sign |= SIGN_TERMINAL;
            kept->terminals++;
        } else {
            if (begins[lane + 1] == 0) sign |= SIGN_DEAD_END;
            if (!has_default[lane]) sign |= SIGN_NO_DEFAULT;
            if (empty[lane]) sign |= SIGN_EMPTY_BUFFER;
            kept->dead_ends += begins[lane + 1] == 0;
        }
        kept->flags[k->waiting_number[lane]] = (int16_t)sign;
        kept->begins[k->waiting_number[lane] + 1] = begins[lane + 1];
        kept->marks |= sign;
    }
}

/* Copies the successors that are kept, sorted by lane; returns their number. */
static i64 sort(struct keeper *k, i64 written, i64 *begins) {
    const struct emitted *out = &k->workspace->out;
    const u64 *terminal = result(k->workspace, k->program.terminal);
    for (int lane = 0; lane < LANES; lane++) begins[lane + 1] += begins[lane];
    for (i64 e = 0; e < written; e++) {
        u64 lane = out->lane[e];
        if (terminal[lane] && !k->settings.past_terminal) continue;
        i64 to = begins[lane]++;
        k->first[to] = out->first[e];
        k->second[to] = out->second[e];
        k->name[to] = (uint8_t)(out->label[e] & NAME_MASK);
        k->source[to] = k->waiting_number[lane];
    }
    return begins[LANES - 1];
}

/* Expands up to LANES configurations that wait. */
static i64 expand_waiting(struct kept *kept) {
    struct keeper *k = kept->keeper;
    int count = (int)smaller(LANES, k->waiting_count), left = k->waiting_count - count;
    i64 begins[LANES + 1] = {0};
    i64 written = run_on(k->workspace, k->waiting[0], k->waiting[1], count);
    if (written < 0) return written;
    sign(kept, count, written, begins);
    i64 made = sort(k, written, begins);
    for (int word = 0; word < 2; word++) memmove(k->waiting[word], k->waiting[word] + count, sizeof(u64) * left);
    memmove(k->waiting_number, k->waiting_number + count, sizeof(i64) * left);
    k->waiting_count = left;
    i64 from = k->settings.is_graded ? k->end : 0;
    u64 span = span_for(k->table.span, kept->configurations - from + made);
    if (!make_room(kept, made, span)) return OUT_OF_MEMORY;
    if (span > k->table.span && !refill(kept, span, from)) return OUT_OF_MEMORY;
    enter(kept, made);
    return FINISHED;
}

/* Looks at a batch of the frontier: those that are not terminal wait to be expanded. */
static void look_at_next(struct kept *kept) {
    struct keeper *k = kept->keeper;
    struct workspace *w = k->workspace;
    int count = (int)smaller(LANES, k->end - k->at);
    int all_wait = k->settings.look || k->settings.past_terminal;
    const u64 *terminal = result(w, k->program.terminal);
    if (!all_wait) {
        memcpy(w->registers[0], kept->first + k->at, sizeof(u64) * count);
        memcpy(w->registers[1], kept->second + k->at, sizeof(u64) * count);
        run_terminal(w, count);
    }
    for (int lane = 0; lane < count; lane++) {
        i64 number = k->at + lane;
        if (!all_wait && terminal[lane]) {
            kept->flags[number] = (int16_t)SIGN_TERMINAL;
            kept->marks |= SIGN_TERMINAL;
            kept->terminals++;
            continue;
        }
        k->waiting[0][k->waiting_count] = kept->first[number];
        k->waiting[1][k->waiting_count] = kept->second[number];
        k->waiting_number[k->waiting_count++] = number;
    }
    k->at += count;
}

/* --- frontiers --------------------------------------------------------------------------------------------------- */

static int begin_frontier(struct kept *kept) {
    struct keeper *k = kept->keeper;
    if (kept->frontier_count == k->frontier_room) {
        k->frontier_room = 2 * k->frontier_room + 64;
        if (!LENGTHEN(kept->frontiers, k->frontier_room)) return 0;
    }
    kept->frontiers[kept->frontier_count++] = k->end;
    k->begin = k->at = k->end;
    k->end = kept->configurations;
    if (k->settings.is_graded && k->table.span) memset(k->table.slots, 0, sizeof(u64) * k->table.span);
    return 1;
}

/* Releases what is no longer needed, and makes places of edges from their numbers. */
static void finish(struct kept *kept) {
    free(kept->keeper->table.slots);
    kept->keeper->table.slots = NULL;
    kept->begins[0] = 0;
    for (i64 k = 0; k < kept->configurations; k++) kept->begins[k + 1] += kept->begins[k];
    i64 count = kept->configurations, edges = larger(kept->edges, 1);
    LENGTHEN(kept->first, count);
    LENGTHEN(kept->second, count);
    LENGTHEN(kept->flags, count);
    LENGTHEN(kept->parents, count);
    LENGTHEN(kept->begins, count + 1);
    LENGTHEN(kept->targets, edges);
    LENGTHEN(kept->names, edges);
}

struct kept *keep_begin(const struct keep_settings *settings) {
    struct kept *kept = calloc(1, sizeof *kept);
    struct keeper *k = calloc(1, sizeof *k);
    if (!kept || !k) {
        free(kept);
        free(k);
        return NULL;
    }
    kept->keeper = k;
    k->settings = *settings;
    k->program = *settings->program;
    i64 room = LANES * (k->program.emits + 1);
    k->workspace = workspace_new(&k->program);
    k->waiting[0] = malloc(sizeof(u64) * 2 * LANES);
    k->waiting[1] = malloc(sizeof(u64) * 2 * LANES);
    k->waiting_number = malloc(sizeof(i64) * 2 * LANES);
    k->first = malloc(sizeof(u64) * room);
    k->second = malloc(sizeof(u64) * room);
    k->hash = malloc(sizeof(u64) * room);
    k->source = malloc(sizeof(i64) * room);
    k->name = malloc(room);
    int has_buffers = k->workspace && k->waiting[0] && k->waiting[1] && k->waiting_number && k->first && k->second
                      && k->hash && k->source && k->name;
    u64 span = span_for(0, 1);
    k->settings.memory = INT64_MAX; /* the start costs nothing */
    if (!has_buffers || !make_room(kept, 1, span)) {
        keep_end(kept);
        return NULL;
    }
    k->settings.memory = settings->memory;
    append_configuration(kept, settings->first, settings->second, -1);
    if (!refill(kept, span, 0)) {
        keep_end(kept);
        return NULL;
    }
    return kept;
}

int64_t keep_go_on(struct kept *kept, int64_t batches) {
    struct keeper *k = kept->keeper;
    for (; batches > 0; batches--) {
        if (k->at == k->end && k->waiting_count == 0) {
            if (k->end == kept->configurations) {
                finish(kept);
                return FINISHED;
            }
            if (!begin_frontier(kept)) return OUT_OF_MEMORY;
        }
        if (k->at < k->end) look_at_next(kept);
        if (k->waiting_count >= LANES || (k->at == k->end && k->waiting_count > 0)) {
            i64 code = expand_waiting(kept);
            if (code != FINISHED) return code;
        }
    }
    return PAUSED;
}

void keep_end(struct kept *kept) {
    if (!kept) return;
    struct keeper *k = kept->keeper;
    workspace_free(k->workspace);
    free(k->table.slots);
    free(k->waiting[0]);
    free(k->waiting[1]);
    free(k->waiting_number);
    free(k->first);
    free(k->second);
    free(k->hash);
    free(k->source);
    free(k->name);
    free(k);
    free(kept->first);
    free(kept->second);
    free(kept->flags);
    free(kept->parents);
    free(kept->begins);
    free(kept->targets);
    free(kept->names);
    free(kept->frontiers);
    free(kept);
}

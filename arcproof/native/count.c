/* Counting configurations rank by rank, where every transition leads to a higher rank.

   All that leads to a configuration is known before its rank is dealt with, so only what waits on higher ranks is
   stored.  The measure is not believed: a transition that does not climb stops the count.

   What waits on a rank falls into parts by hash, each small enough for the processor's cache.  A part is a stream for
   each worker that writes to it: a chain of chunks, of which only the place for the next item is kept.  An item has the
   two words of a configuration and, where runs are counted, one word of *runs*: their number above, the lengths of the
   longest and of the shortest below.  Where every transition climbs by the same number of ranks, the rank tells the
   length, and the whole word is the number.  Outputs are collected in the same way: packed arcs and the number of runs.

   A part is gathered by one worker: equal items become one.  Terminal configurations only run the rows that decide that
   they are; the others wait until they fill a batch. */

#include "machine.h"

#if defined(__GNUC__)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define NEVER_INLINE static __attribute__((noinline))
#else
#define ALWAYS_INLINE static inline
#define NEVER_INLINE static
#endif

enum {
    PARTS = 256,       /* of a rank, at the most */
    CHUNK_WORDS = 256, /* a chunk is as large as its alignment, so that its end shows in an address */
    CHUNK_BYTES = 8 * CHUNK_WORDS,
    SLAB_CHUNKS = 256,
    LENGTH_BITS = 12,
    LENGTHS_BITS = 2 * LENGTH_BITS,
    MAX_SEQUENCES = 64, /* the length of each takes a bit of the first word */
};
#define LENGTH (((u64)1 << LENGTH_BITS) - 1)
#define ONE_STEP (((u64)1 << LENGTH_BITS) + 1) /* added to both lengths */

/* The beginning of a chunk; its items follow, so that the last one ends where the chunk does. */
struct chunk {
    struct chunk *before;
    u64 chunks_before;
};

/* Streams by rank and part. */
struct streams {
    int width;     /* words of an item */
    int per_chunk; /* items */
    u64 **next;    /* where the next item goes; a multiple of CHUNK_BYTES, or NULL, asks for a chunk first */
    i64 *chunks;   /* how many each rank has */
};

struct gathered {
    u64 *first, *second, *runs; /* distinct items */
    i64 room;
    u32 *slots;
    u64 span;
};

struct worker {
    struct counting *counting;
    i64 number;
    struct workspace *workspace;
    struct streams waiting, ends;
    struct chunk *free;   /* chunks that may be used again */
    void **slabs;         /* memory that chunks are cut from */
    i64 slab_count, slab_room;
    i64 fresh;            /* chunks of the last slab that were never used */
    u64 *spill;           /* written to when there is no memory for a chunk */
    struct gathered gathered;
    /* Configurations that are not terminal, until they fill a batch; and the runs to each. */
    u64 *pending[3];
    int pending_count;
    /* Of the successors of a batch. */
    i64 *ranks;
    u64 *hash;
    i64 part;             /* the next part of the rank that is shared */
    i64 code;             /* what went wrong, or FINISHED */
    struct counts counts; /* this worker's */
    i64 is_inexact;       /* a number of runs was too large */
    i64 gathered_items, appended_items, end_items;
};

struct counting {
    struct count_settings settings;
    struct program program;
    struct measure measure;
    struct worker *workers;
    i64 *parts;  /* of each rank */
    i64 divided; /* the parts of ranks on which nothing waits yet */
    i64 start, rank;
    i64 most_items;       /* that waited on a rank, about */
    i64 condensed;        /* outputs, when they were last gathered */
    double branching;     /* successors of a configuration, on the last large rank */
    i64 items_before, appended_before;
    int lengths_bits;     /* below the number of runs */
};

/* --- streams ----------------------------------------------------------------------------------------------------- */

static int streams_begin(struct streams *s, int width, i64 ranks) {
    s->width = width;
    s->per_chunk = (CHUNK_BYTES - (int)sizeof(struct chunk)) / (8 * width);
    s->next = calloc(ranks * PARTS, sizeof(u64 *));
    s->chunks = calloc(ranks, sizeof(i64));
    return s->next && s->chunks;
}

/* The place of the first item in a chunk. */
static inline int first_word(int width) {
    return CHUNK_WORDS - (CHUNK_BYTES - (int)sizeof(struct chunk)) / (8 * width) * width;
}

/* A chunk that nobody uses; NULL if there is no memory. */
static struct chunk *fresh_chunk(struct worker *w) {
    struct chunk *chunk = w->free;
    if (chunk) {
        w->free = chunk->before;
        return chunk;
    }
    if (w->fresh == 0) {
        if (w->slab_count == w->slab_room) {
            i64 room = 2 * w->slab_room + 16;
            void **longer = realloc(w->slabs, sizeof(void *) * room);
            if (!longer) return NULL;
            w->slabs = longer;
            w->slab_room = room;
        }
        void *slab = malloc((size_t)(SLAB_CHUNKS + 1) * CHUNK_BYTES);
        if (!slab) return NULL;
        w->slabs[w->slab_count++] = slab;
        w->fresh = SLAB_CHUNKS;
    }
    uintptr_t slab = (uintptr_t)w->slabs[w->slab_count - 1];
    uintptr_t aligned = (slab + CHUNK_BYTES - 1) & ~(uintptr_t)(CHUNK_BYTES - 1);
    return (struct chunk *)(aligned + (uintptr_t)(--w->fresh) * CHUNK_BYTES);
}

/* The chunk that ends where, or in which, the next item goes. */
static inline struct chunk *chunk_of(u64 *next) {
    return (struct chunk *)(((uintptr_t)next - 1) & ~(uintptr_t)(CHUNK_BYTES - 1));
}

NEVER_INLINE u64 *another_chunk(struct worker *w, struct streams *s, u64 *next, i64 rank) {
    struct chunk *chunk = fresh_chunk(w);
    if (!chunk) {
        w->code = OUT_OF_MEMORY;
        return w->spill;
    }
    chunk->before = next ? chunk_of(next) : NULL;
    chunk->chunks_before = next ? chunk->before->chunks_before + 1 : 0;
    s->chunks[rank]++;
    return (u64 *)chunk + first_word(s->width);
}

/* Room for one more item. */
ALWAYS_INLINE u64 *append(struct worker *w, struct streams *s, i64 rank, u64 part, const int width) {
    u64 **next = &s->next[rank * PARTS + (i64)part], *item = *next;
    if (((uintptr_t)item & (CHUNK_BYTES - 1)) == 0) {
        item = another_chunk(w, s, item, rank);
        if (item == w->spill) return item;
    }
    *next = item + width;
    return item;
}

/* How many items a stream has. */
static i64 stream_length(const struct streams *s, i64 rank, i64 part) {
    u64 *next = s->next[rank * PARTS + part];
    if (!next) return 0;
    struct chunk *chunk = chunk_of(next);
    return (i64)chunk->chunks_before * s->per_chunk + (next - (u64 *)chunk - first_word(s->width)) / s->width;
}

/* --- gathering --------------------------------------------------------------------------------------------------- */

static void *aligned_room(void **memory, size_t bytes) {
    free(*memory);
    *memory = malloc(bytes);
    return *memory;
}

/* Room for so many distinct items, and a table for them that is at most half full. */
static int prepare(struct gathered *g, i64 items) {
    u64 span = 64;
    while (span < 2 * (u64)items) span *= 2;
    if (items + 2 * LANES > g->room) {
        g->room = items + items / 2 + 4 * LANES;
        size_t bytes = sizeof(u64) * (size_t)g->room;
        if (!aligned_room((void **)&g->first, bytes) || !aligned_room((void **)&g->second, bytes)
            || !aligned_room((void **)&g->runs, bytes)) {
            g->room = 0;
            return 0;
        }
    }
    if (span > g->span) {
        g->span = 0;
        if (!aligned_room((void **)&g->slots, sizeof(u32) * (size_t)span)) return 0;
        g->span = span;
    }
    memset(g->slots, 0, sizeof(u32) * (size_t)span);
    return 1;
}

/* The runs of both: their number, the longest and the shortest. */
static inline u64 merged(u64 a, u64 b, int lengths_bits, i64 *is_inexact) {
    u64 lengths = ((u64)1 << lengths_bits) - 1;
    u64 number = (a & ~lengths) + (b & ~lengths);
    if ((i64)number < 0) *is_inexact = 1;
    u64 longest_a = a & lengths & ~LENGTH, longest_b = b & lengths & ~LENGTH;
    u64 shortest_a = a & lengths & LENGTH, shortest_b = b & lengths & LENGTH;
    u64 longest = longest_a > longest_b ? longest_a : longest_b;
    return number | longest | (shortest_a < shortest_b ? shortest_a : shortest_b);
}

/* Adds the items of one chunk to the distinct ones; a slot has one more than a number below, and bits of the hash. */
ALWAYS_INLINE u32 gather_chunk(struct gathered *g, const u64 *item, int items, u32 count, int number_bits, u64 mask,
                               const int words, const int has_runs, int lengths_bits, i64 *is_inexact) {
    const int width = words + has_runs;
    const u32 numbers = (u32)(((u64)1 << number_bits) - 1);
    u64 hash[CHUNK_WORDS];
    for (int k = 0; k < items; k++) hash[k] = hashed(item[k * width], words == 2 ? item[k * width + 1] : 0);
    for (int k = 0; k < items; k++, item += width) {
        u64 place = hash[k] & mask;
        u32 tag = (u32)(hash[k] >> 24) & ~numbers, slot;
        while ((slot = g->slots[place]) != 0) {
            u32 number = (slot & numbers) - 1;
            if ((slot & ~numbers) == tag && g->first[number] == item[0]
                && (words == 1 || g->second[number] == item[1])) {
                if (has_runs) g->runs[number] = merged(g->runs[number], item[words], lengths_bits, is_inexact);
                break;
            }
            place = (place + 1) & mask;
        }
        if (slot) continue;
        g->first[count] = item[0];
        if (words == 2) g->second[count] = item[1];
        if (has_runs) g->runs[count] = item[words];
        g->slots[place] = tag | ++count;
    }
    return count;
}

/* The distinct items of a part, whoever wrote them; their chunks are free afterwards.  -1 if there is no memory. */
ALWAYS_INLINE i64 gather(struct worker *w, size_t streams_at, i64 rank, i64 part, const int words, const int has_runs,
                         int lengths_bits, i64 *items) {
    struct counting *c = w->counting;
    i64 total = 0;
    for (i64 other = 0; other < c->settings.workers; other++) {
        struct streams *s = (struct streams *)((char *)&c->workers[other] + streams_at);
        total += stream_length(s, rank, part);
    }
    if (total == 0) return 0;
    if (total >= UINT32_MAX || !prepare(&w->gathered, total)) return -1;
    int number_bits = 8;
    while ((u64)1 << number_bits <= (u64)total) number_bits++;
    u64 mask = 64;
    while (mask < 2 * (u64)total) mask *= 2;
    mask--;
    const int width = words + has_runs;
    u32 count = 0;
    for (i64 other = 0; other < c->settings.workers; other++) {
        struct streams *s = (struct streams *)((char *)&c->workers[other] + streams_at);
        u64 *next = s->next[rank * PARTS + part];
        if (!next) continue;
        struct chunk *chunk = chunk_of(next);
        int here = (int)((next - (u64 *)chunk - first_word(width)) / width);
        while (chunk) {
            struct chunk *before = chunk->before;
            if (before)
                for (int k = 0; k < CHUNK_WORDS; k += 8) PREFETCH((u64 *)before + k, 0);
            count = gather_chunk(&w->gathered, (u64 *)chunk + first_word(width), here, count, number_bits, mask, words,
                                 has_runs, lengths_bits, &w->is_inexact);
            here = s->per_chunk;
            chunk->before = w->free;
            w->free = chunk;
            chunk = before;
        }
        s->next[rank * PARTS + part] = NULL;
    }
    *items += total;
    return count;
}

/* --- ranks ------------------------------------------------------------------------------------------------------- */

/* Adds the sum of all nodes times their places, in all sequences from left to right, for some configurations. */
static void add_order(const struct measure *m, const u64 *first, int count, i64 *ranks) {
    u64 node = ((u64)1 << m->node_bits) - 1;
    u64 borders[MAX_SEQUENCES + 1][LANES], total[LANES] = {0}; /* sequence s goes from border s to border s + 1 */
    int sequences = (int)m->sequence_count;
    u64 cells = sequences ? (u64)m->sequences[0].shift / (u64)m->node_bits : 0;
    for (int k = 0; k < count; k++) borders[0][k] = 0;
    for (int s = 0; s < sequences; s++) {
        const struct sequence *q = &m->sequences[s];
        for (int k = 0; k < count; k++) borders[s + 1][k] = borders[s][k] + (first[k] >> q->shift & (u64)q->mask);
    }
    for (u64 cell = 0; cell < cells; cell++) {
        u64 place[LANES];
        for (int k = 0; k < count; k++) place[k] = cell;
        for (int s = 0; s < sequences; s++) {
            if (!m->sequences[s].head_is_right) continue;
            for (int k = 0; k < count; k++) {
                u64 begin = borders[s][k], end = borders[s + 1][k];
                place[k] = cell >= begin && cell < end ? begin + end - 1 - cell : place[k];
            }
        }
        for (int k = 0; k < count; k++) total[k] += (u64)(u32)(first[k] >> cell * m->node_bits & node) * (u32)place[k];
    }
    for (int k = 0; k < count; k++) ranks[k] += m->order_factor * (i64)total[k];
}

static void batch_ranks(const struct measure *m, const u64 *first, const u64 *second, i64 count, i64 *ranks) {
    for (i64 k = 0; k < count; k++) ranks[k] = m->base;
    for (i64 t = 0; t < m->term_count; t++) {
        struct term x = m->terms[t];
        const u64 *word = x.word ? second : first;
        u64 mask = (u64)x.mask;
        if (x.is_presence)
            for (i64 k = 0; k < count; k++) ranks[k] += word[k] >> x.shift & mask ? x.factor : 0;
        else
            for (i64 k = 0; k < count; k++) ranks[k] += x.factor * (i64)(u32)(word[k] >> x.shift & mask);
    }
    if (m->order_factor)
        for (i64 from = 0; from < count; from += LANES)
            add_order(m, first + from, (int)smaller(LANES, count - from), ranks + from);
}

void ranks_of(const struct measure *m, const uint64_t *first, const uint64_t *second, int64_t count, int64_t *ranks) {
    batch_ranks(m, first, second, count, ranks);
}

/* --- expanding --------------------------------------------------------------------------------------------------- */

/* The code of a transition that does not climb as it should, or FINISHED. */
static i64 check_climbs(const struct counting *c, const i64 *ranks, i64 count) {
    u64 wrong = 0;
    if (c->settings.step) {
        i64 next = c->rank + c->settings.step;
        for (i64 k = 0; k < count; k++) wrong |= ranks[k] != next;
        if (!wrong) return next < c->measure.ranks || count == 0 ? FINISHED : DOES_NOT_CLIMB;
    }
    wrong = 0;
    for (i64 k = 0; k < count; k++) wrong |= ranks[k] <= c->rank || ranks[k] >= c->measure.ranks;
    return wrong ? DOES_NOT_CLIMB : c->settings.step ? CLIMBS_UNEVENLY : FINISHED;
}

/* Expands the first configurations that are pending, and lets what they lead to wait. */
ALWAYS_INLINE void expand_pending(struct worker *w, const int has_runs) {
    struct counting *c = w->counting;
    int count = (int)smaller(LANES, w->pending_count), left = w->pending_count - count;
    i64 written = run_on(w->workspace, w->pending[0], w->pending[1], count);
    if (written < 0) {
        w->code = written;
        return;
    }
    const struct emitted *out = &w->workspace->out;
    batch_ranks(&c->measure, out->first, out->second, written, w->ranks);
    i64 code = check_climbs(c, w->ranks, written);
    if (code != FINISHED) {
        w->code = code;
        return;
    }
    for (i64 e = 0; e < written; e++) w->hash[e] = hashed(out->first[e], out->second[e]);
    u64 has_successor[LANES] = {0};
    const u64 one_step = c->lengths_bits ? ONE_STEP : 0;
    for (i64 e = 0; e < written; e++) {
        i64 rank = w->ranks[e];
        u64 *item = append(w, &w->waiting, rank, w->hash[e] >> 56 & (u64)(c->parts[rank] - 1), 2 + has_runs);
        item[0] = out->first[e];
        item[1] = out->second[e];
        if (has_runs) item[2] = w->pending[2][out->lane[e]] + one_step;
        has_successor[out->lane[e]] = 1;
    }
    i64 going_on = 0;
    for (int k = 0; k < count; k++) going_on += (i64)has_successor[k];
    w->counts.dead_ends += count - going_on;
    w->counts.transitions += written;
    w->appended_items += written;
    for (int word = 0; word < 2 + has_runs; word++)
        memmove(w->pending[word], w->pending[word] + count, sizeof(u64) * left);
    w->pending_count = left;
}

/* Records an output, and the lengths of the runs to it. */
static void end_with(struct worker *w, u64 second, u64 runs) {
    const struct counting *c = w->counting;
    u64 arcs = second & c->settings.arcs_mask;
    u64 *item = append(w, &w->ends, 0, hashed(arcs, 0) >> 56 & (PARTS - 1), 2);
    item[0] = arcs;
    item[1] = runs >> c->lengths_bits;
    w->end_items++;
    i64 length = c->settings.step ? (c->rank - c->start) / c->settings.step : 0;
    i64 longest = c->settings.step ? length : (i64)(runs >> LENGTH_BITS & LENGTH);
    i64 shortest = c->settings.step ? length : (i64)(runs & LENGTH);
    if (!c->settings.step && !c->lengths_bits) return; /* counted again without lengths */
    w->counts.longest = larger(w->counts.longest, longest);
    w->counts.shortest = smaller(w->counts.shortest, shortest);
}

/* Counts the terminal ones of a batch of distinct items; the others are pending. */
ALWAYS_INLINE void look_at(struct worker *w, i64 from, int count, const int has_runs) {
    const struct gathered *g = &w->gathered;
    struct workspace *s = w->workspace;
    s->registers[0] = g->first + from;
    s->registers[1] = g->second + from;
    run_terminal(s, count);
    const u64 *terminal = result(s, w->counting->program.terminal);
    int before = w->pending_count, at = before;
    for (int k = 0; k < count; k++) {
        w->pending[0][at] = g->first[from + k];
        w->pending[1][at] = g->second[from + k];
        if (has_runs) w->pending[2][at] = g->runs[from + k];
        at += (int)(terminal[k] ^ 1);
    }
    w->pending_count = at;
    w->counts.terminals += count - (at - before);
    if (has_runs && at - before < count)
        for (int k = 0; k < count; k++)
            if (terminal[k]) end_with(w, g->second[from + k], g->runs[from + k]);
}

/* Deals with one part of the current rank. */
ALWAYS_INLINE void deal_with(struct worker *w, i64 part, const int has_runs) {
    struct counting *c = w->counting;
    i64 count = gather(w, offsetof(struct worker, waiting), c->rank, part, 2, has_runs, c->lengths_bits,
                       &w->gathered_items);
    if (count < 0) {
        w->code = OUT_OF_MEMORY;
        return;
    }
    w->counts.configurations += count;
    for (i64 from = 0; from < count && w->code == FINISHED; from += LANES) {
        look_at(w, from, (int)smaller(LANES, count - from), has_runs);
        if (w->pending_count >= LANES) expand_pending(w, has_runs);
    }
}

/* Deals with parts from `w->part` up to the last of this worker's share, or until so many items are done. */
ALWAYS_INLINE i64 deal_with_parts(struct worker *w, i64 last, i64 items, const int has_runs) {
    i64 enough = w->gathered_items + items;
    while (w->part < last && w->code == FINISHED) {
        deal_with(w, w->part++, has_runs);
        if (w->gathered_items >= enough && w->part < last) return w->code == FINISHED ? PAUSED : w->code;
    }
    while (w->pending_count > 0 && w->code == FINISHED) expand_pending(w, has_runs);
    return w->code;
}

static i64 deal(struct worker *w, i64 last, i64 items) {
    return w->counting->settings.with_outputs ? deal_with_parts(w, last, items, 1) : deal_with_parts(w, last, items, 0);
}

/* --- all ranks --------------------------------------------------------------------------------------------------- */

/* At least as many items as wait on a rank. */
static i64 about_waiting(const struct counting *c, i64 rank) {
    i64 items = 0;
    for (i64 k = 0; k < c->settings.workers; k++) {
        const struct streams *waiting = &c->workers[k].waiting;
        items += waiting->chunks[rank] * waiting->per_chunk;
    }
    return items;
}

/* Divides ranks on which nothing waits yet finely enough for twice as many items as ever waited on a rank. */
static void divide(struct counting *c) {
    i64 parts = c->divided;
    while (parts < PARTS && parts * c->settings.part_items < 2 * c->most_items) parts *= 2;
    if (parts == c->divided) return;
    c->divided = parts;
    for (i64 rank = c->rank + 1; rank < c->measure.ranks; rank++)
        if (about_waiting(c, rank) == 0) c->parts[rank] = parts;
}

static i64 total_of(const struct counting *c, size_t at) {
    i64 total = 0;
    for (i64 k = 0; k < c->settings.workers; k++) total += *(i64 *)((char *)&c->workers[k] + at);
    return total;
}
#define TOTAL(field) total_of(c, offsetof(struct worker, field))

/* Whether the memory allowed is enough for what waits, and for what so many items will lead to.  This does not depend
   on the number of workers, so how far a count comes does not, either. */
static int is_affordable(struct counts *counts, i64 items) {
    const struct counting *c = counts->counting;
    i64 waiting = TOTAL(appended_items) - TOTAL(gathered_items);
    if (c->branching > 1) waiting += (i64)((c->branching - 1) * (double)items);
    i64 needed = waiting * c->workers[0].waiting.width * 8;
    needed += needed / 3; /* chunks that are not full, and distinct items */
    needed += TOTAL(end_items) * 16;
    counts->needed = larger(counts->needed, needed);
    return needed <= c->settings.memory;
}

/* Makes the outputs of a worker's parts distinct. */
static void condense(struct worker *w, i64 first, i64 last) {
    for (i64 part = first; part < last; part++) {
        i64 items = 0, count = gather(w, offsetof(struct worker, ends), 0, part, 1, 1, 0, &items);
        if (count < 0) {
            w->code = OUT_OF_MEMORY;
            return;
        }
        for (i64 k = 0; k < count; k++) {
            u64 *item = append(w, &w->ends, 0, (u64)part, 2);
            item[0] = w->gathered.first[k];
            item[1] = w->gathered.runs[k];
        }
        w->end_items += count - items;
    }
}

/* Between two ranks: what was counted is checked, and outputs are condensed when their number has grown by half. */
static i64 finish_rank(struct counts *counts) {
    struct counting *c = counts->counting;
    for (i64 k = 0; k < c->settings.workers; k++)
        if (c->workers[k].code != FINISHED) return c->workers[k].code;
    i64 items = TOTAL(gathered_items) - c->items_before;
    if (items > c->settings.few) c->branching = (double)(TOTAL(appended_items) - c->appended_before) / (double)items;
    if (!is_affordable(counts, 0)) return OUT_OF_MEMORY;
    if (2 * TOTAL(end_items) > 3 * c->condensed) {
        condense(&c->workers[0], 0, PARTS);
        if (c->workers[0].code != FINISHED) return c->workers[0].code;
        c->condensed = larger(c->settings.part_items, TOTAL(end_items));
    }
    for (i64 k = 0; k < c->settings.workers; k++) c->workers[k].waiting.chunks[c->rank] = 0;
    c->rank++;
    return FINISHED;
}

/* Begins the next rank on which something waits; FINISHED if there is none. */
static i64 begin_rank(struct counts *counts) {
    struct counting *c = counts->counting;
    while (c->rank < c->measure.ranks && about_waiting(c, c->rank) == 0) c->rank++;
    if (c->rank == c->measure.ranks) return FINISHED;
    i64 items = 0;
    for (i64 k = 0; k < c->settings.workers; k++)
        for (i64 part = 0; part < c->parts[c->rank]; part++)
            items += stream_length(&c->workers[k].waiting, c->rank, part);
    c->most_items = larger(c->most_items, items);
    c->items_before = TOTAL(gathered_items);
    c->appended_before = TOTAL(appended_items);
    if (!is_affordable(counts, items > c->settings.few ? items : 0)) return OUT_OF_MEMORY;
    divide(c);
    int is_shared = c->settings.workers > 1 && items > c->settings.few && c->parts[c->rank] >= c->settings.workers;
    for (i64 k = 0; k < c->settings.workers; k++)
        c->workers[k].part = is_shared ? c->parts[c->rank] * k / c->settings.workers : 0;
    return is_shared ? MANY : PAUSED;
}

static void add_up(struct counts *counts) {
    const struct counting *c = counts->counting;
    counts->configurations = TOTAL(counts.configurations);
    counts->transitions = TOTAL(counts.transitions);
    counts->terminals = TOTAL(counts.terminals);
    counts->dead_ends = TOTAL(counts.dead_ends);
    counts->longest = 0;
    counts->shortest = INT64_MAX;
    for (i64 k = 0; k < c->settings.workers; k++) {
        counts->longest = larger(counts->longest, c->workers[k].counts.longest);
        counts->shortest = smaller(counts->shortest, c->workers[k].counts.shortest);
    }
}

int64_t count_go_on(struct counts *counts, int64_t items) {
    struct counting *c = counts->counting;
    struct worker *w = &c->workers[0];
    i64 enough = w->gathered_items + items;
    i64 code = PAUSED;
    while (code == PAUSED && w->gathered_items < enough) {
        if (w->part < 0) {
            code = begin_rank(counts);
            if (code != PAUSED) break;
        }
        code = deal(w, c->parts[c->rank], enough - w->gathered_items);
        if (code == FINISHED) code = count_shared(counts);
    }
    add_up(counts);
    return code;
}

int64_t count_share(struct counts *counts, int64_t worker, int64_t items) {
    struct counting *c = counts->counting;
    return deal(&c->workers[worker], c->parts[c->rank] * (worker + 1) / c->settings.workers, items);
}

int64_t count_shared(struct counts *counts) {
    struct counting *c = counts->counting;
    i64 code = finish_rank(counts);
    c->workers[0].part = -1;
    add_up(counts);
    return code == FINISHED ? PAUSED : code;
}

int count_is_inexact(const struct counts *counts) {
    const struct counting *c = counts->counting;
    return TOTAL(is_inexact) != 0;
}

int64_t count_outputs(struct counts *counts, int64_t worker, uint64_t **arcs, int64_t **runs) {
    struct counting *c = counts->counting;
    struct worker *w = &c->workers[worker];
    i64 first = PARTS * worker / c->settings.workers, last = PARTS * (worker + 1) / c->settings.workers, room = 0;
    for (i64 part = first; part < last; part++)
        for (i64 k = 0; k < c->settings.workers; k++) room += stream_length(&c->workers[k].ends, 0, part);
    *arcs = malloc(sizeof(u64) * (size_t)(room + 1));
    *runs = malloc(sizeof(i64) * (size_t)(room + 1));
    i64 made = 0, items = 0;
    for (i64 part = first; part < last && *arcs && *runs; part++) {
        i64 count = gather(w, offsetof(struct worker, ends), 0, part, 1, 1, 0, &items);
        if (count < 0) {
            free(*arcs);
            *arcs = NULL;
            break;
        }
        if (count == 0) continue;
        memcpy(*arcs + made, w->gathered.first, sizeof(u64) * count);
        memcpy(*runs + made, w->gathered.runs, sizeof(i64) * count);
        made += count;
    }
    if (*arcs && *runs) return made;
    free(*arcs);
    free(*runs);
    return OUT_OF_MEMORY;
}

/* --- beginning and end ------------------------------------------------------------------------------------------- */

static int worker_begin(struct worker *w, struct counting *c, i64 number) {
    const struct count_settings *settings = &c->settings;
    i64 room = LANES * (c->program.emits + 1);
    w->counting = c;
    w->number = number;
    w->code = FINISHED;
    w->part = -1;
    w->counts.shortest = INT64_MAX;
    w->workspace = workspace_new(&c->program);
    w->spill = malloc(CHUNK_BYTES);
    for (int word = 0; word < 3; word++) w->pending[word] = malloc(sizeof(u64) * 2 * LANES);
    w->ranks = malloc(sizeof(i64) * room);
    w->hash = malloc(sizeof(u64) * room);
    if (!w->workspace || !w->spill || !w->pending[0] || !w->pending[1] || !w->pending[2] || !w->ranks || !w->hash)
        return 0;
    w->workspace->is_counting = 1;
    return streams_begin(&w->waiting, settings->with_outputs ? 3 : 2, c->measure.ranks)
           && streams_begin(&w->ends, 2, 1);
}

struct counts *count_begin(const struct count_settings *settings) {
    struct counts *counts = calloc(1, sizeof *counts);
    struct counting *c = calloc(1, sizeof *c);
    if (!counts || !c) {
        free(counts);
        free(c);
        return NULL;
    }
    counts->counting = c;
    c->settings = *settings;
    c->program = *settings->program;
    c->measure = *settings->measure;
    c->lengths_bits = settings->with_lengths ? LENGTHS_BITS : 0;
    c->divided = 1;
    c->condensed = settings->part_items;
    c->branching = 2;
    c->parts = malloc(sizeof(i64) * c->measure.ranks);
    c->workers = calloc(settings->workers, sizeof *c->workers);
    int is_ready = c->parts && c->workers;
    for (i64 k = 0; is_ready && k < settings->workers; k++) is_ready = worker_begin(&c->workers[k], c, k);
    if (!is_ready) {
        count_end(counts);
        return NULL;
    }
    for (i64 rank = 0; rank < c->measure.ranks; rank++) c->parts[rank] = 1;
    batch_ranks(&c->measure, &settings->first, &settings->second, 1, &c->start);
    c->rank = c->start;
    struct worker *w = &c->workers[0];
    u64 *item = append(w, &w->waiting, c->start, 0, w->waiting.width);
    item[0] = settings->first;
    item[1] = settings->second;
    if (settings->with_outputs) item[2] = (u64)1 << c->lengths_bits;
    w->appended_items = 1;
    if (w->code == FINISHED) return counts;
    count_end(counts);
    return NULL;
}

void count_end(struct counts *counts) {
    if (!counts) return;
    struct counting *c = counts->counting;
    for (i64 k = 0; c->workers && k < c->settings.workers; k++) {
        struct worker *w = &c->workers[k];
        workspace_free(w->workspace);
        for (i64 slab = 0; slab < w->slab_count; slab++) free(w->slabs[slab]);
        free(w->slabs);
        free(w->spill);
        for (int word = 0; word < 3; word++) free(w->pending[word]);
        free(w->ranks);
        free(w->hash);
        free(w->waiting.next);
        free(w->waiting.chunks);
        free(w->ends.next);
        free(w->ends.chunks);
        free(w->gathered.first);
        free(w->gathered.second);
        free(w->gathered.runs);
        free(w->gathered.slots);
    }
    free(c->workers);
    free(c->parts);
    free(c);
    free(counts);
}

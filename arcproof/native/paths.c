/* Orders, cycles and weights in a graph of configurations, given by its edges.

   Which of several cycles or heaviest paths is returned is fixed by the definitions in `properties/engines/paths.py`,
   the reference, which leaves the work to networkx. */

#include "native.h"

int64_t topological_order(const struct edges *edges, const uint8_t *inside, int32_t *order) {
    i32 *missing = calloc((size_t)edges->size + 1, sizeof(i32)); /* edges from what is not in the order yet */
    if (!missing) return OUT_OF_MEMORY;
    i64 count = 0;
    for (i64 source = 0; source < edges->size; source++) {
        if (!inside[source]) continue;
        for (i64 e = edges->begins[source]; e < edges->begins[source + 1]; e++)
            if (inside[edges->targets[e]]) missing[edges->targets[e]]++;
    }
    for (i64 number = 0; number < edges->size; number++)
        if (inside[number] && missing[number] == 0) order[count++] = (i32)number;
    for (i64 at = 0; at < count; at++) {
        for (i64 e = edges->begins[order[at]]; e < edges->begins[order[at] + 1]; e++) {
            i32 target = edges->targets[e];
            if (inside[target] && --missing[target] == 0) order[count++] = target;
        }
    }
    free(missing);
    return count;
}

int64_t mark_leading_to(const struct edges *edges, uint8_t *marked) {
    i64 size = edges->size, edge_count = edges->begins[size];
    i64 *begins = calloc((size_t)size + 2, sizeof(i64)); /* of the edges that lead to each, turned round */
    i32 *sources = malloc(sizeof(i32) * (size_t)(edge_count + 1));
    i32 *waiting = malloc(sizeof(i32) * (size_t)(size + 1));
    i64 code = begins && sources && waiting ? FINISHED : OUT_OF_MEMORY;
    if (code == FINISHED) {
        /* Shifted by one place, so that a begin is where the previous one ends when all edges are filled in. */
        for (i64 e = 0; e < edge_count; e++) begins[edges->targets[e] + 2]++;
        for (i64 number = 0; number < size; number++) begins[number + 2] += begins[number + 1];
        for (i64 source = 0; source < size; source++)
            for (i64 e = edges->begins[source]; e < edges->begins[source + 1]; e++)
                sources[begins[edges->targets[e] + 1]++] = (i32)source;
        i64 count = 0;
        for (i64 number = 0; number < size; number++)
            if (marked[number]) waiting[count++] = (i32)number;
        while (count > 0) {
            i32 number = waiting[--count];
            for (i64 k = begins[number]; k < begins[number + 1]; k++) {
                if (marked[sources[k]]) continue;
                marked[sources[k]] = 1;
                waiting[count++] = sources[k];
            }
        }
    }
    free(begins);
    free(sources);
    free(waiting);
    return code;
}

/* A sum of numbers that are not negative; it wraps around where it is too large, and then the result is negative. */
static inline i64 sum_of(i64 a, i64 b) { return (i64)((u64)a + (u64)b); }

int count_paths(const struct edges *edges, const int32_t *order, int64_t count, int64_t *paths) {
    paths[0] = 1;
    for (i64 at = 0; at < count; at++) {
        i32 source = order[at];
        for (i64 e = edges->begins[source]; e < edges->begins[source + 1]; e++) {
            i64 *to = &paths[edges->targets[e]];
            *to = sum_of(*to, paths[source]);
            if (*to < 0) return 0;
        }
    }
    return 1;
}

int extend_paths(const struct edges *edges, const int32_t *order, int64_t count, struct heaviest *h) {
    int is_heavier = 0;
    for (i64 at = 0; at < count; at++) {
        i32 source = order[at];
        if (h->edge_to[source] == -2) continue;
        for (i64 e = edges->begins[source]; e < edges->begins[source + 1]; e++) {
            i32 target = edges->targets[e];
            i64 weight = h->best[source] + h->weights[edges->names[e]];
            if (!h->inside[target] || (h->edge_to[target] != -2 && weight <= h->best[target])) continue;
            h->best[target] = weight;
            h->edge_to[target] = e;
            is_heavier = 1;
        }
    }
    return is_heavier;
}

/* Breadth first along edges that lose nothing. */
int64_t choose_paths(const struct edges *edges, int64_t start, struct heaviest *h) {
    i32 *queue = malloc(sizeof(i32) * (size_t)(edges->size + 1));
    if (!queue) return OUT_OF_MEMORY;
    for (i64 number = 0; number < edges->size; number++) h->edge_to[number] = -2;
    h->edge_to[start] = -1;
    queue[0] = (i32)start;
    i64 count = 1;
    for (i64 at = 0; at < count; at++) {
        i32 source = queue[at];
        for (i64 e = edges->begins[source]; e < edges->begins[source + 1]; e++) {
            i32 target = edges->targets[e];
            if (!h->inside[target] || h->edge_to[target] != -2) continue;
            if (h->best[source] + h->weights[edges->names[e]] != h->best[target]) continue;
            h->edge_to[target] = e;
            queue[count++] = target;
        }
    }
    free(queue);
    return FINISHED;
}

int64_t goes_round(const int32_t *sources, const int32_t *order, int64_t count, const int64_t *edge_to, int64_t size) {
    i32 *seen_from = malloc(sizeof(i32) * (size_t)(size + 1));
    if (!seen_from) return OUT_OF_MEMORY;
    for (i64 number = 0; number < size; number++) seen_from[number] = -1;
    int is_cyclic = 0;
    for (i64 at = 0; at < count && !is_cyclic; at++) {
        i32 root = order[at], number = root;
        while (seen_from[number] == -1 && edge_to[number] >= 0) {
            seen_from[number] = root;
            number = sources[edge_to[number]];
        }
        is_cyclic = seen_from[number] == root;
    }
    free(seen_from);
    return is_cyclic;
}

/* Depth first; `next` is the next edge of each configuration on the stack. */
static i64 cycle_from(const struct edges *edges, const uint8_t *inside, i32 root, uint8_t *state, i32 *stack, i64 *next,
                      i64 *loop) {
    enum { ON_STACK = 1, DONE = 2 };
    i64 depth = 0;
    stack[0] = root;
    next[0] = edges->begins[root];
    state[root] = ON_STACK;
    while (depth >= 0) {
        i32 number = stack[depth];
        if (next[depth] == edges->begins[number + 1]) {
            state[number] = DONE;
            depth--;
            continue;
        }
        i32 target = edges->targets[next[depth]++];
        if (!inside[target]) continue;
        if (state[target] == ON_STACK) {
            i64 first = depth;
            while (stack[first] != target) first--;
            for (i64 k = first; k <= depth; k++) loop[k - first] = next[k] - 1;
            return depth - first + 1;
        }
        if (state[target] == 0) {
            state[target] = ON_STACK;
            stack[++depth] = target;
            next[depth] = edges->begins[target];
        }
    }
    return 0;
}

int64_t find_cycle(const struct edges *edges, const uint8_t *inside, int64_t *loop) {
    uint8_t *state = calloc((size_t)edges->size + 1, 1);
    i32 *stack = malloc(sizeof(i32) * (size_t)(edges->size + 1));
    i64 *next = malloc(sizeof(i64) * (size_t)(edges->size + 1));
    i64 count = state && stack && next ? 0 : OUT_OF_MEMORY;
    for (i64 root = 0; root < edges->size && count == 0; root++)
        if (state[root] == 0 && inside[root])
            count = cycle_from(edges, inside, (i32)root, state, stack, next, loop);
    free(state);
    free(stack);
    free(next);
    return count;
}

int add_up_at(const int64_t *places, const int64_t *numbers, int64_t count, int64_t *sums) {
    for (i64 k = 0; k < count; k++) {
        sums[places[k]] = sum_of(sums[places[k]], numbers[k]);
        if (sums[places[k]] < 0) return 0;
    }
    return 1;
}

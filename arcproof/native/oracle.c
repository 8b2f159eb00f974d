/* Following an oracle towards many gold graphs, one in each lane, and what oracles ask about a gold graph, packed into
   words, one for each notion.  `transitions/gold.py` has the definitions. */

#include "machine.h"

/* The inputs of a program that follows an oracle; the first two are the words of the configuration. */
enum { GOLD_HEADS_INPUT = 2, GOLD_ORDER_INPUT = 3, GOLD_COMPONENTS_INPUT = 4 };
enum { MAX_NODES = 64 };

struct notions {
    i64 head[MAX_NODES];      /* one more than the head, or 0 */
    i64 order[MAX_NODES];     /* the place in the projective order */
    i64 component[MAX_NODES]; /* the projective component */
};

/* --- notions of one gold graph ----------------------------------------------------------------------------------- */

/* The projective order: a node's subtree is visited in one go. */
static void find_order(struct notions *g, i64 n) {
    i64 above[MAX_NODES] = {0}, depth[MAX_NODES] = {0}, size[MAX_NODES], begin[MAX_NODES] = {0}, deepest = 0;
    for (i64 node = 0; node <= n; node++) {
        above[node] = larger(0, g->head[node] - 1);
        size[node] = 1;
    }
    for (i64 word = 1; word <= n; word++) {
        for (i64 node = word; node != 0; node = above[node]) depth[word]++;
        deepest = larger(deepest, depth[word]);
    }
    for (i64 d = deepest; d > 0; d--)
        for (i64 word = 1; word <= n; word++)
            if (depth[word] == d) size[above[word]] += size[word];
    for (i64 d = 0; d <= deepest; d++) {
        for (i64 node = 0; node <= n; node++) {
            if (depth[node] != d) continue;
            i64 at = begin[node];
            if (node == 0) g->order[0] = at++;
            for (i64 child = 1; child <= n; child++) {
                if (child == node) {
                    g->order[node] = at++;
                } else if (above[child] == node) {
                    begin[child] = at;
                    at += size[child];
                }
            }
        }
    }
}

/* The maximal projective components: neighbours are attached as soon as all their dependents are (Nivre et al.
   2009). */
static void find_components(struct notions *g, i64 n) {
    i64 missing[MAX_NODES] = {0}, above[MAX_NODES], stack[MAX_NODES], height = 1;
    for (i64 node = 0; node <= n; node++) above[node] = node;
    for (i64 word = 1; word <= n; word++)
        if (g->head[word] != 0) missing[g->head[word] - 1]++;
    stack[0] = 0;
    for (i64 word = 1; word <= n; word++) {
        stack[height++] = word;
        while (height > 1) {
            i64 below = stack[height - 2], top = stack[height - 1];
            if (below != 0 && g->head[below] == top + 1 && missing[below] == 0) {
                stack[height - 2] = top;
                above[below] = top;
                missing[top]--;
            } else if (g->head[top] == below + 1 && missing[top] == 0) {
                above[top] = below;
                missing[below]--;
            } else {
                break;
            }
            height--;
        }
    }
    for (i64 node = 0; node <= n; node++) {
        i64 root = node;
        while (above[root] != root) root = above[root];
        g->component[node] = root;
    }
}

/* --- packing ----------------------------------------------------------------------------------------------------- */

static u64 by_node(const i64 *values, i64 n, i64 width) {
    u64 word = 0;
    for (i64 node = 0; node <= n; node++) word |= (u64)values[node] << (node * width);
    return word;
}

static u64 packed_heads(const struct notions *g, i64 n, i64 width) {
    u64 word = 0;
    for (i64 node = 1; node <= n; node++) word |= (u64)g->head[node] << ((n - node) * width);
    return word;
}

static u64 packed_matrix(const struct notions *g, i64 n) {
    u64 word = 0;
    for (i64 node = 1; node <= n; node++)
        if (g->head[node] != 0) word |= (u64)1 << (node * (n + 1) + g->head[node] - 1);
    return word;
}

/* Rows of bits as a matrix; without 0, words that are only attached to it have no head. */
static u64 packed_rows(const i64 *rows, i64 n, i64 is_rooted) {
    u64 word = 0;
    for (i64 node = 1; node <= n; node++) {
        u64 heads = (u64)rows[node - 1];
        word |= (heads == 1 && !is_rooted ? 0 : heads) << (node * (n + 1));
    }
    return word;
}

/* What is known of the graph in a lane. */
struct pursuit {
    u64 first, second;             /* the configuration */
    u64 heads, order, components;  /* of the gold graph, as the program takes them */
    u64 arcs;                      /* of the gold graph, as the configuration has them */
    i64 graph;
};

static struct pursuit pursuit_of(const struct oracle *o, const i64 *graph, i64 number) {
    struct pursuit p = {.first = o->first, .second = o->second, .graph = number};
    i64 n = o->words;
    if (o->has_several_heads) {
        p.heads = packed_rows(graph, n, o->is_rooted);
        p.arcs = o->arc_form == AS_GRAPH ? p.heads >> (n + 1) & o->arcs_mask : p.heads;
        return p;
    }
    struct notions g = {.head = {0}};
    for (i64 word = 1; word <= n; word++) g.head[word] = graph[word - 1] == 1 && !o->is_rooted ? 0 : graph[word - 1];
    find_order(&g, n);
    find_components(&g, n);
    p.heads = packed_heads(&g, n, o->head_width);
    p.order = by_node(g.order, n, o->node_width);
    p.components = by_node(g.component, n, o->node_width);
    p.arcs = o->arc_form == AS_HEADS ? p.heads : packed_matrix(&g, n);
    return p;
}

/* --- following --------------------------------------------------------------------------------------------------- */

/* Takes in every lane the transition that the oracle asks for first; writes the rank of that wish. */
static void take(const struct oracle *o, struct workspace *w, struct pursuit *lanes, int count, i64 written,
                 i64 *chosen) {
    const struct emitted *out = &w->out;
    for (int k = 0; k < count; k++) chosen[k] = o->label_count;
    for (i64 e = 0; e < written; e++) {
        u64 k = out->lane[e];
        if (out->marks[e] & SIGN_SECOND_ARC) continue;
        for (i64 wish = 0; wish < chosen[k]; wish++) {
            if ((i64)result(w, o->labels[wish])[k] != out->label[e]) continue;
            chosen[k] = wish;
            lanes[k].first = out->first[e];
            lanes[k].second = out->second[e];
        }
    }
}

/* Follows the oracle in a batch of graphs until each run has ended. */
static void follow_batch(const struct oracle *o, struct workspace *w, struct pursuit *lanes, int count, i64 *lengths) {
    i64 chosen[LANES];
    for (i64 steps = 0; count > 0; steps++) {
        u64 first[LANES], second[LANES];
        for (int k = 0; k < count; k++) {
            first[k] = lanes[k].first;
            second[k] = lanes[k].second;
            w->registers[GOLD_HEADS_INPUT][k] = lanes[k].heads;
            w->registers[GOLD_ORDER_INPUT][k] = lanes[k].order;
            w->registers[GOLD_COMPONENTS_INPUT][k] = lanes[k].components;
        }
        i64 written = run_on(w, first, second, count);
        take(o, w, lanes, count, written, chosen);
        int left = 0;
        for (int k = 0; k < count; k++) {
            i64 *length = &lengths[lanes[k].graph];
            if (result(w, o->program.terminal)[k]) *length = (second[k] & o->arcs_mask) == lanes[k].arcs ? steps : -1;
            else if (result(w, o->undecided)[k]) *length = -2;
            else if (chosen[k] == o->label_count || steps >= o->limit) *length = -1;
            else lanes[left++] = lanes[k];
        }
        count = left;
    }
}

int64_t follow(const struct oracle *o, const int64_t *graphs, int64_t count, int64_t *lengths) {
    struct workspace *w = workspace_new(&o->program);
    struct pursuit *lanes = malloc(sizeof *lanes * LANES);
    if (!w || !lanes) {
        workspace_free(w);
        free(lanes);
        return OUT_OF_MEMORY;
    }
    for (i64 from = 0; from < count; from += LANES) {
        int some = (int)smaller(LANES, count - from);
        for (int k = 0; k < some; k++) lanes[k] = pursuit_of(o, graphs + (from + k) * o->words, from + k);
        follow_batch(o, w, lanes, some, lengths);
    }
    workspace_free(w);
    free(lanes);
    return FINISHED;
}

/* Features of a configuration in arrays: the nodes that a feature model names, and one number for each feature. */

#include "arrays.h"

/* The root at a place, from left to right, among the roots of the graph between two nodes (Nivre 2007, section 4). */
static i64 context(const i64 *heads, i64 left, i64 right, i64 place) {
    i64 roots = 0;
    for (i64 node = left + 1; node < right; node++)
        if ((heads[node] <= left || heads[node] >= right) && roots++ == place) return node;
    return -1;
}

/* The node that an address refers to, given those of the addresses before it; -1 if there is none. */
static i64 node_at(const struct address *a, const struct state *t, const i64 *nodes) {
    if (a->kind == FEATURE_FROM_HEAD)
        return a->second < t->size[a->first] ? cell_at(t, a->first, t->size[a->first] - 1 - a->second) : -1;
    if (a->kind == FEATURE_FROM_TAIL) return a->second < t->size[a->first] ? cell_at(t, a->first, a->second) : -1;
    i64 node = nodes[a->first], beside = node + a->second;
    if (node < 0) return -1;
    switch (a->kind) {
    case FEATURE_HEAD_OF: return tree_row(t, ARRAY_HEAD)[node];
    case FEATURE_LEFTMOST_OF: return tree_row(t, ARRAY_LEFTMOST)[node];
    case FEATURE_RIGHTMOST_OF: return tree_row(t, ARRAY_RIGHTMOST)[node];
    case FEATURE_BESIDE: return beside >= 0 && beside < t->nodes ? beside : -1;
    default: return context(tree_row(t, ARRAY_HEAD), node, nodes[a->second], a->third);
    }
}

/* The distance between two nodes, in seven steps; 0 if one of them is missing. */
static i64 distance(i64 left, i64 right) {
    if (left < 0 || right < 0) return 0;
    i64 apart = left < right ? right - left : left - right;
    if (apart <= FEATURE_NEAR) return apart + 1;
    return apart <= FEATURE_FAR ? FEATURE_NEAR + 2 : FEATURE_NEAR + 3;
}

static i64 heads_so_far(const struct state *t, i64 node) {
    if (!has_several_heads(t)) return tree_row(t, ARRAY_HEAD)[node] >= 0;
    const i64 *into = arcs_into(t, node);
    i64 count = 0;
    for (i64 head = 0; head < t->nodes; head++) count += into[head] > 0;
    return count;
}

static i64 valency(i64 count) { return 1 + smaller(count, FEATURE_MOST_VALENCY); }

/* The value of a feature; 0 is the value of a node that is missing. */
static i64 value_of(const struct feature *f, const struct state *t, const i64 *tokens, const i64 *nodes) {
    if (f->attribute == FEATURE_VALUE_OF) return smaller(larger(t->size[f->node], 0), FEATURE_MOST_VALUE);
    i64 node = nodes[f->node];
    if (f->attribute == FEATURE_DISTANCE) return distance(node, nodes[f->other]);
    if (node < 0) return 0;
    if (f->attribute >= 0) return tokens[f->attribute * t->nodes + node];
    switch (f->attribute) {
    case FEATURE_DEPREL: return tree_row(t, ARRAY_HEAD)[node] >= 0 ? tree_row(t, ARRAY_LABEL)[node] + 2 : 1;
    case FEATURE_HEADS_OF: return valency(heads_so_far(t, node));
    case FEATURE_TAG_OF: return tree_row(t, ARRAY_TAG)[node] + 1;
    case FEATURE_VALENCY_LEFT: return valency(tree_row(t, ARRAY_LEFT_VALENCY)[node]);
    default: return valency(tree_row(t, ARRAY_RIGHT_VALENCY)[node]);
    }
}

void extract(const struct features *f, const struct state *t, const int64_t *tokens, int32_t *row) {
    for (i64 k = 0; k < f->address_count; k++) f->nodes[k] = node_at(&f->addresses[k], t, f->nodes);
    for (i64 k = 0; k < f->feature_count; k++)
        row[k] = (i32)(f->features[k].start + value_of(&f->features[k], t, tokens, f->nodes));
}

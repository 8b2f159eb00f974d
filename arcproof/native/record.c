/* Runs to learn from: the oracle's, given ones, and a parser's with what the oracle advises. */

#include "arrays.h"

/* The number of the label of the gold arc, or of the gold tag, that the oracle refers to; 0 if there is none. */
static i64 gold_label(const struct sentence *s) {
    i64 word = s->registers[ARRAY_LABELLED_WORD];
    if (word < 0) return 0;
    if (s->registers[ARRAY_LABELLED_ROW] == ARRAY_GOLD_TAGS) return gold_at(s, ARRAY_GOLD_TAGS, word);
    if (!has_several_heads(s->state)) return gold_at(s, ARRAY_GOLD_LABELS, word);
    return gold_at(s, ARRAY_GOLD_ARCS_OF + word, s->registers[ARRAY_LABELLED_HEAD]) - 1;
}

/* Whether the arcs built are those of the gold graph, whatever their labels. */
static int is_gold(const struct sentence *s) {
    const struct state *t = s->state;
    const i64 *heads = tree_row(t, ARRAY_HEAD);
    for (i64 word = 1; word < t->nodes; word++) {
        if (!has_several_heads(t)) {
            if (heads[word] + 1 != gold_at(s, GOLD_HEADS, word)) return 0;
            continue;
        }
        for (i64 head = 0; head < t->nodes; head++)
            if ((arcs_into(t, word)[head] > 0) != is_gold_arc(s, head, word)) return 0;
    }
    return 1;
}

/* Writes the features of the configuration before transition k. */
static void record_features(const struct sentence *s, const struct record *to, i64 k) {
    extract(to->features, s->state, to->tokens, to->rows + k * to->features->feature_count);
}

int64_t record_oracle(struct sentence *s, int64_t oracle, const struct record *to) {
    i64 taken = 0;
    for (; !is_terminal(s); taken++) {
        if (taken == to->room) return ARRAY_TOO_LONG;
        if (execute(s, entry(s, ARRAY_PREDICT, oracle)) < 0) return ARRAY_NO_LINE;
        to->codes[taken] = answer(s);
        to->labels[taken] = gold_label(s);
        record_features(s, to, taken);
        i64 done = performed(s, ARRAY_STEP, to->codes[taken], to->labels[taken]);
        if (done != ARRAY_DONE) return done;
    }
    return is_gold(s) ? taken : ARRAY_OTHER_GRAPH;
}

int64_t record_given(struct sentence *s, const struct record *to) {
    for (i64 taken = 0; taken < to->room; taken++) {
        record_features(s, to, taken);
        i64 done = performed(s, ARRAY_STEP, to->codes[taken], to->labels[taken]);
        if (done != ARRAY_DONE) return done;
    }
    return is_terminal(s) ? to->room : ARRAY_OTHER_GRAPH;
}

/* What the oracle advises: the first line that can be followed, else the default transition, else the first one. */
static void advise(struct sentence *s, struct sentence *other, i64 oracle, i64 default_name, i64 *code, i64 *label) {
    for (i64 at = entry(s, ARRAY_PREDICT, oracle); (at = execute(s, at)) >= 0;) {
        if (performed(other, ARRAY_ALLOWS, answer(s), 0) != ARRAY_DONE) continue;
        *code = answer(s);
        *label = gold_label(s);
        return;
    }
    struct permissible p = permitted(s, default_name);
    *code = p.usual < 0 ? p.first : p.usual;
    *label = 0;
}

int64_t record_advice(struct sentence *s, struct sentence *other, int64_t oracle, int64_t default_name,
                      const struct record *run, const struct record *to) {
    for (i64 taken = 0; taken < run->room; taken++) {
        record_features(s, to, taken);
        advise(s, other, oracle, default_name, &to->codes[taken], &to->labels[taken]);
        i64 done = performed(s, ARRAY_STEP, run->codes[taken], run->labels[taken]);
        if (done != ARRAY_DONE) return done;
    }
    return run->room;
}

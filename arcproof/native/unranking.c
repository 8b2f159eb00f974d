/* Graphs by rank, and trees among packed graphs.

   A row has one number for each word: one more than its head, or 0 for a word without a head. */

#include "native.h"

/* The code of the graph with this rank, in the order of `generators/enumeration.py`: a Prüfer code, with entries as in
   rows.  In that of a forest an entry 0 stands for a word without a head, for which there is one more digit. */
static void code_of_rank(i64 words, i64 rank, int is_forest, i64 *code) {
    i64 base = words + 1 + is_forest;
    code[words - 1] = is_forest ? 1 - rank % 2 : 1;
    if (is_forest) rank /= 2;
    for (i64 place = words - 2; place >= 0; place--, rank /= base)
        code[place] = rank % base > words ? 0 : rank % base + 1;
}

/* The row of a code; `waiting` is room for a number for each node: how many dependents it still gets. */
static void row_of_code(i64 words, const i64 *code, i64 *waiting, i64 *row) {
    memset(waiting, 0, sizeof(i64) * (words + 1));
    for (i64 place = 0; place < words; place++) waiting[larger(0, code[place] - 1)]++;
    i64 place = 0;
    for (i64 word = words; word > 0; word--) {
        /* The last word without dependents, and then each head that thereby has all of its own. */
        for (i64 leaf = word; leaf >= word && waiting[leaf] == 0; place++) {
            row[leaf - 1] = code[place];
            leaf = larger(0, code[place] - 1);
            waiting[leaf]--;
        }
    }
}

int64_t unrank(int64_t words, int64_t first, int64_t count, int is_forest, int64_t *rows) {
    i64 *room = malloc(sizeof(i64) * (2 * words + 1));
    if (!room) return OUT_OF_MEMORY;
    for (i64 k = 0; k < count && words > 0; k++) {
        code_of_rank(words, first + k, is_forest, room);
        row_of_code(words, room, room + words, rows + k * words);
    }
    free(room);
    return FINISHED;
}

/* Whether every word leads to 0; `bits` are those of an entry, the first word's in the highest ones. */
static int is_tree(u64 heads, i64 words, i64 bits, int is_rooted) {
    for (i64 word = 1; word <= words; word++) {
        i64 node = word;
        for (i64 step = 0; step < words && node > 0; step++) {
            i64 above = (i64)(heads >> ((words - node) * bits & 63) & (((u64)1 << bits) - 1));
            if (above == 0 && is_rooted) return 0;
            node = larger(0, above - 1);
        }
        if (node != 0) return 0;
    }
    return 1;
}

int64_t count_trees(const uint64_t *heads, int64_t count, int64_t words, int64_t bits, int is_rooted) {
    i64 trees = 0;
    for (i64 k = 0; k < count; k++) trees += is_tree(heads[k], words, bits, is_rooted);
    return trees;
}

/* The machine for configurations in arrays: one sentence is one lane, and a program branches as its sentence requires.

   With sentences of any length, lengths that are chosen cannot be written out, and lanes would soon go different ways;
   so rows have loops here, and a register is one number.  A row costs a few nanoseconds; a parser spends its time
   elsewhere.

   Whatever a program computes, it reads and writes within the arrays: places in cells and in `scratch` are tested, and
   what is no node of the sentence counts as 0.  No right program comes to that. */

#include "arrays.h"

/* --- places ---------------------------------------------------------------------------------------------------- */

/* Whether all these cells exist. */
static inline int fits(i64 begin, i64 count, i64 room) { return begin >= 0 && count >= 0 && count <= room - begin; }

/* The content of a cell, or 0 beyond the cells. */
static inline i64 cell_at(const struct state *t, i64 component, i64 place) {
    return fits(place, 1, t->capacity) ? cells_of(t, component)[place] : 0;
}

static inline i64 node_of(const struct state *t, i64 number) { return fits(number, 1, t->nodes) ? number : 0; }

/* --- arcs ------------------------------------------------------------------------------------------------------ */

/* The root of the tree that a node is in.  The path to it is made shorter, so that `i ->* j` for an i without a head is
   answered in practically constant time where arcs are only added (Nivre 2008, section 6.1). */
static i64 root_of(struct sentence *s, i64 node) {
    i64 *up = tree_row(s->state, ARRAY_UP), root = node;
    for (; up[root] != root; s->work++) root = up[root];
    while (up[node] != root) {
        i64 above = up[node];
        up[node] = root;
        node = above;
    }
    return root;
}

/* Whether a path of arcs leads from source to target. */
static int tree_reaches(struct sentence *s, i64 source, i64 target) {
    const i64 *heads = tree_row(s->state, ARRAY_HEAD);
    if (heads[source] < 0) return root_of(s, target) == source;
    i64 node = target;
    for (; node >= 0 && node != source; s->work++) node = heads[node];
    return node == source;
}

/* How many words strictly between two nodes have no head, or a head outside the closed interval. */
static i64 tree_degree(struct sentence *s, i64 left, i64 right) {
    const i64 *heads = tree_row(s->state, ARRAY_HEAD);
    i64 low = smaller(left, right), high = larger(left, right), count = 0;
    for (i64 word = low + 1; word < high; word++, s->work++) count += heads[word] < low || heads[word] > high;
    return count;
}

/* Whether the graph stays a forest in which 0 is a root when an arc is added. */
static int may_hang(struct sentence *s, i64 head, i64 dependent) {
    return dependent != 0 && tree_row(s->state, ARRAY_HEAD)[dependent] < 0 && root_of(s, head) != dependent;
}

/* Notes a new arc in all rows but UP; `is_gold` says whether it is a gold arc. */
static void note_arc(const struct state *t, i64 head, i64 dependent, i64 label, int is_gold) {
    i64 *leftmost = tree_row(t, ARRAY_LEFTMOST), *rightmost = tree_row(t, ARRAY_RIGHTMOST);
    tree_row(t, ARRAY_HEAD)[dependent] = head;
    tree_row(t, ARRAY_LABEL)[dependent] = label;
    if (leftmost[head] < 0 || dependent < leftmost[head]) leftmost[head] = dependent;
    if (dependent > rightmost[head]) rightmost[head] = dependent;
    tree_row(t, dependent < head ? ARRAY_LEFT_VALENCY : ARRAY_RIGHT_VALENCY)[head]++;
    tree_row(t, ARRAY_CORRECT)[head] += is_gold;
}

/* Takes an arc out of the numbers of its head's dependents. */
static void forget_arc(const struct state *t, i64 head, i64 dependent, int is_gold) {
    tree_row(t, dependent < head ? ARRAY_LEFT_VALENCY : ARRAY_RIGHT_VALENCY)[head]--;
    tree_row(t, ARRAY_CORRECT)[head] -= is_gold;
}

/* Notes one more dependent of a head, those further left being noted already. */
static void note_next_dependent(const struct state *t, i64 head, i64 dependent) {
    i64 *leftmost = tree_row(t, ARRAY_LEFTMOST);
    if (leftmost[head] < 0) leftmost[head] = dependent;
    tree_row(t, ARRAY_RIGHTMOST)[head] = dependent;
}

/* `may_hang` must hold. */
static void add_arc(struct sentence *s, i64 head, i64 dependent, i64 label) {
    note_arc(s->state, head, dependent, label, gold_at(s, GOLD_HEADS, dependent) == head + 1);
    tree_row(s->state, ARRAY_UP)[dependent] = head;
}

/* Removes the arc into a word, if there is one; this takes time proportional to the length of the sentence. */
static void remove_arc(struct sentence *s, i64 dependent) {
    const struct state *t = s->state;
    i64 *heads = tree_row(t, ARRAY_HEAD), *up = tree_row(t, ARRAY_UP), head = heads[dependent];
    if (head < 0) return;
    forget_arc(t, head, dependent, gold_at(s, GOLD_HEADS, dependent) == head + 1);
    heads[dependent] = -1;
    tree_row(t, ARRAY_LABEL)[dependent] = 0;
    tree_row(t, ARRAY_LEFTMOST)[head] = -1;
    tree_row(t, ARRAY_RIGHTMOST)[head] = -1;
    for (i64 word = 0; word < t->nodes; word++, s->work++) {
        up[word] = heads[word] < 0 ? word : heads[word];
        if (heads[word] == head) note_next_dependent(t, head, word);
    }
}

/* --- arcs where words may have several heads ------------------------------------------------------------------- */

/* Whether a path of arcs leads from source to target, searched from the target upwards. */
static int reaches_by_any(struct sentence *s, i64 source, i64 target) {
    const struct state *t = s->state;
    if (source == target) return 1;
    if (root_of(s, source) != root_of(s, target)) return 0;
    i64 *seen = tree_row(t, ARRAY_SEEN), *waiting = tree_row(t, ARRAY_WAITING), count = 1;
    memset(seen, 0, sizeof(i64) * t->nodes);
    seen[target] = 1;
    waiting[0] = target;
    while (count > 0) {
        i64 node = waiting[--count];
        if (tree_row(t, ARRAY_HEAD)[node] < 0) continue;
        const i64 *into = arcs_into(t, node);
        for (i64 head = 0; head < t->nodes; head++, s->work++) {
            if (into[head] == 0 || seen[head]) continue;
            if (head == source) return 1;
            seen[head] = 1;
            waiting[count++] = head;
        }
    }
    return 0;
}

/* How many words strictly between two nodes have no head in the closed interval. */
static i64 degree_by_any(struct sentence *s, i64 left, i64 right) {
    i64 low = smaller(left, right), high = larger(left, right), count = 0;
    for (i64 word = low + 1; word < high; word++) {
        const i64 *into = arcs_into(s->state, word);
        int inside = 0;
        for (i64 head = low; head <= high; head++, s->work++) inside |= into[head] != 0;
        count += !inside;
    }
    return count;
}

/* Whether an arc leads into a word, from another node, and does not exist yet. */
static int may_join(const struct state *t, i64 head, i64 dependent) {
    return dependent != 0 && dependent != head && arcs_into(t, dependent)[head] == 0;
}

static int is_gold_arc(const struct sentence *s, i64 head, i64 dependent) {
    return gold_at(s, ARRAY_GOLD_ARCS_OF + dependent, head) != 0;
}

/* `may_join` must hold. */
static void join_arc(struct sentence *s, i64 head, i64 dependent, i64 label) {
    const struct state *t = s->state;
    arcs_into(t, dependent)[head] = label + 1;
    note_arc(t, head, dependent, label, is_gold_arc(s, head, dependent));
    i64 below = root_of(s, dependent);
    tree_row(t, ARRAY_UP)[below] = root_of(s, head);
}

/* Removes all arcs into a word; this takes time quadratic in the length of the sentence. */
static void remove_arcs(struct sentence *s, i64 dependent) {
    const struct state *t = s->state;
    i64 *heads = tree_row(t, ARRAY_HEAD), *up = tree_row(t, ARRAY_UP), *into = arcs_into(t, dependent);
    if (heads[dependent] < 0) return;
    heads[dependent] = -1;
    tree_row(t, ARRAY_LABEL)[dependent] = 0;
    for (i64 head = 0; head < t->nodes; head++) {
        if (into[head] != 0) forget_arc(t, head, dependent, is_gold_arc(s, head, dependent));
        into[head] = 0;
        up[head] = head;
        tree_row(t, ARRAY_LEFTMOST)[head] = -1;
        tree_row(t, ARRAY_RIGHTMOST)[head] = -1;
    }
    for (i64 word = 0; word < t->nodes; word++) {
        if (heads[word] < 0) continue;
        for (i64 head = 0; head < t->nodes; head++, s->work++) {
            if (arcs_into(t, word)[head] == 0) continue;
            i64 below = root_of(s, word);
            up[below] = root_of(s, head);
            note_next_dependent(t, head, word);
        }
    }
}

/* --- cells ----------------------------------------------------------------------------------------------------- */

/* Whether the cells from a place on, in steps of 1 or -1, hold consecutive numbers. */
static int ascends(struct sentence *s, const i64 *x) {
    const i64 *r = s->registers;
    i64 component = x[0], at = r[x[1]], length = r[x[2]], step = x[3], first = x[4];
    for (i64 k = 0; k < length; k++, s->work++)
        if (cell_at(s->state, component, at + step * k) != first + k) return 0;
    return 1;
}

/* Copies cells to a place in `scratch`, in reverse if that is said; 0 if there is no room. */
static int take_cells(struct sentence *s, const i64 *x) {
    const i64 *r = s->registers, *cells = cells_of(s->state, x[0]);
    i64 begin = r[x[1]], count = r[x[2]], to = r[x[3]], is_turned = x[4];
    if (!fits(begin, count, s->state->capacity) || !fits(to, count, s->scratch_size)) return 0;
    for (i64 k = 0; k < count; k++) s->scratch[to + k] = cells[is_turned ? begin + count - 1 - k : begin + k];
    s->work += count;
    return 1;
}

/* Copies what `take_cells` put into `scratch` to a place in a component; 0 if there is no room. */
static int lay_cells(struct sentence *s, const i64 *x) {
    const i64 *r = s->registers;
    i64 begin = r[x[1]], count = r[x[2]], from = r[x[3]];
    if (!fits(begin, count, s->state->capacity) || !fits(from, count, s->scratch_size)) return 0;
    if (count > 0) memcpy(cells_of(s->state, x[0]) + begin, s->scratch + from, sizeof(i64) * count);
    s->work += count;
    return 1;
}

/* --- running --------------------------------------------------------------------------------------------------- */

/* The node that an operand's register holds. */
#define NODE(operand) node_of(t, r[x[operand]])

int64_t execute(struct sentence *s, int64_t place) {
    if (place < 0) return ARRAY_NOT_PERMITTED;
    const struct state *t = s->state;
    i64 *r = s->registers;
    const struct row *first = s->figure->rows, *row = first + place, *end = first + s->figure->row_count;
    r[ARRAY_WORDS] = t->nodes - 1;
    for (; row < end; row++) {
        const i64 *x = row->operand;
        i64 to = row->to;
        s->work++;
        switch (row->opcode) {
        case OP_SKIP:
            if (!r[x[0]]) row += x[1];
            break;
        case OP_NEXT:
            if (++r[x[0]] > r[x[1]]) row += x[2];
            break;
        case OP_BACK: row -= x[0]; break;
        case OP_PAUSE: return row + 1 - first;
        case OP_STOP: return ARRAY_NOT_PERMITTED;

        /* Sums wrap around, which only unsigned numbers may. */
        case OP_CONSTANT: r[to] = x[0]; break;
        case OP_PLUS: r[to] = (i64)((u64)r[x[0]] + (u64)r[x[1]]); break;
        case OP_MINUS: r[to] = (i64)((u64)r[x[0]] - (u64)r[x[1]]); break;
        case OP_PLUS_NUMBER: r[to] = (i64)((u64)r[x[0]] + (u64)x[1]); break;
        case OP_TIMES_NUMBER: r[to] = (i64)((u64)r[x[0]] * (u64)x[1]); break;
        case OP_EQUAL: r[to] = r[x[0]] == r[x[1]]; break;
        case OP_LESS: r[to] = r[x[0]] < r[x[1]]; break;
        case OP_EQUAL_NUMBER: r[to] = r[x[0]] == x[1]; break;
        case OP_LESS_NUMBER: r[to] = r[x[0]] < x[1]; break;
        case OP_MORE_NUMBER: r[to] = r[x[0]] > x[1]; break;
        case OP_BOTH: r[to] = r[x[0]] & r[x[1]]; break;
        case OP_EITHER: r[to] = r[x[0]] | r[x[1]]; break;
        case OP_NEGATED: r[to] = r[x[0]] ^ 1; break;
        case OP_CHOSEN: r[to] = r[x[0]] ? r[x[1]] : r[x[2]]; break;

        case OP_SIZE_OF: r[to] = t->size[x[0]]; break;
        case OP_HEAD_CELL: r[to] = cell_at(t, x[0], t->size[x[0]] - 1 - x[1]); break;
        case OP_CELL_AT: r[to] = cell_at(t, x[0], r[x[1]]); break;
        case OP_TREE_AT: r[to] = tree_row(t, x[0])[NODE(1)]; break;
        case OP_GOLD_AT: r[to] = gold_at(s, x[0], NODE(1)); break;
        case OP_ROOT_OF: r[to] = root_of(s, NODE(0)); break;
        case OP_TREE_REACHES: r[to] = tree_reaches(s, NODE(0), NODE(1)); break;
        case OP_TREE_DEGREE: r[to] = tree_degree(s, NODE(0), NODE(1)); break;
        case OP_MAY_HANG: r[to] = may_hang(s, NODE(0), NODE(1)); break;
        case OP_ASCENDS: r[to] = ascends(s, x); break;
        case OP_ARC_AT: r[to] = arcs_into(t, NODE(1))[NODE(0)] != 0; break;
        case OP_GOLD_ARC_AT: r[to] = is_gold_arc(s, NODE(0), NODE(1)); break;
        case OP_REACHES_BY_ANY: r[to] = reaches_by_any(s, NODE(0), NODE(1)); break;
        case OP_DEGREE_BY_ANY: r[to] = degree_by_any(s, NODE(0), NODE(1)); break;
        case OP_MAY_JOIN: r[to] = may_join(t, NODE(0), NODE(1)); break;

        case OP_TAKE:
            if (!take_cells(s, x)) return ARRAY_DOES_NOT_FIT;
            break;
        case OP_LAY:
            if (!lay_cells(s, x)) return ARRAY_DOES_NOT_FIT;
            break;
        case OP_WRITE:
            if (!fits(r[x[1]], 1, t->capacity)) return ARRAY_DOES_NOT_FIT;
            cells_of(t, x[0])[r[x[1]]] = r[x[2]];
            break;
        case OP_CLEAR:
            memset(cells_of(t, x[0]), 0, sizeof(i64) * t->capacity);
            s->work += t->capacity;
            break;
        case OP_RESIZE:
            if (r[x[1]] > ARRAY_GREATEST_COUNTER || r[x[1]] < -ARRAY_GREATEST_COUNTER) return ARRAY_DOES_NOT_FIT;
            t->size[x[0]] = r[x[1]];
            break;
        case OP_ADD_ARC: add_arc(s, NODE(0), NODE(1), r[x[2]]); break;
        case OP_REMOVE_ARC: remove_arc(s, NODE(0)); break;
        case OP_JOIN_ARC: join_arc(s, NODE(0), NODE(1), r[x[2]]); break;
        case OP_REMOVE_ARCS: remove_arcs(s, NODE(0)); break;
        case OP_TAG_NODE: tree_row(t, ARRAY_TAG)[NODE(0)] = r[x[1]]; break;
        }
    }
    return ARRAY_NOT_PERMITTED;
}

/* --- questions ------------------------------------------------------------------------------------------------- */

i64 entry(const struct sentence *s, i64 kind, i64 number) {
    const struct figure *f = s->figure;
    return kind < f->kinds && number < f->width ? f->entries[kind * f->width + number] : -1;
}

int is_terminal(struct sentence *s) { return execute(s, entry(s, ARRAY_TERMINAL, 0)) >= 0; }

struct lengths lengths_of(i64 code) {
    struct lengths lengths;
    u64 rest = (u64)code >> NAME_BITS;
    for (int k = 0; k < ARRAY_MOST_CHOICES; k++, rest >>= ARRAY_CHOICE_BITS)
        lengths.of[k] = (i64)(rest & ARRAY_CHOICE_MASK) - 1;
    return lengths;
}

static void set_lengths(struct sentence *s, const struct lengths *lengths) {
    memcpy(s->registers + ARRAY_FIRST_CHOICE, lengths->of, sizeof lengths->of);
}

int64_t performed(struct sentence *s, int64_t kind, int64_t code, int64_t label) {
    struct lengths lengths = lengths_of(code);
    set_lengths(s, &lengths);
    s->registers[ARRAY_GIVEN_LABEL] = label;
    i64 at = execute(s, entry(s, kind, code & NAME_MASK));
    return at >= 0 ? ARRAY_DONE : at;
}

int64_t begin_permitted(struct sentence *s, int64_t kind) {
    for (int k = 0; k < ARRAY_MOST_CHOICES; k++) s->registers[ARRAY_FIRST_CHOICE + k] = ARRAY_NO_LIMIT;
    return entry(s, kind, 0);
}

struct permissible permitted(struct sentence *s, i64 default_name) {
    struct permissible p = {0, -1, -1};
    for (i64 at = begin_permitted(s, ARRAY_PERMITTED); (at = execute(s, at)) >= 0; p.count++) {
        if (p.count == 0) p.first = answer(s);
        if (p.usual < 0 && (answer(s) & NAME_MASK) == default_name) p.usual = answer(s);
    }
    return p;
}

struct catalogue catalogue_of(const i64 *codes, i64 count) {
    struct catalogue known = {codes, count, lengths_of(0)};
    for (i64 c = 0; c < count; c++) {
        struct lengths lengths = lengths_of(codes[c]);
        for (int k = 0; k < ARRAY_MOST_CHOICES; k++) known.limits.of[k] = larger(known.limits.of[k], lengths.of[k]);
    }
    return known;
}

/* The place of a code among those that are known, or -1. */
static i64 place_of(const struct catalogue *known, i64 code) {
    i64 low = 0, high = known->count;
    while (low < high) {
        i64 middle = (low + high) / 2;
        if (known->codes[middle] < code) low = middle + 1;
        else high = middle;
    }
    return low < known->count && known->codes[low] == code ? low : -1;
}

i64 permitted_among(struct sentence *s, i64 kind, const struct catalogue *known, uint8_t *allowed, i64 *words) {
    i64 count = 0;
    memset(allowed, 0, known->count);
    set_lengths(s, &known->limits);
    for (i64 at = entry(s, kind, 0); (at = execute(s, at)) >= 0;) {
        i64 place = place_of(known, answer(s));
        if (place < 0 || allowed[place]) continue;
        allowed[place] = 1;
        if (words) words[place] = s->registers[ARRAY_LABELLED_WORD];
        count++;
    }
    return count;
}

i64 default_code(struct sentence *s, i64 name) {
    if (name < 0 || performed(s, ARRAY_ALLOWS, name, 0) == ARRAY_DONE) return name;
    /* All have to be tried if the lengths of this name are chosen. */
    return permitted(s, name).usual;
}

/* Whole runs of one sentence in arrays, each led by a policy or an oracle, and what needs to be known about them
   afterwards; `transitions/machine/whole_runs.py` has the definitions.  The program is loose. */

#include "arrays.h"

/* --- configurations -------------------------------------------------------------------------------------------- */

static void copy_state(const struct state *from, const struct state *to) {
    memcpy(to->cells, from->cells, sizeof(i64) * from->components * from->capacity);
    memcpy(to->size, from->size, sizeof(i64) * from->components);
    memcpy(to->tree, from->tree, sizeof(i64) * from->tree_rows * from->nodes);
}

/* The numbers that say which arcs there are: the heads, or a matrix where words may have several. */
static const i64 *arc_numbers(const struct state *t) {
    return has_several_heads(t) ? arcs_into(t, 0) : tree_row(t, ARRAY_HEAD);
}

static i64 arc_number_count(const struct state *t) { return has_several_heads(t) ? t->nodes * t->nodes : t->nodes; }

/* The one of these numbers that means no arc. */
static i64 no_arc(const struct state *t) { return has_several_heads(t) ? 0 : -1; }

static i64 count_arcs(const struct state *t) {
    const i64 *left = tree_row(t, ARRAY_LEFT_VALENCY), *right = tree_row(t, ARRAY_RIGHT_VALENCY);
    i64 count = 0;
    for (i64 node = 0; node < t->nodes; node++) count += left[node] + right[node];
    return count;
}

/* How many cells of a component say something about the configuration. */
static i64 cells_in_use(const struct state *t, i64 kind, i64 component) {
    i64 size = kind == RUN_NUMBER ? 0 : kind == RUN_SET ? t->nodes : t->size[component];
    return size >= 0 && size <= t->capacity ? size : 0;
}

static u64 mixed(u64 hash, i64 number) { return (hash ^ (u64)number) * 1099511628211u + (hash >> 29); }

/* A number that two different configurations hardly ever share. */
static u64 hash_of(const struct state *t, const i64 *kinds) {
    u64 hash = 1469598103934665603u;
    for (i64 c = 0; c < t->components; c++) {
        const i64 *cells = cells_of(t, c);
        i64 count = cells_in_use(t, kinds[c], c);
        hash = mixed(hash, t->size[c]);
        for (i64 k = 0; k < count; k++) hash = mixed(hash, cells[k]);
    }
    const i64 *arcs = arc_numbers(t);
    for (i64 k = 0, count = arc_number_count(t); k < count; k++) hash = mixed(hash, arcs[k]);
    return hash;
}

/* What a step did to the arcs and to the buffer. */
static i64 signs_of(const struct state *before, const struct state *after, const i64 *kinds) {
    const i64 *old = arc_numbers(before), *arcs = arc_numbers(after);
    i64 signs = 0, none = no_arc(after);
    for (i64 k = 0, count = arc_number_count(after); k < count; k++)
        if (old[k] != none && old[k] != arcs[k]) signs |= SIGN_REMOVES;
    for (i64 c = 0; c < after->components; c++) {
        if (kinds[c] < RUN_BUFFER) continue;
        i64 left = cells_in_use(after, kinds[c], c), shorter = cells_in_use(before, kinds[c], c) - left;
        if (shorter < 0) {
            signs |= SIGN_GROWS;
            continue;
        }
        const i64 *rest = cells_of(before, c) + (kinds[c] == RUN_TURNED_BUFFER ? shorter : 0);
        if (memcmp(rest, cells_of(after, c), sizeof(i64) * left)) signs |= SIGN_DISORDER;
    }
    return signs;
}

/* --- choosing -------------------------------------------------------------------------------------------------- */

/* A run that is being led.  A configuration permits no more transitions than there is room for. */
struct course {
    const struct leading *l;
    struct sentence *s;
    const struct policy *policy;
    const i64 *order, *draws;
    struct facts *facts;
    i64 *counts, *codes;
    i64 options[RUN_MAX_PERMITTED];
    u64 *hashes; /* of the configurations so far, if the policy does not repeat any */
};

/* How an attempt to take a transition ends; CANNOT_TELL where it is irregular or does not fit. */
enum taking { TAKEN, NOT_TAKEN, CANNOT_TELL };

static enum taking attempt(struct sentence *s, i64 code) {
    if (code < 0) return CANNOT_TELL;
    i64 done = performed(s, ARRAY_STEP, code, 0);
    if (done == ARRAY_NOT_PERMITTED) return NOT_TAKEN;
    return done == ARRAY_DONE && answer(s) >= 0 ? TAKEN : CANNOT_TELL;
}

/* Lists the permissible transitions; returns how many there are, -1 if there is no room. */
static i64 list_options(struct course *c) {
    i64 count = 0;
    for (i64 at = begin_permitted(c->s, ARRAY_PERMITTED); (at = execute(c->s, at)) >= 0;) {
        if (count == RUN_MAX_PERMITTED || name_of(answer(c->s)) >= c->l->names) return -1;
        c->options[count++] = answer(c->s);
    }
    return count;
}

/* The index of the option whose name comes first, counted from a place in an order. */
static i64 preferred(const struct course *c, const i64 *order, i64 first, i64 count) {
    i64 names = c->l->names, best = names, chosen = -1;
    for (i64 k = 0; k < count; k++) {
        i64 place = order[name_of(c->options[k])] - first;
        if (place < 0) place += names;
        if (place < best || (place == best && c->policy->takes_last)) {
            best = place;
            chosen = k;
        }
    }
    return chosen;
}

/* The index of the option after which a measure is greatest; -1 if one of the options cannot be taken. */
static i64 looked_ahead(struct course *c, i64 count) {
    const struct policy *policy = c->policy;
    struct state *now = c->s->state, *then = c->l->other;
    i64 best = 0, chosen = -1;
    for (i64 k = 0; k < count; k++) {
        copy_state(now, then);
        c->s->state = then;
        enum taking taking = attempt(c->s, c->options[k]);
        c->s->state = now;
        if (taking != TAKEN) return -1;
        i64 measure = policy->sign * (policy->measure < 0 ? count_arcs(then) : then->size[policy->measure]);
        if (chosen >= 0 && measure <= best) continue;
        best = measure;
        chosen = k;
    }
    return chosen;
}

/* The index of the option that the policy takes, or -1. */
static i64 choose(struct course *c, i64 step, i64 count) {
    const struct policy *policy = c->policy;
    i64 names = c->l->names, draw = step < c->l->draw_count ? c->draws[step] : 0;
    if (policy->kind == RUN_LOOK_AHEAD) return looked_ahead(c, count);
    if (policy->kind == RUN_IN_TURN) return preferred(c, c->order, step % names, count);
    if ((draw & 255) >= policy->steadiness) return (draw >> 8) * count >> 24;
    int is_switched = policy->switch_at >= 0 && step >= policy->switch_at;
    return preferred(c, is_switched ? c->order + names : c->order, 0, count);
}

/* --- leading --------------------------------------------------------------------------------------------------- */

/* Records the arcs, the space and the longest sequence of the present configuration. */
static void weigh(const struct course *c) {
    const struct state *t = c->s->state;
    struct facts *facts = c->facts;
    i64 space = facts->arcs = count_arcs(t);
    for (i64 k = 0; k < t->components; k++) {
        i64 kind = c->l->kinds[k];
        if (kind == RUN_NUMBER) {
            space++;
        } else if (kind == RUN_SET) {
            const i64 *members = cells_of(t, k);
            for (i64 node = 0; node < t->nodes; node++) space += members[node] != 0;
        } else {
            space += t->size[k];
            facts->longest = larger(facts->longest, t->size[k]);
        }
    }
    facts->space = larger(facts->space, space);
}

static int has_empty_buffer(const struct state *t, const i64 *kinds) {
    int any = 0;
    for (i64 k = 0; k < t->components; k++) any |= kinds[k] >= RUN_BUFFER && t->size[k] == 0;
    return any;
}

static int was_here(struct course *c, i64 step) {
    c->hashes[step] = hash_of(c->s->state, c->l->kinds);
    for (i64 k = 0; k < step; k++)
        if (c->hashes[k] == c->hashes[step]) return 1;
    return 0;
}

/* Finds the code of the next transition; returns how the run ends, or RUN_GOES_ON. */
static i64 next_code(struct course *c, i64 step, i64 *code) {
    int follows = c->policy->kind == RUN_FOLLOW;
    i64 count = follows ? 0 : list_options(c);
    if (!follows && count == 0) {
        c->facts->signs |= SIGN_DEAD_END;
        return RUN_AT_DEAD_END;
    }
    if (count < 0) return RUN_GIVEN_UP;
    if (step == c->l->max_steps || (c->policy->stops_at_repetition && was_here(c, step))) return RUN_CUT_OFF;
    if (follows) {
        if (execute(c->s, entry(c->s, ARRAY_PREDICT, c->policy->oracle)) < 0) return RUN_NO_LINE_MATCHES;
        *code = answer(c->s);
        return name_of(*code) < c->l->names ? RUN_GOES_ON : RUN_GIVEN_UP;
    }
    i64 chosen = choose(c, step, count);
    if (chosen < 0) return RUN_GIVEN_UP;
    *code = c->options[chosen];
    return RUN_GOES_ON;
}

/* Takes one run from the present configuration; returns how it ends. */
static i64 lead_one(struct course *c) {
    struct state *now = c->s->state, *before = c->l->other;
    for (i64 step = 0;; step++) {
        i64 code = 0;
        c->facts->steps = step;
        weigh(c);
        if (is_terminal(c->s)) return RUN_AT_TERMINAL;
        if (has_empty_buffer(now, c->l->kinds)) c->facts->signs |= SIGN_EMPTY_BUFFER;
        i64 end = next_code(c, step, &code);
        if (end != RUN_GOES_ON) return end;
        copy_state(now, before);
        enum taking taking = attempt(c->s, code);
        if (taking == NOT_TAKEN && c->policy->kind == RUN_FOLLOW) return RUN_NOT_PERMISSIBLE;
        if (taking != TAKEN) return RUN_GIVEN_UP;
        c->codes[step] = code;
        c->counts[name_of(code)]++;
        c->facts->signs |= signs_of(before, now, c->l->kinds);
    }
}

int64_t lead_all(const struct leading *l) {
    struct sentence *s = l->sentence;
    struct course *c = malloc(sizeof *c);
    u64 *hashes = malloc(sizeof(u64) * (l->max_steps + 1));
    i64 arcs = arc_number_count(s->state);
    for (i64 k = 0; c && hashes && k < l->count; k++) {
        c->l = l;
        c->s = s;
        c->policy = &l->policies[k];
        c->order = l->orders + k * 2 * l->names;
        c->draws = l->draws + k * l->draw_count;
        c->facts = &l->facts[k];
        c->counts = l->counts + k * l->names;
        c->codes = l->codes + k * l->max_steps;
        c->hashes = hashes;
        copy_state(l->start, s->state);
        *c->facts = (struct facts){0};
        memset(c->counts, 0, sizeof(i64) * l->names);
        c->facts->end = lead_one(c);
        memcpy(l->arcs + k * arcs, arc_numbers(s->state), sizeof(i64) * arcs);
    }
    int done = c && hashes;
    free(c);
    free(hashes);
    return done ? FINISHED : OUT_OF_MEMORY;
}

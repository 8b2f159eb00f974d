/* Parsing many sentences side by side, one transition at a time: Python chooses, and everything else is done here. */

#include "arrays.h"

/* Takes the transition of sentence k of those that are active; 0 if it has no room. */
static int take_step(struct sentence *s, const struct steps *steps, i64 k) {
    return steps->codes[k] < 0 || performed(s, ARRAY_STEP, steps->codes[k], steps->labels[k]) == ARRAY_DONE;
}

/* Finds out what a parser needs to know about the configuration then. */
static void look(const struct model *model, const struct catalogue *known, struct sentence *s, const i64 *tokens,
                 const struct steps *steps, i64 k) {
    i64 default_name = model->classes->default_name;
    steps->counts[k] = steps->fallbacks[k] = steps->defaults[k] = -1;
    if (is_terminal(s)) return;
    extract(model->features, s->state, tokens, steps->rows + k * model->features->feature_count);
    steps->counts[k] = permitted_among(s, ARRAY_PERMITTED, known, steps->allowed + k * known->count, NULL);
    if (steps->counts[k] == 0) {
        struct permissible p = permitted(s, default_name);
        i64 usual = p.count > 0 ? default_code(s, default_name) : -1;
        steps->counts[k] = p.count;
        steps->fallbacks[k] = usual < 0 ? p.first : usual;
    }
    if (steps->asks_defaults) steps->defaults[k] = default_code(s, default_name);
}

int64_t proceed(const struct model *model, struct sentence *s, const struct view *views, const struct steps *steps) {
    struct catalogue known = catalogue_of(model->classes->known, model->classes->known_count);
    struct state *before = s->state;
    i64 done = 0;
    for (; done < steps->count; done++) {
        const struct view *view = &views[steps->active[done]];
        struct state state = view->state;
        s->state = &state;
        if (!take_step(s, steps, done)) break;
        look(model, &known, s, view->tokens, steps, done);
    }
    s->state = before;
    return done == steps->count ? FINISHED : DOES_NOT_FIT;
}

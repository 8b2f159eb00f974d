/* What Python may use: structures and functions of the native code.

   cffi reads this file as it is (`build.py`), so there are no directives in it; C includes it by way of `native.h`.
   Whoever makes a structure keeps what it points to alive.  Numbers without a unit are counts. */

/* --- programs of the machine (transitions/machine/program.py) ---------------------------------------------------- */

struct row {
    int64_t opcode, to, operand[7];
};

/* A program for packed configurations; `terminal`, `empty` and so on are registers with results, or -1. */
struct program {
    const struct row *rows;
    int64_t row_count;
    int64_t registers;
    int64_t emits;    /* the most successors of one configuration */
    int64_t terminal; /* whether a run ends there */
    int64_t empty;    /* whether the buffer is empty */
};

/* Successors, in the order of the configurations they come from, and of the figure's transitions. */
struct successors {
    uint64_t *first, *second;
    int64_t *source; /* the place of the configuration among those that were given */
    int64_t *label;  /* the code of the transition */
    int64_t *marks;
};

/* 1 for any processor, 3 and 4 for one of the level x86-64-v3 or -v4. */
int processor_level(void);
/* Frees what native code handed over. */
void release(void *memory);

/* Writes the successors of `count` configurations; returns how many there are, or the code of a fault.
   There must be room for count * emits + LANES successors; `terminals` gets a truth for each configuration. */
int64_t expand(const struct program *program, const uint64_t *first, const uint64_t *second, int64_t count,
               struct successors *successors, uint8_t *terminals);
/* Whether register `truth` is 1 for each of `count` configurations; 0 if there is no memory, else 1. */
int ask(const struct program *program, int64_t truth, const uint64_t *first, const uint64_t *second, int64_t count,
        uint8_t *answers);

/* --- all configurations, kept (keep.c) ------------------------------------------------------------------------------ */

struct keep_settings {
    const struct program *program;
    uint64_t first, second; /* the initial configuration */
    uint64_t arcs_mask;     /* of the second word */
    int64_t is_graded;      /* all runs to a configuration have the same length */
    int64_t past_terminal;  /* terminal configurations are expanded, too */
    int64_t look;           /* terminal configurations get the signs PERMITS and GOES_ON */
    int64_t default_name;   /* the number of the default transition, or -1 */
    int64_t memory;         /* bytes */
};

/* Configurations by number, breadth first.  The edges that leave number k are those from `begins[k]` up to
   `begins[k + 1]`.  Whoever takes an array away sets its pointer to NULL. */
struct kept {
    uint64_t *first, *second;
    int16_t *flags;   /* signs */
    int32_t *parents; /* the configuration from which each was first reached, -1 for the start */
    int64_t *begins;
    int32_t *targets;   /* by edge */
    uint8_t *names;     /* by edge */
    int64_t *frontiers; /* the number of the first configuration of each distance */
    int64_t configurations, edges, frontier_count;
    int64_t terminals, dead_ends, marks;
    int64_t needed; /* bytes, at the most so far */
    struct keeper *keeper;
};

/* NULL if there is no memory at all. */
struct kept *keep_begin(const struct keep_settings *settings);
/* Goes on for some batches; FINISHED, PAUSED, OUT_OF_MEMORY, or the code of a fault. */
int64_t keep_go_on(struct kept *kept, int64_t batches);
void keep_end(struct kept *kept);

/* --- configurations in arrays (arrays.h; transitions/machine/arrays/kernel.py says what is in them) ----------------- */

/* A figure's program.  Row k of `entries` has `width` places in `rows` at which the answers to questions of kind k begin,
   by the number of a name or an oracle; -1 where there is none. */
struct figure {
    const struct row *rows;
    int64_t row_count;
    const int64_t *entries;
    int64_t kinds, width;
};

/* Tables with a row for each component, or for each thing that is known of a node. */
struct state {
    int64_t components, capacity; /* cells of each */
    int64_t nodes;                /* words and 0 */
    int64_t tree_rows;
    int64_t *cells, *size, *tree;
};

/* A configuration with all that the figure's program needs; `gold` is NULL where there is no gold graph. */
struct sentence {
    const struct figure *figure;
    struct state *state;
    const int64_t *gold;
    int64_t *registers; /* the first ones hold the question and its answer */
    int64_t *scratch;   /* room into which cells are copied */
    int64_t scratch_size;
    int64_t work; /* rows run, and steps of the loops inside them; never reset */
};

/* Runs a program from a place to the next PAUSE; returns the place behind it, or, below 0, why there is no answer. */
int64_t execute(struct sentence *s, int64_t place);
/* Where the answers to a question begin, or -1. */
int64_t entry(const struct sentence *s, int64_t kind, int64_t number);
/* Tests a transition, takes it, or finds its cost: ARRAY_DONE, or what is wrong with it. */
int64_t performed(struct sentence *s, int64_t kind, int64_t code, int64_t label);
/* Allows all lengths; returns where the permissible transitions (ARRAY_PERMITTED, ARRAY_OFFERED) begin. */
int64_t begin_permitted(struct sentence *s, int64_t kind);

/* --- whole runs in arrays (whole_runs.c; transitions/machine/whole_runs.py has the definitions) --------------------- */

struct policy {
    int64_t kind;
    int64_t takes_last; /* of the instances of a name, not the first */
    int64_t switch_at;  /* the step from which the second order applies, or -1 */
    int64_t steadiness; /* of 256 */
    int64_t measure;    /* a component, or -1 for arcs */
    int64_t sign;       /* 1 or -1 */
    int64_t stops_at_repetition;
    int64_t oracle;
};

struct facts {
    int64_t end, steps, space, longest, arcs, signs;
};

/* Runs of one sentence, one for each policy. */
struct leading {
    struct sentence *sentence;
    const struct state *start; /* the initial configuration */
    struct state *other;       /* room for a second one */
    const int64_t *kinds;      /* of components */
    int64_t names;             /* of transitions */
    int64_t count, draw_count, max_steps;
    const struct policy *policies;
    const int64_t *orders; /* two for each policy: the place of each name */
    const int64_t *draws;  /* draw_count for each policy */
    struct facts *facts;
    int64_t *counts; /* for each run, how often each name was taken */
    int64_t *codes;  /* for each run, max_steps */
    int64_t *arcs;   /* for each run, the rows of arcs in its last configuration */
};

/* Takes all runs; FINISHED or OUT_OF_MEMORY. */
int64_t lead_all(const struct leading *leading);

/* --- oracles (oracle.c) --------------------------------------------------------------------------------------------- */

/* A program that follows an oracle.  `labels` are the registers with the codes that the oracle asks for, first choice
   first; `undecided` is 1 where that cannot be decided here. */
struct oracle {
    struct program program;
    const int64_t *labels;
    int64_t label_count;
    int64_t undecided;
    uint64_t first, second; /* the initial configuration */
    uint64_t arcs_mask;     /* of the second word */
    int64_t words;
    int64_t head_width, node_width; /* bits of an entry, and of a node */
    int64_t arc_form;               /* AS_HEADS, AS_GRAPH or AS_MATRIX */
    int64_t is_rooted;              /* arcs from 0 count */
    int64_t has_several_heads;
    int64_t limit; /* transitions */
};

/* Follows the oracle towards each gold graph; writes the length of its run, -1 if it does not lead there, -2 if that
   cannot be decided here.  A graph has for each word one more than its head, or 0; or a bit for each head, where words
   may have several.  Returns FINISHED or OUT_OF_MEMORY. */
int64_t follow(const struct oracle *oracle, const int64_t *graphs, int64_t count, int64_t *lengths);

/* --- configurations counted, not kept (count.c) --------------------------------------------------------------------- */

/* A number of every configuration: a sum of parts of its words, each with a factor, and of the order of its nodes. */
struct term {
    int64_t word, shift, mask;
    int64_t is_presence; /* only whether the part is 0 counts */
    int64_t factor;
};
struct sequence {
    int64_t shift, mask; /* of its length, in the first word */
    int64_t head_is_right;
};
struct measure {
    const struct term *terms;
    const struct sequence *sequences;
    int64_t term_count, sequence_count;
    int64_t order_factor, node_bits;
    int64_t base;  /* added to every rank, so that none is negative */
    int64_t ranks; /* how many there are */
};

void ranks_of(const struct measure *measure, const uint64_t *first, const uint64_t *second, int64_t count,
              int64_t *ranks);

struct count_settings {
    const struct program *program;
    const struct measure *measure;
    uint64_t first, second; /* the initial configuration */
    uint64_t arcs_mask;     /* of the second word */
    int64_t step;           /* the ranks that every transition climbs, 0 if they do not all climb the same number */
    int64_t with_outputs;   /* outputs, runs and lengths, too */
    int64_t with_lengths;   /* runs carry their lengths, because the rank does not tell them */
    int64_t workers;
    int64_t few;        /* items of a rank that one worker deals with alone */
    int64_t part_items; /* of a part, about */
    int64_t memory;     /* bytes */
};

struct counts {
    int64_t configurations, transitions, terminals, dead_ends;
    int64_t longest, shortest; /* runs to terminal configurations */
    int64_t needed;            /* bytes, at the most so far */
    struct counting *counting;
};

/* NULL if there is no memory. */
struct counts *count_begin(const struct count_settings *settings);
/* Deals with ranks until about so many items are done: FINISHED, PAUSED, MANY where several workers should share what
   waits on the next rank, or the code of what went wrong. */
int64_t count_go_on(struct counts *counts, int64_t items);
/* Deals with one worker's share of a rank on which MANY wait: FINISHED, PAUSED, or the code of what went wrong. */
int64_t count_share(struct counts *counts, int64_t worker, int64_t items);
/* The shares of all workers are done. */
int64_t count_shared(struct counts *counts);
/* Collects one worker's share of the outputs, when all is counted; returns how many, or OUT_OF_MEMORY.  Python owns the
   two arrays afterwards: packed arcs, and the number of runs to each. */
int64_t count_outputs(struct counts *counts, int64_t worker, uint64_t **arcs, int64_t **runs);
/* Whether some configuration or output has more runs than can be counted, as far as they were. */
int count_is_inexact(const struct counts *counts);
void count_end(struct counts *counts);

/* --- paths in a graph of configurations (paths.c) ------------------------------------------------------------------- */

/* The edges that leave configuration k are those from `begins[k]` up to `begins[k + 1]`. */
struct edges {
    int64_t size; /* configurations */
    const int64_t *begins;
    const int32_t *targets;
    const uint8_t *names;
};

/* Weights of paths; `edge_to` is the last edge of the heaviest path so far, -1 where it is empty, -2 where there is
   none. */
struct heaviest {
    const uint8_t *inside;
    const int64_t *weights; /* by name */
    int64_t *best;
    int64_t *edge_to;
};

/* Writes the configurations inside in topological order; returns how many it could, fewer than there are if there is a
   cycle, or OUT_OF_MEMORY. */
int64_t topological_order(const struct edges *edges, const uint8_t *inside, int32_t *order);
/* Marks everything from which something marked can be reached; FINISHED or OUT_OF_MEMORY. */
int64_t mark_leading_to(const struct edges *edges, uint8_t *marked);
/* The number of paths from configuration 0 to each, which are 0 before; 0 if there are too many to count, else 1. */
int count_paths(const struct edges *edges, const int32_t *order, int64_t count, int64_t *paths);
/* Extends each path by each edge, once; returns whether that made one heavier. */
int extend_paths(const struct edges *edges, const int32_t *order, int64_t count, struct heaviest *heaviest);
/* Of the heaviest paths from `start`, finds those with the fewest edges, and of these the first; FINISHED or
   OUT_OF_MEMORY. */
int64_t choose_paths(const struct edges *edges, int64_t start, struct heaviest *heaviest);
/* Whether the last edges of the paths form a cycle, which they do only if it gains weight; or OUT_OF_MEMORY. */
int64_t goes_round(const int32_t *sources, const int32_t *order, int64_t count, const int64_t *edge_to, int64_t size);
/* Writes the edges of a cycle inside; returns how many, 0 if there is none, or OUT_OF_MEMORY. */
int64_t find_cycle(const struct edges *edges, const uint8_t *inside, int64_t *loop);
/* Adds numbers that are not negative to the sums at their places; 0 if a sum is too large, else 1. */
int add_up_at(const int64_t *places, const int64_t *numbers, int64_t count, int64_t *sums);

/* --- graphs by rank (unranking.c) ----------------------------------------------------------------------------------- */

/* Writes the rows of the trees or forests from a rank on; FINISHED or OUT_OF_MEMORY. */
int64_t unrank(int64_t words, int64_t first, int64_t count, int is_forest, int64_t *rows);
/* The number of trees among packed heads; if not rooted, words without a head count as dependents of 0. */
int64_t count_trees(const uint64_t *heads, int64_t count, int64_t words, int64_t bits, int is_rooted);

/* What Python may use: structures and functions of the native code.

   cffi reads this file as it is (`build.py`), so there are no directives in it; C includes it by way of `native.h`.
   Whoever makes a structure keeps what it points to alive.  Numbers without a unit are counts. */

/* --- programs of the machine (transitions/machine/program.py) ------------------------------------------------- */

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

/* 3 or 4 for a processor of the level x86-64-v3 or -v4, otherwise 1; builds for 1 take what x86-64-v2 has. */
int processor_level(void);
/* Frees what native code handed over. */
void release(void *memory);

/* Writes the successors of `count` configurations; returns how many there are, or the code of a fault.
   There must be room for count * emits successors; `terminals` gets a truth for each configuration. */
int64_t expand(const struct program *program, const uint64_t *first, const uint64_t *second, int64_t count,
               struct successors *successors, uint8_t *terminals);
/* Whether register `truth` is 1 for each of `count` configurations; 0 if there is no memory, else 1. */
int ask(const struct program *program, int64_t truth, const uint64_t *first, const uint64_t *second, int64_t count,
        uint8_t *answers);

/* --- all configurations, kept (keep.c) --------------------------------------------------------------------------- */

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

/* --- configurations in arrays (arrays.h; transitions/machine/arrays/kernel.py says what is in them) ------------ */

/* A figure's program.  Row k of `entries` has `width` places in `rows` at which the answers to questions of kind k
   begin, by the number of a name or an oracle; -1 where there is none. */
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
/* Tests a transition, takes it, or finds its cost: ARRAY_DONE, or what is wrong with it. */
int64_t performed(struct sentence *s, int64_t kind, int64_t code, int64_t label);
/* Allows all lengths; returns where the permissible transitions (ARRAY_PERMITTED, ARRAY_OFFERED) begin. */
int64_t begin_permitted(struct sentence *s, int64_t kind);

/* --- whole runs in arrays (whole_runs.c; transitions/machine/whole_runs.py has the definitions) ---------------- */

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

/* --- oracles (oracle.c) ------------------------------------------------------------------------------------------ */

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

/* --- configurations counted, not kept (count.c) ------------------------------------------------------------------ */

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

/* --- paths in a graph of configurations (paths.c) ---------------------------------------------------------------- */

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

/* --- graphs by rank (unranking.c) ------------------------------------------------------------------------------ */

/* Writes the rows of the trees or forests from a rank on; FINISHED or OUT_OF_MEMORY. */
int64_t unrank(int64_t words, int64_t first, int64_t count, int is_forest, int64_t *rows);
/* The number of trees among packed heads; if not rooted, words without a head count as dependents of 0. */
int64_t count_trees(const uint64_t *heads, int64_t count, int64_t words, int64_t bits, int is_rooted);

/* --- linear functions of rows (linear.c) ------------------------------------------------------------------------- */

/* Rows have a column for each feature. */
struct rows {
    int32_t *columns; /* one row after the other */
    int64_t count, features;
};

/* A join is one, two or three of the features.  That of a row has a key, made of its columns. */
struct joins {
    const int64_t *places; /* three places of features for each join, -1 for none */
    int64_t count;
    int64_t columns; /* every column is less */
};

/* A table with open addressing; a free slot has the key KEY_EMPTY, and at least half of them are free. */
struct key_slot {
    int64_t key, value;
};
struct key_table {
    struct key_slot *slots;
    int64_t span; /* a power of 2 */
};

/* A linear function for each class.  The value of a key says where its weights are: -1 - k for row k of `full`, or the
   place of the first of its sparse weights, followed by KEY_COUNT_BITS bits for how many there are. */
struct linear {
    const struct joins *joins;
    const struct key_table *table;
    const float *sparse;
    const int32_t *classes; /* of the sparse weights */
    float *full;            /* `width` weights in a row: those of all classes, and perhaps more */
    float *sums;            /* in training: of the changes of each weight, times the numbers of their steps */
    int64_t width;
};

/* For each instance the numbers of its joins, -1 for those without weights, and the right class. */
struct instances {
    const int32_t *numbers;
    const int64_t *classes;
};

/* Puts keys that are all different into a table. */
void enter_keys(const struct key_table *table, const int64_t *keys, const int64_t *values, int64_t count);
/* Adds how often each key occurs in the rows to a table in which `used` slots are used; returns how many are used now,
   DOES_NOT_FIT if they are too many for the table, or OUT_OF_MEMORY, which may be returned by all that follow. */
int64_t count_keys(const struct joins *joins, const struct rows *rows, const struct key_table *table, int64_t used);
/* Writes the number of each join of each row, -1 where it has none; the value in the table is -1 - number. */
int64_t number_joins(const struct joins *joins, const struct key_table *table, const struct rows *rows,
                     int32_t *numbers);
/* Writes the scores of the first `classes` classes for each row. */
int64_t score(const struct linear *linear, const struct rows *rows, int64_t classes, double *scores);
/* Learns from some instances in this order; `step` is the number of the first. */
int64_t learn(const struct linear *linear, const struct instances *instances, const int64_t *order, int64_t count,
              double max_change, int64_t step);
/* Replaces the weights of so many rows by their means over all steps. */
void average(const struct linear *linear, int64_t rows, int64_t steps);

/* --- features of configurations (features.c; classifiers/features/codes.py has the numbers) ---------------------- */

/* Where a node is: a kind, and what belongs to it. */
struct address {
    int64_t kind, first, second, third;
};

/* An attribute of a node, of two nodes, or of a component; `start` is added to its value to make a column. */
struct feature {
    int64_t node, attribute, other, start;
};

/* Addresses refer only to those before them. */
struct features {
    const struct address *addresses;
    int64_t address_count;
    const struct feature *features;
    int64_t feature_count;
    int64_t *nodes; /* room for the node of each address */
};

/* A configuration, and what is known of its words: a row for each attribute, with a number for each node. */
struct view {
    struct state state;
    const int64_t *tokens;
};

/* Writes the column of each feature. */
void extract(const struct features *features, const struct state *state, const int64_t *tokens, int32_t *row);

/* --- runs to learn from (record.c) ------------------------------------------------------------------------------- */

/* What a run is learned from: for each transition a row of features, its code and the number of its label. */
struct record {
    const struct features *features;
    const int64_t *tokens;
    int64_t room; /* transitions */
    int32_t *rows;
    int64_t *codes, *labels;
};

/* These return the number of transitions, or what is wrong: ARRAY_NO_LINE and so on. */

/* Follows an oracle from the start to a terminal configuration with the gold graph. */
int64_t record_oracle(struct sentence *sentence, int64_t oracle, const struct record *record);
/* Takes the transitions in the record from the start to a terminal configuration, and writes the features. */
int64_t record_given(struct sentence *sentence, const struct record *record);
/* Repeats a parser's run, and writes what the oracle would have done in each configuration.  `other` is the same
   sentence with other registers. */
int64_t record_advice(struct sentence *sentence, struct sentence *other, int64_t oracle, int64_t default_name,
                      const struct record *run, const struct record *record);

/* --- parsing (parse.c) ------------------------------------------------------------------------------------------- */

/* What a parser chooses from.  A class stands for a transition with a label; many may have the same code. */
struct classes {
    int64_t count;
    const int64_t *codes, *labels;
    const int64_t *places; /* of the code of each class among the known ones */
    const int64_t *known;  /* all codes, ascending */
    int64_t known_count;
    const int64_t *name_labels; /* by name, for transitions that are not classes */
    int64_t default_name;       /* or -1 */
};

struct model {
    const struct features *features;
    const struct classes *classes;
    const struct linear *linear; /* NULL if Python scores the classes */
};

/* One transition in each of many sentences, and what a parser needs to know then. */
struct steps {
    int64_t count;
    const int64_t *active;         /* the numbers of the sentences */
    const int64_t *codes, *labels; /* what to do; -1 for nothing */
    int64_t asks_defaults;
    int32_t *rows;       /* features */
    uint8_t *allowed;    /* which of the known codes are permissible */
    int64_t *counts;     /* how many are; if none of them, how many transitions; -1 at the end of the run */
    int64_t *fallbacks;  /* where no known one is permissible: the default transition, or else the first one */
    int64_t *defaults;   /* the default transition if it is permissible, else -1; only if they are asked for */
};

/* FINISHED, or DOES_NOT_FIT if a transition has no room.  `sentence` has room for the longest one. */
int64_t proceed(const struct model *model, struct sentence *sentence, const struct view *views,
                const struct steps *steps);

/* --- exploration in training (explore.c) ------------------------------------------------------------------------- */

/* A sentence to learn from. */
struct lesson {
    struct view start;
    const int64_t *gold;
    int64_t limit; /* transitions */
};

struct exploring {
    const struct model *model;
    const struct lesson *lessons;
    const int64_t *order; /* the lessons, by number */
    int64_t count;
    struct sentence *sentence; /* with room for the longest one */
    int64_t is_priced;         /* the program knows what transitions cost; otherwise Python does */
    double explore;            /* how often the parser makes its own choice */
    float max_change;          /* of a weight; 0 if nothing is to be learned */

    uint8_t *allowed; /* by known code: whether it is permissible */
    int64_t *words;   /* by known code: the word to which it adds a gold arc, or -1 */
    int64_t *costs;   /* by class, if it is allowed */

    int64_t is_asked;    /* Python was asked for costs */
    int64_t done, taken; /* lessons, and transitions of the next one */
    int64_t step;        /* the number of the next step of learning */
    int64_t transitions, astray, nothing_free;
    uint64_t chance; /* the state of the random generator */
};

/* Goes on for some transitions; FINISHED, PAUSED, ASKED where Python must write the costs of the allowed classes,
   DOES_NOT_FIT if a configuration grows too long, or OUT_OF_MEMORY. */
int64_t explore(struct exploring *exploring, int64_t transitions);

/* --- beam search (beam.c) ---------------------------------------------------------------------------------------- */

struct search {
    const struct model *model;
    struct sentence *sentence; /* with the initial configuration, and afterwards with the last one of the best run */
    const int64_t *tokens;
    int64_t width; /* runs that are followed side by side */
    int64_t limit; /* transitions */
    int64_t *run;  /* the best one: classes, SEARCH_STAYS, or SEARCH_FALLBACK - code; Python owns it afterwards */
    int64_t length, is_terminal;
    const int64_t *right; /* in training: the classes of the right run, of length `limit`; otherwise NULL */
    int64_t step;         /* in training: its number */
    int64_t is_changed;   /* in training: whether weights were */
};

/* FINISHED, DOES_NOT_FIT if a configuration grows too long, or OUT_OF_MEMORY. */
int64_t search(struct search *search);

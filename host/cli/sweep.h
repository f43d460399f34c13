/* Variants of a scene, run side by side. */
#ifndef CAB_SWEEP_H
#define CAB_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/queue.h"
#include "envelope/motion.h"
#include "io/report.h"

/* ---- vary.c: values of a scene by their JSON pointers, and the variants that they make ---- */

#define CAB_VARIANTS_MAX 1000000

typedef enum cab_vary_kind {
    CAB_VARY_LIST = 0, /* some values; also FROM:TO:COUNT */
    CAB_VARY_RANGE,    /* FROM:TO, any number between, equally likely */
    CAB_VARY_NORMAL    /* normal:MEAN:DEVIATION */
} cab_vary_kind;

/* One --vary. */
typedef struct cab_vary {
    char *pointer;
    const char *spec; /* as written, behind the "=" */
    cab_vary_kind kind;
    char **values; /* of a list: JSON, or text */
    int value_count;
    double a, b; /* of a range its ends, of a normal distribution mean and deviation */
    bool lost;   /* there was no memory */
} cab_vary;

typedef struct cab_plan {
    cab_vary *varied;
    int varied_count, variant_count;
    char **values; /* [variant_count][varied_count] */
    bool lost;     /* there was no memory */
} cab_plan;

/* How variants are drawn; random 0 = all combinations of the lists. */
typedef struct cab_draw_rule {
    long random; /* variants */
    long seed;
    bool seeks; /* --best: one value, of a range; variants are added later */
    bool latin; /* Latin hypercube: each value's range is cut into as many equal parts, each is met once (M.
                   McKay, R. Beckman, W. Conover 1979) */
} cab_draw_rule;

/* Makes the variants of "POINTER=SPEC" words; the last changes fastest. False after an error message, with `lost` where the
 * reason was memory. */
bool cab_plan_make(const cab_word_list *words, const cab_draw_rule *rule, cab_plan *plan);
void cab_plan_free(cab_plan *plan);
/* A variant more, of a plan with one value. False: no memory. */
bool cab_plan_add(cab_plan *plan, double number);

static inline const char *cab_plan_value(const cab_plan *plan, int variant, int varied)
{
    return plan->values[(size_t)variant * (size_t)plan->varied_count + (size_t)varied];
}

/* ---- the sweep ---- */

/* What a variant comes out as: columns of the table, in this order. */
typedef enum cab_result {
    CAB_RESULT_TENSION =
        0, /* N, the largest of the run, at its start and the ends of frames; so are the next three */
    CAB_RESULT_STRETCH,     /* |l - l0| / l0 */
    CAB_RESULT_BEND_RADIUS, /* m, the smallest; INFINITY = straight */
    CAB_RESULT_PENETRATION, /* m */
    CAB_RESULT_SAG,         /* m, of the last frame: how far a cable hangs below the line between its ends */
    CAB_RESULT_END_X,       /* m, of the last frame: the end of the first cable; 0 without cables */
    CAB_RESULT_END_Y,
    CAB_RESULT_END_Z,
    CAB_RESULT_BROKEN, /* attachments that broke or let go */
    CAB_RESULT_CLIP_FORCE, /* N, the largest of the run, means over a frame; with CAB_SWEEP_FORCES, as the next two */
    CAB_RESULT_CONNECTOR_FORCE,
    CAB_RESULT_HOLD_FORCE, /* of other attachments */
    CAB_RESULT_CLEARANCE_COLLIDER, /* m, the smallest of the run, INFINITY = nothing near; with CAB_SWEEP_CLEARANCES */
    CAB_RESULT_CLEARANCE_CABLE,
    CAB_RESULT_TORQUE, /* N m, the largest moment of twist of the run, either way; with CAB_SWEEP_TORQUE */
    CAB_RESULT_COUNT
} cab_result;

/* "tension_max", ... */
const char *cab_result_name(cab_result result);
/* What it must be asked for with, CAB_SWEEP_..., or 0. */
unsigned cab_result_asked(cab_result result);

/* Columns that there are where they are asked for: a sum. */
enum {
    CAB_SWEEP_FORCES = 1,
    CAB_SWEEP_CLEARANCES = 2,
    CAB_SWEEP_CABLES = 4, /* each column of each cable, too */
    CAB_SWEEP_TORQUE = 8
};

/* What came out of a cable by itself. */
typedef struct cab_cable_result {
    int name; /* among the names of the sweep */
    double result[CAB_RESULT_COUNT];
} cab_cable_result;

/* Warnings of a kind. */
typedef struct cab_sweep_warning {
    char *shape, *text; /* what they have in common, and the first one */
    int variant;        /* of that; -1 = of the world as a whole */
    long count;
} cab_sweep_warning;

typedef enum cab_variant_status {
    CAB_VARIANT_NOT_RUN = 0,
    CAB_VARIANT_OK,
    CAB_VARIANT_DIVERGED,
    CAB_VARIANT_UNSETTLED /* --settle: no rest was found */
} cab_variant_status;

typedef struct cab_variant {
    cab_variant_status status;
    int diverged_frame;
    double result[CAB_RESULT_COUNT]; /* when it is ok or unsettled */
    cab_cable_result *cables;        /* [cable_count] NULL without CAB_SWEEP_CABLES */
    int cable_count;
} cab_variant;

/* ---- sweep_best.c: the number that makes a column least or greatest ---- */

typedef struct cab_best {
    bool asked, most;
    cab_result result;
    const char *cable; /* [cable_length] of this cable; NULL = of the whole variant */
    int cable_length;
    int variant;      /* -1 = none yet */
    double value, at; /* of the column, and the number that makes it so, */
    double low, high; /* which lies between these, the neighbours that were looked at */
} cab_best;

/* Of the text of --best, which may be NULL; adds the columns that are needed for it. False after a message. */
bool cab_best_read(const char *text, cab_best *best, unsigned *columns);

typedef struct cab_sweep {
    const cab_options *options;
    const char *path; /* of the scene */
    cab_plan plan;
    cab_variant *variants; /* [plan.variant_count] */
    int batch_size;        /* variants in a world, at most */
    unsigned columns;      /* CAB_SWEEP_... */
    char **names;          /* [name_count] of all cables of all variants */
    int name_count;
    cab_sweep_warning *warnings; /* [warning_count] of each kind once */
    int warning_count;
    cab_best best;            /* what is looked for */
    cab_envelope envelope;    /* --envelope: of the variants that are ok, */
    cab_report_envelope told; /* and what is said about it; no triangles: it has not been written */
    char device[256];
    int worlds;  /* that were stepped to the end or to a divergence */
    double wall; /* s */
    bool interrupted;
    char *folder;    /* where several processes share it; NULL = this one is alone, */
    cab_queue queue; /* and the work there, once it has begun: file >= 0 */
    int pieces;      /* of the queue, that are over: --best adds more */
} cab_sweep;

/* sweep_warnings.c: tells what has come together, and forgets it. */
void cab_sweep_tell_warnings(cab_sweep *sweep);
void cab_sweep_forget_warnings(cab_sweep *sweep);

/* sweep_run.c: runs all variants that have not been run, those of the same settings in one world. The exit code, after a message. */
int cab_sweep_run(cab_sweep *sweep);

/* sweep_best.c: runs variants until the best one is found. The exit code, after a message. */
int cab_sweep_seek(cab_sweep *sweep);
/* A line to standard output. */
void cab_best_print(const cab_sweep *sweep);

#define CAB_SWEEP_WHOLE (-1) /* in the place of a cable: of the variant as a whole */
/* A column of a variant, for the whole or for one of the cables of the sweep; NULL: it has none. */
const double *cab_sweep_value(const cab_variant *v, cab_result result, int cable);

/* sweep_write.c: percentiles to standard output; the table and the report as files. Returns the exit code. */
void cab_sweep_print(const cab_sweep *sweep);
int cab_sweep_write(const cab_sweep *sweep);

#endif

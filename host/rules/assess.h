/* An assessment of a run: what each cable and each hold went through, frame by frame, against its limits. */
#ifndef CAB_ASSESS_H
#define CAB_ASSESS_H

#include <clcable/clcable.h>
#include <clcable/judge.h>

#include "io/file.h"
#include "rules/assess_probes.h"
#include "rules/limit_table.h"
#include "rules/rules.h"

/* Where a limit comes from. */
typedef enum cab_limit_from {
    CAB_FROM_NOTHING = 0,
    CAB_FROM_TABLE,    /* an entry of the table of limits */
    CAB_FROM_MATERIAL, /* min_bend_radius of a material of the scene */
    CAB_FROM_HOLD,     /* what a hold of the scene bears */
    CAB_FROM_WORD,     /* a word of cab_limits */
    CAB_FROM_RADIUS    /* 1 % of the cable's radius */
} cab_limit_from;

typedef struct cab_bound {
    double limit; /* NAN = none */
    cab_limit_from from;
    const cab_limit_entry *entry; /* of the table, */
    cab_tabled what;              /* and which of its limits */
    int index;                    /* of the material, or of the attachment of the scene */
    size_t word;                  /* offset of the member of cab_limits */
} cab_bound;

/* The worst that a part has seen of a rule. */
typedef struct cab_finding {
    cab_requirement rule;
    int cable;      /* index in the world */
    int attachment; /* CAB_REQUIREMENT_HOLD: index in cab_world_get_attachments(); else -1 */
    double value;   /* in the rule's unit */
    double drawn;   /* and what it was as drawn, before rest was sought; NAN = not known */
    cab_bound bound;
    double use;     /* cab_requirement_use(); NAN = no limit */
    int node;       /* row where it is; -1 = of the whole cable */
    cab_vec3 place; /* m */
    double at;      /* of the cable's length, 0 to 1 */
    int other;      /* clearances, overlaps: the other cable or collider; else -1 */
    bool to_cable;  /* `other` is a cable */
    bool moving;    /* the cable was, at more than 1 mm/s */
    int frame;      /* -1 = nothing was found: too far away, straight */
    double time;    /* s */
} cab_finding;

typedef struct cab_assessment {
    const cab_scene *scene;
    cab_limits limits;
    cab_file *csv; /* gets a row for each frame and cable; NULL = none. May be set before the first frame */

    int cable_count;
    cab_cable_info *cables;     /* [cable_count] */
    int *section_start;         /* [cable_count + 1] */
    cab_section_info *sections; /* what each cable is made of, from its start */
    const cab_limit_entry *
        *tabled; /* [sections][CAB_TABLED_COUNT] what the table says of each; NULL = nothing */
    int hold_count;
    cab_attachment_info *holds;          /* [hold_count] as in the frame */
    const cab_limit_entry **hold_tabled; /* [hold_count] */
    bool unmeasured;                     /* in some frame what holds bear was not measured */
    int event_count;                     /* of the world's that were seen */
    cab_finding *findings;               /* [finding_count] by rule and part; sorted by cab_assess_sort() */
    int finding_count, frame_count;
    double *time;   /* [frame_count] s */
    double *series; /* [frame_count][CAB_REQUIREMENT_COUNT] the worst value of all parts; NAN = none */
    int last_frame; /* that was taken; -1 = none */
    bool drawn;     /* cab_assess_take_drawn() has been called */
    cab_assess_probes probes;

    double *arc; /* [nodes] m of cable at rest from its start */

    /* Of the frame that is being taken. */
    double *position; /* [nodes][3] m */
    double *velocity; /* [nodes][3] m/s */
    double *tension;  /* [nodes] N */
    double *torque;   /* [nodes] N m; NULL where nothing can twist */
    cab_cable_facts *facts;
    cab_clearance *to_cables, *to_colliders;
} cab_assessment;

/* `scene` outlives it. */
void cab_assess_begin(cab_assessment *a, const cab_scene *scene, const cab_limits *limits);
void cab_assess_free(cab_assessment *a);

/* Takes the cables as they are drawn, before a rest is sought: what follows from places alone. Before any frame. */
cab_status cab_assess_take_drawn(cab_assessment *a, cab_world *world, cab_error *error);
/* Takes a frame of the run; one that was taken already does nothing, so a run may be shown twice. */
cab_status cab_assess_take(cab_assessment *a, cab_world *world, cab_error *error);

/* Worst first: broken limits, then limits by their use, then what has none, by rule and value. */
void cab_assess_sort(cab_assessment *a);
/* Limits that were not kept. Errors of the simulation that are larger than a share of length or 1 % of a radius do not count
 * among them: how many of a kind there are. */
int cab_assess_broken(const cab_assessment *a);
int cab_assess_errors(const cab_assessment *a, cab_requirement kind);
/* Holds that have a limit which nothing was held against, since their forces were not measured. */
int cab_assess_unjudged(const cab_assessment *a);

/* In doubt: no limit is broken, but lengths are off, something overlaps by 1 um or more, the run has judged itself to be wrong
 * (clcable/judge.h), has ended early or has not measured what has a limit, so that it cannot be said that all are kept. */
typedef enum cab_verdict { CAB_VERDICT_KEPT = 0, CAB_VERDICT_DOUBT, CAB_VERDICT_BROKEN } cab_verdict;

/* "a", "X1 (a)" of a named hold, "a, attachment 3"; the cable or collider beside which a clearance is. */
void cab_assess_part(const cab_assessment *a, const cab_finding *f, char *text, size_t size);
void cab_assess_other(const cab_assessment *a, const cab_finding *f, char *text, size_t size);
/* Where its limit comes from: "limits.json: /parts/W05/max_tension", "/materials/wire/min_bend_radius", "--limit tension",
 * "by default: bend-at-rest"; "" without a limit. */
void cab_assess_from(const cab_assessment *a, const cab_finding *f, char *text, size_t size);

/* ---- inside ---- */

/* Finds what the table says of each section and hold, after these are there. */
cab_status cab_assess_look_up(cab_assessment *a, cab_error *error);
/* The limit of a section, which counts from the first of all cables' (a->section_start). moving: of bends. */
cab_bound cab_assess_bound(const cab_assessment *a, cab_requirement rule, int section, bool moving);
cab_bound cab_assess_hold_bound(const cab_assessment *a, int hold);

/* What the report says of the run as a whole. */
typedef struct cab_assess_run {
    const char *title, *scene, *method, *device; /* "harness", "harness.json", "direct", "native" */
    const char *status;                          /* "ok", "diverged", "interrupted", "unsettled" */
    int substeps, frames;
    double duration;             /* s; 0 = at rest, nothing was simulated */
    const cab_equilibrium *rest; /* that was sought before; NULL = none */
    cab_measures measures;
    cab_judgement judgements[CAB_JUDGED_COUNT]; /* [judgement_count] */
    int judgement_count;
} cab_assess_run;

/* With a sentence for people: after it those of the errors, if there are any. Sorted before. */
cab_verdict cab_assess_verdict(const cab_assessment *a, const cab_assess_run *run, char *text, size_t size);
const char *cab_verdict_word(cab_verdict verdict);
/* What it is about: "the rest", "the motion from rest", "the motion from where cables were drawn". */
const char *cab_assess_judged(const cab_assess_run *run);

/* A picture for the page: a PNG in memory. */
typedef struct cab_assess_picture {
    const char *caption;
    const unsigned char *png;
    size_t size; /* bytes */
} cab_assess_picture;

/* Into an open file; sorted before. */
cab_status cab_assess_write_json(const cab_assessment *a, const cab_assess_run *run, cab_file *file,
                                 cab_error *error);
void cab_assess_write_html(const cab_assessment *a, const cab_assess_run *run,
                           const cab_assess_picture *pictures, int picture_count, cab_file *file);

#endif

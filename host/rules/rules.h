/* Rules that a harness is held to: what is measured, in which unit, and what is allowed. */
#ifndef CAB_RULES_H
#define CAB_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include <clcable/status.h>

typedef enum cab_requirement {
    CAB_REQUIREMENT_BEND = 0,           /* smallest bend radius of a cable */
    CAB_REQUIREMENT_LENGTH,             /* how far its tension stretches or shortens it */
    CAB_REQUIREMENT_TENSION,            /* its largest tension */
    CAB_REQUIREMENT_TORQUE,             /* its largest moment of twist, either way */
    CAB_REQUIREMENT_HOLD,               /* force at a clip, a connector or another attachment */
    CAB_REQUIREMENT_CLEARANCE_COLLIDER, /* nearest collider */
    CAB_REQUIREMENT_CLEARANCE_CABLE,    /* nearest cable, or the same one turned back */
    CAB_REQUIREMENT_SAG,                /* below the straight line from end to end */
    /* What only the simulation does: these are no limits of a cable. */
    CAB_REQUIREMENT_STRETCH, /* how far the length is from what the tension stretches the cable to */
    CAB_REQUIREMENT_OVERLAP, /* how deep it is in another cable or a collider */
    CAB_REQUIREMENT_COUNT
} cab_requirement;

typedef struct cab_requirement_kind {
    const char *word;  /* in options, JSON and CSV: "bend" */
    const char *title; /* "Bend radius" */
    const char *unit;  /* "m", "N"; "" = a share */
    bool error;        /* an error of the simulation, kept apart from limits */
    bool at_least;     /* the smallest value is the worst, and the limit is a least one */
} cab_requirement_kind;

const cab_requirement_kind *cab_requirement_kind_of(cab_requirement requirement);

/* What is allowed where neither a table nor the scene says so. NAN = nothing is asked. */
typedef struct cab_limits {
    double bend_at_rest, bend_moving;    /* times the diameter */
    double length;                       /* share of the nominal length */
    double tension;                      /* N */
    double clearance_collider;           /* m */
    double clearance_cable;              /* m */
    double sag;                          /* m */
    double clip_force;                   /* N, on a clip, */
    double connector_force;              /* N, a connector, */
    double hold_force;                   /* N, another attachment */
    double torque;                       /* N m */
    unsigned set;                        /* which were set: 1 << i for the i-th word */
    const struct cab_limit_table *table; /* of limits by name, which go before all others; NULL = none */
} cab_limits;

/* 6 and 10 diameters, 0.5 %, nothing else. */
cab_limits cab_limits_default(void);

/* `text` is WORD=VALUE with a word of cab_limits_words(). CAB_ERROR_INPUT otherwise. */
cab_status cab_limits_set(cab_limits *limits, const char *text, cab_error *error);
/* "bend-at-rest, bend-moving, ..." */
const char *cab_limits_words(void);
/* The word of a member of cab_limits, by its offset; *set: it was set. */
const char *cab_limits_word_of(const cab_limits *limits, size_t offset, bool *set);

/* The share of a limit that a value takes up: above 1 it is broken. NAN without a limit. */
double cab_requirement_use(cab_requirement requirement, double value, double limit);

#endif

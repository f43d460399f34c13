/* Rules that a harness is held to: what is measured, in which unit, and what is allowed. */
#ifndef CAB_RULES_H
#define CAB_RULES_H

#include <stdbool.h>

#include <clcable/status.h>

typedef enum cab_rule {
    CAB_RULE_BEND = 0,           /* smallest bend radius of a cable */
    CAB_RULE_LENGTH,             /* its length against the nominal one */
    CAB_RULE_TENSION,            /* its largest tension */
    CAB_RULE_HOLD,               /* force at a clip, a connector or another attachment */
    CAB_RULE_CLEARANCE_COLLIDER, /* nearest collider */
    CAB_RULE_CLEARANCE_CABLE,    /* nearest cable, or the same one turned back */
    CAB_RULE_SAG,                /* below the straight line from end to end */
    CAB_RULE_COUNT
} cab_rule;

typedef struct cab_rule_kind {
    const char *word;  /* in options, JSON and CSV: "bend" */
    const char *title; /* "Bend radius" */
    const char *unit;  /* "m", "N"; "" = a share */
    bool at_least;     /* the smallest value is the worst, and the limit is a least one */
} cab_rule_kind;

const cab_rule_kind *cab_rule_kind_of(cab_rule rule);

/* What is allowed where neither part nor material says so. NAN = nothing is asked. */
typedef struct cab_limits {
    double bend_at_rest, bend_moving; /* times the diameter */
    double length;                    /* share of the nominal length */
    double tension;                   /* N */
    double clearance_collider;        /* m */
    double clearance_cable;           /* m */
    double sag;                       /* m */
} cab_limits;

/* 6 and 10 diameters, 0.5 %, nothing else. */
cab_limits cab_limits_default(void);

/* `text` is WORD=VALUE with a word of cab_limits_words(). CAB_ERROR_INPUT otherwise. */
cab_status cab_limits_set(cab_limits *limits, const char *text, cab_error *error);
/* "bend-at-rest, bend-moving, ..." */
const char *cab_limits_words(void);

/* The share of a limit that a value takes up: above 1 it is broken. NAN without a limit. */
double cab_rule_use(cab_rule rule, double value, double limit);

#endif

/* Two reports compared: what changed between revisions of a harness. */
#ifndef CAB_COMPARE_H
#define CAB_COMPARE_H

#include <stdbool.h>

#include <jansson.h>

#include "io/file.h"
#include "rules/rules.h"

/* What a report says of a part by a rule; of one that it does not name nothing is there. */
typedef struct cab_side {
    bool there;
    double value, limit, use; /* SI units; NAN = none */
    double at, arc;           /* where: 0 to 1 of the cable's length; m, NAN = not said */
    bool over;                /* beyond the limit, also that of an error of the simulation */
    const char *other, *from; /* of clearances what is near; where the limit comes from; NULL = not said */
} cab_side;

typedef enum cab_change_kind {
    CAB_CHANGE_BROKEN = 0, /* beyond its limit now, and was not */
    CAB_CHANGE_KEPT,       /* within its limit again, or no longer there to break one */
    CAB_CHANGE_FURTHER,    /* beyond its limit in both, further now */
    CAB_CHANGE_LESS,       /* the same, less far */
    CAB_CHANGE_OTHER,      /* another value or another limit */
    CAB_CHANGE_ADDED,      /* only in the new one */
    CAB_CHANGE_REMOVED,    /* only in the old one */
    CAB_CHANGE_NONE,
    CAB_CHANGE_COUNT
} cab_change_kind;
/* "broken now", ... */
const char *cab_change_word(cab_change_kind kind);

/* A part by a rule, before and after. Texts live as long as the comparison. */
typedef struct cab_change {
    const char *rule, *cable, *part;
    bool error; /* it is an error of the simulation, no limit of the cable */
    cab_side old, now;
    cab_change_kind kind;
} cab_change;

/* Verdict of a cable; the later the worse. */
typedef enum cab_standing {
    CAB_STANDING_NONE = 0,
    CAB_STANDING_KEPT,
    CAB_STANDING_DOUBT,
    CAB_STANDING_BROKEN
} cab_standing;
/* "no limit", "kept", "in doubt", "broken" */
const char *cab_standing_word(cab_standing standing);

typedef struct cab_cable_side {
    bool there;
    cab_standing standing;
    double use;                 /* the largest of its limits; NAN = none */
    double length, rest_length; /* m; NAN = not said */
} cab_cable_side;

typedef struct cab_cable_change {
    const char *name;
    cab_cable_side old, now;
    int change[CAB_REQUIREMENT_COUNT]; /* index into the changes; -1 = neither report has any, and of holds */
} cab_cable_change;

typedef struct cab_comparison {
    const char *old_file, *now_file;
    json_t *old, *now;
    cab_change *changes; /* [count] what changed the verdict most comes first */
    int count;
    cab_cable_change *cables; /* [cable_count] the same order */
    int cable_count;
    int counts[CAB_CHANGE_COUNT]; /* changes of each kind */
    int added, removed;           /* cables */
    bool doubted;                 /* the new report is in doubt, and the old one was not */
} cab_comparison;

/* Reads two files that `clcable report` has written, and compares them. CAB_ERROR_INPUT: one of them is none; CAB_ERROR_IO,
 * CAB_ERROR_MEMORY. The names live longer than the comparison. Free it whatever the status. */
cab_status cab_compare(cab_comparison *c, const char *old_file, const char *now_file, cab_error *error);
void cab_compare_free(cab_comparison *c);

/* Nothing is beyond a limit that was not, and the new report is in doubt only where the old one was, too. */
bool cab_compare_is_good(const cab_comparison *c);
/* A line for people. */
void cab_compare_say(const cab_comparison *c, char *text, size_t size);

cab_status cab_compare_write_json(const cab_comparison *c, cab_file *file, cab_error *error);
void cab_compare_write_csv(const cab_comparison *c, cab_file *file);
void cab_compare_write_html(const cab_comparison *c, cab_file *file);

#endif

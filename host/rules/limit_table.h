/* Limits by name, from a table: of cables, of parts that run in them, of materials and of holds. docs/report.md has its form. */
#ifndef CAB_LIMIT_TABLE_H
#define CAB_LIMIT_TABLE_H

#include <clcable/scene.h>
#include <jansson.h>

/* What a table can limit. */
typedef enum cab_tabled {
    CAB_TABLED_BEND = 0,           /* m, smallest bend radius */
    CAB_TABLED_TENSION,            /* N */
    CAB_TABLED_TORQUE,             /* N m */
    CAB_TABLED_LENGTH,             /* share by which tension changes the length */
    CAB_TABLED_SAG,                /* m */
    CAB_TABLED_CLEARANCE_COLLIDER, /* m, smallest clearance */
    CAB_TABLED_CLEARANCE_CABLE,    /* m */
    CAB_TABLED_CLIP,               /* N, force on what holds: a clip, */
    CAB_TABLED_CONNECTOR,          /* N, a connector, */
    CAB_TABLED_HOLD,               /* N, another attachment */
    CAB_TABLED_COUNT
} cab_tabled;

/* Whose limits: the lists of a table. */
typedef enum cab_limit_list {
    CAB_LIMITS_OF_HOLDS = 0,
    CAB_LIMITS_OF_CABLES,
    CAB_LIMITS_OF_PARTS,
    CAB_LIMITS_OF_MATERIALS,
    CAB_LIMITS_COUNT
} cab_limit_list;

typedef struct cab_limit_entry {
    cab_limit_list list;
    const char *name;                  /* lives as long as the table */
    const char *key[CAB_TABLED_COUNT]; /* the key that gives the limit; NULL = it is not given */
    double value[CAB_TABLED_COUNT];
} cab_limit_entry;

typedef struct cab_limit_table {
    char *file; /* for messages: "limits.json", or "--limits" */
    json_t *document;
    cab_limit_entry *entries;
    int count;
} cab_limit_table;

/* `text` is a table, or "@FILE" with one. CAB_ERROR_INPUT: it is none, and *error names the place; CAB_ERROR_IO. Free it whatever the
 * status. */
cab_status cab_limit_table_read(cab_limit_table *table, const char *text, cab_error *error);
void cab_limit_table_free(cab_limit_table *table);

/* Is all that it names in the scene? CAB_ERROR_INPUT with the place of what is not. */
cab_status cab_limit_table_check(const cab_limit_table *table, const cab_scene *scene, cab_error *error);

/* What a limit is sought for. */
typedef struct cab_limit_sought {
    const char *hold;         /* name of a hold; NULL = of none */
    const char *copy;         /* "a[0,1,0]", the cable's own name */
    const char *cable;        /* "a" */
    const char *const *parts; /* [part_count] */
    int part_count;
    const char *materials[2]; /* what it is made of there, and what lies over that; NULL = nothing */
} cab_limit_sought;

/* The entry with the limit that counts: the hold's own, else the copy's, the cable's, the strictest of its parts, the stricter of its materials. NULL:
 * the table gives none. */
const cab_limit_entry *cab_limit_table_find(const cab_limit_table *table, const cab_limit_sought *of,
                                            cab_tabled what);

/* "limits.json: /parts/W05/max_tension" */
void cab_limit_entry_place(const cab_limit_table *table, const cab_limit_entry *entry, cab_tabled what,
                           char *text, size_t size);

#endif

/* What a number in a scene may be: the reader, the builder functions and their messages use these. */
#ifndef CAB_LIMITS_H
#define CAB_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#include <clcable/scene.h>

/* Both ends belong to it. Never infinite: devices calculate in 32 bits. */
typedef struct cab_limit {
    double min, max;
    bool integer;
} cab_limit;

#define CAB_LIMIT_COORDINATE ((cab_limit){-1e6, 1e6, false})  /* m, m/s */
#define CAB_LIMIT_FORCE ((cab_limit){-1e9, 1e9, false})       /* N, N m */
#define CAB_LIMIT_LENGTH ((cab_limit){1e-9, 1e6, false})      /* m; radii, sizes, rest lengths */
#define CAB_LIMIT_TOLERANCE ((cab_limit){-0.5, 10, false})    /* of a length */
#define CAB_LIMIT_STORED ((cab_limit){0, 1e6, false})         /* m; on a drum */
#define CAB_LIMIT_CAPTURE_ANGLE ((cab_limit){1e-3, 1, false}) /* rad */
#define CAB_LIMIT_GROOVE ((cab_limit){0, 3, false})           /* rad */
#define CAB_LIMIT_ROTATION ((cab_limit){-1e6, 1e6, false})
#define CAB_LIMIT_SPEED ((cab_limit){0, 1e6, false}) /* m/s */
#define CAB_LIMIT_FRICTION ((cab_limit){0, 1000, false})
#define CAB_LIMIT_MASS ((cab_limit){0, 1e9, false})               /* kg */
#define CAB_LIMIT_BODY_MASS ((cab_limit){1e-9, 1e9, false})       /* kg */
#define CAB_LIMIT_BODY_DENSITY ((cab_limit){1e-6, 1e6, false})    /* kg/m^3 */
#define CAB_LIMIT_INERTIA ((cab_limit){1e-18, 1e18, false})       /* kg m^2 */
#define CAB_LIMIT_BEARING ((cab_limit){0, 1e12, false})           /* N, N m */
#define CAB_LIMIT_BODY_DAMPING ((cab_limit){0, 1e6, false})       /* 1/s */
#define CAB_LIMIT_BREAK_FORCE ((cab_limit){1e-9, 1e12, false})    /* N */
#define CAB_LIMIT_SHARE ((cab_limit){1e-6, 1, false})             /* PBD's k */
#define CAB_LIMIT_COMPLIANCE ((cab_limit){0, 1e9, false})         /* m/N */
#define CAB_LIMIT_SOCKET_COMPLIANCE ((cab_limit){1e-8, 1, false}) /* m/N */
#define CAB_LIMIT_PLAY ((cab_limit){0, 1e6, false})               /* m */
#define CAB_LIMIT_GRIP ((cab_limit){0, 1e12, false})              /* N */
#define CAB_LIMIT_TIME ((cab_limit){-1e9, 1e9, false})            /* s; of a keyframe */
#define CAB_LIMIT_BEFORE ((cab_limit){1e-9, 1e9, false})          /* s */
#define CAB_LIMIT_FRACTION ((cab_limit){0, 1, false})
#define CAB_LIMIT_ROW_COUNT ((cab_limit){1, 1000000, true})
#define CAB_LIMIT_ROW_STIFFNESS ((cab_limit){0, 1e15, false})
#define CAB_LIMIT_SEGMENTS ((cab_limit){1, 1000000, true})
#define CAB_LIMIT_PARTICLE ((cab_limit){0, 1000000, true})
#define CAB_LIMIT_COPIES ((cab_limit){1, 1000000, true})

#define CAB_LIMIT_GROUP ((cab_limit){0, CAB_GROUP_MAX, true})
#define CAB_LIMIT_ROW ((cab_limit){2, 1000000, true}) /* particles of a sheet, along and across */
#define CAB_LIMIT_CORNER ((cab_limit){0, 1, true})
#define CAB_LIMIT_AREA_DENSITY ((cab_limit){0, 1e6, false}) /* kg/m^2 */

#define CAB_SHEET_MAX 10000000 /* particles of a sheet */
#define CAB_LIMIT_PARAMETER ((cab_limit){-1e30, 1e30, false})
#define CAB_LIMIT_OFFSET ((cab_limit){0, 1000, true}) /* of a stencil */

#define CAB_PARAMETERS_MAX 64                           /* of a constraint */
#define CAB_LIMIT_SCALE ((cab_limit){1e-9, 1e6, false}) /* of a mesh */

#define CAB_MESH_TRIANGLES_MAX 1000000
#define CAB_MESH_VERTICES_MAX 3000000
#define CAB_COPIES_MAX 10000000 /* of one cable, all axes */
#define CAB_NAME_MAX 200        /* bytes; leaves room for "[i,j,k]" in cab_cable_info */
#define CAB_FRAMES_MAX 1e9
#define CAB_TRACK_TIME_MAX 1e9 /* s; the longest duration of a scene, too */
#define CAB_PLACE_GAP 1e-9     /* of a length; particles of a cable are farther apart */
#define CAB_POINT_GAP 1e-9     /* m; neighbours on a path are farther apart */

/* A number of a def struct: its key in a scene file, where it is (a double, or an int when limit.integer). */
typedef struct cab_field {
    const char *key;
    size_t offset;
    cab_limit limit;
} cab_field;

#define CAB_MATERIAL_FIELDS 13
#define CAB_MATERIAL_STRETCHING 2 /* where stretching_stiffness is among them, */
#define CAB_MATERIAL_BENDING 3    /* and bending_stiffness */
#define CAB_TIME_FIELDS 5
#define CAB_METHOD_KEYS 19
extern const cab_field
    cab_material_fields[CAB_MATERIAL_FIELDS];            /* of cab_material_def, under /materials/NAME */
extern const cab_field cab_time_fields[CAB_TIME_FIELDS]; /* of cab_settings, under /time */

/* The methods that have a use for a setting: bit m for the method m. */
typedef unsigned cab_methods;
#define CAB_ALL_METHODS (~0u)

/* A number, a bool or an enum of cab_settings, under /method, and whose it is. */
typedef struct cab_method_key {
    cab_field field; /* its limit is a number's */
    cab_methods users;
    enum { CAB_METHOD_NUMBER, CAB_METHOD_SWITCH, CAB_METHOD_WORD } kind;
    const char *const *words; /* in the order of the enum, NULL at the end */
} cab_method_key;

extern const cab_method_key cab_method_keys[CAB_METHOD_KEYS];

/* Finite, in range, and whole where it must be. */
bool cab_limit_holds(cab_limit limit, double value);

/* "an integer from 1 to 1000000", "a number from 0 to 1e+09". */
void cab_limit_text(cab_limit limit, char *text, size_t size);

#endif

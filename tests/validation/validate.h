/* Known answers against the library, through its public interface only.
 *
 * A case loads a scene of scenes/, varies it by overrides, runs it on one device and checks what comes out. A
 * check is one row of the table: expected, got, error, tolerance.
 */
#ifndef VALIDATE_H
#define VALIDATE_H

#include <stdbool.h>

#include <clcable/clcable.h>

typedef enum val_method { VAL_XPBD, VAL_DIRECT, VAL_METHODS } val_method;

extern const char *const val_method_names[VAL_METHODS];

/* How finely a case is resolved. */
typedef struct val_grid {
    int segments, substeps, iterations; /* per cable, per frame, per substep; direct: contact passes */
} val_grid;

#define VAL_GRIDS 2
/* Two resolutions of a case with each method. */
typedef val_grid val_grids[VAL_METHODS][VAL_GRIDS];

typedef enum val_kind {
    VAL_RELATIVE, /* |got - expected| / |expected| */
    VAL_ABSOLUTE, /* |got - expected|, in the unit of the quantity */
    VAL_AT_MOST   /* got - expected where positive: a bound */
} val_kind;

/* One line of the table. */
typedef struct val_row {
    const char *name; /* of the case */
    char quantity[40];
    char grid[24];
    char device[32];
    val_method method;
    val_kind kind;
    double expected, got, error, tolerance;
    bool ok;
} val_row;

/* A case with a method on a device. */
typedef struct val_run {
    const char *name, *device, *scenes;
    val_method method;
    val_row *rows;
    int row_count, row_capacity;
    bool failed; /* something could not be run; the message has been printed */
} val_run;

typedef struct val_case {
    const char *name;
    const char *about; /* the known answer, one line */
    void (*run)(val_run *run);
} val_case;

/* All cases; the last has no name. */
extern const val_case val_cases[];

/* A check: adds a row. */
void val_check(val_run *run, val_kind kind, const char *quantity, val_grid grid, double expected, double got,
               double tolerance);

/* Says why a case could not be run and marks it failed. */
void val_fail(val_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define VAL_OVERRIDES 24

/* A scene file and what is varied. */
typedef struct val_scene {
    const char *file; /* in scenes/ */
    char *overrides[VAL_OVERRIDES];
    int count;
    bool failed;
} val_scene;

/* Starts with the method, segments of the first cable, substeps and iterations. */
val_scene val_scene_of(const val_run *run, const char *file, val_grid grid);
/* "POINTER=VALUE" as printf has it. */
void val_set(val_scene *scene, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The path of cable `cable`, as a polyline. */
void val_set_path(val_scene *scene, int cable, const cab_vec3 *points, int count);

/* A world and what was last read from it. */
typedef struct val_sim {
    cab_world *world;
    cab_world_info info;
    cab_vec3 *position, *velocity; /* [info.nodes], m, m/s */
    double *tension;               /* [info.nodes], N */
    double frame;                  /* duration of a frame, s */
} val_sim;

/* Makes a world of the scene (whose overrides are freed) and reads its state. False when that failed. */
bool val_open(val_run *run, val_scene *scene, val_sim *sim);
/* Advances and reads. */
bool val_step(val_run *run, val_sim *sim, int frames);
void val_close(val_sim *sim);

/* Time (s) of zero crossing number `index` (0 = first) of q, sampled every `dt` s from time 0; NAN when there
 * is none. */
double val_crossing(const double *q, int count, double dt, int index);

double val_distance(cab_vec3 a, cab_vec3 b);

#define VAL_GRAVITY 9.81
#define VAL_PI 3.14159265358979323846

#endif

/* The report of a run: what was run, on what, and what came out. */
#ifndef CAB_REPORT_H
#define CAB_REPORT_H

#include <stdbool.h>

#include <clcable/contacts.h>
#include <clcable/judge.h>
#include <clcable/world.h>

struct json_t;

/* The envelope of cables, as a closed mesh in a file. */
typedef struct cab_report_envelope {
    const char *file;
    double cell;   /* m; the mesh lies within one of what is swept */
    double volume; /* m^3 */
    int triangles;
    bool of_sweep;
    int variants;     /* of a sweep: that are in it, */
    int variant;      /* and the nearest one */
    double clearance; /* m, of the cables on their way from colliders; INFINITY = there are none */
    int collider;     /* the nearest */
    char cable[256], collider_name[256]; /* the latter is empty where it has none */
    double place[3], time;               /* m, on the cable's middle line; s */
} cab_report_envelope;

typedef struct cab_report {
    const char *scene;          /* file name */
    const char *method;         /* "xpbd" */
    const char *method_against; /* see cab_scene_method_against() */
    const char *substeps_for;   /* see cab_scene_substeps_for() */
    int frames;                 /* done, from frame 0 on */
    int resumed_at;             /* frame of the state that the run began with; 0 = from the start */
    int substeps, iterations;
    double wall_total, wall_setup, wall_step, wall_output; /* s */
    const char *status;                         /* "ok"; "diverged", "interrupted", "unsettled", "failed" */
    const char *message;                        /* of a run that was not ok; NULL = none */
    int diverged_frame;                         /* for "diverged" */
    const char *diverged_cable;                 /* for "diverged"; NULL = unknown */
    cab_judgement judgements[CAB_JUDGED_COUNT]; /* taken by cab_report_collect() */
    int judgement_count;
    const char *const *warnings;
    int warning_count;
    bool profiled;                       /* stages are known */
    const cab_equilibrium *rest;         /* --settle; NULL = no rest was sought */
    const cab_report_envelope *envelope; /* NULL = none was written */

    /* Filled by cab_report_collect(). */
    cab_world_info info;
    cab_measures measures;
    double stages[CAB_STAGE_COUNT]; /* s */
    char rest_body[256];            /* name of the cable that the rest's residual is on; empty = of a sheet */
    int *broken_attachments;        /* in the order in which they broke */
    char (*broken_cables)[256];     /* their cables' names */
    int broken_count;
    cab_event *events;         /* in the order of time */
    char (*event_cables)[256]; /* their cables' names; empty = none */
    int event_count;
    cab_socket_info *socket_infos; /* [socket_count] and where their plugs are */
    cab_socket_reading *sockets;
    int socket_count;
} cab_report;

/* Takes from the world what it knows. Free with cab_report_free(). */
cab_status cab_report_collect(cab_report *report, cab_world *world, cab_error *error);
void cab_report_free(cab_report *report);

/* Writes it as JSON; the file is whole or not there. */
cab_status cab_report_write(const cab_report *report, const char *path, cab_error *error);

/* What it says about an envelope, as an object; NULL when memory is out. */
struct json_t *cab_report_envelope_json(const cab_report_envelope *envelope);

#endif

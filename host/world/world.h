/* A world from the inside: a model, the device it lives on, and what changes from frame to frame. */
#ifndef CAB_WORLD_H
#define CAB_WORLD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <clcable/draw.h>
#include <clcable/world.h>

#include "backend/backend.h"
#include "model/model.h"
#include "model/branches.h"
#include "model/cyclic.h"
#include "model/tiles.h"
#include "world/contact.h"
#include "world/sleep.h"

/* What cab_world_draw needs; see draw.c. */
typedef struct cab_drawing {
    cab_gl gl;   /* def.gl's */
    bool listed; /* draw_node is as the model is, */
    int broken;  /* with so many attachments broken */
    float *rows; /* [nodes][4] on the way into an OpenGL buffer that is not shared */
} cab_drawing;

/* One launch of an iteration. Small colours share one. */
typedef struct cab_launch_plan {
    cab_stage stage;
    cab_kernel kernel;
    int first, count;
    int argument; /* CAB_SOLVE_..., and the number of merged colours */
} cab_launch_plan;

/* A held particle that may move, or a soft attachment. */
typedef struct cab_moving {
    int attachment;    /* of the model */
    bool by_user;      /* cab_world_set_target has taken over from the keyframes */
    cab_vec3 from, to; /* by_user: over the next frame, m */
} cab_moving;

/* A place where a breakable attachment's force is measured: a row of the buffer `breakable`. */
typedef struct cab_watch {
    int attachment; /* of the model */
    int node;
    bool couple;       /* only what a clamp between cables does to this node's neighbour */
    cab_vec3 load;     /* mean force on the node over the frame, N */
    cab_vec3 velocity; /* at the start of the frame, m/s */
} cab_watch;

/* An attachment that has let go. */
typedef struct cab_broken {
    int attachment; /* of the model */
    bool released;  /* a soft one that was pulled too far; else by too large a force */
    int frame;      /* at whose end */
    double force;   /* that it bore: the mean over the frame; released: at its end, N */
} cab_broken;

/* A load's force that the user may have set, and what the scene says. */
typedef struct cab_user_load {
    bool set;
    cab_vec3 force;     /* of the scene, N */
    int keyframe_count; /* of the scene */
} cab_user_load;

/* A collider that may move. */
typedef struct cab_collider_motion {
    bool by_user;      /* cab_world_set_collider has taken over from the keyframes */
    cab_pose from, to; /* by_user: over the next frame; later it stays at `to` */
} cab_collider_motion;

struct cab_world {
    cab_model *model;
    cab_backend *backend;
    cab_world_def def;
    cab_way way;
    cab_params params;
    int frame;
    int substeps;          /* done since the start, for overlaps that fade; stops at a large number */
    bool failed;           /* after an error nothing moves any more */
    uint64_t scene_hash;   /* of the model as it was made; a state must have the same */
    int materials_changed; /* attachments that had broken when a material changed last; -1 = none has */

    cab_launch_plan *plan;
    int plan_count;
    float *change;        /* [blocks][2] read back where iterations end by a tolerance */
    long long iterations; /* so far, over all substeps */
    size_t fused_scratch; /* bytes of local memory per group */
    cab_tiles tiles;      /* the lanes way */
    cab_tile_move *tile_move;
    cab_branches branches; /* the direct method stage by stage */
    bool first_order;      /* the next substep is: nothing is known of the steps before */

    cab_moving *moving;
    int moving_count;
    int soft_count;              /* of them that are soft; with the pull of a hand */
    int guide_count;             /* clips, those that have let go included */
    float4 *target;              /* [substeps][targets][2]: of the moving ones, of the pull */
    cab_vec3 pull_from, pull_to; /* where the hand is, over the next frame, m */
    double pull_asked;           /* its stiffness as the user said, N/m; 0 = by mass */
    cab_way way_before_pull;

    float4 *load_path;        /* [substeps][loads] over the coming frame, N */
    cab_user_load *user_load; /* [scene loads]; NULL = no force was set by the user */

    cab_feed_step *feed_step; /* [substeps][drums] over the coming frame */

    bool colliders_move;
    cab_collider_motion *collider_motion; /* [colliders] */
    cab_collider *collider_path;          /* [substeps][colliders] over the coming frame */
    double *collider_way;                 /* [substeps] the farthest way of any surface in each, m */

    cab_watch *watch;
    int watch_count;
    cab_vec3
        *force; /* [attachments] of those that are watched, mean over the last frame, N; NULL = none yet */
    cab_broken *broken;
    int broken_count;
    cab_event *notes; /* other events; their times are not filled in */
    int note_count;

    double *callback_lambda; /* [callbacks] */

    cab_contact_state contact;
    cab_sleep sleep;
    cab_drawing drawing;

    cab_errors *errors; /* [blocks] */
    int block_count;
    cab_measures measures;
    double times[CAB_STAGE_COUNT];
};

/* As cab_world_create, on the device of `beside`, in its OpenCL context, unless that is NULL. */
cab_status cab_world_create_beside(const cab_scene *scene, const cab_world_def *def, const cab_world *beside,
                                   cab_world **world, cab_error *error);

/* Runs a kernel; with profiling, waits for it and books the time on `stage`. */
cab_status cab_world_run(cab_world *world, cab_stage stage, cab_kernel kernel, int first, int count,
                         int argument, size_t scratch, cab_error *error);

/* (Re)allocates a buffer and writes `count` elements of `size` bytes into it. */
cab_status cab_world_upload(cab_world *world, cab_buffer id, const void *data, size_t count, size_t size,
                            cab_error *error);
cab_status cab_world_upload_params(cab_world *world, cab_error *error);
/* Fills in what of the parameters follows from masses. */
void cab_world_note_weights(cab_world *world);
/* Everything that cab_model_set_parameters() has changed. */
cab_status cab_world_upload_parameters(cab_world *world, cab_error *error);
cab_status cab_world_upload_constraints(cab_world *world, cab_error *error);
cab_status cab_world_upload_loads(cab_world *world, cab_error *error);

/* The user's own constraints: tables on the device; callbacks, once an iteration, after all that is planned.
 */
cab_status cab_world_start_own(cab_world *world, cab_error *error);
cab_status cab_world_call(cab_world *world, bool first_pass, cab_error *error);

/* The way that `clcable tune` has found to be the fastest of this method on this device for scenes of about
 * as many cables and particles; CAB_WAY_AUTO where nothing is known. */
cab_way cab_world_tuned_way(const cab_world *world, int *chunks);

/* Forces along keyframes: room for them, their values over the coming frame, those of a substep to the
 * device, a load's mean over the coming frame (N). */
cab_status cab_world_start_loads(cab_world *world, cab_error *error);
cab_status cab_world_update_loads(cab_world *world, cab_error *error);
cab_status cab_world_move_loads(cab_world *world, int substep, cab_error *error);
cab_vec3 cab_world_mean_force(const cab_world *world, int source);
/* Forces set by the user, [scene loads]: which, and how large. Where none is the scene's counts again. */
bool cab_world_load_is_set(const cab_world *world, int load);
cab_status cab_world_set_loads(cab_world *world, const bool *set, const cab_vec3 *force, cab_error *error);

/* Drums: tables; what they do in the coming frame, at the end of which the model then is; in a substep,
 * before the prediction and after held particles have moved; as they are at the current frame, all of them
 * anew. */
cab_status cab_feed_start(cab_world *world, cab_error *error);
cab_status cab_world_update_feeds(cab_world *world, cab_error *error);
cab_status cab_feed_substep(cab_world *world, int substep, cab_error *error);
cab_status cab_feed_follow(cab_world *world, int substep, cab_error *error);
cab_status cab_feed_place(cab_world *world, cab_error *error);

/* Chooses the way and lays out the launches of an iteration; again when something has changed that the way
 * depends on: constraints are to be uploaded then. */
cab_status cab_world_plan(cab_world *world, cab_error *error);
/* Whole substeps in one launch: such a way knows no drag, and no pull of a hand. */
static inline bool cab_way_is_fast(cab_way way)
{
    return way == CAB_WAY_FUSED || way == CAB_WAY_LANES || way == CAB_WAY_CYCLIC;
}

/* The coloured way, any rule: launches of an iteration, what averages and tolerances need, a substep's
 * iterations. */
cab_status cab_solve_plan(cab_world *world, cab_error *error);
cab_status cab_solve_upload(cab_world *world, cab_error *error);
cab_status cab_solve_substep(cab_world *world, int substep, cab_error *error);

/* The chunks way: NULL or why it cannot be had; its tables. */
const char *cab_chunks_cannot(const cab_world *world);
int cab_chunks_count(const cab_world *world);
cab_status cab_chunks_upload(cab_world *world, cab_error *error);

/* The lanes way: tiles and their constants, as new or while it runs; which held particles move; a frame. */
cab_status cab_lanes_start(cab_world *world, cab_error *error);
cab_status cab_lanes_update(cab_world *world, cab_error *error);
cab_status cab_lanes_upload_moves(cab_world *world, cab_error *error);
cab_status cab_lanes_frame(cab_world *world, cab_error *error);
void cab_lanes_end(cab_world *world);

/* The cyclic way: tables; bytes of local memory that a group needs; a frame. */
cab_status cab_cyclic_start(cab_world *world, cab_error *error);
size_t cab_cyclic_scratch(const cab_world *world);
cab_status cab_cyclic_frame(cab_world *world, cab_error *error);

/* The direct method stage by stage. Start again after a break. */
cab_status cab_direct_start(cab_world *world, cab_error *error);
/* How much heavier particles count, from the places as they are (CAB_EASE). */
cab_status cab_direct_reset_slow(cab_world *world, cab_error *error);
cab_status cab_direct_substep(cab_world *world, int index, cab_error *error);
void cab_direct_end(cab_world *world);

/* What `velocity` holds of the damping of a free particle: the factor of a substep, or with the direct method
 * rate times h. */
float cab_world_damping(const cab_world *world, int particle);

/* Attachments: the list of moving ones, their targets for the coming frame, what broke in the last. */
cab_status cab_world_start_attachments(cab_world *world, cab_error *error);
cab_status cab_world_update_targets(cab_world *world, cab_error *error);
/* One more that moves; cab_world_upload_moving() is due then. */
cab_status cab_world_add_moving(cab_world *world, int attachment, cab_error *error);
/* The list of moving particles, and room for all targets: theirs and the pull's. */
cab_status cab_world_upload_moving(cab_world *world, cab_error *error);
static inline int cab_world_targets(const cab_world *world)
{
    return world->moving_count + (world->model->pull.on ? 1 : 0);
}

/* Soft attachments and the pull: their table, whenever the list of moving ones or masses change; a solve of
 * XPBD, and of the methods like it; the direct method's prediction and, with -1, the end of its substep; how
 * far each is from its target, m, only if any could let go. */
bool cab_world_is_soft(const cab_world *world, int attachment);
cab_status cab_soft_upload(cab_world *world, cab_error *error);
cab_status cab_soft_solve(cab_world *world, int substep, bool first, cab_error *error);
cab_status cab_soft_direct(cab_world *world, int substep, cab_error *error);
cab_status cab_soft_distances(cab_world *world, double *distance, cab_error *error);

/* Ties: their table, whenever constraints are uploaded; a pass over them, at most a length each. */
cab_status cab_ties_upload(cab_world *world, cab_error *error);
cab_status cab_ties_solve(cab_world *world, bool first, cab_error *error);

/* Clips: soft attachments whose targets slide. What they are at the start; the table, whenever that of the
 * soft ones is made; a substep: before the springs pull, and when all is solved. */
cab_status cab_guide_start(cab_world *world, cab_error *error);
cab_status cab_guide_upload(cab_world *world, const cab_soft *soft, int soft_count, cab_error *error);
cab_status cab_guide_place(cab_world *world, int substep, cab_error *error);
cab_status cab_guide_slide(cab_world *world, int substep, cab_error *error);

/* Where an attachment sits on its collider, and a connector mates, between two frames. */
cab_vec3 cab_world_seat(const cab_world *world, const cab_model_attachment *attachment);
cab_vec3 cab_world_mate(const cab_world *world, const cab_model_attachment *attachment);

/* Connectors, at the end of a frame: those that have come home latch. One of them, as of a frame whose place
 * was `from`. */
cab_status cab_connectors_update(cab_world *world, cab_error *error);
cab_status cab_connector_mate(cab_world *world, int attachment, int frame, cab_vec3 from, cab_error *error);

cab_status cab_world_start_watches(cab_world *world, cab_error *error);
cab_status cab_world_watch_forces(cab_world *world, cab_error *error);
/* After a frame: adds each breakable attachment's mean force to force[attachment of the model], N. */
cab_status cab_world_read_forces(cab_world *world, cab_vec3 *force, cab_error *error);
cab_status cab_world_break(cab_world *world, cab_error *error);
/* Lets an attachment of the model go; the watches are to be started again. */
cab_status cab_world_break_one(cab_world *world, const cab_broken *broken, cab_error *error);

/* Drawing: after the device is open, whether it shares OpenGL's buffers; after a state was put in: what it
 * knows nothing of. */
cab_status cab_draw_start(cab_world *world, cab_error *error);
cab_status cab_draw_reset(cab_world *world, cab_error *error);
void cab_draw_end(cab_world *world);

/* Colliders: their poses over the coming frame, to the device at each substep. */
cab_status cab_colliders_start(cab_world *world, cab_error *error);
cab_status cab_world_update_colliders(cab_world *world, cab_error *error);
cab_status cab_colliders_place(cab_world *world, cab_error *error); /* where they are between two frames */
cab_status cab_colliders_move(cab_world *world, int substep, cab_error *error);
void cab_colliders_end(cab_world *world);
/* Where a collider is at a part (0 to 1) of the coming frame. */
cab_pose cab_world_pose(const cab_world *world, int collider, double part);
/* What is attached to the collider moves with it from now on; an error when it turns and a clamp would have
 * to turn with it. */
cab_status cab_world_ride(cab_world *world, int collider, bool turns, cab_error *error);

/* Stretch, speed, penetration of the frame just done; CAB_ERROR_DIVERGED when out of bounds. */
cab_status cab_world_update_measures(cab_world *world, cab_error *error);

/* A place as floats, and what rounding has left out of them. The volatile keeps gcc 12 from taking
 * (double)(float)x for x when it makes vectors of this. */
static inline void cab_split_place(cab_vec3 x, float4 *place, float4 *rest)
{
    volatile float high[3] = {(float)x.x, (float)x.y, (float)x.z};
    *place = (float4){high[0], high[1], high[2], 0};
    *rest = (float4){(float)(x.x - high[0]), (float)(x.y - high[1]), (float)(x.z - high[2]), 0};
}

/* Remembers an event; cable -1 = none. Of an attachment of the model, at the end of a frame. */
void cab_world_note(cab_world *world, cab_event_kind kind, int cable, const char *text);
void cab_world_note_mated(cab_world *world, int attachment, int frame);

void cab_world_log(const cab_world *world, int level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif

/* The host's part of a state: the contents of its arrays (docs/formats.md), and a state that was read from a
 * file and checked before anything is changed. */
#ifndef CAB_STATE_VIEW_H
#define CAB_STATE_VIEW_H

#include "run/state_bytes.h"
#include "world/world.h"

typedef struct cab_state_numbers {
    int32_t way; /* cab_way */
    int32_t frame, ticks;
    int32_t first_order;       /* for the way lanes */
    int32_t materials_changed; /* number of breaks before the last change; -1 = no change */
    int32_t listed, fresh_lists;
    int32_t contacts, contacts_max, rebuilds, calm;
    int32_t iterations_max;
    int64_t iterations;
    int32_t chunks;   /* for the way chunks, whose number decides the order of sums */
    int32_t pressing; /* contacts may bear forces */
    double gravity[3], wind[3];
    double stretch_max, stretch_mean, stretch_worst, penetration_max, penetration_worst, speed_max;
    double skin, near_skin, list_mean[3], last_step, speed;
    double collider_step, collider_moved;
    float drift[3], recent_drift[3];
} cab_state_numbers;

typedef struct cab_state_material {
    double linear_density, stretching_stiffness, bending_stiffness, twisting_stiffness;
    double damping, air_drag, air_drag_along, friction, min_bend_radius, bending_damping;
} cab_state_material;

typedef struct cab_state_broken {
    int32_t attachment; /* index in the model */
    int32_t released;
    int32_t frame, unused;
    double force; /* N */
} cab_state_broken;

typedef struct cab_state_moving {
    int32_t attachment; /* index in the model */
    int32_t by_user;
    double from[3], to[3];
    double velocity[3]; /* m/s, in the last substep: a jerk is told by it */
} cab_state_moving;

typedef struct cab_state_mated {
    int32_t attachment; /* index in the model */
    int32_t frame;
    double from[3];
} cab_state_mated;

typedef struct cab_state_load {
    int32_t by_user, unused;
    double force[3]; /* N */
} cab_state_load;

typedef struct cab_state_collider {
    int32_t by_user, unused;
    double from[7], to[7]; /* place, quaternion w, x, y, z */
} cab_state_collider;

/* A body that is led: its pose in space; how it moves, m/s, rad/s. */
typedef struct cab_state_led {
    cab_state_collider pose;
    double velocity[3], spin[3];
} cab_state_led;

/* Of a component, where cables may sleep; members as in cab_sleep. */
typedef struct cab_state_sleep {
    int32_t island, quiet, due;
} cab_state_sleep;

/* The survey for clear frames (carrier/clear.h); members as in cab_clear. */
typedef struct cab_state_clear {
    int32_t stepped, surveyed, wait, left, near_wait, near_left, near_level, unused;
    double gap, free_gap, reach, apart, moved, led;
} cab_state_clear;

/* What judging depends on; members as in cab_judging. */
typedef struct cab_state_judging {
    int32_t first_frame, overlap_next, length_next, energy_next, changes;
    int32_t referenced, driven, known, all_held, unused;
    double led, forces, hand, pulled, stored, mass, lightest, longest;
    double speed_seen, allowed, reference, gained, moved;
} cab_state_judging;

/* A judgement, in the order in which they were told; members as in cab_judgement. */
typedef struct cab_state_judged {
    int32_t judged, cable, other, frame, worst_frame, unused;
    double figure, bound, worst;
    char text[256];
} cab_state_judged;

_Static_assert(sizeof(cab_state_judging) == 144 && sizeof(cab_state_judged) == 304 &&
                   sizeof(((cab_judgement *)0)->text) == sizeof(((cab_state_judged *)0)->text),
               "as in docs/formats.md");
_Static_assert(sizeof(cab_state_clear) == 80 && sizeof(cab_state_sleep) == 12, "as in docs/formats.md");
_Static_assert(sizeof(cab_state_collider) == 120 && sizeof(cab_state_load) == 32 &&
                   sizeof(cab_state_led) == 168,
               "as in docs/formats.md");
_Static_assert(sizeof(cab_state_numbers) == 256 && sizeof(cab_state_material) == 80 &&
                   sizeof(cab_state_moving) == 80 && sizeof(cab_state_broken) == 24 &&
                   sizeof(cab_state_mated) == 32,
               "as in docs/formats.md");

/* What was read from a file. */
typedef struct cab_state_view {
    const cab_state_numbers *numbers;
    const cab_state_material *material;
    const cab_state_broken *broken;
    const cab_state_moving *moving;
    const double (*place)[3]; /* of the attachments */
    const cab_state_collider *collider;
    const cab_state_led *led; /* NULL = there are none */
    const double (*borne)[6]; /* of the attachments, */
    size_t borne_count;       /* or 0 */
    const cab_state_mated *mated;
    const int32_t (*touching)[2]; /* a cable and a body: the model's rigid_pair */
    const cab_state_load *load;
    const int *pieces;            /* of the components */
    const cab_state_sleep *sleep; /* of the components; NULL = none may sleep */
    const cab_state_clear *clear; /* 0 or 1 */
    const cab_state_judging *judging;
    const cab_state_judged *judged;
    const double *weight; /* N on each net, as judged; none where it was not asked for yet */
    const int32_t *net;   /* of the particles: the net that each is in */
    size_t judged_count, weight_count;
    const int32_t (*nearing)[2]; /* the same that the model has not got yet */
    size_t nearing_count;
    size_t touching_count;
    size_t broken_count, moving_count, mated_count, pieces_count, sleep_count, clear_count;
} cab_state_view;

/* Reads the arrays and checks them. */
cab_status cab_state_read_view(const cab_world *world, cab_state_reader *reader, cab_state_view *view);

/* Those of the judgements (state_judging.c), which are read with the others. */
cab_status cab_state_read_judging(const cab_world *world, cab_state_reader *reader, cab_state_view *view);
void cab_state_pack_judging(const cab_world *world, cab_state_writer *writer);
cab_status cab_state_set_judging(cab_world *world, const cab_state_view *view, cab_error *error);

cab_state_material cab_state_material_of(const cab_material_def *def);

/* Has the scene connectors? Has this one latched during the run? */
bool cab_state_has_connectors(const cab_model *model);
bool cab_state_has_mated(const cab_model_attachment *attachment);

/* Writes the host's part: the numbers, then the rest. */
void cab_state_pack_host(const cab_world *world, cab_state_writer *writer);

static inline cab_vec3 cab_state_vector(const double v[3])
{
    return (cab_vec3){v[0], v[1], v[2]};
}

static inline cab_pose cab_state_pose(const double from[7])
{
    return (cab_pose){{from[0], from[1], from[2]}, {from[3], from[4], from[5], from[6]}};
}

#endif

/* What is looked at now and then: moments of twist that a substep does not resolve, and energy that nothing put in. It is added up now and then, while nothing drives: then it may fall, never rise. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/vec3.h"
#include "constraint/twist.h"
#include "judge/judge.h"
#include "kernels/twist.h"
#include "world/carrier.h"

#define GAIN_MOST 0.05
#define LIFT_MOST 0.5  /* radii by which all there is may be lifted: contact pushes apart */
#define STIR_MOST 0.02 /* m/s that all there is may move at */
#define GAIN_END 20.0  /* times what gravity and the start can give: beyond sense, */
#define STIR_END 10.0  /* m/s, if so fast a mean is in it: what starts in one place is pushed apart */
/* Frames between two looks, so that they cost less than a hundredth of the steps. Adding up takes about 40 ns a
 * particle; a substep of a few launches 18 us and 30 ns a particle, and of a frame in one launch a fiftieth of that. */
#define LOOK_COST (100 * 0.04)
#define LAUNCHES 18
#define PARTICLE 0.03
#define WHOLE 0.02
#define LOOK_SMALL 4096 /* particles: so few are looked at more often at first, when little has moved, */
#define LOOK_EARLY 4    /* after this part of the frames so far */
#define FASTER 1.5      /* and where something is so much faster than at the last look, */
#define FAST 2.0        /* and than gravity and all else that is known make it */

/* What may come and go with what is too small to matter, J. */
static double noise(cab_world *world)
{
    double mass = cab_judge_mass(world), gravity = cab_vec3_length(world->model->settings.gravity);
    return mass * (LIFT_MOST * gravity * world->contact.largest_radius + 0.5 * STIR_MOST * STIR_MOST);
}

static int happened(const cab_world *world)
{
    int mated = 0;
    for (int i = 0; i < world->model->attachment_count; i++) mated += world->model->attachments[i].mated;
    return world->broken.count + mated;
}

/* From here on. */
static void begin(cab_judging *j, const cab_energy *e, int changes)
{
    j->referenced = true;
    j->driven = false;
    j->changes = changes;
    j->reference = e->kinetic + e->potential;
    j->allowed = j->reference + e->unsolved;
    j->moved = e->kinetic;
}

/* The body that has most of the kinetic energy. */
static int busiest(const cab_world *world, const cab_place_speed *motion)
{
    const cab_model *m = world->model;
    int busiest = -1;
    double most = 0;
    for (int b = 0; b < m->body_count; b++) {
        const cab_body *body = &m->bodies[b];
        double kinetic = 0;
        for (int node = body->first_node; node < body->first_node + body->node_count; node++) {
            int p = m->node_particle[node];
            const double *v = motion[p].v;
            if (m->held[p] < 0) kinetic += m->mass[p] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        }
        if (kinetic > most) most = kinetic, busiest = b;
    }
    return busiest;
}

/* J that gravity and what was there at the start can have set in motion at most. */
static double sensible(const cab_world *world, double small)
{
    const cab_judging *j = &world->judging;
    double gravity = cab_vec3_length(world->model->settings.gravity);
    return j->mass * gravity * j->longest + j->stored + j->moved + small;
}

static bool compare(cab_world *world, const cab_energy *e, cab_beyond *beyond, char *what, size_t size)
{
    cab_judging *j = &world->judging;
    /* what lengths store, or are off by, never counts as gained, and may still come out: a method that iterates is elastic
     * by as much as it has not solved */
    double least = e->kinetic + e->potential - e->stretching, full = least + e->stretching + e->unsolved;
    double fallen = j->reference - (e->potential - e->stretching);
    double gain = least - j->allowed, small = noise(world);
    double scale = fmax(fmax(j->moved, fallen), small);
    bool wrong = gain > GAIN_MOST * scale + small;
    if (wrong) {
        snprintf(what, size, "and the others gained %.3g J that nothing put in, %.3g %% of what moved", gain,
                 100 * gain / scale);
        *beyond = (cab_beyond){CAB_JUDGED_ENERGY, -1, -1, gain / scale, GAIN_MOST, what};
        j->gained = gain > 0.5 * j->mass * STIR_END * STIR_END ? gain / sensible(world, small) : 0;
    } else {
        j->moved = fmax(j->moved, e->kinetic);
    }
    j->allowed = fmin(j->allowed, full);
    return wrong;
}

static void look_at_twist(cab_world *world)
{
    cab_twist_beyond worst;
    char what[128];
    if (!cab_twist_find_beyond(world, &worst)) return;
    if (worst.lost)
        snprintf(what, sizeof what,
                 "has turned by more than %.3g rad in a substep, so that its twist may be off by whole turns",
                 (double)CAB_TWIST_FAST);
    else
        snprintf(what, sizeof what,
                 "needs a moment of twist of %.3g N m, of which substeps of %.3g ms resolve %.3g",
                 worst.figure * worst.most, 1e3 * cab_model_substep(world->model), worst.most);
    const cab_beyond beyond = {CAB_JUDGED_TWIST, worst.cable, -1, worst.figure, 1, what};
    cab_judge_note(world, &beyond);
}

/* At energy, and at twist, which tells by itself. True: energy is beyond its bound. */
static bool look(cab_world *world, const cab_energy *e, cab_beyond *beyond, char *what, size_t size)
{
    cab_judging *j = &world->judging;
    look_at_twist(world);
    if (!isfinite(e->kinetic + e->potential)) return false;
    if (world->frame == j->first_frame) j->stored = fmax(0, e->springs);
    int changes = happened(world);
    j->speed_seen = world->measures.speed_max;
    if (!j->referenced || j->driven || changes != j->changes) {
        begin(j, e, changes);
        return false;
    }
    return compare(world, e, beyond, what, size);
}

void cab_judge_energy(cab_world *world, const cab_place_speed *motion, const cab_energy *energy)
{
    char what[128];
    cab_beyond beyond = {0};
    if (!look(world, energy, &beyond, what, sizeof what)) return;
    beyond.body = busiest(world, motion);
    cab_judge_note(world, &beyond);
}

static bool is_due(cab_world *world)
{
    const cab_judging *j = &world->judging;
    double speed = world->measures.speed_max;
    if (world->frame == j->first_frame || world->frame >= j->energy_next) return true;
    if (!(speed > 1) || !(speed > FASTER * j->speed_seen)) return false;
    return speed > FAST * cab_judge_speed(world);
}

static int frames_until_next(const cab_world *world)
{
    const cab_model *m = world->model;
    double particles = m->particle_count, substep = LAUNCHES + PARTICLE * particles;
    if (world->carrier->whole_frames) substep *= WHOLE;
    double frames = fmin(ceil(LOOK_COST * particles / (m->settings.substeps * substep)), 1e6);
    if (particles <= LOOK_SMALL)
        frames = fmin(frames, 1 + (world->frame - world->judging.first_frame) / LOOK_EARLY);
    return (int)frames;
}

cab_status cab_judge_energy_frame(cab_world *world, cab_error *error)
{
    cab_judging *j = &world->judging;
    cab_place_speed *motion = NULL;
    float *lambda = NULL;
    cab_energy energy = {0};
    cab_beyond beyond = {0};
    char what[128];
    if (!is_due(world)) return CAB_OK;
    j->energy_next = world->frame + frames_until_next(world);
    cab_status status = cab_world_read_motion(world, &motion, error);
    if (status == CAB_OK) status = cab_world_read_multipliers(world, &lambda, error);
    bool wrong = false;
    if (status == CAB_OK) {
        cab_world_add_energies(world, motion, lambda, NULL, &energy);
        wrong = look(world, &energy, &beyond, what, sizeof what);
    }
    if (wrong) beyond.body = busiest(world, motion);
    CAB_FREE(motion, lambda);
    if (!wrong) return status;
    if (world->judging.gained > GAIN_END) return cab_judge_stop(world, &beyond, error);
    cab_judge_note(world, &beyond);
    return CAB_OK;
}

/* Places that hold the roll of cables. */
#include "constraint/twist_holds.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/vec3.h"
#include "constraint/bending.h"
#include "constraint/twist_chains.h"
#include "kernels/twist.h"
#include "model/scene.h"

static const cab_attachment_def *def_of(const cab_model *m, int attachment)
{
    return &m->scene->attachments[m->attachments[attachment].scene_attachment];
}

static bool asks_for_roll(const cab_attachment_def *def)
{
    return def->roll != 0 || def->roll_free || def->roll_keyframe_count > 0;
}

/* Does an attachment hold the roll of a cable that resists twisting? place_of: as cab_twist_list_holds() has it */
static cab_status holds(const cab_model *m, int attachment, const int *place_of, bool *yes, cab_error *error)
{
    const cab_model_attachment *a = &m->attachments[attachment];
    const cab_attachment_def *def = def_of(m, attachment);
    *yes = def->clamp && !a->joint && a->body < m->cable_count && place_of[a->node] >= 0;
    if (!*yes && asks_for_roll(def) && !a->joint)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: %s/roll: expected a cable whose material has a twisting_stiffness",
                        m->scene->source, cab_attachment_pointer(m->scene, a->scene_attachment).text);
    *yes = *yes && !def->roll_free;
    return CAB_OK;
}

static int compare_holds(const void *a, const void *b)
{
    const cab_twist_hold *x = a, *y = b;
    int first = x->place != y->place ? x->place : x->attachment,
        second = x->place != y->place ? y->place : y->attachment;
    return (first > second) - (first < second);
}

/* Does a chain go along the cable of one of its places from the end to the start? */
static bool goes_back(const cab_model *m, int place)
{
    const cab_twist_place *at = &m->twist_place[place];
    bool last = at->joint >= 0 || place + 1 == m->twist_place_count ||
                cab_model_cable_of_node(m, at[1].node) != cab_model_cable_of_node(m, at->node);
    return last ? at[-1].node > at->node : at[1].node < at->node;
}

static cab_twist_hold hold_of(const cab_model *m, int attachment, int place)
{
    const cab_model_attachment *a = &m->attachments[attachment];
    bool back = goes_back(m, place);
    cab_vec3 direction = cab_vec3_scale(back ? -1 : 1, a->direction);
    double length = cab_vec3_length(direction);
    return (cab_twist_hold){.attachment = attachment,
                            .cable = a->body,
                            .node = a->node,
                            .place = place,
                            .back = back,
                            .direction =
                                length > 0 ? cab_vec3_scale(1 / length, direction) : (cab_vec3){1, 0, 0}};
}

/* Which holds are in each chain. */
static void share_out(cab_model *m)
{
    for (int c = 0, k = 0; c < m->twist_chain_count; c++) {
        cab_twist_chain *chain = &m->twist_chain[c];
        chain->holds = (cab_range){k, 0};
        while (k < m->twist_hold_count && m->twist_hold[k].place < chain->places.first + chain->places.count)
            k++;
        chain->holds.count = k - chain->holds.first;
    }
}

cab_status cab_twist_list_holds(cab_model *m, cab_error *error)
{
    int count = 0, *place_of; /* [nodes] the place of a node; -1 = its cable does not resist twisting */
    cab_status status = CAB_NEW(m->twist_hold, m->attachment_count, error);
    if (status == CAB_OK) status = CAB_NEW(place_of, m->node_count, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < m->node_count; i++) place_of[i] = -1;
    for (int i = 0; i < m->twist_place_count; i++) place_of[m->twist_place[i].node] = i;
    for (int i = 0; status == CAB_OK && i < m->attachment_count; i++) {
        bool yes;
        status = holds(m, i, place_of, &yes, error);
        if (status != CAB_OK || !yes) continue;
        m->twist_hold[count++] = hold_of(m, i, place_of[m->attachments[i].node]);
    }
    CAB_FREE(place_of);
    if (count > 1) qsort(m->twist_hold, (size_t)count, sizeof *m->twist_hold, compare_holds);
    m->twist_hold_count = 0; /* of several at one node the first counts */
    for (int i = 0; i < count; i++)
        if (i == 0 || m->twist_hold[i].node != m->twist_hold[i - 1].node)
            m->twist_hold[m->twist_hold_count++] = m->twist_hold[i];
    share_out(m);
    return status;
}

cab_vec3 cab_twist_across(cab_vec3 direction)
{
    double x = fabs(direction.x), y = fabs(direction.y), z = fabs(direction.z);
    cab_vec3 axis = z <= x && z <= y ? (cab_vec3){0, 0, 1}
                    : y <= x         ? (cab_vec3){0, 1, 0}
                                     : (cab_vec3){1, 0, 0};
    axis = cab_vec3_sub(axis, cab_vec3_scale(cab_vec3_dot(axis, direction), direction));
    return cab_vec3_scale(1 / cab_vec3_length(axis), axis);
}

cab_vec3 cab_twist_carried(cab_vec3 director, cab_vec3 from, cab_vec3 to)
{
    vec3 now = cab_floats_of(director);
    cab_twist_carry(&now, cab_floats_of(from), cab_floats_of(to), 0);
    return (cab_vec3){(double)now.x, (double)now.y, (double)now.z};
}

cab_vec3 cab_twist_rolled(const cab_twist_hold *hold, double roll)
{
    return cab_vec3_turned(hold->director, hold->direction, roll);
}

/* The largest moment that a substep resolves: what twist makes buckle must not be faster than it. M < 0.6 (EI^3 mu / h_s^2)^(1/4)
 * was found to be stable whatever the length of segments. */
#define RESOLVED 0.6

double cab_twist_most(const cab_model *m, int cable, int from, int to)
{
    double most = INFINITY, hs = cab_model_substep_of(m, m->node_particle[from]) * 2 / 3;
    for (int node = from; node < to; node++) {
        const cab_material_def *def = cab_bending_material(m, cable, node);
        double ei = fmin(def->bending_stiffness, cab_material_second(def));
        most = fmin(most, RESOLVED * sqrt(sqrt(ei * ei * ei * def->linear_density) / hs));
    }
    return most;
}

double cab_twist_roll(const cab_model *m, const cab_twist_hold *hold, double t)
{
    const cab_attachment_def *def = def_of(m, hold->attachment);
    double roll = def->roll;
    if (def->roll_keyframe_count > 0)
        roll = cab_numbers_at((const double(*)[2])def->roll_keyframes, def->roll_keyframe_count, t);
    return cab_twist_roll_along(hold, roll);
}

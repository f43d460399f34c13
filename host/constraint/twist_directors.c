/* The directors of cables: how their sections are rolled, for pictures. What is computed is in world.h, cab_world_read_directors(). */
#include <math.h>

#include "base/array.h"
#include "base/vec3.h"
#include "constraint/director.h"
#include "constraint/director_runs.h"
#include "constraint/rigid_twist.h"
#include "constraint/twist.h"
#include "constraint/twist_chains.h"
#include "constraint/twist_runs.h"
#include "kernels/twist.h"
#include "model/model.h"
#include "world/device.h"

#define TURN (2 * acos(-1))

typedef struct cab_directors {
    const cab_model *model;
    const double (*place)[3];   /* [nodes] m */
    const cab_twist_hold *hold; /* [holds] as they are turned now */
    const double *roll;         /* [holds] rad */
    const float4 *twist;        /* [holds] the buffer `twist` */
    const float *own;           /* [director links][4] of cables that have a director for each segment */
    double (*director)[3];      /* [nodes] */
    int first, last; /* the chain in hand: its first place and its last one, in model->twist_place */
} cab_directors;

static cab_vec3 get(const double at[3])
{
    return (cab_vec3){at[0], at[1], at[2]};
}

static void set(double at[3], cab_vec3 v)
{
    at[0] = v.x;
    at[1] = v.y;
    at[2] = v.z;
}

static int node_at(const cab_directors *d, int place)
{
    return d->model->twist_place[place].node;
}

static bool is_joint(const cab_directors *d, int place)
{
    return d->model->twist_place[place].joint >= 0;
}

/* The tangent from a place to the next one; 0 where a joint is there, or a cable lies on a drum. */
static cab_vec3 along(const cab_directors *d, int place)
{
    if (is_joint(d, place)) return (cab_vec3){0, 0, 0};
    return cab_vec3_unit(
        cab_vec3_sub(get(d->place[node_at(d, place + 1)]), get(d->place[node_at(d, place)])));
}

/* The tangent at a place: halfway between those of its cable's segments. A fold has none, and takes that of the second. */
static cab_vec3 tangent_at(const cab_directors *d, int place)
{
    if (place == d->first || is_joint(d, place - 1)) return along(d, place);
    if (place == d->last || is_joint(d, place)) return along(d, place - 1);
    cab_vec3 after = along(d, place), sum = cab_vec3_add(along(d, place - 1), after);
    return cab_vec3_dot(sum, sum) < (double)CAB_TWIST_FOLD ? after : cab_vec3_unit(sum);
}

static double *director_at(cab_directors *d, int place)
{
    return d->director[node_at(d, place)];
}

/* `tangent`: that of the director, beside the place */
static void put(cab_directors *d, int place, cab_vec3 director, cab_vec3 tangent)
{
    cab_vec3 at = tangent_at(d, place);
    set(director_at(d, place), cab_vec3_unit(cab_vec3_reject(cab_twist_carried(director, tangent, at), at)));
}

/* Carries a director from a place, where the tangent is `tangent`, to another one on either side without twisting, and gives it to the
 * places on the way and there. Returns it as it gets there; `tangent` is then that of the last segment. */
static cab_vec3 walk(cab_directors *d, int from, int to, cab_vec3 director, cab_vec3 *tangent)
{
    int step = to > from ? 1 : -1;
    for (int place = from; place != to; place += step) {
        cab_vec3 next = along(d, step > 0 ? place : place - 1);
        if (cab_vec3_dot(next, next) == 0) next = *tangent;
        director = cab_twist_carried(director, *tangent, next);
        *tangent = next;
        put(d, place + step, director, next);
    }
    return director;
}

/* ---- what clamps hold ---- */

/* The director of a clamp as it is rolled. */
static cab_vec3 held(const cab_directors *d, int hold)
{
    return cab_twist_rolled(&d->hold[hold], d->roll[hold]);
}

static cab_vec3 walk_from(cab_directors *d, int hold, int to, cab_vec3 *tangent)
{
    const cab_twist_hold *h = &d->hold[hold];
    *tangent = h->direction;
    return walk(d, h->place, to, held(d, hold), tangent);
}

/* Rad a metre of moment between a place and the next one, 1/(N m): infinite where it turns freely, as at a joint that has broken. */
static double compliance_at(const cab_directors *d, int place)
{
    const cab_model *m = d->model;
    if (is_joint(d, place)) return m->attachments[m->twist_place[place].joint].broken ? INFINITY : 0;
    return cab_twist_compliance_of(m, cab_twist_segment(m, place));
}

/* Phi of a run by the places as they are now, rad: `arrived` is the start's director at the end's tangent. The turns are those that the
 * buffer has counted, at places of the last substep. */
static double angle_of(const cab_directors *d, const cab_twist_run *run, cab_vec3 arrived)
{
    cab_vec3 axis = d->hold[run->end].direction, end = held(d, run->end);
    double counted = d->roll[run->end] - d->roll[run->start] + cab_twist_turned_of(run, d->twist);
    double angle = atan2(cab_vec3_dot(cab_vec3_cross(arrived, end), axis), cab_vec3_dot(arrived, end));
    return angle + TURN * round((counted - angle) / TURN);
}

/* Between two clamps: without twist at first, then each turned by its share of Phi. */
static void set_run(cab_directors *d, const cab_twist_run *run)
{
    const cab_twist_hold *from = &d->hold[run->start], *to = &d->hold[run->end];
    cab_vec3 tangent, arrived = walk_from(d, run->start, to->place, &tangent);
    double phi = angle_of(d, run, cab_twist_carried(arrived, tangent, to->direction)), whole = 0, sum = 0;
    for (int place = from->place; place < to->place; place++) whole += compliance_at(d, place);
    for (int place = from->place + 1; place < to->place; place++) {
        sum += compliance_at(d, place - 1);
        cab_vec3 now = cab_vec3_turned(get(director_at(d, place)), tangent_at(d, place), phi * sum / whole);
        set(director_at(d, place), now);
    }
}

/* Between two clamps with a place where it turns freely: up to it from the first one, after the last such from the second one. */
static void set_apart(cab_directors *d, int start, int end)
{
    const cab_twist_hold *from = &d->hold[start], *to = &d->hold[end];
    cab_vec3 tangent;
    int place = to->place;
    walk_from(d, start, to->place, &tangent);
    while (place - 1 > from->place && isfinite(compliance_at(d, place - 1))) place--;
    walk_from(d, end, place, &tangent);
}

/* A chain that no clamp rolls: from its start, where the director as drawn follows the tangent. */
static void set_unheld(cab_directors *d)
{
    int place = d->first; /* the first that lies on no drum */
    while (place + 1 < d->last && cab_vec3_length(along(d, place)) == 0) place++;
    cab_vec3 drawn = cab_twist_tangent_at(d->model, place), tangent = along(d, place);
    cab_vec3 director = cab_twist_carried(cab_twist_across(drawn), drawn, tangent);
    put(d, d->first, director, tangent);
    walk(d, d->first, d->last, director, &tangent);
}

/* ---- chains ---- */

static bool is_broken(const cab_directors *d, int hold)
{
    return d->model->attachments[d->hold[hold].attachment].broken;
}

static void set_chain(cab_directors *d, const cab_twist_chain *chain)
{
    const cab_model *m = d->model;
    int last = -1, end = chain->holds.first + chain->holds.count;
    cab_vec3 tangent;
    for (int hold = chain->holds.first; hold < end; hold++) {
        if (is_broken(d, hold)) continue;
        const cab_twist_run *run = last < 0 ? NULL : cab_twist_run_from(m, last);
        if (last < 0)
            walk_from(d, hold, d->first, &tangent);
        else if (run)
            set_run(d, run);
        else
            set_apart(d, last, hold);
        last = hold;
    }
    if (last >= 0)
        walk_from(d, last, d->last, &tangent);
    else
        set_unheld(d);
}

/* A cable that has a director for each segment: halfway between those of both at a node. */
static void set_own(cab_directors *d, const cab_director_cable *c)
{
    for (int place = d->first; place <= d->last; place++) {
        cab_vec3 sum = {0, 0, 0}, t = tangent_at(d, place);
        for (int k = place > d->first ? place - 1 : place; k <= place && k < d->last; k++) {
            const float *v = d->own + 4 * (size_t)(c->first_link + k - d->first);
            sum = cab_vec3_add(sum, (cab_vec3){(double)v[0], (double)v[1], (double)v[2]});
        }
        set(director_at(d, place), cab_vec3_unit(cab_vec3_reject(sum, t)));
    }
}

static void set_all(cab_directors *d)
{
    const cab_model *m = d->model;
    for (int i = 0; i < m->node_count; i++) set(d->director[i], (cab_vec3){0, 0, 0});
    for (int c = 0; c < m->twist_chain_count; c++) {
        const cab_twist_chain *chain = &m->twist_chain[c];
        const cab_director_cable *own = cab_director_cable_of(m, chain->cable);
        d->first = chain->places.first;
        d->last = d->first + chain->places.count - 1;
        if (own)
            set_own(d, own);
        else
            set_chain(d, chain);
        for (int k = chain->holds.first; k < chain->holds.first + chain->holds.count; k++)
            if (!is_broken(d, k)) set(d->director[d->hold[k].node], held(d, k));
    }
}

cab_status cab_world_read_directors(cab_world *world, double *director, cab_error *error)
{
    const cab_model *m = world->model;
    size_t holds = (size_t)m->twist_hold_count;
    double(*place)[3] = NULL, *roll = NULL;
    cab_twist_hold *hold = NULL;
    float4 *twist = NULL, *own = NULL;
    cab_status status = CAB_NEW(place, m->node_count, error);
    if (status == CAB_OK) status = CAB_NEW(roll, holds, error);
    if (status == CAB_OK) status = CAB_NEW(hold, holds, error);
    if (status == CAB_OK) status = cab_rigid_twist_now(world, hold, error);
    if (status == CAB_OK) status = CAB_NEW(twist, holds, error);
    if (status == CAB_OK) status = cab_world_read(world, place[0], NULL, NULL, error);
    if (status == CAB_OK) status = cab_twist_read_rolls(world, roll, error);
    if (status == CAB_OK) status = CAB_NEW(own, m->director_link_count, error);
    if (status == CAB_OK) status = cab_director_read(world, &own->x, error);
    if (status == CAB_OK && m->twist_run_count > 0)
        status = cab_world_fetch(world, CAB_BUFFER_twist, 0, holds * sizeof *twist, twist, error);
    if (status == CAB_OK) {
        cab_directors d = {.model = m,
                           .place = (const double(*)[3])place,
                           .hold = hold,
                           .roll = roll,
                           .twist = twist,
                           .own = &own->x,
                           .director = (double(*)[3])director};
        set_all(&d);
    }
    CAB_FREE(place, roll, hold, twist, own);
    return status;
}

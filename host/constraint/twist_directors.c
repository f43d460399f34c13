/* The directors of cables: how their sections are rolled, for pictures. What is computed is in world.h, cab_world_read_directors(). */
#include <math.h>

#include "base/array.h"
#include "base/vec3.h"
#include "constraint/bending.h"
#include "constraint/director.h"
#include "constraint/director_runs.h"
#include "constraint/rigid_twist.h"
#include "constraint/twist.h"
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
    int cable, first, last;     /* the cable in hand, and its nodes */
    int run;                    /* those before it begin at holds that were passed */
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

/* The tangent of the segment that starts at a node. */
static cab_vec3 along(const cab_directors *d, int node)
{
    return cab_vec3_unit(cab_vec3_sub(get(d->place[node + 1]), get(d->place[node])));
}

/* The tangent at a node: halfway between those of its segments. A fold has none, and takes that of the second. */
static cab_vec3 tangent_at(const cab_directors *d, int node)
{
    if (node == d->first) return along(d, node);
    if (node == d->last) return along(d, node - 1);
    cab_vec3 after = along(d, node), sum = cab_vec3_add(along(d, node - 1), after);
    return cab_vec3_dot(sum, sum) < (double)CAB_TWIST_FOLD ? after : cab_vec3_unit(sum);
}

/* `tangent`: that of the director, beside the node */
static void put(cab_directors *d, int node, cab_vec3 director, cab_vec3 tangent)
{
    cab_vec3 at = tangent_at(d, node);
    set(d->director[node], cab_vec3_unit(cab_vec3_reject(cab_twist_carried(director, tangent, at), at)));
}

/* Carries a director from a node, where the tangent is `tangent`, to another one on either side without twisting, and gives it to the
 * nodes on the way and there. Returns it as it gets there; `tangent` is then that of the last segment. */
static cab_vec3 walk(cab_directors *d, int from, int to, cab_vec3 director, cab_vec3 *tangent)
{
    int step = to > from ? 1 : -1;
    for (int node = from; node != to; node += step) {
        cab_vec3 next = along(d, step > 0 ? node : node - 1);
        if (cab_vec3_dot(next, next) == 0) next = *tangent; /* it lies on a drum */
        director = cab_twist_carried(director, *tangent, next);
        *tangent = next;
        put(d, node + step, director, next);
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
    return walk(d, h->node, to, held(d, hold), tangent);
}

static double stiffness_at(const cab_directors *d, int node)
{
    return d->model->section[cab_bending_section(d->model, d->cable, node)].def.twisting_stiffness;
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
    cab_vec3 tangent, arrived = walk_from(d, run->start, to->node, &tangent);
    double phi = angle_of(d, run, cab_twist_carried(arrived, tangent, to->direction)), whole = 0, sum = 0;
    for (int node = from->node; node < to->node; node++)
        whole += cab_bending_rest(d->model, node) / stiffness_at(d, node);
    for (int node = from->node + 1; node < to->node; node++) {
        sum += cab_bending_rest(d->model, node - 1) / stiffness_at(d, node - 1);
        cab_vec3 now = cab_vec3_turned(get(d->director[node]), tangent_at(d, node), phi * sum / whole);
        set(d->director[node], now);
    }
}

/* Between two clamps with a segment that turns freely: up to it from the first one, after the last such from the second one. */
static void set_apart(cab_directors *d, int start, int end)
{
    const cab_twist_hold *from = &d->hold[start], *to = &d->hold[end];
    cab_vec3 tangent;
    int node = to->node;
    walk_from(d, start, to->node, &tangent);
    while (node - 1 > from->node && stiffness_at(d, node - 1) > 0) node--;
    walk_from(d, end, node, &tangent);
}

/* A cable that no clamp rolls: from its start, where the director as drawn follows the tangent. */
static void set_unheld(cab_directors *d)
{
    const cab_model *m = d->model;
    int node = d->first; /* the first that lies on no drum */
    while (node + 1 < d->last && cab_vec3_length(along(d, node)) == 0) node++;
    cab_vec3 a = m->place[m->node_particle[node]], b = m->place[m->node_particle[node + 1]];
    cab_vec3 drawn = cab_vec3_unit(cab_vec3_sub(b, a)), tangent = along(d, node);
    if (cab_vec3_length(drawn) == 0) drawn = tangent;
    cab_vec3 director = cab_twist_carried(cab_twist_across(drawn), drawn, tangent);
    put(d, d->first, director, tangent);
    walk(d, d->first, d->last, director, &tangent);
}

/* ---- cables ---- */

static bool resists(const cab_directors *d)
{
    for (int node = d->first; node < d->last; node++)
        if (stiffness_at(d, node) > 0) return true;
    return false;
}

/* The run that begins at a hold; NULL = none. Of one hold after the other. */
static const cab_twist_run *run_from(cab_directors *d, int start)
{
    const cab_model *m = d->model;
    while (d->run < m->twist_run_count && m->twist_run[d->run].start < start) d->run++;
    bool found = d->run < m->twist_run_count && m->twist_run[d->run].start == start;
    return found ? &m->twist_run[d->run] : NULL;
}

/* hold: the first of the cable or of a later one. Returns the first of a later cable. */
static int set_cable(cab_directors *d, int hold)
{
    const cab_model *m = d->model;
    const cab_twist_hold *holds = d->hold;
    cab_vec3 tangent;
    int last = -1, first = hold;
    for (; hold < m->twist_hold_count && holds[hold].cable == d->cable; hold++) {
        if (m->attachments[holds[hold].attachment].broken) continue;
        const cab_twist_run *run = last < 0 ? NULL : run_from(d, last);
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
    for (int k = first; k < hold; k++)
        if (!m->attachments[holds[k].attachment].broken) set(d->director[holds[k].node], held(d, k));
    return hold;
}

/* A cable that has a director for each segment: halfway between those of both at a node. */
static int set_own(cab_directors *d, const cab_director_cable *c, int hold)
{
    const cab_model *m = d->model;
    for (int node = d->first; node <= d->last; node++) {
        cab_vec3 sum = {0, 0, 0}, t = tangent_at(d, node);
        for (int k = node > d->first ? node - 1 : node; k <= node && k < d->last; k++) {
            const float *v = d->own + 4 * (size_t)(c->first_link + k - d->first);
            sum = cab_vec3_add(sum, (cab_vec3){(double)v[0], (double)v[1], (double)v[2]});
        }
        set(d->director[node], cab_vec3_unit(cab_vec3_reject(sum, t)));
    }
    for (; hold < m->twist_hold_count && d->hold[hold].cable == d->cable; hold++)
        if (!m->attachments[d->hold[hold].attachment].broken)
            set(d->director[d->hold[hold].node], held(d, hold));
    return hold;
}

static void set_all(cab_directors *d)
{
    const cab_model *m = d->model;
    int hold = 0;
    for (int i = 0; i < m->node_count; i++) set(d->director[i], (cab_vec3){0, 0, 0});
    for (int c = 0; c < m->cable_count; c++) {
        d->cable = c;
        d->first = m->bodies[c].first_node;
        d->last = d->first + m->bodies[c].node_count - 1;
        const cab_director_cable *own = cab_director_cable_of(m, c);
        if (own)
            hold = set_own(d, own, hold);
        else if (resists(d))
            hold = set_cable(d, hold);
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

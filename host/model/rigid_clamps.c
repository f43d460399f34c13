/* Clamps of cables on rigid bodies: in which ways a body goes along with what bends at them (cab_rigid_bent). */
#include <math.h>

#include "base/array.h"
#include "base/vec3.h"
#include "model/body_mass.h"
#include "model/branches_parts.h"
#include "model/rigid.h"

/* Clamps and ends of cables that are off a common line by less than this share of a right angle, or of the body's radius of gyration,
 * count as on it. */
#define ON_LINE 0.01

/* No direction of a body counts as thinner than this share of its size: the square root of a millionth of its second moment. */
#define THINNEST 1e-3

/* Work of one body. */
typedef struct cab_clamped {
    const cab_model *model;
    const cab_rigid_body *body;
    double second[3][3];  /* about the pivot, kg m^2 */
    double inertia[3][3]; /* of that */
    double size;          /* radius of gyration, m */
    cab_vec3 way[3];      /* an orthonormal basis of what counts: the first is along the first clamp */
    int ways;
} cab_clamped;

/* Takes a vector into the basis, unless it is on it. */
static void take(cab_clamped *c, cab_vec3 v)
{
    if (cab_rigid_def(c->model, c->body)->motion == CAB_BODY_HINGE) v = cab_vec3_reject(v, c->body->axis);
    for (int k = 0; k < c->ways; k++) v = cab_vec3_reject(v, c->way[k]);
    if (c->ways < 3 && cab_vec3_length(v) > ON_LINE) c->way[c->ways++] = cab_vec3_unit(v);
}

/* 1 over the largest q . I^-1 q of unit vectors q across u. */
static double least_inertia(const cab_clamped *c, cab_vec3 u)
{
    cab_vec3 x = cab_vec3_any_normal(u), y = cab_vec3_cross(u, x);
    cab_vec3 of_x = cab_body_spin((const double(*)[3])c->inertia, x),
             of_y = cab_body_spin((const double(*)[3])c->inertia, y);
    double xx = cab_vec3_dot(x, of_x), yy = cab_vec3_dot(y, of_y), xy = cab_vec3_dot(x, of_y);
    return 1 / ((xx + yy) / 2 + hypot((xx - yy) / 2, xy));
}

static void set_vector(cab_rigid_bent *bent, double dual[3][3], cab_vec3 direction, double radius)
{
    int k = bent->count++;
    cab_vec3 d = cab_vec3_scale(1 / radius, direction);
    cab_vec3_to_floats(cab_vec3_scale(radius, direction), bent->spread[k]);
    dual[k][0] = d.x, dual[k][1] = d.y, dual[k][2] = d.z;
}

/* All of the body's motion: S/m = L L^T, c_k the columns of L and d_k the rows of its inverse. */
static void set_all(const cab_clamped *c, cab_rigid_bent *bent, double dual[3][3])
{
    double l[3][3] = {{0}}, second[3][3], thin = THINNEST * c->size;
    for (int i = 0; i < 9; i++)
        second[i / 3][i % 3] = c->second[i / 3][i % 3] / c->body->mass + (i % 4 == 0 ? thin * thin : 0);
    cab_body_factorise((const double(*)[3])second, l);
    bent->count = 3;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) bent->spread[k][i] = (float)l[i][k];
        for (int j = 0; j <= k; j++) {
            double sum = j == k ? 1 : 0;
            for (int i = j; i < k; i++) sum -= l[k][i] * dual[i][j];
            dual[k][j] = sum / l[k][k];
        }
    }
}

/* What may be strained must not resist less than what may not, or a pass would go too far: of a body that turns about an axis both ways
 * across it have half of its inertia each, and where all clamps and ends are on one line, the one way along it has the least
 * inertia across it. Else the second moments. */
static void set_vectors(const cab_clamped *c, cab_rigid_bent *bent, double dual[3][3])
{
    cab_body_motion motion = cab_rigid_def(c->model, c->body)->motion;
    if (motion == CAB_BODY_HINGE) {
        double inertia = 1 / cab_rigid_turns_by(c->model, c->body, c->body->axis),
               radius = sqrt(inertia / (c->ways * c->body->mass));
        for (int k = 0; k < c->ways; k++) set_vector(bent, dual, c->way[k], radius);
    } else if (c->ways == 1) {
        set_vector(bent, dual, c->way[0], sqrt(least_inertia(c, c->way[0]) / c->body->mass));
    } else {
        set_all(c, bent, dual);
    }
}

static void add_clamp(const cab_model *m, cab_branches *b, int slot, const cab_model_attachment *a)
{
    int bending = cab_model_clamp_bending(m, a);
    cab_rigid_clamp *clamp = &b->rigid_clamp[b->rigid_clamp_count++];
    *clamp = (cab_rigid_clamp){.bending = bending, .target = m->bending[bending].target};
    cab_vec3_to_floats(a->direction, clamp->direction);
    for (int k = 0; k < b->rigid_bent[slot].count; k++) {
        const double *d = b->rigid_dual[slot][k];
        clamp->share[k] = (float)(d[0] * a->direction.x + d[1] * a->direction.y + d[2] * a->direction.z);
    }
    b->rigid_bent[slot].clamp_count++;
}

/* What is attached to a body, as a member of it. */
static const cab_model_attachment *attached(const cab_model *m, const cab_branches *b, int member)
{
    return &m->attachments[m->rigid_of[b->rigid_member[member].particle]];
}

static void add_body(const cab_model *m, cab_branches *b, int slot)
{
    const cab_rigid *r = &b->rigid[slot];
    cab_rigid_bent *bent = &b->rigid_bent[slot];
    cab_clamped c = {.model = m, .body = &m->rigid[r->body]};
    int first = r->member + CAB_RIGID_POINTS, end = r->member + r->member_count;
    cab_rigid_moments(c.body, c.second, c.inertia);
    c.size = sqrt((c.second[0][0] + c.second[1][1] + c.second[2][2]) / c.body->mass);
    for (int k = first; k < end; k++)
        if (cab_rigid_is_clamp(attached(m, b, k))) take(&c, attached(m, b, k)->direction);
    for (int k = first; k < end; k++) {
        cab_vec3 arm = cab_vec3_sub(m->place[b->rigid_member[k].particle], c.body->pivot);
        take(&c, cab_vec3_scale(1 / c.size, arm));
    }
    bent->moves = r->motion == CAB_RIGID_FREE;
    bent->clamp = b->rigid_clamp_count;
    if (c.ways > 0) set_vectors(&c, bent, b->rigid_dual[slot]);
    for (int k = first; k < end; k++)
        if (cab_rigid_is_clamp(attached(m, b, k))) add_clamp(m, b, slot, attached(m, b, k));
}

/* A slider does not turn: clamps on it hold a direction of space, and its ends are as heavy as others. */
cab_status cab_branches_add_clamps(const cab_model *m, cab_branches *b, cab_error *error)
{
    bool *clamped;
    int clamps = 0;
    cab_status status = CAB_NEW(clamped, m->rigid_count, error);
    if (status == CAB_OK) status = CAB_NEW(b->rigid_bent, m->rigid_count, error);
    if (status == CAB_OK) status = CAB_NEW(b->rigid_dual, m->rigid_count, error);
    for (int i = 0; status == CAB_OK && i < m->attachment_count; i++) {
        if (!cab_rigid_is_clamp(&m->attachments[i])) continue;
        clamped[m->attachments[i].rigid] = true;
        clamps++;
    }
    if (status == CAB_OK) status = CAB_NEW(b->rigid_clamp, clamps, error);
    for (int i = 0; status == CAB_OK && i < m->rigid_count; i++)
        if (clamped[b->rigid[i].body] && b->rigid[i].motion != CAB_RIGID_SLIDER) add_body(m, b, i);
    free(clamped);
    return status;
}

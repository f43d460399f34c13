#include "model/components.h"

#include "base/union.h"
#include "base/vec3.h"
#include "model/rigid.h"
#include "model/sockets.h"

static void number(const cab_model *m, int *parent, cab_components *c)
{
    for (int i = 0; i < m->particle_count; i++) {
        int root = cab_union_root(parent, i);
        bool spare = root == i && !(m->mass[i] > 0) && i > 0;
        c->of[i] = root == i && !spare ? c->count++ : c->of[spare ? 0 : root];
        c->start[c->of[i] + 1]++;
    }
    for (int k = 0; k < c->count; k++) c->start[k + 1] += c->start[k];
    int *next = parent; /* has done its work */
    for (int k = 0; k < c->count; k++) next[k] = c->start[k];
    for (int i = 0; i < m->particle_count; i++) c->particle[next[c->of[i]]++] = i;
}

/* A body that turns about a place stays within its shapes' reach of that. */
static bool stays(const cab_model *m, const cab_rigid_body *b)
{
    cab_body_motion motion = cab_rigid_def(m, b)->motion;
    return motion == CAB_BODY_HINGE || motion == CAB_BODY_BALL;
}

/* Could two bodies ever touch each other? Two that turn in their places only where these are near. */
static bool could_touch(const cab_model *m, const cab_rigid_body *a, const cab_rigid_body *b)
{
    if (cab_rigid_def(m, a)->group != cab_rigid_def(m, b)->group) return false;
    if (!stays(m, a) || !stays(m, b)) return true;
    return cab_vec3_distance(a->pivot, b->pivot) <=
           cab_rigid_extent(m, a, a->pivot) + cab_rigid_extent(m, b, b->pivot);
}

/* Bodies that could touch each other are one component: in what order they are eliminated then hangs on who is near whom, but what
 * belongs together does not. Of those that go anywhere each is joined to the first of its group. */
static void join_bodies(const cab_model *m, int *parent)
{
    for (int i = 0; i < m->rigid_count; i++) {
        const cab_rigid_body *a = &m->rigid[i];
        if (!cab_rigid_collides(m, a)) continue;
        for (int k = 0; k < i; k++) {
            const cab_rigid_body *b = &m->rigid[k];
            if (!cab_rigid_collides(m, b) || !could_touch(m, a, b)) continue;
            cab_union_join(parent, a->point, b->point);
            if (!stays(m, a) && !stays(m, b)) break; /* that one is joined to all others already */
        }
    }
}

/* A rigid body with what is attached to it, and with the cables that touch it. */
static void join_rigid(const cab_model *m, int *parent)
{
    for (int i = 0; i < m->rigid_pair_count; i++)
        cab_union_join(parent, m->rigid[m->rigid_pair[i][1]].point,
                       cab_rigid_pair_particle(m, m->rigid_pair[i]));
    for (int p = 0; m->rigid_count > 0 && p < m->particle_count; p++) {
        int body = cab_rigid_of_particle(m, p);
        if (body >= 0) cab_union_join(parent, m->rigid[body].point, p);
    }
    join_bodies(m, parent);
    for (int i = 0; i < m->socket_count; i++) {
        const int *body = m->socket[i].body;
        if (cab_socket_moves(m, body[0]) && cab_socket_moves(m, body[1]))
            cab_union_join(parent, m->rigid[body[0]].point, m->rigid[body[1]].point);
    }
}

/* With all cables that could ever touch it. */
static void join_group(const cab_model *m, int *parent)
{
    for (int i = 0; i < m->rigid_count; i++) {
        for (int c = 0; m->rigid[i].shape_count > 0 && c < m->cable_count; c++) {
            int p = m->node_particle[m->bodies[c].first_node];
            if (m->bodies[c].group == cab_rigid_def(m, &m->rigid[i])->group)
                cab_union_join(parent, m->rigid[i].point, p);
        }
    }
}

static cab_status find(const cab_model *m, bool could, cab_components *c, cab_error *error)
{
    int *parent;
    *c = (cab_components){0};
    cab_status status = CAB_NEW(parent, m->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(c->of, m->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(c->start, m->particle_count + 1, error);
    if (status == CAB_OK) status = CAB_NEW(c->particle, m->particle_count, error);
    if (status == CAB_OK) {
        for (int i = 0; i < m->particle_count; i++) parent[i] = i;
        for (int i = 0; i < m->segment_count; i++) cab_union_join(parent, m->distance[i].a, m->distance[i].b);
        join_rigid(m, parent);
        if (could) join_group(m, parent);
        number(m, parent, c);
    }
    free(parent);
    return status;
}

cab_status cab_components_find(const cab_model *m, cab_components *c, cab_error *error)
{
    return find(m, false, c, error);
}

cab_status cab_components_could(const cab_model *m, cab_components *c, cab_error *error)
{
    return find(m, true, c, error);
}

void cab_components_free(cab_components *c)
{
    CAB_FREE(c->of, c->start, c->particle);
    *c = (cab_components){0};
}

#include "model/components.h"

#include "base/union.h"
#include "model/rigid.h"

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

/* Bodies that could touch each other: each with the first of its group. */
static void join_bodies(const cab_model *m, int *parent)
{
    for (int i = 0; i < m->rigid_count; i++) {
        const cab_rigid_body *b = &m->rigid[i];
        int first = 0, group = cab_rigid_def(m, b)->group;
        if (!cab_rigid_collides(m, b)) continue;
        while (!cab_rigid_collides(m, &m->rigid[first]) || cab_rigid_def(m, &m->rigid[first])->group != group)
            first++;
        cab_union_join(parent, m->rigid[first].point, b->point);
    }
}

/* A rigid body with what is attached to it, and with all cables that could ever touch it. */
static void join_rigid(const cab_model *m, int *parent)
{
    for (int i = 0; i < m->rigid_count; i++) {
        for (int c = 0; m->rigid[i].shape_count > 0 && c < m->cable_count; c++) {
            int p = m->node_particle[m->bodies[c].first_node];
            if (m->bodies[c].group == cab_rigid_def(m, &m->rigid[i])->group)
                cab_union_join(parent, m->rigid[i].point, p);
        }
    }
    join_bodies(m, parent);
    for (int p = 0; p < m->particle_count; p++) {
        int body = cab_rigid_of_particle(m, p);
        if (body >= 0) cab_union_join(parent, m->rigid[body].point, p);
    }
}

cab_status cab_components_find(const cab_model *m, cab_components *c, cab_error *error)
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
        number(m, parent, c);
    }
    free(parent);
    return status;
}

void cab_components_free(cab_components *c)
{
    CAB_FREE(c->of, c->start, c->particle);
    *c = (cab_components){0};
}

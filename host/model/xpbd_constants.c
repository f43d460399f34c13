/* XPBD's constants of a cable in lanes; one order of time integration, laid down twice. */
#include "model/tiles.h"

#include <string.h>

static void fill(const cab_model *m, const cab_body *cable, int i, float *c)
{
    int p = cable->first_node + i; /* chains: node and particle are one */
    const cab_chain_node *n = &m->chain_node[p];
    const cab_vec3 g = m->settings.gravity;
    double h = cab_model_substep(m);
    bool moves = m->held[p] < 0 && m->mass[p] > 0;
    c[CAB_CONSTANT_STEP] = moves ? m->decay[p] : 1;
    if (moves) {
        const cab_vec3 f = cab_model_force_on(m, p);
        double w = 1 / m->mass[p];
        c[CAB_CONSTANT_WEIGHT] = (float)w;
        c[CAB_CONSTANT_STEP + 1] = 1;
        c[CAB_CONSTANT_FALL] = (float)(h * h * (g.x + w * f.x));
        c[CAB_CONSTANT_FALL + 1] = (float)(h * h * (g.y + w * f.y));
        c[CAB_CONSTANT_FALL + 2] = (float)(h * h * (g.z + w * f.z));
    }
    c[CAB_CONSTANT_REST] = n->rest;
    c[CAB_CONSTANT_COMPLIANCE] = n->compliance;
    c[CAB_CONSTANT_BEFORE] = n->ga;
    c[CAB_CONSTANT_AFTER] = n->gc;
    c[CAB_CONSTANT_STIFF_AFTER] = n->bending_compliance;
    if (n->target < 0) return;
    const float4 *t = &m->bending_target[n->target];
    c[CAB_CONSTANT_TARGET] = t->x;
    c[CAB_CONSTANT_TARGET + 1] = t->y;
    c[CAB_CONSTANT_TARGET + 2] = t->z;
}

void cab_xpbd_constants(const cab_model *model, int cable, float *out)
{
    const cab_body *c = &model->bodies[cable];
    size_t apart = (size_t)c->node_count * CAB_CONSTANTS;
    memset(out, 0, 2 * apart * sizeof *out);
    for (int i = 0; i < c->node_count; i++) fill(model, c, i, out + (size_t)i * CAB_CONSTANTS);
    memcpy(out + apart, out, apart * sizeof *out);
}

/* The direct method's constants of a cable: weights, prediction, the factor of h_s^2 (M/h_s^2 + K). */
#include "model/tiles.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "kernels/motion.h"
#include "model/drums.h"
#include "model/scene.h"

#define HELD_LENGTH                                                                                          \
    1e30 /* compliance of a segment between two held particles: its tension cannot be known                  \
          */

#define SLACK_LEAST 1e-6 /* less is what rounding makes of a cable as long as its span */
#define STRAIN_MOST 5e-5 /* in motion it is twice that, as much as CAB_LENGTH_ERROR */

/* The bending about particle i: stiffness times h_s^2 over its cell, kg m^2. */
static double stiffness_of(const cab_model *m, int i, double scale)
{
    const cab_chain_node *n = &m->chain_node[i];
    return n->bending_compliance > 0 ? scale / n->bending_compliance : 0;
}

/* tau/h_s of the bending about a particle. */
static double viscous_of(const cab_model *m, int i, double hs)
{
    return m->viscous_node ? m->viscous_node[i] / hs : 0;
}

static void add_bending(cab_band *band, int i, int count, double ga, double gc, double k)
{
    double g[3] = {ga, -(ga + gc), gc};
    for (int a = 0; a < 3; a++) {
        int row = i - 1 + a;
        if (row < 0 || row >= count) continue;
        band[row].diagonal += k * g[a] * g[a];
        if (a < 2 && row + 1 < count) band[row].next += k * g[a] * g[a + 1];
        if (a < 1 && row + 2 < count) band[row].after += k * g[a] * g[a + 2];
    }
}

/* A held particle does not bend away: its row and column are those of the unit matrix. */
static void hold(cab_band *band, int i)
{
    band[i] = (cab_band){.diagonal = 1};
    if (i > 0) band[i - 1].next = 0;
    if (i > 1) band[i - 2].after = 0;
}

static void factorise(cab_band *band, int count)
{
    for (int i = 0; i < count; i++) {
        cab_band *b = &band[i];
        if (i > 0) {
            const cab_band *p = &band[i - 1];
            b->diagonal -= p->next * p->next * p->diagonal;
            b->next -= p->next * p->after * p->diagonal;
        }
        if (i > 1) b->diagonal -= band[i - 2].after * band[i - 2].after * band[i - 2].diagonal;
        b->next /= b->diagonal;
        b->after /= b->diagonal;
    }
}

cab_vec3 cab_model_force_on(const cab_model *m, int particle)
{
    cab_vec3 sum = {0, 0, 0};
    int low = 0, high = m->loaded_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (m->load[m->load_start[middle]].particle < particle)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == m->loaded_count || m->load[m->load_start[low]].particle != particle) return sum;
    for (int k = m->load_start[low]; k < m->load_start[low + 1]; k++) {
        sum.x += m->load[k].x;
        sum.y += m->load[k].y;
        sum.z += m->load[k].z;
    }
    return sum;
}

/* What the prediction takes of the steps before, and what gravity and forces add. */
static void fill_motion(const cab_model *m, int p, double hs, int first_order, float *c)
{
    if (m->held[p] >= 0 || !(m->mass[p] > 0)) return;
    const cab_vec3 g = m->settings.gravity, f = cab_model_force_on(m, p);
    cab_bdf bdf = cab_bdf_of(first_order, (float)(m->damping[p] * cab_model_substep(m)));
    double s = bdf.slow, fall = hs * hs * s, w = 1 / m->mass[p];
    c[CAB_CONSTANT_WEIGHT] = (float)(w * s);
    c[CAB_CONSTANT_STEP] = bdf.c_0;
    c[CAB_CONSTANT_STEP + 1] = bdf.c_1;
    c[CAB_CONSTANT_STEP + 2] = bdf.c_2;
    c[CAB_CONSTANT_FALL] = (float)(fall * (g.x + w * f.x));
    c[CAB_CONSTANT_FALL + 1] = (float)(fall * (g.y + w * f.y));
    c[CAB_CONSTANT_FALL + 2] = (float)(fall * (g.z + w * f.z));
}

void cab_direct_motion(const cab_model *m, int particle, int first_order, float *c)
{
    double h = cab_model_substep(m);
    fill_motion(m, particle, first_order ? h : 2 * h / 3, first_order, c);
}

static double weight_of(const cab_model *m, int p)
{
    return m->held[p] < 0 && m->mass[p] > 0 ? 1 / m->mass[p] : 0;
}

double cab_direct_regularisation(const cab_model *m, int first_node, int count)
{
    int held = 0;
    const cab_drum *drum = cab_drum_among(m, first_node, count);
    for (int i = first_node; i < first_node + count; i++)
        held += weight_of(m, m->node_particle[i]) == 0 && !cab_drum_can_stow(m, drum, i);
    return held > 1 ? CAB_REGULARISATION : CAB_REGULARISATION_FREE;
}

/* By which share CAB_REGULARISATION lets the segments between two holds be too long: tension under gravity g is
 * mu g L^2/8f with the sag f = L sqrt(3/8 slack), and mass mu L/n. 0 where they are no longer than their span. In whole
 * substeps: whether a branch needs its tension's stiffness must not change with the pieces. */
static double strain_left(const cab_model *m, int first_node, int segments)
{
    double h = 2 * cab_model_substep(m) * m->pieces / 3, g = cab_vec3_length(m->settings.gravity);
    double rest = m->node_arc[first_node + segments] - m->node_arc[first_node];
    const cab_vec3 *a = &m->place[m->node_particle[first_node]],
                   *b = &m->place[m->node_particle[first_node + segments]];
    double span = cab_vec3_distance(*a, *b), slack = rest / span - 1;
    if (!(slack > SLACK_LEAST)) return 0;
    return 2 * (double)CAB_REGULARISATION * g * h * h * segments * segments /
           (8 * rest * sqrt(0.375 * slack));
}

bool cab_direct_is_straight(const cab_model *m, int first_node, int count)
{
    double worst = 0;
    for (int i = first_node, last = -1; i < first_node + count; i++) {
        if (weight_of(m, m->node_particle[i]) != 0) continue;
        if (last >= 0 && i > last + 1) worst = fmax(worst, strain_left(m, last, i - last));
        last = i;
    }
    return worst > STRAIN_MOST;
}

/* What hangs at the end of a pendulum pulls at the bottom with three times its weight. */
#define PENDULUM 3.0
#define HEAVY 20.0 /* times as heavy as the lightest particle */

bool cab_direct_pulls_hard(const cab_model *m, int first_node, int count, double heaviest, double times)
{
    double h = cab_model_substep(m) * m->pieces, g = cab_vec3_length(m->settings.gravity);
    double length = (m->node_arc[first_node + count - 1] - m->node_arc[first_node]) / (count - 1);
    double least = INFINITY;
    for (int i = first_node; i < first_node + count; i++) {
        double w = weight_of(m, m->node_particle[i]);
        if (w > 0) least = fmin(least, 1 / w);
    }
    return heaviest > HEAVY * least &&
           PENDULUM * g * heaviest * h * h > times * (double)CAB_STIFF_HARD * least * length;
}

/* A cable of many segments that hangs from a single hold is a load to itself: without its tension's stiffness 500 segments of
 * 1 m diverge at 20 substeps, 200 at 5, where this is 34 and 87; 100 do not at 5, where it is 22. */
#define OWN_WEIGHT 24.0

bool cab_direct_is_loaded(const cab_model *m, int first_node, int count)
{
    double heaviest = 0, all = 0;
    int held = 0;
    for (int i = first_node; i < first_node + count; i++) {
        double w = weight_of(m, m->node_particle[i]);
        if (w > 0) heaviest = fmax(heaviest, 1 / w), all += 1 / w;
        held += w == 0;
    }
    return cab_direct_pulls_hard(m, first_node, count, heaviest, 1) ||
           (held == 1 && cab_direct_pulls_hard(m, first_node, count, all, OWN_WEIGHT));
}

bool cab_direct_is_taut(const cab_model *m, const cab_body *cable)
{
    bool held =
        cab_direct_regularisation(m, cable->first_node, cable->node_count) == (double)CAB_REGULARISATION;
    return (held && (cable->node_count > CAB_LANES_LONG ||
                     cab_direct_is_straight(m, cable->first_node, cable->node_count))) ||
           cab_direct_is_loaded(m, cable->first_node, cable->node_count);
}

static void fill_segment(const cab_model *m, int node, double scale, double regularisation, float *c)
{
    const cab_chain_node *n = &m->chain_node[node];
    bool held = m->held[node] >= 0 && m->held[node + 1] >= 0;
    c[CAB_CONSTANT_REST] = n->rest;
    c[CAB_CONSTANT_COMPLIANCE] = held ? (float)HELD_LENGTH : (float)(n->compliance / scale);
    c[CAB_CONSTANT_DIAGONAL] =
        c[CAB_CONSTANT_COMPLIANCE] + (float)(regularisation * (weight_of(m, node) + weight_of(m, node + 1)));
}

static void fill_bending(const cab_model *m, int node, double k, double hs, float *c)
{
    const cab_chain_node *n = &m->chain_node[node];
    if (k == 0) return;
    c[CAB_CONSTANT_BEFORE] = n->ga;
    c[CAB_CONSTANT_AFTER] = n->gc;
    c[CAB_CONSTANT_STIFF_BEFORE] = (float)(k * n->ga);
    c[CAB_CONSTANT_STIFF_AFTER] = (float)(k * n->gc);
    c[CAB_CONSTANT_VISCOUS] = (float)(k * viscous_of(m, node, hs));
    if (n->target < 0) return;
    const float4 *t = &m->bending_target[n->target];
    c[CAB_CONSTANT_TARGET] = (float)(k * t->x);
    c[CAB_CONSTANT_TARGET + 1] = (float)(k * t->y);
    c[CAB_CONSTANT_TARGET + 2] = (float)(k * t->z);
}

void cab_direct_matrix(const cab_model *m, int cable, int first_order, cab_band *band)
{
    double h = cab_model_substep(m), hs = first_order ? h : 2 * h / 3, scale = hs * hs / (h * h);
    int first = m->bodies[cable].first_node, n = m->bodies[cable].node_count;
    memset(band, 0, (size_t)n * sizeof *band);
    for (int i = 0; i < n; i++) {
        int p = first + i; /* chains: node and particle are one */
        double k = stiffness_of(m, p, scale) * (1 + viscous_of(m, p, hs));
        band[i].diagonal += m->mass[p] * (1 + m->damping[p] * hs);
        if (k > 0) add_bending(band, i, n, m->chain_node[p].ga, m->chain_node[p].gc, k);
    }
    for (int i = 0; i < n; i++)
        if (m->held[first + i] >= 0 || !(m->mass[first + i] > 0)) hold(band, i);
}

static void fill_order(const cab_model *m, int cable, int first_order, cab_band *band, float *out)
{
    double h = cab_model_substep(m), hs = first_order ? h : 2 * h / 3, scale = hs * hs / (h * h);
    int n = m->bodies[cable].node_count;
    double regularisation = cab_direct_regularisation(m, m->bodies[cable].first_node, n);
    for (int i = 0; i < n; i++) {
        int p = m->bodies[cable].first_node + i;
        float *c = out + (size_t)i * CAB_CONSTANTS;
        fill_motion(m, p, hs, first_order, c);
        if (i + 1 < n) fill_segment(m, p, scale, regularisation, c);
        fill_bending(m, p, stiffness_of(m, p, scale), hs, c);
    }
    cab_direct_matrix(m, cable, first_order, band);
    factorise(band, n);
    for (int i = 0; i < n; i++) {
        float *c = out + (size_t)i * CAB_CONSTANTS;
        c[CAB_CONSTANT_BAND] = (float)band[i].next;
        c[CAB_CONSTANT_BAND + 1] = (float)band[i].after;
        c[CAB_CONSTANT_PIVOT] = c[CAB_CONSTANT_WEIGHT] > 0 ? (float)(1 / band[i].diagonal) : 0;
    }
}

cab_tile_kind cab_tile_kind_of(const cab_model *model, int cable)
{
    const cab_body *c = &model->bodies[cable];
    cab_tile_kind kind = CAB_TILE_LENGTHS;
    for (int i = c->first_node; i < c->first_node + c->node_count; i++) {
        const cab_chain_node *n = &model->chain_node[i];
        if (kind == CAB_TILE_LENGTHS && (n->ga != 0 || n->gc != 0)) kind = CAB_TILE_BENDING;
        if (n->target >= 0) kind = CAB_TILE_MIXED;
    }
    return kind;
}

cab_status cab_direct_constants(const cab_model *model, int cable, float *out, cab_error *error)
{
    const cab_body *c = &model->bodies[cable];
    cab_band *band;
    cab_status status = CAB_NEW(band, c->node_count, error);
    if (status != CAB_OK) return status;
    size_t apart = (size_t)c->node_count * CAB_CONSTANTS;
    memset(out, 0, 2 * apart * sizeof *out);
    for (int order = 0; order < 2; order++)
        fill_order(model, cable, order, band, out + (size_t)order * apart);
    free(band);
    return CAB_OK;
}

/* Particles that count as heavier where the direct method cannot meet lengths: factors at the start. */
#include "carrier/direct_slow.h"

#include <math.h>

#include "world/device.h"

static double weight_of(const cab_model *m, int particle)
{
    return m->held[particle] < 0 && m->mass[particle] > 0 ? 1 / m->mass[particle] : 0;
}

static double length_between(const float4 *a, const float4 *b)
{
    return sqrt(pow(b->x - a->x, 2) + pow(b->y - a->y, 2) + pow(b->z - a->z, 2));
}

/* Is the cable held at both ends, further apart than it is long? */
static bool is_drawn_apart(const cab_model *m, const cab_body *cable, const float4 *x)
{
    int first = cable->first_node, last = first + cable->node_count - 1;
    int a = m->node_particle[first], b = m->node_particle[last];
    if (m->held[a] < 0 || m->held[b] < 0) return false;
    return length_between(&x[a], &x[b]) > (1 + CAB_LENGTH_ERROR) * m->node_arc[last];
}

/* Estimates lambda/l of the first pass in such a cable: by how much a segment is too long, over what the
 * regularisation leaves of the pivots. An entry per node, for the segment that starts there. */
static void expect_pulls(const cab_model *m, const float4 *x, float *pull)
{
    for (int c = 0; c < m->cable_count; c++) {
        const cab_body *cable = &m->bodies[c];
        if (!is_drawn_apart(m, cable, x)) continue;
        for (int k = cable->first_node; k + 1 < cable->first_node + cable->node_count; k++) {
            int a = m->node_particle[k], b = m->node_particle[k + 1];
            double rest = m->node_arc[k + 1] - m->node_arc[k], w = weight_of(m, a) + weight_of(m, b);
            double strain = length_between(&x[a], &x[b]) / rest - 1;
            bool rigid = m->distance[m->node_segment[k]].compliance < CAB_REGULARISATION * w;
            if (rigid && strain > 0) pull[k] = (float)(strain / (CAB_REGULARISATION * w));
        }
    }
}

/* The factors as they are on the device, where `which` leaves them; as they are given elsewhere. */
static cab_status keep_slow(cab_world *world, const bool *which, float *slow, float4 *branch_slow,
                            cab_error *error)
{
    const cab_model *m = world->model;
    const cab_branches *b = &world->staged.branches;
    size_t nodes = (size_t)m->node_count, branches = (size_t)b->branch_count;
    float *old;
    float4 *old_branch = NULL;
    cab_status status = CAB_NEW(old, nodes, error);
    if (status == CAB_OK) status = CAB_NEW(old_branch, branches, error);
    if (status == CAB_OK)
        status = cab_world_fetch(world, CAB_BUFFER_slow, 0, nodes * sizeof *old, old, error);
    if (status == CAB_OK)
        status = cab_world_fetch(world, CAB_BUFFER_branch_slow, 0, branches * sizeof *old_branch, old_branch,
                                 error);
    for (size_t k = 0; status == CAB_OK && k < nodes; k++) {
        if (!which[b->component[m->node_particle[k]]]) slow[k] = old[k];
    }
    for (size_t i = 0; status == CAB_OK && i < branches; i++) {
        if (!which[b->branch[i].component]) branch_slow[i] = old_branch[i];
    }
    free(old);
    free(old_branch);
    return status;
}

static cab_status upload_slow(cab_world *world, const float *pull, const bool *which, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_branches *b = &world->staged.branches;
    float *slow;
    float4 *branch_slow = NULL;
    cab_status status = CAB_NEW(slow, m->node_count, error);
    if (status == CAB_OK) status = CAB_NEW(branch_slow, b->branch_count, error);
    for (int k = 0; status == CAB_OK && k < m->node_count; k++) {
        double w = weight_of(m, m->node_particle[k]);
        double pulls = w * (pull[k] + (k > 0 ? pull[k - 1] : 0)); /* a cable's last node has no pull */
        slow[k] = pulls > 1 ? (float)(1 / pulls) : 1;
    }
    for (int i = 0; status == CAB_OK && i < b->branch_count; i++) {
        int first = b->branch[i].first, last = first + b->branch[i].count - 1;
        float start = pull[first], end = last > first ? pull[last - 1] : 0;
        branch_slow[i] = (float4){start, end, start > 0 || end > 0, 0};
    }
    if (status == CAB_OK && which) status = keep_slow(world, which, slow, branch_slow, error);
    if (status == CAB_OK)
        status = cab_world_upload_kept(world, "slow", CAB_BUFFER_slow, slow, (size_t)m->node_count,
                                       sizeof *slow, error);
    if (status == CAB_OK && b->branch_count > 0)
        status = cab_world_upload_kept(world, "branch", CAB_BUFFER_branch_slow, branch_slow,
                                       (size_t)b->branch_count, sizeof *branch_slow, error);
    free(slow);
    free(branch_slow);
    return status;
}

/* Only cables whose ends are too far apart start with factors: they have no substep before from which to
 * learn, and the first one would throw particles around. */
cab_status cab_direct_reset_slow(cab_world *world, const bool *which, cab_error *error)
{
    const cab_model *m = world->model;
    float4 *x;
    float *pull = NULL;
    cab_status status = cab_world_read_particles(world, CAB_BUFFER_position, &x, error);
    if (status == CAB_OK) status = CAB_NEW(pull, m->node_count, error);
    if (status == CAB_OK) {
        expect_pulls(m, x, pull);
        status = upload_slow(world, pull, which, error);
    }
    free(x);
    free(pull);
    return status;
}

/* The tables of a branch that a drum pays out and reels in. Rest lengths and masses change beside the drum only; the factor of the
 * bending goes from a branch's start to its end, so behind them all of it does. */
#include "model/branches_parts.h"

#include "model/drums.h"

/* The branch in which the node is. */
static const cab_branch *branch_of(const cab_branches *b, int node)
{
    int low = 0, high = b->branch_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (b->branch[middle].first <= node)
            low = middle;
        else
            high = middle - 1;
    }
    return &b->branch[low];
}

/* A node next to a junction at the branch's start is inside of it; the junction itself has no weight of its own. */
static void fill_node(const cab_model *m, cab_branches *b, const cab_branch *branch, double regularisation,
                      int node)
{
    int last = branch->first + branch->count - 1;
    bool junction = (node == branch->first && branch->start >= 0) || (node == last && branch->end >= 0);
    if (node < last && m->node_segment[node] >= 0)
        cab_branches_fill_segment(m, regularisation, &b->node[node]);
    for (int order = 0; order < 2 && !junction; order++) {
        double mass = cab_branches_mass(m, m->node_particle[node], order);
        b->factor[(size_t)order * (size_t)m->node_count + (size_t)node].weight =
            mass > 0 ? (float)(1 / mass) : 0;
    }
}

static bool bends(const cab_model *m, const cab_branches *b, const cab_branch *branch)
{
    for (int k = branch->first; k < branch->first + branch->count; k++) {
        int p = m->node_particle[k];
        if (b->bend_start[p + 1] > b->bend_start[p]) return true;
    }
    return false;
}

cab_status cab_branches_feed(const cab_model *m, cab_branches *b, const cab_drum *drum, bool whole,
                             cab_branches_change *change, cab_error *error)
{
    const cab_branch *branch = branch_of(b, cab_drum_node_at(m, drum, 0));
    int end = branch->first + branch->count;
    int near = cab_drum_node_at(m, drum, drum->free - 2), far = cab_drum_node_at(m, drum, drum->free + 2);
    int from = near < far ? near : far, to = (near < far ? far : near) + 1;
    if (whole || from < branch->first) from = branch->first;
    if (whole || to > end) to = end;
    double regularisation = cab_branches_regularisation(m, b, branch);
    for (int node = from; node < to; node++) fill_node(m, b, branch, regularisation, node);
    *change = (cab_branches_change){from, to - from, from, to - from, false};
    if (!bends(m, b, branch)) return CAB_OK;
    change->first_factor = branch->first;
    change->factor_count = branch->count;
    if (cab_branches_is_alone(b, branch)) return cab_branches_factor_alone(m, b, branch, error);
    change->first_factor = 0;
    change->factor_count = m->node_count;
    change->separators = true;
    return cab_branches_factor_bending(m, b, error);
}

#include "model/drums.h"

int cab_drum_node_at(const cab_model *m, const cab_drum *drum, int k)
{
    const cab_body *cable = &m->bodies[drum->cable];
    return drum->at_end ? cable->first_node + cable->node_count - 1 - k : cable->first_node + k;
}

const cab_drum *cab_drum_among(const cab_model *m, int first_node, int count)
{
    for (int f = 0; f < m->drum_count; f++) {
        int node = cab_drum_node_at(m, &m->drum[f], 0);
        if (node >= first_node && node < first_node + count) return &m->drum[f];
    }
    return NULL;
}

bool cab_drum_can_stow(const cab_model *m, const cab_drum *drum, int node)
{
    if (!drum) return false;
    int own = cab_drum_node_at(m, drum, 0), k = drum->at_end ? own - node : node - own;
    return k > 0 && k < drum->count;
}

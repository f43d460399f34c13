/* Couples of a static problem: M on a segment of direction t and length l is the pair of forces +-(M x t)/l, see kernels/loads.h. They turn with
 * the segment, so they have no energy, and no stiffness here: steps go on until they turn no more. */
#include "base/vec3.h"
#include "statics/parts.h"

int cab_couples_count(const cab_statics *s)
{
    int count = 0;
    for (int k = 0; k < s->model->load_count; k++) count += s->model->load[k].far >= 0;
    return count;
}

cab_term *cab_couples_act(const cab_statics *s, cab_term *term)
{
    for (int k = 0; k < s->model->load_count; k++) {
        const cab_load_force *load = &s->model->load[k];
        if (load->far < 0) continue;
        cab_vec3 moment = s->setup.load[k];
        cab_vec3 along = cab_vec3_unit(cab_vec3_sub(s->x[load->far], s->x[load->particle]));
        /* from the segment's first particle to its second */
        if (load->lever > 0) along = cab_vec3_scale(-1, along);
        *term = (cab_term){.at = {{load->particle}, {1}, 1}};
        term->force = term->resting = cab_vec3_scale((double)load->lever, cab_vec3_cross(moment, along));
        term++;
    }
    return term;
}

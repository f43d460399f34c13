/* The initial projection from the inside: particles, links and their neighbourhood. */
#ifndef CAB_NET_H
#define CAB_NET_H

#include "model/curve.h"

/* A relative length error that counts as none. */
#define CAB_LENGTH_TOLERANCE 1e-10

typedef struct cab_net {
    cab_vec3 *position;         /* m */
    const double *inverse_mass; /* 1/kg; 0 = held */
    int particle_count;
    const cab_link *links;
    int link_count;
    cab_vec3 down; /* unit, or 0 */
    int *first;    /* links at particle i: incident[first[i]] to incident[first[i + 1] - 1], in order */
    int *incident;
    int *link_slot;     /* a link's place in its component */
    int *particle_slot; /* a free particle's place in its component; -1 before it has one */
} cab_net;

/* Links that move together: joined by free particles. */
typedef struct cab_component {
    const cab_net *net;
    const int *links; /* indices into net->links */
    int link_count;
} cab_component;

static inline bool cab_net_free(const cab_net *net, int particle)
{
    return net->inverse_mass[particle] > 0;
}

static inline int cab_net_degree(const cab_net *net, int particle)
{
    return net->first[particle + 1] - net->first[particle];
}

/* Runs of links between two places that stay (held; junctions too when `junctions`) and that lie straight
 * although they are longer than the distance are laid on a circular arc towards `down`; with no junctions,
 * those shorter than the distance are laid taut. *changed tells how many. */
cab_status cab_bow_runs(const cab_component *component, bool junctions, int *changed, cab_error *error);

/* Newton on the lengths of one component. *worst is the largest relative error that is left. */
cab_status cab_newton_lengths(const cab_component *component, double *worst, cab_error *error);

#endif

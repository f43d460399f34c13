/* Clusters: cables that touch each other where one of them pulls hard (kernels/cluster.cl). A part of the carrier staged. */
#ifndef CAB_CLUSTER_H
#define CAB_CLUSTER_H

#include "world/world.h"

cab_status cab_cluster_start(cab_world *world, cab_error *error);

/* Before components are chosen: finds the clusters of a substep. Sets world->staged.clusters. pairs: segments may touch each
 * other. */
cab_status cab_cluster_find(cab_world *world, bool pairs, cab_error *error);

/* After components have settled: clusters take part in a pass as a whole. */
cab_status cab_cluster_agree(cab_world *world, cab_error *error);

/* After a Newton pass: impulses, and what they move. */
cab_status cab_cluster_solve(cab_world *world, cab_error *error);

#endif

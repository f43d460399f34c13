/* A world's state at one moment, read back for a writer. */
#ifndef CAB_SNAPSHOT_H
#define CAB_SNAPSHOT_H

#include <stdbool.h>

#include <clcable/world.h>

#include "io/body_faces.h"

typedef struct cab_snapshot {
    cab_world *world;
    cab_world_info info;
    double *position; /* [nodes][3] m */
    double *velocity; /* [nodes][3] m/s */
    double *tension;  /* [nodes] N */
    double *torque;   /* [nodes] N m; NULL where nothing can twist (info.twists) */
    float *curvature; /* [nodes] 1/m; this and the next as <clcable/draw.h> has them */
    float *contact;   /* [nodes] N */
} cab_snapshot;

/* Position, velocity, tension and torque; the others stay NULL. */
cab_status cab_snapshot_take(cab_world *world, cab_snapshot *snapshot, cab_error *error);
/* All of it. */
cab_status cab_snapshot_take_all(cab_world *world, cab_snapshot *snapshot, cab_error *error);
/* Adds the points of bodies' faces, as bodies are now, behind the nodes, with their velocities and zeros for all else; info.nodes counts
 * them, too. After cab_snapshot_take_all(). */
cab_status cab_snapshot_add_bodies(cab_snapshot *snapshot, const cab_body_faces *faces, cab_error *error);
void cab_snapshot_free(cab_snapshot *snapshot);

/* A cable or a sheet, as writers see both. */
typedef struct cab_body {
    char name[256];
    int first_node, node_count;
    int first_cell, cell_count; /* of a cable 0, 0 */
    double radius;              /* of its material, m */
    bool is_sheet;
} cab_body;

/* index: 0 to cables + sheets - 1, cables first. */
cab_body cab_snapshot_body(const cab_snapshot *snapshot, int index);
static inline int cab_snapshot_bodies(const cab_snapshot *snapshot)
{
    return snapshot->info.cables + snapshot->info.sheets;
}

/* Calls `put` for each node of a body, from its first, with its radius, m: of the run of a cable's segments
 * that begins there, at a cable's end of the last one. */
void cab_snapshot_radii(const cab_snapshot *snapshot, int index,
                        void (*put)(void *user, int node, double radius), void *user);

/* Corners of a cell of cab_world_get_cells(): 2 of a stick, 3 or 4 of a face. */
static inline int cab_cell_corners(const int cell[4])
{
    return cell[2] < 0 ? 2 : cell[3] < 0 ? 3 : 4;
}

#endif

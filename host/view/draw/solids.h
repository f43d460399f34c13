/* Draws colliders where they are: spheres, capsules, boxes, meshes, and planes that are not the ground. */
#ifndef CAB_SOLIDS_H
#define CAB_SOLIDS_H

#include <stdbool.h>

#include <cglm/types.h>

#include <clcable/clcable.h>

#include "view/camera/camera.h"
#include "view/gl/gl.h"

/* What has an end. */
typedef struct cab_solid {
    int collider;     /* index in the scene */
    int first, count; /* indices */
    cab_bounds local; /* about its own point */
    vec3 point;       /* that it turns about, m */
    mat4 place;       /* now: from about its own point into the world */
} cab_solid;

/* What has none. */
typedef struct cab_plane {
    int collider;
    vec3 point, normal;
    vec3 now; /* point of the plane */
} cab_plane;

typedef struct cab_solids {
    GLuint programs[CAB_PASS_COUNT], array, vertices, indices;
    GLint place[CAB_PASS_COUNT]; /* uniform */
    GLuint plane_program, plane_array;
    GLint plane_middle, plane_axes, plane_grid, plane_colour, plane_other_count, plane_others; /* uniforms */
    cab_solid *solids;
    cab_plane *planes; /* the tilted ones first, then those that lie level, face up: floors */
    int solid_count, plane_count, tilted_count;
} cab_solids;

/* The programs; the other calls need them. */
cab_status cab_solids_create(cab_solids *solids, cab_error *error);
cab_status cab_solids_load(cab_solids *solids, const cab_scene *scene, cab_error *error);
/* To where they are now. Adds what has an end to the bounds. */
void cab_solids_update(cab_solids *solids, const cab_world *world, cab_bounds *bounds);
/* The highest floor, m. False when there is none. */
bool cab_solids_floor(const cab_solids *solids, float *height);
void cab_solids_draw(const cab_solids *solids, cab_pass pass);
/* Tilted planes about `bounds`, with lines `step` m apart; last, since their edges are
 * seen through. */
void cab_solids_draw_planes(const cab_solids *solids, const cab_bounds *bounds, float step, bool lines,
                            bool dark);
void cab_solids_free(cab_solids *solids);

#endif

/* Draws colliders and bodies: spheres, capsules, boxes, cylinders, sheaves, meshes, and planes that are not the ground. */
#ifndef CAB_SOLIDS_H
#define CAB_SOLIDS_H

#include <stdbool.h>

#include <cglm/types.h>

#include <clcable/clcable.h>

#include "view/camera/framing.h"
#include "view/draw/look.h"
#include "view/gl/gl.h"
#include "view/shapes/surface.h"

/* A collider of finite size, or a body. */
typedef struct cab_solid {
    int collider;     /* index in the scene; -1 = a body */
    int body;         /* index among those of the world; -1 = a collider */
    bool moves;       /* a body that forces move */
    int first, count; /* indices */
    cab_bounds local; /* in its own coordinates */
    vec3 point;       /* the origin of its own coordinates at the start, about which it turns; m */
    mat4 place;       /* from its own coordinates into the world, now */
} cab_solid;

/* A plane, which is infinite. */
typedef struct cab_plane {
    int collider;
    vec3 point, normal;
    vec3 now; /* the plane's point where it is now, m */
} cab_plane;

typedef struct cab_solids {
    GLuint programs[CAB_PASS_COUNT], array, vertices, indices;
    GLuint plane_program, plane_array;
    cab_solid *solids;
    cab_plane *planes; /* the tilted ones first, then floors: level and facing up */
    int solid_count, plane_count, tilted_count;
    cab_surface surface;        /* what the buffers hold */
    cab_body_reading *readings; /* [body_count] where bodies are */
    int body_count;
} cab_solids;

/* Makes the programs. To be called before the others. */
cab_status cab_solids_create(cab_solids *solids, cab_error *error);
cab_status cab_solids_load(cab_solids *solids, const cab_scene *scene, const cab_world *world,
                           cab_error *error);
/* Moves them to where they are now. Adds everything but planes to the bounds. */
cab_status cab_solids_update(cab_solids *solids, cab_world *world, cab_bounds *bounds, cab_error *error);
/* Adds what lies in `zone` to a fit: all of a solid that is no larger than the zone, of a larger one what is inside. */
void cab_solids_take_in(const cab_solids *solids, const cab_bounds *zone, cab_framing *fit);
/* A place of a solid that a ray hits. */
typedef struct cab_solid_hit {
    const cab_solid *solid; /* NULL = it hits none */
    vec3 at;                /* in the solid's own coordinates, m */
    vec3 point;             /* where that is now, m */
    float distance;         /* along the ray, m */
} cab_solid_hit;

/* The nearest solid that a ray hits; planes are none. direction: a unit vector */
cab_solid_hit cab_solids_pick(const cab_solids *solids, const vec3 origin, const vec3 direction);
/* Where a place of a body, in its own axes, is now; false where the body has no shape. */
bool cab_solids_place(const cab_solids *solids, int body, const vec3 at, vec3 point);
/* The height of the highest floor, m; false when there is none. */
bool cab_solids_floor(const cab_solids *solids, float *height);
void cab_solids_draw(const cab_solids *solids, cab_pass pass);
/* Draws tilted planes around `bounds`, with lines `step` m apart where the look has a grid. Their edges fade
 * out, so they come after everything that could be behind them. */
void cab_solids_draw_planes(const cab_solids *solids, const cab_bounds *bounds, float step,
                            const cab_look *look);
void cab_solids_free(cab_solids *solids);

#endif

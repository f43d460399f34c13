/* Triangles with normals in memory: the shapes of colliders, bodies and marks, made before OpenGL gets them. */
#ifndef CAB_SURFACE_H
#define CAB_SURFACE_H

#include <stdint.h>

#include <clcable/scene.h>

typedef struct cab_surface_vertex {
    float place[3];  /* m; of a mark in multiples of half its width */
    float normal[3]; /* a unit vector, outwards */
    float along; /* of a mark: the part of its length, 0 to 1, by which the vertex is moved along the axis */
} cab_surface_vertex;

typedef struct cab_surface {
    cab_surface_vertex *vertices;
    uint32_t *indices; /* three a triangle, counter-clockwise seen from outside */
    int vertex_count, index_count;
    int vertex_room, index_room;
} cab_surface;

/* A point of a profile, which is turned about the z axis. */
typedef struct cab_profile {
    float radius, height, normal_radius, normal_height; /* m; the normal is a unit vector */
    float along;                                        /* as in the vertex */
} cab_profile;

/* Each of these adds a shape after what is there. CAB_ERROR_MEMORY leaves the surface as it was. */

/* The profile turned about z by `angle` rad in `sides` steps. For a hard edge a point is there twice. */
cab_status cab_surface_add_lathe(cab_surface *surface, const cab_profile *profile, int count, int sides,
                                 float angle, cab_error *error);
/* About the origin. */
cab_status cab_surface_add_ball(cab_surface *surface, float radius, int sides, cab_error *error);
/* From the origin to `to`. */
cab_status cab_surface_add_capsule(cab_surface *surface, const float to[3], float radius, int sides,
                                   cab_error *error);
/* With flat ends, from the origin to `to`, which is not the origin. Its edges are cut off by `bevel`, and shaded as if they were round. */
cab_status cab_surface_add_cylinder(cab_surface *surface, const float to[3], float radius, float bevel,
                                    int sides, cab_error *error);
/* About the origin. Its edges are cut off by `bevel`, and shaded as if they were round. */
cab_status cab_surface_add_box(cab_surface *surface, const float half[3], float bevel, cab_error *error);
/* The mesh, enlarged by `scale`. Faces that meet at less than `crease` rad are shaded as one surface. */
cab_status cab_surface_add_mesh(cab_surface *surface, const cab_mesh *mesh, double scale, double crease,
                                cab_error *error);

/* Turns all vertices from `first` on by a rotation matrix (its rows), then moves them by `shift`. */
void cab_surface_place(cab_surface *surface, int first, const float turn[3][3], const float shift[3]);

void cab_surface_free(cab_surface *surface);

#endif

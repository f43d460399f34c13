/* Meshes for tests of surfaces. Include cmocka first. */
#ifndef CAB_TESTS_CUBE_H
#define CAB_TESTS_CUBE_H

#include <stdlib.h>

#include <clcable/scene.h>

/* The triangles of a mesh, corner by corner, its vertices repeated as in an STL file. */
static inline cab_mesh repeated(const cab_vec3 *vertices, const int *triangles, int triangle_count)
{
    cab_mesh mesh = {.vertices = malloc(3 * (size_t)triangle_count * sizeof *mesh.vertices),
                     .triangles = malloc(3 * (size_t)triangle_count * sizeof *mesh.triangles),
                     .vertex_count = 3 * triangle_count,
                     .triangle_count = triangle_count};
    assert_non_null(mesh.vertices);
    assert_non_null(mesh.triangles);
    for (int i = 0; i < 3 * triangle_count; i++) {
        mesh.vertices[i] = vertices[triangles[i]];
        mesh.triangles[i] = i;
    }
    return mesh;
}

static const cab_vec3 cube[8] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                 {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const int cube_triangles[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                       2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

#endif

/* Draws marks: one drawable, a shape at a time, an instance a mark. */
#ifndef CAB_MARKS_H
#define CAB_MARKS_H

#include <stdbool.h>

#include <glad/gl.h>

#include "view/camera/camera.h"
#include "view/camera/fit.h"
#include "view/shapes/mark_list.h"
#include "view/shapes/surface.h"

typedef struct cab_marks {
    GLuint program, array, vertices, indices, instances;
    GLint facing, dark; /* uniforms */
    struct {
        int first, count; /* indices */
    } shapes[CAB_MARK_COUNT];
    cab_mark_list list;
    float size; /* of the scene when it was first seen, m; 0 = not yet */
} cab_marks;

/* The program and the shapes; the other calls need them. */
cab_status cab_marks_create(cab_marks *marks, cab_error *error);
cab_status cab_marks_load(cab_marks *marks, const cab_scene *scene, const cab_world *world, cab_error *error);
/* As they are now. rows: of the nodes. Adds the marks to the bounds, which hold all else. */
cab_status cab_marks_update(cab_marks *marks, const cab_scene *scene, const cab_world *world,
                            const float (*rows)[4], cab_bounds *bounds, cab_error *error);
/* Takes in the marks of the last update, but for the ways of targets. */
void cab_marks_take_in(const cab_marks *marks, const float (*rows)[4], cab_fit *fit);
/* Rows are on texture unit 0. dark: the background is. */
void cab_marks_draw(const cab_marks *marks, bool dark);
void cab_marks_free(cab_marks *marks);

#endif

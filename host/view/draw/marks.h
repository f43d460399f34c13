/* Draws marks (mark_list.h): one call for each shape, with an instance for each mark. */
#ifndef CAB_MARKS_H
#define CAB_MARKS_H

#include <stdbool.h>

#include <glad/gl.h>

#include "view/camera/camera.h"
#include "view/camera/framing.h"
#include "view/shapes/mark_list.h"
#include "view/shapes/surface.h"

typedef struct cab_marks {
    GLuint program, array, vertices, indices, instances;
    struct {
        int first, count; /* indices */
    } shapes[CAB_MARK_COUNT];
    cab_mark_list list;
    float size; /* of the scene in its first frame, m; 0 = not known yet */
} cab_marks;

/* Makes the program and the shapes. To be called before the others. */
cab_status cab_marks_create(cab_marks *marks, cab_error *error);
cab_status cab_marks_load(cab_marks *marks, const cab_scene *scene, const cab_world *world, cab_error *error);
/* Makes the marks of the world's current state.
 *
 * @param rows    of the nodes
 * @param bounds  of everything else; the marks are added */
cab_status cab_marks_update(cab_marks *marks, const cab_scene *scene, const cab_world *world,
                            const float (*rows)[4], cab_bounds *bounds, cab_error *error);
/* Adds the marks of the last update to a fit, without the rods, which may lead far away, and without those that are
 * outside of `zone`, unless that is NULL. */
void cab_marks_take_in(const cab_marks *marks, const float (*rows)[4], const cab_bounds *zone,
                       cab_framing *fit);
/* Rows are bound to CAB_UNIT_ROWS. `dark`: the background is. */
void cab_marks_draw(const cab_marks *marks, bool dark);
void cab_marks_free(cab_marks *marks);

#endif

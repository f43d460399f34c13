/* Wavefront OBJ: points, polygons, lines. Textures, normals, groups and materials do not matter here and are
 * passed over; free-form surfaces are refused. */
#ifndef CAB_OBJ_H
#define CAB_OBJ_H

#include <limits.h>
#include <stddef.h>

#include <clcable/scene.h>

#define CAB_OBJ_ANY_CORNERS INT_MAX

typedef struct cab_obj {
    cab_vec3 *point;
    int *corner;     /* numbers of points, from 0, face by face */
    int *face_end;   /* [face_count]: where in `corner` the next face begins */
    int (*stick)[2]; /* from lines, piece by piece */
    int point_count, corner_count, face_count, stick_count;
} cab_obj;

/* Reads a text that need not end with a zero. corners_max: 3 or more; a face of more is refused. `file` is
 * for messages. Free with cab_obj_free, whatever the status: CAB_ERROR_MEMORY, or CAB_ERROR_INPUT with a
 * message that names the line. */
cab_status cab_obj_parse(const char *file, const char *text, size_t size, int corners_max, cab_obj *obj,
                         cab_error *error);
void cab_obj_free(cab_obj *obj);

#endif

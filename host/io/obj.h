/* Wavefront OBJ: points, faces of three or four corners, lines. Everything else of it is passed over. */
#ifndef CAB_OBJ_H
#define CAB_OBJ_H

#include <clcable/scene.h>

typedef struct cab_obj {
    cab_vec3 *point;
    int *face;  /* [face_count][4]; the last of a triangle is -1 */
    int *stick; /* [stick_count][2] from lines */
    int point_count, face_count, stick_count;
} cab_obj;

/* Reads a file; free with cab_obj_free, whatever the status. CAB_ERROR_IO, CAB_ERROR_MEMORY, or
 * CAB_ERROR_INPUT; messages name the file, and the line where one is at fault. */
cab_status cab_obj_read(const char *path, cab_obj *obj, cab_error *error);
void cab_obj_free(cab_obj *obj);

#endif

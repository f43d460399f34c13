/* The shapes of a world's rigid bodies as triangles, for formats of points and faces. */
#ifndef CAB_BODY_FACES_H
#define CAB_BODY_FACES_H

#include <clcable/world.h>

typedef struct cab_body_faces {
    int points, faces;
    cab_vec3 *point; /* [points] in the axes of its body, m */
    int *point_body; /* [points] as cab_world_get_bodies() counts them; they grow */
    int *corner;     /* [faces][3] counter-clockwise seen from outside */
    int *face_body;  /* [faces] */
} cab_body_faces;

/* Nothing where there are no bodies, or none has a shape. */
cab_status cab_body_faces_make(const cab_world *world, cab_body_faces *faces, cab_error *error);
void cab_body_faces_free(cab_body_faces *faces);

#endif

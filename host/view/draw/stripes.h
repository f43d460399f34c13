/* What stripes along cables need: the directors of all nodes, where tubes find them. A stripe shows how a cable is rolled, and winds around
 * one that is twisted; tube.frag paints it. */
#ifndef CAB_STRIPES_H
#define CAB_STRIPES_H

#include "view/draw/look.h"
#include "view/gl/gl.h"

typedef struct cab_stripes {
    GLuint buffer, texture;
    float (*rows)[4]; /* [nodes] directors as cab_world_read_directors() has them, and 0 */
    double (*directors)[3];
    int room; /* nodes */
    bool shown;
} cab_stripes;

/* To be called before the others. */
void cab_stripes_create(cab_stripes *stripes);
/* Takes the world's current state, where the look has stripes for it. */
cab_status cab_stripes_update(cab_stripes *stripes, cab_world *world, const cab_look *look, cab_error *error);
/* Binds the directors to CAB_UNIT_DIRECTORS. */
void cab_stripes_bind(const cab_stripes *stripes);
void cab_stripes_free(cab_stripes *stripes);

#endif

/* Draws a world, or a drawing in a plane, into a framebuffer. Needs the same OpenGL context in all calls. */
#ifndef CAB_RENDERER_H
#define CAB_RENDERER_H

#include "view/camera/camera.h"
#include "view/camera/framing.h"
#include "view/draw/look.h"
#include "view/draw/solids.h"
#include "view/shapes/sketch.h"

typedef struct cab_renderer cab_renderer;

cab_status cab_renderer_create(cab_renderer **renderer, cab_error *error);
/* NULL is allowed. */
void cab_renderer_destroy(cab_renderer *renderer);

/* Takes what does not change of a world. To be called again for another scene, and when colours are to mean
 * something else. The scene must live until then. */
cab_status cab_renderer_load(cab_renderer *renderer, const cab_scene *scene, const cab_world *world,
                             const cab_look *look, cab_error *error);

/* Before a world is loaded, or the same one again: the world's device stops using the renderer's buffer. */
void cab_renderer_release(cab_renderer *renderer, cab_world *world);

/* Takes the world's current state. */
cab_status cab_renderer_update(cab_renderer *renderer, cab_world *world, const cab_look *look,
                               cab_error *error);

/* Takes a sketch instead of a world, and is to be called for each frame; for a renderer that was never given
 * a world. A wall with a grid stands behind the sketch.
 *
 * @param time  of the frame, s; the range of values is narrowed by it */
cab_status cab_renderer_show(cab_renderer *renderer, const cab_sketch *sketch, double time,
                             const cab_look *look, cab_error *error);

/* The solids of the world, as of the last update. */
const cab_solids *cab_renderer_solids(const cab_renderer *renderer);

/* A box around everything but planes. */
cab_bounds cab_renderer_bounds(const cab_renderer *renderer);

/* Adds everything but planes to a fit, point by point: the camera can come nearer than for the box. */
void cab_renderer_take_in(const cab_renderer *renderer, const cab_look *look, cab_framing *fit);

/* Adds what matters: cables and sheets, and of colliders and marks only what is among these or close beside, a quarter of their
 * extent at most. So a large floor, or what stands far away, does not make them small. */
void cab_renderer_take_in_moving(const cab_renderer *renderer, const cab_look *look, cab_framing *fit);

/* Rows of the last update: [nodes][4] x, y, z (m) and the quantity's value. Where the device writes into the
 * renderer's buffer, rows and bounds are read back now and then; cab_renderer_read() reads them now. */
const float (*cab_renderer_rows(const cab_renderer *renderer))[4];
cab_status cab_renderer_read(cab_renderer *renderer, cab_world *world, const cab_look *look,
                             cab_error *error);

/* The values at the ends of the colour map where the look does not fix them: round numbers around the values
 * of the updates so far, widened at once and narrowed slowly as the world's time goes on (value_range.h). */
void cab_renderer_range(const cab_renderer *renderer, float *lowest, float *highest);

/* Highlights a cable; -1 = none. */
void cab_renderer_select(cab_renderer *renderer, int cable);

/* Prepares for pictures of this size, as drawing does, too. Fails where the size is too large. */
cab_status cab_renderer_resize(cab_renderer *renderer, const cab_look *look, int width, int height,
                               cab_error *error);

/* Draws into `framebuffer` (0 = the window), `width` by `height` pixels. */
cab_status cab_renderer_draw(cab_renderer *renderer, const cab_camera *camera, const cab_look *look,
                             unsigned framebuffer, int width, int height, cab_error *error);

#endif

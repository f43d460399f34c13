/* Draws a world into a framebuffer. Needs a current GL context, the same one in all calls. */
#ifndef CAB_RENDERER_H
#define CAB_RENDERER_H

#include "view/camera/camera.h"
#include "view/camera/fit.h"
#include "view/draw/look.h"
#include "view/shapes/sketch.h"

typedef struct cab_renderer cab_renderer;

cab_status cab_renderer_create(cab_renderer **renderer, cab_error *error);
/* NULL is allowed. */
void cab_renderer_destroy(cab_renderer *renderer);

/* What is fixed of a world: again after another scene was opened, or colours are to mean something else.
 * The scene must live until then. */
cab_status cab_renderer_load(cab_renderer *renderer, const cab_scene *scene, const cab_world *world,
                             const cab_look *look, cab_error *error);

/* Before another world is loaded, or with the same one loaded anew: its device lets go of our buffer. */
void cab_renderer_release(cab_renderer *renderer, cab_world *world);

/* Where everything is now. */
cab_status cab_renderer_update(cab_renderer *renderer, cab_world *world, const cab_look *look,
                               cab_error *error);

/* Of a renderer that was never given a world: a sketch instead, another one each time if need be. Its time,
 * seconds, is what the range of values goes by. A wall with a grid stands behind it. */
cab_status cab_renderer_show(cab_renderer *renderer, const cab_sketch *sketch, double time,
                             const cab_look *look, cab_error *error);

/* Around all that moves and stands, planes left out. */
cab_bounds cab_renderer_bounds(const cab_renderer *renderer);

/* Takes in all that has an end, point by point, which fits nearer than the box around it does. */
void cab_renderer_take_in(const cab_renderer *renderer, const cab_look *look, cab_fit *fit);

/* Rows of the last update: [nodes][4] x, y, z (m) and the quantity's value. Where the device draws into our
 * buffer they, and the bounds, are read back in some updates only; cab_renderer_read reads them now. */
const float (*cab_renderer_rows(const cab_renderer *renderer))[4];
cab_status cab_renderer_read(cab_renderer *renderer, cab_world *world, const cab_look *look,
                             cab_error *error);

/* What the ends of the colour map stand for where the look leaves it open: round numbers about the values of
 * the updates so far, widened at once and narrowed slowly as the world's time goes on (value_range.h). */
void cab_renderer_range(const cab_renderer *renderer, float *lowest, float *highest);

/* Marks a cable; -1 = none. */
void cab_renderer_select(cab_renderer *renderer, int cable);

/* Makes ready for pictures of this size; drawing does it, too. A size that is too large is told here. */
cab_status cab_renderer_resize(cab_renderer *renderer, const cab_look *look, int width, int height,
                               cab_error *error);

/* Draws into `framebuffer` (0 = the window), `width` by `height` pixels. */
cab_status cab_renderer_draw(cab_renderer *renderer, const cab_camera *camera, const cab_look *look,
                             unsigned framebuffer, int width, int height, cab_error *error);

#endif

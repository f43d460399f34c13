/* Draws a world into a framebuffer. Needs a current GL context, the same one in all calls. */
#ifndef CAB_RENDERER_H
#define CAB_RENDERER_H

#include "view/camera.h"
#include "view/look.h"

typedef struct cab_renderer cab_renderer;

cab_status cab_renderer_create(cab_renderer **renderer, cab_error *error);
/* NULL is allowed. */
void cab_renderer_destroy(cab_renderer *renderer);

/* What is fixed of a world: again after another scene was opened, or colours are to mean something else.
 * The scene must live until then. */
cab_status cab_renderer_load(cab_renderer *renderer, const cab_scene *scene, const cab_world *world,
                             const cab_look *look, cab_error *error);

/* Where everything is now. */
cab_status cab_renderer_update(cab_renderer *renderer, cab_world *world, const cab_look *look,
                               cab_error *error);

/* Around all that moves and stands, planes left out. */
cab_bounds cab_renderer_bounds(const cab_renderer *renderer);

/* Rows of the last update: [nodes][4] x, y, z (m) and the quantity's value. */
const float (*cab_renderer_rows(const cab_renderer *renderer))[4];

/* Marks a cable; -1 = none. */
void cab_renderer_select(cab_renderer *renderer, int cable);

/* Draws into `framebuffer` (0 = the window), `width` by `height` pixels. */
cab_status cab_renderer_draw(cab_renderer *renderer, const cab_camera *camera, const cab_look *look,
                             unsigned framebuffer, int width, int height, cab_error *error);

#endif

/* What a picture's colours and lengths mean: colour bar or names, scale bar, scene, time.
 *
 * A picture without a window, after cab_renderer_draw():
 *
 *   cab_ui_create(&ui, &error);   once, fonts are made by the first picture
 *   cab_cables cables = {scene, world};
 *   cab_subject subject = cab_subject_of_cables(&cables);
 *   cab_legend legend = {.subject = &subject, .look = &look, .camera = &camera, .title = "loom"};
 *   cab_renderer_range(renderer, &legend.lowest, &legend.highest);
 *   cab_legend_draw(&legend, ui, canvas.framebuffer, width, height, cab_legend_scale(width, height), &error);
 */
#ifndef CAB_LEGEND_H
#define CAB_LEGEND_H

#include <clcable/clcable.h>

#include "view/camera/camera.h"
#include "view/draw/look.h"
#include "view/draw/subject.h"
#include "view/ui/ui_draw.h"

typedef struct cab_legend {
    const cab_subject *subject; /* names, time, frame */
    const cab_look *look;       /* what the colours mean; whether there is a grid to scale */
    const cab_camera *camera;   /* that the picture was drawn with */
    float lowest,
        highest;         /* of the colour map's ends: cab_renderer_range(). look's count where they differ */
    const char *title;   /* the scene's name; NULL = no name, time and frame */
    struct nk_rect area; /* of the picture that is free, points; of no width = all of it */
    bool dark;           /* dark cards whatever the background; else as the background is */
} cab_legend;

/* Pixels to a point that suit a picture of this size: 1 for 1280 x 720, 0.75 to 4. */
float cab_legend_scale(int width, int height);

/* Draws the legend over a picture. */
cab_status cab_legend_draw(const cab_legend *legend, cab_ui *ui, unsigned framebuffer, int width, int height,
                           float scale, cab_error *error);

/* The same between cab_ui_begin() and cab_ui_draw(), together with other widgets. It takes no input. */
void cab_legend_add(const cab_legend *legend, cab_ui *ui);

#endif

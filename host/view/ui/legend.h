/* The legend: what a picture's colours and lengths mean. It has a colour bar or names, a scale bar, the
 * scene's name and the time.
 *
 * A picture without a window, after cab_renderer_draw():
 *
 *   cab_ui_create(&ui, &error);   once; the first picture makes the fonts
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
    const cab_subject *subject; /* for names, time and frame */
    const cab_look *look;       /* for the meaning of colours; with a grid there is a scale bar */
    const cab_camera *camera;   /* that the picture was drawn with */
    float lowest, highest; /* ends of the colour map where the look does not fix them: cab_renderer_range() */
    const char *title;     /* the scene's name; NULL = neither name nor time */
    struct nk_rect area;   /* the part of the picture that it may use, points; of no width = all of it */
    float covered;         /* at the area's upper edge, points: what would reach up there is left out */
    bool dark;             /* on dark cards whatever the background is; else they go with it */
} cab_legend;

/* How many pixels a point should have in a picture of this size: 1 at 1280 x 720; 0.75 to 4. */
float cab_legend_scale(int width, int height);

/* Draws the legend over a picture. */
cab_status cab_legend_draw(const cab_legend *legend, cab_ui *ui, unsigned framebuffer, int width, int height,
                           float scale, cab_error *error);

/* Adds the legend to other widgets, between cab_ui_begin() and cab_ui_draw(). It takes no input. */
void cab_legend_add(const cab_legend *legend, cab_ui *ui);

#endif

/* Pictures of fewer pixels while something moves and drawing is slow, as by software. */
#include <math.h>

#include <glad/gl.h>

#include "view/gl/gl.h"
#include "view/viewer/viewer_inside.h"

#define PICTURE_TIME (1 / 30.0) /* s that drawing should take at most while something moves */
#define COARSEST 4              /* pixels of the screen along each side of one that is drawn */
#define SMOOTHING 0.4           /* s over which times are averaged */

static bool is_moving(const cab_viewer *v)
{
    return v->dragging || (v->playing && !v->failed);
}

void cab_viewer_drawn(cab_viewer *v, double took, double since)
{
    double share = since > 0 ? 1 - exp(-since / SMOOTHING) : 0;
    v->draw_time += (v->draw_time > 0 ? fmax(share, 0.1) : 1) * (took - v->draw_time);
    if (since > 0) v->picture_rate += (v->picture_rate > 0 ? share : 1) * (1 / since - v->picture_rate);
    /* What a picture costs goes by its pixels, and what does not can only be borne. In steps, so that its size seldom changes. */
    double wanted = v->coarse * sqrt(v->draw_time / PICTURE_TIME);
    float coarse = wanted < 1.3 ? 1 : wanted < 1.8 ? 1.5f : wanted < 2.5 ? 2 : wanted < 3.5 ? 3 : COARSEST;
    bool finer = coarse < v->coarse && wanted > 0.8 * coarse; /* it would soon be coarser again */
    if (!is_moving(v)) coarse = v->coarse;
    if (finer || coarse == v->coarse) return;
    v->coarse = coarse;
    v->draw_time = 0; /* that of pictures of this size is not known */
}

void cab_viewer_refine(cab_viewer *v)
{
    if (v->inside->coarse_seen && !is_moving(v)) v->changed = true;
}

static cab_status fit_canvas(cab_canvas *canvas, int width, int height, cab_error *error)
{
    if (canvas->framebuffer && canvas->width == width && canvas->height == height) return CAB_OK;
    cab_canvas_free(canvas);
    return cab_canvas_create(canvas, width, height, error);
}

cab_status cab_viewer_draw_scene(cab_viewer *v, unsigned framebuffer, int width, int height, cab_error *error)
{
    cab_canvas *canvas = &v->inside->canvas;
    float coarse = is_moving(v) ? v->coarse : 1;
    int wide = (int)fmaxf(1, (float)width / coarse), high = (int)fmaxf(1, (float)height / coarse);
    v->inside->coarse_seen = coarse > 1;
    if (coarse <= 1)
        return cab_renderer_draw(v->renderer, &v->camera, &v->look, framebuffer, width, height, error);
    cab_status status = fit_canvas(canvas, wide, high, error);
    if (status) return status;
    status = cab_renderer_draw(v->renderer, &v->camera, &v->look, canvas->framebuffer, wide, high, error);
    if (status) return status;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    glBlitFramebuffer(0, 0, wide, high, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    return cab_gl_check("a coarse picture", error);
}

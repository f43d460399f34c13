#include "view/pictures/studio.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "view/gl/canvas.h"
#include "view/gl/headless.h"
#include "view/ui/legend.h"
#include "view/draw/renderer.h"
#include "view/scale/value_range.h"

struct cab_studio {
    cab_shot shot;
    cab_headless *headless;
    cab_renderer *renderer;
    cab_ui *ui; /* for the legend; NULL = none */
    cab_canvas canvas;
    cab_picture picture;
    cab_camera camera;
    cab_framing fit;       /* of the frames that were shown so far */
    cab_value_range range; /* of the quantity in these frames */
    bool loaded, aimed;
    int frame; /* the frame in the picture; -1 = none */
};

cab_shot cab_shot_default(void)
{
    return (cab_shot){.width = 1280,
                      .height = 720,
                      .look = cab_look_default(),
                      .aim = cab_aim_default(),
                      .legend_width = 125};
}

static bool range_is_open(const cab_studio *studio)
{
    const cab_look *look = &studio->shot.look;
    return look->quantity != CAB_QUANTITY_NONE && !cab_look_has_range(look);
}

/* The part of the width, at the right edge, that is left free for the legend. */
static float taken_by_legend(const cab_shot *shot)
{
    float points = shot->legend_width * cab_legend_scale(shot->width, shot->height);
    return shot->legend ? fminf(points / (float)shot->width, 0.3f) : 0;
}

cab_status cab_studio_create(const cab_shot *shot, cab_studio **out, cab_error *error)
{
    cab_studio *studio = calloc(1, sizeof *studio);
    if (!studio) return cab_fail_memory(error, "a studio", sizeof *studio);
    studio->shot = *shot;
    studio->fit =
        cab_framing_begin(&shot->aim.camera, (float)shot->width / (float)shot->height, taken_by_legend(shot));
    studio->frame = -1;
    cab_status status = cab_headless_create(&studio->headless, error);
    if (!status) status = cab_renderer_create(&studio->renderer, error);
    if (!status)
        status = cab_renderer_resize(studio->renderer, &shot->look, shot->width, shot->height, error);
    if (!status) status = cab_canvas_create(&studio->canvas, shot->width, shot->height, error);
    if (!status && shot->legend) status = cab_ui_create(&studio->ui, error);
    if (status)
        cab_studio_destroy(studio);
    else
        *out = studio;
    return status;
}

void cab_studio_destroy(cab_studio *studio)
{
    if (!studio) return;
    cab_picture_free(&studio->picture);
    if (studio->headless) cab_canvas_free(&studio->canvas);
    cab_ui_destroy(studio->ui);
    cab_renderer_destroy(studio->renderer);
    cab_headless_destroy(studio->headless);
    free(studio);
}

bool cab_studio_looks_ahead(const cab_studio *studio)
{
    const cab_shot *shot = &studio->shot;
    return (cab_aim_fits(&shot->aim) && !shot->looks_first) || range_is_open(studio);
}

static bool is_finite(const cab_bounds *bounds)
{
    bool finite = true;
    for (int k = 0; k < 3; k++) finite = finite && isfinite(bounds->lo[k]) && isfinite(bounds->hi[k]);
    return finite;
}

/* Gives the subject's frame to the renderer, and takes its extent and values into account. Frames with places
 * that are not finite are left out. */
cab_status cab_studio_look_ahead(cab_studio *studio, const cab_subject *subject, cab_error *error)
{
    const cab_look *look = &studio->shot.look;
    cab_status status = CAB_OK;
    if (!studio->loaded) status = subject->kind->load(subject->self, studio->renderer, look, error);
    if (!status) status = subject->kind->update(subject->self, studio->renderer, look, error);
    if (status) return status;
    studio->loaded = true;
    cab_bounds bounds = cab_renderer_bounds(studio->renderer);
    if (cab_bounds_is_empty(&bounds) || !is_finite(&bounds)) return CAB_OK;
    if (!studio->shot.looks_first || cab_framing_is_empty(&studio->fit)) {
        cab_renderer_take_in(studio->renderer, look, &studio->fit);
        if (studio->ui) cab_subject_take_in_labels(subject, &studio->fit);
    }
    float lowest, highest;
    cab_renderer_range(studio->renderer, &lowest, &highest);
    cab_value_range_follow(&studio->range, lowest, highest, 0);
    return CAB_OK;
}

static void aim(cab_studio *studio)
{
    studio->aimed = true;
    studio->camera = cab_aim_at(&studio->shot.aim, &studio->fit);
    if (!range_is_open(studio)) return;
    studio->shot.look.lowest = studio->range.lowest;
    studio->shot.look.highest = studio->range.highest;
}

static cab_status draw(cab_studio *studio, const cab_subject *subject, cab_error *error)
{
    const cab_shot *shot = &studio->shot;
    unsigned framebuffer = studio->canvas.framebuffer;
    cab_status status = cab_renderer_draw(studio->renderer, &studio->camera, &shot->look, framebuffer,
                                          shot->width, shot->height, error);
    if (status || !studio->ui) return status;
    cab_legend legend = {
        .subject = subject, .look = &shot->look, .camera = &studio->camera, .title = shot->title};
    cab_renderer_range(studio->renderer, &legend.lowest, &legend.highest);
    return cab_legend_draw(&legend, studio->ui, framebuffer, shot->width, shot->height,
                           cab_legend_scale(shot->width, shot->height), error);
}

cab_status cab_studio_take(cab_studio *studio, const cab_subject *subject, const cab_picture **picture,
                           cab_error *error)
{
    int frame = subject->kind->clock(subject->self).frame;
    *picture = &studio->picture;
    if (frame == studio->frame) return CAB_OK;  /* taken before, for another output of the run */
    if (!studio->aimed) studio->loaded = false; /* the world of looking ahead is gone */
    cab_status status = cab_studio_look_ahead(studio, subject, error);
    if (status) return status;
    if (!studio->aimed && cab_framing_is_empty(&studio->fit))
        return cab_fail(error, CAB_ERROR_DIVERGED, "a picture: nothing is at a place that can be seen");
    if (!studio->aimed) aim(studio);
    status = draw(studio, subject, error);
    if (!status)
        status = cab_picture_read(&studio->picture, studio->canvas.framebuffer, studio->shot.width,
                                  studio->shot.height, error);
    if (!status) studio->frame = frame;
    return status;
}

/* Recording: a picture for each frame that is stepped goes into a video, whose time is that of the scene. */
#include <string.h>
#include <unistd.h>

#include "view/viewer/viewer_inside.h"

enum {
    MISSED_MOST = 60 /* frames between two pictures of the window at most, which become the same picture */
};
static const double rate_most = 60; /* pictures a second */

/* Ends the video: it is whole, or it is not there. */
static bool end(cab_viewer *v, bool commit, cab_error *error)
{
    cab_recording *r = &v->inside->recording;
    cab_film *film = r->film;
    r->film = NULL;
    cab_picture_free(&r->picture);
    cab_canvas_free(&r->canvas);
    bool good = !cab_film_close(film, commit, error) && commit;
    if (!good) unlink(r->path); /* the empty file that has kept the name */
    return good;
}

static cab_status add(cab_viewer *v, int times, cab_error *error)
{
    cab_recording *r = &v->inside->recording;
    cab_renderer_select(v->renderer, -1);
    cab_status status = cab_viewer_follow(v, error);
    if (!status)
        status = cab_renderer_draw(v->renderer, &v->camera, &v->look, r->canvas.framebuffer, r->canvas.width,
                                   r->canvas.height, error);
    if (!status)
        status =
            cab_picture_read(&r->picture, r->canvas.framebuffer, r->canvas.width, r->canvas.height, error);
    for (int i = 0; !status && i < times; i++) status = cab_film_add(r->film, &r->picture, error);
    return status;
}

void cab_film_tick(cab_viewer *v)
{
    cab_recording *r = &v->inside->recording;
    cab_error error, ignored;
    int missed = v->clock.frame - r->frame;
    if (!r->film || missed == 0) return;
    r->frame = v->clock.frame;
    int times = missed < 1 ? 1 : missed > MISSED_MOST ? MISSED_MOST : missed;
    if (!add(v, times, &error)) return;
    end(v, false, &ignored);
    cab_viewer_refuse(v, &error);
}

static bool begin(cab_viewer *v)
{
    cab_recording *r = &v->inside->recording;
    cab_error error, ignored;
    int width = v->width > 1 ? v->width / 2 * 2 : CAB_VIEWER_FIRST_WIDTH,
        height = v->height > 1 ? v->height / 2 * 2 : CAB_VIEWER_FIRST_HEIGHT;
    double rate = v->inside->opened->rate(v);
    if (!cab_viewer_take_name(v, ".mp4", r->path, sizeof r->path)) return false;
    cab_status status = cab_film_open(r->path, CAB_FILM_MP4, width, height,
                                      rate < rate_most ? rate : rate_most, &r->film, &error);
    if (!status) status = cab_canvas_create(&r->canvas, width, height, &error);
    r->frame = v->clock.frame;
    if (!status) status = add(v, 1, &error);
    if (status) {
        end(v, false, &ignored);
        return cab_viewer_refuse(v, &error);
    }
    cab_viewer_tell(v, false, "recording %s: the same key ends it", r->path);
    return true;
}

bool cab_viewer_record(cab_viewer *v)
{
    cab_error error;
    if (!v->inside->recording.film) return begin(v);
    if (!end(v, true, &error)) return cab_viewer_refuse(v, &error);
    cab_viewer_tell(v, false, "video: %s", v->inside->recording.path);
    return true;
}

bool cab_viewer_is_recording(const cab_viewer *v)
{
    return v->inside->recording.film != NULL;
}

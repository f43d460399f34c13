/* What can be done with an opened scene of any kind, by its table of functions (opened.h): putting it in the
 * place of the last one, measuring, playing, resetting, closing. */
#include "view/viewer/viewer_inside.h"

void cab_viewer_close_opened(cab_viewer *v)
{
    struct cab_viewer_inside *in = v->inside;
    if (in->opened) in->opened->close(v); /* first, as a world may share buffers of the renderer */
    in->opened = NULL;
    cab_renderer_destroy(v->renderer);
    v->renderer = NULL;
}

void cab_viewer_put(cab_viewer *v, const cab_opened *opened, cab_renderer *renderer)
{
    cab_viewer_close_opened(v);
    v->inside->opened = opened;
    v->inside->moved = false;
    v->renderer = renderer;
    v->unsaved = v->edit.on = false;
    v->selected = v->selected_node = -1;
}

void cab_viewer_measure(cab_viewer *v)
{
    cab_error error;
    v->clock = v->subject.kind->clock(v->subject.self);
    if (v->inside->opened->measure(v, &error)) cab_viewer_refuse(v, &error);
}

void cab_viewer_begin(cab_viewer *v)
{
    v->failed = v->grab.held = false;
    v->inside->debt = 0;
    v->changed = true;
    cab_viewer_measure(v);
}

void cab_viewer_set_playing(cab_viewer *v, bool playing)
{
    v->playing = playing;
    v->inside->debt = 0;
    v->pace = 0;
    v->changed = true;
}

bool cab_viewer_reset(cab_viewer *v)
{
    cab_error error;
    return v->inside->opened->reset(v, &error) ? cab_viewer_refuse(v, &error) : true;
}

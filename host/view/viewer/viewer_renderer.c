/* Keeps the renderer up to date with the opened scene. */
#include <clcable/draw.h>

#include "view/viewer/viewer_inside.h"

cab_status cab_viewer_catch_up(cab_viewer *v, cab_error *error)
{
    struct cab_viewer_inside *in = v->inside;
    if (!in->moved || v->failed) return CAB_OK;
    cab_status status = v->subject.kind->update(v->subject.self, v->renderer, &v->look, error);
    if (!status) in->moved = false;
    return status;
}

void cab_viewer_set_look(cab_viewer *v, const cab_look *look)
{
    cab_error error;
    v->look = *look;
    if (v->subject.kind->load(v->subject.self, v->renderer, &v->look, &error)) cab_viewer_refuse(v, &error);
    v->inside->moved = v->changed = true;
}

bool cab_viewer_read_rows(cab_viewer *v)
{
    cab_error error;
    if (v->failed || !v->world || !cab_world_shares_gl(v->world)) return true;
    if (!cab_renderer_read(v->renderer, v->world, &v->look, &error)) return true;
    return cab_viewer_refuse(v, &error);
}

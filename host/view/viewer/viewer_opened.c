/* What can be done with an opened scene of any kind, by its table of functions (cab_opened): putting it in the
 * place of the last one, keeping the renderer up to date with it, measuring, playing, resetting, closing. And the message
 * line. */
#include <stdarg.h>
#include <stdio.h>

#include <clcable/draw.h>

#include "view/viewer/viewer_inside.h"

void cab_viewer_tell(cab_viewer *v, bool is_error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(v->message, sizeof v->message, format, arguments);
    va_end(arguments);
    v->message_is_error = is_error;
    v->message_age = 0;
    v->inside->drop_told = false;
    v->changed = true;
    const cab_viewer_def *def = &v->inside->def;
    if (def->log) def->log(def->user, 1, v->message);
}

bool cab_viewer_refuse(cab_viewer *v, const cab_error *error)
{
    cab_viewer_tell(v, true, "%s", error->message);
    return false;
}

void cab_viewer_forget_error(cab_viewer *v)
{
    if (v->message_is_error) v->message[0] = 0;
    v->message_is_error = false;
    v->changed = true;
}

bool cab_viewer_has_cables(cab_viewer *v, const char *what)
{
    if (v->study)
        cab_viewer_tell(v, true, "%s: for cables, not in scenes of \"%s\"", what,
                        v->study->drawing->kind->key);
    return !v->study;
}

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
    cab_viewer_forget_error(v);
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

bool cab_viewer_has_stripes(const cab_viewer *v)
{
    return v->world && cab_look_has_stripes(&v->look, cab_world_get_info(v->world).twists);
}

void cab_viewer_toggle_stripes(cab_viewer *v)
{
    cab_look look = v->look;
    if (!cab_viewer_has_cables(v, "a stripe along cables")) return;
    look.stripe = cab_viewer_has_stripes(v) ? CAB_STRIPE_OFF : CAB_STRIPE_ON;
    cab_viewer_set_look(v, &look);
}

bool cab_viewer_read_rows(cab_viewer *v)
{
    cab_error error;
    if (v->failed || !v->world || !cab_world_shares_gl(v->world)) return true;
    if (!cab_renderer_read(v->renderer, v->world, &v->look, &error)) return true;
    return cab_viewer_refuse(v, &error);
}

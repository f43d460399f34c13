/* The viewer's message line. */
#include <stdarg.h>
#include <stdio.h>

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

bool cab_viewer_has_cables(cab_viewer *v, const char *what)
{
    if (v->study) cab_viewer_tell(v, true, "%s: for cables, not in scenes of \"%s\"", what, v->study->key);
    return !v->study;
}

#include "cli/picture_options.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clcable/draw.h>

#include "cli/cli.h"
#include "cli/run.h"

#define SIZE_LEAST 16
#define SIZE_MOST 16384
#define DEGREE 0.017453292519943295

/* What is filled in, and what was said: some options exclude others. */
typedef struct reader {
    cab_shots *shots;
    bool view, camera, target, fov, zoom, fit, orthographic, range, legend;
} reader;

/* Complains about a value: "--size: expected ..., got '...'". */
static bool wrong(const char *name, const char *expected, const char *text)
{
    cab_cli_error("--%s: expected %s, got '%s'", name, expected, text);
    return false;
}

/* `count` numbers with `by` between them, and nothing else. */
static bool read_numbers(const char *text, char by, int count, double *to)
{
    for (int i = 0; i < count; i++) {
        char *end;
        to[i] = strtod(text, &end);
        if (end == text || !isfinite(to[i]) || fabs(to[i]) > 1e30) return false;
        if (*end != (i + 1 < count ? by : '\0')) return false;
        text = end + 1;
    }
    return true;
}

static bool read_size(reader *r, const char *name, const char *text)
{
    double size[2];
    bool whole = read_numbers(text, 'x', 2, size);
    for (int k = 0; k < 2 && whole; k++)
        whole = size[k] >= SIZE_LEAST && size[k] <= SIZE_MOST && floor(size[k]) == size[k];
    if (!whole) return wrong(name, "WIDTHxHEIGHT in pixels, 16 to 16384 each, such as 1280x720", text);
    r->shots->shot.width = (int)size[0];
    r->shots->shot.height = (int)size[1];
    return true;
}

static bool read_view(reader *r, const char *name, const char *text)
{
    r->view = true;
    if (cab_camera_set_view(&r->shots->shot.aim.camera, text)) return true;
    char expected[128] = "";
    for (int i = 0; cab_camera_view_name(i); i++) {
        const char *between = !i ? "" : cab_camera_view_name(i + 1) ? ", " : " or ";
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "%s%s", between,
                 cab_camera_view_name(i));
    }
    return wrong(name, expected, text);
}

static bool read_place(const char *name, const char *text, vec3 to)
{
    double place[3];
    if (!read_numbers(text, ',', 3, place)) return wrong(name, "x,y,z in m, such as 1.2,-2,0.8", text);
    for (int k = 0; k < 3; k++) to[k] = (float)place[k];
    return true;
}

static bool read_camera(reader *r, const char *name, const char *text)
{
    r->camera = r->shots->shot.aim.eye_fixed = true;
    return read_place(name, text, r->shots->shot.aim.eye);
}

static bool read_target(reader *r, const char *name, const char *text)
{
    r->target = r->shots->shot.aim.target_fixed = true;
    return read_place(name, text, r->shots->shot.aim.target);
}

static bool read_fov(reader *r, const char *name, const char *text)
{
    double degrees;
    r->fov = true;
    if (!read_numbers(text, ' ', 1, &degrees) || degrees < 1 || degrees > 150)
        return wrong(name, "degrees from 1 to 150", text);
    r->shots->shot.aim.camera.fov = (float)(degrees * DEGREE);
    return true;
}

static bool read_zoom(reader *r, const char *name, const char *text)
{
    double zoom;
    r->zoom = true;
    if (!read_numbers(text, ' ', 1, &zoom) || zoom < 0.01 || zoom > 1000)
        return wrong(name, "a factor from 0.01 to 1000", text);
    r->shots->shot.aim.zoom = (float)zoom;
    return true;
}

/* One of `count` words; -1 = none of them. */
static int find_word(const char *const *words, int count, const char *text)
{
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], text) == 0) return i;
    return -1;
}

static bool read_fit(reader *r, const char *name, const char *text)
{
    static const char *const words[] = {"all", "first"};
    int found = find_word(words, 2, text);
    r->fit = true;
    r->shots->shot.looks_first = found == 1;
    return found >= 0 || wrong(name, "all or first", text);
}

static bool read_orthographic(reader *r, const char *name, const char *text)
{
    (void)name, (void)text;
    return r->orthographic = true;
}

static bool read_colour(reader *r, const char *name, const char *text)
{
    cab_look *look = &r->shots->shot.look;
    look->paint = strcmp(text, "material") == 0 ? CAB_PAINT_MATERIAL : CAB_PAINT_CABLE;
    look->quantity = CAB_QUANTITY_NONE;
    if (strcmp(text, "cable") == 0 || strcmp(text, "material") == 0) return true;
    for (int i = CAB_QUANTITY_NONE + 1; i < CAB_QUANTITY_COUNT; i++)
        if (strcmp(cab_quantity_name((cab_quantity)i), text) == 0) look->quantity = (cab_quantity)i;
    return look->quantity != CAB_QUANTITY_NONE ||
           wrong(name, "cable, material, tension, curvature, speed or contact", text);
}

static bool read_range(reader *r, const char *name, const char *text)
{
    double ends[2];
    r->range = true;
    if (!read_numbers(text, ':', 2, ends) || !((float)ends[0] < (float)ends[1]))
        return wrong(name, "LOW:HIGH with LOW below HIGH, such as 0:50", text);
    r->shots->shot.look.lowest = (float)ends[0];
    r->shots->shot.look.highest = (float)ends[1];
    return true;
}

static bool read_background(reader *r, const char *name, const char *text)
{
    static const char *const words[CAB_BACKGROUND_COUNT] = {[CAB_BACKGROUND_LIGHT] = "light",
                                                            [CAB_BACKGROUND_DARK] = "dark",
                                                            [CAB_BACKGROUND_TRANSPARENT] = "transparent"};
    int found = find_word(words, CAB_BACKGROUND_COUNT, text);
    r->shots->shot.look.background = (cab_background)found;
    return found >= 0 || wrong(name, "light, dark or transparent", text);
}

static bool read_switch(const char *name, const char *text, bool *on)
{
    static const char *const words[] = {"off", "on"};
    int found = find_word(words, 2, text);
    *on = found == 1;
    return found >= 0 || wrong(name, "on or off", text);
}

static bool read_legend(reader *r, const char *name, const char *text)
{
    r->legend = true;
    return read_switch(name, text, &r->shots->shot.legend);
}

static bool read_grid(reader *r, const char *name, const char *text)
{
    return read_switch(name, text, &r->shots->shot.look.grid);
}

static bool read_marks(reader *r, const char *name, const char *text)
{
    return read_switch(name, text, &r->shots->shot.look.marks);
}

static bool read_quality(reader *r, const char *name, const char *text)
{
    const char *words[CAB_QUALITY_COUNT];
    for (int i = 0; i < CAB_QUALITY_COUNT; i++) words[i] = cab_quality_name(i);
    int found = find_word(words, CAB_QUALITY_COUNT, text);
    if (found < 0) return wrong(name, "draft, normal or high", text);
    cab_look_set_quality(&r->shots->shot.look, (cab_quality)found);
    return true;
}

static bool read_every(reader *r, const char *name, const char *text)
{
    double every;
    if (!read_numbers(text, ' ', 1, &every) || every < 1 || every > INT_MAX || floor(every) != every)
        return wrong(name, "a number of frames, 1 or more", text);
    r->shots->every = (int)every;
    return true;
}

/* The study reads it: it knows what it can compare. */
static bool read_compare(reader *r, const char *name, const char *text)
{
    (void)r, (void)name, (void)text;
    return true;
}

typedef struct row {
    const char *name;
    bool (*read)(reader *r, const char *name, const char *text);
} row;

static const row rows[] = {
    {"size", read_size},
    {"view", read_view},
    {"camera", read_camera},
    {"target", read_target},
    {"fov", read_fov},
    {"zoom", read_zoom},
    {"fit", read_fit},
    {"orthographic", read_orthographic},
    {"colour", read_colour},
    {"range", read_range},
    {"background", read_background},
    {"legend", read_legend},
    {"grid", read_grid},
    {"marks", read_marks},
    {"quality", read_quality},
    {"every", read_every},
    {"compare", read_compare},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static bool exclude(const char *command, const char *one, const char *other)
{
    cab_cli_error("%s: --%s and --%s exclude each other", command, one, other);
    return false;
}

/* What contradicts, or would do nothing. */
static bool agree(const reader *r, const char *command)
{
    const cab_shot *shot = &r->shots->shot;
    const cab_aim *aim = &shot->aim;
    if (r->camera && r->view) return exclude(command, "camera", "view");
    if (r->camera && r->zoom) return exclude(command, "camera", "zoom");
    if (r->camera && r->target && r->fit) return exclude(command, "camera", "fit");
    if (r->fov && r->orthographic) return exclude(command, "fov", "orthographic");
    if (r->camera && r->target && memcmp(aim->eye, aim->target, sizeof aim->eye) == 0) {
        cab_cli_error("%s: --camera and --target are the same place", command);
        return false;
    }
    if (r->range && shot->look.quantity == CAB_QUANTITY_NONE) {
        cab_cli_error("%s: --range expects --colour tension, curvature, speed or contact, too", command);
        return false;
    }
    return true;
}

bool cab_picture_options(const cab_options *options, const char *command, cab_shots *shots)
{
    reader r = {.shots = shots};
    for (int i = 0; i + 1 < options->picture.count; i += 2) {
        const char *name = options->picture.word[i], *text = options->picture.word[i + 1];
        for (int k = 0; k < ROW_COUNT; k++)
            if (strcmp(rows[k].name, name) == 0 && !rows[k].read(&r, name, text)) return false;
    }
    if (!agree(&r, command)) return false;
    if (r.orthographic) shots->shot.aim.camera.orthographic = true;
    if (r.fov) shots->shot.aim.camera.orthographic = false; /* of views that have none */
    if (!r.legend) shots->shot.legend = shots->shot.look.quantity != CAB_QUANTITY_NONE;
    return true;
}

const char *cab_picture_word(const cab_options *options, const char *name)
{
    const char *word = NULL;
    for (int i = 0; i + 1 < options->picture.count; i += 2)
        if (strcmp(options->picture.word[i], name) == 0) word = options->picture.word[i + 1];
    return word;
}

const cab_output_kind *cab_cli_pictures(void)
{
    static cab_shots shots;
    static cab_output_kind kind;
    shots = cab_shots_default();
    kind = cab_shots_kind(&shots);
    return &kind;
}

bool cab_cables_take(const cab_options *options)
{
    if (cab_picture_word(options, "compare")) cab_cli_error("--compare is for planar scenes");
    return !cab_picture_word(options, "compare");
}

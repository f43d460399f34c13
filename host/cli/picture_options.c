#include "cli/picture_options.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <clcable/draw.h>

#include "cli/cli.h"
#include "cli/run.h"

#define SIZE_LEAST 16
#define SIZE_MOST 16384
#define DEGREE 0.017453292519943295

/* An option: how it is read, what is expected, and for some where it goes in cab_shots. */
typedef struct option_row {
    const char *name;
    bool (*read)(const struct option_row *row, const char *text, cab_shots *shots);
    const char *expected;
    size_t place;
    const char *off, *on;     /* the words of a switch */
    double least, most, unit; /* of a number */
} option_row;

/* Complains about a value: "--size: expected ..., got '...'". */
static bool wrong(const option_row *row, const char *text)
{
    cab_cli_error("--%s: expected %s, got '%s'", row->name, row->expected, text);
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

/* Into a bool. */
static bool read_switch(const option_row *row, const char *text, cab_shots *shots)
{
    bool on = strcmp(text, row->on) == 0;
    *(bool *)((char *)shots + row->place) = on;
    return on || strcmp(text, row->off) == 0 || wrong(row, text);
}

/* Into a float. */
static bool read_number(const option_row *row, const char *text, cab_shots *shots)
{
    double number;
    if (!read_numbers(text, ' ', 1, &number) || number < row->least || number > row->most)
        return wrong(row, text);
    *(float *)((char *)shots + row->place) = (float)(number * row->unit);
    return true;
}

static bool read_place(const option_row *row, const char *text, vec3 to)
{
    double place[3];
    if (!read_numbers(text, ',', 3, place)) return wrong(row, text);
    for (int k = 0; k < 3; k++) to[k] = (float)place[k];
    return true;
}

static bool read_camera(const option_row *row, const char *text, cab_shots *shots)
{
    shots->shot.aim.eye_fixed = true;
    return read_place(row, text, shots->shot.aim.eye);
}

static bool read_target(const option_row *row, const char *text, cab_shots *shots)
{
    shots->shot.aim.target_fixed = true;
    return read_place(row, text, shots->shot.aim.target);
}

static bool read_size(const option_row *row, const char *text, cab_shots *shots)
{
    double size[2];
    bool whole = read_numbers(text, 'x', 2, size);
    for (int k = 0; k < 2 && whole; k++)
        whole = size[k] >= SIZE_LEAST && size[k] <= SIZE_MOST && floor(size[k]) == size[k];
    if (!whole) return wrong(row, text);
    shots->shot.width = (int)size[0];
    shots->shot.height = (int)size[1];
    return true;
}

static bool read_view(const option_row *row, const char *text, cab_shots *shots)
{
    return cab_camera_set_view(&shots->shot.aim.camera, text) || wrong(row, text);
}

static bool read_colour(const option_row *row, const char *text, cab_shots *shots)
{
    cab_look *look = &shots->shot.look;
    look->paint = strcmp(text, "material") == 0 ? CAB_PAINT_MATERIAL : CAB_PAINT_CABLE;
    look->quantity = CAB_QUANTITY_NONE;
    if (strcmp(text, "cable") == 0 || strcmp(text, "material") == 0) return true;
    for (int i = CAB_QUANTITY_NONE + 1; i < CAB_QUANTITY_COUNT; i++)
        if (strcmp(cab_quantity_name((cab_quantity)i), text) == 0) look->quantity = (cab_quantity)i;
    return look->quantity != CAB_QUANTITY_NONE || wrong(row, text);
}

static bool read_range(const option_row *row, const char *text, cab_shots *shots)
{
    double ends[2];
    if (!read_numbers(text, ':', 2, ends) || !((float)ends[0] < (float)ends[1])) return wrong(row, text);
    shots->shot.look.lowest = (float)ends[0];
    shots->shot.look.highest = (float)ends[1];
    return true;
}

static bool read_background(const option_row *row, const char *text, cab_shots *shots)
{
    static const char *const words[CAB_BACKGROUND_COUNT] = {[CAB_BACKGROUND_LIGHT] = "light",
                                                            [CAB_BACKGROUND_DARK] = "dark",
                                                            [CAB_BACKGROUND_TRANSPARENT] = "transparent"};
    for (int i = 0; i < CAB_BACKGROUND_COUNT; i++) {
        shots->shot.look.background = (cab_background)i;
        if (strcmp(words[i], text) == 0) return true;
    }
    return wrong(row, text);
}

static bool read_stripe(const option_row *row, const char *text, cab_shots *shots)
{
    bool on = strcmp(text, row->on) == 0;
    shots->shot.look.stripe = on ? CAB_STRIPE_ON : CAB_STRIPE_OFF;
    return on || strcmp(text, row->off) == 0 || wrong(row, text);
}

static bool read_quality(const option_row *row, const char *text, cab_shots *shots)
{
    for (int i = 0; i < CAB_QUALITY_COUNT; i++) {
        cab_look_set_quality(&shots->shot.look, (cab_quality)i);
        if (strcmp(cab_quality_name(i), text) == 0) return true;
    }
    return wrong(row, text);
}

static bool read_every(const option_row *row, const char *text, cab_shots *shots)
{
    double every;
    if (!read_numbers(text, ' ', 1, &every) || every < 1 || every > INT_MAX || floor(every) != every)
        return wrong(row, text);
    shots->every = (int)every;
    return true;
}

#define AT(field) offsetof(cab_shots, field)

/* Beside these there are --orthographic, and --compare: the study reads it, as it knows what it can compare. */
static const option_row rows[] = {
    {"size", read_size, .expected = "WIDTHxHEIGHT in pixels, 16 to 16384 each, such as 1280x720"},
    {"view", read_view, .expected = "corner, front, back, left, right, top or bottom"},
    {"camera", read_camera, .expected = "x,y,z in m, such as 1.2,-2,0.8"},
    {"target", read_target, .expected = "x,y,z in m, such as 1.2,-2,0.8"},
    {"fov", read_number, "degrees from 1 to 150", AT(shot.aim.camera.fov), .least = 1, .most = 150,
     .unit = DEGREE},
    {"zoom", read_number, "a factor from 0.01 to 1000", AT(shot.aim.zoom), .least = 0.01, .most = 1000,
     .unit = 1},
    {"fit", read_switch, "all or first", AT(shot.looks_first), .off = "all", .on = "first"},
    {"colour", read_colour, .expected = "cable, material, tension, curvature, speed, contact or torque"},
    {"range", read_range, .expected = "LOW:HIGH with LOW below HIGH, such as 0:50"},
    {"background", read_background, .expected = "light, dark or transparent"},
    {"legend", read_switch, "on or off", AT(shot.legend), .off = "off", .on = "on"},
    {"grid", read_switch, "on or off", AT(shot.look.grid), .off = "off", .on = "on"},
    {"marks", read_switch, "on or off", AT(shot.look.marks), .off = "off", .on = "on"},
    {"stripe", read_stripe, "on or off", .off = "off", .on = "on"},
    {"quality", read_quality, .expected = "draft, normal or high"},
    {"every", read_every, .expected = "a number of frames, 1 or more"},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static bool exclude(const char *command, const char *one, const char *other)
{
    cab_cli_error("%s: --%s and --%s exclude each other", command, one, other);
    return false;
}

const char *cab_picture_word(const cab_options *options, const char *name)
{
    const char *word = NULL;
    for (int i = 0; i + 1 < options->picture.count; i += 2)
        if (strcmp(options->picture.word[i], name) == 0) word = options->picture.word[i + 1];
    return word;
}

static bool has(const cab_options *options, const char *name)
{
    return cab_picture_word(options, name) != NULL;
}

/* What contradicts, or would do nothing. */
static bool agree(const cab_options *o, const cab_shot *shot, const char *command)
{
    const cab_aim *aim = &shot->aim;
    bool camera = has(o, "camera"), target = has(o, "target");
    if (camera && has(o, "view")) return exclude(command, "camera", "view");
    if (camera && has(o, "zoom")) return exclude(command, "camera", "zoom");
    if (camera && target && has(o, "fit")) return exclude(command, "camera", "fit");
    if (has(o, "fov") && has(o, "orthographic")) return exclude(command, "fov", "orthographic");
    if (camera && target && memcmp(aim->eye, aim->target, sizeof aim->eye) == 0) {
        cab_cli_error("%s: --camera and --target are the same place", command);
        return false;
    }
    if (has(o, "range") && shot->look.quantity == CAB_QUANTITY_NONE) {
        cab_cli_error("%s: --range expects --colour tension, curvature, speed, contact or torque, too",
                      command);
        return false;
    }
    return true;
}

bool cab_picture_options(const cab_options *options, const char *command, cab_shots *shots)
{
    cab_shot *shot = &shots->shot;
    for (int i = 0; i + 1 < options->picture.count; i += 2) {
        const char *name = options->picture.word[i], *text = options->picture.word[i + 1];
        for (int k = 0; k < ROW_COUNT; k++)
            if (strcmp(rows[k].name, name) == 0 && !rows[k].read(&rows[k], text, shots)) return false;
    }
    if (!agree(options, shot, command)) return false;
    if (has(options, "orthographic")) shot->aim.camera.orthographic = true;
    if (has(options, "fov")) shot->aim.camera.orthographic = false; /* of views that have none */
    if (!has(options, "legend")) shot->legend = shot->look.quantity != CAB_QUANTITY_NONE;
    return true;
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

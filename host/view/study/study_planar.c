/* Planar bodies and cable joints as a study that can be seen; with `compare` three scenes side by side. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "view/study/sketch_planar.h"
#include "view/study/study.h"

enum { WAYS = CAB_PLANAR_FULL + 1 };

#define OUTLINE_PART 0.0035 /* half the width of an outline, of the way across the scene */
#define GAP 1.15            /* from scene to scene, of their width */
#define PULL_FREQUENCY 2.0  /* 1/s, of the spring that the mouse pulls with */
#define PULL_MOST 100.0     /* m/s^2; its force, of what it pulls */
#define ROW_GAP 1.4         /* of their height, where they are wide and stand one below the other */

typedef struct study {
    cab_planar_scene *scenes[WAYS]; /* the same but for what is compared */
    int count;
    cab_planar *planar;
    cab_world_def device;
    cab_planar_body *bodies;
    cab_planar_joint *joints;
    cab_planar_contact *contacts;
    double (*points)[2];
    int joint_room, contact_room, point_room;
    cab_vec2 *centres;
    cab_sketch sketch;
    double unit;
    cab_vec2 lo, hi; /* of a scene at the start, m */
    int frame, frames;
    int pulled;            /* body; -1 = none; of all scenes, pulled alike */
    int held_in;           /* the scene that the mouse is in */
    cab_vec2 hold, target; /* as of cab_planar_view */
} study;

static const cab_planar_settings *settings_of(const study *s)
{
    return cab_planar_scene_settings(s->scenes[0]);
}

static void close(void *self)
{
    study *s = self;
    cab_planar_destroy(s->planar);
    for (int i = 0; i < WAYS; i++) cab_planar_scene_destroy(s->scenes[i]);
    cab_sketch_free(&s->sketch);
    free(s->bodies);
    free(s->joints);
    free(s->contacts);
    free(s->points);
    free(s->centres);
    free(s);
}

static cab_status load_scenes(study *s, const cab_study_def *def, cab_error *error)
{
    if (def->compare && strcmp(def->compare, "pinch") != 0)
        return cab_fail(error, CAB_ERROR_INPUT, "--compare: expected pinch, got '%s'", def->compare);
    s->count = def->compare ? WAYS : 1;
    cab_status status = CAB_OK;
    for (int i = 0; i < s->count && !status; i++) {
        status = cab_planar_scene_load(def->path, def->overrides, def->override_count, &s->scenes[i], error);
        if (status) return status;
        cab_planar_settings *set = cab_planar_scene_settings(s->scenes[i]);
        if (def->substeps) set->substeps = (int)def->substeps;
        if (def->iterations) set->iterations = (int)def->iterations;
        if (def->duration > 0) set->duration = def->duration;
        if (def->compare) set->pinch = (cab_planar_pinch)i;
        double frames = def->frames ? (double)def->frames : nearbyint(set->duration * set->frame_rate);
        s->frames = frames < 1 ? 1 : frames > INT_MAX ? INT_MAX : (int)frames;
    }
    return status;
}

static cab_status make_world(study *s, cab_error *error)
{
    cab_planar *planar = NULL;
    cab_status status =
        cab_planar_create((const cab_planar_scene *const *)s->scenes, s->count, &s->device, &planar, error);
    if (status) return status;
    cab_planar_destroy(s->planar);
    s->planar = planar;
    s->frame = 0;
    s->pulled = -1;
    return CAB_OK;
}

/* Grows one of the lists. */
static bool make_room(void **list, int *room, int count, size_t size)
{
    if (count < *room) return true;
    void *bigger = realloc(*list, (size_t)(2 * count + 16) * size);
    if (!bigger) return false;
    *list = bigger;
    *room = 2 * count + 16;
    return true;
}

/* Scenes that are compared stand side by side, wide ones one below the other. */
static cab_vec2 shift_of(const study *s, int scene)
{
    double width = s->hi.x - s->lo.x, height = s->hi.y - s->lo.y;
    if (width > 1.5 * height) return (cab_vec2){0, -scene * ROW_GAP * fmax(height, 0.12 * width)};
    return (cab_vec2){scene * GAP * width, 0};
}

static cab_status read_scene(study *s, int scene, cab_planar_view *view, cab_error *error)
{
    cab_planar_stats stats;
    cab_status status = cab_planar_get_stats(s->planar, scene, &stats, error);
    if (status) return status;
    int contacts = stats.body_contacts;
    if (!make_room((void **)&s->joints, &s->joint_room, stats.joints, sizeof *s->joints) ||
        !make_room((void **)&s->contacts, &s->contact_room, contacts, sizeof *s->contacts) ||
        !make_room((void **)&s->points, &s->point_room, stats.points, sizeof *s->points))
        return cab_fail_memory(error, "joints and contacts", (size_t)stats.joints * sizeof *s->joints);
    status = cab_planar_read_bodies(s->planar, scene, s->bodies, error);
    if (!status) status = cab_planar_read_joints(s->planar, scene, s->joints, error);
    if (!status) status = cab_planar_read_points(s->planar, scene, s->points, error);
    if (!status) status = cab_planar_read_contacts(s->planar, scene, s->contacts, error);
    *view = (cab_planar_view){.scene = s->scenes[scene],
                              .bodies = s->bodies,
                              .joints = s->joints,
                              .joint_count = stats.joints,
                              .points = (const double(*)[2])s->points,
                              .contacts = s->contacts,
                              .contact_count = stats.body_contacts,
                              .centres = s->centres,
                              .unit = s->unit,
                              .shift = shift_of(s, scene),
                              .pulled = s->pulled,
                              .hold = s->hold,
                              .target = s->target};
    return status;
}

static void take_in(study *s, double x, double y, double around)
{
    s->lo = (cab_vec2){fmin(s->lo.x, x - around), fmin(s->lo.y, y - around)};
    s->hi = (cab_vec2){fmax(s->hi.x, x + around), fmax(s->hi.y, y + around)};
}

/* How far it reaches at the start. */
static cab_status measure(study *s, cab_error *error)
{
    cab_planar_view view = {0};
    const cab_planar_scene *scene = s->scenes[0];
    s->lo = (cab_vec2){INFINITY, INFINITY};
    s->hi = (cab_vec2){-INFINITY, -INFINITY};
    cab_status status = read_scene(s, 0, &view, error);
    if (status) return status;
    for (int i = 0; i < scene->body_count; i++) {
        const cab_planar_body_def *def = &scene->bodies[i].def;
        double around = 0;
        for (int k = 0; k < def->corner_count; k++)
            around = fmax(around, hypot(def->corners[k][0], def->corners[k][1]));
        take_in(s, def->position[0], def->position[1], around + def->radius);
        s->centres[i] = cab_planar_centre(def, &s->bodies[i]);
    }
    for (int i = 0; i < view.joint_count; i++) take_in(s, s->joints[i].tail[0], s->joints[i].tail[1], 0);
    if (!(s->lo.x <= s->hi.x)) s->lo = s->hi = (cab_vec2){0, 0};
    double across = hypot(s->hi.x - s->lo.x, s->hi.y - s->lo.y);
    s->unit = OUTLINE_PART * (across > 0 ? across : 1);
    return CAB_OK;
}

static cab_status fill(study *s, const cab_study_def *def, cab_error *error)
{
    cab_status status = load_scenes(s, def, error);
    if (status) return status;
    size_t bodies = (size_t)s->scenes[0]->body_count + 1;
    s->device = cab_study_device(def);
    s->bodies = calloc(bodies, sizeof *s->bodies);
    s->centres = calloc(bodies, sizeof *s->centres);
    if (!s->bodies || !s->centres) return cab_fail_memory(error, "bodies", bodies * sizeof *s->bodies);
    status = make_world(s, error);
    return status ? status : measure(s, error);
}

static cab_status open(const cab_study_def *def, void **self, cab_error *error)
{
    study *s = calloc(1, sizeof *s);
    if (!s) return cab_fail_memory(error, "a study", sizeof *s);
    cab_status status = fill(s, def, error);
    if (status)
        close(s);
    else
        *self = s;
    return status;
}

static double rate(const void *self)
{
    return settings_of(self)->frame_rate;
}

static int frames(const void *self)
{
    return ((const study *)self)->frames;
}

static cab_clock clock_of(const void *self)
{
    const study *s = self;
    return (cab_clock){s->frame, s->frame / rate(s)};
}

static cab_status step(void *self, cab_error *error)
{
    study *s = self;
    cab_planar_stats stats;
    cab_status status = cab_planar_step(s->planar, 1, error);
    for (int i = 0; i < s->count && !status; i++) status = cab_planar_get_stats(s->planar, i, &stats, error);
    if (!status) s->frame++;
    return status;
}

static cab_status reset(void *self, cab_error *error)
{
    return make_world(self, error);
}

enum { SUBSTEPS, PINCH };

static bool choice(const void *self, int index, cab_choice *c)
{
    const study *s = self;
    if (index == PINCH)
        *c = (cab_choice){.name = "pinch",
                          .words = {"off", "contact-off", "full"},
                          .count = WAYS,
                          .now = (int)settings_of(s)->pinch,
                          .from_start = true};
    if (index == SUBSTEPS)
        *c = (cab_choice){.name = "substeps",
                          .now = settings_of(s)->substeps,
                          .least = 1,
                          .most = 1000,
                          .from_start = true};
    return index == SUBSTEPS || (index == PINCH && s->count == 1); /* else it is all of its words at once */
}

static void put(study *s, int index, int value)
{
    for (int i = 0; i < s->count; i++) {
        cab_planar_settings *set = cab_planar_scene_settings(s->scenes[i]);
        if (index == PINCH) set->pinch = (cab_planar_pinch)value;
        if (index == SUBSTEPS) set->substeps = value;
    }
}

/* The engine takes no state: it begins anew. */
static cab_status choose(void *self, int index, int value, cab_error *error)
{
    study *s = self;
    cab_choice c;
    if (!choice(s, index, &c)) return cab_fail(error, CAB_ERROR_INPUT, "there is no choice %d", index);
    int least = c.count ? 0 : c.least, most = c.count ? c.count - 1 : c.most;
    if (value < least || value > most)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: expected %d to %d", c.name, least, most);
    put(s, index, value);
    cab_status status = make_world(s, error);
    if (status) put(s, index, c.now);
    return status;
}

/* How far a place is outside of a body, m; negative inside. */
static double outside(const cab_planar_body_def *def, const cab_planar_body *body, cab_vec2 centre,
                      cab_vec2 at)
{
    double c = cos(body->angle), s = sin(body->angle);
    double dx = at.x - body->position[0], dy = at.y - body->position[1];
    double x = c * dx + s * dy + centre.x, y = c * dy - s * dx + centre.y; /* from the body's position */
    if (def->corner_count == 0) return hypot(x, y) - def->radius;
    double deepest = -INFINITY, nearest = INFINITY;
    for (int i = 0; i < def->corner_count; i++) {
        const double *p = def->corners[i], *q = def->corners[(i + 1) % def->corner_count];
        double ex = q[0] - p[0], ey = q[1] - p[1], length = hypot(ex, ey);
        double along = fmin(fmax(((x - p[0]) * ex + (y - p[1]) * ey) / (length * length), 0), 1);
        deepest = fmax(deepest, ((x - p[0]) * ey - (y - p[1]) * ex) / length);
        nearest = fmin(nearest, hypot(x - p[0] - along * ex, y - p[1] - along * ey));
    }
    return (deepest > 0 ? nearest : deepest) - def->radius;
}

static cab_status pull(void *self, cab_vec2 to, cab_error *error)
{
    study *s = self;
    cab_status status = CAB_OK;
    if (s->pulled < 0) return CAB_OK;
    cab_vec2 shift = shift_of(s, s->held_in);
    double mass = s->scenes[0]->bodies[s->pulled].def.mass;
    s->target = (cab_vec2){to.x - shift.x, to.y - shift.y};
    for (int i = 0; i < s->count && !status; i++)
        status =
            cab_planar_pull(s->planar, i, s->pulled, (double[2]){s->hold.x, s->hold.y},
                            (double[2]){s->target.x, s->target.y}, PULL_FREQUENCY, PULL_MOST * mass, error);
    return status;
}

/* Takes the body of a scene that is nearest to a place, if one is nearer than *reach. */
static cab_status find_body(study *s, int scene, cab_vec2 at, double *reach, cab_error *error)
{
    const cab_planar_scene *of = s->scenes[scene];
    cab_status status = cab_planar_read_bodies(s->planar, scene, s->bodies, error);
    for (int i = 0; i < of->body_count && !status; i++) {
        const cab_planar_body_def *def = &of->bodies[i].def;
        const cab_planar_body *body = &s->bodies[i];
        double off = outside(def, body, s->centres[i], at);
        if (def->motion == CAB_PLANAR_STATIC || off >= *reach) continue;
        double c = cos(body->angle), n = sin(body->angle);
        double dx = at.x - body->position[0], dy = at.y - body->position[1];
        *reach = off;
        s->pulled = i;
        s->held_in = scene;
        s->hold = (cab_vec2){c * dx + n * dy, c * dy - n * dx};
    }
    return status;
}

static cab_status let_go(void *self, cab_error *error)
{
    study *s = self;
    cab_status status = CAB_OK;
    s->pulled = -1;
    for (int i = 0; i < s->count && !status; i++) status = cab_planar_let_go(s->planar, i, error);
    return status;
}

static cab_status grab(void *self, cab_vec2 at, double reach, bool *held, cab_error *error)
{
    study *s = self;
    cab_status status = let_go(s, error);
    for (int i = 0; i < s->count && !status; i++) {
        cab_vec2 shift = shift_of(s, i);
        status = find_body(s, i, (cab_vec2){at.x - shift.x, at.y - shift.y}, &reach, error);
    }
    *held = !status && s->pulled >= 0;
    return *held ? pull(s, at, error) : status;
}

static bool line(void *self, int index, char text[CAB_STUDY_LINE])
{
    study *s = self;
    cab_planar_stats stats;
    cab_error error;
    if (index > 3 || cab_planar_get_stats(s->planar, s->count - 1, &stats, &error)) return false;
    if (index == 0)
        snprintf(text, CAB_STUDY_LINE, "%d bodies, %d cable%s, %d joints", stats.bodies, stats.cables,
                 stats.cables == 1 ? "" : "s", stats.joints);
    if (index == 1)
        snprintf(text, CAB_STUDY_LINE, "%d pinches, %d transitional",
                 stats.transitional + stats.non_transitional, stats.transitional);
    if (index == 2) snprintf(text, CAB_STUDY_LINE, "length off by %.2g", stats.length_error);
    if (index == 3) snprintf(text, CAB_STUDY_LINE, "tension up to %.4g N", stats.tension_max);
    return true;
}

static cab_status load(void *self, cab_renderer *renderer, const cab_look *look, cab_error *error)
{
    (void)self, (void)renderer, (void)look, (void)error;
    return CAB_OK; /* a sketch is made anew each time */
}

static cab_status update(void *self, cab_renderer *renderer, const cab_look *look, cab_error *error)
{
    study *s = self;
    cab_sketch_clear(&s->sketch);
    for (int i = 0; i < s->count; i++) {
        cab_planar_view view;
        cab_status status = read_scene(s, i, &view, error);
        if (status) return status;
        cab_sketch_planar(&s->sketch, &view);
    }
    return cab_renderer_show(renderer, &s->sketch, clock_of(s).time, look, error);
}

static int name_count(const void *self, cab_paint paint)
{
    (void)self, (void)paint;
    return CAB_JOINT_COLOURS;
}

static void name(const void *self, cab_paint paint, int index, char text[CAB_NAME_SIZE],
                 unsigned char rgba[4])
{
    const char *word = "";
    (void)self, (void)paint;
    cab_joint_colour_name(index, &word, rgba);
    snprintf(text, CAB_NAME_SIZE, "%s", word);
}

/* The words of the scenes that are compared. */
static bool label(const void *self, int index, cab_label *label)
{
    static const char *const words[WAYS] = {"pinch off", "contact off", "pinch full"};
    const study *s = self;
    if (s->count == 1 || index >= s->count) return false;
    double width = s->hi.x - s->lo.x, height = s->hi.y - s->lo.y;
    snprintf(label->text, sizeof label->text, "%s", words[index]);
    cab_vec2 shift = shift_of(s, index);
    label->room = (float)(0.09 * fmax(height, 0.3 * width));
    label->at[0] = (float)(s->lo.x + width / 2 + shift.x);
    label->at[1] = 0;
    label->at[2] = (float)(s->hi.y + 0.03 * fmax(height, 0.3 * width) + shift.y);
    return true;
}

const cab_study_kind cab_planar_study = {
    .key = "planar",
    .subject = {load, update, clock_of, name_count, name, .own_names = true, .label = label},
    .quantity = CAB_QUANTITY_TENSION,
    .open = open,
    .close = close,
    .rate = rate,
    .frames = frames,
    .step = step,
    .reset = reset,
    .choice = choice,
    .choose = choose,
    .grab = grab,
    .pull = pull,
    .let_go = let_go,
    .line = line,
};

/* A planar scene as a drawing: bodies as outlines with a spoke that shows how they have turned, cables as
 * wide as they are and by their tension, joints and contacts as dots. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/planar/outline.h"
#include "study/planar/study.h"
#include "view/scale/colour.h"
#include "view/study/study.h"

#define OUTLINE_PART 0.0035 /* half the width of an outline, of the way across the scene */
/* Of joints: what their dots' colours say. */
typedef enum joint_colour {
    CAB_JOINT_ATTACHED = 0,
    CAB_JOINT_ROLLING,
    CAB_JOINT_PINCH,        /* transitional: the cable goes from one body straight to the other */
    CAB_JOINT_PINCH_MIDDLE, /* non-transitional: a wrapped cable passes between */
    CAB_JOINT_COLOURS
} joint_colour;

typedef cab_planar_study_state state;

/* One scene's drawing. */
typedef struct drawing {
    cab_sketch *sketch;
    const state *s;
    const cab_planar_scene *scene;
    double unit;    /* half the width of an outline, m */
    cab_vec2 shift; /* of the whole drawing, m */
} drawing;

static const unsigned char moving[3] = {70, 110, 160}, axle[3] = {60, 130, 115}, fixed[3] = {105, 110, 116},
                           contact[3] = {235, 205, 80}, pull[3] = {214, 84, 36};

static const struct {
    const char *name;
    unsigned char colour[3];
} joints[CAB_JOINT_COLOURS] = {
    {"attached", {40, 44, 50}},
    {"rolling", {0, 145, 200}},
    {"pinch, transitional", {225, 60, 45}},
    {"pinch, non-transitional", {215, 90, 190}},
};

static cab_vec2 place_of(const drawing *d, const double at[2])
{
    return (cab_vec2){at[0] + d->shift.x, at[1] + d->shift.y};
}

static cab_placed_body placed(const drawing *d, int body)
{
    const cab_planar_body *now = &d->s->bodies[body];
    return (cab_placed_body){&d->scene->bodies[body].def, d->s->centres[body], place_of(d, now->position),
                             now->angle};
}

static void draw_body(const drawing *d, int body)
{
    const cab_planar_body_def *def = &d->scene->bodies[body].def;
    const cab_planar_body *now = &d->s->bodies[body];
    const unsigned char *colour = def->motion == CAB_PLANAR_DYNAMIC ? moving
                                  : def->motion == CAB_PLANAR_AXLE  ? axle
                                                                    : fixed;
    cab_pen pen = cab_pen_of(d->unit, colour, 0), spoke = cab_pen_of(0.6 * d->unit, colour, 0);
    cab_vec2 middle = place_of(d, now->position), end;
    if (def->corner_count) {
        cab_vec2 points[CAB_OUTLINE_POINTS + 1];
        cab_placed_body at = placed(d, body);
        int count = cab_planar_outline(&at, def->radius, points);
        points[count] = points[0];
        cab_sketch_path(d->sketch, &pen, points, count + 1);
        cab_vec2 a = cab_planar_corner(&at, 0), b = cab_planar_corner(&at, 1);
        end = (cab_vec2){(a.x + b.x) / 2, (a.y + b.y) / 2};
    } else {
        double inner = fmax(def->radius - d->unit, 0.5 * def->radius);
        cab_vec2 way = cab_planar_turned((cab_vec2){inner, 0}, now->angle);
        cab_sketch_circle(d->sketch, &pen, middle, inner); /* its outer edge is the body's */
        end = (cab_vec2){middle.x + way.x, middle.y + way.y};
    }
    if (def->motion != CAB_PLANAR_STATIC) cab_sketch_line(d->sketch, &spoke, middle, end);
    pen.radius *= 1.5f;
    if (def->motion == CAB_PLANAR_AXLE) cab_sketch_dot(d->sketch, &pen, middle);
}

/* Round a body from the tail to the head. */
static void draw_wrap(const drawing *d, const cab_planar_joint *j, const cab_pen *pen)
{
    cab_vec2 tail = place_of(d, j->tail), head = place_of(d, j->head);
    cab_placed_body body = placed(d, j->body);
    if (body.def->corner_count) {
        cab_vec2 points[CAB_OUTLINE_POINTS + 2];
        double width = d->scene->cables[j->cable].def.radius;
        cab_sketch_path(d->sketch, pen, points, cab_planar_wrap(&body, j, tail, head, width, points));
        return;
    }
    cab_planar_arc arc = cab_planar_wrap_circle(j, body.at, tail, head);
    if (arc.whole) cab_sketch_circle(d->sketch, pen, body.at, arc.radius);
    if (arc.turn > 0) cab_sketch_arc(d->sketch, pen, body.at, arc.radius, arc.start, j->spin * arc.turn);
}

/* All turns of a reel that thickens, from where the cable leaves it inwards: round a circle a spiral. */
static void draw_spool(const drawing *d, const cab_planar_joint *j, const cab_pen *pen)
{
    enum { PIECES = 32 /* of a turn */ };
    const cab_planar_body_def *def = &d->scene->bodies[j->body].def;
    double half = d->scene->cables[j->cable].def.radius, r = j->radius;
    cab_vec2 middle = place_of(d, d->s->bodies[j->body].position), at = place_of(d, j->head);
    cab_vec2 points[CAB_OUTLINE_POINTS + PIECES + 1];
    cab_placed_body body = placed(d, j->body);
    int way = j->has_segment ? j->spin : -j->spin;
    double angle = atan2(at.y - middle.y, at.x - middle.x);
    for (; r >= def->radius + half; r -= 2 * half) {
        for (int i = 0; i <= PIECES; i++) {
            double turn = angle + way * 2 * M_PI * i / PIECES;
            double now = fmax(r - 2 * half * i / PIECES, def->radius + half);
            points[i] = (cab_vec2){middle.x + now * cos(turn), middle.y + now * sin(turn)};
        }
        if (!def->corner_count) {
            cab_sketch_curve(d->sketch, pen, points, PIECES + 1);
            continue;
        }
        int count = cab_planar_outline(&body, r, points);
        points[count] = points[0];
        cab_sketch_path(d->sketch, pen, points, count + 1);
    }
}

/* The joint before in the cable, whose last one is before the first of a loop; -1 = none. */
static int joint_before(const drawing *d, int index)
{
    int cable = d->s->joints[index].cable;
    if (!d->s->joints[index].has_segment) return -1;
    if (index > 0 && d->s->joints[index - 1].cable == cable) return index - 1;
    while (index + 1 < d->s->joint_count && d->s->joints[index + 1].cable == cable) index++;
    return index;
}

/* And the one after, the end of the segment that begins here. */
static int joint_after(const drawing *d, int index)
{
    int cable = d->s->joints[index].cable;
    if (index + 1 < d->s->joint_count && d->s->joints[index + 1].cable == cable) return index + 1;
    while (index > 0 && d->s->joints[index - 1].cable == cable) index--;
    return d->s->joints[index].has_segment ? index : -1;
}

/* Smooth through the points that it hangs by. */
static void draw_slack(const drawing *d, int first, int count, const cab_pen *pen)
{
    cab_vec2 points[CAB_PLANAR_MAX_PIECES + 1];
    cab_pen raised = *pen;
    raised.lift = (float)(2 * d->unit); /* else the outlines that it lies on would hide it */
    for (int i = 0; i < count; i++) points[i] = place_of(d, d->s->points[first + i]);
    cab_sketch_curve(d->sketch, &raised, points, count);
}

/* `point` is the first of its segment's. */
static void draw_cable(const drawing *d, int index, int point)
{
    const cab_planar_joint *j = &d->s->joints[index];
    int before = joint_before(d, index), after = joint_after(d, index);
    double tension = before >= 0 ? j->tension : after >= 0 ? d->s->joints[after].tension : 0;
    cab_pen pen = {.radius = (float)d->scene->cables[j->cable].def.radius, .valued = true};
    unsigned char rgba[4];
    cab_palette(j->cable, rgba);
    memcpy(pen.colour, rgba, sizeof pen.colour);
    pen.value_from = pen.value_to = (float)tension;
    if (j->points)
        draw_slack(d, point, j->points, &pen);
    else if (before >= 0)
        cab_sketch_line(d->sketch, &pen, place_of(d, d->s->joints[before].head), place_of(d, j->tail));
    if (j->kind == CAB_PLANAR_LINK_POINT || j->body >= d->scene->body_count || j->spin == 0) return;
    if (after >= 0) pen.value_to = (float)d->s->joints[after].tension;
    double bare = d->scene->bodies[j->body].def.radius + d->scene->cables[j->cable].def.radius;
    if (j->kind == CAB_PLANAR_LINK_REEL && j->radius > bare)
        draw_spool(d, j, &pen);
    else
        draw_wrap(d, j, &pen);
}

static joint_colour colour_of(const cab_planar_joint *j)
{
    if (j->middle) return CAB_JOINT_PINCH_MIDDLE;
    if (j->pinched) return CAB_JOINT_PINCH;
    return j->kind == CAB_PLANAR_LINK_POINT ? CAB_JOINT_ATTACHED : CAB_JOINT_ROLLING;
}

static void draw_joint(const drawing *d, const cab_planar_joint *j)
{
    double width = d->scene->cables[j->cable].def.radius, size = fmax(1.5 * width, 1.2 * d->unit);
    joint_colour colour = colour_of(j);
    size *= j->middle    ? 1.45
            : j->pinched ? 1.2
                         : 1; /* joints at one place are seen as the pinch that they make */
    cab_pen pen = cab_pen_of(size, joints[colour].colour, size);
    cab_sketch_dot(d->sketch, &pen, place_of(d, j->tail));
    if (colour == CAB_JOINT_ROLLING) cab_sketch_dot(d->sketch, &pen, place_of(d, j->head));
}

static void draw_contact(const drawing *d, const cab_planar_contact *c)
{
    cab_pen pen = cab_pen_of(1.2 * d->unit, contact, 2 * d->unit);
    for (int i = 0; i < c->count; i++)
        if (c->impulse[i] > 0) cab_sketch_dot(d->sketch, &pen, place_of(d, c->point[i]));
}

/* The spring that pulls a body. */
static void draw_pull(const drawing *d)
{
    const cab_planar_body *body = &d->s->bodies[d->s->pulled];
    cab_pen line = cab_pen_of(0.5 * d->unit, pull, 0.8), dot = cab_pen_of(1.5 * d->unit, pull, 0.8);
    cab_vec2 hold = cab_planar_turned(d->s->hold, body->angle);
    cab_vec2 from = place_of(d, (double[2]){body->position[0] + hold.x, body->position[1] + hold.y});
    cab_vec2 to = place_of(d, (double[2]){d->s->target.x, d->s->target.y});
    cab_sketch_zigzag(d->sketch, &line, from, to, 2.5 * d->unit, 6);
    cab_sketch_dot(d->sketch, &dot, to);
}

static void draw_scene(const drawing *d)
{
    const state *s = d->s;
    for (int i = 0; i < d->scene->body_count; i++) draw_body(d, i);
    for (int i = 0, point = 0; i < s->joint_count; point += s->joints[i].points, i++) draw_cable(d, i, point);
    for (int i = 0; i < s->joint_count; i++) draw_joint(d, &s->joints[i]);
    for (int i = 0; i < s->contact_count; i++) draw_contact(d, &s->contacts[i]);
    if (s->pulled >= 0) draw_pull(d);
}

static double unit(const cab_study *study)
{
    const state *s = (const state *)study;
    double across = hypot(s->high.x - s->low.x, s->high.y - s->low.y);
    return OUTLINE_PART * (across > 0 ? across : 1);
}

static cab_status draw(cab_study *study, double size, cab_sketch *sketch, cab_error *error)
{
    state *s = (state *)study;
    for (int i = 0; i < s->count; i++) {
        cab_status status = cab_planar_study_read(s, i, error);
        if (status) return status;
        draw_scene(&(drawing){sketch, s, s->scenes[i], size, cab_planar_study_shift(s, i)});
    }
    return CAB_OK;
}

static int name_count(const void *self, cab_paint paint)
{
    (void)self, (void)paint;
    return CAB_JOINT_COLOURS;
}

static void name(const void *self, cab_paint paint, int index, char text[CAB_NAME_SIZE],
                 unsigned char rgba[4])
{
    (void)self, (void)paint;
    snprintf(text, CAB_NAME_SIZE, "%s", joints[index].name);
    memcpy(rgba, joints[index].colour, 3);
    rgba[3] = 255;
}

/* The words of the scenes that are compared. */
static bool label(const void *self, int index, cab_label *label)
{
    static const char *const words[CAB_PLANAR_PINCHES] = {"pinch off", "contact off", "pinch full"};
    const state *s = (const state *)((const cab_shown_study *)self)->study;
    if (s->count == 1 || index >= s->count) return false;
    double width = s->high.x - s->low.x, height = s->high.y - s->low.y;
    snprintf(label->text, sizeof label->text, "%s", words[index]);
    cab_vec2 shift = cab_planar_study_shift(s, index);
    label->room = (float)(0.09 * fmax(height, 0.3 * width));
    label->at[0] = (float)(s->low.x + width / 2 + shift.x);
    label->at[1] = 0;
    label->at[2] = (float)(s->high.y + 0.03 * fmax(height, 0.3 * width) + shift.y);
    return true;
}

const cab_study_drawing cab_planar_drawing = {
    .kind = &cab_planar_study,
    .quantity = CAB_QUANTITY_TENSION,
    .subject = {cab_shown_study_load, cab_shown_study_update, cab_shown_study_clock, name_count, name,
                .own_names = true, .label = label},
    .unit = unit,
    .draw = draw,
};

#include "view/study/sketch_planar.h"

#include <math.h>
#include <string.h>

#include "view/scale/colour.h"

#define PI 3.14159265358979323846

enum { CORNER = 6 /* pieces of a rounded corner */, OUTLINE = CAB_PLANAR_MAX_CORNERS * (CORNER + 1) };

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

bool cab_joint_colour_name(int index, const char **name, unsigned char rgba[4])
{
    if (index < 0 || index >= CAB_JOINT_COLOURS) return false;
    *name = joints[index].name;
    memcpy(rgba, joints[index].colour, 3);
    rgba[3] = 255;
    return true;
}

static cab_vec2 turned(cab_vec2 v, double angle)
{
    double c = cos(angle), s = sin(angle);
    return (cab_vec2){c * v.x - s * v.y, s * v.x + c * v.y};
}

cab_vec2 cab_planar_centre(const cab_planar_body_def *def, const cab_planar_body *at_start)
{
    cab_vec2 way = {at_start->position[0] - def->position[0], at_start->position[1] - def->position[1]};
    return turned(way, -def->angle);
}

static cab_vec2 place_of(const cab_planar_view *view, const double at[2])
{
    return (cab_vec2){at[0] + view->shift.x, at[1] + view->shift.y};
}

static cab_pen pen_of(double radius, const unsigned char colour[3], double lift)
{
    cab_pen pen = {.radius = (float)radius, .lift = (float)lift};
    memcpy(pen.colour, colour, sizeof pen.colour);
    return pen;
}

/* A corner of a polygon, where it is now. */
static cab_vec2 corner_of(const cab_planar_view *view, int body, int corner)
{
    const cab_planar_body_def *def = &view->scene->bodies[body].def;
    const cab_planar_body *now = &view->bodies[body];
    const double *at = def->corners[(corner + def->corner_count) % def->corner_count];
    cab_vec2 centre = view->centres[body], p = place_of(view, now->position);
    cab_vec2 way = turned((cab_vec2){at[0] - centre.x, at[1] - centre.y}, now->angle);
    return (cab_vec2){p.x + way.x, p.y + way.y};
}

/* The outline of a polygon, `around` m outside its corners, counterclockwise; the first point is not
 * repeated.
 */
static int outline_of(const cab_planar_view *view, int body, double around, cab_vec2 points[OUTLINE])
{
    int corners = view->scene->bodies[body].def.corner_count, count = 0;
    for (int i = 0; i < corners; i++) {
        cab_vec2 a = corner_of(view, body, i - 1), b = corner_of(view, body, i),
                 c = corner_of(view, body, i + 1);
        double from = atan2(a.x - b.x, b.y - a.y), to = atan2(b.x - c.x, c.y - b.y); /* of the normals */
        double turn = remainder(to - from, 2 * PI);
        int pieces = around > 0 ? CORNER : 0;
        for (int k = 0; k <= pieces; k++) {
            double angle = from + (pieces ? turn * k / pieces : 0);
            points[count++] = (cab_vec2){b.x + around * cos(angle), b.y + around * sin(angle)};
        }
    }
    return count;
}

static void draw_body(cab_sketch *sketch, const cab_planar_view *view, int body)
{
    const cab_planar_body_def *def = &view->scene->bodies[body].def;
    const cab_planar_body *now = &view->bodies[body];
    const unsigned char *colour = def->motion == CAB_PLANAR_DYNAMIC ? moving
                                  : def->motion == CAB_PLANAR_AXLE  ? axle
                                                                    : fixed;
    cab_pen pen = pen_of(view->unit, colour, 0), spoke = pen_of(0.6 * view->unit, colour, 0);
    cab_vec2 middle = place_of(view, now->position), end;
    if (def->corner_count) {
        cab_vec2 points[OUTLINE + 1];
        int count = outline_of(view, body, def->radius, points);
        points[count] = points[0];
        cab_sketch_path(sketch, &pen, points, count + 1);
        cab_vec2 a = corner_of(view, body, 0), b = corner_of(view, body, 1);
        end = (cab_vec2){(a.x + b.x) / 2, (a.y + b.y) / 2};
    } else {
        double inner = fmax(def->radius - view->unit, 0.5 * def->radius);
        cab_vec2 way = turned((cab_vec2){inner, 0}, now->angle);
        cab_sketch_circle(sketch, &pen, middle, inner); /* its outer edge is the body's */
        end = (cab_vec2){middle.x + way.x, middle.y + way.y};
    }
    if (def->motion != CAB_PLANAR_STATIC) cab_sketch_line(sketch, &spoke, middle, end);
    pen.radius *= 1.5f;
    if (def->motion == CAB_PLANAR_AXLE) cab_sketch_dot(sketch, &pen, middle);
}

/* The side of the outline that a point is on: from points[it] to the next. */
static int side_of(const cab_vec2 *points, int count, cab_vec2 at)
{
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        cab_vec2 a = points[i], b = points[(i + 1) % count];
        double x = b.x - a.x, y = b.y - a.y, size = x * x + y * y;
        double part = size > 0 ? ((at.x - a.x) * x + (at.y - a.y) * y) / size : 0;
        part = fmin(fmax(part, 0), 1);
        double off = hypot(a.x + part * x - at.x, a.y + part * y - at.y);
        if (off >= least) continue;
        least = off;
        best = i;
    }
    return best;
}

/* Round a polygon from the tail to the head. */
static void wrap_polygon(cab_sketch *sketch, const cab_planar_view *view, const cab_planar_joint *j,
                         const cab_pen *pen)
{
    cab_vec2 outline[OUTLINE], points[OUTLINE + 2];
    cab_vec2 tail = place_of(view, j->tail), head = place_of(view, j->head);
    double width = view->scene->cables[j->cable].def.radius;
    int count = outline_of(view, j->body, j->radius, outline), made = 0;
    int from = side_of(outline, count, tail), to = side_of(outline, count, head);
    bool around = from == to && j->stored > hypot(head.x - tail.x, head.y - tail.y) + width;
    points[made++] = tail;
    for (int i = 0; (from != to || (around && i == 0)) && i < count; i++) {
        if (j->spin > 0) from = (from + 1) % count;
        points[made++] = outline[from];
        if (j->spin <= 0) from = (from + count - 1) % count;
    }
    points[made++] = head;
    cab_sketch_path(sketch, pen, points, made);
}

static void wrap_circle(cab_sketch *sketch, const cab_planar_view *view, const cab_planar_joint *j,
                        const cab_pen *pen)
{
    cab_vec2 tail = place_of(view, j->tail), head = place_of(view, j->head);
    cab_vec2 middle = place_of(view, view->bodies[j->body].position);
    double radius = hypot(tail.x - middle.x, tail.y - middle.y), spin = j->spin;
    double start = atan2(tail.y - middle.y, tail.x - middle.x);
    double turn = spin * (atan2(head.y - middle.y, head.x - middle.x) - start);
    turn -= 2 * PI * floor(turn / (2 * PI));
    if (2 * PI - turn < 1e-6) turn = 0;
    if (j->stored > radius * (turn + PI)) cab_sketch_circle(sketch, pen, middle, radius); /* whole turns */
    if (turn > 0) cab_sketch_arc(sketch, pen, middle, radius, start, spin * turn);
}

/* All turns of a reel that thickens, from where the cable leaves it inwards: round a circle a spiral. */
static void draw_spool(cab_sketch *sketch, const cab_planar_view *view, const cab_planar_joint *j,
                       const cab_pen *pen)
{
    enum { PIECES = 32 /* of a turn */ };
    const cab_planar_body_def *def = &view->scene->bodies[j->body].def;
    double half = view->scene->cables[j->cable].def.radius, r = j->radius;
    cab_vec2 middle = place_of(view, view->bodies[j->body].position), at = place_of(view, j->head);
    cab_vec2 points[OUTLINE + PIECES + 1];
    int way = j->has_segment ? j->spin : -j->spin;
    double angle = atan2(at.y - middle.y, at.x - middle.x);
    for (; r >= def->radius + half; r -= 2 * half) {
        for (int i = 0; i <= PIECES; i++) {
            double turn = angle + way * 2 * PI * i / PIECES;
            double now = fmax(r - 2 * half * i / PIECES, def->radius + half);
            points[i] = (cab_vec2){middle.x + now * cos(turn), middle.y + now * sin(turn)};
        }
        if (!def->corner_count) {
            cab_sketch_curve(sketch, pen, points, PIECES + 1);
            continue;
        }
        int count = outline_of(view, j->body, r, points);
        points[count] = points[0];
        cab_sketch_path(sketch, pen, points, count + 1);
    }
}

/* The joint before in the cable, whose last one is before the first of a loop; -1 = none. */
static int joint_before(const cab_planar_view *view, int index)
{
    int cable = view->joints[index].cable;
    if (!view->joints[index].has_segment) return -1;
    if (index > 0 && view->joints[index - 1].cable == cable) return index - 1;
    while (index + 1 < view->joint_count && view->joints[index + 1].cable == cable) index++;
    return index;
}

/* And the one after, the end of the segment that begins here. */
static int joint_after(const cab_planar_view *view, int index)
{
    int cable = view->joints[index].cable;
    if (index + 1 < view->joint_count && view->joints[index + 1].cable == cable) return index + 1;
    while (index > 0 && view->joints[index - 1].cable == cable) index--;
    return view->joints[index].has_segment ? index : -1;
}

/* Smooth through the points that it hangs by. */
static void draw_slack(cab_sketch *sketch, const cab_planar_view *view, int first, int count,
                       const cab_pen *pen)
{
    cab_vec2 points[CAB_PLANAR_MAX_PIECES + 1];
    cab_pen raised = *pen;
    raised.lift = (float)(2 * view->unit); /* else the outlines that it lies on would hide it */
    for (int i = 0; i < count; i++) points[i] = place_of(view, view->points[first + i]);
    cab_sketch_curve(sketch, &raised, points, count);
}

/* `point` is the first of its segment's. */
static void draw_cable(cab_sketch *sketch, const cab_planar_view *view, int index, int point)
{
    const cab_planar_joint *j = &view->joints[index];
    int before = joint_before(view, index), after = joint_after(view, index);
    double tension = before >= 0 ? j->tension : after >= 0 ? view->joints[after].tension : 0;
    cab_pen pen = {.radius = (float)view->scene->cables[j->cable].def.radius, .valued = true};
    unsigned char rgba[4];
    cab_palette(j->cable, rgba);
    memcpy(pen.colour, rgba, sizeof pen.colour);
    pen.value_from = pen.value_to = (float)tension;
    if (j->points)
        draw_slack(sketch, view, point, j->points, &pen);
    else if (before >= 0)
        cab_sketch_line(sketch, &pen, place_of(view, view->joints[before].head), place_of(view, j->tail));
    if (j->kind == CAB_PLANAR_LINK_POINT || j->body >= view->scene->body_count || j->spin == 0) return;
    if (after >= 0) pen.value_to = (float)view->joints[after].tension;
    double bare = view->scene->bodies[j->body].def.radius + view->scene->cables[j->cable].def.radius;
    if (j->kind == CAB_PLANAR_LINK_REEL && j->radius > bare)
        draw_spool(sketch, view, j, &pen);
    else if (view->scene->bodies[j->body].def.corner_count)
        wrap_polygon(sketch, view, j, &pen);
    else
        wrap_circle(sketch, view, j, &pen);
}

static cab_joint_colour colour_of(const cab_planar_joint *j)
{
    if (j->middle) return CAB_JOINT_PINCH_MIDDLE;
    if (j->pinched) return CAB_JOINT_PINCH;
    return j->kind == CAB_PLANAR_LINK_POINT ? CAB_JOINT_ATTACHED : CAB_JOINT_ROLLING;
}

static void draw_joint(cab_sketch *sketch, const cab_planar_view *view, const cab_planar_joint *j)
{
    double width = view->scene->cables[j->cable].def.radius, size = fmax(1.5 * width, 1.2 * view->unit);
    cab_joint_colour colour = colour_of(j);
    size *= j->middle    ? 1.45
            : j->pinched ? 1.2
                         : 1; /* joints at one place are seen as the pinch that they make */
    cab_pen pen = pen_of(size, joints[colour].colour, size);
    cab_sketch_dot(sketch, &pen, place_of(view, j->tail));
    if (colour == CAB_JOINT_ROLLING) cab_sketch_dot(sketch, &pen, place_of(view, j->head));
}

static void draw_contact(cab_sketch *sketch, const cab_planar_view *view, const cab_planar_contact *c)
{
    cab_pen pen = pen_of(1.2 * view->unit, contact, 2 * view->unit);
    for (int i = 0; i < c->count; i++)
        if (c->impulse[i] > 0) cab_sketch_dot(sketch, &pen, place_of(view, c->point[i]));
}

/* The spring that pulls a body. */
static void draw_pull(cab_sketch *sketch, const cab_planar_view *view)
{
    const cab_planar_body *body = &view->bodies[view->pulled];
    cab_pen line = pen_of(0.5 * view->unit, pull, 0.8), dot = pen_of(1.5 * view->unit, pull, 0.8);
    cab_vec2 hold = turned(view->hold, body->angle);
    cab_vec2 from = place_of(view, (double[2]){body->position[0] + hold.x, body->position[1] + hold.y});
    cab_vec2 to = place_of(view, (double[2]){view->target.x, view->target.y});
    cab_sketch_zigzag(sketch, &line, from, to, 2.5 * view->unit, 6);
    cab_sketch_dot(sketch, &dot, to);
}

void cab_sketch_planar(cab_sketch *sketch, const cab_planar_view *view)
{
    for (int i = 0; i < view->scene->body_count; i++) draw_body(sketch, view, i);
    for (int i = 0, point = 0; i < view->joint_count; point += view->joints[i].points, i++)
        draw_cable(sketch, view, i, point);
    for (int i = 0; i < view->joint_count; i++) draw_joint(sketch, view, &view->joints[i]);
    for (int i = 0; i < view->contact_count; i++) draw_contact(sketch, view, &view->contacts[i]);
    if (view->pulled >= 0) draw_pull(sketch, view);
}

#include "study/planar/outline.h"

#include <math.h>

#define PI 3.14159265358979323846

cab_vec2 cab_planar_turned(cab_vec2 v, double angle)
{
    double c = cos(angle), s = sin(angle);
    return (cab_vec2){c * v.x - s * v.y, s * v.x + c * v.y};
}

cab_vec2 cab_planar_centre(const cab_planar_body_def *def, const cab_planar_body *at_start)
{
    cab_vec2 way = {at_start->position[0] - def->position[0], at_start->position[1] - def->position[1]};
    return cab_planar_turned(way, -def->angle);
}

cab_vec2 cab_planar_corner(const cab_placed_body *body, int corner)
{
    const cab_planar_body_def *def = body->def;
    const double *at = def->corners[(corner + def->corner_count) % def->corner_count];
    cab_vec2 way = cab_planar_turned((cab_vec2){at[0] - body->centre.x, at[1] - body->centre.y}, body->angle);
    return (cab_vec2){body->at.x + way.x, body->at.y + way.y};
}

int cab_planar_outline(const cab_placed_body *body, double around, cab_vec2 points[CAB_OUTLINE_POINTS])
{
    int corners = body->def->corner_count, count = 0;
    for (int i = 0; i < corners; i++) {
        cab_vec2 a = cab_planar_corner(body, i - 1), b = cab_planar_corner(body, i),
                 c = cab_planar_corner(body, i + 1);
        double from = atan2(a.x - b.x, b.y - a.y), to = atan2(b.x - c.x, c.y - b.y); /* of the normals */
        double turn = remainder(to - from, 2 * PI);
        int pieces = around > 0 ? CAB_OUTLINE_CORNER : 0;
        for (int k = 0; k <= pieces; k++) {
            double angle = from + (pieces ? turn * k / pieces : 0);
            points[count++] = (cab_vec2){b.x + around * cos(angle), b.y + around * sin(angle)};
        }
    }
    return count;
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

int cab_planar_wrap(const cab_placed_body *body, const cab_planar_joint *joint, cab_vec2 tail, cab_vec2 head,
                    double width, cab_vec2 points[CAB_OUTLINE_POINTS + 2])
{
    cab_vec2 outline[CAB_OUTLINE_POINTS];
    int count = cab_planar_outline(body, joint->radius, outline), made = 0;
    int from = side_of(outline, count, tail), to = side_of(outline, count, head);
    bool around = from == to && joint->stored > hypot(head.x - tail.x, head.y - tail.y) + width;
    points[made++] = tail;
    for (int i = 0; (from != to || (around && i == 0)) && i < count; i++) {
        if (joint->spin > 0) from = (from + 1) % count;
        points[made++] = outline[from];
        if (joint->spin <= 0) from = (from + count - 1) % count;
    }
    points[made++] = head;
    return made;
}

cab_planar_arc cab_planar_wrap_circle(const cab_planar_joint *joint, cab_vec2 middle, cab_vec2 tail,
                                      cab_vec2 head)
{
    double radius = hypot(tail.x - middle.x, tail.y - middle.y), spin = joint->spin;
    double start = atan2(tail.y - middle.y, tail.x - middle.x);
    double turn = spin * (atan2(head.y - middle.y, head.x - middle.x) - start);
    turn -= 2 * PI * floor(turn / (2 * PI));
    if (2 * PI - turn < 1e-6) turn = 0;
    return (cab_planar_arc){radius, start, turn, joint->stored > radius * (turn + PI)};
}

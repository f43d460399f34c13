/* A planar scene as points and cells: bodies as the faces of their outlines, cables as lines along their segments and
 * round the bodies that they are wrapped on. */
#include <math.h>

#include "base/error.h"
#include "study/planar/outline.h"
#include "study/planar/study.h"

#define TURN 6.283185307179586
enum { CIRCLE = 64 /* pieces of a turn */ };

typedef cab_planar_study_state state;

/* Points and cells while they are made; with `position` NULL they are only counted. */
typedef struct shape {
    const state *s;
    cab_polydata *data;
    double *position, *velocity, *tension, *radius; /* as in the moment */
    int *number;                                    /* of cells: cables, then bodies */
    int points, lines, faces, line_corners, face_corners;
} shape;

/* Numbers of a point. */
typedef struct pen {
    double vx, vy, tension, radius;
} pen;

static void put_point(shape *p, cab_vec2 at, const pen *with)
{
    int i = p->points++;
    if (!p->position) return;
    p->position[3 * i] = at.x;
    p->position[3 * i + 1] = at.y;
    p->velocity[3 * i] = with->vx;
    p->velocity[3 * i + 1] = with->vy;
    p->tension[i] = with->tension;
    p->radius[i] = with->radius;
}

static cab_placed_body placed(const state *s, int body)
{
    const cab_planar_body *now = &s->bodies[body];
    return (cab_placed_body){&s->scenes[0]->bodies[body].def, s->centres[body],
                             (cab_vec2){now->position[0], now->position[1]}, now->angle};
}

/* ---- bodies ---- */

static void put_corner(shape *p, const cab_planar_body *body, cab_vec2 at)
{
    double x = at.x - body->position[0], y = at.y - body->position[1];
    pen with = {.vx = body->velocity[0] - body->spin * y, .vy = body->velocity[1] + body->spin * x};
    if (p->position) p->data->faces.corner[p->face_corners] = p->points;
    p->face_corners++;
    put_point(p, at, &with);
}

static void put_body(shape *p, int index)
{
    cab_placed_body body = placed(p->s, index);
    const cab_planar_body *now = &p->s->bodies[index];
    cab_vec2 points[CAB_OUTLINE_POINTS];
    int count = body.def->corner_count ? cab_planar_outline(&body, body.def->radius, points) : 0;
    for (int i = 0; i < count; i++) put_corner(p, now, points[i]);
    for (int i = 0; i < CIRCLE && count == 0; i++) {
        cab_vec2 way = cab_planar_turned((cab_vec2){body.def->radius, 0}, now->angle + TURN * i / CIRCLE);
        put_corner(p, now, (cab_vec2){body.at.x + way.x, body.at.y + way.y});
    }
    if (p->position) p->data->faces.end[p->faces] = p->face_corners;
    p->faces++;
}

/* ---- cables ---- */

static void put_on_line(shape *p, cab_vec2 at, const pen *with)
{
    if (p->position) p->data->lines.corner[p->line_corners] = p->points;
    p->line_corners++;
    put_point(p, at, with);
}

static void put_arc(shape *p, const cab_planar_joint *j, cab_vec2 middle, double from, double turn,
                    double radius, const pen *with)
{
    int pieces = (int)ceil(CIRCLE * turn / TURN);
    for (int i = 1; i < pieces; i++) {
        double angle = from + j->spin * turn * i / pieces;
        put_on_line(p, (cab_vec2){middle.x + radius * cos(angle), middle.y + radius * sin(angle)}, with);
    }
}

/* Between the tail and the head of a joint, both left out. Of whole turns one is shown. */
static void put_wrap(shape *p, const cab_planar_joint *j, const pen *with)
{
    if (j->kind == CAB_PLANAR_LINK_POINT || j->body >= p->s->scenes[0]->body_count || j->spin == 0) return;
    cab_placed_body body = placed(p->s, j->body);
    cab_vec2 tail = {j->tail[0], j->tail[1]}, head = {j->head[0], j->head[1]};
    if (body.def->corner_count) {
        cab_vec2 points[CAB_OUTLINE_POINTS + 2];
        int count = cab_planar_wrap(&body, j, tail, head, with->radius, points);
        for (int i = 1; i + 1 < count; i++) put_on_line(p, points[i], with);
        return;
    }
    cab_planar_arc arc = cab_planar_wrap_circle(j, body.at, tail, head);
    if (arc.whole) put_arc(p, j, body.at, arc.start, TURN, arc.radius, with);
    if (arc.whole) put_on_line(p, tail, with);
    put_arc(p, j, body.at, arc.start, arc.turn, arc.radius, with);
}

static pen pen_of(const state *s, const cab_planar_joint *j, double tension)
{
    return (pen){.tension = tension, .radius = s->scenes[0]->cables[j->cable].def.radius};
}

/* The segment that leads to a joint, without its start: what it hangs by, and the joint's tail. */
static void put_segment(shape *p, const cab_planar_joint *j, int point)
{
    pen with = pen_of(p->s, j, j->tension);
    for (int i = 1; i + 1 < j->points; i++) {
        const double *at = p->s->points[point + i];
        put_on_line(p, (cab_vec2){at[0], at[1]}, &with);
    }
    put_on_line(p, (cab_vec2){j->tail[0], j->tail[1]}, &with);
}

/* From a joint's tail to its head. */
static void put_link(shape *p, const cab_planar_joint *j, double tension)
{
    pen with = pen_of(p->s, j, tension);
    put_wrap(p, j, &with);
    if (j->head[0] != j->tail[0] || j->head[1] != j->tail[1])
        put_on_line(p, (cab_vec2){j->head[0], j->head[1]}, &with);
}

static void end_line(shape *p, int cable)
{
    if (p->position) {
        p->data->lines.end[p->lines] = p->line_corners;
        p->number[p->lines] = cable;
    }
    p->lines++;
}

/* Joints `first` to `last` are a cable's; `point` is the first of the points that its segments hang by. A loop begins
 * at the first joint's tail and ends there, with the segment that leads to it. */
static int put_cable(shape *p, int first, int last, int point)
{
    const cab_planar_joint *joints = p->s->joints;
    const cab_planar_joint *start = &joints[first];
    pen with = pen_of(p->s, start, start->has_segment ? start->tension : joints[first + 1].tension);
    int begin = point;
    put_on_line(p, (cab_vec2){start->tail[0], start->tail[1]}, &with);
    for (int i = first; i <= last; i++) {
        const cab_planar_joint *j = &joints[i];
        if (i > first) put_segment(p, j, point);
        put_link(p, j, i > first ? j->tension : with.tension);
        point += j->points;
    }
    if (start->has_segment) put_segment(p, start, begin);
    end_line(p, start->cable);
    return point;
}

static void put_cables(shape *p)
{
    const state *s = p->s;
    for (int first = 0, point = 0, last; first < s->joint_count; first = last + 1) {
        last = first;
        while (last + 1 < s->joint_count && s->joints[last + 1].cable == s->joints[first].cable) last++;
        point = put_cable(p, first, last, point);
    }
}

static void put_all(shape *p)
{
    p->points = p->lines = p->faces = p->line_corners = p->face_corners = 0;
    put_cables(p);
    for (int i = 0; i < p->s->stats.bodies; i++) put_body(p, i);
}

cab_status cab_planar_study_fill(const cab_study *study, cab_polydata *data, cab_error *error)
{
    shape p = {.s = (const state *)study, .data = data};
    put_all(&p);
    size_t points = (size_t)p.points;
    double *position = cab_polydata_allocate(data, 3 * points, sizeof *position, error);
    if (position) p.velocity = cab_polydata_allocate(data, 3 * points, sizeof *p.velocity, error);
    if (p.velocity) p.tension = cab_polydata_allocate(data, points, sizeof *p.tension, error);
    if (p.tension) p.radius = cab_polydata_allocate(data, points, sizeof *p.radius, error);
    if (p.radius)
        p.number = cab_polydata_allocate(data, (size_t)(p.lines + p.faces), sizeof *p.number, error);
    cab_status status = p.number ? CAB_OK : CAB_ERROR_MEMORY;
    if (!status) status = cab_polydata_make_cells(data, &data->lines, p.lines, p.line_corners, error);
    if (!status) status = cab_polydata_make_cells(data, &data->faces, p.faces, p.face_corners, error);
    if (status) return status;
    p.position = position;
    put_all(&p);
    for (int i = 0; i < p.faces; i++) p.number[p.lines + i] = p.lines + i;
    data->points = p.points;
    data->position = position;
    data->scalars = "tension";
    data->vectors = "velocity";
    data->point_arrays[0] = (cab_polydata_array){"velocity", 3, .doubles = p.velocity};
    data->point_arrays[1] = (cab_polydata_array){"tension", 1, .doubles = p.tension};
    data->point_arrays[2] = (cab_polydata_array){"radius", 1, .doubles = p.radius};
    data->cell_arrays[0] = (cab_polydata_array){"cable", 1, .ints = p.number};
    return CAB_OK;
}

/* A system of particles as a drawing: particles as dots whose volume goes by the mass, rods, springs as
 * zigzags, wires and lines thin, fixed points in a ring, angular springs as arcs; arrows are what all of
 * these do to a particle, six of its radii for the weight of one of mean mass. */
#include <math.h>
#include <stdlib.h>

#include "study/particles/parts.h"
#include "study/particles/study.h"
#include "view/study/study.h"

#define PART_OF_ALL 0.012 /* radius of a particle, of the way across the system */
#define PART_OF_LINK 0.22 /* and of a mean rod or spring at most */
#define LINE_PART 0.12    /* what of the way across a line is drawn to either side */
#define WEIGHT_LENGTH 6   /* of an arrow, in radii, for the weight of a particle of mean mass */
#define ARROW_MOST 30     /* in radii; longer ones are cut */
#define ARROW_LEAST 1     /* in radii; shorter ones are left out */
#define GRAVITY 9.81      /* m/s^2, whatever the scene's is: a measure for arrows */

/* What all strokes of one drawing need. */
typedef struct drawing {
    cab_sketch *sketch;
    const cab_particles_def *system;
    const cab_vec2 *x, *v;
    double unit;
    double newton; /* m; what an arrow is long for 1 N */
} drawing;

static const unsigned char blue[3] = {0, 114, 178}, dark[3] = {70, 76, 84}, orange[3] = {225, 130, 30},
                           green[3] = {0, 145, 110}, purple[3] = {150, 90, 160}, red[3] = {205, 60, 45};

static cab_pen pen_of(const drawing *d, double radius, const unsigned char colour[3], double lift)
{
    return cab_pen_of(radius * d->unit, colour, lift * d->unit);
}

static double distance(cab_vec2 a, cab_vec2 b)
{
    return hypot(b.x - a.x, b.y - a.y);
}

static cab_vec2 along(cab_vec2 from, cab_vec2 way, double length)
{
    return (cab_vec2){from.x + way.x * length, from.y + way.y * length};
}

static void take_in(cab_vec2 *lo, cab_vec2 *hi, cab_vec2 at, double around)
{
    *lo = (cab_vec2){fmin(lo->x, at.x - around), fmin(lo->y, at.y - around)};
    *hi = (cab_vec2){fmax(hi->x, at.x + around), fmax(hi->y, at.y + around)};
}

/* At least the whole curve: from a place within it no point of it is further than the mean of both sums. */
static void take_in_foci(cab_vec2 *lo, cab_vec2 *hi, const cab_particle_constraint_def *c)
{
    cab_vec2 inside;
    double sum;
    cab_p_inside_foci(c->foci, c->focus_count, c->length, &inside, &sum);
    take_in(lo, hi, inside, (sum + c->length) / c->focus_count);
}

/* From corner to corner of all that has a place, m. */
static double reach(const cab_particles_def *s)
{
    cab_vec2 lo = {INFINITY, INFINITY}, hi = {-INFINITY, -INFINITY};
    for (int i = 0; i < s->particle_count; i++) take_in(&lo, &hi, s->particles[i].position, 0);
    for (int i = 0; i < s->constraint_count; i++) {
        const cab_particle_constraint_def *c = &s->constraints[i];
        bool wire = c->kind >= CAB_PARTICLE_CIRCLE_SQUARED && c->kind <= CAB_PARTICLE_ELLIPSE;
        if (wire) take_in(&lo, &hi, c->point, c->length);
        if (c->kind == CAB_PARTICLE_N_ELLIPSE) take_in_foci(&lo, &hi, c);
    }
    double size = distance(lo, hi);
    return size > 0 && isfinite(size) ? size : 1;
}

/* The radius of a particle of mean mass, m: it suits how far all reaches at the start and how close they are. */
static double unit(const cab_study *study)
{
    const cab_particles_def *s = &((const cab_particles_study_state *)study)->scene.system;
    double all = reach(s), sum = 0;
    int links = 0;
    for (int i = 0; i < s->constraint_count; i++) {
        if (s->constraints[i].kind > CAB_PARTICLE_ROD) continue;
        sum += s->constraints[i].length;
        links++;
    }
    for (int i = 0; i < s->force_count; i++) {
        const cab_particle_force_def *f = &s->forces[i];
        if (f->kind != CAB_PARTICLE_SPRING) continue;
        sum += distance(s->particles[f->particles[0]].position, s->particles[f->particles[1]].position);
        links++;
    }
    double wanted = PART_OF_ALL * all, close = links ? PART_OF_LINK * sum / links : wanted;
    return close > 0 ? fmin(wanted, close) : wanted;
}

/* |x - focus| + |x - focus2| = length. */
static void draw_ellipse(const drawing *d, const cab_particle_constraint_def *c)
{
    enum { POINTS = 97 };
    cab_vec2 points[POINTS], middle = {(c->point.x + c->point2.x) / 2, (c->point.y + c->point2.y) / 2};
    double a = c->length / 2, focus = distance(c->point, c->point2) / 2, b = sqrt(a * a - focus * focus);
    cab_vec2 way = {1, 0};
    if (focus > 0) way = (cab_vec2){(c->point2.x - middle.x) / focus, (c->point2.y - middle.y) / focus};
    for (int i = 0; i < POINTS; i++) {
        double angle = 2 * M_PI * i / (POINTS - 1);
        points[i] = along(along(middle, way, a * cos(angle)), (cab_vec2){-way.y, way.x}, b * sin(angle));
    }
    cab_pen pen = pen_of(d, 0.14, dark, 0);
    cab_sketch_curve(d->sketch, &pen, points, POINTS);
}

/* The sum of the distances to all foci = length. */
static void draw_n_ellipse(const drawing *d, const cab_particle_constraint_def *c)
{
    enum { POINTS = 97 };
    cab_vec2 points[POINTS], inside;
    double sum;
    cab_p_inside_foci(c->foci, c->focus_count, c->length, &inside, &sum);
    for (int i = 0; i < POINTS; i++) {
        double angle = 2 * M_PI * i / (POINTS - 1);
        cab_vec2 way = {cos(angle), sin(angle)};
        points[i] = along(inside, way, cab_p_foci_radius(c->foci, c->focus_count, c->length, inside, way));
    }
    cab_pen pen = pen_of(d, 0.14, dark, 0);
    cab_sketch_curve(d->sketch, &pen, points, POINTS);
}

static void draw_line(const drawing *d, const cab_particle_constraint_def *c)
{
    double size = hypot(c->direction.x, c->direction.y), half = LINE_PART * reach(d->system);
    cab_vec2 way = {c->direction.x / size, c->direction.y / size}, at = d->x[c->particles[0]];
    double place = (at.x - c->point.x) * way.x + (at.y - c->point.y) * way.y;
    cab_vec2 foot = along(c->point, way, place);
    cab_pen pen = pen_of(d, 0.14, dark, 0);
    cab_sketch_line(d->sketch, &pen, along(foot, way, -half), along(foot, way, half));
}

static void draw_constraint(const drawing *d, const cab_particle_constraint_def *c)
{
    cab_pen rod = pen_of(d, 0.3, dark, 0), wire = pen_of(d, 0.14, dark, 0), ring = pen_of(d, 0.3, red, 0.4);
    switch (c->kind) {
    case CAB_PARTICLE_ROD_SQUARED:
    case CAB_PARTICLE_ROD:
        cab_sketch_line(d->sketch, &rod, d->x[c->particles[0]], d->x[c->particles[1]]);
        break;
    case CAB_PARTICLE_CIRCLE_SQUARED:
    case CAB_PARTICLE_CIRCLE:
        cab_sketch_circle(d->sketch, &wire, c->point, c->length);
        break;
    case CAB_PARTICLE_ELLIPSE:
        draw_ellipse(d, c);
        break;
    case CAB_PARTICLE_POINT:
        cab_sketch_circle(d->sketch, &ring, c->point, 1.5 * d->unit);
        break;
    case CAB_PARTICLE_LINE:
        draw_line(d, c);
        break;
    case CAB_PARTICLE_N_ELLIPSE:
        draw_n_ellipse(d, c);
        break;
    case CAB_PARTICLE_CONSTRAINT_KINDS:
        break;
    }
}

/* The angle from the first ray on, -pi to pi. */
static double angle_of(const drawing *d, const cab_particle_force_def *f)
{
    cab_vec2 m = d->x[f->particles[1]], a = d->x[f->particles[0]], b = d->x[f->particles[2]];
    return remainder(atan2(b.y - m.y, b.x - m.x) - atan2(a.y - m.y, a.x - m.x), 2 * M_PI);
}

static void draw_arrow(const drawing *d, cab_vec2 at, cab_vec2 force)
{
    cab_pen pen = pen_of(d, 0.2, red, 0.6);
    double size = hypot(force.x, force.y), length = size * d->newton;
    if (!(length >= ARROW_LEAST * d->unit)) return;
    length = fmin(length, ARROW_MOST * d->unit);
    cab_sketch_arrow(d->sketch, &pen, at, along(at, force, length / size), 1.2 * d->unit);
}

static void draw_angle(const drawing *d, const cab_particle_force_def *f)
{
    cab_pen pen = pen_of(d, 0.2, purple, 0.3);
    cab_vec2 a = d->x[f->particles[0]], m = d->x[f->particles[1]], b = d->x[f->particles[2]];
    double radius = 0.4 * fmin(distance(m, a), distance(m, b));
    cab_sketch_arc(d->sketch, &pen, m, radius, atan2(a.y - m.y, a.x - m.x), angle_of(d, f));
}

/* What all angular springs together do to each particle: each one by itself, of a hair that bends, nearly
 * cancels its neighbours. */
static void draw_angle_forces(const drawing *d)
{
    const cab_particles_def *s = d->system;
    cab_vec2 *sum = calloc((size_t)s->particle_count + 1, sizeof *sum);
    for (int i = 0; sum && i < s->force_count; i++) {
        const cab_particle_force_def *f = &s->forces[i];
        cab_vec2 x[3], v[3], force[3];
        if (f->kind == CAB_PARTICLE_SPRING || f->kind == CAB_PARTICLE_EXPRESSION) continue;
        for (int k = 0; k < 3; k++) {
            x[k] = d->x[f->particles[k]];
            v[k] = d->v[f->particles[k]];
        }
        cab_p_angle_forces(f, s->settings.guard, x, v, force);
        for (int k = 0; k < 3; k++) sum[f->particles[k]] = along(sum[f->particles[k]], force[k], 1);
    }
    for (int i = 0; sum && i < s->particle_count; i++) draw_arrow(d, d->x[i], sum[i]);
    free(sum);
}

static void draw_force(const drawing *d, const cab_particle_force_def *f)
{
    cab_pen spring = pen_of(d, 0.2, orange, 0);
    if (f->kind == CAB_PARTICLE_SPRING)
        cab_sketch_zigzag(d->sketch, &spring, d->x[f->particles[0]], d->x[f->particles[1]], 1.8 * d->unit, 8);
    else if (f->kind != CAB_PARTICLE_EXPRESSION)
        draw_angle(d, f);
}

static double mean_mass(const cab_particles_def *s)
{
    double mass = 0;
    for (int i = 0; i < s->particle_count; i++) mass += s->particles[i].mass / s->particle_count;
    return mass;
}

static void draw_particles(const drawing *d)
{
    const cab_particles_def *s = d->system;
    double mass = mean_mass(s);
    for (int i = 0; i < s->particle_count; i++) {
        double size = fmin(fmax(cbrt(s->particles[i].mass / mass), 0.5), 2.5);
        cab_pen pen = pen_of(d, size, blue, 0);
        cab_sketch_dot(d->sketch, &pen, d->x[i]);
    }
}

static void draw_hand(const drawing *d, const cab_p_hand *hand)
{
    cab_pen line = pen_of(d, 0.2, green, 0.6), dot = pen_of(d, 0.7, green, 0.6);
    cab_sketch_zigzag(d->sketch, &line, d->x[hand->particle], hand->point, 1.2 * d->unit, 6);
    cab_sketch_dot(d->sketch, &dot, hand->point);
}

static cab_status draw(cab_study *study, double size, cab_sketch *sketch, cab_error *error)
{
    cab_particles_study_state *s = (cab_particles_study_state *)study;
    const cab_particles_def *system = &s->system;
    cab_status status = cab_particles_read(s->particles, 0, s->x, s->v, error);
    if (status) return status;
    drawing d = {sketch, system, s->x, s->v, size, WEIGHT_LENGTH * size / (mean_mass(system) * GRAVITY)};
    for (int i = 0; i < system->constraint_count; i++) draw_constraint(&d, &system->constraints[i]);
    for (int i = 0; i < system->force_count; i++) draw_force(&d, &system->forces[i]);
    draw_angle_forces(&d);
    draw_particles(&d);
    for (int i = 0; i < CAB_PARTICLES_HANDS; i++)
        if (s->hands[i].holds) draw_hand(&d, &s->hands[i]);
    return CAB_OK;
}

static int name_count(const void *self, cab_paint paint)
{
    (void)self, (void)paint;
    return 0;
}

const cab_study_drawing cab_particles_drawing = {
    .kind = &cab_particles_study,
    .subject = {.load = cab_shown_study_load,
                .update = cab_shown_study_update,
                .clock = cab_shown_study_clock,
                .name_count = name_count},
    .unit = unit,
    .draw = draw,
};

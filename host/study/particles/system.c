/* Particles, forces and constraints of a scene. */
#include <math.h>

#include "io/scene_json.h"
#include "study/particles/parts.h"
#include "study/particles/read.h"

cab_status cab_p_read_particle(const cab_cursor *item, void *out)
{
    static const char *const keys[] = {"mass", "position", "velocity"};
    CAB_TRY(cab_cursor_check_keys(item, keys, CAB_COUNT(keys)));
    cab_particle_def *p = cab_p_add_particle(out, item->reader->error);
    if (!p) return item->reader->error->status;
    p->mass = 1;
    CAB_TRY(cab_p_read_number(item, "mass", &p->mass));
    CAB_TRY(cab_p_read_point(item, "position", true, &p->position));
    return cab_p_read_point(item, "velocity", false, &p->velocity);
}

/* Keys that a force of this kind has, beside "kind" and "particles". */
static cab_status check_force_keys(const cab_cursor *item, int kind)
{
    static const char *const spring[] = {"kind", "particles", "rest_length", "stiffness", "damping"};
    static const char *const angle[] = {"kind", "particles", "angle", "stiffness", "damping"};
    static const char *const own[] = {"kind", "particles", "fx", "fy"};
    if (kind == CAB_PARTICLE_SPRING) return cab_cursor_check_keys(item, spring, CAB_COUNT(spring));
    if (kind == CAB_PARTICLE_EXPRESSION) return cab_cursor_check_keys(item, own, CAB_COUNT(own));
    return cab_cursor_check_keys(item, angle, CAB_COUNT(angle));
}

static cab_status read_text(const cab_cursor *item, const char *key, const char **text)
{
    cab_cursor child = cab_cursor_key(item, key);
    return child.value ? cab_read_text(&child, "an expression of x, y, vx, vy, t, m", text) : CAB_OK;
}

cab_status cab_p_read_force(const cab_cursor *item, void *out)
{
    int kind = 0;
    cab_p_builder *b = out;
    cab_cursor word = cab_cursor_key(item, "kind");
    CAB_TRY(cab_read_word(&word, cab_p_force_words, CAB_PARTICLE_FORCE_KINDS, &kind));
    CAB_TRY(check_force_keys(item, kind));
    cab_particle_force_def *f = cab_p_add_force(b, item->reader->error);
    if (!f) return item->reader->error->status;
    f->kind = (cab_particle_force_kind)kind;
    if (kind == CAB_PARTICLE_EXPRESSION) {
        f->particles[0] = -1;
        if (cab_cursor_key(item, "particles").value) CAB_TRY(cab_p_read_indices(item, 1, 1, f->particles));
        CAB_TRY(read_text(item, "fx", &f->fx));
        return read_text(item, "fy", &f->fy);
    }
    int count = kind == CAB_PARTICLE_SPRING ? 2 : 3;
    CAB_TRY(cab_p_read_indices(item, count, count, f->particles));
    if (kind != CAB_PARTICLE_SPRING) CAB_TRY(cab_p_read_angle(item, &f->angle));
    CAB_TRY(cab_p_read_number(item, "rest_length", &f->rest_length));
    CAB_TRY(cab_p_read_number(item, "stiffness", &f->stiffness));
    return cab_p_read_number(item, "damping", &f->damping);
}

/* Keys of a constraint of this kind. */
static cab_status check_constraint_keys(const cab_cursor *item, int kind)
{
    static const char *const rod[] = {"kind", "particles", "length"};
    static const char *const circle[] = {"kind", "particles", "length", "point"};
    static const char *const ellipse[] = {"kind", "particles", "length", "point", "point2"};
    static const char *const point[] = {"kind", "particles", "point"};
    static const char *const line[] = {"kind", "particles", "point", "direction"};
    switch (kind) {
    case CAB_PARTICLE_ROD:
    case CAB_PARTICLE_ROD_SQUARED:
        return cab_cursor_check_keys(item, rod, CAB_COUNT(rod));
    case CAB_PARTICLE_ELLIPSE:
        return cab_cursor_check_keys(item, ellipse, CAB_COUNT(ellipse));
    case CAB_PARTICLE_POINT:
        return cab_cursor_check_keys(item, point, CAB_COUNT(point));
    case CAB_PARTICLE_LINE:
        return cab_cursor_check_keys(item, line, CAB_COUNT(line));
    default:
        return cab_cursor_check_keys(item, circle, CAB_COUNT(circle));
    }
}

/* Where the document leaves out a rod's length or a fixed point, it is that of the start. */
static cab_status place_constraint(const cab_cursor *item, const cab_p_builder *b,
                                   cab_particle_constraint_def *k)
{
    bool rod = k->kind == CAB_PARTICLE_ROD || k->kind == CAB_PARTICLE_ROD_SQUARED;
    int last = b->scene->system.particle_count - 1;
    bool known = k->particles[0] <= last && k->particles[1] <= last;
    const cab_particle_def *a = known ? &b->particles[k->particles[0]] : NULL;
    const cab_particle_def *c = known ? &b->particles[k->particles[1]] : NULL;
    cab_cursor length = cab_cursor_key(item, "length");
    if (rod && known && !length.value)
        k->length = hypot(a->position.x - c->position.x, a->position.y - c->position.y);
    else if (k->kind != CAB_PARTICLE_POINT && k->kind != CAB_PARTICLE_LINE)
        CAB_TRY(cab_read_number(&length, (cab_limit){-1e300, 1e300, false}, &k->length));
    if (rod) return CAB_OK;
    if (k->kind == CAB_PARTICLE_POINT && known) k->point = a->position;
    CAB_TRY(cab_p_read_point(item, "point", k->kind != CAB_PARTICLE_POINT, &k->point));
    if (k->kind == CAB_PARTICLE_ELLIPSE) CAB_TRY(cab_p_read_point(item, "point2", true, &k->point2));
    if (k->kind != CAB_PARTICLE_LINE) return CAB_OK;
    return cab_p_read_point(item, "direction", true, &k->direction);
}

cab_status cab_p_read_constraint(const cab_cursor *item, void *out)
{
    int kind = 0;
    cab_p_builder *b = out;
    cab_cursor word = cab_cursor_key(item, "kind");
    CAB_TRY(cab_read_word(&word, cab_p_constraint_words, CAB_PARTICLE_CONSTRAINT_KINDS, &kind));
    CAB_TRY(check_constraint_keys(item, kind));
    cab_particle_constraint_def *k = cab_p_add_constraint(b, item->reader->error);
    if (!k) return item->reader->error->status;
    k->kind = (cab_particle_constraint_kind)kind;
    int count = kind == CAB_PARTICLE_ROD || kind == CAB_PARTICLE_ROD_SQUARED ? 2 : 1;
    CAB_TRY(cab_p_read_indices(item, count, count, k->particles));
    return place_constraint(item, b, k);
}

/* Particles, forces and constraints of a scene. */
#include <math.h>

#include "study/particles/parts.h"
#include "study/particles/read.h"

cab_status cab_p_read_particle(const cab_cursor *item, void *builder)
{
    static const cab_key keys[] = {
        {CAB_VALUE(cab_particle_def, mass, CAB_P_ANY)},
        {CAB_PAIR(cab_particle_def, position, CAB_LIMIT_COORDINATE, CAB_NEEDED)},
        {CAB_PAIR(cab_particle_def, velocity, CAB_LIMIT_COORDINATE)},
    };
    CAB_TRY(cab_check_object(item, keys, CAB_COUNT(keys)));
    cab_particle_def *p = cab_p_add_particle(builder, item->reader->error);
    if (!p) return item->reader->error->status;
    p->mass = 1;
    return cab_read_keys(item, keys, CAB_COUNT(keys), p);
}

/* What a force or a constraint of a kind has: particles, and keys. */
typedef struct form {
    int particles, key_count;
    cab_key keys[5];
} form;

#define FORCE(member) CAB_VALUE(cab_particle_force_def, member, CAB_P_ANY)
#define TEXT(member) CAB_TEXT(cab_particle_force_def, member, "an expression of x, y, vx, vy, t, m")

cab_status cab_p_read_force(const cab_cursor *item, void *builder)
{
    static const form spring = {
        2,
        5,
        {{.key = "kind"}, {.key = "particles"}, {FORCE(rest_length)}, {FORCE(stiffness)}, {FORCE(damping)}}};
    static const form angular = {3,
                                 5,
                                 {{.key = "kind"},
                                  {.key = "particles"},
                                  {CAB_READ(cab_particle_force_def, angle, cab_p_read_angle)},
                                  {FORCE(stiffness)},
                                  {FORCE(damping)}}};
    static const form own = {1, 4, {{.key = "kind"}, {.key = "particles"}, {TEXT(fx)}, {TEXT(fy)}}};
    int kind = 0;
    cab_cursor word = cab_cursor_key(item, "kind");
    CAB_TRY(cab_read_word(&word, cab_p_force_words, CAB_PARTICLE_FORCE_KINDS, &kind));
    const form *has = kind == CAB_PARTICLE_SPRING       ? &spring
                      : kind == CAB_PARTICLE_EXPRESSION ? &own
                                                        : &angular;
    CAB_TRY(cab_check_object(item, has->keys, has->key_count));
    cab_particle_force_def *f = cab_p_add_force(builder, item->reader->error);
    if (!f) return item->reader->error->status;
    f->kind = (cab_particle_force_kind)kind;
    if (has == &angular) f->angle = CAB_P_RADIANS(180.0);
    if (has == &own && !cab_cursor_key(item, "particles").value)
        f->particles[0] = -1;
    else
        CAB_TRY(cab_p_read_indices(item, has->particles, f->particles));
    return cab_read_keys(item, has->keys, has->key_count, f);
}

#define LENGTH(...) CAB_VALUE(cab_particle_constraint_def, length, __VA_ARGS__)
#define POINT(member, ...) CAB_PAIR(cab_particle_constraint_def, member, __VA_ARGS__)
#define PLACE(member) CAB_PAIR(cab_particle_constraint_def, member, CAB_LIMIT_COORDINATE, CAB_NEEDED)

static const form rod = {2, 3, {{.key = "kind"}, {.key = "particles"}, {LENGTH(CAB_P_ANY)}}};
static const form circle = {
    1, 4, {{.key = "kind"}, {.key = "particles"}, {LENGTH(CAB_P_ANY, CAB_NEEDED)}, {PLACE(point)}}};
static const form ellipse = {1,
                             5,
                             {{.key = "kind"},
                              {.key = "particles"},
                              {LENGTH(CAB_P_ANY, CAB_NEEDED)},
                              {PLACE(point)},
                              {PLACE(point2)}}};
static const form point = {
    1, 3, {{.key = "kind"}, {.key = "particles"}, {POINT(point, CAB_LIMIT_COORDINATE)}}};
static const form line = {1, 4, {{.key = "kind"}, {.key = "particles"}, {PLACE(point)}, {PLACE(direction)}}};

static const cab_array_form foci = {
    1, CAB_P_ITEMS_MAX, sizeof(cab_vec2), "an array of at least one place", CAB_LIMIT_COORDINATE, NULL};
static const form n_ellipse = {
    1,
    4,
    {{.key = "kind"},
     {.key = "particles"},
     {CAB_ITEMS(cab_particle_constraint_def, foci, focus_count, &foci), CAB_NEEDED},
     {LENGTH(CAB_P_ANY)}}};

static const form *const constraints[CAB_PARTICLE_CONSTRAINT_KINDS] = {[CAB_PARTICLE_ROD_SQUARED] = &rod,
                                                                       [CAB_PARTICLE_ROD] = &rod,
                                                                       [CAB_PARTICLE_CIRCLE_SQUARED] =
                                                                           &circle,
                                                                       [CAB_PARTICLE_CIRCLE] = &circle,
                                                                       [CAB_PARTICLE_ELLIPSE] = &ellipse,
                                                                       [CAB_PARTICLE_POINT] = &point,
                                                                       [CAB_PARTICLE_LINE] = &line,
                                                                       [CAB_PARTICLE_N_ELLIPSE] = &n_ellipse};

/* Where the document leaves out a length that may be left out or a fixed point, it is that of the start; an
 * n-ellipse's foci have been read. */
static cab_status place_constraint(const cab_cursor *item, const cab_p_builder *b,
                                   cab_particle_constraint_def *k)
{
    bool is_rod = k->kind == CAB_PARTICLE_ROD || k->kind == CAB_PARTICLE_ROD_SQUARED;
    bool is_sum = k->kind == CAB_PARTICLE_N_ELLIPSE;
    int last = b->scene->system.particle_count - 1;
    bool known = k->particles[0] <= last && k->particles[1] <= last;
    cab_cursor length = cab_cursor_key(item, "length");
    if ((is_rod || is_sum) && !known && !length.value) return cab_read_number(&length, CAB_P_ANY, &k->length);
    if (!known) return CAB_OK;
    cab_vec2 a = b->particles[k->particles[0]].position, c = b->particles[k->particles[1]].position;
    if (is_rod && !length.value) k->length = hypot(a.x - c.x, a.y - c.y);
    if (is_sum && !length.value) k->length = cab_p_foci_sum(k->foci, k->focus_count, a);
    if (k->kind == CAB_PARTICLE_POINT && !cab_cursor_key(item, "point").value) k->point = a;
    return CAB_OK;
}

cab_status cab_p_read_constraint(const cab_cursor *item, void *builder)
{
    int kind = 0;
    cab_cursor word = cab_cursor_key(item, "kind");
    CAB_TRY(cab_read_word(&word, cab_p_constraint_words, CAB_PARTICLE_CONSTRAINT_KINDS, &kind));
    const form *has = constraints[kind];
    CAB_TRY(cab_check_object(item, has->keys, has->key_count));
    cab_particle_constraint_def *k = cab_p_add_constraint(builder, item->reader->error);
    if (!k) return item->reader->error->status;
    k->kind = (cab_particle_constraint_kind)kind;
    CAB_TRY(cab_p_read_indices(item, has->particles, k->particles));
    CAB_TRY(cab_read_keys(item, has->keys, has->key_count, k));
    return place_constraint(item, builder, k);
}

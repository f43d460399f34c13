#include "study/particles/scene.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/json/cursor.h"
#include "io/read_file.h"
#include "io/scene_json.h"

#ifndef ITEMS_MAX /* fuzzers set a lower one */
#define ITEMS_MAX 10000000
#endif
#define PI 3.14159265358979323846

static const cab_limit ANY = {-1e300, 1e300, false}; /* ranges are checked where a system is made */
static const cab_limit COORDINATE = {-1e6, 1e6, false};

/* What a part of a document is read into. */
typedef struct cab_p_builder {
    const char *file; /* for messages */
    cab_particles_scene *scene;
    cab_particle_def *particles;
    cab_particle_force_def *forces;
    cab_particle_constraint_def *constraints;
} cab_p_builder;

/* A list's room doubles when its count is a power of two. */
static void *append(const char *file, void *list, int *count, size_t size, cab_error *error)
{
    int n = *count;
    if (n >= ITEMS_MAX) {
        cab_fail(error, CAB_ERROR_INPUT, "%s: /particles: more than %d items of a kind", file, ITEMS_MAX);
        return NULL;
    }
    if ((n & (n - 1)) == 0) {
        void *bigger = realloc(list, (n ? 2 * (size_t)n : 1) * size);
        if (!bigger) {
            cab_fail_memory(error, "particles", (size_t)n * size);
            return NULL;
        }
        list = bigger;
    }
    memset((char *)list + (size_t)n * size, 0, size);
    *count = n + 1;
    return list;
}

/* The item just added; NULL when there was no room. */
#define ADD(builder, list, counter, error)                                                                   \
    add_item((builder)->file, (void **)&(builder)->list, &(builder)->scene->system.counter,                  \
             sizeof *(builder)->list, error)

static void *add_item(const char *file, void **list, int *count, size_t size, cab_error *error)
{
    void *grown = append(file, *list, count, size, error);
    if (!grown) return NULL;
    *list = grown;
    return (char *)grown + (size_t)(*count - 1) * size;
}

/* Reads what is there; returns from the function on a fault. */
#define TRY(...)                                                                                             \
    do {                                                                                                     \
        cab_status try_status = __VA_ARGS__;                                                                 \
        if (try_status != CAB_OK) return try_status;                                                         \
    } while (0)

static cab_status read_optional(const cab_cursor *object, const char *key, double *value)
{
    cab_cursor child = cab_cursor_key(object, key);
    return child.value ? cab_read_number(&child, ANY, value) : CAB_OK;
}

static cab_status read_count(const cab_cursor *object, const char *key, double least, int *value)
{
    cab_cursor child = cab_cursor_key(object, key);
    return child.value ? cab_read_integer(&child, (cab_limit){least, ITEMS_MAX, true}, value) : CAB_OK;
}

static cab_status read_switch(const cab_cursor *object, const char *key, bool *value)
{
    cab_cursor child = cab_cursor_key(object, key);
    return child.value ? cab_read_bool(&child, value) : CAB_OK;
}

static cab_status read_point(const cab_cursor *object, const char *key, bool required, cab_vec2 *value)
{
    cab_cursor child = cab_cursor_key(object, key);
    double xy[2];
    if (!child.value && !required) return CAB_OK;
    TRY(cab_read_numbers(&child, COORDINATE, xy, 2));
    *value = (cab_vec2){xy[0], xy[1]};
    return CAB_OK;
}

/* A word of an enum, by the function that names its values. */
#define WORDS_MAX 16
static cab_status read_name(const cab_cursor *object, const char *key, const char *const *words, int count,
                            int *value)
{
    cab_cursor child = cab_cursor_key(object, key);
    return cab_read_word(&child, words, count, value);
}

static cab_status read_particle(const cab_cursor *item, cab_p_builder *b)
{
    static const char *const keys[] = {"mass", "position", "velocity"};
    TRY(cab_cursor_check_keys(item, keys, CAB_COUNT(keys)));
    cab_particle_def *p = ADD(b, particles, particle_count, item->reader->error);
    if (!p) return item->reader->error->status;
    p->mass = 1;
    TRY(read_optional(item, "mass", &p->mass));
    TRY(read_point(item, "position", true, &p->position));
    return read_point(item, "velocity", false, &p->velocity);
}

/* `most` indices under "particles", at least `least`. */
static cab_status read_indices(const cab_cursor *item, int least, int most, int *out)
{
    cab_cursor list = cab_cursor_key(item, "particles");
    size_t count = json_array_size(list.value);
    if (!json_is_array(list.value) || count < (size_t)least || count > (size_t)most) {
        char expected[64];
        snprintf(expected, sizeof expected, "an array of %d particle%s", most, most == 1 ? "" : "s");
        return cab_cursor_fail(&list, expected);
    }
    for (size_t i = 0; i < count; i++) {
        cab_cursor index = cab_cursor_item(&list, i);
        TRY(cab_read_integer(&index, (cab_limit){0, ITEMS_MAX, true}, &out[i]));
    }
    return CAB_OK;
}

static void name_forces(const char **words)
{
    for (int i = 0; i < CAB_PARTICLE_FORCE_KINDS; i++)
        words[i] = cab_particle_force_name((cab_particle_force_kind)i);
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

/* Degrees in the document. */
static cab_status read_angle(const cab_cursor *item, double *angle)
{
    cab_cursor child = cab_cursor_key(item, "angle");
    double degrees = 180;
    if (child.value) TRY(cab_read_number(&child, (cab_limit){-180, 180, false}, &degrees));
    *angle = degrees * PI / 180;
    return CAB_OK;
}

static cab_status read_force(const cab_cursor *item, cab_p_builder *b)
{
    const char *words[CAB_PARTICLE_FORCE_KINDS];
    int kind = 0;
    name_forces(words);
    if (!json_is_object(item->value)) return cab_cursor_fail(item, "an object");
    TRY(read_name(item, "kind", words, CAB_PARTICLE_FORCE_KINDS, &kind));
    TRY(check_force_keys(item, kind));
    cab_particle_force_def *f = ADD(b, forces, force_count, item->reader->error);
    if (!f) return item->reader->error->status;
    f->kind = (cab_particle_force_kind)kind;
    if (kind == CAB_PARTICLE_EXPRESSION) {
        f->particles[0] = -1;
        if (cab_cursor_key(item, "particles").value) TRY(read_indices(item, 1, 1, f->particles));
        TRY(read_text(item, "fx", &f->fx));
        return read_text(item, "fy", &f->fy);
    }
    int count = kind == CAB_PARTICLE_SPRING ? 2 : 3;
    TRY(read_indices(item, count, count, f->particles));
    if (kind != CAB_PARTICLE_SPRING) TRY(read_angle(item, &f->angle));
    TRY(read_optional(item, "rest_length", &f->rest_length));
    TRY(read_optional(item, "stiffness", &f->stiffness));
    return read_optional(item, "damping", &f->damping);
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
        TRY(cab_read_number(&length, ANY, &k->length));
    if (rod) return CAB_OK;
    if (k->kind == CAB_PARTICLE_POINT && known) k->point = a->position;
    TRY(read_point(item, "point", k->kind != CAB_PARTICLE_POINT, &k->point));
    if (k->kind == CAB_PARTICLE_ELLIPSE) TRY(read_point(item, "point2", true, &k->point2));
    if (k->kind != CAB_PARTICLE_LINE) return CAB_OK;
    return read_point(item, "direction", true, &k->direction);
}

static cab_status read_constraint(const cab_cursor *item, cab_p_builder *b)
{
    const char *words[CAB_PARTICLE_CONSTRAINT_KINDS];
    int kind = 0;
    for (int i = 0; i < CAB_PARTICLE_CONSTRAINT_KINDS; i++)
        words[i] = cab_particle_constraint_name((cab_particle_constraint_kind)i);
    if (!json_is_object(item->value)) return cab_cursor_fail(item, "an object");
    TRY(read_name(item, "kind", words, CAB_PARTICLE_CONSTRAINT_KINDS, &kind));
    TRY(check_constraint_keys(item, kind));
    cab_particle_constraint_def *k = ADD(b, constraints, constraint_count, item->reader->error);
    if (!k) return item->reader->error->status;
    k->kind = (cab_particle_constraint_kind)kind;
    int count = kind == CAB_PARTICLE_ROD || kind == CAB_PARTICLE_ROD_SQUARED ? 2 : 1;
    TRY(read_indices(item, count, count, k->particles));
    return place_constraint(item, b, k);
}

/* A row of equal links from one place to another: particles, links, angular springs, fixed ends. */
typedef struct chain {
    cab_vec2 from, to;
    int links, link, angle_kind; /* link: 0 rod, 1 rod-squared, 2 spring; angle_kind -1: none */
    double mass, stiffness, damping;
    double angle, angle_stiffness, angle_damping;
    bool fix_start, fix_end;
} chain;

static cab_status add_link(const chain *c, cab_p_builder *b, int first, int i, cab_error *error)
{
    double length = hypot(c->to.x - c->from.x, c->to.y - c->from.y) / c->links;
    if (c->link == 2) {
        cab_particle_force_def *f = ADD(b, forces, force_count, error);
        if (!f) return error->status;
        *f = (cab_particle_force_def){.kind = CAB_PARTICLE_SPRING,
                                      .particles = {first + i, first + i + 1},
                                      .rest_length = length,
                                      .stiffness = c->stiffness,
                                      .damping = c->damping};
        return CAB_OK;
    }
    cab_particle_constraint_def *k = ADD(b, constraints, constraint_count, error);
    if (!k) return error->status;
    *k = (cab_particle_constraint_def){.kind = c->link ? CAB_PARTICLE_ROD_SQUARED : CAB_PARTICLE_ROD,
                                       .particles = {first + i, first + i + 1},
                                       .length = length};
    return CAB_OK;
}

static cab_status add_fixed(cab_p_builder *b, int particle, cab_error *error)
{
    cab_particle_constraint_def *k = ADD(b, constraints, constraint_count, error);
    if (!k) return error->status;
    *k = (cab_particle_constraint_def){
        .kind = CAB_PARTICLE_POINT, .particles = {particle}, .point = b->particles[particle].position};
    return CAB_OK;
}

static cab_status add_angles(const chain *c, cab_p_builder *b, int first, cab_error *error)
{
    for (int i = 0; i + 1 < c->links && c->angle_kind >= 0; i++) {
        cab_particle_force_def *f = ADD(b, forces, force_count, error);
        if (!f) return error->status;
        *f = (cab_particle_force_def){.kind = (cab_particle_force_kind)c->angle_kind,
                                      .particles = {first + i, first + i + 1, first + i + 2},
                                      .angle = c->angle,
                                      .stiffness = c->angle_stiffness,
                                      .damping = c->angle_damping};
    }
    return CAB_OK;
}

static cab_status add_chain(const chain *c, cab_p_builder *b, cab_error *error)
{
    int first = b->scene->system.particle_count;
    for (int i = 0; i <= c->links; i++) {
        cab_particle_def *p = ADD(b, particles, particle_count, error);
        if (!p) return error->status;
        double t = (double)i / c->links;
        *p = (cab_particle_def){
            .mass = c->mass,
            .position = {c->from.x + t * (c->to.x - c->from.x), c->from.y + t * (c->to.y - c->from.y)}};
    }
    if (c->fix_start) TRY(add_fixed(b, first, error));
    for (int i = 0; i < c->links; i++) TRY(add_link(c, b, first, i, error));
    if (c->fix_end) TRY(add_fixed(b, first + c->links, error));
    return add_angles(c, b, first, error);
}

static cab_status read_chain_angle(const cab_cursor *item, chain *c)
{
    static const char *const keys[] = {"kind", "angle", "stiffness", "damping"};
    const char *words[3];
    cab_cursor angle = cab_cursor_key(item, "bend");
    c->angle_kind = -1;
    if (!angle.value) return CAB_OK;
    TRY(cab_cursor_check_keys(&angle, keys, CAB_COUNT(keys)));
    for (int i = 0; i < 3; i++)
        words[i] = cab_particle_force_name((cab_particle_force_kind)(CAB_PARTICLE_ANGLE_GOAL + i));
    TRY(read_name(&angle, "kind", words, 3, &c->angle_kind));
    c->angle_kind += CAB_PARTICLE_ANGLE_GOAL;
    TRY(read_angle(&angle, &c->angle));
    TRY(read_optional(&angle, "stiffness", &c->angle_stiffness));
    return read_optional(&angle, "damping", &c->angle_damping);
}

static cab_status read_fixed(const cab_cursor *item, chain *c)
{
    static const char *const ends[] = {"none", "start", "end", "both"};
    cab_cursor fixed = cab_cursor_key(item, "fixed");
    int which = 0;
    if (fixed.value) TRY(cab_read_word(&fixed, ends, CAB_COUNT(ends), &which));
    c->fix_start = which & 1;
    c->fix_end = which & 2;
    return CAB_OK;
}

static cab_status read_chain(const cab_cursor *item, cab_p_builder *b)
{
    static const char *const keys[] = {"from",      "to",      "links", "link", "mass",
                                       "stiffness", "damping", "fixed", "bend"};
    static const char *const links[] = {"rod", "rod-squared", "spring"};
    chain c = {.links = 1, .mass = 1};
    TRY(cab_cursor_check_keys(item, keys, CAB_COUNT(keys)));
    TRY(read_point(item, "from", true, &c.from));
    TRY(read_point(item, "to", true, &c.to));
    TRY(read_count(item, "links", 1, &c.links));
    if (cab_cursor_key(item, "link").value) TRY(read_name(item, "link", links, 3, &c.link));
    cab_cursor mass = cab_cursor_key(item, "mass");
    if (mass.value) TRY(cab_read_number(&mass, (cab_limit){1e-9, 1e9, false}, &c.mass));
    cab_cursor stiffness = cab_cursor_key(item, "stiffness"), damping = cab_cursor_key(item, "damping");
    if (c.link != 2 && (stiffness.value || damping.value))
        return cab_cursor_refuse(stiffness.value ? &stiffness : &damping, CAB_ERROR_INPUT,
                                 "only a chain of springs has it");
    const cab_limit gain = {0, 1e12, false};
    if (stiffness.value) TRY(cab_read_number(&stiffness, gain, &c.stiffness));
    if (damping.value) TRY(cab_read_number(&damping, gain, &c.damping));
    if (!(hypot(c.to.x - c.from.x, c.to.y - c.from.y) > 1e-9 * c.links)) {
        cab_cursor to = cab_cursor_key(item, "to");
        return cab_cursor_fail(&to, "another place than \"from\"");
    }
    TRY(read_fixed(item, &c));
    TRY(read_chain_angle(item, &c));
    return add_chain(&c, b, item->reader->error);
}

static cab_status read_hand(const cab_cursor *item, cab_p_builder *b)
{
    static const char *const keys[] = {"particle", "point", "stiffness", "damping", "from", "until"};
    cab_particles_scene *scene = b->scene;
    const cab_limit time = {0, 1e9, false}, gain = {0, 1e12, false};
    TRY(cab_cursor_check_keys(item, keys, CAB_COUNT(keys)));
    if (scene->hand_count == CAB_PARTICLES_HANDS)
        return cab_cursor_refuse(item, CAB_ERROR_INPUT, "expected at most 10 hands");
    cab_particle_hand *h = &scene->hands[scene->hand_count++];
    *h = (cab_particle_hand){.until = 1e9};
    cab_cursor particle = cab_cursor_key(item, "particle"), stiffness = cab_cursor_key(item, "stiffness");
    cab_cursor damping = cab_cursor_key(item, "damping"), from = cab_cursor_key(item, "from");
    cab_cursor until = cab_cursor_key(item, "until");
    TRY(cab_read_integer(&particle, (cab_limit){0, fmax(0, scene->system.particle_count - 1), true},
                         &h->particle));
    TRY(read_point(item, "point", true, &h->point));
    TRY(cab_read_number(&stiffness, gain, &h->stiffness));
    if (damping.value) TRY(cab_read_number(&damping, gain, &h->damping));
    if (from.value) TRY(cab_read_number(&from, time, &h->from));
    return until.value ? cab_read_number(&until, time, &h->until) : CAB_OK;
}

/* A list of the system; may be missing. */
static cab_status read_each(const cab_cursor *system, const char *key,
                            cab_status (*read)(const cab_cursor *item, cab_p_builder *b), cab_p_builder *b)
{
    cab_cursor list = cab_cursor_key(system, key);
    if (!list.value) return CAB_OK;
    if (!json_is_array(list.value)) return cab_cursor_fail(&list, "an array");
    for (size_t i = 0; i < json_array_size(list.value); i++) {
        cab_cursor item = cab_cursor_item(&list, i);
        TRY(read(&item, b));
    }
    return CAB_OK;
}

static cab_status read_preconditioner(const cab_cursor *solver, cab_particles_settings *s)
{
    const char *words[CAB_PARTICLES_PRECONDITIONERS];
    int which = (int)s->preconditioner;
    cab_cursor word = cab_cursor_key(solver, "preconditioner"), block = cab_cursor_key(solver, "block");
    if (word.value && s->solver != CAB_PARTICLES_PCG)
        return cab_cursor_refuse(&word, CAB_ERROR_INPUT, "only the solver \"pcg\" has a preconditioner");
    for (int i = 0; i < CAB_PARTICLES_PRECONDITIONERS; i++)
        words[i] = cab_particles_preconditioner_name((cab_particles_preconditioner)i);
    if (word.value) TRY(cab_read_word(&word, words, CAB_PARTICLES_PRECONDITIONERS, &which));
    s->preconditioner = (cab_particles_preconditioner)which;
    bool blocks = s->solver == CAB_PARTICLES_PCG && s->preconditioner == CAB_PARTICLES_BLOCK_JACOBI;
    if (block.value && !blocks)
        return cab_cursor_refuse(
            &block, CAB_ERROR_INPUT,
            "only the solver \"pcg\" with the preconditioner \"block-jacobi\" has blocks");
    return CAB_OK;
}

static cab_status read_solver(const cab_cursor *settings, cab_particles_settings *s)
{
    static const char *const keys[] = {"name", "tolerance", "absolute",      "iterations",
                                       "cold", "block",     "preconditioner"};
    const char *words[CAB_PARTICLES_SOLVERS];
    int which = (int)s->solver;
    cab_cursor solver = cab_cursor_key(settings, "solver");
    if (!solver.value) return CAB_OK;
    for (int i = 0; i < CAB_PARTICLES_SOLVERS; i++)
        words[i] = cab_particles_solver_name((cab_particles_solver)i);
    if (json_is_string(solver.value)) {
        TRY(cab_read_word(&solver, words, CAB_PARTICLES_SOLVERS, &which));
        s->solver = (cab_particles_solver)which;
        return CAB_OK;
    }
    TRY(cab_cursor_check_keys(&solver, keys, CAB_COUNT(keys)));
    TRY(read_name(&solver, "name", words, CAB_PARTICLES_SOLVERS, &which));
    s->solver = (cab_particles_solver)which;
    TRY(read_preconditioner(&solver, s));
    TRY(read_optional(&solver, "tolerance", &s->tolerance));
    TRY(read_switch(&solver, "absolute", &s->absolute));
    TRY(read_count(&solver, "iterations", 1, &s->iterations));
    TRY(read_switch(&solver, "cold", &s->cold));
    return read_count(&solver, "block", 1, &s->block);
}

static cab_status read_way(const cab_cursor *settings, cab_particles_way *way)
{
    static const char *const words[] = {"auto", "fused", "staged", "clblast"};
    cab_cursor child = cab_cursor_key(settings, "way");
    int which = 0;
    if (child.value) TRY(cab_read_word(&child, words, CAB_COUNT(words), &which));
    *way = (cab_particles_way)which;
    return CAB_OK;
}

static cab_status read_settings(const cab_cursor *system, cab_particles_scene *scene)
{
    cab_particles_settings *s = &scene->system.settings;
    static const char *const keys[] = {"gravity",       "drag",       "position_gain",
                                       "velocity_gain", "integrator", "solver",
                                       "guard",         "off_limit",  "way"};
    const char *words[CAB_INTEGRATOR_COUNT];
    int integrator = (int)s->integrator;
    cab_cursor settings = cab_cursor_key(system, "settings");
    if (!settings.value) return CAB_OK;
    TRY(cab_cursor_check_keys(&settings, keys, CAB_COUNT(keys)));
    for (int i = 0; i < CAB_INTEGRATOR_COUNT; i++) words[i] = cab_integrator_name((cab_integrator)i);
    if (cab_cursor_key(&settings, "integrator").value)
        TRY(read_name(&settings, "integrator", words, CAB_INTEGRATOR_COUNT, &integrator));
    s->integrator = (cab_integrator)integrator;
    TRY(read_point(&settings, "gravity", false, &s->gravity));
    TRY(read_optional(&settings, "drag", &s->drag));
    TRY(read_optional(&settings, "position_gain", &s->position_gain));
    TRY(read_optional(&settings, "velocity_gain", &s->velocity_gain));
    TRY(read_optional(&settings, "guard", &s->guard));
    TRY(read_optional(&settings, "off_limit", &s->off_limit));
    TRY(read_way(&settings, &scene->way));
    return read_solver(&settings, s);
}

static cab_status read_time(const cab_cursor *system, cab_particles_scene *scene)
{
    static const char *const keys[] = {"duration", "frame_rate", "steps"};
    cab_cursor time = cab_cursor_key(system, "time");
    if (!time.value) return CAB_OK;
    TRY(cab_cursor_check_keys(&time, keys, CAB_COUNT(keys)));
    cab_cursor duration = cab_cursor_key(&time, "duration"), rate = cab_cursor_key(&time, "frame_rate");
    if (duration.value) TRY(cab_read_number(&duration, (cab_limit){1e-6, 1e6, false}, &scene->duration));
    if (rate.value) TRY(cab_read_number(&rate, (cab_limit){1e-3, 1e6, false}, &scene->frame_rate));
    cab_cursor steps = cab_cursor_key(&time, "steps");
    return steps.value ? cab_read_integer(&steps, (cab_limit){1, 100000, true}, &scene->steps) : CAB_OK;
}

static cab_status read_system(const cab_cursor *system, cab_p_builder *b)
{
    static const char *const keys[] = {"time",        "settings", "particles", "forces",
                                       "constraints", "chains",   "hands"};
    cab_particles_scene *scene = b->scene;
    TRY(cab_cursor_check_keys(system, keys, CAB_COUNT(keys)));
    TRY(read_time(system, scene));
    TRY(read_settings(system, scene));
    TRY(read_each(system, "particles", read_particle, b));
    TRY(read_each(system, "forces", read_force, b));
    TRY(read_each(system, "constraints", read_constraint, b));
    TRY(read_each(system, "chains", read_chain, b));
    return read_each(system, "hands", read_hand, b);
}

static cab_status read_document(const cab_cursor *document, cab_particles_scene *scene)
{
    static const char *const keys[] = {"clcable", "$schema", "particles"};
    cab_p_builder builder = {.file = document->reader->file, .scene = scene};
    if (!json_is_object(document->value)) return cab_cursor_fail(document, "an object");
    cab_cursor version = cab_cursor_key(document, "clcable");
    if (!json_is_number(version.value) || json_number_value(version.value) != 1)
        return cab_cursor_fail(&version, "the format version 1");
    TRY(cab_cursor_check_keys(document, keys, CAB_COUNT(keys)));
    cab_cursor system = cab_cursor_key(document, "particles");
    cab_status status = read_system(&system, &builder);
    scene->system.particles = builder.particles;
    scene->system.forces = builder.forces;
    scene->system.constraints = builder.constraints;
    return status;
}

/* Ranges and indices are checked where a system is made; this tells where in the file the fault is. Chains
 * are good by themselves. */
static cab_status check_system(const char *path, const cab_particles_scene *scene, cab_error *error)
{
    cab_particles_facts facts;
    cab_error inner;
    cab_status status = cab_particles_examine(&scene->system, &facts, &inner);
    if (status == CAB_ERROR_INPUT) return cab_fail(error, status, "%s: /particles%s", path, inner.message);
    return status == CAB_OK ? status : cab_fail(error, status, "%s", inner.message);
}

static cab_status parse(const char *file, const char *text, size_t size, const char *const *overrides,
                        int count, cab_particles_scene *scene, cab_error *error)
{
    json_t *root = NULL;
    cab_status status = cab_scene_document(file, text, size, overrides, count, &root, error);
    if (status != CAB_OK) return status;
    scene->document = root;
    cab_reader reader = {.file = file, .error = error};
    cab_cursor document = {.value = root, .reader = &reader};
    return read_document(&document, scene);
}

cab_status cab_particles_scene_parse(const char *file, const char *text, size_t size,
                                     const char *const *overrides, int override_count,
                                     cab_particles_scene *scene, cab_error *error)
{
    *scene = (cab_particles_scene){.duration = 5, .frame_rate = 60, .steps = 10};
    scene->system.settings = cab_particles_default();
    cab_status status = parse(file, text, size, overrides, override_count, scene, error);
    scene->system.settings.step = 1 / (scene->frame_rate * scene->steps);
    if (status == CAB_OK) status = check_system(file, scene, error);
    if (status != CAB_OK) cab_particles_scene_free(scene);
    return status;
}

cab_status cab_particles_scene_load(const char *path, const char *const *overrides, int override_count,
                                    cab_particles_scene *scene, cab_error *error)
{
    char *text = NULL;
    size_t size = 0;
    *scene = (cab_particles_scene){0};
    cab_status status = cab_read_file(path, &text, &size, error);
    if (status == CAB_OK)
        status = cab_particles_scene_parse(path, text, size, overrides, override_count, scene, error);
    free(text);
    return status;
}

void cab_particles_scene_free(cab_particles_scene *scene)
{
    free((void *)(uintptr_t)scene->system.particles);
    free((void *)(uintptr_t)scene->system.forces);
    free((void *)(uintptr_t)scene->system.constraints);
    json_decref(scene->document);
    *scene = (cab_particles_scene){0};
}

int cab_particles_scene_frames(const cab_particles_scene *scene)
{
    double frames = nearbyint(scene->duration * scene->frame_rate);
    return frames < 1 ? 1 : frames > INT_MAX ? INT_MAX : (int)frames;
}

/* Chains of a scene: a row of equal links from one place to another, made of particles, rods or springs, angular
 * springs and fixed ends. */
#include <math.h>
#include <string.h>

#include "study/particles/parts.h"
#include "study/particles/read.h"

/* What a link is. */
enum { ROD, ROD_SQUARED, SPRING };

/* Which ends are held. */
enum { NONE, START, END, BOTH };

typedef struct chain {
    cab_vec2 from, to;
    int links;                 /* how many */
    int link;                  /* ROD, ROD_SQUARED or SPRING */
    double mass;               /* kg, of a particle */
    double stiffness, damping; /* of springs */
    bool bends;                /* there are angular springs, as follows */
    cab_particle_force_kind angle_kind;
    double angle, angle_stiffness, angle_damping;
    int fixed; /* NONE, START, END or BOTH */
} chain;

static cab_status add_link(const chain *c, cab_p_builder *b, int first, int i, cab_error *error)
{
    double length = hypot(c->to.x - c->from.x, c->to.y - c->from.y) / c->links;
    if (c->link == SPRING) {
        cab_particle_force_def *f = cab_p_add_force(b, error);
        if (!f) return error->status;
        *f = (cab_particle_force_def){.kind = CAB_PARTICLE_SPRING,
                                      .particles = {first + i, first + i + 1},
                                      .rest_length = length,
                                      .stiffness = c->stiffness,
                                      .damping = c->damping};
        return CAB_OK;
    }
    cab_particle_constraint_def *k = cab_p_add_constraint(b, error);
    if (!k) return error->status;
    *k = (cab_particle_constraint_def){.kind = c->link == ROD_SQUARED ? CAB_PARTICLE_ROD_SQUARED
                                                                      : CAB_PARTICLE_ROD,
                                       .particles = {first + i, first + i + 1},
                                       .length = length};
    return CAB_OK;
}

static cab_status add_fixed(cab_p_builder *b, int particle, cab_error *error)
{
    cab_particle_constraint_def *k = cab_p_add_constraint(b, error);
    if (!k) return error->status;
    *k = (cab_particle_constraint_def){
        .kind = CAB_PARTICLE_POINT, .particles = {particle}, .point = b->particles[particle].position};
    return CAB_OK;
}

static cab_status add_angles(const chain *c, cab_p_builder *b, int first, cab_error *error)
{
    for (int i = 0; c->bends && i + 1 < c->links; i++) {
        cab_particle_force_def *f = cab_p_add_force(b, error);
        if (!f) return error->status;
        *f = (cab_particle_force_def){.kind = c->angle_kind,
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
        cab_particle_def *p = cab_p_add_particle(b, error);
        if (!p) return error->status;
        double t = (double)i / c->links;
        *p = (cab_particle_def){
            .mass = c->mass,
            .position = {c->from.x + t * (c->to.x - c->from.x), c->from.y + t * (c->to.y - c->from.y)}};
    }
    if (c->fixed == START || c->fixed == BOTH) CAB_TRY(add_fixed(b, first, error));
    for (int i = 0; i < c->links; i++) CAB_TRY(add_link(c, b, first, i, error));
    if (c->fixed == END || c->fixed == BOTH) CAB_TRY(add_fixed(b, first + c->links, error));
    return add_angles(c, b, first, error);
}

static cab_status read_bend(const cab_cursor *bend, void *out)
{
    static const cab_key keys[] = {
        {.key = "kind"},
        {CAB_READ(chain, angle, cab_p_read_angle)},
        {CAB_KEY_AS("stiffness", chain, angle_stiffness), .kind = CAB_KEY_NUMBER, .limit = CAB_P_ANY},
        {CAB_KEY_AS("damping", chain, angle_damping), .kind = CAB_KEY_NUMBER, .limit = CAB_P_ANY},
    };
    const char *const *words = cab_p_force_words + CAB_PARTICLE_ANGLE_GOAL; /* and the two that follow */
    chain *c = out;
    cab_cursor kind = cab_cursor_key(bend, "kind");
    int which = 0;
    CAB_TRY(cab_check_object(bend, keys, CAB_COUNT(keys)));
    CAB_TRY(cab_read_word(&kind, words, 3, &which));
    c->bends = true;
    c->angle = CAB_P_RADIANS(180.0);
    c->angle_kind = (cab_particle_force_kind)(CAB_PARTICLE_ANGLE_GOAL + which);
    return cab_read_keys(bend, keys, CAB_COUNT(keys), c);
}

static cab_status read_of_springs(const cab_cursor *cursor, void *value)
{
    const char *link = json_string_value(json_object_get(cursor->up->value, "link"));
    if (!link || strcmp(link, "spring") != 0)
        return cab_cursor_refuse(cursor, CAB_ERROR_INPUT, "only a chain of springs has it");
    return cab_read_number(cursor, CAB_P_GAIN, value);
}

cab_status cab_p_read_chain(const cab_cursor *item, void *builder)
{
    static const char *const links[] = {"rod", "rod-squared", "spring", NULL};
    static const char *const ends[] = {"none", "start", "end", "both", NULL};
    static const cab_key keys[] = {
        {CAB_PAIR(chain, from, CAB_LIMIT_COORDINATE, CAB_NEEDED)},
        {CAB_PAIR(chain, to, CAB_LIMIT_COORDINATE, CAB_NEEDED)},
        {CAB_VALUE(chain, links, CAB_P_COUNT)},
        {CAB_WORD(chain, link, links)},
        {CAB_VALUE(chain, mass, {1e-9, 1e9, false})},
        {CAB_READ(chain, stiffness, read_of_springs)},
        {CAB_READ(chain, damping, read_of_springs)},
        {CAB_WORD(chain, fixed, ends)},
        {.key = "bend", .kind = CAB_KEY_READ, .read = read_bend},
    };
    chain c = {.links = 1, .mass = 1};
    CAB_TRY(cab_read_object(item, keys, CAB_COUNT(keys), &c));
    if (!(hypot(c.to.x - c.from.x, c.to.y - c.from.y) > 1e-9 * c.links)) {
        cab_cursor to = cab_cursor_key(item, "to");
        return cab_cursor_fail(&to, "another place than \"from\"");
    }
    return add_chain(&c, builder, item->reader->error);
}

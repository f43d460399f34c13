/* Chains of a scene: a row of equal links from one place to another, made of particles, rods or springs, angular
 * springs and fixed ends.
 */
#include <math.h>

#include "io/scene_json.h"
#include "study/particles/parts.h"
#include "study/particles/read.h"

/* What a link is. */
enum { ROD, ROD_SQUARED, SPRING, LINK_KINDS };

typedef struct chain {
    cab_vec2 from, to;
    int links;                 /* how many */
    int link;                  /* ROD, ROD_SQUARED or SPRING */
    double mass;               /* kg, of a particle */
    double stiffness, damping; /* of springs */
    bool bends;                /* there are angular springs, as follows */
    cab_particle_force_kind angle_kind;
    double angle, angle_stiffness, angle_damping;
    bool fix_start, fix_end;
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
    if (c->fix_start) CAB_TRY(add_fixed(b, first, error));
    for (int i = 0; i < c->links; i++) CAB_TRY(add_link(c, b, first, i, error));
    if (c->fix_end) CAB_TRY(add_fixed(b, first + c->links, error));
    return add_angles(c, b, first, error);
}

static cab_status read_bend(const cab_cursor *item, chain *c)
{
    static const char *const keys[] = {"kind", "angle", "stiffness", "damping"};
    const char *const *words = cab_p_force_words + CAB_PARTICLE_ANGLE_GOAL; /* and the two that follow */
    cab_cursor bend = cab_cursor_key(item, "bend");
    if (!bend.value) return CAB_OK;
    CAB_TRY(cab_cursor_check_keys(&bend, keys, CAB_COUNT(keys)));
    cab_cursor kind = cab_cursor_key(&bend, "kind");
    int which = 0;
    CAB_TRY(cab_read_word(&kind, words, 3, &which));
    c->bends = true;
    c->angle_kind = (cab_particle_force_kind)(CAB_PARTICLE_ANGLE_GOAL + which);
    CAB_TRY(cab_p_read_angle(&bend, &c->angle));
    CAB_TRY(cab_p_read_number(&bend, "stiffness", &c->angle_stiffness));
    return cab_p_read_number(&bend, "damping", &c->angle_damping);
}

static cab_status read_fixed(const cab_cursor *item, chain *c)
{
    enum { NONE, START, END, BOTH };
    static const char *const ends[] = {"none", "start", "end", "both"};
    int which = NONE;
    CAB_TRY(cab_study_read_word(item, "fixed", ends, CAB_COUNT(ends), &which));
    c->fix_start = which == START || which == BOTH;
    c->fix_end = which == END || which == BOTH;
    return CAB_OK;
}

cab_status cab_p_read_chain(const cab_cursor *item, void *out)
{
    static const char *const keys[] = {"from",      "to",      "links", "link", "mass",
                                       "stiffness", "damping", "fixed", "bend"};
    static const char *const links[LINK_KINDS] = {"rod", "rod-squared", "spring"};
    const cab_limit mass = {1e-9, 1e9, false}, gain = {0, 1e12, false};
    chain c = {.links = 1, .mass = 1};
    CAB_TRY(cab_cursor_check_keys(item, keys, CAB_COUNT(keys)));
    CAB_TRY(cab_p_read_point(item, "from", true, &c.from));
    CAB_TRY(cab_p_read_point(item, "to", true, &c.to));
    CAB_TRY(cab_p_read_count(item, "links", &c.links));
    CAB_TRY(cab_study_read_word(item, "link", links, LINK_KINDS, &c.link));
    CAB_TRY(cab_study_read_number(item, "mass", mass, &c.mass));
    cab_cursor stiffness = cab_cursor_key(item, "stiffness"), damping = cab_cursor_key(item, "damping");
    if (c.link != SPRING && (stiffness.value || damping.value))
        return cab_cursor_refuse(stiffness.value ? &stiffness : &damping, CAB_ERROR_INPUT,
                                 "only a chain of springs has it");
    CAB_TRY(cab_study_read_number(item, "stiffness", gain, &c.stiffness));
    CAB_TRY(cab_study_read_number(item, "damping", gain, &c.damping));
    if (!(hypot(c.to.x - c.from.x, c.to.y - c.from.y) > 1e-9 * c.links)) {
        cab_cursor to = cab_cursor_key(item, "to");
        return cab_cursor_fail(&to, "another place than \"from\"");
    }
    CAB_TRY(read_fixed(item, &c));
    CAB_TRY(read_bend(item, &c));
    return add_chain(&c, out, item->reader->error);
}

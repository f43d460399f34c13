/* Where planar scenes are shown, and what the user pulls there: the body that is nearest to a place. */
#include <math.h>

#include "study/planar/study.h"

#define PULL_FREQUENCY 2.0 /* 1/s, of the spring that the user pulls with */
#define PULL_MOST 100.0    /* m/s^2; its force, of what it pulls */

#define GAP 1.15    /* from scene to scene, of their width */
#define ROW_GAP 1.4 /* of their height, where they are wide and stand one below the other */

typedef cab_planar_study_state state;

cab_vec2 cab_planar_study_shift(const state *s, int scene)
{
    double width = s->high.x - s->low.x, height = s->high.y - s->low.y;
    if (width > 1.5 * height) return (cab_vec2){0, -scene * ROW_GAP * fmax(height, 0.12 * width)};
    return (cab_vec2){scene * GAP * width, 0};
}

/* How far a place is outside of a body, m; negative inside. */
static double outside(const cab_planar_body_def *def, const cab_planar_body *body, cab_vec2 centre,
                      cab_vec2 at)
{
    double c = cos(body->angle), s = sin(body->angle);
    double dx = at.x - body->position[0], dy = at.y - body->position[1];
    double x = c * dx + s * dy + centre.x, y = c * dy - s * dx + centre.y; /* from the body's position */
    if (def->corner_count == 0) return hypot(x, y) - def->radius;
    double deepest = -INFINITY, nearest = INFINITY;
    for (int i = 0; i < def->corner_count; i++) {
        const double *p = def->corners[i], *q = def->corners[(i + 1) % def->corner_count];
        double ex = q[0] - p[0], ey = q[1] - p[1], length = hypot(ex, ey);
        double along = fmin(fmax(((x - p[0]) * ex + (y - p[1]) * ey) / (length * length), 0), 1);
        deepest = fmax(deepest, ((x - p[0]) * ey - (y - p[1]) * ex) / length);
        nearest = fmin(nearest, hypot(x - p[0] - along * ex, y - p[1] - along * ey));
    }
    return (deepest > 0 ? nearest : deepest) - def->radius;
}

cab_status cab_planar_study_pull(cab_study *study, cab_vec2 to, cab_error *error)
{
    state *s = (state *)study;
    cab_status status = CAB_OK;
    if (s->pulled < 0) return CAB_OK;
    cab_vec2 shift = cab_planar_study_shift(s, s->held_in);
    double mass = s->scenes[0]->bodies[s->pulled].def.mass;
    s->target = (cab_vec2){to.x - shift.x, to.y - shift.y};
    for (int i = 0; i < s->count && !status; i++)
        status =
            cab_planar_pull(s->planar, i, s->pulled, (double[2]){s->hold.x, s->hold.y},
                            (double[2]){s->target.x, s->target.y}, PULL_FREQUENCY, PULL_MOST * mass, error);
    return status;
}

/* Takes the body of a scene that is nearest to a place, if one is nearer than *reach. */
static cab_status find_body(state *s, int scene, cab_vec2 at, double *reach, cab_error *error)
{
    const cab_planar_scene *of = s->scenes[scene];
    cab_status status = cab_planar_read_bodies(s->planar, scene, s->bodies, error);
    for (int i = 0; i < of->body_count && !status; i++) {
        const cab_planar_body_def *def = &of->bodies[i].def;
        const cab_planar_body *body = &s->bodies[i];
        double off = outside(def, body, s->centres[i], at);
        if (def->motion == CAB_PLANAR_STATIC || off >= *reach) continue;
        double c = cos(body->angle), n = sin(body->angle);
        double dx = at.x - body->position[0], dy = at.y - body->position[1];
        *reach = off;
        s->pulled = i;
        s->held_in = scene;
        s->hold = (cab_vec2){c * dx + n * dy, c * dy - n * dx};
    }
    return status;
}

cab_status cab_planar_study_let_go(cab_study *study, cab_error *error)
{
    state *s = (state *)study;
    cab_status status = CAB_OK;
    s->pulled = -1;
    for (int i = 0; i < s->count && !status; i++) status = cab_planar_let_go(s->planar, i, error);
    return status;
}

cab_status cab_planar_study_grab(cab_study *study, cab_vec2 at, double reach, bool *held, cab_error *error)
{
    state *s = (state *)study;
    cab_status status = cab_planar_study_let_go(study, error);
    for (int i = 0; i < s->count && !status; i++) {
        cab_vec2 shift = cab_planar_study_shift(s, i);
        status = find_body(s, i, (cab_vec2){at.x - shift.x, at.y - shift.y}, &reach, error);
    }
    *held = !status && s->pulled >= 0;
    return *held ? cab_planar_study_pull(study, at, error) : status;
}

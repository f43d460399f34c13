/* Pulling bodies: the hand of a scene, in the scene's record on the device. */
#include <math.h>
#include <stddef.h>

#include "base/error.h"
#include "study/planar/planar.h"

#define TURN 6.283185307179586

static cab_status check_scene(const cab_planar *p, int scene, cab_error *error)
{
    int count = p->arrays.scenes;
    if (scene >= 0 && scene < count) return CAB_OK;
    return cab_fail(error, CAB_ERROR_INPUT, "expected a scene from 0 to %d, got %d", count - 1, scene);
}

static cab_status check(const cab_planar *p, int scene, int body, const double point[2],
                        const double target[2], double frequency, double force, cab_error *error)
{
    cab_status status = check_scene(p, scene, error);
    if (status) return status;
    const cab_planar_arrays *a = &p->arrays;
    const cab_pl_scene *s = a->scene + scene;
    if (body < 0 || body >= s->bodies)
        return cab_fail(error, CAB_ERROR_INPUT, "expected a body from 0 to %d, got %d", s->bodies - 1, body);
    const cab_pl_motion *m = a->motion + s->body + body;
    if (m->inverse_mass == 0 && m->inverse_inertia == 0)
        return cab_fail(error, CAB_ERROR_INPUT, "body \"%s\" is static: it cannot be pulled",
                        cab_planar_body_name(p, scene, body));
    if (!isfinite(point[0] + point[1] + target[0] + target[1]))
        return cab_fail(error, CAB_ERROR_INPUT, "expected finite places");
    if (!(frequency >= 1e-3 && frequency <= 1e3))
        return cab_fail(error, CAB_ERROR_INPUT, "expected a frequency from 0.001 to 1000, got %g", frequency);
    if (!(force > 0 && force <= 1e12))
        return cab_fail(error, CAB_ERROR_INPUT, "expected a force above 0, at most 1e+12, got %g", force);
    return CAB_OK;
}

static size_t place_of(int scene)
{
    return (size_t)scene * sizeof(cab_pl_scene) + offsetof(cab_pl_scene, hand);
}

cab_status cab_planar_pull(cab_planar *p, int scene, int body, const double point[2], const double target[2],
                           double frequency, double force, cab_error *error)
{
    cab_status status = check(p, scene, body, point, target, frequency, force, error);
    if (status) return status;
    cab_backend *b = p->backend;
    cab_pl_hand hand;
    status = b->ops->read(b, CAB_BUFFER_planar_scene, place_of(scene), sizeof hand, &hand, error);
    if (status) return status;
    if (hand.body != body) hand.ix = hand.iy = 0;
    hand.body = body;
    hand.px = point[0];
    hand.py = point[1];
    hand.tx = target[0];
    hand.ty = target[1];
    hand.rate = TURN * frequency;
    hand.most = force;
    return b->ops->write(b, CAB_BUFFER_planar_scene, place_of(scene), sizeof hand, &hand, error);
}

cab_status cab_planar_let_go(cab_planar *p, int scene, cab_error *error)
{
    cab_status status = check_scene(p, scene, error);
    if (status) return status;
    cab_backend *b = p->backend;
    const cab_pl_hand none = {.body = -1};
    return b->ops->write(b, CAB_BUFFER_planar_scene, place_of(scene), sizeof none, &none, error);
}

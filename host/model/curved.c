/* Cables that are curved at rest, by the direct method: refused where they would gain energy. */
#include "model/model.h"

#include <math.h>

#include "base/error.h"
#include "model/components.h"
#include "model/coupled.h"
#include "model/limits.h"
#include "model/names.h"
#include "model/rigid.h"
#include "model/scene.h"

/* The bending goes towards a rest shape that is turned as the prediction is, and lengths are solved after it by masses
 * alone. What both leave is energy that goes by EI kappa h_s^2 / (mu l^3), with kappa the curvature at rest. Measured
 * with a corner, an arc, a ring and a wave of 20 and 80 segments, 5, 20 and 80 substeps, on a pivot and clamped: more
 * than 0.1 % of what moves from 0.014 on. Damping takes away what little is gained: with 2 per second nothing is
 * before 0.2. docs/design.md has the table. */
#define GAIN_LEAST 0.01
#define GAIN_DAMPED 5.0 /* s: so much more for each 1/s of damping, */
#define GAIN_MOST 0.05  /* up to this */
/* Of cables that are held at two places or more the first gains were measured at 3.5 times as much, and at 8 to 10 times in
 * most; harnesses whose wires slip are below 7.5 and gain nothing, those whose wires stick together hundreds of times above. So
 * nothing is done up to the first figure, and beyond it as much as brings them down to the second. docs/design.md has the table. */
#define HELD_GAINS 8.0
#define HELD_KEEPS 2.0
/* With bending and lengths in one system (coupled.c) an arc of 20 segments first gained at 7,400, a wave of 80 at 16,000, nothing
 * of four shapes of 20 and 80 segments with 5, 20 and 80 substeps below 3,000. */
#define GAIN_COUPLED 1000.0
#define SUBSTEPS_MOST 100000.0 /* cab_settings.substeps */
#define SECOND_ORDER (4.0 / 9) /* (h_s/h)^2 */

static bool is_end(const cab_model *m, int body, int particle)
{
    const cab_body *cable = &m->bodies[body];
    return particle == m->node_particle[cable->first_node] ||
           particle == m->node_particle[cable->first_node + cable->node_count - 1];
}

/* The lightest particle of a bending that can move; half of one at an end of the cable does not count. */
static double lightest(const cab_model *m, int bending)
{
    const cab_bending_constraint *c = &m->bending[bending];
    int body = m->bending_origin[bending].body, particle[3] = {c->a, c->b, c->c};
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        int p = particle[k];
        if (p >= 0 && m->held[p] < 0 && !is_end(m, body, p)) least = fmin(least, m->mass[p]);
    }
    return least;
}

/* Is the cable held, or joined to others, at one place at most? What is held at more, as in a harness, has next to nowhere to
 * swing to, and may be stiffer. It is never refused: where it gains, the run's judgement says so. */
static bool swings(const cab_model *m, int body)
{
    const cab_body *cable = &m->bodies[body];
    int first = cable->first_node, end = first + cable->node_count, places = 0;
    for (int i = 0; i < m->attachment_count; i++) {
        const cab_model_attachment *a = &m->attachments[i];
        places += a->node >= first && a->node < end;
        places += a->joint && a->target_node >= first && a->target_node < end;
    }
    return places < 2;
}

/* The length of the kink at rest. */
static double rest_of(const cab_model *m, int bending)
{
    if (!m->director_of || m->director_of[bending] < 0) return m->bending[bending].rest;
    const float4 *rest = &m->director_rest[m->director_of[bending]];
    return hypot((double)rest->x, (double)rest->y);
}

/* What gains energy: a cable curved at rest that swings, one that does not, or one with two bending stiffnesses. */
typedef enum cab_gain { CAB_GAIN_SWINGS = 0, CAB_GAIN_HELD, CAB_GAIN_FLAT } cab_gain;

/* What is bent about the weaker axis turns the stronger one, which the implicit bending takes as fixed in a substep. Measured with a
 * cantilever of 16 and 32 segments with stiffnesses of 3 to 100 times each other, swinging for 3 s: gains from 5 on. */
#define FLAT_LEAST 2.5

/* By how many times the stronger axis is stiffer than the weaker one, less one. */
static double flatness_of(const cab_model *m, int bending)
{
    if (!m->director_of || m->director_of[bending] < 0) return 0;
    const cab_director_bending *own = &m->director_bending[m->director_of[bending]];
    double soft = fmax(own->soft[0], own->soft[1]);
    return soft / (1 - soft);
}

/* How many times as much as may be. */
static double excess(const cab_model *m, int bending, cab_gain gain)
{
    const cab_bending_constraint *c = &m->bending[bending];
    double inverse = fmax(fabs(c->ga), fabs(c->gc)), mass = lightest(m, bending);
    double kink = gain == CAB_GAIN_FLAT ? flatness_of(m, bending) : rest_of(m, bending);
    if (!(kink > 0) || !(c->compliance > 0) || !(inverse > 0)) return 0;
    double figure = SECOND_ORDER * kink * inverse * inverse / (c->compliance * mass);
    double least = gain == CAB_GAIN_FLAT ? FLAT_LEAST : GAIN_LEAST;
    return figure / (least * fmin(1 + GAIN_DAMPED * m->damping[c->b], GAIN_MOST / GAIN_LEAST));
}

/* Contacts of cables with each other stand outside of the system: it takes what they move back, pass by pass. */
static bool cables_may_touch(const cab_model *m)
{
    return (m->settings.contact.cables && m->cable_count > 1) || m->settings.contact.self;
}

/* Is a bending one for the system of bending and lengths? */
static bool wants_system(const cab_model *m, int bending)
{
    if (m->settings.bending != CAB_BENDING_AUTO) return m->settings.bending == CAB_BENDING_COUPLED;
    return !cables_may_touch(m) && excess(m, bending, CAB_GAIN_SWINGS) > 1 &&
           swings(m, m->bending_origin[bending].body);
}

/* Nothing in the scene keeps all of it from such a system. */
static bool knows_system(const cab_model *m)
{
    return m->settings.method == CAB_METHOD_DIRECT && cab_model_bends_plainly(m) && m->drum_count == 0;
}

cab_status cab_model_coupled_components(const cab_model *m, const int *component, int count, int *wanted,
                                        cab_error *error)
{
    (void)error;
    bool knows = knows_system(m);
    for (int i = 0; i < count; i++) wanted[i] = 0;
    for (int i = 0; i < m->bending_count && knows; i++) {
        int *own = &wanted[component[m->bending[i].b]];
        if (!*own) *own = wants_system(m, i);
    }
    for (int i = 0; i < m->bending_count && knows; i++)
        if (m->director_of && m->director_of[i] >= 0) wanted[component[m->bending[i].b]] = 0;
    for (int p = 0; p < m->particle_count && knows && m->rigid_count > 0; p++)
        if (m->rigid_of[p] >= 0 || cab_rigid_of_particle(m, p) >= 0) wanted[component[p]] = 0;
    for (int i = 0; i < m->node_count && knows; i++) {
        const cab_body *last = &m->bodies[m->cable_count - 1];
        if (m->cable_count == 0 || i >= last->first_node + last->node_count)
            wanted[component[m->node_particle[i]]] = 0;
    }
    return CAB_OK;
}

/* [P] 1: it is in such a component. NULL: none is, or there was no memory. */
static int *find_coupled(const cab_model *m)
{
    cab_components found = {0};
    cab_error ignored;
    int *of = NULL, *wanted = NULL;
    bool any = false;
    for (int i = 0; i < m->bending_count && !any && knows_system(m); i++) any = wants_system(m, i);
    if (!any) return NULL;
    cab_status status = cab_components_find(m, &found, &ignored);
    if (status == CAB_OK) status = CAB_NEW(wanted, found.count, &ignored);
    if (status == CAB_OK) status = CAB_NEW(of, m->particle_count, &ignored);
    if (status == CAB_OK) status = cab_model_coupled_components(m, found.of, found.count, wanted, &ignored);
    any = false;
    for (int p = 0; status == CAB_OK && p < m->particle_count; p++) any |= (of[p] = wanted[found.of[p]]) != 0;
    cab_components_free(&found);
    free(wanted);
    if (any) return of;
    free(of);
    return NULL;
}

bool cab_model_couples(const cab_model *m)
{
    int *of = find_coupled(m);
    free(of);
    return of != NULL;
}

/* The bending that exceeds what may be by most; -1: none does. coupled: as found by find_coupled() */
static int find_worst(const cab_model *m, cab_gain gain, const int *coupled, double *most)
{
    int worst = -1;
    *most = 1;
    if (m->settings.method != CAB_METHOD_DIRECT) return -1;
    for (int i = 0; i < m->bending_count; i++) {
        double e = excess(m, i, gain);
        if (coupled && coupled[m->bending[i].b]) e *= GAIN_LEAST / GAIN_COUPLED;
        if (!(e > *most)) continue;
        if (gain == CAB_GAIN_FLAT || swings(m, m->bending_origin[i].body) == (gain == CAB_GAIN_SWINGS))
            *most = e, worst = i;
    }
    return worst;
}

int cab_model_curved_substeps(const cab_model *m, int *body)
{
    double most, held, flat;
    int *coupled = find_coupled(m);
    int worst = find_worst(m, CAB_GAIN_SWINGS, coupled, &most);
    int stiff = find_worst(m, CAB_GAIN_HELD, coupled, &held);
    int flattest = find_worst(m, CAB_GAIN_FLAT, coupled, &flat);
    free(coupled);
    double factor = sqrt(most);
    /* what the substeps for the swinging ones leave */
    if (held > HELD_GAINS * factor * factor) worst = stiff, factor = sqrt(held / HELD_KEEPS);
    if (flat > factor * factor) worst = flattest, factor = sqrt(flat);
    *body = worst < 0 ? -1 : m->bending_origin[worst].body;
    return (int)fmin(ceil(m->settings.substeps * factor), SUBSTEPS_MOST);
}

cab_status cab_model_check_curved(const cab_model *m, cab_error *error)
{
    double most;
    int *coupled = find_coupled(m);
    int worst = find_worst(m, CAB_GAIN_SWINGS, coupled, &most);
    free(coupled);
    if (worst < 0) return CAB_OK;
    int body = m->bending_origin[worst].body;
    const cab_material_def *material = &m->scene->materials[m->bodies[body].material];
    char name[256], key[CAB_NAME_MAX * 2 + 1];
    cab_model_body_name(m, body, name, sizeof name);
    cab_pointer_escape(material->name, key, sizeof key);
    return cab_fail(
        error, CAB_ERROR_UNSUPPORTED,
        "%s: /materials/%s/rest_shape: with %d substeps the method \"direct\" would gain energy where cable "
        "\"%s\" is curved at rest; expected at least %.0f substeps, or a bending stiffness of at most %.3g "
        "of what it is",
        m->scene->source, key, m->settings.substeps, name, ceil(m->settings.substeps * sqrt(most)), 1 / most);
}

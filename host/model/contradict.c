/* What a scene asks for that cannot be met, or not by its method: told before anything is computed. Each is a line that begins with
 * the JSON pointer. */
#include "model/model.h"

#include <math.h>
#include <stdio.h>

#include "base/vec3.h"
#include "model/method.h"
#include "model/pose.h"
#include "model/scene.h"

#define APART_SOFT 0.25 /* and what is meant to stretch may be held by */
#define APART_MOST 0.01 /* of the cable between two holds by which they may be too far apart */
#define RATIO_MOST                                                                                           \
    1e4 /* masses: what is heavier than its neighbours by more needs many substeps, by direct */
/* Shares of a segment that a collider may move in a substep. Beyond them, a ball that was led through a hanging cable of
 * 20 and 80 segments left lengths off by 4 to 14 % (direct, half a segment to a whole one) and 8 to 31 % (xpbd, a tenth to
 * a quarter); with substeps cut into pieces by less than 1 %. */
#define PUSHED_DIRECT 0.5
#define PUSHED 0.1
#define TEXT_SIZE 512

static void tell(cab_warn *warn, void *user, const char *pointer, const char *text)
{
    char line[TEXT_SIZE + 64];
    snprintf(line, sizeof line, "%s: %s", pointer, text);
    warn(user, line);
}

/* ---- holds that are further apart than the cable between them is long ---- */

typedef struct pair {
    int first, second; /* attachments of the model */
    double length;     /* m, of the cable between them */
    double apart, time;
} pair;

/* The share by which a cable may be held too far. */
static double allowed(const cab_model *m, const cab_body *cable)
{
    for (int i = cable->first_segment; i < cable->first_segment + cable->segment_count; i++)
        if (!isfinite(m->section[m->edge[i].section].def.stretching_stiffness)) return APART_MOST;
    return APART_SOFT;
}

static bool is_led(const cab_model *m, int attachment)
{
    return cab_model_attachment_def(m, attachment)->to == CAB_TARGET_KEYFRAMES;
}

static void look(const cab_model *m, double t, pair *p)
{
    double apart = cab_vec3_distance(cab_model_target(m, &m->attachments[p->first], t),
                                     cab_model_target(m, &m->attachments[p->second], t));
    if (apart > p->apart) p->apart = apart, p->time = t;
}

/* Straight between keyframes, so the largest distance is at one of them. */
static void look_at_keyframes(const cab_model *m, int attachment, pair *p)
{
    if (!is_led(m, attachment)) return;
    const cab_attachment_def *def = cab_model_attachment_def(m, attachment);
    double end = m->scene->settings.duration;
    for (int k = 0; k < def->keyframe_count; k++)
        if (def->keyframes[k].t > 0 && def->keyframes[k].t <= end) look(m, def->keyframes[k].t, p);
    look(m, end, p);
}

static void tell_apart(const cab_model *m, int body, const pair *p, cab_warn *warn, void *user)
{
    char name[256], text[TEXT_SIZE];
    cab_model_body_name(m, body, name, sizeof name);
    cab_pointer first = cab_attachment_pointer(m->scene, m->attachments[p->first].scene_attachment),
                second = cab_attachment_pointer(m->scene, m->attachments[p->second].scene_attachment);
    snprintf(text, sizeof text,
             "cable \"%s\" is held %.4g m from %s at %.4g s, but is %.4g m long between them: %.4g m (%.3g "
             "%%) too far",
             name, p->apart, first.text, p->time, p->length, p->apart - p->length,
             100 * (p->apart / p->length - 1));
    tell(warn, user, second.text, text);
}

/* One warning a cable of the scene: of its copy and holds that are worst off. */
static void warn_apart(const cab_model *m, cab_warn *warn, void *user)
{
    for (int b = 0; b < m->cable_count; b++) {
        const cab_body *cable = &m->bodies[b];
        const cab_cable_def *def = &m->scene->cables[cable->scene_index];
        if (!cab_model_is_first_copy(m, b) || def->feed.keyframes) continue; /* copies are held alike */
        pair worst = {0};
        int last = -1;
        for (int node = cable->first_node; node < cable->first_node + cable->node_count; node++) {
            int hold = m->held[m->node_particle[node]];
            if (hold < 0 || m->attachments[hold].collider >= 0) continue;
            pair p = {.length = last < 0 ? 0 : m->node_arc[node] - m->node_arc[last]};
            if (last >= 0) {
                p.first = m->held[m->node_particle[last]];
                p.second = hold;
                look(m, 0, &p);
                look_at_keyframes(m, p.first, &p);
                look_at_keyframes(m, p.second, &p);
                if (p.length > 0 && p.apart / p.length > (worst.length > 0 ? worst.apart / worst.length
                                                                           : 1 + allowed(m, cable)))
                    worst = p;
            }
            last = node;
        }
        if (worst.length > 0) tell_apart(m, b, &worst, warn, user);
    }
}

/* ---- what is led faster than a method follows ---- */

/* Length of the shortest segment at a node, m. */
static double segment_at(const cab_model *m, const cab_body *cable, int node)
{
    double shortest = INFINITY;
    int last = cable->first_node + cable->node_count - 1;
    if (node > cable->first_node) shortest = m->node_arc[node] - m->node_arc[node - 1];
    if (node < last) shortest = fmin(shortest, m->node_arc[node + 1] - m->node_arc[node]);
    return shortest;
}

static void warn_fast(const cab_model *m, cab_warn *warn, void *user)
{
    double h = 1 / (m->settings.frame_rate * m->settings.substeps);
    int told = -1;
    for (int i = 0; i < m->attachment_count; i++) {
        const cab_model_attachment *a = &m->attachments[i];
        const cab_attachment_def *def = cab_model_attachment_def(m, i);
        if (a->joint || !is_led(m, i) || a->body >= m->cable_count || a->scene_attachment == told) continue;
        double segment = segment_at(m, &m->bodies[a->body], a->node), fastest = 0, at = 0;
        for (int k = 1; k < def->keyframe_count; k++) {
            const cab_keyframe *from = &def->keyframes[k - 1], *to = &def->keyframes[k];
            double speed = cab_vec3_distance(from->position, to->position) / (to->t - from->t);
            bool seen = to->t > 0 && from->t < m->scene->settings.duration;
            if (seen && speed > fastest) fastest = speed, at = fmax(0, from->t);
        }
        if (!(segment > 0) || fastest * h <= segment) continue;
        char text[TEXT_SIZE];
        snprintf(text, sizeof text,
                 "it is led at %.3g m/s from %.4g s on, that is %.3g m in a substep, further than a segment "
                 "of %.3g m is "
                 "long; %.0f substeps keep it below",
                 fastest, at, fastest * h, segment, ceil(m->settings.substeps * fastest * h / segment));
        tell(warn, user, cab_attachment_pointer(m->scene, a->scene_attachment).text, text);
        told = a->scene_attachment;
    }
}

static double shortest_segment(const cab_model *m)
{
    double shortest = INFINITY;
    for (int b = 0; b < m->cable_count; b++) {
        const cab_body *cable = &m->bodies[b];
        for (int i = 1; i < cable->node_count; i++) {
            double length = m->node_arc[cable->first_node + i] - m->node_arc[cable->first_node + i - 1];
            if (length > 0) shortest = fmin(shortest, length);
        }
    }
    return shortest;
}

/* How far a rotation can move a collider's surface sideways, m a radian: as it is of a sphere and of a plane, 0. */
static double extent_of(const cab_model *m, int collider)
{
    const cab_collider_def *def = &m->scene->colliders[collider];
    if (def->shape == CAB_SHAPE_CAPSULE) return cab_vec3_distance(def->center, def->to);
    if (def->shape == CAB_SHAPE_CYLINDER) return cab_vec3_distance(def->center, def->to) + def->radius;
    if (def->shape == CAB_SHAPE_SHEAVE) return cab_vec3_distance(def->center, def->to) + def->groove.flange;
    if (def->shape == CAB_SHAPE_BOX) return cab_vec3_length(def->half_extents);
    return def->shape == CAB_SHAPE_MESH ? m->mesh_facts[collider].extent : 0;
}

static void warn_fast_colliders(const cab_model *m, cab_warn *warn, void *user)
{
    bool direct = m->settings.method == CAB_METHOD_DIRECT;
    double h = 1 / (m->settings.frame_rate * m->settings.substeps * m->settings.max_pieces);
    double segment = shortest_segment(m), most = (direct ? PUSHED_DIRECT : PUSHED) * segment;
    for (int i = 0; i < m->scene->collider_count && isfinite(segment); i++) {
        const cab_collider_def *def = &m->scene->colliders[i];
        double fastest = 0, at = 0;
        for (int k = 1; k < def->keyframe_count; k++) {
            const cab_pose_keyframe *from = &def->keyframes[k - 1], *to = &def->keyframes[k];
            double speed = cab_pose_moved(&from->pose, &to->pose, extent_of(m, i)) / (to->t - from->t);
            bool seen = to->t > 0 && from->t < m->scene->settings.duration;
            if (seen && speed > fastest) fastest = speed, at = fmax(0, from->t);
        }
        if (fastest * h <= most) continue;
        char pointer[48], text[TEXT_SIZE];
        snprintf(pointer, sizeof pointer, "/colliders/%d", i);
        snprintf(
            text, sizeof text,
            "it is led at %.3g m/s from %.4g s on, that is %.3g m in a substep, more than %.2g of a segment "
            "of %.3g m: what it meets is stretched; %.0f substeps keep it below, or /time/max_substeps, "
            "which cuts them where it meets something",
            fastest, at, fastest * h, direct ? PUSHED_DIRECT : PUSHED, segment,
            ceil(m->settings.substeps * fastest * h / most));
        tell(warn, user, pointer, text);
    }
}

/* ---- masses ---- */

static void warn_ratios(const cab_model *m, cab_warn *warn, void *user)
{
    if (m->settings.method != CAB_METHOD_DIRECT) return;
    for (int b = 0; b < m->cable_count; b++) {
        const cab_body *cable = &m->bodies[b];
        int heavy = -1;
        double ratio = RATIO_MOST;
        for (int i = 1; i < cable->node_count; i++) {
            int p = m->node_particle[cable->first_node + i - 1], q = m->node_particle[cable->first_node + i];
            if (m->held[p] >= 0 || m->held[q] >= 0 || !(m->mass[p] > 0) || !(m->mass[q] > 0)) continue;
            double r = fmax(m->mass[p] / m->mass[q], m->mass[q] / m->mass[p]);
            if (r > ratio) ratio = r, heavy = m->mass[p] > m->mass[q] ? i - 1 : i;
        }
        if (heavy < 0) continue;
        char name[256], pointer[48], text[TEXT_SIZE];
        cab_model_body_name(m, b, name, sizeof name);
        snprintf(pointer, sizeof pointer, "/cables/%d", cable->scene_index);
        snprintf(text, sizeof text,
                 "particle %d of cable \"%s\" has %.2g times the mass of the next one: energy may come from "
                 "nothing with "
                 "%d substeps; more substeps, or fewer segments near it",
                 heavy, name, ratio, m->settings.substeps);
        tell(warn, user, pointer, text);
        return;
    }
}

void cab_model_warn_contradictions(const cab_model *model, cab_warn *warn, void *user)
{
    if (!warn) return;
    warn_apart(model, warn, user);
    warn_fast(model, warn, user);
    warn_fast_colliders(model, warn, user);
    warn_ratios(model, warn, user);
    cab_model_warn_inside(model, warn, user);
}

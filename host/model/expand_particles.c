/* From nodes to particles: joined nodes share one, a joint that can break has a spare one; and who holds which. */
#include "model/expand.h"

#include <math.h>
#include <stdlib.h>

#include "base/union.h"
#include "base/vec3.h"
#include "model/led.h"

#define JOINT_GAP 1e-3 /* m; places to be joined may be this far apart */

static cab_status join_nodes(cab_model *model, const cab_vec3 *place, int *parent, cab_error *error)
{
    for (int i = 0; i < model->node_count; i++) parent[i] = i;
    for (int i = 0; i < model->attachment_count; i++) {
        const cab_model_attachment *a = &model->attachments[i];
        if (!a->joint) continue;
        if (a->node == a->target_node) {
            return cab_fail(error, CAB_ERROR_INPUT, "%s: /attachments/%d/to: the place is joined to itself",
                            model->scene->source, a->scene_attachment);
        }
        double gap = cab_vec3_distance(place[a->node], place[a->target_node]);
        if (gap > JOINT_GAP) {
            return cab_fail(error, CAB_ERROR_INPUT,
                            "%s: /attachments/%d: expected places at most 1 mm apart, they are %.3g mm apart",
                            model->scene->source, a->scene_attachment, gap * 1e3);
        }
        cab_union_join(parent, a->node, a->target_node);
    }
    return CAB_OK;
}

/* What pulls at a joint that can break is known along cables only. */
static cab_status check_breakable(const cab_model *model, int *parent, cab_error *error)
{
    int sheets = model->body_count > model->cable_count ? model->bodies[model->cable_count].first_node
                                                        : model->node_count;
    for (int i = 0; i < model->attachment_count; i++) {
        const cab_model_attachment *a = &model->attachments[i];
        int sewn = a->node >= sheets ? a->node : a->joint && a->target_node >= sheets ? a->target_node : -1;
        for (int k = 0; sewn >= 0 && k < model->attachment_count; k++) {
            const cab_model_attachment *other = &model->attachments[k];
            bool breaks = isfinite(model->scene->attachments[other->scene_attachment].break_force);
            if (!breaks || cab_union_root(parent, other->node) != cab_union_root(parent, sewn)) continue;
            return cab_fail(
                error, CAB_ERROR_INPUT, "%s: %s/break_force: expected none where a sheet is sewn on",
                model->scene->source, cab_attachment_pointer(model->scene, other->scene_attachment).text);
        }
    }
    return CAB_OK;
}

/* Numbers particles by cable, shared ones where they are met first, spare ones of joints that break last. */
static cab_status number_particles(cab_model *model, const cab_vec3 *place, int *parent, cab_error *error)
{
    int spare = 0;
    for (int i = 0; i < model->attachment_count; i++) {
        const cab_attachment_def *def = &model->scene->attachments[model->attachments[i].scene_attachment];
        if (model->attachments[i].joint && isfinite(def->break_force)) spare++;
    }
    int points = CAB_RIGID_POINTS * model->rigid_count;
    cab_status status = CAB_NEW(model->place, model->node_count + spare + points, error);
    for (int i = 0; status == CAB_OK && i < model->node_count; i++) {
        int root = cab_union_root(parent, i);
        if (root == i) {
            model->place[model->particle_count] = place[i];
            model->node_particle[i] = model->particle_count++;
        } else {
            model->node_particle[i] = model->node_particle[root];
        }
    }
    for (int i = 0; status == CAB_OK && i < model->attachment_count; i++) {
        cab_model_attachment *a = &model->attachments[i];
        const cab_attachment_def *def = &model->scene->attachments[a->scene_attachment];
        if (!a->joint || !isfinite(def->break_force)) continue;
        model->place[model->particle_count] = model->place[model->node_particle[a->node]];
        a->spare = model->particle_count++;
    }
    if (status == CAB_OK) cab_expand_mass_points(model);
    if (status == CAB_OK) status = CAB_NEW(model->mass, model->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->damping, model->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->decay, model->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->held, model->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->soft, model->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->rigid_of, model->particle_count, error);
    for (int i = 0; status == CAB_OK && i < model->particle_count; i++)
        model->held[i] = model->soft[i] = model->rigid_of[i] = -1;
    return status;
}

/* A clip's or a connector's direction; a clip without one has the chord to both neighbours. */
static void set_axis(cab_model *model, int attachment)
{
    cab_model_attachment *a = &model->attachments[attachment];
    const cab_attachment_def *def = cab_model_attachment_def(model, attachment);
    const cab_body *cable = &model->bodies[a->body];
    int first = cable->first_node, last = first + cable->node_count - 1;
    if (def->part == CAB_PART_ATTACHMENT) return;
    a->axis = def->direction;
    if (a->axis.x == 0 && a->axis.y == 0 && a->axis.z == 0) {
        int from = a->node > first ? a->node - 1 : a->node, to = a->node < last ? a->node + 1 : a->node;
        a->axis =
            cab_vec3_sub(model->place[model->node_particle[to]], model->place[model->node_particle[from]]);
    }
    a->axis = cab_vec3_scale(1 / cab_vec3_length(a->axis), a->axis);
}

/* Where a connector mates. One that is drawn there and has no hand is mated from the start. */
static void set_mate(cab_model *model, int attachment)
{
    cab_model_attachment *a = &model->attachments[attachment];
    const cab_attachment_def *def = cab_model_attachment_def(model, attachment);
    if (def->part != CAB_PART_CONNECTOR) return;
    bool at_point = def->to == CAB_TARGET_POINT || def->at_point;
    a->mate = at_point ? cab_vec3_add(def->point, a->shift) : a->place;
    a->mated = def->hand_keyframe_count == 0 && cab_model_is_home(model, attachment, a->place, a->mate);
}

/* Who holds which particle; twice is a contradiction. */
static cab_status hold_particles(cab_model *model, cab_error *error)
{
    for (int i = 0; i < model->attachment_count; i++) {
        cab_model_attachment *a = &model->attachments[i];
        if (a->joint) continue;
        int p = model->node_particle[a->node];
        a->place = model->place[p];
        if (a->led >= 0) cab_led_hold(model, a);
        int before = model->held[p] >= 0 ? model->held[p] : model->soft[p];
        if (before < 0) before = model->rigid_of[p];
        if (before >= 0) {
            return cab_fail(
                error, CAB_ERROR_INPUT, "%s: %s: this place is held by %s already", model->scene->source,
                cab_attachment_pointer(model->scene, a->scene_attachment).text,
                cab_attachment_pointer(model->scene, model->attachments[before].scene_attachment).text);
        }
        bool soft = model->scene->attachments[a->scene_attachment].compliance > 0;
        (a->rigid >= 0 ? model->rigid_of : soft ? model->soft : model->held)[p] = i;
        set_axis(model, i);
        set_mate(model, i);
    }
    for (int i = 0; i < model->attachment_count; i++)
        if (cab_model_is_free(model, i)) model->soft[model->node_particle[model->attachments[i].node]] = -1;
    return CAB_OK;
}

cab_status cab_expand_particles(cab_model *model, const cab_vec3 *place, cab_error *error)
{
    int *parent;
    cab_status status = CAB_NEW(parent, model->node_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->node_particle, model->node_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->node_mass, model->node_count, error);
    if (status == CAB_OK) status = join_nodes(model, place, parent, error);
    if (status == CAB_OK) status = check_breakable(model, parent, error);
    if (status == CAB_OK) status = number_particles(model, place, parent, error);
    if (status == CAB_OK) status = hold_particles(model, error);
    free(parent);
    return status;
}

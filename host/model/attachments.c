/* What can be asked about attachments: where they want their particles, whether they can break, how stiff they are. */
#include "model/model.h"

#include <math.h>

#include "base/rows.h"
#include "base/vec3.h"
#include "model/led.h"
#include "model/scene.h"

cab_vec3 cab_keyframes_at(const cab_keyframe *k, int count, double t)
{
    int last = count - 1, i = cab_row_at(&k->t, CAB_DOUBLES_APART(k), count, t);
    if (i == last || t <= k[0].t) return k[t <= k[0].t ? 0 : last].position;
    double s = (t - k[i].t) / (k[i + 1].t - k[i].t);
    cab_vec3 a = k[i].position, b = k[i + 1].position;
    return (cab_vec3){a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), a.z + s * (b.z - a.z)};
}

double cab_numbers_at(const double (*k)[2], int count, double t)
{
    int last = count - 1, i = cab_row_at(k[0], CAB_DOUBLES_APART(k), count, t);
    if (i == last || t <= k[0][0]) return k[t <= k[0][0] ? 0 : last][1];
    return k[i][1] + (t - k[i][0]) / (k[i + 1][0] - k[i][0]) * (k[i + 1][1] - k[i][1]);
}

const cab_attachment_def *cab_model_attachment_def(const cab_model *model, int attachment)
{
    return &model->scene->attachments[model->attachments[attachment].scene_attachment];
}

bool cab_model_is_free(const cab_model *model, int attachment)
{
    const cab_attachment_def *def = cab_model_attachment_def(model, attachment);
    return def->part == CAB_PART_CONNECTOR && def->hand_keyframe_count == 0 &&
           !model->attachments[attachment].mated;
}

bool cab_model_is_home(const cab_model *model, int attachment, cab_vec3 place, cab_vec3 mate)
{
    const cab_attachment_def *def = cab_model_attachment_def(model, attachment);
    cab_vec3 axis = model->attachments[attachment].axis, off = cab_vec3_sub(place, mate);
    double along = cab_vec3_dot(off, axis);
    double across = cab_vec3_length(cab_vec3_sub(off, cab_vec3_scale(along, axis)));
    return across <= def->capture_radius && along >= -def->insertion_depth && along <= def->capture_radius;
}

cab_vec3 cab_model_target(const cab_model *model, const cab_model_attachment *attachment, double t)
{
    const cab_attachment_def *def = &model->scene->attachments[attachment->scene_attachment];
    if (attachment->led >= 0) {
        cab_pose pose = cab_led_pose(model, attachment->led, t);
        return cab_led_place(&pose, attachment->on_body);
    }
    if (def->part == CAB_PART_CONNECTOR && def->hand_keyframe_count > 0 && !attachment->mated)
        return cab_vec3_add(cab_keyframes_at(def->hand_keyframes, def->hand_keyframe_count, t),
                            attachment->shift);
    if (def->part == CAB_PART_CONNECTOR) return attachment->mate;
    if (def->to == CAB_TARGET_POINT || def->at_point) return cab_vec3_add(def->point, attachment->shift);
    if (def->to != CAB_TARGET_KEYFRAMES) return attachment->place;
    return cab_vec3_add(cab_keyframes_at(def->keyframes, def->keyframe_count, t), attachment->shift);
}

int cab_model_body_of_particle(const cab_model *model, int particle)
{
    for (int b = 0; b < model->body_count && particle >= 0; b++) {
        const cab_body *body = &model->bodies[b];
        for (int node = body->first_node; node < body->first_node + body->node_count; node++)
            if (model->node_particle[node] == particle) return b;
    }
    return 0;
}

int cab_model_cable_of_node(const cab_model *model, int node)
{
    int low = 0, high = model->cable_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (model->bodies[middle].first_node <= node)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

bool cab_model_can_break(const cab_model *model, int attachment)
{
    const cab_attachment_def *def =
        &model->scene->attachments[model->attachments[attachment].scene_attachment];
    return isfinite(def->break_force) || isfinite(def->release_distance);
}

double cab_model_spring(const cab_model *model, int particle)
{
    int a = model->soft[particle];
    return a < 0 ? 0 : 1 / model->scene->attachments[model->attachments[a].scene_attachment].compliance;
}

double cab_model_soft_mass(const cab_model *model, int particle, double hs)
{
    const cab_pull *pull = &model->pull;
    double mass = cab_model_spring(model, particle) * hs * hs;
    if (pull->on && pull->node >= 0 && model->node_particle[pull->node] == particle)
        mass += (pull->stiffness * hs + pull->damping) * hs;
    return mass;
}

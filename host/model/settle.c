/* The state at the start: held particles at their targets, the rest of each cable at its lengths. */
#include "model/model.h"

#include "model/pose.h"
#include "model/rigid.h"
#include "model/scene.h"

/* For an attachment that moves along with a collider: where it is, as seen from the collider. */
static void note_place_on_collider(const cab_model *model, cab_model_attachment *a)
{
    const cab_attachment_def *def = &model->scene->attachments[a->scene_attachment];
    if (def->to != CAB_TARGET_COLLIDER) return;
    a->collider = cab_scene_find_collider(model->scene, def->target);
    const cab_collider_def *collider = &model->scene->colliders[a->collider];
    cab_pose pose = cab_pose_at(collider, 0);
    a->on_collider =
        cab_pose_to_collider(collider, &pose, def->part == CAB_PART_CONNECTOR ? a->mate : a->place);
}

/* Soft attachments pull their particles later; those on drums and joints are none. */
static void place_soft(cab_model *model)
{
    for (int i = 0; i < model->attachment_count; i++) {
        cab_model_attachment *a = &model->attachments[i];
        if (a->joint || a->rigid >= 0 || !(cab_model_attachment_def(model, i)->compliance > 0)) continue;
        a->place = cab_model_target(model, a, 0);
        note_place_on_collider(model, a);
    }
}

/* What is attached to a rigid body begins at its place there. */
static void place_on_bodies(cab_model *model)
{
    for (int i = 0; i < model->attachment_count; i++) {
        cab_model_attachment *a = &model->attachments[i];
        const cab_attachment_def *def = cab_model_attachment_def(model, i);
        if (a->rigid < 0) continue;
        const cab_rigid_body *body = &model->rigid[a->rigid];
        if (def->at_point) a->place = cab_rigid_point(model, body, def->point);
        a->on_body = def->at_point ? def->point : cab_rigid_seen(model, body, a->place);
        model->place[model->node_particle[a->node]] = a->place;
    }
}

/* Held particles go to their targets, the rest follows to the right lengths. */
cab_status cab_model_settle(cab_model *model, cab_error *error)
{
    for (int i = 0; i < model->attachment_count; i++) model->attachments[i].collider = -1;
    for (int i = 0; i < model->particle_count; i++) {
        cab_model_attachment *a = model->held[i] >= 0 ? &model->attachments[model->held[i]] : NULL;
        if (!a) continue;
        model->place[i] = a->place = cab_model_target(model, a, 0);
        note_place_on_collider(model, a);
    }
    place_on_bodies(model);
    place_soft(model);
    cab_status status = cab_model_meet_lengths(model, error);
    const cab_contact_settings *contact = &model->settings.contact;
    if (status == CAB_OK && contact->parted && (contact->cables || contact->self))
        status = cab_model_part_overlaps(model, error);
    for (int i = 0; status == CAB_OK && i < model->attachment_count; i++) {
        const cab_model_attachment *a = &model->attachments[i];
        if (a->spare >= 0) model->place[a->spare] = model->place[model->node_particle[a->node]];
    }
    return status;
}

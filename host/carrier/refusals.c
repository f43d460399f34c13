#include "carrier/refusals.h"

#include <math.h>

#include "contact/contact.h"
#include "model/scene.h"

/* Distances must be plain equalities, and the number of iterations fixed. */
static const char *refusal_of_settings(const cab_model_settings *s)
{
    if (s->contact.sleep) return "cables may sleep";
    if (s->adaptive) return "iterations end by a tolerance";
    bool unequal =
        s->length_kind != CAB_LENGTH_EQUAL || (s->doubles.on && s->doubles.kind != CAB_LENGTH_EQUAL);
    return unequal ? "lengths may be shorter or longer" : NULL;
}

/* Attachments must be unbreakable, and there may be no pull of a hand. */
static const char *refusal_of_attachments(const cab_world *world)
{
    const cab_model *model = world->model;
    if (world->def.forces) return "forces are measured";
    if (model->pull.on) return "a node is pulled";
    for (int i = 0; i < model->scene->attachment_count; i++) {
        if (isfinite(model->scene->attachments[i].break_force)) return "an attachment can break";
    }
    return NULL;
}

const char *cab_refusal_clear_frames(const cab_world *world)
{
    if (!world->model->chain) return "cables are joined or have clamps inside, or there are sheets";
    return cab_refusal_any_frames(world);
}

const char *cab_refusal_any_frames(const cab_world *world)
{
    const cab_model *model = world->model;
    if (model->has_drag) return "the scene has air drag";
    const char *reason = refusal_of_settings(&model->settings);
    return reason ? reason : refusal_of_attachments(world);
}

const char *cab_refusal_whole_frames(const cab_world *world)
{
    bool contact = world->model->chain && cab_contact_possible(world->model);
    return contact ? "the scene has contact" : cab_refusal_clear_frames(world);
}

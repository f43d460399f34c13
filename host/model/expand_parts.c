/* What a scene puts on cables and sheets, copy by copy: attachments, loads, probes, ties, covers, own constraints. */
#include "model/expand.h"
#include "model/rigid.h"

#include <stdio.h>

/* The rigid bodies that an attachment ends on: as many as there are cables, or one. */
static cab_status find_body(const cab_model *model, const cab_attachment_def *def, const char *pointer,
                            const cab_found *from, cab_found *to, cab_error *error)
{
    char at[80];
    snprintf(at, sizeof at, "%s/body", pointer);
    cab_status status = cab_rigid_find(model, at, def->target, &to->first, &to->count, error);
    if (status != CAB_OK || to->count == from->count || to->count == 1) return status;
    return cab_fail(error, CAB_ERROR_INPUT,
                    "%s: %s: copies are joined pairwise: expected %d of them, \"%s\" has %d",
                    model->scene->source, at, from->count, def->target, to->count);
}

/* The target side of one attachment, checked. */
static cab_status find_target(cab_model *model, cab_sampled *sampled, int index, const cab_found *from,
                              cab_found *to, cab_error *error)
{
    const cab_scene *scene = model->scene;
    const cab_attachment_def *def = &scene->attachments[index];
    char pointer[64];
    snprintf(pointer, sizeof pointer, "%s/to", cab_attachment_pointer(scene, index).text);
    if (def->to == CAB_TARGET_COLLIDER && cab_scene_find_collider(scene, def->target) < 0) {
        return cab_fail(error, CAB_ERROR_INPUT, "%s: %s/collider: no collider is called \"%s\"",
                        scene->source, pointer, def->target);
    }
    if (def->to == CAB_TARGET_BODY) return find_body(model, def, pointer, from, to, error);
    if (!cab_target_joins(def->to)) return CAB_OK;
    cab_status status = cab_find_place(scene, sampled, pointer, def->to == CAB_TARGET_SHEET, def->target,
                                       def->target_at, to, error);
    if (status != CAB_OK) return status;
    if (to->count != from->count && to->count != 1) {
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: %s: copies are joined pairwise: expected %d of them, \"%s\" has %d",
                        scene->source, pointer, from->count, def->target, to->count);
    }
    return CAB_OK;
}

cab_status cab_expand_attachment(cab_model *model, cab_sampled *sampled, int index, cab_error *error)
{
    const cab_attachment_def *def = &model->scene->attachments[index];
    char pointer[64];
    snprintf(pointer, sizeof pointer, "%s", cab_attachment_pointer(model->scene, index).text);
    cab_found from, to = {0};
    cab_status status = cab_find_place(model->scene, sampled, pointer, def->sheet != NULL,
                                       def->sheet ? def->sheet : def->cable, def->at, &from, error);
    if (status == CAB_OK) status = find_target(model, sampled, index, &from, &to, error);
    if (status != CAB_OK) return status;
    status = CAB_RESIZE(model->attachments, model->attachment_count + from.count, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < from.count; i++) {
        int body = from.first + i;
        cab_model_attachment *a = &model->attachments[model->attachment_count++];
        *a = (cab_model_attachment){
            .scene_attachment = index,
            .body = body,
            .node = model->bodies[body].first_node + from.node,
            .joint = cab_target_joins(def->to),
            .target_node = -1,
            .spare = -1,
            .rigid = -1,
            .led = -1,
        };
        int on = to.first + (to.count > 1 ? i : 0);
        if (def->to == CAB_TARGET_BODY) *(on < model->rigid_count ? &a->rigid : &a->led) = on;
        if (!from.one_copy) a->shift = model->bodies[body].cable.shift;
        if (a->joint) a->target_node = model->bodies[to.first + (to.count > 1 ? i : 0)].first_node + to.node;
    }
    return CAB_OK;
}

cab_status cab_expand_load(cab_model *model, cab_sampled *sampled, int index, cab_error *error)
{
    const cab_load_def *def = &model->scene->loads[index];
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/loads/%d", index);
    cab_found at;
    cab_status status = cab_find_place(model->scene, sampled, pointer, def->sheet != NULL,
                                       def->sheet ? def->sheet : def->cable, def->at, &at, error);
    if (status != CAB_OK) return status;
    bool turns = def->moment.x != 0 || def->moment.y != 0 || def->moment.z != 0;
    if (turns && at.node != 0 && at.node != sampled[at.scene_body].segments) {
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: %s/at: a moment acts on an end, expected \"start\" or \"end\"",
                        model->scene->source, pointer);
    }
    status = CAB_RESIZE(model->placed_loads, model->placed_load_count + at.count, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < at.count; i++) {
        int body = at.first + i;
        model->placed_loads[model->placed_load_count++] =
            (cab_placed_load){index, body, model->bodies[body].first_node + at.node};
    }
    return CAB_OK;
}

/* The name of a copy's probe may be that of another probe. */
static cab_status check_copy_name(const cab_model *model, const cab_placed_probe *probe, cab_error *error)
{
    char name[256];
    cab_model_probe_name(model, probe, name, sizeof name);
    int twin = probe->one_copy ? -1 : cab_scene_find_probe(model->scene, name);
    if (twin < 0) return CAB_OK;
    return cab_fail(error, CAB_ERROR_INPUT,
                    "%s: /probes/%d/name: expected a unique name, \"%s\" is that of a copy of /probes/%d",
                    model->scene->source, twin, name, probe->scene_probe);
}

cab_status cab_expand_probe(cab_model *model, const cab_sampled *sampled, int index, cab_error *error)
{
    const cab_scene *scene = model->scene;
    const cab_probe_def *def = &scene->probes[index];
    char pointer[64];
    int cable, copy[3], segment;
    double part;
    snprintf(pointer, sizeof pointer, "/probes/%d/cable", index);
    cab_status status = cab_find_cable(scene, pointer, def->cable, &cable, copy, error);
    snprintf(pointer, sizeof pointer, "/probes/%d/at", index);
    if (status == CAB_OK)
        status = cab_place_between(scene, pointer, def->at, &sampled[cable], &segment, &part, error);
    if (status != CAB_OK) return status;
    const cab_cable_def *on = &scene->cables[cable];
    bool one_copy = copy[0] >= 0 || cab_copy_count(on) == 1;
    int count = one_copy ? 1 : cab_copy_count(on);
    int first = sampled[cable].first_body + (copy[0] >= 0 ? cab_copy_index(on, copy) : 0);
    status = CAB_RESIZE(model->placed_probes, model->placed_probe_count + count, error);
    for (int body = first; status == CAB_OK && body < first + count; body++) {
        cab_placed_probe *probe = &model->placed_probes[model->placed_probe_count++];
        *probe = (cab_placed_probe){.scene_probe = index,
                                    .body = body,
                                    .node = model->bodies[body].first_node + segment,
                                    .part = part,
                                    .one_copy = one_copy};
        status = check_copy_name(model, probe, error);
    }
    return status;
}

/* One cable of the model by name. */
static cab_status find_member(const cab_model *model, const cab_sampled *sampled, int tie, int index,
                              int *cable, cab_error *error)
{
    char pointer[64];
    int scene_body, copy[3];
    const char *name = model->scene->ties[tie].cables[index];
    snprintf(pointer, sizeof pointer, "/ties/%d/cables/%d", tie, index);
    cab_status status = cab_find_cable(model->scene, pointer, name, &scene_body, copy, error);
    if (status != CAB_OK) return status;
    const cab_cable_def *def = &model->scene->cables[scene_body];
    if (copy[0] < 0 && cab_copy_count(def) > 1)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: %s: expected one copy, such as \"%s[0,0,0]\"",
                        model->scene->source, pointer, name);
    *cable = sampled[scene_body].first_body + (copy[0] < 0 ? 0 : cab_copy_index(def, copy));
    return CAB_OK;
}

cab_status cab_expand_tie(cab_model *model, cab_sampled *sampled, int index, cab_error *error)
{
    const cab_tie_def *def = &model->scene->ties[index];
    char pointer[64];
    cab_found from = {0}, to;
    snprintf(pointer, sizeof pointer, "/ties/%d", index);
    cab_status status = cab_find_on_cable(model->scene, sampled, pointer, def->range ? "from" : "at",
                                          def->cables[0], def->from, &from, error);
    to = from;
    if (status == CAB_OK && def->range)
        status = cab_find_on_cable(model->scene, sampled, pointer, "to", def->cables[0], def->to, &to, error);
    if (status == CAB_OK && to.node < from.node)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: %s/to: expected a place after \"from\"",
                        model->scene->source, pointer);
    if (status == CAB_OK) status = CAB_RESIZE(model->placed_ties, model->placed_tie_count + 1, error);
    if (status == CAB_OK)
        status = CAB_RESIZE(model->tie_member, model->tie_member_count + def->cable_count, error);
    if (status != CAB_OK) return status;
    int first = model->tie_member_count, *member = model->tie_member;
    for (int i = 0; status == CAB_OK && i < def->cable_count; i++)
        status = find_member(model, sampled, index, i, &member[model->tie_member_count++], error);
    if (status != CAB_OK) return status;
    int node = model->bodies[member[first]].first_node;
    model->placed_ties[model->placed_tie_count++] =
        (cab_placed_tie){index, first, def->cable_count, node + from.node, node + to.node};
    return CAB_OK;
}

cab_status cab_expand_covers(const cab_scene *scene, cab_sampled *cable, int index, cab_error *error)
{
    const cab_cable_def *def = &scene->cables[index];
    cab_status status = CAB_NEW(cable->cover, def->cover_count, error);
    for (int i = 0; status == CAB_OK && i < def->cover_count; i++) {
        int node[2] = {0, 0};
        for (int end = 0; status == CAB_OK && end < 2; end++) {
            char pointer[64];
            cab_place place = {.kind = CAB_PLACE_FRACTION,
                               .fraction = end ? def->covers[i].to : def->covers[i].from};
            snprintf(pointer, sizeof pointer, "/cables/%d/materials/%d/%s", index, i, end ? "to" : "from");
            status = cab_place_node(scene, pointer, place, cable, &node[end], error);
        }
        cable->cover[i] = (cab_range){node[0], node[1] - node[0]};
        if (status == CAB_OK && node[1] <= node[0])
            return cab_fail(error, CAB_ERROR_INPUT,
                            "%s: /cables/%d/materials/%d: it covers no segment; give the cable more segments",
                            scene->source, index, i);
    }
    return status;
}

/* Where the stencil's first particle may lie: nodes *first ... *last of the cable. */
static cab_status stencil_range(const cab_model *model, cab_sampled *sampled, int index, cab_found *from,
                                int *last, cab_error *error)
{
    const cab_constraint_def *def = &model->scene->constraints[index];
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/constraints/%d", index);
    const char *key = def->once ? "at" : "from";
    cab_found to = {0};
    cab_status status =
        cab_find_on_cable(model->scene, sampled, pointer, key, def->cable, def->from, from, error);
    if (status == CAB_OK && !def->once)
        status = cab_find_on_cable(model->scene, sampled, pointer, "to", def->cable, def->to, &to, error);
    if (status != CAB_OK) return status;
    int span = def->stencil[def->stencil_count - 1];
    int end = def->once ? sampled[from->scene_body].segments : to.node;
    *last = def->once ? from->node : end - span;
    if (from->node + span <= end) return CAB_OK;
    return cab_fail(error, CAB_ERROR_INPUT,
                    "%s: %s/stencil: expected room for %d segments from particle %d on, there are %d",
                    model->scene->source, pointer, span, from->node, end > from->node ? end - from->node : 0);
}

cab_status cab_expand_constraint(cab_model *model, cab_sampled *sampled, int index, cab_error *error)
{
    cab_found from;
    int last;
    cab_status status = stencil_range(model, sampled, index, &from, &last, error);
    if (status != CAB_OK) return status;
    size_t total = (size_t)model->own_place_count + (size_t)from.count * (size_t)(last - from.node + 1);
    if (total > CAB_NODES_MAX) {
        return cab_fail(error, CAB_ERROR_INPUT, "%s: /constraints/%d: expected at most %d of them in all",
                        model->scene->source, index, CAB_NODES_MAX);
    }
    status = CAB_RESIZE(model->own_place, total, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < from.count; i++) {
        int cable = from.first + i, first = model->bodies[cable].first_node;
        for (int node = from.node; node <= last; node++)
            model->own_place[model->own_place_count++] =
                (cab_own_place){index, cable, first + node, from.one_copy};
    }
    return CAB_OK;
}

cab_status cab_expand_entry(cab_model *model, cab_sampled *sampled, int index, cab_error *error)
{
    const cab_entry *entry = &model->scene->entries[index];
    char pointer[96];
    cab_found at;
    snprintf(pointer, sizeof pointer, "/%s/%d", entry->list->key, entry->index);
    cab_status status =
        cab_find_place(model->scene, sampled, pointer, false, entry->cable, entry->at, &at, error);
    if (status == CAB_OK)
        status = CAB_RESIZE(model->placed_entries, model->placed_entry_count + at.count, error);
    for (int i = 0; status == CAB_OK && i < at.count; i++) {
        int node = model->bodies[at.first + i].first_node + at.node;
        model->placed_entries[model->placed_entry_count++] = (cab_placed_entry){entry, node};
    }
    return status;
}

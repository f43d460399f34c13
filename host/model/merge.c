#include "model/merge.h"

#include <stdio.h>

#include "base/error.h"
#include "model/limits.h"
#include "model/scene.h"

/* Room for "4000000/", a name that may be as long as any, and "[i,j,k]" behind it. */
enum { NAME_SIZE = CAB_NAME_MAX + 64 };

typedef struct merging {
    cab_scene *to;
    const cab_scene *from;
    int group;
    bool share_colliders;
    cab_error *error;
} merging;

/* "group/NAME" in `text`; NULL stays NULL. */
static const char *own_name(const merging *m, const char *name, char text[NAME_SIZE])
{
    if (!name) return NULL;
    snprintf(text, NAME_SIZE, "%d/%s", m->group, name);
    return text;
}

static cab_status add_materials(const merging *m)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < m->from->material_count && !status; i++) {
        char name[NAME_SIZE];
        cab_material_def def = m->from->materials[i];
        def.name = own_name(m, def.name, name);
        status = cab_scene_add_material(m->to, &def, m->error);
    }
    return status;
}

static cab_status add_cable(const merging *m, cab_cable_def def)
{
    char name[NAME_SIZE], material[NAME_SIZE], over[CAB_COVERS][NAME_SIZE];
    cab_cover_def covers[CAB_COVERS];
    for (int i = 0; i < def.cover_count; i++) {
        covers[i] = def.covers[i];
        covers[i].material = own_name(m, covers[i].material, over[i]);
    }
    def.name = own_name(m, def.name, name);
    def.material = own_name(m, def.material, material);
    def.covers = covers;
    def.group = m->group;
    return cab_scene_add_cable(m->to, &def, m->error);
}

static cab_status add_bodies(const merging *m)
{
    cab_status status = CAB_OK;
    char name[NAME_SIZE], material[NAME_SIZE];
    for (int i = 0; i < m->from->cable_count && !status; i++) status = add_cable(m, m->from->cables[i]);
    for (int i = 0; i < m->from->sheet_count && !status; i++) {
        cab_sheet_def def = m->from->sheets[i];
        def.name = own_name(m, def.name, name);
        def.material = own_name(m, def.material, material);
        def.group = m->group;
        status = cab_scene_add_sheet(m->to, &def, m->error);
    }
    return status;
}

static cab_status add_colliders(const merging *m)
{
    cab_status status = CAB_OK;
    char name[NAME_SIZE];
    if (m->share_colliders && m->group > 0) return CAB_OK;
    for (int i = 0; i < m->from->collider_count && !status; i++) {
        cab_collider_def def = m->from->colliders[i];
        if (!m->share_colliders) def.name = own_name(m, def.name, name);
        def.group = m->share_colliders ? CAB_GROUP_ALL : m->group;
        status = cab_scene_add_collider(m->to, &def, m->error);
    }
    return status;
}

static cab_status add_attachments(const merging *m)
{
    cab_status status = CAB_OK;
    char cable[NAME_SIZE], sheet[NAME_SIZE], target[NAME_SIZE];
    for (int i = 0; i < m->from->attachment_count && !status; i++) {
        cab_attachment_def def = m->from->attachments[i];
        def.cable = own_name(m, def.cable, cable);
        def.sheet = own_name(m, def.sheet, sheet);
        bool shared = def.to == CAB_TARGET_COLLIDER && m->share_colliders;
        if (!shared) def.target = own_name(m, def.target, target);
        status = cab_scene_add_attachment(m->to, &def, m->error);
    }
    return status;
}

static cab_status add_loads(const merging *m)
{
    cab_status status = CAB_OK;
    char cable[NAME_SIZE], sheet[NAME_SIZE];
    for (int i = 0; i < m->from->load_count && !status; i++) {
        cab_load_def def = m->from->loads[i];
        def.cable = own_name(m, def.cable, cable);
        def.sheet = own_name(m, def.sheet, sheet);
        status = cab_scene_add_load(m->to, &def, m->error);
    }
    return status;
}

static cab_status add_constraints(const merging *m)
{
    cab_status status = CAB_OK;
    char name[NAME_SIZE], cable[NAME_SIZE];
    for (int i = 0; i < m->from->constraint_count && !status; i++) {
        cab_constraint_def def = m->from->constraints[i];
        def.name = own_name(m, def.name, name);
        def.cable = own_name(m, def.cable, cable);
        status = cab_scene_add_constraint(m->to, &def, m->error);
    }
    return status;
}

static cab_status add_entries(const merging *m)
{
    cab_status status = CAB_OK;
    char cable[NAME_SIZE];
    for (int i = 0; i < m->from->entry_count && !status; i++) {
        cab_entry entry = m->from->entries[i];
        entry.cable = own_name(m, entry.cable, cable);
        status = cab_scene_add_entry(m->to, &entry, m->error);
    }
    return status;
}

static cab_status add_scene(const merging *m)
{
    cab_status status = add_materials(m);
    if (!status) status = add_bodies(m);
    if (!status) status = add_colliders(m);
    if (!status) status = add_attachments(m);
    if (!status) status = add_loads(m);
    if (!status) status = add_entries(m);
    return status ? status : add_constraints(m);
}

cab_status cab_scene_merge(const cab_scene *const *scenes, int count, bool share_colliders,
                           cab_scene **merged, cab_error *error)
{
    cab_scene *to = cab_scene_create();
    if (!to) return cab_fail_memory(error, "a scene", 0);
    to->settings = scenes[0]->settings;
    cab_status status = cab_scene_set_source(to, scenes[0]->source, error);
    for (int i = 0; i < count && !status; i++) {
        merging m = {
            .to = to, .from = scenes[i], .group = i, .share_colliders = share_colliders, .error = error};
        status = add_scene(&m);
    }
    if (status)
        cab_scene_destroy(to);
    else
        *merged = to;
    return status;
}

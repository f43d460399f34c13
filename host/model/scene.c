#include "model/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/names.h"
#include "model/scene_check.h"

cab_settings cab_settings_default(void)
{
    return (cab_settings){
        .gravity = {0, 0, -9.81},
        .duration = 1,
        .frame_rate = 60,
        .substeps = 20,
        .iterations = 1,
        .contact_cables = true,
        .contact_self = true,
        .contact_passes = 4,
        .static_speed = 0.05,
        .stiffness = 1,
        .double_stiffness = 1,
        .averaging_weight = 0.2,
    };
}

cab_material_def cab_material_default(void)
{
    return (cab_material_def){.stretching_stiffness = INFINITY, .friction = 0.3};
}

cab_cable_def cab_cable_default(void)
{
    return (cab_cable_def){.copies = {1, 1, 1}};
}

cab_sheet_def cab_sheet_default(void)
{
    return (cab_sheet_def){0};
}

cab_attachment_def cab_attachment_default(void)
{
    return (cab_attachment_def){.break_force = INFINITY, .release_distance = INFINITY, .travel = INFINITY};
}

cab_attachment_def cab_clip_default(void)
{
    cab_attachment_def def = cab_attachment_default();
    def.part = CAB_PART_CLIP;
    def.compliance = 2e-5;
    def.friction = 0.3;
    return def;
}

cab_attachment_def cab_connector_default(void)
{
    cab_attachment_def def = cab_attachment_default();
    def.part = CAB_PART_CONNECTOR;
    def.compliance = 1e-6;
    def.insertion_depth = 0.01;
    def.capture_radius = 0.005;
    return def;
}

/* Where a scene file has the attachments of each part, and what it calls their break_force. */
static const struct {
    const char *list, *break_force;
} parts[] = {
    [CAB_PART_ATTACHMENT] = {"attachments", "break_force"},
    [CAB_PART_CLIP] = {"clips", "holding_force"},
    [CAB_PART_CONNECTOR] = {"connectors", "pull_out_force"},
};

const char *cab_part_list(cab_part part)
{
    return parts[part].list;
}

cab_pointer cab_attachment_pointer(const cab_scene *scene, int attachment)
{
    cab_pointer pointer;
    cab_part part = scene->attachments[attachment].part;
    int index = 0;
    for (int i = 0; i < attachment; i++) index += scene->attachments[i].part == part;
    snprintf(pointer.text, sizeof pointer.text, "/%s/%d", parts[part].list, index);
    return pointer;
}

const char *cab_break_force_key(cab_part part)
{
    return parts[part].break_force;
}

cab_tie_def cab_tie_default(void)
{
    return (cab_tie_def){0};
}

cab_load_def cab_load_default(void)
{
    return (cab_load_def){0};
}

cab_collider_def cab_collider_default(void)
{
    return (cab_collider_def){.normal = {0, 0, 1}, .rotation = {1, 0, 0, 0}, .scale = 1, .friction = 0.3};
}

cab_constraint_def cab_constraint_default(void)
{
    return (cab_constraint_def){.to.kind = CAB_PLACE_END};
}

cab_scene *cab_scene_create(void)
{
    cab_scene *scene = calloc(1, sizeof *scene);
    if (!scene) return NULL;
    scene->settings = cab_settings_default();
    scene->source = strdup("scene");
    if (scene->source) return scene;
    free(scene);
    return NULL;
}

/* Items were copied by this file, so the casts take back what it allocated itself. */
static void drop(const void *memory)
{
    free((void *)memory);
}

static void drop_cable(const cab_cable_def *copy)
{
    drop(copy->name);
    drop(copy->material);
    drop(copy->path);
    drop(copy->feed.keyframes);
    for (int i = 0; copy->covers && i < copy->cover_count; i++) drop(copy->covers[i].material);
    drop(copy->covers);
}

static void drop_collider(const cab_collider_def *copy)
{
    drop(copy->name);
    drop(copy->mesh.vertices);
    drop(copy->mesh.triangles);
    drop(copy->keyframes);
}

static void drop_sheet(const cab_sheet_def *copy)
{
    drop(copy->name);
    drop(copy->material);
    drop(copy->points);
    drop(copy->faces);
    drop(copy->sticks);
}

static void drop_constraint(const cab_constraint_def *copy)
{
    drop(copy->name);
    drop(copy->cable);
    drop(copy->stencil);
    drop(copy->expression);
    for (int i = 0; copy->parameters && i < copy->parameter_count; i++) drop(copy->parameters[i].name);
    drop(copy->parameters);
}

static void drop_tie(const cab_tie_def *copy)
{
    drop(copy->name);
    for (int i = 0; copy->cables && i < copy->cable_count; i++) drop(copy->cables[i]);
    drop(copy->cables);
}

void cab_scene_destroy(cab_scene *scene)
{
    if (!scene) return;
    for (int i = 0; i < scene->tie_count; i++) drop_tie(&scene->ties[i]);
    free(scene->ties);
    for (int i = 0; i < scene->material_count; i++) drop(scene->materials[i].name);
    for (int i = 0; i < scene->cable_count; i++) drop_cable(&scene->cables[i]);
    for (int i = 0; i < scene->sheet_count; i++) drop_sheet(&scene->sheets[i]);
    for (int i = 0; i < scene->attachment_count; i++) {
        drop(scene->attachments[i].cable);
        drop(scene->attachments[i].sheet);
        drop(scene->attachments[i].target);
        drop(scene->attachments[i].keyframes);
        drop(scene->attachments[i].hand_keyframes);
        drop(scene->attachments[i].name);
    }
    for (int i = 0; i < scene->load_count; i++) {
        drop(scene->loads[i].cable);
        drop(scene->loads[i].sheet);
        drop(scene->loads[i].force_keyframes);
    }
    for (int i = 0; i < scene->collider_count; i++) drop_collider(&scene->colliders[i]);
    for (int i = 0; i < scene->constraint_count; i++) drop_constraint(&scene->constraints[i]);
    for (int i = 0; i < scene->note_count; i++) free(scene->notes[i]);
    free(scene->notes);
    free(scene->constraints);
    free(scene->materials);
    free(scene->cables);
    free(scene->sheets);
    free(scene->attachments);
    free(scene->loads);
    free(scene->colliders);
    free(scene->material_names.slots);
    free(scene->cable_names.slots);
    free(scene->sheet_names.slots);
    free(scene->collider_names.slots);
    free(scene->constraint_names.slots);
    free(scene->source);
    free(scene);
}

cab_settings *cab_scene_settings(cab_scene *scene)
{
    return &scene->settings;
}

cab_status cab_scene_add_note(cab_scene *scene, const char *text, cab_error *error)
{
    size_t size = ((size_t)scene->note_count + 1) * sizeof *scene->notes;
    char **grown = realloc(scene->notes, size), *copy = strdup(text);
    if (grown) scene->notes = grown;
    if (!grown || !copy) {
        free(copy);
        return cab_fail_memory(error, "a note", size);
    }
    grown[scene->note_count++] = copy;
    return CAB_OK;
}

cab_status cab_scene_set_source(cab_scene *scene, const char *source, cab_error *error)
{
    char *copy = strdup(source);
    if (!copy) return cab_fail_memory(error, "the scene's name", strlen(source) + 1);
    free(scene->source);
    scene->source = copy;
    return CAB_OK;
}

int cab_scene_find_material(const cab_scene *scene, const char *name)
{
    return cab_name_table_find(&scene->material_names, scene->materials, sizeof *scene->materials, name);
}

int cab_scene_find_cable(const cab_scene *scene, const char *name)
{
    return cab_name_table_find(&scene->cable_names, scene->cables, sizeof *scene->cables, name);
}

int cab_scene_find_collider(const cab_scene *scene, const char *name)
{
    return cab_name_table_find(&scene->collider_names, scene->colliders, sizeof *scene->colliders, name);
}

int cab_scene_find_sheet(const cab_scene *scene, const char *name)
{
    return cab_name_table_find(&scene->sheet_names, scene->sheets, sizeof *scene->sheets, name);
}

/* NULL stays NULL and is no failure. */
static cab_status copy_text(const char **text, cab_error *error)
{
    if (!*text) return CAB_OK;
    const char *copy = strdup(*text);
    if (!copy) return cab_fail_memory(error, "a name", strlen(*text) + 1);
    *text = copy;
    return CAB_OK;
}

static void *copy_array(const void *items, size_t count, size_t size, cab_error *error)
{
    void *copy = malloc(count * size + 1); /* one byte more: an empty list is no failure */
    if (!copy) {
        cab_fail_memory(error, "a list of points", (unsigned long long)count * size);
        return NULL;
    }
    return count > 0 ? memcpy(copy, items, count * size) : copy;
}

/* Makes room for one item more, the capacity being the next power of two. NULL when memory is out: then the
 * list stands as it was. */
static void *grown(void *items, int count, size_t size, cab_error *error)
{
    if (count & (count - 1)) return items;
    size_t bytes = (count ? 2 * (size_t)count : 1) * size;
    void *larger = realloc(items, bytes);
    if (!larger) cab_fail_memory(error, "a list of the scene", bytes);
    return larger;
}

cab_status cab_scene_add_material(cab_scene *scene, const cab_material_def *def, cab_error *error)
{
    cab_status status = cab_check_material(scene, def, error);
    if (status) return status;
    cab_material_def *list = grown(scene->materials, scene->material_count, sizeof *def, error);
    if (!list) return CAB_ERROR_MEMORY;
    scene->materials = list;
    cab_material_def copy = *def;
    status = copy_text(&copy.name, error);
    if (status) return status;
    scene->materials[scene->material_count] = copy;
    status = cab_name_table_add(&scene->material_names, scene->materials, sizeof copy, scene->material_count,
                                error);
    if (status)
        drop(copy.name);
    else
        scene->material_count++;
    return status;
}

/* All of them or, when memory is out, nothing: NULL. */
static cab_cover_def *copy_covers(const cab_cable_def *def, cab_error *error)
{
    cab_cover_def *covers = calloc((size_t)def->cover_count + 1, sizeof *covers);
    if (!covers) cab_fail_memory(error, "covers", (size_t)def->cover_count * sizeof *covers);
    for (int i = 0; covers && i < def->cover_count; i++) {
        covers[i] = def->covers[i];
        if (copy_text(&covers[i].material, error) == CAB_OK) continue;
        while (i-- > 0) drop(covers[i].material);
        free(covers);
        covers = NULL;
    }
    return covers;
}

/* All of it or, when memory is out, nothing. */
static cab_status copy_cable(const cab_cable_def *def, cab_cable_def *out, cab_error *error)
{
    cab_cable_def copy = *def;
    copy.name = copy.material = NULL;
    copy.path = copy_array(def->path, (size_t)def->path_count, sizeof *def->path, error);
    copy.feed.keyframes =
        copy_array(def->feed.keyframes, (size_t)def->feed.keyframe_count, sizeof *def->feed.keyframes, error);
    copy.covers = copy_covers(def, error);
    const char *name = def->name, *material = def->material;
    cab_status status = copy.path && copy.feed.keyframes && copy.covers ? CAB_OK : CAB_ERROR_MEMORY;
    if (!status) status = copy_text(&name, error);
    if (!status) copy.name = name;
    if (!status) status = copy_text(&material, error);
    if (!status) copy.material = material;
    if (status)
        drop_cable(&copy);
    else
        *out = copy;
    return status;
}

cab_status cab_scene_add_cable(cab_scene *scene, const cab_cable_def *def, cab_error *error)
{
    cab_cable_def copy;
    cab_status status = cab_check_cable(scene, def, error);
    if (status) return status;
    cab_cable_def *list = grown(scene->cables, scene->cable_count, sizeof *def, error);
    if (!list) return CAB_ERROR_MEMORY;
    scene->cables = list;
    status = copy_cable(def, &copy, error);
    if (status) return status;
    scene->cables[scene->cable_count] = copy;
    status = cab_name_table_add(&scene->cable_names, scene->cables, sizeof copy, scene->cable_count, error);
    if (status) {
        drop_cable(&copy);
        return status;
    }
    size_t length;
    int index[3];
    scene->copy_like_names += cab_name_split_copy(copy.name, &length, index);
    scene->cable_count++;
    return CAB_OK;
}

/* All of it or, when memory is out, nothing. */
static cab_status copy_sheet(const cab_sheet_def *def, cab_sheet_def *out, cab_error *error)
{
    cab_sheet_def copy = *def;
    const char *name = def->name, *material = def->material;
    copy.name = copy.material = NULL;
    copy.points = copy_array(def->points, (size_t)def->point_count, sizeof *def->points, error);
    copy.faces = copy_array(def->faces, 4 * (size_t)def->face_count, sizeof *def->faces, error);
    copy.sticks = copy_array(def->sticks, 2 * (size_t)def->stick_count, sizeof *def->sticks, error);
    cab_status status = copy.points && copy.faces && copy.sticks ? CAB_OK : CAB_ERROR_MEMORY;
    if (!status) status = copy_text(&name, error);
    if (!status) copy.name = name;
    if (!status) status = copy_text(&material, error);
    if (!status) copy.material = material;
    if (status)
        drop_sheet(&copy);
    else
        *out = copy;
    return status;
}

cab_status cab_scene_add_sheet(cab_scene *scene, const cab_sheet_def *def, cab_error *error)
{
    cab_sheet_def copy;
    cab_status status = cab_check_sheet(scene, def, error);
    if (status) return status;
    cab_sheet_def *list = grown(scene->sheets, scene->sheet_count, sizeof *def, error);
    if (!list) return CAB_ERROR_MEMORY;
    scene->sheets = list;
    status = copy_sheet(def, &copy, error);
    if (status) return status;
    scene->sheets[scene->sheet_count] = copy;
    status = cab_name_table_add(&scene->sheet_names, scene->sheets, sizeof copy, scene->sheet_count, error);
    if (status)
        drop_sheet(&copy);
    else
        scene->sheet_count++;
    return status;
}

static cab_status copy_attachment(const cab_attachment_def *def, cab_attachment_def *out, cab_error *error)
{
    bool named = cab_target_joins(def->to) || def->to == CAB_TARGET_COLLIDER;
    bool moving = def->to == CAB_TARGET_KEYFRAMES;
    const char *texts[4] = {def->sheet ? NULL : def->cable, def->sheet, named ? def->target : NULL,
                            def->name};
    int count = moving ? def->keyframe_count : 0, hand_count = def->hand_keyframe_count;
    cab_keyframe *keyframes = copy_array(def->keyframes, (size_t)count, sizeof *keyframes, error);
    cab_keyframe *hand = copy_array(def->hand_keyframes, (size_t)hand_count, sizeof *hand, error);
    cab_status status = keyframes && hand ? CAB_OK : CAB_ERROR_MEMORY;
    int copied = 0;
    while (!status && copied < 4) {
        status = copy_text(&texts[copied], error);
        copied += status == CAB_OK;
    }
    if (status) {
        while (copied-- > 0) drop(texts[copied]);
        free(keyframes);
        free(hand);
        return status;
    }
    *out = *def;
    out->cable = texts[0];
    out->sheet = texts[1];
    out->target = texts[2];
    out->name = texts[3];
    out->keyframes = keyframes;
    out->keyframe_count = count;
    out->hand_keyframes = hand;
    return CAB_OK;
}

cab_status cab_scene_add_attachment(cab_scene *scene, const cab_attachment_def *def, cab_error *error)
{
    cab_status status = cab_check_attachment(scene, def, error);
    if (status) return status;
    cab_attachment_def *list = grown(scene->attachments, scene->attachment_count, sizeof *def, error);
    if (!list) return CAB_ERROR_MEMORY;
    scene->attachments = list;
    status = copy_attachment(def, &list[scene->attachment_count], error);
    scene->attachment_count += status == CAB_OK;
    return status;
}

cab_status cab_scene_add_tie(cab_scene *scene, const cab_tie_def *def, cab_error *error)
{
    cab_status status = cab_check_tie(scene, def, error);
    if (status) return status;
    cab_tie_def *list = grown(scene->ties, scene->tie_count, sizeof *def, error), copy = *def;
    if (!list) return CAB_ERROR_MEMORY;
    scene->ties = list;
    const char **cables = calloc((size_t)def->cable_count, sizeof *cables);
    if (!cables) return cab_fail_memory(error, "a tie", (size_t)def->cable_count * sizeof *cables);
    copy.cables = cables;
    copy.name = NULL;
    for (int i = 0; !status && i < def->cable_count; i++) {
        const char *text = def->cables[i];
        status = copy_text(&text, error);
        if (!status) cables[i] = text;
    }
    const char *name = def->name;
    if (!status) status = copy_text(&name, error);
    if (!status) copy.name = name;
    if (status)
        drop_tie(&copy);
    else
        list[scene->tie_count++] = copy;
    return status;
}

cab_status cab_scene_add_load(cab_scene *scene, const cab_load_def *def, cab_error *error)
{
    cab_status status = cab_check_load(scene, def, error);
    if (status) return status;
    cab_load_def *list = grown(scene->loads, scene->load_count, sizeof *def, error);
    if (!list) return CAB_ERROR_MEMORY;
    scene->loads = list;
    cab_load_def copy = *def;
    copy.force_keyframes = NULL;
    if (def->force_keyframe_count > 0) {
        copy.force_keyframes = copy_array(def->force_keyframes, (size_t)def->force_keyframe_count,
                                          sizeof *def->force_keyframes, error);
        if (!copy.force_keyframes) return CAB_ERROR_MEMORY;
    }
    if (def->sheet) copy.cable = NULL;
    status = copy_text(def->sheet ? &copy.sheet : &copy.cable, error);
    if (status) {
        drop(copy.force_keyframes);
        return status;
    }
    scene->loads[scene->load_count++] = copy;
    return CAB_OK;
}

/* All of it or, when memory is out, nothing. */
static cab_status copy_collider(const cab_collider_def *def, cab_collider_def *out, cab_error *error)
{
    cab_collider_def copy = *def;
    cab_status status = copy_text(&copy.name, error);
    copy.mesh = (cab_mesh){0};
    copy.keyframes = NULL;
    copy.keyframe_count = def->keyframes ? def->keyframe_count : 0;
    if (status == CAB_OK && copy.keyframe_count > 0) {
        copy.keyframes =
            copy_array(def->keyframes, (size_t)def->keyframe_count, sizeof *def->keyframes, error);
        if (!copy.keyframes) {
            drop_collider(&copy);
            return CAB_ERROR_MEMORY;
        }
    }
    if (status == CAB_OK && def->shape == CAB_SHAPE_MESH) {
        copy.mesh = def->mesh;
        copy.mesh.vertices =
            copy_array(def->mesh.vertices, (size_t)def->mesh.vertex_count, sizeof *def->mesh.vertices, error);
        copy.mesh.triangles = copy_array(def->mesh.triangles, 3 * (size_t)def->mesh.triangle_count,
                                         sizeof *def->mesh.triangles, error);
        if (!copy.mesh.vertices || !copy.mesh.triangles) {
            drop_collider(&copy);
            return CAB_ERROR_MEMORY;
        }
    }
    *out = copy;
    return status;
}

cab_status cab_scene_add_collider(cab_scene *scene, const cab_collider_def *def, cab_error *error)
{
    cab_status status = cab_check_collider(scene, def, error);
    if (status) return status;
    cab_collider_def *list = grown(scene->colliders, scene->collider_count, sizeof *def, error);
    if (!list) return CAB_ERROR_MEMORY;
    scene->colliders = list;
    cab_collider_def copy;
    status = copy_collider(def, &copy, error);
    if (status) return status;
    scene->colliders[scene->collider_count] = copy;
    status = cab_name_table_add(&scene->collider_names, scene->colliders, sizeof copy, scene->collider_count,
                                error);
    if (status)
        drop_collider(&copy);
    else
        scene->collider_count++;
    return status;
}

/* All of it or, when memory is out, what can be dropped. */
static cab_status copy_constraint(const cab_constraint_def *def, cab_constraint_def *out, cab_error *error)
{
    *out = *def;
    out->stencil = NULL;
    out->parameters = NULL;
    const char **texts[] = {&out->name, &out->cable, &out->expression};
    const char *from[] = {def->name, def->cable, def->expression};
    for (int i = 0; i < 3; i++) *texts[i] = NULL;
    cab_status status = CAB_OK;
    for (int i = 0; i < 3 && !status; i++) {
        const char *text = from[i];
        status = copy_text(&text, error);
        if (!status) *texts[i] = text;
    }
    if (!status) {
        out->stencil = copy_array(def->stencil, (size_t)def->stencil_count, sizeof *def->stencil, error);
        status = out->stencil ? CAB_OK : CAB_ERROR_MEMORY;
    }
    if (status || def->parameter_count == 0) return status;
    cab_parameter *parameters = calloc((size_t)def->parameter_count, sizeof *parameters);
    if (!parameters) return cab_fail_memory(error, "parameters", 0);
    out->parameters = parameters;
    for (int i = 0; i < def->parameter_count && !status; i++) {
        const char *name = def->parameters[i].name;
        status = copy_text(&name, error);
        if (!status) parameters[i] = (cab_parameter){name, def->parameters[i].value};
    }
    return status;
}

cab_status cab_scene_add_constraint(cab_scene *scene, const cab_constraint_def *def, cab_error *error)
{
    cab_status status = cab_check_constraint(scene, def, error);
    if (status) return status;
    cab_constraint_def *list = grown(scene->constraints, scene->constraint_count, sizeof *def, error);
    if (!list) return CAB_ERROR_MEMORY;
    scene->constraints = list;
    cab_constraint_def copy;
    status = copy_constraint(def, &copy, error);
    if (!status) {
        list[scene->constraint_count] = copy;
        status =
            cab_name_table_add(&scene->constraint_names, list, sizeof copy, scene->constraint_count, error);
    }
    if (status)
        drop_constraint(&copy);
    else
        scene->constraint_count++;
    return status;
}

const char *cab_way_name(cab_way way)
{
    static const char *const names[CAB_WAY_COUNT] = {
        [CAB_WAY_AUTO] = "auto",     [CAB_WAY_COLOURED] = "coloured", [CAB_WAY_FUSED] = "fused",
        [CAB_WAY_LANES] = "lanes",   [CAB_WAY_STAGED] = "staged",     [CAB_WAY_CYCLIC] = "cyclic",
        [CAB_WAY_CHUNKS] = "chunks",
    };
    return way >= 0 && way < CAB_WAY_COUNT ? names[way] : "none";
}

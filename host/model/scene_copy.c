#include "model/scene_copy.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/parts.h"

/* Copies were made by this file, so the casts take back what it allocated itself. */
static void drop(const void *memory)
{
    free((void *)memory);
}

/* Puts copies in the place of texts; NULL stays NULL. When memory is out, those that were not copied are NULL. */
static cab_status own_texts(const char **const *texts, int count, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < count; i++) {
        const char *text = *texts[i];
        *texts[i] = text && status == CAB_OK ? strdup(text) : NULL;
        if (text && status == CAB_OK && !*texts[i])
            status = cab_fail_memory(error, "a name", strlen(text) + 1);
    }
    return status;
}

static cab_status own_text(const char **text, cab_error *error)
{
    return own_texts(&text, 1, error);
}

/* NULL when memory is out. */
static void *copy_array(const void *items, size_t count, size_t size, cab_error *error)
{
    void *copy = malloc(count * size + 1); /* one byte more: an empty list is no failure */
    if (!copy) {
        cab_fail_memory(error, "a list of points", (unsigned long long)count * size);
        return NULL;
    }
    return count > 0 ? memcpy(copy, items, count * size) : copy;
}

/* Of `count` items that are filled one by one afterwards, all zero at first. */
static void *new_array(int count, size_t size, cab_error *error)
{
    void *items = calloc((size_t)count + 1, size);
    if (!items) cab_fail_memory(error, "a list of names", (unsigned long long)count * size);
    return items;
}

void cab_drop_material(const cab_material_def *copy)
{
    drop(copy->name);
}

void cab_drop_cable(const cab_cable_def *copy)
{
    drop(copy->name);
    drop(copy->material);
    drop(copy->path);
    drop(copy->feed.keyframes);
    for (int i = 0; copy->covers && i < copy->cover_count; i++) drop(copy->covers[i].material);
    drop(copy->covers);
}

void cab_drop_sheet(const cab_sheet_def *copy)
{
    drop(copy->name);
    drop(copy->material);
    drop(copy->points);
    drop(copy->faces);
    drop(copy->sticks);
}

void cab_drop_tie(const cab_tie_def *copy)
{
    drop(copy->name);
    for (int i = 0; copy->cables && i < copy->cable_count; i++) drop(copy->cables[i]);
    drop(copy->cables);
}

void cab_drop_collider(const cab_collider_def *copy)
{
    drop(copy->name);
    drop(copy->mesh.vertices);
    drop(copy->mesh.triangles);
    drop(copy->keyframes);
}

void cab_drop_constraint(const cab_constraint_def *copy)
{
    drop(copy->name);
    drop(copy->cable);
    drop(copy->stencil);
    drop(copy->expression);
    for (int i = 0; copy->parameters && i < copy->parameter_count; i++) drop(copy->parameters[i].name);
    drop(copy->parameters);
}

void cab_drop_attachment(const cab_attachment_def *copy)
{
    drop(copy->cable);
    drop(copy->sheet);
    drop(copy->target);
    drop(copy->keyframes);
    drop(copy->hand_keyframes);
    drop(copy->name);
}

void cab_drop_load(const cab_load_def *copy)
{
    drop(copy->cable);
    drop(copy->sheet);
    drop(copy->force_keyframes);
}

cab_status cab_copy_material(const cab_material_def *def, cab_material_def *copy, cab_error *error)
{
    *copy = *def;
    return own_text(&copy->name, error);
}

static const cab_cover_def *copy_covers(const cab_cable_def *def, cab_error *error)
{
    cab_cover_def *covers = new_array(def->cover_count, sizeof *covers, error);
    cab_status status = covers ? CAB_OK : CAB_ERROR_MEMORY;
    int copied = 0;
    for (; status == CAB_OK && copied < def->cover_count; copied++) {
        covers[copied] = def->covers[copied];
        status = own_text(&covers[copied].material, error);
    }
    if (status == CAB_OK) return covers;
    while (copied-- > 0) drop(covers[copied].material);
    free(covers);
    return NULL;
}

cab_status cab_copy_cable(const cab_cable_def *def, cab_cable_def *copy, cab_error *error)
{
    const cab_feed_def *feed = &def->feed;
    *copy = *def;
    cab_status status = own_texts((const char **[]){&copy->name, &copy->material}, 2, error);
    copy->path = copy_array(def->path, (size_t)def->path_count, sizeof *def->path, error);
    copy->feed.keyframes =
        copy_array(feed->keyframes, (size_t)feed->keyframe_count, sizeof *feed->keyframes, error);
    copy->covers = copy_covers(def, error);
    if (!copy->path || !copy->feed.keyframes || !copy->covers) status = CAB_ERROR_MEMORY;
    if (status != CAB_OK) cab_drop_cable(copy);
    return status;
}

cab_status cab_copy_sheet(const cab_sheet_def *def, cab_sheet_def *copy, cab_error *error)
{
    *copy = *def;
    cab_status status = own_texts((const char **[]){&copy->name, &copy->material}, 2, error);
    copy->points = copy_array(def->points, (size_t)def->point_count, sizeof *def->points, error);
    copy->faces = copy_array(def->faces, 4 * (size_t)def->face_count, sizeof *def->faces, error);
    copy->sticks = copy_array(def->sticks, 2 * (size_t)def->stick_count, sizeof *def->sticks, error);
    if (!copy->points || !copy->faces || !copy->sticks) status = CAB_ERROR_MEMORY;
    if (status != CAB_OK) cab_drop_sheet(copy);
    return status;
}

/* What the target has no use for is left out. */
cab_status cab_copy_attachment(const cab_attachment_def *def, cab_attachment_def *copy, cab_error *error)
{
    *copy = *def;
    if (def->sheet) copy->cable = NULL;
    if (!cab_target_joins(def->to) && def->to != CAB_TARGET_COLLIDER) copy->target = NULL;
    if (def->to != CAB_TARGET_KEYFRAMES) copy->keyframe_count = 0;
    cab_status status =
        own_texts((const char **[]){&copy->cable, &copy->sheet, &copy->target, &copy->name}, 4, error);
    copy->keyframes = copy_array(def->keyframes, (size_t)copy->keyframe_count, sizeof *def->keyframes, error);
    copy->hand_keyframes =
        copy_array(def->hand_keyframes, (size_t)def->hand_keyframe_count, sizeof *def->hand_keyframes, error);
    if (!copy->keyframes || !copy->hand_keyframes) status = CAB_ERROR_MEMORY;
    if (status != CAB_OK) cab_drop_attachment(copy);
    return status;
}

cab_status cab_copy_load(const cab_load_def *def, cab_load_def *copy, cab_error *error)
{
    *copy = *def;
    if (def->sheet) copy->cable = NULL;
    cab_status status = own_texts((const char **[]){&copy->cable, &copy->sheet}, 2, error);
    copy->force_keyframes = copy_array(def->force_keyframes, (size_t)def->force_keyframe_count,
                                       sizeof *def->force_keyframes, error);
    if (!copy->force_keyframes) status = CAB_ERROR_MEMORY;
    if (status != CAB_OK) cab_drop_load(copy);
    return status;
}

cab_status cab_copy_tie(const cab_tie_def *def, cab_tie_def *copy, cab_error *error)
{
    const char **cables = new_array(def->cable_count, sizeof *cables, error);
    *copy = *def;
    copy->cables = cables;
    cab_status status = own_text(&copy->name, error);
    if (!cables) status = CAB_ERROR_MEMORY;
    for (int i = 0; status == CAB_OK && i < def->cable_count; i++) {
        cables[i] = def->cables[i];
        status = own_text(&cables[i], error);
    }
    if (status != CAB_OK) cab_drop_tie(copy);
    return status;
}

cab_status cab_copy_collider(const cab_collider_def *def, cab_collider_def *copy, cab_error *error)
{
    const cab_mesh *mesh = &def->mesh;
    *copy = *def;
    copy->mesh = (cab_mesh){0};
    copy->keyframes = NULL;
    copy->keyframe_count = def->keyframes ? def->keyframe_count : 0;
    cab_status status = own_text(&copy->name, error);
    if (copy->keyframe_count > 0) {
        copy->keyframes =
            copy_array(def->keyframes, (size_t)def->keyframe_count, sizeof *def->keyframes, error);
        if (!copy->keyframes) status = CAB_ERROR_MEMORY;
    }
    if (def->shape == CAB_SHAPE_MESH) {
        copy->mesh = *mesh;
        copy->mesh.vertices =
            copy_array(mesh->vertices, (size_t)mesh->vertex_count, sizeof *mesh->vertices, error);
        copy->mesh.triangles =
            copy_array(mesh->triangles, 3 * (size_t)mesh->triangle_count, sizeof *mesh->triangles, error);
        if (!copy->mesh.vertices || !copy->mesh.triangles) status = CAB_ERROR_MEMORY;
    }
    if (status != CAB_OK) cab_drop_collider(copy);
    return status;
}

cab_status cab_copy_constraint(const cab_constraint_def *def, cab_constraint_def *copy, cab_error *error)
{
    cab_parameter *parameters = new_array(def->parameter_count, sizeof *parameters, error);
    *copy = *def;
    copy->parameters = parameters;
    cab_status status = own_texts((const char **[]){&copy->name, &copy->cable, &copy->expression}, 3, error);
    copy->stencil = copy_array(def->stencil, (size_t)def->stencil_count, sizeof *def->stencil, error);
    if (!parameters || !copy->stencil) status = CAB_ERROR_MEMORY;
    for (int i = 0; status == CAB_OK && i < def->parameter_count; i++) {
        parameters[i] = def->parameters[i];
        status = own_text(&parameters[i].name, error);
    }
    if (status != CAB_OK) cab_drop_constraint(copy);
    return status;
}

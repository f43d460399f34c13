#include "model/merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/scene_items.h"

typedef struct merging {
    cab_scene *to;
    int group;
    bool share_colliders;
    const char **kept; /* a name that stays as it is, or NULL */
    cab_status status;
    cab_error *error;
} merging;

/* "group/NAME" in the place of a name that a copy owns. */
static void rename_text(const char **text, bool is_name, void *user)
{
    merging *m = user;
    if (!*text || !is_name || text == m->kept || m->status) return;
    size_t size = strlen(*text) + 16;
    char *name = malloc(size);
    if (!name) {
        m->status = cab_fail_memory(m->error, "a name", size);
        return;
    }
    snprintf(name, size, "%d/%s", m->group, *text);
    free((char *)*text);
    *text = name;
}

/* Sets the group of what has one, and finds the name that scenes share. */
static void set_group(merging *m, cab_item_kind kind, cab_item *item)
{
    m->kept = NULL;
    if (kind == CAB_ITEM_CABLE) item->cable.group = m->group;
    if (kind == CAB_ITEM_SHEET) item->sheet.group = m->group;
    if (kind == CAB_ITEM_BODY) item->body.group = m->group;
    if (kind == CAB_ITEM_COLLIDER) item->collider.group = m->share_colliders ? CAB_GROUP_ALL : m->group;
    if (!m->share_colliders) return;
    if (kind == CAB_ITEM_COLLIDER) m->kept = &item->collider.name;
    if (kind == CAB_ITEM_ATTACHMENT && item->attachment.to == CAB_TARGET_COLLIDER)
        m->kept = &item->attachment.target;
}

static cab_status add_item(merging *m, cab_item_kind kind, const cab_item *from)
{
    cab_item item;
    m->status = cab_item_copy(kind, from, &item, m->error);
    if (m->status) return m->status;
    set_group(m, kind, &item);
    cab_item_each_text(kind, &item, rename_text, m);
    if (!m->status) m->status = cab_item_add(m->to, kind, &item, m->error);
    cab_item_drop(kind, &item);
    return m->status;
}

static cab_status add_scene(merging *m, const cab_scene *from)
{
    cab_status status = CAB_OK;
    for (int k = 0; k < CAB_ITEM_KINDS; k++) {
        cab_item_kind kind = (cab_item_kind)k;
        if (kind == CAB_ITEM_COLLIDER && m->share_colliders && m->group > 0) continue;
        for (int i = 0; i < cab_item_count(from, kind) && !status; i++)
            status = add_item(m, kind, cab_item_at(from, kind, i));
    }
    return status;
}

cab_status cab_scene_merge(const cab_scene *const *scenes, int count, bool share_colliders,
                           cab_scene **merged, cab_error *error)
{
    cab_scene *to = cab_scene_create();
    if (!to) return cab_fail_memory(error, "a scene", 0);
    to->settings = scenes[0]->settings;
    cab_status status = cab_scene_set_source(to, scenes[0]->source, error);
    for (int i = 0; i < count && !status; i++) {
        merging m = {.to = to, .group = i, .share_colliders = share_colliders, .error = error};
        status = add_scene(&m, scenes[i]);
    }
    if (status)
        cab_scene_destroy(to);
    else
        *merged = to;
    return status;
}

bool cab_pointer_is_of(const char *pointer, const char *key)
{
    size_t length = strcspn(pointer + 1, "/");
    return strlen(key) == length && strncmp(pointer + 1, key, length) == 0;
}

bool cab_pointer_is_setting(const char *pointer)
{
    static const char *const settings[] = {"gravity", "wind", "time", "method", "contact"};
    bool is = false;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        is = is || cab_pointer_is_of(pointer, settings[i]);
    return is;
}

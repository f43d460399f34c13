#include "model/scene_items.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* A text that an item points at: where it is in the item, and whether it names an item of the scene. */
typedef struct item_text {
    size_t at;
    enum { END, NAME, WORDS } what;
} item_text;

/* An array that an item points at. */
typedef struct array {
    size_t at, count; /* where the pointer and the count are in the item */
    size_t size;      /* bytes for each of the count; 0 = the end of the table */
    item_text text;   /* of each element */
} array;

typedef struct list {
    size_t size;         /* of an item */
    size_t items, count; /* where they are in the scene */
    size_t names;        /* the table of names there; 0 = none */
    item_text texts[5];
    array arrays[11];
} list;

#define AT(item, member) offsetof(cab_##item##_def, member)
#define LIST(item)                                                                                           \
    .size = sizeof(cab_##item##_def), .items = offsetof(cab_scene, item##s),                                 \
    .count = offsetof(cab_scene, item##_count)
#define NAMES(item) .names = offsetof(cab_scene, item##_names)
#define ARRAY(item, member, counter, bytes) .at = AT(item, member), .count = AT(item, counter), .size = bytes

static const list lists[CAB_ITEM_KINDS] = {
    [CAB_ITEM_MATERIAL] = {LIST(material), NAMES(material), .texts = {{AT(material, name), NAME}}},
    [CAB_ITEM_CABLE] = {LIST(cable), NAMES(cable),
                        .texts = {{AT(cable, name), NAME}, {AT(cable, material), NAME}},
                        .arrays = {{ARRAY(cable, path, path_count, sizeof(cab_vec3))},
                                   {ARRAY(cable, feed.keyframes, feed.keyframe_count,
                                          sizeof(cab_feed_keyframe))},
                                   {ARRAY(cable, covers, cover_count, sizeof(cab_cover_def)),
                                    .text = {AT(cover, material), NAME}},
                                   {ARRAY(cable, parts, part_count, sizeof(char *)), .text = {0, WORDS}},
                                   {ARRAY(cable, bundle, bundle_count, sizeof(cab_bundle_row_def)),
                                    .text = {AT(bundle_row, part), WORDS}},
                                   {ARRAY(cable, division.lengths, division.length_count, sizeof(double))},
                                   {ARRAY(cable, division.places, division.place_count, sizeof(double))},
                                   {ARRAY(cable, motion.velocities, motion.velocity_count, sizeof(cab_vec3))},
                                   {ARRAY(cable, motion.along, motion.along_count, sizeof(cab_velocity_row))},
                                   {ARRAY(cable, motion.path, motion.path_count, sizeof(cab_vec3))}}},
    [CAB_ITEM_SHEET] = {LIST(sheet), NAMES(sheet),
                        .texts = {{AT(sheet, name), NAME}, {AT(sheet, material), NAME}},
                        .arrays = {{ARRAY(sheet, points, point_count, sizeof(cab_vec3))},
                                   {ARRAY(sheet, faces, face_count, 4 * sizeof(int))},
                                   {ARRAY(sheet, sticks, stick_count, 2 * sizeof(int))}}},
    [CAB_ITEM_COLLIDER] = {LIST(collider), NAMES(collider), .texts = {{AT(collider, name), NAME}},
                           .arrays = {{ARRAY(collider, mesh.vertices, mesh.vertex_count, sizeof(cab_vec3))},
                                      {ARRAY(collider, mesh.triangles, mesh.triangle_count, 3 * sizeof(int))},
                                      {ARRAY(collider, keyframes, keyframe_count,
                                             sizeof(cab_pose_keyframe))}}},
    [CAB_ITEM_BODY] = {.size = sizeof(cab_body_def),
                       .items = offsetof(cab_scene, bodies),
                       .count = offsetof(cab_scene, body_count),
                       NAMES(body),
                       .texts = {{AT(body, name), NAME}},
                       .arrays = {{ARRAY(body, shapes, shape_count, sizeof(cab_body_shape_def))},
                                  {ARRAY(body, keyframes, keyframe_count, sizeof(cab_pose_keyframe))}}},
    [CAB_ITEM_ATTACHMENT] =
        {LIST(attachment),
         .texts = {{AT(attachment, cable), NAME},
                   {AT(attachment, sheet), NAME},
                   {AT(attachment, target), NAME},
                   {AT(attachment, name), WORDS}},
         .arrays = {{ARRAY(attachment, keyframes, keyframe_count, sizeof(cab_keyframe))},
                    {ARRAY(attachment, hand_keyframes, hand_keyframe_count, sizeof(cab_keyframe))},
                    {ARRAY(attachment, roll_keyframes, roll_keyframe_count, sizeof(cab_roll_keyframe))}}},
    [CAB_ITEM_TIE] = {LIST(tie), .texts = {{AT(tie, name), WORDS}},
                      .arrays = {{ARRAY(tie, cables, cable_count, sizeof(char *)), .text = {0, NAME}}}},
    [CAB_ITEM_LOAD] = {LIST(load), .texts = {{AT(load, cable), NAME}, {AT(load, sheet), NAME}},
                       .arrays = {{ARRAY(load, force_keyframes, force_keyframe_count,
                                         sizeof(cab_keyframe))}}},
    [CAB_ITEM_SOCKET] = {LIST(socket), NAMES(socket),
                         .texts = {{AT(socket, name), NAME},
                                   {AT(socket, plug.body), NAME},
                                   {AT(socket, to.body), NAME}},
                         .arrays = {{ARRAY(socket, friction, friction_count, sizeof(cab_socket_row_def))}}},
    [CAB_ITEM_PROBE] = {LIST(probe), NAMES(probe),
                        .texts = {{AT(probe, name), NAME}, {AT(probe, cable), NAME}}},
    [CAB_ITEM_CONSTRAINT] = {LIST(constraint), NAMES(constraint),
                             .texts = {{AT(constraint, name), NAME},
                                       {AT(constraint, cable), NAME},
                                       {AT(constraint, expression), WORDS}},
                             .arrays = {{ARRAY(constraint, stencil, stencil_count, sizeof(int))},
                                        {ARRAY(constraint, parameters, parameter_count,
                                               sizeof(cab_parameter)),
                                         .text = {offsetof(cab_parameter, name), WORDS}}}},
    [CAB_ITEM_ENTRY] = {.size = sizeof(cab_entry),
                        .items = offsetof(cab_scene, entries),
                        .count = offsetof(cab_scene, entry_count),
                        .texts = {{offsetof(cab_entry, cable), NAME}}},
};

static void *member(const void *holder, size_t at)
{
    return (char *)holder + at;
}

/* Pointers to different types may not stand for each other, so they are copied. */
static void *pointer_at(const void *holder, size_t at)
{
    void *pointer;
    memcpy(&pointer, member(holder, at), sizeof pointer);
    return pointer;
}

static int count_at(const void *holder, size_t at)
{
    return *(int *)member(holder, at);
}

int cab_item_count(const cab_scene *scene, cab_item_kind kind)
{
    return count_at(scene, lists[kind].count);
}

const cab_item *cab_item_at(const cab_scene *scene, cab_item_kind kind, int index)
{
    return member(pointer_at(scene, lists[kind].items), (size_t)index * lists[kind].size);
}

static void visit_text(void *holder, item_text t, cab_text_visitor *visit, void *user)
{
    if (t.what != END) visit(member(holder, t.at), t.what == NAME, user);
}

void cab_item_each_text(cab_item_kind kind, void *item, cab_text_visitor *visit, void *user)
{
    for (const item_text *t = lists[kind].texts; t->what != END; t++) visit_text(item, *t, visit, user);
    for (const array *a = lists[kind].arrays; a->size; a++) {
        char *element = pointer_at(item, a->at);
        for (int i = 0; element && i < count_at(item, a->count); i++)
            visit_text(element + (size_t)i * a->size, a->text, visit, user);
    }
}

static void free_text(const char **text, bool is_name, void *user)
{
    (void)is_name, (void)user;
    free((char *)*text);
}

void cab_item_drop(cab_item_kind kind, void *copy)
{
    cab_item_each_text(kind, copy, free_text, NULL);
    for (const array *a = lists[kind].arrays; a->size; a++) free(pointer_at(copy, a->at));
}

/* NULL where it is empty. */
static cab_status own_array(void *copy, const array *a, cab_error *error)
{
    size_t bytes = a->size * (size_t)count_at(copy, a->count);
    const void *from = pointer_at(copy, a->at);
    void *own = bytes ? malloc(bytes) : NULL;
    memcpy(member(copy, a->at), &own, sizeof own);
    if (own) memcpy(own, from, bytes);
    return own || !bytes ? CAB_OK : cab_fail_memory(error, "a list", bytes);
}

typedef struct owning {
    cab_status status;
    cab_error *error;
} owning;

/* When memory is out, texts that were not copied become NULL. */
static void own_text(const char **text, bool is_name, void *user)
{
    owning *o = user;
    const char *from = *text;
    (void)is_name;
    *text = from && !o->status ? strdup(from) : NULL;
    if (from && !o->status && !*text) o->status = cab_fail_memory(o->error, "a name", strlen(from) + 1);
}

cab_status cab_item_copy(cab_item_kind kind, const void *def, void *copy, cab_error *error)
{
    owning o = {CAB_OK, error};
    memcpy(copy, def, lists[kind].size);
    for (const array *a = lists[kind].arrays; a->size; a++) {
        cab_status status = own_array(copy, a, error);
        if (status) o.status = status;
    }
    cab_item_each_text(kind, copy, own_text, &o);
    if (o.status) cab_item_drop(kind, copy);
    return o.status;
}

cab_status cab_item_append(cab_scene *scene, cab_item_kind kind, const void *def, cab_error *error)
{
    const list *l = &lists[kind];
    int *count = member(scene, l->count);
    cab_status status = cab_array_one_more(member(scene, l->items), l->size, *count, "items", error);
    if (status) return status;
    char *items = pointer_at(scene, l->items), *copy = items + (size_t)*count * l->size;
    status = cab_item_copy(kind, def, copy, error);
    if (status) return status;
    if (l->names) status = cab_name_table_add(member(scene, l->names), items, l->size, *count, error);
    if (status)
        cab_item_drop(kind, copy);
    else
        ++*count;
    return status;
}

void cab_items_free(cab_scene *scene)
{
    for (int kind = 0; kind < CAB_ITEM_KINDS; kind++) {
        const list *l = &lists[kind];
        char *items = pointer_at(scene, l->items);
        for (int i = 0; i < cab_item_count(scene, (cab_item_kind)kind); i++)
            cab_item_drop((cab_item_kind)kind, items + (size_t)i * l->size);
        free(items);
        if (l->names) free(pointer_at(scene, l->names + offsetof(cab_name_table, slots)));
    }
}

/* A harness as a scene's document: the options of the conversion, and the order of its steps. */
#include "io/kbl/kbl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/json/cursor.h"
#include "io/kbl/contents.h"
#include "io/kbl/convert.h"
#include "io/kbl/write.h"
#include "io/json/override.h"

#define NUMBER(member, ...) CAB_VALUE(cab_kbl_options, member, __VA_ARGS__)

/* A name or a list of them, into an array that is to be released. */
static cab_status read_names(const cab_cursor *value, void *into)
{
    static const char expected[] = "the name of a node, connector or fixing, or a list of names";
    json_t **names = into;
    if (json_is_string(value->value)) {
        *names = json_pack("[O]", value->value);
        return *names ? CAB_OK : cab_fail_memory(value->reader->error, "names", 64);
    }
    if (!json_is_array(value->value)) return cab_cursor_fail(value, expected);
    cab_status status = CAB_OK;
    for (size_t i = 0; i < json_array_size(value->value) && !status; i++) {
        cab_cursor item = cab_cursor_item(value, i);
        const char *name;
        status = cab_read_text(&item, "a name", &name);
    }
    if (!status) *names = json_incref(value->value);
    return status;
}

/* Stiffnesses by name, into an object that is to be released. */
static cab_status read_stiffness(const cab_cursor *value, void *into)
{
    static const cab_limit bending = {0, 1e9, false}, stretching = {1e-6, 1e12, false};
    const char *name;
    json_t *entry;
    if (!json_is_object(value->value)) return cab_cursor_fail(value, "an object of stiffnesses by name");
    json_object_foreach(value->value, name, entry)
    {
        cab_cursor one = cab_cursor_key(value, name), first = one, second = {.value = NULL};
        double number;
        if (json_is_array(entry)) {
            if (json_array_size(entry) != 2) return cab_cursor_fail(&one, "EI, or [EI, EA]");
            first = cab_cursor_item(&one, 0);
            second = cab_cursor_item(&one, 1);
        }
        cab_status status = cab_read_number(&first, bending, &number);
        if (!status && second.value) status = cab_read_number(&second, stretching, &number);
        if (status) return status;
    }
    *(json_t **)into = json_incref(value->value);
    return CAB_OK;
}

/* The options: a document { "kbl": ... } that overrides change. */
static cab_status read_options(json_t *document, const char *file, cab_kbl_options *options, cab_error *error)
{
    static const char *const as[] = {"segments", "wires", NULL}, *const ends[] = {"held", "free", NULL};
    static const cab_key keys[] = {
        {CAB_KEY_AS("as", cab_kbl_options, wires), .kind = CAB_KEY_FLAG, .words = as},
        {NUMBER(resolution, {1e-4, 10, false})},
        {NUMBER(length_tolerance, {0, 1, false})},
        {NUMBER(gap, {0, 1, false})},
        {CAB_READ(cab_kbl_options, bond, cab_kbl_read_bond)},
        {CAB_READ(cab_kbl_options, protection, cab_kbl_read_protection)},
        {NUMBER(play, CAB_LIMIT_PLAY)},
        {NUMBER(friction, CAB_LIMIT_FRICTION)},
        {NUMBER(grip, CAB_LIMIT_GRIP)},
        {NUMBER(holding_force, CAB_LIMIT_BREAK_FORCE)},
        {NUMBER(pull_out_force, CAB_LIMIT_BREAK_FORCE)},
        {NUMBER(tie_distance, {0, 100, false})},
        {CAB_KEY_AS("loose_ends", cab_kbl_options, loose_ends_free), .kind = CAB_KEY_FLAG, .words = ends},
        {CAB_READ(cab_kbl_options, hold, read_names)},
        {CAB_READ(cab_kbl_options, free, read_names)},
        {CAB_READ(cab_kbl_options, stiffness, read_stiffness)},
        {CAB_READ(cab_kbl_options, body, read_names)},
        {NUMBER(body_scale, {1e-6, 1e6, false})},
    };
    cab_reader reader = {.file = file, .error = error};
    cab_cursor root = {.value = document, .reader = &reader}, all = cab_cursor_key(&root, "kbl");
    return cab_read_object(&all, keys, CAB_COUNT(keys), options);
}

static cab_status take_options(const char *file, const char *const *overrides, int count,
                               cab_kbl_options *options, cab_error *error)
{
    *options = (cab_kbl_options){.resolution = 0.02,
                                 .length_tolerance = 0.005,
                                 .gap = 0.001,
                                 .play = NAN,
                                 .friction = NAN,
                                 .grip = NAN,
                                 .holding_force = NAN,
                                 .pull_out_force = NAN,
                                 .tie_distance = 0.1,
                                 .loose_ends_free = true,
                                 .body_scale = 1};
    json_t *document = json_pack("{s:{}}", "kbl");
    cab_status status = document ? CAB_OK : cab_fail_memory(error, "options", 64);
    for (int i = 0; i < count && !status; i++)
        if (strncmp(overrides[i], CAB_KBL_POINTER, strlen(CAB_KBL_POINTER)) == 0)
            status = cab_override(document, file, overrides[i], error);
    if (!status) status = read_options(document, file, options, error);
    json_decref(document);
    return status;
}

/* What stands around the harness, as colliders: each called as its file is. */
static void add_bodies(cab_kbl_scene *scene)
{
    if (!json_array_size(scene->options->body)) return;
    json_t *colliders = json_array();
    for (size_t i = 0; i < json_array_size(scene->options->body); i++) {
        json_t *file = json_array_get(scene->options->body, i);
        cab_kbl_append(scene, colliders,
                       json_pack("{s:O,s:s,s:O,s:f}", "name", file, "shape", "mesh", "file", file, "scale",
                                 scene->options->body_scale));
    }
    cab_kbl_set(scene, scene->document, "colliders", colliders);
}

static cab_status build(cab_kbl *kbl, const cab_kbl_options *options, json_t **document, cab_error *error)
{
    cab_kbl_scene scene = {.kbl = kbl, .options = options};
    cab_status status = cab_kbl_check_names(kbl, options, error);
    if (status) return status;
    cab_kbl_shape(kbl, options);
    cab_kbl_fix(kbl);
    cab_kbl_bundle(kbl, options);
    if (!kbl->lost) status = cab_kbl_choose_held(kbl, options, error);
    if (status) return status;
    scene.document = json_pack("{s:i,s:{s:i},s:s,s:{s:b,s:b},s:{},s:[],s:[],s:[],s:[],s:[]}", "clcable", 1,
                               "time", "duration", 2, "method", "direct", "contact", "self", 0, "parted", 1,
                               "materials", "cables", "attachments", "clips", "connectors", "ties");
    /* wires touch all along: too much for most machines, and more than 20 mm segments can tell apart */
    if (options->wires)
        cab_kbl_set(&scene, json_object_get(scene.document, "contact"), "cables", json_false());
    scene.materials = json_object_get(scene.document, "materials");
    scene.cables = json_object_get(scene.document, "cables");
    scene.attachments = json_object_get(scene.document, "attachments");
    scene.clips = json_object_get(scene.document, "clips");
    scene.connectors = json_object_get(scene.document, "connectors");
    scene.ties = json_object_get(scene.document, "ties");
    if (!scene.document) kbl->lost = true;
    if (!kbl->lost) add_bodies(&scene);
    if (!kbl->lost) (options->wires ? cab_kbl_add_wires : cab_kbl_add_segments)(&scene);
    if (json_array_size(kbl->notes) && json_object_set(scene.document, "notes", kbl->notes) != 0)
        kbl->lost = true;
    status = kbl->lost ? cab_fail_memory(error, "a harness", 0) : CAB_OK;
    if (!status && !json_array_size(scene.cables))
        status =
            cab_fail(error, CAB_ERROR_INPUT, "%s: no %s can be a cable, such as: %.300s", kbl->file,
                     options->wires ? "wire" : "segment",
                     json_array_size(kbl->notes) ? json_string_value(json_array_get(kbl->notes, 0)) : "none");
    if (status)
        json_decref(scene.document);
    else
        *document = scene.document;
    return status;
}

cab_status cab_kbl_document(const char *file, const char *text, size_t size, const char *const *overrides,
                            int override_count, json_t **document, cab_error *error)
{
    cab_kbl kbl = {.file = file, .notes = json_array()};
    cab_kbl_options options = {.hold = NULL};
    cab_status status = kbl.notes ? CAB_OK : cab_fail_memory(error, "notes", 64);
    if (!status) status = take_options(file, overrides, override_count, &options, error);
    if (!status) status = cab_kbl_read(&kbl, text, size, error);
    if (!status) status = build(&kbl, &options, document, error);
    json_decref(options.hold);
    json_decref(options.free);
    json_decref(options.stiffness);
    json_decref(options.bond);
    json_decref(options.protection);
    json_decref(options.body);
    cab_kbl_free(&kbl);
    return status;
}

static cab_status write_as(cab_kbl *kbl, bool vec, char **bytes, size_t *size, cab_error *error)
{
    return vec ? cab_kbl_write_vec(kbl, bytes, size, error) : cab_kbl_write_kbl(kbl, bytes, size, error);
}

/* A harness that was written in another format is read again, and written in its own: what is not in that is lost on the way. */
static cab_status return_trip(const cab_kbl *kbl, const char *made, size_t made_size, char **own,
                              size_t *own_size, cab_error *error)
{
    cab_kbl back;
    cab_kbl_contents contents;
    cab_status status = cab_kbl_read_all(&back, &contents, kbl->file, made, made_size, error);
    if (!status) status = write_as(&back, kbl->vec, own, own_size, error);
    cab_kbl_free(&back);
    return status;
}

static cab_status find_losses(cab_kbl *kbl, const char *text, size_t size, const char *made, size_t made_size,
                              bool same, json_t **losses, cab_error *error)
{
    char *own = NULL;
    size_t own_size = 0;
    cab_status status = same ? CAB_OK : return_trip(kbl, made, made_size, &own, &own_size, error);
    if (!status)
        status = cab_kbl_list_losses(kbl->file, text, size, same ? made : own, same ? made_size : own_size,
                                     losses, error);
    for (size_t i = (size_t)kbl->scene_notes; !status && i < json_array_size(kbl->notes); i++)
        if (json_array_append(*losses, json_array_get(kbl->notes, i)) != 0)
            status = cab_fail_memory(error, "a list", 64);
    free(own);
    return status;
}

/* Segments that lack a node are not written; a file without any is none. */
static cab_status check_segments(const cab_kbl *kbl, cab_error *error)
{
    for (int i = 0; i < kbl->segment_count; i++)
        if (kbl->segments[i].start >= 0 && kbl->segments[i].end >= 0) return CAB_OK;
    return cab_fail(error, CAB_ERROR_INPUT, "%s: no segment has two nodes: nothing to write", kbl->file);
}

cab_status cab_kbl_to_harness(const char *file, const char *text, size_t size, const char *target,
                              char **made, size_t *made_size, json_t **losses, cab_error *error)
{
    cab_kbl kbl;
    cab_kbl_contents contents;
    bool vec = cab_path_ends(target, ".vec");
    if (losses) *losses = NULL;
    cab_status status = cab_kbl_read_all(&kbl, &contents, file, text, size, error);
    if (!status) status = check_segments(&kbl, error);
    if (!status) status = write_as(&kbl, vec, made, made_size, error);
    if (!status && losses)
        status = find_losses(&kbl, text, size, *made, *made_size, vec == kbl.vec, losses, error);
    cab_kbl_free(&kbl);
    return status;
}

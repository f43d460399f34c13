#include "io/scene_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "io/kbl/convert.h"
#include "io/json/override.h"
#include "io/read_file.h"
#include "model/limits.h"
#include "model/scene.h"

#define FORMAT_VERSION 1

static cab_status read_version(const cab_cursor *document)
{
    cab_cursor version = cab_cursor_key(document, "clcable");
    if (json_is_number(version.value) && json_number_value(version.value) == FORMAT_VERSION) return CAB_OK;
    return cab_cursor_fail(&version, "the format version 1");
}

static cab_key key_of(const cab_field *field)
{
    return (cab_key){
        .key = field->key, .offset = field->offset, .kind = CAB_KEY_NUMBER, .limit = field->limit};
}

/* null is an inextensible cable. */
static cab_status read_stretching(const cab_cursor *cursor, void *stiffness)
{
    if (json_is_null(cursor->value)) return CAB_OK;
    if (!json_is_number(cursor->value)) return cab_cursor_fail(cursor, "a number or null (inextensible)");
    return cab_read_number(cursor, cab_material_fields[CAB_MATERIAL_STRETCHING].limit, stiffness);
}

/* One number, or two of them: about the first and the second axis of the section. */
static cab_status read_bending(const cab_cursor *cursor, void *material)
{
    const cab_limit limit = cab_material_fields[CAB_MATERIAL_BENDING].limit;
    cab_material_def *def = material;
    if (!json_is_array(cursor->value)) return cab_read_number(cursor, limit, &def->bending_stiffness);
    if (json_array_size(cursor->value) != 2)
        return cab_cursor_fail(cursor, "a number, or two: about both axes of the section");
    cab_cursor first = cab_cursor_item(cursor, 0), second = cab_cursor_item(cursor, 1);
    cab_status status = cab_read_number(&first, limit, &def->bending_stiffness);
    if (!status) status = cab_read_number(&second, limit, &def->second_bending_stiffness);
    if (!status && (def->bending_stiffness == 0 || def->second_bending_stiffness == 0))
        return cab_cursor_fail(cursor, "two numbers above 0");
    return status;
}

static cab_status read_material(const cab_cursor *material, const char *name)
{
    static const char *const shapes[] = {"straight", "path", NULL};
    static const char *const volumes[] = {"none", "constant", NULL};
    cab_key keys[CAB_MATERIAL_FIELDS + 2] = {
        {CAB_KEY_AS("rest_shape", cab_material_def, rest_shape_path), .kind = CAB_KEY_FLAG, .words = shapes},
        {CAB_KEY_AS("volume", cab_material_def, constant_volume), .kind = CAB_KEY_FLAG, .words = volumes},
    };
    for (int i = 0; i < CAB_MATERIAL_FIELDS; i++) {
        cab_key *key = &keys[i + 2];
        *key = key_of(&cab_material_fields[i]);
        key->required = strcmp(key->key, "radius") == 0 || strcmp(key->key, "linear_density") == 0;
        if (i != CAB_MATERIAL_STRETCHING && i != CAB_MATERIAL_BENDING) continue;
        key->kind = CAB_KEY_READ;
        key->read = i == CAB_MATERIAL_BENDING ? read_bending : read_stretching;
        if (i == CAB_MATERIAL_BENDING) key->offset = 0; /* it reads two of the material's numbers */
    }
    cab_material_def def = cab_material_default();
    def.name = name;
    cab_status status = cab_read_object(material, keys, CAB_COUNT(keys), &def);
    return status ? status : cab_scene_add_material(material->reader->scene, &def, material->reader->error);
}

static cab_status read_materials(const cab_cursor *document)
{
    cab_cursor materials = cab_cursor_key(document, "materials");
    if (!json_is_object(materials.value))
        return cab_cursor_fail(&materials, "an object of materials by name");
    const char *name;
    json_t *value;
    json_object_foreach(materials.value, name, value)
    {
        cab_cursor material = cab_cursor_key(&materials, name);
        cab_status status = read_material(&material, name);
        if (status) return status;
    }
    return CAB_OK;
}

static cab_status read_time(const cab_cursor *document, cab_settings *settings)
{
    cab_cursor time = cab_cursor_key(document, "time");
    if (!time.value) return CAB_OK;
    cab_key keys[CAB_TIME_FIELDS];
    for (int i = 0; i < CAB_TIME_FIELDS; i++) keys[i] = key_of(&cab_time_fields[i]);
    return cab_read_object(&time, keys, CAB_COUNT(keys), settings);
}

/* "auto" is one more than there are: which it is to be shows when all has been read. */
static cab_status read_method_name(const cab_cursor *name, cab_settings *settings)
{
    const char *names[CAB_METHOD_COUNT + 1];
    for (int i = 0; i < CAB_METHOD_COUNT; i++) names[i] = cab_method_name((cab_method)i);
    names[CAB_METHOD_COUNT] = "auto";
    int method;
    cab_status status = cab_read_word(name, names, CAB_METHOD_COUNT + 1, &method);
    if (!status) settings->method = (cab_method)method;
    return status;
}

static cab_status read_method(const cab_cursor *document, cab_settings *settings)
{
    static const cab_key_kind kinds[] = {[CAB_METHOD_NUMBER] = CAB_KEY_NUMBER,
                                         [CAB_METHOD_SWITCH] = CAB_KEY_BOOL,
                                         [CAB_METHOD_WORD] = CAB_KEY_WORD};
    const char *ways[CAB_WAY_COUNT + 1] = {NULL};
    for (int i = 0; i < CAB_WAY_COUNT; i++) ways[i] = cab_way_name((cab_way)i);
    cab_key keys[CAB_METHOD_KEYS + 2] = {{.key = "name"}, {CAB_WORD(cab_settings, way, ways)}};
    for (int i = 0; i < CAB_METHOD_KEYS; i++) {
        keys[i + 2] = key_of(&cab_method_keys[i].field);
        keys[i + 2].kind = kinds[cab_method_keys[i].kind];
        keys[i + 2].words = cab_method_keys[i].words;
    }
    cab_cursor method = cab_cursor_key(document, "method"), name = cab_cursor_key(&method, "name");
    if (!method.value) return CAB_OK;
    if (json_is_string(method.value)) return read_method_name(&method, settings);
    if (!json_is_object(method.value))
        return cab_cursor_fail(&method, "a method's name or an object with it");
    cab_status status = read_method_name(&name, settings);
    return status ? status : cab_read_object(&method, keys, CAB_COUNT(keys), settings);
}

static cab_status read_contact(const cab_cursor *document, cab_settings *settings)
{
    static const char *const friction[CAB_FRICTION_COUNT + 1] = {
        [CAB_FRICTION_COULOMB] = "coulomb", [CAB_FRICTION_THRESHOLD] = "threshold"};
    static const char *const detection[CAB_DETECTION_COUNT + 1] = {
        [CAB_DETECTION_SWEPT] = "swept", [CAB_DETECTION_DISCRETE] = "discrete"};
    static const char *const touching[CAB_TOUCHING_COUNT + 1] = {[CAB_TOUCHING_SEGMENTS] = "segments",
                                                                 [CAB_TOUCHING_PARTICLES] = "particles",
                                                                 [CAB_TOUCHING_PARTICLES_AFTER] =
                                                                     "particles-after"};
    static const cab_key keys[] = {
        {CAB_BOOL(cab_contact_settings, cables)},
        {CAB_BOOL(cab_contact_settings, self)},
        {CAB_BOOL(cab_contact_settings, sleep)},
        {CAB_BOOL(cab_contact_settings, parted)},
        {CAB_WORD(cab_contact_settings, friction_model, friction)},
        {CAB_VALUE(cab_contact_settings, static_speed, CAB_LIMIT_SPEED)},
        {CAB_WORD(cab_contact_settings, detection, detection)},
        {CAB_WORD(cab_contact_settings, touching, touching)},
    };
    cab_cursor contact = cab_cursor_key(document, "contact");
    if (!contact.value) return CAB_OK;
    cab_status status = cab_read_object(&contact, keys, CAB_COUNT(keys), &settings->contact);
    cab_cursor speed = cab_cursor_key(&contact, "static_speed");
    if (!status && speed.value && settings->contact.friction_model != CAB_FRICTION_THRESHOLD)
        status = cab_cursor_refuse(&speed, CAB_ERROR_INPUT,
                                   "only the friction model \"threshold\" has a static speed");
    return status;
}

static cab_status read_settings(const cab_cursor *document)
{
    static const cab_key keys[] = {
        {CAB_POINT(cab_settings, gravity, CAB_LIMIT_COORDINATE)},
        {CAB_POINT(cab_settings, wind, CAB_LIMIT_COORDINATE)},
    };
    cab_settings *settings = cab_scene_settings(document->reader->scene);
    cab_status status = cab_read_keys(document, keys, CAB_COUNT(keys), settings);
    if (!status) status = read_time(document, settings);
    if (!status) status = read_method(document, settings);
    return status ? status : read_contact(document, settings);
}

static cab_status read_notes(const cab_cursor *document)
{
    cab_cursor notes = cab_cursor_key(document, "notes");
    cab_status status = CAB_OK;
    if (!notes.value) return CAB_OK;
    if (!json_is_array(notes.value)) return cab_cursor_fail(&notes, "an array of texts");
    for (size_t i = 0; i < json_array_size(notes.value) && !status; i++) {
        cab_cursor note = cab_cursor_item(&notes, i);
        const char *text;
        status = cab_read_text(&note, "a text", &text);
        if (!status) status = cab_scene_add_note(note.reader->scene, text, note.reader->error);
    }
    return status;
}

#ifdef CAB_HAVE_STUDIES
#define NO_CABLES "which only a file for `run` and `check` can be"
#else
#define NO_CABLES "which this clcable was built without (CLCABLE_STUDIES)"
#endif

static cab_status read_lists(const cab_cursor *document)
{
    static const struct {
        const char *key;
        cab_item_reader *read;
    } lists[] = {{"colliders", cab_read_collider}, {"bodies", cab_read_body},
                 {"sockets", cab_read_socket},     {"cables", cab_read_cable},
                 {"sheets", cab_read_sheet},       {"attachments", cab_read_attachment},
                 {"clips", cab_read_clip},         {"connectors", cab_read_connector},
                 {"ties", cab_read_tie},           {"loads", cab_read_load},
                 {"probes", cab_read_probe},       {"constraints", cab_read_constraint}};
    cab_cursor cables = cab_cursor_key(document, "cables"), sheets = cab_cursor_key(document, "sheets");
    bool none = json_array_size(cables.value) == 0;
    if (none && (cables.value || json_array_size(sheets.value) == 0))
        return cab_cursor_fail(&cables, "an array of at least one cable");
    cab_status status = CAB_OK;
    for (int i = 0; i < CAB_COUNT(lists) && !status; i++)
        status = cab_read_list(document, lists[i].key, lists[i].read, document->reader->scene);
    return status ? status : cab_read_entries(document);
}

static cab_status read_document(const cab_cursor *document)
{
    static const char *const known[] = {
        "clcable", "gravity",    "time",    "method", "materials",   "cables",  "attachments",
        "loads",   "colliders",  "contact", "wind",   "constraints", "$schema", "sheets",
        "clips",   "connectors", "notes",   "ties",   "probes",      "bodies",  "sockets"};
    const char *keys[CAB_COUNT(known) + CAB_ENTRY_LISTS];
    memcpy(keys, known, sizeof known);
    int key_count = CAB_COUNT(known) + cab_entry_keys(keys + CAB_COUNT(known));
    const cab_reader *reader = document->reader;
    cab_cursor particles = cab_cursor_key(document, "particles"), planar = cab_cursor_key(document, "planar");
    cab_status status = read_version(document);
    if (!status && planar.value)
        return cab_cursor_refuse(&planar, CAB_ERROR_INPUT, "a planar scene, " NO_CABLES);
    if (!status && particles.value)
        return cab_cursor_refuse(&particles, CAB_ERROR_INPUT, "a scene of particles, " NO_CABLES);
    if (!status) status = cab_cursor_check_keys(document, keys, key_count);
    if (!status) status = read_notes(document);
    if (!status) status = read_settings(document);
    if (!status) status = read_materials(document);
    if (!status) status = read_lists(document);
    if (!status && cab_scene_settings(reader->scene)->method == CAB_METHOD_COUNT)
        cab_scene_choose_method(reader->scene);
    cab_cursor time = cab_cursor_key(document, "time");
    if (!status && !cab_cursor_key(&time, "substeps").value) cab_scene_choose_substeps(reader->scene);
    return status ? status : cab_scene_check_settings(reader->scene, reader->error);
}

cab_status cab_scene_from_document(json_t *root, const char *file, cab_scene **out, cab_error *error)
{
    cab_scene *scene = cab_scene_create();
    if (!scene) return cab_fail_memory(error, "a scene", sizeof(cab_scene));
    cab_reader reader = {.file = file, .scene = scene, .error = error};
    cab_cursor document = {.value = root, .reader = &reader};
    cab_status status = cab_scene_set_source(scene, file, error);
    if (!status)
        status = json_is_object(root) ? read_document(&document) : cab_cursor_fail(&document, "an object");
    if (status)
        cab_scene_destroy(scene);
    else
        *out = scene;
    return status;
}

/* Takes over `root`. What begins with `/kbl/` has been said to the reader of a KBL file. */
static cab_status apply_overrides(json_t *root, const char *file, const char *const *overrides, int count,
                                  json_t **document, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < count && !status; i++) {
        bool said = cab_kbl_is(file) && strncmp(overrides[i], CAB_KBL_POINTER, strlen(CAB_KBL_POINTER)) == 0;
        if (!said) status = cab_override(root, file, overrides[i], error);
    }
    if (status)
        json_decref(root);
    else
        *document = root;
    return status;
}

cab_status cab_scene_document(const char *file, const char *text, size_t size, const char *const *overrides,
                              int override_count, json_t **document, cab_error *error)
{
    if (cab_kbl_is(file)) {
        json_t *made = NULL;
        cab_status status = cab_kbl_document(file, text, size, overrides, override_count, &made, error);
        return status ? status : apply_overrides(made, file, overrides, override_count, document, error);
    }
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    if (size >= 3 && memcmp(text, byte_order_mark, 3) == 0) text += 3, size -= 3;
    json_error_t fault;
    bool lost;
    json_t *root = cab_json_load(text, size, JSON_REJECT_DUPLICATES, &fault, &lost);
    if (lost) return cab_fail_memory(error, "the scene's text", size);
    if (!root) return cab_json_fail(file, &fault, error);
    return apply_overrides(root, file, overrides, override_count, document, error);
}

cab_status cab_scene_parse(const char *file, const char *text, size_t size, const char *const *overrides,
                           int override_count, cab_scene **scene, cab_error *error)
{
    json_t *document = NULL;
    cab_status status = cab_scene_document(file, text, size, overrides, override_count, &document, error);
    if (!status) status = cab_scene_from_document(document, file, scene, error);
    json_decref(document);
    return status;
}

cab_status cab_scene_load(const char *path, const char *const *overrides, int override_count,
                          cab_scene **scene, cab_error *error)
{
    char *text = NULL;
    size_t size = 0;
    cab_status status = cab_read_file(path, &text, &size, error);
    if (!status) status = cab_scene_parse(path, text, size, overrides, override_count, scene, error);
    free(text);
    return status;
}

/* Cables, their copies, sheets, nodes and joints: from names in the scene to particles. */
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "model/curve.h"
#include "model/sheet.h"
#include "model/scene.h"
#include "model/sections.h"

#define DEFAULT_SEGMENT 0.02 /* m; a cable without "segments" gets one each */
#define MAX_SEGMENTS 1000000
#define MAX_NODES 100000000
#define JOINT_GAP 1e-3 /* m; places to be joined may be this far apart */

/* One scene cable, or sheet, while it is being expanded. Sheets come after the cables. */
typedef struct cab_sampled {
    cab_sheet *net; /* of a sheet; what follows is a cable's but for first_cable */
    cab_arc_table *table;
    int segments;     /* those on a drum included, */
    int stored;       /* so many of them, */
    int before;       /* so many at the cable's start */
    double scale;     /* rest length over path length */
    double *fraction; /* [segments + 1] of the length; on a drum below 0, or above 1 */
    bool *placed;     /* [segments + 1] an attachment or a load names that fraction */
    cab_range *cover; /* [covers] segments that each of them covers */
    int first_cable;  /* model cables: count[0] count[1] count[2] of them */
} cab_sampled;

static int copy_count(const cab_cable_def *def)
{
    return def->copies[0] * def->copies[1] * def->copies[2];
}

static cab_status sample_cable(const cab_scene *scene, int index, cab_sampled *out, cab_error *error)
{
    const cab_cable_def *def = &scene->cables[index];
    out->table = cab_arc_table_create(def->path, def->path_count, def->curve, error);
    if (!out->table) {
        if (error && error->status == CAB_ERROR_MEMORY) return CAB_ERROR_MEMORY;
        return cab_fail(error, CAB_ERROR_INPUT, "%s: /cables/%d/path: expected a path with a length",
                        scene->source, index);
    }
    double length = cab_arc_table_length(out->table);
    double by_default = ceil(length / DEFAULT_SEGMENT - 1e-9);
    out->segments = def->segments > 0           ? def->segments
                    : by_default < 2            ? 2
                    : by_default > MAX_SEGMENTS ? MAX_SEGMENTS
                                                : (int)by_default;
    out->scale = (def->length > 0 ? def->length / length : 1) * (1 + def->length_tolerance);
    int visible = out->segments;
    double stored = ceil(def->feed.stored / (length * out->scale) * visible - 1e-9);
    if (stored > MAX_SEGMENTS)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: /cables/%d/feed/stored: expected at most %d segments",
                        scene->source, index, MAX_SEGMENTS);
    out->stored = (int)stored;
    out->before = def->feed.at_end ? 0 : out->stored;
    out->segments += out->stored;
    cab_status status = CAB_NEW(out->fraction, out->segments + 1, error);
    if (status == CAB_OK) status = CAB_NEW(out->placed, out->segments + 1, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i <= out->segments; i++) out->fraction[i] = (double)(i - out->before) / visible;
    return CAB_OK;
}

/* The node of a sheet that a place names. */
static cab_status place_on_sheet(const cab_scene *scene, const char *pointer, cab_place place, int sheet,
                                 const cab_sheet *net, int *node, cab_error *error)
{
    const int *count = scene->sheets[sheet].count;
    if (place.kind == CAB_PLACE_CORNER) {
        *node =
            (place.particle & 1 ? count[0] - 1 : 0) + (place.particle & 2 ? count[0] * (count[1] - 1) : 0);
        if (count[0] > 0) return CAB_OK;
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: %s/corner: expected {\"particle\": i}: only rectangles have corners",
                        scene->source, pointer);
    }
    *node = place.particle;
    if (place.particle >= 0 && place.particle < net->point_count) return CAB_OK;
    return cab_fail(error, CAB_ERROR_INPUT, "%s: %s/particle: expected an integer from 0 to %d, got %d",
                    scene->source, pointer, net->point_count - 1, place.particle);
}

/* The node that a place names. A fraction takes the nearest inner particle and moves it there. */
static cab_status place_node(const cab_scene *scene, const char *pointer, cab_place place, cab_sampled *cable,
                             int *node, cab_error *error)
{
    int n = cable->segments;
    switch (place.kind) {
    case CAB_PLACE_START:
        *node = 0;
        return CAB_OK;
    case CAB_PLACE_END:
        *node = n;
        return CAB_OK;
    case CAB_PLACE_PARTICLE:
        *node = place.particle;
        if (place.particle >= 0 && place.particle <= n) return CAB_OK;
        return cab_fail(error, CAB_ERROR_INPUT, "%s: %s/particle: expected an integer from 0 to %d, got %d",
                        scene->source, pointer, n, place.particle);
    case CAB_PLACE_FRACTION:
    case CAB_PLACE_CORNER: /* never on a cable: cab_check_attachment */
        break;
    }
    double f = place.fraction;
    if (f <= 0 || f >= 1) {
        *node = f <= 0 ? 0 : n;
        return CAB_OK;
    }
    n -= cable->stored;
    if (n < 2) {
        return cab_fail(
            error, CAB_ERROR_INPUT,
            "%s: %s: a cable of one segment has no particle between its ends; give it more segments",
            scene->source, pointer);
    }
    int best = (int)ceil(f * n - 0.5); /* nearest, ties towards the start */
    best = cable->before + (best < 1 ? 1 : best > n - 1 ? n - 1 : best);
    if (cable->placed[best] && fabs(cable->fraction[best] - f) > 1e-9) {
        return cab_fail(
            error, CAB_ERROR_INPUT,
            "%s: %s: place %g and place %g share the nearest particle; give the cable more segments",
            scene->source, pointer, f, cable->fraction[best]);
    }
    cable->placed[best] = true;
    cable->fraction[best] = f;
    *node = best;
    return CAB_OK;
}

/* Splits "a[1,2,3]". Returns the length of the name, or 0 when there are no brackets. */
static size_t split_copy(const char *name, int copy[3])
{
    const char *bracket = strrchr(name, '[');
    int used = 0;
    if (!bracket || sscanf(bracket, "[%d,%d,%d]%n", &copy[0], &copy[1], &copy[2], &used) != 3) return 0;
    return bracket[used] == 0 ? (size_t)(bracket - name) : 0;
}

/* A scene cable by name, and one copy of it or all (copy[0] = -1). A name with brackets of its own comes
 * first. */
static cab_status find_cable(const cab_scene *scene, const char *pointer, const char *name, int *cable,
                             int copy[3], cab_error *error)
{
    copy[0] = -1;
    *cable = cab_scene_find_cable(scene, name);
    if (*cable >= 0) return CAB_OK;
    int at[3];
    size_t length = split_copy(name, at);
    char *base = length > 0 ? strndup(name, length) : NULL;
    if (base) *cable = cab_scene_find_cable(scene, base);
    free(base);
    if (*cable >= 0) {
        const int *count = scene->cables[*cable].copies;
        for (int i = 0; i < 3; i++) {
            if (at[i] >= 0 && at[i] < count[i]) continue;
            return cab_fail(error, CAB_ERROR_INPUT, "%s: %s: expected a copy up to [%d,%d,%d], got \"%s\"",
                            scene->source, pointer, count[0] - 1, count[1] - 1, count[2] - 1, name);
        }
        memcpy(copy, at, sizeof at);
        return CAB_OK;
    }
    const char **names = calloc((size_t)scene->cable_count + 1, sizeof *names);
    for (int i = 0; names && i < scene->cable_count; i++) names[i] = scene->cables[i].name;
    const char *near = names ? cab_nearest(name, names, scene->cable_count) : NULL;
    free(names);
    return cab_fail(error, CAB_ERROR_INPUT, "%s: %s: no cable is called \"%s\"%s%s%s", scene->source, pointer,
                    name, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static int copy_index(const cab_cable_def *def, const int copy[3])
{
    return copy[0] + def->copies[0] * (copy[1] + def->copies[1] * copy[2]);
}

/* A place in the scene as model cables first, first + 1, ... (count of them) and a node along each. */
typedef struct cab_found {
    int scene_cable, first, count, node;
    bool one_copy; /* named with its brackets */
} cab_found;

static cab_status find_on_sheet(const cab_scene *scene, const cab_sampled *sampled, const char *pointer,
                                const char *name, cab_place place, cab_found *found, cab_error *error)
{
    char at[256];
    int sheet = cab_scene_find_sheet(scene, name);
    if (sheet < 0)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: %s/sheet: no sheet is called \"%s\"", scene->source,
                        pointer, name);
    const cab_sampled *s = &sampled[scene->cable_count + sheet];
    *found = (cab_found){.scene_cable = scene->cable_count + sheet, .first = s->first_cable, .count = 1};
    snprintf(at, sizeof at, "%s/at", pointer);
    return place_on_sheet(scene, at, place, sheet, s->net, &found->node, error);
}

static cab_status find_on_cable(const cab_scene *scene, cab_sampled *sampled, const char *pointer,
                                const char *place_key, const char *name, cab_place place, cab_found *found,
                                cab_error *error)
{
    char at[256];
    int copy[3];
    snprintf(at, sizeof at, "%s/cable", pointer);
    cab_status status = find_cable(scene, at, name, &found->scene_cable, copy, error);
    if (status != CAB_OK) return status;
    const cab_cable_def *def = &scene->cables[found->scene_cable];
    cab_sampled *cable = &sampled[found->scene_cable];
    found->one_copy = copy[0] >= 0;
    found->first = cable->first_cable + (found->one_copy ? copy_index(def, copy) : 0);
    found->count = found->one_copy ? 1 : copy_count(def);
    snprintf(at, sizeof at, "%s/%s", pointer, place_key);
    return place_node(scene, at, place, cable, &found->node, error);
}

/* `name` is a cable's, or a sheet's. */
static cab_status find_place(const cab_scene *scene, cab_sampled *sampled, const char *pointer, bool of_sheet,
                             const char *name, cab_place place, cab_found *found, cab_error *error)
{
    if (of_sheet) return find_on_sheet(scene, sampled, pointer, name, place, found, error);
    return find_on_cable(scene, sampled, pointer, "at", name, place, found, error);
}

static void add_cable_copies(cab_model *model, int index, cab_sampled *sampled)
{
    const cab_cable_def *def = &model->scene->cables[index];
    int material = cab_scene_find_material(model->scene, def->material);
    for (int k = 0; k < def->copies[2]; k++) {
        for (int j = 0; j < def->copies[1]; j++) {
            for (int i = 0; i < def->copies[0]; i++) {
                cab_model_cable *cable = &model->cables[model->cable_count++];
                *cable = (cab_model_cable){
                    .scene_cable = index,
                    .material = material,
                    .group = def->group,
                    .copy = {i, j, k},
                    .shift = {i * def->spacing[0], j * def->spacing[1], k * def->spacing[2]},
                    .velocity = def->velocity,
                    .first_node = model->node_count,
                    .node_count = sampled->segments + 1,
                    .first_segment = model->segment_count,
                    .segment_count = sampled->segments,
                    .stored_segments = sampled->stored,
                };
                model->node_count += sampled->segments + 1;
                model->segment_count += sampled->segments;
            }
        }
    }
}

static void add_sheet(cab_model *model, int index, const cab_sheet *net)
{
    const cab_sheet_def *def = &model->scene->sheets[index];
    model->cables[model->body_count++] = (cab_model_cable){
        .scene_cable = index,
        .material = cab_scene_find_material(model->scene, def->material),
        .group = def->group,
        .velocity = def->velocity,
        .area_density = def->area_density,
        .first_node = model->node_count,
        .node_count = net->point_count,
        .first_segment = model->segment_count,
        .segment_count = net->edge_count,
        .first_cell = model->cell_count,
        .cell_count = net->cell_count,
    };
    model->node_count += net->point_count;
    model->segment_count += net->edge_count;
    model->cell_count += net->cell_count;
}

static cab_status refuse_many(const cab_scene *scene, const char *list, int index, cab_error *error)
{
    return cab_fail(error, CAB_ERROR_INPUT, "%s: /%s/%d: expected at most %d particles and links in all",
                    scene->source, list, index, MAX_NODES);
}

static cab_status expand_bodies(cab_model *model, cab_sampled *sampled, cab_error *error)
{
    const cab_scene *scene = model->scene;
    long long cables = 0, nodes = 0;
    for (int i = 0; i < scene->cable_count; i++) {
        cab_status status = sample_cable(scene, i, &sampled[i], error);
        if (status != CAB_OK) return status;
        long long count = copy_count(&scene->cables[i]);
        sampled[i].first_cable = (int)cables;
        cables += count;
        nodes += count * (sampled[i].segments + 1);
        if (nodes > MAX_NODES) return refuse_many(scene, "cables", i, error);
    }
    for (int i = 0; i < scene->sheet_count; i++) {
        cab_sampled *sheet = &sampled[scene->cable_count + i];
        cab_status status = cab_sheet_create(scene, i, &sheet->net, error);
        if (status != CAB_OK) return status;
        sheet->first_cable = (int)cables + i;
        nodes += (long long)sheet->net->edge_count + sheet->net->second_count;
        if (nodes > MAX_NODES) return refuse_many(scene, "sheets", i, error);
    }
    cab_status status = CAB_NEW(model->cables, cables + scene->sheet_count, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < scene->cable_count; i++) add_cable_copies(model, i, &sampled[i]);
    model->body_count = model->cable_count;
    for (int i = 0; i < scene->sheet_count; i++) add_sheet(model, i, sampled[scene->cable_count + i].net);
    return CAB_OK;
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
    if (!cab_target_joins(def->to)) return CAB_OK;
    cab_status status = find_place(scene, sampled, pointer, def->to == CAB_TARGET_SHEET, def->target,
                                   def->target_at, to, error);
    if (status != CAB_OK) return status;
    if (to->count != from->count && to->count != 1) {
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: %s: copies are joined pairwise: expected %d of them, \"%s\" has %d",
                        scene->source, pointer, from->count, def->target, to->count);
    }
    return CAB_OK;
}

static cab_status expand_attachment(cab_model *model, cab_sampled *sampled, int index, cab_error *error)
{
    const cab_attachment_def *def = &model->scene->attachments[index];
    char pointer[64];
    snprintf(pointer, sizeof pointer, "%s", cab_attachment_pointer(model->scene, index).text);
    cab_found from, to = {0};
    cab_status status = find_place(model->scene, sampled, pointer, def->sheet != NULL,
                                   def->sheet ? def->sheet : def->cable, def->at, &from, error);
    if (status == CAB_OK) status = find_target(model, sampled, index, &from, &to, error);
    if (status != CAB_OK) return status;
    size_t total = (size_t)(model->attachment_count + from.count);
    cab_model_attachment *grown = realloc(model->attachments, total * sizeof *grown);
    if (!grown) return cab_fail_memory(error, "attachments", total * sizeof *grown);
    model->attachments = grown;
    for (int i = 0; i < from.count; i++) {
        int cable = from.first + i;
        cab_model_attachment *a = &grown[model->attachment_count++];
        *a = (cab_model_attachment){
            .scene_attachment = index,
            .cable = cable,
            .node = model->cables[cable].first_node + from.node,
            .joint = cab_target_joins(def->to),
            .target_node = -1,
            .spare = -1,
        };
        if (!from.one_copy) a->shift = model->cables[cable].shift;
        if (a->joint) a->target_node = model->cables[to.first + (to.count > 1 ? i : 0)].first_node + to.node;
    }
    return CAB_OK;
}

static cab_status expand_load(cab_model *model, cab_sampled *sampled, int index, cab_error *error)
{
    const cab_load_def *def = &model->scene->loads[index];
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/loads/%d", index);
    cab_found at;
    cab_status status = find_place(model->scene, sampled, pointer, def->sheet != NULL,
                                   def->sheet ? def->sheet : def->cable, def->at, &at, error);
    if (status != CAB_OK) return status;
    bool turns = def->moment.x != 0 || def->moment.y != 0 || def->moment.z != 0;
    if (turns && at.node != 0 && at.node != sampled[at.scene_cable].segments) {
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: %s/at: a moment acts on an end, expected \"start\" or \"end\"",
                        model->scene->source, pointer);
    }
    size_t total = (size_t)(model->placed_load_count + at.count);
    cab_placed_load *grown = realloc(model->placed_loads, total * sizeof *grown);
    if (!grown) return cab_fail_memory(error, "loads", total * sizeof *grown);
    model->placed_loads = grown;
    for (int i = 0; i < at.count; i++) {
        int cable = at.first + i;
        grown[model->placed_load_count++] =
            (cab_placed_load){index, cable, model->cables[cable].first_node + at.node};
    }
    return CAB_OK;
}

/* One cable of the model by name. */
static cab_status find_member(const cab_model *model, const cab_sampled *sampled, int tie, int index,
                              int *cable, cab_error *error)
{
    char pointer[64];
    int scene_cable, copy[3];
    const char *name = model->scene->ties[tie].cables[index];
    snprintf(pointer, sizeof pointer, "/ties/%d/cables/%d", tie, index);
    cab_status status = find_cable(model->scene, pointer, name, &scene_cable, copy, error);
    if (status != CAB_OK) return status;
    const cab_cable_def *def = &model->scene->cables[scene_cable];
    if (copy[0] < 0 && copy_count(def) > 1)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: %s: expected one copy, such as \"%s[0,0,0]\"",
                        model->scene->source, pointer, name);
    *cable = sampled[scene_cable].first_cable + (copy[0] < 0 ? 0 : copy_index(def, copy));
    return CAB_OK;
}

static cab_status expand_tie(cab_model *model, cab_sampled *sampled, int index, cab_error *error)
{
    const cab_tie_def *def = &model->scene->ties[index];
    char pointer[64];
    cab_found from = {0}, to;
    snprintf(pointer, sizeof pointer, "/ties/%d", index);
    cab_status status = find_on_cable(model->scene, sampled, pointer, def->range ? "from" : "at",
                                      def->cables[0], def->from, &from, error);
    to = from;
    if (status == CAB_OK && def->range)
        status = find_on_cable(model->scene, sampled, pointer, "to", def->cables[0], def->to, &to, error);
    if (status == CAB_OK && to.node < from.node)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: %s/to: expected a place after \"from\"",
                        model->scene->source, pointer);
    if (status != CAB_OK) return status;
    size_t ties = (size_t)model->placed_tie_count + 1;
    size_t members = (size_t)model->tie_member_count + (size_t)def->cable_count;
    cab_placed_tie *grown = realloc(model->placed_ties, ties * sizeof *grown);
    if (grown) model->placed_ties = grown;
    int *member = realloc(model->tie_member, members * sizeof *member);
    if (member) model->tie_member = member;
    if (!grown || !member) return cab_fail_memory(error, "ties", ties * sizeof *grown);
    int first = model->tie_member_count;
    for (int i = 0; status == CAB_OK && i < def->cable_count; i++)
        status = find_member(model, sampled, index, i, &member[model->tie_member_count++], error);
    if (status != CAB_OK) return status;
    int node = model->cables[member[first]].first_node;
    grown[model->placed_tie_count++] =
        (cab_placed_tie){index, first, def->cable_count, node + from.node, node + to.node};
    return CAB_OK;
}

static cab_status expand_covers(const cab_scene *scene, cab_sampled *cable, int index, cab_error *error)
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
            status = place_node(scene, pointer, place, cable, &node[end], error);
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
        find_on_cable(model->scene, sampled, pointer, key, def->cable, def->from, from, error);
    if (status == CAB_OK && !def->once)
        status = find_on_cable(model->scene, sampled, pointer, "to", def->cable, def->to, &to, error);
    if (status != CAB_OK) return status;
    int span = def->stencil[def->stencil_count - 1];
    int end = def->once ? sampled[from->scene_cable].segments : to.node;
    *last = def->once ? from->node : end - span;
    if (from->node + span <= end) return CAB_OK;
    return cab_fail(error, CAB_ERROR_INPUT,
                    "%s: %s/stencil: expected room for %d segments from particle %d on, there are %d",
                    model->scene->source, pointer, span, from->node, end > from->node ? end - from->node : 0);
}

static cab_status expand_constraint(cab_model *model, cab_sampled *sampled, int index, cab_error *error)
{
    cab_found from;
    int last;
    cab_status status = stencil_range(model, sampled, index, &from, &last, error);
    if (status != CAB_OK) return status;
    size_t total = (size_t)model->own_place_count + (size_t)from.count * (size_t)(last - from.node + 1);
    if (total > MAX_NODES) {
        return cab_fail(error, CAB_ERROR_INPUT, "%s: /constraints/%d: expected at most %d of them in all",
                        model->scene->source, index, MAX_NODES);
    }
    cab_own_place *grown = realloc(model->own_place, total * sizeof *grown);
    if (!grown) return cab_fail_memory(error, "constraints", total * sizeof *grown);
    model->own_place = grown;
    for (int i = 0; i < from.count; i++) {
        int cable = from.first + i, first = model->cables[cable].first_node;
        for (int node = from.node; node <= last; node++)
            grown[model->own_place_count++] = (cab_own_place){index, cable, first + node, from.one_copy};
    }
    return CAB_OK;
}

static int root_of(int *parent, int node)
{
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
}

/* Where the nodes lie on their curves, before anything is moved to a target. */
static cab_vec3 *node_places(cab_model *model, const cab_sampled *sampled, cab_error *error)
{
    cab_vec3 *place;
    if (CAB_NEW(place, model->node_count, error) != CAB_OK) return NULL;
    for (int c = 0; c < model->cable_count; c++) {
        const cab_model_cable *cable = &model->cables[c];
        const cab_sampled *s = &sampled[cable->scene_cable];
        double length = cab_arc_table_length(s->table);
        for (int i = 0; i < cable->node_count; i++) {
            double on_path = fmin(fmax(s->fraction[i], 0), 1);
            cab_vec3 p = cab_arc_table_point(s->table, on_path * length);
            place[cable->first_node + i] = cab_vec3_add(p, cable->shift);
            model->node_arc[cable->first_node + i] = (s->fraction[i] - s->fraction[0]) * length * s->scale;
        }
    }
    for (int b = model->cable_count; b < model->body_count; b++) {
        const cab_model_cable *body = &model->cables[b];
        const cab_sheet *net = sampled[model->scene->cable_count + body->scene_cable].net;
        memcpy(place + body->first_node, net->point, (size_t)body->node_count * sizeof *place);
    }
    return place;
}

static int section_of(cab_model *model, const cab_model_cable *cable, const cab_sampled *sampled, int segment)
{
    uint64_t covers = 0;
    int count = model->scene->cables[cable->scene_cable].cover_count;
    for (int k = 0; k < count; k++) {
        const cab_range *r = &sampled[cable->scene_cable].cover[k];
        if (segment >= r->first && segment < r->first + r->count) covers |= (uint64_t)1 << k;
    }
    return cab_section_of(model, cable->scene_cable, cable->material, covers);
}

/* Segment i of a cable, or (reach 2) what double_distance keeps: two of them. */
static cab_edge chain_edge(cab_model *model, const cab_sampled *sampled, int c, int i, int reach)
{
    int node = model->cables[c].first_node + i;
    const double *arc = model->node_arc;
    return (cab_edge){.body = c,
                      .section = section_of(model, &model->cables[c], sampled, i),
                      .a = node,
                      .b = node + reach,
                      .colour = (reach == 1 ? i : i >> 1) & 1,
                      .rest = arc[node + reach] - arc[node],
                      .arc = arc[node]};
}

static cab_edge net_edge(const cab_model *model, int b, const cab_sheet *net, cab_pair pair)
{
    int first = model->cables[b].first_node;
    double rest = cab_vec3_distance(net->point[pair.a], net->point[pair.b]);
    return (cab_edge){.body = b,
                      .section = model->cables[b].material,
                      .a = first + pair.a,
                      .b = first + pair.b,
                      .colour = pair.colour,
                      .rest = rest};
}

/* Edges of all bodies: the segments, or double distances. */
static void add_edges(cab_model *model, const cab_sampled *sampled, bool doubles)
{
    int reach = doubles ? 2 : 1;
    for (int c = 0; c < model->cable_count; c++) {
        for (int i = 0; i + reach < model->cables[c].node_count; i++)
            model->edge[model->distance_count++] = chain_edge(model, sampled, c, i, reach);
    }
    for (int b = model->cable_count; b < model->body_count; b++) {
        const cab_sheet *net = sampled[model->scene->cable_count + model->cables[b].scene_cable].net;
        const cab_pair *pair = doubles ? net->second : net->edge;
        int count = doubles ? net->second_count : net->edge_count;
        for (int i = 0; i < count; i++)
            model->edge[model->distance_count++] = net_edge(model, b, net, pair[i]);
    }
}

static void add_cells(cab_model *model, const cab_sampled *sampled)
{
    for (int b = model->cable_count; b < model->body_count; b++) {
        const cab_model_cable *body = &model->cables[b];
        const cab_sheet *net = sampled[model->scene->cable_count + body->scene_cable].net;
        for (int i = 0; i < body->cell_count; i++) {
            cab_cell *cell = &model->cell[body->first_cell + i];
            for (int k = 0; k < 4; k++)
                cell->node[k] = net->cell[i][k] < 0 ? -1 : body->first_node + net->cell[i][k];
            cell->area = cab_sheet_cell_area(net, i);
        }
    }
}

static cab_status add_edges_and_cells(cab_model *model, const cab_sampled *sampled, cab_error *error)
{
    bool doubles = model->settings.doubles.on;
    long long room = model->segment_count;
    for (int b = 0; doubles && b < model->body_count; b++) {
        const cab_model_cable *body = &model->cables[b];
        bool sheet = b >= model->cable_count;
        room += sheet ? sampled[model->scene->cable_count + body->scene_cable].net->second_count
                      : body->segment_count;
    }
    cab_status status = CAB_NEW(model->edge, room, error);
    if (status == CAB_OK) status = CAB_NEW(model->cell, model->cell_count, error);
    if (status == CAB_OK) status = cab_sections_start(model, error);
    if (status != CAB_OK) return status;
    add_edges(model, sampled, false);
    if (doubles) add_edges(model, sampled, true);
    add_cells(model, sampled);
    cab_sections_update(model);
    return CAB_OK;
}

static cab_status join_nodes(cab_model *model, const cab_vec3 *place, int *parent, cab_error *error)
{
    for (int i = 0; i < model->node_count; i++) parent[i] = i;
    for (int i = 0; i < model->attachment_count; i++) {
        const cab_model_attachment *a = &model->attachments[i];
        if (!a->joint) continue;
        if (a->node == a->target_node) {
            return cab_fail(error, CAB_ERROR_INPUT, "%s: /attachments/%d/to: the place is joined to itself",
                            model->scene->source, a->scene_attachment);
        }
        double gap = cab_vec3_distance(place[a->node], place[a->target_node]);
        if (gap > JOINT_GAP) {
            return cab_fail(error, CAB_ERROR_INPUT,
                            "%s: /attachments/%d: expected places at most 1 mm apart, they are %.3g mm apart",
                            model->scene->source, a->scene_attachment, gap * 1e3);
        }
        int x = root_of(parent, a->node), y = root_of(parent, a->target_node);
        if (x < y)
            parent[y] = x;
        else
            parent[x] = y;
    }
    return CAB_OK;
}

/* What pulls at a joint that can break is known along cables only. */
static cab_status check_breakable(const cab_model *model, int *parent, cab_error *error)
{
    int sheets = model->body_count > model->cable_count ? model->cables[model->cable_count].first_node
                                                        : model->node_count;
    for (int i = 0; i < model->attachment_count; i++) {
        const cab_model_attachment *a = &model->attachments[i];
        int sewn = a->node >= sheets ? a->node : a->joint && a->target_node >= sheets ? a->target_node : -1;
        for (int k = 0; sewn >= 0 && k < model->attachment_count; k++) {
            const cab_model_attachment *other = &model->attachments[k];
            bool breaks = isfinite(model->scene->attachments[other->scene_attachment].break_force);
            if (!breaks || root_of(parent, other->node) != root_of(parent, sewn)) continue;
            return cab_fail(
                error, CAB_ERROR_INPUT, "%s: %s/break_force: expected none where a sheet is sewn on",
                model->scene->source, cab_attachment_pointer(model->scene, other->scene_attachment).text);
        }
    }
    return CAB_OK;
}

/* Numbers the particles: cable by cable, a shared one where it is met first, spare ones for joints that can
 * break last. */
static cab_status number_particles(cab_model *model, const cab_vec3 *place, int *parent, cab_error *error)
{
    int spare = 0;
    for (int i = 0; i < model->attachment_count; i++) {
        const cab_attachment_def *def = &model->scene->attachments[model->attachments[i].scene_attachment];
        if (model->attachments[i].joint && isfinite(def->break_force)) spare++;
    }
    cab_status status = CAB_NEW(model->place, model->node_count + spare, error);
    for (int i = 0; status == CAB_OK && i < model->node_count; i++) {
        int root = root_of(parent, i);
        if (root == i) {
            model->place[model->particle_count] = place[i];
            model->node_particle[i] = model->particle_count++;
        } else {
            model->node_particle[i] = model->node_particle[root];
        }
    }
    for (int i = 0; status == CAB_OK && i < model->attachment_count; i++) {
        cab_model_attachment *a = &model->attachments[i];
        const cab_attachment_def *def = &model->scene->attachments[a->scene_attachment];
        if (!a->joint || !isfinite(def->break_force)) continue;
        model->place[model->particle_count] = model->place[model->node_particle[a->node]];
        a->spare = model->particle_count++;
    }
    if (status == CAB_OK) status = CAB_NEW(model->mass, model->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->damping, model->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->decay, model->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->held, model->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->soft, model->particle_count, error);
    for (int i = 0; status == CAB_OK && i < model->particle_count; i++) model->held[i] = model->soft[i] = -1;
    return status;
}

/* A clip's or a connector's direction; a clip without one has the chord to both neighbours. */
static void set_axis(cab_model *model, int attachment)
{
    cab_model_attachment *a = &model->attachments[attachment];
    const cab_attachment_def *def = cab_model_attachment_def(model, attachment);
    const cab_model_cable *cable = &model->cables[a->cable];
    int first = cable->first_node, last = first + cable->node_count - 1;
    if (def->part == CAB_PART_ATTACHMENT) return;
    a->axis = def->direction;
    if (a->axis.x == 0 && a->axis.y == 0 && a->axis.z == 0) {
        int from = a->node > first ? a->node - 1 : a->node, to = a->node < last ? a->node + 1 : a->node;
        a->axis =
            cab_vec3_sub(model->place[model->node_particle[to]], model->place[model->node_particle[from]]);
    }
    a->axis = cab_vec3_scale(1 / cab_vec3_length(a->axis), a->axis);
}

/* Where a connector mates. One that is drawn there and has no hand is mated from the start. */
static void set_mate(cab_model *model, int attachment)
{
    cab_model_attachment *a = &model->attachments[attachment];
    const cab_attachment_def *def = cab_model_attachment_def(model, attachment);
    if (def->part != CAB_PART_CONNECTOR) return;
    bool at_point = def->to == CAB_TARGET_POINT || def->at_point;
    a->mate = at_point ? cab_vec3_add(def->point, a->shift) : a->place;
    a->mated = def->hand_keyframe_count == 0 && cab_model_is_home(model, attachment, a->place, a->mate);
}

/* Who holds which particle; twice is a contradiction. */
static cab_status hold_particles(cab_model *model, cab_error *error)
{
    for (int i = 0; i < model->attachment_count; i++) {
        cab_model_attachment *a = &model->attachments[i];
        if (a->joint) continue;
        int p = model->node_particle[a->node];
        a->place = model->place[p];
        int before = model->held[p] >= 0 ? model->held[p] : model->soft[p];
        if (before >= 0) {
            return cab_fail(
                error, CAB_ERROR_INPUT, "%s: %s: this place is held by %s already", model->scene->source,
                cab_attachment_pointer(model->scene, a->scene_attachment).text,
                cab_attachment_pointer(model->scene, model->attachments[before].scene_attachment).text);
        }
        bool soft = model->scene->attachments[a->scene_attachment].compliance > 0;
        (soft ? model->soft : model->held)[p] = i;
        set_axis(model, i);
        set_mate(model, i);
    }
    for (int i = 0; i < model->attachment_count; i++) {
        if (cab_model_is_free(model, i)) model->soft[model->node_particle[model->attachments[i].node]] = -1;
    }
    return CAB_OK;
}

static cab_status add_cables(cab_model *model, cab_sampled *sampled, cab_error *error)
{
    cab_status status = expand_bodies(model, sampled, error);
    for (int i = 0; status == CAB_OK && i < model->scene->attachment_count; i++) {
        status = expand_attachment(model, sampled, i, error);
    }
    for (int i = 0; status == CAB_OK && i < model->scene->load_count; i++) {
        status = expand_load(model, sampled, i, error);
    }
    for (int i = 0; status == CAB_OK && i < model->scene->constraint_count; i++) {
        status = expand_constraint(model, sampled, i, error);
    }
    for (int i = 0; status == CAB_OK && i < model->scene->tie_count; i++) {
        status = expand_tie(model, sampled, i, error);
    }
    for (int i = 0; status == CAB_OK && i < model->scene->cable_count; i++) {
        status = expand_covers(model->scene, &sampled[i], i, error);
    }
    int *parent = NULL;
    cab_vec3 *place = NULL;
    if (status == CAB_OK) status = CAB_NEW(parent, model->node_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->node_particle, model->node_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->node_arc, model->node_count, error);
    if (status == CAB_OK) status = CAB_NEW(model->node_mass, model->node_count, error);
    if (status == CAB_OK && !(place = node_places(model, sampled, error))) status = CAB_ERROR_MEMORY;
    if (status == CAB_OK) status = add_edges_and_cells(model, sampled, error);
    if (status == CAB_OK) status = join_nodes(model, place, parent, error);
    if (status == CAB_OK) status = check_breakable(model, parent, error);
    if (status == CAB_OK) status = number_particles(model, place, parent, error);
    if (status == CAB_OK) status = hold_particles(model, error);
    free(parent);
    free(place);
    return status;
}

cab_status cab_model_add_cables(cab_model *model, cab_error *error)
{
    int count = model->scene->cable_count + model->scene->sheet_count;
    if (count == 0) {
        return cab_fail(error, CAB_ERROR_INPUT, "%s: /cables: expected at least one cable or sheet",
                        model->scene->source);
    }
    cab_sampled *sampled;
    cab_status status = CAB_NEW(sampled, count, error);
    if (status != CAB_OK) return status;
    status = add_cables(model, sampled, error);
    for (int i = 0; i < count; i++) {
        cab_sheet_destroy(sampled[i].net);
        cab_arc_table_destroy(sampled[i].table);
        free(sampled[i].fraction);
        free(sampled[i].placed);
        free(sampled[i].cover);
    }
    free(sampled);
    return status;
}

void cab_model_cable_name(const cab_model *model, int cable, char *name, size_t size)
{
    const cab_model_cable *c = &model->cables[cable];
    const cab_cable_def *def = cable < model->cable_count ? &model->scene->cables[c->scene_cable] : NULL;
    if (!def)
        snprintf(name, size, "%s", model->scene->sheets[c->scene_cable].name);
    else if (copy_count(def) == 1)
        snprintf(name, size, "%s", def->name);
    else
        snprintf(name, size, "%s[%d,%d,%d]", def->name, c->copy[0], c->copy[1], c->copy[2]);
}

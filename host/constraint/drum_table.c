/* Drums: cable that is paid out and reeled in at a held end. The number of particles stays the same; those on
 * the drum are held at its place. Only what is next to the drum changes: the rest length of the first
 * segment, and with it masses and compliances, and which particle is the first free one. */
#include "constraint/drum_table.h"

#include <math.h>
#include <stdlib.h>

#include "model/scene.h"

static const cab_cable_def *def_of(const cab_model *model, const cab_drum *drum)
{
    return &model->scene->cables[model->bodies[drum->cable].scene_index];
}

static cab_status refuse(const cab_model *model, const cab_drum *drum, const char *expected, cab_error *error)
{
    return cab_fail(error, CAB_ERROR_INPUT, "%s: /cables/%d/feed: expected %s", model->scene->source,
                    model->bodies[drum->cable].scene_index, expected);
}

static double paid_out(const cab_feed_def *def, double t)
{
    return cab_numbers_at((const double(*)[2])def->keyframes, def->keyframe_count, t);
}

double cab_drum_stored(const cab_model *model, const cab_drum *drum, double t)
{
    return drum->stored - paid_out(&def_of(model, drum)->feed, t);
}

int cab_drum_first(const cab_model *model, const cab_drum *drum, double stored)
{
    const cab_drum_node *node = &model->drum_node[drum->first];
    int low = 1, high = drum->count - 1; /* the last node is never on the drum */
    while (low < high) {
        int middle = (low + high) / 2;
        if (node[middle].arc - stored < CAB_DRUM_LEAST * node[middle].length)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The rest length of the segment from node k towards the drum, when node `first` is the first free one. */
static double rest_at(const cab_drum_node *node, int k, int first, double stored)
{
    if (k < first) return 0;
    return k == first ? node[k].arc - stored : node[k].length;
}

/* Switches off a bending if one of its segments lies on the drum. */
static void set_bending(cab_model *model, const cab_drum *drum, int bending, double before, double after)
{
    cab_bending_constraint *b = &model->bending[bending];
    double near = before > 0 ? 1 / before : 0, far = before > 0 ? 1 / after : 0;
    b->ga = (float)(drum->at_end ? far : near);
    b->gc = (float)(drum->at_end ? near : far);
    if (before > 0) model->bending_origin[bending].cell = (before + after) / 2;
    cab_model_set_bending_compliance(model, bending);
}

static void set_node(cab_model *model, const cab_drum *drum, int k, int first, double stored)
{
    const cab_drum_node *nodes = &model->drum_node[drum->first], *node = &nodes[k];
    const cab_material_def *material = &model->scene->materials[model->bodies[drum->cable].material];
    double rest = rest_at(nodes, k, first, stored);
    double after = k + 1 < drum->count ? rest_at(nodes, k + 1, first, stored) : node->after;
    int p = node->particle;
    model->edge[node->edge].rest = rest;
    model->distance[node->distance].rest = (float)rest;
    model->distance_origin[node->distance].cell = rest;
    cab_model_set_distance_compliance(model, node->distance);
    if (node->bending >= 0) set_bending(model, drum, node->bending, rest, after);
    model->mass[p] =
        material->linear_density * (rest / 2) + material->linear_density * (after / 2) + node->load;
    model->damping[p] = material->damping;
    model->decay[p] = cab_model_decay(model, p, material->damping);
    model->held[p] = k < first ? drum->attachment : -1;
}

void cab_drum_set(cab_model *model, cab_drum *drum, double stored)
{
    int first = cab_drum_first(model, drum, stored);
    drum->now = stored;
    drum->free = first;
    for (int k = 1; k < drum->count; k++) set_node(model, drum, k, first, stored);
}

void cab_drum_update(cab_model *model, cab_drum *drum, double stored)
{
    int first = cab_drum_first(model, drum, stored), before = drum->free;
    if (first > before + 1 || first < before - 1) { /* a window begins anew */
        cab_drum_set(model, drum, stored);
        return;
    }
    drum->now = stored;
    drum->free = first;
    for (int k = first - 1; k < first + 2; k++)
        if (k > 0 && k < drum->count) set_node(model, drum, k, first, stored);
}

/* ---- what can be on a drum ---- */

static cab_status find_hold(const cab_model *model, cab_drum *drum, int node, cab_error *error)
{
    for (int i = 0; i < model->attachment_count; i++) {
        const cab_model_attachment *a = &model->attachments[i];
        const cab_attachment_def *def = &model->scene->attachments[a->scene_attachment];
        bool hard = !a->joint && !(def->compliance > 0) && !isfinite(def->break_force) && !def->clamp;
        if (a->node != node || !hard || def->to == CAB_TARGET_COLLIDER) continue;
        drum->attachment = i;
        return CAB_OK;
    }
    return refuse(
        model, drum,
        drum->at_end
            ? "the cable's end held by a hard attachment to \"here\", a point or keyframes, without "
              "clamp and break_force"
            : "the cable's start held by a hard attachment to \"here\", a point or keyframes, without "
              "clamp and break_force",
        error);
}

static cab_status check_cable(const cab_model *model, const cab_drum *drum, cab_error *error)
{
    const cab_material_def *material = &model->scene->materials[model->bodies[drum->cable].material];
    if (model->scene->cables[model->bodies[drum->cable].scene_index].cover_count > 0)
        return refuse(model, drum, "a cable of one material", error);
    if (material->constant_volume) return refuse(model, drum, "a cable whose volume is not kept", error);
    if (material->rest_shape_path) return refuse(model, drum, "a cable that is straight at rest", error);
    if (material->air_drag > 0 || material->air_drag_along > 0)
        return refuse(model, drum, "a material without air drag", error);
    if (material->bending_damping > 0)
        return refuse(model, drum, "a material without bending_damping", error);
    if (model->settings.doubles.on) return refuse(model, drum, "/method/double_distance false", error);
    for (int i = 0; i < model->own_place_count; i++)
        if (model->own_place[i].cable == drum->cable)
            return refuse(model, drum, "a cable without constraints of your own", error);
    return CAB_OK;
}

static bool reaches(const cab_model *model, const cab_drum *drum, int node, int nodes)
{
    const cab_body *cable = &model->bodies[drum->cable];
    int k = drum->at_end ? cable->first_node + cable->node_count - 1 - node : node - cable->first_node;
    return k >= 0 && k < nodes;
}

/* Checks that what can come onto the drum, and the particle after it, is not held, and that no load but a
 * mass on that particle acts there. */
static cab_status check_free(const cab_model *model, const cab_drum *drum, cab_error *error)
{
    static const char text[] =
        "%s: /%s/%d: expected a place that does not come onto the drum of cable \"%s\", or next to it: not "
        "among the %d particles at its %s";
    const cab_scene *scene = model->scene;
    const char *name = def_of(model, drum)->name, *end = drum->at_end ? "end" : "start";
    int nodes = drum->count;
    for (int i = 0; i < model->attachment_count; i++) {
        const cab_model_attachment *a = &model->attachments[i];
        if (i == drum->attachment) continue;
        if (reaches(model, drum, a->node, nodes) || (a->joint && reaches(model, drum, a->target_node, nodes)))
            return cab_fail(error, CAB_ERROR_INPUT, text, scene->source, "attachments", a->scene_attachment,
                            name, nodes, end);
    }
    for (int i = 0; i < model->placed_load_count; i++) {
        const cab_placed_load *load = &model->placed_loads[i];
        const cab_vec3 m = scene->loads[load->scene_load].moment;
        int beside = m.x != 0 || m.y != 0 || m.z != 0 ? nodes : nodes - 1; /* a couple needs its segment */
        if (reaches(model, drum, load->node, beside))
            return cab_fail(error, CAB_ERROR_INPUT, text, scene->source, "loads", load->scene_load, name,
                            beside, end);
    }
    return CAB_OK;
}

static cab_status check_keyframe(const cab_model *model, const cab_drum *drum, int index, double whole,
                                 double shortest, double last, cab_error *error)
{
    const cab_feed_def *def = &def_of(model, drum)->feed;
    const cab_feed_keyframe *k = &def->keyframes[index];
    const char *source = model->scene->source;
    int cable = model->bodies[drum->cable].scene_index;
    double least = drum->stored + CAB_DRUM_LEAST * last - whole;
    if (k->length < least)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: /cables/%d/feed/keyframes/%d/1: expected at least %.6g m, got %.6g: there is no "
                        "more cable to reel in",
                        source, cable, index, least, k->length);
    if (k->length > def->stored)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: /cables/%d/feed/keyframes/%d/1: expected at most %.6g m, got %.6g: there is no "
                        "more cable on the drum",
                        source, cable, index, def->stored, k->length);
    if (index == 0) return CAB_OK;
    double speed = fabs(k->length - k[-1].length) / (k->t - k[-1].t);
    double most = CAB_DRUM_MOST * shortest / cab_model_substep(model);
    if (speed > most)
        return cab_fail(
            error, CAB_ERROR_INPUT,
            "%s: /cables/%d/feed/keyframes/%d: expected at most %.6g m/s, half a segment a substep, "
            "got %.6g",
            source, cable, index, most, speed);
    return CAB_OK;
}

/* ---- tables ---- */

/* Node k counted from the drum. */
static int node_at(const cab_body *cable, bool at_end, int k)
{
    return cable->first_node + (at_end ? cable->node_count - 1 - k : k);
}

static double arc_at(const cab_model *model, const cab_drum *drum, int k)
{
    const cab_body *cable = &model->bodies[drum->cable];
    double at_drum = model->node_arc[node_at(cable, drum->at_end, 0)];
    return fabs(model->node_arc[node_at(cable, drum->at_end, k)] - at_drum);
}

/* Checks the keyframes, and counts the nodes that they can bring onto the drum, the drum's own included. */
static cab_status count_nodes(const cab_model *model, cab_drum *drum, cab_error *error)
{
    const cab_body *cable = &model->bodies[drum->cable];
    const cab_feed_def *def = &def_of(model, drum)->feed;
    int n = cable->segment_count;
    double whole = arc_at(model, drum, n), last = whole - arc_at(model, drum, n - 1), shortest = last;
    double most = drum->stored;
    for (int k = 1; k < n; k++)
        shortest = fmin(shortest, arc_at(model, drum, k) - arc_at(model, drum, k - 1));
    if (paid_out(def, 0) != 0) return refuse(model, drum, "keyframes that are 0 m at 0 s", error);
    for (int i = 0; i < def->keyframe_count; i++) {
        cab_status status = check_keyframe(model, drum, i, whole, shortest, last, error);
        if (status != CAB_OK) return status;
        most = fmax(most, drum->stored - def->keyframes[i].length);
    }
    int k = 1;
    while (k < n && arc_at(model, drum, k) - most <
                        CAB_DRUM_LEAST * (arc_at(model, drum, k) - arc_at(model, drum, k - 1)))
        k++;
    drum->count = k + 1;
    return CAB_OK;
}

static double load_on(const cab_model *model, int node)
{
    double mass = 0;
    for (int i = 0; i < model->placed_load_count; i++) {
        const cab_placed_load *load = &model->placed_loads[i];
        if (load->node == node) mass += model->scene->loads[load->scene_load].mass;
    }
    for (int i = 0; i < model->attachment_count; i++) {
        if (model->attachments[i].node == node) mass += cab_model_attachment_def(model, i)->mass;
    }
    return mass;
}

static void fill_nodes(cab_model *model, cab_drum *drum)
{
    const cab_body *cable = &model->bodies[drum->cable];
    cab_drum_node *nodes = &model->drum_node[drum->first];
    int n = cable->segment_count;
    for (int k = 0; k < drum->count; k++) {
        int node = node_at(cable, drum->at_end, k), start = drum->at_end ? node : node - 1;
        nodes[k] = (cab_drum_node){
            .particle = model->node_particle[node], .edge = -1, .distance = -1, .bending = -1};
        if (k == 0) continue;
        nodes[k].edge = cable->first_segment + start - cable->first_node;
        nodes[k].distance = model->node_segment[start];
        nodes[k].arc = arc_at(model, drum, k);
        nodes[k].length = nodes[k].arc - arc_at(model, drum, k - 1);
        nodes[k].after = k < n ? arc_at(model, drum, k + 1) - nodes[k].arc : 0;
    }
    cab_drum_node *last = &nodes[drum->count - 1];
    last->load = load_on(model, node_at(cable, drum->at_end, drum->count - 1));
    for (int i = 0; i < model->bending_count; i++) {
        const cab_origin *o = &model->bending_origin[i];
        int k = drum->at_end ? cable->first_node + n - o->node : o->node - cable->first_node;
        if (o->body == drum->cable && o->other_body < 0 && k > 0 && k < drum->count) nodes[k].bending = i;
    }
}

static cab_status add_drum(cab_model *model, int cable, cab_error *error)
{
    cab_drum *drum = &model->drum[model->drum_count];
    *drum = (cab_drum){.cable = cable, .first = model->drum_node_count};
    drum->at_end = def_of(model, drum)->feed.at_end;
    drum->stored = arc_at(model, drum, model->bodies[cable].cable.stored_segments);
    cab_status status = find_hold(model, drum, node_at(&model->bodies[cable], drum->at_end, 0), error);
    if (status == CAB_OK) status = check_cable(model, drum, error);
    if (status == CAB_OK) status = count_nodes(model, drum, error);
    if (status == CAB_OK) status = check_free(model, drum, error);
    if (status != CAB_OK) return status;
    size_t total = (size_t)(model->drum_node_count + drum->count);
    cab_drum_node *grown = realloc(model->drum_node, total * sizeof *grown);
    if (!grown) return cab_fail_memory(error, "a drum", total * sizeof *grown);
    model->drum_node = grown;
    model->drum_node_count = (int)total;
    model->drum_count++;
    fill_nodes(model, drum);
    cab_drum_set(model, drum, cab_drum_stored(model, drum, 0));
    return CAB_OK;
}

cab_status cab_drums_draft(cab_model *model, cab_error *error)
{
    int count = 0;
    for (int c = 0; c < model->cable_count; c++)
        count += model->scene->cables[model->bodies[c].scene_index].feed.keyframe_count > 0;
    cab_status status = CAB_NEW(model->drum, count, error);
    for (int c = 0; status == CAB_OK && c < model->cable_count; c++)
        if (model->scene->cables[model->bodies[c].scene_index].feed.keyframe_count > 0)
            status = add_drum(model, c, error);
    return status;
}

#include "view/shapes/mark_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/vec3.h"
#include "model/scene.h"

#define STEEL 7850.0 /* kg/m^3; a mass is shown as a ball of steel */

typedef uint8_t colour4[4];

/* With alpha 0 a colour is made as light on a dark background as it is dark on a light one. */
static const colour4 held = {84, 92, 104, 0}, joined = {64, 70, 80, 0}, weight = {96, 98, 102, 0},
                     pull = {214, 84, 36, 255}, way = {110, 116, 124, 0}, broken = {224, 40, 46, 255};

void cab_mark_list_free(cab_mark_list *l)
{
    for (int i = 0; i < CAB_MARK_COUNT; i++) free(l->marks[i]);
    CAB_FREE(l->attachments, l->loads, l->radius);
    *l = (cab_mark_list){0};
}

static cab_vec3 scaled(cab_vec3 v, double length)
{
    return cab_vec3_scale(length / cab_vec3_length(v), v);
}

/* The largest of all times, so that the scale of the arrows does not change with time. */
static void find_strongest(cab_mark_list *l, const cab_scene *scene)
{
    for (int i = 0; i < scene->load_count; i++) {
        const cab_load_def *def = &scene->loads[i];
        if (!def->force_keyframe_count) l->strongest[0] = fmax(l->strongest[0], cab_vec3_length(def->force));
        for (int k = 0; k < def->force_keyframe_count; k++)
            l->strongest[0] = fmax(l->strongest[0], cab_vec3_length(def->force_keyframes[k].position));
        l->strongest[1] = fmax(l->strongest[1], cab_vec3_length(def->moment));
    }
}

cab_status cab_mark_list_start(cab_mark_list *l, const cab_scene *scene, const cab_world *world,
                               cab_error *error)
{
    cab_mark_list_free(l);
    cab_world_info info = cab_world_get_info(world);
    size_t attachments = (size_t)cab_world_get_attachments(world, NULL, 0);
    size_t loads = (size_t)cab_world_get_loads(world, NULL, 0);
    l->attachments = calloc(attachments + 1, sizeof *l->attachments);
    l->loads = calloc(loads + 1, sizeof *l->loads);
    l->radius = calloc((size_t)info.cables + (size_t)info.sheets + 1, sizeof *l->radius);
    if (!l->attachments || !l->loads || !l->radius) {
        cab_mark_list_free(l);
        return cab_fail_memory(error, "marks", attachments * sizeof *l->attachments);
    }
    for (int i = 0; i < info.cables; i++) l->radius[i] = (float)cab_world_get_cable(world, i).radius;
    for (int i = 0; i < info.sheets; i++)
        l->radius[info.cables + i] = (float)cab_world_get_sheet(world, i).radius;
    find_strongest(l, scene);
    return CAB_OK;
}

static cab_status add(cab_mark_list *l, cab_mark_shape shape, cab_mark mark, const colour4 colour,
                      cab_error *error)
{
    cab_status status = cab_array_room(&l->marks[shape], sizeof(cab_mark), &l->room[shape],
                                       (long long)l->count[shape] + 1, "marks", error);
    if (status) return status;
    memcpy(mark.colour, colour, sizeof mark.colour);
    l->marks[shape][l->count[shape]++] = mark;
    return CAB_OK;
}

/* A mark at a node. */
static cab_mark at_node(int node, cab_vec3 axis, float width, float pixels)
{
    cab_mark mark = {.from = node, .to = node, .width = width, .pixels = pixels};
    cab_vec3_to_floats(axis, mark.end);
    return mark;
}

/* A mark at a place in the world. */
static cab_mark at_place(cab_vec3 place, cab_vec3 axis, float width, float pixels)
{
    cab_mark mark = at_node(-1, axis, width, pixels);
    cab_vec3_to_floats(place, mark.start);
    for (int k = 0; k < 3; k++) mark.end[k] += mark.start[k];
    return mark;
}

/* Where it came off a body is not marked: that has gone on. */
static cab_status add_broken(cab_mark_list *l, const cab_attachment_info *a, float r, bool on_body,
                             cab_error *error)
{
    static const cab_vec3 up = {0, 0, 1};
    cab_status status = add(l, CAB_MARK_CROSS, at_node(a->node, up, 3 * r, 7), broken, error);
    if (status || on_body) return status;
    cab_mark other =
        a->target_node >= 0 ? at_node(a->target_node, up, 3 * r, 7) : at_place(a->target, up, 3 * r, 7);
    return add(l, CAB_MARK_CROSS, other, broken, error);
}

/* The mark is at the target. A soft attachment also has a spring from there to the node. */
static cab_status add_held(cab_mark_list *l, const cab_attachment_info *a, float r, cab_error *error)
{
    static const cab_vec3 up = {0, 0, 1};
    if (a->soft) {
        cab_mark spring = at_place(a->target, (cab_vec3){0, 0, 0}, 2.0f * r, 4);
        spring.to = a->node;
        spring.end[0] = spring.end[1] = spring.end[2] = 0;
        cab_status status = add(l, CAB_MARK_SPRING, spring, held, error);
        if (status) return status;
    }
    if (a->clamped)
        return add(l, CAB_MARK_BLOCK, at_place(a->target, a->direction, 1.7f * r, 2.5f), held, error);
    return add(l, CAB_MARK_CONE, at_place(a->target, up, 1.8f * r, 2.5f), held, error);
}

/* A clip is a block around its cable. A connector is a larger block at the cable's end, and until it is mated
 * there is a cone at its place. All of them lie along their directions. */
static cab_status add_part(cab_mark_list *l, const cab_attachment_info *a, float r, bool clip,
                           cab_error *error)
{
    cab_vec3 axis = scaled(a->axis, 1e-3);
    if (clip) return add(l, CAB_MARK_BLOCK, at_place(a->target, axis, 2.2f * r, 3.5f), held, error);
    cab_status status = add(l, CAB_MARK_BLOCK, at_node(a->node, axis, 2.4f * r, 4), weight, error);
    if (status || a->mated || a->broken) return status;
    return add(l, CAB_MARK_CONE, at_place(a->mate, axis, 1.8f * r, 2.5f), joined, error);
}

static cab_status add_way(cab_mark_list *l, const cab_scene *scene, const cab_attachment_info *a, float r,
                          cab_error *error)
{
    const cab_attachment_def *def = &scene->attachments[a->attachment];
    cab_status status = CAB_OK;
    bool led = def->hand_keyframe_count > 0;
    const cab_keyframe *frames = led ? def->hand_keyframes : def->keyframes;
    int count = led ? def->hand_keyframe_count : def->to == CAB_TARGET_KEYFRAMES ? def->keyframe_count : 0;
    for (int i = 0; !status && i + 1 < count; i++) {
        cab_vec3 p = frames[i].position, q = frames[i + 1].position;
        cab_mark rod = at_place(cab_vec3_add(p, a->shift), cab_vec3_sub(q, p), 0.15f * r, 0.6f);
        if (p.x != q.x || p.y != q.y || p.z != q.z) status = add(l, CAB_MARK_ROD, rod, way, error);
    }
    return status;
}

static cab_status add_attachment(cab_mark_list *l, const cab_scene *scene, const cab_attachment_info *a,
                                 cab_error *error)
{
    float r = l->radius[a->body];
    cab_part part = scene->attachments[a->attachment].part;
    bool on_body = scene->attachments[a->attachment].to == CAB_TARGET_BODY;
    if (a->broken) {
        cab_status failed = part == CAB_PART_CONNECTOR ? add_part(l, a, r, false, error) : CAB_OK;
        return failed ? failed : add_broken(l, a, r, on_body, error);
    }
    if (a->target_node >= 0 || on_body) {
        cab_mark ball = at_node(a->node, (cab_vec3){0, 0, 1}, 1.35f * r, 2);
        return add(l, CAB_MARK_BALL, ball, joined, error);
    }
    cab_status status = part == CAB_PART_ATTACHMENT ? add_held(l, a, r, error)
                                                    : add_part(l, a, r, part == CAB_PART_CLIP, error);
    return status ? status : add_way(l, scene, a, r, error);
}

/* The length of an arrow by the logarithm: a quarter for a thousandth of the largest force. */
static double share_of(double value, double largest)
{
    return fmax(0.25, 1 + 0.25 * log10(value / largest));
}

static cab_status add_load(cab_mark_list *l, const cab_load_info *load, float size, cab_error *error)
{
    float r = l->radius[load->body];
    double force = cab_vec3_length(load->force), moment = cab_vec3_length(load->moment);
    cab_status status = CAB_OK;
    if (load->mass > 0) {
        float ball = cbrtf((float)(load->mass / STEEL * 3 / (4 * M_PI)));
        status = add(l, CAB_MARK_BALL, at_node(load->node, (cab_vec3){0, 0, 1}, fmaxf(ball, 1.6f * r), 3),
                     weight, error);
    }
    if (!status && force > 0) {
        double length = 0.16 * size * share_of(force, l->strongest[0]);
        cab_mark arrow = at_node(load->node, scaled(load->force, length), 0.0035f * size, 1.2f);
        status = add(l, CAB_MARK_ARROW, arrow, pull, error);
    }
    if (!status && moment > 0) {
        float width = (float)(0.06 * size * share_of(moment, l->strongest[1]));
        status = add(l, CAB_MARK_ARC, at_node(load->node, scaled(load->moment, 1e-3 * size), width, 8), pull,
                     error);
    }
    return status;
}

/* A rod between each two nodes that a tie keeps together. */
static cab_status add_ties(cab_mark_list *l, const cab_world *world, cab_error *error)
{
    int count = cab_world_get_ties(world, NULL, 0);
    int(*nodes)[2] = calloc((size_t)count + 1, sizeof *nodes);
    if (!nodes) return cab_fail_memory(error, "marks", (size_t)count * sizeof *nodes);
    cab_world_get_ties(world, nodes, count);
    cab_status status = CAB_OK;
    for (int i = 0; !status && i < count; i++) {
        cab_mark rod = at_node(nodes[i][0], (cab_vec3){0, 0, 0}, 0, 1.5f);
        rod.to = nodes[i][1];
        status = add(l, CAB_MARK_ROD, rod, joined, error);
    }
    free(nodes);
    return status;
}

cab_status cab_mark_list_make(cab_mark_list *l, const cab_scene *scene, const cab_world *world, float size,
                              cab_error *error)
{
    int attachments = cab_world_get_attachments(world, NULL, 0), loads = cab_world_get_loads(world, NULL, 0);
    cab_world_get_attachments(world, l->attachments, attachments);
    cab_world_get_loads(world, l->loads, loads);
    memset(l->count, 0, sizeof l->count);
    cab_status status = CAB_OK;
    for (int i = 0; !status && i < attachments; i++)
        status = add_attachment(l, scene, &l->attachments[i], error);
    for (int i = 0; !status && i < loads; i++) status = add_load(l, &l->loads[i], size, error);
    return status ? status : add_ties(l, world, error);
}

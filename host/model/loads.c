/* Loads as forces on particles; a moment is a pair of them. */
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/scene.h"

cab_vec3 cab_load_force_at(const cab_load_def *def, double t)
{
    int count = def->force_keyframe_count;
    return count > 0 ? cab_keyframes_at(def->force_keyframes, count, t) : def->force;
}

static void add_force(cab_model *model, const cab_placed_load *load, cab_vec3 f)
{
    model->load[model->load_count++] = (cab_load_force){.particle = model->node_particle[load->node],
                                                        .far = -1,
                                                        .source = load->scene_load,
                                                        .x = (float)f.x,
                                                        .y = (float)f.y,
                                                        .z = (float)f.z};
}

/* A couple as two opposite forces on the end segment. */
static void add_moment(cab_model *model, const cab_placed_load *load, cab_vec3 m)
{
    int start = load->node == model->bodies[load->body].first_node ? load->node : load->node - 1;
    double rest = model->node_arc[start + 1] - model->node_arc[start];
    int a = model->node_particle[start], b = model->node_particle[start + 1];
    cab_load_force f = {.x = (float)m.x, .y = (float)m.y, .z = (float)m.z, .source = load->scene_load};
    f.particle = a;
    f.far = b;
    f.lever = (float)(-1 / rest);
    model->load[model->load_count++] = f;
    f.particle = b;
    f.far = a;
    f.lever = (float)(1 / rest);
    model->load[model->load_count++] = f;
}

static int by_particle(const void *x, const void *y)
{
    const cab_load_force *a = x, *b = y;
    if (a->particle != b->particle) return a->particle < b->particle ? -1 : 1;
    if (a->far != b->far) return a->far < b->far ? -1 : 1;
    return memcmp(a, b, sizeof *a); /* equal rows may swap: they are equal */
}

static void warn_held_load(const cab_model *model, const cab_placed_load *load, cab_warn *warn, void *user)
{
    char name[256], text[512];
    cab_model_body_name(model, load->body, name, sizeof name);
    snprintf(text, sizeof text,
             "/loads/%d: cable \"%s\" is held at this place, the force can do nothing there",
             load->scene_load, name);
    if (warn) warn(user, text);
}

cab_status cab_model_add_loads(cab_model *model, cab_warn *warn, void *user, cab_error *error)
{
    cab_status status = CAB_NEW(model->load, 3 * (long long)model->placed_load_count, error);
    if (status == CAB_OK)
        status = CAB_NEW(model->load_start, 3 * (long long)model->placed_load_count + 1, error);
    if (status != CAB_OK) return status;
    int warned = -1;
    for (int i = 0; i < model->placed_load_count; i++) {
        const cab_placed_load *load = &model->placed_loads[i];
        const cab_load_def *def = &model->scene->loads[load->scene_load];
        cab_vec3 f = cab_load_force_at(def, 0), m = def->moment;
        bool moves = def->force_keyframe_count > 0;
        bool pulls = moves || f.x != 0 || f.y != 0 || f.z != 0, turns = m.x != 0 || m.y != 0 || m.z != 0;
        if (pulls && model->held[model->node_particle[load->node]] >= 0 && warned != load->scene_load) {
            warn_held_load(model, load, warn, user);
            warned = load->scene_load;
        }
        if (pulls) add_force(model, load, f);
        model->loads_move = model->loads_move || moves;
        if (turns) add_moment(model, load, m);
    }
    if (model->load_count > 0)
        qsort(model->load, (size_t)model->load_count, sizeof *model->load, by_particle);
    for (int i = 0; i < model->load_count; i++)
        if (i == 0 || model->load[i].particle != model->load[i - 1].particle)
            model->load_start[model->loaded_count++] = i;
    model->load_start[model->loaded_count] = model->load_count;
    return CAB_OK;
}

cab_status cab_model_update_loads(cab_model *model, cab_error *error)
{
    CAB_FREE(model->load, model->load_start);
    model->load = NULL;
    model->load_start = NULL;
    model->load_count = model->loaded_count = 0;
    model->loads_move = false;
    return cab_model_add_loads(model, NULL, NULL, error);
}

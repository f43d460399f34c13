/* What holds cables: clips for fixings, connectors, and attachments where neither is known. */
#include "io/kbl/kbl.h"

#include <math.h>

#include "base/vec3.h"

/* Nothing is said where nothing is known: scenes have defaults of their own. */
static void set_given(cab_kbl_scene *scene, json_t *object, const char *key, double value)
{
    if (!isnan(value)) cab_kbl_set(scene, object, key, cab_kbl_number(value));
}

/* `at` is taken over. */
static json_t *hold(const char *name, const char *cable, json_t *at)
{
    json_t *held = json_pack("{s:s,s:o,s:s}", "cable", cable, "at", at, "to", "here");
    if (held && name && json_object_set_new(held, "name", json_string(name)) != 0) {
        json_decref(held);
        held = NULL;
    }
    return held;
}

static void add_clip(cab_kbl_scene *scene, json_t *clip, int sharing)
{
    const cab_kbl_options *options = scene->options;
    if (clip) {
        set_given(scene, clip, "play", options->play);
        set_given(scene, clip, "friction", options->friction);
        set_given(scene, clip, "grip", options->grip / sharing);
        set_given(scene, clip, "holding_force", options->holding_force / sharing);
    }
    cab_kbl_append(scene, scene->clips, clip);
}

/* Pushed in along the cable, away from it. */
static void add_connector(cab_kbl_scene *scene, const cab_kbl_node *node, json_t *connector, cab_vec3 out,
                          int sharing)
{
    cab_vec3 in = cab_vec3_scale(-1, cab_vec3_unit(out));
    if (connector) {
        cab_kbl_set(scene, connector, "direction", cab_kbl_direction(in));
        if (node->mass > 0) cab_kbl_set(scene, connector, "mass", cab_kbl_number(node->mass / sharing));
        set_given(scene, connector, "pull_out_force", scene->options->pull_out_force / sharing);
    }
    cab_kbl_append(scene, scene->connectors, connector);
}

void cab_kbl_hold_end(cab_kbl_scene *scene, const cab_kbl_node *node, const char *cable, bool last,
                      cab_vec3 out, int sharing)
{
    const char *name = node->connector ? node->connector : node->plugged ? NULL : node->fixing;
    json_t *held = hold(name, cable, json_string(last ? "end" : "start"));
    if (held) cab_kbl_set(scene, held, "clamp", json_true());
    if (node->connector)
        add_connector(scene, node, held, out, sharing);
    else if (name)
        add_clip(scene, held, sharing);
    else
        cab_kbl_append(scene, scene->attachments, held);
}

void cab_kbl_hold_fixing(cab_kbl_scene *scene, const cab_kbl_fixing *fixing, const char *cable, double at,
                         double compliance, int sharing)
{
    if (fixing->let_go) return;
    json_t *clip = hold(fixing->name, cable, json_real(at));
    if (clip && compliance > 0) cab_kbl_set(scene, clip, "compliance", json_real(compliance));
    add_clip(scene, clip, sharing);
}

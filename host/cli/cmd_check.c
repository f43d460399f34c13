/* clcable check: reads and validates a scene, runs nothing. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/run_study.h"
#include "model/model.h"
#include "model/scene.h"

static void warn(void *user, const char *text)
{
    if (!((const cab_options *)user)->quiet) cab_cli_warning(text);
}

static void count_item(int count, const char *one, const char *many)
{
    if (count) printf(", %d %s", count, count == 1 ? one : many);
}

static void print_counts(const char *path, const cab_model *model)
{
    const cab_scene *scene = model->scene;
    int spare = 0;
    for (int i = 0; i < model->attachment_count; i++) spare += model->attachments[i].spare >= 0;
    int frames = cab_frame_count(&scene->settings);
    printf("%s: ok: %d cable%s", path, model->cable_count, model->cable_count == 1 ? "" : "s");
    count_item(model->body_count - model->cable_count, "sheet", "sheets");
    printf(", %d particles", model->particle_count - spare);
    count_item(model->attachment_count, "attachment", "attachments");
    count_item(model->placed_load_count, "load", "loads");
    count_item(model->own_collider_count, "collider", "colliders");
    count_item(model->rigid_count + model->led_count, "body", "bodies");
    count_item(model->socket_count, "socket", "sockets");
    printf(", %d frame%s of %d substeps\n", frames, frames == 1 ? "" : "s", scene->settings.substeps);
}

static void print_meshes(const char *path, const cab_model *model)
{
    for (int i = 0; i < model->own_collider_count; i++) {
        const cab_mesh_facts *facts = &model->mesh_facts[i];
        if (model->scene->colliders[i].shape != CAB_SHAPE_MESH) continue;
        printf("%s: /colliders/%d: %d triangles, %s\n", path, i, facts->triangle_count,
               facts->turned       ? "watertight: a solid (it was inside out and is turned)"
               : facts->watertight ? "watertight: a solid"
                                   : "not watertight: a surface with two sides");
    }
}

static int check(const cab_options *options, const char *path)
{
    const cab_study_kind *kind;
    if (!cab_cli_study_of(path, &kind)) return CAB_EXIT_FAILED;
    if (kind) return cab_check_study(kind, path, options);
    int code;
    cab_scene *scene = cab_options_load_scene(options, path, &code);
    if (!scene) return code;
    cab_model *model = NULL;
    cab_error error;
    cab_status status = cab_model_create(scene, warn, (void *)options, &model, &error);
    if (status != CAB_OK) {
        cab_cli_error("%s", error.message);
    } else if (!options->quiet) {
        print_counts(path, model);
        print_meshes(path, model);
    }
    cab_model_destroy(model);
    cab_scene_destroy(scene);
    return cab_cli_exit_code(status);
}

const cab_command cab_cmd_check = {"check", CAB_TAKES_SCENE | CAB_TAKES_TIME | CAB_TAKES_CHECK, "a scene",
                                   check, NULL};

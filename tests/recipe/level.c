/* level: a place of a cable that is kept at a height, stiffly or by a spring. Kernel: level.cl. */
#include <stdlib.h>

#include "base/array.h"
#include "kernels/level.h"
#include "model/constraint_kind.h"
#include "model/entries.h"
#include "model/method.h"
#include "model/scene.h"
#include "world/device.h"

enum { HEIGHT, COMPLIANCE };

static const cab_entry_list list = {
    .key = "levels",
    .numbers = {[HEIGHT] = {"height", -1e6, 1e6, .required = true}, [COMPLIANCE] = {"compliance", 0, 1e9}},
    .number_count = 2};

static int count_of(const cab_model *model)
{
    int count = 0;
    for (int i = 0; i < model->placed_entry_count; i++)
        count += model->placed_entries[i].entry->list == &list;
    return count;
}

static bool present(const cab_model *model)
{
    return count_of(model) > 0;
}

static cab_status check(const cab_scene *scene, const cab_method_traits *method, cab_error *error)
{
    for (int i = 0; method->rule != CAB_RULE_COMPLIANT && i < scene->entry_count; i++) {
        if (scene->entries[i].list == &list)
            return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                            "%s: /levels: the method \"%s\" has no levels; expected \"xpbd\"", scene->source,
                            method->name);
    }
    return CAB_OK;
}

static cab_status upload(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    double h = cab_model_substep(m);
    cab_level_row *level;
    cab_status status = CAB_NEW(level, m->placed_entry_count, error);
    size_t count = 0;
    for (int i = 0; status == CAB_OK && i < m->placed_entry_count; i++) {
        const cab_placed_entry *place = &m->placed_entries[i];
        if (place->entry->list != &list) continue;
        level[count++] = (cab_level_row){.particle = m->node_particle[place->node],
                                         .height = (float)place->entry->number[HEIGHT],
                                         .compliance = (float)(place->entry->number[COMPLIANCE] / (h * h))};
    }
    const cab_table tables[] = {{CAB_BUFFER_level, level, count, sizeof *level},
                                {CAB_BUFFER_level_lambda, NULL, count, sizeof(float)}};
    if (status == CAB_OK) status = CAB_UPLOAD(world, tables, error);
    free(level);
    return status;
}

static cab_status iterate(cab_world *world, int substep, bool first, cab_error *error)
{
    (void)substep;
    return cab_world_run(world, CAB_STAGE_OWN, CAB_KERNEL_level, 0, count_of(world->model),
                         first ? CAB_SOLVE_FIRST : 0, 0, error);
}

const cab_constraint_kind cab_level_kind = {.name = "level",
                                            .list = &list,
                                            .check = check,
                                            .present = present,
                                            .ways = 1u << CAB_WAY_COLOURED | 1u << CAB_WAY_CHUNKS,
                                            .refusal = "a place is kept at a height",
                                            .upload = upload,
                                            .iterate = iterate};

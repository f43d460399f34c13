/* Planar worlds: a batch of scenes on a device. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/array.h"
#include "study/planar/planar.h"

_Static_assert((int)CAB_PLANAR_STAGE_COUNT == (int)CAB_PL_STAGE_COUNT, "a stage has one name");

const char *cab_planar_stage_name(cab_planar_stage stage)
{
#define WORD(word) #word,
    static const char *const words[] = {CAB_PL_STAGES(WORD)};
    return (unsigned)stage < CAB_PLANAR_STAGE_COUNT ? words[stage] : "";
}

static void free_names(cab_planar_names *n)
{
    for (int i = 0; n->body && i < n->bodies; i++) free(n->body[i]);
    for (int i = 0; n->cable && i < n->cables; i++) free(n->cable[i]);
    CAB_FREE(n->body, n->cable);
}

static cab_status keep_names(const cab_planar_scene *scene, cab_planar_names *n, cab_error *error)
{
    n->bodies = scene->body_count;
    n->cables = scene->cable_count;
    n->body = calloc((size_t)n->bodies + 1, sizeof *n->body);
    n->cable = calloc((size_t)n->cables + 1, sizeof *n->cable);
    bool ok = n->body && n->cable;
    for (int i = 0; ok && i < n->bodies; i++) ok = (n->body[i] = strdup(scene->bodies[i].name)) != NULL;
    for (int i = 0; ok && i < n->cables; i++) ok = (n->cable[i] = strdup(scene->cables[i].name)) != NULL;
    return ok ? CAB_OK : cab_fail_memory(error, "names", 0);
}

static cab_status put(cab_planar *p, cab_buffer id, size_t bytes, const void *data, cab_error *error)
{
    cab_backend *b = p->backend;
    cab_status status = b->ops->allocate(b, id, bytes, error);
    return status || !data ? status : b->ops->write(b, id, 0, bytes, data, error);
}

static cab_status upload(cab_planar *p, cab_error *error)
{
    const cab_planar_arrays *a = &p->arrays;
    const struct {
        cab_buffer id;
        int count;
        size_t size;
        const void *data;
    } list[] = {
        {CAB_BUFFER_planar_scene, a->scenes, sizeof *a->scene, a->scene},
        {CAB_BUFFER_planar_motion, a->bodies, sizeof *a->motion, a->motion},
        {CAB_BUFFER_planar_body, a->bodies, sizeof *a->body, a->body},
        {CAB_BUFFER_planar_corner, a->corners, sizeof *a->corner, a->corner},
        {CAB_BUFFER_planar_cable, a->cables, sizeof *a->cable, a->cable},
        {CAB_BUFFER_planar_joint, a->joints, sizeof *a->joint, a->joint},
        {CAB_BUFFER_planar_contact, 2 * a->contacts, sizeof(cab_pl_contact), NULL},
        {CAB_BUFFER_planar_row, a->joints, sizeof(cab_pl_row), NULL},
        {CAB_BUFFER_planar_sweep, a->bodies, sizeof *a->sweep, a->sweep},
        {CAB_BUFFER_planar_pair, a->pairs, sizeof(cab_pl_pair), NULL},
        {CAB_BUFFER_planar_hit, a->joints, sizeof(cab_pl_pair), NULL},
        {CAB_BUFFER_planar_split, a->contacts, sizeof(cab_pl_pair), NULL},
        {CAB_BUFFER_planar_unknown, 3 * a->bodies, sizeof(cab_pl_unknown), NULL},
        {CAB_BUFFER_planar_island, a->bodies, sizeof(cab_pl_island), NULL},
        {CAB_BUFFER_planar_cell, 2 * a->cells, sizeof(cab_pr), NULL},
        {CAB_BUFFER_planar_list, a->bodies + 4 * a->contacts + 3 * a->joints, sizeof(int), NULL},
        {CAB_BUFFER_planar_node, a->nodes, sizeof(cab_pl_node), NULL},
        {CAB_BUFFER_planar_chain, a->chains, sizeof *a->chain, a->chain},
    };
    cab_status status = CAB_OK;
    for (size_t i = 0; i < sizeof list / sizeof *list && !status; i++)
        status = put(p, list[i].id, (size_t)list[i].count * list[i].size, list[i].count ? list[i].data : NULL,
                     error);
    return status;
}

static cab_status start(cab_planar *p, const cab_planar_scene *const *scenes, int count,
                        const cab_world_def *def, cab_error *error)
{
    for (int i = 0; i < count; i++) {
        int pieces = scenes[i]->settings.slack_pieces;
        if (pieces < 0 || pieces > CAB_PLANAR_MAX_PIECES || pieces % 2)
            return cab_fail(error, CAB_ERROR_INPUT,
                            "slack_pieces: expected an even number from 0 to %d, got %d",
                            CAB_PLANAR_MAX_PIECES, pieces);
    }
    cab_status status = cab_backend_open(def, &p->backend, error);
    if (status) return status;
    if (!p->backend->doubles)
        return cab_fail(error, CAB_ERROR_DEVICE,
                        "%s: planar scenes need 64-bit numbers, this device has none", p->backend->info.name);
    status = cab_planar_build(scenes, count, &p->arrays, error);
    p->names = calloc((size_t)count, sizeof *p->names);
    p->length = calloc((size_t)p->arrays.cables + 1, sizeof *p->length);
    if (!status && (!p->names || !p->length)) status = cab_fail_memory(error, "names", (size_t)count);
    for (int i = 0; i < count && !status; i++) {
        const cab_pl_scene *s = p->arrays.scene + i;
        for (int c = 0; c < s->cables; c++)
            p->length[s->cable + c] =
                cab_planar_length_of(p->arrays.cable + s->cable + c, p->arrays.joint + s->joint);
        /* a batch of one scene many times keeps its names once */
        if (i == 0 || scenes[i] != scenes[i - 1]) status = keep_names(scenes[i], p->names + i, error);
    }
    return status ? status : upload(p, error);
}

cab_status cab_planar_create(const cab_planar_scene *const *scenes, int count, const cab_world_def *def,
                             cab_planar **planar, cab_error *error)
{
    if (count < 1) return cab_fail(error, CAB_ERROR_INPUT, "expected at least one scene");
    cab_planar *p = calloc(1, sizeof *p);
    if (!p) return cab_fail_memory(error, "a planar world", sizeof *p);
    p->profile = def->profile;
    cab_status status = start(p, scenes, count, def, error);
    if (status)
        cab_planar_destroy(p);
    else
        *planar = p;
    return status;
}

void cab_planar_destroy(cab_planar *p)
{
    if (!p) return;
    if (p->backend) p->backend->ops->destroy(p->backend);
    for (int i = 0; p->names && i < p->arrays.scenes; i++) free_names(p->names + i);
    CAB_FREE(p->names, p->length);
    cab_planar_free_arrays(&p->arrays);
    free(p);
}

static cab_status run(cab_planar *p, int stages, int steps, cab_error *error)
{
    return p->backend->ops->run(p->backend, CAB_KERNEL_planar, 0, p->arrays.scenes,
                                CAB_PL_ARGUMENT(stages, steps), 0, error);
}

static cab_status step_timed(cab_planar *p, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < CAB_PLANAR_STAGE_COUNT && !status; i++) {
        double begin = cab_now();
        status = run(p, 1 << i, 1, error);
        if (!status) status = p->backend->ops->finish(p->backend, error);
        p->seconds[i] += cab_now() - begin;
    }
    return status;
}

#define STEPS_AT_ONCE 256 /* in a launch */

cab_status cab_planar_step(cab_planar *p, int steps, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int left = steps; left > 0 && !status;) {
        int some = p->profile ? 1 : left < STEPS_AT_ONCE ? left : STEPS_AT_ONCE;
        status = p->profile ? step_timed(p, error) : run(p, CAB_PL_ALL_STAGES, some, error);
        left -= some;
    }
    if (!status) status = p->backend->ops->finish(p->backend, error);
    if (!status) p->steps += steps;
    return status;
}

int cab_planar_scenes(const cab_planar *p)
{
    return p->arrays.scenes;
}

double cab_planar_time(const cab_planar *p)
{
    return p->steps * p->arrays.scene->step;
}

cab_device_info cab_planar_device(const cab_planar *p)
{
    return p->backend->info;
}

static const cab_planar_names *names_of(const cab_planar *p, int scene)
{
    while (!p->names[scene].body) scene--;
    return p->names + scene;
}

const char *cab_planar_body_name(const cab_planar *p, int scene, int body)
{
    return names_of(p, scene)->body[body];
}

const char *cab_planar_cable_name(const cab_planar *p, int scene, int cable)
{
    return names_of(p, scene)->cable[cable];
}

void cab_planar_get_times(const cab_planar *p, double seconds[CAB_PLANAR_STAGE_COUNT])
{
    memcpy(seconds, p->seconds, sizeof p->seconds);
}

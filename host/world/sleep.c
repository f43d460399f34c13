#include "world/sleep.h"

#include <math.h>
#include <string.h>

#include "model/scene.h"
#include "world/device.h"

/* What stays within QUIET_DISTANCE for QUIET_TIME is at rest. This is more than heaps at rest creep:
 * scenes/rest.json moves by at most 1.6 to 2.1 mm in a second. QUIET_TIME is half the period of a pendulum of
 * 1 m, so a pendulum sleeps only when it swings by less than the distance. */
#define QUIET_DISTANCE 2.5e-3 /* m */
#define QUIET_TIME 1.0        /* s */

/* Changes the float4 of all particles in components with `which` set. */
static cab_status change(cab_world *world, cab_buffer id, size_t first, const bool *which,
                         void (*edit)(float4 *), cab_error *error)
{
    const cab_components *c = &world->sleep.components;
    size_t n = (size_t)world->model->particle_count;
    float4 *x;
    cab_status status = CAB_NEW(x, n, error);
    if (status == CAB_OK) status = cab_world_fetch(world, id, first * sizeof *x, n * sizeof *x, x, error);
    for (size_t i = 0; status == CAB_OK && i < n; i++) {
        if (which[c->of[i]]) edit(&x[i]);
    }
    if (status == CAB_OK) status = cab_world_put(world, id, first * sizeof *x, n * sizeof *x, x, error);
    free(x);
    return status;
}

static void negate(float4 *position)
{
    if (position->w > 0) position->w = -position->w;
}

static void restore(float4 *position)
{
    if (position->w < 0) position->w = -position->w;
}

static void stop(float4 *v)
{
    v->x = v->y = v->z = 0;
}

/* Sets the direct method's order of time integration in components with `which` set. */
static cab_status set_order(cab_world *world, const bool *which, int order, cab_error *error)
{
    size_t n = (size_t)world->sleep.components.count;
    int *orders;
    if (world->way != CAB_WAY_STAGED) return CAB_OK;
    cab_status status = CAB_NEW(orders, n, error);
    if (status == CAB_OK)
        status = cab_world_fetch(world, CAB_BUFFER_order, 0, n * sizeof *orders, orders, error);
    for (size_t i = 0; status == CAB_OK && i < n; i++) {
        if (which[i]) orders[i] = order;
    }
    if (status == CAB_OK)
        status = cab_world_put(world, CAB_BUFFER_order, 0, n * sizeof *orders, orders, error);
    free(orders);
    return status;
}

static cab_status upload_tables(cab_world *world, cab_error *error)
{
    const cab_components *c = &world->sleep.components;
    size_t n = (size_t)c->count, p = (size_t)world->model->particle_count;
    const cab_table tables[] = {
        {CAB_BUFFER_component_start, c->start, n + 1, sizeof(int)},
        {CAB_BUFFER_component_particle, c->particle, p, sizeof(int)},
    };
    cab_status status = CAB_UPLOAD(world, tables, error);
    if (status == CAB_OK)
        status = cab_world_upload_kept(world, "quiet", CAB_BUFFER_quiet, NULL, n, sizeof(int), error);
    if (status == CAB_OK)
        status =
            cab_world_upload_kept(world, "resting", CAB_BUFFER_quiet_place, NULL, p, sizeof(float4), error);
    return status;
}

cab_status cab_sleep_start(cab_world *world, cab_error *error)
{
    cab_sleep *s = &world->sleep;
    if (!world->model->settings.contact.sleep) return CAB_OK;
    cab_sleep_disturb_all(world);
    cab_status status = cab_sleep_wake(world, error);
    if (status != CAB_OK) return status;
    cab_sleep_end(world);
    status = cab_components_find(world->model, &s->components, error);
    int n = s->components.count;
    if (status == CAB_OK) status = CAB_NEW(s->island, n, error);
    if (status == CAB_OK) status = CAB_NEW(s->due, n, error);
    if (status == CAB_OK) status = CAB_NEW(s->quiet, n, error);
    if (status == CAB_OK) status = upload_tables(world, error);
    for (int i = 0; status == CAB_OK && i < n; i++) s->island[i] = -1;
    s->on = status == CAB_OK;
    world->params.quiet_distance = (float)QUIET_DISTANCE;
    return status;
}

void cab_sleep_end(cab_world *world)
{
    cab_sleep *s = &world->sleep;
    cab_components_free(&s->components);
    free(s->island);
    free(s->due);
    free(s->quiet);
    *s = (cab_sleep){0};
}

static void disturb_island(cab_sleep *s, int island)
{
    for (int c = 0; c < s->components.count; c++) {
        if (s->island[c] == island) s->due[c] = s->any_due = true;
    }
}

/* Makes the component's island wake, if it sleeps. */
static void disturb(cab_sleep *s, int component)
{
    if (s->island[component] >= 0 && !s->due[component]) disturb_island(s, s->island[component]);
}

void cab_sleep_disturb(cab_world *world, int particle)
{
    if (world->sleep.asleep > 0) disturb(&world->sleep, world->sleep.components.of[particle]);
}

void cab_sleep_disturb_all(cab_world *world)
{
    cab_sleep *s = &world->sleep;
    for (int c = 0; s->asleep > 0 && c < s->components.count; c++) disturb(s, c);
}

/* Reads the two components of each candidate pair; the caller frees them. */
static cab_status read_pairs(cab_world *world, int (**out)[2], int *count, cab_error *error)
{
    const cab_contact_state *c = &world->contact;
    const cab_segment *segment = world->model->segment;
    const int *of = world->sleep.components.of;
    int n = c->cables ? world->params.pair_count : 0;
    int4 *pair;
    cab_status status = CAB_NEW(pair, n, error);
    *out = NULL;
    *count = n;
    if (status == CAB_OK) status = CAB_NEW(*out, n, error);
    if (status == CAB_OK && n > 0)
        status = cab_world_fetch(world, CAB_BUFFER_pair, 0, (size_t)n * sizeof *pair, pair, error);
    for (int i = 0; status == CAB_OK && i < n; i++) {
        (*out)[i][0] = of[segment[pair[i].x].a];
        (*out)[i][1] = of[segment[pair[i].y].a];
    }
    free(pair);
    return status;
}

cab_status cab_sleep_meet(cab_world *world, cab_error *error)
{
    cab_sleep *s = &world->sleep;
    int(*pair)[2], count;
    if (s->asleep == 0 || s->asleep == s->components.count) return CAB_OK;
    cab_status status = read_pairs(world, &pair, &count, error);
    for (int i = 0; status == CAB_OK && i < count; i++) {
        if (s->island[pair[i][0]] < 0) disturb(s, pair[i][1]);
        if (s->island[pair[i][1]] < 0) disturb(s, pair[i][0]);
    }
    free(pair);
    return status;
}

cab_status cab_sleep_wake(cab_world *world, cab_error *error)
{
    cab_sleep *s = &world->sleep;
    size_t n = (size_t)s->components.count;
    if (!s->any_due) return CAB_OK;
    cab_status status = change(world, CAB_BUFFER_position, 0, s->due, restore, error);
    if (status == CAB_OK) status = set_order(world, s->due, 1, error);
    for (size_t c = 0; c < n; c++) {
        if (!s->due[c]) continue;
        s->quiet[c] = 0;
        s->island[c] = -1;
        s->due[c] = false;
        s->asleep--;
    }
    if (status == CAB_OK)
        status = cab_world_put(world, CAB_BUFFER_quiet, 0, n * sizeof *s->quiet, s->quiet, error);
    s->any_due = false;
    world->contact.listed = false; /* pairs inside an island are not in the lists */
    return status;
}

/* Lets components sleep: velocities and steps become 0, inverse masses are negated. */
static cab_status lay_down(cab_world *world, const bool *which, cab_error *error)
{
    size_t n = (size_t)world->model->particle_count;
    cab_status status = change(world, CAB_BUFFER_position, 0, which, negate, error);
    if (status == CAB_OK) status = change(world, CAB_BUFFER_velocity, 0, which, stop, error);
    for (size_t k = 0; status == CAB_OK && world->way == CAB_WAY_STAGED && k < 3; k++)
        status = change(world, CAB_BUFFER_step, k * n, which, stop, error);
    if (status == CAB_OK) status = set_order(world, which, CAB_ORDER_ASLEEP, error);
    if (status == CAB_OK) /* offsets, which no substep will set */
        status = cab_world_run(world, CAB_STAGE_MEASURE, CAB_KERNEL_grid_settle, 0, (int)n, 0, 0, error);
    world->contact.listed = false; /* without these pairs the lists are shorter */
    return status;
}

static int root_of(int *parent, int i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* Finds the islands of awake components, named by the first of each. awake[component]: the island may not
 * fall asleep, since one of its components is not quiet or is beside something that has just woken. */
static cab_status find_islands(cab_world *world, int frames, int *parent, bool *awake, cab_error *error)
{
    const cab_sleep *s = &world->sleep;
    int(*pair)[2], count;
    cab_status status = read_pairs(world, &pair, &count, error);
    for (int c = 0; c < s->components.count; c++) {
        parent[c] = c;
        awake[c] = s->island[c] >= 0 || s->quiet[c] < frames;
    }
    for (int i = 0; status == CAB_OK && i < count; i++) {
        int x = root_of(parent, pair[i][0]), y = root_of(parent, pair[i][1]);
        int low = x < y ? x : y;
        awake[low] = awake[x] || awake[y];
        parent[x] = parent[y] = low;
    }
    free(pair);
    return status;
}

/* Lets the islands fall asleep in which all components have been quiet for so many frames. */
static cab_status fall_asleep(cab_world *world, int frames, cab_error *error)
{
    cab_sleep *s = &world->sleep;
    int *parent, n = s->components.count, before = s->asleep;
    bool *awake = NULL, *which = NULL;
    cab_status status = CAB_NEW(parent, n, error);
    if (status == CAB_OK) status = CAB_NEW(awake, n, error);
    if (status == CAB_OK) status = CAB_NEW(which, n, error);
    if (status == CAB_OK) status = find_islands(world, frames, parent, awake, error);
    for (int c = 0; status == CAB_OK && c < n; c++) {
        int root = root_of(parent, c);
        if (awake[root]) continue;
        which[c] = true;
        s->island[c] = root;
        s->asleep++;
    }
    if (status == CAB_OK && s->asleep > before) status = lay_down(world, which, error);
    free(parent);
    free(awake);
    free(which);
    return status;
}

cab_status cab_sleep_update(cab_world *world, cab_error *error)
{
    cab_sleep *s = &world->sleep;
    int n = s->components.count, frames = (int)ceil(QUIET_TIME * world->model->settings.frame_rate);
    if (!s->on || s->asleep == n || (world->contact.cables && !world->contact.listed)) return CAB_OK;
    cab_status status = cab_world_run(world, CAB_STAGE_MEASURE, CAB_KERNEL_sleep_watch, 0, n, 0, 0, error);
    if (status == CAB_OK)
        status = cab_world_fetch(world, CAB_BUFFER_quiet, 0, (size_t)n * sizeof *s->quiet, s->quiet, error);
    bool any = false;
    for (int c = 0; c < n; c++) any = any || (s->island[c] < 0 && s->quiet[c] >= frames);
    return status == CAB_OK && any ? fall_asleep(world, frames, error) : status;
}

bool cab_sleep_all(const cab_world *world)
{
    const cab_sleep *s = &world->sleep;
    return s->on && s->asleep == s->components.count && !s->any_due;
}

int cab_sleep_count(const cab_world *world)
{
    const cab_sleep *s = &world->sleep;
    const cab_model *m = world->model;
    int count = 0;
    for (int c = 0; s->asleep > 0 && c < m->cable_count; c++)
        count += s->island[s->components.of[m->node_particle[m->bodies[c].first_node]]] >= 0;
    return count;
}

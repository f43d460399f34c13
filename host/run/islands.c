#include "run/islands.h"

#include <math.h>

#include "base/union.h"
#include "constraint/rigid_pairs.h"
#include "contact/contact.h"
#include "run/again.h"
#include "world/attached.h"
#include "world/device.h"
#include "world/pieces.h"
#include "world/sleep.h"

#define GROWTH                                                                                               \
    1.5 /* as a cable whips or snaps it may be so many times as fast in the next substep as in the last */
/* A share is at most this many times the largest step over the smallest radius: for two that meet, times CAB_PACE_PAIR. */
#define SHARE_OF_STEP 4.0
/* A cable that snaps in the air may turn this many times as far as its last step tells. The limit that this is compared with is
 * far below a turn that matters. */
#define SUDDEN 4.0

/* Writes numbers of what is led, in a buffer that grows. */
static cab_status write_led(cab_world *world, cab_buffer id, const float *from, int count, int *room,
                            cab_error *error)
{
    size_t n = (size_t)count;
    if (count == 0) return CAB_OK;
    if (count > *room) {
        *room = count;
        return cab_world_upload(world, id, from, n, sizeof *from, error);
    }
    return world->backend->ops->write(world->backend, id, 0, n * sizeof *from, from, error);
}

static cab_status run(cab_world *world, cab_kernel kernel, int count, cab_error *error)
{
    int flags = world->attached.moving_count > 0 ? CAB_PACE_LED : 0;
    if (!cab_again_iterates(world)) flags |= CAB_PACE_EXACT;
    return cab_world_run(world, CAB_STAGE_NARROW, kernel, 0, count, flags, 0, error);
}

/* Makes candidate lists that cover a step of that size, and wakes the sleepers that are so near. */
static cab_status cover(cab_world *world, double step, cab_error *error)
{
    cab_status status = cab_contact_cover(world, step, error);
    while (status == CAB_OK && world->sleep.any_due) {
        status = cab_sleep_wake(world, error);
        if (status == CAB_OK) status = cab_contact_cover(world, step, error);
    }
    return status;
}

/* Is the share of every component 0? It is where lists that cover the substep are empty and no segment can turn by enough. */
static bool is_by_itself(const cab_world *world, double step)
{
    const cab_contact_state *c = &world->contact;
    if (cab_contact_any_pairs(world) || cab_contact_any_near(world)) return false;
    if (world->model->drum_node_count > 0) return false; /* segments there become shorter than at the start */
    /* it turns most where its ends go opposite ways */
    return SUDDEN * CAB_PACE_TURN * 2 * step < CAB_PACE_SHARE * c->smallest_rest;
}

/* The shares of all components: pace.share, where they are 0. */
static cab_status measure(cab_world *world, int index, double step, cab_error *error)
{
    cab_pace *p = &world->pace;
    const cab_model *m = world->model;
    const cab_contact_state *c = &world->contact;
    int targets = cab_attached_targets(world);
    cab_status status = cover(world, step, error);
    if (status == CAB_OK && !cab_pieces_any(world) && is_by_itself(world, step)) return CAB_OK;
    if (status == CAB_OK)
        status = write_led(world, CAB_BUFFER_pace_led, p->led_target + (size_t)index * (size_t)targets,
                           targets, &p->led_room, error);
    if (status == CAB_OK)
        status = write_led(world, CAB_BUFFER_pace_collider,
                           p->led_collider + (size_t)index * (size_t)m->collider_count, m->collider_count,
                           &p->collider_room, error);
    world->params.pace_thin = (float)(2 * c->smallest_radius);
    if (status == CAB_OK) status = cab_world_upload_params(world, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_pace_segments, m->segment_count, error);
    if (status == CAB_OK && cab_contact_any_pairs(world))
        status = run(world, CAB_KERNEL_pace_pairs, m->segment_count, error);
    if (status == CAB_OK && cab_contact_any_near(world))
        status = run(world, CAB_KERNEL_pace_colliders, m->segment_count, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_pace_components, p->components.count, error);
    if (status != CAB_OK) return status;
    return world->backend->ops->read(world->backend, CAB_BUFFER_pace_component, 0,
                                     (size_t)p->components.count * sizeof *p->share, p->share, error);
}

/* Joins the components that a pair could bring together. */
static cab_status join_pairs(cab_world *world, cab_error *error)
{
    cab_pace *p = &world->pace;
    size_t n = world->contact.cables ? (size_t)world->params.pair_count : 0;
    if (n == 0) return CAB_OK;
    cab_status status = CAB_OK;
    if (n > p->meet_room) {
        CAB_FREE(p->meet);
        p->meet_room = n + n / 4;
        status = CAB_NEW(p->meet, p->meet_room, error);
        if (status == CAB_OK)
            status = world->backend->ops->allocate(world->backend, CAB_BUFFER_meet,
                                                   p->meet_room * sizeof *p->meet, error);
    }
    if (status == CAB_OK) status = run(world, CAB_KERNEL_pace_meet, (int)n, error);
    if (status == CAB_OK)
        status = world->backend->ops->read(world->backend, CAB_BUFFER_meet, 0, n * sizeof *p->meet, p->meet,
                                           error);
    for (size_t k = 0; status == CAB_OK && k < n; k++) {
        if (p->meet[k][0] != p->meet[k][1]) cab_union_join(p->parent, p->meet[k][0], p->meet[k][1]);
    }
    return status;
}

/* Islands, by pace.parent. Ties join cables that are no component, a constraint of one's own may join any. */
static cab_status join(cab_world *world, cab_error *error)
{
    cab_pace *p = &world->pace;
    const cab_model *m = world->model;
    bool one = m->own_place_count > 0 || world->way == CAB_WAY_CHUNKS;
    for (int c = 0; c < p->components.count; c++) p->parent[c] = one ? 0 : c;
    for (int i = 0; !one && i < m->tie_count; i++)
        cab_union_join(p->parent, p->components.of[m->tie[i].a], p->components.of[m->tie[i].b]);
    if (!one) cab_rigid_join(world, p->parent);
    return one ? CAB_OK : join_pairs(world, error);
}

/* What a component needs by itself. */
static int pieces_for(const cab_world *world, int component)
{
    const cab_pace *p = &world->pace;
    int pieces = 1, before = p->pieces[component];
    double share = p->share[component];
    if (world->sleep.asleep > 0 && world->sleep.island[component] >= 0) return 1;
    while (pieces < world->model->settings.max_pieces && share > CAB_PACE_SHARE * pieces) pieces *= 2;
    if (pieces >= before) return pieces;
    /* fewer pieces, but half as many at the least: a cable that was hit goes on vibrating */
    return CAB_PACE_BACK * share > CAB_PACE_SHARE * (before / 2) ? before : before / 2;
}

static cab_status decide(cab_world *world, bool *changed, cab_error *error)
{
    cab_pace *p = &world->pace;
    int n = p->components.count;
    bool any = false;
    for (int c = 0; c < n; c++) {
        p->wanted[c] = pieces_for(world, c);
        any = any || p->wanted[c] > 1;
    }
    cab_status status = any ? join(world, error) : CAB_OK;
    for (int c = 0; status == CAB_OK && any && c < n; c++) {
        int root = cab_union_root(p->parent, c); /* the lowest number of its island, so it comes first */
        if (p->wanted[c] > p->wanted[root]) p->wanted[root] = p->wanted[c];
    }
    for (int c = 0; status == CAB_OK && c < n; c++) {
        int root = any ? cab_union_root(p->parent, c) : c;
        p->changed[c] = p->pieces[c] != p->wanted[root];
        p->growth[c] = (float)p->wanted[root] / (float)p->pieces[c];
        p->pieces[c] = p->wanted[root];
        *changed = *changed || p->changed[c];
    }
    return status;
}

/* The largest step of anything in the coming substep, as far as it can be told before, m. */
static double coming_step(const cab_world *world, int index)
{
    const cab_model *m = world->model;
    double h = 1 / (m->settings.frame_rate * m->settings.substeps);
    return fmax(GROWTH * world->contact.speed * h, world->pace.led[index]);
}

bool cab_islands_looks(const cab_world *world, int index)
{
    const cab_model *m = world->model;
    const cab_contact_state *c = &world->contact;
    if (m->settings.max_pieces == 1 || (!c->cables && !c->colliders) || cab_sleep_all(world)) return false;
    if (m->settings.contact.detection != CAB_DETECTION_SWEPT) return false;
    return SHARE_OF_STEP * coming_step(world, index) > CAB_PACE_SHARE * c->smallest_radius ||
           cab_pieces_any(world);
}

cab_status cab_islands_raise(cab_world *world, int index, const bool *missed, int pieces, cab_error *error)
{
    cab_pace *p = &world->pace;
    int n = p->components.count;
    cab_status status = cover(world, coming_step(world, index), error);
    if (status == CAB_OK) status = join(world, error);
    for (int c = 0; status == CAB_OK && c < n; c++) p->wanted[c] = 0;
    for (int c = 0; status == CAB_OK && c < n; c++)
        if (missed[c]) p->wanted[cab_union_root(p->parent, c)] = pieces;
    for (int c = 0; status == CAB_OK && c < n; c++) {
        int root = cab_union_root(p->parent, c), before = p->again.pieces[c];
        p->pieces[c] = p->wanted[root] > before ? p->wanted[root] : before;
        p->changed[c] = p->pieces[c] != before;
        p->growth[c] = (float)p->pieces[c] / (float)before;
    }
    return status;
}

cab_status cab_islands_choose(cab_world *world, int index, bool *changed, cab_error *error)
{
    cab_pace *p = &world->pace;
    *changed = false;
    if (!cab_islands_looks(world, index)) return CAB_OK;
    cab_status status = cab_pieces_start(world, error);
    for (int i = 0; status == CAB_OK && i < p->components.count; i++) p->share[i] = 0;
    if (status == CAB_OK && cab_contact_is_sound(world))
        status = measure(world, index, coming_step(world, index), error);
    return status == CAB_OK ? decide(world, changed, error) : status;
}

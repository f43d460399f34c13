#include "carrier/net_frame.h"

#include <math.h>

#include "base/array.h"
#include "carrier/lanes.h"
#include "carrier/plan.h"
#include "contact/contact.h"
#include "world/device.h"

/* Before a frame the distances from colliders are found anew unless they serve for so many times the way of the last one. */
#define SERVES 2.0f
#define CONTACT_MARGIN 0.1 /* of the radius: CAB_MARGIN of kernels/geometry.h */

static bool has_plain_bending(const cab_model *m)
{
    for (int i = 0; i < m->bending_count; i++) {
        const cab_bending_constraint *c = &m->bending[i];
        if (c->a < 0 || c->c < 0 || c->target >= 0) return false;
    }
    return true;
}

bool cab_net_frame_possible(const cab_world *world)
{
    const cab_model *m = world->model;
    const cab_branches *b = &world->staged.branches;
    if (!cab_plan_hands_over(world) || m->chain || m->body_count != m->cable_count ||
        b->branch_count != m->cable_count)
        return false;
    if (b->any_taut || world->attached.moving_count > 0 || world->colliders.move || !has_plain_bending(m))
        return false;
    for (int c = 0; c < b->component_count; c++)
        if (b->component_branch_start[c + 1] - b->component_branch_start[c] > CAB_NET_LANES_MOST / 2)
            return false;
    return !cab_lanes_refuses_frames(world);
}

static cab_status launch(cab_world *world, cab_kernel kernel, int count, int argument, cab_error *error)
{
    return cab_world_launch(world, CAB_STAGE_DIRECT, kernel, 0, count, argument, 0, error);
}

static cab_status read_reports(cab_world *world, cab_error *error)
{
    cab_nets *n = &world->staged.nets;
    return world->backend->ops->read(world->backend, CAB_BUFFER_net_memory, 0,
                                     (size_t)n->count * CAB_NET_REPORT * sizeof *n->report, n->report, error);
}

/* Finds the distances from colliders anew; they stand in the reports after the next frame only. */
static cab_status look_for_colliders(cab_world *world, cab_error *error)
{
    int lanes = world->staged.nets.tiles * world->backend->tile_width;
    if (world->model->collider_count == 0) return CAB_OK;
    cab_status status = cab_world_flush(world, false, error);
    return status == CAB_OK
               ? cab_world_launch(world, CAB_STAGE_GRID, CAB_KERNEL_nets_far, 0, lanes, 0, 0, error)
               : status;
}

/* Fills the tiles. */
static cab_status take(cab_world *world, cab_error *error)
{
    cab_nets *n = &world->staged.nets;
    cab_status status =
        launch(world, CAB_KERNEL_nets_take, n->tiles, world->first_order ? CAB_FRAME_FIRST_ORDER : 0, error);
    if (status == CAB_OK) status = launch(world, CAB_KERNEL_nets_look, n->count, 0, error);
    if (status == CAB_OK) status = look_for_colliders(world, error);
    n->taken = status == CAB_OK;
    n->ahead = false;
    return status == CAB_OK ? read_reports(world, error) : status;
}

/* Does the last survey of colliders serve for the coming frame? */
static bool serves(const cab_nets *n)
{
    for (int i = 0; i < n->count; i++) {
        const float *own = n->report + (size_t)i * CAB_NET_REPORT;
        if (!(own[CAB_NET_LEFT] > SERVES * own[CAB_NET_MOVED])) return false;
    }
    return true;
}

static const float *box_of(const cab_nets *n, int i)
{
    return n->report + (size_t)i * CAB_NET_REPORT + CAB_NET_BOX;
}

static double apart_of(const float *a, const float *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double beyond = fmax((double)b[k] - (double)a[3 + k], (double)a[k] - (double)b[3 + k]);
        sum += beyond > 0 ? beyond * beyond : 0;
    }
    return sqrt(sum);
}

/* Sorts nets by the lower ends of their boxes along x. */
static void sort_boxes(const cab_nets *n, int *sorted)
{
    for (int i = 0; i < n->count; i++) sorted[i] = i;
    for (int gap = n->count / 2; gap > 0; gap /= 2) {
        for (int i = gap; i < n->count; i++) {
            int own = sorted[i], k = i;
            for (; k >= gap && box_of(n, sorted[k - gap])[0] > box_of(n, own)[0]; k -= gap)
                sorted[k] = sorted[k - gap];
            sorted[k] = own;
        }
    }
}

/* How far anything may move so that no two nets touch, m, at most `most`. */
static cab_status find_leash(const cab_world *world, double most, double *leash, cab_error *error)
{
    const cab_nets *n = &world->staged.nets;
    int *sorted;
    double least = 2 * most;
    cab_status status = CAB_NEW(sorted, n->count, error);
    if (status == CAB_OK) sort_boxes(n, sorted);
    for (int i = 0; status == CAB_OK && i < n->count; i++) {
        const float *own = box_of(n, sorted[i]);
        for (int k = i + 1; k < n->count; k++) {
            const float *other = box_of(n, sorted[k]);
            int a = n->group[sorted[i]], b = n->group[sorted[k]];
            if ((double)other[0] - (double)own[3] > least) break;
            if (a < 0 || b < 0 || a == b) least = fmin(least, apart_of(own, other));
        }
    }
    free(sorted);
    double margin = 2 * CONTACT_MARGIN * world->contact.largest_radius;
    *leash = world->model->settings.contact.cables ? fmax(0, (least - margin) / 2) : most;
    return status;
}

cab_status cab_net_frame_run(cab_world *world, bool *done, cab_error *error)
{
    cab_nets *n = &world->staged.nets;
    double leash, most = (double)CAB_NUMBER_MOST * (double)CAB_NET_LEASH;
    cab_status status = n->taken ? CAB_OK : take(world, error);
    if (status == CAB_OK && !serves(n)) status = look_for_colliders(world, error);
    if (status == CAB_OK) status = find_leash(world, most, &leash, error);
    int number = status == CAB_OK ? (int)(leash / (double)CAB_NET_LEASH) : 0,
        first = world->first_order ? CAB_FRAME_FIRST_ORDER : 0;
    *done = false;
    if (status != CAB_OK || number == 0) return status;
    status = launch(world, CAB_KERNEL_nets_frame, n->count, CAB_ARGUMENT(first, number), error);
    if (status == CAB_OK) status = read_reports(world, error);
    *done = status == CAB_OK;
    for (int i = 0; status == CAB_OK && i < n->count; i++)
        *done = *done && n->report[(size_t)i * CAB_NET_REPORT + CAB_NET_FAILED] == 0;
    if (status == CAB_OK && !*done) {
        status = launch(world, CAB_KERNEL_nets_back, n->count, 0, error);
        if (!n->ahead) n->taken = false;
        return status;
    }
    n->ahead = *done;
    n->solved_first = world->first_order && world->params.substeps == 1;
    if (status == CAB_OK && world->first_order) /* all are of second order now */
        status = cab_world_upload(world, CAB_BUFFER_order, NULL,
                                  (size_t)world->staged.branches.component_count, sizeof(int), error);
    world->first_order = false;
    return status;
}

cab_status cab_net_frame_settle(cab_world *world, bool change, cab_error *error)
{
    cab_nets *n = &world->staged.nets;
    bool due = n->ahead;
    if (change) n->taken = false;
    n->ahead = false;
    return due ? launch(world, CAB_KERNEL_nets_give, n->tiles, n->solved_first ? CAB_FRAME_SOLVED_FIRST : 0,
                        error)
               : CAB_OK;
}

void cab_net_frame_end(cab_world *world)
{
    cab_nets *n = &world->staged.nets;
    CAB_FREE(n->report, n->group);
    *n = (cab_nets){0};
}

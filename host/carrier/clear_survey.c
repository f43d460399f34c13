/* The survey for clear frames: distances from colliders by a kernel, distances of cables by the boxes around them. */
#include <math.h>

#include "base/array.h"
#include "carrier/clear.h"
#include "world/device.h"

#define LOOK 4.0 /* how many times the distance that is needed is looked for */

/* Boxes around cables in the cells of their centres. Cells are hashed into slots. */
typedef struct boxes {
    const float *far; /* [cables][CAB_FAR_NUMBERS] */
    int count;
    double cell; /* m; two boxes within range of each other lie in neighbouring cells */
    int slots;   /* a power of two */
    int *start;  /* [slots + 1] */
    int *box;    /* by slot */
} boxes;

static const float *box_of(const boxes *b, int i)
{
    return b->far + (size_t)i * CAB_FAR_NUMBERS;
}

static void cell_of(const boxes *b, int i, long cell[3])
{
    const float *box = box_of(b, i);
    for (int k = 0; k < 3; k++)
        cell[k] = (long)floor(0.5 * ((double)box[CAB_FAR_LOW + k] + (double)box[CAB_FAR_HIGH + k]) / b->cell);
}

static int slot_of(const boxes *b, long x, long y, long z)
{
    unsigned long hash =
        (unsigned long)x * 73856093UL ^ (unsigned long)y * 19349663UL ^ (unsigned long)z * 83492791UL;
    return (int)(hash & (unsigned long)(b->slots - 1));
}

static cab_status sort_boxes(boxes *b, double range, cab_error *error)
{
    double extent = 0;
    for (int i = 0; i < b->count; i++) {
        const float *box = box_of(b, i);
        for (int k = 0; k < 3; k++)
            extent = fmax(extent, (double)(box[CAB_FAR_HIGH + k] - box[CAB_FAR_LOW + k]));
    }
    b->cell = extent + range;
    for (b->slots = 1; b->slots < b->count;) b->slots *= 2;
    cab_status status = CAB_NEW(b->start, b->slots + 1, error);
    if (status == CAB_OK) status = CAB_NEW(b->box, b->count, error);
    if (status != CAB_OK) return status;
    long c[3];
    for (int i = 0; i < b->count; i++) {
        cell_of(b, i, c);
        b->start[slot_of(b, c[0], c[1], c[2])]++;
    }
    for (int i = 1; i <= b->slots; i++) b->start[i] += b->start[i - 1];
    for (int i = b->count - 1; i >= 0; i--) {
        cell_of(b, i, c);
        b->box[--b->start[slot_of(b, c[0], c[1], c[2])]] = i;
    }
    return CAB_OK;
}

static double distance_of(const float *a, const float *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double beyond = fmax((double)b[CAB_FAR_LOW + k] - (double)a[CAB_FAR_HIGH + k],
                             (double)a[CAB_FAR_LOW + k] - (double)b[CAB_FAR_HIGH + k]);
        sum += beyond > 0 ? beyond * beyond : 0;
    }
    return sqrt(sum);
}

/* The least distance of box i from those before it, or `least` if that is less. */
static double least_of(const cab_world *world, const boxes *b, int i, double least)
{
    const cab_body *bodies = world->model->bodies;
    long c[3];
    cell_of(b, i, c);
    for (int n = 0; n < 27; n++) {
        int slot = slot_of(b, c[0] + n % 3 - 1, c[1] + n / 3 % 3 - 1, c[2] + n / 9 - 1);
        for (int k = b->start[slot]; k < b->start[slot + 1]; k++) {
            int other = b->box[k];
            if (other >= i || bodies[other].group != bodies[i].group) continue;
            least = fmin(least, distance_of(box_of(b, i), box_of(b, other)));
        }
    }
    return least;
}

/* The least distance of two cables' boxes, at most LOOK times `need`. Once it is not above `need` the rest does not matter. */
static cab_status least_apart(const cab_world *world, const float *far, double need, double *least,
                              cab_error *error)
{
    boxes b = {.far = far, .count = world->model->cable_count};
    double range = LOOK * need;
    *least = range;
    cab_status status = sort_boxes(&b, range, error);
    for (int i = 0; status == CAB_OK && i<b.count && * least> need; i++)
        *least = least_of(world, &b, i, *least);
    CAB_FREE(b.start, b.box);
    return status;
}

static void take_colliders(cab_clear *c, const float *far, int cables, double time)
{
    c->gap = c->free_gap = c->reach = c->slack = c->free_slack = (double)CAB_FAR_NOTHING;
    for (int i = 0; i < cables; i++) {
        const float *own = far + (size_t)i * CAB_FAR_NUMBERS;
        double gap = (double)own[CAB_FAR_GAP],
               slack = gap - (double)(CAB_FAR_BOUND * own[CAB_FAR_SPEED]) * time;
        c->gap = fmin(c->gap, gap);
        c->slack = fmin(c->slack, slack);
        if (own[CAB_FAR_REACH] > 0) {
            c->reach = fmin(c->reach, (double)own[CAB_FAR_REACH]);
        } else {
            c->free_gap = fmin(c->free_gap, gap);
            c->free_slack = fmin(c->free_slack, slack);
        }
    }
}

cab_status cab_clear_straight(cab_world *world, double *least, cab_error *error)
{
    const cab_model *m = world->model;
    size_t n = (size_t)m->cable_count;
    float *cosine = NULL;
    *least = (double)CAB_FAR_NOTHING;
    if (!m->settings.contact.self) return CAB_OK;
    cab_status status =
        cab_world_run(world, CAB_STAGE_GRID, CAB_KERNEL_far_straight, 0, m->cable_count, 0, 0, error);
    if (status == CAB_OK) status = CAB_READ_NEW(world, CAB_BUFFER_far_cosine, cosine, n, error);
    for (size_t i = 0; status == CAB_OK && i < n; i++) {
        if (m->bodies[i].node_count > 4)
            *least = fmin(*least, (double)cosine[i]); /* as in contact/contact.c */
    }
    free(cosine);
    return status;
}

cab_status cab_clear_survey(cab_world *world, double need, cab_error *error)
{
    const cab_model *m = world->model;
    cab_clear *c = &world->clear;
    size_t n = (size_t)m->cable_count * CAB_FAR_NUMBERS;
    bool meet = m->settings.contact.cables && m->bodies_meet;
    float *far = NULL;
    cab_status status =
        cab_world_run(world, CAB_STAGE_GRID, CAB_KERNEL_far_chains, 0, m->cable_count, 0, 0, error);
    if (status == CAB_OK) status = CAB_READ_NEW(world, CAB_BUFFER_far_chain, far, n, error);
    if (status == CAB_OK) take_colliders(c, far, m->cable_count, 1 / m->settings.frame_rate);
    c->apart = meet ? 0 : (double)CAB_FAR_NOTHING;
    if (status == CAB_OK && meet && isfinite(need)) status = least_apart(world, far, need, &c->apart, error);
    c->moved = c->led = 0;
    c->surveyed = status == CAB_OK;
    free(far);
    return status;
}

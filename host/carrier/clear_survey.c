/* The survey for clear frames: distances from colliders by a kernel, distances of cables by the boxes around them. */
#include <math.h>

#include "base/array.h"
#include "carrier/clear.h"
#include "carrier/gang.h"
#include "world/device.h"

/* What a collider stops changes its speed by that speed, and with friction by as much again. */
#define HIT_MORE 2.0
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

/* May a cable touch itself? As in contact/contact.c */
static bool meets_itself(const cab_model *m, int cable)
{
    return m->settings.contact.self && m->bodies[cable].node_count > 4;
}

static bool any_meets_itself(const cab_model *m)
{
    for (int i = 0; i < m->cable_count; i++)
        if (meets_itself(m, i)) return true;
    return false;
}

/* Is a cosine so large that it is still the wanted one after the turn? At most the cosine of the sum of both angles is left. */
static bool stays_straight(const cab_straightness *wanted, float cosine)
{
    double now = (double)cosine, turn = wanted->turn;
    if (!(turn < 1) || !(now >= 0) || !(now <= 1)) return false;
    return now * (1 - turn * turn / 2) - sqrt(fmax(1 - now * now, 0)) * turn > wanted->cosine;
}

/* The least cosine that is enough, in steps of CAB_PARTS_COSINES; as many: none is. */
static int least_cosine(const cab_straightness *wanted)
{
    int enough = CAB_PARTS_COSINES, low = 0;
    while (low < enough) {
        int middle = (low + enough) / 2;
        if (stays_straight(wanted, (float)middle / CAB_PARTS_COSINES))
            enough = middle;
        else
            low = middle + 1;
    }
    return enough;
}

/* Are parts that do not lie on a straight stretch so far apart that they do not meet? By the way that nothing exceeds, or by how fast they come
 * nearer, which a collider that is hit may change. */
static bool stay_apart(const cab_straightness *wanted, const float *part)
{
    double blow = HIT_MORE * (double)(CAB_FAR_BOUND * part[CAB_PART_HIT]) * wanted->time;
    return (double)part[CAB_PART_APART] > wanted->margin + wanted->most ||
           (double)part[CAB_PART_LEFT] > wanted->margin + 2 * (wanted->more + blow);
}

/* Runs a kernel that finds some numbers of each cable, and reads them: rows[cables][numbers], to be freed. In a gang it is run once for all. */
static cab_status look_at(cab_world *world, cab_kernel kernel, int argument, cab_buffer id, size_t numbers,
                          float **rows, cab_error *error)
{
    size_t n = (size_t)world->model->cable_count * numbers;
    bool done = false;
    cab_status status = CAB_NEW(*rows, n, error);
    if (status == CAB_OK) status = cab_gang_look(world, kernel, argument, id, numbers, *rows, &done, error);
    if (status != CAB_OK || done) return status;
    status = cab_world_run(world, CAB_STAGE_GRID, kernel, 0, world->model->cable_count, argument, 0, error);
    return status ? status
                  : world->backend->ops->read(world->backend, id, 0, n * sizeof **rows, *rows, error);
}

static cab_status look_at_parts(cab_world *world, const cab_straightness *wanted, float **rows,
                                cab_error *error)
{
    int argument =
        CAB_ARGUMENT(wanted->hits ? CAB_FAR_HITS : 0, CAB_PARTS(wanted->part, least_cosine(wanted)));
    return look_at(world, CAB_KERNEL_far_parts, argument, CAB_BUFFER_far_part, CAB_PART_NUMBERS, rows, error);
}

cab_status cab_clear_straight(cab_world *world, const cab_straightness *wanted, bool *straight,
                              cab_error *error)
{
    const cab_model *m = world->model;
    float *cosine = NULL, *part = NULL;
    *straight = true;
    if (!any_meets_itself(m)) return CAB_OK;
    cab_status status = look_at(world, CAB_KERNEL_far_straight, 0, CAB_BUFFER_far_cosine, 1, &cosine, error);
    bool curved = false;
    for (int i = 0; status == CAB_OK && i < m->cable_count; i++)
        curved = curved || (meets_itself(m, i) && !stays_straight(wanted, cosine[i]));
    if (status == CAB_OK && curved) status = look_at_parts(world, wanted, &part, error);
    for (int i = 0; status == CAB_OK && i < m->cable_count && curved; i++) {
        const float *own = part + (size_t)i * CAB_PART_NUMBERS;
        if (!meets_itself(m, i) || stays_straight(wanted, cosine[i])) continue;
        *straight = *straight && stays_straight(wanted, own[CAB_PART_COSINE]) && stay_apart(wanted, own);
    }
    CAB_FREE(cosine, part);
    return status;
}

cab_status cab_clear_survey(cab_world *world, double need, cab_error *error)
{
    const cab_model *m = world->model;
    cab_clear *c = &world->clear;
    bool meet = m->settings.contact.cables && m->bodies_meet;
    float *far = NULL;
    cab_status status =
        look_at(world, CAB_KERNEL_far_chains, 0, CAB_BUFFER_far_chain, CAB_FAR_NUMBERS, &far, error);
    if (status == CAB_OK) take_colliders(c, far, m->cable_count, 1 / m->settings.frame_rate);
    c->apart = meet ? 0 : (double)CAB_FAR_NOTHING;
    if (status == CAB_OK && meet && isfinite(need)) status = least_apart(world, far, need, &c->apart, error);
    c->moved = c->led = 0;
    c->surveyed = status == CAB_OK;
    free(far);
    return status;
}

#include "carrier/clear.h"

#include <math.h>

#include "base/array.h"
#include "base/vec3.h"
#include "carrier/carriers.h"
#include "carrier/lanes.h"
#include "carrier/near.h"
#include "carrier/near_pieces.h"
#include "carrier/net_frame.h"
#include "carrier/plan.h"
#include "carrier/span_frame.h"
#include "contact/contact.h"
#include "world/colliders.h"
#include "world/device.h"
#include "world/pieces.h"
#include "world/window.h"

/* Stretched by less than this now, a cable cannot reach CAB_FAR_STRETCHED of its length within a frame. */
#define STRETCH_MOST 0.05
#define WAIT_MOST 4      /* frames between two surveys, the first of which found that something could touch */
#define MARGIN_RADII 2.0 /* what is as near as this counts as near, however slow */
/* Of the sum of the radii: nearer than this is contact; 1 + CAB_MARGIN of kernels/geometry.h. */
#define TOUCHING 1.1
#define JERK_MOST 0.05     /* of a segment, of the way in a substep against that in the one before */
#define PART_LEAST 2       /* segments of a part, */
#define PART_MOST 1000     /* see CAB_PARTS */
#define STRAIGHT_MORE 0.05 /* by which a cosine must be above the one at which segments could touch */

static const cab_carrier *lanes(void)
{
    return cab_carriers[CAB_WAY_LANES];
}

static bool is_possible(const cab_world *world)
{
    const cab_model *m = world->model;
    if (!cab_plan_hands_over(world) || !cab_contact_possible(m)) return false;
    return !cab_plan_lanes_idle(world) && !cab_plan_lanes_stretch(world) && !cab_lanes_refuses_clear(world);
}

/* The largest acceleration by gravity and loads, m/s^2. */
static double acceleration_of(const cab_model *m)
{
    double most = 0, g = cab_vec3_length(m->settings.gravity);
    for (int p = 0; p < m->particle_count && m->load_count > 0; p++) {
        if (m->held[p] < 0 && m->mass[p] > 0)
            most = fmax(most, cab_vec3_length(cab_model_force_on(m, p)) / m->mass[p]);
    }
    return g + most;
}

/* Finds out whether clear frames are possible, and prepares for surveys if so. */
static cab_status ask(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_clear *c = &world->clear;
    if (c->asked) return CAB_OK;
    c->asked = true;
    c->spans = cab_span_frame_possible(world);
    c->nets = cab_net_frame_possible(world);
    c->possible = is_possible(world);
    cab_status status = cab_near_ask(world, error);
    if (status != CAB_OK || !c->possible) return status;
    c->acceleration = acceleration_of(m);
    c->shortest = INFINITY;
    for (int i = 0; i < m->segment_count; i++) c->shortest = fmin(c->shortest, (double)m->segment[i].rest);
    size_t cables = (size_t)m->cable_count;
    const cab_table tables[] = {{CAB_BUFFER_chain, m->chain, cables, sizeof *m->chain},
                                {CAB_BUFFER_far_chain, NULL, cables * CAB_FAR_NUMBERS, sizeof(float)},
                                {CAB_BUFFER_far_cosine, NULL, cables, sizeof(float)},
                                {CAB_BUFFER_far_part, NULL, cables * CAB_PART_NUMBERS, sizeof(float)}};
    return CAB_UPLOAD(world, tables, error);
}

/* Of the coming frame. */
static cab_travel travel_of(const cab_world *world)
{
    const cab_model_settings *s = &world->model->settings;
    double t = 1 / s->frame_rate;
    int targets = world->attached.moving_count;
    cab_travel of = {0};
    for (int k = 0; k < s->substeps; k++) {
        double most = 0;
        for (int i = 0; i < targets; i++) most = fmax(most, (double)world->attached.moved[k * targets + i]);
        of.led += most;
        if (world->colliders.move) of.colliders += world->colliders.moved[k];
    }
    of.more = (double)CAB_FAR_BOUND * (world->clear.acceleration * t * t + of.led);
    of.way = (double)CAB_FAR_BOUND * world->measures.speed_max * t + of.more;
    of.turn = (world->clear.acceleration * t * t + 2 * of.led) / world->clear.shortest;
    return of;
}

/* How far something must be from what it could touch at the start of the frame, m. */
static double need_of(const cab_world *world, const cab_travel *t)
{
    return t->way + t->colliders + MARGIN_RADII * world->contact.largest_radius;
}

/* Segments of a part, so many that the next but one is as far away as it must be where the cable is straight and nothing is fast. */
static int part_of(const cab_world *world, const cab_straightness *wanted)
{
    double count = ceil((wanted->margin + 2 * wanted->more) / world->clear.shortest);
    return count < PART_LEAST ? PART_LEAST : count < PART_MOST ? (int)count : PART_MOST;
}

/* Do cables stay so straight, as a whole or part by part, that they cannot touch themselves? Two segments that may touch are an arc of two
 * radii and a segment apart, at least. near: in a frame of contact in lanes. */
static cab_status is_straight(cab_world *world, const cab_travel *t, bool near, bool *straight,
                              cab_error *error)
{
    double r = world->contact.largest_radius;
    cab_straightness wanted = {.cosine = 2 * TOUCHING * r / (2 * r + world->clear.shortest) + STRAIGHT_MORE,
                               .turn = t->turn + (near ? 2 * t->colliders / world->clear.shortest : 0),
                               .margin = 2 * MARGIN_RADII * r,
                               .most = 2 * (t->way + t->colliders),
                               .time = 1 / world->model->settings.frame_rate,
                               .more = t->more + (near ? (double)CAB_FAR_BOUND * t->colliders : 0),
                               .hits = near};
    wanted.part = part_of(world, &wanted);
    if (!world->clear.stepped) wanted.turn = INFINITY; /* what has just been changed may turn anyhow */
    return cab_clear_straight(world, &wanted, straight, error);
}

/* Does the survey tell that no two cables can touch each other in the coming frame? */
static bool are_apart(const cab_world *world, const cab_travel *t)
{
    const cab_clear *c = &world->clear;
    if (!world->model->settings.contact.cables || !world->model->bodies_meet) return true;
    if (!c->surveyed) return false;
    return c->apart >= (double)CAB_FAR_NOTHING ||
           (c->stepped && c->apart > 2 * (c->moved + need_of(world, t)));
}

/* Does the survey tell that nothing can touch anything in the coming frame? fresh: it has been made at the start of it. */
static bool is_clear(const cab_world *world, const cab_travel *t, bool fresh)
{
    const cab_clear *c = &world->clear;
    double need = c->moved + need_of(world, t), led = c->led + need_of(world, t) - t->way + t->led;
    double slow = fresh ? need_of(world, t) - t->way + t->more : INFINITY; /* what slack must exceed */
    /* what has just been changed or made may hold any energy; what cannot reach anything may move as it likes */
    bool none_free = c->free_gap >= (double)CAB_FAR_NOTHING;
    bool free_far = none_free || (c->stepped && (c->free_gap > need || c->free_slack > slow));
    bool short_of = world->measures.stretch_max < STRETCH_MOST && c->reach > led && free_far;
    bool far = c->stepped && (c->gap > need || c->slack > slow);
    return c->surveyed && are_apart(world, t) && (short_of || far);
}

/* Reads the order of the coming substep, which must be the same for all components. *same tells. */
static cab_status read_order(cab_world *world, bool *same, cab_error *error)
{
    int n = world->staged.branches.component_count, *order;
    cab_status status = CAB_READ_NEW(world, CAB_BUFFER_order, order, n, error);
    *same = status == CAB_OK;
    for (int i = 0; status == CAB_OK && i < n; i++) *same = *same && order[i] == order[0];
    if (status == CAB_OK && n > 0) world->first_order = order[0] == 1;
    free(order);
    return status;
}

static cab_status make_tables(cab_world *world, cab_error *error)
{
    if (world->clear.tables) return CAB_OK;
    cab_status status = lanes()->update(world, error);
    world->clear.tables = status == CAB_OK;
    if (status == CAB_OK) cab_world_log(world, 1, "nothing is near: whole frames in lanes while that is so");
    return status;
}

/* Leaves everything as the way staged would: colliders, forces of contact. Lists are gone. */
static cab_status settle(cab_world *world, cab_error *error)
{
    const cab_model_settings *s = &world->model->settings;
    cab_contact_state *contact = &world->contact;
    int last = s->substeps - 1;
    cab_status status = cab_colliders_move(world, last, error);
    contact->listed = contact->touching = false;
    contact->speed = world->measures.speed_max;
    contact->last_step = contact->speed * cab_model_substep(world->model);
    if (status != CAB_OK) return status;
    if (!world->clear.near) return cab_contact_note_forces(world, last, error);
    contact->forces_due = world->lanes.resident; /* they are in the gang's buffers until somebody asks */
    contact->pressing = true;
    return contact->forces_due ? CAB_OK : cab_contact_take_forces(world, error);
}

/* Ends a frame in lanes. */
static cab_status end_frame(cab_world *world, const cab_travel *t, cab_error *error)
{
    cab_clear *c = &world->clear;
    cab_status status = settle(world, error);
    for (int k = 0; k < world->model->settings.substeps; k++) cab_world_tick(world);
    c->moved += t->way + t->colliders;
    c->led += t->led + t->colliders;
    return status;
}

/* The frames to wait after a try that failed, when there were so many before it. */
static int longer(int wait)
{
    return wait == 0 ? 1 : wait < WAIT_MOST ? 2 * wait : WAIT_MOST;
}

/* Asks the last survey, then a new one, whether nothing can touch anything. If something can, there is no new one for some frames. */
static cab_status look(cab_world *world, const cab_travel *t, bool *clear, cab_error *error)
{
    cab_clear *c = &world->clear;
    *clear = is_clear(world, t, false);
    if (*clear) return CAB_OK;
    if (c->left > 0) {
        c->left--;
        return CAB_OK;
    }
    cab_status status = cab_clear_survey(world, 2 * need_of(world, t), error);
    *clear = status == CAB_OK && is_clear(world, t, true);
    if (*clear || !c->stepped)
        c->wait = 0;
    else
        c->left = c->wait = longer(c->wait);
    return status;
}

/* Is the frame that has begun one in which nothing can touch anything? near: the last one was in lanes with contact. */
static cab_status choose_clear(cab_world *world, bool near, cab_error *error)
{
    cab_clear *c = &world->clear;
    bool clear;
    cab_status status = look(world, &c->travel, &clear, error);
    if (status == CAB_OK && clear) status = is_straight(world, &c->travel, false, &clear, error);
    if (status == CAB_OK && clear && near) status = cab_clear_give(world, true, error);
    if (status == CAB_OK && clear && !c->was_now) status = read_order(world, &clear, error);
    if (status == CAB_OK && clear) c->next = CAB_FRAME_CLEAR;
    return status;
}

/* May a frame in lanes with contact be tried, as far as other cables go? */
static cab_status may_touch(cab_world *world, const cab_travel *t, bool *may, cab_error *error)
{
    cab_status status = CAB_OK;
    *may = are_apart(world, t);
    if (!*may && !world->clear.surveyed) {
        status = cab_clear_survey(world, 2 * need_of(world, t), error);
        *may = status == CAB_OK && are_apart(world, t);
    }
    return status == CAB_OK && *may ? is_straight(world, t, true, may, error) : status;
}

/* May it be computed in lanes with contact? near: the last one was. After one that had to be computed stage by stage none is tried
 * for some frames. */
static cab_status may_be_near(cab_world *world, bool near, bool *may, cab_error *error)
{
    cab_clear *c = &world->clear;
    *may = false;
    if (!c->near_possible || !c->stepped) return CAB_OK;
    if (c->near_left > 0) {
        c->near_left--;
        return CAB_OK;
    }
    cab_status status = may_touch(world, &c->travel, may, error);
    if (status != CAB_OK || !*may || near) return status;
    status = cab_near_is_ready(world, may, error);
    if (!*may) c->near_level = 0; /* clear frames may come instead */
    return status;
}

static cab_status choose_near(cab_world *world, bool near, cab_error *error)
{
    bool may;
    cab_status status = may_be_near(world, near, &may, error);
    if (status == CAB_OK && may) world->clear.next = CAB_FRAME_NEAR;
    return status;
}

/* Has no component missed its lengths so often that it goes on by its masses? */
static cab_status are_met(cab_world *world, bool *met, cab_error *error)
{
    size_t n = (size_t)world->staged.branches.component_count;
    int *lost;
    cab_status status = CAB_READ_NEW(world, CAB_BUFFER_lost, lost, n, error);
    *met = status == CAB_OK;
    for (size_t i = 0; status == CAB_OK && i < n; i++) *met = *met && lost[i] < CAB_STIFF_OFTEN;
    free(lost);
    return status;
}

/* Computes the frame in tiles of spans where all lengths can be met and all is of one order. */
static cab_status try_spans(cab_world *world, bool *done, cab_error *error)
{
    const cab_travel none = {0};
    if (cab_pieces_any(world)) return CAB_OK;
    cab_status status = are_met(world, done, error);
    if (status == CAB_OK && *done) status = read_order(world, done, error);
    if (status != CAB_OK || !*done) return status;
    if (!world->clear.tables) status = cab_span_frame_tables(world, error);
    world->clear.tables = status == CAB_OK;
    if (status == CAB_OK) status = cab_span_frame_run(world, error);
    return status == CAB_OK ? end_frame(world, &none, error) : status;
}

/* Does no particle count as heavier? */
static cab_status are_light(cab_world *world, bool *light, cab_error *error)
{
    int n = world->staged.branches.branch_count;
    float4 *slow;
    cab_status status = CAB_NEW(slow, n, error);
    if (status == CAB_OK)
        status = world->backend->ops->read(world->backend, CAB_BUFFER_branch_slow, 0,
                                           (size_t)n * sizeof *slow, slow, error);
    *light = status == CAB_OK;
    for (int i = 0; status == CAB_OK && i < n; i++) *light = *light && slow[i].z == 0;
    free(slow);
    return status;
}

/* Computes the frame in tiles of nets where all is of one order. After one that had to be computed stage by stage none is
 * tried for some frames. */
static cab_status try_nets(cab_world *world, bool *done, cab_error *error)
{
    const cab_travel none = {0};
    cab_clear *c = &world->clear;
    if (cab_pieces_any(world)) return CAB_OK;
    c->stepped = true; /* so that a state keeps the waits */
    if (c->near_left > 0) {
        c->near_left--;
        return CAB_OK;
    }
    bool ready = true;
    cab_status status = CAB_OK;
    if (!c->tables) status = cab_net_frame_tables(world, error);
    c->tables = status == CAB_OK;
    if (status == CAB_OK && !world->staged.nets.taken) {
        status = read_order(world, &ready, error);
        if (status == CAB_OK && ready) status = are_light(world, &ready, error);
    }
    if (status == CAB_OK && ready) status = cab_net_frame_run(world, done, error);
    if (status != CAB_OK) return status;
    c->now = *done;
    c->near_wait = *done ? 0 : longer(c->near_wait);
    c->near_left = c->near_wait;
    return *done ? end_frame(world, &none, error) : CAB_OK;
}

/* An end that is led stops dead, or begins to move: lanes cannot take such a substep again. */
static bool jerks(const cab_world *world)
{
    return world->attached.jerk > JERK_MOST * world->clear.shortest;
}

/* Decides between clear and near frames and those that are computed stage by stage. near: the last one was near. */
static cab_status choose(cab_world *world, bool near, cab_error *error)
{
    cab_clear *c = &world->clear;
    c->travel = travel_of(world);
    if (cab_pieces_any(world) || jerks(world)) return CAB_OK;
    /* what is in pieces would be off in whole substeps, also where nothing is near */
    cab_status status = c->near_possible && c->near_level > 0 ? CAB_OK : choose_clear(world, near, error);
    if (status == CAB_OK && c->next == CAB_FRAME_STAGED) status = choose_near(world, near, error);
    return status == CAB_OK && c->next != CAB_FRAME_STAGED ? make_tables(world, error) : status;
}

static bool is_in_lanes(cab_frame_kind kind)
{
    return kind == CAB_FRAME_CLEAR || kind == CAB_FRAME_NEAR;
}

cab_status cab_clear_could_be_near(cab_world *world, bool *could, cab_error *error)
{
    int level = cab_near_level_for(cab_pieces_most(world));
    *could = false;
    cab_status status = ask(world, error);
    if (status != CAB_OK || !world->clear.near_possible || jerks(world) || level < 0) return status;
    world->clear.travel = travel_of(world);
    status = may_be_near(world, false, could, error);
    if (status == CAB_OK && *could) world->clear.near_level = level;
    return status;
}

cab_status cab_clear_choose(cab_world *world, cab_error *error)
{
    cab_clear *c = &world->clear;
    bool near = c->near;
    c->was_now = c->now;
    c->now = c->near = c->alone = false;
    cab_status status = ask(world, error);
    c->next = c->spans ? CAB_FRAME_SPANS : c->nets ? CAB_FRAME_NETS : CAB_FRAME_STAGED;
    if (status == CAB_OK && c->possible && c->next == CAB_FRAME_STAGED) status = choose(world, near, error);
    return status == CAB_OK && !is_in_lanes(c->next) ? cab_lanes_come_home(world, error) : status;
}

cab_status cab_clear_possible(cab_world *world, bool *possible, cab_error *error)
{
    cab_status status = ask(world, error);
    *possible = status == CAB_OK && world->clear.possible && !world->clear.spans && !world->clear.nets;
    return status;
}

/* After a clear frame. */
static cab_status end_clear(cab_world *world, cab_error *error)
{
    size_t components = (size_t)world->staged.branches.component_count;
    cab_status status = CAB_OK;
    world->clear.now = true;
    if (!world->clear.was_now) /* all are of second order */
        status = cab_world_upload(world, CAB_BUFFER_order, NULL, components, sizeof(int), error);
    return status == CAB_OK ? end_frame(world, &world->clear.travel, error) : status;
}

/* After one in lanes with contact, which may not have been done. */
static cab_status end_near(cab_world *world, bool done, cab_error *error)
{
    cab_clear *c = &world->clear;
    c->near = done;
    c->near_wait = done ? 0 : longer(c->near_wait);
    if (!done) c->near_left = c->near_wait;
    return done ? end_frame(world, &c->travel, error) : cab_lanes_come_home(world, error);
}

cab_status cab_clear_end_frame(cab_world *world, bool done, cab_error *error)
{
    cab_clear *c = &world->clear;
    cab_status status = CAB_OK;
    if (c->next == CAB_FRAME_SPANS || c->next == CAB_FRAME_NETS || !c->possible) return CAB_OK;
    if (c->next == CAB_FRAME_CLEAR) status = end_clear(world, error);
    if (c->next == CAB_FRAME_NEAR) status = end_near(world, done, error);
    c->surveyed = done && c->surveyed; /* what moves meanwhile is not counted */
    c->stepped = true;
    return status;
}

/* Computes a frame in lanes with contact in its own tiles. */
static cab_status try_near(cab_world *world, bool *done, cab_error *error)
{
    cab_status status = cab_lanes_come_home(world, error);
    return status == CAB_OK ? cab_near_frame(world, cab_near_way(world), done, error) : status;
}

cab_status cab_clear_frame(cab_world *world, bool *done, cab_error *error)
{
    cab_frame_kind kind = world->clear.next;
    *done = false;
    cab_status status = kind == CAB_FRAME_CLEAR   ? lanes()->frame(world, error)
                        : kind == CAB_FRAME_NEAR  ? try_near(world, done, error)
                        : kind == CAB_FRAME_SPANS ? try_spans(world, done, error)
                        : kind == CAB_FRAME_NETS  ? try_nets(world, done, error)
                                                  : CAB_OK;
    *done = *done || kind == CAB_FRAME_CLEAR;
    return status == CAB_OK ? cab_clear_end_frame(world, *done, error) : status;
}

cab_status cab_clear_give(cab_world *world, bool change, cab_error *error)
{
    bool due = world->lanes.ahead;
    if (world->staged.span_ahead || world->staged.span_taken)
        return cab_span_frame_settle(world, change, error);
    if (world->staged.nets.ahead || world->staged.nets.taken)
        return cab_net_frame_settle(world, change, error);
    if (!due && !world->lanes.taken) return CAB_OK;
    cab_status status = lanes()->settle(world, change, error);
    if (status != CAB_OK || !due) return status;
    return cab_world_launch(world, CAB_STAGE_FINISH, CAB_KERNEL_far_slow, 0,
                            world->staged.branches.branch_count, 0, 0, error);
}

cab_status cab_clear_fetch(cab_world *world, cab_buffer id, size_t offset, size_t bytes, void *data,
                           cab_error *error)
{
    bool in_gang = world->lanes.resident && (id == CAB_BUFFER_position || id == CAB_BUFFER_residual ||
                                             id == CAB_BUFFER_velocity || id == CAB_BUFFER_distance_lambda);
    if (in_gang) return lanes()->fetch(world, id, offset, bytes, data, error);
    cab_status status = cab_clear_give(world, false, error);
    return status == CAB_OK ? world->backend->ops->read(world->backend, id, offset, bytes, data, error)
                            : status;
}

cab_status cab_clear_measure(cab_world *world, cab_errors *rows, int *blocks, cab_error *error)
{
    if (world->lanes.taken) return lanes()->measure(world, rows, blocks, error);
    return cab_world_measure_blocks(world, rows, *blocks, error);
}

void cab_clear_end(cab_world *world)
{
    lanes()->end(world);
    cab_span_frame_end(world);
    cab_net_frame_end(world);
}

/* twist: the torsion of cables between places that hold their roll, by the direct method. It adds to the right side of the bending.
 * Runs and what they are made of: twist_runs.c. How sections are rolled: twist_directors.c. Kernels: direct_twist.cl. */
#include "constraint/twist.h"

#include <math.h>

#include "base/array.h"
#include "base/error.h"
#include "constraint/director_runs.h"
#include "constraint/rigid_twist.h"
#include "constraint/twist_runs.h"
#include "model/constraint_kind.h"
#include "model/hash.h"
#include "model/limits.h"
#include "model/method.h"
#include "model/scene.h"
#include "world/device.h"
#include "world/energy.h"
#include "world/forces.h"
#include "world/sleep.h"
#include "world/window.h"

const cab_constraint_kind cab_twist_kind;

static cab_status check(const cab_scene *scene, const cab_method_traits *method, cab_error *error)
{
    for (int i = 0; i < scene->material_count; i++) {
        const cab_material_def *m = &scene->materials[i];
        double gj = m->twisting_stiffness;
        if (gj == 0) continue;
        if (method->rule != CAB_RULE_DIRECT)
            return cab_method_refuse_material(scene, i, "twisting_stiffness",
                                              "simulate torsion, but \"direct\" does", "0", gj, error);
    }
    return CAB_OK;
}

bool cab_model_twists(const cab_model *model)
{
    return model->twist_run_count + model->director_run_count > 0;
}

static void hash(const cab_model *m, uint64_t *hash)
{
    if (m->twist_hold_count == 0) return;
    cab_hash_integer(hash, m->twist_hold_count);
    for (int k = 0; k < m->twist_hold_count; k++) cab_hash_integer(hash, m->twist_hold[k].node);
}

static void free_model(cab_model *m)
{
    CAB_FREE(m->twist_place, m->twist_chain, m->twist_hold, m->twist_run, m->twist_link, m->node_twist);
}

static bool has_tables(const cab_model *m)
{
    return m->twist_hold_count + m->director_cable_count > 0;
}

static void set_parameters(cab_model *m)
{
    if (has_tables(m)) cab_twist_list(m);
    cab_twist_share(m);
}

/* ---- the world ---- */

/* A clamp that the user has rolled: in this frame, at first and at last, rad about the tangent of its cable. */
typedef struct cab_roll_set {
    float on; /* 1; 0: it follows the scene */
    float from, to;
    float unused;
} cab_roll_set;

typedef struct cab_twist_data {
    float *roll;       /* [substeps][holds] in the window, about the tangents of chains; */
    float *spin;       /* the same, the changes of it */
    bool spins;        /* some of these are not 0 */
    int rows;          /* so many substeps are filled */
    float4 *now;       /* [cab_twist_rows()] the buffer `twist`, as the energy was last read */
    cab_roll_set *set; /* [holds] */
    bool stale;        /* that has to be read from its buffer */
} cab_twist_data;

static void free_data(void *data)
{
    cab_twist_data *d = data;
    CAB_FREE(d->roll, d->spin, d->now, d->set);
}

static cab_status read_set(cab_world *world, cab_error *error)
{
    cab_twist_data *data = cab_kind_data(world, &cab_twist_kind);
    size_t bytes = (size_t)world->model->twist_hold_count * sizeof *data->set;
    if (!data->stale || bytes == 0) return CAB_OK;
    data->stale = false;
    return cab_world_fetch(world, CAB_BUFFER_twist_set, 0, bytes, data->set, error);
}

/* Does a clamp roll in this frame? */
static bool rolls(const cab_world *world, const cab_roll_set *set, int hold)
{
    const cab_model *m = world->model;
    if (set->on != 0) return set->from != set->to;
    return cab_model_attachment_def(m, m->twist_hold[hold].attachment)->roll_keyframe_count > 0;
}

/* The roll of a clamp in row `row` of the window; part: 0 at its start, 1 at its end. */
static double roll_in(const cab_world *world, const cab_roll_set *set, int hold, int row, double part)
{
    if (set->on == 0)
        return cab_twist_roll(world->model, &world->model->twist_hold[hold],
                              cab_window_time(world, row, part));
    double over = cab_window_part(world, row, part);
    return cab_twist_roll_along(&world->model->twist_hold[hold],
                                (double)set->from + over * ((double)set->to - (double)set->from));
}

/* As the last frame has ended. */
double cab_twist_roll_now(const cab_world *world, int hold)
{
    const cab_twist_data *data = cab_kind_data(world, &cab_twist_kind);
    const cab_model *m = world->model;
    if (data->set[hold].on != 0)
        return cab_twist_roll_along(&m->twist_hold[hold], (double)data->set[hold].from);
    return cab_twist_roll(m, &m->twist_hold[hold], world->frame / m->settings.frame_rate);
}

cab_status cab_twist_read_rolls(cab_world *world, double *roll, cab_error *error)
{
    cab_status status = read_set(world, error);
    for (int k = 0; status == CAB_OK && k < world->model->twist_hold_count; k++)
        roll[k] = cab_twist_roll_now(world, k);
    return status;
}

/* The segments of runs that each particle belongs to. */
static cab_status list_items(const cab_model *m, int *start, int *item, cab_error *error)
{
    int *next;
    cab_status status = CAB_NEW(next, m->particle_count, error);
    if (status != CAB_OK) return status;
    for (int k = 0; k < m->twist_link_count; k++) {
        start[m->twist_link[k].a + 1]++;
        start[m->twist_link[k].b + 1]++;
    }
    for (int p = 0; p < m->particle_count; p++) {
        start[p + 1] += start[p];
        next[p] = start[p];
    }
    for (int k = 0; k < m->twist_link_count; k++) {
        item[next[m->twist_link[k].a]++] = 2 * k;
        item[next[m->twist_link[k].b]++] = 2 * k + 1;
    }
    CAB_FREE(next);
    return CAB_OK;
}

static void fill_frames(const cab_model *m, float4 *frame)
{
    for (int k = 0; k < m->twist_hold_count; k++) {
        cab_vec3 t = m->twist_hold[k].direction, d = m->twist_hold[k].director;
        frame[2 * k] = (float4){(float)t.x, (float)t.y, (float)t.z, 0};
        frame[2 * k + 1] = (float4){(float)d.x, (float)d.y, (float)d.z, 0};
    }
}

static cab_status upload(cab_world *world, cab_error *error)
{
    cab_model *m = world->model;
    int *start, *item = NULL;
    world->params.twist_holds = m->twist_hold_count;
    if (!has_tables(m)) return CAB_OK;
    cab_twist_list(m);
    cab_twist_share(m);
    size_t p = (size_t)m->particle_count + 1, links = (size_t)m->twist_link_count;
    cab_status status = CAB_NEW(start, p, error);
    if (status == CAB_OK) status = CAB_NEW(item, 2 * links, error);
    if (status == CAB_OK) status = list_items(m, start, item, error);
    const cab_table tables[] = {
        {CAB_BUFFER_twist_pull, NULL, links, sizeof(float4)},
        {CAB_BUFFER_twist_couple, NULL, 2 * (size_t)m->twist_hold_count, sizeof(float4)},
        {CAB_BUFFER_twist_run, m->twist_run, (size_t)m->twist_run_count, sizeof *m->twist_run},
        {CAB_BUFFER_twist_link, m->twist_link, links, sizeof *m->twist_link},
        {CAB_BUFFER_twist_start, start, p, sizeof *start},
        {CAB_BUFFER_twist_item, item, 2 * links, sizeof *item},
    };
    if (status == CAB_OK) status = CAB_UPLOAD(world, tables, error);
    CAB_FREE(start, item);
    return status;
}

static void put3(float *slots, int width, int slot, cab_vec3 v)
{
    slots[slot * width] = (float)v.x;
    slots[(slot + 1) * width] = (float)v.y;
    slots[(slot + 2) * width] = (float)v.z;
}

int *cab_twist_runs_of_cables(const cab_model *m, cab_error *error)
{
    int *run;
    if (CAB_NEW(run, m->cable_count, error) != CAB_OK) return NULL;
    for (int c = 0; c < m->cable_count; c++) run[c] = -1;
    for (int k = 0; k < m->twist_run_count; k++) run[m->twist_hold[m->twist_run[k].start].cable] = k;
    return run;
}

void cab_twist_fill_lane(const cab_model *m, int run, int first_hold, float *tiles, int lane, int width)
{
    float *slots = tiles + (size_t)(lane / width) * CAB_TWIST_SLOTS * (size_t)width + lane % width;
    slots[CAB_TWIST_MOST * width] = 1; /* a cable that does not resist: its moment is 0, not limited, */
    slots[CAB_TWIST_LAST * width] = CAB_TWIST_NEVER; /* and its end is not looked for */
    if (run < 0) return;
    const cab_twist_run *r = &m->twist_run[run];
    put3(slots, width, CAB_TWIST_START, m->twist_hold[r->start].direction);
    put3(slots, width, CAB_TWIST_START + 3, m->twist_hold[r->start].director);
    put3(slots, width, CAB_TWIST_END, m->twist_hold[r->end].direction);
    put3(slots, width, CAB_TWIST_END + 3, m->twist_hold[r->end].director);
    slots[CAB_TWIST_STIFF * width] = r->stiffness;
    slots[CAB_TWIST_MOST * width] = r->most;
    slots[CAB_TWIST_LAST * width] = (float)r->count;
    slots[CAB_TWIST_HOLD * width] = (float)(first_hold + r->start);
}

cab_status cab_twist_upload_tiles(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_tiles *t = &world->lanes.tiles;
    int width = world->backend->tile_width, lanes = t->count * width;
    float *slots = NULL;
    if (!cab_model_twists(m)) return CAB_OK;
    int *run = cab_twist_runs_of_cables(m, error);
    size_t count = CAB_TWIST_SLOTS * (size_t)lanes;
    cab_status status = run ? CAB_NEW(slots, count, error) : CAB_ERROR_MEMORY;
    for (int i = 0; status == CAB_OK && i < lanes; i++) {
        int c = t->tile_chain[i];
        cab_twist_fill_lane(m, run[c < 0 ? ~c : c], 0, slots, i, width);
    }
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_tile_twist, slots, count, sizeof *slots, error);
    CAB_FREE(run, slots);
    return status;
}

static cab_status start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_twist_data *data = cab_kind_data(world, &cab_twist_kind);
    size_t holds = (size_t)m->twist_hold_count, rolls = holds * (size_t)m->settings.substeps;
    float4 *frame;
    if (!has_tables(m)) return CAB_OK;
    cab_status status = CAB_NEW(frame, 2 * holds, error);
    if (status == CAB_OK) status = CAB_NEW(data->roll, rolls, error);
    if (status == CAB_OK) status = CAB_NEW(data->spin, rolls, error);
    if (status == CAB_OK) status = CAB_NEW(data->now, cab_twist_rows(m), error);
    if (status == CAB_OK) status = CAB_NEW(data->set, holds, error);
    if (status == CAB_OK) {
        fill_frames(m, frame);
        status = cab_world_upload(world, CAB_BUFFER_twist_frame, frame, 2 * holds, sizeof *frame, error);
    }
    CAB_FREE(frame);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_twist_roll, NULL, rolls, sizeof *data->roll, error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_twist_spin, data->spin, rolls, sizeof *data->spin, error);
    if (status == CAB_OK)
        status = cab_world_upload_kept(world, "twist", CAB_BUFFER_twist, NULL, (size_t)cab_twist_rows(m),
                                       sizeof(float4), error);
    cab_world_keep(world, CAB_BUFFER_twist_couple, "couples", 2 * holds, sizeof(float4));
    return status == CAB_OK ? cab_world_upload_kept(world, "rolled", CAB_BUFFER_twist_set, NULL, holds,
                                                    sizeof *data->set, error)
                            : status;
}

/* What is beside a clamp moves when it rolls. */
static void disturb(cab_world *world, int hold)
{
    const cab_model *m = world->model;
    for (int node = hold - 1; node <= hold + 1; node += 2)
        if (node >= 0 && node < m->node_count) cab_sleep_disturb(world, m->node_particle[node]);
}

/* Fills the rows of a clamp. Returns whether anything in them is new. */
static bool fill_rolls(cab_world *world, cab_twist_data *data, int hold)
{
    const cab_roll_set *set = &data->set[hold];
    size_t holds = (size_t)world->model->twist_hold_count;
    int rows = world->window.count;
    float *roll = data->roll + hold;
    bool moves = rolls(world, set, hold), new = data->rows < rows;
    float now = (float)roll_in(world, set, hold, 0, 1);
    for (int k = 0; k < rows; k++) {
        if (moves) now = (float)roll_in(world, set, hold, k, 1);
        new = new || roll[(size_t)k * holds] != now;
        roll[(size_t)k * holds] = now;
    }
    return new;
}

/* By how much clamps are rolled in each substep, for damping alone. */
static cab_status spin(cab_world *world, cab_twist_data *data, cab_error *error)
{
    size_t holds = (size_t)world->model->twist_hold_count, rows = (size_t)world->window.count;
    bool any = false;
    if (!cab_model_damps_bending(world->model)) return CAB_OK;
    for (size_t i = 0; i < rows * holds; i++) {
        float before = i < holds ? (float)roll_in(world, &data->set[i], (int)i, 0, 0) : data->roll[i - holds];
        data->spin[i] = data->roll[i] - before;
        any = any || data->spin[i] != 0;
    }
    if (!any && !data->spins) return CAB_OK;
    data->spins = any;
    return world->backend->ops->write(world->backend, CAB_BUFFER_twist_spin, 0,
                                      rows * holds * sizeof *data->spin, data->spin, error);
}

/* Where no clamp rolls the rows stay as they are. */
static cab_status begin_window(cab_world *world, cab_error *error)
{
    cab_twist_data *data = cab_kind_data(world, &cab_twist_kind);
    const cab_model *m = world->model;
    bool new = false;
    cab_status status = read_set(world, error);
    for (int i = 0; status == CAB_OK && i < m->twist_hold_count; i++) {
        float before = data->roll[i];
        if (!fill_rolls(world, data, i)) continue;
        new = true;
        if (rolls(world, &data->set[i], i) || before != data->roll[i]) {
            world->judging.driven = true;
            disturb(world, m->twist_hold[i].node);
        }
    }
    if (status == CAB_OK) status = spin(world, data, error);
    if (!new || status != CAB_OK) return status;
    data->rows = world->window.count;
    size_t bytes = (size_t)data->rows * (size_t)m->twist_hold_count * sizeof *data->roll;
    return world->backend->ops->write(world->backend, CAB_BUFFER_twist_roll, 0, bytes, data->roll, error);
}

static cab_status write_set(cab_world *world, cab_error *error)
{
    const cab_twist_data *data = cab_kind_data(world, &cab_twist_kind);
    size_t bytes = (size_t)world->model->twist_hold_count * sizeof *data->set;
    return world->backend->ops->write(world->backend, CAB_BUFFER_twist_set, 0, bytes, data->set, error);
}

static cab_status end_frame(cab_world *world, cab_error *error)
{
    cab_twist_data *data = cab_kind_data(world, &cab_twist_kind);
    bool any = false;
    for (int i = 0; i < world->model->twist_hold_count; i++) {
        any = any || data->set[i].from != data->set[i].to;
        data->set[i].from = data->set[i].to;
    }
    return any ? write_set(world, error) : CAB_OK;
}

/* A state is put in: its buffers come later. */
static cab_status resume(cab_world *world, cab_error *error)
{
    cab_twist_data *data = cab_kind_data(world, &cab_twist_kind);
    (void)error;
    data->stale = true;
    return CAB_OK;
}

static cab_status go_on(cab_world *world, cab_world *from, cab_error *error)
{
    const cab_model *m = world->model, *n = from->model;
    float4 *twist = NULL;
    cab_roll_set *set = NULL;
    size_t count = (size_t)m->twist_hold_count, rows = (size_t)cab_twist_rows(m);
    if (rows == 0 || n->twist_hold_count != m->twist_hold_count || cab_twist_rows(n) != cab_twist_rows(m))
        return CAB_OK;
    for (size_t i = 0; i < count; i++)
        if (m->twist_hold[i].node != n->twist_hold[i].node) return CAB_OK;
    cab_status status = CAB_READ_NEW(from, CAB_BUFFER_twist, twist, rows, error);
    if (status == CAB_OK) status = CAB_READ_NEW(from, CAB_BUFFER_twist_set, set, count, error);
    for (size_t i = 0; status == CAB_OK && i < rows; i++) twist[i].w = 0; /* it is judged anew */
    if (status == CAB_OK)
        status = cab_world_put(world, CAB_BUFFER_twist, 0, rows * sizeof *twist, twist, error);
    if (status == CAB_OK)
        status = cab_world_put(world, CAB_BUFFER_twist_set, 0, count * sizeof *set, set, error);
    CAB_FREE(twist, set);
    return status == CAB_OK ? resume(world, error) : status;
}

cab_status cab_world_set_roll(cab_world *world, int attachment, double roll, cab_error *error)
{
    cab_twist_data *data = cab_kind_data(world, &cab_twist_kind);
    const cab_model *m = world->model;
    int found = 0;
    if (!cab_limit_holds(CAB_LIMIT_ROTATION, roll))
        return cab_fail(error, CAB_ERROR_INPUT, "/attachments/%d/roll: expected a finite number of radians",
                        attachment);
    cab_status status = read_set(world, error);
    for (int i = 0; status == CAB_OK && i < m->twist_hold_count; i++) {
        const cab_model_attachment *a = &m->attachments[m->twist_hold[i].attachment];
        if (a->scene_attachment != attachment || a->broken) continue;
        double now = cab_twist_roll_along(&m->twist_hold[i], cab_twist_roll_now(world, i));
        data->set[i] = (cab_roll_set){1, (float)now, (float)roll, 0};
        found++;
    }
    if (status != CAB_OK) return status;
    if (found == 0)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "/attachments/%d/roll: no clamp belongs to it that holds the roll of a cable",
                        attachment);
    return write_set(world, error);
}

static cab_status predicted(cab_world *world, int substep, cab_error *error)
{
    const cab_model *m = world->model;
    if (m->twist_run_count == 0) return CAB_OK;
    return cab_world_run(world, CAB_STAGE_BENDING, CAB_KERNEL_direct_twist, 0, m->twist_run_count,
                         substep * m->twist_hold_count, 0, error);
}

cab_status cab_twist_force(cab_world *world, cab_error *error)
{
    if (!cab_model_twists(world->model)) return CAB_OK;
    return cab_world_run(world, CAB_STAGE_ATTACH, CAB_KERNEL_twist_force, 0, world->forces.watch_count,
                         cab_forces_argument(world), 0, error);
}

cab_status cab_twist_bend(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    if (!cab_model_twists(m)) return CAB_OK;
    return cab_world_run(world, CAB_STAGE_BENDING, CAB_KERNEL_twist_bend, 0, m->particle_count, 0, 0, error);
}

/* ---- what is told ---- */

static cab_status read_energy(cab_world *world, cab_error *error)
{
    cab_twist_data *data = cab_kind_data(world, &cab_twist_kind);
    size_t bytes = (size_t)cab_twist_rows(world->model) * sizeof *data->now;
    cab_status status = read_set(world, error);
    if (status != CAB_OK) return status;
    return cab_model_twists(world->model)
               ? cab_world_fetch(world, CAB_BUFFER_twist, 0, bytes, data->now, error)
               : CAB_OK;
}

/* Phi of a run, rad. */
static double angle_of(const cab_world *world, const cab_twist_run *run)
{
    const cab_twist_data *data = cab_kind_data(world, &cab_twist_kind);
    double rolled = cab_twist_roll_now(world, run->end) - cab_twist_roll_now(world, run->start);
    return rolled + cab_twist_turned_of(run, data->now);
}

const float *cab_twist_rolls(const cab_world *world)
{
    const cab_twist_data *data = cab_kind_data(world, &cab_twist_kind);
    return data->roll;
}

const float4 *cab_twist_read(const cab_world *world)
{
    const cab_twist_data *data = cab_kind_data(world, &cab_twist_kind);
    return data->now;
}

/* The work of the moment; beyond the largest one that stays the same. */
double cab_twist_stored(double k, double most, double phi)
{
    double moment = k * fabs(phi);
    return moment <= most ? 0.5 * moment * fabs(phi) : most * (fabs(phi) - 0.5 * most / k);
}

static void add_energy(const cab_world *world, const int *part, cab_energy *energy)
{
    const cab_model *m = world->model;
    for (int k = 0; k < m->twist_run_count; k++) {
        const cab_twist_run *run = &m->twist_run[k];
        const cab_twist_link *first = &m->twist_link[run->first];
        int owner = m->held[first->a] < 0 ? first->a : first->b;
        double phi = angle_of(world, run),
               stored = cab_twist_stored((double)run->stiffness, (double)run->most, phi);
        cab_energy *e = part ? &energy[part[owner]] : energy;
        e->potential += stored;
        e->springs += stored;
    }
}

/* w: cab_twist_worst() */
static void compare_worst(cab_twist_beyond *worst, int cable, double w, double most)
{
    double figure = fabs(w);
    if ((w >= 0 && w <= 1) || (worst->cable >= 0 && figure <= worst->figure)) return;
    *worst = (cab_twist_beyond){cable, figure, most, w < 0};
}

bool cab_twist_find_beyond(const cab_world *world, cab_twist_beyond *worst)
{
    const cab_twist_data *data = cab_kind_data(world, &cab_twist_kind);
    const cab_model *m = world->model;
    *worst = (cab_twist_beyond){.cable = -1};
    for (int k = 0; k < m->twist_run_count; k++) {
        const cab_twist_run *run = &m->twist_run[k];
        compare_worst(worst, m->twist_hold[run->start].cable, (double)data->now[run->start].w,
                      (double)run->most);
    }
    for (int k = 0, c = 0; k < m->director_run_count; k++) {
        const cab_director_run *run = &m->director_run[k];
        while (c + 1 < m->director_cable_count && m->director_cable[c + 1].first_node <= run->node) c++;
        int cable = m->director_cable[c].cable;
        for (int i = 0; i <= run->count; i++)
            compare_worst(worst, cable,
                          (double)data->now[m->twist_hold_count + 2 * (run->node + i) + (i == 0)].w,
                          (double)run->most);
    }
    return worst->cable >= 0;
}

static void give_torque(const cab_model *m, const float4 *twist, double *torque)
{
    for (int c = 0; c < m->cable_count; c++) {
        const cab_body *body = &m->bodies[c];
        const cab_director_cable *own = cab_director_cable_of(m, c);
        for (int node = body->first_node; node < body->first_node + body->node_count; node++) {
            int row = own ? cab_director_row(m, own, node) : cab_twist_row(m, node);
            if (row >= 0) torque[node] = (double)twist[row].z;
        }
    }
}

cab_status cab_world_read_torque(cab_world *world, double *torque, cab_error *error)
{
    const cab_model *m = world->model;
    float4 *twist = NULL;
    for (int i = 0; i < m->node_count; i++) torque[i] = 0;
    if (!cab_model_twists(m)) return CAB_OK;
    cab_status status = CAB_NEW(twist, cab_twist_rows(m), error);
    if (status == CAB_OK)
        status = cab_world_fetch(world, CAB_BUFFER_twist, 0, (size_t)cab_twist_rows(m) * sizeof *twist, twist,
                                 error);
    if (status == CAB_OK) give_torque(m, twist, torque);
    CAB_FREE(twist);
    return status;
}

const cab_constraint_kind cab_twist_kind = {.name = "twist",
                                            .check = check,
                                            .present = cab_model_twists,
                                            .ways = 1u << CAB_WAY_STAGED | 1u << CAB_WAY_LANES,
                                            .refusal = "cables resist twisting",
                                            .draft = cab_twist_draft,
                                            .set_parameters = set_parameters,
                                            .hash = hash,
                                            .free_model = free_model,
                                            .data_size = sizeof(cab_twist_data),
                                            .start = start,
                                            .whole_frames = true,
                                            .upload = upload,
                                            .free_data = free_data,
                                            .resume = resume,
                                            .go_on = go_on,
                                            .read_energy = read_energy,
                                            .add_energy = add_energy,
                                            .begin_window = begin_window,
                                            .end_frame = end_frame,
                                            .begin = cab_rigid_twist_lead,
                                            .predicted = predicted};

/* The state of a world between two frames: all that the next frame depends on and that the scene does not
 * tell. What follows from that is made again: masses and constants from the materials, topology by breaking
 * again what broke, candidate lists from the places that they were made at.
 */
#include "world/state.h"

#include <math.h>
#include <string.h>

#include "model/scene.h"
#include "world/lists.h"
#include "world/state_bytes.h"

#define TABLE_SIZE 20

typedef struct state_numbers {
    int32_t way; /* cab_way */
    int32_t frame, substeps;
    int32_t first_order;         /* of the ways lanes and cyclic */
    int32_t materials_changed;   /* how many attachments had broken by then; -1 = never changed */
    int32_t listed, fresh_lists; /* candidate lists */
    int32_t contacts, contacts_max, rebuilds, calm;
    int32_t iterations_max;
    int64_t iterations;
    int32_t chunks; /* of the way chunks: their number decides the order of sums */
    int32_t unused;
    double gravity[3], wind[3];
    double stretch_max, stretch_mean, stretch_worst, penetration_max, penetration_worst, speed_max;
    double skin, near_skin, list_mean[3], last_step;
    double collider_step, collider_way;
    float drift[3], sway[3];
} state_numbers;

typedef struct state_material {
    double linear_density, stretching_stiffness, bending_stiffness, twisting_stiffness;
    double damping, air_drag, air_drag_along, friction, min_bend_radius;
} state_material;

typedef struct state_broken {
    int32_t attachment; /* of the model */
    int32_t released;
    int32_t frame, unused;
    double force; /* N */
} state_broken;

typedef struct state_moving {
    int32_t attachment; /* of the model */
    int32_t by_user;
    double from[3], to[3];
} state_moving;

typedef struct state_mated {
    int32_t attachment; /* of the model */
    int32_t frame;
    double from[3];
} state_mated;

typedef struct state_load {
    int32_t by_user, unused;
    double force[3]; /* N */
} state_load;

typedef struct state_collider {
    int32_t by_user, unused;
    double from[7], to[7]; /* place, quaternion w, x, y, z */
} state_collider;

_Static_assert(sizeof(state_collider) == 120 && sizeof(state_load) == 32, "as in docs/formats.md");
_Static_assert(sizeof(state_numbers) == 248 && sizeof(state_material) == 72 && sizeof(state_moving) == 56 &&
                   sizeof(state_broken) == 24 && sizeof(state_mated) == 32,
               "as in docs/formats.md");

/* A buffer of the device. */
typedef struct state_buffer {
    const char *tag;
    cab_buffer id;
    size_t count, size;
} state_buffer;

/* What is read from a file, checked as far as can be before anything is changed. */
typedef struct state_view {
    const state_numbers *numbers;
    const state_material *material;
    const state_broken *broken;
    const state_moving *moving;
    const double (*place)[3]; /* of the attachments */
    const state_collider *collider;
    const state_mated *mated;
    const state_load *load;
    size_t broken_count, moving_count, mated_count;
} state_view;

static void take_vector(double out[3], cab_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static void take_pose(double out[7], const cab_pose *pose)
{
    take_vector(out, pose->position);
    memcpy(out + 3, pose->rotation, sizeof pose->rotation);
}

static cab_pose pose_of(const double from[7])
{
    return (cab_pose){{from[0], from[1], from[2]}, {from[3], from[4], from[5], from[6]}};
}

static cab_vec3 vector_of(const double v[3])
{
    return (cab_vec3){v[0], v[1], v[2]};
}

/* Where the candidate lists were made. */
static int list_references(const cab_world *world, state_buffer table[TABLE_SIZE])
{
    const cab_contact_state *c = &world->contact;
    size_t p = (size_t)world->model->particle_count;
    int n = 0;
    if (c->cables && c->listed)
        table[n++] = (state_buffer){"pairs-at", CAB_BUFFER_reference, p, sizeof(float4)};
    if (c->colliders && c->listed)
        table[n++] = (state_buffer){"near-at", CAB_BUFFER_near_reference, p, sizeof(float4)};
    return n;
}

/* The other buffers that a frame leaves to the next. */
static int list_buffers(const cab_world *world, state_buffer table[TABLE_SIZE])
{
    const cab_model *m = world->model;
    const cab_contact_state *c = &world->contact;
    const cab_branches *b = &world->branches;
    size_t p = (size_t)m->particle_count, s = (size_t)m->segment_count;
    bool staged = world->way == CAB_WAY_STAGED, direct = m->settings.method == CAB_METHOD_DIRECT;
    int n = 0;
    table[n++] = (state_buffer){"position", CAB_BUFFER_position, p, sizeof(float4)};
    table[n++] = (state_buffer){"residual", CAB_BUFFER_residual, p, sizeof(float4)};
    table[n++] = (state_buffer){"velocity", CAB_BUFFER_velocity, p, sizeof(float4)};
    table[n++] =
        (state_buffer){"lambda", CAB_BUFFER_distance_lambda, (size_t)m->distance_count, sizeof(float)};
    if (direct) {
        table[n++] = (state_buffer){"step", CAB_BUFFER_step, 3 * p, sizeof(float4)};
        table[n++] = (state_buffer){"slow", CAB_BUFFER_slow, (size_t)m->node_count, sizeof(float)};
    }
    if (staged) {
        size_t components = (size_t)b->component_count, branches = (size_t)b->branch_count;
        table[n++] = (state_buffer){"order", CAB_BUFFER_order, components, sizeof(int32_t)};
        table[n++] = (state_buffer){"branch", CAB_BUFFER_branch_slow, branches, sizeof(float4)};
    }
    if (world->guide_count > 0)
        table[n++] =
            (state_buffer){"guide", CAB_BUFFER_guide_state, (size_t)world->guide_count, sizeof(float4)};
    if (c->cables) table[n++] = (state_buffer){"overlap", CAB_BUFFER_start_overlap, s, sizeof(float)};
    if (c->colliders)
        table[n++] = (state_buffer){"overlapc", CAB_BUFFER_start_overlap_collider, s, sizeof(float)};
    if (c->cables && c->listed) {
        size_t pairs = (size_t)world->params.pair_count;
        table[n++] = (state_buffer){"wander", CAB_BUFFER_wander, s, sizeof(float)};
        table[n++] = (state_buffer){"rod", CAB_BUFFER_rod, CAB_ROD_SIZE * s, sizeof(float4)};
        table[n++] = (state_buffer){"limit", CAB_BUFFER_pair_limit, pairs, sizeof(float)};
    }
    return n;
}

static void pack_numbers(const cab_world *world, cab_state_writer *writer)
{
    const cab_measures *e = &world->measures;
    const cab_contact_state *c = &world->contact;
    const cab_params *p = &world->params;
    state_numbers *n = cab_state_add(writer, "numbers", 1, sizeof *n);
    if (!n) return;
    *n = (state_numbers){.way = (int32_t)world->way,
                         .frame = world->frame,
                         .substeps = world->substeps,
                         .first_order = world->first_order,
                         .materials_changed = world->materials_changed,
                         .listed = c->listed,
                         .fresh_lists = c->fresh,
                         .contacts = e->contacts,
                         .contacts_max = e->contacts_max,
                         .rebuilds = e->rebuilds,
                         .calm = e->calm,
                         .iterations_max = e->iterations_max,
                         .iterations = world->iterations,
                         .chunks = world->way == CAB_WAY_CHUNKS ? cab_chunks_count(world) : 0,
                         .stretch_max = e->stretch_max,
                         .stretch_mean = e->stretch_mean,
                         .stretch_worst = e->stretch_worst,
                         .penetration_max = e->penetration_max,
                         .penetration_worst = e->penetration_worst,
                         .speed_max = e->speed_max,
                         .skin = c->skin,
                         .near_skin = c->near_skin,
                         .list_mean = {c->mean[0], c->mean[1], c->mean[2]},
                         .last_step = c->last_step,
                         .collider_step = c->collider_step,
                         .collider_way = c->collider_way,
                         .drift = {p->drift_x, p->drift_y, p->drift_z},
                         .sway = {p->sway_x, p->sway_y, p->sway_z}};
    take_vector(n->gravity, world->model->settings.gravity);
    take_vector(n->wind, world->model->settings.wind);
}

static state_material material_of(const cab_material_def *def)
{
    return (state_material){def->linear_density,    def->stretching_stiffness,
                            def->bending_stiffness, def->twisting_stiffness,
                            def->damping,           def->air_drag,
                            def->air_drag_along,    def->friction,
                            def->min_bend_radius};
}

static bool has_connectors(const cab_model *m)
{
    for (int i = 0; i < m->attachment_count; i++) {
        if (cab_model_attachment_def(m, i)->part == CAB_PART_CONNECTOR) return true;
    }
    return false;
}

/* Connectors that have latched on the way. */
static bool has_mated(const cab_model_attachment *a)
{
    return a->mated && a->mated_frame > 0;
}

static void pack_mated(const cab_world *world, cab_state_writer *writer)
{
    const cab_model *m = world->model;
    size_t count = 0;
    if (!has_connectors(m)) return;
    for (int i = 0; i < m->attachment_count; i++) count += has_mated(&m->attachments[i]);
    state_mated *mated = cab_state_add(writer, "mated", count, sizeof *mated);
    for (int i = 0; mated && i < m->attachment_count; i++) {
        const cab_model_attachment *a = &m->attachments[i];
        if (!has_mated(a)) continue;
        mated->attachment = i;
        mated->frame = a->mated_frame;
        take_vector(mated->from, a->mate_from);
        mated++;
    }
}

/* What the host knows and the device does not. */
static void pack_host(const cab_world *world, cab_state_writer *writer)
{
    const cab_model *m = world->model;
    size_t materials = (size_t)m->scene->material_count, attachments = (size_t)m->attachment_count;
    state_material *material = cab_state_add(writer, "material", materials, sizeof *material);
    for (size_t i = 0; material && i < materials; i++) material[i] = material_of(&m->scene->materials[i]);
    state_broken *broken = cab_state_add(writer, "broken", (size_t)world->broken_count, sizeof *broken);
    for (int i = 0; broken && i < world->broken_count; i++) {
        const cab_broken *from = &world->broken[i];
        broken[i] = (state_broken){from->attachment, from->released, from->frame, 0, from->force};
    }
    double(*place)[3] = cab_state_add(writer, "place", attachments, sizeof *place);
    for (size_t i = 0; place && i < attachments; i++) take_vector(place[i], m->attachments[i].place);
    state_moving *moving = cab_state_add(writer, "moving", (size_t)world->moving_count, sizeof *moving);
    for (int i = 0; moving && i < world->moving_count; i++) {
        const cab_moving *from = &world->moving[i];
        moving[i] = (state_moving){.attachment = from->attachment, .by_user = from->by_user};
        take_vector(moving[i].from, from->from);
        take_vector(moving[i].to, from->to);
    }
    state_collider *collider = cab_state_add(writer, "collider", (size_t)m->collider_count, sizeof *collider);
    for (int i = 0; collider && i < m->collider_count; i++) {
        const cab_collider_motion *from = &world->collider_motion[i];
        collider[i] = (state_collider){.by_user = from->by_user};
        take_pose(collider[i].from, &from->from);
        take_pose(collider[i].to, &from->to);
    }
    pack_mated(world, writer);
    state_load *load = cab_state_add(writer, "load", (size_t)m->scene->load_count, sizeof *load);
    for (int i = 0; load && i < m->scene->load_count; i++) {
        load[i].by_user = cab_world_load_is_set(world, i);
        if (load[i].by_user) take_vector(load[i].force, m->scene->loads[i].force);
    }
}

static void pack_buffers(cab_world *world, const state_buffer *table, int count, cab_state_writer *writer)
{
    for (int i = 0; i < count; i++) {
        const state_buffer *b = &table[i];
        void *data = cab_state_add(writer, b->tag, b->count, b->size);
        if (!data || b->count == 0) continue;
        writer->status =
            world->backend->ops->read(world->backend, b->id, 0, b->count * b->size, data, writer->error);
    }
}

static cab_status check_kept(const cab_world *world, cab_error *error)
{
    const cab_scene *scene = world->model->scene;
    if (world->model->pull.on)
        return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                        "%s: a state does not tell what a hand pulls at; let go first", scene->source);
    if (!world->model->settings.contact.sleep) return CAB_OK;
    return cab_fail(
        error, CAB_ERROR_UNSUPPORTED,
        "%s: /contact/sleep: a state does not tell who slept when pairs were listed; expected false "
        "where states are kept",
        scene->source);
}

cab_status cab_world_pack(cab_world *world, void **state, size_t *size, cab_error *error)
{
    state_buffer table[TABLE_SIZE];
    cab_state_writer writer;
    if (world->failed) return cab_fail(error, CAB_ERROR_DEVICE, "the world has failed before: no state");
    cab_status status = check_kept(world, error);
    if (status != CAB_OK) return status;
    cab_state_begin(&writer, error);
    pack_numbers(world, &writer);
    pack_host(world, &writer);
    pack_buffers(world, table, list_references(world, table), &writer);
    pack_buffers(world, table, list_buffers(world, table), &writer);
    return cab_state_end(&writer, world->scene_hash, state, size);
}

/* Coloured and fused give the same bits, the others do not. */
static bool same_bits(cab_way a, cab_way b)
{
    bool a_may = a == CAB_WAY_COLOURED || a == CAB_WAY_FUSED;
    bool b_may = b == CAB_WAY_COLOURED || b == CAB_WAY_FUSED;
    return a == b || (a_may && b_may);
}

static bool all_finite(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) return false;
    }
    return true;
}

static cab_status check_numbers(const state_view *view, cab_state_reader *reader)
{
    const state_numbers *n = view->numbers;
    int broken = (int)view->broken_count;
    bool right = n->frame >= 0 && n->substeps >= 0 && n->way > CAB_WAY_AUTO && n->way < CAB_WAY_COUNT &&
                 n->materials_changed >= -1 && n->materials_changed <= broken && all_finite(n->gravity, 3) &&
                 all_finite(n->wind, 3) && n->skin >= 0 && isfinite(n->skin) && n->near_skin >= 0 &&
                 isfinite(n->near_skin);
    if (!right) return cab_state_refuse(reader, "a number is out of range");
    return CAB_OK;
}

/* What has broken here must be how it began there; the rest must be able to break. */
static cab_status check_broken(const cab_world *world, const state_view *view, cab_state_reader *reader)
{
    const cab_model *m = world->model;
    if ((size_t)world->broken_count > view->broken_count)
        return cab_state_refuse(reader, "attachments have broken in this world that are whole in the state");
    for (int i = 0; i < world->broken_count; i++) {
        if (view->broken[i].attachment != world->broken[i].attachment)
            return cab_state_refuse(reader, "other attachments have broken in this world than in the state");
    }
    for (size_t i = (size_t)world->broken_count; i < view->broken_count; i++) {
        int a = view->broken[i].attachment;
        bool can =
            a >= 0 && a < m->attachment_count && !m->attachments[a].broken && cab_model_can_break(m, a);
        for (size_t k = 0; can && k < i; k++) can = view->broken[k].attachment != a;
        if (!can) return cab_state_refuse(reader, "an attachment is broken that cannot break");
    }
    return CAB_OK;
}

static cab_status check_moving(const cab_world *world, const state_view *view, cab_state_reader *reader)
{
    const cab_model *m = world->model;
    for (size_t i = 0; i < view->moving_count; i++) {
        const state_moving *moving = &view->moving[i];
        int a = moving->attachment;
        bool can = a >= 0 && a < m->attachment_count && !m->attachments[a].joint &&
                   all_finite(moving->from, 3) && all_finite(moving->to, 3);
        for (size_t k = 0; can && k < i; k++) can = view->moving[k].attachment != a;
        for (size_t k = 0; can && k < view->broken_count; k++) can = view->broken[k].attachment != a;
        if (!can) return cab_state_refuse(reader, "an attachment moves that cannot move");
    }
    return CAB_OK;
}

static cab_status check_mated(const cab_world *world, const state_view *view, cab_state_reader *reader)
{
    const cab_model *m = world->model;
    for (size_t i = 0; i < view->mated_count; i++) {
        const state_mated *mated = &view->mated[i];
        int a = mated->attachment;
        bool can = a >= 0 && a < m->attachment_count && all_finite(mated->from, 3) && mated->frame > 0 &&
                   cab_model_attachment_def(m, a)->part == CAB_PART_CONNECTOR &&
                   (i == 0 || mated[-1].attachment < a);
        if (!can) return cab_state_refuse(reader, "an attachment has mated that cannot mate");
    }
    for (int i = 0; i < m->attachment_count; i++) {
        bool known = !has_mated(&m->attachments[i]);
        for (size_t k = 0; !known && k < view->mated_count; k++) known = view->mated[k].attachment == i;
        if (!known)
            return cab_state_refuse(reader, "a connector is mated in this world but not in the state");
    }
    return CAB_OK;
}

/* A pose must turn by a unit quaternion, or nearly. */
static cab_status check_colliders(const cab_world *world, const state_view *view, cab_state_reader *reader)
{
    for (int i = 0; i < world->model->collider_count; i++) {
        const state_collider *c = &view->collider[i];
        bool right = all_finite(c->from, 7) && all_finite(c->to, 7);
        for (int side = 0; side < 2 && right; side++) {
            const double *q = (side ? c->to : c->from) + 3;
            double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
            right = fabs(square - 1) < 1e-6;
        }
        if (!right) return cab_state_refuse(reader, "a collider's pose is none");
    }
    return CAB_OK;
}

static cab_status check_loads(const cab_world *world, const state_view *view, cab_state_reader *reader)
{
    for (int i = 0; i < world->model->scene->load_count; i++) {
        if (!all_finite(view->load[i].force, 3)) return cab_state_refuse(reader, "a force is not finite");
    }
    return CAB_OK;
}

/* The host's part, taken apart and checked. */
static cab_status view_state(const cab_world *world, cab_state_reader *reader, state_view *view)
{
    const cab_model *m = world->model;
    size_t materials = (size_t)m->scene->material_count, attachments = (size_t)m->attachment_count;
    view->numbers = cab_state_take(reader, "numbers", 1, sizeof *view->numbers);
    view->material = cab_state_take(reader, "material", materials, sizeof *view->material);
    view->broken = cab_state_take_any(reader, "broken", sizeof *view->broken, &view->broken_count);
    view->place = cab_state_take(reader, "place", attachments, sizeof *view->place);
    view->moving = cab_state_take_any(reader, "moving", sizeof *view->moving, &view->moving_count);
    view->collider = cab_state_take(reader, "collider", (size_t)m->collider_count, sizeof *view->collider);
    if (has_connectors(m))
        view->mated = cab_state_take_any(reader, "mated", sizeof *view->mated, &view->mated_count);
    view->load = cab_state_take(reader, "load", (size_t)m->scene->load_count, sizeof *view->load);
    if (reader->status != CAB_OK) return reader->status;
    if (view->broken_count > attachments || view->moving_count > attachments)
        return cab_state_refuse(reader, "more attachments than there are");
    cab_status status = check_numbers(view, reader);
    if (status == CAB_OK) status = check_broken(world, view, reader);
    if (status == CAB_OK) status = check_moving(world, view, reader);
    if (status == CAB_OK) status = check_mated(world, view, reader);
    if (status == CAB_OK) status = check_colliders(world, view, reader);
    if (status == CAB_OK) status = check_loads(world, view, reader);
    return status;
}

/* Breaks again what broke, up to number `end`. */
static cab_status break_again(cab_world *world, const state_view *view, int end, cab_error *error)
{
    cab_status status = CAB_OK;
    while (status == CAB_OK && world->broken_count < end) {
        const state_broken *b = &view->broken[world->broken_count];
        const cab_broken broken = {b->attachment, b->released != 0, b->frame, b->force};
        status = cab_world_break_one(world, &broken, error);
    }
    return status;
}

static cab_status set_materials(cab_world *world, const state_view *view, cab_error *error)
{
    const cab_scene *scene = world->model->scene;
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < scene->material_count; i++) {
        const state_material *from = &view->material[i];
        state_material now = material_of(&scene->materials[i]);
        cab_material_def def = scene->materials[i];
        if (memcmp(&now, from, sizeof now) == 0) continue;
        def.linear_density = from->linear_density;
        def.stretching_stiffness = from->stretching_stiffness;
        def.bending_stiffness = from->bending_stiffness;
        def.twisting_stiffness = from->twisting_stiffness;
        def.damping = from->damping;
        def.air_drag = from->air_drag;
        def.air_drag_along = from->air_drag_along;
        def.friction = from->friction;
        def.min_bend_radius = from->min_bend_radius;
        status = cab_world_set_material(world, &def, error);
    }
    return status;
}

/* Materials and what broke, in the order in which they changed. */
static cab_status repeat_changes(cab_world *world, const state_view *view, cab_error *error)
{
    const state_numbers *n = view->numbers;
    int before = world->broken_count;
    cab_status status = break_again(world, view, n->materials_changed, error);
    bool changed = n->materials_changed >= 0 || world->materials_changed >= 0; /* there, or only here */
    if (status == CAB_OK && changed) status = set_materials(world, view, error);
    if (status == CAB_OK) status = break_again(world, view, (int)view->broken_count, error);
    if (status == CAB_OK && world->broken_count > before) status = cab_world_start_watches(world, error);
    world->materials_changed = n->materials_changed;
    return status;
}

/* Latches again what latched. */
static cab_status mate_again(cab_world *world, const state_view *view, cab_error *error)
{
    cab_status status = CAB_OK;
    for (size_t i = 0; status == CAB_OK && i < view->mated_count; i++) {
        const state_mated *from = &view->mated[i];
        if (has_mated(&world->model->attachments[from->attachment])) continue;
        status = cab_connector_mate(world, from->attachment, from->frame, vector_of(from->from), error);
    }
    if (status == CAB_OK && view->mated_count > 0) status = cab_world_start_watches(world, error);
    return status;
}

static cab_status set_moving(cab_world *world, const state_view *view, cab_error *error)
{
    free(world->moving);
    world->moving_count = 0;
    cab_status status = CAB_NEW(world->moving, view->moving_count, error);
    if (status != CAB_OK) return status;
    for (size_t i = 0; i < view->moving_count; i++) {
        const state_moving *from = &view->moving[i];
        world->moving[world->moving_count++] = (cab_moving){.attachment = from->attachment,
                                                            .by_user = from->by_user != 0,
                                                            .from = vector_of(from->from),
                                                            .to = vector_of(from->to)};
    }
    for (int i = 0; i < world->model->attachment_count; i++)
        world->model->attachments[i].place = vector_of(view->place[i]);
    return cab_world_upload_moving(world, error);
}

/* Where candidate lists are made again, colliders must be where they are now. */
static cab_status set_colliders(cab_world *world, const state_view *view, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < m->collider_count; i++) {
        const state_collider *from = &view->collider[i];
        cab_pose to = pose_of(from->to);
        if (from->by_user) status = cab_world_set_collider(world, i, to, error);
        world->collider_motion[i] = (cab_collider_motion){from->by_user != 0, pose_of(from->from), to};
    }
    return status == CAB_OK ? cab_colliders_place(world, error) : status;
}

static void set_numbers(cab_world *world, const state_numbers *n)
{
    cab_measures *e = &world->measures;
    cab_contact_state *c = &world->contact;
    cab_params *p = &world->params;
    world->frame = n->frame;
    world->substeps = n->substeps;
    world->iterations = n->iterations;
    world->first_order = n->first_order != 0;
    *e = (cab_measures){.stretch_max = n->stretch_max,
                        .stretch_mean = n->stretch_mean,
                        .stretch_worst = n->stretch_worst,
                        .penetration_max = n->penetration_max,
                        .penetration_worst = n->penetration_worst,
                        .speed_max = n->speed_max,
                        .contacts = n->contacts,
                        .contacts_max = n->contacts_max,
                        .rebuilds = n->rebuilds,
                        .calm = n->calm,
                        .iterations_max = n->iterations_max};
    c->fresh = n->fresh_lists != 0;
    c->last_step = n->last_step;
    c->collider_step = n->collider_step;
    c->collider_way = n->collider_way;
    for (int k = 0; k < 3; k++) c->mean[k] = n->list_mean[k];
    p->drift_x = n->drift[0];
    p->drift_y = n->drift[1];
    p->drift_z = n->drift[2];
    p->sway_x = n->sway[0];
    p->sway_y = n->sway[1];
    p->sway_z = n->sway[2];
}

static cab_status set_loads(cab_world *world, const state_view *view, cab_error *error)
{
    int count = world->model->scene->load_count;
    bool *set, any = world->user_load != NULL;
    cab_vec3 *force = NULL;
    cab_status status = CAB_NEW(set, count, error);
    if (status == CAB_OK) status = CAB_NEW(force, count, error);
    for (int i = 0; status == CAB_OK && i < count; i++) {
        set[i] = view->load[i].by_user != 0;
        force[i] = vector_of(view->load[i].force);
        any = any || set[i];
    }
    if (status == CAB_OK && any) status = cab_world_set_loads(world, set, force, error);
    free(set);
    free(force);
    return status;
}

static cab_status write_buffers(cab_world *world, const state_buffer *table, int count,
                                cab_state_reader *reader)
{
    for (int i = 0; i < count; i++) {
        const state_buffer *b = &table[i];
        const void *data = cab_state_take(reader, b->tag, b->count, b->size);
        if (!data || b->count == 0) continue;
        reader->status =
            world->backend->ops->write(world->backend, b->id, 0, b->count * b->size, data, reader->error);
    }
    return reader->status;
}

/* The host's part: what does not depend on method and way. */
static cab_status apply_host(cab_world *world, const state_view *view, cab_error *error)
{
    cab_status status = repeat_changes(world, view, error);
    if (status == CAB_OK) status = mate_again(world, view, error);
    world->frame = view->numbers->frame; /* keyframes go by it */
    if (status == CAB_OK) status = cab_feed_place(world, error);
    if (status == CAB_OK) status = set_loads(world, view, error);
    if (status == CAB_OK) status = set_colliders(world, view, error);
    if (status == CAB_OK) status = set_moving(world, view, error);
    return status;
}

cab_status cab_state_take_over(cab_world *world, const cab_world *from, cab_error *error)
{
    cab_state_writer writer;
    cab_state_reader reader;
    state_view view = {0};
    void *bytes;
    size_t size;
    cab_state_begin(&writer, error);
    pack_numbers(from, &writer);
    pack_host(from, &writer);
    cab_status status = cab_state_end(&writer, 0, &bytes, &size);
    if (status != CAB_OK) return status;
    status = cab_state_open(&reader, bytes, size, 0, "the other world", error);
    if (status == CAB_OK) status = view_state(world, &reader, &view);
    if (status == CAB_OK) status = apply_host(world, &view, error);
    free(bytes);
    return status;
}

static cab_status apply(cab_world *world, const state_view *view, cab_state_reader *reader, cab_error *error)
{
    const state_numbers *n = view->numbers;
    cab_contact_state *c = &world->contact;
    state_buffer table[TABLE_SIZE];
    cab_status status = cab_world_set_gravity(world, vector_of(n->gravity), error);
    if (status == CAB_OK) status = cab_world_set_wind(world, vector_of(n->wind), error);
    if (status == CAB_OK) status = apply_host(world, view, error);
    if (status != CAB_OK) return status;
    if (!same_bits(world->way, (cab_way)n->way))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: it was saved in the way \"%s\", this world goes \"%s\", which rounds in another "
                        "order",
                        reader->name, cab_way_name((cab_way)n->way), cab_way_name(world->way));
    if (world->way == CAB_WAY_CHUNKS && n->chunks != cab_chunks_count(world))
        return cab_fail(
            error, CAB_ERROR_INPUT,
            "%s: it was saved with %d chunks, this world has %d: /method/chunks can say how many a "
            "cable has",
            reader->name, n->chunks, cab_chunks_count(world));
    c->listed = n->listed && (c->cables || c->colliders);
    c->skin = n->skin;
    c->near_skin = n->near_skin;
    status = write_buffers(world, table, list_references(world, table), reader);
    if (status == CAB_OK) status = cab_lists_repeat(world, error);
    if (status != CAB_OK) return status;
    set_numbers(world, n);
    status = write_buffers(world, table, list_buffers(world, table), reader);
    if (status == CAB_OK) status = cab_world_upload_params(world, error);
    if (status == CAB_OK) status = cab_draw_reset(world, error);
    return status;
}

cab_status cab_state_unpack(cab_world *world, const void *state, size_t size, const char *name,
                            cab_error *error)
{
    cab_state_reader reader;
    state_view view = {0};
    if (world->failed) return cab_fail(error, CAB_ERROR_DEVICE, "the world has failed before: no state");
    cab_status status = check_kept(world, error);
    if (status == CAB_OK) status = cab_state_open(&reader, state, size, world->scene_hash, name, error);
    if (status == CAB_OK) status = view_state(world, &reader, &view);
    if (status != CAB_OK) return status;
    status = apply(world, &view, &reader, error);
    if (status != CAB_OK) world->failed = true; /* neither what it was nor what it should be */
    return status;
}

cab_status cab_world_unpack(cab_world *world, const void *state, size_t size, cab_error *error)
{
    return cab_state_unpack(world, state, size, "the state", error);
}

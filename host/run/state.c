/* The state of a world between two frames: all that the next frame depends on and that the scene does not
 * tell. The rest is computed again: masses and constants from the materials, topology by breaking again what
 * broke, candidate lists from the places at which they were made. */
#include "run/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "carrier/carriers.h"
#include "carrier/chunks.h"
#include "constraint/connector.h"
#include "constraint/rigid_pairs.h"
#include "contact/contact.h"
#include "contact/lists.h"
#include "model/constraint_kind.h"
#include "model/rigid.h"
#include "model/scene.h"
#include "run/break.h"
#include "run/change.h"
#include "run/pace.h"
#include "run/draw.h"
#include "run/state_view.h"
#include "world/attached.h"
#include "world/colliders.h"
#include "world/device.h"
#include "world/forces.h"
#include "world/pieces.h"

/* Writes all buffers that their modules keep in states. */
static void pack_buffers(cab_world *world, cab_state_writer *writer)
{
    cab_contact_keep(world);
    for (int id = 0; id < CAB_BUFFER_COUNT; id++) {
        const cab_kept *kept = &world->kept[id];
        if (!kept->tag) continue;
        void *data = cab_state_add(writer, kept->tag, kept->count, kept->size);
        size_t bytes = kept->count * kept->size;
        if (data) writer->status = cab_world_fetch(world, (cab_buffer)id, 0, bytes, data, writer->error);
    }
}

static cab_status check_kept(const cab_world *world, cab_error *error)
{
    const cab_scene *scene = world->model->scene;
    if (world->model->pull.on)
        return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                        "%s: a state does not tell what a hand pulls at; let go first", scene->source);
    return CAB_OK;
}

cab_status cab_world_pack(cab_world *world, void **state, size_t *size, cab_error *error)
{
    cab_state_writer writer;
    if (world->failed) return cab_fail(error, CAB_ERROR_DEVICE, "the world has failed before: no state");
    cab_status status = check_kept(world, error);
    if (status != CAB_OK) return status;
    cab_state_begin(&writer, error);
    cab_state_pack_host(world, &writer);
    pack_buffers(world, &writer);
    return cab_state_end(&writer, world->scene_hash, state, size);
}

/* Breaks the attachments again that had broken, up to number `end`. */
static cab_status break_again(cab_world *world, const cab_state_view *view, int end, cab_error *error)
{
    cab_status status = CAB_OK;
    while (status == CAB_OK && world->broken.count < end) {
        const cab_state_broken *b = &view->broken[world->broken.count];
        const cab_broken broken = {b->attachment, b->released != 0, b->frame, b->force};
        status = cab_world_break_one(world, &broken, error);
    }
    return status;
}

static cab_status set_materials(cab_world *world, const cab_state_view *view, cab_error *error)
{
    const cab_scene *scene = world->model->scene;
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < scene->material_count; i++) {
        const cab_state_material *from = &view->material[i];
        cab_state_material now = cab_state_material_of(&scene->materials[i]);
        cab_material_def def = scene->materials[i];
        if (memcmp(&now, from, sizeof now) == 0) continue;
        def.linear_density = from->linear_density;
        def.stretching_stiffness = from->stretching_stiffness;
        def.bending_stiffness = from->bending_stiffness;
        def.bending_damping = from->bending_damping;
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

/* Repeats changes of materials and breaks in their order. */
static cab_status repeat_changes(cab_world *world, const cab_state_view *view, cab_error *error)
{
    const cab_state_numbers *n = view->numbers;
    int before = world->broken.count;
    cab_status status = break_again(world, view, n->materials_changed, error);
    bool changed = n->materials_changed >= 0 || world->materials_changed >= 0; /* there, or only here */
    if (status == CAB_OK && changed) status = set_materials(world, view, error);
    if (status == CAB_OK) status = break_again(world, view, (int)view->broken_count, error);
    if (status == CAB_OK && world->broken.count > before) status = cab_forces_start(world, error);
    world->materials_changed = n->materials_changed;
    return status;
}

/* Latches the connectors again that had latched. */
static cab_status mate_again(cab_world *world, const cab_state_view *view, cab_error *error)
{
    cab_status status = CAB_OK;
    for (size_t i = 0; status == CAB_OK && i < view->mated_count; i++) {
        const cab_state_mated *from = &view->mated[i];
        if (cab_state_has_mated(&world->model->attachments[from->attachment])) continue;
        status =
            cab_connector_mate(world, from->attachment, from->frame, cab_state_vector(from->from), error);
    }
    if (status == CAB_OK && view->mated_count > 0) status = cab_forces_start(world, error);
    return status;
}

static cab_status set_moving(cab_world *world, const cab_state_view *view, cab_error *error)
{
    free(world->attached.moving);
    world->attached.moving_count = 0;
    cab_status status = CAB_NEW(world->attached.moving, view->moving_count, error);
    if (status != CAB_OK) return status;
    for (size_t i = 0; i < view->moving_count; i++) {
        const cab_state_moving *from = &view->moving[i];
        world->attached.moving[world->attached.moving_count++] =
            (cab_moving){.attachment = from->attachment,
                         .by_user = from->by_user != 0,
                         .from = cab_state_vector(from->from),
                         .to = cab_state_vector(from->to),
                         .velocity = cab_state_vector(from->velocity)};
    }
    for (int i = 0; i < world->model->attachment_count; i++)
        world->model->attachments[i].place = cab_state_vector(view->place[i]);
    return cab_attached_upload(world, error);
}

static cab_status set_led(cab_world *world, const cab_state_view *view, cab_error *error)
{
    cab_forces *f = &world->forces;
    cab_status status = CAB_OK;
    if (cab_model_all_rigid(world->model) > 0) {
        CAB_FREE(f->mean, f->couple);
        f->mean = f->couple = NULL;
    }
    if (view->borne_count > 0) status = CAB_NEW(f->mean, view->borne_count, error);
    if (status == CAB_OK && view->borne_count > 0) status = CAB_NEW(f->couple, view->borne_count, error);
    if (status != CAB_OK) return status;
    for (size_t i = 0; i < view->borne_count; i++) {
        f->mean[i] = cab_state_vector(view->borne[i]);
        f->couple[i] = cab_state_vector(view->borne[i] + 3);
    }
    for (int i = 0; i < world->model->led_count; i++) {
        const cab_state_led *from = &view->led[i];
        world->led[i] = (cab_led_motion){
            .pose = {from->pose.by_user != 0, cab_state_pose(from->pose.from), cab_state_pose(from->pose.to)},
            .velocity = cab_state_vector(from->velocity),
            .spin = cab_state_vector(from->spin)};
    }
    return CAB_OK;
}

/* Puts colliders where they are now, before candidate lists are made again. */
static cab_status set_colliders(cab_world *world, const cab_state_view *view, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < m->collider_count; i++) {
        const cab_state_collider *from = &view->collider[i];
        cab_pose to = cab_state_pose(from->to);
        if (from->by_user) status = cab_world_set_collider(world, i, to, error);
        world->colliders.motion[i] =
            (cab_collider_motion){from->by_user != 0, cab_state_pose(from->from), to};
    }
    return status == CAB_OK ? cab_colliders_place(world, error) : status;
}

static void set_numbers(cab_world *world, const cab_state_numbers *n)
{
    cab_measures *e = &world->measures;
    cab_contact_state *c = &world->contact;
    cab_params *p = &world->params;
    world->frame = n->frame;
    world->ticks = n->ticks;
    world->iterated.iterations = n->iterations;
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
    c->speed = n->speed;
    c->collider_step = n->collider_step;
    c->collider_moved = n->collider_moved;
    for (int k = 0; k < 3; k++) c->mean[k] = n->list_mean[k];
    p->drift_x = n->drift[0];
    p->drift_y = n->drift[1];
    p->drift_z = n->drift[2];
    p->recent_drift_x = n->recent_drift[0];
    p->recent_drift_y = n->recent_drift[1];
    p->recent_drift_z = n->recent_drift[2];
}

static cab_status set_loads(cab_world *world, const cab_state_view *view, cab_error *error)
{
    int count = world->model->scene->load_count;
    bool *set, any = world->loads.user != NULL;
    cab_vec3 *force = NULL;
    cab_status status = CAB_NEW(set, count, error);
    if (status == CAB_OK) status = CAB_NEW(force, count, error);
    for (int i = 0; status == CAB_OK && i < count; i++) {
        set[i] = view->load[i].by_user != 0;
        force[i] = cab_state_vector(view->load[i].force);
        any = any || set[i];
    }
    if (status == CAB_OK && any) status = cab_world_set_loads(world, set, force, error);
    free(set);
    free(force);
    return status;
}

static void write_buffer(cab_world *world, cab_buffer id, cab_state_reader *reader)
{
    const cab_kept *kept = &world->kept[id];
    size_t bytes = kept->count * kept->size;
    const void *data = kept->tag ? cab_state_take(reader, kept->tag, kept->count, kept->size) : NULL;
    if (data) reader->status = cab_world_put(world, id, 0, bytes, data, reader->error);
}

/* Makes candidate lists again where they were made; all other buffers are written after that. */
static cab_status write_buffers(cab_world *world, cab_state_reader *reader, cab_error *error)
{
    cab_contact_keep(world);
    write_buffer(world, CAB_BUFFER_reference, reader);
    write_buffer(world, CAB_BUFFER_near_reference, reader);
    cab_status status = reader->status == CAB_OK ? cab_lists_repeat(world, error) : reader->status;
    if (status != CAB_OK) return status;
    cab_contact_keep(world);
    for (int id = 0; id < CAB_BUFFER_COUNT; id++) write_buffer(world, (cab_buffer)id, reader);
    return reader->status;
}

/* Restores the host's part that does not depend on method and way. */
static cab_status apply_host(cab_world *world, const cab_state_view *view, cab_error *error)
{
    cab_status status = repeat_changes(world, view, error);
    if (status == CAB_OK) status = mate_again(world, view, error);
    if (status == CAB_OK) status = cab_rigid_set_pairs(world, view->touching, view->touching_count, error);
    world->frame = view->numbers->frame; /* keyframes depend on it */
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++) {
        if (cab_constraint_kinds[k]->resume) status = cab_constraint_kinds[k]->resume(world, error);
    }
    if (status == CAB_OK) status = set_loads(world, view, error);
    if (status == CAB_OK) status = set_led(world, view, error);
    if (status == CAB_OK) status = set_colliders(world, view, error);
    if (status == CAB_OK) status = set_moving(world, view, error);
    return status;
}

cab_status cab_state_take_over(cab_world *world, const cab_world *from, cab_error *error)
{
    cab_state_writer writer;
    cab_state_reader reader;
    cab_state_view view = {0};
    void *bytes;
    size_t size;
    cab_state_begin(&writer, error);
    cab_state_pack_host(from, &writer);
    cab_status status = cab_state_end(&writer, 0, &bytes, &size);
    if (status != CAB_OK) return status;
    status = cab_state_open(&reader, bytes, size, 0, "the other world", error);
    if (status == CAB_OK) status = cab_state_read_view(world, &reader, &view);
    if (status == CAB_OK) status = apply_host(world, &view, error);
    free(bytes);
    return status;
}

/* Into how many pieces substeps were cut; a state without them: none was. */
static cab_status set_pieces(cab_world *world, const cab_state_view *view, cab_state_reader *reader,
                             cab_error *error)
{
    const int *pieces = view->pieces;
    if (view->pieces_count == 0 && !world->pace.made) return CAB_OK;
    cab_status status = cab_pieces_start(world, error);
    if (status != CAB_OK) return status;
    int n = world->pace.components.count;
    for (int c = 0; c < n; c++) world->pace.wanted[c] = 1;
    if (view->pieces_count == 0)
        pieces = world->pace.wanted;
    else if (view->pieces_count != (size_t)n)
        return cab_state_refuse(reader, "pieces of other components than there are");
    return cab_pace_set(world, pieces, error);
}

/* What is known of clear frames; a state without it: nothing. */
static void set_clear(cab_world *world, const cab_state_view *view)
{
    cab_clear *c = &world->clear;
    c->now = c->stepped = c->surveyed = false;
    c->wait = c->left = c->near_wait = c->near_left = c->near_level = 0;
    c->near = false;
    if (view->clear_count == 0) return;
    const cab_state_clear *from = view->clear;
    c->stepped = from->stepped != 0;
    c->surveyed = from->surveyed != 0;
    c->wait = from->wait;
    c->left = from->left;
    c->near_wait = from->near_wait;
    c->near_left = from->near_left;
    c->near_level = from->near_level;
    c->gap = from->gap;
    c->free_gap = from->free_gap;
    c->reach = from->reach;
    c->apart = from->apart;
    c->moved = from->moved;
    c->led = from->led;
}

/* Who sleeps, and for how long the others have been quiet. Whenever somebody falls asleep or wakes, lists are made anew before the next
 * substep, so lists that are there were made with these sleepers. */
static void set_sleep(cab_world *world, const cab_state_view *view)
{
    cab_sleep *s = &world->sleep;
    s->asleep = 0;
    s->any_due = false;
    for (int c = 0; view->sleep && c < s->components.count; c++) {
        const cab_state_sleep *from = &view->sleep[c];
        s->island[c] = from->island;
        s->quiet[c] = from->quiet;
        s->due[c] = from->due != 0;
        s->asleep += s->island[c] >= 0;
        s->any_due |= s->due[c];
    }
}

static cab_status apply(cab_world *world, const cab_state_view *view, cab_state_reader *reader,
                        cab_error *error)
{
    const cab_state_numbers *n = view->numbers;
    cab_contact_state *c = &world->contact;
    cab_status status = cab_world_set_gravity(world, cab_state_vector(n->gravity), error);
    if (status == CAB_OK) status = cab_world_set_wind(world, cab_state_vector(n->wind), error);
    if (status == CAB_OK) status = apply_host(world, view, error);
    if (status == CAB_OK) status = set_pieces(world, view, reader, error);
    if (status != CAB_OK) return status;
    const cab_carrier *saved = cab_carriers[n->way];
    if (saved != world->carrier && !(saved->coloured_bits && world->carrier->coloured_bits))
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
    c->grips = c->cables || c->colliders;
    c->pressing = n->pressing && cab_contact_possible(world->model);
    if (view->sleep && view->sleep_count != (size_t)world->sleep.components.count)
        return cab_state_refuse(reader, "sleepers of other components than there are");
    set_sleep(world, view);
    status = cab_draw_reset(world, error); /* no contact bears a force, unless the state says so */
    if (status == CAB_OK) status = write_buffers(world, reader, error);
    if (status == CAB_OK) status = cab_rigid_set_fresh(world, view->nearing, view->nearing_count, error);
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++)
        if (cab_constraint_kinds[k]->restored) status = cab_constraint_kinds[k]->restored(world, error);
    if (status == CAB_OK && view->sleep) /* offsets of sleepers, which no substep will set */
        status = cab_world_run(world, CAB_STAGE_MEASURE, CAB_KERNEL_grid_settle, 0,
                               world->model->particle_count, 0, 0, error);
    if (status != CAB_OK) return status;
    set_sleep(world, view); /* listing has disturbed who was near */
    set_numbers(world, n);
    set_clear(world, view);
    status = cab_state_set_judging(world, view, error);
    return status == CAB_OK ? cab_world_upload_params(world, error) : status;
}

cab_status cab_state_unpack(cab_world *world, const void *state, size_t size, const char *name,
                            cab_error *error)
{
    cab_state_reader reader;
    cab_state_view view = {0};
    if (world->failed) return cab_fail(error, CAB_ERROR_DEVICE, "the world has failed before: no state");
    cab_status status = check_kept(world, error);
    if (status == CAB_OK) status = cab_state_open(&reader, state, size, world->scene_hash, name, error);
    if (status == CAB_OK) status = cab_state_read_view(world, &reader, &view);
    if (status != CAB_OK) return status;
    status = apply(world, &view, &reader, error);
    if (status != CAB_OK) world->failed = true; /* the world is neither in its old nor in its new state */
    return status;
}

cab_status cab_world_unpack(cab_world *world, const void *state, size_t size, cab_error *error)
{
    return cab_state_unpack(world, state, size, "the state", error);
}

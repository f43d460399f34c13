/* Writes the host's part of a state. */
#include <string.h>

#include "carrier/chunks.h"
#include "constraint/rigid_pairs.h"
#include "model/rigid.h"
#include "model/scene.h"
#include "run/state_view.h"
#include "world/loads.h"

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

static void pack_numbers(const cab_world *world, cab_state_writer *writer)
{
    const cab_measures *e = &world->measures;
    const cab_contact_state *c = &world->contact;
    const cab_params *p = &world->params;
    cab_state_numbers *n = cab_state_add(writer, "numbers", 1, sizeof *n);
    if (!n) return;
    *n = (cab_state_numbers){.way = (int32_t)world->way,
                             .frame = world->frame,
                             .ticks = world->ticks,
                             .first_order = world->first_order,
                             .materials_changed = world->materials_changed,
                             .listed = c->listed,
                             .fresh_lists = c->fresh,
                             .contacts = e->contacts,
                             .contacts_max = e->contacts_max,
                             .rebuilds = e->rebuilds,
                             .calm = e->calm,
                             .iterations_max = e->iterations_max,
                             .iterations = world->iterated.iterations,
                             .pressing = c->pressing,
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
                             .speed = c->speed,
                             .collider_step = c->collider_step,
                             .collider_moved = c->collider_moved,
                             .drift = {p->drift_x, p->drift_y, p->drift_z},
                             .recent_drift = {p->recent_drift_x, p->recent_drift_y, p->recent_drift_z}};
    take_vector(n->gravity, world->model->settings.gravity);
    take_vector(n->wind, world->model->settings.wind);
}

cab_state_material cab_state_material_of(const cab_material_def *def)
{
    return (cab_state_material){def->linear_density,    def->stretching_stiffness,
                                def->bending_stiffness, def->twisting_stiffness,
                                def->damping,           def->air_drag,
                                def->air_drag_along,    def->friction,
                                def->min_bend_radius,   def->bending_damping};
}

bool cab_state_has_connectors(const cab_model *m)
{
    for (int i = 0; i < m->attachment_count; i++) {
        if (cab_model_attachment_def(m, i)->part == CAB_PART_CONNECTOR) return true;
    }
    return false;
}

/* Has this connector latched during the run? */
bool cab_state_has_mated(const cab_model_attachment *a)
{
    return a->mated && a->mated_frame > 0;
}

static void pack_mated(const cab_world *world, cab_state_writer *writer)
{
    const cab_model *m = world->model;
    size_t count = 0;
    if (!cab_state_has_connectors(m)) return;
    for (int i = 0; i < m->attachment_count; i++) count += cab_state_has_mated(&m->attachments[i]);
    cab_state_mated *mated = cab_state_add(writer, "mated", count, sizeof *mated);
    for (int i = 0; mated && i < m->attachment_count; i++) {
        const cab_model_attachment *a = &m->attachments[i];
        if (!cab_state_has_mated(a)) continue;
        mated->attachment = i;
        mated->frame = a->mated_frame;
        take_vector(mated->from, a->mate_from);
        mated++;
    }
}

/* Only where there are bodies: what attachments bore in the last frame, which tells what pulls at bodies; where led ones are. */
static void pack_led(const cab_world *world, cab_state_writer *writer)
{
    size_t count = (size_t)world->model->led_count, held = (size_t)world->model->attachment_count;
    double(*force)[6] = NULL;
    if (cab_model_all_rigid(world->model) > 0)
        force = cab_state_add(writer, "borne", world->forces.mean ? held : 0, sizeof *force);
    for (size_t i = 0; force && world->forces.mean && i < held; i++) {
        take_vector(force[i], world->forces.mean[i]);
        if (world->forces.couple) take_vector(force[i] + 3, world->forces.couple[i]);
    }
    if (count == 0) return;
    cab_state_led *led = cab_state_add(writer, "led", count, sizeof *led);
    for (size_t i = 0; led && i < count; i++) {
        const cab_led_motion *from = &world->led[i];
        led[i] = (cab_state_led){.pose.by_user = from->pose.by_user};
        take_pose(led[i].pose.from, &from->pose.from);
        take_pose(led[i].pose.to, &from->pose.to);
        take_vector(led[i].velocity, from->velocity);
        take_vector(led[i].spin, from->spin);
    }
}

/* Writes what the host knows and the device does not. */
static void pack_rest(const cab_world *world, cab_state_writer *writer)
{
    const cab_model *m = world->model;
    size_t materials = (size_t)m->scene->material_count, attachments = (size_t)m->attachment_count;
    cab_state_material *material = cab_state_add(writer, "material", materials, sizeof *material);
    for (size_t i = 0; material && i < materials; i++)
        material[i] = cab_state_material_of(&m->scene->materials[i]);
    cab_state_broken *broken = cab_state_add(writer, "broken", (size_t)world->broken.count, sizeof *broken);
    for (int i = 0; broken && i < world->broken.count; i++) {
        const cab_broken *from = &world->broken.list[i];
        broken[i] = (cab_state_broken){from->attachment, from->released, from->frame, 0, from->force};
    }
    double(*place)[3] = cab_state_add(writer, "place", attachments, sizeof *place);
    for (size_t i = 0; place && i < attachments; i++) take_vector(place[i], m->attachments[i].place);
    cab_state_moving *moving =
        cab_state_add(writer, "moving", (size_t)world->attached.moving_count, sizeof *moving);
    for (int i = 0; moving && i < world->attached.moving_count; i++) {
        const cab_moving *from = &world->attached.moving[i];
        moving[i] = (cab_state_moving){.attachment = from->attachment, .by_user = from->by_user};
        take_vector(moving[i].from, from->from);
        take_vector(moving[i].to, from->to);
        take_vector(moving[i].velocity, from->velocity);
    }
    cab_state_collider *collider =
        cab_state_add(writer, "collider", (size_t)m->collider_count, sizeof *collider);
    for (int i = 0; collider && i < m->collider_count; i++) {
        const cab_collider_motion *from = &world->colliders.motion[i];
        collider[i] = (cab_state_collider){.by_user = from->by_user};
        take_pose(collider[i].from, &from->from);
        take_pose(collider[i].to, &from->to);
    }
    pack_led(world, writer);
    pack_mated(world, writer);
    cab_state_load *load = cab_state_add(writer, "load", (size_t)m->scene->load_count, sizeof *load);
    for (int i = 0; load && i < m->scene->load_count; i++) {
        load[i].by_user = cab_loads_is_set(world, i);
        if (load[i].by_user) take_vector(load[i].force, m->scene->loads[i].force);
    }
}

static void pack_clear(const cab_world *world, cab_state_writer *writer)
{
    const cab_clear *c = &world->clear;
    bool known = c->stepped || c->surveyed;
    cab_state_clear *to = cab_state_add(writer, "clear", known ? 1 : 0, sizeof *to);
    if (!to || !known) return;
    *to = (cab_state_clear){.stepped = c->stepped,
                            .surveyed = c->surveyed,
                            .wait = c->wait,
                            .left = c->left,
                            .near_wait = c->near_wait,
                            .near_left = c->near_left,
                            .near_level = c->near_level};
    if (!c->surveyed) return;
    to->gap = c->gap;
    to->free_gap = c->free_gap;
    to->reach = c->reach;
    to->apart = c->apart;
    to->moved = c->moved;
    to->led = c->led;
}

static void pack_sleep(const cab_world *world, cab_state_writer *writer)
{
    const cab_sleep *s = &world->sleep;
    if (!s->on) return;
    cab_state_sleep *to = cab_state_add(writer, "sleep", (size_t)s->components.count, sizeof *to);
    for (int c = 0; to && c < s->components.count; c++)
        to[c] = (cab_state_sleep){s->island[c], s->quiet[c], s->due[c]};
}

static void pack_touching(const cab_world *world, cab_state_writer *writer)
{
    const cab_model *m = world->model;
    if (m->rigid_count == 0) return;
    size_t count = (size_t)m->rigid_pair_count;
    int32_t(*to)[2] = cab_state_add(writer, "touching", count, sizeof *to);
    for (size_t i = 0; to && i < count; i++)
        for (int k = 0; k < 2; k++) to[i][k] = m->rigid_pair[i][k];
    int fresh = cab_rigid_fresh(world, NULL);
    int32_t(*near)[2] = cab_state_add(writer, "nearing", (size_t)fresh, sizeof *near);
    if (near) cab_rigid_fresh(world, near);
}

void cab_state_pack_host(const cab_world *world, cab_state_writer *writer)
{
    pack_numbers(world, writer);
    pack_rest(world, writer);
    pack_touching(world, writer);
    size_t count = world->pace.made ? (size_t)world->pace.components.count : 0;
    int32_t *pieces = cab_state_add(writer, "pieces", count, sizeof *pieces);
    for (size_t c = 0; pieces && c < count; c++) pieces[c] = world->pace.pieces[c];
    pack_clear(world, writer);
    pack_sleep(world, writer);
    cab_state_pack_judging(world, writer);
}

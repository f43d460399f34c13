#include "world/pieces.h"

#include "world/device.h"

/* Each component has the most pieces that one of its particles has: two that were one before have the same. */
static bool gather(cab_world *world)
{
    cab_model *m = world->model;
    const cab_components *c = &world->pace.components;
    bool changed = false;
    for (int i = 0; i < c->count; i++) world->pace.pieces[i] = 1;
    for (int p = 0; p < m->particle_count; p++) {
        int *most = &world->pace.pieces[c->of[p]];
        if (m->particle_pieces[p] > *most) *most = m->particle_pieces[p];
    }
    for (int p = 0; p < m->particle_count; p++) {
        int now = world->pace.pieces[c->of[p]];
        changed = changed || m->particle_pieces[p] != now;
        m->particle_pieces[p] = now;
    }
    return changed;
}

static cab_status upload_tables(cab_world *world, cab_error *error)
{
    const cab_components *c = &world->pace.components;
    size_t n = (size_t)c->count, p = (size_t)world->model->particle_count;
    size_t s = (size_t)world->model->segment_count, k = (size_t)world->model->collider_count;
    const cab_table tables[] = {
        {CAB_BUFFER_component, c->of, p, sizeof(int)},
        {CAB_BUFFER_component_start, c->start, n + 1, sizeof(int)},
        {CAB_BUFFER_component_particle, c->particle, p, sizeof(int)},
        {CAB_BUFFER_component_pieces, world->pace.pieces, n, sizeof(int)},
        {CAB_BUFFER_order_kept, NULL, n, sizeof(int)},
        {CAB_BUFFER_pace_component, NULL, n, sizeof(float)},
        {CAB_BUFFER_pace, NULL, s, sizeof(float)},
        {CAB_BUFFER_pace_step, NULL, s, sizeof(float)},
        {CAB_BUFFER_pace_off, NULL, s, sizeof(int)},
        {CAB_BUFFER_pace_collider, NULL, k, sizeof(float)},
    };
    return CAB_UPLOAD(world, tables, error);
}

static void free_components(cab_pace *p)
{
    cab_components_free(&p->components);
    CAB_FREE(p->pieces, p->wanted, p->parent, p->share, p->changed, p->growth);
    CAB_FREE(p->again.pieces, p->again.missed, p->again.contradicted);
    p->again.pieces = NULL;
    p->again.missed = p->again.contradicted = NULL;
    p->pieces = p->wanted = p->parent = NULL;
    p->share = NULL;
    p->changed = NULL;
    p->growth = NULL;
}

/* The components of the model as it is now. changed: pieces of particles have become others. */
static cab_status make(cab_world *world, bool *changed, cab_error *error)
{
    cab_pace *p = &world->pace;
    free_components(p);
    cab_status status = cab_components_find(world->model, &p->components, error);
    int n = p->components.count;
    if (status == CAB_OK) status = CAB_NEW(p->pieces, n, error);
    if (status == CAB_OK) status = CAB_NEW(p->wanted, n, error);
    if (status == CAB_OK) status = CAB_NEW(p->parent, n, error);
    if (status == CAB_OK) status = CAB_NEW(p->share, n, error);
    if (status == CAB_OK) status = CAB_NEW(p->changed, n, error);
    if (status == CAB_OK) status = CAB_NEW(p->growth, n, error);
    if (status == CAB_OK) status = CAB_NEW(p->again.pieces, n, error);
    if (status == CAB_OK) status = CAB_NEW(p->again.missed, n, error);
    if (status == CAB_OK) status = CAB_NEW(p->again.contradicted, n, error);
    if (status != CAB_OK) return status;
    *changed = gather(world);
    return upload_tables(world, error);
}

cab_status cab_pieces_start(cab_world *world, cab_error *error)
{
    cab_model *m = world->model;
    bool changed;
    if (world->pace.made) return CAB_OK;
    cab_status status = CAB_NEW(m->particle_pieces, m->particle_count, error);
    for (int p = 0; status == CAB_OK && p < m->particle_count; p++) m->particle_pieces[p] = 1;
    if (status == CAB_OK) status = make(world, &changed, error);
    size_t lengths = (size_t)m->distance_count, segments = (size_t)m->segment_count;
    if (status == CAB_OK) status = CAB_NEW(world->pace.again.error, lengths, error);
    if (status == CAB_OK) status = CAB_NEW(world->pace.again.now, lengths, error);
    if (status == CAB_OK) status = CAB_NEW(world->pace.again.depth, segments, error);
    if (status == CAB_OK) status = CAB_NEW(world->pace.again.was_deep, segments, error);
    if (status == CAB_OK) status = CAB_NEW(world->pace.again.deep, segments, error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_length_error, NULL, lengths, sizeof(float), error);
    world->pace.made = status == CAB_OK;
    return status;
}

cab_status cab_pieces_restart(cab_world *world, cab_error *error)
{
    bool changed;
    if (!world->pace.made) return CAB_OK;
    cab_status status = make(world, &changed, error);
    if (status != CAB_OK || !changed) return status;
    cab_model_set_parameters(world->model);
    return cab_world_upload_damping(world, error);
}

void cab_pieces_end(cab_world *world)
{
    cab_pace *p = &world->pace;
    free_components(p);
    CAB_FREE(p->led, p->led_target, p->led_collider, p->meet, p->again.error, p->again.now, p->again.depth,
             p->again.was_deep, p->again.deep);
    *p = (cab_pace){0};
}

int cab_pieces_most(const cab_world *world)
{
    const cab_pace *p = &world->pace;
    int most = 1;
    for (int c = 0; p->made && c < p->components.count; c++)
        if (p->pieces[c] > most) most = p->pieces[c];
    return most;
}

bool cab_pieces_any(const cab_world *world)
{
    return cab_pieces_most(world) > 1;
}

void cab_pieces_tell_model(cab_world *world)
{
    cab_model *m = world->model;
    const cab_pace *p = &world->pace;
    for (int k = 0; p->made && k < m->particle_count; k++)
        m->particle_pieces[k] = p->pieces[p->components.of[k]];
    cab_model_set_parameters(m);
}

cab_status cab_pieces_upload(cab_world *world, cab_error *error)
{
    const cab_pace *p = &world->pace;
    size_t n = (size_t)p->components.count;
    int *signed_pieces;
    cab_status status = CAB_NEW(signed_pieces, n, error);
    for (size_t c = 0; status == CAB_OK && c < n; c++)
        signed_pieces[c] =
            world->sleep.asleep > 0 && world->sleep.island[c] >= 0 ? -p->pieces[c] : p->pieces[c];
    if (status == CAB_OK)
        status = world->backend->ops->write(world->backend, CAB_BUFFER_component_pieces, 0,
                                            n * sizeof *signed_pieces, signed_pieces, error);
    free(signed_pieces);
    return status;
}

cab_status cab_pieces_rescale(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_pace *p = &world->pace;
    size_t bytes = (size_t)m->distance_count * sizeof(float);
    float *lambda;
    if (world->way != CAB_WAY_STAGED || m->distance_count == 0) return CAB_OK;
    cab_status status = CAB_NEW(lambda, m->distance_count, error);
    if (status == CAB_OK)
        status = cab_world_fetch(world, CAB_BUFFER_distance_lambda, 0, bytes, lambda, error);
    for (int i = 0; status == CAB_OK && i < m->distance_count; i++) {
        float growth = p->growth[p->components.of[m->distance[i].a]];
        lambda[i] /= growth * growth;
    }
    if (status == CAB_OK)
        status =
            world->backend->ops->write(world->backend, CAB_BUFFER_distance_lambda, 0, bytes, lambda, error);
    free(lambda);
    return status;
}

static cab_status hold_particles(cab_world *world, int pieces, int flags, cab_error *error)
{
    return cab_world_run(world, CAB_STAGE_PREDICT, CAB_KERNEL_pace_hold, 0, world->model->particle_count,
                         CAB_ARGUMENT(flags, pieces), 0, error);
}

cab_status cab_pieces_hold(cab_world *world, int pieces, cab_error *error)
{
    world->pace.held = pieces;
    cab_status status = hold_particles(world, pieces, CAB_PACE_SETTLE, error);
    if (status == CAB_OK && world->way == CAB_WAY_STAGED)
        status = cab_world_run(world, CAB_STAGE_PREDICT, CAB_KERNEL_pace_order, 0,
                               world->pace.components.count, CAB_ARGUMENT(0, pieces), 0, error);
    return status;
}

cab_status cab_pieces_set_lengths(cab_world *world, int before, cab_error *error)
{
    if (world->way != CAB_WAY_STAGED || !cab_pieces_any(world)) return CAB_OK;
    return cab_world_run(world, CAB_STAGE_PREDICT, CAB_KERNEL_pace_lengths, 0, world->model->node_count,
                         CAB_ARGUMENT(0, before), 0, error);
}

cab_status cab_pieces_loosen(cab_world *world, cab_error *error)
{
    return world->pace.held > 0 ? hold_particles(world, 0, 0, error) : CAB_OK;
}

cab_status cab_pieces_tighten(cab_world *world, cab_error *error)
{
    return world->pace.held > 0 ? hold_particles(world, world->pace.held, 0, error) : CAB_OK;
}

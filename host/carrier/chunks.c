/* The carrier chunks: how cables are cut into chunks, and which constraints belong to a chunk. */
#include "carrier/chunks.h"

#include "base/array.h"
#include "carrier/iterated.h"
#include "world/device.h"

/* chunks per compute unit when the program chooses, so that all units are busy to the end */
#define UNIT_CHUNKS 4

typedef struct chunk_tables {
    cab_chunk *chunk;
    int *start, *item, *of;
    int count, item_count;
} chunk_tables;

static int chunks_of(const cab_world *world, const cab_body *cable)
{
    const cab_model *m = world->model;
    int wished = m->settings.chunks.count, most = cable->node_count / CAB_CHUNK_LEAST;
    if (wished == 0) {
        int units = world->backend->info.compute_units;
        wished = (UNIT_CHUNKS * (units > 0 ? units : 1) + m->cable_count - 1) / m->cable_count;
    }
    int count = wished < most ? wished : most;
    return count > 1 ? count : 1;
}

int cab_chunks_count(const cab_world *world)
{
    int count = 0;
    for (int c = 0; c < world->model->cable_count; c++) count += chunks_of(world, &world->model->bodies[c]);
    return count;
}

static float weight_of(const cab_model *m, int first, int end)
{
    double mass = 0;
    for (int p = first; p < end; p++) {
        if (m->held[p] >= 0) return 0;
        mass += m->settings.equal_weights ? 1 / m->equal_weight : m->mass[p];
    }
    return (float)(1 / mass);
}

/* Cuts each cable into equal parts. Here nodes and particles have the same index. */
static void cut(const cab_world *world, chunk_tables *t)
{
    const cab_model *m = world->model;
    for (int c = 0; c < m->cable_count; c++) {
        const cab_body *cable = &m->bodies[c];
        int parts = chunks_of(world, cable);
        t->start[c] = t->count;
        for (int k = 0; k < parts; k++) {
            int first = cable->first_node + (int)((long long)cable->node_count * k / parts);
            int end = cable->first_node + (int)((long long)cable->node_count * (k + 1) / parts);
            for (int p = first; p < end; p++) t->of[p] = t->count;
            t->chunk[t->count++] = (cab_chunk){.seam = -1, .weight = weight_of(m, first, end)};
        }
    }
    t->start[m->cable_count] = t->count;
}

/* A constraint, and the chunk of its first particle, which owns it if all its particles are in there. */
typedef struct member {
    int item, particle, chunk;
    bool across;
} member;

static int by_place(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->chunk != y->chunk) return x->chunk < y->chunk ? -1 : 1;
    if (x->across != y->across) return x->across ? 1 : -1;
    if (x->particle != y->particle) return x->particle < y->particle ? -1 : 1;
    return x->item < y->item ? -1 : x->item > y->item;
}

static member member_of(const chunk_tables *t, int item, int first, int last)
{
    return (member){item, first, t->of[first], t->of[first] != t->of[last]};
}

/* Makes the segment across a seam shift chunks if shifts are wanted and one of the two chunks can move. */
static bool take_seam(chunk_tables *t, const member *m, bool shifts)
{
    cab_chunk *c = &t->chunk[m->chunk];
    if (!shifts || !m->across || !(c[0].weight > 0 || c[1].weight > 0)) return false;
    c->seam = m->item >> 1;
    return true;
}

static void list_members(const cab_model *m, chunk_tables *t, member *members)
{
    int count = 0;
    bool shift = m->settings.chunks.seam == CAB_SEAM_SHIFT;
    for (int i = 0; i < m->distance_count; i++) {
        member x = member_of(t, 2 * i, m->distance[i].a, m->distance[i].b);
        if (!take_seam(t, &x, shift && i < m->segment_count)) members[count++] = x;
    }
    for (int i = 0; i < m->bending_count; i++) {
        const cab_bending_constraint *b = &m->bending[i];
        members[count++] = member_of(t, 2 * i + 1, b->a < 0 ? b->b : b->a, b->c < 0 ? b->b : b->c);
    }
    qsort(members, (size_t)count, sizeof *members, by_place);
    for (int i = 0, k = 0; k < t->count; k++) {
        cab_chunk *c = &t->chunk[k];
        c->item = i;
        while (i < count && members[i].chunk == k && !members[i].across) i++;
        c->seam_item = i;
        while (i < count && members[i].chunk == k) i++;
        c->end_item = i;
    }
    for (int i = 0; i < count; i++) t->item[i] = members[i].item;
    t->item_count = count;
}

static const char *refuses(const cab_world *world)
{
    const cab_model *m = world->model;
    const cab_model_settings *s = &m->settings;
    if (s->contact.sleep) return "cables may sleep";
    if (s->chunks.seam == CAB_SEAM_SHIFT && s->doubles.on)
        return "shifted seams and double distances work against each other until the cable tears";
    if (s->chunks.seam == CAB_SEAM_SHIFT && s->contact.self)
        return "shifted seams and contact of a cable with itself (/contact/self) drive each other until it "
               "tears";
    if (m->body_count > m->cable_count) return "there are sheets";
    return m->particle_count != m->node_count ? "cables are joined" : NULL;
}

static cab_status build(const cab_world *world, chunk_tables *t, cab_error *error)
{
    const cab_model *m = world->model;
    member *members = NULL;
    int constraints = m->distance_count + m->bending_count;
    cab_status status = CAB_NEW(t->start, m->cable_count + 1, error);
    if (status == CAB_OK) status = CAB_NEW(t->chunk, m->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(t->of, m->particle_count, error);
    if (status == CAB_OK) status = CAB_NEW(t->item, constraints, error);
    if (status == CAB_OK) status = CAB_NEW(members, constraints, error);
    if (status == CAB_OK) {
        cut(world, t);
        list_members(m, t, members);
    }
    free(members);
    return status;
}

static void plan(cab_world *world, cab_launches *launches)
{
    const cab_model *m = world->model;
    const cab_model_settings *s = &m->settings;
    int chunks = cab_chunks_count(world);
    int flags = launches->flags | cab_all_length_flags(s);
    cab_launches_add(launches, CAB_STAGE_DISTANCE, CAB_KERNEL_chunks_solve, 0, chunks, flags);
    if (chunks == m->cable_count) return; /* no seams */
    if (s->chunks.seam == CAB_SEAM_SHIFT) {
        cab_launches_add(launches, CAB_STAGE_DISTANCE, CAB_KERNEL_chunks_seam, 0, m->cable_count, flags);
        cab_launches_add(launches, CAB_STAGE_DISTANCE, CAB_KERNEL_chunks_shift, 0, m->particle_count, flags);
    }
    cab_launches_add(launches, CAB_STAGE_DISTANCE, CAB_KERNEL_chunks_cross, 0, chunks, flags);
}

static cab_status start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    chunk_tables t = {0};
    cab_status status = build(world, &t, error);
    const cab_table tables[] = {
        {CAB_BUFFER_chunk, t.chunk, (size_t)t.count, sizeof *t.chunk},
        {CAB_BUFFER_chunk_start, t.start, (size_t)m->cable_count + 1, sizeof *t.start},
        {CAB_BUFFER_chunk_item, t.item, (size_t)t.item_count, sizeof *t.item},
        {CAB_BUFFER_chunk_of, t.of, (size_t)m->particle_count, sizeof *t.of},
        {CAB_BUFFER_chunk_shift, NULL, (size_t)t.count, sizeof(float4)},
    };
    if (status == CAB_OK) status = CAB_UPLOAD(world, tables, error);
    CAB_FREE(t.chunk, t.start, t.item, t.of);
    return status == CAB_OK ? cab_iterated_start(world, plan, error) : status;
}

const cab_carrier cab_chunks_carrier = {
    .way = CAB_WAY_CHUNKS, .refuses = refuses, .start = start, .substep = &cab_iterated_substep};

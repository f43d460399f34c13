#include "model/hash.h"

#include <string.h>

#include "model/constraint_kind.h"
#include "model/limits.h"
#include "model/scene.h"
#include "model/settings.h"

/* FNV-1a (G. Fowler, L. Noll, K.-P. Vo), by words of four bytes: nothing here is smaller. Its low bits never
 * see the high ones, so these are folded in after each word. */
#define OFFSET_BASIS 0xcbf29ce484222325u
#define PRIME 0x100000001b3u

void cab_hash_words(uint64_t *hash, const void *data, size_t bytes)
{
    const unsigned char *from = data;
    uint64_t h = *hash;
    for (size_t i = 0; i < bytes; i += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, from + i, sizeof word);
        h = (h ^ word) * PRIME;
        h ^= h >> 32;
    }
    *hash = h;
}

void cab_hash_array(uint64_t *hash, const void *data, int count, size_t size)
{
    cab_hash_words(hash, &count, sizeof count);
    if (count > 0) cab_hash_words(hash, data, (size_t)count * size);
}

void cab_hash_number(uint64_t *hash, double value)
{
    cab_hash_words(hash, &value, sizeof value);
}

void cab_hash_vector(uint64_t *hash, cab_vec3 v)
{
    cab_hash_number(hash, v.x);
    cab_hash_number(hash, v.y);
    cab_hash_number(hash, v.z);
}

void cab_hash_integer(uint64_t *hash, int value)
{
    cab_hash_words(hash, &value, sizeof value);
}

static void add_settings(uint64_t *hash, const cab_settings *s)
{
    cab_hash_vector(hash, s->gravity);
    cab_hash_vector(hash, s->wind);
    cab_hash_number(hash, s->frame_rate);
    cab_hash_integer(hash, s->substeps);
    if (cab_max_substeps(s)) cab_hash_integer(hash, cab_max_substeps(s));
    cab_hash_integer(hash, s->iterations);
    cab_hash_integer(hash, (int)s->method);
    for (int i = 0; i < CAB_METHOD_KEYS; i++) {
        const cab_field *f = &cab_method_keys[i].field;
        const void *value = (const char *)s + f->offset;
        if (value == (const void *)&s->bending && s->bending == CAB_BENDING_AUTO)
            continue; /* scenes without it keep their hash */
        if (cab_method_keys[i].kind == CAB_METHOD_SWITCH)
            cab_hash_integer(hash, *(const bool *)value);
        else
            cab_hash_words(hash, value, f->limit.integer ? sizeof(int) : sizeof(double));
    }
    cab_hash_integer(hash, s->contact.cables);
    cab_hash_integer(hash, s->contact.self);
    cab_hash_integer(hash, (int)s->contact.friction_model);
    cab_hash_number(hash, s->contact.static_speed);
    cab_hash_integer(hash, (int)s->contact.detection);
    if (s->contact.touching)
        cab_hash_integer(hash, (int)s->contact.touching); /* scenes without it keep their hash */
}

static void add_motions(uint64_t *hash, const cab_scene *scene)
{
    for (int i = 0; i < scene->collider_count; i++) {
        const cab_collider_def *def = &scene->colliders[i];
        cab_hash_array(hash, def->keyframes, def->keyframe_count, sizeof *def->keyframes);
    }
    for (int i = 0; i < scene->load_count; i++) {
        const cab_load_def *def = &scene->loads[i];
        cab_hash_array(hash, def->force_keyframes, def->force_keyframe_count, sizeof *def->force_keyframes);
    }
}

static void add_attachment(uint64_t *hash, const cab_model *model, const cab_model_attachment *a)
{
    const cab_attachment_def *def = &model->scene->attachments[a->scene_attachment];
    const int numbers[] = {a->scene_attachment, a->node, a->joint, a->joint ? a->target_node : 0, a->spare};
    cab_hash_words(hash, numbers, sizeof numbers);
    cab_hash_vector(hash, a->shift);
    cab_hash_number(hash, def->break_force);
    cab_hash_number(hash, def->compliance);
    cab_hash_number(hash, def->release_distance);
    cab_hash_integer(hash, def->keyframe_count);
    for (int i = 0; i < def->keyframe_count; i++) {
        cab_hash_number(hash, def->keyframes[i].t);
        cab_hash_vector(hash, def->keyframes[i].position);
    }
    if (def->roll != 0) cab_hash_number(hash, def->roll);
    if (def->roll_free) cab_hash_integer(hash, def->roll_free);
    if (def->roll_keyframe_count > 0)
        cab_hash_array(hash, def->roll_keyframes, def->roll_keyframe_count, sizeof *def->roll_keyframes);
    if (def->part == CAB_PART_ATTACHMENT) return;
    cab_hash_vector(hash, a->axis);
    cab_hash_vector(hash, a->mate);
    const double part[] = {(double)def->part, def->play, def->friction,        def->grip,
                           def->travel,       def->mass, def->insertion_depth, def->capture_radius};
    cab_hash_words(hash, part, sizeof part);
    cab_hash_array(hash, def->hand_keyframes, def->hand_keyframe_count, sizeof *def->hand_keyframes);
}

uint64_t cab_model_hash(const cab_model *m)
{
    uint64_t hash = OFFSET_BASIS;
    int segments = m->segment_count;
    add_settings(&hash, &m->scene->settings);
    cab_hash_array(&hash, m->node_particle, m->node_count, sizeof *m->node_particle);
    cab_hash_array(&hash, m->place, m->particle_count, sizeof *m->place);
    cab_hash_array(&hash, m->mass, m->particle_count, sizeof *m->mass);
    cab_hash_array(&hash, m->held, m->particle_count, sizeof *m->held);
    cab_hash_array(&hash, m->damping, m->particle_count, sizeof *m->damping);
    cab_hash_array(&hash, m->segment, segments, sizeof *m->segment);
    cab_hash_array(&hash, m->drag, segments, sizeof *m->drag);
    cab_hash_array(&hash, m->load, m->load_count, sizeof *m->load);
    cab_hash_array(&hash, m->collider, m->collider_count, sizeof *m->collider);
    cab_hash_array(&hash, m->group_collider, m->group_collider_count, sizeof *m->group_collider);
    cab_hash_array(&hash, m->exclude_start, segments + 1, sizeof *m->exclude_start);
    cab_hash_array(&hash, m->exclude, m->exclude_start[segments], sizeof *m->exclude);
    cab_hash_array(&hash, m->meshes.triangle, m->meshes.triangle_count, sizeof *m->meshes.triangle);
    for (int i = 0; i < m->placed_entry_count; i++) {
        cab_hash_integer(&hash, m->placed_entries[i].node);
        cab_hash_words(&hash, m->placed_entries[i].entry->number, sizeof m->placed_entries[i].entry->number);
    }
    for (int k = 0; k < cab_constraint_kind_count; k++)
        if (cab_constraint_kinds[k]->hash) cab_constraint_kinds[k]->hash(m, &hash);
    add_motions(&hash, m->scene);
    for (int i = 0; i < m->attachment_count; i++) add_attachment(&hash, m, &m->attachments[i]);
    return hash;
}

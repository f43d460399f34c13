#include "model/hash.h"

#include <string.h>

#include "model/limits.h"
#include "model/scene.h"

/* FNV-1a (G. Fowler, L. Noll, K.-P. Vo), by words of four bytes: nothing here is smaller. Its low bits never
 * see the high ones, so these are folded in after each word. */
#define OFFSET_BASIS 0xcbf29ce484222325u
#define PRIME 0x100000001b3u

static void add_words(uint64_t *hash, const void *data, size_t bytes)
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

/* An array, its length included, so that one that ends early cannot pass for the start of the next. */
static void add_array(uint64_t *hash, const void *data, int count, size_t size)
{
    add_words(hash, &count, sizeof count);
    if (count > 0) add_words(hash, data, (size_t)count * size);
}

static void add_number(uint64_t *hash, double value)
{
    add_words(hash, &value, sizeof value);
}

static void add_vector(uint64_t *hash, cab_vec3 v)
{
    add_number(hash, v.x);
    add_number(hash, v.y);
    add_number(hash, v.z);
}

static void add_integer(uint64_t *hash, int value)
{
    add_words(hash, &value, sizeof value);
}

static void add_settings(uint64_t *hash, const cab_settings *s)
{
    add_vector(hash, s->gravity);
    add_vector(hash, s->wind);
    add_number(hash, s->frame_rate);
    add_integer(hash, s->substeps);
    add_integer(hash, s->iterations);
    add_integer(hash, (int)s->method);
    for (int i = 0; i < CAB_METHOD_FIELDS; i++) {
        const cab_field *f = &cab_method_fields[i].field;
        add_words(hash, (const char *)s + f->offset, f->limit.integer ? sizeof(int) : sizeof(double));
    }
    for (int i = 0; i < CAB_METHOD_SWITCHES; i++)
        add_integer(hash, *(const bool *)((const char *)s + cab_method_switches[i].offset));
    for (int i = 0; i < CAB_METHOD_CHOICES; i++)
        add_words(hash, (const char *)s + cab_method_choices[i].offset, sizeof(int));
    add_integer(hash, s->contact_cables);
    add_integer(hash, s->contact_self);
    add_integer(hash, (int)s->friction_model);
    add_number(hash, s->static_speed);
    add_integer(hash, (int)s->detection);
}

static void add_motions(uint64_t *hash, const cab_scene *scene)
{
    for (int i = 0; i < scene->cable_count; i++) {
        const cab_feed_def *def = &scene->cables[i].feed;
        if (def->keyframe_count == 0) continue;
        add_integer(hash, def->at_end);
        add_number(hash, def->stored);
        add_array(hash, def->keyframes, def->keyframe_count, sizeof *def->keyframes);
    }
    for (int i = 0; i < scene->collider_count; i++) {
        const cab_collider_def *def = &scene->colliders[i];
        add_array(hash, def->keyframes, def->keyframe_count, sizeof *def->keyframes);
    }
    for (int i = 0; i < scene->load_count; i++) {
        const cab_load_def *def = &scene->loads[i];
        add_array(hash, def->force_keyframes, def->force_keyframe_count, sizeof *def->force_keyframes);
    }
}

static void add_attachment(uint64_t *hash, const cab_model *model, const cab_model_attachment *a)
{
    const cab_attachment_def *def = &model->scene->attachments[a->scene_attachment];
    const int numbers[] = {a->scene_attachment, a->node, a->joint, a->joint ? a->target_node : 0, a->spare};
    add_words(hash, numbers, sizeof numbers);
    add_vector(hash, a->shift);
    add_number(hash, def->break_force);
    add_number(hash, def->compliance);
    add_number(hash, def->release_distance);
    add_integer(hash, def->keyframe_count);
    for (int i = 0; i < def->keyframe_count; i++) {
        add_number(hash, def->keyframes[i].t);
        add_vector(hash, def->keyframes[i].position);
    }
    if (def->part == CAB_PART_ATTACHMENT) return;
    add_vector(hash, a->axis);
    add_vector(hash, a->mate);
    const double part[] = {(double)def->part, def->play, def->friction,        def->grip,
                           def->travel,       def->mass, def->insertion_depth, def->capture_radius};
    add_words(hash, part, sizeof part);
    add_array(hash, def->hand_keyframes, def->hand_keyframe_count, sizeof *def->hand_keyframes);
}

uint64_t cab_model_hash(const cab_model *m)
{
    uint64_t hash = OFFSET_BASIS;
    int segments = m->segment_count;
    add_settings(&hash, &m->scene->settings);
    add_array(&hash, m->node_particle, m->node_count, sizeof *m->node_particle);
    add_array(&hash, m->place, m->particle_count, sizeof *m->place);
    add_array(&hash, m->mass, m->particle_count, sizeof *m->mass);
    add_array(&hash, m->held, m->particle_count, sizeof *m->held);
    add_array(&hash, m->damping, m->particle_count, sizeof *m->damping);
    add_array(&hash, m->distance, m->distance_count, sizeof *m->distance);
    add_array(&hash, m->bending, m->bending_count, sizeof *m->bending);
    add_array(&hash, m->bending_target, m->bending_target_count, sizeof *m->bending_target);
    add_array(&hash, m->segment, segments, sizeof *m->segment);
    add_array(&hash, m->drag, segments, sizeof *m->drag);
    add_array(&hash, m->load, m->load_count, sizeof *m->load);
    add_array(&hash, m->collider, m->collider_count, sizeof *m->collider);
    add_array(&hash, m->group_collider, m->group_collider_count, sizeof *m->group_collider);
    add_array(&hash, m->exclude_start, segments + 1, sizeof *m->exclude_start);
    add_array(&hash, m->exclude, m->exclude_start[segments], sizeof *m->exclude);
    add_array(&hash, m->meshes.triangle, m->meshes.triangle_count, sizeof *m->meshes.triangle);
    add_array(&hash, m->own, m->own_count, sizeof *m->own);
    add_array(&hash, m->own_op, m->own_op_count, sizeof *m->own_op);
    add_array(&hash, m->tie, m->tie_count, sizeof *m->tie);
    add_motions(&hash, m->scene);
    for (int i = 0; i < m->attachment_count; i++) add_attachment(&hash, m, &m->attachments[i]);
    return hash;
}

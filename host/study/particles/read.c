/* Small values of a scene of particles, and room for what is read. */
#include "study/particles/read.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#ifndef ITEMS_MAX /* fuzzers set a lower one */
#define ITEMS_MAX 10000000
#endif
#define PI 3.14159265358979323846

static const cab_limit COORDINATE = {-1e6, 1e6, false};

/* The list, grown by one item of zeros: its room doubles when its count is a power of two. NULL without room. */
static void *append(const char *file, void *list, int *count, size_t size, cab_error *error)
{
    int n = *count;
    if (n >= ITEMS_MAX) {
        cab_fail(error, CAB_ERROR_INPUT, "%s: /particles: more than %d items of a kind", file, ITEMS_MAX);
        return NULL;
    }
    if ((n & (n - 1)) == 0) {
        void *bigger = realloc(list, (n ? 2 * (size_t)n : 1) * size);
        if (!bigger) {
            cab_fail_memory(error, "particles", (size_t)n * size);
            return NULL;
        }
        list = bigger;
    }
    memset((char *)list + (size_t)n * size, 0, size);
    *count = n + 1;
    return list;
}

cab_particle_def *cab_p_add_particle(cab_p_builder *b, cab_error *error)
{
    int *count = &b->scene->system.particle_count;
    cab_particle_def *list = append(b->file, b->particles, count, sizeof *list, error);
    if (!list) return NULL;
    b->particles = list;
    return list + *count - 1;
}

cab_particle_force_def *cab_p_add_force(cab_p_builder *b, cab_error *error)
{
    int *count = &b->scene->system.force_count;
    cab_particle_force_def *list = append(b->file, b->forces, count, sizeof *list, error);
    if (!list) return NULL;
    b->forces = list;
    return list + *count - 1;
}

cab_particle_constraint_def *cab_p_add_constraint(cab_p_builder *b, cab_error *error)
{
    int *count = &b->scene->system.constraint_count;
    cab_particle_constraint_def *list = append(b->file, b->constraints, count, sizeof *list, error);
    if (!list) return NULL;
    b->constraints = list;
    return list + *count - 1;
}

cab_status cab_p_read_number(const cab_cursor *object, const char *key, double *value)
{
    return cab_study_read_number(object, key, (cab_limit){-1e300, 1e300, false}, value);
}

cab_status cab_p_read_count(const cab_cursor *object, const char *key, int *value)
{
    return cab_study_read_integer(object, key, (cab_limit){1, ITEMS_MAX, true}, value);
}

cab_status cab_p_read_point(const cab_cursor *object, const char *key, bool required, cab_vec2 *value)
{
    cab_cursor child = cab_cursor_key(object, key);
    double xy[2];
    if (!child.value && !required) return CAB_OK;
    CAB_TRY(cab_read_numbers(&child, COORDINATE, xy, 2));
    *value = (cab_vec2){xy[0], xy[1]};
    return CAB_OK;
}

cab_status cab_p_read_angle(const cab_cursor *object, double *angle)
{
    double degrees = 180;
    CAB_TRY(cab_study_read_number(object, "angle", (cab_limit){-180, 180, false}, &degrees));
    *angle = degrees * PI / 180;
    return CAB_OK;
}

cab_status cab_p_read_indices(const cab_cursor *item, int least, int most, int *out)
{
    cab_cursor list = cab_cursor_key(item, "particles");
    size_t count = json_array_size(list.value);
    if (!json_is_array(list.value) || count < (size_t)least || count > (size_t)most) {
        char expected[64];
        snprintf(expected, sizeof expected, "an array of %d particle%s", most, most == 1 ? "" : "s");
        return cab_cursor_fail(&list, expected);
    }
    for (size_t i = 0; i < count; i++) {
        cab_cursor index = cab_cursor_item(&list, i);
        CAB_TRY(cab_read_integer(&index, (cab_limit){0, ITEMS_MAX, true}, &out[i]));
    }
    return CAB_OK;
}

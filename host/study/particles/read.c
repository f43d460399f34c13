/* Small values of a scene of particles, and room for what is read. */
#include "study/particles/read.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"

/* A new item of zeros at the end of a list; NULL, with an error, without room. list: where the pointer to it is. */
static void *append(const cab_p_builder *b, void *list, int *count, size_t size, cab_error *error)
{
    char *items;
    if (*count >= CAB_P_ITEMS_MAX) {
        cab_fail(error, CAB_ERROR_INPUT, "%s: /particles: more than %d items of a kind", b->file,
                 CAB_P_ITEMS_MAX);
        return NULL;
    }
    if (cab_array_one_more(list, size, *count, "particles", error)) return NULL;
    memcpy(&items, list, sizeof items);
    return memset(items + (size_t)(*count)++ * size, 0, size);
}

cab_particle_def *cab_p_add_particle(cab_p_builder *b, cab_error *error)
{
    return append(b, &b->particles, &b->scene->system.particle_count, sizeof *b->particles, error);
}

cab_particle_force_def *cab_p_add_force(cab_p_builder *b, cab_error *error)
{
    return append(b, &b->forces, &b->scene->system.force_count, sizeof *b->forces, error);
}

cab_particle_constraint_def *cab_p_add_constraint(cab_p_builder *b, cab_error *error)
{
    return append(b, &b->constraints, &b->scene->system.constraint_count, sizeof *b->constraints, error);
}

cab_status cab_p_read_angle(const cab_cursor *cursor, void *angle)
{
    double degrees = 0;
    CAB_TRY(cab_read_number(cursor, (cab_limit){-180, 180, false}, &degrees));
    *(double *)angle = CAB_P_RADIANS(degrees);
    return CAB_OK;
}

cab_status cab_p_read_indices(const cab_cursor *item, int count, int *out)
{
    cab_cursor list = cab_cursor_key(item, "particles");
    if (!json_is_array(list.value) || json_array_size(list.value) != (size_t)count) {
        char expected[64];
        snprintf(expected, sizeof expected, "an array of %d particle%s", count, count == 1 ? "" : "s");
        return cab_cursor_fail(&list, expected);
    }
    for (int i = 0; i < count; i++) {
        cab_cursor index = cab_cursor_item(&list, (size_t)i);
        CAB_TRY(cab_read_integer(&index, (cab_limit){0, CAB_P_ITEMS_MAX, true}, &out[i]));
    }
    return CAB_OK;
}

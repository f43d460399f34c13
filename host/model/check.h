/* What checks of items have in common: where they are, and what they expected. */
#ifndef CAB_CHECK_H
#define CAB_CHECK_H

#include "model/limits.h"
#include "model/scene.h"

#define CAB_CHECK_POINTER 512
#define CAB_CHECK_KEY 64

/* Where a check is: the scene and the item's JSON pointer. */
typedef struct cab_check_place {
    const cab_scene *scene;
    char pointer[CAB_CHECK_POINTER];
    cab_error *error;
} cab_check_place;

/* Item `index` of a list: "/cables/3". */
cab_check_place cab_check_begin(const cab_scene *scene, const char *list, int index, cab_error *error);
/* "SOURCE: POINTER/KEY: expected EXPECTED" */
cab_status cab_check_refuse(const cab_check_place *place, const char *key, const char *expected);
/* Each is CAB_ERROR_INPUT, and says at which key what was expected, when it does not hold. */

/* A number, each of several, each of a vector within a limit. */
cab_status cab_check_number(const cab_check_place *place, const char *key, double value, cab_limit limit);
/* Keyframes under the key `list`: one or more, numbers within the limit, times that increase. */
/* Poses of `keyframes`, whose key is `list`. */
cab_status cab_check_poses(const cab_check_place *place, const char *list, const cab_pose_keyframe *frames,
                           int count);
cab_status cab_check_keyframes(const cab_check_place *place, const char *list, const cab_keyframe *frames,
                               int count, cab_limit limit);
/* Keyframes of one number, {t, number}: KEY/0/0 is the first time. Times increase. */
cab_status cab_check_numbers_in_time(const cab_check_place *place, const char *key,
                                     const double (*keyframes)[2], int count, cab_limit limit);
cab_status cab_check_numbers(const cab_check_place *place, const char *key, const double *values, int count,
                             cab_limit limit);
cab_status cab_check_vec3(const cab_check_place *place, const char *key, cab_vec3 value, cab_limit limit);
/* Numbers of a struct, by table. */
cab_status cab_check_fields(const cab_check_place *place, const cab_field *fields, int count,
                            const void *def);
/* A name that is not empty and not too long. The failure where an item `twin` of `list` has it already. */
cab_status cab_check_name(const cab_check_place *place, const char *name);
cab_status cab_check_twin(const cab_check_place *place, const char *name, const char *list, int twin);
/* Numbers that are not all 0. */
cab_status cab_check_not_zero(const cab_check_place *place, const char *key, const double *values, int count,
                              cab_limit limit);
/* Copies along x, y and z, and the spacing between them. */
cab_status cab_check_copies(const cab_check_place *place, const int copies[3], const double spacing[3]);
/* A place of a cable, or of a sheet. */
cab_status cab_check_at(const cab_check_place *place, const char *key, const cab_place *at, bool of_sheet);

#endif

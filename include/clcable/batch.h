/* clcable: many environments of one kind, stepped side by side: for learning, and for studies of parameters.
 *
 * An environment is a world of its own. Nothing that happens in one reaches another: not contact, not the
 * moment at which lists are made anew, not a divergence. So environment i gives the same bits as its scene
 * run alone on that device, whatever the number of environments and threads, and resetting it gives those of
 * a new world.
 *
 * The environments are shared out to threads, each of them one thread's at a time. Where they run in the way
 * lanes, a launch takes the cables of several: on "native" of neighbours, on OpenCL of all environments, but for
 * those that have just begun, each of which takes its first frame by itself. Others (contact, joints) have
 * launches of their own: on OpenCL thousands of cables that touch are better served by one world with copies of
 * a cable. A batch and its worlds belong to one thread of yours at a time.
 */
#ifndef CLCABLE_BATCH_H
#define CLCABLE_BATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cab_batch cab_batch;

/** Makes an environment of each scene, in that order. Scenes may differ in numbers (lengths, materials,
 * targets, ...), not in what arrays are made of: nodes, cables, attachments, loads, frame rate.
 *
 * @param count  at least 1
 * @param def    as for a world; `threads` share out the environments (0 = all cores). `log` may be
 *               called from several threads at once. `gl` must be NULL
 * @return CAB_OK; as cab_world_create(), the message begins with the environment; CAB_ERROR_INPUT for scenes
 *         that do not fit together. On success *batch must be freed with cab_batch_destroy(). The scenes may
 *         go.
 */
CAB_API cab_status cab_batch_create(const cab_scene *const *scenes, int count, const cab_world_def *def,
                                    cab_batch **batch, cab_error *error);

/** Frees a batch and its worlds. NULL is allowed. */
CAB_API void cab_batch_destroy(cab_batch *batch);

/** Environments in it. */
CAB_API int cab_batch_count(const cab_batch *batch);

/** The world of an environment, for all that is not here: measures, events, materials. It belongs to the
 * batch, until the environment is reset or put into a state; the batch alone steps it. */
CAB_API cab_world *cab_batch_world(cab_batch *batch, int environment);

/** Advances all by `frames` frames but those that have diverged, which stay as they are until they are reset.
 *
 * @return CAB_OK, also when some diverge; CAB_ERROR_DEVICE, CAB_ERROR_MEMORY: the message names the first
 *         environment that failed, the others have stepped
 */
CAB_API cab_status cab_batch_step(cab_batch *batch, int frames, cab_error *error);

/** Which environments have diverged since they began: diverged[count]. */
CAB_API void cab_batch_get_diverged(const cab_batch *batch, bool *diverged);

/** Rows of all environments, as cab_world_read(): position [count][nodes][3], velocity likewise, tension
 * [count][nodes]. Any pointer may be NULL. What has diverged may hold anything. */
CAB_API cab_status cab_batch_read(cab_batch *batch, double *position, double *velocity, double *tension,
                                  cab_error *error);

/** Moments of twist of all environments, as cab_world_read_torque(): torque [count][nodes], N m. */
CAB_API cab_status cab_batch_read_torque(cab_batch *batch, double *torque, cab_error *error);

/** Puts environments back to their start: as new, bit for bit, but for events that have been.
 *
 * @param mask  [count] which; NULL = all
 * @return CAB_OK; as cab_world_create(): an environment that could not be made again is as it was
 */
CAB_API cab_status cab_batch_reset(cab_batch *batch, const bool *mask, cab_error *error);

/** cab_world_set_target() in each environment: points[count][3], m. `mask` [count] says where; NULL = in all.
 */
CAB_API cab_status cab_batch_set_targets(cab_batch *batch, int attachment, const double *points,
                                         const bool *mask, cab_error *error);

/** cab_world_set_roll() in each environment: rolls[count], rad. */
CAB_API cab_status cab_batch_set_rolls(cab_batch *batch, int attachment, const double *rolls,
                                       const bool *mask, cab_error *error);

/** cab_world_set_load() in each environment: forces[count][3], N. */
CAB_API cab_status cab_batch_set_loads(cab_batch *batch, int load, const double *forces, const bool *mask,
                                       cab_error *error);

/** The state of one environment, as cab_world_pack(). */
CAB_API cab_status cab_batch_pack(cab_batch *batch, int environment, void **state, size_t *size,
                                  cab_error *error);

/** Puts an environment into a state, also one from before something broke or diverged. The state must be of
 * an environment with the same numbers. On failure the environment is as it was, or lost where
 * cab_world_unpack() loses a world. */
CAB_API cab_status cab_batch_unpack(cab_batch *batch, int environment, const void *state, size_t size,
                                    cab_error *error);

#ifdef __cplusplus
}
#endif
#endif

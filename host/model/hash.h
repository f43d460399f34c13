/* A number that tells one model from another: what does not have the same particles and constraints cannot
 * take over another's state. */
#ifndef CAB_MODEL_HASH_H
#define CAB_MODEL_HASH_H

#include <stdint.h>

#include "model/model.h"

/* Of a model as it was made: settings but for duration and way, particles, constraints, loads, colliders,
 * attachments. Names do not count. */
uint64_t cab_model_hash(const cab_model *model);

#endif

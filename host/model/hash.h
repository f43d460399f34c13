/* A number that tells one model from another: what does not have the same particles and constraints cannot
 * take over another's state. */
#ifndef CAB_MODEL_HASH_H
#define CAB_MODEL_HASH_H

#include <stdint.h>

#include "model/model.h"

/* Of a model as it was made: settings but for duration and way, particles, constraints, loads, colliders,
 * attachments. Names do not count. */
uint64_t cab_model_hash(const cab_model *model);

/* Goes on with a hash: an array, its length included, so that one that ends early cannot pass for the start of the next; numbers. */
void cab_hash_array(uint64_t *hash, const void *data, int count, size_t size);
void cab_hash_words(uint64_t *hash, const void *data, size_t bytes);
void cab_hash_number(uint64_t *hash, double value);
void cab_hash_vector(uint64_t *hash, cab_vec3 v);
void cab_hash_integer(uint64_t *hash, int value);

#endif

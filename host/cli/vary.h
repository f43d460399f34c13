/* What a sweep varies: values of a scene by their JSON pointers, and the variants that they make. */
#ifndef CAB_VARY_H
#define CAB_VARY_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/options.h"

#define CAB_VARIANTS_MAX 1000000

typedef enum cab_vary_kind {
    CAB_VARY_LIST = 0, /* some values; also FROM:TO:COUNT */
    CAB_VARY_RANGE,    /* FROM:TO, any number between, equally likely */
    CAB_VARY_NORMAL    /* normal:MEAN:DEVIATION */
} cab_vary_kind;

/* One --vary. */
typedef struct cab_vary {
    char *pointer;
    const char *spec; /* as written, behind the "=" */
    cab_vary_kind kind;
    char **values; /* of a list: JSON, or text */
    int value_count;
    double a, b; /* of a range its ends, of a normal distribution mean and deviation */
} cab_vary;

typedef struct cab_plan {
    cab_vary *varied;
    int varied_count;
    int variant_count;
    char **values; /* [variant_count][varied_count] */
} cab_plan;

/* How variants are drawn; random 0 = all combinations of the lists. */
typedef struct cab_draw_rule {
    long random; /* variants */
    long seed;
    bool latin; /* Latin hypercube: each value's range is cut into as many equal parts, each is met once (M.
                   McKay, R. Beckman, W. Conover 1979) */
} cab_draw_rule;

/* Reads "POINTER=SPEC" words and makes the variants. False after an error message. The last --vary changes
 * fastest. */
bool cab_plan_make(const cab_word_list *words, const cab_draw_rule *rule, cab_plan *plan);
void cab_plan_free(cab_plan *plan);

static inline const char *cab_plan_value(const cab_plan *plan, int variant, int varied)
{
    return plan->values[(size_t)variant * (size_t)plan->varied_count + (size_t)varied];
}

#endif

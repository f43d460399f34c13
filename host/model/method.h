/* What the methods differ in, as data. A method is a rule for what a constraint does in an iteration, and
 * what of a scene it can honour; the engine around it is the same for all. */
#ifndef CAB_METHOD_H
#define CAB_METHOD_H

#include <stdbool.h>

#include "model/scene.h"

/* What a constraint does. */
typedef enum cab_rule {
    CAB_RULE_COMPLIANT, /* XPBD: multiplier and compliance */
    CAB_RULE_PROJECTED, /* PBD, Jakobsen: a share of the error, nothing remembered */
    CAB_RULE_SPRING,    /* forces at the start of a substep */
    CAB_RULE_AVERAGED,  /* all at once, gathered by particle */
    CAB_RULE_DIRECT     /* solved along the cable */
} cab_rule;

typedef struct cab_method_traits {
    const char *name;
    cab_rule rule;
    bool equal_weights; /* by default */
    bool halves;        /* with equal weights each end takes half, even where the other one is held */
    bool one_iteration; /* more would do nothing, or something else */
    bool bends;         /* honours bending_stiffness */
    bool stretches;     /* honours stretching_stiffness */
    bool clamps;
    const cab_way *ways; /* the one for any scene last, then CAB_WAY_AUTO */
} cab_method_traits;

/* NULL when there is no such method. */
const cab_method_traits *cab_method_traits_of(cab_method method);

/* Do ends share corrections equally? */
bool cab_equal_weights(const cab_settings *settings);

/* Do iterations end when little moves? */
bool cab_is_adaptive(const cab_settings *settings);

/* A parameter that the method cannot honour is never ignored silently. */
cab_status cab_method_check(const cab_scene *scene, cab_error *error);

/* "/materials/M/KEY: the method "..." does not CANNOT; expected EXPECTED, got VALUE": CAB_ERROR_UNSUPPORTED. */
cab_status cab_method_refuse_material(const cab_scene *scene, int material, const char *key,
                                      const char *cannot, const char *expected, double value,
                                      cab_error *error);

#endif

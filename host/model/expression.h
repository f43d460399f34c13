/* An expression over the places of a stencil of particles: parsed, type-checked and made into a straight list
 * of scalar operations, from which every device evaluates it with the same bits.
 *
 *     sum     = product { ("+" | "-") product }
 *     product = signed { ("*" | "/") signed }
 *     signed  = ("-" | "+") signed | power
 *     power   = part [ "^" whole number from 2 to 16 ]
 *     part    = atom { "." ("x" | "y" | "z") }
 *     atom    = number | name | name "(" sum { "," sum } ")" | "(" sum ")" | "[" sum "," sum "," sum "]"
 *
 * docs/methods/own-constraints.md lists names and functions. */
#ifndef CAB_EXPRESSION_H
#define CAB_EXPRESSION_H

#include <stdbool.h>

#include <clcable/scene.h>

#include "kernels/types.h"

#define CAB_EXPRESSION_LENGTH 4000 /* bytes */

typedef struct cab_expression {
    cab_own_op op[CAB_OWN_OPS]; /* each takes results of earlier ones; the last is the expression's value */
    double number[CAB_OWN_OPS]; /* op[i].value before it was rounded */
    int count;
    bool invariant; /* the value stays when all particles are shifted alike */
} cab_expression;

typedef struct cab_expression_fault {
    int column; /* byte of the text, from 1 */
    char text[240];
} cab_expression_fault;

/* Particles are p0, p1, ...; there are `particles`. False, and a fault, unless the text gives one number. */
bool cab_expression_parse(const char *text, int particles, const cab_parameter *parameters,
                          int parameter_count, cab_expression *expression, cab_expression_fault *fault);

/* The same of numbers that have names: input i is called names[i]. A constant will do, too. */
bool cab_expression_parse_named(const char *text, const char *const *names, int count,
                                cab_expression *expression, cab_expression_fault *fault);

/* Whether a parameter may be called so; false, and why not. */
bool cab_expression_name_is_free(const char *name, const char **reason);

#endif

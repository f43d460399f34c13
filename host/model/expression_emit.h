/* Operations of an expression as it is read: vectors become three scalars, functions become + - * /, square
 * roots and comparisons, so that every device rounds alike; equal operations are made once; constants are
 * worked out here, in doubles.
 *
 * Each scalar knows how it changes when all particles are shifted by t: by shift . t, or in some other way.
 */
#ifndef CAB_EXPRESSION_EMIT_H
#define CAB_EXPRESSION_EMIT_H

#include "model/expression.h"

typedef struct cab_scalar {
    bool constant;
    double number;   /* of a constant */
    int op;          /* of the rest */
    double shift[3]; /* all 0 of a constant */
    bool odd;        /* changes in some other way */
} cab_scalar;

typedef struct cab_value {
    int size; /* 1: a number; 3: a vector */
    cab_scalar part[3];
} cab_value;

typedef struct cab_emitter {
    cab_expression *out;
    bool full; /* there was no room for an operation */
} cab_emitter;

cab_scalar cab_constant_scalar(double number);
cab_value cab_emit_place(cab_emitter *emit, int particle);
cab_value cab_emit_rest(cab_emitter *emit);
cab_value cab_emit_input(cab_emitter *emit, int index);
/* The same, but never a constant: an operation at least. */
cab_value cab_emit_operation(cab_emitter *emit, const cab_value *value);

/* An operation of two, component by component; a number goes with each component of a vector. */
cab_value cab_emit_each(cab_emitter *emit, int op, const cab_value *a, const cab_value *b);
cab_value cab_emit_negated(cab_emitter *emit, const cab_value *a);
cab_value cab_emit_dot(cab_emitter *emit, const cab_value *a, const cab_value *b);
cab_value cab_emit_cross(cab_emitter *emit, const cab_value *a, const cab_value *b);
cab_value cab_emit_length(cab_emitter *emit, const cab_value *a);
cab_value cab_emit_sqrt(cab_emitter *emit, const cab_value *a);
cab_value cab_emit_abs(cab_emitter *emit, const cab_value *a);
cab_value cab_emit_sin(cab_emitter *emit, const cab_value *a);
cab_value cab_emit_cos(cab_emitter *emit, const cab_value *a);
cab_value cab_emit_acos(cab_emitter *emit, const cab_value *a);
cab_value cab_emit_atan2(cab_emitter *emit, const cab_value *y, const cab_value *x);
/* Between two vectors, 0 to pi; exact also where they are nearly parallel, where acos is not. */
cab_value cab_emit_angle(cab_emitter *emit, const cab_value *a, const cab_value *b);

/* `value` is what the expression stands for. */
void cab_emit_end(cab_emitter *emit, const cab_value *value);

#endif

/* The user's own constraints: evaluates an expression at a stencil's places and at those of its central
 * differences.
 *
 * In OpenCL expressions are compiled. In C their operations are interpreted, each operation for all
 * evaluations of a gradient at once, in vectors. Both do the same correctly rounded operations in the same
 * order, so the bits are the same. */
#ifndef CAB_OWN_H
#define CAB_OWN_H

#include "types.h"
#include "vector.h"

#ifdef __OPENCL_VERSION__

#include "expressions.h"

/* value[2 k], [2 k + 1]: with coordinate k of x larger, smaller by `apart`; the last value: at x. */
CAB_INLINE void cab_own_values(int kind, int inputs, real *x, real apart, real rest, real *value)
{
    for (int k = 0; k < 2 * inputs; k++) {
        real at = x[k >> 1];
        x[k >> 1] = k & 1 ? at - apart : at + apart;
        value[k] = cab_expression(kind, x, rest);
        x[k >> 1] = at;
    }
    value[2 * inputs] = cab_expression(kind, x, rest);
}

#else

/* Does one operation in all lanes. */
CAB_INLINE void cab_own_step(cab_own_op op, const real *a, const real *b, const real *c, int width, real *r)
{
    switch (op.op) {
    case CAB_OWN_NEGATE:
        CAB_VECTOR_LOOP(l, width) r[l] = -a[l];
        break;
    case CAB_OWN_SQRT:
        CAB_VECTOR_LOOP(l, width) r[l] = sqrt(a[l]);
        break;
    case CAB_OWN_FLOOR:
        CAB_VECTOR_LOOP(l, width) r[l] = floor(a[l]);
        break;
    case CAB_OWN_ADD:
        CAB_VECTOR_LOOP(l, width) r[l] = a[l] + b[l];
        break;
    case CAB_OWN_SUBTRACT:
        CAB_VECTOR_LOOP(l, width) r[l] = a[l] - b[l];
        break;
    case CAB_OWN_MULTIPLY:
        CAB_VECTOR_LOOP(l, width) r[l] = a[l] * b[l];
        break;
    case CAB_OWN_DIVIDE:
        CAB_VECTOR_LOOP(l, width) r[l] = a[l] / b[l];
        break;
    case CAB_OWN_MIN:
        CAB_VECTOR_LOOP(l, width) r[l] = a[l] < b[l] ? a[l] : b[l];
        break;
    case CAB_OWN_MAX:
        CAB_VECTOR_LOOP(l, width) r[l] = a[l] > b[l] ? a[l] : b[l];
        break;
    default: /* CAB_OWN_CHOOSE */
        CAB_VECTOR_LOOP(l, width) r[l] = a[l] < 0 ? b[l] : c[l];
        break;
    }
}

/* As cab_own_values above, for the expression with these operations. */
CAB_INLINE void cab_own_values(const cab_own_op *code, int count, int inputs, const real *x, real apart,
                               real rest, real *value)
{
    real result[CAB_OWN_OPS][CAB_OWN_LANES];
    int width = (2 * inputs + 8) / 8 * 8; /* 2 inputs + 1, rounded up to whole vectors */
    for (int i = 0; i < count; i++) {
        cab_own_op op = code[i];
        real *r = result[i];
        if (op.op >= CAB_OWN_FIRST_OF_RESULTS) {
            cab_own_step(op, result[op.a], result[op.b], result[op.c], width, r);
            continue;
        }
        real same = op.op == CAB_OWN_CONSTANT ? op.value : op.op == CAB_OWN_REST ? rest : x[op.a];
        CAB_VECTOR_LOOP(l, width) r[l] = same;
        if (op.op == CAB_OWN_INPUT) {
            r[2 * op.a] = same + apart;
            r[2 * op.a + 1] = same - apart;
        }
    }
    for (int l = 0; l <= 2 * inputs; l++) value[l] = result[count - 1][l];
}

#endif
#endif

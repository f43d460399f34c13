/* Writes a scene's expressions as OpenCL C, in place of kernels/expressions.h: a line for each operation. No
 * text of the user gets into it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/text.h"

static void write_op(cab_text *text, const cab_own_op *op, int index)
{
    unsigned bits;
    memcpy(&bits, &op->value, sizeof bits);
    cab_text_format(text, "    real t%d = ", index);
    int a = op->a, b = op->b, c = op->c;
    switch (op->op) {
    case CAB_OWN_CONSTANT:
        cab_text_format(text, "as_float(0x%08xu)", bits);
        break;
    case CAB_OWN_INPUT:
        cab_text_format(text, "x[%d]", a);
        break;
    case CAB_OWN_REST:
        cab_text_format(text, "rest");
        break;
    case CAB_OWN_NEGATE:
        cab_text_format(text, "-t%d", a);
        break;
    case CAB_OWN_SQRT:
        cab_text_format(text, "sqrt(t%d)", a);
        break;
    case CAB_OWN_FLOOR:
        cab_text_format(text, "floor(t%d)", a);
        break;
    case CAB_OWN_ADD:
        cab_text_format(text, "t%d + t%d", a, b);
        break;
    case CAB_OWN_SUBTRACT:
        cab_text_format(text, "t%d - t%d", a, b);
        break;
    case CAB_OWN_MULTIPLY:
        cab_text_format(text, "t%d * t%d", a, b);
        break;
    case CAB_OWN_DIVIDE:
        cab_text_format(text, "t%d / t%d", a, b);
        break;
    case CAB_OWN_MIN:
        cab_text_format(text, "t%d < t%d ? t%d : t%d", a, b, a, b);
        break;
    case CAB_OWN_MAX:
        cab_text_format(text, "t%d > t%d ? t%d : t%d", a, b, a, b);
        break;
    default: /* CAB_OWN_CHOOSE */
        cab_text_format(text, "t%d < 0 ? t%d : t%d", a, b, c);
        break;
    }
    cab_text_format(text, ";\n");
}

static void write_function(cab_text *text, int kind, const cab_own_op *op, int count)
{
    cab_text_format(text, "CAB_INLINE real cab_expression_%d(const real *x, real rest)\n{\n", kind);
    for (int i = 0; i < count; i++) write_op(text, &op[i], i);
    cab_text_format(text, "    return t%d;\n}\n\n", count - 1);
}

cab_status cab_opencl_express(cab_backend *backend, const cab_own_kind *kinds, int count,
                              const cab_own_op *ops, cab_error *error)
{
    cab_opencl *opencl = (cab_opencl *)backend;
    cab_text text = {0};
    for (int i = 0; i < count; i++) {
        if (kinds[i].op_count > 0) write_function(&text, i, ops + kinds[i].first_op, kinds[i].op_count);
    }
    cab_text_format(&text, "CAB_INLINE real cab_expression(int kind, const real *x, real rest)\n{\n");
    cab_text_format(&text, "    switch (kind) {\n");
    for (int i = 0; i < count; i++) {
        if (kinds[i].op_count > 0)
            cab_text_format(&text, "    case %d: return cab_expression_%d(x, rest);\n", i, i);
    }
    cab_text_format(&text, "    }\n    return 0;\n}\n\n#define CAB_OWN_SWITCH(kind, CALL) switch (kind) {");
    for (int i = 0; i < count; i++) {
        if (kinds[i].op_count > 0)
            cab_text_format(&text, " \\\n    case %d: CALL(%d, %d); break;", i, i, kinds[i].particles);
    }
    cab_text_format(&text, " }\n");
    free(opencl->expressions);
    opencl->expressions = cab_text_take(&text);
    return opencl->expressions ? CAB_OK : cab_fail_memory(error, "expressions", 0);
}

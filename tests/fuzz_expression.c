/* libFuzzer target for expressions: whatever is read ends in a fault with its column, or in operations that
 * can be evaluated. The first byte is the stencil's size; one parameter is called r.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/expression.h"

#define CAB_KERNELS_AS_C
#include "kernels/own.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_fault(const cab_expression_fault *fault, size_t length)
{
    size_t used = strnlen(fault->text, sizeof fault->text);
    if (used == 0 || used == sizeof fault->text) abort();
    if (fault->column < 1 || (size_t)fault->column > length + 1) abort();
    for (size_t i = 0; i < used; i++)
        if ((unsigned char)fault->text[i] < 0x20 || (unsigned char)fault->text[i] > 0x7e) abort();
}

static void check_operations(const cab_expression *e, int inputs)
{
    float x[CAB_OWN_INPUTS], value[2 * CAB_OWN_INPUTS + 1];
    if (e->count < 1 || e->count > CAB_OWN_OPS) abort();
    for (int i = 0; i < e->count; i++) {
        const cab_own_op *op = &e->op[i];
        if (op->op < 0 || op->op > CAB_OWN_CHOOSE) abort();
        if (op->op == CAB_OWN_INPUT && (op->a < 0 || op->a >= inputs)) abort();
        if (op->op < CAB_OWN_FIRST_OF_RESULTS) continue;
        if (op->a < 0 || op->a >= i || op->b < 0 || op->b >= i || op->c < 0 || op->c >= i) abort();
    }
    for (int i = 0; i < inputs; i++) x[i] = 0.1f * (float)i;
    cab_own_values(e->op, e->count, inputs, x, 1e-3f, 0.02f, value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const cab_parameter parameter = {"r", 0.05};
    if (size == 0) return 0;
    int particles = 1 + data[0] % CAB_OWN_PARTICLES;
    char *text = malloc(size);
    if (!text) return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    cab_expression expression;
    cab_expression_fault fault = {0};
    if (cab_expression_parse(text, particles, &parameter, 1, &expression, &fault))
        check_operations(&expression, 3 * particles);
    else
        check_fault(&fault, strlen(text));
    free(text);
    return 0;
}

#include "model/expression_emit.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

cab_scalar cab_constant_scalar(double number)
{
    return (cab_scalar){.constant = true, .number = number};
}

/* The operation's index; an equal one that is there already is taken again. */
static int add_number(cab_emitter *emit, cab_own_op op, double number)
{
    cab_expression *out = emit->out;
    for (int i = 0; i < out->count; i++)
        if (memcmp(&out->op[i], &op, sizeof op) == 0 && out->number[i] == number) return i;
    emit->full = emit->full || out->count == CAB_OWN_OPS;
    if (emit->full) return 0;
    out->op[out->count] = op;
    out->number[out->count] = number;
    return out->count++;
}

static int add_op(cab_emitter *emit, cab_own_op op)
{
    return add_number(emit, op, 0);
}

static int op_of(cab_emitter *emit, const cab_scalar *s)
{
    if (!s->constant) return s->op;
    return add_number(emit, (cab_own_op){.op = CAB_OWN_CONSTANT, .value = (float)s->number}, s->number);
}

/* Does it feel a shift of all particles? */
static bool moves(const cab_scalar *s)
{
    return s->odd || s->shift[0] != 0 || s->shift[1] != 0 || s->shift[2] != 0;
}

static double fold(int op, double a, double b)
{
    switch (op) {
    case CAB_OWN_ADD:
        return a + b;
    case CAB_OWN_SUBTRACT:
        return a - b;
    case CAB_OWN_MULTIPLY:
        return a * b;
    case CAB_OWN_DIVIDE:
        return a / b;
    case CAB_OWN_MIN:
        return a < b ? a : b;
    case CAB_OWN_MAX:
        return a > b ? a : b;
    case CAB_OWN_NEGATE:
        return -a;
    case CAB_OWN_FLOOR:
        return floor(a);
    default: /* CAB_OWN_SQRT */
        return sqrt(a);
    }
}

/* How a sum, or a product with a constant, is shifted; of anything else that moves no more is known. */
static void set_shift(cab_scalar *r, int op, const cab_scalar *a, const cab_scalar *b)
{
    double scale_a = 0, scale_b = 0;
    if (op == CAB_OWN_ADD || op == CAB_OWN_SUBTRACT) {
        scale_a = 1;
        scale_b = op == CAB_OWN_ADD ? 1 : -1;
    } else if (op == CAB_OWN_MULTIPLY && b->constant) {
        scale_a = b->number;
    } else if (op == CAB_OWN_MULTIPLY && a->constant) {
        scale_b = a->number;
    } else if (op == CAB_OWN_DIVIDE && b->constant) {
        scale_a = 1 / b->number;
    } else if (op == CAB_OWN_NEGATE) {
        scale_a = -1;
    } else {
        r->odd = moves(a) || moves(b);
        return;
    }
    for (int i = 0; i < 3; i++) r->shift[i] = scale_a * a->shift[i] + scale_b * b->shift[i];
    r->odd = a->odd || b->odd;
}

static cab_scalar two(cab_emitter *emit, int op, cab_scalar a, cab_scalar b)
{
    if (a.constant && b.constant) return cab_constant_scalar(fold(op, a.number, b.number));
    cab_scalar r = {.op = add_op(emit, (cab_own_op){.op = op, .a = op_of(emit, &a), .b = op_of(emit, &b)})};
    set_shift(&r, op, &a, &b);
    return r;
}

static cab_scalar one(cab_emitter *emit, int op, cab_scalar a)
{
    if (a.constant) return cab_constant_scalar(fold(op, a.number, 0));
    cab_scalar r = {.op = add_op(emit, (cab_own_op){.op = op, .a = op_of(emit, &a)})};
    set_shift(&r, op, &a, &a);
    return r;
}

static cab_scalar add(cab_emitter *emit, cab_scalar a, cab_scalar b)
{
    return two(emit, CAB_OWN_ADD, a, b);
}

static cab_scalar subtract(cab_emitter *emit, cab_scalar a, cab_scalar b)
{
    return two(emit, CAB_OWN_SUBTRACT, a, b);
}

static cab_scalar multiply(cab_emitter *emit, cab_scalar a, cab_scalar b)
{
    return two(emit, CAB_OWN_MULTIPLY, a, b);
}

/* `low` where a < 0, else `high`. */
static cab_scalar choose(cab_emitter *emit, cab_scalar a, cab_scalar low, cab_scalar high)
{
    if (a.constant) return a.number < 0 ? low : high;
    cab_own_op op = {
        .op = CAB_OWN_CHOOSE, .a = op_of(emit, &a), .b = op_of(emit, &low), .c = op_of(emit, &high)};
    return (cab_scalar){.op = add_op(emit, op), .odd = moves(&a) || moves(&low) || moves(&high)};
}

static cab_value number_of(cab_scalar s)
{
    return (cab_value){.size = 1, .part = {s}};
}

cab_value cab_emit_place(cab_emitter *emit, int particle)
{
    cab_value place = {.size = 3};
    for (int i = 0; i < 3; i++) {
        place.part[i].op = add_op(emit, (cab_own_op){.op = CAB_OWN_INPUT, .a = 3 * particle + i});
        place.part[i].shift[i] = 1;
    }
    return place;
}

cab_value cab_emit_rest(cab_emitter *emit)
{
    return number_of((cab_scalar){.op = add_op(emit, (cab_own_op){.op = CAB_OWN_REST})});
}

cab_value cab_emit_input(cab_emitter *emit, int index)
{
    cab_scalar s = {.op = add_op(emit, (cab_own_op){.op = CAB_OWN_INPUT, .a = index}), .odd = true};
    return number_of(s);
}

cab_value cab_emit_operation(cab_emitter *emit, const cab_value *value)
{
    cab_scalar s = value->part[0];
    s.op = op_of(emit, &s);
    s.constant = false;
    return number_of(s);
}

cab_value cab_emit_each(cab_emitter *emit, int op, const cab_value *a, const cab_value *b)
{
    cab_value r = {.size = a->size > b->size ? a->size : b->size};
    for (int i = 0; i < r.size; i++)
        r.part[i] = two(emit, op, a->part[a->size == 1 ? 0 : i], b->part[b->size == 1 ? 0 : i]);
    return r;
}

cab_value cab_emit_negated(cab_emitter *emit, const cab_value *a)
{
    cab_value r = {.size = a->size};
    for (int i = 0; i < r.size; i++) r.part[i] = one(emit, CAB_OWN_NEGATE, a->part[i]);
    return r;
}

/* x x + y y + z z from left to right, as vec3_dot of the kernels. */
static cab_scalar dot(cab_emitter *emit, const cab_value *a, const cab_value *b)
{
    cab_scalar sum = multiply(emit, a->part[0], b->part[0]);
    for (int i = 1; i < 3; i++) sum = add(emit, sum, multiply(emit, a->part[i], b->part[i]));
    return sum;
}

cab_value cab_emit_dot(cab_emitter *emit, const cab_value *a, const cab_value *b)
{
    return number_of(dot(emit, a, b));
}

cab_value cab_emit_cross(cab_emitter *emit, const cab_value *a, const cab_value *b)
{
    cab_value r = {.size = 3};
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        cab_scalar first = multiply(emit, a->part[j], b->part[k]);
        r.part[i] = subtract(emit, first, multiply(emit, a->part[k], b->part[j]));
    }
    return r;
}

cab_value cab_emit_length(cab_emitter *emit, const cab_value *a)
{
    return number_of(one(emit, CAB_OWN_SQRT, dot(emit, a, a)));
}

cab_value cab_emit_sqrt(cab_emitter *emit, const cab_value *a)
{
    return number_of(one(emit, CAB_OWN_SQRT, a->part[0]));
}

static cab_scalar absolute(cab_emitter *emit, cab_scalar a)
{
    return two(emit, CAB_OWN_MAX, a, one(emit, CAB_OWN_NEGATE, a));
}

cab_value cab_emit_abs(cab_emitter *emit, const cab_value *a)
{
    return number_of(absolute(emit, a->part[0]));
}

/* t + t (u c[0] + u^2 c[1] + ...), u = t^2 */
static cab_scalar odd_series(cab_emitter *emit, cab_scalar t, const double *c, int count)
{
    cab_scalar u = multiply(emit, t, t), sum = cab_constant_scalar(c[count - 1]);
    for (int i = count - 2; i >= 0; i--) sum = add(emit, multiply(emit, sum, u), cab_constant_scalar(c[i]));
    return add(emit, t, multiply(emit, multiply(emit, sum, u), t));
}

/* Turned by whole turns into -pi ... pi, the outer quarters mirrored; then the series up to t^13, whose next
 * term is under 1e-9 there. */
static cab_scalar sine(cab_emitter *emit, cab_scalar x)
{
    static const double series[] = {-1.0 / 6,     1.0 / 120,       -1.0 / 5040,
                                    1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800};
    const double turn = 6.28125; /* few bits: times a count of turns it is exact */
    cab_scalar turns =
        add(emit, multiply(emit, x, cab_constant_scalar(1 / (2 * PI))), cab_constant_scalar(0.5));
    turns = one(emit, CAB_OWN_FLOOR, turns);
    cab_scalar t = subtract(emit, x, multiply(emit, turns, cab_constant_scalar(turn)));
    t = subtract(emit, t, multiply(emit, turns, cab_constant_scalar(2 * PI - turn)));
    cab_scalar right = subtract(emit, cab_constant_scalar(PI), t),
               left = subtract(emit, cab_constant_scalar(-PI), t);
    t = two(emit, CAB_OWN_MAX, two(emit, CAB_OWN_MIN, t, right), left);
    return odd_series(emit, t, series, 6);
}

cab_value cab_emit_sin(cab_emitter *emit, const cab_value *a)
{
    return number_of(sine(emit, a->part[0]));
}

cab_value cab_emit_cos(cab_emitter *emit, const cab_value *a)
{
    return number_of(sine(emit, add(emit, a->part[0], cab_constant_scalar(PI / 2))));
}

/* tan(a/2) from tan(a) */
static cab_scalar half_tangent(cab_emitter *emit, cab_scalar t)
{
    cab_scalar one_more = add(emit, multiply(emit, t, t), cab_constant_scalar(1));
    cab_scalar root = add(emit, one(emit, CAB_OWN_SQRT, one_more), cab_constant_scalar(1));
    return two(emit, CAB_OWN_DIVIDE, t, root);
}

/* The tangent of an eighth of the angle is 0.2 at most; the series up to t^9 leaves 2e-9 of it. */
static cab_scalar arc(cab_emitter *emit, cab_scalar y, cab_scalar x)
{
    static const double series[] = {-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9};
    cab_scalar up = absolute(emit, y), aside = absolute(emit, x), square = multiply(emit, x, x);
    cab_scalar length = one(emit, CAB_OWN_SQRT, add(emit, square, multiply(emit, y, y)));
    length =
        two(emit, CAB_OWN_MAX, add(emit, length, aside), cab_constant_scalar(1e-30)); /* atan2(0, 0) = 0 */
    cab_scalar t = two(emit, CAB_OWN_DIVIDE, up, length);
    t = half_tangent(emit, half_tangent(emit, t));
    cab_scalar angle = multiply(emit, odd_series(emit, t, series, 4), cab_constant_scalar(8));
    angle = choose(emit, x, subtract(emit, cab_constant_scalar(PI), angle), angle);
    return choose(emit, y, one(emit, CAB_OWN_NEGATE, angle), angle);
}

cab_value cab_emit_atan2(cab_emitter *emit, const cab_value *y, const cab_value *x)
{
    return number_of(arc(emit, y->part[0], x->part[0]));
}

cab_value cab_emit_acos(cab_emitter *emit, const cab_value *a)
{
    cab_scalar x = a->part[0], unity = cab_constant_scalar(1);
    cab_scalar square = multiply(emit, subtract(emit, unity, x), add(emit, unity, x));
    return number_of(arc(emit, one(emit, CAB_OWN_SQRT, square), x));
}

cab_value cab_emit_angle(cab_emitter *emit, const cab_value *a, const cab_value *b)
{
    cab_value normal = cab_emit_cross(emit, a, b);
    cab_value height = cab_emit_length(emit, &normal);
    return number_of(arc(emit, height.part[0], dot(emit, a, b)));
}

/* Marks what the value needs, from its end to the start; the rest goes, the order stays. */
void cab_emit_end(cab_emitter *emit, const cab_value *value)
{
    cab_expression *out = emit->out;
    const cab_scalar *result = &value->part[0];
    bool needed[CAB_OWN_OPS] = {false};
    int place[CAB_OWN_OPS], count = 0;
    needed[result->op] = true;
    for (int i = result->op; i >= 0; i--) {
        if (!needed[i] || out->op[i].op < CAB_OWN_FIRST_OF_RESULTS) continue;
        needed[out->op[i].a] = true;
        if (out->op[i].op >= CAB_OWN_FIRST_OF_TWO) needed[out->op[i].b] = true;
        if (out->op[i].op == CAB_OWN_CHOOSE) needed[out->op[i].c] = true;
    }
    for (int i = 0; i <= result->op; i++) {
        if (!needed[i]) continue;
        cab_own_op op = out->op[i];
        bool of_results = op.op >= CAB_OWN_FIRST_OF_RESULTS;
        if (of_results) op.a = place[op.a];
        if (op.op >= CAB_OWN_FIRST_OF_TWO) op.b = place[op.b];
        if (op.op == CAB_OWN_CHOOSE) op.c = place[op.c];
        place[i] = count;
        out->number[count] = out->number[i];
        out->op[count++] = op;
    }
    out->count = count;
    out->invariant = !moves(result);
}

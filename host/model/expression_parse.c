/* Reads expressions: a recursive-descent parser that hands what it reads to the functions that emit
 * operations (expression_emit.c). Nothing of the text itself ever reaches a compiler. */
#include "model/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/expression_emit.h"
#include "model/names.h"

#define DEPTH_MAX 64 /* brackets and signs within one another */
#define NAME_SIZE 40
#define POWER_MAX 16

typedef struct parser {
    cab_emitter emit;
    const char *text, *at;
    int particles;
    const cab_parameter *parameters;
    int parameter_count;
    const char *const *inputs; /* NULL: places of particles */
    int input_count, depth;
    bool failed;
    cab_expression_fault *fault;
} parser;

/* What a function takes: 's' a number, 'v' a vector, 'S' numbers, two at least. */
typedef struct function {
    const char *name, *takes;
} function;

static const function functions[] = {
    {"abs", "s"}, {"acos", "s"},   {"angle", "vv"}, {"atan2", "ss"}, {"clamp", "sss"},
    {"cos", "s"}, {"cross", "vv"}, {"dot", "vv"},   {"length", "v"}, {"max", "S"},
    {"min", "S"}, {"sin", "s"},    {"sqrt", "s"},   {"unit", "v"},
};
#define FUNCTIONS ((int)(sizeof functions / sizeof *functions))
static const char *const constant_names[] = {"pi", "rest"};
#define CONSTANTS ((int)(sizeof constant_names / sizeof *constant_names))

/* The first fault counts; after it everything is passed over. */
static cab_value fail(parser *in, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static cab_value fail(parser *in, const char *at, const char *format, ...)
{
    if (!in->failed) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(in->fault->text, sizeof in->fault->text, format, arguments);
        va_end(arguments);
        in->fault->column = (int)(at - in->text) + 1;
    }
    in->failed = true;
    return (cab_value){.size = 1};
}

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void skip_blanks(parser *in)
{
    while (*in->at == ' ' || *in->at == '\t' || *in->at == '\n' || *in->at == '\r') in->at++;
}

/* Takes the sign when it is next. */
static bool take(parser *in, char sign)
{
    skip_blanks(in);
    if (in->failed || *in->at != sign) return false;
    in->at++;
    return true;
}

/* What stands here, for a message. */
static void describe_next(const parser *in, char *text, size_t size)
{
    unsigned char c = (unsigned char)*in->at;
    int length = 0;
    while (length < NAME_SIZE - 1 && is_of_name(in->at[length])) length++;
    if (c == 0)
        snprintf(text, size, "the end");
    else if (length > 0)
        snprintf(text, size, "\"%.*s\"", length, in->at);
    else if (isprint(c))
        snprintf(text, size, "\"%c\"", c);
    else
        snprintf(text, size, "the byte 0x%02x", c);
}

static cab_value expected(parser *in, const char *what)
{
    char next[NAME_SIZE + 8];
    skip_blanks(in);
    describe_next(in, next, sizeof next);
    return fail(in, in->at, "expected %s, got %s", what, next);
}

static cab_value read_sum(parser *in);

/* A scalar is wanted where a vector stands, or the other way round. */
static bool check_size(parser *in, const char *at, const cab_value *value, int size, const char *what)
{
    if (in->failed || value->size == size) return !in->failed;
    fail(in, at, "%s takes %s, got %s", what, size == 1 ? "a number" : "a vector",
         size == 1 ? "a vector" : "a number");
    return false;
}

static cab_value check_result(parser *in, const char *at, cab_value value)
{
    if (in->failed) return value;
    if (in->emit.full)
        return fail(in, at, "too long: expected at most %d operations after expansion", CAB_OWN_OPS);
    for (int i = 0; i < value.size; i++) {
        const cab_scalar *s = &value.part[i];
        if (s->constant && !(fabs(s->number) <= 3e38)) return fail(in, at, "this is not a finite number");
    }
    return value;
}

static cab_value read_number(parser *in)
{
    const char *begin = in->at;
    /* strtod would also take names ("nan", "inf") and hexadecimal numbers */
    size_t digits = strspn(in->at, "0123456789");
    const char *end = in->at + digits;
    if (*end == '.') {
        size_t more = strspn(end + 1, "0123456789");
        digits += more;
        end += 1 + more;
    }
    if (digits == 0) return expected(in, "a digit");
    if (*end == 'e' || *end == 'E') {
        const char *power = end + 1 + (end[1] == '+' || end[1] == '-');
        size_t count = strspn(power, "0123456789");
        if (count > 0) end = power + count;
    }
    char digits_text[64];
    size_t length = (size_t)(end - begin);
    if (length >= sizeof digits_text) return fail(in, begin, "expected a number of fewer digits");
    memcpy(digits_text, begin, length);
    digits_text[length] = 0;
    in->at = end;
    cab_value value = {.size = 1, .part = {cab_constant_scalar(strtod(digits_text, NULL))}};
    return check_result(in, begin, value);
}

static cab_value read_vector(parser *in)
{
    cab_value vector = {.size = 3};
    for (int i = 0; i < 3 && !in->failed; i++) {
        const char *at = in->at;
        cab_value part = read_sum(in);
        check_size(in, at, &part, 1, "a vector's component");
        vector.part[i] = part.part[0];
        if (!in->failed && i < 2 && !take(in, ',')) return expected(in, "\",\"");
    }
    if (!in->failed && !take(in, ']')) return expected(in, "\"]\"");
    return vector;
}

/* "p3" -> 3; -1 when it is no particle's name */
static int particle_index(const char *name)
{
    if (name[0] != 'p' || !isdigit((unsigned char)name[1])) return -1;
    char *end;
    long index = strtol(name + 1, &end, 10);
    return *end == 0 && index < 1000 ? (int)index : -1;
}

static int find_name(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0) return i;
    return -1;
}

/* NULL: no function is called so. */
static const function *find_function(const char *name)
{
    for (int i = 0; i < FUNCTIONS; i++)
        if (strcmp(name, functions[i].name) == 0) return &functions[i];
    return NULL;
}

#define KNOWN_MAX 128

/* "x, y or t" */
static void list_inputs(const parser *in, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < in->input_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", in->inputs[i]);
}

static cab_value fail_name(parser *in, const char *at, const char *name)
{
    const char *known[KNOWN_MAX];
    int count = 0;
    for (int i = 0; i < FUNCTIONS; i++) known[count++] = functions[i].name;
    for (int i = 0; i < CONSTANTS && !in->inputs; i++) known[count++] = constant_names[i];
    for (int i = 0; i < in->input_count && count < KNOWN_MAX; i++) known[count++] = in->inputs[i];
    for (int i = 0; i < in->parameter_count && count < KNOWN_MAX; i++)
        known[count++] = in->parameters[i].name;
    const char *nearest = cab_nearest(name, known, count);
    if (nearest) return fail(in, at, "unknown name \"%s\"; the nearest is \"%.60s\"", name, nearest);
    if (in->inputs) {
        char list[120];
        list_inputs(in, list, sizeof list);
        return fail(in, at, "unknown name \"%s\"; expected %s, pi or a function", name, list);
    }
    return fail(in, at, "unknown name \"%s\"; expected p0 to p%d, rest, pi, a parameter or a function", name,
                in->particles - 1);
}

static cab_value read_variable(parser *in, const char *at, const char *name)
{
    int input = find_name(name, in->inputs, in->input_count);
    if (input >= 0) return cab_emit_input(&in->emit, input);
    int particle = in->inputs ? -1 : particle_index(name);
    if (particle >= in->particles && !in->inputs)
        return fail(in, at, "expected p0 to p%d: the stencil has %d particles, got \"%s\"", in->particles - 1,
                    in->particles, name);
    if (particle >= 0) return cab_emit_place(&in->emit, particle);
    if (strcmp(name, "rest") == 0 && !in->inputs) return cab_emit_rest(&in->emit);
    if (strcmp(name, "pi") == 0)
        return (cab_value){.size = 1, .part = {cab_constant_scalar(3.14159265358979323846)}};
    for (int i = 0; i < in->parameter_count; i++)
        if (strcmp(in->parameters[i].name, name) == 0)
            return (cab_value){.size = 1, .part = {cab_constant_scalar(in->parameters[i].value)}};
    if (find_function(name)) return expected(in, "\"(\" after a function's name");
    return fail_name(in, at, name);
}

#define ARGUMENTS_MAX 8

static cab_value call(parser *in, const char *name, const cab_value *a, int count)
{
    cab_emitter *emit = &in->emit;
    if (!strcmp(name, "abs")) return cab_emit_abs(emit, a);
    if (!strcmp(name, "acos")) return cab_emit_acos(emit, a);
    if (!strcmp(name, "angle")) return cab_emit_angle(emit, &a[0], &a[1]);
    if (!strcmp(name, "atan2")) return cab_emit_atan2(emit, &a[0], &a[1]);
    if (!strcmp(name, "clamp")) {
        cab_value high = cab_emit_each(emit, CAB_OWN_MAX, &a[0], &a[1]);
        return cab_emit_each(emit, CAB_OWN_MIN, &high, &a[2]);
    }
    if (!strcmp(name, "cos")) return cab_emit_cos(emit, a);
    if (!strcmp(name, "cross")) return cab_emit_cross(emit, &a[0], &a[1]);
    if (!strcmp(name, "dot")) return cab_emit_dot(emit, &a[0], &a[1]);
    if (!strcmp(name, "length")) return cab_emit_length(emit, a);
    if (!strcmp(name, "sin")) return cab_emit_sin(emit, a);
    if (!strcmp(name, "sqrt")) return cab_emit_sqrt(emit, a);
    if (!strcmp(name, "unit")) {
        cab_value length = cab_emit_length(emit, a);
        return cab_emit_each(emit, CAB_OWN_DIVIDE, a, &length);
    }
    cab_value result = a[0];
    for (int i = 1; i < count; i++)
        result = cab_emit_each(emit, name[1] == 'i' ? CAB_OWN_MIN : CAB_OWN_MAX, &result, &a[i]);
    return result;
}

static cab_value read_call(parser *in, const char *at, const char *name)
{
    cab_value argument[ARGUMENTS_MAX];
    const function *found = find_function(name);
    int count = 0;
    if (!found) return fail_name(in, at, name);
    bool any = found->takes[0] == 'S';
    int most = any ? ARGUMENTS_MAX : (int)strlen(found->takes), least = any ? 2 : most;
    do {
        skip_blanks(in);
        const char *begin = in->at;
        if (count == most) return fail(in, begin, "%s takes at most %d arguments", name, most);
        argument[count] = read_sum(in);
        check_size(in, begin, &argument[count], !any && found->takes[count] == 'v' ? 3 : 1, name);
        count++;
    } while (take(in, ','));
    if (in->failed) return argument[0];
    if (!take(in, ')')) return expected(in, count < most ? "\",\" or \")\"" : "\")\"");
    if (count < least)
        return fail(in, in->at - 1, "%s takes %s%d arguments, got %d", name, any ? "at least " : "", least,
                    count);
    return check_result(in, at, call(in, name, argument, count));
}

static cab_value read_name(parser *in)
{
    char name[NAME_SIZE];
    const char *begin = in->at;
    size_t length = 0;
    while (is_of_name(begin[length])) length++;
    if (length >= sizeof name) return fail(in, begin, "expected a shorter name");
    memcpy(name, begin, length);
    name[length] = 0;
    in->at += length;
    return take(in, '(') ? read_call(in, begin, name) : read_variable(in, begin, name);
}

static cab_value read_atom(parser *in)
{
    skip_blanks(in);
    if (isdigit((unsigned char)*in->at) || *in->at == '.') return read_number(in);
    if (isalpha((unsigned char)*in->at) || *in->at == '_') return read_name(in);
    if (take(in, '[')) return read_vector(in);
    if (!take(in, '(')) return expected(in, "a number, a name, \"-\", \"(\" or \"[\"");
    cab_value inside = read_sum(in);
    if (!in->failed && !take(in, ')')) return expected(in, "\")\"");
    return inside;
}

static cab_value read_part(parser *in)
{
    skip_blanks(in);
    const char *at = in->at;
    cab_value value = read_atom(in);
    while (take(in, '.')) {
        if (!check_size(in, at, &value, 3, "a component")) return value;
        int index = *in->at == 'x' ? 0 : *in->at == 'y' ? 1 : *in->at == 'z' ? 2 : -1;
        if (index < 0 || is_of_name(in->at[1])) return expected(in, "x, y or z");
        in->at++;
        value = (cab_value){.size = 1, .part = {value.part[index]}};
    }
    return value;
}

static cab_value read_power(parser *in)
{
    skip_blanks(in);
    const char *at = in->at;
    cab_value base = read_part(in);
    if (!take(in, '^')) return base;
    if (!check_size(in, at, &base, 1, "a power")) return base;
    skip_blanks(in);
    size_t digits = strspn(in->at, "0123456789");
    int power = digits > 0 && digits < 3 ? atoi(in->at) : 0;
    if (power < 2 || power > POWER_MAX || in->at[digits] == '.' || in->at[digits] == 'e' ||
        in->at[digits] == 'E')
        return expected(in, "a whole number from 2 to 16");
    in->at += digits;
    cab_value result = base;
    for (int i = 1; i < power; i++) result = cab_emit_each(&in->emit, CAB_OWN_MULTIPLY, &result, &base);
    return check_result(in, at, result);
}

static cab_value read_signed(parser *in)
{
    skip_blanks(in);
    if (in->depth == DEPTH_MAX)
        return fail(in, in->at, "nested too deeply, expected at most %d levels", DEPTH_MAX);
    in->depth++;
    cab_value value;
    if (take(in, '-')) {
        value = read_signed(in);
        value = cab_emit_negated(&in->emit, &value);
    } else {
        value = take(in, '+') ? read_signed(in) : read_power(in);
    }
    in->depth--;
    return value;
}

/* Number by number, vector by number, number by vector; vector by vector has no meaning. */
static cab_value read_product(parser *in)
{
    skip_blanks(in);
    const char *begin = in->at;
    cab_value left = read_signed(in);
    for (;;) {
        skip_blanks(in);
        const char *at = in->at;
        bool times = take(in, '*');
        if (!times && !take(in, '/')) return left;
        cab_value right = read_signed(in);
        if (in->failed) return left;
        if (!times && !check_size(in, at, &right, 1, "what is divided by")) return left;
        if (left.size == 3 && right.size == 3)
            return fail(in, at, "vectors are multiplied by dot() or cross()");
        left = cab_emit_each(&in->emit, times ? CAB_OWN_MULTIPLY : CAB_OWN_DIVIDE, &left, &right);
        left = check_result(in, begin, left);
    }
}

static cab_value read_sum(parser *in)
{
    skip_blanks(in);
    const char *begin = in->at;
    cab_value left = read_product(in);
    for (;;) {
        skip_blanks(in);
        const char *at = in->at;
        bool plus = take(in, '+');
        if (!plus && !take(in, '-')) return left;
        cab_value right = read_product(in);
        if (in->failed) return left;
        if (left.size != right.size)
            return fail(in, at, "\"%c\" takes two numbers or two vectors", plus ? '+' : '-');
        left = cab_emit_each(&in->emit, plus ? CAB_OWN_ADD : CAB_OWN_SUBTRACT, &left, &right);
        left = check_result(in, begin, left);
    }
}

/* The whole text. */
static cab_value read_all(parser *in)
{
    in->emit.out->count = 0;
    if (strlen(in->text) > CAB_EXPRESSION_LENGTH)
        return fail(in, in->text, "expected at most %d bytes", CAB_EXPRESSION_LENGTH);
    cab_value value = read_sum(in);
    if (!in->failed) skip_blanks(in);
    if (!in->failed && *in->at) expected(in, "an operator or the end");
    if (!in->failed && value.size != 1)
        fail(in, in->text, "expected a number, got a vector; length() makes one of it");
    return value;
}

bool cab_expression_parse(const char *text, int particles, const cab_parameter *parameters,
                          int parameter_count, cab_expression *expression, cab_expression_fault *fault)
{
    parser in = {.emit.out = expression,
                 .text = text,
                 .at = text,
                 .particles = particles,
                 .parameters = parameters,
                 .parameter_count = parameter_count,
                 .fault = fault};
    cab_value value = read_all(&in);
    if (!in.failed && value.part[0].constant)
        fail(&in, text, "expected places of particles in it, got a constant");
    if (!in.failed) cab_emit_end(&in.emit, &value);
    return !in.failed;
}

bool cab_expression_parse_named(const char *text, const char *const *names, int count,
                                cab_expression *expression, cab_expression_fault *fault)
{
    parser in = {.emit.out = expression,
                 .text = text,
                 .at = text,
                 .inputs = names,
                 .input_count = count,
                 .fault = fault};
    cab_value value = read_all(&in);
    if (!in.failed) value = cab_emit_operation(&in.emit, &value);
    if (!in.failed) cab_emit_end(&in.emit, &value);
    return !in.failed;
}

bool cab_expression_name_is_free(const char *name, const char **reason)
{
    size_t length = 0;
    while (is_of_name(name[length])) length++;
    *reason = NULL;
    if (length == 0 || name[length] || isdigit((unsigned char)name[0]) || length >= NAME_SIZE)
        *reason = "a name of letters, digits and \"_\", shorter than 40";
    else if (particle_index(name) >= 0 || find_function(name) ||
             find_name(name, constant_names, CONSTANTS) >= 0)
        *reason = "a name that means nothing else in expressions";
    return !*reason;
}

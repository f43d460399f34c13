#include "cli/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/draw.h"

enum { NUMBER_SIZE = 32 };

static bool no_memory(bool *lost)
{
    cab_cli_error("sweep: out of memory");
    *lost = true;
    return false;
}

static bool refuse(const char *word)
{
    cab_cli_error("--vary: expected POINTER=FROM:TO:COUNT, POINTER=VALUE,VALUE,... or, with --random, "
                  "POINTER=FROM:TO or "
                  "POINTER=normal:MEAN:DEVIATION, got '%s'",
                  word);
    return false;
}

/* ---- reading ---- */

/* Numbers between colons, up to three; how many, 0 when it is anything else. */
static int read_numbers(const char *text, double number[3])
{
    int count = 0;
    for (;;) {
        char *end;
        number[count] = strtod(text, &end);
        if (end == text || !isfinite(number[count])) return 0;
        count++;
        if (!*end) return count;
        if (*end != ':' || count == 3) return 0;
        text = end + 1;
    }
}

static bool add_value(cab_vary *v, char *value)
{
    if (!value || CAB_RESIZE(v->values, v->value_count + 1, NULL) != CAB_OK) {
        free(value);
        return no_memory(&v->lost);
    }
    v->values[v->value_count++] = value;
    return true;
}

/* Twelve digits: 0.1 is 0.1, and a whole number is one. */
static char *number_text(double number)
{
    char text[NUMBER_SIZE];
    snprintf(text, sizeof text, "%.12g", number + 0);
    return strdup(text);
}

static bool make_steps(cab_vary *v, const double n[3], const char *word)
{
    if (n[2] < 1 || n[2] > CAB_VARIANTS_MAX || n[2] != floor(n[2])) return refuse(word);
    int count = (int)n[2];
    for (int i = 0; i < count; i++) {
        double part = count > 1 ? (double)i / (count - 1) : 0;
        if (!add_value(v, number_text(n[0] + part * (n[1] - n[0])))) return false;
    }
    return true;
}

/* To the next comma that is in no list, object or text. */
static size_t value_length(const char *text)
{
    int depth = 0;
    bool quoted = false;
    size_t i = 0;
    for (; text[i] && (text[i] != ',' || depth > 0 || quoted); i++)
        if (text[i] == '\\' && quoted && text[i + 1])
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted && strchr("[{", text[i]))
            depth++;
        else if (!quoted && strchr("]}", text[i]))
            depth--;
    return i;
}

static bool read_list(cab_vary *v, const char *word)
{
    for (const char *at = v->spec;; at++) {
        size_t length = value_length(at);
        if (length == 0) return refuse(word);
        if (!add_value(v, strndup(at, length))) return false;
        at += length;
        if (!*at) return true;
    }
}

static bool read_vary(const char *word, bool random, cab_vary *v)
{
    const char *equals = strchr(word, '=');
    if (word[0] != '/' || !equals) return refuse(word);
    *v = (cab_vary){.pointer = strndup(word, (size_t)(equals - word)), .spec = equals + 1};
    if (!v->pointer) return no_memory(&v->lost);
    double n[3];
    bool normal = strncmp(v->spec, "normal:", 7) == 0;
    int count = read_numbers(normal ? v->spec + 7 : v->spec, n);
    if (normal && (count != 2 || n[1] < 0)) return refuse(word);
    if (count == 3) return make_steps(v, n, word);
    if (count != 2) return read_list(v, word);
    if (!random) return refuse(word);
    v->kind = normal ? CAB_VARY_NORMAL : CAB_VARY_RANGE;
    v->a = n[0];
    v->b = n[1];
    return true;
}

/* ---- drawing ---- */

/* The place below which a normal variable of mean 0 and deviation 1 lies with probability u: bisection. */
static double normal_at(double u)
{
    double low = -9, high = 9;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (0.5 * erfc(-middle / sqrt(2)) < u)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static char *value_at(const cab_vary *v, double u)
{
    if (v->kind == CAB_VARY_RANGE) return number_text(v->a + u * (v->b - v->a));
    if (v->kind == CAB_VARY_NORMAL) return number_text(v->a + v->b * normal_at(u));
    return strdup(v->values[(int)(u * v->value_count)]);
}

static bool draw_column(cab_plan *plan, int column, const cab_draw_rule *rule, int *order)
{
    int n = plan->variant_count;
    uint64_t state = cab_draw_begin((uint64_t)rule->seed, column);
    /* which of the equal parts each variant draws from */
    if (rule->latin) cab_draw_order(order, n, &state);
    for (int i = 0; i < n; i++) {
        double u = cab_draw(&state);
        if (rule->latin) u = (order[i] + u) / n;
        char **to = &plan->values[(size_t)i * (size_t)plan->varied_count + (size_t)column];
        *to = value_at(&plan->varied[column], u);
        if (!*to) return no_memory(&plan->lost);
    }
    return true;
}

static bool draw_all(cab_plan *plan, const cab_draw_rule *rule)
{
    int *order = calloc((size_t)plan->variant_count, sizeof *order);
    bool good = order || no_memory(&plan->lost);
    for (int k = 0; k < plan->varied_count && good; k++) good = draw_column(plan, k, rule, order);
    free(order);
    return good;
}

static bool combine_all(cab_plan *plan)
{
    for (int i = 0; i < plan->variant_count; i++) {
        for (int k = plan->varied_count - 1, rest = i; k >= 0; k--) {
            const cab_vary *v = &plan->varied[k];
            char **to = &plan->values[(size_t)i * (size_t)plan->varied_count + (size_t)k];
            *to = strdup(v->values[rest % v->value_count]);
            if (!*to) return no_memory(&plan->lost);
            rest /= v->value_count;
        }
    }
    return true;
}

static bool count_variants(cab_plan *plan, const cab_draw_rule *rule)
{
    double count = 1;
    for (int k = 0; k < plan->varied_count; k++) count *= plan->varied[k].value_count;
    if (rule->random) count = (double)rule->random;
    if (count > CAB_VARIANTS_MAX) {
        cab_cli_error("sweep: expected at most %d variants, these would be %.0f", CAB_VARIANTS_MAX, count);
        return false;
    }
    plan->variant_count = (int)count;
    return true;
}

static bool make(const cab_word_list *words, const cab_draw_rule *rule, cab_plan *plan)
{
    plan->varied = calloc((size_t)words->count, sizeof *plan->varied);
    if (!plan->varied) return no_memory(&plan->lost);
    if (rule->seeks && words->count > 1) {
        cab_cli_error("sweep: --best expects one --vary");
        return false;
    }
    for (int k = 0; k < words->count; k++) {
        plan->varied_count = k + 1;
        bool good = read_vary(words->word[k], rule->random > 0 || rule->seeks, &plan->varied[k]);
        plan->lost = plan->varied[k].lost;
        if (!good) return false;
    }
    if (rule->seeks) {
        if (plan->varied[0].kind == CAB_VARY_RANGE && plan->varied[0].a != plan->varied[0].b) return true;
        cab_cli_error("sweep: --best expects --vary POINTER=FROM:TO, got '%s'", words->word[0]);
        return false;
    }
    if (!count_variants(plan, rule)) return false;
    plan->values = calloc((unsigned)plan->variant_count, (unsigned)plan->varied_count * sizeof *plan->values);
    if (!plan->values) return no_memory(&plan->lost);
    return rule->random ? draw_all(plan, rule) : combine_all(plan);
}

bool cab_plan_make(const cab_word_list *words, const cab_draw_rule *rule, cab_plan *plan)
{
    *plan = (cab_plan){0};
    if (words->count == 0) {
        cab_cli_error("sweep: expected --vary POINTER=VALUES, see 'clcable sweep --help'");
        return false;
    }
    bool good = make(words, rule, plan);
    bool lost = plan->lost;
    if (!good) cab_plan_free(plan);
    plan->lost = lost;
    return good;
}

bool cab_plan_add(cab_plan *plan, double number)
{
    char *text = number_text(number);
    if (!text || CAB_RESIZE(plan->values, plan->variant_count + 1, NULL) != CAB_OK) {
        free(text);
        return false;
    }
    plan->values[plan->variant_count++] = text;
    return true;
}

void cab_plan_free(cab_plan *plan)
{
    size_t count = plan->values ? (size_t)plan->variant_count * (size_t)plan->varied_count : 0;
    for (size_t i = 0; i < count; i++) free(plan->values[i]);
    free(plan->values);
    for (int k = 0; k < plan->varied_count; k++) {
        for (int i = 0; i < plan->varied[k].value_count; i++) free(plan->varied[k].values[i]);
        CAB_FREE(plan->varied[k].values, plan->varied[k].pointer);
    }
    free(plan->varied);
    *plan = (cab_plan){0};
}

/* --best: which number makes a column of the table least or greatest. A row of variants over the whole range first, all in one world, then ever
 * shorter rows about the best one so far, until it is known to a thousandth of the range. What has several dips is thereby found in
 * the one that the first row sees. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/sweep.h"

#define FIRST_ROW 17
#define PARTS 4     /* that each side of the best one is cut into */
#define CLOSE 0.001 /* of the range */

static bool refuse(const char *text)
{
    cab_cli_error("sweep: --best: expected least:COLUMN or most:COLUMN, with a number of the table such as "
                  "hold_force_max or bend_radius_min[CABLE], got '%s'",
                  text);
    return false;
}

static int result_of(const char *name, size_t length)
{
    for (int r = 0; r < CAB_RESULT_COUNT; r++) {
        const char *known = cab_result_name((cab_result)r);
        if (strlen(known) == length && strncmp(known, name, length) == 0) return r;
    }
    return -1;
}

bool cab_best_read(const char *text, cab_best *best, unsigned *columns)
{
    *best = (cab_best){.variant = -1};
    if (!text) return true;
    const char *colon = strchr(text, ':');
    size_t word = colon ? (size_t)(colon - text) : 0;
    best->most = word == 4 && strncmp(text, "most", word) == 0;
    if (!colon || (!best->most && !(word == 5 && strncmp(text, "least", word) == 0))) return refuse(text);
    const char *name = colon + 1, *bracket = strchr(name, '[');
    size_t length = strlen(name);
    int result = result_of(name, bracket ? (size_t)(bracket - name) : length);
    if (result < 0 || (bracket && (name[length - 1] != ']' || bracket + 2 >= name + length)))
        return refuse(text);
    best->asked = true;
    best->result = (cab_result)result;
    best->cable = bracket ? bracket + 1 : NULL;
    best->cable_length = bracket ? (int)(name + length - 1 - best->cable) : 0;
    if (bracket) *columns |= CAB_SWEEP_CABLES;
    *columns |= cab_result_asked(best->result);
    return true;
}

/* What counts of a variant: NAN where it came to no end, or has no such cable. */
static double outcome_of(const cab_sweep *sweep, int variant)
{
    const cab_best *best = &sweep->best;
    int cable = CAB_SWEEP_WHOLE;
    for (int i = 0; best->cable && i < sweep->name_count; i++)
        if ((int)strlen(sweep->names[i]) == best->cable_length &&
            strncmp(sweep->names[i], best->cable, (size_t)best->cable_length) == 0)
            cable = i;
    if (best->cable && cable == CAB_SWEEP_WHOLE) return NAN;
    const cab_variant *v = &sweep->variants[variant];
    const double *value = v->status == CAB_VARIANT_OK ? cab_sweep_value(v, best->result, cable) : NULL;
    return value ? *value : NAN;
}

static double number_of(const cab_sweep *sweep, int variant)
{
    return strtod(cab_plan_value(&sweep->plan, variant, 0), NULL);
}

static void find_best(cab_sweep *sweep)
{
    cab_best *best = &sweep->best;
    best->variant = -1;
    for (int i = 0; i < sweep->plan.variant_count; i++) {
        double value = outcome_of(sweep, i);
        if (isnan(value)) continue;
        if (best->variant >= 0 && !(best->most ? value > best->value : value < best->value)) continue;
        best->variant = i;
        best->value = value;
    }
    if (best->variant < 0) return;
    best->at = number_of(sweep, best->variant);
    best->low = best->high = best->at;
    double below = -INFINITY, above = INFINITY;
    for (int i = 0; i < sweep->plan.variant_count; i++) {
        double x = number_of(sweep, i);
        if (x < best->at) below = fmax(below, x);
        if (x > best->at) above = fmin(above, x);
    }
    if (isfinite(below)) best->low = below;
    if (isfinite(above)) best->high = above;
}

static bool add(cab_sweep *sweep, double number)
{
    cab_plan *plan = &sweep->plan;
    cab_error error;
    if (!cab_plan_add(plan, number) || CAB_RESIZE(sweep->variants, plan->variant_count, &error) != CAB_OK) {
        cab_cli_error("sweep: out of memory");
        return false;
    }
    sweep->variants[plan->variant_count - 1] = (cab_variant){0};
    return true;
}

static bool add_row(cab_sweep *sweep, double from, double to, int first, int end, int parts)
{
    bool good = true;
    for (int i = first; i < end && good; i++) good = add(sweep, from + (to - from) * i / parts);
    return good;
}

int cab_sweep_seek(cab_sweep *sweep)
{
    const cab_vary *v = &sweep->plan.varied[0];
    cab_best *best = &sweep->best;
    double low = fmin(v->a, v->b), high = fmax(v->a, v->b);
    if (!add_row(sweep, low, high, 0, FIRST_ROW, FIRST_ROW - 1)) return CAB_EXIT_FAILED;
    for (;;) {
        int code = cab_sweep_run(sweep);
        if (code != CAB_EXIT_DONE || sweep->interrupted) return code;
        find_best(sweep);
        if (best->variant < 0) {
            cab_cli_error("%s: --best: no variant came to an end with this column", sweep->path);
            return CAB_EXIT_FAILED;
        }
        double from = best->low, at = best->at, to = best->high;
        if (fmax(to - at, at - from) <= CLOSE * (high - low)) return CAB_EXIT_DONE;
        if (at > from && !add_row(sweep, from, at, 1, PARTS, PARTS)) return CAB_EXIT_FAILED;
        if (to > at && !add_row(sweep, at, to, 1, PARTS, PARTS)) return CAB_EXIT_FAILED;
    }
}

void cab_best_print(const cab_sweep *sweep)
{
    const cab_best *best = &sweep->best;
    if (best->variant < 0) return;
    printf("best: %s = %s makes %s%s%.*s%s %.6g (variant %d; it lies between %.6g and %.6g)\n",
           sweep->plan.varied[0].pointer, cab_plan_value(&sweep->plan, best->variant, 0),
           cab_result_name(best->result), best->cable ? "[" : "", best->cable_length,
           best->cable ? best->cable : "", best->cable ? "]" : "", best->value, best->variant, best->low,
           best->high);
}

/* Thousands of variants say the same: a line for each kind of warning, with how many there were. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/sweep_batch.h"

enum { TEXT_SIZE = 600 };

/* What warnings of a kind have in common: without what stands in quotes, and without numbers. */
static void shape_of(const char *text, char *shape, size_t size)
{
    bool quoted = false;
    size_t used = 0;
    for (const char *c = text; *c && used + 1 < size; c++) {
        bool number = isdigit((unsigned char)*c) || (used && shape[used - 1] == '#' && strchr(".e+-", *c));
        if (*c == '"') quoted = !quoted;
        if (quoted || (number && used && shape[used - 1] == '#')) continue;
        shape[used++] = number ? '#' : *c;
    }
    shape[used] = 0;
}

/* A cable "3/a" is called "a" in the scene: *group is 3, and -1 where there is no such name. */
static void tidy(const char *text, char *tidied, size_t size, int *group)
{
    size_t used = 0;
    *group = -1;
    for (const char *c = text; *c && used + 1 < size; c++) {
        tidied[used++] = *c;
        char *end;
        if (*c != '"' || !isdigit((unsigned char)c[1])) continue;
        long number = strtol(c + 1, &end, 10);
        if (*end != '/') continue;
        if (*group < 0 && number < CAB_VARIANTS_MAX) *group = (int)number;
        c = end;
    }
    tidied[used] = 0;
}

void cab_sweep_keep_warning(cab_sweep *sweep, const char *shape, const char *text, int variant, long count)
{
    for (int i = 0; i < sweep->warning_count; i++) {
        if (strcmp(sweep->warnings[i].shape, shape) != 0) continue;
        sweep->warnings[i].count += count;
        return;
    }
    cab_sweep_warning warning = {
        .shape = strdup(shape), .text = strdup(text), .count = count, .variant = variant};
    if (!warning.shape || !warning.text ||
        CAB_ONE_MORE(sweep->warnings, sweep->warning_count, NULL) != CAB_OK) {
        CAB_FREE(warning.shape, warning.text); /* a warning less */
        return;
    }
    sweep->warnings[sweep->warning_count++] = warning;
}

void cab_sweep_warn(cab_sweep_batch *b, const char *text)
{
    char tidied[TEXT_SIZE], shape[TEXT_SIZE];
    int group;
    tidy(text, tidied, sizeof tidied, &group);
    shape_of(tidied, shape, sizeof shape);
    int variant = group >= 0 && group < b->count ? b->variant[group] : -1;
    cab_sweep_keep_warning(b->sweep, shape, tidied, variant, 1);
}

void cab_sweep_forget_warnings(cab_sweep *sweep)
{
    for (int i = 0; i < sweep->warning_count; i++)
        CAB_FREE(sweep->warnings[i].shape, sweep->warnings[i].text);
    free(sweep->warnings);
    sweep->warnings = NULL;
    sweep->warning_count = 0;
}

void cab_sweep_tell_warnings(cab_sweep *sweep)
{
    for (int i = 0; i < sweep->warning_count; i++) {
        cab_sweep_warning *w = &sweep->warnings[i];
        char line[TEXT_SIZE + 80], of[32] = "";
        if (w->variant >= 0 && sweep->plan.variant_count > 1)
            snprintf(of, sizeof of, "variant %d: ", w->variant);
        if (w->count > 1)
            snprintf(line, sizeof line, "%s%s (and %ld more like it)", of, w->text, w->count - 1);
        else
            snprintf(line, sizeof line, "%s%s", of, w->text);
        cab_cli_warning(line);
    }
    cab_sweep_forget_warnings(sweep);
}

/* What comes of an assessment: limits that are not kept and, apart from them, errors of the simulation. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rules/assess.h"

#define TOUCHING 1e-6 /* m: what rounding leaves of surfaces that touch */

static bool is_error(const cab_finding *f)
{
    return cab_requirement_kind_of(f->rule)->error;
}

int cab_assess_broken(const cab_assessment *a)
{
    int broken = 0;
    for (int i = 0; i < a->finding_count; i++) broken += a->findings[i].use > 1 && !is_error(&a->findings[i]);
    return broken;
}

int cab_assess_errors(const cab_assessment *a, cab_requirement kind)
{
    int count = 0;
    for (int i = 0; i < a->finding_count; i++)
        count += a->findings[i].rule == kind && a->findings[i].frame >= 0 && a->findings[i].use > 1;
    return count;
}

/* The worst of a kind, which is the first of it; NULL = none. */
static const cab_finding *worst_of(const cab_assessment *a, cab_requirement kind)
{
    const cab_finding *worst = NULL;
    for (int i = 0; i < a->finding_count; i++) {
        const cab_finding *f = &a->findings[i];
        if (f->rule == kind && f->frame >= 0 && (!worst || f->value > worst->value)) worst = f;
    }
    return worst;
}

static size_t add(char *text, size_t size, size_t used, const char *more)
{
    int n = used < size ? snprintf(text + used, size - used, "%s", more) : 0;
    return used + (n > 0 ? (size_t)n : 0);
}

/* The sentence of errors; an empty one where there are none. */
static void say_errors(const cab_assessment *a, const cab_measures *measures, char *text, size_t size)
{
    char part[500], name[220], other[220];
    size_t used = 0;
    *text = 0;
    int lengths = cab_assess_errors(a, CAB_REQUIREMENT_STRETCH);
    if (lengths) {
        const cab_finding *f = worst_of(a, CAB_REQUIREMENT_STRETCH);
        cab_assess_part(a, f, name, sizeof name);
        snprintf(part, sizeof part, "%d %s off by more than %.3g %%, %s by %.3g %%", lengths,
                 lengths == 1 ? "length is" : "lengths are", 100 * f->limit, name, 100 * f->value);
        used = add(text, size, used, part);
    }
    const cab_finding *f = worst_of(a, CAB_REQUIREMENT_OVERLAP);
    double depth = fmax(f ? f->value : 0, measures->penetration_worst);
    if (!(depth > TOUCHING)) return;
    snprintf(part, sizeof part, "%sthe deepest overlap is %.3g mm", used ? "; " : "", 1000 * depth);
    used = add(text, size, used, part);
    if (!f || f->value < 0.5 * depth) return; /* of a pair that clearances leave out */
    cab_assess_part(a, f, name, sizeof name);
    cab_assess_other(a, f, other, sizeof other);
    snprintf(part, sizeof part, " (%s in %s)", name, other);
    add(text, size, used, part);
}

cab_verdict cab_assess_verdict(const cab_assessment *a, const cab_measures *measures, char *text, size_t size)
{
    char errors[1200], part[400];
    say_errors(a, measures, errors, sizeof errors);
    int broken = cab_assess_broken(a);
    if (broken) {
        const cab_finding *worst = &a->findings[0];
        cab_assess_part(a, worst, part, sizeof part);
        snprintf(text, size, "%d %s not kept, the worst: %s of %s%s%s", broken,
                 broken == 1 ? "limit is" : "limits are", cab_requirement_kind_of(worst->rule)->word, part,
                 *errors ? "; apart from that, errors of the simulation: " : "", errors);
        return CAB_VERDICT_BROKEN;
    }
    if (*errors)
        snprintf(text, size, "no limit is broken, but for errors of the simulation: %s", errors);
    else
        snprintf(text, size, "all limits are kept");
    return *errors ? CAB_VERDICT_DOUBT : CAB_VERDICT_KEPT;
}

const char *cab_verdict_word(cab_verdict verdict)
{
    static const char *const words[] = {"kept", "in doubt", "broken"};
    return words[verdict];
}

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

int cab_assess_unjudged(const cab_assessment *a)
{
    int count = 0;
    for (int i = 0; i < a->hold_count && a->unmeasured; i++)
        count += a->holds[i].body < a->cable_count && !isnan(cab_assess_hold_bound(a, i).limit);
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

static size_t say_lengths(const cab_assessment *a, char *text, size_t size, size_t used)
{
    char part[500], name[220];
    int lengths = cab_assess_errors(a, CAB_REQUIREMENT_STRETCH);
    if (lengths) {
        const cab_finding *f = worst_of(a, CAB_REQUIREMENT_STRETCH);
        cab_assess_part(a, f, name, sizeof name);
        snprintf(part, sizeof part, "%d %s off by more than %.3g %%, %s by %.3g %%", lengths,
                 lengths == 1 ? "length is" : "lengths are", 100 * f->bound.limit, name, 100 * f->value);
        used = add(text, size, used, part);
    }
    return used;
}

static size_t say_overlaps(const cab_assessment *a, const cab_measures *measures, char *text, size_t size,
                           size_t used)
{
    char part[500], name[220], other[220];
    const cab_finding *f = worst_of(a, CAB_REQUIREMENT_OVERLAP);
    double depth = fmax(f ? f->value : 0, measures->penetration_worst);
    if (!(depth > TOUCHING)) return used;
    snprintf(part, sizeof part, "%sthe deepest overlap is %.3g mm", used ? "; " : "", 1000 * depth);
    used = add(text, size, used, part);
    if (!f || f->value < 0.5 * depth) return used; /* of a pair that clearances leave out */
    cab_assess_part(a, f, name, sizeof name);
    cab_assess_other(a, f, other, sizeof other);
    snprintf(part, sizeof part, " (%s in %s)", name, other);
    return add(text, size, used, part);
}

/* What the run has found out about itself (clcable/judge.h), but for what has been said. */
static void say_judgements(const cab_assess_run *run, bool lengths, bool overlaps, char *text, size_t size,
                           size_t used)
{
    for (int i = 0; i < run->judgement_count; i++) {
        const cab_judgement *j = &run->judgements[i];
        const cab_judged_info *info = cab_judged_info_of(j->judged);
        char part[300];
        if ((j->judged == CAB_JUDGED_STRETCH && lengths) || (j->judged == CAB_JUDGED_OVERLAP && overlaps))
            continue;
        snprintf(part, sizeof part, "%s%s up to %.3g %s, where %.3g is right", used ? "; " : "", info->name,
                 j->worst, info->unit, j->bound);
        used = add(text, size, used, part);
    }
}

/* The sentence of errors; an empty one where there are none. */
static void say_errors(const cab_assessment *a, const cab_assess_run *run, char *text, size_t size)
{
    *text = 0;
    size_t lengths = say_lengths(a, text, size, 0);
    size_t used = say_overlaps(a, &run->measures, text, size, lengths);
    say_judgements(run, lengths > 0, used > lengths, text, size, used);
}

/* What else keeps one from saying that all is well. */
static void say_gaps(const cab_assessment *a, const cab_assess_run *run, char *text, size_t size)
{
    char part[200];
    size_t used = 0;
    int unjudged = cab_assess_unjudged(a);
    *text = 0;
    if (run->rest && !run->rest->settled) {
        snprintf(part, sizeof part, "this is no rest: %.3g N are balanced by nothing", run->rest->residual);
        used = add(text, size, used, part);
    } else if (strcmp(run->status, "ok") != 0) {
        snprintf(part, sizeof part, "the run ended early (%s)", run->status);
        used = add(text, size, used, part);
    }
    if (!unjudged) return;
    snprintf(part, sizeof part, "%s%d %s not judged: this way of running does not measure their forces",
             used ? "; " : "", unjudged, unjudged == 1 ? "limit of holds is" : "limits of holds are");
    add(text, size, used, part);
}

cab_verdict cab_assess_verdict(const cab_assessment *a, const cab_assess_run *run, char *text, size_t size)
{
    char errors[1600], gaps[400], part[400];
    say_errors(a, run, errors, sizeof errors);
    say_gaps(a, run, gaps, sizeof gaps);
    int broken = cab_assess_broken(a);
    const char *also = *gaps ? "; " : "";
    if (broken) {
        const cab_finding *worst = &a->findings[0];
        cab_assess_part(a, worst, part, sizeof part);
        snprintf(text, size, "%d %s not kept, the worst: %s of %s%s%s%s%s", broken,
                 broken == 1 ? "limit is" : "limits are", cab_requirement_kind_of(worst->rule)->word, part,
                 *errors ? "; apart from that, errors of the simulation: " : "", errors, also, gaps);
        return CAB_VERDICT_BROKEN;
    }
    if (*errors)
        snprintf(text, size, "no limit is broken, but for errors of the simulation: %s%s%s", errors, also,
                 gaps);
    else if (*gaps)
        snprintf(text, size, "no limit is broken, but %s", gaps);
    else
        snprintf(text, size, "all limits are kept");
    return *errors || *gaps ? CAB_VERDICT_DOUBT : CAB_VERDICT_KEPT;
}

const char *cab_assess_judged(const cab_assess_run *run)
{
    if (!run->rest) return "the motion from where cables were drawn";
    return run->frames > 0 ? "the motion from rest" : "the rest";
}

const char *cab_verdict_word(cab_verdict verdict)
{
    static const char *const words[] = {"kept", "in doubt", "broken"};
    return words[verdict];
}

/* The assessment of a run as JSON. */
#include <math.h>
#include <stdlib.h>

#include <jansson.h>

#include "base/error.h"
#include "base/json.h"
#include "io/json_text.h"
#include "rules/assess.h"
#include "rules/bundles.h"

static json_t *one(const cab_assessment *a, const cab_finding *f)
{
    char part[400], other[400], from[700];
    cab_assess_part(a, f, part, sizeof part);
    cab_assess_other(a, f, other, sizeof other);
    cab_assess_from(a, f, from, sizeof from);
    json_t *entry = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:o, s:b, s:b, s:f, s:f, s:[f,f,f], s:i, s:f, s:b}", "rule",
        cab_requirement_kind_of(f->rule)->word, "cable", a->cables[f->cable].name, "part", part, "value",
        cab_json_number(f->value), "limit", cab_json_number(f->bound.limit), "use", cab_json_number(f->use),
        "broken", f->use > 1 && !cab_requirement_kind_of(f->rule)->error, "error",
        cab_requirement_kind_of(f->rule)->error, "at", f->at, "arc", f->at * a->cables[f->cable].length,
        "place", f->place.x, f->place.y, f->place.z, "frame", f->frame, "time", f->time, "moving", f->moving);
    if (entry && isfinite(f->drawn)) json_object_set_new(entry, "drawn", cab_json_number(f->drawn));
    if (entry && *other) json_object_set_new(entry, "other", json_string(other));
    if (entry && *from) json_object_set_new(entry, "from", json_string(from));
    return entry;
}

static json_t *findings(const cab_assessment *a)
{
    json_t *list = json_array();
    for (int i = 0; i < a->finding_count; i++)
        if (a->findings[i].frame >= 0) json_array_append_new(list, one(a, &a->findings[i]));
    return list;
}

/* Lengths as they are at the end, and the verdict of each cable. */
static json_t *by_cable(const cab_assessment *a)
{
    json_t *list = json_array();
    double *use = calloc((size_t)a->cable_count + 1, sizeof *use);
    bool *doubt = calloc((size_t)a->cable_count + 1, sizeof *doubt);
    for (int c = 0; c < a->cable_count && use; c++) use[c] = NAN;
    for (int i = 0; i < a->finding_count && use && doubt; i++) {
        const cab_finding *f = &a->findings[i];
        if (f->frame < 0 || isnan(f->use)) continue;
        bool error = cab_requirement_kind_of(f->rule)->error;
        if (error)
            doubt[f->cable] = doubt[f->cable] || f->use > 1;
        else if (!(use[f->cable] >= f->use))
            use[f->cable] = f->use;
    }
    for (int c = 0; c < a->cable_count && use && doubt; c++) {
        const char *word = use[c] > 1      ? "broken"
                           : doubt[c]      ? "in doubt"
                           : isnan(use[c]) ? "no limit"
                                           : "kept";
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:f, s:f}", "cable", a->cables[c].name,
                                              "verdict", word, "use", cab_json_number(use[c]), "rest_length",
                                              a->facts[c].rest_length, "length", a->facts[c].length));
    }
    if (!use || !doubt) {
        json_decref(list);
        list = NULL;
    }
    free(use);
    free(doubt);
    return list;
}

static json_t *series(const cab_assessment *a)
{
    json_t *all = json_object(), *time = json_array();
    for (int i = 0; i < a->frame_count; i++) json_array_append_new(time, json_real(a->time[i]));
    json_object_set_new(all, "time", time);
    for (int k = 0; k < CAB_REQUIREMENT_COUNT; k++) {
        if (k == CAB_REQUIREMENT_TORQUE && !a->torque) continue;
        json_t *values = json_array();
        for (int i = 0; i < a->frame_count; i++)
            json_array_append_new(values,
                                  cab_json_number(a->series[(size_t)i * CAB_REQUIREMENT_COUNT + (size_t)k]));
        json_object_set_new(all, cab_requirement_kind_of((cab_requirement)k)->word, values);
    }
    return all;
}

static json_t *limits(const cab_limits *l)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s?}", "bend-at-rest",
                     cab_json_number(l->bend_at_rest), "bend-moving", cab_json_number(l->bend_moving),
                     "length", cab_json_number(l->length), "tension", cab_json_number(l->tension),
                     "clearance-collider", cab_json_number(l->clearance_collider), "clearance-cable",
                     cab_json_number(l->clearance_cable), "sag", cab_json_number(l->sag), "clip-force",
                     cab_json_number(l->clip_force), "connector-force", cab_json_number(l->connector_force),
                     "hold-force", cab_json_number(l->hold_force), "torque", cab_json_number(l->torque),
                     "table", l->table ? l->table->file : NULL);
}

static void add_rest(json_t *root, const cab_equilibrium *rest)
{
    json_object_set_new(root, "settled", json_boolean(rest->settled));
    json_object_set_new(root, "equilibrium",
                        json_pack("{s:o,s:i}", "residual_N", cab_json_number(rest->residual), "iterations",
                                  rest->iterations));
}

static int write_bytes(const char *buffer, size_t size, void *file)
{
    cab_file_write(file, buffer, size);
    return 0;
}

cab_status cab_assess_write_json(const cab_assessment *a, const cab_assess_run *run, cab_file *file,
                                 cab_error *error)
{
    char said[2000];
    cab_json_build();
    cab_verdict verdict = cab_assess_verdict(a, run, said, sizeof said);
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:f, s:i, s:i, s:s, s:s, s:{s:o, s:o, s:i, s:i}, s:o, s:o, "
        "s:o, "
        "s:o, s:o}",
        "clcable", cab_version(), "scene", run->scene, "status", run->status, "judged",
        cab_assess_judged(run), "device", run->device, "method", run->method, "substeps", run->substeps,
        "frames", run->frames, "duration", run->duration, "cables", a->cable_count, "broken",
        cab_assess_broken(a), "verdict", cab_verdict_word(verdict), "said", said, "errors", "stretch_worst",
        cab_json_number(run->measures.stretch_worst), "penetration_worst",
        cab_json_number(run->measures.penetration_worst), "lengths",
        cab_assess_errors(a, CAB_REQUIREMENT_STRETCH), "overlaps",
        cab_assess_errors(a, CAB_REQUIREMENT_OVERLAP), "limits", limits(&a->limits), "by_cable", by_cable(a),
        "findings", findings(a), "series", series(a), "probes", cab_assess_probes_json(&a->probes));
    if (root && run->rest) add_rest(root, run->rest);
    json_t *bundles = cab_bundles_json(a->scene);
    if (json_array_size(bundles))
        json_object_set_new(root, "bundles", bundles);
    else
        json_decref(bundles);
    if (!root || cab_json_lacks()) {
        json_decref(root);
        return cab_fail_memory(error, "the report", 0);
    }
    int failed = json_dump_callback(root, write_bytes, file, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    json_decref(root);
    cab_file_write(file, "\n", 1);
    return failed ? cab_fail_memory(error, "the report", 0) : CAB_OK;
}

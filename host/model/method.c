#include "model/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "model/constraint_kind.h"
#include "model/limits.h"
#include "model/names.h"

static const cab_way xpbd_ways[] = {CAB_WAY_FUSED, CAB_WAY_LANES, CAB_WAY_CHUNKS, CAB_WAY_COLOURED,
                                    CAB_WAY_AUTO};
static const cab_way direct_ways[] = {CAB_WAY_LANES, CAB_WAY_STAGED, CAB_WAY_AUTO};
static const cab_way projected_ways[] = {CAB_WAY_CHUNKS, CAB_WAY_COLOURED, CAB_WAY_AUTO};
static const cab_way coloured_way[] = {CAB_WAY_COLOURED, CAB_WAY_AUTO};

static const cab_method_traits traits[CAB_METHOD_COUNT] = {
    [CAB_METHOD_XPBD] = {"xpbd", CAB_RULE_COMPLIANT, .bends = true, .stretches = true, .clamps = true,
                         .ways = xpbd_ways},
    [CAB_METHOD_SPRINGS] = {"springs", CAB_RULE_SPRING, .one_iteration = true, .bends = true,
                            .stretches = true, .ways = coloured_way},
    [CAB_METHOD_STIFF_SPRINGS] = {"stiff-springs", CAB_RULE_PROJECTED, .equal_weights = true, .halves = true,
                                  .one_iteration = true, .ways = coloured_way},
    [CAB_METHOD_JAKOBSEN] = {"jakobsen", CAB_RULE_PROJECTED, .clamps = true, .ways = projected_ways},
    [CAB_METHOD_PBD] = {"pbd", CAB_RULE_PROJECTED, .clamps = true, .ways = projected_ways},
    [CAB_METHOD_DIRECT] = {"direct", CAB_RULE_DIRECT, .bends = true, .stretches = true, .clamps = true,
                           .ways = direct_ways},
    [CAB_METHOD_JACOBI] = {"jacobi", CAB_RULE_AVERAGED, .equal_weights = true, .ways = coloured_way},
};

const cab_method_traits *cab_method_traits_of(cab_method method)
{
    return method >= 0 && method < CAB_METHOD_COUNT ? &traits[method] : NULL;
}

const char *cab_method_name(cab_method method)
{
    const cab_method_traits *t = cab_method_traits_of(method);
    return t ? t->name : NULL;
}

int cab_method_find(const char *name)
{
    for (int i = 0; i < CAB_METHOD_COUNT; i++)
        if (strcmp(traits[i].name, name) == 0) return i;
    return -1;
}

const char *cab_way_name(cab_way way)
{
    static const char *const names[CAB_WAY_COUNT] = {
        [CAB_WAY_AUTO] = "auto",   [CAB_WAY_COLOURED] = "coloured", [CAB_WAY_FUSED] = "fused",
        [CAB_WAY_LANES] = "lanes", [CAB_WAY_STAGED] = "staged",     [CAB_WAY_CHUNKS] = "chunks",
    };
    return way >= 0 && way < CAB_WAY_COUNT ? names[way] : "none";
}

bool cab_equal_weights(const cab_settings *settings)
{
    if (settings->relaxation.weights == CAB_WEIGHTS_METHOD) return traits[settings->method].equal_weights;
    return settings->relaxation.weights == CAB_WEIGHTS_EQUAL;
}

bool cab_is_adaptive(const cab_settings *settings)
{
    return settings->tolerance.move > 0 || settings->tolerance.stretch > 0;
}

#define XPBD (1u << CAB_METHOD_XPBD)
#define SPRINGS (1u << CAB_METHOD_SPRINGS)
#define STIFF (1u << CAB_METHOD_STIFF_SPRINGS)
#define JAKOBSEN (1u << CAB_METHOD_JAKOBSEN)
#define PBD (1u << CAB_METHOD_PBD)
#define DIRECT (1u << CAB_METHOD_DIRECT)
#define JACOBI (1u << CAB_METHOD_JACOBI)
#define IN_CHUNKS (XPBD | JAKOBSEN | PBD)
#define ITERATED (XPBD | JAKOBSEN | PBD | JACOBI)
#define RELAXED (SPRINGS | STIFF | JAKOBSEN | PBD | JACOBI)

static const char *const weight_words[] = {
    [CAB_WEIGHTS_METHOD] = "method", [CAB_WEIGHTS_MASS] = "mass", [CAB_WEIGHTS_EQUAL] = "equal", NULL};
static const char *const length_words[] = {
    [CAB_LENGTH_EQUAL] = "equal", [CAB_LENGTH_AT_MOST] = "at_most", [CAB_LENGTH_AT_LEAST] = "at_least", NULL};
static const char *const bending_words[] = {
    [CAB_BENDING_AUTO] = "auto", [CAB_BENDING_COUPLED] = "coupled", [CAB_BENDING_SPLIT] = "split", NULL};
static const char *const seam_words[] = {[CAB_SEAM_SOLVE] = "solve", [CAB_SEAM_SHIFT] = "shift", NULL};

#define NUMBER(key, member, users, ...)                                                                      \
    {key, offsetof(cab_settings, member), __VA_ARGS__}, users, CAB_METHOD_NUMBER, NULL
#define SWITCH(key, member, users)                                                                           \
    {key, offsetof(cab_settings, member), {0, 1, true}}, users, CAB_METHOD_SWITCH, NULL
#define WORD(key, member, users, words)                                                                      \
    {key, offsetof(cab_settings, member), {0, sizeof words / sizeof *words - 2, true}}, users,               \
        CAB_METHOD_WORD, words

const cab_method_key cab_method_keys[CAB_METHOD_KEYS] = {
    {NUMBER("contact_passes", contact.passes, CAB_ALL_METHODS, {1, 100, true})},
    {NUMBER("double_compliance", doubles.compliance, XPBD | SPRINGS, {0, 1e9, false})},
    {NUMBER("stiffness", pbd.stiffness, PBD, CAB_LIMIT_SHARE)},
    {NUMBER("double_stiffness", pbd.double_stiffness, PBD, CAB_LIMIT_SHARE)},
    {NUMBER("dampening", relaxation.dampening, RELAXED, {0, 1, false})},
    {NUMBER("spring_stiffness", springs.stiffness, SPRINGS, {0, 1e12, false})},
    {NUMBER("spring_damping", springs.damping, SPRINGS, {0, 1e12, false})},
    {NUMBER("averaging_weight", jacobi.averaging_weight, JACOBI, {0, 1e6, false})},
    {NUMBER("chunks", chunks.count, IN_CHUNKS, {0, 100000, true})},
    {NUMBER("tolerance", tolerance.move, ITERATED, {0, 1e6, false})},
    {NUMBER("stretch_tolerance", tolerance.stretch, ITERATED, {0, 1e6, false})},
    {SWITCH("double_distance", doubles.on, ~DIRECT)},
    {SWITCH("corrected_stiffness", pbd.corrected, PBD)},
    {SWITCH("approximate_root", relaxation.approximate_root, JAKOBSEN | PBD)},
    {WORD("weights", relaxation.weights, STIFF | JAKOBSEN | PBD | JACOBI, weight_words)},
    {WORD("distance_kind", distance_kind, ~DIRECT, length_words)},
    {WORD("double_kind", doubles.kind, ~DIRECT, length_words)},
    {WORD("bending", bending, DIRECT, bending_words)},
    {WORD("seam", chunks.seam, IN_CHUNKS, seam_words)},
};

/* Whatever is not as it is by default must be the method's own. */
static cab_status check_keys(const cab_scene *scene, cab_error *error)
{
    const cab_settings *s = &scene->settings, usual = cab_settings_default();
    unsigned method = 1u << s->method;
    for (int i = 0; i < CAB_METHOD_KEYS; i++) {
        const cab_method_key *k = &cab_method_keys[i];
        const cab_field *f = &k->field;
        const void *now = (const char *)s + f->offset;
        size_t size = k->kind == CAB_METHOD_SWITCH ? sizeof(bool)
                      : f->limit.integer           ? sizeof(int)
                                                   : sizeof(double);
        if (k->words && !cab_limit_holds(f->limit, *(const int *)now))
            return cab_fail(error, CAB_ERROR_INPUT, "%s: /method/%s: expected a value from 0 to %.0f, got %d",
                            scene->source, f->key, f->limit.max, *(const int *)now);
        bool changed = memcmp(now, (const char *)&usual + f->offset, size) != 0;
        if (changed && !(k->users & method))
            return cab_fail(error, CAB_ERROR_INPUT, "%s: /method/%s: the method \"%s\" has no use for it",
                            scene->source, f->key, cab_method_name(scene->settings.method));
    }
    return CAB_OK;
}

cab_status cab_method_refuse_material(const cab_scene *scene, int material, const char *key,
                                      const char *cannot, const char *expected, double value,
                                      cab_error *error)
{
    char name[CAB_NAME_MAX * 2 + 1];
    cab_pointer_escape(scene->materials[material].name, name, sizeof name);
    return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                    "%s: /materials/%s/%s: the method \"%s\" does not %s; expected %s, got %g", scene->source,
                    name, key, cab_method_name(scene->settings.method), cannot, expected, value);
}

static cab_status check_materials(const cab_scene *scene, const cab_method_traits *t, cab_error *error)
{
    for (int i = 0; i < scene->material_count; i++) {
        const cab_material_def *m = &scene->materials[i];
        if (m->bending_stiffness != 0 && !t->bends)
            return cab_method_refuse_material(scene, i, "bending_stiffness",
                                              "simulate bending by it, but by double_distance", "0",
                                              m->bending_stiffness, error);
        if (isfinite(m->stretching_stiffness) && !t->stretches)
            return cab_method_refuse_material(scene, i, "stretching_stiffness", "simulate elastic cables",
                                              "null", m->stretching_stiffness, error);
        if (t->rule == CAB_RULE_SPRING && !isfinite(m->stretching_stiffness) &&
            !(scene->settings.springs.stiffness > 0))
            return cab_fail(
                error, CAB_ERROR_UNSUPPORTED,
                "%s: /method/spring_stiffness: expected more than 0 N/m, since material \"%s\" has no "
                "stretching_stiffness",
                scene->source, m->name);
    }
    return CAB_OK;
}

/* Equal weights know no masses: a heavy load would weigh nothing. */
static cab_status check_loads(const cab_scene *scene, cab_error *error)
{
    if (!cab_equal_weights(&scene->settings)) return CAB_OK;
    for (int i = 0; i < scene->load_count; i++) {
        if (scene->loads[i].mass == 0) continue;
        return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                        "%s: /loads/%d/mass: \"%s\" with equal weights does not know masses; expected 0 or "
                        "/method/weights \"mass\"",
                        scene->source, i, cab_method_name(scene->settings.method));
    }
    return CAB_OK;
}

/* The direct method goes along chains. */
static cab_status check_sheets(const cab_scene *scene, const cab_method_traits *t, cab_error *error)
{
    if (t->rule != CAB_RULE_DIRECT || scene->sheet_count == 0) return CAB_OK;
    return cab_fail(error, CAB_ERROR_UNSUPPORTED, "%s: /sheets/0: the method \"%s\" does not simulate sheets",
                    scene->source, t->name);
}

static cab_status check_engine(const cab_scene *scene, const cab_method_traits *t, cab_error *error)
{
    const cab_settings *s = &scene->settings;
    if (t->one_iteration && s->iterations > 1)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: /time/iterations: expected 1 with the method \"%s\", got %d", scene->source,
                        t->name, s->iterations);
    if (t->rule == CAB_RULE_SPRING && s->doubles.on && !(s->doubles.compliance > 0))
        return cab_fail(
            error, CAB_ERROR_INPUT,
            "%s: /method/double_compliance: expected more than 0 m/N, since springs are not rigid",
            scene->source);
    if (s->pbd.corrected && cab_is_adaptive(s))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: /method/corrected_stiffness: expected false where a tolerance ends iterations, "
                        "since it goes by their number",
                        scene->source);
    if (s->contact.sleep && t->rule != CAB_RULE_COMPLIANT && t->rule != CAB_RULE_DIRECT)
        return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                        "%s: /contact/sleep: the method \"%s\" knows no sleep; expected false", scene->source,
                        t->name);
    if (s->contact.touching == CAB_TOUCHING_PARTICLES_AFTER && !(RELAXED >> s->method & 1))
        return cab_fail(
            error, CAB_ERROR_UNSUPPORTED,
            "%s: /contact/touching: the method \"%s\" has contact among its iterations only; expected "
            "\"segments\" or \"particles\"",
            scene->source, t->name);
    if (s->max_substeps > 0 && t->rule != CAB_RULE_COMPLIANT && t->rule != CAB_RULE_DIRECT)
        return cab_fail(
            error, CAB_ERROR_UNSUPPORTED,
            "%s: /time/max_substeps: what the method \"%s\" comes to depends on the number of substeps; "
            "expected 0",
            scene->source, t->name);
    return CAB_OK;
}

void cab_scene_choose_method(cab_scene *scene)
{
    cab_error error = {0};
    scene->method_chosen = true;
    scene->method_against[0] = 0;
    scene->settings.method = CAB_METHOD_DIRECT;
    if (cab_method_check(scene, &error) == CAB_OK) return;
    scene->settings.method = CAB_METHOD_XPBD;
    const char *key = strstr(error.message, ": /"); /* the scene's name comes before */
    snprintf(scene->method_against, sizeof scene->method_against, "%s", key ? key + 2 : error.message);
}

const char *cab_scene_method_against(const cab_scene *scene)
{
    return scene->method_chosen ? scene->method_against : NULL;
}

cab_status cab_method_check(const cab_scene *scene, cab_error *error)
{
    const cab_method_traits *t = cab_method_traits_of(scene->settings.method);
    if (!t) return cab_fail(error, CAB_ERROR_INPUT, "%s: /method: no such method", scene->source);
    cab_status status = check_keys(scene, error);
    if (status == CAB_OK) status = check_engine(scene, t, error);
    if (status == CAB_OK) status = check_materials(scene, t, error);
    if (status == CAB_OK) status = check_loads(scene, error);
    if (status == CAB_OK) status = check_sheets(scene, t, error);
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++)
        if (cab_constraint_kinds[k]->check) status = cab_constraint_kinds[k]->check(scene, t, error);
    return status;
}

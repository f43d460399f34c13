/* A scene of particles from its document: the lists of the system, and the hands. */
#include "study/particles/scene.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include <jansson.h>

#include "base/array.h"
#include "io/read_file.h"
#include "io/scene_json.h"
#include "study/particles/read.h"

static cab_status read_hand(const cab_cursor *item, void *out)
{
    static const cab_key keys[] = {
        {.key = "particle"},
        {CAB_PAIR(cab_particle_hand, point, CAB_LIMIT_COORDINATE, CAB_NEEDED)},
        {CAB_VALUE(cab_particle_hand, stiffness, CAB_P_GAIN, CAB_NEEDED)},
        {CAB_VALUE(cab_particle_hand, damping, CAB_P_GAIN)},
        {CAB_VALUE(cab_particle_hand, from, {0, 1e9, false})},
        {CAB_VALUE(cab_particle_hand, until, {0, 1e9, false})},
    };
    cab_particles_scene *scene = ((cab_p_builder *)out)->scene;
    CAB_TRY(cab_check_object(item, keys, CAB_COUNT(keys)));
    if (scene->hand_count == CAB_PARTICLES_HANDS)
        return cab_cursor_refuse(item, CAB_ERROR_INPUT, "expected at most 10 hands");
    cab_particle_hand *h = &scene->hands[scene->hand_count++];
    *h = (cab_particle_hand){.until = 1e9};
    cab_cursor particle = cab_cursor_key(item, "particle");
    CAB_TRY(cab_read_integer(&particle, (cab_limit){0, fmax(0, scene->system.particle_count - 1), true},
                             &h->particle));
    return cab_read_keys(item, keys, CAB_COUNT(keys), h);
}

static cab_status read_system(const cab_cursor *system, cab_p_builder *b)
{
    static const cab_key keys[] = {
        {.key = "time", .kind = CAB_KEY_READ, .read = cab_p_read_time},
        {.key = "settings", .kind = CAB_KEY_READ, .read = cab_p_read_settings},
        {.key = "particles"},
        {.key = "forces"},
        {.key = "constraints"},
        {.key = "chains"},
        {.key = "hands"},
    };
    CAB_TRY(cab_read_object(system, keys, CAB_COUNT(keys), b->scene));
    CAB_TRY(cab_read_list(system, "particles", cab_p_read_particle, b));
    CAB_TRY(cab_read_list(system, "forces", cab_p_read_force, b));
    CAB_TRY(cab_read_list(system, "constraints", cab_p_read_constraint, b));
    CAB_TRY(cab_read_list(system, "chains", cab_p_read_chain, b));
    return cab_read_list(system, "hands", read_hand, b);
}

static cab_status read_document(const cab_cursor *document, void *scene)
{
    cab_p_builder builder = {.file = document->reader->file, .scene = scene};
    cab_cursor system;
    CAB_TRY(cab_study_read_document(document, "particles", &system));
    cab_status status = read_system(&system, &builder);
    builder.scene->system.particles = builder.particles;
    builder.scene->system.forces = builder.forces;
    builder.scene->system.constraints = builder.constraints;
    return status;
}

/* Ranges and indices are checked where a system is made; this tells where in the file the fault is. Chains
 * are good by themselves. */
static cab_status check_system(const char *path, cab_particles_scene *scene, cab_error *error)
{
    cab_error inner;
    cab_status status = cab_particles_examine(&scene->system, &scene->facts, &inner);
    if (status == CAB_ERROR_INPUT) return cab_fail(error, status, "%s: /particles%s", path, inner.message);
    return status == CAB_OK ? status : cab_fail(error, status, "%s", inner.message);
}

static cab_status parse(const char *file, const char *text, size_t size, const char *const *overrides,
                        int count, cab_particles_scene *scene, cab_error *error)
{
    json_t *root = NULL;
    cab_status status = cab_scene_document(file, text, size, overrides, count, &root, error);
    if (status != CAB_OK) return status;
    scene->document = root;
    cab_reader reader = {.file = file, .error = error};
    cab_cursor document = {.value = root, .reader = &reader};
    return read_document(&document, scene);
}

cab_status cab_particles_scene_parse(const char *file, const char *text, size_t size,
                                     const char *const *overrides, int override_count,
                                     cab_particles_scene *scene, cab_error *error)
{
    *scene = (cab_particles_scene){.duration = 5, .frame_rate = 60, .steps = 10};
    scene->system.settings = cab_particles_default();
    cab_status status = parse(file, text, size, overrides, override_count, scene, error);
    scene->system.settings.step = 1 / (scene->frame_rate * scene->steps);
    if (status == CAB_OK) status = check_system(file, scene, error);
    if (status != CAB_OK) cab_particles_scene_free(scene);
    return status;
}

cab_status cab_particles_scene_load(const char *path, const char *const *overrides, int override_count,
                                    cab_particles_scene *scene, cab_error *error)
{
    char *text = NULL;
    size_t size = 0;
    *scene = (cab_particles_scene){0};
    cab_status status = cab_read_file(path, &text, &size, error);
    if (status == CAB_OK)
        status = cab_particles_scene_parse(path, text, size, overrides, override_count, scene, error);
    free(text);
    return status;
}

void cab_particles_scene_free(cab_particles_scene *scene)
{
    const cab_particles_def *system = &scene->system;
    for (int i = 0; i < system->constraint_count; i++) free((void *)(uintptr_t)system->constraints[i].foci);
    CAB_FREE((void *)(uintptr_t)system->particles, (void *)(uintptr_t)system->forces,
             (void *)(uintptr_t)system->constraints);
    json_decref(scene->document);
    *scene = (cab_particles_scene){0};
}

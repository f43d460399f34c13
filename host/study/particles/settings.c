/* Settings and time of a scene. */
#include <jansson.h>

#include "io/scene_json.h"
#include "study/particles/parts.h"
#include "study/particles/read.h"

static cab_status read_preconditioner(const cab_cursor *solver, cab_particles_settings *s)
{
    int which = (int)s->preconditioner;
    cab_cursor word = cab_cursor_key(solver, "preconditioner"), block = cab_cursor_key(solver, "block");
    if (word.value && s->solver != CAB_PARTICLES_PCG)
        return cab_cursor_refuse(&word, CAB_ERROR_INPUT, "only the solver \"pcg\" has a preconditioner");
    CAB_TRY(cab_study_read_word(solver, "preconditioner", cab_p_preconditioner_words,
                                CAB_PARTICLES_PRECONDITIONERS, &which));
    s->preconditioner = (cab_particles_preconditioner)which;
    bool blocks = s->solver == CAB_PARTICLES_PCG && s->preconditioner == CAB_PARTICLES_BLOCK_JACOBI;
    if (block.value && !blocks)
        return cab_cursor_refuse(
            &block, CAB_ERROR_INPUT,
            "only the solver \"pcg\" with the preconditioner \"block-jacobi\" has blocks");
    return CAB_OK;
}

static cab_status read_solver(const cab_cursor *settings, cab_particles_settings *s)
{
    static const char *const keys[] = {"name", "tolerance", "absolute",      "iterations",
                                       "cold", "block",     "preconditioner"};
    int which = (int)s->solver;
    cab_cursor solver = cab_cursor_key(settings, "solver");
    if (!solver.value) return CAB_OK;
    if (json_is_string(solver.value)) {
        CAB_TRY(cab_read_word(&solver, cab_p_solver_words, CAB_PARTICLES_SOLVERS, &which));
        s->solver = (cab_particles_solver)which;
        return CAB_OK;
    }
    CAB_TRY(cab_cursor_check_keys(&solver, keys, CAB_COUNT(keys)));
    cab_cursor name = cab_cursor_key(&solver, "name");
    CAB_TRY(cab_read_word(&name, cab_p_solver_words, CAB_PARTICLES_SOLVERS, &which));
    s->solver = (cab_particles_solver)which;
    CAB_TRY(read_preconditioner(&solver, s));
    CAB_TRY(cab_p_read_number(&solver, "tolerance", &s->tolerance));
    CAB_TRY(cab_study_read_switch(&solver, "absolute", &s->absolute));
    CAB_TRY(cab_p_read_count(&solver, "iterations", &s->iterations));
    CAB_TRY(cab_study_read_switch(&solver, "cold", &s->cold));
    return cab_p_read_count(&solver, "block", &s->block);
}

static cab_status read_way(const cab_cursor *settings, cab_particles_way *way)
{
    static const char *const words[] = {"auto", "fused", "staged", "clblast"};
    int which = CAB_PARTICLES_AUTO;
    CAB_TRY(cab_study_read_word(settings, "way", words, CAB_COUNT(words), &which));
    *way = (cab_particles_way)which;
    return CAB_OK;
}

cab_status cab_p_read_settings(const cab_cursor *system, cab_particles_scene *scene)
{
    cab_particles_settings *s = &scene->system.settings;
    static const char *const keys[] = {"gravity",       "drag",       "position_gain",
                                       "velocity_gain", "integrator", "solver",
                                       "guard",         "off_limit",  "way"};
    int integrator = (int)s->integrator;
    cab_cursor settings = cab_cursor_key(system, "settings");
    if (!settings.value) return CAB_OK;
    CAB_TRY(cab_cursor_check_keys(&settings, keys, CAB_COUNT(keys)));
    CAB_TRY(cab_study_read_word(&settings, "integrator", cab_p_integrator_words, CAB_INTEGRATOR_COUNT,
                                &integrator));
    s->integrator = (cab_integrator)integrator;
    CAB_TRY(cab_p_read_point(&settings, "gravity", false, &s->gravity));
    CAB_TRY(cab_p_read_number(&settings, "drag", &s->drag));
    CAB_TRY(cab_p_read_number(&settings, "position_gain", &s->position_gain));
    CAB_TRY(cab_p_read_number(&settings, "velocity_gain", &s->velocity_gain));
    CAB_TRY(cab_p_read_number(&settings, "guard", &s->guard));
    CAB_TRY(cab_p_read_number(&settings, "off_limit", &s->off_limit));
    CAB_TRY(read_way(&settings, &scene->way));
    return read_solver(&settings, s);
}

cab_status cab_p_read_time(const cab_cursor *system, cab_particles_scene *scene)
{
    static const char *const keys[] = {"duration", "frame_rate", "steps"};
    cab_cursor time = cab_cursor_key(system, "time");
    if (!time.value) return CAB_OK;
    CAB_TRY(cab_cursor_check_keys(&time, keys, CAB_COUNT(keys)));
    CAB_TRY(cab_study_read_number(&time, "duration", (cab_limit){1e-6, 1e6, false}, &scene->duration));
    CAB_TRY(cab_study_read_number(&time, "frame_rate", (cab_limit){1e-3, 1e6, false}, &scene->frame_rate));
    return cab_study_read_integer(&time, "steps", (cab_limit){1, 100000, true}, &scene->steps);
}

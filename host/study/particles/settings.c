/* Settings and time of a scene. */
#include "study/particles/parts.h"
#include "study/particles/read.h"

/* A key that is called as a member of the system's settings. */
#define SETTING(of_kind, member)                                                                             \
    .key = #member, .offset = offsetof(cab_particles_scene, system.settings.member), .kind = CAB_KEY_##of_kind

static cab_status read_solver(const cab_cursor *solver, void *scene)
{
    static const cab_key keys[] = {
        {.key = "name"},
        {SETTING(NUMBER, tolerance), .limit = CAB_P_ANY},
        {SETTING(BOOL, absolute)},
        {SETTING(NUMBER, iterations), .limit = CAB_P_COUNT},
        {SETTING(BOOL, cold)},
        {SETTING(NUMBER, block), .limit = CAB_P_COUNT},
        {SETTING(WORD, preconditioner), .words = cab_p_preconditioner_words},
    };
    cab_particles_settings *s = &((cab_particles_scene *)scene)->system.settings;
    bool named = json_is_string(solver->value);
    cab_cursor name = named ? *solver : cab_cursor_key(solver, "name");
    int which = 0;
    if (!named) CAB_TRY(cab_check_object(solver, keys, CAB_COUNT(keys)));
    CAB_TRY(cab_read_word(&name, cab_p_solver_words, CAB_PARTICLES_SOLVERS, &which));
    s->solver = (cab_particles_solver)which;
    if (named) return CAB_OK;
    cab_cursor word = cab_cursor_key(solver, "preconditioner"), block = cab_cursor_key(solver, "block");
    if (word.value && s->solver != CAB_PARTICLES_PCG)
        return cab_cursor_refuse(&word, CAB_ERROR_INPUT, "only the solver \"pcg\" has a preconditioner");
    CAB_TRY(cab_read_keys(solver, keys, CAB_COUNT(keys), scene));
    bool blocks = s->solver == CAB_PARTICLES_PCG && s->preconditioner == CAB_PARTICLES_BLOCK_JACOBI;
    if (!block.value || blocks) return CAB_OK;
    return cab_cursor_refuse(&block, CAB_ERROR_INPUT,
                             "only the solver \"pcg\" with the preconditioner \"block-jacobi\" has blocks");
}

cab_status cab_p_read_settings(const cab_cursor *settings, void *scene)
{
    static const char *const ways[] = {"auto", "fused", "staged", "clblast", NULL};
    static const cab_key keys[] = {
        {SETTING(PAIR, gravity), .limit = CAB_LIMIT_COORDINATE},
        {SETTING(NUMBER, drag), .limit = CAB_P_ANY},
        {SETTING(NUMBER, position_gain), .limit = CAB_P_ANY},
        {SETTING(NUMBER, velocity_gain), .limit = CAB_P_ANY},
        {SETTING(WORD, integrator), .words = cab_p_integrator_words},
        {.key = "solver", .kind = CAB_KEY_READ, .read = read_solver},
        {SETTING(NUMBER, guard), .limit = CAB_P_ANY},
        {SETTING(NUMBER, off_limit), .limit = CAB_P_ANY},
        {CAB_WORD(cab_particles_scene, way, ways)},
    };
    return cab_read_object(settings, keys, CAB_COUNT(keys), scene);
}

cab_status cab_p_read_time(const cab_cursor *time, void *scene)
{
    static const cab_key keys[] = {
        {CAB_VALUE(cab_particles_scene, duration, {1e-6, 1e6, false})},
        {CAB_VALUE(cab_particles_scene, frame_rate, {1e-3, 1e6, false})},
        {CAB_VALUE(cab_particles_scene, steps, {1, 100000, true})},
    };
    return cab_read_object(time, keys, CAB_COUNT(keys), scene);
}

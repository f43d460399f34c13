/* Sorts a scene's settings by what uses them. */
#include "model/settings.h"

#include "kernels/launch_types.h"

#include "model/method.h"

int cab_max_substeps(const cab_settings *s)
{
    bool needs = s->method == CAB_METHOD_DIRECT && s->detection == CAB_DETECTION_SWEPT;
    return s->max_substeps == CAB_SUBSTEPS_AS_NEEDED && !needs ? 0 : s->max_substeps;
}

/* The most pieces of a substep that keep to `max_substeps`. */
static int max_pieces(const cab_settings *s)
{
    int pieces = 1, substeps = cab_max_substeps(s);
    if (substeps == CAB_SUBSTEPS_AS_NEEDED) return CAB_PIECES_MOST;
    while (pieces < CAB_PIECES_MOST && 2 * pieces <= substeps / s->substeps) pieces *= 2;
    return pieces;
}

cab_model_settings cab_model_settings_of(const cab_settings *s)
{
    return (cab_model_settings){
        .gravity = s->gravity,
        .wind = s->wind,
        .frame_rate = s->frame_rate,
        .substeps = s->substeps,
        .max_pieces = max_pieces(s),
        .iterations = s->iterations,
        .method = s->method,
        .way = s->way,
        .length_kind = s->distance_kind,
        .doubles = {.on = s->double_distance, .kind = s->double_kind, .compliance = s->double_compliance},
        .relaxation = {.dampening = s->dampening,
                       .equal_weights = cab_equal_weights(s),
                       .approximate_root = s->approximate_root},
        .springs = {.stiffness = s->spring_stiffness, .damping = s->spring_damping},
        .pbd = {.stiffness = s->stiffness,
                .double_stiffness = s->double_stiffness,
                .corrected = s->corrected_stiffness},
        .jacobi = {.averaging_weight = s->averaging_weight},
        .chunks = {.count = s->chunks, .seam = s->seam},
        .tolerance = {.on = cab_is_adaptive(s), .move = s->tolerance, .stretch = s->stretch_tolerance},
        .contact = {.cables = s->contact_cables,
                    .self = s->contact_self,
                    .sleep = s->contact_sleep,
                    .passes = s->contact_passes,
                    .friction_model = s->friction_model,
                    .static_speed = s->static_speed,
                    .detection = s->detection},
    };
}

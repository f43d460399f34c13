#include "model/settings.h"

#include "kernels/launch_types.h"

#include "model/method.h"

int cab_max_substeps(const cab_settings *s)
{
    bool needs = s->method == CAB_METHOD_DIRECT && s->contact.detection == CAB_DETECTION_SWEPT;
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
        .bending = s->bending,
        .length_kind = s->distance_kind,
        .doubles = s->doubles,
        .relaxation = s->relaxation,
        .equal_weights = cab_equal_weights(s),
        .springs = s->springs,
        .pbd = s->pbd,
        .jacobi = s->jacobi,
        .chunks = s->chunks,
        .tolerance = s->tolerance,
        .adaptive = cab_is_adaptive(s),
        .contact = s->contact,
    };
}

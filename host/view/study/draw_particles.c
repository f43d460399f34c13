/* The drawing of particles. */
#include "study/particles/study.h"
#include "view/study/sketch_particles.h"
#include "view/study/study.h"

static double unit(const cab_study *study)
{
    return cab_sketch_particles_unit(&((const cab_particles_study_state *)study)->scene.system);
}

static cab_status draw(cab_study *study, double size, cab_sketch *sketch, cab_error *error)
{
    cab_particles_study_state *s = (cab_particles_study_state *)study;
    cab_status status = cab_particles_read(s->particles, 0, s->x, s->v, error);
    if (status) return status;
    cab_sketch_particles(sketch, &s->system, s->x, s->v, s->hands, CAB_PARTICLES_HANDS, size);
    return CAB_OK;
}

static int name_count(const void *self, cab_paint paint)
{
    (void)self, (void)paint;
    return 0;
}

const cab_study_drawing cab_particles_drawing = {
    .kind = &cab_particles_study,
    .subject = {.load = cab_shown_study_load,
                .update = cab_shown_study_update,
                .clock = cab_shown_study_clock,
                .name_count = name_count},
    .unit = unit,
    .draw = draw,
};

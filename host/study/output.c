#include "study/output.h"

#include <string.h>

static cab_status write_csv(void *self, cab_world *world, cab_file *file, cab_error *error)
{
    cab_study *study = self;
    (void)world;
    cab_status status = study->kind->read(study, error);
    if (!status) study->kind->write_csv(study, file);
    return status;
}

static cab_status take(void *self, cab_world *world, cab_polydata *data, cab_error *error)
{
    cab_study *study = self;
    (void)world;
    *data = (cab_polydata){.frame = study->frame, .time = cab_study_time(study)};
    cab_status status = study->kind->read(study, error);
    if (!status) status = study->kind->fill(study, data, error);
    if (status) cab_polydata_free(data);
    return status;
}

void cab_study_make_outputs(cab_study *study, cab_study_outputs *o)
{
    *o = (cab_study_outputs){.study = study, .source = {study, take}, .csv = {study, write_csv}};
    o->vtp = (cab_last_format){&o->source, cab_output_write_vtp};
    const cab_output_kind kinds[] = {
        {".csv", &o->csv, .open = cab_output_open_last, .close = cab_output_close_last},
        {".vtp", &o->vtp, .open = cab_output_open_last, .close = cab_output_close_last},
        {".pvd", &o->source, .open = cab_output_open_pvd, .frame = cab_output_frame_pvd,
         .close = cab_output_close_pvd},
#ifdef CAB_HAVE_LIBZIP
        {".npz", study, .open = cab_study_open_npz, .frame = cab_study_frame_npz,
         .close = cab_study_close_npz},
#endif
    };
    o->count = sizeof kinds / sizeof *kinds;
    memcpy(o->kinds, kinds, sizeof kinds);
}

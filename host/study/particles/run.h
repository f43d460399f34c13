/* A batch on a device, as run.c sees it. */
#ifndef CAB_STUDY_PARTICLES_RUN_H
#define CAB_STUDY_PARTICLES_RUN_H

#include "backend/backend.h"
#include "study/particles/parts.h"

#define CAB_P_STAGED_MAX 32767 /* systems: a stage's argument has 15 bits for them */

struct cab_particles {
    cab_backend *backend;
    cab_p_batch batch;
    int count; /* systems */
    bool staged;
    bool blas;   /* staged, vectors by CLBlast */
    bool *fresh; /* [count] the next step is the first */
};

/* A system while it is stepped stage by stage. The first failure counts; after it nothing is launched. */
typedef struct cab_p_staging {
    cab_particles *particles;
    const cab_p_system *s;
    int index, evaluations;
    cab_status status;
    cab_error *error;
} cab_p_staging;

#ifdef CAB_HAVE_CLBLAST
/* blas.c: does a stage by CLBlast; false for a stage that is none of its operations. */
bool cab_p_blas(cab_p_staging *run, cab_kernel kernel, int argument);
#endif

#endif

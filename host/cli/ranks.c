#include "cli/ranks.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

/* Who tells it, and by which names. */
static const struct {
    const char *rank, *count;
    const char *only_with; /* NULL, or what must be set, too */
} tellers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL},  /* mpirun of Open MPI */
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", NULL},    /* of MVAPICH */
    {"PMI_RANK", "PMI_SIZE", NULL},                          /* of MPICH and Intel MPI */
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEPID"} /* srun; a job's own script is no step */
};
enum { TELLER_COUNT = sizeof tellers / sizeof tellers[0] };

/* A whole number of the environment, -1 = none. */
static int number_of(const char *name)
{
    const char *text = getenv(name);
    char *end;
    if (!text) return -1;
    errno = 0;
    long number = strtol(text, &end, 10);
    return end == text || *end || errno || number < 0 || number > INT_MAX ? -1 : (int)number;
}

cab_ranks cab_ranks_here(void)
{
    for (int i = 0; i < TELLER_COUNT; i++) {
        int rank = number_of(tellers[i].rank), count = number_of(tellers[i].count);
        if (tellers[i].only_with && !getenv(tellers[i].only_with)) continue;
        if (rank >= 0 && rank < count) return (cab_ranks){rank, count};
    }
    return (cab_ranks){0, 1};
}

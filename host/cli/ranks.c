#include "cli/ranks.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "io/inputs.h"

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

/* Names of what was started together: of PMIx, by which Open MPI and Slurm start processes, and of Slurm itself. */
static const char *const run_names[] = {"PMIX_NAMESPACE", "SLURM_JOB_ID", "SLURM_STEPID"};

static uint64_t run_here(void)
{
    uint64_t run = 0;
    for (size_t i = 0; i < sizeof run_names / sizeof run_names[0]; i++) {
        const char *text = getenv(run_names[i]);
        if (text) run = cab_inputs_sum(run, text, strlen(text) + 1);
    }
    return run;
}

cab_ranks cab_ranks_here(void)
{
    for (int i = 0; i < TELLER_COUNT; i++) {
        int rank = number_of(tellers[i].rank), count = number_of(tellers[i].count);
        if (tellers[i].only_with && !getenv(tellers[i].only_with)) continue;
        if (rank >= 0 && rank < count) return (cab_ranks){rank, count, run_here()};
    }
    return (cab_ranks){.count = 1};
}

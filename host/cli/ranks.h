/* Several processes of one command, as mpirun or srun start them. Nothing of MPI is called: what starts them tells each its
 * number by the environment, and files do the rest (cli/queue.h). */
#ifndef CAB_RANKS_H
#define CAB_RANKS_H

#include <stdint.h>

typedef struct cab_ranks {
    int rank, count; /* this one's number from 0, and how many there are; 0 of 1 where nothing tells */
    uint64_t
        run; /* the same for all that were started together, another one the next time; 0 where nothing tells */
} cab_ranks;

cab_ranks cab_ranks_here(void);

#endif

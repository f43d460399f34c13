/* Open MPI, by which processes that mpirun has started share a run. Its own header is not needed to build: what stands here is
 * its binary interface, the same from Open MPI 1.7 to 5 (ompi/include/mpi.h.in there). */
#ifndef CAB_LIBRARY_OPENMPI_H
#define CAB_LIBRARY_OPENMPI_H

#include "library/library.h"

typedef struct ompi_communicator_t *cab_mpi_comm;
typedef struct ompi_datatype_t *cab_mpi_type;

/* Zero is success everywhere; without another handler Open MPI ends all processes where something fails. */
int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);
int MPI_Comm_rank(cab_mpi_comm comm, int *rank);
int MPI_Comm_size(cab_mpi_comm comm, int *size);
int MPI_Send(const void *data, int count, cab_mpi_type type, int to, int tag, cab_mpi_comm comm);
int MPI_Recv(void *data, int count, cab_mpi_type type, int from, int tag, cab_mpi_comm comm, void *status);
extern char ompi_mpi_comm_world, ompi_mpi_byte; /* their addresses are what counts */

#define CAB_OPENMPI_SYMBOLS(X)                                                                               \
    X(MPI_Init)                                                                                              \
    X(MPI_Finalize)                                                                                          \
    X(MPI_Comm_rank)                                                                                         \
    X(MPI_Comm_size)                                                                                         \
    X(MPI_Send)                                                                                              \
    X(MPI_Recv)                                                                                              \
    X(ompi_mpi_comm_world)                                                                                   \
    X(ompi_mpi_byte)

typedef struct cab_openmpi_table {
    CAB_OPENMPI_SYMBOLS(CAB_LIBRARY_FIELD)
} cab_openmpi_table;
extern cab_openmpi_table cab_openmpi;

/* Before anything of it is called; the errors of cab_library_load(). */
cab_status cab_openmpi_load(const char *user, cab_error *error);

#ifndef CAB_LIBRARY_TABLE /* which openmpi.c defines */
#define MPI_Init cab_openmpi.MPI_Init
#define MPI_Finalize cab_openmpi.MPI_Finalize
#define MPI_Comm_rank cab_openmpi.MPI_Comm_rank
#define MPI_Comm_size cab_openmpi.MPI_Comm_size
#define MPI_Send cab_openmpi.MPI_Send
#define MPI_Recv cab_openmpi.MPI_Recv
#define CAB_MPI_WORLD ((cab_mpi_comm)(void *)cab_openmpi.ompi_mpi_comm_world)
#define CAB_MPI_BYTE ((cab_mpi_type)(void *)cab_openmpi.ompi_mpi_byte)
#endif

#endif

/* Pieces of work that several processes share, on one machine or on many that see the same folder. Nobody hands them out: a process
 * claims a piece by a lock on a byte of a file in that folder, computes it, and leaves its result there as a file. A lock goes with
 * the process that holds it, so a piece of one that has died is free again, and results that are there are never computed
 * twice, by whichever process and however much later. */
#ifndef CAB_QUEUE_H
#define CAB_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include <clcable/status.h>

#include "cli/options.h"
#include "cli/ranks.h"

typedef struct cab_queue {
    char *folder;
    bool passing; /* the folder goes when the work is done: nobody has asked for it by name */
    uint64_t key; /* of what is computed: other work in the same folder has another one */
    cab_ranks ranks;
    int file; /* with the locks, and a byte for each piece: is it done? */
    int own;  /* pieces that this process has computed */
} cab_queue;

/* A folder for what several processes share: `given`, or where that is NULL and there are several ranks one beside the file `beside`. In
 * neither case: *folder is NULL. To be freed. CAB_ERROR_INPUT: there are several ranks, and nothing tells a folder. */
cab_status cab_queue_folder(const char *given, const char *beside, const char *command, char **folder,
                            cab_error *error);

/* Joins the work in a folder, which is made unless it is there. CAB_ERROR_IO: it cannot be made, or its file system has no locks.
 * cab_queue_close() is due in any case. */
cab_status cab_queue_open(cab_queue *queue, const char *folder, bool passing, uint64_t key, cab_error *error);
/* Leaves it. The last one of all ranks takes a passing folder away, whose work is done. */
void cab_queue_close(cab_queue *queue);

/* Where a piece's result is; to be freed, NULL without memory. */
char *cab_queue_path(const cab_queue *queue, int piece);

/* What is done with a piece: leaves the result at its path, or sets *stop, then the piece is free again. */
typedef cab_status cab_queue_work(void *user, int piece, bool *stop, cab_error *error);

/* Computes pieces `first` to first + count - 1 until all are done, here or elsewhere. *stop is set where the program is asked to end before,
 * and where another rank has written what has come out of all work: then results need not be there any more.
 * seen: NULL, or told how many are known to be done. */
cab_status cab_queue_run(cab_queue *queue, int first, int count, cab_queue_work *work, void *user,
                         void (*seen)(void *user, int done), bool *stop, cab_error *error);

/* Takes a piece's result; *good = false: it is not there or of no use, and gone. */
typedef cab_status cab_queue_take(void *user, int piece, bool *good, cab_error *error);

/* The same, then takes all results in their order. What cannot be taken is computed again, some times; CAB_ERROR_IO: in vain. */
cab_status cab_queue_finish(cab_queue *queue, int first, int count, cab_queue_work *work,
                            cab_queue_take *take, void *user, void (*seen)(void *user, int done), bool *stop,
                            cab_error *error);

/* Of what the numbers of all commands depend on: what was read so far, and what was asked for. */
uint64_t cab_queue_key(const cab_options *options, const char *command);
uint64_t cab_queue_add_text(uint64_t key, const char *text);

/* Waits for the turn to write what has come out. False: another rank has done so. */
bool cab_queue_turn(cab_queue *queue);
/* It has been written, whole: the other ranks need not, not even those that have not come yet. */
void cab_queue_written(cab_queue *queue);

#endif

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* _SC_NPROCESSORS_ONLN */
#endif
#include "cli/together.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "backend/backend.h"
#include "backend/remote/remote.h"
#include "base/array.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/guard.h"
#include "cli/interrupt.h"
#include "cli/ranks.h"

enum { WORD_SIZE = 24 };

static int count = 1;                /* processes that share the run */
static char (*rank_word)[WORD_SIZE]; /* "rank:N" of each */
static const char **device;          /* [count] the words of a world's devices */

/* Threads of native where none are asked for: a fair share of the cores, unless this process has been bound to some. */
static int threads_of(const cab_options *options)
{
    cab_device_info native;
    const char *word = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    long beside = word ? strtol(word, NULL, 10) : 1, cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (options->threads || beside < 2 || cab_devices(&native, 1) < 1) return (int)options->threads;
    if (native.compute_units < cores) return 0;
    return native.compute_units > beside ? (int)(native.compute_units / beside) : 1;
}

cab_status cab_together_devices(const cab_options *options, cab_world_def *def, cab_error *error)
{
    const cab_word_list *words = &options->devices;
    def->devices = words->word;
    def->device_count = words->count;
    if (count == 1) return CAB_OK;
    def->threads = threads_of(options);
    cab_status status = device ? CAB_OK : CAB_NEW(device, count, error);
    if (status == CAB_OK && !rank_word) status = CAB_NEW(rank_word, count, error);
    for (int r = 1; status == CAB_OK && r < count; r++) {
        snprintf(rank_word[r], WORD_SIZE, "rank:%d", r);
        device[r] = rank_word[r];
    }
    if (status != CAB_OK) return status;
    device[0] = words->count ? words->word[0] : NULL;
    def->devices = device;
    def->device_count = count;
    return CAB_OK;
}

static int serve(int rank, const cab_options *options)
{
    /* mpirun tells all of Ctrl-C: the first one ends when it has written what there is, and then tells the others. */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    cab_world_def def = cab_options_world(options, NULL);
    def.threads = threads_of(options);
    cab_remote_serve(rank, &def, options->devices.word, options->devices.count);
    return CAB_EXIT_DONE;
}

/* Ends what cannot begin; one process says why. */
static int fail(const cab_ranks *here, const cab_error *error)
{
    if (here->rank == 0) cab_cli_error("%s", error->message);
    return cab_cli_exit_code(error->status);
}

/* No process names the device of another one: that is done for it. */
static cab_status check_words(const cab_options *options, cab_error *error)
{
    for (int i = 0; i < options->devices.count; i++)
        if (cab_remote_rank_of(options->devices.word[i]) >= 0)
            return cab_fail(error, CAB_ERROR_INPUT, "--device %s: expected a device of this process",
                            options->devices.word[i]);
    return CAB_OK;
}

int cab_together(cab_together_work *work, const cab_options *options, const char *path)
{
    cab_ranks here = cab_ranks_here();
    cab_error error = {0};
    int rank, code;
    if (here.count < 2) return work(options, path);
    if (check_words(options, &error) != CAB_OK) return fail(&here, &error);
    if (here.rank == 0) {
        cab_interrupt_install();
        if (cab_guard_draws(options, path, &code))
            return code; /* the process that draws is the one that joins */
    }
    if (cab_remote_join(here.count, &rank, &error) != CAB_OK) return fail(&here, &error);
    count = here.count;
    if (rank > 0) return serve(rank, options);
    code = work(options, path);
    cab_remote_leave();
    CAB_FREE(device, rank_word);
    return code;
}

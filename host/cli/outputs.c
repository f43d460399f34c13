/* Before a run: what it would write must not be what it reads, nor be written twice. */
#include <stdlib.h>

#include "base/array.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "io/file.h"
#include "io/inputs.h"

/* A state may be gone on from and written again: it is read whole, and replaced by a later one of the same run. */
static cab_status check_state(const cab_options *options, const char *const *paths, int count,
                              cab_error *error)
{
    for (int i = 0; i < count && options->resume; i++)
        if (paths[i] && paths[i] != options->checkpoint && cab_inputs_same(paths[i], options->resume))
            return cab_fail(error, CAB_ERROR_INPUT,
                            "%s: it is the state to go on from; expected another file to write to", paths[i]);
    return CAB_OK;
}

cab_status cab_cli_check_outputs(const cab_options *options, cab_error *error)
{
    int count = 0;
    const char **paths;
    cab_status status = CAB_NEW(paths, options->outputs.count + 6, error);
    if (status) return status;
    for (int i = 0; i < options->outputs.count; i++) paths[count++] = options->outputs.word[i];
    paths[count++] = options->checkpoint;
    paths[count++] = options->report;
    paths[count++] = options->probes;
    paths[count++] = options->bodies;
    paths[count++] = options->sockets;
    paths[count++] = options->envelope;
    status = cab_inputs_check_twice(paths, count, error);
    if (!status) status = check_state(options, paths, count, error);
    for (int i = 0; i < count && !status; i++)
        if (paths[i]) cab_file_clean(paths[i]);
    free(paths);
    return status;
}

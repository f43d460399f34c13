#include "cli/bench_run.h"

#include "base/array.h"
#include "cli/cli.h"
#include "model/scene.h"

/* Each method's way for any scene, then those for cables by themselves. */
enum { WAYS_MOST = 3 };
static const cab_way ways[CAB_METHOD_COUNT][WAYS_MOST] = {
    [CAB_METHOD_XPBD] = {CAB_WAY_COLOURED, CAB_WAY_FUSED, CAB_WAY_LANES},
    [CAB_METHOD_DIRECT] = {CAB_WAY_STAGED, CAB_WAY_LANES},
};

void cab_bench_note_failure(cab_bench *bench, const cab_bench_setup *setup, const cab_error *error)
{
    bool not_built = error->status == CAB_ERROR_UNSUPPORTED && bench->options->methods.count == 0;
    bool no_way = error->status == CAB_ERROR_INPUT && setup->way && setup->way != ways[setup->method][0];
    /* where the range is the point, its end may be where it fails */
    bool expected = no_way || (error->status == CAB_ERROR_DIVERGED && setup->kind != CAB_BENCH_CASE);
    if (not_built) return;
    char text[CAB_MESSAGE_SIZE + 256];
    snprintf(text, sizeof text, "bench: %s on %s, %s, %s%s: %s", setup->item->name, setup->device,
             cab_method_name(setup->method), cab_way_name(setup->way), expected ? ", left out" : "",
             error->message);
    if (expected) {
        if (!bench->options->quiet) cab_cli_warning(text);
        return;
    }
    cab_cli_error("%s", text);
    bench->code = error->status == CAB_ERROR_UNSUPPORTED ? CAB_EXIT_USAGE : CAB_EXIT_FAILED;
}

void cab_bench_run_row(cab_bench *bench, const cab_bench_setup *setup, cab_bench_measuring *measure,
                       const void *user, int base)
{
    cab_error error = {CAB_ERROR_MEMORY, "out of memory"};
    bool room = CAB_ROOM(bench->rows, bench->capacity, bench->row_count + 1, NULL) == CAB_OK;
    cab_bench_row *row = bench->rows + bench->row_count;
    if (!room || measure(setup, user, row, &error) != CAB_OK) {
        cab_bench_note_failure(bench, setup, &error);
        return;
    }
    bench->row_count++;
    if (bench->talk) cab_bench_print_row(bench->talk, row, &bench->rows[base]);
}

void cab_bench_run_item(cab_bench *bench, cab_bench_kind kind, const cab_bench_case *item, int device,
                        int base)
{
    cab_bench_setup setup = {.kind = kind,
                             .item = item,
                             .options = bench->options,
                             .folder = bench->folder,
                             .device = bench->devices[device],
                             .limits = &bench->limits[device]};
    for (int i = 0; i < bench->method_count; i++) {
        setup.method = bench->methods[i];
        /* at least once: who is not built says so */
        int count = item->contact || item->by_frame ? 1 : WAYS_MOST;
        for (int w = 0; w == 0 || (w < count && ways[setup.method][w]); w++) {
            /* only `auto` takes frames in lanes where nothing or nothing but colliders is near, of spans and of nets */
            setup.way = item->by_frame ? CAB_WAY_AUTO : ways[setup.method][w];
            cab_bench_run_row(bench, &setup, cab_bench_measure, NULL, base);
        }
    }
}

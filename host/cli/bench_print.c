/* Benchmarks as tables and as JSON. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench.h"
#include "cli/cli.h"
#include "cli/machine.h"
#include "io/file.h"
#include "model/error.h"

void cab_bench_print_head(FILE *stream)
{
    cab_machine machine = cab_machine_describe();
    fprintf(stream, "clcable %s, %s, %d cores, %s, %s\n\n", cab_version(), machine.cpu, machine.cores,
            machine.system, machine.date);
    fprintf(stream, "%-10s %-12s %-9s %9s %9s %10s %7s %9s %9s %9s\n", "case", "device", "way", "particles",
            "wall s", "Mp-sub/s", "ratio", "stretch %", "mean %", "overlap mm");
}

void cab_bench_print_row(FILE *stream, const cab_bench_row *row, const cab_bench_row *base)
{
    const cab_measures *measures = &row->measures;
    fprintf(stream, "%-10s %-12s %-9s %9d %9.3f %10.2f %7.2f %9.3g %9.3g %9.3g\n", row->item->name,
            row->info.device.id, cab_cli_way_name(row->info.way), row->info.particles, row->wall,
            1e-6 * row->rate, row->rate / base->rate, 100 * measures->stretch_max,
            100 * measures->stretch_mean, 1e3 * measures->penetration_max);
    fflush(stream);
}

void cab_bench_print_stages(FILE *stream, const cab_bench_row *rows, int count)
{
    bool used[CAB_STAGE_COUNT] = {false};
    for (int i = 0; i < count; i++) {
        for (int s = 0; s < CAB_STAGE_COUNT; s++) used[s] |= rows[i].stages[s] > 0;
    }
    fprintf(stream,
            "\nMicroseconds per substep and stage, in a run that waits after each launch\n%-10s %-12s %-9s",
            "case", "device", "way");
    for (int s = 0; s < CAB_STAGE_COUNT; s++) {
        if (used[s]) fprintf(stream, " %9s", cab_stage_name((cab_stage)s));
    }
    fputc('\n', stream);
    for (int i = 0; i < count; i++) {
        const cab_bench_row *row = &rows[i];
        double substeps = (double)row->frames * row->substeps;
        fprintf(stream, "%-10s %-12s %-9s", row->item->name, row->info.device.id,
                cab_cli_way_name(row->info.way));
        for (int s = 0; s < CAB_STAGE_COUNT; s++) {
            if (used[s]) fprintf(stream, " %9.1f", 1e6 * row->stages[s] / substeps);
        }
        fputc('\n', stream);
    }
}

static json_t *describe_stages(const cab_bench_row *row)
{
    json_t *stages = json_object();
    for (int s = 0; s < CAB_STAGE_COUNT; s++) {
        json_object_set_new(stages, cab_stage_name((cab_stage)s), json_real(row->stages[s]));
    }
    return stages;
}

static json_t *describe_row(const cab_bench_row *row)
{
    const cab_measures *measures = &row->measures;
    const cab_device_info *device = &row->info.device;
    return json_pack(
        "{ss ss ss ss ss si si si si si sf sf so sf s{sf sf sf} s{sf sf} s{si} s{sf sf} sI sI}", "case",
        row->item->name, "device", device->id, "device_name", device->name, "backend",
        cab_cli_backend_name(device->backend), "way", cab_cli_way_name(row->info.way), "cables",
        row->info.cables, "particles", row->info.particles, "frames", row->frames, "substeps", row->substeps,
        "iterations", row->iterations, "wall_s", row->wall, "particle_substeps_per_s", row->rate, "stages_s",
        describe_stages(row), "profiled_wall_s", row->profiled_wall, "stretch", "max", measures->stretch_max,
        "mean", measures->stretch_mean, "worst_over_run", measures->stretch_worst, "penetration", "max",
        measures->penetration_max, "worst_over_run", measures->penetration_worst, "contacts", "max",
        measures->contacts_max, "energy", "start", row->energy_start, "end", row->energy_end, "device_bytes",
        (json_int_t)row->info.device_bytes, "contact_bytes", (json_int_t)row->info.contact_bytes);
}

static json_t *describe(const cab_bench_row *rows, int count)
{
    cab_machine machine = cab_machine_describe();
    json_t *results = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(results, describe_row(&rows[i]));
    return json_pack("{ss ss s{ss ss si} so}", "clcable", cab_version(), "date", machine.date, "machine",
                     "cpu", machine.cpu, "system", machine.system, "cores", machine.cores, "results",
                     results);
}

cab_status cab_bench_write_json(const cab_bench_row *rows, int count, const char *path, cab_error *error)
{
    json_t *document = describe(rows, count);
    char *text = document ? json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(document);
    if (!text) return cab_fail(error, CAB_ERROR_MEMORY, "the benchmark's JSON could not be composed");
    cab_status status = CAB_OK;
    cab_file file;
    if (!path) {
        puts(text);
    } else {
        status = cab_file_open(&file, path, error);
    }
    if (path && status == CAB_OK) {
        cab_file_print(&file, "%s\n", text);
        status = cab_file_finish(&file, error);
        if (status == CAB_OK) status = cab_file_rename(&file, error);
        cab_file_close(&file);
    }
    free(text);
    return status;
}

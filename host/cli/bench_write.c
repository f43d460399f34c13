/* Benchmarks as JSON and as CSV. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "cli/bench_run.h"
#include "cli/cli.h"
#include "io/json_text.h"
#include "io/writers.h"
#include "model/scene.h"

const char *cab_bench_kind_name(cab_bench_kind kind)
{
    static const char *const names[CAB_BENCH_KIND_COUNT] = {
        [CAB_BENCH_CASE] = "case",
        [CAB_BENCH_SCALE_CABLES] = "cables",
        [CAB_BENCH_SCALE_SEGMENTS] = "segments",
        [CAB_BENCH_SCALE_SUBSTEPS] = "substeps",
        [CAB_BENCH_SHOOTOUT] = "shootout",
    };
    return names[kind];
}

static json_t *describe_stages(const cab_bench_row *row)
{
    json_t *stages = json_object();
    for (int s = 0; s < CAB_STAGE_COUNT; s++)
        json_object_set_new(stages, cab_stage_name((cab_stage)s), json_real(row->stages[s]));
    return stages;
}

static json_t *describe_what(const cab_bench_row *row)
{
    const cab_device_info *device = &row->info.device;
    return json_pack("{ss ss ss ss ss ss ss si si si si si si}", "kind", cab_bench_kind_name(row->kind),
                     "case", row->name, "device", device->id, "device_name", device->name, "backend",
                     cab_cli_backend_name(device->backend), "method", cab_method_name(row->method), "way",
                     cab_way_name(row->info.way), "cables", row->info.cables, "segments", row->info.segments,
                     "particles", row->info.particles, "frames", row->frames, "substeps", row->substeps,
                     "iterations", row->iterations);
}

static json_t *describe_speed(const cab_bench_row *row)
{
    return json_pack("{sf so sf sf so sf s{so so} s{so so}}", "wall_s", row->wall, "processor_s",
                     cab_json_number(row->processor), "particle_substeps_per_s", row->rate,
                     "simulated_s_per_s", row->speed, "stages_s", describe_stages(row), "profiled_wall_s",
                     row->profiled_wall, "per_particle_substep", "flops", cab_json_number(row->counts.flops),
                     "bytes", cab_json_number(row->counts.bytes), "share_of_limit", "flops",
                     cab_json_number(cab_bench_flop_share(row)), "bytes",
                     cab_json_number(cab_bench_byte_share(row)));
}

static json_t *describe_errors(const cab_bench_row *row)
{
    const cab_measures *measures = &row->measures;
    return json_pack("{s{sf sf sf} s{sf sf} s{si} s{sf sf sf so} so sI sI}", "stretch", "max",
                     measures->stretch_max, "mean", measures->stretch_mean, "worst_over_run",
                     measures->stretch_worst, "penetration", "max", measures->penetration_max,
                     "worst_over_run", measures->penetration_worst, "contacts", "max", measures->contacts_max,
                     "energy", "start", row->energy_start, "end", row->energy_end, "exchanged",
                     row->energy_exchanged, "drift", cab_json_number(cab_bench_drift(row)), "path_error_m",
                     cab_json_number(row->path_error), "device_bytes", (json_int_t)row->info.device_bytes,
                     "contact_bytes", (json_int_t)row->info.contact_bytes);
}

static json_t *describe_row(const cab_bench_row *row)
{
    json_t *all = describe_what(row);
    json_object_update_missing_new(all, describe_speed(row));
    json_object_update_missing_new(all, describe_errors(row));
    return all;
}

static json_t *describe_limits(const cab_bench *bench)
{
    json_t *limits = json_array();
    for (int i = 0; i < bench->device_count; i++) {
        const cab_bench_limits *l = &bench->limits[i];
        json_array_append_new(limits, json_pack("{ss sf sf}", "device", l->device, "flops_per_s", l->flops,
                                                "bytes_per_s", l->bandwidth));
    }
    return limits;
}

static json_t *describe(const cab_bench *bench)
{
    cab_machine machine = cab_machine_describe();
    json_t *results = json_array();
    for (int i = 0; i < bench->row_count; i++) json_array_append_new(results, describe_row(&bench->rows[i]));
    return json_pack("{ss ss s{ss ss si} so so}", "clcable", cab_version(), "date", machine.date, "machine",
                     "cpu", machine.cpu, "system", machine.system, "cores", machine.cores, "limits",
                     describe_limits(bench), "results", results);
}

static void write_line(cab_file *file, const void *text)
{
    cab_file_print(file, "%s\n", (const char *)text);
}

cab_status cab_bench_write_document(const json_t *document, int digits, const char *path, cab_error *error)
{
    char *text = document ? json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(digits)) : NULL;
    cab_status status = CAB_OK;
    if (!text) return cab_fail(error, CAB_ERROR_MEMORY, "the benchmark's JSON could not be composed");
    if (path)
        status = cab_file_make(path, write_line, text, error);
    else
        puts(text);
    free(text);
    return status;
}

cab_status cab_bench_write_json(const cab_bench *bench, const char *path, cab_error *error)
{
    json_t *document = describe(bench);
    cab_status status = cab_bench_write_document(document, 9, path, error);
    json_decref(document);
    return status;
}

/* ",1.5", or an empty field where there is no number. */
static void write_number(cab_file *file, double value)
{
    if (isfinite(value))
        cab_file_print(file, ",%.9g", value);
    else
        cab_file_write(file, ",", 1);
}

static void write_text(cab_file *file, const char *text)
{
    cab_file_write(file, ",", 1);
    cab_write_csv_text(file, text);
}

static void write_row(cab_file *file, const cab_bench_row *row, const cab_machine *machine)
{
    const cab_world_info *info = &row->info;
    const cab_measures *m = &row->measures;
    cab_file_print(file, "%s,%s,%s", cab_bench_kind_name(row->kind), row->name, info->device.id);
    write_text(file, info->device.name);
    cab_file_print(file, ",%s,%s,%s", cab_cli_backend_name(info->device.backend),
                   cab_method_name(row->method), cab_way_name(info->way));
    cab_file_print(file, ",%d,%d,%d,%d,%d,%d", info->cables, info->segments, info->particles, row->frames,
                   row->substeps, row->iterations);
    const double numbers[] = {row->wall,
                              row->processor,
                              row->rate,
                              row->speed,
                              m->stretch_max,
                              m->stretch_mean,
                              m->stretch_worst,
                              m->penetration_max,
                              m->penetration_worst,
                              cab_bench_drift(row),
                              row->path_error,
                              row->counts.flops,
                              row->counts.bytes,
                              row->limits.flops,
                              row->limits.bandwidth,
                              cab_bench_flop_share(row),
                              cab_bench_byte_share(row)};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) write_number(file, numbers[i]);
    write_text(file, cab_version());
    write_text(file, machine->cpu);
    cab_file_print(file, ",%d", machine->cores);
    write_text(file, machine->system);
    cab_file_print(file, ",%s\n", machine->date);
}

static void write_table(cab_file *file, const void *of)
{
    const cab_bench *bench = of;
    cab_machine machine = cab_machine_describe();
    cab_file_print(
        file, "kind,case,device,device_name,backend,method,way,cables,segments,particles,frames,"
              "substeps,iterations,wall_s,processor_s,particle_substeps_per_s,simulated_s_per_s,stretch_max,"
              "stretch_mean,stretch_worst,penetration_max,penetration_worst,energy_drift,path_error_m,"
              "flops_per_particle_substep,bytes_per_particle_substep,device_flops_per_s,"
              "device_bytes_per_s,flop_share,byte_share,version,cpu,cores,system,date\n");
    for (int i = 0; i < bench->row_count; i++) write_row(file, &bench->rows[i], &machine);
}

cab_status cab_bench_write_csv(const cab_bench *bench, const char *path, cab_error *error)
{
    return cab_file_make(path, write_table, bench, error);
}

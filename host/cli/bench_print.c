/* Benchmarks as tables. */
#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cli/bench_run.h"
#include "model/scene.h"

/* "unknown CPU" where the system does not tell. */
static void read_cpu(char *text, size_t size)
{
    char line[256];
    snprintf(text, size, "unknown CPU");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon) continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(text, size, "%.127s", colon + 2);
        break;
    }
    fclose(file);
}

cab_machine cab_machine_describe(void)
{
    cab_machine machine = {.cores = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    read_cpu(machine.cpu, sizeof machine.cpu);
    struct utsname name;
    if (uname(&name) == 0) {
        snprintf(machine.system, sizeof machine.system, "%.60s %.60s %.60s", name.sysname, name.release,
                 name.machine);
    }
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) strftime(machine.date, sizeof machine.date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return machine;
}

void cab_bench_print_machine(FILE *stream)
{
    cab_machine machine = cab_machine_describe();
    fprintf(stream, "clcable %s, %s, %d cores, %s, %s\n", cab_version(), machine.cpu, machine.cores,
            machine.system, machine.date);
}

void cab_bench_print_limits(FILE *stream, const cab_bench_limits *limits, int count)
{
    fprintf(stream, "\nLimits, measured just now\n%-12s %9s %9s\n", "device", "GFLOP/s", "GB/s");
    for (int i = 0; i < count; i++) {
        fprintf(stream, "%-12s %9.1f %9.2f\n", limits[i].device, 1e-9 * limits[i].flops,
                1e-9 * limits[i].bandwidth);
    }
    fflush(stream);
}

/* A number, or "-" where there is none. */
static void print_number(FILE *stream, int width, const char *format, double value)
{
    char text[32] = "-";
    if (!isnan(value)) snprintf(text, sizeof text, format, value);
    fprintf(stream, " %*s", width, text);
}

static void print_shares(FILE *stream, const cab_bench_row *row)
{
    print_number(stream, 6, "%.1f", 100 * cab_bench_flop_share(row));
    print_number(stream, 6, "%.1f", 100 * cab_bench_byte_share(row));
    fputc('\n', stream);
    fflush(stream);
}

static void print_who(FILE *stream, const cab_bench_row *row)
{
    fprintf(stream, "%-11s %-10s %-7s %-9s", row->name, row->info.device.id, cab_method_name(row->method),
            cab_way_name(row->info.way));
}

static void print_case_row(FILE *stream, const cab_bench_row *row, const cab_bench_row *base)
{
    const cab_measures *measures = &row->measures;
    print_who(stream, row);
    fprintf(stream, " %9d %8.3f %9.2f %8.3g %7.2f %9.3g %10.3g", row->info.particles, row->wall,
            1e-6 * row->rate, row->speed, row->rate / base->rate, 100 * measures->stretch_max,
            1e3 * measures->penetration_max);
    print_number(stream, 8, "%+.1f", 100 * cab_bench_drift(row));
    print_shares(stream, row);
}

static void print_scale_row(FILE *stream, const cab_bench_row *row)
{
    const cab_measures *measures = &row->measures;
    print_who(stream, row);
    fprintf(stream, " %8d %9d %8d %8.3f %9.3f %8.3g %9.3g %9.3g", row->info.segments / row->info.cables,
            row->info.particles, row->substeps, row->wall, 1e9 / row->rate, row->speed,
            100 * measures->stretch_max, 100 * measures->stretch_mean);
    print_shares(stream, row);
}

static void print_shootout_row(FILE *stream, const cab_bench_row *row)
{
    print_who(stream, row);
    fprintf(stream, " %8d %9.4f %8.3g %9.3g %9.3g\n", row->substeps, row->wall, row->speed,
            1e3 * row->path_error, 100 * row->measures.stretch_worst);
    fflush(stream);
}

void cab_bench_print_head(FILE *stream, cab_bench_kind kind)
{
    fputc('\n', stream);
    if (kind == CAB_BENCH_SHOOTOUT) {
        fprintf(stream, "Methods against one another\n%-11s %-10s %-7s %-9s %8s %9s %8s %9s %9s\n", "case",
                "device", "method", "way", "substeps", "wall s", "sim s/s", "path mm", "stretch %");
    } else if (kind == CAB_BENCH_CASE) {
        fprintf(stream, "%-11s %-10s %-7s %-9s %9s %8s %9s %8s %7s %9s %10s %8s %6s %6s\n", "case", "device",
                "method", "way", "particles", "wall s", "Mp-sub/s", "sim s/s", "ratio", "stretch %",
                "overlap mm", "energy %", "flop %", "mem %");
    } else {
        fprintf(stream, "Over %s\n%-11s %-10s %-7s %-9s %8s %9s %8s %8s %9s %8s %9s %9s %6s %6s\n",
                cab_bench_kind_name(kind), "case", "device", "method", "way", "segments", "particles",
                "substeps", "wall s", "ns/p-sub", "sim s/s", "stretch %", "mean %", "flop %", "mem %");
    }
}

void cab_bench_print_row(FILE *stream, const cab_bench_row *row, const cab_bench_row *base)
{
    if (row->kind == CAB_BENCH_SHOOTOUT)
        print_shootout_row(stream, row);
    else if (row->kind == CAB_BENCH_CASE)
        print_case_row(stream, row, base);
    else
        print_scale_row(stream, row);
}

/* The fastest of a case on the device and by the method of `like`, or NULL. */
static const cab_bench_row *fastest_of(const cab_bench_row *rows, int count, const char *name,
                                       const cab_bench_row *like)
{
    const cab_bench_row *best = NULL;
    for (int i = 0; i < count; i++) {
        const cab_bench_row *row = &rows[i];
        if (row->kind == CAB_BENCH_CASE && strcmp(row->name, name) == 0 && row->method == like->method &&
            strcmp(row->info.device.id, like->info.device.id) == 0 && (!best || row->rate > best->rate))
            best = row;
    }
    return best;
}

void cab_bench_print_floor(FILE *stream, const cab_bench_row *rows, int count)
{
    for (int i = 0; i < count; i++) {
        const cab_bench_row *row = &rows[i];
        if (row->kind != CAB_BENCH_CASE || strcmp(row->name, "floor-1024") != 0) continue;
        const cab_bench_row *hang = fastest_of(rows, count, "hang-4096", row);
        if (hang && fastest_of(rows, count, row->name, row) == row)
            fprintf(stream, "\nA particle of floor-1024 costs %.1f times one of hang-4096 (%s, %s)\n",
                    hang->rate / row->rate, row->info.device.id, cab_method_name(row->method));
    }
}

static void print_stage_names(FILE *stream, const bool *used)
{
    fprintf(stream, "%-11s %-10s %-7s %-9s", "case", "device", "method", "way");
    for (int s = 0; s < CAB_STAGE_COUNT; s++)
        if (used[s]) fprintf(stream, " %9s", cab_stage_name((cab_stage)s));
    fputc('\n', stream);
}

void cab_bench_print_stages(FILE *stream, const cab_bench_row *rows, int count)
{
    bool used[CAB_STAGE_COUNT] = {false}, any = false;
    for (int i = 0; i < count; i++) {
        for (int s = 0; s < CAB_STAGE_COUNT; s++) used[s] |= rows[i].stages[s] > 0;
        any |= rows[i].kind == CAB_BENCH_CASE;
    }
    if (!any) return;
    fprintf(stream, "\nMicroseconds per substep and stage, in a run that waits after each launch\n");
    print_stage_names(stream, used);
    for (int i = 0; i < count; i++) {
        const cab_bench_row *row = &rows[i];
        if (row->kind != CAB_BENCH_CASE) continue;
        print_who(stream, row);
        for (int s = 0; s < CAB_STAGE_COUNT; s++) {
            double substeps = (double)row->frames * row->substeps;
            if (used[s]) fprintf(stream, " %9.1f", 1e6 * row->stages[s] / substeps);
        }
        fputc('\n', stream);
    }
}

/* What a run says: details for --verbose, the summary for everyone. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "backend/remote/remote.h"
#include "cli/envelope.h"
#include "cli/run.h"
#include "cli/wrote.h"
#include "model/scene.h"
#include "world/world.h"

#define MIB (1024.0 * 1024.0)
#define MANY 10000 /* particles, from which on it is told what one of them costs */

static void print_files(const cab_run *run, FILE *stream)
{
    time_t since = time(NULL) - (time_t)run->report.wall_total - 1;
    cab_cli_print_wrote(run->options, run->status == CAB_OK, run->report.frames, since, stream);
}

/* The bytes that Linux tells of the program under NAME, such as "VmHWM"; 0 where there is no such system. */
static double status_bytes(const char *name)
{
    char line[128];
    double kib = 0;
    size_t length = strlen(name);
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (!strncmp(line, name, length) && line[length] == ':') sscanf(line + length, ": %lf kB", &kib);
    if (status) fclose(status);
    return 1024 * kib;
}

/* Linux tells of the program alone; getrusage() begins with what the program had that started it. */
static double most_memory(void)
{
    double most = status_bytes("VmHWM");
    if (most > 0) return most;
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * (double)usage.ru_maxrss;
}

/* How many pages of the program's file are mapped around those that it goes through is the system's choice. */
double cab_run_own_memory(void)
{
    return most_memory() - status_bytes("RssFile");
}

/* What a particle costs, which is the same for 10^5 and for 10^7; of few ones the program itself would be what is told. */
static void print_costs(const cab_run *run)
{
    int particles = run->report.info.particles;
    if (particles < MANY) return;
    printf(", set up in %.3g us and %.3g B a particle", 1e6 * run->report.wall_setup / particles,
           (cab_run_own_memory() - run->memory) / particles);
}

void cab_run_print_start(const cab_run *run)
{
    cab_world_info info = cab_world_get_info(run->world);
    const cab_device_info *device = &info.device;
    printf("device   %s: %s (%s), %d cores\n", device->id, device->name, device->version,
           device->compute_units);
    printf("way      %s, %d distance and %d bending colours\n", cab_way_name(info.way), info.distance_colours,
           info.bending_colours);
    printf("model    %d cables, %d sheets, %d particles, %d segments, ready after %.2f s\n", info.cables,
           info.sheets, info.particles, info.segments, run->report.wall_setup);
}

void cab_run_print_stages(const cab_run *run)
{
    const cab_report *report = &run->report;
    double sum = 0;
    for (int i = 0; i < CAB_STAGE_COUNT; i++) sum += report->stages[i];
    printf("stage        seconds      %%\n");
    for (int i = 0; i < CAB_STAGE_COUNT; i++) {
        if (report->stages[i] <= 0) continue;
        printf("%-10s %9.4f %6.1f\n", cab_stage_name((cab_stage)i), report->stages[i],
               100 * report->stages[i] / sum);
    }
    printf("%-10s %9.4f         output %.2f s, set-up %.2f s, all %.2f s\n", "all steps", report->wall_step,
           report->wall_output, report->wall_setup, report->wall_total);
    printf("memory   device %.1f MiB, contact %.1f MiB, program %.1f MiB\n",
           (double)report->info.device_bytes / MIB, (double)report->info.contact_bytes / MIB,
           most_memory() / MIB);
    const cab_backend *backend = run->world->backend;
    if (backend->members)
        printf("devices  %d share the world, %ld launches are shared out\n", backend->members,
               backend->shared);
    cab_remote_traffic traffic = cab_remote_traffic_now();
    if (traffic.messages)
        printf("messages %ld, %.1f MiB, to and from other processes\n", traffic.messages,
               traffic.bytes / MIB);
    if (report->measures.contacts_max) {
        printf("contact  %d pairs at most, candidates listed %d times\n", report->measures.contacts_max,
               report->measures.rebuilds);
    }
}

void cab_run_print_devices(const cab_run *run)
{
    const cab_backend *backend = run->world->backend;
    if (!backend->members || backend->shared || !run->report.frames) return;
    cab_cli_warning(
        "several devices were given, but nothing in this scene is shared out yet: the first one computed all "
        "(docs/cluster.md)");
}

void cab_run_print_events(const cab_run *run)
{
    const cab_report *report = &run->report;
    for (int i = 0; i < report->event_count; i++) {
        const cab_event *e = &report->events[i];
        printf("event    frame %d, %.4f s: %s", e->frame, e->time, cab_event_kind_name(e->kind));
        if (e->attachment >= 0) printf(", attachment %d, %.4g N", e->attachment, e->force);
        if (e->cable >= 0) printf(", cable \"%s\"", report->event_cables[i]);
        printf("%s%s\n", e->text[0] ? ": " : "", e->text);
    }
}

void cab_run_print_summary(const cab_run *run)
{
    const cab_report *report = &run->report;
    const cab_world_info *info = &report->info;
    char wall[32];
    cab_progress_format_time(report->wall_total, wall, sizeof wall);
    double work = (double)info->particles * (report->frames - report->resumed_at) * report->substeps;
    printf("%s: %s%s%s: %d cable%s", run->path, report->status,
           run->has_rest && run->rest.settled ? ", at rest" : "", run->calm ? ", calm" : "", info->cables,
           info->cables == 1 ? "" : "s");
    if (info->sheets) printf(", %d sheet%s", info->sheets, info->sheets == 1 ? "" : "s");
    printf(", %d particles, %d frames (%.4g s) in %s on %s", info->particles, report->frames, info->time,
           wall, info->device.id);
    if (report->method_against)
        printf(", method %s (auto%s%s)", report->method, report->method_against[0] ? ": " : "",
               report->method_against);
    if (run->has_rest) printf(", %d steps to %.2g N left", run->rest.iterations, run->rest.residual);
    if (report->substeps_for)
        printf(", %d substeps (\"%s\" is curved at rest or flat)", report->substeps, report->substeps_for);
    if (report->wall_step > 0) printf(", %.3g M particle-substeps/s", 1e-6 * work / report->wall_step);
    printf(", stretch max %.3g %%", 100 * report->measures.stretch_max);
    if (report->measures.penetration_worst > 0) {
        printf(", penetration %.3g mm, worst %.3g mm", 1e3 * report->measures.penetration_max,
               1e3 * report->measures.penetration_worst);
    }
    print_costs(run);
    if (report->broken_count) printf(", %d attachments broken", report->broken_count);
    if (report->envelope) {
        printf(", ");
        cab_cli_print_envelope(report->envelope);
    }
    print_files(run, stdout);
    putchar('\n');
}

void cab_run_print_interrupted(const cab_run *run)
{
    if (cab_run_is_unsettled(run))
        fprintf(stderr, "clcable: interrupted while settling, after step %d", run->rest.iterations);
    else
        fprintf(stderr, "clcable: interrupted after frame %d of %d", run->report.frames, run->frames);
    print_files(run, stderr);
    fputc('\n', stderr);
}

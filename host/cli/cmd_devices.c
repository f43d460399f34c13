/* clcable devices: what --device accepts. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/options.h"

static void print_line(const cab_device_info *device)
{
    char memory[32] = "";
    if (device->memory) snprintf(memory, sizeof memory, "%.1f GiB", (double)device->memory / (1 << 30));
    printf("%-12s %-3s %4d cores %10s  %s (%s)\n", device->id, device->gpu ? "GPU" : "CPU",
           device->compute_units, memory, device->name, device->platform);
}

static json_t *describe(const cab_device_info *device)
{
    return json_pack("{ss ss ss ss ss sb si sI sI}", "id", device->id, "name", device->name, "platform",
                     device->platform, "version", device->version, "backend",
                     cab_cli_backend_name(device->backend), "gpu", (int)device->gpu, "compute_units",
                     device->compute_units, "memory", (json_int_t)device->memory, "local_memory",
                     (json_int_t)device->local_memory);
}

static int print_json(const cab_device_info *devices, int count)
{
    json_t *list = json_array();
    int failed = !list;
    for (int i = 0; i < count && !failed; i++) failed = json_array_append_new(list, describe(&devices[i]));
    if (!failed) failed = json_dumpf(list, stdout, JSON_INDENT(2));
    json_decref(list);
    if (failed) {
        cab_cli_error("devices: the JSON could not be written");
        return CAB_EXIT_FAILED;
    }
    putchar('\n');
    return CAB_EXIT_DONE;
}

static int list(const cab_options *options, const char *argument)
{
    (void)argument;
    if (options->arguments.count) {
        cab_cli_error("devices: expected no argument, got '%s'", options->arguments.word[0]);
        return CAB_EXIT_USAGE;
    }
    int count = cab_devices(NULL, 0), code = CAB_EXIT_DONE;
    cab_device_info *devices = calloc((size_t)count + 1, sizeof *devices);
    if (!devices) {
        cab_cli_error("out of memory");
        return CAB_EXIT_FAILED;
    }
    int now = cab_devices(devices, count);
    if (now < count) count = now;
    if (options->json) code = print_json(devices, count);
    for (int i = 0; i < count && !options->json; i++) print_line(&devices[i]);
    free(devices);
    return code;
}

const cab_command cab_cmd_devices = {"devices", CAB_TAKES_JSON, NULL, list, NULL};

/* validate: known answers against the library.
 *
 * Exit: 0 every check holds, 1 one does not, 2 bad usage, 77 none of the devices exists here.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

#ifndef VALIDATE_SCENES
#define VALIDATE_SCENES "scenes"
#endif

#define DEVICES_MAX 16

typedef struct settings {
    const char *devices[DEVICES_MAX];
    int device_count;
    bool method[VAL_METHODS];
    const char *scenes;
    bool list, markdown;
    char **filters;
    int filter_count;
} settings;

static const char usage[] =
    "usage: validate [--device D]... [--method M]... [--scenes DIR] [--markdown] [--list] [CASE]...\n"
    "  --device D    native, opencl, opencl:P.D or part of a name; repeatable (native)\n"
    "  --method M    xpbd or direct; repeatable (both)\n"
    "  --scenes DIR  where the scene files are\n"
    "  --markdown    print the table of docs/validation.md\n"
    "  --list        print the cases and what they show\n";

static bool choose_method(settings *options, const char *name)
{
    for (int m = 0; m < VAL_METHODS; m++) {
        if (strcmp(name, val_method_names[m])) continue;
        options->method[m] = true;
        return true;
    }
    fprintf(stderr, "validate: no method is called \"%s\"; expected xpbd or direct\n", name);
    return false;
}

static void default_methods(settings *options)
{
    bool any = false;
    for (int m = 0; m < VAL_METHODS; m++) any = any || options->method[m];
    for (int m = 0; m < VAL_METHODS && !any; m++) options->method[m] = true;
}

/* 0, or an exit code plus one. */
static int parse(int argc, char **argv, settings *options)
{
    static const struct option longs[] = {{"device", required_argument, NULL, 'd'},
                                          {"method", required_argument, NULL, 'M'},
                                          {"scenes", required_argument, NULL, 's'},
                                          {"markdown", no_argument, NULL, 'm'},
                                          {"list", no_argument, NULL, 'l'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    int c;
    while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        if (c == 'd' && options->device_count < DEVICES_MAX) {
            options->devices[options->device_count++] = optarg;
        } else if (c == 'M') {
            if (!choose_method(options, optarg)) return 3;
        } else if (c == 's') {
            options->scenes = optarg;
        } else if (c == 'm') {
            options->markdown = true;
        } else if (c == 'l') {
            options->list = true;
        } else {
            fputs(usage, c == 'h' ? stdout : stderr);
            return c == 'h' ? 1 : 3;
        }
    }
    if (!options->device_count) options->devices[options->device_count++] = "native";
    default_methods(options);
    options->filters = argv + optind;
    options->filter_count = argc - optind;
    return 0;
}

static const val_case *find_case(const char *name)
{
    for (const val_case *c = val_cases; c->name; c++)
        if (!strcmp(c->name, name)) return c;
    return NULL;
}

static bool wanted(const settings *options, const val_case *c)
{
    for (int i = 0; i < options->filter_count; i++)
        if (!strcmp(options->filters[i], c->name)) return true;
    return !options->filter_count;
}

/* A device that is not there is no failure of the physics; one that is there and does not work is. */
static bool device_exists(const char *device)
{
    if (strncmp(device, "opencl", 6)) return true; /* drivers take seconds to load under sanitizers */
    return cab_devices(NULL, 0) > 1;
}

static void run_case(val_run *run, const val_case *c, bool print)
{
    int first = run->row_count;
    run->name = c->name;
    c->run(run);
    if (run->row_count == first) val_fail(run, "no check was made");
    for (int i = first; print && i < run->row_count; i++) val_print_row(&run->rows[i]);
}

static void run_device(val_run *run, const settings *options)
{
    for (const val_case *c = val_cases; c->name; c++) {
        for (int m = 0; m < VAL_METHODS; m++) {
            run->method = (val_method)m;
            if (options->method[m] && wanted(options, c)) run_case(run, c, !options->markdown);
        }
    }
}

static int exit_code(const val_run *run, int skipped, int devices)
{
    if (skipped == devices) return 77;
    int bad = 0;
    for (int i = 0; i < run->row_count; i++) bad += !run->rows[i].ok;
    return bad || run->failed ? 1 : 0;
}

int main(int argc, char **argv)
{
    settings options = {.scenes = VALIDATE_SCENES};
    int code = parse(argc, argv, &options);
    if (code) return code - 1;
    for (int i = 0; i < options.filter_count; i++) {
        if (find_case(options.filters[i])) continue;
        fprintf(stderr, "validate: no case is called \"%s\"; --list tells them\n", options.filters[i]);
        return 2;
    }
    if (options.list) {
        for (const val_case *c = val_cases; c->name; c++) printf("%-16s %s\n", c->name, c->about);
        return 0;
    }

    val_run run = {.scenes = options.scenes};
    int skipped = 0;
    if (!options.markdown) val_print_heading();
    for (int i = 0; i < options.device_count; i++) {
        run.device = options.devices[i];
        if (!device_exists(run.device)) {
            fprintf(stderr, "validate: no device %s here, skipped\n", run.device);
            skipped++;
            continue;
        }
        run_device(&run, &options);
    }
    if (options.markdown && run.row_count) val_print_markdown(run.rows, run.row_count);
    code = exit_code(&run, skipped, options.device_count);
    free(run.rows);
    return code;
}

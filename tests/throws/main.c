/* Throws cables at things and tells what passed through. `throws --help` */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throws.h"

static const char usage[] =
    "usage: throws [--count N] [--first N] [--kind NAME] [--but NAME] [--method xpbd|direct] "
    "[--substeps N] [--pieces N] [--device NAME] [--verbose]\n"
    "Throws N cables a kind at things, by random numbers that start at --first, and "
    "judges each substep: does the centre line of a\n"
    "segment pass through another, or through the middle of a collider? Ends with 1 "
    "where one does, where a run diverges or,\n"
    "by the method direct, where a length is off by more than 1 %.\n"
    "example: throws --count 100 --kind capsule --method direct --substeps 5\n";

#define STRETCH_LIMIT 0.01 /* what a user would still call the same cable */

typedef struct tally {
    int through, stretched, diverged, pieces;
    double stretch, overlap;
} tally;

static int kind_called(const char *name)
{
    for (int k = 0; k < THROW_KINDS; k++) {
        if (strcmp(name, throw_names[k]) == 0) return k;
    }
    fprintf(stderr, "throws: no kind \"%s\"\n", name);
    exit(2);
}

static bool throw_all(throw_kind kind, int first, int count, const throw_options *options, bool verbose,
                      tally *sum)
{
    for (int i = first; i < first + count; i++) {
        throw_case thrown;
        throw_result result = {0};
        bool good = throw_make(kind, (uint64_t)i, options, &thrown) && throw_run(&thrown, options, &result);
        cab_scene_destroy(thrown.scene);
        if (!good) return false;
        bool stretched = result.stretch > STRETCH_LIMIT;
        sum->through += result.through;
        sum->diverged += result.diverged;
        sum->pieces += result.pieces;
        sum->stretched += stretched;
        if (result.stretch > sum->stretch) sum->stretch = result.stretch;
        if (result.overlap > sum->overlap) sum->overlap = result.overlap;
        if (verbose && (result.through || result.diverged || stretched))
            printf("  %s %d: %s; stretch %.2g\n", throw_names[kind], i, result.what, result.stretch);
    }
    return true;
}

int main(int argc, char **argv)
{
    static const struct option names[] = {{"count", 1, 0, 'c'},
                                          {"first", 1, 0, 'f'},
                                          {"kind", 1, 0, 'k'},
                                          {"method", 1, 0, 'm'},
                                          {"but", 1, 0, 'b'},
                                          {"substeps", 1, 0, 's'},
                                          {"pieces", 1, 0, 'p'},
                                          {"device", 1, 0, 'd'},
                                          {"verbose", 0, 0, 'v'},
                                          {"help", 0, 0, 'h'},
                                          {0}};
    throw_options options = {CAB_METHOD_DIRECT, 5, 512, "native"};
    int count = 10, first = 0, only = -1, but = -1, option;
    bool verbose = false;
    while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
        if (option == 'c')
            count = atoi(optarg);
        else if (option == 'f')
            first = atoi(optarg);
        else if (option == 'k')
            only = kind_called(optarg);
        else if (option == 'b')
            but = kind_called(optarg);
        else if (option == 'm')
            options.method = strcmp(optarg, "xpbd") == 0 ? CAB_METHOD_XPBD : CAB_METHOD_DIRECT;
        else if (option == 's')
            options.substeps = atoi(optarg);
        else if (option == 'p')
            options.max_pieces = atoi(optarg);
        else if (option == 'd')
            options.device = optarg;
        else if (option == 'v')
            verbose = true;
        else {
            fputs(usage, option == 'h' ? stdout : stderr);
            return option == 'h' ? 0 : 2;
        }
    }
    int bad = 0;
    printf("%-15s %7s %8s %10s %9s %12s %11s %9s\n", "kind", "throws", "through", "stretched", "diverged",
           "stretch max", "overlap mm", "steps");
    for (int k = 0; k < THROW_KINDS; k++) {
        if (k == but || (only >= 0 && k != only)) continue;
        tally sum = {0};
        if (!throw_all((throw_kind)k, first, count, &options, verbose, &sum)) return 2;
        printf("%-15s %7d %8d %10d %9d %12.2g %11.3g %9d\n", throw_names[k], count, sum.through,
               sum.stretched, sum.diverged, sum.stretch, 1e3 * sum.overlap, sum.pieces / count);
        fflush(stdout);
        bad += sum.through + sum.diverged;
        if (options.method == CAB_METHOD_DIRECT) bad += sum.stretched; /* xpbd stretches with nothing near */
    }
    return bad > 0;
}

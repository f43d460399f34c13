/* Throws cables at things and tells what passed through. `throws --help` */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throws.h"

static const char usage[] =
    "usage: throws [--count N] [--first N] [--kind NAME] [--but NAME] [--method xpbd|direct] "
    "[--substeps N] [--pieces N] [--device NAME] [--wide] [--frames] [--scene FILE] [--verbose] [--trace] "
    "[--any-length]\n"
    "Throws N cables a kind at things, by random numbers that start at --first, and "
    "judges each substep: does the centre line of a\n"
    "segment pass through another, or through the middle of a collider? Ends with 1 "
    "where one does, where a run diverges or\n"
    "where a length is off by more than 1 %. Several kinds can be named.\n"
    "--any-length: lengths are told and not judged.\n"
    "example: throws --count 100 --kind capsule --method direct --substeps 5\n";

#define STRETCH_LIMIT 0.01 /* what a user would still call the same cable */

typedef struct tally {
    int throws, through, stretched, diverged, pieces;
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

/* Adds to the sum. */
static void count_in(tally *sum, const throw_result *result)
{
    sum->throws++;
    sum->through += result->through;
    sum->diverged += result->diverged;
    sum->pieces += result->pieces;
    sum->stretched += result->stretch > STRETCH_LIMIT;
    if (result->stretch > sum->stretch) sum->stretch = result->stretch;
    if (result->overlap > sum->overlap) sum->overlap = result->overlap;
}

static void tell_failure(const char *name, int seed, const throw_result *result)
{
    if (result->through || result->diverged || result->stretch > STRETCH_LIMIT)
        printf("  %s %d: %s; stretch %.2g\n", name, seed, result->what, result->stretch);
}

static void tell(const char *name, const tally *sum)
{
    printf("%-15s %7d %8d %10d %9d %12.2g %11.3g %9d\n", name, sum->throws, sum->through, sum->stretched,
           sum->diverged, sum->stretch, 1e3 * sum->overlap, sum->pieces / sum->throws);
    fflush(stdout);
}

/* kind: THROW_KINDS: a scene file */
static bool throw_one(throw_kind kind, int seed, const char *path, const throw_options *options,
                      throw_result *result)
{
    throw_case thrown;
    bool good = path ? throw_load(path, &thrown) : throw_make(kind, (uint64_t)seed, options, &thrown);
    if (good) throw_settle(&thrown, options);
    good = good && throw_run(&thrown, options, result);
    cab_scene_destroy(thrown.scene);
    return good;
}

typedef struct arguments {
    throw_options options;
    int count, first;
    unsigned only, but; /* bits of kinds; only: 0 = all */
    bool verbose, any_length;
    const char *scene;
} arguments;

static void read_arguments(int argc, char **argv, arguments *a)
{
    static const struct option names[] = {
        {"count", 1, 0, 'c'},   {"first", 1, 0, 'f'},      {"kind", 1, 0, 'k'},   {"method", 1, 0, 'm'},
        {"but", 1, 0, 'b'},     {"substeps", 1, 0, 's'},   {"pieces", 1, 0, 'p'}, {"device", 1, 0, 'd'},
        {"verbose", 0, 0, 'v'}, {"wide", 0, 0, 'w'},       {"frames", 0, 0, 'F'}, {"scene", 1, 0, 'S'},
        {"trace", 0, 0, 't'},   {"any-length", 0, 0, 'A'}, {"help", 0, 0, 'h'},   {0}};
    throw_options *o = &a->options;
    int option;
    while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
        if (option == 'c')
            a->count = atoi(optarg);
        else if (option == 'f')
            a->first = atoi(optarg);
        else if (option == 'k')
            a->only |= 1u << kind_called(optarg);
        else if (option == 'b')
            a->but |= 1u << kind_called(optarg);
        else if (option == 'm')
            o->method = strcmp(optarg, "xpbd") == 0 ? CAB_METHOD_XPBD : CAB_METHOD_DIRECT;
        else if (option == 's')
            o->substeps = atoi(optarg);
        else if (option == 'p')
            o->max_pieces = atoi(optarg);
        else if (option == 'd')
            o->device = optarg;
        else if (option == 'v')
            a->verbose = true;
        else if (option == 'w')
            o->wide = true;
        else if (option == 'F')
            o->whole = true;
        else if (option == 'A')
            a->any_length = true;
        else if (option == 't')
            o->trace = true;
        else if (option == 'S')
            a->scene = optarg;
        else {
            fputs(usage, option == 'h' ? stdout : stderr);
            exit(option == 'h' ? 0 : 2);
        }
    }
}

/* Throws a kind, or steps a scene; returns how many went wrong, -1 for another error. */
static int throw_kind_of(throw_kind kind, const arguments *a)
{
    tally sum = {0};
    const char *name =
        a->scene ? strrchr(a->scene, '/') ? strrchr(a->scene, '/') + 1 : a->scene : throw_names[kind];
    for (int i = a->first; i < a->first + (a->scene ? 1 : a->count); i++) {
        throw_result result = {0};
        if (!throw_one(kind, i, a->scene, &a->options, &result)) return -1;
        count_in(&sum, &result);
        if (a->verbose) tell_failure(name, i, &result);
    }
    tell(name, &sum);
    return sum.through + sum.diverged + (a->any_length ? 0 : sum.stretched);
}

int main(int argc, char **argv)
{
    arguments a = {.options = {CAB_METHOD_DIRECT, 5, 512, false, false, false, "native"}, .count = 10};
    int bad = 0;
    read_arguments(argc, argv, &a);
    printf("%-15s %7s %8s %10s %9s %12s %11s %9s\n", "kind", "throws", "through", "stretched", "diverged",
           "stretch max", "overlap mm", "steps");
    for (int k = 0; k < (a.scene ? 1 : THROW_KINDS); k++) {
        if (!a.scene && ((a.but >> k & 1) || (a.only && !(a.only >> k & 1)))) continue;
        int wrong = throw_kind_of((throw_kind)k, &a);
        if (wrong < 0) return 2;
        bad += wrong;
    }
    return bad > 0;
}

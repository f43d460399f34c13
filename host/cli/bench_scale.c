/* How the cost grows: `hang` over a range of cables, of segments for the same particles, of substeps. */
#include <stdlib.h>
#include <string.h>

#include "cli/bench_run.h"

enum { PARTICLES = 262144, SEGMENTS = 63 };

/* One end of a range, and how it goes on. */
typedef struct scale {
    const char *name;
    int first, last, factor;
    double duration; /* s */
} scale;

static const scale scales[CAB_BENCH_KIND_COUNT] = {
    [CAB_BENCH_SCALE_CABLES] = {"cables", 16, 65536, 4, 0.25},
    [CAB_BENCH_SCALE_SEGMENTS] = {"segments", 8, 4096, 2, 0.25},
    [CAB_BENCH_SCALE_SUBSTEPS] = {"substeps", 5, 320, 2, 1},
};

bool cab_bench_scale_read(const char *word, cab_bench_kind *kind, int *last)
{
    size_t length = strcspn(word, "=");
    for (int i = 0; i < CAB_BENCH_KIND_COUNT; i++) {
        const scale *s = &scales[i];
        if (!s->name || strlen(s->name) != length || strncmp(s->name, word, length) != 0) continue;
        char *end = NULL;
        long value = word[length] ? strtol(word + length + 1, &end, 10) : s->last;
        *kind = (cab_bench_kind)i;
        *last = (int)value;
        return (!end || (!*end && end > word + length + 1)) && value >= s->first && value <= s->last;
    }
    return false;
}

/* As near to a square as the number allows. */
static void make_grid(int cables, int grid[2])
{
    int side = 1;
    for (int i = 1; i * i <= cables; i++)
        if (cables % i == 0) side = i;
    grid[0] = side;
    grid[1] = cables / side;
}

static void run_value(cab_bench *bench, cab_bench_kind kind, int value)
{
    char name[24];
    cab_bench_case item = {.family = "hang", .scene = "hang", .duration = scales[kind].duration};
    int cables = 256;
    item.segments = SEGMENTS;
    if (kind == CAB_BENCH_SCALE_CABLES) cables = value;
    if (kind == CAB_BENCH_SCALE_SUBSTEPS) item.substeps = value;
    if (kind == CAB_BENCH_SCALE_SEGMENTS) {
        item.segments = value;
        cables = PARTICLES / (value + 1);
    }
    make_grid(cables, item.copies);
    snprintf(name, sizeof name, "hang-%d", cables);
    item.name = name;
    int base = bench->row_count;
    for (int d = 0; d < bench->device_count; d++) cab_bench_run_item(bench, kind, &item, d, base);
}

void cab_bench_scale(cab_bench *bench, cab_bench_kind kind, int last)
{
    const scale *s = &scales[kind];
    if (bench->talk) cab_bench_print_head(bench->talk, kind);
    for (int value = s->first; value <= last; value *= s->factor) run_value(bench, kind, value);
}

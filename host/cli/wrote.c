#include "cli/wrote.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"

#define KIB 1024.0
#define MIB (1024.0 * 1024.0)

static void print_size(double bytes, FILE *stream)
{
    if (bytes < MIB)
        fprintf(stream, "%.0f KiB)", bytes < KIB ? 1 : bytes / KIB);
    else
        fprintf(stream, "%.1f MiB)", bytes / MIB);
}

/* Bytes of a file that was written since then; -1 = there is none. */
static double size_of(const char *path, time_t since)
{
    struct stat found;
    bool ours = stat(path, &found) == 0 && S_ISREG(found.st_mode) && found.st_mtime >= since;
    return ours ? (double)found.st_size : -1;
}

/* Width and height stand in a PNG's first part, high byte first, from the 17th byte on. */
static void print_pixels(const char *path, FILE *stream)
{
    unsigned char head[24];
    FILE *file = fopen(path, "rb");
    size_t got = file ? fread(head, 1, sizeof head, file) : 0;
    if (file) fclose(file);
    if (got < sizeof head || memcmp(head + 12, "IHDR", 4) != 0) return;
    unsigned size[2];
    for (int k = 0; k < 2; k++) {
        const unsigned char *b = head + 16 + 4 * k;
        size[k] = (unsigned)b[0] << 24 | (unsigned)b[1] << 16 | (unsigned)b[2] << 8 | b[3];
    }
    fprintf(stream, "%u x %u, ", size[0], size[1]);
}

/* The name of a numbered picture: `path` up to `sign`, its %, the number in as many digits as stand there, the rest. */
static void numbered(const char *path, const char *sign, int number, char *name, size_t size)
{
    int digits = atoi(sign + 1);
    snprintf(name, size, "%.*s%0*d%s", (int)(sign - path), path, digits, number, strchr(sign, 'd') + 1);
}

static void print_series(const char *path, const char *sign, int last, time_t since, FILE *stream)
{
    char name[4096];
    double bytes = 0;
    int count = 0;
    for (int i = 0; i <= last; i++) {
        numbered(path, sign, i, name, sizeof name);
        double more = size_of(name, since);
        if (more < 0) continue;
        bytes += more;
        count++;
    }
    fprintf(stream, " (%d picture%s, ", count, count == 1 ? "" : "s");
    print_size(bytes, stream);
}

static void print_picture(const char *path, int last, time_t since, FILE *stream)
{
    bool is_png = cab_path_ends(path, ".png");
    const char *sign = strchr(cab_path_name(path), '%');
    double bytes = size_of(path, since);
    if (is_png && sign && strchr(sign, 'd')) {
        print_series(path, sign, last, since, stream);
    } else if (bytes >= 0) {
        fputs(" (", stream);
        if (is_png) print_pixels(path, stream);
        print_size(bytes, stream);
    }
}

void cab_cli_print_wrote(const cab_options *options, bool outputs, int last, time_t since, FILE *stream)
{
    const char *before = ", wrote ";
    for (int i = 0; i < options->outputs.count && outputs; i++) {
        const char *path = options->outputs.word[i];
        fprintf(stream, "%s%s", before, path);
        if (cab_path_ends(path, ".png") || cab_path_ends(path, ".mp4") || cab_path_ends(path, ".gif"))
            print_picture(path, last, since, stream);
        before = " ";
    }
    const char *const others[] = {options->probes, options->bodies, options->sockets, options->envelope};
    for (size_t i = 0; i < sizeof others / sizeof *others && outputs; i++) {
        if (!others[i]) continue;
        fprintf(stream, "%s%s", before, others[i]);
        before = " ";
    }
    if (options->report) fprintf(stream, "%s%s", before, options->report);
}

/* A folder for a test, and what it writes there. Include cmocka first. */
#ifndef CAB_TESTS_OUTPUT_H
#define CAB_TESTS_OUTPUT_H

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "made_up_world.h"

#include "io/output.h"
#include "io/report.h"

static char folder[64];

static inline int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/clcable-output-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline void in_folder(const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", folder, name);
}

/* Removes all files of the folder and returns how many there were. */
static inline int empty_folder(void)
{
    int count = 0;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; (entry = readdir(entries));) {
        char path[400];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
        count++;
    }
    closedir(entries);
    return count;
}

static inline int remove_folder(void **state)
{
    (void)state;
    empty_folder();
    return rmdir(folder);
}

/* The whole file, zero-terminated, to be freed. */
static inline char *slurp(const char *name, size_t *size)
{
    char path[128];
    in_folder(name, path);
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s is not there", path);
    char *text = calloc(1, 65536);
    *size = fread(text, 1, 65535, file);
    fclose(file);
    return text;
}

static inline void put(const char *name, const char *text)
{
    char path[128];
    in_folder(name, path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static inline cab_status write_once(const char *name, cab_world *world, cab_error *error)
{
    char path[128];
    cab_output *output = NULL;
    in_folder(name, path);
    cab_status status = cab_output_open(path, NULL, NULL, &output, error);
    if (!status) status = cab_output_frame(output, world, error);
    bool commit = status == CAB_OK;
    cab_status closed = cab_output_close(output, world, commit, error);
    return status ? status : closed;
}

static inline cab_output *open_in_folder(const char *name)
{
    char path[128];
    cab_output *output = NULL;
    cab_error error = {0};
    in_folder(name, path);
    if (cab_output_open(path, NULL, NULL, &output, &error)) fail_msg("%s", error.message);
    return output;
}

static inline void write_frames(cab_output *output, cab_world *world, int count)
{
    for (world->frame = 0; world->frame < count; world->frame++)
        assert_int_equal(cab_output_frame(output, world, NULL), CAB_OK);
}

static inline bool is_there(const char *name)
{
    char path[128];
    in_folder(name, path);
    return access(path, F_OK) == 0;
}

#endif

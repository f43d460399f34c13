#include "study/study.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/json.h"
#include "io/read_file.h"

static const cab_study_kind *const kinds[] = {&cab_particles_study, &cab_planar_study};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

const cab_study_kind *cab_study_kind_of(const char *key)
{
    for (int i = 0; i < KIND_COUNT; i++)
        if (strcmp(kinds[i]->key, key) == 0) return kinds[i];
    return NULL;
}

/* Does the key of a study stand anywhere in it? */
static bool may_be_study(const char *text, size_t size)
{
    for (int i = 0; i < KIND_COUNT; i++) {
        const char *key = kinds[i]->key;
        size_t length = strlen(key);
        const char *end = text + size;
        for (const char *at = text; (at = memchr(at, '"', (size_t)(end - at))); at++)
            if ((size_t)(end - at) > length + 1 && at[length + 1] == '"' && memcmp(at + 1, key, length) == 0)
                return true;
    }
    return false;
}

cab_status cab_study_of_file(const char *path, const cab_study_kind **kind, cab_error *error)
{
    *kind = NULL;
    struct stat file;
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode)) return CAB_OK; /* a pipe is read once */
    char *text = NULL;
    size_t size = 0;
    cab_status status = cab_read_file(path, &text, &size, error);
    if (status) return status == CAB_ERROR_MEMORY ? status : CAB_OK;
    json_error_t fault;
    bool lost = false;
    /* large scenes of cables are read once, and not before, too */
    json_t *root =
        may_be_study(text, size) ? cab_json_load(text, size, JSON_REJECT_DUPLICATES, &fault, &lost) : NULL;
    free(text);
    for (int i = 0; i < KIND_COUNT && !*kind; i++)
        if (json_object_get(root, kinds[i]->key)) *kind = kinds[i];
    json_decref(root);
    return lost ? cab_fail_memory(error, "a scene's text", size) : CAB_OK;
}

void *cab_study_create(const cab_study_kind *kind, const cab_study_def *def, size_t size, cab_error *error)
{
    cab_study *study = calloc(1, size);
    if (!study) {
        cab_fail_memory(error, "a study", size);
        return NULL;
    }
    study->kind = kind;
    study->path = def->path;
    study->device = cab_world_default();
    study->device.device = def->device;
    study->device.kernel_dir = def->kernel_dir;
    study->device.threads = def->threads;
    study->device.profile = def->profile;
    study->device.log = def->log;
    study->device.user = def->user;
    return study;
}

cab_status cab_study_open(const cab_study_kind *kind, const cab_study_def *def, cab_study **study,
                          cab_error *error)
{
    cab_study *opened = NULL;
    cab_status status = kind->load(def, &opened, error);
    if (status) return status;
    status = kind->start(opened, error);
    if (status)
        kind->close(opened);
    else
        *study = opened;
    return status;
}

void cab_study_close(cab_study *study)
{
    if (study) study->kind->close(study);
}

cab_status cab_study_step(cab_study *study, cab_error *error)
{
    cab_status status = study->kind->step(study, error);
    if (status || !study->kind->fault) return status;
    status = study->kind->fault(study, error);
    if (status) study->frame--;
    return status;
}

cab_status cab_study_check_choice(const cab_study *study, int index, int value, cab_choice *choice,
                                  cab_error *error)
{
    if (!study->kind->choice(study, index, choice))
        return cab_fail(error, CAB_ERROR_INPUT, "there is no choice %d", index);
    int least = choice->count ? 0 : choice->least, most = choice->count ? choice->count - 1 : choice->most;
    if (value < least || value > most)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: expected %d to %d", choice->name, least, most);
    return CAB_OK;
}

int cab_study_frame_count(const cab_study_def *def, double duration, double rate)
{
    double frames = def->frames ? (double)def->frames : nearbyint(duration * rate);
    return frames < 1 ? 1 : frames > INT_MAX ? INT_MAX : (int)frames;
}

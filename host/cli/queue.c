#include "cli/queue.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "cli/interrupt.h"
#include "io/inputs.h"

#define PAUSE (20 * 1000 * 1000) /* ns, between looks at what others do */
#define ATTEMPTS 100             /* to make the folder while another process removes it */

/* Bytes of the file. */
enum {
    PRESENCE = 0, /* locked by all that are here, for reading */
    WRITING = 1,  /* who writes what has come out; WRITTEN once it is */
    PIECES = 2    /* from here on DONE where a piece is */
};
enum { DONE = 'd', WRITTEN = 'w' };

typedef enum claim { CLAIM_MINE, CLAIM_BUSY, CLAIM_DONE, CLAIM_FAILED } claim;

static void pause_a_moment(void)
{
    const struct timespec moment = {.tv_nsec = PAUSE};
    nanosleep(&moment, NULL);
}

/* ---- bytes and their locks ---- */

/* F_WRLCK, F_RDLCK, F_UNLCK; false with errno, EAGAIN or EACCES where another process has it. */
static bool set_lock(const cab_queue *q, short type, int byte)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    return fcntl(q->file, F_SETLK, &lock) == 0;
}

static bool is_taken(int errnum)
{
    return errnum == EAGAIN || errnum == EACCES;
}

/* Waits for it, but not longer than until the program is asked to end. */
static bool wait_for_lock(const cab_queue *q, short type, int byte)
{
    while (!set_lock(q, type, byte)) {
        if (!is_taken(errno) || cab_interrupted()) return false;
        pause_a_moment();
    }
    return true;
}

static char byte_at(const cab_queue *q, int byte)
{
    char value = 0;
    return pread(q->file, &value, 1, byte) == 1 ? value : 0;
}

static bool put_byte(const cab_queue *q, int byte, char value)
{
    return pwrite(q->file, &value, 1, byte) == 1;
}

/* ---- the folder ---- */

cab_status cab_queue_folder(const char *given, const char *beside, const char *command, char **folder,
                            cab_error *error)
{
    cab_ranks ranks = cab_ranks_here();
    *folder = NULL;
    if (!given && ranks.count == 1) return CAB_OK;
    if (!given && !beside)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: %d processes share it; expected -o FILE, or --share FOLDER that all of them see",
                        command, ranks.count);
    const char *name = given ? given : beside;
    size_t size = strlen(name) + 8;
    *folder = malloc(size);
    if (!*folder) return cab_fail_memory(error, command, size);
    snprintf(*folder, size, "%s%s", name, given ? "" : ".parts");
    return CAB_OK;
}

/* A file of this work; to be freed. */
static char *path_of(const cab_queue *q, const char *what)
{
    size_t size = strlen(q->folder) + strlen(what) + 24;
    char *path = malloc(size);
    if (path) snprintf(path, size, "%s/%016llx.%s", q->folder, (unsigned long long)q->key, what);
    return path;
}

char *cab_queue_path(const cab_queue *q, int piece)
{
    char what[16];
    snprintf(what, sizeof what, "%d", piece);
    return path_of(q, what);
}

static cab_status fail(const cab_queue *q, const char *what, cab_error *error)
{
    return cab_fail(error, CAB_ERROR_IO, "%s: %s: %s", q->folder, what, strerror(errno));
}

static cab_status open_file(cab_queue *q, cab_error *error)
{
    char *path = path_of(q, "locks");
    cab_status status = path ? CAB_OK : cab_fail_memory(error, "a file name", strlen(q->folder));
    for (int i = 0; i < ATTEMPTS && !status && q->file < 0; i++) {
        if (mkdir(q->folder, 0777) != 0 && errno != EEXIST) break;
        q->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (q->file < 0 && errno != ENOENT) break;
    }
    if (!status && q->file < 0) status = fail(q, "cannot share work in it", error);
    free(path);
    return status;
}

/* ---- who has come ---- */

/* Has another rank written what has come out? */
static bool is_over(const cab_queue *q)
{
    return q->ranks.count > 1 && byte_at(q, WRITING) == WRITTEN;
}

/* A file says that a rank of this run has come, so that the last one knows that it is the last. */
static char *path_of_rank(const cab_queue *q, int rank)
{
    char what[40];
    snprintf(what, sizeof what, "rank%d-%016llx", rank, (unsigned long long)q->ranks.run);
    return path_of(q, what);
}

static bool has_come(const cab_queue *q, int rank)
{
    char *path = path_of_rank(q, rank);
    bool there = path && access(path, F_OK) == 0;
    free(path);
    return there;
}

static int number_come(const cab_queue *q)
{
    int come = 0;
    for (int i = 0; i < q->ranks.count; i++) come += has_come(q, i);
    return come;
}

static void come(const cab_queue *q)
{
    char *path = path_of_rank(q, q->ranks.rank);
    int file = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (file >= 0) close(file);
    free(path);
}

/* What has come out is to be written again, and each rank comes anew. */
static bool begin_anew(const cab_queue *q)
{
    for (int i = 0; i < q->ranks.count; i++) {
        char *path = path_of_rank(q, i);
        if (path) unlink(path);
        free(path);
    }
    return put_byte(q, WRITING, 0);
}

/* Has the last one of an earlier run removed the file, between its opening here and its lock? */
static bool is_removed(const cab_queue *q)
{
    struct stat about;
    return fstat(q->file, &about) == 0 && about.st_nlink == 0;
}

static void close_file(cab_queue *q)
{
    if (q->file >= 0) close(q->file);
    q->file = -1;
}

/* Has this rank started so late that others of its run have done everything? */
static bool is_late(const cab_queue *q)
{
    return is_over(q) && !has_come(q, q->ranks.rank) && number_come(q) > 0;
}

/* Who comes when nobody is here begins anew, unless it is late. */
static bool join(const cab_queue *q)
{
    bool joined = set_lock(q, F_WRLCK, PRESENCE);
    if (joined) {
        joined = (is_late(q) || begin_anew(q)) && set_lock(q, F_RDLCK, PRESENCE);
    } else {
        joined = is_taken(errno) && wait_for_lock(q, F_RDLCK, PRESENCE);
    }
    if (joined && q->ranks.count > 1 && !is_removed(q)) come(q);
    return joined;
}

cab_status cab_queue_open(cab_queue *q, const char *folder, bool passing, uint64_t key, cab_error *error)
{
    *q = (cab_queue){
        .folder = strdup(folder), .passing = passing, .key = key, .ranks = cab_ranks_here(), .file = -1};
    if (!q->folder) return cab_fail_memory(error, "a folder's name", strlen(folder));
    for (bool joined = false; !joined;) {
        cab_status status = open_file(q, error);
        if (status) return status;
        joined = join(q);
        if (!joined && cab_interrupted()) return CAB_OK;
        if (!joined) return fail(q, "expected a folder whose file system has locks (fcntl)", error);
        joined = !is_removed(q);
        if (!joined) close_file(q);
    }
    return CAB_OK;
}

/* ---- pieces ---- */

/* Is its result there, although a process that died did not come to mark it? */
static bool is_left(const cab_queue *q, int piece)
{
    char *path = cab_queue_path(q, piece);
    bool there = path && access(path, R_OK) == 0;
    free(path);
    return there;
}

static claim claim_piece(const cab_queue *q, int piece)
{
    int byte = PIECES + piece;
    if (!set_lock(q, F_WRLCK, byte)) return is_taken(errno) ? CLAIM_BUSY : CLAIM_FAILED;
    if (byte_at(q, byte) != DONE && !(is_left(q, piece) && put_byte(q, byte, DONE))) return CLAIM_MINE;
    set_lock(q, F_UNLCK, byte);
    return CLAIM_DONE;
}

static cab_status do_piece(cab_queue *q, int piece, cab_queue_work *work, void *user, bool *stop,
                           cab_error *error)
{
    cab_status status = work(user, piece, stop, error);
    if (!status && !*stop) {
        q->own++;
        if (!put_byte(q, PIECES + piece, DONE)) status = fail(q, "cannot write into it", error);
    }
    set_lock(q, F_UNLCK, PIECES + piece);
    return status;
}

cab_status cab_queue_run(cab_queue *q, int first, int count, cab_queue_work *work, void *user,
                         void (*seen)(void *user, int done), bool *stop, cab_error *error)
{
    bool *done;
    int left = count;
    cab_status status = CAB_NEW(done, count, error);
    *stop = *stop || is_over(q);
    while (!status && left > 0 && !*stop) {
        bool worked = false;
        for (int i = 0; i < count && !status && !*stop; i++) {
            if (done[i]) continue;
            claim what = claim_piece(q, first + i);
            if (what == CLAIM_FAILED) status = fail(q, "its locks have failed", error);
            if (what == CLAIM_MINE) status = do_piece(q, first + i, work, user, stop, error);
            worked = worked || what == CLAIM_MINE;
            done[i] = !status && !*stop && (what == CLAIM_MINE || what == CLAIM_DONE);
            left -= done[i];
            if (seen && done[i]) seen(user, count - left);
        }
        if (!worked && left > 0) pause_a_moment();
        *stop = *stop || (left > 0 && cab_interrupted());
    }
    CAB_FREE(done);
    return status;
}

/* A piece's result turned out to be of no use: it is to be computed again, unless all is over. */
static void undo(cab_queue *q, int piece, bool *stop)
{
    *stop = *stop || is_over(q);
    if (*stop) return;
    if (wait_for_lock(q, F_WRLCK, PIECES + piece)) put_byte(q, PIECES + piece, 0);
    set_lock(q, F_UNLCK, PIECES + piece);
}

#define ROUNDS 3 /* to compute again what cannot be read back */

cab_status cab_queue_finish(cab_queue *q, int first, int count, cab_queue_work *work, cab_queue_take *take,
                            void *user, void (*seen)(void *user, int done), bool *stop, cab_error *error)
{
    bool *taken;
    int lost = 1;
    cab_status status = CAB_NEW(taken, count, error);
    for (int round = 0; round < ROUNDS && lost && !status; round++) {
        status = cab_queue_run(q, first, count, work, user, seen, stop, error);
        lost = 0;
        for (int i = 0; i < count && !status; i++) {
            if (taken[i]) continue;
            status = take(user, first + i, &taken[i], error);
            if (status || taken[i] || *stop) continue;
            undo(q, first + i, stop);
            lost++;
        }
    }
    CAB_FREE(taken);
    if (status || !lost || *stop) return status;
    return cab_fail(error, CAB_ERROR_IO, "%s: what is written into it cannot be read back", q->folder);
}

/* ---- what it depends on ---- */

uint64_t cab_queue_add_text(uint64_t key, const char *text)
{
    return text ? cab_inputs_sum(key, text, strlen(text) + 1) : cab_inputs_sum(key, "", 1);
}

static uint64_t add_words(uint64_t key, const cab_word_list *words)
{
    key = cab_inputs_sum(key, &words->count, sizeof words->count);
    for (int i = 0; i < words->count; i++) key = cab_queue_add_text(key, words->word[i]);
    return key;
}

uint64_t cab_queue_key(const cab_options *o, const char *command)
{
    const long numbers[] = {o->random, o->seed, o->settle};
    uint64_t key = cab_queue_add_text(cab_queue_add_text(cab_inputs_content(), command), cab_version());
    key = add_words(add_words(add_words(key, &o->devices), &o->overrides), &o->varied);
    key = cab_queue_add_text(cab_queue_add_text(key, o->method), o->kernels);
    return cab_inputs_sum(key, numbers, sizeof numbers);
}

/* ---- the end ---- */

bool cab_queue_turn(cab_queue *q)
{
    if (q->ranks.count == 1) return true;
    if (cab_interrupted()) return q->ranks.rank == 0;
    return wait_for_lock(q, F_WRLCK, WRITING) && !is_over(q);
}

/* The results of this work, or all of its files, and the folder unless there is other work in it. */
static void remove_files(const cab_queue *q, bool all)
{
    char start[24];
    snprintf(start, sizeof start, "%016llx.", (unsigned long long)q->key);
    size_t length = strlen(start);
    DIR *folder = opendir(q->folder);
    if (!folder) return;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (strncmp(entry->d_name, start, length) != 0) continue;
        if (all || isdigit((unsigned char)entry->d_name[length])) unlinkat(dirfd(folder), entry->d_name, 0);
    }
    closedir(folder);
    if (all) rmdir(q->folder);
}

void cab_queue_written(cab_queue *q)
{
    put_byte(q, WRITING, WRITTEN);
    if (q->passing) remove_files(q, false);
}

void cab_queue_close(cab_queue *q)
{
    if (q->folder && q->file >= 0) {
        set_lock(q, F_UNLCK, PRESENCE);
        bool last =
            q->passing && set_lock(q, F_WRLCK, PRESENCE) && is_over(q) && number_come(q) == q->ranks.count;
        if (last) remove_files(q, true);
        close_file(q);
    }
    free(q->folder);
    *q = (cab_queue){.file = -1};
}

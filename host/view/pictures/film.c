#include "view/pictures/film.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "io/file.h"

extern char **environ;

struct cab_film {
    cab_file file; /* open only to keep its place; ffmpeg opens it by its name */
    FILE *words;   /* for ffmpeg's messages: a file without a name, as a pipe could fill up and stop ffmpeg */
    int pictures;  /* our end of the socket from which it reads pictures; -1 = closed */
    pid_t child;   /* ffmpeg; 0 = it has ended */
    size_t bytes;  /* of a picture */
    cab_film_format format;
};

enum { ARGUMENT_MAX = 40, TEXT_SIZE = 64 };

/* The last line of ffmpeg's messages that is not empty. */
static void last_words(cab_film *film, char *text, int size)
{
    char line[256];
    snprintf(text, (size_t)size, "it said nothing");
    if (!film->words) return;
    rewind(film->words);
    while (fgets(line, sizeof line, film->words)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0]) snprintf(text, (size_t)size, "%s", line);
    }
}

static void hang_up(cab_film *film)
{
    if (film->pictures >= 0) close(film->pictures);
    film->pictures = -1;
}

/* Waits until ffmpeg ends. If it has failed, its last message is in the error. */
static cab_status end(cab_film *film, cab_error *error)
{
    int result = 0;
    hang_up(film);
    pid_t ended = waitpid(film->child, &result, 0);
    film->child = 0;
    if (ended > 0 && WIFEXITED(result) && WEXITSTATUS(result) == 0) return CAB_OK;
    char text[256];
    last_words(film, text, sizeof text);
    return cab_fail(error, CAB_ERROR_IO, "%s: ffmpeg could not write it: %s", film->file.name, text);
}

/* H.264 where ffmpeg has it (-crf is its quality), with the colour space that players expect of such videos,
 * and with the index at the beginning of the file. */
static const char mp4_filter[] = "scale=out_color_matrix=bt709:out_range=tv";
static const char *const mp4_arguments[] = {
    "-pix_fmt",  "yuv420p",          "-crf",  "18",         "-colorspace",
    "bt709",     "-color_primaries", "bt709", "-color_trc", "bt709",
    "-movflags", "+faststart",       "-f",    "mp4",        NULL};
/* Each picture has its own palette: a common one would keep all pictures in memory until the last. */
static const char gif_filter[] =
    "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=bayer:bayer_scale=4";
static const char *const gif_arguments[] = {"-f", "gif", NULL};

static void append(const char **words, const char *const *more)
{
    while (*words) words++;
    while (*more) *words++ = *more++;
    *words = NULL;
}

/* ffmpeg has a process group of its own, so that Ctrl-C does not end it and the film is finished in order. */
static int spawn(cab_film *film, int socket, const char *const *words)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, fileno(film->words), STDERR_FILENO);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int errnum = posix_spawnp(&film->child, words[0], &files, &attributes, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (errnum) film->child = 0;
    return errnum;
}

static cab_status start(cab_film *film, const char *const *words, cab_error *error)
{
    /* A socket and no pipe: a signal would end this process when nobody reads the pipe any more. */
    int ends[2];
    film->words = tmpfile();
    if (!film->words || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return cab_fail(error, CAB_ERROR_IO, "%s: cannot start ffmpeg: %s", film->file.name, strerror(errno));
    film->pictures = ends[0];
    int errnum = spawn(film, ends[1], words);
    close(ends[1]);
    if (errnum == ENOENT)
        return cab_fail(error, CAB_ERROR_IO,
                        "%s: videos need ffmpeg, which is not installed (Debian, Ubuntu: apt-get install "
                        "ffmpeg); numbered pictures, NAME_%%04d.png, need nothing",
                        film->file.name);
    if (errnum)
        return cab_fail(error, CAB_ERROR_IO, "%s: cannot start ffmpeg: %s", film->file.name,
                        strerror(errnum));
    return CAB_OK;
}

static cab_status start_for(cab_film *film, cab_film_format format, int width, int height, double rate,
                            cab_error *error)
{
    if (!film->file.temporary)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: a video goes into a file, not into a pipe or a device",
                        film->file.name);
    char size[TEXT_SIZE], per_second[TEXT_SIZE];
    const char *words[ARGUMENT_MAX];
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(per_second, sizeof per_second, "%.9g", rate);
    size_t length = strlen(film->file.temporary) + sizeof "file:";
    char *place = malloc(length);
    if (!place) return cab_fail_memory(error, "a file name", length);
    snprintf(place, length, "file:%s",
             film->file.temporary); /* so that ffmpeg takes no name for an address */
    bool gif = format == CAB_FILM_GIF;
    words[0] = NULL;
    append(words, (const char *const[]){"ffmpeg", "-hide_banner", "-loglevel", "error", "-y", "-f",
                                        "rawvideo", "-pix_fmt", "rgba", "-s", size, "-r", per_second, "-i",
                                        "-", "-an", "-vf", gif ? gif_filter : mp4_filter, NULL});
    append(words, gif ? gif_arguments : mp4_arguments);
    append(words, (const char *const[]){place, NULL});
    cab_status status = start(film, words, error);
    free(place);
    return status;
}

static void destroy(cab_film *film)
{
    hang_up(film);
    if (film->child) {
        kill(film->child, SIGKILL);
        waitpid(film->child, NULL, 0);
    }
    if (film->words) fclose(film->words);
    cab_file_close(&film->file);
    free(film);
}

cab_status cab_film_open(const char *path, cab_film_format format, int width, int height, double rate,
                         cab_film **out, cab_error *error)
{
    cab_film *film = calloc(1, sizeof *film);
    if (!film) return cab_fail_memory(error, "a video", sizeof *film);
    film->pictures = -1;
    film->format = format;
    film->bytes = (size_t)width * (size_t)height * 4;
    cab_status status = cab_file_open(&film->file, path, error);
    if (!status) status = start_for(film, format, width, height, rate, error);
    if (status)
        destroy(film);
    else
        *out = film;
    return status;
}

cab_status cab_film_add(cab_film *film, const cab_picture *picture, cab_error *error)
{
    const unsigned char *at = picture->rgba;
    for (size_t left = film->bytes; left;) {
        ssize_t sent = send(film->pictures, at, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) {
            cab_status status = end(film, error);
            if (status) return status;
            return cab_fail(error, CAB_ERROR_IO, "%s: ffmpeg ended before the film did", film->file.name);
        }
        at += sent;
        left -= (size_t)sent;
    }
    return CAB_OK;
}

static uint64_t read_big(const unsigned char *bytes, int count)
{
    uint64_t number = 0;
    for (int i = 0; i < count; i++) number = number << 8 | bytes[i];
    return number;
}

/* An MP4 file is a sequence of boxes. Each begins with its size (4 bytes; 1 = it is in 8 bytes after the
 * name) and its name; one of them is the index. */
static bool is_whole_mp4(FILE *stream, uint64_t end)
{
    uint64_t at = 0;
    bool index = false;
    while (at + 8 <= end) {
        unsigned char head[16] = {0};
        if (fseeko(stream, (off_t)at, SEEK_SET) != 0 || fread(head, 1, sizeof head, stream) < 8) return false;
        uint64_t size = read_big(head, 4);
        if (size == 1) size = read_big(head + 8, 8);
        if (size < 8 || size > end - at) return false;
        index = index || memcmp(head + 4, "moov", 4) == 0;
        at += size;
    }
    return index && at == end;
}

static bool is_whole_gif(FILE *stream, uint64_t end)
{
    return end > 0 && fseeko(stream, (off_t)(end - 1), SEEK_SET) == 0 && fgetc(stream) == ';';
}

/* On a full disk ffmpeg 5.1 may report success when its last write was cut short: look at the file. */
static cab_status check_whole(const cab_film *film, cab_error *error)
{
    FILE *stream = fopen(film->file.temporary, "rb");
    bool whole = stream && fseeko(stream, 0, SEEK_END) == 0;
    uint64_t end = whole ? (uint64_t)ftello(stream) : 0;
    whole = whole && (film->format == CAB_FILM_GIF ? is_whole_gif : is_whole_mp4)(stream, end);
    if (stream) fclose(stream);
    if (whole) return CAB_OK;
    return cab_fail(error, CAB_ERROR_IO, "%s: ffmpeg could not write all of it: is the disk full?",
                    film->file.name);
}

cab_status cab_film_close(cab_film *film, bool commit, cab_error *error)
{
    if (!film) return CAB_OK;
    cab_status status = CAB_OK;
    if (commit) {
        status = end(film, error);
        if (!status) status = check_whole(film, error);
        if (!status) status = cab_file_finish(&film->file, error);
        if (!status) status = cab_file_rename(&film->file, error);
    }
    destroy(film);
    return status;
}

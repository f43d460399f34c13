#include "cli/guard.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "io/file.h"

/* What the run is sent where the program is asked to end. Not the same signal: Ctrl-C sends that to both, and two that are
 * pending at once are one, of which nobody could tell whose it is. */
#define PASSED_ON SIGUSR1

static bool is_drawn(const char *path)
{
    static const char *const endings[] = {".png", ".mp4", ".gif", ".html"};
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(ending, endings[i]) == 0) return true;
    return false;
}

static bool draws(const cab_options *options)
{
    for (int i = 0; i < options->outputs.count; i++)
        if (is_drawn(options->outputs.word[i])) return true;
    return false;
}

/* ---- in the process of the run ---- */

static bool guarded; /* this is it */

/* It goes with the program when that is killed. */
static void end_with(pid_t program)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != program) _exit(CAB_EXIT_FAILED);
}

/* ---- in the program ---- */

/* A signal handler can reach nothing else. */
static volatile pid_t runs;

static void pass_on(int number)
{
    (void)number;
    int before = errno;
    kill(runs, PASSED_ON);
    errno = before;
}

static void pass_signals_on(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
}

static int wait_for(pid_t child)
{
    int result = 0;
    while (waitpid(child, &result, 0) < 0)
        if (errno != EINTR) return CAB_EXIT_FAILED << 8;
    return result;
}

/* What the run has left half-written. Other programs that it had started, as ffmpeg, come to their end first. */
static void clean(const cab_options *options)
{
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR) continue;
    for (int i = 0; i < options->outputs.count; i++) cab_file_clean(options->outputs.word[i]);
    if (options->checkpoint) cab_file_clean(options->checkpoint);
    if (options->report) cab_file_clean(options->report);
    if (options->envelope) cab_file_clean(options->envelope);
}

static bool is_crash(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGABRT || number == SIGILL ||
           number == SIGFPE || number == SIGTRAP || number == SIGSYS;
}

static int outcome(int result, const cab_options *options, const char *path)
{
    if (WIFEXITED(result)) return WEXITSTATUS(result);
    int number = WTERMSIG(result);
    clean(options);
    if (!is_crash(number)) { /* it was killed, and so is the program */
        signal(number, SIG_DFL);
        raise(number);
    }
    if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr); /* the bar of its progress */
    cab_cli_error("%s: the process that draws ended by itself (%s), as a driver of OpenGL may, most of all "
                  "without memory; what was finished before is kept",
                  path, strsignal(number));
    return CAB_EXIT_FAILED;
}

bool cab_guard_draws(const cab_options *options, const char *path, int *code)
{
    if (guarded || !draws(options)) return false;
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* clean() waits for what the run had started */
#endif
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before); /* until both know what to do with them */
    fflush(NULL);
    pid_t program = getpid(), child = fork();
    if (child == 0) {
        cab_interrupt_only_by(PASSED_ON);
        end_with(program);
        guarded = true;
    } else if (child > 0) {
        runs = child;
        pass_signals_on();
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (child > 0) *code = outcome(wait_for(child), options, path);
    return child > 0;
}

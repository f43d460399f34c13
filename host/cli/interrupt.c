#include "cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include "base/open.h"
#include "cli/cli.h"

/* A signal handler can reach nothing else. */
static volatile sig_atomic_t interrupted;

static volatile sig_atomic_t only; /* the signal that counts; 0 = all that are handled */

static void on_signal(int number)
{
    if (only && number != only) return;
    if (interrupted) _exit(CAB_EXIT_INTERRUPTED);
    interrupted = 1;
}

void cab_interrupt_install(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction before;
    bool kept = sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler == SIG_IGN; /* nohup */
    if (!kept) sigaction(SIGHUP, &action, NULL);
    signal(
        SIGXFSZ,
        SIG_IGN); /* a file that may not grow is an error of the write, not the end; so is a reader that is gone */
    signal(SIGPIPE, SIG_IGN);
    cab_open_ask(cab_interrupted);
}

void cab_interrupt_only_by(int number)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
    only = number;
}

bool cab_interrupted(void)
{
    return interrupted;
}

#include "cli/machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* "unknown CPU" where the system does not tell. */
static void read_cpu(char *text, size_t size)
{
    char line[256];
    snprintf(text, size, "unknown CPU");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon) continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(text, size, "%.127s", colon + 2);
        break;
    }
    fclose(file);
}

cab_machine cab_machine_describe(void)
{
    cab_machine machine = {.cores = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    read_cpu(machine.cpu, sizeof machine.cpu);
    struct utsname name;
    if (uname(&name) == 0) {
        snprintf(machine.system, sizeof machine.system, "%.60s %.60s %.60s", name.sysname, name.release,
                 name.machine);
    }
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) strftime(machine.date, sizeof machine.date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return machine;
}

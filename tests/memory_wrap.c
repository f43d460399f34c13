/* Part of clcable_memory, the program that test_window looks for leaks in: after every PERIOD pictures of the window
 * it writes to standard error how many bytes are allocated and not freed, by us and by OpenGL's driver, and how many
 * KiB of memory of its own the process has, with what does not come from malloc. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

#include "library/glfw.h"

enum { PERIOD = 50 };

/* The linker leads calls of NAME to __wrap_NAME. */
cab_status __real_cab_glfw_load(const char *user, cab_error *error);
cab_status __wrap_cab_glfw_load(const char *user, cab_error *error);

static __typeof__(glfwSwapBuffers) true_swap_buffers;

/* Resident pages that are not a file's. */
static long own_kib(void)
{
    long resident = 0, of_files = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%*d %ld %ld", &resident, &of_files) != 2) resident = of_files = 0;
    fclose(file);
    return (resident - of_files) * (sysconf(_SC_PAGESIZE) / 1024);
}

/* States to go back to are kept as time goes on, up to a limit (test_viewer): here nothing may grow. */
void __wrap_cab_history_note(void *viewer);
void __wrap_cab_history_note(void *viewer)
{
    (void)viewer;
}

static void swap_buffers(GLFWwindow *window)
{
    static int pictures;
    true_swap_buffers(window);
    if (++pictures % PERIOD) return;
    struct mallinfo2 all = mallinfo2(); /* of all arenas */
    fprintf(stderr, "memory: pictures %d, allocated %zu bytes, own %ld KiB\n", pictures,
            all.uordblks + all.hblkhd, own_kib());
}

cab_status __wrap_cab_glfw_load(const char *user, cab_error *error)
{
    cab_status status = __real_cab_glfw_load(user, error);
    if (status == CAB_OK && !true_swap_buffers) {
        true_swap_buffers = glfwSwapBuffers;
        glfwSwapBuffers = swap_buffers;
    }
    return status;
}

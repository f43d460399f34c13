/* Part of clcable_memory, the program that test_window looks for leaks in: after every PERIOD pictures of the window
 * it writes to standard error how many bytes are allocated and not freed, by us and by OpenGL's driver, and how many
 * KiB of memory of its own the process has, with what does not come from malloc. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

#include <GLFW/glfw3.h>

enum { PERIOD = 50 };

/* The linker leads calls of NAME to __wrap_NAME. */
void __real_glfwSwapBuffers(GLFWwindow *window);
void __wrap_glfwSwapBuffers(GLFWwindow *window);

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

void __wrap_glfwSwapBuffers(GLFWwindow *window)
{
    static int pictures;
    __real_glfwSwapBuffers(window);
    if (++pictures % PERIOD) return;
    struct mallinfo2 all = mallinfo2(); /* of all arenas */
    fprintf(stderr, "memory: pictures %d, allocated %zu bytes, own %ld KiB\n", pictures,
            all.uordblks + all.hblkhd, own_kib());
}

/* A library for LD_PRELOAD that makes one call of a program go wrong: the N-th of a kind, counted from the start of
 * main. Tests step through all N (test_faults.py) or kill a program there (test_kills.py).
 *
 *   CLCABLE_FAULT=alloc:N    malloc, calloc, realloc and the like: there is no memory. Those of the program and of the
 *                            libraries that it calls count (below), those of drivers do not
 *   CLCABLE_FAULT=opencl:N   a function of OpenCL that can fail does
 *   CLCABLE_FAULT=kill:N     before the N-th open for writing, write, synchronisation, rename or removal of a file the
 *                            process is killed
 *   CLCABLE_FAULT=crash:N    in the N-th allocation of a driver of OpenGL there is a violation of memory (SIGSEGV)
 *   CLCABLE_FAULT_TOLD=FILE  one line is added there after main, by each process that ends by exit(): how many calls of that kind there were, how many
 *                            blocks of memory the program itself has not freed, how many objects of OpenCL have not
 *                            been released, and how many bytes of memory were in use at most, by whoever asked for
 *                            them, in the process or in one that it forked (it counts what both have)
 *   CLCABLE_FAULT_PLACES=FILE  for each allocation that is asked for over another chain of callers than all before, its
 *                            number is written there, a line each; processes that are forked write on
 *
 * N = 0: none goes wrong. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "faults.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static int kind = -1;
static long wanted;
static atomic_long calls;
static atomic_bool armed;

/* Whose calls count: the program, and libraries that begin with one of these names. */
static const char *const counted[] = {"libjansson.", "libxml2.", "libhdf5", "libzip.",
                                      "libpng",      "libz.",    "libc."};
/* Where a crash is wanted: EGL, and drivers of Mesa under their older and newer names. */
static const char *const drivers[] = {"libEGL",          "swrast_dri.",    "libgallium", "libEGL_mesa",
                                      "kms_swrast_dri.", "libGLdispatch.", "libgbm."};
enum { COUNTED = sizeof counted / sizeof *counted };
_Static_assert(sizeof drivers == sizeof counted, "as many of each");
static struct {
    uintptr_t begin, end;
} module[COUNTED + 1]; /* the program first */
static int modules;

static bool is_in(int index, const void *caller)
{
    uintptr_t from = (uintptr_t)caller;
    return from >= module[index].begin && from < module[index].end;
}

/* ---- places: chains of callers ---- */

#define DEPTH 64
#define CHAINS ((size_t)1 << 16) /* a thousand or two is what a command has */
static FILE *places;
static _Atomic uint64_t chain[CHAINS];
static _Thread_local bool noting; /* what backtrace() and writing ask for does not count */

static bool is_new(uint64_t hash)
{
    for (size_t i = hash % CHAINS, tried = 0; tried < CHAINS; i = (i + 1) % CHAINS, tried++) {
        uint64_t none = 0;
        if (atomic_compare_exchange_strong(&chain[i], &none, hash)) return true;
        if (none == hash) return false;
    }
    return false;
}

/* Callers outside of what counts, such as drivers, are all the same: where they are loaded differs between runs. */
static void note_place(void)
{
    if (!places || noting || !atomic_load(&armed)) return;
    noting = true;
    void *callers[DEPTH];
    int count = backtrace(callers, DEPTH);
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (int i = 0; i < count; i++) {
        uint64_t where = 0;
        for (int m = 0; m < modules; m++)
            if (is_in(m, callers[i]))
                where = (uint64_t)(m + 1) << 32 | ((uintptr_t)callers[i] - module[m].begin);
        if (where) hash = (hash ^ where) * 1099511628211u;
    }
    if (is_new(hash)) fprintf(places, "%ld\n", (long)atomic_load(&calls) + 1), fflush(places);
    noting = false;
}

static void open_places(void)
{
    const char *path = getenv("CLCABLE_FAULT_PLACES");
    void *caller;
    if (!path) return;
    backtrace(&caller, 1); /* loads what it needs */
    places = fopen(path, "a");
}

bool cab_fault_is_due(int of)
{
    if (!atomic_load(&armed) || of != kind) return false;
    return atomic_fetch_add(&calls, 1) + 1 == wanted;
}

/* ---- which blocks the program has asked for and not freed ---- */

#define SLOTS ((size_t)1 << 20)
static _Atomic(void *) slot[SLOTS];

static size_t first_slot(const void *block)
{
    return (uintptr_t)block / 16 * 2654435761u % SLOTS;
}

static void note(void *block, void *caller)
{
    if (!block || !atomic_load(&armed) || !is_in(0, caller)) return;
    for (size_t i = first_slot(block);; i = (i + 1) % SLOTS) {
        void *none = NULL, *gone = (void *)-1;
        if (atomic_compare_exchange_strong(&slot[i], &none, block)) return;
        if (atomic_compare_exchange_strong(&slot[i], &gone, block)) return;
    }
}

static void forget(void *block)
{
    if (!block || !atomic_load(&armed)) return;
    for (size_t i = first_slot(block); atomic_load(&slot[i]); i = (i + 1) % SLOTS) {
        void *found = block;
        if (atomic_compare_exchange_strong(&slot[i], &found, (void *)-1)) return;
    }
}

static long left(void)
{
    long count = 0;
    for (size_t i = 0; i < SLOTS; i++) count += slot[i] && slot[i] != (void *)-1;
    return count;
}

/* ---- how many bytes are in use ---- */

static atomic_long in_use;
static atomic_long *most; /* shared with processes that are forked */

static void *taken(void *block)
{
    if (!block || !atomic_load(&armed)) return block;
    long size = (long)malloc_usable_size(block), now = atomic_fetch_add(&in_use, size) + size,
         before = atomic_load(most);
    while (now > before && !atomic_compare_exchange_weak(most, &before, now)) continue;
    return block;
}

/* Blocks that were there before main are counted as less than nothing: the same in each run. */
static void given_back(void *block)
{
    if (block && atomic_load(&armed)) atomic_fetch_sub(&in_use, (long)malloc_usable_size(block));
}

/* ---- memory ---- */

#define CALLER __builtin_return_address(0)

static volatile int *volatile nowhere;

static bool no_memory(const void *caller)
{
    bool counts = false;
    for (int i = kind == CAB_FAULT_CRASH; i < modules && !counts; i++) counts = is_in(i, caller);
    if (counts && cab_fault_is_due(CAB_FAULT_CRASH)) *nowhere = 0;
    if (noting) return false;
    if (counts && kind == CAB_FAULT_ALLOC) note_place();
    if (!counts || !cab_fault_is_due(CAB_FAULT_ALLOC)) return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    void *block = no_memory(CALLER) ? NULL : taken(__libc_malloc(size));
    note(block, CALLER);
    return block;
}

void *calloc(size_t count, size_t size)
{
    void *block = no_memory(CALLER) ? NULL : taken(__libc_calloc(count, size));
    note(block, CALLER);
    return block;
}

void *realloc(void *block, size_t size)
{
    if (no_memory(CALLER)) return NULL;
    forget(block), given_back(block);
    void *grown = taken(__libc_realloc(block, size));
    note(grown, CALLER);
    return grown;
}

void *reallocarray(void *block, size_t count, size_t size)
{
    if (no_memory(CALLER) || (size && count > SIZE_MAX / size)) return NULL;
    forget(block), given_back(block);
    void *grown = taken(__libc_realloc(block, count * size));
    note(grown, CALLER);
    return grown;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    void *block = no_memory(CALLER) ? NULL : taken(__libc_memalign(alignment, size));
    note(block, CALLER);
    return block;
}

void *memalign(size_t alignment, size_t size)
{
    return no_memory(CALLER) ? NULL : taken(__libc_memalign(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (no_memory(CALLER)) return ENOMEM;
    *block = taken(__libc_memalign(alignment, size));
    note(*block, CALLER);
    return *block ? 0 : ENOMEM;
}

/* In the C library, so that the program would not be known as the one that asks. */
char *strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = no_memory(CALLER) ? NULL : taken(__libc_malloc(size));
    note(copy, CALLER);
    return copy ? memcpy(copy, text, size) : NULL;
}

void free(void *block)
{
    forget(block), given_back(block);
    __libc_free(block);
}

/* ---- files ---- */

static void die_if_due(void)
{
    if (cab_fault_is_due(CAB_FAULT_KILL)) kill(getpid(), SIGKILL);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = va_arg(arguments, mode_t);
    va_end(arguments);
    if (flags & O_CREAT) die_if_due();
    return NEXT(open)(path, flags, mode);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    die_if_due();
    return NEXT(write)(file, bytes, size);
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
    die_if_due();
    return NEXT(fwrite)(bytes, size, count, file);
}

int fsync(int file)
{
    die_if_due();
    return NEXT(fsync)(file);
}

int rename(const char *from, const char *to)
{
    die_if_due();
    return NEXT(rename)(from, to);
}

int unlink(const char *path)
{
    die_if_due();
    return NEXT(unlink)(path);
}

/* ---- main ---- */

static int (*true_main)(int, char **, char **);
static int find_module(struct dl_phdr_info *info, size_t size, void *user);

/* What is loaded on the way counts from then on. */
void *dlopen(const char *path, int flags)
{
    void *handle = NEXT(dlopen)(path, flags);
    if (!atomic_load(&armed)) return handle;
    modules = 0;
    dl_iterate_phdr(find_module, NULL);
    return handle;
}

static void read_wish(void)
{
    static const char *const names[] = {"alloc:", "opencl:", "kill:", "crash:"};
    const char *wish = getenv("CLCABLE_FAULT");
    for (int k = 0; wish && k < CAB_FAULT_COUNT; k++) {
        size_t length = strlen(names[k]);
        if (strncmp(wish, names[k], length)) continue;
        kind = k;
        wanted = atol(wish + length);
    }
}

static int find_module(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size, (void)user;
    const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : info->dlpi_name;
    bool counts = modules == 0; /* the first object is the program */
    const char *const *names = kind == CAB_FAULT_CRASH ? drivers : counted;
    for (int i = 0; i < COUNTED && !counts; i++) counts = strncmp(name, names[i], strlen(names[i])) == 0;
    if (!counts || modules > COUNTED) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_X)) continue;
        module[modules].begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        module[modules].end = module[modules].begin + info->dlpi_phdr[i].p_memsz;
    }
    modules++;
    return 0;
}

static long objects(void)
{
#ifdef CAB_HAVE_OPENCL
    return cab_fault_objects();
#else
    return 0;
#endif
}

static void tell(void)
{
    const char *path = getenv("CLCABLE_FAULT_TOLD");
    atomic_store(&armed, false);
    FILE *file =
        path ? fopen(path, "a") : NULL; /* a process that was forked comes before the one that waits for it */
    if (!file) return;
    fprintf(file, "%ld %ld %ld %ld\n", (long)calls, left(), objects(), (long)*most);
    fclose(file);
}

static int watched_main(int count, char **words, char **environment)
{
    read_wish();
    dl_iterate_phdr(find_module, NULL);
    most = mmap(NULL, sizeof *most, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (most == MAP_FAILED) abort();
    atexit(tell);
    open_places();
    unsetenv("LD_PRELOAD"); /* programs that it starts are left alone */
    atomic_store(&armed, true);
    int code = true_main(count, words, environment);
    tell();
    return code;
}

extern int __libc_start_main(int (*main)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                             void (*)(void), void *);
int __libc_start_main(int (*main)(int, char **, char **), int count, char **words, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    true_main = main;
    return NEXT(__libc_start_main)(watched_main, count, words, init, fini, rtld_fini, stack_end);
}

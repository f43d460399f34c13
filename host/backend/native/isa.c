/* Chooses the table of kernels that this CPU runs. All give the same bits; wider vectors are faster. */
#include "backend/native/native.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#ifdef CAB_NATIVE_AVX2
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}
#endif

#ifdef CAB_NATIVE_AVX512
static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
}
#endif

#ifdef CAB_NATIVE_BASELINE
static bool always(void)
{
    return true;
}
#endif

typedef struct entry {
    cab_native_isa isa;
    bool (*supported)(void);
} entry;

/* From the slowest to the fastest. */
static const entry entries[] = {
#ifdef CAB_NATIVE_BASELINE
    {{"baseline", cab_native_kernels_baseline, 4}, always},
#endif
#ifdef CAB_NATIVE_AVX2
    {{"avx2", cab_native_kernels_avx2, 8}, has_avx2},
#endif
#ifdef CAB_NATIVE_AVX512
    {{"avx512", cab_native_kernels_avx512, 16}, has_avx512},
#endif
};
enum { ENTRY_COUNT = sizeof entries / sizeof entries[0] };

const cab_native_isa *cab_native_best_isa(void)
{
    int i = ENTRY_COUNT - 1;
    while (i > 0 && !entries[i].supported()) i--;
    return &entries[i].isa;
}

cab_status cab_native_choose_isa(const cab_native_isa **isa, cab_error *error)
{
    const char *wish = getenv("CLCABLE_ISA");
    *isa = cab_native_best_isa();
    if (*isa == &entries[0].isa && !entries[0].supported()) /* a build for one set (CLCABLE_ISA) */
        return cab_fail(error, CAB_ERROR_DEVICE, "native: this build is for CPUs with %s only", (*isa)->name);
    if (!wish || !*wish) return CAB_OK;
    for (int i = 0; i < ENTRY_COUNT; i++) {
        if (strcmp(wish, entries[i].isa.name) != 0) continue;
        if (!entries[i].supported())
            return cab_fail(error, CAB_ERROR_INPUT, "CLCABLE_ISA: this CPU has no %s, its best is %s", wish,
                            (*isa)->name);
        *isa = &entries[i].isa;
        return CAB_OK;
    }
    char known[64] = "";
    for (int i = 0; i < ENTRY_COUNT; i++) {
        if (i > 0) strcat(known, ", ");
        strcat(known, entries[i].isa.name);
    }
    return cab_fail(error, CAB_ERROR_INPUT, "CLCABLE_ISA: no \"%s\" in this build; there is %s", wish, known);
}

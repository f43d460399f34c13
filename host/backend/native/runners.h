/* RUNNER(...) makes a loop over a range of indices of a kernel that is compiled as C: a function for the
 * instruction set CAB_NATIVE_SET, by default the baseline. tables.c lists these functions. */
#ifndef CAB_NATIVE_RUNNERS_H
#define CAB_NATIVE_RUNNERS_H

#include "backend/native/native.h"

#ifndef CAB_NATIVE_SET
#define CAB_NATIVE_SET baseline
#endif

#define CAB_KERNELS_AS_C

/* EACH(a, b, c) -> , buffer[CAB_BUFFER_a], buffer[CAB_BUFFER_b], buffer[CAB_BUFFER_c] */
#define B(name) , buffer[CAB_BUFFER_##name]
#define EACH_1(a) B(a)
#define EACH_2(a, ...) B(a) EACH_1(__VA_ARGS__)
#define EACH_3(a, ...) B(a) EACH_2(__VA_ARGS__)
#define EACH_4(a, ...) B(a) EACH_3(__VA_ARGS__)
#define EACH_5(a, ...) B(a) EACH_4(__VA_ARGS__)
#define EACH_6(a, ...) B(a) EACH_5(__VA_ARGS__)
#define EACH_7(a, ...) B(a) EACH_6(__VA_ARGS__)
#define EACH_8(a, ...) B(a) EACH_7(__VA_ARGS__)
#define EACH_9(a, ...) B(a) EACH_8(__VA_ARGS__)
#define EACH_10(a, ...) B(a) EACH_9(__VA_ARGS__)
#define EACH_11(a, ...) B(a) EACH_10(__VA_ARGS__)
#define EACH_12(a, ...) B(a) EACH_11(__VA_ARGS__)
#define EACH_13(a, ...) B(a) EACH_12(__VA_ARGS__)
#define EACH_14(a, ...) B(a) EACH_13(__VA_ARGS__)
#define EACH_15(a, ...) B(a) EACH_14(__VA_ARGS__)
#define EACH_16(a, ...) B(a) EACH_15(__VA_ARGS__)
#define EACH_17(a, ...) B(a) EACH_16(__VA_ARGS__)
#define EACH_18(a, ...) B(a) EACH_17(__VA_ARGS__)
#define EACH_19(a, ...) B(a) EACH_18(__VA_ARGS__)
#define EACH_20(a, ...) B(a) EACH_19(__VA_ARGS__)
#define PICK(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, _18, _19, _20,      \
             name, ...)                                                                                      \
    name
#define EACH(...)                                                                                            \
    PICK(__VA_ARGS__, EACH_20, EACH_19, EACH_18, EACH_17, EACH_16, EACH_15, EACH_14, EACH_13, EACH_12,       \
         EACH_11, EACH_10, EACH_9, EACH_8, EACH_7, EACH_6, EACH_5, EACH_4, EACH_3, EACH_2, EACH_1, )         \
    (__VA_ARGS__)

#define CALL_item(name, ...) cab_##name(i, argument EACH(__VA_ARGS__))
#define CALL_block CALL_item
#define CALL_group(name, ...) cab_##name(i, argument, scratch EACH(__VA_ARGS__))
#define RUN_OF_SET(set, name) CAB_NATIVE_RUN(set, name)
#define RUNNER(name, file, kind, ...)                                                                        \
    cab_native_run RUN_OF_SET(CAB_NATIVE_SET, name);                                                         \
    void RUN_OF_SET(CAB_NATIVE_SET, name)(void *const *buffer, int begin, int end, int argument,             \
                                          float *scratch)                                                    \
    {                                                                                                        \
        (void)scratch;                                                                                       \
        for (int i = begin; i < end; i++) CALL_##kind(name, __VA_ARGS__);                                    \
    }

#endif

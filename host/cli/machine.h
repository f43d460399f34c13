/* Which machine a benchmark ran on. */
#ifndef CAB_MACHINE_H
#define CAB_MACHINE_H

typedef struct cab_machine {
    char cpu[128];
    char system[256]; /* kernel and its version */
    char date[32];    /* "2024-01-31T12:00:00Z" */
    int cores;
} cab_machine;

cab_machine cab_machine_describe(void);

#endif

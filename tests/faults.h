/* Inside the library of faults: see faults.c. */
#ifndef CAB_TESTS_FAULTS_H
#define CAB_TESTS_FAULTS_H

#include <stdbool.h>

enum { CAB_FAULT_ALLOC, CAB_FAULT_OPENCL, CAB_FAULT_KILL, CAB_FAULT_CRASH, CAB_FAULT_COUNT };

/* Objects of OpenCL that have been made and not released. */
long cab_fault_objects(void);

/* Counts a call of this kind; true: it is the one that goes wrong. */
bool cab_fault_is_due(int kind);

#endif

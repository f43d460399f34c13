/* Ctrl-C: the first asks the run to end after the current frame, the second ends the program at once. */
#ifndef CAB_INTERRUPT_H
#define CAB_INTERRUPT_H

#include <stdbool.h>

void cab_interrupt_install(void);
bool cab_interrupted(void);

#endif

/* Ctrl-C: the first asks the run to end after the current frame, the second ends the program at once. */
#ifndef CAB_INTERRUPT_H
#define CAB_INTERRUPT_H

#include <stdbool.h>

void cab_interrupt_install(void);

/* From now on this signal counts, and those of the terminal and of `kill` are let pass: Ctrl-C reaches all processes of a
 * program, and the one that this one belongs to passes it on. */
void cab_interrupt_only_by(int number);

bool cab_interrupted(void);

#endif

/* A clock that only goes forward. */
#ifndef CAB_CLOCK_H
#define CAB_CLOCK_H

/* Seconds since some moment in the past; only differences have a meaning. */
double cab_now(void);
/* Seconds of processor time that all threads of the program have taken together. */
double cab_processor_now(void);

#endif

/* A clock that only goes forward. */
#ifndef CAB_CLOCK_H
#define CAB_CLOCK_H

/* Seconds since some moment in the past; only differences have a meaning. */
double cab_now(void);

#endif

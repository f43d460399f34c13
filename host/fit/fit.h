/* Numbers that make a model come nearest to what was measured: least squares, from many tries at once. What the numbers mean, and how the
 * model is run, the caller knows. */
#ifndef CAB_FIT_H
#define CAB_FIT_H

#include <stdbool.h>

#include <clcable/fit.h>

#define CAB_FIT_TRIES 64          /* a number that is sought, where nobody says how many */
#define CAB_FIT_HOLD_OUT_MOST 0.9 /* of a clip's time */

/* The number at a share of its range, 0 to 1. */
double cab_fit_at(const cab_fit_range *range, double share);

/* Runs the model with `count` sets of shares, [count][values], side by side, and tells what it is off by: residual [count][residuals].
 * *stop: the search shall end, with what it has found until then; residuals are not known. */
typedef cab_status cab_fit_run(void *user, const double *share, int count, double *residual, bool *stop,
                               cab_error *error);

typedef struct cab_fit_problem {
    int values, residuals;
    double step[CAB_FIT_VALUES]; /* shares by which derivatives are taken, to both sides */
    const int *
        block; /* [residuals] what is off for the same reason has the same number, 0 to blocks - 1: a piece of time of one track */
    int blocks;
    int tries; /* drawn evenly from the ranges (Latin hypercube) before the best are followed */
    unsigned long seed;
    cab_fit_run *run;
    void *user;
    void (*progress)(void *user, int runs); /* NULL, or told how often the model has been run so far */
} cab_fit_problem;

typedef struct cab_fit_result {
    double share[CAB_FIT_VALUES];
    /* Standard deviation of a share, from what the residuals are like in blocks (errors that go on for a while count once, not at each
     * sample); INFINITY: it has no influence. */
    double spread[CAB_FIT_VALUES];
    double correlation[CAB_FIT_VALUES][CAB_FIT_VALUES]; /* -1 to 1, of what is found */
    double square;                                      /* sum of the squares of what is off */
    int runs;
    bool interrupted; /* the best until then; spreads are not known */
} cab_fit_result;

/* Looks for the shares with the least sum of squares: from the best few of the tries on by the method of Levenberg and Marquardt. */
cab_status cab_fit_search(const cab_fit_problem *problem, cab_fit_result *result, cab_error *error);

#endif

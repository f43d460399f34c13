/* Rows of doubles in the order of their first numbers, such as keyframes by time. */
#ifndef CAB_ROWS_H
#define CAB_ROWS_H

#include <stddef.h>

/* The last row whose first number is not above `at`; 0 where there is none. first: that of row 0; apart: doubles from one row to the next;
 * count: 1 or more. By halving: a motion that was measured has thousands. */
static inline int cab_row_at(const double *first, size_t apart, int count, double at)
{
    int low = 0, high = count; /* row low is not above it, or is row 0; row high is, or there is none */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (first[(size_t)middle * apart] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Doubles from one element of an array of structs of doubles to the next. */
#define CAB_DOUBLES_APART(rows) (sizeof *(rows) / sizeof(double))

#endif

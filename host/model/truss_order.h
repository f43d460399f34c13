/* In which order a sparse symmetric matrix is eliminated, and where its factor then has entries. */
#ifndef CAB_TRUSS_ORDER_H
#define CAB_TRUSS_ORDER_H

#include <stddef.h>

#include <clcable/status.h>

typedef struct cab_factor_pattern {
    int n;
    int *order, *rank; /* order[new] = old, rank[old] = new */
    size_t *first;   /* column j (new) has rows row[first[j]] to row[first[j + 1] - 1], below the diagonal */
    int *row;        /* new numbers, increasing in a column */
    size_t capacity; /* of row */
} cab_factor_pattern;

/* Row i of the matrix has entries in columns a_column[a_first[i]] to a_column[a_first[i + 1] - 1], both
 * triangles, no diagonal, repeats allowed. Free the pattern even after an error. */
cab_status cab_factor_pattern_make(cab_factor_pattern *pattern, int n, const int *a_first,
                                   const int *a_column, cab_error *error);
void cab_factor_pattern_free(cab_factor_pattern *pattern);

#endif

/* A sparse symmetric matrix, eliminated by least degree: rows of neighbours, each with an entry. */
#ifndef CAB_SPARSE_H
#define CAB_SPARSE_H

#include "model/model.h"

/* Entry (row, column) and (column, row) are one and the same number of `cab_sparse_entry`. */
typedef struct cab_sparse_link {
    int column, entry;
} cab_sparse_link;

typedef struct cab_sparse_row {
    cab_sparse_link *link;
    int count, room;
    bool gone; /* eliminated */
} cab_sparse_row;

typedef struct cab_sparse {
    cab_sparse_row *row;
    int count, entry_count;
} cab_sparse;

cab_status cab_sparse_create(cab_sparse *s, int rows, cab_error *error);
void cab_sparse_free(cab_sparse *s);

/* Number of the entry of two different rows, made when it is new; -1 when there was no memory. */
int cab_sparse_entry(cab_sparse *s, int i, int j, cab_error *error);

/* The first row among rows[count] that is not gone and has the fewest links; -1 = none is left. */
int cab_sparse_least(const cab_sparse *s, const int *rows, int count);

/* Takes row i out of its neighbours, which must have been linked with each other before. */
void cab_sparse_remove(cab_sparse *s, int i);

#endif

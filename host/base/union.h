/* Union-find: parent[i] leads from i to the number that stands for i's set, which is the lowest of the set
 * and its own parent. */
#ifndef CAB_UNION_H
#define CAB_UNION_H

/* The number that stands for i's set. Halves the path for the next call. */
static inline int cab_union_root(int *parent, int i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* Joins the sets of a and b. */
static inline void cab_union_join(int *parent, int a, int b)
{
    int x = cab_union_root(parent, a), y = cab_union_root(parent, b);
    parent[x < y ? y : x] = x < y ? x : y;
}

#endif

#include "model/mesh_tree.h"

#include <float.h>
#include <math.h>

#define LEAF 4      /* triangles */
#define ROUND 1e-6f /* of a coordinate: boxes hold their triangles after rounding, too */

/* Twice as many halvings as a million triangles take, each half within one of the other. */
_Static_assert(CAB_MESH_DEPTH >= 24, "a tree of 1,000,000 triangles is 19 levels deep");

static double coordinate(cab_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double middle(const cab_mesh_tree *t, int triangle, int axis)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += coordinate(t->point[t->corner[3 * triangle + k]], axis);
    return sum;
}

/* Puts the k-th of order[low ... high] by its middle into its place (Hoare's quickselect). */
static void select_middle(const cab_mesh_tree *t, int low, int high, int k, int axis)
{
    int *order = t->order;
    while (low < high) {
        double pivot = middle(t, order[low + (high - low) / 2], axis);
        int i = low, j = high;
        while (i <= j) {
            while (middle(t, order[i], axis) < pivot) i++;
            while (middle(t, order[j], axis) > pivot) j--;
            if (i > j) break;
            int swap = order[i];
            order[i++] = order[j];
            order[j--] = swap;
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            return;
    }
}

static float below(double x)
{
    float f = (float)x;
    return f - ROUND * fabsf(f) - FLT_MIN;
}

static float above(double x)
{
    float f = (float)x;
    return f + ROUND * fabsf(f) + FLT_MIN;
}

/* The box; returns the axis along which the triangles' middles spread most. */
static int fill_box(const cab_mesh_tree *t, cab_mesh_node *node, int first, int count)
{
    double low[3], high[3], from[3], to[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = from[axis] = DBL_MAX;
        high[axis] = to[axis] = -DBL_MAX;
        for (int i = first; i < first + count; i++) {
            double m = middle(t, t->order[i], axis);
            from[axis] = fmin(from[axis], m);
            to[axis] = fmax(to[axis], m);
            for (int k = 0; k < 3; k++) {
                double x = coordinate(t->point[t->corner[3 * t->order[i] + k]], axis);
                low[axis] = fmin(low[axis], x);
                high[axis] = fmax(high[axis], x);
            }
        }
    }
    node->lx = below(low[0]);
    node->ly = below(low[1]);
    node->lz = below(low[2]);
    node->hx = above(high[0]);
    node->hy = above(high[1]);
    node->hz = above(high[2]);
    int axis = to[1] - from[1] > to[0] - from[0] ? 1 : 0;
    return to[2] - from[2] > to[axis] - from[axis] ? 2 : axis;
}

static void build(cab_mesh_tree *t, int index, int first, int count, int *used)
{
    cab_mesh_node *node = &t->node[index];
    int axis = fill_box(t, node, first, count);
    if (count <= LEAF) {
        node->first = t->first_triangle + first;
        node->count = count;
        return;
    }
    int half = count / 2, child = t->first_node + *used;
    *used += 2;
    select_middle(t, first, first + count - 1, first + half, axis);
    node->first = child;
    node->count = 0;
    build(t, child, first, half, used);
    build(t, child + 1, first + half, count - half, used);
}

int cab_mesh_tree_build(cab_mesh_tree *tree, int count)
{
    int used = 1;
    for (int i = 0; i < count; i++) tree->order[i] = i;
    build(tree, tree->first_node, 0, count, &used);
    return used;
}

/* A stable counting sort by eight bits at a time, and the prefix sum that it needs. A work-item walks through
 * a block in order, so equal keys keep their order and nothing depends on scheduling. */
#include "types.h"

#define CAB_DIGITS 256
#define CAB_SCAN_BLOCK 1024 /* as in host/contact/lists.c */

CAB_INLINE int cab_block_count(int count)
{
    return (count + CAB_BLOCK - 1) / CAB_BLOCK;
}

/* Counts how often each digit occurs in a block: scan[digit][block]. Flag: CAB_SORT_FROM_B; number: the
 * digit's first bit. */
CAB_BLOCK_KERNEL(sort_count, global const cab_params *params, global int *scan, global const int *key_a,
                 global const int *key_b)
{
    CAB_ITEM(block);
    int shift = CAB_NUMBER(argument), blocks = cab_block_count(params->sort_count);
    global const int *key = argument & CAB_SORT_FROM_B ? key_b : key_a;
    for (int d = 0; d < CAB_DIGITS; d++) scan[d * blocks + block] = 0;
    for (int i = block * CAB_BLOCK; i < (block + 1) * CAB_BLOCK && i < params->sort_count; i++) {
        scan[((key[i] >> shift) & (CAB_DIGITS - 1)) * blocks + block] += 1;
    }
}

/* Moves keys and values to the places that the prefix sum of the counts gives. Flag and number: as above. */
CAB_BLOCK_KERNEL(sort_scatter, global const cab_params *params, global int *scan, global int *key_a,
                 global int *value_a, global int *key_b, global int *value_b)
{
    CAB_ITEM(block);
    int shift = CAB_NUMBER(argument), blocks = cab_block_count(params->sort_count);
    global const int *key = argument & CAB_SORT_FROM_B ? key_b : key_a;
    global const int *value = argument & CAB_SORT_FROM_B ? value_b : value_a;
    global int *to_key = argument & CAB_SORT_FROM_B ? key_a : key_b;
    global int *to_value = argument & CAB_SORT_FROM_B ? value_a : value_b;
    for (int i = block * CAB_BLOCK; i < (block + 1) * CAB_BLOCK && i < params->sort_count; i++) {
        int slot = ((key[i] >> shift) & (CAB_DIGITS - 1)) * blocks + block;
        int to = scan[slot];
        scan[slot] = to + 1;
        to_key[to] = key[i];
        to_value[to] = value[i];
    }
}

/* Exclusive prefix sum of scan[count] in three launches: sums of blocks, sums before each block, sums inside
 * blocks. argument: count */
CAB_BLOCK_KERNEL(scan_sum, global const int *scan, global int *scan_sum)
{
    CAB_ITEM(block);
    int sum = 0, count = argument;
    for (int i = block * CAB_SCAN_BLOCK; i < (block + 1) * CAB_SCAN_BLOCK && i < count; i++) sum += scan[i];
    scan_sum[block] = sum;
}

/* argument: number of blocks */
CAB_BLOCK_KERNEL(scan_top, global int *scan_sum)
{
    CAB_ITEM(only);
    int sum = only; /* 0 */
    int blocks = argument;
    for (int i = 0; i < blocks; i++) {
        int next = scan_sum[i];
        scan_sum[i] = sum;
        sum += next;
    }
}

CAB_BLOCK_KERNEL(scan_add, global int *scan, global const int *scan_sum)
{
    CAB_ITEM(block);
    int sum = scan_sum[block], count = argument;
    for (int i = block * CAB_SCAN_BLOCK; i < (block + 1) * CAB_SCAN_BLOCK && i < count; i++) {
        int next = scan[i];
        scan[i] = sum;
        sum += next;
    }
}

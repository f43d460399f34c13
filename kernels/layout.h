/* Kernels that tell how a device's compiler lays out the structs that it shares with the host. */
#ifndef CAB_LAYOUT_H
#define CAB_LAYOUT_H

/* For each entry X(type, member) of a list: the type's size and the member's offset in bytes. The listed
 * members would have another offset if the compilers did not agree. */
#define CAB_LAYOUT_KERNEL(name, LIST)                                                                        \
    CAB_KERNEL(name, global int *layout)                                                                     \
    {                                                                                                        \
        CAB_ITEM(i);                                                                                         \
        int at = 0;                                                                                          \
        if (i > 0) return;                                                                                   \
        LIST(CAB_LAYOUT_PUT)                                                                                 \
    }
#define CAB_LAYOUT_PUT(type, member)                                                                         \
    {                                                                                                        \
        type one;                                                                                            \
        layout[at++] = (int)sizeof(one);                                                                     \
        layout[at++] = (int)((const char *)&one.member - (const char *)&one);                                \
    }

#endif

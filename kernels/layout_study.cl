/* layout_study: what this device's compiler makes of the structs of the studies: of each entry the size of
 * the type and the place of the member, in bytes. Doubles, as in their kernels.
 */
#include "layout_study.h"

#define CAB_LAYOUT_PUT(type, member)                                                                         \
    {                                                                                                        \
        type one;                                                                                            \
        layout_study[at++] = (int)sizeof(one);                                                               \
        layout_study[at++] = (int)((const char *)&one.member - (const char *)&one);                          \
    }

CAB_KERNEL(layout_study, global int *layout_study)
{
    CAB_ITEM(i);
    int at = 0;
    if (i > 0) return;
    CAB_LAYOUT_STUDY(CAB_LAYOUT_PUT)
}

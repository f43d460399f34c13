/* layout: what this device's compiler makes of the shared structs, so that a test can compare. */
#include "types.h"

#define CAB_REPORT(name, bytes) layout[k++] = (int)sizeof(name);

CAB_KERNEL(layout, global int *layout)
{
    CAB_ITEM(i);
    int k = 0;
    if (i > 0) return;
    CAB_SHARED_STRUCTS(CAB_REPORT)
}

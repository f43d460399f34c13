/* layout: sizes of the shared structs on this device, for a test to compare. */
#include "types.h"

#define CAB_REPORT(name, bytes) layout[k++] = (int)sizeof(name);

CAB_KERNEL(layout, global int *layout)
{
    CAB_ITEM(i);
    int k = 0;
    if (i > 0) return;
    CAB_SHARED_STRUCTS(CAB_REPORT)
}

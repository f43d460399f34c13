/* Does the world have meshes? The host puts a 0 here for one that has none (host/backend/opencl/source.c): programs are smaller
 * without what meshes need, and compile sooner. */
#ifndef CAB_WITH_MESHES_H
#define CAB_WITH_MESHES_H

#define CAB_WITH_MESHES 1

#endif

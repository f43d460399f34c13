/* clcable: a GPU-parallel cable simulator. This header brings in all of the library.
 *
 *   cab_scene *scene;
 *   cab_world *world;
 *   cab_world_def def = cab_world_default();
 *   cab_scene_load("curtain.json", NULL, 0, &scene, &error);
 *   cab_world_create(scene, &def, &world, &error);
 *   cab_world_step(world, 60, &error);
 *   cab_world_read(world, position, NULL, NULL, &error);
 */
#ifndef CLCABLE_CLCABLE_H
#define CLCABLE_CLCABLE_H

#include "status.h"
#include "settings.h"
#include "body.h"
#include "contacts.h"
#include "scene.h"
#include "particles.h"
#include "world.h"
#include "facts.h"
#include "judge.h"
#include "batch.h"
#include "fit.h"
#include "draw.h"
#include "planar.h"

#endif

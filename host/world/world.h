/* A world inside the library: a model, the device that it is on, and what changes from frame to frame. It is
 * one plain struct that the folders above (contact, constraint, carrier, run) work on; world/parts.h declares
 * its parts. */
#ifndef CAB_WORLD_H
#define CAB_WORLD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <clcable/draw.h>
#include <clcable/world.h>

#include "backend/backend.h"
#include "model/branches.h"
#include "model/model.h"
#include "model/tiles.h"
#include "world/carrier.h"
#include "world/parts.h"

struct cab_world {
    cab_model *model;
    cab_backend *backend;
    cab_world_def def;
    cab_way way;
    const cab_carrier *carrier; /* the carrier of this way */
    cab_params params;
    int frame;
    cab_window window; /* the coming substeps */
    cab_pace pace;
    int ticks; /* since the start, for overlaps that fade: a substep has CAB_PIECES_MOST; stops at a large number */
    bool failed;         /* after an error nothing moves any more */
    bool first_order;    /* for whole frames of the direct method: the next substep has no steps before it */
    uint64_t scene_hash; /* hash of the model at the start; a state must have the same */
    int materials_changed; /* number of broken attachments at the last change of a material; -1 = no change */

    cab_kept kept[CAB_BUFFER_COUNT]; /* buffers that a state keeps */
    cab_attached attached;           /* held particles that move, soft attachments */
    cab_hand hand;                   /* the pull of a hand */
    cab_world_loads loads;           /* forces along keyframes, forces that the user sets */
    cab_world_colliders colliders;
    cab_wrench wrench;
    cab_led_motion *led; /* [led bodies] as behind those that move in cab_model.rigid */
    cab_forces forces;   /* forces that attachments bear */
    cab_breaks broken;   /* attachments that have let go */
    cab_events events;   /* other events */
    cab_contact_state contact;
    cab_sleep sleep;
    cab_drawing drawing;
    void **constraint; /* [constraint kinds] data of a kind on the host: cab_kind_data() in world/device.h */

    cab_iterated iterated; /* the carriers coloured and chunks */
    cab_lanes lanes;       /* the carrier lanes */
    cab_staged staged;     /* the carrier staged */
    cab_clear clear;       /* its frames in which nothing can touch anything */

    cab_errors *errors; /* [blocks] */
    int block_count;
    cab_measures measures;
    cab_judging judging; /* what is beyond its bounds */
    double times[CAB_STAGE_COUNT];
};

#endif

/* A world from the inside: a model, the device it lives on, and what changes from frame to frame. One plain struct that the
 * rooms above (contact, constraint, carrier, run) work on; each part of it belongs to the concern whose header declares it.
 */
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
    const cab_carrier *carrier; /* of this way */
    cab_params params;
    int frame;
    cab_window window; /* of the coming substeps */
    cab_pace pace;
    int ticks; /* since the start, for overlaps that fade: CAB_PIECES_MOST a substep; stops at a large number */
    bool failed; /* after an error nothing moves any more */
    bool
        first_order; /* whole frames of the direct method: the next substep knows nothing of the steps before */
    uint64_t scene_hash;   /* of the model as it was made; a state must have the same */
    int materials_changed; /* attachments that had broken when a material changed last; -1 = none has */

    cab_kept kept[CAB_BUFFER_COUNT]; /* that a state keeps */
    cab_attached attached;           /* held particles that move, soft attachments */
    cab_hand hand;                   /* what the user pulls */
    cab_world_loads loads;           /* forces along keyframes, forces that the user sets */
    cab_world_colliders colliders;
    cab_forces forces; /* that attachments bear */
    cab_breaks broken; /* attachments that have let go */
    cab_events events; /* other events */
    cab_contact_state contact;
    cab_sleep sleep;
    cab_drawing drawing;
    void *
        *constraint; /* [constraint kinds] what a kind keeps on the host: cab_kind_data() in world/device.h */

    cab_iterated iterated; /* the carriers coloured and chunks */
    cab_lanes lanes;       /* the carrier lanes */
    cab_staged staged;     /* the carrier staged */

    cab_errors *errors; /* [blocks] */
    int block_count;
    cab_measures measures;
    double times[CAB_STAGE_COUNT];
};

#endif

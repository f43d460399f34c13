/* clcable: what a viewer draws, made where the world lives.
 *
 * A row a node: its place and one quantity to colour by. Into memory of the caller, or into an OpenGL buffer:
 * on the device where OpenCL and OpenGL share it (cl_khr_gl_sharing), else by a copy. A viewer calls the same
 * function for both.
 *
 *   cab_gl gl = {.platform = CAB_GL_EGL, .display = eglGetCurrentDisplay(),
 *                .context = eglGetCurrentContext(), .finish = call_gl_finish,
 *                .upload = call_gl_buffer_sub_data};
 *   def.gl = &gl;
 *   cab_world_create(scene, &def, &world, &error);
 *   ...
 *   cab_world_step(world, 1, &error);
 *   cab_world_draw_into(world, buffer, CAB_QUANTITY_TENSION, &error);
 *
 * The library knows no OpenGL: handles are pointers and numbers, and what must be called is given to it.
 */
#ifndef CLCABLE_DRAW_H
#define CLCABLE_DRAW_H

#include <stddef.h>

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What to colour by: the fourth number of a row. */
typedef enum cab_quantity {
    CAB_QUANTITY_NONE = 0, /**< 0 */
    CAB_QUANTITY_TENSION, /**< N, positive when pulled: cab_world_read's, of the segment that starts there; at
                             a cable's last node its last segment's. 0 in sheets, whose nodes have many */
    CAB_QUANTITY_CURVATURE, /**< 1/m, of the circle through the node and its neighbours along the cable
                               (4 area / product of the sides); ends have their neighbour's. 0 in sheets, in
                               cables of one segment and where nodes coincide */
    CAB_QUANTITY_SPEED,     /**< m/s */
    CAB_QUANTITY_CONTACT, /**< N: normal forces of all contacts, with cables and colliders, that the segments
                             about the node bear, added up as numbers; a contact between two nodes counts for
                             each by its share of the lever. Of a frame's last substep, as tension is, before
                             what is fast is looked at once more. What sleeps keeps what it last had. 0 before
                             the first frame, after a state was loaded, and in ways without contact */
    CAB_QUANTITY_TORQUE,  /**< N m, of twist, as cab_world_read_torque() has it */
    CAB_QUANTITY_COUNT
} cab_quantity;

/** The quantity's word, "none", "tension", "curvature", "speed", "contact", "torque", and unit, "N", "1/m", "m/s",
 * "N", "N m"; of none "". Static storage. "" for a number that is none. */
CAB_API const char *cab_quantity_name(cab_quantity quantity);
CAB_API const char *cab_quantity_unit(cab_quantity quantity);

/** Whether a world shares buffers with OpenGL. */
typedef enum cab_interop {
    CAB_INTEROP_AUTO = 0, /**< where it can; else a copy, said once at log level 1 with the reason */
    CAB_INTEROP_ON,       /**< or fail with CAB_ERROR_UNSUPPORTED, which says why */
    CAB_INTEROP_OFF,      /**< never: the device is not asked */
    CAB_INTEROP_COUNT
} cab_interop;

/** The word: "auto", "on", "off". Static storage. "" for a number that is none. */
CAB_API const char *cab_interop_name(cab_interop interop);

typedef enum cab_gl_platform { CAB_GL_EGL = 0, CAB_GL_GLX } cab_gl_platform;

/** An OpenGL context, for cab_world_def.gl. All that is in it is copied; what it points to must live as long
 * as the world.
 *
 * The context, or one that shares with it, must be current in the thread that calls cab_world_create(),
 * cab_world_draw_into(), cab_world_forget_buffer() and cab_world_destroy(), and must not be destroyed before
 * the world is.
 */
typedef struct cab_gl {
    cab_interop interop;      /**< CAB_INTEROP_AUTO */
    cab_gl_platform platform; /**< of the two handles; CAB_GL_EGL */
    void *display;            /**< EGLDisplay, or Display * of X11 */
    void *context;            /**< EGLContext, or GLXContext */
    /** Waits until OpenGL is done with all that it was told, as glFinish(): called before a shared buffer is
     * written. NULL = the caller has seen to it. */
    void (*finish)(void *user);
    /** Puts `bytes` of `data` into the OpenGL buffer from its start, as glBufferSubData(): called where the
     * buffer is not shared. NULL = cab_world_draw_into() is CAB_ERROR_UNSUPPORTED there. */
    void (*upload)(void *user, unsigned buffer, size_t bytes, const void *data);
    void *user; /**< handed to both */
} cab_gl;

/** Draws into memory: one row per node, cables in scene order, then sheets, as cab_world_read().
 *
 * @param rows  [nodes][4] x, y, z in m, and the quantity
 * @return CAB_OK, CAB_ERROR_INPUT (no such quantity), CAB_ERROR_DEVICE, CAB_ERROR_MEMORY
 */
CAB_API cab_status cab_world_draw(cab_world *world, cab_quantity quantity, float *rows, cab_error *error);

/** Draws the same rows into an OpenGL buffer; returns when OpenGL may read it. On the device where
 * cab_world_shares_gl(), in this order: cab_gl.finish, acquire, the kernel, release, all waited for. Else by
 * cab_gl.upload. When sharing fails on the way, a world with CAB_INTEROP_AUTO copies from then on.
 *
 * @param buffer  name of a buffer that has storage for 16 bytes a node at least
 * @return CAB_OK; CAB_ERROR_INPUT (no such quantity, a world without cab_world_def.gl, a buffer that is too
 *         small); CAB_ERROR_UNSUPPORTED (not shared, and no cab_gl.upload); CAB_ERROR_DEVICE,
 *         CAB_ERROR_MEMORY. The buffer is OpenGL's again, whatever is returned.
 */
CAB_API cab_status cab_world_draw_into(cab_world *world, unsigned buffer, cab_quantity quantity,
                                       cab_error *error);

/** Is the drawing done on the device, without a copy? */
CAB_API bool cab_world_shares_gl(const cab_world *world);

/** To be called before an OpenGL buffer that was drawn into is deleted or given other storage: OpenCL holds
 * on to it by its name. cab_world_destroy() forgets all of them. A name that was never drawn into is allowed.
 */
CAB_API void cab_world_forget_buffer(cab_world *world, unsigned buffer);

#ifdef __cplusplus
}
#endif
#endif

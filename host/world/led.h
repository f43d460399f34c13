/* Bodies that are led: where they are over time, along keyframes or as the user says (model/led.h). */
#ifndef CAB_WORLD_LED_H
#define CAB_WORLD_LED_H

#include <clcable/world.h>

#include "world/parts.h"

cab_status cab_led_start(cab_world *world, cab_error *error);
/* The pose of a led body at a part (0 to 1) of the coming frame. body: in cab_model.rigid */
cab_pose cab_led_now(const cab_world *world, int body, double part);
/* Notes how they move in the last substep of the window. */
void cab_led_note(cab_world *world);
/* After the last substep of a frame: what the user moves has arrived. */
void cab_led_end_frame(cab_world *world);
void cab_led_end(cab_world *world);
/* How far a plug or a socket on a led body goes between two parts of the coming frame, m; the farthest. */
double cab_led_socket_way(const cab_world *world, double from, double to);
/* Does it ever move? */
bool cab_led_moves(const cab_world *world, int body);
/* Where it is and how it moves, after the last frame. */
void cab_led_read(const cab_world *world, int body, cab_body_reading *out);

#endif

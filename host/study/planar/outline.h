/* The outlines of planar bodies, and the way of a cable round them, as points: for pictures and outputs. */
#ifndef CAB_STUDY_PLANAR_OUTLINE_H
#define CAB_STUDY_PLANAR_OUTLINE_H

#include <clcable/particles.h>

#include "study/planar/planar.h"

/* Pieces of a rounded corner; points of a polygon's outline, at most. */
enum { CAB_OUTLINE_CORNER = 6, CAB_OUTLINE_POINTS = CAB_PLANAR_MAX_CORNERS * (CAB_OUTLINE_CORNER + 1) };

/* A body where it is now. */
typedef struct cab_placed_body {
    const cab_planar_body_def *def;
    cab_vec2 centre; /* of mass, from the body's position in its def, m: cab_planar_centre() */
    cab_vec2 at;     /* m; where that is now */
    double angle;    /* rad */
} cab_placed_body;

/* The centre of mass of a body that is where it was at the start, from its position in its def. */
cab_vec2 cab_planar_centre(const cab_planar_body_def *def, const cab_planar_body *at_start);

/* A vector, turned. */
cab_vec2 cab_planar_turned(cab_vec2 v, double angle);

/* A corner of a polygon; `corner` may be one too low or too high. */
cab_vec2 cab_planar_corner(const cab_placed_body *body, int corner);

/* The outline of a polygon, `around` m outside its corners, counterclockwise; the first point is not repeated.
 * Returns how many there are. */
int cab_planar_outline(const cab_placed_body *body, double around, cab_vec2 points[CAB_OUTLINE_POINTS]);

/* The way of a cable, `width` m from its middle to its surface, round a polygon from the tail of a joint to its head:
 * both, and the points of the outline between them. Returns how many there are. */
int cab_planar_wrap(const cab_placed_body *body, const cab_planar_joint *joint, cab_vec2 tail, cab_vec2 head,
                    double width, cab_vec2 points[CAB_OUTLINE_POINTS + 2]);

/* The same round a circle, about `middle`: the angle where it starts, what it turns by up to the head (0 to 2 pi, in
 * the direction of the joint's spin), and whether there are whole turns besides. */
typedef struct cab_planar_arc {
    double radius, start, turn;
    bool whole;
} cab_planar_arc;
cab_planar_arc cab_planar_wrap_circle(const cab_planar_joint *joint, cab_vec2 middle, cab_vec2 tail,
                                      cab_vec2 head);

#endif

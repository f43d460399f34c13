/* Moves a camera so that what moves stays in its picture: by as little as that takes at once, and softly to where it fits.
 * The same frames give the same camera, whatever the pictures were drawn of them. */
#ifndef CAB_FOLLOW_H
#define CAB_FOLLOW_H

#include "view/camera/framing.h"

typedef struct cab_follow {
    cab_framing last; /* what was to be seen at the last step */
    cab_framing seen; /* what was to be seen since the beginning, as far as the picture is still to show it */
} cab_follow;

/* Begins with what is to be seen now; a camera that is fitted to it does not move until something leaves the picture. */
void cab_follow_begin(cab_follow *follow, const cab_framing *now);

/* Lets `seconds` of the scene's time pass. What has left the picture since the last step is brought back into it at once, at the
 * place where it left; what was outside before, as after a pull, comes back softly. Softly, too, the camera goes to where it shows
 * all that was seen, as far as what is there now can be half as large as it would be alone, a third where both sides are wanted.
 * What flies away from the camera takes it along before it is smaller than that.
 *
 * @param now  what is to be seen, begun with this camera. When it was begun with another direction of view or for another form of
 *             the picture than before, following begins anew */
void cab_follow_step(cab_follow *follow, const cab_framing *now, double seconds, cab_camera *camera);

#endif

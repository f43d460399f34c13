/* Pictures for the report's page: the whole, and the worst findings from near by. In a build without the
 * viewer there are none. */
#ifndef CAB_REPORT_PICTURES_H
#define CAB_REPORT_PICTURES_H

#include "rules/assess.h"

enum { CAB_REPORT_PICTURES_MOST = 7 };

typedef struct cab_report_pictures {
    cab_assess_picture picture[CAB_REPORT_PICTURES_MOST];
    char caption[CAB_REPORT_PICTURES_MOST][1024];
    int count;
} cab_report_pictures;

/* Is it worth to run a scene twice for them? */
bool cab_report_pictures_are_built(void);

/* The whole, coloured by tension. */
cab_status cab_report_picture_whole(cab_report_pictures *pictures, const cab_scene *scene, cab_world *world,
                                    cab_error *error);
/* What a finding is about, in the world's frame. */
cab_status cab_report_picture_finding(cab_report_pictures *pictures, const cab_assessment *a,
                                      const cab_finding *f, cab_world *world, cab_error *error);
void cab_report_pictures_free(cab_report_pictures *pictures);

#endif

/* What a ray hits among solids. */
#include <math.h>

#include <cglm/cglm.h>

#include "base/vec3.h"
#include "view/draw/solids.h"
#include "view/shapes/pick.h"

/* The ray in the solid's own coordinates, which are turned and moved. */
static void into(const cab_solid *solid, const vec3 origin, const vec3 direction, cab_vec3 *from,
                 cab_vec3 *way)
{
    vec3 off;
    glm_vec3_sub((float *)origin, (float *)solid->place[3], off);
    *from =
        (cab_vec3){glm_vec3_dot((float *)solid->place[0], off), glm_vec3_dot((float *)solid->place[1], off),
                   glm_vec3_dot((float *)solid->place[2], off)};
    *way = (cab_vec3){glm_vec3_dot((float *)solid->place[0], (float *)direction),
                      glm_vec3_dot((float *)solid->place[1], (float *)direction),
                      glm_vec3_dot((float *)solid->place[2], (float *)direction)};
}

/* Does the ray come into the solid's box? */
static bool meets(const cab_bounds *box, cab_vec3 from, cab_vec3 way)
{
    const double origin[3] = {from.x, from.y, from.z}, direction[3] = {way.x, way.y, way.z};
    double enter = 0, leave = INFINITY;
    for (int k = 0; k < 3; k++) {
        double lo = ((double)box->lo[k] - origin[k]) / direction[k],
               hi = ((double)box->hi[k] - origin[k]) / direction[k];
        if (direction[k] == 0) {
            if (origin[k] < (double)box->lo[k] || origin[k] > (double)box->hi[k]) return false;
            continue;
        }
        enter = fmax(enter, fmin(lo, hi));
        leave = fmin(leave, fmax(lo, hi));
    }
    return enter <= leave;
}

static void try_solid(const cab_solids *s, const cab_solid *solid, const vec3 origin, const vec3 direction,
                      double *nearest, cab_solid_hit *hit)
{
    cab_vec3 from, way;
    into(solid, origin, direction, &from, &way);
    if (!meets(&solid->local, from, way)) return;
    for (int i = solid->first; i < solid->first + solid->count; i += 3) {
        cab_vec3 corner[3];
        double share[3];
        for (int k = 0; k < 3; k++)
            corner[k] = cab_vec3_from_floats(s->surface.vertices[s->surface.indices[i + k]].place);
        double distance = cab_pick_triangle(from, way, corner, share);
        if (!(distance < *nearest)) continue;
        *nearest = distance;
        hit->solid = solid;
        cab_vec3_to_floats(cab_vec3_add_scaled(from, distance, way), hit->at);
    }
}

cab_solid_hit cab_solids_pick(const cab_solids *s, const vec3 origin, const vec3 direction)
{
    cab_solid_hit hit = {0};
    double nearest = INFINITY;
    for (int i = 0; i < s->solid_count; i++) try_solid(s, &s->solids[i], origin, direction, &nearest, &hit);
    hit.distance = (float)nearest;
    if (hit.solid) glm_mat4_mulv3((vec4 *)hit.solid->place, hit.at, 1, hit.point);
    return hit;
}

bool cab_solids_place(const cab_solids *s, int body, const vec3 at, vec3 point)
{
    for (int i = 0; i < s->solid_count; i++) {
        if (s->solids[i].body != body) continue;
        glm_mat4_mulv3((vec4 *)s->solids[i].place, (float *)at, 1, point);
        return true;
    }
    return false;
}

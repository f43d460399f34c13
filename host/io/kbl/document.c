/* The pieces of the document that a harness becomes: materials, cables, joints, and the numbers in them. */
#include "io/kbl/kbl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DAMPING 1.0 /* 1/s; of all materials */

static json_t *own(cab_kbl_scene *scene, json_t *value)
{
    if (!value) scene->kbl->lost = true;
    return value;
}

void cab_kbl_append(cab_kbl_scene *scene, json_t *list, json_t *value)
{
    if (json_array_append_new(list, own(scene, value)) != 0) scene->kbl->lost = true;
}

void cab_kbl_set(cab_kbl_scene *scene, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, own(scene, value)) != 0) scene->kbl->lost = true;
}

json_t *cab_kbl_number(double value)
{
    int power = value != 0 ? 5 - (int)floor(log10(fabs(value))) : 0;
    if (power > 0 && power < 23) value = nearbyint(value * pow(10, power)) / pow(10, power);
    return json_real(value);
}

json_t *cab_kbl_path(const cab_vec3 *path, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count && list; i++) {
        json_t *point = json_pack("[f,f,f]", path[i].x, path[i].y, path[i].z);
        if (json_array_append_new(list, point) == 0) continue;
        json_decref(list);
        list = NULL;
    }
    return list;
}

json_t *cab_kbl_direction(cab_vec3 unit)
{
    return json_pack("[f,f,f]", nearbyint(unit.x * 1e6) / 1e6, nearbyint(unit.y * 1e6) / 1e6,
                     nearbyint(unit.z * 1e6) / 1e6);
}

/* A material's name that there is not yet: the cores of a cable may be of one part, and differ. */
static const char *unused_name(cab_kbl_scene *scene, const char *name)
{
    size_t room = strlen(name) + 16;
    char *other = NULL;
    for (int k = 2; json_object_get(scene->materials, other ? other : name); k++) {
        if (!other) other = cab_kbl_new(scene->kbl, room, 1);
        if (!other) return name;
        snprintf(other, room, "%s %d", name, k);
    }
    return other ? other : name;
}

const char *cab_kbl_material(cab_kbl_scene *scene, const char *name, const cab_kbl_properties *values)
{
    json_t *material =
        json_pack("{s:o,s:o,s:o,s:f}", "radius", cab_kbl_number(values->radius), "linear_density",
                  cab_kbl_number(values->linear_density), "bending_stiffness",
                  cab_kbl_number(values->bending_stiffness), "damping", DAMPING);
    if (material && values->min_bend_radius > 0)
        cab_kbl_set(scene, material, "min_bend_radius", cab_kbl_number(values->min_bend_radius));
    if (material && values->stretching_stiffness > 0)
        cab_kbl_set(scene, material, "stretching_stiffness", cab_kbl_number(values->stretching_stiffness));
    const char *key;
    json_t *other;
    json_object_foreach(scene->materials, key, other)
    {
        if (!json_equal(material, other)) continue;
        json_decref(material);
        return key;
    }
    name = unused_name(scene, name);
    cab_kbl_set(scene, scene->materials, name, material);
    return name;
}

/* Has each place a particle of its own, at least `apart` from the last one, the ends included? */
static bool have_particles(int segments, const double *places, int count, int apart)
{
    int before = 0;
    for (int i = 0; i < count; i++) {
        int particle = (int)fmax(1, ceil(places[i] * segments - 0.5));
        if (particle < before + apart || particle + apart > segments) return false;
        before = particle;
    }
    return true;
}

/* Between two holds there is a free particle: without one, a segment would lie straight where the cable
 * bends, and too short. Where that would make segments shorter than a quarter of what was asked for, there
 * may be none. */
static int segments_of(const cab_kbl_scene *scene, double length, const double *places, int count)
{
    double resolution = scene->options->resolution;
    int least = (int)fmax(2, ceil(length / resolution - 1e-9)), segments = least;
    while (segments < 4 * least && !have_particles(segments, places, count, 2)) segments++;
    if (have_particles(segments, places, count, 2)) return segments;
    int most = (int)fmax(4 * least, ceil(2 * length / CAB_KBL_APART));
    for (segments = least; segments < most && !have_particles(segments, places, count, 1);) segments++;
    return segments;
}

/* The names of the parts of these wires, each once. */
static json_t *list_parts(cab_kbl_scene *scene, const int *wires, int count)
{
    json_t *list = json_array(), *seen = json_object();
    for (int i = 0; i < count && list && seen; i++) {
        const char *part = scene->kbl->wires[wires[i]].part;
        if (!*part || json_object_get(seen, part)) continue;
        if (json_object_set_new(seen, part, json_true()) != 0) scene->kbl->lost = true;
        cab_kbl_append(scene, list, json_string(part));
    }
    if (!seen) scene->kbl->lost = true;
    json_decref(seen);
    return own(scene, list);
}

int cab_kbl_add_cable(cab_kbl_scene *scene, const char *name, const char *material, const cab_vec3 *path,
                      int path_count, double length, const double *places, int place_count, const int *wires,
                      int wire_count)
{
    int segments = segments_of(scene, length, places, place_count);
    json_t *cable = json_pack("{s:s,s:s,s:o,s:i,s:f}", "name", name, "material", material, "path",
                              own(scene, cab_kbl_path(path, path_count)), "segments", segments, "length",
                              nearbyint(length * 1e6) / 1e6);
    json_t *parts = list_parts(scene, wires, wire_count);
    if (cable && json_array_size(parts))
        cab_kbl_set(scene, cable, "parts", parts);
    else
        json_decref(parts);
    cab_kbl_append(scene, scene->cables, cable);
    return segments;
}

void cab_kbl_join(cab_kbl_scene *scene, const char *cable, json_t *at, json_t *to, bool clamp)
{
    json_t *attachment =
        json_pack("{s:s,s:o,s:o}", "cable", cable, "at", own(scene, at), "to", own(scene, to));
    if (attachment && clamp) cab_kbl_set(scene, attachment, "clamp", json_true());
    cab_kbl_append(scene, scene->attachments, attachment);
}

/* A throw that is being made: its random numbers, its scene, and what is put into that. */
#ifndef CAB_TESTS_MAKER_H
#define CAB_TESTS_MAKER_H

#include "throws.h"

typedef struct maker {
    uint64_t random;
    cab_scene *scene;
    cab_error error;
    bool failed;
    double radius, length, speed; /* of what is thrown, m and m/s */
    int segments;
} maker;

double uniform(maker *m, double low, double high);
/* From low to high, each doubling as likely as the next. */
double doubling(maker *m, double low, double high);

void add_material(maker *m, const char *name, double radius);
void add_cable(maker *m, const char *name, const char *material, const cab_vec3 *path, int count,
               int segments, double length, cab_vec3 velocity);
/* Holds an end, or leads it. */
void hold(maker *m, const char *cable, bool end, const cab_keyframe *keyframes, int count);
/* A straight cable whose lowest point is `height` above z = 0, over or beside the origin, thrown down; `speed` 0: at rest. */
void throw_down(maker *m, double height, double speed);

void add_collider(maker *m, const cab_collider_def *def);
/* Along y, 1.6 m long. */
void add_capsule(maker *m, double radius, const cab_pose_keyframe *keyframes, int count);
void add_sphere(maker *m, double radius, const cab_pose_keyframe *keyframes, int count);
void add_box(maker *m, cab_vec3 half, bool mesh, const cab_pose_keyframe *keyframes, int count);

/* The kinds from THROW_CORNER on. */
void throw_make_more(maker *m, throw_kind kind, throw_case *out);

#endif

/* A static problem: the particles of a model, and what acts on them at rest. Everything acts on a place that is a weighted sum of particles:
 * the vector along a segment, the curvature at a node, the gap between two segments. So a constraint says only with what force and what
 * stiffness, and one loop brings all of them into one matrix. */
#ifndef CAB_STATICS_PARTS_H
#define CAB_STATICS_PARTS_H

#include <stdint.h>

#include "base/vec3.h"
#include "model/blocks.h"
#include "model/model.h"
#include "statics/statics.h"

/* D = sum of weight[i] x[particle[i]]. */
typedef struct cab_point {
    int particle[4];
    double weight[4];
    int count;
} cab_point;

/* What acts on D now. */
typedef struct cab_term {
    cab_point at;
    cab_vec3 force;     /* N; what the constraint will be like after a step of no length */
    cab_vec3 resting;   /* N; what it is with the multipliers that are known: what the residual is made of */
    cab_mat3 stiffness; /* N/m, symmetric, never negative, */
    cab_mat3 loss;      /* and the part of it that is: what is pressed gives way to the side */
    /* What makes two segments that meet turn each other, beside all that is above: E = D . (turns x C), J, with C = sum of second[i] x[particle[i]]. It
     * may be negative, too. */
    double second[4];
    cab_vec3 turns;
    bool twists;  /* it is of a run that resists twisting */
    int touch;    /* of a contact: its index, */
    bool presses; /* whether it is taken to press after the step, */
    bool slides;  /* and to slide in it */
} cab_term;

/* A length: a segment, a double distance, a tie. */
typedef struct cab_rest_length {
    int a, b;
    double rest;       /* m */
    double compliance; /* m/N, 0 = rigid */
    double softness;   /* m/N; with which a multiplier is sought, 0 = the compliance itself will do */
    cab_length_kind kind;
    double known; /* N; of what only pulls, or only pushes: the multiplier that it has learnt, */
    double pull;  /* and what it bears now, positive where it is pulled; of others their multiplier */
    int distance; /* of the model; -1 = it is a tie */
} cab_rest_length;

/* Places that a spring pulls at a particle to. */
typedef struct cab_rest_spring {
    int particle, attachment;
    double stiffness; /* N/m */
    cab_vec3 to;      /* m */
    double slid;      /* clip: how far its place has slid along the axis, m, */
    double slip;      /* and did so when it last slid */
    double brake;     /* of its stiffness, against sliding in a step */
} cab_rest_spring;

/* A contact of two segments, or of a segment with a collider. */
typedef struct cab_rest_touch {
    int segment, other; /* other: a segment, or -1 - surface */
    int place; /* on a surface: 0 and 1 an end of the segment, 2 between them; of two segments: 0 and 1 an end of the first, 2 and 3
                           of the other, 4 where they cross */
    cab_point at; /* from the first to the second, or from the surface to the segment */
    cab_vec3 normal;
    cab_vec3 along;    /* of the segment that it is inside of, where the other has its end there; else 0 */
    double radii, gap; /* m */
    double friction;   /* Coulomb's coefficient */
    double known;      /* N, its multiplier, */
    double press;      /* and its force now */
    cab_vec3 drag;     /* N, friction on the second */
    double brake;      /* of its stiffness, against sliding in a step, */
    cab_vec3 slip;     /* and how it slid in the last one, m; 0 = it held */
    bool slides;       /* friction could not hold it in the last step */
    bool near;         /* it is in the matrix */
} cab_rest_touch;

/* A run that resists twisting; its angle is in cab_statics.turned. */
typedef struct cab_rest_twist {
    cab_vec3 *way; /* [segments] rad/m, what the angle changes by with the vector along each */
    double moment; /* N m */
} cab_rest_twist;

/* Two segments that could come to touch before contacts are looked for again. */
typedef struct cab_rest_pair {
    int a, b;
    double radii, gap; /* m */
    int touch;         /* its first contact, CAB_PAIR_PLACES of them; -1 = it has never been near enough */
} cab_rest_pair;
#define CAB_PAIR_PLACES 5

/* Particles that hang together by what acts on them; each island is a problem of its own. */
typedef struct cab_island {
    int first_particle, particle_count; /* in island_particle */
    int first_term, term_count;         /* in island_term, */
    int steady_count;                   /* of which so many come first that are no contacts */
    int lowest;                         /* its first particle */
    uint64_t
        signature; /* of its particles and contacts: with the same, all below goes on when islands are made anew */
    cab_blocks *matrix;
    cab_row_pair *pairs;      /* of its terms, six each at most */
    cab_vec3 *move;           /* [particles] m, the step */
    bool twists;              /* some of it resists twisting */
    double residual, overlap; /* N, m; the largest and the deepest */
    int worst;                /* particle with that residual */
    bool at_rest;
    bool stable;     /* its last step was made with all stiffness there is, and that was positive definite */
    int nudges;      /* so often it was balanced and not stable, */
    int short_steps; /* so many were too short to tell whether it is stable, */
    int waits;       /* and so many steps are left to see where it goes from there */
    bool whole;      /* its last step was a whole one */
    double share;    /* of the step that is taken */
    double moved;    /* m, at most, in that */
} cab_island;

struct cab_statics {
    const cab_model *model;
    cab_statics_setup setup;
    int count;        /* particles */
    cab_vec3 *x;      /* [count] m */
    double *slid;     /* [attachments] clips: how far their places have slid, m */
    double *turned;   /* [runs] see cab_rest_shape */
    bool *free;       /* [count] */
    cab_vec3 *weight; /* [count] N, gravity and loads */
    double *step;     /* [count] s, */
    double *longest;  /* and what it may become */
    double reach;     /* m, the longest step */
    double hard;      /* N/m, stiffness with which multipliers are sought, */
    double
        gentle; /* and of what only pushes or only pulls: with a hard one it goes to and fro between both */

    cab_rest_length *length;
    int length_count;
    cab_rest_spring *spring;
    int spring_count;
    cab_rest_twist *twist;
    int twist_count;
    cab_vec3 *twist_way; /* of all of them */
    cab_rest_touch *touch;
    int touch_count, touch_room;
    cab_rest_pair *pair;
    int pair_count, pair_room;
    const bool *slips; /* NULL, or [count] it has no friction with other cables */
    struct cab_touch_search *search;
    bool fine; /* what touches is at rest with less than it must be */
    double since,
        last; /* m that anything has moved at most since contacts were looked for, and in the last step */

    cab_term *term; /* lengths, bendings, springs, then contacts that take part */
    int term_count, term_room;
    int steady; /* terms but those of contacts */

    cab_island *island;
    int island_count;
    int *island_of, *local; /* [count] its island, its row there; -1 */
    int *island_particle, *island_term;
    cab_vec3 *went; /* [count] m, its last step as it was meant */
};

/* lengths.c, bends.c, springs.c, twists.c: makes the constraints of a kind; puts what they do at present places into the terms from `term` on,
 * and returns the one after the last; follows a step of which `share` was taken. */
cab_status cab_statics_add_lengths(cab_statics *s, cab_error *error);
cab_term *cab_lengths_act(const cab_statics *s, cab_term *term);
void cab_lengths_follow(cab_statics *s, int index, cab_vec3 along, double share);
/* *met: of an island, which is balanced, all that only pulls or only pushes is as long as it may be. Else it takes its forces as
 * multipliers. */
void cab_lengths_learn(const cab_statics *s, const cab_island *own, bool *met);
/* Fills what the model's distances bear, N; what is held at both ends bears nothing. */
void cab_lengths_tell(const cab_statics *s, double *tension);
cab_term *cab_bends_act(const cab_statics *s, cab_term *term);
/* N/m; clamps of cables without bending stiffness left aside. */
double cab_bends_hardest(const cab_statics *s);
cab_status cab_statics_add_springs(cab_statics *s, cab_error *error);
cab_term *cab_springs_act(const cab_statics *s, cab_term *term);
void cab_springs_slide(cab_statics *s);

/* couples.c: forces that turn with their segments, a term for each. */
int cab_couples_count(const cab_statics *s);
cab_term *cab_couples_act(const cab_statics *s, cab_term *term);

/* twists.c */
cab_status cab_statics_add_twists(cab_statics *s, cab_error *error);
int cab_twists_count(const cab_statics *s);
/* Goes on with their angles, too. */
cab_term *cab_twists_act(const cab_statics *s, cab_term *term);
/* Cuts the steps of islands so that no angle changes by so much that turns could be lost. */
void cab_twists_limit(const cab_statics *s);
/* What they pull the second particle of each link by, and the first the other way, N. */
void cab_twists_tell(const cab_statics *s, cab_vec3 *pull);
void cab_twists_free(cab_statics *s);

/* touch.c */
/* N/m, stiffness of contacts. */
double cab_touch_hardness(const cab_statics *s);
cab_status cab_touch_start(cab_statics *s, cab_error *error);
void cab_touch_end(cab_statics *s);
/* Looks for contacts where anything has moved far enough, and measures all. *changed: other ones than before are near. */
cab_status cab_touch_find(cab_statics *s, bool *changed, cab_error *error);
cab_term *cab_touch_act(const cab_statics *s, cab_term *term);
/* Is there friction between cables in what is not at rest? */
bool cab_touch_jams(const cab_statics *s);
/* Cuts the steps of islands so that nothing passes through anything. */
void cab_touch_limit(const cab_statics *s);
void cab_touch_follow(cab_statics *s, int index, cab_vec3 way);
/* Takes a contact to press after a step and to slide in it, or not, by how its place goes. Returns whether that is another thing than its
 * term says. */
bool cab_touch_correct(const cab_statics *s, cab_term *term, cab_vec3 way);
/* *settled: no overlap of an island, which is balanced, is deeper than may be left. Else its contacts take their forces as multipliers.
 * Returns the deepest overlap, m. */
double cab_touch_learn(cab_statics *s, const cab_island *own, bool *settled);

/* islands.c */
cab_status cab_islands_make(cab_statics *s, cab_error *error);
void cab_islands_free(cab_statics *s);

static inline cab_mat3 cab_mat3_along(cab_vec3 u, double along, double across)
{
    const double d[3] = {u.x, u.y, u.z};
    cab_mat3 a;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a.m[i][j] = (along - across) * d[i] * d[j] + (i == j ? across : 0);
    return a;
}

/* a += w b */
static inline void cab_mat3_add(cab_mat3 *a, double w, const cab_mat3 *b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a->m[i][j] += w * b->m[i][j];
}

static inline cab_vec3 cab_point_of(const cab_point *at, const cab_vec3 *x)
{
    cab_vec3 d = {0, 0, 0};
    for (int i = 0; i < at->count; i++) d = cab_vec3_add_scaled(d, at->weight[i], x[at->particle[i]]);
    return d;
}

#endif

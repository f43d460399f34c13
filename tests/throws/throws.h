/* Random throws of cables at what stands, moves or hangs in their way, judged substep by substep: does anything pass through? */
#ifndef CAB_TESTS_THROWS_H
#define CAB_TESTS_THROWS_H

#include <stdbool.h>
#include <stdint.h>

#include <clcable/clcable.h>

/* What a cable is thrown at, or how it is moved. */
typedef enum throw_kind {
    THROW_PLANE,
    THROW_CAPSULE,
    THROW_SPHERE,
    THROW_BOX,
    THROW_MESH,           /* a watertight box of triangles */
    THROW_MOVING_CAPSULE, /* the cable rests and is hit */
    THROW_MOVING_SPHERE,
    THROW_TURNING_BOX, /* a thin plate that comes and turns */
    THROW_TAUT,        /* at a cable that is held at both ends */
    THROW_SLACK,       /* the same, 2 % longer than the way between its ends */
    THROW_MEETING,     /* two loose cables at each other */
    THROW_WHIP,        /* held at one end, the rest is thrown around a bar */
    THROW_PULLED,      /* both ends are led across a bar by keyframes */
    THROW_DRAGGED,     /* a hand drags a node across a bar */
    THROW_SELF,        /* a hairpin whose legs are thrown through each other */
    THROW_CORNER,      /* at the edges and corners of a box that is turned any way */
    THROW_SPINNING,    /* a bar or a box turns fast into a cable that rests */
    THROW_SHELL,       /* at a crumpled surface of triangles, which has no inside; it may come */
    THROW_LED,         /* a cable whose ends are led hits one that is held */
    THROW_GAP,         /* drawn along through the gap between two bars */
    THROW_SQUEEZED,    /* between a box and a bar that closes on it, and then moves across */
    THROW_TANGLE,      /* five cables at each other */
    THROW_KINDS
} throw_kind;

extern const char *const throw_names[THROW_KINDS];

typedef struct throw_options {
    cab_method method;
    int substeps; /* of a frame of 1/60 s; each is a frame of its own here, so that it can be looked at; 0: as a scene has it */
    int max_pieces; /* that each may be cut into */
    bool wide;      /* sizes, speeds and numbers of segments that are unusual */
    bool
        whole; /* frames of as many substeps, as they are for users; what happens in lanes is looked at once a frame */
    bool trace; /* a line for each frame */
    const char *device;
} throw_options;

typedef struct throw_case {
    cab_scene *scene;
    int pulled;                  /* node that a hand drags; -1 = none */
    cab_vec3 pull_from, pull_to; /* m */
    double duration;             /* s */
} throw_case;

/* The throw that `seed` makes, always the same. Free the scene. False: it could not be made, a line was printed. */
bool throw_make(throw_kind kind, uint64_t seed, const throw_options *options, throw_case *out);

/* The throw of a scene file; a line was printed where it has an error. */
bool throw_load(const char *path, throw_case *out);
/* How it is to be stepped. */
void throw_settle(const throw_case *thrown, const throw_options *options);

/* What became of one. */
typedef struct throw_result {
    bool through, diverged;
    double stretch; /* worst, as a share */
    double overlap; /* worst, as a share of the thrown cable's radius */
    int pieces;     /* substeps, those cut into pieces counted by piece */
    char what[160]; /* of a failure: when and which */
} throw_result;

bool throw_run(const throw_case *thrown, const throw_options *options, throw_result *result);

/* The first time (0 to 1) at which two segments meet whose ends move on straight lines; 2 = they do not. from, to: [4], two ends of
 * each. They meet when their ends lie in a plane, a cubic in time, and the segments cross in it then. */
double throw_meet(const cab_vec3 from[4], const cab_vec3 to[4]);

#endif

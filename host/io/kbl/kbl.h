/* Wire harnesses as KBL (Harness Description List, VDA 4964; XML) and how they become scenes. docs/harness.md
 * tells the rules. One direction: XML text, cab_kbl (read.c), shapes and bundles, a scene's document. */
#ifndef CAB_KBL_KBL_H
#define CAB_KBL_KBL_H

#include <stdbool.h>
#include <stddef.h>

#include <clcable/scene.h>
#include <jansson.h>

/* What --set /kbl/KEY=VALUE says. */
typedef struct cab_kbl_options {
    bool wires;              /* a cable per wire instead of per segment; false */
    double resolution;       /* m of a cable's segments, 1e-4 to 10; 0.02 */
    double length_tolerance; /* share by which a curve may miss its segment's length, 0 to 1; 0.005 */
    double gap;              /* m by which a curve may miss its nodes, 0 to 1; 0.001 */
    /* of fixings and connectors, which KBL does not tell; NAN = not given: as the scene has it by default */
    double play, friction, grip, holding_force; /* of clips: m, 1, N, N */
    double pull_out_force;                      /* of connectors, N */
    double tie_distance; /* m between rings round the wires of a bundle, 0 to 100; 0 = none; 0.1 */
    /* ends at which nothing is known to hold them hang free; false: they are held as drawn; true */
    bool loose_ends_free;
    /* arrays of texts, NULL = none: nodes, by id or by the name of a connector or fixing there, and fixings, that are held or are not,
     * whatever the file says; belong to the options */
    json_t *hold, *free;
    /* measured ones by name: EI, N m^2, or [EI, EA], N; NULL = none. Belongs to the options; measured.c */
    json_t *stiffness;
    /* how far parts stick to one another, 0 (they slip) to 1 (as one rod): a number for all, or an object of them by kind, part or bundle;
     * NULL = 0. Belongs to the options; properties.c */
    json_t *bond;
    /* what tapes and tubes measure and are made of: objects by kind or part; NULL = none. Belongs to the options; properties.c */
    json_t *protection;
    /* array of texts: files of meshes around it, as seen from its folder; NULL = none. Belongs to the options */
    json_t *body;
    double body_scale; /* m in a unit of their coordinates, 1e-6 to 1e6; 1 */
} cab_kbl_options;

/* A centre curve: a uniform B-spline, all weights 1. */
typedef struct cab_kbl_curve {
    int degree; /* 1 to CAB_KBL_DEGREE_MAX */
    cab_vec3 *points;
    int count; /* more than `degree` */
} cab_kbl_curve;

#define CAB_KBL_DEGREE_MAX 30

typedef struct cab_kbl_node {
    const char *id;
    cab_vec3 place;        /* m */
    bool placed;           /* has a place */
    bool plugged;          /* a connector, a terminal or a box is here */
    const char *connector; /* its name; NULL = none */
    double mass;           /* of the connector, kg; 0 = missing */
    const char *fixing;    /* that of a fixing here; NULL = none */
    int line;              /* in the file */
    int degree;            /* segments that end here */
    bool held;             /* what ends here is held, in direction, too; held.c */
    int wire_ends;         /* wires that begin or end here; wires.c */
} cab_kbl_node;

/* A frame of the cross-section that goes along a segment without turning about it. */
typedef struct cab_kbl_frame {
    cab_vec3 along, x, y; /* unit vectors */
} cab_kbl_frame;

/* Where a wire lies in a cross-section, counted from its centre along the frame's x and y, m. */
typedef struct cab_kbl_disc {
    double x, y, radius;
} cab_kbl_disc;

/* Bending stiffness, N m^2, or stretching stiffness, N: while parts slip on one another, while they are one rod, and in between, by the
 * bond, which is what a simulation takes. */
typedef struct cab_kbl_stiffness {
    double sliding, bonded, taken;
} cab_kbl_stiffness;

/* What some parts of a bundle give to its stiffness: wires of one part, a tape, a tube; where they lie. */
typedef struct cab_kbl_row {
    const char *name; /* the part; "" = none */
    const char *kind; /* "wire", or a word of cab_kbl_kind_word() */
    int count;
    double from, to; /* fractions of the segment */
    cab_kbl_stiffness bending, stretching;
} cab_kbl_row;

/* Wires of which nothing is known but that they are there: how many, each one's EI in N m^2 and EA in N. */
typedef struct cab_kbl_usual {
    double count, bending, stretching;
} cab_kbl_usual;

typedef struct cab_kbl_segment {
    const char *id;
    const char *name;      /* what people call it; "" = none */
    int line;              /* in the file */
    int start, end;        /* nodes; -1 = no such node */
    double length;         /* Virtual_length, m; 0 = missing */
    cab_vec3 direction[2]; /* Start_vector, End_vector: unit vectors towards the end; 0 = missing */
    cab_kbl_curve *curves; /* one after the other */
    int curve_count;
    double area; /* of the cross-section, m^2; 0 = missing */
    int *wires;  /* through it, in the order of the file */
    int wire_count;
    struct cab_kbl_cover *covers; /* on it, in the order of the file: each lies over those before it */
    int cover_count;
    /* shape.c */
    cab_vec3 *path; /* from node to node; NULL = it has none and is left out */
    int path_count;
    double path_length, rest_length; /* m */
    /* pack.c and bundle.c */
    cab_kbl_frame *frames;                          /* [path_count] */
    cab_kbl_disc *discs;                            /* [wire_count] */
    double radius, linear_density, min_bend_radius; /* m, with tapes and tubes; kg/m; m */
    cab_kbl_stiffness bending, stretching;          /* of the whole */
    bool stretches;                                 /* its EA was measured */
    cab_kbl_usual usual;                            /* where no wire is routed through it */
    cab_kbl_row *rows;                              /* what gives how much; made_of.c */
    int row_count;
} cab_kbl_segment;

typedef struct cab_kbl_wire {
    const char *id;   /* of the wire's or core's occurrence */
    const char *part; /* its part number where that tells the part, else part_id; part_names.c. "" = none */
    const char *part_id, *number; /* id of the General_wire or Core, its Part_number; "" = none */
    int line;
    double diameter, area, mass, bend_radius; /* m, m^2 of conductor, kg/m, m; 0 = missing */
    double bending_stiffness;                 /* N m^2; bundle.c */
    double stretching_stiffness;              /* N; bundle.c */
    double length;                            /* Length_information, m; 0 = missing */
    int *route;                               /* segments from one end to the other */
    int route_count;
} cab_kbl_wire;

typedef struct cab_kbl_fixing {
    const char *id;   /* of the occurrence; several assignments may share it */
    const char *name; /* what people call it: its Id, else its id */
    int line, segment;
    double location; /* fraction of the segment, 0 to 1 */
    cab_vec3 place;  /* of its Placement, m */
    bool placed;
    bool let_go; /* as the user says; held.c */
} cab_kbl_fixing;

typedef enum cab_kbl_cover_kind {
    CAB_KBL_COVER_OTHER, /* of which only the mass counts */
    CAB_KBL_TAPE,
    CAB_KBL_CORRUGATED,
    CAB_KBL_TUBE,
    CAB_KBL_COVER_KINDS
} cab_kbl_cover_kind;

/* A tape or tube on a piece of a segment. */
typedef struct cab_kbl_cover {
    const char *id, *part_id,
        *number;         /* what the occurrence is called; id of the part; its part number; "" = none */
    const char *element; /* the occurrence's own id in the file; "" = none */
    const char *text;    /* its description; "" = none */
    int line, segment;
    double from, to; /* fractions of the segment, 0 <= from <= to <= 1 */
    double mass;     /* kg/m; 0 = missing */
    cab_kbl_cover_kind kind;
    double inner, outer; /* diameters of a tube as made, m; 0 = missing */
    int same;         /* index of the first that is of the same part; its own where the part has no number */
    double thickness; /* of a tape's layers, of a tube's wall, of a corrugated tube's sheet, m; 0 = missing */
} cab_kbl_cover;

/* What it is made of; contents.h. */
typedef struct cab_kbl_contents cab_kbl_contents;

/* Memory that is freed in one piece. */
typedef struct cab_kbl_block cab_kbl_block;

/* A harness. All that hangs on it lives as long as it does. */
typedef struct cab_kbl {
    const char *file; /* for messages */
    cab_kbl_node *nodes;
    cab_kbl_segment *segments;
    cab_kbl_wire *wires;
    cab_kbl_fixing *fixings;
    cab_kbl_cover *covers; /* by segment */
    int node_count, segment_count, wire_count, fixing_count, cover_count;
    json_t *notes; /* texts: what was missing or contradictory, and what was assumed */
    int scene_notes; /* how many of them a scene has, too; those behind them tell of contents and of what was written */
    cab_kbl_contents *contents; /* filled where it is not NULL */
    cab_kbl_block *memory;      /* blocks, the last one first */
    bool vec;                   /* it was read from VEC */
    bool lost;                  /* there was no memory: whatever was made is useless */
} cab_kbl;

/* Zeroed memory of the harness; NULL, and `lost`, when there is none. A count of 0 gives a valid pointer. */
void *cab_kbl_new(cab_kbl *kbl, size_t count, size_t size);
/* Room for one more element in an array of the harness that is grown by this alone: it has room for a power of two. The array, where it
 * lies now; NULL, and `lost`, when there is no memory. */
void *cab_kbl_one_more(cab_kbl *kbl, void *array, int count, size_t size);
void cab_kbl_free(cab_kbl *kbl);

/* Notes "FILE: line N: ID: ...". Line 0 is left out. */
void cab_kbl_note(cab_kbl *kbl, int line, const char *id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* xml.c and read.c: refuses what is no KBL 2.3 to 2.5, and any document type, with it all entities. */
cab_status cab_kbl_read(cab_kbl *kbl, const char *text, size_t size, cab_error *error);

/* shape.c: paths and lengths of all segments. A zero-length segment makes its two nodes one. */
void cab_kbl_shape(cab_kbl *kbl, const cab_kbl_options *options);

/* Those of the points that are needed so that none of the others is further than 0.02 mm off the straight
 * lines between them (Douglas and Peucker, 1973). */
cab_vec3 *cab_kbl_simplify(cab_kbl *kbl, const cab_vec3 *points, int count, int *kept);
/* Rounds a path to micrometres, in place, and takes out what becomes equal; how many points are left. */
int cab_kbl_round(cab_vec3 *path, int count);
double cab_kbl_length_of(const cab_vec3 *path, int count);

/* fixings.c: where a segment is drawn at a fraction of it, m. */
cab_vec3 cab_kbl_place_of(const cab_kbl_segment *segment, double location);

/* fixings.c: after shapes. Leaves those that hold a place inside a segment, by segment and location; what is
 * at an end holds the node. */
void cab_kbl_fix(cab_kbl *kbl);

/* held.c: after fixings. Which nodes and fixings hold, with a note for each that no connector or fixing explains.
 * @return CAB_OK; CAB_ERROR_INPUT: /kbl/hold or /kbl/free names what is not there */
cab_status cab_kbl_choose_held(cab_kbl *kbl, const cab_kbl_options *options, cab_error *error);

/* Where `value` is in a list; -1 = nowhere. */
static inline int cab_kbl_index(const int *list, int count, int value)
{
    for (int i = 0; i < count; i++)
        if (list[i] == value) return i;
    return -1;
}

/* measured.c: CAB_ERROR_INPUT: a name that is nobody's in one of the tables by name. */
cab_status cab_kbl_check_names(const cab_kbl *kbl, const cab_kbl_options *options, cab_error *error);
/* True: there is one of these names, of which the first that is known counts; *bending, and *stretching where it is told, are it. */
bool cab_kbl_measured(const json_t *measured, const char *const *names, int count, double *bending,
                      double *stretching);

/* covers.c: what kind of protection it is, by its type (as files name it) and its description. */
cab_kbl_cover_kind cab_kbl_kind_of(const char *type, const char *text);
/* "tape", "corrugated_tube", "tube", "other" */
const char *cab_kbl_kind_word(cab_kbl_cover_kind kind);
/* A length in a text, m, behind one of these words (NULL behind the last) and "=" or ":", in millimetres: "D(i)=8.3". 0 = none. */
double cab_kbl_length_in(const char *text, const char *const *words);
/* Diameters and thickness in its parameter or, where that has none, its description. */
void cab_kbl_read_sizes(cab_kbl *kbl, cab_kbl_cover *cover, const char *parameter);
/* Those that make no tube are taken away, with a note. */
void cab_kbl_check_diameters(cab_kbl *kbl, cab_kbl_cover *cover);
/* By segment, each segment's in the order in which they were added, and into the segments. */
void cab_kbl_sort_covers(cab_kbl *kbl);
/* What its part is called: by the part number, else the id; "" = nothing. */
static inline const char *cab_kbl_part_of(const cab_kbl_cover *cover)
{
    return *cover->number ? cover->number : cover->part_id;
}
/* Appends one; its place is brought into 0 to 1, and where it has none it is left out, with a note. */
void cab_kbl_add_cover(cab_kbl *kbl, cab_kbl_cover cover);

/* properties.c: of a kind of protection, or of a part; SI units. */
typedef struct cab_kbl_protection {
    double thickness, inner, outer, pitch; /* m; NAN = as the file says, or follows from the mass */
    double modulus, density;               /* Pa, kg/m^3 */
} cab_kbl_protection;

cab_kbl_protection cab_kbl_protection_of(const cab_kbl_cover *cover, const cab_kbl_options *options);
/* The bond of the first of these names (NULL behind the last) that has one, else of all; 0. */
double cab_kbl_bond_of(const cab_kbl_options *options, const char *const *names);
/* Readers of the two options, into arrays or objects that are to be released. */
struct cab_cursor;
cab_status cab_kbl_read_bond(const struct cab_cursor *value, void *into);
cab_status cab_kbl_read_protection(const struct cab_cursor *value, void *into);

/* tubes.c: a tape or tube as it lies on what is `inside`, m of radius. */
typedef struct cab_kbl_layer {
    double radius; /* m, outside */
    cab_kbl_stiffness bending, stretching;
    double bond;
} cab_kbl_layer;
cab_kbl_layer cab_kbl_layer_on(cab_kbl *kbl, const cab_kbl_cover *cover, double inside,
                               const cab_kbl_options *options);

/* made_of.c: stiffness, mass and outer radius of a segment whose wires have their places, from all its parts. wires: the radius of what
 * the protections lie on, m. */
void cab_kbl_make_of(cab_kbl *kbl, int segment, double wires, const cab_kbl_options *options);

/* part_names.c: `part` of each wire, from its number and id. */
void cab_kbl_name_parts(cab_kbl *kbl);

/* bundle.c: cross-sections, radii, masses, stiffnesses of wires and segments. */
void cab_kbl_bundle(cab_kbl *kbl, const cab_kbl_options *options);
/* Wires that go through both. */
int cab_kbl_shared_wires(const cab_kbl_segment *a, const cab_kbl_segment *b);

/* pack.c: moves discs together and apart until none overlaps; they start about where they should be.
 * @return the radius of the circle about the origin that holds them, m; -1 without memory */
double cab_kbl_pack(cab_kbl_disc *discs, int count);

/* scene.c: the parts of a scene's document. */
typedef struct cab_kbl_scene {
    cab_kbl *kbl;
    const cab_kbl_options *options;
    json_t *materials, *cables, *attachments, *clips, *connectors, *ties; /* they belong to `document` */
    json_t *document;
} cab_kbl_scene;

/* wires.c: a wire's route as it is walked. */
typedef struct cab_kbl_walk {
    const cab_kbl *kbl;
    int wire;
    bool walked;               /* it can be, and is a cable */
    int *route;                /* segments in order */
    bool *back;                /* walked from end to start */
    double *begin;             /* [count + 1] m of the drawn wire before each of them, and of all */
    const cab_kbl_disc **disc; /* where the wire lies in each of them */
    int count;
    int first_node, last_node;
    double length; /* m, along the middle of the bundles: of the cable */
    int segments;  /* of the cable */
} cab_kbl_walk;

/* The fraction of a wire at a fraction of the segment of its step k. */
double cab_kbl_place_on(const cab_kbl_walk *w, int k, double location);
/* Where it is drawn there. */
cab_vec3 cab_kbl_point_on(const cab_kbl_walk *w, int k, double location);

/* ties.c: rings round the wires of each segment, evenly and at fixings; [wires] walks. */
void cab_kbl_tie(cab_kbl_scene *scene, const cab_kbl_walk *walks);

void cab_kbl_add_segments(cab_kbl_scene *scene);
void cab_kbl_add_wires(cab_kbl_scene *scene);

/* A value with the six digits that count. */
json_t *cab_kbl_number(double value);
json_t *cab_kbl_path(const cab_vec3 *path, int count);
json_t *cab_kbl_direction(cab_vec3 unit);
/* Appends or sets; takes over `value`, and remembers when there was no memory. */
void cab_kbl_append(cab_kbl_scene *scene, json_t *list, json_t *value);
void cab_kbl_set(cab_kbl_scene *scene, json_t *object, const char *key, json_t *value);
/* The material of a bundle or wire. stretching_stiffness: N; 0 = it does not stretch. */
typedef struct cab_kbl_properties {
    double radius, linear_density, bending_stiffness, min_bend_radius, stretching_stiffness;
} cab_kbl_properties;

/* The name of the first that had these values, else a new one called `name`, or with a number behind it. */
const char *cab_kbl_material(cab_kbl_scene *scene, const char *name, const cab_kbl_properties *values);
/* A cable, its places (fractions inside, increasing, none nearer to another than CAB_KBL_APART) each with a
 * particle of its own. wires: what it is made of.
 * @return how many segments it has */
int cab_kbl_add_cable(cab_kbl_scene *scene, const char *name, const char *material, const cab_vec3 *path,
                      int path_count, double length, const double *places, int place_count, const int *wires,
                      int wire_count);
/* Joins a place of a cable to another's (`at` and `to` are taken over). */
void cab_kbl_join(cab_kbl_scene *scene, const char *cable, json_t *at, json_t *to, bool clamp);

/* hold.c: an end at a node, with its direction: by the connector there, else the fixing, else as it is drawn.
 * `out` leads from the node into the cable. `sharing` ends share the connector's mass and force. */
void cab_kbl_hold_end(cab_kbl_scene *scene, const cab_kbl_node *node, const char *cable, bool last,
                      cab_vec3 out, int sharing);
/* A fixing's clip at a fraction of a cable; `sharing` cables share its forces. compliance in m/N, 0 = as the
 * scene has it by default. */
void cab_kbl_hold_fixing(cab_kbl_scene *scene, const cab_kbl_fixing *fixing, const char *cable, double at,
                         double compliance, int sharing);

#define CAB_KBL_APART 2e-3 /* m; what is held nearer together, or nearer to an end, is held as one */

#endif

/* Cables side by side for the lanes kernels: which lie in one tile, and the constants of the direct method.
 */
#ifndef CAB_TILES_H
#define CAB_TILES_H

#include "model/model.h"

/* What a tile needs of its kernel, from the least to the most. */
typedef enum cab_tile_kind {
    CAB_TILE_LENGTHS = 0, /* equal cables without bending */
    CAB_TILE_BENDING,     /* equal cables that bend */
    CAB_TILE_MIXED,       /* constants of each lane, clamps */
    CAB_TILE_KIND_COUNT
} cab_tile_kind;

typedef struct cab_tiles {
    cab_tile *tile; /* by kind */
    int count;
    int first[CAB_TILE_KIND_COUNT + 1]; /* tiles of kind k: first[k] ... first[k + 1] - 1 */
    int *tile_chain;                    /* [count][width], as cab_tile says */
    float *constant;
    size_t constant_count;
    int longest;    /* particles of the longest cable */
    int kept;       /* sum of the tiles' counts */
    double padding; /* share of the lanes' particles that only fill up */
} cab_tiles;

/* Tiles of `width` cables of these models, which have the same method; cables are counted on from model to model. The models must have
 * chains. Free with cab_tiles_free(). */
cab_status cab_tiles_build(const cab_model *const *models, int count, int width, cab_tiles *tiles,
                           cab_error *error);
void cab_tiles_free(cab_tiles *tiles);

/* The tiles that a cable may be in. */
cab_tile_kind cab_tile_kind_of(const cab_model *model, int cable);

/* Constants of cable `cable`: out[2][particles][CAB_CONSTANTS], second order first; of XPBD both alike. */
cab_status cab_direct_constants(const cab_model *model, int cable, float *out, cab_error *error);
void cab_xpbd_constants(const cab_model *model, int cable, float *out);

/* Those of a particle by which it moves on: its weight, what the prediction takes of the steps before, what gravity and forces
 * add. */
void cab_direct_motion(const cab_model *model, int particle, int first_order, float *constants);

/* Constant forces on a particle, N. */
cab_vec3 cab_model_force_on(const cab_model *model, int particle);

/* CAB_REGULARISATION or CAB_REGULARISATION_FREE for a lone cable of these nodes. */
double cab_direct_regularisation(const cab_model *model, int first_node, int count);
/* Do nodes carry a load so heavy that its pull can make their lightest segments stiffer across than their inertia does in a substep? */
bool cab_direct_is_loaded(const cab_model *model, int first_node, int count);
/* The same for a load of `heaviest` kg that hangs anywhere on their net, and `times` as much stiffness. */
bool cab_direct_pulls_hard(const cab_model *model, int first_node, int count, double heaviest, double times);
/* Are nodes between two holds so nearly straight, and so many, that their lengths need the stiffness of their tension? */
bool cab_direct_is_straight(const cab_model *model, int first_node, int count);
/* Is this cable so long, or so nearly straight, and held so often, or so loaded, that its lengths need the stiffness of its tension (kernels/stiff.h)? */
bool cab_direct_is_taut(const cab_model *model, const cab_body *cable);

/* A symmetric matrix of five bands, or its factor L D L^T. */
typedef struct cab_band {
    double diagonal, next, after; /* row i: entries i, i + 1, i + 2; of the factor: D_i, L_i+1,i, L_i+2,i */
} cab_band;

/* The bending's matrix M + h_s^2 K of a cable, held particles' rows those of the unit matrix. */
void cab_direct_matrix(const cab_model *model, int cable, int first_order, cab_band *band);

#endif

/* Branches from the inside: the parts that branches_build.c puts together. */
#ifndef CAB_BRANCHES_PARTS_H
#define CAB_BRANCHES_PARTS_H

#include "model/branches.h"

/* Where cables are cut. */
typedef struct cab_cut {
    int *nodes; /* [P] nodes of a particle: more than one makes it a junction */
} cab_cut;

/* junctions.c: who meets where, the order of elimination and its terms. Fills start and end of the branches.
 */
cab_status cab_branches_add_junctions(const cab_model *model, const cab_cut *cut, cab_branches *branches,
                                      cab_error *error);

/* rigid_terms.c: the unknowns of a rigid body are junctions, which are called after its first two mass points. Those of a particle: one of a
 * junction, two of what is a part of a body, none of what is held or not a junction. Returns how many. */
int cab_branches_rows(const cab_model *model, const int *junction_of_particle, int particle, int rows[2]);
/* All of a branch: those of its start, of its end, and of the bodies that it may touch. rows: for the caller to free */
cab_status cab_branches_all_rows(const cab_model *model, const int *junction_of_particle,
                                 const cab_branch *branch, int **rows, int *count, cab_error *error);
/* Fills rigid, rigid_member, rigid_term, and start and end of branches that end on a body. */
cab_status cab_branches_add_rigid(const cab_model *model, cab_branches *branches, cab_error *error);
/* Numbers only. */
void cab_branches_weigh_rigid(const cab_model *model, cab_branches *branches);

/* rigid_clamps.c: fills rigid_bent, rigid_dual and rigid_clamp, after cab_branches_add_rigid(); masses by cab_branches_weigh_rigid(). */
cab_status cab_branches_add_clamps(const cab_model *model, cab_branches *branches, cab_error *error);

/* separators.c: the factor of the bending of what has separators and what has not, order 0 second, 1 first.
 */
cab_status cab_branches_factor_bending(const cab_model *model, cab_branches *branches, cab_error *error);

/* The same for a branch alone that is a cable by itself, in the last digits perhaps another sum. */
cab_status cab_branches_factor_alone(const cab_model *model, cab_branches *branches, const cab_branch *branch,
                                     cab_error *error);

/* Is it a cable by itself, joined to nothing, that no hold cuts? */
bool cab_branches_is_alone(const cab_branches *branches, const cab_branch *branch);
double cab_branches_regularisation(const cab_model *model, const cab_branches *branches,
                                   const cab_branch *branch);
/* Rest, compliance, regularisation of a segment. */
void cab_branches_fill_segment(const cab_model *model, double regularisation, cab_branch_node *out);

/* Mass of a particle over 1 / (1 + damping h_s), kg; 0 = held. order: 0 second, 1 first */
double cab_branches_mass(const cab_model *model, int particle, int order);

#endif

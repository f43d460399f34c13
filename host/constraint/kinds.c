#include "model/constraint_kind.h"

extern const cab_constraint_kind cab_distance_kind, cab_bending_kind, cab_clamp_kind, cab_tie_kind,
    cab_own_kind_row, cab_soft_kind, cab_clip_kind, cab_connector_kind, cab_drum_kind, cab_viscous_kind,
    cab_twist_kind, cab_director_kind, cab_rigid_kind, cab_rigid_contact_kind, cab_socket_kind,
    cab_coupled_kind;

const cab_constraint_kind *const cab_constraint_kinds[] = {
    &cab_distance_kind,  &cab_bending_kind,       &cab_clamp_kind,  &cab_tie_kind,
    &cab_own_kind_row,   &cab_clip_kind,          &cab_drum_kind,   &cab_soft_kind,
    &cab_connector_kind, &cab_viscous_kind,       &cab_twist_kind,  &cab_director_kind,
    &cab_rigid_kind,     &cab_rigid_contact_kind, &cab_socket_kind, &cab_coupled_kind,
};
const int cab_constraint_kind_count = (int)(sizeof cab_constraint_kinds / sizeof *cab_constraint_kinds);

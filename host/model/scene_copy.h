/* Copies of defs that own all they point at: strings, arrays. */
#ifndef CAB_SCENE_COPY_H
#define CAB_SCENE_COPY_H

#include <clcable/scene.h>

/* All of it or, when memory is out, nothing. Free with the function below. */
cab_status cab_copy_material(const cab_material_def *def, cab_material_def *copy, cab_error *error);
cab_status cab_copy_cable(const cab_cable_def *def, cab_cable_def *copy, cab_error *error);
cab_status cab_copy_sheet(const cab_sheet_def *def, cab_sheet_def *copy, cab_error *error);
cab_status cab_copy_attachment(const cab_attachment_def *def, cab_attachment_def *copy, cab_error *error);
cab_status cab_copy_load(const cab_load_def *def, cab_load_def *copy, cab_error *error);
cab_status cab_copy_tie(const cab_tie_def *def, cab_tie_def *copy, cab_error *error);
cab_status cab_copy_collider(const cab_collider_def *def, cab_collider_def *copy, cab_error *error);
cab_status cab_copy_constraint(const cab_constraint_def *def, cab_constraint_def *copy, cab_error *error);

void cab_drop_material(const cab_material_def *copy);
void cab_drop_cable(const cab_cable_def *copy);
void cab_drop_sheet(const cab_sheet_def *copy);
void cab_drop_attachment(const cab_attachment_def *copy);
void cab_drop_load(const cab_load_def *copy);
void cab_drop_tie(const cab_tie_def *copy);
void cab_drop_collider(const cab_collider_def *copy);
void cab_drop_constraint(const cab_constraint_def *copy);

#endif

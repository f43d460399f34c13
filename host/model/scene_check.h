/* What must hold for an item before a scene takes it. The item is named as it will stand in the scene. */
#ifndef CAB_SCENE_CHECK_H
#define CAB_SCENE_CHECK_H

#include "model/scene.h"

cab_status cab_check_material(const cab_scene *scene, const cab_material_def *def, cab_error *error);
cab_status cab_check_cable(const cab_scene *scene, const cab_cable_def *def, cab_error *error);
cab_status cab_check_sheet(const cab_scene *scene, const cab_sheet_def *def, cab_error *error);
cab_status cab_check_attachment(const cab_scene *scene, const cab_attachment_def *def, cab_error *error);
cab_status cab_check_tie(const cab_scene *scene, const cab_tie_def *def, cab_error *error);
cab_status cab_check_load(const cab_scene *scene, const cab_load_def *def, cab_error *error);
cab_status cab_check_body(const cab_scene *scene, const cab_body_def *def, cab_error *error);
cab_status cab_check_socket(const cab_scene *scene, const cab_socket_def *def, cab_error *error);
cab_status cab_check_probe(const cab_scene *scene, const cab_probe_def *def, cab_error *error);
cab_status cab_check_collider(const cab_scene *scene, const cab_collider_def *def, cab_error *error);
cab_status cab_check_constraint(const cab_scene *scene, const cab_constraint_def *def, cab_error *error);

#endif

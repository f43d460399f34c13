/* A cable built from code instead of a file: it hangs between two points, then its right end is lifted.
 *
 * Uses nothing but the public interface. Run it with a device's name, such as `hello native`.
 */
#include <stdio.h>
#include <stdlib.h>

#include <clcable/clcable.h>

enum { SEGMENTS = 40, NODES = SEGMENTS + 1 };

static void add_wire(cab_scene *scene, cab_error *error)
{
    cab_material_def wire = cab_material_default();
    wire.name = "wire";
    wire.radius = 0.003;
    wire.linear_density = 0.05;
    wire.bending_stiffness = 1e-4;
    wire.damping = 2;
    if (cab_scene_add_material(scene, &wire, error) != CAB_OK) return;

    cab_vec3 path[] = {{0, 0, 1}, {1, 0, 1}};
    cab_cable_def cable = cab_cable_default();
    cable.name = "a";
    cable.material = "wire";
    cable.path = path;
    cable.path_count = 2;
    cable.segments = SEGMENTS;
    cable.length = 1.2; /* hangs through */
    if (cab_scene_add_cable(scene, &cable, error) != CAB_OK) return;

    cab_attachment_def hold = cab_attachment_default();
    hold.cable = "a";
    hold.at.kind = CAB_PLACE_START;
    if (cab_scene_add_attachment(scene, &hold, error) != CAB_OK) return;
    hold.at.kind = CAB_PLACE_END;
    cab_scene_add_attachment(scene, &hold, error);
}

static cab_status show(cab_world *world, const char *when, cab_error *error)
{
    double position[NODES][3], tension[NODES];
    cab_status status = cab_world_read(world, &position[0][0], NULL, tension, error);
    if (status != CAB_OK) return status;
    printf("%-12s middle at z = %.4f m, right end at z = %.4f m, tension at the left end %.4f N\n", when,
           position[SEGMENTS / 2][2], position[SEGMENTS][2], tension[0]);
    return CAB_OK;
}

static cab_status run(cab_world *world, cab_error *error)
{
    cab_status status = show(world, "at first", error);
    if (status == CAB_OK) status = cab_world_step(world, 180, error);
    if (status == CAB_OK) status = show(world, "hanging", error);
    /* Attachment 1 is the right end: 0.2 m up, in ten small moves. */
    for (int i = 1; i <= 10 && status == CAB_OK; i++) {
        status = cab_world_set_target(world, 1, (cab_vec3){1, 0, 1 + 0.02 * i}, error);
        if (status == CAB_OK) status = cab_world_step(world, 6, error);
    }
    if (status == CAB_OK) status = cab_world_step(world, 180, error);
    if (status == CAB_OK) status = show(world, "lifted", error);
    return status;
}

int main(int argc, char **argv)
{
    cab_error error = {.status = CAB_OK};
    cab_scene *scene = cab_scene_create();
    if (!scene) return EXIT_FAILURE;
    cab_scene_settings(scene)->substeps = 60;
    add_wire(scene, &error);

    cab_world_def def = cab_world_default();
    if (argc > 1) def.device = argv[1];
    cab_world *world = NULL;
    if (error.status == CAB_OK) cab_world_create(scene, &def, &world, &error);
    cab_scene_destroy(scene);
    if (world) run(world, &error);
    cab_world_destroy(world);
    if (error.status == CAB_OK) return EXIT_SUCCESS;
    fprintf(stderr, "hello: %s\n", error.message);
    return EXIT_FAILURE;
}

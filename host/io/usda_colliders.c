/* Colliders and rigid bodies in USD: spheres, capsules, cylinders, sheaves, boxes, planes and meshes. */
#include "io/usda.h"

#include <errno.h>
#include <math.h>

#include "base/vec3.h"
#include "model/body_shape.h"
#include "model/pose.h"
#include "model/scene.h"
#include "model/sheave.h"

#define PLANE_SIZE 10 /* m; a plane has no end, its picture must */
#define SHEAVE_SIDES 96

/* A text in quotes. */
void cab_usda_write_text(cab_file *file, const char *text)
{
    cab_file_print(file, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            cab_file_print(file, "\\%c", c);
        else if (c < 0x20)
            cab_file_print(file, "\\x%02x", c);
        else
            cab_file_print(file, "%c", c);
    }
    cab_file_print(file, "\"");
}

/* The rotation that takes z to a direction; w, x, y, z. */
static void turn_z_to(cab_vec3 direction, double q[4])
{
    cab_vec3 d = cab_vec3_unit(direction);
    double w = sqrt(fmax(0, 0.5 * (1 + d.z)));
    q[0] = w;
    if (w > 1e-6) {
        q[1] = -d.y / (2 * w);
        q[2] = d.x / (2 * w);
        q[3] = 0;
    } else { /* straight down: half a turn about x */
        q[1] = 1;
        q[2] = q[3] = 0;
    }
}

/* first b, then a */
static void product(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static void unit(const double q[4], double out[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++) out[k] = q[k] / length;
}

/* How the prim lies in the collider: USD's are centred, and capsules and planes go along z. */
typedef struct placement {
    cab_vec3 middle; /* as seen from the collider's own point, m */
    double turn[4];
} placement;

static placement placement_of(const cab_collider_def *def)
{
    placement s = {.turn = {1, 0, 0, 0}};
    if (!def) return s;
    cab_vec3 along = cab_vec3_sub(def->to, def->center);
    bool long_one = def->shape == CAB_SHAPE_CAPSULE || def->shape == CAB_SHAPE_CYLINDER;
    if (long_one) s.middle = cab_vec3_scale(0.5, along);
    if (long_one && cab_vec3_length(along) > 0) turn_z_to(along, s.turn);
    if (def->shape == CAB_SHAPE_PLANE) turn_z_to(def->normal, s.turn);
    if (def->shape == CAB_SHAPE_BOX || def->shape == CAB_SHAPE_MESH) unit(def->rotation, s.turn);
    return s;
}

static void write_place(cab_file *file, cab_vec3 x)
{
    cab_file_print(file, "(%.9g, %.9g, %.9g)", x.x + 0, x.y + 0, x.z + 0);
}

static void write_turn(cab_file *file, const placement *s, const cab_pose *pose)
{
    double q[4];
    product(pose->rotation, s->turn, q);
    cab_file_print(file, "(%.9g, %.9g, %.9g, %.9g)", q[0] + 0, q[1] + 0, q[2] + 0, q[3] + 0);
}

/* A prim in the frame of its parent: of what is drawn as the collider `def`, or of an Xform where that is NULL. */
static cab_vec3 place_of(const cab_collider_def *def, const placement *s, const cab_pose *pose)
{
    return def ? cab_pose_from_collider(def, pose, s->middle) : pose->position;
}

static void write_ways(cab_file *file, const cab_collider_def *def, cab_record *record, int index)
{
    placement s = placement_of(def);
    cab_file_print(file, "        double3 xformOp:translate.timeSamples = {\n");
    for (int f = 0; f < record->frame_count; f++) {
        cab_pose pose = cab_record_pose(record, f, index);
        cab_file_print(file, "            %d: ", record->first_frame + f);
        write_place(file, place_of(def, &s, &pose));
        cab_file_print(file, ",\n");
    }
    cab_file_print(file, "        }\n        quatf xformOp:orient.timeSamples = {\n");
    for (int f = 0; f < record->frame_count; f++) {
        cab_pose pose = cab_record_pose(record, f, index);
        cab_file_print(file, "            %d: ", record->first_frame + f);
        write_turn(file, &s, &pose);
        cab_file_print(file, ",\n");
    }
    cab_file_print(file, "        }\n");
}

static void write_still(cab_file *file, const cab_collider_def *def, const cab_pose *pose)
{
    placement s = placement_of(def);
    cab_file_print(file, "        double3 xformOp:translate = ");
    write_place(file, place_of(def, &s, pose));
    cab_file_print(file, "\n        quatf xformOp:orient = ");
    write_turn(file, &s, pose);
    cab_file_print(file, "\n");
}

static bool moves(cab_record *record, int index)
{
    cab_pose first = cab_record_pose(record, 0, index);
    for (int f = 1; f < record->frame_count; f++) {
        cab_pose pose = cab_record_pose(record, f, index);
        if (cab_vec3_distance(first.position, pose.position) > 0 || cab_pose_turns(&first, &pose))
            return true;
    }
    return false;
}

static void write_order(cab_file *file, const cab_collider_def *def)
{
    bool mesh = def && def->shape == CAB_SHAPE_MESH, scaled = mesh || (def && def->shape == CAB_SHAPE_BOX);
    if (scaled) {
        cab_vec3 size = def->half_extents;
        if (mesh) size = (cab_vec3){def->scale, def->scale, def->scale};
        cab_file_print(file, "        float3 xformOp:scale = ");
        write_place(file, size);
        cab_file_print(file, "\n");
    }
    cab_file_print(file,
                   "        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"%s]\n",
                   scaled ? ", \"xformOp:scale\"" : "");
}

static void write_transform(cab_file *file, const cab_collider_def *def, cab_record *record, int index)
{
    cab_pose first = cab_record_pose(record, 0, index);
    if (moves(record, index))
        write_ways(file, def, record, index);
    else
        write_still(file, def, &first);
    write_order(file, def);
}

static void write_extent(cab_file *file, cab_vec3 low, cab_vec3 high)
{
    cab_file_print(file, "        float3[] extent = [");
    write_place(file, low);
    cab_file_print(file, ", ");
    write_place(file, high);
    cab_file_print(file, "]\n");
}

static void write_mesh(cab_file *file, const cab_mesh *mesh)
{
    cab_vec3 low = mesh->vertices[0], high = low;
    cab_file_print(file, "        uniform token subdivisionScheme = \"none\"\n        point3f[] points = [");
    for (int i = 0; i < mesh->vertex_count; i++) {
        cab_vec3 x = mesh->vertices[i];
        if (i > 0) cab_file_print(file, ", ");
        write_place(file, x);
        low = (cab_vec3){fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z)};
        high = (cab_vec3){fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z)};
    }
    cab_file_print(file, "]\n        int[] faceVertexCounts = [");
    for (int i = 0; i < mesh->triangle_count; i++) cab_file_print(file, i ? ", 3" : "3");
    cab_file_print(file, "]\n        int[] faceVertexIndices = [");
    for (int i = 0; i < 3 * mesh->triangle_count; i++)
        cab_file_print(file, i ? ", %d" : "%d", mesh->triangles[i]);
    cab_file_print(file, "]\n");
    write_extent(file, low, high);
}

/* USD has no such shape: triangles. */
static void write_sheave(cab_file *file, const cab_collider_def *def)
{
    cab_sheave sheave = cab_sheave_of(def->center, def->to, def->radius, &def->groove);
    cab_mesh mesh;
    cab_error error;
    cab_vec3 axis = cab_vec3_sub(def->to, def->center);
    if (cab_sheave_mesh(&sheave, axis, SHEAVE_SIDES, &mesh, &error))
        file->errnum = ENOMEM;
    else
        write_mesh(file, &mesh);
    cab_mesh_free(&mesh);
}

static void write_shape(cab_file *file, const cab_collider_def *def)
{
    double r = def->radius, h = 0.5 * cab_vec3_distance(def->to, def->center), p = 0.5 * PLANE_SIZE;
    switch (def->shape) {
    case CAB_SHAPE_SPHERE:
        cab_file_print(file, "        double radius = %.9g\n", r);
        write_extent(file, (cab_vec3){-r, -r, -r}, (cab_vec3){r, r, r});
        break;
    case CAB_SHAPE_CAPSULE:
    case CAB_SHAPE_CYLINDER:
        cab_file_print(file,
                       "        uniform token axis = \"Z\"\n        double radius = %.9g\n"
                       "        double height = %.9g\n",
                       r, 2 * h);
        if (def->shape == CAB_SHAPE_CAPSULE) h += r;
        write_extent(file, (cab_vec3){-r, -r, -h}, (cab_vec3){r, r, h});
        break;
    case CAB_SHAPE_BOX:
        cab_file_print(file, "        double size = 2\n");
        write_extent(file, (cab_vec3){-1, -1, -1}, (cab_vec3){1, 1, 1});
        break;
    case CAB_SHAPE_PLANE:
        cab_file_print(file,
                       "        uniform token axis = \"Z\"\n        uniform bool doubleSided = 1\n"
                       "        double width = %d\n        double length = %d\n",
                       PLANE_SIZE, PLANE_SIZE);
        write_extent(file, (cab_vec3){-p, -p, 0}, (cab_vec3){p, p, 0});
        break;
    case CAB_SHAPE_MESH:
        write_mesh(file, &def->mesh);
        break;
    case CAB_SHAPE_SHEAVE:
        write_sheave(file, def);
        break;
    }
}

static const char *const kinds[] = {
    [CAB_SHAPE_PLANE] = "Plane", [CAB_SHAPE_SPHERE] = "Sphere", [CAB_SHAPE_CAPSULE] = "Capsule",
    [CAB_SHAPE_BOX] = "Cube",    [CAB_SHAPE_MESH] = "Mesh",     [CAB_SHAPE_CYLINDER] = "Cylinder",
    [CAB_SHAPE_SHEAVE] = "Mesh"};

static void write_head(cab_file *file, const char *kind, const char *prim, int index, const char *name)
{
    cab_file_print(file, "\n    def %s \"%s_%d\"", kind, prim, index);
    if (name) {
        cab_file_print(file, " (\n        customData = {\n            string name = ");
        cab_usda_write_text(file, name);
        cab_file_print(file, "\n        }\n    )");
    }
    cab_file_print(file, "\n    {\n");
}

void cab_usda_write_collider(cab_file *file, const cab_scene *scene, cab_record *record, int index)
{
    const cab_collider_def *def = &scene->colliders[index];
    write_head(file, kinds[def->shape], "collider", index, def->name);
    cab_file_print(file, "        color3f[] primvars:displayColor = [(0.3, 0.3, 0.3)]\n");
    write_shape(file, def);
    write_transform(file, def, record, index);
    cab_file_print(file, "    }\n");
}

void cab_usda_write_body(cab_file *file, const cab_body_def *def, const char *name, cab_record *record,
                         int index)
{
    static const cab_pose still = {.rotation = {1, 0, 0, 0}};
    write_head(file, "Xform", "body", index, name);
    write_transform(file, NULL, record, record->colliders + index);
    for (int k = 0; k < def->shape_count; k++) {
        cab_collider_def shape = cab_body_shape_collider(&def->shapes[k]);
        cab_file_print(file,
                       "\n    def %s \"shape_%d\"\n    {\n        color3f[] primvars:displayColor = "
                       "[(0.5, 0.5, 0.55)]\n",
                       kinds[shape.shape], k);
        write_shape(file, &shape);
        write_still(file, &shape, &still);
        write_order(file, &shape);
        cab_file_print(file, "    }\n");
    }
    cab_file_print(file, "    }\n");
}

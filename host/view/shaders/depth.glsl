/* Places in the scene, from the depth of a pixel. */
uniform sampler2D depth_texture;

float depth_at(ivec2 at) { return texelFetch(depth_texture, at, 0).r; }

/* The place at a pixel, in the camera's coordinates, m. */
vec3 place_at(ivec2 at, float depth)
{
    vec2 screen = (vec2(at) + 0.5) * viewport.zw * 2.0 - 1.0;
    float d = 2.0 * depth - 1.0;
    float z = is_orthographic() ? (d - projection[3].z) / projection[2].z : -projection[3].z / (d + projection[2].z);
    float far = is_orthographic() ? 1.0 : -z;
    return vec3(screen * far / vec2(projection[0].x, projection[1].y), z);
}

/* The difference from `p` to the next pixel along `step`, on the side where the neighbour is more likely on
 * the same surface. */
vec3 way_at(ivec2 at, vec3 p, ivec2 step)
{
    ivec2 last = ivec2(viewport.xy) - 1;
    ivec2 a = min(at + step, last), b = max(at - step, ivec2(0));
    vec3 ahead = place_at(a, depth_at(a)) - p, behind = p - place_at(b, depth_at(b));
    return abs(ahead.z) < abs(behind.z) && a != at || b == at ? ahead : behind;
}

/* The unit normal of the surface. Where the depths of both neighbours differ by more than `most`, it faces
 * the eye. */
vec3 normal_at(ivec2 at, vec3 p, float most)
{
    vec3 x = way_at(at, p, ivec2(1, 0)), y = way_at(at, p, ivec2(0, 1));
    vec3 facing = is_orthographic() ? vec3(0, 0, 1) : -normalize(p);
    if (max(abs(x.z), abs(y.z)) > most) return facing;
    return normalize(cross(x, y));
}

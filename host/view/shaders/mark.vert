//! include view.glsl
/* A mark: a shape along an axis, at a place or from one place to another. Its width is never less than some
 * pixels. */
layout(location = 0) in vec3 at; // in half the mark's width
layout(location = 1) in vec3 outward;
layout(location = 2) in float along; // the part of the axis by which the vertex is moved along it
layout(location = 3) in ivec2 nodes; // from which its ends are counted; -1 = from the origin
layout(location = 4) in vec3 start;  // m
layout(location = 5) in vec3 end;
layout(location = 6) in vec2 size; // x: half the width, m; y: at least, pixels
layout(location = 7) in vec4 colour;

uniform samplerBuffer rows; // x, y, z, value
uniform bool dark;           // the background is dark
uniform bool facing;        // the shape's z axis points to the eye

out vec3 seen_at, seen_normal; // in the camera's coordinates
flat out vec3 tint;            // sRGB

vec3 node(int i) { return i >= 0 ? texelFetch(rows, i).xyz : vec3(0.0); }

void main()
{
    vec3 from = (view * vec4(start + node(nodes.x), 1.0)).xyz;
    vec3 to = (view * vec4(end + node(nodes.y), 1.0)).xyz;
    vec3 way = to - from;
    float reach = length(way);
    float width = max(size.x, size.y * pixel_at(from));
    vec3 z = reach > 1e-9 ? way / reach : mat3(view) * vec3(0, 0, 1);
    if (facing) z = is_orthographic() ? vec3(0, 0, 1) : -normalize(from);
    vec3 other = facing ? vec3(0, 1, 0) : mat3(view) * (abs((mat3(inverse_view) * z).z) < 0.9 ? vec3(0, 0, 1) : vec3(1, 0, 0));
    vec3 x = normalize(cross(other, z)), y = cross(z, x);
    vec3 p = from + way * along + width * (mat3(x, y, z) * at);
    if (facing) p += 2.0 * width * z; // so that it is in front of the cable
    seen_at = p;
    seen_normal = mat3(x, y, z) * outward;
    tint = dark && colour.a < 0.5 ? 1.0 - colour.rgb : colour.rgb;
    gl_Position = projection * vec4(p, 1.0);
}

//! include view.glsl
/* A corner of a triangle of cloth. */
layout(location = 0) in ivec4 corner; // node; first and count in `ring`; which corner (0 to 2) + 4 * threads
layout(location = 1) in vec4 colour;

uniform samplerBuffer rows;  // x, y, z, value
uniform isamplerBuffer ring; // pairs of nodes that form a triangle with this one

out vec3 seen_at, seen_normal; // in the camera's coordinates
out vec3 share;                // barycentric coordinates in the triangle
out float quantity;
flat out ivec3 threads; // 1 = the side opposite to the corner is a thread
flat out vec3 tint;     // linear

void main()
{
    vec4 row = texelFetch(rows, corner.x);
    vec3 normal = vec3(0);
    for (int i = 0; i < corner.z; i++) {
        ivec2 pair = texelFetch(ring, corner.y + i).xy;
        normal += cross(texelFetch(rows, pair.x).xyz - row.xyz, texelFetch(rows, pair.y).xyz - row.xyz);
    }
    vec4 p = view * vec4(row.xyz, 1.0);
    seen_at = p.xyz;
    seen_normal = mat3(view) * (normal / max(length(normal), 1e-30));
    int which = corner.w & 3;
    share = vec3(which == 0, which == 1, which == 2);
    threads = ivec3(corner.w >> 3 & 1, corner.w >> 4 & 1, corner.w >> 2 & 1);
    quantity = row.w;
    tint = from_srgb(colour.rgb);
    gl_Position = projection * p;
}

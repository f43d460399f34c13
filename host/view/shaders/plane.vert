//! include view.glsl
/* A piece of a tilted plane. */
uniform vec4 middle; // m; w: half the edge
uniform mat3 axes;   // two axes in the plane, and its normal

out vec2 off; // place in the plane, from the middle along the axes, m
out vec3 seen_at;

void main()
{
    off = (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0) * middle.w;
    vec4 p = view * vec4(middle.xyz + axes * vec3(off, 0.0), 1.0);
    seen_at = p.xyz;
    gl_Position = projection * p;
}

//! include view.glsl
//! include shade.glsl
//! include lines.glsl
/* It has no end: it fades away from what it is drawn for. From behind it is a veil. */
in vec2 off;
in vec3 seen_at;

uniform vec4 middle;
uniform mat3 axes;
uniform vec4 grid; // x: line distance, m; y: strength; zw: of the middle, along the axes from the plane's own point
uniform vec3 plane_colour;

void main()
{
    float fade = 1.0 - smoothstep(0.7, 1.0, length(off) / middle.w);
    vec3 n = normalize(mat3(view) * axes[2]);
    vec3 to_eye = is_orthographic() ? vec3(0, 0, 1) : -normalize(seen_at);
    bool behind = dot(n, to_eye) < 0.0;
    vec2 at = off + grid.zw;
    float line = max(grid_lines(at, grid.x) * 0.35, grid_lines(at, 10.0 * grid.x) * 0.8) * grid.y;
    shade(seen_at, behind ? -n : n, to_eye, mix(plane_colour, vec3(0.30), line), 0.0, fade * (behind ? 0.15 : 1.0));
    if (direct_out.a < 0.004) discard;
}

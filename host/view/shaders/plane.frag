//! include view.glsl
//! include shade.glsl
//! include lines.glsl
/* It has no end: it fades away from what it is drawn for. From behind it is not seen, as the walls of a doll's house,
 * nor is what of it lies behind another one. */
in vec2 off;
in vec3 seen_at;

uniform vec4 middle;
uniform mat3 axes;
uniform vec4 grid; // x: line distance, m; y: strength; zw: of the middle, along the axes from the plane's own point
uniform vec3 plane_colour;
uniform int other_count;
uniform vec4 others[16]; // normal, and how far along it the plane is from the origin, m

void main()
{
    vec3 place = middle.xyz + axes * vec3(off, 0.0);
    for (int i = 0; i < other_count; i++) {
        if (dot(others[i].xyz, place) < others[i].w) discard;
    }
    float fade = 1.0 - smoothstep(0.35, 1.0, length(off) / middle.w);
    vec3 n = normalize(mat3(view) * axes[2]);
    vec3 to_eye = is_orthographic() ? vec3(0, 0, 1) : -normalize(seen_at);
    if (dot(n, to_eye) < 0.0) discard;
    vec2 at = off + grid.zw;
    float line = max(grid_lines(at, grid.x) * 0.35, grid_lines(at, 10.0 * grid.x) * 0.8) * grid.y;
    shade(seen_at, n, to_eye, mix(plane_colour, vec3(0.30), line), 0.0, fade);
    if (fade < 0.004) discard;
}

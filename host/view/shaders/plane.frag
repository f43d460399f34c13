//! include view.glsl
//! include shade.glsl
//! include lines.glsl
/* A plane is infinite: it fades away far from the scene. It is not seen from behind, so that one can look
 * into a room made of planes, and the part that lies behind another plane is left out. */
in vec2 off;
in vec3 seen_at;

uniform vec4 middle;
uniform mat3 axes;
uniform vec4 grid; // x: distance of lines, m; y: strength; zw: from the plane's own point to the middle, along the axes
uniform vec3 plane_colour;
uniform int other_count;
uniform vec4 others[16]; // the other planes: normal, and distance from the origin along it, m

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

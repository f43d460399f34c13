//! include view.glsl
//! include shade.glsl
//! include lines.glsl
/* The ground: a grid, every tenth line stronger, which fades away far off; the x axis is red and the y axis
 * green. */
in vec3 place;
uniform vec4 ground;
uniform bool upright; // it is a wall, with lines along x and z
uniform vec4 grid;  // x: distance of lines, m; y: strength; z: radius within which nothing fades, m; w: 1 = a solid floor
uniform vec3 floor_colour;

void main()
{
    vec2 at = upright ? place.xz : place.xy;
    float away = length(place - ground.xyz);
    float fade = 1.0 - smoothstep(grid.z, 2.5 * grid.z, away);
    float thin = grid_lines(at, grid.x) * 0.35, thick = grid_lines(at, 10.0 * grid.x) * 0.8;
    vec2 axes = 1.0 - min(abs(at) / max(fwidth(at), 1e-9) / 1.5, 1.0);
    float line = max(max(thin, thick), max(axes.x, axes.y)) * grid.y;
    vec3 colour = vec3(0.30);
    if (axes.y > axes.x && axes.y > 0.0) colour = vec3(0.75, 0.12, 0.10);
    if (axes.x > axes.y && axes.x > 0.0) colour = vec3(0.15, 0.50, 0.12);
    vec3 p = (view * vec4(place, 1.0)).xyz;
    vec3 n = normalize(mat3(view) * (upright ? vec3(0, -1, 0) : vec3(0, 0, 1)));
    float solid = grid.w * fade;
    vec3 to_eye = is_orthographic() ? vec3(0, 0, 1) : -normalize(p);
    if (solid > 0.0) {
        shade(p, n, to_eye, floor_colour, 0.0, solid);
    } else { // only the shadows on it are drawn
        solid = 0.5 * (1.0 - key_light(p, n)) * fade;
        direct_out = ambient_out = vec4(vec3(0.0), solid);
    }
    float over = line * fade;
    direct_out = direct_out * (1.0 - over) + vec4(colour * over * 0.5, over);
    ambient_out = ambient_out * (1.0 - over) + vec4(colour * over * 0.5, over);
    if (max(solid, over) < 0.004) discard;
}

//! include view.glsl
//! include shade.glsl
/* Cloth: without gloss; its threads are drawn where they are far enough apart to be seen. */
in vec3 seen_at, seen_normal;
in vec3 share;
in float quantity;
flat in ivec3 threads;
flat in vec3 tint; // linear

uniform sampler2D colour_map;

/* How much of the pixel threads cover. */
float thread_cover()
{
    vec3 wide = max(fwidth(share), 1e-6);
    vec3 near = (1.0 - min(share / wide, 1.0)) * vec3(threads);
    float fine = 1.0 - smoothstep(0.12, 0.3, max(wide.x, max(wide.y, wide.z)));
    return max(near.x, max(near.y, near.z)) * fine;
}

void main()
{
    vec3 to_eye = is_orthographic() ? vec3(0, 0, 1) : -normalize(seen_at);
    vec3 n = normalize(gl_FrontFacing ? seen_normal : -seen_normal);
    vec3 colour = tint;
    if (value.z > 0.5) {
        float v = (quantity - value.x) / max(value.y - value.x, 1e-30);
        colour = texture(colour_map, vec2(clamp(v, 0.0, 1.0) * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb;
    }
    colour *= (gl_FrontFacing ? 1.0 : 0.8);
    shade(seen_at, n, to_eye, mix(colour, 0.45 * colour, 0.6 * thread_cover()), 0.04, 1.0);
}

//! include view.glsl
//! include shade.glsl
/* A mark. */
in vec3 seen_at, seen_normal;
flat in vec3 tint;

void main()
{
    vec3 to_eye = is_orthographic() ? vec3(0, 0, 1) : -normalize(seen_at);
    shade(seen_at, normalize(seen_normal), to_eye, from_srgb(tint), 0.15, 1.0);
}

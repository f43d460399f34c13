//! include view.glsl
//! include shade.glsl
/* A collider or a body: without gloss, so that it does not draw the eye from the cables. */
in vec3 seen_at, seen_normal;

uniform vec3 paint; // sRGB

void main()
{
    vec3 to_eye = is_orthographic() ? vec3(0, 0, 1) : -normalize(seen_at);
    vec3 n = normalize(gl_FrontFacing ? seen_normal : -seen_normal); // an open mesh is seen from both sides
    shade(seen_at, n, to_eye, from_srgb(paint), 0.06, 1.0);
}

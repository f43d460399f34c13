//! include view.glsl
//! include shade.glsl
/* A collider: grey and without gloss, so that it does not draw the eye from the cables. */
in vec3 seen_at, seen_normal;

void main()
{
    vec3 to_eye = is_orthographic() ? vec3(0, 0, 1) : -normalize(seen_at);
    vec3 n = normalize(gl_FrontFacing ? seen_normal : -seen_normal); // an open mesh is seen from both sides
    shade(seen_at, n, to_eye, from_srgb(vec3(0.70, 0.70, 0.69)), 0.06, 1.0);
}

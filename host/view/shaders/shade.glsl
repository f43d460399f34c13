//! include shadow.glsl
/* Light on a surface, in two parts: the direct light, which shadows keep off, and the light from all around,
 * which ambient occlusion keeps off. */
#ifdef SHADOW
/* In the shadow map only depth counts. */
void shade(vec3 p, vec3 n, vec3 to_eye, vec3 colour, float gloss, float alpha) {}
#else
layout(location = 0) out vec4 direct_out;
layout(location = 1) out vec4 ambient_out;

/* p: place, n: unit normal, to_eye: unit vector to the eye, all in the camera's coordinates; colour:
 * linear. */
void shade(vec3 p, vec3 n, vec3 to_eye, vec3 colour, float gloss, float alpha)
{
    float key = max(dot(n, light.xyz), 0.0) * light.w;
    if (key > 0.0) key *= key_light(p, n);
    vec3 between = normalize(light.xyz + to_eye);
    float shine = max(dot(n, between), 0.0);
    shine *= shine, shine *= shine, shine *= shine, shine *= shine; // the 16th power
    shine = gloss * shine * shine * shine * key;
    float around = fill.w * (0.65 + 0.35 * dot(n, fill.xyz)); // less from below
    float rim = 1.0 - max(dot(n, to_eye), 0.0);
    rim *= 0.08 * rim * rim;
    direct_out = vec4((colour * key + vec3(shine)) * alpha, alpha);
    ambient_out = vec4(colour * (around + rim) * alpha, alpha);
}
#endif

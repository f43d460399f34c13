/* How much of the direct light reaches a place. A shadow is the softer, the farther away the thing is that
 * casts it (R. Fernando, "Percentage-Closer Soft Shadows", 2005). */
uniform sampler2DShadow shadow_map;
uniform sampler2D shadow_depth;

const int BLOCKERS = 12, TAPS = 24;

/* Places spread evenly over a disc (H. Vogel 1979), turned by another angle in each pixel. */
vec2 disc(int i, int count, float turn)
{
    float angle = float(i) * 2.39996 + turn;
    return sqrt((float(i) + 0.5) / float(count)) * vec2(cos(angle), sin(angle));
}

/* Noise that is even over neighbouring pixels (J. Jimenez 2014). */
float noise(vec2 at) { return fract(52.9829189 * fract(dot(at, vec2(0.06711056, 0.00583715)))); }

/* How much deeper the plane of the surface is at a distance `off`, m. */
float slope(vec3 n, vec2 off)
{
    float far = 2.0 * length(off);
    return clamp(dot(n.xy, off) / max(n.z, 0.1), -far, far);
}

/* 1 = lit. Beyond the far end of the map nothing casts shadows. */
float lit_at(vec2 at, float depth) { return texture(shadow_map, vec3(at, min(depth, 0.99999))); }

/* 1 = all of the light. p: place, n: normal, in the camera's coordinates. */
float key_light(vec3 p, vec3 n)
{
    if (shadow.w == 0.0) return 1.0;
    /* along the axes of the map; z: towards the light */
    vec3 row_x = vec3(to_shadow[0].x, to_shadow[1].x, to_shadow[2].x) / shadow.x;
    vec3 row_y = vec3(to_shadow[0].y, to_shadow[1].y, to_shadow[2].y) / shadow.y;
    vec3 m = vec3(dot(n, row_x), dot(n, row_y), dot(n, light.xyz));
    float texel = softness.y;
    vec3 at = (to_shadow * vec4(p + 0.7 * texel * n, 1.0)).xyz;
    at.z -= (softness.x == 0.0 ? 0.9 : 0.3) * texel * shadow.z;
    if (softness.x == 0.0) return mix(1.0, lit_at(at.xy, at.z), shadow.w);

    float turn = 6.2831853 * noise(gl_FragCoord.xy);
    float widest = 20.0 * texel;
    float reach = clamp(softness.x * at.z / shadow.z, 2.0 * texel, widest), sum = 0.0, blockers = 0.0;
    for (int i = 0; i < BLOCKERS; i++) {
        vec2 off = reach * disc(i, BLOCKERS, turn);
        float depth = texture(shadow_depth, at.xy + off * shadow.xy).r;
        if (depth < at.z + slope(m, off) * shadow.z) {
            sum += depth;
            blockers += 1.0;
        }
    }
    if (blockers == 0.0) return 1.0;
    float radius = clamp(softness.x * (at.z - sum / blockers) / shadow.z, 1.2 * texel, widest), lit = 0.0;
    for (int i = 0; i < TAPS; i++) {
        vec2 off = radius * disc(i, TAPS, turn);
        lit += lit_at(at.xy + off * shadow.xy, at.z + slope(m, off) * shadow.z);
    }
    return mix(1.0, lit / float(TAPS), shadow.w);
}

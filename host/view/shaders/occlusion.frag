//! include view.glsl
//! include depth.glsl
/* Ambient occlusion: how much of the light from all around reaches a place. Surfaces nearby that rise above
 * its plane keep some of it off. After M. McGuire, "Scalable Ambient Obscurance", 2012. x: light, y: distance
 * from the eye (m), for blur.frag. */
uniform vec4 reach; // x: radius within which surfaces count, m; y, z: its least and most in pixels; w: strength
out vec4 found;

const int TAPS = 14;

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy);
    float depth = depth_at(here);
    if (depth >= 1.0) {
        found = vec4(1.0, 1e9, 0.0, 0.0);
        return;
    }
    vec3 p = place_at(here, depth);
    float size = pixel_at(p), r = clamp(reach.x / size, reach.y, reach.z), radius = r * size;
    vec3 n = normal_at(here, p, radius);
    float turn = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    float sum = 0.0;
    for (int i = 0; i < TAPS; i++) {
        float part = (float(i) + 0.5) / float(TAPS), angle = float(i) * 2.39996 + turn;
        ivec2 there = here + ivec2(round(max(part * r, 1.0) * vec2(cos(angle), sin(angle))));
        there = clamp(there, ivec2(0), ivec2(viewport.xy) - 1);
        vec3 v = place_at(there, depth_at(there)) - p;
        float vv = dot(v, v), near = max(1.0 - vv / (radius * radius), 0.0);
        float rise = (dot(v, n) - 0.7 * size) * inversesqrt(vv + 1e-4 * radius * radius);
        sum += near * max(rise, 0.0);
    }
    float open = max(1.0 - 2.0 * sum / float(TAPS), 0.0);
    found = vec4(mix(1.0, open * open, reach.w), -p.z, 0.0, 0.0);
}

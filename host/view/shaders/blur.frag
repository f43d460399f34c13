//! include view.glsl
/* Smooths the noise of ambient occlusion along one axis, but not across edges. */
uniform sampler2D occlusion;
uniform ivec2 along;
uniform float apart; // m; depths that differ by more belong to different surfaces
out vec4 found;

const int WIDE = 3;

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy), last = ivec2(viewport.xy) - 1;
    vec2 middle = texelFetch(occlusion, here, 0).xy;
    float same = max(apart, 3.0 * (is_orthographic() ? pixel.x : pixel.x * middle.y));
    float sum = 0.0, weights = 0.0;
    for (int i = -WIDE; i <= WIDE; i++) {
        vec2 there = texelFetch(occlusion, clamp(here + i * along, ivec2(0), last), 0).xy;
        float weight = exp(-0.12 * float(i * i)) * max(1.0 - abs(there.y - middle.y) / same, 0.0);
        sum += weight * there.x;
        weights += weight;
    }
    found = vec4(sum / max(weights, 1e-4), middle.y, 0.0, 0.0);
}

/* Smooths edges of a finished picture: pixels are mixed along the direction in which the brightness changes
 * little, which is that of the edge. After FXAA of T. Lottes (2009). */
in vec2 at;
uniform sampler2D picture;
uniform vec2 texel;
out vec4 colour_out;

float brightness(vec2 off) { return dot(textureLod(picture, at + off * texel, 0.0).rgb, vec3(0.299, 0.587, 0.114)); }

void main()
{
    vec4 here = textureLod(picture, at, 0.0);
    float m = dot(here.rgb, vec3(0.299, 0.587, 0.114));
    float nw = brightness(vec2(-1, 1)), ne = brightness(vec2(1, 1)), sw = brightness(vec2(-1, -1)), se = brightness(vec2(1, -1));
    float lo = min(m, min(min(nw, ne), min(sw, se))), hi = max(m, max(max(nw, ne), max(sw, se)));
    colour_out = here;
    if (hi - lo < max(0.03, 0.1 * hi)) return;
    vec2 along = vec2(sw + se - nw - ne, ne + se - nw - sw);
    along /= min(abs(along.x), abs(along.y)) + max((nw + ne + sw + se) / 32.0, 1.0 / 128.0);
    along = clamp(along, -6.0, 6.0) * texel;
    vec4 near = 0.5 * (textureLod(picture, at - along / 6.0, 0.0) + textureLod(picture, at + along / 6.0, 0.0));
    vec4 wide = 0.5 * near + 0.25 * (textureLod(picture, at - 0.5 * along, 0.0) + textureLod(picture, at + 0.5 * along, 0.0));
    float check = dot(wide.rgb, vec3(0.299, 0.587, 0.114));
    colour_out = check < lo || check > hi ? near : wide;
}

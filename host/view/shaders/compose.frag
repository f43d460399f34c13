//! include view.glsl
/* Puts the picture together: both lights over the background, in sRGB, multiplied by alpha. */
in vec2 at;
uniform int over; // how many texels of the lights a pixel has along each edge
uniform sampler2D direct_light, ambient_light, occlusion;
uniform bool occluded;
uniform vec4 background_top, background_bottom; // linear, multiplied by alpha; alpha 0 = transparent
out vec4 colour_out;

/* Tone mapping: bright places approach white gradually (E. Reinhard 2002, with a white point). */
vec3 tone(vec3 c) { return c * (1.0 + c / 6.25) / (1.0 + 0.45 * c); }

void main()
{
    ivec2 first = ivec2(gl_FragCoord.xy) * over;
    vec4 sum = vec4(0.0);
    for (int y = 0; y < over; y++) {
        for (int x = 0; x < over; x++) {
            vec4 direct = texelFetch(direct_light, first + ivec2(x, y), 0);
            vec4 ambient = texelFetch(ambient_light, first + ivec2(x, y), 0);
            if (occluded) ambient.rgb *= texelFetch(occlusion, first + ivec2(x, y), 0).x;
            sum += vec4(tone(direct.rgb + ambient.rgb), ambient.a);
        }
    }
    sum /= float(over * over);
    vec4 all = sum + mix(background_bottom, background_top, at.y) * (1.0 - sum.a);
    all.rgb = min(all.rgb / max(all.a, 1e-4), 1.0); // alpha multiplies sRGB numbers, as programs that show pictures expect
    colour_out = vec4(to_srgb(all.rgb) * all.a, all.a);
}

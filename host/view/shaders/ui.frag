//! include view.glsl
/* Widgets: one colour times how much of the pixel the glyph covers. Premultiplied alpha. */
in vec2 glyph;
in vec4 tint; // sRGB
uniform sampler2D font;
uniform bool linear; // the framebuffer turns light into sRGB itself
out vec4 colour_out;

/* Mixed as light, dark strokes on a bright ground look thinner than bright ones on a dark ground, which the eye and
 * common fonts do not expect. Edges are moved against it; what is wholly in or out stays. */
float even_weight(float cover)
{
    float bright = dot(tint.rgb, vec3(0.3, 0.6, 0.1));
    return pow(cover, mix(0.6, 1.2, bright));
}

void main()
{
    float cover = texture(font, glyph).r;
    float alpha = tint.a * (linear ? even_weight(cover) : cover);
    colour_out = vec4((linear ? from_srgb(tint.rgb) : tint.rgb) * alpha, alpha);
}

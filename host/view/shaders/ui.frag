//! include view.glsl
/* Widgets: a colour times how much of the pixel the glyph covers, multiplied by alpha. */
in vec2 glyph;
in vec4 tint; // sRGB
uniform sampler2D font;
uniform bool linear; // the framebuffer converts linear light to sRGB
out vec4 colour_out;

/* When colours are mixed in linear light, dark strokes on a bright ground look thinner than bright ones on a
 * dark ground, for which fonts are not made. Partly covered pixels are changed to make up for that. */
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

//! include view.glsl
/* Widgets: one colour times how much of the pixel the glyph covers. Premultiplied alpha. */
in vec2 glyph;
in vec4 tint; // sRGB
uniform sampler2D font;
uniform bool linear; // the framebuffer turns light into sRGB itself
out vec4 colour_out;

void main()
{
    float alpha = tint.a * texture(font, glyph).r;
    colour_out = vec4((linear ? from_srgb(tint.rgb) : tint.rgb) * alpha, alpha);
}

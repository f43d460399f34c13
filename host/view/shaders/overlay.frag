/* How much of the pixel the stroke covers. Colours are sRGB, as the finished picture's are. */
flat in vec2 from, to;
flat in float wide;
flat in vec4 paint;
in vec2 at;
out vec4 colour;

void main()
{
    vec2 along = to - from;
    float square = dot(along, along);
    float t = square > 1e-8 ? clamp(dot(at - from, along) / square, 0.0, 1.0) : 0.0;
    float cover = clamp(wide + 0.5 - length(at - from - t * along), 0.0, 1.0) * paint.a;
    if (cover <= 0.0) discard;
    colour = vec4(paint.rgb * cover, cover);
}

/* Widgets: places are in points from the upper left corner. */
layout(location = 0) in vec2 point;
layout(location = 1) in vec2 at;
layout(location = 2) in vec4 colour;

uniform vec2 size; // of the picture, points
out vec2 glyph;
out vec4 tint;

void main()
{
    glyph = at;
    tint = colour;
    gl_Position = vec4(2.0 * point.x / size.x - 1.0, 1.0 - 2.0 * point.y / size.y, 0.0, 1.0);
}

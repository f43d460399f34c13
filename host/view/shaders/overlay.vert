/* A stroke of constant width in pixels: a rectangle around it, with room for a soft edge. */
layout(location = 0) in vec2 start; // pixels from the upper left corner
layout(location = 1) in vec2 end;
layout(location = 2) in float radius;
layout(location = 3) in vec4 colour;
uniform vec2 size; // of the picture, pixels

flat out vec2 from, to;
flat out float wide;
flat out vec4 paint;
out vec2 at;

void main()
{
    vec2 along = end - start;
    float far = length(along);
    along = far > 1e-4 ? along / far : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);
    float room = radius + 1.0;
    bool last = (gl_VertexID & 1) != 0;
    at = (last ? end + along * room : start - along * room) + across * ((gl_VertexID & 2) != 0 ? room : -room);
    from = start;
    to = end;
    wide = radius;
    paint = colour;
    gl_Position = vec4(at.x / size.x * 2.0 - 1.0, 1.0 - at.y / size.y * 2.0, 0.0, 1.0);
}

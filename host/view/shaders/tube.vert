//! include view.glsl
/* A piece of a tube: a straight capsule, seen through a rectangle that faces the eye and just covers it. A segment
 * is drawn as `pieces` of them along its curve. */
layout(location = 0) in ivec4 nodes; // before, a, b, after; -1 = none
layout(location = 1) in float radius;
layout(location = 2) in vec4 colour;
layout(location = 3) in uint cable;

uniform samplerBuffer rows; // x, y, z, value
uniform int pieces;
uniform uint selected; // cable that is marked

flat out vec3 from, to;                 // ends, in eye axes
flat out vec3 from_tangent, to_tangent; // 0 = this end is round
flat out vec2 size;                     // x: radius; y: what of its width is covered, 1 but for very thin ones
flat out vec3 tint;                     // sRGB
flat out vec2 values;
flat out float marked;
out vec3 place; // of the rectangle, in eye axes

/* Cubic through a and b, its tangents those of Catmull and Rom. */
vec3 curve(vec3 a, vec3 ta, vec3 b, vec3 tb, float t)
{
    float u = 1.0 - t;
    return (1.0 + 2.0 * t) * u * u * a + t * u * u * ta + t * t * (3.0 - 2.0 * t) * b - t * t * u * tb;
}

vec3 tangent(vec3 a, vec3 ta, vec3 b, vec3 tb, float t)
{
    return 6.0 * t * (1.0 - t) * (b - a) + (1.0 - t) * (1.0 - 3.0 * t) * ta + t * (3.0 * t - 2.0) * tb;
}

/* How far the rectangle reaches beyond its middle on the side of an end that is `depth` away from the eye, `across`
 * off the line of sight. d: distance of the middle. */
float reach(float across, float r, float d, float depth)
{
    float nearest = max(depth - r, 0.05 * d);
    return is_orthographic() ? across + r : (across + r) * max(d / nearest, 1.0);
}

void main()
{
    vec4 a = texelFetch(rows, nodes.y), b = texelFetch(rows, nodes.z);
    vec3 before = nodes.x >= 0 ? texelFetch(rows, nodes.x).xyz : a.xyz;
    vec3 after = nodes.w >= 0 ? texelFetch(rows, nodes.w).xyz : b.xyz;
    vec3 ta = nodes.x >= 0 ? 0.5 * (b.xyz - before) : b.xyz - a.xyz;
    vec3 tb = nodes.w >= 0 ? 0.5 * (after - a.xyz) : b.xyz - a.xyz;
    int piece = gl_InstanceID % pieces;
    float t0 = float(piece) / float(pieces), t1 = float(piece + 1) / float(pieces);

    from = (view * vec4(curve(a.xyz, ta, b.xyz, tb, t0), 1.0)).xyz;
    to = (view * vec4(curve(a.xyz, ta, b.xyz, tb, t1), 1.0)).xyz;
    from_tangent = t0 == 0.0 && nodes.x < 0 ? vec3(0) : mat3(view) * tangent(a.xyz, ta, b.xyz, tb, t0);
    to_tangent = t1 == 1.0 && nodes.w < 0 ? vec3(0) : mat3(view) * tangent(a.xyz, ta, b.xyz, tb, t1);
    values = mix(vec2(a.w), vec2(b.w), vec2(t0, t1));
    tint = colour.rgb;
    marked = cable == selected ? 1.0 : 0.0;

    /* Thinner than a pixel it would fall between them: it is drawn a pixel wide and lets through what is behind
     * (E. Persson, "Phone-wire AA", 2012). */
    vec3 middle = 0.5 * (from + to);
    float thinnest = 0.5 * pixel_at(middle);
    size = vec2(max(radius, thinnest), max(radius / max(radius, thinnest), 0.35));

    vec3 axis = to - from;
    float half_length = 0.5 * length(axis);
    axis = half_length > 0.0 ? axis / (2.0 * half_length) : vec3(1, 0, 0);
    float d = is_orthographic() ? 1.0 : max(length(middle), 1e-9);
    vec3 sight = is_orthographic() ? vec3(0, 0, -1) : middle / d;
    vec3 right = cross(axis, sight);
    float sine = length(right);
    right = sine > 1e-4 ? right / sine : normalize(cross(abs(sight.x) < 0.9 ? vec3(1, 0, 0) : vec3(0, 1, 0), sight));
    vec3 along = cross(sight, right); // at right angles to both; on the side of `to`
    float cosine = dot(axis, sight);
    float r = size.x + 1.5 * pixel_at(middle); // room for the soft edge
    float far_end = reach(half_length * sine, r, d, d + half_length * cosine);
    float near_end = reach(half_length * sine, r, d, d - half_length * cosine);
    float width = reach(0.0, r, d, d - half_length * abs(cosine));
    if (dot(along, axis) < 0.0) along = -along;
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    place = middle + right * width * (2.0 * corner.x - 1.0) + along * mix(-near_end, far_end, corner.y);
    gl_Position = projection * vec4(place, 1.0);
}

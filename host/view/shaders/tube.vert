//! include view.glsl
/* A piece of a tube: a straight capsule from one place of a strand's curve to another. What is drawn is a
 * rectangle that faces the eye and just covers the capsule. */
layout(location = 0) in uint strand;
layout(location = 1) in vec2 range; // from where to where on the strand, counted in nodes

uniform samplerBuffer rows;     // x, y, z, value
uniform isamplerBuffer strands; // two for each: first node, step, count, cable; radius (float), colour, own colour
uniform uint selected;          // the cable that is highlighted

flat out vec3 from, to;                 // ends, in the camera's coordinates
flat out vec3 from_tangent, to_tangent; // m per node
flat out vec2 is_end;                   // 1 = the strand ends here, with a ball
flat out vec2 size;                     // x: radius; y: coverage, 1 unless it is thinner than a pixel
flat out vec4 tint;                     // linear; a: how strongly it is highlighted
flat out vec2 values;
flat out int own_colour; // not 0: it shows no quantity
#ifndef SHADOW
uniform samplerBuffer directors;             // x, y, z; 0 = it is not known how the cable is rolled
flat out vec3 from_director, to_director;    // where the stripe is at both ends, in the camera's coordinates
#endif
out vec3 place; // on the rectangle, in the camera's coordinates

struct Place {
    vec4 at;      // x, y, z, value
    vec3 tangent; // m per node
};

ivec4 nodes; // of the strand: first, step, last

vec4 node(int i) { return texelFetch(rows, nodes.x + clamp(i, 0, nodes.z) * nodes.y); }

/* The tangent at a node, of a Catmull-Rom spline; at the ends that of the last segment. */
vec3 node_tangent(int i)
{
    int lo = max(i - 1, 0), hi = min(i + 1, nodes.z);
    return (node(hi).xyz - node(lo).xyz) / float(hi - lo);
}

/* A place on the curve: cubics through the nodes. */
Place place_on_strand(float where)
{
    int i = int(where);
    float t = where - float(i), u = 1.0 - t;
    if (t == 0.0) return Place(node(i), node_tangent(i));
    vec4 a = node(i), b = node(i + 1);
    vec3 ta = node_tangent(i), tb = node_tangent(i + 1);
    vec3 p = (1.0 + 2.0 * t) * u * u * a.xyz + t * u * u * ta + t * t * (3.0 - 2.0 * t) * b.xyz - t * t * u * tb;
    vec3 along = 6.0 * t * u * (b.xyz - a.xyz) + u * (1.0 - 3.0 * t) * ta + t * (3.0 * t - 2.0) * tb;
    return Place(vec4(p, mix(a.w, b.w, t)), along);
}

#ifndef SHADOW
/* The director at a place on the curve: it turns evenly from node to node, by half a turn at most. */
vec3 director_on_strand(float where, vec3 tangent)
{
    int i = int(where);
    float t = where - float(i);
    vec3 a = texelFetch(directors, nodes.x + i * nodes.y).xyz;
    if (t == 0.0) return a;
    vec3 b = texelFetch(directors, nodes.x + (i + 1) * nodes.y).xyz;
    if (dot(a, a) < 0.5 || dot(b, b) < 0.5) return vec3(0.0);
    vec3 along = tangent * inversesqrt(max(dot(tangent, tangent), 1e-20));
    a = normalize(a - dot(a, along) * along);
    float turn = t * atan(dot(cross(a, b), along), dot(a, b));
    return cos(turn) * a + sin(turn) * cross(along, a);
}
#endif

/* The radius in which a ball of radius r, `depth` m away, appears on the plane through the middle of the
 * piece, d m away. */
float apparent(float r, float d, float depth) { return is_orthographic() ? r : r * d / max(depth - r, 0.05 * d); }

void main()
{
    ivec4 look = texelFetch(strands, 2 * int(strand) + 1);
    nodes = texelFetch(strands, 2 * int(strand));
    nodes.z -= 1;
    float radius = intBitsToFloat(look.x);
    own_colour = look.z;
    tint.rgb = from_srgb(vec3(look.y & 255, look.y >> 8 & 255, look.y >> 16 & 255) / 255.0);
    tint.a = selected != 0xFFFFFFFFu && uint(nodes.w) == selected ? 0.75 : 0.0; // that number: none, or no cable
    Place a = place_on_strand(range.x), b = place_on_strand(range.y);
    from = (view * vec4(a.at.xyz, 1.0)).xyz;
    to = (view * vec4(b.at.xyz, 1.0)).xyz;
    from_tangent = mat3(view) * a.tangent;
    to_tangent = mat3(view) * b.tangent;
    is_end = vec2(range.x == 0.0, range.y == float(nodes.z));
    values = vec2(a.at.w, b.at.w);
#ifndef SHADOW
    from_director = to_director = vec3(0.0);
    if (value.w > 0.5) {
        from_director = mat3(view) * director_on_strand(range.x, a.tangent);
        to_director = mat3(view) * director_on_strand(range.y, b.tangent);
    }
#endif

    /* Thinner than a pixel it would fall between them: it is drawn a pixel wide and lets through what is
     * behind (E. Persson, "Phone-wire AA", 2012). */
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
    vec3 along = cross(sight, right); // at right angles to both, towards `to`
    float cosine = dot(axis, sight);
    if (dot(along, axis) < 0.0) along = -along;
    float r = size.x + (pixel.y > 1.5 ? 0.6 : 0.1) * pixel_at(middle); // room for the soft edge

    /* The corners are on the lines that touch the balls at both ends, beyond these. */
    vec2 depth = d + half_length * cosine * vec2(-1, 1);
    vec2 wide = vec2(apparent(r, d, depth.x), apparent(r, d, depth.y));
    vec2 way = half_length * sine * (is_orthographic() ? vec2(1) : d / max(depth, 0.05 * d));
    float lean = (wide.x - wide.y) / max(way.x + way.y, 1e-20);
    vec2 edge = vec2(max(wide.x, wide.y));
    if (abs(lean) < 0.7) edge = wide * (1.0 + lean * vec2(1, -1)) * inversesqrt(1.0 - lean * lean);
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    float side = 2.0 * corner.x - 1.0, reach = corner.y > 0.5 ? way.y + wide.y : -(way.x + wide.x);
    place = middle + right * side * (corner.y > 0.5 ? edge.y : edge.x) + along * reach;
#ifdef FLAT /* the depth of the front of the end that is nearer to this corner; in the shadow map that of its middle */
    float deep = corner.y > 0.5 ? to.z : from.z;
#ifndef SHADOW
    deep += size.x;
#endif
    place = is_orthographic() ? vec3(place.xy, deep) : place * min(deep / place.z, 1.0);
#endif
    gl_Position = projection * vec4(place, 1.0);
}

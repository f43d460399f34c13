//! include view.glsl
//! include shade.glsl
/* Where the line of sight meets the capsule, its normal there, and how much of the pixel is covered. */
flat in vec3 from, to;
flat in vec3 from_tangent, to_tangent;
flat in vec2 size;
flat in vec3 tint;
flat in vec2 values;
flat in float marked;
in vec3 place;

uniform sampler2D colour_map;

/* How far along the ray the capsule is met; negative = missed. */
float meet(vec3 origin, vec3 direction, vec3 a, vec3 axis, float r)
{
    vec3 oa = origin - a;
    float aa = dot(axis, axis), ad = dot(axis, direction), ao = dot(axis, oa);
    float od = dot(direction, oa), oo = dot(oa, oa);
    float p = aa - ad * ad, q = aa * od - ao * ad, s = aa * oo - ao * ao - r * r * aa;
    float root = q * q - p * s;
    if (root < 0.0) return -1.0;
    float t = p > 1e-9 * aa ? (-q - sqrt(root)) / p : 0.0;
    float y = ao + t * ad;
    if (p > 1e-9 * aa && y > 0.0 && y < aa) return t;
    vec3 oc = p > 1e-9 * aa ? (y <= 0.0 ? oa : origin - (a + axis)) : (ad > 0.0 ? oa : origin - (a + axis));
    float h = dot(direction, oc);
    root = h * h - (dot(oc, oc) - r * r);
    return root > 0.0 ? -h - sqrt(root) : -1.0;
}

/* Where the ray comes nearest to the segment: x: share of the segment, y: way along the ray. */
vec2 nearest(vec3 origin, vec3 direction, vec3 a, vec3 axis)
{
    vec3 oa = origin - a;
    float aa = max(dot(axis, axis), 1e-20), ad = dot(axis, direction), ao = dot(axis, oa);
    float od = dot(direction, oa), det = aa - ad * ad;
    float s = det > 1e-9 * aa ? clamp((ao - ad * od) / det, 0.0, 1.0) : 0.0;
    return vec2(s, s * ad - od);
}

void main()
{
    vec3 origin = is_orthographic() ? vec3(place.xy, 0.0) : vec3(0.0);
    vec3 direction = is_orthographic() ? vec3(0, 0, -1) : normalize(place);
    /* counted from close by: an eye far away would cost digits */
    float ahead = dot(0.5 * (from + to) - origin, direction);
    vec3 start = origin + ahead * direction;
    vec3 axis = to - from;
    vec2 near = nearest(start, direction, from, axis);
    float off = length(start + near.y * direction - (from + near.x * axis));
#ifdef SHADOW
    /* The axis casts the shadow: the surface is a radius before it, what it lies on a radius behind. */
    if (off >= size.x) discard;
    vec4 middle = projection * vec4(start + near.y * direction, 1.0);
    gl_FragDepth = clamp(0.5 * middle.z / middle.w + 0.5, 0.0, 1.0);
#else
    float coverage = clamp((size.x - off) / pixel_at(start) + 0.5, 0.0, 1.0);
    if (coverage < (pixel.y > 1.5 ? 0.02 : 0.5)) discard;
    coverage *= size.y;

    float t = off < size.x ? meet(start, direction, from, axis, size.x) : -1e30;
    bool missed = off >= size.x;
    if (missed || t == -1.0) t = near.y;
    vec3 p = start + t * direction;
    float s = clamp(dot(p - from, axis) / max(dot(axis, axis), 1e-20), 0.0, 1.0);
    vec3 n = p - (from + s * axis);
    /* the tube bends on from piece to piece, its normals with it */
    vec3 bend = mix(from_tangent, to_tangent, s);
    bool round_end = (s <= 0.0 && dot(from_tangent, from_tangent) == 0.0) ||
                     (s >= 1.0 && dot(to_tangent, to_tangent) == 0.0);
    if (!round_end) {
        if (dot(from_tangent, from_tangent) == 0.0) bend = mix(axis, to_tangent, s);
        if (dot(to_tangent, to_tangent) == 0.0) bend = mix(from_tangent, axis, s);
        if (from_tangent == to_tangent && dot(from_tangent, from_tangent) == 0.0) bend = axis;
        n -= bend * dot(n, bend) / max(dot(bend, bend), 1e-20);
    }
    n = normalize(n);
    vec4 clip = projection * vec4(p, 1.0);
    gl_FragDepth = clamp(0.5 * clip.z / clip.w + 0.5, 0.0, 1.0);

    vec3 colour = tint;
    if (value.z > 0.5) {
        float v = (mix(values.x, values.y, s) - value.x) / max(value.y - value.x, 1e-30);
        colour = texture(colour_map, vec2(clamp(v, 0.0, 1.0) * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb;
    }
    if (marked > 0.5) colour = mix(colour, vec3(1.0, 0.62, 0.1), 0.75); // the colour of a selection in Blender
    shade(p, n, -direction, from_srgb(colour), 0.25, 1.0);
    direct_out.a = coverage; // how many of the pixel's samples; the alpha of the picture is the other's
#endif
}

//! include view.glsl
//! include shade.glsl
/* Finds where the line of sight meets the capsule, the normal there, and how much of the pixel is covered.
 * With FLAT the depth is that of the plane, so that the hardware can leave out hidden pixels early. */
flat in vec3 from, to;
flat in vec3 from_tangent, to_tangent;
flat in vec2 is_end;
flat in vec2 size;
flat in vec4 tint;
flat in vec2 values;
flat in int own_colour;
in vec3 place;

uniform sampler2D colour_map;

#ifndef SHADOW
flat in vec3 from_director, to_director; // 0 = no stripe

/* How much of a pixel at p, with the normal n, is covered by the stripe, at s of the way along the piece. It turns evenly about the
 * tangent from one director to the other. */
float stripe_at(vec3 p, vec3 n, vec3 tangent, float s)
{
    const float half_width = 0.4; // rad about the axis
    if (value.w < 0.5 || dot(from_director, from_director) < 0.5 || dot(to_director, to_director) < 0.5) return 0.0;
    vec3 along = tangent * inversesqrt(max(dot(tangent, tangent), 1e-20));
    vec3 a = from_director - dot(from_director, along) * along;
    float turn = atan(dot(cross(a, to_director), along), dot(a, to_director) - dot(a, along) * dot(to_director, along));
    float off = atan(dot(cross(a, n), along), dot(a, n)) - s * turn;
    off -= 6.2831853 * round(off / 6.2831853);
    return clamp((half_width - abs(off)) * size.x / pixel_at(p) + 0.5, 0.0, 1.0);
}
#endif

float depth_of(float z)
{
    float depth = (projection[2].z * z + projection[3].z) / (projection[2].w * z + projection[3].w);
    return clamp(0.5 * depth + 0.5, 0.0, 1.0);
}

void main()
{
    vec3 origin = is_orthographic() ? vec3(place.xy, 0.0) : vec3(0.0);
    vec3 direction = is_orthographic() ? vec3(0, 0, -1) : normalize(place);
    /* from a point nearby: with an eye far away digits would be lost in rounding */
    origin += dot(0.5 * (from + to) - origin, direction) * direction;

    /* where the line of sight is nearest to the axis: s along it, from 0 to 1 */
    vec3 axis = to - from, way = origin - from;
    float aa = max(dot(axis, axis), 1e-20), ad = dot(axis, direction), wd = dot(way, direction);
    float across = aa - ad * ad; // 0 = the line of sight goes along the axis
    bool along = across < 1e-7 * aa;
    float line = along ? (ad > 0.0 ? -1.0 : 2.0) : (dot(axis, way) - ad * wd) / across;
    float s = clamp(line, 0.0, 1.0), t = s * ad - wd, r = size.x;
    float off = length(way + t * direction - s * axis);
#ifdef SHADOW
    /* The axis casts the shadow: the surface is a radius in front of it, and what the tube lies on a radius
     * behind it. */
    if (off >= r) discard;
#ifndef FLAT
    gl_FragDepth = depth_of(origin.z + t * direction.z);
#endif
#else
    float coverage = clamp((r - off) / pixel_at(origin) + 0.5, 0.0, 1.0);
    if (coverage < (pixel.y > 1.5 ? 0.02 : 0.5)) discard;

    if (off < r) {
        float t_line = line * ad - wd;
        vec3 gap = way + t_line * direction - line * axis;
        float back = along ? 0.0 : sqrt(max((r * r - dot(gap, gap)) * aa / across, 0.0));
        t = t_line - back;
        float met = line - back * ad / aa;
        s = clamp(met, 0.0, 1.0);
        if (met != s) { // it meets the ball at the end
            vec3 from_middle = way - s * axis;
            float h = dot(direction, from_middle);
            t = -h - sqrt(max(r * r - dot(from_middle, from_middle) + h * h, 0.0));
        }
    }
#ifndef FLAT
    gl_FragDepth = depth_of(origin.z + t * direction.z);
#endif
    vec3 p = origin + t * direction;
#ifdef FLAT /* pieces end about where the next one begins, as it is not known which of them is in front there */
    float before = dot(from - p, from_tangent) * inversesqrt(dot(from_tangent, from_tangent));
    float behind = dot(p - to, to_tangent) * inversesqrt(dot(to_tangent, to_tangent));
    if (before > 0.15 * r && is_end.x == 0.0 || behind > 0.15 * r && is_end.y == 0.0) discard;
#endif
    vec3 n = way + t * direction - s * axis;
    /* normals turn evenly from piece to piece, so that the tube looks bent and not straight */
    bool round_end = s <= 0.0 && is_end.x > 0.0 || s >= 1.0 && is_end.y > 0.0;
    vec3 bend = mix(from_tangent, to_tangent, s);
    if (!round_end) n -= bend * (dot(n, bend) / max(dot(bend, bend), 1e-20));
    n = normalize(n);

    vec3 colour = tint.rgb;
    if (value.z > 0.5 && own_colour == 0) {
        float v = (mix(values.x, values.y, s) - value.x) / max(value.y - value.x, 1e-30);
        colour = texture(colour_map, vec2(clamp(v, 0.0, 1.0) * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb;
    }
    colour = mix(colour, vec3(1.0, 0.342, 0.01), tint.a); // the colour of a selection in Blender
    if (!round_end) {
        float brightness = dot(colour, vec3(0.2126, 0.7152, 0.0722));
        colour = mix(colour, vec3(brightness > 0.08 ? 0.005 : 0.8), stripe_at(p, n, bend, s));
    }
    shade(p, n, -direction, colour, 0.25, 1.0);
    direct_out.a = coverage * size.y; // of the pixel's samples; the picture takes alpha from the other light
#endif
}

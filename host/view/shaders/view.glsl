/* What every shader knows of the camera and the light. The same block as in view_block.h. */
layout(std140) uniform View {
    mat4 view;         // world to eye
    mat4 projection;   // eye to clip
    mat4 inverse_view; // eye to world
    vec4 light;        // towards the direct light, in the camera's coordinates; w: its strength
    vec4 fill;         // up, in the camera's coordinates; w: strength of the light from all around
    vec4 eye;          // in the world, m; w: 1 = orthographic
    vec4 viewport;     // width, height, 1 / width, 1 / height; pixels
    vec4 pixel;        // x: size of a pixel, m; in perspective at a distance of 1 m; y: samples of a pixel
    vec4 value;        // x, y: the values at the ends of the colour map; z: 1 = colours show values; w: 1 = stripes are painted
    mat4 to_shadow;    // eye to shadow map: place 0 to 1, depth 0 to 1
    vec4 shadow;       // x, y: 1 m in the map, as a part of its size; z: 1 m of depth, likewise; w: strength, 0 = no shadows
    vec4 softness;     // x: tangent of half the angle that the light spans, 0 = hard shadows; y: texel of the map, m
};

bool is_orthographic() { return eye.w > 0.5; }

/* The size of a pixel at a place (in the camera's coordinates), m. */
float pixel_at(vec3 p) { return is_orthographic() ? pixel.x : pixel.x * max(-p.z, 1e-6); }

vec3 from_srgb(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
vec3 to_srgb(vec3 c) { return mix(c * 12.92, 1.055 * pow(max(c, 0.0), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)); }

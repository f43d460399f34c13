//! include view.glsl
/* A collider or a body: triangles in its own coordinates. */
layout(location = 0) in vec3 at;
layout(location = 1) in vec3 outward;

uniform mat4 place; // from its own coordinates into the world

out vec3 seen_at, seen_normal; // in the camera's coordinates

void main()
{
    vec4 p = view * (place * vec4(at, 1.0));
    seen_at = p.xyz;
    seen_normal = mat3(view) * (mat3(place) * outward);
    gl_Position = projection * p;
}

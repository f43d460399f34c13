//! include view.glsl
/* A large square at the height of the ground. */
uniform vec4 ground; // x, y: middle, z: height, w: half edge; m
out vec3 place;      // in the world

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    place = vec3(ground.xy + corner * ground.w, ground.z);
    gl_Position = projection * view * vec4(place, 1.0);
}

//! include view.glsl
/* A large square at the height of the ground, or a wall. */
uniform vec4 ground;  // x, y: middle; z: height; w: half the edge; m. For a wall y is where it stands
uniform bool upright; // it is a wall
out vec3 place;      // in the world

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    place = ground.xyz + ground.w * (upright ? vec3(corner.x, 0.0, corner.y) : vec3(corner, 0.0));
    gl_Position = projection * view * vec4(place, 1.0);
}

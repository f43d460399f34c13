/* How much of the pixel is covered by lines at multiples of `step`, along both axes. */
float grid_lines(vec2 at, float step)
{
    vec2 unit = at / step, wide = fwidth(unit);
    vec2 off = abs(fract(unit - 0.5) - 0.5) / max(wide, 1e-6);
    float fine = 1.0 - smoothstep(0.2, 0.5, max(wide.x, wide.y)); // less where lines are too close together to be seen
    return (1.0 - min(min(off.x, off.y), 1.0)) * fine;
}

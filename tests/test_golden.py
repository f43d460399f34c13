"""Pictures against pictures that were looked at and found good: tests/golden/*.png.

usage: test_golden.py PROGRAM SCENES FOLDER [--accept [NAME...]]

FOLDER takes what differs: NAME.png as it is now and NAME-difference.png (grey: as it was, red: where it differs).
--accept makes them (or those named) the golden ones. Skipped (77) where there is no OpenGL without a screen.

Scenes are drawn after one frame in which next to nothing moves, so that a picture tells of drawing, not of physics.

How pictures are compared: light is blurred a little, as an eye does that sees the picture whole (binomial, standard
deviation 1 pixel), then each pixel's distance in CIELAB is taken (CIE 1976: 1 is what can just be told by comparing, 10
is another colour). Other versions and drivers of OpenGL round samples and edges differently; that moves single pixels
at edges, and less when blurred. What is wrong moves surfaces. MEAN and TAIL lie between, see BOUNDS; `class Breaking` shows it
by breaking the program on purpose.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import png

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE / "golden"
SIZE = (320, 200)

# BOUNDS. On llvmpipe (Mesa 22.3.6) the same program draws the same bytes; with the vectors of another CPU
# (GALLIUM_OVERRIDE_CPU_CAPS=sse2) it is up to 0.07 and 0.45 off. All edges a sixth of a pixel aside, what other samples may
# do at worst, make 0.11 to 0.36 and 1.6 to 3.6. What is broken makes 1.8 and 23 at least. These lie halfway, counted in
# factors. Each test prints its numbers.
MEAN = 0.8  # of all pixels
TAIL = 9.0  # what a hundredth of them exceeds

EDGES = ("tubes", "pile", "front", "top-dark")  # pictures that are moved, below

SANITIZED = "CLCABLE_SANITIZED" in os.environ  # pictures are drawn there, and compared in the optimised build

TIME = {"duration": 0.01, "frame_rate": 100, "substeps": 2}
FLOOR = {"name": "floor", "shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]}


def scene(**more):
    return {"clcable": 1, "gravity": [0, 0, 0], "time": TIME,
            "materials": {"wire": {"radius": 0.02, "linear_density": 0.1}, "rope": {"radius": 0.035, "linear_density": 0.3}},
            "contact": {"cables": False, "self": False}, **more}


def cable(name, path, material="wire", **more):
    return {"name": name, "material": material, "path": path, "curve": "catmull-rom", "segments": 32, **more}


WAVES = [
    cable("a", [[-0.6, -0.2, 0.1], [-0.2, 0.1, 0.25], [0.2, -0.3, 0.2], [0.6, 0, 0.04]]),
    cable("b", [[-0.5, 0.3, 0.04], [-0.1, -0.2, 0.3], [0.3, 0.3, 0.1], [0.5, -0.3, 0.3]], "rope"),
    cable("c", [[0, 0.45, 0.035], [0, 0.1, 0.035], [0.15, -0.2, 0.035], [-0.2, -0.45, 0.035]], "rope"),
]


def log(level, place):
    """One of a pile: every other level lies crosswise."""
    z = 0.02 + 0.04 * level
    ends = [[-0.35, place, z], [0.35, place, z]]
    return cable(f"{level}-{place:g}", ends if level % 2 else [[y, x, z] for x, y, z in ends])


PILE = [log(level, 0.12 * i - 0.3) for level in range(5) for i in range(6)]
SHEET = {"name": "cloth", "material": "wire", "corner": [-0.5, -0.5, 0.4], "along": [1, 0, 0.2], "across": [0, 1, 0],
         "count": [11, 11], "diagonals": "both", "area_density": 0.2}
SOLIDS = [
    {"shape": "sphere", "center": [-0.4, 0.1, 0.2], "radius": 0.2},
    {"shape": "capsule", "from": [0.1, -0.5, 0.1], "to": [0.1, 0.4, 0.3], "radius": 0.08},
    {"shape": "box", "center": [0.45, 0.1, 0.15], "half_extents": [0.15, 0.2, 0.15], "rotation": [0.92, 0, 0, 0.38]},
]
PLUG = {"name": "plug", "position": [-0.05, -0.4, 0.3], "rotation": [0.92, 0, 0.38, 0], "mass": 1, "shapes": [
    {"shape": "box", "center": [0, 0, 0.1], "half_extents": [0.1, 0.06, 0.12]},
    {"shape": "cylinder", "from": [0, 0, -0.02], "to": [0, 0, -0.15], "radius": 0.05},
    {"shape": "sphere", "center": [0, 0, -0.17], "radius": 0.06}]}
ROD = {"name": "rod", "position": [0.45, -0.2, 0.1], "mass": 1, "copies": {"count": [1, 2, 1], "spacing": [0, 0.4, 0]}, "shapes": [
    {"shape": "capsule", "from": [-0.1, 0, 0], "to": [0.2, 0, 0.2], "radius": 0.06}]}
RING = {"name": "ring", "shape": "mesh", "file": "ring.obj", "center": [0, 0, 0.2], "rotation": [0.966, 0.259, 0, 0]}
MARKED = scene(
    cables=[cable("a", [[-0.5, 0, 0.4], [0, 0, 0.3], [0.5, 0, 0.4]]),
            cable("b", [[0.5, 0, 0.4], [0.6, 0, 0.2], [0.6, 0, 0.05]])],
    attachments=[{"cable": "a", "at": "start", "to": "here", "clamp": True},
                 {"cable": "b", "at": "start", "to": {"cable": "a", "at": "end"}},
                 {"cable": "b", "at": "end", "to": {"keyframes": [[0, 0.6, 0, 0.05], [5, 0.6, 0.4, 0.05]]}}],
    loads=[{"cable": "a", "at": 0.5, "mass": 0.2}, {"cable": "a", "at": 0.25, "force": [0, 0, 0.01]}], colliders=[FLOOR])
FALLING = scene(cables=[cable("a", [[-0.5, 0, 0.5], [0.5, 0, 0.5]], velocity=[0, 0, 0]),
                        cable("b", [[-0.5, 0.2, 0.5], [0.5, 0.2, 0.3]], "rope", velocity=[0, 0.5, 0]),
                        cable("c", [[-0.5, 0.4, 0.3], [0.5, 0.4, 0.5]], velocity=[0, 1, 0])], colliders=[FLOOR])
TUBES = scene(cables=WAVES, colliders=[FLOOR])

PARTICLES = {"clcable": 1, "particles": {
    "time": {"duration": 0.01, "frame_rate": 100}, "settings": {"gravity": [0, 0]},
    "particles": [{"position": [0, 0]}, {"position": [1, 0.5], "mass": 3}, {"position": [2, 0]}, {"position": [3, 0.6]},
                  {"position": [4, 0.5]}],
    "forces": [{"kind": "spring", "particles": [1, 2], "rest_length": 1.1, "stiffness": 1, "damping": 0},
               {"kind": "angle-energy", "particles": [1, 2, 3], "angle": 60, "stiffness": 20, "damping": 0}],
    "constraints": [{"kind": "point", "particles": [0]}, {"kind": "rod", "particles": [0, 1]},
                    {"kind": "rod", "particles": [2, 3]},
                    {"kind": "ellipse", "particles": [4], "point": [3.7, 0], "point2": [4.3, 0], "length": 1.1661904}]}}
PLANAR = {"clcable": 1, "planar": {
    "time": {"duration": 0.01, "frame_rate": 100}, "gravity": [0, 0],
    "bodies": [{"name": "wheel", "motion": "axle", "position": [0, 0], "radius": 0.3},
               {"name": "box", "motion": "static", "position": [0.9, -0.2], "box": [0.2, 0.15], "angle": 0.3},
               {"name": "weight", "position": [-0.32, -0.8], "radius": 0.1}],
    "cables": [{"name": "c", "radius": 0.02,
                "links": [{"body": "weight", "point": [0, 0]}, {"body": "wheel", "spin": -1}, {"body": "box", "spin": 1},
                          {"point": [1.6, 0.2]}]}]}}

# name: scene, options
PICTURES = {
    "tubes": (TUBES, ()),
    "pile": (scene(cables=PILE, colliders=[FLOOR]), ("--colour", "material")),
    "sheet": (scene(sheets=[SHEET], colliders=[FLOOR]), ()),
    "solids": (scene(cables=WAVES[:1], colliders=[FLOOR, *SOLIDS]), ("--fov", 60)),
    "bodies": (scene(method="direct", cables=WAVES[:1], colliders=[FLOOR, SOLIDS[0]], bodies=[PLUG, ROD]), ("--fov", 60)),
    "mesh": (scene(cables=[cable("a", [[-0.3, 0, 0.2], [0.3, 0, 0.25]])], colliders=[FLOOR, RING]), ()),
    "marks": (MARKED, ()),
    "curvature": (TUBES, ("--colour", "curvature")),
    "speed-dark": (FALLING, ("--colour", "speed", "--range", "0:1.2", "--background", "dark")),
    "transparent": (TUBES, ("--background", "transparent", "--grid", "off")),
    "front": (TUBES, ("--view", "front")),
    "top-dark": (TUBES, ("--view", "top", "--background", "dark", "--legend", "on")),
    "high": (TUBES, ("--quality", "high", "--zoom", 2.5)),
    "draft": (TUBES, ("--quality", "draft")),
    "particles": (PARTICLES, ()),
    "planar": (PLANAR, ("--range", "0:1")),
}
if "CLCABLE_NO_STUDIES" in os.environ:  # in a build without them
    del PICTURES["particles"], PICTURES["planar"]


class Studio:
    """Draws the pictures with a program."""

    def __init__(self, program, scenes):
        self.program = program
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="clcable-golden-"))
        shutil.copy(scenes / "ring.obj", self.folder)

    def close(self):
        shutil.rmtree(self.folder)

    def draw(self, name, *more):
        """The picture's path, or None where there is no OpenGL."""
        content, options = PICTURES[name]
        (self.folder / f"{name}.json").write_text(json.dumps(content))
        words = [self.program, "render", f"{name}.json", "-o", f"{name}.png", "--size", "%dx%d" % SIZE, "--device", "native",
                 "--quiet", *map(str, options), *map(str, more)]
        result = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=280)
        if "libegl1" in result.stderr:
            print("skipped: no OpenGL without a screen:", result.stderr.strip())
            return None
        if result.returncode:
            raise RuntimeError(f"{words}: {result.stderr}")
        return self.folder / f"{name}.png"


LINEAR = [(v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4) for v in range(256)]


def light(path):
    """Three lists of linear light. What is transparent stands before a colour that is nowhere, so that alpha counts."""
    width, height, channels, data = png.read(path)
    planes = [[LINEAR[v] for v in data[c::channels]] for c in range(3)]
    if channels == 4:
        alpha = [v / 255 for v in data[3::4]]
        for plane, behind in zip(planes, (0.6, 0, 0.6)):
            plane[:] = [v * a + behind * (1 - a) for v, a in zip(plane, alpha)]
    return width, height, planes


def blurred(plane, width):
    """Twice one, two, one, along and across. Rows run on into one another, the same in both pictures."""
    for step in (1, width, 1, width):
        before, after = plane[:step] + plane[:-step], plane[step:] + plane[-step:]
        plane = [(a + 2 * b + c) / 4 for a, b, c in zip(before, plane, after)]
    return plane


def curve(v):
    return v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116


def lab(planes):
    """CIELAB of linear sRGB, white D65."""
    out = []
    for r, g, b in zip(*planes):
        x = curve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
        y = curve(0.2126 * r + 0.7152 * g + 0.0722 * b)
        z = curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.0890)
        out.append((116 * y - 16, 500 * (x - y), 200 * (y - z)))
    return out


def seen(path):
    width, height, planes = light(path)
    return width, height, lab([blurred(plane, width) for plane in planes])


def distances(one, other):
    return [((a - d) ** 2 + (b - e) ** 2 + (c - f) ** 2) ** 0.5 for (a, b, c), (d, e, f) in zip(one, other)]


def summary(values):
    """Mean, and what a hundredth of the pixels exceed."""
    return sum(values) / len(values), sorted(values)[len(values) * 99 // 100]


def passes(mean, tail):
    return mean <= MEAN and tail <= TAIL


def write_difference(path, golden, values):
    width, height, colours = golden
    pixels = bytearray()
    for (lightness, _, _), value in zip(colours, values):
        grey, red = 0.5 * lightness * 2.55, min(value / 20, 1)
        pixels += bytes(max(0, min(255, int(v))) for v in (grey + red * (255 - grey), grey * (1 - red), grey * (1 - red)))
    png.write(path, width, height, bytes(pixels))


class Case(unittest.TestCase):
    def compare(self, name, drawn):
        golden = GOLDEN / f"{name}.png"
        if not golden.exists():
            return None
        one, other = seen(golden), seen(drawn)
        if one[:2] != other[:2]:
            return None
        values = distances(one[2], other[2])
        return one, values, *summary(values)


class Pictures(Case):
    """Each picture is as it was."""

    def check(self, name):
        drawn = STUDIO.draw(name)
        accept = f"if the new one is right: {sys.executable} {pathlib.Path(__file__)} {STUDIO.program} {SCENES} {FOLDER} --accept {name}"
        if SANITIZED:
            self.assertEqual(png.read(drawn)[:2], SIZE)
            return
        found = self.compare(name, drawn)
        if found is None:
            shutil.copy(drawn, FOLDER / f"{name}.png")
            self.fail(f"{GOLDEN / name}.png is missing or of another size; {FOLDER / name}.png is what is drawn now; {accept}")
        golden, values, mean, tail = found
        print(f"{name}: mean {mean:.3f} (at most {MEAN}), worst hundredth from {tail:.2f} (at most {TAIL})")
        if passes(mean, tail):
            return
        shutil.copy(drawn, FOLDER / f"{name}.png")
        write_difference(FOLDER / f"{name}-difference.png", golden, values)
        self.fail(f"{name}: mean {mean:.3f} of {MEAN}, worst hundredth {tail:.2f} of {TAIL}: see {FOLDER / name}.png and "
                  f"{FOLDER / name}-difference.png; {accept}")


for picture in PICTURES:
    setattr(Pictures, "test_" + picture.replace("-", "_"), lambda self, name=picture: self.check(name))


@unittest.skipIf(SANITIZED, "what is compared is no program's memory")
class Breaking(Case):
    """What must be caught is: the program is broken on purpose, in the text of its shaders, which lies in the file."""

    def broken(self, old, new, name):
        """The picture by a program in which `old` stands replaced: not as it was, by how much it tells."""
        content = pathlib.Path(STUDIO.program).read_bytes()
        self.assertEqual(content.count(old), 1, f"the shaders have changed, {old} is to be looked for elsewhere")
        program = STUDIO.folder / "broken"
        program.write_bytes(content.replace(old, new.ljust(len(old))))
        program.chmod(0o755)
        studio = Studio(str(program), SCENES)
        try:
            self.assert_caught(name, studio.draw(name))
        finally:
            studio.close()
            program.unlink()

    def assert_caught(self, name, drawn):
        _, _, mean, tail = self.compare(name, drawn)
        print(f"{name}: mean {mean:.3f}, worst hundredth from {tail:.2f}")
        self.assertFalse(passes(mean, tail), f"{name} is broken, and passes with {mean:.3f} and {tail:.2f}")

    def test_wrong_normal(self):
        self.broken(b"max(dot(n, light.xyz), 0.0)", b"max(dot(-n,light.xyz), 0.0)", "tubes")

    def test_no_shadow(self):
        self.broken(b"key *= key_light(p, n);", b"key *= 1.0;", "tubes")

    def test_swapped_colours(self):
        """Red for blue."""
        drawn = STUDIO.draw("tubes")
        width, height, channels, data = png.read(drawn)
        swapped = bytearray(data)
        swapped[0::3], swapped[2::3] = data[2::3], data[0::3]
        png.write(drawn, width, height, bytes(swapped))
        self.assert_caught("tubes", drawn)

    def moved(self, name, pixels):
        """The picture moved to the right; between pixels, light is shared out as by another raster."""
        drawn = STUDIO.draw(name)
        width, height, channels, data = png.read(drawn)
        self.assertEqual(channels, 3)
        whole = int(pixels)
        part = pixels - whole
        out = bytearray()
        for y in range(height):
            row = data[3 * width * y:3 * width * (y + 1)]
            for x in range(width):
                near, far = 3 * max(x - whole, 0), 3 * max(x - whole - 1, 0)
                out += bytes(round((1 - part) * row[near + c] + part * row[far + c]) for c in range(3))
        png.write(drawn, width, height, bytes(out))
        return drawn

    def test_camera_three_pixels_aside(self):
        for name in EDGES:
            self.assert_caught(name, self.moved(name, 3))

    def test_a_sixth_of_a_pixel_passes(self):
        """What another driver's samples may do to all edges at once must not be caught."""
        for name in EDGES:
            _, _, mean, tail = self.compare(name, self.moved(name, 1 / 6))
            print(f"{name}: mean {mean:.3f}, worst hundredth from {tail:.2f}")
            self.assertTrue(passes(mean, tail), f"{name} fails with {mean:.3f} and {tail:.2f}")


def accept(names):
    GOLDEN.mkdir(exist_ok=True)
    for name in names or PICTURES:
        shutil.copy(STUDIO.draw(name), GOLDEN / f"{name}.png")
        print(f"accepted {GOLDEN / name}.png")


if __name__ == "__main__":
    PROGRAM, SCENES, FOLDER = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    FOLDER.mkdir(parents=True, exist_ok=True)
    STUDIO = Studio(PROGRAM, SCENES)
    try:
        if STUDIO.draw("draft") is None:
            sys.exit(77)
        if "--accept" in sys.argv:
            accept(sys.argv[sys.argv.index("--accept") + 1:])
        else:
            unittest.main(argv=sys.argv[:1], verbosity=2)
    finally:
        STUDIO.close()

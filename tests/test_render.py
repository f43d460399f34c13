"""`clcable render`, and pictures by `run`: names, sizes, numbers, videos, errors, interruption, a full disk.

usage: test_render.py PROGRAM SCENES. Skipped (77) where there is no OpenGL without a screen.
"""
import hashlib
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import png

PROGRAM = os.path.abspath(sys.argv[1])
SCENES = pathlib.Path(sys.argv[2]).resolve()

# A weight on a string, let go sideways: it swings to the left and far down. Small pictures, few substeps: quick.
SCENE = {
    "clcable": 1,
    "time": {"duration": 0.1, "frame_rate": 60, "substeps": 12},
    "materials": {"wire": {"radius": 0.02, "linear_density": 0.1}},
    "cables": [
        {"name": "a", "material": "wire", "path": [[0, 0, 1], [0.4, 0, 1]], "segments": 6},
        {"name": "b", "material": "wire", "path": [[0, 0.2, 1], [0.4, 0.2, 1]], "segments": 6},
    ],
    "attachments": [{"cable": "a", "at": "start", "to": "here"}, {"cable": "b", "at": "start", "to": "here"}],
}
SMALL = ("--size", "160x90", "--quality", "draft", "--device", "native")
WITHOUT_FFMPEG = shutil.which("ffmpeg") is None or shutil.which("ffprobe") is None


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="clcable-render-"))
        self.write("swing.json", SCENE)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def write(self, name, scene):
        (self.folder / name).write_text(json.dumps(scene))

    def call(self, *words, expect=0, **more):
        result = subprocess.run([PROGRAM, *map(str, words)], cwd=self.folder, capture_output=True, text=True,
                                timeout=280, **more)
        self.assertEqual(result.returncode, expect, f"{words}: {result.stdout}{result.stderr}")
        if "Sanitizer" in result.stderr or "runtime error" in result.stderr:
            self.fail(result.stderr)
        if expect in (1, 2):
            self.assertRegex(result.stderr, r"\Aclcable: [^\n]+\n\Z")
        return result

    def render(self, *words, scene="swing.json", expect=0, **more):
        return self.call("render", scene, *SMALL, *words, expect=expect, **more)

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def made(self):
        return [name for name in self.files() if name != "swing.json"]

    def read(self, name):
        return png.read(self.folder / name)

    def covered(self, name):
        """The box of what stands out on a transparent picture: left, top, right, bottom."""
        width, height, channels, data = self.read(name)
        self.assertEqual(channels, 4)
        hit = [(i % width, i // width) for i in range(width * height) if data[4 * i + 3] > 127]
        self.assertTrue(hit)
        return min(x for x, _ in hit), min(y for _, y in hit), max(x for x, _ in hit), max(y for _, y in hit)


class Pictures(Case):
    def test_last_frame(self):
        text = self.render("-o", "a.png").stdout
        self.assertIn("wrote a.png", text)
        self.assertEqual(self.made(), ["a.png"])
        width, height, channels, data = self.read("a.png")
        self.assertEqual((width, height, channels), (160, 90, 3))
        self.assertGreater(len(set(data[i:i + 3] for i in range(0, len(data), 3))), 50)

    def test_the_same_again(self):
        for name in ("a.png", "b.png"):
            self.render("-o", name, "--colour", "tension")
        self.assertEqual((self.folder / "a.png").read_bytes(), (self.folder / "b.png").read_bytes())

    def test_default_size(self):
        self.call("render", "swing.json", "-o", "a.png", "--frames", 1, "--device", "native")
        self.assertEqual(self.read("a.png")[:2], (1280, 720))

    def test_odd_sizes(self):
        for size in ("16x16", "33x200", "301x17"):
            self.render("-o", "a.png", "--size", size)
            self.assertEqual("%dx%d" % self.read("a.png")[:2], size)

    def test_numbered(self):
        self.render("-o", "n_%04d.png")
        self.assertEqual(self.made(), [f"n_{i:04d}.png" for i in range(7)])
        self.assertTrue(self.read("n_0000.png") != self.read("n_0006.png"))

    def test_every_and_other_numbers(self):
        self.render("-o", "n%d.png", "--every", 3)
        self.assertEqual(self.made(), ["n0.png", "n3.png", "n6.png"])

    def test_run_makes_pictures_and_render_other_files(self):
        self.call("run", "swing.json", "-o", "a.png", "-o", "a.csv", "--frames", 2, "--device", "native")
        self.assertEqual(self.read("a.png")[:2], (1280, 720))
        self.render("-o", "b.png", "-o", "b.csv", "--frames", 2)
        self.assertEqual((self.folder / "a.csv").read_bytes(), (self.folder / "b.csv").read_bytes())

    def test_several_pictures_of_one_run(self):
        self.render("-o", "a.png", "-o", "n_%d.png", "--every", 6)
        self.assertEqual((self.folder / "a.png").read_bytes(), (self.folder / "n_6.png").read_bytes())

    def test_pictures_of_a_resumed_run(self):
        self.render("-o", "n_%d.png", "--checkpoint", "s.state", "--frames", 2)
        self.render("-o", "m_%d.png", "--resume", "s.state")
        self.assertEqual([name for name in self.files() if name[0] == "m"], [f"m_{i}.png" for i in range(2, 7)])

    def test_scene_options(self):
        self.render("-o", "a.png", "--report", "a.json", "--set", "/gravity=[0,0,-1]", "--method", "pbd", "--substeps", 3,
                    "--frames", 4)
        report = json.loads((self.folder / "a.json").read_text())
        self.assertEqual((report["method"], report["substeps"], report["frames"]), ("pbd", 3, 4))


class Looks(Case):
    PLAIN = ("--background", "transparent", "--grid", "off", "--marks", "off", "--frames", 1)

    def test_transparent(self):
        self.render("-o", "a.png", *self.PLAIN)
        width, height, channels, data = self.read("a.png")
        alpha = data[3::4]
        self.assertEqual(channels, 4)
        self.assertEqual([alpha[0], alpha[width - 1], alpha[-1]], [0, 0, 0])
        self.assertIn(255, alpha)

    def test_fit_fills_the_picture(self):
        """One of the two axes is filled but for the margin, and nothing leaves the picture."""
        for view in ("corner", "front", "left", "top"):
            self.render("-o", "a.png", "--view", view, *self.PLAIN)
            left, top, right, bottom = self.covered("a.png")
            self.assertTrue(left > 0 and top > 0 and right < 159 and bottom < 89, (view, left, top, right, bottom))
            self.assertTrue(right - left > 0.7 * 160 or bottom - top > 0.7 * 90, (view, left, top, right, bottom))

    def test_a_steady_camera_sees_all(self):
        """What holds the string stays where it is in the picture, and the end that swings never leaves it."""
        self.render("-o", "n_%d.png", "--view", "front", "--every", 5, *self.PLAIN[:-2], "--duration", 0.5)
        boxes = [self.covered(f"n_{i}.png") for i in range(0, 31, 5)]
        self.assertTrue(all(0 < l and 0 < t and r < 159 and b < 89 for l, t, r, b in boxes), boxes)
        self.assertLess(max(t for _, t, _, _ in boxes) - min(t for _, t, _, _ in boxes), 3)
        self.assertGreater(boxes[-1][3] - boxes[0][3], 15)
        # fitted to the first frame, the falling string leaves the picture
        self.render("-o", "f_%d.png", "--view", "front", "--fit", "first", "--every", 30, *self.PLAIN[:-2], "--duration", 0.5)
        self.assertGreater(self.covered("f_0.png")[2] - self.covered("f_0.png")[0], boxes[0][2] - boxes[0][0])

    def test_zoom_is_twice_as_large(self):
        sizes = []
        for zoom in (0.5, 1):
            self.render("-o", "a.png", "--zoom", zoom, "--view", "front", *self.PLAIN)
            left, _, right, _ = self.covered("a.png")
            sizes.append(right - left)
        self.assertAlmostEqual(sizes[1] / sizes[0], 2, delta=0.06)  # a pixel at either side of 74

    def test_a_camera_by_numbers(self):
        """From 1 m in front, at 90 degrees of view, 90 pixels are 2 m high: the string, 0.44 m with its ends, is 19.8 wide.
        The other one hangs behind it."""
        self.render("-o", "a.png", "--camera", "0.2,-1,1", "--target", "0.2,0,1", "--fov", 90, *self.PLAIN, "--set",
                    "/cables/1/path=[[0,9,1],[0.4,9,1]]", "--set", "/gravity=[0,0,0]")
        left, top, right, bottom = self.covered("a.png")
        self.assertAlmostEqual((left + right) / 2, 79.5, delta=1)
        self.assertAlmostEqual((top + bottom) / 2, 44.5, delta=1)
        self.assertAlmostEqual(right - left + 1, 19.8, delta=1.5)

    def test_looks_differ(self):
        """Each of these must show: no option does nothing."""
        seen = {}
        for words in ((), ("--colour", "material"), ("--colour", "speed"), ("--colour", "speed", "--legend", "off"),
                      ("--colour", "speed", "--range", "0:100"), ("--colour", "curvature"), ("--colour", "tension"),
                      ("--background", "dark"), ("--background", "transparent"), ("--grid", "off"), ("--marks", "off"),
                      ("--view", "back"), ("--view", "right"), ("--view", "bottom"), ("--orthographic",), ("--fov", 80),
                      ("--legend", "on"), ("--target", "0,0,1"), ("--camera", "1,-1,1"), ("--quality", "normal"),
                      ("--quality", "high")):
            self.render("-o", "a.png", *words)
            key = hashlib.sha256((self.folder / "a.png").read_bytes()).hexdigest()
            self.assertNotIn(key, seen, f"{words} looks like {seen.get(key)}")
            seen[key] = words


class Stripes(Case):
    """A rod along x from clamp to clamp, whose end is rolled by a turn. The stripe begins on top and comes to the front first."""
    ROD = {
        "clcable": 1,
        "time": {"duration": 0.02, "frame_rate": 60, "substeps": 10},
        "method": "direct",
        "gravity": [0, 0, 0],
        "materials": {"wire": {"radius": 0.04, "linear_density": 0.1, "bending_stiffness": 0.1, "twisting_stiffness": 0.08}},
        "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 0], [0.8, 0, 0]], "segments": 8}],
        "attachments": [{"cable": "a", "at": "start", "to": "here", "clamp": True},
                        {"cable": "a", "at": "end", "to": "here", "clamp": True, "roll": 6.2832}],
    }
    WORDS = ("--size", "320x80", "--background", "transparent", "--grid", "off", "--marks", "off")

    def setUp(self):
        super().setUp()
        self.write("rod.json", self.ROD)

    def picture(self, *words):
        self.render("-o", "a.png", *self.WORDS, *words, scene="rod.json")
        width, _, channels, data = self.read("a.png")
        pixels = [data[i:i + channels] for i in range(0, len(data), channels)]
        return width, pixels

    def stripe(self, *words):
        """Where the stripe is: along the rod, 0 to 1, and across it, -1 (below) to 1."""
        width, plain = self.picture(*words, "--stripe", "off")
        _, striped = self.picture(*words)
        left, top, right, bottom = self.covered("a.png")
        radius = (bottom - top + 1) / 2
        hit = [i for i, pixel in enumerate(plain) if pixel[3] > 127 and sum(striped[i][:3]) < 0.7 * sum(pixel[:3])]
        # balls beyond the nodes at both ends are a radius long
        return [((i % width - left - radius) / (right - left + 1 - 2 * radius), 1 - (i // width - top + 0.5) / radius)
                for i in hit]

    def test_it_winds_around(self):
        for quality in ("draft", "normal"):
            for view, first in (("front", 0), ("back", 0.5)):
                hit = self.stripe("--view", view, "--quality", quality)
                if view == "back":
                    hit = [(1 - along, across) for along, across in hit]
                middle = [along for along, across in hit if abs(across) < 0.3]
                self.assertGreater(len(middle), 50)
                self.assertTrue(all(first + 0.1 < along < first + 0.4 for along in middle), (view, min(middle), max(middle)))
                # an eighth of a turn from the top the stripe is seen between the cosines of pi/4 + 0.4 and pi/4 - 0.4 rad above
                for part, expected in ((0.125, 0.65), (0.25, 0), (0.375, -0.65)):
                    part, expected = (first + part, -expected if first else expected)
                    there = [across for along, across in hit if abs(along - part) < 0.02]
                    self.assertAlmostEqual(sum(there) / len(there), expected, delta=0.1)

    def middles(self, *words):
        """By column, how far the middle of the stripe is above that of the rod, pixels."""
        width, plain = self.picture(*words, "--stripe", "off")
        _, striped = self.picture(*words)
        rod, stripe = {}, {}
        for i, pixel in enumerate(plain):
            if pixel[3] > 127:
                rod.setdefault(i % width, []).append(i // width)
                if sum(striped[i][:3]) < 0.7 * sum(pixel[:3]):
                    stripe.setdefault(i % width, []).append(i // width)
        return {column: sum(rod[column]) / len(rod[column]) - sum(rows) / len(rows) for column, rows in stripe.items()}

    def test_it_is_even_in_bends(self):
        """Each of 8 segments of an arch twists by an eighth of a turn, and is drawn in several pieces. Where 32 do the same it looks the
        same, but for 2 pixels of 26; if it turned in one of two pieces only it would be off by 5."""
        arch = ("--set", "/cables/0/path=[[0,0,0],[0.2,0,0.15],[0.4,0,0.2],[0.6,0,0.15],[0.8,0,0]]", "--set",
                '/cables/0/curve="catmull-rom"', "--view", "front", "--size", "320x160")
        coarse, fine = (self.middles(*arch, "--set", f"/cables/0/segments={n}") for n in (8, 32))
        both = [column for column in coarse if column in fine]
        self.assertGreater(len(both), 80)
        self.assertLess(max(abs(coarse[column] - fine[column]) for column in both), 2)

    def test_where_it_is_shown(self):
        """Not by itself where nothing twists; there it runs straight along the top."""
        free = ("--set", '/attachments/1/roll="free"', "--view", "front")
        self.assertEqual(self.stripe(*free), [])
        hit = self.stripe(*free, "--stripe", "on")
        self.assertGreater(len(hit), 100)
        self.assertTrue(all(across > 0.8 for _, across in hit))
        self.assertLess(min(along for along, _ in hit), 0.05)
        self.assertGreater(max(along for along, _ in hit), 0.95)
        limp = ("--set", "/materials/wire/twisting_stiffness=0", "--set", "/attachments/1/roll=0")
        self.assertEqual(self.stripe(*limp, "--stripe", "on"), [])


class Errors(Case):
    def test_bad_values(self):
        for words, text in (
                ((), "expected -o NAME.png"),
                (("-o", "a.csv"), "expected -o NAME.png"),
                (("-o", "a.png", "--size", "160"), "--size: expected WIDTHxHEIGHT"),
                (("-o", "a.png", "--size", "8x900"), "--size: expected WIDTHxHEIGHT"),
                (("-o", "a.png", "--size", "100.5x90"), "--size: expected WIDTHxHEIGHT"),
                (("-o", "a.png", "--size", "nanx90"), "--size: expected WIDTHxHEIGHT"),
                (("-o", "a.png", "--view", "up"), "corner, front, back, left, right, top or bottom, got 'up'"),
                (("-o", "a.png", "--camera", "1,2"), "--camera: expected x,y,z"),
                (("-o", "a.png", "--target", "1,2,3,4"), "--target: expected x,y,z"),
                (("-o", "a.png", "--target", "1,2,inf"), "--target: expected x,y,z"),
                (("-o", "a.png", "--camera", "1,2,3", "--target", "1,2,3"), "the same place"),
                (("-o", "a.png", "--camera", "1,2,3", "--view", "top"), "exclude each other"),
                (("-o", "a.png", "--camera", "1,2,3", "--zoom", 2), "exclude each other"),
                (("-o", "a.png", "--fov", 30, "--orthographic"), "exclude each other"),
                (("-o", "a.png", "--fov", 0), "--fov: expected degrees"),
                (("-o", "a.png", "--zoom", -1), "--zoom: expected a factor"),
                (("-o", "a.png", "--colour", "red"), "--colour: expected cable, material"),
                (("-o", "a.png", "--colour", "speed", "--range", "1:1"), "--range: expected LOW:HIGH"),
                (("-o", "a.png", "--range", "0:1"), "--range expects --colour"),
                (("-o", "a.png", "--background", "red"), "--background: expected light"),
                (("-o", "a.png", "--grid", "1"), "--grid: expected on or off"),
                (("-o", "a.png", "--stripe", "1"), "--stripe: expected on or off"),
                (("-o", "a.png", "--quality", "ultra"), "--quality: expected draft"),
                (("-o", "a.png", "--every", 2), "--every expects an animation"),
                (("-o", "a.png", "--fit", "first"), "expects an animation"),
                (("-o", "a_%d.png", "--every", 0), "--every: expected a number"),
                (("-o", "a_%d.png", "--fit", "last"), "--fit: expected all or first"),
                (("-o", "a_%s.png"), "expected one number"),
                (("-o", "a_%d_%d.png"), "expected one number"),
                (("-o", "a.mp4", "--background", "transparent"), "no transparent background"),
                (("-o", "a.mp4", "--size", "161x90"), "an even width and height"),
                (("-o", "a.jpg", "-o", "a.png"), "unknown format .jpg"),
                (("-o", "a.png", "--colur", "speed"), "did you mean '--colour'?"),
                (("-o", "a.png", "--frames", 2, "--duration", 1), "exclude each other")):
            self.assertIn(text, self.render(*words, expect=2).stderr, words)
        self.assertEqual(self.made(), [])

    def test_told_before_anything_is_computed(self):
        began = time.monotonic()
        text = self.render("-o", "nowhere/a_%04d.png", "--duration", "1e6", expect=1).stderr
        self.assertIn("nowhere/a_0000.png: cannot write it: No such file or directory", text)
        self.assertLess(time.monotonic() - began, 60)

    def test_no_ffmpeg(self):
        empty = {**os.environ, "PATH": "/nonexistent"}
        text = self.render("-o", "a.mp4", expect=1, env=empty).stderr
        self.assertIn("a.mp4: videos need ffmpeg, which is not installed", text)
        self.assertEqual(self.made(), [])

    def test_no_opengl(self):
        nothing = {**os.environ, "__EGL_VENDOR_LIBRARY_DIRS": "/nonexistent"}
        text = self.render("-o", "a.png", expect=1, env=nothing).stderr
        self.assertRegex(text, "libegl1")
        self.assertEqual(self.made(), [])

    def test_a_pipe_is_no_place_for_a_video(self):
        os.mkfifo(self.folder / "p.mp4")
        (self.folder / "q.mp4").symlink_to("/dev/null")
        if not WITHOUT_FFMPEG:
            self.assertIn("into a file", self.render("-o", "q.mp4", expect=2).stderr)

    def test_diverged(self):
        """What blows up fails as it does with `run`, and leaves no part of a file."""
        wild = {**SCENE, "method": "springs", "time": {"duration": 1, "substeps": 1}}
        wild["materials"] = {name: {**m, "stretching_stiffness": 1e9} for name, m in SCENE["materials"].items()}
        self.write("wild.json", wild)
        result = subprocess.run([PROGRAM, "render", "wild.json", *SMALL, "-o", "n_%04d.png", "-o", "a.png"], cwd=self.folder,
                                capture_output=True, text=True, timeout=280)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("wild.json: ", result.stderr)
        self.assertNotIn("Sanitizer", result.stderr)
        self.assertIn("n_0000.png", self.files())
        self.assertFalse([name for name in self.files() if "part" in name])


def limit_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


class FullDisk(Case):
    """A file may grow to 1,000 bytes only: what a full disk is to a writer."""

    def test_picture(self):
        text = self.render("-o", "a.png", expect=1, preexec_fn=limit_files).stderr
        self.assertIn("a.png: cannot write it: File too large", text)
        self.assertEqual(self.made(), [])

    def test_old_picture_stays(self):
        (self.folder / "a.png").write_text("old")
        self.render("-o", "a.png", expect=1, preexec_fn=limit_files)
        self.assertEqual((self.folder / "a.png").read_text(), "old")
        self.assertEqual(self.made(), ["a.png"])

    @unittest.skipIf(WITHOUT_FFMPEG, "no ffmpeg")
    def test_video(self):
        for name in ("a.mp4", "a.gif"):
            text = self.render("-o", name, expect=1, preexec_fn=limit_files).stderr
            self.assertRegex(text, f"{name}: ffmpeg could not write")
            self.assertEqual(self.made(), [])


@unittest.skipIf(WITHOUT_FFMPEG, "no ffmpeg")
class Videos(Case):
    def probe(self, name):
        """Width, height, frames that can be decoded, seconds."""
        found = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                                "stream=width,height,nb_read_frames:format=duration", "-of", "json", name],
                               cwd=self.folder, capture_output=True, text=True, check=True)
        self.assertEqual(found.stderr, "")
        found = json.loads(found.stdout)
        stream = found["streams"][0]
        return stream["width"], stream["height"], int(stream["nb_read_frames"]), float(found["format"]["duration"])

    def test_mp4(self):
        self.render("-o", "a.mp4")
        width, height, frames, seconds = self.probe("a.mp4")
        self.assertEqual((width, height, frames), (160, 90, 7))
        self.assertAlmostEqual(seconds, 7 / 60, delta=0.005)
        self.assertEqual(self.made(), ["a.mp4"])

    def test_mp4_has_the_colours_of_pictures(self):
        """Large areas of one colour, so that what the codec does to edges does not count: up to 4 of 255 were seen. With the
        matrix of standard definition red is off by 8 and green by 7."""
        close = ("--camera", "0.2,-0.2,1", "--target", "0.2,0,1", "--set", "/gravity=[0,0,0]", "--grid", "off", "--marks", "off")
        self.render("-o", "a.mp4", "-o", "n_%d.png", *close)
        subprocess.run(["ffmpeg", "-v", "error", "-i", "a.mp4", "-frames:v", "1", "-pix_fmt", "rgb24", "v.png"],
                       cwd=self.folder, check=True)
        width, height, _, video = self.read("v.png")
        _, _, _, picture = self.read("n_0.png")
        for x, y in ((width // 2, height // 2), (width // 2, 2), (2, height // 2)):
            at = 3 * (width * y + x)
            for one, other in zip(video[at:at + 3], picture[at:at + 3]):
                self.assertAlmostEqual(one, other, delta=5, msg=f"{x}, {y}: {tuple(video[at:at + 3])} {tuple(picture[at:at + 3])}")

    def test_gif(self):
        """60 frames a second are too many for a GIF: every second one."""
        self.render("-o", "a.gif")
        self.assertEqual(self.probe("a.gif")[:3], (160, 90, 4))
        self.render("-o", "b.gif", "--set", "/time/frame_rate=50", "--background", "transparent")
        self.assertEqual(self.probe("b.gif")[:3], (160, 90, 6))

    def test_every(self):
        self.render("-o", "a.mp4", "--every", 2)
        width, height, frames, seconds = self.probe("a.mp4")
        self.assertEqual(frames, 4)
        self.assertAlmostEqual(seconds, 4 / 30, delta=0.01)

    def test_old_video_stays_when_ffmpeg_fails(self):
        """An ffmpeg that ends at once with a last word."""
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "ffmpeg").write_text("#!/bin/sh\necho first word >&2\necho the last word >&2\nexit 3\n")
        (tools / "ffmpeg").chmod(0o755)
        (self.folder / "a.mp4").write_text("old")
        text = self.render("-o", "a.mp4", expect=1, env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}).stderr
        self.assertEqual(text, "clcable: a.mp4: ffmpeg could not write it: the last word\n")
        self.assertEqual((self.folder / "a.mp4").read_text(), "old")
        self.assertEqual(self.files(), ["a.mp4", "swing.json", "tools"])


class Interruption(Case):
    def interrupt(self, *words, when):
        """Ctrl-C as a terminal sends it, to all processes of the group, once `when` holds."""
        process = subprocess.Popen([PROGRAM, "render", "swing.json", *map(str, SMALL), *map(str, words)], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        until = time.monotonic() + 120
        while not when() and process.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, out + err)
        return err

    LONG = ("--duration", "1e6", "--camera", "1,-1,1", "--target", "0,0,1")  # nothing to look ahead for

    def test_numbered_pictures_stay(self):
        err = self.interrupt("-o", "n_%04d.png", *self.LONG, when=lambda: len(self.made()) > 5)
        self.assertRegex(err, r"\Aclcable: interrupted after frame \d+ of 60000000, wrote n_%04d.png \(\d+ pictures?, [\d.]+ [KM]iB\)\n\Z")
        self.assertGreater(len(self.made()), 4)
        for name in self.made():
            self.assertEqual(self.read(name)[:2], (160, 90))

    @unittest.skipIf(WITHOUT_FFMPEG, "no ffmpeg")
    def test_the_video_so_far_can_be_played(self):
        self.interrupt("-o", "n_%04d.png", "-o", "a.mp4", "-o", "a.gif", *self.LONG, when=lambda: len(self.files()) > 12)
        self.assertFalse([name for name in self.files() if "part" in name])
        pictures = len([name for name in self.files() if name.startswith("n_")])
        self.assertEqual(Videos.probe(self, "a.mp4")[2], pictures)
        self.assertEqual(Videos.probe(self, "a.gif")[2], (pictures + 1) // 2)

    def test_while_it_looks_ahead(self):
        """Nothing has been drawn then, and nothing is left."""
        began = time.monotonic()
        err = self.interrupt("-o", "n_%04d.png", "--duration", "1e6", when=lambda: time.monotonic() > began + 3)
        self.assertIn("interrupted before the first frame", err)
        self.assertEqual(self.made(), [])


def has_opengl():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "swing.json"
        path.write_text(json.dumps(SCENE))
        words = [PROGRAM, "render", str(path), "-o", folder + "/a.png", "--frames", "1", *SMALL]
        result = subprocess.run(words, capture_output=True, text=True, timeout=280)
        if "libegl1" in result.stderr:
            print("skipped: no OpenGL without a screen:", result.stderr.strip())
            return False
        return True


if __name__ == "__main__":
    if not has_opengl():
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)

#!/usr/bin/env python3
"""The real window under Xvfb and openbox, driven by xdotool's mouse and keys.

usage: test_window.py CLCABLE [CLCABLE_MEMORY] [TEST...]
What is seen is read from Xvfb's framebuffer file and from the pictures that F12 makes. Skipped (77) without Xvfb,
openbox, xdotool or xprop. CLCABLE_TEST_PICTURES=FOLDER keeps the pictures. CLCABLE_MEMORY: the same program, which tells
how much memory it has (memory_wrap.c).
"""
import itertools
import os
import pathlib
import re
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import png

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
MEMORY = str(pathlib.Path(sys.argv.pop(2)).resolve()) if os.path.isfile("".join(sys.argv[2:3])) else None
WAIT = 120  # s; against what hangs: the machine may be busy, and pictures are drawn in software
SCREEN = (1000, 700)
SIZE = (480, 320)

SCENE = """{"clcable": 1, "time": {"duration": 1, "frame_rate": 60, "substeps": 20},
 "materials": {"wire": {"radius": 0.02, "linear_density": 0.3, "damping": 1}},
 "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 1], [0.4, 0, 0.5], [0.8, 0, 1]], "curve": "catmull-rom",
             "segments": 20}],
 "attachments": [{"cable": "a", "at": "start", "to": "here"}, {"cable": "a", "at": "end", "to": "here"}]}
"""

# Particles: a chain that is held at its left end and swings down.
CHAIN = """{"clcable": 1, "particles": {"time": {"duration": 1}, "settings": {"drag": 0.2},
 "chains": [{"from": [0, 0], "to": [1, 0], "links": 2, "fixed": "start", "mass": 0.2}]}}
"""


class Picture:
    """Rows of RGB bytes."""

    def __init__(self, width, height, rows):
        self.width, self.height, self.rows = width, height, rows

    def at(self, x, y):
        return tuple(self.rows[y][3 * x : 3 * x + 3])

    def find(self, is_wanted):
        return [(x, y) for y in range(self.height) for x in range(self.width) if is_wanted(*self.at(x, y))]

    def cable(self):
        """Pixels of the palette's first colour, a blue that nothing else has."""
        return self.find(lambda r, g, b: b > r + 50 and b > g + 20)

    def difference(self, other):
        """Mean difference of a byte."""
        assert (self.width, self.height) == (other.width, other.height)
        total = sum(abs(a - b) for mine, theirs in zip(self.rows, other.rows) for a, b in zip(mine, theirs))
        return total / (3 * self.width * self.height)


def read_png(path):
    width, height, channels, data = png.read(path)
    assert channels == 3
    return Picture(width, height, [data[3 * width * y : 3 * width * (y + 1)] for y in range(height)])


def read_xwd(path, x, y, width, height):
    """A part of the screen, of Xvfb's file: a header of big-endian words, then 32 bits a pixel, blue first."""
    data = path.read_bytes()
    header = struct.unpack(">25I", data[:100])
    first, bytes_per_line, colours = header[0], header[12], header[19]
    start = first + 12 * colours
    rows = []
    for row in range(y, y + height):
        line = data[start + row * bytes_per_line + 4 * x :][: 4 * width]
        rgb = bytearray(3 * width)
        rgb[0::3], rgb[1::3], rgb[2::3] = line[2::4], line[1::4], line[0::4]
        rows.append(rgb)
    return Picture(width, height, rows)


def waited(found, limit):
    """What is found within so many seconds, or None."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        result = found()
        if result:
            return result
        time.sleep(0.05)
    return None


def until(found, what):
    result = waited(found, WAIT)
    if result is None:
        raise AssertionError(f"not in {WAIT} s: {what}")
    return result


class Screen:
    """Xvfb with a window manager."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="clcable-screen-"))
        read, write = os.pipe()
        size = f"{SCREEN[0]}x{SCREEN[1]}x24"
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", size, "-fbdir", str(self.folder), "-nolisten", "tcp",
             "-noreset"],  # else it ends openbox's connection, too, if that is made while a first xdotool leaves
            pass_fds=(write,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        self.environment = {**os.environ, "DISPLAY": f":{number}", "CLCABLE_IGNORE_TUNING": "1"}
        self.environment.pop("WAYLAND_DISPLAY", None)
        self.manager = subprocess.Popen(["openbox"], env=self.environment, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        until(self.is_managed, "openbox")

    def is_managed(self):
        """Whether openbox does what it is asked to. Before that it may miss a window, and glfwCreateWindow would wait for the
        window to become visible, without end."""
        self.tool("set_num_desktops", 3, check=False)
        return self.tool("get_num_desktops", check=False).strip() == "3"

    def tool(self, *words, check=True):
        result = subprocess.run(["xdotool", *map(str, words)], env=self.environment, capture_output=True, text=True,
                                timeout=WAIT)
        if check and result.returncode:
            raise AssertionError(f"xdotool {words}: {result.stderr}")
        return result.stdout

    def close(self):
        for process in (self.manager, self.server):
            process.terminate()
            process.wait(WAIT)
        shutil.rmtree(self.folder)


class Viewer:
    """`clcable view` in its window."""

    def __init__(self, screen, folder, scene, *words):
        self.screen, self.folder, self.scene = screen, folder, scene
        self.log = open(folder / "log.txt", "w+")
        self.process = subprocess.Popen(
            [PROGRAM, "view", scene, "--device", "native", "--threads", "1", "--verbose", "--quality", "draft",
             "--background", "dark", "--size", f"{SIZE[0]}x{SIZE[1]}", *words],
            cwd=folder, env=screen.environment, stdout=self.log, stderr=subprocess.STDOUT, start_new_session=True)
        self.window = until(self.find, "a window").split()[-1]
        screen.tool("windowmap", "--sync", self.window)  # where openbox had just begun, and missed it
        screen.tool("windowmove", "--sync", self.window, 100, 100)
        screen.tool("windowactivate", "--sync", self.window)
        self.key("n")  # panels away

    def find(self):
        if self.process.poll() is not None:
            raise AssertionError(self.said())
        return self.screen.tool("search", "--name", " - clcable$", check=False).strip()

    def said(self):
        return (self.folder / "log.txt").read_text()

    def title(self):
        return self.screen.tool("getwindowname", self.window).strip()

    def key(self, *names):
        for name in names:
            self.screen.tool("key", name)

    def place(self):
        text = self.screen.tool("getwindowgeometry", "--shell", self.window)
        return {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", text)}

    def move(self, x, y):
        self.screen.tool("mousemove", "--window", self.window, x, y)

    def press(self, button):
        self.screen.tool("mousedown", button)

    def release(self, button):
        self.screen.tool("mouseup", button)

    def drag(self, button, start, end):
        """In steps, as a hand does."""
        self.move(*start)
        self.press(button)
        self.pull(start, end)
        self.release(button)

    def pull(self, start, end):
        for i in range(1, 6):
            self.move(*(round(a + (b - a) * i / 5) for a, b in zip(start, end)))

    def pictures(self):
        """Names of those that were made."""
        return re.findall(r"picture: (\S+\.png)", self.said())

    def shot(self):
        """By F12: what is drawn after all that was done before."""
        before = len(self.pictures())
        for _ in range(5):  # a key that is pressed before the window has the focus is lost
            self.key("F12")
            if waited(lambda: len(self.pictures()) > before, WAIT / 5):
                break
        else:
            raise AssertionError(f"no picture in {WAIT} s: {self.said()}")
        name = self.pictures()[-1]
        keep = os.environ.get("CLCABLE_TEST_PICTURES")
        if keep:
            shutil.copy(self.folder / name, pathlib.Path(keep) / f"{self.folder.name}-{name}")
        return read_png(self.folder / name)

    def seen(self):
        """What is on the screen, once it does not change any more; with the mouse in the upper left corner, and without the
        uppermost part, where the name of the last picture is told."""
        self.move(0, 0)
        self.shot()  # all that was done before is drawn; on a busy machine half a second says nothing of that
        corner = dict(re.findall(r"(\w+)=(\d+)", self.screen.tool("getmouselocation", "--shell")))
        size = self.place()

        def look():
            picture = read_xwd(self.screen.folder / "Xvfb_screen0", int(corner["X"]), int(corner["Y"]), size["WIDTH"],
                               size["HEIGHT"])
            told = picture.height * 3 // 20
            picture.rows[:told] = [bytes(3 * picture.width)] * told
            return picture
        last = [look()]

        def settled():
            time.sleep(0.5)
            now = look()
            same = now.rows == last[0].rows
            last[0] = now
            return same
        until(settled, "a picture that stays")
        return last[0]

    def is_idle(self):
        """Neither draws nor steps, for two seconds."""
        before = self.cpu()
        time.sleep(2)
        return self.cpu() - before < 0.3

    def cpu(self):
        """Seconds of all threads so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        """Exit code; nothing of it may go on."""
        code = self.process.wait(WAIT)
        try:
            os.killpg(self.process.pid, 0)
        except ProcessLookupError:
            return code
        raise AssertionError("something goes on after the window's end")

    def close(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(WAIT)
        self.log.close()


class Window(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.screen = Screen()

    @classmethod
    def tearDownClass(cls):
        cls.screen.close()

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="clcable-window-"))
        (self.folder / "net.json").write_text(SCENE)
        (self.folder / "chain.json").write_text(CHAIN)
        self.viewers = []

    def tearDown(self):
        for viewer in self.viewers:
            viewer.close()
        shutil.rmtree(self.folder)

    def start(self, *words, scene="net.json"):
        self.viewers.append(Viewer(self.screen, self.folder, scene, *words))
        return self.viewers[-1]

    def quit(self, viewer):
        viewer.key("q")
        self.assertEqual(viewer.end(), 0, viewer.said())
        self.assertNotIn("clcable: ", viewer.said())

    def test_camera_and_time(self):
        v = self.start("--paused")
        self.assertIn("net.json (paused)", v.title())
        first = v.shot()
        self.assertEqual((first.width, first.height), SIZE)
        self.assertGreater(len(first.cable()), 500)
        self.assertEqual(v.shot().difference(first), 0)  # paused: nothing moves
        v.drag(2, (240, 160), (320, 200))  # orbit
        orbited = v.shot()
        self.assertGreater(orbited.difference(first), 1)
        v.key("shift+Down")  # nothing is bound to that
        self.screen.tool("keydown", "shift")
        v.drag(2, (240, 160), (200, 200))  # pan
        self.screen.tool("keyup", "shift")
        panned = v.shot()
        right = lambda picture: max(picture.cable())  # the cable's right end
        self.assertLess(abs(right(panned)[0] - right(orbited)[0] + 40), 20)  # it goes with the mouse; it is nearer
        self.assertLess(abs(right(panned)[1] - right(orbited)[1] - 40), 20)  # than the camera's target
        v.move(240, 160)
        self.screen.tool("click", "--repeat", 3, 5)  # zoom out
        self.assertLess(len(v.shot().cable()), 0.7 * len(panned.cable()))
        v.key("Home")
        fitted = v.shot()
        v.key("Right", "Right", "Right")
        stepped = v.shot()
        self.assertGreater(stepped.difference(fitted), 0.05)
        v.key("r", "Home")
        self.assertEqual(v.shot().difference(fitted), 0)  # the same bytes, so the same picture
        v.key("KP_1", "Home")  # from the front: x to the right, mirror images
        xs = [x for x, _ in v.shot().cable()]
        self.assertLess(abs((min(xs) + max(xs)) / 2 - SIZE[0] / 2), 4)
        v.key("space")
        until(lambda: "paused" not in v.title(), "the title of what plays")
        v.key("space")
        until(lambda: "paused" in v.title(), "the title of what is paused")
        self.quit(v)

    def middle_of(self, picture):
        """A pixel of the cable near its lowest place."""
        x, y = max(picture.cable(), key=lambda p: (p[1], p[0]))
        return x, y - 4

    def test_pick_and_pull(self):
        v = self.start("--paused")
        v.key("KP_1", "Home")
        before = v.shot()
        bare = v.seen()
        start = self.middle_of(before)
        v.move(*start)
        self.screen.tool("click", 1)
        picked = v.seen()
        self.assertGreater(picked.difference(bare), 0.05)  # the selected cable is marked
        v.move(20, 20)
        self.screen.tool("click", 1)
        self.assertLess(v.seen().difference(bare), 0.01)  # no more
        end = (start[0], start[1] - 110)  # between its two sides, where it never hangs by itself
        v.move(*start)
        v.press(1)
        v.pull(start, end)
        v.key("space")  # it follows
        pulled = lambda: any(abs(x - end[0]) < 25 and abs(y - end[1]) < 25 for x, y in v.shot().cable())
        until(pulled, "the cable at the mouse")
        v.release(1)
        until(lambda: not pulled(), "the cable away from the mouse")
        v.key("space", "r")
        self.assertEqual(v.shot().difference(before), 0)
        self.quit(v)

    @unittest.skipIf("CLCABLE_NO_STUDIES" in os.environ, "a build without studies")
    def test_study(self):
        """Particles: the same keys, and a particle follows the mouse. Cables come by dropping their file."""
        v = self.start("--paused", scene="chain.json")
        v.key("Home")
        first = v.shot()
        self.assertGreater(len(first.cable()), 60)  # dots of particles are blue, too
        v.key("Right", "Right", "Right", "Right", "Right", "Right")
        stepped = v.shot()
        self.assertGreater(stepped.difference(first), 0.05)
        v.key("r")
        self.assertEqual(v.shot().difference(first), 0)
        end = max(first.cable())
        start = (end[0] - 3, end[1])  # of the dot, which is about 9 pixels wide
        goal = (start[0] - 60, start[1] - 60)
        v.move(*start)
        v.press(1)
        v.pull(start, goal)
        v.key("space")
        pulled = lambda: any(abs(x - goal[0]) < 25 and abs(y - goal[1]) < 25 for x, y in v.shot().cable())
        until(pulled, "the particle at the mouse")
        v.release(1)
        until(lambda: not pulled(), "the particle away from the mouse")
        v.key("space", "r")
        self.assertEqual(v.shot().difference(first), 0)
        v.key("Tab")
        until(lambda: "path editing: for cables" in v.said(), "that there are no paths")
        self.drop(v, self.folder / "net.json")
        until(lambda: "net.json" in v.title(), "the cables")
        self.assertGreater(len(v.shot().cable()), 500)
        self.drop(v, self.folder / "chain.json")
        until(lambda: "chain.json" in v.title(), "the particles again")
        self.quit(v)

    def test_path(self):
        v = self.start("--paused")
        v.key("KP_1", "Home")
        before = v.shot()
        v.move(*self.middle_of(before))
        self.screen.tool("click", 1)
        v.key("Tab")
        handles = v.seen().find(lambda r, g, b: min(r, g, b) > 235)
        self.assertGreater(len(handles), 60)  # three dots of nine pixels across
        lowest = max(y for _, y in handles)
        near = [p for p in handles if p[1] > lowest - 10]
        start = tuple(round(sum(p[k] for p in near) / len(near)) for k in range(2))
        v.drag(1, start, (start[0], start[1] - 60))
        after = v.shot()
        self.assertGreater(after.difference(before), 0.5)
        self.assertLess(max(y for _, y in after.cable()), max(y for _, y in before.cable()) - 40)
        until(lambda: v.title().startswith("*net.json"), "the mark of what is not saved")
        v.key("q")
        until(lambda: "not saved" in v.said(), "a warning")
        self.quit(v)

    def test_resize_minimise_close(self):
        v = self.start()
        self.screen.tool("windowsize", "--sync", v.window, 560, 400)
        until(lambda: (v.place()["WIDTH"], v.place()["HEIGHT"]) == (560, 400), "the new size")
        until(lambda: v.shot().width == 560, "a picture of the new size")  # drawn some time after it
        picture = v.shot()
        self.assertEqual((picture.width, picture.height), (560, 400))
        self.assertGreater(len(picture.cable()), 500)
        self.screen.tool("windowsize", "--sync", v.window, 250, 300)
        until(lambda: v.shot().width == 250, "a picture of the new size")
        self.screen.tool("windowminimize", "--sync", v.window)
        until(v.is_idle, "nothing is drawn, nothing is stepped")
        self.screen.tool("windowmap", "--sync", v.window)
        self.screen.tool("windowactivate", "--sync", v.window)
        self.assertGreater(len(v.shot().cable()), 100)
        v.key("space")
        until(lambda: "paused" in v.title(), "the title of what is paused")
        until(v.is_idle, "paused: no busy loop")
        v.key("alt+F4")  # openbox's own: it asks the window to close
        self.assertEqual(v.end(), 0, v.said())
        self.assertNotIn("clcable: ", v.said())

    def drop(self, viewer, *files):
        """As a file manager does."""
        result = subprocess.run([sys.executable, str(HERE / "xdnd.py"), viewer.window, *map(str, files)],
                                env=self.screen.environment, timeout=WAIT)
        self.assertEqual(result.returncode, 0)

    def test_drop(self):
        v = self.start("--paused")
        (self.folder / "broken.json").write_text(SCENE[:-30])
        (self.folder / "two words.json").write_text(SCENE.replace("0.5]", "0.9]"))
        before = v.shot()
        self.drop(v, self.folder / "broken.json")
        until(lambda: "broken.json: line" in v.said(), "what is wrong with it")
        self.assertIn("net.json", v.title())
        self.assertEqual(v.shot().difference(before), 0)  # all is as it was
        self.drop(v, self.folder / "two words.json")
        until(lambda: "two words.json" in v.title(), "the other scene")
        self.quit(v)

    def test_fine_display(self):
        """With 192 dots per inch windows are twice as large, and the mouse is where it is seen to be."""
        resource = ("xprop", "-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER")
        subprocess.run([*resource, "Xft.dpi: 192"], env=self.screen.environment, check=True)
        try:
            v = self.start("--paused")
            self.assertEqual((v.place()["WIDTH"], v.place()["HEIGHT"]), (2 * SIZE[0], 2 * SIZE[1]))
            self.screen.tool("windowmove", "--sync", v.window, 10, 10)  # all of it on the screen
            v.key("KP_1", "Home")
            picture = v.shot()
            self.assertEqual(picture.width, 2 * SIZE[0])
            before = v.seen()
            v.move(*self.middle_of(picture))
            self.screen.tool("click", 1)
            self.assertGreater(v.seen().difference(before), 0.05)  # it is selected
            self.quit(v)
        finally:
            subprocess.run([*resource, "Xft.dpi: 96"], env=self.screen.environment, check=True)

    def call(self, *words, environment=None):
        return subprocess.run([PROGRAM, "view", *words], cwd=self.folder, env=environment or self.screen.environment,
                              capture_output=True, text=True, timeout=WAIT)

    def test_without_a_display(self):
        environment = {k: v for k, v in self.screen.environment.items() if k != "DISPLAY"}
        result = self.call("net.json", environment=environment)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertRegex(result.stderr, r"\Aclcable: view: no display [^\n]*\n\Z")
        for instead in ("clcable render", "xvfb-run"):
            self.assertIn(instead, result.stderr)
        result = self.call("nowhere.json", environment=environment)  # that comes first
        self.assertEqual(result.returncode, 2)
        self.assertIn("nowhere.json", result.stderr)

    def test_interop(self):
        """The CPU shares nothing with OpenGL: said once with --verbose, refused with --interop on."""
        words = ("net.json", "--device", "native", "--pictures", "2", "--size", "320x240", "--quality", "draft")
        result = self.call(*words, "--verbose")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.count("no buffers shared with OpenGL"), 1)
        self.assertNotIn("shared", self.call(*words, "--verbose", "--interop", "off").stdout)
        result = self.call(*words, "--interop", "on")
        self.assertEqual(result.returncode, 2)
        self.assertIn("OpenGL", result.stderr)
        result = self.call(*words, "--interop", "yes")
        self.assertEqual(result.returncode, 2)
        self.assertIn("on, off or auto", result.stderr)

    def test_both_kinds_of_context(self):
        words = ("net.json", "--device", "native", "--pictures", "2", "--size", "320x240", "--quality", "draft", "-v")
        kinds = {}
        for name, more in (("EGL", {}), ("GLX", {"__EGL_VENDOR_LIBRARY_FILENAMES": os.devnull})):
            result = self.call(*words, environment={**self.screen.environment, **more})
            self.assertEqual(result.returncode, 0, result.stderr)
            kinds[name] = re.search(r"OpenGL: .*, by (\w+)$", result.stdout, re.MULTILINE)[1]
        self.assertEqual(kinds, {"EGL": "EGL", "GLX": "GLX"})

    def memory(self, pictures):
        """Of a run: how many pictures there were, the bytes allocated then, the process's own memory in bytes; and so on."""
        result = subprocess.run(
            [MEMORY, "view", "net.json", "--device", "native", "--threads", "1", "--size", "320x240", "--quality",
             "draft", "--colour", "tension", "--pictures", str(pictures)],
            cwd=self.folder, env=self.screen.environment, stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        found = re.findall(r"^memory: pictures (\d+), allocated (\d+) bytes, own (\d+) KiB$", result.stderr, re.MULTILINE)
        return [(int(count), int(allocated), 1024 * int(own)) for count, allocated, own in found]

    @unittest.skipUnless(MEMORY, "no program that tells its memory: no mallinfo2 here, or a sanitizer's malloc")
    def test_a_thousand_pictures_do_not_leak(self):
        """Each with its stepping, updates and draws. Of the growths from one sample to the next the largest and the smallest
        are left out: once in a run, at any time, OpenGL's driver may take a megabyte or two for good. The others are a few
        hundred bytes, up and down, whatever else the machine does. Resident memory alone would not tell: a run in which
        Mesa has to compile shaders that it does not find in its cache takes 25 MB more."""
        samples = [sample for sample in self.memory(1000) if sample[0] >= 200]  # all is made and compiled
        self.assertEqual(len(samples), 17)
        for what, limit in ((1, 100), (2, 1024)):  # bytes a picture
            growths = sorted((b[what] - a[what]) / (b[0] - a[0]) for a, b in itertools.pairwise(samples))
            self.assertLess(statistics.mean(growths[1:-1]), limit, samples)


if __name__ == "__main__":
    if not all(map(shutil.which, ("Xvfb", "openbox", "xdotool", "xprop"))):
        print("skipped: Xvfb, openbox, xdotool or xprop is not installed")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)

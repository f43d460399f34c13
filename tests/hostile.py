"""Hostile scenes: made to go wrong, run, and judged from their coordinates alone.

    hostile.py PROGRAM [--first N] [--count N] [--jobs N] [--kind NAME] [--keep FOLDER] [--verbose]

Scene N is the same on every machine. Each is run by the program, which may refuse it, end it as diverged, or warn
that a figure is beyond its bound. A run that ends as `ok` without such a warning although its coordinates are wrong
is silent. Exit code 1: there were silent ones, or the program crashed or hung; 0: none.

What is wrong, in any frame after the first: a segment's length off by more than 10 % and what its stiffness gives;
a surface deeper than half a radius in another one; energy of motion and height above that of the start by more than
5 % of what has moved, where nothing drives; a coordinate that is no number.
"""
import argparse
import array
import ast
import collections
import concurrent.futures
import json
import math
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

JUDGED = ("stretch", "overlap", "energy", "speed")  # how a run's warnings about itself begin
LOOSE = {"pbd": 0.25, "jakobsen": 0.25, "jacobi": 0.25}  # these promise no lengths
GRAVITY = 9.81


# ---- scenes ----


def material(radius=0.005, density=0.1, **more):
    return {"radius": radius, "linear_density": density, **more}


def scene_of(rng, cables, materials, **more):
    method = rng.choices(["xpbd", "direct", "springs", "pbd", "jakobsen", "jacobi"], [45, 45, 3, 3, 2, 2])[0]
    if any("bending_stiffness" in m or "stretching_stiffness" in m for m in materials.values()) or "contact" in more:
        method = rng.choice(["xpbd", "direct"])
    scene = {"clcable": 1, "time": {"duration": 0.3, "frame_rate": 60, "substeps": rng.choice([1, 2, 5, 10, 20, 20, 20, 40])},
             "materials": materials, "cables": cables, "method": {"name": method}}
    if method == "springs":
        scene["method"]["spring_stiffness"] = 10 ** rng.uniform(1, 5)
    scene.update(more)
    return scene


def straight(rng, name="a", length=None, z=1.0, y=0.0, segments=None, **more):
    length = length or rng.choice([0.3, 1, 1, 3])
    return {"name": name, "material": "w", "path": [[0, y, z], [length, y, z]],
            "segments": segments or rng.choice([1, 2, 5, 20, 20, 40]), **more}


def hold(at, to="here", cable="a", **more):
    return {"cable": cable, "at": at, "to": to, **more}


def heavy_end(rng):
    mass = 10 ** rng.uniform(-1, 5)
    return scene_of(rng, [straight(rng)], {"w": material()}, attachments=[hold("start")],
                    loads=[{"cable": "a", "at": "end", "mass": mass}])


def heavy_middle(rng):
    ends = [hold("start")] + ([hold("end")] if rng.random() < 0.5 else [])
    return scene_of(rng, [straight(rng, segments=20)], {"w": material()}, attachments=ends,
                    loads=[{"cable": "a", "at": rng.choice([0.25, 0.5, 0.9]), "mass": 10 ** rng.uniform(-1, 5)}])


def stiff_bend(rng):
    bend = rng.uniform(0, 0.4)
    cable = {"name": "a", "material": "w", "path": [[0, 0, 1], [0.5, bend, 1], [1, 0, 1]], "segments": rng.choice([4, 20, 50])}
    more = {"rest_shape": "path"} if rng.random() < 0.6 else {}
    return scene_of(rng, [cable], {"w": material(bending_stiffness=10 ** rng.uniform(-9, 6), **more)},
                    attachments=[hold("start", clamp=True) if rng.random() < 0.4 else hold("start")])


def stiff_length(rng):
    return scene_of(rng, [straight(rng)], {"w": material(stretching_stiffness=10 ** rng.uniform(2, 10))},
                    attachments=[hold("start")], loads=[{"cable": "a", "at": "end", "mass": 10 ** rng.uniform(-2, 1)}])


def ends_apart(rng):
    return scene_of(rng, [straight(rng, length=1.0)], {"w": material()},
                    attachments=[hold("start"), hold("end", [rng.uniform(0.9, 2), 0, 1])])


def middle_apart(rng):
    return scene_of(rng, [straight(rng, length=1.0, segments=20)], {"w": material()},
                    attachments=[hold("start"), hold(0.5, [0.5, 0, 1 + rng.uniform(0, 2)]), hold("end")])


def squeeze(rng):
    gap = rng.uniform(-0.15, 0.1)
    down = [[0, 0, 0, 0], [rng.choice([0.05, 0.2, 0.3]), 0, 0, gap - 0.1]]
    return scene_of(rng, [straight(rng, length=1.0, z=0.05)], {"w": material()},
                    colliders=[{"shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]},
                               {"shape": "box", "center": [0.5, 0, 0.2], "half_extents": [1, 1, 0.1], "keyframes": down}])


def shake(rng):
    step, way = 10 ** rng.uniform(-3, -1), 10 ** rng.uniform(-2, 0)
    keys = [[round(k * step, 6), way * (k % 2), 0, 1] for k in range(int(0.3 / step) + 1)]
    return scene_of(rng, [straight(rng, length=1.0)], {"w": material()}, attachments=[hold("start", {"keyframes": keys})])


def many_segments(rng):
    segments = rng.choice([200, 400, 800])
    held = [hold("start")] + ([hold("end")] if rng.random() < 0.5 else [])
    cable = straight(rng, length=1.0, segments=segments, z=0.1)
    if len(held) == 2:
        cable["length"] = 1.1
    floor = [{"shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]}] if rng.random() < 0.5 else []
    return scene_of(rng, [cable], {"w": material()}, attachments=held, colliders=floor)


def start_inside(rng):
    z = rng.choice([-100, -1, -0.1, -0.01, 0, 0.002])
    shape = rng.choice([{"shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]},
                        {"shape": "box", "center": [0.5, 0, 0], "half_extents": [1, 1, 10 ** rng.uniform(-2, 0)]},
                        {"shape": "sphere", "center": [0.5, 0, 0], "radius": 10 ** rng.uniform(-2, 0)}])
    held = [hold("start")] if rng.random() < 0.3 else []
    return scene_of(rng, [straight(rng, length=1.0, z=z)], {"w": material()}, attachments=held, colliders=[shape])


def start_overlapping(rng):
    count, gap = rng.choice([2, 3, 5]), rng.choice([0, 0.001, 0.004, 0.009])
    cables = []
    for i in range(count):
        if rng.random() < 0.5:
            cables.append(straight(rng, name=f"c{i}", length=1.0, z=0.005 + i * gap, segments=20))
        else:
            cables.append({"name": f"c{i}", "material": "w", "path": [[0.5, -0.5, 0.005 + i * gap], [0.5, 0.5, 0.005 + i * gap]],
                           "segments": 20})
    return scene_of(rng, cables, {"w": material()}, colliders=[{"shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]}])


def heavy_on_light(rng):
    cables = [straight(rng, length=1.0, segments=20),
              {"name": "b", "material": "h", "path": [[0, 0.01, 1.05], [1, -0.01, 1.05]], "segments": 20}]
    return scene_of(rng, cables, {"w": material(), "h": material(0.01, 10 ** rng.uniform(0, 3))},
                    attachments=[hold("start"), hold("end")])


def thrown(rng):
    speed = 10 ** rng.uniform(0.5, 1.8)
    shape = rng.choice([{"shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]},
                        {"shape": "capsule", "from": [0.5, -1, 0], "to": [0.5, 1, 0], "radius": 0.02},
                        {"shape": "sphere", "center": [0.5, 0, -0.1], "radius": 0.1}])
    cable = straight(rng, length=1.0, z=0.3, velocity=[rng.uniform(-1, 1) * speed, 0, -speed])
    held = [hold("start")] if rng.random() < 0.3 else []
    return scene_of(rng, [cable], {"w": material()}, attachments=held, colliders=[shape])


def thrown_at_taut(rng):
    cables = [straight(rng, length=1.0, segments=20),
              {"name": "b", "material": "w", "path": [[0.5, -0.5, 1.2], [0.5, 0.5, 1.2]], "segments": 20,
               "velocity": [0, 0, -(10 ** rng.uniform(0.5, 1.7))]}]
    return scene_of(rng, cables, {"w": material()}, attachments=[hold("start"), hold("end")])


def joined(rng):
    count, cables, holds = rng.choice([2, 3, 5]), [], [hold("start", cable="c0")]
    materials = {}
    for i in range(count):
        materials[f"m{i}"] = material(0.003, 10 ** rng.uniform(-3, 2))
        cables.append({"name": f"c{i}", "material": f"m{i}", "path": [[0.3 * i, 0, 1], [0.3 * (i + 1), 0, 1]],
                       "segments": rng.choice([2, 10, 20])})
        if i:
            holds.append(hold("start", {"cable": f"c{i - 1}", "at": "end"}, cable=f"c{i}"))
    return scene_of(rng, cables, materials, attachments=holds)


def scaled(rng):
    size = 10 ** rng.uniform(-3, 3)
    cable = {"name": "a", "material": "w", "path": [[0, 0, size], [size, 0, size]], "segments": rng.choice([5, 20, 60])}
    more = {"bending_stiffness": 10 ** rng.uniform(-6, 2)} if rng.random() < 0.5 else {}
    held = [hold("start")] if rng.random() < 0.7 else []
    return scene_of(rng, [cable], {"w": material(size * 0.005, 10 ** rng.uniform(-3, 2), **more)}, attachments=held,
                    colliders=[{"shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]}])


def struck(rng):
    way, step = rng.choice([-1, 1]) * 10 ** rng.uniform(-0.5, 0.5), 10 ** rng.uniform(-2, -0.5)
    ball = {"shape": "sphere", "center": [0.5, -way / 2, 0.8], "radius": 0.1, "keyframes": [[0, 0, 0, 0], [step, 0, way, 0]]}
    return scene_of(rng, [straight(rng, length=1.0, segments=20)], {"w": material()},
                    attachments=[hold("start"), hold("end")], colliders=[ball])


def pulled(rng):
    force = 10 ** rng.uniform(-1, 5)
    return scene_of(rng, [straight(rng)], {"w": material()}, attachments=[hold("start")],
                    loads=[{"cable": "a", "at": "end", "force": [force, 0, rng.uniform(-1, 1) * force]}])


def led_away(rng):
    speed = 10 ** rng.uniform(-1, 2)
    keys = [[0, 1, 0, 1], [0.3, 1 + rng.uniform(-1, 1) * 0.3 * speed, 0, 1 + rng.uniform(-1, 1) * 0.3 * speed]]
    return scene_of(rng, [straight(rng, length=1.0)], {"w": material()}, attachments=[hold("start"), hold("end", {"keyframes": keys})])


KINDS = [heavy_end, heavy_middle, stiff_bend, stiff_length, ends_apart, middle_apart, squeeze, shake, many_segments, start_inside,
         start_overlapping, heavy_on_light, thrown, thrown_at_taut, joined, scaled, struck, pulled, led_away]


def make(number):
    rng = random.Random(f"hostile {number}")
    kind = KINDS[number % len(KINDS)]
    return kind.__name__, kind(rng)


# ---- coordinates ----


def read_npz(path):
    found = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            data = archive.read(name)
            start, size = (10, struct.unpack("<H", data[8:10])[0]) if data[6] == 1 else (12, struct.unpack("<I", data[8:12])[0])
            head = ast.literal_eval(data[start:start + size].decode("latin1"))
            code = {"f4": "f", "f8": "d", "i4": "i", "i8": "q"}.get(head["descr"][1:])
            if code:
                numbers = array.array(code)
                numbers.frombytes(data[start + size:])
                found[name[:-4]] = numbers
    return found


def triples(numbers, frame, nodes):
    at = 3 * nodes * frame
    return [tuple(numbers[at + 3 * i:at + 3 * i + 3]) for i in range(nodes)]


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def size(a):
    return math.sqrt(dot(a, a))


def between(a, b, t):
    return (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2]))


def clamp(x):
    return min(1.0, max(0.0, x))


def apart(p, q, r, s):
    """Distance of two segments."""
    d1, d2, w = sub(q, p), sub(s, r), sub(p, r)
    a, e, f, b, c = dot(d1, d1), dot(d2, d2), dot(d2, w), dot(d1, d2), dot(d1, w)
    if a < 1e-30 or e < 1e-30:
        return size(w)
    denominator = a * e - b * b
    t = clamp((b * f - c * e) / denominator) if denominator > 1e-12 * a * e else 0.0
    u = (b * t + f) / e
    if u < 0 or u > 1:
        u = clamp(u)
        t = clamp((b * u - c) / a)
    return size(sub(between(p, q, t), between(r, s, u)))


def outside(collider, shift, point):
    """How far a point is outside; negative inside."""
    p = sub(point, shift)
    shape = collider["shape"]
    if shape == "plane":
        return dot(sub(p, collider["point"]), collider["normal"])
    if shape == "sphere":
        return size(sub(p, collider["center"])) - collider["radius"]
    if shape == "capsule":
        a, b = collider["from"], collider["to"]
        axis = sub(b, a)
        return size(sub(p, between(a, b, clamp(dot(sub(p, a), axis) / dot(axis, axis))))) - collider["radius"]
    q = [abs(p[k] - collider["center"][k]) - collider["half_extents"][k] for k in range(3)]
    return math.sqrt(sum(max(0.0, x) ** 2 for x in q)) + min(0.0, max(q))


def shift_at(collider, time):
    keys = collider.get("keyframes")
    if not keys:
        return (0, 0, 0)
    if time <= keys[0][0]:
        return tuple(keys[0][1:4])
    for a, b in zip(keys, keys[1:]):
        if time <= b[0]:
            return between(a[1:4], b[1:4], (time - a[0]) / (b[0] - a[0]))
    return tuple(keys[-1][1:4])


class Bodies:
    """Cables of a scene: first row, rest length of a segment, radius, masses of the rows."""

    def __init__(self, scene):
        self.scene, self.rows, self.mass, self.first = scene, 0, [], {}
        for cable in scene["cables"]:
            m, n = scene["materials"][cable["material"]], cable["segments"]
            length = cable.get("length") or sum(math.dist(a, b) for a, b in zip(cable["path"], cable["path"][1:]))
            curved = len(cable["path"]) > 2
            self.first[cable["name"]] = (self.rows, n, None if curved else length / n, m)
            lump = m["linear_density"] * length / n
            self.mass += [lump / 2] + [lump] * (n - 1) + [lump / 2]
            self.rows += n + 1
        self.held = set()
        for a in scene.get("attachments", []):
            if not (isinstance(a["to"], dict) and "cable" in a["to"]):
                self.held.add(self.row(a["cable"], a["at"]))
        for load in scene.get("loads", []):
            self.mass[self.row(load["cable"], load["at"])] += load.get("mass", 0)

    def row(self, cable, at):
        first, n, _, _ = self.first[cable]
        return first + {"start": 0, "end": n}.get(at, None) if isinstance(at, str) else first + int(math.floor(at * n + 0.5))

    def driven(self):
        s = self.scene
        return (any("force" in load for load in s.get("loads", [])) or any("keyframes" in c for c in s.get("colliders", []))
                or any(isinstance(a["to"], dict) and "keyframes" in a["to"] for a in s.get("attachments", [])))


def judge_lengths(bodies, places, start, loose, speed):
    worst = 0
    weight = GRAVITY * sum(bodies.mass)
    force = sum(size(load["force"]) for load in bodies.scene.get("loads", []) if "force" in load)
    for first, n, rest, m in bodies.first.values():
        stiffness = m.get("stretching_stiffness", math.inf)
        if "spring_stiffness" in bodies.scene["method"]:  # N/m of a segment
            stiffness = bodies.scene["method"]["spring_stiffness"] * (rest or 1)
        give = 5 * (weight + force) / stiffness + 4 * speed * math.sqrt(m["linear_density"] / stiffness)
        for i in range(first, first + n):
            whole = rest or size(sub(start[i + 1], start[i]))
            off = abs(size(sub(places[i + 1], places[i])) - whole) / whole - give
            worst = max(worst, off)
    return worst / (loose / 0.10)


def judge_colliders(bodies, places, time):
    worst = 0
    for collider in bodies.scene.get("colliders", []):
        shift = shift_at(collider, time)
        for first, n, _, m in bodies.first.values():
            for i in range(first, first + n):
                points = [between(places[i], places[i + 1], t / 4) for t in range(5)] if n <= 50 else [places[i]]
                if i in bodies.held or i + 1 in bodies.held:
                    continue
                depth = m["radius"] - min(outside(collider, shift, p) for p in points)
                worst = max(worst, depth / m["radius"])
    return worst


def judge_cables(bodies, places):
    worst = 0
    joined = any(isinstance(a["to"], dict) and "cable" in a["to"] for a in bodies.scene.get("attachments", []))
    names = list(bodies.first.values())
    if joined:
        return 0
    for x, (first, n, _, m) in enumerate(names):
        for other, k, _, o in names[:x]:
            reach, thinner = m["radius"] + o["radius"], min(m["radius"], o["radius"])
            for i in range(first, first + n):
                for j in range(other, other + k):
                    worst = max(worst, (reach - apart(places[i], places[i + 1], places[j], places[j + 1])) / thinner)
    return worst


def bending_at_start(bodies, start):
    """J that bending stores where the cable would be straight."""
    stored = 0
    for first, n, _, m in bodies.first.values():
        if m.get("rest_shape") == "path":
            continue
        for i in range(first + 1, first + n):
            a, b = sub(start[i], start[i - 1]), sub(start[i + 1], start[i])
            cosine = max(-1, min(1, dot(a, b) / (size(a) * size(b))))
            stored += m.get("bending_stiffness", 0) * (2 * math.tan(math.acos(cosine) / 2)) ** 2 / (size(a) + size(b))
    return stored


def judge_energy(bodies, frames, speeds):
    """Worst gain over 5 % of what moved."""
    radius = max(m["radius"] for _, _, _, m in bodies.first.values())
    free = [i for i in range(bodies.rows) if i not in bodies.held]
    mass = sum(bodies.mass[i] for i in free)
    small = 1e-9 + mass * (GRAVITY * 0.5 * radius + 0.5 * 0.02 ** 2)
    height = [GRAVITY * sum(bodies.mass[i] * p[i][2] for i in free) for p in frames]
    motion = [0.5 * sum(bodies.mass[i] * dot(v[i], v[i]) for i in free) for v in speeds]
    stored = bending_at_start(bodies, frames[0])
    begin, worst, fallen = height[0] + motion[0] + stored, 0, motion[0] + stored
    for h, k in zip(height[1:], motion[1:]):
        fallen = max(fallen, begin - h)
        worst = max(worst, (h + k - begin) / (0.05 * max(fallen, small) + small))
    return worst


def judge(scene, path):
    """What is wrong: figures over their bounds, by name."""
    data = read_npz(path)
    bodies = Bodies(scene)
    places, velocities = data["positions"], data["velocities"]
    count = len(places) // (3 * bodies.rows)
    if any(not math.isfinite(x) for x in places):
        return {"number": math.inf}
    frames = [triples(places, f, bodies.rows) for f in range(count)]
    speeds = [triples(velocities, f, bodies.rows) for f in range(count)]
    loose = LOOSE.get(scene["method"]["name"], 0.10)
    speed = max([1.0] + [size(c.get("velocity", (0, 0, 0))) for c in scene["cables"]]) + math.sqrt(2 * GRAVITY * 2)
    rate = scene["time"]["frame_rate"]
    wrong = {
        "stretch": max([judge_lengths(bodies, p, frames[0], loose, speed) / 0.10 for p in frames[1:]] or [0]),
        "collider": max([judge_colliders(bodies, p, (f + 1) / rate) / 0.5 for f, p in enumerate(frames[1:])] or [0]),
        "cables": max([judge_cables(bodies, p) / 0.5 for p in frames[1::4] + frames[-1:]] or [0]),
    }
    if not bodies.driven():
        wrong["energy"] = judge_energy(bodies, frames, speeds)
    return {name: figure for name, figure in wrong.items() if figure > 1.05}  # a float's and a sample's share


# ---- running ----


def run(program, number, folder):
    """(kind, outcome, what is wrong, what was said)"""
    kind, scene = make(number)
    place = pathlib.Path(tempfile.mkdtemp(prefix=f"hostile-{number}-", dir=folder))
    try:
        (place / "scene.json").write_text(json.dumps(scene))
        words = [program, "run", "scene.json", "--device", "native", "--threads", "1", "--quiet", "-o", "out.npz", "--report", "out.json"]
        try:
            done = subprocess.run(words, cwd=place, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return number, kind, "hung", {}, "", scene
        if done.returncode == 2:
            return number, kind, "refused", {}, done.stderr.strip(), scene
        if done.returncode not in (0, 1) or not (place / "out.json").exists():
            return number, kind, "crashed", {}, done.stderr.strip(), scene
        report = json.loads((place / "out.json").read_text())
        if report["status"] == "diverged":
            return number, kind, "diverged", {}, report.get("message") or "", scene
        said = [w for w in report["warnings"] if w.split(":")[0] in JUDGED]
        wrong = judge(scene, place / "out.npz")
        outcome = "warned" if said else "silent" if wrong else "ok"
        return number, kind, outcome, wrong, " | ".join(said), scene
    finally:
        shutil.rmtree(place)


def print_table(table):
    outcomes = ["ok", "warned", "diverged", "refused", "silent", "crashed", "hung", "only warned"]
    print(f"{'kind':18}" + "".join(f"{o:>12}" for o in outcomes))
    for kind, counts in sorted(table.items()):
        print(f"{kind:18}" + "".join(f"{counts[o]:12}" for o in outcomes))
    total = sum(table.values(), collections.Counter())
    print(f"{'all':18}" + "".join(f"{total[o]:12}" for o in outcomes))
    return total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--kind")
    parser.add_argument("--keep", help="folder for scenes that were silent, crashed or hung")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    numbers = [n for n in range(options.first, options.first + options.count) if options.kind in (None, make(n)[0])]
    table = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory(prefix="clcable-hostile-") as folder:
        with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
            for number, kind, outcome, wrong, said, scene in pool.map(run, *zip(*[(program, n, folder) for n in numbers]), chunksize=4):
                table[kind][outcome] += 1
                bad = outcome in ("silent", "crashed", "hung")
                if outcome == "warned" and not wrong:  # by what the coordinates say nothing is wrong
                    table[kind]["only warned"] += 1
                if bad or options.verbose:
                    figures = ", ".join(f"{k} {v:.3g} times its bound" for k, v in wrong.items())
                    print(f"{number} {kind}: {outcome}: {figures or said}", flush=True)
                if bad and options.keep:
                    pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
                    (pathlib.Path(options.keep) / f"{number}-{kind}.json").write_text(json.dumps(scene))
    total = print_table(table)
    sys.exit(1 if total["silent"] + total["crashed"] + total["hung"] else 0)


if __name__ == "__main__":
    main()

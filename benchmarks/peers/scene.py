"""The scenes of `clcable bench` for the peers, and one yardstick for all of them.

Reads scenes/hang.json and scenes/pile.json of this repository; what a case changes in them is what
host/cli/bench_case.c changes. Only what these two scenes use is understood; anything else is an error.
"""
import argparse
import json
import os
import pathlib
import re
import time
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

HERE = pathlib.Path(__file__).resolve().parent
SCENES = HERE.parents[1] / "scenes"

HANG_GRIDS = {1: (1, 1), 16: (4, 4), 256: (16, 16), 1024: (32, 32), 4096: (64, 64)}
PILE_GRIDS = {16: (4, 2), 64: (8, 4), 256: (16, 8), 1024: (16, 32), 4096: (32, 64)}


@dataclass
class Scene:
    case: str
    x: np.ndarray  # m, (cables, nodes, 3), at the start
    mass: np.ndarray  # kg, (nodes,), lumped: half of each neighbouring segment
    rest: float  # m, length of a segment
    radius: float  # m
    bending: float  # N m^2
    friction: float
    gravity: np.ndarray  # m/s^2
    held: bool  # the first node of each cable is held where it is
    contact: bool  # cables touch each other, themselves and the floor z = 0
    frame_rate: int  # 1/s
    frames: int
    substeps: int  # per frame, as in the file

    @property
    def cables(self):
        return self.x.shape[0]

    @property
    def segments(self):
        return self.x.shape[1] - 1

    @property
    def inverse_mass(self):
        w = 1 / self.mass
        if self.held:
            w[0] = 0
        return w


def overrides(case):
    """What the case changes in its file: {JSON pointer: value}."""
    kind, count = re.fullmatch(r"(hang|pile)-(\d+)", case).groups()
    if kind == "hang":
        return {"/cables/0/copies/count": [*HANG_GRIDS[int(count)], 1]}
    wide, layers = PILE_GRIDS[int(count)]
    copies = json.loads((SCENES / "pile.json").read_text())["cables"][0]["copies"]
    spacing = copies["spacing"][1] * (copies["count"][1] - 1) / (wide - 1)
    return {"/cables/0/copies/count": [1, wide, layers], "/cables/1/copies/count": [wide, 1, layers],
            "/cables/0/copies/spacing/1": spacing, "/cables/1/copies/spacing/0": spacing}


def scene_file(case):
    return SCENES / (case.split("-")[0] + ".json")


def load(case, cables=None):
    """The scene of a case; of `hang` only the first `cables`, if given: they do not feel each other."""
    data = json.loads(scene_file(case).read_text())
    for pointer, value in overrides(case).items():
        *path, last = [int(k) if k.isdigit() else k for k in pointer[1:].split("/")]
        part = data
        for key in path:
            part = part[key]
        part[last] = value
    (material,) = data["materials"].values()
    segments = data["cables"][0]["segments"]
    x = np.concatenate([lay(cable) for cable in data["cables"]])
    rest = float(np.linalg.norm(np.diff(x[0], axis=0), axis=1).mean())
    mass = np.full(segments + 1, material["linear_density"] * rest)
    mass[[0, -1]] /= 2
    held = "attachments" in data
    if held:
        assert data["attachments"] == [{"cable": "a", "at": "start", "to": "here"}]
    clock = data["time"]
    return Scene(case, x[:cables], mass, rest, material["radius"], material["bending_stiffness"],
                 material.get("friction", 0.3), np.array(data.get("gravity", [0, 0, -9.81])), held,
                 contact=not held, frame_rate=clock["frame_rate"],
                 frames=round(clock["duration"] * clock["frame_rate"]), substeps=clock["substeps"])


def lay(cable):
    """Nodes of a straight cable and its copies, x fastest: (copies, nodes, 3)."""
    start, end = np.array(cable["path"], float)
    line = start + np.linspace(0, 1, cable["segments"] + 1)[:, None] * (end - start)
    count, spacing = cable["copies"]["count"], np.array(cable["copies"]["spacing"], float)
    k, j, i = np.meshgrid(*(np.arange(n) for n in count[::-1]), indexing="ij")
    shift = np.stack([i, j, k], axis=-1).reshape(-1, 3) * spacing
    return line[None] + shift[:, None]


# --- yardstick

def stretch(scene, x):
    """|l - l0| / l0 over all segments: largest and mean."""
    off = np.abs(np.linalg.norm(np.diff(x, axis=1), axis=2) / scene.rest - 1)
    return float(off.max()), float(off.mean())


def centre(scene, cable):
    """Centre of mass of one cable, (nodes, 3)."""
    return (cable * scene.mass[:, None]).sum(axis=0) / scene.mass.sum()


def reference():
    """The converged centre of mass of a cable of `hang` relative to where it is held: (frames + 1, 3)."""
    table = np.loadtxt(HERE / "reference.csv", delimiter=",", skiprows=1)
    return table[:, 2:] - load("hang-1").x[0, 0]


def closest(p1, q1, p2, q2):
    """Distance of segments p1 q1 and p2 q2, row by row (Ericson, Real-Time Collision Detection, 5.1.9)."""
    d1, d2, r = q1 - p1, q2 - p2, p1 - p2
    a, e, f = (d1 * d1).sum(1), (d2 * d2).sum(1), (d2 * r).sum(1)
    b, c = (d1 * d2).sum(1), (d1 * r).sum(1)
    denominator = a * e - b * b
    skew = denominator > 1e-12 * a * e
    s = np.where(skew, np.clip((b * f - c * e) / np.where(skew, denominator, 1), 0, 1), 0.5)
    t = (b * s + f) / e
    s = np.where(t < 0, np.clip(-c / a, 0, 1), np.where(t > 1, np.clip((b - c) / a, 0, 1), s))
    t = np.clip(t, 0, 1)
    return np.linalg.norm(p1 + s[:, None] * d1 - p2 - t[:, None] * d2, axis=1)


def overlap(scene, x):
    """Deepest overlap in m of segments with one another and with the floor, 0 if nothing touches."""
    if not scene.contact:
        return 0.0
    a, b = x[:, :-1].reshape(-1, 3), x[:, 1:].reshape(-1, 3)
    cable = np.repeat(np.arange(scene.cables), scene.segments)
    index = np.tile(np.arange(scene.segments), scene.cables)
    longest = np.linalg.norm(b - a, axis=1).max()
    pairs = cKDTree((a + b) / 2).query_pairs(longest + 2 * scene.radius, output_type="ndarray")
    i, j = pairs.T
    near = (cable[i] == cable[j]) & (np.abs(index[i] - index[j]) < neighbours(scene))
    i, j = i[~near], j[~near]
    gap = closest(a[i], b[i], a[j], b[j]) - 2 * scene.radius
    floor = x[..., 2].min() - scene.radius
    return float(max(0, -floor, -gap.min() if len(gap) else 0))


def neighbours(scene):
    """Segments of one cable that are fewer apart than this never count as touching (docs/methods.md)."""
    return max(3, int(np.ceil((2 * scene.radius + scene.rest) / scene.rest - 1e-9)) + 1)


# --- rows

def parse_arguments(substeps, hang_cables=None):
    """The command line that all peers share. `substeps`: {"hang": ..., "pile": ...}, the peer's own choice."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", required=True)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--substeps", type=int, help="per frame; default: the peer's own choice")
    parser.add_argument("--cables", type=int, default=hang_cables, help="run only so many cables of hang")
    options = parser.parse_args()
    kind = options.case.split("-")[0]
    options.substeps = options.substeps or substeps[kind]
    return options, load(options.case, options.cables if kind == "hang" else None)


def run(peer, version, method, scene, options, make):
    """Times a peer and prints its row as a line of JSON.

    `make(scene, options)` gives an object with reset(), step() for one frame, positions() as (cables, nodes, 3) and
    watch(), the positions of one cable. One frame is stepped before, so that compiling does not count.
    """
    engine = make(scene, options)
    engine.step()
    times = []
    for _ in range(options.repeat):
        engine.reset()
        path, wall, cpu = [], 0.0, 0.0
        for _ in range(scene.frames):
            begun = time.perf_counter(), time.process_time()
            engine.step()
            wall += time.perf_counter() - begun[0]
            cpu += time.process_time() - begun[1]
            path.append(engine.watch())
        times.append((wall, cpu))
    print(json.dumps(row(peer, version, method, scene, options, times, engine.positions(), path)), flush=True)


def row(peer, version, method, scene, options, times, x, path):
    """What every peer reports. `times`: (wall, cpu) in s of each repetition; `path`: one cable after each frame of the
    last; all cables of `hang` move alike."""
    largest, mean = stretch(scene, x)
    simulated = scene.frames / scene.frame_rate
    out = {"case": scene.case, "peer": peer, "version": version, "method": method, "cables": scene.cables,
           "case_cables": int(scene.case.split("-")[1]), "segments": scene.segments, "substeps": options.substeps,
           "simulated_s": simulated, "wall_s": min(t[0] for t in times), "cpu_s": min(t[1] for t in times),
           "wall_all_s": [t[0] for t in times], "threads": options.threads,
           "stretch_max": largest, "stretch_mean": mean, "finite": bool(np.isfinite(x).all())}
    if scene.contact:
        out |= {"overlap_mm": 1e3 * overlap(scene, x), "radius_mm": 1e3 * scene.radius,
                "mean_height_mm": 1e3 * float((x[..., 2] @ scene.mass).mean() / scene.mass.sum())}
    else:
        track = np.array([centre(scene, cable - cable[0]) for cable in path])
        off = np.linalg.norm(track - reference()[1:], axis=1)
        out |= {"centre": [float(c) for c in track[-1]], "centre_error_mm": 1e3 * float(off.max())}
    return out

"""Cables whose bending is damped, bent and thrown: none may be blown up by its damping.

    test_damped.py PROGRAM [--count N] [--first N] [--finer SUBSTEPS]

Random scenes, always the same by their numbers: a cable of 8 to 40 segments, straight or a hairpin, of stiffness, mass and damping over two or
three orders of magnitude, free, held, clamped, led, on a body or joined to another one, with 10 or 20 substeps a frame. Tells how many
diverged and, with --finer, how far particles end from where so many substeps a frame bring them, in the geometric mean of all scenes.
"""
import argparse
import csv
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

MOST = 0.03  # of all; 2 of the first 120, and of the first 240, on 2026-11-30, 8 of the first 1,200


def make(seed):
    numbers = random.Random(seed)
    u, choice = numbers.uniform, numbers.choice

    def over(low, high):
        return math.exp(u(math.log(low), math.log(high)))

    def direction():
        d = [u(-1, 1) for _ in range(3)]
        return [x / math.hypot(*d) for x in d]

    segments = numbers.randint(8, 40)
    length = segments * over(0.005, 0.03)
    path = [[0, 0, 1]]
    for share in [0.6, 0.4] if numbers.random() < 0.5 else [1]:
        path.append([x + share * length * d for x, d in zip(path[-1], direction())])
    material = {"radius": 0.004, "linear_density": over(0.02, 0.2), "bending_stiffness": over(1e-4, 3e-2),
                "bending_damping": over(0.005, 0.1)}
    cable = {"name": "a", "material": "wire", "path": path, "segments": segments, "curve": "catmull-rom",
             "velocity": [u(-3, 3) for _ in range(3)]}
    scene = {"clcable": 1, "time": {"duration": 0.5, "frame_rate": 60, "substeps": choice([10, 20])}, "method": "direct",
             "materials": {"wire": material}, "cables": [cable], "attachments": [],
             "contact": {"cables": False, "self": False}}
    kind = choice(["free", "held", "clamped", "led", "body", "joined"])
    held = {"cable": "a", "at": "start", "to": "here", "clamp": kind == "clamped"}
    if kind == "led":
        held["to"] = {"keyframes": [[0, 0, 0, 1], [0.1, u(-0.2, 0.2), u(-0.2, 0.2), 1], [0.2, 0, 0, 1]]}
    if kind == "body":
        held["to"] = {"body": "weight"}
        scene["bodies"] = [{"name": "weight", "mass": over(0.01, 1), "position": [u(-0.1, 0.1), u(-0.1, 0.1), 1],
                            "shapes": [{"shape": "sphere", "center": [0, 0, 0], "radius": 0.04}]}]
    if kind == "joined":
        end = path[-1]
        scene["cables"].append({"name": "b", "material": "wire", "segments": segments,
                                "path": [end, [end[0] + 0.2, end[1] + u(-0.2, 0.2), end[2]]]})
        held = {"cable": "b", "at": "start", "to": {"cable": "a", "at": "end"}}
    if kind != "free":
        scene["attachments"].append(held)
    return scene


def places(path):
    with open(path, newline="") as file:
        return [[float(row[axis]) for axis in ("x", "y", "z")] for row in csv.DictReader(file)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--finer", type=int, metavar="SUBSTEPS")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        def run(seed, *more):
            path = pathlib.Path(scratch, f"{seed}.json")
            path.write_text(json.dumps(make(seed)))
            command = [options.program, "run", str(path), "--device", "native", "--threads", "1", "--quiet", *more]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode not in (0, 1):
                sys.exit(f"scene {seed}: {done.stderr}")
            return done.returncode

        def distance(seed):
            coarse, fine = (pathlib.Path(scratch, f"{seed}-{name}.csv") for name in ("coarse", "fine"))
            if run(seed, "-o", str(coarse)) or run(seed, "-o", str(fine), "--substeps", str(options.finer)):
                return None
            return sum(map(math.dist, places(coarse), places(fine))) / len(places(fine))

        with ThreadPoolExecutor(2) as pool:
            seeds = range(options.first, options.first + options.count)
            failed = [seed for seed, code in zip(seeds, pool.map(run, seeds)) if code]
            far = [d for d in pool.map(distance, seeds) if d] if options.finer else []
    print(f"{len(failed)} of {options.count} diverged: {failed}")
    if far:
        print(f"{len(far)} end {1e3 * math.exp(sum(map(math.log, far)) / len(far)):.3f} mm from where they do with {options.finer} substeps")
    return len(failed) > MOST * options.count


if __name__ == "__main__":
    sys.exit(main())

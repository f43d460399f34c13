"""The converged centre of mass of a cable of scenes/hang.json: prints reference.csv.

The same 64 particles as everybody else's, in double, with exact lengths: accelerations from a tridiagonal system,
Runge-Kutta of fourth order, then a projection back onto the lengths. Nothing of clcable is in it.

    reference.py > reference.csv          # 256 steps a frame
    reference.py --check                  # half the step; twice and four times the segments
"""
import argparse
import sys

import numpy as np
from scipy.linalg import solveh_banded

import scene as scenes

STEPS = 256  # a frame


class Cable:
    def __init__(self, finer):
        scene = scenes.load("hang-1")
        n = scene.segments * finer
        line = scene.x[0]
        self.rest = scene.rest / finer
        self.x = line[0] + np.linspace(0, 1, n + 1)[:, None] * (line[-1] - line[0])
        self.v = np.zeros_like(self.x)
        self.mass = np.full(n + 1, scene.mass[1] / finer)
        self.mass[[0, -1]] /= 2
        self.w = 1 / self.mass
        self.w[0] = 0
        self.gravity, self.bending = scene.gravity, scene.bending

    def lengths_system(self, e):
        """J W J^T of the constraints (|e|^2 - l^2) / 2, banded."""
        band = np.zeros((2, len(e)))
        band[1] = (e * e).sum(1) * (self.w[:-1] + self.w[1:])
        band[0, 1:] = -(e[1:] * e[:-1]).sum(1) * self.w[1:-1]
        return band

    def pull(self, y, e, right):
        """Moves y along the segments so that J y decreases by `right`."""
        along = solveh_banded(self.lengths_system(e), right, check_finite=False)[:, None] * e
        y[:-1] += self.w[:-1, None] * along
        y[1:] -= self.w[1:, None] * along

    def acceleration(self, x, v):
        bent = (x[:-2] - 2 * x[1:-1] + x[2:]) * (self.bending / self.rest**3)
        force = np.zeros_like(x)
        force[:-2] -= bent
        force[1:-1] += 2 * bent
        force[2:] -= bent
        a = force * self.w[:, None] + self.gravity
        a[0] = 0
        e, de = np.diff(x, axis=0), np.diff(v, axis=0)
        self.pull(a, e, (e * np.diff(a, axis=0)).sum(1) + (de * de).sum(1))
        return a

    def step(self, h):
        x, v, f = self.x, self.v, self.acceleration
        k1 = f(x, v)
        k2 = f(x + h / 2 * v, v + h / 2 * k1)
        k3 = f(x + h / 2 * v + h * h / 4 * k1, v + h / 2 * k2)
        k4 = f(x + h * v + h * h / 2 * k2, v + h * k3)
        self.x = x + h * v + h * h / 6 * (k1 + k2 + k3)
        self.v = v + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        e = np.diff(self.x, axis=0)
        self.pull(self.x, e, ((e * e).sum(1) - self.rest**2) / 2)
        e = np.diff(self.x, axis=0)
        self.pull(self.v, e, (e * np.diff(self.v, axis=0)).sum(1))

    def centre(self):
        return self.mass @ self.x / self.mass.sum()


def track(finer=1, steps=STEPS):
    scene, cable = scenes.load("hang-1"), Cable(finer)
    out = [cable.centre()]
    for _ in range(scene.frames):
        for _ in range(steps):
            cable.step(1 / (scene.frame_rate * steps))
        out.append(cable.centre())
    return np.array(out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true", help="print how far halved steps and segments lead away")
    if not parser.parse_args().check:
        print("frame,time,x,y,z")
        for i, (x, y, z) in enumerate(track()):
            print(f"{i},{i / scenes.load('hang-1').frame_rate:.9f},{x:.9f},{y:.9f},{z:.9f}")
        return
    base = track()
    for finer, steps in ((1, 2 * STEPS), (2, 2 * STEPS), (4, 4 * STEPS)):
        off = np.linalg.norm(track(finer, steps) - base, axis=1).max()
        print(f"{finer} x the segments, {steps} steps a frame: {1e3 * off:.6f} mm away", file=sys.stderr)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Draws the last frame of a run: cables as tubes with shadows, and the scene's colliders.

    clcable run scenes/knot.json -o knot.vtp
    scripts/picture.py scenes/knot.json knot.vtp knot.png --turn 20 --tilt 40

Needs numpy and pillow. The camera is parallel, z is up. The pictures in docs/images were made by

    log-cabin   --zoom 1.08 --colours 32
    knot        --turn 10 --tilt 50 --look 0.17 0.04 0.02 --zoom 8 --colours 40
    figure-eight --turn 80 --tilt 55 --look 0.048 0 0.015 --zoom 11 --colours 40
    curtain     --turn -70 --tilt 15 --colours 40
"""
import argparse
import json
import re

import numpy as np
from PIL import Image

PAPER = np.array([0.97, 0.97, 0.96])
FLOOR = np.array([0.90, 0.90, 0.88])
SOLID = np.array([0.62, 0.66, 0.70])
CABLES = np.array([[0.80, 0.33, 0.20], [0.93, 0.64, 0.24], [0.16, 0.45, 0.58], [0.32, 0.62, 0.58], [0.55, 0.35, 0.50]])
SUN = np.array([-0.35, -0.45, 0.82])  # towards the light
OVERSAMPLING = 3
NOTHING = -1e30


def read_vtp(path):
    """Points, radius of each, and where each cable ends."""
    data = open(path, "rb").read()
    xml, blocks = data.split(b'<AppendedData encoding="raw">\n_', 1)
    array = {}
    for kind, name, parts, offset in re.findall(
            rb'<DataArray type="(\w+)" Name="(\w+)" NumberOfComponents="(\d)" format="appended" offset="(\d+)"', xml):
        start = int(offset)
        size = int(np.frombuffer(blocks, "<u8", 1, start)[0])
        flat = np.frombuffer(blocks, {b"Float32": "<f4", b"Int32": "<i4"}[kind], size // 4, start + 8)
        # lines come first: those of sheets' faces, of the same names, are not drawn
        array.setdefault(name.decode(), flat.reshape(-1, int(parts)) if parts != b"1" else flat)
    return array["points"].astype(float), array["radius"].astype(float), array["offsets"]


def smooth(points, step):
    """Points at most `step` apart on a Catmull-Rom curve through the given ones."""
    p = np.concatenate([[2 * points[0] - points[1]], points, [2 * points[-1] - points[-2]]])
    pieces = max(1, int(np.ceil(np.linalg.norm(np.diff(points, axis=0), axis=1).max() / step)))
    t = (np.arange(pieces) / pieces)[None, :, None]
    a, b, c, d = (q[:, None, :] for q in (p[:-3], p[1:-2], p[2:-1], p[3:]))
    curve = b + t / 2 * ((c - a) + t * ((2 * a - 5 * b + 4 * c - d) + t * (3 * b - a - 3 * c + d)))
    return np.concatenate([curve.reshape(-1, 3), points[-1:]])


class View:
    """A parallel projection onto width x height pixels: what is seen, how near, and which way it faces."""

    def __init__(self, towards, up, centre, scale, width, height):
        self.towards = towards / np.linalg.norm(towards)
        self.right = np.cross(up, self.towards)
        self.right /= np.linalg.norm(self.right)
        self.up = np.cross(self.towards, self.right)
        self.centre, self.scale, self.width, self.height = centre, scale, width, height
        self.depth = np.full(width * height, NOTHING)
        self.normal = np.zeros((width * height, 3))
        self.item = np.full(width * height, -1)

    def project(self, x):
        x = x - self.centre
        return (x @ self.right * self.scale + self.width / 2, self.height / 2 - x @ self.up * self.scale,
                x @ self.towards)

    def places(self):
        """A point of each pixel's ray."""
        j, i = np.divmod(np.arange(self.width * self.height), self.width)
        return (self.centre + np.outer((i - self.width / 2) / self.scale, self.right)
                + np.outer((self.height / 2 - j) / self.scale, self.up))

    def put(self, pixel, depth, normal, item):
        np.maximum.at(self.depth, pixel, depth)
        seen = depth >= self.depth[pixel]
        self.normal[pixel[seen]] = normal[seen]
        self.item[pixel[seen]] = item[seen] if np.ndim(item) else item

    def draw_balls(self, x, radius, item):
        u, v, depth = self.project(x)
        size = radius * self.scale
        reach = int(np.ceil(size.max()))
        for dj in range(-reach, reach + 1):
            for di in range(-reach, reach + 1):
                i, j = np.rint(u).astype(int) + di, np.rint(v).astype(int) + dj
                a, b = (i - u) / size, (v - j) / size
                c2 = 1 - a * a - b * b
                k = (c2 > 0) & (i >= 0) & (i < self.width) & (j >= 0) & (j < self.height)
                a, b, c = a[k], b[k], np.sqrt(c2[k])
                normal = a[:, None] * self.right + b[:, None] * self.up + c[:, None] * self.towards
                self.put(j[k] * self.width + i[k], depth[k] + c * radius[k], normal, item[k])

    def draw_plane(self, collider, item):
        n = np.array(collider["normal"], float)
        n /= np.linalg.norm(n)
        slope = n @ self.towards
        if slope <= 1e-6:
            return
        depth = (np.array(collider["point"]) - self.places()) @ n / slope
        self.put(np.arange(depth.size), depth, np.tile(n, (depth.size, 1)), item)

    def draw_box(self, collider, item):
        w, x, y, z = np.array(collider.get("rotation", [1, 0, 0, 0]), float) / np.linalg.norm(
            collider.get("rotation", [1, 0, 0, 0]))
        axes = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
                         [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
                         [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]])
        start = (self.places() - np.array(collider["center"])) @ axes.T
        way, half = axes @ self.towards, np.array(collider["half_extents"], float)
        way = np.where(np.abs(way) < 1e-9, 1e-9, way)
        leave = (np.sign(way) * half - start) / way  # where a ray from the far side comes out, per axis
        enter = (-np.sign(way) * half - start) / way
        axis, hit = leave.argmin(axis=1), leave.min(axis=1) > enter.max(axis=1)
        normal = np.sign(way)[axis][:, None] * axes[axis]
        self.put(np.flatnonzero(hit), leave.min(axis=1)[hit], normal[hit], item)

    def draw(self, scene, balls, floor_too):
        self.draw_balls(*balls)
        for collider in scene.get("colliders", []):
            if collider["shape"] == "plane":
                if floor_too:
                    self.draw_plane(collider, -2)
                continue
            if collider["shape"] == "box":
                self.draw_box(collider, -3)
                continue
            ends = [collider[key] for key in ("center", "from", "to") if key in collider]
            x = np.linspace(ends[0], ends[-1], 400 if len(ends) > 1 else 1)
            self.draw_balls(x, np.full(len(x), collider["radius"]), np.full(len(x), -3))


def lit(view, sun):
    """The share of light that reaches each pixel, softened over a few texels of the light's view."""
    x = view.places() + np.outer(np.where(view.item == -1, 0, view.depth), view.towards)
    u, v, depth = sun.project(x + view.normal * 0.4 / sun.scale)
    share = np.zeros(len(x))
    spread = range(-2, 3)
    for di in spread:
        for dj in spread:
            i = np.clip(np.rint(u).astype(int) + di, 0, sun.width - 1)
            j = np.clip(np.rint(v).astype(int) + dj, 0, sun.height - 1)
            share += depth + 1.5 / sun.scale >= sun.depth[j * sun.width + i]
    return share / len(spread) ** 2


def shade(view, sun):
    colour = np.tile(PAPER, (len(view.item), 1))
    cable = view.item >= 0
    colour[cable] = CABLES[view.item[cable] % len(CABLES)]
    colour[view.item == -2] = FLOOR
    colour[view.item == -3] = SOLID
    facing = np.clip(view.normal @ sun.towards, 0, 1) * lit(view, sun)
    bright = 0.45 + 0.25 * np.clip(view.normal @ view.towards, 0, 1) + 0.45 * facing
    bright[view.item == -2] = 0.72 + 0.36 * facing[view.item == -2]
    glint = 0.25 * cable * facing ** 24
    drawn = view.item != -1
    colour[drawn] = np.clip(colour[drawn] * bright[drawn, None] + glint[drawn, None], 0, 1)
    near, far = view.depth[cable].max(), view.depth[cable].min()
    away = np.clip((near - view.depth[cable]) / max(near - far, 1e-9), 0, 1)
    colour[cable] += 0.25 * away[:, None] * (PAPER - colour[cable])  # farther is paler
    return colour


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("scene")
    options.add_argument("frame", help="a .vtp of that scene")
    options.add_argument("picture", help="the .png to write")
    options.add_argument("--turn", type=float, default=30, help="degrees about z; 0 looks along +y")
    options.add_argument("--tilt", type=float, default=25, help="degrees from above the horizon")
    options.add_argument("--look", type=float, nargs=3, metavar=("X", "Y", "Z"), help="the centre, m; default: of all")
    options.add_argument("--zoom", type=float, default=1, help="1 shows all")
    options.add_argument("--width", type=int, default=480)
    options.add_argument("--height", type=int, default=360)
    options.add_argument("--colours", type=int, default=64)
    o = options.parse_args()

    scene = json.load(open(o.scene))
    points, radius, ends = read_vtp(o.frame)
    starts = np.concatenate([[0], ends[:-1]])
    turn, tilt = np.radians([o.turn, o.tilt])
    towards = np.array([np.sin(turn) * np.cos(tilt), -np.cos(turn) * np.cos(tilt), np.sin(tilt)])
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    probe = View(towards, np.array([0, 0, 1.0]), centre, 1.0, 0, 0)
    u, v, _ = probe.project(points)
    centre = centre + probe.right * (u.min() + u.max()) / 2 - probe.up * (v.min() + v.max()) / 2
    if o.look:
        centre = np.array(o.look)
    width, height = o.width * OVERSAMPLING, o.height * OVERSAMPLING
    scale = min(width / (np.ptp(u) + 4 * radius.max()), height / (np.ptp(v) + 4 * radius.max())) * 0.92 * o.zoom

    curves = [smooth(points[a:b], max(radius[a] / 12, 0.7 / scale)) for a, b in zip(starts, ends)]
    item = np.concatenate([np.full(len(c), i) for i, c in enumerate(curves)])
    thick = np.maximum(radius[starts][item], 0.8 / scale)  # thinner would fall between pixels
    balls = (np.concatenate(curves), thick, item)

    view = View(towards, np.array([0, 0, 1.0]), centre, scale, width, height)
    view.draw(scene, balls, True)
    span = int(np.hypot(width, height))
    sun = View(SUN, np.array([0, 1.0, 0]), centre, scale, span, span)
    sun.draw(scene, balls, False)
    colour = shade(view, sun).reshape(height, width, 3)
    image = Image.fromarray(np.rint(255 * np.clip(colour, 0, 1)).astype(np.uint8))
    image = image.resize((o.width, o.height), Image.LANCZOS)
    image.quantize(o.colours, dither=Image.Dither.NONE).save(o.picture, optimize=True)


if __name__ == "__main__":
    main()

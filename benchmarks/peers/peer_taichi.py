"""Taichi on the CPU: hand-written XPBD kernels.

Taichi spreads the outermost loop of a kernel over the cores. A cable is one turn of that loop, swept from its free end
to its start: prediction, lengths, bending and velocity in a single pass over the particles, so that constraints act one
after the other (Gauss-Seidel). `hang` packs LANES cables into one turn, as vectors that LLVM can turn into vector
instructions. Particles move by offsets within a substep, as in clcable.
"""
import numpy as np
import taichi as ti

import scene as scenes

import os
LANES = int(os.environ.get('L', 8))


@ti.data_oriented
class Hang:
    def __init__(self, scene, options):
        n, count = scene.segments + 1, scene.cables
        self.n, self.cables, self.groups = n, count, -(-count // LANES)
        padded = np.resize(scene.x, (self.groups * LANES, n, 3)).reshape(self.groups, LANES, n, 3)
        self.start = np.ascontiguousarray(padded.transpose(0, 2, 3, 1), np.float32)
        self.x = ti.Vector.field(LANES, ti.f32, (self.groups, n, 3))
        self.v = ti.Vector.field(LANES, ti.f32, (self.groups, n, 3))
        w = scene.inverse_mass
        self.w_inner, self.w_end = w[1], w[-1]
        self.rest = scene.rest
        self.substeps = options.substeps
        self.h = 1 / (scene.frame_rate * options.substeps)
        self.fall = self.h * scene.gravity[2]
        self.bend = scene.rest**3 / (scene.bending * self.h**2)
        self.reset()

    def reset(self):
        self.x.from_numpy(self.start)
        self.v.fill(0)

    def step(self):
        self.frame()
        ti.sync()

    @ti.kernel
    def frame(self):
        """All substeps of a frame. 1 is the particle the sweep has come to, 2 and 3 are those it comes from; a, b, c
        their offsets, d and e the segments 1-2 and 2-3 with offsets."""
        ti.loop_config(block_dim=1)
        for c in range(self.groups):
            zero = ti.Vector([0.0] * LANES)
            for s in range(self.substeps):
                x, v = ti.static(self.x, self.v)
                h, n = ti.static(self.h, self.n)
                x2, y2, z2 = x[c, n - 1, 0], x[c, n - 1, 1], x[c, n - 1, 2]
                a2, b2, c2 = h * v[c, n - 1, 0], h * v[c, n - 1, 1], h * (v[c, n - 1, 2] + self.fall)
                a3, b3, c3 = a2, b2, c2
                ex, ey, ez = zero, zero, zero
                w2, w3 = self.w_end, 0.0
                for r in range(n - 1):
                    i = n - 2 - r
                    w1 = self.w_inner
                    step = h
                    if i == 0:
                        w1 = 0.0
                        step = 0.0
                    x1, y1, z1 = x[c, i, 0], x[c, i, 1], x[c, i, 2]
                    a1, b1, c1 = step * v[c, i, 0], step * v[c, i, 1], step * (v[c, i, 2] + self.fall)
                    dx, dy, dz = (x2 - x1) + (a2 - a1), (y2 - y1) + (b2 - b1), (z2 - z1) + (c2 - c1)
                    x2, y2, z2 = x1, y1, z1
                    # length
                    q = (1.0 - self.rest / ti.sqrt(dx * dx + dy * dy + dz * dz)) / (w1 + w2)
                    tx, ty, tz = q * dx, q * dy, q * dz
                    a1, b1, c1 = a1 + w1 * tx, b1 + w1 * ty, c1 + w1 * tz
                    a2, b2, c2 = a2 - w2 * tx, b2 - w2 * ty, c2 - w2 * tz
                    dx, dy, dz = dx - (w1 + w2) * tx, dy - (w1 + w2) * ty, dz - (w1 + w2) * tz
                    if r > 0:
                        # bending; the length has just moved particle 2, and with it e
                        f = 1.0 / (w1 + 4.0 * w2 + w3 + self.bend)
                        tx, ty, tz = f * (dx - ex - w2 * tx), f * (dy - ey - w2 * ty), f * (dz - ez - w2 * tz)
                        u = 2.0 * w2
                        a1, b1, c1 = a1 + w1 * tx, b1 + w1 * ty, c1 + w1 * tz
                        a2, b2, c2 = a2 - u * tx, b2 - u * ty, c2 - u * tz
                        dx, dy, dz = dx - (w1 + u) * tx, dy - (w1 + u) * ty, dz - (w1 + u) * tz
                        a3, b3, c3 = a3 + w3 * tx, b3 + w3 * ty, c3 + w3 * tz
                        self.finish(c, i + 2, a3, b3, c3)
                    ex, ey, ez = dx, dy, dz
                    a3, b3, c3, w3 = a2, b2, c2, w2
                    a2, b2, c2, w2 = a1, b1, c1, w1
                self.finish(c, 1, a3, b3, c3)

    @ti.func
    def finish(self, c, i, a, b, d):
        self.x[c, i, 0] += a
        self.x[c, i, 1] += b
        self.x[c, i, 2] += d
        self.v[c, i, 0] = a / self.h
        self.v[c, i, 1] = b / self.h
        self.v[c, i, 2] = d / self.h

    def positions(self):
        cables = self.x.to_numpy().astype(float).transpose(0, 3, 1, 2)
        return cables.reshape(-1, self.n, 3)[:self.cables]

    def watch(self):
        return self.positions()[self.cables // 2]


def main():
    options, scene = scenes.parse_arguments({"hang": 36, "pile": 40})
    ti.init(arch=ti.cpu, cpu_max_num_threads=options.threads, fast_math=True, log_level=ti.ERROR, offline_cache=True)
    if scene.contact:
        import peer_taichi_pile
        make = peer_taichi_pile.Pile
    else:
        make = Hang
    scenes.run("taichi", ".".join(map(str, ti.__version__)), "xpbd", scene, options, make)


if __name__ == "__main__":
    main()

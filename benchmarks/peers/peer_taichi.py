"""Taichi on the CPU: hand-written XPBD kernels.

Taichi spreads the outermost loop of a kernel over the cores. A cable is one turn of that loop, swept from its free end
to its start: prediction, lengths, bending and velocity in a single pass over the particles, so that constraints act one
after the other (Gauss-Seidel). `hang` packs LANES cables into one turn, as vectors that LLVM can turn into vector
instructions. Particles move by offsets within a substep, as in clcable.
"""
import numpy as np
import taichi as ti

import scene as scenes

LANES = 8
PASSES = 2
ROOM = 48  # candidates a segment
MEETINGS = 12  # contacts a segment
SKIN = 0.8, 3.0  # of the radius: least and most
SKIN_STEPS = 16  # and between, so many of the largest steps of a substep
OVER = 1.3  # over-relaxation of the normal direction, in all passes but the last
CELLS = 1 << 16  # buckets of the hashed grid

vec3 = ti.types.vector(3, ti.f32)
Contact = ti.types.struct(other=ti.i32, s=ti.f32, t=ti.f32, normal=vec3, gap=ti.f32, share=ti.f32, push=ti.f32, rub=vec3)


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


@ti.data_oriented
class Pile:
    """Particle i of a cable starts its segment i: segment s is on cable s // (n - 1) and starts at particle s + cable."""

    def __init__(self, scene, options):
        cables, n = scene.x.shape[:2]
        self.n, self.cables, self.segments, self.particles = n, cables, cables * (n - 1), cables * n
        self.scene, self.substeps = scene, options.substeps
        self.h = 1 / (scene.frame_rate * options.substeps)
        self.fall = self.h * scene.gravity[2]
        self.rest, self.radius, self.friction = scene.rest, scene.radius, scene.friction
        self.bend = scene.rest**3 / (scene.bending * self.h**2)
        w = scene.inverse_mass
        self.w_inner, self.w_end = w[1], w[0]
        self.apart = scenes.neighbours(scene)
        self.start = scene.x.reshape(-1, 3).astype(np.float32)
        # d: offset within the substep; listed: x when the lists were made; away: gone since, less the drift
        self.x, self.v, self.d, self.listed = (ti.Vector.field(3, ti.f32, self.particles) for _ in range(4))
        self.away, self.floor = (ti.field(ti.f32, self.particles) for _ in range(2))
        self.candidates, self.contacts, self.bucket = (ti.field(ti.i32, self.segments) for _ in range(3))
        self.candidate = ti.field(ti.i32, (self.segments, ROOM))
        self.gap = ti.field(ti.f32, (self.segments, ROOM))  # of the candidate when listed, beyond what counts as a contact
        self.contact = Contact.field(shape=(self.segments, MEETINGS))
        self.crowd = ti.Vector.field(2, ti.f32, self.segments)  # weights of a segment's contacts on its two particles
        self.shift_a, self.shift_b, self.middle = (ti.Vector.field(3, ti.f32, self.segments) for _ in range(3))
        self.cell_start, self.cell_next = ti.field(ti.i32, CELLS + 1), ti.field(ti.i32, CELLS + 1)
        self.sorted = ti.field(ti.i32, self.segments)
        self.gone, self.drift = ti.field(ti.f32, ()), ti.Vector.field(3, ti.f32, ())
        self.overflow = ti.field(ti.i32, ())
        self.reset()

    def reset(self):
        self.x.from_numpy(self.start)
        self.v.fill(0)
        self.stale, self.turn = True, 0
        self.step_size, self.went = 0.02 * self.radius, 0.0

    def step(self):
        for _ in range(self.substeps):
            if self.stale:
                least, most = (part * self.radius for part in SKIN)
                self.skin = min(max(SKIN_STEPS * self.step_size, least), most)
                self.sort(self.rest * 1.05 + 2 * self.radius + self.skin)
                self.find(self.rest * 1.05 + 2 * self.radius + self.skin, 2 * self.radius + self.skin)
                self.drift[None], self.went = [0, 0, 0], 0.0
            self.substep(self.turn & 1, 2 * self.step_size)
            self.turn += 1
            gone = self.gone[None]
            self.step_size = 1.5 * max(gone - self.went, 0.02 * self.radius)
            self.went = gone
            self.stale = gone + self.step_size > self.skin / 2
            if self.overflow[None]:
                raise RuntimeError("more candidates or contacts than there is room for")

    # lists

    @ti.func
    def cell(self, p, size):
        return ti.cast(ti.floor(p / size), ti.i32)

    @ti.func
    def hashed(self, cell):
        return ((cell[0] * 73856093) ^ (cell[1] * 19349663) ^ (cell[2] * 83492791)) & (CELLS - 1)

    @ti.kernel
    def sort(self, size: ti.f32):
        """Counting sort of the segments' middles by the bucket of their cell."""
        for i in range(CELLS + 1):
            self.cell_next[i] = 0
        for s in range(self.segments):
            a = s + s // (self.n - 1)
            self.middle[s] = 0.5 * (self.x[a] + self.x[a + 1])
            self.bucket[s] = self.hashed(self.cell(self.middle[s], size))
            ti.atomic_add(self.cell_next[self.bucket[s]], 1)
        ti.loop_config(serialize=True)
        for i in range(CELLS + 1):
            before = 0
            if i > 0:
                before = self.cell_start[i - 1] + self.cell_next[i - 1]
            self.cell_start[i] = before
        for i in range(CELLS + 1):
            self.cell_next[i] = self.cell_start[i]
        for s in range(self.segments):
            self.sorted[ti.atomic_add(self.cell_next[self.bucket[s]], 1)] = s
        for q in range(self.particles):
            self.listed[q] = self.x[q]
            self.away[q] = 0.0

    @ti.kernel
    def find(self, reach: ti.f32, near: ti.f32):
        for s in range(self.segments):
            cable = s // (self.n - 1)
            a = s + cable
            count = 0
            home = self.cell(self.middle[s], reach)
            for dx, dy, dz in ti.ndrange((-1, 2), (-1, 2), (-1, 2)):
                cell = home + ti.Vector([dx, dy, dz])
                bucket = self.hashed(cell)
                for k in range(self.cell_start[bucket], self.cell_start[bucket + 1]):
                    o = self.sorted[k]
                    other = o // (self.n - 1)
                    way = self.middle[o] - self.middle[s]
                    # two cells may share a bucket: only what lies in this one
                    if (way.norm_sqr() < reach * reach and not (other == cable and ti.abs(o - s) < self.apart)
                            and (self.cell(self.middle[o], reach) == cell).all()):
                        b = o + other
                        p, q = self.closest(self.x[a], self.x[a + 1], self.x[b], self.x[b + 1])
                        gap = self.between(self.x, a, p) - self.between(self.x, b, q)
                        if gap.norm_sqr() < near * near:
                            if count < ROOM:
                                self.candidate[s, count] = o
                                self.gap[s, count] = gap.norm() - 2.2 * self.radius
                            count += 1
            self.candidates[s] = ti.min(count, ROOM)
            if count > ROOM:
                self.overflow[None] = 1

    # a substep

    @ti.func
    def weight(self, i):
        """Inverse mass of particle i of its cable."""
        return self.w_end if i == 0 or i == self.n - 1 else self.w_inner

    @ti.func
    def between(self, field, a, s):
        return (1.0 - s) * field[a] + s * field[a + 1]

    @ti.func
    def closest(self, p1, q1, p2, q2):
        d1, d2, r = q1 - p1, q2 - p2, p1 - p2
        a, e, f, b, c = d1.dot(d1), d2.dot(d2), d2.dot(r), d1.dot(d2), d1.dot(r)
        det = a * e - b * b
        s = 0.5
        if det > 1.0e-5 * a * e:
            s = ti.math.clamp((b * f - c * e) / det, 0.0, 1.0)
        t = (b * s + f) / e
        if t < 0.0:
            t = 0.0
            s = ti.math.clamp(-c / a, 0.0, 1.0)
        elif t > 1.0:
            t = 1.0
            s = ti.math.clamp((b - c) / a, 0.0, 1.0)
        return s, t

    @ti.kernel
    def substep(self, backwards: ti.i32, step: ti.f32):
        for c in range(self.cables):
            self.move(c, backwards)
        for s in range(self.segments):
            self.touch(s, step)
        for turn in ti.static(range(PASSES)):
            last = ti.static(turn == PASSES - 1)
            for s in range(self.segments):
                self.solve(s, ti.static(1.0 if last else OVER))
            for q in range(self.particles):
                self.gather(q)
        self.gone[None] = 0.0
        drift = ti.Vector([0.0, 0.0, 0.0])
        for q in range(self.particles):
            x = self.x[q] + self.d[q]
            self.x[q] = x
            self.v[q] = self.d[q] / self.h
            self.away[q] = (x - self.listed[q] - self.drift[None]).norm()
            ti.atomic_max(self.gone[None], self.away[q])
            drift += x - self.listed[q]
        self.drift[None] = drift / self.particles

    @ti.func
    def move(self, c, backwards):
        """Prediction, lengths and bending, in one sweep over a cable."""
        base, way = c * self.n, 1
        if backwards:
            base, way = base + self.n - 1, -1
        down = ti.Vector([0.0, 0.0, self.fall])
        a2, x2 = self.h * (self.v[base] + down), self.x[base]
        a3, e = a2, ti.Vector([0.0, 0.0, 0.0])
        w2, w3 = self.w_end, 0.0
        for r in range(1, self.n):
            i = base + way * r
            x1, a1, w1 = self.x[i], self.h * (self.v[i] + down), self.weight(r)
            d = (x2 - x1) + (a2 - a1)
            x2 = x1
            t = ((1.0 - self.rest / d.norm()) / (w1 + w2)) * d
            a1, a2, d = a1 + w1 * t, a2 - w2 * t, d - (w1 + w2) * t
            if r > 1:
                t = (d - e - w2 * t) / (w1 + 4.0 * w2 + w3 + self.bend)
                a1, a2, a3, d = a1 + w1 * t, a2 - 2.0 * w2 * t, a3 + w3 * t, d - (w1 + 2.0 * w2) * t
                self.d[i - 2 * way] = a3
            e, a3, w3, a2, w2 = d, a2, w2, a1, w1
        last = base + way * (self.n - 1)
        self.d[last - way], self.d[last] = a3, a2
        for i in range(self.n):
            self.floor[c * self.n + i] = 0.0

    @ti.func
    def touch(self, s, step):
        """The contacts of a segment in this substep, at the predicted places. A pair whose gap cannot have closed since
        it was listed is passed over; `step` is what the two may come nearer in this substep."""
        a = s + s // (self.n - 1)
        gone = step + ti.max(self.away[a], self.away[a + 1])
        count = 0
        crowd = ti.Vector([0.0, 0.0])
        p1, q1 = self.x[a] + self.d[a], self.x[a + 1] + self.d[a + 1]
        for k in range(self.candidates[s]):
            o = self.candidate[s, k]
            b = o + o // (self.n - 1)
            if self.gap[s, k] <= gone + ti.max(self.away[b], self.away[b + 1]):
                p2, q2 = self.x[b] + self.d[b], self.x[b + 1] + self.d[b + 1]
                # pairs are the same from both sides, to the last bit
                p, q = 0.0, 0.0
                if s < o:
                    p, q = self.closest(p1, q1, p2, q2)
                else:
                    q, p = self.closest(p2, q2, p1, q1)
                n = (1.0 - p) * p1 + p * q1 - (1.0 - q) * p2 - q * q2
                distance = n.norm()
                if 0.0 < distance < 2.2 * self.radius:
                    if count < MEETINGS:
                        moved = self.between(self.d, a, p) - self.between(self.d, b, q)
                        gap = distance - 2.0 * self.radius - n.dot(moved) / distance
                        self.contact[s, count] = Contact(other=o, s=p, t=q, normal=n / distance, gap=gap, share=0.0,
                                                         push=0.0, rub=vec3(0.0))
                    crowd += ti.Vector([1.0 - p, p])
                    count += 1
        self.contacts[s] = ti.min(count, MEETINGS)
        self.crowd[s] = crowd
        if count > MEETINGS:
            self.overflow[None] = 1

    @ti.func
    def crowds(self, s):
        """How crowded the busier of the two particles of a segment is, by both their segments' contacts."""
        i = s % (self.n - 1)
        a, b = self.crowd[s][0], self.crowd[s][1]
        if i > 0:
            a += self.crowd[s - 1][1]
        if i < self.n - 2:
            b += self.crowd[s + 1][0]
        return ti.max(a, b)

    @ti.func
    def solve(self, s, over):
        i = s % (self.n - 1)
        a = s + s // (self.n - 1)
        wa, wb = self.weight(i), self.weight(i + 1)
        shift_a, shift_b = vec3(0.0), vec3(0.0)
        for k in range(self.contacts[s]):
            m = self.contact[s, k]
            b = m.other + m.other // (self.n - 1)
            slip = self.between(self.d, a, m.s) - self.between(self.d, b, m.t)
            along = m.normal.dot(slip)
            if m.push > 0.0 or m.gap + along < 0.0:
                u, share = 1.0 - m.s, m.share
                if share == 0.0:
                    j, t = m.other % (self.n - 1), 1.0 - m.t
                    w = u * u * wa + m.s * m.s * wb + t * t * self.weight(j) + m.t * m.t * self.weight(j + 1)
                    share = 1.0 / (w * ti.max(1.0, self.crowds(s), self.crowds(m.other)))
                    self.contact[s, k].share = share
                push = ti.max(0.0, m.push - over * share * (m.gap + along))
                rub = m.rub - share * (slip - along * m.normal)
                size = rub.norm()
                if size > self.friction * push:
                    rub *= self.friction * push / size
                f = (push - m.push) * m.normal + rub - m.rub
                self.contact[s, k].push = push
                self.contact[s, k].rub = rub
                shift_a += wa * u * f
                shift_b += wb * m.s * f
        self.shift_a[s] = shift_a
        self.shift_b[s] = shift_b

    @ti.func
    def gather(self, q):
        """What a particle's two segments found, then the floor."""
        c, i = q // self.n, q % self.n
        s = q - c
        d = self.d[q]
        if i > 0:
            d += self.shift_b[s - 1]
        if i < self.n - 1:
            d += self.shift_a[s]
        push = ti.max(-self.floor[q], self.radius - self.x[q][2] - d[2])
        d[2] += push
        self.floor[q] += push
        if push > 0.0:
            size = ti.sqrt(d[0] * d[0] + d[1] * d[1])
            keep = 1.0 - ti.min(1.0, self.friction * push / ti.max(size, 1.0e-20))
            d[0] *= keep
            d[1] *= keep
        self.d[q] = d

    def positions(self):
        return self.x.to_numpy().astype(float).reshape(self.cables, self.n, 3)

    def watch(self):
        return None


def main():
    options, scene = scenes.parse_arguments({"hang": 36, "pile": 40})
    ti.init(arch=ti.cpu, cpu_max_num_threads=options.threads, fast_math=True, log_level=ti.ERROR)
    make = Pile if scene.contact else Hang
    scenes.run("taichi", ".".join(map(str, ti.__version__)), "xpbd", scene, options, make)


if __name__ == "__main__":
    main()

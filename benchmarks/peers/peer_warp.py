"""NVIDIA Warp on the CPU: hand-written XPBD kernels.

Warp runs a CPU launch on one core, but without Python's lock: here several Python threads launch the same kernel, each
on its share. A cable is one Warp thread, swept from its free end to its start: prediction, lengths, bending and velocity
in a single pass over the particles, so that constraints act one after the other (Gauss-Seidel). `hang` packs 16 cables
into a Warp thread, as vectors that LLVM turns into vector instructions. Particles move by offsets within a substep, as
in clcable: positions and velocities by difference lose float's digits in small substeps.

`pile` takes lengths and bending in the same sweep, a cable a Warp thread. wp.HashGrid finds for each segment all others
closer than a skin; the lists hold until something has moved half of it relative to the rest. Contacts are found once a
substep, then solved in PASSES gathered Jacobi passes with Coulomb friction. A segment works out all contacts it has, so a
pair is worked out twice, but nobody writes what another thread writes: Warp has no atomics across threads on a CPU.
"""
import threading

import numpy as np
import warp as wp

import scene as scenes
from peer_warp_kernels import (LANES, MEETINGS, ROOM, Contact, State, find, gather, hang_frame, lanes, middles, move, solve,
                               touch)

PASSES = 2
SKIN = 0.8, 3.0  # of the radius: least and most
SKIN_STEPS = 16  # and between, so many of the largest steps of a substep
OVER = 1.3  # over-relaxation of the normal direction, in all passes but the last


class Crew:
    """Threads that run the same launches side by side, each on its share, in step at every barrier."""

    def __init__(self, count):
        self.count = count
        self.barrier = threading.Barrier(count)
        self.work = None
        self.threads = [threading.Thread(target=self.follow, args=(i,), daemon=True) for i in range(1, count)]
        for thread in self.threads:
            thread.start()

    def follow(self, index):
        while True:
            self.barrier.wait()
            self.work(index)
            self.barrier.wait()

    def run(self, work):
        """work(index) on every thread; returns when all are done."""
        if self.count == 1:
            return work(0)
        self.work = work
        self.barrier.wait()
        work(0)
        self.barrier.wait()

    def launches(self, kernel, size, arguments):
        """One prepared launch a thread; the kernel's first argument is where its share begins."""
        cuts = [size * i // self.count for i in range(self.count + 1)]
        return [wp.launch(kernel, dim=max(end - begin, 1), inputs=[begin, *arguments], record_cmd=True)
                for begin, end in zip(cuts, cuts[1:])]


class Hang:
    def __init__(self, scene, options):
        n, count = scene.segments + 1, scene.cables
        self.shape = (-(-count // LANES), n, LANES)
        self.cables = count
        padded = np.resize(scene.x, (self.shape[0] * LANES, n, 3))
        packed = padded.reshape(self.shape[0], LANES, 3 * n).transpose(0, 2, 1)
        self.start = wp.array(np.ascontiguousarray(packed, np.float32), dtype=lanes)
        self.x, self.v = wp.clone(self.start), wp.zeros_like(self.start)
        h = 1 / (scene.frame_rate * options.substeps)
        w = scene.inverse_mass
        self.crew = Crew(options.threads)
        self.frame = self.crew.launches(hang_frame, self.shape[0], [
            self.x, self.v, n, options.substeps, h, h * scene.gravity[2], scene.rest, w[1], w[-1],
            scene.rest**3 / (scene.bending * h * h)])

    def reset(self):
        wp.copy(self.x, self.start)
        self.v.zero_()

    def step(self):
        self.crew.run(lambda i: self.frame[i].launch())

    def positions(self):
        groups, n, _ = self.shape
        cables = self.x.numpy().astype(float).reshape(groups, n, 3, LANES).transpose(0, 3, 1, 2)
        return cables.reshape(-1, n, 3)[:self.cables]

    def watch(self):
        middle = self.cables // 2
        return self.x.numpy()[middle // LANES, :, middle % LANES].reshape(-1, 3).astype(float)


class Pile:
    def __init__(self, scene, options):
        cables, n = scene.x.shape[:2]
        segments = cables * (n - 1)
        self.shape, self.scene, self.substeps = scene.x.shape, scene, options.substeps
        # a barrier takes longer than a small launch
        options.threads = max(1, min(options.threads, segments // 2000))
        self.crew = Crew(options.threads)
        w = scene.inverse_mass
        p = self.pile = State()
        p.n, p.h = n, 1 / (scene.frame_rate * options.substeps)
        p.fall, p.rest, p.radius, p.friction = p.h * scene.gravity[2], scene.rest, scene.radius, scene.friction
        p.bend = scene.rest**3 / (scene.bending * p.h**2)
        p.w_inner, p.w_end = w[1], w[0]
        self.start = wp.array(scene.x.reshape(-1, 3).astype(np.float32), dtype=wp.vec3)
        particles = cables * n
        p.x, p.v, p.d, p.listed = wp.clone(self.start), *(wp.zeros_like(self.start) for _ in range(3))
        p.floor = wp.zeros(particles, dtype=float)
        p.candidates, p.contacts = wp.zeros(segments, dtype=int), wp.zeros(segments, dtype=int)
        p.candidate = wp.zeros((segments, ROOM), dtype=int)
        p.room = wp.zeros((segments, ROOM), dtype=float)
        p.contact = wp.zeros((segments, MEETINGS), dtype=Contact)
        p.crowd = wp.zeros(segments, dtype=wp.vec2)
        p.shift_a, p.shift_b = (wp.zeros(segments, dtype=wp.vec3) for _ in range(2))
        self.middle = wp.zeros(segments, dtype=wp.vec3)
        self.away = wp.zeros(particles, dtype=float)
        self.views = {k: getattr(p, k).numpy() for k in ("x", "listed", "candidates")} | {"away": self.away.numpy()}
        self.grid = wp.HashGrid(64, 64, 64)
        self.prepare(cables, segments, particles)
        self.reset()

    def prepare(self, cables, segments, particles):
        launches, p = self.crew.launches, self.pile
        self.find_all = [launches(middles, segments, [p, self.middle]), launches(find, segments, [
            p, self.grid.id, self.middle, 0.0, 0.0, scenes.neighbours(self.scene)])]
        still = wp.vec3()
        self.moves = [launches(move, cables, [p, turn]) for turn in (0, 1)]
        self.touches = launches(touch, segments, [p, 0.0, self.away])
        self.passes = []
        for turn in range(PASSES):
            last = int(turn == PASSES - 1)
            self.passes.append((launches(solve, segments, [p, 1.0 if last else OVER]),
                                launches(gather, particles, [p, last, still, self.away])))

    def reset(self):
        wp.copy(self.pile.x, self.start)
        self.pile.v.zero_()
        self.stale, self.turn, self.rebuilds = True, 0, 0
        self.step_size = 0.02 * self.scene.radius

    def rebuild(self):
        middle, found = self.find_all
        least, most = (part * self.scene.radius for part in SKIN)
        self.skin = min(max(SKIN_STEPS * self.step_size, least), most)
        reach = self.scene.rest * 1.05 + 2 * self.scene.radius + self.skin
        for launch in found:
            launch.set_param_by_name("reach", reach)
            launch.set_param_by_name("near", 2 * self.scene.radius + self.skin)
        self.crew.run(lambda i: middle[i].launch())
        self.grid.build(self.middle, reach)
        self.crew.run(lambda i: found[i].launch())
        self.rebuilds += 1

    def substep(self, index):
        """One thread's share of a substep."""
        wait = self.crew.barrier.wait if self.crew.count > 1 else lambda: None
        self.moves[self.turn & 1][index].launch()
        wait()
        self.touches[index].launch()
        wait()
        for solves, gathers in self.passes:
            solves[index].launch()
            wait()
            gathers[index].launch()
            wait()

    def step(self):
        for _ in range(self.substeps):
            if self.stale:
                self.rebuild()
                self.drift, self.gone = np.zeros(3), 0.0
                self.away.zero_()
            for launch in self.touches:
                launch.set_param_by_name("step", 2 * self.step_size)
            for launch in self.passes[-1][1]:
                launch.set_param_by_name("drift", wp.vec3(*map(float, self.drift)))
            self.crew.run(self.substep)
            self.turn += 1
            self.look()

    def look(self):
        """How far things have gone since the lists were made, less what all share: that brings nobody nearer."""
        gone = float(self.views["away"].max())
        self.step_size = 1.5 * max(gone - self.gone, 0.02 * self.scene.radius)
        self.gone = gone
        self.stale = gone + self.step_size > self.skin / 2
        self.drift = (self.views["x"] - self.views["listed"]).mean(axis=0)
        if self.views["candidates"].max() > ROOM:
            raise RuntimeError("more candidates or contacts than there is room for")

    def positions(self):
        return self.pile.x.numpy().astype(float).reshape(self.shape)

    def watch(self):
        return None


def main():
    options, scene = scenes.parse_arguments({"hang": 36, "pile": 40})
    make = Pile if scene.contact else Hang
    scenes.run("warp", wp.__version__, "xpbd", scene, options, make)


if __name__ == "__main__":
    main()

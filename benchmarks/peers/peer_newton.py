"""Newton's rods on the CPU: rigid capsules joined by stretch, shear, bend and twist, under SolverVBD (augmented vertex block
descent), the only one of Newton's solvers that knows rods.

The model is made the one that everybody else has:

- A segment has the mass of a segment and the inertia m l^2 / 4 of two half particles at its ends, not that of a capsule with
  round caps: rigid segments of that inertia, hinged at the nodes, are the lumped chain itself.
- A held cable is held at its first node, by a rod joint to the world that does not resist turning. Newton's examples hold the
  first segment instead (no mass), which clamps its direction.
- EI as in the scene. The scene's cables do not stretch; EA and kGA are 10^4 N, which lets the weight stretch them by 0.003 %.
  GJ = EI: nothing twists.

Newton keeps positions in float, as they are in the world, and loses its digits in small substeps. So cables of `hang` are put
beside the origin, all of them at the same place: they do not feel each other. On a CPU a Warp launch runs on one core, so each
thread has a model of its own with its share of the cables; a frame is recorded once and played back.
"""
import argparse
import sys
import threading

import newton
import numpy as np
import warp as wp

import scene as scenes

wp.config.quiet = True
EA = 1e4  # N
CONTACT = {"ke": 1e5, "kd": 0.0}  # N/m, N s/m
SETTINGS = argparse.Namespace(iterations=None)


def matrices(mass, length, radius):
    across, along = mass * length**2 / 4, mass * radius**2 / 2
    return wp.mat33(*np.diag([across, across, along]).flat), wp.mat33(*np.diag([1 / across, 1 / across, 1 / along]).flat)


def add_cable(builder, scene, line):
    shape = newton.ModelBuilder.ShapeConfig(density=1.0, mu=scene.friction, has_shape_collision=scene.contact, **CONTACT)
    rod = newton.Rod(line, radius=scene.radius, stretch_rigidity=EA, shear_rigidity=EA, bend_rigidity=scene.bending,
                     twist_rigidity=scene.bending)
    bodies, joints = builder.add_rod(rod=rod, cfg=shape, wrap_in_articulation=not scene.held)
    mass = scene.mass[1]
    inertia, inverse = matrices(mass, scene.rest, scene.radius)
    for body in bodies:
        builder.body_mass[body], builder.body_inv_mass[body] = mass, 1 / mass
        builder.body_inertia[body], builder.body_inv_inertia[body] = inertia, inverse
    if scene.held:
        hold(builder, scene, rod, bodies[0], joints, line[0])


def hold(builder, scene, rod, body, joints, place):
    stiff = EA / scene.rest
    joint = builder.add_joint_rod(-1, body, stretch_stiffness=stiff, shear_stiffness=stiff, bend_stiffness=0.0,
                                  twist_stiffness=scene.bending / scene.rest,
                                  parent_xform=wp.transform(wp.vec3(*place), wp.quat(*rod.quaternions[0])),
                                  child_xform=wp.transform(wp.vec3(0, 0, -scene.rest / 2), wp.quat_identity()))
    builder.add_articulation([*joints, joint])


class Share:
    """A model of some cables, with all that steps it."""

    def __init__(self, scene, cables, options):
        builder = newton.ModelBuilder(gravity=tuple(scene.gravity))
        builder.rigid_gap = 0.2 * scene.radius
        for line in cables:
            add_cable(builder, scene, line)
        if scene.contact:
            builder.add_ground_plane(cfg=newton.ModelBuilder.ShapeConfig(mu=scene.friction, **CONTACT))
        builder.color()
        self.model = builder.finalize(device="cpu")
        self.pipeline = newton.CollisionPipeline(self.model, contact_matching="latest") if scene.contact else None
        self.contacts = self.pipeline.contacts() if scene.contact else None
        contact = {"rigid_contact_history": True, "rigid_body_contact_buffer_size": 256} if scene.contact else {}
        self.solver = newton.solvers.SolverVBD(self.model, iterations=SETTINGS.iterations, **contact)
        self.now, self.then = self.model.state(), self.model.state()
        self.start = wp.clone(self.now.body_q)
        self.control = self.model.control()
        self.substeps, self.h = options.substeps, 1 / (scene.frame_rate * options.substeps)
        self.frame = None

    def reset(self):
        """The multipliers of the joints are those of the last run, which the solver may begin with, too: they are zeroed."""
        wp.copy(self.now.body_q, self.start)
        self.now.body_qd.zero_()
        self.solver.reset(self.now)

    def substep(self):
        if self.contacts:
            self.pipeline.collide(self.now, self.contacts)
        self.solver.step(self.now, self.then, self.control, self.contacts, self.h)
        wp.copy(self.now.body_q, self.then.body_q)
        wp.copy(self.now.body_qd, self.then.body_qd)

    def step(self):
        if self.frame:
            return wp.capture_launch(self.frame)
        for _ in range(self.substeps):
            self.substep()

    def record(self):
        """Recording does not step."""
        with wp.ScopedCapture(device="cpu") as capture:
            for _ in range(self.substeps):
                self.substep()
        self.frame = capture.graph


class Newton:
    def __init__(self, scene, options):
        self.scene = scene
        self.lines = scene.x if scene.contact else scene.x - scene.x[:, :1] + [0, 0, 0.5]
        threads = 1 if scene.contact else max(1, min(options.threads, scene.cables))
        options.threads = threads
        self.shares = [Share(scene, lines, options) for lines in np.array_split(self.lines, threads)]

    def reset(self):
        for share in self.shares:
            share.reset()

    def step(self):
        if len(self.shares) == 1 or not self.shares[0].frame:
            for share in self.shares:
                share.step()
            if not self.shares[0].frame:
                for share in self.shares:
                    share.record()
            return
        crew = [threading.Thread(target=share.step) for share in self.shares]
        for thread in crew:
            thread.start()
        for thread in crew:
            thread.join()

    def positions(self):
        """A node lies between the ends of its two segments; a held one where it is held, so that what its joint gives counts."""
        scene = self.scene
        q = np.concatenate([share.now.body_q.numpy() for share in self.shares]).astype(float)
        x, y, z, w = q[:, 3:].T
        half = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1) * (scene.rest / 2)
        low, high = (end.reshape(-1, scene.segments, 3) for end in (q[:, :3] - half, q[:, :3] + half))
        inner = (low[:, 1:] + high[:, :-1]) / 2
        first = self.lines[:, :1] if scene.held else low[:, :1]
        return np.concatenate([first, inner, high[:, -1:]], axis=1)

    def watch(self):
        return None if self.scene.contact else self.positions()[self.scene.cables // 2]


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--iterations", type=int, help="of the solver in a substep; default: 1 in hang, 5 in pile")
    own, sys.argv[1:] = parser.parse_known_args()
    options, scene = scenes.parse_arguments({"hang": 60, "pile": 20}, hang_cables=16)
    SETTINGS.iterations = own.iterations or (5 if scene.contact else 1)
    scenes.run("newton", newton.__version__, f"rods, VBD x {SETTINGS.iterations}", scene, options, Newton)


if __name__ == "__main__":
    main()

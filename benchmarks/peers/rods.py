"""Rods of MuJoCo beside those of clcable at rest: a cantilever that droops, and a coil spring whose wire bends and twists.

    python rods.py

Where a rod is clamped is another place for each: clcable's begins at its first particle, with half a segment that bends there; MuJoCo's
two pinned vertices hold the first segment, so that its rod begins in the middle of that. Each is compared with the known answer for a
rod that begins where its own does. Both come to rest by the same damping of velocities. Needs clcable, mujoco >= 4, numpy.
"""
import math

import clcable
import mujoco
import numpy as np

EI, POISSON, DENSITY, RADIUS = 1.345e-4, 0.3, 0.02, 0.001
GJ = EI / (1 + POISSON)  # of a round rod
COIL, PITCH, TURNS, PULL = 0.02, 0.01, 4, 2.5e-5
LENGTH, LOAD = 0.4, 3.0  # of the cantilever; P L^2 / EI


def coil_at(t):
    a = 2 * math.pi * t
    return np.array([COIL * math.cos(a) - COIL, COIL * math.sin(a), -PITCH * t])


def coil_gives(skipped):
    """How far the end of a helix goes under a small pull (Castigliano); skipped: the part that is held, m."""
    steps, whole = 20000, math.hypot(2 * math.pi * COIL, PITCH)
    end, pull, moved = coil_at(TURNS), np.array([0, 0, -PULL]), np.zeros(3)
    first = skipped / whole
    for k in range(steps):
        t = first + (TURNS - first) * (k + 0.5) / steps
        along = np.array([-2 * math.pi * COIL * math.sin(2 * math.pi * t), 2 * math.pi * COIL * math.cos(2 * math.pi * t), -PITCH])
        arm, along = end - coil_at(t), along / whole
        moment = np.cross(arm, pull)
        twist = moment @ along * along
        moved += np.cross((moment - twist) / EI + twist / GJ, arm) * whole * (TURNS - first) / steps
    return moved[2]


def elastica(length, force):
    """Drop of a cantilever's end by EI theta'' = -P cos(theta), theta'(L) = 0; found by halving the moment at the clamp."""
    steps = 2000
    h = length / steps

    def shoot(bend):
        state = np.array([0.0, bend, 0.0])  # theta, theta', drop

        def rate(s):
            return np.array([s[1], -force / EI * math.cos(s[0]), math.sin(s[0])])

        for _ in range(steps):
            a = rate(state)
            b = rate(state + h / 2 * a)
            c = rate(state + h / 2 * b)
            state = state + h / 6 * (a + 2 * b + 2 * c + rate(state + h * c))
        return state

    low, high = 0.0, force * length / EI
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if shoot(middle)[1] < 0 else (low, middle)
    return -shoot(low)[2]


def clcable_end(points, force, damping, seconds):
    scene = clcable.Scene(method="direct", gravity=(0, 0, 0), duration=seconds)
    scene.add_material("wire", radius=RADIUS, linear_density=DENSITY, bending_stiffness=EI, twisting_stiffness=GJ, damping=damping,
                       rest_shape="path")
    scene.add_cable("a", "wire", points, segments=len(points) - 1)
    scene.attach("a", "start", clamp=True)
    scene.add_load("a", "end", force=force)
    scene.document["contact"] = {"self": False, "cables": False}
    with clcable.World(scene, device="native") as world:
        world.step(round(seconds * 60))
        return world.positions()[-1, 2] - points[-1][2]


def mujoco_end(points, force, damping, seconds):
    n = len(points) - 1
    length = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
    young = EI / (math.pi * RADIUS**4 / 4)
    model = mujoco.MjModel.from_xml_string(f"""<mujoco><option integrator="discrete" solver="Newton" timestep="0.002" gravity="0 0 0"/>
      <worldbody><flexcomp name="r" type="direct" dim="1" radius="{RADIUS}" mass="{DENSITY * length}"
        point="{' '.join(f'{v:.9g}' for v in np.ravel(points))}" element="{' '.join(f'{i} {i + 1}' for i in range(n))}">
        <edge equality="true" solref="0.004 1" solimp="0.99 0.999 0.0001"/>
        <elasticity young="{young:.9g}" poisson="{POISSON}" section="circle" damping="0"/><pin id="0 1"/>
        <contact contype="0" conaffinity="0" selfcollide="none"/></flexcomp></worldbody></mujoco>""")
    data = mujoco.MjData(model)
    for dof in range(model.nv):
        if model.jnt_type[model.dof_jntid[dof]] == mujoco.mjtJoint.mjJNT_SLIDE:
            model.dof_damping[dof] = damping * model.body_mass[model.dof_bodyid[dof]]
    data.xfrc_applied[mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, f"r_{n}"), :3] = force
    mujoco.mj_step(model, data, round(seconds / 0.002))
    mujoco.mj_kinematics(model, data)
    mujoco.mj_flex(model, data)
    return data.flexvert_xpos[n, 2] - points[-1][2]


def main():
    print(f"clcable {clcable.__version__}, mujoco {mujoco.__version__}; off by, of what is known, per cent")
    for n in (16, 32, 64):
        points = np.linspace([0, 0, 0], [LENGTH, 0, 0], n + 1)
        force = LOAD * EI / LENGTH**2
        ours = clcable_end(points, [0, 0, -force], 8, 12) / elastica(LENGTH, force) - 1
        theirs = mujoco_end(points, [0, 0, -force], 8, 12) / elastica(LENGTH - LENGTH / n / 2, force) - 1
        print(f"droop, {n:3} segments:      clcable {100 * ours:+.3f}, mujoco {100 * theirs:+.3f}", flush=True)
    for per in (16, 32):
        points = np.array([coil_at(i / per) for i in range(per * TURNS + 1)])
        edge = np.linalg.norm(points[1] - points[0])
        ours = clcable_end(points, [0, 0, -PULL], 15, 6) / coil_gives(0) - 1
        theirs = mujoco_end(points, [0, 0, -PULL], 15, 6) / coil_gives(edge / 2) - 1
        print(f"coil, {per:3} segments a turn: clcable {100 * ours:+.2f}, mujoco {100 * theirs:+.2f}", flush=True)


if __name__ == "__main__":
    main()

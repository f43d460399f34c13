"""A robot arm of MuJoCo routes a cable past posts and plugs it into a socket. Both act on each other: the arm leads the plug, which pulls at the arm.

    pip install clcable mujoco
    python arm.py --rate 60
    python arm.py --rate 1000

The hand holds the plug, a rigid body on which the cable ends, by a grip that gives way by GRIP, as rubber jaws do. The socket rubs by its depth and
latches. In each step of 1/rate the arm bears what the grip pulled with in the step before, and moves; then the hand's body goes where the arm's hand
has come. That is stable as long as GRIP^-1 rate^-2 is well below the mass that the hand moves with, here at 60 Hz by a factor of seven.
"""

from __future__ import annotations

import argparse
import dataclasses

import mujoco
import numpy as np
from plug import FRONT, grip, outlet

import clcable

GRIP = 2e-3  # m/N
POSTS = [(0.2, 0.04), (0.4, -0.04)]  # m: x, y; the cable passes the first on its left, the second on its right
ROUND, TALL = 0.012, 0.08  # m: radius and height of a post
HOME = np.array([0.0, -0.12, 0.06])  # of the hand, m
MOUTH = np.array([0.65, 0.0, 0.05])  # of the socket, m; the plug goes in along x
DEPTH, PEAK, LATCH = 0.02, 4.0, 30.0  # m, N, N: its depth, its largest friction, what its latch bears
WAY = [(0.0, 0.0, 0.05), (0.22, 0.1, 0.05), (0.3, -0.1, 0.05), (0.44, -0.1, 0.05), (0.57, 0.0, 0.05), MOUTH + [DEPTH - FRONT + 0.015, 0, 0]]
SPEED = 0.25  # m/s of the hand

ARM = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.001" integrator="implicitfast"/>
  <default>
    <joint damping="1" armature="0.02"/>
    <geom contype="0" conaffinity="0" rgba="0.8 0.8 0.85 1"/>
    <position kp="4000" kv="150"/>
  </default>
  <worldbody>
    <body name="turret" pos="0.35 -0.5 0.25" gravcomp="1">
      <joint name="yaw" axis="0 0 1"/>
      <geom type="cylinder" size="0.05 0.05" mass="2"/>
      <body name="upper" gravcomp="1">
        <joint name="shoulder" axis="1 0 0"/>
        <geom type="capsule" fromto="0 0 0 0 0.42 0" size="0.03" mass="1.5"/>
        <body name="fore" pos="0 0.42 0" gravcomp="1">
          <joint name="elbow" axis="1 0 0"/>
          <geom type="capsule" fromto="0 0 0 0 0.42 0" size="0.025" mass="1"/>
          <body name="hand" pos="0 0.42 0" gravcomp="1">
            <geom type="sphere" size="0.02" mass="0.3"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position joint="yaw"/>
    <position joint="shoulder"/>
    <position joint="elbow"/>
  </actuator>
</mujoco>
"""


def board(rate: float) -> clcable.Scene:
    """A cable on a board, held at its start; at its end a plug, which the hand grips until it latches."""
    scene = clcable.Scene(method="direct", frame_rate=rate, substeps=max(2, round(1200 / rate)), contact={"cables": False, "self": False})
    scene.add_material("cord", radius=0.003, linear_density=0.05, bending_stiffness=2e-4, damping=2.0, friction=0.3)
    back = grip(scene, HOME, GRIP)
    outlet(scene, MOUTH, DEPTH, PEAK, capture_radius=0.004, pull_out_force=LATCH)
    bight = [[0, 0, 0.004], [-0.33, 0, 0.004], [-0.37, -0.06, 0.004], [-0.33, -0.12, 0.004], [-0.1, -0.12, 0.02], back]
    scene.add_cable("cord", "cord", bight, segments=48)
    scene.attach("cord", "start")
    scene.attach("cord", "end", {"body": "plug", "point": [-0.02, 0, 0]})
    scene.add_collider("plane", name="board", point=[0, 0, 0], normal=[0, 0, 1], friction=0.4)
    for k, (x, y) in enumerate(POSTS):
        scene.add_collider("capsule", name=f"post {k}", radius=ROUND, from_=[x, y, -0.02], to=[x, y, TALL])
    return scene


class Arm:
    """Joints that are led so that the hand follows a place; in MuJoCo's own steps of a millisecond at most."""

    def __init__(self, place: np.ndarray, step: float):
        self.model = mujoco.MjModel.from_xml_string(ARM)
        self.data = mujoco.MjData(self.model)
        self.inner = max(1, round(step / 1e-3))
        self.model.opt.timestep = step / self.inner
        self.hand = self.model.body("hand").id
        self.data.qpos[:] = 0, 0.5, -1.3
        self._aimed = mujoco.MjData(self.model)  # where the joints are led to
        self._aimed.qpos[:] = self.data.qpos
        for _ in range(200):
            self.aim(place)
        self.data.qpos[:] = self.data.ctrl[:] = self._aimed.qpos
        mujoco.mj_forward(self.model, self.data)

    @property
    def place(self) -> np.ndarray:
        """Of the hand, m."""
        return self.data.xpos[self.hand].copy()

    def aim(self, place: np.ndarray) -> None:
        """A step of damped least squares from the joints that were aimed at last."""
        mujoco.mj_kinematics(self.model, self._aimed)
        mujoco.mj_comPos(self.model, self._aimed)
        jacobian = np.zeros((3, self.model.nv))
        mujoco.mj_jacBody(self.model, self._aimed, jacobian, None, self.hand)
        off = place - self._aimed.xpos[self.hand]
        self._aimed.qpos += jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + 1e-6 * np.eye(3), off)
        self.data.ctrl[:] = self._aimed.qpos

    def step(self, force: np.ndarray) -> None:
        """force: on the hand, N."""
        self.data.xfrc_applied[self.hand, :3] = force
        for _ in range(self.inner):
            mujoco.mj_step(self.model, self.data)


@dataclasses.dataclass
class Outcome:
    """What came of a run."""

    mated: bool
    time: float
    """s, until it was; or until time was up."""
    off: float
    """m: how far the hand was from where it was led at most."""
    pull: float
    """N: what the cable pulled at the hand with at most, before the plug was in the socket."""
    push: float
    """N: what it pushed with along the socket's axis at most."""
    sides: list[float]
    """m: by how much the cable passes the posts on y."""
    stretch: float
    """Of a segment, at most."""


def run(rate: float = 60, limit: float = 10) -> Outcome:
    """Moves the hand along WAY until the plug latches."""
    world = clcable.World(board(rate), device="native")
    arm, step = Arm(HOME, 1 / rate), 1 / rate
    positions = world.positions()
    goal, force, pull, push, off, stretch = HOME.copy(), np.zeros(3), 0.0, 0.0, 0.0, 0.0
    ahead, mated = [np.array(place) for place in WAY], False
    while world.time < limit and not mated:
        left = SPEED * step
        while ahead and left > 0:
            way = ahead[0] - goal
            length = float(np.linalg.norm(way))
            goal = goal + way * min(1.0, left / max(length, 1e-12))
            if length <= left:
                ahead.pop(0)
            left -= length
        arm.aim(goal)
        arm.step(force)
        world.set_body_pose("hand", arm.place)
        world.step()
        sockets = world.sockets
        force = -sockets.forces[0]
        if sockets.phases[1] == "out":
            pull = max(pull, float(np.linalg.norm(force)))
        push, off = max(push, -float(force[0])), max(off, float(np.linalg.norm(arm.place - goal)))
        stretch = max(stretch, world.measure().stretch_max)
        mated = sockets.phases[1] == "mated"
    sides = [float(np.interp(x, positions[12:, 0], positions[12:, 1]) - y) for x, y in POSTS]
    return Outcome(mated, world.time, off, pull, push, sides, stretch)


def main() -> None:
    """Runs it and tells what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rate", type=float, default=60, help="steps a second in which both act on each other")
    rate = parser.parse_args().rate
    done = run(rate)
    print(
        f"{rate:g} Hz: {'plugged in' if done.mated else 'not plugged in'} after {done.time:.2f} s; the hand was {1e3 * done.off:.1f} mm off "
        f"at most, the cable pulled with {done.pull:.2f} N and the hand pushed with {done.push:.1f} N at most; stretch {100 * done.stretch:.2g} %; it passes the posts by "
        + " and ".join(f"{1e3 * side:.0f} mm" for side in done.sides)
    )


if __name__ == "__main__":
    main()

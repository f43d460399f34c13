"""Rigid bodies: how they are added, where they are, how fast, what they weigh."""

import math

import clcable
import numpy as np
import pytest

G = 9.81
SWING = 0.1  # rad
D = 0.1  # m, from the hinge to the block's centre
HALF = (0.02, 0.05, 0.1)  # m, of the block, which hangs along z
MASS = 2.0


def moment(axis):
    """Of the block about its centre, kg m^2."""
    a, b = (HALF[k] for k in range(3) if k != axis)
    return MASS * (a * a + b * b) / 3


def empty(**settings):
    """Nothing but a cable out of the way, which a scene must have."""
    scene = clcable.Scene(method="direct", **settings)
    scene.add_material("wire", radius=0.002, linear_density=0.02)
    scene.add_cable("far", "wire", [[50, 0, 0], [50, 1, 0]], segments=2)
    scene.attach("far", "start")
    scene.attach("far", "end")
    return scene


def pendulum(substeps):
    """A block on a hinge at the origin, let go SWING off the plumb line."""
    scene = empty(substeps=substeps)
    scene.add_body(
        "block",
        [0, 0, 0],
        mass=MASS,
        rotation=np.array([math.cos(SWING / 2), 0, math.sin(SWING / 2), 0]),
        shapes=[{"shape": "box", "center": [0, 0, -D], "half_extents": HALF}],
        motion={"hinge": {"point": [0, 0, 0], "axis": [0, 1, 0]}},
    )
    return scene


def angle(bodies):
    w, _, y, _ = bodies.rotations[0]
    return 2 * math.atan2(y, w)


@pytest.mark.parametrize("device", ["native", "opencl"])
@pytest.mark.parametrize("substeps", [10, 40])
def test_a_pendulum_has_its_period(substeps, device):
    """T = 2 pi sqrt(J / (m g d)) (1 + SWING^2 / 16), up to 5e-4 for BDF2 with omega h of 0.015 and less and the first substep's first
    order, and straight lines between frames."""
    if device == "opencl" and not any(d.backend == "opencl" for d in clcable.devices()):
        pytest.skip("there is no OpenCL device")
    period = 2 * math.pi * math.sqrt((moment(1) + MASS * D * D) / (MASS * G * D)) * (1 + SWING**2 / 16)
    world = clcable.World(pendulum(substeps), device=device)
    crossings, before = [], angle(world.bodies)
    assert before == pytest.approx(SWING, abs=1e-6)  # floats
    while len(crossings) < 5:
        assert world.time < 10
        world.step()
        bodies = world.bodies
        now = angle(bodies)
        if now * before < 0:
            crossings.append(world.time - world.frame_time * now / (now - before))
            assert abs(bodies.spins[0, 1]) == pytest.approx(SWING * 2 * math.pi / period, rel=0.02)  # 1 % of SWING^2, a frame off
        before = now
    assert crossings[4] - crossings[0] == pytest.approx(2 * period, rel=5e-4)


def test_facts_and_velocities():
    """Mass, centre and inertia of a box off its origin; the origin's velocity, which is not the centre's; copies by their names."""
    scene = empty(gravity=(0, 0, 0))
    block = [{"shape": "box", "center": [0, 0, -D], "half_extents": HALF}]
    index = scene.add_body("b", (1, 2, 3), density=1000, shapes=block, velocity=[1, 0, 0], spin=[0, 2, 0], copies=[1, 2, 1], spacing=[0, 5, 0])
    assert index == 0
    bodies = clcable.World(scene, device="native").bodies
    assert bodies.names == ("b[0,0,0]", "b[0,1,0]")
    mass = 1000 * 8 * HALF[0] * HALF[1] * HALF[2]
    assert np.allclose(bodies.mass, mass, rtol=1e-12)
    assert np.allclose(bodies.centers, [0, 0, -D], atol=1e-12)
    assert np.allclose(bodies.inertia, np.diag([moment(k) * mass / MASS for k in range(3)]), rtol=1e-9, atol=1e-15)
    assert np.allclose(bodies.positions, [[1, 2, 3], [1, 7, 3]], atol=2e-6)  # floats of some metres
    assert np.allclose(bodies.rotations, [1, 0, 0, 0], atol=1e-6)
    # w x (origin - centre) = (0, 2, 0) x (0, 0, 0.1) = (0.2, 0, 0)
    assert np.allclose(bodies.velocities, [1.2, 0, 0], atol=1e-5)
    assert np.allclose(bodies.spins, [0, 2, 0], atol=1e-5)


def test_arrays_are_the_readers_own():
    world = clcable.World(pendulum(10), device="native")
    before = world.bodies
    kept = before.positions.copy(), before.rotations.copy()
    world.step(5)
    assert np.array_equal(before.positions, kept[0]) and np.array_equal(before.rotations, kept[1])
    assert not np.array_equal(world.bodies.rotations, kept[1])


def test_a_scene_without_bodies():
    bodies = clcable.World(empty(), device="native").bodies
    assert bodies.names == ()
    assert bodies.positions.shape == (0, 3) and bodies.rotations.shape == (0, 4) and bodies.inertia.shape == (0, 3, 3)


def test_a_batch_has_bodies_of_its_own():
    batch = clcable.Batch(pendulum(10), 2, vary={"/bodies/0/spin": [[0, 0, 0], [0, 1, 0]]}, device="native")
    assert batch.bodies(1).spins[0, 1] == pytest.approx(1, abs=1e-5)
    batch.step(2)
    assert angle(batch.bodies(0)) < SWING < angle(batch.bodies(1))


def test_mistakes_are_told():
    scene = empty()
    with pytest.raises(clcable.InputError, match='no body is called "plug"; there is none yet'):
        scene.attach("far", 0.5, {"body": "plug"})
    scene.add_body("socket", [0, 0, 0], mass=1)
    with pytest.raises(clcable.InputError, match="/bodies/0/inertia: expected"):
        scene.check()
    with pytest.raises(clcable.InputError, match='the method "xpbd" does not know bodies'):
        clcable.World(pendulum(10).with_overrides({"/method": "xpbd"}), device="native")


def test_a_hand_pulls_a_body():
    """It hangs m g/k below the hand: by its middle, told by its name and by its number alike; let go, it falls."""
    worlds = []
    for name in ("b", 0):
        scene = empty()
        scene.add_body("b", (0, 0, 1), mass=2, shapes=[{"shape": "box", "center": [0, 0, 0], "half_extents": HALF}])
        world = clcable.World(scene, device="native")
        world.pull_body(name, (0, 0, 0), (0, 0, 1), stiffness=400)
        world.step(240)
        world.let_go()
        worlds.append(world)
    assert worlds[0].get_state() == worlds[1].get_state()
    assert worlds[0].bodies.positions[0, 2] == pytest.approx(1 - 2 * G / 400, abs=1e-5)
    worlds[0].step(6)
    assert worlds[0].bodies.velocities[0, 2] == pytest.approx(-G * 0.1, rel=0.01)
    with pytest.raises(clcable.InputError, match='no body is called "c"'):
        worlds[0].pull_body("c", (0, 0, 0), (0, 0, 1))
    with pytest.raises(clcable.InputError, match='no force moves the body "hand"'):
        clcable.World(handed("fixed"), device="native").pull_body("hand", (0, 0, 0), (0, 0, 1))


def handed(motion):
    """A rope of 0.5 m that hangs on a hand 0.2 m off its origin."""
    scene = clcable.Scene(method="direct")
    scene.add_material("rope", radius=0.005, linear_density=0.1)
    scene.add_cable("a", "rope", [[0.2, 0, 1], [0.2, 0, 0.5]], segments=20)
    scene.add_body("hand", [0, 0, 1], motion=motion)
    scene.attach("a", "start", {"body": "hand", "point": [0.2, 0, 0]})
    return scene


def test_a_fixed_body_tells_what_it_bears():
    """The rope's weight, and that times 0.2 m. Floats of 1 m are 6e-8 m off, by which in a substep of 1/1200 s a segment of 2.5 g is held with 2e-4 N."""
    world = clcable.World(handed("fixed"), device="native")
    assert not world.bodies.forces.any()
    world.step(5)
    weight = 0.1 * 0.5 * G
    assert np.allclose(world.bodies.forces, [0, 0, -weight], atol=2e-4)
    assert np.allclose(world.bodies.torques, [0, 0.2 * weight, 0], atol=4e-5)


def test_a_given_body_goes_where_it_is_told():
    """It is there after the frame, with the frame's velocity, takes the rope along, and stays; by name and by number alike."""
    worlds = [clcable.World(handed("given"), device="native") for _ in range(2)]
    half = 0.05
    for world, name in zip(worlds, ("hand", 0), strict=True):
        world.set_body_pose(name, [0.01, 0, 1], [math.cos(half), 0, 0, math.sin(half)])
        world.step()
    bodies = worlds[0].bodies
    assert np.allclose(bodies.positions, [0.01, 0, 1], atol=1e-12)
    assert np.allclose(bodies.velocities, [0.6, 0, 0], atol=1e-9)
    assert np.allclose(bodies.spins, [0, 0, 2 * half * 60], atol=1e-9)
    held = [0.01 + 0.2 * math.cos(2 * half), 0.2 * math.sin(2 * half), 1]
    assert np.allclose(worlds[0].positions()[0], held, atol=1e-6)
    assert np.array_equal(worlds[0].positions(), worlds[1].positions())
    worlds[0].step(2)
    assert np.allclose(worlds[0].bodies.positions, [0.01, 0, 1], atol=1e-12)
    assert not worlds[0].bodies.velocities.any()


def test_a_batch_leads_each_body():
    batch = clcable.Batch(handed("given"), 3, device="native")
    batch.set_body_poses("hand", [[0, 0, 1], [0.01, 0, 1], [0.02, 0, 1]], mask=[True, False, True])
    batch.step()
    assert [batch.bodies(env).positions[0, 0] for env in range(3)] == pytest.approx([0, 0, 0.02])
    batch.reset()
    batch.step()
    assert [batch.bodies(env).positions[0, 0] for env in range(3)] == pytest.approx([0, 0, 0])
    with pytest.raises(clcable.InputError, match="expected 3 poses"):
        batch.set_body_poses("hand", [[0, 0, 1], [0, 0, 1]])


def test_what_cannot_be_led_is_refused():
    world = clcable.World(handed("fixed"), device="native")
    with pytest.raises(clcable.InputError, match='"given"'):
        world.set_body_pose("hand", [0, 0, 1])
    with pytest.raises(clcable.InputError, match="no body is called"):
        world.set_body_pose("foot", [0, 0, 1])
    with pytest.raises(clcable.InputError, match="four numbers"):
        world.set_body_pose("hand", [0, 0, 1], [1, 0, 0])


def test_a_plug_goes_in_and_comes_out():
    """F s = m v²/2 of the depth that a plug flies into a socket with friction; a hand pulls it out of the latch again."""
    speed, force, mass = 0.3, 0.1, 0.02
    scene = empty(gravity=(0, 0, 0), substeps=40)
    rod = [{"shape": "box", "center": [0, 0, 0], "half_extents": [0.02, 0.005, 0.005]}]
    scene.add_body("plug", [0, 0, 0], mass=mass, shapes=rod, velocity=[speed, 0, 0])
    scene.add_body("box", [0.1, 0, 0], motion="given")
    side = {"body": "box", "point": [0, 0, 0], "axis": [1, 0, 0]}
    plug = {"body": "plug", "point": [0.02, 0, 0], "axis": [1, 0, 0]}
    assert scene.add_socket("X1", plug, side, 0.02, friction=[[0, force], [0.02, force]], pull_out_force=2) == 0
    world = clcable.World(scene, device="native")
    assert world.sockets.phases == ("out",)
    world.step(40)
    sockets = world.sockets
    assert (sockets.names, sockets.phases) == (("X1",), ("guided",))
    assert sockets.depths[0] == pytest.approx(mass * speed**2 / 2 / force, abs=speed / 60 / 40)  # a substep's way
    world.set_body_pose("box", [0.1 - 0.02 + sockets.depths[0], 0, 0], [1, 0, 0, 0])  # over the plug, which friction takes along
    world.step(30)
    assert world.sockets.depths.shape == (1,)
    with pytest.raises(clcable.InputError, match="/sockets/1/to/body: no body is called"):
        scene.add_socket("X2", plug, {"body": "bix", "axis": [1, 0, 0]}, 0.02)

"""Scenes: built, read, changed, written, refused."""

import json
import os

import numpy as np
import pytest
from conftest import SOURCE, hanging

import clcable


def test_what_is_built_is_the_scene_format(scene):
    assert scene.document == {
        "clcable": 1,
        "time": {"substeps": 20},
        "materials": {
            "wire": {"radius": 0.003, "linear_density": 0.05, "bending_stiffness": 1e-4, "damping": 2},
        },
        "cables": [
            {"name": "a", "material": "wire", "path": [[0, 0, 1], [1, 0, 1]], "segments": 40, "length": 1.2}
        ],
        "attachments": [
            {"cable": "a", "at": "start", "to": "here"},
            {"cable": "a", "at": "end", "to": "here"},
        ],
        "loads": [{"cable": "a", "at": 0.5}],
    }


def test_every_kind_of_item_can_be_read():
    scene = clcable.Scene(
        gravity=(0, 0, -9.81),
        wind=np.array([1.0, 0, 0]),
        duration=2,
        frame_rate=100,
        substeps=4,
        iterations=2,
        method={"name": "xpbd", "way": "coloured"},
        contact={"self": False},
    )
    scene.add_material("m", radius=0.004, linear_density=0.1, air_drag=1.1, friction=0.2, min_bend_radius=0.02)
    assert scene.add_cable("a", "m", [[0, 0, 1], [1, 0, 1]], copies=[1, 3, 1], spacing=[0, 0.1, 0]) == 0
    assert scene.add_cable("b", "m", [[1, 0, 1], [1.2, 0, 0.6]], copies=[1, 3, 1], spacing=[0, 0.1, 0]) == 1
    assert scene.attach("a", to=[0, 0, 1], clamp=True) == 0
    assert scene.attach("b", to={"cable": "a", "at": "end"}, break_force=20) == 1
    assert scene.attach("a", {"particle": 5}, compliance=1e-3, release_distance=0.1) == 2
    assert scene.add_load("b", mass=0.01, force=[0, 0.1, 0]) == 0
    scene.add_load("a[0,1,0]", 0.25, mass=0.02)
    assert scene.add_collider("plane", point=[0, 0, 0], normal=[0, 0, 1]) == 0
    assert scene.add_collider("capsule", name="bar", from_=[0, 0, -1], to=[0, 1, -1], radius=0.1) == 1
    scene.add_collider("box", center=[0, 0, -5], half_extents=[1, 1, 1], rotation=[1, 0, 0, 0])
    cloth = clcable.Scene(method="xpbd")
    cloth.add_material("thread", radius=0.001, linear_density=0.01)
    cloth.add_sheet("flag", "thread", corner=[0, 0, 1], along=[1, 0, 0], across=[0, 0, -1], count=[5, 4])
    cloth.add_cable("mast", "thread", [[-1, 0, 1], [-0.5, 0, 1]], segments=3)
    cloth.attach(None, {"corner": [0, 0]}, sheet="flag")
    cloth.add_load(None, {"corner": [1, 1]}, sheet="flag", mass=0.01)
    assert clcable.World(cloth, device="native").info.nodes == 24
    scene.check()
    world = clcable.World(scene, device="native")
    assert [cable.name for cable in world.cables][:3] == ["a[0,0,0]", "a[0,1,0]", "a[0,2,0]"]
    assert world.frames == 200 and world.frame_time == 0.01


def test_a_file_is_read_with_overrides(tmp_path):
    path = os.path.join(SOURCE, "scenes", "one.json")
    plain = clcable.Scene.load(path)
    changed = clcable.Scene.load(path, ["/time/substeps=60", "/gravity=[0,0,-1]"])
    as_dict = clcable.Scene.load(path, {"/time/substeps": 60, "/gravity": np.array([0, 0, -1])})
    a, b, c = (clcable.World(s, device="native") for s in (plain, changed, as_dict))
    for world in (a, b, c):
        world.step(5)
    assert not np.array_equal(a.positions(), b.positions())
    assert np.array_equal(b.positions(), c.positions())
    changed.save(tmp_path / "saved.json")
    assert json.loads((tmp_path / "saved.json").read_text())["time"]["substeps"] == 60
    saved = clcable.World(clcable.Scene.load(tmp_path / "saved.json"), device="native")
    saved.step(5)
    assert np.array_equal(saved.positions(), b.positions())


def test_text_and_dictionaries_give_the_same(scene):
    made = [clcable.Scene.from_json(scene.to_json()), clcable.Scene.from_dict(scene.document), scene]
    worlds = [clcable.World(s, device="native") for s in made]
    for world in worlds:
        world.step(3)
    assert np.array_equal(worlds[0].positions(), worlds[2].positions())
    assert np.array_equal(worlds[1].positions(), worlds[2].positions())


@pytest.mark.parametrize(
    "velocity",
    [
        np.outer([0, 1, 2, 3, 4], [0, 0.5, 0]),
        {"along": np.array([[0, 0, 0, 0], [1, 0, 2, 0]])},
        {"path": np.array([[0, 0, 1], [1, -0.2, 1]]), "before": 0.1},
    ],
)
def test_start_velocities_differ_along_a_cable(velocity):
    scene = clcable.Scene(gravity=(0, 0, 0))
    scene.add_material("wire", radius=0.003, linear_density=0.05)
    scene.add_cable("a", "wire", [[0, 0, 1], [1, 0, 1]], segments=4, velocity=velocity)
    with clcable.World(scene, device="native") as world:
        assert np.allclose(world.velocities(), np.outer([0, 1, 2, 3, 4], [0, 0.5, 0]), atol=1e-6)


def test_cables_are_divided_by_lengths_and_by_places():
    scene = clcable.Scene()
    scene.add_material("wire", radius=0.003, linear_density=0.05)
    scene.add_cable("a", "wire", [[0, 0, 1], [1, 0, 1]], segments=np.array([0.1, 0.3, 0.6]))
    scene.add_cable("b", "wire", [[0, 1, 1], [2, 1, 1]], segments=4, places=[0.1])
    with clcable.World(scene, device="native") as world:
        assert np.allclose(world.arcs(), [0, 0.1, 0.4, 1, 0, 0.2, 0.8, 1.4, 2])


def test_overrides_leave_the_scene_alone(scene):
    before = scene.to_json()
    other = scene.with_overrides({"/cables/0/length": 1.5}).with_overrides(["/time/substeps=7"])
    assert scene.to_json() == before and scene.overrides == ()
    assert other.overrides == ("/cables/0/length=1.5", "/time/substeps=7")
    assert clcable.World(other, device="native").cables[0].length == pytest.approx(1.5, abs=1e-12)


def test_check_returns_warnings():
    assert any("bend too softly" in text for text in hanging(substeps=5).check())
    held = hanging(substeps=200)
    held.add_load("a", "end", force=[0, 0, 1])
    assert any("/loads/1" in text for text in held.check())


@pytest.mark.parametrize(
    ("overrides", "pointer", "part"),
    [
        ({"/cables/0/segments": -4}, "/cables/0/segments", "an integer from 1 to 1000000"),
        ({"/materials/wire/radius": "thick"}, "/materials/wire/radius", "number"),
        ({"/cables/0/colour": "red"}, "/cables/0/colour", "colour"),
        ({"/attachments/1/cable": "b"}, "/attachments/1/cable", '"b"'),
    ],
)
def test_what_is_wrong_is_named(scene, overrides, pointer, part):
    with pytest.raises(clcable.InputError, match="scene: ") as caught:
        clcable.World(scene.with_overrides(overrides), device="native")
    assert caught.value.pointer == pointer
    assert part in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("add", "pointer"),
    [
        (lambda s: s.add_cable("b", "wood", [[0, 0, 0], [1, 0, 0]]), "/cables/1/material"),
        (lambda s: s.add_sheet("cloth", "wood"), "/sheets/0/material"),
        (lambda s: s.attach("c"), "/attachments/2/cable"),
        (lambda s: s.attach(None, sheet="cloth"), "/attachments/2/sheet"),
        (lambda s: s.attach("a", "end", {"cable": "c", "at": "start"}), "/attachments/2/to/cable"),
        (lambda s: s.attach("a", "end", {"collider": "desk"}), "/attachments/2/to/collider"),
        (lambda s: s.add_load("c", mass=1), "/loads/1/cable"),
    ],
)
def test_names_are_checked_when_used(scene, add, pointer):
    before = scene.to_json()
    with pytest.raises(clcable.InputError, match="is called") as caught:
        add(scene)
    assert caught.value.pointer == pointer
    assert scene.to_json() == before


def test_names_of_copies_are_known(scene):
    scene.add_cable("row", "wire", [[0, 1, 1], [1, 1, 1]], copies=[1, 2, 1], spacing=[0, 1, 0])
    scene.attach("row[0,1,0]", "end")
    scene.check()


def test_what_is_not_built_is_unsupported(scene):
    with pytest.raises(clcable.UnsupportedError):
        scene.with_overrides({"/materials/wire/twisting_stiffness": 1e-3}).check()


def test_what_cannot_be_in_a_scene_is_refused():
    with pytest.raises(clcable.InputError, match="finite") as caught:
        clcable.Scene.from_dict({"clcable": 1, "gravity": [0, 0, float("nan")]})
    assert caught.value.pointer == "/gravity/2"
    with pytest.raises(clcable.InputError, match="set cannot be in a scene"):
        clcable.Scene().add("cables", path={1, 2})
    with pytest.raises(clcable.InputError, match="line 1"):
        clcable.Scene.from_json("{", name="mine")
    with pytest.raises(clcable.InputError, match="overrides"):
        clcable.Scene().with_overrides("/time/substeps=3")
    with pytest.raises(clcable.FileError, match="nowhere.json") as missing:
        clcable.Scene.load("nowhere.json")
    assert isinstance(missing.value, OSError)


def test_files_of_a_scene_are_beside_it(tmp_path):
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    (tmp_path / "rock.obj").write_text(corners + "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
    scene = hanging()
    scene.add_collider("mesh", file="rock.obj", center=[0, 0, -3])
    with pytest.raises(clcable.InputError) as caught:
        scene.check()
    assert caught.value.pointer == "/colliders/0/file"
    clcable.Scene.from_dict(scene.document, folder=tmp_path).check()

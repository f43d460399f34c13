"""Keyframes as arrays, which go to the library without a text of them."""

import json
from pathlib import Path

import numpy as np
import pytest
from conftest import hanging

import clcable

END = "/attachments/1/to/keyframes"


def motion(scale: float = 1.0, rows: int = 50) -> np.ndarray:
    t = np.linspace(0, 1, rows)
    return np.stack([t, 1 - 0.2 * scale * np.sin(3 * t), 0.1 * scale * t**2, 1 + 0 * t], axis=1)


def led(rows: object) -> clcable.Scene:
    """The second attachment follows keyframes."""
    scene = hanging(method="direct")
    scene.document["attachments"].pop()
    scene.attach("a", "end", {"keyframes": rows})
    return scene


def after(scene: clcable.Scene, frames: int = 20) -> bytes:
    with clcable.World(scene, device="native") as world:
        world.step(frames)
        return world.positions().tobytes()


def test_arrays_do_as_lists_do(tmp_path: Path) -> None:
    """Same bytes; and the document, its text and a file have all the rows."""
    array, listed = led(motion()), led(motion().tolist())
    assert after(array) == after(listed)
    assert array.to_json() == listed.to_json()
    assert len(json.loads(array.to_json())["attachments"][1]["to"]["keyframes"]) == 50
    array.save(tmp_path / "led.json")
    assert after(clcable.Scene.load(tmp_path / "led.json")) == after(listed)
    assert array.check() == []


def test_an_array_is_copied_and_can_be_put_into_the_document() -> None:
    rows = motion()
    scene, before = led(rows), after(led(motion()))
    rows[:, 1] += 1
    assert after(scene) == before
    scene.document["attachments"][1]["to"]["keyframes"] = motion(2)
    assert after(scene) == after(led(motion(2).tolist()))


def test_changes_reach_into_an_array() -> None:
    changes = {f"{END}/10/1": 0.9}
    expected = after(led(motion().tolist()).with_overrides(changes))
    assert after(led(motion()).with_overrides(changes)) == expected != after(led(motion()))
    whole = {"/attachments/1": {"cable": "a", "at": "end", "to": "here"}}
    assert after(led(motion()).with_overrides(whole)) == after(hanging(method="direct"))
    varied = clcable.Batch(led(motion()), 1, vary={f"{END}/10/1": [0.9]}, device="native")
    varied.step(20)
    assert varied.positions()[0].tobytes() == expected


@pytest.mark.parametrize("ragged", [False, True])
def test_each_environment_has_its_motion(ragged: bool) -> None:
    scales = [0.5, 1.0, 1.5]
    rows = [motion(s, 50 + 10 * i if ragged else 50) for i, s in enumerate(scales)]
    stiffness = [1e-4, 2e-4, 3e-4]
    vary = {END: rows if ragged else np.stack(rows), "/materials/wire/bending_stiffness": stiffness}
    batch = clcable.Batch(led(motion().tolist()), 3, vary=vary, device="native")
    batch.step(20)
    for env in range(3):
        alone = led(rows[env].tolist()).with_overrides({"/materials/wire/bending_stiffness": stiffness[env]})
        assert batch.positions()[env].tobytes() == after(alone)


def test_lists_cost_no_text_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scene of a file has lists: they are read as text once, not for each environment; and give the same bytes."""
    texts: list[int] = []
    parse = clcable.scene.lib.cab_scene_parse

    class Watched:
        def __getattr__(self, name: str) -> object:
            return getattr(watched, name)

        def cab_scene_parse(self, name: bytes, data: bytes, *more: object) -> int:
            texts.append(len(data))
            return int(parse(name, data, *more))

    watched = clcable.scene.lib
    monkeypatch.setattr(clcable.scene, "lib", Watched())
    stiffness = [1e-4, 2e-4]
    vary = {"/materials/wire/bending_stiffness": stiffness, END: [motion(2, 2000).tolist(), motion(3, 1000).tolist()]}
    batch = clcable.Batch(led(motion(1, 3000).tolist()), 2, vary=vary, device="native")
    assert max(texts) < 2000
    batch.step(20)
    monkeypatch.undo()
    for env, rows in enumerate((motion(2, 2000), motion(3, 1000))):
        text = led(rows.tolist()).with_overrides({"/materials/wire/bending_stiffness": stiffness[env], f"{END}/0/0": 0.0})
        assert batch.positions()[env].tobytes() == after(text)  # which is changed in the text


@pytest.mark.parametrize("wrong", [[[0, 1, 0]], [[0, True, 0, 1]], [[0, None, 0, 1]], [[0, 1e300, 0, 1]], [], 5])
def test_lists_that_cannot_be_are_told_by_the_library(wrong: object) -> None:
    with pytest.raises(clcable.InputError, match=f"^scene: {END}.*: expected "):
        clcable.World(led(wrong), device="native")


def test_a_world_keeps_its_motion() -> None:
    """An array that was put into the document may change: a world has its own."""
    scene, rows = led(motion()), motion(2)
    scene.document["attachments"][1]["to"]["keyframes"] = rows
    with clcable.World(scene, device="native") as world:
        before = world._scene.to_json()
        rows[:, 1] += 1
        assert world._scene.to_json() == before


def test_what_cannot_be_is_one_line() -> None:
    wrong = motion()
    wrong[7, 2] = np.nan
    with pytest.raises(clcable.InputError, match=f"{END}/7/2: expected a finite number, got nan"):
        led(wrong)
    with pytest.raises(clcable.InputError, match=r"expected keyframes of the shape \(n, 4\), got \(50, 3\)"):
        led(motion()[:, :3])
    back = motion()
    back[9, 0] = back[8, 0]
    with pytest.raises(clcable.InputError, match=f"{END}/9/0: expected a time after that"):
        clcable.World(led(back), device="native")
    with pytest.raises(clcable.InputError, match="expected 3 values, got 2"):
        clcable.Batch(led(motion()), 3, vary={END: np.stack([motion()] * 2)}, device="native")
    for array in (np.array([["a", "b", "c", "d"]]), np.array([[1j, 0, 0, 1]]), np.zeros((2, 4), bool)):
        with pytest.raises(clcable.InputError, match="expected keyframes of real numbers, got an array of"):
            led(array)
    far = END.replace("1", "99999999999")
    with pytest.raises(clcable.InputError, match="99999999999"):
        clcable.Batch(led(motion()), 2, vary={far: np.stack([motion()] * 2)}, device="native")
    with pytest.raises(clcable.InputError, match="environment 0: .*expected an attachment that is led by keyframes"):
        clcable.Batch(hanging(), 2, vary={END: np.stack([motion()] * 2)}, device="native")

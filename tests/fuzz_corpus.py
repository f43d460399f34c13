#!/usr/bin/env python3
"""Makes a small corpus and a dictionary for fuzz_scene.

    fuzz_corpus.py SCENES_FOLDER OUT_FOLDER
    fuzz_scene -dict=OUT_FOLDER/../scene.dict OUT_FOLDER

Each scene, of cables, of particles, planar, is taken whole when it is small, and each of its sections in a small scene
of its own. The dictionary holds the words of the schemas.
"""
import json
import pathlib
import sys

SMALL = {
    "clcable": 1,
    "materials": {"m": {"radius": 0.01, "linear_density": 1}},
    "cables": [{"name": "a", "material": "m", "path": [[0, 0, 0], [1, 0, 0]]}],
}
OVERRIDES = ["/method/way=\"fused\"", "/time/substeps=7", "/cables/-={}", "/materials/m/friction=x", "/gravity/2=0"]
SIZE_MAX = 4096  # bytes; larger inputs only slow the fuzzer down


def words_of(schema, words):
    if isinstance(schema, dict):
        words.update(schema.get("properties", {}))
        words.update(word for word in schema.get("enum", []) if isinstance(word, str))
        if isinstance(schema.get("const"), str):
            words.add(schema["const"])
        for part in schema.values():
            words_of(part, words)
    elif isinstance(schema, list):
        for part in schema:
            words_of(part, words)


# The sections of the studies' scenes stand under a key of theirs.
STUDIES = {
    "particles": {"particles": [{"position": [0, 0]}, {"position": [1, 0]}, {"position": [1, 1]}]},
    "planar": {"bodies": [{"name": "a", "radius": 1}, {"name": "b", "radius": 1, "position": [4, 0]}]},
}


def sections_of(sections, small, wrap):
    for key, part in sections.items():
        yield json.dumps(wrap({**small, key: part[:2] if isinstance(part, list) else part})).encode()


def inputs_of(folder):
    yield json.dumps(SMALL).encode() + b"\0" + "\0".join(OVERRIDES).encode()
    for path in sorted(folder.rglob("*.json")):
        if path.name.endswith(".schema.json"):
            continue
        scene = json.loads(path.read_text())
        yield json.dumps(scene).encode()
        study = next((key for key in STUDIES if key in scene), None)
        if study:
            yield from sections_of(scene[study], STUDIES[study], lambda part: {"clcable": 1, study: part})
        else:
            yield from sections_of(scene, SMALL, lambda part: part)


def main():
    scenes, out = (pathlib.Path(argument) for argument in sys.argv[1:3])
    out.mkdir(parents=True, exist_ok=True)
    count = 0
    for data in inputs_of(scenes):
        if len(data) <= SIZE_MAX:
            (out / f"{count:04d}").write_bytes(data)
            count += 1
    words = set()
    for schema in scenes.glob("*.schema.json"):
        words_of(json.loads(schema.read_text()), words)
    lines = [f'"\\"{word}\\""\n' for word in sorted(words)]
    (out.parent / "scene.dict").write_text("".join(lines))
    print(f"{count} inputs, {len(lines)} words")


if __name__ == "__main__":
    main()

"""Every shipped scene, and the data beside the checkout, holds to scenes/scene.schema.json."""
import json
import pathlib
import sys

import jsonschema


def main():
    folder = pathlib.Path(sys.argv[1])
    schema = json.loads((folder / "scene.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    scenes = sorted(path for path in folder.glob("*.json") if path.name != "scene.schema.json")
    faults = 0
    for path in scenes:
        for error in validator.iter_errors(json.loads(path.read_text())):
            place = "/" + "/".join(str(part) for part in error.absolute_path)
            print(f"{path.name}: {place}: {error.message}")
            faults += 1
    bad = {"clcable": 1, "materials": {}, "cables": [], "colour": "red"}
    if validator.is_valid(bad):
        print("the schema lets an unknown key pass")
        faults += 1
    print(f"{len(scenes)} scenes, {faults} faults")
    return 1 if faults or not scenes else 0


if __name__ == "__main__":
    sys.exit(main())

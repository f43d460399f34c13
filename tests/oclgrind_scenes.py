"""Tiny scenes that run every kernel, for test_oclgrind.py."""
import os

# Few segments, few steps: oclgrind takes two seconds for a million instructions. Whether a smaller scene still comes to the same
# lines and branches, gcov says of the native kernels (-O0 --coverage, CLCABLE_ISA=baseline). A branch counts as long from 12 nodes on,
# a colour as large from 20 constraints on (tests/CMakeLists.txt).
WIRE = {"radius": 0.01, "linear_density": 0.05, "bending_stiffness": 1e-4, "damping": 0.1}


def everything(n, rate, substeps, **more):
    """All shapes, loads, drag, a moving and a breaking attachment, a joint, clamps; cables that touch each other, themselves
    and the shapes from the start. Two frames; with detection by sweeps some substep is fast enough to be guarded."""
    return {
        "clcable": 1,
        "time": {"duration": 2 / rate, "frame_rate": rate, "substeps": substeps, "iterations": 2, "max_substeps": 2},
        "materials": {"wire": {**WIRE, "air_drag": 1.0, "stretching_stiffness": 1e4}},
        "cables": [
            {"name": "a", "material": "wire", "path": [[-0.2, 0, 0.05], [0.2, 0, 0.05]], "segments": n},
            {"name": "b", "material": "wire", "path": [[0, -0.2, 0.065], [0, 0.2, 0.065]], "segments": n,
             "copies": {"count": [3, 1, 1], "spacing": [0.05, 0, 0]}},
            {"name": "c", "material": "wire", "path": [[0.2, 0, 0.05], [0.4, 0, 0.05]], "segments": n // 2},
            {"name": "loop", "material": "wire", "segments": 2 * n,
             "path": [[-0.4, 0, 0.01], [-0.3, 0, 0.01], [-0.3, 0.1, 0.012], [-0.35, 0.1, 0.02], [-0.35, -0.1, 0.025]]}
        ],
        "attachments": [
            {"cable": "a", "at": "start", "to": {"keyframes": [[0, -0.2, 0, 0.05], [1, -0.2, 0, 1]]}, "clamp": True},
            {"cable": "b[0,0,0]", "at": "start", "to": "here", "break_force": 1e-3},
            {"cable": "b[1,0,0]", "at": "end", "to": {"collider": "box"}},
            {"cable": "b[2,0,0]", "at": "start", "to": "here", "compliance": 1e-2, "release_distance": 1e-5},
            {"cable": "c", "at": "start", "to": {"cable": "a", "at": "end"}, "clamp": True, "break_force": 1e-3}
        ],
        "clips": [
            {"cable": "a", "at": 0.5, "to": "here", "grip": 1e-3, "play": 1e-4},
            {"cable": "b[2,0,0]", "at": 0.5, "to": "here", "holding_force": 1e-4}
        ],
        "ties": [{"cables": ["b[0,0,0]", "b[1,0,0]", "b[2,0,0]"], "at": {"particle": 3 * n // 4}, "radius": 0.1}],
        "connectors": [{"cable": "loop", "at": "end", "to": "here", "direction": [1, 0, 0], "mass": 0.01}],
        "loads": [
            {"cable": "c", "at": "end", "mass": 0.01, "force": {"keyframes": [[0, 0, 0, -1], [1, 0, 1, 0]]}},
            {"cable": "b[2,0,0]", "at": "end", "moment": [0.01, 0, 0]}
        ],
        "colliders": [
            {"name": "floor", "shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]},
            {"shape": "sphere", "center": [0.1, 0, 0.01], "radius": 0.04},
            {"shape": "mesh", "file": "wedge.obj", "center": [-0.3, 0, 0],
             "keyframes": [[0, 0, 0, 0], [1, 1, 0, 0.1, 0.9, 0.1, 0, 0]]},
            {"shape": "capsule", "from": [0.3, -0.1, 0.02], "to": [0.3, 0.1, 0.02], "radius": 0.03},
            {"name": "box", "shape": "box", "center": [0.05, 0.2, 0.03], "half_extents": [0.05, 0.05, 0.03],
             "rotation": [0.9, 0.1, 0, 0.1]},
            {"shape": "mesh", "file": "wedge.obj", "center": [-0.1, 0, 0]}
        ],
        **more,
    }


WEDGE = """v -0.05 -0.1 0\nv 0.05 -0.1 0\nv 0 -0.1 0.05\nv -0.05 0.1 0\nv 0.05 0.1 0\nv 0 0.1 0.05
f 1 2 3\nf 4 6 5\nf 1 4 5 2\nf 2 5 6 3\nf 3 6 4 1\n"""


def hung(segments, copies, way):
    return {
        "clcable": 1,
        "time": {"duration": 0.01, "frame_rate": 100, "substeps": 1},
        "method": {"name": "xpbd", "way": way},
        "materials": {"wire": WIRE},
        "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 2], [1, 0, 2]], "segments": segments,
                    "copies": {"count": [copies, 1, 1], "spacing": [0, 0.1, 0]}}],
        "attachments": [{"cable": "a", "at": "start", "to": {"keyframes": [[0, 0, 0, 2], [1, 0, 0, 3]]}}],
        "contact": {"cables": False, "self": False},
    }


def direct(way):
    """Unlike cables: one that bends, led at a clamped end; one between holds that are too far apart."""
    scene = hung(9, 1, way)
    scene["method"]["name"] = "direct"
    scene["time"]["substeps"] = 2
    scene["attachments"][0]["clamp"] = True
    scene["materials"]["string"] = {**WIRE, "bending_stiffness": 0}
    scene["cables"].append({"name": "b", "material": "string", "path": [[0, 1, 2], [1, 1, 2]], "segments": 6,
                            "length": 0.99})
    scene["attachments"] += [{"cable": "b", "at": at, "to": "here"} for at in ("start", "end")]
    return scene


def spans():
    """Four cables between two holds, one of them long enough for the stiffness of its tension, joined at what is held."""
    scene = hung(14, 1, "staged")
    scene["method"]["name"] = "direct"
    scene["materials"]["wire"] = {**WIRE, "bending_stiffness": 0}
    scene["cables"] += [{"name": name, "material": "wire", "path": [[0, 0, 2], [0.1, y, 2]], "segments": 2}
                        for name, y in (("b", 0.1), ("c", 0.2), ("d", 0.3))]
    scene["attachments"] += [{"cable": name, "at": "start", "to": {"cable": "a", "at": "start"}} for name in "bcd"]
    scene["attachments"].append({"cable": "a", "at": "end", "to": "here"})
    return scene


def span_frames():
    """Two spans of a cable held in the middle, and two cables that are nearly straight: frames in tiles of spans."""
    scene = hung(28, 1, "auto")
    scene["method"]["name"] = "direct"
    scene["time"].update({"frame_rate": 60, "substeps": 2, "duration": 1 / 60})
    scene["cables"][0]["length"] = 1.01
    scene["cables"] += [{"name": name, "material": "wire", "path": [[0, y, 2], [1, y, 2]], "segments": 8, "length": 1.00001}
                        for name, y in (("b", 0.1), ("c", 0.2))]
    scene["attachments"] += [{"cable": name, "at": at, "to": "here"} for name in "bc" for at in ("start", "end")]
    scene["attachments"] += [{"cable": "a", "at": at, "to": "here"} for at in ({"particle": 14}, "end")]
    return scene


def nets():
    """Two nets and a cable by itself that fall on a floor: a frame that touches it is taken back."""
    scene = hung(6, 1, "auto")
    scene["method"]["name"] = "direct"
    scene["time"].update({"frame_rate": 60, "substeps": 2, "duration": 4 / 60})
    scene["materials"]["wire"] = {**WIRE, "bending_stiffness": 1e-4}
    scene["cables"] = [{"name": name, "material": "wire", "path": [start, end], "segments": 5} for name, start, end in (
        ("a", [0, 0, 2], [0.4, 0, 2]), ("b", [0.4, 0, 2], [0.8, 0, 2]), ("c", [0.4, 0, 2], [0.4, 0.4, 2]),
        ("d", [0, 2, 2], [0.4, 2, 2]), ("e", [0.4, 2, 2], [0.4, 2.4, 2]), ("f", [0, 4, 2], [0.4, 4, 2]))]
    scene["attachments"] = [{"cable": a, "at": "start", "to": {"cable": b, "at": "end"}} for a, b in ("ba", "ca", "ed")]
    scene["attachments"].append({"cable": "a", "at": "start", "to": "here"})
    scene["contact"] = {"cables": True, "self": True}
    scene["colliders"] = [{"shape": "plane", "point": [0, 0, 1.937], "normal": [0, 0, 1]}]
    return scene


def crossed():
    """Two cables whose axes meet in one point: no direction leads from one to the other."""
    scene = hung(2, 1, "coloured")
    scene["gravity"] = [0, 0, 0]
    scene["cables"].append({"name": "b", "material": "wire", "path": [[0.25, -0.25, 2], [0.25, 0.25, 2]], "segments": 2})
    scene["attachments"] = [{"cable": "a", "at": "start", "to": "here"}]
    scene["contact"] = {"cables": True, "self": False}
    return scene


APART = {  # contact is on, but no two segments are near one another
    **hung(3, 2, "coloured"),
    "contact": {"cables": True, "self": True},
}
APART["cables"][0]["copies"]["spacing"] = [10, 0, 0]


STAGED = {"name": "direct", "way": "staged", "contact_passes": 2}


def loaded():
    """A cable with a weight on each end hangs over another one: a cluster. A second substep knows its tension."""
    return {
        "clcable": 1,
        "time": {"duration": 0.04, "frame_rate": 100, "substeps": 2, "max_substeps": 0},
        "method": STAGED,
        "materials": {"wire": {"radius": 0.01, "linear_density": 0.1, "friction": 0.3}},
        "cables": [
            {"name": "under", "material": "wire", "path": [[0, -0.2, 0], [0, 0.2, 0]], "segments": 4},
            {"name": "over", "material": "wire", "path": [[-0.02, 0, -0.3], [-0.02, 0, 0], [0, 0, 0.02], [0.02, 0, 0],
                                                          [0.02, 0, -0.3]], "segments": 8},
        ],
        "attachments": [{"cable": "under", "at": "start", "to": "here"}, {"cable": "under", "at": "end", "to": "here"}],
        "loads": [{"cable": "over", "at": "start", "mass": 1}, {"cable": "over", "at": "end", "mass": 1}],
    }


def branches_side_by_side():
    """Equal cables stage by stage, more than a tile has lanes, one of which lies on another: lengths in lanes."""
    scene = side_by_side("direct", 0, False)
    scene["method"] = STAGED
    scene["cables"].append({"name": "b", "material": "wire", "path": [[0.5, -0.1, 2.0205], [0.5, 0.05, 2.0205]], "segments": 2})
    scene["contact"] = {"cables": True, "self": False}
    return scene


def thrown():
    """Substeps in pieces: a cable thrown at another one and at a floor, one end of it led; a third is held while they take theirs."""
    scene = hung(2, 1, "coloured")
    scene["method"] = STAGED
    scene["time"] = {"duration": 0.01, "frame_rate": 100, "substeps": 1, "max_substeps": 2}
    scene["cables"].append({"name": "b", "material": "wire", "path": [[0.25, -0.25, 2.1], [0.25, 0.25, 2.1]], "segments": 2,
                            "velocity": [0, 0, -20]})
    scene["cables"].append({"name": "far", "material": "wire", "path": [[9, 0, 3], [9.2, 0, 3]], "segments": 2})
    scene["attachments"] = [{"cable": "a", "at": "start", "to": {"keyframes": [[0, 0, 0, 2], [1, 0, 0, 3]]}}]
    scene["colliders"] = [{"shape": "plane", "point": [0, 0, 1.95], "normal": [0, 0, 1]}]
    scene["contact"] = {"cables": True, "self": False}
    return scene


def far():
    """Cables by the direct method far from one another, from a mesh and from a floor: frames in lanes although contact is on."""
    scene = hung(3, 2, "auto")
    scene["method"]["name"] = "direct"
    scene["time"]["duration"] = 0.03
    scene["cables"][0]["copies"]["spacing"] = [10, 0, 0]
    scene["attachments"][0]["cable"] = "a[0,0,0]"
    scene["colliders"] = [{"shape": "plane", "point": [0, 0, -5], "normal": [0, 0, 1]},
                          {"shape": "mesh", "file": "wedge.obj", "center": [5, 0, -3]}]
    scene["contact"] = {"cables": True, "self": True}
    return scene


def curved():
    """A cable on a floor that may touch itself and is not straight: what is looked at part by part before a frame in lanes."""
    scene = side_by_side("direct", 1e-4, False)
    scene["method"]["way"] = "auto"
    scene["time"].update(duration=0.05, substeps=1, max_substeps=0)
    scene["attachments"] = []
    scene["cables"] = [{"name": "a", "material": "wire", "segments": 9,
                        "path": [[0, 0, 0.01], [0.3, 0, 0.01], [0.3, 0.3, 0.01], [0, 0.3, 0.01]]}]
    scene["colliders"] = [{"shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]}]
    scene["contact"] = {"cables": False, "self": True}
    return scene


def near_pieces():
    """A cable that falls onto a box and across a bar that comes towards it, in pieces; another one, held in a cylinder that moves, is
    drawn along a floor."""
    scene = near(False)
    scene["time"].update(duration=0.03, max_substeps=16)
    scene["cables"] = [
        {"name": "a", "material": "wire", "path": [[0, 0, 0.08], [0.2, 0, 0.08]], "segments": 4, "velocity": [0, 0, -1.5]},
        {"name": "b", "material": "wire", "path": [[0, 1, 0.01], [0.2, 1, 0.01]], "segments": 5}]
    scene["attachments"] = [{"cable": "b", "at": "start", "to": {"collider": "drum"}}]
    scene["colliders"] = [
        {"shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]},
        {"shape": "box", "center": [0.1, 0, -0.03], "half_extents": [0.05, 0.1, 0.05]},
        {"shape": "capsule", "from": [0.17, -0.1, 0], "to": [0.17, 0.1, 0], "radius": 0.02,
         "keyframes": [[0, 0, 0, 0], [0.1, 0, 0, 0.02]]},
        {"name": "drum", "shape": "cylinder", "from": [0, 0.98, 0.01], "to": [0, 1.02, 0.01], "radius": 0.008,
         "keyframes": [[0, 0, 0, 0], [0.1, 0.003, 0, 0]]}]
    return scene


def near(mixed):
    """Cables that lie on a floor, across a bar and a ball, in lanes from the second frame on: more than a tile has lanes, or of
    two lengths, of which one is so fast near the ball that the frame is computed anew, stage by stage."""
    scene = side_by_side("direct", 1e-4, False)
    scene["method"]["way"] = "auto"
    scene["time"].update(duration=0.04, substeps=1, max_substeps=0)
    scene["attachments"] = []
    scene["cables"][0].update(path=[[0, 0, 0.01], [0.2, 0, 0.01]], segments=2)
    if mixed:
        scene["cables"][0]["copies"]["count"] = [1, 1, 1]
        scene["cables"].append({"name": "b", "material": "wire", "path": [[0, -1, 0.3], [0.2, -1, 0.3]], "segments": 3,
                                "velocity": [0, 0, -8]})
        scene["attachments"] = [{"cable": "a", "at": "start", "to": {"keyframes": [[0, 0, 0, 0.01], [1, 0, 0, 0.02]]}}]
    scene["colliders"] = [{"shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]},
                          {"shape": "capsule", "from": [0.03, -2, -0.01], "to": [0.03, 2, -0.01], "radius": 0.01},
                          {"shape": "sphere", "center": [0.1, -1, 0.16], "radius": 0.02}]
    return scene


def side_by_side(method, bending, mixed):
    """More cables than a tile has lanes on any device, and some to spare; with `mixed` of two lengths, clamped, one led."""
    scene = {
        "clcable": 1,
        "time": {"duration": 0.01, "frame_rate": 100, "substeps": 2},
        "method": {"name": method, "way": "lanes"},
        "materials": {"wire": {**WIRE, "bending_stiffness": bending}},
        "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 2], [1, 0, 2]], "segments": 5,
                    "copies": {"count": [1, 17, 1], "spacing": [0, 0.1, 0]}}],
        "attachments": [{"cable": "a", "at": "start", "to": "here", "clamp": mixed}],
        "contact": {"cables": False, "self": False},
    }
    if mixed:
        scene["cables"].append({"name": "b", "material": "wire", "path": [[0, -1, 2], [1, -1, 2]], "segments": 3})
        scene["attachments"].append({"cable": "b", "at": "start",
                                     "to": {"keyframes": [[0, 0, -1, 2], [1, 0, -1, 3]]}})
        scene["loads"] = [{"cable": "b", "at": "end", "mass": 0.01, "force": [0, 0, -1]}]
    return scene


def directed():
    """Three segments, flat and curled, that yield between two clamps, one of which can break."""
    material = {"radius": 0.01, "linear_density": 0.1, "bending_stiffness": [1e-2, 1e-3], "twisting_stiffness": 1e-3,
                "rest_shape": "path", "yield_curvature": 2}
    return {"clcable": 1, "method": "direct", "time": {"duration": 1 / 60, "substeps": 2},
            "materials": {"wire": material},
            "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 0], [0.2, 0, 0.05], [0.4, 0, 0]],
                        "segments": 4, "section_axis": [0, 1, 1]}],
            "attachments": [{"cable": "a", "at": "start", "to": "here", "clamp": True, "roll": [[0, 0], [1, 2]]},
                            {"cable": "a", "at": 0.5, "to": "here", "clamp": True, "break_force": 1e6}]}


def bodied():
    """A cable clamped to one body and to another, each on a bearing with a motor or friction, that lies on a third one, and under another cable; two
    more bodies touch each other, and one plugs into another one that touches it."""
    box = {"shape": "box", "center": [0, 0, 0], "half_extents": [0.02, 0.02, 0.02]}
    hinge = {"point": [0, 0, 0.05], "axis": [0, 1, 0], "motor": {"speed": 1, "torque": 1}}
    rod = {"name": "c", "position": [0.2, 0, -0.02], "density": 500, "motion": {"ball": {"point": [0.2, 0, -0.1]}},
           "shapes": [{"shape": "cylinder", "from": [0, -0.1, 0], "to": [0, 0.1, 0], "radius": 0.01}]}
    return {"clcable": 1, "method": "direct", "time": {"duration": 1 / 60, "substeps": 2},
            "materials": {"wire": {"radius": 0.01, "linear_density": 0.1, "bending_stiffness": 1e-3, "twisting_stiffness": 1e-3}},
            "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 0], [0.4, 0, 0]], "segments": 4},
                       {"name": "over", "material": "wire", "path": [[0.1, -0.1, 0.019], [0.1, 0.1, 0.019]], "segments": 2}],
            "bodies": [{"name": "a", "position": [0, 0, 0], "mass": 1, "shapes": [box], "motion": {"hinge": hinge}},
                       {"name": "b", "position": [0.4, 0, 0], "mass": 1, "shapes": [box], "motion": {"slider": {"axis": [1, 0, 0], "friction": 1}}}, rod,
                       *({"name": n, "position": [1, 0, z], "mass": 1, "shapes": [box]} for n, z in (("d", 0.02), ("e", 0.06), ("f", 0.098)))],
            "sockets": [{"name": "X1", "plug": {"body": "f", "point": [0, 0, -0.02], "axis": [0, 0, -1]},
                         "to": {"body": "e", "point": [0, 0, 0], "axis": [0, 0, -1]}, "depth": 0.02, "friction": [[0, 1], [0.02, 2]]}],
            "colliders": [{"shape": "sphere", "center": [0.1 * k, 0, 5], "radius": 0.02} for k in range(9)],  # so many that stretches choose
            "attachments": [{"cable": "a", "at": "start", "to": {"body": "a"}, "clamp": True}, {"cable": "a", "at": "end", "to": {"body": "b"}, "clamp": True}]}


def coupled():
    """A stiff cable that is curved at rest and held at one end, on a plane and under another cable: bending and lengths in one system."""
    return {"clcable": 1, "method": {"name": "direct", "bending": "coupled"}, "time": {"duration": 1 / 60, "substeps": 2},
            "materials": {"wire": {"radius": 0.01, "linear_density": 0.1, "bending_stiffness": 0.1, "rest_shape": "path"}},
            "cables": [{"name": "a", "material": "wire", "path": [[0, 0, 0.01], [0.2, 0.1, 0.01], [0.4, 0, 0.01]], "segments": 6},
                       {"name": "b", "material": "wire", "path": [[0.2, 0, 0.029], [0.2, 0.2, 0.029]], "segments": 2}],
            "attachments": [{"cable": "a", "at": "start", "to": "here"}],
            "loads": [{"cable": "a", "at": "end", "force": [0, 0, -0.1]}],
            "colliders": [{"shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]}]}


def viscous(way, mixed):
    """Cables whose bending is damped, clamped at both ends where `mixed`."""
    scene = side_by_side("direct", 1e-4, mixed)
    scene["method"]["way"] = way
    scene["materials"]["wire"]["bending_damping"] = 0.01
    if mixed:
        scene["attachments"].append({"cable": "a", "at": "end", "to": "here", "clamp": True})
    if way == "staged":
        scene["cables"][0]["copies"]["count"] = [1, 2, 1]
    return scene


def twisted(way):
    """Cables between clamps, one of which rolls; stage by stage its force is measured, too, and each cable has a second one at its end, which
    runs towards it."""
    scene = side_by_side("direct", 1e-4, True)
    scene["method"]["way"] = way
    scene["materials"]["wire"]["twisting_stiffness"] = 1e-4
    start = next(a for a in scene["attachments"] if a["cable"] == "a")
    start["clamp"] = True
    end = {"cable": "a", "at": "end", "to": "here", "clamp": True, "roll": [[0, 0], [1, 2]]}
    if way == "staged":
        end |= {"break_force": 1e6, "cable": "t", "at": "start"}
        scene["cables"][0]["copies"]["count"] = [1, 2, 1]
        scene["cables"].append({**scene["cables"][0], "name": "t", "path": [[1.5, 0, 2], [1, 0, 2]], "segments": 3})
        scene["attachments"].append({"cable": "t", "at": "end", "to": {"cable": "a", "at": "end"}, "clamp": True})
    scene["attachments"].append(end)
    return scene


# The thesis' ways of contact: a model of friction, and looking only where a substep ends. Capsules that get thinner. Without
# sweeps many segments and long steps are affordable: lists of more than a block, and much that breaks, slips, lies inside.
DISCRETE = everything(8, 100, 2, materials={"wire": {**WIRE, "stretching_stiffness": 10, "volume": "constant"}},
                      contact={"friction_model": "threshold", "detection": "discrete"})


def relaxed(name, bending, **keys):
    """Two joined cables, one held: lengths, double ones too, by another method."""
    scene = hung(6, 1, "coloured")
    scene["method"] = {"name": name, "double_distance": True, **keys}
    scene["materials"]["wire"] = {**WIRE, "bending_stiffness": bending}
    scene["cables"].append({"name": "b", "material": "wire", "path": [[1, 0, 2], [1, 0, 1]], "segments": 5})
    scene["attachments"].append({"cable": "b", "at": "start", "to": {"cable": "a", "at": "end"}})
    return scene


def chunks(**method):
    """Two cables in chunks of 8 particles, one held at both ends."""
    scene = hung(19, 2, "chunks")
    scene["method"].update(chunks=2, **method)
    scene["attachments"].append({"cable": "a[1,0,0]", "at": "end", "to": "here"})
    return scene


def sheet(method):
    """A cloth on a sphere, sewn to a cable that touches it."""
    return {
        "clcable": 1,
        "time": {"duration": 0.02, "frame_rate": 100, "substeps": 2},
        "method": method,
        "materials": {"wire": {**WIRE, "bending_stiffness": 0, "stretching_stiffness": None}},
        "cables": [{"name": "a", "material": "wire", "path": [[-0.1, -0.1, 0.2], [-0.1, 0.15, 0.215]], "segments": 4}],
        "sheets": [{"name": "s", "material": "wire", "corner": [-0.1, -0.1, 0.2], "along": [0.2, 0, 0],
                    "across": [0, 0.2, 0], "count": [4, 4], "diagonals": "both", "area_density": 1}],
        "attachments": [{"cable": "a", "at": "start", "to": {"sheet": "s", "at": {"corner": [0, 0]}}},
                        {"sheet": "s", "at": {"corner": [1, 1]}, "to": "here"}],
        "colliders": [{"shape": "sphere", "center": [0, 0, 0.1], "radius": 0.09}],
    }


def resting(method):
    """Two cables across one another that sleep from the third frame on; a third comes along, slowly, and wakes them."""
    return {
        "clcable": 1,
        "gravity": [0, 0, 0],
        "time": {"duration": 2, "frame_rate": 2, "substeps": 2},
        "method": method,
        "materials": {"wire": WIRE},
        "cables": [
            {"name": "a", "material": "wire", "path": [[-0.2, 0, 0], [0.2, 0, 0]], "segments": 4},
            {"name": "b", "material": "wire", "path": [[0, -0.2, 0.0205], [0, 0.2, 0.0205]], "segments": 4},
            {"name": "c", "material": "wire", "path": [[0.1, -0.2, 0.085], [0.1, 0.2, 0.085]], "segments": 4,
             "velocity": [0, 0, -0.019]}
        ],
        "attachments": [{"cable": "a", "at": "start", "to": "here"}],
        "loads": [{"cable": "b", "at": "end", "mass": 0.01}],
        "colliders": [{"name": "floor", "shape": "plane", "point": [0, 0, -0.01], "normal": [0, 0, 1]}],
        "contact": {"sleep": True},
    }


def own(constraints):
    """Constraints of the user's own."""
    scene = hung(9, 1, "coloured")
    scene["time"]["iterations"] = 2
    scene["constraints"] = [{"cable": "a", **constraint} for constraint in constraints]
    return scene


def fed():
    """A cable that bends comes off a led drum and goes back onto it, beside another and over a floor."""
    scene = hung(6, 1, "coloured")
    scene["time"].update(duration=0.02, substeps=2)
    scene["cables"][0]["feed"] = {"at": "start", "stored": 0.4,
                                  "keyframes": [[0, 0], [0.01, 0.15], [0.02, 0]]}
    scene["cables"].append({"name": "b", "material": "wire", "path": [[0.3, -0.2, 2.02], [0.3, 0.2, 2.02]], "segments": 2})
    scene["colliders"] = [{"shape": "plane", "point": [0, 0, 1.995], "normal": [0, 0, 1]}]
    scene["contact"] = {"cables": True, "self": True}
    return scene


def particles(way, solver):
    """Under Lagrange multipliers: each force and constraint, two constraints that contradict each other, a hand."""
    return {"clcable": 1, "particles": {
        "time": {"duration": 0.02, "frame_rate": 100, "steps": 1},
        "settings": {"way": way, "solver": solver, "integrator": "midpoint-verlet"},
        "particles": [{"position": [0, 0]}, {"position": [2, 0]}, {"position": [4, 0]}, {"position": [6, 0]}],
        "forces": [{"kind": "spring", "particles": [0, 1], "stiffness": 3, "damping": 1},
                   {"kind": "expression", "fx": "min(vx, -y) + sin(t)/m"},
                   *({"kind": f"angle-{k}", "particles": [0, 1, 2], "stiffness": 2, "damping": 1, "angle": 90}
                     for k in ("goal", "energy", "atan2"))],
        "constraints": [{"kind": "point", "particles": [0]}, {"kind": "point", "particles": [0], "point": [1, 0]},
                        {"kind": "circle", "particles": [1], "point": [1, 0], "length": 1},
                        {"kind": "circle-squared", "particles": [2], "point": [3, 0], "length": 1},
                        {"kind": "ellipse", "particles": [3], "point": [4, 0], "point2": [5, 0], "length": 3},
                        {"kind": "line", "particles": [3], "point": [6, 0], "direction": [1, 0]},
                        {"kind": "n-ellipse", "particles": [2], "foci": [[3, 0], [2, 1], [2, -1]]},
                        {"kind": "rod-squared", "particles": [1, 2]}],
        "chains": [{"from": [0, 3], "to": [1, 3], "links": 3, "fixed": "start"}],
        "hands": [{"particle": 1, "point": [1, 1], "stiffness": 5}],
    }}


BENT = {"stencil": [0, 1, 2], "type": "inequality", "expression": "rest/0.3 - length(p2 - 2*p1 + p0)/rest"}
ABOVE = {"stencil": [0], "type": "inequality", "origin": [0, 0, 1], "expression": "p0.z - 0.9 + 0.1*sin(9*p0.x)"}
LONG = {"stencil": [0, 1, 2, 3, 4, 5, 6, 7], "compliance": 1e-3,
        "expression": "angle(p7 - p6, p1 - p0) + max(acos(unit(p3 - p2).z), p5.z - p4.z)"}

def planar(pinch):
    """Every stage: a ball falls on a wrapped wheel, a box on a reel, a cable is caught by a peg, another slides."""
    return {
        "clcable": 1,
        "planar": {
            "time": {"duration": 0.05, "frame_rate": 100, "substeps": 2},
            "pinch": pinch,
            "bodies": [
                {"name": "wheel", "motion": "axle", "radius": 0.1, "cable_friction": 0.1},
                {"name": "left", "position": [-0.105, -0.3], "box": [0.05, 0.05], "mass": 1},
                {"name": "right", "position": [0.105, -0.3], "radius": 0.05, "mass": 3},
                {"name": "ball", "position": [0, 0.25], "velocity": [0, -4], "radius": 0.1, "restitution": 0.5},
                {"name": "reel", "motion": "axle", "position": [1, 0], "radius": 0.1, "motor": {"speed": 5, "torque": 9}},
                {"name": "crate", "position": [1.105, -0.3], "box": [0.1, 0.1], "velocity": [3, 0]},
                {"name": "peg", "motion": "static", "position": [1.18, -0.12], "box": [0.02, 0.02]},
            ],
            "cables": [
                {"name": "a", "links": [{"body": "left", "point": [0, 0.05]}, {"body": "wheel", "spin": -1},
                                        {"body": "right", "point": [0, 0]}]},
                {"name": "b", "links": [{"body": "reel", "spin": -1, "stored": 0.01}, {"body": "crate", "point": [0, 0.1]}]},
                {"name": "c", "links": [{"point": [-0.5, 0.2]}, {"body": "wheel", "spin": 1}, {"point": [0.5, 0.2]}]},
            ],
        },
    }


def planar_rest():
    """A box falls asleep and is woken by a ball, cables hang slack on a floor, a reel's turns lie on each other."""
    return {
        "clcable": 1,
        "planar": {
            "time": {"duration": 1.6, "frame_rate": 10, "substeps": 2, "iterations": 1},
            "sleep": True,
            "slack_pieces": 4,
            "bodies": [
                {"name": "floor", "motion": "static", "position": [0, -1], "box": [3, 0.5]},
                {"name": "crate", "position": [0, -0.4], "box": [0.1, 0.1]},
                {"name": "ball", "position": [-1.65, -0.4], "radius": 0.1, "velocity": [1, 0], "gravity": 0, "cables": False},
                {"name": "reel", "motion": "axle", "position": [1, 0], "radius": 0.1, "motor": {"speed": 2, "torque": 9}},
                {"name": "peg", "motion": "static", "position": [2, -0.45], "radius": 0.05},
            ],
            "cables": [
                {"name": "slack", "length_factor": 2, "links": [{"point": [1.8, 0]}, {"point": [2.2, 0]}]},
                {"name": "spool", "links": [{"body": "reel", "spin": -1, "stored": 1, "thickening": True}, {"point": [1.1, -0.3]}]},
                {"name": "still", "links": [{"point": [-2, 0]}, {"point": [-1, 0]}]},
            ],
        },
    }


SCENES = {
    "discrete": DISCRETE,
    "sheet": sheet({"name": "xpbd", "double_distance": True}),
    "sheet-jacobi": {**sheet("jacobi"), "contact": {"touching": "particles-after"}},
    "apart": APART,
    "chunks": chunks(seam="shift"),
    "chunks-double": chunks(double_distance=True),
    "crossed": crossed(),
    "spans": spans(),
    "span-frames": span_frames(),
    "nets": nets(),
    "thrown": thrown(),
    "loaded": loaded(),
    "direct": everything(4, 500, 1, method=STAGED),
    "direct-discrete": everything(8, 100, 2, method=STAGED, contact={"detection": "discrete"}),
    "everything": everything(4, 500, 1),
    "jacobi": relaxed("jacobi", 0, tolerance=1e-9, stretch_tolerance=1e-9, distance_kind="at_most"),
    "pbd": relaxed("pbd", 0, stiffness=0.5, approximate_root=True, double_kind="at_least"),
    "springs": relaxed("springs", 1e-6, spring_stiffness=10, spring_damping=0.01, double_compliance=0.1),
    "stiff-springs": relaxed("stiff-springs", 0),
    "lanes": side_by_side("direct", 0, False),
    "lanes-bending": side_by_side("direct", 1e-4, False),
    "lanes-mixed": side_by_side("direct", 1e-4, True),
    "xpbd-lanes": side_by_side("xpbd", 0, False),
    "xpbd-lanes-bending": side_by_side("xpbd", 1e-4, False),
    "xpbd-lanes-mixed": side_by_side("xpbd", 1e-4, True),
    "twist": twisted("lanes"),
    "twist-staged": twisted("staged"),
    "directors": directed(),
    "bodies": bodied(),
    "coupled": coupled(),
    "viscous": viscous("lanes", False),
    "viscous-mixed": viscous("lanes", True),
    "viscous-staged": viscous("staged", True),
    "far": far(),
    "curved": curved(),
    "near": near(False),
    "near-mixed": near(True),
    "near-pieces": near_pieces(),
    "branches": branches_side_by_side(),
    "feed": fed(),
    "fused": hung(7, 2, "fused"),
    "sleep": resting("xpbd"),
    "sleep-direct": resting("direct"),
    "own": own([BENT, ABOVE, LONG]),
    "planar": planar("full"),
    "planar-off": planar("off"),
    "planar-rest": planar_rest(),
    "own-alone": own([ABOVE]),  # one colour: nothing to be merged into one launch
    "particles-fused": particles("fused", "pcg"),
    "particles-staged": particles("staged", "pcg"),
    "particles-cholesky": particles("staged", {"name": "pcg", "preconditioner": "incomplete-cholesky"}),
    "particles-jacobi": particles("staged", {"name": "jacobi", "iterations": 3}),
    "launches": hung(70, 1, "coloured"),  # colours too large to be merged into one launch
}
if "CLCABLE_NO_STUDIES" in os.environ:  # in a build without them
    SCENES = {name: scene for name, scene in SCENES.items() if not name.startswith(("planar", "particles"))}
# Pieces of a substep get up to 256 times the iterations by xpbd, and two frames 31,728 launches; "thrown", "feed" and those by direct have them.
SCENES["everything"]["time"]["max_substeps"] = 0

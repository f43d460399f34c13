#!/usr/bin/env python3
"""Checks that scenes/scene.schema.json and the reader agree.

    test_schema.py SCENES_FOLDER CLCABLE

All scenes of the folder must satisfy both; then a list of good and bad documents is shown to both. Faults that a
schema cannot express (unknown names, times that do not increase) are the reader's alone and listed apart.
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

EXIT_INPUT = 2
MISSING = object()

BASE = {
    "clcable": 1,
    "gravity": [0, 0, -9.81],
    "time": {"duration": 0.1, "frame_rate": 60, "substeps": 2, "iterations": 1},
    "method": {"name": "xpbd"},
    "materials": {"m": {"radius": 0.01, "linear_density": 1}},
    "cables": [
        {"name": "a", "material": "m", "path": [[0, 0, 1], [1, 0, 1]], "segments": 8},
        {"name": "b", "material": "m", "path": [[1, 0, 1], [2, 0, 1]], "segments": 8},
    ],
    "attachments": [{"cable": "a", "at": "start", "to": "here"}],
    "loads": [{"cable": "a", "at": 0.5, "mass": 0.1}],
    "colliders": [{"name": "floor", "shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]}],
    "contact": {"cables": True, "self": True},
}
M, C, A, L, K, S = "/materials/m", "/cables/0", "/attachments/0", "/loads/0", "/colliders/0", "/sheets/0"
CLOTH = {**BASE, "sheets": [{"name": "s", "material": "m", "corner": [5, 0, 1], "along": [1, 0, 0],
                             "across": [0, 1, 0], "count": [3, 3]}]}
STICKS = {"name": "s", "material": "m", "points": [[5, 0, 1], [6, 0, 1]], "sticks": [[0, 1]]}
PINNED = {"sheet": "s", "at": {"particle": 0}, "to": "here"}
# With constraints of one's own, which only xpbd has.
OWN = {**BASE, "constraints": [{"cable": "a", "stencil": [0, 1], "expression": "length(p1 - p0) - rest"}]}
O = "/constraints/0"
SPHERE = {"shape": "sphere", "center": [0, 0, -3], "radius": 0.5}
CAPSULE = {"shape": "capsule", "from": [0, 0, -3], "to": [0, 1, -3], "radius": 0.5}
CLIP = {"cable": "b", "at": 0.5, "to": "here"}
PLUG = {"cable": "b", "at": "end", "to": [2, 0, 1], "direction": [1, 0, 0]}
SHEAVE = {"shape": "sheave", "from": [0, 0, 0], "to": [0, 0, 0.1], "radius": 0.01, "groove": 0.003, "flange": 0.02}
BOX = {"shape": "box", "center": [0, 0, -3], "half_extents": [1, 1, 1]}

PARTS = [
    (C + "/length_tolerance", 0.02),
    (C + "/velocity", [0, 1, 0]),
    (C + "/segments", [0.1, 0.2, 0.3, 0.4]),
    (C + "/places", [0, 0.3, 0.5, 1]),
    (C + "/velocity", [[0, 0.1 * i, 0] for i in range(9)]),
    (C + "/velocity", {"along": [[0, 0, 0, 0], [0.5, 0, 0, 1]]}),
    (C + "/velocity", {"path": [[0, 0, 1.1], [1, 0, 1]], "before": 0.01}),
    ("/ties", [{"name": "t", "cables": ["a", "b"], "at": 0.5, "radius": 0.05}]),
    ("/ties", [{"cables": ["a", "b"], "from": "start", "to": {"particle": 3}}]),
    (C + "/materials", []),
    (C + "/materials", [{"from": 0, "to": 0.5, "material": "m"}, {"from": 0.25, "to": 1, "material": "m", "instead": True}]),
    ("/probes", []),
    ("/probes", [{"name": "p", "cable": "a", "at": 0.3}, {"name": "q", "cable": "b", "at": {"particle": 8}},
                 {"name": "r", "cable": "b", "at": "end"}]),
    ("/clips", []),
    ("/clips", [CLIP]),
    ("/clips", [{**CLIP, "name": "c", "direction": [0, 0, 1], "play": 1e-3, "friction": 0.2, "grip": 3, "travel": 0,
                 "holding_force": 50, "clamp": True, "compliance": 1e-5, "to": {"collider": "floor", "point": [0, 0, 0]}}]),
    ("/connectors", [PLUG]),
    ("/connectors", [{**PLUG, "name": "X1", "mass": 0.02, "insertion_depth": 0.02, "capture_radius": 0.01,
                      "pull_out_force": 40, "clamp": True, "keyframes": [[0, 2, 0, 1], [1, 2.1, 0, 1]], "compliance": 1e-4}]),
    (A + "/to", {"collider": "floor", "point": [0, 0, 1]}),
]

# (pointer, value): put into BASE one at a time; MISSING takes the key away.
GOOD = PARTS + [
    ("/notes", ["a", "b"]),
    ("/$schema", "scene.schema.json"),
    ("/gravity", MISSING),
    ("/wind", [1, -2, 0.5]),
    (M + "/air_drag_along", 0.03),
    ("/time", {}),
    ("/time", MISSING),
    ("/time/substeps", 3.0),
    ("/method", "xpbd"),
    ("/method", MISSING),
    ("/method", {"name": "xpbd", "way": "coloured", "double_distance": False, "double_compliance": 0}),
    ("/method", "direct"),
    (L + "/force", {"keyframes": [[0, 0, 0, 1], [1, 0, 0, 2]]}),
    ("/contact", {"friction_model": "threshold", "static_speed": 0.1, "detection": "discrete", "touching": "particles"}),
    ("/contact", {"friction_model": "coulomb", "detection": "swept"}),
    (K + "/keyframes", [[0, 0, 0, 0], [1, 1, 0, 0]]),
    ("/colliders/0", {**BOX, "keyframes": [[1, 0, 0, 0, 0.7, 0.7, 0, 0]]}),
    ("/method", {"name": "direct", "way": "lanes"}),
    ("/method", {"name": "direct", "way": "staged", "contact_passes": 1}),
    ("/method/contact_passes", 3),
    ("/method", {"name": "pbd", "stiffness": 0.5, "double_distance": True, "double_stiffness": 0.1,
                 "dampening": 0.01, "weights": "mass", "approximate_root": True,
                 "tolerance": 1e-6, "stretch_tolerance": 1e-3, "distance_kind": "at_most", "double_kind": "at_least"}),
    ("/method", {"name": "pbd", "stiffness": 0.5, "corrected_stiffness": True}),
    ("/method", {"name": "springs", "spring_stiffness": 100, "spring_damping": 0.1}),
    ("/method", {"name": "stiff-springs", "weights": "mass"}),
    (M + "/stretching_stiffness", None),
    (M + "/stretching_stiffness", 1000),
    (M + "/bending_stiffness", 0),
    (M + "/twisting_stiffness", 0),
    (M + "/bending_damping", 0),
    (M + "/rest_shape", "path"),
    (M + "/volume", "constant"),
    (M + "/volume", "none"),
    (M + "/min_bend_radius", 0.1),
    (C + "/curve", "catmull-rom"),
    (C + "/length", 1.0),
    (C + "/velocity", [0, 0, 1]),
    (C + "/segments", MISSING),
    (C + "/copies", {"count": [1, 2, 1], "spacing": [0, 1, 0]}),
    (C + "/feed", {"at": "start", "keyframes": [[0, 0]]}),
    (C + "/feed", {"at": "start", "stored": 0.3, "keyframes": [[0, 0], [1, 0.3], [2, -0.2]]}),
    ("/attachments", MISSING),
    ("/loads", []),
    (A + "/at", 0.25),
    (A + "/at", {"particle": 8}),
    (A + "/to", [0, 0, 1]),
    (A + "/to", {"keyframes": [[0, 0, 0, 1], [1, 0, 0, 1.1]]}),
    (A + "/to", {"collider": "floor"}),
    (A, {"cable": "a", "at": "end", "to": {"cable": "b", "at": "start"}, "break_force": 20}),
    (A + "/clamp", True),
    (A, {"cable": "a", "at": "end", "to": "here", "compliance": 1e-3, "release_distance": 0.01, "break_force": 5}),
    (A + "/compliance", 0),
    (L + "/force", [0, 0, -1]),
    (L, {"cable": "a", "at": "end", "moment": [0, 1, 0]}),
    ("/colliders", [SPHERE, CAPSULE, BOX, {**CAPSULE, "shape": "cylinder"}, SHEAVE]),
    ("/colliders/1", {**BOX, "name": "box", "rotation": [1, 0, 0, 1], "friction": 0}),
    ("/contact", {"self": False}),
    ("/contact", {"sleep": True}),
    ("/contact", MISSING),
]

BAD = [
    ("/notes", "a"),
    ("/notes", [""]),
    ("/notes", [1]),
    (K + "/keyframes", []),
    (L + "/force", {"keyframes": []}),
    (L + "/force", {"keyframes": [[0, 0, 1]]}),
    (L + "/force", {"keyframes": [[0, 0, 0, 1]], "at": 1}),
    ("/contact", {"friction_model": "viscous"}),
    ("/contact", {"static_speed": 0.1}),
    ("/contact", {"friction_model": "threshold", "static_speed": -1}),
    ("/contact", {"detection": "continuous"}),
    ("/contact", {"touching": "after"}),
    (K + "/keyframes", [[0, 0, 0]]),
    (K + "/keyframes", [[0, 0, 0, 0, 1]]),
    ("/clcable", 2),
    ("/clcable", MISSING),
    ("/cabels", []),
    ("/materials", MISSING),
    ("/materials", []),
    ("/materials/", {"radius": 0.01, "linear_density": 1}),
    ("/cables", MISSING),
    ("/cables", []),
    ("/gravity", [0, 0]),
    ("/gravity", [0, 0, 1e300]),
    ("/gravity", [0, 0, "1"]),
    ("/time/duration", 0),
    ("/time/frame_rate", -1),
    ("/time/substeps", 2.5),
    ("/time/substeps", 100001),
    ("/time/iterations", 0),
    ("/time/fps", 60),
    ("/wind", [1, 2]),
    (M + "/air_drag_along", -1),
    ("/method", "xpdb"),
    ("/method", 1),
    ("/method", {"way": "fused"}),
    ("/method/way", "fast"),
    ("/method/contact_passes", 101),
    ("/method/stiffness", 0),
    ("/method/weights", "heavy"),
    ("/method/distance_kind", 1),
    ("/method/double_distance", 1),
    (M + "/radius", 0),
    (M + "/radius", MISSING),
    (M + "/linear_density", MISSING),
    (M + "/linear_density", True),
    (M + "/stretching_stiffness", 0),
    (M + "/bending_stiffness", -1),
    (M + "/bending_stiffness", None),
    (M + "/bending_damping", -1),
    (M + "/friction", -0.1),
    (M + "/rest_shape", "curl"),
    (M + "/volume", "free"),
    (M + "/colour", "red"),
    (C + "/name", ""),
    (C + "/name", MISSING),
    (C + "/material", MISSING),
    (C + "/path", [[0, 0, 0]]),
    (C + "/path", MISSING),
    (C + "/path/1", [1, 0, 0, 0]),
    (C + "/curve", "bezier"),
    (C + "/segments", 0),
    (C + "/segments", 1000001),
    (C + "/length", 0),
    (C + "/length", None),
    (C + "/copies", {"count": [1, 2, 1]}),
    (C + "/feed", {"keyframes": [[0, 0]]}),
    (C + "/feed", {"at": "start"}),
    (C + "/feed", {"at": "start", "keyframes": []}),
    (C + "/feed", {"at": "start", "keyframes": [[0, 0, 0]]}),
    (C + "/feed", {"at": 0.5, "keyframes": [[0, 0]]}),
    (C + "/feed", {"at": "start", "keyframes": [[0, 0]], "stored": -1}),
    (C + "/feed", {"at": "start", "keyframes": [[0, 0]], "speed": 1}),
    (C + "/copies", {"count": [1, 2], "spacing": [0, 1, 0]}),
    (C + "/copies", {"count": [1, 0, 1], "spacing": [0, 1, 0]}),
    (A + "/cable", MISSING),
    (A + "/at", MISSING),
    (A + "/at", "middle"),
    (A + "/at", 1.01),
    (A + "/at", {"particle": -1}),
    (A + "/at", {}),
    (A + "/to", MISSING),
    (A + "/to", "there"),
    (A + "/to", [0, 0]),
    (A + "/to", {}),
    (A + "/to", {"cable": "b"}),
    (A + "/to", {"cable": "b", "at": "end", "collider": "floor"}),
    (A + "/to", {"keyframes": []}),
    (A + "/to", {"keyframes": [[0, 0, 0]]}),
    (A + "/clamp", "yes"),
    (A, {"cable": "a", "at": "end", "to": "here", "roll": 1}),
    (A, {"cable": "a", "at": "end", "to": "here", "clamp": True, "roll": "held"}),
    (A, {"cable": "a", "at": "end", "to": "here", "clamp": True, "roll": []}),
    (A, {"cable": "a", "at": "end", "to": "here", "clamp": True, "roll": [[0, 0, 0]]}),
    (A, {"cable": "a", "at": "end", "to": "here", "clamp": True, "roll": 1e7}),
    (A + "/break_force", 0),
    (A + "/compliance", -1),
    (A + "/compliance", "soft"),
    (A + "/release_distance", 0.01),  # hard attachments keep their place
    (A, {"cable": "a", "at": "end", "to": "here", "compliance": 1e-3, "release_distance": 0}),
    (L + "/mass", -1),
    (L + "/weight", 1),
    (K + "/shape", "cone"),
    (K + "/shape", MISSING),
    (K + "/normal", MISSING),
    (K + "/radius", 1),
    (K + "/friction", -1),
    ("/colliders/1", {**SPHERE, "radius": 0}),
    ("/colliders/1", {"shape": "capsule", "from": [0, 0, 0], "radius": 1}),
    ("/colliders/1", {**BOX, "half_extents": [1, 1, 0]}),
    ("/colliders/1", {"shape": "cylinder", "from": [0, 0, 0], "radius": 1}),
    ("/colliders/1", {**BOX, "rotation": [1, 0, 0]}),
    ("/contact/self", 0),
    ("/contact/sleep", "yes"),
    ("/contact/walls", True),
    (C + "/materials", [{"from": 0, "to": 2, "material": "m"}]),
    (C + "/materials", [{"from": 0, "material": "m"}]),
    (C + "/materials", [{"from": 0, "to": 1, "material": "m", "over": True}]),
    (C + "/length_tolerance", -0.6),
    ("/probes", {}),
    ("/probes", [{"cable": "a", "at": 0.3}]),
    ("/probes", [{"name": "", "cable": "a", "at": 0.3}]),
    ("/probes", [{"name": "p", "at": 0.3}]),
    ("/probes", [{"name": "p", "cable": "a"}]),
    ("/probes", [{"name": "p", "cable": "a", "at": 1.1}]),
    ("/probes", [{"name": "p", "cable": "a", "at": "middle"}]),
    ("/probes", [{"name": "p", "cable": "a", "at": 0.3, "force": 1}]),
    (C + "/segments", []),
    (C + "/segments", [0.5, 0]),
    (C + "/segments", [[0.5], [0.5]]),
    (C + "/places", []),
    (C + "/places", 0.5),
    (C + "/places", [0.5, 1.5]),
    (C + "/velocity", []),
    (C + "/velocity", [[0, 0], [0, 1]]),
    (C + "/velocity", [[0, 0, 0], 1]),
    (C + "/velocity", {}),
    (C + "/velocity", {"along": []}),
    (C + "/velocity", {"along": [[0, 0, 0]]}),
    (C + "/velocity", {"along": [[-0.5, 0, 0, 0]]}),
    (C + "/velocity", {"along": [[0, 0, 0, 0]], "before": 1}),
    (C + "/velocity", {"path": [[0, 0, 1.1], [1, 0, 1]]}),
    (C + "/velocity", {"path": [[0, 0, 1.1]], "before": 1}),
    (C + "/velocity", {"path": [[0, 0, 1.1], [1, 0, 1]], "before": 0}),
    ("/ties", [{"cables": ["a", "b"]}]),
    ("/ties", [{"cables": ["a"], "at": 0.5}]),
    ("/ties", [{"cables": ["a", "a"], "at": 0.5}]),
    ("/ties", [{"cables": ["a", "b"], "at": 0.5, "to": "end"}]),
    ("/ties", [{"cables": ["a", "b"], "at": 0.5, "radius": 0}]),
    ("/clips", {}),
    ("/clips", [{"cable": "b", "at": 0.5}]),
    ("/clips", [{**CLIP, "play": -1}]),
    ("/clips", [{**CLIP, "grip": "firm"}]),
    ("/clips", [{**CLIP, "holding_force": 0}]),
    ("/clips", [{**CLIP, "compliance": 0}]),
    ("/clips", [{**CLIP, "break_force": 5}]),
    ("/clips", [{**CLIP, "to": {"cable": "a", "at": 0.5}}]),
    ("/connectors", [{**PLUG, "at": 0.5}]),
    ("/connectors", [{**PLUG, "to": {"keyframes": [[0, 0, 0, 1]]}}]),
    ("/connectors", [{**PLUG, "mass": -1}]),
    ("/connectors", [{**PLUG, "keyframes": []}]),
    ("/connectors", [{**PLUG, "clamp": True}]),
    ("/connectors", [{"cable": "b", "at": "end", "to": [2, 0, 1]}]),
]

# Right for the schema; only the reader can know.
READER_ONLY = [
    (C + "/segments", [0.5, 0.4]),  # not as long as the cable
    (C + "/places", [0.5, 0.5]),
    (C + "/places", [0.1 * i for i in range(1, 10)]),  # more than segments
    (C + "/velocity", [[0, 0, 0], [0, 1, 0]]),  # not as many as particles
    (C + "/velocity", {"along": [[0.5, 0, 0, 0], [0.5, 0, 0, 1]]}),
    (C + "/velocity", {"path": [[0, 0, 1], [0, 0, 1]], "before": 1}),
    (C + "/materials", [{"from": 0.5, "to": 0.5, "material": "m"}]),
    (C + "/materials", [{"from": 0.5, "to": 0.6, "material": "none"}]),
    ("/clips", [{**CLIP, "direction": [0, 0, 0], "cable": "none"}]),
    ("/clips", [CLIP, CLIP]),
    ("/connectors", [{**PLUG, "direction": [0, 0, 0]}]),
    (C + "/feed", {"at": "end", "keyframes": [[0, 0]]}),  # held by nothing
    (C + "/feed", {"at": "start", "keyframes": [[0, 0], [0, 0.1]]}),
    (C + "/feed", {"at": "start", "keyframes": [[0, 0], [1, 0.1]]}),
    (C + "/feed", {"at": "start", "keyframes": [[0, 0], [1, -0.6]]}),  # past a load
    (C + "/material", "unknown"),
    (C + "/name", "b"),
    (C + "/path/1", [0, 0, 1]),
    (K + "/normal", [0, 0, 0]),
    (A + "/to", {"keyframes": [[1, 0, 0, 1], [1, 0, 0, 1]]}),
    (M + "/twisting_stiffness", 1),
    (K + "/keyframes", [[0, 0, 0, 0], [1, 0, 0, 0, 0.7, 0.7, 0, 0]]),
    (K + "/keyframes", [[0, 0, 0, 0], [0, 1, 0, 0]]),
    (K + "/keyframes", [[0, 0, 0, 0, 0, 0, 0, 0]]),
    ("/method", {"name": "xpbd", "stiffness": 0.5}),
    ("/method", "springs"),
    ("/method", {"name": "direct", "double_distance": True}),
    ("/colliders/1", {"shape": "mesh", "file": "missing.obj"}),
    ("/colliders/1", {"shape": "cylinder", "from": [0, 0, -3], "to": [0, 0, -3], "radius": 1}),
]

# The same with a sheet.
CLOTH_GOOD = [
    ("/sheets", MISSING),
    ("/sheets", []),
    (S + "/diagonals", "both"),
    (S + "/area_density", 0.2),
    (S + "/velocity", [0, 0, 1]),
    (S, STICKS),
    (S, {**STICKS, "area_density": 0}),
    (A, PINNED),
    (A, {**PINNED, "clamp": False}),
    (A, {**PINNED, "at": {"corner": [0, 1]}, "to": {"keyframes": [[0, 5, 1, 1]]}}),
    (A, {"sheet": "s", "at": {"particle": 2}, "to": {"collider": "floor"}}),
    (L, {"sheet": "s", "at": {"corner": [1, 1]}, "mass": 0.1, "force": [0, 0, 1], "moment": [0, 0, 0]}),
]

CLOTH_BAD = [
    (S + "/name", MISSING),
    (S + "/count", [3]),
    (S + "/count", [3, 1]),
    (S + "/count", MISSING),
    (S + "/across", MISSING),
    (S + "/diagonals", "two"),
    (S + "/area_density", -1),
    (S + "/sticks", [[0, 1]]),
    (S + "/copies", 2),
    (S, {**STICKS, "sticks": []}),
    (S, {**STICKS, "sticks": [[0, 1, 2]]}),
    (S, {**STICKS, "points": [[0, 0, 0]]}),
    (S, {**STICKS, "diagonals": "one"}),
    (S, {**STICKS, "file": "a.obj"}),
    (S, {"name": "s", "material": "m"}),
    (A, {**PINNED, "cable": "a"}),
    (A, {**PINNED, "at": "start"}),
    (A, {**PINNED, "at": {"corner": [0, 2]}}),
    (A, {**PINNED, "clamp": True}),
    (A, {**PINNED, "break_force": 1}),
    (L, {"sheet": "s", "at": {"corner": [1, 1]}, "moment": [0, 0, 1]}),
]

CLOTH_READER_ONLY = [
    (S + "/name", "a"),
    (S + "/across", [2, 0, 0]),
    (S, {**STICKS, "sticks": [[0, 2]]}),
    (S, {**STICKS, "area_density": 1}),
    (S, {"name": "s", "material": "m", "file": "no such file.obj"}),
    (A, {**PINNED, "at": {"particle": 9}}),
    (A, {**PINNED, "sheet": "t"}),
    (A, {"cable": "a", "at": "end", "to": {"sheet": "s", "at": {"particle": 0}}}),
    ("/method", "direct"),
]

GOOD_OWN = [
    ("/method", "direct"),
    ("/method", "pbd"),
    (O + "/stiffness", 1),
    ("/constraints", []),
    (O + "/name", "lengths"),
    (O, {"cable": "a", "stencil": [0], "expression": "p0.z - 1"}),
    (O + "/stencil", [0, 2, 3, 5]),
    (O + "/at", 0.5),
    (O + "/from", {"particle": 2}),
    (O + "/to", "end"),
    (O + "/type", "inequality"),
    (O + "/parameters", {"slack": 0.01, "_x9": -1}),
    (O + "/compliance", 1e-3),
    (O + "/h", 1e-4),
    (O + "/origin", [0, 0, 100]),
    (O + "/expression", "min(p0.z, p1.z) - 2e-1*pi"),
    ("/method/way", "coloured"),
]

BAD_OWN = [
    ("/constraints", {}),
    (O + "/cable", MISSING),
    (O + "/stencil", MISSING),
    (O + "/stencil", []),
    (O + "/stencil", [1, 2]),
    (O + "/stencil", [0, 1, 1]),
    (O + "/stencil", [0, 1.5]),
    (O + "/stencil", [0, 1, 2, 3, 4, 5, 6, 7, 8]),
    (O + "/expression", MISSING),
    (O + "/expression", ""),
    (O + "/expression", 1),
    (O + "/type", "less"),
    (O + "/parameters", {"a-b": 1}),
    (O + "/parameters", {"a": "1"}),
    (O + "/compliance", -1),
    (O + "/stiffness", 0),
    (O + "/stiffness", 1.5),
    (O + "/h", 0),
    (O + "/origin", [0, 0]),
    (O + "/solver", "mine"),
    (O, {"cable": "a", "stencil": [0], "expression": "p0.z", "at": "end", "from": "start"}),
]

READER_ONLY_OWN = [
    ("/method", "jakobsen"),
    (O + "/stiffness", 0.5),
    (A + "/break_force", 1),
    (O + "/cable", "c"),
    (O + "/stencil", [0, 2, 1]),
    (O + "/stencil", [0, 9]),
    (O + "/expression", "length(p2 - p0)"),
    (O + "/expression", "system(1)"),
    (O + "/parameters", {"rest": 1}),
]

# With a body, which only direct has.
PLUG_BODY = {"name": "plug", "position": [0, 0, 0.9], "shapes": [{"shape": "sphere", "center": [0, 0, 0], "radius": 0.02}],
             "mass": 0.1}
LUMP = {"name": "lump", "position": [0, 0, 0.9], "mass": 2, "inertia": [1, 1, 1]}
BODIED = {**BASE, "method": "direct", "bodies": [PLUG_BODY],
          "attachments": [{"cable": "a", "at": "start", "to": {"body": "plug", "point": [0, 0, 0.02]}}]}
B = "/bodies/0"
HINGE = {"point": [0, 0, 1], "axis": [0, 1, 0]}

BODIED_GOOD = [
    (A + "/clamp", True),
    ("/bodies", [PLUG_BODY, LUMP]),
    (A + "/to", {"body": "plug"}),
    (A, {"cable": "a", "at": 0.5, "to": {"body": "plug", "point": [0, 0, 0.02]}, "break_force": 5}),
    (B, {**LUMP, "name": "plug", "center": [0, 0, 0.1]}),
    (B, {**PLUG_BODY, "inertia": [1e-3, 1e-3, 2e-3], "rotation": [2, 0, 0, 1], "velocity": [0, 0, 1], "spin": [0, 0, 1],
         "damping": 0.1, "friction": 0, "group": 1}),
    (B + "/motion", "free"),
    (B + "/motion", {"hinge": HINGE}),
    (B + "/motion", {"hinge": {**HINGE, "friction": 0.1, "motor": {"speed": -2, "torque": 3}}}),
    (B + "/motion", {"slider": {"axis": [0, 0, 2], "friction": 1, "motor": {"speed": 0.1, "force": 20}}}),
    (B + "/motion", {"ball": {"point": [0, 0, 1]}}),
    (B + "/copies", {"count": [1, 1, 1], "spacing": [0, 0.1, 0]}),
    (B + "/shapes", [{"shape": "capsule", "from": [0, 0, 0], "to": [0, 0, 0.1], "radius": 0.01},
                     {"shape": "box", "center": [0, 0, 0], "half_extents": [1, 1, 1], "rotation": [1, 1, 0, 0]},
                     {"shape": "cylinder", "from": [0, 0, 0], "to": [0, 0, 0.1], "radius": 0.01}, SHEAVE, {**SHEAVE, "angle": 0.5}]),
    (B, {key: value for key, value in {**PLUG_BODY, "density": 1000}.items() if key != "mass"}),
]

BODIED_BAD = [
    ("/bodies", {}),
    *((A + "/to", to) for to in ({"body": 1}, {"body": "plug", "at": "end"})),
    (B + "/name", MISSING),
    (B + "/position", MISSING),
    (B + "/mass", MISSING),
    (B + "/mass", 0),
    (B + "/density", 1000),
    (B + "/shapes", MISSING),
    (B + "/shapes", []),
    (B + "/shapes", [{"shape": "mesh", "file": "ring.obj"}]),
    (B + "/shapes", [{"shape": "sphere", "center": [0, 0, 0]}]),
    (B + "/shapes", [{"shape": "cylinder", "from": [0, 0, 0], "to": [0, 0, 0.1], "half_extents": [1, 1, 1]}]),
    *((B + "/shapes", [shape]) for shape in ({**SHEAVE, "angle": 3.1}, {k: v for k, v in SHEAVE.items() if k != "flange"})),
    *((B + f"/{key}", value) for key, value in (("inertia", [1, 1]), ("inertia", [1, 1, 0]), ("rotation", [1, 0, 0]), ("spin", 1), ("damping", -1))),
    *((B + f"/{key}", value) for key, value in (("friction", -0.3), ("group", 1.5), ("group", -1))),
    (B + "/motion", "held"),
    (B + "/motion", {"hinge": {"point": [0, 0, 1]}}),
    (B + "/motion", {"hinge": {**HINGE, "friction": -1}}),
    (B + "/motion", {"hinge": {**HINGE, "motor": {"speed": 1, "force": 1}}}),
    (B + "/motion", {"hinge": {**HINGE, "motor": {"speed": 1}}}),
    (B + "/motion", {"hinge": HINGE, "ball": {"point": [0, 0, 1]}}),
    (B + "/motion", {"slider": {"axis": [0, 0, 1], "point": [0, 0, 1]}}),
    (B + "/motion", {"ball": {"point": [0, 0, 1], "friction": 1}}),
    (B + "/copies", {"count": [1, 3, 1]}),
    ("/clips", [{**CLIP, "to": {"body": "plug"}}]),
    ("/connectors", [{**PLUG, "to": {"body": "plug"}}]),
    (B, {"name": "plug", "position": [0, 0, 0.9], "mass": 2}),
    (B, {"name": "plug", "position": [0, 0, 0.9], "density": 2, "inertia": [1, 1, 1]}),
]

BODIED_READER_ONLY = [
    ("/method", "xpbd"),
    ("/contact/sleep", True),
    ("/bodies", [PLUG_BODY, PLUG_BODY]),
    (A + "/to", {"body": "socket"}),
    (A + "/compliance", 1e-3),
    (B + "/inertia", [1, 1, 3]),
    (B + "/rotation", [0, 0, 0, 0]),
    (B + "/motion", {"hinge": {**HINGE, "axis": [0, 0, 0]}}),
    (B + "/shapes", [{"shape": "cylinder", "from": [0, 0, 0], "to": [0, 0, 0], "radius": 0.01}]),
    *((B + "/shapes", [{**SHEAVE, **wrong}]) for wrong in ({"flange": 0.01}, {"to": [0, 0, 0.005]})),  # below radius + groove; the groove opens wider
    (B + "/copies", {"count": [1, 3, 1], "spacing": [0, 0.1, 0]}),  # not as many as the cable has
]


def with_change(base, pointer, value):
    document = copy.deepcopy(base)
    holder, keys = document, pointer.split("/")[1:]
    for key in keys[:-1]:
        holder = holder[int(key)] if isinstance(holder, list) else holder[key]
    last = keys[-1]
    if isinstance(holder, list):
        holder[int(last):int(last) + 1] = [value]
    elif value is MISSING:
        del holder[last]
    else:
        holder[last] = value
    return document


def read(program, path):
    done = subprocess.run([program, "check", str(path)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, EXIT_INPUT):
        sys.exit(f"{path}: `clcable check` ended with {done.returncode}: {done.stderr}")
    return done


def check_scenes(program, validator, folder):
    faults = []
    scenes = [path for path in sorted(folder.glob("*.json")) if not path.name.endswith(".schema.json")]
    if not scenes:
        faults.append(f"{folder}: no scenes")
    for path in scenes:
        faults += [f"{path.name}: schema: /{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
                   for error in validator.iter_errors(json.loads(path.read_text()))]
        done = read(program, path)
        if done.returncode:
            faults.append(f"{path.name}: reader: {done.stderr.strip()}")
    return faults


def check_documents(program, validator, base, documents, schema_accepts, reader_accepts):
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "document.json"
        for pointer, value in documents:
            document = with_change(base, pointer, value)
            path.write_text(json.dumps(document))
            done = read(program, path)
            what = f"{pointer} {'missing' if value is MISSING else json.dumps(value)}"
            if validator.is_valid(document) != schema_accepts:
                faults.append(f"{what}: the schema {'refuses' if schema_accepts else 'accepts'} it")
            if (done.returncode == 0) != reader_accepts:
                faults.append(f"{what}: the reader says {done.returncode} {done.stderr.strip()}")
            if done.returncode and done.stderr.count("\n") != 1:
                faults.append(f"{what}: expected one line, got {done.stderr!r}")
    return faults


def main():
    folder, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    schema = json.loads((folder / "scene.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    faults = check_scenes(program, validator, folder)
    count = 0
    for base, good, bad, reader_only in ((BASE, GOOD, BAD, READER_ONLY),
                                         (OWN, GOOD_OWN, BAD_OWN, READER_ONLY_OWN),
                                         (CLOTH, CLOTH_GOOD, CLOTH_BAD, CLOTH_READER_ONLY),
                                         (BODIED, BODIED_GOOD, BODIED_BAD, BODIED_READER_ONLY)):
        faults += check_documents(program, validator, base, good, True, True)
        faults += check_documents(program, validator, base, bad, False, False)
        faults += check_documents(program, validator, base, reader_only, True, False)
        count += len(good) + len(bad) + len(reader_only)
    print("\n".join(faults) or f"schema and reader agree on {count} documents")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()

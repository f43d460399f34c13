"""Scenes with sheaves, blocks and drums: made for segments of any length, and what comes of them. `python3 hoists.py FOLDER` writes them
as they are in scenes/."""
import json
import math
import pathlib
import sys
import textwrap

G = 9.81
ROPE = 0.003  # m, its radius
GROOVE = 0.0033  # m, of the round: a tenth wider than the rope
WIDE = 0.011  # m, half of a sheave's width
DEEP = 0.012  # m, from the groove's bottom to the rim


def corner(radius, segment):
    """Where the corners of a rope of such segments lie on a wheel of `radius` at the rope's middle: its sides touch it."""
    return radius + segment ** 2 / (8 * radius)


def sheave(radius, y=0.0):
    """A shape about an axis along y, on which the rope's middle runs at `radius`."""
    bottom = radius - ROPE
    return {"shape": "sheave", "from": [0, y - WIDE, 0], "to": [0, y + WIDE, 0], "radius": round(bottom, 6), "groove": GROOVE,
            "flange": round(bottom + DEEP, 6)}


def slices(radius, power):
    """The integral of r^power along the axis of such a sheave, by slices, with flanks of 22.5 degrees."""
    bottom, lean, n = radius - ROPE, math.pi / 8, 20000
    whole = 0.0
    for k in range(n):
        z, at = WIDE * (k + 0.5) / n, GROOVE * math.cos(lean)
        flank = bottom + GROOVE - GROOVE * math.sin(lean) + (z - at) / math.tan(lean)
        r = bottom + GROOVE - math.sqrt(GROOVE ** 2 - z ** 2) if z < at else min(bottom + DEEP, flank)
        whole += 2 * r ** power * WIDE / n
    return whole


def volume(radius):
    return math.pi * slices(radius, 2)


def moment(radius):
    """Of inertia about the axis, of density 1."""
    return math.pi * slices(radius, 4) / 2


def inertia(radius, mass):
    return mass * moment(radius) / volume(radius)


def hinge(at, turned=0.0, **more):
    return {"hinge": {"point": at, "axis": [round(-math.sin(turned), 9) + 0.0, round(math.cos(turned), 9), 0], **more}}


def turned_by(angle):
    """Of a body's axes about z."""
    return [round(math.cos(angle / 2), 9), 0, 0, round(math.sin(angle / 2), 9)]


def pinned(made):
    """A rope that begins on the drum begins where it is drawn."""
    start, at = made["cables"][0]["path"][0], made["bodies"][0]["position"]
    made["attachments"][0]["to"]["point"] = [round(p - q, 6) for p, q in zip(start, at)]
    return made


class Path:
    """Where a rope goes, m."""

    def __init__(self):
        self.points = []

    def go(self, x, y, z):
        self.points.append([x, y, z])
        return self

    def round(self, x, y, z, radius, start, stop, turned=0.0):
        """Round a wheel about an axis along y, from one angle to another (degrees, from x towards z), in steps of at most 7.5. `turned`:
        the wheel's plane, rad, from x towards y."""
        steps = math.ceil(abs(stop - start) / 7.5 - 1e-9)
        for k in range(steps + 1):
            a = math.radians(start + (stop - start) * k / steps)
            out = radius * math.cos(a)
            self.go(x + out * math.cos(turned), y + out * math.sin(turned), z + radius * math.sin(a))
        return self

    def length(self):
        return sum(math.dist(a, b) for a, b in zip(self.points, self.points[1:]))

    def cable(self, name, material, segment):
        return {"name": name, "material": material, "segments": max(2, round(self.length() / segment)),
                "path": [[round(v, 6) for v in p] for p in self.points]}


def scene(notes, duration, substeps, **parts):
    lines = textwrap.wrap(" ".join(notes), 90)  # as long as `convert` writes them
    return {"clcable": 1, "notes": lines, "time": {"duration": duration, "frame_rate": 60, "substeps": substeps}, "method": "direct",
            "contact": {"cables": False, "self": False}, **parts}


# ---- a differential pulley ----

BIG, SMALL = 0.08, 0.06  # m, at the rope's middle
APART = 0.0145  # m, of each groove from the middle
LOAD, TAIL = 2.0, 0.02  # kg


def differential(segment=0.01, substeps=20, hand=0.35):
    """Both upper sheaves are one body. Turned by the hand's weight, the big one takes up rope from the load, the small one gives some
    back."""
    low, block, turned = -0.6, math.hypot(BIG + SMALL, 2 * APART) / 2, math.atan2(2 * APART, BIG + SMALL)
    big, small = corner(BIG, segment), corner(SMALL, segment)
    bight, x = math.hypot(big + small, 2 * APART) / 2, (big - small) / 2
    path = Path().go(-big, APART, -0.25).round(0, APART, 0, big, 180, 0)
    path.round(x, 0, low, bight, 0, -180, turned).round(0, -APART, 0, small, 180, 0).go(small, -APART, -0.45)
    return scene(
        ["A differential pulley: two sheaves of 80 and 60 mm turn as one, and the rope between them and the load's sheave",
         "is shortened by the difference. 0.25 kg hold 2 kg (2 R/(R - r) = 8); 0.35 kg lift them. Chains do not slip; this",
         "rope is rough, and a weight of 20 g keeps its end taut."],
        1.2, substeps,
        materials={"rope": {"radius": ROPE, "linear_density": 0.02, "friction": 1.5, "damping": 0.1}},
        cables=[path.cable("rope", "rope", segment)],
        bodies=[{"name": "upper", "position": [0, 0, 0], "mass": 0.5, "friction": 1.5, "shapes": [sheave(BIG, APART), sheave(SMALL, -APART)],
                 "motion": hinge([0, 0, 0])},
                {"name": "load", "position": [round(x, 6), 0, low], "rotation": turned_by(turned), "mass": LOAD, "friction": 1.5, "shapes": [sheave(block)]}],
        loads=[{"cable": "rope", "at": "start", "mass": hand}, {"cable": "rope", "at": "end", "mass": TAIL}])


# ---- a block of four falls ----

WHEEL = 0.05  # m, of blocks, at the rope's middle
BLOCK = 4.0  # kg, with what hangs on it
BESIDE, ABOVE = 0.02, 0.15  # m, of its sheaves from the middle; of the last sheave above the other upper one


CROSSING = math.atan2(-BESIDE, WHEEL)  # rad, by which the first upper sheave is turned, from one of the block's to the other


def tackle(segment=0.01, substeps=20, haul=1.2):
    """Sheaves of one body turn as one, so those of the block are smooth; the upper ones turn with the rope."""
    r, low = corner(WHEEL, segment), -0.6
    across = math.hypot(r, BESIDE)
    path = Path().go(-r, -BESIDE, 0).round(0, -BESIDE, low, r, 180, 360).round(0, 0, 0, across, 0, 180, CROSSING)
    path.round(0, BESIDE, low, r, 180, 360).round(2 * r, BESIDE, ABOVE, r, 180, 0).go(3 * r, BESIDE, -0.2)
    last = [round(2 * r, 6), BESIDE, ABOVE]
    return scene(
        ["A hook block on four falls: 1 kg holds 4 kg, 1.2 kg lift them. The block's two sheaves are smooth, since they turn as one."],
        1, substeps,
        materials={"rope": {"radius": ROPE, "linear_density": 0.05, "friction": 0.5, "damping": 0.1}},
        cables=[path.cable("rope", "rope", segment)],
        bodies=[{"name": "block", "position": [0, 0, low], "mass": BLOCK, "friction": 0,
                 "shapes": [sheave(WHEEL, -BESIDE), sheave(WHEEL, BESIDE),
                            {"shape": "box", "center": [0, 0, -0.14], "half_extents": [0.06, 0.05, 0.06]}]},
                {"name": "upper-1", "position": [0, 0, 0], "rotation": turned_by(CROSSING), "mass": 0.2, "friction": 0.5,
                 "shapes": [sheave(math.hypot(WHEEL, BESIDE))], "motion": hinge([0, 0, 0], CROSSING)},
                {"name": "upper-2", "position": last, "mass": 0.2, "friction": 0.5, "shapes": [sheave(WHEEL)], "motion": hinge(last)}],
        attachments=[{"cable": "rope", "at": "start", "to": "here"}],
        loads=[{"cable": "rope", "at": "end", "mass": haul}])


# ---- a crane ----

DRUM, DRUM_WIDE = 0.06, 0.05  # m, at the rope's middle; between flanges
SPEED = 3.0  # rad/s
JIB = 0.08  # m, its sheaves at the rope's middle


def drum_shapes(radius, wide, flange):
    """A cylinder, and two flat ones as its flanges."""
    end = wide / 2 + 0.008
    return [{"shape": "cylinder", "from": [0, -end, 0], "to": [0, end, 0], "radius": round(radius - ROPE, 6)},
            {"shape": "cylinder", "from": [0, -end, 0], "to": [0, -wide / 2, 0], "radius": flange},
            {"shape": "cylinder", "from": [0, wide / 2, 0], "to": [0, end, 0], "radius": flange}]


def crane(segment=0.01, substeps=20, load=5.0):
    """The drum stands below the jib's first sheave, the rope runs along the jib and over its head to a hook block of two falls."""
    drum, jib = corner(DRUM, segment), corner(JIB, segment)
    side = -DRUM_WIDE / 2 + 1.1 * ROPE
    back, head, block = 0.0, 1.0, 0.45
    # the drum turns so that its top moves away from the jib: the rope comes from its left, upwards
    path = Path().round(back - jib + drum, side, -0.9, drum, 330, 180).round(back, 0, 0, jib, 180, 90)
    path.round(head, 0, 0, jib, 90, 0).round(head + 2 * jib, 0, -block, jib, 180, 360).go(head + 3 * jib, 0, 0)
    place = [round(back - jib + drum, 6), 0, -0.9]
    return pinned(scene(
        ["A crane: a drum with a motor, two sheaves on the jib, a hook block on two falls with 5 kg, and the rope's end at the jib's head.",
         "The motor takes up r omega; the load rises by half of that. The rope comes to lie beside what is wound up already."],
        3, substeps,
        materials={"rope": {"radius": ROPE, "linear_density": 0.03, "friction": 0.5, "damping": 0.2}},
        cables=[path.cable("rope", "rope", segment)],
        bodies=[{"name": "drum", "position": place, "mass": 2, "friction": 0.5, "shapes": drum_shapes(DRUM, DRUM_WIDE, 0.08),
                 "motion": hinge(place, motor={"speed": -SPEED, "torque": 10})},
                {"name": "back", "position": [back, 0, 0], "mass": 0.4, "friction": 0.5, "shapes": [sheave(JIB)],
                 "motion": hinge([back, 0, 0])},
                {"name": "head", "position": [head, 0, 0], "mass": 0.4, "friction": 0.5, "shapes": [sheave(JIB)],
                 "motion": hinge([head, 0, 0])},
                {"name": "hook", "position": [round(head + 2 * jib, 6), 0, -block], "mass": load, "friction": 0.5,
                 "shapes": [sheave(JIB), {"shape": "box", "center": [0, 0, -0.2], "half_extents": [0.08, 0.08, 0.08]}]}],
        attachments=[{"cable": "rope", "at": "start", "to": {"body": "drum", "point": None}}, {"cable": "rope", "at": "end", "to": "here"}]))


# ---- a drum that is wound in layers ----

WINCH, WINCH_SPEED = 0.053, 10.0  # m, the drum's radius at the rope's middle; rad/s
WRAPS = 4.5  # so many lie side by side between the flanges
HANGS = 2.0  # kg


def winch(segment=0.01, substeps=20, speed=WINCH_SPEED, torque=20.0, fall=3.2):
    """The rope comes from a sheave 1 m above the drum's middle, which leads it from one flange to the other."""
    wide = WRAPS * 2 * ROPE
    drum, lead = corner(WINCH, segment), corner(WHEEL, segment)
    path = Path().round(0, -wide / 2 + 1.02 * ROPE, 0, drum, 330, 360).round(drum + lead, 0, 1, lead, 180, 0)
    path.go(drum + 2 * lead + lead, 0, 1 - fall)
    above = [round(drum + lead, 6), 0, 1]
    return pinned(scene(
        ["A drum with a motor winds a rope up in two layers. Nothing leads it but the sheave above,",
         "the flanges and its own windings: four lie side by side, then it climbs on them and goes back."],
        3.6, substeps,
        materials={"rope": {"radius": ROPE, "linear_density": 0.05, "bending_stiffness": 1e-4, "friction": 0.3, "damping": 0.5}},
        cables=[path.cable("rope", "rope", segment)],
        bodies=[{"name": "drum", "position": [0, 0, 0], "mass": 1, "friction": 0.3, "shapes": drum_shapes(WINCH, wide, 0.08),
                 "motion": hinge([0, 0, 0], motor={"speed": -speed, "torque": torque})},
                {"name": "lead", "position": above, "mass": 0.2, "friction": 0.5, "shapes": [sheave(WHEEL)], "motion": hinge(above)}],
        attachments=[{"cable": "rope", "at": "start", "to": {"body": "drum", "point": None}}],
        loads=[{"cable": "rope", "at": "end", "mass": HANGS}], probes=[{"name": "end", "cable": "rope", "at": "end"}],
        contact={"cables": False, "self": True}))


# ---- a robot on eight cables ----

PULLEY = 0.04  # m, at the rope's middle
CORNERS = [(x, y, z) for z in (1, -1) for y in (-1, 1) for x in (-1, 1)]
FRAME, PLATFORM = (0.7, 0.7, 0.5), 0.1  # m, half of the frame's and of the platform's sides
WEIGHT = 3.0  # kg, of the platform
ROOM = 0.35  # m, from a pulley to the led end of its cable at the start
ELASTIC, TIGHT = 2e4, 60.0  # N: EA, and how much the upper cables pull at the start
TIME, EACH = 4.0, 0.1  # s: of the run, and between keyframes


def commanded(t):
    """Where the platform is to be at a time, m and rad about z: a way there and back, after half a second in which cables are tightened."""
    s = min(max((t - 0.5) / (TIME - 1), 0), 1)
    go = math.sin(math.pi * s) ** 2
    return [0.15 * go, 0.1 * math.sin(2 * math.pi * s) * go, 0.12 * go, 0.2 * go]


def corner_of_platform(k, pose):
    """Where cable k ends: an upper cable at a lower corner, a lower one at an upper corner, and two beside each other cross, so that they
    hold the platform against turning about any axis."""
    x, y, z = (PLATFORM * c for c in CORNERS[k])
    x, y = (-x, y) if z > 0 else (x, -y)
    c, s = math.cos(pose[3]), math.sin(pose[3])
    return [pose[0] + c * x - s * y, pose[1] + s * x + c * y, pose[2] - z]


def run_of(k, pose, r=PULLEY):
    """Of cable k at a pose, in the plane of its pulley, which is upright and points to where the cable ends at the start: that direction,
    the angle at which the cable leaves the pulley, as seen from there upwards, and its length from where it comes to the pulley."""
    home, end = corner_of_platform(k, [0, 0, 0, 0]), corner_of_platform(k, pose)
    at, up = [f * c for f, c in zip(FRAME, CORNERS[k])], CORNERS[k][2]
    way = [home[0] - at[0], home[1] - at[1]]
    way = [w / math.hypot(*way) for w in way]
    off = [e - a for e, a in zip(end, at)]
    p, q, aside = off[0] * way[0] + off[1] * way[1], up * off[2], off[1] * way[0] - off[0] * way[1]
    leaves = math.atan2(q, p) + math.acos(r / math.hypot(p, q))
    return way, leaves, (math.pi - leaves) * r + math.sqrt(p * p + q * q - r * r + aside * aside)


def tension(k):
    """At the start, N: upper cables all pull alike, and lower ones as much less as the platform weighs."""
    if CORNERS[k][2] > 0:
        return TIGHT
    rise = (FRAME[2] + PLATFORM) / 1.0  # both kinds leave at the same slope, upwards and downwards
    slope = rise / math.dist(corner_of_platform(k, [0, 0, 0, 0]), [f * c for f, c in zip(FRAME, CORNERS[k])])
    return TIGHT - WEIGHT * G / (4 * slope)


def robot(segment=0.015, substeps=20):
    """Its cables go over pulleys at the frame's corners, and their ends are led as inverse kinematics has it."""
    r = corner(PULLEY, segment)
    cables, bodies, attachments, probes = [], [], [], []
    bodies.append({"name": "platform", "position": [0, 0, 0], "mass": WEIGHT, "group": 1,
                   "shapes": [{"shape": "box", "center": [0, 0, 0], "half_extents": [PLATFORM] * 3}]})
    for k, sign in enumerate(CORNERS):
        at, up = [f * c for f, c in zip(FRAME, sign)], sign[2]
        way, leaves, length = run_of(k, [0, 0, 0, 0])
        turned = math.atan2(way[1], way[0])
        path = Path().go(at[0] - r * way[0], at[1] - r * way[1], at[2] - up * ROOM)
        path.round(*at, r, 180 * up, math.degrees(leaves) * up, turned).go(*corner_of_platform(k, [0, 0, 0, 0]))
        name = f"cable-{k + 1}"
        cables.append(path.cable(name, "rope", segment))
        bodies.append({"name": f"pulley-{k + 1}", "position": at, "rotation": turned_by(turned), "mass": 0.1, "friction": 0.4,
                       "shapes": [sheave(PULLEY)], "motion": hinge(at, turned)})
        whole = length + ROOM
        frames = []
        for i in range(round(TIME / EACH) + 1):
            t = i * EACH
            pull = whole * tension(k) / ELASTIC * min(1, t / 0.4)
            out = whole + pull - run_of(k, commanded(t))[2]
            frames.append([round(t, 6)] + [round(v, 6) for v in (at[0] - r * way[0], at[1] - r * way[1], at[2] - up * out)])
        attachments.append({"cable": name, "at": "start", "to": {"keyframes": frames}})
        attachments.append({"cable": name, "at": "end",
                            "to": {"body": "platform", "point": [round(v, 6) for v in corner_of_platform(k, [0, 0, 0, 0])]}})
        probes.append({"name": name, "cable": name, "at": "end"})
    return scene(
        ["A robot on eight cables, which go over pulleys at the corners of a frame. Their ends are led along by inverse kinematics:",
         "the platform goes there and back on a bent way, and turns by 0.2 rad. Each cable pulls all the time."],
        TIME, substeps,
        materials={"rope": {"radius": ROPE, "linear_density": 0.02, "stretching_stiffness": ELASTIC, "friction": 0.4, "damping": 1}},
        cables=cables, bodies=bodies, attachments=attachments, probes=probes)


# ---- files ----


def text_of(made):
    """A line for each item of a list."""
    lines = []
    for key, value in made.items():
        if isinstance(value, list) and isinstance(value[0], dict):
            items = ",\n    ".join(json.dumps(v) for v in value)
            lines.append(f"  {json.dumps(key)}: [\n    {items}\n  ]")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


SCENES = {"differential-pulley": differential, "hook-block": tackle, "crane": crane, "winch-layers": winch, "cable-robot": robot}

if __name__ == "__main__":
    for name, make in SCENES.items():
        (pathlib.Path(sys.argv[1]) / f"{name}.json").write_text(text_of(make()))

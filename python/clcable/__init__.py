"""clcable: cables in motion, on all cores and on OpenCL devices.

    scene = clcable.Scene.load("curtain.json")
    world = clcable.World(scene)
    x = world.positions()
    world.step(60)

`x` then shows where the cables are. `Batch` steps many environments of one scene. Units are SI, axes
right-handed, z up.
"""

from ._call import ClosedError, DeviceError, DivergedError, Error, FileError, InputError, UnsupportedError, text
from ._clcable import lib
from .batch import Batch
from .facts import Attachment, Bodies, Cable, Device, Equilibrium, Event, Info, Judgement, Load, Material, Measures, Pose, Probes, Sockets, devices
from .fitting import Fit, Found, Off, Tracks, fit
from .scene import Overrides, Place, Scene
from .world import World

__version__: str = text(lib.cab_version())
"""The library's version."""

__all__ = [
    "Attachment",
    "Batch",
    "Bodies",
    "Cable",
    "ClosedError",
    "Device",
    "DeviceError",
    "DivergedError",
    "Error",
    "Equilibrium",
    "Event",
    "FileError",
    "Fit",
    "Found",
    "Info",
    "InputError",
    "Judgement",
    "Load",
    "Material",
    "Measures",
    "Off",
    "Overrides",
    "Place",
    "Pose",
    "Probes",
    "Scene",
    "Sockets",
    "Tracks",
    "UnsupportedError",
    "World",
    "devices",
    "fit",
]

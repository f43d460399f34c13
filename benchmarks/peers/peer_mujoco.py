"""MuJoCo: 1D flexes with bending elasticity (discrete elastic rods) and edge equality, the successor of its composite cable.

The `discrete` integrator with the Newton solver treats lengths, bending and contacts implicitly, so few substeps do.
`hang` is a batch of models with one cable each on a pool of threads (mujoco.batch), since one model with all cables
would solve one large system; `pile` has to be one model, with the engine's own pool of threads. The flexes are written
out, not made by <flexcomp>: that would add torsion, which nobody else here has, costs a quarter of the speed, and made the
pile unstable (NaN) at 10, 20 and 40 substeps. Masses are lumped like everybody else's.
"""
import mujoco
import mujoco.batch
import numpy as np

import scene as scenes

# of lengths; with MuJoCo's defaults cables stretch by 70 %
HARD = 'solref="0.0005 1" solimp="0.99 0.999 0.0001"'
CONTACT = 'condim="3" solref="0.004 1" solimp="0.99 0.999 0.0001"'


def bodies(scene, name, line):
    """A body for each particle that can move."""
    out = []
    for i in range(int(scene.held), len(line)):
        axes = "".join(f'<joint type="slide" axis="{a}"/>' for a in ("1 0 0", "0 1 0", "0 0 1"))
        size = 0.4 * scene.mass[i] * scene.radius**2
        out.append(f'<body name="{name}_{i}" pos="{text(line[i])}"><inertial pos="0 0 0" mass="{scene.mass[i]:.12g}" '
                   f'diaginertia="{size:.6g} {size:.6g} {size:.6g}"/>{axes}</body>')
    return "".join(out)


def flex(scene, name, line):
    n = scene.segments
    owners = ["world" if scene.held and i == 0 else f"{name}_{i}" for i in range(n + 1)]
    places = [text(line[i]) if owners[i] == "world" else "0 0 0" for i in range(n + 1)]
    edges = " ".join(f"{i} {i + 1}" for i in range(n))
    young = scene.bending / (np.pi * scene.radius**4 / 4)
    touch = f'friction="{scene.friction} 0 0" {CONTACT}' if scene.contact else 'contype="0" conaffinity="0"'
    return (f'<flex name="{name}" dim="1" radius="{scene.radius}" body="{" ".join(owners)}" vertex="{" ".join(places)}" '
            f'element="{edges}"><elasticity young="{young:.12g}" section="circle"/>'
            f'<contact selfcollide="{"auto" if scene.contact else "none"}" {touch}/></flex>')


def text(vector):
    return " ".join(f"{v:.12g}" for v in vector)


def build(scene, cables, substeps):
    names = [f"c{i}" for i in range(len(cables))]
    made = "".join(bodies(scene, name, line) for name, line in zip(names, cables))
    flexes = "".join(flex(scene, name, line) for name, line in zip(names, cables))
    lengths = "".join(f'<flex flex="{name}" {HARD}/>' for name in names)
    floor = f'<geom type="plane" size="9 9 1" friction="{scene.friction} 0 0" {CONTACT}/>' if scene.contact else ""
    return mujoco.MjModel.from_xml_string(f"""<mujoco><size memory="{'8G' if scene.contact else '64M'}"/>
      <option timestep="{1 / (scene.frame_rate * substeps):.12g}" integrator="discrete" solver="Newton"
        gravity="{text(scene.gravity)}"/>
      <worldbody>{floor}{made}</worldbody><deformable>{flexes}</deformable><equality>{lengths}</equality></mujoco>""")


class Hang:
    def __init__(self, scene, options):
        self.scene, self.substeps = scene, options.substeps
        self.model = build(scene, scene.x[:1], options.substeps)
        self.batch = mujoco.batch.Batch(self.model, nsim=scene.cables, nthread=options.threads)
        self.state = self.batch.bind("qpos")
        self.origin = scene.x[:, :1]

    def reset(self):
        self.batch.reset()

    def step(self):
        self.batch.step(nstep=self.substeps)

    def positions(self):
        data = mujoco.MjData(self.model)
        out = []
        for qpos in self.state:
            data.qpos[:] = qpos
            mujoco.mj_kinematics(self.model, data)
            mujoco.mj_flex(self.model, data)
            out.append(data.flexvert_xpos.copy())
        return np.array(out)

    def watch(self):
        data = mujoco.MjData(self.model)
        data.qpos[:] = self.state[len(self.state) // 2]
        mujoco.mj_kinematics(self.model, data)
        mujoco.mj_flex(self.model, data)
        return data.flexvert_xpos.copy()


class Pile:
    def __init__(self, scene, options):
        self.scene, self.substeps = scene, options.substeps
        self.model = build(scene, scene.x, options.substeps)
        self.data = mujoco.MjData(self.model)
        mujoco.mju_threadpool(self.data, options.threads)

    def reset(self):
        mujoco.mj_resetData(self.model, self.data)

    def step(self):
        mujoco.mj_step(self.model, self.data, self.substeps)

    def positions(self):
        return self.data.flexvert_xpos.reshape(self.scene.x.shape).copy()

    def watch(self):
        return None


def main():
    options, scene = scenes.parse_arguments({"hang": 5, "pile": 5}, hang_cables=64)
    scenes.run("mujoco", mujoco.__version__, "flex rod", scene, options, Pile if scene.contact else Hang)


if __name__ == "__main__":
    main()

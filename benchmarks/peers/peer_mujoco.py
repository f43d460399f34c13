"""MuJoCo: 1D flexes with bending elasticity (discrete elastic rods) and edge equality, the successor of its composite cable.

The `discrete` integrator with the Newton solver treats lengths, bending and contacts implicitly, so few substeps do.
`hang` is a batch of models with one cable each on a pool of threads (mujoco.Batch), since one model with all cables
would factor one large system; `pile` has to be one model, with the engine's own pool of threads.
"""
import mujoco
import mujoco.batch
import numpy as np

import scene as scenes

HARD = 'solref="0.0005 1" solimp="0.99 0.999 0.0001"'  # of lengths; with MuJoCo's defaults cables stretch by 70 %
CONTACT = 'solref="0.004 1" solimp="0.99 0.999 0.0001"'


def flexcomp(scene, name, line):
    """A cable. Masses are equal here; halve_ends() makes those of the ends half."""
    n = scene.segments
    young = scene.bending / (np.pi * scene.radius**4 / 4)
    points = " ".join(f"{v:.9g}" for v in line.ravel())
    edges = " ".join(f"{i} {i + 1}" for i in range(n))
    touch = f'friction="{scene.friction} 0 0" condim="3" {CONTACT}' if scene.contact else 'contype="0" conaffinity="0"'
    return f"""<flexcomp name="{name}" type="direct" dim="1" mass="{scene.mass[1] * (n + 1)}" radius="{scene.radius}"
      point="{points}" element="{edges}">{'<pin id="0"/>' if scene.held else ''}
      <edge equality="true" {HARD}/><elasticity young="{young}" section="circle"/>
      <contact selfcollide="{'auto' if scene.contact else 'none'}" {touch}/></flexcomp>"""


def build(scene, cables, substeps):
    flexes = "".join(flexcomp(scene, f"c{i}", line) for i, line in enumerate(cables))
    floor = f'<geom type="plane" size="9 9 1" friction="{scene.friction} 0 0" condim="3" {CONTACT}/>' if scene.contact else ""
    model = mujoco.MjModel.from_xml_string(f"""<mujoco><size memory="4G"/>
      <option timestep="{1 / (scene.frame_rate * substeps):.12g}" integrator="discrete" solver="Newton"
        gravity="{' '.join(map(str, scene.gravity))}"/>
      <worldbody>{floor}{flexes}</worldbody></mujoco>""")
    halve_ends(scene, model, len(cables))
    return model


def halve_ends(scene, model, cables):
    """The model's masses are lumped like everybody else's."""
    for flex in range(cables):
        first = model.flex_vertadr[flex]
        bodies = model.flex_vertbodyid[first:first + scene.segments + 1]
        for body in bodies[[0, -1]]:
            if body > 0:
                model.body_mass[body] /= 2
                model.body_inertia[body] /= 2
    mujoco.mj_setConst(model, mujoco.MjData(model))


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
    options, scene = scenes.parse_arguments({"hang": 5, "pile": 10}, hang_cables=64)
    scenes.run("mujoco", mujoco.__version__, "flex rod", scene, options, Pile if scene.contact else Hang)


if __name__ == "__main__":
    main()

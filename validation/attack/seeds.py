"""Small inputs of every kind, and the files that the program makes from them."""
import pathlib
import shutil
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from held import stands  # noqa: E402

CONFIGS = pathlib.Path(__file__).resolve().parents[2] / "configs"
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "docs/examples"

CHAIN = """title = "chain"
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
yield_stress = 900e6
density = 7970
[[segment]]
beads = 1
radius = 2.38e-3
material = "steel"
velocity = 1.77
[[segment]]
beads = 19
radius = 2.38e-3
material = "steel"
disorder = 0.02
seed = 3
[law]
name = "flores"
restitution = 0.8
[boundary]
right = { kind = "driven", file = "drive.csv" }
[time]
end = 100e-6
[sensors]
beads = [3, 9, 16]
interval = 1e-7
[snapshots]
interval = 5e-6
"""
PACKING = """title = "packing"
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
density = 7970
[[particles]]
lattice = "simple-cubic"
cells = [3, 3, 3]
radius = 2e-3
material = "steel"
overlap = 1e-8
[[particles]]
file = "particles.csv"
material = "steel"
[[wall]]
point = [0.0, 0.0, -2e-3]
normal = [0.0, 0.0, 1.0]
material = "steel"
[law]
name = "hertz"
[friction]
law = "mindlin"
coefficient = 0.3
[time]
end = 50e-6
[sensors]
particles = [0, 13]
interval = 1e-6
[snapshots]
interval = 1e-5
"""
# Turning walls and meshes, twisting and rolling resistance, radii by a table, two random groups, bonds, gravity; periodic.
FLOW = """title = "flow"
[material.soft]
youngs_modulus = 1e7
poisson_ratio = 0.3
density = 2500
[box]
lower = [-5e-3, -5e-3, 0.0]
upper = [5e-3, 5e-3, 10e-3]
periodic = [false, false, true]
[[particles]]
random = 9
lower = [-4e-3, -2e-3, 0.0]
upper = [4e-3, 4e-3, 10e-3]
radii = { law = "table", file = "sieves.csv" }
velocity = [0.3, -0.8, 0.0]
material = "soft"
[[particles]]
random = 4
lower = [-3e-3, -4e-3, 0.0]
upper = [3e-3, -2e-3, 10e-3]
radius = 0.6e-3
velocity = [0.8, 0.3, 0.1]
material = "soft"
[[wall]]
shape = "cylinder"
point = [0.0, 0.0, 0.0]
axis = [0.0, 0.0, 1.0]
radius = 6e-3
material = "soft"
angular_velocity = 20.0
[[wall]]
shape = "mesh"
mesh_file = "baffle.stl"
point = [0.0, 0.0, 0.0]
axis = [0.0, 0.0, 1.0]
material = "soft"
angular_velocity = 20.0
[gravity]
acceleration = [0.0, -9.81, 0.0]
[law]
name = "tsuji"
restitution = 0.5
[friction]
law = "mindlin"
coefficient = 0.5
[rolling]
coefficient = 0.02
damping_ratio = 0.3
[time]
end = 4e-3
[sensors]
particles = [0, 10]
interval = 1e-4
[snapshots]
interval = 1e-3
"""
# A contact at rest under a load that oscillates, and one from a file: it lifts, lands and slips.
BLOCK = """title = "block"
[gravity]
acceleration = [0.0, -9.81]
[[body]]
name = "b"
mass = 1.0
inertia = 0.01
centre = [0.0, 0.0]
[[force]]
body = "b"
point = [0.0, 0.0]
force = [3.0, 15.0]
frequency = 2.1
phase = -1.5707963267948966
[[force]]
body = "b"
point = [0.0, 0.0]
force_file = "jolt.csv"
[[contact]]
kind = "point-line"
bodies = ["b", "ground"]
point = [0.0, 0.0]
line_point = [0.0, 0.0]
normal = [0.0, 1.0]
friction = { coefficient = 0.3 }
[dissipation]
per = ["contact", "particle", "wall"]
[law]
name = "impulse"
restitution = 0.0
[time]
end = 0.6
interval = 2e-3
"""
CASES = {
    "spheres.toml": """speed = 4.0
[body.a]
radius = 2.00e-2
mass = 0.2614
youngs_modulus = 6.5e10
poisson_ratio = 0.33
yield_stress = 3.0e7
[body.b]
radius = 2.05e-2
concave = true
fixed = true
youngs_modulus = 2.0e11
poisson_ratio = 0.29
[law]
name = "ma-liu"
psi = 2.8
""",
    "contact.toml": """speed = 1.0
[contact]
stiffness = 1e9
effective_mass = 1e-3
effective_radius = 5e-3
yield_stress = 1e8
[law]
name = "tabulated"
file = "indentation.csv"
""",
    "cylinders.toml": """speed = 0.2
[body.a]
radius = 4.75e-3
length = 15e-3
density = 7800
youngs_modulus = 2.1e11
poisson_ratio = 0.3
[body.b]
radius = 5e-3
fixed = true
length = 15e-3
youngs_modulus = 2.1e11
poisson_ratio = 0.3
[law]
name = "hertz"
restitution = 0.7
damping = "flores"
""",
    "ellipsoids.toml": (EXAMPLES / "ellipsoids.toml").read_text()}
# What `gradient` and `design` read beside a scenario.
STUDIES = {
    "objective.toml": """[[objective]]
kind = "peak"
contact = 8
smoothing = 8
[[objective]]
kind = "energy"
beads = [3, 9]
time = [2e-5, 9e-5]
weight = 1e3
""",
    "design.toml": """[design]
scenario = "loose.toml"
evaluations = 4
[[variable]]
input = "radius"
beads = [1, 9]
range = [1e-3, 4e-3]
[[constraint]]
sum = "mass"
beads = [1, 9]
equals = "start"
[[objective]]
kind = "peak"
contact = 10
""",
    "loose.toml": """[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
density = 7800
[[segment]]
beads = 1
radius = 2e-3
material = "steel"
velocity = 1.0
[[segment]]
beads = 9
radius = 2e-3
material = "steel"
[law]
name = "hertz"
[boundary]
right = "wall"
[time]
end = 1e-4
step = 2e-7
"""}
BAFFLE = ((0.004, 0.0, 0.0), (0.006, 0.0, 0.0), (0.006, 0.0, 0.01), (0.004, 0.0, 0.01))
TABLES = {
    "drive.csv": "time_s,displacement_m\n0,0\n2e-5,1e-6\n5e-5,2e-6\n1e-4,-2e-6\n",
    "particles.csv": "x_m,y_m,z_m,radius_m,vz_m_per_s\n2e-3,2e-3,13e-3,1e-3,-1.5\n6e-3,6e-3,13e-3,1e-3,-0.5\n",
    "indentation.csv": "overlap_m,loading_force_N,unloading_force_N\n0,0,\n1e-6,1,\n2e-6,3,\n4e-6,9,\n1e-5,40,\n",
    "sieves.csv": "radius_m,fraction\n5e-4,0\n6e-4,0.4\n6e-4,0.5\n7e-4,1\n",
    "jolt.csv": "time_s,force_x_N,force_y_N\n0,0,0\n0.2,0,0\n0.201,4,0\n0.3,4,2\n0.4,-4,0\n",
    "baffle.stl": "solid baffle\n" + "".join(
        "facet normal 0 1 0\nouter loop\n" + "".join("vertex {} {} {}\n".format(*BAFFLE[k]) for k in corners)
        + "endloop\nendfacet\n" for corners in ((0, 1, 2), (0, 2, 3))) + "endsolid baffle\n",
    "measured.csv": "t,3,9,16\n" + "".join(f"{i}e-6,{max(0, 9 - abs(i - 20))},{max(0, 8 - abs(i - 30))},"
                                            f"{max(0, 7 - abs(i - 40))}\n" for i in range(60))}
SYSTEMS = ("chain", "packing", "flow", "mechanism", "block")


def mechanism():
    text = (CONFIGS / "slider_crank.toml").read_text()
    return text.replace("end = 0.024", "end = 0.002")


class Seeds:
    """A folder with inputs and tables, and for each system a history, one of a killed run, and checkpoints."""

    def __init__(self, target, folder):
        self.folder, self.target = folder, target
        for name, text in {"chain.toml": CHAIN, "packing.toml": PACKING, "flow.toml": FLOW, "block.toml": BLOCK,
                           "mechanism.toml": mechanism(), **CASES, **STUDIES, **TABLES}.items():
            (folder / name).write_text(text)
        for system in SYSTEMS:
            status, message = target.run(["run", f"{system}.toml", "-o", f"{system}.h5", "--quiet"], folder)
            if status != 0:
                raise RuntimeError(f"{system}: {message.decode()}")
            self.stop(system, signal.SIGTERM)
            self.stop(system, signal.SIGKILL)
        status, message = target.run(["sweep", "chain.toml", "--vary", "law.restitution=0.5,0.9", "-o", "table.h5", "--quiet"],
                                  folder)
        if status != 0:
            raise RuntimeError(message.decode())
        (folder / "table.csv").unlink()

    def stop(self, system, how):
        """Writes the files of a run that a signal ends in its middle, after several checkpoints."""
        pause, *settings = {
            "chain": ("25000", "time.step=1e-11", "checkpoint.interval=1e-7"),
            "packing": ("2500", "time.step=1e-10", "checkpoint.interval=1e-7"),
            "flow": ("2500", "time.step=1e-7", "checkpoint.interval=2e-5"),
            "block": ("40", "time.end=2", "time.interval=1e-4", "checkpoint.interval=1e-2"),
            "mechanism": ("250", "time.end=2", "time.interval=1e-4", "checkpoint.interval=1e-2"),
        }[system]
        words = [word for setting in settings for word in ("--set", setting)]
        process = self.target.start(
            ["run", f"{system}.toml", "-o", f"{system}-{how.name}.h5", "--quiet", *words], self.folder,
            env={**self.target.environment, "BEADWAVE_PAUSE_AT_STEP": pause})
        if not stands(process):
            raise RuntimeError(f"{system}: ends before its step {pause}: {process.stderr.read().decode()}")
        process.send_signal(how)
        process.send_signal(signal.SIGCONT)
        process.communicate()

    def files(self, *endings):
        return sorted(path for path in self.folder.iterdir() if path.name.endswith(endings))

    def histories(self):
        """Including those of killed runs."""
        return [path for path in self.files(".h5") if path.name != "table.h5"]

    def checkpoints(self):
        return self.files(".checkpoint.h5")

    def history_of(self, checkpoint):
        """The names of the history of a checkpoint that exist: complete or still growing."""
        stem = pathlib.Path(checkpoint).name.removesuffix(".h5.checkpoint.h5")
        return [name for name in (f"{stem}.h5", f"{stem}.running.h5") if (self.folder / name).exists()]

    def lay_out(self, case, *names):
        """Copies the inputs, the tables and the files `names` to an empty folder."""
        for path in self.files(".toml", ".csv", ".stl"):
            shutil.copy(path, case)
        for name in names:
            shutil.copy(self.folder / name, case)

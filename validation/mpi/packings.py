"""Packings of thousands of particles, for runs that ranks share: a block has 1024 particles, and a rank needs one."""

HEAD = """
[material.soft]
youngs_modulus = {modulus}
poisson_ratio  = 0.3
density        = 2500
yield_stress   = 5e5

[law]
name = "{law}"
{settings}
"""

CRYSTAL = HEAD + """
[[particles]]
lattice  = "fcc"
cells    = [12, 12, 10]
radius   = 1e-3
material = "soft"

[[particles]]           # strikes a corner
position = [-1e-3, -1.2e-3, -1.5e-3]
radius   = 1e-3
material = "soft"
velocity = [1.0, 0.8, 1.2]
angular_velocity = [50, 0, 80]

[friction]
law         = "mindlin"
coefficient = 0.3
"""

LOOSE = HEAD + """
[[particles]]
random   = 2250
lower    = [0.0, 0.0, 0.0]
upper    = [0.045, 0.045, 0.0225]
radius   = 1e-3
disorder = 0.1
seed     = 3
velocity = [1.0, 0.0, 4.0]
angular_velocity = [100.0, 0.0, 0.0]
material = "soft"

[[particles]]
random   = 2250
lower    = [0.0, 0.0, 0.0225]
upper    = [0.045, 0.045, 0.045]
radius   = 1e-3
disorder = 0.1
seed     = 4
velocity = [0.0, -2.0, -4.0]
material = "soft"

[box]
lower       = [0.0, 0.0, 0.0]
upper       = [0.045, 0.045, 0.045]
periodic    = [true, true, true]
{box}

[measure]
interval = {end} / 4

[measure.grid]
cells = [3, 4, 5]
width = 2e-3
"""

HOPPER = HEAD + """
[[particles]]
random   = 4600
lower    = [-0.17, 0.3]
upper    = [0.17, 0.42]
radius   = 1e-3
disorder = 0.1
seed     = 3
velocity = [0.5, -3.0]
material = "soft"

[[particles]]
lattice  = "square"
cells    = [6, 1]
origin   = [-0.01, 0.29]
radius   = 2e-3
material = "soft"
fixed    = true

[[wall]]
point    = [0.0, 0.0]
normal   = [0.8660254037844387, 0.5]
material = "soft"

[[wall]]
point    = [0.0, 0.0]
normal   = [-0.8660254037844387, 0.5]
material = "soft"

[gravity]
acceleration = [0.0, -9.81]

[friction]
law         = "mindlin"
coefficient = 0.4

[rolling]
coefficient = 0.05
"""

CUP = HEAD + """
[[particles]]
random   = 4400
lower    = [-0.025, -0.025, 0.0]
upper    = [0.025, 0.025, 0.05]
radius   = 1e-3
disorder = 0.2
seed     = 2
velocity = [2.0, 0.0, -3.0]
material = "soft"

[[wall]]                # turns
shape    = "cylinder"
point    = [0.0, 0.0, -0.01]
axis     = [0.0, 0.0, 1.0]
radius   = 0.04
angular_velocity = 20.0
material = "soft"

[[wall]]                # shakes
point    = [0.0, 0.0, -1e-3]
normal   = [0.0, 0.0, 1.0]
frequency = 200.0
amplitude = 1e-4
material = "soft"

[[wall]]                # a lid with a mass
point    = [0.0, 0.0, 0.0515]
normal   = [0.0, 0.0, -1.0]
mass     = 0.05
force    = 20.0
material = "soft"

[gravity]
acceleration = [0.0, 0.0, -9.81]

[friction]
law         = "mindlin"
coefficient = 0.4
"""

CARRIED = """
[[foundation]]
every     = 3
particles = [0, 2879]
stiffness = 200.0
cubic     = 1e9
damping   = 1e-3
rotational_damping = 1e-9

[[resonator]]
particles = [1, 2879]
every     = 4
mass      = 2e-6
stiffness = 300.0
damping   = 1e-3

[[load]]
particles = [10, 2800]
every     = 37
frequency = 1e4
amplitude = [0.01, 0.0, -0.02]
cycles    = 1.5
"""

CARRYING = CRYSTAL + """
[[particles]]           # an intruder, driven
lattice  = "fcc"
cells    = [3, 3, 1]
origin   = [0.006, 0.006, -3.6e-3]
radius   = 1e-3
material = "soft"
velocity = [0.0, 0.0, 3.0]

[[drive]]
group    = 2
velocity = [0.0, 0.0, 3.0]

[[drive]]
particles = [300, 5000]
every     = 611
frequency = 5e3
amplitude = [0.0, 1e-5, 0.0]
axes      = [false, true, false]
rotates   = true

[[resonator]]
particles = [1, 5759]
every     = 8
mass      = 1e-6
stiffness = 100.0
""" + CARRIED

BONDED = CRYSTAL.replace("[12, 12, 10]", "[12, 12, 5]") + """
[[particles]]           # slides off the others, and tears
lattice  = "fcc"
cells    = [12, 12, 5]
origin   = [0.0, 0.0, 0.014142135623731]
radius   = 1e-3
material = "soft"
velocity = [2.0, 0.0, 0.3]

[[bond]]
distance = 1e-6
youngs_modulus   = 2e7
stiffness_ratio  = 2.0
radius_factor    = 0.7
tensile_strength = 6e4
shear_strength   = 3e4
""" + CARRIED + """
[measure]               # a region that the tear goes through
lower    = [0.004, 0.004, 0.008]
upper    = [0.03, 0.03, 0.022]
interval = {end} / 4
"""

SILO = HOPPER.replace("random   = 4600", "random   = 3600") + """
[[particles]]           # rain
random   = 900
lower    = [-0.1, 0.42]
upper    = [0.1, 0.5]
radius   = 1e-3
disorder = 0.1
seed     = 9
velocity = [0.0, -3.0]
material = "soft"
pour     = {{ rate = 1e5 }}

[[particles]]           # as fast as there is room
random   = 200
lower    = [-0.02, 0.43]
upper    = [0.02, 0.47]
radius   = 1.5e-3
velocity = [0.3, -4.0]
material = "soft"
pour     = {{ start = 1e-3 }}

[[exit]]
lower = [-0.08, 0.27]
upper = [0.08, 0.31]

[[exit]]
point  = [0.0, 0.288]
normal = [0.0, 1.0]
"""

RIDGES = HEAD + """
[[particles]]           # fly across the sides of the box
random   = 4400
lower    = [0.0, 0.0, 3e-3]
upper    = [0.036, 0.036, 0.043]
radius   = 1e-3
disorder = 0.2
seed     = 5
velocity = [2.0, -1.0, -3.0]
material = "soft"

[[wall]]                # a floor of ridges, from side to side, that shakes across them
shape     = "mesh"
mesh_file = "ridges.stl"
scale     = 1e-3
point     = [0.0, 0.0, 0.0]
axis      = [1.0, 0.0, 0.0]
frequency = 200.0
amplitude = 3e-4
material  = "soft"

[box]
lower    = [0.0, 0.0, 0.0]
upper    = [0.036, 0.036, 0.0]
periodic = [true, true, false]

[gravity]
acceleration = [0.0, 0.0, -9.81]

[friction]
law         = "mindlin"
coefficient = 0.4

[rolling]
coefficient = 0.05

[measure]
lower    = [0.0, 0.0, 0.0]
upper    = [0.036, 0.036, 0.01]
interval = {end} / 4
"""


SHAPES = HEAD + """
[[particles]]           # settle in a turning drum
shape    = "ellipsoid"
semi_axes = [2e-3, 1.5e-3, 1e-3]
orientation = "random"
random   = 28
lower    = [-0.006, -0.006, 0.0]
upper    = [0.006, 0.006, 0.03]
material = "soft"
velocity = [0.3, 0.0, -1.0]

[[particles]]
shape    = "clump"
spheres  = [[0.0, 0.0, 0.0, 1e-3], [1e-3, 0.0, 0.0, 1e-3]]
orientation = "random"
random   = 20
lower    = [-0.006, -0.006, 0.03]
upper    = [0.006, 0.006, 0.05]
material = "soft"
velocity = [0.0, 0.2, -1.0]

[[particles]]           # rain
shape    = "ellipsoid"
semi_axes = [1.2e-3, 1e-3, 1e-3]
orientation = "random"
random   = 10
lower    = [-0.006, -0.006, 0.05]
upper    = [0.006, 0.006, 0.055]
material = "soft"
velocity = [0.0, 0.0, -2.0]
pour     = {{ start = 1e-3 }}

[[wall]]
shape    = "cylinder"
point    = [0.0, 0.0, -0.01]
axis     = [0.0, 0.0, 1.0]
radius   = 0.011
angular_velocity = 20.0
material = "soft"

[[wall]]                # shakes
point    = [0.0, 0.0, -4e-3]
normal   = [0.0, 0.0, 1.0]
frequency = 200.0
amplitude = 1e-4
material = "soft"

[gravity]
acceleration = [0.0, 0.0, -9.81]

[friction]
law         = "mindlin"
coefficient = 0.4

[measure]
lower    = [-0.011, -0.011, -4e-3]
upper    = [0.011, 0.011, 0.03]
interval = {end} / 4
"""


def ridges(width=36, ridges=6, height=2.0):
    """A floor that goes up and down along x, as the text of an STL file."""
    step = width / (2 * ridges)
    points = [(k * step, height * (k % 2)) for k in range(2 * ridges + 1)]
    triangles = []
    for (x, z), (next_x, next_z) in zip(points, points[1:]):
        a, b, c, d = (x, 0, z), (next_x, 0, next_z), (next_x, width, next_z), (x, width, z)
        triangles += [(a, b, c), (a, c, d)]
    lines = ["solid ridges"]
    for triangle in triangles:
        corners = "\n".join("vertex {} {} {}".format(*corner) for corner in triangle)
        lines.append(f"facet normal 0 0 0\nouter loop\n{corners}\nendloop\nendfacet")
    return "\n".join([*lines, "endsolid ridges", ""])


# What scenarios read, by name.
FILES = {"ridges.stl": ridges()}


def write_files(folder):
    for name, text in FILES.items():
        (folder / name).write_text(text)


# By name: text, fields, steps, step [s].
SCENARIOS = {
    "struck crystal": (CRYSTAL, {"law": "hertz"}, 1500, 1.3e-7),
    "struck crystal, hysteretic": (CRYSTAL, {"law": "ma-liu"}, 800, 1.3e-7),
    "gas in a box": (LOOSE, {"law": "hertz", "box": ""}, 1500, 1.3e-7),
    "box with pistons": (LOOSE, {"law": "tsuji", "settings": "restitution = 0.5",
                                 "box": "strain_rate = [-50, 0, 0]\npistons = [false, true, true]\nstress = [0, 1e3, 1e3]"}, 1500, 1.3e-7),
    "hopper": (HOPPER, {"law": "tsuji", "settings": "restitution = 0.3", "plane": True, "modulus": "1e6"}, 2000, 3e-6),
    "crystal that carries": (CARRYING, {"law": "tsuji", "settings": "restitution = 0.8"}, 1500, 2e-7),
    "breaking block": (BONDED, {"law": "ma-liu"}, 1200, 1e-7),
    "silo with rain": (SILO, {"law": "tsuji", "settings": "restitution = 0.3", "plane": True, "modulus": "1e6"}, 2000, 3e-6),
    "rain on ridges": (RIDGES, {"law": "tsuji", "settings": "restitution = 0.3", "modulus": "1e7"}, 2000, 1e-6),
    "shapes in a drum": (SHAPES, {"law": "tsuji", "settings": "restitution = 0.3", "modulus": "1e7", "sensors": [0, 7, 40]}, 10000, 2e-6),
    "cup with a lid": (CUP, {"law": "tsuji", "settings": "restitution = 0.3", "modulus": "1e7"}, 2000, 3e-7),
}


# The same in mixed precision.
SCENARIOS |= {f"{name}, mixed": (text, {**fields, "mixed": True}, steps, step)
              for name, (text, fields, steps, step) in SCENARIOS.items() if text is not SHAPES}


def packing(name):
    """The text of a scenario, and its number of steps."""
    text, fields, steps, step = SCENARIOS[name]
    end = steps * step
    fields = {"settings": "", "box": "", "modulus": "1e8", "sensors": [0, 7, 1500, 3333, 4399], **fields}
    head = "dimension = 2\n" if fields.pop("plane", False) else ""
    head += 'precision = "mixed"\n' if fields.pop("mixed", False) else ""
    text = text.replace("{end} / 4", f"{end / 4}").format(**fields)
    return head + text + f"""
[time]
end = {end}
step = {step}

[sensors]
particles = {fields['sensors']}
interval  = {end / 97}

[snapshots]
interval = {end / 3}

[energy]
interval = {end / 20}
""", steps

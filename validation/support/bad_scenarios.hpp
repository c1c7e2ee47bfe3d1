// A correct scenario, and scenarios with every kind of error.
#pragma once

#include "bad_input.hpp"

namespace beadwave::validation {

inline constexpr std::string_view right_scenario = R"(title = "ten beads before a wall"

[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
yield_stress = 900e6
density = 7970

[material.rubber]
youngs_modulus = 1e7
poisson_ratio = 0.49

[[segment]]
beads = 1
radius = 2.38e-3
material = "steel"
velocity = 1.77

[[segment]]
beads = 9
radius = 2.4e-3
mass = 0.45e-3
material = "steel"

[law]
name = "ma-liu"
psi = 2.84

[boundary]
left = "free"
right = { kind = "wall", gap = 0.0 }

[time]
end = 100e-6
step = 1e-8

[sensors]
beads = [2, 5]
interval = 1e-7
)";

// clang-format off

/// Errors that read_scenario() finds while it reads.
inline std::vector<BadInput> bad_scenarios() {
    return {
        // ---- not a scenario ----
        {"an empty file", "", "", {}, "FILE: is empty: it gives no keys"},
        {"only comments", "", "# nothing yet\n", {}, "FILE: is empty: it gives no keys"},
        {"no TOML", "", "ten steel beads\n", {}, "FILE:1: not TOML: key-value pair: expected '=', saw 's'"},
        {"an unclosed string", R"(name = "ma-liu")", R"(name = "ma-liu)", {},
         "FILE:26: not TOML: string: unescaped control characters*"},
        {"a key twice", "poisson_ratio = 0.3\n", "poisson_ratio = 0.3\npoisson_ratio = 0.3\n", {},
         "FILE:6: not TOML: key-value pair: cannot redefine existing floating-point 'poisson_ratio'"},
        {"an HDF5 file", "", "\x89HDF\r\n\x1a\n", {}, "FILE: is an HDF5 file, not TOML"},
        {"a binary file", "", std::string_view("ELF\0\1\2", 6), {}, "FILE: is a binary file, not TOML"},
        // ---- unknown keys ----
        {"an unknown table", "[sensors]", "[sensor]", {},
         R"(FILE:37: sensor: unknown key; did you mean "sensors"?)"},
        {"an unknown key of a material", "density = 7970", "dencity = 7970", {},
         R"(FILE:7: material.steel.dencity: unknown key; did you mean "density"?)"},
        {"an unknown key of a segment", "radius = 2.4e-3", "raduis = 2.4e-3", {},
         R"(FILE:21: segment.1.raduis: unknown key; did you mean "radius"?)"},
        {"an unknown key of a bead kind", "mass = 0.45e-3", "pattern = [{ mass = 1e-3 }, { mas = 1e-3 }]", {},
         R"(FILE:22: segment.1.pattern.1.mas: unknown key; did you mean "mass"?)"},
        {"an unknown key of a law", "psi = 2.84", "phi = 2.84", {},
         R"(FILE:27: law.phi: unknown key; did you mean "psi"?)"},
        {"an unknown side", "left = ", "lefft = ", {},
         R"(FILE:30: boundary.lefft: unknown key; did you mean "left"?)"},
        {"an unknown key of a wall", "gap = 0.0", "gpa = 0.0", {},
         R"(FILE:31: boundary.right.gpa: unknown key; did you mean "gap"?)"},
        {"an unknown key of gravity", "[time]", "[gravity]\ng = 9.81\n[time]", {},
         "FILE:34: gravity.g: unknown key; known here: acceleration, equilibrium"},
        {"an unknown key of time", "step = 1e-8", "setp = 1e-8", {},
         R"(FILE:35: time.setp: unknown key; did you mean "step"?)"},
        {"an unknown key of sensors", "beads = [2, 5]", "beeds = [2, 5]", {},
         R"(FILE:38: sensors.beeds: unknown key; did you mean "beads"?)"},
        // ---- wrong types ----
        {"a string for a number", "step = 1e-8", R"(step = "fast")", {},
         R"(FILE:35: time.step = "fast": must be a number above 0, in s, not a string)"},
        {"a list for a number", "end = 100e-6", "end = [1e-6]", {},
         "FILE:34: time.end = [1e-06]: must be a number above 0, in s, not a list"},
        {"true for a number", "velocity = 1.77", "velocity = true", {},
         "FILE:17: segment.0.velocity = true: must be a number, in m/s, not true or false"},
        {"a number for a title", R"("ten beads before a wall")", "10", {},
         "FILE:1: title = 10: must be a string, not a number"},
        {"a number for a material", "radius = 2.4e-3\nmass = 0.45e-3\nmaterial = \"steel\"",
         "radius = 2.4e-3\nmaterial = 316", {},
         "FILE:22: segment.1.material = 316: must be the name of a material in quotes, not a number"},
        {"a number for a law", R"("ma-liu")", "5", {},
         "FILE:26: law.name = 5: must be a law's name (beadwave laws lists all), not a number"},
        {"a number for a boundary", R"(left = "free")", "left = 0", {},
         R"(FILE:30: boundary.left = 0: must be "free", "wall", "fixed", "driven" or "absorbing", not a number)"},
        {"a string for a table", R"(title = "ten beads before a wall")", "gravity = \"down\"", {},
         R"(FILE:1: gravity = "down": must be a table, such as [gravity], not a string)"},
        {"a string for true or false", "[time]",
         "[gravity]\nacceleration = 9.81\nequilibrium = \"no\"\n[time]", {},
         R"(FILE:35: gravity.equilibrium = "no": must be true or false, not a string)"},
        {"one segment as a table", "", "[material]\n[segment]\nbeads = 1\n", {},
         "FILE:2: segment: must be a list of tables, each headed [[segment]], not a table"},
        {"numbers for segments", "", "segment = [1, 2]\n[material]\n", {},
         "FILE:1: segment[0] = 1: must be a table, not a number"},
        {"one sensor without a list", "beads = [2, 5]", "beads = 2", {},
         "FILE:38: sensors.beads = 2: must be a list of whole numbers, such as [9, 16], not a number"},
        {"a pattern of numbers", "mass = 0.45e-3", "pattern = [1, 2]", {},
         "FILE:22: segment.1.pattern[0] = 1: must be a table, not a number"},
        // ---- numbers out of range ----
        {"a negative radius", "2.38e-3", "-0.002", {},
         "FILE:15: segment.0.radius = -0.002: must be a number above 0, in m"},
        {"a radius that is not a number", "2.38e-3", "nan", {},
         "FILE:15: segment.0.radius = nan: must be finite: a number above 0, in m"},
        {"an infinite modulus", "193e9", "inf", {},
         "FILE:4: material.steel.youngs_modulus = inf: must be finite: a number above 0, in Pa"},
        {"a Poisson ratio of 0.6", "0.49", "0.6", {},
         "FILE:11: material.rubber.poisson_ratio = 0.6: must be a number above -1 up to 0.5"},
        {"a Poisson ratio of -1", "0.49", "-1", {},
         "FILE:11: material.rubber.poisson_ratio = -1: must be a number above -1 up to 0.5"},
        {"a yield stress of 0", "900e6", "0", {},
         "FILE:6: material.steel.yield_stress = 0: must be a number above 0, in Pa"},
        {"no mass", "0.45e-3", "0.0", {}, "FILE:22: segment.1.mass = 0.0: must be a number above 0, in kg"},
        {"no beads", "beads = 9", "beads = 0", {},
         "FILE:20: segment.1.beads = 0: must be a whole number from 1 to 1000000000"},
        {"beads with a decimal point", "beads = 9", "beads = 9.0", {},
         "FILE:20: segment.1.beads = 9.0: must be a whole number from 1 to 1000000000, without a decimal "
         "point"},
        {"more beads than allowed", "beads = 9", "beads = 3000000000", {},
         "FILE:20: segment.1.beads = 3000000000: must be a whole number from 1 to 1000000000"},
        {"more beads in total than allowed", "beads = 9", "beads = 1000000000", {},
         "FILE:20: segment.1.beads = 1000000000: makes 1000000001 beads in total; all segments together may "
         "have 1000000000"},
        {"too much disorder", "mass = 0.45e-3", "disorder = 0.5", {},
         "FILE:22: segment.1.disorder = 0.5: must be a number from 0 to 0.3"},
        {"a negative seed", "mass = 0.45e-3", "disorder = 0.1\nseed = -1", {},
         "FILE:23: segment.1.seed = -1: must be a whole number from 0 to 9223372036854775807"},
        {"a taper of 0", "mass = 0.45e-3", "taper = 0", {},
         "FILE:22: segment.1.taper = 0: must be a number above 0"},
        {"a law's parameter out of range", "psi = 2.84", "psi = 28.4", {},
         "FILE:27: law.psi = 28.4: must be a number from 1 to 10"},
        {"a wall gap below 0", "gap = 0.0", "gap = -1e-3", {},
         "FILE:31: boundary.right.gap = -0.001: must be a number from 0, in m"},
        {"gravity upwards", "[time]", "[gravity]\nacceleration = -9.81\n[time]", {},
         "FILE:34: gravity.acceleration = -9.81: must be a number from 0, in m/s^2"},
        {"precompression of 0", "[time]", "[precompression]\nforce = 0.0\n[time]", {},
         "FILE:34: precompression.force = 0.0: must be a number above 0, in N"},
        {"an unknown key of the checkpoints", "[time]", "[checkpoint]\nintervl = 1e-4\n[time]", {},
         R"(FILE:34: checkpoint.intervl: unknown key; did you mean "interval"?)"},
        {"checkpoints without a time", "[time]", "[checkpoint]\n[time]", {},
         R"(FILE:33: checkpoint.wall_interval: missing; give wall-clock time: "90 s", "10 min" or "1 h", or interval, in s of simulated time)"},
        {"checkpoints at a number without a unit", "[time]", "[checkpoint]\nwall_interval = 60\n[time]", {},
         R"(FILE:34: checkpoint.wall_interval = 60: must be wall-clock time: "90 s", "10 min" or "1 h", not a number)"},
        {"checkpoints at an unknown unit", "[time]", "[checkpoint]\nwall_interval = \"2 days\"\n[time]", {},
         R"(FILE:34: checkpoint.wall_interval = "2 days": must be wall-clock time: "90 s", "10 min" or "1 h")"},
        {"checkpoints every 0 s", "[time]", "[checkpoint]\nwall_interval = \"0 s\"\n[time]", {},
         R"(FILE:34: checkpoint.wall_interval = "0 s": must be wall-clock time: "90 s", "10 min" or "1 h")"},
        {"checkpoints at a negative interval", "[time]", "[checkpoint]\ninterval = -1e-4\n[time]", {},
         "FILE:34: checkpoint.interval = -0.0001: must be a number above 0, in s"},
        {"snapshots every 0 s", "[time]", "[snapshots]\ninterval = 0.0\n[time]", {},
         "FILE:34: snapshots.interval = 0.0: must be a number above 0, in s"},
        {"an end before the start", "100e-6", "-1e-3", {},
         "FILE:34: time.end = -0.001: must be a number above 0, in s"},
        {"a step beyond the end", "step = 1e-8", "step = 1e-3", {},
         "FILE:35: time.step = 0.001: must not exceed time.end, 0.0001 s"},
        // ---- names and numbers that refer to nothing ----
        {"a misspelt law", R"("ma-liu")", R"("ma-lui")", {},
         R"(FILE:26: law.name = "ma-lui": no such law; did you mean "ma-liu"? (beadwave laws lists all))"},
        {"an unknown law", R"("ma-liu")", R"("coulomb-friction")", {},
         R"(FILE:26: law.name = "coulomb-friction": no such law (beadwave laws lists all))"},
        {"a misspelt material", "mass = 0.45e-3\nmaterial = \"steel\"", "material = \"steal\"", {},
         R"(FILE:22: segment.1.material = "steal": no such material; did you mean "steel"?)"},
        {"an unknown material", "mass = 0.45e-3\nmaterial = \"steel\"", "material = \"copper\"", {},
         R"(FILE:22: segment.1.material = "copper": no such material; known here: rubber, steel)"},
        {"a wall of an unknown material", "gap = 0.0", R"(material = "brick")", {},
         R"(FILE:31: boundary.right.material = "brick": no such material; known here: rubber, steel)"},
        {"a misspelt boundary", R"("free")", R"("fre")", {},
         R"(FILE:30: boundary.left = "fre": must be "free", "wall", "fixed", "driven" or "absorbing"; did you mean "free"?)"},
        {"a sensor on a bead that is not there", "[2, 5]", "[2, 10]", {},
         "FILE:38: sensors.beads[1] = 10: there is no such bead; this chain has beads 0 to 9"},
        {"a sensor on bead -1", "[2, 5]", "[-1]", {},
         "FILE:38: sensors.beads[0] = -1: there is no such bead; this chain has beads 0 to 9"},
        {"two sensors on one bead", "[2, 5]", "[\n  2,\n  5,\n  2,\n]", {},
         "FILE:41: sensors.beads[2] = 2: is in the list already; list each bead once"},
        {"a sensor between beads", "[2, 5]", "[2, 5.0]", {},
         "FILE:38: sensors.beads[1] = 5.0: must be a whole number, without a decimal point"},
        {"no sensors in the list", "[2, 5]", "[]", {},
         "FILE:38: sensors.beads = []: is empty; give a list of bead numbers, such as [9, 16]"},
        // ---- missing keys ----
        {"no material", "", "title = \"nothing\"\n", {},
         "FILE: material: missing; give at least one [material.NAME] with youngs_modulus and poisson_ratio"},
        {"no segment", "", "[material.steel]\nyoungs_modulus = 193e9\npoisson_ratio = 0.3\n", {},
         "FILE: segment: missing; give at least one [[segment]]: a chain needs beads"},
        {"an empty list of segments", "",
         "segment = []\n[material.steel]\nyoungs_modulus = 193e9\npoisson_ratio = 0.3\n", {},
         "FILE:1: segment = []: is empty; give at least one [[segment]]: a chain needs beads"},
        {"no Poisson ratio", "poisson_ratio = 0.49", "", {},
         "FILE:9: material.rubber.poisson_ratio: missing; give a number above -1 up to 0.5"},
        {"no number of beads", "beads = 9", "", {},
         "FILE:19: segment.1.beads: missing; give the number of beads"},
        {"no radius", "radius = 2.4e-3", "", {},
         "FILE:19: segment.1.radius: missing; give a number above 0, in m"},
        {"no radius for one bead kind", "radius = 2.4e-3",
         "pattern = [{ radius = 1e-3 }, { mass = 1e-3 }]", {},
         "FILE:19: segment.1.radius: missing; give a number above 0, in m"},
        {"no material of a segment", "mass = 0.45e-3\nmaterial = \"steel\"", "", {},
         "FILE:19: segment.1.material: missing; give the name of a material"},
        {"neither mass nor density", "mass = 0.45e-3\nmaterial = \"steel\"", "material = \"rubber\"", {},
         R"(FILE:19: segment.1.mass: missing; give a number above 0, in kg, or material "rubber" a )"
         R"(density)"},
        {"a bead kind with neither mass nor density", "mass = 0.45e-3",
         R"(pattern = [{ mass = 1e-3 }, { material = "rubber" }])", {},
         R"(FILE:22: segment.1.pattern.1.mass: missing; give a number above 0, in kg, or material )"
         R"("rubber" a density)"},
        {"an empty pattern", "mass = 0.45e-3", "pattern = []", {},
         "FILE:22: segment.1.pattern = []: must hold at least one bead kind, such as [{ radius = 1e-3 }]"},
        {"an empty bead kind", "mass = 0.45e-3", "pattern = [{}]", {},
         "FILE:22: segment.1.pattern.0: is empty; give at least one of radius, mass, material"},
        {"no law", "[law]\nname = \"ma-liu\"\npsi = 2.84\n", "", {},
         "FILE: law: missing; give [law] with the name of a law (beadwave laws lists all)"},
        {"no name of the law", "name = \"ma-liu\"", "", {},
         "FILE:25: law.name: missing; give a law's name (beadwave laws lists all)"},
        {"no restitution", "name = \"ma-liu\"\npsi = 2.84", "name = \"ye\"", {},
         "FILE:25: law.restitution: missing; flores needs a number above 0 up to 1"},
        {"an unknown word in a law", "name = \"ma-liu\"\npsi = 2.84",
         "name = \"flores\"\nrestitution = 0.6\nseparation = \"froce\"", {},
         R"(FILE:28: law.separation = "froce": must be "gap" or "force"; did you mean "force"?)"},
        {"no kind of end", "kind = \"wall\", ", "", {},
         R"(FILE:31: boundary.right.kind: missing; give "free", "wall", "fixed", "driven" or "absorbing")"},
        {"a gap without a wall", R"(kind = "wall")", R"(kind = "fixed")", {},
         "FILE:31: boundary.right.gap = 0.0: only a wall has a gap"},
        {"a driven end as a word, without its motion", R"(left = "free")", R"(left = "driven")", {},
         R"(FILE:30: boundary.left = "driven": does not give the motion; give a table, such as { kind = "driven", frequency = 5000, amplitude = 1e-7 })"},
        {"a driven end without a motion", R"({ kind = "wall", gap = 0.0 })", R"({ kind = "driven" })", {},
         "FILE:31: boundary.right.frequency: missing; give frequency, in Hz, and amplitude, in m, or file, the path of a CSV file"},
        {"a drive without an amplitude", R"({ kind = "wall", gap = 0.0 })", R"({ kind = "driven", frequency = 5000 })", {},
         "FILE:31: boundary.right.amplitude: missing; give a number, in m"},
        {"a drive without a frequency", R"({ kind = "wall", gap = 0.0 })", R"({ kind = "driven", amplitude = 1e-7 })", {},
         "FILE:31: boundary.right.frequency: missing; give a number above 0, in Hz"},
        {"a drive with an amplitude of 0", "gap = 0.0", "gap = 0.0, frequency = 5000, amplitude = 0", {"boundary.right.kind=driven"},
         "FILE:31: boundary.right.amplitude = 0: must be a number other than 0, in m"},
        {"a third of a cycle", "gap = 0.0", "frequency = 5000, amplitude = 1e-7, cycles = 0.33", {"boundary.right.kind=driven"},
         "FILE:31: boundary.right.cycles = 0.33: must be a multiple of 0.5: the wall must stop where it started"},
        {"a drive from both a file and a frequency", "gap = 0.0", R"(file = "piston.csv", frequency = 5000)", {"boundary.right.kind=driven"},
         "FILE:31: boundary.right.frequency = 5000: is given together with file; a driven end takes only one of them"},
        {"a file that is not there", "gap = 0.0", R"(file = "/no/such.csv")", {"boundary.right.kind=driven"},
         R"(FILE:31: boundary.right.file = "/no/such.csv": /no/such.csv: no such file)"},
        {"a number for a file", "gap = 0.0", "file = 5", {"boundary.right.kind=driven"},
         "FILE:31: boundary.right.file = 5: must be the path of a CSV file, not a number"},
        {"a wall with a frequency", "gap = 0.0", "frequency = 5000", {},
         "FILE:31: boundary.right.frequency = 5000: only a driven end has frequency"},
        {"no time", "[time]\nend = 100e-6\nstep = 1e-8\n", "", {},
         "FILE: time: missing; give [time] with end, in s"},
        {"no end", "end = 100e-6", "", {}, "FILE:33: time.end: missing; give a number above 0, in s"},
        {"sensors without a list of beads", "beads = [2, 5]", "", {},
         "FILE:37: sensors.beads: missing; give a list of bead numbers, such as [9, 16]"},
        {"an empty table", "[time]", "[energy]\n[time]", {},
         "FILE:33: energy.interval: missing; give a number above 0, in s"},
        {"a key of 33 parts", "title = ", "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1\ntitle = ", {},
         "FILE:1: a key of more than 32 parts"},
        {"a material without a name", "[material.rubber]", "[material.\"\"]", {},
         R"(FILE:3: material."": a material needs a name)"},
        {"a material's name on two lines", "[material.rubber]", "[material.\"a\\nb\"]", {},
         R"(FILE:3: material."a\u000Ab": a material's name must not have control characters)"},
        // ---- --set ----
        {"a key of 33 parts in --set", "", "", {"a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a=1"},
         "--set a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a... = 1: the key has more than 32 parts"},
        {"a wrong value", "", "", {"time.step=fast"},
         R"(--set time.step = "fast": must be a number above 0, in s, not a string)"},
        {"an unknown key", "", "", {"law.nmae=hertz"},
         R"(--set law.nmae: unknown key; did you mean "name"?)"},
        {"a misspelt law in --set", "", "", {"law.name=herz"},
         R"(--set law.name = "herz": no such law; did you mean "hertz"? (beadwave laws lists all))"},
        {"a sensor that is not there", "", "", {"sensors.beads[0]=12"},
         "--set sensors.beads[0] = 12: there is no such bead; this chain has beads 0 to 9"},
        {"a second value that is wrong", "", "", {"time.end=1e-4", "time.end=-1"},
         "--set time.end = -1: must be a number above 0, in s"},
        {"no equals sign", "", "", {"law.name"},
         "--set law.name: must be key=value, for example --set law.name=hertz"},
        {"no key", "", "", {"=hertz"}, "--set =hertz: must be key=value, for example --set law.name=hertz"},
        {"no value", "", "", {"law.name="}, "--set law.name = : gives no value after the equals sign"},
        {"two dots", "", "", {"law..name=hertz"},
         "--set law..name = hertz: the key has an empty part or an open bracket"},
        {"an open bracket", "", "", {"sensors.beads[1=3"},
         "--set sensors.beads[1 = 3: the key has an empty part or an open bracket"},
        {"a segment that is not there", "", "", {"segment.2.beads=5"},
         "--set segment.2.beads = 5: there is no segment.2: segment holds 2, counted from 0"},
        {"no number of the segment", "", "", {"segment.beads=5"},
         "--set segment.beads = 5: segment is a list: select an element by its number, for example segment.0"},
        {"a tail of a wall", R"(left = "free")", R"(left = { kind = "wall", tail = 4 })", {},
         "FILE:30: boundary.left.tail = 4: only an absorbing end has a tail"},
        {"a foundation without anything", "[time]", "[[foundation]]\nbeads = \"all\"\n[time]", {},
         "FILE:33: foundation.0.stiffness: missing; give at least one of stiffness, cubic and damping"},
        {"beads of an element as a word", "[time]", "[[resonator]]\nbeads = \"most\"\nmass = 1e-4\nstiffness = 1e5\n[time]", {},
         "FILE:34: resonator.0.beads = \"most\": must be \"all\", or the first and the last bead, such as [0, 9]"},
        {"a bond without a stiffness", "[time]", "[[bond]]\ncontacts = \"all\"\n[time]", {},
         "FILE:33: bond.0.stiffness: missing; give a number above 0, in N/m"},
        {"contacts of a bond as a word", "[time]", "[[bond]]\ncontacts = \"most\"\nstiffness = 1e5\n[time]", {},
         "FILE:34: bond.0.contacts = \"most\": must be \"all\", or the first and the last contact, such as [1, 9]"},
        {"a bond with a wall", "[time]", "[[bond]]\ncontacts = [0, 3]\nstiffness = 1e5\n[time]", {},
         "FILE:34: bond.0.contacts[0] = 0: must be a whole number from 1*"},
        {"a resonator without a mass", "[time]", "[[resonator]]\nstiffness = 1e5\n[time]", {},
         "FILE:33: resonator.0.mass: missing; give a number above 0, in kg"},
        {"a load without a force", "[time]", "[[load]]\nbead = 3\n[time]", {},
         "FILE:33: load.0.force: missing; give force, in N, or frequency, in Hz, and amplitude, in N, or file, the path of a CSV file"},
        {"a load of two kinds", "[time]", "[[load]]\nbead = 3\nforce = 1.0\nfrequency = 1e3\n[time]", {},
         "FILE:36: load.0.frequency = 1000.0: is given in addition to force; give one of the two"},
        {"a force without contact, without a law", "[time]", "[[pair_force]]\nneighbours = 2\n[time]", {},
         "FILE:33: pair_force.0.force: missing; give force, in N, distance, in m, and exponent, or moments, in A m^2"},
        {"a power law of magnets", "[time]", "[[pair_force]]\nmoments = [0.4]\nexponent = 3.0\n[time]", {},
         "FILE:35: pair_force.0.exponent = 3.0: belongs to force, not to moments"},
        {"too many neighbours", "[time]", "[[pair_force]]\nmoments = [0.4]\nneighbours = 17\n[time]", {},
         "FILE:35: pair_force.0.neighbours = 17: must be a whole number from 1 to 16"},
        {"a key inside a number", "", "", {"time.end.unit=s"},
         "--set time.end.unit = s: time.end is a number, not a table"},
        {"a key of a missing table", "", "", {"gravity.equilibrium=true"},
         "FILE: gravity.acceleration: missing; give a number from 0, in m/s^2"},
    };
}

/// Scenarios that can be read, but from which no chain can be built or run.
inline std::vector<BadInput> impossible_scenarios() {
    return {
        {"a step that cannot be stable", "step = 1e-8", "step = 5e-5", {},
         "FILE:35: time.step = 5e-05: cannot be stable*"},
        {"a step that misses the drive", R"({ kind = "wall", gap = 0.0 })", R"({ kind = "driven", frequency = 8e6, amplitude = 1e-9 })", {},
         "FILE:35: time.step = 1e-08: too long for the driven right end, whose period is 1.25e-07 s; expected at most 6.25e-09 s, a twentieth of it"},
        {"an element behind the last bead", "[time]", "[[foundation]]\nbeads = [4, 10]\nstiffness = 1e5\n[time]", {},
         "FILE:34: foundation.0.beads = [4, 10]: there is no bead 10; expected beads from 0 to 9"},
        {"an element of no bead", "[time]", "[[foundation]]\nbeads = [4, 2]\nstiffness = 1e5\n[time]", {},
         "FILE:34: foundation.0.beads = [4, 2]: ends before it begins; expected [first, last], such as [0, 9]"},
        {"a bond behind the last bead", "[time]", "[[bond]]\ncontacts = [4, 10]\nstiffness = 1e5\n[time]", {},
         "FILE:34: bond.0.contacts = [4, 10]: there is no contact 10 between two beads; expected contacts from 1 to 9"},
        {"a bond of no contact", "[time]", "[[bond]]\ncontacts = [4, 2]\nstiffness = 1e5\n[time]", {},
         "FILE:34: bond.0.contacts = [4, 2]: ends before it begins; expected [first, last], such as [1, 9]"},
        {"two bonds at one contact", "[time]", "[[bond]]\nstiffness = 1e5\n[[bond]]\ncontacts = [3, 3]\nstiffness = 1e5\n[time]", {},
         "FILE:36: bond.1.contacts = [3, 3]: contact 3 has a bond already"},
        {"a bond that is broken at the start", "[time]", "[[bond]]\nstiffness = 1e5\nstrength = 1.0\ngap = -1e-3\n[time]", {},
         "FILE:33: bond.0.contacts: contact 1 has a bond that is broken at the start: it pulls with 100 N, and its strength is 1 N"},
        {"a bond that equilibrium does not have", "[time]", "[precompression]\nforce = 5.0\n[[bond]]\nstiffness = 1e5\ngap = 0.0\n[time]", {"segment.0.velocity=0"},
         "FILE:37: bond.0.gap = 0.0: cannot be used in a chain that starts in static equilibrium, whose bonds have no force there"},
        {"sleep with bonds", "[time]", "[[bond]]\nstiffness = 1e5\n[time]", {"time.sleep_speed=1e-4"},
         "--set time.sleep_speed = 0.0001: a chain with a bond cannot put beads to sleep"},
        {"bonds in a tail", "[boundary]\nleft = \"free\"", "[[bond]]\ncontacts = [4, 4]\nstiffness = 1e5\n[boundary]\nleft = { kind = \"absorbing\", tail = 4 }", {},
         "FILE:33: boundary.left: its tail has a bond, at contact 4, and a tail with bonds does not know its drag yet; expected bonds outside of the tail"},
        {"a tail longer than the chain", R"(left = "free")", R"(left = "absorbing")", {},
         "FILE:30: boundary.left = \"absorbing\": its tail has 100 beads, and the chain 10; expected a longer chain, or a shorter boundary.left.tail"},
        {"sleep in a tail", R"(left = "free")", R"(left = { kind = "absorbing", tail = 4 })", {"time.sleep_speed=1e-4"},
         "--set time.sleep_speed = 0.0001: a chain with an absorbing end cannot put beads to sleep"},
        {"a driven striker", "[time]", "[[drive]]\nbead = 0\nfrequency = 1e3\namplitude = 1e-7\n[time]", {},
         "FILE:34: drive.0.bead = 0: has a velocity of 1.77 m/s at the start; a driven bead moves as its drive says"},
        {"two driven neighbours", "[time]", "[[drive]]\nbead = 3\nfrequency = 1e3\namplitude = 1e-7\n[[drive]]\nbead = 4\nfrequency = 1e3\namplitude = 1e-7\n[time]", {},
         "FILE:38: drive.1.bead = 4: is next to another driven bead; expected a bead between them"},
        {"a step that misses a load", "[time]", "[[load]]\nbead = 3\nfrequency = 8e6\namplitude = 1.0\n[time]", {},
         "FILE:39: time.step = 1e-08: too long for a load over time, whose period is 1.25e-07 s; expected at most 6.25e-09 s, a twentieth of it"},
        {"sleep with masses inside", "[time]", "[[resonator]]\nmass = 1e-4\nstiffness = 1e5\n[time]", {"time.sleep_speed=1e-4"},
         "--set time.sleep_speed = 0.0001: a chain with a resonator cannot put beads to sleep"},
        {"sleep with magnets", "[time]", "[[pair_force]]\nmoments = [0.4]\n[time]", {"time.sleep_speed=1e-4"},
         "--set time.sleep_speed = 0.0001: a chain with a pair_force cannot put beads to sleep"},
        {"weight on a cubic spring", "[time]", "[gravity]\nacceleration = 9.81\n[[resonator]]\nmass = 1e-4\nstiffness = 1e5\ncubic = 1e12\n[time]", {},
         "FILE:35: resonator.0: its masses have a weight and hang on their springs at the start: expected a stiffness above 0, no cubic term and gravity.equilibrium = true"},
        {"ma-liu without a yield stress", "yield_stress = 900e6", "", {},
         R"(FILE:26: law.name = "ma-liu": law "ma-liu" needs a yield stress*)"},
        {"gravity with nothing to hold the chain", "right = { kind = \"wall\", gap = 0.0 }",
         "right = \"free\"\n[gravity]\nacceleration = 9.81", {},
         "FILE:33: gravity.acceleration = 9.81: *"},
    };
}

// clang-format on

}  // namespace beadwave::validation

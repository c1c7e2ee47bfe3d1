"""Files of other programs: what `beadwave export` and bw.export write is what the history holds, read by a plain reader of the format's
page, and by the programs' own readers where they are installed (LAMMPS, gsd, VTK). LAMMPS's files also lead back into a scenario."""
import csv
import importlib.util
import itertools
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

import h5py
import numpy as np

import beadwave as bw
from beadwave._figures import report_module
from support import CONFIGS, PLAIN, InFolder, main, program

MATERIAL = """
[material.steel]
youngs_modulus = 2e11
poisson_ratio = 0.3
density = 7850

[material.glass]
youngs_modulus = 7e10
poisson_ratio = 0.25
density = 2500
"""
REST = """
[law]
name = "hertz"
[friction]
law = "mindlin"
coefficient = 0.3
[time]
end = 2e-5
step = 1e-7
[snapshots]
interval = 5e-6
"""
# Two materials, a box that repeats along x, a particle that leaves the box, rotation.
PACKING = MATERIAL + """
[[particles]]
random = 40
lower = [0.0, 0.0, 0.0]
upper = [0.05, 0.05, 0.05]
radius = 2e-3
disorder = 0.1
seed = 3
material = "steel"
velocity = [7.0, 1.0, -3.0]
angular_velocity = [1.0, -2.0, 300.0]

[[particles]]
position = [0.0499, 0.02, 0.09]
radius = 1.7e-3
material = "glass"
velocity = [100.0, 0.0, 0.0]

[box]
lower = [0.0, 0.0, 0.0]
upper = [0.05, 0.05, 0.05]
periodic = [true, false, false]
""" + REST


def write(name, text):
    with open(name, "w", encoding="utf-8") as out:
        out.write(text)


def written(history, output, snapshot=None):
    """The file `output` by what `beadwave export` and bw.export start, here without an interpreter for each file: some tests call the
    program and the package themselves."""
    words = [] if snapshot is None else [f"--snapshot={snapshot}"]
    assert report_module("export.__main__").main(["--format", os.path.splitext(output)[1], "--to", output, *words, "--", history]) == 0


def dump_snapshots(path):
    """The snapshots of a LAMMPS dump file, by the items of LAMMPS's page: dictionaries of ITEM, and of the columns of the atoms."""
    with open(path, encoding="ascii") as file:
        lines = file.read().split("\n")
    at, units, snapshots, items = 0, None, [], {}
    while at < len(lines) - 1:
        head = lines[at]
        assert head.startswith("ITEM: "), head
        name = head.removeprefix("ITEM: ")
        if name.startswith("ATOMS"):
            count = int(items["NUMBER OF ATOMS"])
            rows = [line.split(" ") for line in lines[at + 1:at + 1 + count]]
            for column, words in zip(name.split()[1:], zip(*rows), strict=True):
                items[column] = np.array([float(word) for word in words])
            snapshots.append(items)
            items, at = {}, at + 1 + count
        elif name.startswith("BOX BOUNDS"):
            items["boundary"] = name.split()[2:]
            items["box"] = np.array([[float(word) for word in line.split()] for line in lines[at + 1:at + 4]])
            at += 4
        elif name == "UNITS":
            units, at = lines[at + 1], at + 2
        else:
            items[name] = lines[at + 1]
            at += 2
    return units, snapshots


def data_particles(path):
    """The sections of a LAMMPS data file, as arrays of numbers."""
    with open(path, encoding="ascii") as file:
        title, *lines = file.read().split("\n")
    sections, name, head = {}, None, {}
    for line in lines:
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0] in ("Atoms", "Velocities"):
            name = words[0]
        elif name is None:
            head[" ".join(words[-2:])] = words
        else:
            sections.setdefault(name, []).append([float(word) for word in words])
    return title, head, {name: np.array(rows) for name, rows in sections.items()}


class Exports(InFolder):
    @classmethod
    def setUpClass(cls):
        """The histories that most tests export, made once: each test has a copy of them in its own folder."""
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.made = folder.name
        write(f"{cls.made}/packing.toml", PACKING)
        for name, scenario, *more in (("packing", f"{cls.made}/packing.toml"), ("chain", CONFIGS / "chain70.toml", "--set", "time.end=2e-5"),
                                      ("mechanism", CONFIGS / "slider_crank.toml", "--set", "time.end=1e-4")):
            program("run", scenario, "-o", f"{cls.made}/{name}.h5", "--quiet", *more)

    def setUp(self):
        super().setUp()
        shutil.copytree(self.made, ".", dirs_exist_ok=True)

    def files(self):
        for name, group in (("packing", "particles/all"), ("chain", "particles/beads"), ("mechanism", "particles/all")):
            with h5py.File(f"{name}.h5") as history:
                yield name, history, history[group]

    def test_a_dump_holds_every_snapshot_to_the_last_digit(self):
        for name, _, bodies in self.files():
            out, _ = program("export", f"{name}.h5", "-o", f"{name}.dump")
            self.assertEqual(out, f"{name}.dump\n")
            units, snapshots = dump_snapshots(f"{name}.dump")
            self.assertEqual(units, "si")
            self.assertEqual(len(snapshots), len(bodies["position/value"]))
            unwrapped = "u" if name == "packing" else ""
            for row, shot in enumerate(snapshots):
                self.assertEqual(float(shot["TIME"]), bodies["position/time"][row])
                self.assertEqual(int(shot["TIMESTEP"]), bodies["position/step"][row])
                self.assertEqual(shot["id"].tolist(), (bodies["id"][:] + 1).tolist())
                for axis, letter in enumerate("xyz"):
                    self.assertEqual(shot[letter + unwrapped].tolist(), bodies["position/value"][row, :, axis].tolist())
                    self.assertEqual(shot[f"v{letter}"].tolist(), bodies["velocity/value"][row, :, axis].tolist())
                self.assertEqual(shot["mass"].tolist(), bodies["mass"][:].tolist())
                if name == "mechanism":
                    self.assertNotIn("radius", shot)
                    self.assertEqual(shot["omegaz"].tolist(), bodies["angular_velocity/value"][row].tolist())
                    self.assertEqual(shot["angle"].tolist(), bodies["angle/value"][row].tolist())
                else:
                    self.assertEqual(shot["radius"].tolist(), bodies["radius"][:].tolist())
                    self.assertEqual(shot["type"].tolist(), (bodies["species"][:] + 1).tolist())
                if name == "packing":
                    self.assertEqual(shot["omegaz"].tolist(), bodies["angular_velocity/value"][row, :, 2].tolist())
                    self.assertEqual(shot["boundary"], ["pp", "ff", "ff"])
                    self.assertEqual(shot["box"][0].tolist(), [0.0, 0.05])
                    reach = bodies["position/value"][row, :, 2] + bodies["radius"][:]
                    self.assertEqual(shot["box"][2, 1], reach.max())

    def expected_columns(self, name, bodies, row):
        """The numbers of a snapshot, by the names of csv_file.py without units."""
        def vectors(quantity, along):
            values = bodies[f"{quantity}/value"][row]
            if values.ndim == 1:
                values = np.eye(3)[along] * values[:, None]
            return values
        found = dict(zip("xyz", vectors("position", 0).T)) | dict(zip(("vx", "vy", "vz"), vectors("velocity", 0).T))
        if name != "chain":
            found |= dict(zip(("wx", "wy", "wz"), vectors("angular_velocity", 2).T))
        found["mass"] = bodies["mass"][:]
        found |= {"angle": bodies["angle/value"][row]} if name == "mechanism" else {"radius": bodies["radius"][:]}
        return found

    def test_a_table_holds_a_row_per_body_and_snapshot(self):
        units = {"mass": "_kg", "angle": "_rad", "v": "_m_per_s", "w": "_rad_per_s"}
        for name, _, bodies in self.files():
            bw.export(f"{name}.h5", f"{name}.csv")
            with open(f"{name}.csv", encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            count = len(bodies["mass"])
            self.assertEqual(len(rows), count * len(bodies["position/time"]))
            kind = "body" if name == "mechanism" else "material"
            self.assertEqual({row[kind] for row in rows}, {"packing": {"steel", "glass"}, "chain": {"steel316"}, "mechanism": {"crank", "rod", "slider"}}[name])
            for row, time in enumerate(bodies["position/time"][:]):
                part = rows[row * count:(row + 1) * count]
                self.assertEqual({float(line["time_s"]) for line in part}, {time})
                self.assertEqual([int(line["id"]) for line in part], list(range(count)))
                columns = self.expected_columns(name, bodies, row)
                for key, values in columns.items():
                    unit = units.get(key) or units.get(key[0] if len(key) == 2 else "", "_m")
                    self.assertEqual([float(line[key + unit]) for line in part], values.tolist(), key)
                self.assertEqual(len(part[0]), 4 + len(columns))

    def test_xyz_names_its_columns_and_its_box(self):
        for name, _, bodies in self.files():
            written(f"{name}.h5", f"{name}.xyz")
            with open(f"{name}.xyz", encoding="utf-8") as file:
                lines = file.read().splitlines()
            at = 0
            for row, time in enumerate(bodies["position/time"][:]):
                count, head = int(lines[at]), lines[at + 1]
                values = dict(re.findall(r'(\w+)=("[^"]*"|\S+)', head))
                self.assertEqual(float(values["Time"]), time)
                self.assertEqual(values["pbc"], '"T F F"' if name == "packing" else '"F F F"')
                properties = values["Properties"].split(":")
                widths = [int(width) for width in properties[2::3]]
                table = np.array([line.split()[1:] for line in lines[at + 2:at + 2 + count]], float)
                self.assertEqual(table.shape, (len(bodies["mass"]), sum(widths) - 1))
                columns = self.expected_columns(name, bodies, row)
                self.assertEqual(table.tolist(), np.column_stack([columns[key] for key in sorted(
                    columns, key=["x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "mass", "radius", "angle"].index)]).tolist())
                if name == "packing":
                    edges = [float(number) for number in values["Lattice"].strip('"').split()]
                    self.assertEqual((edges[0], edges[1:4]), (0.05, [0.0, 0.0, 0.0]))
                    self.assertEqual(float(values["Origin"].strip('"').split()[0]), 0.0)
                at += 2 + count
            self.assertEqual(at, len(lines))

    def test_polydata_holds_one_snapshot(self):
        for name, _, bodies in self.files():
            for row in (-1, 1):
                written(f"{name}.h5", f"{name}.vtp", row)
                root = ElementTree.parse(f"{name}.vtp").getroot()
                arrays = {array.get("Name"): np.array(array.text.split(), float).reshape(-1, int(array.get("NumberOfComponents")))
                          for array in root.iter("DataArray")}
                columns = self.expected_columns(name, bodies, row)
                self.assertEqual(arrays["Points"].tolist(), np.column_stack([columns[axis] for axis in "xyz"]).tolist())
                self.assertEqual(arrays["velocity"].tolist(), np.column_stack([columns[axis] for axis in ("vx", "vy", "vz")]).tolist())
                self.assertEqual(arrays["mass"][:, 0].tolist(), columns["mass"].tolist())
                self.assertEqual(arrays["TimeValue"].item(), bodies["position/time"][row])
                piece = root.find("PolyData/Piece")
                self.assertEqual((piece.get("NumberOfPoints"), piece.get("NumberOfVerts")), (str(len(bodies["mass"])),) * 2)
                self.assertEqual(arrays["offsets"][:, 0].tolist(), list(range(1, len(bodies["mass"]) + 1)))

    def test_a_data_file_holds_one_snapshot(self):
        for name, _, bodies in itertools.islice(self.files(), 2):
            for row, option in ((-1, []), (1, ["--snapshot", "1"]), (-2, ["--snapshot", "-2"])):
                program("export", f"{name}.h5", "-o", f"{name}.data", *option)
                title, head, sections = data_particles(f"{name}.data")
                self.assertIn("units = si", title)
                self.assertEqual(head["atom types"][0], "2" if name == "packing" else "1")
                atoms, velocities = sections["Atoms"], sections["Velocities"]
                self.assertEqual(atoms[:, 0].tolist(), (bodies["id"][:] + 1).tolist())
                self.assertEqual(atoms[:, 1].tolist(), (bodies["species"][:] + 1).tolist())
                self.assertEqual((atoms[:, 2] / 2.0).tolist(), bodies["radius"][:].tolist())
                self.assertEqual(atoms[:, 4:].tolist(), bodies["position/value"][row].tolist())
                self.assertEqual(velocities[:, 1:4].tolist(), bodies["velocity/value"][row].tolist())
                if name == "packing":
                    self.assertEqual(velocities[:, 4:].tolist(), bodies["angular_velocity/value"][row].tolist())
                # The quotient and the product with the volume round; a unit in the last place is 2.2e-16.
                mass = atoms[:, 3] * math.pi / 6.0 * atoms[:, 2]**3
                np.testing.assert_allclose(mass, bodies["mass"][:], rtol=1e-15)

    def test_a_scenario_continues_from_the_files_of_lammps(self):
        one = PACKING.replace('material = "glass"', 'material = "steel"')
        write("one.toml", one)
        program("run", "one.toml", "-o", "one.h5", "--quiet")
        without_density = MATERIAL.replace("density = 7850\n", "")
        for ending in ("data", "dump", "lammpstrj"):
            written("one.h5", f"one.{ending}")
            write("next.toml", without_density + f"""
[[particles]]
file = "one.{ending}"
material = "steel"
""" + one[one.index("[box]"):])
            program("run", "next.toml", "-o", "next.h5", "--quiet")
            with h5py.File("one.h5") as first, h5py.File("next.h5") as second:
                before, after = first["particles/all"], second["particles/all"]
                for quantity in ("position", "velocity"):
                    self.assertEqual(after[f"{quantity}/value"][0].tolist(), before[f"{quantity}/value"][-1].tolist())
                # The engine holds the product with the radius: two roundings, each of up to 1.1e-16.
                np.testing.assert_allclose(after["angular_velocity/value"][0], before["angular_velocity/value"][-1], rtol=2.3e-16)
                self.assertEqual(after["radius"][:].tolist(), before["radius"][:].tolist())
                np.testing.assert_allclose(after["mass"][:], before["mass"][:], rtol=1e-15)

    def test_one_group_per_type_gives_each_its_material(self):
        program("export", "packing.h5", "-o", "packing.data")
        rest = PACKING[PACKING.index("[box]"):]
        groups = "".join(f'[[particles]]\nfile = "packing.data"\ntype = {k}\nmaterial = "{name}"\n'
                         for k, name in ((1, "steel"), (2, "glass")))
        write("next.toml", MATERIAL + groups + rest)
        _, warned = program("run", "next.toml", "-o", "next.h5")
        self.assertNotIn("types of particles", warned)
        with h5py.File("packing.h5") as first, h5py.File("next.h5") as second:
            before, after = first["particles/all"], second["particles/all"]
            self.assertEqual(after["species"][:].tolist(), before["species"][:].tolist())
            self.assertEqual(after["position/value"][0].tolist(), before["position/value"][-1].tolist())
        write("one.toml", MATERIAL + '[[particles]]\nfile = "packing.data"\nmaterial = "steel"\n' + rest)
        _, warned = program("run", "one.toml", "-o", "one.h5")
        self.assertIn("packing.data: 2 types of particles get one material; a group with type = 1 takes one of them", warned)
        write("wrong.toml", MATERIAL + '[[particles]]\nfile = "packing.data"\ntype = 3\nmaterial = "steel"\n' + rest)
        _, error = program("run", "wrong.toml", status=2)
        self.assertIn("no particle of type 3; found the types 1, 2", error)
        write("p.csv", "x_m,y_m,z_m,radius_m\n0,0,0,0.001\n")
        write("wrong.toml", MATERIAL + '[[particles]]\nfile = "p.csv"\ntype = 3\nmaterial = "steel"\n' + rest)
        _, error = program("run", "wrong.toml", status=2)
        self.assertIn("particles.0.type = 3: is for files of LAMMPS; a CSV file has no types", error)

    def test_lammps_reads_both_files(self):
        lammps = shutil.which("lmp")
        if lammps is None:
            self.skipTest("LAMMPS is not installed")
        columns = "id type x y z vx vy vz omegax omegay omegaz radius mass"
        form = f"{columns} modify sort id format float %.17g"
        for name, _, bodies in itertools.islice(self.files(), 2):
            bw.export(f"{name}.h5", f"{name}.data", snapshot=0)
            bw.export(f"{name}.h5", f"{name}.dump")
            steps = bodies["position/step"][:]
            edges = "p f f" if name == "packing" else "f f f"
            write("in.lammps", f"units si\natom_style sphere\nboundary {edges}\nread_data {name}.data\n"
                  f"write_dump all custom first.dump {form}\n"
                  f"read_dump {name}.dump {steps[-1]} x y z vx vy vz box yes\nwrite_dump all custom last.dump {form}\n")
            done = subprocess.run([lammps, "-in", "in.lammps", "-log", "none"], capture_output=True, text=True, check=False, env=PLAIN)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            for file, row in (("first.dump", 0), ("last.dump", -1)):
                _, (shot,) = dump_snapshots(file)
                position, velocity = bodies["position/value"][row], bodies["velocity/value"][row]
                for axis, letter in enumerate("xyz"):
                    there = position[:, axis]
                    if name == "packing" and axis == 0:  # LAMMPS wraps what is outside, which rounds
                        np.testing.assert_allclose(shot["x"], there % 0.05, rtol=0.0, atol=1e-17)
                        inside = (there >= 0.0) & (there < 0.05)
                        self.assertEqual(shot["x"][inside].tolist(), there[inside].tolist())
                        self.assertEqual((~inside).any(), row == -1)
                    else:
                        self.assertEqual(shot[letter].tolist(), there.tolist())
                    self.assertEqual(shot[f"v{letter}"].tolist(), velocity[:, axis].tolist())
                self.assertEqual(shot["radius"].tolist(), bodies["radius"][:].tolist())
                np.testing.assert_allclose(shot["mass"], bodies["mass"][:], rtol=1e-15)
                self.assertEqual(shot["type"].tolist(), (bodies["species"][:] + 1).tolist())

    def test_beadwave_reads_what_lammps_writes(self):
        lammps = shutil.which("lmp")
        if lammps is None:
            self.skipTest("LAMMPS is not installed")
        write("in.lammps", """units si
atom_style sphere
boundary p p f
lattice fcc 0.01
region box block 0 3 0 3 0 3
create_box 2 box
create_atoms 1 region box
set group all diameter 4e-3 density 2500
set type 1 type/fraction 2 0.5 7
velocity all set 0.5 -0.25 0.125 units box
set group all omega 1 2 3
write_data lmp.data
write_dump all custom lmp.dump id type x y z vx vy vz omegax omegay omegaz diameter mass modify units yes time yes format float %.17g
""")
        done = subprocess.run([lammps, "-in", "in.lammps", "-log", "none"], capture_output=True, text=True, check=False, env=PLAIN)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        _, (shot,) = dump_snapshots("lmp.dump")
        order = np.argsort(shot["id"])
        for ending in ("data", "dump"):
            write("from.toml", MATERIAL + f'[[particles]]\nfile = "lmp.{ending}"\nmaterial = "glass"\n' + REST)
            run = bw.load("from.toml").run()
            for axis, letter in enumerate("xyz"):
                self.assertEqual(run["start"][:, axis].tolist(), shot[letter][order].tolist())
            self.assertEqual(run["velocity"][0].tolist(), [[0.5, -0.25, 0.125]] * len(order))
            self.assertEqual(run["angular_velocity"][0].tolist(), [[1.0, 2.0, 3.0]] * len(order))
            np.testing.assert_allclose(run["mass"], shot["mass"][order], rtol=1e-15)

    def test_gsd(self):
        if importlib.util.find_spec("gsd") is None:
            self.skipTest("gsd is not installed")
        import gsd.fl
        import gsd.hoomd
        for name, _, bodies in self.files():
            written(f"{name}.h5", f"{name}.gsd")
            with gsd.fl.open(f"{name}.gsd", "rb") as file:
                self.assertEqual((file.application, file.schema), ("beadwave export, SI units", "hoomd"))
            with gsd.hoomd.open(f"{name}.gsd", "rb") as frames:
                self.assertEqual(len(frames), len(bodies["position/value"]))
                for row, frame in enumerate(frames):
                    exact, particles = bodies["position/value"][row], frame.particles
                    frame.validate()
                    self.assertEqual(frame.configuration.step, bodies["position/step"][row])
                    self.assertEqual(frame.log["time"][0], bodies["position/time"][row])
                    self.assertEqual(frame.log["particles/position"].tolist(), exact.tolist())
                    box = frame.configuration.box[:3].astype(float)
                    whole = particles.position + frame.log["centre"] + box * particles.image
                    # float32: half a unit of the last place of half the box, and of the box per image.
                    limit = 6e-8 * (0.5 + np.abs(particles.image).max()) * box.max()
                    np.testing.assert_allclose(whole, exact, rtol=0.0, atol=limit)
                    self.assertLessEqual(np.abs(particles.position / box).max(), 0.5 + 1e-6)
                    np.testing.assert_allclose(particles.mass, bodies["mass"][:], rtol=6e-8)
                    np.testing.assert_allclose(particles.velocity, bodies["velocity/value"][row], rtol=6e-8, atol=1e-37)
                    if name != "mechanism":
                        np.testing.assert_allclose(particles.diameter, 2.0 * bodies["radius"][:], rtol=6e-8)
                        self.assertEqual(particles.typeid.tolist(), bodies["species"][:].tolist())
                if name == "packing":
                    self.assertEqual(frames[0].particles.types, ["steel", "glass"])
                    self.assertEqual(frames[-1].log["particles/angular_velocity"].tolist(),
                                     bodies["angular_velocity/value"][-1].tolist())
                    self.assertNotEqual(frames[-1].particles.image[40, 0], 0)
                else:
                    self.assertEqual(len(frames[0].particles.types), 3 if name == "mechanism" else 1)

    def vtkhdf_arrays(self, grid, row):
        """Points and point data of one step by the rules of VTKHDF's page."""
        steps = grid["Steps"]
        self.assertEqual((steps["PartOffsets"][row], steps["NumberOfParts"][row]), (0, 1))
        count, first = grid["NumberOfPoints"][0], steps["PointOffsets"][row]
        arrays = {"Points": grid["Points"][first:first + count]}
        for name, data in grid["PointData"].items():
            offset = steps["PointDataOffsets"][name][row] if name in steps["PointDataOffsets"] else first
            arrays[name] = data[offset:offset + count]
        return arrays

    def expected_arrays(self, name, history, bodies, row):
        expected = {"Points": bodies["position/value"][row]}
        for quantity, member in bodies.items():
            if isinstance(member, h5py.Group):
                if quantity not in ("box", "position"):
                    expected[quantity] = member["value"][row]
            elif quantity != "name":
                expected[quantity] = member[:]
        if name == "chain":
            force = history["observables/contact_force/value"][row]
            expected |= {"force_left": force[:-1], "force_right": force[1:]}
        return expected

    def check_rows(self, grid, name, history, bodies):
        for row in range(len(bodies["position/value"])):
            found, expected = self.vtkhdf_arrays(grid, row), self.expected_arrays(name, history, bodies, row)
            self.assertEqual(found.keys(), expected.keys())
            for quantity, values in expected.items():
                self.assertEqual(found[quantity].tolist(), values.tolist())

    def test_vtkhdf_refers_to_all_snapshots(self):
        for name, history, bodies in self.files():
            written(f"{name}.h5", f"{name}.vtkhdf")
            with h5py.File(f"{name}.vtkhdf") as file:
                grid = file["VTKHDF"]
                count = len(bodies["mass"])
                self.assertEqual((grid.attrs["Type"], grid.attrs["Version"].tolist()), (b"UnstructuredGrid", [2, 0]))
                self.assertEqual(grid["NumberOfCells"][:].tolist(), [count])
                self.assertEqual(grid["NumberOfConnectivityIds"][:].tolist(), [count])
                self.assertEqual(grid["Connectivity"][:].tolist(), list(range(count)))
                self.assertEqual(grid["Offsets"][:].tolist(), list(range(count + 1)))
                self.assertEqual(set(grid["Types"][:]), {1})
                self.assertTrue(grid["Points"].is_virtual)
                self.assertEqual(grid["Steps"].attrs["NSteps"], len(bodies["position/value"]))
                self.assertEqual(grid["Steps/Values"][:].tolist(), bodies["position/time"][:].tolist())
                self.check_rows(grid, name, history, bodies)

    def test_vtkhdf_with_a_copy_does_not_need_the_history(self):
        for name, history, bodies in self.files():
            if name == "chain":
                bw.export(f"{name}.h5", "copy.vtkhdf", copy=True)
            else:
                self.assertEqual(program("export", f"{name}.h5", "-o", "copy.vtkhdf", "--copy"), ("copy.vtkhdf\n", ""))
            os.rename(f"{name}.h5", "elsewhere.h5")
            with h5py.File("copy.vtkhdf") as file:
                grid = file["VTKHDF"]
                self.assertFalse(any(data.is_virtual for data in (grid["Points"], *grid["PointData"].values())))
                self.assertEqual(grid["Steps/Values"][:].tolist(), bodies["position/time"][:].tolist())
                self.check_rows(grid, name, history, bodies)
            os.remove("copy.vtkhdf")

    def test_a_copy_that_nothing_needs_is_refused(self):
        for ending, snapshot, expected in (
                ("dump", None, "--copy: is for .vtkhdf and .hdf, which otherwise refer to the history; .dump holds its numbers in any case"),
                ("hdf", -1, "--copy: a file of one --snapshot holds its numbers in any case; leave out one of the two")):
            words = [] if snapshot is None else [f"--snapshot={snapshot}"]
            _, error = program("export", "chain.h5", "-o", f"x.{ending}", "--copy", *words, status=2)
            self.assertEqual(error, f"beadwave: {expected}\n")
            with self.assertRaises(bw.InputError) as raised:
                bw.export("chain.h5", f"x.{ending}", copy=True, snapshot=snapshot)
            self.assertEqual(str(raised.exception), expected)
        self.assertFalse([name for name in os.listdir() if name.startswith((".x", "x."))])

    def test_vtk_reads_it(self):
        if importlib.util.find_spec("vtkmodules") is None:
            self.skipTest("VTK is not installed")
        script = """
import sys
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline
from vtkmodules.vtkIOHDF import vtkHDFReader
reader = vtkHDFReader()
assert reader.CanReadFile(sys.argv[1])
reader.SetFileName(sys.argv[1])
reader.UpdateInformation()
times = reader.GetOutputInformation(0).Get(Pipeline.TIME_STEPS()) or [None]
saved = {"times": np.array(times, dtype=float)}
for row, time in enumerate(times):
    reader.Update() if time is None else reader.UpdateTimeStep(time)
    grid = reader.GetOutputDataObject(0)
    grid = grid.GetPartition(0) if grid.IsA("vtkPartitionedDataSet") else grid
    assert grid.GetNumberOfCells() == grid.GetNumberOfPoints()
    saved[f"Points {row}"] = vtk_to_numpy(grid.GetPoints().GetData())
    data = grid.GetPointData()
    for k in range(data.GetNumberOfArrays()):
        saved[f"{data.GetArrayName(k)} {row}"] = vtk_to_numpy(data.GetArray(k))
np.savez("vtk.npz", **saved)
"""
        for name, history, bodies in self.files():
            program("export", f"{name}.h5", "-o", f"{name}.vtkhdf", *(["--copy"] if name == "packing" else []))
            done = subprocess.run([sys.executable, "-c", script, f"{name}.vtkhdf"], capture_output=True, text=True, check=False, env=PLAIN)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            with np.load("vtk.npz") as found:
                rows = 1  # VTK before 9.3 shows the first snapshot
                if not np.isnan(found["times"][0]):
                    rows = len(bodies["position/time"])
                    self.assertEqual(found["times"].tolist(), bodies["position/time"][:].tolist())
                for row in range(rows):
                    for quantity, values in self.expected_arrays(name, history, bodies, row).items():
                        self.assertEqual(found[f"{quantity} {row}"].tolist(), values.tolist())

    def test_vtk_9_1_reads_one_snapshot_without_a_warning(self):
        """Version 1.0 of the format: of the numbers of one snapshot, held by the file itself."""
        installed = importlib.util.find_spec("vtkmodules") is not None
        script = """
import sys
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOHDF import vtkHDFReader
reader = vtkHDFReader()
reader.SetFileName(sys.argv[1])
reader.Update()
grid = reader.GetOutputDataObject(0)
grid = grid.GetPartition(0) if grid.IsA("vtkPartitionedDataSet") else grid
print(vtk_to_numpy(grid.GetPoints().GetData()).tolist())
"""
        for name, history, bodies in self.files():
            written(f"{name}.h5", "one.vtkhdf", 1)
            expected = self.expected_arrays(name, history, bodies, 1)
            with h5py.File("one.vtkhdf") as file:
                grid = file["VTKHDF"]
                self.assertEqual(grid.attrs["Version"].tolist(), [1, 0])
                self.assertNotIn("Steps", grid)
                self.assertFalse(grid["Points"].is_virtual)
                self.assertEqual(grid["NumberOfCells"][:].tolist(), [len(bodies["mass"])])
                found = {"Points": grid["Points"][:], **{key: data[:] for key, data in grid["PointData"].items()}}
                self.assertEqual(found.keys(), expected.keys())
                for quantity, values in expected.items():
                    self.assertEqual(found[quantity].tolist(), values.tolist())
            if installed:
                done = subprocess.run([sys.executable, "-c", script, "one.vtkhdf"], capture_output=True, text=True, check=False, env=PLAIN)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(done.stdout.strip(), repr(expected["Points"].tolist()))

    def test_mdanalysis_reads_trajectories(self):
        if importlib.util.find_spec("MDAnalysis") is None:
            self.skipTest("MDAnalysis is not installed")
        script = """
import sys
import numpy as np
import MDAnalysis
universe = MDAnalysis.Universe(sys.argv[1], format="LAMMPSDUMP")
np.savez("md.npz", positions=[step.positions.copy() for step in universe.trajectory], velocities=[step.velocities.copy() for step in universe.trajectory],
         corners=[step.dimensions[:3].copy() for step in universe.trajectory])
"""
        for name, history, bodies in self.files():
            written(f"{name}.h5", f"{name}.lammpstrj")
            done = subprocess.run([sys.executable, "-W", "ignore", "-c", script, f"{name}.lammpstrj"], capture_output=True, text=True,
                                  check=False, env=PLAIN)
            self.assertEqual(done.returncode, 0, done.stderr)
            position = bodies["position/value"][:]
            with np.load("md.npz") as found:
                self.assertEqual(found["positions"].shape, position.shape)
                # It counts from the lower corner, in single precision: differences of positions are the same to 1e-6 of the largest.
                ours, theirs = position - position[:, :1], found["positions"] - found["positions"][:, :1]
                np.testing.assert_allclose(theirs, ours, rtol=0, atol=1e-6 * np.abs(position).max() + 1e-12)

    def test_another_folder(self):
        program("run", CONFIGS / "chain70.toml", "-o", "50% of a.h5", "--quiet", "--set", "time.end=1e-5")
        os.mkdir("sub")
        bw.export("50% of a.h5", "sub/a.vtkhdf")
        with h5py.File("sub/a.vtkhdf") as file, h5py.File("50% of a.h5") as history:
            points = history["particles/beads/position/value"][:].reshape(-1, 3)
            self.assertEqual(file["VTKHDF/Points"][:].tolist(), points.tolist())

    def test_errors(self):
        for words, expected in (
                (["chain.h5", "-o", "x.dmp"], "--output x.dmp: the name must end in .vtkhdf, .hdf, .dump, .lammpstrj, .data, .gsd, .xyz, "
                                              '.csv, .vtp; did you mean ".dump"?'),
                (["missing.h5", "-o", "x.dump"], "missing.h5: no such file"),
                (["packing.toml", "-o", "x.dump"], "packing.toml: "),
                (["mechanism.h5", "-o", "x.data"], "mechanism.h5: a LAMMPS data file holds spheres; the bodies of a mechanism have no "
                                                   "radius. Expected a chain or a packing, or an output that ends in .dump, .gsd, "
                                                   ".xyz, .csv, .vtp or .vtkhdf"),
                (["chain.h5", "-o", "x.dump", "--snapshot", "1"], "--snapshot 1: is for .data, .vtp and .vtkhdf, which can hold one snapshot; .dump "
                                                                  "holds all"),
                (["packing.h5", "-o", "x.data", "--snapshot", "5"], "--snapshot 5: packing.h5 has the snapshots 0 to 4, or -5 to -1 "
                                                                    "from the end")):
            _, error = program("export", *words, status=2)
            self.assertTrue(error.startswith(f"beadwave: {expected}"), error)
            with self.assertRaises(bw.InputError) as raised:
                bw.export(words[0], words[2], snapshot=int(words[4]) if len(words) > 4 else None)
            self.assertTrue(str(raised.exception).startswith(expected), raised.exception)
        self.assertFalse([name for name in os.listdir() if name.startswith((".x", "x."))])

    def test_without_snapshots(self):
        chain = (CONFIGS / "chain70.toml").read_text(encoding="utf-8")
        write("bare.toml", chain[:chain.index("[snapshots]")])
        program("run", "bare.toml", "-o", "bare.h5", "--quiet", "--set", "time.end=1e-5")
        _, error = program("export", "bare.h5", "-o", "x.dump", status=2)
        self.assertEqual(error, "beadwave: bare.h5: holds no snapshots, so there is nothing to export; add to the scenario, for example: "
                         "[snapshots] interval = 1e-6 (in s)\n")

    def test_files_of_others_are_not_replaced(self):
        for ending, ours in ((".dump", False), (".data", True), (".gsd", True), (".vtkhdf", True), (".xyz", True),
                             (".csv", False), (".vtp", True)):
            if ending == ".gsd" and importlib.util.find_spec("gsd") is None:
                continue
            write("x" + ending, "mine")
            _, error = program("export", "chain.h5", "-o", "x" + ending, status=2)
            self.assertIn("refusing to overwrite it without --overwrite", error)
            program("export", "chain.h5", "-o", "x" + ending, "--overwrite")
            program("export", "chain.h5", "-o", "x" + ending, status=0 if ours else 2)


if __name__ == "__main__":
    main()

"""CSV files: one row per body and snapshot, with names and units in the first row. Bodies count from 0, as in the history."""
import csv

import numpy as np

UNITS = {"pos": "m", "velo": "m_per_s", "angular_velocity": "rad_per_s", "mass": "kg", "radius": "m", "semi_axes": "m", "orientation": "",
         "exponents": "", "angle": "rad", "temperature": "K"}
PARTS = {"pos": "xyz", "velo": ("vx", "vy", "vz"), "angular_velocity": ("wx", "wy", "wz"), "semi_axes": "abc",
         "orientation": ("qw", "qx", "qy", "qz"), "exponents": ("n2", "n1")}


def write(frames, path, _snapshot):
    with open(path, "w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        for row in range(len(frames.time)):
            names, columns = [], []
            for name, values in frames.columns(row):
                values = np.asarray(values)
                unit = f"_{UNITS[name]}" if UNITS[name] else ""
                names += [f"{part}{unit}" for part in (PARTS[name] if values.ndim == 2 else (name,))]
                columns += list(values.T) if values.ndim == 2 else [values]
            if row == 0:
                table.writerow(["time_s", "step", "id", "material" if frames.system != "mechanism" else "body", *names])
            for body in frames.present(row).tolist():
                table.writerow([repr(float(frames.time[row])), int(frames.step[row]), body, frames.names[frames.species[body]],
                                *(repr(float(column[body])) for column in columns)])

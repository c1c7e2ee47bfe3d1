#!/usr/bin/python3
"""Checks the two files of a beadwave sweep: the HDF5 layout, and that the CSV holds the same numbers.

    check_sweep.py HDF5 CSV RUNS SENSORS

Stops at the first fault with exit status 1. Needs h5py.
"""
import argparse
import csv
import math

import h5py

SENSORS = {"peak_force": ("N", "N"), "arrival_time": ("s", "s"), "peak_velocity": ("m s-1", "m_per_s")}
RUNS = {"initial_energy": "J", "kinetic_energy": "J", "stored_energy": "J", "dissipated_energy": "J",
        "broken_energy": "J", "external_work": "J", "sleep_loss_energy": "J", "energy_error": "J", "relative_energy_error": None,
        "momentum": "kg m s-1", "steps": None, "time_step": "s"}
CSV_UNITS = {"kg m s-1": "_kg_m_per_s", None: ""}


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def unit(data, expected):
    found = text(data.attrs["unit"]) if "unit" in data.attrs else None
    assert found == expected, f"{data.name} is in {found}, expected {expected}"


def same(cell, number):
    """Whether the text in the CSV is the number in the HDF5 file, to the last bit."""
    return float(cell) == number or (math.isnan(float(cell)) and (number == 0 or math.isnan(number)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("hdf5")
    parser.add_argument("csv")
    parser.add_argument("runs", type=int)
    parser.add_argument("sensors", type=int)
    expected = parser.parse_args()

    with open(expected.csv, newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    assert [int(row["run"]) for row in rows] == list(range(expected.runs)), "the CSV's runs"

    columns = {"run", "status", "warnings", "error"}
    with h5py.File(expected.hdf5, "r") as file:
        sweep = file["sweep"]
        names = {number: name for name, number in h5py.check_enum_dtype(sweep["status"].dtype).items()}
        assert set(names.values()) == {"done", "failed", "not_run"}, names
        for run, row in enumerate(rows):
            assert names[sweep["status"][run]] == row["status"], f"status of run {run}"
            assert text(sweep["error"][run]) == row["error"], f"error of run {run}"
            assert text(sweep["warnings"][run]) == row["warnings"], f"warnings of run {run}"

        keys = [text(key) for key in sweep.attrs["varied"]]
        assert set(keys) == set(sweep["parameters"]), "varied keys and parameters"
        for key in keys:
            columns.add(key)
            for row, value in zip(rows, sweep["parameters"][key][:], strict=True):
                equal = text(value) == row[key] if isinstance(value, bytes) else float(row[key]) == value
                assert equal, f"{key}: {value} and {row[key]}"

        for name, (its_unit, suffix) in SENSORS.items():
            data = sweep["sensor_" + name]
            unit(data, its_unit)
            assert data.shape == (expected.runs, expected.sensors), f"{data.name} has shape {data.shape}"
            beads = sweep["sensor_beads"][:]
            assert list(data.attrs["beads"]) == list(beads), f"{data.name} names other beads"
            for sensor, bead in enumerate(beads):
                column = f"{name}_{bead}_{suffix}"
                columns.add(column)
                for row, value in zip(rows, data[:, sensor]):
                    assert same(row[column], value), f"{column}: {value} and {row[column]}"

        for name, its_unit in RUNS.items():
            unit(sweep[name], its_unit)
            column = name + CSV_UNITS.get(its_unit, f"_{its_unit}")
            columns.add(column)
            for row, value in zip(rows, sweep[name][:], strict=True):
                assert same(row[column], value), f"{column}: {value} and {row[column]}"

        for name in ("scenario", "version"):
            assert file["parameters"][name].asstr()[()] != "", f"{name} is empty"
    assert set(rows[0]) == columns, set(rows[0]) ^ columns


if __name__ == "__main__":
    main()

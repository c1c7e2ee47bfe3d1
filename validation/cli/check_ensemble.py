#!/usr/bin/python3
"""Checks ensembles of `beadwave sweep --members`: against single runs, a closed form, and numpy.

    check_ensemble.py PROGRAM CONFIGS

Stops at the first fault with exit status 1. Needs h5py.
"""
import argparse
import csv
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from held import Held  # noqa: E402 (the folder comes first)

# A free body: its place after t is linear in its speed, so the members' mean and spread are known.
FLIGHT = """[[body]]
name = "stone"
mass = 1.0
inertia = 1.0
centre = [0.5, 0.0]
velocity = [2.0, 0.0]
[time]
end = 1.0
interval = 0.125
"""


def command(program, folder, *words, status=0):
    done = subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == status, f"{words}: {done.returncode}: {done.stderr}"
    return done.stderr


def sweep(program, folder, scenario, name, *words):
    command(program, folder, "sweep", scenario, "--quiet", "-o", f"{name}.h5", *words)
    return h5py.File(folder / f"{name}.h5")["sweep"]


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def statistics(values):
    return values.mean(axis=0), values.std(axis=0, ddof=1), np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95], axis=0)


def check_flight(program, folder):
    (folder / "flight.toml").write_text(FLIGHT)
    table = sweep(program, folder, "flight.toml", "flight", "--members", 60, "--disturb", "body.0.velocity.0=0.03", "--seed", 5,
                  "--over-time", "position.0.0")
    speeds, times = table["parameters/body.0.velocity.0"][:], table["over_time/time"][:]
    assert np.array_equal(times, np.arange(9) * 0.125)
    # Of 60 normal numbers, mean and deviation are within four standard errors.
    assert abs(speeds.mean() - 2.0) < 4 * 0.03 / np.sqrt(60) and abs(speeds.std(ddof=1) / 0.03 - 1) < 4 / np.sqrt(2 * 59), speeds
    own = table["ensemble/over_time/position.0.0"]
    assert text(own["mean"].attrs["unit"]) == "m"
    np.testing.assert_allclose(own["mean"][0], 0.5 + speeds.mean() * times, rtol=1e-12)
    # Differences of places near 2 m lose four digits to rounding.
    np.testing.assert_allclose(own["standard_deviation"][0], speeds.std(ddof=1) * times, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(own["quantile"][0, 2], 0.5 + np.median(speeds) * times, rtol=1e-12)


def check_statistics(table):
    members = int(np.ravel(table["ensemble"].attrs["members"])[0])
    for name, own in table["ensemble/over_time"].items():
        values = table["over_time"][name][:].reshape(-1, members, len(table["over_time/time"]))
        for n, group in enumerate(values):
            for got, expected in zip((own["mean"][n], own["standard_deviation"][n], own["quantile"][n]), statistics(group)):
                np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-14 * np.abs(group).max())
    impacts = table["impacts"][:].reshape(-1, members)
    for n, group in enumerate(impacts):
        np.testing.assert_allclose(table["ensemble/results/impacts/mean"][n], group.mean(), rtol=1e-13)
        np.testing.assert_allclose(table["ensemble/results/impacts/standard_deviation"][n], group.std(ddof=1), rtol=1e-12, atol=1e-13)


def check_crank(program, folder, configs):
    """A slider-crank with clearance: members are single runs to the bit, on any number of threads."""
    crank = configs / "slider_crank.toml"
    words = ("--set", "contact.0.bearing_centre=[0.17,0.0]", "--set", "time.end=0.002", "--set", "time.interval=1e-4", "--members", 4,
             "--disturb", "contact.0.bearing_centre.0=1e-5", "--disturb", "contact.0.clearance=1%", "--vary", "contact.0.law.restitution=0.5,0.9",
             "--over-time", "velocity.2.0,kinetic_energy")
    table = sweep(program, folder, crank, "crank", *words, "--threads", 2)
    assert [text(key) for key in table.attrs["varied"]] == ["contact.0.law.restitution", "member"]
    assert [text(key) for key in table["ensemble"].attrs["disturbed"]] == ["contact.0.bearing_centre.0", "contact.0.clearance"]
    assert table["ensemble/finished"][:].tolist() == [4, 4]
    assert table["parameters/member"][:].tolist() == [0, 1, 2, 3] * 2
    places = table["parameters/contact.0.bearing_centre.0"][:]
    assert np.array_equal(places[:4], places[4:]) and len(set(places[:4])) == 4, "each ensemble has the same members"
    check_statistics(table)
    with open(folder / "crank.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert "contact.0.clearance" in rows[0] and not any("at" in name.split() for name in rows[0]), list(rows[0])
    row = 6
    sets = [word for key in ("contact.0.law.restitution", "contact.0.bearing_centre.0", "contact.0.clearance")
            for word in ("--set", f"{key}={rows[row][key]}")]
    command(program, folder, "run", crank, "--quiet", "-o", "single.h5", *words[:6], *sets)
    with h5py.File(folder / "single.h5") as single:
        assert np.array_equal(single["particles/all/velocity/value"][:, 2, 0], table["over_time/velocity.2.0"][row])
    again = sweep(program, folder, crank, "again", *words, "--threads", 1)
    for name in ("over_time/velocity.2.0", "over_time/kinetic_energy", "parameters/contact.0.clearance", "ensemble/results/impacts/mean",
                 "ensemble/over_time/kinetic_energy/quantile"):
        assert np.array_equal(table[name][:], again[name][:], equal_nan=True), name
    other = sweep(program, folder, crank, "other", *words, "--seed", 1)
    assert not set(other["parameters/contact.0.clearance"][:]) & set(again["parameters/contact.0.clearance"][:]), "the seed has no effect"


def check_kill(program, folder, configs):
    """A sweep that is killed continues to the same bits, those over time included."""
    # Each run takes half a second, several times as long as the program waits between two looks at what is done.
    words = (configs / "slider_crank.toml", "--quiet", "--set", "time.end=0.012", "--set", "time.interval=1e-3", "--members", "4", "--disturb",
             "contact.0.clearance=1%", "--over-time", "velocity.2.0", "--threads", "1")
    killed = Held([program, "sweep", *map(str, words), "-o", "killed.h5"], [1], cwd=folder)
    assert killed.held, "the sweep ended before it could be killed"
    assert killed.end_by(signal.SIGKILL) == -signal.SIGKILL
    said = command(program, folder, "sweep", *words, "-o", "killed.h5")
    assert "continues after " in said, said
    command(program, folder, "sweep", *words, "-o", "whole.h5")
    with h5py.File(folder / "killed.h5") as continued, h5py.File(folder / "whole.h5") as whole:
        for name in ("sweep/over_time/velocity.2.0", "sweep/ensemble/over_time/velocity.2.0/quantile"):
            assert np.array_equal(continued[name][:], whole[name][:]), name


def check_chain(program, folder, configs):
    """A chain, whose time step follows its state: the members are read at the times of one of them."""
    chain = configs / "newtons_cradle.toml"
    table = sweep(program, folder, chain, "cradle", "--members", 3, "--disturb", "segment.0.velocity=1%", "--over-time", "velocity.0")
    check = table["over_time/velocity.0"][:]
    assert np.isfinite(check).all() and np.array_equal(check[:, 0], table["parameters/segment.0.velocity"][:])


def check_other_runs(program, folder, configs):
    """A run that records other arrays fails alone. One that ends earlier has no values after its end."""
    chain = configs / "newtons_cradle.toml"
    words = ("--set", "snapshots.interval=1e-5", "--set", "sensors.beads=[0, 1]", "--over-time", "displacement.0")
    table = sweep(program, folder, chain, "ends", *words, "--vary", "time.end=4e-4,2e-4")
    times, (_, early) = table["over_time/time"][:], table["over_time/displacement.0"][:]
    assert np.isfinite(early[times < 2e-4]).all() and np.isnan(early[times > 2.2e-4]).all() and times[-1] > 3.9e-4
    said = command(program, folder, "sweep", chain, "--quiet", "-o", "shapes.h5", *words, "--vary", "segment.1.beads=4,2", status=1)
    assert "--over-time displacement: a sample has the form (3) in this run, (5) in the first" in said, said


def check_refusals(program, folder):
    for words, expected in (
            (("--members", 5), "--members: needs --disturb, which says what differs between the runs"),
            (("--disturb", "body.0.mass=1%"), "--disturb: needs --members, the number of runs of the ensemble"),
            (("--members", 1, "--disturb", "body.0.mass=1%"), "--members 1: must be a whole number from 2 to 1000000"),
            (("--members", 5, "--disturb", "body.1.mass=1%"),
             "--disturb body.1.mass=1%: the scenario has no number body.1.mass, to which the disturbance would be added"),
            (("--members", 5, "--disturb", "body.0.mass=much"),
             "--disturb body.0.mass=much: must be key=deviation, a number above 0 in the unit of the key or in per cent of its value, as in "
             "--disturb body.0.velocity.0=1e-3"),
            (("--members", 5, "--disturb", "body.0.velocity.1=1%"),
             "--disturb body.0.velocity.1=1%: the key is 0 in the scenario; give a number in its unit"),
            (("--members", 5, "--disturb", "body.0.mass=1%", "--disturb", "body[0].mass=2%"),
             "--disturb body.0.mass: is given twice; give its deviation once"),
            (("--members", 5, "--disturb", "body.0.mass=1%", "--vary", "body.0.mass=1,2"),
             "--disturb body.0.mass: clashes with --vary body.0.mass; give only one of them"),
            ((), "nothing varies; give --vary, or --members with --disturb"),
            (("--vary", "body.0.mass=1,2", "--over-time", "position.3"), "--over-time position.3: there is no item 3; it has 0 to 0"),
            (("--vary", "body.0.mass=1,2", "--over-time", "position.x"),
             "--over-time position.x: after the name come numbers of items, as in position.1.0"),
            (("--vary", "body.0.mass=1,2", "--over-time", "angle,angle.0"), "--over-time angle.0: angle.0 is given twice")):
        said = command(program, folder, "sweep", "flight.toml", *words, status=2)
        assert said == f"beadwave: {expected}\n", said
    said = command(program, folder, "sweep", "flight.toml", "--vary", "body.0.mass=1,2", "--over-time", "spin", status=2)
    assert said.startswith("beadwave: --over-time spin: this scenario does not record it; it records position, velocity,"), said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("configs", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for check in (check_flight, lambda *words: check_crank(*words, given.configs), lambda *words: check_kill(*words, given.configs),
                      lambda *words: check_chain(*words, given.configs),
                      lambda *words: check_other_runs(*words, given.configs),
                      check_refusals):
            check(given.program, Path(folder))


main()

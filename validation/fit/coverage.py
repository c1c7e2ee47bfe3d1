#!/usr/bin/env python3
"""Checks the standard errors of fits: coverage.py PROGRAM SCENARIO [--seeds N] [--set KEY=VALUE]..., or coverage.py PROGRAM
--problems all|NAME... [--seeds N] [--json OUT.json]

Many measurements of one chain are made, each with its own noise, and fitted. For the hardness ratio and the striker speed the
script prints the scatter of the fits relative to the Cramer-Rao bound, which it computes from runs at displaced values, and how
often the 95 % intervals contain the true value. The exit status is 1 if a standard error differs from the bound by a tenth, if an
estimate is off by five standard errors, or if a fit takes more than ten runs. With 100 fits or more it is also 1 if the scatter
differs from the bound by more than a tenth plus three of its own standard deviations, or if the intervals contain the true value
in less than 93 % or more than 97 % of the fits (with fewer than 200 fits, this range is widened by chance).

With --problems, it does this for each problem of problems.py and prints a table: how often the 95 % interval of each parameter
contains the true value, and the part of the fits that gave a warning. A problem is right if every interval does so in 93 to 97 % of
the fits (wider with fewer than 200), or if at least 95 % of the fits warn. The exit status is 1 if a problem is neither.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

import problems

KEYS, TRUTH, BOUNDS = ("law.psi", "segment.0.velocity"), (2.7, 1.77), ((2.0, 4.0), (1.2, 2.5))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("scenario", nargs="?")
    parser.add_argument("--problems", nargs="+", help="all, or names of problems")
    parser.add_argument("--json", help="also writes the numbers of the problems to this file")
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--noise", type=float, default=0.01, help="standard deviation, relative to the largest force")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--set", action="append", default=[])
    return parser.parse_args()


class Chain:
    def __init__(self, given, folder):
        self.given, self.folder = given, folder
        self.settings = [word for setting in given.set for word in ("--set", setting)]

    def forces(self, values):
        """The times and the forces of the sensors."""
        path = os.path.join(self.folder, "run.h5")
        settings = [word for key, value in zip(KEYS, values) for word in ("--set", f"{key}={value!r}")]
        subprocess.run([self.given.program, "run", self.given.scenario, "--quiet", "-o", path, *self.settings, *settings], check=True)
        with h5py.File(path) as history:
            sensors = history["observables/sensor_force"]
            return sensors["time"][:], sensors["value"][:]

    def bound(self, sigma):
        """The smallest standard errors of an unbiased estimate, for white noise of this standard deviation (N)."""
        columns = []
        for k, value in enumerate(TRUTH):
            step = 1e-4 * value
            ends = [self.forces([v + sign * step * (i == k) for i, v in enumerate(TRUTH)])[1] for sign in (1, -1)]
            columns.append((ends[0] - ends[1]).ravel() / (2 * step))
        jacobian = np.column_stack(columns)
        return sigma * np.sqrt(np.diag(np.linalg.inv(jacobian.T @ jacobian)))

    def fit(self, seed, time, force, sigma):
        measured = os.path.join(self.folder, f"{seed}.csv")
        noise = sigma * np.random.default_rng(seed).standard_normal(force.shape)
        np.savetxt(measured, np.column_stack([time, force + noise]), delimiter=",")
        bounds = [word for key, (low, high) in zip(KEYS, BOUNDS) for word in ("--bounds", f"{key}={low}:{high}")]
        done = subprocess.run([self.given.program, "fit", self.given.scenario, "--measured", measured, *bounds, *self.settings,
                               "--threads", "1", "--json", "--quiet", "-o", os.path.join(self.folder, f"{seed}.h5")],
                              check=True, capture_output=True, text=True)
        os.remove(measured)
        return json.loads(done.stdout)["laws"][0]


def faults_of(chain, given):
    time, force = chain.forces(TRUTH)
    sigma = given.noise * force.max()
    bound = chain.bound(sigma)
    with concurrent.futures.ThreadPoolExecutor(given.threads) as pool:
        fits = list(pool.map(lambda seed: chain.fit(seed, time, force, sigma), range(1, given.seeds + 1)))
    runs = max(fit["evaluations"] for fit in fits)
    print(f"{given.seeds} fits, noise {sigma:.4g} N, at most {runs} runs, {np.mean([fit['seconds'] for fit in fits]):.3g} s each")
    if runs > 10:
        yield f"a fit took {runs} runs"
    for k, key in enumerate(KEYS):
        numbers = [fit["parameters"][k] for fit in fits]
        off = np.array([n["value"] for n in numbers]) - TRUTH[k]
        errors = np.array([n["standard_error"] for n in numbers])
        holds = np.mean([n["low"] <= TRUTH[k] <= n["high"] for n in numbers])
        scatter = np.sqrt(np.mean(off ** 2)) / bound[k]
        print(f"{key}: bound {bound[k]:.4g}; divided by it: standard errors {errors.mean() / bound[k]:.4f}, scatter {scatter:.4f}, "
              f"mean deviation {off.mean() / bound[k]:+.3f}; intervals contain the true value: {100 * holds:.1f} %")
        if abs(errors / bound[k] - 1).max() > 0.1:
            yield f"{key}: standard errors from {errors.min():.4g} to {errors.max():.4g}, the bound is {bound[k]:.4g}"
        if abs(off / errors).max() > 5:
            yield f"{key}: off by {abs(off / errors).max():.1f} standard errors"
        if given.seeds >= 100:
            chance = 3 / np.sqrt(2 * given.seeds)
            if abs(scatter - 1) > 0.1 + chance:
                yield f"{key}: the scatter is {scatter:.3f} of the bound"
            tolerance = 3 * np.sqrt(0.95 * 0.05 / given.seeds) if given.seeds < 200 else 0.02
            if abs(holds - 0.95) > tolerance:
                yield f"{key}: the intervals contain the true value in {100 * holds:.1f} % of the fits"


def fit_problem(problem, seed, given, folder, time, force):
    """The fit of one measurement of a problem; None if it fails."""
    largest = np.abs(force).max()
    random = np.random.default_rng(seed)
    times, forces = (problem.spoil or problems.white)(time, force, random, problem.noise * largest)
    name = os.path.join(folder, f"{seed}")
    np.savetxt(f"{name}.csv", np.column_stack([times, forces]), delimiter=",", fmt="%.9g")
    bounds = [word for key, _, low, high in problem.free for word in ("--bounds", f"{key}={low}:{high}")]
    done = subprocess.run([given.program, "fit", os.path.join(folder, "problem.toml"), "--measured", f"{name}.csv", *bounds,
                           *problem.options, "--threads", "1", "--json", "--quiet", "-o", f"{name}.h5"], capture_output=True, text=True,
                          check=False)
    for ending in (".csv", ".h5", ".toml"):
        if os.path.exists(name + ending):
            os.remove(name + ending)
    return json.loads(done.stdout)["laws"][0] if done.returncode == 0 else done.stderr.strip()


def row_of(problem, given, folder):
    """The row of a problem: the part of the intervals that contain the true value, by key, of the warnings, and of the failures."""
    scenario, history = os.path.join(folder, "problem.toml"), os.path.join(folder, "problem.h5")
    with open(scenario, "w", encoding="utf-8") as file:
        file.write(problem.scenario)
    subprocess.run([given.program, "run", scenario, "--quiet", "-o", history, "--overwrite"], check=True)
    with h5py.File(history) as run:
        observables = run["observables"]
        sensors = observables["sensor_force" if "sensor_force" in observables else "net_contact_force"]
        time, force = sensors["time"][:], sensors["value"][:]
    force = np.linalg.norm(force, axis=2) if force.ndim == 3 else force
    with concurrent.futures.ThreadPoolExecutor(given.threads) as pool:
        fits = list(pool.map(lambda seed: fit_problem(problem, seed, given, folder, time, force), range(1, given.seeds + 1)))
    done = [fit for fit in fits if isinstance(fit, dict)]
    row = {"problem": problem.name, "seeds": given.seeds, "failed": len(fits) - len(done), "covered": {}, "ratio": {},
           "warned": float(np.mean([bool(fit["warnings"]) for fit in done])) if done else 0.0,
           "errors": sorted({fit for fit in fits if isinstance(fit, str)})[:3]}
    for k, (key, truth, _, _) in enumerate(problem.free):
        numbers = [fit["parameters"][k] for fit in done]
        row["covered"][key] = float(np.mean([n["low"] is not None and n["low"] <= truth <= n["high"] for n in numbers]))
        known = [n for n in numbers if n["standard_error"] is not None]
        scatter = np.sqrt(np.mean([(n["value"] - truth) ** 2 for n in known]))
        row["ratio"][key] = float(np.mean([n["standard_error"] for n in known]) / scatter)
    return row


def problem_faults(given, folder):
    chosen = [one for one in problems.PROBLEMS if given.problems == ["all"] or one.name in given.problems]
    if not chosen:
        yield "--problems: there is none of this name; there are " + "; ".join(one.name for one in problems.PROBLEMS)
        return
    tolerance = 3 * np.sqrt(0.95 * 0.05 / given.seeds) if given.seeds < 200 else 0.02
    rows = []
    print("| problem | seeds | 95 % intervals that contain the true value | fits with a warning |\n| --- | --- | --- | --- |")
    for problem in chosen:
        row = row_of(problem, given, folder)
        rows.append(row)
        covered = ", ".join(f"{100 * part:.1f} %" for part in row["covered"].values())
        print(f"| {problem.name} | {given.seeds} | {covered} | {100 * row['warned']:.1f} % |", flush=True)
        if row["failed"]:
            yield f"{problem.name}: {row['failed']} fits failed: {row['errors']}"
        if row["warned"] < 0.95 and max(abs(part - 0.95) for part in row["covered"].values()) > tolerance:
            yield f"{problem.name}: covered {covered}; warned {100 * row['warned']:.1f} %"
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


def main():
    given = arguments()
    if given.problems:
        given.program = os.path.abspath(given.program)
        with tempfile.TemporaryDirectory() as folder:
            faults = list(problem_faults(given, folder))
        for fault in faults:
            print(fault, file=sys.stderr)
        return 1 if faults else 0
    if not given.scenario:
        print("coverage.py: give a scenario, or --problems all", file=sys.stderr)
        return 2
    given.program, given.scenario = os.path.abspath(given.program), os.path.abspath(given.scenario)
    with tempfile.TemporaryDirectory() as folder:
        faults = list(faults_of(Chain(given, folder), given))
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

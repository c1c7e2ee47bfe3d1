"""Bayesian calibration of a law with GrainLearning: which psi and xi of Ma-Liu's law give the measured peak forces?

GrainLearning (https://grainlearning.readthedocs.io) chooses sets of parameters; a callback runs a simulation for each of them and
returns the observables. `run_chains` is this callback: it reads `system.param_data` (one row per set) and calls
`system.set_sim_data` (per set an array of observables x control points). The control points are the sensors, the observable is the
peak force at each of them.

Without GrainLearning the script calls the callback itself, with a small object in place of GrainLearning's system, and prints the sum of
squares of each set. That is all that is tested: GrainLearning is no package of Debian, and the last function has never been run with it.
It follows the page "Linear regression with a Python model" of its documentation.
"""
import importlib.util
import os
from pathlib import Path
from typing import Any

import numpy as np

import beadwave as bw

HERE = Path(__file__).resolve().parent
SCENARIO = next(folder for folder in (HERE.parents[1] / "configs", Path("/usr/share/beadwave/configs")) if folder.is_dir()) / "chain70.toml"
NAMES, LOW, HIGH = ["law.psi", "law.xi"], [2.0, 8.0], [4.0, 20.0]
SHORT = "BEADWAVE_SHORT" in os.environ  # for the tests
END = 100e-6 if SHORT else 700e-6


def peak_forces(values: dict[str, float]) -> Any:
    """Peak force at each sensor [N]."""
    return np.max(bw.load(SCENARIO, overrides={"time.end": END, **values}).run()["sensor_force"], axis=0)


def run_chains(system: Any, **_options: Any) -> None:
    """The callback: one chain per set of parameters."""
    forces = [peak_forces(dict(zip(NAMES, map(float, values)))) for values in system.param_data]
    system.set_sim_data([np.array(force, ndmin=2) for force in forces])


class Sets:
    """What the callback uses of GrainLearning's system, for sets of parameters on a grid."""

    def __init__(self, sets: int) -> None:
        low, high = np.array(LOW), np.array(HIGH)
        self.param_data = np.array([low + (high - low) * np.array([i, j]) / (sets - 1) for i in range(sets) for j in range(sets)])
        self.sim_data: Any = None

    def set_sim_data(self, data: list[Any]) -> None:
        self.sim_data = np.array(data)


def without_grainlearning(measured: Any) -> None:
    system = Sets(2 if SHORT else 5)
    run_chains(system)
    squares = ((system.sim_data[:, 0] - measured) ** 2).sum(axis=1)
    for values, sum_of_squares in zip(system.param_data, squares):
        print(f"psi {values[0]:.2f}  xi {values[1]:5.2f}  sum of squares {sum_of_squares:9.3f} N2")
    best = system.param_data[np.argmin(squares)]
    print(f"best of {len(squares)}: psi {best[0]:.2f}, xi {best[1]:.2f}")


def with_grainlearning(measured: Any, sensors: Any) -> None:
    from grainlearning import BayesianCalibration
    calibration = BayesianCalibration.from_dict({
        "num_iter": 5,
        "system": {"param_names": NAMES, "param_min": LOW, "param_max": HIGH, "num_samples": 20, "sim_name": "chain70",
                   "obs_names": ["peak_force"], "ctrl_name": "bead", "obs_data": measured, "ctrl_data": sensors,
                   "sigma_tol": 0.01, "callback": run_chains},
        "calibration": {"inference": {"ess_target": 0.3}, "sampling": {"max_num_components": 2}, "initial_sampling": "halton"},
        "save_fig": -1})
    calibration.run()
    print(dict(zip(NAMES, calibration.get_most_prob_params())))


def main() -> None:
    sensors = bw.load(SCENARIO).sensors
    measured = peak_forces({"law.psi": 3.0, "law.xi": 14.0})  # in place of a measurement
    if importlib.util.find_spec("grainlearning"):
        with_grainlearning(measured, np.array(sensors))
    else:
        without_grainlearning(measured)


if __name__ == "__main__":
    main()

"""WangLiu2022 Fig. 9: the slider of a slider-crank with a clearance joint, configs/slider_crank_wang_liu.toml, and with an ideal one."""
import pathlib

import numpy as np
from drawing import axes, legend_beside, line, save

SCENARIO = pathlib.Path(__file__).resolve().parents[2] / "configs" / "slider_crank_wang_liu.toml"
CRANK, ROD, SPEED = 0.05, 0.12, 62.83185  # [m], [m], [rad/s]
SLIDER = 2


def ideal(time):
    """The acceleration [m/s^2] of the slider without clearance."""
    sine, cosine = np.sin(SPEED * time), np.cos(SPEED * time)
    root = np.sqrt(ROD ** 2 - (CRANK * sine) ** 2)
    return -SPEED ** 2 * (CRANK * cosine + CRANK ** 2 * (cosine ** 2 - sine ** 2) / root + (CRANK ** 2 * sine * cosine) ** 2 / root ** 3)


def draw(program, folder):
    def read(_, history):
        acceleration = history["particles/all/acceleration"]
        return acceleration["time"][:], acceleration["value"][:, SLIDER, 0]

    time, joint = program.run(SCENARIO, {}, read)
    figure, panel = axes("WangLiu2022 Fig. 9: slider-crank with a clearance of 0.5 mm at 600 rpm", "time [ms]",
                         "acceleration of the slider [m/s²]")
    panel.plot(1e3 * time, joint, **{**line(0), "linewidth": 1.1}, label="wang-liu")
    panel.plot(1e3 * time, ideal(time), **{**line(6), "linestyle": "--"}, label="ideal joint")
    panel.set_ylim(-1000.0, 1000.0)
    legend_beside(panel)
    after = time > 0.03
    save(figure, folder / "wangliu2022_slider_acceleration.png",
         f"From 30 ms on the median distance from the ideal joint is {np.median(np.abs(joint - ideal(time))[after]):.2g} m/s², the largest "
         f"acceleration {np.max(np.abs(joint[after])):.0f} m/s²; the first impacts go beyond the picture, to {np.max(np.abs(joint)):.0f} m/s². The lengths and masses are not in the paper, and the measured curve cannot be "
         "read, so the comparison is of kind only.")

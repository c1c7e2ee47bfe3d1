#!/usr/bin/env python3
"""Draws docs/chain70.png from the history of configs/chain70.toml: draw_chain70.py HISTORY.h5 PICTURE.png"""
import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of backend)
from matplotlib.colors import PowerNorm  # noqa: E402


def main(history, picture):
    with h5py.File(history) as file:
        force = file["observables/sensor_force/value"]
        beads = force.attrs["beads"]
        sensor_time = file["observables/sensor_force/time"][:] * 1e6
        velocity = file["particles/beads/velocity/value"][:, :, 0]
        time = file["particles/beads/velocity/time"][:] * 1e6
        law = file["parameters/law"][()].decode()
        force = force[:]

    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.2), layout="constrained")
    colours = plt.get_cmap("viridis")
    for i, bead in enumerate(beads):
        left.plot(sensor_time, force[:, i], color=colours(0.9 * i / (len(beads) - 1)), label=f"bead {bead}")
    left.set(xlabel="time (µs)", ylabel="sensor force (N)", xlim=(0, 700), ylim=(0, None))
    left.set_title(f"forces inside eight of 70 steel beads, {law}")
    left.legend(ncols=2, frameon=False)

    image = right.pcolormesh(range(velocity.shape[1]), time, velocity, cmap="magma",
                             norm=PowerNorm(0.5, vmin=0, vmax=velocity.max()), shading="nearest", rasterized=True)
    right.set(xlabel="bead", ylabel="time (µs)", title="the wave along the chain")
    figure.colorbar(image, ax=right, label="velocity (m/s)", ticks=[0, 0.1, 0.3, 0.6, 1.0, 1.5])
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
